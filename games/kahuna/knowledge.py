"""The knowledge about cards in a game of Kahuna by all its entries, and the odds of cards that come."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from games.contract import ChanceEvent
from games.errors import RuleBrokenError
from games.hidden import cards_text, removed
from games.kahuna.adjustments import BURIED, HANDS, MoveCard
from games.kahuna.components import CARDS, COPIES_OF
from games.kahuna.moves import Build, Deal, Discard, Draw, Launch, Remove, Row, Show, Take
from games.knowledge import SHUFFLED, Course, Fact, Knowledge, Table

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from games.contract import Adjustment
    from games.hidden import ShuffleKnowledge
    from games.kahuna.moves import KahunaMove
    from games.kahuna.moves.base import CardsNamed
    from games.kahuna.state import KahunaState

TABLE = Table(COPIES_OF, ("deck", "row", "discards", *HANDS, *BURIED), "deck", ("row", "discards", *BURIED))
"""The places of cards, as rulings name them. For a new round, all cards outside of hands are shuffled."""
BY_ALL_THAT_WAS_SEEN = 3
"""The first revision with a rule against cards that are impossible by everything that was seen."""
ALSO_AFTER_SHUFFLES = 4
"""The first revision that checks this for every unlocated card, also after a shuffle."""


class KahunaTeller:
    """Turns moves into facts about cards.

    It remembers the numbers of cards in each place, and the known cards of the row.
    """

    def __init__(self) -> None:
        """Before the deal."""
        self._held = Counter({"deck": len(CARDS)})
        self._row: tuple[str, ...] = ()

    def facts_of(self, version: int, word: KahunaMove | MoveCard | None) -> list[Fact]:
        """The facts of a move, a card that a ruling moved, or a new round (None)."""
        facts = []
        for fact in self._told(version, word):
            facts.append(fact)
            self._keep(fact)
        return facts

    def is_chance(self, word: KahunaMove | MoveCard | None) -> bool:
        """Whether cards from the deck came by chance: a ruling chooses them."""
        return not isinstance(word, MoveCard)

    def _told(self, version: int, word: KahunaMove | MoveCard | None) -> Iterator[Fact]:
        match word:
            case None:
                yield Fact(version, SHUFFLED, "deck")
            case Deal() | Row() | Take() | Draw():
                yield from self._facts_of_drawn(version, word)
            case Discard(seat=seat, count=count, cards=cards):
                yield Fact(version, HANDS[seat], BURIED[seat], _filled(cards, count))
            case Show(seat=seat, cards=cards):
                yield Fact(version, HANDS[seat], HANDS[seat], cards)
            case MoveCard(source=source, to=to, card=card):
                yield Fact(version, source, to, (card,), () if card or source != "row" else self._row)
            case Build() | Remove() | Launch():
                yield Fact(version, HANDS[word.seat], "discards", tuple(word.from_hand()))

    def _facts_of_drawn(self, version: int, move: Deal | Row | Take | Draw) -> Iterator[Fact]:
        """The facts of cards from the deck or the row.

        A card of the row that was not noted is not one of its known cards.
        """
        match move:
            case Deal(row=row, hands=hands):
                yield Fact(version, "deck", "row", row)
                for place, hand in zip(HANDS, hands, strict=True):
                    yield Fact(version, "deck", place, _filled(hand, len(row)))
            case Row(cards=cards):
                yield Fact(version, "row" if self._held["row"] else "deck", "row", cards)
            case Take(seat=seat, card=card, refill=refill):
                yield Fact(version, "row", HANDS[seat], (card,), () if card else self._row)
                if self._held["deck"]:
                    yield Fact(version, "deck", "row", (refill,))
            case Draw(seat=seat, card=card):
                yield Fact(version, "deck", HANDS[seat], (card,))

    def _keep(self, fact: Fact) -> None:
        """Remember the numbers of cards in each place, and the known cards of the row."""
        if fact.source == SHUFFLED:
            self._held["deck"] += sum(self._held.pop(place, 0) for place in TABLE.shuffled)
            self._row = ()
        elif fact.source == fact.to:
            self._row = tuple(fact.named()) if fact.to == "row" else self._row
        else:
            self._held[fact.source] -= len(fact.cards)
            self._held[fact.to] += len(fact.cards)
            left = removed(self._row, fact.named()) if fact.source == "row" else self._row
            self._row = (*left, *(fact.named() if fact.to == "row" else ()))

    def __copy__(self) -> KahunaTeller:
        twin = KahunaTeller()
        twin._held, twin._row = self._held.copy(), self._row
        return twin


def _filled(cards: tuple[str, ...], count: int) -> tuple[str | None, ...]:
    """`count` cards, with None for those not noted."""
    return (*cards, *(None,) * (count - len(cards)))


class KahunaWatch:
    """Follows a game from a viewpoint. Moves and rulings must be passed as seen from there."""

    def __init__(self) -> None:
        """Before the deal."""
        self.cards, self._teller = Knowledge(TABLE), KahunaTeller()

    def follow(self, before: KahunaState, move: KahunaMove, after: KahunaState) -> list[ChanceEvent]:
        """Learn a move, and return the events of its cards by chance, with their odds.

        An event has no odds if they are not known exactly.
        """
        words = [move, None] if after.round > before.round > 0 else [move]
        facts = [fact for word in words for fact in self._teller.facts_of(after.version, word)]
        return [event for fact in facts for event in self._learn(fact)]

    def follow_ruling(self, before: KahunaState, adjustments: Sequence[Adjustment]) -> list[ChanceEvent]:
        """Learn the cards that a ruling moved. None of them came by chance."""
        for change in adjustments:
            if isinstance(change, MoveCard):
                for fact in self._teller.facts_of(before.version, change):
                    self.cards.take(fact)
        return []

    def remaining_events(self) -> list[ChanceEvent]:
        """No events: none waits for its outcome."""
        return []

    def _learn(self, fact: Fact) -> list[ChanceEvent]:
        seat = HANDS.index(fact.to) if fact.to in HANDS else None
        kind = "row" if seat is None else "draw"
        return [ChanceEvent(kind, odds, came, seat, sample=self.cards.sample) for odds, came in self.cards.learn(fact)]


def can_be(state: KahunaState, move: CardsNamed) -> bool:
    """Whether a move's cards are possible, by everything that was seen."""
    return Course.for_words(TABLE, KahunaTeller, state.told).allows(state.version, move)


def contradictions(state: KahunaState, move: CardsNamed) -> Iterator[RuleBrokenError]:
    """The breach of a move with a card that is impossible by everything that was seen; none if all are possible.

    The known place of each card is enough for this until a known card may have been put away unseen.
    """
    found = Course.for_words(TABLE, KahunaTeller, state.told).contradicted_since(state.version, move)
    if found is None:
        return
    entry, fact = found
    cards = cards_text(fact.named())
    if fact.source in HANDS:
        yield RuleBrokenError(
            "kahuna:CARD-2",
            "by all that was seen up to entry {entry} {name} cannot hold {cards}",
            entry=entry,
            name=state.seat_name(HANDS.index(fact.source)),
            cards=cards,
        )
    else:
        yield RuleBrokenError(
            "kahuna:CARD-1", "by all that was seen up to entry {entry} no {cards} can come", entry=entry, cards=cards
        )


def is_doubtful(state: KahunaState, seat: int | None, named: Sequence[str]) -> bool:
    """Whether named cards need the slow check of everything that was seen.

    They are unknown cards of a seat's hand, or turned-up cards without a seat. Few moves need the check: after a
    shuffle, once a known card may have been put away unseen, and once a ruling moved a card.
    """
    lost = state.ruled or any(state.lost)
    if state.round < 2 or state.revision < ALSO_AFTER_SHUFFLES:
        return lost and state.revision >= BY_ALL_THAT_WAS_SEEN and _may_be_lost(state, seat, named)
    if lost:
        return True
    (black, white), (black_gone, white_gone) = state.hands, state.buried  # as `is_all_known`: a call costs here
    if black.unknown or white.unknown or black_gone.unknown or white_gone.unknown:
        return not _came_by_shuffle(state, seat, named)
    return False


def _may_be_lost(state: KahunaState, seat: int | None, named: Sequence[str]) -> bool:
    """Whether a named card must be one of those put away, before the next shuffle.

    The unknown cards of a hand are some of those that it may have lost, and others that can be any card. Once a ruling
    moved cards, they may lie anywhere.
    """
    if state.revision >= ALSO_AFTER_SHUFFLES and any(True for _, word in state.told if isinstance(word, MoveCard)):
        return True
    if seat is not None and state.hands[seat].unknown - len(named) < len(state.lost[seat]):
        return True
    lost = [*state.lost[0], *state.lost[1]]
    return any(card in lost and named.count(card) > state.unlocated_copies(card) - lost.count(card) for card in named)


def _came_by_shuffle(state: KahunaState, seat: int | None, named: Sequence[str]) -> bool:
    """Whether the named cards are possible by common knowledge of the last shuffle, and nothing else is known.

    The cards of the new deck can lie in any order. So each of them that nobody has seen since can be any card of the
    deck, or any card that a hand drew from it. The same holds for kept cards, if they are known for certain.
    """
    told, lying = state.shuffled, state.located_cards()
    if told is None:
        return False
    kept = [card for card in named if named.count(card) > COPIES_OF[card] - lying.count(card) - told.kept.get(card, 0)]
    if seat is None:
        return not kept
    drawn = state.hands[seat].unknown - told.old[seat]
    if drawn < len(named) - len(kept):
        return False
    return not kept or (
        told.old[seat] >= len(kept)
        and all(named.count(card) <= told.kept.get(card, 0) for card in kept)
        and _are_kept_cards_known(state, told)
    )


def _are_kept_cards_known(state: KahunaState, told: ShuffleKnowledge) -> bool:
    """Whether the cards kept at the shuffle are known for certain, and can lie in any hand."""
    if sum(told.kept.values()) != sum(told.old) or (state.round > 2 and all(told.old)):
        return False
    hands = zip(state.hands, told.old, told.new, strict=True)
    return all(hand.unknown == hand.unseen() == old + new for hand, old, new in hands)
