"""Lines of notation gone wrong."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import random
    from collections.abc import Sequence


_PART = re.compile(r"[A-Za-z]+|[0-9]+|\S")


def garbled(text: str, others: Sequence[str], chance: random.Random) -> str:
    """A line with some words or parts of words left out, repeated, changed places or replaced by those of others."""
    parts = _PART.findall(text)
    for _ in range(chance.randint(1, 3)):
        at = chance.randrange(len(parts) + 1)
        match chance.randrange(6):
            case 0:
                del parts[at : at + 1]
            case 1:
                parts[at:at] = parts[max(0, at - chance.randint(1, 3)) : at] * chance.choice((1, 1, 2, 40))
            case 2:
                parts[at : at + 1] = chance.choice(others).split()[:1]
            case 3:
                parts[at:at] = _PART.findall(chance.choice(others))[-3:]
            case 4:
                parts[at : at + 1] = [str(chance.choice((0, 1, 7, 99, 100, 1000)))]
            case _:
                parts[at : at + 2] = reversed(parts[at : at + 2])
    return (" " if chance.random() < 0.7 else "").join(parts)
