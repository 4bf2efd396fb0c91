"""Games: opening, finding and showing them."""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from rich.text import Text
from uuid_utils import uuid7

from projections.catalogue.queries import ORDERS
from projections.catalogue.rows import LISTED
from service.api.answers.entries import RecordedEntries
from service.api.answers.games import GameInfo, Score
from service.api.answers.rulesets import RulesetDetail
from service.cli.games.alike import naming_alike, opening
from service.cli.games.moments import tell_known_moments
from service.cli.shell import screen, wording
from service.cli.shell.arguments import (
    Moment,
    at_option,
    day,
    force_option,
    from_option,
    game_argument,
    json_option,
    seat_option,
    to_option,
)
from service.cli.shell.clock import local, local_day
from service.cli.shell.connection import with_client
from service.cli.shell.files import ComponentsFile, check_target, save
from service.cli.shell.patience import with_retries
from service.cli.shell.references import all_games, game_id, segment, short_id
from service.cli.shell.seats import ask_about_repeated, option_values, read_words, seats_of, viewpoint
from service.cli.shell.sitters import sitters_of
from service.cli.shell.timelines import timeline
from service.languages import gettext, locale, localized, ngettext
from service.languages.sentences import with_translated_terms

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from datetime import datetime

    from rich.table import Table

    from service.api.answers.games import GameListed
    from service.cli.shell.client import Client


NOON = 12
"""The hour of a game, if only the day is known."""


@click.command("open", context_settings={"ignore_unknown_options": True})
@click.argument("words", nargs=-1, type=click.UNPROCESSED, metavar="RULESET [--COLOUR NAME]...")
@click.option("--seat", "names", multiple=True, metavar="NAME", help="Who sits in the next seat; ? for a guest.")
@click.option("--option", "options", multiple=True, metavar="NAME=VALUE", help="An option of the ruleset.")
@click.option("--components", metavar="NAME", help="Components that were entered under this name.")
@click.option("--components-file", "file", type=ComponentsFile(), help="Components in a file (TOML or JSON).")
@click.option("--title", default="", help="What the game is called in lists.")
@click.option("--place", default="", help="Where it is played.")
@click.option(
    "--on",
    "day",
    type=Moment(timed=True),
    help="When it was played, if not today: a day, or a day and a time, by the clock here.",
)
@click.option(
    "--id", "game", type=click.UUID, help="The id of the new game; a repeated command with it opens no second game."
)
@json_option
@with_client(makes=True)
def open_game(
    client: Client,
    words: tuple[str, ...],
    names: tuple[str, ...],
    options: tuple[str, ...],
    components: str | None,
    file: dict[str, Any] | None,
    day: datetime | None,
    game: object,
    as_json: bool,
    **about: str,
) -> None:
    """Open a game of RULESET and print its id.

    Seats go by --seat, in their order, or by what the ruleset calls them: kifu open kahuna --black Anna --white Ben.

    A game without a ruleset is kept on a ready score sheet: kifu open scoresheet --option template=uno --seat Anna.
    """
    name, named = read_words(words)
    ask_about_repeated([*names, *named.values()])
    with naming_alike(client, name, opening):
        ruleset = client.get(f"/v1/rulesets/{segment(name)}", RulesetDetail)
    body: dict[str, Any] = {
        "id": str(game or uuid7()),
        "ruleset": name,
        "options": option_values(ruleset, options),
        "components": file,
    } | about
    if components:
        body["components_name"] = components
    if day:
        body["happened_at"] = _moment(day)
    seats = seats_of(ruleset, names, named)
    if seats:
        body["seats"] = seats
    opened = with_retries(lambda: client.send("POST", "/v1/games", RecordedEntries, body))
    if as_json:
        screen.data(opened)
        return
    click.echo(opened.game)
    screen.hint(
        gettext(
            "Opened. Record its moves with `kifu record %(game)s` (or `kifu record last`).", game=short_id(opened.game)
        )
    )


def _moment(moment: datetime) -> str:
    """A local time with its offset; the middle of a day without a time."""
    is_day = moment.tzinfo is None and not (moment.hour or moment.minute)
    return local(moment.replace(hour=NOON) if is_day else moment).isoformat()


@click.command("games")
@click.argument("query", default="")
@click.option("--ruleset", help="Only games of this ruleset.")
@click.option("--status", type=click.Choice(LISTED), help="Only games of this status.")
@click.option("--name", help="Only games of this name: the title of a ruleset, or the game of a score sheet.")
@from_option
@to_option
@click.option("--forks/--no-forks", default=True, help="With forks (what-ifs), or without them.  [default: with]")
@click.option(
    "--order",
    type=click.Choice(ORDERS),
    default="recorded",
    show_default=True,
    help="The last recorded or played first.",
)
@click.option("--limit", type=click.IntRange(1), default=50, show_default=True, help="The largest number to list.")
@json_option
@with_client()
def list_games(
    client: Client,
    query: str,
    ruleset: str | None,
    status: str | None,
    name: str | None,
    first: datetime | None,
    last: datetime | None,
    forks: bool,
    order: str,
    limit: int,
    as_json: bool,
) -> None:
    """List games, the last recorded or played first.

    QUERY is part of a title, a place, a ruleset's or a player's name.
    """
    wanted: dict[str, str | bool | None] = {"q": query or None, "ruleset": ruleset, "status": status}
    wanted |= {"name": name, "from": day(first), "to": day(last), "forks": None if forks else False}
    if as_json:
        click.echo(client.fetch("/v1/games", limit=min(limit, 500), order=order, **wanted))
        return
    games = list(islice(all_games(client, order=order, **wanted), limit + 1))
    if not games:
        screen.hint(
            gettext("No game matches.")
            if any(asked is not None for asked in wanted.values())
            else gettext("No game is recorded.")
        )
        return
    screen.out().print(listing(games[:limit]))
    if len(games) > limit:
        screen.hint(gettext("There are more. Use --limit %(limit)s, or search for words.", limit=2 * limit))


def listing(games: Iterable[GameListed]) -> Table:
    """A table of games."""
    rows = screen.table("id", "game", "players", "score", "status", "played", whole=("id", "score", "played"))
    for listed in games:
        rows.add_row(*_row(listed))
    return rows


def _row(listed: GameListed) -> Iterator[str | Text]:
    broken = gettext(", %(irregular)s irregular", irregular=listed.irregular) if listed.irregular else ""
    reason = f" ({gettext(listed.reason.replace('_', ' '))})" if listed.reason else ""
    yield short_id(listed.game)
    fork = gettext(" (what if of %(origin)s)", origin=short_id(listed.origin)) if listed.origin else ""
    played = localized(listed.game_name) if listed.game_name else listed.ruleset
    beside = f" ({played})" if listed.title else ""
    yield Text(listed.title or played).append(beside + fork, style="dim")
    yield wording.people_at_table(listed.seats)
    yield wording.points(listed.scores, listed.deciding, listed.ruleset)
    yield f"{gettext(listed.status)}{reason}{broken}"
    yield local_day(listed.played_at)


@click.command()
@game_argument
@at_option
@seat_option
@json_option
@click.option(
    "--png",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Write the board as a picture to this file instead.",
)
@force_option
@with_client()
def show(
    client: Client, game: str, at: int | None, seat: str | None, as_json: bool, png: Path | None, force: bool
) -> None:
    """Show a game and its board, now or at a version."""
    if png is not None:
        check_target(png, force=force)
    game = game_id(client, game)
    seat = viewpoint(client, game, seat)
    if png is not None:
        save([client.fetch(f"/v1/games/{game}/board.png", at=at, seat=seat)], png)
        return
    if as_json:
        click.echo(client.fetch(f"/v1/games/{game}/state", at=at, seat=seat))
        return
    info = client.get(f"/v1/games/{game}", GameInfo)
    if wording.why_unread(info):
        _show_unread(info)
        return
    board = board_of(client, game, at=at, seat=seat)
    screen.out().print(heading(info), board, sep="\n")
    if at is not None:
        screen.out().print(gettext("This is version %(at)s of %(version)s.", at=at, version=info.version))
        return
    screen.out().print(
        gettext(
            "%(status)s; %(version)s entries, %(points)s",
            status=wording.status(info),
            version=info.version,
            points=wording.points(info.scores, info.deciding, info.ruleset),
        )
    )
    _tell_exceptions(client, info, info.version, info.irregular, seat)
    if info.outcome:
        tell_known_moments(client, info, seat)


def _show_unread(info: GameInfo) -> None:
    """Print the known facts of a game without its ruleset, which is not installed."""
    status = gettext("%(status)s; %(version)s entries", status=wording.status(info), version=info.version)
    screen.out().print(heading(info), status, sep="\n")
    screen.hint(
        gettext(
            "`kifu replay %(game)s` shows them as stored, and `kifu export` includes them.",
            game=short_id(info.game),
        )
    )


def _tell_exceptions(
    client: Client, info: GameInfo, at: int, irregular: dict[int, tuple[str, ...]], seat: str | None = None
) -> None:
    """Print what is out of the ordinary at a version: irregular entries, rulings that stand, and corrections.

    They are told as somebody in the seat can know them.
    """
    out = screen.out()
    entries = list(timeline(client, info.game, seat, until=at))
    if seat is not None:
        seen = {entry.version: tuple(breach.rule for breach in entry.irregular) for entry in entries}
        irregular = {version: seen[version] for version in irregular if seen.get(version)}
    for version, rules in irregular.items():
        out.print(
            Text(
                gettext("Entry %(version)s is irregular: %(rules)s", version=version, rules=", ".join(rules)),
                style="yellow",
            )
        )
    counting = [entry for entry in entries if not 0 < (entry.withdrawn_by or 0) <= at]
    for entry in counting:
        if entry.type == "ruling.given":
            out.print(
                Text(
                    gettext(
                        "Ruling %(version)s: %(action)s: %(text)s",
                        version=entry.version,
                        action=wording.entry_text(entry),
                        text=entry.text,
                    ),
                    style="yellow",
                )
            )
    corrections = sum(entry.type in wording.CORRECTIONS for entry in counting)
    if corrections:
        screen.hint(
            gettext(
                "%(counted)s: see `kifu replay %(game)s`.",
                counted=ngettext("%(count)s correction", "%(count)s corrections", corrections),
                game=short_id(info.game),
            )
        )


def heading(info: GameInfo) -> Text:
    """The title of a game, and its players."""
    text = Text(f"{info.title or info.ruleset}", style="bold").append(f"  {info.game}\n", style="not bold dim")
    place = f", {info.place}" if info.place else ""
    text.append_text(wording.people_at_table(info.seats)).append(f"{place}\n", style="not bold dim")
    if info.origin:
        text.append(
            gettext(
                "What if, from version %(version)s of %(game)s\n", version=info.origin.version, game=info.origin.game
            ),
            style="not bold dim",
        )
    return text


def board_of(client: Client, game: str, **moment: object) -> Text:
    """The drawing of a game's table: now, `at` a version or `after` an entry, seen from a `seat`."""
    path = f"/v1/games/{game}/board.txt"
    return screen.drawing(client.fetch(path, **moment, colour=screen.is_colourful()).decode())


@click.command()
@game_argument
@at_option
@json_option
@with_client()
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
    table = sitters_of(client, info)
    rows = screen.table("points", "seat", "for", "entry", "rule", "counted", right=("points", "entry"))
    for line in audit.lines:
        who = Text(wording.person(table.at(line.version)[line.seat]), style=screen.seat_style(line.seat))
        what, note = (with_translated_terms(text, locale(), info.ruleset) for text in (line.category, line.note))
        rows.add_row(f"{line.points:+}", who, what, str(line.version), line.rule, note)
    out.print(rows if audit.lines else gettext("No points yet."))
    totals = ", ".join(f"{wording.person(seat)} {audit.scores[seat.seat]}" for seat in info.seats)
    out.print(gettext("\nVersion %(version)s: %(totals)s", version=audit.version, totals=totals), style="bold")
    if audit.outcome:
        out.print(wording.ending(audit.outcome, info.seats))
    _tell_exceptions(client, info, audit.version, audit.irregular)
    for rule in audit.rules:
        out.print(Text(f"\n{rule.id}  {wording.titled(rule)}", style="bold"))
        out.print(wording.reflow_prose(rule.text))
