"""A game of Manapani at one moment."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Literal

import msgspec

from games.contract import Outcome, ScoreLine, State
from games.hidden import Hand
from games.manapani.components import COLOURS, STARTING_CHIPS, WHITE, Box
from games.manapani.options import Options

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from games.contract import Viewpoint

Due = Literal[
    "start",
    "turn",
    "gain",
    "land",
    "put",
    "foreign",
    "defend",
    "reveal",
    "pay",
    "effects",
    "toll",
    "discard",
]
ATTACK, DEFENCE = 0, 1
"""The sides of a fight."""


class Laid(msgspec.Struct):
    """A revealed card of a fight: which side laid it, whose it is now, and what has become of it.

    `active` is a card that was paid for or stolen, `void` a nullified one; `halved` counts the Gremlins on it.
    """

    card: str
    origin: int
    side: int
    active: bool = False
    paid: bool = False
    x: int = 0
    void: bool = False
    halved: int = 0


class Fight(msgspec.Struct):
    """A fight for the land at a place. Lists of two go by side, the attacker's first.

    `counts` are the cards laid face down (they stay in their hands until all are revealed), `shown` those that were
    noted of them, `cards` all of them once all are known. `side` pays, or lets its effects happen: `waiting` are its
    cards that are still to act, `stolen` those that act before all others. `winner` is set once it is decided.
    """

    place: int
    seats: tuple[int, int]
    counts: list[int | None]
    shown: list[list[str | None]]
    cards: list[Laid] = []
    side: int = ATTACK
    waiting: list[int] = []
    stolen: list[int] = []
    winner: int | None = None

    def copy(self) -> Fight:
        """An independent copy."""
        twin = copy.copy(self)
        twin.counts = self.counts.copy()
        twin.shown = [cards.copy() for cards in self.shown]
        twin.cards = [copy.copy(laid) for laid in self.cards]
        twin.waiting = self.waiting.copy()
        twin.stolen = self.stolen.copy()
        return twin


class ManapaniState(State):
    """Everything that lies on the table. Lists go by seat, by the place of squares, or by colour.

    `due` is what comes next, None when the game is over; `seat` has the turn. `chips[seat][colour]` are held in hand;
    `levels` and `owners` go by place. `hand_since` and `land_since` are the entries that last changed them. `slow` and
    `stuck` say what awaits a seat in its next turn. Of this turn: `spells` are the world spells that were cast (several
    against the rules only), `slowed` and `held` what holds now, `moved` whether the pawn has moved, `brave` whether
    Brave Attack moves it, `face` the die that Holy Dice set, `dice` those of a roll that was noted in part, `steps` how
    far the pawn has still to go. `taker` took the last white chip, by the entry `taken`. `ruled` are the score lines
    that rulings brought.
    """

    options: Options
    box: Box
    due: Due | None
    turn: int
    seat: int
    pawns: list[int]
    chips: list[list[int]]
    source: list[int]
    levels: list[int]
    owners: list[int | None]
    hand_since: list[int]
    land_since: list[int]
    hands: list[Hand]
    pile: int
    discards: Hand
    slow: list[bool]
    stuck: list[bool]
    spells: tuple[str, ...]
    exchanged: bool
    slowed: bool
    held: bool
    moved: bool
    brave: bool
    face: int | None
    dice: list[int | None]
    steps: int
    fight: Fight | None
    taker: int | None
    taken: int
    ruled: list[ScoreLine]
    outcome: Outcome | None  # type: ignore[assignment]

    @classmethod
    def new(cls, seats: int, box: Box, options: Options) -> ManapaniState:
        """The table before anything was dealt: the pawns on the Start, all chips in the source."""
        squares = len(box.board)
        return cls(
            options=options,
            box=box,
            due="start",
            turn=0,
            seat=0,
            pawns=[0] * seats,
            chips=[[0] * len(COLOURS) for _ in range(seats)],
            source=[options.chips] * len(COLOURS),
            levels=[0] * squares,
            owners=[None] * squares,
            hand_since=[0] * seats,
            land_since=[0] * squares,
            hands=[Hand() for _ in range(seats)],
            pile=box.cards,
            discards=Hand(),
            slow=[False] * seats,
            stuck=[False] * seats,
            spells=(),
            exchanged=False,
            slowed=False,
            held=False,
            moved=False,
            brave=False,
            face=None,
            dice=[],
            steps=0,
            fight=None,
            taker=None,
            taken=0,
            ruled=[],
            outcome=None,
        )

    @property
    def seats(self) -> int:
        """How many play."""
        return len(self.pawns)

    @property
    def place(self) -> int:
        """Where the pawn of the seat that has the turn stands."""
        return self.pawns[self.seat]

    def label(self, place: int) -> str:
        """How people call a square: its number, and what it is."""
        return self.box.labels[place]

    def lands_of(self, seat: int) -> Iterator[int]:
        """The places of a player's lands."""
        for place in self.box.lands:
            if self.owners[place] == seat:
                yield place

    def mana(self, seat: int) -> int:
        """All chips of a player, in hand and on lands (manapani:31)."""
        return sum(self.chips[seat]) + sum(self.levels[place] for place in self.lands_of(seat))

    def located(self, card: str) -> int:
        """How many copies of a card are known to lie somewhere outside the draw pile."""
        count = self.discards.known.count(card)
        for hand in self.hands:
            if hand.known:
                count += hand.known.count(card)
        return count + (sum(laid.card == card for laid in self.fight.cards) if self.fight else 0)

    def at_large(self, card: str) -> int:
        """How many copies of a card can be among the unknown ones."""
        return self.box.deck[card] - self.located(card)

    def dice_due(self) -> int:
        """How many dice are rolled now."""
        return (1 if self.slowed else 2) - (self.face is not None)


def tally(chips: Sequence[str]) -> list[int]:
    """Chips counted by colour."""
    return list(map(chips.count, COLOURS))


def starting_chips() -> list[int]:
    """What each player has at the beginning: chips of the four colours, none white (manapani:3)."""
    return [0 if colour == WHITE else STARTING_CHIPS for colour in range(len(COLOURS))]


def put_away(state: ManapaniState) -> None:
    """Revealed cards of a fight go to the discards; those that still lie face down stay in their hands."""
    if state.fight:
        for laid in state.fight.cards:
            state.discards.take(laid.card)
        state.fight.cards, state.fight.shown = [], [[], []]


def drop_fight(state: ManapaniState) -> None:
    """End a fight, if one goes on, without a winner."""
    put_away(state)
    state.fight = None


def copy_state(state: ManapaniState) -> ManapaniState:
    """An independent copy. What never changes (the box, the outcome) is shared."""
    twin = copy.copy(state)
    twin.pawns = state.pawns.copy()
    twin.chips = [chips.copy() for chips in state.chips]
    twin.source = state.source.copy()
    twin.levels = state.levels.copy()
    twin.owners = state.owners.copy()
    twin.hand_since = state.hand_since.copy()
    twin.land_since = state.land_since.copy()
    twin.hands = [hand.copy() for hand in state.hands]
    twin.discards = state.discards.copy()
    twin.slow = state.slow.copy()
    twin.stuck = state.stuck.copy()
    twin.dice = state.dice.copy()
    twin.ruled = state.ruled.copy()
    twin.fight = state.fight.copy() if state.fight else None
    return twin


def view(state: ManapaniState, viewpoint: Viewpoint) -> ManapaniState:
    """A copy that holds only what may be known from there."""
    twin = copy_state(state)
    for seat, hand in enumerate(state.hands):
        if not viewpoint.sees(seat):
            twin.hands[seat] = hand.hidden()
    return twin
