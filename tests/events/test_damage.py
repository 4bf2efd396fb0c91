from __future__ import annotations

import sqlite3
from contextlib import closing, suppress

import pytest

from events import sqlite
from events.errors import DamagedError, GameUnknownError, LogError
from events.sqlite import SqliteLog, SqliteReader, verify
from events.sqlite.heads import SIZE, heads_path
from tests.events.stores import AT_REST, ON_SQLITE, each_store

store = pytest.fixture(params=AT_REST)(each_store)


@pytest.fixture
def games(store, path, make):
    """Three closed games of six entries, the middle one to be damaged."""
    with store.log(path) as log:
        games = [make.game(log) for _ in range(3)]
        for version in range(1, 6):
            for game in games:
                log.append(game, [make.move(version)], expected=version, recorder="owner")
    return games


@pytest.fixture
def problems(store, path):
    """What `verify` finds, without the game's name."""
    return lambda: [(problem.kind, problem.version) for problem in store.verify(path).problems]


SECOND = "game = 2"
TAMPERED = {
    "data edited": (
        [f"update event set data = cast(replace(data, 'at', 'to') as blob) where {SECOND} and version = 3"],
        [("edited", 3)],
    ),
    "recorder edited": ([f"update event set recorder = 'eve' where {SECOND} and version = 6"], [("edited", 6)]),
    "id edited": ([f"update event set id = zeroblob(16) where {SECOND} and version = 4"], [("edited", 4)]),
    "time edited": ([f"update event set recorded_at = 0 where {SECOND} and version = 2"], [("edited", 2)]),
    "an impossible time": ([f"update event set recorded_at = 1 << 60 where {SECOND} and version = 2"], [("edited", 2)]),
    "an impossible id": ([f"update event set id = x'' where {SECOND} and version = 2"], [("edited", 2)]),
    "hash edited": ([f"update event set hash = zeroblob(32) where {SECOND} and version = 3"], [("edited", 3)]),
    "last hash edited": ([f"update event set hash = zeroblob(32) where {SECOND} and version = 6"], [("edited", 6)]),
    "swapped": (
        [
            f"update event set version = -version where {SECOND} and version in (3, 5)",
            "update event set version = 8 + version where version < 0",
        ],
        [("reordered", 4), ("reordered", 5), ("swapped", 3), ("swapped", 5)],
    ),
    "neighbours swapped": (
        [
            f"update event set version = -version where {SECOND} and version in (3, 4)",
            "update event set version = 7 + version where version < 0",
        ],
        [("reordered", 4), ("swapped", 3), ("swapped", 4)],
    ),
    "deleted": ([f"delete from event where {SECOND} and version = 3"], [("deleted", 3)]),
    "two deleted": ([f"delete from event where {SECOND} and version in (3, 4)"], [("deleted", 3)]),
    "the first deleted": ([f"delete from event where {SECOND} and version = 1"], [("deleted", 1)]),
    "the last deleted": ([f"delete from event where {SECOND} and version = 6"], [("truncated", 6)]),
    "three cut off": ([f"delete from event where {SECOND} and version > 3"], [("truncated", 4)]),
    "all deleted": ([f"delete from event where {SECOND}"], [("truncated", 1)]),
    "the game deleted": (
        [f"delete from event where {SECOND}", "delete from game where number = 2"],
        [("truncated", 1)],
    ),
}


SQLITES = {"an impossible id", "the game deleted"}
"""An id of PostgreSQL's is one, and what is kept of a game beside its entries is in the same database."""


@pytest.mark.parametrize(
    ("store", "name"),
    [
        (store, name)
        for store in ("sqlite", "postgres")
        for name in TAMPERED
        if store == "sqlite" or name not in SQLITES
    ],
    indirect=["store"],
)
def test_what_was_tampered_with_is_named_and_not_served_as_truth(store, path, games, tamper, problems, name):
    with store.reader(path) as reader:
        before = list(reader.feed())
    statements, expected = TAMPERED[name]
    tamper(*statements)
    assert problems() == expected
    assert {problem.game for problem in store.verify(path).problems} == {games[1]}
    version = min(version for _, version in expected)
    for opened in (store.log, store.reader):
        with opened(path) as log:
            served = list(log.feed())
            assert [entry for entry in before if entry[1].game != games[1]] == [
                entry for entry in served if entry[1].game != games[1]
            ]
            assert all(entry in before and entry[1].version < version for entry in served if entry[1].game == games[1])
            with pytest.raises(DamagedError) as damage:
                list(log.read(games[1]))
            assert set(log.damage) == {games[1]}
            assert damage.value.version == version
            with pytest.raises(DamagedError):
                log.head(games[1])
            assert [head.game for head in log.heads()] == [games[0], games[2]]


def test_a_damaged_game_takes_no_entries_and_others_do(store, path, games, tamper, make):
    tamper("update event set recorder = 'eve' where game = 2 and version = 6")
    with store.log(path) as log:
        with pytest.raises(DamagedError):
            log.append(games[1], [make.move()], expected=6, recorder="owner")
        assert log.append(games[0], [make.move()], expected=6, recorder="owner").new == 1
        assert log.append(make.id(), [make.opening()], expected=0, recorder="owner").new == 1


def test_damage_that_is_come_upon_later_is_remembered(store, path, games, tamper):
    tamper("update event set recorder = 'eve' where game = 2 and version = 3")
    with store.log(path) as log:
        assert log.head(games[1]).version == 6
        assert dict(log.damage) == {}
        event = next(event for _, event in log.feed() if event.game == games[1])
        assert event.version == 1
        list(log.feed())
        assert log.damage[games[1]].version == 3
        with pytest.raises(DamagedError):
            log.read(games[1])
        with pytest.raises(DamagedError):
            log.find(event.id)


def test_a_reading_names_the_first_entry_that_is_not_what_was_hashed(store, path, games, tamper):
    tamper("update event set recorder = 'eve' where game = 2 and version = 3")
    with store.reader(path) as reader:
        stream = reader.read(games[1])
        assert [next(stream).version, next(stream).version] == [1, 2]
        with pytest.raises(DamagedError, match="version 3: the entry is not what was hashed"):
            next(stream)


def test_a_found_event_is_checked(store, path, games, tamper, make):
    with store.reader(path) as reader:
        events = list(reader.read(games[1]))
    tamper("update event set recorder = 'eve' where game = 2 and version = 3")
    for version in (3, 4):
        with store.reader(path) as reader:
            if version == 4:
                assert reader.find(events[3].id) == events[3]
            else:
                with pytest.raises(DamagedError, match="version 3"):
                    reader.find(events[2].id)


@ON_SQLITE
def test_a_history_rewritten_with_all_its_hashes_is_noticed_by_the_head_file(store, path, games, tmp_path, make):
    """A writer of the database can forge a whole chain; the head file reveals it."""
    with store.log(path) as log:
        opening = next(log.read(games[1], 0, 1))
    forged = tmp_path / "forged" / path.name
    with SqliteLog(forged) as log:
        for game in games:
            log.append(game, [make.opening(), *make.moves(5)], expected=0, recorder="owner")
    path.write_bytes(forged.read_bytes())
    with store.log(path) as log:
        assert set(log.damage) == set(games)
        assert list(log.feed()) == []
        with pytest.raises(DamagedError, match="version 1: its chain does not hold the hash that was recorded"):
            log.read(games[1])
        assert log.find(opening.id) is None
    assert [problem.kind for problem in store.verify(path).problems] == ["rewritten"] * 3


# A tail that is gone


@ON_SQLITE
def test_a_truncated_write_ahead_log_is_noticed_and_what_is_lost_is_named(store, path, make, copy_log):
    log = store.log(path)
    kept = make.game(log, 3)
    log.close()
    log = store.log(path)
    cut = make.game(log)
    whole = log.position()
    for version in range(1, 9):
        log.append(cut, [make.move()], expected=version, recorder="owner")
    before = dict(log.feed())
    copy = copy_log("torn")
    log.close()
    wal = copy.with_name(copy.name + "-wal")
    size, noticed = wal.stat().st_size, 0
    for length in range(0, size, 1777):
        with wal.open("r+b") as file:
            file.truncate(size - length)
        missing = verify(copy).problems
        with SqliteReader(copy) as torn:
            fed = dict(torn.feed())
            assert all(before[position] == event for position, event in fed.items())
            assert len(list(torn.read(kept))) == 4
            lost = len(before) - len(fed)
            assert bool(torn.damage) == bool(missing) == bool(lost)
            if lost:
                noticed += 1
                first = min(10 - lost, 9)
                assert torn.damage[cut].version == max(first, 1)
                assert [(problem.kind, problem.game, problem.version) for problem in missing] == [
                    ("truncated", cut, torn.damage[cut].version)
                ]
                with pytest.raises(DamagedError):
                    torn.read(cut)
    assert noticed > 5
    assert whole == 5


def test_what_is_left_of_a_game_can_be_taken_as_its_record(store, path, games, tamper, make):
    with store.log(path) as log:
        left = list(log.read(games[1], 0, 4))
    tamper(
        "delete from event where game = 2 and version > 4",
        "delete from event where game = 3",
        *(["delete from game where number = 3"] if store.name == "sqlite" else []),
    )
    with store.log(path) as log:
        assert set(log.damage) == set(games[1:])
        assert log.accept_loss(games[1]).version == 4
        assert log.accept_loss(games[2]) is None
        assert log.accept_loss(games[0]) == log.head(games[0])
        assert dict(log.damage) == {}
        assert list(log.read(games[1])) == left
        log.append(games[1], [make.move()], expected=4, recorder="owner")
        with pytest.raises(GameUnknownError):
            log.read(games[2])
    with store.log(path) as log:
        assert dict(log.damage) == {}
        assert log.head(games[1]).version == 5
        log.append(games[2], [make.opening()], expected=0, recorder="owner")
    assert store.verify(path).sound


def test_a_loss_while_the_log_is_open_can_be_taken_as_well_and_the_game_goes_on(store, path, games, tamper, make):
    with store.log(path) as log:
        end = log.head(games[1]).version
        log.append(games[1], [make.move()], expected=end, recorder="owner")
        tamper("delete from event where game = 2 and version > 4")
        with pytest.raises(DamagedError):
            list(log.read(games[1]))
        assert log.accept_loss(games[1]).version == 4
        log.append(games[1], [make.move()], expected=4, recorder="owner")
        assert log.head(games[1]).version == 5
    assert store.verify(path).sound


def test_what_is_damaged_in_the_middle_is_not_taken_as_a_record(store, path, games, tamper):
    tamper("update event set recorder = 'eve' where game = 2 and version = 3")
    with store.log(path) as log:
        list(log.feed())
        with pytest.raises(DamagedError, match="version 3"):
            log.accept_loss(games[1])
        assert log.damage[games[1]].version == 3


# The head file


@ON_SQLITE
def test_a_database_ahead_of_its_head_file_is_healed(store, path, games):
    heads = heads_path(path)
    with heads.open("r+b") as file:
        file.truncate(heads.stat().st_size - SIZE)
    with store.reader(path) as reader:
        assert dict(reader.damage) == {}
    with store.log(path) as log:
        assert log.warnings == []
        assert dict(log.damage) == {}
    assert heads.stat().st_size == SIZE * 4
    assert store.verify(path).sound


@ON_SQLITE
def test_a_torn_last_record_of_the_head_file_is_tolerated(store, path, games, make):
    heads = heads_path(path)
    with heads.open("r+b") as file:
        file.truncate(heads.stat().st_size - 7)
    with store.log(path) as log:
        assert log.warnings == []
        log.append(games[0], [make.move()], expected=6, recorder="owner")
    assert heads.stat().st_size % SIZE == 0
    assert store.verify(path).sound


@ON_SQLITE
@pytest.mark.parametrize("record", [0, 1, 3])
def test_a_damaged_record_of_the_head_file_is_warned_of_and_made_good(store, path, games, record, caplog):
    heads = heads_path(path)
    content = bytearray(heads.read_bytes())
    content[record * SIZE + 5] ^= 0xFF
    heads.write_bytes(content)
    assert not store.verify(path).sound
    with store.log(path) as log:
        assert len(log.warnings) == 1
        assert dict(log.damage) == {}
    assert heads.name in caplog.text
    assert store.verify(path).sound
    with store.log(path) as log:
        assert log.warnings == []


@ON_SQLITE
def test_a_missing_head_file_is_made_anew_and_warned_of(store, path, games, caplog):
    heads_path(path).unlink()
    with store.log(path) as log:
        assert "was missing and is made anew" in log.warnings[0]
        assert dict(log.damage) == {}
    assert "made anew" in caplog.text
    assert store.verify(path).sound


@ON_SQLITE
def test_a_new_log_has_nothing_to_warn_of(store, path, caplog):
    with store.log(path) as log:
        assert log.warnings == []
    assert caplog.text == ""


@ON_SQLITE
def test_the_head_file_does_not_grow_for_ever(store, path, make):
    with store.log(path) as log:
        games = [make.game(log) for _ in range(3)]
        for version in range(1, 360):
            for game in games:
                log.append(game, [make.move()], expected=version, recorder="owner")
        assert heads_path(path).stat().st_size == SIZE * (1 + 1080)
    assert heads_path(path).stat().st_size == SIZE * 4
    with store.log(path) as log:
        assert [head.version for head in log.heads()] == [360, 360, 360]


# Pages of the file


@ON_SQLITE
@pytest.mark.parametrize("kind", [SqliteLog, SqliteReader])
@pytest.mark.parametrize("share", [0.3, 0.6, 0.9, 0.99])
def test_a_database_that_lost_its_end_serves_what_it_can(store, path, make, share, kind):
    with store.log(path) as log:
        games = [make.game(log, 30) for _ in range(40)]
        whole = dict(log.feed())
    with path.open("r+b") as file:
        file.truncate(int(path.stat().st_size * share))
    assert not store.verify(path).sound
    with kind(path) as log:
        for position, event in log.feed():
            assert whole[position] == event
        served = set()
        for game in games:
            with suppress(DamagedError):
                assert len(list(log.read(game))) == 31
                served.add(game)
        assert served == set(games) - set(log.damage)
        assert len(served) < len(games)
        assert served or share < 0.9  # where the upper pages of a tree are gone, nothing below them is found
        with pytest.raises(LogError):
            log.append(games[0], [make.move()], expected=31, recorder="owner")


@ON_SQLITE
def test_an_entry_without_a_game_is_found(store, path, games, tamper):
    tamper("delete from game where number = 2")
    found = store.verify(path).problems
    assert [problem.kind for problem in found] == ["truncated", "unreadable"]
    assert "6 entries belong to no game" in found[1].why


def test_progress_of_a_verification_is_told(store, path, make):
    with store.log(path) as log:
        for _ in range(3):
            make.game(log, 900)
    found = []
    assert store.verify(path, lambda done, total: found.append((done, total))).events == 2703
    assert found == [(1000, 2703), (2000, 2703)]


def test_a_verification_beside_a_running_log_is_sound(store, path, log, make):
    for _ in range(5):
        make.game(log, 50)
        assert store.verify(path).sound


@ON_SQLITE
def test_what_sqlite_finds_wrong_is_reported(store, path, games):
    connection = sqlite3.connect(path)
    connection.execute("pragma writable_schema = on")
    other = "select rootpage from sqlite_schema where name = 'event_id'"
    connection.execute(f"update sqlite_schema set rootpage = ({other}) where name = 'event_version'")
    connection.commit()
    connection.close()
    assert any("SQLite" in problem.why for problem in store.verify(path).problems)


@pytest.mark.parametrize(("left", "said"), [(5, "entry 6 is missing at the end"), (3, "entries 4 to 6 are missing")])
def test_what_is_missing_at_the_end_is_said_in_words(store, path, games, tamper, left, said):
    tamper(f"delete from event where game = 2 and version > {left}")
    with store.reader(path) as reader:
        assert reader.damage[games[1]].version == left + 1
        assert reader.damage[games[1]].why.startswith(said)


@ON_SQLITE
def test_an_end_that_is_lost_while_the_log_is_open_is_noticed_by_every_way_to_read_it(store, path, games, tamper):
    for ask in (
        lambda log: log.head(games[1]),
        lambda log: list(log.read(games[1])),
        lambda log: list(log.read(games[1], 2)),
        lambda log: list(log.read(games[1], 3, 6)),
        lambda log: list(log.read(games[1], 5)),
        lambda log: list(log.feed()) and log.read(games[1]),
    ):
        with store.reader(path) as log:
            assert len(list(log.read(games[1]))) == 6
            tamper("create table away as select * from event where game = 2 and version > 4")
            tamper_back = "insert into event select * from away"
            with closing(sqlite3.connect(path)) as db, db:
                db.execute("delete from event where game = 2 and version > 4")
            db.close()
            assert [event.version for event in log.read(games[1], 0, 4)] == [1, 2, 3, 4]
            with pytest.raises(DamagedError) as damage:
                ask(log)
            assert 5 <= damage.value.version <= 6
            assert [event.version for event in log.read(games[0])] == [1, 2, 3, 4, 5, 6]
        restore(path, tamper_back)


def restore(path, statement: str) -> None:
    """Put back what was taken away, and the triggers that guarded it."""
    with closing(sqlite3.connect(path)) as db, db:
        db.execute(statement)
        db.execute("drop table away")
        for table in ("game", "event"):
            for change in ("update", "delete"):
                db.execute(f"create trigger {table}_no_{change} before {change} on {table} begin select 1; end")
    db.close()


@ON_SQLITE
def test_verify_names_a_game_with_an_unreadable_index(store, path, games, make):
    with store.log(path) as log:
        for _ in range(20):
            make.game(log, 10)
    with closing(sqlite3.connect(path)) as db, db:
        (size,) = db.execute("pragma page_size").fetchone()
        (root,) = db.execute("select rootpage from sqlite_master where name = 'event_version'").fetchone()
    db.close()
    content = path.read_bytes()
    path.write_bytes(content[: (root - 1) * size] + b"\xff" * size + content[root * size :])
    report = sqlite.verify(path, still=True)
    assert {problem.game for problem in report.problems} >= set(games)
    assert {(problem.kind, problem.version) for problem in report.problems if problem.game in games} >= {
        ("unreadable", 1)
    }
