"""Bodies that are yet to come: the application may answer without one, or say that it wants it."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import flask

from service.problems import ProblemError

if TYPE_CHECKING:
    from typing import IO

AWAITED = "kifu.awaited"
"""The key of the WSGI environment that says that the body has not come yet."""


class BodyAwaitedError(BaseException):
    """The application wants a body that has not come yet, of at most `limit` bytes. No fault: no handler takes it."""

    def __init__(self, limit: int | None) -> None:
        super().__init__(limit)
        self.limit = limit


class Request(flask.Request):
    """A request whose body is looked at only when it may be: it is neither too large nor encoded."""

    @cached_property
    def stream(self) -> IO[bytes]:
        """The body. Raises `BodyAwaitedError`, `bad-media-type`, and what tells that it is too large."""
        coding = self.headers.get("Content-Encoding", "identity").strip().lower()
        if coding not in {"", "identity"}:
            found = ProblemError("bad-media-type", f"send the body as it is, not encoded as {coding}")
            found.headers["Accept-Encoding"] = "identity"
            raise found
        stream = super().stream
        if self.environ.get(AWAITED):
            raise BodyAwaitedError(self.max_content_length)
        return stream
