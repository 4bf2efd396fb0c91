"""A bit that flips anywhere in the files is never served as truth."""

from __future__ import annotations

import random
import shutil
import sqlite3
from contextlib import closing, suppress
from itertools import product

import pytest

from events.errors import LogDamagedError, LogError
from events.rows import COLUMNS
from events.sqlite import SqliteLog, SqliteReader, verify
from events.sqlite.heads import heads_path
from events.sqlite.pool import Pool
from tests.choosing import short_or_soak
from tests.events.conftest import Maker
from tests.events.stores import sqlite_alone

store = pytest.fixture(sqlite_alone)


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    """A closed log of many games, which each test copies, and all its events by id."""
    path, make, chance = tmp_path_factory.mktemp("written") / "kifu.db", Maker(), random.Random(7)
    with SqliteLog(path) as log:
        games = [make.game(log) for _ in range(12)]
        for version in range(1, 16):
            for game in games:
                log.append(game, [make.move("x" * chance.randrange(300))], expected=version, recorder="owner")
        log.append(games[0], [make.move("long " * 2000)], expected=16, recorder="owner")
        for game in games:
            log.people.put(game, "Ada")
        return path, {event.id: event for _, event in log.feed()}


@pytest.fixture
def whole(path, written):
    """All events of a closed log, by id."""
    copied, events = written
    shutil.copytree(copied.parent, path.parent, dirs_exist_ok=True)
    return events


def flip(path, bit: int) -> None:
    with path.open("r+b") as file:
        file.seek(bit // 8)
        (byte,) = file.read(1)
        file.seek(bit // 8)
        file.write(bytes([byte ^ (1 << bit % 8)]))


def served(log):
    """Everything that a log with a flipped bit gives out."""
    with suppress(LogError):
        for _, event in log.feed():
            yield event
    for game in {event.game for event in log.whole.values()}:
        with suppress(LogError):
            yield from log.read(game)
        with suppress(LogError):
            head = log.head(game)
            if head is not None:
                assert any(event.hash == head.hash for event in log.whole.values() if event.game == game)
    for event_id in log.whole:
        with suppress(LogError):
            found = log.find(event_id)
            if found is not None:
                yield found


def check(path, whole, bits, kind) -> int:
    """Flip one bit after the other, and back again; how many were noticed."""
    noticed = 0
    for bit in bits:
        flip(path, bit)
        before = {file: file.read_bytes() for file in (path, heads_path(path))}
        sound = False
        with suppress(LogError):
            sound = verify(path, still=True).sound
        with suppress(LogError), kind(path) as log:
            log.whole = whole
            for event in served(log):
                assert event == whole[event.id]
            noticed += bool(log.damage)
            assert not (sound and log.damage)
        for file, content in before.items():
            file.write_bytes(content)
        for rest in ("-wal", "-shm"):
            path.with_name(path.name + rest).unlink(missing_ok=True)
        flip(path, bit)
    return noticed


@pytest.mark.parametrize("kind", [SqliteLog, SqliteReader])
@pytest.mark.slow
def test_a_flipped_bit_is_never_served_as_truth(path, whole, kind):
    random.seed(7)
    size = path.stat().st_size * 8
    bits = [*range(0, 100 * 8, 41), *(random.randrange(size) for _ in range(short_or_soak(20, 60)))]
    assert check(path, whole, bits, kind) > 10
    assert verify(path).sound


@pytest.mark.soak
@pytest.mark.parametrize("kind", [SqliteLog, SqliteReader])
def test_no_flipped_bit_at_all_is_served_as_truth(path, whole, kind):
    size = path.stat().st_size * 8
    assert check(path, whole, [random.randrange(size) for _ in range(4000)], kind) > 1000


def planted(path, column: str, value: object) -> None:
    """Put a value of any type into a column of an entry in the middle, as a flipped bit of its row's head does."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        (guard,) = connection.execute("select sql from sqlite_master where name = 'event_no_update'").fetchone()
        connection.execute("drop trigger event_no_update")
        connection.execute("pragma writable_schema = on")
        connection.execute("update sqlite_master set sql = replace(sql, ') STRICT', ')') where name = 'event'")
        connection.execute("pragma writable_schema = reset")
        connection.execute(f"update event set {column} = ? where seq = 90", (value,))
        connection.execute("pragma writable_schema = on")
        connection.execute("update sqlite_master set sql = sql || ' STRICT' where name = 'event'")
        connection.execute("pragma writable_schema = reset")
        connection.execute(guard)


@pytest.mark.slow
def test_a_value_of_another_type_is_never_served_as_truth(path, whole):
    untouched = path.read_bytes(), heads_path(path).read_bytes()
    values = [2**40, 1.5, "text", None, 0, -(2**63), b"\x00\xff"][: short_or_soak(4, 7)]
    for column, value in product(COLUMNS.split(", ")[2:], values):
        if value is None and column in {"happened_at", "sealed"}:
            continue  # as it stands
        with suppress(sqlite3.IntegrityError):  # where a column takes no null
            planted(path, column, value)
            assert not verify(path, still=True).sound
            with suppress(LogError), SqliteReader(path) as log:
                log.whole = whole
                for event in served(log):
                    assert event == whole[event.id]
        path.write_bytes(untouched[0])
        heads_path(path).write_bytes(untouched[1])
        for rest in ("-wal", "-shm"):
            path.with_name(path.name + rest).unlink(missing_ok=True)


def leaves(path, index: str) -> list[int]:
    """Where the pages of an index that is one level deep begin in the file, in bytes."""
    with closing(sqlite3.connect(path)) as connection:
        (size,) = connection.execute("pragma page_size").fetchone()
        (root,) = connection.execute("select rootpage from sqlite_master where name = ?", (index,)).fetchone()
    page = path.read_bytes()[(root - 1) * size : root * size]
    cells = [int.from_bytes(page[12 + 2 * cell : 14 + 2 * cell]) for cell in range(int.from_bytes(page[3:5]))]
    return [(int.from_bytes(page[at : at + 4]) - 1) * size for at in (8, *cells)]


@pytest.mark.parametrize("flips", [50, pytest.param(10_000, marks=[pytest.mark.soak, pytest.mark.timeout(1800)])])
@pytest.mark.slow
def test_verify_goes_to_its_end_with_any_bit_of_an_index_flipped(path, whole, flips):
    random.seed(7)
    pages = leaves(path, "event_version")
    assert len(pages) > 1
    unsound = 0
    for _ in range(flips):
        bit = random.choice(pages) * 8 + random.randrange(1024 * 8)
        flip(path, bit)
        with suppress(LogError):
            unsound += not verify(path, still=True).sound
        flip(path, bit)
    assert unsound > flips // 3
    assert verify(path).sound


def test_a_flipped_bit_in_an_entry_is_named_by_verify(path, whole):
    """Every bit of a row is under its hash."""
    raw = path.read_bytes()
    event = next(event for event in whole.values() if b"long" in event.body)
    start = next(raw.index(part) for part in (event.body[:60],) if part in raw)
    for bit in range(start * 8, (start + 60) * 8, 23):
        flip(path, bit)
        problems = verify(path).problems
        assert [(problem.kind, problem.game, problem.version) for problem in problems] == [
            ("edited", event.game, event.version)
        ]
        flip(path, bit)


def pages(path, part: str) -> list[int]:
    """Where the pages of a table or an index of one or two levels begin in the file, the root first."""
    with closing(sqlite3.connect(path)) as connection:
        (size,) = connection.execute("pragma page_size").fetchone()
        (root,) = connection.execute("select rootpage from sqlite_master where name = ?", (part,)).fetchone()
    has_leaves = path.read_bytes()[(root - 1) * size] in {2, 5}
    return [(root - 1) * size, *(leaves(path, part) if has_leaves else [])]


def check_truth(log, whole, position) -> None:
    """Nothing that a log with a flipped bit answers is short of what was stored, unless it is said to be damaged."""
    games = {event.game: event.version for event in sorted(whole.values(), key=lambda event: event.version)}
    fed = {}
    with suppress(LogDamagedError):
        for reached, event in log.feed():
            assert (event, reached) == (whole[event.id], position[event.id])
            fed[event.game] = event.version
    listed = {head.game: head.version for head in log.heads()}
    for game, version in games.items():
        with suppress(LogError):
            assert log.head(game).version == version
        for after in (0, 3, version - 1):
            with suppress(LogError):
                assert [event.version for event in log.read(game, after)] == list(range(after + 1, version + 1))
        if game not in log.damage:
            assert (fed.get(game), listed.get(game)) == (version, version)
    for event in whole.values():
        with suppress(LogError):
            assert log.find(event.id) in {None, event}


def opened_with(path, bit: int, *, running: bool) -> SqliteReader:
    """A log with a flipped bit in its file. It flipped before the log was opened or, in a `running` one, since."""
    if not running:
        flip(path, bit)
        return SqliteReader(path)
    log = SqliteReader(path)
    flip(path, bit)
    log._pool.close()
    log._pool = Pool(path)
    return log


def check_part(path, whole, part: str, flips: int, *, running: bool) -> None:
    chance = random.Random(11)
    with SqliteReader(path) as log:
        position = {event.id: reached for reached, event in log.feed()}
    content, places = path.read_bytes(), pages(path, part)
    for _ in range(flips):
        page = chance.choice(places) * 8
        # the header of a page and its list of cells lead astray more often than the rest of it
        flip_at = page + chance.randrange(1024 * 8 if chance.random() < 0.5 else 100 * 8)
        with suppress(LogError), opened_with(path, flip_at, running=running) as log:
            check_truth(log, whole, position)
        path.write_bytes(content)


PARTS = ["event_version", "idx_game_id", "game", "event", "event_id"]


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("running", [True, False])
@pytest.mark.slow
def test_a_flipped_bit_of_an_index_shortens_no_game(path, whole, part, running):
    """The head file knows where every chain ended, and every way to read a game asks it."""
    check_part(path, whole, part, 5, running=running)


@pytest.mark.soak
@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("running", [True, False])
def test_no_flipped_bit_of_an_index_at_all_shortens_a_game(path, whole, part, running):
    check_part(path, whole, part, 3000, running=running)
