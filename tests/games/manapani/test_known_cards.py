"""The odds of cards that are drawn in Manapani, and which draws are counted."""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction
from typing import TYPE_CHECKING

import msgspec
import pytest

from games.contract import PUBLIC, RECORD, Viewpoint
from games.manapani.components import DEALT
from games.manapani.knowledge import ManapaniWatch
from games.manapani.moves.cards import Discard, Hold, Spell
from games.manapani.moves.fighting import Reveal
from games.rulesets import RULESETS
from tests.choosing import some

if TYPE_CHECKING:
    from games.contract import ChanceEvent, Effect, Move
    from games.manapani.state import ManapaniState


class Evening:
    """A game at random with a real deck. Who draws notes the hand at once, with this probability."""

    def __init__(self, seed: int, noting: float) -> None:
        self.chance, self.noting = random.Random(seed), noting
        self.state: ManapaniState = RULESETS["manapani"].open({}, None, 2 + seed % 3)
        self.deck = list(Counter(self.state.copies).elements())
        self.chance.shuffle(self.deck)
        self.hands: list[Counter[str]] = [Counter() for _ in range(self.state.seats)]
        self.viewpoints = (RECORD, PUBLIC, Viewpoint("seat", 0))
        self.watches = [ManapaniWatch() for _ in self.viewpoints]
        self.events: list[list[ChanceEvent]] = [[] for _ in self.viewpoints]
        self.drawn = self.shuffles = 0
        self.true: list[tuple[Counter[str], ChanceEvent]] = []

    def play(self, moves: int) -> None:
        for _ in range(moves):
            legal = [move for move in self.state.legal_moves() if self.can_be(move)]
            if not legal:
                break
            kind = self.chance.choice(sorted({type(move) for move in legal}, key=lambda each: each.__name__))
            self.make(self.real(self.chance.choice([move for move in legal if type(move) is kind])))
        for watch, events in zip(self.watches, self.events, strict=True):
            events.extend(watch.rest())

    def can_be(self, move: Move) -> bool:
        return not isinstance(move, Spell) or move.seat is None or self.hands[move.seat][move.card] > 0

    def real(self, move: Move) -> Move:
        """The move with the cards that are really there; of those that are put away, one may not be seen."""
        if isinstance(move, Reveal):
            assert self.state.fight
            sides = zip(self.state.fight.seats, (move.attack, move.defence), strict=True)
            attack, defence = (self.some(seat, len(cards)) for seat, cards in sides)
            return msgspec.structs.replace(move, attack=attack, defence=defence)
        if isinstance(move, Discard):
            cards = self.some(move.seat, len(move.cards))
            self.hands[move.seat] -= Counter(cards)
            if self.noting < 1 and self.chance.random() < 0.5:
                return msgspec.structs.replace(move, cards=(*cards[1:], None))
            return msgspec.structs.replace(move, cards=cards)
        return self.state.sample_chance(move, self.chance)

    def some(self, seat: int, count: int) -> tuple[str, ...]:
        return tuple(self.chance.sample(sorted(self.hands[seat].elements()), count))

    def make(self, move: Move) -> None:
        before = self.state.copy()
        effects = self.state.apply(move)
        if isinstance(move, Spell) and move.seat is not None:
            self.hands[move.seat][move.card] -= 1
        for effect in effects:
            if effect.kind == "cards.revealed" and effect.seat is not None:
                self.hands[effect.seat] -= Counter(effect.at)
        draws = self.draw(effects)
        for viewpoint, watch, events in zip(self.viewpoints, self.watches, self.events, strict=True):
            events.extend(watch.follow(before.view(viewpoint), move.seen(viewpoint), self.state.view(viewpoint)))
            assert watch.cards.is_exact or self.noting < 1 or viewpoint != RECORD
        for seat, deck in draws:
            if self.chance.random() < self.noting and self.state.hands[seat].unknown:
                start = len(self.events[0])
                self.make(Hold(seat=seat, cards=tuple(self.hands[seat].elements())))
                self.true += [(deck, event) for event in self.events[0][start:] if event.outcome and deck]

    def draw(self, effects: list[Effect]) -> list[tuple[int, Counter[str]]]:
        """Deal and draw real cards: who, and what the deck was before the draws, of which nobody knows another.

        It is empty where a card was drawn in the same move before the discards were shuffled.
        """
        found: list[tuple[int, Counter[str]]] = []
        deck = Counter(self.deck)
        for effect in effects:
            if effect.kind == "hands.dealt":
                for hand in self.hands:
                    hand.update(self.deck.pop() for _ in range(DEALT))
                found += [(seat, deck) for seat in range(self.state.seats)]
            elif effect.kind == "pile.shuffled":
                self.shuffles += 1
                self.deck = list((Counter(self.state.copies) - sum(self.hands, Counter[str]())).elements())
                self.chance.shuffle(self.deck)
                deck = Counter() if found else Counter(self.deck)
            elif effect.kind == "card.drawn":
                assert effect.seat is not None
                found.append((effect.seat, deck))
                self.hands[effect.seat][self.deck.pop()] += 1
                self.drawn += 1
        return found


def shares(odds: dict[str, int]) -> dict[str, Fraction]:
    return {card: Fraction(weight, sum(odds.values())) for card, weight in odds.items() if weight}


@pytest.mark.parametrize("seed", some(range(4), 0, 1, 2))
@pytest.mark.slow
def test_the_record_of_noted_draws_has_the_odds_of_the_real_deck(seed: int) -> None:
    evening = Evening(seed, 1)
    evening.play(100)
    assert len(evening.true) > 5
    for deck, event in evening.true:
        assert shares(dict(event.odds)) == shares(deck)


@pytest.mark.parametrize("noting", [0, 0.6])
@pytest.mark.parametrize("seed", some(range(4), 0, 1))
@pytest.mark.slow
def test_each_drawn_card_is_counted_or_left_out_and_nobody_learns_of_the_notes_of_others(
    seed: int, noting: float
) -> None:
    evening = Evening(seed, noting)
    evening.play(60)
    record, public, own = ([event for event in events if event.kind == "draw"] for events in evening.events)
    assert len(record) == len(public) == len(own) == evening.drawn > 0
    assert not any(event.outcome for event in public)
    assert all(event.seat == 0 for event in own if event.outcome)
    assert all(event.outcome in event.odds for event in record if event.outcome)
    assert bool(noting) == any(event.outcome for event in record)


@pytest.mark.slow
def test_dice_are_counted_as_before() -> None:
    evening = Evening(1, 1)
    evening.play(60)
    kinds = {event.kind for event in evening.events[0]}
    assert kinds == {"die", "way", "draw"}
