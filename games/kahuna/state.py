"""A game of Kahuna at one moment."""

from __future__ import annotations

from functools import cache
from itertools import combinations_with_replacement
from typing import TYPE_CHECKING, ClassVar, Literal, TypeVar

import msgspec

from games.contract import RECORD, ScoreLine
from games.dealing import deals_of
from games.errors import ImpossibleError, RuleBrokenError
from games.evidence import Evidence
from games.hidden import DEAL_TRIES, CardState, Hand, removed
from games.kahuna.adjustments import BURIED, HANDS, MoveCard
from games.kahuna.components import CARDS, COPIES_OF, ISLANDS, LINES_AT, SEAS_AT, SPACES
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

DIGIT = ({None: 0} | {card: 8**number for number, card in enumerate(ISLANDS)}).__getitem__
"""A card as a number. The sum of some cards, in base 8, has the number of cards of each island as its digits."""
BOX = sum(map(DIGIT, CARDS))
HALF = len(ISLANDS) // 2


class KahunaState(CardState, kw_only=True):
    """Everything that lies on the table. Lists of two go by seat; sets of lines, islands and seas are bit masks.

    `played` are the discards that everybody saw, and `buried` those that only their seat saw. None in the row is a card
    that was not noted. `shuffled` is the common knowledge about hands since the last shuffle. `due` is the table's next
    action before play goes on. `last_turns` are the seats that still have a turn after the last card (ROUND-4). `plays`
    counts the cards played in this turn, and `sailed` is whether a ship was moved in it. `counted` are both seats'
    bridges when the game ended by points. `told` are the entries with facts about cards: moves, cards that a ruling
    moved, and None for a new round. `lost` are the cards that a hand certainly had until cards of it were put away
    unseen; `lost_open` are those of them that everybody had seen. `ruled` is whether a ruling moved cards, from
    revision 5 on.
    """

    copies: ClassVar[dict[str, int]] = COPIES_OF
    copies_rule: ClassVar[str] = "kahuna:CARD-1"
    hands_rule: ClassVar[str] = "kahuna:CARD-2"
    hand_places: ClassVar[tuple[str, ...]] = HANDS

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
    ruled: bool = False

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
        """Two."""
        return len(SEATS)

    def to_move(self) -> int | None:
        """The seat on turn; None if the table acts next."""
        return None if self.due or self.ending else self.active

    def scores(self) -> list[ScoreLine]:
        """A line for each seat and round, and the lines of rulings."""
        return self.lines

    def view(self, viewpoint: Viewpoint) -> Self:
        """A copy without the hands and buried cards that the viewpoint does not see."""
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

    def unlocated_cards(self) -> list[str]:
        """All cards without a known place, in the order of the box."""
        high, low = divmod(BOX - sum(map(DIGIT, self.located_cards())), 8**HALF)
        return [*_cards_in(low, 0), *_cards_in(high, HALF)]

    def evidence(self) -> Evidence:
        """The entries that show where cards lie."""
        return Evidence.of(TABLE, KahunaTeller, self.told)

    def located_cards(self) -> list[str | None]:
        """The known cards of hands, discards and the row."""
        black, white = self.hands
        gone, lost = self.buried
        return [*black.known, *white.known, *gone.known, *lost.known, *self.played, *self.row]

    openly_located_cards = located_cards

    def can_have(self, seat: int, cards: Sequence[str]) -> bool:
        """Whether cards can have come to a hand, by everything that was seen."""
        if not super().can_have(seat, cards):
            return False
        lacking = self.hands[seat].missing(cards)
        return not lacking or not is_doubtful(self, seat, lacking) or can_be(self, Show(seat=seat, cards=tuple(cards)))

    def may_hold(self, seat: int, card: str, count: int = 1) -> bool:
        """Whether `count` copies of a card can be in a hand, by everything that was seen."""
        return super().may_hold(seat, card, count) and self.can_have(seat, (card,) * count)

    def turnable_cards(self, turn_up: Callable[[str], CardsNamed]) -> tuple[str, ...]:
        """The cards that can turn up in a move, by everything that was seen. `turn_up` makes the move with a card."""
        return tuple(card for card in self.drawable_cards() if self._may_turn_up(turn_up(card)))

    def _may_turn_up(self, move: CardsNamed) -> bool:
        """Whether the named cards that a move turns up can come from where they lie."""
        named = move.turned_up(self)
        return not named or not is_doubtful(self, None, named) or can_be(self, move)

    def contradictions(self, move: CardsNamed, seat: int | None, named: Sequence[str]) -> Iterable[RuleBrokenError]:
        """The breach of a move with a card that is impossible by everything that was seen; none if all are possible.

        None also if the box has too few of them. Then the move is impossible, and no override helps.
        The `named` cards are unknown cards of a seat's hand, or turned-up cards without a seat.
        """
        if not named or not is_doubtful(self, seat, named):
            return ()
        found = list(contradictions(self, move))
        return () if found and self.are_scarce(named) else found

    def consistent(self, sample: Callable[[Self, Chance], M], chance: Chance) -> M:
        """A sampled move with possible facts of chance; after some tries, any sample."""
        move = sample(self, chance)
        if self.is_all_known and not any(self.lost):
            return move
        for _ in range(DEAL_TRIES):
            if self._may_turn_up(move):
                break
            move = sample(self, chance)
        return move

    def decide_hidden(self, chance: Chance) -> None:
        """Fill hands and buried cards by chance, so that they agree with everything that was seen.

        After that, `told` is empty.
        """
        if self.is_all_known:
            self.shuffled, self.ruled = None, False
            return
        is_told = self.told and self.revision >= ALSO_AFTER_SHUFFLES
        if deals := deals_of(TABLE, KahunaTeller, self.told, (*HANDS, *BURIED)) if is_told else None:
            for pile, cards in zip((*self.hands, *self.buried), deals.deal(chance), strict=True):
                pile.note(cards)
        else:
            super().decide_hidden(chance)
        self.shuffled, self.lost, self.lost_open, self.ruled = None, [[], []], [[], []], False

    @property
    def is_all_known(self) -> bool:
        """Whether all cards outside of the deck are known."""
        (black, white), (black_gone, white_gone) = self.hands, self.buried
        return not (black.unknown or white.unknown or black_gone.unknown or white_gone.unknown)

    def note_lost(self, seat: int, known: list[str], seen: list[str], piles: Sequence[Hand]) -> None:
        """Note the known and seen cards of a hand that are lost after it was split unseen into these piles."""
        if known:
            self.lost[seat] += removed(known, [card for pile in piles for card in pile.known])
        if seen:
            self.lost_open[seat] += removed(seen, [card for pile in piles for card in pile.open])

    def playable(self) -> list[int]:
        """The number of cards of each island that the seat on turn can have."""
        hand = self.hands[self.active]
        counts = [hand.known.count(card) for card in ISLANDS]
        if not hand.unknown:
            return counts
        return [
            count + min(hand.unknown, self.unlocated_copies(card)) if self.can_have(self.active, (card,)) else 0
            for count, card in zip(counts, ISLANDS, strict=True)
        ]

    def groups(self, islands: Sequence[int], size: int, playable: Sequence[int]) -> Iterator[tuple[str, ...]]:
        """The groups of `size` cards of these islands that the seat on turn can play."""
        hand = self.hands[self.active]
        able = [island for island in islands if playable[island]]
        for group in combinations_with_replacement(able, size):
            if all(playable[island] >= group.count(island) for island in group):
                cards = tuple(ISLANDS[island] for island in group)
                if not hand.unknown or (hand.can_hold(cards) and self.can_have(self.active, cards)):
                    yield cards

    def random_unplaced(self, chance: Chance, count: int) -> list[str]:
        """`count` random cards without a known place."""
        if count == 1:
            return [chance.choice(self.unlocated_cards())]
        return chance.sample(self.unlocated_cards(), count) if count else []

    # Islands

    def spaces(self, island: int) -> int:
        """The number of spaces of an island: its lines, and one for each ship at it."""
        return SPACES[island] + ((self.ships[0] | self.ships[1]) & SEAS_AT[island]).bit_count()

    def strength(self, seat: int, island: int) -> int:
        """The number of an island's spaces that a seat has, by bridges and by ships in its seas."""
        bridges = (self.bridges[seat] & LINES_AT[island]).bit_count()
        return bridges + (self.ships[seat] & SEAS_AT[island]).bit_count()

    def island_count(self, seat: int) -> int:
        """The number of islands that a seat holds."""
        return self.stones[seat].bit_count()

    # What rulings change

    def end(self, ending: Outcome) -> list[Effect]:
        """End the game: no turn and no action of the table is left."""
        self.ending = ending
        self.must_draw = False
        self.last_turns = []
        return []

    def award(self, line: ScoreLine) -> list[Effect]:
        """Add points, and decide the game again if points had decided it."""
        self.lines.append(line)
        return decide(self) if self.ending and self.ending.reason in COUNTED_ENDINGS else []

    def give_turn(self, seat: int) -> list[Effect]:
        """Give the turn to a seat. Raises `ImpossibleError` before the deal."""
        self.require_dealt()
        begin_round(self, seat)
        return []

    def switch(self, option: str, value: bool | int | str) -> list[Effect]:
        """Give an option another value. Raises `ImpossibleError` for no ships in the game with ships on the board."""
        options = msgspec.structs.replace(self.options, **{option: value})
        if not options.seafarer and any(self.ships):
            raise ImpossibleError("seafarer is off only when no ship is on the board", self.ruleset.ruling)
        self.options = options
        return []

    def require_dealt(self) -> None:
        """Make sure that the cards are dealt, for a ruling. Raises `ImpossibleError`."""
        if self.due == "deal":
            raise ImpossibleError("the cards have not been dealt yet", self.ruleset.ruling)


@cache
def _cards_in(digits: int, first: int) -> tuple[str, ...]:
    """The cards of half of the islands, from number `first` on, by their digits in base 8."""
    return tuple(card for at, card in enumerate(ISLANDS[first : first + HALF]) for _ in range(digits >> 3 * at & 7))
