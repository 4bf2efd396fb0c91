"""The end of the game, by the sheet or by word."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from games.contract import Effect
from games.errors import ImpossibleError, RuleBrokenError
from games.scoresheet.moves.base import TableMove
from games.scoresheet.scoring import due_rounds, reached

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Self

    from games.scoresheet.state import ScoresheetState


class Decide(TableMove, frozen=True, kw_only=True, tag="decide"):
    """All who played together have won or lost."""

    result: Literal["won", "lost"]

    @classmethod
    def legal(cls, state: ScoresheetState) -> Iterator[Self]:
        """Those who play together can say so at any time."""
        if state.template.wins == "cooperative" and not state.closing:
            yield cls(result="won")
            yield cls(result="lost")

    def execute(self, state: ScoresheetState) -> list[Effect]:
        """Close the sheet."""
        if state.template.wins != "cooperative":
            raise ImpossibleError("the players are against each other: end finishes the game", "scoresheet:END-3")
        return _close(state, self.result)


class Finish(TableMove, frozen=True, kw_only=True, tag="finish"):
    """The game is over: whoever is ahead by the sheet has won."""

    @classmethod
    def legal(cls, state: ScoresheetState) -> Iterator[Self]:
        """When the sheet is full."""
        if state.template.wins != "cooperative" and not any((end := cls()).breaches(state)):
            yield end

    def check(self, state: ScoresheetState) -> Iterable[RuleBrokenError]:
        """Every cell that is due is filled in, or has a default; and the target, if there is one, was reached."""
        due = due_rounds(state)
        empty = next((place for place in state.missing(due) if place[0].default is None), None)
        if empty is not None:
            column, number, side = empty
            yield RuleBrokenError(
                "scoresheet:CELL-4", "{cell_name} is empty", cell_name=state.cell_name(column, number, side)
            )
        elif not state.cells:
            yield RuleBrokenError("scoresheet:CELL-4", "the sheet is empty")
        elif state.round < due:
            yield RuleBrokenError("scoresheet:ROUND-2", "round {due} is the last one, and comes first", due=due)
        if state.template.target is not None and state.round < state.last and not reached(state):
            yield RuleBrokenError("scoresheet:END-2", "nobody has reached {target}", target=state.template.target)

    def execute(self, state: ScoresheetState) -> list[Effect]:
        """Close the sheet."""
        if state.template.wins == "cooperative":
            raise ImpossibleError("say whether the game was won or lost", "scoresheet:END-3")
        return _close(state)


def _close(state: ScoresheetState, result: Literal["won", "lost"] | None = None) -> list[Effect]:
    """End the game, with what is still empty at its default."""
    if state.closing:
        raise ImpossibleError("the game has been ended already", "scoresheet:END-4")
    effects = []
    for column, number, side in list(state.missing(due_rounds(state))):
        if column.default is not None:
            effects += state.write(column, number, side, column.default)
    state.close(result)
    outcome = state.outcome()
    if outcome is None or not outcome.winners:
        return [*effects, Effect("game.lost", outcome.rule if outcome else "scoresheet:END-1")]
    if outcome.reason == "tie":
        return effects + [Effect("game.tied", outcome.rule, seat) for seat in outcome.winners]
    return effects + [Effect("game.won", outcome.rule, seat) for seat in outcome.winners]
