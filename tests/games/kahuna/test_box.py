"""BOX: the variant printed with the game."""

from __future__ import annotations

import pytest

from games.kahuna.components import LINES

ALOA = "ALOA-BARI ALOA-HUNA"


@pytest.mark.parametrize("line", ["ALOA-DUDA", "DUDA-ALOA"])
def test_box_1_nothing_is_built_at_an_island_that_the_opponent_holds(table, line):
    t = table(white=ALOA, box_variant=True)
    assert t.broken(line) == {"BOX-1": "white holds ALOA"}
    assert line not in t.legal()


def test_box_1_an_own_island_and_one_that_nobody_holds_are_free(table):
    t = table(black=ALOA, box_variant=True)
    t.do("ALOA-DUDA", "KAHU-LALE")


def test_box_1_holds_in_the_variant_only(table):
    table(white=ALOA).do("ALOA-DUDA")


def test_box_2_after_a_removal_an_own_bridge_is_built_without_a_third_card(table):
    t = table(white=ALOA, hands=("ALOA ALOA", "?"), box_variant=True)
    effects = t.do("x ALOA-BARI (ALOA ALOA) =")
    assert effects[1:] == [
        "white bridge.removed ALOA-BARI",
        "white island.lost ALOA",
        "black bridge.built ALOA-BARI",
    ]
    assert t.hand(0) == ""


def test_box_2_building_at_once_can_win_an_island(table):
    t = table(black="ALOA-DUDA", white=ALOA, box_variant=True)
    effects = t.do("x ALOA-BARI (ALOA ALOA) =")
    assert effects[-2:] == ["black island.gained ALOA", "white bridge.removed ALOA-HUNA"]


def test_box_2_the_islands_are_looked_at_after_the_removal(table):
    strong = table(white="ALOA-BARI ALOA-HUNA ALOA-DUDA", box_variant=True)
    assert strong.broken("x ALOA-BARI (ALOA ALOA) =") == {"BOX-2": "white holds ALOA also without that bridge"}
    assert "x ALOA-BARI (ALOA ALOA) =" not in strong.legal()
    assert "x ALOA-BARI (ALOA ALOA)" in strong.legal()
    weak = table(white=ALOA, box_variant=True)
    assert "x ALOA-BARI (ALOA ALOA) =" in weak.legal()


def test_box_2_removing_alone_is_always_allowed(table):
    table(white="ALOA-BARI ALOA-HUNA ALOA-DUDA", box_variant=True).do("x ALOA-BARI (ALOA ALOA)")


def test_box_2_without_the_variant_building_takes_a_third_card(table):
    t = table(white=ALOA)
    assert t.broken("x ALOA-BARI (ALOA ALOA) =") == {"REM-2": "to build on ALOA-BARI takes a third card"}
    assert not any(line.endswith("=") for line in t.legal())


def test_box_2_nothing_is_built_after_the_last_bridge_is_gone(table):
    t = table(black="KAHU-LALE", white="ALOA-BARI", round=2, box_variant=True)
    line = "x ALOA-BARI (ALOA ALOA) ="
    assert t.broken(line) == {"LOSS-1": "ALOA-BARI was white's last bridge: the game is over"}
    assert line not in t.legal()
    t.do("x ALOA-BARI (ALOA ALOA)")
    assert t.state.outcome().reason == "last_bridge"


def test_box_2_in_round_1_the_last_bridge_can_be_replaced(table):
    table(white="ALOA-BARI", box_variant=True).do("x ALOA-BARI (ALOA ALOA) =")


def test_box_2_without_a_bridge_in_supply_there_is_none_to_build_with(table):
    t = table(black=" ".join(LINES[2:]), white="ALOA-BARI", box_variant=True)
    assert "black has no bridge left (kahuna:PLAY-5)" in t.cannot("x ALOA-BARI (ALOA ALOA) =")
    assert not any(line.endswith("=") for line in t.legal())


def test_box_2_a_question_about_the_rules_changes_nothing(table, check):
    t = table(white=ALOA, box_variant=True)
    before = t.state.copy()
    t.broken("x ALOA-BARI (ALOA ALOA) =")
    assert t.state == before
    check(t.state)
