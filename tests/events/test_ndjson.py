from __future__ import annotations

import hashlib
import json

import msgspec
import pytest

from events import ndjson
from events.canonical import canonical, exported
from events.errors import (
    BadEventError,
    BatchSizeError,
    DamagedError,
    GameUnknownError,
    IdReusedError,
    StaleVersionError,
)
from events.event import NewEvent
from events.sqlite import SqliteLog
from events.verification import verify_export
from tests.events.stores import AT_REST, ON_SQLITE, each_store
from tests.proof import prove

store = pytest.fixture(params=AT_REST)(each_store)


@pytest.fixture
def game(log, make):
    game = make.game(log, 4)
    event = NewEvent(
        id=make.id(),
        type="note.added",
        data={"text": 'Ünïcödé "quoted" \\ \n\t\U0001f600 </script>'},
        happened_at="2026-03-01T20:15:00+01:00",
    )
    log.append(game, [event], expected=5, recorder='ann "the pen"')
    return game


@pytest.fixture
def lines(log, game):
    return list(ndjson.export(log, game, now=1763722851123))


@pytest.fixture
def events(lines):
    return [ndjson.parse_event(line) for line in lines[1:]]


def rehashed(event, **changes):
    """The event changed, with a hash that fits again."""
    changed = msgspec.structs.replace(event, **changes)
    own = hashlib.sha256(canonical(changed)).hexdigest()
    return msgspec.structs.replace(changed, hash=own)


@ON_SQLITE
def test_a_file_can_be_proved_with_sha_256_alone(lines):
    """What the guide tells a stranger to do: hash the line without what was put behind it, and follow `prev`."""
    prove(lines[1:])
    header = json.loads(lines[0])
    assert (header["format"], header["format_version"], header["events"], header["head"]) == (
        "kifu.game",
        2,
        6,
        json.loads(lines[-1])["hash"],
    )


def test_a_file_is_read_back_as_the_same_events(log, game, lines, events):
    assert events == list(log.read(game))
    assert [exported(event) + b"\n" for event in events] == lines[1:]


@ON_SQLITE
def test_a_sound_file_has_no_problems(lines):
    report = verify_export(lines)
    assert report.sound
    assert (report.games, report.events) == (1, 6)


def test_a_file_can_hold_several_games(log, make, lines):
    other = list(ndjson.export(log, make.game(log, 5), now=0))
    file = [*lines, b"\n", b"\xef\xbb\xbf" + other[0], *other[1:]]
    report = verify_export(file)
    assert (report.sound, report.games, report.events) == (True, 2, 12)
    assert [(game.line, len(game.events)) for game in ndjson.read(file)] == [(1, 6), (9, 6)]
    cut = verify_export([*lines[:-1], *other])
    assert [(each.kind, each.game, each.version) for each in cut.problems] == [
        ("truncated", json.loads(lines[0])["game"], 6)
    ]
    strange = verify_export([*lines, *other[:3], lines[3], *other[3:]])
    assert [(each.kind, each.line) for each in strange.problems] == [("rewritten", 11)]


@ON_SQLITE
def test_a_byte_order_mark_before_a_file_is_passed_over(lines):
    assert verify_export([b"\xef\xbb\xbf" + lines[0], *lines[1:]]).sound


@ON_SQLITE
def test_lines_between_games_may_be_empty(lines):
    assert verify_export([*lines, b"\n", b""]).sound


@ON_SQLITE
def test_a_game_that_stands_twice_in_a_file_is_refused_even_if_each_is_sound(lines, events):
    again = rehashed(events[-1], recorder="eve")
    header = lines[0].replace(events[-1].hash.encode(), again.hash.encode())
    other = [header, *lines[1:-1], exported(again) + b"\n"]
    assert verify_export(other).sound
    for twice in (lines, other):
        problems = verify_export([*lines, *twice]).problems
        assert [(each.kind, each.line) for each in problems] == [("doubled", 8)]


@ON_SQLITE
def test_a_header_without_entries_is_refused(lines):
    header = json.loads(lines[0]) | {"events": 0, "head": "0" * 64}
    (problem,) = verify_export([json.dumps(header).encode()]).problems
    assert (problem.kind, problem.line) == ("unreadable", 1)


OTHER_FORMS = {
    "blanks": (lambda line: line.replace(b'":', b'": ', 1), "byte 9"),
    "a blank before it": (lambda line: b" " + line, "byte 1"),
    "another order": (lambda line: json.dumps(dict(reversed(json.loads(line).items())), separators=(",", ":")).encode(),
                      "byte 3"),
    "an escape": (lambda line: line.replace(b"data", b"d\\u0061ta", 1), "\\u0061"),
    "CR LF": (lambda line: line.replace(b"\n", b"\r\n"), "CR LF"),
    "another number": (lambda line: line.replace(b'"at":1', b'"at":1e2', 1), "e2"),
    "a key twice": (lambda line: line.replace(b'"data"', b'"data":{"at":7},"data"', 1), 'the key "data" appears twice'),
    "a key twice inside": (lambda line: line.replace(b'"at":1', b'"at":7,"at":1', 1), 'the key "at" appears twice'),
}  # fmt: skip


@ON_SQLITE
@pytest.mark.parametrize("name", OTHER_FORMS)
def test_a_line_that_is_not_the_bytes_that_were_hashed_is_refused(lines, name):
    change, why = OTHER_FORMS[name]
    found = verify_export([*lines[:3], change(lines[3]), *lines[4:]]).problems
    assert [(each.kind, each.version, each.line) for each in found] == [("unreadable", 3, 4)]
    assert why in found[0].why


@ON_SQLITE
def test_a_key_that_stands_twice_in_the_header_is_refused(lines):
    header = lines[0].replace(b'"events":6', b'"events":7,"events":6')
    (problem,) = verify_export([header, *lines[1:]]).problems
    assert (problem.kind, problem.line) == ("unreadable", 1)
    assert 'the key "events" appears twice' in problem.why


def test_an_export_ends_where_it_is_asked_to(log, game):
    lines = list(ndjson.export(log, game, now=0, until=3))
    assert json.loads(lines[0])["events"] == 3
    assert verify_export(lines).events == 3
    assert len(list(ndjson.export(log, game, now=0, until=99))) == 7


def test_names_are_written_in_the_order_of_their_ids(log, game):
    """Names come from sets, which have another order in each process. A download must be able to go on at any."""
    one, other = (dict.fromkeys(people, "Aiko") for people in ("ab", "ba"))
    lines = list(ndjson.export(log, game, now=0, players=one))
    assert lines == list(ndjson.export(log, game, now=0, players=other))
    assert list(ndjson.parse_header(lines[0]).players) == ["a", "b"]


def test_an_unknown_game_is_not_exported(log, make):
    with pytest.raises(GameUnknownError):
        list(ndjson.export(log, make.id(), now=0))


CHANGES = {
    "edited": (lambda ls: [*ls[:3], ls[3].replace(b'"at":1', b'"at":7'), *ls[4:]], [("edited", 3, 4)]),
    "a time edited": (lambda ls: [*ls[:3], ls[3].replace(b'_at":"2', b'_at":"3'), *ls[4:]], [("edited", 3, 4)]),
    "a hash edited": (lambda ls: [*ls[:3], ls[3][:-67] + b'0' * 64 + b'"}\n', *ls[4:]], [("edited", 3, 4)]),
    "deleted": (lambda ls: ls[:3] + ls[4:], [("deleted", 3, None)]),
    "two deleted": (lambda ls: ls[:3] + ls[5:], [("deleted", 3, None)]),
    "truncated": (lambda ls: ls[:5], [("truncated", 5, None)]),
    "torn": (lambda ls: [*ls[:6], ls[6][:60]], [("unreadable", 6, 7)]),
    "reordered": (lambda ls: [*ls[:3], ls[4], ls[3], *ls[5:]], [("reordered", 3, 5)]),
    "doubled": (lambda ls: [*ls[:4], ls[3], *ls[4:]], [("doubled", 3, 5)]),
    "no JSON": (lambda ls: [*ls[:3], b"hello\n", *ls[4:]], [("unreadable", 3, 4)]),
    "an unknown member": (lambda ls: [*ls[:3], b'{"a":1,' + ls[3][1:], *ls[4:]], [("unreadable", 3, 4)]),
    "too long a line": (lambda ls: [*ls[:3], b" " * 200_000 + ls[3], *ls[4:]], [("unreadable", 3, 4)]),
    "too deep": (lambda ls: [*ls[:3], b"[" * 100_000, *ls[4:]], [("unreadable", 3, 4)]),
    "no header": (lambda ls: ls[1:], [("unreadable", None, 1)]),
    "another header": (lambda ls: [ls[0].replace(b"kifu.game", b"kifu.song"), *ls[1:]], [("unreadable", None, 1)]),
    "nothing": (lambda ls: ls[:0], [("unreadable", None, 1)]),
}  # fmt: skip


@ON_SQLITE
@pytest.mark.parametrize("name", CHANGES)
def test_a_changed_file_is_found_out_and_the_line_named(lines, name):
    change, expected = CHANGES[name]
    found = verify_export(change(lines)).problems
    assert [(problem.kind, problem.version, problem.line) for problem in found] == expected


@ON_SQLITE
def test_an_entry_of_another_game_is_found_out(log, make, lines):
    other = list(ndjson.export(log, make.game(log, 5), now=0))
    found = verify_export([*lines[:3], other[3], *lines[4:]]).problems
    assert [(problem.kind, problem.version, problem.line) for problem in found] == [
        ("rewritten", 3, 4),
        ("deleted", 3, None),
    ]


@ON_SQLITE
def test_an_entry_with_a_hash_that_fits_it_is_found_out_by_the_next(lines, events):
    forged = rehashed(events[2], body=b'{"move":{}}')
    found = verify_export([*lines[:3], exported(forged), *lines[4:]]).problems
    assert [(problem.kind, problem.version, problem.line) for problem in found] == [("rewritten", 4, 5)]


@ON_SQLITE
def test_a_chain_forged_to_its_end_is_found_out_by_the_header(lines, events):
    forged, prev = list(lines[:3]), events[1].hash
    for event in events[2:]:
        again = rehashed(event, prev=prev, recorder="eve")
        forged.append(exported(again))
        prev = again.hash
    found = verify_export(forged).problems
    assert [(problem.kind, problem.version) for problem in found] == [("rewritten", 6)]


@ON_SQLITE
def test_entries_that_changed_places_are_named(lines, events):
    """Swapped in content, with their versions and links left in place."""
    one, two = events[2], events[4]
    taken = {"id", "body", "recorded_at", "recorder", "happened_at", "type", "hash"}
    first = msgspec.structs.replace(one, **{name: getattr(two, name) for name in taken})
    second = msgspec.structs.replace(two, **{name: getattr(one, name) for name in taken})
    swapped = [*lines[:3], exported(first), lines[4], exported(second), lines[6]]
    found = [(problem.kind, problem.version) for problem in verify_export(swapped).problems]
    assert ("swapped", 3) in found
    assert ("swapped", 5) in found


def test_a_game_is_adopted_with_its_chain(tmp_path, log, game, lines, events):
    with SqliteLog(tmp_path / "other" / "kifu.db") as other:
        adopted = other.adopt(events)
        assert (adopted.events, adopted.new) == (tuple(events), 6)
        assert list(other.read(game)) == list(log.read(game))
        assert list(ndjson.export(other, game, now=1763722851123)) == lines
        assert other.adopt(events).new == 0
        assert other.adopt(events[3:]).new == 0


def test_a_game_that_went_on_elsewhere_is_adopted_in_parts(tmp_path, log, make, game, events):
    with SqliteLog(tmp_path / "other" / "kifu.db") as other:
        assert other.adopt(events[:2]).new == 2
        appended = other.adopt(events[1:5])
        assert (appended.new, appended.events) == (3, tuple(events[1:5]))
        assert other.adopt(events).new == 1
        more = other.append(game, [make.move()], expected=6, recorder="owner")
        assert log.adopt(more.events).new == 1
        assert log.head(game) == other.head(game)


def test_a_game_that_went_another_way_is_not_adopted(tmp_path, log, make, game, events):
    with SqliteLog(tmp_path / "other" / "kifu.db") as other:
        other.adopt(events)
        mine = log.append(game, [make.move()], expected=6, recorder="owner").events
        theirs = other.append(game, make.moves(2), expected=6, recorder="owner").events
        with pytest.raises(StaleVersionError) as stale:
            log.adopt([*events, *theirs])
        assert (stale.value.head, stale.value.missed[-1]) == (7, mine[0])
        with pytest.raises(StaleVersionError) as stale:
            log.adopt(theirs[1:])
        assert stale.value.missed == mine
        assert log.head(game).version == 7


def test_an_id_that_stands_in_another_game_is_not_adopted(tmp_path, log, make, game, events):
    with SqliteLog(tmp_path / "other" / "kifu.db") as other:
        taken = NewEvent(id=events[2].id, type="move.made", data={"move": {}})
        other.append(make.game(other), [taken], expected=1, recorder="owner")
        with pytest.raises(IdReusedError) as reused:
            other.adopt(events)
        assert reused.value.index == 2
        assert other.head(game) is None


UNSOUND = {
    "an edited entry": (lambda es: [*es[:2], msgspec.structs.replace(es[2], recorder="eve")], (2, "hash")),
    "a gap": (lambda es: [es[0], es[2]], (1, "prev")),
    "a forged entry": (lambda es: [es[0], rehashed(es[1], prev="1" * 64)], (1, "prev")),
    "a newer schema": (lambda es: [rehashed(es[0], schema=99)], (0, "schema")),
    "an unknown type": (lambda es: [rehashed(es[0], type="game.dreamt")], (0, "schema")),
    "data that fits no schema": (lambda es: [rehashed(es[0], body=b'{"ruleset":3}')], (0, "data.ruleset")),
    "time running backwards": (
        lambda es: [es[0], rehashed(es[1], recorded_at=es[0].recorded_at - 1)],
        (1, "recorded_at"),
    ),
    "a time before time": (lambda es: [rehashed(es[0], recorded_at=-1)], (0, "recorded_at")),
    "a recorder that cannot be shown": (lambda es: [rehashed(es[0], recorder="a\nb")], (0, "recorder")),
    "an id twice": (lambda es: [es[0], rehashed(es[1], id=es[0].id)], (0, "id")),
    "an opening in the middle": (lambda es: [rehashed(es[0], version=2)], (0, "type")),
}


@ON_SQLITE
@pytest.mark.parametrize("name", UNSOUND)
def test_what_is_no_sound_chain_is_not_adopted(tmp_path, events, name):
    change, (index, path) = UNSOUND[name]
    with SqliteLog(tmp_path / "other" / "kifu.db") as other:
        with pytest.raises(BadEventError) as error:
            other.adopt(change(events))
        assert (error.value.index, error.value.path) == (index, path)
        assert other.position() == 0


def test_nothing_and_too_much_are_not_adopted(log):
    with pytest.raises(BatchSizeError):
        log.adopt([])


def test_a_damaged_game_is_not_exported(store, path, log, game, tamper):
    log.close()
    tamper("update event set recorder = 'eve' where version = 3")
    with store.log(path) as damaged, pytest.raises(DamagedError, match="version 3"):
        list(ndjson.export(damaged, game, now=0))
