"""`kifu serve --https`: what it prints, and commands that work with it."""

from __future__ import annotations

import io
import json
from contextlib import closing
from typing import TYPE_CHECKING

import httpx
import pytest
import segno

from service.cli.upkeep.greeting import show_trust
from service.server.authority import CERTIFICATE, FOLDER, Certificates, certificate_file, fingerprint
from tests.plain_http import PLAIN
from tests.service.cli.conftest import Kifu, Service
from tests.service.receiver import Receiver

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = pytest.mark.programs


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Kifu:
    """Commands on a data folder that is served."""
    return Kifu(tmp_path_factory.mktemp("h") / "data")


@pytest.fixture(scope="module")
def service(folder: Kifu) -> Iterator[Service]:
    made = Service(folder, "--https", KIFU_WEBHOOK_PRIVATE="1")
    yield made
    assert made.stop() == 0


@pytest.mark.slow
def test_commands_trust_the_authority_of_their_folder(folder: Kifu, service: Service) -> None:
    assert service.url.startswith("https://127.0.0.1:")
    assert f"Log in at {service.url}/login?code=" in service.greeting
    folder("tokens", "link")
    assert "Sound: " in folder("verify")
    assert folder("games", "--url", service.url, "--json")


@pytest.mark.programs
def test_commands_elsewhere_are_told_which_authority_to_trust(folder: Kifu, service: Service, tmp_path: Path) -> None:
    plain, ca = service.url.replace("https", "http", 1), tmp_path / "home.crt"
    ca.write_bytes(httpx.get(f"{plain}/authority.crt", trust_env=False, verify=PLAIN).content)
    token = (folder.data / "owner.token").read_text().strip()
    elsewhere = ("--data", tmp_path / "none", "--token", token, "--url")
    output = folder.fails("games", *elsewhere, service.url)
    assert "its certificate is not trusted: " in output
    assert "with --ca" in output
    assert folder("games", *elsewhere, service.url, "--ca", ca, "--json")
    assert folder("games", *elsewhere, service.url, "--json", KIFU_CA=str(ca))
    assert "https://" in folder.fails("games", *elsewhere, plain)


@pytest.mark.parametrize("content", [None, b"", b"nonsense", b"\xff" * 1000])
def test_a_file_without_a_certificate_is_told(content: bytes | None, kifu: Kifu, tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.crt"
    if content is not None:
        wrong.write_bytes(content)
    assert "no certificate can be read" in kifu.fails("games", "--url", "https://127.0.0.1:9", "--ca", wrong)
    assert "no certificate can be read" in kifu.fails("login", "https://127.0.0.1:9", "--ca", wrong)


def test_another_authority_is_not_trusted(folder: Kifu, service: Service, tmp_path: Path) -> None:
    Certificates(tmp_path, "127.0.0.1", print)
    assert "not trusted" in folder.fails("games", "--url", service.url, "--ca", certificate_file(tmp_path))


def test_the_key_is_in_nothing_that_is_sent_or_saved(folder: Kifu, service: Service, tmp_path: Path) -> None:
    assert b"PRIVATE" not in (folder.data / FOLDER / CERTIFICATE).read_bytes()
    folder("backup", tmp_path / "copy")
    assert (tmp_path / "copy").exists()
    assert not [each for each in (tmp_path / "copy").rglob("*") if each.is_file() and b"PRIVATE" in each.read_bytes()]


@pytest.mark.programs
def test_webhooks_are_told_by_a_service_that_speaks_https(folder: Kifu, service: Service) -> None:
    with closing(Receiver()) as receiver:
        folder("webhooks", "add", receiver.url)
        (made,) = json.loads(folder("webhooks", "list", "--json"))["webhooks"]
        assert "On its way" in folder("webhooks", "test", made["id"])
        receiver.wait(1)


def test_the_way_to_trust_it_is_shown_here_and_to_a_phone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Certificates(tmp_path, "127.0.0.1", print)
    show_trust(tmp_path, ["http://127.0.0.1:8080", "http://192.168.1.5:8080", "http://10.0.0.7:8080"])
    shown, drawn = capsys.readouterr().out, io.StringIO()
    segno.make("http://192.168.1.5:8080/https", micro=False).terminal(drawn, compact=True)
    assert "http://127.0.0.1:8080/https" in shown
    assert fingerprint(certificate_file(tmp_path).read_bytes()) in shown
    assert drawn.getvalue() in shown
    show_trust(tmp_path, ["http://127.0.0.1:8080"])
    assert "phone" not in capsys.readouterr().out
