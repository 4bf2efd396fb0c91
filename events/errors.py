"""The errors of the log. Each names the game and the remedy."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from events.event import Event


class LogError(Exception):
    """The base class of all errors of the log."""


class GameUnknownError(LogError):
    """No event of this game is stored."""

    def __init__(self, game: str) -> None:
        super().__init__(f"no game {game}")
        self.game = game


class StaleVersionError(LogError):
    """The game has moved on since the version that the sender expected; `missed` holds the entries after it."""

    def __init__(self, game: str, expected: int, head: int, missed: Sequence[Event]) -> None:
        super().__init__(f"game {game} is at version {head}, not at {expected}")
        self.game, self.expected, self.head, self.missed = game, expected, head, tuple(missed)


class DivergedError(StaleVersionError):
    """A record to import and the stored one have other entries from the version `since` on."""

    def __init__(self, stale: StaleVersionError, since: int) -> None:
        super().__init__(stale.game, stale.expected, stale.head, stale.missed)
        self.since = since


class IdReusedError(LogError):
    """An event id is already taken by an event with another body, or stands at another place."""

    def __init__(self, index: int, event_id: str, stored: Event) -> None:
        super().__init__(
            f"event {index}: id {event_id} is already version {stored.version} of game {stored.game}, with another body"
        )
        self.index, self.event_id, self.stored = index, event_id, stored


class BadEventError(LogError):
    """An event does not fit its type's schema. `path` leads to the field, as in `data.seats[0].player`."""

    def __init__(self, index: int, path: str, why: str) -> None:
        super().__init__(f"event {index}: {path}: {why}")
        self.index, self.path, self.why = index, path, why


class DamagedError(LogError):
    """A stored entry is not what was hashed, or the tail of a game is missing. The game is not served."""

    def __init__(self, game: str, version: int, why: str) -> None:
        super().__init__(f"game {game} is damaged at version {version}: {why}")
        self.game, self.version, self.why = game, version, why


class NotSealedError(LogError):
    """An entry is older than seals: nothing of it can be erased, because its hash covers all of it."""

    def __init__(self, game: str, version: int) -> None:
        super().__init__(f"version {version} of game {game} was recorded before texts and hidden facts were sealed")
        self.game, self.version = game, version


class UnreadableError(LogError):
    """A stored event matches its hash, but not its type and schema: it cannot be interpreted."""

    def __init__(self, game: str, version: int, why: str) -> None:
        super().__init__(f"version {version} of game {game} cannot be read")
        self.game, self.version, self.why = game, version, why


class MovedError(LogError):
    """The record of a database was moved to another place. What is left here is not the record any more."""


class LogFullError(LogError):
    """The disk is full. Nothing of the request was stored; appends work again as soon as there is room."""


class LogLockedError(LogError):
    """Another process has this log open for writing."""


class LogNewerError(LogError):
    """The database, or an event in it, was written by a newer release, with a schema that this one does not know."""


class LogUnwritableError(LogError):
    """The log's folder or file cannot be written."""


class LogReadOnlyError(LogUnwritableError):
    """The database can only be read for now: it is a standby, perhaps, or somebody works on it."""


class BatchSizeError(LogError):
    """A request holds too many events, or none."""

    def __init__(self, count: int, limit: int) -> None:
        super().__init__(f"a request holds 1 to {limit} events, not {count}")
        self.count, self.limit = count, limit


class LogClosedError(LogError):
    """The log was closed. It can neither be read nor written."""


class LogBusyError(LogError):
    """A long read, such as a backup, is in the way. The work is finished as soon as it ends."""


class LogUnreachableError(LogError):
    """The database does not answer. The entries may be stored or not; it is safe to send them again."""


class LogDamagedError(LogError):
    """The file is damaged, or is not a database. What can be read is served; nothing is appended."""
