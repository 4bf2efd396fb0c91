from __future__ import annotations

import itertools
import json
import sqlite3
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import psycopg
import pytest
from hypothesis import given
from hypothesis import strategies as st

from events import limits
from events.databases.checksums import checksum
from events.errors import LogBusyError
from events.folding import normalized
from events.merges import BadMergeError, Merge, Merges
from events.people import BadNameError, name_sum, proved_name
from events.rows import uuid_bytes
from events.sqlite import SqliteLog, people
from tests.events.stores import IN_BRIEF, ON_SQLITE, Postgres, each_store

store = pytest.fixture(params=IN_BRIEF)(each_store)

NAMES = Path(__file__).parents[1] / "service" / "pages" / "scripts" / "names.json"


def test_names_are_compared_as_the_pages_compare_them():
    """The same names are one here and in `folding.test.mjs`."""
    groups = json.loads(NAMES.read_text(encoding="utf-8"))
    assert all(len({normalized(name) for name in names}) == 1 for names in groups)
    assert len({normalized(first) for first, *_ in groups}) == len(groups)


def test_names_are_kept_by_id(store, path, make):
    ada, bo, cy = (make.id() for _ in range(3))
    with store.log(path) as log:
        log.people.put(cy, "Cy")
        log.people.put(ada, "Ada")
        log.people.put(bo, "  Bo ")
    with store.log(path) as log:
        assert log.people.name(ada) == "Ada"
        assert log.people.name(make.id()) is None
        assert log.people.name("nobody") is None
        assert log.people.names([bo, make.id(), ada, "x"]) == {bo: "Bo", ada: "Ada"}
        assert list(log.people.all().items()) == [(ada, "Ada"), (bo, "Bo"), (cy, "Cy")]
        log.people.put(ada, "Ada L.")
        assert log.people.name(ada) == "Ada L."


@given(st.binary(min_size=16, max_size=16), st.binary(max_size=50))
def test_the_checksum_of_a_name_is_that_of_all_rows(person, name):
    assert name_sum(person, name) == checksum([person, name])


def test_a_name_is_read_as_long_as_each_byte_of_its_row_is_what_was_written(make):
    """Also after the sound row was read: what is remembered is the row as a whole."""
    person, name = make.id(), "Zoë 'Z' \\".encode()
    key = uuid_bytes(person)
    kept = name_sum(key, name)
    assert proved_name(key, name, kept) == (person, name.decode()) == proved_name(key, name, None)
    for row in ((key[::-1], name, kept), (key, name[:-1], kept), (key, name, kept ^ 1), (key, b"Zo\xc3", None)):
        assert proved_name(*row) is None


def test_people_are_found_by_any_part_of_their_name_in_any_case(log, make):
    names = ["Zoë Straße", "ÅSE", "三郎", "Saburō", "100% Ann_e"]
    ids = {name: make.id() for name in names}
    for name, person in ids.items():
        log.people.put(person, name)
    for text, found in {
        "ZOË": ["Zoë Straße"],
        "STRASSE": ["Zoë Straße"],
        "åse": ["ÅSE"],
        "郎": ["三郎"],
        "%": ["100% Ann_e"],
        "_": ["100% Ann_e"],
        "s": ["Saburō", "Zoë Straße", "ÅSE"],
        "x": [],
    }.items():
        assert log.people.find(text) == [ids[name] for name in found]


@pytest.mark.parametrize("name", ["", "   ", "?", " ? ", "x" * (limits.NAME + 1), "a\nb", "a\0b", "\ud83d"])
def test_a_name_that_cannot_be_kept_is_refused(log, make, name):
    with pytest.raises(BadNameError):
        log.people.put(make.id(), name)
    assert log.people.all() == {}


def test_a_person_without_a_uuid_is_refused(log):
    with pytest.raises(ValueError, match="UUID"):
        log.people.put("ada", "Ada")
    assert not log.people.erase("ada")


def files_with(folder, text: str) -> list[str]:
    return [file.name for file in folder.iterdir() if file.is_file() and text.encode() in file.read_bytes()]


@ON_SQLITE
@pytest.mark.parametrize("renamed", [False, True])
def test_no_byte_of_an_erased_name_is_left_in_any_file(store, path, make, copy_log, renamed):
    with store.log(path) as log:
        person = make.id()
        game = make.id()
        log.append(game, [make.opening(seats=[{"player": person}])], expected=0, recorder="owner")
        for number in range(200):
            log.people.put(make.id(), f"Somebody {number}")
        log.people.put(person, "Ermintrude Rumpelstilz")
        log.append(game, make.moves(10), expected=1, recorder="owner")
        if renamed:
            log.people.put(person, "Somebody else")
        assert files_with(copy_log("before").parent, "Rumpelstilz")
        assert log.people.erase(person)
        assert not log.people.erase(person)
        assert files_with(copy_log("after").parent, "Rumpelstilz") == []
        assert log.people.name(person) is None
        assert len(log.people.all()) == 200
        assert len(list(log.read(game))) == 11
    assert files_with(path.parent, "Rumpelstilz") == []
    assert store.verify(path).sound


@ON_SQLITE
def test_an_erasure_that_a_long_read_delays_says_so_and_is_finished_later(store, path, log, make, monkeypatch):
    monkeypatch.setattr(people, "ERASURE_WAIT", 0.05)
    person = make.id()
    log.people.put(person, "Ermintrude Rumpelstilz")
    with store.reader(path) as reader, reader._pool.connection() as connection:
        connection.execute("begin")
        connection.execute("select count(*) from event").fetchone()
        with pytest.raises(LogBusyError):
            log.people.erase(person)
        assert log.people.name(person) is None
        make.game(log)
        connection.execute("rollback")
    assert not log.people.erase(person)
    log.close()
    assert files_with(path.parent, "Rumpelstilz") == []


# One person entered twice


def test_a_merged_person_has_the_name_of_the_kept_one_until_the_split(store, path, make):
    one, kept, other = (make.id() for _ in range(3))
    with store.log(path) as log:
        for person, name in ((one, "Aiko K."), (kept, "Aiko"), (other, "Bo")):
            log.people.put(person, name)
        assert log.people.merge(one, kept, by=other)
        assert not log.people.merge(one, kept, by=other)
    with store.log(path) as log:
        assert log.people.names([one, kept, other]) == {one: "Aiko", kept: "Aiko", other: "Bo"}
        assert log.people.recorded_names([one, kept]) == {one: "Aiko K.", kept: "Aiko"}
        assert log.people.find("K.") == [kept]
        assert log.people.find("") == [kept, other]
        merges = log.people.merges()
        (merge,) = merges.active()
        assert (merge.person, merge.kept, merge.by) == (one, kept, other)
        assert abs(merge.at - time.time() * 1000) < 3_600_000
        assert (merges.final_id(one), merges.final_id(kept), merges.final_id("x")) == (kept, kept, "x")
        assert merges.ids_of([one]) == merges.ids_of([kept]) == {one, kept}
        assert log.people.split(one, by=other)
        assert not log.people.split(one, by=other)
        assert log.people.names([one, kept]) == {one: "Aiko K.", kept: "Aiko"}
        assert log.people.find("") == [kept, one, other]
        assert log.people.merges().ids_of([one, other]) == {one, other}


def test_a_merge_that_would_be_a_circle_or_a_second_one_is_refused(log, make):
    one, two, three, four = (make.id() for _ in range(4))
    log.people.merge(one, two, by="x")
    log.people.merge(two, three, by="x")
    for person, kept in ((one, one), (three, one), (two, one), (one, three), (one, four)):
        with pytest.raises(BadMergeError):
            log.people.merge(person, kept, by="x")
    assert log.people.merges().final_id(one) == three
    log.people.split(two, by="x")
    assert log.people.merges().final_id(one) == two
    log.people.merge(three, one, by="x")
    assert log.people.merges().final_id(three) == two


def test_another_reader_of_the_log_knows_merges_at_once(store, path, log, make):
    one, kept = make.id(), make.id()
    log.people.put(kept, "Aiko")
    with store.reader(path) as reader:
        assert reader.people.names([one]) == {}
        log.people.merge(one, kept, by="x")
        assert reader.people.names([one]) == {one: "Aiko"}
        log.people.split(one, by="x")
        assert reader.people.names([one]) == {}


def test_erasing_a_person_erases_the_names_of_all_their_ids(log, make):
    one, kept, nameless, other = (make.id() for _ in range(4))
    for person, name in ((one, "Aiko K."), (kept, "Aiko"), (other, "Bo")):
        log.people.put(person, name)
    log.people.merge(one, kept, by=other)
    log.people.merge(nameless, kept, by=other)
    assert log.people.erase(one)
    assert not log.people.erase(kept)
    assert log.people.all() == {other: "Bo"}
    assert log.people.erased_among([one, kept, nameless, other]) == {one, kept, nameless}
    log.people.split(nameless, by=other)
    assert log.people.erased_among([nameless]) == {nameless}, "no name comes back by a file"
    assert not log.people.erase(make.id())


def test_merges_that_come_at_once_make_no_circle(log, make):
    people = [make.id() for _ in range(6)]
    refused = []

    def merge(at: int) -> None:
        try:
            log.people.merge(people[at], people[at - 1], by="x")
        except BadMergeError:
            refused.append(at)

    with ThreadPoolExecutor(6) as pool:
        list(pool.map(merge, range(6)))
    assert len(refused) == 1
    assert {log.people.merges().final_id(person) for person in people} == {people[refused[0]]}


def test_nothing_of_a_merge_can_be_changed(store, path, make):
    with store.log(path) as log:
        log.people.merge(make.id(), make.id(), by="x")
    for change in ("update {} set by = 'y'", "delete from {}"):
        if store.name == "sqlite":
            with closing(sqlite3.connect(path)) as files, pytest.raises(sqlite3.IntegrityError, match="another record"):
                files.execute(change.format("merge"))
        else:
            with psycopg.connect(path) as server, pytest.raises(psycopg.errors.InsufficientPrivilege):
                server.execute(change.format("kifu.merge"))


@ON_SQLITE
def test_merges_are_part_of_a_copy_of_the_log(store, path, log, make, tmp_path):
    one, kept = make.id(), make.id()
    log.people.merge(one, kept, by="x")
    log.backup(tmp_path / "copy.db")
    with store.log(tmp_path / "copy.db") as copy:
        assert copy.people.merges().final_id(one) == kept


@ON_SQLITE
def test_a_log_of_an_older_release_has_no_merges(store, path, make):
    with store.log(path):
        pass
    connection = sqlite3.connect(path)
    connection.execute("drop table merge")
    connection.execute("delete from _sqlite_migrations where name like '4%' or name like '6%'")
    connection.execute("pragma user_version = 3")
    connection.commit()
    connection.close()
    one, kept = make.id(), make.id()
    with store.reader(path) as reader:
        assert reader.people.names([one]) == {}
    with store.log(path) as log:
        assert log.people.merge(one, kept, by="x")


def test_a_damaged_name_can_be_erased(log, make, tamper):
    ada = make.id()
    log.people.put(ada, "Ada")
    tamper("update person set name = 'Adb'")
    assert log.people.erase(ada)
    assert (log.people.named_ids([ada]), log.people.erased_among([ada]), log.people.unreadable()) == (set(), {ada}, [])


def test_components_that_are_stored_again_keep_their_time(log, monkeypatch):
    monkeypatch.setattr(log.components, "_clock", itertools.count(1000).__next__)
    first = log.components.put("kahuna", "mine", {"islands": 12})
    assert [log.components.put("kahuna", name, {"islands": 12}) for name in ("mine", " mine ")] == [first, first]
    assert log.components.all("kahuna") == [first]
    assert log.components.put("kahuna", "mine", {"islands": 11}).created_at > first.created_at


def test_a_changed_letter_of_a_name_or_of_components_is_named(log, make, tamper):
    ada, bo = sorted((make.id(), make.id()))
    for person in (ada, bo):
        log.people.put(person, "Ada")
    for name in ("mine", "yours"):
        log.components.put("kahuna", name, {"islands": 12})
    assert (log.people.unreadable(), log.components.unreadable()) == ([], [])
    log.people.erase(bo)
    tamper(
        "update person set name = 'Adb' where name = 'Ada'",
        "update component set created_at = created_at + 1 where name = 'mine'",
    )
    assert (log.people.unreadable(), log.components.unreadable()) == ([ada], ["kahuna 'mine'"])
    assert log.people.names([ada]) == log.people.all() == {}
    assert log.people.find("Ad") == []
    assert (log.people.named_ids([ada, bo]), log.people.erased_among([ada, bo])) == ({ada}, {bo})
    assert [each.name for each in log.components.all("kahuna")] == ["yours"]
    assert [row.name for row in log.components.rows()] == [b"mine", b"yours"]
    log.people.put(ada, "Ada")
    log.components.put("kahuna", "mine", {"islands": 12})
    assert (log.people.unreadable(), log.components.unreadable()) == ([], [])


MERGE_DAMAGES = {
    "the person": "set person = {other} where number = +2",
    "who is kept": "set kept = {other} where number = +2",
    "a split": "set kept = null where number = +2",
    "a time": "set at = at + 1 where number = +2",
    "who recorded it": "set by = 'y' where number = +2",
    "a number": "set number = +4 where number = +2",
    "no record": None,
}


@pytest.mark.parametrize("name", MERGE_DAMAGES)
def test_a_damaged_or_missing_merge_is_named_and_not_believed(store, log, make, tamper, name):
    ada, again, bo, other = (make.id() for _ in range(4))
    log.people.merge(bo, other, by="x")
    log.people.merge(again, ada, by="x")
    log.people.merge(other, make.id(), by="x")
    assert log.people.damaged_merges() == []
    change, stranger = MERGE_DAMAGES[name], make.id()
    literal = f"'{stranger}'::uuid" if isinstance(store, Postgres) else f"x'{stranger.replace('-', '')}'"
    tamper(f"update merge {change.format(other=literal)}" if change else "delete from merge where number = +2")
    log.people._merges = Merges()  # as after a start
    assert log.people.damaged_merges() == ([2, 4] if name == "a number" else [2])
    assert log.people.merges().final_id(again) == again
    assert log.people.merges().final_id(bo) != bo
    assert log.people.merge(again, ada, by="x")
    assert log.people.merges().final_id(again) == ada
    mended = name not in {"the person", "a number", "no record"}  # nobody knows to whom it belonged
    assert (log.people.damaged_merges() == []) == mended


def test_damaged_names_components_and_merges_are_damaged_in_a_copy_too(log, make, tamper, tmp_path):
    ada, bo = sorted((make.id(), make.id()))
    for person in (ada, bo):
        log.people.put(person, "Ada")
    log.people.erase(bo)
    for name in ("mine", "yours"):
        log.components.put("kahuna", name, {"islands": 12})
    log.people.merge(make.id(), ada, by="x")
    tamper(
        "update person set name = 'Adb' where name = 'Ada'",
        "update component set created_at = created_at + 1 where name = 'mine'",
        "update merge set by = 'y'",
    )
    with SqliteLog(tmp_path / "copy.db") as copy:
        for _ in range(2):
            copy.people.restore(log.people.all_records(), log.people.merge_records())
            copy.components.restore(log.components.rows())
            people, components = copy.people, copy.components
            assert (people.unreadable(), components.unreadable(), people.damaged_merges()) == (
                [ada],
                ["kahuna 'mine'"],
                [1],
            )
            assert [row.name for row in components.rows()] == [b"mine", b"yours"]


def test_processes_that_record_merges_at_once_lose_none(store, path, make):
    """Each has a lock of its own, so only the database can say who was faster."""
    with store.log(path) as one:
        other = type(one.people)(*other_hands(one))
        pairs = [(make.id(), make.id()) for _ in range(12)]
        with ThreadPoolExecutor(6) as pool:
            people = [(one.people, other)[at % 2] for at in range(12)]
            made = pool.map(lambda each: each[0].merge(*each[1], by="x"), zip(people, pairs, strict=True))
            assert all(made)
        assert len(one.people.merge_records()) == 12
        assert all(one.people.merges().final_id(person) == kept for person, kept in pairs)


def other_hands(log):
    """What the people of another process work with: the same database."""
    people = log.people
    names = ("_pool", "_writer", "_clock") if hasattr(people, "_pool") else ("_database", "_clock")
    return [getattr(people, name) for name in names]


@ON_SQLITE
def test_merges_of_an_older_release_are_read_and_get_checksums(store, path, make):
    one, kept = make.id(), make.id()
    with store.log(path) as log:
        log.people.merge(one, kept, by="x")
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("alter table merge drop column checksum")
        connection.execute("delete from _sqlite_migrations where name like '6%'")
        connection.execute("pragma user_version = 5")
    with store.reader(path) as reader:
        assert (reader.people.merges().final_id(one), reader.people.damaged_merges()) == (kept, [])
    with store.log(path) as log:
        assert (log.people.merges().final_id(one), log.people.damaged_merges()) == (kept, [])
    with closing(sqlite3.connect(path)) as connection, connection:
        with pytest.raises(sqlite3.IntegrityError, match="another record"):
            connection.execute("update merge set by = 'y'")
        connection.execute("drop trigger merge_no_update")
        connection.execute("update merge set by = 'y'")
    with store.reader(path) as reader:
        assert (reader.people.merges().final_id(one), reader.people.damaged_merges()) == (one, [1])


@ON_SQLITE
def test_names_and_components_of_an_older_release_are_read_and_get_checksums(store, path, make):
    ada, damaged = make.id(), make.id()
    with store.log(path) as log:
        log.people.put(ada, "Ada")
        log.people.put(damaged, "Bo")
        log.components.put("kahuna", "mine", {"islands": 12})
    with closing(sqlite3.connect(path)) as connection, connection:
        for table in ("person", "component"):
            connection.execute(f"alter table {table} drop column checksum")
        connection.execute("update person set name = cast(x'ff' as text) where name = 'Bo'")
        connection.execute("delete from _sqlite_migrations where name like '5%'")
        connection.execute("pragma user_version = 4")
    with store.reader(path) as reader:
        assert reader.people.name(ada) == "Ada"
        assert (reader.people.unreadable(), reader.components.unreadable()) == ([damaged], [])
    with store.log(path) as log:
        assert (log.people.unreadable(), log.components.unreadable()) == ([damaged], [])
        log._writer.change("update person set name = 'Adb' where name = 'Ada'", ())
        assert sorted(log.people.unreadable()) == sorted([ada, damaged])
        assert log.components.find("kahuna", "mine").data == {"islands": 12}


@given(st.lists(st.tuples(st.integers(0, 5), st.one_of(st.none(), st.integers(0, 5))), max_size=30))
def test_any_merges_and_splits_say_who_is_who(steps):
    parent: dict[str, str] = {}
    records: list[Merge] = []

    def end(person: str) -> str:
        return end(parent[person]) if person in parent else person

    for person, kept in ((str(one), None if other is None else str(other)) for one, other in steps):
        merges = Merges(records)
        if kept is None:
            parent.pop(person, None)
        elif person == kept or (person in parent and parent[person] != kept) or end(kept) == person:
            with pytest.raises(BadMergeError):
                merges.check(person, kept)
            continue
        elif person in parent:
            assert not merges.check(person, kept)
            continue
        else:
            assert merges.check(person, kept)
            parent[person] = kept
        records.append(Merge(len(records) + 1, person, kept, 0, "x"))
    merges, people = Merges(records), [str(number) for number in range(6)]
    assert {person: merges.final_id(person) for person in people} == {person: end(person) for person in people}
    for person in people:
        assert merges.ids_of([person]) == {other for other in people if end(other) == end(person)}
    assert {merge.person: merge.kept for merge in merges.active()} == parent
