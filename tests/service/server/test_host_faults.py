"""Hosts over one database, and what happens between them: a network that is gone, strangers, wrong clocks, no room.

In every case, nothing acknowledged is lost or doubled, and no follower of the feed misses an entry. The short forms run
always, the long ones with `make soak`.
"""

from __future__ import annotations

import signal
import threading
import time
from contextlib import ExitStack, contextmanager, suppress
from typing import TYPE_CHECKING, Any

import httpx
import psycopg
import pytest
from uuid_utils import uuid7

from events.postgres import verify
from events.postgres.timely import ANSWER_TIMEOUT
from events.sqlite import LOG
from events.sqlite import verify as verify_file
from events.stores import read_log
from tests.plain_http import PLAIN
from tests.postgres import Copy, Narrow, Primary, UnavailableError, own_folder
from tests.service.fleet import fleet
from tests.service.wire import Wire
from tests.waiting import PATIENCE, until

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from tests.service.fleet import Host

    Start = Callable[..., list[Host]]

start = pytest.fixture(fleet)
folder = pytest.fixture(own_folder)

WAIT = 2.0
"""Seconds that a client waits for an answer before it asks again."""
PAUSE = 0.2
"""Seconds between two requests of a client: without them, processors are busy with more of the same."""
LOOK = 0.5
"""Seconds between two looks at the feed: a page has more that is new, and all of it is compared at the end."""


class Client(threading.Thread):
    """Somebody who asks a host again and again, until told to end."""

    def __init__(self, host: Host) -> None:
        super().__init__(daemon=True)
        self.host, self.ended = host, threading.Event()
        self.got: list[str] = []
        self._http = httpx.Client(base_url=host.http.base_url, headers=host.http.headers, timeout=WAIT, verify=PLAIN)
        self.start()

    def ask(self, method: str, path: str, **more: Any) -> httpx.Response | None:
        """An answer that is no refusal; None if there was none."""
        try:
            answer = self._http.request(method, path, **more)
        except httpx.HTTPError:
            return None
        assert answer.is_success or answer.status_code in {503, 507}, answer.text
        return answer if answer.is_success else None

    def more(self, count: int = 2) -> None:
        """Wait until it got so many more."""
        wanted = len(self.got) + count
        until(lambda: len(self.got) >= wanted or not self.is_alive())
        assert self.is_alive()

    def end(self, patience: float = PATIENCE) -> None:
        self.ended.set()
        self.join(patience)
        assert not self.is_alive()
        self._http.close()


class Recorder(Client):
    """Notes down in some games, one entry after the other, each until it is acknowledged."""

    def __init__(self, host: Host, *games: str) -> None:
        self.games = games
        super().__init__(host)

    def run(self) -> None:
        while not self.ended.is_set():
            id_, game = str(uuid7()), self.games[len(self.got) % len(self.games)]
            body = {"events": [{"id": id_, "type": "note.added", "data": {"text": "x" * 2000}}]}
            while not self.ask("POST", f"/v1/games/{game}/events", json=body):
                time.sleep(PAUSE)
            self.got.append(id_)
            time.sleep(PAUSE)


class Reader(Client):
    """Follows the feed to its end."""

    def run(self) -> None:
        after = ""
        while True:
            last = self.ended.is_set()
            page = self.ask("GET", f"/v1/feed?limit=100{after}")
            if page is None:
                time.sleep(PAUSE)
                continue
            items = page.json()["items"]
            self.got += [item["event"]["id"] for item in items]
            after = f"&after={page.json()['next']}"
            if last and not items:
                return
            if not last:
                self.ended.wait(LOOK)


class Follower(Client):
    """Looks at a game all the time, which is refused."""

    def __init__(self, host: Host, game: str) -> None:
        self.game = game
        super().__init__(host)

    def run(self) -> None:
        while not self.ended.is_set():
            with suppress(httpx.HTTPError):
                answer = self._http.get(f"/v1/games/{self.game}/state")
                self.got += [answer.json()["type"]] if answer.status_code == 503 else []
            time.sleep(PAUSE)


@contextmanager
def at_work(database: str, *hosts: Host) -> Iterator[list[Recorder]]:
    """Have all hosts recorded on, in the same games and in games of their own, and followed; then prove the record.

    Without a `database` the log is in the folder of the first.
    """
    shared = hosts[0].open()
    recorders = [Recorder(host, shared, host.open()) for host in hosts]
    readers = [Reader(host) for host in hosts]
    for client in (*recorders, *readers):
        client.more()
    yield recorders
    for client in (*recorders, *readers):
        client.end()
    with read_log(hosts[0].folder, database) as reader:
        fed = [event.id for _, event in reader.feed()]
    assert len(fed) == len(set(fed))
    for recorder in recorders:
        assert set(recorder.got) <= set(fed), "an acknowledged entry is lost"
    for client in readers:
        assert client.got == fed, "skipped, doubled, or in another order"
    assert (verify(database) if database else verify_file(hosts[0].folder / LOG)).sound


def refused(host: Host, game: str) -> str | None:
    """With what a host refuses to note something down; None if it does not. In a game of others one waits for them."""
    answer = host.note(game, "once more" * 300)
    return None if answer.is_success else str(answer.json()["type"])


def cut_off(start: Start, database: str, times: int) -> None:
    with Wire(database) as wire:
        (one,), (two,) = start(hosts=1, KIFU_DATABASE_URL=wire.url), start(hosts=1)
        with at_work(database, one, two) as recorders:
            game = recorders[0].games[0]
            for _ in range(times):
                wire.go_silent()
                recorders[1].more()  # also if the other one held the lane
                wire.give_up()
                answer = one.http.get(f"/v1/games/{game}/state")
                assert (answer.status_code, answer.json()["type"]) == (503, "/problems/log-unreachable"), answer.text
                assert two.state(game)["version"] > 1
                wire.mend()
                for recorder in recorders:
                    recorder.more()


def test_a_host_that_the_network_cuts_off_comes_back_and_the_others_go_on_meanwhile(
    start: Start, database: str
) -> None:
    cut_off(start, database, 1)


@pytest.mark.soak
def test_a_host_that_the_network_cuts_off_ten_times_comes_back(start: Start, database: str) -> None:
    cut_off(start, database, 10)


@contextmanager
def stranger(database: str, *statements: str) -> Iterator[None]:
    """Somebody who began a transaction and went for a coffee."""
    with psycopg.connect(database.replace("kifu@", "postgres@", 1)) as connection:
        for statement in statements:
            connection.execute(statement)
        yield
        connection.rollback()


HARMLESS = (
    "set transaction isolation level repeatable read",
    "select pg_current_xact_id()",
    "select count(*) from kifu.event",
    "select * from kifu.game limit 1 for key share",
)


def visited(start: Start, database: str, times: int) -> None:
    one, two = start(hosts=2)
    with at_work(database, one, two) as recorders:
        game, shared = two.open(), recorders[0].games[0]
        for _ in range(times):
            with stranger(database, *HARMLESS):
                for recorder in recorders:
                    recorder.more()
            with stranger(database, "select * from kifu.lane for update"):
                assert until(lambda: refused(two, game)) == "/problems/log-unreachable"
                assert one.state(shared)["version"] > 1
            for recorder in recorders:
                recorder.more()


def test_a_strangers_idle_transaction_holds_nobody_up_or_is_named_and_harms_nothing(
    start: Start, database: str
) -> None:
    """The feed goes on, with any reader. If the reader holds the lane, appends are refused in time, and reads go on."""
    visited(start, database, 1)


@pytest.mark.soak
def test_strangers_idle_transactions_harm_nothing_ten_times(start: Start, database: str) -> None:
    visited(start, database, 10)


def test_hosts_with_clocks_hours_apart_keep_one_order(start: Start, database: str) -> None:
    """The order is that of the commits. The times of a game never go back, on any host."""
    words = ("service.server.web", "tests.service.skewed:create_app")
    (one,), (two,) = (start(hosts=1, words=words, KIFU_TEST_SKEW=skew) for skew in ("7200", "-7200"))
    with at_work(database, one, two) as recorders:
        for recorder in recorders * 2:
            recorder.more()
        made = one.http.post("/v1/tokens", json={"name": "phone", "role": "viewer"}).raise_for_status().json()["token"]
        assert two.http.get("/v1/token", headers={"Authorization": f"Bearer {made}"}).status_code == 200
    with read_log(one.folder, database) as reader:
        fed = [event for _, event in reader.feed()]
    own = [[event.recorded_at for event in fed if event.game == recorder.games[1]] for recorder in recorders]
    assert own[0][0] - own[1][-1] > 3_600_000, "the clocks do differ"
    times = [event.recorded_at for event in fed if event.game == recorders[0].games[0]]
    assert times == sorted(times)
    assert [event.version for event in fed if event.game == recorders[0].games[0]] == [*range(1, len(times) + 1)]


def filled_up(start: Start, folder: Path, times: int) -> None:
    with ExitStack() as stack:
        try:
            primary = Narrow(folder, size=64 << 20)
        except UnavailableError as error:
            pytest.skip(str(error))
        stack.callback(primary.kill)
        hosts = start(hosts=2, KIFU_DATABASE_URL=primary.url)
        with at_work(primary.url, *hosts) as recorders:
            game, shared = hosts[0].open(), recorders[0].games[0]
            for _ in range(times):
                primary.fill()
                assert until(lambda: refused(hosts[0], game)) == "/problems/storage-full"
                for host in hosts:
                    assert host.state(shared)["version"] > 1
                primary.make_room()
                for recorder in recorders:
                    recorder.more()


def test_a_full_disk_of_the_database_is_said_reads_go_on_and_so_do_appends_when_there_is_room(
    start: Start, folder: Path
) -> None:
    filled_up(start, folder, 1)


@pytest.mark.soak
def test_a_full_disk_of_the_database_costs_nothing_ten_times(start: Start, folder: Path) -> None:
    filled_up(start, folder, 10)


@pytest.fixture
def pair(folder: Path) -> Iterator[tuple[Primary, Copy]]:
    """A database that acknowledges nothing which its standby does not have."""
    (folder / "one").mkdir()
    with ExitStack() as stack:
        try:
            primary = Primary(folder / "one")
        except UnavailableError as error:
            pytest.skip(str(error))
        stack.callback(primary.kill)
        copy = Copy(primary, folder / "two")
        stack.callback(copy.kill)
        primary.need_a_standby()
        yield primary, copy


CROWD = 6
"""Recorders at a time: more than a service has threads, so that each that waits is in somebody's way."""


def test_without_the_standby_writers_are_told_in_time_and_readers_are_answered(
    pair: tuple[Primary, Copy], start: Start
) -> None:
    """A commit waits for it without end: nobody else may, nor those who wait take the places of those who read."""
    primary, copy = pair
    (host,) = start(hosts=1, KIFU_DATABASE_URL=primary.url, KIFU_THREADS="4")
    with at_work(primary.url, host) as recorders:
        game = recorders[0].games[0]
        crowd = [Recorder(host, host.open()) for _ in range(CROWD)]
        for recorder in crowd:
            recorder.more(1)
        copy.kill()
        until(lambda: refused(host, game) == "/problems/log-unreachable")
        read = [host.http.get(f"/v1/games/{game}").raise_for_status().elapsed.total_seconds() for _ in range(20)]
        assert max(read) < ANSWER_TIMEOUT
        assert host.http.get("/v1/health").json()["status"] == "unwritable"
        copy.start()
        for recorder in (*recorders, *crowd):
            recorder.more(2)
        for recorder in crowd:
            recorder.end()


def test_a_database_that_stands_still_is_waited_for_no_longer_than_said(
    pair: tuple[Primary, Copy], start: Start
) -> None:
    primary, _ = pair
    (host,) = start(hosts=1, KIFU_DATABASE_URL=primary.url)
    with at_work(primary.url, host) as recorders:
        game = host.open()
        primary.signal(signal.SIGSTOP)
        began = time.monotonic()
        assert refused(host, game) == "/problems/log-unreachable"
        assert time.monotonic() - began < 2 * ANSWER_TIMEOUT
        primary.signal(signal.SIGCONT)
        recorders[0].more()


def test_who_asks_a_database_that_stands_still_holds_up_nobody_who_asks_for_something_else(
    pair: tuple[Primary, Copy], start: Start
) -> None:
    primary, _ = pair
    (host,) = start(hosts=1, KIFU_DATABASE_URL=primary.url, KIFU_THREADS="4")
    with at_work(primary.url, host) as recorders, ExitStack() as stack:
        game = recorders[0].games[0]
        primary.signal(signal.SIGSTOP)
        stack.callback(primary.signal, signal.SIGCONT)
        for crowd in [Follower(host, game) for _ in range(CROWD)]:
            stack.callback(crowd.end)
            until(lambda own=crowd: own.got)
        for _ in range(10):
            answer = host.http.get("/v1/rulesets").raise_for_status()
            assert answer.elapsed.total_seconds() < ANSWER_TIMEOUT
            answer = host.http.get("/v1/health")
            assert answer.json()["type"] == "/problems/log-unreachable"
            assert answer.elapsed.total_seconds() < ANSWER_TIMEOUT
        primary.signal(signal.SIGCONT)
        recorders[0].more()
