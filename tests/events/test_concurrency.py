from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from events.errors import IdReusedError, LogClosedError, StaleVersionError
from events.event import NewEvent
from tests.events.stores import ON_SQLITE


@pytest.fixture
def together():
    """Call a function once for each argument, all at the same moment, and give the results in order."""

    def run(function, arguments):
        arguments = list(arguments)
        barrier = threading.Barrier(len(arguments))

        def call(argument):
            barrier.wait()
            return function(argument)

        with ThreadPoolExecutor(len(arguments)) as pool:
            return list(pool.map(call, arguments))

    return run


def test_the_same_request_sent_fifty_times_at_once_is_stored_once(log, make, together):
    game, moves = make.game(log), make.moves(3)
    answers = together(lambda _: log.append(game, moves, expected=1, recorder="owner"), range(50))
    assert len({answer.events for answer in answers}) == 1
    assert sorted(answer.new for answer in answers) == [0] * 49 + [3]
    assert log.head(game).version == 4


def test_the_same_opening_sent_fifty_times_at_once_opens_one_game(log, make, together):
    game, opening = make.id(), make.opening()
    answers = together(lambda _: log.append(game, [opening], expected=0, recorder="owner"), range(50))
    assert len({answer.events for answer in answers}) == 1
    assert sum(answer.new for answer in answers) == 1
    assert [head.game for head in log.heads()] == [game]


def test_of_many_at_the_same_version_one_wins_and_the_others_learn_what_they_missed(log, make, together):
    game = make.game(log)

    def send(event):
        try:
            return log.append(game, [event], expected=1, recorder="owner").events
        except StaleVersionError as stale:
            return stale.missed

    answers = together(send, make.moves(20))
    assert {events[0] for events in answers} == set(log.read(game, 1))
    assert log.head(game).version == 2


def test_one_id_in_two_games_at_once_is_stored_once(log, make, together):
    move = make.move()
    first = make.game(log)
    games = [first, *(make.game(log, beside=first) for _ in range(19))]

    def send(game):
        try:
            return log.append(game, [make.move(), move], expected=1, recorder="owner").new
        except IdReusedError as reused:
            return reused.stored.id

    answers = together(send, games)
    assert (answers.count(2), answers.count(move.id)) == (1, 19)
    assert sum(head.version for head in log.heads()) == 22


def test_a_bad_neighbour_does_not_spoil_a_group(log, make, together):
    """Requests that share a commit succeed or fail each by itself."""
    first = make.game(log, 1)
    games = [first, *(make.game(log, 1, beside=first) for _ in range(23))]
    taken = next(iter(log.read(first, 1))).id

    def send(number):
        event, expected = make.move(), 2
        if number % 3 == 1:
            event = NewEvent(id=taken, type="move.made", data={"move": {}})
        elif number % 3 == 2:
            expected = 1
        try:
            return log.append(games[number], [event], expected=expected, recorder="owner").new
        except (IdReusedError, StaleVersionError) as error:
            return type(error)

    assert together(send, range(24)) == [1, IdReusedError, StaleVersionError] * 8


def test_writers_of_one_game_all_get_through_by_taking_in_what_they_missed(log, make, together):
    game, writers, each = make.game(log), 4, 50

    def write(_):
        version = 1
        for move in make.moves(each):
            while True:
                try:
                    version = log.append(game, [move], expected=version, recorder="owner").events[-1].version
                    break
                except StaleVersionError as stale:
                    version = stale.missed[-1].version

    together(write, range(writers))
    events = list(log.read(game))
    assert len(events) == len({event.id for event in events}) == 1 + writers * each


@pytest.mark.slow
def test_what_was_accepted_is_finished_when_the_log_closes(store, path, make, together):
    log = store.log(path)
    games = [make.game(log) for _ in range(16)]
    stored = [1] * len(games)
    closing = threading.Event()

    def write(number):
        if number == len(games):
            closing.wait()
            log.close()
            return
        try:
            while True:
                log.append(games[number], make.moves(1), expected=stored[number], recorder="owner")
                stored[number] += 1
                if stored[number] == 5:
                    closing.set()
        except LogClosedError:
            pass

    together(write, range(len(games) + 1))
    assert store.verify(path).sound
    with store.log(path) as again:
        assert [again.head(game).version for game in games] == stored


def test_names_and_appends_do_not_hold_each_other_up(log, make, together):
    game = make.game(log)
    people = [make.id() for _ in range(8)]

    def work(number):
        for turn in range(10):
            if number < 8:
                log.people.put(people[number], f"Ada {turn}")
            else:
                log.append(make.id(), [make.opening()], expected=0, recorder="owner")

    together(work, range(16))
    assert set(log.people.names(people).values()) == {"Ada 9"}
    assert len(list(log.heads())) == 81
    assert log.head(game).version == 1


@ON_SQLITE
def test_a_head_is_never_behind_what_the_feed_shows(log, make, together, monkeypatch):
    """The feed shows a commit before the writer has taken it down, however long that takes."""
    add, stop, shown, behind = log._writer._heads.add, threading.Event(), [0], []
    monkeypatch.setattr(log._writer._heads, "add", lambda marks: (time.sleep(0.002), add(marks)))

    def follow():
        position = 0
        while not stop.is_set() or position < log.position():
            for position, event in log.feed(position):  # noqa: B007, B020 - the cursor is where the feed was left
                shown[0] += 1
                head = log.head(event.game)
                if head is None or head.version < event.version:
                    behind.append((event.version, head))

    follower = threading.Thread(target=follow)
    follower.start()

    def play(_):
        for _ in range(4):
            game = make.game(log)
            log.append(game, make.moves(1), expected=1, recorder="owner")

    together(play, range(32))
    stop.set()
    follower.join()
    assert behind == []
    assert shown[0] == 32 * 4 * 2
