"""What can be known of hidden cards, exactly: all arrangements that agree with what was seen, by kind of card.

A shuffle makes a pile of unknown order, so all places of its cards are alike until a card is seen. So an arrangement
leaves cards open: a place holds named cards, and a number of slots of a pile. A slot is any one of the cards of the
pile. A later shuffle can include slots, so a pile can hold slots of earlier piles. A few such arrangements represent
all possible ones, each with a weight. Negative weights subtract what was counted twice, by inclusion and exclusion. The
sums are exact: weights are whole numbers, parts of one common whole.

After an unseen choice of a player, all cards that could have been chosen are equally likely. So the cards of the place
count as shuffled: they become a pile, and one of its slots goes. A card that is searched in several places comes from
the first place that has it.

If there are too many arrangements, a sample is drawn, with higher weights for arrangements that are less likely to be
drawn. So each weight is right on average, and odds are near the exact ones. `is_exact` is False then. A later fact can
rule out the whole sample. Then everything is counted again with a sample of twice the size. A sample that is ruled out
has no weights at all, so the weights of the next one are still right on average, compared with each other.

`Knowledge` has the weights, for odds. `Possibilities` only checks whether any arrangement fits, and is much faster.
Both learn from facts about cards, which come from moves.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from copy import copy
from fractions import Fraction
from functools import partial, reduce
from hashlib import sha256
from itertools import chain, islice
from math import comb, factorial, gcd, lcm
from operator import and_
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from games.recent import Recent

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence, Set

Item = str | int
"""A kind of card, or the number of a pile that a slot belongs to."""
Holding = tuple[tuple[Item, int], ...]
"""The items of a pile or a place, with their counts."""
Arrangement = tuple[Holding, ...]
"""The holdings of all places, and then of all piles."""
Arrangements = dict[Arrangement, None]
"""A set of arrangements in a fixed order."""
if TYPE_CHECKING:
    Part = tuple[int, int, Arrangement]
    """A share of an arrangement's weight, as a numerator and a denominator, and the arrangement that gets it."""
    Step = Callable[[Arrangement], Iterable[Part]]
    """Turns an arrangement into others, each with its share of the weight."""

MOST = 20_000
"""The most arrangements with weights that are kept; of more, a sample is drawn."""
FEW_PILES = 4
"""With more piles, an arrangement is brought into its normal form, and the depth of nested piles is checked."""
MOST_WAYS, MOST_WEIGHED_WAYS = 12, 50
"""The most ways from a slot through nested piles to a card. With more, arrangements are pooled, or slots are decided.
"""
MOST_DOUBLED = 3
"""How often a new sample of twice the size is drawn."""
STARTS = 2**48
"""The number of points between two weights at which a sample can start."""


class Fact(NamedTuple):
    """A fact of entry `version`: cards went from `source` to another place. None is a card that was not seen.

    Cards that go to the same place were only looked at there. `stay` are known cards of the source that stayed. If the
    source is `SHUFFLED`, all cards of the shuffled places go there. Before that, the cards of the last draws of
    `gathered` hands are put to the other cards of these hands.
    """

    version: int
    source: str
    to: str
    cards: tuple[str | None, ...] = ()
    stay: tuple[str, ...] = ()
    gathered: tuple[str, ...] = ()

    def named(self) -> list[str]:
        """The cards that were seen."""
        return [card for card in self.cards if card]


SEARCHED = "any of "
"""The prefix of a stack as a source if its cards come from anywhere in it, not from its top."""
LOOKED_FOR = "looked for in "
"""The prefix of a place as a source if somebody looked there for certain kinds of card. With no card, none was found.
"""
SHUFFLED = ""
"""The source of a shuffle."""
DRAWN = "drawn to "
"""The prefix of a hand for the place of the cards of its last draw."""


class Table(NamedTuple):
    """The cards of a game, their possible places, and the place of the deck: at first all cards lie there.

    The cards of the `shuffled` places go there at a shuffle. `Possibilities` keeps at most `most` arrangements. The
    places of a stack lie one on the other; the first is on top, and names the stack. If it `mixes`, the cards of a
    place become a pile when one of them leaves unseen. So there are far fewer arrangements, and more than `most` are
    pooled into one. It is False only for older revisions. `wanted` are the kinds of card that are `LOOKED_FOR`.
    """

    cards: Mapping[str, int]
    places: tuple[str, ...]
    deck: str
    shuffled: tuple[str, ...] = ()
    most: int = 5_000
    stacks: tuple[tuple[str, ...], ...] = ()
    mixes: bool = True
    wanted: frozenset[str] = frozenset()

    def gathering(self) -> list[Fact]:
        """A fact that puts the cards of the last draws to the other cards of all hands; none without such places."""
        hands = tuple(place.removeprefix(DRAWN) for place in self.places if place.startswith(DRAWN))
        return [Fact(0, hands[0], hands[0], gathered=hands)] if hands else []


class Knowledge:
    """The possible arrangements of cards in places, with weights.

    All cards lie in the deck at first, shuffled. Once no arrangement fits, `is_exact` is False for ever, and nothing is
    known. Of more than `most` arrangements, a sample of half of `most` is drawn: `is_exact` is False then, too, and
    odds are near the true ones. All steps are kept, to draw again if a fact rules out the sample.
    """

    def __init__(self, table: Table, most: int = MOST, *, seed: str = "") -> None:
        """Only the cards are known. Another `seed` draws other samples."""
        self._table, self._most, self._limit = table, most, most << MOST_DOUBLED
        self._seed, self._drawn = seed, 0
        self._steps = list["Step"]()
        self._at = {place: number for number, place in enumerate(table.places)}
        self._first = _opening(table)
        self._weights, self._whole = {self._first: 1}, 1
        self.is_exact = True

    def __len__(self) -> int:
        """The number of arrangements."""
        return len(self._weights)

    @property
    def sample(self) -> int:
        """The size of the sample of arrangements; 0 if they are all, or if nothing is known."""
        return 0 if self.is_exact else len(self._weights)

    def add_place(self, place: str) -> None:
        """Add an empty place."""
        places = self._at[place] = len(self._at)
        self._first = _widened(self._first, places)
        self._weights = {_widened(each, places): weight for each, weight in self._weights.items()}

    def may_hold(self, place: str) -> bool:
        """Whether a place can have cards."""
        at = self._at[place]
        return any(each[at] for each in self._weights)

    def learn(self, fact: Fact) -> Iterator[tuple[dict[str, int], str | None]]:
        """Learn a fact. Each card from the deck is an event of chance: yield its odds and the card."""
        self.gather(fact.gathered)
        if fact.source == SHUFFLED:
            self.shuffle(self._table.shuffled, fact.to)
        elif fact.source == fact.to:
            self.see(fact.source, fact.named())
        elif fact.source == self._table.deck:
            for card in fact.cards:
                odds = self.odds_before(card, fact.source)
                yield odds, card if card in odds else None
                if card:
                    self.turn_up(fact.source, fact.to, card)
                else:
                    self.move_unseen(fact.source, fact.to)
        else:
            self.take(fact)

    def take(self, fact: Fact) -> None:
        """Learn that cards were chosen in a place and went to another. Cards that stay are set aside meanwhile."""
        self.gather(fact.gathered)
        self.move(fact.source, self._table.deck, fact.stay)
        self.move(fact.source, fact.to, fact.named())
        self.move_unseen(fact.source, fact.to, fact.cards.count(None))
        self.move(self._table.deck, fact.source, fact.stay)

    def shuffle(self, sources: Sequence[str], target: str) -> None:
        """Shuffle the cards of these places and the target into the target."""
        places, to = {self._at[place] for place in (*sources, target)}, self._at[target]
        self._replace(lambda each: [(1, 1, _shuffled(each, places, to))])

    def gather(self, hands: Sequence[str]) -> None:
        """Put the cards of hands' last draws to their other cards."""
        for hand in hands:
            at, to = self._at[DRAWN + hand], self._at[hand]
            self._replace(partial(all_gathered, at=at, to=to))

    def move(self, source: str, target: str, cards: Sequence[str]) -> None:
        """Learn that chosen cards of a place went to another, seen: the place had all of them."""
        for card, count in Counter(cards).items():
            self.see(source, [card] * count)
            self._replace(partial(_all_moved, at=self._at[source], to=self._at[target], card=card, count=count))

    def see(self, place: str, cards: Sequence[str]) -> None:
        """Learn that a place has these cards."""
        for card, count in Counter(cards).items():
            self._replace(partial(_having, at=self._at[place], card=card, count=count))

    def move_unseen(self, source: str, target: str, count: int = 1) -> None:
        """Learn that any cards of a place went to another, unseen."""
        for _ in range(count):
            self.draw_unseen([source], target)

    def turn_up(self, source: str, target: str, card: str) -> None:
        """Learn that the next card of a place is this one, and went to another."""
        self.draw([source], target, card)

    def draw_unseen(self, stack: Sequence[str], target: str) -> None:
        """Learn that the next card of a stack went to a place, unseen. The places of a stack lie one on the other."""
        places, to = [self._at[place] for place in stack], self._at[target]

        def step(each: Arrangement) -> Iterable[Part]:
            at = top_of(each, places)
            return [] if at is None else [(1, 1, _moved_unseen(each, at, to))]

        self._replace(step)

    def draw(self, stack: Sequence[str], target: str, card: str) -> None:
        """Learn that the next card of a stack is this one, and went to a place."""
        places, to = [self._at[place] for place in stack], self._at[target]

        def step(each: Arrangement) -> Iterable[Part]:
            at = top_of(each, places)
            return [] if at is None else _turned(each, at, to, card)

        self._replace(step)

    def search(self, stack: Sequence[str], target: str, card: str) -> None:
        """Learn that a stack was searched for this card, from the top. The first one found went to a place."""
        places, to = [self._at[place] for place in stack], self._at[target]
        self._replace(lambda each: _found(each, places, to, card))

    def search_unseen(self, stack: Sequence[str], target: str) -> None:
        """Learn that any card of a stack went to a place, unseen."""
        places, to = [self._at[place] for place in stack], self._at[target]
        self._replace(lambda each: _any_unseen(each, places, to))

    def look_for(self, fact: Fact) -> None:
        """Learn that somebody looked in a place for certain kinds of card: an unseen one went, or none was there."""
        place = fact.source.removeprefix(LOOKED_FOR)
        for _ in fact.cards:
            self.move_one_of(place, fact.to, self._table.wanted)
        if not fact.cards:
            self.exclude(place, self._table.wanted)

    def move_one_of(self, source: str, target: str, kinds: Set[str]) -> None:
        """Learn that a card of one of these kinds was chosen in a place, unseen, and went to another."""
        self._replace(partial(_one_of, at=self._at[source], to=self._at[target], kinds=kinds))

    def exclude(self, place: str, kinds: Set[str]) -> None:
        """Learn that a place has no card of these kinds."""
        self._replace(partial(_none_of, at=self._at[place], kinds=kinds))

    def numbers(self, places: Sequence[str]) -> list[int]:
        """The indexes of some places in arrangements."""
        return [self._at[place] for place in places]

    def odds(self, *stack: str) -> dict[str, int]:
        """The odds of the next card of a place or a stack, as weights; none if nothing is known.

        >>> Knowledge(Table({"a": 2, "b": 1}, ("deck",), "deck")).odds("deck")
        {'a': 2, 'b': 1}
        """
        found = defaultdict[tuple[str, int], int](int)
        for each, at in self._tops(stack):
            weight = self._weights[each]
            for card, part, whole in _kinds(each, each[at]):
                found[card, whole] += weight * part
        common, chances = lcm(*{whole for _, whole in found}), Counter[str]()
        for (card, whole), weight in found.items():
            chances[card] += weight * (common // whole)
        if any(chance < 0 for chance in chances.values()):
            return {}  # the sample is too small for the odds of this card
        return _shortened({card: chance for card, chance in sorted(chances.items()) if chance})

    def odds_before(self, card: str | None, *stack: str) -> dict[str, int]:
        """The odds of the next card of a stack, before it is `card`.

        If no arrangement of the sample has it, draw another.
        """
        odds = self.odds(*stack)
        while card and odds and card not in odds and self.sample and self._most < self._limit:
            self._begin_anew()
            odds = self.odds(*stack)
        return odds

    # Steps from arrangements to others

    def _tops(self, stack: Sequence[str]) -> Iterator[tuple[Arrangement, int]]:
        """Each arrangement with a card in a stack, and the index of the place with its next card."""
        places = [self._at[place] for place in stack]
        for each in self._weights:
            if (at := top_of(each, places)) is not None:
                yield each, at

    def _replace(self, step: Step) -> None:
        """Turn each arrangement into others by `step`."""
        self._steps.append(step)
        self._take(step)
        while not self._weights and self._most < self._limit:
            self._begin_anew()

    def _begin_anew(self) -> None:
        """Take all steps again, with another sample of twice the size."""
        self._most *= 2
        self._weights, self._whole, self.is_exact = {self._first: 1}, 1, True
        for step in self._steps:
            self._take(step)

    def _take(self, step: Step) -> None:
        self._take_once(step)
        places = len(self._at)
        while any(_is_deep(each, places, MOST_WEIGHED_WAYS) for each in self._weights):
            self._take_once(partial(_flatter, places=places))

    def _take_once(self, step: Step) -> None:
        weights, common, places = dict[Arrangement, int](), 1, len(self._at)
        for before, weight in self._weights.items():
            for part, whole, after in step(before):
                if common % whole:
                    times = whole // gcd(common, whole)
                    weights, common = {each: found * times for each, found in weights.items()}, common * times
                each = after if len(after) == len(before) else normal_form(after, places)
                weights[each] = weights.get(each, 0) + weight * part * (common // whole)
        self._weigh({each: weight for each, weight in weights.items() if weight}, self._whole * common)
        if self.is_exact and not sum(self._weights.values()):
            self._limit = 0  # the facts contradict each other
            self._lose()
        elif not self._weights:
            self._lose()
        elif len(self._weights) > self._most:
            self._sample(self._most // 2)

    def _weigh(self, weights: dict[Arrangement, int], whole: int) -> None:
        """Take these weights, as parts of `whole`, in the smallest numbers."""
        self._weights, self._whole = weights, whole
        if (size := gcd(whole, *weights.values())) > 1:
            self._weights, self._whole = {each: weight // size for each, weight in weights.items()}, whole // size

    def _lose(self) -> None:
        self._weights, self.is_exact = {}, False

    def _sample(self, size: int) -> None:
        """Draw a sample of about `size` arrangements that keeps all weights on average.

        All weights of at least `least` stay. Each other arrangement is drawn with probability weight / `least`, and
        then has the weight `least`. This is systematic sampling: equal steps along the sum of the weights, from a
        random start.
        """
        least, times = _least(sorted(map(abs, self._weights.values()), reverse=True), size)
        weights, passed = dict[Arrangement, int](), least * self._start()
        for each, before in self._weights.items():
            weight = before * times
            if abs(weight) >= least:
                weights[each] = weight
                continue
            passed += abs(weight) * STARTS
            if passed >= least * STARTS:
                passed -= least * STARTS
                weights[each] = least if weight > 0 else -least
        self._weigh(weights, self._whole * times)
        self.is_exact = False

    def _start(self) -> int:
        """A number from 0 to `STARTS`, always the same for the same steps and seed."""
        self._drawn += 1
        return int.from_bytes(sha256(f"{self._seed} {self._drawn}".encode()).digest()[:6])


MOST_MIDWAY = 5
"""During a fact, there can be this many times the table's `most` arrangements."""
FIRST = 8
"""The number of arrangements that are tried one by one for one that fits facts."""
FEW = 20
"""With more arrangements, each is brought into its normal form, to find equal ones."""


class Possibilities:
    """The arrangements that fit all facts, without weights, to check whether any fits.

    It never changes: `after` makes new possibilities. With more arrangements than the table keeps, anything counts as
    possible. If the table `mixes`, a place still has the cards that it has in all of them.
    """

    __slots__ = ("_all", "_at", "_kinds_at", "_layers", "_table", "are_known")

    def __init__(self, table: Table) -> None:
        """Only the cards are known."""
        self._table, self.are_known = table, True
        self._at = {place: number for number, place in enumerate(table.places)}
        self._layers = [[self._at[place] for place in stack] for stack in table.stacks]
        self._all = {_opening(table): None}
        self._kinds_at: dict[int, set[str]] = {}

    def __bool__(self) -> bool:
        """Whether any arrangement fits; True if there were too many."""
        return bool(self._all) or not self.are_known

    def __len__(self) -> int:
        """The number of arrangements; 0 if there were too many."""
        return len(self._all)

    def example(self) -> tuple[dict[str, list[list[str | None]]], dict[str, int]]:
        """The cards of each place in one arrangement, in groups from the top of a stack, and all unseen cards.

        None is any card that nobody has seen. It works only before a shuffle.
        """
        first = min(self._all, key=repr)
        places = self._table.places
        below = {place: stack[0] for stack in self._table.stacks for place in stack}
        groups: dict[str, list[list[str | None]]] = {}
        *lying, left = _laid_out(first, len(places))
        for place, cards in zip(places, lying, strict=True):
            found = groups.setdefault(below.get(place, place), [])
            if cards or not found:
                found.append(cards)
        for found in groups.values():
            found[:] = [group for group in found if group] or [[]]
        return groups, dict.fromkeys(self._table.cards, 0) | Counter(filter(None, left))

    def after(self, fact: Fact) -> Possibilities:
        """The possibilities after a further fact."""
        found = self._with_arrangements({})
        if self.are_known:
            found._all = dict.fromkeys(self._told(self._all, fact))
            if self._table.mixes:
                most, are_many = len(self._table.places) + FEW_PILES, len(found._all) > FEW
                tidied = (self._normal_form(each) if are_many or len(each) > most else each for each in found._all)
                found._all = dict.fromkeys(tidied)
                if len(found._all) > self._table.most or any(
                    _is_deep(each, len(self._at), MOST_WAYS) for each in found._all
                ):
                    found._all = {self._normal_form(self._pooled(found._all)): None}
            if len(found._all) > self._table.most:
                found._all, found.are_known = {}, False
        return found

    def allows(self, told: Sequence[Fact]) -> bool:
        """Whether an arrangement fits these facts. One is enough, so this is quicker than `after`."""
        return any(self._fitting(each, told) for each in self._all)

    def first_way(self, told: Sequence[Fact]) -> Possibilities | None:
        """A single arrangement after these facts, found among the first few; None if they fit none of those."""
        for each in islice(self._all, FIRST):
            for after in self._fitting(each, told):
                return self._with_arrangements({after: None})
        return None

    def _fitting(self, each: Arrangement, told: Sequence[Fact]) -> Collection[Arrangement]:
        found: Collection[Arrangement] = (each,)
        for fact in told:
            found = dict.fromkeys(self._told(found, fact))
        return found

    def first_only(self) -> Possibilities:
        """The possibilities of one arrangement only, if they are known."""
        return self._with_arrangements(dict.fromkeys(islice(self._all, 1)))

    def one_after(self, fact: Fact) -> Possibilities | None:
        """The possibilities of one arrangement after a further fact; None if it fits none."""
        found = self._told(self._all, fact)
        return self._with_arrangements(dict.fromkeys(islice(found, 1))) if found else None

    def kinds_in(self, place: str) -> set[str]:
        """The kinds of card that a place can have."""
        at = self._at[place]
        if at not in self._kinds_at:
            self._kinds_at[at] = {kind for each in self._all for item, _ in each[at] for kind in kinds_of(each, item)}
        return self._kinds_at[at]

    def _with_arrangements(self, arrangements: Arrangements) -> Possibilities:
        """Possibilities with these arrangements of the same cards."""
        found = copy(self)
        found._all, found._kinds_at = arrangements, {}
        return found

    def _told(self, every: Collection[Arrangement], fact: Fact) -> Collection[Arrangement]:
        """The arrangements after a fact."""
        found = self._gathered(every, fact.gathered) if fact.gathered else every
        if fact.source == SHUFFLED:
            places, to = {self._at[place] for place in self._table.shuffled}, self._at[self._table.deck]
            return [_shuffled(each, {*places, to}, to) for each in found]
        for stack in self._table.stacks:
            if fact.source.removeprefix(SEARCHED) == stack[0]:
                return self._out_of_stack(every, stack, fact)
        if fact.source.startswith(LOOKED_FOR):
            return self._looked_for(every, fact)
        at, to = self._at[fact.source], self._at[fact.to]
        if at == to:
            return self._holding(found, at, fact.named())
        aside = self._at[self._table.deck]
        steps: list[tuple[int, int, Sequence[str | None]]] = [(at, to, sorted(fact.cards, key=_unseen_last))]
        if fact.stay:
            steps = [(at, aside, fact.stay), *steps, (aside, at, fact.stay)]
        for start, end, cards in steps:
            for name in cards:
                found = self._fewer(
                    {after: None for each in found for after in self._after_move(each, start, end, name)}
                )
        return found

    def _holding(self, every: Collection[Arrangement], at: int, cards: Sequence[str]) -> Collection[Arrangement]:
        """The arrangements with these cards in a place."""
        for card, count in Counter(cards).items():
            for number in range(1, count + 1):
                every = self._fewer(
                    {after: None for each in every for after in _holding_so_many(each, at, card, number)}
                )
        return every

    def _looked_for(self, every: Collection[Arrangement], fact: Fact) -> Collection[Arrangement]:
        """The arrangements after somebody looked in a place for certain kinds of card."""
        at, to, kinds = self._at[fact.source.removeprefix(LOOKED_FOR)], self._at[fact.to], self._table.wanted
        if not fact.cards:
            return dict.fromkeys(after for each in every for _, _, after in _none_of(each, at, kinds))
        for _ in fact.cards:
            every = self._fewer(dict.fromkeys(after for each in every for _, _, after in _one_of(each, at, to, kinds)))
        return every

    def _gathered(self, every: Collection[Arrangement], hands: Sequence[str]) -> Collection[Arrangement]:
        """The arrangements after the cards of hands' last draws were put to their other cards."""
        for hand in hands:
            at, to = self._at[DRAWN + hand], self._at[hand]
            every = [_gathered(each, at, to) for each in every]
        return every

    def _out_of_stack(
        self, every: Collection[Arrangement], stack: Sequence[str], fact: Fact
    ) -> Collection[Arrangement]:
        """The arrangements after the next cards of a stack went to a place, or any of its cards if it was searched."""
        places, to = [self._at[place] for place in stack], self._at[fact.to]
        last = None if fact.source.startswith(SEARCHED) else 1
        found = every
        for card in fact.cards:
            reached = ((each, at) for each in found for at in [at for at in places if each[at]][:last])
            found = self._fewer({after: None for each, at in reached for after in self._after_move(each, at, to, card)})
        return found

    def _after_move(self, each: Arrangement, at: int, to: int, card: str | None) -> Iterable[Arrangement]:
        """The arrangements after a card of a place went to another; any card if it was not seen."""
        if card:
            return [with_card_moved(each, at, to, card)] if card in dict(each[at]) else _named(each, at, to, card)
        if self._table.mixes and each[at]:
            return [_moved_unseen(each, at, to)]
        return [with_card_moved(each, at, to, item) for item, _ in each[at]]

    def _fewer(self, every: Arrangements) -> Arrangements:
        """These arrangements during a fact; if they are far too many, a pooled one."""
        is_most = self._table.mixes and len(every) > MOST_MIDWAY * self._table.most
        return {self._pooled(every): None} if is_most else every

    def _pooled(self, every: Iterable[Arrangement]) -> Arrangement:
        """An arrangement that allows everything that these allow.

        A place has its cards that are common to all, and any others.

        The order in a stack is lost.
        """
        piles, left = len(self._table.places), Counter[Item](self._table.cards)
        pooled: list[Holding] = [()] * piles
        below = {at for layer in self._layers for at in layer[1:]}
        layers = {layer[0]: layer for layer in self._layers}
        for at in set(range(piles)) - below:
            lying = [Counter(_items_of_places(each, layers.get(at, [at]))) for each in every]
            sure = Counter({item: count for item, count in reduce(and_, lying).items() if isinstance(item, str)})
            left -= sure
            pooled[at] = holding_of(sure + Counter({piles: lying[0].total() - sure.total()}))
        return (*pooled, holding_of(left))

    def _normal_form(self, each: Arrangement) -> Arrangement:
        """The normal form of an arrangement: equal ones have the same."""
        places = len(self._table.places)
        return _numbered(_layered(_opened(each), self._layers), places)


class Teller(Protocol):
    """Turns the words of a game into facts about cards, one after the other from the first."""

    def facts_of(self, version: int, word: Any) -> Sequence[Fact]:
        """The facts of a word of entry `version`: a move, an adjustment of a ruling, or a shuffle (None)."""


class Course:
    """The possibilities before each fact of a game, and after the last one: as many `arrangements` in all.

    It never changes. A few courses are cached, so that the next question about a game goes on from the last one.
    """

    def __init__(self, table: Table, teller: Teller) -> None:
        """Before the first fact."""
        self.table = table
        self.facts: list[Fact] = []
        self._words: list[tuple[int, Any]] = []
        self._possible, self._teller = [Possibilities(table)], teller
        self.arrangements = 1

    @classmethod
    def for_words(cls, table: Table, teller: Callable[[], Teller], words: list[tuple[int, Any]]) -> Course:
        """The course of a game by all its words, made from a cached one if possible."""
        begun = None
        for each in _RECENT:
            if (begun is None or len(each) > len(begun)) and each.is_beginning_of(table, teller, words):
                begun = each
                if len(begun) == len(words) or begun.is_over:
                    return begun
        course = cls(table, teller()) if begun is None else begun.copy()
        for version, word in words[len(course) :]:
            if course.is_over:
                break
            course.add_word(version, word)
        _RECENT.add(course)
        return course

    @property
    def is_over(self) -> bool:
        """Whether checking has ended: the facts contradict each other already, or there are too many possibilities."""
        return not (self._possible[-1] and self._possible[-1].are_known)

    @property
    def possible(self) -> Possibilities:
        """The possibilities now."""
        return self._possible[-1]

    def with_hands_together(self) -> Possibilities:
        """The possibilities now, with all cards of each hand in one place."""
        return reduce(Possibilities.after, self.table.gathering(), self.possible)

    def __len__(self) -> int:
        """The number of words."""
        return len(self._words)

    def is_beginning_of(self, table: Table, teller: Callable[[], Teller], words: list[tuple[int, Any]]) -> bool:
        """Whether `words` begin with all words of this course, with the same table and kind of teller."""
        last = len(self._words) - 1  # other courses mostly differ there
        if last >= len(words) or (last >= 0 and self._words[last] != words[last]):
            return False
        begun = words[: last + 1]
        if type(self._teller) is not teller or self.table != table or self._words != begun:
            return False
        self._words = begun  # the same objects compare faster
        return True

    def copy(self) -> Course:
        """An independent copy."""
        twin = copy(self)
        twin.facts, twin._words, twin._possible = self.facts.copy(), self._words.copy(), self._possible.copy()
        twin._teller = copy(self._teller)
        return twin

    def add_word(self, version: int, word: Any) -> None:
        """Add the next word; only while no other code has the course."""
        self._words.append((version, word))
        for fact in self._teller.facts_of(version, word):
            self.facts.append(fact)
            self._possible.append(self._possible[-1].after(fact))
            self.arrangements += len(self._possible[-1])

    def allows(self, version: int, word: Any) -> bool:
        """Whether a next word is possible. If checking has ended, any word is."""
        if self.is_over:
            return True
        told = copy(self._teller).facts_of(version, word)
        return self.possible.allows(told) or not _first_impossible(self.possible, told)

    def contradicted_since(self, version: int, word: Any) -> tuple[int, Fact] | None:
        """The entry since which a next word is impossible, and its first impossible fact; None if it is possible.

        Before that entry it was possible, and never after. If checking has ended, any word is possible.
        """
        if self.is_over:
            return None
        told = copy(self._teller).facts_of(version, word)
        if self.possible.allows(told) or not (wrong := _first_impossible(self.possible, told)):
            return None
        place = wrong.source.removeprefix(SEARCHED).removeprefix(LOOKED_FOR)
        lower = next((stack[1:] for stack in self.table.stacks if stack[0] == place), ())
        late = (place,) if place.startswith(DRAWN) else lower
        last = max((fact.version for fact in self.facts if fact.to in late), default=1)  # its cards came by then
        asked = told if place.startswith(DRAWN) else [*self.table.gathering(), *told]
        earlier = zip(self.facts[::-1], self._possible[-2::-1], strict=True)
        since = (fact.version for fact, before in earlier if not _first_impossible(before, asked))
        full = (fact.version for fact in reversed(self.facts) if fact.to == place)  # room for the card came then
        return max(next(chain(since, full), 1), last), wrong


def _first_impossible(known: Possibilities, told: Sequence[Fact]) -> Fact | None:
    """The first impossible fact; None if all are possible."""
    for fact in told:
        known = known.after(fact)
        if not known:
            return fact
    return None


_RECENT = Recent[Course](8, most_size=40_000, size=lambda course: course.arrangements)
"""The courses used last. Each arrangement takes some 300 bytes."""


def _unseen_last(card: str | None) -> bool:
    return card is None


def _holding_so_many(each: Arrangement, at: int, card: str, count: int) -> Iterable[Arrangement]:
    """The arrangements with at least `count` of a card in a place."""
    found = {each: None}
    for _ in range(count - dict(each[at]).get(card, 0)):
        found = {after: None for before in found for after in _named(before, at, at, card)}
    return found


def _named(each: Arrangement, at: int, to: int, card: str) -> Iterator[Arrangement]:
    """The arrangements after a slot of a place was found to be this card, and went to another place."""
    for item, _ in each[at]:
        if isinstance(item, int):
            taken = with_held(each, at, without_item(each[at], item))
            for after in _drawn(taken, item, card):
                yield with_held(after, to, _more(after[to], card))


def _drawn(each: Arrangement, pile: int, card: str) -> Iterator[Arrangement]:
    """The arrangements after a card left a pile."""
    for inner, _ in each[pile]:
        if inner == card or isinstance(inner, int):
            taken = with_held(each, pile, without_item(each[pile], inner))
            if isinstance(inner, int):
                yield from _drawn(taken, inner, card)
            else:
                yield taken


def _opened(each: Arrangement) -> Arrangement:
    """The arrangement without superfluous piles: those of one kind of card, or with all their slots in one place."""
    slots: dict[int, list[int]] = {}
    for at, holding in enumerate(each):
        for item, _ in holding:
            if not isinstance(item, int):
                break  # slots are first in a holding
            slots.setdefault(item, []).append(at)
    for pile, lying in slots.items():
        held = each[pile]
        if len(held) == 1 or len(lying) == 1:
            found = list(each)
            for at in lying:
                left = dict(each[at])
                count = left.pop(pile)
                found[at] = holding_of(Counter(left) + Counter(dict(held) if len(lying) == 1 else {held[0][0]: count}))
            found[pile] = ()
            return _opened(tuple(found))
    return each


def _items_of_places(each: Arrangement, places: Iterable[int]) -> dict[Item, int]:
    """The items of some places together."""
    found: dict[Item, int] = {}
    for at in places:
        for item, count in each[at]:
            found[item] = found.get(item, 0) + count
    return found


def normal_form(each: Arrangement, places: int) -> Arrangement:
    """The arrangement without superfluous piles, and with its piles in a fixed order."""
    return _numbered(_opened(each), places)


def _layered(each: Arrangement, layers: Sequence[Sequence[int]]) -> Arrangement:
    """The arrangement with the cards of each stack moved up.

    Adjacent places with only the same kind of card become one.
    """
    found = list(each)
    for layer in layers:
        groups: list[Holding] = []
        for at in layer:
            if not (held := each[at]):
                continue
            if groups and len(groups[-1]) == len(held) == 1 and groups[-1][0][0] == held[0][0]:
                groups[-1] = _more(groups[-1], *held[0])
            else:
                groups.append(held)
        for at, held in zip(layer, [*groups, *[()] * len(layer)], strict=False):
            found[at] = held
    return tuple(found)


def _numbered(each: Arrangement, places: int) -> Arrangement:
    """The arrangement with its piles numbered after the first one, in the order of their first slots."""
    order, number, found = list(range(places + 1)), {places: places}, list[Holding]()
    for at in order:  # the list grows meanwhile
        slots = []
        for item, count in each[at]:
            if not isinstance(item, int):
                break
            if item not in number:
                number[item] = len(order)
                order.append(item)
            slots.append((number[item], count))
        found.append((*sorted(slots), *each[at][len(slots) :]) if slots else each[at])
    return tuple(found)


def _laid_out(each: Arrangement, places: int) -> list[list[str | None]]:
    """The cards of each place with all slots filled in one possible way. A slot of the first pile is None.

    Its cards come last.
    """
    lying: dict[int, list[str | None]] = {}

    def cards(holding: Holding) -> list[str | None]:
        found: list[str | None] = []
        for item, count in holding:
            if item == places:
                found += [None] * count
            elif isinstance(item, int):
                if item not in lying:
                    lying[item] = cards(each[item])
                found += [lying[item].pop() for _ in range(count)]
            else:
                found += [item] * count
        return found

    return [cards(holding) for holding in each[: places + 1]]


def holding_of(counts: Mapping[Item, int]) -> Holding:
    """A holding from counts of items, in the fixed order."""
    held = [(item, count) for item, count in counts.items() if count]
    return tuple(sorted(held, key=_in_order) if len(held) > 1 else held)


def _in_order(counted: tuple[Item, int]) -> tuple[bool, int, str]:
    """The sort key of items: slots by the number of their pile, then cards by name."""
    item = counted[0]
    return (False, item, "") if isinstance(item, int) else (True, 0, item)


def with_held(each: Arrangement, at: int, holding: Holding) -> Arrangement:
    """The arrangement with another holding in a place or a pile."""
    return (*each[:at], holding, *each[at + 1 :])


def without_item(holding: Holding, item: Item, count: int = 1) -> Holding:
    """The holding without `count` of an item."""
    for place, (other, held) in enumerate(holding):
        if other == item:
            left = ((item, held - count),) if held > count else ()
            return (*holding[:place], *left, *holding[place + 1 :])
    return holding


def _more(holding: Holding, item: Item, count: int = 1) -> Holding:
    for place, (other, held) in enumerate(holding):
        if other == item:
            return (*holding[:place], (item, held + count), *holding[place + 1 :])
    return tuple(sorted((*holding, (item, count)), key=_in_order))


def with_card_moved(each: Arrangement, at: int, to: int, item: Item, count: int = 1) -> Arrangement:
    """The arrangement after some of an item went from a place to another."""
    taken = with_held(each, at, without_item(each[at], item, count))
    return with_held(taken, to, _more(taken[to], item, count))


def _opening(table: Table) -> Arrangement:
    """The first arrangement: all cards lie in the deck, shuffled."""
    at = table.places.index(table.deck)
    empty: Arrangement = ((),) * len(table.places)
    return _shuffled(with_held(empty, at, holding_of(Counter[Item](table.cards))), {at}, at)


def _shuffled(each: Arrangement, places: Set[int], to: int) -> Arrangement:
    """The arrangement after the cards of these places were shuffled into a new pile, in the place `to`."""
    mixed = _items_of_places(each, places)
    left = [() if place in places else holding for place, holding in enumerate(each)]
    left[to] = holding_of({len(each): sum(mixed.values())})
    return (*left, holding_of(mixed))


def _gathered(each: Arrangement, at: int, to: int) -> Arrangement:
    """The arrangement after all cards of a place were put to those of another."""
    if not each[at]:
        return each
    found = list(each)
    found[at], found[to] = (), holding_of(_items_of_places(each, (at, to))) if each[to] else each[at]
    return tuple(found)


def _moved_unseen(each: Arrangement, at: int, to: int) -> Arrangement:
    """The arrangement after any card of a place went to another. Cards of several kinds become a pile first."""
    if len(each[at]) > 1:
        each = _shuffled(each, {at}, at)
    return with_card_moved(each, at, to, each[at][0][0])


def _widened(each: Arrangement, places: int) -> Arrangement:
    """The arrangement with an empty place added after these ones. The numbers of all piles grow by one."""
    wide = [tuple((item + 1 if isinstance(item, int) else item, count) for item, count in held) for held in each]
    return (*wide[:places], (), *wide[places:])


def _having(each: Arrangement, at: int, card: str, count: int) -> Iterator[Part]:
    """The shares with at least `count` of a card in a place, by inclusion and exclusion."""
    lacking = count - dict(each[at]).get(card, 0)
    if lacking <= 0:
        yield 1, 1, each
        return
    slots, found, number = 1, [(1, 1, each)], 0
    while slots:
        found = [
            (share * part * slots_in(before[at]), whole * parts, after)
            for share, whole, before in found
            for part, parts, after in _turned(before, at, at, card, slots_only=True)
        ]
        slots, number = len(found), number + 1
        if number >= lacking:
            sign = (-1) ** (number - lacking) * comb(number - 1, lacking - 1)
            yield from ((share * sign, whole * factorial(number), after) for share, whole, after in found)


def _turned(each: Arrangement, at: int, to: int, card: str, *, slots_only: bool = False) -> Iterator[Part]:
    """The shares in which any one item of a place (or any one slot) is this card, after it went to another place."""
    items = [(item, count) for item, count in each[at] if not slots_only or isinstance(item, int)]
    whole = sum([count for _, count in items])
    for item, count in items:
        if item == card or isinstance(item, int):
            taken = with_held(each, at, without_item(each[at], item))
            for part, parts, after in _told(taken, item, card):
                yield count * part, whole * parts, with_held(after, to, _more(after[to], card))


def all_gathered(each: Arrangement, at: int, to: int) -> list[Part]:
    """The arrangement after all cards of a place were put to those of another, as the only share."""
    return [(1, 1, _gathered(each, at, to))]


def _all_moved(each: Arrangement, at: int, to: int, card: str, count: int) -> list[Part]:
    return [(1, 1, with_card_moved(each, at, to, card, count))]


def top_of(each: Arrangement, places: Sequence[int]) -> int | None:
    """The first of these places with a card; None if all are empty."""
    for at in places:
        if each[at]:
            return at
    return None


def _found(each: Arrangement, places: Sequence[int], to: int, card: str) -> Iterator[Part]:
    """The shares in which each place is the first one with a card, after the card went to another place."""
    lacking = {each: Fraction(1)}
    for at in places:
        left = defaultdict[Arrangement, Fraction](Fraction, lacking)
        for before, weight in lacking.items():
            for part, whole, having in _having(before, at, card, 1):
                share = weight * Fraction(part, whole)
                yield *share.as_integer_ratio(), with_card_moved(having, at, to, card)
                left[having] -= share
        lacking = {before: weight for before, weight in left.items() if weight}


def _any_unseen(each: Arrangement, places: Sequence[int], to: int) -> Iterator[Part]:
    """The shares after any card of these places went to another, by place."""
    sizes = [(at, sum([count for _, count in each[at]])) for at in places if each[at]]
    whole = sum([size for _, size in sizes])
    for at, size in sizes:
        yield size, whole, _moved_unseen(each, at, to)


def _one_of(each: Arrangement, at: int, to: int, kinds: Set[str]) -> Iterator[Part]:
    """The shares after any card of these kinds went from a place to another."""
    for part, whole, after in _sorted_by(each, at, kinds):
        cards = [(item, count) for item, count in after[at] if _is_any_of(after, item, kinds)]
        if cards:
            piled, ((item, _), *_) = _with_pile(after, at, cards) if len(cards) > 1 else (after, cards)
            yield part, whole, with_card_moved(piled, at, to, item)


def _none_of(each: Arrangement, at: int, kinds: Set[str]) -> Iterator[Part]:
    """The shares in which a place has no card of these kinds."""
    for part, whole, after in _sorted_by(each, at, kinds):
        if not any(_is_any_of(after, item, kinds) for item, _ in after[at]):
            yield part, whole, after


def _is_any_of(each: Arrangement, item: Item, kinds: Set[str]) -> bool:
    """Whether an item that is certainly one of these kinds, or certainly none, is one."""
    return next(kinds_of(each, item)) in kinds


def _sorted_by(each: Arrangement, at: int, kinds: Set[str]) -> Iterator[Part]:
    """The shares in which each item of a place is certainly one of these kinds, or certainly none."""
    for item, _ in each[at]:
        if isinstance(item, int) and 0 < len(kinds & (able := {*kinds_of(each, item)})) < len(able):
            for part, whole, before in _slots_sorted(each, at, item, kinds):
                for share, parts, after in _sorted_by(before, at, kinds):
                    yield part * share, whole * parts, after
            return
    yield 1, 1, each


def _slots_sorted(each: Arrangement, at: int, pile: int, kinds: Set[str]) -> Iterator[Part]:
    """The shares by the number of a pile's slots in a place that are of these kinds."""
    for part, parts, before in _sorted_by(each, pile, kinds):
        cards = [(item, count) for item, count in before[pile] if _is_any_of(before, item, kinds)]
        able, whole = sum([count for _, count in cards]), sum([count for _, count in before[pile]])
        slots = dict(before[at])[pile]
        for number in range(max(0, slots - whole + able), min(slots, able) + 1):
            ways = comb(able, number) * comb(whole - able, slots - number)
            yield part * ways, parts * comb(whole, slots), _slots_split(before, at, pile, cards, number)


def _slots_split(each: Arrangement, at: int, pile: int, cards: Sequence[tuple[Item, int]], number: int) -> Arrangement:
    """The arrangement in which so many of a pile's slots in a place are some of these cards, and the others are not."""
    rest = [counted for counted in each[pile] if counted not in cards]
    here = dict(each[at])
    slots = here.pop(pile)
    for held, count in ((cards, number), (rest, slots - number)):
        if count:
            each, ((item, _),) = _with_pile(each, pile, held)
            here[item] = count
            each = with_held(each, pile, without_item(each[pile], item, count))
    return with_held(each, at, holding_of(here))


def _with_pile(
    each: Arrangement, at: int, cards: Sequence[tuple[Item, int]]
) -> tuple[Arrangement, list[tuple[Item, int]]]:
    """The arrangement after these items of a place became a pile, and the pile's slots there."""
    slots: list[tuple[Item, int]] = [(len(each), sum([count for _, count in cards]))]
    left = [counted for counted in each[at] if counted not in cards]
    return (*with_held(each, at, holding_of(dict([*slots, *left]))), holding_of(dict(cards))), slots


def _decided(each: Arrangement, at: int) -> Iterator[Part]:
    """The shares in which one slot of a place is each kind of card; the whole if there is no slot."""
    item = next((item for item, _ in each[at] if isinstance(item, int)), None)
    if item is None:
        yield 1, 1, each
        return
    taken = with_held(each, at, without_item(each[at], item))
    for card in dict.fromkeys(kinds_of(each, item)):
        for part, whole, after in _told(taken, item, card):
            yield part, whole, with_held(after, at, _more(after[at], card))


def _is_deep(each: Arrangement, places: int, most: int) -> bool:
    """Whether piles are nested so deep that there are more than `most` ways from a slot to a card."""
    if len(each) <= places + FEW_PILES:
        return False
    ways: dict[int, int] = {}

    def ways_of(pile: int) -> int:
        if pile not in ways:
            ways[pile] = 1 + sum([ways_of(item) for item, _ in each[pile] if isinstance(item, int)])
        return ways[pile]

    return any(ways_of(pile) > most for pile in range(places, len(each)))


def _flatter(each: Arrangement, places: int) -> Iterable[Part]:
    """The shares in which one slot of a nested pile is each kind of card, if nesting is too deep; else the whole."""
    nested = (at for at in range(places, len(each)) if slots_in(each[at]))
    return _decided(each, next(nested)) if _is_deep(each, places, MOST_WEIGHED_WAYS) else [(1, 1, each)]


def _least(weights: Sequence[int], size: int) -> tuple[int, int]:
    """The least weight that surely stays in a sample of about `size`, as a numerator and a denominator.

    `weights` begin with the greatest.
    """
    left = sum(weights)
    for number, weight in enumerate(weights[:size]):
        if weight * (size - number) <= left:
            return left, size - number
        left -= weight
    return weights[-1], 1


def slots_in(holding: Holding) -> int:
    """The number of slots in a holding."""
    return sum(count for item, count in holding if isinstance(item, int))


def _told(each: Arrangement, item: Item, card: str) -> Iterator[Part]:
    """The shares in which a removed item is this card. If it was a slot, the card also leaves its pile."""
    if not isinstance(item, int):
        if item == card:
            yield 1, 1, each
        return
    whole = sum([count for _, count in each[item]])
    for inner, count in each[item]:
        if inner == card or isinstance(inner, int):
            taken = with_held(each, item, without_item(each[item], inner))
            for part, parts, after in _told(taken, inner, card):
                yield count * part, whole * parts, after


def _kinds(each: Arrangement, holding: Holding) -> Iterator[tuple[str, int, int]]:
    """The kinds of card that any one card of a holding can be, each with its share: numerator and denominator."""
    whole = sum([count for _, count in holding])
    for item, count in holding:
        if isinstance(item, str):
            yield item, count, whole
        else:
            for card, part, parts in _kinds(each, each[item]):
                yield card, count * part, whole * parts


def kinds_of(each: Arrangement, item: Item) -> Iterator[str]:
    """The kinds of card that an item can be."""
    if isinstance(item, str):
        yield item
        return
    for inner, _ in each[item]:
        yield from kinds_of(each, inner)


def _shortened(odds: dict[str, int]) -> dict[str, int]:
    """Odds reduced to the smallest whole numbers."""
    part = gcd(*odds.values())
    return {card: weight // part for card, weight in odds.items()} if part > 1 else odds
