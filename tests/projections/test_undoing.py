"""Undo and redo: the projections say what they would do, for the command line, the page and everybody else."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

from projections import undoing
from projections.history import Corrections
from projections.undoing import Reversal, Reversals, redo_of, reversals
from tests.choosing import soak_except

if TYPE_CHECKING:
    from events.event import Event
    from tests.projections.conftest import Recorder

LASTING = {"game.opened", "game.closed", "game.reopened"}
WITHDRAWING = {"entry.withdrawn", "ruling.revoked"}


def reversals_of(table: Recorder, game: str) -> Reversals:
    head = table.archive.log.head(game)
    assert head is not None
    return reversals(table.archive.folds, game, head.version)


def execute(table: Recorder, game: str, back: Reversal | None) -> None:
    assert back is not None
    table.add(game, back.type, dict(back.data))


def record(table: Recorder, game: str) -> list[Event]:
    return list(table.archive.log.read(game, 0, 10_000))


def counting(events: list[Event]) -> set[int]:
    """The entries that count, but for those that only take others back."""
    corrections = Corrections(events)
    return {event.version for event in events if corrections.counts(event) and event.type not in WITHDRAWING}


MOVE = {"type": "decline", "seat": 0}


def jumble(table: Recorder, seed: int, entries: int = 40) -> str:
    """A game in which anything was recorded and corrected, whether the rules of any game would allow it or not."""
    chance, game = random.Random(seed), table.open()
    for _ in range(entries):
        events = record(table, game)
        counts = [event for event in events[1:] if Corrections(events).counts(event)]
        moves = [event.version for event in counts if event.type in {"move.made", "entry.inserted"}]
        rulings = [event.version for event in counts if event.type == "ruling.given"]
        others = [event.version for event in counts if event.type not in LASTING | {"ruling.given"}]
        kinds = {
            "move.made": {"move": MOVE},
            "note.added": {"text": "…"},
            "entry.inserted": {"after": chance.randint(1, len(events)), "move": MOVE},
            "ruling.given": {"reason": "…"},
            **({"entry.replaced": {"entry": chance.choice(moves), "move": MOVE}} if moves else {}),
            **({"entry.withdrawn": {"entry": chance.choice(others)}} if others else {}),
            **({"ruling.revoked": {"ruling": chance.choice(rulings)}} if rulings else {}),
        }
        kind = chance.choice([*kinds, *["entry.withdrawn"] * bool(others)])
        table.add(game, kind, kinds[kind])
    return game


def test_a_replacement_of_what_is_taken_back_is_not_what_undo_takes(table: Recorder) -> None:
    game = table.open()
    table.play(game, 4, moves=2)
    table.add(game, "entry.replaced", {"entry": 3, "move": MOVE})
    assert reversals_of(table, game).undo == Reversal(4, "entry.withdrawn", {"entry": 4})
    table.withdraw(game, 3)
    assert reversals_of(table, game).undo == Reversal(2, "entry.withdrawn", {"entry": 2})
    assert reversals_of(table, game).redo == Reversal(3, "entry.withdrawn", {"entry": 5})


def test_a_replacement_that_withdrew_others_still_does_something_when_its_own_entry_is_taken_back(
    table: Recorder,
) -> None:
    game = table.open()
    table.play(game, 4, moves=3)
    table.add(game, "entry.replaced", {"entry": 3, "move": MOVE, "withdraw": [4]})
    table.withdraw(game, 3)
    assert reversals_of(table, game).undo == Reversal(5, "entry.withdrawn", {"entry": 5})


def test_a_ruling_is_revoked_and_the_revocation_withdrawn(table: Recorder) -> None:
    game = table.open()
    table.add(game, "ruling.given", {"reason": "slow play"})
    assert reversals_of(table, game) == (Reversal(2, "ruling.revoked", {"ruling": 2}), None)
    execute(table, game, reversals_of(table, game).undo)
    assert reversals_of(table, game) == (None, Reversal(2, "entry.withdrawn", {"entry": 3}))


def test_redo_ends_when_something_else_is_done(table: Recorder) -> None:
    game = table.open()
    table.play(game, 4, moves=2)
    table.withdraw(game, 3)
    assert reversals_of(table, game).redo == Reversal(3, "entry.withdrawn", {"entry": 4})
    table.add(game, "note.added", {"text": "the cat"})
    assert reversals_of(table, game) == (Reversal(5, "entry.withdrawn", {"entry": 5}), None)


def test_redo_brings_back_only_what_undo_took_and_no_older_entry_that_was_withdrawn_before(table: Recorder) -> None:
    game = table.open()
    table.play(game, 4, moves=3)
    table.withdraw(game, 3)
    assert reversals_of(table, game) == (Reversal(4, "entry.withdrawn", {"entry": 4}), redo_of(3, 5)), "right after it"
    execute(table, game, reversals_of(table, game).undo)
    assert reversals_of(table, game).redo == redo_of(4, 6)
    execute(table, game, reversals_of(table, game).redo)
    assert reversals_of(table, game) == (Reversal(4, "entry.withdrawn", {"entry": 4}), None), "entry 3 stays out"


def test_redo_leaves_alone_an_older_entry_that_was_withdrawn_with_all_after_it(table: Recorder) -> None:
    game = table.open()
    table.play(game, 4, moves=3)
    table.add(game, "entry.withdrawn", {"entry": 3, "withdraw": [4]})
    execute(table, game, reversals_of(table, game).undo)
    execute(table, game, reversals_of(table, game).redo)
    assert reversals_of(table, game) == (Reversal(2, "entry.withdrawn", {"entry": 2}), None)


def test_redo_brings_back_an_insertion_that_undo_took_with_earlier_entries(table: Recorder) -> None:
    game = table.open()
    table.play(game, 4, moves=2)
    table.add(game, "entry.inserted", {"after": 2, "move": MOVE})
    table.add(game, "entry.withdrawn", {"entry": 4, "withdraw": [3]})
    execute(table, game, reversals_of(table, game).undo)
    execute(table, game, reversals_of(table, game).redo)
    assert reversals_of(table, game).redo == redo_of(4, 5)


def test_redo_leaves_an_older_ruling_revoked(table: Recorder) -> None:
    game = table.open()
    table.add(game, "ruling.given", {"reason": "slow play"})
    table.add(game, "note.added", {"text": "the cat"})
    table.add(game, "ruling.revoked", {"ruling": 2})
    execute(table, game, reversals_of(table, game).undo)
    execute(table, game, reversals_of(table, game).redo)
    assert reversals_of(table, game) == (Reversal(3, "entry.withdrawn", {"entry": 3}), None)


def test_closing_and_reopening_are_passed_over(table: Recorder) -> None:
    game = table.open()
    assert reversals_of(table, game) == (None, None)
    table.play(game, 4, moves=1)
    table.add(game, "game.closed", {"how": "abandoned"})
    table.add(game, "game.reopened", {"reason": "it goes on"})
    assert reversals_of(table, game) == (Reversal(2, "entry.withdrawn", {"entry": 2}), None)


@pytest.mark.parametrize("seed", soak_except(range(6), 0, 1))
@pytest.mark.slow
def test_how_far_back_is_looked_at_first_changes_nothing(
    table: Recorder, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    game = jumble(table, seed)
    answers = set()
    for window in (1, 3, 1000):
        monkeypatch.setattr(undoing, "WINDOW", window)
        answers.add(str(reversals_of(table, game)))
    assert len(answers) == 1


@pytest.mark.parametrize("seed", soak_except(range(6), 0, 1))
@pytest.mark.slow
def test_undo_takes_back_everything_one_by_one_and_redo_brings_all_of_it_again(table: Recorder, seed: int) -> None:
    game = jumble(table, seed)
    left = [counting(record(table, game))]
    while back := reversals_of(table, game).undo:
        execute(table, game, back)
        left.append(counting(record(table, game)))
        assert back.entry in left[-2] - left[-1]
    assert all(
        event.type in {"entry.replaced", "move.revealed"}
        for event in record(table, game)[1:]
        if event.version in left[-1]  # a replacement of what is taken back does nothing
    )
    while len(left) > 1:
        left.pop()
        back = reversals_of(table, game).redo
        execute(table, game, back)
        assert counting(record(table, game)) == left[-1]
