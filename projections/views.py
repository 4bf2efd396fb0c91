"""The store of the read models: SQLite files that can be thrown away, because the log can make them again.

A `views` folder holds numbered databases and a file `current` that names the one in use. A rebuild writes a new
database beside it and then replaces `current` in one step, so that readers go on all the time, in any process.
"""

from __future__ import annotations

import contextlib
import logging
import re
import shutil
import sqlite3
import threading
from typing import TYPE_CHECKING, Any

from sqlite_utils import Database

from events.databases.checksums import by_repr
from events.databases.definition import Table
from events.databases.files import TIMEOUT, writing
from events.folding import same_name
from events.sqlite.closing import close_with
from projections.sharing import FileLock

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

SCHEMA = 19
"""Grows with every change of the tables below; read models of another schema are rebuilt."""

CHECKPOINT = Table(
    "checkpoint",
    {"game": str, "version": int, "hash": str, "revision": int, "data": bytes},
    key=("game", "version"),
    older=by_repr,
)
WIPE_PATIENCE = 10_000
"""Milliseconds that an erasure waits for readers, as it does for those of the log."""

CATALOGUE = "game"
PLAYERS_TABLE = "sat"
SEARCH_TABLE = "words"
PUBLIC_TABLE = "shown"
"""The games that everybody may see, listed or not yet."""
CURSOR = "cursor"
CLUBS_TABLE = "club"
"""The records of the log that are not games: clubs, and tournaments."""
RULESETS_TABLE = "ruleset"
"""The rulesets of the listed games, with the revisions that were used."""

WRITE_LOCK = "views.lock"
"""The lock file beside them for writers."""

ID_ENDING = 4
"""An index serves the end of an id with at least so many characters."""


_NAME = re.compile(r"\d{6,18}\.db")

logger = logging.getLogger(__name__)


class Views:
    """The read models in `folder`. Safe to share between threads: each has its own connection.

    A process that records opens them with `create`. Any other one reads them, and finds nothing until they are usable.
    Writers hold the `write_lock`.
    """

    def __init__(self, folder: Path, *, create: bool = False) -> None:
        self._folder, self._pointer = folder, folder / "current"
        self._local = threading.local()
        self._writing = threading.Lock()
        self.write_lock = FileLock(folder.with_name(WRITE_LOCK))
        if create and not self.usable:
            if self._pointer.exists():
                logger.warning("%s holds no read models of this release; they are made anew", folder)
            self.install(self.prepare())

    @property
    def db(self) -> Database:
        """This thread's connection to the read models in use, or to empty ones."""
        local = self._local
        found: Database | None = self._own()
        if found is None:
            found = local.empty = local.empty or empty()
        return found

    def close(self) -> None:
        """Close this thread's connections."""
        for each in (getattr(self._local, "db", None), getattr(self._local, "empty", None)):
            if each is not None:
                each.conn.close()
        self._local.db = self._local.empty = self._local.stamp = None

    @property
    def usable(self) -> bool:
        """Whether there are read models of this release's schema."""
        return self._own() is not None

    def _own(self) -> Database | None:
        """This thread's connection to the read models in use; None if there are none of this release's schema."""
        local = self._local
        try:
            stamp = self._pointer.stat().st_ino
        except OSError:  # there is none, or no folder
            stamp = 0
        if getattr(local, "stamp", None) != stamp:
            self.close()
            local.db, local.stamp = self._usable(), stamp
        found: Database | None = local.db
        return found

    @property
    def are_older(self) -> bool:
        """Whether there are read models of an older release: they are made anew at the next start."""
        found = self._connected()
        if found is None:
            return False
        with contextlib.closing(found.conn), contextlib.suppress(sqlite3.DatabaseError):
            return 0 < int(found.execute("pragma user_version").fetchone()[0]) < SCHEMA
        return False

    @contextlib.contextmanager
    def transaction(self) -> Iterator[Database]:
        """Write: all that is done inside, or nothing."""
        with self._writing, self.db.atomic():
            yield self.db

    def wipe(self) -> bool:
        """Leave no byte of what was deleted; False if a read that takes long is in the way."""
        with self._writing:
            self.db.execute(
                f"insert into {SEARCH_TABLE}_fts ({SEARCH_TABLE}_fts) values ('optimize')"
            )  # an index keeps what it had
            self.db.execute(f"pragma busy_timeout = {WIPE_PATIENCE}")
            try:
                busy, *_ = self.db.execute("pragma wal_checkpoint(truncate)").fetchone()
            finally:
                self.db.execute(f"pragma busy_timeout = {TIMEOUT * 1000}")
        return not busy

    @property
    def installed(self) -> bool:
        """Whether read models are in use here, of this release or another one."""
        return self._pointer.exists()

    def new_path(self) -> Path:
        """A free place for a database beside the one in use, if there is one."""
        if not self._folder.is_dir():
            self._folder.unlink(missing_ok=True)
            self._folder.mkdir(parents=True)
        numbers = [int(path.stem) for path in self._folder.iterdir() if _NAME.fullmatch(path.name)]
        return self._folder / f"{max(numbers, default=0) + 1:06}.db"

    def prepare(self) -> Path:
        """A new, empty database beside the one in use, if there is one."""
        path = self.new_path()
        db = connect(path)
        _create(db)
        db.conn.close()
        return path

    def install(self, path: Path) -> None:
        """Put a prepared database in the place of the one in use, for all readers at once."""
        pointer = self._pointer.with_suffix(".new")
        pointer.write_text(path.name, encoding="ascii")
        if self._pointer.is_dir():
            shutil.rmtree(self._pointer)
        pointer.replace(self._pointer)
        for old in self._folder.glob("[0-9]*.db"):
            if old != path:
                self.discard(old)  # readers that still have it open keep it until they look again

    def discard(self, path: Path) -> None:
        """Remove a database that is not in use."""
        for part in self._folder.glob(f"{path.name}*"):
            part.unlink(missing_ok=True)

    def _connected(self) -> Database | None:
        """A connection to the read models in use, if there are any."""
        try:
            name = self._pointer.read_text(encoding="ascii")
            path = self._folder / name
            if not _NAME.fullmatch(name):
                return None
            if not path.is_file():  # or others were put in its place just now
                return None if self._pointer.read_text(encoding="ascii") == name else self._connected()
            return connect(path)
        except (OSError, UnicodeDecodeError, sqlite3.DatabaseError):
            return None

    def _usable(self) -> Database | None:
        """A connection to the read models in use, if there are any of this release's schema."""
        db = self._connected()
        if db is None:
            return None
        with contextlib.suppress(sqlite3.DatabaseError):
            if db.execute("pragma user_version").fetchone() == (SCHEMA,):
                return db
        db.conn.close()
        return None


def number_of(db: Database) -> str:
    """The file of the read models in `db`: another one after each rebuild."""
    return str(db.execute("pragma database_list").fetchone()[2])


def cursor(db: Database) -> tuple[int, str]:
    """The feed position of the read models in `db`, and the hash of the event there."""
    position, hash_ = db.execute(f"select position, hash from {CURSOR}").fetchone() or (0, "")
    return position, hash_


def set_cursor(db: Database, position: int, hash_: str) -> None:
    """Note that the read models in `db` are complete up to `position`."""
    db.execute(f"update {CURSOR} set position = ?, hash = ?", [position, hash_])


def access_cursor(db: Database) -> tuple[str, int]:
    """The store of access that the read models in `db` follow, and its last included change."""
    identity, change = db.execute(f"select access, change from {CURSOR}").fetchone() or ("", 0)
    return identity, change


def set_access_cursor(db: Database, identity: str, change: int) -> None:
    """Say that the read models in `db` have the changes of a store of access up to `change`."""
    db.execute(f"update {CURSOR} set access = ?, change = ?", [identity, change])


def erasure_cursor(db: Database) -> int:
    """The number of the last erasure that the read models in `db` have followed."""
    (erasure,) = db.execute(f"select erasure from {CURSOR}").fetchone() or (0,)
    return int(erasure)


def set_erasure_cursor(db: Database, erasure: int) -> None:
    """Say that the read models in `db` hold nothing any more of what was erased up to a number."""
    db.execute(f"update {CURSOR} set erasure = ?", [erasure])


def empty() -> Database:
    """Read models without anything in them, in memory."""
    db = connect(":memory:")
    _create(db)
    return db


def connect(path: Path | str) -> Database:
    """A connection to one of the databases."""
    db = Database(writing(path, synchronous="off"))  # what a power cut takes is made again from the log
    close_with(db, [db.conn])  # threads that end do not close theirs
    db.conn.create_function("same_name", 1, _same_name, deterministic=True)
    return db


def _same_name(name: Any) -> Any:
    """The function of SQL: what is no text, as in a damaged row, is left as it is."""
    return same_name(name) if isinstance(name, str) else name


_CATALOGUE_COLUMNS = {
    "game": str,
    "ruleset": str,
    "title": str,
    "place": str,
    "game_name": str,
    "played_at": int,
    "day": str,
    "opened_at": int,
    "last_at": int,
    "version": int,
    "status": str,
    "reason": str,
    "winners": str,
    "scores": str,
    "ranks": str,
    "together": int,
    "teams": str,
    "deciding": str,
    "markers": str,
    "irregular": int,
    "origin": str,
    "seats": str,
    "projected": int,
    "found_by": int,
    "hashes_public": int,
    "checksum": int,
    "shown": int,
}
"""The columns of the catalogue: a row for each game."""


def _create_catalogue(db: Database) -> None:
    """The catalogue with the indexes of its orders."""
    db.table(CATALOGUE).create(_CATALOGUE_COLUMNS, pk="game")
    orders = (["last_at"], ["status", "last_at"], ["ruleset", "last_at"], ["origin", "last_at"], ["projected"])
    by_play = (["played_at"], ["status", "played_at"], ["ruleset", "played_at"], ["shown", "played_at"])
    for order in (*orders, *by_play, ["shown", "last_at"], ["shown", "projected"]):
        db.table(CATALOGUE).create_index([*order, "game"])
    db.execute(f"create index game_unsealed on {CATALOGUE} (game) where not hashes_public")
    db.execute(f"create index game_by_end on {CATALOGUE} (substr(game, -{ID_ENDING}))")


def _create(db: Database) -> None:
    db.table(str(CHECKPOINT)).create({**CHECKPOINT.columns, "checksum": int}, pk=CHECKPOINT.key)
    _create_catalogue(db)
    db.table(SEARCH_TABLE).create({"game": str, "text": str}, pk="game")
    db.table(SEARCH_TABLE).enable_fts(["text"], tokenize="trigram", create_triggers=True)
    db.table(PLAYERS_TABLE).create({"game": str, "player": str}, pk=("game", "player"))
    db.table(PLAYERS_TABLE).create_index(["player"])
    db.table(RULESETS_TABLE).create({"name": str, "revision": int}, pk="name")
    db.table(PUBLIC_TABLE).create({"game": str}, pk="game")
    db.table(CLUBS_TABLE).create({"club": str}, pk="club")
    db.table(CURSOR).insert({"position": 0, "hash": "", "access": "", "change": 0, "erasure": 0})
    db.execute(f"pragma user_version = {SCHEMA}")
