"""Checking a ruleset: the examination of its games, and checks that need more than the rules.

Corrections are tried on a real log in a folder that is gone afterwards, and other processes play the same games.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
from importlib.resources import files
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import TYPE_CHECKING, Any

from uuid_utils import uuid7

from games.contract import PUBLIC, RECORD, Adjustment
from games.errors import TranscriptError
from games.examination import goldens
from games.examination.plays import execute, fingerprint
from games.examination.report import Case, Finding, Verdict, examine, finding, play_all, shortest, summary
from projections.archive import Archive
from projections.history import Segment
from projections.timeline import timeline
from service.recording.judging import Draft, EntryRejectedError
from service.recording.recorder import kept_components, open_game, record

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from games.contract import Ruleset
    from games.examination.plays import Play, Transition
    from service.recording.judging import RecordedEntry

ENTRIES = 120
"""How many entries of a game are recorded, to be corrected."""

CORRECTIONS = 8
"""How many corrections are tried on each game."""

SETTINGS = 4
"""Of how many settings a game is corrected, and played by other processes."""

ELSEWHERE = """
import sys
from importlib import import_module
from games.examination.plays import fingerprint, random_game
package, module, name, *cases = sys.argv[1:]
import_module(package)
ruleset = getattr(import_module(module), name).ruleset
for case in cases:
    print(fingerprint(random_game(ruleset, *map(int, case.split()))))
"""

ORDERS = ("1", "2")
"""How other processes hash, which is the order of their sets."""

WHO = "check"


def check(ruleset: Ruleset, games: int, seed: int) -> Iterator[Verdict]:
    """The results of all checks of a ruleset, one after the other."""
    yield from examine(ruleset, games, seed)
    plays = play_all(ruleset, games, seed)[0]
    some = {case.setting: (case, play) for case, play in reversed(plays) if not case.refereed}
    few = [some[setting] for setting in sorted(some)[:SETTINGS]]
    yield Verdict("Another process plays the same games", shortest(_other_hash_orders(ruleset, few)))
    few += [(case, play) for case, play in plays if case.refereed][:SETTINGS]
    found = (each for case, play in few for each in _corrected(case, play))
    yield Verdict("Corrected records are the same whatever way they are read", shortest(found))


def write_goldens(ruleset: Ruleset) -> Iterator[Path]:
    """Write the current results of a package's recorded games. Returns the new or changed files.

    A game that the rules refuse keeps its old results: the examination names its line.
    """
    for name, text, expected in goldens.goldens(ruleset):
        try:
            found = "".join(f"{line}\n" for line in goldens.playthrough(ruleset, text))
        except TranscriptError:
            continue
        if found != expected:
            path = Path(str(files(ruleset.package) / goldens.FOLDER / f"{name}.ndjson"))
            path.write_text(found, encoding="utf-8")
            yield path


def speed(ruleset: Ruleset, games: int, seed: int) -> float | None:
    """Replayed entries per second; None if no game comes to an end."""
    plays = [play for _, play in play_all(ruleset, games, seed)[0]]
    states = [play.opening() for play in plays]
    began = perf_counter()
    for play, state in zip(plays, states, strict=True):
        for step in play.steps:
            execute(state, step.move, step.after.version)
    took = perf_counter() - began
    return sum(len(play.steps) for play in plays) / took if plays and took else None


def _other_hash_orders(ruleset: Ruleset, games: Sequence[tuple[Case, Play]]) -> Iterator[tuple[int, Finding]]:
    """Whether games differ in processes with another order of sets and hashes."""
    kind, cases = ruleset.state, [f"{case.setting} {case.seed}" for case, _ in games]
    for order in ORDERS if games else ():
        environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path), "PYTHONHASHSEED": order}
        command = [sys.executable, "-c", ELSEWHERE, ruleset.package, kind.__module__, kind.__name__, *cases]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        courses = [*done.stdout.split(), *[""] * len(games)]
        last = done.stderr.strip().splitlines()[-1:] or ["it took another course"]
        for (case, play), course in zip(games, courses, strict=False):
            if course != fingerprint(play):
                yield finding(case, play, len(play.steps), f"with PYTHONHASHSEED={order}: {last[0]}")


def _corrected(case: Case, play: Play) -> Iterator[tuple[int, Finding]]:
    """The failures while a game is recorded and corrected at random."""
    with TemporaryDirectory(prefix="kifu-") as folder, Archive(Path(folder)) as archive:
        table = _Table(archive, play, random.Random(str(case)))
        try:
            table.record()
            for _ in range(CORRECTIONS):
                why = table.correct()
                if why:
                    yield finding(case, play, len(play.steps), why)
                    return
        except Exception as error:  # noqa: BLE001 - whatever the ruleset raises is a finding
            yield finding(case, play, len(play.steps), f"{table.doing}: {summary(error)}")


class _Table:
    """A game that is recorded, and corrected at random."""

    def __init__(self, archive: Archive, play: Play, chance: random.Random) -> None:
        self._archive, self._play, self._chance = archive, play, chance
        self._steps, self._game = play.steps[:ENTRIES], str(uuid7())
        self.doing = "recording it"

    def record(self) -> None:
        play, ruleset = self._play, self._play.ruleset
        data: dict[str, Any] = {"ruleset": ruleset.name, "revision": ruleset.revision, "options": play.options}
        data |= {"seats": [{}] * play.seats}
        data |= kept_components(self._archive, self._game, ruleset, play.options, None)
        open_game(self._archive, self._game, Draft(id=self._game, data=data), recorder=WHO)
        for step in self._steps:
            self._send(*self._entry(step))

    def _entry(self, step: Transition) -> tuple[str, dict[str, Any]]:
        ruleset = self._play.ruleset
        if isinstance(step.move, Adjustment):
            adjustments = [ruleset.adjustment_data(step.move)]
            return "ruling.given", {"reason": "at random", "adjustments": adjustments}
        return "move.made", {"move": ruleset.move_data(step.move)}

    def _send(self, kind: str, data: dict[str, Any]) -> RecordedEntry:
        draft = Draft(id=str(uuid7()), type=kind, data=data)
        (recorded,) = record(self._archive, self._game, [draft], expected=None, recorder=WHO)
        return recorded

    def correct(self) -> str | None:
        """Correct an entry, then withdraw that. Returns the failures."""
        at = self._chance.randrange(len(self._steps))
        kind, data = self._correction(at)
        choice = self._chance.choice(("keep", "withdraw"))
        self.doing = f"{kind} of entry {at + 2}, later ones to {choice}"
        before = self._archive.folds.current(self._game).state.dump()
        try:
            recorded = self._send(kind, data | {choice: "all"})
        except EntryRejectedError:
            return None  # it cannot be corrected so, and says why
        if not self._is_read_alike():
            return f"{self.doing}: read from the beginning the record is another one"
        self.doing += ", and taken back"
        self._send("entry.withdrawn", {"entry": recorded.version, "keep": "all"})
        same = self._archive.folds.current(self._game).state.dump() == before
        return None if same and self._is_read_alike() else f"{self.doing}: the game is not as it was before"

    def _correction(self, at: int) -> tuple[str, dict[str, Any]]:
        """The withdrawal of an entry, or another move that was legal there, in its place or after it."""
        step, entry = self._steps[at], at + 2
        if isinstance(step.move, Adjustment):
            return "ruling.revoked", {"ruling": entry}
        moves = list(step.before.legal_moves())
        kind = self._chance.choice(("entry.withdrawn", "entry.replaced", "entry.inserted"))
        if kind == "entry.withdrawn" or not moves:
            return "entry.withdrawn", {"entry": entry}
        move = step.before.sample_chance(self._chance.choice(moves), self._chance)
        place = {"entry": entry} if kind == "entry.replaced" else {"after": entry - 1}
        data = {"move": self._play.ruleset.move_data(move), "override": {"reason": "at random"}}
        return kind, data | place

    def _is_read_alike(self) -> bool:
        """Whether the record gives the same state entry by entry and from the beginning, for every viewpoint."""
        folds = self._archive.folds
        fold = folds.current(self._game)
        whole = Segment.of_game(list(folds.read(self._game, 0, fold.version))).run_to_end()
        for viewpoint in (RECORD, PUBLIC):
            timeline(folds, self._game, fold.version, 0, fold.version, viewpoint)
        return whole.dump() == fold.dump()
