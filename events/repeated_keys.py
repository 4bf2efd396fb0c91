"""Keys that stand twice in one object of JSON: readers do not agree which of the two counts."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any


def repeated_key(pairs: list[tuple[str, Any]]) -> str | None:
    """The first key that stands twice in an object."""
    if len(dict(pairs)) == len(pairs):
        return None
    return next(key for key, times in Counter(key for key, _ in pairs).items() if times > 1)


def find_repeated_key(content: bytes | str) -> str | None:
    """The first key that stands twice in an object of some JSON. Raises `ValueError`, `RecursionError`."""
    found = list[str]()

    def look(pairs: list[tuple[str, Any]]) -> None:
        if (key := repeated_key(pairs)) is not None:
            found.append(key)

    json.loads(content, object_pairs_hook=look)
    return found[0] if found else None
