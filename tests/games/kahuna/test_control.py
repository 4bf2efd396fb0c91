"""CTRL and REM: control of the islands, and removing bridges."""

from __future__ import annotations

from games.kahuna.components import ISLANDS, LINES, LINES_AT, MAJORITIES, SPACES, members
from tests.cases import cases


def test_the_board_is_the_printed_one():
    assert len(ISLANDS) == 12
    assert len(LINES) == 27
    assert sum(SPACES) == 54
    spaces = dict(zip(ISLANDS, SPACES, strict=True))
    assert spaces == dict(zip(ISLANDS, [3, 5, 4, 4, 6, 5, 4, 5, 5, 5, 5, 3], strict=True))
    assert MAJORITIES == (2, 3, 3, 3, 4, 3, 3, 3, 3, 3, 3, 2)


@cases("island", range(12), ids=ISLANDS)
def test_ctrl_1_the_last_bridge_of_the_majority_wins_the_island(table, island):
    name = ISLANDS[island]
    lines = [LINES[line] for line in members(LINES_AT[island])][: MAJORITIES[island]]
    t = table(black=" ".join(lines[:-1]))
    assert t.holder(name) is None
    other = lines[-1].replace(name, "").strip("-")
    assert f"black island.gained {name}" in t.do(f"{name}-{other}")
    assert t.holder(name) == "black"


def test_ctrl_1_one_bridge_can_win_both_its_islands(table):
    t = table(black="ALOA-BARI HUNA-LALE HUNA-IFFI")
    effects = t.do("ALOA-HUNA")
    assert effects[2:] == ["black island.gained ALOA", "black island.gained HUNA"]


def test_ctrl_2_all_the_opponents_bridges_at_the_island_go(table):
    t = table(black="BARI-DUDA DUDA-HUNA", white="ALOA-DUDA BARI-COCO")
    effects = t.do("DUDA-ELAI")
    assert effects[2:] == ["black island.gained DUDA", "white bridge.removed ALOA-DUDA"]
    assert t.state.bridges[1].bit_count() == 1


def test_ctrl_2_a_further_bridge_at_an_island_already_held_removes_nothing(table):
    t = table(black="BARI-COCO BARI-DUDA BARI-ELAI", white="BARI-FAAA")
    assert t.do("BARI-ALOA") == ["black cards.played BARI", "black bridge.built ALOA-BARI"]


def test_ctrl_3_bridges_that_go_can_cost_the_islands_at_their_other_ends(table):
    t = table(black="BARI-DUDA DUDA-HUNA", white="ALOA-DUDA ALOA-BARI")
    assert t.holder("ALOA") == "white"
    assert t.do("DUDA-ELAI")[-1] == "white island.lost ALOA"
    assert t.holder("ALOA") is None


def test_ctrl_3_an_island_taken_over_is_lost_by_one_and_gained_by_the_other(table):
    t = table(black="ALOA-DUDA", white="ALOA-BARI ALOA-HUNA", hands=("ALOA ALOA BARI", "?"))
    effects = t.do("x ALOA-BARI (ALOA BARI)")
    assert effects[1:] == ["white bridge.removed ALOA-BARI", "white island.lost ALOA"]
    assert "black island.gained ALOA" in t.do("ALOA-BARI")


def test_ctrl_4_an_island_is_held_without_a_stone_when_none_is_left(table):
    lines = [line for line in LINES if line not in ("HUNA-LALE", "IFFI-LALE", "KAHU-LALE", "ALOA-BARI", "ALOA-DUDA")]
    t = table(black=" ".join(lines))
    assert t.state.island_count(0) == 10
    assert t.do("ALOA-BARI")[-1] == "black stone.lacked ALOA"
    assert t.holder("ALOA") == "black"


@cases("pair", ["HUNA HUNA", "HUNA ELAI", "ELAI HUNA", "ELAI ELAI"])
def test_rem_1_each_card_names_an_island_at_the_ends(table, pair):
    t = table(white="ELAI-HUNA")
    assert t.do(f"x ELAI-HUNA ({pair})")[1] == "white bridge.removed ELAI-HUNA"


@cases("pair", ["HUNA BARI", "BARI ELAI", "BARI BARI"])
def test_rem_1_other_cards_are_refused(table, pair):
    broken = table(white="ELAI-HUNA").broken(f"x ELAI-HUNA ({pair})")
    assert broken == {"REM-1": "BARI is at neither end of ELAI-HUNA"}


def test_rem_1_only_the_opponents_bridges_are_removed(table):
    t = table(black="ELAI-HUNA")
    assert t.broken("x ELAI-HUNA (ELAI HUNA)") == {"REM-1": "the bridge on ELAI-HUNA is black's own"}


def test_rem_1_there_must_be_a_bridge(table):
    assert "no bridge lies on ELAI-HUNA (kahuna:REM-1)" in table().cannot("x ELAI-HUNA (ELAI HUNA)")


def test_rem_2_the_line_is_free_and_a_third_card_builds_there(table):
    t = table(white="ELAI-HUNA", hands=("HUNA HUNA ELAI", "?"))
    t.do("x ELAI-HUNA (HUNA HUNA)")
    assert t.state.bridges == [0, 0]
    t.do("ELAI-HUNA")
    assert t.hand(0) == ""


def test_rem_2_a_removed_bridge_goes_back_to_its_owner(table):
    t = table(white="ELAI-HUNA")
    t.do("x ELAI-HUNA (HUNA HUNA)")
    assert t.state.describe()["supply"] == [25, 25]
