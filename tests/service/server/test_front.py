"""The front: clients that send half of a request, read half of an answer, vanish, or come in masses."""

from __future__ import annotations

import gzip
import json
import os
import re
import select
import socket
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar, cast

import pytest
from uuid_utils import uuid7

from service.server import child, web
from service.server.front.front import Front
from service.server.front.request import IncomingRequest
from tests import warm
from tests.english import english
from tests.ports import free_port
from tests.waiting import until

if TYPE_CHECKING:
    from collections.abc import Iterator
    from contextlib import AbstractContextManager

    from service.server.front.tls import TLSConnection

pytestmark = pytest.mark.programs

PATIENCE = 60.0
"""Seconds that a busy machine may take for what is a matter of moments."""

APPLICATION = """
import os, time
from flask import Response, request
from service import app

FAULTS = {
    "value": ValueError("wrong"), "system": OSError(28, "no room"), "exit": SystemExit(3), "base": BaseException("any"),
    "unicode": UnicodeError("odd"), "keyboard": KeyboardInterrupt(), "recursion": RecursionError(),
    "memory": MemoryError(), "stop": StopIteration(), "closed": GeneratorExit(),
}

def create_app(settings):
    made = app.create_app(settings)
    def long():
        return (b"x" * 65536 for _ in range(int(request.args.get("parts", 1600)))), 200
    def slow():
        if "begun" in request.args:
            open(request.args["begun"], "x").close()
        while not os.path.exists(request.args["until"]):
            time.sleep(0.01)
        return "slow"
    def echo():
        return request.get_data()
    def broken():
        def parts():
            yield b"x" * 200_000
            raise RuntimeError("it breaks off")
        return parts(), 200
    def vanish():
        os._exit(9)
    def fail():
        request.get_data()
        raise FAULTS[request.args["what"]]
    class Unwritable(Response):
        def __call__(self, *_):
            raise FAULTS[request.args["what"]]
    class Unclosable(Response):
        def close(self):
            raise FAULTS[request.args["what"]]
    def unwritable():
        return Unwritable("x")
    def unclosable():
        return Unclosable("whole")
    def odd_header():
        return Response("x", headers={"X-Odd": "\\u68cb\\u8b5c"})
    posts = (echo, fail)
    for view in (long, slow, echo, broken, vanish, fail, unwritable, unclosable, odd_header):
        methods = ["POST", "GET"] if view in posts else ["GET"]
        made.site.add_url_rule(f"/{view.__name__}", view_func=view, methods=methods)
    return made
"""

MAIN = """
import sys
from service.server.front import limits
for name, value in ({limits}).items():
    assert hasattr(limits, name)
    setattr(limits, name, value)
from service.server.web import main
sys.exit(main())
"""

SHORT = {"HEAD": 1.0, "TRANSFER_TIMEOUT": 1.0, "IDLE": 30.0}


Made = TypeVar("Made", bound="Served")


class Served:
    """A front and its web server, with the limits of a test."""

    def __init__(self, folder: Path, limits: dict[str, float], **settings: str) -> None:
        (folder / "hostile.py").write_text(APPLICATION)
        self.port = free_port()
        self.folder = folder / "data"
        environment = os.environ | {"KIFU_DATA": str(self.folder), "KIFU_PORT": str(self.port)} | settings
        environment["PYTHONPATH"] = os.pathsep.join([str(folder), str(Path.cwd())])
        command = [sys.executable, "-c", MAIN.format(limits=limits), "hostile:create_app"]
        self.process = warm.Popen(command, env=environment)
        deadline = time.monotonic() + PATIENCE
        while not self._answers():
            assert time.monotonic() < deadline
            assert self.process.poll() is None
            time.sleep(0.05)

    def _answers(self) -> bool:
        with suppress(OSError):
            return self.ask("GET /v1/health").status == 200
        return False

    def connect(self) -> socket.socket:
        connection = socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return connection

    def send(self, connection: socket.socket, line: str, body: bytes = b"", **headers: str) -> None:
        named = {"Host": "localhost"} | {name.replace("_", "-"): value for name, value in headers.items()}
        head = [f"{line} HTTP/1.1", *(f"{name}: {value}" for name, value in named.items()), "", ""]
        connection.sendall("\r\n".join(head).encode() + body)

    def ask(self, line: str, body: bytes = b"", **headers: str) -> Answer:
        with self.connect() as connection:
            if body:
                headers = {"Content_Length": str(len(body))} | headers
            self.send(connection, line, body, **headers)
            return Answer.of(connection)

    @property
    def owner(self) -> dict[str, str]:
        token = (self.folder / "owner.token").read_text().strip()
        return {"Authorization": f"Bearer {token}", "Content_Type": "application/json"}

    def open_game(self) -> str:
        game = str(uuid7())
        body = json.dumps({"id": game, "ruleset": "kahuna"}).encode()
        assert self.ask("POST /v1/games", body, **self.owner).status == 201
        return game

    def stop(self) -> float:
        """Have it end; how many seconds that took."""
        began = time.monotonic()
        self.process.terminate()
        self.process.wait(timeout=PATIENCE)
        return time.monotonic() - began


class Answer:
    """What came back over a connection: a status, headers, and as much of a body as they promise."""

    def __init__(self, status: int, headers: dict[str, str], body: bytes) -> None:
        self.status, self.headers, self.body = status, headers, body

    @classmethod
    def of(cls, connection: socket.socket) -> Answer:
        with connection.makefile("rb") as file:
            return cls.read(file)

    @classmethod
    def read(cls, file: Any) -> Answer:
        status = int(file.readline().split()[1])
        headers = {}
        while line := file.readline().strip().decode():
            name, _, value = line.partition(": ")
            headers[name.lower()] = value
        return cls(status, headers, file.read(int(headers.get("content-length", 0))))

    @property
    def problem(self) -> str:
        assert self.headers["content-type"] == "application/problem+json"
        result = json.loads(self.body)
        assert {"type", "title", "status", "detail", "advice"} <= result.keys()
        assert result["status"] == self.status
        return str(result["type"].removeprefix("/problems/"))

    @property
    def english(self) -> list[str]:
        """What of the problem is told in English."""
        result = json.loads(self.body)
        return [run for name in ("title", "detail", "advice") for run in english(result[name])]


@contextmanager
def stopped(made: Made) -> Iterator[Made]:
    """What is served, until it is not needed any more."""
    try:
        yield made
    finally:
        if made.process.poll() is None:
            made.stop()


def served(folder: Path, limits: dict[str, float] | None = None, **settings: str) -> AbstractContextManager[Served]:
    return stopped(Served(folder, SHORT | (limits or {}), **settings))


@pytest.fixture(scope="module")
def front(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("f"), KIFU_THREADS="4") as made:
        yield made


class Held(ExitStack):
    """Connections that are open as long as it lasts."""

    connections: list[socket.socket]


def held(front: Served, count: int, line: str, body: bytes = b"", **headers: str) -> Held:
    """That many connections that have sent the same, and neither send nor read on."""
    stack = Held()
    stack.connections = [stack.enter_context(front.connect()) for _ in range(count)]
    for connection in stack.connections:
        front.send(connection, line, body, **headers)
    return stack


@pytest.mark.programs
def test_half_bodies_hold_up_nobody_and_are_given_up(front: Served) -> None:
    with front.connect() as one, held(front, 64, "POST /login", b"token=k", Content_Length="1000"):
        front.send(one, "POST /login", b"token=k", Content_Length="1000", Accept_Language="ja")
        front.open_game()
        answer = Answer.of(one)
        assert (answer.problem, answer.english) == ("too-slow", [])


def test_half_heads_hold_up_nobody_and_are_given_up(front: Served) -> None:
    with ExitStack() as stack:
        connections = [stack.enter_context(front.connect()) for _ in range(64)]
        for connection in connections:
            connection.sendall(b"GET /v1/health HTTP/1.1\r\nAccept-Language: ja\r\nHost: local")
        front.open_game()
        answer = Answer.of(connections[0])
        assert (answer.problem, answer.english) == ("too-slow", [])


def test_a_body_that_trickles_is_given_up(front: Served) -> None:
    with front.connect() as connection:
        front.send(connection, "POST /echo", Content_Length="1000")
        for _ in range(int(PATIENCE * 10)):
            connection.sendall(b"x")
            connection.settimeout(0.1)
            try:
                if connection.recv(12, socket.MSG_PEEK):
                    break
            except TimeoutError:
                continue
        connection.settimeout(PATIENCE)
        assert Answer.of(connection).problem == "too-slow"


def test_a_body_in_pieces_is_taken_whole(front: Served) -> None:
    with front.connect() as connection:
        front.send(connection, "POST /echo", Content_Length="200000")
        for _ in range(20):
            connection.sendall(b"y" * 10_000)
            time.sleep(0.01)
        assert Answer.of(connection).body == b"y" * 200_000


@pytest.mark.parametrize("length", ["1000", "1000000000"])
def test_who_may_not_send_is_told_before_the_body(front: Served, length: str) -> None:
    answer = front.ask("POST /v1/games", b"{", Content_Length=length, Content_Type="application/json")
    assert (answer.status, answer.problem, answer.headers["connection"]) == (401, "token-needed", "close")


def test_a_length_beyond_the_limit_is_refused_before_the_body(front: Served) -> None:
    answer = front.ask("POST /v1/games", b"{", **front.owner | {"Content_Length": str(1 << 30)})
    assert (answer.status, answer.problem) == (413, "body-too-large")


def chunked(body: bytes, size: int = 60_000) -> bytes:
    parts = [body[at : at + size] for at in range(0, len(body), size)]
    return b"".join(b"%x\r\n%b\r\n" % (len(part), part) for part in parts) + b"0\r\n\r\n"


def test_a_chunked_body_is_taken_up_to_the_limit_and_refused_beyond(front: Served) -> None:
    body = b"x" * (1 << 20)
    taken = front.ask("POST /echo", chunked(body), Content_Length="", Transfer_Encoding="chunked")
    assert taken.status == 400, "an empty length is none"
    for length, status in ((1 << 20, 200), ((1 << 20) + 1, 413)):
        with front.connect() as connection:
            front.send(connection, "POST /echo?lang=ja", Transfer_Encoding="chunked")
            connection.sendall(chunked(b"x" * length))
            answer = Answer.of(connection)
        assert answer.status == status
        assert status == 413 or len(answer.body) == length
    assert (answer.problem, answer.english) == ("body-too-large", [])


def test_half_of_a_game_is_never_imported(front: Served) -> None:
    """A body that ends early is no body, at any place."""
    with front.connect() as connection:
        headers = {**front.owner, "Content_Type": "text/plain", "Transfer_Encoding": "chunked"}
        front.send(connection, f"POST /v1/imports?id={(game := uuid7())}", **headers)
        part = b'[Ruleset "kahuna"]\n[Revision "1"]\n\n'
        connection.sendall(b"%x\r\n%b\r\n" % (len(part), part))
        connection.shutdown(socket.SHUT_WR)
        while connection.recv(1 << 16):
            pass
    assert front.ask(f"GET /v1/games/{game}").status == 404


@pytest.mark.parametrize("blanks", ["", " \t "])
def test_a_body_is_asked_for_only_where_it_is_wanted(front: Served, blanks: str) -> None:
    """Blanks behind a header's value are no part of it."""
    headers = {"Expect": f"100-continue{blanks}", "Content_Type": "application/json", "Content_Length": "2"}
    assert front.ask("POST /v1/games", **headers).status == 401
    with front.connect() as connection:
        front.send(connection, "POST /echo", **headers)
        with connection.makefile("rb") as file:
            assert file.readline() == b"HTTP/1.1 100 Continue\r\n"
            assert file.readline() == b"\r\n"
            connection.sendall(b"{}")
            assert Answer.read(file).body == b"{}"


def test_answers_that_nobody_reads_hold_up_nobody_and_are_given_up(front: Served) -> None:
    with held(front, 40, "GET /long") as stack:
        until(lambda: all(has_come(connection, select.POLLIN | select.POLLHUP) for connection in stack.connections))
        front.open_game()
        begun = [connection for connection in stack.connections if is_no_refusal(connection)]
        assert len(begun) > 4, "so many threads answer"
        until(lambda: all(has_come(connection, select.POLLHUP) for connection in begun))


def is_no_refusal(connection: socket.socket) -> bool:
    """Whether an answer is the one that was asked for. A busy service refuses some, and their connections go on."""
    try:
        return connection.recv(12, socket.MSG_PEEK) == b"HTTP/1.1 200"
    except ConnectionResetError:
        return True


def has_come(connection: socket.socket, events: int) -> bool:
    """Whether there is something to read of a connection, or its end. It reads nothing."""
    poll = select.poll()
    poll.register(connection, events)
    return bool(poll.poll(0))


def test_a_long_answer_arrives_whole(front: Served) -> None:
    with front.connect() as connection:
        front.send(connection, "GET /long", Connection="close")
        received = b"".join(iter(lambda: connection.recv(1 << 20), b""))
    head, _, body = received.partition(b"\r\n\r\n")
    assert b"Transfer-Encoding: chunked" in head
    assert body.endswith(b"\r\n0\r\n\r\n")
    assert body.count(b"x") == 1600 * 65536


def test_an_answer_that_is_taken_slowly_arrives_whole(tmp_path: Path) -> None:
    """Also what the system still holds of it once all is sent."""
    with served(tmp_path, {"LINGER": 0.1, "TRANSFER_TIMEOUT": 2.0}) as front, front.connect() as connection:
        front.send(connection, "GET /long?parts=48", Connection="close")
        received = []
        while not received or received[-1]:
            time.sleep(0.1)
            received.append(connection.recv(1 << 16))
    assert b"".join(received).partition(b"\r\n\r\n")[2].count(b"x") == 48 * 65536


def test_an_answer_that_breaks_off_is_seen_to(front: Served) -> None:
    with front.connect() as connection:
        front.send(connection, "GET /broken")
        received = b""
        try:
            while part := connection.recv(1 << 20):
                received += part
        except ConnectionResetError:
            pass
    assert received.startswith(b"HTTP/1.1 200")
    assert not received.endswith(b"0\r\n\r\n")


def test_a_vanished_client_leaves_nothing_behind(front: Served) -> None:
    for _ in range(20):
        with front.connect() as connection:
            front.send(connection, f"GET /slow?until={front.folder}")
        with front.connect() as connection:
            front.send(connection, "GET /long")
            connection.recv(10)
    assert front.ask(f"GET /slow?until={front.folder}").body == b"slow"


def test_requests_in_one_piece_are_answered_in_order(front: Served) -> None:
    with front.connect() as connection:
        for number in range(30):
            front.send(connection, "POST /echo", b"%04d" % number, Content_Length="4")
        with connection.makefile("rb") as file:
            assert [Answer.read(file).body for _ in range(30)] == [b"%04d" % number for number in range(30)]


@pytest.mark.parametrize(
    "content",
    [
        b"GET / HTTP/1.1\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n\r\n",
        b"POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
        b"POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        b"POST /echo HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
        b"POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n",
        b"POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: +1\r\n\r\na",
        b"POST /echo HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        b"GET /\x00 HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"GET / HTTP/2.0\r\nHost: localhost\r\n\r\n",
        b"CONNECT localhost:1 HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
        b"nonsense\r\n\r\n",
    ],
)
def test_what_is_no_request_is_refused(front: Served, content: bytes) -> None:
    with front.connect() as connection:
        connection.sendall(content)
        answer = Answer.of(connection)
    assert (answer.status, answer.problem) == (400, "bad-http")
    assert answer.english, "who says nothing of a language is told in English"


@pytest.mark.parametrize(
    ("target", "host"),
    [
        (b"http://[::1]:8080/v1/health", "[::1]:8080"),
        (b"http://[fe80::1]/", "[fe80::1]"),
        (b"http://localhost:8080", "localhost:8080"),
        (b"http://127.0.0.1/?a=1", "127.0.0.1"),
        (b"/v1/health", "of the header"),
    ],
)
def test_a_whole_address_names_the_host_in_place_of_the_header(target: bytes, host: str) -> None:
    request = IncomingRequest()
    request.target, request.headers = target, [(b"Host", b"of the header")]
    request.head("GET", "1.1", keeps_alive=True)
    assert request.environ["HTTP_HOST"] == host


@pytest.mark.parametrize("other", ["websocket", "WebSocket", "h2c"])
def test_who_asks_for_another_protocol_is_answered_in_this_one(front: Served, other: str) -> None:
    with front.connect() as connection:
        front.send(connection, "GET /v1/health", Connection="Upgrade", Upgrade=other)
        assert Answer.of(connection).status == 200


def test_a_head_that_does_not_end_is_refused(front: Served) -> None:
    with front.connect() as connection:
        connection.sendall(b"GET / HTTP/1.1\r\nCookie: kifu_language=ja\r\n" + b"X-Long: yes\r\n" * 8000)
        answer = Answer.of(connection)
        assert (answer.problem, answer.english) == ("head-too-large", [])


def test_an_encoded_body_has_another_media_type(front: Served) -> None:
    for encoding, status in (("gzip", 415), ("br", 415), ("identity", 200)):
        body = gzip.compress(b"{}") if encoding == "gzip" else b"{}"
        answer = front.ask("POST /echo", body, Content_Encoding=encoding)
        assert answer.status == status
        if status == 415:
            assert (answer.problem, answer.headers["accept-encoding"]) == ("bad-media-type", "identity")


def test_overload_is_shed_before_work_is_begun(tmp_path: Path) -> None:
    limits = {"FIRST_QUEUE": 4, "SHORTEST_QUEUE": 4, "LONGEST_QUEUE": 4, "STALE": PATIENCE}
    with served(tmp_path, limits, KIFU_THREADS="2") as front:
        with (
            held(front, 14, f"GET /slow?until={tmp_path}/now", Accept_Language="ja") as stack,
            ThreadPoolExecutor(14) as pool,
        ):
            connections = stack.connections
            answering = [pool.submit(Answer.of, connection) for connection in connections]
            deadline = time.monotonic() + PATIENCE
            while sum(answer.done() for answer in answering) < 8:
                assert time.monotonic() < deadline
                time.sleep(0.01)
            (tmp_path / "now").touch()
            answers = [answer.result() for answer in answering]
        shed = [answer for answer in answers if answer.status == 503]
        assert len(shed) == 8
        assert {answer.problem for answer in shed} == {"overloaded"}
        assert [answer.english for answer in shed if answer.english] == []
        assert all(int(answer.headers["retry-after"]) >= 1 for answer in shed)
        assert sum(answer.status == 200 for answer in answers) == 6


def test_an_address_has_a_number_of_connections(tmp_path: Path) -> None:
    with served(tmp_path, KIFU_CONNECTIONS="20") as front:
        with held(front, 20, "GET /v1/health"):
            answer = front.ask("GET /v1/health")
            assert (answer.status, answer.problem) == (429, "too-many-connections")
            assert int(answer.headers["retry-after"]) >= 1
        deadline = time.monotonic() + PATIENCE
        while front.ask("GET /v1/health").status != 200:
            assert time.monotonic() < deadline


class FromAddress(NamedTuple):
    """A connection in TLS, as far as counting asks for it."""

    address: str


def test_all_addresses_of_a_network_of_ipv6_share_their_connections(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        front = Front(listener, [tmp_path / "web.sock"], tmp_path / "live.sock", 2, per_address=2)
        taken = [FromAddress(f"2001:db8::{number}") for number in range(3)]
        assert [front.add_tls_connection(cast("TLSConnection", each)) for each in taken] == [True, True, False]
        assert front.add_tls_connection(cast("TLSConnection", FromAddress("2001:db8:0:1::1")))
        for each in taken[1:]:
            front.remove_tls_connection(cast("TLSConnection", each))
        assert front.add_tls_connection(cast("TLSConnection", taken[1]))


def test_a_half_closed_client_gets_its_answer_and_is_disconnected(tmp_path: Path) -> None:
    go = tmp_path / "go"
    with (
        served(tmp_path, {"IDLE": 1000.0, "LINGER": 1000.0}, KIFU_CONNECTIONS="10") as front,
        held(front, 10, f"GET /slow?until={go}") as asking,
    ):
        for connection in asking.connections:
            connection.shutdown(socket.SHUT_WR)
        time.sleep(0.1)
        go.touch()
        assert {Answer.of(connection).status for connection in asking.connections} == {200}
        deadline = time.monotonic() + PATIENCE
        while front.ask("GET /v1/health").status != 200:
            assert time.monotonic() < deadline
            time.sleep(0.05)
        assert {connection.recv(1) for connection in asking.connections} == {b""}


def test_a_stop_waits_for_nothing_that_goes_on(tmp_path: Path) -> None:
    """It has three seconds on a machine that is not busy."""
    assert web.STOP_TIMEOUT + child.STOP_TIMEOUT <= 3.0
    with served(tmp_path, {"TRANSFER_TIMEOUT": 100.0, "HEAD": 100.0}, KIFU_THREADS="4") as front:
        front.open_game()
        with (
            held(front, 10, "POST /login", b"token=k", Content_Length="1000"),
            held(front, 10, "GET /long"),
            held(front, 8, "GET /slow?until=/never"),
            held(front, 5, "GET /v1/health"),
        ):
            time.sleep(0.5)
            assert front.stop() < 30.0, "all that is held takes longer"
        assert front.process.returncode == 0


def test_what_is_under_way_is_answered_when_the_service_stops(tmp_path: Path) -> None:
    """It arrives as a whole, also where the client is far away: what was sent outlives the service."""
    with served(tmp_path) as front, front.connect() as connection:
        stop_while_it_answers(front, connection, tmp_path)
        assert Answer.of(connection).body == b"slow"


def stop_while_it_answers(front: Served, connection: socket.socket, folder: Path) -> None:
    """Have the service end while it answers a request of this connection."""
    front.send(connection, f"GET /slow?until={folder / 'now'}&begun={folder / 'begun'}")
    until((folder / "begun").exists)
    front.process.terminate()
    (folder / "now").touch()
    front.process.wait(timeout=PATIENCE)


def test_a_request_learns_that_its_server_died(tmp_path: Path) -> None:
    with served(tmp_path) as front:
        answer = front.ask("GET /vanish", Accept_Language="ja")
        assert (answer.status, answer.problem, answer.english) == (503, "unavailable", [])
        assert front.process.wait(timeout=PATIENCE) == 1


FAULTS = ["value", "system", "exit", "keyboard", "unicode", "base", "recursion", "memory", "stop", "closed"]


@pytest.mark.parametrize("view", ["fail", "unwritable", "odd_header"])
def test_every_exception_is_answered_with_a_fault_that_has_an_id(front: Served, view: str) -> None:
    """In the view, while its answer is written, and in what the server makes of that."""
    for what in FAULTS if view != "odd_header" else FAULTS[:1]:
        answer = front.ask(f"GET /{view}?what={what}", Accept_Language="ja")
        result = json.loads(answer.body)
        assert (answer.status, answer.problem, english(result["title"])) == (500, "internal", []), what
        assert re.fullmatch("[0-9a-f]{16}", result["id"])
        assert front.ask(f"HEAD /{view}?what={what}", Connection="close").status == 500
    with front.connect() as connection, connection.makefile("rb") as file:
        for _ in range(20):  # more than there are lanes: each is there for the next call
            front.send(connection, f"GET /{view}?what=value")
            assert Answer.read(file).problem == "internal"
    refused = front.ask("POST /fail?what=value", b"x" * 200_000)
    assert refused.problem == "internal"


def test_what_is_raised_after_an_answer_harms_no_other(front: Served) -> None:
    with front.connect() as connection, connection.makefile("rb") as file:
        for _ in range(10):
            front.send(connection, "GET /unclosable?what=value")
            assert Answer.read(file).body == b"whole"


def test_the_limits_are_told_where_problems_are_described(front: Served) -> None:
    for kind in ("overloaded", "too-slow", "too-many-connections", "unavailable", "head-too-large", "bad-http"):
        answer = front.ask(f"GET /problems/{kind}", Connection="close")
        assert answer.status == 200
        assert re.search(rb"<h1>.*</h1>", answer.body)
