"""Cards that were put under a stack come in their order (catan_cards:14)."""

from __future__ import annotations

import random
from collections import Counter
from typing import TYPE_CHECKING

import msgspec
import pytest

from games.catan_cards.knowledge import STACK_PILES
from games.catan_cards.moves.events import Confiscate
from games.catan_cards.moves.hand import Draw, Hold, Return, Show
from games.catan_cards.moves.setup import Pick, Start
from games.catan_cards.steps import Pending
from games.contract import PUBLIC, RECORD, Viewpoint
from games.errors import ImpossibleError
from games.rulesets import RULESETS
from tests.cases import cases
from tests.choosing import soak_except
from tests.games.catan_cards.test_known_cards import Evening

if TYPE_CHECKING:
    from games.catan_cards.state import CatanCardsState
    from games.contract import Move

CARDS = RULESETS["catan_cards"]
FEW = ("Abbey", "Library", "Spy", "Mint", "Garrison", "Aqueduct")


def begun(*under: str, revision: int = 3) -> CatanCardsState:
    """Stack 1 had three cards, which player 1 picked. He puts these under it, in entries 11, 12 …"""
    state: CatanCardsState = CARDS.open({}, None, 2, revision)
    chance = random.Random(1)
    state.apply(Start(starts=0, sizes=(3, 14, 15, 15, 15)), 1)
    while state.phase != "pick":
        state.apply(state.sample_chance(next(iter(state.legal_moves())), chance), state.version + 1)
    state.apply(Pick(seat=0, stack=1, cards=("Abbey", "Library", "Spy")), 9)
    state.apply(Pick(seat=1, stack=2), 10)
    for version, card in enumerate(under, 11):
        state.phase = "actions"
        state.apply(Return(seat=0, stack=1, card=None if card == "?" else card), version)
    state.phase, state.active = "refill", 0
    return state


def searched(revision: int) -> CatanCardsState:
    """Three cards lie under stack 1. The second one is searched out, and put under it again, in entry 15."""
    state = begun("Library", "Spy", "Abbey", revision=revision)
    state.apply(Draw(seat=0, stack=1, card="Spy", search=True), 14)
    state.phase = "actions"
    state.apply(Return(seat=0, stack=1, card="Spy"), 15)
    state.phase = "refill"
    return state


def of_stacks(state: CatanCardsState, move: Move) -> list[str]:
    return [str(breach) for breach in state.breaches(move) if breach.rule == "catan_cards:14"]


def told(state: CatanCardsState, move: Move) -> list[str]:
    return [str(breach) for breach in state.breaches(move) if "next" in str(breach)]


def test_another_card_than_the_next_one_is_against_the_rule_which_names_the_entry() -> None:
    state = begun("Library", "Spy")
    assert told(state, Draw(seat=0, stack=1, card="Library")) == []
    wrong = Draw(seat=0, stack=1, card="Spy")
    text = "from stack 1 comes Library next, put under it in entry 11, not Spy (catan_cards:14)"
    assert told(state, wrong) == [text]
    assert told(begun("Library", "Spy", revision=2), wrong) == [], "as older games were recorded"
    state.apply(Draw(seat=0, stack=1, card="Library"), 13)
    state.phase = "refill"
    assert told(state, Draw(seat=0, stack=1, card="Spy")) == []
    assert told(state, Draw(seat=0, stack=1, card="Abbey")) != []


def test_a_card_against_the_order_is_told_at_any_step() -> None:
    """The message of the step alone let a wrong card in without a word, once the draw stood against the rules."""
    text = "from stack 1 comes Library next, put under it in entry 11, not Spy (catan_cards:14)"
    for phase, active, pending in (("roll", 0, []), ("refill", 1, []), ("event", 0, [Pending("look", 0, "75")])):
        for revision, more in ((7, [text]), (6, [])):
            state = begun("Library", "Spy", revision=revision)
            state.phase, state.active, state.pending = phase, active, pending
            found = [str(breach) for breach in state.breaches(Draw(seat=0, stack=1, card="Spy"))]
            assert len(found) > len(more)
            assert told(state, Draw(seat=0, stack=1, card="Spy")) == more, (phase, revision)
            assert told(state, Draw(seat=0, stack=1, card="Library")) == []


def test_a_card_from_the_deal_comes_first() -> None:
    state = begun()
    state.phase = "actions"
    state.apply(Return(seat=0, stack=3, card="Library"), 11)
    state.phase = "refill"
    assert told(state, Draw(seat=0, stack=3, card="Garrison")) == []


def test_unseen_cards_and_searches_leave_the_order_open() -> None:
    assert told(begun("?", "Spy"), Draw(seat=0, stack=1, card="Abbey")) == []
    state = begun("Library", "Spy", "Abbey")
    assert told(state, Draw(seat=0, stack=1, card="Spy", search=True)) == []
    state.apply(Draw(seat=0, stack=1, card="Spy", search=True), 14)
    state.phase = "refill"
    assert told(state, Draw(seat=0, stack=1, card="Abbey")) == []


def test_after_a_card_that_came_against_the_order_nothing_is_said() -> None:
    state = begun("Library", "Spy", "Abbey")
    state.apply(Draw(seat=0, stack=1, card="Abbey"), 14)
    state.phase = "refill"
    assert told(state, Draw(seat=0, stack=1, card="Spy")) == []
    assert told(state, Draw(seat=0, stack=1, card="Library")) == []


def test_a_simulated_draw_takes_no_card_that_was_put_under_others_after_a_search() -> None:
    state = begun("Library", "Spy", "Abbey")
    state.apply(Draw(seat=0, stack=1, card="Spy", search=True), 14)
    state.phase = "actions"
    state.apply(Return(seat=0, stack=1, card="Spy"), 15)
    state.phase = "refill"
    drawn = {Draw(seat=0, stack=1).sample_chance(state, random.Random(seed)).card for seed in range(30)}
    assert drawn == {"Library", "Abbey"}, "the order of these two is not known any more"


def test_a_simulated_draw_takes_the_next_card_also_if_one_of_its_kind_lies_below() -> None:
    state = begun("Spy", "Library")
    state.hands[0].take("Spy")
    state.phase = "actions"
    state.apply(Return(seat=0, stack=1, card="Spy"), 13)
    state.phase = "refill"
    assert Draw(seat=0, stack=1).sample_chance(state, random.Random(1)).card == "Spy"


@cases("card", ["Abbey", "Spy", "Mint"])
def test_after_a_search_the_cards_that_stayed_keep_their_order(card: str) -> None:
    wrong = Draw(seat=0, stack=1, card=card)
    text = f"by all that was seen up to entry 15 {card} cannot come from stack 1 (catan_cards:14)"
    assert of_stacks(searched(5), wrong) == [text]
    assert of_stacks(searched(4), wrong) == [], "as older games were recorded"
    assert of_stacks(searched(5), Draw(seat=0, stack=1, card="Library")) == []


def test_a_search_finds_what_lies_anywhere_in_a_stack_and_nothing_else() -> None:
    for card in ("Library", "Abbey", "Spy"):
        assert of_stacks(searched(5), Draw(seat=0, stack=1, card=card, search=True)) == []
    assert len(of_stacks(searched(5), Draw(seat=0, stack=1, card="Mint", search=True))) == 1


def cannot_come(state: CatanCardsState, move: Move) -> bool:
    """Whether a card cannot come, or is against the rule of stacks if it does."""
    try:
        state.copy().apply(move)
    except ImpossibleError:
        return True
    return bool(of_stacks(state, move))


class Exact(Evening):
    """A game at random: the cards that can come are those that have odds, by which all arrangements are counted.

    Odds take it that a card is searched out from as far up as it lies. Rules do not: so a second copy may come, too.
    """

    compared = refused = 0

    def real(self, move: Move) -> tuple[Move, Move]:
        whole, noted = super().real(move)
        if isinstance(move, Draw) and not move.search:
            cards = self.watches[0].cards
            able = set(cards.known.odds(*cards._stacks[STACK_PILES[move.stack - 1]])) if cards.known.is_exact else set()
            for card in {*FEW, *self.stacks[move.stack - 1]} if able else ():
                wrong = cannot_come(self.state, msgspec.structs.replace(move, card=card))
                is_single = self.state.copies[card] == 1
                assert wrong <= (card not in able), (move, card)
                assert wrong or card in able or not is_single or self.noting < 1, (move, card)
                self.compared, self.refused = self.compared + 1, self.refused + wrong
        return whole, noted


def play_low(evening: Evening, moves: int, *, searches: bool = True) -> None:
    """Most stacks are low, so that cards come back which were put there."""
    evening.make(Start(starts=0, sizes=(46, 4, 4, 4, 4)))
    for _ in range(moves):
        legal = [move for move in evening.state.legal_moves() if evening.can_be(move)]
        low = [move for move in legal if isinstance(move, (Draw, Return, Pick)) and move.stack > 1]
        if not searches:
            low = [move for move in low if not getattr(move, "search", False)]
        if not legal:
            break
        evening.make(evening.chance.choice(low or legal))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("seed", "noting"), soak_except([(seed, 1) for seed in range(30)] + [(17, 0.8)], (4, 1), (17, 0.8))
)
def test_what_is_against_the_rules_is_what_no_arrangement_has(seed: int, noting: float) -> None:
    evening = Exact(seed, noting)
    evening.viewpoints, evening.watches, evening.events = (
        evening.viewpoints[:1],
        evening.watches[:1],
        evening.events[:1],
    )
    play_low(evening, 120)
    assert evening.compared > evening.refused > 0


def confiscated(drawn: str) -> CatanCardsState:
    """Player 2 puts two cards of player 1 under stack 1 together, and player 1 draws one of them unseen."""
    state = begun()
    state.apply(Confiscate(seat=1, stack=1, cards=("Abbey", "Library")), 11)
    state.phase, state.active, state.pending = "refill", 0, []
    assert told(state, Draw(seat=0, stack=1, card="Spy")) != []
    assert told(state, Draw(seat=0, stack=1, card="Library")) == []
    state.apply(Draw(seat=0, stack=1, card=drawn), 12)
    return state


def test_two_cards_together_come_in_any_order_and_the_first_tells_the_other_to_who_drew_it() -> None:
    twins = [confiscated(drawn) for drawn in ("Abbey", "Library")]
    for viewpoint in (PUBLIC, Viewpoint("seat", 1)):
        one, two = (msgspec.json.encode(twin.view(viewpoint).dump()) for twin in twins)
        assert one == two, viewpoint
    for viewpoint in (RECORD, Viewpoint("seat", 0)):
        coming = [twin.view(viewpoint).next_group(1, 0) for twin in twins]
        assert [group.cards for group in coming if group] == [("Library",), ("Abbey",)]


def test_what_a_player_put_there_is_not_told_to_the_others() -> None:
    one, two = begun("Library", "Spy"), begun("Spy", "Library")
    for viewpoint in (PUBLIC, Viewpoint("seat", 1)):
        assert [stack.order for stack in one.view(viewpoint).stacks] == [
            stack.order for stack in two.view(viewpoint).stacks
        ]
        assert one.view(viewpoint).next_group(1, 0) is None
    assert CARDS.state.load(one.dump()) == one


def test_a_draw_that_is_decided_by_chance_is_the_next_card() -> None:
    state = begun("Library", "Spy")
    for seed in range(20):
        assert state.sample_chance(Draw(seat=0, stack=1), random.Random(seed)).card == "Library"
    (blank,) = Draw(seat=0, stack=1).blanks(state)
    assert blank.choices == ("Library",)


def test_cards_that_were_put_there_after_a_search_come_first_once_the_others_are_gone() -> None:
    state = begun("Library")
    state.apply(Draw(seat=0, stack=1, card="Library", search=True), 12)
    for version, card in ((13, "Spy"), (15, "Abbey")):
        state.phase = "actions"
        state.apply(Return(seat=0, stack=1, card=card), version)
        state.phase = "refill"
        assert told(state, Draw(seat=0, stack=1, card=card)) == []
        state.apply(Draw(seat=0, stack=1, card=card), version + 1)
        state.phase = "refill"


def against_the_order(drawn: str) -> CatanCardsState:
    """Both players put cards under stack 1. Player 1 draws, unseen by the other."""
    state = begun("Library", "Spy")
    state.apply(Hold(seat=1, cards=("Mint", "Garrison")), 13)
    for version, card in ((14, "Mint"), (15, "Garrison")):
        state.phase, state.active = "actions", 1
        state.apply(Return(seat=1, stack=1, card=card), version)
    state.phase, state.active = "refill", 0
    state.apply(Draw(seat=0, stack=1, card=drawn), 16)
    state.phase = "refill"
    return state


def test_a_card_against_the_order_is_not_told_to_who_did_not_see_it() -> None:
    odd, fine = against_the_order("Abbey"), against_the_order("Library")
    for viewpoint in (PUBLIC, Viewpoint("seat", 1)):
        assert odd.view(viewpoint) == fine.view(viewpoint)
    assert [odd.view(viewpoint).stacks[0].order[0].cards for viewpoint in (RECORD, Viewpoint("seat", 0))] == [
        ("Spy",),
        (None,),
    ]
    assert told(odd, Draw(seat=0, stack=1, card="Library")) == []
    for state in (odd, fine):
        state.apply(Draw(seat=0, stack=1), 17)
        state.phase, state.active = "refill", 1
        text = "from stack 1 comes Mint next, put under it in entry 14, not Garrison (catan_cards:14)"
        wrong = Draw(seat=1, stack=1, card="Garrison")
        assert told(state, wrong) == told(state.view(Viewpoint("seat", 1)), wrong) == [text], "he relies on it"


def noted_at_random(state: CatanCardsState, chance: random.Random) -> Move:
    """A move with any of a few cards, be it against the rules, and the state in which it is made."""
    state.phase, state.active, state.pending = "refill", chance.randrange(2), []
    seat, stack, card = state.active, chance.choice((2, 2, 3)), chance.choice((None, *FEW))
    match chance.randrange(9):
        case 0 | 1 | 2 | 3:
            return Draw(seat=seat, stack=stack, card=card, search=chance.random() < 0.1)
        case 4 | 5 | 6:
            return Return(seat=seat, stack=stack, card=chance.choice([*state.hands[seat].known, card]))
        case 7:
            return Show(seat=seat, cards=(card or "Spy",))
    return Confiscate(seat=seat, stack=stack, cards=(card, chance.choice([*state.hands[1 - seat].known, card])))


@pytest.mark.parametrize("seed", soak_except(range(300), *range(3), 188, 273))
def test_a_seat_knows_only_facts_that_follow_from_its_view(seed: int) -> None:
    """A game that is kept from a seat, or by the public, has the view that the record has from there."""
    chance, state = random.Random(seed), begun()
    viewpoints = (PUBLIC, Viewpoint("seat", 0), Viewpoint("seat", 1))
    kept = [state.view(viewpoint) for viewpoint in viewpoints]
    for _ in range(60):
        move = noted_at_random(state, chance)
        try:
            state.copy().apply(move)
        except ImpossibleError:
            continue
        state.apply(move)
        for viewpoint, own in zip(viewpoints, kept, strict=True):
            own.phase, own.active, own.pending = "refill", move.seat or 0, []
            own.apply(move.seen(viewpoint))
            assert own.view(viewpoint) == state.view(viewpoint), (viewpoint, move)


class InOrder(Evening):
    """A game at random with stacks that run out, in which what really happens is judged."""

    ordered = 0

    def real(self, move: Move) -> tuple[Move, Move]:
        whole, noted = super().real(move)
        assert told(self.state, noted) == [], noted
        if isinstance(move, Draw) and not move.search and (coming := self.state.next_group(move.stack, move.seat)):
            self.ordered += 1
            assert Counter([self.stacks[move.stack - 1][0]]) <= Counter(coming.cards), "it is really the next card"
            for watch in self.watches:
                stack = watch.cards._stacks[STACK_PILES[move.stack - 1]]
                assert set(watch.cards.known.odds(*stack)) == set(coming.cards), "all that was seen says the same"
        return whole, noted


@pytest.mark.parametrize("noting", [0.5, 1])
@pytest.mark.parametrize("seed", soak_except(range(6), 0, 1))
def test_what_really_comes_is_never_against_the_order(seed: int, noting: float) -> None:
    evening = InOrder(seed, noting)
    kept = 1 if noting == 1 else 0  # with few notes there are too many ways: the odds are told elsewhere
    evening.viewpoints, evening.watches, evening.events = (
        evening.viewpoints[:kept],
        evening.watches[:kept],
        evening.events[:kept],
    )
    play_low(evening, 150, searches=False)
    assert noting < 1 or evening.ordered
    assert all(watch.cards.known.is_exact for watch in evening.watches)
