"""Tournaments: creating one, entering players and results, pairing rounds, and showing the table."""

from __future__ import annotations

from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

import click
from uuid_utils import uuid7

from events.tournaments import Format, TieBreak
from service.api.answers.entries import RecordedEntries
from service.api.answers.tournaments import TournamentInfo, TournamentList
from service.api.standings import tournament_csv
from service.cli.people.clubs import find_club
from service.cli.people.founded import (
    erasing_options,
    erasure,
    id_of_record,
    print_history,
    save_export,
    table_options,
)
from service.cli.shell import screen
from service.cli.shell.arguments import force_option, json_option
from service.cli.shell.connection import with_client
from service.cli.shell.failures import CommandError
from service.cli.shell.files import check_target, json_object
from service.cli.shell.group import Creating
from service.cli.shell.references import game_id
from service.languages import gettext
from service.languages.tournaments import ROUND_KINDS

if TYPE_CHECKING:
    from service.api.answers.tournaments import TieBreakLine, TournamentRow
    from service.cli.shell.client import Client

tournament_argument = click.argument("tournament", metavar="TOURNAMENT")
after_option = click.option("--after", type=click.IntRange(0, 200), help="The table as it stood after this round.")


@click.group(cls=Creating)
def tournaments() -> None:
    """Create tournaments, pair rounds, enter results, and see the table.

    TOURNAMENT is a tournament's id, or its name. PLAYER is a player's id, or the name.
    """


def _find(client: Client, tournament: str) -> str:
    """The id of the tournament with this id or name. Raises `CommandError`."""
    found = client.get("/v1/tournaments", TournamentList).tournaments
    unknown = gettext("no tournament %(tournament)s", tournament=tournament)
    several = gettext("several tournaments have this name")
    return id_of_record(tournament, [(each.tournament, each.name) for each in found], [unknown], several)


def _seen(client: Client, tournament: str, after: int | None = None) -> TournamentInfo:
    path = f"/v1/tournaments/{_find(client, tournament)}"
    return client.get(path, TournamentInfo) if after is None else client.get(path, TournamentInfo, after=after)


def _entrant(seen: TournamentInfo, player: str) -> str:
    """The id of a player of a tournament by id or name. Raises `CommandError`."""
    unknown = gettext("no player %(player)s in this tournament", player=player)
    several = gettext("several players have this name")
    return id_of_record(player, [(each.player, each.name) for each in seen.players], [unknown], several)


def _record(client: Client, tournament: str, kind: str, data: dict[str, Any]) -> TournamentInfo:
    body = {"id": str(uuid7()), "type": f"tournament.{kind}", "data": data}
    return client.send("POST", f"/v1/tournaments/{_find(client, tournament)}/entries", TournamentInfo, body)


def _names(seen: TournamentInfo) -> dict[str, str]:
    return {each.player: each.name or gettext("somebody") for each in seen.players}


def _tell(seen: TournamentInfo, *, as_json: bool) -> None:
    if as_json:
        screen.data(seen)
        return
    names, out = _names(seen), screen.out()
    out.print(f"{seen.name}  {seen.tournament}", markup=False)
    if not seen.rounds:
        for each in seen.players:
            out.print(f"{each.seed} {names[each.player]}", markup=False)
    _tell_round(seen, names)
    _tell_table(seen, names)


def _tell_round(seen: TournamentInfo, names: dict[str, str]) -> None:
    if not seen.rounds:
        return
    each, rows = seen.rounds[-1], screen.table("table", "players", "places", "scores", "note")
    for number, table in enumerate(each.tables, 1):
        rows.add_row(
            str(number),
            " – ".join(names.get(player, player) for player in table.players),
            " – ".join(map(str, table.places or ())),
            " – ".join(f"{score:g}" for score in table.scores or ()),
            gettext("corrected; it was %(places)s", places=" – ".join(map(str, table.corrected)))
            if table.corrected
            else "",
        )
    for bye in each.byes:
        rows.add_row("–", names.get(bye.player, bye.player), "", "", gettext(ROUND_KINDS[bye.kind]))
    screen.out().print(gettext("Round %(round)s", round=len(seen.rounds)))
    if each.outdated:
        screen.hint(gettext("With today’s results, others would play this round."))
    screen.out().print(rows)


def _tell_table(seen: TournamentInfo, names: dict[str, str]) -> None:
    if not seen.rounds:
        return
    tie_breaks = [value.name for value in seen.table[0].tie_breaks] if seen.table else []
    rows = screen.table("rank", "name", "points", *tie_breaks)
    for row in seen.table:
        values = [f"{value.value:g}" for value in row.tie_breaks]
        rows.add_row(str(row.rank), names.get(row.player, row.player), f"{row.points:g}", *values)
    if seen.after and not seen.rounds[seen.after - 1].over:
        screen.out().print(gettext("Table during round %(round)s", round=seen.after))
    else:
        screen.out().print(gettext("Table after round %(round)s", round=seen.after))
    screen.out().print(rows)
    for each in (each for each in seen.players if each.annulled):
        left = gettext("left before half of the games: no result counts")
        screen.out().print(f"{names[each.player]}: {left}", markup=False)


@tournaments.command("list")
@json_option
@with_client()
def list_tournaments(client: Client, as_json: bool) -> None:
    """List the tournaments that you may see."""
    if as_json:
        click.echo(client.fetch("/v1/tournaments"))
        return
    rows = screen.table("id", "name", "format", "players", "rounds")
    for each in client.get("/v1/tournaments", TournamentList).tournaments:
        rows.add_row(each.tournament, each.name, each.format, str(each.players), str(each.rounds))
    hint = gettext("There is no tournament yet that you may see.")
    screen.out().print(rows) if rows.row_count else screen.hint(hint)


@tournaments.command("create")
@click.argument("name")
@click.option(
    "--format", "kind", type=click.Choice(get_args(Format)), default="swiss", help="The format: who meets whom."
)
@click.option(
    "--rounds", type=click.IntRange(0, 200), default=0, help="The number of rounds; 0: as many as the format needs."
)
@click.option("--at-table", type=click.IntRange(2, 6), default=2, help="The largest number of people at a table.")
@click.option(
    "--tie-break",
    "tie_breaks",
    multiple=True,
    type=click.Choice(get_args(TieBreak)),
    help="A tie-break. Repeat it for the next one.",
)
@click.option("--rules", default="{}", help="More rules as JSON, by name.")
@click.option("--ruleset", help="What is played.")
@click.option("--club", help="The club; its members see the tournament.")
@click.option("--minutes", type=click.IntRange(0, 1440), default=0, help="The minutes of a round; 0: no clock.")
@click.option("--public", is_flag=True, help="Everybody may see it.")
@json_option
@with_client(makes=True)
def create_tournament(
    client: Client,
    name: str,
    kind: str,
    rounds: int,
    at_table: int,
    tie_breaks: tuple[str, ...],
    rules: str,
    ruleset: str | None,
    club: str | None,
    minutes: int,
    public: bool,
    as_json: bool,
) -> None:
    """Create a tournament; you are its first organiser."""
    given = json_object("--rules", rules)
    chosen = {"format": kind, "rounds": rounds, "at_table": at_table, "minutes": minutes}
    given = chosen | {"tie_breaks": list(tie_breaks)} | given
    body = {"id": str(uuid7()), "name": name, "public": public, "ruleset": ruleset, "rules": given}
    body["club"] = find_club(client, club) if club else None
    _tell(client.send("POST", "/v1/tournaments", TournamentInfo, body), as_json=as_json)


@tournaments.command("show")
@tournament_argument
@after_option
@table_options
@json_option
@with_client()
def show_tournament(
    client: Client, tournament: str, after: int | None, written: dict[str, Any] | None, as_json: bool
) -> None:
    """Show the last round of a tournament, and its table."""
    seen = _seen(client, tournament, after)
    _tell(seen, as_json=as_json) if written is None else click.echo(tournament_csv(seen, **written), nl=False)


@tournaments.command("enter")
@tournament_argument
@click.argument("names", nargs=-1, required=True)
@json_option
@with_client()
def enter_players(client: Client, tournament: str, names: tuple[str, ...], as_json: bool) -> None:
    """Enter players by NAMES, the strongest first. Players who come later play from the next round on."""
    plays = [each.name for each in _seen(client, tournament).players]
    for name in names:
        if name in plays or names.count(name) > 1:
            raise CommandError(gettext("%(name)s is entered twice: nobody was entered", name=name))
    for name in names:
        seen = _record(client, tournament, "player_entered", {"name": name})
    _tell(seen, as_json=as_json)


@tournaments.command("team")
@tournament_argument
@click.argument("name")
@click.argument("members", nargs=-1, required=True)
@json_option
@with_client()
def enter_team(client: Client, tournament: str, name: str, members: tuple[str, ...], as_json: bool) -> None:
    """Enter a team by its NAME, with its MEMBERS by name. A team of this name gets these members."""
    known = {each.name: each.player for each in _seen(client, tournament).players if each.members}
    team = {"team": known.get(name) or str(uuid7()), "name": name, "players": list(members)}
    _tell(_record(client, tournament, "team_entered", team), as_json=as_json)


@tournaments.command("leave")
@tournament_argument
@click.argument("player")
@json_option
@with_client()
def take_out(client: Client, tournament: str, player: str, as_json: bool) -> None:
    """Take a player out of all further rounds."""
    left = {"player": _entrant(_seen(client, tournament), player)}
    _tell(_record(client, tournament, "player_left", left), as_json=as_json)


@tournaments.command("bye")
@tournament_argument
@click.argument("player")
@click.argument("round_", metavar="ROUND", type=click.IntRange(1, 200))
@click.option("--zero", is_flag=True, help="The bye gives no points, instead of half a win.")
@json_option
@with_client()
def ask_bye(client: Client, tournament: str, player: str, round_: int, zero: bool, as_json: bool) -> None:
    """Leave a player out of a future ROUND."""
    player = _entrant(_seen(client, tournament), player)
    asked = {"player": player, "round": round_, "kind": "zero" if zero else "half"}
    _tell(_record(client, tournament, "bye_asked", asked), as_json=as_json)


@tournaments.command("pair")
@tournament_argument
@click.option(
    "--table", "tables", multiple=True, help='Players of a table by name, such as "Aiko, Ben"; the first begins.'
)
@click.option("--bye", "byes", multiple=True, help="With --table: a player without a table.")
@json_option
@with_client()
def pair_round(client: Client, tournament: str, tables: tuple[str, ...], byes: tuple[str, ...], as_json: bool) -> None:
    """Pair the next round. With --table and --bye you say who meets whom."""
    data: dict[str, Any] = {}
    if tables or byes:
        seen = _seen(client, tournament)
        seats = [[_entrant(seen, name.strip()) for name in each.split(",") if name.strip()] for each in tables]
        free = [_entrant(seen, name) for name in byes]
        _all_are_there(seen, {player for players in (*seats, free) for player in players})
        data = {"round": len(seen.rounds) + 1, "tables": [{"players": players} for players in seats]}
        data["byes"] = [{"player": player} for player in free]
    _tell(_record(client, tournament, "round_paired", data), as_json=as_json)


def _all_are_there(seen: TournamentInfo, named: set[str]) -> None:
    """Check that every player is in a pair or has a bye. Raises `CommandError`."""
    names = _names(seen)
    if left := [names[each.player] for each in seen.players if each.last is None and each.player not in named]:
        raise CommandError(gettext("neither --table nor --bye names %(names)s", names=", ".join(left)))


@tournaments.command("result", context_settings={"ignore_unknown_options": True})  # points can be below zero
@tournament_argument
@click.argument("table", type=click.IntRange(1, 1000))
@click.argument("scores", nargs=-1, type=float)
@click.option("--round", "round_", type=click.IntRange(1, 200), help="The round; the last one if left out.")
@click.option("--places", is_flag=True, help="The numbers are places, 1 is the first.")
@click.option("--forfeit", "forfeits", multiple=True, help="A player who did not play.")
@click.option("--game", help="The recorded game of this table. Its result counts, also if it changes later.")
@json_option
@with_client()
def enter_result(
    client: Client,
    tournament: str,
    table: int,
    scores: tuple[float, ...],
    round_: int | None,
    places: bool,
    forfeits: tuple[str, ...],
    game: str | None,
    as_json: bool,
) -> None:
    """Enter how TABLE ended: the SCORES by seat, or places, forfeits or a game."""
    seen = _seen(client, tournament)
    number = round_ or max(len(seen.rounds), 1)
    data: dict[str, Any] = {"round": number, "table": table}
    if scores:
        data |= {"places": _places(scores)} if places else {"scores": _points(scores)}
    if forfeits:
        tables = seen.rounds[number - 1].tables if number <= len(seen.rounds) else []
        players = tables[table - 1].players if table <= len(tables) else []
        away = [_entrant(seen, each) for each in forfeits]
        if not set(away) <= set(players):
            raise CommandError(gettext("this player does not sit at table %(table)s", table=table))
        data["forfeits"] = [players.index(each) for each in away]
    if game:
        data["game"] = game_id(client, game)
    _tell(_record(client, tournament, "result_entered", data), as_json=as_json)


def _places(numbers: tuple[float, ...]) -> list[int]:
    """Raises `CommandError`."""
    for each in numbers:
        if not each.is_integer():
            raise CommandError(gettext("%(number)s is not a place: places are whole numbers", number=f"{each:g}"))
    return [int(each) for each in numbers]


def _points(numbers: tuple[float, ...]) -> list[float]:
    """Raises `CommandError`."""
    for each in numbers:
        if not isfinite(each):
            raise CommandError(gettext("%(number)s is not a number of points", number=f"{each:g}"))
    return list(numbers)


@tournaments.command("open")
@tournament_argument
@click.argument("table", type=click.IntRange(1, 1000))
@click.option("--round", "round_", type=click.IntRange(1, 200), help="The round; the last one if left out.")
@click.option("--ruleset", default="", help="What is played, if the tournament does not say it.")
@click.option("--options", default="{}", help="Options as JSON, by name.")
@with_client()
def open_game(client: Client, tournament: str, table: int, round_: int | None, ruleset: str, options: str) -> None:
    """Open the game of TABLE, with its people in their seats, and print its id. The table gets its result."""
    given = json_object("--options", options)
    seen = _seen(client, tournament)
    body = {"id": str(uuid7()), "round": round_ or max(len(seen.rounds), 1), "table": table, "options": given}
    path = f"/v1/tournaments/{seen.tournament}/games"
    click.echo(client.send("POST", path, RecordedEntries, body | ({"ruleset": ruleset} if ruleset else {})).game)


@tournaments.command("explain")
@tournament_argument
@click.argument("player")
@after_option
@json_option
@with_client()
def explain_player(client: Client, tournament: str, player: str, after: int | None, as_json: bool) -> None:
    """Show how each tie-break of a player adds up, round by round."""
    seen = _seen(client, tournament, after)
    wanted = _entrant(seen, player)
    row = next((row for row in seen.table if row.player == wanted), None)
    if row is None:
        raise CommandError(gettext("no player %(player)s in this tournament", player=player))
    if as_json:
        screen.data(row)
        return
    _explain(row, _names(seen))


def _explain(row: TournamentRow, names: dict[str, str]) -> None:
    if not row.tie_breaks:
        screen.out().print(gettext("The rules of this tournament have no tie-breaks."))
    for value in row.tie_breaks:
        screen.out().print(f"{value.name} {value.value:g}", markup=False)
        rows = screen.table("round", "opponents", "counted", "times", "value", "note")
        for line in value.lines:
            rows.add_row(
                str(line.round),
                ", ".join(names.get(player, player) for player in line.opponents)
                or gettext(ROUND_KINDS.get(line.kind, "–")),
                "" if line.of is None else f"{line.of:g}",
                "" if line.factor is None else f"{line.factor:g}",
                f"{line.value:g}",
                _note(line),
            )
        screen.out().print(rows)


def _note(line: TieBreakLine) -> str:
    notes = [gettext("does not count")] if line.cut else []
    return ", ".join([*notes, *([gettext("adjusted")] if line.adjusted else [])])


@tournaments.command("organiser")
@tournament_argument
@click.argument("name")
@click.option("--remove", is_flag=True, help="The person may not change it any more.")
@json_option
@with_client()
def name_organiser(client: Client, tournament: str, name: str, remove: bool, as_json: bool) -> None:
    """Make a person an organiser of a tournament, or with --remove no longer one."""
    named = {"name": name, "organises": not remove}
    _tell(_record(client, tournament, "organiser_named", named), as_json=as_json)


@tournaments.command("history")
@tournament_argument
@json_option
@with_client()
def show_history(client: Client, tournament: str, as_json: bool) -> None:
    """Show the entries of a tournament. Those that do not count stand in brackets."""
    print_history(client, f"/v1/tournaments/{_find(client, tournament)}", as_json=as_json)


@tournaments.command("undo")
@tournament_argument
@click.argument("entry", type=click.IntRange(2))
@json_option
@with_client()
def undo_entry(client: Client, tournament: str, entry: int, as_json: bool) -> None:
    """Withdraw ENTRY of a tournament. Withdraw the withdrawal to bring the entry back."""
    _tell(_record(client, tournament, "withdrawn", {"entry": entry}), as_json=as_json)


@tournaments.command("erase")
@tournament_argument
@erasing_options
@json_option
@with_client()
def erase_text(client: Client, tournament: str, entry: int, reason: str, yes: bool, as_json: bool) -> None:
    """Erase the texts of ENTRY of a tournament for good: a name, a description, a reason.

    Their seals stay, so the chain and every proof hold. A new entry tells who erased them, when and why.
    """
    tournament = _find(client, tournament)
    data = erasure(client, f"/v1/tournaments/{tournament}", entry, reason, yes=yes)
    _tell(_record(client, tournament, "erased", data), as_json=as_json)


@tournaments.command("export")
@tournament_argument
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path), default="-")
@force_option
@with_client()
def export_tournament(client: Client, tournament: str, file: Path, force: bool) -> None:
    """Write a tournament to FILE as NDJSON, or to standard output. `kifu import` takes it in."""
    check_target(file, force=force)
    save_export(client, f"/v1/tournaments/{_find(client, tournament)}", file)
