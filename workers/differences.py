"""What the self-audit found, and how much it did: rows beside the results.

The relay asks here, which knows no rules.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from events.event import now_ms
from workers.analyses import DAY

if TYPE_CHECKING:
    from collections.abc import Iterable

    from events.databases.rows import Rows
    from projections.selfaudit import Difference
    from workers.results import Results

HOUR = 3600
BUDGET = 36
"""Seconds of work an hour, if nothing else is set: one in a hundred."""
GUESS = 1.0
"""Seconds that a proof is taken to need before there was any."""
MOST = 200
"""The most differences that are told."""


class StoredDifference(msgspec.Struct, frozen=True):
    """A difference, since when (ms): of a game, or of a random one (`kahuna/3/17`: ruleset, setting, seed)."""

    subject: str
    kind: str
    why: str
    at: int


class SelfAudits:
    """What the self-audit found in one data folder, and how much it did."""

    def __init__(self, results: Results) -> None:
        self._results = results

    def keep(self, subject: str, found: Iterable[Difference], seconds: float) -> None:
        """Keep what differs of a game or a ruleset, instead of what did before."""
        rows = [[subject, each.kind, each.why, now_ms()] for each in found]
        marks = ", ".join(["(?, ?)"] * len(rows)) or "('', '')"

        def put(db: Rows) -> None:
            db.execute(
                f"delete from difference where subject = ? and (kind, why) not in (values {marks})",
                [subject, *(value for row in rows for value in row[1:3])],
            )
            for row in rows:
                db.execute(_PUT, row)
            db.execute(
                "insert into effort (game, asker, queue, at, seconds) values (?, '', 'audit', ?, ?)",
                [subject, now_ms(), seconds],
            )

        self._results.db.carry_out(put)

    def found(self) -> list[StoredDifference]:
        """What differs, the oldest first."""
        sql = "select subject, kind, why, at from difference order by at, subject, kind, why limit ?"
        return [StoredDifference(*row) for row in self._results.query(sql, [MOST])]

    def proofs(self) -> int:
        """How many proofs there were within a day."""
        sql = "select count(*) from effort where queue = 'audit' and at > ?"
        ((count,),) = self._results.query(sql, [now_ms() - DAY])
        return int(count)

    def last(self) -> float:
        """How many seconds the last proof took."""
        rows = self._results.query("select seconds from effort where queue = 'audit' order by at desc limit 1", [])
        return float(rows[0][0]) if rows else GUESS


_PUT = "insert into difference (subject, kind, why, at) values (?, ?, ?, ?) on conflict do nothing"


def pause(audits: SelfAudits, budget: int) -> float:
    """After how many seconds the next proof begins, so that so many seconds an hour are worked."""
    return max(1.0, HOUR * audits.last() / budget)
