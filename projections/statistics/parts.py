"""Figures of many games, in parts: a change of one game is a change of one part, and the others are kept.

Figures are made of the sums of all parts. So they are the same ones as if all games were counted anew.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from projections.statistics.results import Result

T = TypeVar("T")


class Part(NamedTuple, Generic[T]):
    """The sums over some games. Not `whole`: some of them were not read yet. `mark` is what else they depend on."""

    games: Sequence[Result]
    mark: int
    sums: T
    whole: bool


class Parts(Generic[T]):
    """The parts of a selection of games, by their names."""

    def __init__(self, parts: Mapping[str, Part[T]] | None = None) -> None:
        self._parts = parts or {}

    @property
    def sums(self) -> dict[str, T]:
        """The sums of each part."""
        return {name: part.sums for name, part in self._parts.items()}

    @property
    def whole(self) -> bool:
        """Whether all games were read."""
        return all(part.whole for part in self._parts.values())

    def following(
        self,
        groups: Mapping[str, Sequence[Result]],
        count: Callable[[Sequence[Result]], tuple[T, bool]],
        marks: Mapping[str, int] | None = None,
        more: Callable[[], bool] = lambda: True,
    ) -> Parts[T]:
        """The parts of other games. Those that differ are counted; `count` gives the sums, and if they are whole.

        Those that are not whole are counted again as long as there is `more` time.
        """
        parts: dict[str, Part[T]] = {}
        for name, games in groups.items():
            older, mark = self._parts.get(name), (marks or {}).get(name, 0)
            if older and older.mark == mark and older.games == games and (older.whole or not more()):
                parts[name] = older
            else:
                parts[name] = Part(games, mark, *count(games))
        return Parts(parts)


def by_ending(games: Iterable[Result], letters: int) -> dict[str, list[Result]]:
    """Games by the last letters of their ids: groups of about the same size."""
    groups: dict[str, list[Result]] = {}
    for game in games:
        groups.setdefault(game.game[-letters:], []).append(game)
    return dict(sorted(groups.items()))
