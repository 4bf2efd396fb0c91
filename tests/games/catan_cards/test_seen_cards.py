"""Expansion cards that cannot be in a hand, or come from a stack, by all that was seen together."""

from __future__ import annotations

import random
from copy import deepcopy
from typing import TYPE_CHECKING

import msgspec
import pytest

from games.catan_cards.components import CARDS as EXPANSIONS
from games.catan_cards.moves.actions import Spy
from games.catan_cards.moves.events import Confiscate
from games.catan_cards.moves.hand import Draw, Hold, Return, Show
from games.catan_cards.moves.setup import Pick, Start
from games.catan_cards.stacks import BOX, HANDS, OPEN, STACK_PILES, StackTeller, table_of
from games.catan_cards.state import PLACES
from games.contract import PUBLIC, RECORD, Outcome, Viewpoint
from games.errors import ImpossibleError
from games.knowledge import LOOKED_FOR, SEARCHED, Course
from games.rulesets import RULESETS
from games.witness import Witness
from tests.choosing import soak_except
from tests.games.catan_cards import test_known_cards
from tests.games.catan_cards.test_known_cards import WANTED, Evening, Every, box_of, game

if TYPE_CHECKING:
    from collections.abc import Sequence

    from games.catan_cards.state import CatanCardsState
    from games.contract import Move
    from games.seen_cards import Told

CARDS = RULESETS["catan_cards"]


class Tellings:
    """Takes the same calls as the odds do, and keeps what they tell."""

    def __init__(self, box: dict[str, int]) -> None:
        self.box = box
        self.told: list[tuple[int, Told]] = []
        self.known = self

    def tell(self, source: str, to: str, *cards: str | None) -> None:
        self.told.append((len(self.told) + 1, (source, to, cards, None)))

    def deal(self, sizes: Sequence[int]) -> None:
        for pile, size in zip(STACK_PILES, sizes, strict=True):
            self.tell(BOX, pile, *[None] * size)

    def draw(self, pile: str, target: str, card: str | None) -> None:
        self.tell(pile, target, card)

    def take(self, pile: str, target: str, card: str | None) -> None:
        self.tell(SEARCHED + pile, target, card)

    def put_under(self, source: str, pile: str, cards: Sequence[str | None]) -> None:
        self.tell(source, pile, *cards)

    def move(self, source: str, target: str, cards: Sequence[str]) -> None:
        self.tell(source, target, *cards)

    def see(self, place: str, cards: Sequence[str]) -> None:
        self.tell(place, place, *cards)

    def move_one_of(self, source: str, target: str, kinds: frozenset[str]) -> None:
        assert kinds == WANTED
        self.tell(LOOKED_FOR + source, target, None)

    def exclude(self, place: str, kinds: frozenset[str]) -> None:
        assert kinds == WANTED
        self.tell(LOOKED_FOR + place, place)

    def can_be(self, source: str, to: str, card: str) -> bool:
        answers = []
        for mixes, most in ((False, 50_000), (True, 50_000), (True, 2)):
            table = table_of(self.box, self.told, mixes=mixes)._replace(most=most, wanted=WANTED)
            course = Course.for_words(table, StackTeller, self.told)
            assert not course.is_over, "what really happened is always possible"
            answers.append(course.allows(0, (source, to, (card,), None)))
        each, mixed, pooled = answers
        assert each == mixed, "the same in fewer arrangements"
        assert pooled >= mixed, "too few arrangements say no more than all of them do"
        return mixed

    def is_witnessed(self, source: str, to: str, card: str) -> bool:
        """Whether the quick look says that it can be."""
        witness = Witness.for_words(self.box, PLACES._replace(wanted=WANTED), self.told)
        return witness.follow(self.told) and witness.fits([(source, to, (card,), None)])


@pytest.mark.parametrize("kinds", ["all", "exact"])
@pytest.mark.parametrize("seed", soak_except(range(60), *range(2)))
def test_what_can_come_is_what_some_order_of_all_stacks_has(
    seed: int, kinds: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Brute force over all orders. Of searches a little less is known than could be: never too much."""
    if kinds == "exact":
        exact = [kind for kind in test_known_cards.KINDS if kind != "search"]
        monkeypatch.setattr(test_known_cards, "KINDS", exact)
    known, every = Tellings(box_of(seed)), Every(box_of(seed))
    refused = witnessed = 0
    for number, _ in enumerate(game(seed, 20, known, every)):  # type: ignore[arg-type]
        if number % 4 < 3:
            continue
        worlds = [world for _, world in every.parts]
        for card in box_of(seed):
            for source, to in [*((pile, HANDS[0]) for pile in STACK_PILES), *((hand, hand) for hand in HANDS)]:
                able = any(card in held(world, source) for world in worlds)
                told, quick = known.can_be(source, to, card), known.is_witnessed(source, to, card)
                assert told == able if kinds == "exact" else told >= able, (source, card)
                assert told or not quick, "the quick look never says that something can be that cannot"
                refused, witnessed = refused + (not told), witnessed + quick
    assert refused
    assert witnessed


def held(world: dict[str, tuple[str, ...]], place: str) -> set[str]:
    """The cards that can come from a place next."""
    cards = world[place][:1] if place in STACK_PILES else world[place]
    return {card[0] for card in cards}


class Judged(Evening):
    """A game at random: what really happens is never against the rules by all that was seen."""

    asked = 0

    def make(self, move: Move) -> None:
        self.asked += self.state.looks_back
        super().make(move)

    def real(self, move: Move) -> tuple[Move, Move]:
        whole, noted = super().real(move)
        told = [str(breach) for breach in self.state.breaches(noted)]
        assert not [text for text in told if "by all that was seen" in text], noted
        return whole, noted


@pytest.mark.slow
@pytest.mark.parametrize(
    ("seed", "noting"), soak_except([(0, 0), (1, 0.6), (3, 0.6), (4, 1)], (0, 0), (1, 0.6), (4, 1))
)
def test_what_really_happens_is_never_refused(seed: int, noting: float) -> None:
    evening = Judged(seed, noting)
    evening.play(90)
    assert (noting < 1) == bool(evening.asked)


def begun(*hand: str, unknown: int = 0, revision: int = 4) -> CatanCardsState:
    """Player 1 picked these cards and more that were not noted. It is time to put cards under stacks."""
    state: CatanCardsState = CARDS.open({}, None, 2, revision)
    chance = random.Random(1)
    state.apply(Start(starts=0, sizes=(12, 12, 12, 13, 13)), 1)
    while state.phase != "pick":
        state.apply(state.sample_chance(next(iter(state.legal_moves())), chance), state.version + 1)
    state.apply(Pick(seat=0, stack=1, cards=(*hand, *[None] * unknown)), 9)  # type: ignore[arg-type]
    state.apply(Pick(seat=1, stack=2), 10)
    return state


def act(state: CatanCardsState, *moves: Move) -> CatanCardsState:
    for move in moves:
        state.phase, state.active, state.pending = "actions", move.seat or 0, []
        state.apply(move, state.version + 1)
    state.phase, state.active, state.pending = "actions", 0, []
    return state


def seen(state: CatanCardsState, move: Move) -> list[str]:
    return [text for text in map(str, state.breaches(move)) if "seen" in text]


def is_impossible(state: CatanCardsState, move: Move) -> bool:
    """Whether a move is impossible by the number of copies, and breaks no rule before that."""
    with pytest.raises(ImpossibleError, match="the box has"):
        state.copy().apply(move)
    return not seen(state, move)


def test_of_three_cards_that_were_known_a_fourth_cannot_be_left() -> None:
    state = act(begun("Abbey", "Library", "Spy"), Return(seat=0, stack=3))
    (text,) = seen(state, Show(seat=0, cards=("Mint",)))
    assert text == "by all that was seen up to entry 9 player 1 cannot hold Mint (catan_cards:14)"
    assert seen(state, Show(seat=0, cards=("Abbey", "Library"))) == []
    assert not state.may_hold(0, "Mint")
    assert state.may_hold(0, "Abbey")


def test_a_spy_is_judged_by_both_hands_also_if_nobody_noted_what_he_took() -> None:
    state = act(begun("Abbey", "Library", "Spy"), Return(seat=0, stack=3))
    for card in (None, "Arsonist"):
        assert seen(state, Spy(seat=0, taken=True, card=card)) == []
        (text,) = seen(state, Spy(seat=1, taken=True, card=card or "Scout"))
        assert "player 1 cannot hold" in text


def test_older_games_stay_as_they_were_recorded() -> None:
    state = act(begun("Abbey", "Library", "Spy", revision=3), Return(seat=0, stack=3))
    assert seen(state, Show(seat=0, cards=("Mint",))) == []


def test_a_note_after_the_end_can_contradict_what_was_seen() -> None:
    """Cards are noted after the end, too, but only what no card of the box allows was told then."""
    for revision, count in ((CARDS.revision, 1), (6, 0)):
        state = act(begun("Abbey", "Mint", "Sawmill", revision=revision), Return(seat=0, stack=3))
        state.end(Outcome((1, 2), (0,), "target", "catan_cards:61"))
        for move in (Show(seat=0, cards=("Scout",)), Hold(seat=0, cards=("Scout",))):
            assert len(seen(state, move)) == count, (revision, move)
        assert list(state.breaches(Show(seat=0, cards=("Mint",)))) == []
        assert [breach.why for breach in state.breaches(Return(seat=0, stack=3))] == ["the game is over"]


def test_the_last_card_of_a_kind_is_where_all_that_was_seen_leaves_it() -> None:
    """Player 1 keeps one of two cards, and plays one of them: so the other one lies under stack 3."""
    state = begun("Abbey", "Mint", "Sawmill")
    act(state, Return(seat=0, stack=3, card="Abbey"), Return(seat=0, stack=4), Show(seat=0, cards=("Sawmill",)))
    (text,) = seen(state, Draw(seat=1, stack=5, card="Mint"))
    assert text == "by all that was seen up to entry 9 Mint cannot come from stack 5 (catan_cards:14)"
    (text,) = seen(state, Show(seat=1, cards=("Mint",)))
    assert text == "by all that was seen up to entry 10 player 2 cannot hold Mint (catan_cards:14)"
    assert seen(state, Draw(seat=1, stack=4, card="Mint", search=True)) == []
    assert not state.may_hold(1, "Mint")


def test_a_card_that_came_back_unseen_can_be_held() -> None:
    state = begun("Abbey", "Mint", "Sawmill")
    act(state, Return(seat=0, stack=3), Draw(seat=1, stack=3, search=True))
    for card in ("Abbey", "Mint", "Sawmill"):
        assert seen(state, Show(seat=1, cards=(card,))) == []
    act(state, Show(seat=0, cards=("Abbey",)), Show(seat=0, cards=("Abbey", "Mint")))
    assert seen(state, Show(seat=1, cards=("Sawmill",))) == []
    assert is_impossible(state, Show(seat=1, cards=("Mint",)))


def test_two_cards_that_were_put_away_together_unseen() -> None:
    state = act(begun("Abbey", "Mint", "Sawmill"), Confiscate(seat=1, stack=3, cards=(None, None)))
    for card in ("Abbey", "Mint", "Sawmill"):
        assert seen(state, Show(seat=0, cards=(card,))) == []
    assert seen(state, Show(seat=0, cards=("Abbey", "Mint"))) == []  # there is no room for two: something else says so
    assert len(seen(state, Show(seat=0, cards=("Scout",)))) == 1
    act(state, Show(seat=0, cards=("Mint",)))
    assert len(seen(state, Hold(seat=1, cards=("Sawmill",)))) == 1


def test_hands_that_are_decided_by_chance_hold_what_they_can() -> None:
    state = act(begun("Abbey", "Mint", "Sawmill"), Return(seat=0, stack=3))
    held = set()
    for seed in range(20):
        twin = state.copy()
        twin.decide_hidden(random.Random(seed))
        held |= {tuple(twin.hands[0].known)}
        assert not twin.looks_back
    assert held == {("Abbey", "Mint"), ("Abbey", "Sawmill"), ("Mint", "Sawmill")}


def test_a_draw_that_is_decided_by_chance_is_a_card_that_can_come() -> None:
    state = begun("Abbey", "Mint", "Sawmill")
    act(state, Return(seat=0, stack=3), Show(seat=0, cards=("Abbey", "Mint")))
    drawn = {state.sample_chance(Draw(seat=1, stack=4), random.Random(seed)).card for seed in range(300)}
    assert "Sawmill" not in drawn
    assert len(drawn) > 30


def noted(card: str) -> CatanCardsState:
    """Player 1 has noted his hand, puts a card away that nobody notes, and shows another one."""
    state = begun(unknown=3)
    act(state, Hold(seat=0, cards=("Abbey", card, "Sawmill")), Return(seat=0, stack=3), Show(seat=0, cards=("Abbey",)))
    return act(state, Return(seat=0, stack=4))


def test_what_a_player_noted_changes_nothing_for_the_others() -> None:
    twins = [noted("Mint"), noted("Library")]
    for viewpoint in (PUBLIC, Viewpoint("seat", 1)):
        one, two = (msgspec.json.encode(twin.view(viewpoint).dump()) for twin in twins)
        assert one == two, viewpoint
        assert twins[0].view(viewpoint).looks_back, "the card that was shown may be gone"
    assert all(twin.looks_back for twin in twins)
    assert twins[0].view(Viewpoint("seat", 0)) != twins[1].view(Viewpoint("seat", 0))


def test_who_saw_a_card_loses_sight_of_it_when_it_may_be_gone() -> None:
    """Both players saw one card; the record and player 1 know all. Player 1 puts it away, seen by the record alone."""
    state = begun("Abbey", "Mint", "Sawmill")
    act(state, Show(seat=0, cards=("Mint",)))
    assert not any(state.view(viewpoint).looks_back for viewpoint in VIEWPOINTS)
    act(state, Return(seat=0, stack=3, card="Abbey"))
    assert [state.view(viewpoint).looks_back for viewpoint in VIEWPOINTS] == [False, False, True, True]


VIEWPOINTS = (RECORD, Viewpoint("seat", 0), Viewpoint("seat", 1), PUBLIC)


def test_a_card_that_was_put_away_by_name_is_not_taken_back_by_the_quick_look() -> None:
    """Two cards go under a stack together, one by name: that one is no longer in the hand."""
    state = act(begun("Abbey", "Mint", "Sawmill"), Confiscate(seat=1, stack=3, cards=("Abbey", None)))
    assert len(seen(state, Show(seat=0, cards=("Abbey",)))) == 1
    assert seen(state, Show(seat=0, cards=("Sawmill",))) == []


def test_a_second_copy_is_noted_after_the_first_one() -> None:
    """The quick look used to take the first copy for the second one, again and again without end."""
    state = begun(unknown=3)
    act(state, Show(seat=0, cards=("Abbey",)), Return(seat=0, stack=3), Draw(seat=0, stack=4))
    act(state, Hold(seat=0, cards=("Abbey",)), Hold(seat=0, cards=("Abbey", "Abbey")))
    assert is_impossible(state, Hold(seat=1, cards=("Abbey",)))
    assert seen(state, Hold(seat=1, cards=("Mint",))) == []


def last_spies(*, revision: int = CARDS.revision) -> CatanCardsState:
    """Two of three Spies are used, and nobody knows where the third one is."""
    state = begun("Spy", unknown=2, revision=revision)
    return act(state, Spy(seat=0, card="Spy"), Spy(seat=0, taken=False))


def test_a_spy_takes_no_fourth_spy_from_a_hand_that_nobody_knows() -> None:
    state = last_spies()
    assert is_impossible(state, Spy(seat=1, card="Spy"))
    act(state, Spy(seat=1, card="Mint"))
    assert state.spent.count("Spy") == 3


def test_a_fourth_spy_of_an_older_record_stays_as_it_was_recorded() -> None:
    state = act(last_spies(revision=5), Spy(seat=1, card="Spy"))
    assert state.located_cards().count("Spy") == 4


def test_a_sampled_spy_takes_no_copy_of_himself_that_is_not_there() -> None:
    state = last_spies()
    taken = {state.sample_chance(Spy(seat=1), random.Random(seed)).card for seed in range(300)}
    assert "Spy" not in taken
    assert len(taken) > 20


def test_a_spy_and_the_spy_he_takes_are_not_both_the_copy_that_lies_under_a_stack() -> None:
    """One Spy is used, one lies under stack 3, and one is left to be played or to be taken."""
    for revision, breaches in ((5, []), (6, ["Spy was put under stack 3: see entries 9, 11 (catan_cards:14)"])):
        state = act(begun("Spy", "Spy", unknown=1, revision=revision), Return(seat=0, stack=3, card="Spy"))
        act(state, Spy(seat=0, taken=False))
        assert [str(each) for each in state.breaches(Spy(seat=1, card="Spy")) if "put under" in str(each)] == breaches


@pytest.mark.parametrize("revision", [5, 6])
def test_a_card_that_the_other_player_draws_is_known_by_the_order_of_its_stack(revision: int) -> None:
    """Both put a Smithy under an empty stack, unseen by the other. Player 2 draws one, and player 1 the next.

    Games of revision 5 are read as they were recorded: there nobody looks back.
    """
    state: CatanCardsState = CARDS.open({}, {"cards": FEW_SMITHIES}, 2, revision)
    chance = random.Random(1)
    state.apply(Start(starts=0, sizes=(15, 15, 0, 0, 0)), 1)
    while state.phase != "pick":
        state.apply(state.sample_chance(next(iter(state.legal_moves())), chance), state.version + 1)
    state.apply(Pick(seat=0, stack=1, cards=("Smithy", "Abbey", "Abbey")), 9)
    state.apply(Pick(seat=1, stack=2, cards=("Smithy", "Abbey", "Abbey")), 10)
    act(state, *(Return(seat=seat, stack=5, card="Smithy") for seat in (0, 1)))
    (offered,) = state.blanks(Draw(seat=0, stack=5, search=True))
    assert offered.choices == ("Smithy",), "the keypad offers no card that is not in the stack"
    act(state, *(Draw(seat=seat, stack=5, card="Smithy") for seat in (1, 0)))
    view = state.view(Viewpoint("seat", 1))
    assert view.looks_back is (revision > 5)
    for lot in range(12 if view.looks_back else 0):
        twin = view.copy()
        twin.decide_hidden(random.Random(lot))
        assert "Smithy" in twin.hands[0].known
    assert not state.view(PUBLIC).looks_back


FEW_SMITHIES = {card: {"count": {"Smithy": 9, "Abbey": 9, "Sawmill": 9, "Mint": 3}.get(card, 0)} for card in EXPANSIONS}


def test_a_spy_is_tried_on_a_copy_of_the_cards() -> None:
    """A group under a stack, and what went there from a hand, are one list: also in the copy, but another one."""
    known = Tellings(box_of(0))
    hand, stack = HANDS[0], STACK_PILES[0]
    known.deal([len(box_of(0)), 0, 0, 0, 0])
    known.tell(stack, hand, *list(box_of(0))[:3])
    known.tell(hand, STACK_PILES[1], None)
    witness = Witness.for_words(known.box, PLACES, known.told)
    assert witness.follow(known.told)
    before = deepcopy((witness._groups, witness._puts, witness._left))
    witness.fits([(HANDS[1], OPEN, ("Spy",), None), (LOOKED_FOR + hand, HANDS[1], (None,), None)])
    assert (witness._groups, witness._puts, witness._left) == before
    twin = witness._copy()
    ((put,), (lying,)) = twin._puts[hand], twin._groups[STACK_PILES[1]]
    assert put.group is lying
    assert lying is not witness._groups[STACK_PILES[1]][0]
