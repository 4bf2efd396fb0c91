"""A game of the card game at one moment."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import msgspec

from games.catan_cards.components import DEALT, Box, Land, read_box
from games.catan_cards.options import Options, resolve
from games.catan_cards.orders import StackOrders
from games.catan_cards.principality import OWNERS, Principality, corners
from games.catan_cards.scoring import score
from games.catan_cards.stacks import (
    BOX,
    HANDS,
    OPEN,
    STACK_PILES,
    Group,
    Stack,
    StackTeller,
    drawing,
    stack_of,
    table_of,
)
from games.catan_cards.steps import SETUP, Due, Kind, Pending, Phase
from games.catan_cards.turns import begin_turn, proceed
from games.contract import ScoreLine
from games.errors import ImpossibleError, RuleBrokenError
from games.hidden import CardState, Hand, cards_text
from games.knowledge import SEARCHED, Course, Table
from games.seen_cards import PLAYERS, FactTeller, ToldCardState
from games.witness import Witness

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Self

    from games.contract import JSON, Chance, Choices, Effect, Outcome, Viewpoint
    from games.knowledge import Fact
    from games.seen_cards import Told

ORDERED_SINCE = 3
"""The first revision in which cards that were put under a stack have to come in their order."""
TOLD_SINCE = 5
"""The first revision in which the order also counts after a search, and far more is known of unseen cards."""
UNSEEN = "?"
"""A card that was not noted."""
_UNLIMITED: frozenset[Phase | None] = frozenset({None, *SETUP, "roll"})
"""When nobody is asked how many cards he holds: before the first dice, between two turns, and in the end."""


PLACES = Table({}, (BOX, OPEN, *HANDS, *STACK_PILES), BOX, stacks=tuple((pile,) for pile in STACK_PILES))
"""Where cards can lie, all that was put under a stack together with it."""
_BLIND: dict[int | None, tuple[int, ...]] = {None: (), PLAYERS: (2,), 0: (1, 2, 3), 1: (0, 2, 3)}
"""By who sees a card: which entries of `lost` are of those who do not."""
_LOST_IN_VIEW = {None: (2, 2, 2, 2, 2), 0: (0, 0, 3, 2, 3), 1: (1, 3, 1, 2, 3)}
"""By the seat of a viewpoint: which entries of `lost` are `looks_back` and `lost` in its view."""


class CatanCardsState(ToldCardState, kw_only=True):
    """Everything that lies on the table. Lists go by seat.

    `pending` are the choices to be made before the `phase` goes on, None when the game is over. `events` is the event
    stack (catan_cards:15) from its top, a card that was not seen since the last shuffle being empty. `lands` are the
    regions still in their stack, as far as the box's list goes. `production` is the number that was rolled, 0 before;
    `alchemist` the number that one set. `looked` is the stack that was looked through for Master Builder, or under
    which a card went in an exchange. `tokens` are who holds the knight and the windmill token; `ruled` are the sums at
    which a referee put one of them somewhere else. `limits` are how many cards each may hold (catan_cards:55). `barred`
    does not refill in this turn (catan_cards:Q21). `misled` is whether a player may think that a card is in a stack
    that is known to lie elsewhere. `looks_back` is whether a card went unseen from where some cards were known to be.
    `lost` is the same for both seats, for the public, and for what both players know of each other.
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
    shuffled: None = None
    """Expansion cards are shuffled before they are dealt only."""

    @classmethod
    def begin(cls, options: Choices, components: JSON | None, seats: int) -> Self:  # noqa: ARG003
        """The table before anything was laid out. `components` are what differs in somebody's box."""
        chosen = resolve(options)
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
        """Two play."""
        return len(self.hands)

    # The course of the game

    @property
    def is_even(self) -> bool:
        """Whether both principalities are laid out: one of them comes first."""
        return self.phase != "lay"

    @property
    def due(self) -> Due | None:
        """The next step: a choice, putting cards away, the phase of the turn; None after the end."""
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

    def waiting(self, kind: Kind, seat: int) -> Pending | None:
        """The choice of a kind that waits for a player, be it after others; else the one that waits for the other."""
        found = None
        for pending in self.pending:
            if pending.kind == kind:
                if pending.seat == seat:
                    return pending
                found = found or pending
        return found

    def drop_choice(self, pending: Pending) -> None:
        """Take a choice away without making it; who gives no card takes none (catan_cards:75)."""
        self.pending.remove(pending)
        if pending.kind == "give" and (look := msgspec.structs.replace(pending, kind="look")) in self.pending:
            self.pending.remove(look)

    def scores(self) -> list[ScoreLine]:
        """Every score line so far (catan_cards:61)."""
        return self.lines

    def totals(self) -> list[int]:
        """The points of both players, which are kept beside the lines."""
        return self.points.copy()

    def view(self, viewpoint: Viewpoint) -> Self:
        """Hands, and what was noted of stacks, are their seat's secret."""
        twin = self.copy()
        if viewpoint.kind == "record":
            return twin
        for seat, hand in enumerate(self.hands):
            if not viewpoint.sees(seat):
                twin.hands[seat] = hand.seen_by_others() if viewpoint.seat is None else hand.seen_by_opponent()
        twin.stacks = [stack.seen(viewpoint.seat) for stack in self.stacks]
        twin.misled = False
        twin.looks_back, *twin.lost = [self.lost[at] for at in _LOST_IN_VIEW[viewpoint.seat]]
        twin.hide_facts(viewpoint)
        return twin

    # Regions

    def land(self, place: str) -> Land | None:
        """The region card at a place."""
        return self.principalities[OWNERS[place[0]]].regions.get(place)

    def stock(self, place: str) -> int:
        """The number of resources at a place."""
        return self.principalities[OWNERS[place[0]]].stocks[place]

    def laid(self, seat: int, regions: Sequence[Land | None]) -> list[Land | None]:
        """A starting principality (catan_cards:11) once these regions are noted beside those that were before."""
        lying = self.principalities[seat].regions
        return [land or lying.get(place) for place, land in zip(corners(seat), regions, strict=True)]

    def possible_sets(self, lands: Sequence[Land | None]) -> list[int]:
        """The starting sets that can contain all these regions (catan_cards:Q35)."""
        sets = enumerate(self.box.starting_regions)
        return [number for number, crest in sets if all(crest[land.resource] == land.number for land in lands if land)]

    def crest(self, seat: int) -> int | None:
        """The starting set of a player, as far as it is known."""
        lands = list(self.principalities[seat].regions.values())
        found = self.possible_sets(lands)
        return found[0] if lands and found else None

    # Cards

    @property
    def copies(self) -> Mapping[str, int]:
        """The numbers of the box."""
        return self.box.copies

    def located_cards(self) -> list[str]:
        """Cards that were used up, those on sites and in hands, and those that are known to lie in stacks."""
        return self.openly_located_cards() + self.stacked_cards()

    def stacked_cards(self) -> list[str]:
        """The cards that are known to lie in stacks."""
        one, two, three, four, five = self.stacks
        return [*one.sure, *two.sure, *three.sure, *four.sure, *five.sure]

    def any_stacked(self, cards: Iterable[str]) -> bool:
        """Whether any of these cards is known to lie in a stack."""
        one, two, three, four, five = self.stacks
        for card in cards:
            if card in one.sure or card in two.sure or card in three.sure or card in four.sure or card in five.sure:
                return True
        return False

    def openly_located_cards(self) -> list[str]:
        """Without the stacks: somebody may have noted them wrongly, which is for the rules to say."""
        first, second = self.principalities
        one, other = self.hands
        return [*self.spent, *first.sites.values(), *second.sites.values(), *one.known, *other.known]

    def correct(self, seers: Sequence[int], cards: Iterable[str]) -> None:
        """Know better where cards lie that turned up elsewhere than in the stack where they were thought to be.

        Each player does so by what he knows himself, so that nobody learns what only the other one saw.
        """
        for card in cards:
            if self.misled or self.any_stacked((card,)):
                self._rule_out(seers, card)

    def _rule_out(self, seers: Sequence[int], card: str) -> None:
        """Nobody can miss a copy before it is missed by all that is noted, unless that is known already."""
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
        self.misled = any(stack.misleads() for stack in self.stacks)

    def _is_too_often(self, card: str, seat: int | None) -> bool:
        """Whether more of a card lie somewhere than there are, by what a player knows, or what both know."""
        first, second = self.principalities
        lying = [*self.spent, *first.sites.values(), *second.sites.values()]
        for holder, hand in enumerate(self.hands):
            lying += hand.known if holder == seat else hand.open + hand.peeked
        for stack in self.stacks:
            lying += stack.common if seat is None else stack.common + stack.known[seat]
        return lying.count(card) > self.copies[card]

    def draw(self, seat: int, stack: int, card: str | None, *, top: bool) -> None:
        """Take a card out of a stack into a hand, unseen by the other."""
        pile, place = self.stacks[stack - 1], STACK_PILES[stack - 1]
        self.told.append((self.version, (place if top else SEARCHED + place, HANDS[seat], (card,), seat)))
        if (pile.size <= pile.under or not top) and (pile.sure or pile.common or any(pile.known)):
            self._lose_sight(pile.sure, pile.known_by(), (card,), seat)
        if pile.order:
            pile.follow(seat, card, top=top)
        pile.take((seat,), card, top=top)
        self.hands[seat].take(card)

    def put_under(self, holder: int, stack: int, seers: Sequence[int], cards: Sequence[str | None]) -> None:
        """Put cards of a hand under a stack together, seen by some players."""
        pile, hand = self.stacks[stack - 1], self.hands[holder]
        seer = PLAYERS if len(seers) == len(self.hands) else seers[0]
        self.told.append((self.version, (HANDS[holder], STACK_PILES[stack - 1], tuple(cards), seer)))
        if hand.open or hand.peeked or (hand.known and None in cards):
            self._lose_sight(hand.known, _known_by(hand, holder), cards, seer)
        hand.give_unseen(len(cards), list(filter(None, cards)), peeked=seer == PLAYERS)
        for card in cards:
            pile.put(seers, card)
        pile.order.append(Group(self.version, tuple(cards), seer))

    def put_under_unseen(self, stack: int) -> None:
        """Put a card under a stack by a ruling, which does not say who saw it there."""
        pile = self.stacks[stack - 1]
        pile.put((), None)
        pile.order.append(Group(self.version, (None,), None))

    # What was seen

    def tell(self, source: str, to: str, card: str | None) -> None:
        """A card goes from a place to another in view of all, if it was noted."""
        self.told.append((self.version, (source, to, (card,), None)))
        if card is None:
            if source in HANDS:
                hand = self.hands[HANDS.index(source)]
                self._lose_sight(hand.known, _known_by(hand, HANDS.index(source)), (card,), None)
            else:
                pile = self.stacks[STACK_PILES.index(stack_of(source))]
                self._lose_sight(pile.sure, pile.known_by(), (card,), None)

    def _lose_sight(
        self, known: list[str], known_by: Sequence[list[str]], cards: Sequence[str | None], seer: int | None
    ) -> None:
        """Cards leave a place: who does not see which, and knew some of those that were there, loses sight of them."""
        self.looks_back = self.looks_back or (None in cards and bool(known))
        for watcher in range(len(self.lost)) if None in cards else _BLIND[seer]:
            self.lost[watcher] = self.lost[watcher] or bool(known_by[watcher])

    def may_hold(self, seat: int, card: str, count: int = 1) -> bool:
        """Whether a card can be in a hand, or so many of a kind, by all that was seen."""
        possible = CardState.may_hold(self, seat, card, count)
        return possible and (not self.looks_back or self.allows((seat, (card,) * count)))

    def decide_hidden(self, chance: Chance) -> None:
        """Unknown cards of hands come from those that are not known to lie anywhere, and by all that was seen."""
        if self.looks_back:
            super().decide_hidden(chance)
        elif self.hands[0].unknown or self.hands[1].unknown:
            CardState.decide_hidden(self, chance)

    def forget(self) -> None:
        """All that went unseen may lie anywhere."""
        self.told, self.looks_back, self.lost = [], False, [False] * len(self.lost)

    def cannot_draw(self, seat: int, stack: int, cards: Sequence[str], *, top: bool) -> list[RuleBrokenError]:
        """The rule that is broken by cards that a stack cannot give, by all that was seen together.

        That is asked once cards went unseen from where some were known to be, or if one `may_lie_below` others.
        """
        return self.contradicted(drawing(seat, stack, cards, top=top)) if self.revision >= self.looks_back_since else []

    def first_drawable(self, seat: int, stack: int, cards: Sequence[str], *, top: bool) -> str:
        """The first of these cards that a stack can give, by all that was seen; the first one, if it can give none."""
        if self.revision < self.looks_back_since:
            return cards[0]
        able = (card for card in cards if self._allow(self.courses(), drawing(seat, stack, (card,), top=top)))
        return next(able, cards[0])

    def drawable(self, stack: int, cards: Sequence[str], *, top: bool) -> list[str]:
        """The cards of these that a stack can give by all orders of stacks, as long as no card went unseen elsewhere.

        None of them if that is not known.
        """
        free = dict(self.copies)
        for card in self.openly_located_cards():
            if card in free:
                free[card] -= 1
        place = STACK_PILES[stack - 1]
        return StackOrders.of(self.copies, self.told).drawable(place if top else SEARCHED + place, cards, free)

    def is_open(self, stack: int, card: str, *, top: bool) -> bool:
        """Whether a stack may not give a card, as searches left open which cards are in stacks, or their order.

        A dealt card can be any, apart from kinds with another copy that was found. If notes contradict each other,
        nothing is said.
        """
        pile = self.stacks[stack - 1]
        if self.revision < TOLD_SINCE or self.misled:
            return False
        if pile.size <= pile.under and (pile.size > pile.ordered() if top else card not in pile.sure):
            return True
        if not top and card in pile.sure:
            return False
        return bool([pile for pile in self.stacks if pile.under > len(pile.sure)]) and card in self.located_cards()

    def may_lie_below(self, seat: int, stack: int, card: str, *, top: bool) -> bool:
        """Whether a card may lie below others, or not at all, in a stack whose known cards were searched.

        Notes that contradict each other leave it open.
        """
        pile = self.stacks[stack - 1]
        if self.revision < TOLD_SINCE or self.misled or not 0 < len(pile.sure) <= pile.size:
            return False
        if top:
            is_open = pile.size <= pile.under and pile.coming(seat) is None
        else:
            is_open = pile.size == len(pile.sure) and card not in pile.sure
        return is_open and not pile.is_doubted()

    def fits(self, words: list[Told]) -> bool:
        """Whether an arrangement of the cards is known that all that was seen allows."""
        witness = Witness.of(self.box.copies, PLACES, self.told)
        is_known = self._go_on(witness)
        fits = is_known and witness.fits(words)
        witness.keep()
        return fits

    def _go_on(self, witness: Witness) -> bool:
        """Let a witness take in all that was told; from an arrangement of all that are possible, where it cannot."""
        while not witness.go_on(self.told):
            told = self.told[: witness.count + 1]
            course = Course.of(self.table(), self.teller, told)
            if course.is_over:
                return False
            witness.lay(course.possible, told)
        return True

    def table(self) -> Table:
        """Stacks are partly in order."""
        return table_of(self.box.copies, self.told, mixes=self.revision >= TOLD_SINCE)

    def cannot_be(self, entry: int, fact: Fact) -> RuleBrokenError:
        """What a hand cannot hold, or a stack cannot give."""
        if fact.source in HANDS:
            return super().cannot_be(entry, fact)
        return RuleBrokenError(
            self.seen_rule,
            "by all that was seen up to entry {entry} {cards} cannot come from stack {stack}",
            entry=entry,
            cards=cards_text(fact.named(), self.card_separator),
            stack=STACK_PILES.index(stack_of(fact.source)) + 1,
        )

    # How many cards there are

    def coming(self, stack: int, seat: int) -> Group | None:
        """The cards that a player may draw next from a stack, if they are known. Older games do not ask that."""
        pile = self.stacks[stack - 1]
        return pile.coming(seat) if pile.order and self.revision >= ORDERED_SINCE else None

    def is_hand_full(self, seat: int) -> bool:
        """Whether a player holds all the cards that he may, or more."""
        hand = self.hands[seat]
        return len(hand.known) + hand.unknown >= self.limits[seat]

    def must_refill(self, seat: int) -> bool:
        """Whether a player has to draw cards at the end of this turn, if there are any."""
        return seat != self.barred and not self.is_hand_full(seat)

    def cards_over_limit(self, seat: int) -> int:
        """How many cards a player has to put away now (catan_cards:27, catan_cards:54, catan_cards:59)."""
        hand = self.hands[seat]
        excess = len(hand.known) + hand.unknown - self.limits[seat]
        if excess <= 0 or self.phase in _UNLIMITED:
            return 0
        if seat == self.active and self.phase != "refill" and self.options.own_turn_limit == "end":
            return 0
        return excess

    def anyone_over_limit(self) -> bool:
        """Whether somebody has to put cards away now."""
        first, second = self.hands
        most, others = self.limits
        if len(first.known) + first.unknown <= most and len(second.known) + second.unknown <= others:
            return False
        return self.cards_over_limit(0) > 0 or self.cards_over_limit(1) > 0

    def any_stack_left(self) -> bool:
        """Whether any stack holds a card (catan_cards:Q57)."""
        return max([stack.size for stack in self.stacks]) > 0

    # What rulings change

    def award(self, line: ScoreLine) -> list[Effect]:
        """Points can win the game."""
        score(self, line.seat, line.points, line.category, line.rule, line.note)
        return proceed(self)

    def give_turn(self, seat: int) -> list[Effect]:
        """Pending choices are dropped, but a settlement gets its regions first."""
        self.require_picked()
        self.require_regions_laid()
        if seat == self.active:
            self.turns[seat] -= 1  # the same turn once more
        self.pending = []
        return begin_turn(self, seat) + proceed(self)

    def end(self, ending: Outcome) -> list[Effect]:
        """Nothing is left to do."""
        self.ending = ending
        self.phase, self.pending = None, []
        return []

    def switch(self, option: str, value: bool | int | str) -> list[Effect]:
        """Values of the profile follow the profile."""
        self.options = resolve(msgspec.structs.asdict(self.options) | {option: value})
        return proceed(self)

    def require_picked(self) -> None:
        """Make sure that a ruling finds a table at which turns are played. Raises `ImpossibleError`."""
        if self.phase in SETUP or not all(self.picked):
            raise ImpossibleError("the first cards have not been picked yet", self.ruleset.ruling)

    def require_regions_laid(self) -> None:
        """Make sure that no settlement still waits for its two regions. Raises `ImpossibleError`."""
        if any(pending.kind == "regions" for pending in self.pending):
            raise ImpossibleError("the regions of the new settlement are laid first", self.ruleset.ruling)


def _known_by(hand: Hand, holder: int) -> tuple[list[str], ...]:
    """The cards of a hand that each of `lost` knows."""
    told = hand.open + hand.peeked
    first, second = (told, hand.known) if holder else (hand.known, told)
    return first, second, hand.open, told


def _drop(card: str, piles: Iterable[list[str]]) -> None:
    """Take a card out of the first pile that has it, if any."""
    for cards in piles:
        if card in cards:
            cards.remove(card)
            return
