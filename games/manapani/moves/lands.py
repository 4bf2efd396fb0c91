"""The effects of squares: the chip of the Start, and lands that are taken, strengthened or paid for."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Annotated, ClassVar

import msgspec

from games.contract import Effect
from games.errors import ImpossibleError, RuleBrokenError
from games.manapani import chips, fights
from games.manapani.components import COLOURS, TOP_LEVEL
from games.manapani.moves.base import (
    MOST_CHIPS,
    Chip,
    Chips,
    Place,
    TurnMove,
    follow_up,
    require_square,
    toll_owed,
)
from games.manapani.scoring import end_without_mana
from games.manapani.turns import (
    Due,
    continue_turn,
    end_turn,
    finish_square,
    gain_at_start,
    lands_to_strengthen,
    square_rule,
    step_rule,
    step_words,
)
from games.words import Sentence, count_and_noun

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Self

    from games.manapani.state import ManapaniState

Places = Annotated[tuple[Place, ...], msgspec.Meta(max_length=MOST_CHIPS)]


class Gain(TurnMove, frozen=True, kw_only=True, tag="gain"):
    """The colour of the chip that the Start brings."""

    steps: ClassVar[tuple[Due, ...]] = ("gain",)
    wrong_step_rule = ("manapani:12", Sentence("only the Start brings a chip of choice"))

    colour: Chip

    @classmethod
    def legal(cls, state: ManapaniState) -> Iterator[Self]:
        """A move for each colour, white included."""
        for colour in COLOURS:
            yield cls(seat=state.active, colour=colour)

    def execute(self, state: ManapaniState) -> list[Effect]:
        """Gain the chip, and let the pawn go on."""
        return gain_at_start(state, COLOURS.index(self.colour))

    def execute_late(self, state: ManapaniState) -> list[Effect]:
        """Gain a chip that was not due."""
        return chips.gain(state, self.seat, COLOURS.index(self.colour), "manapani:12") + follow_up(state)


class Claim(TurnMove, frozen=True, kw_only=True, tag="claim"):
    """An unowned land is taken."""

    steps: ClassVar[tuple[Due, ...]] = ("land",)
    wrong_step_rule = ("manapani:6", Sentence("an unowned land is taken by a player who has just come to it"))

    @classmethod
    def legal(cls, state: ManapaniState) -> Iterator[Self]:
        """Claim the land under the pawn."""
        yield cls(seat=state.active)

    def wrong_step_breach(self, state: ManapaniState) -> Iterator[RuleBrokenError]:
        """The breach of the step; on another player's land only the owed toll."""
        if self._resolves(state):
            yield toll_owed(state)
        else:
            yield from TurnMove.wrong_step_breach(self, state)

    def check_late(self, state: ManapaniState) -> Iterable[RuleBrokenError]:
        """The breach if the land has an owner."""
        place = state.pawns[self.seat]
        owner = state.owners[place]
        if owner is not None:
            name = state.seat_name(owner)
            yield RuleBrokenError("manapani:8", "{label} is {name}'s", label=state.label(place), name=name)

    def execute(self, state: ManapaniState) -> list[Effect]:
        """Put a chip of the source and a mark on the land. Marks never run out (manapani:6, manapani:A5).

        If the source has no such chip, a panic follows, and the land stays unowned (manapani:A4).
        """
        place = state.place
        if not state.source[state.box.colours[place]]:
            effects = self._take(state, place)
            return effects + (end_without_mana(state) or end_turn(state))
        return [*self._take(state, place), *end_turn(state)]

    def execute_late(self, state: ManapaniState) -> list[Effect]:
        """Claim the land under the pawn, even another player's: its chips stay on it."""
        place, resolves = state.pawns[self.seat], self._resolves(state)
        owner, label = state.owners[place], state.label(place)
        if place not in state.box.lands:
            raise ImpossibleError("{label} is no land", "manapani:6", label=label)
        if owner == self.seat:
            name = state.seat_name(owner)
            raise ImpossibleError("{label} is {name}'s already", "manapani:6", label=label, name=name)
        if owner is None:
            effects = self._take(state, place)
        else:
            state.owners[place], state.land_since[place] = self.seat, state.version
            effects = [Effect("land.captured", "manapani:REC-1", self.seat, (label,))]
        return effects + (fights.finish_fight(state) if resolves else follow_up(state))

    def _resolves(self, state: ManapaniState) -> bool:
        """Whether the claim resolves the square, although the land is another player's."""
        return self.seat == state.active and state.due in ("foreign", "toll")

    def _take(self, state: ManapaniState, place: int) -> list[Effect]:
        colour = state.box.colours[place]
        if not state.source[colour]:
            return chips.gain(state, self.seat, colour, "manapani:6")
        state.source[colour] -= 1
        state.owners[place] = self.seat
        chips.set_level(state, place, 1)
        return [Effect("land.claimed", "manapani:6", self.seat, (state.label(place),))]


class Put(TurnMove, frozen=True, kw_only=True, tag="put"):
    """Chips of its colour are put on an own land."""

    steps: ClassVar[tuple[Due, ...]] = ("put",)
    wrong_step_rule = (
        "manapani:7",
        Sentence("an own land is strengthened by a player who has come to it, or to a fort"),
    )

    place: Place
    count: Annotated[int, msgspec.Meta(ge=1, le=TOP_LEVEL)]

    @classmethod
    def legal(cls, state: ManapaniState) -> Iterator[Self]:
        """A move for each land that can be strengthened, and each number of chips of its colour (manapani:A3)."""
        for place, most in lands_to_strengthen(state):
            for count in range(1, most + 1):
                yield cls(seat=state.active, place=place, count=count)

    def check(self, state: ManapaniState) -> Iterable[RuleBrokenError]:
        """The breaches of another player's land, and of a land that is not under the pawn, unless that is at a fort."""
        yield from self.check_late(state)
        fort = state.box.board[state.place].kind == "fort"
        if self.place < len(state.owners) and not fort and self.place != state.place:
            yield RuleBrokenError(
                "manapani:7", "only {label} can be strengthened from here", label=state.label(state.place)
            )

    def check_late(self, state: ManapaniState) -> Iterable[RuleBrokenError]:
        """The breach of another player's land. The place of the pawn does not matter."""
        owner = state.owners[self.place] if self.place < len(state.owners) else None
        if owner is not None and owner != self.seat:
            fort = state.box.board[state.pawns[self.seat]].kind == "fort"
            label, name = state.label(self.place), state.seat_name(owner)
            yield RuleBrokenError("manapani:9" if fort else "manapani:7", "{label} is {name}'s", label=label, name=name)

    def execute(self, state: ManapaniState) -> list[Effect]:
        """Put the chips on the land. That resolves the square."""
        return [self._put(state, square_rule(state)), *finish_square(state)]

    def execute_late(self, state: ManapaniState) -> list[Effect]:
        """Put the chips on the land. The due step stays the same."""
        return [self._put(state, "manapani:REC-1"), *follow_up(state)]

    def _put(self, state: ManapaniState, rule: str) -> Effect:
        """Move the chips. Raises `ImpossibleError` if the land has no owner or no room, or the hand too few chips."""
        require_square(state, self.place)
        label, level = state.label(self.place), state.levels[self.place]
        if not level:
            raise ImpossibleError("{label} is nobody's land", "manapani:7", label=label)
        if level + self.count > TOP_LEVEL:
            raise ImpossibleError(
                "{label} has level {level}, and {top_level} is the highest",
                "manapani:7",
                label=label,
                level=level,
                top_level=TOP_LEVEL,
            )
        colour = state.box.colours[self.place]
        chips.require_chips(state, self.seat, (COLOURS[colour],) * self.count)
        state.chips[self.seat][colour] -= self.count
        state.hand_since[self.seat] = state.version
        chips.set_level(state, self.place, level + self.count)
        return Effect("level.raised", rule, self.seat, (label,), self.count)


class Leave(TurnMove, frozen=True, kw_only=True, tag="leave"):
    """Nothing is done on the square: no land taken or strengthened, no toll paid, no chip taken at the Start."""

    steps: ClassVar[tuple[Due, ...]] = ("land", "put", "foreign", "toll")
    wrong_step_rule = ("manapani:12", Sentence("the Start brings a chip"))

    @classmethod
    def legal(cls, state: ManapaniState) -> Iterator[Self]:
        """A move, if no toll is owed or a Shield is active."""
        if state.due in ("land", "put") or "Shield" in state.spells:
            yield cls(seat=state.active)

    def check(self, state: ManapaniState) -> Iterable[RuleBrokenError]:
        """The breach if a toll is owed."""
        if state.due in ("foreign", "toll") and "Shield" not in state.spells:
            rule = "manapani:13" if state.due == "foreign" else "manapani:20"
            yield RuleBrokenError(
                rule,
                "a toll of {level} is owed at {label}",
                level=state.levels[state.place],
                label=state.label(state.place),
            )

    def impossible_reason(self, state: ManapaniState) -> ImpossibleError | None:
        """The error if there is nothing to leave, by the rules or against them; else None."""
        if reason := TurnMove.impossible_reason(self, state):
            return reason
        if self.seat == state.active and state.due == "gain":
            return None
        return ImpossibleError(
            "there is nothing that {name} could leave: now {step_words}",
            step_rule(state),
            name=state.seat_name(self.seat),
            step_words=step_words(state),
        )

    def execute(self, state: ManapaniState) -> list[Effect]:
        """Do nothing on the square, and go on with the turn."""
        if state.due in ("foreign", "toll"):
            return [fights.toll_waived(state), *fights.finish_fight(state)]
        left = Effect("land.left", square_rule(state), self.seat, (state.label(state.place),))
        return [left, *finish_square(state)]

    def execute_late(self, state: ManapaniState) -> list[Effect]:
        """Leave the chip of the Start in the source, and let the pawn go on."""
        return [Effect("chip.forgone", "manapani:12", self.seat), *continue_turn(state)]


class Toll(TurnMove, frozen=True, kw_only=True, tag="toll"):
    """The toll is paid: `chips` from hand, and one chip from each of `lands`, which can be named repeatedly."""

    steps: ClassVar[tuple[Due, ...]] = ("foreign", "toll")
    wrong_step_rule = ("manapani:13", Sentence("no toll is owed now"))

    chips: Chips = ()
    lands: Places = ()

    @classmethod
    def legal(cls, state: ManapaniState) -> Iterator[Self]:
        """Every choice of colours that pays the toll; none under a Shield."""
        if "Shield" not in state.spells:
            colour, level = state.box.colours[state.place], state.levels[state.place]
            for paid, lands in chips.ways_to_pay_toll(state, state.active, colour, level):
                yield cls(seat=state.active, chips=paid, lands=lands)

    def check(self, state: ManapaniState) -> Iterable[RuleBrokenError]:
        """The breach if the payment is neither the exact toll nor all chips of a player who cannot pay."""
        stood = state.pawns[self.seat]
        if any(place >= len(state.levels) for place in self.lands) or state.owners[stood] in (None, self.seat):
            return
        if "Shield" in state.spells and self.seat == state.active:
            yield RuleBrokenError("manapani:C7", "under a Shield no toll is owed")
            return
        colour, due = state.box.colours[stood], state.levels[stood]
        given = chips.tally(self.chips)
        for place in self.lands:
            given[state.box.colours[place]] += 1
        if chips.is_minimal(given, colour, due):
            return
        value = chips.toll_value(given, colour)
        if chips.toll_value(chips.available_chips(state, self.seat), colour) < due:
            if not chips.is_everything(state, self.seat, self.chips, self.lands):
                yield RuleBrokenError("manapani:A8", "a player who cannot pay in full hands over every chip")
        elif value < due:
            yield RuleBrokenError(
                "manapani:13",
                "the toll is {due} {colour}; this is worth {value}",
                due=due,
                colour=COLOURS[colour],
                value=value,
            )
        else:
            yield RuleBrokenError(
                "manapani:A10",
                "the toll is {due} {colour}; some chip could be left out",
                due=due,
                colour=COLOURS[colour],
            )

    def execute(self, state: ManapaniState) -> list[Effect]:
        """Pay the toll. That resolves the square."""
        return self._pay(state) + fights.finish_fight(state)

    def execute_late(self, state: ManapaniState) -> list[Effect]:
        """Pay the toll. The due step stays the same."""
        return self._pay(state) + follow_up(state)

    def _pay(self, state: ManapaniState) -> list[Effect]:
        """Pay the owner of the land. Raises `ImpossibleError` if chips or an owner are missing.

        The rules are manapani:13 and manapani:A7.
        """
        paid, lands = chips.require_chips(state, self.seat, self.chips), Counter(self.lands)
        for place, count in lands.items():
            require_square(state, place)
            # manapani:A11: the land under the pawn is another player's, so it is never among those that pay.
            if state.owners[place] != self.seat or state.levels[place] < count:
                raise ImpossibleError(
                    "{name} has not {chips} on {label}",
                    "manapani:15",
                    name=state.seat_name(self.seat),
                    chips=count_and_noun(count, "chip"),
                    label=state.label(place),
                )
        stood = state.pawns[self.seat]
        owner, label = state.owners[stood], state.label(stood)
        if owner is None:
            raise ImpossibleError("{label} is nobody's land", "manapani:13", label=label)
        if owner == self.seat:
            raise ImpossibleError(
                "{label} is {name}'s own: nobody is paid", "manapani:13", label=label, name=state.seat_name(owner)
            )
        return self._hand_over(state, owner, paid, lands)

    def _hand_over(self, state: ManapaniState, owner: int, paid: list[int], lands: Counter[int]) -> list[Effect]:
        """Move the chips `paid` from the hand, and those of the lands, to the owner."""
        if any(paid):
            state.chips[self.seat] = [held - count for held, count in zip(state.chips[self.seat], paid, strict=True)]
            state.hand_since[self.seat] = state.version
        effects = []
        for place, count in lands.items():
            effects += chips.take_off(state, place, count, "manapani:15")
            paid[state.box.colours[place]] += count
        state.chips[owner] = [held + count for held, count in zip(state.chips[owner], paid, strict=True)]
        state.hand_since[owner] = state.version
        at, total = (chips.words(paid),), sum(paid)
        told = [
            Effect("toll.paid", "manapani:13", self.seat, at, total),
            Effect("toll.received", "manapani:13", owner, at, total),
        ]
        return [*told, *effects]
