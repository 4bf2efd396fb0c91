"""The checks of a request before any log stores it."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import msgspec

from events import limits, seals
from events.canonical import canonical, digest
from events.errors import BadEventError, BatchSizeError, LogNewerError, UnreadableError
from events.event import NewEvent
from events.kinds import MIXED, OPENINGS, is_of_game, opening_of
from events.schemas import SCHEMAS, is_uuid
from events.types import EventData

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from events.event import Event
    from events.schemas import Reader

_TIME_LIMIT = 253_402_300_800_000  # the year 10000, in milliseconds


class CheckedEvent(msgspec.Struct, frozen=True, gc=False):
    """One event of a request, checked, with its data in canonical form, and as this is read again.

    `body` is all of the data; `line` is what of it stands in the line, `fragment` the seals there, and `sealed` what is
    behind them.
    """

    id: str
    type: str
    schema: int
    happened_at: str | None
    body: bytes
    data: EventData
    line: bytes
    sealed: bytes | None
    fragment: str


def check_event(
    index: int, event: NewEvent, reader: Reader | None = None, found: tuple[bytes, EventData] | None = None
) -> CheckedEvent:
    """The `index`-th event of a request as an entry, if it is valid.

    `reader` is the reader of the game's ruleset, so that everything stored has been read by its later reader. `found`
    is what its check gave, if it was made before. Raises `BadEventError`.
    """
    reader = reader or SCHEMAS.plain
    body, data = found or reader.check(index, event)
    line, sealed, fragment = reader.split(event, body, data)
    schema = SCHEMAS.current(event.type)
    return CheckedEvent(event.id, event.type, schema, event.happened_at, body, data, line, sealed, fragment)


def check_new(game: str, events: Sequence[NewEvent | CheckedEvent], expected: int, recorder: str) -> list[CheckedEvent]:
    """The entries of a request in canonical form. Raises `BatchSizeError`, `BadEventError`."""
    _check_size(events)
    _check_game(game)
    if expected < 0:
        raise BadEventError(0, "version", f"the expected version {expected} is negative")
    _check_recorder(0, recorder)
    entries: list[CheckedEvent] = []
    seen: set[str] = set()
    first_type = events[0].type
    together = _check_together(events) if len(events) > 1 else [None]
    for index, (event, found) in enumerate(zip(events, together, strict=True)):
        entry = event if isinstance(event, CheckedEvent) else check_event(index, event, found=found)
        if event.type in OPENINGS or expected + index == 0:
            _check_opening(index, game, event, first=expected + index == 0)
        if event.type != first_type:
            _check_kind(index, first_type, event.type)
        if event.id in seen:
            raise BadEventError(index, "id", "the same id appears twice in the request")
        seen.add(event.id)
        entries.append(entry)
    return entries


def _check_together(events: Sequence[NewEvent | CheckedEvent]) -> Iterable[tuple[bytes, EventData] | None]:
    """What the check of each gives, if a check of all at once is enough; None for each if not."""
    new = [event for event in events if isinstance(event, NewEvent)]
    return (SCHEMAS.plain.check_alike(new) if len(new) == len(events) else None) or [None] * len(events)


def check_adopted(events: Sequence[Event]) -> None:
    """As `check_chain`, of events that are few enough for one commit. Raises `BatchSizeError`, too."""
    _check_size(events)
    check_chain(events)


def check_chain(events: Sequence[Event]) -> None:
    """Prove events of another log: each by itself, and as links of one chain. Raises `BadEventError`.

    Their data must fit the schema that it names; data of older schemas is taken as it is.
    """
    _check_game(events[0].game)
    if len({event.id for event in events}) < len(events):
        raise BadEventError(0, "id", "an id appears twice in the request")
    for index, event in enumerate(events):
        _check_adopted(index, event)
    for index, (before, event) in enumerate(pairwise(events), 1):
        if event.type != before.type:
            _check_kind(index, before.type, event.type)
        if (event.game, event.version, event.prev) != (before.game, before.version + 1, before.hash):
            raise BadEventError(index, "prev", f"it does not follow from version {before.version}")
        if event.schema < SCHEMAS.first_sealed_schema(event.type) and before.schema >= SCHEMAS.first_sealed_schema(
            before.type
        ):
            raise BadEventError(
                index, "schema", "its hidden facts are not sealed, but those of the entry before it are"
            )
        if event.recorded_at < before.recorded_at:
            raise BadEventError(index, "recorded_at", f"it is before that of version {before.version}")


def _check_adopted(index: int, event: Event) -> None:
    try:
        current = SCHEMAS.upcast(event)
    except (LogNewerError, UnreadableError) as error:
        raise BadEventError(index, "schema", str(error)) from None
    data, happened_at = current.data, event.happened_at
    SCHEMAS.plain.check(index, NewEvent(id=event.id, type=event.type, data=data, happened_at=happened_at))
    _check_recorder(index, event.recorder)
    _check_opening(index, event.game, event, first=event.version == 1)
    if not 0 <= event.recorded_at < _TIME_LIMIT:
        raise BadEventError(index, "recorded_at", "not a time between 1970 and 9999")
    try:
        sound = digest(canonical(event)) == event.hash
    except seals.BadSealsError as error:
        raise BadEventError(index, "sealed", str(error)) from None
    if not sound:
        raise BadEventError(index, "hash", "the event is not what was hashed")


def _check_opening(index: int, record: str, event: NewEvent | CheckedEvent | Event, *, first: bool) -> None:
    if (event.type in OPENINGS) == first:
        if first and not is_of_game(event.type) and event.id != record:
            raise BadEventError(index, "id", "the record has the id of its first event")
        return
    if is_of_game(event.type):
        raise BadEventError(index, "type", "game.opened is the first event of a game, and no other one is")
    raise BadEventError(
        index, "type", f"{opening_of(event.type)} is the first event of its record, and no other one is"
    )


def _check_kind(index: int, before: str, event_type: str) -> None:
    if opening_of(before) != opening_of(event_type):
        raise BadEventError(index, "type", MIXED)


def _check_size(events: Sequence[object]) -> None:
    if not 1 <= len(events) <= limits.BATCH:
        raise BatchSizeError(len(events), limits.BATCH)


def _check_game(game: object) -> None:
    if not is_uuid(game):
        raise BadEventError(0, "game", "not a UUID in lower-case canonical form")


def _check_recorder(index: int, recorder: str) -> None:
    if len(recorder) > limits.NAME or not recorder.isprintable():
        raise BadEventError(index, "recorder", f"longer than {limits.NAME} characters, or with control characters")
