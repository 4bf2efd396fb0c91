"""The front with any bytes: it answers or refuses, keeps no more than it may, and serves the next one."""

from __future__ import annotations

import asyncio
import hashlib
import itertools
import os
import random
import re
import socket
import ssl
import threading
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from service.server import hosts, server
from service.server.authority import Certificates
from service.server.front import limits
from service.server.front.front import Front
from tests.choosing import soak_except
from tests.waiting import until

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

EXPECTED = {200, 400, 408, 413, 431, 503}
"""What the front answers, and the application behind it."""

QUICK = {"HEAD": 0.5, "TRANSFER_TIMEOUT": 0.5, "IDLE": 1.0, "LINGER": 0.05, "SMALL_BODY_WAIT": 0.01}
_HEAD = re.compile(rb"HTTP/1\.1 (\d{3}) [^\r\n]*\r\n((?:[^\r\n]+\r\n)*)\r\n")


def application(environ: dict[str, Any], start_response: Callable[..., Any]) -> list[bytes]:
    """Says which body came; for one path it wants none."""
    if environ[server.AWAITED] and "unwanted" not in environ["PATH_INFO"]:
        raise server.BodyAwaitedError(1 << 20)
    result = hashlib.sha256(environ["wsgi.input"].read()).hexdigest().encode()
    start_response("200 OK", [("Content-Length", str(len(result)))])
    return [result]


class Fronted:
    """A front in a thread, with an application behind it. `faults` are exceptions that nobody met."""

    def __init__(self, folder: Path, *, tls: bool) -> None:
        self.faults: list[str] = []
        self._listener = hosts.listen("127.0.0.1", 0)
        self.port = self._listener.getsockname()[1]
        context = Certificates(folder, "127.0.0.1", self.faults.append).context if tls else None
        self._tls = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT) if tls else None
        if self._tls:
            self._tls.check_hostname, self._tls.verify_mode = False, ssl.CERT_NONE
        path = folder / "web.sock"
        threading.Thread(target=server.serve, args=[application, path], daemon=True).start()
        self.front = Front(self._listener, [path], folder / "live.sock", 4, 100_000, context)
        self.loop = asyncio.new_event_loop()
        self.loop.set_exception_handler(lambda _, met: self.faults.append(str(met)))
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._opened = threading.Event()
        self._thread.start()
        assert self._opened.wait(30)

    def _run(self) -> None:
        self.loop.run_until_complete(self.front.open())
        self._opened.set()
        self.loop.run_forever()

    def close(self) -> None:
        try:
            asyncio.run_coroutine_threadsafe(self.front.close(1), self.loop).result(30)
        finally:
            self.loop.call_soon_threadsafe(self.loop.stop)
            self._thread.join()
            self.loop.close()

    def connect(self) -> socket.socket:
        plain = socket.create_connection(("127.0.0.1", self.port), 20)
        return self._tls.wrap_socket(plain) if self._tls else plain

    def answers(self, pieces: list[bytes]) -> list[tuple[int, bytes]]:
        """What comes back when these pieces are sent and then no more: statuses and bodies."""
        came = b""
        with self.connect() as connection:
            with suppress(OSError):
                for piece in pieces:
                    connection.sendall(piece)
                if self._tls is None:
                    connection.shutdown(socket.SHUT_WR)
            with suppress(OSError):
                while part := connection.recv(65536):
                    came += part
        return list(self._read(came))

    def _read(self, came: bytes) -> Iterator[tuple[int, bytes]]:
        while came:
            found = _HEAD.match(came)
            assert found, f"that is no answer: {came[:200]!r}"
            if found[1] == b"100":
                came = came[found.end() :]
                continue
            length = re.search(rb"(?i)content-length: (\d+)", found[2])
            end = found.end() + int(length[1] if length else 0)
            yield int(found[1]), came[found.end() : end]
            came = came[end:]

    def serves(self) -> bool:
        """Whether a plain request is answered."""
        asked = b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
        return self.answers([asked]) == [(200, hashlib.sha256().hexdigest().encode())]


@pytest.fixture(scope="module", params=[False, True], ids=["plain", "tls"])
def fronted(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Fronted]:
    with pytest.MonkeyPatch.context() as patch:
        for name, value in QUICK.items():
            patch.setattr(limits, name, value)
        made = Fronted(tmp_path_factory.mktemp("f"), tls=request.param)
        yield made
        made.close()


tokens = st.text("abcXYZ-09", min_size=1, max_size=12).map(str.encode)
bodies = st.binary(max_size=3000)


@st.composite
def chunked(draw: st.DrawFn) -> tuple[bytes, bytes]:
    """A body, and how it comes in chunks, with extensions and trailers."""
    body, sent = b"", b""
    for part in draw(st.lists(st.binary(min_size=1, max_size=700), max_size=6)):
        extension = draw(st.sampled_from([b"", b";x", b";x=y", b';x="y z"', b";" + b"e" * 300]))
        body, sent = body + part, sent + b"%x%b\r\n%b\r\n" % (len(part), extension, part)
    trailers = b"".join(b"X-%b: %b\r\n" % (name, name) for name in draw(st.lists(tokens, max_size=3)))
    return body, sent + b"0\r\n" + trailers + b"\r\n"


@st.composite
def requests(draw: st.DrawFn) -> tuple[bytes, bytes]:
    """A request as it should be, and its body."""
    path = draw(st.sampled_from([b"/", b"/a?b=c", b"/%41%ff"]))
    names = draw(st.lists(tokens, max_size=4))
    head = b"Host: localhost\r\n" + b"".join(b"X-%b: %b\r\n" % (name, name) for name in names)
    if draw(st.booleans()):
        head += b"Expect: 100-continue\r\n"
    if draw(st.booleans()):
        body, sent = draw(chunked())
        return b"POST " + path + b" HTTP/1.1\r\n" + head + b"Transfer-Encoding: chunked\r\n\r\n" + sent, body
    body = draw(bodies)
    return b"POST %b HTTP/1.1\r\n%bContent-Length: %d\r\n\r\n%b" % (path, head, len(body), body), body


BITS = (
    *(b"\r\n" * 40, b"\r\n\r\n", b"\x00", b"\x16\x03\x01", b"0\r\n", b"ffffffffffffffffff\r\n", b";" * 9000),
    *(b"Content-Length: 99999999999999999999\r\n", b"Transfer-Encoding: chunked\r\n", b"Expect: 100-continue\r\n"),
    *(b"unwanted", b"Connection: upgrade\r\n", b"Upgrade: h2c\r\n", b"GET * HTTP/1.1\r\n", b"PRI * HTTP/2.0\r\n"),
)


@st.composite
def nonsense(draw: st.DrawFn) -> bytes:
    """Requests that were cut, doubled, mixed up, or had bytes put in; and what never was one."""
    content = b"".join(sent for sent, _ in draw(st.lists(requests(), max_size=3)))
    for _ in range(draw(st.integers(1, 6))):
        at, to = sorted((draw(st.integers(0, len(content))), draw(st.integers(0, len(content)))))
        piece = draw(st.sampled_from([b"", content[at:to] * 2, *BITS]) | st.binary(max_size=40))
        content = content[:at] + piece + content[to:]
    return content


def cut(content: bytes, seed: int) -> list[bytes]:
    """The content in pieces."""
    chance, pieces = random.Random(seed), []
    while content:
        size = chance.choice([1, 7, 200, 5000, 40_000])
        pieces.append(content[:size])
        content = content[size:]
        if len(pieces) > 60:
            return [*pieces, content]
    return pieces


examples = settings(max_examples=20, suppress_health_check=[HealthCheck.too_slow])


def check_whole(fronted: Fronted, sent: list[tuple[bytes, bytes]], seed: int) -> None:
    *first, (last, _) = sent
    ending = last.replace(b"Host:", b"Connection: close\r\nHost:", 1)
    found = fronted.answers(cut(b"".join(each for each, _ in first) + ending, seed))
    assert found == [(200, hashlib.sha256(body).hexdigest().encode()) for _, body in sent]
    assert fronted.faults == []


def check_nonsense(fronted: Fronted, content: bytes, seed: int) -> None:
    assert {status for status, _ in fronted.answers(cut(content, seed))} <= EXPECTED
    assert fronted.serves()
    assert fronted.faults == []


whole, cuts = st.lists(requests(), min_size=1, max_size=4), st.integers(0, 99)


@pytest.mark.timeout(600)
@examples
@given(sent=whole, seed=cuts)
@pytest.mark.programs
def test_whole_requests_are_answered_in_order_however_they_are_cut(
    fronted: Fronted, sent: list[tuple[bytes, bytes]], seed: int
) -> None:
    check_whole(fronted, sent, seed)


@pytest.mark.slow
@pytest.mark.timeout(600)
@examples
@given(content=nonsense(), seed=cuts)
def test_nonsense_is_answered_or_refused_and_the_next_one_is_served(
    fronted: Fronted, content: bytes, seed: int
) -> None:
    check_nonsense(fronted, content, seed)


@pytest.mark.soak
@pytest.mark.timeout(1800)
@settings(examples, max_examples=1500)
@given(sent=whole, content=nonsense(), seed=cuts)
def test_the_front_bears_any_input_for_a_long_time(
    fronted: Fronted, sent: list[tuple[bytes, bytes]], content: bytes, seed: int
) -> None:
    check_whole(fronted, sent, seed)
    check_nonsense(fronted, content, seed)


ENDLESS = {
    "blank lines": (b"", b"\r\n" * 500),
    "an address": (b"GET /", b"a" * 1000),
    "a header": (b"GET / HTTP/1.1\r\nX: ", b"a" * 1000),
    "headers": (b"GET / HTTP/1.1\r\n", b"X: y\r\n" * 200),
    "a size": (b"chunked", b"0" * 1000),
    "an extension": (b"chunked1;x=", b"a" * 1000),
    "extensions": (b"chunked", b"1;abcdefghijklmnopqrstuvwxyz\r\nx\r\n" * 40),
    "tiny chunks": (b"chunked", b"1\r\nx\r\n" * 200),
    "a trailer": (b"chunked0\r\nX: ", b"a" * 1000),
    "trailers": (b"chunked0\r\n", b"X: y\r\n" * 200),
}
_CHUNKED = b"POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"


STARTS = {"first": b"", "after another": b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"}
IN_BRIEF = [*itertools.product(ENDLESS, ["first"]), ("a header", "after another"), ("tiny chunks", "after another")]


@pytest.mark.slow
@pytest.mark.parametrize(("what", "start"), soak_except(itertools.product(ENDLESS, STARTS), *IN_BRIEF))
def test_what_is_no_body_ends_at_one_limit(fronted: Fronted, what: str, start: str) -> None:
    begun, (first, again) = STARTS[start], ENDLESS[what]
    more = first.replace(b"chunked", _CHUNKED, 1) + again * (8 * limits.HEAD_SIZE // len(again))
    found = fronted.answers([begun + more])
    assert [status for status, _ in found[-1:]] in ([], [400], [431])  # a size of too many digits is none
    before = len(fronted.front._clients)
    with fronted.connect() as connection:
        connection.sendall(begun + more[: limits.HEAD_SIZE // 2])
        until(lambda: len(fronted.front._clients) > before or connection.recv(1))
        with suppress(OSError):
            for _ in range(32):  # it never takes in more than the limit
                connection.sendall(again * (limits.HEAD_SIZE // 4 // len(again)))
        connection.settimeout(20)
        with suppress(OSError):
            while connection.recv(65536):
                pass
    until(lambda: not fronted.front._clients)
    assert fronted.serves()
    assert fronted.faults == []


@pytest.mark.slow
@pytest.mark.parametrize("first", [b"\r\n", _CHUNKED + b"1;x=", _CHUNKED + b"0\r\n", _CHUNKED + b"0\r\nX: "])
def test_what_is_no_body_is_given_up_if_it_comes_slowly(fronted: Fronted, first: bytes) -> None:
    slow = threading.Event()
    with fronted.connect() as connection:
        connection.sendall(first)

        def trickle() -> None:
            with suppress(OSError):
                while not slow.wait(0.05):
                    connection.sendall(b"\r\n" if first == b"\r\n" else b"aaaaaaaa" * 40)

        sending = threading.Thread(target=trickle)
        sending.start()
        came = b""
        with suppress(OSError):
            while part := connection.recv(65536):
                came += part
        slow.set()
        sending.join()
    assert came.startswith(b"HTTP/1.1 408 "), came[:200]


def test_a_long_body_in_small_chunks_is_taken_whole(fronted: Fronted) -> None:
    body = os.urandom(900_000)
    parts = [body[at : at + 64] for at in range(0, len(body), 64)]
    sent = b"".join(b"%x\r\n%b\r\n" % (len(part), part) for part in parts)
    head = _CHUNKED.replace(b"Host", b"Connection: close\r\nHost")
    assert fronted.answers([head, sent + b"0\r\nX-Trailer: yes\r\n\r\n"]) == [
        (200, hashlib.sha256(body).hexdigest().encode())
    ]


def test_many_requests_in_one_piece_are_all_answered(fronted: Fronted) -> None:
    asked = b"GET / HTTP/1.1\r\nHost: localhost\r\nX: " + b"a" * 900 + b"\r\n\r\n"
    found = fronted.answers([asked * 299 + asked.replace(b"Host", b"Connection: close\r\nHost")])
    assert [status for status, _ in found] == [200] * 300
