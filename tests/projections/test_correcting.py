"""What may be told later of a move that was half seen, and how it is told that later entries do not fit."""

from __future__ import annotations

from unittest.mock import sentinel

import pytest

from games.contract import Move
from projections.correcting import check_revealed
from projections.errors import BadCorrectionError, Conflict, ConflictError


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
