"""Statistics from the moves: points by category, openings, variants, luck, pace, corrections and irregular moves.

They are made of results, digests and the counts of luck. Each figure says how many games are behind it, and `about` is
how these games are found again: see `behind`.
"""

from __future__ import annotations

import itertools
from bisect import bisect_right
from collections import Counter, defaultdict
from functools import cached_property
from math import sqrt
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from projections.statistics.people import (
    CHANCES,
    BestScore,
    SeatFigures,
    WinShare,
    parts_of_chance_in,
    wilson_interval,
)
from projections.statistics.results import highest_wins_vote

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from projections.analyses.luck import Counted, KindCount, LuckCounts
    from projections.statistics.digests import Digest, SeatDigest
    from projections.statistics.parts import Parts
    from projections.statistics.results import Result

CLASSES = 12
"""The most classes of a distribution of scores."""

LISTED = 20
"""How many openings and variants are told of a kind of game: the most played ones."""

SECOND = 1_000_000
"""Times are summed up in microseconds."""

Name = str | int | tuple[str | int, ...]
Key = tuple[str, Name]
Row = defaultdict[str, float]
_Score = tuple[int, tuple[int, str], str]
"""Points with a sign, the place of the game in the order of play, and its id."""


class GameFigure(msgspec.Struct, frozen=True):
    """A figure of `n` games: the `total`, and the `mean`. `about` finds the games again.

    Means are of a game; of points, of a seat in all games that are read; of seconds, of a turn. `share` are the wins of
    the person, or of the seat that began.
    """

    about: str
    n: int
    total: float
    mean: float
    share: WinShare | None = None


class LuckFigure(msgspec.Struct, frozen=True, kw_only=True):
    """How often an `outcome` came in `events` of chance of `n` games, beside the odds.

    Without an outcome it is the gain of the person. `z` is the difference in standard deviations.
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
    best: BestScore
    distribution: tuple[tuple[int, int, int], ...]
    seats: tuple[SeatFigures, ...]
    points: tuple[GameFigure, ...]
    openings: tuple[GameFigure, ...]
    variants: tuple[GameFigure, ...]
    pace: GameFigure | None
    corrections: GameFigure | None
    irregular: tuple[GameFigure, ...]
    lucky: int
    left_out: int
    luck: tuple[LuckFigure, ...]


class MoveFigures:
    """The figures of many games, made from partial sums on demand."""

    def __init__(self, parts: Parts[dict[str, Tally]]) -> None:
        self.parts = parts

    @cached_property
    def by_kind(self) -> tuple[KindMoves, ...]:
        """The figures of each kind of game."""
        return figures_of_moves(self.parts.sums.values())


class Played(NamedTuple):
    """A game, its counted seats, and the facts of its moves. All seats count if `own` is empty.

    `own` are the seats of the person.
    """

    result: Result
    own: Sequence[int]
    digest: Digest | None
    luck: LuckCounts | None

    @property
    def seats(self) -> Sequence[int]:
        """The counted seats."""
        return self.own or range(len(self.result.seats))

    def digests(self) -> Iterator[SeatDigest]:
        """The digests of these seats."""
        if self.digest:
            yield from (self.digest.seats[seat] for seat in self.seats)

    def luck_counts(self) -> Iterator[KindCount]:
        """The chance events of these seats, or of the table."""
        if self.luck:
            yield from (each for each in self.luck.kinds if each.seat is None or each.seat in self.seats)


def sharing_seats(played: Played) -> Sequence[int]:
    """The seats whose wins an opening or a variant has: those of the person, or the one that began, if it is known."""
    if not played.result.against_others:
        return ()
    beginner = played.digest.beginner if played.digest else None
    return played.own or (() if beginner is None else (beginner,))


class Tally:
    """Sums over games of one kind. Those of two sets of games add up to the sums over both.

    A row has a section, a name, and sums by what is counted: `n` counts games. Chances are parts of `CHANCES`, and
    times are microseconds, so no sum depends on the order. `scores` counts seats by their points. `best` are the
    highest and the lowest score, with their games.
    """

    def __init__(self) -> None:
        self.rows: defaultdict[Key, Row] = defaultdict(_row)
        self.scores = Counter[int]()
        self.best: dict[int, _Score] = {}

    def include(self, other: Tally) -> None:
        """Add the sums of other games."""
        for key, row in other.rows.items():
            own = self.rows[key]
            for what, value in row.items():
                own[what] += value
        self.scores.update(other.scores)
        for sign, score in other.best.items():
            self._try(sign, score)

    def add(self, game: Played) -> None:
        """Add a game."""
        result, seats = game.result, game.seats
        row = self.rows["games", ""]
        row["n"] += 1
        row["minutes"] += result.minutes
        row["votes"] += highest_wins_vote(result)
        self._scores(result, seats)
        if result.against_others:
            self._seats(result, seats)
        if game.digest:
            self._read(game, game.digest)
        if game.luck and game.luck.n:
            self._luck(game)

    def games_behind(self, about: str) -> int:
        """The number of games behind a figure from moves."""
        what, _, name = about.partition(":")
        section, _, won = what.partition("-")
        row = self.rows.get((section, name))
        return int(row["won" if won else "n"]) if row else 0

    def _scores(self, result: Result, seats: Sequence[int]) -> None:
        points = [result.scores[seat] for seat in seats]
        for each in points:
            self.scores[each] += 1
        for sign, best in ((1, max(points)), (-1, -min(points))):
            if sign not in self.best or best >= self.best[sign][0]:
                self._try(sign, (best, result.order, result.game))

    def _seats(self, result: Result, seats: Sequence[int]) -> None:
        """The wins of single seats. All seats of a game have the same chance."""
        count, chance = len(result.seats), parts_of_chance_in(result, (0,))
        for seat in seats:
            self._share(self.rows["seat", (count, seat)], chance, won=seat in result.winners)

    def _read(self, game: Played, digest: Digest) -> None:
        seats, points = list(game.digests()), defaultdict[str, int](int)
        self._count("read", "", 1, seats=len(seats))
        for seat in seats:
            for name, each in seat.points.items():
                points[name] += each
        for name, total in points.items():
            self._count("points", name, 1, total=total)
        if digest.opening:
            self._group("opening", digest.opening, game)
        self._group("variant", digest.variant, game)
        if turns := sum(seat.timed for seat in seats):
            spent = sum(round(seat.seconds * SECOND) for seat in seats)
            self._count("timed", "", 1, total=spent, turns=turns)
        self._count("corrected", "", digest.corrections > 0, total=digest.corrections)
        for rule, times in broken_by(game).items():
            self._count("irregular", rule, 1, total=times)

    def _group(self, section: str, name: str, game: Played) -> None:
        """Scores and wins in games with an opening, or of a variant."""
        scores = [game.result.scores[seat] for seat in game.seats]
        row = self._count(section, name, 1, total=sum(scores), seats=len(scores))
        if seats := sharing_seats(game):
            chance = parts_of_chance_in(game.result, seats)
            self._share(row, chance, won=not game.result.winners.isdisjoint(seats))

    def _luck(self, game: Played) -> None:
        kinds = list(game.luck_counts())
        self._count("lucky", "", 1, left_out=sum(each.left_out for each in kinds))
        for which in {each.kind for each in kinds if each.n}:
            self._count("luck", which, 1)
        told = set[tuple[str, str]]()
        for kind in kinds:
            for outcome in kind.outcomes:
                name = (kind.kind, outcome.outcome)
                self._events("outcome", name, kind.n, outcome.count, n=name not in told)
                told.add(name)
        told = set()
        for kind in game.luck.kinds if game.luck and game.own else ():
            for total in kind.brought:
                if total.seat in game.own:
                    self._events("brought", (kind.kind, ""), total.n, total.count, n=(kind.kind, "") not in told)
                    told.add((kind.kind, ""))

    def _events(self, section: str, name: tuple[str, str], events: int, count: Counted, *, n: bool) -> None:
        variance = count.sd * count.sd
        self._count(section, name, n, events=events, got=count.got, expected=count.expected, variance=variance)

    def _share(self, row: Row, chance: int, *, won: bool) -> None:
        row["plays"] += 1
        row["won"] += won
        row["chances"] += chance

    def _count(self, section: str, name: Name, n: int, **values: float) -> Row:
        row = self.rows[section, name]
        row["n"] += n
        for what, value in values.items():
            row[what] += value
        return row

    def _try(self, sign: int, score: _Score) -> None:
        if sign not in self.best or score > self.best[sign]:
            self.best[sign] = score


def _row() -> Row:
    return defaultdict(int)


def tally_of(games: Iterable[Played]) -> dict[str, Tally]:
    """The sums over some games, by their kinds."""
    kinds = defaultdict[str, Tally](Tally)
    for each in games:
        kinds[each.result.kind].add(each)
    return dict(kinds)


def figures_of_moves(tallies: Iterable[Mapping[str, Tally]]) -> tuple[KindMoves, ...]:
    """The figures of each kind of game, the most played first."""
    kinds = defaultdict[str, Tally](Tally)
    for tally in tallies:
        for kind, each in tally.items():
            kinds[kind].include(each)
    found = [_Figures(kind, tally).all() for kind, tally in kinds.items()]
    return tuple(sorted(found, key=lambda each: (-each.n, each.kind)))


class _Figures:
    """The figures of a kind, from its sums."""

    def __init__(self, kind: str, tally: Tally) -> None:
        self._kind, self._best, self._scores = kind, tally.best, tally.scores
        self._sections: dict[str, dict[Any, Row]] = {}
        for (section, name), row in sorted(tally.rows.items(), key=_by_key):
            self._sections.setdefault(section, {})[name] = row

    def all(self) -> KindMoves:
        games, read, lucky = (self._whole(section) for section in ("games", "read", "lucky"))
        scores = self._scores
        points, _, game = self._best[-1 if games["votes"] < 0 else 1]
        return KindMoves(
            kind=self._kind,
            n=int(games["n"]),
            read=int(read["n"]),
            minutes=int(games["minutes"]),
            average=sum(score * times for score, times in scores.items()) / sum(scores.values()),
            median=_median(scores),
            best=BestScore(-points if games["votes"] < 0 else points, game),
            distribution=distribution(scores),
            seats=tuple(SeatFigures(players, seat, _share(sums)) for (players, seat), sums in self._of("seat")),
            points=self._findings("points", per=read["seats"], weight=abs),
            openings=self._groups("opening"),
            variants=self._variants(),
            pace=self._pace(),
            corrections=self._corrections(),
            irregular=self._findings("irregular", per=read["n"]),
            lucky=int(lucky["n"]),
            left_out=int(lucky["left_out"]),
            luck=(*self._luck("outcome"), *self._luck("brought")),
        )

    def _of(self, section: str) -> Iterable[tuple[Any, Row]]:
        return self._sections.get(section, {}).items()

    def _whole(self, section: str) -> Row:
        return self._sections.get(section, {}).get("", _row())

    def _findings(
        self, section: str, *, per: float, weight: Callable[[float], float] = lambda total: total
    ) -> tuple[GameFigure, ...]:
        found = [
            GameFigure(f"{section}:{name}", int(sums["n"]), sums["total"], sums["total"] / per)
            for name, sums in self._of(section)
        ]
        return tuple(sorted(found, key=lambda each: (-weight(each.total), each.about)))

    def _groups(self, section: str) -> tuple[GameFigure, ...]:
        """The most frequent names of some games, with the scores and the wins in the games of each."""
        found = []
        for name, sums in self._of(section):
            share = _share(sums) if sums["plays"] else None
            mean = sums["total"] / sums["seats"]
            found.append(GameFigure(f"{section}:{name}", int(sums["n"]), sums["total"], mean, share))
        return tuple(sorted(found, key=lambda each: (-each.n, each.about))[:LISTED])

    def _variants(self) -> tuple[GameFigure, ...]:
        """The variants, if there is any beside the default."""
        found = self._groups("variant")
        return found if len(found) > 1 or any(each.about != "variant:" for each in found) else ()

    def _pace(self) -> GameFigure | None:
        sums = self._whole("timed")
        if not sums["n"]:
            return None
        return GameFigure("timed", int(sums["n"]), sums["total"] / SECOND, sums["total"] / SECOND / sums["turns"])

    def _corrections(self) -> GameFigure | None:
        sums, read = self._whole("corrected"), self._whole("read")["n"]
        return GameFigure("corrected", int(sums["n"]), sums["total"], sums["total"] / read) if read else None

    def _luck(self, section: str) -> Iterator[LuckFigure]:
        """How often outcomes came; or the gains of the person from chance events, also those of others."""
        for (name, outcome), sums in self._of(section):
            sd = sqrt(sums["variance"])
            yield LuckFigure(
                about=f"luck:{name}",
                outcome=outcome if section == "outcome" else None,
                n=int(sums["n"]),
                events=int(sums["events"]),
                got=int(sums["got"]),
                expected=round(sums["expected"], 3),
                sd=round(sd, 3),
                z=round((sums["got"] - sums["expected"]) / sd, 3) if sd > 0 else None,
            )


def _by_key(item: tuple[Key, Row]) -> tuple[str, tuple[object, ...]]:
    """Rows by section and name; outcomes by their length first, so that 10 comes after 9."""
    (section, name), _ = item
    if section == "outcome" and isinstance(name, tuple):
        return section, (name[0], len(str(name[1])), name[1])
    return section, name if isinstance(name, tuple) else (name,)


def _share(sums: Mapping[str, float]) -> WinShare:
    n, wins = int(sums["plays"]), int(sums["won"])
    return WinShare(n, wins, sums["chances"] / CHANCES, *wilson_interval(wins, n))


def _median(scores: Mapping[int, int]) -> float:
    """The median of counted scores."""
    ordered = sorted(scores)
    until = list(itertools.accumulate(scores[score] for score in ordered))
    low, high = (ordered[bisect_right(until, place)] for place in ((until[-1] - 1) // 2, until[-1] // 2))
    return (low + high) / 2


def distribution(scores: Mapping[int, int]) -> tuple[tuple[int, int, int], ...]:
    """Counts of scores in classes of one round width, from the lowest on: least points, most points, scores."""
    low, high = min(scores), max(scores)
    widths = (step * 10**power for power in itertools.count() for step in (1, 2, 5))
    width = next(each for each in widths if high // each - low // each < CLASSES)
    counts = Counter[int]()
    for score, times in scores.items():
        counts[score // width] += times
    return tuple((at * width, (at + 1) * width - 1, counts[at]) for at in range(low // width, high // width + 1))


def broken_by(played: Played) -> Mapping[str, int]:
    """How often each rule was broken: by the person, or by anybody, the table included."""
    found = defaultdict[str, int](int)
    table = [played.digest.irregular] if played.digest and not played.own else []
    for broken in (*(seat.irregular for seat in played.digests()), *table):
        for rule, count in broken.items():
            found[rule] += count
    return found
