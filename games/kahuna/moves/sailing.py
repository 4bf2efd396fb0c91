"""Ships (option `seafarer`): placed for three cards, moved for none."""

from __future__ import annotations

from typing import TYPE_CHECKING

from games.errors import ImpossibleError, RuleBrokenError
from games.kahuna.components import COURSES, ISLAND, LINES, SEA, SEAS, SHORES
from games.kahuna.moves.base import TURN_LIMIT, Card, Sea, SeatMove, play_cards, played_cards
from games.kahuna.ships import is_enclosed, move_ship, place_ship
from games.kahuna.turns import take_turn
from games.words import Sentence

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Self

    from games.contract import Effect
    from games.kahuna.state import KahunaState

NO_SHIPS = Sentence("there are no ships in this game: seafarer is off")


class Launch(SeatMove, frozen=True, kw_only=True, tag="launch"):
    """A ship is placed in a sea, for three cards."""

    cards: tuple[Card, Card, Card]
    sea: Sea

    @classmethod
    def legal_on_turn(cls, state: KahunaState) -> Iterator[Self]:
        """A ship in every sea without an own ship, for each three cards of its islands."""
        seat = state.active
        if not state.options.seafarer or state.sailed or state.plays + 3 > TURN_LIMIT:
            return
        playable = state.playable()
        for sea, shores in enumerate(SHORES):
            if not state.ships[seat] >> sea & 1 and not _is_forbidden(state, seat, sea):
                for a, b, c in state.groups(shores, 3, playable):
                    yield cls(seat=seat, cards=(a, b, c), sea=SEAS[sea])

    def check(self, state: KahunaState) -> Iterable[RuleBrokenError]:
        """The cards must name islands at the sea, and the sea must not be closed to the seat."""
        if not state.options.seafarer:
            return
        sea = SEA[self.sea]
        for card in dict.fromkeys(self.cards):
            if ISLAND[card] not in SHORES[sea]:
                yield RuleBrokenError("kahuna:SEA-2", "{card} is not at {sea}", card=card, sea=self.sea)
        if _is_forbidden(state, self.seat, sea):
            other = state.seat_name(1 - self.seat)
            yield RuleBrokenError("kahuna:SEA-10", "{other}'s bridges enclose {sea}", other=other, sea=self.sea)
        yield from played_cards(state, self)

    def from_hand(self) -> Sequence[str]:
        """The three played cards."""
        return self.cards

    def execute(self, state: KahunaState) -> list[Effect]:
        """Place the ship. The seat must have no ship there, and must have the cards."""
        seat, sea = self.seat, SEA[self.sea]
        require_ships(state)
        if state.ships[seat] >> sea & 1:
            raise ImpossibleError(
                "{name} has a ship in {sea} already", "kahuna:SEA-1", name=state.seat_name(seat), sea=self.sea
            )
        state.require_hand(seat, self.cards)
        return play_cards(state, seat, self.cards) + place_ship(state, seat, sea)


class Sail(SeatMove, frozen=True, kw_only=True, tag="sail"):
    """An own ship is moved from a sea to another."""

    sea: Sea
    to: Sea

    @classmethod
    def legal_on_turn(cls, state: KahunaState) -> Iterator[Self]:
        """Ships across every line without a bridge of the opponent, before any card is played."""
        seat = state.active
        if not state.options.seafarer or state.plays or state.sailed:
            return
        for (sea, to), line in COURSES.items():
            if state.ships[seat] >> sea & 1 and not (state.ships[seat] >> to | state.bridges[1 - seat] >> line) & 1:
                yield cls(seat=seat, sea=SEAS[sea], to=SEAS[to])

    def check(self, state: KahunaState) -> Iterable[RuleBrokenError]:
        """One ship may move per turn, before any card, to an adjacent sea, and not under the opponent's bridge."""
        if not state.options.seafarer:
            return
        name = state.seat_name(self.seat)
        if self.seat == state.active:
            if state.plays:
                yield RuleBrokenError("kahuna:SEA-5", "{name} has played a card in this turn", name=name)
            if state.sailed:
                yield RuleBrokenError("kahuna:SEA-5", "{name} has moved a ship in this turn", name=name)
        line = COURSES.get((SEA[self.sea], SEA[self.to]))
        if line is None:
            yield RuleBrokenError("kahuna:SEA-5", "{to} is not adjacent to {sea}", to=self.to, sea=self.sea)
        elif state.bridges[1 - self.seat] >> line & 1:
            other = state.seat_name(1 - self.seat)
            yield RuleBrokenError(
                "kahuna:SEA-5", "{other}'s bridge on {line} is in the way", other=other, line=LINES[line]
            )

    def execute(self, state: KahunaState) -> list[Effect]:
        """Move the ship. The seat must have a ship there, and none in the other sea."""
        seat, sea, to = self.seat, SEA[self.sea], SEA[self.to]
        require_ships(state)
        name = state.seat_name(seat)
        if not state.ships[seat] >> sea & 1:
            raise ImpossibleError("{name} has no ship in {sea}", "kahuna:SEA-5", name=name, sea=self.sea)
        if state.ships[seat] >> to & 1:
            raise ImpossibleError("{name} has a ship in {to} already", "kahuna:SEA-1", name=name, to=self.to)
        effects = take_turn(state, seat)
        state.sailed = True
        return effects + move_ship(state, seat, sea, to)


def require_ships(state: KahunaState) -> None:
    """Make sure that the game is played with ships. Raises `ImpossibleError`."""
    if not state.options.seafarer:
        raise ImpossibleError(NO_SHIPS, "kahuna:SEA-1")


def _is_forbidden(state: KahunaState, seat: int, sea: int) -> bool:
    return state.options.replace_in_enclosed_sea == "forbidden" and is_enclosed(state, sea, 1 - seat)
