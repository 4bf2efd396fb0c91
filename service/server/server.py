"""The web server: answers the calls of the front with the application. Only web servers write to the log.

A thread serves a connection of the front: it reads a call, has the application answer it, and writes the answer. It
never waits for a client: requests are whole when they come, and the front holds what is taken slowly. Only long answers
can have to wait; then the front counts their connection apart.
"""

from __future__ import annotations

import io
import os
import signal
import socket
import sqlite3
import sys
import threading
import time
from contextlib import closing, suppress
from email.utils import formatdate
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import msgspec

from events.errors import LogError
from events.sqlite.translation import is_full
from projections.sharing import FileLock
from service.problems.early import encode_problem, language_of
from service.problems.kinds import INTERNAL
from service.server import faults, wire
from service.server.awaiting import AWAITED, FOLLOWS, WATCHES, BodyAwaitedError, GameAwaitedError
from service.server.orders import encode
from service.settings import BadSettingError, from_environment
from workers import process

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Iterator
    from typing import IO
    from wsgiref.types import StartResponse, WSGIEnvironment


STARTING = "web.lock"
"""The file in the data folder that says which process is at its start."""

WHOLE = 8 << 20
"""Bytes up to which an answer of known length goes out in one piece."""

GENERATING = 2
"""How many long answers are made at the same moment, so that they leave the interpreter to the short ones."""

_ENVIRON = {
    "SCRIPT_NAME": "",
    "wsgi.version": (1, 0),
    "wsgi.url_scheme": "http",
    "wsgi.multithread": True,
    "wsgi.multiprocess": False,
    "wsgi.run_once": False,
}

Headers = list[tuple[str, str]]


class Application(Protocol):
    """A WSGI application that can be closed."""

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse, /) -> Iterable[bytes]:
        """Answer a request."""

    def begin(self) -> None:
        """Start threads for work that requests would wait for."""

    def close(self) -> None:
        """Close everything that is open."""


class Answer:
    """The application's answer to a call: status and headers, then its parts."""

    def __init__(self, app: Callable[..., Iterable[bytes]], environ: dict[str, Any]) -> None:
        self.status, self.headers = "500 Internal Server Error", Headers()
        self.parts = app(environ, self._start)

    def _start(self, status: str, headers: Headers, _error: Any = None) -> None:
        self.status, self.headers = status, headers

    def length(self) -> int | None:
        """The length of the answer, if it is stated."""
        for name, value in self.headers:
            if name.lower() == "content-length":
                return int(value)
        return None

    def head(self, *more: str) -> bytes:
        """The head of the answer. It has exactly one date."""
        named = (f"{name}: {value}" for name, value in self.headers if name != "Date")
        lines = [f"HTTP/1.1 {self.status}", *named]
        return "\r\n".join([*lines, f"Date: {_date(int(time.time()))}", *more, "", ""]).encode("latin-1")

    def close(self) -> None:
        """Tell the application that its answer is finished."""
        close = getattr(self.parts, "close", None)
        if close:
            close()


class FrontConnection:
    """One connection of the front. Its calls are answered one after the other."""

    def __init__(self, app: Callable[..., Iterable[bytes]], connection: socket.socket) -> None:
        self._app, self._connection = app, connection

    def serve(self) -> None:
        """Answer calls until the front closes the connection."""
        with closing(self._connection):
            try:
                while call := wire.read_call(self._connection):
                    self._answer(call)
            except OSError:  # the front has hung up: nobody waits for this answer
                return

    def _answer(self, call: wire.Call) -> None:
        sent = b""
        with closing(_frames(self._app, call)) as frames:
            while content := _next_frame(frames, call, sent):
                self._connection.sendall(content)
                sent = content[:1]


def _next_frame(frames: Iterator[bytes], call: wire.Call, sent: bytes) -> bytes | None:
    """The next frame of an answer; None at its end. `sent` is the kind of the last frame that was sent.

    Any exception becomes an answer, or the end of one that has begun. The connection can take the next call.
    """
    try:
        return next(frames, None)
    except BaseException as error:  # noqa: BLE001 - SystemExit is no reason to leave others without an answer, either
        method, path = call.environ["REQUEST_METHOD"], call.environ["PATH_INFO"]
        if sent and sent not in wire.FINAL_FRAMES and isinstance(error, LogError):
            faults.log_break(error, f"{method} {path}")
            return wire.frame(wire.BROKEN)
        detail = f"{type(error).__name__} while answering {method} {path}"
        id_ = faults.log_fault(error, detail)
    if sent:
        return None if sent in wire.FINAL_FRAMES else wire.frame(wire.BROKEN)
    headers = [(b"cookie", "HTTP_COOKIE"), (b"accept-language", "HTTP_ACCEPT_LANGUAGE")]
    sent_headers = [(name, call.environ.get(key, "").encode("latin-1")) for name, key in headers]
    tag = language_of(f"?{call.environ['QUERY_STRING']}".encode("latin-1"), sent_headers)
    answer = encode_problem(INTERNAL, detail, tag, 0, close=call.close, id=id_)
    head = answer.partition(b"\r\n\r\n")[0] + b"\r\n\r\n"
    return wire.frame(wire.WHOLE, head if method == "HEAD" else answer)


def _frames(app: Callable[..., Iterable[bytes]], call: wire.Call) -> Generator[bytes]:
    """The frames of the answer to a call. Raises any exception of the application."""
    environ: dict[str, Any] = {**_ENVIRON, **call.environ, "wsgi.errors": sys.stderr}
    environ[AWAITED], environ[WATCHES] = call.body is None and call.file is None, not call.waited
    more = ["Connection: close"] if call.close else []
    try:
        with _body(call) as environ["wsgi.input"], closing(Answer(app, environ)) as answer:
            yield from _sent(answer, environ, more)
    except BodyAwaitedError as awaited:
        yield wire.body_wanted_frame(awaited.limit)
    except GameAwaitedError as awaited:
        yield wire.watch_frame(awaited.seconds, encode(awaited.watch))


def _sent(answer: Answer, environ: dict[str, Any], more: list[str]) -> Iterator[bytes]:
    length, bare = answer.length(), answer.status[:3] in {"204", "304"} or answer.status[:1] == "1"
    if bare or environ["REQUEST_METHOD"] == "HEAD":
        yield wire.frame(wire.WHOLE, answer.head(*more))
    elif FOLLOWS in environ:
        order = msgspec.structs.replace(environ[FOLLOWS], head=answer.head("Connection: close"))
        yield wire.frame(wire.FOLLOW, encode(order))
    elif length is not None and length <= WHOLE:
        yield wire.frame(wire.WHOLE, answer.head(*more) + b"".join(answer.parts))
    else:
        yield from _sent_long(answer, more, chunked=length is None and environ["SERVER_PROTOCOL"] == "HTTP/1.1")


def _sent_long(answer: Answer, more: list[str], *, chunked: bool) -> Iterator[bytes]:
    coding = ["Transfer-Encoding: chunked"] if chunked else []
    yield wire.frame(wire.BEGIN, answer.head(*more, *coding))
    parts = iter(answer.parts)
    while block := _next_block(parts):
        yield wire.frame(wire.CHUNK, b"%x\r\n%b\r\n" % (len(block), block) if chunked else block)
    yield wire.frame(wire.END, b"0\r\n\r\n" if chunked else b"")


_generating = threading.BoundedSemaphore(GENERATING)
_BLOCK = 1 << 16


def _next_block(parts: Any) -> bytes:
    """The next parts of a long answer, enough for a chunk; empty at its end."""
    found, size = [], 0
    with _generating:
        for part in parts:
            found.append(part)
            size += len(part)
            if size >= _BLOCK:
                break
    return b"".join(found)


def _body(call: wire.Call) -> IO[bytes]:
    """The body of a call; empty if it has not come yet. Raises `OSError`."""
    return io.BytesIO(call.body or b"") if call.file is None else Path(call.file).open("rb")


@lru_cache(maxsize=2)
def _date(now: int) -> str:
    return formatdate(now, usegmt=True)


def create(factory: str) -> Application:
    """Make the application with the `module:function` that takes the settings, or end the process with the reason.

    If the database does not answer, or can only be read, the process ends with `TRY_LATER`. One process after the
    other does: what is not in the data folder yet is made once.
    """
    module, _, function = factory.partition(":")
    try:
        settings = from_environment()
        with FileLock(settings.data / STARTING).hold():
            made: Application = getattr(import_module(module), function)(settings)
    except (LogError, BadSettingError, OSError) as error:
        process.exit_with_message(error)
    except sqlite3.OperationalError as error:
        if not is_full(error):
            raise
        process.exit_with_message(f"the disk of {settings.data} is full ({error})")
    return made


def serve(app: Application, path: Path) -> None:
    """Answer the calls that come to the Unix socket `path`, until SIGTERM."""
    path.unlink(missing_ok=True)
    with socket.socket(socket.AF_UNIX) as listener:
        mask = os.umask(0o177)
        listener.bind(str(path))
        os.umask(mask)
        listener.listen(128)
        while True:
            connection, _ = listener.accept()
            threading.Thread(
                target=FrontConnection(app, connection).serve, name="front-connection", daemon=True
            ).start()


def main() -> None:
    """Serve the application of the factory named by the first argument at the socket named by the second."""
    process.begin("web")
    app = create(sys.argv[1])
    app.begin()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    with suppress(SystemExit):
        serve(app, Path(sys.argv[2]))
    app.close()
    os._exit(0)  # without waiting for threads that have nobody to answer to any more


if __name__ == "__main__":
    main()
