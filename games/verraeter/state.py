"""A game of Verräter at one moment."""

from __future__ import annotations

from functools import cache, lru_cache
from itertools import chain
from typing import TYPE_CHECKING, ClassVar, Literal

import msgspec

from games.contract import ScoreLine
from games.hidden import Hand
from games.knowledge import DRAWN, Table
from games.seen_cards import SeenCardState
from games.verraeter.components import (
    CARDS,
    COPIES,
    DEALT,
    DIPLOMATS,
    HANDS,
    HOUSES,
    PLACES,
    House,
    PointsTable,
    read_points,
    unknown_points,
)
from games.verraeter.options import Options
from games.verraeter.rounds import Due
from games.verraeter.scoring import COUNTED_ENDINGS, rank

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Self

    from games.contract import JSON, Chance, Choices, Effect, Outcome, Viewpoint

Side = Literal["estate", "post"]

PLACES_OF_CARDS = ("pile", "discards", *HANDS)
"""The places of supply cards in rulings. Laid cards count as discards, because they are put away before a draw."""
TABLE_BEFORE = Table(COPIES, PLACES_OF_CARDS, "pile", ("discards",))
TABLE = TABLE_BEFORE._replace(places=(*PLACES_OF_CARDS, *(DRAWN + hand for hand in HANDS)))
"""The places of cards: in older revisions, and in those that keep the last draw of each hand apart."""

NONE_HIDDEN = (0,) * len(COPIES)
"""The numbers of hidden cards, by kind, of a hand that is wholly known."""

UNSEEN = "?"
"""An action card that was chosen or put aside, and is not known from this viewpoint."""


class Holding(msgspec.Struct, frozen=True):
    """A card in play under a land: its owner, and its upper side."""

    seat: int
    side: Side


class Strength(msgspec.Struct, frozen=True, array_like=True):
    """The strength of a house in a conflict: its land, the supply cards of its members, and diplomats."""

    house: House
    place: int
    land: int
    cards: int
    diplomats: tuple[str, ...]

    @property
    def total(self) -> int:
        """The total strength of the house."""
        own = self.land + self.cards
        return own + sum(map(DIPLOMATS.__getitem__, self.diplomats)) if self.diplomats else own

    def __str__(self) -> str:
        cards = (f"cards {self.cards}",) if self.cards else ()
        return f"{self.house} {self.total} = {' + '.join((f'land {self.land}', *cards, *self.diplomats))}"


@cache
def _circle(first: int, seats: int) -> tuple[int, ...]:
    """All seats clockwise, from the first one."""
    return (*range(first, seats), *range(first))


@lru_cache(maxsize=256)
def _choices(known: tuple[int, ...], hidden: tuple[int, ...], unknown: int, most: int) -> tuple[tuple[str, ...], ...]:
    """Every choice of at most `most` cards, from known and possible copies of each card."""
    found: list[tuple[tuple[str, ...], int]] = [((), unknown)]
    for card, held, more in zip(COPIES, known, hidden, strict=True):
        runs = [((card,) * count, max(0, count - held)) for count in range(held + more, -1, -1)]
        found = [
            (cards + run, left - lacking)
            for cards, left in found
            for run, lacking in runs
            if lacking <= left and len(cards) + len(run) <= most
        ]
    return tuple(sorted([cards for cards, _ in found], key=len))


class VerraeterState(SeenCardState, kw_only=True):
    """The whole table. Lists are indexed by seat, or by the place of a land.

    `due` is the next step; None after the end. `given` are the points of lands from the opening, `learnt` those that
    were read from conquered cards. An empty name in `lands` is a land that was not noted. `site` is the first of the
    two lands of the conflict. `shuffled` is the knowledge of hands since the last shuffle, in games of revision 2.

    These belong to the current round: `choices` are the action cards that were noted before the reveal. `aside` is the
    one that was put aside, and `actions` are the revealed ones by seat. `laid` are the supply cards (None: not laid
    yet), and `counted` the strengths of both houses in the conflict. `draws` are the due draws, each with its seat and
    number of cards.
    """

    copies_rule: ClassVar[str] = "verraeter:A17"
    hands_rule: ClassVar[str] = "verraeter:A18"
    seen_rule: ClassVar[str] = "verraeter:A17"
    hand_places: ClassVar[tuple[str, ...]] = HANDS
    looks_back_since: ClassVar[int] = 3
    draws_apart_since: ClassVar[int] = 4
    opening_hand: ClassVar[tuple[str | None, ...]] = DEALT

    options: Options
    given: PointsTable
    learnt: PointsTable
    due: Due | None
    start: int
    strategy: int
    houses: list[House]
    lands: list[str]
    owners: list[House | None]
    holdings: list[Holding | None]
    pile: int
    discards: list[str]
    site: int | None
    choices: list[str | None]
    aside: str | None
    actions: list[str]
    laid: list[list[str] | None]
    counted: tuple[Strength, Strength] | None
    draws: list[tuple[int, int]]
    lines: list[ScoreLine]

    @classmethod
    def begin(cls, options: Choices, components: JSON | None, seats: int) -> Self:
        """The table before the setup. `components` hold the entered points of lands."""
        return cls(
            options=msgspec.convert(options, Options),
            given=read_points(components),
            learnt=unknown_points(),
            due="start",
            start=0,
            strategy=0,
            houses=[HOUSES[0]] * seats,
            lands=[""] * PLACES,
            owners=[None] * PLACES,
            holdings=[None] * PLACES,
            hands=[Hand() for _ in range(seats)],
            pile=0,
            discards=[],
            site=None,
            choices=[None] * seats,
            aside=None,
            actions=[],
            laid=[None] * seats,
            counted=None,
            draws=[],
            lines=[],
            told=[],
            noted=[],
            looks_back=False,
            piles=None,
        )

    @property
    def seats(self) -> int:
        """The number of players."""
        return len(self.houses)

    def to_move(self) -> int | None:
        """The seat that acts next; None if the table acts, or the game is over."""
        match self.due:
            case "lay":
                laid = self.laid
                for seat in _circle(self.start, len(laid)):
                    if laid[seat] is None:
                        return seat
            case "estates":
                begun = {held.seat for held in self.holdings if held}
                for seat in self.order():
                    if seat not in begun:
                        return seat
            case "site":
                return self.strategy
            case "build":
                return self.actor("Builder")
            case "draw":
                return self.draws[0][0]
        return None

    def scores(self) -> list[ScoreLine]:
        """A line for all points of a round, of the bonus, and of rulings."""
        return self.lines

    def view(self, viewpoint: Viewpoint) -> Self:
        """The state from a viewpoint. Hands and noted actions are secrets of their seats."""
        twin = self.copy()
        for seat, hand in enumerate(self.hands):
            if not viewpoint.sees(seat):
                twin.hands[seat] = hand.seen_by_others()
                if self.choices[seat] is not None:
                    twin.choices[seat] = UNSEEN
        if self.aside is not None and not viewpoint.sees(self.start):
            twin.aside = UNSEEN
        twin.hide_facts(viewpoint)
        return twin

    @property
    def is_dealt(self) -> bool:
        """Whether the circle of lands is known, and the supply cards are dealt."""
        return all(self.lands)

    def order(self) -> tuple[int, ...]:
        """The seats clockwise, from the start player."""
        return _circle(self.start, len(self.houses))

    def in_play(self, seat: int, side: Side | None = None) -> int:
        """The number of a player's cards under lands; with `side`, only those with this side up."""
        count = 0
        for held in self.holdings:
            if held and held.seat == seat and (side is None or held.side == side):
                count += 1
        return count

    def reserve(self, seat: int) -> int:
        """The number of a player's cards that are not in play."""
        left = CARDS
        for held in self.holdings:
            if held and held.seat == seat:
                left -= 1
        return left

    def supplies(self) -> list[int]:
        """The number of each player's estates at lands of the own house: only these bring cards (verraeter:25)."""
        houses = self.houses
        counts = [0] * len(houses)
        for held, owner in zip(self.holdings, self.owners, strict=True):
            if held and held.side == "estate" and owner == houses[held.seat]:
                counts[held.seat] += 1
        return counts

    def actor(self, action: str) -> int | None:
        """The seat that revealed an action card in this round; None without one."""
        actions = self.actions
        return actions.index(action) if action in actions else None

    def members(self, house: House) -> list[int]:
        """The seats that belong to a house."""
        return [seat for seat, own in enumerate(self.houses) if own == house]

    def label(self, place: int) -> str:
        """The label of a land: its number in the circle, and its name."""
        return f"{place + 1} {self.lands[place]}"

    def known_points(self, land: str, winners: int) -> int | None:
        """The points of a land for each of `winners` winners; None if not known."""
        given = self.given[land][winners - 1]
        return self.learnt[land][winners - 1] if given is None else given

    def known_worth(self, land: str) -> list[int | None]:
        """The known points of a land, by the number of winners."""
        return [self.known_points(land, winners) for winners in range(1, len(self.given[land]) + 1)]

    @property
    def copies(self) -> Mapping[str, int]:
        """The number of supply cards of each strength."""
        return COPIES

    def table(self) -> Table:
        """The cards and places, for arrangements. The discards are shuffled if a card is due and the pile is empty."""
        return TABLE if self.keeps_draws_apart else TABLE_BEFORE

    def forget(self) -> None:
        """Forget all sightings but the known places of cards, which a later shuffle needs."""
        super().forget()
        hands = {place: tuple(hand.known) for place, hand in zip(self.hand_places, self.hands, strict=False)}
        gone = (*self.discards, *chain.from_iterable(filter(None, self.laid)))
        lying = {**hands, "discards": gone}
        self.told = [(self.version, ("pile", place, cards, None)) for place, cards in lying.items()]

    def located_cards(self) -> list[str]:
        """All cards with a known place: in the discards, in hands, and laid in this round."""
        lying = self.discards.copy()
        for hand, laid in zip(self.hands, self.laid, strict=True):
            lying += hand.known
            lying += laid or ()
        return lying

    def possible_cards(self, seat: int, most: int) -> list[tuple[str, ...]]:
        """Every choice of at most `most` cards that a hand can hold, the smallest first."""
        choices = self.holdable_choices(seat, most)
        return self.possible_choices(seat, choices) if self.hands[seat].unknown else choices

    def holdable_choices(self, seat: int, most: int) -> list[tuple[str, ...]]:
        """The choices of cards that a hand could hold by the known places of cards, the smallest first."""
        hand = self.hands[seat]
        known = tuple(map(hand.known.count, COPIES))
        if not hand.unknown:
            return list(_choices(known, NONE_HIDDEN, 0, most))
        lying = self.located_cards()
        hidden = tuple([min(hand.unknown, copies - lying.count(card)) for card, copies in COPIES.items()])
        chosen = _choices(known, hidden, hand.unknown, most)
        return list(filter(self.shuffled.hand_test(seat, hand), chosen) if self.shuffled else chosen)

    def random_possible_choice(self, seat: int, choices: list[tuple[str, ...]], chance: Chance) -> tuple[str, ...]:
        """One of these `holdable_choices` that is possible by all sightings, each with the same odds.

        It asks about few of them, and takes the impossible ones out of the list. No card at all must be a choice.
        """
        if not (self.looks_back and self.hands[seat].unknown) or self.revision < self.looks_back_since:
            return chance.choice(choices)
        can_hold = self.hand_test(seat)
        while not can_hold(cards := chance.choice(choices)):
            choices.remove(cards)
        return cards

    # The circle

    def borders(self) -> Iterator[int]:
        """The places of lands before a land of the other house: a conflict is possible at that border."""
        for place, owner in enumerate(self.owners):
            if owner != self.owners[(place + 1) % PLACES]:
                yield place

    # Rulings

    def award(self, line: ScoreLine) -> list[Effect]:
        """Add points by a ruling. They can change the winner, if points decided the game."""
        self.lines.append(line)
        ending = self.ending
        return rank(self, ending.reason, ending.rule) if ending and ending.reason in COUNTED_ENDINGS else []

    def end(self, ending: Outcome) -> list[Effect]:
        """End the game: nothing is due any more."""
        self.ending = ending
        self.due = None
        self.draws = []
        return []

    def switch(self, option: str, value: bool | int | str) -> list[Effect]:
        """Set an option. It counts from the next draw on."""
        self.options = msgspec.structs.replace(self.options, **{option: value})
        return []
