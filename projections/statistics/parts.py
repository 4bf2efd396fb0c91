"""Figures of many games in parts: a change of one game changes one part only.

Figures are made of the sums of all parts. So they are the same ones as if all games were counted anew.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

    from projections.statistics.results import Result

LARGEST = 3000
"""How many games are in a part at the most. A changed game is its part counted once more."""

OWN = "own"
"""Begins the names of parts with what is a reader's own."""

T = TypeVar("T")


class Part(NamedTuple, Generic[T]):
    """The sums over some games. Unless `whole`, some were not read yet. `mark` is their other dependency."""

    games: Sequence[Result]
    mark: int
    sums: T
    whole: bool


class Parts(Generic[T]):
    """The parts of a selection of games, by their names."""

    def __init__(self, parts: Mapping[str, Part[T]] | None = None) -> None:
        self._parts = parts or {}

    def items(self) -> Iterable[tuple[str, Part[T]]]:
        """The parts, with their names."""
        return self._parts.items()

    @property
    def sums(self) -> dict[str, T]:
        """The sums of each part."""
        return {name: part.sums for name, part in self._parts.items()}

    @property
    def is_whole(self) -> bool:
        """Whether all games were read."""
        return all(part.whole for part in self._parts.values())

    def following(
        self,
        groups: Mapping[str, Sequence[Result]],
        count: Callable[[Sequence[Result]], tuple[T, bool]],
        mark_of: Callable[[Sequence[Result]], int] = lambda _: 0,
        more: Callable[[], bool] = lambda: True,
    ) -> Parts[T]:
        """The parts after a change of games. Changed ones are counted anew: `count` gives sums, and if they are whole.

        Incomplete parts are counted again as long as there is `more` time.
        """
        parts: dict[str, Part[T]] = {}
        for name, games in groups.items():
            older, mark = self._parts.get(name), mark_of(games)
            if older and older.mark == mark and older.games == games and (older.whole or not more()):
                parts[name] = older
            else:
                parts[name] = Part(games, mark, *count(games))
        return Parts(parts)


def in_parts(games: Iterable[Result], own: Collection[str] = frozenset()) -> dict[str, list[Result]]:
    """Games by month and number of players, so that a period has the same parts as all games.

    Large parts are parted by the ends of the ids. What is a reader's `own` is a part by itself: the others are those of
    all readers.
    """
    groups: defaultdict[tuple[str, int], list[Result]] = defaultdict(list)
    for game in games:
        groups[(OWN, 0) if game.game in own else (game.day[:7], len(game.seats))].append(game)
    parts: dict[str, list[Result]] = {}
    for (month, players), of in sorted(groups.items()):
        letters = next(letters for letters in range(9) if len(of) <= LARGEST * 16**letters)
        for game in of:
            parts.setdefault(f"{month} {players} {game.game[-letters:] if letters else ''}", []).append(game)
    return parts
