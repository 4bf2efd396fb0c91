"""The exports of some games, or of one: each file with its use and size.

The size is measured where that is quick. Else it follows from the first games of the list.
"""

from __future__ import annotations

from functools import cache
from itertools import islice
from typing import TYPE_CHECKING, Any, Literal, NamedTuple
from urllib.parse import urlencode

from events.errors import LogError
from games.contract import PUBLIC, RECORD
from projections.errors import ProjectionError
from service.access.gate import current_principal, permissions
from service.access.needs import EXPORTING
from service.access.principals import viewpoint_for
from service.api import gamefile, paper
from service.api.answers.exchange import ExportInfo, ExportList
from service.api.endpoints import HTML, NDJSON, TEXT, archive
from service.api.exporting import EXPORTS, XLSX, check_game, known_games
from service.api.recorded import KeptGame, recorded_games, rows_of
from service.api.routes.games import extent_of_games, listed_games
from service.exchange.spreadsheets import added_size
from service.exchange.tables import TABLES
from service.languages import gettext, gettext_noop
from service.problems.errors import ServiceError
from service.recording.text_export import export_text
from service.recording.transfers import export_record

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from games.contract import Viewpoint
    from projections.catalogue.pages import Extent
    from projections.catalogue.rows import Listed
    from service.api.recorded import KnownGame

SAMPLE, MEASURED = 8, 500
"""The games that are measured to estimate the size of a file, and the entries that they may have in all."""
PAGE_BASE, PAGE_ENTRY, PAGE_RECORD = 33_000, 700, 1.1
"""The size of a game as a page: its own, what an entry with a board adds, and what each byte of the record adds."""
REPORT_BASE, REPORT_ENTRY = 20_000, 100
"""The size of the report of a long game: its own, and what an entry adds."""
OFTEN = ("q", "ruleset", "status", "name", "player", "first", "last", "game", "since")
NAMES = {"first": "from", "last": "to"}
USUAL = {"separator": None, "locale": "en", "bom": False, "names": False, "after": ""}
"""How a file of many games is written where nothing else is asked for."""


class Form(NamedTuple):
    """A form of one game: the name of its file, its format, its use, and whether it is for everybody."""

    file: str
    format: Literal["report", "html", "ndjson", "text"]
    media: str
    purpose: str
    public: bool = False


_REPORT = gettext_noop("To print: result, audit, board, corrections, rulings, and room to sign.")
_PAGE = gettext_noop("To keep: board with a slider, audit, and the record with its proof, without a network.")
_PUBLIC_PAGE = gettext_noop("To share: what everybody may know.")
_RECORD = gettext_noop("For programs and archives: all entries with their hashes, to be proved and imported.")
_PUBLIC_RECORD = gettext_noop("The same with hidden facts sealed: what everybody may know.")
_TEXT = gettext_noop("To read and to type: every entry as a line, which can be imported.")

FORMS = (
    Form("report.html", "report", HTML, _REPORT),
    Form("game.html", "html", HTML, _PAGE),
    Form("game-public.html", "html", HTML, _PUBLIC_PAGE, public=True),
    Form("record.ndjson", "ndjson", NDJSON, _RECORD),
    Form("record-public.ndjson", "ndjson", NDJSON, _PUBLIC_RECORD, public=True),
    Form("record.txt", "text", TEXT, _TEXT),
)
"""The forms of one game, in the order in which they are offered."""

OF_MANY = {"report.html", "records.ndjson", "records.txt"}
"""Files of many games that are no use for one: it has forms of its own."""


def offered_files(query: dict[str, Any]) -> ExportList:
    """The files of the games that a loaded `ExportedQuery` asks for. Raises `GameUnknownError`, `RebuildingError`."""
    one = query["game"]
    if one:
        check_game(one)
    forms = list(_forms(one)) if one else []
    extent = extent_of_games(query)
    listed = list(_sample(listed_games(query)))
    known = list(known_games(listed))
    if sum(each.version for each in listed) <= 2 * MEASURED:
        known = [KeptGame(*each) for each in known]
    whole = len(listed) == extent.games
    words = urlencode(_asked(query))
    for name, export in EXPORTS.items():
        if one and name in OF_MANY:
            continue
        size = _estimated(name, query, known, listed, extent)
        href = f"/v1/exports/{name}" + (f"?{words}" if words else "")
        forms.append(
            ExportInfo(name, export.media, gettext(export.purpose), href, size, exact=whole and export.media != XLSX)
        )
    return ExportList(extent.games, extent.entries, forms, 0 if one else _damaged())


def _damaged() -> int:
    """The number of damaged names, merges and components, for callers who may know it."""
    who, log = current_principal(), archive().log
    if who is None or "admin" not in who.service:
        return 0
    return len(log.people.unreadable()) + len(log.people.damaged_merges()) + len(log.components.unreadable())


def _asked(query: dict[str, Any]) -> dict[str, str]:
    """A loaded query in the form of an address."""
    return {NAMES.get(name, name): _written(query[name]) for name in OFTEN if query[name]}


def _written(value: Any) -> str:
    return value if isinstance(value, str) else value.isoformat()


# Many games


def _sample(listed: Iterator[Listed]) -> Iterator[Listed]:
    """The first games of a list, at least one, with not too many entries in all."""
    entries = 0
    for each in islice(listed, SAMPLE):
        entries += each.version
        yield each
        if entries >= MEASURED:
            return


def _estimated(
    name: str, asked: dict[str, Any], known: Sequence[KnownGame], listed: Sequence[Listed], extent: Extent
) -> int:
    """The estimated bytes of a file: its size without games, plus the sample's growth for each game, entry or person.

    A report also names the request (`asked`).
    """
    export, query = EXPORTS[name], asked | USUAL
    base = _empty_spreadsheet() if export.media == XLSX else _length(export.write((), query))
    if not known:
        return base
    added = _added_to_spreadsheet(known) if export.media == XLSX else _length(export.write(known, query)) - base
    if len(listed) == extent.games:
        return base + added
    return base + round(added * _of_all(extent)[export.grows] / max(1, _of_sample(listed)[export.grows]))


@cache
def _empty_spreadsheet() -> int:
    return _length(EXPORTS["tables.xlsx"].write((), USUAL))


def _added_to_spreadsheet(known: Sequence[KnownGame]) -> int:
    """About how many bytes these games add. To write the file takes as long as to write all other ones."""
    here = archive()
    return sum(
        added_size(table, (row for _, row in rows_of(recorded_games(here, known), (table,)))) for table in TABLES
    )


def _of_all(extent: Extent) -> dict[str, int]:
    return {"games": extent.games, "entries": extent.entries, "people": extent.people}


def _of_sample(listed: Sequence[Listed]) -> dict[str, int]:
    people = {player for each in listed for player in each.seats if player}
    return {"games": len(listed), "entries": sum(each.version for each in listed), "people": len(people)}


def _length(pieces: Iterator[bytes]) -> int:
    return sum(map(len, pieces))


# One game


def _forms(game: str) -> Iterator[ExportInfo]:
    """The forms that the caller can have of a game."""
    allowed = permissions(game)
    own = viewpoint_for(None, allowed)
    whole = own != RECORD or EXPORTING in allowed.scopes
    for form in FORMS:
        if (form.public and own == PUBLIC) or (own is None) or not (whole or form.public):
            continue
        found = _measured(game, form, PUBLIC if form.public else own)
        if found is not None:
            yield found


def _measured(game: str, form: Form, viewpoint: Viewpoint) -> ExportInfo | None:
    """A form of a game with its size; None if the game cannot be written in it."""
    query = {"format": form.format} | ({"seat": "public"} if form.public else {})
    if form.format == "text":
        query["names"] = "true"
    href = f"/v1/games/{game}/export?{urlencode(query)}"
    try:
        size, exact = _size(game, form, viewpoint)
    except (ProjectionError, LogError, ServiceError):
        return None
    return ExportInfo(form.file, form.media, gettext(form.purpose), href, size, exact=exact)


def _size(game: str, form: Form, viewpoint: Viewpoint) -> tuple[int, bool]:
    """The bytes of a form of a game, and whether they were measured."""
    version = archive().folds.fold_until_error(game).version
    if form.format == "html":
        record, _ = _record_size(game, version, viewpoint)
        return round(PAGE_BASE + PAGE_ENTRY * min(version, gamefile.BOARDS) + PAGE_RECORD * record), False
    if form.format == "ndjson":
        return _record_size(game, version, viewpoint)
    if form.format == "text":
        text = export_text(archive(), game, names=True, viewpoint=viewpoint, until=MEASURED)
        return _scaled(len(text.encode()), version)
    if version <= MEASURED:
        return len(paper.game_report(game, viewpoint).encode()), True
    return REPORT_BASE + REPORT_ENTRY * version, False


def _record_size(game: str, version: int, viewpoint: Viewpoint) -> tuple[int, bool]:
    lines = export_record(archive(), game, names=False, viewpoint=viewpoint)
    return _scaled(_length(islice(lines, MEASURED + 1)), version)


def _scaled(measured: int, version: int) -> tuple[int, bool]:
    """The size of a game, scaled up from the measured part of it, and whether all of it was measured."""
    return round(measured * max(1, version / MEASURED)), version <= MEASURED
