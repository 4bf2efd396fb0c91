"""Pasting a table of a spreadsheet into a score sheet."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any
from uuid import UUID, uuid5

import msgspec
from flask import Response, request

from events import limits
from games.errors import RulesetError
from games.scoresheet.state import ScoresheetState
from service.access.gate import current_permissions, require_principal
from service.api.answers.exchange import PasteResult, TableLine
from service.api.endpoints import BYTES, Endpoints, archive, context, reply
from service.api.routes.games import seats_in
from service.api.schemas.exchange import TableQuery
from service.exchange.incoming.cells import parse_cells
from service.exchange.incoming.encodings import decoded
from service.exchange.incoming.pasting.moves import PlannedMove, moves_for
from service.exchange.incoming.pasting.table import PastedTable, TableProblem
from service.exchange.incoming.plays import BadFileError
from service.languages import gettext
from service.languages.plain import translated
from service.problems.kinds import ProblemError
from service.recording.judging import Draft, EntryRejectedError
from service.recording.permits import Permit
from service.recording.recorder import record

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from projections.fold import Fold
    from service.exchange.incoming.pasting.heads import Meaning
    from service.recording.judging import RecordedEntry

endpoints = Endpoints("pasting")

_LINE = re.compile(r"\s*([1-9][0-9]{0,3})\s*=(.*)")


@endpoints.route(
    "POST",
    "/v1/games/<game>/table",
    scope="games:record",
    query=TableQuery(),
    body="the cells of a table",
    body_types=(BYTES,),
    answer=PasteResult,
    problems=(
        "bad-import",
        "bad-request",
        "body-too-large",
        "game-closed",
        "game-full",
        "game-unknown",
        "scope-needed",
        "stale-version",
        "storage-full",
    ),
)
def paste_table(game: str, query: dict[str, Any]) -> Response:
    """Paste a table of a spreadsheet into a score sheet.

    The body has cells with tabs, as a spreadsheet copies them, or CSV. What they mean is guessed by their heads. What
    differs from the sheet is changed, and what stands there stays, so it is safe to repeat. All is recorded, or
    nothing. A dry run answers with `problems`; else they are an error.
    """
    return reply(taken_table(game, query, request.get_data()))


def taken_table(game: str, query: dict[str, Any], content: bytes) -> PasteResult:
    """The result of pasting a table with a loaded `TableQuery`. Raises `bad-import`."""
    fold = archive().folds.current(game)
    if not isinstance(fold.state, ScoresheetState):
        raise ProblemError("bad-import", gettext("only a score sheet can take a pasted table"))
    try:
        table = _read(fold, fold.state, query, content)
    except BadFileError as error:
        raise ProblemError("bad-import", translated(str(error)), **error.members) from None
    values, found = table.read_cells
    problems = [msgspec.structs.replace(each, why=translated(each.why)) for each in found]
    wanted = moves_for(fold.state, values)
    if not query["dry_run"]:
        _refuse(problems)
    recorded: list[RecordedEntry] = []
    try:
        recorded = _recorded(fold, wanted, dry_run=query["dry_run"])
    except EntryRejectedError as error:
        if not isinstance(error.cause, RulesetError):
            raise
        at = wanted[error.index]
        problems.append(TableProblem(at.row + 1, at.column + 1, translated(error.cause.message)))
        if not query["dry_run"]:
            _refuse(problems)
    return _told(fold, table, wanted, recorded, problems)


def _read(fold: Fold, state: ScoresheetState, query: dict[str, Any], content: bytes) -> PastedTable:
    """The table, and the meanings of its lines. Raises `BadFileError`."""
    people = [seat.name for seat in seats_in(fold)]
    rows, columns = (_named(field, query[field]) for field in ("rows", "columns"))
    return PastedTable(state, people, parse_cells(decoded(content)), rows, columns, query["decimal"])


def _named(field: str, text: str) -> dict[int, str]:
    """The meanings of lines in a query, by line number from 0. Raises `BadFileError`."""
    found = dict[int, str]()
    for part in filter(str.strip, text.split(",")):
        line = _LINE.fullmatch(part)
        if not line:
            raise BadFileError(f"{field}: {part.strip()[:40]!r} names no line; write it as 3=r2")
        found[int(line[1]) - 1] = line[2].strip()
    return found


def _refuse(problems: Sequence[TableProblem]) -> None:
    """Raise `bad-import` if there are problems, with the cell of each."""
    if problems:
        told = [(f"row {each.row}, column {each.column}", each.why) for each in problems[: limits.LINES]]
        errors = [{"field": field, "message": why} for field, why in told]
        raise ProblemError("bad-import", ": ".join(told[0]), errors=errors)


def _recorded(fold: Fold, wanted: Sequence[PlannedMove], *, dry_run: bool) -> list[RecordedEntry]:
    """Judge the entries of a table, and store them unless it is a dry run. Their ids follow from the game's state."""
    if not wanted:
        return []
    if len(wanted) > limits.BATCH:
        why = gettext(
            "it would take %(count)s entries, and there is room for %(most)s", count=len(wanted), most=limits.BATCH
        )
        raise ProblemError("bad-import", why)
    service, who = context(), require_principal()
    data = [fold.ruleset.move_data(each.move) for each in wanted]
    drafts = [
        Draft(id=str(uuid5(UUID(fold.game), f"table {fold.version} {number}")), data={"move": move})
        for number, move in enumerate(data)
    ]
    permit = Permit(who, current_permissions(), service.archive.log, fold.game, service.access)
    return record(
        service.archive,
        fold.game,
        drafts,
        expected={fold.version},
        recorder=who.id,
        dry_run=dry_run,
        permit=permit,
    )


def _told(
    fold: Fold,
    table: PastedTable,
    wanted: Sequence[PlannedMove],
    recorded: Sequence[RecordedEntry],
    problems: Sequence[TableProblem],
) -> PasteResult:
    values, _ = table.read_cells
    scores = recorded[-1].scores if recorded else fold.totals()
    return PasteResult(
        fold.game,
        recorded[-1].version if recorded else fold.version,
        table.decimal,
        _lines(table, table.rows),
        _lines(table, table.columns),
        [fold.state.notation(each.move) for each in wanted],
        len(values) - sum(each.cells for each in wanted),
        [] if problems else list(_differing(table, scores)),
        list(problems),
    )


def _differing(table: PastedTable, scores: Sequence[int]) -> Iterator[TableProblem]:
    """The totals of a table that differ from the sheet."""
    for row, column, told, score in table.totals(scores):
        why = gettext("the total in the table is %(told)s, but the sheet adds up to %(score)s", told=told, score=score)
        yield TableProblem(row, column, why)


def _lines(table: PastedTable, lines: Mapping[int, Meaning]) -> list[TableLine]:
    return [TableLine(table.names.write(lines[at]), lines[at].skipped or "") for at in sorted(lines)]
