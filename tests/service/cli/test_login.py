"""Logging in to a service elsewhere by a code, what is kept of it, and logging out."""

from __future__ import annotations

import json
import re
import stat
from typing import TYPE_CHECKING

import httpx
import pytest

from service.cli.people import login
from service.cli.shell import logins
from service.cli.shell.client import Client, Connection
from service.cli.shell.connection import phone_base
from tests.plain_http import PLAIN

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


class Somebody:
    """A person with a logged-in browser. They decide while the command waits."""

    def __init__(self, url: str, token: str) -> None:
        self.waits: list[float] = []
        self.browser = httpx.Client(base_url=url, trust_env=False, verify=PLAIN)
        assert self.browser.post("/login", data={"token": token}).status_code == 303
        self.decision, self.after = "approve", 1
        self.code = ""

    def wait(self, seconds: float) -> None:
        self.waits.append(seconds)
        if len(self.waits) == self.after:
            answer = self.browser.post("/device", data={"user_code": self.code, "decision": self.decision})
            assert answer.status_code == 200


@pytest.fixture
def somebody(kifu, address, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Somebody]]:
    """A service, and somebody who is logged in there and reads the code from the screen."""
    found: list[Somebody] = []

    def start(token: str | None = None) -> Somebody:
        found.append(Somebody(address(), token or (kifu.data / "owner.token").read_text().strip()))
        monkeypatch.setattr(login, "wait", found[-1].wait)
        monkeypatch.setattr(login.click, "echo", read)
        return found[-1]

    echo = login.click.echo

    def read(text: object = "", **more: object) -> None:
        if code := re.search(r"the code (\S+)", str(text)):
            found[-1].code = code[1]
        echo(text, **more)

    yield start
    for each in found:
        each.browser.close()


def url_of(somebody: Somebody) -> str:
    return str(somebody.browser.base_url).rstrip("/")


def told(url: str, token: str) -> int:
    """What a request with this token is answered with."""
    headers = {"Authorization": f"Bearer {token}"}
    return httpx.get(f"{url}/v1/token", headers=headers, trust_env=False, verify=PLAIN).status_code


@pytest.mark.slow
def test_one_logs_in_by_a_code_and_commands_go_on_with_the_token(kifu, somebody, tmp_path):
    game = kifu.open("--title", "Sunday")
    person = somebody()
    url, elsewhere = url_of(person), ("--url", url_of(person), "--data", tmp_path / "none")
    assert "Log in with `kifu login URL`" in kifu.fails("note", game, "x", *elsewhere)
    person.after = 3
    printed = kifu("login", f"{url}/")
    assert f"Open {url}/device in a browser" in printed
    assert len(printed.splitlines()) > 15, "a QR code"
    assert f"Logged in to {url}, for 36" in printed
    assert person.waits == [5, 5, 10], "whoever asks too soon waits longer from then on"
    assert "Sunday" in kifu("games", *elsewhere)
    assert kifu("note", game, "by the token", *elsewhere)
    path = tmp_path / "config" / "kifu" / "logins.json"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert json.loads(path.read_text()).keys() == {url}
    refused = kifu.fails("games", *elsewhere, "--token", "x")
    assert "Invalid token: this token is not valid for this service" in refused, "a token that is given counts"


@pytest.mark.slow
def test_one_logs_out_and_the_token_opens_nothing_any_more(kifu, somebody, tmp_path):
    game = kifu.open()
    person = somebody()
    url, path = url_of(person), tmp_path / "config" / "kifu" / "logins.json"
    kifu("login", url, "--role", "viewer")
    (token,) = json.loads(path.read_text()).values()
    assert "without games:record" in kifu.fails("note", game, "x", "--url", url)
    assert f"Logged out of {url}" in kifu("logout", url)
    assert not path.exists()
    assert (
        httpx.get(
            f"{url}/v1/token", headers={"Authorization": f"Bearer {token}"}, trust_env=False, verify=PLAIN
        ).status_code
        == 401
    )
    assert "you are not logged in" in kifu.fails("logout", url)


@pytest.mark.slow
def test_to_log_in_again_ends_the_token_before(kifu, somebody, tmp_path):
    kifu.open()
    person = somebody()
    url, path = url_of(person), tmp_path / "config" / "kifu" / "logins.json"
    tokens = []
    for _ in range(2):
        person.waits.clear()
        kifu("login", url, "--scope", "games:read")
        tokens += json.loads(path.read_text()).values()
    assert [told(url, token) for token in tokens] == [401, 200]


@pytest.mark.slow
def test_who_is_refused_is_told_so_and_nothing_is_kept(kifu, somebody, tmp_path):
    kifu.open()
    person = somebody()
    person.decision = "refuse"
    assert "not logged in: it was refused" in kifu.fails("login", url_of(person))
    assert not (tmp_path / "config").exists()


def test_a_token_is_kept_for_its_service_alone(kifu, monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    logins.store("https://Kifu.example:443/", "one")
    logins.store("https://kifu.example/club", "two")
    assert logins.token_for("https://kifu.example") == "one"
    assert logins.token_for("https://kifu.example/club/") == "two"
    for other in ("http://kifu.example", "https://kifu.example:8443", "https://kifu.example.org", "https://example"):
        assert logins.token_for(other) is None
    logins.store("https://kifu.example", None)
    assert logins.load_all() == {"https://kifu.example/club": "two"}


@pytest.mark.parametrize(
    "url", ["kifu.example", "ftp://kifu.example", "https://", "https://a:b@kifu.example", "http://a:x"]
)
def test_what_is_no_address_is_refused_before_anything_is_asked(kifu, url):
    for command in ("login", "logout"):
        assert "URL" in (said := kifu.fails(command, url)) or "is not the address of a service" in said


def test_a_file_of_logins_that_is_damaged_is_named(kifu, tmp_path):
    path = tmp_path / "config" / "kifu" / "logins.json"
    path.parent.mkdir(parents=True)
    for content in (b"{", b"[]", b'{"a": 1}', b"\xff"):
        path.write_bytes(content)
        for command in (("login", "http://127.0.0.1:9"), ("games", "--url", "http://127.0.0.1:9")):
            assert f"{path} is damaged" in kifu.fails(*command)


def test_to_log_out_of_a_service_that_is_gone_forgets_the_token_and_says_so(kifu, monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    logins.store("http://127.0.0.1:9", "kifu_app_gone")
    result = kifu.run("logout", "http://127.0.0.1:9")
    assert result.exit_code == 0
    assert "could not be ended there" in result.stderr
    assert logins.load_all() == {}


def test_roles_and_scopes_are_not_given_together(kifu):
    assert "not both" in kifu.fails("login", "http://127.0.0.1:9", "--role", "viewer", "--scope", "admin", code=2)


@pytest.mark.parametrize(
    ("asked", "said", "shown", "alone"),
    [
        ("http://127.0.0.1:8080/", "http://192.168.1.7:8080", "http://192.168.1.7:8080", False),
        ("http://[::1]:8080", "http://kifu.local:8080", "http://kifu.local:8080", False),
        ("http://127.0.0.1:8080", "http://127.0.0.1:8080", "http://127.0.0.1:8080", True),
        ("https://club.example", "http://10.0.0.3:8080", "https://club.example", False),
    ],
    ids=["a network", "a name", "this computer alone", "named by the user"],
)
def test_a_link_for_a_phone_leads_where_the_phone_can_go(
    asked: str, said: str, shown: str, alone: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    with httpx.Client(verify=PLAIN) as http:
        assert phone_base(Client(lambda: Connection(http, asked)), said) == shown
    assert ("kifu serve --network" in capsys.readouterr().err) == alone
