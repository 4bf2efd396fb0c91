"""The roll, moves that replace it, and the exchange before it."""

from __future__ import annotations

from itertools import combinations_with_replacement
from typing import TYPE_CHECKING, Annotated, ClassVar

import msgspec

from games.contract import Blank, Effect
from games.errors import ImpossibleError, RuleBrokenError
from games.manapani.chips import gain, require_chips, spend, words
from games.manapani.components import CARD_RULES, COLOURS, WHITE
from games.manapani.moves.base import BeforeRoll, Chip, Die, TurnMove, follow_up, noted_beside
from games.manapani.turns import Due, drop_action, end_turn, start_moving
from games.words import Sentence

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Self

    from games.contract import Chance
    from games.manapani.state import ManapaniState

FACES = range(1, 7)


class Roll(TurnMove, frozen=True, kw_only=True, tag="roll"):
    """The numbers of the dice. None is unknown; all must be known before play goes on."""

    steps: ClassVar[tuple[Due, ...]] = ("turn",)
    wrong_step_rule = ("manapani:4", Sentence("the dice are rolled once a turn"))
    unknown_fields: ClassVar[tuple[str, ...]] = ("dice",)

    dice: Annotated[tuple[Die | None, ...], msgspec.Meta(min_length=1, max_length=2)]

    @classmethod
    def legal(cls, state: ManapaniState) -> Iterator[Self]:
        """The due number of dice, unknown; or the noted part of the roll."""
        if state.dice:
            yield cls(seat=state.active, dice=tuple(state.dice))
        elif _rolls(state):
            yield cls(seat=state.active, dice=(None,) * state.dice_due())

    def check(self, state: ManapaniState) -> Iterable[RuleBrokenError]:
        """The breaches of a player who cannot move, and of a wrong number of dice."""
        if state.dice:
            return ()  # They are rolled, and were judged then: now it is only noted what they show.
        if state.held:
            return [RuleBrokenError("manapani:B21", "{name} cannot move in this turn", name=state.seat_name(self.seat))]
        if state.moved:
            return [RuleBrokenError(CARD_RULES["Brave Attack"], "nothing is rolled after Brave Attack")]
        due = state.dice_due()
        if not due:
            return [RuleBrokenError("manapani:C3", "the only die is set to {face}", face=state.face)]
        if len(self.dice) == due:
            return ()
        rule = CARD_RULES["Slow"] if state.slowed else "manapani:4"
        text = "{due} die is rolled, not {count}" if due == 1 else "{due} dice are rolled, not {count}"
        return [RuleBrokenError(rule, text, due=due, count=len(self.dice))]

    def execute(self, state: ManapaniState) -> list[Effect]:
        """Note the dice. Once all are known, move the pawn."""
        if len(self.dice) > 1 and state.face is not None:
            raise ImpossibleError(
                "one die is set to {face}, so only one is rolled", CARD_RULES["Holy Dice"], face=state.face
            )
        dice = self._all_noted(state.dice) if state.dice else list(self.dice)
        shown, thrown = tuple([str(die or "?") for die in dice]), [*filter(None, dice)]
        if len(thrown) < len(dice):
            state.dice = dice
            return [Effect("dice.rolled", "manapani:4", self.seat, shown)]
        state.dice = []
        rolled = sum(thrown)
        return [Effect("dice.rolled", "manapani:4", self.seat, shown, rolled), *_move_by(state, rolled)]

    def check_late(self, state: ManapaniState) -> Iterable[RuleBrokenError]:  # noqa: ARG002
        """No breaches: at another step no number of dice is due."""
        return ()

    def execute_late(self, state: ManapaniState) -> list[Effect]:
        """Cut the current action short, and move the pawn."""
        return drop_action(state, self.seat) + self.execute(state)

    def _all_noted(self, before: list[int | None]) -> list[int | None]:
        """The earlier note of the roll, merged with the new one."""
        if len(before) != len(self.dice):
            raise ImpossibleError("both dice were rolled" if len(before) > 1 else "one die was rolled", "manapani:4")
        text = "a die is known to show {known}, not {told}"
        return noted_beside(before, self.dice, text, "manapani:4")

    def blanks(self, state: ManapaniState) -> tuple[Blank, ...]:  # noqa: ARG002
        """A blank for each unknown die, with its faces."""
        faces = tuple(map(str, FACES))
        return tuple(Blank(self.seat, faces) for die in self.dice if die is None)

    def sample_chance(self, state: ManapaniState, chance: Chance) -> Self:  # noqa: ARG002
        """The move with each unknown die rolled."""
        dice = tuple(die or chance.choice(FACES) for die in self.dice)
        return msgspec.structs.replace(self, dice=dice)


class Go(BeforeRoll, frozen=True, kw_only=True, tag="go"):
    """The turn goes on without a roll: after Brave Attack, with the one die already set, or when nobody can move."""

    wrong_step_rule = ("manapani:4", Sentence("the turn goes on without dice only in place of a roll"))

    @classmethod
    def legal(cls, state: ManapaniState) -> Iterator[Self]:
        """A move, if no dice are due."""
        if not state.dice and not _rolls(state):
            yield cls(seat=state.active)

    def check(self, state: ManapaniState) -> Iterable[RuleBrokenError]:
        """The breach if dice are due."""
        if _rolls(state):
            yield RuleBrokenError("manapani:4", "the dice are to be rolled")

    def execute(self, state: ManapaniState) -> list[Effect]:
        """Move by the set die, if Slow leaves no other one (manapani:C3); else end the turn without a move."""
        if state.face is not None and state.slowed and not (state.held or state.moved):
            return _move_by(state, 0)
        return [Effect("pawn.stopped", "manapani:4", self.seat), *end_turn(state)]

    def check_late(self, state: ManapaniState) -> Iterable[RuleBrokenError]:  # noqa: ARG002
        """No breaches: at another step it does not matter if dice were due."""
        return ()

    def execute_late(self, state: ManapaniState) -> list[Effect]:
        """Cut the current action short, and end the turn."""
        return drop_action(state, self.seat) + self.execute(state)


class Exchange(TurnMove, frozen=True, kw_only=True, tag="exchange"):
    """Two coloured chips go to the source for a white one."""

    steps: ClassVar[tuple[Due, ...]] = ("turn",)
    wrong_step_rule = ("manapani:4", Sentence("the exchange comes before the roll"))

    chips: Annotated[tuple[Chip, ...], msgspec.Meta(min_length=2, max_length=2)]

    @classmethod
    def legal(cls, state: ManapaniState) -> Iterator[Self]:
        """For each choice of two coloured chips, a move, if there was no roll and no exchange in this turn."""
        if state.dice or state.exchanged:
            return
        held = state.chips[state.active]
        for one, two in combinations_with_replacement(range(WHITE), 2):
            if held[one] and held[two] and (one != two or held[one] > 1):
                yield cls(seat=state.active, chips=(COLOURS[one], COLOURS[two]))

    def check(self, state: ManapaniState) -> Iterable[RuleBrokenError]:
        """The breaches of an exchange after the roll, of a second one in a turn, and of white chips."""
        if state.dice and self.seat == state.active and state.due == "turn":
            yield RuleBrokenError("manapani:4", "the exchange comes before the roll")
        if state.exchanged and self.seat == state.active:
            yield RuleBrokenError("manapani:4", "there is one exchange a turn")
        if "white" in self.chips:
            # manapani:A2: the two can be of one colour or of two.
            yield RuleBrokenError("manapani:A2", "two coloured chips are exchanged for a white one")

    def execute(self, state: ManapaniState) -> list[Effect]:
        """Exchange the chips. Raises `ImpossibleError` if the player does not hold them."""
        paid = require_chips(state, self.seat, self.chips)
        spend(state, self.seat, paid)
        state.exchanged = state.exchanged or self.seat == state.active
        effects = [Effect("chips.exchanged", "manapani:4", self.seat, (words(paid),))]
        return effects + gain(state, self.seat, WHITE, "manapani:4") + follow_up(state)


def _rolls(state: ManapaniState) -> bool:
    """Whether dice must be rolled now (manapani:C9, manapani:B21)."""
    return not state.held and not state.moved and state.dice_due() > 0


def _move_by(state: ManapaniState, rolled: int) -> list[Effect]:
    """Move the pawn by the dice and a set die; twice as far with Fly (manapani:26)."""
    steps = rolled + (state.face or 0)
    return start_moving(state, 2 * steps if "Fly" in state.spells else steps)
