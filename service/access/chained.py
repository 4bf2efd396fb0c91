"""A store with its chain of changes, which decides which rows are trusted and records every change."""

from __future__ import annotations

import logging
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

import msgspec

from events import failpoints
from events.event import now_ms
from service.access.chain import (
    NOTHING,
    Fault,
    Mark,
    check_follows,
    judge,
    last_number,
)
from service.access.changes import Change, RowDifferences, compare_rows, names_of_rows
from service.access.heads import line_of
from service.access.store import (
    HOUSE,
    AccessStoppedError,
    StoreFullError,
)
from service.access.tables import (
    CHAIN,
    CODE,
    CREDENTIAL,
    LINK,
    ROLE,
    TRAIL,
    VISIBLE,
    WEBHOOK,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from contextlib import AbstractContextManager

    from events.databases.rows import Database, Rows
    from service.access.heads import HeadFile

logger = logging.getLogger(__name__)

POINTS = ("access.committed", "access.headed")
"""Where a test can kill the process, in the order in which a change passes them (see `events.failpoints`)."""


class ChainedStore:
    """Rows that count only if the chain names them. Subclasses know where the tables are, and how they change."""

    owner: str
    identity: str
    _db: Database
    _lock: AbstractContextManager[Any]
    _heads: HeadFile
    _head = NOTHING
    """The last link of the chain, as far as this process knows."""
    _signed = NOTHING
    """The head that was signed with the tree when the store was opened."""
    fault: Fault | None = None
    _stamp = 0, 0

    @property
    def unwritable(self) -> str:
        """See `Store.unwritable`."""
        return ""

    # What a kind of store does

    def _together(self, *, keeps: bool) -> AbstractContextManager[Rows]:
        """Run a block as one transaction, without other writers. Raises `StoreFullError`."""
        raise NotImplementedError

    def _keep_aside(self) -> None:
        """Copy a database file before unknown rows are dropped from it, unless there is a copy."""

    def _note_down(self, sql: str, values: Sequence[Any]) -> None:
        """Run a statement that may be lost. Its failure does not lock anybody out."""
        raise NotImplementedError

    # The chain of changes

    @property
    def stopped(self) -> str:
        """See `Store.stopped`."""
        if self.fault is not None and self._heads.stamp != self._stamp:  # the owner may have decided
            self._judge()
        return str(self.fault) if self.fault else ""

    @property
    def line(self) -> tuple[str, ...]:
        """The line about this store's changes in the signed tree; None while the store is not trusted."""
        return () if self.fault or self._head == NOTHING else (line_of(self._head),)

    def hold_to(self, head: Mark) -> None:
        """Stop trusting the store if it does not reach a head that is known elsewhere."""
        self._signed = head
        if head.number > (self._heads.read() or NOTHING).number:
            with suppress(OSError):  # for those who only read the store
                self._heads.put(head)
            self._judge()

    def accept(self, *, keeps: bool) -> int:
        """Accept the present rows as valid from now on. Without `keeps`, end all rights first.

        The number of this change is returned; it is higher than every earlier one. Raises `StoreFullError`.
        """
        with self._lock:
            head = max(self._heads.read() or NOTHING, self._signed)
            with self._together(keeps=False) as db:
                change = Change(db)
                if not keeps:
                    _end_all(change)
                self._write(change, self.owner, "access.accepted", kept=keeps, last=last_number(db), head=head.number)
                change.say_all(self.owner)
                before = Mark(max(head.number, last_number(db)), _last_hash(db))
                mark = change.seal(before, self.owner, whole=True)
            assert mark is not None  # noqa: S101 - it says at least whose store it is
            self._take_down(mark)
            self._judge()
        return mark.number

    def _judge(self, *, begins: bool = False) -> None:
        """Compare the store with its head, and the rows with the chain. Rows that the chain does not name are dropped.

        A host that `begins` may have no head yet, as it is new. Raises `OSError`, `StoreFullError`.
        """
        self._stamp = self._heads.stamp
        head = self._heads.read()
        with self._db.consistent_read() as db:
            judged = judge(db, max(head or NOTHING, self._signed))
            found = compare_rows(db, judged, self.owner)
        if judged.fault is None and judged.last == NOTHING and head in {None, NOTHING}:
            self._begin(found)
            return
        if judged.fault is None and head is None and not begins:
            judged = judged._replace(fault=Fault("headless", judged.last.number, 0))
        if judged.fault is None and (None, ()) in found.rows:
            judged = judged._replace(fault=Fault("other", judged.last.number, judged.last.number))
        self.fault, self._head = judged.fault, judged.last
        if self.fault is None:
            try:
                self._take_down(judged.last)
                if found != RowDifferences([], []):
                    self._drop()
            except StoreFullError as error:
                logger.warning("%s", error)
                self.fault = Fault("unmended", judged.last.number, judged.last.number)

    def _begin(self, found: RowDifferences) -> None:
        """Begin the chain. Rows of a release without chains are taken over."""
        self.fault, self._head = None, NOTHING
        self._heads.put(NOTHING)
        if found.rows == [(None, ())]:
            return
        with self._change() as change:
            if self._head != NOTHING:  # another process has just done so
                return
            self._write(change, HOUSE, "access.adopted", rows=len(found.rows) - 1)
            change.say_all(self.owner)
        logger.warning("access is a chain of changes from now on: the rows of an older release are taken as they are")

    def _drop(self) -> None:
        """Drop rows that do not match the chain, and record which ones. Lines of the trail stay."""
        with self._change() as change:
            found = compare_rows(change, judge(change, self._head), self.owner)
            rows = [(table, key) for table, key in found.rows if table not in {TRAIL, None}]
            names = [*names_of_rows(rows), *found.missing]
            if len(rows) < len(found.rows):
                logger.warning("lines of the trail are not those that were written; `kifu verify` names them")
            if not names:
                return
            logger.warning("rows of access do not match the changes, and are removed: %s", ", ".join(names))
            self._keep_aside()
            for table, key in rows:
                change.drop(table, " and ".join(f"{name} = ?" for name in table.key), key)
            change.record_missing(found.missing)
            self._write(change, HOUSE, "access.lost", rows=len(names))

    @contextmanager
    def _change(self, *, keeps: bool = False) -> Iterator[Change]:
        """Make a change as one transaction, without other writers. With `keeps` the generation stays.

                What was changed is in the file of the head before this ends. Raises `StoreFullError`,
        `AccessStoppedError`.
        """
        with self._lock:
            self._need_whole()
            with self._together(keeps=keeps) as db:
                self._follow(db)
                change = Change(db)
                yield change
                mark = change.seal(Mark(last_number(db), _last_hash(db)), self.owner)
            failpoints.reach("access.committed")
            if mark:
                self._head = max(self._head, mark)
                self._take_down(mark)
            failpoints.reach("access.headed")

    def _follow(self, db: Rows) -> None:
        """Check that the chain continues from its last known link. Raises `AccessStoppedError`."""
        self._head, self.fault = check_follows(db, self._head)
        self._need_whole()

    def _need_whole(self) -> None:
        if self.fault is not None and (why := self.stopped):
            raise AccessStoppedError(why)

    def _take_down(self, head: Mark) -> None:
        try:
            self._heads.put(head)
        except OSError as error:
            raise StoreFullError(f"{self._heads.path.name} cannot be written: {error}") from error

    def _read(self, sql: str, values: Sequence[Any] = ()) -> list[Any]:
        """The rows of a statement. Raises `AccessStoppedError`."""
        self._need_whole()
        with self._lock:
            found: list[Any] = self._db.execute(sql, values).fetchall()
        return found

    def _write(
        self,
        db: Change,
        by: str,
        what: str,
        *,
        person: str | None = None,
        game: str | None = None,
        credential: str | None = None,
        **more: Any,
    ) -> None:
        ((last,),) = db.execute(f"select coalesce(max(number), 0) from {TRAIL}").fetchall()
        db.add(TRAIL, (last + 1, now_ms(), by, what, person, game, credential, as_json(more)))


def _end_all(change: Change) -> None:
    """End all credentials and links, except the owner's tokens, which lie in files of the hosts."""
    now = now_ms()
    for table, held in ((CREDENTIAL, "ended is null and kind <> 'own'"), (LINK, "ended is null")):
        for *row, _ in change.execute(f"select {table.names} from {table} where {held}").fetchall():
            change.put(table, [now if name == "ended" else each for name, each in zip(table.columns, row, strict=True)])
    for *row, _ in change.execute(f"select {WEBHOOK.names} from {WEBHOOK} where enabled = 1").fetchall():
        change.put(WEBHOOK, [0 if name == "enabled" else each for name, each in zip(WEBHOOK.columns, row, strict=True)])
    for table in (ROLE, VISIBLE, CODE):
        change.drop(table, "true", [])


def _last_hash(db: Rows) -> bytes:
    found = db.execute(f"select hash from {CHAIN} order by number desc limit 1").fetchone()
    return found[0] if found else NOTHING.hash


def as_json(value: Any) -> str:
    """A value as JSON, the form in which a row stores it."""
    return msgspec.json.encode(value).decode()
