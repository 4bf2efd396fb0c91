"""A game as a file: a header line, then one event a line, each line the canonical bytes with the hash behind them."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, Literal

import msgspec

from events import limits
from events.canonical import encode_data, exported
from events.errors import GameUnknownError
from events.event import Event, timestamp

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from events.log import LogReader

_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class BrokenLineError(ValueError):
    """A line of an exported file that is none."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


class Header(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """The first line of an exported game: whose it is, how many events follow and the hash of the last one.

    `players` are names by player id, where they were asked for, and `irregular` the entries that break rules of the
    game, with the ids of these, as whoever exported it found: both are no part of what is proved.
    """

    format: Literal["kifu.game"]
    format_version: Literal[1]
    game: str
    events: int
    head: str
    exported_at: str
    produced_by: str
    players: dict[str, str] = {}
    irregular: dict[int, tuple[str, ...]] = {}


class _Line(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    game: str
    version: int
    id: str
    type: str
    schema: int
    recorded_at: str
    happened_at: str | None
    recorder: str
    data: dict[str, Any]
    prev: str
    hash: str


_line = msgspec.json.Decoder(_Line)
_header = msgspec.json.Decoder(Header)


def export(
    log: LogReader,
    game: str,
    *,
    now: int,
    until: int | None = None,
    produced_by: str = "kifu",
    players: Mapping[str, str] | None = None,
    irregular: Mapping[int, tuple[str, ...]] | None = None,
) -> Iterator[bytes]:
    """The lines of a game's file, each with its line end; memory stays constant however long the game is.

    `now` is the time of the export in milliseconds since 1970, `until` the last version that is wanted,
    `players` and `irregular` what the header is to say of them.
    Raises `GameUnknownError`, and `DamagedError` rather than export what is not what was hashed.
    """
    head = log.head(game)
    if head is None:
        raise GameUnknownError(game)
    version, own = head.version, head.hash
    if until is not None and until < version:
        version, own = until, next(log.read(game, until - 1, until)).hash
    header = Header(
        format="kifu.game",
        format_version=1,
        game=game,
        events=version,
        head=own,
        exported_at=timestamp(now),
        produced_by=produced_by,
        players=dict(players or {}),
        irregular={entry: rules for entry, rules in (irregular or {}).items() if entry <= version},
    )
    yield msgspec.json.encode(header) + b"\n"
    for event in log.read(game, 0, version):
        yield exported(event) + b"\n"


def parse_header(line: bytes) -> Header:
    """The header of an exported file. Raises `BrokenLineError`."""
    if len(line) > limits.EXPORT_HEADER:
        raise BrokenLineError("the line is too long")
    try:
        return _header.decode(line)
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise BrokenLineError(f"no header of an exported game: {error}") from None


def parse_event(line: bytes) -> Event:
    """The event of a line, not yet proven; the line may be formatted in any way. Raises `BrokenLineError`."""
    if len(line) > limits.EXPORT_LINE:
        raise BrokenLineError("the line is too long")
    try:
        entry = _line.decode(line)
        return Event(
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
        )
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise BrokenLineError(f"no event: {error}") from None


def _milliseconds(text: str) -> int:
    if not _TIME.fullmatch(text):
        raise ValueError(f"{text!r} is no time in milliseconds and UTC")
    return (datetime.fromisoformat(text) - _EPOCH) // timedelta(milliseconds=1)
