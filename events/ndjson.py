"""A game as a file: a header line, then one event a line, each line the canonical bytes with the hash behind them.

Several games can stand in one file, one after the other.

Between the bytes and the hash stands what is `opened` of the seals in the line, to whom the file was written for, and
what was `erased`. Nothing of that is hashed, so a file for anybody has the same hashes.
"""

from __future__ import annotations

import json
import re
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple

import msgspec

from events import limits, seals
from events.canonical import exported
from events.encoding import encode_data
from events.errors import GameUnknownError
from events.event import Event, timestamp
from events.repeated_keys import find_repeated_key

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from events.log import LogReader

TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")
"""The form of `recorded_at`."""

_Number = Annotated[int, msgspec.Meta(ge=1, le=limits.VERSION)]
_BOM = b"\xef\xbb\xbf"
"""The byte order mark that some editors put before UTF-8."""
_MARK = b'"kifu.game"'
"""Bytes that stand in every header, and hardly ever in an entry."""
_SHOWN = 16
"""Bytes that a message shows of a line that is not written as it was hashed."""
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class BrokenLineError(ValueError):
    """A line that is not a line of an exported file."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


class BrokenSealError(BrokenLineError):
    """A line with seals that do not match its opened content. `event` is the entry with those seals closed."""

    def __init__(self, why: str, event: Event) -> None:
        super().__init__(why)
        self.event = event


class Header(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """The first line of an exported game: its id, the number of its events, and the hash of the last one.

    `viewpoint` says who may read the file: `record`, `public` or `seat-N`; the seals of this viewpoint are open.
    `players` are names by player id, if they were asked for. `irregular` are the entries that break rules, with the ids
    of the rules, as the exporting service found them. Neither is part of the proof.
    """

    format: Literal["kifu.game"]
    format_version: Literal[1, 2]
    game: str
    events: _Number
    head: str
    exported_at: str
    produced_by: str
    viewpoint: str = seals.RECORD
    players: dict[str, str] = {}
    irregular: dict[int, tuple[str, ...]] = {}


class WrittenGame(NamedTuple):
    """A game of a file: its header, which stands on a `line` (they count from 1), and its entries."""

    header: Header
    line: int
    events: list[Event]


class Opened(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The opened content of a seal, and its salt, 16 bytes in hexadecimal."""

    salt: str
    content: dict[str, Any]


class Erased(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Who erased the content of a seal, as the id of a person, and when."""

    by: str
    at: str


class Line(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An entry of an exported game. `data` lacks what is sealed, as long as it is not put together with `opened`."""

    game: str
    version: _Number
    id: str
    type: str
    schema: _Number
    recorded_at: str
    happened_at: str | None
    recorder: str
    data: dict[str, Any]
    prev: str
    hash: str
    sealed: dict[str, str] = {}
    opened: dict[str, Opened] = {}
    erased: dict[str, Erased] = {}


_line = msgspec.json.Decoder(Line)
_header = msgspec.json.Decoder(Header)


def export(
    log: LogReader,
    game: str,
    *,
    now: int,
    until: int | None = None,
    viewpoint: str = seals.RECORD,
    players: Mapping[str, str] | None = None,
    irregular: Mapping[int, tuple[str, ...]] | None = None,
) -> Iterator[bytes]:
    """The lines of a game's file, each with its line end. Memory stays constant for a game of any length.

    `now` is the time of the export in milliseconds since 1970, and `until` the last version of the file. Seals that are
    closed from `viewpoint` stay closed. Entries that are older than seals have none. `players` and `irregular` go into
    the header, in the order of their ids, so that every process writes the same bytes. Raises `GameUnknownError`, and
    `DamagedError` instead of exporting a changed entry.
    """
    head = log.head(game)
    if head is None:
        raise GameUnknownError(game)
    version, own = head.version, head.hash
    if until is not None and until < version:
        version, own = until, next(log.read(game, until - 1, until)).hash
    header = Header(
        format="kifu.game",
        format_version=2,
        game=game,
        events=version,
        head=own,
        exported_at=timestamp(now),
        produced_by="kifu",
        viewpoint=viewpoint,
        players=dict(sorted((players or {}).items())),
        irregular={entry: rules for entry, rules in (irregular or {}).items() if entry <= version},
    )
    yield msgspec.json.encode(header) + b"\n"
    for line in log.lines(game, version, viewpoint):
        yield line + b"\n"


def parse_header(line: bytes) -> Header:
    """The header of an exported file. Raises `BrokenLineError`."""
    if len(line) > limits.EXPORT_HEADER:
        raise BrokenLineError("the line is too long")
    line = line.removeprefix(_BOM)
    if not line.strip():
        raise BrokenLineError("no header of an exported game: it is empty")
    try:
        header = _header.decode(line)
        twice = find_repeated_key(line)
    except RecursionError:
        raise BrokenLineError("no header of an exported game: nested too deeply") from None
    except (msgspec.MsgspecError, ValueError) as error:
        raise BrokenLineError(f"no header of an exported game: {error}") from None
    if twice is not None:
        raise BrokenLineError(f"the key {json.dumps(twice)} appears twice in the header")
    return header


def header_in(line: bytes) -> Header | None:
    """The header in a line; None if the line is not a header."""
    if _MARK not in line:
        return None
    with suppress(BrokenLineError):
        return parse_header(line)
    return None


def headers_in(content: bytes) -> Iterator[Header]:
    """The headers in a file, in its order."""
    at = content.find(_MARK)
    while at >= 0:
        line, _, _ = content[content.rfind(b"\n", 0, at) + 1 :].partition(b"\n")
        if header := header_in(line):
            yield header
        at = content.find(_MARK, content.find(b"\n", at) + 1 or len(content))


def begins_as_record(content: bytes) -> bool:
    """Whether a file begins like an exported record, and not like a game as text."""
    return content.removeprefix(_BOM).lstrip().startswith(b"{")


def read(lines: Iterable[bytes]) -> Iterator[WrittenGame]:
    """The games of a file. Only their opened content is proved yet. Raises `BrokenLineError`, `BrokenSealError`."""
    numbered = enumerate(lines, 1)
    game = WrittenGame(parse_header(next(numbered, (1, b""))[1]), 1, [])
    for number, line in numbered:
        if header := header_in(line):
            yield game
            game = WrittenGame(header, number, [])
        elif line.rstrip(b"\n"):
            game.events.append(parse_event(line))
    yield game


def parse_event(line: bytes) -> Event:
    """The event of a line. Only its opened content is proved yet.

    A line has one form: written again, the event gives the same bytes. Raises `BrokenLineError`, `BrokenSealError`.
    """
    if len(line) > limits.EXPORT_LINE:
        raise BrokenLineError("the line is too long")
    try:
        entry = _line.decode(line)
        found, wrong = _seals(entry)
        event = Event(
            game=entry.game,
            version=entry.version,
            id=entry.id,
            type=entry.type,
            schema=entry.schema,
            recorded_at=_milliseconds(entry.recorded_at),
            happened_at=entry.happened_at,
            recorder=entry.recorder,
            body=encode_data(entry.data),
            prev=entry.prev,
            hash=entry.hash,
            sealed=seals.pack(found),
        )
        if not wrong:
            _refuse_other_form(line.removesuffix(b"\n"), exported(event))
    except BrokenLineError:
        raise
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise BrokenLineError(f"no event: {error}") from None
    if wrong:
        raise BrokenSealError(wrong, event)
    return event


def _refuse_other_form(line: bytes, expected: bytes) -> None:
    """Refuse a line that another reader could read as another entry. Raises `BrokenLineError`.

    Of a key that stands twice, for example, some readers take the first value and some the last.
    """
    if line == expected:
        return
    if (twice := find_repeated_key(line)) is not None:
        raise BrokenLineError(f"the key {json.dumps(twice)} appears twice in one object")
    if line.rstrip(b"\r") == expected:
        raise BrokenLineError("it ends with CR LF, and not with LF alone")
    at = next((at for at, (one, other) in enumerate(zip(line, expected, strict=False)) if one != other), len(expected))
    there, due = (repr(form[at : at + _SHOWN].decode(errors="replace")) for form in (line, expected))
    raise BrokenLineError(f"it is not written as it was hashed: at byte {at + 1} there is {there}, not {due}")


def _seals(entry: Line) -> tuple[list[seals.Seal], str]:
    """The seals of a line, each open if it is of what the line opens; and what is wrong, if one is not."""
    found, wrong = {}, list[str]()
    waiting = dict(entry.sealed)
    while waiting:
        name, own = waiting.popitem()
        found[name] = seal = seals.seal_of_hash(name, own)
        opened, erased = entry.opened.get(name), entry.erased.get(name)
        if opened is not None:
            again = seals.opened_seal(name, bytes.fromhex(opened.salt), encode_data(opened.content))
            if again.hash != own:
                wrong.append(f"what it opens of {name} is not what was sealed")
                continue
            found[name] = again
            waiting |= again.inner_hashes
        elif erased is not None:
            found[name] = seals.close(seal, seals.Erasure(erased.by, _milliseconds(erased.at)))
    foreign = (entry.opened.keys() | entry.erased.keys()) - found.keys()
    wrong += [f"it has no seal {name} to open" for name in sorted(foreign)]
    return list(found.values()), ", ".join([*wrong, *_never_erased(entry)])


def _never_erased(entry: Line) -> Iterator[str]:
    """The first impossible erasure of a line: of a part that is still there, or by nobody."""
    gone = {seals.part_of(name) for name in entry.erased}
    for name in sorted(entry.opened):
        if seals.part_of(name) in gone:
            yield f"it opens {name}, which is said to be erased"
    for name, erased in sorted(entry.erased.items()):
        if not 0 < len(erased.by) <= limits.NAME or not erased.by.isprintable():
            yield f"{name} was erased by nobody who has a name"


def _milliseconds(text: str) -> int:
    if not TIME.fullmatch(text):
        raise ValueError(f"{text!r} is no time in milliseconds and UTC")
    return (datetime.fromisoformat(text) - _EPOCH) // timedelta(milliseconds=1)
