"""The contract of a log, for every store."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

    from events.components import Components
    from events.entries import CheckedEvent
    from events.errors import DamagedError
    from events.event import Appended, Event, Head, LogEnd, NewEvent, SkimmedEntry, StandbyState
    from events.people import People
    from events.rows import ChainMark
    from events.seals import Part


class LogReader(Protocol):
    """An append-only log of events, one hash chain a game, for reading. Safe to share between threads."""

    people: People
    """The erasable table of names."""
    components: Components
    """The entered components of boxes, by name."""

    def read(self, game: str, after: int = 0, until: int | None = None) -> Iterator[Event]:
        """Stream the entries `after < version <= until` of a game, each checked against the chain before it.

        Raises `GameUnknownError`, and `DamagedError` in place of the first entry that is not what was hashed.
        """

    def lines(self, game: str, until: int, viewpoint: str) -> Iterator[bytes]:
        """As `read`, the entries up to `until`, each as its line in an export for a viewpoint.

        The lines are those of `events.canonical.exported`.
        """

    def feed(self, after: int = 0, limit: int | None = None) -> Iterator[tuple[int, Event]]:
        """Stream `(position, event)` of all games in commit order, after position `after`.

        A consumer that polls while others write never misses one. Entries of damaged games are left out from the
        damaged one on (`damage` names them), so that others go on.
        """

    def skim(self, after: int = 0, limit: int | None = None) -> Iterator[SkimmedEntry]:
        """Stream the entries of `feed` without contents and without a proof, for consumers that read games anyway.

        Entries of damaged games can be among them.
        """

    def hashes(self, after: int = 0, limit: int | None = None) -> Iterator[tuple[int, bytes]]:
        """Stream `(position, hash)` of all entries in commit order, as they are stored and without a proof.

        What is lost, or has no hash any more, is left out. Raises `LogDamagedError`.
        """

    def position_of(self, game: str, version: int) -> tuple[int, bytes] | None:
        """The position in the feed and the hash of an entry, or None if the game has no such version.

        Raises `GameUnknownError`, `DamagedError`.
        """

    def head(self, game: str) -> Head | None:
        """The newest version of a game, or None for an unknown one."""

    def heads(self) -> Iterator[Head]:
        """The heads of all games, in the order of their opening."""

    def newest_marks(self) -> Iterator[ChainMark]:
        """The newest entry of each record, from the marks beside the entries. No entry is read or proved."""

    def find(self, event_id: str, game: str | None = None) -> Event | None:
        """The stored event with this id, if there is one.

        An id is unique among the games of a lane. If other lanes have it, too, the one is found that is in the lane of
        this `game`; without, in that of the game that the id is of.
        """

    def repeated_id(self) -> tuple[str, Sequence[str]] | None:
        """An id that entries in several lanes have, and their games; None if all ids are unique. It reads all ids."""

    def position(self) -> int:
        """The feed position of the newest event, 0 in an empty log."""

    def recent_end(self) -> LogEnd:
        """The end of the log, now or a moment ago: for frequent readers, who need not ask each time."""

    def wait(self, after: int, timeout: float) -> bool:
        """Sleep until the feed goes beyond position `after`, or for `timeout` seconds. True if it went beyond."""

    def erasures(self, after: int = 0) -> list[tuple[int, str]]:
        """`(number, game)` for every erasure by any process, in this order, after number `after`.

        Readers that keep parts of records need this, unless they are informed in another way. A single writing process
        informs its own readers.
        """

    @property
    def damage(self) -> Mapping[str, DamagedError]:
        """The damaged games that are known: found at start, or since by a read."""

    @property
    def standby_states(self) -> Sequence[StandbyState]:
        """The states of the standbys; none if no standby is configured."""

    def backup(self, target: Path, progress: Callable[[int, int], None] | None = None) -> None:
        """Copy the running log to a new database file `target` and prove the copy: every chain, every head.

        `progress` gets the numbers of copied and of all pages. Raises `FileExistsError`, `DamagedError`,
        `LogFullError`.
        """

    def close(self) -> None:
        """Store the accepted requests, checkpoint, and close the files."""


class Log(LogReader, Protocol):
    """A log that can be appended to."""

    shared: bool
    """Whether other processes append to it, too."""

    def append(self, game: str, events: Sequence[NewEvent | CheckedEvent], *, expected: int, recorder: str) -> Appended:
        """Store 1..n events of `game` after version `expected` (0 opens the game), all of them or none.

        What `check_event` has checked already is taken as the entry that it gave.

        Returns once they are on disk. Events at the front of the request that are already stored, with the same body
        and at versions `expected + 1` and on, are answered as they stand and not stored again. That an id is taken by
        another game is noticed within a lane (`events.lanes`).

        Raises `StaleVersionError`, `IdReusedError`, `BatchSizeError`, `BadEventError`, `DamagedError`, `LogFullError`.
        """

    def share_commits(self, rests: int) -> None:
        """Let each commit wait for more requests, as long as some come, for up to `rests` half milliseconds.

        That is less work where senders share an interpreter. A single sender does not wait, unless it was one of
        several a moment ago.
        """

    def adopt(self, events: Sequence[Event]) -> Appended:
        """Store 1..n events of one game as another log has them, with their versions, times and hashes, all or none.

        They must follow from what is stored here; those that are here already, the same, are not stored again.

        Raises `StaleVersionError` for a game that went another way here, `IdReusedError`, `BadEventError` for what is
        no sound chain, `DamagedError`, `LogFullError`.
        """

    def join_seals(self, game: str, events: Sequence[Event]) -> bool:
        """Open what is open in another log, and erase what is erased there. True if anything changed.

        What was erased stays erased, and of what it was erased here no byte is left. `events` are these very entries,
        by their hashes. Raises as `erase`.
        """

    def erase(self, game: str, version: int, what: Part, by: str, reason: str = "") -> Event:
        """Erase the texts of an entry, or its hidden facts, so that no byte of them is left in any file of the log.

        A database server keeps old bytes until it vacuums and recycles its own log. There it is told to vacuum at once.

        An `entry.erased` of `by` is appended before, with the `reason`. The seals stay, and with them the hash and the
        chain. They say who erased the entry, and when. Erasing again changes nothing, or finishes what was
        interrupted. Returns the entry after that. Raises `GameUnknownError`, `DamagedError`, `NotSealedError`,
        `LogFullError`, and `LookupError` for a version that the game does not have. Raises `LogBusyError` if a long
        read keeps the old bytes in the write-ahead log until it ends.
        """

    def subscribe(self, listener: Callable[[Sequence[Event]], None]) -> None:
        """Call `listener` with the events of each commit, after it and before its answers.

        They are those of one request or of several, in the order of the feed. The listener holds up all appends while
        it runs, and must not append itself.
        """

    @property
    def full(self) -> bool:
        """Whether the disk was full at the last write, or has hardly any room left."""

    @property
    def unwritable(self) -> str:
        """The known reason why nothing can be stored, other than a full disk; empty if there is no such reason."""

    def accept_loss(self, game: str) -> Head | None:
        """Take what is left of a game with a missing tail as its record, so that it can be served again."""
