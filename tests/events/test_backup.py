from __future__ import annotations

import threading

import pytest

from events.errors import DamagedError, LogError, LogUnwritableError
from events.sqlite import SqliteLog, SqliteReader, verify
from tests.events.stores import sqlite_alone
from tests.waiting import until

store = pytest.fixture(sqlite_alone)


def test_a_backup_is_a_log_with_the_same_heads(log, make, tmp_path):
    games = [make.game(log, moves) for moves in range(5)]
    log.people.put(games[0], "Ada")
    target = tmp_path / "copy" / "kifu.db"
    target.parent.mkdir()
    found = []
    log.backup(target, lambda done, total: found.append((done, total)))
    assert found
    assert found[-1][0] == found[-1][1]
    assert sorted(file.name for file in target.parent.iterdir()) == ["kifu.db", "kifu.db.heads"]
    assert verify(target).sound
    with SqliteLog(target) as copy:
        assert copy.warnings == []
        assert list(copy.heads()) == list(log.heads())
        assert list(copy.feed()) == list(log.feed())
        assert copy.people.all() == {games[0]: "Ada"}
        copy.append(games[0], [make.move()], expected=1, recorder="owner")


def test_a_backup_beside_a_busy_log_holds_everything_acknowledged_before_it_began(log, make, tmp_path):
    games = [make.game(log, 200) for _ in range(4)]
    done = threading.Event()

    def write(game: str) -> None:
        version = 201
        while not done.is_set():
            version = log.append(game, [make.move()], expected=version, recorder="owner").events[-1].version

    threads = [threading.Thread(target=write, args=(game,)) for game in games]
    for thread in threads:
        thread.start()
    try:
        until(lambda: all(log.head(game).version > 201 for game in games))
        for number in range(3):
            before = {head.game: head.version for head in log.heads()}
            target = tmp_path / f"copy{number}.db"
            log.backup(target)
            with SqliteReader(target) as copy:
                after = {head.game: head.version for head in copy.heads()}
                assert all(after[game] >= version for game, version in before.items())
                assert dict(copy.damage) == {}
    finally:
        done.set()
        for thread in threads:
            thread.join()


def test_a_reader_in_any_process_can_make_a_backup(path, log, make, tmp_path):
    game = make.game(log, 3)
    with SqliteReader(path) as reader:
        reader.backup(tmp_path / "copy.db")
    with SqliteReader(tmp_path / "copy.db") as copy:
        assert copy.head(game) == log.head(game)


def test_a_backup_overwrites_nothing(log, make, tmp_path):
    make.game(log)
    for name in ("copy.db", "other.db.heads"):
        (tmp_path / name).write_text("precious")
        with pytest.raises(FileExistsError, match=name):
            log.backup(tmp_path / name.removesuffix(".heads"))
        assert (tmp_path / name).read_text() == "precious"
    with pytest.raises(LogUnwritableError):
        log.backup(tmp_path / "no folder" / "copy.db")


def test_a_backup_of_newly_found_damage_fails_and_leaves_no_copy(path, make, tamper, tmp_path):
    with SqliteLog(path) as log:
        game = make.game(log, 5)
        sound = make.game(log, 2)
    tamper("update event set recorder = 'eve' where game = 1 and version = 3")
    target = tmp_path / "copy.db"
    with SqliteLog(path) as log:
        with pytest.raises(DamagedError, match="version 3") as damage:
            log.backup(target)
        assert damage.value.game == game
        assert list(tmp_path.glob("copy*")) == []
        with pytest.raises(DamagedError):
            list(log.read(game))
        log.backup(target)
        with SqliteLog(target) as copy:
            assert copy.head(sound) == log.head(sound)
            with pytest.raises(DamagedError):
                list(copy.read(game))


def test_a_backup_keeps_what_is_known_of_lost_tails(path, make, tamper, tmp_path):
    with SqliteLog(path) as log:
        lost, sound = make.game(log, 5), make.game(log, 2)
    tamper("delete from event where game = 1 and version > 3")
    with SqliteLog(path) as log:
        log.backup(tmp_path / "copy.db")
    with SqliteLog(tmp_path / "copy.db") as copy:
        assert copy.damage[lost].version == 4
        assert copy.head(sound).version == 3


def test_a_backup_of_an_unreadable_database_fails(path, make, tmp_path):
    with SqliteLog(path) as log:
        make.game(log, 500)
    with path.open("r+b") as file:
        file.truncate(path.stat().st_size // 2)
    with SqliteReader(path) as reader, pytest.raises(LogError):
        reader.backup(tmp_path / "copy.db")
    assert list(tmp_path.glob("copy*")) == []
