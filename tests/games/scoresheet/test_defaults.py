"""Cells that nobody has to fill in: what they count as before the end."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from games.errors import BadOpeningError
from games.scoresheet import SCORESHEET
from games.scoresheet.reading import read_template
from games.scoresheet.ready import READY
from tests.cases import cases

if TYPE_CHECKING:
    from collections.abc import Iterator

    from games.scoresheet.state import ScoresheetState
    from games.scoresheet.template import Column, Number

ROUNDS, PLAYS = 3, 4
"""Rounds that are played of a sheet, and how often it is played."""


def opened(name: str) -> Iterator[ScoresheetState]:
    """A ready sheet as it is, and with each of its options."""
    for option in ("", *(f"+{option.id}" for option in read_template(READY[name]).options)):
        for seats in (2, 4):
            try:
                yield SCORESHEET.open({"template": name + option}, None, seats)
            except BadOpeningError:
                continue  # it is for other numbers of players


def value(column: Column, chance: random.Random) -> Number:
    if column.labels:
        return chance.choice([*column.labels.values()])
    least = int(column.least or 0)
    most = least + 9 if column.most is None else min(int(column.most), least + 9)
    return chance.randint(least, most)


def fill_in(state: ScoresheetState, chance: random.Random) -> None:
    """Enter what the page asks for: every cell without a default."""
    rounds = min(ROUNDS, state.last) if state.template.has_rounds else 0
    for column, number, side in list(state.missing(rounds)):
        if column.default is None:
            state.version += 1
            state.put(column, number, side, value(column, chance))


def close(state: ScoresheetState) -> None:
    """End the game as it does: with the defaults in the empty cells."""
    state.version += 1
    for column, number, side in list(state.missing(state.round)):
        if column.default is not None:
            state.put(column, number, side, column.default)
    state.close()


SETTLED_AT_THE_END = {"bowling", "gin_rummy"}
"""Sheets with points that are known at the end alone: a strike waits for the next balls, and bonuses of the game."""


@cases("name", sorted(READY.keys() - SETTLED_AT_THE_END))
def test_form_3_cells_that_nobody_has_to_fill_in_change_no_total_at_the_end(name):
    for play in range(PLAYS):
        for state in opened(name):
            fill_in(state, random.Random(play))
            before = state.totals()
            close(state)
            assert before == state.totals(), state.template.chosen


def test_form_3_skull_king_shows_points_without_a_bonus(table):
    t = table("skull_king")
    t.do("r1 bid 1 0 0", "r1 tricks 1 0 0")
    assert t.scores() == [20, 10, 10]
    t.do("r1 p1 bonus 30")
    assert t.scores() == [50, 10, 10]


def test_form_3_the_entry_of_a_value_stays_the_last_one_that_was_made_for_it(table):
    t = table("skull_king", 2)
    t.do("r1 bid 1 0", "r1 tricks 1 0")
    before = t.audit()
    t.do("end early")
    assert [line[:5] for line in t.audit()] == [line[:5] for line in before]


def test_form_3_routes_of_one_length_count_before_those_of_others_are_entered(table):
    t = table("ticket_to_ride", 2)
    t.do("p1 six 2", "p1 four 1")
    assert t.scores() == [37, 0], "15 for each six and 7 for a four"


def test_form_3_a_comparison_takes_the_default_of_the_others(table):
    """In Chinese official mahjong one player wins a hand; the others have nothing to enter."""
    t = table("mahjong_chinese", 4)
    t.do("r1 p2 fan 24")
    assert t.scores() == [-32, 96, -32, -32]


def test_form_3_what_is_made_of_defaults_alone_comes_with_the_first_entry(table):
    t = table(
        "", 2, [{"id": "wood"}, {"id": "plants", "counts": False, "default": 0}, {"id": "few", "formula": "plants - 1"}]
    )
    assert t.scores() == [0, 0]
    t.do("p1 wood 5")
    assert t.scores() == [4, 0], "the other one has entered nothing yet"


def test_form_3_a_check_waits_for_what_is_typed(table):
    columns = [
        {"id": "a", "default": 0},
        {"id": "b", "default": 0},
        {"id": "both", "counts": False, "formula": "a + b"},
    ]
    t = table("", 1, columns, checks=[{"holds": "both == 100", "per": "game", "says": "it is 100"}])
    t.do("a 40")
    assert t.broken("b 50") == {"CHECK-1": "it is 100"}
    t.do("b 60")


def test_form_3_defaults_wait_for_the_end_in_games_of_an_older_revision(table):
    t = table("skull_king")
    t.state.revision = 5
    t.do("r1 bid 1 0 0", "r1 tricks 1 0 0")
    assert t.scores() == [0, 0, 0]
    t.do("end early")
    assert t.scores() == [20, 10, 10]
