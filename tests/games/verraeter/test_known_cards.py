"""The odds of supply cards that are drawn in Verräter, and which draws are counted."""

from __future__ import annotations

import random
from collections import Counter, deque
from fractions import Fraction
from itertools import product
from typing import TYPE_CHECKING

import pytest

from benchmarks.analyses import moves_of
from games.contract import PUBLIC, RECORD, Viewpoint
from games.knowledge import Knowledge
from games.rulesets import RULESETS
from games.seen_cards import FactTeller
from games.verraeter.components import COPIES, DEALT, HANDS
from games.verraeter.knowledge import VerraeterWatch
from games.verraeter.moves.drawing import Hold
from tests.choosing import soak_except
from tests.games.dealt import card_deviation

if TYPE_CHECKING:
    from games.contract import ChanceEvent, Effect, Move
    from games.verraeter.state import VerraeterState


class Evening:
    """A game at random with a real pile. Who draws notes the hand at once, with this probability."""

    def __init__(self, seed: int, noting: float) -> None:
        self.chance, self.noting = random.Random(seed), noting
        self.state: VerraeterState = RULESETS["verraeter"].open({}, None, 3 + seed % 2)
        self.pile = list((Counter(COPIES) - Counter(DEALT * self.state.seats)).elements())
        self.viewpoints = (RECORD, PUBLIC, Viewpoint("seat", 0))
        self.watches = [VerraeterWatch() for _ in self.viewpoints]
        self.events: list[list[ChanceEvent]] = [[] for _ in self.viewpoints]
        self.true: list[tuple[Counter[str], ChanceEvent]] = []
        self.drawn = 0
        self.came: dict[int, list[str]] = {}
        self.hands: list[Counter[str]] = [Counter(DEALT) for _ in range(self.state.seats)]

    def play(self) -> None:
        for _ in range(400):
            moves = [move for move in self.state.legal_moves() if self.can_be(move)]
            if not moves:
                break
            self.make(self.state.sample_chance(self.chance.choice(moves), self.chance))
        for watch, events in zip(self.watches, self.events, strict=True):
            events.extend(watch.remaining_events())

    def can_be(self, move: Move) -> bool:
        """Whether the seat really has the cards."""
        cards = getattr(move, "cards", None) or getattr(move, "discards", None) or ()
        return move.seat is None or Counter(cards) <= self.hands[move.seat]

    def make(self, move: Move) -> None:
        if isinstance(move, Hold):
            gone: Counter[str] = Counter()
        else:
            gone = Counter(getattr(move, "cards", None) or getattr(move, "discards", None) or ())
        before = self.state.copy()
        effects = self.state.apply(move)
        if move.seat is not None:
            self.hands[move.seat] -= gone
        piles = self._draw(effects)
        for viewpoint, watch, events in zip(self.viewpoints, self.watches, self.events, strict=True):
            events.extend(watch.follow(before.view(viewpoint), move.seen(viewpoint), self.state.view(viewpoint)))
            assert watch.cards.is_exact, viewpoint.name
        for seat, pile in piles:
            if self.chance.random() < self.noting and self.state.hands[seat].unknown:
                start = len(self.events[0])
                self.note(seat)
                self.true += [(pile, event) for event in self.events[0][start:] if event.outcome and pile]

    def note(self, seat: int) -> None:
        self.make(Hold(seat=seat, cards=tuple(self.hands[seat].elements())))

    def _draw(self, effects: list[Effect]) -> list[tuple[int, Counter[str] | None]]:
        """Draw real cards: who, and what the pile was when the draws began; None after it was mixed."""
        self.came = {}
        found: list[tuple[int, Counter[str] | None]] = []
        pile: Counter[str] | None = Counter(self.pile)
        for number, effect in enumerate(effects):
            if effect.kind == "cards.drawn":
                assert effect.seat is not None
                pile = None if effects[number - 1].kind == "pile.shuffled" else pile
                found.append((effect.seat, pile))
                self.drawn += effect.count or 0
                for _ in range(effect.count or 0):
                    self.pile = self.pile or list((Counter(COPIES) - sum(self.hands, Counter[str]())).elements())
                    card = self.chance.choice(self.pile)
                    self.pile.remove(card)
                    self.hands[effect.seat][card] += 1
                    self.came.setdefault(effect.seat, []).append(card)
        return found


class NotingDraws(Evening):
    """Some draws are noted, and nothing else of hands."""

    def __init__(self, seed: int, noting: float) -> None:
        super().__init__(seed, noting)
        self.unlocated, self.shuffled = Counter[str](), False
        self.noted: list[tuple[list[str], list[ChanceEvent], Counter[str] | None]] = []

    def make(self, move: Move) -> None:
        if not isinstance(move, Hold):
            self.unlocated, self.shuffled = Counter(self.state.unlocated_cards()), self.state.looks_back
        super().make(move)

    def note(self, seat: int) -> None:
        came, start = self.came.get(seat, []), len(self.events[0])
        rest, self.came = self.came | {seat: []}, {}
        if came:
            self.make(Hold(seat=seat, cards=tuple(came), drawn=True))
            odds = None if self.shuffled or self.state.looks_back else self.unlocated
            self.noted.append((came, self.events[0][start:], odds))
        self.came = rest


def shares(odds: dict[str, int]) -> dict[str, Fraction]:
    return {card: Fraction(weight, sum(odds.values())) for card, weight in odds.items() if weight}


@pytest.mark.parametrize("seed", soak_except(range(6), 0, 2))
@pytest.mark.slow
def test_the_record_of_noted_draws_has_the_odds_of_the_real_pile(seed: int) -> None:
    evening = Evening(seed, 1)
    evening.play()
    draws = [event for event in evening.events[0] if event.kind == "draw"]
    assert len(draws) == evening.drawn, "each card is counted or left out"
    assert len(evening.true) > 10
    for pile, event in evening.true:
        assert shares(dict(event.odds)) == shares(pile)


@pytest.mark.parametrize("noting", [0, 0.4])
@pytest.mark.parametrize("seed", soak_except(range(4), 0, 3))
@pytest.mark.slow
def test_each_drawn_card_is_counted_or_left_out_and_nobody_learns_of_the_notes_of_others(
    seed: int, noting: float
) -> None:
    evening = Evening(seed, noting)
    evening.play()
    record, public, own = ([event for event in events if event.kind == "draw"] for events in evening.events)
    assert len(record) == len(public) == len(own) == evening.drawn > 0
    assert not any(event.outcome for event in public)
    assert all(event.seat == 0 for event in own if event.outcome)
    assert all(event.outcome in event.odds for event in record if event.outcome)
    assert bool(noting) == any(event.outcome for event in record)


@pytest.mark.parametrize("seed", soak_except(range(4), 0, 2, 3))
@pytest.mark.slow
def test_draws_that_are_noted_are_counted_though_other_cards_of_the_hand_are_unknown(seed: int) -> None:
    evening = NotingDraws(seed, 0.5)
    evening.play()
    compared = 0
    for came, events, odds in evening.noted:
        outcomes = [event.outcome for event in events if event.outcome]
        assert outcomes in (sorted(came), []), (
            "nobody knows which card came when, if the discards were shuffled meanwhile"
        )
        if odds is not None:
            assert outcomes == sorted(came)
            assert {event.outcome: shares(dict(event.odds)) == shares(odds) for event in events if event.outcome} == (
                dict.fromkeys(came, True)
            )
            compared += 1
    assert compared
    record, public = ([event for event in events if event.kind == "draw"] for events in evening.events[:2])
    assert len(record) == len(public) == evening.drawn
    assert not any(event.outcome for event in public)


@pytest.mark.parametrize(("seed", "noting"), soak_except(product(range(6), (0, 0.3)), (1, 0), (2, 0.3)))
@pytest.mark.slow
def test_hands_are_dealt_again_as_often_as_all_arrangements_have_them(seed: int, noting: float) -> None:
    """Also after shuffles, and where hands were noted. Any card that fits beside those before it was alike once."""
    evening, asked = Evening(seed, noting), 0
    viewpoint, make = (PUBLIC, RECORD)[seed % 2], evening.make

    def making(move: Move) -> None:
        nonlocal asked
        make(move)
        state = evening.state.view(viewpoint)
        if evening.state.version % 16 or not any(hand.unknown for hand in state.hands):
            return
        known, teller = Knowledge(state.table()), FactTeller()
        told = [fact for version, word in state.told for fact in teller.facts_of(version, word)]
        for fact in [*told, *state.table().gathering()]:
            deque(known.learn(fact), maxlen=0)
        if known.is_exact and len(known) < 1_000:
            asked += 1
            assert card_deviation(state, known, HANDS, COPIES) < 5

    evening.make = making  # type: ignore[method-assign]
    evening.play()
    assert asked > 2


@pytest.mark.slow
def test_cards_that_are_dealt_and_drawn_after_a_shuffle_can_be_by_all_that_is_seen() -> None:
    """In a game that is simulated from its beginning. What the pile still had came to the hand that drew over it."""
    ruleset = RULESETS["verraeter"]
    for seed in range(4):
        state, watch = ruleset.open({}, None, 3), VerraeterWatch()
        for move in moves_of(ruleset, seed):
            before = state.view(PUBLIC)
            state.apply(move, state.version + 1)
            watch.follow(before, move.seen(PUBLIC), state.view(PUBLIC))
        assert state.looks_back
        assert len(watch.cards), seed
