"""Supply cards of Verräter that cannot be in a hand by all that was seen together."""

from __future__ import annotations

import random
from collections import Counter
from itertools import product
from typing import TYPE_CHECKING

import msgspec
import pytest

from games.contract import PUBLIC, RECORD, Viewpoint
from games.errors import ImpossibleError
from games.hidden import Hand
from games.playout import playout
from games.rulesets import RULESETS
from games.verraeter import rounds
from games.verraeter.components import COPIES, HANDS
from games.verraeter.moves.drawing import Draw, Hold
from games.verraeter.moves.fighting import Lay
from tests.cases import cases
from tests.choosing import soak_except
from tests.games.verraeter.test_known_cards import Evening

if TYPE_CHECKING:
    from games.contract import Move
    from games.verraeter.state import VerraeterState

VERRAETER = RULESETS["verraeter"]


class Judged(Evening):
    """A game at random: what really happens is never refused, and after it just what no arrangement has."""

    refused = 0

    def make(self, move: Move) -> None:
        broken = [breach for breach in self.state.breaches(move) if "by all that was seen" in str(breach)]
        assert broken == [], move
        super().make(move)
        if self.state.looks_back and self.state.version % 4 == 0:
            for viewpoint, watch in zip(self.viewpoints, self.watches, strict=True):
                view = self.state.view(viewpoint)
                for seat in range(view.seats):
                    watch.put_in(HANDS[seat])
                    can_be = watch.cards.odds(HANDS[seat])
                    for card in COPIES:
                        self.check(view, seat, (card,), can_be=card in can_be)

    def check(self, view: VerraeterState, seat: int, cards: tuple[str, ...], *, can_be: bool) -> None:
        assert view.may_hold(seat, cards[0]) == can_be, (view.version, seat, cards)
        told = is_refused(view, Hold(seat=seat, cards=cards))
        assert told != can_be, (view.version, seat, cards)
        self.refused += told


def is_refused(state: VerraeterState, move: Move) -> bool:
    try:
        state.copy().apply(move)
    except ImpossibleError:
        return True
    return bool(list(state.breaches(move)))


@pytest.mark.parametrize("noting", [0, 0.4])
@pytest.mark.parametrize("seed", soak_except(range(8), 0, 3))
@pytest.mark.slow
def test_just_what_no_arrangement_has_is_refused(seed: int, noting: float) -> None:
    """Held against the odds of all arrangements, which tests/games/test_knowledge.py holds against brute force."""
    evening = Judged(seed, noting)
    evening.play()
    assert evening.refused


@pytest.mark.parametrize("noting", [False, True])
@pytest.mark.parametrize("first", soak_except(range(0, 12, 3), 0))
@pytest.mark.slow
def test_just_what_all_that_was_seen_allows_is_listed(first: int, *, noting: bool) -> None:
    """Held against each choice by itself, and all arrangements that are possible, without the piles.

    Of three games, as in some all choices are possible.
    """
    assert sum(_left_out(seed, noting=noting) for seed in range(first, first + 3))


def _left_out(seed: int, *, noting: bool) -> int:
    """How many choices of a game at random were not listed."""
    chance = random.Random(seed)
    state, left_out = VERRAETER.open({}, None, 3 + seed % 2), 0
    for _ in playout(state, chance):
        if not state.looks_back or state.version % 10:
            continue
        seat = chance.randrange(state.seats)
        for viewpoint in (PUBLIC, RECORD):
            view = state.view(viewpoint)
            listed, choices = view.possible_cards(seat, 3), choices_of(view, seat)
            view.piles = None
            assert listed == [cards for cards in choices if view.allows((seat, cards))], (view.version, seat)
            left_out += len(choices) - len(listed)
        if noting:
            state.apply(Hold(seat=seat, cards=chance.choice(listed)))
    return left_out


@cases("due", ["lay", "draw"])
@cases("strict", [False, True])
def test_a_random_choice_is_any_of_those_that_are_listed(due: rounds.Due, *, strict: bool) -> None:
    """All with the same odds: a choice that cannot be makes none of the others more likely."""
    state = shuffled("2 2 2", ALL_BUT_SIX, (0, 0))
    state.due, state.draws = due, [(0, 7)]
    state.options = msgspec.structs.replace(state.options, strict_overflow=strict)
    (kind,) = [kind for kind in state.legal_kinds() if kind in (Lay, Draw)]
    listed, chance = list(kind.legal(state)), random.Random(1)
    drawn = Counter(kind.legal_at_random(state, chance) for _ in range(20 * len(listed)))
    assert drawn.keys() == set(listed)
    assert 4 < min(drawn.values()) <= max(drawn.values()) < 45
    assert len(listed) < len(state.holdable_choices(0, 4))


def choices_of(state: VerraeterState, seat: int) -> list[tuple[str, ...]]:
    """The choices of at most three cards that a hand has room for."""
    twin = state.copy()
    twin.looks_back = False
    return twin.possible_cards(seat, 3)


def shuffled(hands: str, discards: str, drawing: tuple[int, ...], revision: int = 4) -> VerraeterState:
    """A table of three with unknown cards in these hands, where these discards are shuffled and some players draw."""
    state = VERRAETER.open({}, None, 3, revision)
    state.due, state.round, state.lands, state.version = "site", 1, ["River"] * 12, 1
    deck, told = Counter(COPIES), []
    for seat, hand in enumerate(hands.split()):
        state.hands[seat] = Hand([], int(hand))
        told.append((1, ("pile", HANDS[seat], (None,) * int(hand), None)))
    state.discards = discards.split()
    told.append((1, ("pile", "discards", tuple(state.discards), None)))
    state.told, state.pile = told, 0
    assert deck.total() == len(state.discards) + sum(len(hand) for hand in state.hands)
    rounds._shuffle(state)
    for seat in drawing:
        state.version += 1
        rounds.draw(state, seat, 1)
    return state


ALL_BUT_SIX = "2 2 2 2 3 3 3 3 3 4 4 4 4 4 5 5 8"
"""In hands are 2 5 5 5 6 6 then; all others lie in the discards."""
KEPT = Counter("255566")


@cases("drawing", [(), (0,), (1,), (0, 1), (2, 0, 0)])
def test_two_hands_after_a_shuffle_are_judged_as_all_arrangements_say(drawing: tuple[int, ...]) -> None:
    """Brute force: six cards stayed in three hands, two in each, and some were drawn from the new pile."""
    state = shuffled("2 2 2", ALL_BUT_SIX, drawing)
    mixed = Counter(ALL_BUT_SIX.split())
    for one, other in product([("2",), ("6", "6"), ("2", "2"), ("8",), ("5", "5"), ("6", "8")], repeat=2):
        for first in (one, tuple(reversed(one))):
            named = [Counter(first), Counter(other), Counter[str]()]
            assert state.allows((0, first), (1, other)) == fits(named, KEPT, mixed, drawing), (first, other)


def fits(named: list[Counter[str]], kept: Counter[str], mixed: Counter[str], drawing: tuple[int, ...]) -> bool:
    """Whether some way to part the named cards into kept and drawn ones is possible."""
    parted = []
    for seat, cards in enumerate(named):
        ways = []
        for new in product(*(range(count + 1) for count in cards.values())):
            fresh = Counter(dict(zip(cards, new, strict=True)))
            if fresh.total() <= drawing.count(seat) and (cards - fresh).total() <= 2:
                ways.append((cards - fresh, fresh))
        parted.append(ways)
    return any(
        sum((old for old, _ in way), Counter[str]()) <= kept and sum((new for _, new in way), Counter[str]()) <= mixed
        for way in product(*parted)
    )


def test_the_message_names_the_entry_since_which_a_card_cannot_be_there() -> None:
    """The only 8 was shuffled in entry 1, and player 2 has drawn nothing since."""
    state = shuffled("2 2 2", ALL_BUT_SIX, (0, 0))
    told = [str(breach) for breach in state.breaches(Hold(seat=1, cards=("8",)))]
    assert told == ["by all that was seen up to entry 1 player 2 cannot hold 8 (verraeter:A17)"]
    assert list(state.breaches(Hold(seat=0, cards=("8",)))) == []


@pytest.mark.parametrize("revision", [3, 4])
def test_a_note_of_the_last_draw_names_just_these_cards(revision: int) -> None:
    """Both sixes lay in hands at the shuffle. So one can be in the hand, but was not drawn in entry 2."""
    state = shuffled("2 2 2", ALL_BUT_SIX, (0,), revision)
    told = [str(breach) for breach in state.breaches(Hold(seat=0, cards=("6",), drawn=True))]
    why = "by all that was seen up to entry 2 player 1 cannot have drawn 6 (verraeter:A17)"
    assert told == ([why] if revision > 3 else [])
    assert list(state.breaches(Hold(seat=0, cards=("6",)))) == []
    assert ("6" in state.newly_drawable(0)) == (revision == 3)
    state.apply(Hold(seat=0, cards=("2",), drawn=True), 3)
    told = [str(breach) for breach in state.breaches(Hold(seat=0, cards=("2", "8")))]
    why = "by all that was seen up to entry 3 player 1 cannot hold 2 8 (verraeter:A17)"
    assert told == ([why] if revision > 3 else []), "the other two cards are of those that stayed in hands"


def test_a_card_that_one_player_noted_is_missing_for_another() -> None:
    """Player 1 notes both sixes of the box. So player 2 has none, which no override changes."""
    state = shuffled("2 2 2", ALL_BUT_SIX, (0,))
    state.apply(Hold(seat=0, cards=("6", "6")), 9)
    assert list(state.breaches(Hold(seat=1, cards=("6",)))) == []
    with pytest.raises(ImpossibleError, match="of 6 the box has 2 cards, and 2 are known to lie elsewhere"):
        state.apply(Hold(seat=1, cards=("6",)))


def test_three_players_cannot_all_have_fives_of_two_that_stayed() -> None:
    """Bounds of each hand allow it, all hands together do not: only three 5 stayed, and nobody drew one since."""
    state = shuffled("2 2 2", ALL_BUT_SIX, ())
    state.apply(Hold(seat=0, cards=("5", "5")), 5)
    assert list(state.breaches(Hold(seat=1, cards=("5",)))) == []
    state.apply(Hold(seat=1, cards=("5",)), 6)
    (breach,) = state.breaches(Hold(seat=2, cards=("5",)))
    assert str(breach) == "by all that was seen up to entry 6 player 3 cannot hold 5 (verraeter:A17)"
    old = shuffled("2 2 2", ALL_BUT_SIX, (), revision=2)
    old.apply(Hold(seat=0, cards=("5", "5")), 5)
    old.apply(Hold(seat=1, cards=("5",)), 6)
    assert list(old.breaches(Hold(seat=2, cards=("5",)))) == [], "as games of revision 2 were recorded"


def test_what_a_player_noted_changes_nothing_for_the_others() -> None:
    """Twins: player 1 notes one card or another."""
    twins = []
    for card in ("5", "6"):
        state = shuffled("2 2 2", ALL_BUT_SIX, (0,))
        state.apply(Hold(seat=0, cards=(card,)), 5)
        twins.append(state)
    for viewpoint in (PUBLIC, Viewpoint("seat", 1)):
        one, two = (twin.view(viewpoint) for twin in twins)
        assert msgspec.json.encode(one.dump()) == msgspec.json.encode(two.dump())
        assert [one.may_hold(seat, card) for seat in range(3) for card in COPIES] == [
            two.may_hold(seat, card) for seat in range(3) for card in COPIES
        ]
    assert twins[0].view(Viewpoint("seat", 0)) != twins[1].view(Viewpoint("seat", 0))
    assert twins[0].view(RECORD) != twins[1].view(RECORD)


@pytest.mark.parametrize("seed", soak_except(range(30), 0, 1, 2))
def test_hands_that_are_decided_fit_all_that_was_seen(seed: int) -> None:
    """Of six cards that stayed in hands each is in one of them, and the rest comes from the new pile."""
    state = shuffled("2 2 2", ALL_BUT_SIX, (0, 2, 2))
    state.decide_hidden(random.Random(seed))
    assert [len(hand.known) for hand in state.hands] == [3, 2, 4]
    named = [Counter(hand.known) for hand in state.hands]
    assert fits(named, KEPT, Counter(ALL_BUT_SIX.split()), (0, 2, 2))
    assert len(state.unlocated_cards()) == state.pile


@pytest.mark.parametrize("seed", soak_except(range(30), *range(3)))
def test_a_card_that_the_player_holds_already_can_come_again(seed: int) -> None:
    """Player 1 knows a 2 of his hand; the other cards can only be twos, so he has three of them."""
    state = VERRAETER.open({}, None, 3)
    state.hands[0], state.discards = Hand(["2"], 2), [*"3333344444555566", "5", "8"]
    state.decide_hidden(random.Random(seed))
    assert (state.hands[0].known, state.hands[0].unknown) == (["2", "2", "2"], 0)
