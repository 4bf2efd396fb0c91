"""The end of the game, by the sheet or by word."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Literal

from games.contract import Effect
from games.errors import ImpossibleError, RuleBrokenError
from games.scoresheet.moves.base import TableMove
from games.scoresheet.moves.checking import failed_at_end
from games.scoresheet.scoring import due_rounds, one_more_round, sides_at_end
from games.scoresheet.template import Name
from games.scoresheet.values import write_value
from games.words import titled

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Self

    from games.scoresheet.state import ScoresheetState
    from games.scoresheet.template import Column


class Decide(TableMove, frozen=True, kw_only=True, tag="decide"):
    """All who played together have won or lost."""

    result: Literal["won", "lost"]

    @classmethod
    def legal(cls, state: ScoresheetState) -> Iterator[Self]:
        """Both results, at any time, if all play together."""
        if state.template.wins == "cooperative" and not state.closing:
            yield cls(result="won")
            yield cls(result="lost")

    def execute(self, state: ScoresheetState) -> list[Effect]:
        """Close the sheet."""
        if state.template.wins != "cooperative":
            raise ImpossibleError("the players are against each other: end finishes the game", "scoresheet:END-3")
        return _close(state, self.result)


class Stop(TableMove, frozen=True, kw_only=True, tag="stop"):
    """The game is stopped before its end: the player who is ahead wins, or nobody without a `winner`.

    `why` is one of the other ends that the template names. It can be made at any time, and is never listed.
    """

    steps: ClassVar[tuple[Any, ...]] = ()

    why: Name | None = None
    winner: bool = True

    @classmethod
    def off_turn_moves(cls, state: ScoresheetState) -> Iterator[Self]:
        """Stops that break no rule now: by the current scores, by an end of the template, and without a winner."""
        if state.closing or not state.cells:
            return
        if state.template.wins != "cooperative":
            stops = [cls(), *(cls(why=stop.id) for stop in state.template.stops)]
            yield from (stop for stop in stops if not any(stop.breaches(state)))
        yield cls(winner=False)

    def check(self, state: ScoresheetState) -> Iterable[RuleBrokenError]:
        """A game must have begun. An end after some rounds needs exactly these rounds, filled in."""
        if not state.cells and self.winner:
            yield RuleBrokenError("scoresheet:CELL-4", "the sheet is empty")
        rounds = next((stop.rounds for stop in state.template.stops if stop.id == self.why), None)
        if rounds is None:
            return
        if rounds != state.round:
            yield RuleBrokenError("scoresheet:END-5", "this is an end after round {rounds} alone", rounds=rounds)
        elif empty := next((place for place in state.missing(rounds) if place[0].default is None), None):
            yield _empty(state, *empty)

    def execute(self, state: ScoresheetState) -> list[Effect]:
        """Close the sheet with its current cells."""
        known = [stop.id for stop in state.template.stops]
        if self.why is not None and self.why not in known:
            raise ImpossibleError(
                "the sheet knows no end {name}; it has {names}",
                "scoresheet:END-5",
                name=self.why,
                names=", ".join(known) or "none",
            )
        if self.winner and state.template.wins == "cooperative":
            raise ImpossibleError("those who play together stop without a winner", "scoresheet:END-5")
        return _close(state, "stopped" if self.winner else "nobody", state.round)


class Finish(TableMove, frozen=True, kw_only=True, tag="finish"):
    """The game is over: whoever is ahead by the sheet has won."""

    @classmethod
    def legal(cls, state: ScoresheetState) -> Iterator[Self]:
        """Finishing, when the sheet is full."""
        if state.template.wins != "cooperative" and not any((end := cls()).breaches(state)):
            yield end

    def check(self, state: ScoresheetState) -> Iterable[RuleBrokenError]:
        """Every due cell must be filled in or have a default, and a target must have been reached."""
        due, there = due_rounds(state), sides_at_end(state)
        empty = next((place for place in state.missing(due) if place[0].default is None), None)
        if empty is not None and not (there and state.template.first_wins):
            yield _empty(state, *empty)
        elif not state.cells:
            yield RuleBrokenError("scoresheet:CELL-4", "the sheet is empty")
        elif state.round < due:
            yield RuleBrokenError("scoresheet:ROUND-2", "round {due} is the last one, and comes first", due=due)
        if state.template.has_end and state.round < state.last and not there:
            yield _too_early(state)
        yield from failed_at_end(state)

    def execute(self, state: ScoresheetState) -> list[Effect]:
        """Close the sheet."""
        if state.template.wins == "cooperative":
            raise ImpossibleError("say whether the game was won or lost", "scoresheet:END-3")
        return _close(state)


def _too_early(state: ScoresheetState) -> RuleBrokenError:
    if one_more_round(state):
        return RuleBrokenError(
            "scoresheet:END-2", "the first are level: one more round decides, or stop the game early"
        )
    if state.template.target is None:
        return RuleBrokenError("scoresheet:END-2", "nobody has ended the game; it can be stopped early")
    text = "nobody has reached {target}; the game can be stopped early"
    return RuleBrokenError("scoresheet:END-2", text, target=state.template.target)


def _empty(state: ScoresheetState, column: Column, number: int | None, side: int) -> RuleBrokenError:
    name = state.cell_title(column, number, side)
    return RuleBrokenError("scoresheet:CELL-4", "{cell_name} is empty", cell_name=name)


def _close(
    state: ScoresheetState,
    result: Literal["won", "lost", "stopped", "nobody"] | None = None,
    rounds: int | None = None,
) -> list[Effect]:
    """End the game after these `rounds`, or the due ones, and fill empty cells with their defaults."""
    if state.closing:
        raise ImpossibleError("the game has been ended already", "scoresheet:END-4")
    filled: dict[str, Effect] = {}
    for column, number, side in list(state.missing(due_rounds(state) if rounds is None else rounds)):
        if column.default is not None:
            state.put(column, number, side, column.default)
            at = (titled(column.name_in_sentence), write_value(column, column.default))
            filled[column.id] = Effect("cells.filled", "scoresheet:CELL-4", None, at)
    effects = [*filled.values()]
    state.close(result)
    outcome = state.outcome()
    if rounds is not None:
        effects.append(Effect("game.stopped", "scoresheet:END-5"))
    if result == "nobody":
        return effects
    if outcome is None or not outcome.winners:
        return [*effects, Effect("game.lost", outcome.rule if outcome else "scoresheet:END-1")]
    if outcome.reason == "tie":
        return effects + [Effect("game.tied", outcome.rule, seat) for seat in outcome.winners]
    return effects + [Effect("game.won", outcome.rule, seat) for seat in outcome.winners]
