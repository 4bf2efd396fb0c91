"""The self-audit as a job: proves random games and rulesets in spare time, and stores differences by subject.

It has a budget of seconds an hour, and the lowest priority: nobody waits for it.
"""

from __future__ import annotations

import random
import time
from typing import TYPE_CHECKING

from events.errors import DamagedError
from events.kinds import is_of_game
from games.examination.plays import option_settings, random_game, random_game_with_rulings
from games.examination.promises import PROMISES
from games.examination.report import Case, broken_promises
from games.rulesets import RULESETS
from games.words import in_english
from projections.analyses.game_replay import replay_of
from projections.analyses.kinds import KINDS
from projections.audit import audit
from projections.errors import ProjectionError
from projections.selfaudit import Difference, differences, fold_from_zero
from workers.analyses import Analyses
from workers.analysing import viewpoint_named
from workers.differences import SelfAudits

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from games.contract import Ruleset
    from games.examination.promises import Promise
    from projections.archive import ReadingArchive
    from workers.results import Results

MOST_PROMISES = 3
"""The number of promises that one random game is checked against. All promises get their turn."""
MOST_RESULTS = 50
"""The most snapshots and analyses of a game that are remade to compare."""


class SelfAuditor:
    """Proves the records of one data folder and the installed rulesets, piece by piece."""

    def __init__(self, archive: ReadingArchive, results: Results, chance: random.Random | None = None) -> None:
        self._archive, self._results = archive, results
        self._audits, self._chance = SelfAudits(results), chance or random.Random()  # noqa: S311  no secret hangs on it

    def step(self) -> list[Difference]:
        """Prove one subject: every second time one with differences, else a random game or ruleset."""
        known = [found.subject for found in self._audits.differences()]
        if known and self._chance.random() < 0.5:
            return self.prove(self._chance.choice(known))
        games = [head.game for head in self._archive.log.heads()]
        if games and self._chance.random() < 0.5:
            return self.prove(self._chance.choice(games))
        return self.prove(self._chance.choice(sorted(RULESETS)))

    def prove(self, subject: str) -> list[Difference]:
        """Prove a game, a ruleset by a random game, or that random game again. Stores the differences."""
        begun = time.monotonic()
        name, _, case = subject.partition("/")
        if name in RULESETS and not case:
            subject = f"{name}/{self._choose_case(RULESETS[name])}"
        found = list(self._rules(subject, PROMISES if case else None) if name in RULESETS else self._game(subject))
        self._audits.keep(subject, found, time.monotonic() - begun)
        return found

    def _choose_case(self, ruleset: Ruleset) -> str:
        """Choose a random game: its setting, its seed, and whether it has rulings."""
        refereed = bool(ruleset.adjustments) and self._chance.random() < 0.5
        setting = self._chance.randrange(len(option_settings(ruleset)))
        return f"{setting}/{self._chance.randrange(1 << 30)}{'/ruled' * refereed}"

    def _rules(self, subject: str, promises: Sequence[Promise] | None) -> Iterator[Difference]:
        name, setting, seed, *refereed = subject.split("/")
        ruleset, chosen = RULESETS[name], promises or self._chance.sample(PROMISES, MOST_PROMISES)
        if int(setting) >= len(option_settings(ruleset)):
            return  # from another release
        try:
            for verdict in broken_promises(ruleset, Case(int(setting), int(seed), bool(refereed)), chosen):
                yield Difference("rules", f"{verdict.promise}: {verdict.findings[0].why}")
        finally:
            for each in (random_game, random_game_with_rulings):
                each.cache_clear()  # the game is not needed again

    def _game(self, game: str) -> Iterator[Difference]:
        log, views = self._archive.log, self._archive.views
        if log.head(game) is None:
            return
        first = log.find(game, game)
        if first is not None and not is_of_game(first.type):
            return
        found = list(differences(log, views, game))
        yield from found
        if any(each.kind == "chain" for each in found):
            return
        try:
            yield from self._snapshots(game)
            yield from self._analyses(game)
        except (ProjectionError, DamagedError):
            return

    def _snapshots(self, game: str) -> Iterator[Difference]:
        for kept in self._results.find_snapshots(game, None, MOST_RESULTS):
            fold = fold_from_zero(list(self._archive.log.read(game, 0, kept.version)))
            made = audit(fold)
            if kept.hash == fold.hash and kept.revision == made.revision and kept.audit != made:
                yield Difference("snapshot", f"the snapshot at version {kept.version} differs from a new audit")

    def _analyses(self, game: str) -> Iterator[Difference]:
        """The analyses with a single unit. They can be remade without simulated games."""
        for kept in Analyses(self._results).of_game(game, None, MOST_RESULTS):
            subject, kind = kept.subject, KINDS.get(kept.subject.kind)
            if kept.status != "done" or kept.data is None or kind is None or kind.parameters:
                continue
            replay = replay_of(self._archive.folds, game, subject.version, viewpoint_named(subject.viewpoint))
            if subject.hash != replay.hash or subject.revision != kind.revision_of(replay):
                continue
            try:
                next(kind.analyse(replay, {}))
            except StopIteration as finished:
                if in_english(finished.value).decode() != kept.data:
                    yield Difference(
                        "analysis", f"{kind.name} at version {subject.version} differs when it is computed again"
                    )
