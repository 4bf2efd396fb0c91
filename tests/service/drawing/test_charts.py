"""Small charts: what stands below their bars."""

from __future__ import annotations

from service.drawing.charts import FEWEST, NAMED, bars


def test_bars_have_their_names_below_which_are_only_text() -> None:
    drawn = bars([1, 2], "Games <b>", ["<i>", "2"])
    assert drawn.count("<rect") == 2
    assert 'aria-label="Games &lt;b&gt;"' in drawn
    assert '<div class="axis" aria-hidden="true"><span>&lt;i&gt;</span><span>2</span><span></span>' in drawn


def test_bars_without_room_for_names_have_none() -> None:
    many = NAMED + 1
    assert "axis" not in bars([1] * many, "Games", ["a"] * many)
    assert "axis" not in bars([], "Games", [])


def test_a_bar_that_stands_alone_is_no_wider_than_a_quarter() -> None:
    drawn = bars([3], "Games", ["2026-11"])
    assert f'width="{320 / FEWEST * 0.8:.1f}"' in drawn
    assert drawn.count("<span>") == FEWEST, "its name stands below it"
