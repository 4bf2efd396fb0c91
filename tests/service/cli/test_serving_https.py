"""`kifu serve --https`: what it prints, and commands that work with it."""

from __future__ import annotations

import json
from contextlib import closing

import httpx

from service.authority import CERTIFICATE, FOLDER, certificate_file, fingerprint
from tests.service.receiver import Receiver


def test_commands_trust_the_authority_of_their_folder(kifu, serve):
    service = serve("--https")
    assert service.url.startswith("https://127.0.0.1:")
    assert f"Log in at {service.url}/login?code=" in service.greeting
    kifu("tokens", "link")
    assert "Sound: " in kifu("verify")
    assert kifu("games", "--url", service.url, "--json")
    assert service.stop() == 0


def test_commands_elsewhere_are_told_which_authority_to_trust(kifu, serve, tmp_path):
    service = serve("--https")
    ca = tmp_path / "home.crt"
    ca.write_bytes(httpx.get(f"{service.url.replace('https', 'http', 1)}/authority.crt", trust_env=False).content)
    token = (kifu.data / "owner.token").read_text().strip()
    elsewhere = ("--data", tmp_path / "none", "--url", service.url, "--token", token)
    assert "certificate" in kifu.fails("games", *elsewhere)
    assert kifu("games", *elsewhere, "--ca", ca, "--json")
    wrong = tmp_path / "wrong.crt"
    assert "no certificate can be read" in kifu.fails("games", *elsewhere, "--ca", wrong)
    wrong.write_text("nonsense")
    assert "no certificate can be read" in kifu.fails("games", *elsewhere, "--ca", wrong)


def test_the_way_to_trust_it_is_printed_and_only_there_is_the_key(kifu, serve):
    service = serve("--https")
    process = service._process
    plain = service.url.replace("https", "http", 1)
    said = process.stdout.readline() + process.stdout.readline()
    assert f"{plain}/https" in said
    assert fingerprint(certificate_file(kifu.data).read_bytes()) in said
    assert b"PRIVATE" not in (kifu.data / FOLDER / CERTIFICATE).read_bytes()
    kifu("backup", kifu.data.parent / "copy")
    assert not list((kifu.data.parent / "copy").rglob("*.key"))


def test_webhooks_are_told_by_a_service_that_speaks_https(kifu, serve, monkeypatch):
    monkeypatch.setitem(kifu.environment, "KIFU_WEBHOOK_PRIVATE", "1")
    process = kifu.program("serve", "--port", "0", "--https", env={"KIFU_WEBHOOK_PRIVATE": "1"})
    with closing(Receiver()) as receiver:
        try:
            assert "https://" in process.stdout.readline()
            kifu("webhooks", "add", receiver.url)
            (made,) = json.loads(kifu("webhooks", "list", "--json"))["webhooks"]
            assert "On its way" in kifu("webhooks", "test", made["id"])
            receiver.wait(1)
        finally:
            process.terminate()
            process.communicate(timeout=60)
