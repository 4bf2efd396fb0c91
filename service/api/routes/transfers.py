"""Transfers: exporting a game, and importing one."""

from __future__ import annotations

import tempfile
from contextlib import ExitStack
from typing import IO, TYPE_CHECKING, Any
from uuid import uuid4
from weakref import finalize

import msgspec
from flask import Response, request

from events.errors import GameUnknownError, StaleVersionError
from events.ndjson import begins_as_record
from games.contract import RECORD
from service.access.gate import (
    current_principal,
    current_recorder,
    gate,
    missing_scope,
    require_principal,
    require_scope,
)
from service.access.needs import CORRECTED, CORRECTING, ENTRIES, ERASING, EXPORTING, NAMING, OPEN, SEEN
from service.access.principals import NONE
from service.access.scopes import HIDDEN
from service.api import gamefile, paper
from service.api.answers.exchange import Imported, ImportedGame
from service.api.answers.rulesets import SchemaInfo, SchemaList
from service.api.downloads import download
from service.api.endpoints import (
    BYTES,
    HTML,
    JSON_SCHEMA,
    NDJSON,
    TEXT,
    Endpoints,
    archive,
    context,
    reply,
    require_acceptable,
)
from service.api.schemas.exchange import ExportQuery, ImportQuery
from service.api.texts import WHY, first_control
from service.api.varying import vary
from service.api.viewpoints import check_seat, viewpoint_of
from service.exchange import schemas
from service.exchange.incoming.encodings import decoded, utf16_of
from service.exchange.incoming.plays import BadFileError
from service.languages import gettext
from service.languages.plain import translated
from service.problems.kinds import ProblemError
from service.recording.text_export import export_text
from service.recording.text_import import import_text
from service.recording.transfers import ImportPlan, export_record, import_records

if TYPE_CHECKING:
    from collections.abc import Iterable

    from games.contract import Viewpoint
    from service.api.downloads import Moment
    from service.recording.transfers import Erased, ImportedRecord

endpoints = Endpoints("transfers")

FORMATS = {"ndjson": NDJSON, "text": TEXT, "html": HTML, "report": HTML}
ENDINGS = {NDJSON: "ndjson", TEXT: "txt", HTML: "html"}
NEW = "Kifu-New-Entries"
"""The header that says how many entries of an import were new: the body is the same every time."""
"""What it needs to erase in a game that is here, and to bring back the name of a person who is."""
KEPT_IN_MEMORY = 1 << 20
"""Bytes of an imported file that are not put on disk while it is looked at."""
BEGINNING = 64
"""Bytes of an imported file that tell what it is."""


@endpoints.route(
    "GET",
    "/v1/games/<game>/export",
    scope=SEEN,
    query=ExportQuery(),
    answer_types=(NDJSON, TEXT, HTML),
    resumed=True,
    problems=("bad-request", "token-needed", "scope-needed", "game-unknown", "not-sealed", "overloaded"),
)
def export_game(game: str, query: dict[str, Any]) -> Response:
    """Export a game.

    As NDJSON: the whole record, one event a line, with its chain of SHA-256. As text: every entry in notation. As HTML:
    a page for any browser. As a report: HTML to print. Without `format` the Accept header chooses. Facts that are
    hidden from the viewpoint are sealed in NDJSON, with the same hashes from everywhere. In text they are left open. A
    download that broke off goes on with `Range`, and with its ETag in `If-Range`.
    """
    limits = gate().limits
    viewpoint = viewpoint_of(query["seat"])
    if viewpoint.seat is not None:
        check_seat(viewpoint, archive().folds.fold_until_error(game))
    if viewpoint == RECORD:
        require_scope(EXPORTING)
    wanted = query["format"]
    media = require_acceptable(*([FORMATS[wanted]] if wanted else FORMATS.values()))
    limits.begin_long()
    with ExitStack() as unless_answered:
        unless_answered.callback(limits.end_long)
        response = _exported(game, query, media, viewpoint)
        unless_answered.pop_all()
    response.call_on_close(finalize(response, limits.end_long))  # once, even if nobody closes it
    vary(response.headers, "Accept")
    shown = "inline" if wanted == "report" else "attachment"
    response.headers["Content-Disposition"] = f'{shown}; filename="{game}.{ENDINGS[media]}"'
    return response


def _exported(game: str, query: dict[str, Any], media: str, viewpoint: Viewpoint) -> Response:
    head = archive().log.head(game)
    if head is None:
        raise GameUnknownError(game)

    def make(moment: Moment) -> Iterable[bytes]:
        here, (now, until) = archive(), moment
        if media == NDJSON:
            return export_record(here, game, names=query["names"], viewpoint=viewpoint, now=now, until=until)
        if media == TEXT:
            return [export_text(here, game, names=query["names"], viewpoint=viewpoint).encode()]
        if query["format"] == "report":
            return [paper.game_report(game, viewpoint).encode()]
        return [gamefile.game_as_html(game, viewpoint, now).encode()]

    return download(media if media == NDJSON else f"{media}; charset=utf-8", head.version, make)


@endpoints.route(
    "POST",
    "/v1/imports",
    scope="imports:write",
    query=ImportQuery(),
    body="a game as it was exported",
    body_types=(NDJSON, TEXT, BYTES),
    status=201,
    answer=Imported,
    problems=(
        "bad-import",
        "bad-request",
        "erasing",
        "id-reused",
        "names-erased",
        "scope-needed",
        "stale-version",
        "body-too-large",
        "bad-media-type",
        "overloaded",
        "storage-full",
    ),
)
def import_game(query: dict[str, Any]) -> Response:
    """Import a game.

    NDJSON is proved and stored as it is, with its ids, times and hashes. It can hold several games. Text is recorded
    anew, under the `id` of the query. Bytes of no named type are told apart by how they begin. A file that does not
    hold is not stored. Safe to repeat; `Kifu-New-Entries` says how many entries were new. A file with names that were
    erased here is refused until `erased` says what becomes of them. To have them back needs `people:write`.

    A game that is here already goes on if the file begins as it does. That needs the scopes for recording these entries
    there, and `hidden:read`. What is open or erased in either is so then; erasing needs `games:erase`.
    """
    request.max_content_length = context().settings.max_import
    if query["erased"] == "restore" and NAMING not in require_principal().service:
        raise missing_scope(NAMING, require_principal(), None)
    if request.mimetype not in {NDJSON, TEXT, BYTES}:
        raise ProblemError("bad-media-type", f"send {NDJSON} or {TEXT}, not {request.mimetype or 'nothing'}")
    with gate().limits.long_read(), tempfile.SpooledTemporaryFile(KEPT_IN_MEMORY) as file:
        _keep_body(file)
        if request.mimetype == NDJSON:
            _refuse_utf16(file)
        if request.mimetype == NDJSON or (request.mimetype == BYTES and _is_record(file)):
            brought = _records_taken_in(file, query["erased"])
        else:
            text = _text(file.read())
            brought = [import_text(archive(), text, query["id"] or str(uuid4()), recorder=current_recorder())]
    first = brought[0]
    games = tuple(ImportedGame(each.game, each.version) for each in brought) if len(brought) > 1 else ()
    response = reply(Imported(first.game, first.version, games), 201, version=None if games else first.version)
    response.headers[NEW] = ", ".join(str(each.new) for each in brought)
    response.headers["Location"] = "/v1/games" if games else _address(first.game)
    return response


def _address(imported: str) -> str:
    here = archive()
    finders = {"clubs": here.clubs.find, "tournaments": here.tournaments.find, "seasons": here.seasons.find}
    kind = next((kind for kind, find in finders.items() if find(imported)), "games")
    return f"/v1/{kind}/{imported}"


def _records_taken_in(file: IO[bytes], erased: Erased | None) -> list[ImportedRecord]:
    """Import records. A caller who may not know of a game learns nothing from a conflict with it."""
    try:
        brought = import_records(archive(), file, _need_to_bring, erased)
    except StaleVersionError as error:
        if gate().permissions(current_principal(), error.game) is NONE:
            raise ProblemError("stale-version", gettext("this service has other entries for this game")) from None
        raise
    for each in brought:
        if each.resealed:
            context().forget(each.game)
    return brought


def _need_to_bring(bringing: ImportPlan) -> None:
    """Check that the caller may do what a file does to an existing game. Raises `scope-needed`."""
    types = {event.type for event in bringing.new}
    if context().is_game(bringing.game) is False:
        if "admin" not in require_principal().service:
            raise missing_scope("admin", require_principal(), None)
        return
    needed = {ENTRIES[each] for each in types} | ({CORRECTING} if types & CORRECTED else set())
    allowed = gate().permissions(current_principal(), bringing.game).scopes
    if bringing.new:
        needed.add(HIDDEN)
    for scope in sorted(needed | ({ERASING} if bringing.erases else set())):
        if scope not in allowed:
            raise missing_scope(scope, require_principal(), bringing.game)


def _keep_body(file: IO[bytes]) -> None:
    """Store the body, in memory or on disk, because it is read more than once."""
    while block := request.stream.read(1 << 16):
        file.write(block)
    file.seek(0)


def _refuse_utf16(file: IO[bytes]) -> None:
    """Check that a record is not in UTF-16: its hashes are for UTF-8. Raises `bad-import`."""
    wide = utf16_of(file.read(BEGINNING))
    file.seek(0)
    if wide:
        raise ProblemError("bad-import", gettext("the file is in UTF-16, and a record is in UTF-8"), line=1)


def _is_record(file: IO[bytes]) -> bool:
    """Whether a file begins like a record in NDJSON. A game as text never does."""
    begins = begins_as_record(file.read(BEGINNING))
    file.seek(0)
    return begins


def _text(content: bytes) -> str:
    try:
        text = decoded(content)
    except BadFileError as error:
        raise ProblemError("bad-import", str(error), **error.members) from None
    if found := first_control(text):
        line = text.count("\n", 0, found.start()) + 1
        raise ProblemError("bad-import", f"line {line} {WHY}", line=line)
    return text


@endpoints.route("GET", "/v1/schemas", scope=OPEN, answer=SchemaList, conditional=True)
def list_schemas() -> Response:
    """List the JSON Schemas of exported records.

    They describe the header, an entry as its line has it, all of its data, and the moves and rulings of each ruleset.
    """
    return reply(
        SchemaList([SchemaInfo(name, translated(what), f"/v1/schemas/{name}") for name, what in schemas.described()])
    )


@endpoints.route(
    "GET",
    "/v1/schemas/<schema>",
    scope=OPEN,
    answer_types=(JSON_SCHEMA,),
    conditional=True,
    problems=("schema-unknown",),
)
def show_schema(schema: str) -> Response:
    """Show a JSON Schema, draft 2020-12.

    It describes records and files of Kifu, for programs that write or check them.
    """
    known = [name for name, _ in schemas.described()]
    if schema not in known:
        raise ProblemError(
            "schema-unknown",
            gettext("no schema %(name)s; choose one of %(known)s", name=repr(schema), known=", ".join(known)),
        )
    return Response(msgspec.json.encode(schemas.schema(schema)), content_type=JSON_SCHEMA)
