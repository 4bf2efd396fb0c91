"""Sticks: a game with two revisions of its rules, in which a score, an effect and a breach are not the same.

One to three sticks are taken from a heap, and the player with more points wins.
"""

from __future__ import annotations

import re
from contextlib import contextmanager
from typing import TYPE_CHECKING, Literal, Self

import msgspec

from games import svg
from games.adjustments import ENDINGS, Adjudge, Points, Resign, sentences_of
from games.contract import JSON, Effect, Move, Option, Outcome, Ruleset, ScoreLine, State, Title
from games.errors import ImpossibleError, RuleBrokenError
from games.reader import Reader

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


class Take(Move, frozen=True, kw_only=True, tag="take"):
    """A seat takes sticks from the heap."""

    seat: Literal[0, 1]
    count: Literal[1, 2, 3]

    @classmethod
    def legal(cls, state: SticksState) -> Iterator[Self]:
        seat = state.to_move()
        for count in (1, 2, 3):
            if seat is not None and count <= state.heap and not state.copies(count):
                yield cls(seat=seat, count=count)

    def breaches(self, state: SticksState) -> Iterator[RuleBrokenError]:
        if state.ending:
            yield RuleBrokenError(state.ending.rule, "the game is over")
        elif self.seat != state.active:
            yield RuleBrokenError("sticks:TURN-1", f"it is not {state.seat_name(self.seat)}'s turn")
        if state.copies(self.count):
            yield RuleBrokenError("sticks:TURN-3", f"{self.count} were taken right before")

    def apply(self, state: SticksState) -> list[Effect]:
        if self.count > state.heap:
            raise ImpossibleError(f"the heap has {state.heap} sticks", "sticks:TURN-2")
        state.heap -= self.count
        state.last, state.active = self.count, 1 - self.seat
        points = self.count if state.revision >= 2 else 1
        state.lines.append(ScoreLine(self.seat, points, "sticks", "sticks:END-1", state.version))
        effects = [Effect("sticks.taken", "sticks:TURN-2", self.seat, count=self.count)]
        if state.revision >= 2 and state.heap == 1:
            effects.append(Effect("heap.told", "sticks:TURN-4", self.seat))
        if state.heap == 0:
            state.end(Outcome.by_points(state.totals(), "empty", "sticks:END-1"))
        return effects


class SticksState(State, kw_only=True):
    """The sticks in the heap, the seat that moves next, how many were taken last, and every point."""

    heap: int
    active: int = 0
    last: int = 0
    lines: list[ScoreLine] = msgspec.field(default_factory=list)

    @classmethod
    def begin(cls, options: Mapping[str, bool | int | str], components: JSON | None, seats: int) -> Self:  # noqa: ARG003
        return cls(heap=int(options["heap"]))

    def to_move(self) -> int | None:
        return None if self.ending else self.active

    def copies(self, count: int) -> bool:
        """Whether taking so many is forbidden, since as many were taken right before."""
        return self.revision >= 2 and count == self.last and self.heap > 1

    def scores(self) -> list[ScoreLine]:
        return list(self.lines)

    def award(self, line: ScoreLine) -> list[Effect]:
        self.lines.append(line)
        return []


def describe(state: SticksState) -> JSON:
    return {"to_move": state.to_move(), "heap": state.heap}


def write(state: SticksState, move: Take) -> str:
    return f"{move.count}" if move.seat == state.to_move() else f"{move.seat + 1}: {move.count}"


def parse(state: SticksState, text: str) -> Take:
    return _Reader(text, re.compile(r"\w+|[^\w\s]"), {}).take(state)


class _Reader(Reader):
    def take(self, state: SticksState) -> Take:
        named = self._speaker(2, "expected player 1 or 2 here")
        count = self._number(1, 3, "expected a number from 1 to 3 here")
        self._end()
        return Take(seat=self._somebody(state.to_move() if named is None else named, state), count=count)  # type: ignore[arg-type]


def draw(state: SticksState) -> str:
    return svg.document("Sticks", f"A heap of {state.heap} sticks", 300, "#264653", [])


ADJUSTMENTS = (Points, Resign, Adjudge)

STICKS = Ruleset(
    name="sticks",
    title=Title("Sticks", "棒取り"),
    revision=2,
    changes=("The first rules.", "Each stick is a point; nobody takes as many as were taken right before."),
    seats=range(2, 3),
    seat_names=(Title("Left", "左"), Title("Right", "右")),
    options=(Option(name="heap", title=Title("Sticks in the heap", "棒の数"), choices=(12, 24), default=24),),
    endings=("empty", *ENDINGS),
    notation_help="2     takes two sticks\n2: 1  says who took, where it is not that player's turn\n",
    state=SticksState,
    moves=Take,
    adjustments=ADJUSTMENTS,
    hides_information=False,
    effect_sentences=sentences_of(ADJUSTMENTS)
    | {"sticks.taken": "{seat} took {count}", "heap.told": "{seat} says that one stick is left"},
    write=write,
    parse=parse,
    describe=describe,
    draw=draw,
)


@contextmanager
def before_the_newest() -> Iterator[None]:
    """As in the release before, which had the first revision alone."""
    object.__setattr__(STICKS, "revision", 1)
    try:
        yield
    finally:
        object.__setattr__(STICKS, "revision", 2)
