"""Replaying a game: its entries in the order of play."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click
from rich.text import Text

from service.api.answers.games import GameInfo
from service.cli.games.games import board_of, heading
from service.cli.shell import screen, wording
from service.cli.shell.arguments import game_argument, json_option, seat_option
from service.cli.shell.connection import with_client
from service.cli.shell.references import game_id
from service.cli.shell.seats import viewpoint
from service.cli.shell.sitters import Sitters
from service.cli.shell.timelines import PAGE, as_it_happened, timeline
from service.languages import gettext

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from projections.timeline import Entry
    from service.cli.shell.client import Client


@click.command()
@game_argument
@click.option("--all", "whole", is_flag=True, help="Print all entries at once.")
@seat_option
@json_option
@with_client()
def replay(client: Client, game: str, whole: bool, seat: str | None, as_json: bool) -> None:
    """Go through a game, entry by entry, in the order in which things happened.

    On a terminal, keys step forward and back. With --all, and without a terminal, all entries are printed with their
    effects and the scores after each. With --json they come in the order in which they were recorded.
    """
    game = game_id(client, game)
    seat = viewpoint(client, game, seat)
    if as_json:
        click.echo(client.fetch(f"/v1/games/{game}/timeline", seat=seat, limit=PAGE))
        return
    people: dict[str, str] = {}
    steps = as_it_happened(timeline(client, game, seat, people=people))
    telling = EntryPrinter(client, client.get(f"/v1/games/{game}", GameInfo), steps, people)
    if whole or not (screen.out().is_terminal and sys.stdin.isatty()):
        screen.out().print(heading(telling.info))
        screen.out().print(telling.listing(steps))
        screen.out().print(wording.status(telling.info))
        return
    from service.cli.shell.stepper import Stepper  # noqa: PLC0415 - only this needs the terminal's toolkit

    Stepper(len(steps), lambda at: telling.page(steps[at], seat)).run()


class EntryPrinter:
    """Tells the entries of one game, `steps` in play order, in which `people` took a seat or ruled."""

    def __init__(self, client: Client, info: GameInfo, steps: Sequence[Entry], people: Mapping[str, str]) -> None:
        self.info = info
        self._client, self._people = client, people
        self._table = Sitters(info.seats, lambda: (steps, people))

    def listing(self, entries: Iterable[Entry]) -> object:
        """A table of entries."""
        rows = screen.table("#", "who", "entry", "score", "what followed", right=("#",))
        for entry in entries:
            who, action, what = self._cells(entry)
            rows.add_row(str(entry.version), who, action, wording.points(entry.scores), what)
        return rows

    def page(self, entry: Entry, seat: str | None) -> str:
        """One step of a replay: the board after an entry, and the entry."""
        out = screen.out()
        who, action, what = self._cells(entry)
        with out.capture() as page:
            board = board_of(self._client, self.info.game, after=entry.version, seat=seat)
            out.print(heading(self.info), board, sep="\n")
            place, score = f"{entry.version}/{self.info.version}  ", f"  {wording.points(entry.scores)}"
            out.print(Text.assemble((place, "dim"), who, " ", action, score))
            out.print(what)
            if entry.outcome:
                out.print(wording.ending(entry.outcome, self._table.at(entry.version)))
        return page.get()

    def _cells(self, entry: Entry) -> tuple[Text, Text, Text]:
        """The cells of an entry: who, what, and its effects. Withdrawn entries are struck out."""
        style = "dim strike" if entry.withdrawn_by else ""
        what = Text(wording.effects_text(entry.effects))
        for remark in wording.remarks(entry, self._people):
            what.append("\n" if what else "").append_text(remark)
        return self._actor(entry), Text(self._action(entry), style=style), what

    def _actor(self, entry: Entry) -> Text:
        who = wording.actor(entry, self.info.seats)
        return who.append(f" {self._name(entry.player)}") if entry.type == "ruling.given" and entry.player else who

    def _action(self, entry: Entry) -> str:
        if entry.type == "seat.changed":
            return (
                gettext("is %(name)s's seat now", name=self._name(entry.player))
                if entry.player
                else gettext("is a guest's seat now")
            )
        return wording.entry_text(entry)

    def _name(self, player: str) -> str:
        """The name of somebody who sits, sat or ruled in the game, if there is one."""
        return self._people.get(player, gettext("somebody without a name"))
