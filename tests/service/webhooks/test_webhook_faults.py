"""Webhooks when things go wrong: receivers that fail in every way, and a deliverer that is killed at every step."""

from __future__ import annotations

import os
import random
import signal
import socket
import subprocess
import sys
import threading
import time
from contextlib import closing, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from service.access.chain import Mark
from service.access.heads import HeadFile
from service.access.store import AccessStoppedError
from service.app import create_app
from service.settings import Settings
from service.webhooks.deliverer import POINTS
from service.webhooks.deliveries import CURSOR, WEBHOOKS
from service.webhooks.schedule import DELAYS, next_delay
from service.webhooks.sending import Outcome, Sender
from tests import warm
from tests.choosing import soak_except
from tests.ports import free_port
from tests.service.conftest import UNLIMITED, Api
from tests.service.receiver import Courier, Receiver, status
from tests.service.webhooks.test_webhooks import deliveries, go, make, note, shown
from tests.waiting import PATIENCE, until

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from http.server import BaseHTTPRequestHandler

    from service.app import Application
    from tests.service.receiver import Posted

ROOT = Path(__file__).parents[3]
QUICK = 0.3
"""Seconds that a receiver has which hangs."""
HANGING = {"it hangs", "it takes its time, byte by byte"}


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(data=tmp_path / "data", webhook_private=True, **UNLIMITED)


@pytest.fixture
def app(settings: Settings) -> Iterator[Application]:
    made = create_app(settings)
    yield made
    made.close()


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    found = Receiver()
    yield found
    found.close()


@pytest.fixture
def sender() -> Sender:
    return Sender(private=True, timeout=PATIENCE)


@pytest.fixture
def courier(app: Application, settings: Settings, sender: Sender) -> Iterator[Courier]:
    made = Courier(settings, sender)
    yield made
    made.close()


def hang(_handler: BaseHTTPRequestHandler, _: Posted) -> None:
    time.sleep(3 * QUICK)


def hang_up(handler: BaseHTTPRequestHandler, _: Posted) -> None:
    handler.connection.shutdown(socket.SHUT_RDWR)
    handler.close_connection = True


def babble(handler: BaseHTTPRequestHandler, _: Posted) -> None:
    handler.wfile.write(b"I am no web server\r\n\r\n" * 10)
    handler.close_connection = True


def drip(handler: BaseHTTPRequestHandler, _: Posted) -> None:
    handler.wfile.write(b"HTTP/1.1 ")
    for _ in range(int(10 * QUICK / 0.05)):
        handler.wfile.write(b"2")
        handler.wfile.flush()
        time.sleep(0.05)


def flood_of_headers(handler: BaseHTTPRequestHandler, _: Posted) -> None:
    handler.wfile.write(b"HTTP/1.1 200 OK\r\n")
    with suppress(OSError):
        for _ in range(100_000):
            handler.wfile.write(b"X-More: and more\r\n")


FAILURES: dict[str, Callable[[BaseHTTPRequestHandler, Posted], None]] = {
    "500": status(500),
    "400": status(400),
    "404": status(404),
    "a redirect": status(302, Location="/elsewhere"),
    "a permanent redirect": status(308, Location="/elsewhere"),
    "it asks to wait until a year that no clock has": status(500, **{"Retry-After": f"Fri, 1 May {9**20} 23:59 GMT"}),
    "it hangs": hang,
    "it hangs up": hang_up,
    "it is no web server": babble,
    "it takes its time, byte by byte": drip,
    "it floods with headers": flood_of_headers,
}


@pytest.mark.parametrize("failure", FAILURES)
def test_a_message_that_fails_is_sent_again_with_its_id_until_it_arrives(
    api: Api, receiver: Receiver, courier: Courier, sender: Sender, failure: str
) -> None:
    made = make(api, receiver)
    api.open()
    receiver.answer = FAILURES[failure]
    sender.timeout = QUICK if failure in HANGING else PATIENCE
    go(api, courier, 1)
    sender.timeout = PATIENCE
    (found,) = deliveries(api, made)
    assert (found["state"], len(found["attempts"])) == ("waiting", 1)
    (attempt,) = found["attempts"]
    assert attempt["error"] or attempt["status"] not in range(200, 300)
    courier.go(3)
    assert len(receiver.arrived) <= 1, "not before its time"
    receiver.answer = status(204)
    courier.go(3)
    *before, last = receiver.arrived
    assert last.id == found["webhook_id"]
    if failure not in HANGING or before:  # on a busy machine so short a time can be over before anything is sent
        assert (before[0].id, before[0].body) == (last.id, last.body)
        assert 5 <= int(last.headers["webhook-timestamp"]) - int(before[0].headers["webhook-timestamp"]) <= 7
    assert deliveries(api, made)[0]["state"] == "delivered"
    courier.go(100_000)
    assert receiver.arrived[-1] is last


def test_nobody_listens_and_then_somebody_does(api: Api, receiver: Receiver, courier: Courier) -> None:
    made = make(api, receiver, url=f"http://127.0.0.1:{free_port()}/hook")
    api.open()
    go(api, courier)
    assert deliveries(api, made)[0]["attempts"][0]["error"].startswith("no connection")
    api.request("PATCH", f"/v1/webhooks/{made['info']['id']}", json={"url": receiver.url})
    courier.go(10)
    assert receiver.summaries() == [("game.opened", 1, 1)]


def test_a_receiver_that_fails_for_three_days_is_disabled_and_told_all_when_it_is_enabled(
    api: Api, receiver: Receiver, courier: Courier
) -> None:
    made = make(api, receiver)
    game = api.open()
    receiver.answer = status(500)
    api.catch_up()
    courier.go(1)
    began = courier.clock.now
    for delay in DELAYS[1:]:
        courier.go(delay + 1)
    assert len(receiver.arrived) == len(DELAYS) == 10
    assert 3 * 86_400 <= (courier.clock.now - began) / 1000 < 3.3 * 86_400
    found = shown(api, made)
    counted = api.get("/metrics").text
    assert "\nkifu_webhooks_disabled 1.0\n" in counted
    assert "\nkifu_webhook_messages_waiting 1.0\n" in counted
    assert (found["state"], found["why"]) == ("disabled", "nothing arrived for three days; at last: it answered 500")
    health = api.get("/v1/health").get_json()["webhooks"]
    assert health["disabled"] == {made["info"]["id"]: found["why"]}
    receiver.answer = status(204)
    note(api, game)
    other = api.open()
    go(api, courier, 1_000_000)
    assert len(receiver.arrived) == 10
    assert api.request("PATCH", f"/v1/webhooks/{made['info']['id']}", json={"enabled": True}).status_code == 200
    go(api, courier)
    assert {(posted.json["data"]["game"], *posted.summary()) for posted in receiver.arrived[10:]} == {
        (game, "game.opened", 1, 1),
        (game, "game.entries.appended", 2, 2),
        (other, "game.opened", 1, 1),
    }
    assert shown(api, made)["state"] == "working"


def test_a_message_that_alone_fails_is_given_up_and_the_others_go_on(
    api: Api, receiver: Receiver, courier: Courier
) -> None:
    made = make(api, receiver)
    bad = api.open()

    def answer(handler: BaseHTTPRequestHandler, posted: Posted) -> None:
        status(500 if posted.summary() == ("game.opened", 1, 1) and posted.json["data"]["game"] == bad else 204)(
            handler, posted
        )

    receiver.answer = answer
    api.catch_up()
    courier.go(1)
    note(api, bad)
    api.open()
    api.catch_up()
    for delay in DELAYS[1:]:
        courier.go(delay + 1)
    courier.go()
    states = {each["state"] for each in deliveries(api, made, "?state=failed")}
    assert states == {"failed"}
    found = shown(api, made)
    assert (found["state"], found["failed"], found["waiting"]) == ("working", 1, 0)
    assert (bad, 2) in {(posted.json["data"]["game"], posted.json["data"]["to"]) for posted in receiver.arrived}


def test_while_a_message_is_tried_again_those_of_its_game_wait_and_become_one(
    api: Api, receiver: Receiver, courier: Courier
) -> None:
    make(api, receiver)
    game = api.open()
    receiver.answer = status(500)
    go(api, courier, 1)
    receiver.answer = status(204)
    for _ in range(20):
        note(api, game)
        api.catch_up()
        courier.go(0.1)
    assert len(receiver.arrived) == 1
    courier.go(10)
    assert receiver.summaries()[1:] == [("game.opened", 1, 1), ("game.entries.appended", 2, 21)]


def test_a_receiver_that_is_gone_is_disabled_at_once(api: Api, receiver: Receiver, courier: Courier) -> None:
    made = make(api, receiver)
    api.open()
    receiver.answer = status(410)
    go(api, courier)
    assert (shown(api, made)["state"], shown(api, made)["waiting"]) == ("disabled", 1)
    assert "410" in shown(api, made)["why"]


@pytest.mark.parametrize(
    ("code", "header", "pause"), [(429, "90", 90), (503, "30", 30), (502, None, 60), (429, "soon", 60)]
)
def test_a_receiver_that_has_too_much_to_do_is_left_alone(
    api: Api, receiver: Receiver, courier: Courier, code: int, header: str | None, pause: int
) -> None:
    make(api, receiver)
    api.open()
    receiver.answer = status(code, **({"Retry_After": header} if header else {}))
    go(api, courier, 1)
    receiver.answer = status(204)
    api.open()
    api.catch_up()
    courier.go(pause - 2)
    assert len(receiver.arrived) == 1
    courier.go(4)
    assert len(receiver.arrived) == 3


def test_the_schedule_is_kept_within_a_tenth() -> None:
    failed = Outcome(status=500)
    for attempts, delay in enumerate(DELAYS[1:], 1):
        assert next_delay(attempts, failed, lambda: 0.0) == round(900 * delay)
        assert next_delay(attempts, failed, lambda: 1.0) == round(1100 * delay)
    assert next_delay(len(DELAYS), failed, lambda: 0.5) is None
    assert next_delay(1, Outcome(status=429, wait=700), lambda: 0.5) == 700_000


@pytest.mark.slow
def test_a_slow_receiver_holds_up_no_other(api: Api, receiver: Receiver, app: Application, settings: Settings) -> None:
    """The other one is told while the slow one has not answered yet."""
    slow, result = Receiver(), threading.Event()

    def answer(handler: BaseHTTPRequestHandler, posted: Posted) -> None:
        result.wait(PATIENCE)
        status(204)(handler, posted)

    slow.answer = answer
    make(api, slow)
    make(api, receiver)
    games = [api.open() for _ in range(8)]
    api.catch_up()

    def watch() -> None:
        receiver.wait(len(games))
        result.set()

    threading.Thread(target=watch, daemon=True).start()
    courier = Courier(settings)
    try:
        courier.go()
        assert result.is_set()
        assert len(slow.arrived) == len(receiver.arrived) == len(games)
    finally:
        courier.close()
        slow.close()


def test_an_endpoint_that_is_removed_while_a_message_is_on_its_way_is_told_no_more(
    api: Api, receiver: Receiver, courier: Courier
) -> None:
    made = make(api, receiver)
    game = api.open()

    def answer(handler: BaseHTTPRequestHandler, posted: Posted) -> None:
        api.request("DELETE", f"/v1/webhooks/{made['info']['id']}")
        status(500)(handler, posted)

    receiver.answer = answer
    go(api, courier)
    note(api, game)
    go(api, courier, 1000)
    assert len(receiver.arrived) == 1
    assert api.get("/v1/webhooks").get_json() == {"webhooks": []}


def test_deliveries_that_are_lost_are_made_again_with_the_ids_that_they_had(
    api: Api, receiver: Receiver, courier: Courier, settings: Settings
) -> None:
    make(api, receiver)
    api.open()
    api.open()
    go(api, courier)
    courier.deliverer.close()
    for rest in ("", "-wal", "-shm"):
        (settings.data / f"{WEBHOOKS.file}{rest}").unlink(missing_ok=True)
    courier.restart()
    courier.go()
    assert len(receiver.arrived) == 4
    assert len({posted.id for posted in receiver.arrived}) == 2


def test_damaged_deliveries_are_set_aside_and_made_again(
    api: Api, receiver: Receiver, courier: Courier, settings: Settings
) -> None:
    make(api, receiver)
    api.open()
    go(api, courier)
    courier.deliverer.close()
    path = settings.data / WEBHOOKS.file
    content = bytearray(path.read_bytes())
    content[4096 : len(content)] = b"\xff" * (len(content) - 4096)
    path.write_bytes(content)
    courier.restart()
    courier.go()
    assert (settings.data / WEBHOOKS.aside_name).exists()
    assert len(receiver.arrived) == 2
    assert len({posted.id for posted in receiver.arrived}) == 1


def tell(courier: Courier, **cursor: Any) -> None:
    """Change the cursors of all endpoints."""
    courier.deliverer._deliveries.db.run(lambda db: CURSOR.change(db, cursor, "true"))


def test_a_log_that_was_put_back_from_a_backup_is_told_again(
    api: Api, receiver: Receiver, courier: Courier, settings: Settings
) -> None:
    """Its positions mean other entries now; the hash at the cursor tells."""
    made = make(api, receiver)
    api.open()
    go(api, courier)
    tell(courier, hash="0" * 64)
    courier.restart()
    courier.go()
    assert len(receiver.arrived) == 2
    assert receiver.arrived[0].id == receiver.arrived[1].id
    tell(courier, position=1000)
    courier.restart()
    game = api.open()
    go(api, courier)
    assert game in {posted.json["data"]["game"] for posted in receiver.arrived}
    assert shown(api, made)["waiting"] == 0


def test_what_an_endpoint_cannot_take_waits_in_the_log(
    api: Api, receiver: Receiver, courier: Courier, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("service.webhooks.deliverer.WINDOW", 3)
    monkeypatch.setattr("service.webhooks.deliverer.BATCH", 1)
    made = make(api, receiver)
    receiver.answer = status(500)
    games = [api.open() for _ in range(10)]
    api.catch_up()
    courier.go(1)
    assert shown(api, made)["waiting"] == 3
    other = Receiver()
    make(api, other, filter={"games": games[9:]})
    api.post(f"/v1/webhooks/{api.get('/v1/webhooks').get_json()['webhooks'][1]['id']}/replay", {"after": 0})
    courier.go(1)
    assert [posted.json["data"]["game"] for posted in other.arrived] == games[9:]
    receiver.answer = status(204)
    for _ in range(12):
        courier.go(60)
    assert {posted.json["data"]["game"] for posted in receiver.arrived} == set(games)
    other.close()


@pytest.mark.parametrize("seed", [*range(3), *(pytest.param(seed, marks=pytest.mark.soak) for seed in range(3, 60))])
@pytest.mark.slow
def test_after_any_fault_one_message_tells_every_entry_in_the_order_of_its_game(
    api: Api, receiver: Receiver, courier: Courier, seed: int
) -> None:
    chance = random.Random(seed)
    make(api, receiver)
    games = [api.open() for _ in range(3)]
    took: list[Posted] = []

    def answer(handler: BaseHTTPRequestHandler, posted: Posted) -> None:
        code = chance.choice([204, 204, 500, 429, 301, 0])
        if 200 <= code < 300 or code == 0:
            took.append(posted)  # at 0 it was taken, too, but nobody is told
        (status(code) if code else hang_up)(handler, posted)

    receiver.answer = answer
    counts = dict.fromkeys(games, 1)
    for _ in range(25):
        match chance.choice(["record", "record", "go", "restart"]):
            case "record":
                game, count = chance.choice(games), chance.randint(1, 3)
                note(api, game, count)
                counts[game] += count
            case "go":
                go(api, courier, chance.choice([0.1, 1, 10]))
            case _:
                courier.restart()
    receiver.answer = lambda handler, posted: (took.append(posted), status(204)(handler, posted))[1]
    for _ in range(6):
        go(api, courier, 100_000)
    once = list({posted.id: posted.json["data"] for posted in took}.values())
    for game in games:
        found = [(data["from"], data["to"]) for data in once if data["game"] == game]
        assert [version for first, last in found for version in range(first, last + 1)] == [*range(1, counts[game] + 1)]


# A process of its own


class Deliverer:
    """A real deliverer over a data folder, that can be killed and started again."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.process: subprocess.Popen[bytes] | None = None

    def start(self, **environment: str) -> Deliverer:
        values = {"KIFU_DATA": str(self.folder), "KIFU_WEBHOOK_PRIVATE": "1", "KIFU_QUIET": "0.05"}
        self.process = warm.Popen(
            [sys.executable, "-m", "service.webhooks.deliverer"],
            env=os.environ | values | environment,
            cwd=ROOT,
            stderr=subprocess.PIPE,
        )
        return self

    def kill(self) -> None:
        if self.process:
            self.process.kill()
            self.process.wait()
            if self.process.stderr:
                self.process.stderr.close()
            self.process = None

    def wait_for_death(self) -> int:
        assert self.process is not None
        return self.process.wait(PATIENCE)


@pytest.fixture
def deliverer(app: Application, settings: Settings) -> Iterator[Deliverer]:
    found = Deliverer(settings.data)
    yield found
    found.kill()


@pytest.mark.parametrize("point", soak_except([*POINTS, *(f"{point}:2" for point in POINTS[1:])], *POINTS))
@pytest.mark.programs
def test_a_kill_at_any_point_loses_nothing_and_ids_make_it_once(
    api: Api, receiver: Receiver, deliverer: Deliverer, point: str
) -> None:
    made = make(api, receiver)
    games = [api.open(), api.open()]
    for game in games:
        note(api, game, 2)
    api.catch_up()
    deliverer.start(KIFU_FAILPOINT=point)
    assert deliverer.wait_for_death() == -signal.SIGKILL
    deliverer.kill()
    deliverer.start()
    until(lambda: complete(distinct_messages(receiver), games))
    until(lambda: shown(api, made)["waiting"] == 0)
    bodies: dict[str, set[bytes]] = {}
    for posted in receiver.arrived:
        bodies.setdefault(posted.id, set()).add(posted.body)
    assert all(len(found) == 1 for found in bodies.values()), "what has one id is one message"
    repeated = len(receiver.arrived) - len(bodies)
    assert repeated <= 2, "those that were on their way"
    assert complete(distinct_messages(receiver), games)


def distinct_messages(receiver: Receiver) -> list[tuple[str, int, int]]:
    """The game and the entries of each message, as one who knows messages by their ids takes them in."""
    found = {posted.id: posted.json["data"] for posted in list(receiver.arrived)}
    return [(data["game"], data["from"], data["to"]) for data in found.values()]


def complete(told: list[tuple[str, int, int]], games: list[str], last: int = 3) -> bool:
    """Whether every entry was told, each by one message."""
    versions = {game: sorted(v for g, a, b in told if g == game for v in range(a, b + 1)) for game in games}
    return all(found == list(range(1, last + 1)) for found in versions.values())


@pytest.mark.programs
def test_kills_at_random_lose_nothing(api: Api, receiver: Receiver, deliverer: Deliverer) -> None:
    make(api, receiver)
    game = api.open()
    for number in range(5):
        deliverer.start()
        note(api, game)
        receiver.wait(1)
        time.sleep(0.03 * number)
        deliverer.kill()
    api.catch_up()
    deliverer.start()
    until(lambda: complete(distinct_messages(receiver), [game], last=6))


@pytest.mark.programs
def test_that_private_networks_are_open_is_said_loudly(deliverer: Deliverer, api: Api) -> None:
    deliverer.start()
    assert deliverer.process is not None
    assert deliverer.process.stderr is not None
    assert b"PRIVATE NETWORKS" in deliverer.process.stderr.readline()
    assert api.get("/v1/health").get_json()["webhooks"]["private_networks"] is True


def test_nothing_is_told_and_nothing_lost_while_access_is_stopped(
    settings: Settings, app: Application, receiver: Receiver
) -> None:
    api = Api(app)
    make(api, receiver)
    head = HeadFile(settings.data)
    known = head.read()
    assert known is not None
    head.put(Mark(known.number + 9, bytes(32)))
    game = api.play()
    api.catch_up()
    with closing(Courier(settings)) as courier:
        with pytest.raises(AccessStoppedError):
            go(api, courier)
        assert receiver.arrived == []
        head.path.unlink()
        head.put(known)
        go(api, courier)
    assert game in str([posted.json for posted in receiver.arrived])
