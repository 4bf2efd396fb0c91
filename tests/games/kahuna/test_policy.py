"""The policy of Kahuna: what it thinks of bridges, and what it plays."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from games.kahuna import KAHUNA
from games.kahuna.components import ENDS, ISLANDS, LINES, members
from games.kahuna.control import place_bridge
from games.kahuna.moves.building import Build, Remove
from games.kahuna.moves.cards import Draw, Take
from games.kahuna.policy import _free, _lines_after, _paid_with
from games.playout import random_move

if TYPE_CHECKING:
    from collections.abc import Iterator

    from games.kahuna.state import KahunaState

POLICY = KAHUNA.policy


def tables(games: int) -> Iterator[KahunaState]:
    """Tables of games that the policy plays, every fifth move being any."""
    for number in range(games):
        state, chance = KAHUNA.open({}, None, 2), random.Random(number)
        state.decide_hidden(chance)
        while not state.ending:
            if state.to_move() is not None:
                yield state
            move = random_move(state, chance) if chance.random() < 0.2 else POLICY.choose(state, chance)
            state.apply(state.sample_chance(move, chance))
            state.decide_hidden(chance)


def choice(t):
    return POLICY.choose(t.state, random.Random(1))


def test_a_bridge_that_wins_an_island_by_the_rules_is_built_rather_than_one_that_wins_none():
    decided = 0
    for state in tables(12):
        played = POLICY.choose(state, random.Random(1))
        if not isinstance(played, Build):
            continue
        winning = {
            line
            for card in state.hands[state.active].known
            for line, _ in _free(state, state.active, card)
            if any(
                effect.kind == "island.gained"
                for effect in place_bridge(state.copy(), state.active, line, "kahuna:PLAY-2")
            )
        }
        if winning:
            assert LINES.index(played.line) in winning
            decided += 1
    assert decided > 50


def test_free_lines_are_those_on_which_a_bridge_can_be_built():
    for state in tables(2):
        legal = {(move.card, move.line) for move in Build.legal(state)}
        for card in state.hands[state.active].known:
            found = {(card, LINES[line]) for line, _ in _free(state, state.active, card)}
            assert found == {each for each in legal if each[0] == card} or not legal
            assert all(
                {ISLANDS.index(card), other} == set(ENDS[line]) for line, other in _free(state, state.active, card)
            )


def test_what_a_hand_can_build_and_remove_is_what_its_cards_allow():
    for state in tables(2):
        hand = tuple(state.hands[state.active].known)
        for line, (one, two) in enumerate(ENDS):
            at = [card for card in hand if card in (ISLANDS[one], ISLANDS[two])]
            assert (_paid_with(hand) >> line & 1) == (len(at) > 1)
            for card in hand:
                assert (line in members(_lines_after(hand, card))) == (len(at) > (card in at))


def test_the_last_bridge_of_the_opponent_is_removed_for_the_game(table):
    laid = {"black": "HUNA-IFFI", "white": "ALOA-BARI", "hands": ("ALOA BARI", "COCO DUDA"), "row": "ELAI FAAA GOLA"}
    assert choice(table(**laid, round=2)) == Remove(seat=0, cards=("ALOA", "BARI"), line="ALOA-BARI")
    assert not isinstance(choice(table(**laid)), Remove), "in the first round it does not end the game"


def test_a_card_that_wins_an_island_is_taken_from_the_row_and_else_one_is_drawn(table):
    three = "DUDA-HUNA HUNA-IFFI"
    won = table(black=three, hands=("", "COCO"), row="BARI GOLA HUNA")
    assert choice(won) == Take(seat=0, card="HUNA")
    assert choice(table(hands=("", "COCO"), row="BARI GOLA HUNA")) == Draw(seat=0)
