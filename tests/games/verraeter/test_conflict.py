"""11 to 19: the conflict, and what it brings."""

from __future__ import annotations

import pytest

from games.contract import PUBLIC, Viewpoint
from games.sketch import as_text
from games.verraeter import VERRAETER
from games.verraeter.moves import Aside, Choose, Reveal
from tests.cases import cases


def laid(table, *args, site="3-4", **more):
    """A table at which everybody has laid nothing."""
    t = table(*args, **more)
    t.do(site, *["lay -"] * t.state.seats)
    return t


def test_11_who_holds_the_strategy_card_chooses_the_border(table):
    t = table()
    assert t.state.to_move() == 1
    assert t.broken("1: 3-4") == {"11": "player 2 holds the strategy card, not player 1"}
    assert t.do("12-1") == ["2 site.chosen 12-1"]


def test_11_a_border_lies_between_lands_of_both_houses(table):
    t = table()
    t.state.owners[1] = "Eagle"
    assert "both lands at 1-2 belong to Eagle" in t.cannot("1-2")
    assert "1-2" not in t.legal()
    assert "3-4" in t.legal()


def test_a23_a_border_can_be_chosen_again_while_its_lands_differ(table):
    t = laid(table, "ERE", site="1-2")
    t.state.lands[0] = "Village"
    assert "conflict.tied" in t.do("reveal Farmer Strategist Traitor")
    t.do("draw -", "1-2")


def test_12_everybody_takes_exactly_one_action(table):
    t = laid(table)
    assert "there is only one Farmer (verraeter:12)" in t.cannot("reveal Farmer Farmer Builder Traitor")
    assert "4 actions are revealed, not 3" in t.cannot_be(Reveal(actions=("Farmer", "Builder", "Traitor")))


def test_12_a_choice_can_be_noted_before_and_nobody_else_sees_it(table):
    t = table()
    t.do("3-4", "1: choose Farmer", "3: choose Traitor")
    for viewpoint, choices in [
        (PUBLIC, ["?", None, "?", None]),
        (Viewpoint("seat", 0), ["Farmer", None, "?", None]),
        (Viewpoint("seat", 2), ["?", None, "Traitor", None]),
    ]:
        assert t.state.view(viewpoint).choices == choices
    move = Choose(seat=0, action="Farmer")
    assert move.seen(PUBLIC) == Choose(seat=0)
    assert move.seen(Viewpoint("seat", 0)) == move
    assert "Farmer" not in t.state.view(PUBLIC).picture()


def test_12_what_was_noted_is_what_is_revealed(table):
    t = table()
    t.do("3-4", "1: choose Farmer", *["lay -"] * 4)
    assert "player 1 noted the Farmer, not the Builder" in t.cannot("reveal Builder Farmer Traitor Strategist")
    assert t.do("reveal Builder Traitor Strategist")[0] == "1 action.revealed Farmer"


def test_12_a_choice_is_made_once_and_a_card_is_there_once(table):
    t = table()
    t.do("3-4", "1: choose Farmer")
    assert "player 1 has chosen already" in t.cannot("1: choose Builder")
    assert "the Farmer is noted already, and there is one only" in t.cannot("2: choose Farmer")
    t = table()
    assert set(t.broken("1: choose Builder")) == {"12"}
    t.force("1: choose Builder")
    assert t.state.choices[0] == "Builder"


def test_a32_the_card_put_aside_is_known_to_the_start_player_alone(table):
    t = table()
    t.do("3-4", "aside Traitor")
    assert t.state.view(PUBLIC).aside == "?"
    assert t.state.view(Viewpoint("seat", 0)).aside == "Traitor"
    assert Aside(seat=0, action="Traitor").seen(Viewpoint("seat", 1)) == Aside(seat=0)
    assert "noted already" in t.cannot("aside Farmer")
    t.do(*["lay -"] * 4)
    assert "the Traitor was put aside" in t.cannot("reveal Farmer Traitor Builder Strategist")


def test_a32_nobody_else_can_know_the_card_put_aside(table):
    t = table()
    t.do("3-4")
    assert "only player 1 can know what was put aside" in t.cannot("2: aside Traitor")
    t.do("2: choose Farmer")
    assert "the Farmer is noted already" in t.cannot("aside Farmer")


def test_13_supply_cards_are_laid_in_turn_order_and_stay(table):
    t = table()
    t.do("3-4")
    assert t.broken("2: lay 3") == {"13": "it is player 1's turn, not player 2's"}
    assert t.do("53") == ["1 supplies.laid 5 3"]
    assert t.hand(1) == "4"
    assert t.broken("1: lay 4") == {"13": "player 1 has laid already"}
    assert t.do("-") == ["2 supplies.kept"]


def test_13_who_laid_out_of_turn_is_not_asked_again(table):
    t = table("ERE")
    t.do("3-4")
    t.force("2: lay 3")
    t.do("lay -", "lay -")
    assert t.state.due == "reveal"


def test_14_the_traitor_changes_the_house_for_good(table):
    t = laid(table)
    assert "1 house.changed Rose" in t.do("reveal Traitor Diplomat5 Diplomat2 Strategist")
    assert t.state.houses == ["Rose", "Rose", "Eagle", "Rose"]
    t.do("7-8", *["lay -"] * 4, "reveal Diplomat2 Traitor Builder Diplomat5")
    assert t.state.houses == ["Rose", "Rose", "Rose", "Rose"]


def test_15_diplomats_add_their_strength_to_their_house(table):
    t = laid(table)
    effects = t.do("reveal Diplomat2 Diplomat5 Farmer Builder")
    assert "strength.counted Eagle 9 = land 7 + Diplomat 2" in effects
    assert "strength.counted Rose 8 = land 3 + Diplomat 5" in effects


def test_15_the_sums_stand_as_they_are_while_cards_are_laid(table):
    t = table()
    t.do("3-4")
    assert t.sums() == ["Eagle 7 = land 7", "Rose 3 = land 3"]
    t.do("lay 5", "lay 4 3")
    assert t.sums() == ["Eagle 12 = land 7 + cards 5", "Rose 10 = land 3 + cards 7"]
    assert "land 3 + cards 7" in t.state.picture()


@cases(("houses", "points"), [("ERRR", 6), ("EERR", 5), ("EEER", 3)])
def test_16_each_winner_gets_the_points_for_so_many_winners(table, houses, points):
    t = laid(table, houses, site="5-6")
    t.do("reveal Farmer Builder Diplomat2 Diplomat5")
    assert t.scores() == [points if house == "E" else 0 for house in houses]
    line = t.state.scores()[0]
    assert (line.category, line.rule, line.version) == ("round-1", "verraeter:16", t.state.version)
    assert line.note == f"6 Woods, {houses.count('E')} winner{'s' * (houses != 'ERRR')}"


def test_a9_all_players_can_be_in_one_house(table):
    t = laid(table, "EEEE", site="5-6")
    t.do("reveal Farmer Builder Diplomat2 Diplomat5")
    assert t.scores() == [2] * 4
    assert t.state.scores()[0].note == "6 Woods, 4 winners"


def test_a8_a_house_without_players_conquers_and_nobody_scores(table):
    t = laid(table, "EEEE", site="1-2", components=None)
    effects = t.do("reveal Farmer Builder Diplomat2 Strategist")
    assert "conflict.unrewarded Rose" in effects
    assert "land.conquered 1 River Rose" in effects
    assert t.scores() == [0, 0, 0, 2]
    assert t.state.due == "build"


def test_17_traitor_and_strategist_always_score(table):
    t = laid(table)
    t.do("reveal Strategist Traitor Farmer Builder")
    lines = [(line.seat, line.points, line.note) for line in t.state.scores() if line.rule == "verraeter:17"]
    assert lines == [(1, 1, "Traitor"), (0, 2, "Strategist")]


def test_18_the_conquered_land_turns_and_the_winners_own_stays(table):
    t = laid(table)
    t.do("reveal Farmer Builder Diplomat2 Strategist")
    assert (t.state.owners[2], t.state.owners[3]) == ("Eagle", "Eagle")


def test_19_a_tie_conquers_nothing(table):
    t = laid(table, "ERE", components=None)
    t.state.lands[3] = "Woods"
    assert "conflict.tied" in t.do("reveal Farmer Builder Strategist")
    assert t.scores() == [0, 0, 2]
    assert (t.state.owners[2], t.state.owners[3]) == ("Eagle", "Rose")


# The points without a table


def test_16_without_a_table_the_points_are_read_from_the_card(table):
    t = laid(table, components=None, site="5-6")
    t.do("reveal Farmer Builder Diplomat2 Strategist")
    assert (t.state.due, t.state.to_move(), t.scores()) == ("points", None, [0] * 4)
    effects = t.do("5")
    assert effects[0] == "points.read Woods with 2 5"
    assert t.scores() == [5, 0, 5, 2]
    assert t.state.describe()["components"]["points"]["Woods"] == [None, 5, None, None]


def test_16_what_a_table_leaves_open_is_read_and_the_rest_is_not(table):
    points = {land: [None, 3, None] for land in ("Wilderness", "Meadow", "River", "Woods", "Village", "City")}
    t = laid(table, "EER", components={"points": points})
    t.do("reveal Farmer Builder Diplomat2")
    assert t.scores() == [3, 3, 0]
    t = laid(table, "ERR", components={"points": points})
    t.do("reveal Farmer Builder Strategist")
    assert t.state.due == "points"
    assert t.legal() == [f"points {points}" for points in range(3, 31)]


def learnt(table):
    t = laid(table, components=None, site="5-6")
    t.state.learnt["Woods"] = [7, None, 4, None]
    t.do("reveal Farmer Builder Diplomat2 Strategist")
    return t


def test_a33_more_winners_never_get_more_each(table):
    t = learnt(table)
    assert t.legal() == ["points 4", "points 5", "points 6", "points 7"]
    why = {"A33": "Woods brings 4 to 7 to each of 2 winners after what was read of it before, not 8"}
    assert t.broken("8") == why
    assert set(t.broken("3")) == {"A33"}
    assert t.broken("7") == {}


def test_a33_the_same_land_and_winners_bring_the_same(table):
    t = learnt(table)
    t.state.learnt["Woods"][1] = 6
    assert t.legal() == ["points 6"]
    assert t.broken("5") == {"A33": "Woods brought 6 to each of 2 winners before, not 5"}
    t.force("5")
    assert t.scores()[0] == 5
    assert t.state.learnt["Woods"] == [7, 6, 4, None]


def test_the_learnt_points_can_open_the_next_game(table):
    t = learnt(table)
    t.do("5")
    components = t.state.describe()["components"]
    state = VERRAETER.open({}, components, 3)
    assert state.known_worth("Woods") == [7, 5, 4, None]


@pytest.mark.parametrize("last", [False, True])
def test_15_the_strengths_of_a_decided_conflict_stay_as_they_were_counted(table, last):
    """Also when the land has turned, the cards are spent, a ruling has changed a house, and the game is over."""
    t = table("ERE", "1e1", hands="34455 ? ?")
    t.state.round = 9 if last else 1
    t.do("3-4", "lay 5", "lay 2", "lay -")
    assert t.sums() == ["Eagle 12 = land 7 + cards 5", "Rose 5 = land 3 + cards 2"]
    t.do("reveal Farmer Traitor Diplomat2")
    counted = ["Eagle 16 = land 7 + cards 7 + Diplomat 2", "Rose 3 = land 3"]
    assert (t.state.due, t.state.owners[3], t.sums()) == ("draw", "Eagle", counted)
    t.rule("house seat=Player3 house=Rose + land land=3 house=Rose")
    assert t.sums() == counted
    assert all(words in t.state.picture() for words in ("Eagle 16", "Rose 3", "land 7 + cards 7"))
    assert counted[0] in as_text(t.state.sketch())
    assert VERRAETER.state.load(t.state.dump()) == t.state
    t.do("draw -")
    if last:
        assert t.sums() == counted
    else:
        assert t.state.describe()["conflict"] is None
