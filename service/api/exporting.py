"""Exports of many games: the available files, and their content."""

from __future__ import annotations

import tempfile
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import msgspec
from werkzeug.wsgi import FileWrapper

from events.errors import GameUnknownError, LogError
from games.contract import PUBLIC, RECORD
from projections.errors import ProjectionError
from service.access.gate import current_principal, gate, permissions
from service.access.needs import EXPORTING
from service.access.principals import NONE, viewpoint_for
from service.api import paper
from service.api.endpoints import CSV, HTML, JSON, NDJSON, TEXT, XML, archive
from service.api.recorded import KnownGame, recorded_games, rows_of
from service.exchange import bgg, bgstats
from service.exchange.spreadsheets import csv_lines, dialect_of, write_xlsx
from service.exchange.tables import TABLES
from service.languages import gettext_noop
from service.problems.errors import ServiceError
from service.recording.text_export import export_text
from service.recording.transfers import export_record

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from projections.catalogue.rows import Listed
    from projections.plays import Play
    from service.exchange.tables import Recorded, Table

XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
SEPARATORS = {"comma": ",", "semicolon": ";"}
"""What stands between the cells of CSV, by its name."""
IN_MEMORY = 4 << 20
"""Bytes of a spreadsheet that are not put on disk."""
WITHOUT_GAMES = {"q": "", "ruleset": None, "player": None, "first": None, "last": None}
"""What a report says that it was asked for, where nothing is asked."""


class Export(NamedTuple):
    """A file of many games: its media type, its use in a sentence, and its bytes, made of the games.

    It grows with the number of games, of their entries, or of their people. What `pages` can be written piece by piece,
    some games at a time.
    """

    media: str
    purpose: str
    write: Callable[[Iterable[KnownGame], dict[str, Any]], Iterator[bytes]]
    grows: Literal["games", "entries", "people"] = "games"
    pages: bool = False


def check_game(game: str) -> None:
    """Check that the caller may know of the game with this id. Raises `GameUnknownError`."""
    gate().refuse_other_record(game)
    permissions(game)
    if archive().log.head(game) is None:
        raise GameUnknownError(game)


def known_games(listed: Iterable[Listed]) -> Iterator[KnownGame]:
    """The listed games, each with what the caller may know. It reads the request only here."""
    doors, who = gate(), current_principal()
    return _known((each.game for each in listed), lambda game: doors.permissions(who, game))


def _known(games: Iterable[str], permissions_for: Callable[[str], Any]) -> Iterator[KnownGame]:
    for game in games:
        permissions = permissions_for(game)
        viewpoint = viewpoint_for(None, permissions) if permissions is not NONE else None
        if viewpoint == RECORD and EXPORTING not in permissions.scopes:
            viewpoint = PUBLIC
        if viewpoint is not None:
            yield KnownGame(game, viewpoint)


def _write_csv(table: Table, games: Iterable[KnownGame], query: dict[str, Any]) -> Iterator[bytes]:
    rows = (row for _, row in rows_of(recorded_games(archive(), games), (table,)))
    dialect = dialect_of(query["locale"])
    if query["separator"]:
        dialect = dialect._replace(delimiter=SEPARATORS[query["separator"]])
    lines = csv_lines(table, rows, dialect=dialect, bom=query["bom"])
    if query["after"]:
        next(lines)  # the head stands on the first page
    return lines


def _write_ndjson(games: Iterable[KnownGame], query: dict[str, Any]) -> Iterator[bytes]:  # noqa: ARG001
    rows = rows_of(recorded_games(archive(), games))
    return (msgspec.json.encode([table.name, *row]) + b"\n" for table, row in rows)


def _write_xlsx(games: Iterable[KnownGame], query: dict[str, Any]) -> Iterator[bytes]:  # noqa: ARG001
    return _xlsx_of(recorded_games(archive(), games))


def _xlsx_of(games: Iterable[Recorded]) -> Iterator[bytes]:
    with tempfile.SpooledTemporaryFile(IN_MEMORY) as file:
        write_xlsx(file, TABLES, rows_of(games))
        file.seek(0)
        yield from FileWrapper(file)


def _write_plays(
    write_file: Callable[[Iterable[tuple[Play, Mapping[str, str]]]], Iterator[bytes]],
    games: Iterable[KnownGame],
    query: dict[str, Any],  # noqa: ARG001
) -> Iterator[bytes]:
    found = recorded_games(archive(), games)
    return write_file((each.play, each.names) for each in found if bgstats.is_play(each.play))


def _write_report(games: Iterable[KnownGame], query: dict[str, Any]) -> Iterator[bytes]:
    return paper.games_report(recorded_games(archive(), games), WITHOUT_GAMES | query)


def _write_records(games: Iterable[KnownGame], query: dict[str, Any]) -> Iterator[bytes]:
    here, names = archive(), query["names"]
    return _each_whole(games, lambda each: export_record(here, each.game, names=names, viewpoint=each.viewpoint))


def _write_texts(games: Iterable[KnownGame], query: dict[str, Any]) -> Iterator[bytes]:
    here, names = archive(), query["names"]
    return _each_whole(
        games, lambda each: iter([export_text(here, each.game, names=names, viewpoint=each.viewpoint).encode(), b"\n"])
    )


def _each_whole(games: Iterable[KnownGame], write: Callable[[KnownGame], Iterator[bytes]]) -> Iterator[bytes]:
    """The files of games, one after the other. A game that cannot be written is left out from its first byte on."""
    for each in games:
        try:
            pieces = write(each)
            first = next(pieces, b"")
        except (ProjectionError, LogError, ServiceError):
            continue
        yield first
        yield from pieces


_PURPOSES = {
    "games": gettext_noop("One row a game, for a spreadsheet."),
    "seats": gettext_noop("One row a player of a game, with points and rank."),
    "options": gettext_noop("One row an option of a game."),
    "score_lines": gettext_noop("One row a line of a score audit: points, what for, and the rule."),
    "cells": gettext_noop("One row a filled cell of a score sheet."),
    "entries": gettext_noop("One row an entry: who did what, and when."),
    "effects": gettext_noop("One row an effect of an entry, by the rules."),
    "corrections": gettext_noop("One row a correction."),
    "people": gettext_noop("One row a person."),
}
_GROWS: dict[str, Literal["entries", "people"]] = {
    "entries": "entries",
    "effects": "entries",
    "corrections": "entries",
    "people": "people",
}


def _csv_of(table: Table) -> Export:
    write, pages = partial(_write_csv, table), table.name != "people"
    return Export(CSV, _PURPOSES[table.name], write, _GROWS.get(table.name, "games"), pages)


_REPORT = gettext_noop("A table of the games and the standings, to print.")
_RECORDS = gettext_noop("For programs and archives: all entries with their hashes, to be proved and imported.")
_TEXTS = gettext_noop("To read and to type: every entry as a line, which can be imported.")
_BGSTATS = gettext_noop("All finished games for the app BG Stats.")
_BGG = gettext_noop("All finished games as plays of BoardGameGeek, in XML.")
_ALL_TABLES = gettext_noop("All tables for programs, one row a line.")

EXPORTS = {
    "report.html": Export(HTML, _REPORT, _write_report),
    "tables.xlsx": Export(XLSX, gettext_noop("All tables in one spreadsheet."), _write_xlsx, "entries"),
    **{f"{table.name}.csv": _csv_of(table) for table in TABLES},
    "bgstats.json": Export(JSON, _BGSTATS, partial(_write_plays, bgstats.plays_file)),
    "bgg.xml": Export(XML, _BGG, partial(_write_plays, bgg.plays_file)),
    "tables.ndjson": Export(NDJSON, _ALL_TABLES, _write_ndjson, "entries", pages=True),
    "records.ndjson": Export(NDJSON, _RECORDS, _write_records, "entries", pages=True),
    "records.txt": Export(TEXT, _TEXTS, _write_texts, "entries", pages=True),
}
"""The exports of many games, by the names of their files."""
