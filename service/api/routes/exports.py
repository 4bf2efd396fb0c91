"""Exports of many games: tables as CSV and JSON, a spreadsheet, a report to print, and the file for BG Stats."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from functools import cache, partial
from typing import TYPE_CHECKING, Any, NamedTuple
from weakref import finalize

import msgspec
from flask import Response
from werkzeug.wsgi import FileWrapper

from events.errors import LogError
from games.contract import PUBLIC, RECORD
from projections.errors import ProjectionError
from projections.plays import cells_of, play_of
from projections.timeline import timeline
from service.access.gate import current_principal, gate
from service.access.needs import EXPORTING, SEEN
from service.access.principals import NONE, viewpoint_for
from service.api import paper
from service.api.answers import ExportInfo, ExportList, TrackerLink
from service.api.endpoints import BYTES, CSV, HTML, NDJSON, Endpoints, archive, reply, require_acceptable
from service.api.routes.games import ids_meant, listed_games
from service.api.schemas import ExportsQuery
from service.api.varying import vary
from service.api.viewpoints import viewpoint_of
from service.exchange import bgstats
from service.exchange.spreadsheets import csv_lines, write_xlsx
from service.exchange.tables import TABLES, Recorded, Row
from service.languages import gettext, gettext_noop
from service.problems.kinds import ProblemError

if TYPE_CHECKING:
    from games.contract import Viewpoint
    from projections.archive import Archive
    from projections.fold import Fold
    from projections.timeline import Entry
    from service.access.principals import Permissions
    from service.exchange.tables import Table

endpoints = Endpoints("exports")

XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
PAGE = 500
"""Entries of a game that are read at a time."""
IN_MEMORY = 4 << 20
"""Bytes of a spreadsheet that are not put on disk."""

Games = Iterator[Recorded]


class Export(NamedTuple):
    """A file of many games: its media type, its use in a sentence, and its bytes, made of the games."""

    media: str
    purpose: str
    write: Callable[[Games, dict[str, Any]], Iterator[bytes]]


def _write_csv(table: Table, games: Games, query: dict[str, Any]) -> Iterator[bytes]:
    rows = (row for _, row in _rows(games, (table,)))
    return csv_lines(table, rows, semicolon=query["separator"] == "semicolon", bom=query["bom"])


def csv_of(name: str, game: Recorded) -> Response:
    """The rows of one game in the table `name`, as CSV."""
    table = next(each for each in TABLES if each.name == name)
    response = Response(csv_lines(table, table.rows(game)), content_type=_content_type(CSV))
    vary(response.headers, "Accept")
    return response


def _rows(games: Games, tables: Sequence[Table] = TABLES) -> Iterator[tuple[Table, Row]]:
    """The rows of tables, game by game. People sit in many games, and have one row."""
    people = set[Row]()
    for each in games:
        for table in tables:
            for row in table.rows(each):
                if table.name != "people":
                    yield table, row
                elif row not in people:
                    people.add(row)
                    yield table, row


def _write_ndjson(games: Games, query: dict[str, Any]) -> Iterator[bytes]:  # noqa: ARG001
    for table, row in _rows(games):
        yield msgspec.json.encode([table.name, *row]) + b"\n"


def _write_xlsx(games: Games, query: dict[str, Any]) -> Iterator[bytes]:  # noqa: ARG001
    with tempfile.SpooledTemporaryFile(IN_MEMORY) as file:
        write_xlsx(file, TABLES, _rows(games))
        file.seek(0)
        yield from FileWrapper(file)


def _write_plays(games: Games, query: dict[str, Any]) -> Iterator[bytes]:  # noqa: ARG001
    return bgstats.file_of((each.play, each.names) for each in games if bgstats.is_play(each.play))


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
EXPORTS = {
    "report.html": Export(HTML, gettext_noop("A table of the games and the standings, to print."), paper.games_report),
    "tables.xlsx": Export(XLSX, gettext_noop("All tables in one spreadsheet."), _write_xlsx),
    **{f"{table.name}.csv": Export(CSV, _PURPOSES[table.name], partial(_write_csv, table)) for table in TABLES},
    "bgstats.json": Export(BYTES, gettext_noop("All finished games for the app BG Stats."), _write_plays),
    "tables.ndjson": Export(NDJSON, gettext_noop("All tables for programs, one row a line."), _write_ndjson),
}
"""The exports of many games, by the names of their files."""


@endpoints.route("GET", "/v1/exports", scope=SEEN, answer=ExportList, conditional=True)
def list_exports() -> Response:
    """List the exports of many games.

    Each with its media type, and what it is for.
    """
    found = [ExportInfo(name, each.media, gettext(each.purpose)) for name, each in EXPORTS.items()]
    return reply(ExportList(found))


@endpoints.route(
    "GET",
    "/v1/exports/<file>",
    scope=SEEN,
    query=ExportsQuery(),
    answer_types=(CSV, HTML, XLSX, BYTES, NDJSON),
    problems=("bad-request", "export-unknown", "rebuilding", "overloaded"),
)
def export_games(file: str, query: dict[str, Any]) -> Response:
    """Write down many games as one file.

    The games that a list with the same words would show, the last recorded first, each as far as the caller may know
    it. Games that cannot be replayed are left out.
    """
    export = EXPORTS.get(file)
    if export is None:
        raise ProblemError("export-unknown", gettext("there is no export %(name)s", name=file[:80]))
    require_acceptable(export.media)
    limits = gate().limits
    limits.begin_long()
    with ExitStack() as unless_answered:
        unless_answered.callback(limits.end_long)
        response = Response(export.write(_recorded(query), query), content_type=_content_type(export.media))
        unless_answered.pop_all()
    response.call_on_close(finalize(response, limits.end_long))  # once, even if nobody closes it
    shown = "inline" if export.media == HTML else "attachment"
    response.headers["Content-Disposition"] = f'{shown}; filename="kifu-{file}"'
    return response


def _content_type(media: str) -> str:
    return {CSV: f"{CSV}; charset=utf-8; header=present", HTML: f"{HTML}; charset=utf-8"}.get(media, media)


def _recorded(query: dict[str, Any]) -> Games:
    """The games that a query asks for, as the caller may know them. What it needs of the request is taken here."""
    here, doors, who = archive(), gate(), current_principal()
    sitting = ids_meant(query["player"])
    return _as_known(here, ((each.game, doors.permissions(who, each.game)) for each in listed_games(query)), sitting)


def _as_known(here: Archive, games: Iterator[tuple[str, Permissions]], sitting: frozenset[str] | None) -> Games:
    for game, permissions in games:
        viewpoint = viewpoint_for(None, permissions) if permissions is not NONE else None
        if viewpoint is None:
            continue
        if viewpoint == RECORD and EXPORTING not in permissions.scopes:
            viewpoint = PUBLIC
        try:
            found = recorded_game(here, here.folds.current(game), viewpoint)
        except (ProjectionError, LogError):
            continue
        if sitting is None or any(seat.player in sitting for seat in found.play.seats):
            yield found


def recorded_game(here: Archive, fold: Fold, viewpoint: Viewpoint) -> Recorded:
    """What tables say of a game, as it can be known from `viewpoint`, with merged people as one."""
    play = play_of(fold, next(iter(here.log.read(fold.game, 0, 1))), viewpoint)
    people = here.log.people
    merges, names = people.merges(), people.names(seat.player for seat in play.seats if seat.player)
    seats = tuple(
        msgspec.structs.replace(seat, player=merges.final_id(seat.player)) if seat.player else seat
        for seat in play.seats
    )
    called = {merges.final_id(player): name for player, name in names.items()}
    read = partial(_entries, here, fold.game, fold.version, viewpoint)
    entries = cache(lambda: tuple(read())) if fold.version <= PAGE else read  # three tables ask for them
    cells = partial(cells_of, fold.state)
    return Recorded(msgspec.structs.replace(play, seats=seats), called, entries, cells)


def _entries(here: Archive, game: str, version: int, viewpoint: Viewpoint) -> Iterator[Entry]:
    for after in range(0, version, PAGE):
        yield from timeline(here.folds, game, version, after, PAGE, viewpoint)


@endpoints.route(
    "GET",
    "/v1/games/<game>/bgstats",
    scope=SEEN,
    answer=TrackerLink,
    conditional=True,
    problems=("game-unknown",),
)
def link_to_bgstats(game: str) -> Response:
    """Show the link that opens a finished game in the app BG Stats.

    The app recognises a game, its people and what was played by their ids when it is sent again. A game that has not
    ended has no link, and neither has a fork.
    """
    return reply(tracker_link(game))


def tracker_link(game: str) -> TrackerLink:
    """The link that hands a game to BG Stats. Raises `GameUnknownError`."""
    found = recorded_game(archive(), archive().folds.current(game), viewpoint_of(None))
    url = bgstats.link(found.play, found.names) if bgstats.is_play(found.play) else None
    return TrackerLink(url, too_long=url is not None and len(url) > bgstats.LONGEST)
