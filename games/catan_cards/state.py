"""A game of the card game at one moment."""

from __future__ import annotations

from itertools import chain, islice
from typing import TYPE_CHECKING, ClassVar

import msgspec

from games.catan_cards.components import DEALT, Box, Land, read_box
from games.catan_cards.options import Options, resolve_options
from games.catan_cards.orders import StackOrders
from games.catan_cards.principality import OWNERS, Principality, starting_places
from games.catan_cards.scoring import score
from games.catan_cards.stacks import (
    BOX,
    HANDS,
    OPEN,
    STACK_PILES,
    TAKEN_BY_SPIES,
    Group,
    Stack,
    StackTeller,
    draw_sighting,
    stack_of,
    table_of,
)
from games.catan_cards.steps import SETUP, Due, Kind, Pending, Phase
from games.catan_cards.turns import begin_turn, proceed
from games.contract import ScoreLine
from games.dealing import deals_of
from games.errors import ImpossibleError, RuleBrokenError
from games.hidden import CardState, Hand, cards_text
from games.knowledge import LOOKED_FOR, SEARCHED, Course, Table
from games.seen_cards import PLAYERS, FactTeller, ToldCardState
from games.witness import Witness

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Self

    from games.contract import JSON, Chance, Choices, Effect, Outcome, Viewpoint
    from games.dealing import Deals
    from games.knowledge import Fact
    from games.seen_cards import Named, Told

ORDERED_SINCE = 3
"""The first revision in which cards that were put under a stack must come in their order."""
TOLD_SINCE = 5
"""The first revision in which all sightings count: also the order after a search, and unseen cards."""
TOGETHER_SINCE = 6
"""The first revision in which all cards that a move names are counted together."""
KNOWN_BY_ORDER_SINCE = 6
"""The first revision in which players know cards of a stack by their order alone."""
LOOKED_FOR_SINCE = 7
"""The first revision in which it counts what a Spy looked for: the card that he took unseen, or that he found none."""
AT_ANY_STEP_SINCE = 7
"""The first revision that also checks the cards of a draw at a wrong step, and cards that are noted after the end."""
UNSEEN = "?"
"""A card that was not noted."""
_UNLIMITED: frozenset[Phase | None] = frozenset({None, *SETUP, "roll"})
"""The phases without a hand limit: the setup, the time before a roll, and after the end."""


PLACES = Table(
    {},
    (BOX, OPEN, *HANDS, *STACK_PILES),
    BOX,
    stacks=tuple((pile,) for pile in STACK_PILES),
    wanted=TAKEN_BY_SPIES,
)
"""The places of cards. A stack is one place with all cards that were put under it."""
_BLIND: dict[int | None, tuple[int, ...]] = {None: (), PLAYERS: (2,), 0: (1, 2, 3), 1: (0, 2, 3)}
"""By the seer of a card: the indexes in `lost` of the viewpoints that do not see it."""
_WATCHERS = ((0, (0,)), (1, (1,)), (3, (0, 1)))
"""The indexes in `lost` of viewpoints that can know cards of a stack, with the seats whose knowledge it is."""
_LOST_IN_VIEW = {None: (2, 2, 2, 2, 2), 0: (0, 0, 3, 2, 3), 1: (1, 3, 1, 2, 3)}
"""By the seat of a viewpoint: the indexes in `lost` of its `looks_back` and `lost`."""


class CatanCardsState(ToldCardState, kw_only=True):
    """The whole table. Lists are indexed by seat.

    `pending` are the choices that come before the `phase` goes on. `phase` is None after the end. `events` is the event
    stack (catan_cards:15) from its top; an empty name is a card that was not seen since the last shuffle. The entries
    that put the others there are `event_entries`. `lands` are the regions in the region stack, by the box's list.
    `production` is the rolled number, 0 before the roll; `alchemist` the number that an Alchemist set. `looked` is the
    stack that was searched for Master Builder, or that took a card in an exchange. `tokens` are the holders of the
    knight and the windmill token. `ruled` are the sums at the time of a ruling about a token: it holds until they
    change. `limits` are the hand limits (catan_cards:55).
    `barred` is the seat that does not refill in this turn (catan_cards:Q21). `misled` is whether a player may believe a
    card to be in a stack although it is elsewhere. `looks_back` is whether a card was moved unseen from a place with
    known cards. `lost` is the same for each seat, for the public, and for what both players know of each other.
    `dealt` are the cards of all stacks in a simulated game, in groups from the top; None if they are not decided.
    """

    copies_rule: ClassVar[str] = "catan_cards:14"
    hands_rule: ClassVar[str] = "catan_cards:18"
    seen_rule: ClassVar[str] = "catan_cards:14"
    hand_places: ClassVar[tuple[str, ...]] = HANDS
    looks_back_since: ClassVar[int] = 4
    teller: ClassVar[type[FactTeller]] = StackTeller
    card_separator: ClassVar[str] = ", "

    options: Options
    box: Box
    phase: Phase | None
    pending: list[Pending]
    starts: int
    active: int
    turns: list[int]
    principalities: list[Principality]
    limits: list[int]
    stacks: list[Stack]
    picked: list[int]
    events: list[str]
    lands: list[Land]
    supply: dict[str, int]
    spent: list[str]
    face: str
    production: int
    alchemist: int
    scouted: bool
    looked: int
    tokens: list[int | None]
    ruled: list[tuple[int, int] | None]
    points: list[int]
    lines: list[ScoreLine]
    lost: list[bool]
    barred: int | None = None
    misled: bool = False
    dealt: list[list[list[str]]] | None = None
    event_entries: tuple[int, ...] = ()
    shuffled: None = None
    """Always None: expansion cards are shuffled only before the deal."""

    @classmethod
    def begin(cls, options: Choices, components: JSON | None, seats: int) -> Self:  # noqa: ARG003
        """The table before the setup. `components` are the differences from the printed box."""
        chosen = resolve_options(options)
        box = read_box(components, chosen.alchemist_spy)
        return cls(
            options=chosen,
            box=box,
            phase="start",
            pending=[],
            starts=0,
            active=0,
            turns=[0, 0],
            principalities=[Principality(), Principality()],
            hands=[Hand(), Hand()],
            limits=[DEALT, DEALT],
            stacks=[Stack(0, 0, [[], []]) for _ in range(5)],
            picked=[0, 0],
            events=[""] * sum(box.events.values()),
            lands=box.lands(),
            supply={name: part.count for name, part in box.supply.items()},
            spent=[],
            face="",
            production=0,
            alchemist=0,
            scouted=False,
            looked=0,
            tokens=[None, None],
            ruled=[None, None],
            points=[0, 0],
            lines=[],
            looks_back=False,
            lost=[False] * 4,
            told=[],
        )

    @property
    def seats(self) -> int:
        """The number of seats, which is two."""
        return len(self.hands)

    # The course of the game

    @property
    def is_even(self) -> bool:
        """Whether points can be compared now. They cannot while only one principality is laid."""
        return self.phase != "lay"

    @property
    def due(self) -> Due | None:
        """The next step: a pending choice, cards over the limit, or the phase of the turn; None after the end."""
        if self.phase is None:
            return None
        if self.pending:
            return self.pending[0].kind
        return "excess" if self.anyone_over_limit() else self.phase

    def to_move(self) -> int | None:
        """The seat that acts next; None when the table does, or the game is over."""
        if self.phase is None or self.phase == "start":
            return None
        if self.pending:
            return self.pending[0].seat
        if self.phase in SETUP:
            return self.active
        return (
            1 - self.active
            if not self.cards_over_limit(self.active) and self.cards_over_limit(1 - self.active)
            else self.active
        )

    def pending_choice(self, kind: Kind, seat: int) -> Pending | None:
        """The first pending choice of a kind for a seat; without one, the other seat's; else None."""
        found = None
        for pending in self.pending:
            if pending.kind == kind:
                if pending.seat == seat:
                    return pending
                found = found or pending
        return found

    def drop_choice(self, pending: Pending) -> None:
        """Remove a pending choice. A player who gives up no card takes none (catan_cards:75)."""
        self.pending.remove(pending)
        if pending.kind == "give" and (look := msgspec.structs.replace(pending, kind="look")) in self.pending:
            self.pending.remove(look)

    def scores(self) -> list[ScoreLine]:
        """All score lines so far (catan_cards:61)."""
        return self.lines

    def totals(self) -> list[int]:
        """The points of both players. They are kept beside the lines."""
        return self.points.copy()

    def view(self, viewpoint: Viewpoint) -> Self:
        """The state from a viewpoint. Hands, and knowledge of stacks, are secrets of their seats."""
        twin = self.copy()
        if viewpoint.kind == "record":
            return twin
        for seat, hand in enumerate(self.hands):
            if not viewpoint.sees(seat):
                twin.hands[seat] = hand.seen_by_others() if viewpoint.seat is None else hand.seen_by_opponent()
        twin.stacks = [stack.seen(viewpoint.seat) for stack in self.stacks]
        twin.misled, twin.dealt = False, None
        twin.looks_back, *twin.lost = [self.lost[at] for at in _LOST_IN_VIEW[viewpoint.seat]]
        twin.hide_facts(viewpoint)
        return twin

    # Regions

    def region_at(self, place: str) -> Land | None:
        """The region card at a place."""
        return self.principalities[OWNERS[place[0]]].regions.get(place)

    def stock(self, place: str) -> int:
        """The number of resources at a place."""
        return self.principalities[OWNERS[place[0]]].stocks[place]

    def starting_principality(self, seat: int, regions: Sequence[Land | None]) -> list[Land | None]:
        """A starting principality (catan_cards:11) with these regions and the earlier noted ones."""
        lying = self.principalities[seat].regions
        return [land or lying.get(place) for place, land in zip(starting_places(seat), regions, strict=True)]

    def possible_sets(self, lands: Sequence[Land | None]) -> list[int]:
        """The indexes of the starting sets that can contain all these regions (catan_cards:Q35)."""
        sets = enumerate(self.box.starting_regions)
        return [number for number, crest in sets if all(crest[land.resource] == land.number for land in lands if land)]

    def starting_set(self, seat: int) -> int | None:
        """The index of a player's starting set; None if it is not known yet."""
        lands = list(self.principalities[seat].regions.values())
        found = self.possible_sets(lands)
        return found[0] if lands and found else None

    # Cards

    @property
    def copies(self) -> Mapping[str, int]:
        """The number of copies of each card in the box."""
        return self.box.copies

    def located_cards(self) -> list[str]:
        """All cards with a known place: used, built, in hands, and in stacks."""
        return self.openly_located_cards() + self.stacked_cards()

    def stacked_cards(self) -> list[str]:
        """The cards that are known to be in stacks."""
        one, two, three, four, five = self.stacks
        return [*one.sure, *two.sure, *three.sure, *four.sure, *five.sure]

    def any_stacked(self, cards: Iterable[str]) -> bool:
        """Whether one of these cards is known to be in a stack."""
        one, two, three, four, five = self.stacks
        for card in cards:
            if card in one.sure or card in two.sure or card in three.sure or card in four.sure or card in five.sure:
                return True
        return False

    def openly_located_cards(self) -> list[str]:
        """The cards with a known place outside stacks. Notes of stacks can be wrong, so rules judge those."""
        first, second = self.principalities
        one, other = self.hands
        return [*self.spent, *first.sites.values(), *second.sites.values(), *one.known, *other.known]

    def correct_stacks(self, seers: Sequence[int], cards: Iterable[str]) -> None:
        """Correct the knowledge of stacks when cards turn up elsewhere.

        Each player's knowledge is corrected by what that player knows, so that nobody learns the other's secrets.
        """
        for card in cards:
            if self.misled or self.any_stacked((card,)):
                self._rule_out(seers, card)

    def _rule_out(self, seers: Sequence[int], card: str) -> None:
        """Remove a card from the known cards of stacks, in the record first and then for each player."""
        if self.unlocated_copies(card) < 0:
            _drop(card, [stack.sure for stack in self.stacks])
            self.misled = True
        elif not self.misled:
            return
        for seat in seers:
            if self._is_too_often(card, seat):
                _drop(card, [stack.known[seat] for stack in self.stacks])
        if len(seers) == len(self.hands) and self._is_too_often(card, None):
            _drop(card, [stack.common for stack in self.stacks])
        self.misled = any(map(Stack.misleads_player, self.stacks))

    def _is_too_often(self, card: str, seat: int | None) -> bool:
        """Whether a player (None: both) knows of more copies of a card than the box has."""
        first, second = self.principalities
        lying = [*self.spent, *first.sites.values(), *second.sites.values()]
        for holder, hand in enumerate(self.hands):
            lying += hand.known if holder == seat else hand.open + hand.peeked
        for stack in self.stacks:
            lying += stack.common if seat is None else stack.common + stack.known[seat]
        return lying.count(card) > self.copies[card]

    def draw(self, seat: int, stack: int, card: str | None, *, top: bool) -> None:
        """Move a card from a stack to a hand, unseen by the opponent."""
        pile, place = self.stacks[stack - 1], STACK_PILES[stack - 1]
        if self.dealt:
            self._take_dealt(stack, card, top=top)
        self.told.append((self.version, (place if top else SEARCHED + place, HANDS[seat], (card,), seat)))
        if (pile.size <= pile.under or not top) and (pile.sure or pile.common or pile.order or any(pile.known)):
            self._lose_sight_in(pile, card, seat)
        if pile.order:
            pile.follow(seat, card, top=top)
        pile.take((seat,), card, top=top)
        self.hands[seat].take(card)

    def put_under(self, holder: int, stack: int, seers: Sequence[int], cards: Sequence[str | None]) -> None:
        """Put cards of a hand under a stack together; `seers` are the seats that see them."""
        pile, hand = self.stacks[stack - 1], self.hands[holder]
        seer = PLAYERS if len(seers) == len(self.hands) else seers[0]
        self.told.append((self.version, (HANDS[holder], STACK_PILES[stack - 1], tuple(cards), seer)))
        if hand.open or hand.peeked or (hand.known and None in cards):
            self._lose_sight(hand.known, _known_by(hand, holder), cards, seer)
        named = list(filter(None, cards))
        hand.give_unseen(len(cards), named, peeked=seer == PLAYERS)
        if self.dealt and len(named) == len(cards):
            self.dealt[stack - 1].append(named)
        else:
            self.dealt = None
        for card in cards:
            pile.put(seers, card)
        pile.order.append(Group(self.version, tuple(cards), seer))

    def put_under_unseen(self, stack: int) -> None:
        """Put a card under a stack by a ruling, which does not say who sees it."""
        pile, self.dealt = self.stacks[stack - 1], None
        pile.put((), None)
        pile.order.append(Group(self.version, (None,), None))

    def require_hands(self, named: Sequence[Named]) -> None:
        """Require that hands can have these cards, all together. Raises `ImpossibleError`."""
        for seat, cards in named:
            self.require_hand(seat, cards)
        if self.revision >= TOGETHER_SINCE:
            self.require_copies(self._missing(named))

    def is_any_scarce(self, named: Sequence[Named]) -> bool:
        """Whether the box has too few cards for all these hands together. In older revisions each hand counts alone."""
        if self.revision < TOGETHER_SINCE:
            return super().is_any_scarce(named)
        return self.are_scarce(self._missing(named))

    def _missing(self, named: Sequence[Named]) -> list[str]:
        """The cards among these that are not known to be in their hands."""
        return [card for seat, cards in named for card in self.hands[seat].missing(cards)]

    # Sightings

    def show_move(self, source: str, to: str, card: str | None) -> None:
        """Record that a card moves in view of all; None is a card that was not noted."""
        if self.dealt and stack_of(source) in STACK_PILES:
            self.dealt = None
        self.told.append((self.version, (source, to, (card,), None)))
        if card is None:
            if source in HANDS:
                hand = self.hands[HANDS.index(source)]
                self._lose_sight(hand.known, _known_by(hand, HANDS.index(source)), (card,), None)
            else:
                pile = self.stacks[STACK_PILES.index(stack_of(source))]
                self._lose_sight_in(pile, card, None)

    def tell_spy(self, victim: int, card: str | None, *, taken: bool) -> None:
        """Record what a Spy does in the hand of `victim`: he takes a card in view of all, or finds none to take."""
        if card or self.options.spy_any or self.revision < LOOKED_FOR_SINCE:
            if taken:
                self.show_move(HANDS[victim], HANDS[1 - victim], card)
            return
        hand = self.hands[victim]
        self.told.append((self.version, self.spy_word(victim, taken=taken)))
        self.looks_back = self.looks_back or taken or hand.unknown > 0
        for watcher, known in enumerate(_known_by(hand, victim)):
            self.lost[watcher] = self.lost[watcher] or taken or len(hand) > len(known)

    def spy_word(self, victim: int, *, taken: bool) -> Told:
        """The sighting of a Spy who took an unseen unit or action, or found none."""
        return LOOKED_FOR + HANDS[victim], HANDS[1 - victim if taken else victim], (None,) * taken, None

    def _lose_sight_in(self, pile: Stack, card: str | None, seer: int | None) -> None:
        """Mark the viewpoints that knew cards of a stack and did not see the card that left it."""
        if self.revision < KNOWN_BY_ORDER_SINCE:
            self._lose_sight(pile.sure, pile.known_by(), (card,), seer)
            return
        self.looks_back = self.looks_back or (card is None and pile.is_any_known())
        for watcher, seats in _WATCHERS:
            if not self.lost[watcher] and (card is None or watcher in _BLIND[seer]):
                self.lost[watcher] = pile.is_known_to(seats)

    def _lose_sight(
        self, known: list[str], known_by: Sequence[list[str]], cards: Sequence[str | None], seer: int | None
    ) -> None:
        """Mark the viewpoints that knew cards of a place and did not see which cards left it."""
        self.looks_back = self.looks_back or (None in cards and bool(known))
        for watcher in range(len(self.lost)) if None in cards else _BLIND[seer]:
            self.lost[watcher] = self.lost[watcher] or bool(known_by[watcher])

    def may_hold(self, seat: int, card: str, count: int = 1) -> bool:
        """Whether a hand can hold `count` copies of a card, by all sightings."""
        possible = CardState.may_hold(self, seat, card, count)
        return possible and (not self.looks_back or self.allows((seat, (card,) * count)))

    def entries_of_event(self, card: str) -> list[int]:
        """The entries that put copies of an event card under the event stack since the last shuffle."""
        laid = zip(reversed(self.events), reversed(self.event_entries), strict=False)
        return [entry for name, entry in laid if name == card]

    # Simulated games

    def decide_hidden(self, chance: Chance) -> None:
        """Deal the unknown cards of hands and the cards of all stacks, as often as all sightings together allow."""
        if not self.dealt and (deals := self.deals()):
            self._deal(deals.deal(chance))
            return
        if self.looks_back:
            super().decide_hidden(chance)
        elif self.hands[0].unknown or self.hands[1].unknown:
            CardState.decide_hidden(self, chance)
        if self.told and not self.dealt:
            self.forget()  # the sightings contradict each other

    def deals(self) -> Deals | None:
        """The dealer of hands and stacks; None if the sightings do not go back to the first deal."""
        if self.revision < self.looks_back_since or not self.told or self.told[0][1][0] != BOX:
            return None
        return deals_of(self.table(), self.teller, self.told, self.dealt_places())

    def dealt_places(self) -> Sequence[str]:
        """The hands, and the places of all stacks from their tops."""
        return (*HANDS, *chain.from_iterable(self.table().stacks))

    def _deal(self, dealt: list[list[str]]) -> None:
        """Take dealt cards for all places. If they contain guesses, what was seen before does not count any more."""
        deep = (len(dealt) - len(self.hands)) // len(self.stacks)
        places = iter(dealt[len(self.hands) :])
        self.dealt = [[cards for cards in islice(places, deep) if cards] for _ in self.stacks]
        if not (self.looks_back or self.hands[0].unknown or self.hands[1].unknown):
            return
        for hand, cards in zip(self.hands, dealt, strict=False):
            hand.note(cards)
        for stack in self.stacks:
            stack.known, stack.common, stack.sure, stack.order = [[], []], [], [], []
        self.misled = False
        self.forget()

    def _take_dealt(self, stack: int, card: str | None, *, top: bool) -> None:
        """Take the first such card out of a dealt stack. With another card, nothing is decided any more."""
        groups = self.dealt[stack - 1] if self.dealt else []
        for group in groups[:1] if top else groups:
            if card in group:
                group.remove(card)
                if not group:
                    groups.remove(group)
                return
        self.dealt = None

    def dealt_within(self, stack: int, *, top: bool) -> list[str]:
        """The dealt cards of a stack that a draw or a search can reach; none if they are not decided."""
        groups = self.dealt[stack - 1] if self.dealt else []
        return groups[0] if top and groups else [*chain.from_iterable(groups)]

    def forget(self) -> None:
        """Forget all sightings, so that unknown cards may lie anywhere."""
        self.told, self.looks_back, self.lost = [], False, [False] * len(self.lost)

    def cannot_draw(self, seat: int, stack: int, cards: Sequence[str], *, top: bool) -> list[RuleBrokenError]:
        """The breach if a stack cannot give these cards by all sightings together.

        It is checked if cards were moved unseen from a place with known cards, or if a card `may_lie_below` others.
        """
        return (
            self.contradiction_of(draw_sighting(seat, stack, cards, top=top))
            if self.revision >= self.looks_back_since
            else []
        )

    def drawable(self, stack: int, cards: Sequence[str], *, top: bool) -> list[str]:
        """The cards among these that a stack can give by the possible orders; empty if these are not known.

        It is exact as long as no card was moved unseen from a place outside the stacks with known cards.
        """
        free = dict(self.copies)
        for card in self.openly_located_cards():
            if card in free:
                free[card] -= 1
        place = STACK_PILES[stack - 1]
        return StackOrders.from_sightings(self.copies, self.told).drawable(
            place if top else SEARCHED + place, cards, free
        )

    def is_open(self, stack: int, card: str, *, top: bool) -> bool:
        """Whether it is open if a stack can give a card, because searches left open its cards or their order.

        A dealt card can be of any kind, apart from kinds with another copy that was found. False if notes contradict
        each other.
        """
        pile = self.stacks[stack - 1]
        if self.revision < TOLD_SINCE or self.misled:
            return False
        if pile.size <= pile.under and (pile.size > pile.count_in_order() if top else card not in pile.sure):
            return True
        if not top and card in pile.sure:
            return False
        return bool([pile for pile in self.stacks if pile.under > len(pile.sure)]) and card in self.located_cards()

    def may_lie_below(self, seat: int, stack: int, card: str, *, top: bool) -> bool:
        """Whether a card may lie below others, or be missing, in a stack with known cards.

        False if notes contradict each other.
        """
        pile = self.stacks[stack - 1]
        if self.revision < TOLD_SINCE or self.misled or self.dealt or not 0 < len(pile.sure) <= pile.size:
            return False
        if top:
            is_open = pile.size <= pile.under and pile.next_group(seat) is None
        else:
            is_open = pile.size == len(pile.sure) and card not in pile.sure
        return is_open and not pile.is_doubted()

    def fits(self, words: list[Told]) -> bool:
        """Whether the new sightings fit an arrangement of the cards that all earlier sightings allow."""
        witness = Witness.for_words(self.box.copies, PLACES, self.told)
        is_known = self._go_on(witness)
        fits = is_known and witness.fits(words)
        witness.keep()
        return fits

    def _go_on(self, witness: Witness) -> bool:
        """Let a witness take in all sightings. If it cannot, give it one of all possible arrangements."""
        while not witness.follow(self.told):
            told = self.told[: witness.count + 1]
            course = Course.for_words(self.table(), self.teller, told)
            if course.is_over:
                return False
            witness.set_arrangement(course.possible, told)
        return True

    def table(self) -> Table:
        """The cards and places, for arrangements. The stacks are partly in order."""
        return table_of(self.box.copies, self.told, mixes=self.revision >= TOLD_SINCE)

    def cannot_be(self, entry: int, fact: Fact) -> RuleBrokenError:
        """The breach of cards that a hand cannot hold, or that a stack cannot give."""
        if fact.source in HANDS:
            return super().cannot_be(entry, fact)
        if fact.source.startswith(LOOKED_FOR):
            return self._cannot_spy(entry, fact)
        return RuleBrokenError(
            self.seen_rule,
            "by all that was seen up to entry {entry} {cards} cannot come from stack {stack}",
            entry=entry,
            cards=cards_text(fact.named(), self.card_separator),
            stack=STACK_PILES.index(stack_of(fact.source)) + 1,
        )

    def _cannot_spy(self, entry: int, fact: Fact) -> RuleBrokenError:
        """The breach of a Spy who takes a unit or an action that is not there, or finds none where one is."""
        return RuleBrokenError(
            "catan_cards:Q19" if fact.cards else "catan_cards:Q40",
            "by all that was seen up to entry {entry} {name} holds no unit and no action"
            if fact.cards
            else "by all that was seen up to entry {entry} {name} holds a unit or an action",
            entry=entry,
            name=self.seat_name(HANDS.index(fact.source.removeprefix(LOOKED_FOR))),
        )

    # Numbers of cards

    def next_group(self, stack: int, seat: int) -> Group | None:
        """The known group of the next cards of a stack for a player. Always None in older revisions."""
        pile = self.stacks[stack - 1]
        return pile.next_group(seat) if pile.order and self.revision >= ORDERED_SINCE else None

    def is_hand_full(self, seat: int) -> bool:
        """Whether a hand has reached its limit."""
        hand = self.hands[seat]
        return len(hand.known) + hand.unknown >= self.limits[seat]

    def must_refill(self, seat: int) -> bool:
        """Whether a player must draw cards at the end of this turn, if stacks have any."""
        return seat != self.barred and not self.is_hand_full(seat)

    def cards_over_limit(self, seat: int) -> int:
        """The number of cards that a player must put away now (catan_cards:27, catan_cards:54, catan_cards:59)."""
        hand = self.hands[seat]
        excess = len(hand.known) + hand.unknown - self.limits[seat]
        if excess <= 0 or self.phase in _UNLIMITED:
            return 0
        if seat == self.active and self.phase != "refill" and self.options.own_turn_limit == "end":
            return 0
        return excess

    def anyone_over_limit(self) -> bool:
        """Whether a player must put cards away now."""
        first, second = self.hands
        most, others = self.limits
        if len(first.known) + first.unknown <= most and len(second.known) + second.unknown <= others:
            return False
        return self.cards_over_limit(0) > 0 or self.cards_over_limit(1) > 0

    def any_stack_left(self) -> bool:
        """Whether a stack has a card left (catan_cards:Q57)."""
        return max([stack.size for stack in self.stacks]) > 0

    # Rulings

    def award(self, line: ScoreLine) -> list[Effect]:
        """Add points by a ruling. They can win the game."""
        score(self, line.seat, line.points, line.category, line.rule, line.note)
        return proceed(self)

    def give_turn(self, seat: int) -> list[Effect]:
        """Give the turn to a seat. Pending choices are dropped, but a new settlement gets its regions first."""
        self.require_picked()
        self.require_regions_laid()
        if seat == self.active:
            self.turns[seat] -= 1  # the same turn once more
        self.pending = []
        return begin_turn(self, seat) + proceed(self)

    def end(self, ending: Outcome) -> list[Effect]:
        """End the game: nothing is due any more."""
        self.ending = ending
        self.phase, self.pending = None, []
        return []

    def switch(self, option: str, value: bool | int | str) -> list[Effect]:
        """Set an option. A new profile changes the options that follow it."""
        self.options = resolve_options(msgspec.structs.asdict(self.options) | {option: value})
        return proceed(self)

    def require_picked(self) -> None:
        """Require that turns are played. Raises `ImpossibleError`."""
        if self.phase in SETUP or not all(self.picked):
            raise ImpossibleError("the first cards have not been picked yet", self.ruleset.ruling)

    def require_regions_laid(self) -> None:
        """Require that no settlement waits for its regions. Raises `ImpossibleError`."""
        if any(pending.kind == "regions" for pending in self.pending):
            raise ImpossibleError("the regions of the new settlement are laid first", self.ruleset.ruling)


def _known_by(hand: Hand, holder: int) -> tuple[list[str], ...]:
    """The known cards of a hand, for each viewpoint of `lost`."""
    told = hand.open + hand.peeked
    first, second = (told, hand.known) if holder else (hand.known, told)
    return first, second, hand.open, told


def _drop(card: str, piles: Iterable[list[str]]) -> None:
    """Remove a card from the first pile that has it."""
    for cards in piles:
        if card in cards:
            cards.remove(card)
            return
