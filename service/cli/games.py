"""Games: opening one, finding them, looking at them, and mending the record."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import click
from rich.text import Text
from uuid_utils import uuid7

from service.answers import GameInfo, RecordedEntries, RulesetDetail, Score, Timeline
from service.cli import screen, wording
from service.cli.connection import connected
from service.cli.failures import CommandError
from service.cli.files import ComponentsFile
from service.cli.patience import persistently
from service.cli.references import all_games, game_id, short
from service.cli.seats import option_values, read_words, seats_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from projections.timeline import Entry
    from service.answers import GameListed
    from service.cli.client import Client

PAGE = 1000

game_argument = click.argument("game", metavar="GAME")
json_option = click.option("--json", "as_json", is_flag=True, help="Print the service's answer as it is.")
at_option = click.option("--at", type=click.IntRange(1), metavar="VERSION", help="As it was at this version.")
seat_option = click.option(
    "--seat", metavar="SEAT", help="As seen from a seat (0, 1, …), from the `public`, or with the whole `record`."
)


@click.command("open", context_settings={"ignore_unknown_options": True})
@click.argument("words", nargs=-1, type=click.UNPROCESSED, metavar="RULESET [--COLOUR NAME]...")
@click.option("--seat", "names", multiple=True, metavar="NAME", help="Who sits in the next seat; ? for a guest.")
@click.option("--option", "options", multiple=True, metavar="NAME=VALUE", help="An option of the ruleset.")
@click.option("--components", metavar="NAME", help="Components that were entered under this name.")
@click.option("--components-file", "file", type=ComponentsFile(), help="Components in a file (TOML or JSON).")
@click.option("--title", default="", help="What the game is called in lists.")
@click.option("--place", default="", help="Where it is played.")
@click.option("--id", "game", type=click.UUID, help="The id that the game shall have, so that a repetition is known.")
@connected(makes=True)
def open_game(
    client: Client,
    words: tuple[str, ...],
    names: tuple[str, ...],
    options: tuple[str, ...],
    components: str | None,
    file: dict[str, Any] | None,
    game: object,
    **about: str,
) -> None:
    """Open a game of RULESET and print its id.

    Seats go by --seat, in their order, or by what the ruleset calls them: kifu open kahuna --black Anna --white Ben.
    """
    name, named = read_words(words)
    ruleset = client.get(f"/v1/rulesets/{quote(name, safe='')}", RulesetDetail)
    body: dict[str, Any] = {
        "id": str(game or uuid7()),
        "ruleset": name,
        "options": option_values(ruleset, options),
        "components": file,
    } | about
    if components:
        body["components_name"] = components
    seats = seats_of(ruleset, names, named)
    if seats:
        body["seats"] = seats
    opened = persistently(lambda: client.send("POST", "/v1/games", RecordedEntries, body))
    click.echo(opened.game)
    screen.hint(f"Opened. Record its moves with `kifu record {short(opened.game)}` (or `kifu record last`).")


@click.command("games")
@click.argument("query", default="")
@click.option("--ruleset", help="Only games of this ruleset.")
@click.option("--status", type=click.Choice(["playing", "finished", "unreadable"]), help="Only games of this status.")
@click.option("--limit", type=click.IntRange(1), default=50, show_default=True, help="At most so many.")
@json_option
@connected()
def list_games(client: Client, query: str, ruleset: str | None, status: str | None, limit: int, as_json: bool) -> None:
    """List games, the last recorded first.

    QUERY is part of a title, a place, a ruleset's or a player's name.
    """
    wanted = {"q": query or None, "ruleset": ruleset, "status": status}
    if as_json:
        click.echo(client.fetch("/v1/games", limit=min(limit, 500), **wanted))
        return
    rows = screen.table("id", "game", "players", "score", "status", "last", whole=("id", "score", "last"))
    count = 0
    for count, listed in enumerate(all_games(client, **wanted), 1):
        if count > limit:
            break
        rows.add_row(*_row(listed))
    if not count:
        screen.hint("No game is recorded." if not any(wanted.values()) else "No game fits.")
        return
    screen.out().print(rows)
    if count > limit:
        screen.hint(f"There are more: --limit {2 * limit}, or name what you look for.")


def _row(listed: GameListed) -> Iterator[str | Text]:
    broken = f", {listed.irregular} irregular" if listed.irregular else ""
    reason = f" ({listed.reason.replace('_', ' ')})" if listed.reason else ""
    yield short(listed.game)
    yield Text(listed.title or listed.ruleset).append(f" ({listed.ruleset})" if listed.title else "", style="dim")
    yield wording.seated(listed.seats)
    yield wording.points(listed.scores)
    yield f"{listed.status}{reason}{broken}"
    yield wording.day(listed.last_at)


@click.command()
@game_argument
@at_option
@seat_option
@json_option
@connected()
def show(client: Client, game: str, at: int | None, seat: str | None, as_json: bool) -> None:
    """Show a game and its board, now or at a version."""
    game = game_id(client, game)
    if as_json:
        click.echo(client.fetch(f"/v1/games/{game}/state", at=at, seat=seat))
        return
    info = client.get(f"/v1/games/{game}", GameInfo)
    board = board_of(client, game, at, seat)
    screen.out().print(heading(info), board, sep="\n")
    if at is not None:
        screen.out().print(f"This is version {at} of {info.version}.")
        return
    screen.out().print(f"{wording.status(info)}; {info.version} entries, {wording.points(info.scores)}")
    for version, rules in info.irregular.items():
        screen.out().print(Text(f"Entry {version} is irregular: {', '.join(rules)}", style="yellow"))


def heading(info: GameInfo) -> Text:
    """What a game is called and who plays it."""
    text = Text(f"{info.title or info.ruleset}", style="bold").append(f"  {info.game}\n", style="not bold dim")
    place = f", {info.place}" if info.place else ""
    return text.append_text(wording.seated(info.seats)).append(f"{place}\n", style="not bold dim")


def board_of(client: Client, game: str, at: int | None = None, seat: str | None = None) -> Text:
    """The drawing of a game's table."""
    path = f"/v1/games/{game}/board.txt"
    return screen.drawing(client.fetch(path, at=at, seat=seat, colour=screen.is_colourful()).decode())


@click.command()
@game_argument
@click.option("--all", "whole", is_flag=True, help="Print all entries at once.")
@seat_option
@json_option
@connected()
def replay(client: Client, game: str, whole: bool, seat: str | None, as_json: bool) -> None:
    """Go through a game, entry by entry.

    On a terminal a key steps on and back; with --all, and elsewhere, all entries are printed with their effects and the
    scores after each.
    """
    game = game_id(client, game)
    if as_json:
        click.echo(client.fetch(f"/v1/games/{game}/timeline", seat=seat, limit=PAGE))
        return
    info = client.get(f"/v1/games/{game}", GameInfo)
    entries = timeline(client, game, seat)
    if whole or not (screen.out().is_terminal and sys.stdin.isatty()):
        screen.out().print(heading(info))
        screen.out().print(_listing(info, entries))
        screen.out().print(wording.status(info))
        return
    from service.cli.stepper import Stepper  # noqa: PLC0415 - only this needs the terminal's toolkit

    steps = list(entries)
    Stepper(len(steps), lambda at: _page(client, info, steps[at], seat)).run()


def timeline(client: Client, game: str, seat: str | None = None, after: int = 0) -> Iterator[Entry]:
    """All entries of a game behind version `after`, as they count today."""
    following: int | None = after
    while following is not None:
        page = client.get(f"/v1/games/{game}/timeline", Timeline, after=following, limit=PAGE, seat=seat)
        yield from page.entries
        following = page.next


def _listing(info: GameInfo, entries: Iterator[Entry]) -> object:
    rows = screen.table("#", "who", "entry", "score", "what followed", right=("#",))
    for entry in entries:
        who, deed, what = _told(info, entry)
        rows.add_row(str(entry.version), who, deed, wording.points(entry.scores), what)
    return rows


def _told(info: GameInfo, entry: Entry) -> tuple[Text, Text, Text]:
    """Who did what, and what followed; what was taken back is struck out."""
    style = "dim strike" if entry.withdrawn_by else ""
    what = Text(wording.consequences(entry.effects))
    for remark in wording.remarks(entry):
        what.append("\n" if what else "").append_text(remark)
    return wording.actor(entry, info.seats), Text(wording.deed(entry), style=style), what


def _page(client: Client, info: GameInfo, entry: Entry, seat: str | None) -> str:
    """One step of a replay: the board behind an entry, and the entry."""
    out = screen.out()
    who, deed, what = _told(info, entry)
    with out.capture() as page:
        out.print(heading(info), board_of(client, info.game, entry.version, seat), sep="\n")
        place, score = f"{entry.version}/{info.version}  ", f"  {wording.points(entry.scores)}"
        out.print(Text.assemble((place, "dim"), who, " ", deed, score))
        out.print(what)
        if entry.outcome:
            out.print(wording.ending(entry.outcome, info.seats))
    return page.get()


@click.command()
@game_argument
@at_option
@json_option
@connected()
def score(client: Client, game: str, at: int | None, as_json: bool) -> None:
    """Audit a game's score: every point with its entry and its rule, and the rules spelled out."""
    game = game_id(client, game)
    if as_json:
        click.echo(client.fetch(f"/v1/games/{game}/score", at=at))
        return
    info = client.get(f"/v1/games/{game}", GameInfo)
    audit = client.get(f"/v1/games/{game}/score", Score, at=at)
    out = screen.out()
    out.print(heading(info))
    rows = screen.table("points", "seat", "for", "entry", "rule", "counted", right=("points", "entry"))
    for line in audit.lines:
        seat = info.seats[line.seat]
        who = Text(wording.person(seat), style=screen.seat_style(line.seat))
        rows.add_row(f"{line.points:+}", who, line.category, str(line.version), line.rule, line.note)
    out.print(rows if audit.lines else "No points yet.")
    totals = ", ".join(f"{wording.person(seat)} {audit.scores[seat.seat]}" for seat in info.seats)
    out.print(f"\nVersion {audit.version}: {totals}", style="bold")
    if audit.outcome:
        out.print(wording.ending(audit.outcome, info.seats))
    for version, broken in audit.irregular.items():
        out.print(Text(f"Entry {version} is irregular: {', '.join(broken)}", style="yellow"))
    for rule in audit.rules:
        out.print(Text(f"\n{rule.id}  {rule.en} / {rule.ja}", style="bold"))
        out.print(" ".join(rule.text.split()))


@click.command()
@game_argument
@click.option("--entry", type=click.IntRange(2), metavar="VERSION", help="Take back this entry, not the last one.")
@click.option("--reason", default="", help="Why.")
@connected()
def undo(client: Client, game: str, entry: int | None, reason: str) -> None:
    """Take back the last entry that counts, or another one.

    Nothing is deleted: the entry stays in the record and counts no more. Taking back the withdrawal brings it back.
    """
    game = game_id(client, game)
    entry, what = (entry, "") if entry else last_counting(client, game)
    withdraw(client, game, entry, reason)
    screen.out().print(f"Entry {entry} is taken back{f': {what}' if what else '.'}")


def last_counting(client: Client, game: str) -> tuple[int, str]:
    """The newest move or note that counts: its version and what it says. Raises `CommandError`."""
    version = client.get(f"/v1/games/{game}", GameInfo).version
    while version > 1:
        start = max(version - PAGE, 1)
        page = client.get(f"/v1/games/{game}/timeline", Timeline, after=start, limit=version - start)
        for entry in reversed(page.entries):
            if entry.type in {"move.made", "note.added"} and not entry.withdrawn_by:
                return entry.version, entry.notation or f"note: {entry.text}"
        version = start
    raise CommandError("there is nothing to take back: no entry counts but the opening")


def withdraw(client: Client, game: str, entry: int, reason: str = "") -> RecordedEntries:
    """Take an entry back."""
    data: dict[str, Any] = {"entry": entry} | ({"reason": reason} if reason else {})
    return add(client, game, "entry.withdrawn", data)


def add(client: Client, game: str, kind: str, data: dict[str, Any]) -> RecordedEntries:
    """Add an entry that is no move."""
    events = {"events": [{"id": str(uuid7()), "type": kind, "data": data}]}
    return persistently(lambda: client.send("POST", f"/v1/games/{game}/events", RecordedEntries, events))


@click.command()
@game_argument
@click.argument("text")
@click.option("--entry", type=click.IntRange(1), metavar="VERSION", help="The entry that the note is about.")
@connected()
def note(client: Client, game: str, text: str, entry: int | None) -> None:
    """Add a note to a game, or to one of its entries."""
    game = game_id(client, game)
    data: dict[str, Any] = {"text": text} | ({"entry": entry} if entry else {})
    added = add(client, game, "note.added", data)
    screen.out().print(f"Noted as entry {added.version}.")
