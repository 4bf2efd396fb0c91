"""Compression: a layer around the application that sends texts as gzip to clients that accept it.

A compressed answer is another representation, so its ETag is another one, `"v41-gzip"` for `"v41"`. A client can send
back either of them, and the application sees its own.
"""

from __future__ import annotations

import gzip
from functools import lru_cache
from typing import TYPE_CHECKING

from werkzeug.datastructures import Accept, Headers
from werkzeug.http import parse_accept_header

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from types import TracebackType
    from typing import Any
    from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

COMPRESS_FROM = 1400
"""Bytes below which an answer is sent as it is: it goes into one packet either way."""

LEVEL = 6
"""Of gzip for what is made anew with each answer."""

TEXTS = ("text/", "application/json", "application/problem+json", "application/yaml", "image/svg+xml")

ENCODING = "Accept-Encoding"
SUFFIX = '-gzip"'
CONDITIONS = ("HTTP_IF_MATCH", "HTTP_IF_NONE_MATCH")


class Compression:
    """The application with its answers compressed. Answers of unknown length, which are streamed, stay as they are."""

    def __init__(self, application: WSGIApplication) -> None:
        self._application = application

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Answer a request."""
        known = False
        for name in CONDITIONS:
            if SUFFIX in environ.get(name, ""):
                environ[name], known = environ[name].replace(SUFFIX, '"'), True
        answer = _Answer(environ, start_response, known=known)
        body = self._application(environ, answer.start)
        return answer.compress_body(body)


class _Answer:
    """One answer on its way out. Its head waits until the form of its body is known."""

    def __init__(self, environ: WSGIEnvironment, start_response: StartResponse, *, known: bool) -> None:
        self._environ, self._start_response, self._known = environ, start_response, known
        self._compressed = False

    def start(
        self,
        status: str,
        headers: list[tuple[str, str]],
        exc_info: tuple[type[BaseException], BaseException, TracebackType] | tuple[None, None, None] | None = None,
    ) -> Callable[[bytes], object]:
        """Take the head from the application, and give the server what is known by now."""
        found = {name.lower(): value for name, value in headers}
        text = found.get("content-type", "").startswith(TEXTS)
        if text or "etag" in found:  # as a 304 has to, which does not say of what type
            headers = _varying(headers, found.get("vary"))
        self._status, self._headers = status, headers
        self._compressed = (
            text
            and int(found.get("content-length") or 0) >= COMPRESS_FROM
            and self._environ["REQUEST_METHOD"] != "HEAD"
            and "content-encoding" not in found
            and not status.startswith("206")
            and takes_gzip(self._environ.get("HTTP_ACCEPT_ENCODING", ""))
        )
        if self._compressed:
            return _no_writing
        if self._known and status.startswith("304"):
            self._headers = _marked(headers)
        return self._start_response(status, self._headers, *([exc_info] if exc_info else []))

    def compress_body(self, body: Iterable[bytes]) -> Iterable[bytes]:
        """The bytes of the body, compressed or not."""
        if not self._compressed:
            return body
        try:
            whole = b"".join(body)
        finally:
            close: Any = getattr(body, "close", None)
            if close:
                close()
        headers = Headers(_marked(self._headers))
        cached = headers.get("Cache-Control", "")
        lasting = "immutable" in cached and "public" in cached
        small = _kept(whole) if lasting else gzip.compress(whole, LEVEL, mtime=0)
        headers["Content-Encoding"], headers["Content-Length"] = "gzip", str(len(small))
        self._start_response(self._status, headers.to_wsgi_list())
        return [small]


def takes_gzip(accepted: str) -> bool:
    """Whether an `Accept-Encoding` takes gzip."""
    encodings = accepted.lower()
    return ("gzip" in encodings or "*" in encodings) and parse_accept_header(encodings, Accept).quality("gzip") > 0


@lru_cache(maxsize=64)
def _kept(whole: bytes) -> bytes:
    """The compressed form of a body that never changes, made once."""
    return gzip.compress(whole, 9, mtime=0)


def _varying(headers: list[tuple[str, str]], said: str | None) -> list[tuple[str, str]]:
    """The headers with `Accept-Encoding` added to `Vary`."""
    if said is None:
        return [*headers, ("Vary", ENCODING)]
    if ENCODING.lower() in said.lower():
        return headers
    return [(name, f"{said}, {ENCODING}" if name == "Vary" else value) for name, value in headers]


def _marked(headers: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """The headers with the ETag of the compressed answer."""
    return [
        (name, tag[:-1] + SUFFIX) if name == "ETag" and tag.endswith('"') and not tag.endswith(SUFFIX) else (name, tag)
        for name, tag in headers
    ]


def _no_writing(_: bytes) -> object:
    raise NotImplementedError("an answer of known length is returned, not written")
