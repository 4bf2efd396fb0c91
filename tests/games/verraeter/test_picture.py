"""The picture and the sketch show what lies on the table, and say it in words."""

from __future__ import annotations

from games.sketch import as_text
from games.verraeter import VERRAETER
from tests.games.drawn import SVG, Drawn

drawn = Drawn(VERRAETER)


def test_every_land_is_shown_with_its_house_and_strength(table):
    shown = drawn.words(table().state)
    assert shown[shown.index("River") - 2 : shown.index("River") + 2] == ["1", "5", "River", "Eagle"]
    assert shown.count("City") == 2 + 1


def test_lands_and_borders_can_be_tapped_and_typed(table):
    t = table()
    assert {"1 River", "12 Wilderness", "3-4", "12-1"} <= set(drawn.places(t.state))
    t.do("3-4")
    assert {at for at in drawn.places(t.state) if "-" in at} == {"3-4"}
    assert t.state.parse("1: estate 1 River").place == 0


def test_estates_and_posts_are_shown(table):
    shown = drawn.words(table("ERE", "1e1 2p2 3p7").state)
    assert [word for word in shown if word.startswith(("estate", "post"))] == ["estate 1", "post 2", "post 3"]


def test_known_cards_are_named_and_unknown_ones_are_backs(table):
    t = table("ERE", hands="35?? ? 8")
    assert drawn.words(t.state).count("?") == 3
    assert drawn.places(t.state).count("8") == 1


def test_the_sums_are_shown_as_they_stand(table):
    t = table()
    t.do("3-4", "lay 5")
    shown = drawn.words(t.state)
    assert {"Eagle 12", "land 7 + cards 5", "Rose 3"} <= set(shown)
    assert "Eagle 12 = land 7 + cards 5" in as_text(t.state.sketch())


def test_the_learnt_points_are_shown(table):
    t = table(components=None)
    assert "–" in drawn.words(t.state)
    t.state.learnt["Woods"][2] = 13
    assert "13" in drawn.words(t.state)


def test_the_title_says_how_it_stands(table, new):
    assert "<title>Verräter, round 1 of 8, player 2 to act, 0 to 0 to 0 to 0 points</title>" in table().state.picture()
    assert "before the first round" in new().state.picture()
    t = table("EEE", hands="3 3 3")
    t.state.round = 9
    t.do("1-2", "lay -", "lay -", "lay -", "reveal Diplomat2 Strategist Diplomat5")
    assert "Player 2 won" in drawn.words(t.state)


def test_a_sketch_fits_a_terminal_and_tells_houses_apart(table):
    t = table("ERER", "1e1 2p2")
    t.do("3-4", "lay 3 4 5")
    text = as_text(t.state.sketch())
    assert max(map(len, text.splitlines())) <= 80
    assert "1 E.River 5" in text
    assert "2 R.Village 10" in text
    assert "post 2" in text
    assert "Laid 3 4 5" in text


def test_points_that_are_made_up_are_shown_as_such():
    (sample,) = VERRAETER.sample_components.values()
    assert "Invented points" in drawn.words(VERRAETER.open({}, sample, 3))
    assert "Invented points" not in drawn.words(VERRAETER.open({}, None, 3))


def test_the_part_that_the_next_move_is_about_is_marked(table):
    t = table()
    assert "3-4" in now(t.state)
    t.do("3-4")
    assert now(t.state) == ["3", "4", "5"]  # the hand of the next seat to lay
    for _ in range(4):
        t.do("lay -")
    assert "3-4" in now(t.state)


def now(state) -> list[str]:
    (part,) = (part for part in drawn.picture(state).iter() if "data-now" in part.attrib)
    return [piece.attrib["data-at"] for piece in part.iter() if "data-at" in piece.attrib]


def test_what_is_tapped_is_large_enough_for_a_thumb_on_a_phone(table):
    """44 pixels, where the picture is 330 pixels across."""
    t, sizes = table(), []
    for move in ("3-4", "lay -"):
        tapped = [part[0].attrib for part in drawn.picture(t.state).iter() if "data-at" in part.attrib]
        sizes += [min(float(box["width"]), float(box["height"])) for box in tapped if "width" in box]
        if move == "3-4":  # a border can be chosen
            sizes += [2 * float(disc["r"]) for disc in tapped if "r" in disc]
        t.do(move)
    assert len(sizes) > 24
    assert min(sizes) * 0.33 >= 43.8


def test_the_marks_of_a_seat_stand_below_each_other_beside_its_action(table):
    t = table()
    t.state.strategy = t.state.start
    marks = [node for node in drawn.picture(t.state).iter(f"{SVG}text") if node.text in {"start", "strategy"}]
    assert [node.text for node in marks] == ["start", "strategy"]
    first, second = (float(node.get("y")) for node in marks)
    assert second - first >= float(marks[0].get("font-size"))
