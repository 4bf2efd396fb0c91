"""The course of a turn: its beginning, its end, and automatic consequences."""

from __future__ import annotations

from typing import TYPE_CHECKING

from games.catan_cards.components import BUILDINGS, DOUBLERS, KNIGHTS, STORE, UNITS
from games.catan_cards.resources import gain, takeable_regions
from games.catan_cards.scoring import decide, settle_tokens
from games.contract import Effect

if TYPE_CHECKING:
    from collections.abc import Callable

    from games.catan_cards.state import CatanCardsState
    from games.catan_cards.steps import Kind, Pending

STRUCK = {"unit": UNITS, "knight": KNIGHTS, "building": BUILDINGS}
"""The kinds of cards that a strike can return to their owner's hand."""


def proceed(state: CatanCardsState) -> list[Effect]:
    """Apply the automatic consequences of a change of the board."""
    return settle_tokens(state) + continue_turn(state)


def continue_turn(state: CatanCardsState) -> list[Effect]:
    """Apply automatic consequences until a player has a choice. The tokens stay, as the board did not change."""
    points, target = state.points, state.options.target
    effects = decide(state) if points[0] >= target or points[1] >= target else []
    while (state.pending or state.phase == "event") and state.phase:
        if state.pending:
            first = state.pending[0]
            if _POSSIBLE[first.kind](state, first):
                break
            state.drop_choice(first)
            effects.append(Effect("choice.passed", first.rule, first.seat))
        elif not state.anyone_over_limit():
            effects += _produce(state)
            state.phase = "actions"
        else:
            break
    return effects


def pass_turn(state: CatanCardsState) -> list[Effect]:
    """End the turn. Its open choices are dropped."""
    effects = drop_choices(state) if state.pending or state.phase == "event" else []
    ended = Effect("turn.ended", "catan_cards:58", state.active)
    return [*effects, ended, *begin_turn(state, 1 - state.active)]


def drop_choices(state: CatanCardsState) -> list[Effect]:
    """Drop open choices and let the roll take effect. Only regions stay pending (catan_cards:43)."""
    effects = []
    if state.pending:
        left = [pending for pending in state.pending if pending.kind != "regions"]
        effects = [Effect("choice.skipped", pending.rule, pending.seat) for pending in left]
        state.pending = [pending for pending in state.pending if pending.kind == "regions"]
    if state.phase == "event":
        effects += _produce(state)
    return effects


def begin_turn(state: CatanCardsState, seat: int) -> list[Effect]:
    """Give the dice to a player (catan_cards:20)."""
    state.active, state.phase = seat, "roll"
    state.turns[seat] += 1
    state.face, state.production, state.alchemist = "", 0, 0
    state.scouted, state.looked, state.barred = False, 0, None
    return [Effect("turn.begun", "catan_cards:20", seat, count=state.turns[seat])]


def _produce(state: CatanCardsState) -> list[Effect]:
    """Each region with the rolled number gains 1 (catan_cards:30), or 2 next to its production building."""
    effects, number = [], state.production
    for seat in (state.active, 1 - state.active):
        own = state.principalities[seat]
        built, stocks = own.sites.values(), own.stocks
        for place, land in own.regions.items():
            if land.number == number and (stock := stocks[place]) < STORE:
                building = DOUBLERS.get(land.resource, "")
                if building in built and own.has_beside(place, building):
                    effects.append(gain(own, place, 2, "catan_cards:29"))
                else:
                    stocks[place] = stock + 1
                    effects.append(Effect("stock.gained", "catan_cards:28", seat, (place, land.resource), 1))
    return effects


def targets(state: CatanCardsState, pending: Pending) -> list[str]:
    """The opponent's sites that a strike can hit. In a Civil War a Church protects the units of its city."""
    sites = state.principalities[1 - pending.seat].sites
    safe = {site[1] for site, card in sites.items() if card == "Church"} if pending.card == "unit" else set()
    return [site for site, card in sites.items() if card in STRUCK[pending.card] and site[1] not in safe]


def other_stacks(state: CatanCardsState) -> list[int]:
    """The stacks that can be searched for Master Builder: not the one that the opponent searched."""
    return [number for number, stack in enumerate(state.stacks, 1) if stack.size and number != state.looked]


def _givable(state: CatanCardsState, pending: Pending) -> bool:
    return len(state.hands[pending.seat]) > 0 and (pending.seat == state.active or bool(other_stacks(state)))


_POSSIBLE: dict[Kind, Callable[[CatanCardsState, Pending], bool]] = {
    "event": lambda *_: True,
    "gain": lambda state, first: min(state.principalities[first.seat].stocks.values(), default=STORE) < STORE,
    "take": lambda state, first: bool(takeable_regions(state, first.seat)),
    "strike": lambda state, first: bool(targets(state, first)),
    "confiscate": lambda state, first: len(state.hands[1 - first.seat]) > 0,
    "give": _givable,
    "look": lambda state, _: bool(other_stacks(state)),
    "counter": lambda *_: True,
    "duel": lambda *_: True,
    "regions": lambda *_: True,
}
