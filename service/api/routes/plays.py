"""Importing plays from files of other trackers, as score sheets."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec
from flask import Response, request

from events.folding import normalized
from service.access.gate import current_principal, current_recorder, gate, require_principal
from service.access.needs import CORRECTING, ENTRIES
from service.access.scopes import HIDDEN
from service.api.answers.exchange import ImportedPerson, ImportedPlays
from service.api.endpoints import BYTES, Endpoints, archive, context, reply
from service.api.schemas.exchange import PlaysQuery
from service.exchange.incoming import bgg, bgstats
from service.exchange.incoming.csv_plays import CsvPlays
from service.exchange.incoming.encodings import in_utf8
from service.exchange.incoming.plays import LARGEST, BadFileError, IncomingPlay, without_repeats
from service.exchange.incoming.taking import PlayImporter
from service.languages import gettext
from service.languages.plain import translated
from service.problems.kinds import ProblemError
from service.recording.seating import find_people

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from service.exchange.incoming.plays import Item, UnreadPlay
    from service.exchange.incoming.taking import ImportedPlay
    from service.recording.seating import FoundPerson

endpoints = Endpoints("plays")

READERS = {"bgstats": bgstats.read, "bgg": bgg.read}
BEGINNINGS = {b"{": "bgstats", b"<": "bgg"}
"""How files of a kind begin, after a mark and blanks; all others are tables."""

_LIST = re.compile(rb"\s*\[\s*[\[{\]]")
"""How JSON begins that is a list and not a backup. The reader of backups says so."""

_BETWEEN_COLUMNS = re.compile(r",(?=\s*\w+\s*=)")
"""What parts columns that are named. A head can hold other commas, as in `game=Game, edition,player=Who`."""

PEOPLE = "people:read"
"""What it needs to be told who has a name here."""


class ReadFile(NamedTuple):
    """Some plays of a file, whether more follow, and which column of a CSV file was taken for what."""

    items: list[Item]
    more: bool
    columns: dict[str, str]


@endpoints.route(
    "POST",
    "/v1/imports/plays",
    scope="imports:write",
    query=PlaysQuery(),
    body="a file of plays",
    body_types=(BYTES,),
    answer=ImportedPlays,
    problems=("bad-import", "bad-request", "body-too-large", "overloaded", "storage-full"),
)
def import_plays(query: dict[str, Any]) -> Response:
    """Import plays from the file of another tracker.

    A backup of BG Stats, plays of BoardGameGeek as XML, or a table as CSV. Each play becomes a game on a score sheet.
    Its id follows from the file's own id, so a second import corrects what the file tells differently by then.
    Corrections by hand stay.

    Each play is `new`, the `same` as before, `changed`, or `refused` with the reason. At most `limit` plays are taken
    in at once. `next` is the `after` of the request that goes on with the file. With `dry_run` nothing is stored.
    """
    request.max_content_length = largest_file()
    return reply(take_plays(query, request.get_data()))


def largest_file() -> int:
    """The largest accepted file of plays, in bytes."""
    return min(context().settings.max_import, LARGEST)


def take_plays(query: dict[str, Any], content: bytes) -> ImportedPlays:
    """The result of importing a file of plays with a loaded `PlaysQuery`. Raises `bad-import`, `overloaded`."""
    with gate().limits.long_read():
        file = _read(query, content)
        people = _people(file.items, makes=query["people"] == "make")
        intake = PlayImporter(
            archive(),
            current_recorder(),
            _refusal,
            makes_people=query["people"] == "make",
            dry_run=query["dry_run"],
        )
        taken = [_translated(intake.take(item)) for item in file.items]
    end = query["after"] + len(file.items)
    return ImportedPlays(taken, people, file.columns, end if file.more else None)


def _translated(taken: ImportedPlay) -> ImportedPlay:
    return msgspec.structs.replace(taken, why=translated(taken.why)) if taken.why else taken


def _read(query: dict[str, Any], content: bytes) -> ReadFile:
    """The wanted plays. The whole file is read before anything is stored.

    Raises `bad-import`.
    """
    content = in_utf8(content)
    form = query["format"] or _form_of(content)
    try:
        if form == "csv":
            table = CsvPlays(content, _named(query["columns"]))
            return ReadFile(*_page(table, query), table.columns)
        return ReadFile(*_page(READERS[form](content), query), {})
    except BadFileError as error:
        raise ProblemError("bad-import", str(error), **error.members) from None


def is_table(content: bytes) -> bool:
    """Whether a file is read as a table, so that its columns can be named."""
    return _form_of(in_utf8(content)) == "csv"


def _form_of(content: bytes) -> str:
    begun = content.removeprefix(b"\xef\xbb\xbf")
    return "bgstats" if _LIST.match(begun) else BEGINNINGS.get(begun[:64].lstrip()[:1], "csv")


def _page(plays: Iterable[UnreadPlay], query: dict[str, Any]) -> tuple[list[Item], bool]:
    """The plays of a page, which alone are read, and whether more follow. Raises `BadFileError`."""
    items: list[Item] = []
    end, count = query["after"] + query["limit"], 0
    for count, play in enumerate(without_repeats(plays), 1):
        if query["after"] < count <= end:
            items.append(play.item())
    return items, count > end


def _named(text: str) -> dict[str, str]:
    """The columns that the user names; a head can hold commas. Raises `BadFileError`."""
    named = [part.partition("=") for part in _BETWEEN_COLUMNS.split(text) if part.strip()]
    if bad := next((part for part, sign, _ in named if not sign), None):
        raise BadFileError(f"columns: {bad.strip()[:40]!r} names no column; write it as player=Name")
    return {part.strip(): head.strip() for part, _, head in named}


def _people(items: Sequence[Item], *, makes: bool) -> list[ImportedPerson]:
    names = {each.name: None for item in items if isinstance(item, IncomingPlay) for each in item.results if each.name}
    tells = PEOPLE in require_principal().service
    known = find_people(archive().log.people, names)
    first = {normalized(name): name for name in reversed(names)}
    return [
        _person(name, known.get(name), makes=makes, tells=tells, again=first[normalized(name)] != name)
        for name in names
    ]


def _person(name: str, found: FoundPerson | None, *, makes: bool, tells: bool, again: bool) -> ImportedPerson:
    """The person for a name. It comes `again` if it stood before in another spelling of the same person."""
    if found is None:
        return ImportedPerson(name, "guest" if not makes else "near" if again else "new")
    return ImportedPerson(name, "same" if found.exact else "near", found.player if tells else None)


def _refusal(game: str) -> str | None:
    """Why the caller may not correct an existing game; None if they may."""
    allowed = gate().permissions(current_principal(), game).scopes
    needed = {CORRECTING, HIDDEN, ENTRIES["note.added"], ENTRIES["entry.replaced"]}
    if needed <= allowed:
        return None
    return gettext("somebody else imported this play, and you may not correct their game")
