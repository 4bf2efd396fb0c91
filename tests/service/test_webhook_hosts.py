"""Endpoints of several hosts over one database: each is told by one of them, and by another one if that is gone."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from service.access import database as module
from service.app import create_app
from service.settings import Settings
from tests.service.conftest import UNLIMITED, Api
from tests.service.receiver import Courier, Receiver, status
from tests.service.test_webhooks import deliveries, go, make, note, shown

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

LONG = 60
"""More than the five seconds after which a message is tried again."""


class Host:
    """A service and its deliverer, over a folder of their own."""

    def __init__(self, settings: Settings) -> None:
        self.app = create_app(settings)
        self.api = Api(self.app)
        self.courier = Courier(settings)

    def go(self, later: float = 5.0) -> None:
        go(self.api, self.courier, later)

    def close(self) -> None:
        self.courier.close()
        self.app.extensions["kifu"].close()


@pytest.fixture
def hosts(database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Host, Host]]:
    monkeypatch.setattr(module, "LOOK", 0)
    places = [Settings(data=tmp_path / name, database_url=database, webhook_private=True, **UNLIMITED) for name in "ab"]
    one, two = map(Host, places)
    yield one, two
    one.close()
    two.close()


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with closing(Receiver()) as found:
        yield found


def test_an_endpoint_is_told_by_the_host_that_made_it_and_by_no_other(
    hosts: tuple[Host, Host], receiver: Receiver
) -> None:
    one, two = hosts
    made = make(one.api, receiver)
    game = two.api.open()
    for host in (two, one, two, one):
        note(host.api, game)
        host.go()
    assert receiver.told() == [
        *(("game.opened", 1, 1), ("game.entries.appended", 2, 3), ("game.entries.appended", 4, 5))
    ]
    assert len(deliveries(one.api, made)) == 3
    assert deliveries(two.api, made) == []


def test_another_host_goes_on_where_a_host_stopped_that_is_gone(
    hosts: tuple[Host, Host], receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two = hosts
    make(one.api, receiver)
    game = one.api.open()
    one.go()
    one.courier.derive()  # with which it says how far it came
    receiver.answer = status(500)
    note(one.api, game)
    one.go()  # in vain: the entry waits in the file of the first host
    receiver.answer = status(204)
    monkeypatch.setattr(module, "LEASE", 0)
    one.courier.derive()
    note(two.api, game)
    two.go()
    assert receiver.told() == [("game.opened", 1, 1), ("game.entries.appended", 2, 2), ("game.entries.appended", 2, 3)]
    monkeypatch.undo()
    monkeypatch.setattr(module, "LOOK", 0)
    two.courier.derive()
    one.go(LONG)
    assert len(receiver.arrived) == 3, "the first host is back, and knows that it is another one's"


def test_the_host_that_is_asked_to_send_again_goes_on_with_an_endpoint(
    hosts: tuple[Host, Host], receiver: Receiver
) -> None:
    one, two = hosts
    made = make(one.api, receiver)
    id_ = made["info"]["id"]
    game = one.api.open()
    receiver.answer = status(410)
    one.go()
    one.courier.derive()
    assert shown(one.api, made)["state"] == "disabled"
    receiver.answer = status(204)
    assert two.api.request("PATCH", f"/v1/webhooks/{id_}", json={"enabled": True}).status_code == 200
    assert two.api.post(f"/v1/webhooks/{id_}/test").status_code == 202
    one.go(LONG)
    note(two.api, game)
    two.go()
    trials = [posted for posted in receiver.arrived if posted.json["type"] == "webhook.test"]
    assert len(trials) == 1
    assert [posted.told() for posted in receiver.arrived if posted not in trials] == [
        *(("game.opened", 1, 1), ("game.opened", 1, 1), ("game.entries.appended", 2, 2))
    ]
    assert deliveries(one.api, made) == []
    assert shown(two.api, made)["state"] == "working"


def test_an_endpoint_that_is_removed_on_another_host_is_told_nothing_more(
    hosts: tuple[Host, Host], receiver: Receiver
) -> None:
    one, two = hosts
    made = make(one.api, receiver)
    game = one.api.open()
    one.go()
    assert two.api.request("DELETE", f"/v1/webhooks/{made['info']['id']}").status_code == 204
    note(one.api, game)
    for host in (one, two):
        host.go()
    assert receiver.told() == [("game.opened", 1, 1)]
