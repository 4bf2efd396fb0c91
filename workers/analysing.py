"""Continues an analysis for some seconds. Several workers can do so at the same time."""

from __future__ import annotations

import time
from contextlib import suppress
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import msgspec

from games.contract import PUBLIC, RECORD, Viewpoint
from projections.analyses.game_replay import replay_of
from projections.analyses.kinds import KINDS, InapplicableError
from projections.analyses.rounds import size_of
from workers.analyses import SLOTS, Subject
from workers.rest import is_recording

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from events.log import LogReader
    from projections.analyses.game_replay import GameReplay
    from projections.analyses.kinds import Kind
    from projections.analyses.rounds import WorkRound, WorkUnit
    from projections.fold import Fold
    from projections.folds import Folds
    from workers.analyses import Analyses, Analysis

CHUNK = 2.0
"""The seconds after which a job begins no new unit of an analysis."""

CANCEL_CHECK_INTERVAL = 0.5
"""Seconds between two checks whether an analysis was cancelled."""

SLOT_PLACES = (0.0, 1.0, 0.5, 0.25)
"""The places of the next unit among those left, by slot: the front, the back, the middle, and between."""

SPARE = ("timeline", "luck-counts", "win-line")
"""The analyses of every finished game in spare time, from the viewpoint of the public."""


class BadParameterError(Exception):
    """A request for an analysis has an unknown parameter, or a wrong value."""

    def __init__(self, name: str, why: str) -> None:
        super().__init__(f"{name}: {why}")
        self.name, self.why = name, why


def subject_of(fold: Fold, kind: Kind, given: Mapping[str, int], viewpoint: Viewpoint) -> Subject:
    """The subject of an analysis of a game, at the version of its fold.

    Raises `BadParameterError`, `InapplicableError`.
    """
    kind.check(fold.ruleset)
    for name, value in given.items():
        allowed = kind.parameters.get(name)
        if allowed is None:
            if not kind.parameters:
                raise BadParameterError(name, f"{kind.name} has no parameters")
            raise BadParameterError(name, f"{kind.name} has only the parameters {', '.join(kind.parameters)}")
        if not allowed.least <= value <= allowed.most:
            raise BadParameterError(name, f"not from {allowed.least} to {allowed.most}")
    values = {name: given.get(name, allowed.default) for name, allowed in sorted(kind.parameters.items())}
    return Subject(
        game=fold.game,
        version=fold.version,
        hash=fold.hash,
        kind=kind.name,
        parameters=msgspec.json.encode(values).decode(),
        viewpoint=viewpoint.name,
        revision=kind.revision_of(fold),
    )


def ask_in_spare_time(analyses: Analyses, fold: Fold) -> bool:
    """Request the missing analyses of a finished game in spare time. Returns whether any were missing."""
    asked = False
    for kind in filter(None, map(KINDS.get, SPARE)):
        with suppress(InapplicableError):
            subject = subject_of(fold, kind, {}, PUBLIC)
            if analyses.find_by_subject(subject) is None:
                analyses.ask(subject, "spare", "")
                asked = True
    return asked


def viewpoint_named(name: str) -> Viewpoint:
    """The viewpoint with a name."""
    whole = {viewpoint.name: viewpoint for viewpoint in (RECORD, PUBLIC)}
    return whole[name] if name in whole else Viewpoint("seat", int(name.removeprefix("seat-")))


class Analyst:
    """Continues the analyses of one data folder; `folds` are those of its log."""

    def __init__(self, analyses: Analyses, folds: Folds, log: LogReader) -> None:
        self._analyses, self._log = analyses, log
        self._replay = lru_cache(maxsize=4)(lambda game, version, _, name: _replay(folds, game, version, name))

    def forget(self) -> None:
        """Drop games from memory."""
        self._replay.cache_clear()

    def run_for(self, id_: str, seconds: float = CHUNK, slot: int = 0) -> None:
        """Continue an analysis with work left for about `seconds`. It may be done then.

        `slot` is the number of this worker among those of the analysis. Each takes other units first. Raises what is
        wrong with the game's record.
        """
        analysis = self._analyses.find(id_)
        if analysis is None or not self._goes_on(analysis):
            return
        subject, deadline = analysis.subject, time.monotonic() + seconds
        replay = self._replay(subject.game, subject.version, subject.hash, subject.viewpoint)
        if subject.revision != KINDS[subject.kind].revision_of(replay):
            self._analyses.fail(id_, "it was asked of another release, and is to be asked for anew")
            return
        analysing = KINDS[subject.kind].analyse(replay, msgspec.json.decode(subject.parameters))
        before, found = 0, dict[str, Any]()
        try:
            asked = next(analysing)
            while True:
                found = self._analyses.results_of_units(subject.viewpoint, (unit.key for unit in asked.units))
                self._analyses.record_progress(id_, before + _size_of(asked, found), asked.planned, asked.so_far)
                missing = [unit for unit in asked.units if unit.key not in found]
                if not self._run_units(analysis, missing, slot, deadline):
                    found = self._analyses.results_of_units(subject.viewpoint, (unit.key for unit in asked.units))
                    self._analyses.record_progress(id_, before + _size_of(asked, found), asked.planned, None)
                    return
                found |= self._analyses.results_of_units(subject.viewpoint, (unit.key for unit in missing))
                before += asked.size
                asked = analysing.send(found)
        except StopIteration as finished:
            self._analyses.finish(id_, finished.value, before)

    def _goes_on(self, analysis: Analysis) -> bool:
        """Whether it has work that may be done now: work for spare time waits while a person records."""
        return analysis.active and not (analysis.queue == "spare" and is_recording(self._log))

    def _run_units(self, analysis: Analysis, units: Sequence[WorkUnit], slot: int, deadline: float) -> bool:
        """Do the units that no other worker has done meanwhile. False after the time, or if the analysis stopped."""
        look, left = time.monotonic() + CANCEL_CHECK_INTERVAL, list(units)
        while left:
            begun = time.monotonic()
            if begun >= deadline:
                return False
            if begun >= look:
                now = self._analyses.find(analysis.id)
                if now is None or not self._goes_on(now):
                    return False
                look = begun + CANCEL_CHECK_INTERVAL
            unit = left.pop(next_index(len(left), slot))
            spent = time.thread_time()
            found = {unit.key: unit.work()}
            self._analyses.keep(analysis, found, time.thread_time() - spent)
            others = self._analyses.results_of_units(analysis.subject.viewpoint, (each.key for each in left))
            left = [each for each in left if each.key not in others]
        return True


def _size_of(asked: WorkRound, found: Collection[str]) -> int:
    """The size of those units of a round that are found."""
    return size_of(unit for unit in asked.units if unit.key in found)


def next_index(count: int, slot: int) -> int:
    """The index of a worker's next unit of `count`. Workers seldom do the same one, until few are left."""
    return round((count - 1) * SLOT_PLACES[slot % SLOTS])


def _replay(folds: Folds, game: str, version: int, viewpoint: str) -> GameReplay:
    return replay_of(folds, game, version, viewpoint_named(viewpoint))
