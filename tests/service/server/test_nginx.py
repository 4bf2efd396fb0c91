"""`deploy/nginx.conf` with a certificate and ports of this machine, before two servers that say what they are asked."""

from __future__ import annotations

import json
import re
import socket
import ssl
import threading
from contextlib import ExitStack, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from ipaddress import ip_address
from typing import TYPE_CHECKING, NamedTuple

import httpx
import pytest
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from service.server.authority import make_authority, make_certificate
from service.server.hosts import CertificateHosts
from tests.plain_http import PLAIN
from tests.ports import free_port
from tests.service.server.test_compose import NGINX, nginx
from tests.test_deploy import DEPLOY
from tests.waiting import PATIENCE

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = [
    pytest.mark.programs,
    pytest.mark.skipif(NGINX is None, reason="nginx is missing: deploy/nginx.conf was not run"),
]

NAME = "kifu.example"
"""The name in the file."""


class Upstream(ThreadingHTTPServer):
    """A server that answers with what it was asked, or, while it is `busy`, with 503."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Answering)
        self.busy, self.asked = False, list[str]()


class Answering(BaseHTTPRequestHandler):
    server: Upstream

    def do_GET(self) -> None:
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.server.asked.append(f"{self.command} {self.path}")
        body = json.dumps({name.lower(): value for name, value in self.headers.items()}).encode()
        self.send_response(503 if self.server.busy else 200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    do_POST = do_GET  # noqa: N815 - the names that the library looks for

    def log_message(self, *_: object) -> None:
        """Say nothing."""


class Site(NamedTuple):
    """The proxy: its servers behind it, its ports, and who vouches for it."""

    upstreams: list[Upstream]
    plain: int
    port: int
    authority: str

    def trust(self) -> ssl.SSLContext:
        return ssl.create_default_context(cadata=self.authority)


@contextmanager
def served() -> Iterator[Upstream]:
    upstream = Upstream()
    thread = threading.Thread(target=upstream.serve_forever)
    thread.start()
    try:
        yield upstream
    finally:
        upstream.shutdown()
        thread.join()
        upstream.server_close()


def configured(folder: Path, upstreams: list[Upstream], plain: int, port: int) -> str:
    """The file with these addresses, and with certificates in a folder."""
    site = (DEPLOY / "nginx.conf").read_text().replace("/etc/letsencrypt/live/kifu.example", str(folder))
    site = re.sub(r"^.*listen \[::\].*\n", "", site, flags=re.MULTILINE)
    for there, here in (
        ("listen 80;", f"listen 127.0.0.1:{plain};"),
        ("listen 443 ", f"listen 127.0.0.1:{port} "),
        *((f"127.0.0.1:{8081 + at} ", f"127.0.0.1:{each.server_port} ") for at, each in enumerate(upstreams)),
    ):
        assert site.count(there) == 1, there
        site = site.replace(there, here)
    return site


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    folder, plain, port = tmp_path_factory.mktemp("certificates"), free_port(), free_port()
    authority = make_authority()
    own = make_certificate(authority, CertificateHosts([], [ip_address("127.0.0.1")]))
    (folder / "fullchain.pem").write_bytes(own.certificate.public_bytes(Encoding.PEM))
    (folder / "privkey.pem").write_bytes(own.key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    with ExitStack() as stack:
        upstreams = [stack.enter_context(served()) for _ in range(2)]
        stack.enter_context(nginx(folder / "nginx", configured(folder, upstreams, plain, port), port))
        yield Site(upstreams, plain, port, authority.certificate.public_bytes(Encoding.PEM).decode())


@pytest.fixture
def http(site: Site) -> Iterator[httpx.Client]:
    """Somebody who asks the proxy by its name."""
    url, trust = f"https://127.0.0.1:{site.port}", site.trust()
    with httpx.Client(base_url=url, headers={"Host": NAME}, verify=trust, timeout=PATIENCE) as client:
        yield client


def test_the_file_is_one_and_the_service_gets_what_it_believes(http: httpx.Client) -> None:
    forged = {"X-Forwarded-For": "10.0.0.1", "X-Forwarded-Proto": "http", "X-Forwarded-Host": "evil.example"}
    heard = http.get("/v1/health", headers=forged).json()
    told = {name: heard[f"x-forwarded-{name}"] for name in ("for", "proto", "host")}
    assert told == {"for": "127.0.0.1", "proto": "https", "host": NAME}
    assert heard["host"] == NAME


def test_plain_requests_are_sent_on_to_https(site: Site) -> None:
    answer = httpx.get(
        f"http://127.0.0.1:{site.plain}/games?q=a%20b", headers={"Host": NAME}, timeout=PATIENCE, verify=PLAIN
    )
    assert (answer.status_code, answer.headers["Location"]) == (308, f"https://{NAME}/games?q=a%20b")


def test_http_2_is_spoken(site: Site) -> None:
    trust = site.trust()
    trust.set_alpn_protocols(["h2", "http/1.1"])
    with (
        socket.create_connection(("127.0.0.1", site.port), PATIENCE) as plain,
        trust.wrap_socket(plain, server_hostname="127.0.0.1") as found,
    ):
        assert found.selected_alpn_protocol() == "h2"


def test_a_read_goes_on_to_the_other_host_and_a_write_is_sent_once(site: Site, http: httpx.Client) -> None:
    one, other = site.upstreams
    one.busy = True
    try:
        assert [http.get("/v1/games").status_code for _ in range(4)] == [200] * 4
        other.busy = True
        assert http.post("/v1/games").status_code in {502, 503}
        assert (one.asked + other.asked).count("POST /v1/games") <= 1
    finally:
        one.busy = other.busy = False
