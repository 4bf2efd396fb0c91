"""The current data of each event type, and the reading of older schemas.

Stored events are never rewritten: an event of an older schema is *upcast* when it is read.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import msgspec

from events import limits, seals
from events.encoding import encode_data
from events.errors import BadEventError, LogNewerError, UnreadableError
from events.event import NewEvent
from events.explaining import FIELD, STEP, explain_value
from events.faults import fault
from events.kinds import OTHER_TYPES
from events.types import ENTRY_ERASED, MOVE_MADE, RECORD_SIGNED, REVISION_ADOPTED, TYPES, A, M, MoveMade, Unreadable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from events.event import Event
    from events.types import EventData

    Upcaster = Callable[[dict[str, Any]], dict[str, Any]]
    Views = Callable[[Any], tuple[bytes, Mapping[int, bytes]] | None]
    """The look of a ruleset's moves or adjustments to everybody, and to each informed seat, as canonical JSON.

    None for moves and adjustments that everybody knows completely.
    """

SEALED_TEXT = "(sealed)"
"""The text that is read in the place of a closed one."""

_UUID = re.compile("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
OFFSET_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)")
"""The form of `happened_at`: RFC 3339 with an offset."""


class Schemas:
    """The current schema of every event type, and the way up to it from the older ones.

    `upcasters[type]` holds one function for each older schema, the oldest first. The first turns data of schema 1 into
    data of schema 2, and so on. So the current schema's number is the number of functions plus one.
    """

    def __init__(
        self, types: Mapping[str, type[EventData]], upcasters: Mapping[str, tuple[Upcaster, ...]] | None = None
    ) -> None:
        self._types = dict(types)
        self._upcasters = {name: (upcasters or {}).get(name, ()) for name in types}
        self._current = {name: len(steps) + 1 for name, steps in self._upcasters.items()}
        self._needed = {name: _needed(form) for name, form in types.items()}
        self.plain = self.reader(dict[str, Any], dict[str, Any])

    def current(self, event_type: str) -> int:
        """The number of the type's current schema."""
        return self._current[event_type]

    def first_sealed_schema(self, event_type: str) -> int:
        """The first schema of the type in which secret parts are sealed."""
        return _UNSEALED.get(event_type, 1) + 1

    def reader(self, move: Any, adjustment: Any, views: Views | None = None) -> Reader:
        """A reader for games of a ruleset with these types of moves and adjustments.

        `views` says how they look to others, as canonical JSON, if the ruleset hides anything.
        """
        words = {M: move, A: adjustment}
        forms = {}
        for name, form in self._types.items():
            open_words = [words[word] for word in getattr(form, "__parameters__", ())]
            forms[name] = self.current(name), form[tuple(open_words)] if open_words else form  # type: ignore[index]
        return Reader(self, forms, views)

    def upcast(self, event: Event) -> Event:
        """The event with its data in the current schema, whole as far as its seals are open; the same object if it is.

        The result is for reading: its hash is that of the stored form. Raises `LogNewerError` for a schema or a type
        that only a newer release knows, `UnreadableError` for data that does not have the schema it names.
        """
        steps = self._upcasters.get(event.type)
        if steps is None or event.schema > len(steps) + 1:
            raise LogNewerError(
                f"version {event.version} of game {event.game} has schema {event.schema} of {event.type}, which only a "
                "newer release knows"
            )
        try:
            body = event.body if event.sealed is None else self.opened_data(event)
            if event.schema <= len(steps):
                data = msgspec.json.decode(body)
                for step in steps[event.schema - 1 :]:
                    data = step(data)
                body = encode_data(data)
        except (LookupError, TypeError, ValueError, AttributeError) as error:
            raise UnreadableError(event.game, event.version, f"no {event.type} of schema {event.schema}") from error
        if body is event.body:
            return event
        return msgspec.structs.replace(event, schema=len(steps) + 1, body=body, sealed=None)

    def opened_data(self, event: Event) -> bytes:
        """The data as stored, with the open content of its seals. A closed text that the type needs says so."""
        body = seals.opened_data(event.body, event.sealed)
        needed = self._needed[event.type]
        if not needed:
            return body
        data = msgspec.json.decode(body)
        return body if all(name in data for name in needed) else encode_data(dict.fromkeys(needed, SEALED_TEXT) | data)

    def read(self, event: Event) -> EventData:
        """As `Reader.read`, with moves and adjustments as plain JSON."""
        return self.plain.read(event)


class Reader:
    """Reads events of games of one ruleset: the one place where a stored event is decoded, typed and upcast."""

    __slots__ = ("_decoders", "_forms", "_schemas", "_views")

    def __init__(self, schemas: Schemas, forms: Mapping[str, tuple[int, Any]], views: Views | None) -> None:
        self._schemas, self._views = schemas, views
        self._decoders = {name: msgspec.json.Decoder(form) for name, (_, form) in forms.items()}
        self._forms = {name: (schema, self._decoders[name].decode) for name, (schema, _) in forms.items()}

    def read(self, event: Event) -> EventData:
        """The data of a stored event, in the current form of its type.

        A move or an adjustment that the ruleset cannot read is `Unreadable`, so that all else of the entry can be read.
        Raises `LogNewerError` for what only a newer release knows, `UnreadableError` for what is no such event at all.
        """
        schema, decode = self._forms.get(event.type, _UNKNOWN)
        body = event.body
        if schema != event.schema:
            event = self._schemas.upcast(event)
            body, (_, decode) = event.body, self._forms[event.type]
        elif event.sealed is not None and not seals.without_seals(event.sealed):
            content = seals.of_ruleset_field(event.sealed) if event.type == MOVE_MADE else None
            if content and seals.has_only(body, MoveMade.ruleset_field):
                try:
                    moved: EventData = decode(content)
                except (msgspec.DecodeError, UnicodeDecodeError):
                    pass  # it is looked at again, with all that the entry has
                else:
                    return moved
            body = self._schemas.opened_data(event)
        try:
            data: EventData = decode(body)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            return self._without_words(event, str(error))
        return data

    def _without_words(self, event: Event, message: str) -> EventData:
        if self is self._schemas.plain:
            raise UnreadableError(event.game, event.version, message)
        data = self._schemas.read(event)
        words = getattr(data, data.ruleset_field)
        path, why = _locate(event.data, message, self._decoders[event.type])
        unread = Unreadable(words, path.removeprefix(f"data.{data.ruleset_field}").lstrip("."), why)
        return msgspec.structs.replace(data, **{data.ruleset_field: [unread] if isinstance(words, list) else unread})

    def check(self, index: int, event: NewEvent) -> tuple[bytes, EventData]:
        """Entry `index` of a request as canonical JSON, and its typed data. Raises `BadEventError`."""
        if not is_uuid(event.id):
            raise BadEventError(index, "id", "not a UUID in lower-case canonical form")
        decoder = self._decoders.get(event.type)
        if decoder is None:
            raise BadEventError(index, "type", f"unknown; choose one of {', '.join(TYPES)}")
        if event.happened_at is not None:
            _check_time(index, event.happened_at)
        body = _encode(index, event.data)
        try:
            return body, decoder.decode(body)
        except msgspec.ValidationError as error:
            raise BadEventError(index, *_locate(event.data, str(error), decoder)) from None

    def check_typed(self, event: NewEvent) -> tuple[bytes, EventData] | None:
        """As `check`, for data that is typed already. None if it has to be checked in full."""
        if event.happened_at is not None or not is_uuid(event.id):
            return None
        try:
            body = encode_data(event.data)
            if _is_small(body) and _is_plain(body):
                return body, self._decoders[event.type].decode(body)
        except (msgspec.ValidationError, TypeError, ValueError, RecursionError):
            pass  # `check` finds the fault
        return None

    def check_alike(self, events: Sequence[NewEvent]) -> Iterable[tuple[bytes, EventData]] | None:
        """As `check`, for entries of one type, all at once. None if they have to be checked one by one."""
        event_type = events[0].type
        decoder = self._decoders.get(event_type)
        if decoder is None:
            return None
        for event in events:
            if event.type != event_type or event.happened_at is not None or not is_uuid(event.id):
                return None
        try:
            bodies = [encode_data(event.data) for event in events]
            lines = b"\n".join(bodies)
            sound = _are_small(bodies, lines) and _is_plain(lines)
            if sound and _ANY.decode_lines(lines) == [event.data for event in events]:
                return zip(bodies, decoder.decode_lines(lines), strict=True)
        except (TypeError, ValueError, RecursionError):
            pass  # `check` finds the entry and its fault
        return None

    def split(self, event: NewEvent, body: bytes, read: EventData) -> tuple[bytes, bytes | None, str]:
        """The parts of a checked event's data: in its line, sealed beside it, and the line's fragment about the seals.

        `body` is all of it as canonical JSON, `read` what reading that gave. In a game that hides nothing, and without
        free text, that is the line.
        """
        hides = self._views is not None and bool(read.ruleset_field or read.secret_fields)
        views = self._views(getattr(read, read.ruleset_field)) if self._views and read.ruleset_field else None
        if views is None and read.sealed_fields.isdisjoint(event.data):
            return body, *(seals.sealed_nothing() if hides else (None, ""))
        if views and hides and event.data.keys() == {read.ruleset_field}:
            return seals.split_ruleset_field(body, read.ruleset_field, *views)
        line, sealed, fragment = seals.split(event.data, read, views, hides=hides)
        return encode_data(line), sealed, fragment

    def contradiction(self, event: Event) -> str | None:
        """The first contradiction between an entry's seals and its line, if there is one.

        With a contradiction, two readers would learn different facts.
        The line must equal the result of sealing all of its data, and a seat's seal must show what that seat knows. An
        entry with a closed seal of the record, or with the seals of an older schema, cannot be checked. Raises the
        errors of `read`.
        """
        found, read = {seal.name: seal for seal in seals.unpack(event.sealed)}, self.read(event)
        kept = seals.RECORD in found and found[seals.RECORD].content is None
        if kept or event.schema < self._schemas.first_sealed_schema(event.type) or _unread(read):
            return None
        body = seals.opened_data(event.body, event.sealed)
        if event.schema < self._schemas.current(event.type) and self._schemas.upcast(event).body != body:
            return None
        anew = NewEvent(id=event.id, type=event.type, data=msgspec.json.decode(body))
        line, sealed, _ = self.split(anew, body, read)
        if line != event.body:
            return "its line is not what everybody may know of what the record's seal holds"
        told = {seal.name: seal.content for seal in seals.unpack(sealed)}
        for name, seal in found.items():
            if seal.content is not None and name != seals.RECORD and seal.content != told.get(name):
                return f"the seal {name} does not hold what can be known there of what the record's holds"
        return None


def _unread(read: EventData) -> bool:
    words = getattr(read, read.ruleset_field) if read.ruleset_field else None
    return any(isinstance(word, Unreadable) for word in (words if isinstance(words, list) else [words]))


def _needed(form: type[EventData]) -> tuple[str, ...]:
    """The texts that an event of this type must have."""
    fields = msgspec.structs.fields(form)
    return tuple(field.encode_name for field in fields if field.required and field.name in form.text_fields)


_UNKNOWN: tuple[int, Callable[[bytes], Any]] = 0, msgspec.json.decode
"""No schema has this number."""


def is_uuid(text: object) -> bool:
    """Whether this is a UUID as lower-case canonical text."""
    return isinstance(text, str) and _UUID.fullmatch(text) is not None


def _check_time(index: int, text: object) -> None:
    why = 'not a time with an offset as in RFC 3339, like "2026-03-01T20:15:00+01:00"'
    if not isinstance(text, str) or not OFFSET_TIME.fullmatch(text):
        raise BadEventError(index, "happened_at", why)
    try:
        datetime.fromisoformat(text).astimezone(UTC)  # answers tell it in UTC: there it is in the years 1 to 9999, too
    except (ValueError, OverflowError):
        raise BadEventError(index, "happened_at", f"there is no such date or time: {text}") from None


def _encode(index: int, data: object) -> bytes:
    """The canonical JSON of data that is JSON through and through, within the limits."""
    if not isinstance(data, dict):
        raise BadEventError(index, "data", "not an object")
    try:
        body = encode_data(data)
        if _is_small(body) and _is_plain(body) and _ANY.decode(body) == data:
            return body  # small, flat, without long numbers, and the same when it is read again: nothing can be wrong
    except (TypeError, ValueError, RecursionError):
        body = b""
    found = fault(data, limits.DEPTH)
    if found is None and len(body) > limits.DATA:
        found = "data", f"{len(body)} bytes of JSON, and {limits.DATA} are allowed"
    if found is not None:
        raise BadEventError(index, *found)
    return body


def _is_small(body: bytes) -> bool:
    """Whether canonical JSON is within the limits."""
    return len(body) <= limits.DATA and body.count(b"{") + body.count(b"[") <= limits.DEPTH


def _is_plain(lines: bytes) -> bool:
    """Whether canonical JSON has neither escapes (as for NUL) nor long numbers."""
    return b"\\" not in lines and _LONG_NUMBER not in lines.translate(_DIGITS)


def _are_small(bodies: Sequence[bytes], lines: bytes) -> bool:
    """Whether each of these bodies, which are the `lines`, is within the limits."""
    brackets = lines.translate(None, _NO_BRACKETS).split(b"\n")
    return max(map(len, bodies)) <= limits.DATA and max(map(len, brackets)) <= limits.DEPTH


_ANY = msgspec.json.Decoder()
_NO_BRACKETS = bytes(byte for byte in range(256) if byte not in b"{[\n")
_DIGITS = bytes(ord("0") if byte in b"0123456789" else ord(" ") for byte in range(256))
_LONG_NUMBER = b"0" * 16


def _locate(data: dict[str, Any], message: str, decoder: msgspec.json.Decoder[Any]) -> tuple[str, str]:
    """The path of a validation error and what is wrong there, from msgspec's message.

    For a fault under a key of a mapping, msgspec says `[...]` or "`key` in". The key is found by trying the mapping
    with one key at a time.
    """
    why, _, place = message.partition(" - at `")
    place = place.removesuffix("`").removeprefix("$")
    if named := FIELD.fullmatch(why):
        return f"data{place}.{named[1]}", explain_value(decoder.type, place, why)
    before, marked, after = place.partition("[...]")
    if not marked:
        _, marked, before = place.partition("key` in `$")
    why = explain_value(decoder.type, place, why)
    if marked:
        return f"data{before}.{_faulty_key(data, before, message, decoder)}{after}", why
    return f"data{place}", why


def _faulty_key(data: dict[str, Any], place: str, message: str, decoder: msgspec.json.Decoder[Any]) -> str:
    whole = msgspec.json.decode(encode_data(data))
    mapping = whole
    for field, index in STEP.findall(place):
        mapping = mapping[int(index) if index else field]
    items = dict(mapping)
    for key, item in items.items():
        mapping.clear()
        mapping[key] = item
        try:
            decoder.decode(encode_data(whole))
        except msgspec.ValidationError as error:
            if str(error) == message:
                return str(key)
    return "*"


def _as_it_was(data: dict[str, Any]) -> dict[str, Any]:
    """The upcaster of a schema to which the next one only added optional fields."""
    return data


_UNSEALED = {
    "game.opened": 2,  # 2: `origin`
    "entry.withdrawn": 2,  # 2: `keep`, `withdraw`
    "note.added": 2,  # 2: `bookmark`
    RECORD_SIGNED: 0,
    REVISION_ADOPTED: 0,
    ENTRY_ERASED: 0,
    **dict.fromkeys(OTHER_TYPES, 0),
}
"""How many schemas a type had, if not one, before what can be hidden or erased was sealed."""

_LATER = {
    "game.opened": 1,  # 4: erasures are entries
    "tournament.founded": 1,  # 2: `club`, `minutes`
    "tournament.changed": 1,  # 2: `minutes`
}
"""How many schemas were added to a type since then, only to say what holds for the record."""

ERASURES_RECORDED = 4
"""The first schema of `game.opened` in games with an `entry.erased` for every erasure."""

_ALL = {**TYPES, **OTHER_TYPES}

SCHEMAS = Schemas(_ALL, {name: (_as_it_was,) * (_UNSEALED.get(name, 1) + _LATER.get(name, 0)) for name in _ALL})
"""The schemas of this release."""
