"""Exporting and importing whole records as NDJSON with their chain.

Nothing is stored of a file before all of it has been read, proved and replayed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import msgspec

from events import ndjson, seals
from events.entries import check_chain
from events.erasures import without_erased
from events.errors import (
    BadEventError,
    DivergedError,
    IdReusedError,
    LogNewerError,
    StaleVersionError,
    UnreadableError,
)
from events.event import now_ms
from events.kinds import ERASING
from events.people import BadNameError, checked_name
from events.schemas import is_uuid
from events.verification import verify_export
from games.contract import RECORD
from projections.errors import ProjectionError
from projections.replaying import prove_replay
from service.languages import gettext
from service.languages.plain import translated
from service.problems.errors import ServiceError
from service.recording.recorder import CHUNK, ENTRIES, GameFullError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import IO

    from events.event import Event
    from events.log import Log
    from events.ndjson import WrittenGame
    from events.verification import Problem
    from games.contract import Viewpoint
    from projections.archive import Archive


class NamesErasedError(ServiceError):
    """A file has names that were erased here, and the request does not say what to do with them. Nothing is stored.

    `players` are the ids of the people with these names.
    """

    kind = "names-erased"

    def __init__(self, players: Sequence[str]) -> None:
        super().__init__(f"names in the file that were erased here: {len(players)}")
        self.players = players

    @property
    def members(self) -> dict[str, Any]:
        """The people."""
        return {"players": self.players}


class UnsealedError(ServiceError):
    """A record with hashes that would reveal hidden facts to others than its owner."""

    kind = "not-sealed"

    def __init__(self, game: str) -> None:
        super().__init__(f"game {game} was recorded before hidden facts were sealed")


class BadImportError(ServiceError):
    """A file that is not a sound record of a game. `line` counts from 1."""

    kind = "bad-import"

    def __init__(self, why: str, line: int | None = None) -> None:
        super().__init__(f"line {line}: {why}" if line else why)
        self.why, self.line = why, line

    @property
    def detail(self) -> str:
        """The detail of the problem, in the language of the reader."""
        why = translated(self.why)
        return gettext("line %(line)s: %(why)s", line=self.line, why=why) if self.line else why

    @property
    def members(self) -> dict[str, Any]:
        """The line, if it is known."""
        return {"line": self.line} if self.line else {}


def export_record(
    archive: Archive,
    game: str,
    *,
    names: bool,
    viewpoint: Viewpoint = RECORD,
    now: int | None = None,
    until: int | None = None,
) -> Iterator[bytes]:
    """A game's record as lines of NDJSON. The header has the entries that broke rules, and names if wanted.

    Those are the names of all who sat in the game or ruled in it. Facts that are hidden from the viewpoint are sealed.
    A record that cannot be replayed, not by this release perhaps, is written down as it is. `now` is the time that its
    header names, in milliseconds since 1970, and `until` the version of the last entry. Raises `GameUnknownError`,
    `DamagedError`, `UnsealedError`.
    """
    try:
        fold = archive.folds.fold_until_error(game)
        sat, irregular, provable = fold.all_players, fold.irregular_from(viewpoint), fold.hashes_public
    except (ProjectionError, LogNewerError, UnreadableError):
        sat, irregular, provable = set(), {}, False
    if viewpoint != RECORD and not provable:
        raise UnsealedError(game)
    known = archive.log.people.recorded_names(sat | _referees(archive.log, game, until)) if names else {}
    return ndjson.export(
        archive.log,
        game,
        now=now_ms() if now is None else now,
        until=until,
        viewpoint=viewpoint.name,
        players=known,
        irregular=irregular,
    )


def _referees(log: Log, game: str, until: int | None) -> set[str]:
    """All people who gave a ruling in a game, revoked or not."""
    rulings = (event.data for event in log.read(game, 0, until) if event.type == "ruling.given")
    return {data["referee"] for data in rulings if "referee" in data}


Erased = Literal["restore", "omit"]
"""What becomes of names in an imported file that were erased here: they come back, or stay erased."""


class ImportPlan(NamedTuple):
    """The changes of a file to an existing game: new entries, and erasures of what is open here."""

    game: str
    new: Sequence[Event]
    erases: bool


class ImportedRecord(NamedTuple):
    """A record that was taken in: how many entries it has, how many of them were new, and whether more, or less, of
    what was here already is open now."""

    game: str
    version: int
    new: int
    resealed: bool = False


def import_records(
    archive: Archive, file: IO[bytes], allow: Callable[[ImportPlan], None], erased: Erased | None = None
) -> list[ImportedRecord]:
    """Take in the records of a file as another log has them, with their ids, times and hashes: all of them or none.

    A game that is here already goes on if its chain is the beginning of the file's. Facts that are open in either are
    open then, and what was erased in either is erased. `allow` is asked before. Raises what that raises,
    `NamesErasedError` if the fate of erased names must be stated, `BadImportError`, `IdReusedError` and `LogFullError`.
    Raises `DivergedError` for a game that went another way here.
    """
    log, games = archive.log, _proved(file)
    for game in games:
        _check(log, game, allow)
    if len(games) > 1:
        _check_together(log, games)
    names = {player: name for game in games for player, name in _names_in(game).items()}
    if erased != "restore" and (gone := log.people.erased_among(names)):
        if erased is None:
            raise NamesErasedError(sorted(gone))
        names = {player: name for player, name in names.items() if player not in gone}
    brought = [_taken_in(log, game) for game in games]
    for player, name in names.items():
        if not log.people.recorded_names([player]):
            log.people.put(player, name)
    return brought


def _check(log: Log, game: WrittenGame, allow: Callable[[ImportPlan], None]) -> None:
    """Check a game of a file on its own. Raises as `import_records`."""
    id_, events = game.header.game, game.events
    here = [] if log.head(id_) is None else list(log.read(id_, 0, len(events)))
    known = len(here)
    if [event.hash for event in here] != [event.hash for event in events[:known]]:
        _replay(game, events)
        _refuse_diverged(log, game, here)
        return
    joined = [_joined(mine, other) for mine, other in zip(here, events, strict=False)]
    _replay(game, [*joined, *events[known:]])
    if here:
        erases = any(_closes(mine, both) for mine, both in zip(here, joined, strict=True))
        allow(ImportPlan(id_, events[known:], erases))


def _refuse_diverged(log: Log, game: WrittenGame, here: Sequence[Event]) -> None:
    """Raise `DivergedError` or `IdReusedError`: other entries are stored in place of those of the file."""
    try:
        _adopt(log, game)
    except StaleVersionError as error:
        pairs = zip(here, game.events, strict=False)
        since = next(other.version for mine, other in pairs if mine.hash != other.hash)
        raise DivergedError(error, since) from error


def _check_together(log: Log, games: Sequence[WrittenGame]) -> None:
    """Check that none of several games will fail after others are stored. Raises as `import_records`."""
    ids: dict[str, Event] = {}
    for game in games:
        try:
            check_chain(game.events)
        except BadEventError as error:
            raise _bad_event(game, error) from error
        _refuse_taken(log, game.events)
        for index, event in enumerate(game.events):
            if other := ids.get(event.id):
                raise IdReusedError(index, event.id, other)
            ids[event.id] = event


def _taken_in(log: Log, game: WrittenGame) -> ImportedRecord:
    id_, new = game.header.game, _adopt(log, game)
    resealed = new < len(game.events) and log.join_seals(id_, list(without_erased(game.events, log.read(id_))))
    return ImportedRecord(id_, len(game.events), new, resealed)


def _proved(file: IO[bytes]) -> list[WrittenGame]:
    """The games of a file, with proved chains. Raises `BadImportError`."""
    report = verify_export(file)
    if report.problems:
        raise _refused(report.problems[0])
    file.seek(0)
    return list(ndjson.read(file))


def _refused(problem: Problem) -> BadImportError:
    """The error for a fault of a file, in the words of `kifu verify`."""
    return BadImportError(f"{problem.kind}: {problem.why}", problem.line)


def _joined(mine: Event, other: Event) -> Event:
    """A stored entry joined with that of a file: open parts are added, erased parts closed."""
    return msgspec.structs.replace(mine, sealed=seals.join(mine.sealed, other.sealed))


def _closes(mine: Event, both: Event) -> bool:
    """Whether an open part of an entry is closed in another form of it."""
    if mine.sealed == both.sealed:
        return False
    still = {each.name for each in seals.unpack(both.sealed) if each.content is not None}
    return not {each.name for each in seals.unpack(mine.sealed) if each.content is not None} <= still


def _adopt(log: Log, game: WrittenGame) -> int:
    """Store the new entries of a record, all or none. Returns their number. Raises as `import_records`.

    A record that takes several commits is checked as a whole before the first one.
    """
    events = game.events
    new = at = 0
    try:
        if len(events) > CHUNK:
            check_chain(events)
            _refuse_taken(log, events)
        for at in range(0, len(events), CHUNK):
            new += log.adopt(events[at : at + CHUNK]).new
    except BadEventError as error:
        raise _bad_event(game, error, at) from error
    return new


def _bad_event(game: WrittenGame, error: BadEventError, at: int = 0) -> BadImportError:
    """The error for an entry after the first `at` ones of a game."""
    why = f"{error.path}: {error.why}"
    return BadImportError(f"unreadable: {why}", game.line + at + error.index + 1)


def _refuse_taken(log: Log, events: Sequence[Event]) -> None:
    """Raise `IdReusedError` if another stored entry has an entry's id."""
    for index, event in enumerate(events):
        found = log.find(event.id)
        if found and found.hash != event.hash:
            raise IdReusedError(index, event.id, found)


def _names_in(game: WrittenGame) -> dict[str, str]:
    """The names in a header. Raises `BadImportError`."""
    players = game.header.players
    try:
        for player in players:
            if not is_uuid(player):
                raise BadImportError(f"players: {player!r} is not a UUID in lower case", game.line)
        return {player: checked_name(name) for player, name in players.items()}
    except BadNameError as error:
        raise BadImportError(f"players: {error}", game.line) from error


def _replay(game: WrittenGame, events: Sequence[Event]) -> None:
    """Check that a record with these entries can be replayed, or at least read if its ruleset is not here."""
    if not events:
        raise BadImportError("the file holds no entries", game.line)
    if sum(event.type not in ERASING for event in events) > ENTRIES:
        raise BadImportError(str(GameFullError(events[0].game)))
    for problem in prove_replay(events, game.line + 1).problems:
        raise _refused(problem)
