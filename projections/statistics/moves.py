"""Statistics from the moves: points by category, openings, variants, luck, pace, corrections and irregular moves.

They are made of results, digests and the counts of luck. Each figure says how many games are behind it, and `about` is
how these games are found again: see `is_behind`.
"""

from __future__ import annotations

import itertools
from collections import Counter, defaultdict
from math import sqrt
from statistics import fmean, median
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from projections.statistics.people import Record, SeatFigures, Share, best_of, share_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from projections.analyses.luck import KindCount, LuckCounts
    from projections.statistics.digests import Digest, SeatDigest
    from projections.statistics.results import Result

CLASSES = 12
"""The most classes of a distribution of scores."""

LISTED = 20
"""How many openings and variants are told of a kind of game: the most played ones."""

ABOUT = ("points", "opening", "variant", "irregular", "luck", "corrected", "timed", "won")
"""What a figure can be about. Those before `corrected` have a name behind a colon."""

NAMELESS = ABOUT[ABOUT.index("corrected") :]


class Finding(msgspec.Struct, frozen=True):
    """A figure of `n` games: the `total`, and the `mean`. `about` finds the games again.

    Means are of a game; of points, of a seat in all games that are read; of seconds, of a turn. `share` are the wins of
    the person, or of the seat that began.
    """

    about: str
    n: int
    total: float
    mean: float
    share: Share | None = None


class LuckFigure(msgspec.Struct, frozen=True, kw_only=True):
    """How often an `outcome` came in `events` of chance of `n` games, beside the odds.

    Without an outcome it is what they brought to the person. `z` is the difference in standard deviations.
    """

    about: str
    outcome: str | None
    n: int
    events: int
    got: int
    expected: float
    sd: float
    z: float | None


class KindMoves(msgspec.Struct, frozen=True, kw_only=True):
    """The figures of a kind of game: `n` games, `read` of them move by move, `lucky` with a count of luck.

    Scores are of the person, or of all seats. `distribution` has classes: the least points, the most, how many scores.
    `left_out` are events of chance with unknown odds or outcomes.
    """

    kind: str
    n: int
    read: int
    minutes: int
    average: float
    median: float
    best: Record
    distribution: tuple[tuple[int, int, int], ...]
    seats: tuple[SeatFigures, ...]
    points: tuple[Finding, ...]
    openings: tuple[Finding, ...]
    variants: tuple[Finding, ...]
    pace: Finding | None
    corrections: Finding | None
    irregular: tuple[Finding, ...]
    lucky: int
    left_out: int
    luck: tuple[LuckFigure, ...]


class Played(NamedTuple):
    """A game, the seats that are looked at, and what is known of its moves. All seats are looked at if `own` is empty.

    `own` are the seats of the person.
    """

    result: Result
    own: Sequence[int]
    digest: Digest | None
    luck: LuckCounts | None

    @property
    def seats(self) -> Sequence[int]:
        """The seats that are looked at."""
        return self.own or range(len(self.result.seats))

    def digests(self) -> Iterator[SeatDigest]:
        """The digests of these seats."""
        if self.digest:
            yield from (self.digest.seats[seat] for seat in self.seats)

    def luck_counts(self) -> Iterator[KindCount]:
        """The events of chance that happened to these seats, or to the table."""
        if self.luck:
            yield from (each for each in self.luck.kinds if each.seat is None or each.seat in self.seats)


def figures_of_moves(games: Iterable[Played]) -> tuple[KindMoves, ...]:
    """The figures of each kind of game, the most played first."""
    kinds = defaultdict[str, list[Played]](list)
    for each in sorted(games, key=lambda each: each.result.order):
        kinds[each.result.kind].append(each)
    found = [_kind(kind, played) for kind, played in kinds.items()]
    return tuple(sorted(found, key=lambda each: (-each.n, each.kind)))


def is_behind(about: str, played: Played) -> bool:
    """Whether a game is behind the figure that is about this."""
    what, _, name = about.partition(":")
    digest = played.digest
    if what == "won":
        return not played.result.winners.isdisjoint(played.seats)
    if what == "luck":
        return any(each.kind == name and each.n for each in played.luck_counts())
    if digest is None:
        return False
    if what == "points":
        return any(name in seat.points for seat in played.digests())
    if what == "irregular":
        return name in _broken(played)
    if what == "timed":
        return any(seat.timed for seat in played.digests())
    if what == "corrected":
        return digest.corrections > 0
    return name == (digest.opening if what == "opening" else digest.variant)


def is_about(text: str) -> bool:
    """Whether a text can be what a figure is about."""
    what, colon, _ = text.partition(":")
    return what in ABOUT and bool(colon) != (what in NAMELESS)


def _kind(kind: str, games: Sequence[Played]) -> KindMoves:
    read = [each for each in games if each.digest]
    scores = [(each.result.scores[seat], each.result) for each in games for seat in each.seats]
    points = [score for score, _ in scores]
    lucky = [each for each in games if each.luck and each.luck.n]
    return KindMoves(
        kind=kind,
        n=len(games),
        read=len(read),
        minutes=sum(each.result.minutes for each in games),
        average=fmean(points),
        median=median(points),
        best=best_of(scores, [each.result for each in games]),
        distribution=distribution(points),
        seats=_by_seat(games),
        points=_points(read),
        openings=_grouped("opening", read, lambda each: each.digest.opening if each.digest else ""),
        variants=_variants(read),
        pace=_pace(read),
        corrections=_corrections(read),
        irregular=_irregular(read),
        lucky=len(lucky),
        left_out=sum(each.left_out for game in lucky for each in game.luck_counts()),
        luck=(*_outcomes(lucky), *_brought(lucky)),
    )


def distribution(scores: Sequence[int]) -> tuple[tuple[int, int, int], ...]:
    """The scores in classes of one round width, from the lowest to the highest: least points, most points, scores."""
    low, high = min(scores), max(scores)
    widths = (step * 10**power for power in itertools.count() for step in (1, 2, 5))
    width = next(each for each in widths if high // each - low // each < CLASSES)
    counts = Counter(score // width for score in scores)
    return tuple((at * width, (at + 1) * width - 1, counts[at]) for at in range(low // width, high // width + 1))


def _by_seat(games: Sequence[Played]) -> tuple[SeatFigures, ...]:
    against = [each for each in games if not each.result.together]
    places = sorted({(len(each.result.seats), seat) for each in against for seat in each.seats})
    return tuple(
        SeatFigures(
            players,
            seat,
            share_of(
                (each.result, [seat]) for each in against if len(each.result.seats) == players and seat in each.seats
            ),
        )
        for players, seat in places
    )


def _points(read: Sequence[Played]) -> tuple[Finding, ...]:
    totals, games, seats = defaultdict[str, int](int), defaultdict[str, int](int), 0
    for each in read:
        seats += len(each.seats)
        for seat in each.digests():
            for category, points in seat.points.items():
                totals[category] += points
        for category in {category for seat in each.digests() for category in seat.points}:
            games[category] += 1
    found = [Finding(f"points:{name}", games[name], total, total / seats) for name, total in totals.items()]
    return tuple(sorted(found, key=lambda each: (-abs(each.total), each.about)))


def _grouped(
    what: str, read: Sequence[Played], name_of: Callable[[Played], str], *, nameless: bool = False
) -> tuple[Finding, ...]:
    """The most frequent names of some games, with the scores and the wins in the games of each."""
    groups = defaultdict[str, list[Played]](list)
    for each in read:
        if (name := name_of(each)) or nameless:
            groups[name].append(each)
    found = [_group(f"{what}:{name}", games) for name, games in groups.items()]
    return tuple(sorted(found, key=lambda each: (-each.n, each.about))[:LISTED])


def _group(about: str, games: Sequence[Played]) -> Finding:
    scores = [each.result.scores[seat] for each in games for seat in each.seats]
    winning = [(each.result, each.own or _beginner(each)) for each in games if not each.result.together]
    share = share_of((result, seats) for result, seats in winning if seats)
    return Finding(about, len(games), sum(scores), fmean(scores), share if share.n else None)


def _beginner(played: Played) -> Sequence[int]:
    beginner = played.digest.beginner if played.digest else None
    return () if beginner is None else (beginner,)


def _variants(read: Sequence[Played]) -> tuple[Finding, ...]:
    """The variants, if there is more than the usual one."""
    found = _grouped("variant", read, lambda each: each.digest.variant if each.digest else "", nameless=True)
    return found if len(found) > 1 or any(each.about != "variant:" for each in found) else ()


def _pace(read: Sequence[Played]) -> Finding | None:
    timed = [each for each in read if any(seat.timed for seat in each.digests())]
    if not timed:
        return None
    seats = [seat for each in timed for seat in each.digests()]
    seconds = sum(seat.seconds for seat in seats)
    return Finding("timed", len(timed), seconds, seconds / sum(seat.timed for seat in seats))


def _corrections(read: Sequence[Played]) -> Finding | None:
    counts = [each.digest.corrections for each in read if each.digest]
    if not counts:
        return None
    return Finding("corrected", sum(count > 0 for count in counts), sum(counts), fmean(counts))


def _irregular(read: Sequence[Played]) -> tuple[Finding, ...]:
    totals, games = defaultdict[str, int](int), defaultdict[str, int](int)
    for each in read:
        for rule, count in _broken(each).items():
            totals[rule] += count
            games[rule] += 1
    found = [Finding(f"irregular:{rule}", games[rule], total, total / len(read)) for rule, total in totals.items()]
    return tuple(sorted(found, key=lambda each: (-each.total, each.about)))


def _broken(played: Played) -> Mapping[str, int]:
    """How often each rule was broken: by the person, or by anybody, the table included."""
    found = defaultdict[str, int](int)
    table = [played.digest.irregular] if played.digest and not played.own else []
    for broken in (*(seat.irregular for seat in played.digests()), *table):
        for rule, count in broken.items():
            found[rule] += count
    return found


class _Sum:
    """A sum of counts of luck: those of independent events add up, and so do their variances."""

    def __init__(self) -> None:
        self.games, self.events, self.got = set[str](), 0, 0
        self.expected, self.variance = 0.0, 0.0

    def add(self, game: str, events: int, got: int, expected: float, sd: float) -> None:
        self.games.add(game)
        self.events += events
        self.got += got
        self.expected += expected
        self.variance += sd * sd

    def figure(self, about: str, outcome: str | None) -> LuckFigure:
        sd = sqrt(self.variance)
        return LuckFigure(
            about=about,
            outcome=outcome,
            n=len(self.games),
            events=self.events,
            got=self.got,
            expected=round(self.expected, 3),
            sd=round(sd, 3),
            z=round((self.got - self.expected) / sd, 3) if sd > 0 else None,
        )


def _outcomes(lucky: Sequence[Played]) -> Iterator[LuckFigure]:
    sums = defaultdict[tuple[str, str], _Sum](_Sum)
    for each in lucky:
        for kind in each.luck_counts():
            for outcome in kind.outcomes:
                count = outcome.count
                sums[kind.kind, outcome.outcome].add(each.result.game, kind.n, count.got, count.expected, count.sd)
    for name, came in sorted(sums, key=lambda key: (key[0], len(key[1]), key[1])):
        yield sums[name, came].figure(f"luck:{name}", came)


def _brought(lucky: Sequence[Played]) -> Iterator[LuckFigure]:
    """What events of chance brought to the person, also those of others; without a person there is no such sum."""
    sums = defaultdict[str, _Sum](_Sum)
    for each in lucky:
        for kind in each.luck.kinds if each.luck and each.own else ():
            for total in kind.brought:
                if total.seat in each.own:
                    count = total.count
                    sums[kind.kind].add(each.result.game, total.n, count.got, count.expected, count.sd)
    for name in sorted(sums):
        yield sums[name].figure(f"luck:{name}", None)
