"""Keys that stand twice in one object of JSON: readers do not agree which of the two counts."""

from __future__ import annotations

import json
import re
from collections import Counter
from typing import Any

import msgspec

_CODED_COLON = re.compile(rb"\\u003a", re.IGNORECASE)


def may_repeat_a_key(sent: bytes, found: Any) -> bool:
    """Whether an object of some JSON may have a key twice; `found` is what it says, with each key once.

    It is written again, without what was repeated, and the colons are counted in both. One stands behind each key, and
    those inside texts are the same in both, unless they are written in codes (`\\u003a`). So JSON with such codes may
    be suspected without a repeated key; JSON with a repeated key always is.
    """
    return bool(_CODED_COLON.search(sent)) or sent.count(b":") != msgspec.json.encode(found).count(b":")


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
