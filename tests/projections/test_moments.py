"""The moments of a game that are worth a look, and which of them are shown."""

from __future__ import annotations

from projections.analyses.moments import Moment, choose_moments

PLACES = {version: version for version in range(1, 10)}


def test_marks_come_first_then_the_greatest_swings_and_each_entry_once() -> None:
    small, large = Moment(3, "swing", [0], chances=[40, 60]), Moment(4, "swing", [1], chances=[70, 20])
    ahead, last, mark = Moment(5, "ahead", [0]), Moment(9, "last"), Moment(8, "mark", note=6)
    assert choose_moments([last, ahead, small, large, mark], PLACES) == [small, large, mark]
    assert choose_moments([last, Moment(4, "ahead", [0]), large], PLACES) == [large, last]


def test_they_are_shown_in_the_order_of_play_and_only_of_entries_that_are_there() -> None:
    first, second = Moment(7, "gain", [0], 4), Moment(2, "behind", [1], 3)
    assert choose_moments([second, first, Moment(11, "mark", note=12)], PLACES | {7: 1, 2: 3}) == [first, second]
