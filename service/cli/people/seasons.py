"""Seasons: creating one for a club, setting its rules, and showing its table."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

import click
from uuid_utils import uuid7

from events.seasons import SeasonTieBreak
from service.api.answers.seasons import SeasonInfo, SeasonList
from service.api.standings import season_csv
from service.cli.people.clubs import find_club
from service.cli.people.founded import erasing_options, erasure, id_of_record, print_history, save_export, table_options
from service.cli.people.players import find_player
from service.cli.shell import screen
from service.cli.shell.arguments import DAY, day, force_option, json_option
from service.cli.shell.connection import with_client
from service.cli.shell.failures import CommandError
from service.cli.shell.files import check_target, json_object
from service.cli.shell.group import Creating
from service.cli.shell.references import game_id
from service.languages import gettext
from service.languages.seasons import BONUSES, TIE_BREAKS

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from service.api.answers.seasons import SeasonLine
    from service.cli.shell.client import Client

season_argument = click.argument("season", metavar="SEASON")


@click.group(cls=Creating)
def seasons() -> None:
    """Create seasons of clubs, and see their tables.

    SEASON is a season's id, or its name. PLAYER is a player's id, or the name.
    """


def _find(client: Client, season: str) -> str:
    """The id of the season with this id or name. Raises `CommandError`."""
    found = client.get("/v1/seasons", SeasonList).seasons
    unknown, several = gettext("no season %(season)s", season=season), gettext("several seasons have this name")
    return id_of_record(season, [(each.season, each.name) for each in found], [unknown], several)


def _record(client: Client, season: str, kind: str, data: dict[str, Any]) -> SeasonInfo:
    body = {"id": str(uuid7()), "type": f"season.{kind}", "data": data}
    return client.send("POST", f"/v1/seasons/{season}/entries", SeasonInfo, body)


def _tell(seen: SeasonInfo, *, as_json: bool) -> None:
    if as_json:
        screen.data(seen)
        return
    out = screen.out()
    out.print(f"{seen.name} · {seen.club_name}  {seen.season}", markup=False)
    tie_breaks = [gettext(TIE_BREAKS[name]) for name in seen.rules.get("tie_breaks", ())]
    rows = screen.table("rank", "name", "points", "games", "counted", *tie_breaks)
    for row in seen.table:
        values = [f"{value.value:g}" for value in row.tie_breaks]
        rank = "–" if row.rank is None else str(row.rank)
        rows.add_row(
            rank, row.name or gettext("somebody"), f"{row.points:g}", str(row.played), str(row.counted), *values
        )
    out.print(rows) if seen.table else screen.hint(gettext("No game counts yet."))


@seasons.command("list")
@json_option
@with_client()
def list_seasons(client: Client, as_json: bool) -> None:
    """List the seasons that you may see."""
    if as_json:
        click.echo(client.fetch("/v1/seasons"))
        return
    rows = screen.table("id", "name", "club", "from", "to")
    for each in client.get("/v1/seasons", SeasonList).seasons:
        rows.add_row(each.season, each.name, each.club_name, each.first or "–", each.last or "–")
    screen.out().print(rows) if rows.row_count else screen.hint(gettext("There is no season yet that you may see."))


def _rules_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options of a season's rules."""
    for option in reversed(
        (
            click.option("--from", "first", type=DAY, help="The first day of play."),
            click.option("--to", "last", type=DAY, help="The last day of play."),
            click.option("--game", "kind", metavar="RULESET", help="What is played: a ruleset, or scoresheet/NAME."),
            click.option("--points", multiple=True, help="Points of the places at a table, such as 5,3,2,0."),
            click.option("--best", type=click.IntRange(0, 1000), help="How many games of a person count; 0: all."),
            click.option("--least", type=click.IntRange(0, 1000), help="How many games a rank needs."),
            click.option(
                "--tie-break",
                "tie_breaks",
                multiple=True,
                type=click.Choice(get_args(SeasonTieBreak)),
                help="A tie-break. Repeat it for the next one.",
            ),
            click.option(
                "--members/--everybody", "members", default=None, help="The table has only members, or everybody."
            ),
            click.option("--rules", default="{}", help="More rules as JSON, by name, such as bonuses."),
        )
    ):
        command = option(command)
    return command


def _rules(
    *,
    first: datetime | None,
    last: datetime | None,
    kind: str | None,
    points: tuple[str, ...],
    best: int | None,
    least: int | None,
    tie_breaks: tuple[str, ...],
    members: bool | None,
    rules: str,
) -> dict[str, Any]:
    """The rules that the options give. Raises `CommandError`."""
    more = json_object("--rules", rules)
    try:
        places = [[int(each) for each in text.split(",")] for text in points]
    except ValueError:
        raise CommandError(gettext("--points: whole numbers, such as 5,3,2,0")) from None
    given: dict[str, Any] = {
        "first": day(first),
        "last": day(last),
        "kind": kind,
        "points": places or None,
        "best": best,
    }
    given |= {"least": least, "tie_breaks": list(tie_breaks) or None, "members": members}
    return {name: value for name, value in given.items() if value is not None} | more


@seasons.command("create")
@click.argument("club", metavar="CLUB")
@click.argument("name")
@_rules_options
@json_option
@with_client(makes=True)
def create_season(client: Client, club: str, name: str, as_json: bool, **rules: Any) -> None:
    """Create a season of CLUB. Games of the club count by these rules."""
    body = {"id": str(uuid7()), "name": name, "club": find_club(client, club), "rules": _rules(**rules)}
    _tell(client.send("POST", "/v1/seasons", SeasonInfo, body), as_json=as_json)


@seasons.command("rules")
@season_argument
@click.option("--name", help="Another name of the season.")
@_rules_options
@json_option
@with_client()
def change_season(client: Client, season: str, name: str | None, as_json: bool, **rules: Any) -> None:
    """Change the rules or the name of a season. What is left out stays."""
    found = _find(client, season)
    now = client.get(f"/v1/seasons/{found}", SeasonInfo).rules
    data = {"rules": now | _rules(**rules)} | ({"name": name} if name else {})
    _tell(_record(client, found, "changed", data), as_json=as_json)


@seasons.command("show")
@season_argument
@table_options
@json_option
@with_client()
def show_season(client: Client, season: str, written: dict[str, Any] | None, as_json: bool) -> None:
    """Show the table of a season."""
    seen = client.get(f"/v1/seasons/{_find(client, season)}", SeasonInfo)
    _tell(seen, as_json=as_json) if written is None else click.echo(season_csv(seen, **written), nl=False)


@seasons.command("explain")
@season_argument
@click.argument("player")
@json_option
@with_client()
def explain_player(client: Client, season: str, player: str, as_json: bool) -> None:
    """Show how the points of a player add up, game by game."""
    seen = client.get(f"/v1/seasons/{_find(client, season)}", SeasonInfo)
    unknown = gettext("no player %(player)s in this season", player=player)
    advice = gettext("Its table has people with a game that counts, and those who were given points.")
    several = gettext("several players have this name")
    wanted = id_of_record(player, [(each.player, each.name) for each in seen.table], [unknown, advice], several)
    row = next(each for each in seen.table if each.player == wanted)
    if as_json:
        screen.data(row)
        return
    rows = screen.table("day", "game", "place", "points", "note")
    for line in row.games:
        rows.add_row(line.day, line.game, f"{line.place} / {line.players}", f"{line.total:g}", _note(line))
    for given in row.given:
        rows.add_row("", "", "", f"{given.points:g}", given.reason)
    rows.add_row("", "", "", f"{row.points:g}", gettext("in all"))
    screen.out().print(rows)


def _note(line: SeasonLine) -> str:
    notes = [f"{gettext(BONUSES[bonus.kind])} {bonus.points:+}" for bonus in line.bonuses]
    notes += [] if line.counts else [gettext("does not count")]
    if line.corrected:
        notes.append(gettext("corrected; it was %(places)s", places=line.corrected))
    return ", ".join(notes)


@seasons.command("points", context_settings={"ignore_unknown_options": True})  # points can be below zero
@season_argument
@click.argument("player")
@click.argument("points", type=click.IntRange(-1000, 1000))
@click.option("--reason", default="", help="What they are for.")
@json_option
@with_client()
def give_points(client: Client, season: str, player: str, points: int, reason: str, as_json: bool) -> None:
    """Give a player extra points. Points below zero take some away."""
    data = {"player": find_player(client, player).id, "points": points, "reason": reason}
    _tell(_record(client, _find(client, season), "points_given", data), as_json=as_json)


@seasons.command("leave-out")
@season_argument
@click.argument("game", metavar="GAME")
@click.option("--reason", default="", help="Why the game does not count.")
@json_option
@with_client()
def leave_out(client: Client, season: str, game: str, reason: str, as_json: bool) -> None:
    """Leave a game of the club out of this season."""
    data = {"game": game_id(client, game), "reason": reason}
    _tell(_record(client, _find(client, season), "game_left_out", data), as_json=as_json)


@seasons.command("history")
@season_argument
@json_option
@with_client()
def show_history(client: Client, season: str, as_json: bool) -> None:
    """Show the entries of a season. Those that do not count stand in brackets."""
    print_history(client, f"/v1/seasons/{_find(client, season)}", as_json=as_json)


@seasons.command("undo")
@season_argument
@click.argument("entry", type=click.IntRange(2))
@json_option
@with_client()
def undo_entry(client: Client, season: str, entry: int, as_json: bool) -> None:
    """Withdraw ENTRY of a season. Withdraw the withdrawal to bring the entry back."""
    _tell(_record(client, _find(client, season), "withdrawn", {"entry": entry}), as_json=as_json)


@seasons.command("erase")
@season_argument
@erasing_options
@json_option
@with_client()
def erase_text(client: Client, season: str, entry: int, reason: str, yes: bool, as_json: bool) -> None:
    """Erase the texts of ENTRY of a season for good: a name, a description, a reason.

    Their seals stay, so the chain and every proof hold. A new entry tells who erased them, when and why.
    """
    season = _find(client, season)
    data = erasure(client, f"/v1/seasons/{season}", entry, reason, yes=yes)
    _tell(_record(client, season, "erased", data), as_json=as_json)


@seasons.command("export")
@season_argument
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path), default="-")
@force_option
@with_client()
def export_season(client: Client, season: str, file: Path, force: bool) -> None:
    """Write a season to FILE as NDJSON, or to standard output. `kifu import` takes it in."""
    check_target(file, force=force)
    save_export(client, f"/v1/seasons/{_find(client, season)}", file)
