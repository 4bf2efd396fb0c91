"""Sending entries, one at a time, over a connection that may break."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

from service.api.answers.entries import RecordedEntries
from service.api.answers.games import GameInfo
from service.cli.shell import screen, wording
from service.cli.shell.patience import with_retries
from service.languages import gettext, localized

if TYPE_CHECKING:
    from service.cli.shell.client import Client
    from service.cli.shell.lines import TypedLine
    from service.recording.judging import RecordedEntry

MOVE_WIDTH = 22


class Recorder:
    """Records entries of one game. `patience` is the time for retries after a lost connection, in seconds."""

    def __init__(self, client: Client, game: str, patience: float) -> None:
        self.client, self.game, self._patience = client, game, patience
        self.info = client.get(f"/v1/games/{game}", GameInfo)

    def send(self, key: str, line: TypedLine, *, expected: int | None = None) -> RecordedEntry:
        """Record `line` under the id `key`, after version `expected` if one is given.

        Raises `RefusedError`, and `UnreachableError` when patience is at an end: the entry may then be recorded or not,
        and can be sent again under the same id.
        """
        events = {"events": [{"id": key, "type": line.kind, "data": line.data()}]}
        path, headers = f"/v1/games/{self.game}/events", {"If-Match": f'"v{expected}"'} if expected else {}

        def send() -> RecordedEntries:
            return self.client.send("POST", path, RecordedEntries, events, headers=headers)

        return with_retries(send, self._patience).entries[0]

    def print_recorded(self, line: TypedLine, recorded: RecordedEntry) -> None:
        """Print a recorded entry and its effects."""
        if len(recorded.scores) != len(self.info.seats):  # a seat was added, or taken back
            self.info = self.client.get(f"/v1/games/{self.game}", GameInfo)
        who = wording.actor(recorded, self.info.seats)
        width = max(len(localized(seat.label)) for seat in self.info.seats)
        what = recorded.notation or (
            gettext("note: %(text)s", text=line.text) if line.kind == "note.added" else wording.ruling(recorded)
        )
        text = Text.assemble((f"{recorded.version:>4}  ", "dim"), who, " " * (width - len(who) + 2))
        text.append(f"{what:<{MOVE_WIDTH}}  ").append(wording.effects_text(recorded.effects))
        screen.out().print(text.append(f"  {wording.points(recorded.scores)}", style="bold"))
        if recorded.irregular:
            screen.out().print(wording.irregularity_text(recorded.irregular, line.reason))
        if recorded.outcome and line.kind != "note.added":
            screen.out().print(wording.ending(recorded.outcome, self.info.seats), style="bold")
