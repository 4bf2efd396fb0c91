"""What is kept of access, as rows of tables, in any database.

Nothing of it can be derived from the log. So every change is on disk before it is answered, every row has a checksum,
and what is not what was written counts as never said: it opens nothing.
"""

from __future__ import annotations

import logging
from contextlib import contextmanager, suppress
from functools import cache
from itertools import groupby
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from events import failpoints
from events.databases.copying import copy_rows
from events.errors import LogError
from events.event import now_ms
from service.access.chain import (
    NOTHING,
    Fault,
    Mark,
    digest,
    followed,
    judge,
    last_number,
    name_of,
    next_link,
)
from service.access.heads import line_of
from service.access.principals import GameRole, Roles
from service.access.store import (
    HOUSE,
    PRIVATE,
    READS,
    SERVICE,
    AccessStoppedError,
    Code,
    Credential,
    EndedError,
    Granted,
    Link,
    Made,
    Read,
    Shown,
    StoredAnswer,
    StoreFullError,
    TrailLine,
    Webhook,
)
from service.access.tables import (
    ACCESS,
    ANSWER,
    CHAIN,
    CHAINED,
    CODE,
    CREDENTIAL,
    ERASABLE,
    LINK,
    OWNERLESS,
    ROLE,
    TRAIL,
    VISIBLE,
    WEBHOOK,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
    from contextlib import AbstractContextManager

    from events.databases.definition import Table
    from events.databases.rows import Database, Rows
    from service.access.chain import ChainReport
    from service.access.heads import HeadFile
    from service.access.store import Level

logger = logging.getLogger(__name__)

POINTS = ("access.committed", "access.headed")
"""Where a test can kill the process, in the order in which a change passes them (see `events.failpoints`)."""

OWNER = "owner"
"""The name in the chain for the owner of the store."""

_ROTATED = "credential.rotated"
LEFT_OUT, LISTED = _LISTING = ("person.left_out", "person.listed")
"""The lines of the trail that say whether a person is in public tables."""

_MAKING = ("credential.made", _ROTATED, "link.made", "webhook.made", "webhook.changed")
"""The lines of the trail that can name the credential that made something."""

_BEYOND = (1 << 63) - 1
"""Above the number of every line of the trail."""


class Differing(NamedTuple):
    """The rows, by table and key, that the chain of changes does not name as they are, and names that no row has.

    There is no table for whose store it is.
    """

    rows: list[tuple[Table | None, tuple[Any, ...]]]
    missing: list[str]


@cache
def _named(table: Table) -> tuple[tuple[str, int], ...]:
    """The columns of a table that the chain says something of, in the order of their names, with their places."""
    erasable = ERASABLE.get(table, frozenset())
    return tuple(sorted((name, place) for place, name in enumerate(table.columns) if name not in erasable))


@cache
def _keys(table: Table) -> tuple[int, ...]:
    return tuple(map(list(table.columns).index, table.key))


def row_digest(table: Table, row: Sequence[Any]) -> str:
    """What the chain says of a row of a table: of its columns that hold something.

    So one more column changes no digest of an older row.
    """
    return digest({name: row[place] for name, place in _named(table) if row[place] is not None})


def key_of(table: Table, row: Sequence[Any]) -> tuple[Any, ...]:
    """The key of a row of a table."""
    return tuple([row[place] for place in _keys(table)])


def every_row(db: Rows) -> Iterator[tuple[Table, Sequence[Any]]]:
    """Every row that is to be in the chain, with its checksum, after its table."""
    for table in CHAINED:
        for row in db.execute(f"select {table.names} from {table}").fetchall():
            yield table, row


def differing(db: Rows, judged: ChainReport, owner: str) -> Differing:
    """Hold the rows against what the chain says of them."""
    left = dict(judged.row_digests)
    others: list[tuple[Table | None, tuple[Any, ...]]] = []
    if left.pop(OWNER, None) != owner_digest(owner):
        others.append((None, ()))
    for table, row in every_row(db):
        key = key_of(table, row)
        if left.pop(name_of(table.name, key), None) != row_digest(table, row):
            others.append((table, key))
    return Differing(others, list(left))


def owner_digest(owner: str) -> str:
    """The digest that the chain has of the store's owner."""
    return digest({"owner": owner})


def called(rows: Iterable[tuple[Table | None, tuple[Any, ...]]]) -> Iterator[str]:
    """What the chain calls rows, by their tables and keys."""
    return (name_of(table.name if table else OWNER, key) for table, key in rows)


class Change:
    """A change as it is carried out: which rows it writes and drops is what its link of the chain says."""

    def __init__(self, db: Rows) -> None:
        self._db, self._said = db, dict[str, str | None]()
        self.dialect = db.dialect

    def execute(self, sql: str, values: Sequence[Any] = ()) -> Any:
        """Look something up, or change what is no part of the chain."""
        return self._db.execute(sql, values)

    def put(self, table: Table, row: Sequence[Any]) -> None:
        """Put a row in the place of the one that has its key, if there is one."""
        table.put(self._db, row)
        self._say(table, row)

    def add(self, table: Table, row: Sequence[Any]) -> None:
        """Add a row."""
        table.add(self._db, row)
        self._say(table, row)

    def drop(self, table: Table, where: str, values: Sequence[Any]) -> list[Any]:
        """Drop rows; those that there were, with their checksums."""
        sql = f"delete from {table} where {where} returning {table.names}"
        gone: list[Any] = self._db.execute(sql, values).fetchall()
        if table in CHAINED:
            self._said |= {name_of(table.name, key_of(table, row)): None for row in gone}
        return gone

    def miss(self, names: Iterable[str]) -> None:
        """Say of rows that are gone that they are."""
        self._said |= dict.fromkeys(names)

    def say_all(self, owner: str) -> None:
        """Say all rows that are what was written."""
        self._said[OWNER] = owner_digest(owner)
        for table, row in every_row(self._db):
            if table.fits(row):
                self._say(table, row)

    def seal(self, before: Mark, owner: str, *, whole: bool = False) -> Mark | None:
        """Add the link that follows on another one; its mark, None if there is nothing that it would say."""
        if not self._said:
            return None
        if before == NOTHING:
            self._said[OWNER] = owner_digest(owner)
        link = next_link(before, self._said, whole=whole)
        CHAIN.add(self._db, link)
        return link.mark

    def _say(self, table: Table, row: Sequence[Any]) -> None:
        if table in CHAINED:
            self._said[name_of(table.name, key_of(table, row))] = row_digest(table, row)


def owner_of(db: Rows) -> tuple[str, str]:
    """The owner of the store, and its own id. Raises `LogError` if nobody, or more than one, is named."""
    found = db.execute("select owner, identity from house").fetchall()
    if len(found) != 1:
        raise LogError(OWNERLESS)
    ((owner, identity),) = found
    return str(owner), str(identity)


def copy_all(source: Rows, target: Rows) -> None:
    """Put whose store it is, and all that was said in it, into an empty one."""
    for row in source.execute("select owner, identity from house").fetchall():
        target.execute("update house set owner = ?, identity = ?", row)
    copy_rows(ACCESS, source, target)


class RowStore:
    """See `service.access.store.Store`. Its kinds say where the tables are, and how something is changed in them."""

    owner: str
    identity: str
    _db: Database
    _lock: AbstractContextManager[Any]
    _heads: HeadFile
    _head = NOTHING
    """The last link of the chain, as far as this process knows."""
    _signed = NOTHING
    """The head that was signed with the tree when the store was opened."""
    _fault: Fault | None = None
    _stamp = 0, 0

    @property
    def unwritable(self) -> str:
        """See `Store.unwritable`."""
        return ""

    # What a kind of store does

    def _together(self, *, keeps: bool) -> AbstractContextManager[Rows]:
        """Carry out all of it, or nothing, and nobody else meanwhile. Raises `StoreFullError`."""
        raise NotImplementedError

    def _keep_aside(self) -> None:
        """Keep a copy of what rows are dropped from that nobody wrote, if there is none and it is a file."""

    def _note_down(self, sql: str, values: Sequence[Any]) -> None:
        """Carry out a statement that may be lost unnoticed. If it fails, nobody is kept out."""
        raise NotImplementedError

    # The chain of changes

    @property
    def stopped(self) -> str:
        """See `Store.stopped`."""
        if self._fault is not None and self._heads.stamp != self._stamp:  # the owner may have decided
            self._judge()
        return str(self._fault) if self._fault else ""

    @property
    def line(self) -> tuple[str, ...]:
        """The line of the signed tree that holds this store to what was changed; none as long as it is not believed."""
        return () if self._fault or self._head == NOTHING else (line_of(self._head),)

    def hold_to(self, head: Mark) -> None:
        """Believe the store no longer if it does not reach a head that stands elsewhere."""
        self._signed = head
        if head.number > (self._heads.read() or NOTHING).number:
            with suppress(OSError):  # for those who only read the store
                self._heads.put(head)
            self._judge()

    def accept(self, *, keeps: bool) -> int:
        """Take what is here for what holds from now on; or, if it `keeps` nothing, end and close all of it first.

        It is a change with a number above all that were ever made, which is returned. Raises `StoreFullError`.
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
        """Hold the store against its head, and the rows against the chain. Rows that it does not name are dropped.

        A host that `begins` may have no head yet, as it is new. Raises `OSError`, `StoreFullError`.
        """
        self._stamp = self._heads.stamp
        head = self._heads.read()
        with self._db.still() as db:
            judged = judge(db, max(head or NOTHING, self._signed))
            found = differing(db, judged, self.owner)
        if judged.fault is None and judged.last == NOTHING and head in {None, NOTHING}:
            self._begin(found)
            return
        if judged.fault is None and head is None and not begins:
            judged = judged._replace(fault=Fault("headless", judged.last.number, 0))
        if judged.fault is None and (None, ()) in found.rows:
            judged = judged._replace(fault=Fault("other", judged.last.number, judged.last.number))
        self._fault, self._head = judged.fault, judged.last
        if self._fault is None:
            try:
                self._take_down(judged.last)
                if found != Differing([], []):
                    self._drop()
            except StoreFullError as error:
                logger.warning("%s", error)
                self._fault = Fault("unmended", judged.last.number, judged.last.number)

    def _begin(self, found: Differing) -> None:
        """Begin the chain; with what is there, if that was written before there were chains."""
        self._fault, self._head = None, NOTHING
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
        """Drop rows that do not match the chain, and write down which ones are gone. Lines of the trail stay."""
        with self._change() as change:
            found = differing(change, judge(change, self._head), self.owner)
            rows = [(table, key) for table, key in found.rows if table not in {TRAIL, None}]
            names = [*called(rows), *found.missing]
            if len(rows) < len(found.rows):
                logger.warning("lines of the trail are not those that were written; `kifu verify` names them")
            if not names:
                return
            logger.warning("rows of access do not match the changes, and are removed: %s", ", ".join(names))
            self._keep_aside()
            for table, key in rows:
                change.drop(table, " and ".join(f"{name} = ?" for name in table.key), key)
            change.miss(found.missing)
            self._write(change, HOUSE, "access.lost", rows=len(names))

    @contextmanager
    def _change(self, *, keeps: bool = False) -> Iterator[Change]:
        """Change something: all of it, or nothing, and nobody else meanwhile. With `keeps` the generation stays.

        What was changed is in the file of the head before this ends. Raises `StoreFullError`, `AccessStoppedError`.
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
        """See that the chain goes on from where it was known to be. Raises `AccessStoppedError`."""
        self._head, self._fault = followed(db, self._head)
        self._need_whole()

    def _need_whole(self) -> None:
        if self._fault is not None and (why := self.stopped):
            raise AccessStoppedError(why)

    def _take_down(self, head: Mark) -> None:
        try:
            self._heads.put(head)
        except OSError as error:
            raise StoreFullError(f"{self._heads.path.name} cannot be written: {error}") from error

    def _read(self, sql: str, values: Sequence[Any] = ()) -> list[Any]:
        """What a statement finds. Raises `AccessStoppedError`."""
        self._need_whole()
        with self._lock:
            found: list[Any] = self._db.execute(sql, values).fetchall()
        return found

    # Credentials

    def find(self, digest: bytes) -> Credential | None:
        """The credential with this digest, whether it still opens or not."""
        return next(self._credentials("where digest = ?", [digest]), None)

    def credential(self, id_: str) -> Credential | None:
        """The credential with this id."""
        return next(self._credentials("where id = ?", [id_]), None)

    def credentials(self, people: Collection[str] | None = None, kind: str | None = None) -> list[Credential]:
        """The credentials of these people, of all if none are named, that were not ended; the oldest first."""
        where, values = _among("person", people)
        if kind is not None:
            where, values = f"{where} and kind = ?", [*values, kind]
        return list(self._credentials(f"where ended is null and {where} order by begun, id", values))

    def add(self, credential: Credential, digest: bytes, *, by: str, using: str | None = None) -> None:
        """Keep a new credential, and `using` which other one it was made."""
        with self._change() as db:
            self._need_open(using)
            db.add(CREDENTIAL, _row(credential, digest))
            self._note(db, by, "credential.made", credential, **_of(using))

    def replace(self, old: str, new: Credential, digest: bytes, *, by: str, until: int) -> None:
        """Keep a new credential in the place of another one, which opens no longer than `until`."""
        with self._change() as db:
            self._need_open(old)
            before = self.credential(old)
            if before is not None:
                ends = until if before.ends is None else min(before.ends, until)
                self._rewrite(db, msgspec.structs.replace(before, ends=ends))
            db.add(CREDENTIAL, _row(new, digest))
            for webhook in list(self._webhooks("where credential = ?", [old])):
                _put_webhook(db, msgspec.structs.replace(webhook, credential=new.id))
            self._note(db, by, _ROTATED, new, of=old)

    def end(
        self, ids: list[str], *, by: str, why: str, links: Iterable[Link] = (), webhooks: Iterable[Webhook] = ()
    ) -> int:
        """End credentials; how many had not ended before. With them revoke `links`, and pause `webhooks`."""
        count = 0
        with self._change() as db:
            for id_ in ids:
                known = self.credential(id_)
                if known is not None and known.ended is None:
                    self._rewrite(db, msgspec.structs.replace(known, ended=now_ms()))
                    self._note(db, by, "credential.ended", known, why=why)
                    count += 1
            for link in links:
                self._end_link(db, link, by)
            for webhook in webhooks:
                _put_webhook(db, msgspec.structs.replace(webhook, enabled=False))
                self._write(db, by, "webhook.changed", person=webhook.person, webhook=webhook.id)
        return count

    def _need_open(self, id_: str | None) -> None:
        """Check that a credential has not ended: what it makes would outlive it. Raises `EndedError`."""
        known = None if id_ is None else self.credential(id_)
        if known is not None and known.ended is not None:
            raise EndedError

    def made(self) -> list[Made]:
        """Which credential made what, the oldest first, from the trail."""
        marks = ", ".join("?" * len(_MAKING))
        rows = self._read(f"select {TRAIL.names} from {TRAIL} where what in ({marks}) order by number", [*_MAKING])
        found = []
        for _, _, _, what, _, _, credential, more, _ in filter(TRAIL.fits, rows):
            details = msgspec.json.decode(more)
            if "of" in details:
                found.append(Made(details.get("webhook") or credential, details["of"], what == _ROTATED))
        return found

    def left_out(self) -> frozenset[str]:
        """The ids of people who are left out of public tables, from the trail."""
        rows = self._read(f"select {TRAIL.names} from {TRAIL} where what in (?, ?) order by number", [*_LISTING])
        said = {person: what == LEFT_OUT for _, _, _, what, person, *_ in filter(TRAIL.fits, rows)}
        return frozenset(person for person, out in said.items() if out)

    def leave_out(self, person: str, *, out: bool, by: str) -> None:
        """Leave a person out of public tables, or not any more."""
        with self._change() as db:
            self._write(db, by, LEFT_OUT if out else LISTED, person=person)

    def note_use(self, id_: str, day: int) -> None:
        """Say on which day a credential was used."""
        self._note_down(f"update {CREDENTIAL} set used = ? where id = ?", [day, id_])

    def note(self, what: str, *, by: str, person: str, game: str, credential: str) -> None:
        """Note something in the trail that changes nothing else."""
        with self._change(keeps=True) as db:
            self._write(db, by, what, person=person, game=game, credential=credential)

    def note_reads(self, reads: Iterable[Read]) -> None:
        """Say what was read; of each credential the `READS` last games are kept."""
        with self._change(keeps=True) as db:
            for id_, new in groupby(sorted(reads), key=lambda read: read.credential):
                known = {read.game: read for read in self.reads([id_])}
                for read in new:
                    before = known.get(read.game, read)
                    known[read.game] = Read(id_, read.game, min(before.first, read.first), max(before.last, read.last))
                kept = sorted(known.values(), key=lambda read: read.last)[-READS:]
                days = {read.game: (read.first, read.last) for read in kept}
                db.execute(f"update {CREDENTIAL} set reads = ? where id = ?", [_json(days), id_])

    def reads(self, ids: Collection[str]) -> list[Read]:
        """What was read with these credentials, the last first."""
        where, values = _among("id", ids)
        rows = self._read(f"select id, reads from {CREDENTIAL} where reads is not null and {where}", values)
        found = [Read(id_, game, *days) for id_, text in rows for game, days in _days_in(text).items()]
        return sorted(found, key=lambda read: (-read.last, read.game))

    def note_identity(self, person: str, what: str, *, by: str, **more: Any) -> None:
        """Note in the trail what was said of who a person is."""
        with self._change() as db:
            self._write(db, by, what, person=person, **more)

    def forget_names(self, person: str, *, by: str) -> None:
        """End all codes and credentials of a person but the owner's token, erase their names, drop their endpoints."""
        with self._change() as db:
            db.drop(CODE, "person = ?", [person])
            for known in list(self._credentials("where person = ? and kind <> 'own'", [person])):
                ended = now_ms() if known.ended is None else known.ended
                self._rewrite(db, msgspec.structs.replace(known, ended=ended, name=""))
            db.execute(f"update {CREDENTIAL} set reads = null where person = ?", [person])
            db.drop(WEBHOOK, "person = ?", [person])
            self._write(db, by, "person.erased", person=person)
        self._db.wipe(*map(str, ERASABLE))

    def relabel(self, changed: Callable[[str], str]) -> None:
        """Change the labels of all credentials, links and endpoints, ended ones as well."""
        with self._change() as db:
            for known in list(self._credentials("", [])):
                if (name := changed(known.name)) != known.name:
                    self._rewrite(db, msgspec.structs.replace(known, name=name))
            for link in list(self._links("", [])):
                if (name := changed(link.name)) != link.name:
                    ((digest,),) = db.execute(f"select digest from {LINK} where id = ?", [link.id]).fetchall()
                    self._put_link(db, msgspec.structs.replace(link, name=name), digest)
            for webhook in list(self._webhooks("", [])):
                if (about := changed(webhook.description)) != webhook.description:
                    _put_webhook(db, msgspec.structs.replace(webhook, description=about))
        self._db.wipe(*map(str, ERASABLE))

    def app_names(self, ids: Iterable[str]) -> dict[str, str]:
        """The names of apps, by their ids."""
        found = {}
        for id_ in ids:
            for known in self._credentials("where app = ? order by begun desc limit 1", [id_]):
                found[id_] = known.name
        return found

    def _credentials(self, where: str, values: list[Any]) -> Iterator[Credential]:
        for used, *row in self._read(f"select used, {CREDENTIAL.names} from {CREDENTIAL} {where}", values):
            if CREDENTIAL.fits(row):
                yield _credential(row, used)

    def _rewrite(self, db: Change, credential: Credential) -> None:
        ((digest,),) = db.execute(f"select digest from {CREDENTIAL} where id = ?", [credential.id]).fetchall()
        db.put(CREDENTIAL, _row(credential, digest))

    # Codes

    def put_code(self, digest: bytes, code: Code, *, by: str) -> None:
        """Keep a code; those that are over are forgotten."""
        row = (digest, code.purpose, code.person, code.made, code.ends, _json(code.data))
        with self._change(keeps=True) as db:
            db.drop(CODE, "ends < ?", [code.made])
            db.put(CODE, row)
            self._write(db, by, f"{code.purpose}.made", person=code.person)

    def find_code(self, digest: bytes, purpose: str) -> Code | None:
        """What a code stands for, as `take_code` says it. The code stays."""
        sql = f"select {CODE.names} from {CODE} where digest = ? and purpose = ?"
        return _usable(self._read(sql, [digest, purpose]))

    def take_code(self, digest: bytes, purpose: str) -> Code | None:
        """What a code stands for, which is used up by this; None if it was before, is over, or is no such code."""
        with self._change(keeps=True) as db:
            rows = db.drop(CODE, "digest = ? and purpose = ?", [digest, purpose])
        return _usable(rows)

    def codes(self, purpose: str) -> list[Code]:
        """The codes of a purpose that were not used, the oldest first; some may be over."""
        return [code for _, code in self._codes(purpose)]

    def drop_code(self, purpose: str, id_: str, *, by: str) -> bool:
        """Withdraw the code with this `id` in its `data`; False if there is none."""
        with self._change(keeps=True) as db:
            gone = [
                (digest, code)
                for digest, code in self._codes(purpose)
                if code.data.get("id") == id_ and now_ms() < code.ends
            ]
            for digest, code in gone:
                db.drop(CODE, "digest = ?", [digest])
                self._write(db, by, f"{purpose}.withdrawn", person=code.person)
        return bool(gone)

    def _codes(self, purpose: str) -> list[tuple[bytes, Code]]:
        rows = self._read(f"select {CODE.names} from {CODE} where purpose = ?", [purpose])
        found = [(row[0], _code(row)) for row in rows if CODE.fits(row)]
        return sorted(found, key=lambda each: (each[1].made, each[1].data.get("id", "")))  # ids grow in a millisecond

    # Answers

    def answered(self, digest: bytes) -> StoredAnswer | None:
        """What a request was answered with that had a key of this digest."""
        row = next(iter(self._read(f"select {ANSWER.names} from {ANSWER} where digest = ?", [digest])), None)
        if row is None or not ANSWER.fits(row) or row[4] < now_ms():
            return None
        return StoredAnswer(asked=row[1], status=row[2], sealed=row[3], ends=row[4])

    def keep_answer(self, digest: bytes, answer: StoredAnswer) -> None:
        """Keep what a request was answered with; those that are over are forgotten."""
        row = (digest, answer.asked, answer.status, answer.sealed, answer.ends)
        with self._change(keeps=True) as db:
            db.drop(ANSWER, "ends < ?", [now_ms()])
            db.put(ANSWER, row)

    # Links

    def find_link(self, digest: bytes) -> Link | None:
        """The share link with this digest, whether it still opens or not."""
        return next(self._links("where digest = ?", [digest]), None)

    def links(self, game: str | None = None) -> list[Link]:
        """The share links of a game, of all if none is named, that were not revoked, the oldest first."""
        where, values = ("", []) if game is None else (" and game = ?", [game])
        return list(self._links(f"where ended is null{where} order by begun, id", values))

    def add_link(self, link: Link, digest: bytes, *, by: str, using: str | None = None) -> None:
        """Keep a new share link, and `using` which credential it was made."""
        with self._change(keeps=True) as db:
            self._need_open(using)
            self._put_link(db, link, digest)
            more = {"viewpoint": link.viewpoint} | _of(using)
            self._write(db, by, "link.made", game=link.game, credential=link.id, **more)

    def end_link(self, game: str, id_: str, *, by: str) -> bool:
        """Revoke a share link of a game; False if there is none."""
        with self._change() as db:
            known = next(self._links("where id = ? and game = ? and ended is null", [id_, game]), None)
            if known is not None:
                self._end_link(db, known, by)
        return known is not None

    def _end_link(self, db: Change, link: Link, by: str) -> None:
        ((digest,),) = db.execute(f"select digest from {LINK} where id = ?", [link.id]).fetchall()
        self._put_link(db, msgspec.structs.replace(link, ended=now_ms()), digest)
        self._write(db, by, "link.ended", game=link.game, credential=link.id)

    def note_opened(self, id_: str) -> None:
        """Count that a share link was opened."""
        self._note_down(f"update {LINK} set opened = opened + 1 where id = ?", [id_])

    def _put_link(self, db: Change, link: Link, digest: bytes) -> None:
        db.put(LINK, (link.id, digest, *(getattr(link, name) for name in list(LINK.columns)[2:])))
        db.execute(f"update {LINK} set opened = ? where id = ?", [link.opened, link.id])

    def _links(self, where: str, values: list[Any]) -> Iterator[Link]:
        rows = self._read(f"select opened, {LINK.names} from {LINK} {where}", values)
        for opened, *row in filter(lambda row: LINK.fits(row[1:]), rows):
            fields = dict(zip(LINK.columns, row, strict=False))
            del fields["digest"]
            yield Link(**fields, opened=opened)

    # Webhooks

    def webhooks(self, people: Collection[str] | None = None) -> list[Webhook]:
        """The endpoints of these people, of all if none are named, the oldest first."""
        where, values = _among("person", people)
        return list(self._webhooks(f"where {where} order by begun, id", values))

    def webhook(self, id_: str) -> Webhook | None:
        """The endpoint with this id."""
        return next(self._webhooks("where id = ?", [id_]), None)

    def keep_webhook(self, webhook: Webhook, *, by: str, what: str, using: str | None = None) -> None:
        """Keep an endpoint, new or in the place of what it was; `what` happened to it, and `using` which credential."""
        with self._change(keeps=True) as db:
            self._need_open(using)
            _put_webhook(db, webhook)
            more = {"webhook": webhook.id} | _of(using)
            self._write(db, by, what, person=webhook.person, credential=webhook.credential, **more)

    def drop_webhook(self, id_: str, *, by: str) -> bool:
        """Forget an endpoint; False if there is none."""
        with self._change(keeps=True) as db:
            gone = db.drop(WEBHOOK, "id = ?", [id_])
            if gone:
                self._write(db, by, "webhook.removed", webhook=id_)
        return bool(gone)

    def _webhooks(self, where: str, values: list[Any]) -> Iterator[Webhook]:
        rows = self._read(f"select {WEBHOOK.names} from {WEBHOOK} {where}", values)
        for row in filter(WEBHOOK.fits, rows):
            fields = dict(zip(WEBHOOK.columns, row, strict=False))
            read = {name: None if fields[name] is None else msgspec.json.decode(fields[name]) for name in _WEBHOOK_JSON}
            yield msgspec.convert(fields | read | {"enabled": bool(fields["enabled"])}, Webhook)

    # Roles

    def roles(self, person: str) -> Roles:
        """What a person may do."""
        granted = self._granted("where person = ?", [person])
        if person == self.owner:
            return Roles("owner", {})
        service = next((each.role for each in granted if each.game == SERVICE), None)
        return Roles(service, {each.game: GameRole(each.role, each.seats) for each in granted if each.game != SERVICE})

    def granted(self, game: str | None = None, person: str | None = None) -> list[Granted]:
        """What was said of people: all of it, or of one game (`SERVICE`), or one person."""
        wanted = {"game": game, "person": person}
        asked = {name: value for name, value in wanted.items() if value is not None}
        where = " and ".join(f"{name} = ?" for name in asked)
        return self._granted(f"where {where}" if where else "", [*asked.values()])

    def grant(self, person: str, game: str, role: str | None, seats: frozenset[int], *, by: str) -> None:
        """Say what a person may do in a game, or on the service, in the place of what was said before."""
        row = (person, game, role or "", _json(sorted(seats)), now_ms(), by)
        with self._change() as db:
            db.put(ROLE, row)
            self._write(db, by, "role.given", person=person, game=game or None, role=role, seats=sorted(seats))

    def withdraw(self, person: str, game: str, *, by: str) -> bool:
        """Say nothing of a person in a game any more; False if nothing was said."""
        with self._change() as db:
            gone = db.drop(ROLE, "person = ? and game = ?", [person, game])
            if gone:
                self._write(db, by, "role.taken", person=person, game=game or None)
        return bool(gone)

    def _granted(self, where: str, values: list[Any]) -> list[Granted]:
        rows = self._read(f"select {ROLE.names} from {ROLE} {where} order by game, person", values)
        return [
            Granted(
                person=person,
                game=game,
                role=role or None,
                seats=frozenset(msgspec.json.decode(seats)),
                since=since,
                by=by,
            )
            for person, game, role, seats, since, by, _ in filter(ROLE.fits, rows)
        ]

    # Who may see what

    def level(self, game: str) -> Level:
        """Who may see a game."""
        shown = self.shown(game)
        return shown.level if shown else PRIVATE

    def shown(self, game: str) -> Shown | None:
        """Who may see a game, if anybody has ever said so."""
        row = next(iter(self._read(f"select {VISIBLE.names} from {VISIBLE} where game = ?", [game])), None)
        return Shown(row[1], row[3], row[4]) if row and VISIBLE.fits(row) else None

    def show(self, game: str, level: Level, *, by: str) -> None:
        """Say who may see a game."""
        with self._change() as db:
            ((last,),) = db.execute(f"select coalesce(max(number), 0) from {VISIBLE}").fetchall()
            row = (game, level, last + 1, now_ms(), by)
            db.put(VISIBLE, row)
            self._write(db, by, "game.shown", game=game, level=level)

    def changes(self, after: int, limit: int) -> list[tuple[int, str, bool]]:
        """Who may see what, as it changed: number, game, and whether it is public now; the last change of each game."""
        if self.stopped:
            return []
        rows = self._read(
            f"select {VISIBLE.names} from {VISIBLE} where number > ? order by number limit ?", [after, limit]
        )
        return [(row[2], row[0], row[1] == "public" and VISIBLE.fits(row)) for row in rows]

    # The trail

    def trail(self, after: int, limit: int, *, newest: bool = False) -> Iterator[TrailLine]:
        """The trail from a number on; or from the `newest` line back, below a number if it is not 0."""
        if newest:
            where, edge = "number < ? order by number desc", after or _BEYOND
        else:
            where, edge = "number > ? order by number", after
        rows = self._read(f"select {TRAIL.names} from {TRAIL} where {where} limit ?", [edge, limit])
        for number, at, by, what, person, game, credential, more, _ in filter(TRAIL.fits, rows):
            yield TrailLine(
                number=number,
                at=at,
                by=by,
                what=what,
                person=person,
                game=game,
                credential=credential,
                more=msgspec.json.decode(more),
            )

    def _note(self, db: Change, by: str, what: str, credential: Credential, **more: Any) -> None:
        fields = {"kind": credential.kind} | more
        self._write(db, by, what, person=credential.person, credential=credential.id, **fields)

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
        db.add(TRAIL, (last + 1, now_ms(), by, what, person, game, credential, _json(more)))


def _end_all(change: Change) -> None:
    """End and close all there is but the tokens of the owner, which the files of the hosts hold."""
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


def _among(column: str, values: Collection[str] | None) -> tuple[str, list[str]]:
    """The condition that a column holds one of these values, or, without any being named, none; and its parameters."""
    if values is None:
        return "true", []
    return (f"{column} in ({', '.join('?' * len(values))})", [*values]) if values else ("false", [])


_days = msgspec.json.Decoder(dict[str, tuple[int, int]])


def _days_in(text: str) -> dict[str, tuple[int, int]]:
    """On which days games were read, as it is kept of a credential; nothing of what is not what was written."""
    try:
        return _days.decode(text)
    except (msgspec.DecodeError, UnicodeError):
        return {}


def _of(using: str | None) -> dict[str, str]:
    """The part of a line of the trail that names the credential that made something."""
    return {} if using is None else {"of": using}


def _json(value: Any) -> str:
    return msgspec.json.encode(value).decode()


def _row(credential: Credential, digest: bytes) -> tuple[Any, ...]:
    scopes, games = (
        None if values is None else _json(sorted(values)) for values in (credential.scopes, credential.games)
    )
    return (
        *(credential.id, digest, credential.kind, credential.person, credential.app, credential.name),
        *(scopes, games, credential.begun, credential.maker, credential.ends, credential.ended),
    )


def _credential(row: Sequence[Any], used: int | None) -> Credential:
    id_, _, kind, person, app, name, scopes, games, begun, maker, ends, ended, _ = row
    allowed, where = (None if values is None else frozenset(msgspec.json.decode(values)) for values in (scopes, games))
    return Credential(
        id=id_,
        kind=kind,
        person=person,
        app=app,
        name=name,
        scopes=allowed,
        games=where,
        begun=begun,
        maker=maker,
        ends=ends,
        ended=ended,
        used=used,
    )


def _usable(rows: Iterable[Sequence[Any]]) -> Code | None:
    """The code of a row that is whole, if its time is not over."""
    return next((code for code in map(_code, filter(CODE.fits, rows)) if now_ms() < code.ends), None)


def _code(row: Sequence[Any]) -> Code:
    _, purpose, person, made, ends, data, _ = row
    return Code(purpose=purpose, person=person, made=made, ends=ends, data=msgspec.json.decode(data))


_WEBHOOK_JSON = ("scopes", "filter")


def _put_webhook(db: Change, webhook: Webhook) -> None:
    values = {name: getattr(webhook, name) for name in WEBHOOK.columns} | {"enabled": int(webhook.enabled)}
    if webhook.scopes is not None:
        values["scopes"] = _json(sorted(webhook.scopes))
    db.put(WEBHOOK, [*(values | {"filter": _json(webhook.filter)}).values()])
