"""OPO: scoring as in Arabana-Opodopo."""

from __future__ import annotations

import pytest

from games.contract import Outcome, ScoreLine

BARI = {"white": "BARI-DUDA BARI-ELAI BARI-FAAA", "black": "ALOA-BARI"}
"""White holds BARI with three bridges; one is black's, one space is empty: the author's example."""


@pytest.mark.parametrize("number", [1, 2])
def test_opo_1_empty_spaces_and_the_opponents_bridges_count(table, number):
    t = table(**BARI, round=number, row="COCO", deck=0, scoring="opodopo")
    assert f"white round.scored round {number} 2" in t.do("+COCO")
    assert t.state.scores() == [
        ScoreLine(0, 0, f"round-{number}", "kahuna:OPO-1", 1, "no island"),
        ScoreLine(1, 2, f"round-{number}", "kahuna:OPO-1", 1, "BARI 2"),
    ]


def test_opo_2_in_the_final_scoring_one_more_for_the_island(table):
    t = table(**BARI, round=3, deck=0, last_turns=[0], scoring="opodopo")
    t.do("-")
    assert t.state.scores()[1] == ScoreLine(1, 3, "round-3", "kahuna:OPO-2", 1, "BARI 3")


def test_opo_1_every_island_held_counts_for_both_players(table):
    t = table(black="ALOA-BARI ALOA-DUDA", white="IFFI-LALE KAHU-LALE", row="COCO", deck=0, scoring="opodopo")
    t.do("+COCO")
    assert t.state.totals() == [1, 1]


def test_opo_1_a_wholly_built_island_is_worth_nothing(table):
    t = table(black="ALOA-BARI ALOA-DUDA ALOA-HUNA", row="COCO", deck=0, scoring="opodopo")
    assert "round.tied round 1" in t.do("+COCO")
    assert t.state.scores()[0].note == "ALOA 0"


def test_opo_3_a_tie_goes_to_who_scored_more_in_round_3(table):
    earlier = [ScoreLine(0, 1, "round-1", "kahuna:OPO-1", 1, "ALOA 1")]
    t = table(
        black="ALOA-BARI ALOA-DUDA",
        white="HUNA-LALE IFFI-LALE BARI-COCO COCO-FAAA COCO-GOLA COCO-KAHU",
        round=3,
        deck=0,
        last_turns=[0],
        lines=earlier,
        scoring="opodopo",
    )
    t.do("-")
    assert t.state.totals() == [3, 3]
    assert t.state.outcome() == Outcome((2, 1), (1,), "third_round", "kahuna:OPO-3")


def test_opo_3_then_bridges_break_the_tie(table):
    t = table(
        black="ALOA-BARI ALOA-DUDA",
        white="HUNA-LALE IFFI-LALE COCO-GOLA",
        round=3,
        deck=0,
        last_turns=[0],
        scoring="opodopo",
    )
    t.do("-")
    assert t.state.outcome().rule == "kahuna:WIN-3"
