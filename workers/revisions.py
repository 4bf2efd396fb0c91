"""What the revisions of the rules that are here say of recorded games otherwise than those did that were here before.

Only the newest rules are here. What older ones said is known from the scoring snapshots that were made by them; of a
game without one there is nothing to hold against.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from events.errors import LogError
from projections.audit import audit
from projections.errors import ProjectionError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from games.contract import Ruleset, ScoreLine
    from projections.archive import ReadingArchive
    from projections.audit import Audit
    from workers.results import Results

LOOKED = 1000
"""The most snapshots of a game that are looked through for one of older rules."""


class Revised(msgspec.Struct, frozen=True, kw_only=True):
    """A game that was opened by older rules: what those said of it at `version`, and what the rules that are here say.

    `version` and `made_by`, the revision that said it, are None where no snapshot of older rules is kept. `entries` are
    those whose points or irregularities are others. `ended` is how it ended before and now, where that differs.
    """

    game: str
    ruleset: str
    opened_by: int
    revision: int
    version: int | None = None
    made_by: int | None = None
    scores: list[list[int]] = []
    entries: list[int] = []
    ended: list[str | None] = []

    @property
    def differs(self) -> bool:
        """Whether anything is said otherwise."""
        return bool(self.entries or self.scores or self.ended)


def revised(archive: ReadingArchive, results: Results | None) -> Iterator[Revised]:
    """Every game that was opened by an older revision of its rules than the one that is here, and can be replayed."""
    for head in archive.log.heads():
        try:
            fold = archive.folds.current(head.game)
            if fold.opened.revision < fold.ruleset.revision:
                yield _revised(archive, results, head.game, fold.opened.revision, fold.ruleset)
        except (ProjectionError, LogError):
            continue


def _revised(archive: ReadingArchive, results: Results | None, game: str, opened_by: int, ruleset: Ruleset) -> Revised:
    kept = results.find_snapshots(game, None, LOOKED) if results else []
    older = next((each for each in kept if each.revision < ruleset.revision), None)
    found = Revised(game=game, ruleset=ruleset.name, opened_by=opened_by, revision=ruleset.revision)
    if older is None:
        return found
    fold = archive.folds.at(game, older.version)
    if fold.hash != older.hash:
        return found  # it is of another past of the game
    then, now = older.audit, audit(fold)
    ends = [each.outcome.reason if each.outcome else None for each in (then, now)]
    return msgspec.structs.replace(
        found,
        version=older.version,
        made_by=older.revision,
        scores=[then.scores, now.scores] if then.scores != now.scores else [],
        entries=[entry for entry in range(1, older.version + 1) if _said_of(then, entry) != _said_of(now, entry)],
        ended=ends if then.outcome != now.outcome else [],
    )


def _said_of(told: Audit, entry: int) -> tuple[list[ScoreLine], tuple[str, ...]]:
    return [line for line in told.lines if line.version == entry], tuple(told.irregular.get(entry, ()))
