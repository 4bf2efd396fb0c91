"""Hosts: what is listened on, under which names the service may be asked, and where it is found."""

from __future__ import annotations

import io
import socket
from typing import TYPE_CHECKING

import pytest
import segno
from werkzeug.test import Client

from service.app import create_app
from service.cli.upkeep.greeting import show_way
from service.server import hosts
from service.settings import Settings

if TYPE_CHECKING:
    from pathlib import Path

LOOPBACK = ["127.0.0.1", "localhost", "LOCALHOST", "Localhost.", "::1", "[::1]", "127.0.0.2", "0:0:0:0:0:0:0:1"]
OWN = ["localhost", "localhost:8080", "LocalHost.", "127.0.0.1:1", "[::1]", "[::1]:8080", "127.9.9.9", "kifu.localhost"]
OWN += ["[0:0::1]", "[::ffff:127.0.0.1]:80"]
FOREIGN = [
    "elsewhere.example",
    "localhost.example:80",
    "192.168.1.5",
    "[2001:db8::1]:80",
    "127.0.0.1.example",
    "",
    "::1",
]
FOREIGN += ["localhost:80:80", "[::1", "localhost@elsewhere.example", "notlocalhost"]


def has_ipv6() -> bool:
    try:
        with socket.create_server(("::1", 0), family=socket.AF_INET6):
            return True
    except OSError:
        return False


def usable(host: str) -> str:
    if ":" in host and not has_ipv6():
        pytest.skip("this machine has no IPv6")
    return host


@pytest.mark.parametrize("host", LOOPBACK)
def test_a_host_is_listened_on_however_it_is_spelled(host: str) -> None:
    with hosts.listen(usable(host), 0) as listener:
        found = hosts.listener_url(listener)
        assert found.startswith(("http://127.", "http://[::1]:"))


@pytest.mark.parametrize("host", LOOPBACK)
def test_a_service_of_this_machine_goes_by_its_names_and_no_other(host: str, tmp_path: Path) -> None:
    app = create_app(Settings(data=tmp_path / "data", host=host))
    client = Client(app)
    for asked in OWN:
        assert client.get("/v1/health", headers={"Host": asked}).status_code == 200, asked
    for asked in FOREIGN:
        answer = client.get("/v1/health", headers={"Host": asked})
        assert (answer.status_code, answer.content_type) == (400, "application/problem+json"), asked
    app.close()


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.7", "kifu.example"])  # noqa: S104
def test_a_service_for_others_is_asked_by_names_that_it_cannot_know(host: str) -> None:
    assert hosts.AllowedHosts(host).hold("kifu.home.arpa:8080")


@pytest.mark.parametrize(("host", "found"), [("0.0.0.0", "http://127.0.0.1:"), ("::", "http://[::1]:")])  # noqa: S104
def test_a_service_that_listens_everywhere_is_found_here(host: str, found: str) -> None:
    with hosts.listen(usable(host), 0) as listener:
        assert hosts.listener_url(listener).startswith(found)


def test_an_address_with_a_zone_is_an_address() -> None:
    assert hosts.url("fe80::1%eth0", 8080) == "http://[fe80::1%25eth0]:8080"


@pytest.mark.parametrize("host", ["nowhere.invalid", "a" * 70, "300.1.1.1", "[", "203.0.113.9", "\udc80"])
def test_what_cannot_be_listened_on_is_told_in_a_sentence(host: str) -> None:
    with pytest.raises(hosts.BadHostError, match="cannot listen on"):
        hosts.listen(host, 0)


def test_a_port_is_not_shared_even_with_who_would_share_it() -> None:
    with socket.socket() as sharing:
        sharing.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        sharing.bind(("127.0.0.1", 0))
        sharing.listen()
        with pytest.raises(hosts.BadHostError, match="in use"):
            hosts.listen("127.0.0.1", sharing.getsockname()[1])
    with hosts.listen("127.0.0.1", 0) as listener, socket.socket() as sharing:
        sharing.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        with pytest.raises(OSError, match="in use"):
            sharing.bind(listener.getsockname())


def test_phones_are_told_where_a_service_for_others_is(monkeypatch: pytest.MonkeyPatch) -> None:
    named = [
        (0, 0, 0, "", (text, 0)) for text in ("127.0.1.1", "192.168.1.5", "10.0.0.7", "fe80::1%eth0", "2001:db8::5")
    ]
    resolve = socket.getaddrinfo
    own = socket.gethostname()
    monkeypatch.setattr(
        socket, "getaddrinfo", lambda host, *rest, **more: named if host == own else resolve(host, *rest, **more)
    )
    monkeypatch.setattr(socket.socket, "connect", lambda *_: (_ for _ in ()).throw(OSError("no network")))
    assert hosts.network_urls("0.0.0.0", 8080) == ["http://192.168.1.5:8080", "http://10.0.0.7:8080"]  # noqa: S104
    assert hosts.network_urls("::", 8080)[-1] == "http://[2001:db8::5]:8080"
    assert hosts.network_urls("192.168.1.5", 80) == ["http://192.168.1.5:80"]
    for host in LOOPBACK:
        assert hosts.network_urls(usable(host), 8080) == []


def test_the_way_in_is_shown_as_a_code_that_holds_it(capsys: pytest.CaptureFixture[str]) -> None:
    show_way(["http://192.168.1.5:8080", "http://10.0.0.7:8080"], "/login?code=kifu_log_x")
    shown = capsys.readouterr().out
    assert "http://192.168.1.5:8080/login?code=kifu_log_x" in shown
    assert "http://10.0.0.7:8080/login?code=kifu_log_x" in shown
    drawn = io.StringIO()
    segno.make("http://192.168.1.5:8080/login?code=kifu_log_x", micro=False).terminal(drawn, compact=True)
    assert drawn.getvalue() in shown
    show_way([], "/login?code=kifu_log_x")
    assert capsys.readouterr().out == ""
