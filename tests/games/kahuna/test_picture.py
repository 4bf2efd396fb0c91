"""The picture shows what lies on the table, and says it in words."""

from __future__ import annotations

from games.kahuna import KAHUNA
from games.kahuna.components import ISLANDS
from tests.games.drawn import SVG, Drawn

drawn = Drawn(KAHUNA)


def test_every_island_is_shown_with_its_majority(table):
    shown = drawn.words(table().state)
    assert set(ISLANDS) <= set(shown)
    assert shown[shown.index("ELAI") + 1] == "4 of 6"


def test_every_space_is_a_line_and_every_bridge_three_strokes(table):
    picture = table(black="ALOA-BARI", white="HUNA-LALE").state.picture()
    assert picture.count("<line") == 25 + 2 * 3


def test_known_cards_are_named_and_unknown_ones_are_backs(table):
    state = table(hands=("BARI BARI ?", "? ?"), row="COCO ? DUDA").state
    shown = drawn.words(state)
    assert shown.count("BARI") == 1 + 2
    assert shown.count("COCO") == 1 + 1
    assert shown.count("?") == 1
    assert state.picture().count("<path") == 3


def test_the_counts_are_shown(table):
    shown = drawn.words(table(black="ALOA-BARI", deck=11, row="COCO", played=["LALE"] * 2, hands=("?", "?")).state)
    assert "11" in shown
    assert "1 bridge" in shown
    assert "0 bridges" in shown


def test_the_title_says_how_it_stands(table):
    state = table(must_draw=True, round=2).state
    assert "<title>Kahuna, round 2, black must draw, 0 to 0 points</title>" in state.picture()
    assert "before the deal" in KAHUNA.open({}, None, 2).picture()
    assert "the row is to be laid out" in table(due="row").state.picture()
    assert "last turns" in table(last_turns=[0], round=3).state.picture()


def test_the_end_is_shown(table):
    t = table(black="ALOA-BARI ALOA-DUDA", white="ELAI-HUNA", round=2)
    t.do("x ELAI-HUNA (HUNA HUNA)")
    assert "Black won" in drawn.words(t.state)


def test_a_hand_of_many_cards_stays_within_the_picture(table):
    state = table(hands=("? ? ? ? ? ? ? ? ? ?", "?")).state
    for element in drawn.picture(state).iter(f"{SVG}rect"):
        assert float(element.get("x", 0)) + float(element.get("width", 0)) <= 1000
