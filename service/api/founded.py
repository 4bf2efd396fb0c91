"""Records of clubs, seasons and tournaments in the API: their history and export."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
from flask import Response

from events import ndjson
from events.errors import BadEventError
from events.event import NewEvent, now_ms, timestamp
from events.kinds import OTHER_TYPES
from events.schemas import SCHEMAS, SEALED_TEXT
from service.access.founded import changes
from service.access.gate import current_principal, current_recorder, gate
from service.access.principals import NONE
from service.api.answers.clubs import ClubEntry, ClubHistory
from service.api.endpoints import NDJSON, archive
from service.api.tablenames import table_names
from service.languages import gettext
from service.problems.kinds import ProblemError
from service.recording.founded import erase_in

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Set

    from events.event import Event

WRITING = ("bad-json", "bad-request", "bad-entry", "bad-opening", "id-reused", "scope-needed", "storage-full")
"""The problems of each operation that records in them."""


def erase(record: str, organisers: Collection[str], body: dict[str, Any]) -> None:
    """Erase the texts of an entry, as a loaded `NewClubEntrySchema` says it. Raises `scope-needed`."""
    if not changes(current_principal(), organisers, "games:erase"):
        raise ProblemError("scope-needed", gettext("only organisers can erase texts"), scope="games:erase")
    event = NewEvent(id=body["id"], type=body["type"], data={"what": "text"} | body["data"])
    erase_in(archive(), record, event, recorder=current_recorder())


def named(data: dict[str, Any], field: str) -> Any:
    """The value of a field that the data of an entry needs. Raises `BadEventError`."""
    if field not in data:
        raise BadEventError(0, f"data.{field}", "missing")
    return data[field]


def history_of(record: str, version: int, withdrawn: Collection[int], others: Set[str] = frozenset()) -> ClubHistory:
    """The entries of a record that the caller may know of, with the names of the people in them, and of others."""
    entries = [_entry(event, withdrawn) for event in archive().log.read(record, 0, version) if _may_know(event)]
    people = {each.data[name] for each in entries for name in ("player", "founder") if name in each.data}
    return ClubHistory(entries, table_names(people | others))


def with_texts(entries: Iterable[ClubEntry]) -> set[int]:
    """The versions of the entries with texts that can be erased."""
    return {
        each.version
        for each in entries
        if any(each.data.get(name, SEALED_TEXT) != SEALED_TEXT for name in OTHER_TYPES[each.type].text_fields)
    }


def _may_know(event: Event) -> bool:
    """Whether the caller may know of an entry: one about a game is for those who may see the game."""
    game = getattr(SCHEMAS.read(event), "game", None)
    return game is None or gate().permissions(current_principal(), game) is not NONE


def _entry(event: Event, withdrawn: Collection[int]) -> ClubEntry:
    return ClubEntry(
        version=event.version,
        id=event.id,
        type=event.type,
        data=msgspec.to_builtins(SCHEMAS.read(event)),
        recorded_at=timestamp(event.recorded_at),
        hash=event.hash,
        counts=event.version not in withdrawn,
    )


def export_of(record: str, people: Set[str]) -> Response:
    """A record as NDJSON, with the names of its people."""
    names = archive().log.people.recorded_names(set(people))
    response = Response(ndjson.export(archive().log, record, now=now_ms(), players=names), content_type=NDJSON)
    response.headers["Content-Disposition"] = f'attachment; filename="{record}.ndjson"'
    return response
