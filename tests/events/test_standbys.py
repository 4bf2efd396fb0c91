"""A standby gives what the primary has, in every state of the standby, and in bounded time.

One primary and one standby for all tests here, in this order: the last one has the standby take over.
"""

from __future__ import annotations

import os
import signal
import threading
import time
from pathlib import Path

import pytest

from events.postgres import PostgresLog, RoutedLog, RoutedReader, prepare, standbys
from tests import postgres as server
from tests.events.stores import LANES
from tests.postgres import Copy, Primary
from tests.waiting import until

pytestmark = pytest.mark.skipif(
    not Path("/proc/self/task").exists(), reason="the server's processes are found in /proc"
)
LONG = 300
"""Entries of a long game."""
BOUND = 20.0
"""Seconds in which a read comes back on a loaded machine. It waits for a standby a fifth of a second, not for ever."""


PROMISED = standbys.PAGE_TIMEOUT


@pytest.fixture(autouse=True)
def patience(monkeypatch):
    """A machine that is busy with other things is not what is tried here, but where it says so."""
    monkeypatch.setattr(standbys, "PAGE_TIMEOUT", 5.0)


@pytest.fixture
def promised(monkeypatch):
    """As it is."""
    monkeypatch.setattr(standbys, "PAGE_TIMEOUT", PROMISED)


@pytest.fixture(scope="module")
def pair(postgres):
    with server.server_folder() as folder:
        (folder / "one").mkdir()
        primary = Primary(folder / "one", **server.FLEETING)
        prepare(primary.url, server.ROLE, LANES if os.environ.get("KIFU_TEST_STORE") == "lanes" else 1)
        copy = Copy(primary, folder / "two")
        yield primary, copy
        copy.signal(signal.SIGCONT) if copy.process else None
        copy.kill()
        primary.kill()


@pytest.fixture
def copy(pair):
    return pair[1]


@pytest.fixture
def log(pair):
    """The log, once its standby is read from."""
    with RoutedLog(pair[0].url, pair[1].url) as opened:
        until(lambda: opened.standbys[0].is_usable)
        yield opened


@pytest.fixture
def truth(pair):
    """The log without its standby."""
    with PostgresLog(pair[0].url) as opened:
        yield opened


def follows(copy: Copy, log: RoutedLog) -> None:
    """Wait until the standby has all of the log, and the log knows."""
    (standby,) = log.standbys
    position = log.position()
    until(lambda: standby.is_usable and standby._position >= position)
    assert copy.do("select sum(head)::bigint from kifu.lane") == position


def pause(copy: Copy) -> None:
    copy.do("select pg_wal_replay_pause()")
    until(lambda: copy.do("select pg_get_wal_replay_pause_state()") == "paused")


def comes_back(log, truth, game) -> None:
    """Wait until a game comes from the standby again."""
    before = given(log)
    until(lambda: list(log.read(game)) == list(truth.read(game)) and given(log) > before)


def given(log: RoutedLog) -> int:
    return log.standbys[0].state.pages


def timed(read):
    began = time.monotonic()
    found = list(read)
    assert time.monotonic() - began < BOUND
    return found


@pytest.mark.slow
def test_whole_games_and_long_stretches_of_the_feed_come_from_a_standby(pair, log, truth, make, monkeypatch):
    copy, game = pair[1], make.game(log, LONG)
    follows(copy, log)
    before = given(log)
    assert timed(log.read(game)) == list(truth.read(game))
    assert given(log) == before + 1
    assert list(log.lines(game, 200, "record")) == list(truth.lines(game, 200, "record"))
    before = given(log) - 1
    assert timed(log.read(game, 100, 200)) == list(truth.read(game, 100, 200))
    assert given(log) == before + 2
    assert timed(log.feed()) == list(truth.feed())
    assert timed(log.feed(5, 70)) == list(truth.feed(5, 70))
    assert given(log) >= before + 3
    with monkeypatch.context() as small:
        small.setattr(standbys, "PAGES", 100)
        before = given(log)
        assert timed(log.read(game)) == list(truth.read(game))
        assert given(log) == before + 4
        assert timed(log.feed(0, 250)) == list(truth.feed(0, 250))
        assert given(log) == before + 6, "what is left is not worth a question"
    before = given(log)
    assert timed(log.read(game, 240, 300)) == list(truth.read(game, 240, 300))
    assert (timed(log.read(game, 0, 0)), timed(log.feed(0, 3))) == ([], list(truth.feed(0, 3)))
    assert given(log) == before, "what is short comes from the primary"
    with RoutedReader(pair[0].url, copy.url) as reader:
        until(lambda: reader.standbys[0].is_usable)
        assert list(reader.read(game)) == list(truth.read(game))
        assert reader.standbys[0].state.pages == 1


def test_what_is_written_is_read_at_once_and_what_the_standby_lacks_it_is_waited_for(copy, log, truth, make):
    game = make.game(log, 100)
    version = 101
    for _ in range(10):
        version = log.append(game, make.moves(3), expected=version, recorder="owner").events[-1].version
        assert [event.version for event in timed(log.read(game))] == [*range(1, version + 1)]
    pause(copy)
    version = log.append(game, make.moves(3), expected=version, recorder="owner").events[-1].version
    before = given(log)
    resume = threading.Timer(0.05, lambda: copy.do("select pg_wal_replay_resume()"))
    resume.start()
    assert timed(log.read(game)) == list(truth.read(game))
    resume.join()
    assert given(log) == before + 1


def test_a_standby_that_stands_still_keeps_nobody_waiting_twice_and_old_games_still_come_from_it(
    copy, log, truth, make, promised
):
    old = make.game(log, 100)
    follows(copy, log)
    pause(copy)
    try:
        fresh = [make.game(log, 100) for _ in range(5)]
        began, before = time.monotonic(), given(log)
        for game in fresh:
            assert list(log.read(game)) == list(truth.read(game))
        assert given(log) == before
        assert time.monotonic() - began < 5 * standbys.PAGE_TIMEOUT + BOUND
        comes_back(log, truth, old)
        until(lambda: (log.standbys[0].state.lag or 0) > 10_000)
    finally:
        copy.do("select pg_wal_replay_resume()")
    until(lambda: log.standbys[0].state.lag == 0)


def test_what_was_erased_does_not_come_back_from_a_standby_that_has_it_still(copy, log, truth, make, promised):
    game, other = make.id(), make.game(log, 100)
    log.append(game, [make.opening(title="Quetzal"), *make.moves(99)], expected=0, recorder="owner")
    follows(copy, log)
    assert b"Quetzal" in (next(iter(log.read(game))).sealed or b"")
    pause(copy)
    try:
        log.erase(game, 1, "text", "ann")
        before = given(log)
        for events in (log.read(game), log.read(other), (event for _, event in log.feed())):
            assert not any(b"Quetzal" in (event.sealed or b"") for event in events)
        assert given(log) == before
    finally:
        copy.do("select pg_wal_replay_resume()")
    comes_back(log, truth, game)


def test_the_primary_has_its_own_time_however_much_of_it_a_standby_took(copy, log, truth, make, promised, monkeypatch):
    game = make.game(log, 100)
    follows(copy, log)
    read = standbys._Copy.read

    def slowly(self, *span):
        found = list(read(self, *span))
        time.sleep(standbys.PAGE_TIMEOUT)
        return iter(found)

    monkeypatch.setattr(standbys._Copy, "read", slowly)
    before = given(log)
    assert list(log.read(game)) == list(truth.read(game))
    assert given(log) == before + 1, "it has come, if late"


def test_a_standby_that_is_silent_is_given_up_in_time_and_used_again(copy, log, truth, make, promised, caplog):
    game = make.game(log, 100)
    follows(copy, log)
    copy.signal(signal.SIGSTOP)
    try:
        for _ in range(3):
            assert timed(log.read(game)) == list(truth.read(game))
        until(lambda: "in time" in (log.standbys[0].state.why or ""))
        assert "is not read from" in caplog.text
    finally:
        copy.signal(signal.SIGCONT)
    comes_back(log, truth, game)


def test_a_standby_that_is_killed_is_passed_over_and_used_again(copy, log, truth, make):
    game = make.game(log, 100)
    follows(copy, log)
    copy.kill()
    try:
        for _ in range(3):
            assert timed(log.read(game)) == list(truth.read(game))
        until(lambda: not log.standbys[0].is_usable)
    finally:
        copy.start()
    comes_back(log, truth, game)


def test_a_damaged_standby_damages_nothing(copy, log, truth, make):
    """A bit that is flipped on its disk is noticed, is no damage of the record, and the primary answers."""
    game = make.game(log, 100)
    follows(copy, log)
    copied = log.standbys[0]._copy
    for what, name in ((copied, "_entries"), (copied._order, "rows_between")):
        rows = getattr(what, name)
        setattr(what, name, lambda *asked, rows=rows: [(*row[:9], row[9] + b" ", *row[10:]) for row in rows(*asked)])
    before = given(log)
    assert list(log.read(game)) == list(truth.read(game))
    assert list(log.feed()) == list(truth.feed())
    assert (given(log), dict(log.damage)) == (before, {})


def test_what_is_no_standby_of_this_log_gives_nothing_and_says_why(pair, database, truth, make):
    """The primary itself, a server that is not there, one that has another log, and one that has none."""
    game = make.game(truth, 100)
    with PostgresLog(database) as other:
        make.game(other, 100)
    away = f"postgresql://kifu@/kifu?host={pair[0].folder}/nowhere"
    with RoutedLog(pair[0].url, f"{pair[0].url} {away}") as log:
        assert list(log.read(game)) == list(truth.read(game))
        until(lambda: not any("yet" in standby.state.why for standby in log.standbys))
        own, gone = (standby.state for standby in log.standbys)
        assert "follows no primary" in own.why
        assert "nowhere" in gone.why
        assert (own.pages, gone.pages) == (0, 0)


def test_a_log_that_went_another_way_gives_nothing(pair, copy, truth, database, make):
    """A standby in recovery, named beside a primary that is not its own: nothing but the entries tell."""
    make.game(truth, 100)  # an empty log is the beginning of any
    until(lambda: copy.do("select sum(head)::bigint from kifu.lane") == truth.position())
    with PostgresLog(database) as other:
        games = [make.game(other, 100) for _ in range(5)]
        expected = [list(other.read(game)) for game in games]
    with RoutedLog(database, copy.url) as log:
        until(lambda: "another log" in (log.standbys[0].state.why or ""))
        assert [list(log.read(game)) for game in games] == expected
        log.standbys[0]._copy, log.standbys[0]._why = standbys._Copy(copy.url), None  # as in the moment before the look
        log.standbys[0]._position = 10**6
        assert [event for _, event in log.feed()] == [event for game in expected for event in game]
        assert log.standbys[0].state.pages == 0


def test_a_standby_that_takes_over_is_read_from_no_more(pair, copy, log, truth, make):
    game = make.game(log, 100)
    follows(copy, log)
    assert copy.do("select pg_promote()")
    with PostgresLog(copy.url) as strayed:
        strayed.append(game, make.moves(5), expected=101, recorder="owner")
        strayed_game = make.game(strayed, 100)
    version = log.append(game, make.moves(3), expected=101, recorder="owner").events[-1].version
    assert [event.version for event in timed(log.read(game))] == [*range(1, version + 1)]
    assert list(log.read(game)) == list(truth.read(game))
    assert log.head(strayed_game) is None
    assert list(log.feed()) == list(truth.feed())
    until(lambda: "promoted" in (log.standbys[0].state.why or ""))
