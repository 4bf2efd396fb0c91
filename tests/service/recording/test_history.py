"""What really happened: records of every ruleset, played on, corrected, ruled on, closed and reopened at random."""

from __future__ import annotations

import shutil
import tempfile
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule
from uuid_utils import uuid7

from events.sqlite import LOG, verify
from games.contract import PUBLIC, RECORD, Viewpoint
from games.examination.plays import give_ruling
from games.rulesets import RULESETS
from projections.archive import Archive, ReadingArchive
from projections.history import Segment
from projections.projector import Projector
from projections.timeline import timeline
from service.recording.judging import Draft, EntryRejectedError
from service.recording.recorder import open_game, record
from tests.service.entries import fold_before

if TYPE_CHECKING:
    import random
    from collections.abc import Iterator

    from projections.fold import Fold
    from service.recording.judging import RecordedEntry

chances = st.randoms(use_true_random=False)
choices = st.sampled_from([{}, {"keep": "all"}, {"withdraw": "all"}, {"keep": "all", "withdraw": "all"}])

CORRECTIONS = ("withdraw", "replace", "insert", "revoke")


class Table(RuleBasedStateMachine):
    """A game with every kind of mistake, and its record. What was stored once is compared with it."""

    ruleset: Any

    @initialize(chance=chances)
    def open(self, chance: random.Random) -> None:
        self.folder = Path(tempfile.mkdtemp())
        self.archive = Archive(self.folder)
        self.projector = Projector(self.archive.log, self.archive.folds, self.archive.views)
        self.game = str(uuid7())
        self.stored: list[str] = []
        while self.archive.log.head(self.game) is None:
            with suppress(EntryRejectedError):  # not every template is for every number of seats
                open_game(self.archive, self.game, self.opening(chance), recorder="tests")
        for _ in range(8):
            self.play(chance)

    def opening(self, chance: random.Random) -> Draft:
        options = {option.name: chance.choice(option.choices) for option in self.ruleset.options}
        data: dict[str, Any] = {"ruleset": self.ruleset.name, "revision": self.ruleset.revision, "options": options}
        data["seats"] = [{}] * chance.choice(self.ruleset.seats)
        components = self.ruleset.components(options)
        data |= {"components": components} if components else {}
        return Draft(id=self.game, type="game.opened", data=data)

    @property
    def fold(self) -> Fold:
        return self.archive.folds.current(self.game)

    def add(self, kind: str, **data: Any) -> RecordedEntry:
        """Record an entry, after a dry run that has to say the same."""
        draft = Draft(id=str(uuid7()), type=kind, data=data)
        before = self.fold.version
        (tried,) = record(self.archive, self.game, [draft], expected=None, recorder="tests", dry_run=True)
        assert self.fold.version == before
        (recorded,) = record(self.archive, self.game, [draft], expected=None, recorder="tests")
        again = record(self.archive, self.game, [draft], expected=None, recorder="tests")
        assert [recorded] == again
        found = {"recorded_at", "hash"}
        assert _without(recorded, found) == _without(tried, found)
        return recorded

    @contextmanager
    def refused(self) -> Iterator[None]:
        """A refused entry leaves everything as it was."""
        version, state = self.fold.version, self.fold.dump()
        try:
            yield
        except EntryRejectedError:
            assert (self.fold.version, self.fold.dump()) == (version, state)

    def entry(self, chance: random.Random, *kinds: str) -> int:
        found = [event.version for event in self.archive.log.read(self.game, 0) if not kinds or event.type in kinds]
        return chance.choice(found or [1])

    def seen(self, viewpoint: Viewpoint) -> list[Any]:
        """What can be seen of the game from there: every entry that does something, and where it has led to."""
        entries = timeline(self.archive.folds, self.game, self.fold.version, 0, 10_000, viewpoint)
        done = [(entry.version, entry.notation, entry.effects, entry.irregular) for entry in entries if entry.effects]
        state = self.fold.state.view(viewpoint)
        moves = [state.notation(move) for move in state.legal_moves()]
        return [done, state.describe(), state.picture(), moves]

    def legal(self, fold: Fold, chance: random.Random) -> dict[str, Any]:
        """A legal move, with some facts noted and others not; any old move where nothing is legal."""
        moves = list(fold.state.legal_moves())
        if not moves:
            return {"type": "nothing"}
        move = chance.choice(moves)
        data: dict[str, Any] = self.ruleset.move_data(
            fold.state.sample_chance(move, chance) if chance.random() < 0.5 else move
        )
        return data

    @rule(chance=chances)
    def play(self, chance: random.Random) -> None:
        with self.refused():
            self.add("move.made", move=self.legal(self.fold, chance))

    @rule(chance=chances)
    def play_out_of_turn(self, chance: random.Random) -> None:
        """A move that was legal at some other moment."""
        fold, _ = self.archive.folds.right_after(self.game, self.entry(chance))
        with self.refused():
            self.add("move.made", move=self.legal(fold, chance), override={"reason": "it happened"})

    @rule(chance=chances, choice=choices)
    def withdraw(self, chance: random.Random, choice: dict[str, str]) -> None:
        with self.refused():
            self.add("entry.withdrawn", entry=self.entry(chance), **choice)

    @rule(chance=chances, choice=choices)
    def replace(self, chance: random.Random, choice: dict[str, str]) -> None:
        entry = self.entry(chance, "move.made", "entry.inserted")
        fold, _ = self.archive.folds.right_after(self.game, max(entry - 1, 1))
        with self.refused():
            self.add("entry.replaced", entry=entry, move=self.legal(fold, chance), **choice)

    @rule(chance=chances, choice=choices)
    def insert(self, chance: random.Random, choice: dict[str, str]) -> None:
        entry = self.entry(chance)
        fold, _ = self.archive.folds.right_after(self.game, entry)
        with self.refused():
            self.add("entry.inserted", after=entry, move=self.legal(fold, chance), **choice)

    @rule(chance=chances)
    def reveal(self, chance: random.Random) -> None:
        """Tell what was open in a recorded move: those who may not know it see the game as before."""
        entry = self.entry(chance, "move.made")
        shown = timeline(self.archive.folds, self.game, self.fold.version, entry - 1, 1, RECORD)[0]
        if shown.move and shown.withdrawn_by is None:
            state = fold_before(self.archive.folds, self.game, entry).state
            result = state.sample_chance(self.ruleset.read_move(shown.move), chance)
            seen = self.seen(PUBLIC)
            with self.refused():
                self.add("move.revealed", entry=entry, move=self.ruleset.move_data(result))
                if result.seen(PUBLIC) == self.ruleset.read_move(shown.move).seen(PUBLIC):
                    assert self.seen(PUBLIC) == seen

    @rule(chance=chances, choice=choices, back=st.booleans())
    def give_ruling(self, chance: random.Random, choice: dict[str, str], *, back: bool) -> None:
        after = {"after": self.entry(chance)} if back else {}
        fold = self.archive.folds.right_after(self.game, after["after"])[0] if back else self.fold.copy()
        given = give_ruling(fold.copy().state, chance)
        adjustments = {"adjustments": [self.ruleset.adjustment_data(given[0])]} if given else {}
        with self.refused():
            self.add("ruling.given", reason="decided", **adjustments, **after, **(choice if back else {}))

    @rule(chance=chances, choice=choices)
    def revoke(self, chance: random.Random, choice: dict[str, str]) -> None:
        with self.refused():
            self.add("ruling.revoked", ruling=self.entry(chance, "ruling.given"), **choice)

    @rule(chance=chances)
    def note(self, chance: random.Random) -> None:
        self.add("note.added", text="seen", entry=self.entry(chance), bookmark=chance.random() < 0.5)
        self.add("score.claimed", scores=self.fold.totals())

    @rule(chance=chances)
    def change_seat(self, chance: random.Random) -> None:
        player = {"player": str(uuid7())} if chance.random() < 0.7 else {}
        with self.refused():
            self.add("seat.changed", seat=chance.randrange(self.fold.seats), **player)

    @rule(how=st.sampled_from(["finished", "adjudicated", "abandoned"]))
    def close(self, how: str) -> None:
        with self.refused():
            self.add("game.closed", how=how)

    @rule()
    def reopen(self) -> None:
        with self.refused():
            self.add("game.reopened", reason="to go on")

    @rule(chance=chances, choice=choices, kind=st.sampled_from(CORRECTIONS))
    def correct_and_take_it_back(self, chance: random.Random, choice: dict[str, str], kind: str) -> None:
        """A correction and its reverse restore the state."""
        before = self.fold
        getattr(self, kind)(chance, choice)
        correction = self.fold.version
        if correction > before.version:
            self.add("entry.withdrawn", entry=correction)
            after = self.fold
            assert (after.state, after.irregular, after.hidden_irregular) == (
                before.state,
                before.irregular,
                before.hidden_irregular,
            )
            assert (after.players, after.closed) == (before.players, before.closed)

    @rule(chance=chances, choice=choices)
    def rule_and_revoke(self, chance: random.Random, choice: dict[str, str]) -> None:
        before = self.fold
        self.give_ruling(chance, choice, back=True)
        if self.fold.version > before.version:
            self.add("ruling.revoked", ruling=self.fold.version)
            assert (self.fold.state, self.fold.irregular) == (before.state, before.irregular)

    @rule()
    def project(self) -> None:
        self.projector.catch_up()

    @invariant()
    def nothing_is_lost(self) -> None:
        events = list(self.archive.log.read(self.game))
        hashes = [event.hash for event in events]
        assert hashes[: len(self.stored)] == self.stored
        self.stored = hashes
        assert [event.version for event in events] == list(range(1, len(events) + 1))

    @invariant()
    def the_state_is_the_fold_from_zero(self) -> None:
        whole = Segment.of_game(list(self.archive.log.read(self.game))).run_to_end().dump()
        assert self.fold.dump() == whole
        with ReadingArchive(self.folder) as fresh:
            assert fresh.folds.current(self.game).dump() == whole

    @invariant()
    def the_timeline_ends_where_the_state_is(self) -> None:
        entries = timeline(self.archive.folds, self.game, self.fold.version, 0, 10_000, RECORD)
        assert [entry.version for entry in entries] == list(range(1, self.fold.version + 1))
        for viewpoint in (PUBLIC, Viewpoint("seat", 0)):
            seen = timeline(self.archive.folds, self.game, self.fold.version, 0, 10_000, viewpoint)
            assert [entry.scores for entry in seen] == [entry.scores for entry in entries]

    def teardown(self) -> None:
        if hasattr(self, "archive"):
            self.archive.close()
            assert verify(self.folder / LOG).problems == ()
            shutil.rmtree(self.folder)


def _without(recorded: RecordedEntry, names: set[str]) -> dict[str, Any]:
    return {name: value for name, value in msgspec.structs.asdict(recorded).items() if name not in names}


def try_out(name: str, examples: int, steps: int) -> None:
    """Play `examples` records of a ruleset, each of up to so many steps."""
    machine = type(f"TableOf{name}", (Table,), {"ruleset": RULESETS[name]})
    machine.TestCase.settings = settings(
        max_examples=examples, stateful_step_count=steps, suppress_health_check=list(HealthCheck)
    )
    machine.TestCase().runTest()


@pytest.mark.parametrize("name", RULESETS)
@pytest.mark.slow
def test_a_record_is_the_same_in_every_way_to_read_it(name: str) -> None:
    try_out(name, examples=2, steps=12)


@pytest.mark.soak
@pytest.mark.parametrize("name", RULESETS)
def test_a_long_record_is_the_same_in_every_way_to_read_it(name: str) -> None:
    try_out(name, examples=300, steps=40)
