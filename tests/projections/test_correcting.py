"""What may be told later of a move that was half seen, and how it is told that later entries do not fit."""

from __future__ import annotations

from typing import TYPE_CHECKING
from unittest.mock import sentinel

import pytest

from games.contract import Move
from projections.correcting import LastUncorrected, Uncorrected, check_revealed
from projections.errors import BadCorrectionError, Conflict, ConflictError
from projections.history import Corrections, Segment

if TYPE_CHECKING:
    from tests.projections.conftest import Recorder


class Show(Move, frozen=True, kw_only=True, tag="show"):
    """A move with a fact that can be open, a list of such, and one that cannot."""

    card: str | None = None
    cards: tuple[str | None, ...] = ()
    place: str | None = None


class Hide(Move, frozen=True, kw_only=True, tag="hide"):
    """Another move."""


OPEN = ("card", "cards")


@pytest.mark.parametrize(
    ("known", "told"),
    [
        (Show(), Show(card="A")),
        (Show(card="A", place="x"), Show(card="A", place="x")),
        (Show(cards=("A", None)), Show(cards=("A", "B"))),
        (Show(cards=(None, None)), Show(cards=("A", None))),
        (Show(cards=("A",)), Show(cards=("B", "A"))),
        (Show(), Show(cards=("A", "B"))),
    ],
)
def test_what_was_open_can_be_told(known, told):
    check_revealed(known, told, OPEN)


@pytest.mark.parametrize(
    ("known", "told"),
    [
        (Show(), Show(place="x")),  # nothing stands there, but nothing was left open either
        (Show(card="A"), Show(card="B")),
        (Show(card="A"), Show()),
        (Show(cards=("A", None)), Show(cards=("B", "A"))),
        (Show(cards=("A", "B")), Show(cards=("A",))),
        (Show(cards=("A", "A")), Show(cards=("A", "B", "C"))),
        (Show(), Hide()),
    ],
)
def test_what_was_seen_cannot_be_told_otherwise(known, told):
    with pytest.raises(BadCorrectionError):
        check_revealed(known, told, OPEN)


@pytest.mark.parametrize(("more", "told"), [(0, ""), (1, ", and 1 more"), (2, ", and 2 more")])
def test_the_first_entry_that_no_longer_fits_is_named_and_how_many_more_there_are(more, told):
    conflicts = [Conflict(version=3 + at, why="it is gone", rule=None, choices=("withdraw",)) for at in range(1 + more)]
    error = ConflictError(conflicts, sentinel.corrected)
    assert str(error) == f"entry 3 no longer fits: it is gone{told}"
    assert error.conflicts == conflicts


def test_what_is_kept_of_a_game_is_found_only_where_it_goes_back_far_enough(table: Recorder) -> None:
    game, last = table.open(), LastUncorrected()
    table.play(game, 1, moves=10)
    later = list(table.archive.log.read(game, 8))
    kept = Uncorrected(Segment(table.archive.folds.at(game, 8).copy(), later, Corrections(later)))
    last.keep(game, later[-1].hash, kept)
    for start in (1, 7):
        assert last.find(game, later[-1].hash, start) is None
    for start in (8, 9):
        assert last.find(game, later[-1].hash, start) is kept
        assert last.find(game, later[0].hash, start) is None, "the game went on"
        assert last.find("another", later[-1].hash, start) is None
