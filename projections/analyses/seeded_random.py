"""Random numbers that are the same everywhere: they depend on a seed, not on the release of Python."""

from __future__ import annotations

import random
from hashlib import sha256
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Sequence

T = TypeVar("T")


class SeededRandom:
    """A `games.contract.Chance` for one simulated game: number `number` from an entry of a game.

    It uses only `random()` of Python's generator, which is guaranteed to stay the same.
    """

    def __init__(self, seed: str, entry: int, number: int) -> None:
        digest = sha256(f"{seed} {entry} {number}".encode()).digest()
        self._seed = int.from_bytes(digest[:16])
        self._lots = random.Random(self._seed)  # noqa: S311  it is not for secrets
        self._next = self._lots.random

    @property
    def is_used(self) -> bool:
        """Whether any number was drawn."""
        return self._lots.getstate() != random.Random(self._seed).getstate()  # noqa: S311

    def choice(self, seq: Sequence[T]) -> T:
        """An element of the sequence."""
        return seq[int(self._next() * len(seq))]

    def sample(self, population: Sequence[T], k: int) -> list[T]:
        """`k` different elements of the population, in any order."""
        pool = list(population)
        for place in range(k):
            other = place + int(self._next() * (len(pool) - place))
            pool[place], pool[other] = pool[other], pool[place]
        return pool[:k]
