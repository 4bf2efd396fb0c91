"""Endpoints of several hosts over one database: they are told by one of them, and by another one if that is gone."""

from __future__ import annotations

import signal
from contextlib import closing
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from service.app import create_app
from service.settings import Settings
from service.webhooks.deliveries import EntryRange
from tests.service.conftest import UNLIMITED, Api
from tests.service.receiver import Courier, Receiver, status
from tests.service.webhooks.test_webhook_faults import Deliverer, complete, distinct_messages
from tests.service.webhooks.test_webhooks import deliveries, go, make, note, shown
from tests.waiting import until
from workers import lease

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

LONG = 60
"""More than the five seconds after which a message is tried again."""

LAST = [("game.entries.appended", 3, 3)]
PRIVATE: dict[str, Any] = {"webhook_private": True, **UNLIMITED}


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
        self.app.close()


@pytest.fixture
def hosts(database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Host, Host]]:
    monkeypatch.setattr(lease, "HEARTBEAT_INTERVAL", 0)
    places = [Settings(data=tmp_path / name, database_url=database, webhook_private=True, **UNLIMITED) for name in "ab"]
    one, two = map(Host, places)
    yield one, two
    one.close()
    two.close()


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with closing(Receiver()) as found:
        yield found


@pytest.mark.slow
def test_an_endpoint_is_told_once_and_every_host_says_so(hosts: tuple[Host, Host], receiver: Receiver) -> None:
    one, two = hosts
    made = make(one.api, receiver)
    game = two.api.open()
    for host in (two, one, two, one):
        note(host.api, game)
        host.go()
    two.go()
    result = receiver.summaries()
    assert (result[0], result[-1][-1]) == (("game.opened", 1, 1), 5)
    assert all(after[1] == before[2] + 1 for before, after in pairwise(result)), result
    assert deliveries(one.api, made) == deliveries(two.api, made)
    assert len(deliveries(two.api, made)) == len(result)
    assert shown(one.api, made) == shown(two.api, made)


@pytest.mark.slow
def test_another_host_goes_on_where_a_host_stopped_that_is_gone(
    hosts: tuple[Host, Host], receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two = hosts
    make(one.api, receiver)
    game = one.api.open()
    one.go()
    receiver.answer = status(500)
    note(one.api, game)
    one.go()  # in vain
    receiver.answer = status(204)
    monkeypatch.setattr(lease, "LEASE", 0)
    one.courier.derive()  # its lease is over then
    note(two.api, game)
    two.go(LONG)
    two.go()
    assert receiver.summaries() == [*(("game.opened", 1, 1), *(("game.entries.appended", 2, 2),) * 2), *LAST]
    assert receiver.arrived[1].id == receiver.arrived[2].id, "whoever knows messages by their ids has it once"
    monkeypatch.undo()
    monkeypatch.setattr(lease, "HEARTBEAT_INTERVAL", 0)
    two.courier.derive()
    one.go(LONG)
    assert len(receiver.arrived) == 4, "the first host is back, and knows that it is another one's"


@pytest.mark.slow
def test_a_message_that_was_on_its_way_from_a_host_that_is_killed_is_sent_by_another_one_with_its_id(
    database: str, tmp_path: Path, receiver: Receiver
) -> None:
    apps = [create_app(Settings(data=tmp_path / name, database_url=database, **PRIVATE)) for name in "ab"]
    one, two = map(Api, apps)
    found = [Deliverer(tmp_path / name) for name in "ab"]
    try:
        made = make(one, receiver)
        game = one.open()
        one.catch_up()
        two.catch_up()
        found[0].start(KIFU_DATABASE_URL=database, KIFU_FAILPOINT="webhook.sent")
        assert found[0].wait_for_death() == -signal.SIGKILL
        assert [each["state"] for each in deliveries(two, made)] == ["waiting"]
        found[1].start(KIFU_DATABASE_URL=database)
        first, second = receiver.wait(2)
        assert (first.id, first.body) == (second.id, second.body)
        until(lambda: [each["state"] for each in deliveries(one, made)] == ["delivered"])
        note(two, game, 3)
        two.catch_up()
        until(lambda: complete(distinct_messages(receiver), [game], last=4))
    finally:
        for each in found:
            each.kill()
        for app in apps:
            app.close()


def test_a_host_that_lost_its_turn_without_knowing_tells_nothing_twice(
    hosts: tuple[Host, Host], receiver: Receiver
) -> None:
    one, two = hosts
    made = make(one.api, receiver)
    game = one.api.open()
    one.api.catch_up()
    one.courier.derive()
    (cursor,) = one.courier.deliverer._deliveries.cursors()
    stale = msgspec.structs.replace(cursor, position=0, hash="")
    again = [EntryRange(type="game.opened", game=game, first=1, last=1, hash="", at=0)]
    two.courier.deliverer._deliveries.enqueue([(stale, again)], 1, "", 0, 0)
    assert len(deliveries(one.api, made)) == 1
    assert two.courier.deliverer._deliveries.cursors() == [cursor]


def test_an_endpoint_that_was_disabled_is_enabled_and_tried_on_any_host(
    hosts: tuple[Host, Host], receiver: Receiver
) -> None:
    one, two = hosts
    made = make(one.api, receiver)
    id_ = made["info"]["id"]
    game = one.api.open()
    receiver.answer = status(410)
    one.go()
    assert shown(one.api, made)["state"] == shown(two.api, made)["state"] == "disabled"
    receiver.answer = status(204)
    assert two.api.request("PATCH", f"/v1/webhooks/{id_}", json={"enabled": True}).status_code == 200
    assert two.api.post(f"/v1/webhooks/{id_}/test").status_code == 202
    one.go(LONG)
    note(two.api, game)
    one.go()
    trials = [posted for posted in receiver.arrived if posted.json["type"] == "webhook.test"]
    assert len(trials) == 1
    assert [posted.summary() for posted in receiver.arrived if posted not in trials] == [
        *(("game.opened", 1, 1), ("game.opened", 1, 1), ("game.entries.appended", 2, 2))
    ]
    assert shown(two.api, made)["state"] == "working"
    assert deliveries(one.api, made) == deliveries(two.api, made)


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
    assert receiver.summaries() == [("game.opened", 1, 1)]
