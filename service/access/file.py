"""The store of access in SQLite: `access.db` in the data folder. A damaged one is set aside, and its rest goes on."""

from __future__ import annotations

import contextlib
import logging
import shutil
import sqlite3
import tempfile
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import UUID, uuid4

from sqlite_utils import Database, Migrations
from uuid_utils import uuid7

from events.safekeeping import identity
from events.sqlite.files import files_of, findings, header_of, schema_of, set_aside
from events.sqlite.translation import is_corruption
from service.access.chain import CHAIN, NOTHING, ChainReport, Fault, judge, name_of
from service.access.heads import HeadFile
from service.access.rows import (
    ANSWER,
    BESIDE,
    CODE,
    CREDENTIAL,
    INDEXES,
    KEYS,
    LINK,
    ROLE,
    SCHEMA,
    TABLES,
    TRAIL,
    VISIBLE,
    WEBHOOK,
    RowStore,
    columns,
    differing,
    fits,
    unfit,
)
from service.access.store import AccessNewerError, StoreFullError, StoreUnwritableError
from service.languages import gettext

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from service.access.chain import Mark

LOOK = 0.5
"""Seconds between two looks whether another program has written into the file."""

FILE = "access.db"
ASIDE = "access.db.damaged"
"""What a damaged file is called once it is set aside."""

logger = logging.getLogger(__name__)

migrations = Migrations("kifu.access")


@migrations(name="1: credentials, roles, visibility, trail")
def _create(db: Database) -> None:
    for table in (CREDENTIAL, ROLE, VISIBLE, TRAIL, CODE):
        _make(db, table)
    for change in ("update", "delete"):
        db.execute(
            f"create trigger trail_no_{change} before {change} on {TRAIL} "
            f"begin select raise(abort, 'the trail is append-only'); end"
        )
    db.table("house").insert({"owner": str(uuid7()), "identity": uuid4().hex})


@migrations(name="2: answers, links")
def _add_answers_and_links(db: Database) -> None:
    for table in (ANSWER, LINK):
        _make(db, table)


@migrations(name="3: webhooks")
def _add_webhooks(db: Database) -> None:
    _make(db, WEBHOOK)


@migrations(name="4: what was read with credentials")
def _add_reads(db: Database) -> None:
    if "reads" not in db.table(CREDENTIAL).columns_dict:
        db.execute(f"alter table {CREDENTIAL} add column reads text")


@migrations(name="5: the chain of changes")
def _add_chain(db: Database) -> None:
    _make(db, CHAIN)


def _make(db: Database, table: str) -> None:
    db.table(table).create(TABLES[table] | {"checksum": int}, pk=KEYS[table], strict=True)
    for column, kind in BESIDE.get(table, {}).items():
        db.execute(f"alter table {table} add column {column} {kind}")
    if "digest" in TABLES[table] and KEYS[table] != ("digest",):
        db.table(table).create_index(["digest"], unique=True)
    for column in INDEXES.get(table, ()):
        db.table(table).create_index([column])


class SqliteStore(RowStore):
    """See `service.access.store.Store`. For the one process that has the log open for writing.

    Raises `AccessNewerError`, `OSError`.
    """

    _db: Database

    def __init__(self, folder: Path) -> None:
        self._path = folder / FILE
        self._lock = threading.RLock()
        self._generation, self._looked = 0, time.monotonic()
        self._heads = HeadFile(folder)
        found = _fault(self._path)
        self._db = _renewed(self._path, found) if found else _opened(self._path)
        try:
            self._place = identity(self._path)
            ((self.owner, self.identity),) = self._db.execute("select owner, identity from house").fetchall()
            self._judge()
            self._version = self._written_by_others()
        except BaseException:
            self.close()
            raise

    @property
    def unwritable(self) -> str:
        """See `Store.unwritable`."""
        if identity(self._path) == self._place:
            return ""
        return gettext("%(file)s was taken away, or replaced, while it was open", file=self._path.name)

    @property
    def generation(self) -> int:
        """See `Store.generation`. What another program wrote into the file is held against the chain."""
        now = time.monotonic()
        if now - self._looked > LOOK:
            self._looked = now
            with self._lock:
                self._look()
        return self._generation

    def close(self) -> None:
        """Let go of the file."""
        with self._lock:
            self._db.conn.close()

    # The file

    def _look(self) -> None:
        version = self._written_by_others()
        if version != self._version:
            self._version = version
            logger.warning("another program wrote into %s", self._path)
            try:
                self._judge()
            except (sqlite3.DatabaseError, UnicodeDecodeError):
                self._fault = Fault("broken", 0, self._head.number)
            self._generation += 1

    def _written_by_others(self) -> int:
        ((version,),) = self._db.execute("pragma data_version").fetchall()
        return int(version)

    @contextlib.contextmanager
    def _together(self, *, keeps: bool) -> Iterator[Database]:
        with self._lock:
            if why := self.unwritable:
                raise StoreUnwritableError(why)
            try:
                self._db.conn.execute("begin immediate")  # what is read first must still hold when it is written
                try:
                    yield self._db
                    self._db.conn.execute("commit")
                except BaseException:
                    self._db.conn.rollback()
                    raise
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode & 0xFF not in _FULL:
                    raise
                raise StoreFullError(f"{self._path.name} cannot be written: {error}") from error
            finally:
                if not keeps:
                    self._generation += 1

    @contextlib.contextmanager
    def _still(self) -> Iterator[Database]:
        with self._lock, self._db.atomic():
            yield self._db

    def _keep_aside(self) -> None:
        aside = self._path.with_name(ASIDE)
        if not aside.exists():
            with (
                contextlib.closing(sqlite3.connect(self._path)) as here,
                contextlib.closing(sqlite3.connect(aside)) as kept,
            ):
                here.backup(kept)

    def _note_down(self, sql: str, values: Sequence[Any]) -> None:
        with self._lock, contextlib.suppress(sqlite3.OperationalError):  # a full disk keeps nobody out
            self._db.execute(sql, values)

    def _wipe(self) -> None:
        with self._lock:
            self._db.execute("pragma wal_checkpoint(truncate)")


_FULL = {sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN}


def _opened(path: Path) -> Database:
    connection = sqlite3.connect(path, timeout=30, isolation_level=None, check_same_thread=False)
    try:
        for pragma in ("journal_mode = wal", "synchronous = full", "secure_delete = on"):
            connection.execute(f"pragma {pragma}")
        db = Database(connection)
        if header_of(connection) != SCHEMA:
            if (schema := schema_of(connection, migrations)) > SCHEMA:
                raise AccessNewerError(
                    f"{path} has schema {schema}, and this release knows {SCHEMA}: it was written by a newer one"
                )
            with db.atomic():
                migrations.apply(db)
                db.execute(f"pragma user_version = {SCHEMA}")
    except BaseException:
        connection.close()
        raise
    return db


def reading(path: Path) -> Database:
    """The store of another process. Raises `FileNotFoundError`, and `AccessNewerError` for one of another release."""
    if not path.exists():
        raise FileNotFoundError(f"no store of access {path}")
    address = f"{path.absolute().as_uri()}?mode=ro"
    connection = sqlite3.connect(address, uri=True, timeout=30, isolation_level=None, check_same_thread=False)
    if schema_of(connection, migrations) != SCHEMA:
        connection.close()
        raise AccessNewerError(f"{path} is of another release")
    return Database(connection)


def _fault(path: Path) -> str | None:
    """Why a store of access cannot go on as it is; None for one that is yet to be made, too."""
    if not path.exists():
        return None
    return next(prove(path), None) if path.stat().st_size else "it is empty"


def prove(path: Path) -> Iterator[str]:
    """What is wrong with a store of access: SQLite's own findings, and rows that do not fit their checksums."""
    return findings(path, SCHEMA, migrations, _unfit)


def _unfit(connection: sqlite3.Connection) -> Iterator[str]:
    if connection.execute("select typeof(owner), typeof(identity) from house").fetchall() != [("text", "text")]:
        yield "it is not known whose it is"
    yield from unfit(connection)


def loss(folder: Path) -> str | None:
    """What is to be known of a store of access that was set aside, as long as nobody has removed it."""
    if not (folder / ASIDE).exists():
        return None
    return gettext(
        "%(file)s was damaged and is set aside as %(aside)s; what could not be read of it opens nothing any more. "
        "See who may do what, and remove %(aside)s, or put a backup in its place.",
        file=FILE,
        aside=ASIDE,
    )


def _renewed(path: Path, why: str) -> Database:
    """A new file with all rows of a damaged one that fit; that one is set aside."""
    logger.warning("%s is damaged and set aside; what cannot be read of it opens nothing any more: %s", path, why)
    aside = set_aside(path, ASIDE)
    db = _opened(path)
    try:
        with _legible(aside, db) as old, db.atomic():
            _salvage(old, db)
    except sqlite3.DatabaseError as error:
        if not is_corruption(error):
            raise
    return db


@contextlib.contextmanager
def _legible(damaged: Path, fresh: Database) -> Iterator[sqlite3.Connection]:
    """A damaged file, or, where not even its tables are found, a copy of it with the first page of a fresh one.

    Tables lie where they were made, which is the same place in both; rows that are not of a table do not fit.
    """
    with contextlib.closing(sqlite3.connect(damaged)) as old:
        if _has_tables(old):
            yield old
            return
    with tempfile.TemporaryDirectory(dir=damaged.parent, prefix="tmp-") as folder:
        copied = Path(folder) / damaged.name
        for there, here in zip(files_of(damaged)[:2], files_of(copied), strict=False):  # the index is made anew
            with contextlib.suppress(FileNotFoundError):
                shutil.copyfile(there, here)
        _give_first_page(fresh, copied)
        with contextlib.closing(sqlite3.connect(copied)) as old:
            yield old


def _has_tables(db: sqlite3.Connection) -> bool:
    try:
        return {name for (name,) in db.execute("select name from sqlite_schema")} >= TABLES.keys()
    except (sqlite3.DatabaseError, UnicodeDecodeError):
        return False


def _give_first_page(source: Database, target: Path) -> None:
    """Put the first page of a database in the place of that of another file, which is of the same kind."""
    page = bytearray(source.conn.serialize()[:_PAGE])
    page[28:32] = (target.stat().st_size // _PAGE).to_bytes(4, "big")  # the number of pages
    with target.open("r+b") as file:
        file.write(page)


_PAGE = 4096
"""The bytes of a page, as SQLite makes them."""


def _salvage(old: sqlite3.Connection, db: Database) -> None:
    for table in TABLES:
        with contextlib.suppress(sqlite3.DatabaseError, UnicodeDecodeError):
            for row in old.execute(f"select {columns(table)} from {table} not indexed"):
                if fits(row):
                    marks = ", ".join("?" * len(row))
                    db.execute(f"insert or ignore into {table} ({columns(table)}) values ({marks})", row)
    with contextlib.suppress(sqlite3.DatabaseError, UnicodeDecodeError, ValueError):
        for (owner,) in old.execute("select owner from house where typeof(owner) = 'text'"):
            db.execute("update house set owner = ?", [str(UUID(owner))])


def copy(source: Path, target: Path) -> None:
    """Copy a store, which a service may be writing to, with its head, and prove the copy.

    One that is not believed is copied as such. Raises `OSError`, `sqlite3.Error`.
    """
    head = HeadFile(source.parent).read()
    address = f"{source.absolute().as_uri()}?mode=ro"
    with (
        contextlib.closing(sqlite3.connect(address, uri=True)) as old,
        contextlib.closing(sqlite3.connect(target)) as new,
    ):
        old.backup(new)
    for finding in prove(target):
        raise OSError(f"the copy of {source} is not sound: {finding}")
    if head is not None:
        HeadFile(target.parent).put(head)
        judged, _ = _judged(target, head)
        if judged.fault is None:
            HeadFile(target.parent).put(judged.last)


def contradictions(folder: Path, signed: Mark) -> Iterator[str]:
    """What the store of a folder does not hold of what was changed: by its head, that of the signed tree, and its rows.

    One that is yet to be brought up to this release is not looked at.
    """
    kept = HeadFile(folder).read()
    head = max(kept or NOTHING, signed)
    if not (folder / FILE).exists():
        if head != NOTHING:
            yield str(Fault("behind", 0, head.number))
        return
    try:
        judged, others = _judged(folder / FILE, head)
    except (sqlite3.Error, UnicodeDecodeError) as error:
        yield str(error)
        return
    if judged.last != NOTHING and judged.fault is None and kept is None:
        judged = judged._replace(fault=Fault("headless", judged.last.number, 0))
    if judged.fault is not None:
        yield str(judged.fault)
    for name in others:
        yield gettext("%(row)s does not match the changes that were made", row=name)


def _judged(path: Path, head: Mark) -> tuple[ChainReport, list[str]]:
    """What the chain of a store was found to be, and the rows that it does not name as they are.

    Raises `sqlite3.Error`.
    """
    address = f"{path.absolute().as_uri()}?mode=ro"
    with contextlib.closing(sqlite3.connect(address, uri=True, timeout=30, isolation_level=None)) as db:
        db.execute("begin")
        if db.execute("select name from sqlite_schema where name = ?", [CHAIN]).fetchone() is None:
            return ChainReport(NOTHING, Fault("behind", 0, head.number) if head.number else None, {}), []
        judged = judge(db, head)
        if judged.last == NOTHING or schema_of(db, migrations) != SCHEMA:  # it is to be begun, or brought up to date
            return judged, []
        ((owner,),) = db.execute("select owner from house").fetchall()
        found = differing(db, judged, owner)
        return judged, [name_of(*each) for each in found.rows] + found.missing
