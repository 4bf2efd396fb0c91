"""Statistics and ratings of people at the command line."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click
from rich.table import Table

from service.api.answers import PersonStatistics, RatingList
from service.cli import screen
from service.cli.arguments import day, from_option, json_option, to_option
from service.cli.connection import connected
from service.cli.players import find_player
from service.languages import gettext

if TYPE_CHECKING:
    from datetime import datetime

    from projections.statistics.people import Share
    from service.cli.client import Client

KIND = click.option(
    "--game", "kind", metavar="GAME", help="Only games of this ruleset, or score sheets: scoresheet/UNO."
)


@click.command()
@click.argument("player")
@KIND
@from_option
@to_option
@json_option
@connected()
def stats(
    client: Client, player: str, kind: str | None, first: datetime | None, last: datetime | None, as_json: bool
) -> None:
    """Show what the games of PLAYER say: wins beside chance, scores, opponents.

    PLAYER is a person's id, the whole name, or part of it if nobody else has it.
    """
    id_ = find_player(client, player).id
    period = {"from": day(first), "to": day(last)}
    found = client.get(f"/v1/players/{id_}/statistics", PersonStatistics, kind=kind, **period)
    if as_json:
        screen.data(found)
        return
    figures = found.figures
    screen.out().print(
        gettext(
            "%(name)s: %(n)s games. Wins against others: %(share)s.",
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
    for other in figures.opponents:
        name = found.names.get(other.player, "?")
        others.add_row(name, str(other.n), str(other.before), str(other.behind))
    screen.out().print(others)


def _share(found: Share) -> str:
    return gettext(
        "%(wins)s of %(n)s (%(chance)s by chance)", wins=found.wins, n=found.n, chance=f"{found.by_chance:.1f}"
    )


@click.command("ratings")
@KIND
@json_option
@connected()
def show_ratings(client: Client, kind: str | None, as_json: bool) -> None:
    """Show the ratings of people with five games or more, the strongest first."""
    found = client.get("/v1/ratings", RatingList, kind=kind)
    if as_json:
        screen.data(found)
        return
    table = Table("#", gettext("Name"), gettext("Rating"), gettext("Games"), box=None)
    for place, each in enumerate(found.ratings, 1):
        rating = f"{each.points:.1f} ± {each.sigma:.1f}"
        table.add_row(str(place), found.names.get(each.player, "?"), rating, str(each.n))
    screen.out().print(table)
    if found.brier:
        screen.hint(
            gettext(
                "Brier score of %(n)s predictions: %(score)s; the same chance for everybody gives %(uniform)s.",
                n=found.brier.n,
                score=found.brier.score,
                uniform=found.brier.uniform,
            )
        )
