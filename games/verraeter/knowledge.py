"""The knowledge of the supply cards of a game of Verräter, and the odds of drawn cards.

Cards are drawn unseen. A drawn card is known only if the player notes the draw, or the whole hand, before a card leaves
it. The odds are those at the moment of the draw. Cards that are drawn together are counted one by one, each as if it
were the first. So the expected numbers are exact, but the true variance is a little smaller than the computed one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from games.chance import effects_of
from games.knowledge import DRAWN, SHUFFLED, Fact, Knowledge, Table
from games.unseen_draws import HandWatch
from games.verraeter.adjustments import MoveCard
from games.verraeter.components import COPIES, DEALT, HANDS
from games.verraeter.moves.drawing import Draw, Hold
from games.verraeter.moves.fighting import Lay

if TYPE_CHECKING:
    from collections.abc import Sequence

    from games.contract import Adjustment, ChanceEvent, Effect
    from games.verraeter.moves import VerraeterMove
    from games.verraeter.state import VerraeterState

TABLE = Table(COPIES, ("pile", "laid", "discards", *HANDS, *(DRAWN + hand for hand in HANDS)), "pile", ("discards",))


class VerraeterWatch(HandWatch):
    """Follows a game from a viewpoint. Moves and states must be as that viewpoint sees them."""

    def __init__(self) -> None:
        """Before the deal."""
        super().__init__()
        self.cards = Knowledge(TABLE)
        self._laid: list[str] = []
        self._pile = sum(COPIES.values())

    def follow(self, before: VerraeterState, move: VerraeterMove, after: VerraeterState) -> list[ChanceEvent]:
        """The chance events of a move, and those of earlier draws with cards that are now known, or can never be."""
        events = list(before.ruleset.chances(before, move, ()))
        match move:
            case Lay(seat=seat, cards=cards) if cards:
                events += self._draws.leave_out(seat)
                put_away = before.due in ("estates", "draw", None)
                self._tell(HANDS[seat], "discards" if put_away else "laid", cards)
                self._laid += () if put_away else cards
            case Draw(seat=seat, discards=cards) if cards:
                events += self._draws.leave_out(seat)
                self._tell(HANDS[seat], "discards", cards)
            case Hold(seat=seat, cards=cards, drawn=drawn):
                events += self._note(seat, HANDS[seat], cards, after.hands[seat], drawn=drawn)
        return events + self._followed(after, effects_of(before, move, after.version))

    def follow_ruling(self, before: VerraeterState, adjustments: Sequence[Adjustment]) -> list[ChanceEvent]:
        """The chance events of a ruling: moved cards, and draws that follow from it."""
        events = []
        for change in adjustments:
            if isinstance(change, MoveCard):
                for place in {change.source, change.to} & set(HANDS):
                    events += self._draws.leave_out(HANDS.index(place))
                    self.put_in(place)
                self.cards.take(Fact(before.version, change.source, change.to, (change.card,)))
                self._pile += (change.to == "pile") - (change.source == "pile")
        after = before.copy()
        effects = after.adjust(adjustments)
        return events + self._followed(after, effects)

    def remaining_events(self) -> list[ChanceEvent]:
        """The events of draws that stay unknown at the end."""
        return self._draws.remaining_events()

    def _followed(self, after: VerraeterState, effects: Sequence[Effect]) -> list[ChanceEvent]:
        """Follow the effects: the deal, laid cards that are put away, and draws with a shuffled pile."""
        events: list[ChanceEvent] = []
        for number, effect in enumerate(effects):
            seat, count = effect.seat or 0, effect.count or 0
            match effect.kind:
                case "supplies.dealt":
                    for place in HANDS[: after.seats]:
                        self._tell("pile", place, DEALT)
                    self._pile = count
                case "supplies.spent":
                    self._tell("laid", "discards", tuple(self._laid))
                    self._laid = []
                case "cards.drawn":
                    mixed = number > 0 and effects[number - 1].kind == "pile.shuffled"
                    events += self._draw(seat, count, effects[number - 1].count or 0 if mixed else None, after)
        return events

    def _draw(self, seat: int, count: int, mixed: int | None, after: VerraeterState) -> list[ChanceEvent]:
        """Follow a draw. After a shuffle, `mixed` is the new pile's size; the first cards are the old pile's."""
        first = count if mixed is None else self._pile
        odds = self._take(seat, first, after.version)
        if mixed is not None:
            self._tell(SHUFFLED, "pile", ())
            self._pile = mixed
            odds += self._take(seat, count - first, after.version)
        return self._draws.draw(seat, odds, after.hands[seat], sample=self.cards.sample)

    def _take(self, seat: int, count: int, version: int) -> list[dict[str, int]]:
        self._pile -= count
        return self._draw_unseen("pile", HANDS[seat], count, version)
