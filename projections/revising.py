"""A recorded game under a newer revision of the rules, entry by entry. Asking changes nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from games.contract import RECORD, Outcome, ScoreLine
from games.missing import MISSING
from projections.fold import Adoption, Fold
from projections.history import Corrections, Segment
from projections.timeline import Breach, EffectInfo, entries_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from events.event import Event
    from games.contract import Viewpoint
    from projections.folds import Folds


class RevisionResult(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """An entry under one revision: its effects, the broken rules, and the points that it brought.

    Or the reason why that revision cannot carry it out.
    """

    effects: list[EffectInfo] = []
    irregular: list[Breach] = []
    points: list[ScoreLine] = []
    unreplayable: str | None = None


class RevisedEntry(msgspec.Struct, frozen=True, kw_only=True):
    """An entry with a different result under the newest revision than under the game's own."""

    version: int
    notation: str | None
    before: RevisionResult
    after: RevisionResult


class RevisedGame(msgspec.Struct, frozen=True, kw_only=True):
    """A game under the `revision` of its own rules, and under the `newest` installed one.

    `changes` describe each revision between them, one line each. `entries` are the entries with different results, the
    first ones if there are many. The scores and the outcome are given for both.
    """

    game: str
    version: int
    ruleset: str
    revision: int
    newest: int
    changes: list[str]
    entries: list[RevisedEntry]
    entries_left_out: int
    scores: list[int]
    scores_after: list[int]
    outcome: Outcome | None
    outcome_after: Outcome | None

    @property
    def has_differences(self) -> bool:
        """Whether the newest revision judges anything differently."""
        return bool(self.entries or self.scores != self.scores_after or self.outcome != self.outcome_after)


def compare_revisions(folds: Folds, game: str, viewpoint: Viewpoint = RECORD, most: int | None = None) -> RevisedGame:
    """The effects of the newest revision of its rules on a game as it counts now, from a viewpoint.

    At most `most` entries are listed. Raises the errors of `Folds.fold_until_error`, and `RulesetMissingError`.
    """
    fold = folds.fold_until_error(game)
    if fold.ruleset is MISSING and fold.blocked_by:
        raise fold.blocked_by
    newest = fold.ruleset.revision
    now = then = _RevisionResults(fold)
    if fold.revision < newest:
        record = list(folds.read(game, 0, fold.version))
        now, then = (_RevisionResults.from_record(revision, record, viewpoint) for revision in (fold.revision, newest))
    entries = list(_differing(now, then))
    return RevisedGame(
        game=game,
        version=fold.version,
        ruleset=fold.ruleset.name,
        revision=fold.revision,
        newest=newest,
        changes=list(fold.ruleset.changes[fold.revision : newest]),
        entries=entries[:most],
        entries_left_out=len(entries[most:]) if most is not None else 0,
        scores=now.fold.totals(),
        scores_after=then.fold.totals(),
        outcome=now.fold.outcome(),
        outcome_after=then.fold.outcome(),
    )


class _RevisionResults:
    """The results of one revision for every entry of a game, and the final state."""

    def __init__(self, fold: Fold) -> None:
        self.fold = fold
        self.said: dict[int, RevisionResult] = {}
        self.notation: dict[int, str | None] = {}

    @classmethod
    def from_record(cls, revision: int, record: Sequence[Event], viewpoint: Viewpoint) -> _RevisionResults:
        opening, *events = record
        adopted = Adoption(record[-1].version + 1, revision)
        segment = Segment(Fold.start(opening, adopted), events, Corrections(record))
        entries, found = entries_of(segment, viewpoint), cls(segment.fold)
        points: dict[int, list[ScoreLine]] = {}
        for line in segment.fold.state.scores():
            points.setdefault(line.version, []).append(line)
        for entry in entries:
            found.notation[entry.version] = entry.notation
            found.said[entry.version] = RevisionResult(
                effects=entry.effects,
                irregular=entry.irregular,
                points=points.get(entry.version, []),
                unreplayable=entry.unreplayable,
            )
        return found


def _differing(now: _RevisionResults, then: _RevisionResults) -> Iterator[RevisedEntry]:
    for version in sorted(now.said):
        before, after = now.said[version], then.said[version]
        if before != after:
            notation = now.notation[version] or then.notation[version]
            yield RevisedEntry(version=version, notation=notation, before=before, after=after)
