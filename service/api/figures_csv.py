"""The tables of ratings, statistics and years as CSV: one after the other, with the name of the table in each row."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from service.exchange.spreadsheets import csv_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from projections.statistics.moves import KindMoves
    from projections.statistics.people import SeatFigures, WinShare
    from service.api.answers.people import MoveStatistics, PersonStatistics, RatingList, YearReview

_SHARE = ("against", "wins", "by_chance", "low", "high")

RATINGS = ("rank", "player", "name", "rating", "mu", "sigma", "games")
PERSON = (
    *("table", "of", "name", "games", *_SHARE, "together", "together_won", "average", "median", "best"),
    *("before", "behind", "level", "predicted", "rating", "sigma"),
)
MOVES = (
    *("kind", "table", "of", "games", "total", "mean", "median", "best", *_SHARE),
    *("outcome", "events", "got", "expected", "sd", "z"),
)
YEAR = ("table", "of", "name", "games", *_SHARE, "points", "minutes", "game")


def ratings_csv(found: RatingList, **written: Any) -> str:
    """The ratings, and behind them those who have too few games for a rank."""
    ranked = [*enumerate(found.ratings, 1), *((None, each) for each in found.newcomers)]
    rows = (
        (rank, each.player, found.names.get(each.player, ""), each.points, each.mu, each.sigma, each.n)
        for rank, each in ranked
    )
    return csv_text(RATINGS, rows, **written)


def person_csv(found: PersonStatistics, **written: Any) -> str:
    """The tables of a person: all games, kinds of games, numbers of players, seats, opponents, months, ratings."""
    return _csv(PERSON, _of_person(found), written)


def moves_csv(found: MoveStatistics, **written: Any) -> str:
    """The tables of statistics from the moves. `of` is the `about` of a figure, which finds its games."""
    return _csv(MOVES, ({"kind": kind.kind} | row for kind in found.kinds for row in _of_moves(kind)), written)


def year_csv(found: YearReview, **written: Any) -> str:
    """The tables of a year in review."""
    return _csv(YEAR, _of_year(found), written)


def _csv(head: Sequence[str], rows: Iterable[dict[str, Any]], written: dict[str, Any]) -> str:
    return csv_text(head, ([row.get(name, "") for name in head] for row in rows), **written)


def _share(share: WinShare) -> dict[str, Any]:
    return dict(zip(_SHARE, (share.n, share.wins, share.by_chance, share.low, share.high), strict=True))


def _seats(seats: Iterable[SeatFigures]) -> Iterator[dict[str, Any]]:
    for each in seats:
        yield {"table": "seats", "of": f"seat {each.seat + 1} of {each.players}"} | _share(each.share)


def _of_person(found: PersonStatistics) -> Iterator[dict[str, Any]]:
    figures, names = found.figures, found.names
    together = {"together": figures.together, "together_won": figures.together_won}
    whole = {"table": "all", "of": found.player, "name": names.get(found.player, ""), "games": figures.n}
    yield whole | _share(figures.share) | together
    for kind in figures.kinds:
        scores = {"average": kind.average, "median": kind.median, "best": kind.best.points}
        together = {"together": kind.together, "together_won": kind.together_won}
        yield {"table": "kinds", "of": kind.kind, "games": kind.n} | _share(kind.share) | together | scores
    for players, share in figures.by_players.items():
        yield {"table": "players", "of": players} | _share(share)
    yield from _seats(figures.seats)
    for each in figures.opponents:
        who = {"of": each.player, "name": names.get(each.player, "")}
        ended = {"before": each.before, "behind": each.behind, "level": each.level}
        if each.n:
            yield {"table": "opponents", **who, "games": each.n} | ended
        if each.beside:
            yield {"table": "beside", **who, "games": each.beside, "wins": each.beside_won}
    for month, games in figures.months.items():
        yield {"table": "months", "of": month, "games": games}
    for step in found.history:
        rating = {"games": step.rating.n, "rating": step.rating.points, "sigma": step.rating.sigma}
        yield {"table": "ratings", "of": step.game, "wins": int(step.won), "predicted": step.predicted} | rating


def _of_moves(kind: KindMoves) -> Iterator[dict[str, Any]]:
    scores = {"mean": kind.average, "median": kind.median, "best": kind.best.points}
    yield {"table": "games", "games": kind.n} | scores
    yield from _seats(kind.seats)
    for low, high, count in kind.distribution:
        yield {"table": "scores", "of": f"scores:{low}:{high}", "total": count}
    tables = {
        "points": kind.points,
        "openings": kind.openings,
        "variants": kind.variants,
        "pace": filter(None, [kind.pace]),
        "corrections": filter(None, [kind.corrections]),
        "irregular": kind.irregular,
    }
    for name, findings in tables.items():
        for each in findings:
            share = _share(each.share) if each.share else {}
            yield {"table": name, "of": each.about, "games": each.n, "total": each.total, "mean": each.mean} | share
    for luck in kind.luck:
        odds = {"events": luck.events, "got": luck.got, "expected": luck.expected, "sd": luck.sd}
        row = {"table": "luck", "of": luck.about, "games": luck.n} | odds
        yield row | {"outcome": luck.outcome or "", "z": "" if luck.z is None else luck.z}


def _of_year(found: YearReview) -> Iterator[dict[str, Any]]:
    year, names = found.figures, found.names
    yield {"table": "year", "of": year.year, "games": year.n, "minutes": year.minutes} | _share(year.share)
    for number, games in enumerate(year.months, 1):
        yield {"table": "months", "of": f"{year.year:04}-{number:02}", "games": games}
    for kind in year.kinds:
        yield {"table": "kinds", "of": kind.name, "games": kind.n}
    for each in year.people:
        yield {"table": "people", "of": each.name, "name": names.get(each.name, ""), "games": each.n}
    for standing in year.standings:
        who = {"of": standing.player, "name": names.get(standing.player, "")}
        yield {"table": "standings", **who} | _share(standing.share)
    for record in year.records:
        made = {"points": record.points, "game": record.game, "name": names.get(record.player or "", "")}
        yield {"table": "records", "of": record.kind, "games": record.n} | made
    for table, value, moment in (("longest", "minutes", year.longest), ("closest", "points", year.closest)):
        if moment:
            yield {"table": table, "of": moment.kind, "game": moment.game, value: moment.value}
