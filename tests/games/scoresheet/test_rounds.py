"""FORM-4: formulas that look at other rounds, what they cite, and what they may not do."""

from __future__ import annotations

import random
import time

import pytest

from games.scoresheet import SCORESHEET
from games.scoresheet.moves import Enter
from games.scoresheet.ready import READY
from games.scoresheet.values import Sheet
from games.scoresheet.work import WORK
from tests.cases import cases

A = {"id": "a", "per": "round", "counts": False}
B = {"id": "b", "per": "round", "counts": False}


def computed(formula, **fields):
    """A column that is computed in rounds."""
    return {"id": "c", "per": "round", "formula": formula} | fields


def points(t, side=0):
    """What the column `c` has in each round begun; None for what is not known."""
    sheet = Sheet(t.state)
    return [sheet.value(t.state.template.by_id["c"], number, side).number for number in t.state.begun_rounds()]


@cases(
    ("formula", "known", "at_end"),
    [
        ("sum(before(a))", [0, 1, 3, 7], [0, 1, 3, 7]),
        ("count(before(a)) + 0 * a", [0, 1, 2, 3], [0, 1, 2, 3]),
        ("before(a, 1) + a", [1, 3, 6, 12], [1, 3, 6, 12]),
        ("before(a, 2) + a", [1, 2, 5, 10], [1, 2, 5, 10]),
        ("after(a, 1) + a", [3, 6, 12, None], [3, 6, 12, 8]),
        ("next(a) + a", [3, 6, 12, None], [3, 6, 12, 8]),
        ("after(a, 2) + a", [5, 10, None, None], [5, 10, 4, 8]),
        ("sum(after(a)) + a", [None] * 4, [15, 14, 12, 8]),
        ("max(after(a), 0) + 0 * a", [None] * 4, [8, 8, 8, 0]),
        ("sum(last(before(a), 2)) + 0 * a", [0, 1, 3, 6], [0, 1, 3, 6]),
        ("sum(first(before(a), 1)) + 0 * a", [0, 1, 1, 1], [0, 1, 1, 1]),
        ("a if a < 4 else after(a, 1)", [1, 2, 8, None], [1, 2, 8, 0]),
        ("rounds - round + 0 * a", [None] * 4, [3, 2, 1, 0]),
        ("before(c, 1) * 2 + a", [1, 4, 12, 32], [1, 4, 12, 32]),
        ("total_before + a", [1, 3, 8, 20], [1, 3, 8, 20]),
    ],
)
def test_form_4_a_formula_sees_the_other_rounds(table, formula, known, at_end):
    t = table(seats=1, columns=[A, computed(formula)])
    t.do("r1 a 1", "r2 a 2", "r3 a 4", "r4 a 8")
    assert points(t) == known
    t.do("end")
    assert points(t) == at_end
    assert t.scores() == [sum(at_end)]


def test_form_4_the_fixed_number_of_rounds_is_known_from_the_first(table):
    t = table(seats=1, columns=[A, computed("a if round == rounds else 0")], rounds=2)
    t.do("r1 a 5", "r2 a 7")
    assert points(t) == [0, 7]


def test_form_4_an_earlier_cell_that_is_due_is_waited_for(table):
    t = table(seats=2, columns=[A, computed("sum(before(a)) + a")])
    t.do("r1 a 1 2", "r2 a ? 3", "r3 a 4 5")
    assert (points(t), points(t, 1)) == ([1, None, None], [2, 5, 10])
    t.do("r2 p1 a 9")
    assert points(t) == [1, 10, 14]


def test_form_4_what_a_side_does_not_owe_is_not_waited_for(table):
    t = table(seats=3, columns=[A, computed("sum(before(a)) + total_before + a")])
    t.do("r1 a 1 2 ?", "p3 in 5", "r2 a 3 4 5")
    assert points(t, 2) == [None, 10]
    t.do("p1 out", "r3 a ? 1 1")
    assert points(t, 2) == [None, 10, 21]


def test_form_4_a_default_counts_before_it_is_filled_in(table):
    bid = {**A, "default": 3}
    t = table(seats=1, columns=[B, bid, computed("sum(before(a)) + b")])
    t.do("r1 b 1", "r2 b 1")
    assert points(t) == [1, 4]
    t = table(seats=2, columns=[bid, B, computed("given(a) + sum(everyone(given(a))) + given(b)")])
    t.do("r1 a 5 ?")
    assert (points(t), points(t, 1)) == ([13], [11])
    t.do("r1 p2 b 1")
    assert (points(t), points(t, 1)) == ([13], [12])


def test_form_4_total_before_has_what_was_given_in_the_rounds_before(table):
    t = table(seats=1, columns=[A, {"id": "p", "per": "round"}, computed("total_before", counts=False)])
    t.do("r1 p 5", "p1 +3 luck", "r2 p 7", "p1 -2 late", "r3 p 0")
    assert points(t) == [0, 8, 13]


def test_form_4_the_audit_names_the_rounds_that_were_taken(table):
    t = table(seats=1, columns=[A, computed("sum(before(a)) + after(a, 1) + total_before")])
    t.do("r1 a 1", "r2 a 2", "r3 a 4")
    rule, version, note = t.audit()[-1][3:]
    assert (rule, version) == ("FORM-4", 3)
    assert note.endswith("with r3 a 4, r1 a 1, 2 before the round")
    t.do("end")
    assert (t.audit()[-1][3:5], t.audit()[-1][5]) == (
        ("FORM-3", 4),
        "r3 c = sum(before(a)) + after(a, 1) + total_before with r1 a 1, r2 a 2, 9 before the round",
    )


def test_form_4_a_long_list_is_cut_in_the_audit(table):
    t = table(seats=1, columns=[A, computed("sum(before(a))")])
    t.do(*(f"r{number} a 1" for number in range(1, 101)))
    assert t.audit()[-1][5].endswith(", r40 a 1, 59 more values")


def test_form_4_only_a_value_that_the_formula_comes_by_is_cited(table):
    t = table("bowling", 1)
    t.do("r1 7", "r1 second 2", "r2 10", "r3 10", "r4 4", "r4 second 4")
    lines = {line[2]: line[4:] for line in t.audit()}
    assert lines["round-1"][0] == 2
    assert lines["round-2"][0] == 5
    assert "r3 first 10, r4 first 4" in lines["round-2"][1]


@cases(
    ("formula", "why"),
    [
        ("before(a)", r"gives several values: take the sum"),
        ("after(a) + 1", "gives several values"),
        ("sum(first(a, 2))", "first takes several values"),
        ("first(before(a), 2)", "gives several values"),
        ("before(a, 0)", "how many rounds away"),
        ("before(a, -1)", "how many rounds away"),
        ("before(a, b)", "how many rounds away"),
        ("before(a, 100)", "how many rounds away"),
        ("before(1)", "gives several values"),
        ("next(a, 2)", "one column of one value"),
        ("next(1)", "one column of one value"),
        ("sum(next(d))", "there is no d here"),
        ("sum(before(1))", "one column of one value"),
        ("sum(before(round))", "round is not a column"),
        ("given(c)", "c is not a column that is entered"),
        ("given(total_before)", "total_before is not a column that is entered"),
        ("c + 1", "needs itself in the end"),
        ("before(c, 1) + after(c, 1)", "needs itself in the end"),
        ("total_before + sum(after(c))", "needs itself in the end"),
    ],
)
def test_form_4_what_cannot_be_seen_is_refused(refused, formula, why):
    field, said = refused(columns=[A, B, computed(formula)])
    assert field == "columns[2].formula"
    assert why in said


def test_form_4_two_formulas_that_go_round_in_circles_are_refused(refused):
    columns = [A, computed("before(d, 1) + a"), {"id": "d", "per": "round", "formula": "after(c, 1) + a"}]
    assert "needs itself in the end" in refused(columns=columns)[1]


def test_form_4_the_whole_game_has_no_earlier_round(refused):
    columns = [A, {"id": "c", "formula": "sum(before(a))"}]
    assert "is for a column with a value for each round" in refused(columns=columns)[1]


def test_form_4_a_column_can_be_called_as_a_function_that_came_later(table):
    columns = [{"id": "first", "per": "round", "counts": False}, computed("first + before(first, 1)")]
    t = table(seats=1, columns=[*columns, {"id": "d", "formula": "sum(last(first, 1))"}])
    t.do("r1 4", "r2 6", "end")
    assert t.scores() == [4 + 10 + 6]
    assert t.state.template.formulas_called["d"].ja == "sum(last(first, 1))"


def test_form_4_a_column_called_total_before_stays_a_column(table):
    t = table(seats=1, columns=[{"id": "total_before", "per": "round"}, computed("total_before")])
    t.do("r1 4", "r2 6")
    assert points(t) == [4, 6]


@pytest.mark.slow
def test_form_4_the_rounds_and_what_lies_between_them_are_bounded(table):
    """Each chain of the longest sheet is computed without going deep, and in a moment."""
    chains = [
        {"id": f"c{index}", "per": "round", "counts": False, "formula": f"before(c{(index + 1) % 9}, 1) + a"}
        for index in range(9)
    ]
    t = table(seats=1, columns=[A, *chains, {"id": "c", "per": "round", "formula": "sum(everyone(c0)) % 9"}])
    last = t.state.last
    assert last == 999
    for number in range(1, last + 1):
        t.state.apply(Enter(seat=0, column="a", round=number, value=1))
    started = time.process_time()
    assert t.state.totals() == [sum(number % 9 for number in range(1, last + 1))]
    assert time.process_time() - started < 10


def test_form_4_lists_of_earlier_rounds_take_rounds_from_the_sheet(table):
    plain = table(seats=20, columns=[A, computed("a")]).state
    listing = table(seats=20, columns=[A, computed("sum(before(a))")]).state
    assert 20 * listing.last * (listing.last - 1) // 2 < WORK
    assert listing.last < plain.last


def test_form_4_looking_ahead_goes_to_the_last_round_without_going_deep(table):
    t = table(seats=1, columns=[A, computed("after(c, 1) + a", counts=False)], rounds=999)
    for number in range(1, 1000):
        t.state.apply(Enter(seat=0, column="a", round=number, value=1))
    assert points(t)[0] == 999


LOOKING = [name for name, data in READY.items() if "(before(" in str(data) or "after(" in str(data)]


@cases("name", [*LOOKING, "darts_501"])
@pytest.mark.slow
def test_form_4_the_order_of_entry_makes_no_difference_to_what_the_rounds_come_to(name):
    chance = random.Random(name)
    state = SCORESHEET.open({"template": name}, None, 4)
    entered = [column for column in state.template.entered_columns if column.default is None]
    cells = [
        (column.id, number, seat, chance.randint(0, 10))
        for column in entered
        for number in range(1, 9)
        for seat in (0, 1)
    ]
    totals = []
    for _ in range(5):
        chance.shuffle(cells)
        state = SCORESHEET.open({"template": name}, None, 4)
        for column, number, seat, value in cells:
            state.apply(Enter(seat=seat, column=column, round=number, value=value))
        totals.append(state.totals())
    assert all(found == totals[0] for found in totals)


# What the games say


def test_spades_takes_a_hundred_as_soon_as_ten_bags_have_come_together(table):
    t = table("spades", 4)
    for number in range(1, 10):
        t.do(f"r{number} 5 4", f"r{number} tricks 7 6")
        assert t.scores()[:2] == [52 * number - 100 * (number // 5), 42 * number - 100 * (number // 5)]


def test_spades_goes_on_after_a_total_that_was_never_reached(table):
    """Ten deals with two overtricks each: 520 to 420 less 200 each."""
    t = table("spades", 4)
    for number in range(1, 11):
        t.do(f"r{number} 5 4", f"r{number} tricks 7 6")
    assert t.state.totals() == [320, 220, 320, 220]
    t.do("r11 5 4", "r11 tricks 5 8")
    assert t.broken("end") == {"END-2": "nobody has reached 500; the game can be stopped early"}


def test_spades_ends_at_minus_200_as_an_option(table):
    deals = ("r1 10 3", "r1 tricks 9 4", "r2 10 3", "r2 tricks 9 4")
    t = table("spades", 4)
    t.do(*deals, "r3 4 4")
    t = table("spades+minus", 4)
    assert t.do(*deals)[-1] == "p1 end.reached"
    assert t.broken("r3 4 4") == {"END-2": "p1 has ended the game: no round is begun"}
    assert (t.end().winners, t.outcome.reason) == ((1, 3), "target")


@cases(
    ("frames", "total"),
    [
        ("X X X X X X X X X XXX", 300),
        ("9- 9- 9- 9- 9- 9- 9- 9- 9- 9-", 90),
        ("5/ 5/ 5/ 5/ 5/ 5/ 5/ 5/ 5/ 5/5", 150),
        ("X 7/ 9- X -8 8/ -6 X X X81", 167),
        ("-- -- -- -- -- -- -- -- X 34", 24),
        ("-- -- -- -- -- -- -- -- X X34", 40),
    ],
)
def test_bowling_counts_strikes_and_spares(table, frames, total):
    """Bowling halls explain the count with the sample of 167."""
    t = table("bowling", 1)
    for number, frame in enumerate(frames.split(), 1):
        pins = []
        for ball in frame:
            pins.append(10 if ball == "X" else 10 - pins[-1] if ball == "/" else 0 if ball == "-" else int(ball))
        for name, value in zip(("first", "second", "third"), pins, strict=False):
            t.do(f"r{number} {name} {value}")
    assert t.state.totals() == [total]
    t.do("end")
    assert t.state.totals() == [total]


def test_bowling_that_is_stopped_gives_a_strike_its_ten(table):
    t = table("bowling", 1)
    t.do("r1 10", "end early")
    assert t.state.totals() == [10]


@pytest.mark.parametrize(
    ("lines", "broken"),
    [
        (("r1 8",), ("r1 second 4", "there are 10 pins; here are 12")),
        (("r1 8",), ("r1 third 4", "a third ball comes after a strike or spare in the last frame alone")),
    ],
)
def test_bowling_knows_how_many_pins_there_are(table, lines, broken):
    t = table("bowling", 1)
    t.do(*lines)
    assert broken[1] in t.broken(broken[0])["CHECK-1"]


def test_golf_shares_a_place_or_counts_back(table):
    holes = [f"r{hole} 4 4" for hole in range(1, 17)] + ["r17 4 6", "r18 4 2"]
    t = table("golf", 2)
    t.do(*holes)
    assert (t.end().winners, t.outcome.reason) == ((0, 1), "tie")
    t = table("golf+countback", 2)
    t.do(*holes)
    assert (t.end().winners, t.outcome.reason) == ((1,), "tie_breaker")
    assert t.state.deciding().values == ("4", "2")


@cases(("hole", "column"), [(10, "last 9"), (13, "last 6"), (16, "last 3"), (18, "last hole")])
def test_golf_counts_back_nine_six_three_and_one_holes(table, hole, column):
    """One stroke less on the hole, and one more on the hole before it."""
    t = table("golf+countback", 2)
    better = {hole: "3 4", hole - 1: "5 4"}
    t.do(*(f"r{number} {better.get(number, '4 4')}" for number in range(1, 19)))
    assert t.end().winners == (0,)
    assert t.state.deciding().title.en.startswith(column)


@cases(("hole", "column"), [(10, "last 9"), (13, "last 6"), (16, "last 3"), (18, "last hole")])
def test_stableford_counts_back_points_or_shares_a_place(table, hole, column):
    """One point more on the hole, and one less on the hole before it."""
    better = {hole: "3 4", hole - 1: "5 4"}
    holes = [line for number in range(1, 19) for line in (f"r{number} par 4", f"r{number} {better.get(number, '4 4')}")]
    t = table("golf_stableford", 2)
    t.do(*holes)
    assert t.end().winners == (0, 1)
    t = table("golf_stableford+countback", 2)
    t.do(*holes)
    assert t.end().winners == (0,)
    assert t.state.deciding().title.en.startswith(column)
