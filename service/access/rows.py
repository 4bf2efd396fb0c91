"""What is kept of access, as rows of tables, whatever database holds them.

Nothing of it can be derived from the log. So every change is on disk before it is answered, every row has a checksum,
and what is not what was written counts as never said: it opens nothing.
"""

from __future__ import annotations

import time
from itertools import groupby
from typing import TYPE_CHECKING, Any, Protocol
from zlib import crc32

import msgspec

from service.access.principals import GameRole, Roles
from service.access.store import (
    PRIVATE,
    READS,
    SERVICE,
    Answered,
    Code,
    Credential,
    EndedError,
    Granted,
    Link,
    Made,
    Read,
    Shown,
    Step,
    Webhook,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
    from contextlib import AbstractContextManager

    from service.access.store import Level

SCHEMA = 4
"""The number of the newest migration. A higher one was written by a newer release."""

CREDENTIAL, ROLE, VISIBLE, TRAIL, CODE = "credential", "role", "visible", "trail", "code"
ANSWER, LINK, WEBHOOK = "answer", "link", "webhook"

_ROTATED = "credential.rotated"
_MAKING = ("credential.made", _ROTATED, "link.made", "webhook.made", "webhook.changed")
"""The lines of the trail that can name the credential that made something."""

_BEYOND = (1 << 63) - 1
"""Above the number of every line of the trail."""

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
TABLES: dict[str, dict[str, type]] = {
    CREDENTIAL: _CREDENTIAL,
    ROLE: _ROLE,
    VISIBLE: _VISIBLE,
    TRAIL: _TRAIL,
    CODE: _CODE,
    ANSWER: _ANSWER,
    LINK: _LINK,
    WEBHOOK: _WEBHOOK,
}
KEYS: dict[str, tuple[str, ...]] = {
    CREDENTIAL: ("id",),
    ROLE: ("person", "game"),
    VISIBLE: ("game",),
    TRAIL: ("number",),
    CODE: ("digest",),
    ANSWER: ("digest",),
    LINK: ("id",),
    WEBHOOK: ("id",),
}
BESIDE: dict[str, dict[str, str]] = {
    CREDENTIAL: {"used": "integer", "reads": "text"},
    LINK: {"opened": "integer not null default 0"},
}
"""Columns that change by themselves, and are not in the checksum."""

INDEXES: dict[str, tuple[str, ...]] = {
    CREDENTIAL: ("person", "app"),
    ROLE: ("game",),
    VISIBLE: ("number",),
    LINK: ("game",),
    WEBHOOK: ("person", "credential"),
}
"""What is looked for, beside the keys. Whatever has a digest is found by it, and there is one of each."""


def checksum(values: Iterable[Any]) -> int:
    """What is kept beside a row's values, to know them by."""
    return crc32(repr(tuple(values)).encode())


def fits(row: Sequence[Any]) -> bool:
    """Whether a row (what is summed, the checksum) is what was written."""
    return bool(checksum(row[:-1]) == row[-1])


def columns(table: str) -> str:
    """The columns of a table that are summed, and the checksum, as a statement names them."""
    return ", ".join(f'"{name}"' for name in (*TABLES[table], "checksum"))


def _add(table: str) -> str:
    """The statement that adds a row, with its checksum."""
    marks = ", ".join("?" * (len(TABLES[table]) + 1))
    return f"insert into {table} ({columns(table)}) values ({marks})"


def _put(table: str) -> str:
    """The statement that puts a row in the place of the one that has its key."""
    key = KEYS[table]
    rest = ", ".join(f'"{name}" = excluded."{name}"' for name in (*TABLES[table], "checksum") if name not in key)
    return f"{_add(table)} on conflict ({', '.join(key)}) do update set {rest}"


class Statements(Protocol):
    """What carries statements out: in the dialect of SQLite, as far as PostgreSQL has it with other words for it."""

    def execute(self, sql: str, values: Sequence[Any] = ()) -> Any:
        """Carry a statement out. What it found can be fetched, or is in its `rowcount`."""


def copy_rows(source: Statements, target: Statements) -> None:
    """Put whose store it is, and all that was said in it, into an empty one."""
    for row in source.execute("select owner, identity from house").fetchall():
        target.execute("update house set owner = ?, identity = ?", row)
    for table in TABLES:
        names = ", ".join([columns(table), *BESIDE.get(table, {})])
        for row in source.execute(f"select {names} from {table}").fetchall():
            target.execute(f"insert into {table} ({names}) values ({', '.join('?' * len(row))})", row)


def unfit(db: Statements) -> Iterator[str]:
    """What is wrong with the rows of a store."""
    for table in TABLES:
        for row in db.execute(f"select {columns(table)} from {table}").fetchall():
            if not fits(row):
                yield f"a row of {table} is not what was written: {row[0]}"


class RowStore:
    """See `service.access.store.Store`. Its kinds say where the tables are, and how something is changed in them."""

    owner: str
    identity: str
    _db: Statements
    _lock: AbstractContextManager[Any]

    @property
    def unwritable(self) -> str:
        """See `Store.unwritable`."""
        return ""

    # What a kind of store does

    def _change(self, *, keeps: bool = False) -> AbstractContextManager[Statements]:
        """Change something: all of it, or nothing, and nobody else meanwhile. Raises `StoreFullError`."""
        raise NotImplementedError

    def _note_down(self, sql: str, values: Sequence[Any]) -> None:
        """Carry out a statement whose loss nobody would notice: not at all rather than keep anybody out."""
        raise NotImplementedError

    def _wipe(self) -> None:
        """See that no byte is left of what was erased."""
        raise NotImplementedError

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
            _insert(db, credential, digest)
            self._note(db, by, "credential.made", credential, **_of(using))

    def replace(self, old: str, new: Credential, digest: bytes, *, by: str, until: int) -> None:
        """Keep a new credential in the place of another one, which opens no longer than `until`."""
        with self._change() as db:
            self._need_open(old)
            before = self.credential(old)
            if before is not None:
                ends = until if before.ends is None else min(before.ends, until)
                self._rewrite(db, msgspec.structs.replace(before, ends=ends))
            _insert(db, new, digest)
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
                    self._rewrite(db, msgspec.structs.replace(known, ended=_now()))
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
        with self._lock:
            sql = f"select {columns(TRAIL)} from {TRAIL} where what in ({marks}) order by number"
            rows = self._db.execute(sql, [*_MAKING]).fetchall()
        found = []
        for _, _, _, what, _, _, credential, more, _ in filter(fits, rows):
            said = msgspec.json.decode(more)
            if "of" in said:
                found.append(Made(said.get("webhook") or credential, said["of"], what == _ROTATED))
        return found

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
                said = {read.game: (read.first, read.last) for read in kept}
                db.execute(f"update {CREDENTIAL} set reads = ? where id = ?", [_json(said), id_])

    def reads(self, ids: Collection[str]) -> list[Read]:
        """What was read with these credentials, the last first."""
        where, values = _among("id", ids)
        with self._lock:
            sql = f"select id, reads from {CREDENTIAL} where reads is not null and {where}"
            rows = self._db.execute(sql, values).fetchall()
        found = [Read(id_, game, *days) for id_, text in rows for game, days in _days_in(text).items()]
        return sorted(found, key=lambda read: (-read.last, read.game))

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
            db.execute(f"update {CREDENTIAL} set reads = null where person = ?", [person])
            db.execute(f"delete from {WEBHOOK} where person = ?", [person])
            self._write(db, by, "person.erased", person=person)
        self._wipe()

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
        self._wipe()

    def app_names(self, ids: Iterable[str]) -> dict[str, str]:
        """The names of apps, by their ids."""
        found = {}
        for id_ in ids:
            for known in self._credentials("where app = ? order by begun desc limit 1", [id_]):
                found[id_] = known.name
        return found

    def _credentials(self, where: str, values: list[Any]) -> Iterator[Credential]:
        with self._lock:
            sql = f"select used, {columns(CREDENTIAL)} from {CREDENTIAL} {where}"
            rows = self._db.execute(sql, values).fetchall()
        for used, *row in rows:
            if fits(row):
                yield _credential(row, used)

    def _rewrite(self, db: Statements, credential: Credential) -> None:
        ((digest,),) = db.execute(f"select digest from {CREDENTIAL} where id = ?", [credential.id]).fetchall()
        row = _row(credential, digest)
        columns = ", ".join(f"{name} = ?" for name in (*_CREDENTIAL, "checksum"))
        db.execute(f"update {CREDENTIAL} set {columns} where id = ?", [*row, checksum(row), credential.id])

    # Codes

    def put_code(self, digest: bytes, code: Code, *, by: str) -> None:
        """Keep a code; those that are over are forgotten."""
        row = (digest, code.purpose, code.person, code.made, code.ends, _json(code.data))
        with self._change(keeps=True) as db:
            db.execute(f"delete from {CODE} where ends < ?", [code.made])
            db.execute(_put(CODE), [*row, checksum(row)])
            self._write(db, by, f"{code.purpose}.made", person=code.person)

    def take_code(self, digest: bytes, purpose: str) -> Code | None:
        """What a code stands for, which is used up by this; None if it was before, is over, or is no such code."""
        with self._change(keeps=True) as db:
            rows = db.execute(
                f"delete from {CODE} where digest = ? and purpose = ? returning {columns(CODE)}", [digest, purpose]
            ).fetchall()
        return next((code for code in map(_code, filter(fits, rows)) if _now() < code.ends), None)

    def codes(self, purpose: str) -> list[Code]:
        """The codes of a purpose that were not used, the oldest first; some may be over."""
        return [code for _, code in self._codes(purpose)]

    def drop_code(self, purpose: str, id_: str, *, by: str) -> bool:
        """Withdraw the code of which `data` has this `id`; False if there is none."""
        with self._change(keeps=True) as db:
            gone = [
                (digest, code)
                for digest, code in self._codes(purpose)
                if code.data.get("id") == id_ and _now() < code.ends
            ]
            for digest, code in gone:
                db.execute(f"delete from {CODE} where digest = ?", [digest])
                self._write(db, by, f"{purpose}.withdrawn", person=code.person)
        return bool(gone)

    def _codes(self, purpose: str) -> list[tuple[bytes, Code]]:
        with self._lock:
            rows = self._db.execute(f"select {columns(CODE)} from {CODE} where purpose = ?", [purpose]).fetchall()
        found = [(row[0], _code(row)) for row in rows if fits(row)]
        return sorted(found, key=lambda each: (each[1].made, each[1].data.get("id", "")))  # ids grow in a millisecond

    # Answers

    def answered(self, digest: bytes) -> Answered | None:
        """What a request was answered with that had a key of this digest."""
        with self._lock:
            row = self._db.execute(f"select {columns(ANSWER)} from {ANSWER} where digest = ?", [digest]).fetchone()
        if row is None or not fits(row) or row[4] < _now():
            return None
        return Answered(asked=row[1], status=row[2], sealed=row[3], ends=row[4])

    def keep_answer(self, digest: bytes, answer: Answered) -> None:
        """Keep what a request was answered with; those that are over are forgotten."""
        row = (digest, answer.asked, answer.status, answer.sealed, answer.ends)
        with self._change(keeps=True) as db:
            db.execute(f"delete from {ANSWER} where ends < ?", [_now()])
            db.execute(_put(ANSWER), [*row, checksum(row)])

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

    def _end_link(self, db: Statements, link: Link, by: str) -> None:
        ((digest,),) = db.execute(f"select digest from {LINK} where id = ?", [link.id]).fetchall()
        self._put_link(db, msgspec.structs.replace(link, ended=_now()), digest)
        self._write(db, by, "link.ended", game=link.game, credential=link.id)

    def note_opened(self, id_: str) -> None:
        """Count that a share link was opened."""
        self._note_down(f"update {LINK} set opened = opened + 1 where id = ?", [id_])

    def _put_link(self, db: Statements, link: Link, digest: bytes) -> None:
        row = (link.id, digest, *(getattr(link, name) for name in list(_LINK)[2:]))
        db.execute(_put(LINK), [*row, checksum(row)])
        db.execute(f"update {LINK} set opened = ? where id = ?", [link.opened, link.id])

    def _links(self, where: str, values: list[Any]) -> Iterator[Link]:
        with self._lock:
            rows = self._db.execute(f"select opened, {columns(LINK)} from {LINK} {where}", values).fetchall()
        for opened, *row in filter(lambda row: fits(row[1:]), rows):
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
            gone = db.execute(f"delete from {WEBHOOK} where id = ?", [id_]).rowcount > 0
            if gone:
                self._write(db, by, "webhook.removed", webhook=id_)
        return bool(gone)

    def _webhooks(self, where: str, values: list[Any]) -> Iterator[Webhook]:
        with self._lock:
            rows = self._db.execute(f"select {columns(WEBHOOK)} from {WEBHOOK} {where}", values).fetchall()
        for row in filter(fits, rows):
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
            db.execute(_put(ROLE), [*row, checksum(row)])
            self._write(db, by, "role.given", person=person, game=game or None, role=role, seats=sorted(seats))

    def withdraw(self, person: str, game: str, *, by: str) -> bool:
        """Say nothing of a person in a game any more; False if nothing was said."""
        with self._change() as db:
            found = db.execute(f"delete from {ROLE} where person = ? and game = ?", [person, game])
            gone: bool = found.rowcount > 0
            if gone:
                self._write(db, by, "role.taken", person=person, game=game or None)
        return gone

    def _granted(self, where: str, values: list[Any]) -> list[Granted]:
        with self._lock:
            sql = f"select {columns(ROLE)} from {ROLE} {where} order by game, person"
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
            for person, game, role, seats, since, by, _ in filter(fits, rows)
        ]

    # Who may see what

    def level(self, game: str) -> Level:
        """Who may see a game."""
        shown = self.shown(game)
        return shown.level if shown else PRIVATE

    def shown(self, game: str) -> Shown | None:
        """Who may see a game, if anybody has ever said so."""
        with self._lock:
            sql = f"select {columns(VISIBLE)} from {VISIBLE} where game = ?"
            row = self._db.execute(sql, [game]).fetchone()
        return Shown(row[1], row[3], row[4]) if row and fits(row) else None

    def show(self, game: str, level: Level, *, by: str) -> None:
        """Say who may see a game."""
        with self._change() as db:
            ((last,),) = db.execute(f"select coalesce(max(number), 0) from {VISIBLE}").fetchall()
            row = (game, level, last + 1, _now(), by)
            db.execute(_put(VISIBLE), [*row, checksum(row)])
            self._write(db, by, "game.shown", game=game, level=level)

    def changes(self, after: int, limit: int) -> list[tuple[int, str, bool]]:
        """Who may see what, as it changed: number, game, and whether it is public now; the last change of each game."""
        with self._lock:
            sql = f"select {columns(VISIBLE)} from {VISIBLE} where number > ? order by number limit ?"
            rows = self._db.execute(sql, [after, limit]).fetchall()
        return [(row[2], row[0], row[1] == "public" and fits(row)) for row in rows]

    # The trail

    def trail(self, after: int, limit: int, *, newest: bool = False) -> Iterator[Step]:
        """The trail from a number on; or from the `newest` line back, below a number if it is not 0."""
        if newest:
            where, edge = "number < ? order by number desc", after or _BEYOND
        else:
            where, edge = "number > ? order by number", after
        with self._lock:
            sql = f"select {columns(TRAIL)} from {TRAIL} where {where} limit ?"
            rows = self._db.execute(sql, [edge, limit]).fetchall()
        for number, at, by, what, person, game, credential, more, _ in filter(fits, rows):
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

    def _note(self, db: Statements, by: str, what: str, credential: Credential, **more: Any) -> None:
        said = {"kind": credential.kind} | more
        self._write(db, by, what, person=credential.person, credential=credential.id, **said)

    def _write(
        self,
        db: Statements,
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
        db.execute(_add(TRAIL), [*row, checksum(row)])


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


def _now() -> int:
    return time.time_ns() // 1_000_000


def _row(credential: Credential, digest: bytes) -> tuple[Any, ...]:
    scopes, games = (None if said is None else _json(sorted(said)) for said in (credential.scopes, credential.games))
    return (
        *(credential.id, digest, credential.kind, credential.person, credential.app, credential.name),
        *(scopes, games, credential.begun, credential.maker, credential.ends, credential.ended),
    )


def _insert(db: Statements, credential: Credential, digest: bytes) -> None:
    row = _row(credential, digest)
    db.execute(_add(CREDENTIAL), [*row, checksum(row)])


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


def _put_webhook(db: Statements, webhook: Webhook) -> None:
    said = {name: getattr(webhook, name) for name in _WEBHOOK} | {"enabled": int(webhook.enabled)}
    if webhook.scopes is not None:
        said["scopes"] = _json(sorted(webhook.scopes))
    row = [*(said | {"filter": _json(webhook.filter)}).values()]
    db.execute(_put(WEBHOOK), [*row, checksum(row)])
