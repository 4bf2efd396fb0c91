"""Requests: the head as a WSGI environment, and the body, which may still be on its way."""

from __future__ import annotations

import re
import tempfile
from typing import TYPE_CHECKING
from urllib.parse import unquote_to_bytes

import httptools

from service.server.front import limits

if TYPE_CHECKING:
    from typing import IO

UNIQUE = {b"host", b"content-length", b"content-type", b"transfer-encoding", b"authorization"}
"""Headers that say one thing only."""


_GAME = re.compile(r"/games/([0-9a-f-]{36})(?![^/])")


class BadRequestError(Exception):
    """A malformed request; the message is one sentence."""


class IncomingRequest:
    """A request that is being read. `limit` is the limit of its body, if the application has set one."""

    def __init__(self) -> None:
        self.target = b""
        self.headers: list[tuple[bytes, bytes]] = []
        self.environ: dict[str, str] = {}
        self.headed = self.complete = self.close = self.chunked = self.expects = False
        self.asked = self.admitted = False
        self.limit: int | None = None
        self.declared = self.size = 0
        self._parts: list[bytes] = []
        self._file: IO[bytes] | None = None

    def head(self, method: str, version: str, *, keeps_alive: bool) -> None:
        """Read the head. Raises `BadRequestError`."""
        self.headed, self.close = True, not keeps_alive
        environ = self.environ
        environ["REQUEST_METHOD"], environ["SERVER_PROTOCOL"] = method, f"HTTP/{version}"
        self._go_through_headers()
        host = self._take_target(method)
        if host is not None:
            environ["HTTP_HOST"] = host
        if version not in {"1.0", "1.1"}:
            raise BadRequestError(f"HTTP/{version} is not supported")
        if version == "1.1" and "HTTP_HOST" not in environ:
            raise BadRequestError("there is no Host header")
        self.declared = int(environ.get("CONTENT_LENGTH", 0))
        coding = environ.pop("HTTP_TRANSFER_ENCODING", None)
        self.chunked = coding is not None
        if self.chunked and (coding or "").strip().lower() != "chunked":
            raise BadRequestError("the only supported Transfer-Encoding is chunked")
        self.expects = environ.pop("HTTP_EXPECT", "").lower() == "100-continue"
        environ.pop("HTTP_UPGRADE", None)  # nothing else is spoken here, and who asks may go on as before

    def _go_through_headers(self) -> None:
        environ, seen = self.environ, set()
        for name, value in self.headers:
            lower = name.lower()
            if lower in UNIQUE and lower in seen:
                raise BadRequestError(f"there are several {name.decode('latin-1')} headers")
            seen.add(lower)
            if b"_" in lower:  # it could be taken for another header
                continue
            key = lower.decode("latin-1").upper().replace("-", "_")
            key = key if key in {"CONTENT_LENGTH", "CONTENT_TYPE"} else f"HTTP_{key}"
            text = value.decode("latin-1").strip(" \t")  # the parser leaves the blanks behind a value
            if key in environ:
                environ[key] += ("; " if key == "HTTP_COOKIE" else ",") + text
            else:
                environ[key] = text

    def _take_target(self, method: str) -> str | None:
        """Take the path and the query; returns the host if the target is a whole address."""
        if method == "CONNECT":
            raise BadRequestError("this is not a proxy")
        try:
            target = self.target if self.target != b"*" else b"/*"
            url = httptools.parse_url(target)
        except httptools.HttpParserInvalidURLError as error:
            raise BadRequestError("the address of the request cannot be read") from error
        self.environ["PATH_INFO"] = unquote_to_bytes(url.path or b"/").decode("latin-1")
        self.environ["QUERY_STRING"] = (url.query or b"").decode("latin-1")
        if url.host is None:
            return None
        named: str = url.host.decode("latin-1")
        host = f"[{named}]" if ":" in named else named  # the parser leaves the brackets of IPv6 out
        return f"{host}:{url.port}" if url.port else host

    @property
    def game(self) -> str:
        """The game that the request is about, if any. Its web server has that game in memory."""
        found = _GAME.search(self.environ["PATH_INFO"])
        return found[1] if found else ""

    # Its body

    @property
    def large(self) -> bool:
        """Whether its body is so large that the work on it takes long."""
        return max(self.declared, self.size) > limits.IN_MEMORY

    @property
    def too_large(self) -> bool:
        """Whether the body is larger than allowed."""
        return self.limit is not None and self.size > self.limit

    def add(self, data: bytes) -> None:
        """Add a part of the body. Raises `OSError`."""
        self.size += len(data)
        if self._file is None and self.size <= limits.IN_MEMORY:
            self._parts.append(data)
            return
        if self._file is None:
            self._file = tempfile.NamedTemporaryFile(prefix="kifu-body-")  # noqa: SIM115 - closed with the request
            self._file.writelines(self._parts)
            self._parts.clear()
        self._file.write(data)

    def body(self) -> tuple[bytes | None, str | None]:
        """The whole body, or the path of the file that holds it. Raises `OSError`."""
        if self.chunked:
            self.environ["CONTENT_LENGTH"] = str(self.size)
        if self._file is not None:
            self._file.flush()
            return None, self._file.name
        return b"".join(self._parts), None

    def close_file(self) -> None:
        """Close the file of the body."""
        self._parts.clear()
        if self._file is not None:
            self._file.close()
            self._file = None
