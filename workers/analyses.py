"""Analyses that were asked for: how far each is, what came of it, and the pieces of work that are done.

They lie beside the results. An analysis is a game, its version, a kind, parameters, a viewpoint and a revision; asked
for again, it is the same one. A piece of work is kept by all that it depends on. So a worker that continues an
analysis, or begins one of a later version of the game, finds what is done.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, Literal
from zlib import crc32

import msgspec
from uuid_utils import uuid7

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from workers.results import Results

Status = Literal["waiting", "running", "done", "failed", "cancelled"]
Queued = Literal["asked", "spare"]
"""Somebody waits for it; or it is made when there is nothing else to do."""

SLOTS = 4
"""How many workers go on with one analysis at a time, at the most."""

ACTIVE = ("waiting", "running")
_IS_ACTIVE = f"status in {ACTIVE}"
DAY = 24 * 3600 * 1000
MOST_KEYS = 500
"""How many pieces are looked for in one statement."""


class Subject(msgspec.Struct, frozen=True):
    """What an analysis is of: all that its result depends on. `parameters` are JSON, with sorted keys."""

    game: str
    version: int
    hash: str
    kind: str
    parameters: str
    viewpoint: str
    revision: str


class Analysis(msgspec.Struct, frozen=True, kw_only=True):
    """An analysis and how far it is: `done` of `planned` pieces; what is known of it so far, or at last, is `data`.

    `cause` is why it failed. Times are in milliseconds since 1970.
    """

    id: str
    subject: Subject
    queue: Queued
    by: str
    asked_at: int
    status: Status
    done: int
    planned: int
    cause: str
    data: str | None

    @property
    def active(self) -> bool:
        """Whether there is work left."""
        return self.status in ACTIVE

    @property
    def mark(self) -> int:
        """What tells how far it is from how far it was: as `Analyses.marks` has it."""
        return _mark(self.asked_at, self.status, self.done, self.planned, self.cause, _checksum(self.data))


_SUBJECT = "game, version, hash, kind, parameters, viewpoint, revision"
_COLUMNS = f"id, {_SUBJECT}, queue, asker, asked_at, status, done, planned, cause, data, checksum"
_SAME = "game = ? and version = ? and kind = ? and parameters = ? and viewpoint = ? and revision = ?"


class Analyses:
    """The analyses of one data folder. Safe to share between threads and processes, as its `Results` are."""

    def __init__(self, results: Results) -> None:
        self._results = results

    def ask(self, subject: Subject, queue: Queued, by: str) -> Analysis:
        """The analysis of a subject, to be made unless that is done or under way. A failed or cancelled one goes on.

        One that only waited for spare time is asked for from then on.
        """
        key = _key(subject)
        with self._results.transaction() as db:
            # what was made of another past of the game, before the log was restored from a backup
            db.execute(f"delete from analysis where {_SAME} and hash <> ?", [*key, subject.hash])
            row = [str(uuid7()), *msgspec.structs.astuple(subject), queue, by, _now()]
            db.execute(
                f"insert into analysis ({_COLUMNS}) "
                f"values ({', '.join('?' * len(row))}, 'waiting', 0, 0, '', null, 0) on conflict do nothing",
                row,
            )
            if queue == "asked":
                db.execute(
                    "update analysis set queue = 'asked', asker = ?, asked_at = ?, cause = '', "
                    "status = case when status in ('failed', 'cancelled') then 'waiting' else status end "
                    f"where {_SAME} and (queue = 'spare' or status in ('failed', 'cancelled'))",
                    [by, _now(), *key],
                )
            ((id_,),) = db.execute(f"select id from analysis where {_SAME}", key).fetchall()
        found = self.find(id_)
        return found if found else self.ask(subject, queue, by)

    def same(self, subject: Subject) -> Analysis | None:
        """The analysis of a subject, if it was asked for before."""
        rows = self._results.query(
            f"select id from analysis where {_SAME} and hash = ?", [*_key(subject), subject.hash]
        )
        return self.find(rows[0][0]) if rows else None

    def find(self, id_: str) -> Analysis | None:
        """One analysis; None if it is not known. What is not what was written is made again."""
        rows = self._results.query(f"select {_COLUMNS} from analysis where id = ?", [id_])
        if rows and not _fits(rows[0]):
            again = "update analysis set status = 'waiting', done = 0, data = null, checksum = ? where id = ?"
            self._results.change(again, [_checksum(None), id_])
            return self.find(id_)
        return _read(rows[0]) if rows else None

    def marks(self, ids: Collection[str]) -> dict[str, int]:
        """The marks of those among some analyses that are known, which take less time to find than the analyses."""
        rows = self._results.query(
            "select id, asked_at, status, done, planned, cause, checksum from analysis "
            f"where id in ({', '.join('?' * len(ids))})",
            list(ids),
        )
        return {id_: _mark(*state) for id_, *state in rows}

    def of_game(
        self, game: str, before: tuple[int, str] | None, limit: int, viewpoints: Sequence[str] | None = None
    ) -> list[Analysis]:
        """Those of a game, the last asked for first, after the place `before` (asked at, id), from these viewpoints."""
        sql = f"select {_COLUMNS} from analysis where game = ? and (asked_at, id) < (?, ?)"
        if viewpoints is not None:
            sql += f" and viewpoint in ({', '.join('?' * len(viewpoints))})"
        values = [game, *(before or (2**62, "")), *(viewpoints or ()), limit]
        return [_read(row) for row in self._results.query(f"{sql} order by asked_at desc, id desc limit ?", values)]

    def active(self, limit: int) -> list[Analysis]:
        """Those with work left: what somebody waits for first, and of these the oldest."""
        sql = f"select {_COLUMNS} from analysis where {_IS_ACTIVE}"
        return [_read(row) for row in self._results.query(f"{sql} order by queue, asked_at, id limit ?", [limit])]

    def cancel(self, id_: str) -> None:
        """Stop an analysis; its pieces stay for the next request."""
        self._results.change(f"update analysis set status = 'cancelled' where id = ? and {_IS_ACTIVE}", [id_])

    def fail(self, id_: str, cause: str) -> None:
        """Say why an analysis cannot be made."""
        self._results.change(
            "update analysis set status = 'failed', cause = ? where id = ? and status <> 'done'", [cause, id_]
        )

    def tell(self, id_: str, done: int, planned: int, so_far: Any) -> None:
        """Say how far an analysis is, and what is known so far, if anything is. Nothing goes back."""
        known: dict[str, Any] = {"planned": planned, "done": done}
        if so_far is not None:
            known["data"] = msgspec.json.encode(so_far).decode()
            known["checksum"] = _checksum(known["data"])
        self._results.change(
            f"update analysis set status = 'running', {', '.join(f'{name} = ?' for name in known)} "
            f"where id = ? and {_IS_ACTIVE} and done <= ?",
            [*known.values(), id_, done],
        )

    def finish(self, id_: str, result: Any) -> None:
        """Store the result of an analysis, once."""
        data = msgspec.json.encode(result).decode()
        self._results.change(
            "update analysis set status = 'done', planned = done, data = ?, checksum = ?, cause = '' "
            f"where id = ? and {_IS_ACTIVE}",
            [data, _checksum(data), id_],
        )

    # Pieces of work

    def pieces(self, keys: Iterable[str]) -> dict[str, Any]:
        """What came of the units with these keys, as far as they are done, and are what was written."""
        found: dict[str, Any] = {}
        wanted = list(keys)
        for start in range(0, len(wanted), MOST_KEYS):
            some = wanted[start : start + MOST_KEYS]
            marks = ", ".join("?" * len(some))
            for key, data, checksum in self._results.query(
                f"select key, data, checksum from piece where key in ({marks})", some
            ):
                if checksum == _checksum(data):
                    found[key] = msgspec.json.decode(data)
        return found

    def keep(self, analysis: Analysis, pieces: Mapping[str, Any], seconds: float) -> None:
        """Keep what came of some units, which took so many seconds to do."""
        with self._results.transaction() as db:
            for key, piece in pieces.items():
                data = msgspec.json.encode(piece).decode()
                db.execute(
                    "insert into piece (key, game, data, checksum) values (?, ?, ?, ?) on conflict (key) do update "
                    "set game = excluded.game, data = excluded.data, checksum = excluded.checksum",
                    [key, analysis.subject.game, data, _checksum(data)],
                )
            db.execute(
                "insert into effort (game, asker, queue, at, seconds) values (?, ?, ?, ?, ?)",
                [analysis.subject.game, analysis.by, analysis.queue, _now(), seconds],
            )

    # Budgets

    def spent(self, column: Literal["game", "asker"], whose: str) -> float:
        """How many seconds of work a game, or somebody, has had of what was asked for within a day."""
        ((seconds,),) = self._results.query(
            f"select coalesce(sum(seconds), 0) from effort where {column} = ? and queue = 'asked' and at > ?",
            [whose, _now() - DAY],
        )
        return float(seconds)

    def spent_in_spare_time(self, milliseconds: int) -> float:
        """How many seconds of work were done in spare time within the last milliseconds."""
        ((seconds,),) = self._results.query(
            "select coalesce(sum(seconds), 0) from effort where queue = 'spare' and at > ?", [_now() - milliseconds]
        )
        return float(seconds)

    def waiting(self, by: str) -> int:
        """How many analyses of somebody are not done."""
        ((count,),) = self._results.query(
            "select count(*) from analysis where asker = ? and queue = 'asked' and status in ('waiting', 'running')",
            [by],
        )
        return int(count)

    def forget(self, game: str) -> None:
        """Drop all that was made of a game, so that no byte of it is left: something of its record was erased."""
        with self._results.transaction() as db:
            for table in ("analysis", "piece"):
                db.execute(f"delete from {table} where game = ?", [game])
        self._results.wipe("analysis", "piece")

    def tidy(self) -> None:
        """Forget what was spent more than a day ago."""
        self._results.change("delete from effort where at <= ?", [_now() - DAY])


def _key(subject: Subject) -> tuple[str | int, ...]:
    """The key of an analysis: all of its subject but the hash, because a version has one hash."""
    return subject.game, subject.version, subject.kind, subject.parameters, subject.viewpoint, subject.revision


def _read(row: tuple[Any, ...]) -> Analysis:
    id_, *rest, data, _ = row
    queue, by, asked_at, status, done, planned, cause = rest[7:]
    return Analysis(
        id=id_,
        subject=Subject(*rest[:7]),
        queue=queue,
        by=by,
        asked_at=asked_at,
        status=status,
        done=done,
        planned=planned,
        cause=cause,
        data=data if _fits(row) else None,
    )


def _fits(row: tuple[Any, ...]) -> bool:
    """Whether what is known of an analysis is what was written."""
    return bool(row[-1] == _checksum(row[-2]))


def _mark(*state: Any) -> int:
    """A number that is another one for another state, and never 0."""
    return crc32(repr(state).encode()) or 1


def _checksum(data: str | None) -> int:
    return crc32((data or "").encode())


def _now() -> int:
    return int(time.time() * 1000)
