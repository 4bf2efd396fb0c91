"""Messages of msgspec about a wrong value, with what is possible in its place."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from msgspec import inspect

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

STEP = re.compile(r"\.([^.\[]+)|\[(\d+|\.\.\.)\]")
"""A step of a path: a field, or an item of a list by its number. `...` is any item."""

MOST = 20
"""Words that a message lists. Of the cards of a box there are more."""

_EMPTY = "Expected `str` of length >= 1"
_NO_CHOICE = re.compile(r"Invalid (?:enum )?value (?P<given>.*)", re.DOTALL)
FIELD = re.compile(r"Object (?:contains unknown|missing required) field `(.*)`")
"""A message that has the name of the field."""

_NO_PATTERN = "Expected `str` matching regex"
_DAY = r"\d{4}-"
"""The beginning of the pattern of a day."""


def explain_value(kind: Any, place: str, why: str) -> str:
    """What is wrong with the value at a place of a type. `place` is as in `.rules.tie_breaks[0]`.

    For a message that has the name of a field, it is the place of the object with that field.
    """
    if why == _EMPTY:
        return "it is empty"
    if FIELD.fullmatch(why):
        known = _quoted(_fields_at(kind, place))
        if "unknown" not in why:
            return "missing"
        return f"unknown field; choose one of {known}" if known else "unknown field"
    found = [*_at([inspect.type_info(kind)], place)]
    if wrong := _NO_CHOICE.fullmatch(why):
        words = dict.fromkeys(str(word) for each in found for one in _plain(each) for word in _words(one))
        given, known = wrong["given"], _quoted(words)
        if len(words) > MOST:
            why = f"{given} is unknown"
        elif words:
            why = f"{given} is unknown; choose one of {known}"
    elif why.startswith(_NO_PATTERN) and _DAY in why:
        why = "write the day as in 2026-09-01"
    return why


def _quoted(names: Iterable[str]) -> str:
    """Names of JSON in a sentence."""
    return ", ".join(f"`{name}`" for name in names)


def _fields_at(kind: Any, place: str) -> tuple[str, ...]:
    """The fields of the object at a place of a type; none if it can be of several types."""
    structs = [one for each in _at([inspect.type_info(kind)], place) for one in _plain(each) if _is_struct(one)]
    return tuple(field.encode_name for field in structs[0].fields) if len(structs) == 1 else ()


def _at(kinds: list[Any], place: str) -> Iterator[Any]:
    """The types that a value at a place can have."""
    step = STEP.match(place)
    if step is None:
        yield from kinds
        return
    inner = [part for kind in kinds for one in _plain(kind) for part in _parts(one, step[1])]
    yield from _at([part for each in inner for part in _options(each)], place[step.end() :])


def _parts(kind: Any, field: str | None) -> Iterator[Any]:
    if field is None:
        yield from getattr(kind, "item_types", ()) or filter(None, [getattr(kind, "item_type", None)])
    elif _is_struct(kind):
        yield from (each.type for each in kind.fields if each.encode_name == field)
        if field == kind.tag_field:
            yield inspect.LiteralType((kind.tag,))


def _options(kind: Any) -> Iterator[Any]:
    """The types of a union, or the type itself."""
    yield from kind.types if isinstance(kind, inspect.UnionType) else [kind]


def _plain(kind: Any) -> Iterator[Any]:
    """A type without what is said about it; those of a union."""
    for one in _options(kind):
        yield from _plain(one.type) if isinstance(one, inspect.Metadata) else [one]


def _words(kind: Any) -> tuple[Any, ...]:
    return tuple(kind.values) if isinstance(kind, inspect.LiteralType) else ()


def _is_struct(kind: Any) -> bool:
    return isinstance(kind, inspect.StructType)
