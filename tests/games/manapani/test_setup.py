"""The set: what is entered of it, what it is checked for, and how a game begins with it."""

from __future__ import annotations

import copy
from collections import Counter

import pytest

from games.errors import BadOpeningError
from games.manapani import MANAPANI
from games.manapani.components import CARDS, ELEMENTS, SAMPLE, SCROLLS, SPELLS, read_box
from tests.cases import cases


def changed(**parts):
    return copy.deepcopy(SAMPLE) | parts


BOARD = SAMPLE["board"]
DECK = SAMPLE["deck"]

WRONG = [
    ({}, "components"),
    ({"board": BOARD}, "components"),
    (changed(chips=3), "components"),
    (changed(board="start"), "components.board"),
    (changed(board=["start"]), "components.board"),
    (changed(board=["start", *["fire land"] * 100]), "components.board"),
    (changed(board=["fire land", "start"]), "components.board[0]"),
    (changed(board=["start", "fire land", "start"]), "components.board[2]"),
    (changed(board=["start", "steam land"]), "components.board[1]"),
    (changed(board=["start", "land"]), "components.board[1]"),
    (changed(board=["start", 3]), "components.board[1]"),
    (changed(board=["start", ["fort"]]), "components.board[1]"),
    (changed(board=["start", "fort", "sanctuary"]), "components.board"),
    (changed(deck=[]), "components.deck"),
    (changed(deck=DECK | {"Unicorn": 1}), "components.deck.Unicorn"),
    (changed(deck={card: 2 for card in CARDS if card != "Troll"}), "components.deck.Troll"),
    (changed(deck=DECK | {"Troll": -1}), "components.deck.Troll"),
    (changed(deck=DECK | {"Troll": True}), "components.deck.Troll"),
    (changed(deck=DECK | {"Troll": 1.5}), "components.deck.Troll"),
    (changed(deck=DECK | {"Troll": 10**30}), "components.deck.Troll"),
    (changed(deck=dict.fromkeys(CARDS, 0)), "components.deck"),
]


@cases(("components", "field"), WRONG)
def test_a_set_that_cannot_be_is_refused_and_the_field_is_named(components, field):
    with pytest.raises(BadOpeningError) as error:
        MANAPANI.check_components(components)
    assert error.value.field == field


@pytest.mark.parametrize("copies", [0, 2])
def test_a_board_without_a_fort_goes_with_any_deck(copies):
    MANAPANI.check_components({"board": ["start", "fire land"], "deck": DECK | {"Brave Attack": copies}})


def test_a_deck_is_to_be_enough_for_all_hands(new):
    few = {"board": BOARD, "deck": dict.fromkeys(CARDS, 0) | {"Kobold": 10}}
    assert new(2, few).state.box.cards == 10
    with pytest.raises(BadOpeningError) as error:
        new(3, few)
    assert error.value.field == "components.deck"


def test_the_sample_is_as_many_cards_as_a_set_is_said_to_have():
    assert (len(SCROLLS), len(SPELLS)) == (28, 9)
    assert sum(DECK.values()) == 63
    lands = Counter(square.element for square in read_box(SAMPLE).board if square.kind == "land")
    assert lands == dict.fromkeys(ELEMENTS, 4)


def test_the_components_of_a_game_without_any_are_the_sample_and_marked(new):
    assert MANAPANI.components({}) == SAMPLE
    assert list(MANAPANI.sample_components.values()) == [SAMPLE]
    shown = new().state.describe()
    assert shown["sample"] == {"board": True, "deck": True}
    assert shown["components"] == SAMPLE
    other = new(2, changed(deck=DECK | {"Troll": 3}))
    assert other.state.describe()["sample"] == {"board": True, "deck": False}


def test_described_components_open_the_same_game_again(new):
    t = new(2, changed(board=["start", "wind land", "fort"]))
    assert new(2, t.state.describe()["components"]).state == t.state


@pytest.mark.parametrize(("seats", "coloured"), [(2, 16), (3, 14), (4, 12)])
def test_everybody_is_dealt_five_cards_and_two_chips_of_each_colour_but_white(new, check, seats, coloured):
    t = new(seats)
    assert t.do(f"start {seats}") == ["hands.dealt 5", f"{seats} turn.begun 1", f"{seats} card.drawn"]
    assert t.state.source == [*[coloured] * 4, 20]
    assert [len(hand) for hand in t.state.hands] == [*[5] * (seats - 1), 6]
    assert t.state.pile == 63 - 5 * seats - 1
    assert t.chips(1) == "rrbbyygg"
    check(t.state)


def test_nothing_happens_before_the_start(new):
    t = new(3)
    assert t.legal() == ["start 1", "start 2", "start 3"]
    assert "it is to be said who begins" in t.cannot("1: roll 1 1")
    t.do("start 3")
    assert t.cannot("start 1") == "the cards have been dealt already (manapani:3)"
    assert t.state.active == 2


@pytest.mark.parametrize("seats", [1, 5])
def test_the_game_is_for_two_to_four(new, seats):
    with pytest.raises(BadOpeningError) as error:
        new(seats)
    assert error.value.field == "seats"
