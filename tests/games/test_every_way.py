"""What hands can hold, and what was drawn, against every way in which the cards can lie, counted from the rules alone.

The count reads moves and their effects as a viewpoint sees them. It knows nothing of what states keep of them. So a
kind of move that a state forgets to tell of is noticed here.
"""

from __future__ import annotations

import random
from collections import Counter
from itertools import combinations_with_replacement, product
from typing import TYPE_CHECKING, Any

import pytest

from games.contract import PUBLIC, RECORD, Viewpoint
from games.errors import ImpossibleError
from games.manapani.components import DEALT as MANAPANI_DEALT
from games.manapani.moves.cards import Discard, Spell
from games.manapani.moves.cards import Hold as NoteManapani
from games.manapani.moves.fighting import Reveal
from games.rulesets import RULESETS
from games.verraeter.components import COPIES, DEALT
from games.verraeter.moves.drawing import Draw
from games.verraeter.moves.drawing import Hold as NoteVerraeter
from games.verraeter.moves.fighting import Lay
from tests.choosing import some
from tests.games.manapani.test_known_cards import Evening as EveningOfManapani
from tests.games.manapani.test_seen_cards import small_box
from tests.games.verraeter.test_known_cards import Evening as EveningOfVerraeter

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from games.contract import Effect, Move

VIEWPOINTS = (RECORD, PUBLIC, Viewpoint("seat", 0))
DECK, GONE = 0, 1
MOST = 30_000
"""Games are counted until there are more ways than these."""
COUNTS = (4, 3, 3, 2, 1), (2, 3, 2, 3, 4)
"""How many there are of each kind in the small decks."""
Cards = tuple[int, ...]
World = tuple[Cards, ...]
"""How many of each kind: in the deck, among the discards, in each hand, and of the last draw of each hand."""


class EveryWay:
    """All ways in which the cards can lie by what was seen."""

    def __init__(self, copies: Mapping[str, int], seats: int) -> None:
        self.kinds, self.seats = [card for card, count in copies.items() if count], seats
        none = (0,) * len(self.kinds)
        deck = tuple(copies[card] for card in self.kinds)
        self.worlds: set[World] = {(deck, *[none] * (1 + 2 * seats))}
        self.drawn_at = [-1] * seats

    def hand(self, seat: int) -> int:
        return 2 + seat

    def drawn(self, seat: int) -> int:
        return 2 + self.seats + seat

    def draw(self, seat: int, count: int, version: int) -> None:
        """Cards of the deck come to a hand. Those of one entry are one draw."""
        if self.drawn_at[seat] != version:
            self.gather(seat)
            self.drawn_at[seat] = version
        self.move(DECK, self.drawn(seat), [None] * count)

    def gather(self, seat: int) -> None:
        at, to = self.drawn(seat), self.hand(seat)
        self.worlds = {_poured(world, [at], to) for world in self.worlds}

    def shuffle(self) -> None:
        self.worlds = {_poured(world, [GONE], DECK) for world in self.worlds}

    def lose(self, seat: int, cards: Sequence[str | None]) -> None:
        """Cards of a hand are put away."""
        self.gather(seat)
        self.move(self.hand(seat), GONE, cards)

    def note(self, seat: int, cards: Sequence[str], *, drawn: bool) -> None:
        """A hand holds these cards, or the last draw brought them."""
        if not drawn:
            self.gather(seat)
        self.worlds = self.having(self.drawn(seat) if drawn else self.hand(seat), cards)

    def having(self, at: int, cards: Sequence[str]) -> set[World]:
        wanted = [cards.count(kind) for kind in self.kinds]
        return {world for world in self.worlds if all(map(int.__ge__, world[at], wanted))}

    def move(self, at: int, to: int, cards: Sequence[str | None]) -> None:
        for card in sorted(cards, key=lambda card: card is None):
            kinds = [self.kinds.index(card)] if card else range(len(self.kinds))
            self.worlds = {_moved(world, at, to, kind) for world in self.worlds for kind in kinds if world[at][kind]}

    def can_hold(self, seat: int, cards: Sequence[str | None]) -> bool:
        """Whether a hand can hold all these cards, those of its last draw, too."""
        return self.can_all_hold([(seat, cards)])

    def can_all_hold(self, named: list[tuple[int, Sequence[str | None]]]) -> bool:
        """Whether hands can hold all these cards together."""
        places = [(self.hand(seat), self.drawn(seat), cards) for seat, cards in named]
        wanted = [(hand, drawn, [cards.count(kind) for kind in self.kinds]) for hand, drawn, cards in places]
        return any(
            all(
                old + new >= count
                for hand, drawn, counts in wanted
                for old, new, count in zip(world[hand], world[drawn], counts, strict=True)
            )
            for world in self.worlds
        )

    def can_be_drawn(self, seat: int, cards: Sequence[str]) -> bool:
        return bool(self.having(self.drawn(seat), cards))


def _moved(world: World, at: int, to: int, kind: int) -> World:
    found = list(world)
    for place, step in ((at, -1), (to, 1)):
        cards = found[place]
        found[place] = (*cards[:kind], cards[kind] + step, *cards[kind + 1 :])
    return tuple(found)


def _poured(world: World, sources: Sequence[int], to: int) -> World:
    found = list(world)
    for at in sources:
        found[to] = tuple(map(sum, zip(found[to], world[at], strict=True)))
        found[at] = (0,) * len(found[at])
    return tuple(found)


class Judge:
    """Asks a state about cards of hands, and counts what it refuses."""

    def __init__(self, note: type[Any]) -> None:
        self.note, self.refused, self.asked, self.drawn = note, 0, 0, 0

    def ask(self, state: Any, ways: EveryWay) -> None:
        """All single cards and pairs of each hand, and of the last draw."""
        choices = [*[(card,) for card in ways.kinds], *combinations_with_replacement(ways.kinds, 2)]
        for seat, cards in product(range(ways.seats), choices):
            if len(state.hands[seat]) < len(cards):
                continue
            self._compare(state, self.note(seat=seat, cards=cards), ways.can_hold(seat, cards))
            if len(set(cards)) == 1:
                assert state.may_hold(seat, cards[0], len(cards)) == ways.can_hold(seat, cards)
        for seat in range(ways.seats):
            if not (count := state.newly_drawn(seat)) or not state.hands[seat].unknown:
                continue
            self.drawn += 1
            able = [card for card in ways.kinds if ways.can_be_drawn(seat, [card])]
            assert [card for card in ways.kinds if card in state.newly_drawable(seat)] == able, (state.version, seat)
            for cards in combinations_with_replacement(ways.kinds, count) if count < 3 else ():
                can_be = ways.can_be_drawn(seat, cards)
                self._compare(state, self.note(seat=seat, cards=cards, drawn=True), can_be)

    def _compare(self, state: Any, move: Move, can_be: bool) -> None:
        told = is_refused(state, move)
        assert told != can_be, (state.version, move, "possible" if can_be else "impossible")
        self.asked += 1
        self.refused += told


def is_refused(state: Any, move: Move) -> bool:
    try:
        state.copy().apply(move)
    except ImpossibleError:
        return True
    return bool(list(state.breaches(move)))


class Followed:
    """Follows a game at random from each viewpoint, for the evenings of both games."""

    deck: str

    def begin(self, note: type[Any], copies: Mapping[str, int], mode: str) -> None:
        self.judge, self.mode = Judge(note), mode
        self.every = [EveryWay(copies, self.state.seats) for _ in VIEWPOINTS]
        self.to_note: list[int] = []

    def make(self, move: Move) -> None:
        broken = [breach for breach in self.state.breaches(move) if "by all that was seen" in str(breach)]
        assert broken == [], (move, "what really happens is never refused")
        before = self.state.copy()
        super().make(move)  # type: ignore[misc]
        effects = before.copy().apply(move, self.state.version)
        for viewpoint, ways in zip(VIEWPOINTS, self.every, strict=True):
            if ways.worlds:
                self.see(before.view(viewpoint), move.seen(viewpoint), self.state.view(viewpoint), effects, ways)
                assert ways.worlds, (move, viewpoint.name, "what really happens is always possible")
                if len(ways.worlds) > MOST:
                    ways.worlds = set()
        for seat in [self.to_note.pop() for _ in self.to_note[:]]:
            self._note_now(seat)
        if self.state.looks_back and self.is_quiet():
            for viewpoint, ways in zip(VIEWPOINTS, self.every, strict=True):
                if ways.worlds and self.chance.random() < 0.3:
                    self.judge.ask(self.state.view(viewpoint), ways)

    def is_quiet(self) -> bool:
        return True

    def note(self, seat: int) -> None:
        """Not before the move that is being made was seen."""
        self.to_note.append(seat)

    def _note_now(self, seat: int) -> None:
        """The player notes the hand, some cards of it, or what was drawn."""
        came, held = tuple(self.came.get(seat, ())), sorted(self.hands[seat].elements())
        mode = self.mode if self.mode != "all" else self.chance.choice(["hand", "some", "drawn", "drawn"])
        self.came = {**self.came, seat: ()}
        if mode == "drawn" and came and self.state.newly_drawn(seat) == len(came):
            self.make(self.judge.note(seat=seat, cards=came, drawn=True))
        elif mode == "some" and held:
            self.make(self.judge.note(seat=seat, cards=(self.chance.choice(held),)))
        elif mode == "hand":
            self.make(self.judge.note(seat=seat, cards=tuple(held)))


class ManyWaysOfManapani(Followed, EveningOfManapani):
    def __init__(self, seed: int, noting: float, mode: str) -> None:
        super().__init__(seed, noting)
        few = dict(
            zip(
                ("Kobold", "Goblin", "Shield", "Troll", "Fly"),
                ((4, 3, 3, 2, 1), (2, 3, 2, 3, 4))[seed % 2],
                strict=True,
            )
        )
        self.state = RULESETS["manapani"].open({}, small_box(few), 2)
        self.deck = list(Counter(self.state.copies).elements())
        self.chance.shuffle(self.deck)
        self.hands = [Counter() for _ in range(2)]
        self.begin(NoteManapani, few, mode)

    def make(self, move: Move) -> None:
        if isinstance(move, Reveal):
            self.turn_up_unseen(move)
        super().make(move)

    def turn_up_unseen(self, move: Reveal) -> None:
        """Cards that nobody noted are turned up in simulated games: always those of some way."""
        assert self.state.fight
        backs = Reveal(attack=(None,) * len(move.attack), defence=(None,) * len(move.defence))
        for (viewpoint, ways), lot in product(zip(VIEWPOINTS, self.every, strict=True), range(20)):
            seen = self.state.view(viewpoint).sample_chance(backs, random.Random(lot))
            assert isinstance(seen, Reveal)
            named = list(zip(self.state.fight.seats, (seen.attack, seen.defence), strict=True))
            assert not ways.worlds or ways.can_all_hold(named), (self.state.version, viewpoint.name, seen)

    def is_quiet(self) -> bool:
        return not self.state.fight

    def see(self, _: Any, move: Move, after: Any, effects: list[Effect], ways: EveryWay) -> None:
        match move:
            case Spell(seat=seat, card=card):
                ways.lose(seat, [card])
            case Discard(seat=seat, cards=cards):
                ways.lose(seat, cards)
            case NoteManapani(seat=seat, cards=cards, drawn=drawn):
                ways.note(seat, cards, drawn=drawn and bool(cards))
        for effect in effects:
            seat = effect.seat or 0
            if effect.kind == "hands.dealt":
                for each in range(ways.seats):
                    ways.move(DECK, ways.hand(each), [None] * MANAPANI_DEALT)
            elif effect.kind == "cards.revealed":
                ways.lose(seat, effect.at)
            elif effect.kind == "pile.shuffled":
                ways.shuffle()
            elif effect.kind == "card.drawn":
                ways.draw(seat, 1, after.version)


class ManyWaysOfVerraeter(Followed, EveningOfVerraeter):
    def __init__(self, seed: int, noting: float, mode: str) -> None:
        super().__init__(seed, noting)
        self.begin(NoteVerraeter, COPIES, mode)
        self.pile_left = 0

    def see(self, before: Any, move: Move, after: Any, effects: list[Effect], ways: EveryWay) -> None:
        """Laid cards are as good as put away: none is drawn before they are."""
        left = before.pile
        match move:
            case Lay(seat=seat, cards=cards) | Draw(seat=seat, discards=cards) if cards:
                ways.lose(seat, cards)
            case NoteVerraeter(seat=seat, cards=cards, drawn=drawn):
                ways.note(seat, cards, drawn=drawn and bool(cards))
        for number, effect in enumerate(effects):
            if effect.kind == "supplies.dealt":
                for seat in range(ways.seats):
                    ways.move(DECK, ways.hand(seat), DEALT)
                left = effect.count or 0
            elif effect.kind == "cards.drawn":
                count, seat = effect.count or 0, effect.seat or 0
                first = min(count, left) if number and effects[number - 1].kind == "pile.shuffled" else count
                ways.draw(seat, first, after.version)
                left -= first
                if first < count or (number and effects[number - 1].kind == "pile.shuffled"):
                    ways.shuffle()
                    left = (effects[number - 1].count or 0) - (count - first)
                    ways.draw(seat, count - first, after.version)


MODES = ("drawn", "all", "hand")


@pytest.mark.slow
@pytest.mark.parametrize(("seed", "mode"), some(list(product(range(8), MODES)), (0, "drawn"), (1, "all")))
def test_manapani_refuses_just_what_no_way_has(seed: int, mode: str) -> None:
    evening = ManyWaysOfManapani(seed, 0.6, mode)
    evening.play(60)
    assert evening.shuffles
    assert evening.judge.refused


@pytest.mark.slow
@pytest.mark.parametrize(("seed", "mode"), some(list(product(range(8), MODES)), (0, "drawn"), (1, "all")))
def test_verraeter_refuses_just_what_no_way_has(seed: int, mode: str) -> None:
    evening = ManyWaysOfVerraeter(seed, 0.6, mode)
    evening.play()
    assert evening.judge.refused
