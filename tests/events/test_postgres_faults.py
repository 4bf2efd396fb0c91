"""The server of the log in PostgreSQL is killed, or is away for good: what was acknowledged stays, and is fed once.

Servers of their own, as nobody else is to lose theirs. The short form runs always, the long ones with `make soak`.
"""

from __future__ import annotations

import os
import threading
import time
from contextlib import suppress
from pathlib import Path

import psycopg
import pytest

from events.errors import LogError, StaleVersionError
from events.postgres import PostgresLog, PostgresReader, prepare, verify
from tests import postgres as server
from tests.postgres import ALONE, Copy, Primary, base_backup, own_folder
from tests.waiting import until

pytestmark = pytest.mark.skipif(
    not Path("/proc/self/task").exists(), reason="the server's processes are found in /proc"
)

PATIENCE = 60


class Recorder(threading.Thread):
    """Appends to a game of its own through a log of its own, again and again until it is acknowledged."""

    def __init__(self, url: str, make) -> None:
        super().__init__()
        self.log, self.make, self.ended = PostgresLog(url), make, threading.Event()
        self.game = make.game(self.log)
        self.ids: list[str] = []
        self.start()

    def run(self) -> None:
        version = 1
        while not self.ended.is_set():
            move = self.make.move()
            while True:
                try:
                    appended = self.log.append(self.game, [move], expected=version, recorder="owner")
                except StaleVersionError:
                    raise
                except LogError:
                    time.sleep(0.05)
                    continue
                break
            version = appended.events[-1].version
            self.ids.append(move.id)

    def more(self, count: int = 20) -> None:
        """Wait until so many more were acknowledged."""
        wanted, deadline = len(self.ids) + count, time.monotonic() + PATIENCE
        while len(self.ids) < wanted:
            assert self.is_alive()
            assert time.monotonic() < deadline
            time.sleep(0.02)

    def end(self) -> None:
        self.ended.set()
        self.join(PATIENCE)
        self.log.close()


class Follower(threading.Thread):
    """Reads the feed from the last position seen, on and on."""

    def __init__(self, url: str) -> None:
        super().__init__()
        self.reader, self.ended = PostgresReader(url), threading.Event()
        self.position, self.seen = 0, []
        self.start()

    def run(self) -> None:
        while not (self.ended.is_set() and self._read(self.reader) == 0):
            self._read(self.reader)
            time.sleep(0.01)
        self.reader.close()

    def _read(self, reader: PostgresReader) -> int:
        count = 0
        with suppress(LogError):
            for position, event in reader.feed(self.position):
                assert position == self.position + 1
                self.position = position
                self.seen.append(event.id)
                count += 1
        return count


folder = pytest.fixture(own_folder)


def prove(url: str, recorders: list[Recorder], follower: Follower) -> None:
    for recorder in recorders:
        recorder.end()
    follower.ended.set()
    follower.join(PATIENCE)
    with PostgresReader(url) as reader:
        fed = [event for _, event in reader.feed()]
    ids = [event.id for event in fed]
    assert follower.seen == ids, "skipped, doubled, or in another order"
    assert len(ids) == len(set(ids))
    for recorder in recorders:
        assert [event.id for event in fed if event.game == recorder.game][1:] == recorder.ids
    assert verify(url).sound


LANES = pytest.mark.parametrize("lanes", [1, 4])


def killed_again_and_again(folder: Path, make, times: int, lanes: int, **more: str) -> None:
    primary = Primary(folder, **more)
    try:
        prepare(primary.url, server.ROLE, lanes)
        recorders = [Recorder(primary.url, make) for _ in range(3)]
        follower = Follower(primary.url)
        for _ in range(times):
            recorders[0].more()
            primary.kill()
            primary.start()
        recorders[0].more()
        prove(primary.url, recorders, follower)
    finally:
        primary.kill()


@pytest.mark.slow
def test_nothing_acknowledged_is_lost_when_the_server_is_killed(folder, make):
    """What was written survives the server's processes; that it survives the power is for the long form."""
    killed_again_and_again(folder, make, 1, 1, **server.FLEETING)


@LANES
@pytest.mark.soak
def test_nothing_acknowledged_is_lost_when_the_server_is_killed_thirty_times(folder, make, lanes):
    killed_again_and_again(folder, make, 30, lanes)


@pytest.mark.slow
def test_a_synchronous_standby_takes_over_the_lanes_and_their_order(folder, make):
    """Short, and without waiting for any disk: what was acknowledged and fed stands in the standby's memory."""
    taken_over(folder, make, 4, 20, **server.FLEETING)


@LANES
@pytest.mark.soak
def test_a_synchronous_standby_takes_over_with_all_that_was_acknowledged(folder, make, lanes):
    taken_over(folder, make, lanes, 300)


def taken_over(folder: Path, make, lanes: int, count: int, **more: str) -> None:
    """The URL names both; the writable one is asked. So many entries are recorded before, and after."""
    (folder / "one").mkdir()
    primary = Primary(folder / "one", **more)
    prepare(primary.url, server.ROLE, lanes)
    standby = Copy(primary, folder / "two")
    try:
        primary.need_a_standby()
        until(lambda: primary.do("select sync_state from pg_stat_replication") == "sync")
        hosts = f"{folder / 'one'},{folder / 'two'}"
        url = f"postgresql://{server.ROLE}@/kifu?host={hosts}&target_session_attrs=read-write"
        recorders = [Recorder(url, make) for _ in range(3)]
        follower = Follower(url)
        recorders[0].more(count)
        primary.kill()
        assert standby.do("select pg_promote()")
        recorders[0].more(count)
        prove(url, recorders, follower)
    finally:
        primary.kill()
        standby.kill()


@pytest.mark.soak
def test_a_base_backup_and_the_wal_give_the_log_back_as_it_was_at_a_moment(folder, make):
    """Point-in-time recovery: what was recorded after the moment is not there, all before it is, and it is sound."""
    archive = folder / "wal"
    archive.mkdir()
    user = server.server_user()
    if user is not None:
        os.chown(archive, user, user)
    command = f"cp %p {archive}/%f"
    (folder / "one").mkdir()
    primary = Primary(folder / "one", archive_mode="on", archive_command=command, wal_level="replica")
    restored = folder / "two"
    restored.mkdir()
    if user is not None:
        os.chown(restored, user, user)
    second = None
    try:
        with PostgresLog(primary.url) as log:
            game = make.game(log, 5)
            base_backup(folder / "one", restored / "data", "-X", "none")
            log.append(game, make.moves(5), expected=6, recorder="owner")
            with psycopg.connect(server.address(folder / "one"), autocommit=True) as connection:
                ((moment,),) = connection.execute("select pg_create_restore_point('noon')::text").fetchall()
                assert moment
                log.append(game, make.moves(5), expected=11, recorder="owner")
                ((segment,),) = connection.execute("select pg_walfile_name(pg_switch_wal())").fetchall()
            deadline = time.monotonic() + PATIENCE
            while not (archive / segment).exists():
                assert time.monotonic() < deadline
                time.sleep(0.05)
            before = [event for _, event in log.feed(0, 11)]
        (restored / "data" / "recovery.signal").touch()
        recovery = {
            "restore_command": f"cp {archive}/%f %p",
            "recovery_target_name": "noon",
            "recovery_target_action": "promote",
        }
        second = server.launch(restored, restored / "data", ALONE | recovery)
        url = f"postgresql://{server.ROLE}@/kifu?host={restored}"
        deadline = time.monotonic() + PATIENCE
        with psycopg.connect(server.address(restored), autocommit=True) as connection:
            while connection.execute("select pg_is_in_recovery()").fetchone() != (False,):
                assert time.monotonic() < deadline
                time.sleep(0.05)
        with PostgresLog(url) as log:
            assert [event for _, event in log.feed()] == before
            log.append(game, [make.move()], expected=11, recorder="owner")
        assert verify(url).sound
    finally:
        primary.kill()
        if second:
            server.kill(second)
