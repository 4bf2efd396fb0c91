"""Cards that were drawn unseen, until it is known what they were: the player may note the whole hand later."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from games.contract import ChanceEvent
from games.errors import ImpossibleError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from games.contract import Effect, Move, State
    from games.hidden import Hand


class _Waiting(NamedTuple):
    odds: list[Mapping[str, int]]
    hand: Counter[str]
    sample: int


class UnseenDraws:
    """The drawn cards of each seat that are not known yet, with the odds of each and the rest of the hand.

    They are known if the whole hand is, before a card leaves it. A card that is played first does not count: players
    choose what they play, so only some cards would be seen.
    """

    def __init__(self) -> None:
        """Nothing was drawn."""
        self._waiting: dict[int, _Waiting] = {}

    def draw(self, seat: int, odds: Iterable[Mapping[str, int]], hand: Hand, *, sample: int = 0) -> list[ChanceEvent]:
        """A seat drew cards with these odds, and its hand is as it is now."""
        waiting = self._waiting.get(seat, _Waiting([], Counter(hand.known), sample))
        fewest = min(filter(None, (waiting.sample, sample)), default=0)
        self._waiting[seat] = _Waiting([*waiting.odds, *odds], waiting.hand, fewest)
        return self.note(seat, hand)

    def note(self, seat: int, hand: Hand) -> list[ChanceEvent]:
        """A seat noted cards: the draws that are known now. With different odds nobody knows which card came when."""
        waiting = self._waiting.get(seat)
        if waiting is None or hand.unknown:
            return []
        came = sorted((Counter(hand.known) - waiting.hand).elements())
        if len(came) != len(waiting.odds) or any(odds != waiting.odds[0] for odds in waiting.odds):
            return self.leave_out(seat)
        del self._waiting[seat]
        return [
            ChanceEvent("draw", odds, card if card in odds else None, seat, sample=waiting.sample)
            for odds, card in zip(waiting.odds, came, strict=True)
        ]

    def leave_out(self, seat: int) -> list[ChanceEvent]:
        """The draws of a seat that will not be known: a card left the hand, or came to it in another way."""
        waiting = self._waiting.pop(seat, None)
        return [ChanceEvent("draw", odds, None, seat) for odds in waiting.odds] if waiting else []

    def rest(self) -> list[ChanceEvent]:
        """All that never became known."""
        return [event for seat in sorted(self._waiting) for event in self.leave_out(seat)]


def effects_of(before: State, move: Move, version: int) -> list[Effect]:
    """The effects of a move; none where it does not fit to what can be known from a viewpoint."""
    try:
        return before.copy().apply(move, version)
    except ImpossibleError:
        return []
