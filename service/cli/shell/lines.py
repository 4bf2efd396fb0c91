"""Lines that a recorder types or keeps in a file: a move in notation, a ruling, or a note."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Literal

import click
import msgspec

from service.cli.shell.seats import with_numbers
from service.languages import gettext

if TYPE_CHECKING:
    from collections.abc import Sequence

    from service.api.answers.games import SeatInfo

COMMENT = ";"
NOTE = "note"
MARK = "!"
RULING = "*"

_NEXT = re.compile(r"(?:^|\s)\+(?:\s|$)")


class BadLineError(Exception):
    """A line that is not an entry."""


class TypedLine(msgspec.Struct, frozen=True):
    """A typed entry. `reason` is that of a move against a rule, or of a ruling."""

    kind: Literal["move.made", "ruling.given", "note.added"]
    text: str
    reason: str | None = None

    def data(self) -> dict[str, Any]:
        """The data of the event."""
        if self.kind == "note.added":
            return {"text": self.text}
        if self.kind == "ruling.given":
            return {"adjustments": adjustments_in(self.text), "reason": self.reason}
        return {"move": self.text} | ({"override": {"reason": self.reason}} if self.reason else {})


def read_line(text: str, seats: Sequence[SeatInfo] = ()) -> TypedLine | None:
    """The entry in a line, None if it holds nothing but blanks or a comment. Raises `BadLineError`.

    `seats` are those that a ruling can name by their players.

    `BARI-DUDA ! reason ; comment` is a move, why it stands, and what is not recorded; `* turn seat=White ! reason` is a
    ruling, `note text` a note.
    """
    text = checked(text)
    word, _, rest = text.partition(" ")
    if word.lower() == NOTE:
        if not rest.strip():
            raise BadLineError(gettext("write the text after `note`"))
        return TypedLine("note.added", rest.strip())
    if text.startswith("["):
        raise BadLineError(gettext("this is the header of a whole game: `kifu import` takes that"))
    move, mark, reason = text.partition(COMMENT)[0].partition(MARK)
    if move.startswith(RULING):
        if not reason.strip():
            raise BadLineError(gettext("a ruling needs a reason: write ! and the reason after it"))
        return TypedLine("ruling.given", _by_number(seats, move.removeprefix(RULING).strip()), reason.strip())
    if mark and not move.strip():
        raise BadLineError(gettext("write a move, or * and a ruling, before !"))
    if mark and not reason.strip():
        raise BadLineError(gettext("write the reason after !"))
    return TypedLine("move.made", move.strip(), reason.strip() or None) if move.strip() else None


def checked(text: str) -> str:
    """The line without outer blanks. Raises `BadLineError` for invalid text from a terminal."""
    try:
        text.encode()
    except UnicodeEncodeError:
        raise BadLineError(gettext("the input is not valid UTF-8")) from None
    return text.strip()


def _by_number(seats: Sequence[SeatInfo], ruling: str) -> str:
    try:
        return with_numbers(seats, ruling) if seats else ruling
    except click.UsageError as error:
        raise BadLineError(error.message) from error


def adjustments_in(text: str) -> list[str]:
    """The adjustments of a ruling, separated by `+`."""
    return [adjustment.strip() for adjustment in _NEXT.split(text) if adjustment.strip()]
