"""Erasing is an entry: marks that contradict these entries are found, in a database and in a file."""

from __future__ import annotations

import json
from uuid import UUID, uuid5

import msgspec
import pytest

from events import ndjson, seals
from events.canonical import canonical, digest, exported
from events.event import NewEvent
from events.schemas import SCHEMAS
from events.seals import Erasure
from events.verification import verify_export
from tests.events.stores import IN_BRIEF, each_store

store = pytest.fixture(params=IN_BRIEF)(each_store)


@pytest.fixture
def table(log, make):
    """A game with two notes. The first one was erased."""
    game = make.id()
    notes = [NewEvent(id=make.id(), type="note.added", data={"text": f"note {number}"}) for number in (2, 3)]
    log.append(game, [make.opening(title="Sunday"), *notes], expected=0, recorder="owner")
    return game


def relay(log, game, version, change):
    """Lay other seals beside an entry, as somebody can who writes into the database."""
    event = next(log.read(game, version - 1, version))
    log.copy_seals(msgspec.structs.replace(event, sealed=change(event.sealed)))


def mark(by, at):
    return lambda sealed: seals.erase(sealed, "text", Erasure(by, at))


def found(store, path, log, game):
    """The problems of the database, which are those of an export, too."""
    in_database = [(each.kind, each.version) for each in store.verify(path).problems]
    in_file = [(each.kind, each.version) for each in verify_export(ndjson.export(log, game, now=0)).problems]
    assert in_database == in_file
    return in_database


def test_erasing_is_an_entry_that_names_what_and_why(log, table):
    log.erase(table, 2, "text", "ann", "it was a secret")
    said = list(log.read(table))[-1]
    assert (said.version, said.type, said.recorder) == (4, "entry.erased", "ann")
    assert said.data == {"entry": 2, "what": "text", "reason": "it was a secret"}
    assert b"secret" not in said.body
    (seal,) = seals.unpack(next(log.read(table, 1, 2)).sealed)
    assert seal.erased == Erasure("ann", said.recorded_at)


def test_the_reason_of_an_erasure_can_be_erased(log, table):
    log.erase(table, 2, "text", "ann", "it was a secret")
    log.erase(table, 4, "text", "ann")
    assert SCHEMAS.read(list(log.read(table))[3]).reason == ""
    assert [event.type for event in log.read(table)][3:] == ["entry.erased", "entry.erased"]


def test_an_erasure_is_sound(store, path, log, table):
    log.erase(table, 2, "text", "ann")
    assert found(store, path, log, table) == []


def test_an_erasure_that_was_undone_is_found(store, path, log, table):
    before = next(log.read(table, 1, 2)).sealed
    log.erase(table, 2, "text", "ann")
    relay(log, table, 2, lambda _: before)
    assert found(store, path, log, table) == [("unerased", 2)]


def test_an_invented_erasure_is_found(store, path, log, table):
    relay(log, table, 3, mark("ann", 7))
    assert found(store, path, log, table) == [("unrecorded", 3)]


def test_an_erasure_that_was_laid_on_another_entry_is_found(store, path, log, table):
    before = next(log.read(table, 1, 2)).sealed
    log.erase(table, 2, "text", "ann")
    at = list(log.read(table))[-1].recorded_at
    relay(log, table, 2, lambda _: before)
    relay(log, table, 3, mark("ann", at))
    assert found(store, path, log, table) == [("unerased", 2), ("unrecorded", 3)]


def test_an_erasure_that_was_laid_on_somebody_else_is_found(store, path, log, table):
    before = next(log.read(table, 1, 2)).sealed
    log.erase(table, 2, "text", "ann")
    at = list(log.read(table))[-1].recorded_at
    relay(log, table, 2, lambda _: mark("bea", at)(before))
    assert found(store, path, log, table) == [("unrecorded", 2)]


def test_erasing_again_finishes_what_was_interrupted(store, path, log, table, monkeypatch):
    def killed(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(log, "_exchange_seals", killed)
    with pytest.raises(KeyboardInterrupt):
        log.erase(table, 2, "text", "ann")
    monkeypatch.undo()
    assert found(store, path, log, table) == [("unerased", 2)]
    log.erase(table, 2, "text", "bea")
    assert found(store, path, log, table) == []
    assert [event.recorder for event in log.read(table, 3)] == ["ann"]


def test_the_id_of_an_erasure_follows_from_the_game_and_nobody_keeps_it_from_being_recorded(log, table, make):
    taken = str(uuid5(UUID(table), "2 text"))
    note = NewEvent(id=taken, type="note.added", data={"text": "in the way"})
    log.append(table, [note], expected=3, recorder="eve")
    log.erase(table, 2, "text", "ann")
    log.erase(table, 3, "text", "ann")
    one, other = list(log.read(table))[4:]
    assert (one.type, other.type) == ("entry.erased", "entry.erased")
    assert one.id != taken
    assert other.id == str(uuid5(UUID(table), "3 text"))


def test_what_others_record_meanwhile_does_not_keep_an_erasure_from_being_recorded(log, table, make, monkeypatch):
    append = log.append

    def meanwhile(*asked, **more):
        monkeypatch.undo()
        append(table, [NewEvent(id=make.id(), type="note.added", data={"text": "b"})], expected=3, recorder="bea")
        return append(*asked, **more)

    monkeypatch.setattr(log, "append", meanwhile)
    log.erase(table, 2, "text", "ann")
    assert [event.type for event in log.read(table, 3)] == ["note.added", "entry.erased"]


def older(log, make):
    """A game that was opened before erasures were entries, with a note."""
    first = next(log.read(make.game(log)))
    game = make.id()
    old = msgspec.structs.replace(first, game=game, id=game, schema=3)
    log.adopt([msgspec.structs.replace(old, hash=digest(canonical(old)))])
    note = NewEvent(id=make.id(), type="note.added", data={"text": "a note"})
    log.append(game, [note], expected=1, recorder="owner")
    return game


def test_a_mark_from_before_erasures_were_entries_is_read_as_it_is_and_said_to_be_so(store, path, log, make):
    game = older(log, make)
    relay(log, game, 2, mark("ann", 7))
    assert found(store, path, log, game) == []
    assert store.verify(path).bare_erasures == 1
    assert verify_export(ndjson.export(log, game, now=0)).bare_erasures == 1


def test_a_mark_that_is_later_than_the_first_such_entry_is_invented_in_any_game(store, path, log, make):
    game = older(log, make)
    log.append(game, [NewEvent(id=make.id(), type="note.added", data={"text": "b"})], expected=2, recorder="owner")
    log.erase(game, 2, "text", "ann")
    at = list(log.read(game))[-1].recorded_at
    relay(log, game, 3, mark("ann", at))
    assert found(store, path, log, game) == [("unrecorded", 3)]


def test_a_file_with_an_erasure_of_nothing_that_came_before_is_refused(log, table):
    lines = list(ndjson.export(log, table, now=0))
    last = ndjson.parse_event(lines[-1])
    body = b'{"entry":9,"what":"text"}'
    false = msgspec.structs.replace(last, version=4, id=table, type="entry.erased", schema=1, body=body, sealed=None)
    false = msgspec.structs.replace(false, prev=last.hash)
    false = msgspec.structs.replace(false, hash=digest(canonical(false)))
    header = json.loads(lines[0]) | {"events": 4, "head": false.hash}
    problems = verify_export([json.dumps(header).encode(), *lines[1:], exported(false)]).problems
    assert [(each.kind, each.version) for each in problems] == [("unrecorded", 4)]


def test_a_clock_that_goes_back_is_found(store, path, log, table):
    lines = list(ndjson.export(log, table, now=0))
    last = ndjson.parse_event(lines[-1])
    back = msgspec.structs.replace(last, recorded_at=last.recorded_at - 60_000)
    back = msgspec.structs.replace(back, hash=digest(canonical(back)))
    header = json.loads(lines[0]) | {"head": back.hash}
    problems = verify_export([json.dumps(header).encode(), *lines[1:-1], exported(back)]).problems
    assert [(each.kind, each.version, each.line) for each in problems] == [("backdated", 3, 4)]


def test_a_file_says_how_many_seals_are_open_erased_and_shut(log, table):
    log.erase(table, 2, "text", "ann")
    counts = verify_export(ndjson.export(log, table, now=0)).seals
    assert (counts.open, counts.erased, counts.shut) == (2, 1, 0)
