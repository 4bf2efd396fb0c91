"""Correcting and closing a record from the keyboard, by lines of a session."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from service.cli.recording.closing import ENDS, write_closing
from service.cli.recording.corrections import (
    write_insertion,
    write_redo,
    write_replacement,
    write_revelation,
    write_undo,
)
from service.cli.recording.entries import EntryWriter
from service.cli.shell.lines import BadLineError, checked
from service.languages import gettext, gettext_noop

if TYPE_CHECKING:
    from collections.abc import Callable

    from service.cli.shell.client import Client
    from service.cli.shell.conflicts import Ask

HELP = gettext_noop(
    """\
undo           takes back the last entry that counts; undo 7 takes back entry 7
redo           brings back what undo took last
replace 7 MOVE tells what really happened at entry 7; ! REASON after it if it broke a rule
insert 7 MOVE  adds a move that was forgotten after entry 7; ! REASON as well
reveal 7 MOVE  tells what entry 7 left open
close          closes the record as it stands; close abandoned gives the game up"""
)

_NUMBER = re.compile("[1-9][0-9]{0,8}")
"""An entry, by its number in the record."""


class CorrectionCommands:
    """The correcting lines of one game. `ask` asks the person about conflicts."""

    def __init__(self, client: Client, game: str, ask: Ask) -> None:
        self._client, self._game = client, game
        self._pen = EntryWriter(ask=ask)
        self._commands: dict[str, Callable[[str], None]] = {
            "undo": self._undo,
            "redo": self._redo,
            "replace": self._replace,
            "insert": self._insert,
            "reveal": self._reveal,
            "close": self._close,
        }

    @property
    def words(self) -> list[str]:
        """The first words of such lines."""
        return list(self._commands)

    def is_correction(self, line: str) -> bool:
        """Whether a line is a correction."""
        return _first(line)[0] in self._commands

    def execute(self, line: str) -> None:
        """Carry out a line, and print what changed. Raises `BadLineError` for an invalid line."""
        word, rest = _first(checked(line))
        self._commands[word](rest)

    def _undo(self, rest: str) -> None:
        write_undo(self._client, self._game, self._pen, _entry(rest, "undo 7") if rest else None)

    def _redo(self, rest: str) -> None:
        if rest:
            raise BadLineError(gettext("redo takes no arguments"))
        write_redo(self._client, self._game, self._pen)

    def _replace(self, rest: str) -> None:
        write_replacement(self._client, self._game, self._pen, *_placed(rest, "replace 7 MOVE"))

    def _insert(self, rest: str) -> None:
        write_insertion(self._client, self._game, self._pen, *_placed(rest, "insert 7 MOVE"))

    def _reveal(self, rest: str) -> None:
        write_revelation(self._client, self._game, self._pen, *_placed(rest, "reveal 7 MOVE"))

    def _close(self, rest: str) -> None:
        if rest and rest.lower() not in ENDS:
            raise BadLineError(gettext("close takes no argument, or one of %(ends)s", ends=", ".join(ENDS)))
        write_closing(self._client, self._game, self._pen, rest.lower() or None)


def _first(line: str) -> tuple[str, str]:
    word, _, rest = line.strip().partition(" ")
    return word.lower(), rest.strip()


def _placed(rest: str, form: str) -> tuple[int, str]:
    """An entry, and the line of a move."""
    number, _, move = rest.partition(" ")
    if not move.strip():
        raise BadLineError(gettext("write it as %(form)s", form=form))
    return _entry(number, form), move


def _entry(text: str, form: str) -> int:
    if not _NUMBER.fullmatch(text):
        raise BadLineError(
            gettext("%(text)s is not an entry number: write it as %(form)s", text=f"{text!r}", form=form)
        )
    return int(text)
