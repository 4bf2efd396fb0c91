"""Corrections: entries that say what really happened. Nothing is deleted, and a correction can be undone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import click

from events import limits
from projections.undoing import Reversal
from service.api.answers.games import GameInfo
from service.cli.recording.entries import EntryWriter, with_correction_options
from service.cli.shell import wording
from service.cli.shell.arguments import Version, entry_argument, game_argument, move_argument, reason_option
from service.cli.shell.connection import with_client
from service.cli.shell.failures import ADVICE, CommandError
from service.cli.shell.lines import BadLineError, read_line
from service.cli.shell.references import game_id
from service.cli.shell.timelines import entry_of
from service.languages import gettext

if TYPE_CHECKING:
    from service.cli.shell.client import Client

override_option = click.option(
    "--override", default="", metavar="REASON", help="Why the move counts although it broke a rule."
)


@click.command()
@game_argument
@entry_argument
@move_argument
@override_option
@reason_option
@with_correction_options
@with_client()
def replace(client: Client, game: str, entry: int, writer: EntryWriter, **words: str) -> None:
    """Replace the move of ENTRY by MOVE, which is what really happened."""
    write_replacement(client, game_id(client, game), writer, entry, **words)


@click.command()
@game_argument
@click.argument("after", type=Version, metavar="AFTER")
@move_argument
@override_option
@reason_option
@with_correction_options
@with_client()
def insert(client: Client, game: str, after: int, writer: EntryWriter, **words: str) -> None:
    """Insert MOVE, which was forgotten, right after the entry AFTER."""
    write_insertion(client, game_id(client, game), writer, after, **words)


@click.command()
@game_argument
@entry_argument
@move_argument
@override_option
@reason_option
@with_correction_options
@with_client()
def reveal(client: Client, game: str, entry: int, writer: EntryWriter, **words: str) -> None:
    """Add what ENTRY left open, such as the cards behind a `?`.

    MOVE is the whole move with what is known now. Facts that were recorded cannot change.
    """
    write_revelation(client, game_id(client, game), writer, entry, **words)


def write_replacement(client: Client, game: str, writer: EntryWriter, entry: int, *words: str, **more: str) -> None:
    """Replace the move of an entry; `words` is as `content` takes it."""
    data = {"entry": entry} | content(*words, **more)
    writer.write(
        client,
        game,
        "entry.replaced",
        data,
        lambda new: gettext("Entry %(entry)s is %(notation)s now.", entry=entry, notation=new.notation),
    )


def write_insertion(client: Client, game: str, writer: EntryWriter, after: int, *words: str, **more: str) -> None:
    """Insert a move after an entry; `words` is as `content` takes it."""
    data = {"after": after} | content(*words, **more)
    writer.write(
        client,
        game,
        "entry.inserted",
        data,
        lambda new: gettext(
            "Entry %(version)s stands after %(after)s: %(notation)s",
            version=new.version,
            after=after,
            notation=new.notation,
        ),
    )


def write_revelation(client: Client, game: str, writer: EntryWriter, entry: int, *words: str, **more: str) -> None:
    """Add details to the move of an entry; `words` is as `content` takes it."""
    data = {"entry": entry} | content(*words, **more)
    writer.write(
        client,
        game,
        "move.revealed",
        data,
        lambda told: gettext("Entry %(entry)s is known as %(notation)s now.", entry=entry, notation=told.notation),
    )


def content(move: str, override: str = "", reason: str = "") -> dict[str, Any]:
    """The data of a correction with a move: the move, the reason of its override, and that of the correction.

    `move` may be a whole line, `MOVE ! REASON`. Raises `BadLineError`.
    """
    line = read_line(move)
    if line is None or line.kind != "move.made":
        raise BadLineError(gettext("%(move)s is not a move", move=f"{move!r}"))
    return line.data() | ({"override": {"reason": override}} if override else {}) | reason_data(reason)


def reason_data(reason: str) -> dict[str, str]:
    """The reason as data, if there is one."""
    return {"reason": reason} if reason else {}


@click.command()
@game_argument
@click.option(
    "--entry", type=click.IntRange(2, limits.VERSION), metavar="VERSION", help="This entry, not the last one."
)
@reason_option
@with_correction_options
@with_client()
def undo(client: Client, game: str, entry: int | None, reason: str, writer: EntryWriter) -> None:
    """Take back the last entry that counts, or another one: a move, a correction, a ruling, a claim, a note.

    Nothing is deleted: the entry stays in the record and no longer counts. `kifu redo` brings it back.
    """
    game = game_id(client, game)
    write_undo(client, game, writer, entry, reason)


@click.command()
@game_argument
@reason_option
@with_correction_options
@with_client()
def redo(client: Client, game: str, reason: str, writer: EntryWriter) -> None:
    """Bring back what undo took back last, if nothing was recorded since.

    This works right after an older entry was withdrawn, too. Later, `kifu undo --entry` takes back the withdrawal.
    """
    write_redo(client, game_id(client, game), writer, reason)


def write_undo(client: Client, game: str, writer: EntryWriter, entry: int | None = None, reason: str = "") -> None:
    """Take an entry back, or the last one that counts. Raises `CommandError` if there is none."""
    none = gettext("nothing to undo: only the opening counts")
    back = _last(client, game, "undo", none) if entry is None else None
    version = back.entry if back else entry or 0
    found = entry_of(client, game, version)
    back = back or (found and found.undo) or Reversal(version, "entry.withdrawn", {"entry": version})
    what = f": {wording.entry_text(found)}" if found else "."
    writer.write(
        client,
        game,
        back.type,
        back.data | reason_data(reason),
        lambda _: gettext("Undone: entry %(version)s%(what)s", version=version, what=what),
    )


def write_redo(client: Client, game: str, writer: EntryWriter, reason: str = "") -> None:
    """Bring back what undo took last. Raises `CommandError` if it took nothing, or something was done since."""
    back = _last(
        client,
        game,
        "redo",
        gettext("nothing to redo: the last entry is not an undo. To undo a withdrawal, give its number"),
    )
    writer.write(
        client,
        game,
        back.type,
        back.data | reason_data(reason),
        lambda _: gettext("Entry %(entry)s counts again.", entry=back.entry),
    )


def _last(client: Client, game: str, which: Literal["undo", "redo"], nothing: str) -> Reversal:
    """What undo or redo would do now, by the service. Raises `CommandError` if there is nothing to do."""
    info = client.get(f"/v1/games/{game}", GameInfo)
    back: Reversal | None = getattr(info, which)
    if back:
        return back
    if missing := wording.why_unread(info):
        raise CommandError(gettext("the game cannot be corrected here: %(missing)s", missing=missing))
    if info.closed:
        advice = ADVICE["game-closed"]
        raise CommandError(gettext("The game is closed. %(advice)s", advice=gettext(advice)))
    raise CommandError(nothing)
