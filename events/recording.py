"""The writing half of a log over stored rows, for every database."""

from __future__ import annotations

import logging
from collections import deque
from typing import TYPE_CHECKING, Any, NamedTuple
from uuid import UUID, uuid4, uuid5

import msgspec

from events import limits, seals
from events.canonical import GENESIS
from events.entries import check_adopted, check_new
from events.erasures import erasure_of
from events.errors import BadEventError, IdReusedError, NotSealedError, StaleVersionError
from events.event import Appended, Head, NewEvent
from events.kinds import ERASURES, MIXED, OTHER_TYPES, kind_of, opening_of
from events.reading import RowReader
from events.requests import Append, CopiedEvents
from events.rows import ChainMark, decode_chain, uuid_bytes
from events.schemas import SCHEMAS
from events.types import TYPES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from events.entries import CheckedEvent
    from events.event import Event
    from events.requests import WriteRequest
    from events.seals import Part

logger = logging.getLogger(__name__)


class SealChange(NamedTuple):
    """The seals beside an entry: as they were read, and as they should become."""

    version: int
    before: bytes | None
    after: bytes | None


class RowLog(RowReader):
    """A log that can be appended to: see `events.log.Log` for what each method promises."""

    shared = False

    def __init__(self, where: Any, **more: Any) -> None:
        super().__init__(where, **more)
        self._listeners: list[Callable[[Sequence[Event]], None]] = []

    # What a kind of store does

    def _submit(self, request: WriteRequest) -> None:
        """Store a request, or learn why not: `events` and `error` of the request say it."""
        raise NotImplementedError

    def _submit_together(self, group: list[WriteRequest]) -> None:
        """Store requests in this order, in one commit."""
        raise NotImplementedError

    def _exchange_seals(self, game: str, changes: Sequence[SealChange]) -> bool:
        """Replace the seals beside some entries of a game, all or none.

        False if some were changed since they were read. Raises `LogFullError`.
        """
        raise NotImplementedError

    def _leave_nothing(self, game: str, version: int) -> None:
        """Overwrite on disk the erased parts beside entries. Raises `LogBusyError`."""
        raise NotImplementedError

    def _put_mark(self, mark: ChainMark) -> None:
        """Note a chain's end that no append made. Earlier marks no longer count."""
        raise NotImplementedError

    # Append

    def append(self, game: str, events: Sequence[NewEvent | CheckedEvent], *, expected: int, recorder: str) -> Appended:
        """Store 1..n events of `game` after version `expected` (0 opens the game), all of them or none."""
        if game in self._damage:
            self._refuse_damaged(game)
        entries = check_new(game, events, expected, recorder)
        if expected and entries[0].type in OTHER_TYPES:  # who records in a game has folded it
            self._refuse_other_kind(game, entries[0].type)
        return self._store(Append(game, entries, expected, recorder))

    def _refuse_other_kind(self, game: str, event_type: str) -> None:
        first = self.find(game, game)
        if first is None or first.type != opening_of(event_type):
            raise BadEventError(0, "type", MIXED)

    def adopt(self, events: Sequence[Event]) -> Appended:
        """Store events of one game as another log has them: with their versions, times, recorders and hashes."""
        check_adopted(events)
        game = events[0].game
        self._refuse_damaged(game)
        return self._store(CopiedEvents(game, events, events[0].version - 1))

    def copy(self, runs: Sequence[Sequence[Event]]) -> None:
        """Copy runs of events from another log, each of one game, in its order.

        Raises as `adopt`; the runs before an error stay stored.
        """
        requests: list[WriteRequest] = []
        for events in runs:
            check_adopted(events)
            requests.append(CopiedEvents(events[0].game, events, events[0].version - 1))
        self._submit_together(requests)
        for request in requests:
            if request.error is not None or request.events is None:
                self._store(request)

    def copy_seals(self, event: Event) -> None:
        """Copy the seals beside an entry from another log. Raises `LogBusyError`, `LogFullError`."""
        self._reseal(event.game, [event.version], lambda _: event.sealed)

    def join_seals(self, game: str, events: Sequence[Event]) -> bool:
        """Open what is open in another log, and erase what is erased there. True if anything changed."""
        brought = {event.version: event.sealed for event in events if event.sealed}
        changed = False
        versions = list(brought)
        for at in range(0, len(versions), limits.BATCH):
            some = versions[at : at + limits.BATCH]
            changed |= self._reseal(game, some, lambda event: seals.join(event.sealed, brought[event.version]))
        return changed

    def _store(self, request: WriteRequest) -> Appended:
        expected = request.expected
        before: tuple[Event, ...] = ()
        while True:
            self._submit(request)
            if request.error is not None:
                raise request.error
            if request.events is not None:
                return Appended(before + request.events, len(request.events))
            stored = self._stored_front(request, len(before))
            before += stored
            if len(stored) == len(request.entries):
                return Appended(before, 0)
            request = request.without_first(len(stored))
            self._refuse_stale(request, expected)

    def _stored_front(self, request: WriteRequest, start: int) -> tuple[Event, ...]:
        """The events at the front of a request that are stored where it wants them. Raises `IdReusedError`."""
        front: list[Event] = []
        for index, entry in enumerate(request.entries):
            event = self.find(entry.id, request.game)
            if event is None:
                continue
            if len(front) < index or not request.is_stored_as(index, event):
                raise IdReusedError(start + index, entry.id, event)
            front.append(event)
        return tuple(front)

    def _refuse_stale(self, request: WriteRequest, expected: int) -> None:
        """Raise `StaleVersionError` unless the game is at the version that the request expects."""
        game = request.game
        head = self.head(game)
        version = head.version if head else 0
        if version == request.expected and not request.follows(head.hash if head else GENESIS):
            expected = version - 1  # it is the entry there that is another one
        elif version == request.expected:
            return
        missed = tuple(self.read(game, expected, expected + limits.MISSED)) if version > expected else ()
        raise StaleVersionError(game, expected, version, missed)

    # Erasing

    def erase(self, game: str, version: int, what: Part, by: str, reason: str = "") -> Event:
        """Erase the texts or the hidden facts of an entry. Only their seals stay."""
        (event,) = self._stored_events(game, [version])
        if event.schema < SCHEMAS.first_sealed_schema(event.type):
            raise NotSealedError(game, version)
        entry = self._erasure(event, what, by, reason)
        if entry is not None:
            erasure = seals.Erasure(entry.recorder, entry.recorded_at)
            self._reseal(game, [version], lambda event: seals.erase(event.sealed, what, erasure))
        self._leave_nothing(game, version)  # of what was erased before as well: it may not have been possible then
        return next(self.read(game, version - 1, version))

    def _erasure(self, event: Event, what: Part, by: str, reason: str) -> Event | None:
        """The entry of an erasure, appended if it is missing; None if there is nothing to erase.

        It is stored before anything is erased. Erasing again finishes what was interrupted. Its id follows from the
        game and the part, unless somebody took that id for something else.
        """
        data: dict[str, Any] = {"entry": event.version, "what": what} | ({"reason": reason} if reason else {})
        id_ = str(uuid5(UUID(event.game), f"{event.version} {what}"))
        new = NewEvent(id=id_, type=ERASURES[kind_of(event.type)], data=data)
        while True:
            later = list(self.read(event.game, event.version))
            if found := erasure_of(later, event.version, what):
                return found
            if not _can_lose(event, what):
                return None
            last = later[-1].version if later else event.version
            try:
                return self.append(event.game, [new], expected=last, recorder=by).events[0]
            except StaleVersionError:
                continue  # somebody recorded meanwhile, or erased the same
            except IdReusedError:
                new = msgspec.structs.replace(new, id=str(uuid4()))

    def _reseal(self, game: str, versions: Sequence[int], change: Callable[[Event], bytes | None]) -> bool:
        """Change the seals of some entries, also while others do. True if anything had to change.

        `versions` ascend. Raises `LookupError` for a version that the game does not have.
        """
        tried = False
        while True:
            changes = list[SealChange]()
            for version, event in zip(versions, self._stored_events(game, versions), strict=True):
                sealed = change(event)
                if sealed != event.sealed:
                    changes.append(SealChange(version, event.sealed, sealed))
            if changes and not self._exchange_seals(game, changes):
                tried = True  # and perhaps done, by a connection that was cut before its answer
                continue
            if changes or tried:
                self._leave_nothing(game, versions[-1])
            return bool(changes) or tried

    def _stored_events(self, game: str, versions: Sequence[int]) -> Iterator[Event]:
        wanted = set(versions)
        found = [event for event in self.read(game, versions[0] - 1, versions[-1]) if event.version in wanted]
        if len(found) < len(wanted):
            raise LookupError(f"there is no entry {versions[-1]}")
        yield from found

    # Loss

    def accept_loss(self, game: str) -> Head | None:
        """Take what is left of a game with a missing tail as its record, so that it can be served again."""
        known = self._damage.pop(game, None)
        if known is None:
            return self.head(game)
        key = self._key(game)
        last = None if key is None else last_of(self._pages(game, key, 0, None, None, decode_chain))
        version, own = (last.version, last.hash) if last else (0, GENESIS)
        self._put_mark(ChainMark(uuid_bytes(game), version, self.position(), bytes.fromhex(own)))
        return Head(game, version, own) if last else None

    # Listeners and commits

    def share_commits(self, rests: int) -> None:
        """See `events.log.Log`. Does nothing in a store that does not gain from it."""

    def subscribe(self, listener: Callable[[Sequence[Event]], None]) -> None:
        """Call `listener` with the events of each commit, after it and before its answers."""
        self._listeners.append(listener)

    def _announce(self, requests: Sequence[Sequence[Event]]) -> None:
        events = requests[0] if len(requests) == 1 else [event for request in requests for event in request]
        if not events:
            return
        for listener in self._listeners:
            try:
                listener(events)
            except Exception:
                logger.exception("%s: a listener failed", self.name)


def _can_lose(event: Event, what: Part) -> bool:
    """Whether there may be something to erase, judged only by what everybody may know.

    Texts with a hidden presence count as there, or the erasure would reveal that they were.
    """
    found = seals.unpack(event.sealed)
    if what == "text" and any(seal.name == seals.RECORD for seal in found):
        form = TYPES[event.type]
        if {*form.text_fields} & {*form.secret_fields}:
            return True
    return any(seals.part_of(seal.name) == what and not seal.erased for seal in found)


def last_of(events: Iterable[Event]) -> Event | None:
    """The last item of a stream, or None."""
    return next(iter(deque(events, maxlen=1)), None)
