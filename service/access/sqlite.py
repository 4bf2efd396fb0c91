"""The store of access in SQLite: `access.db` in the data folder.

Nothing of it can be derived from the log. So every change is on disk before it is answered, every row has a checksum,
and what is not what was written counts as never said: it opens nothing. A damaged file is set aside, and what is left
of it goes on in a new one.
"""

from __future__ import annotations

import contextlib
import logging
import sqlite3
import threading
import time
from typing import TYPE_CHECKING, Any
from uuid import uuid4
from zlib import crc32

import msgspec
from sqlite_utils import Database, Migrations
from uuid_utils import uuid7

from events.sqlite.translation import is_corruption
from service.access.principals import GameRole, Roles
from service.access.store import (
    PRIVATE,
    SERVICE,
    Answered,
    Code,
    Credential,
    Granted,
    Link,
    Shown,
    Step,
    StoreFullError,
    Webhook,
)
from service.settings import BadSettingError

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence
    from pathlib import Path

    from service.access.store import Level

FILE = "access.db"
ASIDE = "access.db.damaged"
"""What a damaged file is called once it is set aside."""

SCHEMA = 3
"""The number of the newest migration, kept as `PRAGMA user_version`. A higher one was written by a newer release."""

PAGE = 500
"""Rows of the trail that are read at a time."""

logger = logging.getLogger(__name__)

migrations = Migrations("kifu.access")


@migrations(name="1: credentials, roles, visibility, trail")
def _create(db: Database) -> None:
    for table, columns, key in (
        (CREDENTIAL, _CREDENTIAL, "id"),
        (ROLE, _ROLE, ("person", "game")),
        (VISIBLE, _VISIBLE, "game"),
        (TRAIL, _TRAIL, "number"),
        (CODE, _CODE, "digest"),
    ):
        db.table(table).create(dict(columns) | {"checksum": int}, pk=key, strict=True)
    db.table(CREDENTIAL).add_column("used", int)
    db.table(CREDENTIAL).create_index(["digest"], unique=True)
    db.table(CREDENTIAL).create_index(["person"])
    db.table(CREDENTIAL).create_index(["app"])
    db.table(ROLE).create_index(["game"])
    db.table(VISIBLE).create_index(["number"])
    for change in ("update", "delete"):
        db.execute(
            f"create trigger trail_no_{change} before {change} on {TRAIL} "
            f"begin select raise(abort, 'the trail is append-only'); end"
        )
    db.table("house").insert({"owner": str(uuid7()), "identity": uuid4().hex})


@migrations(name="2: answers, links")
def _add_answers_and_links(db: Database) -> None:
    for table, columns, key in ((ANSWER, _ANSWER, "digest"), (LINK, _LINK, "id")):
        db.table(table).create(dict(columns) | {"checksum": int}, pk=key, strict=True)
    db.table(LINK).add_column("opened", int, not_null_default=0)
    db.table(LINK).create_index(["digest"], unique=True)
    db.table(LINK).create_index(["game"])


@migrations(name="3: webhooks")
def _add_webhooks(db: Database) -> None:
    db.table(WEBHOOK).create(dict(_WEBHOOK) | {"checksum": int}, pk="id", strict=True)
    for column in ("person", "credential"):
        db.table(WEBHOOK).create_index([column])


CREDENTIAL, ROLE, VISIBLE, TRAIL, CODE = "credential", "role", "visible", "trail", "code"
ANSWER, LINK, WEBHOOK = "answer", "link", "webhook"

_CREDENTIAL = {
    "id": str,
    "digest": bytes,
    "kind": str,
    "person": str,
    "app": str,
    "name": str,
    "scopes": str,
    "games": str,
    "begun": int,
    "maker": str,
    "ends": int,
    "ended": int,
}
_ROLE = {"person": str, "game": str, "role": str, "seats": str, "since": int, "by": str}
_VISIBLE = {"game": str, "level": str, "number": int, "since": int, "by": str}
_TRAIL = {
    "number": int,
    "at": int,
    "by": str,
    "what": str,
    "person": str,
    "game": str,
    "credential": str,
    "more": str,
}
_CODE = {"digest": bytes, "purpose": str, "person": str, "made": int, "ends": int, "data": str}
_ANSWER = {"digest": bytes, "asked": bytes, "status": int, "sealed": bytes, "ends": int}
_LINK = {
    "id": str,
    "digest": bytes,
    "game": str,
    "viewpoint": str,
    "at": int,
    "name": str,
    "begun": int,
    "maker": str,
    "ends": int,
    "ended": int,
}
_WEBHOOK = {
    "id": str,
    "person": str,
    "app": str,
    "credential": str,
    "scopes": str,
    "url": str,
    "base": str,
    "format": str,
    "description": str,
    "filter": str,
    "secret": str,
    "old_secret": str,
    "old_ends": int,
    "enabled": int,
    "since": int,
    "begun": int,
    "maker": str,
}
_TABLES: dict[str, dict[str, type]] = {
    CREDENTIAL: _CREDENTIAL,
    ROLE: _ROLE,
    VISIBLE: _VISIBLE,
    TRAIL: _TRAIL,
    CODE: _CODE,
    ANSWER: _ANSWER,
    LINK: _LINK,
    WEBHOOK: _WEBHOOK,
}


class AccessNewerError(BadSettingError):
    """The store was written by a newer release."""


def _checksum(values: Iterable[Any]) -> int:
    return crc32(repr(tuple(values)).encode())


def _fits(row: Sequence[Any]) -> bool:
    """Whether a row (what is summed, the checksum) is what was written."""
    return bool(_checksum(row[:-1]) == row[-1])


def _columns(table: str) -> str:
    return ", ".join(f'"{name}"' for name in (*_TABLES[table], "checksum"))


def _put(table: str) -> str:
    marks = ", ".join("?" * (len(_TABLES[table]) + 1))
    return f"insert or replace into {table} ({_columns(table)}) values ({marks})"


class SqliteStore:
    """See `service.access.store.Store`. For the one process that has the log open for writing.

    Another one can open it beside that one and only `reads`: it is told everything as it is at the moment.
    Raises `AccessNewerError`, `OSError`.
    """

    def __init__(self, folder: Path, *, reads: bool = False) -> None:
        self._path = folder / FILE
        self._lock = threading.RLock()
        self.generation = 0
        if reads:
            self._db = _reading(self._path)
        else:
            found = next(prove(self._path), None) if self._path.exists() else None
            self._db = _renewed(self._path, found) if found else _opened(self._path)
        ((self.owner, self.identity),) = self._db.execute("select owner, identity from house").fetchall()

    def close(self) -> None:
        """Let go of the file."""
        with self._lock:
            self._db.conn.close()

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

    def add(self, credential: Credential, digest: bytes, *, by: str) -> None:
        """Keep a new credential."""
        with self._change() as db:
            _insert(db, credential, digest)
            self._note(db, by, "credential.made", credential)

    def replace(self, old: str, new: Credential, digest: bytes, *, by: str, until: int) -> None:
        """Keep a new credential in the place of another one, which opens no longer than `until`."""
        with self._change() as db:
            before = self.credential(old)
            if before is not None:
                ends = until if before.ends is None else min(before.ends, until)
                self._rewrite(db, msgspec.structs.replace(before, ends=ends))
            _insert(db, new, digest)
            for webhook in self._webhooks("where credential = ?", [old]):
                _put_webhook(db, msgspec.structs.replace(webhook, credential=new.id))
            self._note(db, by, "credential.rotated", new, of=old)

    def end(self, ids: list[str], *, by: str, why: str) -> int:
        """End credentials; how many had not ended before."""
        count = 0
        with self._change() as db:
            for id_ in ids:
                known = self.credential(id_)
                if known is not None and known.ended is None:
                    self._rewrite(db, msgspec.structs.replace(known, ended=_now()))
                    self._note(db, by, "credential.ended", known, why=why)
                    count += 1
        return count

    def note_use(self, id_: str, day: int) -> None:
        """Say on which day a credential was used."""
        with self._lock, contextlib.suppress(sqlite3.OperationalError):  # a full disk keeps nobody out
            self._db.execute(f"update {CREDENTIAL} set used = ? where id = ?", [day, id_])

    def note_identity(self, person: str, what: str, *, by: str, **more: Any) -> None:
        """Note in the trail what was said of who a person is."""
        with self._change() as db:
            self._write(db, by, what, person=person, **more)

    def forget_names(self, person: str, *, by: str) -> None:
        """End all codes and credentials of a person but the owner's token, erase their names, drop their endpoints."""
        with self._change() as db:
            db.execute(f"delete from {CODE} where person = ?", [person])
            for known in list(self._credentials("where person = ? and kind <> 'own'", [person])):
                ended = _now() if known.ended is None else known.ended
                self._rewrite(db, msgspec.structs.replace(known, ended=ended, name=""))
            db.execute(f"delete from {WEBHOOK} where person = ?", [person])
            self._write(db, by, "person.erased", person=person)
        with self._lock:
            self._db.execute("pragma wal_checkpoint(truncate)")

    def app_names(self, ids: Iterable[str]) -> dict[str, str]:
        """The names of apps, by their ids."""
        found = {}
        for id_ in ids:
            for known in self._credentials("where app = ? order by begun desc limit 1", [id_]):
                found[id_] = known.name
        return found

    def _credentials(self, where: str, values: list[Any]) -> Iterator[Credential]:
        with self._lock:
            sql = f"select used, {_columns(CREDENTIAL)} from {CREDENTIAL} {where}"
            rows = self._db.execute(sql, values).fetchall()
        for used, *row in rows:
            if _fits(row):
                yield _credential(row, used)

    def _rewrite(self, db: Database, credential: Credential) -> None:
        ((digest,),) = db.execute(f"select digest from {CREDENTIAL} where id = ?", [credential.id]).fetchall()
        row = _row(credential, digest)
        columns = ", ".join(f"{name} = ?" for name in (*_CREDENTIAL, "checksum"))
        db.execute(f"update {CREDENTIAL} set {columns} where id = ?", [*row, _checksum(row), credential.id])

    # Codes

    def put_code(self, digest: bytes, code: Code, *, by: str) -> None:
        """Keep a code; those that are over are forgotten."""
        row = (digest, code.purpose, code.person, code.made, code.ends, _json(code.data))
        with self._change(keeps=True) as db:
            db.execute(f"delete from {CODE} where ends < ?", [code.made])
            db.execute(_put(CODE), [*row, _checksum(row)])
            self._write(db, by, f"{code.purpose}.made", person=code.person)

    def take_code(self, digest: bytes, purpose: str) -> Code | None:
        """What a code stands for, which is used up by this; None if it was before, is over, or is no such code."""
        with self._change(keeps=True) as db:
            rows = db.execute(
                f"delete from {CODE} where digest = ? and purpose = ? returning {_columns(CODE)}", [digest, purpose]
            ).fetchall()
        return next((code for code in map(_code, filter(_fits, rows)) if _now() < code.ends), None)

    def codes(self, purpose: str) -> list[Code]:
        """The codes of a purpose that were not used, the oldest first; some may be over."""
        with self._lock:
            sql = f"select {_columns(CODE)} from {CODE} where purpose = ? order by made, rowid"
            rows = self._db.execute(sql, [purpose]).fetchall()
        return [_code(row) for row in rows if _fits(row)]

    def drop_code(self, purpose: str, id_: str, *, by: str) -> bool:
        """Withdraw the code of which `data` has this `id`; False if there is none."""
        with self._change(keeps=True) as db:
            sql = (
                f"delete from {CODE} where purpose = ? and json_extract(data, '$.id') = ? and ends > ? returning person"
            )
            gone = db.execute(sql, [purpose, id_, _now()]).fetchall()
            for (person,) in gone:
                self._write(db, by, f"{purpose}.withdrawn", person=person)
        return bool(gone)

    # Answers

    def answered(self, digest: bytes) -> Answered | None:
        """What a request was answered with that had a key of this digest."""
        with self._lock:
            row = self._db.execute(f"select {_columns(ANSWER)} from {ANSWER} where digest = ?", [digest]).fetchone()
        if row is None or not _fits(row) or row[4] < _now():
            return None
        return Answered(asked=row[1], status=row[2], sealed=row[3], ends=row[4])

    def keep_answer(self, digest: bytes, answer: Answered) -> None:
        """Keep what a request was answered with; those that are over are forgotten."""
        row = (digest, answer.asked, answer.status, answer.sealed, answer.ends)
        with self._change(keeps=True) as db:
            db.execute(f"delete from {ANSWER} where ends < ?", [_now()])
            db.execute(_put(ANSWER), [*row, _checksum(row)])

    # Links

    def find_link(self, digest: bytes) -> Link | None:
        """The share link with this digest, whether it still opens or not."""
        return next(self._links("where digest = ?", [digest]), None)

    def links(self, game: str | None = None) -> list[Link]:
        """The share links of a game, of all if none is named, that were not revoked, the oldest first."""
        where, values = ("", []) if game is None else (" and game = ?", [game])
        return list(self._links(f"where ended is null{where} order by begun, id", values))

    def add_link(self, link: Link, digest: bytes, *, by: str) -> None:
        """Keep a new share link."""
        with self._change(keeps=True) as db:
            self._put_link(db, link, digest)
            self._write(db, by, "link.made", game=link.game, credential=link.id, viewpoint=link.viewpoint)

    def end_link(self, game: str, id_: str, *, by: str) -> bool:
        """Revoke a share link of a game; False if there is none."""
        with self._change(keeps=True) as db:
            known = next(self._links("where id = ? and game = ? and ended is null", [id_, game]), None)
            if known is None:
                return False
            ((digest,),) = db.execute(f"select digest from {LINK} where id = ?", [id_]).fetchall()
            self._put_link(db, msgspec.structs.replace(known, ended=_now()), digest)
            self._write(db, by, "link.ended", game=game, credential=id_)
        return True

    def note_opened(self, id_: str) -> None:
        """Count that a share link was opened."""
        with self._lock, contextlib.suppress(sqlite3.OperationalError):
            self._db.execute(f"update {LINK} set opened = opened + 1 where id = ?", [id_])

    def _put_link(self, db: Database, link: Link, digest: bytes) -> None:
        row = (link.id, digest, *(getattr(link, name) for name in list(_LINK)[2:]))
        db.execute(_put(LINK), [*row, _checksum(row)])
        db.execute(f"update {LINK} set opened = ? where id = ?", [link.opened, link.id])

    def _links(self, where: str, values: list[Any]) -> Iterator[Link]:
        with self._lock:
            rows = self._db.execute(f"select opened, {_columns(LINK)} from {LINK} {where}", values).fetchall()
        for opened, *row in filter(lambda row: _fits(row[1:]), rows):
            said = dict(zip(_LINK, row, strict=False))
            del said["digest"]
            yield Link(**said, opened=opened)

    # Webhooks

    def webhooks(self, people: Collection[str] | None = None) -> list[Webhook]:
        """The endpoints of these people, of all if none are named, the oldest first."""
        where, values = _among("person", people)
        return list(self._webhooks(f"where {where} order by begun, id", values))

    def webhook(self, id_: str) -> Webhook | None:
        """The endpoint with this id."""
        return next(self._webhooks("where id = ?", [id_]), None)

    def keep_webhook(self, webhook: Webhook, *, by: str, what: str) -> None:
        """Keep an endpoint, new or in the place of what it was; `what` happened to it."""
        with self._change(keeps=True) as db:
            _put_webhook(db, webhook)
            self._write(db, by, what, person=webhook.person, credential=webhook.credential, webhook=webhook.id)

    def drop_webhook(self, id_: str, *, by: str) -> bool:
        """Forget an endpoint; False if there is none."""
        with self._change(keeps=True) as db:
            gone = db.execute(f"delete from {WEBHOOK} where id = ?", [id_]).rowcount > 0
            if gone:
                self._write(db, by, "webhook.removed", webhook=id_)
        return gone

    def _webhooks(self, where: str, values: list[Any]) -> Iterator[Webhook]:
        with self._lock:
            rows = self._db.execute(f"select {_columns(WEBHOOK)} from {WEBHOOK} {where}", values).fetchall()
        for row in filter(_fits, rows):
            said = dict(zip(_WEBHOOK, row, strict=False))
            read = {name: None if said[name] is None else msgspec.json.decode(said[name]) for name in _WEBHOOK_JSON}
            yield msgspec.convert(said | read | {"enabled": bool(said["enabled"])}, Webhook)

    # Roles

    def roles(self, person: str) -> Roles:
        """What a person may do."""
        said = self._granted("where person = ?", [person])
        if person == self.owner:
            return Roles("owner", {})
        service = next((each.role for each in said if each.game == SERVICE), None)
        return Roles(service, {each.game: GameRole(each.role, each.seats) for each in said if each.game != SERVICE})

    def granted(self, game: str | None = None, person: str | None = None) -> list[Granted]:
        """What was said of people: all of it, or of one game (`SERVICE`), or one person."""
        wanted = {"game": game, "person": person}
        asked = {name: value for name, value in wanted.items() if value is not None}
        where = " and ".join(f"{name} = ?" for name in asked)
        return self._granted(f"where {where}" if where else "", [*asked.values()])

    def grant(self, person: str, game: str, role: str | None, seats: frozenset[int], *, by: str) -> None:
        """Say what a person may do in a game, or on the service, in the place of what was said before."""
        row = (person, game, role or "", _json(sorted(seats)), _now(), by)
        with self._change() as db:
            db.execute(_put(ROLE), [*row, _checksum(row)])
            self._write(db, by, "role.given", person=person, game=game or None, role=role, seats=sorted(seats))

    def withdraw(self, person: str, game: str, *, by: str) -> bool:
        """Say nothing of a person in a game any more; False if nothing was said."""
        with self._change() as db:
            gone = db.execute(f"delete from {ROLE} where person = ? and game = ?", [person, game]).rowcount > 0
            if gone:
                self._write(db, by, "role.taken", person=person, game=game or None)
        return gone

    def _granted(self, where: str, values: list[Any]) -> list[Granted]:
        with self._lock:
            sql = f"select {_columns(ROLE)} from {ROLE} {where} order by game, person"
            rows = self._db.execute(sql, values).fetchall()
        return [
            Granted(
                person=person,
                game=game,
                role=role or None,
                seats=frozenset(msgspec.json.decode(seats)),
                since=since,
                by=by,
            )
            for person, game, role, seats, since, by, _ in filter(_fits, rows)
        ]

    # Who may see what

    def level(self, game: str) -> Level:
        """Who may see a game."""
        shown = self.shown(game)
        return shown.level if shown else PRIVATE

    def shown(self, game: str) -> Shown | None:
        """Who may see a game, if anybody has ever said so."""
        with self._lock:
            sql = f"select {_columns(VISIBLE)} from {VISIBLE} where game = ?"
            row = self._db.execute(sql, [game]).fetchone()
        return Shown(row[1], row[3], row[4]) if row and _fits(row) else None

    def show(self, game: str, level: Level, *, by: str) -> None:
        """Say who may see a game."""
        with self._change(keeps=True) as db:
            ((last,),) = db.execute(f"select coalesce(max(number), 0) from {VISIBLE}").fetchall()
            row = (game, level, last + 1, _now(), by)
            db.execute(_put(VISIBLE), [*row, _checksum(row)])
            self._write(db, by, "game.shown", game=game, level=level)

    def changes(self, after: int, limit: int) -> list[tuple[int, str, bool]]:
        """Who may see what, as it changed: number, game, and whether it is public now; the last change of each game."""
        with self._lock:
            sql = f"select {_columns(VISIBLE)} from {VISIBLE} where number > ? order by number limit ?"
            rows = self._db.execute(sql, [after, limit]).fetchall()
        return [(row[2], row[0], row[1] == "public" and _fits(row)) for row in rows]

    # The trail

    def trail(self, after: int, limit: int, *, newest: bool = False) -> Iterator[Step]:
        """The trail from a number on; or from the `newest` line back, below a number if it is not 0."""
        where = "(number < ?1 or ?1 = 0) order by number desc" if newest else "number > ?1 order by number"
        with self._lock:
            sql = f"select {_columns(TRAIL)} from {TRAIL} where {where} limit ?2"
            rows = self._db.execute(sql, [after, limit]).fetchall()
        for number, at, by, what, person, game, credential, more, _ in filter(_fits, rows):
            yield Step(
                number=number,
                at=at,
                by=by,
                what=what,
                person=person,
                game=game,
                credential=credential,
                more=msgspec.json.decode(more),
            )

    def _note(self, db: Database, by: str, what: str, credential: Credential, **more: Any) -> None:
        said = {"kind": credential.kind} | more
        self._write(db, by, what, person=credential.person, credential=credential.id, **said)

    def _write(
        self,
        db: Database,
        by: str,
        what: str,
        *,
        person: str | None = None,
        game: str | None = None,
        credential: str | None = None,
        **more: Any,
    ) -> None:
        ((last,),) = db.execute(f"select coalesce(max(number), 0) from {TRAIL}").fetchall()
        row = (last + 1, _now(), by, what, person, game, credential, _json(more))
        db.execute(_put(TRAIL), [*row, _checksum(row)])

    # The file

    @contextlib.contextmanager
    def _change(self, *, keeps: bool = False) -> Iterator[Database]:
        """Change something: all of it, or nothing. Raises `StoreFullError`."""
        with self._lock:
            try:
                with self._db.atomic():
                    yield self._db
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode & 0xFF not in _FULL:
                    raise
                raise StoreFullError(f"{self._path.name} cannot be written: {error}") from error
            finally:
                if not keeps:
                    self.generation += 1


_FULL = {sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN}


def _among(column: str, values: Collection[str] | None) -> tuple[str, list[str]]:
    """The condition that a column holds one of these values, or, without any being named, none; and its parameters."""
    return ("1", []) if values is None else (f"{column} in ({', '.join('?' * len(values))})", [*values])


def _json(value: Any) -> str:
    return msgspec.json.encode(value).decode()


def _now() -> int:
    return time.time_ns() // 1_000_000


def _row(credential: Credential, digest: bytes) -> tuple[Any, ...]:
    scopes, games = (None if said is None else _json(sorted(said)) for said in (credential.scopes, credential.games))
    return (
        *(credential.id, digest, credential.kind, credential.person, credential.app, credential.name),
        *(scopes, games, credential.begun, credential.maker, credential.ends, credential.ended),
    )


def _insert(db: Database, credential: Credential, digest: bytes) -> None:
    row = _row(credential, digest)
    db.execute(_put(CREDENTIAL).replace("insert or replace", "insert"), [*row, _checksum(row)])


def _credential(row: Sequence[Any], used: int | None) -> Credential:
    id_, _, kind, person, app, name, scopes, games, begun, maker, ends, ended, _ = row
    allowed, where = (None if said is None else frozenset(msgspec.json.decode(said)) for said in (scopes, games))
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


def _code(row: Sequence[Any]) -> Code:
    _, purpose, person, made, ends, data, _ = row
    return Code(purpose=purpose, person=person, made=made, ends=ends, data=msgspec.json.decode(data))


_WEBHOOK_JSON = ("scopes", "filter")


def _put_webhook(db: Database, webhook: Webhook) -> None:
    said = {name: getattr(webhook, name) for name in _WEBHOOK} | {"enabled": int(webhook.enabled)}
    if webhook.scopes is not None:
        said["scopes"] = _json(sorted(webhook.scopes))
    row = [*(said | {"filter": _json(webhook.filter)}).values()]
    db.execute(_put(WEBHOOK), [*row, _checksum(row)])


def _opened(path: Path) -> Database:
    connection = sqlite3.connect(path, timeout=30, isolation_level=None, check_same_thread=False)
    try:
        for pragma in ("journal_mode = wal", "synchronous = full", "secure_delete = on"):
            connection.execute(f"pragma {pragma}")
        db = Database(connection)
        ((schema,),) = db.execute("pragma user_version").fetchall()
        if schema > SCHEMA:
            raise AccessNewerError(
                f"{path} has schema {schema}, and this release knows {SCHEMA}: it was written by a newer one"
            )
        if schema < SCHEMA:
            with db.atomic():
                migrations.apply(db)
                db.execute(f"pragma user_version = {SCHEMA}")
    except BaseException:
        connection.close()
        raise
    return db


def _reading(path: Path) -> Database:
    """The store of another process. Raises `FileNotFoundError`, and `AccessNewerError` for one of another release."""
    if not path.exists():
        raise FileNotFoundError(f"no store of access {path}")
    address = f"{path.absolute().as_uri()}?mode=ro"
    connection = sqlite3.connect(address, uri=True, timeout=30, isolation_level=None, check_same_thread=False)
    if connection.execute("pragma user_version").fetchone() != (SCHEMA,):
        connection.close()
        raise AccessNewerError(f"{path} is of another release")
    return Database(connection)


def prove(path: Path) -> Iterator[str]:
    """What is wrong with a store of access: SQLite's own findings, and rows that do not fit their checksums."""
    try:
        connection = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=30, isolation_level=None)
    except sqlite3.Error as error:
        yield str(error)
        return
    with contextlib.closing(connection):
        try:
            if connection.execute("pragma user_version").fetchone() != (SCHEMA,):
                return  # of another release, which is looked at once it is brought up to this one
            for (finding,) in connection.execute("pragma integrity_check"):
                if finding != "ok":
                    yield f"SQLite: {finding}"
            if connection.execute("select typeof(owner), typeof(identity) from house").fetchall() != [("text", "text")]:
                yield "it is not known whose it is"
            for table in _TABLES:
                for row in connection.execute(f"select {_columns(table)} from {table}"):
                    if not _fits(row):
                        yield f"a row of {table} is not what was written: {row[0]}"
        except (sqlite3.Error, UnicodeDecodeError) as error:
            yield str(error)


def _renewed(path: Path, why: str) -> Database:
    """A new file with all rows of a damaged one that fit; that one is set aside."""
    logger.warning("%s is damaged and set aside; what cannot be read of it opens nothing any more: %s", path, why)
    aside = path.with_name(ASIDE)
    for rest in ("", "-wal", "-shm"):
        path.with_name(ASIDE + rest).unlink(missing_ok=True)
        with contextlib.suppress(FileNotFoundError):
            path.with_name(path.name + rest).rename(path.with_name(ASIDE + rest))
    db = _opened(path)
    try:
        with contextlib.closing(sqlite3.connect(aside)) as old, db.atomic():
            _salvage(old, db)
    except sqlite3.DatabaseError as error:
        if not is_corruption(error):
            raise
    return db


def _salvage(old: sqlite3.Connection, db: Database) -> None:
    for table in _TABLES:
        with contextlib.suppress(sqlite3.DatabaseError, UnicodeDecodeError):
            for row in old.execute(f"select {_columns(table)} from {table} not indexed"):
                if _fits(row):
                    marks = ", ".join("?" * len(row))
                    db.execute(f"insert or ignore into {table} ({_columns(table)}) values ({marks})", row)
    with contextlib.suppress(sqlite3.DatabaseError, UnicodeDecodeError):
        for (owner,) in old.execute("select owner from house where typeof(owner) = 'text'"):
            db.execute("update house set owner = ?", [owner])


def copy(source: Path, target: Path) -> None:
    """Copy a store, which a service may be writing to, and prove the copy. Raises `OSError`, `sqlite3.Error`."""
    address = f"{source.absolute().as_uri()}?mode=ro"
    with (
        contextlib.closing(sqlite3.connect(address, uri=True)) as old,
        contextlib.closing(sqlite3.connect(target)) as new,
    ):
        old.backup(new)
    for finding in prove(target):
        raise OSError(f"the copy of {source} is not sound: {finding}")
