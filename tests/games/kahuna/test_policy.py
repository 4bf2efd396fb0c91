"""The policy of Kahuna: what it thinks of bridges, and what it plays."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

from games.kahuna import KAHUNA
from games.kahuna.components import ENDS, ISLANDS, LINES, LINES_AT, MAJORITIES, SPACES, members
from games.kahuna.control import place_bridge
from games.kahuna.moves.base import TURN_LIMIT
from games.kahuna.moves.building import Build, Remove
from games.kahuna.moves.cards import HAND_LIMIT, Draw, Take
from games.kahuna.policy import (
    BLOCKED,
    BRIDGE_GONE,
    FOLLOWED,
    ISLAND_WON,
    NEARER,
    WORTH_A_CARD,
    WORTH_HELD,
    _plan,
)
from games.playout import random_move

if TYPE_CHECKING:
    from collections.abc import Iterator

    from games.kahuna.state import KahunaState

POLICY = KAHUNA.policy


def tables(games: int, *, box_variant: bool = False) -> Iterator[KahunaState]:
    """Tables of games that the policy plays, every fifth move being any."""
    for number in range(games):
        state, chance = KAHUNA.open({"box_variant": box_variant}, None, 2), random.Random(number)
        state.decide_hidden(chance)
        while not state.ending:
            if state.to_move() is not None:
                yield state
            move = random_move(state, chance) if chance.random() < 0.2 else POLICY.choose(state, chance)
            state.apply(state.sample_chance(move, chance))
            state.decide_hidden(chance)


def choice(t):
    return POLICY.choose(t.state, random.Random(1))


def worth(state: KahunaState, move: Build | Remove) -> float:
    """The value of a play, counted bridge by bridge."""
    seat, line = move.seat, LINES.index(move.line)
    if isinstance(move, Remove):
        return removed(state, seat, line) - WORTH_A_CARD
    left = state.hands[seat].known.copy()
    left.remove(move.card)
    if state.plays + 2 > TURN_LIMIT:
        left.clear()
    value = sum(gain(state, seat, end) for end in ENDS[line])
    return value + FOLLOWED * sum(is_won_by_one_more(state, seat, end, line, left) for end in ENDS[line])


def gain(state: KahunaState, seat: int, island: int) -> float:
    """The value of one more bridge at an island."""
    mine, theirs = (bridges_at(state, each, island) for each in (seat, 1 - seat))
    need = MAJORITIES[island]
    if state.stones[seat] >> island & 1:
        return WORTH_HELD
    if len(mine) + 1 >= need:
        return ISLAND_WON + sum(removed(state, seat, line) for line in theirs)
    if len(theirs) >= need:
        return 0.0
    return (NEARER * (len(mine) + 1) + BLOCKED * len(theirs) * (SPACES[island] - len(mine) == need)) / need


def is_won_by_one_more(state: KahunaState, seat: int, island: int, built: int, left: list[str]) -> bool:
    """Whether one more bridge wins the island after this one, and a card that is left can build it."""
    free = set(members(LINES_AT[island])) - {built, *members(state.bridges[0] | state.bridges[1])}
    lacks_one = len(bridges_at(state, seat, island)) + 2 == MAJORITIES[island]
    is_held = state.stones[seat] >> island & 1
    return lacks_one and not is_held and any(ISLANDS.index(card) in ENDS[line] for line in free for card in left)


def removed(state: KahunaState, seat: int, line: int) -> float:
    """The value of removing a bridge of the opponent."""
    other = 1 - seat
    if members(state.bridges[other]) == [line] and state.round > 1:
        return 100.0
    held = [end for end in ENDS[line] if state.stones[other] >> end & 1]
    return BRIDGE_GONE + ISLAND_WON * sum(len(bridges_at(state, other, end)) == MAJORITIES[end] for end in held)


def bridges_at(state: KahunaState, seat: int, island: int) -> list[int]:
    return [line for line in members(LINES_AT[island]) if state.bridges[seat] >> line & 1]


@pytest.mark.parametrize("box_variant", [False, True])
def test_the_play_of_the_highest_value_is_chosen_if_it_is_worth_its_cards(box_variant: bool) -> None:
    played = 0
    for state in tables(12, box_variant=box_variant):
        legal = [*Build.legal(state), *(move for move in Remove.legal(state) if not move.rebuild)]
        full = len(state.hands[state.active].known) == HAND_LIMIT
        least = 0.0 if full or state.last_turns else WORTH_A_CARD
        most = max([worth(state, move) for move in legal], default=0.0)
        chosen = POLICY.choose(state, random.Random(1))
        if isinstance(chosen, Build | Remove):
            assert worth(state, chosen) == pytest.approx(most)
            assert most > least
            played += 1
        else:
            assert most <= least
    assert played > 100


def test_a_bridge_that_wins_an_island_by_the_rules_is_built_rather_than_one_that_wins_none():
    decided = 0
    for state in tables(12):
        played = POLICY.choose(state, random.Random(1))
        if not isinstance(played, Build):
            continue
        lines = {LINES.index(move.line) for move in Build.legal(state)}
        winning = {
            line
            for line in lines
            if any(
                effect.kind == "island.gained"
                for effect in place_bridge(state.copy(), state.active, line, "kahuna:PLAY-2")
            )
        }
        if winning:
            assert LINES.index(played.line) in winning
            decided += 1
    assert decided > 50


def test_what_a_hand_can_build_and_remove_is_what_its_cards_allow():
    for state in tables(2):
        hand = tuple(state.hands[state.active].known)
        cards, paid = _plan(hand)
        assert [card for card, *_ in cards] == list(dict.fromkeys(hand))
        for line, (one, two) in enumerate(ENDS):
            at = [card for card in hand if card in (ISLANDS[one], ISLANDS[two])]
            assert (paid >> line & 1) == (len(at) > 1)
            for card, _, later in cards:
                assert (line in members(later)) == (len(at) > (card in at))


def test_the_last_bridge_of_the_opponent_is_removed_for_the_game(table):
    laid = {"black": "HUNA-IFFI", "white": "ALOA-BARI", "hands": ("ALOA BARI", "COCO DUDA"), "row": "ELAI FAAA GOLA"}
    assert choice(table(**laid, round=2)) == Remove(seat=0, cards=("ALOA", "BARI"), line="ALOA-BARI")
    assert not isinstance(choice(table(**laid)), Remove), "in the first round it does not end the game"


def test_a_card_that_wins_an_island_is_taken_from_the_row_and_else_one_is_drawn(table):
    three = "DUDA-HUNA HUNA-IFFI"
    won = table(black=three, hands=("", "COCO"), row="BARI GOLA HUNA")
    assert choice(won) == Take(seat=0, card="HUNA")
    assert choice(table(hands=("", "COCO"), row="BARI GOLA HUNA")) == Draw(seat=0)
