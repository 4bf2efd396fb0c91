from __future__ import annotations

import pytest

from events import limits
from events.errors import LogBusyError
from events.people import BadNameError
from events.sqlite import people
from tests.events.stores import ON_SQLITE


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
def test_no_byte_of_an_erased_name_is_left_in_any_file(store, path, make, copied, renamed):
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
        assert files_with(copied("before").parent, "Rumpelstilz")
        assert log.people.erase(person)
        assert not log.people.erase(person)
        assert files_with(copied("after").parent, "Rumpelstilz") == []
        assert log.people.name(person) is None
        assert len(log.people.all()) == 200
        assert len(list(log.read(game))) == 11
    assert files_with(path.parent, "Rumpelstilz") == []
    assert store.verify(path).sound


@ON_SQLITE
def test_an_erasure_that_a_long_read_delays_says_so_and_is_finished_later(store, path, log, make, monkeypatch):
    monkeypatch.setattr(people, "PATIENCE", 0.05)
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
