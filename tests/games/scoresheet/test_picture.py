"""The sheet as a picture and as a sketch."""

from __future__ import annotations

import re
from itertools import pairwise

from games.scoresheet import SCORESHEET
from games.sketch import as_text
from tests.cases import cases
from tests.games.drawn import SVG, Drawn

drawn = Drawn(SCORESHEET)


def test_values_and_totals_are_drawn(table):
    t = table("rounds")
    t.do("r1 12 7 -4", "p2 +50 good luck")
    shown = drawn.words(t.state)
    assert {"12", "7", "-4", "p3", "57", "+50", "Total"} <= set(shown)


@cases(
    ("template", "seats", "lines", "described"),
    [
        ("chess", 2, ("result win loss", "how mate"), "result: p1 win, p2 loss."),
        ("hanabi", 3, ("points 23", "won"), "highest cards together: p1 23, p2 23, p3 23."),
        ("ranking", 3, ("place 2 1 3", "end"), "place: p1 2, p2 1, p3 3."),
        ("ranking", 3, (), ""),
    ],
)
def test_a_sheet_without_points_has_no_total(table, template, seats, lines, described):
    t = table(template, seats)
    t.do(*lines)
    assert drawn.picture(t.state).findtext(f"{SVG}desc") == described
    assert "Total" not in drawn.words(t.state)
    assert "total" not in as_text(t.state.sketch())
    assert "Total" not in [row[0] for row in t.state.tables()[0].rows]


def test_a_bonus_beside_a_sheet_without_points_is_a_total(table):
    t = table("ranking", 2)
    t.do("p1 +5 fair play")
    assert {"Total", "5"} <= set(drawn.words(t.state))
    assert re.search("^total +5 +0", as_text(t.state.sketch()), re.MULTILINE)
    assert t.state.tables()[0].rows[-1] == ("Total", "5", "0")


def test_who_came_late_leaves_no_line_to_go_on_with(table):
    """The line that is due is tinted; a cell before somebody came is none."""
    t = table("rounds", 2)
    t.do("r1 1 2", "p3 in", "r2 3 4 5", "r3 1 ? ?")
    (due,) = [group for group in drawn.picture(t.state).iter(f"{SVG}g") if group.get("data-now") is not None]
    assert "3. points" in [node.text for node in due.iter(f"{SVG}text")]


def test_rounds_show_a_running_total(table):
    t = table("rounds", 1)
    t.do("r1 12", "r2 -7", "r3 1")
    numbers = [text for text in drawn.words(t.state) if text.lstrip("-").isdecimal()]
    assert numbers == ["12", "12", "-7", "5", "1", "6", "6"]


@cases("seats", [1, 2, 5, 6, 20])
def test_every_text_is_legible_at_phone_width_and_lies_within_the_picture(table, seats):
    """On a phone 360 points wide the picture of 1000 units is drawn at about a third."""
    t = table("wizard", seats)
    for number in range(1, 15):
        t.force(f"r{number} " + "5 " * seats)
        t.force(f"r{number} tricks " + "19 " * seats)
    root = drawn.picture(t.state)
    _, _, width, height = map(float, root.get("viewBox").split())
    assert width == 1000
    for node in root.iter(f"{SVG}text"):
        assert float(node.get("font-size")) >= 24
        assert 0 <= float(node.get("x")) <= width
        assert 0 <= float(node.get("y")) <= height


def test_teams_with_names_that_begin_alike_are_told_apart(table):
    names = ["Heron Harbour Reds", "Heron Harbour Blues"] * 2 + ["Owls"]
    names = [f"{name} {number}" for number, name in enumerate(names, 1)]
    t = table(seats=5, teams=[{"name": name, "seats": [seat]} for seat, name in enumerate(names)])
    shown = drawn.words(t.state)[1:6]
    assert len(set(shown)) == 5
    assert [name[-1] for name in shown] == ["1", "2", "3", "4", "5"]
    assert shown[4] == "Owls 5"


@cases("seats", [2, 4, 5, 8])
def test_numbers_of_many_digits_stay_in_their_column(table, seats):
    t = table("rounds", seats)
    for number in (1, 2):
        t.do(f"r{number} " + " ".join(f"-{98765 * (side + 1)}" for side in range(seats)), f"p{seats} -250000 hard luck")
    lines: dict[tuple[int, int], list[tuple[float, float]]] = {}
    for block, group in enumerate(drawn.picture(t.state).findall(f"{SVG}g")):
        for node in group.iter(f"{SVG}text"):
            if node.get("text-anchor") == "middle" and node.text.lstrip("-+").isdecimal():
                half = 0.76 * len(node.text) * float(node.get("font-size")) / 2
                x = float(node.get("x"))
                lines.setdefault((block, int(node.get("y"))), []).append((x - half, x + half))
    assert len(lines) > 4
    for spans in lines.values():
        assert all(one[1] < other[0] for one, other in pairwise(sorted(spans)))
        assert max(end for _, end in spans) < 1000


def test_what_can_be_tapped_begins_a_line_of_notation(table):
    t = table("farm", 2)
    t.do("fields 1 2")
    places = set(drawn.places(t.state))
    assert len(places) == 2 * len(t.state.template.entered_columns)
    for place in places:
        move = t.state.parse(f"{place} 3")
        assert t.state.notation(move) == f"{place} 3"


def test_names_in_a_template_are_text_and_nothing_else(table):
    t = table(columns=[{"id": "a", "name": '<script>"&'}], teams=[{"name": "<b>", "seats": [0, 1, 2]}])
    assert "<script>" not in t.state.picture()
    assert "<b>" in drawn.words(t.state)


def test_a_long_sheet_shows_its_newest_rounds(table):
    t = table("rounds", 2)
    for number in range(1, 101):
        t.do(f"r{number} 1 2")
    shown = drawn.words(t.state)
    assert "100. points" in shown
    assert "1. points" not in shown
    assert {"100", "200"} <= set(shown)


def test_the_sketch_is_a_table_of_80_characters_at_most(table):
    t = table("wizard", 20)
    t.do("r1 " + "1 " * 20, "p20 -5 late")
    t.force("r1 tricks " + "1 " * 20)
    text = as_text(t.state.sketch())
    assert max(map(len, text.splitlines())) <= 80
    assert re.search(r"^total +30 +30", text, re.MULTILINE)
    assert "p20 -5 late" in text


def test_the_sketch_shows_labels_and_what_is_missing(table):
    t = table("win_loss_draw", 2)
    t.do("p2 loss")
    assert re.search(r"^result +· +loss$", as_text(t.state.sketch()), re.MULTILINE)


def test_a_cell_without_a_turn_cannot_be_filled_in_and_the_others_know_their_blanks(table):
    t = table("farkle", 4)
    t.do("r1 5000 5000 5000 5000", "p2 out", "r2 100 ? 200 5000", "r3 50 ? ? ?")
    cells = {group.get("data-at"): group for group in drawn.picture(t.state).iter(f"{SVG}g") if group.get("data-at")}
    blanks = {at: group.get("data-blank") for at, group in cells.items() if group.get("data-means")}
    assert blanks == {"r3 p3": "1"}
    assert cells["r3 p1"].get("data-types") == "r3 p1 50"
    assert not {"data-types", "data-means"} & {*cells["r3 p2"].keys(), *cells["r3 p4"].keys()}
