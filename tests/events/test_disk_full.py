"""A full disk: a clear error, nothing half stored, reads go on, and appends resume by themselves."""

from __future__ import annotations

import errno
import os
import sys
from pathlib import Path

import pytest

from events.errors import LogFullError
from events.sqlite import SqliteLog, heads, verify
from tests import warm
from tests.events.stores import sqlite_alone

pytestmark = pytest.mark.programs

store = pytest.fixture(sqlite_alone)

ROOT = Path(__file__).parents[2]

FILL = """
import resource, sys, threading
import uuid_utils
from events import grouping
from events.errors import LogFullError
from events.event import NewEvent
from events.sqlite import SqliteLog, writer

path, limit, clients = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
writer.WAL_LIMIT, grouping.IDLE_SECONDS = 60, 0.02
hard = resource.getrlimit(resource.RLIMIT_FSIZE)[1]

def new(type, **data):
    return NewEvent(id=str(uuid_utils.uuid7()), type=type, data=data)

log = SqliteLog(path)
games, refused = [], []
for _ in range(clients):
    game = str(uuid_utils.uuid7())
    log.append(game, [new("game.opened", ruleset="k", revision=1, seats=[{}])], expected=0, recorder="owner")
    games.append(game)

def fill(game):
    version = 1
    while True:
        events = [new("move.made", move={"pad": "x" * 500}) for _ in range(3)]
        try:
            version = log.append(game, events, expected=version, recorder="owner").events[-1].version
        except LogFullError:
            refused.append((game, version, events))
            return

def together(work):
    threads = [threading.Thread(target=work, args=(game,)) for game in games]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]

resource.setrlimit(resource.RLIMIT_FSIZE, (limit, hard))
together(fill)
for game in games:
    version = log.head(game).version
    assert len(list(log.read(game))) == version
    try:
        huge = [new("move.made", move={"pad": "y" * 60_000}) for _ in range(4)]  # also more than an emptied WAL takes
        log.append(game, huge, expected=version, recorder="owner")
        assert False, "the disk is full"
    except LogFullError:
        pass
    assert log.head(game).version == version
assert sum(1 for _ in log.feed()) == sum(log.head(game).version for game in games)
assert len(refused) == len(games), refused
resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard))
for game, version, events in refused:
    assert log.head(game).version == version
    assert all(log.find(event.id) is None for event in events)
    assert log.append(game, events, expected=version, recorder="owner").new == 3
log.close()
print("resumed")
"""


@pytest.mark.parametrize("clients", [1, 8])
@pytest.mark.parametrize("limit", [80_000, 200_000])
def test_a_full_disk_refuses_whole_requests_until_there_is_room(path, limit, clients):
    command = [sys.executable, "-c", FILL, str(path), str(limit), str(clients)]
    done = warm.run(command, cwd=ROOT, text=True)
    assert done.stdout == "resumed\n", done.stderr
    assert verify(path).problems == ()


OPEN = """
import resource, sys
from events.errors import LogFullError
from events.sqlite import SqliteLog
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]), resource.RLIM_INFINITY))
try:
    SqliteLog(sys.argv[1])
except LogFullError:
    print("full")
"""


@pytest.mark.parametrize("limit", [0, 500, 3000])
def test_a_log_that_finds_no_room_to_open_says_so(path, limit):
    command = [sys.executable, "-c", OPEN, str(path), str(limit)]
    done = warm.run(command, cwd=ROOT, text=True)
    assert done.stdout == "full\n", done.stderr
    SqliteLog(path).close()


def test_a_database_at_its_size_limit_refuses_whole_requests(log, make):
    game = make.game(log)
    connection = log._writer._connection
    (pages,) = connection.execute("pragma page_count").fetchone()
    connection.execute(f"pragma max_page_count = {pages}")
    moves = make.moves(500)
    with pytest.raises(LogFullError, match="is full"):
        log.append(game, moves, expected=1, recorder="owner")
    with pytest.raises(LogFullError):
        log.append(make.id(), [make.opening(), *make.moves(500)], expected=0, recorder="owner")
    assert log.head(game).version == 1
    assert [head.game for head in log.heads()] == [game]
    connection.execute("pragma max_page_count = 1000000")
    assert log.append(game, moves, expected=1, recorder="owner").new == 500
    assert verify(log.path).sound


def test_a_head_that_finds_no_room_is_owed_and_nothing_goes_before_it(path, make, monkeypatch):
    """What was committed is acknowledged; the next append must first get the head that is owed onto the disk."""
    write = os.pwrite
    disk = {"room": 0}

    def pwrite(file, data, offset):
        if not disk["room"]:
            raise OSError(errno.ENOSPC, "No space left on device")
        return write(file, data[: disk["room"]], offset)

    with SqliteLog(path) as log:
        game = make.game(log)
        monkeypatch.setattr(heads.os, "pwrite", pwrite)
        stored = log.append(game, [make.move()], expected=1, recorder="owner")
        for disk["room"] in (0, 30):  # none at all, and not enough for a whole record
            with pytest.raises(LogFullError, match="cannot be written"):
                log.append(game, [make.move()], expected=2, recorder="owner")
            assert log.head(game).version == 2
            assert list(log.read(game, 1)) == list(stored.events)
        disk["room"] = 10_000
        assert log.append(game, [make.move()], expected=2, recorder="owner").new == 1
    monkeypatch.undo()
    assert verify(path).sound
    with SqliteLog(path) as log:
        assert log.warnings == []
        assert log.head(game).version == 3


def test_a_backup_that_finds_no_room_leaves_no_copy(path, make, tmp_path):
    with SqliteLog(path) as log:
        make.game(log, 900)
    code = """
import resource, sys
from pathlib import Path
from events.errors import LogFullError
from events.sqlite import SqliteReader
resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, resource.RLIM_INFINITY))
try:
    SqliteReader(sys.argv[1]).backup(Path(sys.argv[2]))
except LogFullError:
    print("full")
"""
    command = [sys.executable, "-c", code, str(path), str(tmp_path / "copy.db")]
    done = warm.run(command, cwd=ROOT, text=True)
    assert done.stdout == "full\n", done.stderr
    assert list(tmp_path.glob("copy*")) == []
