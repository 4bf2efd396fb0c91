"""The course of a turn: the draw, the way along the track, the effect of each square, and the end of the turn."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from games.contract import Effect
from games.hidden import Hand
from games.knowledge import DRAWN
from games.manapani import scoring
from games.manapani.chips import gain
from games.manapani.components import HAND_LIMIT, HANDS, TOP_LEVEL
from games.words import Sentence

if TYPE_CHECKING:
    from collections.abc import Iterator

    from games.manapani.state import ManapaniState

Due = Literal[
    "start",
    "turn",
    "gain",
    "land",
    "put",
    "foreign",
    "defend",
    "reveal",
    "pay",
    "effects",
    "toll",
    "discard",
]

DRAWN_BEFORE, DRAWS = (tuple(("deck", apart + hand, (None,), None) for hand in HANDS) for apart in ("", DRAWN))
"""The sighting of a draw, by seat: in older revisions, and in those that keep a draw apart."""

STEPS: dict[Due, tuple[Sentence, str]] = {
    "start": (Sentence("it is to be said who begins"), "manapani:3"),
    "turn": (Sentence("a spell, an exchange or the roll comes next"), "manapani:4"),
    "gain": (Sentence("the Start brings a chip of a colour of choice"), "manapani:12"),
    "land": (Sentence("the unowned land is to be taken or left"), "manapani:6"),
    "put": (Sentence("an own land can be strengthened"), "manapani:7"),
    "foreign": (Sentence("the toll is to be paid, or the owner to be fought"), "manapani:8"),
    "defend": (Sentence("the defender is to lay cards"), "manapani:17"),
    "reveal": (Sentence("the laid cards are to be turned up"), "manapani:17"),
    "pay": (Sentence("the scrolls are to be paid for"), "manapani:17"),
    "effects": (Sentence("an effect is to be used"), "manapani:B2"),
    "toll": (Sentence("the toll is to be paid after the fight"), "manapani:20"),
    "discard": (Sentence("there are too many cards in hand"), "manapani:4"),
}
"""The next step, in words, and its rule."""


def step_words(state: ManapaniState) -> Sentence:
    """The next step, in words."""
    return STEPS[state.due][0] if state.due else Sentence("the game is over")


def step_rule(state: ManapaniState) -> str | None:
    """The rule of the next step; after the end, the rule of the ending."""
    if state.due is None:
        return state.ending.rule if state.ending else None
    return square_rule(state) if state.due == "put" else STEPS[state.due][1]


def square_rule(state: ManapaniState) -> str:
    """The rule of the land or fort under the pawn, unless another player owns it."""
    if state.box.board[state.place].kind == "fort":
        return "manapani:9"
    return "manapani:6" if state.owners[state.place] is None else "manapani:7"


# Turns


def begin_turn(state: ManapaniState, seat: int) -> list[Effect]:
    """Begin a player's turn: handicaps become active, and the player draws a card (manapani:4)."""
    state.turn += 1
    state.active = seat
    state.due = "turn"
    state.slowed, state.slow[seat] = state.slow[seat], False
    state.held, state.stuck[seat] = state.stuck[seat], False
    state.spells, state.face = (), None
    state.exchanged = state.moved = state.brave = False
    state.dice, state.steps = [], 0
    return [Effect("turn.begun", "manapani:4", seat, count=state.turn), *draw(state, "manapani:4")]


def drop_action(state: ManapaniState, seat: int) -> list[Effect]:
    """Drop the current action, because a player rolls, moves or fights at another time (manapani:REC-1).

    Out of turn, the player takes over the turn, and begins it with the draw.
    """
    state.drop_fight()
    state.due, state.dice, state.steps, state.face = "turn", [], 0, None
    if seat == state.active:
        return []
    return [Effect("turn.taken", "manapani:REC-1", seat), *begin_turn(state, seat)]


def draw(state: ManapaniState, rule: str) -> list[Effect]:
    """Draw a card that nobody else sees.

    If the pile is empty, the discards are shuffled first (manapani:5, manapani:E7). Without any card none is drawn
    (manapani:A1). The card of a sanctuary is drawn in the same way (manapani:E12).
    """
    effects = []
    if not state.pile and len(state.discards):
        state.tell_shuffle("deck", state.discards)
        state.pile, state.discards = len(state.discards), Hand()
        effects.append(Effect("pile.shuffled", "manapani:5", count=state.pile))
    if not state.pile:
        return [Effect("draw.missed", "manapani:A1", state.active)]
    state.pile -= 1
    seat = state.active
    state.hands[seat].unknown += 1
    state.told.append((state.version, (DRAWS if state.keeps_draws_apart else DRAWN_BEFORE)[seat]))
    if state.piles:
        state.piles.draw(seat)
    return [*effects, Effect("card.drawn", rule, seat)]


def end_turn(state: ManapaniState) -> list[Effect]:
    """End the turn, after a discard of cards over the limit, which counts only in the own turn (manapani:A15)."""
    if len(state.hands[state.active]) > HAND_LIMIT:
        state.due = "discard"
        return []
    return begin_turn(state, next_seat(state))


def next_seat(state: ManapaniState) -> int:
    """The next seat to have a turn. Resigned players are skipped."""
    seat = (state.active + 1) % state.seats
    while seat in state.resigned:
        seat = (seat + 1) % state.seats
    return seat


# On the track


def start_moving(state: ManapaniState, steps: int) -> list[Effect]:
    """Begin to move the pawn. The square that it leaves brings nothing: it did on arrival (manapani:A14)."""
    state.moved, state.steps = True, steps
    return continue_turn(state)


def continue_turn(state: ManapaniState) -> list[Effect]:
    """Move along the track, each passed square by itself (manapani:A12, manapani:A13), until a choice is due.

    Pawns do not block each other (manapani:A16). If the game ends on the way, the pawn stays there (manapani:E10).
    """
    effects: list[Effect] = []
    box, seat = state.box, state.active
    place = state.pawns[seat]
    while state.steps:
        ahead = box.steps_to_bringer[place]
        step = ahead if ahead < state.steps else state.steps
        state.steps -= step
        place = state.pawns[seat] = (place + step) % len(box.board)
        kind = box.board[place].kind
        if not state.steps or kind == "start":
            effects.append(Effect("pawn.moved", "manapani:4", seat, (box.labels[place],)))
        if kind == "start":
            state.due = "gain"
            return effects
        if kind == "elemental":
            effects += gain(state, seat, box.colours[place], "manapani:10")
            effects += _after_gain(state)
            if state.ending:
                return effects
    return effects + _land(state)


def gain_at_start(state: ManapaniState, colour: int) -> list[Effect]:
    """Gain the chip of the Start, white included (manapani:12), and move on."""
    effects = gain(state, state.active, colour, "manapani:12")
    effects += _after_gain(state)
    return effects if state.ending else effects + continue_turn(state)


def _after_gain(state: ManapaniState) -> list[Effect]:
    """The endings that a gain can bring. Brave Attack is completed before players without mana count (manapani:E2)."""
    if state.taker is None and all(map(any, state.chips)):
        return []  # the usual case
    return scoring.end_without_white(state) or ([] if state.brave else scoring.end_without_mana(state))


def _land(state: ManapaniState) -> list[Effect]:
    """Apply the automatic effects of the square where the pawn stopped."""
    place = state.pawns[state.active]
    kind = state.box.board[place].kind
    if kind == "sanctuary":
        return [*draw(state, "manapani:11"), *finish_square(state)]
    if kind == "fort":
        return _strengthen(state)
    if kind != "land":
        return finish_square(state)
    owner = state.owners[place]
    if owner is None:
        state.due = "land"
        return []
    if owner == state.active:
        return _strengthen(state)
    state.due = "foreign"
    return []


def check_land_again(state: ManapaniState) -> list[Effect]:
    """After a move out of step: apply the square again if its owner changed, or end the turn if cards changed."""
    owner, mine = state.owners[state.place], state.owners[state.place] == state.active
    fort = state.box.board[state.place].kind == "fort"
    match state.due:
        case "land" if owner is not None:
            return _land(state)
        case "put" if not (fort or mine):
            return _land(state)
        case "foreign" if owner is None or mine:
            return _land(state)
        case "toll" if owner is None or mine:
            state.fight = None
            return scoring.end_without_mana(state) or end_turn(state)
        case "discard":
            return end_turn(state)
    return []


def _strengthen(state: ManapaniState) -> list[Effect]:
    """Wait for chips to be put on a land, if a land can take one and the player has one (manapani:A18)."""
    if any(True for _ in lands_to_strengthen(state)):
        state.due = "put"
        return []
    return finish_square(state)


def lands_to_strengthen(state: ManapaniState) -> Iterator[tuple[int, int]]:
    """The own lands that can be strengthened from here, with the most chips for each (manapani:7, manapani:9)."""
    fort = state.box.board[state.place].kind == "fort"
    for place in state.lands_of(state.active) if fort else (state.place,):
        most = min(TOP_LEVEL - state.levels[place], state.chips[state.active][state.box.colours[place]])
        if most > 0:
            yield place, most


def finish_square(state: ManapaniState) -> list[Effect]:
    """End the turn, or with Brave Attack return to the time before its end (manapani:E8)."""
    if not state.brave:
        return end_turn(state)
    state.brave = False
    state.due = "turn"
    return scoring.end_without_mana(state)
