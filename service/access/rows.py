"""The store of access over rows of tables, in any database.

Nothing of it can be derived from the log. So every change is on disk before it is answered, every row has a checksum,
and what is not what was written counts as never said: it opens nothing.
"""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Any

import msgspec

from events.event import now_ms
from service.access.chained import ChainedStore, as_json
from service.access.principals import GameRole, Roles
from service.access.store import (
    PRIVATE,
    READS,
    SERVICE,
    Code,
    Credential,
    EndedError,
    GrantedRole,
    Link,
    MadeCredential,
    Read,
    SetVisibility,
    StoredAnswer,
    TrailLine,
    Webhook,
)
from service.access.tables import (
    ANSWER,
    CODE,
    CREDENTIAL,
    ERASABLE,
    LINK,
    ROLE,
    TRAIL,
    VISIBLE,
    WEBHOOK,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

    from service.access.changes import Change
    from service.access.store import Level

_ROTATED = "credential.rotated"
LEFT_OUT, LISTED = _LISTING = ("person.left_out", "person.listed")
"""The lines of the trail that say whether a person is in public tables."""

_MAKING = ("credential.made", _ROTATED, "link.made", "webhook.made", "webhook.changed")
"""The lines of the trail that can name the credential that made something."""

_BEYOND = (1 << 63) - 1
"""Above the number of every line of the trail."""


class RowStore(ChainedStore):
    """See `service.access.store.Store`. Subclasses know where the tables are, and how they change."""

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
        """Add a new credential, and note `using` which other one it was made."""
        with self._change() as db:
            self._need_open(using)
            db.add(CREDENTIAL, _row(credential, digest))
            self._note(db, by, "credential.made", credential, **_of(using))

    def replace(self, old: str, new: Credential, digest: bytes, *, by: str, until: int) -> None:
        """Add a new credential that replaces another one, which opens no longer than `until`."""
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
        """End credentials, revoke `links`, and pause `webhooks`. Returns how many credentials were still open."""
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

    def made_credentials(self) -> list[MadeCredential]:
        """What each credential made, the oldest first, from the trail."""
        marks = ", ".join("?" * len(_MAKING))
        rows = self._read(f"select {TRAIL.names} from {TRAIL} where what in ({marks}) order by number", [*_MAKING])
        found = []
        for _, _, _, what, _, _, credential, more, _ in filter(TRAIL.fits, rows):
            details = msgspec.json.decode(more)
            if "of" in details:
                found.append(MadeCredential(details.get("webhook") or credential, details["of"], what == _ROTATED))
        return found

    def left_out(self) -> frozenset[str]:
        """The ids of people who are left out of public tables, from the trail."""
        rows = self._read(f"select {TRAIL.names} from {TRAIL} where what in (?, ?) order by number", [*_LISTING])
        said = {person: what == LEFT_OUT for _, _, _, what, person, *_ in filter(TRAIL.fits, rows)}
        return frozenset(person for person, out in said.items() if out)

    def leave_out(self, person: str, *, out: bool, by: str) -> None:
        """Leave a person out of public tables, or include them again."""
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
        """Store what was read. The last `READS` games of each credential are kept."""
        with self._change(keeps=True) as db:
            for id_, new in groupby(sorted(reads), key=lambda read: read.credential):
                known = {read.game: read for read in self.reads([id_])}
                for read in new:
                    before = known.get(read.game, read)
                    known[read.game] = Read(id_, read.game, min(before.first, read.first), max(before.last, read.last))
                kept = sorted(known.values(), key=lambda read: read.last)[-READS:]
                days = {read.game: (read.first, read.last) for read in kept}
                db.execute(f"update {CREDENTIAL} set reads = ? where id = ?", [as_json(days), id_])

    def reads(self, ids: Collection[str]) -> list[Read]:
        """What was read with these credentials, the last first."""
        where, values = _among("id", ids)
        rows = self._read(f"select id, reads from {CREDENTIAL} where reads is not null and {where}", values)
        found = [Read(id_, game, *days) for id_, text in rows for game, days in _days_in(text).items()]
        return sorted(found, key=lambda read: (-read.last, read.game))

    def note_identity(self, person: str, what: str, *, by: str, **more: Any) -> None:
        """Note a change of a person's identity in the trail, such as a merge."""
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
        """Store a code. Expired ones are removed."""
        row = (digest, code.purpose, code.person, code.made, code.ends, as_json(code.data))
        with self._change(keeps=True) as db:
            db.drop(CODE, "ends < ?", [code.made])
            db.put(CODE, row)
            self._write(db, by, f"{code.purpose}.made", person=code.person)

    def find_code(self, digest: bytes, purpose: str) -> Code | None:
        """The meaning of a code, as `take_code` gives it. The code stays usable."""
        sql = f"select {CODE.names} from {CODE} where digest = ? and purpose = ?"
        return _usable(self._read(sql, [digest, purpose]))

    def take_code(self, digest: bytes, purpose: str) -> Code | None:
        """The meaning of a code, which is then used up; None for a code that is used, expired or unknown."""
        with self._change(keeps=True) as db:
            rows = db.drop(CODE, "digest = ? and purpose = ?", [digest, purpose])
        return _usable(rows)

    def codes(self, purpose: str) -> list[Code]:
        """The unused codes of a purpose, the oldest first. Some may have expired."""
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

    def stored_answer(self, digest: bytes) -> StoredAnswer | None:
        """The stored answer to a request, by the digest of its key."""
        row = next(iter(self._read(f"select {ANSWER.names} from {ANSWER} where digest = ?", [digest])), None)
        if row is None or not ANSWER.fits(row) or row[4] < now_ms():
            return None
        return StoredAnswer(asked=row[1], status=row[2], sealed=row[3], ends=row[4])

    def keep_answer(self, digest: bytes, answer: StoredAnswer) -> None:
        """Store the answer to a request. Expired ones are removed."""
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
        """Add a new share link, and note `using` which credential it was made."""
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
        """Add or replace an endpoint. `what` happened to it `using` which credential goes into the trail."""
        with self._change(keeps=True) as db:
            self._need_open(using)
            _put_webhook(db, webhook)
            more = {"webhook": webhook.id} | _of(using)
            self._write(db, by, what, person=webhook.person, credential=webhook.credential, **more)

    def drop_webhook(self, id_: str, *, by: str) -> bool:
        """Remove an endpoint; False if there is none."""
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

    def granted_roles(self, game: str | None = None, person: str | None = None) -> list[GrantedRole]:
        """The granted roles: all of them, or those in one game (or `SERVICE`), or of one person."""
        wanted = {"game": game, "person": person}
        asked = {name: value for name, value in wanted.items() if value is not None}
        where = " and ".join(f"{name} = ?" for name in asked)
        return self._granted(f"where {where}" if where else "", [*asked.values()])

    def grant(self, person: str, game: str, role: str | None, seats: frozenset[int], *, by: str) -> GrantedRole:
        """Set the role of a person in a game, or on the service, and return it. It replaces the earlier one.

        A repeated request changes nothing, so `since` and the trail stay as they are.
        """
        row = (person, game, role or "", as_json(sorted(seats)), now_ms(), by)
        with self._change() as db:
            stored = db.execute(f"select {ROLE.names} from {ROLE} where person = ? and game = ?", [person, game])
            for each in filter(ROLE.fits, stored.fetchall()):
                if (*each[2:4], each[5]) == (*row[2:4], by):
                    return _granted_role(*each[:6])
            db.put(ROLE, row)
            self._write(db, by, "role.given", person=person, game=game or None, role=role, seats=sorted(seats))
        return _granted_role(*row)

    def withdraw(self, person: str, game: str, *, by: str) -> bool:
        """Withdraw the role of a person in a game; False if there is none."""
        with self._change() as db:
            gone = db.drop(ROLE, "person = ? and game = ?", [person, game])
            if gone:
                self._write(db, by, "role.taken", person=person, game=game or None)
        return bool(gone)

    def _granted(self, where: str, values: list[Any]) -> list[GrantedRole]:
        rows = self._read(f"select {ROLE.names} from {ROLE} {where} order by game, person", values)
        return [_granted_role(*row[:6]) for row in filter(ROLE.fits, rows)]

    # Who may see what

    def level(self, game: str) -> Level:
        """Who may see a game."""
        shown = self.visibility_of(game)
        return shown.level if shown else PRIVATE

    def visibility_of(self, game: str) -> SetVisibility | None:
        """Who may see a game, if anybody has set it."""
        row = next(iter(self._read(f"select {VISIBLE.names} from {VISIBLE} where game = ?", [game])), None)
        return SetVisibility(row[1], row[3], row[4]) if row and VISIBLE.fits(row) else None

    def show(self, game: str, level: Level, *, by: str) -> None:
        """Set who may see a game. A repeated request changes nothing."""
        with self._change() as db:
            stored = db.execute(f"select {VISIBLE.names} from {VISIBLE} where game = ?", [game])
            if any(VISIBLE.fits(each) and (each[1], each[4]) == (level, by) for each in stored.fetchall()):
                return
            ((last,),) = db.execute(f"select coalesce(max(number), 0) from {VISIBLE}").fetchall()
            row = (game, level, last + 1, now_ms(), by)
            db.put(VISIBLE, row)
            self._write(db, by, "game.shown", game=game, level=level)

    def changes(self, after: int, limit: int) -> list[tuple[int, str, bool]]:
        """Changes of visibility: number, game, and whether it is public now. Only the last change of each game."""
        if self.stopped:
            return []
        rows = self._read(
            f"select {VISIBLE.names} from {VISIBLE} where number > ? order by number limit ?", [after, limit]
        )
        return [(row[2], row[0], row[1] == "public" and VISIBLE.fits(row)) for row in rows]

    # The trail

    def trail(self, after: int, limit: int, *, newest: bool = False) -> Iterator[TrailLine]:
        """The trail from a number on, or backwards from the `newest` line (or from below a number that is not 0)."""
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


def _among(column: str, values: Collection[str] | None) -> tuple[str, list[str]]:
    """The condition that a column has one of these values, with its parameters; empty without values."""
    if values is None:
        return "true", []
    return (f"{column} in ({', '.join('?' * len(values))})", [*values]) if values else ("false", [])


_days = msgspec.json.Decoder(dict[str, tuple[int, int]])


def _days_in(text: str) -> dict[str, tuple[int, int]]:
    """The days on which games were read with a credential. A damaged value counts as empty."""
    try:
        return _days.decode(text)
    except (msgspec.DecodeError, UnicodeError):
        return {}


def _of(using: str | None) -> dict[str, str]:
    """The part of a trail line that names the credential that made something."""
    return {} if using is None else {"of": using}


def _row(credential: Credential, digest: bytes) -> tuple[Any, ...]:
    scopes, games = (
        None if values is None else as_json(sorted(values)) for values in (credential.scopes, credential.games)
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


def _granted_role(person: str, game: str, role: str, seats: str, since: int, by: str) -> GrantedRole:
    known = frozenset(msgspec.json.decode(seats))
    return GrantedRole(person=person, game=game, role=role or None, seats=known, since=since, by=by)


def _usable(rows: Iterable[Sequence[Any]]) -> Code | None:
    """The code of a sound row that has not expired."""
    return next((code for code in map(_code, filter(CODE.fits, rows)) if now_ms() < code.ends), None)


def _code(row: Sequence[Any]) -> Code:
    _, purpose, person, made, ends, data, _ = row
    return Code(purpose=purpose, person=person, made=made, ends=ends, data=msgspec.json.decode(data))


_WEBHOOK_JSON = ("scopes", "filter")


def _put_webhook(db: Change, webhook: Webhook) -> None:
    values = {name: getattr(webhook, name) for name in WEBHOOK.columns} | {"enabled": int(webhook.enabled)}
    if webhook.scopes is not None:
        values["scopes"] = as_json(sorted(webhook.scopes))
    db.put(WEBHOOK, [*(values | {"filter": as_json(webhook.filter)}).values()])
