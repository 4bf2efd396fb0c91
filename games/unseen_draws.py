"""Cards that were drawn unseen, until they become known: the player may note the whole hand later."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from games.contract import ChanceEvent
from games.knowledge import DRAWN, Fact

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from games.hidden import Hand
    from games.knowledge import Knowledge


class _Waiting(NamedTuple):
    odds: list[Mapping[str, int]]
    hand: Counter[str]
    sample: int


class UnseenDraws:
    """The unknown drawn cards of each seat, with the odds of each and the rest of the hand.

    They become known if the whole hand is, or if the player notes the last draw, before a card leaves the hand. A
    card that is played first does not count: players choose what they play, so only some cards would be seen.
    """

    def __init__(self) -> None:
        """No card was drawn yet."""
        self._waiting: dict[int, _Waiting] = {}

    def draw(self, seat: int, odds: Iterable[Mapping[str, int]], hand: Hand, *, sample: int = 0) -> list[ChanceEvent]:
        """Add drawn cards of a seat with their odds; `hand` is the hand after it.

        Return the draws that are known now.
        """
        waiting = self._waiting.get(seat, _Waiting([], Counter(hand.known), sample))
        fewest = min(filter(None, (waiting.sample, sample)), default=0)
        self._waiting[seat] = _Waiting([*waiting.odds, *odds], waiting.hand, fewest)
        return self.note(seat, hand)

    def note(self, seat: int, hand: Hand) -> list[ChanceEvent]:
        """Note the hand of a seat, and return the draws that are known now.

        With different odds the order stays unknown.
        """
        waiting = self._waiting.get(seat)
        if waiting is None or hand.unknown:
            return []
        came = sorted((Counter(hand.known) - waiting.hand).elements())
        return self.note_draws(seat, came) if len(came) == len(waiting.odds) else self.leave_out(seat)

    def note_draws(self, seat: int, came: Sequence[str]) -> list[ChanceEvent]:
        """Note the cards of a seat's last draws, in any order. Earlier draws will stay unknown."""
        waiting = self._waiting.get(seat)
        if waiting is None:
            return []
        before = len(waiting.odds) - len(came)
        odds = waiting.odds[max(before, 0) :]
        if before < 0 or any(each != odds[0] for each in odds):
            return self.leave_out(seat)
        self._waiting[seat] = waiting._replace(odds=waiting.odds[:before])
        return self.leave_out(seat) + [
            ChanceEvent("draw", each, card if card in each else None, seat, sample=waiting.sample)
            for each, card in zip(odds, sorted(came), strict=True)
        ]

    def leave_out(self, seat: int) -> list[ChanceEvent]:
        """Drop the draws of a seat that will stay unknown: a card left the hand, or came to it in another way."""
        waiting = self._waiting.pop(seat, None)
        return [ChanceEvent("draw", odds, None, seat) for odds in waiting.odds] if waiting else []

    def remaining_events(self) -> list[ChanceEvent]:
        """Drop all draws at the end of the game, and return them as events without outcomes."""
        return [event for seat in sorted(self._waiting) for event in self.leave_out(seat)]


class HandWatch:
    """Follows hands that draw cards unseen, for the watches of rulesets.

    The cards of the last draw have their own place until the next word about the hand: the player can note them.
    """

    cards: Knowledge

    def __init__(self) -> None:
        """No card was drawn yet."""
        self._draws = UnseenDraws()
        self._drawn: dict[str, tuple[int, int]] = {}

    def _draw_unseen(self, deck: str, hand: str, count: int, version: int) -> list[dict[str, int]]:
        """Move cards from the deck to a hand, unseen, and return their odds."""
        drawn_at, drawn = self._drawn.get(hand, (version, 0))
        if drawn_at != version:
            self.put_in(hand)
            drawn = 0
        self._drawn[hand] = version, drawn + count
        return [odds for odds, _ in self.cards.learn(Fact(0, deck, DRAWN + hand, (None,) * count))]

    def _note(self, seat: int, hand: str, cards: Sequence[str], held: Hand, *, drawn: bool) -> list[ChanceEvent]:
        """Note cards of a hand, or of its last draw, and return the draws that are known now."""
        _, count = self._drawn.get(hand, (0, 0))
        if drawn and cards and len(cards) == count:
            self._learn(DRAWN + hand, DRAWN + hand, cards)
            return self._draws.note_draws(seat, cards)
        self._tell(hand, hand, cards)
        return self._draws.note(seat, held)

    def _tell(self, source: str, to: str, cards: Sequence[str | None]) -> None:
        """Learn that cards went from a place to another."""
        self.put_in(source)
        self.put_in(to)
        self._learn(source, to, cards)

    def put_in(self, hand: str) -> None:
        """Put the cards of a hand's last draw to its other cards."""
        if hand in self._drawn:
            del self._drawn[hand]
            self.cards.gather([hand])

    def _learn(self, source: str, to: str, cards: Sequence[str | None]) -> None:
        for _ in self.cards.learn(Fact(0, source, to, tuple(cards))):
            pass
