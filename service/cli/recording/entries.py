"""Entries other than moves: adding one, or trying it out, and printing the result."""

from __future__ import annotations

from functools import wraps
from typing import TYPE_CHECKING, Any

import click
import msgspec
from rich.text import Text
from uuid_utils import uuid7

from service.api.answers.entries import RecordedEntries
from service.api.answers.games import GameInfo
from service.cli.shell import screen, wording
from service.cli.shell.arguments import (
    Version,
    dry_run_option,
    game_argument,
    json_option,
    keep_option,
    withdraw_option,
)
from service.cli.shell.conflicts import Ask, Choices, ask_on_terminal, resolve
from service.cli.shell.connection import with_client
from service.cli.shell.failures import CommandError
from service.cli.shell.patience import with_retries
from service.cli.shell.references import game_id
from service.languages import gettext, ngettext

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from games.contract import Outcome
    from projections.timeline import EffectInfo
    from service.api.answers.games import SeatInfo
    from service.cli.shell.client import Client
    from service.recording.judging import Consequence, RecordedEntry

    Command = Callable[..., None]
    Headline = Callable[[RecordedEntry], str]


class EntryWriter(msgspec.Struct, frozen=True):
    """Adds entries, for good or as a dry run, and prints the results in words or as JSON.

    `choices` say what becomes of later entries that do not fit any more; `ask` is asked about all others.
    """

    dry_run: bool = False
    as_json: bool = False
    choices: Choices = Choices()
    ask: Ask | None = None

    def write(
        self, client: Client, game: str, kind: str, data: dict[str, Any], headline: Headline, after: str | None = None
    ) -> None:
        """Add an entry and print the result, after a `headline` about it.

        It may stand `after` a move that is made with it: both are added, or neither.
        """
        answer = self._add(client, game, kind, data, after)
        if self.as_json:
            screen.data(answer)
            return
        if self.dry_run:
            screen.out().print(gettext("Dry run, nothing is stored:"))
        print_recorded(client.get(f"/v1/games/{game}", GameInfo).seats, answer.entries[-1], headline)

    def _add(
        self, client: Client, game: str, kind: str, data: dict[str, Any], after: str | None = None
    ) -> RecordedEntries:
        moves = [{"id": str(uuid7()), "type": "move.made", "data": {"move": after}}] if after else []

        def attempt(chosen: dict[str, Any]) -> RecordedEntries:
            events = {"events": [*moves, {"id": str(uuid7()), "type": kind, "data": data | chosen}]}
            path = f"/v1/games/{game}/events"
            return with_retries(lambda: client.send("POST", path, RecordedEntries, events, dry_run=self.dry_run))

        return resolve(attempt, self.choices, self.ask)


def with_writer(command: Command) -> Command:
    """Give a command that adds an entry the options for it, and the `writer` that heeds them."""

    @dry_run_option
    @json_option
    @wraps(command)
    def run(*, dry_run: bool, as_json: bool, **more: Any) -> None:
        command(writer=EntryWriter(dry_run, as_json), **more)

    return run


def with_correction_options(command: Command) -> Command:
    """As `with_writer`, for a command after which later entries may fit no more."""

    @keep_option
    @withdraw_option
    @dry_run_option
    @json_option
    @wraps(command)
    def run(*, keep: Any, withdraw: Any, dry_run: bool, as_json: bool, **more: Any) -> None:
        ask = None if as_json else ask_on_terminal()
        command(writer=EntryWriter(dry_run, as_json, Choices(keep, withdraw), ask), **more)

    return run


def print_recorded(seats: Sequence[SeatInfo], recorded: RecordedEntry, headline: Headline) -> None:
    """Print the added entry, its changes, and the scores and the outcome before and after."""
    out = screen.out()
    out.print(headline(recorded))
    if recorded.irregular:
        out.print(wording.irregularity_text(recorded.irregular, _override(recorded)))
    if recorded.consequences:
        out.print(_changes(recorded.consequences))
    elif recorded.effects:
        out.print(wording.effects_text(recorded.effects))
    if recorded.consequences_left_out:
        out.print(
            gettext(
                "… and %(counted)s more.",
                counted=ngettext("%(count)s entry", "%(count)s entries", recorded.consequences_left_out),
            )
        )
    _tell_scores(seats, recorded)


def _tell_scores(seats: Sequence[SeatInfo], recorded: RecordedEntry) -> None:
    """Print the scores and the outcome, and those before a correction."""
    corrects = recorded.scores_before is not None
    if not (corrects or recorded.effects):
        return
    was = gettext(", before: %(points)s", points=wording.points(recorded.scores_before or [])) if corrects else ""
    screen.out().print(gettext("Scores: %(points)s%(was)s", points=wording.points(recorded.scores), was=was))
    if recorded.outcome or recorded.outcome_before:
        was = gettext(", before: %(ended)s", ended=_ended(recorded.outcome_before, seats)) if corrects else ""
        screen.out().print(gettext("Outcome: %(ended)s%(was)s", ended=_ended(recorded.outcome, seats), was=was))


def _override(recorded: RecordedEntry) -> str | None:
    override = recorded.data.get("override")
    return override["reason"] if override else None


def _changes(consequences: Sequence[Consequence]) -> object:
    rows = screen.table("#", "before", "now", right=("#",))
    for change in consequences:
        now = Text(_effects_or(change.after, gettext("no longer counts")))
        if change.irregular:
            now.append("; ").append(", ".join(breach.rule for breach in change.irregular), style="yellow")
        rows.add_row(str(change.version), _effects_or(change.before, gettext("did not count")), now)
    return rows


def _effects_or(effects: Sequence[EffectInfo] | None, otherwise: str) -> str:
    if effects is None:
        return otherwise
    return wording.effects_text(effects) or gettext("nothing followed")


def _ended(outcome: Outcome | None, seats: Sequence[SeatInfo]) -> str:
    return wording.ending(outcome, seats) if outcome else gettext("none")


@click.command()
@game_argument
@click.argument("text")
@click.option("--entry", type=Version, metavar="VERSION", help="The entry that the note is about.")
@click.option("--bookmark", is_flag=True, help="Bookmark this moment.")
@with_writer
@with_client()
def note(client: Client, game: str, text: str, entry: int | None, bookmark: bool, writer: EntryWriter) -> None:
    """Add a note to a game, or to one of its entries."""
    if not text.strip():
        raise CommandError(gettext("a note needs a text"))
    data: dict[str, Any] = (
        {"text": text} | ({"entry": entry} if entry else {}) | ({"bookmark": True} if bookmark else {})
    )
    writer.write(
        client,
        game_id(client, game),
        "note.added",
        data,
        lambda noted: gettext("Noted as entry %(version)s.", version=noted.version),
    )
