"""Records of clubs, seasons and tournaments: an entry is stored if the whole record stays valid with it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from uuid import UUID, uuid5

from events import limits
from events.entries import check_event
from events.errors import BadEventError, IdReusedError, LogError, StaleVersionError
from events.event import NewEvent
from events.people import BadNameError, checked_name
from events.types import EntryErased
from service.recording.judging import pending_event
from service.recording.locks import ATTEMPTS, KeyedLocks, OvertakenError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from events.entries import CheckedEvent
    from events.event import Event
    from events.types import EventData
    from projections.archive import Archive

RECORDS = KeyedLocks()
"""Those who write to the same record take turns."""

ENTRIES = limits.CHOSEN
"""The most entries of such a record: all of them are read again after each."""


def found_record(archive: Archive, record: str, founding: str, data: dict[str, Any], *, recorder: str) -> None:
    """Create a record. Safe to repeat. Raises `BadEventError`, `IdReusedError`, `LogFullError`."""
    event = NewEvent(id=record, type=founding, data=data)
    if archive.log.find(record, record) is None:
        _check_name(event)
    archive.log.append(record, [event], expected=0, recorder=recorder)


def record_in(
    archive: Archive,
    record: str,
    event: NewEvent,
    fold: Callable[[Sequence[Event]], object],
    *,
    recorder: str,
    check: Callable[[EventData], None] = lambda _: None,
    more: Sequence[NewEvent] = (),
) -> int:
    """Record an entry. Returns its version. Safe to repeat. Raises as `found_record`, and what `check` raises.

    `more` are entries that follow from it, as those for other ids of the same person. All are recorded or none.
    """
    with RECORDS.holding(record):
        for _ in range(ATTEMPTS):
            events = list(archive.log.read(record))
            known = next((each for each in events if each.id == event.id), None)
            if known is not None:
                stored = archive.log.append(record, [event], expected=known.version - 1, recorder=recorder)
                return stored.events[0].version
            entries = _check_next(record, events, (event, *more), fold, check)
            try:
                stored = archive.log.append(record, entries, expected=len(events), recorder=recorder)
            except StaleVersionError as error:
                failed: LogError = error
            except IdReusedError as error:
                if error.stored.game != record:
                    raise
                failed = error
            else:
                return stored.events[0].version
        raise OvertakenError from failed


def _check_next(
    record: str,
    events: Sequence[Event],
    new: Sequence[NewEvent],
    fold: Callable[[Sequence[Event]], object],
    check: Callable[[EventData], None],
) -> list[CheckedEvent]:
    """The new entries, which fit behind those that are there. Raises `BadEventError`, and what `check` raises."""
    if len(events) >= ENTRIES:
        raise BadEventError(0, "type", f"the record has {ENTRIES:,} entries already")
    entries = [check_event(0, each) for each in new]
    _check_name(new[0])
    for entry in entries:
        check(entry.data)
    try:
        fold([*events, *(pending_event(record, at, each) for at, each in enumerate(entries, len(events) + 1))])
    except BadEventError as error:
        if error.index >= len(events):
            raise BadEventError(0, error.path, error.why) from None
        raise BadEventError(0, "data", f"entry {error.index + 1} no longer fits: {error.why}") from None
    return entries


def _check_name(event: NewEvent) -> None:
    """Refuse a name that a person cannot have either. Raises `BadEventError`.

    It is stored as it was sent, so that the same request is the same event. Names of older releases stay.
    """
    name = event.data.get("name")
    if isinstance(name, str):
        try:
            checked_name(name)
        except BadNameError as error:
            raise BadEventError(0, "data.name", str(error)) from None


def erase_in(archive: Archive, record: str, event: NewEvent, *, recorder: str) -> None:
    """Erase the texts of an entry that this event names. Safe to repeat. Raises `BadEventError`, `LogBusyError`."""
    asked = check_event(0, event).data
    assert isinstance(asked, EntryErased)  # noqa: S101 - for the types only
    with RECORDS.holding(record):
        head = archive.log.head(record)
        if head is None or asked.entry > head.version:
            raise BadEventError(0, "data.entry", "there is no such entry")
        if asked.what != "text":
            raise BadEventError(0, "data.what", "only texts are erased here")
        archive.log.erase(record, asked.entry, "text", recorder, asked.reason)


def new_person(entry: str, name: str) -> str:
    """The id of a person with a new name. It follows from the entry, so that the entry is safe to repeat."""
    return str(uuid5(UUID(entry), name))
