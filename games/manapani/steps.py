"""What comes next, by which rule, and which moves can be made then: each builds on what lies there after the last."""

from __future__ import annotations

from typing import TYPE_CHECKING

from games.errors import ImpossibleError
from games.manapani.moves import (
    SPELL_MOVES,
    Attack,
    Claim,
    Defend,
    Discard,
    Done,
    Exchange,
    Gain,
    Go,
    Hold,
    Leave,
    ManapaniMove,
    Pay,
    Put,
    Reveal,
    Roll,
    Start,
    Toll,
    Use,
)
from games.words import name

if TYPE_CHECKING:
    from games.manapani.state import Due, ManapaniState

_STEPS: dict[Due | None, str] = {
    "start": "it is to be said who begins",
    "turn": "a spell, an exchange or the roll comes next",
    "gain": "the Start brings a chip of a colour of choice",
    "land": "the unowned land is to be taken or left",
    "put": "an own land can be strengthened",
    "foreign": "the toll is to be paid, or the owner to be fought",
    "defend": "the defender is to lay cards",
    "reveal": "the laid cards are to be turned up",
    "pay": "the scrolls are to be paid for",
    "effects": "an effect is to be used",
    "toll": "the toll is to be paid after the fight",
    "discard": "there are too many cards in hand",
    None: "the game is over",
}
_RULES: dict[Due, str] = {
    "start": "manapani:3",
    "turn": "manapani:4",
    "gain": "manapani:12",
    "land": "manapani:6",
    "foreign": "manapani:8",
    "defend": "manapani:17",
    "reveal": "manapani:17",
    "pay": "manapani:17",
    "effects": "manapani:B2",
    "toll": "manapani:20",
    "discard": "manapani:4",
}
"""The rule of each step but that of strengthening a land, which a fort has from another one."""

_BEFORE_ROLL = (*SPELL_MOVES, Go)
_TIMES: dict[type[ManapaniMove], tuple[Due, ...]] = {
    Start: ("start",),
    **dict.fromkeys((*_BEFORE_ROLL, Roll), ("turn",)),
    Exchange: ("turn", "gain", "land", "put", "foreign", "toll", "discard"),
    Gain: ("gain",),
    Claim: ("land",),
    Leave: ("land", "put", "foreign", "toll"),
    Put: ("put",),
    Toll: ("foreign", "toll"),
    Discard: ("discard",),
    Attack: ("foreign",),
    Defend: ("defend",),
    Reveal: ("reveal",),
    Pay: ("pay",),
    Done: ("pay",),
    Use: ("effects",),
}
"""When each move can be made, be it against the rules, as an exchange after the roll is."""
_BY_ANYBODY = (Start, Defend, Reveal, Pay, Done, Use, Hold)
"""The moves that are not just those of the seat that has the turn."""


def step_words(state: ManapaniState) -> str:
    """What comes next, in words."""
    return _STEPS[state.due]


def square_rule(state: ManapaniState) -> str:
    """The rule of the land or fort on which the pawn stands, if nobody else owns it."""
    if state.box.board[state.place].kind == "fort":
        return "manapani:9"
    return "manapani:6" if state.owners[state.place] is None else "manapani:7"


def untimely(state: ManapaniState, move: ManapaniMove) -> ImpossibleError | None:
    """Why it is not time for the move, or not the turn of who makes it: the rule is that of the step that is due."""
    kind = type(move)
    if state.due not in _TIMES.get(kind, (state.due,)):
        return ImpossibleError(f"now {step_words(state)}", _rule(state))
    if kind not in _BY_ANYBODY and move.seat != state.seat:
        # Its pawn is the one that moves, and no other can stand in for it.
        return ImpossibleError(f"it is {name(state.seat)}'s turn, not {name(move.seat or 0)}'s", "manapani:4")
    if kind in _BEFORE_ROLL and state.dice:
        return ImpossibleError("the dice are rolled, and what they show is to be noted", "manapani:4")
    return None


def _rule(state: ManapaniState) -> str:
    if state.outcome or state.due is None:
        return state.outcome.rule if state.outcome else "manapani:30"
    return square_rule(state) if state.due == "put" else _RULES[state.due]
