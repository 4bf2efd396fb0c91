"""Bodies that come often have a short way in. It takes what the long way takes, gives the same, and refuses nothing."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import msgspec
from hypothesis import given
from hypothesis import strategies as st
from marshmallow import ValidationError

from events.types import TYPES
from service.api.endpoints import load, may_repeat_a_key
from service.api.schemas.entries import EntriesSchema
from tests.cases import cases

if TYPE_CHECKING:
    from service.recording.judging import Draft

ID = "0199d2f3-6a00-7000-8000-000000000001"

scalars = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8)
values = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner), max_leaves=5
)
entries = st.fixed_dictionaries(
    {},
    optional={
        "id": st.sampled_from([ID, ID.upper(), ID + "\n", ID[:-1], "", 7, None]),
        "type": st.sampled_from([*TYPES, "move", "", 3, None]),
        "data": st.dictionaries(st.text(max_size=4), values, max_size=3) | values,
        "happened_at": st.none() | st.text(max_size=8) | values,
        "more": st.integers(),
    },
)
bodies = st.fixed_dictionaries({}, optional={"events": st.lists(entries, max_size=3) | values, "more": values}) | values


class Unasked(EntriesSchema):
    """The schema of entries, if it is not asked what is wrong."""

    def load(self, *_: Any, **__: Any) -> None:
        """Nothing."""


def quickly(sent: Any) -> dict[str, Any] | None:
    """What is loaded the short way."""
    found: dict[str, Any] | None = load(Unasked(), sent)
    return found


def fields_of(drafts: list[Draft]) -> list[dict[str, Any]]:
    return [msgspec.structs.asdict(each) for each in drafts]


@given(bodies)
def test_the_short_way_in_gives_what_the_schema_gives(sent: Any) -> None:
    quick = quickly(sent)
    try:
        loaded = EntriesSchema().load(sent)
    except ValidationError:
        assert quick is None
    else:
        assert quick is not None
        assert fields_of(quick["events"]) == fields_of(loaded["events"])


@cases("type_", [name for name in TYPES if name not in {"game.opened", "entry.erased"}])
def test_the_short_way_in_takes_every_type_of_entry(type_: str) -> None:
    assert quickly({"events": [{"id": ID, "type": type_, "data": {}}]})


def test_the_short_way_in_takes_as_many_entries_as_the_schema() -> None:
    one = {"id": ID, "data": {}}
    assert quickly({"events": [one] * 1000})
    assert quickly({"events": [one] * 1001}) is None
    assert quickly({"events": []}) is None


def written(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    """Lists and objects as text; a key can stand in an object twice."""
    blank = st.sampled_from(["", " ", "\t\r\n"])
    key = st.sampled_from(["a", "b", ":", '"', "a\\"]).map(json.dumps)
    pair = st.tuples(key, blank, st.just(":"), blank, inner).map("".join)
    return st.lists(pair, max_size=3).map(lambda pairs: "{" + ",".join(pairs) + "}") | st.lists(inner, max_size=2).map(
        lambda each: "[" + ",".join(each) + "]"
    )


texts = st.recursive(
    st.sampled_from(["null", "1", '""', '":"', '" :"', '"\\":"', '"\\u0022:"', '"\\u003a"', '"a"']),
    written,
    max_leaves=6,
)


@given(texts)
def test_a_body_with_a_repeated_key_is_always_suspected_and_a_plain_one_never(text: str) -> None:
    repeated = False

    def look(pairs: list[tuple[str, Any]]) -> None:
        nonlocal repeated
        repeated |= len(dict(pairs)) < len(pairs)

    json.loads(text, object_pairs_hook=look)
    suspected = may_repeat_a_key(text.encode(), msgspec.json.decode(text))
    assert suspected or not repeated
    if "\\u003a" not in text:
        assert suspected == repeated
