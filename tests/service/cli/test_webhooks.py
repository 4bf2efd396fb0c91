"""Webhooks on the command line, and their part in a data folder's upkeep."""

from __future__ import annotations

import json

import pytest

from service.app import create_app
from service.settings import Settings
from service.webhooks.deliveries import WEBHOOKS
from tests.service.receiver import Courier, Receiver, status


@pytest.fixture
def receiver():
    found = Receiver()
    yield found
    found.close()


def deliver(kifu):
    """What the service does in the background."""
    settings = Settings(data=kifu.data, webhook_private=True)
    app = create_app(settings)
    app.context.catch_up()
    courier = Courier(settings)
    courier.go()
    courier.close()
    app.close()


@pytest.mark.slow
def test_an_endpoint_is_added_tried_out_looked_at_and_removed(kifu, receiver, monkeypatch):
    monkeypatch.setitem(kifu.environment, "KIFU_WEBHOOK_PRIVATE", "1")
    game = kifu.open()
    secret = kifu("webhooks", "add", receiver.url, "--game", game, "--type", "game.entries.appended").strip()
    assert "1 game, game.entries.appended" in " ".join(kifu("webhooks", "list").split())
    (made,) = json.loads(kifu("webhooks", "list", "--json"))["webhooks"]
    named = made["id"][-6:]
    assert "On its way" in kifu("webhooks", "test", named)
    kifu("note", game, "Tea.")
    kifu("open", "kahuna")
    deliver(kifu)
    assert [posted.json["type"] for posted in receiver.arrived] == ["webhook.test", "game.entries.appended"]
    assert all(posted.is_signed_with(secret) for posted in receiver.arrived)
    output = " ".join(kifu("webhooks", "deliveries", named).split())
    assert "game.entries.appended" in output
    assert "delivered 1 204" in output
    assert "gets no more messages" in kifu("webhooks", "remove", named)
    assert "no endpoint has the id" in kifu.fails("webhooks", "deliveries", named)
    assert json.loads(kifu("webhooks", "list", "--json")) == {"webhooks": []}


@pytest.mark.slow
def test_a_disabled_endpoint_is_named_with_its_reason_and_begins_again(kifu, receiver, monkeypatch):
    monkeypatch.setitem(kifu.environment, "KIFU_WEBHOOK_PRIVATE", "1")
    game = kifu.open()
    kifu("webhooks", "add", receiver.url)
    kifu("note", game, "Tea.")
    receiver.answer = status(410)
    deliver(kifu)
    result = kifu.run("webhooks", "list")
    assert "it wants nothing more" in result.stderr
    (made,) = json.loads(kifu("webhooks", "list", "--json"))["webhooks"]
    assert "is working" in kifu("webhooks", "enable", made["id"])


def test_what_is_no_endpoint_is_refused_in_a_sentence(kifu):
    kifu.open()
    assert "only https" in kifu.fails("webhooks", "add", "http://example.org")
    assert "192.168.0.1 is not public" in kifu.fails("webhooks", "add", "https://192.168.0.1/hook")


@pytest.mark.slow
def test_a_backup_has_the_endpoints_and_how_far_they_were_told(kifu, receiver, monkeypatch, tmp_path):
    monkeypatch.setitem(kifu.environment, "KIFU_WEBHOOK_PRIVATE", "1")
    game = kifu.open()
    kifu("webhooks", "add", receiver.url)
    kifu("note", game, "Tea.")
    deliver(kifu)
    kifu("backup", tmp_path / "copy")
    kifu.data = tmp_path / "copy"
    monkeypatch.setitem(kifu.environment, "KIFU_DATA", str(kifu.data))
    kifu("note", game, "More tea.")
    deliver(kifu)
    assert receiver.summaries() == [("game.entries.appended", 2, 2), ("game.entries.appended", 3, 3)]


def test_deliveries_that_are_damaged_are_found_by_verify(kifu, receiver, monkeypatch):
    monkeypatch.setitem(kifu.environment, "KIFU_WEBHOOK_PRIVATE", "1")
    kifu.open()
    kifu("webhooks", "add", receiver.url)
    deliver(kifu)
    path = kifu.data / WEBHOOKS.file
    assert "Sound" in kifu("verify")
    content = path.read_bytes()
    path.write_bytes(content[:4096] + b"\xff" * (len(content) - 4096))
    assert "messages are sent again" in " ".join(kifu.run("verify").stdout.split())
