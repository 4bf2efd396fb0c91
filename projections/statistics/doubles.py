"""Plays that seem to be in the log twice, and so people who seem to be entered twice."""

from __future__ import annotations

from collections import Counter, defaultdict
from itertools import combinations
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from projections.statistics.results import Result

LIKE = 10
"""The most games of one day, kind and score that are compared with each other."""


def count_doubles(games: Iterable[Result]) -> Counter[tuple[str, str]]:
    """How many plays two people seem to share: pairs of games that differ only in them.

    Day, kind of game and points are the same, and so is everybody else at the table. The older id is first.
    """
    like: defaultdict[tuple[object, ...], list[Result]] = defaultdict(list)
    for game in games:
        if len(game.seats) > 1 and None not in game.seats:
            like[game.day, game.kind, tuple(sorted(game.scores))].append(game)
    found = Counter[tuple[str, str]]()
    for group in like.values():
        for one, other in combinations(group[:LIKE], 2):
            seen, again = (set(zip(game.seats, game.scores, strict=True)) for game in (one, other))
            left, right = seen - again, again - seen
            if len(left) == len(right) == 1 and seen & again:
                (here, points), (there, same) = *left, *right
                if points == same and here != there:
                    found[min(str(here), str(there)), max(str(here), str(there))] += 1
    return found
