"""Statistics and ratings of people at the command line."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click
from rich.table import Table

from events import limits
from projections.statistics.years import PlayCount
from service.api.answers.games import GamesBehind
from service.api.answers.people import MoveStatistics, PersonStatistics, RatingList, YearReview
from service.api.figures_csv import moves_csv, person_csv, ratings_csv, year_csv
from service.cli.games.games import listing
from service.cli.people.clubs import find_club
from service.cli.people.founded import table_options
from service.cli.people.players import find_player
from service.cli.shell import screen
from service.cli.shell.arguments import day, force_option, from_option, json_option, to_option
from service.cli.shell.connection import with_client
from service.cli.shell.files import check_target, written_at_once
from service.languages import gettext

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from projections.statistics.moves import KindMoves
    from projections.statistics.people import WinShare
    from service.cli.shell.client import Client

T = TypeVar("T")

MOST_BEHIND = 500
"""The most games of one answer."""

KIND = click.option(
    "--game", "kind", metavar="GAME", help="Only games of this ruleset, or score sheets: scoresheet/UNO."
)


@click.command()
@click.argument("player", required=False)
@KIND
@from_option
@to_option
@click.option("--players", type=click.IntRange(1, limits.SEATS), help="Only games with this number of seats.")
@click.option("--with", "other", metavar="PLAYER", help="Only games with this person, too: from the moves.")
@click.option("--club", metavar="CLUB", help="Only games of this club, by id or name: from the moves.")
@click.option("--place", default="", metavar="PLACE", help="Only games at this place: from the moves.")
@click.option("--moves", is_flag=True, help="From the moves: points by category, openings, pace, luck.")
@click.option("--behind", metavar="FIGURE", help="The games behind a figure: won, seat:0, month:2026-11, points:bonus.")
@click.option("--limit", type=click.IntRange(1, MOST_BEHIND), default=20, show_default=True, help="How many games.")
@table_options
@json_option
@with_client()
def stats(
    client: Client,
    player: str | None,
    kind: str | None,
    first: datetime | None,
    last: datetime | None,
    players: int | None,
    other: str | None,
    club: str | None,
    place: str,
    moves: bool,
    behind: str | None,
    limit: int,
    written: dict[str, Any] | None,
    as_json: bool,
) -> None:
    """Show the figures of PLAYER's games: wins compared with chance, scores, opponents.

    PLAYER is a person's id, the whole name, or part of it if nobody else has it. Without PLAYER, and with `--moves`,
    `--with`, `--club` or `--place`, it shows statistics from the moves.
    """
    if behind and written is not None:
        raise click.UsageError(gettext("Use --csv for tables, and --behind for games, but not both."))
    id_ = find_player(client, player).id if player else None
    asked = {"kind": kind, "from": day(first), "to": day(last), "players": players}
    if id_ is None or moves or other or club or place or behind:
        asked |= {"player": id_, "with": find_player(client, other).id if other else None}
        asked |= {"club": find_club(client, club) if club else None, "place": place or None}
        if behind:
            _show_behind(client, asked | {"about": behind, "limit": limit}, as_json)
        else:
            found = client.get("/v1/statistics", MoveStatistics, **asked)
            _show(found, _tell_moves, moves_csv, written, as_json)
        return
    person = client.get(f"/v1/players/{id_}/statistics", PersonStatistics, **asked)
    _show(person, _tell_person, person_csv, written, as_json)


def _show(
    found: T, tell: Callable[[T], None], as_csv: Callable[..., str], written: dict[str, Any] | None, as_json: bool
) -> None:
    """Print an answer as JSON, as CSV in the form `written`, or in words."""
    if written is not None:
        click.echo(as_csv(found, **written), nl=False)
    elif as_json:
        screen.data(found)
    else:
        tell(found)


def _show_behind(client: Client, asked: dict[str, Any], as_json: bool) -> None:
    found = client.get("/v1/statistics/games", GamesBehind, **asked)
    if as_json:
        screen.data(found)
        return
    if found.games:
        screen.out().print(listing(found.games))
    screen.out().print(gettext("%(shown)s of %(n)s games behind this figure.", shown=len(found.games), n=found.n))


def _tell_person(found: PersonStatistics) -> None:
    figures = found.figures
    screen.out().print(
        gettext(
            "%(name)s. Games: %(n)s. Wins against others: %(share)s.",
            name=found.names.get(found.player, "?"),
            n=figures.n,
            share=_share(figures.share),
        )
    )
    if figures.together:
        screen.out().print(gettext("Won together: %(won)s of %(n)s.", won=figures.together_won, n=figures.together))
    if found.rating:
        screen.out().print(
            gettext("Rating: %(points)s ± %(sigma)s.", points=found.rating.points, sigma=found.rating.sigma)
        )
    table = Table(gettext("Game"), gettext("Wins"), gettext("Average"), gettext("Best"), box=None)
    for each in figures.kinds:
        table.add_row(each.kind, _share(each.share), f"{each.average:.1f}", str(each.best.points))
    screen.out().print(table)
    others = Table(gettext("Against"), gettext("Games"), gettext("before"), gettext("behind"), box=None)
    beside = Table(gettext("On the same side"), gettext("Games"), gettext("Wins"), box=None)
    for other in figures.opponents:
        name = found.names.get(other.player, "?")
        if other.n:
            others.add_row(name, str(other.n), str(other.before), str(other.behind))
        if other.beside:
            beside.add_row(name, str(other.beside), str(other.beside_won))
    for people in filter(lambda table: table.row_count, (others, beside)):
        screen.out().print(people)


def _tell_moves(found: MoveStatistics) -> None:
    if found.read < found.n:
        screen.hint(gettext("%(read)s of %(n)s games are read so far. Ask again for more.", read=found.read, n=found.n))
    for kind in found.kinds:
        hours = f"{kind.minutes / 60:.1f}"
        screen.out().print(gettext("%(kind)s. Games: %(n)s. Hours: %(hours)s.", kind=kind.kind, n=kind.n, hours=hours))
        table = Table("", gettext("Games"), gettext("In all"), gettext("Average"), gettext("Wins"), box=None)
        named = (*kind.points, *kind.openings, *kind.variants, *kind.irregular)
        for each in (*named, *filter(None, (kind.pace, kind.corrections))):
            share = _share(each.share) if each.share else ""
            table.add_row(each.about, str(each.n), f"{each.total:.0f}", f"{each.mean:.1f}", share)
        screen.out().print(table)
        if kind.luck:
            _tell_luck(kind)
    if not found.kinds:
        screen.hint(gettext("No finished game in this time."))


def _tell_luck(kind: KindMoves) -> None:
    table = Table(
        gettext("Luck"), gettext("Games"), gettext("Events"), gettext("observed"), gettext("expected"), box=None
    )
    for each in kind.luck:
        name = each.about if each.outcome is None else f"{each.about} {each.outcome}"
        expected = f"{each.expected:.1f} ± {each.sd:.1f}"
        table.add_row(name, str(each.n), str(each.events), str(each.got), expected)
    screen.out().print(table)


def _share(found: WinShare) -> str:
    return gettext(
        "%(wins)s of %(n)s (%(chance)s by chance)", wins=found.wins, n=found.n, chance=f"{found.by_chance:.1f}"
    )


@click.command("ratings")
@KIND
@table_options
@json_option
@with_client()
def show_ratings(client: Client, kind: str | None, written: dict[str, Any] | None, as_json: bool) -> None:
    """Show the ratings of people with five games or more, the strongest first."""
    _show(client.get("/v1/ratings", RatingList, kind=kind), _tell_ratings, ratings_csv, written, as_json)


def _tell_ratings(found: RatingList) -> None:
    table = Table("#", gettext("Name"), gettext("Rating"), gettext("Games"), box=None)
    for place, each in enumerate(found.ratings, 1):
        rating = f"{each.points:.1f} ± {each.sigma:.1f}"
        table.add_row(str(place), found.names.get(each.player, "?"), rating, str(each.n))
    screen.out().print(table)
    if found.recomputing:
        screen.hint(gettext("A game changed. The ratings are being computed anew; look again in a moment."))
    if found.brier:
        screen.hint(
            gettext(
                "Brier score of %(n)s predictions: %(score)s; the same chance for everybody gives %(uniform)s.",
                n=found.brier.n,
                score=found.brier.score,
                uniform=found.brier.uniform,
            )
        )


@click.command("year")
@click.argument("player", required=False)
@click.option("--year", type=click.IntRange(1, 9999), help="The year; the last one with games if left out.")
@click.option("--club", metavar="CLUB", help="The year of this club, by id or name.")
@click.option(
    "--picture", metavar="FILE", type=click.Path(dir_okay=False), help="Write the picture to share: .png or .svg."
)
@force_option
@table_options
@json_option
@with_client()
def show_year(
    client: Client,
    player: str | None,
    year: int | None,
    club: str | None,
    picture: str | None,
    force: bool,
    written: dict[str, Any] | None,
    as_json: bool,
) -> None:
    """Show a year in review: of PLAYER, of a club, or of all games that you may see."""
    path = _checked_picture(picture, force=force) if picture else None
    asked = {"year": year, "player": find_player(client, player).id if player else None}
    asked |= {"club": find_club(client, club) if club else None}
    if path:
        _draw_year(client, path, asked)
        return
    _show(client.get("/v1/statistics/year", YearReview, **asked), _tell_year, year_csv, written, as_json)


def _checked_picture(name: str, *, force: bool) -> Path:
    """The file for a picture. Raises `BadParameter`, `CommandError`."""
    path = Path(name)
    if path.suffix not in {".png", ".svg"}:
        raise click.BadParameter(gettext("the name ends with .png or .svg"), param_hint="--picture")
    check_target(path, force=force)
    return path


def _draw_year(client: Client, path: Path, asked: dict[str, Any]) -> None:
    with written_at_once(path) as file:
        file.write(client.fetch(f"/year{path.suffix}", **asked))
    screen.hint(gettext("%(file)s is written. It has figures of games that you may see.", file=path.name))


def _tell_year(found: YearReview) -> None:
    figures, names = found.figures, found.names
    if not figures.n:
        screen.hint(gettext("No finished game in this time."))
        return
    hours = f"{figures.minutes / 60:.1f}"
    told = gettext(
        "%(year)s. Games: %(n)s. Days: %(days)s. Hours: %(hours)s.",
        year=figures.year,
        n=figures.n,
        days=figures.days,
        hours=hours,
    )
    screen.out().print(told)
    if figures.share.n:
        screen.out().print(gettext("Wins against others: %(share)s.", share=_share(figures.share)))
    table = Table("", gettext("Games"), box=None)
    for each in (*figures.kinds, *(PlayCount(names.get(other.name, "?"), other.n) for other in figures.people)):
        table.add_row(each.name, str(each.n))
    screen.out().print(table)
    records = Table(gettext("Game"), gettext("Best"), gettext("Name"), gettext("How many"), box=None)
    for record in figures.records:
        records.add_row(record.kind, str(record.points), names.get(record.player or "", "?"), str(record.n))
    screen.out().print(records)
