"""The box: 120 cards as printed, and what a user enters of a box that differs."""

from __future__ import annotations

from collections import Counter

import pytest

from games.catan_cards import CATAN_CARDS
from games.catan_cards.components import (
    ACTIONS,
    BUILDINGS,
    FACES,
    FLEETS,
    KNIGHTS,
    RED,
    RESOURCES,
    STACKS,
    printed_box,
    read_box,
)
from games.errors import BadOpeningError
from tests.cases import cases

BOX = printed_box("2+3")


def test_the_box_has_120_cards():
    crests, supply = 2 * (1 + 2 + 6), sum(part.count for part in BOX.supply.values())
    assert supply == 7 + 5 + 7
    assert crests + supply + len(BOX.region_stack) + sum(BOX.events.values()) + BOX.expansions() == 120


def test_there_are_20_yellow_26_green_and_16_red_cards():
    counts = Counter()
    for card in BOX.cards.values():
        counts[card.colour] += card.count
    assert counts == {"yellow": 20, "green": 26, "red": 16}
    assert len(KNIGHTS) == 9
    assert len(FLEETS) == 6
    assert len(ACTIONS) == 10
    assert RED < BUILDINGS
    assert FACES == ("tournament", "trade", "brigands", "plenty", "event")


def test_knights_have_24_strength_and_18_tournament_points_and_nothing_costs_gold():
    assert sum(BOX.cards[knight].strength for knight in KNIGHTS) == 24
    assert sum(BOX.cards[knight].tournament for knight in KNIGHTS) == 18
    assert not any("gold" in card.cost for card in BOX.cards.values())


def test_each_crest_has_one_region_of_each_resource_and_each_number():
    for crest in BOX.starting_regions:
        assert set(crest) == set(RESOURCES)
        assert sorted(crest.values()) == [1, 2, 3, 4, 5, 6]


def test_what_differs_is_entered_and_the_rest_is_as_printed():
    box = read_box({"cards": {"Abbey": {"count": 3, "cost": {"gold": 1}}}, "events": {"Plague": 0}}, "1+4")
    assert (box.cards["Abbey"].count, box.cards["Abbey"].cost, box.cards["Abbey"].hand) == (3, {"gold": 1}, 1)
    assert box.cards["Spy"].count == 4
    assert box.events["Plague"] == 0
    assert sum(box.sizes()) == box.expansions() == 63
    assert len(box.sizes()) == STACKS


def test_the_components_of_a_game_open_the_same_game_again():
    free = {"Smithy": {"count": 2}, "Church": {"points": 0}, "Library": {"hand": 0}, "Abbey": {"cost": {}}}
    entered = {"cards": free, "region_stack": [["gold", 3]]}
    state = CATAN_CARDS.open({}, entered, 2)
    again = CATAN_CARDS.open({}, state.describe()["components"], 2)
    assert again == state


@cases(
    ("components", "field"),
    [
        ({"roads": 7}, "components"),
        ({"cards": []}, "components.cards"),
        ({"cards": {"Castle": {}}}, "components.cards.Castle"),
        ({"cards": {"Abbey": {"colour": "red"}}}, "components.cards.Abbey.colour"),
        ({"cards": {"Abbey": {"count": -1}}}, "components.cards.Abbey.count"),
        ({"cards": {"Abbey": {"count": 1.5}}}, "components.cards.Abbey.count"),
        ({"cards": {"Abbey": {}, "Spy": {"count": 10**40}}}, "components.cards.Spy.count"),
        ({"cards": {"Abbey": {"cost": {"stone": 1}}}}, "components.cards.Abbey.cost"),
        ({"cards": {"Spy": {"count": 3, "cost": {"ore": 1}}}}, "components.cards.Spy"),
        ({"events": {"Earthquake": 1}}, "components.events.Earthquake"),
        ({"events": dict.fromkeys(BOX.events, 0)}, "components.events"),
        ({"supply": {"ship": {}}}, "components.supply.ship"),
        ({"supply": {"settlement": {"count": 6}}}, "components.supply.settlement.count"),
        ({"starting_regions": [{"ore": 1}, {"ore": 2}]}, "components.starting_regions[0]"),
        ({"starting_regions": [{"ore": 1}]}, "components.starting_regions"),
        ({"region_stack": [["ore", 7]]}, "components.region_stack[0][1]"),
        ({"cards": {card: {"count": 0} for card in BOX.cards}}, "components.cards"),
    ],
)
def test_a_box_that_cannot_be_is_refused_with_its_field(components, field):
    with pytest.raises(BadOpeningError) as error:
        CATAN_CARDS.check_components(components)
    assert error.value.field == field


def test_the_sample_is_named_as_unconfirmed_and_can_be_played_with():
    for name, sample in CATAN_CARDS.sample_components.items():
        assert "unconfirmed" in name
        assert CATAN_CARDS.open({}, sample, 2)


def test_only_two_play():
    with pytest.raises(BadOpeningError, match="for two players, not 3"):
        CATAN_CARDS.open({}, None, 3)
