"""Sums over many games that all requests of a process share: figures from moves, and of months.

What somebody may see, or asked for, is counted only where it differs from all games.
"""

from __future__ import annotations

import time
from collections import Counter, defaultdict
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from events.folding import same_name
from games.contract import PUBLIC
from projections.analyses.kinds import KINDS
from projections.analyses.luck import LuckCounts
from projections.statistics.behind import moves_about
from projections.statistics.moves import MoveFigures, Played, Tally, tally_of
from projections.statistics.parts import OWN, Parts, in_parts
from projections.statistics.results import at_place, order_of
from projections.statistics.years import KindScores, Month, by_month, review_of, scores_of

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence

    from projections.statistics.digests import Digest
    from projections.statistics.known import VisibleResults
    from projections.statistics.results import Result
    from projections.statistics.years import Year
    from service.api.context import Context

DIGESTING = 0.05
"""Seconds of a request for reading games that nobody has read yet. The next requests read the others."""

LUCK = KINDS["luck-counts"]

LUCK_INTERVAL = 60
"""Seconds after which statistics of many games are made anew for what was counted of luck meanwhile."""


class Selection(NamedTuple):
    """The games that somebody may see and asked for.

    `about` says what was asked for: nothing for all games. `version` is that of the club whose games they are.
    """

    seen: VisibleResults
    games: Callable[[], Sequence[Result]]
    about: tuple[tuple[str, Hashable], ...] = ()
    version: int = 0

    @property
    def view(self) -> Hashable:
        """The key of the sums in the cache."""
        return self.about, self.seen.everything, self.seen.own

    @property
    def cache_key(self) -> Hashable:
        """The cache key of the sums over all games, or all games of the place.

        They are those of strangers if somebody may not see all.
        """
        return tuple(each for each in self.about if each[0] == "place"), self.seen.everything, frozenset()

    @property
    def stamp(self) -> Hashable:
        """A stamp that stays the same as long as the games do."""
        return self.seen.known.stamp, self.version


def games_at(seen: VisibleResults, place: str) -> Selection:
    """All games at a place that somebody may see."""
    return Selection(seen, lambda: at_place(seen.all(), place), (("place", same_name(place)),))


def all_games(seen: VisibleResults) -> Selection:
    """All games that somebody may see."""
    return Selection(seen, seen.all)


def read_moves(context: Context, games: Sequence[Result], seconds: float, player: str | None = None) -> list[Played]:
    """Games with the facts of their moves, and a person's seats. `seconds` is the time for games not read before."""
    digests = context.digests.find({each.game: each.version for each in games}, seconds)
    luck = _luck(context, digests)
    return [
        Played(each, each.seats_of(player) if player else (), digests.get(each.game), luck.get(each.game))
        for each in games
    ]


def moves_of(context: Context, of: Selection, seconds: float) -> MoveFigures:
    """The figures from the moves of many games, cached for the next request."""
    lucky, kept = _luck_counts(context), context.move_figures

    def make(older: MoveFigures | None) -> MoveFigures:
        deadline = time.monotonic() + seconds

        def count(games: Sequence[Result]) -> tuple[dict[str, Tally], bool]:
            played = read_moves(context, games, deadline - time.monotonic())
            return tally_of(played), all(each.digest for each in played)

        parts = (older or kept.cached(of.cache_key) or MoveFigures(Parts())).parts.following(
            in_parts(of.games(), of.seen.own),
            count,
            lambda games: sum(lucky[each.game] for each in games) if lucky else 0,
            lambda: time.monotonic() < deadline,
        )
        return MoveFigures(parts)

    return kept.get(of.view, (of.stamp, lucky), make, whole=lambda figures: figures.parts.is_whole)


def newest_about(
    context: Context, of: Selection, kind: str | None, about: str, start: int, limit: int, seconds: float
) -> tuple[list[Result], int]:
    """A page of the games behind a figure of many games that moves tell, and how many games these are in all.

    Each part says how many it has. So moves are read of the months that the page is of, the last one first.
    """
    read, counts = partial(read_moves, context, seconds=0), Counter[str]()
    parts: defaultdict[str, list[Sequence[Result]]] = defaultdict(list)
    for month, games, n in _parts_about(moves_of(context, of, seconds), kind, about, read):
        parts[month].append(games)
        counts[month] += n
    page: list[Result] = []
    for month in sorted(parts, reverse=True):
        if start < counts[month] and len(page) < limit:
            wanted = (each for games in parts[month] for each in games if kind in (None, each.kind))
            found = moves_about(about, read(sorted(wanted, key=order_of)))
            page += found[::-1][start : start + limit - len(page)]
        start = max(0, start - counts[month])
    return page, counts.total()


def _parts_about(
    figures: MoveFigures, kind: str | None, about: str, read: Callable[[Sequence[Result]], list[Played]]
) -> Iterator[tuple[str, Sequence[Result], int]]:
    """The parts with games behind a figure: the month, the games of all kinds, and how many are behind it."""
    for name, part in figures.parts.items():
        n = sum(tally.games_behind(about) for of, tally in part.sums.items() if kind in (None, of))
        if n and name.startswith(OWN):
            for month, own in in_parts(each for each in part.games if kind in (None, each.kind)).items():
                yield month.split()[0], own, len(moves_about(about, read(own)))
        elif n:
            yield name.split()[0], part.games, n


def year_of_many(context: Context, of: Selection, asked: int | None) -> tuple[set[int], Year]:
    """The years of many games, and the review of one: of the last one, if none is asked for.

    The scores are those of all months. All other sums are kept of the months of a year that was asked for.
    """
    scores = context.scores.get(
        of.view,
        of.stamp,
        lambda older: (older or context.scores.cached(of.cache_key) or Parts[dict[str, KindScores]]()).following(
            by_month(of.games()), lambda games: (scores_of(games, None), True)
        ),
    )
    years = years_in(scores.sums)
    year = asked or max(years, default=1)
    sums = context.months.get(
        (of.view, year),
        of.stamp,
        lambda older: (older or context.months.cached((of.cache_key, year)) or Parts[Month]()).following(
            {name: part.games for name, part in scores.items() if name[:4] == f"{year:04}"},
            lambda games: (Month.from_results(games, None), True),
        ),
    )
    return years, review_of(year, scores.sums, sums.sums, None)


def years_in(months: Iterable[str]) -> set[int]:
    """The years of these months."""
    return {int(name[:4]) for name in months}


def _luck_counts(context: Context) -> Counter[str]:
    """The number of finished counts of luck of each game."""
    return context.lucky.get(
        "", time.monotonic() // LUCK_INTERVAL, lambda _: context.analyses.games_done(LUCK.name, PUBLIC.name)
    )


def _luck(context: Context, digests: dict[str, Digest]) -> dict[str, LuckCounts]:
    """The finished counts of luck in these games, from the public viewpoint."""
    found = dict[str, LuckCounts]()
    for subject, data in context.analyses.finished(LUCK.name, PUBLIC.name, list(digests)):
        digest = digests[subject.game]
        if (subject.version, subject.revision) == (digest.version, f"{LUCK.revision}.{digest.revision}"):
            found[subject.game] = msgspec.json.decode(data, type=LuckCounts)
    return found
