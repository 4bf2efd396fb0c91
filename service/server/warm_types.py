"""Warm types: every type to decode is prepared before a second thread starts.

msgspec works out at a type's first use how it is decoded, and shows half of it to other threads meanwhile. Two threads
that meet there crash the process (up to msgspec 0.22). So each type is used once beforehand.
"""

from __future__ import annotations

from weakref import WeakSet

import msgspec

_WARM = WeakSet[type[msgspec.Struct]]()
"""The types that are ready: to go through all of them again takes milliseconds."""


def warm_types_up() -> None:
    """Make msgspec prepare every imported struct type of any package."""
    for struct in _descendants() - set(_WARM):
        _WARM.add(struct)
        try:
            msgspec.json.Decoder(struct)
        except Exception:  # noqa: BLE001, S112 - nobody decodes it, because nobody can: it may be somebody else's, too
            continue


def _descendants() -> set[type[msgspec.Struct]]:
    found: set[type[msgspec.Struct]] = set()
    new = msgspec.Struct.__subclasses__()
    while new:
        found.update(new)
        new = [child for each in new for child in each.__subclasses__()]
    return found
