"""What is possible of hidden cards, against every way in which the cards can lie, in all four card games.

Games are recorded with backs, notes, shown cards, slips, rulings and house rules, and corrected afterwards. From each
viewpoint, the ways are counted from the moves alone (`tests/games/every_way.py`). So a kind of move that a state
forgets to tell of is noticed here.
"""

from __future__ import annotations

import random
from collections import Counter
from contextlib import nullcontext
from itertools import combinations_with_replacement, product
from typing import TYPE_CHECKING, Any

import pytest
from msgspec.structs import replace

from games.catan_cards.components import short_name
from games.catan_cards.moves.actions import Spy
from games.catan_cards.moves.hand import Draw as DrawExpansion
from games.contract import PUBLIC, RECORD, Move, Viewpoint
from games.errors import ImpossibleError
from games.kahuna.moves import Draw, Row, Take
from tests import tiers
from tests.choosing import soak_except
from tests.games.every_way import READERS, Reader, Seen
from tests.games.recorded import ISLANDS, Noise, Table, few_islands, tag

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tests.games.recorded import Made

VIEWPOINTS = (RECORD, PUBLIC, Viewpoint("seat", 0), Viewpoint("seat", 1))
MOST = 20_000 if tiers.SOAK else 3_000
"""A viewpoint is followed until there are more ways than these."""
ENTRIES = 60 if tiers.SOAK else 26
NOTING = (0.3, 0.6, 0.9, 0.0)
SEEN = ("by all that was seen", "put under it in entry")
"""The words of a breach by a card that is impossible."""


class Judge:
    """Asks a state about cards, and compares each answer with all ways."""

    def __init__(self, table: Table, seed: int) -> None:
        self.table, self.chance = table, random.Random(seed)
        self.asked: Counter[tuple[str, bool]] = Counter()

    def compare(self, what: str, told: object, true: object, *about: object) -> None:
        self.asked[what, bool(true)] += 1
        assert told == true, (self.table.ruleset.name, what, *about)

    def ask(self, view: Any, reader: Reader, where: str) -> None:
        if not getattr(view, "fight", None):  # cards face down are laid already, so a note says less there
            self.hands(view, reader, where)
            self.draws(view, reader, where)
            self.blanks(view, reader, where)
            self.spies(view, reader, where)
            self.deals(view, reader, where)
        self.samples(view, reader, where)

    def hands(self, view: Any, reader: Reader, where: str) -> None:
        """All single cards and pairs of each hand."""
        form, kinds = self.table.form("show", "hold"), reader.ways.kinds
        for seat, hand in enumerate(view.hands):
            choices = [*[(card,) for card in kinds], *combinations_with_replacement(kinds, 2)]
            for cards in [cards for cards in choices if len(cards) <= len(hand)]:
                can = reader.can_hold(seat, cards)
                self.compare("hand", not is_refused(view, form(seat=seat, cards=cards)), can, where, seat, cards)
                if len(set(cards)) == 1:
                    self.compare("holds", view.may_hold(seat, cards[0], len(cards)), can, where, seat, cards)

    def draws(self, view: Any, reader: Reader, where: str) -> None:
        """All cards that can come next, or that the last draw can have brought."""
        for move, blank in drawn_moves(view, reader):
            if not list(view.breaches(blank)):
                self.compare("draw", not is_refused(view, move), reader.can_be(view, move), where, move)
        if self.table.ruleset.name not in ("manapani", "verraeter"):
            return
        for seat, hand in enumerate(view.hands):
            if (count := view.newly_drawn(seat)) and hand.unknown:
                able = [card for card in reader.ways.kinds if reader.ways.can_have(([f"drawn {seat}"], [card]))]
                told = [card for card in reader.ways.kinds if card in view.newly_drawable(seat)]
                self.compare("drawable", told, able, where, seat)
                for cards in combinations_with_replacement(reader.ways.kinds, count) if count < 3 else ():
                    note = self.table.form("hold")(seat=seat, cards=cards, drawn=True)
                    can = reader.ways.can_have(([f"drawn {seat}"], cards))
                    self.compare("drawn", not is_refused(view, note), can, where, seat, cards)

    def blanks(self, view: Any, reader: Reader, where: str) -> None:
        """The cards that the keypad offers for a hand, or for a card that comes."""
        for move in [*view.off_turn_moves(), *view.legal_moves()][:8]:
            if tag(move) in ("hold", "show") and not getattr(move, "drawn", False):
                able = [card for card in reader.ways.kinds if reader.can_hold(move.seat, [card])]
            elif isinstance(move, (Draw, DrawExpansion)):
                able = [card for card in reader.ways.kinds if reader.can_be(view, replace(move, card=card))]
            else:
                continue
            names = sorted(map(short_name, able) if self.table.ruleset.name == "catan_cards" else able)
            for blank in view.blanks(move)[-1:]:
                self.compare("blank", sorted(blank.choices), names, where, move)

    def spies(self, view: Any, reader: Reader, where: str) -> None:
        """What a Spy can find who may take only units and actions."""
        if getattr(view, "phase", None) != "actions" or not len(view.hands[1 - view.active]):
            return
        for taken in (True, False):
            spy = Spy(seat=view.active, taken=taken)
            told = is_refused(view, spy, "catan_cards:Q19", "catan_cards:Q40", view.seen_rule)
            self.compare("spy", not told, reader.can_be(view, spy), where, spy)

    def deals(self, view: Any, reader: Reader, where: str) -> None:
        """Hands that are dealt for simulated games are those of some way, all together."""
        for lot in range(2):
            twin = view.copy()
            twin.decide_hidden(random.Random(lot))
            held = [(reader.hand(seat), hand.known) for seat, hand in enumerate(twin.hands)]
            held += [([f"away {seat}"], pile.known) for seat, pile in enumerate(getattr(twin, "buried", ()))]
            self.compare("deal", reader.ways.can_be(*held), True, where, held)

    def samples(self, view: Any, reader: Reader, where: str) -> None:
        """Facts of chance that are drawn for simulated games are those of some way."""
        moves = list(view.legal_moves())
        for move in self.chance.sample(moves, min(3, len(moves))):
            sampled = view.sample_chance(move, self.chance)
            self.compare("sample", reader.can_be(view, sampled), True, where, move, sampled)


def drawn_moves(view: Any, reader: Reader) -> Iterator[tuple[Move, Move]]:
    """Moves with each card that may come next, and the same moves without it."""
    if view.ruleset.name == "kahuna" and not view.ending:
        yield from drawn_in_kahuna(view, reader.ways.kinds)
    elif view.ruleset.name == "catan_cards" and view.phase not in ("start", "lay", "pick", None):
        stacks = [number for number, stack in enumerate(view.stacks, 1) if stack.size]
        for number, kind, search in product(stacks, reader.ways.kinds, (False, True)):
            draw = DrawExpansion(seat=view.active, stack=number, search=search)
            yield replace(draw, card=kind), draw


def drawn_in_kahuna(view: Any, kinds: Sequence[str]) -> Iterator[tuple[Move, Move]]:
    card, seat, moves = (view.row or [None])[0], view.active, list[tuple[Move, Move]]()
    if view.due == "row":
        rows = combinations_with_replacement(kinds, min(3, view.deck))
        moves += [(Row(cards=cards), Row(cards=(None,) * len(cards))) for cards in rows]
    elif view.due is None:
        draws = kinds if view.deck else ()
        moves += [(Draw(seat=seat, card=kind), Draw(seat=seat)) for kind in draws]
        taken = Take(seat=seat, card=card)
        moves += [(replace(taken, refill=kind), taken) for kind in draws if card]
        moves += [(Take(seat=seat, card=kind), Take(seat=seat)) for kind in kinds if None in view.row]
    yield from moves


def is_refused(state: Any, move: Move, *rules: str) -> bool:
    """Whether a move is impossible, or against a rule; or only against one of these rules."""
    try:
        state.copy().apply(move)
    except ImpossibleError:
        return True
    return any(not rules or breach.rule in rules for breach in state.breaches(move))


def follow(table: Table, record: Sequence[Made], judge: Judge, often: float, *, is_true: bool) -> None:
    """Follow a record from each viewpoint. What really happened is never refused."""
    state: Any = table.open()
    readers = {view: READERS[table.ruleset.name](table.copies, table.seats) for view in VIEWPOINTS}
    for made in record:
        before, entry, version = state.copy(), made.entry, made.version
        try:
            broken = [str(each) for each in state.breaches(entry)] if isinstance(entry, Move) else []
            after = state.copy()
            effects = after.apply(entry, version) if isinstance(entry, Move) else after.adjust(entry, version)
        except ImpossibleError:
            is_true = is_true and tag(entry) in ("hold", "show")  # without this move, the rest is another game
            continue
        state = after
        assert not (is_true and [text for text in broken if any(words in text for words in SEEN)]), (made, broken)
        for viewpoint, reader in list(readers.items()):
            view = state.view(viewpoint)
            reader.take(entry, Seen(before.view(viewpoint), view, effects), viewpoint)
            assert reader.ways.worlds or not is_true, (made, viewpoint.name, "what really happens is always possible")
            if not 0 < len(reader.ways.worlds) <= MOST:
                del readers[viewpoint]
            elif judge.chance.random() < often * min(1, 500 / len(reader.ways.worlds)):
                judge.ask(view, reader, f"{viewpoint.name} {version}")


class Spies(Table):
    """A game of the card game with many Spies, mostly too early, who may take only units and actions."""

    def __init__(self, name: str, seed: int) -> None:
        super().__init__(name, seed)
        self.options |= {"spy_any": False, "action_gate": "each3"}
        self.state = self.open()

    def move(self, *, slip: bool) -> bool:
        seat = self.state.active
        if self.state.phase == "actions" and "Spy" in self.hands()[seat] and self.chance.random() < 0.7:
            return self.apply(self.filled(Spy(seat=seat)))
        return super().move(slip=slip)


def tried(name: str, seed: int, kind: type[Table] = Table) -> Counter[tuple[str, bool]]:
    """A game, and corrections of its record."""
    with few_islands(ISLANDS[seed % 2]) if name == "kahuna" else nullcontext():
        table = kind(name, seed)
        table.play(ENTRIES, slips=0.03 if seed % 3 else 0, rulings=0 if seed % 3 == 1 else 0.08)
        noise, judge = Noise(table, seed, NOTING[seed % 4]), Judge(table, seed)
        record = noise.record()
        follow(table, record, judge, 0.3, is_true=True)
        for is_true in (True, False):
            follow(table, noise.corrected(record, faithful=is_true), judge, 0.1, is_true=is_true)
    return judge.asked


EVERY = [(name, seed) for name in READERS for seed in range(40)]
FEW = [("kahuna", 1), ("kahuna", 3), ("verraeter", 1), ("verraeter", 2), ("manapani", 2), ("catan_cards", 1)]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "seed"), soak_except(EVERY, *FEW))
def test_just_what_no_way_has_is_refused(name: str, seed: int) -> None:
    asked = tried(name, seed)
    assert asked["hand", True]
    assert asked["sample", True]


@pytest.mark.slow
@pytest.mark.parametrize("seed", soak_except(range(40), 1, 5))
def test_just_what_a_spy_can_find_is_not_refused(seed: int) -> None:
    asked = tried("catan_cards", seed, Spies)
    assert asked["spy", True]
    assert asked["deal", True]
