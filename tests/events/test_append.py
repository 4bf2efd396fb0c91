from __future__ import annotations

import math
from itertools import pairwise

import pytest

from events import limits
from events.errors import (
    BadEventError,
    BatchSizeError,
    GameUnknownError,
    IdReusedError,
    LogClosedError,
    StaleVersionError,
)
from events.event import Head, NewEvent
from events.sqlite import SqliteLog
from tests.events.stores import IN_BRIEF, each_store

store = pytest.fixture(params=IN_BRIEF)(each_store)


def test_what_was_appended_is_read_back_and_chained(log, make):
    game = make.id()
    opened = log.append(game, [make.opening()], expected=0, recorder="owner")
    moved = log.append(game, make.moves(3), expected=1, recorder="ann")
    events = list(log.read(game))
    assert events == [*opened.events, *moved.events]
    assert [event.version for event in events] == [1, 2, 3, 4]
    assert events[0].prev == "0" * 64
    assert all(after.prev == before.hash for before, after in pairwise(events))
    assert [event.recorder for event in events] == ["owner", "ann", "ann", "ann"]
    assert log.head(game) == Head(game, 4, events[-1].hash)
    assert (opened.new, moved.new) == (1, 3)


def test_an_appended_event_outlives_the_process(store, path, make):
    with store.log(path) as log:
        game = make.game(log, 5)
        before = list(log.read(game))
    with store.log(path) as log:
        assert list(log.read(game)) == before
        assert log.append(game, [make.move()], expected=6, recorder="owner").events[0].version == 7


def test_a_part_of_a_game_is_read_by_versions(log, make):
    game = make.game(log, 600)
    assert [event.version for event in log.read(game, 3, 6)] == [4, 5, 6]
    assert [event.version for event in log.read(game, after=598)] == [599, 600, 601]
    assert list(log.read(game, after=601)) == []
    assert list(log.read(game, after=9000)) == []
    assert len(list(log.read(game))) == 601


def test_an_unknown_game_is_named(log, make):
    game = make.id()
    with pytest.raises(GameUnknownError, match=game):
        log.read(game)
    with pytest.raises(GameUnknownError):
        log.read("no id at all")
    assert log.head(game) is None
    assert log.find(game) is None
    assert log.find("no id at all") is None


def test_a_retried_append_is_stored_once(log, make):
    game, opening, moves = make.id(), make.opening(), make.moves(3)
    log.append(game, [opening], expected=0, recorder="owner")
    first = log.append(game, moves, expected=1, recorder="owner")
    log.append(game, [make.move()], expected=4, recorder="owner")
    again = log.append(game, moves, expected=1, recorder="somebody else")
    assert again.events == first.events
    assert (first.new, again.new) == (3, 0)
    assert log.head(game).version == 5
    assert log.append(game, [opening], expected=0, recorder="owner").new == 0


def test_a_retry_that_brings_more_stores_the_rest(log, make):
    game, moves = make.game(log), make.moves(5)
    log.append(game, moves[:2], expected=1, recorder="owner")
    appended = log.append(game, moves, expected=1, recorder="owner")
    assert appended.new == 3
    assert [event.version for event in appended.events] == [2, 3, 4, 5, 6]
    assert list(log.read(game, 1)) == list(appended.events)


def test_a_retry_that_brings_more_is_stale_when_others_came_between(log, make):
    game, moves = make.game(log), make.moves(3)
    log.append(game, moves[:1], expected=1, recorder="owner")
    other = make.move()
    log.append(game, [other], expected=2, recorder="owner")
    with pytest.raises(StaleVersionError) as stale:
        log.append(game, moves, expected=1, recorder="owner")
    assert [event.id for event in stale.value.missed] == [moves[0].id, other.id]
    assert log.find(moves[1].id) is None


def test_a_stale_version_is_told_what_it_missed(log, make):
    game = make.game(log, 4)
    with pytest.raises(StaleVersionError) as stale:
        log.append(game, [make.move()], expected=2, recorder="owner")
    assert (stale.value.expected, stale.value.head) == (2, 5)
    assert stale.value.missed == tuple(log.read(game, 2))
    with pytest.raises(StaleVersionError) as early:
        log.append(game, [make.move()], expected=9, recorder="owner")
    assert (early.value.head, early.value.missed) == (5, ())


def test_an_unknown_game_is_at_version_zero(log, make):
    with pytest.raises(StaleVersionError) as stale:
        log.append(make.id(), [make.move()], expected=3, recorder="owner")
    assert (stale.value.head, stale.value.missed) == (0, ())


def test_a_stale_answer_is_bounded(log, make):
    game = make.game(log, 999)
    log.append(game, make.moves(500), expected=1000, recorder="owner")
    with pytest.raises(StaleVersionError) as stale:
        log.append(game, [make.move()], expected=1, recorder="owner")
    assert [event.version for event in stale.value.missed] == list(range(2, 1002))


@pytest.mark.parametrize("change", ["data", "happened_at", "type", "place", "game"])
def test_an_id_with_another_body_or_at_another_place_is_refused(log, make, change):
    game, first, second = make.game(log), make.move("A-B"), make.move("C-D")
    stored = log.append(game, [first], expected=1, recorder="owner").events[0]
    other = {
        "data": NewEvent(id=first.id, type="move.made", data={"move": {"type": "other"}}),
        "happened_at": NewEvent(id=first.id, type=first.type, data=first.data, happened_at="2026-01-01T10:00:00Z"),
        "type": NewEvent(id=first.id, type="note.added", data={"text": "x"}),
        "place": first,
        "game": first,
    }[change]
    into, expected = (make.game(log, beside=game), 1) if change == "game" else (game, 2)
    with pytest.raises(IdReusedError) as reused:
        log.append(into, [second, other], expected=expected, recorder="owner")
    assert (reused.value.index, reused.value.event_id, reused.value.stored) == (1, first.id, stored)
    assert log.find(second.id) is None
    assert log.head(into).version == expected


def test_the_data_is_compared_as_json_not_as_text(log, make):
    game, event_id = make.game(log), make.id()
    one = NewEvent(id=event_id, type="move.made", data={"move": {"a": 1, "b": [1.5, None, "ü"]}})
    same = NewEvent(id=event_id, type="move.made", data={"move": {"b": [1.5, None, "ü"], "a": 1}})
    log.append(game, [one], expected=1, recorder="owner")
    assert log.append(game, [same], expected=1, recorder="owner").new == 0


def nested(depth: int) -> object:
    value: object = 0
    for _ in range(depth):
        value = [value]
    return value


BAD = {
    "an id that is no UUID": ({"id": "7"}, "id"),
    "an id in capitals": ({"id": "018F0000-0000-7000-8000-000000000001"}, "id"),
    "an id that is no text": ({"id": 7}, "id"),
    "an unknown type": ({"type": "move.imagined"}, "type"),
    "an opening that is not the first": (
        {"type": "game.opened", "data": {"ruleset": "k", "revision": 1, "seats": [{}]}},
        "type",
    ),
    "data that is no object": ({"data": [1]}, "data"),
    "a missing field": ({"data": {}}, "data.move"),
    "an unknown field": ({"data": {"move": {}, "colour": 1}}, "data.colour"),
    "a wrong type": ({"data": {"move": 3}}, "data.move"),
    "a wrong type further in": ({"data": {"move": {}, "override": {"reason": 3}}}, "data.override.reason"),
    "NaN": ({"data": {"move": {"at": [1, math.nan]}}}, "data.move.at[1]"),
    "infinity": ({"data": {"move": {"at": -math.inf}}}, "data.move.at"),
    "an integer beyond 2^53": ({"data": {"move": {"at": 2**53 + 1}}}, "data.move.at"),
    "an integer beyond 2^63": ({"data": {"move": {"at": -(2**80)}}}, "data.move.at"),
    "half a surrogate pair": ({"data": {"move": {"at": "\ud83d"}}}, "data.move.at"),
    "half a pair in a key": ({"data": {"move": {"\ud83d": 1}}}, "data.move"),
    "NUL": ({"data": {"move": {"at": {"x": "a\0b"}}}}, "data.move.at.x"),
    "a key that is no text": ({"data": {"move": {1: 2}}}, "data.move"),
    "a tuple": ({"data": {"move": {"at": (1, 2)}}}, "data.move.at"),
    "bytes": ({"data": {"move": {"at": b"x"}}}, "data.move.at"),
    "an object": ({"data": {"move": {"at": object()}}}, "data.move.at"),
    "too deep": ({"data": {"move": {"at": nested(limits.DEPTH - 1)}}}, "data.move.at" + "[0]" * (limits.DEPTH - 2)),
    "far too deep": ({"data": {"move": {"at": nested(100_000)}}}, "data.move.at" + "[0]" * (limits.DEPTH - 2)),
    "too long": ({"data": {"move": {"at": "x" * limits.DATA}}}, "data"),
    "a date without an offset": ({"happened_at": "2026-03-01T20:15:00"}, "happened_at"),
    "a day that is none": ({"happened_at": "2026-02-30T20:15:00Z"}, "happened_at"),
    "a day of the year 0 in UTC": ({"happened_at": "0001-01-01T00:00:00+14:00"}, "happened_at"),
    "a day of the year 10000 in UTC": ({"happened_at": "9999-12-31T23:59:59-01:00"}, "happened_at"),
    "an offset that is none": ({"happened_at": "2026-02-03T20:15:00+99:99"}, "happened_at"),
    "a time that is no text": ({"happened_at": 5}, "happened_at"),
}


def test_a_bad_event_is_named_by_its_place_and_nothing_is_stored(log, make, subtests):
    game = make.game(log)
    for name, (changes, path) in BAD.items():
        with subtests.test(name):
            good = make.move()
            bad = NewEvent(**({"id": make.id(), "type": "move.made", "data": {"move": {}}} | changes))
            with pytest.raises(BadEventError) as error:
                log.append(game, [good, bad], expected=1, recorder="owner")
            assert (error.value.index, error.value.path) == (1, path)
            assert log.find(good.id) is None
            assert log.head(game).version == 1


BAD_OPENINGS = (
    ({"options": {"a": True, "b": 1.5, "c": 1}}, "data.options.b"),
    ({"options": {"a": True, "no name": 1}}, "data.options.no name"),
    ({"seats": [{}, {"player": "x"}]}, "data.seats[1].player"),
    ({"seats": [{}, {"name": "Ada"}]}, "data.seats[1].name"),
    ({"seats": []}, "data.seats"),
    ({"title": "a\nb"}, "data.title"),
    ({"revision": True}, "data.revision"),
)


def test_a_bad_opening_is_named_by_its_field(log, make, subtests):
    for changes, field in BAD_OPENINGS:
        with subtests.test(field):
            with pytest.raises(BadEventError) as error:
                log.append(make.id(), [make.opening(**changes)], expected=0, recorder="owner")
            assert (error.value.index, error.value.path) == (0, field)


def test_the_first_event_opens_the_game(log, make):
    with pytest.raises(BadEventError, match=r"game\.opened is the first event"):
        log.append(make.id(), [make.move()], expected=0, recorder="owner")
    with pytest.raises(BadEventError, match="event 1: type"):
        log.append(make.id(), [make.opening(), make.opening()], expected=0, recorder="owner")
    assert list(log.heads()) == []


def test_what_is_just_within_the_limits_is_taken(log, make):
    game = make.game(log)
    at = [
        "x" * (limits.DATA - 200),
        2**53,
        -(2**53),
        1e300,
        nested(limits.DEPTH - 4),
        "\U0001f600",
        {},
        [],
        None,
        False,
    ]
    data = {"move": {"at": at}}
    event = NewEvent(id=make.id(), type="move.made", data=data, happened_at="2026-02-28T23:59:59.123456+05:30")
    stored = log.append(game, [event], expected=1, recorder="owner").events[0]
    assert stored.data == data
    assert list(log.read(game, 1)) == [stored]


def test_a_batch_has_a_limit_and_is_never_empty(log, make):
    game = make.game(log)
    for count in (0, limits.BATCH + 1):
        with pytest.raises(BatchSizeError):
            log.append(game, make.moves(count), expected=1, recorder="owner")
    assert log.append(game, make.moves(limits.BATCH), expected=1, recorder="owner").new == limits.BATCH


def test_an_id_stands_once_in_a_request(log, make):
    game, move = make.game(log), make.move()
    with pytest.raises(BadEventError, match="event 1: id: the same id"):
        log.append(game, [move, move], expected=1, recorder="owner")


def test_a_game_that_is_no_uuid_is_refused(log, make):
    for bad in ("no id", "018F0000-0000-7000-8000-000000000001"):
        with pytest.raises(BadEventError, match="event 0: game"):
            log.append(bad, [make.opening()], expected=0, recorder="owner")


def test_a_recorder_has_a_printable_name(log, make):
    for recorder in ("x" * 201, "a\nb", "\ud83d"):
        with pytest.raises(BadEventError, match="recorder"):
            log.append(make.id(), [make.opening()], expected=0, recorder=recorder)


def test_recorded_times_never_go_back_even_if_the_clock_does(store, path, make):
    times = iter([5000, 9000, 3000, 2000, 9001])
    with store.log(path, clock=lambda: next(times)) as log:
        game = make.game(log)
        for version in range(1, 3):
            log.append(game, [make.move()], expected=version, recorder="owner")
    with store.log(path, clock=lambda: next(times)) as log:
        for version in range(3, 5):
            log.append(game, [make.move()], expected=version, recorder="owner")
        assert [event.recorded_at for event in log.read(game)] == [5000, 9000, 9000, 9000, 9001]


def test_a_closed_log_says_so(store, path, make):
    log = store.log(path)
    game = make.game(log)
    log.close()
    with pytest.raises(LogClosedError):
        log.append(game, [make.move()], expected=1, recorder="owner")
    with pytest.raises(LogClosedError):
        list(log.read(game))
    log.close()


def test_an_event_is_found_by_its_id(log, make):
    game = make.game(log, 3)
    for event in log.read(game):
        assert log.find(event.id) == event


def test_a_record_of_another_past_is_not_adopted_behind_this_one(log, make, tmp_path):
    """It fits by its version, and does not follow: a chain would break that is whole."""
    game, opening = make.id(), make.opening()
    with SqliteLog(tmp_path / "other.db", clock=lambda: 7) as other:
        other.append(game, [opening, *make.moves(3)], expected=0, recorder="other")
        foreign = list(other.read(game))
    log.append(game, [opening, *make.moves(1)], expected=0, recorder="owner")
    with pytest.raises(StaleVersionError):
        log.adopt(foreign[2:])
    assert [event.version for event in log.read(game)] == [1, 2]
    again = make.id()
    with SqliteLog(tmp_path / "third.db") as third:
        third.append(again, [make.opening(), *make.moves(3)], expected=0, recorder="third")
        events = list(third.read(again))
    assert log.adopt(events[:2]).new == 2
    with pytest.raises(StaleVersionError):
        log.adopt(events[3:])
    assert log.adopt(events).new == 2
    assert list(log.read(again)) == events
