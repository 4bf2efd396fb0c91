"""Requests of the application to its server, in place of an answer.

A body may be yet to come: the application answers without it, or says that it wants it. A game may be yet to go on: the
application says that it wants to be asked again then. And the rest of an answer may come from the streams' process.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import flask
from werkzeug.exceptions import ClientDisconnected

from service.problems.kinds import ProblemError

if TYPE_CHECKING:
    from typing import IO
    from wsgiref.types import WSGIEnvironment

    from service.server.orders import Watch

MAX_BODY = "kifu.max_body"
"""The key of the WSGI environment with the most bytes of a body. Few routes have a limit of their own."""

AWAITED = "kifu.awaited"
"""The key of the WSGI environment that says that the body has not come yet."""

WATCHES = "kifu.watches"
"""The key of the WSGI environment that says whether the application may be asked again when a game has gone on."""

FOLLOWS = "kifu.follows"
"""The key of the WSGI environment under which the application leaves the order to serve a stream after its head."""


_READ_FROM_ENVIRON = {"method", "scheme", "server", "root_path", "path", "query_string", "headers", "remote_addr"}
"""The attributes of a request that are made of its environment."""

_READ_IN_PARTS = {"HTTP_CONTENT_ENCODING", "HTTP_TRANSFER_ENCODING", "wsgi.input_terminated"}
"""What a body comes with that is not read at once."""


class BodyAwaitedError(BaseException):
    """The application needs the body, of at most `limit` bytes. It is not a fault, so no error handler takes it."""

    def __init__(self, limit: int | None) -> None:
        super().__init__(limit)
        self.limit = limit


class GameAwaitedError(BaseException):
    """The application wants the call again when a game goes on, or after some seconds. It is not a fault, either."""

    def __init__(self, watch: Watch, seconds: float) -> None:
        super().__init__(watch, seconds)
        self.watch, self.seconds = watch, seconds


class LazyRequest(flask.Request):
    """A request that reads its environment only on demand: most checks look into the environment themselves.

    It reads a body only if that is neither too large nor encoded.
    """

    def __init__(self, environ: WSGIEnvironment, populate_request: bool = True, shallow: bool = False) -> None:
        self.environ, self.shallow = environ, shallow
        if populate_request and not shallow:
            environ["werkzeug.request"] = self

    def __getattr__(self, name: str) -> Any:
        """What is read from the environment, all at once."""
        if name not in _READ_FROM_ENVIRON:
            raise AttributeError(name)
        super().__init__(self.environ, populate_request=False, shallow=self.shallow)
        return vars(self)[name]

    @property
    def max_content_length(self) -> int | None:
        """The limit of the body in bytes."""
        own = self._max_content_length
        return self.environ.get(MAX_BODY) if own is None else own

    @max_content_length.setter
    def max_content_length(self, value: int | None) -> None:
        self._max_content_length = value

    @cached_property
    def stream(self) -> IO[bytes]:
        """The body. Raises `BodyAwaitedError`, `bad-media-type`, and what tells that it is too large."""
        coding = self.environ.get("HTTP_CONTENT_ENCODING", "identity").strip().lower()
        if coding not in {"", "identity"}:
            found = ProblemError("bad-media-type", f"send the body as it is, not encoded as {coding}")
            found.headers["Accept-Encoding"] = "identity"
            raise found
        stream = super().stream
        if self.environ.get(AWAITED):
            raise BodyAwaitedError(self.max_content_length)
        return stream


def body_of(request: flask.Request) -> bytes:
    """The body of a request. A body with a length within the limit is read at once. Raises as `stream`."""
    environ, limit = request.environ, request.max_content_length
    length = environ.get("CONTENT_LENGTH", "")
    known = limit is not None and length.isdecimal() and length.isascii() and int(length) <= limit
    if not known or environ.get(AWAITED) or not environ.keys().isdisjoint(_READ_IN_PARTS):
        return request.get_data(cache=False)
    body: bytes = environ["wsgi.input"].read(int(length))
    if len(body) < int(length):
        raise ClientDisconnected
    return body
