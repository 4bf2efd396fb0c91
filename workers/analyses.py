"""Requested analyses: the progress of each, its result, and its finished units of work.

They lie beside the results. An analysis is a game, its version, a kind, parameters, a viewpoint and a revision; asked
for again, it is the same one. A unit of work is kept by all that it depends on. So a worker that continues an
analysis, or begins one of a later version of the game, finds what is done.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, Literal

import msgspec
from uuid_utils import uuid7

from events.event import now_ms
from games.contract import PUBLIC, RECORD
from games.words import in_english
from workers.results import ANALYSIS, PIECE

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from events.databases.definition import Changed
    from events.databases.rows import Rows
    from workers.results import Results

Status = Literal["waiting", "running", "done", "failed", "cancelled"]
Queued = Literal["asked", "spare"]
"""The priority of an analysis: a person waits for it, or it is made in spare time."""

SLOTS = 4
"""The most workers that continue one analysis at a time."""

ACTIVE = ("waiting", "running")
_IS_ACTIVE = f"status in {ACTIVE}"
_STOPPED = ("failed", "cancelled")
DAY = 24 * 3600 * 1000
MOST_KEYS = 500
"""The most units that one statement reads."""


class Subject(msgspec.Struct, frozen=True):
    """The subject of an analysis: everything that its result depends on. `parameters` are JSON, with sorted keys."""

    game: str
    version: int
    hash: str
    kind: str
    parameters: str
    viewpoint: str
    revision: str


class Analysis(msgspec.Struct, frozen=True, kw_only=True):
    """An analysis and its progress: work of the size `done` of `planned`. `data` is the partial or final result.

    The plan can grow, and `done / planned` never falls. `cause` is why it failed. `mark` is another number whenever
    anything else changes, and never 0. Times are in milliseconds since 1970.
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
    mark: int

    @property
    def active(self) -> bool:
        """Whether there is work left."""
        return self.status in ACTIVE


_SAME = "game = ? and version = ? and kind = ? and parameters = ? and viewpoint = ? and revision = ?"


class Analyses:
    """The analyses of one data folder. Safe to share between threads and processes, as its `Results` are."""

    def __init__(self, results: Results) -> None:
        self._results = results

    def ask(self, subject: Subject, queue: Queued, by: str) -> Analysis:
        """Request the analysis of a subject, unless it is done or under way. A failed or cancelled one continues.

        One that waited for spare time gets the normal priority.
        """
        key = _key(subject)

        def put(db: Rows) -> str:
            # made from another history of the game, before the log was restored from a backup
            db.execute(f"delete from analysis where {_SAME} and hash <> ?", [*key, subject.hash])
            if not db.execute(f"select id from analysis where {_SAME}", key).fetchone():
                row = (str(uuid7()), *msgspec.structs.astuple(subject), queue, by, now_ms(), "waiting", 0, 0, "", None)
                ANALYSIS.add(db, row, "on conflict do nothing")
            if queue == "asked":
                where = f"{_SAME} and (queue = 'spare' or status in {_STOPPED})"
                ANALYSIS.change(db, lambda old: _asked_again(old, by), where, key)
            ((id_,),) = db.execute(f"select id from analysis where {_SAME}", key).fetchall()
            return str(id_)

        found = self.find(self._results.db.run(put))
        return found if found else self.ask(subject, queue, by)

    def find_by_subject(self, subject: Subject) -> Analysis | None:
        """The analysis of a subject, if it was requested before."""
        rows = self._results.query(
            f"select id from analysis where {_SAME} and hash = ?", [*_key(subject), subject.hash]
        )
        return self.find(rows[0][0]) if rows else None

    def find(self, id_: str) -> Analysis | None:
        """An analysis by its id, or None. One that does not match its checksum is dropped."""
        db = self._results.db
        found = ANALYSIS.rows(db, "where id = ?", [id_])
        if not found:
            db.execute("delete from analysis where id = ?", [id_])
        return _read(found[0]) if found else None

    def marks(self, ids: Collection[str]) -> dict[str, int]:
        """The marks of the known ones among some analyses. Reading marks is faster than reading analyses."""
        sql = f"select id, checksum from analysis where id in ({', '.join('?' * len(ids))})"
        return {id_: checksum or 1 for id_, checksum in self._results.query(sql, list(ids))}

    def of_game(
        self, game: str, before: tuple[int, str] | None, limit: int, viewpoints: Sequence[str] | None = None
    ) -> list[Analysis]:
        """The analyses of a game from these viewpoints, the last requested first, after `before` (asked at, id)."""
        where, values = "where game = ? and (asked_at, id) < (?, ?)", [game, *(before or (2**62, ""))]
        if viewpoints is not None:
            where, values = f"{where} and viewpoint in ({', '.join('?' * len(viewpoints))})", [*values, *viewpoints]
        order = "order by asked_at desc, id desc limit ?"
        return [_read(row) for row in ANALYSIS.rows(self._results.db, f"{where} {order}", [*values, limit])]

    def finished(self, kind: str, viewpoint: str, games: Sequence[str]) -> Iterator[tuple[Subject, str]]:
        """The results of one kind for games from a viewpoint, as JSON, with any parameters."""
        for start in range(0, len(games), MOST_KEYS):
            some = games[start : start + MOST_KEYS]
            where = f"where status = 'done' and kind = ? and viewpoint = ? and game in ({', '.join('?' * len(some))})"
            for row in ANALYSIS.rows(self._results.db, where, [kind, viewpoint, *some]):
                found = _read(row)
                yield found.subject, found.data or ""

    def games_done(self, kind: str, viewpoint: str) -> Counter[str]:
        """The number of finished analyses of one kind per game, from a viewpoint."""
        sql = "select game, count(*) from analysis where kind = ? and viewpoint = ? and status = 'done' group by game"
        return Counter({str(game): int(number) for game, number in self._results.query(sql, [kind, viewpoint])})

    def active(self, limit: int) -> list[Analysis]:
        """The analyses with work left: first those that a person waits for, the oldest first."""
        where = f"where {_IS_ACTIVE} order by queue, asked_at, id limit ?"
        return [_read(row) for row in ANALYSIS.rows(self._results.db, where, [limit])]

    def cancel(self, id_: str) -> None:
        """Cancel an analysis. Its finished units stay for the next request."""
        self._change({"status": "cancelled"}, f"id = ? and {_IS_ACTIVE}", [id_])

    def fail(self, id_: str, cause: str) -> None:
        """Record the failure of an analysis with its cause."""
        self._change({"status": "failed", "cause": cause}, "id = ? and status <> 'done'", [id_])

    def record_progress(self, id_: str, done: int, planned: int, so_far: Any) -> None:
        """Record the progress of an analysis, and its partial result if any. Progress never falls.

        A larger plan is recorded only so far that the finished share does not fall.
        """
        known: dict[str, Any] = {"status": "running", "done": done}
        if so_far is not None:
            known["data"] = in_english(so_far).decode()

        def told(old: Mapping[str, Any]) -> dict[str, Any]:
            most = done * old["planned"] // old["done"] if old["done"] else planned
            return known | {"planned": max(done, min(planned, most))}

        self._change(told, f"id = ? and {_IS_ACTIVE} and done <= ?", [id_, done])

    def finish(self, id_: str, result: Any, size: int = 0) -> None:
        """Store the result of an analysis, once. It took work of at least this `size`, new or stored."""
        known = {"status": "done", "data": in_english(result).decode(), "cause": ""}

        def finished(old: Mapping[str, Any]) -> dict[str, Any]:
            return known | dict.fromkeys(("done", "planned"), max(old["done"], size))

        self._change(finished, f"id = ? and {_IS_ACTIVE}", [id_])

    def _change(self, changed: Changed, where: str, values: Sequence[Any]) -> None:
        self._results.db.run(lambda db: ANALYSIS.change(db, changed, where, values))

    # Pieces of work

    def results_of_units(self, viewpoint: str, keys: Iterable[str]) -> dict[str, Any]:
        """The results of the units with these keys, if they are done and match their checksums.

        The whole record takes units of the public, too, and those of older releases, which name no viewpoint. Not the
        other way round: the progress of the public's analysis would tell that the record knows no more.
        """
        found: dict[str, Any] = {}
        prefixes = [f"{viewpoint} "] + ([f"{PUBLIC.name} ", ""] if viewpoint == RECORD.name else [])
        keys_by_row = {f"{prefix}{key}": key for key in keys for prefix in prefixes}
        wanted = list(keys_by_row)
        for start in range(0, len(wanted), MOST_KEYS):
            some = wanted[start : start + MOST_KEYS]
            where = f"where key in ({', '.join('?' * len(some))})"
            for key, _, data, _ in PIECE.rows(self._results.db, where, some):
                found[keys_by_row[key]] = msgspec.json.decode(data)
        return found

    def keep(self, analysis: Analysis, results: Mapping[str, Any], seconds: float) -> None:
        """Store the results of some units, and the `seconds` of work."""

        def put(db: Rows) -> None:
            for key, result in results.items():
                PIECE.put(
                    db,
                    (
                        f"{analysis.subject.viewpoint} {key}",
                        analysis.subject.game,
                        in_english(result).decode(),
                    ),
                )
            db.execute(
                "insert into effort (game, asker, queue, at, seconds) values (?, ?, ?, ?, ?)",
                [analysis.subject.game, analysis.by, analysis.queue, now_ms(), seconds],
            )

        self._results.db.run(put)

    # Budgets

    def seconds_spent(self, column: Literal["game", "asker"], whose: str) -> float:
        """The seconds of requested work within a day for a game or a person."""
        ((seconds,),) = self._results.query(
            f"select coalesce(sum(seconds), 0) from effort where {column} = ? and queue = 'asked' and at > ?",
            [whose, now_ms() - DAY],
        )
        return float(seconds)

    def spent_in_spare_time(self, milliseconds: int) -> float:
        """The seconds of work in spare time within the last `milliseconds`."""
        ((seconds,),) = self._results.query(
            "select coalesce(sum(seconds), 0) from effort where queue = 'spare' and at > ?", [now_ms() - milliseconds]
        )
        return float(seconds)

    def waiting(self, by: str) -> int:
        """The number of unfinished analyses that a person requested."""
        ((count,),) = self._results.query(
            "select count(*) from analysis where asker = ? and queue = 'asked' and status in ('waiting', 'running')",
            [by],
        )
        return int(count)

    def forget(self, game: str) -> None:
        """Delete all results of a game without a trace, because a part of its record was erased."""
        for table in ("analysis", "piece"):
            self._results.change(f"delete from {table} where game = ?", [game])
        self._results.db.wipe("analysis", "piece")

    def drop_old_work(self) -> None:
        """Delete records of work from more than a day ago."""
        self._results.change("delete from effort where at <= ?", [now_ms() - DAY])


def _key(subject: Subject) -> tuple[str | int, ...]:
    """The key of an analysis: its subject without the hash, because a version has one hash."""
    return subject.game, subject.version, subject.kind, subject.parameters, subject.viewpoint, subject.revision


def _asked_again(old: Mapping[str, Any], by: str) -> dict[str, Any]:
    """The changes of an existing analysis that is requested again."""
    status = "waiting" if old["status"] in _STOPPED else old["status"]
    return {"queue": "asked", "asker": by, "asked_at": now_ms(), "cause": "", "status": status}


def _read(row: Sequence[Any]) -> Analysis:
    id_, *rest, data, checksum = row
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
        data=data,
        mark=checksum or 1,
    )
