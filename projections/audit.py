"""The score audit: every point with the entry that brought it and the rule that gives it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from games.contract import RECORD, Outcome, ScoreLine

if TYPE_CHECKING:
    from games.contract import Viewpoint
    from projections.fold import Fold


class Audit(msgspec.Struct, frozen=True):
    """The scores of one game at one version, under one revision of its rules.

    `lines` sum to `scores`, seat by seat. `irregular` maps entries to the ids of the rules that they broke. `rules` are
    the ids of all cited rules, in the order of the rulebook. Only the audit of the record has its entry's `hash`.
    """

    game: str
    version: int
    hash: str | None
    ruleset: str
    revision: int
    scores: list[int]
    lines: list[ScoreLine]
    outcome: Outcome | None
    irregular: dict[int, tuple[str, ...]]
    rules: list[str]


def audit(fold: Fold, viewpoint: Viewpoint = RECORD) -> Audit:
    """The score audit of a fold, seen from `viewpoint`."""
    ruleset, irregular = fold.ruleset, fold.irregular_from(viewpoint)
    lines = fold.state.scores()
    outcome = fold.outcome()
    cited = {line.rule for line in lines} | ({outcome.rule} if outcome else set())
    cited.update(rule for rules in irregular.values() for rule in rules)
    return Audit(
        game=fold.game,
        version=fold.version,
        hash=fold.hash_from(viewpoint),
        ruleset=ruleset.name,
        revision=fold.revision,
        scores=fold.totals(),
        lines=lines,
        outcome=outcome,
        irregular=irregular,
        rules=[rule for rule in ruleset.rulebook if rule in cited],
    )
