"""The odds of cards that are drawn in Manapani, and which draws are counted."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from fractions import Fraction
from typing import TYPE_CHECKING

import msgspec
import pytest

from games.contract import PUBLIC, RECORD, Viewpoint
from games.errors import ImpossibleError
from games.manapani.components import DEALT
from games.manapani.knowledge import ManapaniWatch
from games.manapani.moves.cards import Discard, Hold, Spell
from games.manapani.moves.fighting import Reveal
from games.rulesets import RULESETS
from tests.choosing import soak_except

if TYPE_CHECKING:
    from games.contract import ChanceEvent, Effect, Move
    from games.manapani.state import ManapaniState


class Evening:
    """A game at random with a real deck. Who draws notes the hand at once, with this probability."""

    def __init__(self, seed: int, noting: float) -> None:
        self.chance, self.noting = random.Random(seed), noting
        self.knows_all = noting == 1
        self.state: ManapaniState = RULESETS["manapani"].open({}, None, 2 + seed % 3)
        self.deck = list(Counter(self.state.copies).elements())
        self.chance.shuffle(self.deck)
        self.hands: list[Counter[str]] = [Counter() for _ in range(self.state.seats)]
        self.viewpoints = (RECORD, PUBLIC, Viewpoint("seat", 0))
        self.watches = [ManapaniWatch() for _ in self.viewpoints]
        self.events: list[list[ChanceEvent]] = [[] for _ in self.viewpoints]
        self.drawn = self.shuffles = 0
        self.true: list[tuple[Counter[str], ChanceEvent]] = []
        self.came: dict[int, tuple[str, ...]] = {}

    def play(self, moves: int) -> None:
        for _ in range(moves):
            legal = [move for move in self.state.legal_moves() if self.can_be(move)]
            if not legal:
                break
            kind = self.chance.choice(sorted({type(move) for move in legal}, key=lambda each: each.__name__))
            self.make(self.real(self.chance.choice([move for move in legal if type(move) is kind])))
        for watch, events in zip(self.watches, self.events, strict=True):
            events.extend(watch.remaining_events())

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
            assert watch.cards.is_exact or not self.knows_all or viewpoint != RECORD
        for seat, deck in draws:
            if self.chance.random() < self.noting and self.state.hands[seat].unknown:
                start = len(self.events[0])
                self.note(seat)
                self.true += [(deck, event) for event in self.events[0][start:] if event.outcome and deck]

    def note(self, seat: int) -> None:
        self.make(Hold(seat=seat, cards=tuple(self.hands[seat].elements())))

    def draw(self, effects: list[Effect]) -> list[tuple[int, Counter[str]]]:
        """Deal and draw real cards: the players, and the deck before draws that nobody has seen.

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
                self.came[effect.seat] = (self.deck.pop(),)
                self.hands[effect.seat] += Counter(self.came[effect.seat])
                self.drawn += 1
        return found


class NotingDraws(Evening):
    """Who draws notes that card alone. `unlocated` are the cards that can have come, until a hand gave a card away."""

    unlocated: Counter[str] | None

    def __init__(self, seed: int) -> None:
        super().__init__(seed, 1)
        self.knows_all = False
        self.odds: list[Counter[str] | None] = []
        self.noted: list[str] = []

    def make(self, move: Move) -> None:
        if not isinstance(move, Hold):
            gave = len(self.state.discards) or self.state.fight
            self.unlocated = None if gave else Counter(self.state.unlocated_cards())
        super().make(move)

    def note(self, seat: int) -> None:
        if cards := self.came.pop(seat, ()):
            self.odds.append(self.unlocated)
            self.noted += cards
            self.make(Hold(seat=seat, cards=cards, drawn=True))


def shares(odds: dict[str, int]) -> dict[str, Fraction]:
    return {card: Fraction(weight, sum(odds.values())) for card, weight in odds.items() if weight}


@pytest.mark.parametrize("seed", soak_except(range(4), 0, 2))
@pytest.mark.slow
def test_the_record_of_noted_draws_has_the_odds_of_the_real_deck(seed: int) -> None:
    evening = Evening(seed, 1)
    evening.play(100)
    assert len(evening.true) > 5
    for deck, event in evening.true:
        assert shares(dict(event.odds)) == shares(deck)


@pytest.mark.parametrize(("seed", "noting"), soak_except(itertools.product(range(4), [0, 0.6]), (0, 0), (1, 0.6)))
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


@pytest.mark.parametrize("seed", [1, 3, 4])
@pytest.mark.slow
def test_a_card_that_is_noted_with_its_draw_is_counted_though_others_of_the_hand_are_unknown(seed: int) -> None:
    evening = NotingDraws(seed)
    evening.play(40)
    assert not evening.shuffles
    draws = [event for event in evening.events[0] if event.outcome and event.kind == "draw"]
    assert [event.outcome for event in draws] == evening.noted
    assert len(draws) == evening.drawn > 3
    first = [(event, odds) for event, odds in zip(draws, evening.odds, strict=True) if odds]
    assert len(first) > 1
    assert [shares(dict(event.odds)) for event, _ in first] == [shares(dict(odds)) for _, odds in first]
    assert not any(event.outcome for event in evening.events[1] if event.kind == "draw")


def test_a_draw_is_noted_before_anything_else_happens_to_the_hand() -> None:
    ruleset = RULESETS["manapani"]
    state = ruleset.open({}, None, 3)
    state.apply(state.parse("start 1"), 2)
    assert "hold + {}" in map(state.notation_template, state.off_turn_moves())
    of_one, of_none = "of the last draw player 1 can note 1 card now, not 2", "player 2 has drawn no card that"
    for text, why in {"hold +Kobold Goblin": of_one, "2: hold +Mana": of_none}.items():
        with pytest.raises(ImpossibleError, match=why):
            state.apply(state.parse(text))
    noted, other = state.copy(), state.copy()
    noted.apply(noted.parse("hold Kobold"), 3)
    with pytest.raises(ImpossibleError, match="no card that can be noted now"):
        noted.apply(noted.parse("hold +Kobold"))
    state.apply(state.parse("hold +Kobold"), 3)
    other.apply(other.parse("hold +Goblin"), 3)
    assert state.hands[0].known == ["Kobold"]
    for viewpoint in (PUBLIC, Viewpoint("seat", 1)):
        assert state.view(viewpoint) == other.view(viewpoint)
