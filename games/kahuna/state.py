"""A game of Kahuna at one moment."""

from __future__ import annotations

from itertools import combinations_with_replacement
from typing import TYPE_CHECKING, ClassVar, Literal, TypeVar

import msgspec

from games.chance import weighted_choice
from games.contract import RECORD, ScoreLine
from games.dealing import deals_of
from games.errors import ImpossibleError, RuleBrokenError
from games.hidden import DEAL_TRIES, CardState, Hand, removed
from games.kahuna.adjustments import BURIED, HANDS, MoveCard
from games.kahuna.components import COPIES_OF, ISLANDS, LINES_AT, SEAS_AT, SPACES
from games.kahuna.knowledge import ALSO_AFTER_SHUFFLES, TABLE, KahunaTeller, can_be, contradictions, is_doubtful
from games.kahuna.moves import KahunaMove, Show
from games.kahuna.options import Options
from games.kahuna.scoring import COUNTED_ENDINGS, decide
from games.kahuna.turns import begin_round

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from typing import Self

    from games.contract import JSON, Chance, Choices, Effect, Outcome, Viewpoint
    from games.kahuna.moves.base import CardsNamed

M = TypeVar("M", bound="CardsNamed")

SEATS = ("black", "white")


class KahunaState(CardState, kw_only=True):
    """Everything that lies on the table. Lists of two go by seat; sets of lines, islands and seas are bit masks.

    `played` are the discards that everybody saw, `buried` those of each seat that nobody else did. None in the row is
    a card that was not noted. `shuffled` is what is known of hands since the cards of a round were shuffled. `due` is
    what the table has to do before play goes on, `last_turns` are the seats that still have their turn after the last
    card (ROUND-4). `plays` counts the cards played in this turn, and `sailed` is whether a ship was moved in it.
    `counted` are both seats' bridges when the game ended by points. `told` are the entries that tell something of
    cards: moves, cards that a ruling moved, and None for a new round. `lost` are the cards that a hand had for certain,
    until some of it were put away unseen; `lost_open` are those that everybody had seen there.
    """

    copies: ClassVar[dict[str, int]] = COPIES_OF
    copies_rule: ClassVar[str] = "kahuna:CARD-1"
    hands_rule: ClassVar[str] = "kahuna:CARD-2"

    options: Options
    bridges: list[int]
    stones: list[int]
    ships: list[int]
    buried: list[Hand]
    played: list[str]
    row: list[str | None]
    deck: int
    due: Literal["deal", "row"] | None
    active: int
    must_draw: bool
    plays: int
    sailed: bool
    last_turns: list[int]
    lines: list[ScoreLine]
    counted: list[int]
    told: list[tuple[int, KahunaMove | MoveCard | None]]
    lost: list[list[str]]
    lost_open: list[list[str]]

    @classmethod
    def begin(cls, options: Choices, components: JSON | None, seats: int) -> Self:  # noqa: ARG003
        """The table before the cards are dealt."""
        return cls(
            options=msgspec.convert(options, Options),
            bridges=[0, 0],
            stones=[0, 0],
            ships=[0, 0],
            hands=[Hand(), Hand()],
            buried=[Hand(), Hand()],
            played=[],
            row=[],
            deck=0,
            due="deal",
            active=0,
            must_draw=False,
            plays=0,
            sailed=False,
            last_turns=[],
            lines=[],
            counted=[],
            told=[],
            lost=[[], []],
            lost_open=[[], []],
        )

    @property
    def seats(self) -> int:
        """Two play."""
        return len(SEATS)

    def to_move(self) -> int | None:
        """The seat on turn, unless the table is to act."""
        return None if self.due or self.ending else self.active

    def scores(self) -> list[ScoreLine]:
        """A line for each seat and round, and the lines of rulings."""
        return self.lines

    def view(self, viewpoint: Viewpoint) -> Self:
        """Hands, and what was put away unseen, are their seat's secret."""
        twin = self.copy()
        for seat in (0, 1):
            if not viewpoint.sees(seat):
                twin.hands[seat] = self.hands[seat].seen_by_others()
                twin.buried[seat] = self.buried[seat].seen_by_others()
                twin.lost[seat] = self.lost_open[seat].copy()
        if viewpoint != RECORD:
            twin.told = [(version, word and word.seen(viewpoint)) for version, word in self.told]
        return twin

    # Cards

    def located_cards(self) -> list[str | None]:
        """Hands, discards and the row."""
        black, white = self.hands
        gone, lost = self.buried
        return [*black.known, *white.known, *gone.known, *lost.known, *self.played, *self.row]

    openly_located_cards = located_cards

    def can_have(self, seat: int, cards: Sequence[str]) -> bool:
        """Whether cards can have come to a hand, by all that was seen."""
        if not super().can_have(seat, cards):
            return False
        lacking = self.hands[seat].missing(cards)
        return not lacking or not is_doubtful(self, seat, lacking) or can_be(self, Show(seat=seat, cards=tuple(cards)))

    def contradictions(self, move: CardsNamed, seat: int | None, named: Sequence[str]) -> Iterable[RuleBrokenError]:
        """The rule that a move breaks which names a card that cannot be there, by all that was seen together.

        The cards are unknown ones of a seat's hand, or turned up.
        """
        return contradictions(self, move) if named and is_doubtful(self, seat, named) else ()

    def consistent(self, sample: Callable[[], M]) -> M:
        """A move with facts of chance that can be; after some tries, any one."""
        move = sample()
        for _ in range(0 if self.is_all_known and not any(self.lost) else DEAL_TRIES):
            if not (named := move.turned_up(self)) or not is_doubtful(self, None, named) or can_be(self, move):
                break
            move = sample()
        return move

    def decide_hidden(self, chance: Chance) -> None:
        """Hands, and what was put away unseen, are dealt as often as all that was seen has them.

        In the game that goes on from there, it does not count any more.
        """
        if self.is_all_known:
            self.shuffled = None
            return
        is_told = self.told and self.revision >= ALSO_AFTER_SHUFFLES
        if deals := deals_of(TABLE, KahunaTeller, self.told, (*HANDS, *BURIED)) if is_told else None:
            for pile, cards in zip((*self.hands, *self.buried), deals.deal(chance), strict=True):
                pile.note(cards)
        else:
            super().decide_hidden(chance)
        self.shuffled, self.lost, self.lost_open = None, [[], []], [[], []]

    @property
    def is_all_known(self) -> bool:
        """Whether no card is hidden, but those of the deck."""
        (black, white), (black_gone, white_gone) = self.hands, self.buried
        return not (black.unknown or white.unknown or black_gone.unknown or white_gone.unknown)

    def note_lost(self, seat: int, known: list[str], seen: list[str], piles: Sequence[Hand]) -> None:
        """Note which known and seen cards of a pile are lost: it was parted unseen into these piles."""
        if known:
            self.lost[seat] += removed(known, [card for pile in piles for card in pile.known])
        if seen:
            self.lost_open[seat] += removed(seen, [card for pile in piles for card in pile.open])

    def playable(self) -> list[int]:
        """How many cards of each island the seat on turn can have in hand."""
        hand = self.hands[self.active]
        counts = [hand.known.count(card) for card in ISLANDS]
        if not hand.unknown:
            return counts
        return [
            count + min(hand.unknown, self.unlocated_copies(card)) if self.can_have(self.active, (card,)) else 0
            for count, card in zip(counts, ISLANDS, strict=True)
        ]

    def groups(self, islands: Sequence[int], size: int, playable: Sequence[int]) -> Iterator[tuple[str, ...]]:
        """The cards of some islands that the seat on turn can play together, of those that are `playable`."""
        hand = self.hands[self.active]
        able = [island for island in islands if playable[island]]
        for group in combinations_with_replacement(able, size):
            if all(playable[island] >= group.count(island) for island in group):
                cards = tuple(ISLANDS[island] for island in group)
                if not hand.unknown or (hand.can_hold(cards) and self.can_have(self.active, cards)):
                    yield cards

    def unseen(self, chance: Chance, count: int) -> list[str]:
        """Some cards that are not known to lie anywhere, as chance has it."""
        if count == 1:
            return [weighted_choice(self.unlocated_counts(), chance)]
        return chance.sample(self.unlocated_cards(), count)

    # Islands

    def spaces(self, island: int) -> int:
        """How many spaces an island has: its lines, and one more for every ship at it."""
        return SPACES[island] + ((self.ships[0] | self.ships[1]) & SEAS_AT[island]).bit_count()

    def strength(self, seat: int, island: int) -> int:
        """How many spaces of an island a seat has: by bridges, and by ships in the seas at it."""
        bridges = (self.bridges[seat] & LINES_AT[island]).bit_count()
        return bridges + (self.ships[seat] & SEAS_AT[island]).bit_count()

    def held(self, seat: int) -> int:
        """How many islands a seat holds."""
        return self.stones[seat].bit_count()

    # What rulings change

    def end(self, ending: Outcome) -> list[Effect]:
        """Nobody has anything left to do."""
        self.ending = ending
        self.must_draw = False
        self.last_turns = []
        return []

    def award(self, line: ScoreLine) -> list[Effect]:
        """Points can change who won, if points decided."""
        self.lines.append(line)
        return decide(self) if self.ending and self.ending.reason in COUNTED_ENDINGS else []

    def give_turn(self, seat: int) -> list[Effect]:
        """There are no turns before the deal."""
        self.require_dealt()
        begin_round(self, seat)
        return []

    def switch(self, option: str, value: bool | int | str) -> list[Effect]:
        """Ships that lie on the board are played with."""
        options = msgspec.structs.replace(self.options, **{option: value})
        if not options.seafarer and any(self.ships):
            raise ImpossibleError("seafarer is off only when no ship is on the board", self.ruleset.ruling)
        self.options = options
        return []

    def require_dealt(self) -> None:
        """Make sure that a ruling finds something on the table. Raises `ImpossibleError`."""
        if self.due == "deal":
            raise ImpossibleError("the cards have not been dealt yet", self.ruleset.ruling)
