"""Bridges: built for one card, removed for two."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from games.errors import ImpossibleError, RuleBrokenError
from games.kahuna.components import BRIDGES, ENDS, ISLAND, ISLANDS, LINE, LINES, members, owner
from games.kahuna.control import remove_bridge
from games.kahuna.moves.base import TURN_LIMIT, Card, Line, SeatMove, play_cards, played_cards
from games.kahuna.ships import build_bridge

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Self

    from games.contract import Effect
    from games.kahuna.state import KahunaState


class Build(SeatMove, frozen=True, kw_only=True, tag="build"):
    """A bridge is put on a line, for one card."""

    card: Card
    line: Line

    @classmethod
    def legal_on_turn(cls, state: KahunaState) -> Iterator[Self]:
        """A bridge on every free line that the opponent does not block, for each card of its ends."""
        seat = state.active
        if state.sailed or state.plays >= TURN_LIMIT or not has_bridge(state, seat):
            return
        playable, taken = state.playable(), state.bridges[0] | state.bridges[1]
        for line, ends in enumerate(ENDS):
            if taken >> line & 1 or (state.options.box_variant and _opponents_island(state, seat, line)):
                continue
            for end in ends:
                if playable[end]:
                    yield cls(seat=seat, card=ISLANDS[end], line=LINES[line])

    def check(self, state: KahunaState) -> Iterable[RuleBrokenError]:
        """The card must name an end of the line. In the box variant the opponent must hold neither end."""
        line = LINE[self.line]
        if ISLAND[self.card] not in ENDS[line]:
            yield RuleBrokenError("kahuna:PLAY-2", "{card} is at neither end of {line}", card=self.card, line=self.line)
        if state.options.box_variant and (island := _opponents_island(state, self.seat, line)):
            yield RuleBrokenError(
                "kahuna:BOX-1", "{other} holds {island}", other=state.seat_name(1 - self.seat), island=island
            )
        yield from played_cards(state, self)

    def from_hand(self) -> Sequence[str]:
        """The played card."""
        return (self.card,)

    def execute(self, state: KahunaState) -> list[Effect]:
        """Build the bridge. The line must be free, and the seat must have the card and a bridge."""
        seat, line = self.seat, LINE[self.line]
        if (state.bridges[0] | state.bridges[1]) >> line & 1:
            raise ImpossibleError("a bridge lies on {line} already", "kahuna:PLAY-2", line=self.line)
        require_bridge(state, seat)
        state.require_hand(seat, (self.card,))
        return play_cards(state, seat, (self.card,)) + build_bridge(state, seat, line)


class Remove(SeatMove, frozen=True, kw_only=True, tag="remove"):
    """A bridge is removed from a line, for two cards; and with `rebuild` an own one put there at once (BOX-2)."""

    cards: tuple[Card, Card]
    line: Line
    rebuild: bool = False

    @classmethod
    def legal_on_turn(cls, state: KahunaState) -> Iterator[Self]:
        """Removing every bridge of the opponent, for each two cards of its ends; with rebuilding if allowed."""
        seat = state.active
        if state.sailed or state.plays + 2 > TURN_LIMIT:
            return
        can_rebuild, playable = state.options.box_variant and has_bridge(state, seat), state.playable()
        for line in members(state.bridges[1 - seat]):
            for a, b in state.groups(ENDS[line], 2, playable):
                remove = cls(seat=seat, cards=(a, b), line=LINES[line])
                yield remove
                if can_rebuild:
                    rebuild = msgspec.structs.replace(remove, rebuild=True)
                    if not any(rebuild._rebuild_breaches(state)):
                        yield rebuild

    def check(self, state: KahunaState) -> Iterable[RuleBrokenError]:
        """The cards must name ends of the line, and the bridge must be the opponent's."""
        line = LINE[self.line]
        for card in dict.fromkeys(self.cards):
            if ISLAND[card] not in ENDS[line]:
                yield RuleBrokenError("kahuna:REM-1", "{card} is at neither end of {line}", card=card, line=self.line)
        if state.bridges[self.seat] >> line & 1:
            whose = state.seat_name(self.seat)
            yield RuleBrokenError("kahuna:REM-1", "the bridge on {line} is {whose}'s own", line=self.line, whose=whose)
        if self.rebuild:
            yield from self._rebuild_breaches(state)
        yield from played_cards(state, self)

    def _rebuild_breaches(self, state: KahunaState) -> Iterable[RuleBrokenError]:
        """Rebuilding needs the box variant, and the opponent must hold neither end after the removal."""
        if not state.options.box_variant:
            yield RuleBrokenError("kahuna:REM-2", "to build on {line} takes a third card", line=self.line)
            return
        after, line, other = state.copy(), LINE[self.line], state.seat_name(1 - self.seat)
        builder = owner(state.bridges, line)
        if builder is not None:
            remove_bridge(after, builder, line, "kahuna:REM-2")
        if island := _opponents_island(after, self.seat, line):
            yield RuleBrokenError(
                "kahuna:BOX-2", "{other} holds {island} also without that bridge", other=other, island=island
            )
        if after.ending and not state.ending:
            yield RuleBrokenError(
                "kahuna:LOSS-1", "{line} was {other}'s last bridge: the game is over", line=self.line, other=other
            )

    def from_hand(self) -> Sequence[str]:
        """The two played cards."""
        return self.cards

    def execute(self, state: KahunaState) -> list[Effect]:
        """Remove the bridge, and rebuild one if wanted. There must be a bridge, of either player."""
        seat, line = self.seat, LINE[self.line]
        builder = owner(state.bridges, line)
        if builder is None:
            raise ImpossibleError("no bridge lies on {line}", "kahuna:REM-1", line=self.line)
        if self.rebuild and builder != seat:
            require_bridge(state, seat)
        state.require_hand(seat, self.cards)
        effects = play_cards(state, seat, self.cards) + remove_bridge(state, builder, line, "kahuna:REM-2")
        return effects + build_bridge(state, seat, line) if self.rebuild else effects


def has_bridge(state: KahunaState, seat: int) -> bool:
    """Whether a seat has a bridge to put on the board."""
    return state.bridges[seat].bit_count() < BRIDGES


def require_bridge(state: KahunaState, seat: int) -> None:
    """Make sure that the seat has a bridge to put on the board. Raises `ImpossibleError`."""
    if not has_bridge(state, seat):
        raise ImpossibleError("{name} has no bridge left", "kahuna:PLAY-5", name=state.seat_name(seat))


def _opponents_island(state: KahunaState, seat: int, line: int) -> str | None:
    """An island at the line that the opponent holds; None if there is none."""
    return next((ISLANDS[end] for end in ENDS[line] if state.stones[1 - seat] >> end & 1), None)
