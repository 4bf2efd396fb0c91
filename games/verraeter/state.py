"""A game of Verräter at one moment."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Literal, NamedTuple

import msgspec

from games.contract import Outcome, ScoreLine, State
from games.hidden import Hand, Shuffled
from games.verraeter.components import CARDS, COPIES, DIPLOMATS, HOUSES, PLACES, House, PointsTable, unknown_points
from games.verraeter.options import Options

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from games.contract import Viewpoint

Side = Literal["estate", "post"]
Due = Literal["start", "lands", "estates", "site", "lay", "reveal", "points", "build", "draw"]

UNSEEN = "?"
"""An action card that was chosen, or put aside, and that is not known from here."""


class Holding(msgspec.Struct, frozen=True):
    """A card in play under a land: whose it is, and which side is up."""

    seat: int
    side: Side


class Strength(NamedTuple):
    """What a house brings into a conflict: its land at a place, its members' supply cards, and the diplomats' help."""

    house: House
    place: int
    land: int
    cards: int
    diplomats: tuple[str, ...]

    @property
    def total(self) -> int:
        """The strength of the house."""
        return self.land + self.cards + sum(DIPLOMATS[diplomat] for diplomat in self.diplomats)

    def __str__(self) -> str:
        parts = [f"land {self.land}"] + [f"cards {self.cards}"] * bool(self.cards) + list(self.diplomats)
        return f"{self.house} {self.total} = {' + '.join(parts)}"


class VerraeterState(State):
    """Everything that lies on the table. Lists go by seat, or by the place of the lands.

    `due` is the step that comes next, None when the game is over. `given` are the printed points that the game was
    opened with, `learnt` those that were read from conquered cards. `site` is the first of the two lands at which the
    conflict lies, an empty name a land that was not noted. `shuffled` is what is known of cards since the discards
    became the pile, if they did.

    Of this round: `choices` are action cards that were noted before they were revealed and `aside` the one that was put
    aside, `actions` the revealed ones by seat, `laid` the supply cards (None: not laid yet), `counted` both houses'
    strengths when the conflict was resolved, `draws` who is still to draw how many.
    """

    options: Options
    given: PointsTable
    learnt: PointsTable
    due: Due | None
    round: int
    start: int
    strategy: int
    houses: list[House]
    lands: list[str]
    owners: list[House | None]
    holdings: list[Holding | None]
    hands: list[Hand]
    pile: int
    discards: list[str]
    shuffled: Shuffled | None
    site: int | None
    choices: list[str | None]
    aside: str | None
    actions: list[str]
    laid: list[list[str] | None]
    counted: tuple[Strength, Strength] | None
    draws: list[tuple[int, int]]
    lines: list[ScoreLine]
    outcome: Outcome | None

    @classmethod
    def new(cls, seats: int, points: PointsTable, options: Options) -> VerraeterState:
        """The table before anything was laid out."""
        return cls(
            options=options,
            given=points,
            learnt=unknown_points(),
            due="start",
            round=0,
            start=0,
            strategy=0,
            houses=[HOUSES[0]] * seats,
            lands=[""] * PLACES,
            owners=[None] * PLACES,
            holdings=[None] * PLACES,
            hands=[Hand() for _ in range(seats)],
            pile=0,
            discards=[],
            shuffled=None,
            site=None,
            choices=[None] * seats,
            aside=None,
            actions=[],
            laid=[None] * seats,
            counted=None,
            draws=[],
            lines=[],
            outcome=None,
        )

    @property
    def seats(self) -> int:
        """How many play."""
        return len(self.houses)

    def order(self) -> list[int]:
        """The seats from the start player clockwise."""
        return [(self.start + step) % self.seats for step in range(self.seats)]

    def in_play(self, seat: int, side: Side | None = None) -> int:
        """How many of a player's cards lie under lands, or how many of them with this side up."""
        return sum(1 for held in self.holdings if held and held.seat == seat and side in (None, held.side))

    def reserve(self, seat: int) -> int:
        """How many of a player's cards are not in play."""
        return CARDS - self.in_play(seat)

    def supplies(self, seat: int) -> int:
        """How many estates a player has at lands of the own house, which alone bring cards (verraeter:25)."""
        house = self.houses[seat]
        count = 0
        for held, owner in zip(self.holdings, self.owners, strict=True):
            if held and held.seat == seat and held.side == "estate" and owner == house:
                count += 1
        return count

    def actor(self, action: str) -> int | None:
        """Who revealed an action card in this round."""
        actions = self.actions
        return actions.index(action) if action in actions else None

    def members(self, house: House) -> list[int]:
        """Who belongs to a house."""
        return [seat for seat, own in enumerate(self.houses) if own == house]

    def label(self, place: int) -> str:
        """How people call a land: its number in the circle, and its name."""
        return f"{place + 1} {self.lands[place]}"

    def known_points(self, land: str, winners: int) -> int | None:
        """What a land is worth to each of so many winners, if that is known."""
        given = self.given[land][winners - 1]
        return self.learnt[land][winners - 1] if given is None else given

    def known_worth(self, land: str) -> list[int | None]:
        """All that is known of what a land is worth."""
        return [self.known_points(land, winners) for winners in range(1, len(self.given[land]) + 1)]

    def located(self, card: str) -> int:
        """How many supply cards of a strength are known to lie somewhere."""
        count = self.discards.count(card)
        for hand in self.hands:
            count += hand.known.count(card)
        for cards in self.laid:
            if cards:
                count += cards.count(card)
        return count

    def at_large(self, card: str) -> int:
        """How many supply cards of a strength can be among the unknown ones."""
        return COPIES[card] - self.located(card)

    def can_have(self, seat: int, cards: Sequence[str]) -> bool:
        """Whether cards can have come to a hand, by what lay in the discards when they were shuffled."""
        return self.shuffled is None or self.shuffled.test(seat, self.hands[seat])(cards)

    def borders(self) -> Iterator[int]:
        """The places after which the house changes, where a conflict can be."""
        for place, owner in enumerate(self.owners):
            if owner != self.owners[(place + 1) % PLACES]:
                yield place


def copy_state(state: VerraeterState) -> VerraeterState:
    """An independent copy. What never changes (holdings, score lines, the points given) is shared."""
    twin = copy.copy(state)
    twin.learnt = {land: worth.copy() for land, worth in state.learnt.items()}
    twin.houses = state.houses.copy()
    twin.lands = state.lands.copy()
    twin.owners = state.owners.copy()
    twin.holdings = state.holdings.copy()
    twin.hands = [hand.copy() for hand in state.hands]
    twin.discards = state.discards.copy()
    twin.shuffled = state.shuffled.copy() if state.shuffled else None
    twin.choices = state.choices.copy()
    twin.actions = state.actions.copy()
    twin.laid = [cards.copy() if cards is not None else None for cards in state.laid]
    twin.draws = state.draws.copy()
    twin.lines = state.lines.copy()
    return twin


def view(state: VerraeterState, viewpoint: Viewpoint) -> VerraeterState:
    """A copy that holds only what may be known from there."""
    twin = copy_state(state)
    for seat, hand in enumerate(state.hands):
        if not viewpoint.sees(seat):
            twin.hands[seat] = hand.hidden()
            if state.choices[seat] is not None:
                twin.choices[seat] = UNSEEN
    if state.aside is not None and not viewpoint.sees(state.start):
        twin.aside = UNSEEN
    return twin
