"""Cards of Manapani that cannot be in a hand by all that was seen together."""

from __future__ import annotations

import random
from collections import Counter
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from games import transcript
from games.contract import PUBLIC, RECORD, Viewpoint
from games.errors import ImpossibleError
from games.knowledge import Knowledge
from games.manapani import state as module
from games.manapani.components import CARDS, HANDS
from games.manapani.knowledge import ManapaniWatch
from games.manapani.moves.cards import Discard, Hold
from games.manapani.moves.fighting import Reveal
from games.rulesets import RULESETS
from tests import goldens
from tests.cases import cases
from tests.choosing import short_or_soak, soak_except
from tests.games.manapani.test_known_cards import Evening

if TYPE_CHECKING:
    from games.contract import Move
    from games.manapani.state import ManapaniState

FEW = {"Kobold": 3, "Goblin": 3, "Gnome": 2, "Fly": 1, "Shield": 2, "Troll": 2, "Dwarf": 1}
VIEWPOINTS = (RECORD, PUBLIC, Viewpoint("seat", 0))


def small_box(few: dict[str, int] = FEW) -> dict[str, Any]:
    """The made-up board of the samples, with a deck of few kinds."""
    sample = next(iter(RULESETS["manapani"].sample_components.values()))
    return {**sample, "deck": dict.fromkeys(CARDS, 0) | few}


class SmallEvening(Evening):
    """A game at random with a deck so small that it is shuffled often, followed exactly from each viewpoint."""

    few = FEW

    def __init__(self, seed: int, noting: float) -> None:
        super().__init__(seed, noting)
        self.state = RULESETS["manapani"].open({}, small_box(self.few), 2)
        self.deck = list(Counter(self.state.copies).elements())
        self.chance.shuffle(self.deck)
        self.hands = [Counter() for _ in range(2)]
        self.viewpoints = VIEWPOINTS
        self.watches = [ManapaniWatch() for _ in VIEWPOINTS]
        for watch in self.watches:
            watch.cards = Knowledge(self.state.table(), 20_000)
        self.events = [[] for _ in VIEWPOINTS]
        self.refused = 0

    def make(self, move: Move) -> None:
        """What really happens is never refused; and after it just what no arrangement has."""
        broken = [breach for breach in self.state.breaches(move) if "by all that was seen" in str(breach)]
        assert broken == [], move
        super().make(move)
        if self.state.looks_back and not self.state.fight and self.state.version % 3 == 0:
            for viewpoint, watch in zip(self.viewpoints, self.watches, strict=True):
                self.check(self.state.view(viewpoint), watch)

    def check(self, view: ManapaniState, watch: ManapaniWatch) -> None:
        if not watch.cards.is_exact:  # too many arrangements fit
            return
        for seat in range(2):
            watch.put_in(HANDS[seat])
            can_be = watch.cards.odds(HANDS[seat])
            for card in FEW:
                assert view.may_hold(seat, card) == (card in can_be), (view.version, seat, card)
                told = is_refused(view, Hold(seat=seat, cards=(card,)))
                assert told == (card not in can_be), (view.version, seat, card)
                self.refused += told


def is_refused(state: ManapaniState, move: Move) -> bool:
    try:
        state.copy().apply(move)
    except ImpossibleError:
        return True
    return bool(list(state.breaches(move)))


@pytest.mark.parametrize("noting", [0, 0.5])
@pytest.mark.parametrize("seed", soak_except(range(8), 3))
@pytest.mark.slow
def test_just_what_no_arrangement_has_is_refused(seed: int, noting: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """Held against the odds of all arrangements, which tests/games/test_knowledge.py holds against brute force."""
    monkeypatch.setattr(module, "MOST", 20_000)
    evening = SmallEvening(seed, noting)
    evening.play(150)
    assert evening.shuffles
    assert evening.refused


def test_the_only_fly_is_not_cast_by_who_never_drew_it() -> None:
    """Player 1 discards Fly in entry 30, it is shuffled alone, and player 1 draws it: so player 2 has none."""
    recording = goldens.games(RULESETS["manapani"])["small_deck"]
    opening = transcript.opening(RULESETS["manapani"], recording)
    state = RULESETS["manapani"].open(opening.options, opening.components, opening.seats)
    for step in transcript.replay(RULESETS["manapani"], recording):
        told = [str(breach) for breach in state.breaches(step.move)]
        if step.entry.text == "cast Fly" and step.move.seat == 1:
            break
        assert told == []
        state.apply(step.move)
    assert told == ["by all that was seen up to entry 30 player 2 cannot hold Fly (manapani:3)"]


def test_by_the_revision_before_it_is_recorded_without_a_word() -> None:
    """The recorded game is one of revision 1, and plays on."""
    recording = goldens.games(RULESETS["manapani"])["small_deck"]
    assert not any(step.broken for step in transcript.replay(RULESETS["manapani"], recording))


def test_what_a_player_noted_changes_nothing_for_the_others() -> None:
    """Twins: player 1 notes one card or another, and puts one away unseen."""
    twins = []
    for card in ("Kobold", "Goblin"):
        state = RULESETS["manapani"].open({}, small_box(), 2)
        state.apply(next(state.legal_moves()), 1)
        state.apply(Hold(seat=0, cards=(card, "Troll")), 2)
        state.apply(Discard(seat=0, cards=(None,)), 3)
        twins.append(state)
    for viewpoint in (PUBLIC, Viewpoint("seat", 1)):
        one, two = (twin.view(viewpoint) for twin in twins)
        assert one == two
        assert msgspec.json.encode(one.dump()) == msgspec.json.encode(two.dump())
    assert twins[0].view(Viewpoint("seat", 0)) != twins[1].view(Viewpoint("seat", 0))


def test_a_ruling_that_moves_a_card_unseen_is_remembered() -> None:
    """After it any card may lie in either hand, so all that was seen is looked at."""
    state = RULESETS["manapani"].open({}, small_box(), 2)
    state.apply(next(state.legal_moves()), 1)
    assert not state.looks_back
    state.adjust([RULESETS["manapani"].read_adjustment({"type": "card", "from": "player1", "to": "player2"})], 2)
    assert state.looks_back
    assert state.told[-1][1][0] == "player1"


@cases("revision", [2, 3])
def test_cards_that_went_unseen_are_followed(revision: int) -> None:
    """Two players note five cards each, and put two away. That are 100 ways: too many for revision 2."""
    state = RULESETS["manapani"].open({}, None, 2, revision)
    state.apply(next(state.legal_moves()), 1)
    hands = ["Kobold", "Goblin", "Gnome", "Fly", "Shield"], ["Troll", "Dwarf", "Mana", "Slow", "Kraken"]
    for seat, cards in enumerate(hands):
        state.apply(Hold(seat=seat, cards=tuple(cards)), 2 + seat)
    for seat in range(2):
        state.apply(Discard(seat=seat, cards=(None, None)), 4 + seat)
    told = [str(breach) for breach in state.breaches(Hold(seat=1, cards=("Djinn",)))]
    why = "by all that was seen up to entry 3 player 2 cannot hold Djinn (manapani:3)"
    assert told == ([] if revision == 2 else [why])
    assert not list(state.breaches(Hold(seat=1, cards=("Troll", "Slow"))))


class BacksTurnedUp(Evening):
    """A random game with the whole deck. The public sees backs until a card is played."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed, 0)
        self.asked = 0

    def make(self, move: Move) -> None:
        if isinstance(move, Reveal) and self.shuffles and len(move.attack) > 1:
            assert self.state.fight
            view = self.state.view(PUBLIC)
            backs = Reveal(attack=(None,) * len(move.attack), defence=(None,) * len(move.defence))
            for lot in range(10):
                seen = view.sample_chance(backs, random.Random(lot))
                assert isinstance(seen, Reveal)
                sides = zip(self.state.fight.seats, (seen.attack, seen.defence), strict=True)
                assert view.allows(*[(seat, list(filter(None, cards))) for seat, cards in sides])
                self.asked += 1
        super().make(move)


@pytest.mark.slow
def test_cards_that_are_turned_up_unseen_after_a_shuffle_can_be_by_all_that_was_seen() -> None:
    """Most cards of the box were shuffled, so hands that drew little since have few of them."""
    evening = BacksTurnedUp(2)
    evening.play(short_or_soak(120, 260))
    assert evening.asked
