"""Exports and imports."""

from __future__ import annotations

from typing import Literal

import msgspec

from service.exchange.incoming.pasting.table import TableProblem
from service.exchange.incoming.taking import ImportedPlay


class ExportInfo(msgspec.Struct, frozen=True):
    """An export: the name of its file, its media type, its use, and its address.

    `bytes` is its size. It is measured if it is `exact`, and else estimated from some of the games.
    """

    name: str
    media_type: str
    purpose: str
    href: str
    bytes: int
    exact: bool


class ExportList(msgspec.Struct, frozen=True):
    """Exports, and how many `damaged` names, merges and components they lack."""

    games: int
    entries: int
    exports: list[ExportInfo]
    damaged: int = 0


class TrackerLink(msgspec.Struct, frozen=True):
    """The link that hands a game to a play tracker, if it has ended, and whether it is too long for some phones."""

    url: str | None
    too_long: bool


class ImportedGame(msgspec.Struct, frozen=True):
    """A game of an imported file, and its version with the last entry of the file."""

    game: str
    version: int


class Imported(ImportedGame, frozen=True, omit_defaults=True):
    """The imported game, and its version with the last entry of the file.

    Of a file with several games these are those of the first, and all of them are in `games`.
    """

    games: tuple[ImportedGame, ...] = ()


class ImportedPerson(msgspec.Struct, frozen=True):
    """A name in a file of plays, and the person here.

    `how` is `same`, `near` (the name differs in case, width or Unicode form alone), `new`, or `guest`: nobody is made.
    `player` is told to those who may read people.
    """

    name: str
    how: Literal["same", "near", "new", "guest"]
    player: str | None = None


class ImportedPlays(msgspec.Struct, frozen=True):
    """The result for each play of a file, in its order, and for the people in them.

    `columns` says which column of a CSV file was taken for what. `next` is the `after` that goes on with the file.
    """

    items: list[ImportedPlay]
    people: list[ImportedPerson]
    columns: dict[str, str]
    next: int | None


class TableLine(msgspec.Struct, frozen=True, omit_defaults=True):
    """The meaning of a row or a column: `p1`, `r3 bid`, `labels`, or `-` (left out); and why, if it was guessed."""

    means: str
    why: str = ""


class PasteResult(msgspec.Struct, frozen=True):
    """The cells of a table, the moves for it, how many cells are on the sheet already, and totals that differ."""

    game: str
    version: int
    decimal: Literal["comma", "point"]
    rows: list[TableLine]
    columns: list[TableLine]
    entries: list[str]
    same: int
    totals: list[TableProblem]
    problems: list[TableProblem]
