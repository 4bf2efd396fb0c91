"""Hidden hands that are decided: just the cards that all that was seen allows, asked one by one, and in few calls."""

from __future__ import annotations

import random
from itertools import product
from typing import TYPE_CHECKING, Any

import pytest

from games.contract import PUBLIC, RECORD, Viewpoint
from games.seen_cards import ToldCardState
from tests.choosing import soak_except
from tests.games.manapani.test_known_cards import Evening as ManapaniEvening
from tests.games.test_pace import counted
from tests.games.verraeter.test_known_cards import Evening as VerraeterEvening

if TYPE_CHECKING:
    from collections.abc import Sequence

    from games.contract import Chance, Move
    from games.seen_cards import SeenCardState

VIEWPOINTS = (RECORD, PUBLIC, Viewpoint("seat", 0), Viewpoint("seat", 1))
MOST_CALLS = 16_000
"""Calls of functions to decide the hands of Manapani. They were 73,000 when everything was asked anew for each card."""


class Unwatched:
    """A watch that counts nothing: only the states are wanted."""

    def __init__(self) -> None:
        self.cards = self
        self.is_exact, self.sample = True, 0

    def follow(self, *_: Any) -> Sequence[Any]:
        return ()

    def remaining_events(self) -> Sequence[Any]:
        return ()


def seen_states(name: str, seed: int, noting: float) -> list[SeenCardState]:
    """States of a game at random, as they are seen from each viewpoint, that need all that was seen."""
    evening: Any = ManapaniEvening(seed, noting) if name == "manapani" else VerraeterEvening(seed, noting)
    evening.viewpoints, evening.watches, evening.events = (RECORD,), [Unwatched()], [[]]
    found, make = list["SeenCardState"](), evening.make

    def making(move: Move) -> None:
        make(move)
        if evening.state.version % 4 == 0:
            found.extend(filter(lambda seen: seen.looks_back, map(evening.state.view, VIEWPOINTS)))

    evening.make = making
    evening.play(*([150] if name == "manapani" else []))
    return found


def decided_by_asking(state: SeenCardState, chance: Chance) -> list[list[str]]:
    """The hands if each card is asked for anew, of all that was seen, with all cards of the hands so far."""
    loose, hands = state.unlocated_cards(), [(seat, hand.known.copy()) for seat, hand in enumerate(state.hands)]
    for number, (seat, held) in enumerate(hands):
        for _ in range(min(state.hands[seat].unknown, len(loose))):
            able = loose
            while able:
                card = chance.choice(able)
                if state.allows(*hands[:number], (seat, [*held, card])):
                    break
                able = [other for other in able if other != card]
            else:
                card = chance.choice(loose)
            held.append(card)
            loose.remove(card)
    return [sorted(held) for _, held in hands]


@pytest.mark.parametrize(
    ("name", "seed", "noting"),
    soak_except(
        [
            *product(["manapani"], range(8), [0.3]),
            ("manapani", 2, 0),
            ("manapani", 2, 1),
            *product(["verraeter"], range(8), [0, 0.3, 1]),
        ],
        ("manapani", 2, 0),
        ("manapani", 2, 0.3),
        ("verraeter", 3, 0.3),
    ),
)
@pytest.mark.slow
def test_hands_are_decided_as_if_each_card_were_asked_for_anew(
    name: str, seed: int, noting: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the same lots: so each card is as likely as it was when all that was seen was asked for each of them.

    That is done where the record contradicts itself, so that there is nothing to weigh.
    """
    monkeypatch.setattr(ToldCardState, "deals", lambda _: None)
    states = random.Random(seed).sample(all_seen := seen_states(name, seed, noting), min(len(all_seen), 10))
    assert states
    for number, state in enumerate(states):
        asked = decided_by_asking(state, random.Random(number))
        state.decide_hidden(random.Random(number))
        assert [sorted(hand.known) for hand in state.hands] == asked


@pytest.mark.slow
def test_hands_are_decided_in_few_calls_after_a_player_noted_cards() -> None:
    states = seen_states("manapani", 2, 0.3)
    seen = random.Random(1).sample(states, 8)

    def decide() -> None:
        for number, state in enumerate(seen):
            state.copy().decide_hidden(random.Random(number))

    decide()
    assert counted(decide) / len(seen) < MOST_CALLS
