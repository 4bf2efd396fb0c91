"""The differences that the self-audit found, and the amount of its work, in rows beside the results.

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
"""The default seconds of work per hour: one percent."""
GUESS = 1.0
"""The assumed seconds of the first proof."""
MOST = 200
"""The most differences that are returned."""


class StoredDifference(msgspec.Struct, frozen=True):
    """A difference in a game or a random game (`kahuna/3/17`: ruleset, setting, seed), and its time (ms)."""

    subject: str
    kind: str
    why: str
    at: int


class SelfAudits:
    """The differences that the self-audit found in one data folder, and the amount of its work."""

    def __init__(self, results: Results) -> None:
        self._results = results

    def keep(self, subject: str, found: Iterable[Difference], seconds: float) -> None:
        """Store the differences of a game or a ruleset, in place of earlier ones."""
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

        self._results.db.run(put)

    def differences(self) -> list[StoredDifference]:
        """The differences, the oldest first."""
        sql = "select subject, kind, why, at from difference order by at, subject, kind, why limit ?"
        return [StoredDifference(*row) for row in self._results.query(sql, [MOST])]

    def proofs(self) -> int:
        """The number of proofs within a day."""
        sql = "select count(*) from effort where queue = 'audit' and at > ?"
        ((count,),) = self._results.query(sql, [now_ms() - DAY])
        return int(count)

    def last_seconds(self) -> float:
        """The seconds of the last proof."""
        rows = self._results.query("select seconds from effort where queue = 'audit' order by at desc limit 1", [])
        return float(rows[0][0]) if rows else GUESS


_PUT = "insert into difference (subject, kind, why, at) values (?, ?, ?, ?) on conflict do nothing"


def pause(audits: SelfAudits, budget: int) -> float:
    """The seconds until the next proof, for `budget` seconds of work per hour."""
    return max(1.0, HOUR * audits.last_seconds() / budget)
