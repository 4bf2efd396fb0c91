"""What makes up the difference between the table's paper and the audit."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from games.contract import ScoreLine
from projections import claims


@given(st.lists(st.integers(-9, 9), min_size=1, max_size=6), st.data())
def test_any_line_that_is_lacked_or_counted_twice_is_found(points: list[int], data: st.DataObject) -> None:
    lines = [ScoreLine(0, worth, "ab"[at % 2], "x:1", at + 1) for at, worth in enumerate(points)]
    count = data.draw(st.integers(1, min(2, len(lines))))
    chosen = data.draw(st.lists(st.sampled_from(lines), min_size=count, max_size=count, unique_by=id))
    worth = sum(line.points for line in chosen)
    found = claims._worth(lines, worth)
    assert sum(line.points for line in found) == worth
    assert bool(found) == bool(worth)
    assert claims._worth(lines, 200) == []


def test_all_lines_of_a_category_can_be_counted_twice() -> None:
    lines = [ScoreLine(0, 5, category, "x:1", at) for at, category in enumerate("aaabb", 1)]
    assert [line.version for line in claims._worth(lines, 15)] == [1, 2, 3]
