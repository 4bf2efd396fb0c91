"""CELL, ROUND, ADJ: what is entered, changed, left empty, given and taken."""

from __future__ import annotations

import time

import pytest

from games.scoresheet import SCORESHEET
from games.scoresheet.moves import Adjust, cells
from games.scoresheet.moves.checking import failed_checks
from games.scoresheet.reading import read_template
from games.scoresheet.ready import READY
from games.sketch import as_text
from tests.cases import cases

HALF = {"id": "length", "per": "round", "counts": False}


def test_cell_1_a_value_counts_from_its_entry_on(table):
    t = table("rounds")
    t.do("r1 12 7 -4", "r2 p2 5")
    assert t.scores() == [12, 12, -4]
    assert t.audit()[-1] == ("p2", 5, "round-2", "CELL-1", 2, "r2 points 5")


def test_cell_1_the_same_value_again_changes_nothing(table):
    t = table("rounds")
    t.do("r1 12 7 -4")
    assert t.do("r1 12 8 ?") == ["p2 cell.changed r1 p2, 7 → 8"]
    assert [version for *_, version, _ in t.audit()] == [1, 1, 2]


def test_cell_2_a_value_beyond_the_limits_breaks_the_rule_and_can_stand(table):
    t = table(columns=[{"id": "points", "least": 0, "most": 26}])
    assert t.broken("points 3 27 -1") == {"CELL-2": "points: -1 is less than 0"}
    assert t.broken("p1 points 27") == {"CELL-2": "points: 27 is more than 26"}
    t.force("p1 points 27")
    assert t.scores()[0] == 27


def test_cell_2_only_the_labels_can_be_entered(table):
    t = table("win_loss_draw")
    assert t.broken("p1 5") == {"CELL-2": "result: 5 is none of win, draw, loss"}
    assert t.do("win loss draw")[0] == "p1 cell.entered p1 result, win"


def test_cell_3_round_2_is_corrected_in_round_7(table):
    t = table("rounds", 2)
    for number in range(1, 8):
        t.do(f"r{number} {number} 10")
    assert t.do("r2 p1 20") == ["p1 cell.changed r2 p1, 2 → 20"]
    assert t.scores() == [1 + 20 + 3 + 4 + 5 + 6 + 7, 70]
    assert t.audit()[-1] == ("p1", 20, "round-2", "CELL-1", 8, "r2 points 20, was 2")
    assert len(t.audit()) == 14


def test_cell_4_the_end_waits_for_every_cell_and_names_the_first_empty_one(table):
    t = table("rounds", 3)
    assert t.broken("end") == {"CELL-4": "the sheet is empty"}
    t.do("r1 1 ? ?", "r2 1 1 1")
    assert t.broken("end") == {"CELL-4": "r1 p2 is empty"}
    t.do("r1 p2 4", "r1 p3 0")
    assert t.end().winners == (1,)


def test_cell_4_an_empty_cell_that_stands_gives_nothing(table):
    t = table("rounds", 2)
    t.do("r1 1 ?")
    t.force("end")
    assert t.outcome.winners == (0,)


def test_cell_4_a_default_fills_empty_cells_at_the_end(table):
    t = table(columns=[{"id": "cards", "default": 3}, {"id": "coins"}])
    t.do("coins 1 2 3", "p2 cards 9")
    assert t.do("end")[0] == "cells.filled cards, 3"
    assert t.scores() == [4, 11, 6]
    assert ("p1", 3, "cards", "CELL-1", 3, "cards 3") in t.audit()


def test_cell_3_a_cell_is_changed_after_players_dropped_out_or_joined_again(table):
    t = table("rounds")
    t.do("r1 5 6 1", "r2 2 3 4", "p1 out", "r2 p1 9", "r3 ? 1 1", "p1 in", "r4 1 1 1", "r1 p1 7")
    assert t.scores() == [7 + 9 + 1, 11, 7]
    assert t.broken("r3 p1 1") == {"SEAT-1": "p1 joined in round 4"}


def test_cell_5_what_is_filled_in_by_itself_is_as_whole_and_as_fine_as_what_is_entered(refused):
    halves = {"id": "a", "labels": {"win": 1, "draw": 0.5}}
    assert refused(columns=[halves]) == ("columns[0].labels.draw", "points are whole: 0.5 cannot count")
    assert refused(columns=[{"id": "a", "default": 0.5}])[0] == "columns[0].default"
    fine = {"id": "a", "counts": False, "default": 0.0625}
    assert refused(columns=[fine]) == ("columns[0].default", "0.0625 has more than 3 decimals")


def test_cell_5_points_are_whole(table):
    t = table(columns=[{"id": "points", "per": "round"}, HALF])
    assert "points are whole" in t.cannot_make(type="enter", seat=0, column="points", round=1, value=2.5)
    t.do("r1 length 2.5 3.125 0")
    assert "more than 3 decimals" in t.cannot_make(type="enter", seat=0, column="length", round=1, value=1.0625)
    t.do("r1 2.0 3 4")
    assert t.scores() == [2, 3, 4]


def test_round_1_no_round_is_skipped(table):
    t = table("rounds")
    assert t.broken("r2 1 2 3") == t.broken("r2 p1 1") == {"ROUND-1": "round 1 comes first"}
    t.do("r1 1 2 3")
    assert not t.broken("r2 1 2 3")


def test_round_2_none_comes_after_the_last(table):
    t = table(rounds=2)
    t.do("r1 1 2 3", "r2 1 2 3")
    assert set(t.broken("r3 1 2 3")) == set(t.broken("r3 p1 1")) == {"ROUND-2"}
    assert t.legal() == ["end"]


def test_round_2_the_game_is_not_over_before_it(table):
    t = table(rounds=2)
    t.do("r1 1 2 3")
    assert t.broken("end") == {"CELL-4": "r2 p1 is empty"}


def test_round_2_no_defaults_end_the_game_before_it(table):
    t = table(columns=[{"id": "points", "per": "round", "default": 0}], rounds=2)
    t.do("r1 1 2 3")
    assert t.broken("end") == {"ROUND-2": "round 2 is the last one, and comes first"}
    t.do("r2 ? 1 ?")
    assert (t.end().winners, t.scores()) == ((1, 2), [1, 3, 3])


@pytest.mark.slow
def test_round_2_there_are_only_as_many_rounds_as_can_be_computed(table, refused):
    a = {"id": "a", "per": "round", "counts": False}
    busy = [{"id": f"c{n}", "per": "round", "formula": "sum(everyone(a)) * 2"} for n in range(9)]
    t = table("", 20, [a, *busy])
    last = t.state.last
    assert 20 < last < 60
    t.force(f"r{last} " + "1 " * 20)
    assert t.broken(f"r{last + 1} p1 1") == {"ROUND-2": f"round {last} is the last one"}
    assert "rounds at most" in t.cannot(f"r{last + 1} p1 1")
    assert refused(20, [a, *busy], rounds=last + 1)[0] == "columns"
    many = [{"id": f"c{n}", "per": "round", "formula": "+".join(["sum(everyone(a))"] * 17)} for n in range(50)]
    field, why = refused(20, [a, *many])
    assert (field, why) == (
        "columns",
        "there is too much to compute for 1 round and 20 sides: use fewer or shorter formulas",
    )
    lists = [{"id": f"c{n}", "formula": "sum(" + ",".join("a" * 50) + ")"} for n in range(50)]
    assert table("", 2, [a, *lists]).state.last < 100


def test_adj_1_bonus_and_penalty_name_their_reasons(table):
    t = table("plain")
    assert t.do("p2 +5 longest road") == ["p2 bonus.given longest road 5"]
    assert t.do("p2 -3 late") == ["p2 penalty.given late 3"]
    assert t.audit() == [
        ("p2", 5, "bonus", "ADJ-1", 1, "longest road"),
        ("p2", -3, "penalty", "ADJ-1", 2, "late"),
    ]


@cases(
    ("move", "why"),
    [
        ({"type": "enter", "seat": 3, "column": "bid", "round": 1, "value": 1}, "3 seats"),
        ({"type": "adjust", "seat": 9, "points": 1, "reason": "x"}, "3 seats"),
        ({"type": "leave", "seat": 3}, "3 seats"),
        ({"type": "join", "seat": 4}, "p4 is the next one"),
        ({"type": "enter", "seat": 0, "column": "wood", "value": 1}, "no column wood; it has bid, tricks"),
        ({"type": "enter", "seat": 0, "column": "points", "round": 1, "value": 1}, "is computed"),
        ({"type": "enter", "seat": 0, "column": "bid", "value": 1}, "say which"),
        ({"type": "line", "column": "bid", "round": 1, "values": [1, 2]}, "3 cells, not 2"),
        ({"type": "line", "column": "bid", "round": 1, "values": [1] * 20}, "3 cells, not 20"),
        ({"type": "decide", "result": "won"}, "against each other"),
    ],
)
def test_what_is_not_on_the_sheet_cannot_be_filled_in(table, move, why):
    assert why in table("wizard").cannot_make(**move)


def test_no_player_too_many_fills_in_a_cell_that_takes_any_number(table):
    t = table("rounds")
    assert t.state.template.plain_columns
    assert "3 seats" in t.cannot_make(type="enter", seat=3, column="points", round=1, value=1)


def test_what_all_share_is_entered_once(table):
    t = table("cooperative")
    assert t.do("points 12") == ["cell.shared points, 12"]
    assert t.do("points 14") == ["cell.shared points, 12 → 14"]
    assert "all share it" in t.cannot_make(type="enter", seat=0, column="points", value=1)
    assert "not in rounds" in t.cannot_make(type="line", column="points", round=1, values=[1])
    assert t.scores() == [0, 0, 0]


def test_round_1_a_line_that_says_no_round_is_told_which_one_is_due(table):
    t = table("rounds")
    why = "points has a value for each round: say which one; round {} is due"
    assert why.format(1) in t.cannot_make(type="line", column="points", values=[1, 2, 3])
    t.do("r1 1 2 ?")
    assert why.format(1) in t.cannot_make(type="enter", seat=0, column="points", value=1)
    t.do("r1 p3 4")
    assert why.format(2) in t.cannot_make(type="line", column="points", values=[1, 2, 3])


def test_lines_that_wait_are_listed_until_they_are_full(table):
    t = table("wizard")
    assert t.legal() == ["r1 ? ? ?", "r1 tricks ? ? ?"]
    t.do("r1 1 0 0")
    assert t.legal() == ["r1 tricks ? ? ?", "r2 ? ? ?"]
    t.do("r1 tricks 1 0 0")
    assert t.legal() == ["r2 ? ? ?", "r2 tricks ? ? ?", "end"]


def test_a_round_far_ahead_that_stands_makes_no_sheet_of_empty_rounds(table):
    columns = [{"id": "a", "per": "round", "counts": False}]
    columns += [{"id": f"c{n}", "per": "round", "formula": f"a + {n}"} for n in range(9)]
    t = table("", 4, columns)
    t.force("r999 p1 1")
    started = time.process_time()
    assert sum(t.scores()) == sum(1 + n for n in range(9))
    assert next(iter(t.state.describe()["sheet"])) == "r999 a"
    t.state.picture()
    list(t.state.legal_moves())
    assert time.process_time() - started < 2


def test_values_alone_are_for_the_oldest_line_that_is_not_filled_in(table):
    t = table("wizard")
    t.do("1 0 0")
    assert t.cells("r1 bid") == [1, 0, 0]
    t.do("1 0 0", "0 1 ?")
    assert t.cells("r1 tricks") == [1, 0, 0]
    assert t.cells("r2 bid") == [0, 1, None]
    t.do("p3 1", "0 1 1")
    assert (t.cells("r2 bid"), t.cells("r2 tricks")) == ([0, 1, 1], [0, 1, 1])


def lines(t):
    return [t.state.notation(move) for move in t.state.legal_moves() if move.__struct_config__.tag == "line"]


def test_a_round_with_a_gap_holds_nothing_up_and_the_gap_is_offered_by_itself(table):
    t = table("rounds")
    t.do("r1 5 5 ?")
    assert lines(t) == ["r2 ? ? ?", "r1 ? ? ?"]
    t.do("r2 1 2 3", "r3 ? 4 ?")
    assert lines(t) == ["r4 ? ? ?", "r1 ? ? ?", "r3 ? ? ?"]
    t.do("r1 ? ? 9")
    assert t.cells("r1 points") == [5, 5, 9]
    assert lines(t) == ["r4 ? ? ?", "r3 ? ? ?"]


def test_the_blanks_of_a_gap_say_what_stands(table):
    t = table("rounds")
    t.do("r1 5 -7 ?")
    _, gap = (move for move in t.state.legal_moves() if move.__struct_config__.tag == "line")
    assert [blank.stands for blank in t.state.blanks(gap)] == ["5", "-7", ""]


def due_cells(t):
    """The line that is due first as a template, and the seats of its blanks."""
    move = next(move for move in t.state.legal_moves() if move.__struct_config__.tag == "line")
    return t.state.notation_template(move), [blank.seat for blank in t.state.blanks(move)]


def test_nothing_is_filled_in_for_who_has_dropped_out_unless_it_stands(table):
    t = table("rounds")
    t.do("r1 1 2 3", "r2 ? 5 ?", "p2 out")
    assert due_cells(t) == ("r3 {} ? {}", [0, 2])
    t.do("r3 7 ? 9")
    assert due_cells(t) == ("r4 {} ? {}", [0, 2])
    *_, gap = (move for move in t.state.legal_moves() if move.__struct_config__.tag == "line")
    assert t.state.notation_template(gap) == "r2 {} {} {}"
    assert [blank.stands for blank in t.state.blanks(gap)] == ["", "5", ""]


def test_the_last_turns_are_filled_in_for_those_who_have_them(table):
    t = table("farkle", 4)
    t.do("r1 5000 5000 5000 5000")
    assert due_cells(t) == ("r2 {} {} {} {}", [0, 1, 2, 3])
    t.do("r2 100 200 5000 300")
    assert due_cells(t) == ("r3 {} {} ? ?", [0, 1])


def test_the_line_of_a_shared_cell_has_one_blank(table):
    t = table(columns=[{"id": "weather", "shared": True, "counts": False}, {"id": "points"}])
    assert due_cells(t) == ("weather {}", [None])


def test_gaps_of_a_column_with_a_default_are_offered_in_the_round_begun_last_alone(table):
    t = table("skull_king")
    t.do("r1 1 0 0", "r1 tricks 1 0 0", "r1 bonus 10 ? ?")
    assert "r1 bonus ? ? ?" in lines(t)
    t.do("r2 1 1 0")
    assert "r1 bonus ? ? ?" not in lines(t)


def test_cell_4_where_one_side_scores_no_gap_is_offered_to_the_others(table):
    t = table("uno")
    t.do("r1 ? 45 ?")
    assert lines(t) == ["r2 ? ? ?"]
    t.do("r2 0 ? ?")
    assert lines(t) == ["r3 ? ? ?", "r2 ? ? ?"], "nobody has scored in the second round yet"


def test_cell_4_a_gap_is_offered_that_has_to_hold_more_than_its_default(table):
    check = {"holds": "sum(everyone(given(points))) == 10", "says": "ten points are shared"}
    t = table(columns=[{"id": "points", "per": "round", "default": 0}], checks=[check])
    t.force("r1 ? 4 ?")
    assert "r1 ? ? ?" in lines(t)


OPEN_GAPS = {
    "spades": ("nil", ("r1 bid 4 5", "r1 tricks 6 7", "r1 p1 nil 50")),
    "canasta": ("threes", ("r1 p2 threes 100",)),
    "flip_7": ("plus", ("r1 20 30", "r1 p1 plus 4")),
    "scythe": ("resources", ("pairs 3 4", "p2 resources 8")),
    "belote": ("melds", ("r1 100 62", "r1 p1 melds 50")),
    "tichu": ("calls", ("r1 60 40", "r1 p1 calls 100")),
}
"""Lines of ready sheets in which the others can have something, too: the column, and what was entered."""


@pytest.mark.parametrize("name", OPEN_GAPS)
def test_cell_4_a_gap_that_can_hold_one_of_a_few_values_is_offered(table, name):
    column, entered = OPEN_GAPS[name]
    t = table(name, 2)
    t.do(*entered)
    gap = [line for line in t.state.legal_moves() if line.__struct_config__.tag == "line" and line.column == column]
    assert any(blank.stands for line in gap for blank in t.state.blanks(line))


SUM, GIVEN = "sum(everyone(given(points)))", "everyone(given(points))"
SHARED = {
    "they pay each other": ({}, f"{SUM} == 0", "0 ? ?", True),
    "two have paid each other": ({}, f"{SUM} == 0", "5 -5 ?", False),
    "two of three can pay each other": ({}, f"{SUM} == 0", "5 ? ?", True),
    "one or three win": ({"labels": {"yes": 1, "no": 0}}, f"{SUM} == 1 or {SUM} == 3", "yes ? ?", True),
    "one wins": ({"labels": {"yes": 1, "no": 0}}, f"{SUM} == 1", "yes ? ?", False),
    "all of it, or with the last trick": ({"least": 0}, f"{SUM} == 162 or {SUM} == 252", "162 ? ?", True),
    "all of it": ({"least": 0}, f"{SUM} == 162", "162 ? ?", False),
    "in sevens": ({"least": 0}, f"{SUM} % 7 == 0", "7 ? ?", True),
    "two score": ({"least": 0}, f"{SUM} - max({GIVEN}) <= 10", "40 ? ?", True),
    "the second of two": ({"least": 0}, f"{SUM} - max({GIVEN}) == 10", "40 10 ?", False),
    "one loses": ({"most": 0}, f"{SUM} == min({GIVEN})", "? -40 ?", False),
    "one scores, in fifties": ({"least": 0, "check": "points % 50 == 0"}, f"{SUM} == max({GIVEN})", "150 ? ?", False),
    "some score, in fifties": ({"least": 0, "check": "points % 50 == 0"}, f"{SUM} <= 500", "150 ? ?", True),
}
"""What a check leaves to those who have entered nothing: something, or 0 alone."""


@pytest.mark.parametrize("case", SHARED)
def test_cell_4_a_gap_is_offered_as_long_as_it_can_hold_more_than_its_default(table, case):
    column, holds, entered, offered = SHARED[case]
    columns = [{"id": "points", "per": "round", "default": 0} | column]
    t = table(columns=columns, checks=[{"holds": holds, "says": "no"}])
    t.force(f"r1 {entered}")
    assert ("r1 ? ? ?" in lines(t)) is offered


def test_cell_4_a_gap_comes_back_when_the_one_who_scored_is_corrected(table):
    t = table("uno")
    t.do("r1 ? 45 ?", "r1 p2 0")
    assert "r1 ? ? ?" in lines(t)
    t.do("r1 p3 20")
    assert "r1 ? ? ?" not in lines(t)


@pytest.mark.parametrize("name", ["uno", "cribbage", "skyjo"])
def test_cell_4_what_gaps_can_hold_is_tried_a_bounded_number_of_times(monkeypatch, name):
    """However many play, and however long."""
    state = SCORESHEET.open({"template": name}, None, 20)
    for number in range(1, 101):
        for column in state.template.entered_columns:
            for side in range(20 if column.default is None else 1):
                state.put(column, number, side, 1)
    tried = []
    monkeypatch.setattr(cells, "failed_checks", lambda *args: tried.append(args) or failed_checks(*args))
    list(state.legal_moves())
    assert len(tried) <= cells.TRIALS


def test_cell_4_a_sheet_can_be_finished_as_soon_as_the_one_who_scores_has_reached_the_target(table):
    t = table("uno")
    t.do("r1 ? 500 ?")
    assert [t.state.notation(move) for move in t.state.legal_moves()] == ["end"]
    assert t.do("end") == ["cells.filled points, 0", "p2 game.won"]
    assert t.cells("r1 points") == [0, 500, 0]


def test_no_more_than_the_newest_gaps_are_offered(table):
    t = table("rounds")
    t.do(*(f"r{number} ? 1 ?" for number in range(1, 31)))
    assert lines(t) == ["r31 ? ? ?", *(f"r{number} ? ? ?" for number in range(23, 31))]


def test_values_without_a_round_change_nothing_that_stands(table):
    t = table("rounds")
    t.do("5 5 ?", "r 1 2 3")
    assert (t.cells("r1 points"), t.cells("r2 points")) == ([5, 5, None], [1, 2, 3])
    t.do("p2 8")
    assert t.cells("r3 points") == [None, 8, None]
    t.do("? ? 9", "r p1 7")
    assert (t.cells("r1 points"), t.cells("r3 points")) == ([5, 5, 9], [7, 8, None])


def test_values_alone_go_through_the_columns_of_the_whole_game(table):
    t = table("", 2, [{"id": "wood"}, {"id": "weather", "shared": True, "counts": False}, {"id": "clay"}])
    t.do("1 2", "3 4")
    assert (t.cells("wood"), t.cells("clay"), t.cells("weather")) == ([1, 2], [3, 4], [None])
    t.do("5 6")
    assert t.cells("wood") == [5, 6]


def test_the_lines_that_are_due_are_named_in_their_order(table):
    columns = [{"id": "wood", "name": "wood and clay"}, {"id": "bid", "per": "round"}, {"id": "tricks", "per": "round"}]
    t = table("", 2, columns)

    def due():
        return [(line["line"], line["title"]) for line in t.state.describe()["due"]]

    wood = ("wood", "Wood and clay")
    assert due() == [("r1 bid", "Round 1, bid"), ("r1 tricks", "Round 1, tricks"), wood]
    t.do("r1 bid 1 0")
    assert due() == [("r1 tricks", "Round 1, tricks"), ("r2 bid", "Round 2, bid"), wood]
    assert t.state.describe()["round"] == 1
    assert as_text(t.state.sketch()).startswith("Test, next: Round 1, tricks\n")
    assert t.legal() == ["r1 tricks ? ?", "r2 ? ?", "wood ? ?"]
    t.do("r2 bid 0 1")
    assert due() == [("r1 tricks", "Round 1, tricks"), wood]
    t.do("r1 tricks 1 0", "r2 tricks 1 0", "wood 1 2", "end")
    assert due() == []


@pytest.mark.parametrize("seats", [1, 2])
def test_seat_1_what_all_share_is_nobodys_own(table, seats):
    columns = [{"id": "weather", "shared": True, "counts": False}, {"id": "points", "per": "round"}]
    t = table("", seats, columns)
    t.do("weather 2")
    assert t.broken("p1 in") == {}
    t.do("r1 p1 3")
    assert t.broken("p1 in") == {"SEAT-1": "p1 plays already"}


@cases("reason", ["late", ",late", ", , x", ",", "a, b"])
@cases("points", [5, -3, 10**9, -(10**9)])
def test_adj_1_a_reason_is_read_back_as_it_was_written(table, reason, points):
    t = table()
    move = Adjust(seat=1, points=points, reason=reason)
    assert t.state.parse(t.state.notation(move)) == move


def test_adj_1_a_comma_behind_the_points_is_no_part_of_the_reason(table):
    t = table()
    assert t.parse("p2 +5, longest road") == t.parse("p2 +5 longest road")


def test_a_column_with_a_default_holds_no_round_up_and_is_due_in_the_last_one_begun(table):
    columns = [{"id": "bid", "per": "round"}, {"id": "bonus", "per": "round", "default": 0}]
    t = table(columns=columns)
    due = lambda: [line["line"] for line in t.state.describe()["due"]]  # noqa: E731
    assert due() == ["r1 bid", "r1 bonus"]
    t.do("r1 bid 1 2 3")
    assert due() == ["r1 bonus", "r2 bid"]
    for number in (2, 3):
        t.do(f"r{number} bid 1 2 3")
        assert due() == [f"r{number} bonus", f"r{number + 1} bid"]
    t.do("r3 bonus 5 5 5")
    assert due() == ["r4 bid", "r4 bonus"]
    t.do("r1 bonus 1 1 1")
    t.end()
    assert t.scores() == [9, 12, 15]


def test_cell_2_a_column_can_hold_whole_numbers_alone(table):
    columns = [{"id": "tricks", "per": "round", "counts": False, "whole": True}, {"id": "komi", "counts": False}]
    t = table("", 2, columns)
    assert t.broken("r1 1.5 2") == {"CELL-2": "tricks: 1.5 is not a whole number"}
    assert t.broken("r1 p2 0.5") == {"CELL-2": "tricks: 0.5 is not a whole number"}
    assert t.broken("r1 -3 2.0") == {}
    assert t.broken("komi 6.5 0") == {}
    t.force("r1 1.5 2")
    assert t.cells("r1 tricks")[0] == "1.5"


def test_what_a_ready_sheet_counts_is_whole():
    """All but komi, half points of French tarot, clocks, and the sheets that say nothing of a game."""
    parted = {
        (name, column.id)
        for name, data in READY.items()
        for column in read_template(data).entered_columns
        if not (column.counts or column.whole or column.labels)
    }
    assert {name for name, _ in parted} == {"auction", "chess", "cooperative", "french_tarot", "go"}
