"""Why a value cannot be kept as JSON, and where in it the reason lies."""

from __future__ import annotations

from math import isfinite
from typing import Any

INTEGER_LIMIT = 2**53
"""Integers beyond this, either way, are not the same number in every JSON reader."""

Fault = tuple[str, str]
"""The path of a value and what is wrong with it."""


def fault(value: object, depth: int, path: str = "data") -> Fault | None:
    """The first part of a value that JSON cannot express or the log refuses; None for valid data.

    Refused: more than `depth` levels, NaN and infinities, integers beyond 2^53, text with NUL or half a surrogate pair.
    Keys that are not text are refused, too, and types that JSON does not have.
    """
    match value:
        case None | bool():
            return None
        case str():
            why = _text_fault(value)
        case int():
            why = None if -INTEGER_LIMIT <= value <= INTEGER_LIMIT else "an integer beyond 2^53"
        case float():
            why = None if isfinite(value) else "not a finite number"
        case dict() | list() if depth == 0:
            why = "nested too deeply"
        case dict():
            return _object_fault(value, depth - 1, path)
        case list():
            items = (fault(item, depth - 1, f"{path}[{i}]") for i, item in enumerate(value))
            return next(filter(None, items), None)
        case _:
            why = f"{type(value).__name__} is not a JSON type"
    return None if why is None else (path, why)


def _object_fault(value: dict[Any, Any], depth: int, path: str) -> Fault | None:
    for key, item in value.items():
        if not isinstance(key, str):
            return path, f"the key {key!r} is not a text"
        if why := _text_fault(key):
            return path, f"the key {key!r}: {why}"
        if found := fault(item, depth, f"{path}.{key}"):
            return found
    return None


def _text_fault(text: str) -> str | None:
    if "\0" in text:
        return "text with a NUL character"
    try:
        text.encode()
    except UnicodeEncodeError:
        return "text with half a surrogate pair"
    return None
