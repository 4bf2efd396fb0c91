"""Markers given by hand: the deal, the first turn."""

from __future__ import annotations

from typing import TYPE_CHECKING

from games.contract import Effect
from games.errors import ImpossibleError, RuleBrokenError
from games.scoresheet.markers import MarkerEntry, holders, present_round
from games.scoresheet.moves.base import SeatMove
from games.scoresheet.moves.cells import Round, wrong_round
from games.scoresheet.template import Name
from games.words import titled

if TYPE_CHECKING:
    from collections.abc import Iterable

    from games.scoresheet.state import ScoresheetState
    from games.scoresheet.template import Marker


class Give(SeatMove, frozen=True, kw_only=True, tag="mark"):
    """A seat gets a marker in a round, and it goes on from there; or it is `taken` from the seat."""

    marker: Name
    round: Round | None = None
    taken: bool = False

    def check(self, state: ScoresheetState) -> Iterable[RuleBrokenError]:
        """The round must be open, the seat must play, and a marker that is taken must be there."""
        marker = state.template.marker(self.marker)
        if marker is None or self.seat >= state.seats:
            return
        yield from wrong_round(state, self.round)
        name = state.seat_name(self.seat)
        if self.seat in state.out and not self.taken:
            yield RuleBrokenError("scoresheet:SEAT-2", "{name} has dropped out", name=name)
        if self.taken and self.seat not in holders(state, marker, self.round or 0):
            yield RuleBrokenError(
                "scoresheet:MARK-1", "{name} does not have {marker}", name=name, marker=marker.name_in_sentence
            )

    def execute(self, state: ScoresheetState) -> list[Effect]:
        """Note the marker, unless nothing changes."""
        marker = self._require_marker(state)
        self.side(state)
        number = self.round or 0
        if self.taken != (self.seat in holders(state, marker, number)):
            return []
        state.marks.append(MarkerEntry(marker.id, number, self.seat, not self.taken))
        state.now()
        name = titled(marker.name_in_sentence)
        if self.taken:
            return [Effect("marker.taken", "scoresheet:MARK-1", self.seat, (name,))]
        return [Effect("marker.given", "scoresheet:MARK-1", self.seat, (name,))]

    def _require_marker(self, state: ScoresheetState) -> Marker:
        """The marker. Raises `ImpossibleError` for an unknown marker or round."""
        marker = state.template.marker(self.marker)
        if marker is None:
            names = ", ".join(marker.id for marker in state.template.markers) or "none"
            text = "the sheet has no marker {name}; it has {names}"
            raise ImpossibleError(text, "scoresheet:MARK-1", name=self.marker, names=names)
        if state.template.has_rounds and self.round is None:
            text = "{name} goes by rounds: say which one; round {round} is played now"
            raise ImpossibleError(text, "scoresheet:MARK-1", name=marker.name_in_sentence, round=present_round(state))
        if self.round is not None and not state.template.has_rounds:
            raise ImpossibleError("{name} is not in rounds", "scoresheet:ROUND-1", name=marker.name_in_sentence)
        return marker
