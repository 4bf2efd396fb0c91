"""Moving a whole log, with everything beside it, from a data folder to a database, or back.

The copy holds the same entries at the same places of the feed, so that every hash, every cursor and the tree over the
log stay what they are. It is made beside the running service, as often as is wanted, and goes on where it was left. At
the end the source is held against writing, the rest is copied, and both are compared entry by entry.
"""

from __future__ import annotations

import shutil
from contextlib import closing, contextmanager, suppress
from itertools import groupby, zip_longest
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING

from events import safekeeping
from events.errors import LogError, LogLockedError, MovedError
from events.sqlite import LOG, SqliteLog, SqliteReader
from events.sqlite.files import ARRIVING, MOVED
from events.sqlite.heads import heads_path
from events.stores import SCHEMES, read_log
from events.tree.tree import FOLDER, KEY
from service import databases
from service.server.supervisor import ServeError, lock_folder

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from events.log import LogReader
    from events.recording import RowLog
    from service.databases import Place

BATCH = 500
"""Entries that are stored in one commit."""

OWN_NAME = "application_name=kifu%20move"
"""What the connections of a mover are called in PostgreSQL, so that they are not taken for a service's."""


class MoveError(LogError):
    """A log cannot be moved to this place."""


class BusyError(MoveError):
    """A service still has the source open for writing."""


def place_of(text: str) -> Place:
    """The place in a text: a folder or the URL of a database."""
    if not text.startswith(SCHEMES):
        return Path(text)
    return f"{text}{'&' if '?' in text else '?'}{OWN_NAME}"


def copy(source: LogReader, target: RowLog, progress: Callable[[int, int], None] | None = None) -> int:
    """Copy the entries that the target does not have yet. Returns their number.

    `progress` gets the numbers of copied and of all entries. Raises `MoveError` if the target is not a copy of the
    source's beginning, or the source is damaged, `LogError`.
    """
    reached = begun = _copied_position(source, target)
    for game, damage in source.damage.items():
        raise MoveError(f"game {game} is damaged ({damage}): repair it first, or accept its loss (`kifu verify`)")
    total = source.position()
    while reached < total and (batch := list(source.feed(reached, BATCH))):
        if batch[-1][0] - reached != len(batch) or source.damage:
            raise MoveError(f"entries after position {reached} of {_name(source)} are missing")
        target.copy([list(run) for _, run in groupby((event for _, event in batch), attrgetter("game"))])
        reached = batch[-1][0]
        if target.position() != reached:
            raise MoveError(f"something else was stored in {_name(target)} meanwhile: it is not a copy any more")
        if progress:
            progress(reached, max(total, reached))
    return reached - begun


def _copied_position(source: LogReader, target: RowLog) -> int:
    """The position up to which the target is a copy, judged by its last entry. Raises `MoveError`."""
    position = target.position()
    if position and list(target.hashes(position - 1, 1)) != list(source.hashes(position - 1, 1)):
        raise MoveError(f"{_name(target)} holds another record: name an empty place, or one that holds a part of this")
    return position


def complete(source: LogReader, target: RowLog, progress: Callable[[int, int], None] | None = None) -> None:
    """Copy the rest of a source, with names and components, and prove the copy entry by entry.

    What was erased in the source since it was copied is erased in the copy. Damaged names, merges and components come
    with their checksums, so they are damaged in the copy, too. Raises `MoveError`, `LogError`.
    """
    copy(source, target)
    total = target.position()
    for there, here in zip_longest(source.feed(0, total), target.feed()):
        if there is None or here is None or (there[0], there[1].hash) != (here[0], here[1].hash):
            raise MoveError(f"the copy differs after position {(there or here or (0,))[0] - 1}")
        if there[1].sealed != here[1].sealed:
            target.copy_seals(there[1])
        if progress and there[0] % BATCH == 0:
            progress(there[0], total)
    target.people.restore(source.people.all_records(), source.people.merge_records())
    target.components.restore(source.components.rows())


def check(source: LogReader) -> None:
    """Check before the start that a folder can hold a log: there every id must be unique. Raises `MoveError`."""
    if found := source.repeated_id():
        id_, games = found
        raise MoveError(
            f"entries in several lanes of {_name(source)} have the id {id_}, in games {', '.join(games)}; "
            "a folder has one lane, which takes an id once: nothing was copied"
        )


@contextmanager
def target_of(place: Place, source: Place) -> Iterator[RowLog]:
    """The log to copy to; made if it is missing. Nobody can serve it before `allow_use`.

    Raises `LogError`, `MoveError` for a folder that was put aside.
    """
    if isinstance(place, Path) and moved_from(place):
        raise MoveError(f"the log of {place} was moved from there: name another folder")
    with closing(_opened(place, source)) as log:
        try:
            yield log
        finally:
            with suppress(LogError):
                if log.position() == 0:
                    allow_use(place)


def _opened(place: Place, source: Place) -> RowLog:
    if isinstance(place, Path):
        if not (place / LOG).exists():
            place.mkdir(parents=True, exist_ok=True)
            _mark(place).touch()
        return SqliteLog(place / LOG, moved=True)
    from events.postgres import PostgresLog  # noqa: PLC0415 - its driver takes its time to load
    from events.postgres.database import name_of  # noqa: PLC0415 - as above

    log = PostgresLog(place, moved=True)
    if log.position() == 0:
        there = str(source) if isinstance(source, Path) else name_of(source)
        log.post("moved", there, instead_of=log.notice("moved"))
    return log


def _mark(folder: Path) -> Path:
    return folder / f"{LOG}{ARRIVING}"


def allow_use(place: Place) -> None:
    """Let services use a complete copy."""
    if isinstance(place, Path):
        _mark(place).unlink(missing_ok=True)
    else:
        _post_moved(place, "")


def refuse_moved(source: str, place: Place) -> None:
    """Refuse a database with a record that was moved to another place. Raises `MovedError`, `LogError`."""
    from events.postgres import PostgresReader  # noqa: PLC0415 - its driver takes its time to load

    with closing(PostgresReader(source, moved=True)) as log:
        if (there := log.notice("moved")) not in {"", str(place)}:
            raise MovedError(f"the record of {log.name} was moved to {there}: move it from there")


@contextmanager
def reader_of(place: Place, *, moved: bool = False) -> Iterator[LogReader]:
    """The log to copy from. Raises `FileNotFoundError`, `LogError`."""
    log = read_log(place) if isinstance(place, Path) else read_log(Path(), place, moved=moved)
    with closing(log):
        yield log


def back_up(source: Place, folder: Path, progress: Callable[[int, int], None] | None = None) -> None:
    """Copy a database, beside the running services, to a new data folder, and prove the copy.

    The copy holds all entries up to one moment. Raises `FileExistsError`, `MoveError`, `LogError`.
    """
    if (folder / LOG).exists():
        raise FileExistsError(f"{folder / LOG} exists")
    with reader_of(source) as reader:
        check(reader)
        with target_of(folder, source) as target:
            databases.move(source, folder)
            complete(reader, target, progress)
        allow_use(folder)


def cut_over(source: Place, place: Place, target: RowLog, progress: Callable[[int, int], None] | None = None) -> None:
    """Complete the copy while no service can write to the source, and let no service use that any more.

    Raises `BusyError` while a service has the source open, `MoveError`, `LogError`, `OSError`.
    """
    with _held(source):
        with _locked_source(source) as log:
            complete(log, target, progress)
            if {head.game: head for head in log.heads()} != {head.game: head for head in target.heads()}:
                raise MoveError("the heads of the games differ")
        if isinstance(source, Path):
            _put_aside(source)
        else:
            _post_moved(source, str(place))


def finish(source: Place, place: Place) -> None:
    """After the cut-over, move everything beside the log to the other place, and let services use that.

    Safe to repeat. Raises `LogError`, `OSError`.
    """
    databases.move(source, place)
    if isinstance(source, Path):
        databases.put_aside(source)
        _aside(heads_path(source / LOG))
    allow_use(place)


def is_unfinished(folder: Path, database: str) -> bool:
    """Whether a move of a folder to this database was interrupted after its log was put aside. Raises `LogError`."""
    from events.postgres import PostgresReader  # noqa: PLC0415 - its driver takes its time to load

    with closing(PostgresReader(database, moved=True)) as there, closing(SqliteReader(folder / f"{LOG}{MOVED}")) as log:
        last = log.position()
        copied = list(there.hashes(last - 1, 1)) == list(log.hashes(last - 1, 1)) if last else True
        return copied and (bool(there.notice("moved")) or databases.left_in(folder))


@contextmanager
def _held(source: Place) -> Iterator[None]:
    """Keep services away from a folder, or check that none is connected to a database. Raises `BusyError`."""
    if isinstance(source, Path):
        try:
            with lock_folder(source):
                yield
        except ServeError as error:
            raise BusyError(str(error)) from error
        return
    from events.postgres import count_connections  # noqa: PLC0415 - its driver takes its time to load

    def see() -> None:
        if count := count_connections(source):
            raise BusyError(f"services have {count} connections to the database open")

    see()
    yield
    see()


@contextmanager
def _locked_source(source: Place) -> Iterator[LogReader]:
    """The source, while nobody else writes to it. Raises `BusyError`, `LogError`."""
    try:
        log: LogReader = SqliteLog(source / LOG) if isinstance(source, Path) else read_log(Path(), source, moved=True)
    except LogLockedError as error:
        raise BusyError(str(error)) from error
    with closing(log):
        yield log


def _put_aside(folder: Path) -> None:
    """Rename the log of a moved folder, so that nobody can use it any more."""
    _aside(folder / LOG)
    safekeeping.sync_folder(folder)


def _aside(path: Path) -> None:
    if path.exists():
        path.rename(path.with_name(path.name + MOVED))


def _post_moved(database: str, place: str) -> None:
    """Post a notice for hosts: the record of a database was moved to another place, or (without one) is back."""
    from events.postgres import PostgresLog  # noqa: PLC0415 - its driver takes its time to load

    with closing(PostgresLog(database, moved=True)) as log:
        log.post("moved", place, instead_of=log.notice("moved"))


def is_signed(database: str) -> bool:
    """Whether hosts sign a tree over the log of a database. Raises `LogError`, `FileNotFoundError`."""
    from events.postgres import PostgresReader  # noqa: PLC0415 - its driver takes its time to load

    with closing(PostgresReader(database, moved=True)) as log:
        return bool(log.notice("tree-key"))


def has_tree(host: Path, shared_key: str) -> bool:
    """Whether a host has a signed tree in its data folder, and the key."""
    return (host / FOLDER).exists() and _key(host, shared_key).exists()


def take_tree(host: Path, shared_key: str, folder: Path) -> None:
    """Copy the tree of a host and its key to a data folder, unless that has a tree. Raises `OSError`."""
    if has_tree(host, shared_key) and not (folder / KEY).exists():
        shutil.copytree(host / FOLDER, folder / FOLDER, dirs_exist_ok=True)
        safekeeping.put(folder / KEY, _key(host, shared_key).read_bytes())


def _key(host: Path, shared_key: str) -> Path:
    return Path(shared_key) if shared_key else host / KEY


def moved_from(folder: Path) -> bool:
    """Whether the log of a folder was moved from there."""
    return not (folder / LOG).exists() and (folder / f"{LOG}{MOVED}").exists()


def _name(log: object) -> str:
    return str(getattr(log, "name", log))
