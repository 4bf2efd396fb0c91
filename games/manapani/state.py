"""A game of Manapani at one moment."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import msgspec

from games.contract import ScoreLine
from games.errors import BadOpeningError, ImpossibleError
from games.hidden import Hand
from games.knowledge import DRAWN, Table
from games.manapani.components import BONUS, COLOURS, DEALT, HANDS, STARTING_CHIPS, Box, read_box
from games.manapani.options import Options
from games.manapani.scoring import find_winner_again
from games.manapani.turns import Due, begin_turn, next_seat
from games.sampled_deals import SampledKnowledge
from games.seen_cards import SeenCardState

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Self

    from games.contract import JSON, Choices, Effect, Outcome, Viewpoint

ATTACK, DEFENCE = 0, 1
"""The sides of a fight."""
PLACES = ("deck", "discards", "fight", *HANDS)
"""The places of cards, named as in rulings. A ruling does not move cards of a fight."""
WATCHED = (*PLACES, *(DRAWN + hand for hand in HANDS))
"""The places of cards, with one more for the last draw of each hand."""


MOST, MOST_BEFORE = 40, 20
"""The most arrangements of cards that are looked at, now and in older revisions."""
MIXED_SINCE = 3
"""The first revision in which piles follow unseen cards, with far fewer arrangements for the same knowledge."""


class LaidCard(msgspec.Struct):
    """A revealed card of a fight: its first side, the side that owns it now, and its condition.

    A `live` card was paid for or stolen. A `void` card is nullified. `halved` is the number of Gremlins on it.
    """

    card: str
    origin: int
    side: int
    live: bool = False
    paid: bool = False
    x: int = 0
    void: bool = False
    halved: int = 0


class Fight(msgspec.Struct):
    """A fight for a land. Lists of two have the attacker first.

    `counts` are the numbers of cards face down, which stay in their hands until all are revealed. `shown` are these
    cards with the noted ones known; `cards` are all of them once all are known. `side` pays now, or its effects happen:
    `waiting` are its cards that will still act, `stolen` those that act before all others, `acted` those that acted
    early. `winner` is set by the comparison of powers.
    """

    place: int
    seats: tuple[int, int]
    counts: list[int | None]
    shown: list[list[str | None]]
    cards: list[LaidCard] = []
    side: int = ATTACK
    waiting: list[int] = []
    stolen: list[int] = []
    acted: list[int] = []
    winner: int | None = None


class ManapaniState(SeenCardState, kw_only=True):
    """The whole table. Lists are indexed by seat, by square, or by colour.

    `due` is the next step; None after the end. `chips[seat][colour]` are the chips in hands. `levels` and `owners` are
    by square. `hand_since` and `land_since` are the last entries that changed the chips there. `slow` and `stuck` are
    the handicaps of each seat for its next turn.

    These belong to the current turn: `spells` are the cast world spells (several only against the rules). `slowed` and
    `held` are the active handicaps. `moved` is whether the pawn has moved, and `brave` whether Brave Attack moves it.
    `face` is the die that Holy Dice set, `dice` the noted part of a roll, and `steps` the rest of the pawn's way.

    `taker` is the seat that took the last white chip, in the entry `taken`. `ruled` are the score lines of rulings.
    """

    copies_rule: ClassVar[str] = "manapani:1"
    hands_rule: ClassVar[str] = "manapani:3"
    seen_rule: ClassVar[str] = "manapani:3"
    card_separator: ClassVar[str] = ", "
    hand_places: ClassVar[tuple[str, ...]] = HANDS
    looks_back_since: ClassVar[int] = 2
    draws_apart_since: ClassVar[int] = 4
    opening_hand: ClassVar[tuple[None, ...]] = (None,) * DEALT

    options: Options
    box: Box
    due: Due | None
    turn: int
    active: int
    pawns: list[int]
    chips: list[list[int]]
    source: list[int]
    levels: list[int]
    owners: list[int | None]
    hand_since: list[int]
    land_since: list[int]
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

    @classmethod
    def begin(cls, options: Choices, components: JSON | None, seats: int) -> Self:
        """The table before the deal: the pawns on the Start, and all chips in the source."""
        chosen, box = msgspec.convert(options, Options), read_box(components or {})
        if box.cards < DEALT * seats:
            why = f"a deck of {box.cards} is too small to deal {DEALT} each to {seats} players"
            raise BadOpeningError("components.deck", why)
        if chosen.chips < STARTING_CHIPS * seats:
            least = STARTING_CHIPS * seats
            raise BadOpeningError("options.chips", f"{seats} players need {least} of each colour to begin with")
        squares = len(box.board)
        return cls(
            options=chosen,
            box=box,
            due="start",
            turn=0,
            active=0,
            pawns=[0] * seats,
            chips=[[0] * len(COLOURS) for _ in range(seats)],
            source=[chosen.chips] * len(COLOURS),
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
            told=[],
            noted=[],
            looks_back=False,
            piles=None,
        )

    @property
    def seats(self) -> int:
        """The number of players."""
        return len(self.pawns)

    def to_move(self) -> int | None:
        """The seat that acts next; None when the table does, or the game is over."""
        if self.due in (None, "start", "reveal"):
            return None
        if self.fight and self.due == "defend":
            return self.fight.seats[DEFENCE]
        if self.fight and self.due in ("pay", "effects"):
            return self.fight.seats[self.fight.side]
        return self.active

    def scores(self) -> list[ScoreLine]:
        """A line for the chips at each place, with the entry that last changed them, and the bonus (manapani:31).

        The chips are the score at every moment, so the score can be followed before the end.
        """
        lines = []
        for seat, chips in enumerate(self.chips):
            if sum(chips):
                lines.append(ScoreLine(seat, sum(chips), "hand", "manapani:31", self.hand_since[seat], "chips in hand"))
            for place in self.lands_of(seat):
                since = self.land_since[place]
                lines.append(ScoreLine(seat, self.levels[place], "land", "manapani:31", since, self.label(place)))
        if self.taker is not None:
            # manapani:D4: the bonus is points, not chips, because no chips are left to take.
            lines.append(ScoreLine(self.taker, BONUS, "bonus", "manapani:31", self.taken, "took the last white chip"))
        return lines + self.ruled

    def totals(self) -> list[int]:
        """The points of each seat."""
        points = [self.mana(seat) + (BONUS if self.taker == seat else 0) for seat in range(self.seats)]
        for line in self.ruled:
            points[line.seat] += line.points
        return points

    def view(self, viewpoint: Viewpoint) -> Self:
        """The state from a viewpoint. Hands are secrets of their seats."""
        twin = self.copy()
        for seat, hand in enumerate(self.hands):
            if not viewpoint.sees(seat):
                twin.hands[seat] = hand.seen_by_others()
        twin.hide_facts(viewpoint)
        return twin

    # The track

    @property
    def place(self) -> int:
        """The square of the active player's pawn."""
        return self.pawns[self.active]

    def label(self, place: int) -> str:
        """The label of a square: number and kind."""
        return self.box.labels[place]

    def lands_of(self, seat: int) -> list[int]:
        """The places of a player's lands."""
        owners = self.owners
        return [place for place in self.box.lands if owners[place] == seat]

    def mana(self, seat: int) -> int:
        """All chips of a player, in hand and on lands (manapani:31)."""
        return sum(self.chips[seat]) + sum(map(self.levels.__getitem__, self.lands_of(seat)))

    def dice_due(self) -> int:
        """The number of dice to roll now."""
        return (1 if self.slowed else 2) - (self.face is not None)

    # Cards

    @property
    def copies(self) -> Mapping[str, int]:
        """The number of copies of each card in the entered deck."""
        return self.box.deck

    def table(self) -> Table:
        """The cards and places, for arrangements. The discards are shuffled if a card is due and the pile is empty."""
        mixes, places = self.revision >= MIXED_SINCE, WATCHED if self.keeps_draws_apart else PLACES
        return Table(self.box.deck, places, "deck", ("discards",), MOST if mixes else MOST_BEFORE, mixes=mixes)

    def deal_knowledge(self) -> type[SampledKnowledge]:
        """The class that learns all words: a sample, because there are too many arrangements."""
        return SampledKnowledge

    def dealt_places(self) -> list[str]:
        """The hands and the discards: some of these may be unseen."""
        return [*self.hand_places[: self.seats], "discards"]

    def dealt_piles(self) -> list[Hand]:
        """The piles of these places."""
        return [*self.hands, self.discards]

    def located_cards(self) -> list[str]:
        """All cards with a known place: in the discards, in hands, and revealed in a fight."""
        lying = self.discards.known.copy()
        for hand in self.hands:
            lying += hand.known
        return lying + [laid.card for laid in self.fight.cards] if self.fight else lying

    def face_down(self, seat: int) -> list[str | None]:
        """The cards of a hand that lie face down in a fight; None for each unknown one."""
        fight = self.fight
        if fight is None or self.due not in ("defend", "reveal") or seat not in fight.seats:
            return []
        return fight.shown[fight.seats.index(seat)]

    def put_away(self) -> None:
        """Move the revealed cards of a fight to the discards. Cards face down stay in their hands."""
        if self.fight:
            for laid in self.fight.cards:
                self.discards.take(laid.card)
            cards = tuple([laid.card for laid in self.fight.cards])
            self.told.append((self.version, ("fight", "discards", cards, None)))
            self.fight.cards, self.fight.shown = [], [[], []]

    def drop_fight(self) -> None:
        """End a fight without a winner."""
        self.put_away()
        self.fight = None

    # Rulings

    def award(self, line: ScoreLine) -> list[Effect]:
        """Add points by a ruling. They can change the winner, if chips decided the game."""
        self.ruled.append(line)
        return find_winner_again(self)

    def give_turn(self, seat: int) -> list[Effect]:
        """Give the turn to a seat. The current action is dropped. Raises `ImpossibleError` for a resigned player."""
        self.require_dealt()
        if seat in self.resigned:
            raise ImpossibleError("{name} has given up", self.ruleset.ruling, name=self.seat_name(seat))
        self.drop_fight()
        return begin_turn(self, seat)

    def end(self, ending: Outcome) -> list[Effect]:
        """End the game: nothing is due, and a fight is dropped."""
        self.ending = ending
        self.due = None
        self.drop_fight()
        return []

    def retire(self, seat: int) -> list[Effect]:
        """End the turn of a player who resigned."""
        if self.active != seat or self.due == "start":
            return []
        self.drop_fight()
        return begin_turn(self, next_seat(self))

    def switch(self, option: str, value: bool | int | str) -> list[Effect]:
        """Set an option. Raises `ImpossibleError` in a fight, which keeps its rules."""
        if self.fight:
            raise ImpossibleError("a fight is fought to its end by the rules that it began with", self.ruleset.ruling)
        self.options = msgspec.structs.replace(self.options, **{option: value})
        return []

    def require_dealt(self) -> None:
        """Require that the cards are dealt. Raises `ImpossibleError`."""
        if self.due == "start":
            raise ImpossibleError("nothing has been dealt yet", self.ruleset.ruling)
