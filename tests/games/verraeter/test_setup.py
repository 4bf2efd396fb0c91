"""1 to 10: what lies on the table before the first round."""

from __future__ import annotations

import random

import pytest

from games.errors import BadOpeningError
from games.verraeter import VERRAETER
from games.verraeter.components import COPIES, LANDS, SAMPLE, SUPPLY
from games.verraeter.moves import Laid, Lands, Lay, Put, Reveal, Start
from tests.cases import cases
from tests.games.verraeter.conftest import CIRCLE


def test_the_box_has_66_cards_with_23_supplies():
    assert len(SUPPLY) == 23
    assert COPIES == {"2": 5, "3": 5, "4": 5, "5": 5, "6": 2, "8": 1}
    assert 6 + 4 + 12 + 1 + 2 * len(LANDS) + 1 + 1 + len(SUPPLY) + 6 == 66


@pytest.mark.parametrize(("seats", "rounds", "pile"), [(3, 9, 14), (4, 8, 11)])
def test_1_three_players_play_nine_rounds_and_four_eight(new, seats, rounds, pile):
    t = new(seats)
    t.do("start 1 " + "ERER"[:seats])
    assert t.do(f"lands {CIRCLE}")[-1] == f"supplies.dealt {pile}"
    assert t.state.describe()["rounds"] == rounds


@pytest.mark.parametrize("seats", [2, 5])
def test_1_two_or_five_cannot_play(seats):
    with pytest.raises(BadOpeningError, match=f"three or four players, not {seats}"):
        VERRAETER.open({}, None, seats)


def test_1_a_player_who_is_not_there_does_nothing(new, table):
    assert "there is no player 4" in table("ERE").cannot_be(Lay(seat=3))
    assert "there is no player 4" in new(3).cannot_be(Start(starts=3, houses=("Eagle",) * 3))


def test_2_three_estates_or_posts_are_all(table):
    t = table("ERER", "1e1 1e2 1e3")
    t.state.due, t.state.actions = "build", ["Builder", "Farmer", "Traitor", "Strategist"]
    assert "player 1 has no card left in reserve (verraeter:2)" in t.cannot("estate 4")


def test_3_the_start_player_belongs_to_eagle(new):
    assert new().broken("start 2 RRRR") == {"3": "player 2 starts and must belong to Eagle"}
    assert not any("start 1 R" in line for line in new().legal())


def test_4_the_others_belong_to_what_they_choose(new):
    t = new()
    t.do("start 2 ERRE")
    assert t.state.houses == ["Eagle", "Eagle", "Rose", "Rose"]
    assert len(new().legal()) == 4 * 2**3


def test_4_every_house_has_to_be_named(new):
    assert "4 houses are to be named, not 0 (verraeter:4)" in new().cannot("start 2")
    assert "4 houses are to be named, not 3" in new().cannot_be(Start(starts=0, houses=("Eagle",) * 3))


def test_a1_alternating_houses_need_not_be_named(new):
    t = new(alternating_allegiance=True)
    t.do("start 2")
    assert t.state.houses == ["Rose", "Eagle", "Rose", "Eagle"]
    assert len(new(alternating_allegiance=True).legal()) == 4
    assert new(3, alternating_allegiance=True).do("start 3")[1:4] == [
        "1 house.chosen Rose",
        "2 house.chosen Eagle",
        "3 house.chosen Eagle",
    ]


def test_a1_houses_that_do_not_alternate_are_refused_with_the_option_only(new):
    assert set(new(alternating_allegiance=True).broken("start 1 EERR")) == {"A1"}
    assert new().broken("start 1 EERR") == {}


def test_5_each_land_lies_there_once_for_each_house(new):
    t = new()
    t.do("start 1 ERER")
    assert t.broken(f"lands {CIRCLE.replace('R-River', 'E-River')}") == {
        "5": "both lands River lie with Eagle up: one of each house begins"
    }
    assert "there are two lands River, not 3" in t.cannot(f"lands {CIRCLE.replace('R-Woods', 'R-River')}")


def test_5_lands_that_were_not_noted_have_to_be_before_play_begins(new):
    t = new()
    t.do("start 1 ERER", f"lands {CIRCLE.replace('R-City', '?')}")
    assert t.state.due == "lands"
    assert "land 1 is known to be Eagle's River" in t.cannot(f"lands {CIRCLE.replace('E-River', 'E-Woods')}")
    t.do(f"lands {'? ' * 9} R-City ? ?")
    assert t.state.lands[9] == "City"
    assert t.state.due == "estates"


def test_6_everybody_is_known_to_hold_3_4_and_5(new):
    t = new()
    t.do("start 1 ERER", f"lands {CIRCLE}")
    assert [hand.open for hand in t.state.hands] == [["3", "4", "5"]] * 4


def test_7_estates_are_put_in_turn_order_from_the_start_player(new):
    t = new()
    t.do("start 2 ERER", f"lands {CIRCLE}")
    assert t.do("estate 4") == ["2 estate.put 4 Meadow"]
    assert t.broken("1: estate 5") == {"7": "it is player 3's turn, not player 1's"}
    assert set(t.broken("post 5")) == {"7"}
    t.do("estate 5", "estate 6")
    assert t.do("estate 1")[-1] == "3 round.begun 1"


def test_8_a_land_takes_one_card(new):
    t = new()
    t.do("start 1 ERER", f"lands {CIRCLE}", "estate 4")
    assert "a card lies under 4 Meadow already (verraeter:8)" in t.cannot("estate 4")


@pytest.mark.parametrize(("start", "strategy"), [(1, 2), (4, 1)])
def test_9_the_left_neighbour_of_the_start_player_gets_the_strategy_card(new, start, strategy):
    t = new()
    assert t.do(f"start {start} ERER")[-1] == f"{strategy} strategy.given"


def test_10_nobody_has_points(new):
    assert new().scores() == [0] * 4


def test_steps_come_in_their_order(new, table):
    t = new()
    assert "now the start player is to be named" in t.cannot(f"lands {CIRCLE}")
    t.do("start 1 ERER")
    assert "now the lands are to be laid out" in t.cannot_be(Put(seat=0, place=0))
    t = table()
    assert "now the conflict card is to be put down" in t.cannot("points 3")
    assert "now the conflict card is to be put down" in t.cannot_be(Reveal(actions=("Farmer",) * 4))
    assert "now the conflict card" in t.cannot_be(Lands(lands=(Laid("River", "Rose"),) * 12))


@cases(
    ("components", "field"),
    [
        ({}, "components"),
        ({"points": {}, "more": 1}, "components"),
        ({"points": []}, "components.points"),
        ({"points": {"River": [1, 1, 1]}}, "components.points.Wilderness"),
        ({"points": SAMPLE["points"] | {"Sea": [1, 1, 1]}}, "components.points.Sea"),
        ({"points": SAMPLE["points"] | {"River": 3}}, "components.points.River"),
        ({"points": SAMPLE["points"] | {"River": [3, 2]}}, "components.points.River"),
        ({"points": SAMPLE["points"] | {"River": [3, 2, 1, 0, 0]}}, "components.points.River"),
        ({"points": SAMPLE["points"] | {"River": [3, True, 1, 0]}}, "components.points.River"),
        ({"points": SAMPLE["points"] | {"River": [3, 2.0, 1, 0]}}, "components.points.River"),
        ({"points": SAMPLE["points"] | {"River": [31, 2, 1, 0]}}, "components.points.River"),
        ({"points": SAMPLE["points"] | {"River": [3, 2, 1, -1]}}, "components.points.River"),
        ({"points": SAMPLE["points"] | {"River": [3, None, 4, 1]}}, "components.points.River"),
    ],
)
def test_a_table_of_points_that_cannot_be_is_refused_with_its_land(components, field):
    with pytest.raises(BadOpeningError) as error:
        VERRAETER.open({}, components, 3)
    assert error.value.field == field


def test_a_table_may_leave_out_the_fourth_column_and_entries_that_are_not_known():
    points = {land: [3, None, 1] for land in LANDS}
    state = VERRAETER.open({}, {"points": points}, 3)
    assert state.known_worth("River") == [3, None, 1, None]


def test_5_lands_that_were_told_against_the_rule_do_not_hold_up_the_others(new):
    t = new(3)
    t.do("start 1 ERE")
    t.force("lands E-River E-River" + " ?" * 10)
    (rest,) = t.state.legal_moves()
    t.state.verify(rest)
    filled = t.state.sample_chance(rest, random.Random(1))
    t.state.apply(filled)
    assert t.state.due == "estates"
    assert sorted(t.state.lands).count("River") == 2
