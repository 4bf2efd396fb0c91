"""Deals hidden cards from a sample of worlds, for games with too many arrangements to weigh all of them.

A world is one way in which the cards can lie. Unseen cards stay open there: each is a slot of a pile, one of the cards
that this pile has left. The deal and each shuffle make a pile, which can include slots of earlier piles. When a card is
seen in a place, chance picks the slot that holds it. The weight of the world is multiplied by the chance that any slot
of the place holds it. So nearly all worlds stay possible, and their weights stay close to each other.

If several slots of the place hold this card, chance could have picked each of them. The weight is divided by their
number, so that the world does not count several times. For this, a sighting remembers the other slots. A search of a
stack also remembers the slots that cannot hold the card, because they lie before it. A deal fills the slots that are
still open. It is kept with the probability that the sightings leave, or else tried again.
"""

from __future__ import annotations

from bisect import bisect
from collections import Counter
from hashlib import sha256
from itertools import accumulate, chain, count
from struct import unpack
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar, cast

from games.chance import lot_of
from games.knowledge import DRAWN, LOOKED_FOR, SEARCHED, SHUFFLED

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence, Set

    from games.contract import Chance
    from games.knowledge import Fact, Table
    from games.knowledge.arrangements import Item
    from games.weighing import DealTeller

    Draw = Callable[[], float]
    """Draws a random number from 0 to 1."""

Choice = TypeVar("Choice")
WORLDS = 96
"""The number of worlds in a sample."""
FEW, VERY_FEW = 1 / 2, 1 / 5
"""If fewer of the worlds count after a card was seen, a sample is drawn that favours this card, or a larger one."""
MORE, MANY = 4, 8
"""How many times as many worlds are drawn if none of a sample is left, or very few count."""
MOST_TRIES = 200
"""The most fillings of open slots for one deal."""


class Sighting(NamedTuple):
    """A card that was seen in a place: the other slots there, as bits, and the number of slots known to hold it.

    With the number 0, a search did not find the card there: none of these slots can hold it.
    """

    others: int
    found: int

    def part_with(self, slots: int) -> float:
        """The part of the weight that is left if these slots hold the card, too."""
        more = (self.others & slots).bit_count()
        return self.found / (self.found + more) if more else 1.0


class World:
    """One way in which the cards can lie, with its weight.

    `lying` has the items of each place: cards, and numbers of slots. `cards` and `inner` have the cards and the slots
    of older piles that each pile has left for its slots. `seen` are the sightings of cards that may still come.
    """

    __slots__ = ("cards", "inner", "lying", "seen", "weight")

    def __init__(self, lying: list[list[Item]], cards: list[list[str]], inner: list[list[int]]) -> None:
        """No card was seen."""
        self.lying, self.cards, self.inner, self.weight = lying, cards, inner, 1.0
        self.seen: dict[str, tuple[Sighting, ...]] = {}

    def copy(self) -> World:
        """An independent copy."""
        twin = World([*map(list.copy, self.lying)], [*map(list.copy, self.cards)], [*map(list.copy, self.inner)])
        twin.seen, twin.weight = self.seen.copy(), self.weight
        return twin

    def see(self, at: int, cards: Mapping[str, int], pile_of: Sequence[int], draw: Draw) -> None:
        """Learn that a place has so many of these cards: those missing among its named cards are slots."""
        for card, copies in cards.items():
            for _ in range(copies - self.lying[at].count(card)):
                slots = slots_of(self.lying[at])
                if slot := self._picked_slot((at,), slots, card, 0, pile_of, draw):
                    self._remember(card, bits_of(slots) ^ slot, 1)

    def turn_up(self, top: Sequence[int], to: int, card: str, pile_of: Sequence[int], draw: Draw) -> None:
        """Learn that chance brought this card, of all cards of the top place. It went to another place."""
        if not top or not self.weight:
            self.weight = 0.0
            return
        (at,) = top
        items = self.lying[at]
        self.weight /= len(items)
        self._picked_slot((at,), slots_of(items), card, items.count(card), pile_of, draw)
        if self.weight:
            self.move(at, to, [card])

    def search(self, places: Sequence[int], to: int, card: str, pile_of: Sequence[int], draw: Draw) -> None:
        """Learn that some places were searched for a card in their order. The first one found went to another place.

        So no slot of the places before it is the card.
        """
        named = next((number for number, at in enumerate(places) if card in self.lying[at]), len(places))
        slots = slots_of(chain(*[self.lying[at] for at in places[:named]]))
        slot = self._picked_slot(places, slots, card, int(named < len(places)), pile_of, draw)
        if not self.weight:
            return
        at = next(at for at in places if card in self.lying[at])
        if slot:
            self._remember(card, bits_of(slots_of(self.lying[at])), 1)
        before = places[: places.index(at)]
        self._remember(card, bits_of(slots_of(chain(*[self.lying[at] for at in before]))), 0)
        self.move(at, to, [card])

    def fill(self, at: int, kinds: Collection[str], pile_of: Sequence[int], draw: Draw) -> None:
        """Name all slots of a place. Each is one of these kinds, by chance."""
        for slot in slots_of(self.lying[at]):
            able = [card for card in kinds if self._share(pile_of[slot], card, pile_of, {})]
            parts = [self._parts([slot], card, pile_of)[0] for card in able]
            self.weight *= sum(parts)
            if not self.weight:
                return
            card = _picked(able, parts, draw)
            self._take_out(slot, card, pile_of, draw)
            self.lying[at][self.lying[at].index(slot)] = card

    def exclude(self, at: int, kinds: Set[str], box: Iterable[str], pile_of: Sequence[int], draw: Draw) -> None:
        """Learn that a place has no card of these kinds. The box has other kinds, too."""
        if kinds.isdisjoint(self.lying[at]):
            self.fill(at, [card for card in box if card not in kinds], pile_of, draw)
        else:
            self.weight = 0.0

    def move_one_of(self, at: int, to: int, kinds: Set[str], draw: Draw) -> None:
        """Move any card of these kinds. All cards of the place are named."""
        able = [card for card in self.lying[at] if isinstance(card, str) and card in kinds]
        if able:
            self.move(at, to, [_picked(able, [1.0] * len(able), draw)])
        else:
            self.weight = 0.0

    def move(self, at: int, to: int, cards: Iterable[str]) -> None:
        """Move named cards of a place."""
        for card in cards:
            self.lying[at].remove(card)
            self.lying[to].append(card)

    def any_of(self, places: Sequence[int], draw: Draw) -> tuple[int, int]:
        """The place and the index of any card of some places. With no card there, the world is impossible."""
        if len(places) == 1 and (items := self.lying[places[0]]):
            return places[0], int(draw() * len(items))
        lot = int(draw() * self._count(places))
        for at in places:
            if lot < len(self.lying[at]):
                return at, lot
            lot -= len(self.lying[at])
        self.weight = 0.0
        return 0, 0

    def favoured_places(
        self, places: Sequence[int], favoured: Set[str], pile_of: Sequence[int], draw: Draw
    ) -> Sequence[int]:
        """The places that can have a favoured card, or the others: half of the worlds have the one, and half the other.

        The weight makes up for it.
        """
        able = [at for at in places if not favoured.isdisjoint(self.names_at(at, pile_of))]
        others = [at for at in places if self.lying[at] and at not in able]
        if not (able and others):
            return places
        picked = able if draw() < 1 / 2 else others
        self.weight *= 2 * self._count(picked) / self._count(places)
        return picked

    def names_at(self, at: int, pile_of: Sequence[int]) -> set[str]:
        """The named cards of a place, and those of the piles of its slots. The first pile has all cards."""
        piles = {pile_of[item] for item in self.lying[at] if isinstance(item, int)} - {0}
        return {item for item in chain(self.lying[at], *[self.cards[pile] for pile in piles]) if isinstance(item, str)}

    def _count(self, places: Sequence[int]) -> int:
        return sum([len(self.lying[at]) for at in places])

    def is_mixed(self, at: int, pile_of: Sequence[int]) -> bool:
        """Whether the items of a place differ: named cards, and slots of piles."""
        items = self.lying[at]
        if str in {*map(type, items)}:
            return len({item if isinstance(item, str) else pile_of[item] for item in items}) > 1
        return len(self.cards) > 1 and len({*map(pile_of.__getitem__, cast("list[int]", items))}) > 1

    def move_all(self, sources: Sequence[int], to: int) -> None:
        """Move all cards of some places."""
        for at in sources:
            if self.lying[at]:
                self.lying[to] += self.lying[at]
                self.lying[at] = []

    def shuffle(self, at: int, first: int) -> None:
        """Make the cards of a place a pile, with slots numbered from `first` on."""
        lying = self.lying[at]
        self.cards.append([item for item in lying if isinstance(item, str)])
        self.inner.append(slots_of(lying))
        self.lying[at] = list(range(first, first + len(lying)))

    def _picked_slot(
        self, places: Sequence[int], slots: Sequence[int], card: str, named: int, pile_of: Sequence[int], draw: Draw
    ) -> int:
        """Pick one of these slots that is a card, or one of so many named ones. The slot, as a bit, gets the name."""
        shares: dict[int, float] = {}
        parts = [float(named), *(self._parts(slots, card, pile_of, shares) if slots else ())]
        self.weight *= sum(parts)
        slot = _picked([-1, *slots], parts, draw) if self.weight else -1
        if slot < 0:
            return 0
        self._take_out(slot, card, pile_of, draw, shares)
        lying = next(self.lying[at] for at in places if slot in self.lying[at])
        lying[lying.index(slot)] = card
        return 1 << slot

    def _remember(self, card: str, others: int, found: int) -> None:
        """Remember the other slots of a sighting, as long as the card can come again."""
        if not any(card in cards for cards in self.cards):
            self.seen.pop(card, None)
        elif others:
            self.seen[card] = (*self.seen.get(card, ()), Sighting(others, found))

    def _parts(
        self, slots: Sequence[int], card: str, pile_of: Sequence[int], shares: dict[int, float] | None = None
    ) -> list[float]:
        """For each slot, the probability that it is the card, by the part of the weight that is left then.

        It is the same for all slots of a pile, but for sightings. `shares` keeps it for each pile.
        """
        shares = {} if shares is None else shares
        parts = []
        for slot in slots:
            pile = pile_of[slot]
            if pile not in shares:
                shares[pile] = self._share(pile, card, pile_of, shares)
            parts.append(shares[pile])
        for others, found in self.seen.get(card, ()):
            left = found / (found + 1)
            parts = [part * left if others >> slot & 1 else part for part, slot in zip(parts, slots, strict=True)]
        return parts

    def _share(self, pile: int, card: str, pile_of: Sequence[int], shares: dict[int, float]) -> float:
        """The same for any slot of a pile."""
        cards, inner = self.cards[pile], self.inner[pile]
        found = cards.count(card) + (sum(self._parts(inner, card, pile_of, shares)) if inner else 0.0)
        return found / (len(cards) + len(inner)) if found else 0.0

    def _take_out(
        self, slot: int, card: str, pile_of: Sequence[int], draw: Draw, shares: dict[int, float] | None = None
    ) -> None:
        """Take a card that a slot holds out of the pile, and count it in earlier sightings."""
        if sightings := self.seen.get(card):
            self.seen[card] = tuple([Sighting(others, found + (others >> slot & 1)) for others, found in sightings])
            shares = None
        cards, inner = self.cards[pile_of[slot]], self.inner[pile_of[slot]]
        if inner:
            older = _picked([-1, *inner], [cards.count(card), *self._parts(inner, card, pile_of, shares)], draw)
            if older >= 0:
                inner.remove(older)
                self._take_out(older, card, pile_of, draw, shares)
                return
        cards.remove(card)


class SampledKnowledge:
    """A sample of the worlds that fit all facts. The same facts always have the same sample.

    A fact can be a surprise: few worlds have it. Then another sample is drawn. In half of its worlds, unseen searches
    found a card in a place that can have the surprising one. If this is not enough, a larger sample is drawn. If the
    fact rules out that one, too, nothing is known any more: most likely, facts contradict each other.
    """

    are_too_many = False

    def __init__(self, table: Table, size: int = WORLDS) -> None:
        """Only the cards are known."""
        self._table, self._size = table, size
        self._favoured, self._was_searched = frozenset[str](), False
        self._surprised, self._is_ruled_out = 0, False
        self._at = {place: number for number, place in enumerate(table.places)}
        self._stacks = {stack[0]: [self._at[place] for place in stack] for stack in table.stacks}
        self._facts: list[tuple[Fact, bool]] = []
        self._begin()

    def _begin(self, times: int = 1) -> None:
        cards, deck = [*Counter(self._table.cards).elements()], self._at[self._table.deck]
        self._pile_of = [0] * len(cards)
        first = World([[] for _ in self._at], [cards], [[]])
        first.lying[deck] = list(range(len(cards)))
        self.worlds = [first.copy() for _ in range(self._size * times)]
        self._counting = float(len(self.worlds))

    def __len__(self) -> int:
        """The number of worlds: 0 if nothing is known."""
        return len(self.worlds)

    def __copy__(self) -> SampledKnowledge:
        """An independent copy."""
        twin = object.__new__(SampledKnowledge)
        twin.__dict__.update(self.__dict__)
        twin._facts, twin._pile_of = self._facts.copy(), self._pile_of.copy()
        twin.worlds = [world.copy() for world in self.worlds]
        return twin

    def dealer(self, places: Sequence[str]) -> SampledDeals:
        """The dealer of the cards of these places, by what is known now."""
        return SampledDeals(self.worlds, self._pile_of, [self._at[place] for place in places])

    def follow(self, teller: DealTeller, version: int, word: Any) -> None:
        """Learn the facts of a word: a move or an adjustment."""
        for fact in teller.facts_of(version, word):
            self._facts.append((fact, teller.is_chance(word)))
            self._learn(len(self._facts))
            is_surprise = self._counting < FEW * self._size if self._was_searched else not self.worlds
            if is_surprise and not self._is_ruled_out:
                self._draw_again(fact)

    def _draw_again(self, surprise: Fact) -> None:
        """Draw another sample for a fact that few worlds have: in favour of its cards, then a larger one."""
        self._surprised = len(self._facts)
        if self.worlds and not self._favoured.issuperset(surprise.named()):
            self._favoured = self._favoured.union(surprise.named())
            self._begin_anew(1)
        if self._counting < VERY_FEW * self._size:
            self._begin_anew(MANY if self.worlds else MORE)
        self._is_ruled_out = not self.worlds

    def _begin_anew(self, times: int) -> None:
        """Learn all facts again, with so many times as many worlds. As many as before are kept."""
        self._begin(times)
        for number in range(1, len(self._facts) + 1):
            self._learn(number)

    def gather(self, hands: Sequence[str]) -> None:
        """Put the cards of hands' last draws to their other cards."""
        for hand in hands:
            for world in self.worlds:
                world.move_all([self._at[DRAWN + hand]], self._at[hand])

    def _learn(self, number: int) -> None:
        """Learn a fact. Its number seeds all that is drawn."""
        (fact, is_chance), draw = self._facts[number - 1], _random_numbers(number).__next__
        self.gather(fact.gathered)
        if fact.source == SHUFFLED:
            self._shuffle(fact)
            self._counting = float(len(self.worlds))
            return
        stack = self._stacks.get(fact.source.removeprefix(SEARCHED), ())
        if is_chance and fact.source == self._table.deck != fact.to:
            stack = [self._at[fact.source]]
        if stack:
            self._leave(stack, fact, draw)
        elif fact.source.startswith(LOOKED_FOR):
            for world in self.worlds:
                self._look_for(world, fact, draw)
        else:
            self._take(fact, draw)
        self._select(number, draw)

    def _leave(self, stack: Sequence[int], fact: Fact, draw: Draw) -> None:
        """Learn that cards left a stack: its next ones, or those that somebody looked for."""
        is_search, to = fact.source.startswith(SEARCHED), self._at[fact.to]
        for card in fact.cards:
            if not card:
                self._move_unseen(self._favoured_of(stack, draw) if is_search else self._tops(stack), to, draw)
            elif is_search:
                for world in self.worlds:
                    world.search(stack, to, card, self._pile_of, draw)
            else:
                for world, top in zip(self.worlds, self._tops(stack), strict=True):
                    world.turn_up(top, to, card, self._pile_of, draw)

    def _tops(self, stack: Sequence[int]) -> list[Sequence[int]]:
        """The first place of a stack with a card in each world, or none."""
        return [next(((at,) for at in stack if world.lying[at]), ()) for world in self.worlds]

    def _favoured_of(self, searched: Sequence[int], draw: Draw) -> list[Sequence[int]]:
        """The places of an unseen search in each world."""
        self._was_searched = True
        if not self._favoured:
            return [searched] * len(self.worlds)
        return [world.favoured_places(searched, self._favoured, self._pile_of, draw) for world in self.worlds]

    def _look_for(self, world: World, fact: Fact, draw: Draw) -> None:
        """Learn that somebody looked in a place for certain kinds of card: some went, unseen, or none was there."""
        at, kinds, box = self._at[fact.source.removeprefix(LOOKED_FOR)], self._table.wanted, self._table.cards
        if not fact.cards:
            world.exclude(at, kinds, box, self._pile_of, draw)
            return
        world.fill(at, [*box], self._pile_of, draw)
        for _ in fact.cards:
            world.move_one_of(at, self._at[fact.to], kinds, draw)

    def _take(self, fact: Fact, draw: Draw) -> None:
        """Learn that cards were chosen in a place and went to another, or stay there."""
        at, to, named = self._at[fact.source], self._at[fact.to], fact.named()
        cards = Counter([*fact.stay, *named])
        for world in self.worlds if cards else ():
            world.see(at, cards, self._pile_of, draw)
        if at == to:
            return
        self.worlds = [world for world in self.worlds if world.weight]
        for world in self.worlds:
            world.move(at, to, named)
            for card in fact.stay:
                world.lying[at].remove(card)
        self._move_unseen([[at]] * len(self.worlds), to, draw, fact.cards.count(None))
        for world in self.worlds:
            world.lying[at] += fact.stay

    def _move_unseen(self, sources: Sequence[Sequence[int]], to: int, draw: Draw, count: int = 1) -> None:
        """Move any cards of some places, which can be others in each world. Several cards come from one place.

        If a named card could go, the cards of its place become a pile first. So no chance decides which one went. The
        card can be seen later in each place that could have it, and the world stays possible.
        """
        if count > 1 and not any(world.seen for world in self.worlds):
            count = self._move_alike(sources, to, count)
        for number in range(count):
            found = [world.any_of(places, draw) for world, places in zip(self.worlds, sources, strict=True)]
            if number == 0:
                self._mix([at for at, _ in found])
            for world, (at, index) in zip(self.worlds, found, strict=True):
                if world.weight:
                    world.lying[to].append(world.lying[at].pop(index))

    def _move_alike(self, sources: Sequence[Sequence[int]], to: int, count: int) -> int:
        """Move all but one of some cards that are alike: slots of one pile, with no card seen. The number left."""
        for world, (at,) in zip(self.worlds, sources, strict=True):
            if len(world.lying[at]) < count or world.is_mixed(at, self._pile_of):
                return count
        for world, (at,) in zip(self.worlds, sources, strict=True):
            world.lying[to] += world.lying[at][1 - count :]
            del world.lying[at][1 - count :]
        return 1

    def _mix(self, places: Sequence[int]) -> None:
        """Make the cards of a place of each world a pile, if a named card is among others there."""
        mixed = [world.is_mixed(at, self._pile_of) for world, at in zip(self.worlds, places, strict=True)]
        if any(mixed):
            self._make_piles([at if is_mixed else None for at, is_mixed in zip(places, mixed, strict=True)])

    def _make_piles(self, places: Sequence[int | None]) -> None:
        """Make the cards of a place of each world a pile. Without a place the pile is empty."""
        first, number = len(self._pile_of), len(self.worlds[0].cards) if self.worlds else 0
        for world, at in zip(self.worlds, places, strict=True):
            if at is None:
                world.cards.append([])
                world.inner.append([])
                continue
            self._pile_of += [number] * (first + len(world.lying[at]) - len(self._pile_of))
            world.shuffle(at, first)

    def _shuffle(self, fact: Fact) -> None:
        """Put the cards of the shuffled places to the others of the deck, as a pile."""
        sources, to = [self._at[place] for place in self._table.shuffled], self._at[fact.to]
        for world in self.worlds:
            world.move_all(sources, to)
        self._make_piles([to] * len(self.worlds))

    def _select(self, number: int, draw: Draw) -> None:
        """Drop impossible worlds. If few of them have most of the weight, draw as many again, all with equal weights.

        This is systematic sampling: equal steps along the sum of the weights, from a random start.
        """
        self.worlds = [world for world in self.worlds if world.weight]
        whole = sum([world.weight for world in self.worlds])
        for world in self.worlds:
            world.weight /= whole
        self._counting = 1 / sum([world.weight**2 for world in self.worlds]) if self.worlds else 0.0
        if number >= self._surprised and (len(self.worlds) > self._size or 0 < self._counting < self._size / 2):
            ends = list(accumulate([world.weight for world in self.worlds]))
            start = draw()
            drawn = [bisect(ends, ends[-1] * (step + start) / self._size) for step in range(self._size)]
            self.worlds = [self.worlds[number].copy() for number in drawn]
            for world in self.worlds:
                world.weight = 1 / self._size


class SampledDeals:
    """Deals the hidden cards of some places, any number of times. It never changes."""

    def __init__(self, worlds: Sequence[World], pile_of: Sequence[int], places: Sequence[int]) -> None:
        """Take the worlds now. If nothing is known, there are none."""
        same: dict[tuple[Any, ...], Any] = {}
        self._worlds = [OpenWorld(world, pile_of, places, same) for world in worlds]
        self._ends = list(accumulate([world.weight for world in worlds]))

    def __len__(self) -> int:
        """The number of worlds: 0 if nothing is known."""
        return len(self._worlds)

    def deal(self, chance: Chance) -> list[list[str]]:
        """Deal cards to each place by chance."""
        for _ in range(MOST_TRIES):
            world = self._worlds[bisect(self._ends, lot_of(chance) * self._ends[-1])]
            filled = world.filled(chance)
            part = world.part_with(filled)
            if part == 1 or lot_of(chance) < part:
                break
        return world.cards_of(filled)


class OpenWorld:
    """A world with the slots that a deal has to fill: those of some places, and those that sightings count."""

    __slots__ = ("_piles", "_places", "_seen")

    def __init__(
        self, world: World, pile_of: Sequence[int], places: Sequence[int], same: dict[tuple[Any, ...], Any]
    ) -> None:
        """Take the open slots of each pile, the newest pile first: its cards can be slots of older ones.

        Equal parts of worlds are kept once, in `same`.
        """
        kept = same.setdefault
        self._places = [kept(items, items) for items in (tuple(world.lying[at]) for at in places)]
        unfilled = [*slots_of(chain(*world.lying)), *chain(*world.inner)]
        self._seen = {card: kept(found, found) for card, found in _still_open(world, bits_of(unfilled))}
        wanted = bits_of(slots_of(chain(*self._places)))
        for sightings in self._seen.values():
            for others, _ in sightings:
                wanted |= others
        self._piles: list[tuple[tuple[Item, ...], tuple[int, ...]]] = []
        for pile in range(len(world.cards) - 1, -1, -1):
            if slots := tuple([slot for slot in unfilled if pile_of[slot] == pile and wanted >> slot & 1]):
                items: tuple[Item, ...] = (*world.cards[pile], *world.inner[pile])
                self._piles.append((kept(items, items), kept(slots, slots)))
                wanted |= bits_of(world.inner[pile])

    def filled(self, chance: Chance) -> dict[int, str]:
        """Fill the slots by chance."""
        items: dict[int, Item] = {}
        for left, slots in self._piles:
            items.update(zip(slots, chance.sample(left, len(slots)), strict=True))
        cards: dict[int, str] = {}
        for slot, item in reversed(items.items()):  # a slot that fills another one is in an older pile
            cards[slot] = item if isinstance(item, str) else cards[item]
        return cards

    def part_with(self, filled: dict[int, str]) -> float:
        """The part of the weight that is left with these cards in the slots."""
        part = 1.0
        for card in self._seen.keys() & filled.values():
            slots = bits_of([slot for slot, held in filled.items() if held == card])
            for sighting in self._seen[card]:
                part *= sighting.part_with(slots)
        return part

    def cards_of(self, filled: dict[int, str]) -> list[list[str]]:
        """The cards of each place with these cards in the slots."""
        return [[item if isinstance(item, str) else filled[item] for item in items] for items in self._places]


def _still_open(world: World, unfilled: int) -> Iterator[tuple[str, tuple[Sighting, ...]]]:
    """The sightings of each card, with the other slots that are not filled yet."""
    for card, sightings in world.seen.items():
        kept = [Sighting(others & unfilled, found) for others, found in sightings if others & unfilled]
        if kept:
            yield card, tuple(kept)


def slots_of(items: Iterable[Item]) -> list[int]:
    """The slots among items."""
    return [item for item in items if isinstance(item, int)]


def bits_of(slots: Iterable[int]) -> int:
    """A set of slots as the bits of a number."""
    return sum([1 << slot for slot in slots])


def _picked(choices: Sequence[Choice], parts: Sequence[float], draw: Draw) -> Choice:
    """A choice, drawn by its part of all."""
    ends = list(accumulate(parts))
    return choices[bisect(ends, draw() * ends[-1])]


def _random_numbers(seed: int) -> Iterator[float]:
    """Random numbers from 0 to 1, always the same for a seed."""
    for number in count():
        for part in unpack(">8I", sha256(f"{seed} {number}".encode()).digest()):
            yield part / 2**32
