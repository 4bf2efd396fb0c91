from __future__ import annotations

import threading
import time
from collections import defaultdict

import pytest

from events import grouping
from events.errors import LogError, LogUnwritableError
from events.requests import Append
from events.sqlite import SqliteLog, SqliteReader, database, writer
from tests.events.stores import ON_SQLITE
from tests.waiting import until


def wal_size(log: SqliteLog) -> int:
    return log.path.with_name(log.path.name + "-wal").stat().st_size


def test_requests_that_come_together_share_a_commit(log, make, monkeypatch):
    groups = defaultdict(list)  # of each kind of writer: one may hand them on to another
    commit = grouping.GroupWriter._commit

    def slowly(self, group):
        groups[type(self)].append(len(group))
        time.sleep(0.005)  # as a disk takes: in memory, one is done before the next one comes
        commit(self, group)

    monkeypatch.setattr(grouping.GroupWriter, "_commit", slowly)
    games = [make.game(log) for _ in range(16)]
    groups.clear()

    def write(game: str) -> None:
        for version, move in enumerate(make.moves(30), 1):
            log.append(game, [move], expected=version, recorder="owner")

    threads = [threading.Thread(target=write, args=(game,)) for game in games]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for sizes in groups.values():
        assert sum(sizes) == 480
        assert len(sizes) < 400
        assert max(sizes) > 1


@ON_SQLITE
def test_a_commit_waits_for_more_requests_as_long_as_some_come(log, make, monkeypatch):
    games, threads, groups = [make.game(log) for _ in range(4)], [], []
    group_writer = log._writer
    commit = grouping.GroupWriter._commit

    def counted(self, group):
        if self is group_writer:
            groups.append(len(group))
        commit(self, group)

    def write(game: str) -> None:
        log.append(game, [make.move()], expected=1, recorder="owner")

    def rest(_: float) -> None:
        """Two more requests come, one in each rest, and none in the third."""
        if len(threads) < 3:
            waiting = group_writer._queue.qsize()
            threads.append(threading.Thread(target=write, args=[games[len(threads)]]))
            threads[-1].start()
            until(lambda: group_writer._queue.qsize() > waiting)
        else:
            rested.append(True)

    rested = []
    monkeypatch.setattr(grouping.GroupWriter, "_commit", counted)
    monkeypatch.setattr(grouping, "sleep", rest)
    log.share_commits(8)
    group_writer._quiet, group_writer._shared = False, 9  # as while others write
    write(games[3])
    for thread in threads:
        thread.join()
    assert (groups, rested) == ([4], [True])
    group_writer._quiet, group_writer._shared = False, 1
    log.append(games[3], [make.move()], expected=2, recorder="owner")
    assert (groups, rested) == ([4, 1], [True]), "nobody else has come lately: it waits for nobody"


@ON_SQLITE
@pytest.mark.parametrize("ending", ["", "-wal", ".heads"])
@pytest.mark.parametrize("replaced", [False, True])
def test_nothing_is_stored_in_a_file_that_was_taken_away(log, make, ending, replaced):
    """SQLite goes on writing into it, and with the process all of that would be gone."""
    game = make.game(log)
    file = log.path.with_name(log.path.name + ending)
    moved = file.with_name("elsewhere")
    file.rename(moved)
    if replaced:
        file.write_bytes(moved.read_bytes())
    for change in (
        lambda: log.append(game, [make.move()], expected=1, recorder="owner"),
        lambda: log.people.put("0199d2f3-6a00-7000-8000-0000000000ff", "Anna"),
    ):
        with pytest.raises(LogUnwritableError, match=f"{file.name} was removed"):
            change()
    assert file.name in log.unwritable
    assert log.head(game).version == 1, "what is open is still read"
    moved.rename(file)
    assert log.append(game, [make.move()], expected=1, recorder="owner").events[-1].version == 2
    assert not log.unwritable


def test_a_busy_writer_does_not_starve_the_others(log, make):
    busy, calm = make.game(log), make.game(log)
    done = threading.Event()

    def hammer() -> None:
        version = 1
        while not done.is_set():
            version = log.append(busy, [make.move()], expected=version, recorder="owner").events[-1].version

    thread = threading.Thread(target=hammer)
    thread.start()
    until(lambda: log.head(busy).version > 1)
    waits = []
    for version, move in enumerate(make.moves(50), 1):
        began = time.monotonic()
        log.append(calm, [move], expected=version, recorder="owner")
        waits.append(time.monotonic() - began)
    done.set()
    thread.join()
    assert max(waits) < 20, "seconds on a busy machine: one who is kept from it waits for ever"


@ON_SQLITE
def test_an_idle_log_is_written_back_into_the_database(store, path, make, copy_log, monkeypatch):
    monkeypatch.setattr(grouping, "IDLE_SECONDS", 0.05)
    with store.log(path) as log:
        game = make.game(log, 20)
        assert any(is_whole_without_its_wal(copy_log(f"idle-{attempt}"), game) for attempt in range(100))


def is_whole_without_its_wal(copy, game):
    copy.with_name(copy.name + "-wal").unlink()
    try:
        with SqliteReader(copy) as other:
            return len(list(other.read(game))) == 21
    except LogError:
        time.sleep(0.1)
        return False


@ON_SQLITE
def test_the_write_ahead_log_stays_short_while_much_is_written(store, path, make, monkeypatch):
    monkeypatch.setattr(writer, "WAL_LIMIT", 100)
    with store.log(path) as log:
        game = make.game(log)
        for version in range(1, 600):
            log.append(game, [make.move()], expected=version, recorder="owner")
        assert 0 < wal_size(log) < 600_000
    assert store.verify(path).sound


@ON_SQLITE
def test_the_write_ahead_log_of_one_writer_is_written_back_earlier(store, path, make, monkeypatch):
    monkeypatch.setattr(writer, "WAL_LIMIT", 800)
    sizes = []
    with store.log(path) as log:
        game = make.game(log)
        for version in range(1, 600):
            log.append(game, [make.move()], expected=version, recorder="owner")
            sizes.append(wal_size(log))
        assert max(sizes) < 800 * 1024 / 2
    assert store.verify(path).sound


@ON_SQLITE
def test_the_write_ahead_log_stays_short_while_a_log_is_copied(store, path, make, monkeypatch):
    monkeypatch.setattr(writer, "WAL_LIMIT", 100)
    with store.log(path) as log, store.log(path.with_name("copy.db")) as copy:
        game = make.game(log)
        log.append(game, [make.move() for _ in range(300)], expected=1, recorder="owner")
        for event in log.read(game):
            copy.copy([[event]])
        assert 0 < wal_size(copy) < 600_000
        assert copy.head(game) == log.head(game)


@ON_SQLITE
def test_a_long_read_holds_up_no_append_and_its_log_is_shortened_afterwards(store, path, make, monkeypatch):
    monkeypatch.setattr(writer, "WAL_LIMIT", 100)
    monkeypatch.setattr(database, "BUSY_TIMEOUT", 50_000)
    monkeypatch.setattr(writer, "BUSY_TIMEOUT", 50_000)
    with store.log(path) as log, store.reader(path) as reader, reader._pool.connection() as connection:
        game = make.game(log)
        connection.execute("begin")
        connection.execute("select count(*) from event").fetchone()
        slowest = 0.0
        for version in range(1, 400):
            began = time.monotonic()
            log.append(game, [make.move()], expected=version, recorder="owner")
            slowest = max(slowest, time.monotonic() - began)
        assert slowest < 40  # one after a checkpoint that waited would take fifty seconds
        assert connection.execute("select count(*) from event").fetchone() == (1,)
        connection.execute("rollback")
        grown = wal_size(log)
        for version in range(400, 800):
            log.append(game, [make.move()], expected=version, recorder="owner")
        assert wal_size(log) < grown * 1.2


def test_a_failure_within_fails_the_request_and_nothing_after_it(store, path, make):
    broken = []

    def clock() -> int:
        if broken:
            raise ZeroDivisionError(broken.pop())
        return 1_700_000_000_000

    with store.log(path, clock=clock) as log:
        game = make.game(log)
        broken.append("the clock stopped")
        with pytest.raises(LogError, match="the clock stopped"):
            log.append(game, [make.move()], expected=1, recorder="owner")
        assert log.append(game, [make.move()], expected=1, recorder="owner").new == 1
    assert store.verify(path).sound


class Interrupted:
    """A lock with an interrupted first acquisition, as by Ctrl-C."""

    def __init__(self, lock: threading.Lock) -> None:
        self._lock, self._interrupted = lock, False
        self.release = lock.release

    def acquire(self) -> None:
        if not self._interrupted:
            self._interrupted = True
            raise KeyboardInterrupt
        self._lock.acquire()


def test_an_interrupted_sender_does_not_leave_others_asleep():
    first, second = (Append("game", [], 0) for _ in range(2))
    first._answered = Interrupted(first._answered)
    with pytest.raises(KeyboardInterrupt):
        first.wait()
    Append.answer([first, second])
    assert second._answered.acquire(timeout=10)


@ON_SQLITE
def test_an_interrupt_in_the_middle_of_a_commit_is_no_failure_and_stores_nothing(store, path, make, caplog):
    with store.log(path) as log:
        game = make.game(log, 2)
        whole = log._writer._store

        def interrupt(group):
            log._writer._store = whole
            raise KeyboardInterrupt

        log._writer._store = interrupt
        with pytest.raises(KeyboardInterrupt):
            log.append(game, [make.move()], expected=3, recorder="owner")
        assert caplog.messages == []
        assert log.append(game, [make.move()], expected=3, recorder="owner").new == 1
    assert store.verify(path).sound


@ON_SQLITE
def test_names_are_written_back_as_well(store, path, make, monkeypatch):
    monkeypatch.setattr(grouping, "IDLE_SECONDS", 0.05)
    with store.log(path) as log:
        log.people.put(make.id(), "Ada")
        deadline = time.monotonic() + 20
        while log._writer._pages and time.monotonic() < deadline:
            time.sleep(0.02)
        assert log._writer._pages == 0
