"""The course of a round: what comes after each step, the draws, the change of the start player, and the end."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from games.contract import Effect
from games.hidden import Shuffled
from games.verraeter.components import HAND_LIMIT, ROUNDS, SUPPLY
from games.verraeter.scoring import decide

if TYPE_CHECKING:
    from collections.abc import Callable

    from games.verraeter.state import VerraeterState


def to_move(state: VerraeterState) -> int | None:
    """The seat that acts next; None when the table does, or the game is over."""
    find = _WHOSE.get(state.due or "")
    return find(state) if find else None


def _placer(state: VerraeterState) -> int | None:
    return next((seat for seat in state.order() if not state.in_play(seat)), None)


def _layer(state: VerraeterState) -> int | None:
    laid, start = state.laid, state.start
    order: list[int] = [*range(start, len(laid)), *range(start)]
    for seat in order:
        if laid[seat] is None:
            return seat
    return None


_WHOSE: dict[str, Callable[[VerraeterState], int | None]] = {
    "estates": _placer,
    "site": lambda state: state.strategy,
    "lay": _layer,
    "build": lambda state: state.actor("Builder"),
    "draw": lambda state: state.draws[0][0],
}


def begin_round(state: VerraeterState) -> list[Effect]:
    """Take the action cards back and look for a conflict site."""
    state.round += 1
    state.due = "site"
    state.site = None
    state.choices = [None] * state.seats
    state.aside = None
    state.actions = []
    state.laid = [None] * state.seats
    state.counted = None
    return [Effect("round.begun", "verraeter:11", state.strategy, count=state.round)]


def build_next(state: VerraeterState) -> list[Effect]:
    """After the points comes the Builder, if there is one."""
    if state.actor("Builder") is not None:
        state.due = "build"
        return []
    return finish_round(state)


def finish_round(state: VerraeterState) -> list[Effect]:
    """Steps 8 to 13: strategy card, discards, draws as far as nobody has a choice, and the next round or the end."""
    effects = []
    strategist = state.actor("Strategist")
    if strategist is not None and strategist != state.strategy:
        state.strategy = strategist
        effects.append(Effect("strategy.taken", "verraeter:22", strategist))
    spent = [card for cards in state.laid for card in cards or ()]
    state.discards += spent
    state.laid = [[] for _ in state.laid]
    if spent:
        effects.append(Effect("supplies.spent", "verraeter:23", count=len(spent)))
    state.draws = _draws_due(state)
    return effects + draw_on(state)


def _draws_due(state: VerraeterState) -> list[tuple[int, int]]:
    """Who draws how many, in this order: the Farmer, everybody else for estates, the Diplomat 2 (verraeter:24)."""
    farmer, diplomat = state.actor("Farmer"), state.actor("Diplomat 2")
    due = [(farmer, 3)] if farmer is not None else []
    due += [(seat, state.supplies(seat)) for seat in state.order() if seat != farmer]
    due += [(diplomat, 1)] if diplomat is not None else []
    return [(seat, count) for seat, count in due if count]


def excess(state: VerraeterState) -> int:
    """By how many cards the draw that is due would exceed the hand limit; 0 or less where it does not."""
    seat, count = state.draws[0]
    return len(state.hands[seat]) + count - HAND_LIMIT


def draw_on(state: VerraeterState) -> list[Effect]:
    """Draw, one after the other, until somebody has to choose what to do with too many cards."""
    effects: list[Effect] = []
    while state.draws:
        seat, count = state.draws[0]
        if excess(state) > 0:
            state.due = "draw"
            return [*effects, Effect("hand.exceeded", "verraeter:26", seat, count=count)]
        del state.draws[0]
        effects += draw(state, seat, count)
    return effects + _end_round(state)


def draw(state: VerraeterState, seat: int, count: int) -> list[Effect]:
    """Draw cards that nobody else sees; an empty pile is made anew of the discards when a card is needed (A16)."""
    effects: list[Effect] = []
    for _ in range(count):
        if not state.pile:
            _shuffle(state)
            effects.append(Effect("pile.shuffled", "verraeter:23", count=state.pile))
        state.pile -= 1
        state.hands[seat].take(None)
        if state.shuffled:
            state.shuffled.draw(seat)
    return [*effects, Effect("cards.drawn", "verraeter:24", seat, count=count)]


def _shuffle(state: VerraeterState) -> None:
    """Make the discards the pile. Everybody has seen them, and so knows what can still be in hands."""
    unseen = Counter(SUPPLY)
    for hand in state.hands:
        unseen.subtract(hand.open)
    state.shuffled = Shuffled.of((unseen - Counter(state.discards)).elements(), state.discards, state.hands)
    state.pile, state.discards = len(state.discards), []


def _end_round(state: VerraeterState) -> list[Effect]:
    if len(set(state.owners)) == 1:
        return decide(state, "one_house", "verraeter:29")
    if state.round >= ROUNDS[state.seats]:
        return decide(state, "rounds", "verraeter:28")
    state.start = (state.start + 1) % state.seats
    return [Effect("start.passed", "verraeter:27", state.start), *begin_round(state)]
