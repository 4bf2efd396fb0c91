from __future__ import annotations

import math

import msgspec
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from events.canonical import canonical, digest
from events.encoding import encode_data
from events.entries import check_event, check_new
from events.errors import BadEventError, LogNewerError
from events.event import Event, NewEvent, timestamp
from events.schemas import SCHEMAS, Schemas
from events.types import TYPES, EventData, GameOpened, MoveMade
from tests.cases import cases
from tests.events.test_properties import moves


class MoveOfNow(EventData, frozen=True):
    """The third form of a move's data: first it had a name, then a list of names, now a list of words and a seat."""

    said: list[str]
    seat: int


def split(data):
    return {"names": [data["name"]]}


def seat(data):
    return {"said": data["names"], "seat": 0}


@pytest.fixture
def schemas():
    return Schemas({"move.made": MoveOfNow}, {"move.made": (split, seat)})


def event(schema: int, **data: object) -> Event:
    bare = Event(
        game="018f0000-0000-7000-8000-000000000001",
        version=2,
        id="018f0000-0000-7000-8000-000000000002",
        type="move.made",
        schema=schema,
        recorded_at=1763722851123,
        happened_at=None,
        recorder="owner",
        body=encode_data(data),
        prev="0" * 64,
        hash="",
    )
    return msgspec.structs.replace(bare, hash=digest(canonical(bare)))


@pytest.mark.parametrize(
    "old", [event(1, name="ann"), event(2, names=["ann"]), event(3, said=["ann"], seat=0)], ids=["1", "2", "3"]
)
def test_every_released_schema_is_read_as_the_current_one(schemas, old):
    new = schemas.upcast(old)
    assert (new.schema, new.data) == (3, {"said": ["ann"], "seat": 0})
    assert schemas.read(old) == MoveOfNow(["ann"], 0)
    assert (new.hash, new.version, new.id) == (old.hash, old.version, old.id)
    assert digest(canonical(old)) == old.hash


def test_an_event_of_the_current_schema_is_left_as_it_is(schemas):
    now = event(3, said=[], seat=1)
    assert schemas.upcast(now) is now
    assert schemas.current("move.made") == 3


@pytest.mark.parametrize("unknown", [event(4), msgspec.structs.replace(event(1), type="move.dreamt")])
def test_an_event_that_only_a_newer_release_knows_is_refused(schemas, unknown):
    with pytest.raises(LogNewerError, match="newer release"):
        schemas.upcast(unknown)


def test_new_data_has_the_current_form(schemas):
    new = NewEvent(id=event(1).id, type="move.made", data={"seat": 1, "said": ["b"]})
    assert schemas.plain.check(0, new)[0] == b'{"said":["b"],"seat":1}'
    with pytest.raises(BadEventError, match=r"data\.name: unknown field"):
        schemas.plain.check(0, NewEvent(id=new.id, type="move.made", data={"name": "ann"}))


GAME = "018f0000-0000-7000-8000-000000000001"


def checked(check):
    """What a check gives, or the place and the reason of its refusal."""
    try:
        return list(check())
    except BadEventError as error:
        return error.index, error.path, str(error)


def requested(datas):
    return [
        NewEvent(id=f"018f0000-0000-7000-8000-{at:012x}", type="move.made", data=data) for at, data in enumerate(datas)
    ]


UNSOUND = (
    {"move": {"at": (1, 2)}},
    {"move": {"at": math.nan}},
    {"move": {"at": 2**53 + 1}},
    {"move": {"at": "a\0b"}},
    {"move": {"at": "\ud83d"}},
    {"move": {1: 2}},
    {"move": 3},
    {"move": {}, "said": 1},
    {},
    [],
    None,
)


@given(datas=st.lists(moves | st.sampled_from(UNSOUND), min_size=2, max_size=5))
@example(datas=[{"move": {"said": '"\n\\'}}, {"move": {"at": [[], {}, "{[" * 40]}}])
@pytest.mark.slow
def test_entries_are_checked_together_as_each_by_itself(datas):
    events = requested(datas)
    together = checked(lambda: check_new(GAME, events, 1, "owner"))
    assert together == checked(lambda: (check_event(index, each) for index, each in enumerate(events)))


def test_sound_entries_of_a_request_are_read_back_at_once(monkeypatch):
    events = requested([{"move": {"at": number}} for number in range(9)])
    alone = [check_event(0, event) for event in events]
    monkeypatch.delattr("events.schemas.Reader.check")
    assert check_new(GAME, events, 1, "owner") == alone


def test_data_is_decoded_as_its_types_structure():
    opened = msgspec.structs.replace(
        event(1), type="game.opened", body=b'{"revision":2,"ruleset":"kahuna","seats":[{},{}]}'
    )
    assert isinstance(SCHEMAS.read(opened), GameOpened)
    assert SCHEMAS.read(event(1, move={"a": 1})) == MoveMade({"a": 1})


def test_every_type_has_a_schema():
    assert all(SCHEMAS.current(name) >= 1 for name in TYPES)


@cases(
    ("milliseconds", "text"),
    [
        (0, "1970-01-01T00:00:00.000Z"),
        (1763722851123, "2025-11-21T11:00:51.123Z"),
        (1763722851999, "2025-11-21T11:00:51.999Z"),
        (253402300799999, "9999-12-31T23:59:59.999Z"),
    ],
)
def test_times_are_written_to_the_millisecond(milliseconds, text):
    assert timestamp(milliseconds) == text


@pytest.mark.parametrize("name", ["kahuna\n", "\nkahuna"])
def test_a_name_is_followed_by_no_line_end(name: str) -> None:
    with pytest.raises(msgspec.ValidationError, match="ruleset"):
        msgspec.convert({"ruleset": name, "revision": 1, "seats": [{}]}, GameOpened)


def test_a_claim_tells_what_stands_on_the_paper_and_after_which_entry():
    claim = TYPES["score.claimed"]
    assert msgspec.convert({"scores": [3, None], "entry": 7, "text": "on a napkin"}, claim).summary() == {
        "entry": 7,
        "text": "on a napkin",
        "claim": {"scores": [3, None]},
    }
    assert msgspec.convert({"scores": [3]}, claim).summary() == {"entry": None, "text": None, "claim": {"scores": [3]}}
