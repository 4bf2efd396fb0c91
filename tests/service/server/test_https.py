"""HTTPS by a local authority: what is answered in TLS, what in plain, and that no stranger stops anybody."""

from __future__ import annotations

import json
import select
import ssl
import time
from contextlib import ExitStack, suppress
from functools import cached_property
from ipaddress import ip_address
from typing import TYPE_CHECKING

import httpx
import pytest
import segno
from werkzeug.test import Client

from service.app import create_app
from service.server import hosts
from service.server.authority import Certificates, certificate_file, fingerprint
from service.settings import Settings
from tests.service.server.test_front import (
    PATIENCE,
    SHORT,
    Answer,
    Served,
    has_come,
    held,
    stop_while_it_answers,
    stopped,
)
from tests.waiting import until

if TYPE_CHECKING:
    import socket
    from collections.abc import Iterator
    from contextlib import AbstractContextManager
    from pathlib import Path

    from tests.service.conftest import Api

pytestmark = pytest.mark.programs

EVERYWHERE = "0.0.0.0"  # noqa: S104 - nothing listens


PARTS = 240
LONG = f"GET /long?parts={PARTS}"
"""A request with an answer that does not fit between here and there."""

LINGER = 30.0
"""How long what is still sent is read: so long that nobody waits for it unnoticed."""


class Secure(Served):
    """A front that speaks TLS, asked by somebody who trusts its authority alone."""

    def plain(self) -> socket.socket:
        return super().connect()

    @cached_property
    def trusting(self) -> ssl.SSLContext:
        context = ssl.create_default_context(cafile=certificate_file(self.folder))
        context.options &= ~ssl.OP_IGNORE_UNEXPECTED_EOF  # Python 3.11.2 sets it
        return context

    def connect(self) -> ssl.SSLSocket:
        if not certificate_file(self.folder).exists():
            raise ConnectionRefusedError
        return self.trusting.wrap_socket(self.plain(), server_hostname="localhost", suppress_ragged_eofs=False)

    def ask_in_plain(self, line: str, body: bytes = b"", **headers: str) -> Answer:
        with self.plain() as connection:
            self.send(connection, line, body, **({"Content_Length": str(len(body))} if body else {}) | headers)
            return Answer.of(connection)

    @property
    def base(self) -> str:
        return f"https://localhost:{self.port}"


def served(folder: Path, limits: dict[str, float] | None = None, **settings: str) -> AbstractContextManager[Secure]:
    return stopped(Secure(folder, SHORT | (limits or {}), KIFU_HTTPS="1", **settings))


@pytest.fixture(scope="module")
def front(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Secure]:
    with served(tmp_path_factory.mktemp("s"), {"LINGER": LINGER}, KIFU_THREADS="4") as made:
        yield made


def until_ended(connection: socket.socket) -> bytes:
    parts = []
    with suppress(ConnectionError, ssl.SSLError):
        while part := connection.recv(1 << 20):
            parts.append(part)
    return b"".join(parts)


def ended(connection: socket.socket) -> bool:
    """Whether the other side sends no more; nothing need be read to know it."""
    poll = select.poll()
    poll.register(connection, select.POLLHUP | select.POLLRDHUP)
    return bool(poll.poll(0))


@pytest.mark.slow
def test_many_requests_go_over_one_connection(front: Secure) -> None:
    with front.connect() as connection:
        for _ in range(3):
            front.send(connection, "GET /v1/health")
            assert Answer.of(connection).status == 200


@pytest.mark.programs
def test_large_bodies_and_long_answers_arrive_whole(front: Secure) -> None:
    body = b"y" * 900_000
    assert front.ask("POST /echo", body).body == body
    with front.connect() as connection:
        front.send(connection, LONG, Connection="close")
        received = until_ended(connection)
    assert received.endswith(b"\r\n0\r\n\r\n")
    assert received.partition(b"\r\n\r\n")[2].count(b"x") == PARTS * 65536


def test_an_answer_that_breaks_off_is_seen_to(front: Secure) -> None:
    with front.connect() as connection:
        front.send(connection, "GET /broken")
        received = until_ended(connection)
    assert received.startswith(b"HTTP/1.1 200")
    assert not received.endswith(b"0\r\n\r\n")


def test_an_answer_that_breaks_off_is_not_taken_for_a_whole_one_where_only_its_end_says_so(front: Secure) -> None:
    with front.connect() as connection:
        connection.sendall(b"GET /broken HTTP/1.0\r\nHost: localhost\r\n\r\n")
        with connection.makefile("rb") as file, pytest.raises((ConnectionError, ssl.SSLError)):
            file.read()


@pytest.mark.parametrize("version", ["1.0", "1.1"])
def test_who_wants_the_end_of_the_connection_has_it_with_the_answer(version: str, front: Secure) -> None:
    began = time.monotonic()
    with front.connect() as connection:
        connection.sendall(f"GET /v1/health HTTP/{version}\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode())
        while connection.recv(1 << 16):
            pass
    assert time.monotonic() - began < LINGER


def test_a_client_that_still_sends_sees_the_refusal(front: Secure) -> None:
    answer = front.ask("POST /v1/games", b"{" * 500_000, **front.owner | {"Content_Length": str(1 << 30)})
    assert (answer.status, answer.problem) == (413, "body-too-large")


def test_a_stream_follows_over_https(front: Secure) -> None:
    game = front.open_game()
    owner = front.owner["Authorization"]
    with front.connect() as connection:
        front.send(connection, f"GET /v1/games/{game}/stream", Authorization=owner, Accept="application/x-ndjson")
        file = connection.makefile("rb")
        assert b" 200 " in file.readline()
        while file.readline().strip():
            pass
        entry = {"id": "018f0000-0000-7000-8000-000000000001", "type": "note.added", "data": {"text": "here"}}
        body = json.dumps({"events": [entry]}).encode()
        assert front.ask(f"POST /v1/games/{game}/events", body, **front.owner).status == 201
        result = b""
        while b"note.added" not in result:
            result = file.readline()
            assert result


def test_half_heads_and_half_bodies_are_given_up(front: Secure) -> None:
    with front.connect() as head, front.connect() as body:
        head.sendall(b"GET /v1/health HTTP/1.1\r\nHost: local")
        front.send(body, "POST /login", b"token=k", Content_Length="1000")
        front.open_game()
        assert Answer.of(head).problem == "too-slow"
        assert Answer.of(body).problem == "too-slow"


def test_answers_that_nobody_reads_hold_up_nobody_and_are_given_up(front: Secure) -> None:
    with held(front, 20, LONG) as stack:
        front.open_game()
        with front.connect() as reader:
            front.send(reader, LONG, Connection="close")
            assert until_ended(reader).endswith(b"\r\n0\r\n\r\n")
        deadline = time.monotonic() + PATIENCE
        while not all(ended(connection) for connection in stack.connections):
            assert time.monotonic() < deadline
            time.sleep(0.05)


@pytest.mark.parametrize(
    "start", [b"", b"\x16", b"\x16\x03\x01\x02\x00\x01", b"\x16" * 3000, b"\x16\x03\x01\x00\x05hello"]
)
def test_half_open_handshakes_stop_nobody_and_are_given_up(start: bytes, front: Secure) -> None:
    with ExitStack() as stack:
        strangers = [stack.enter_context(front.plain()) for _ in range(64)]
        for stranger in strangers:
            stranger.sendall(start)
        front.open_game()
        for stranger in strangers:
            with suppress(ConnectionError):
                while stranger.recv(1 << 16):
                    pass


def test_who_does_not_trust_the_authority_is_no_trouble(front: Secure) -> None:
    stranger = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    for _ in range(20):
        with pytest.raises(ssl.SSLCertVerificationError), front.plain() as connection:
            stranger.wrap_socket(connection, server_hostname="localhost")
    front.open_game()


@pytest.mark.slow
def test_one_address_has_no_more_connections_than_it_may(tmp_path: Path) -> None:
    with served(tmp_path, {"HEAD": 600.0}, KIFU_CONNECTIONS="8") as front, ExitStack() as stack:
        strangers: list[socket.socket] = []

        def full() -> bool:
            """Whether nobody else is let in. Those are replaced that came before one was forgotten that had left."""
            strangers[:] = [each for each in strangers if not has_come(each, select.POLLIN | select.POLLHUP)]
            strangers.extend(stack.enter_context(front.plain()) for _ in range(8 - len(strangers)))
            try:
                front.connect().close()
            except OSError:  # however the system says so
                return True
            return False

        until(full)
        strangers.pop().close()
        until(front._answers)


@pytest.mark.slow
def test_idle_connections_make_room_for_others(tmp_path: Path) -> None:
    with served(tmp_path, {"CONNECTIONS": 6}) as front, ExitStack() as stack:
        for _ in range(12):
            connection = stack.enter_context(front.connect())
            front.send(connection, "GET /v1/health")
            assert Answer.of(connection).status == 200


@pytest.mark.slow
def test_what_is_under_way_is_answered_when_the_service_stops(tmp_path: Path) -> None:
    with served(tmp_path) as front, front.connect() as connection:
        stop_while_it_answers(front, connection, tmp_path)
        assert Answer.of(connection).body == b"slow"


# In plain


@pytest.mark.parametrize(
    "path",
    [
        *("/", "/games/1?x=%C3%A9&y=1", "/login", "/access", "/nowhere", "/metrics"),
        *("/a%0D%0Ab", "/%C3%A9%25/%3Fx?y=%0D%0A", "/a?"),
    ],
)
def test_pages_in_plain_lead_on_to_https(path: str, front: Secure) -> None:
    answer = front.ask_in_plain(f"GET {path}", Host=f"192.168.1.5:{front.port}")
    assert answer.status == 400, "this service listens on this machine alone"
    answer = front.ask_in_plain(f"GET {path}", Host=f"localhost:{front.port}")
    onward = f"https://localhost:{front.port}{path.rstrip('?')}"
    assert (answer.status, answer.headers["location"]) == (308, onward)
    assert answer.headers["cache-control"] == "no-store"
    assert "set-cookie" not in answer.headers


def test_an_address_in_plain_that_could_be_another_host_leads_nowhere(front: Secure) -> None:
    answer = front.ask_in_plain("GET //elsewhere.example/", Host=f"localhost:{front.port}")
    assert (answer.status, "location" in answer.headers) == (404, False)


@pytest.mark.parametrize("line", ["GET /v1/health", "GET /v1/games", "POST /v1/games", "POST /login", "DELETE /https"])
def test_no_other_request_is_answered_in_plain(line: str, front: Secure) -> None:
    answer = front.ask_in_plain(
        line, b"token=x", **front.owner, Accept="application/problem+json", Host=f"localhost:{front.port}"
    )
    assert (answer.status, answer.problem) == (403, "not-https")
    assert "set-cookie" not in answer.headers


@pytest.mark.parametrize(
    "host",
    [
        *("a b", 'x"y', "[::1", "localhost:99999999", "localhost:99999", "localhost:0", "evil.example", ""),
        *("localhost@evil", "[127.0.0.1]", "[::::1]", "localhost:"),
    ],
)
def test_a_strange_host_is_no_trouble(host: str, front: Secure) -> None:
    assert front.ask_in_plain("GET /", Host=host).status == 400
    assert front.ask_in_plain("GET /https", Host=host).status in {200, 400}
    assert front.ask("GET /https", Host=host).status in {200, 400}
    assert front.ask("GET /login", Host=host).status in {200, 400}


def test_the_page_explains_in_plain_and_over_https(front: Secure) -> None:
    pem = certificate_file(front.folder).read_bytes()
    for ask in (front.ask_in_plain, front.ask):
        page = ask("GET /https", Host=f"localhost:{front.port}", User_Agent="Mozilla/5.0 (Linux; Android 15)")
        text = page.body.decode()
        assert page.status == 200
        assert fingerprint(pem) in text
        assert f'href="https://localhost:{front.port}/"' in text
        assert "<details open><summary>Android" in text
        assert all(name in text for name in ("iPhone", "Windows", "macOS", "Linux", "Firefox", "<svg"))
        assert not {"set-cookie", "strict-transport-security"} & page.headers.keys()
        certificate = ask("GET /authority.crt", Host=f"localhost:{front.port}")
        assert (certificate.headers["content-type"], certificate.body) == ("application/x-x509-ca-cert", pem)
        assert b"PRIVATE" not in certificate.body
    page = front.ask_in_plain("GET /https", Host=f"localhost:{front.port}", Accept_Language="ja")
    assert "証明書" in page.body.decode()


def test_a_service_in_plain_has_no_authority(api: Api) -> None:
    assert api.client.get("/authority.crt").status_code == 404
    assert "kifu serve --https" in api.client.get("/https").text


@pytest.fixture
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Client]:
    """Somebody who asks a service that others reach, at 192.168.1.5."""
    monkeypatch.setattr(hosts, "_own_addresses", lambda: [ip_address("203.0.113.5"), ip_address("192.168.1.5")])
    Certificates(tmp_path, EVERYWHERE, print)
    app = create_app(Settings(data=tmp_path, host=EVERYWHERE, https=True))
    yield Client(app)
    app.close()


@pytest.mark.parametrize(
    ("asked", "onward"),
    [
        ("192.168.1.5:8080", "https://192.168.1.5:8080"),
        ("localhost:8080", "https://localhost:8080"),
        ("[::1]:8080", "https://[::1]:8080"),
        (f"{hosts.machine_name()}.local:8080".upper(), f"https://{hosts.machine_name()}.local:8080"),
        ("203.0.113.5:8080", "https://192.168.1.5:8080"),
        ("kifu.fritz.box", "https://192.168.1.5:80"),
    ],
)
def test_the_way_leads_to_a_name_that_the_certificate_is_for(
    asked: str, onward: str, elsewhere: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn, make = [], segno.make
    monkeypatch.setattr(segno, "make", lambda text, **more: drawn.append(text) or make(text, **more))
    base = f"http://{asked}"
    assert elsewhere.get("/games?x=1", base_url=base).location == f"{onward}/games?x=1"
    page = elsewhere.get("/https", base_url=base)
    assert f'href="{onward}/"' in page.text
    home = "://localhost" in onward or "://[::1]" in onward
    phone = "https://192.168.1.5:8080" if home else onward
    assert drawn == [f"{phone.replace('https', 'http', 1)}/https"], "a phone does not find itself by it"


def test_invitations_lead_to_https(elsewhere: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn, make = [], segno.make
    monkeypatch.setattr(segno, "make", lambda text, **more: drawn.append(text) or make(text, **more))
    owner = {"Authorization": f"Bearer {elsewhere.application.context.owner_token}"}
    for base in ("https://192.168.1.5:8080", "https://localhost:8080", "https://localhost"):
        assert elsewhere.get("/join/BCDF-GHJK.svg", base_url=base, headers=owner).status_code == 200
    at = ("https://192.168.1.5:8080", "https://192.168.1.5:8080", "https://192.168.1.5:443")
    assert drawn == [f"{base}/join?code=BCDF-GHJK" for base in at]


# Sessions


def test_a_session_is_for_https_alone(front: Secure) -> None:
    token = (front.folder / "owner.token").read_text().strip()
    with httpx.Client(base_url=front.base, verify=front.trusting) as browser:
        answer = browser.post("/login", data={"token": token})
        cookie = answer.headers["set-cookie"]
        assert cookie.startswith("__Host-kifu_session=")
        assert "Secure" in cookie
        assert "Path=/" in cookie
        assert "Domain" not in cookie
        assert "strict-transport-security" not in answer.headers
        assert browser.get("/access").status_code == 200
        secret = browser.cookies["__Host-kifu_session"]
        stolen = httpx.get(f"{front.base}/access", headers={"Cookie": f"kifu_session={secret}"}, verify=front.trusting)
        assert stolen.status_code == 401, "a page in plain could have put that one there"
        foreign = browser.post("/logout", headers={"Origin": f"http://localhost:{front.port}"})
        assert foreign.status_code == 403
        assert browser.post("/logout", headers={"Origin": front.base}).status_code == 303
        assert "__Host-kifu_session" not in browser.cookies
