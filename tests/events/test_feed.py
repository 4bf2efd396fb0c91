from __future__ import annotations

import subprocess
import sys
import threading
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

from events.rows import uuid_text
from events.sqlite import SqliteLog
from events.sqlite import reader as reading
from tests import warm
from tests.events.stores import ON_SQLITE

ROOT = Path(__file__).parents[2]


WAIT = """
import sys
from events.postgres import PostgresReader
from events.sqlite import SqliteReader
reader = (PostgresReader if "://" in sys.argv[1] else SqliteReader)(sys.argv[1])
print("ready", flush=True)
print(reader.wait(0, 20), reader.position())
"""


def test_the_feed_holds_all_games_in_commit_order(log, make):
    first, second = make.game(log, 1), make.game(log)
    log.append(first, [make.move()], expected=2, recorder="owner")
    fed = list(log.feed())
    assert [(event.game, event.version) for _, event in fed] == [(first, 1), (first, 2), (second, 1), (first, 3)]
    assert [position for position, _ in fed] == [1, 2, 3, 4]
    assert log.position() == 4
    assert [event for _, event in fed if event.game == first] == list(log.read(first))


def test_the_feed_goes_on_from_any_position(log, make):
    for _ in range(7):
        make.game(log, 99)
    whole = list(log.feed())
    assert len(whole) == 700
    for after in (0, 1, 255, 256, 257, 511, 699, 700, 9999):
        assert list(log.feed(after)) == whole[after:]
    for limit in (0, 1, 256, 257, 700, 701):
        assert list(log.feed(0, limit)) == whole[:limit]
    taken, position = [], 0
    while page := list(log.feed(position, 64)):
        taken += page
        position = page[-1][0]
    assert taken == whole


def test_what_is_skimmed_is_the_feed_without_its_contents(log, make):
    for _ in range(3):
        make.game(log, 99)
    whole = [(position, event.game, event.type, event.hash) for position, event in log.feed()]
    for after in (0, 1, 256, 299, 300):
        assert list(log.skim(after)) == whole[after:]
    for limit in (0, 1, 257, 300, 301):
        assert list(log.skim(0, limit)) == whole[:limit]


def test_a_stream_left_alone_keeps_no_read_open(log, make):
    game = make.game(log, 600)
    streams = [log.read(game), log.feed()]
    for stream in streams:
        next(stream)
    log.people.put(game, "Ada")
    assert log.people.erase(game)
    assert [len(list(stream)) for stream in streams] == [600, 600]


@pytest.mark.slow
def test_a_poller_misses_nothing_while_others_write(store, path, log, make):
    """The promise that projections and the relay build on."""
    writers, each = 8, 60
    games = [make.game(log) for _ in range(writers)]

    def write(game: str) -> None:
        for version in range(1, each + 1):
            log.append(game, [make.move()], expected=version, recorder="owner")

    threads = [threading.Thread(target=write, args=(game,)) for game in games]
    for thread in threads:
        thread.start()
    seen, position = [], 0
    with store.reader(path) as reader:
        while len(seen) < writers * (each + 1):
            seen += reader.feed(position, 50)
            position = seen[-1][0] if seen else 0
    for thread in threads:
        thread.join()
    assert seen == list(log.feed())
    assert [position for position, _ in seen] == list(range(1, writers * (each + 1) + 1))


def test_a_waiter_is_woken_by_an_append(log, make):
    assert not log.wait(0, 0.01)
    timer = threading.Timer(0.1, lambda: make.game(log))
    timer.start()
    began = time.monotonic()
    assert log.wait(0, 100)
    assert time.monotonic() - began < 50
    timer.join()
    assert log.wait(0, 0)
    assert not log.wait(1, 0.01)


@pytest.mark.programs
def test_a_waiter_in_another_process_is_woken(path, log, make):
    command = [sys.executable, "-c", WAIT, str(path)]
    with warm.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline() == "ready\n"
        make.game(log)
        assert process.stdout.readline() == "True 1\n"


def test_a_reader_beside_the_log_sees_what_is_committed_at_once(store, path, log, make):
    with store.reader(path) as reader:
        assert reader.position() == 0
        assert not reader.wait(0, 0.01)
        game = make.game(log, 2)
        assert reader.wait(0, 0)
        assert list(reader.read(game)) == list(log.read(game))
        assert reader.position() == log.position() == 3


@ON_SQLITE
def test_a_reader_that_heard_nothing_for_long_looks_rarely_in_each_wait_until_there_is_news(
    store, path, log, make, monkeypatch
):
    now, slept = 0.0, []

    def sleep(seconds: float) -> None:
        nonlocal now
        now += seconds
        slept.append(seconds)

    monkeypatch.setattr(reading, "time", SimpleNamespace(monotonic=lambda: now, sleep=sleep))
    with store.reader(path) as reader:
        assert not reader.wait(0, 2)
        assert slept[0] == reading.POLL
        slept.clear()
        assert not reader.wait(0, 2)
        assert set(slept[:-1]) == {reading.LONGEST_POLL}
        assert len(slept) <= 21
        make.game(log)
        assert reader.wait(0, 2)
        slept.clear()
        assert not reader.wait(1, 2)
        assert slept[0] == reading.POLL


def test_a_listener_hears_of_every_request_before_its_answer(log, make):
    heard = []
    log.subscribe(lambda events: heard.append((events, log.head(events[-1].game), log.position())))
    game = make.id()
    moves = make.moves(2)
    for expected, events in ((0, [make.opening()]), (1, moves)):
        answer = log.append(game, events, expected=expected, recorder="owner")
        assert heard[-1][0] == answer.events
        assert heard[-1][1].version == answer.events[-1].version
        assert heard[-1][2] == log.position()
    log.append(game, moves, expected=1, recorder="owner")
    assert len(heard) == 2


def test_a_listener_hears_once_of_requests_that_share_a_commit(tmp_path, make):
    with SqliteLog(tmp_path / "other.db") as other:
        runs = [tuple(other.read(make.game(other, 2))) for _ in range(3)]
    heard = []
    with SqliteLog(tmp_path / "kifu.db") as log:
        log.subscribe(lambda events: heard.append(list(events)))
        log.copy(runs)
        assert heard == [[event for _, event in log.feed()]]
        assert len(heard[0]) == sum(map(len, runs))


def test_a_listener_that_fails_fails_nothing_else(log, make, caplog):
    heard = []

    def fail(events):
        raise ValueError("deaf")

    log.subscribe(fail)
    log.subscribe(heard.append)
    game = make.game(log)
    assert log.head(game).version == 1
    assert len(heard) == 1
    assert "a listener failed" in caplog.text


def test_the_ends_of_records_are_their_newest_entries_and_where_they_are(log, make):
    """Also of games in several lanes, of one that goes on, and beyond a page of them."""
    games = [make.game(log) for _ in range(9)]
    for version, game in enumerate(games[:5] * 2, 1):
        log.append(game, make.moves(version), expected=log.head(game).version, recorder="owner")
    found = {uuid_text(mark.game): mark[1:] for mark in log.newest_marks()}
    assert found.keys() == set(games)
    for game in games:
        version = log.head(game).version
        assert found[game] == (version, *log.position_of(game, version))


@ON_SQLITE
def test_positions_go_on_after_a_lost_tail(store, path, make, copy_log):
    """A consumer with a cursor beyond the remaining entries must not miss the next ones."""
    log = store.log(path)
    game = make.game(log)
    log.close()
    log = store.log(path)
    other = make.game(log, 4)
    reached = log.position()
    copy = copy_log("torn")
    log.close()
    copy.with_name(copy.name + "-wal").unlink()
    with SqliteLog(copy) as torn:
        assert set(torn.damage) == {other}
        torn.append(game, [make.move()], expected=1, recorder="owner")
        assert torn.position() == reached + 1
        assert [position for position, _ in torn.feed(reached)] == [reached + 1]


@pytest.mark.parametrize("kind", ["log", "reader"])
def test_heads_are_listed_in_the_order_of_opening(store, path, make, kind):
    with store.log(path) as log:
        games = [make.game(log, moves) for moves in range(4)]
    with getattr(store, kind)(path) as opened:
        heads = list(opened.heads())
        assert [(head.game, head.version) for head in heads] == [(game, n + 1) for n, game in enumerate(games)]
        assert heads == [opened.head(game) for game in games]
