"""The knowledge of the cards of a game of Manapani, and the odds of drawn cards."""

from __future__ import annotations

from typing import TYPE_CHECKING

from games.chance import effects_of
from games.knowledge import SHUFFLED, Fact, Knowledge, Table
from games.manapani.adjustments import MoveCard
from games.manapani.components import DEALT, HANDS
from games.manapani.moves.cards import Discard, Hold, Spell
from games.manapani.state import WATCHED
from games.unseen_draws import HandWatch

if TYPE_CHECKING:
    from collections.abc import Sequence

    from games.contract import Adjustment, ChanceEvent, Effect
    from games.manapani.moves import ManapaniMove
    from games.manapani.state import ManapaniState

MOST = 200
"""The most arrangements that are kept. If there are more, a sample is kept. There are 37 kinds of cards."""


class ManapaniWatch(HandWatch):
    """Follows a game from a viewpoint. Moves and states must be as that viewpoint sees them."""

    def follow(self, before: ManapaniState, move: ManapaniMove, after: ManapaniState) -> list[ChanceEvent]:
        """The chance events of a move, and those of earlier draws with cards that are now known, or can never be."""
        self._begin(before)
        events = list(before.ruleset.chances(before, move, ()))
        effects = effects_of(before, move, after.version)
        match move:
            case Spell(seat=seat, card=card) if not effects:
                events += self._leave(seat, (card,))
            case Discard(seat=seat, cards=cards):
                events += self._leave(seat, cards)
            case Hold(seat=seat, cards=cards, drawn=drawn):
                events += self._note(seat, HANDS[seat], cards, after.hands[seat], drawn=drawn)
        return events + self._followed(after, effects)

    def follow_ruling(self, before: ManapaniState, adjustments: Sequence[Adjustment]) -> list[ChanceEvent]:
        """The chance events of a ruling: moved cards, and draws that follow from it."""
        self._begin(before)
        events = []
        for change in adjustments:
            if isinstance(change, MoveCard):
                for place in {change.source, change.to} & set(HANDS):
                    events += self._draws.leave_out(HANDS.index(place))
                    self.put_in(place)
                self.cards.take(Fact(before.version, change.source, change.to, (change.card,)))
        after = before.copy()
        effects = after.adjust(adjustments)
        return events + self._followed(after, effects)

    def remaining_events(self) -> list[ChanceEvent]:
        """The events of draws that stay unknown at the end."""
        return self._draws.remaining_events()

    def _begin(self, state: ManapaniState) -> None:
        if not hasattr(self, "cards"):
            self.cards = Knowledge(Table(state.copies, WATCHED, "deck", ("discards",)), MOST)

    def _followed(self, after: ManapaniState, effects: Sequence[Effect]) -> list[ChanceEvent]:
        """Follow the effects: the deal, spells, revealed cards, a shuffled pile, and draws.

        A spell that is cast out of turn begins the turn first, with its draw.
        """
        events: list[ChanceEvent] = []
        revealed = [effect for effect in effects if effect.kind == "cards.revealed"]
        out_of_hands = not any("?" in effect.at for effect in revealed) and after.due != "defend"
        for effect in effects:
            seat = effect.seat or 0
            match effect.kind:
                case "hands.dealt":
                    for place in HANDS[: after.seats]:
                        self._tell("deck", place, (None,) * DEALT)
                case "spell.cast":
                    events += self._leave(seat, effect.at)
                case "cards.revealed" if out_of_hands:
                    events += self._leave(seat, effect.at)
                case "cards.revealed":
                    self._tell(HANDS[seat], HANDS[seat], [card for card in effect.at if card != "?"])
                case "pile.shuffled":
                    self._tell(SHUFFLED, "deck", ())
                case "card.drawn":
                    odds = self._draw_unseen("deck", HANDS[seat], 1, after.version)
                    events += self._draws.draw(seat, odds, after.hands[seat], sample=self.cards.sample)
        return events

    def _leave(self, seat: int, cards: Sequence[str | None]) -> list[ChanceEvent]:
        """Follow cards of a hand to the discards, directly or through a fight."""
        self._tell(HANDS[seat], "discards", cards)
        return self._draws.leave_out(seat)
