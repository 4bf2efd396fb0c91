"""The canonical bytes of an event: what is hashed, exported, and never changes.

They are one line of compact UTF-8 JSON. Its members have a fixed order, the keys of `data` are sorted, and the hash of
the entry before is the last member. Secret and erasable parts are not in it: their seals stand behind `data`
(`events.seals`). An exported line has the entry's own hash as one more member, and before it the opened parts of the
seals. So anybody can verify an export with SHA-256 alone.
"""

from __future__ import annotations

from functools import lru_cache
from hashlib import sha256
from typing import TYPE_CHECKING

import msgspec

from events import seals
from events.event import timestamp

if TYPE_CHECKING:
    from events.event import Event

GENESIS = "0" * 64
"""The hash before version 1."""


def canonical(event: Event) -> bytes:
    """The bytes that `event.hash` is the SHA-256 of."""
    return render(
        event.game,
        event.version,
        event.id,
        event.type,
        event.schema,
        timestamp(event.recorded_at),
        event.happened_at,
        quoted(event.recorder),
        event.body,
        event.prev,
        seals.fragment(event.sealed),
    )


def exported(event: Event, viewpoint: str = seals.RECORD) -> bytes:
    """An event as a line of an export, without its line end."""
    return export_line(canonical(event), event.hash, event.sealed, viewpoint)


def export_line(line: bytes, own: str, sealed: bytes | None, viewpoint: str) -> bytes:
    """The line of an export: the canonical bytes of an event, with its hash as one more member.

    Before the hash stands what is behind its seals, as far as it may be known from a `viewpoint`, and what was erased.
    """
    opened = "" if sealed is None else _opened(sealed, viewpoint)
    return line[:-1] + f'{opened},"hash":"{own}"}}'.encode()


def _opened(sealed: bytes, viewpoint: str) -> str:
    if seals.holds_nothing(sealed) and viewpoint == seals.RECORD:  # most entries: there is no need to take it apart
        return f',"opened":{{"record":{{"salt":"{seals.bare_salt(sealed).hex()}","content":{{}}}}}}'
    opened, erased = [], []
    for name, salt, content, erasure in seals.contents(sealed):
        if not seals.may_open(name, viewpoint):
            continue
        if erasure:
            erased.append(f'"{name}":{{"by":{quoted(erasure.by)},"at":"{timestamp(erasure.at)}"}}')
        elif content is not None:
            opened.append(f'"{name}":{{"salt":"{salt.hex()}","content":{content.decode()}}}')
    members = {"opened": opened, "erased": erased}
    return "".join(f',"{name}":{{{",".join(found)}}}' for name, found in members.items() if found)


def render(  # noqa: PLR0913 - one parameter a member
    game: str,
    version: int,
    event_id: str,
    event_type: str,
    schema: int,
    recorded_at: str,
    happened_at: str | None,
    recorder: str,
    body: bytes,
    prev: str,
    sealed: str = "",
) -> bytes:
    """The canonical bytes from an event's members; the event need not exist yet.

    `recorded_at` is its `timestamp`, and `recorder` is `quoted`: entries of one request have the same ones. `sealed` is
    what `seals.fragment` has of the seals.
    """
    happened = "null" if happened_at is None else f'"{happened_at}"'
    return (
        f'{{"game":"{game}","version":{version},"id":"{event_id}","type":"{event_type}","schema":{schema},'
        f'"recorded_at":"{recorded_at}","happened_at":{happened},"recorder":{recorder},'
        f'"data":{body.decode()}{sealed},"prev":"{prev}"}}'
    ).encode()


def digest(line: bytes) -> str:
    """The SHA-256 of canonical bytes, in hex."""
    return sha256(line).hexdigest()


@lru_cache(maxsize=1024)
def quoted(text: str) -> str:
    """A text as a JSON string."""
    return msgspec.json.encode(text).decode()
