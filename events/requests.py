"""The requests of senders to the writer."""

from __future__ import annotations

import threading
from itertools import pairwise
from typing import TYPE_CHECKING

import msgspec

from events.canonical import GENESIS, digest, quoted, render
from events.event import Event, timestamp
from events.schemas import SCHEMAS
from events.seals import unpack

if TYPE_CHECKING:
    from collections.abc import Sequence

    from events.entries import CheckedEvent
    from events.errors import LogError


class ChainEnd(msgspec.Struct, frozen=True):
    """The end of a game's chain: version, hash and time. A store that numbers its games (from 1) adds the number."""

    number: int = 0
    version: int = 0
    hash: str = GENESIS
    recorded_at: int = 0


class WriteRequest:
    """Entries to be stored after version `expected` of `game`, all or none.

    After the answer `events` holds the stored entries. It is None if the game is at another version or an id is taken.
    `error` says why nothing could be stored.
    """

    __slots__ = ("_answered", "_next", "entries", "error", "events", "expected", "game", "recorder")

    entries: Sequence[CheckedEvent | Event]

    def __init__(self, game: str, entries: Sequence[CheckedEvent | Event], expected: int, recorder: str = "") -> None:
        self.game, self.entries, self.expected, self.recorder = game, entries, expected, recorder
        self.events: tuple[Event, ...] | None = None
        self.error: LogError | None = None
        self._answered = threading.Lock()
        self._answered.acquire()
        self._next: WriteRequest | None = None

    def events_after(self, chain: ChainEnd, now: int) -> tuple[Event, ...] | None:
        """The events to be stored at the end of a chain; None if they do not belong there."""
        raise NotImplementedError

    def stored_at(self, prev: str, recorded_at: int, hashes: Sequence[str]) -> tuple[Event, ...]:
        """The events as another process has stored them: after the entry with the hash `prev`, with these hashes."""
        raise NotImplementedError

    def is_stored_as(self, index: int, event: Event) -> bool:
        """Whether a stored event is what entry `index` asks for, at its place."""
        raise NotImplementedError

    def follows(self, own: str) -> bool:  # noqa: ARG002
        """Whether the entries can follow an entry with this hash at the expected version."""
        return True

    def without_first(self, stored: int) -> WriteRequest:
        """The same request without its first entries, which are stored already."""
        return type(self)(self.game, self.entries[stored:], self.expected + stored, self.recorder)

    def wait(self) -> None:
        """Sleep until the request is answered, then wake the next sender of its group.

        Senders that are woken one by one do not all fight for the interpreter's lock at once: measured with 32
        clients, that saves a third of all changes of thread.
        """
        try:
            self._answered.acquire()
        except BaseException:  # an interrupt: somebody must stand in, or the next would never be woken
            threading.Thread(target=self.wait, daemon=True).start()
            raise
        if self._next is not None:
            self._next._answered.release()

    @staticmethod
    def answer(group: Sequence[WriteRequest]) -> None:
        """Wake the senders of a group."""
        for request, following in pairwise(group):
            request._next = following
        group[0]._answered.release()


class Append(WriteRequest):
    """New entries, which get their versions, times and hashes when they are stored."""

    __slots__ = ()

    entries: Sequence[CheckedEvent]

    def events_after(self, chain: ChainEnd, now: int) -> tuple[Event, ...] | None:
        """The new events, if the chain ends at the expected version."""
        version, prev = chain.version, chain.hash
        if version != self.expected:
            return None
        game, recorded_at = self.game, max(now, chain.recorded_at)
        time, recorder = timestamp(recorded_at), quoted(self.recorder)
        hashes = []
        for number, entry in enumerate(self.entries, version + 1):
            prev = digest(
                render(
                    game,
                    number,
                    entry.id,
                    entry.type,
                    entry.schema,
                    time,
                    entry.happened_at,
                    recorder,
                    entry.line,
                    prev,
                    entry.fragment,
                )
            )
            hashes.append(prev)
        return self.stored_at(chain.hash, recorded_at, hashes)

    def stored_at(self, prev: str, recorded_at: int, hashes: Sequence[str]) -> tuple[Event, ...]:
        """The events as they are stored after the entry with the hash `prev`."""
        game, recorder, events = self.game, self.recorder, []
        for version, (entry, own) in enumerate(zip(self.entries, hashes, strict=True), self.expected + 1):
            event = Event(
                game,
                version,
                entry.id,
                entry.type,
                entry.schema,
                recorded_at,
                entry.happened_at,
                recorder,
                entry.line,
                prev,
                own,
                entry.sealed,
            )
            events.append(event)
            prev = own
        return tuple(events)

    def is_stored_as(self, index: int, event: Event) -> bool:
        """Whether the stored event says the same at the same place, from any sender and in any schema.

        Erased parts cannot be compared: the rest must be equal.
        """
        entry = self.entries[index]
        if any(seal.content is None for seal in unpack(event.sealed)):
            says, said = event.body, entry.line
        else:
            says, said = SCHEMAS.upcast(event).body, entry.body
        return (event.game, event.version, event.type, event.happened_at, says) == (
            self.game,
            self.expected + index + 1,
            entry.type,
            entry.happened_at,
            said,
        )


class CopiedEvents(WriteRequest):
    """Events of another log, which are stored with the versions, times and hashes that they have."""

    __slots__ = ()

    entries: Sequence[Event]

    def events_after(self, chain: ChainEnd, now: int) -> tuple[Event, ...] | None:  # noqa: ARG002
        """The events as they are, if they follow from the chain's end."""
        fits = chain.version == self.expected and self.follows(chain.hash)
        return tuple(self.entries) if fits else None

    def stored_at(self, prev: str, recorded_at: int, hashes: Sequence[str]) -> tuple[Event, ...]:  # noqa: ARG002
        """The events as they are: another process has stored them."""
        return tuple(self.entries)

    def follows(self, own: str) -> bool:
        """Whether the first event names this hash as its predecessor's."""
        return self.entries[0].prev == own

    def is_stored_as(self, index: int, event: Event) -> bool:
        """Whether it is the same link of the same chain, although different seals may be open here and there."""
        entry = self.entries[index]
        return (event.game, event.version, event.hash) == (entry.game, entry.version, entry.hash)
