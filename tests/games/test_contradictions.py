"""The entry since which a hand cannot hold a card, against all ways in which the cards can lie, one by one."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest

from games.catan_cards.moves.hand import Draw as CardDraw
from games.catan_cards.moves.hand import Hold as CardHold
from games.catan_cards.moves.hand import Return
from games.catan_cards.moves.hand import Show as CardShow
from games.catan_cards.stacks import HANDS as CARD_HANDS
from games.contract import RECORD
from games.errors import ImpossibleError
from games.kahuna.adjustments import HANDS as KAHUNA_HANDS
from games.kahuna.knowledge import TABLE as KAHUNA
from games.kahuna.knowledge import KahunaTeller
from games.kahuna.moves import Row, Show
from games.knowledge import DRAWN, SHUFFLED, Course
from games.manapani.moves.cards import Discard, Hold
from games.manapani.moves.fighting import Reveal
from games.manapani.state import Fight
from games.rulesets import RULESETS
from games.verraeter.components import HANDS as VERRAETER_HANDS
from games.verraeter.moves.drawing import Hold as VerraeterHold
from games.verraeter.rounds import draw
from tests.cases import cases
from tests.choosing import soak_except
from tests.games.catan_cards.test_counted_draws import KINDS, PLACES, Counted, Ways
from tests.games.catan_cards.test_seen_cards import act, begun
from tests.games.kahuna.test_known_cards import BURIED_COCO, recorded_from, to_the_shuffle
from tests.games.manapani.test_seen_cards import small_box
from tests.games.verraeter.test_known_cards import Evening
from tests.games.verraeter.test_seen_cards import ALL_BUT_SIX, shuffled

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from games.contract import Move, State
    from games.kahuna.state import KahunaState
    from games.knowledge import Fact, Table, Teller
    from games.manapani.state import ManapaniState

World = tuple[tuple[str, ...], ...]
"""The cards of each place, sorted."""
History = list[tuple[int, dict[str, set[str]]]]
"""After each entry: the cards that some way has in each place."""
MOST_WORLDS = 500


def worlds_after(worlds: set[World], fact: Fact, table: Table) -> set[World]:
    """All ways in which the cards can lie after a fact. Those of a place lie in any order."""
    if fact.source == SHUFFLED:
        return {_shuffled(world, table) for world in worlds}
    at, to = table.places.index(fact.source), table.places.index(fact.to)
    for hand in fact.gathered:
        worlds = {_gathered(world, table.places.index(DRAWN + hand), table.places.index(hand)) for world in worlds}
    found = {world for world in worlds if not Counter(fact.stay) - Counter(world[at])}
    if at == to:
        return {world for world in found if not Counter(fact.named()) - Counter(world[at])}
    for card in sorted(fact.cards, key=lambda each: each is None):
        found = {after for world in found for after in _moved(world, at, to, card, fact.stay)}
    return found


def _shuffled(world: World, table: Table) -> World:
    gone = [table.places.index(place) for place in table.shuffled]
    deck = table.places.index(table.deck)
    cards = sorted([*world[deck], *(card for at in gone for card in world[at])])
    return tuple(tuple(cards) if at == deck else () if at in gone else held for at, held in enumerate(world))


def _gathered(world: World, at: int, to: int) -> World:
    places = list(world)
    places[at], places[to] = (), tuple(sorted(world[at] + world[to]))
    return tuple(places)


def _moved(world: World, at: int, to: int, card: str | None, stay: Sequence[str]) -> Iterator[World]:
    for each in sorted((Counter(world[at]) - Counter(stay)).keys()) if card is None else [card]:
        if each in world[at]:
            left, come = list(world[at]), sorted([*world[to], each])
            left.remove(each)
            yield tuple(tuple(left) if n == at else tuple(come) if n == to else held for n, held in enumerate(world))


def heard(table: Table, teller: type[Teller], told: list[tuple[int, Any]]) -> tuple[Course, History]:
    """What is possible after each entry, and all cards that some way has in each place, until there are too many."""
    deck = tuple(sorted(Counter(table.cards).elements()))
    worlds = {tuple(deck if place == table.deck else () for place in table.places)}
    course, history = Course(table, teller()), History()
    for version, word in told:
        known = len(course.facts)
        course.add_word(version, word)
        for fact in course.facts[known:]:
            worlds = worlds_after(worlds, fact, table)
        history.append((version, {place: _held(worlds, table, place) for place in table.places}))
        if len(worlds) > MOST_WORLDS:
            break
    return course, history


def _held(worlds: set[World], table: Table, place: str) -> set[str]:
    """A hand also has what its last draw brought."""
    places = [table.places.index(each) for each in (place, DRAWN + place) if each in table.places]
    return {card for world in worlds for at in places for card in world[at]}


def impossible_since(history: History, place: str, card: str) -> int | None:
    """The entry since which no way has a card in a place; None if one has it at the end, or if none ever had it."""
    last = None
    for version, held in reversed(history):
        if card in held[place]:
            return last
        last = version
    return None


def is_named(course: Course, history: History, place: str, card: str, word: Any) -> bool:
    """Whether a card was possible once, and is not now. Then the breach names the entry."""
    since, found = impossible_since(history, place, card), course.contradicted_since(1000, word)
    assert (found is None) == (card in history[-1][1][place]), (place, card)
    assert since is None or (found and found[0] == since), (place, card, since, found)
    return since is not None


@pytest.mark.slow
@pytest.mark.parametrize("seed", soak_except([1, 8], 8))
def test_kahuna_names_the_entry_since_which_no_way_is_left(seed: int) -> None:
    *_, (state, _) = recorded_from(seed, RECORD)
    course, history = heard(KAHUNA, KahunaTeller, state.told)
    asked = [(seat, card, Show(seat=seat, cards=(card,))) for seat in (0, 1) for card in KAHUNA.cards]
    assert sum([is_named(course, history, KAHUNA_HANDS[seat], card, move) for seat, card, move in asked])


@pytest.mark.slow
@pytest.mark.parametrize("seed", soak_except([0, 1, 2, 3, 6, 7, 10, 11, 13, 15, 19], 7))
def test_verraeter_names_the_entry_since_which_no_way_is_left(seed: int) -> None:
    evening = Evening(seed, 0.5)
    evening.play()
    table = evening.state.table()
    course, history = heard(table, evening.state.teller, evening.state.told)
    asked = [(place, card) for place in VERRAETER_HANDS[: evening.state.seats] for card in table.cards]
    assert sum([is_named(course, history, place, card, (place, place, (card,), None)) for place, card in asked])


@pytest.mark.slow
@pytest.mark.parametrize("seed", soak_except(range(6), 0))
def test_the_card_game_names_the_entry_since_which_no_way_is_left(seed: int) -> None:
    evening, history = Counted(seed, 0.5, [RECORD]), History()
    ways = Ways()
    evening.play(40)
    for version, word in evening.state.told:
        ways.take_in(word)
        held = {
            place: {f"{number} {kind}" for ways_in in ways.parts for kind, number in _up_to(ways_in[0][at])}
            for at, place in enumerate(PLACES)
        }
        history.append((version, held))
    course = Course.for_words(evening.state.table(), evening.state.teller, evening.state.told)
    named = [
        is_named(course, history, place, f"{number} {kind}", (place, place, (kind,) * number, None))
        for place in CARD_HANDS
        for kind in KINDS
        for number in range(1, 5)
    ]
    assert any(named)


def unnoted_in_kahuna() -> State:
    """After a shuffle. White holds two unnoted cards, and black one COCO of two."""
    return to_the_shuffle(4)


def drawn_in_verraeter() -> State:
    """After a shuffle. Player 1 holds two unnoted cards, and drew two more in entry 2."""
    state = shuffled("2 2 2", ALL_BUT_SIX, ())
    state.version += 1
    draw(state, 0, 2)
    return state


def put_away_in_manapani() -> ManapaniState:
    """Player 1 noted two cards, and then put one away unseen. The box has one Fly."""
    state: ManapaniState = RULESETS["manapani"].open({}, small_box(), 2)
    for move in (next(state.legal_moves()), Hold(seat=0, cards=("Kobold", "Troll")), Discard(seat=0, cards=(None,))):
        state.apply(move)
    return state


def put_away_in_the_card_game() -> State:
    """Player 1 put one of three known cards under a stack, unseen, and then showed the only Mint."""
    state = begun("Abbey", "Mint", "Sawmill")
    return act(state, Return(seat=0, stack=3), CardShow(seat=0, cards=("Mint",)))


def put_under_by_name() -> State:
    """The only Mint lies under stack 3, as player 1 noted."""
    return act(begun("Abbey", "Mint", "Sawmill"), Return(seat=0, stack=3, card="Mint"))


def fighting_in_manapani() -> State:
    """Two players laid a card each. Player 1 noted two cards before, and put one away unseen. The box has one Fly."""
    state = put_away_in_manapani()
    state.fight, state.due = Fight(0, (0, 1), [1, 1], [[None], [None]]), "reveal"
    return state


IMPOSSIBLE: list[tuple[Callable[[], State], Move]] = [
    (unnoted_in_kahuna, Show(seat=1, cards=("COCO", "COCO"))),
    (unnoted_in_kahuna, Show(seat=1, cards=("LALE", "LALE", "LALE"))),
    (unnoted_in_kahuna, Row(cards=("COCO", "COCO", "BARI"))),
    (drawn_in_verraeter, VerraeterHold(seat=0, cards=("8", "8"))),
    (drawn_in_verraeter, VerraeterHold(seat=0, cards=("6", "6", "6"))),
    (drawn_in_verraeter, VerraeterHold(seat=0, cards=("8", "8"), drawn=True)),
    (put_away_in_manapani, Hold(seat=1, cards=("Fly", "Fly"))),
    (put_away_in_manapani, Discard(seat=1, cards=("Dwarf", "Dwarf"))),
    (fighting_in_manapani, Reveal(attack=("Fly",), defence=("Fly",))),
    (put_away_in_the_card_game, CardHold(seat=1, cards=("Mint",))),
    (put_under_by_name, CardHold(seat=1, cards=("Mint", "Mint"))),
    (put_away_in_the_card_game, CardDraw(seat=1, stack=5, card="Mint")),
]
"""Moves that name more cards than the box has, or more than are left of it."""


@cases(("position", "move"), IMPOSSIBLE)
def test_a_card_that_the_box_does_not_have_is_impossible_and_no_breach(
    position: Callable[[], State], move: Move
) -> None:
    """A breach can be overridden, and this cannot. So the first answer says that the move is impossible."""
    state = position()
    assert not [str(breach) for breach in state.breaches(move) if re.search("seen|shuffled|put under", str(breach))]
    with pytest.raises(ImpossibleError):
        state.apply(move)


def test_a_noted_row_is_no_second_copy_of_itself() -> None:
    """Both COCO lie openly, one of them in the row. The row is noted again with it, which takes no copy of the box."""
    state = to_the_shuffle(4)
    state.apply(Row(cards=("COCO", None, None)))
    again = Row(cards=("COCO", None, "BARI"))
    assert list(state.breaches(again)) == []
    state.apply(again)
    assert state.row == ["COCO", None, "BARI"]


def test_a_third_copy_in_a_noted_row_is_a_breach_beside_two_known_copies_of_another_card() -> None:
    """One COCO is drawn, and the other was put away. Both ELAI are known, one of them in the row: it stays there."""
    state: KahunaState = RULESETS["kahuna"].open({}, None, 2)
    opening = [*BURIED_COCO[:5], "+BARI", *BURIED_COCO[6:11]]
    for line in (*opening, "black: show ELAI"):
        state.apply(state.parse(line))
    (breach,) = state.breaches(Row(cards=("COCO", "ELAI", "DUDA")))
    assert breach.rule == "kahuna:CARD-1"
    assert list(state.breaches(Row(cards=("FAAA", "ELAI", "DUDA")))) == []


def _up_to(counts: tuple[int, ...]) -> Iterator[tuple[str, int]]:
    """Each kind with each number of it that is there."""
    for kind, count in zip(KINDS, counts, strict=True):
        yield from ((kind, number) for number in range(1, count + 1))
