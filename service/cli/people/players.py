"""Players: the names of people, erasing them, and who sits where."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import click

from events.folding import normalized
from events.schemas import is_uuid
from games.rulesets import RULESETS
from service.api.answers.games import GameInfo
from service.api.answers.people import (
    MERGE_REASONS,
    MergeInfo,
    MergeList,
    MergePreview,
    MergeProposals,
    Player,
    PlayerDetail,
    PlayerList,
)
from service.cli.recording.corrections import reason_data
from service.cli.recording.entries import EntryWriter, with_writer
from service.cli.shell import screen
from service.cli.shell.arguments import dry_run_option, force_option, game_argument, json_option, reason_option
from service.cli.shell.connection import with_client
from service.cli.shell.failures import CommandError
from service.cli.shell.files import STDOUT, check_target, is_stream, save
from service.cli.shell.group import Group
from service.cli.shell.references import game_id
from service.cli.shell.seats import GUEST, ask_about_repeated, seat_data, seat_named
from service.languages import gettext, localized, ngettext

if TYPE_CHECKING:
    from collections.abc import Sequence

    from service.cli.shell.client import Client

Named = TypeVar("Named", Player, MergeInfo)

player_argument = click.argument("player", metavar="PLAYER")


@click.group(cls=Group)
def players() -> None:
    """List people, name them, or erase their names.

    PLAYER is a person's id, the whole name, or part of it if nobody else has it.
    """


@players.command("list")
@click.argument("query", default="")
@json_option
@with_client()
def list_players(client: Client, query: str, as_json: bool) -> None:
    """List people by name; QUERY is part of it."""
    if as_json:
        click.echo(client.fetch("/v1/players", q=query))
        return
    rows = screen.table("id", "name")
    for player in client.get("/v1/players", PlayerList, q=query).players:
        rows.add_row(player.id, player.name)
    screen.out().print(rows) if rows.row_count else screen.hint(
        gettext("No name matches.") if query else gettext("No names yet.")
    )


@players.command("name")
@player_argument
@click.argument("name")
@json_option
@with_client()
def name_player(client: Client, player: str, name: str, as_json: bool) -> None:
    """Give a person another name."""
    known = find_player(client, player)
    named = client.send("PUT", f"/v1/players/{known.id}", Player, {"name": name})
    if as_json:
        screen.data(named)
    else:
        screen.out().print(gettext("%(name)s is now called %(name2)s.", name=known.name, name2=named.name))


@players.command("erase")
@player_argument
@click.option("--yes", is_flag=True, help="Do not ask.")
@with_client()
def erase_player(client: Client, player: str, yes: bool) -> None:
    """Erase a person's name for good.

    The games stay, with a nameless seat, and their chains still verify. If somebody was entered several times, every
    name is erased.
    """
    known = find_player(client, player)
    others = [each.name for each in client.get(f"/v1/players/{known.id}", PlayerDetail).merged if each.name]
    names = gettext(" and ").join([known.name, *others])
    if yes and player not in {known.id, known.name}:
        raise CommandError(
            gettext("%(player)s is only a part of the name %(name)s", player=player, name=known.name),
            gettext("With --yes, give the whole name or the id."),
        )
    if not yes:
        click.confirm(
            gettext("Erase the name %(names)s (%(id)s) for good?", names=names, id=known.id), abort=True, err=True
        )
    client.send("DELETE", f"/v1/players/{known.id}", type(None))
    also = gettext(". Their other names are erased, too: %(others)s", others=", ".join(others)) if others else ""
    screen.out().print(gettext("%(id)s has no name any more%(also)s.", id=known.id, also=also))


@players.command("held")
@player_argument
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path, allow_dash=True), default=STDOUT)
@force_option
@with_client()
def show_held(client: Client, player: str, file: Path, force: bool) -> None:
    """Show what is held about a person, as JSON, or write it to FILE.

    Only this person and administrators may do this.
    """
    check_target(file, force=force)
    told = client.fetch(f"/v1/players/{find_player(client, player).id}/held")
    save([told, b"\n"] if is_stream(file) else [told], file)


@players.command("listing")
@player_argument
@click.argument("listed", type=click.Choice(["in", "out"]))
@with_client()
def list_player(client: Client, player: str, listed: str) -> None:
    """Hide a person's name in public tables, or show it again. Strangers read “somebody” there."""
    known = find_player(client, player)
    told = client.send("PUT", f"/v1/players/{known.id}/listing", PlayerDetail, {"listed": listed == "in"})
    out = gettext("%(name)s is left out of public tables.", name=known.name)
    screen.out().print(gettext("%(name)s is in public tables.", name=known.name) if told.listed else out)


@click.command("alike")
@json_option
@with_client()
def list_alike(client: Client, as_json: bool) -> None:
    """List people who seem to have been entered twice, by their names or their plays."""
    found = client.get("/v1/merges/proposals", MergeProposals)
    if as_json:
        screen.data(found)
        return
    rows = screen.table("person", "games", "perhaps the same", "games", "why")
    for each in found.proposals:
        rows.add_row(each.name, str(each.plays), each.into_name, str(each.into_plays), gettext(MERGE_REASONS[each.why]))
    screen.out().print(rows) if rows.row_count else screen.hint(gettext("Nobody."))


def _tell_preview(found: MergePreview) -> None:
    rows = screen.table("person", "games", "wins", "rating")
    names = [found.names.get(found.player, found.player), found.names.get(found.into, found.into)]
    for name, each in zip([*names, gettext("both")], [*found.before, found.after], strict=True):
        chance = gettext(
            "%(wins)s of %(n)s (%(chance)s by chance)", wins=each.wins, n=each.against, chance=f"{each.by_chance:.1f}"
        )
        rows.add_row(name, str(each.n), chance, f"{each.rating:.1f}" if each.rating is not None else "–")
    screen.out().print(rows)
    if found.together:
        screen.hint(
            ngettext(
                "They sit at one table in %(count)s game: are they two people?",
                "They sit at one table in %(count)s games: are they two people?",
                found.together,
            )
        )
    if found.shares:
        screen.hint(
            gettext("Each then also has these scopes of the other: %(scopes)s.", scopes=", ".join(found.shares))
        )


@click.command("merge")
@player_argument
@click.argument("kept", metavar="KEPT")
@dry_run_option
@json_option
@with_client()
def merge_player(client: Client, player: str, kept: str, dry_run: bool, as_json: bool) -> None:
    """Merge PLAYER into KEPT: they are the same person, entered twice. The name of KEPT stays.

    Games, seats and rights then belong to one person. The records stay as they are. `kifu people split` undoes it.
    """
    one, other = _named(client, player), _named(client, kept)
    if dry_run:
        found = client.get(f"/v1/players/{one.id}/merge", MergePreview, into=other.id)
        screen.data(found) if as_json else _tell_preview(found)
        return
    told = client.send("PUT", f"/v1/players/{one.id}/merge", PlayerDetail, {"into": other.id})
    if as_json:
        screen.data(told)
    else:
        screen.out().print(
            gettext("%(name)s is the same person as %(value)s from now on.", name=one.name, value=told.name or told.id)
        )


@click.command("split")
@player_argument
@with_client()
def split_player(client: Client, player: str) -> None:
    """Split PLAYER off again, by the name or the id that was merged into another one."""
    merge = _merge_of(client.get("/v1/merges", MergeList), player)
    client.send("DELETE", f"/v1/players/{merge.player}/merge", type(None))
    screen.out().print(gettext("%(value)s is a separate person again.", value=merge.name or merge.player))


@click.command("merges")
@json_option
@with_client()
def list_merges(client: Client, as_json: bool) -> None:
    """List who was entered twice, and is one person now."""
    if as_json:
        click.echo(client.fetch("/v1/merges"))
        return
    told = client.get("/v1/merges", MergeList)
    rows = screen.table("id", "entered as", "is", "since")
    for each in told.merges:
        rows.add_row(each.player, each.name or "–", told.people.get(each.into, each.into), each.since[:10])
    screen.out().print(rows) if rows.row_count else screen.hint(gettext("Nobody."))


@click.command()
@game_argument
@click.argument("seat", metavar="SEAT")
@click.argument("name", metavar="NAME")
@reason_option
@with_writer
@with_client()
def seat(client: Client, game: str, seat: str, name: str, reason: str, writer: EntryWriter) -> None:
    """Let NAME sit in SEAT from here on; ? is a guest.

    SEAT is its number from 1 on, what the ruleset calls it, or who sits there now. `kifu undo` gives it back.

    On a score sheet it can be the number after the last one: NAME joins with a seat of their own.
    """
    game = game_id(client, game)
    info = client.get(f"/v1/games/{game}", GameInfo)
    move = _move_that_adds(info, seat)
    taken = None if move else seat_named(info.seats, seat)
    number = taken.seat if taken else len(info.seats)
    called = localized(taken.label if taken else RULESETS[info.ruleset].seat_names[number])
    ask_about_repeated([name, *(each.name or "" for each in info.seats if each.seat != number)])
    data = {"seat": number} | seat_data(name) | reason_data(reason)
    writer.write(client, game, "seat.changed", data, lambda _: _sits(called, name), after=move)


def _move_that_adds(info: GameInfo, seat: str) -> str | None:
    """The move that adds the seat of this number, if it is the next one and its ruleset has such a move."""
    ruleset, number = RULESETS.get(info.ruleset), len(info.seats) + 1
    if ruleset is None or not ruleset.adding_a_seat or number not in ruleset.seats or seat.strip() != str(number):
        return None
    return ruleset.adding_a_seat.format(number=number)


def _sits(seat: str, name: str) -> str:
    if name == GUEST:
        return gettext("%(seat)s is a guest's seat from here on.", seat=seat)
    return gettext("%(seat)s is %(name)s's seat from here on.", seat=seat, name=name)


def _named(client: Client, text: str) -> Player:
    """The person that `text` means. An id may have no name. Raises `CommandError`."""
    if not is_uuid(text):
        return find_player(client, text)
    return Player(text, client.get(f"/v1/players/{text}", PlayerDetail).name or text)


def _merge_of(told: MergeList, text: str) -> MergeInfo:
    """The merge of the person that `text` means. Raises `CommandError`."""
    exact = [each for each in told.merges if text == each.player]
    found = exact or _fitting(text, told.merges)
    if len(found) != 1:
        why = (
            gettext("%(text)s matches %(found)s people", found=len(found), text=text)
            if found
            else gettext("nobody called %(text)s was merged", text=text)
        )
        raise CommandError(why, gettext("`kifu people merges` shows those who were, with their ids."))
    return found[0]


def _fitting(text: str, people: Sequence[Named]) -> list[Named]:
    """The people with this name; else with it in another case or width; else with it as a part of their name."""
    wanted = normalized(text)
    folded = [(person, normalized(person.name)) for person in people if person.name]
    return (
        [person for person in people if person.name == text]
        or [person for person, name in folded if name == wanted]
        or [person for person, name in folded if wanted in name]
    )


def find_player(client: Client, text: str) -> Player:
    """The person that `text` means. Raises `CommandError` if it means nobody, or several."""
    if not text.strip():
        raise CommandError(gettext("the name is empty"), gettext("`kifu players list` shows those that have a name."))
    everybody = client.get("/v1/players", PlayerList).players
    exact = [player for player in everybody if text == player.id]
    found = exact or _fitting(text, everybody)
    if not found:
        raise CommandError(
            gettext("nobody is called %(text)s", text=text),
            gettext("`kifu players list` shows those that have a name."),
        )
    if len(found) > 1:
        raise CommandError(
            gettext("%(text)s matches %(found)s people", found=len(found), text=text),
            gettext("Give an id: ") + "; ".join(f"{player.id} {player.name}" for player in found[:5]),
        )
    return found[0]
