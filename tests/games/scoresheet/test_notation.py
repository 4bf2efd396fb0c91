"""Moves as lines of text: what is written, what can be typed, and where a mistake is."""

from __future__ import annotations

import unicodedata

import pytest

from games.errors import NotationError
from games.reader import DASHES
from games.scoresheet.notation import HELP
from tests.cases import cases


@cases(
    ("typed", "written"),
    [
        ("r3 12 7 -4", "r3 12 7 -4"),
        ("12 7 -4", "r2 12 7 -4"),
        ("r 12, 7, -4", "r2 12 7 -4"),
        ("R3 12 7 ?", "r3 12 7 ?"),
        ("ｒ３ １２　７ −4", "r3 12 7 -4"),
        ("r3 points 1 2 3", "r3 1 2 3"),
        ("points 1 2 3", "r2 1 2 3"),
        ("r3 p2 7", "r3 p2 7"),
        ("p2 r3 7", "r3 p2 7"),
        ("p2 7", "r2 p2 7"),
        ("p2: -7", "r2 p2 -7"),
        ("p2 length 2.50", "r2 p2 length 2.5"),
        ("r1 length 1 2 3.125", "r1 length 1 2 3.125"),
        ("wo 3 4 5", "wood 3 4 5"),
        ("p1 wood 4", "p1 wood 4"),
        ("weather fine", "weather fine"),
        ("we rainy", "weather rainy"),
        ("we 7", "weather 7"),
        ("p2 +5 longest road", "p2 +5 longest road"),
        ("p2  +5   the longest  Road ", "p2 +5 the longest  Road"),
        ("p2 -3 late", "p2 -3 late"),
        ("p3 out", "p3 out"),
        ("P3 IN", "p3 in"),
        ("p3 in -20", "p3 in -20"),
        ("won", "won"),
        ("end", "end"),
    ],
)
def test_a_line_is_read_and_written_in_one_form(table, typed, written):
    columns = [
        {"id": "points", "per": "round"},
        {"id": "length", "per": "round", "counts": False},
        {"id": "wood"},
        {"id": "weather", "shared": True, "counts": False, "labels": {"fine": 1, "rainy": 2}},
    ]
    t = table("", 3, columns)
    t.do("r1 1 1 1", "r1 length 1 1 1")
    move = t.state.parse(typed)
    text = t.state.notation(move)
    assert text == written
    assert t.state.parse(text) == move


@cases("dash", DASHES, ids=unicodedata.name)
@cases("line", ["r1 12 7 -4", "r1 p2 -4", "r1 p2 length -2.5", "p2 -3 late", "p3 in -20"])
def test_every_dash_that_a_keyboard_has_is_a_minus(table, dash, line):
    columns = [{"id": "points", "per": "round"}, {"id": "length", "per": "round", "counts": False}]
    t = table("", 3, columns)
    move = t.state.parse(line.replace("-", dash))
    assert t.state.notation(move) == line


def test_a_dash_within_a_reason_stays_as_it_was_typed(table):
    t = table()
    assert t.do("p2 –3 late – again") == ["p2 penalty.given late – again 3"]


@cases(
    ("text", "at", "why"),
    [
        ("r3 12 7", 7, "expected a number.* here"),
        ("r3 12 7 4 5", 10, "the line has 3 values, and here is one more"),
        ("r3 0,5 2 3", 9, "the line has 3 values, and here is one more"),
        ("r3 12 x 4", 6, "expected a number.* here"),
        ("r0 1 2 3", 0, "rounds go from 1 to 999"),
        ("r1000 1 2 3", 0, "rounds go from 1 to 999"),
        ("p4 7", 0, "players from p1 to p3"),
        ("p0 7", 0, "players from p1 to p3"),
        ("t1 7", 0, "there are 0 teams"),
        ("p2", 2, "expected a number.* here"),
        ("p2 ?", 3, "expected a value here"),
        ("p2 +5", 5, "say what the points are for"),
        ("p2 +5 what; ever", 6, "without ! and ;"),
        ("p2 +5 " + "x" * 101, 6, "100 characters"),
        ("p2 out now", 7, "the move ends here"),
        ("p2 in some", 6, "a whole number"),
        ("p2 in 1.5", 6, "a whole number"),
        ("r1 p2 out", 6, "expected a value or a column here"),
        ("bid 1 2 3", 0, "bid_a, bidding"),
        ("bidd 1 2 99999999999", 9, "bidding: the largest number is 1000000000, with nine"),
        ("wood 1 2 3", 0, "a column here: bid_a, bidding, score"),
        ("end now", 4, "expected nothing more here, or early, nobody"),
        ("end early now", 10, "the move ends here"),
    ],
)
def test_a_mistake_is_named_with_its_place(table, text, at, why):
    columns = [{"id": name, "per": "round"} for name in ("bid_a", "bidding")] + [{"id": "score"}]
    with pytest.raises(NotationError, match=why) as error:
        table("", 3, columns).state.parse(text)
    assert error.value.at == at


def test_a_sheet_without_rounds_knows_none(table):
    with pytest.raises(NotationError, match="no rounds"):
        table("plain").state.parse("r1 1 2 3")


def test_a_team_goes_by_its_number_or_by_any_of_its_players(table):
    t = table("teams", 4)
    t.do("r1 t2 9", "r1 p3 4")
    assert t.scores() == [4, 9, 4, 9]
    with pytest.raises(NotationError, match="2 teams"):
        t.state.parse("t3 9")


def test_labels_stand_for_values(table):
    t = table("win_loss_draw", 2)
    assert t.state.parse("win loss") == t.state.parse("result 2 0")
    assert t.state.notation(t.state.parse("p1 draw")) == "p1 result draw"
    with pytest.raises(NotationError, match=r"expected one of win, draw, loss, or \? here"):
        t.state.parse("win lossy")


def test_every_example_of_the_help_can_be_typed(table):
    columns = [
        {"id": "points", "per": "round"},
        {"id": "bid", "per": "round", "counts": False},
        {"id": "wood"},
        {"id": "weather", "shared": True, "counts": False},
    ]
    stops = [{"id": "time", "name": "Time is up"}]
    markers = [{"id": "dealer", "name": "dealer"}, {"id": "solo", "name": "had the solo", "moves": "each"}]
    examples = [line.split("  ")[0] for line in HELP.splitlines() if "  " in line]
    assert len(examples) > 10
    for example in examples:
        seats = 4 if example.startswith("p4") else 3
        table("", seats, columns, stops=stops, markers=markers).state.parse(example)


@pytest.mark.parametrize("own", [[], [{"id": "wood"}]])
def test_rounds_of_what_all_share_are_typed_as_those_of_the_players(table, own):
    weather = {"id": "weather", "per": "round", "shared": True, "counts": False}
    t = table(columns=[weather, *own], markers=[{"id": "dealer", "name": "dealer"}])
    t.do("r1 weather 3", "r2 dealer p2", "r weather 5")
    assert (t.cells("r1 weather"), t.cells("r2 weather")) == ([3], [5])
    for text in ("r3 weather 4", "r3 dealer p1", "r1 dealer p3 off"):
        assert t.state.notation(t.parse(text)) == text
