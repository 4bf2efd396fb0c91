"""The course of a turn: what is to be done next, by whom, and what follows by itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from games.catan_cards.components import BUILDINGS, DOUBLERS, KNIGHTS, STORE, UNITS, Resource
from games.catan_cards.scoring import decide, settle_tokens
from games.catan_cards.state import owner
from games.contract import Effect

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from games.catan_cards.state import CatanCardsState, Kind, Pending

STRUCK = {"unit": UNITS, "knight": KNIGHTS, "building": BUILDINGS}
"""What can be chosen to go back to its owner's hand."""


def step(state: CatanCardsState) -> str | None:
    """What is to be done next: a pending choice, putting cards away, or the phase of the turn."""
    if state.pending:
        return state.pending[0].kind
    return "excess" if state.crowded() else state.phase


def to_move(state: CatanCardsState) -> int | None:
    """The seat that acts next; None when the table does, or the game is over."""
    if state.phase is None or state.phase == "start":
        return None
    if state.pending:
        return state.pending[0].seat
    if state.phase in ("lay", "pick"):
        return state.active
    return 1 - state.active if not state.excess(state.active) and state.excess(1 - state.active) else state.active


def proceed(state: CatanCardsState, *, built: bool = True) -> list[Effect]:
    """Do what follows by itself, until somebody has a choice: the tokens too, if what is `built` may have changed."""
    effects = [*settle_tokens(state), *decide(state)] if built else decide(state)
    while state.phase is not None:
        if state.pending:
            first = state.pending[0]
            if _POSSIBLE[first.kind](state, first):
                break
            effects += _pass_over(state, first)
        elif state.phase == "event" and not state.crowded():
            effects += _produce(state)
            state.phase = "actions"
        else:
            break
    return effects


def _pass_over(state: CatanCardsState, first: Pending) -> list[Effect]:
    """Leave out what nobody can do."""
    drop(state, first)
    return [Effect("choice.passed", first.rule, first.seat)]


def due(state: CatanCardsState, kind: Kind, seat: int) -> Pending | None:
    """The choice of a kind that waits for a player, be it behind others; else the one that waits for the other."""
    waiting = [pending for pending in state.pending if pending.kind == kind]
    return next((pending for pending in waiting if pending.seat == seat), next(iter(waiting), None))


def drop(state: CatanCardsState, pending: Pending) -> None:
    """Take a choice away without making it; who gives no card takes none (catan_cards:75)."""
    state.pending.remove(pending)
    if pending.kind == "give" and (look := msgspec.structs.replace(pending, kind="look")) in state.pending:
        state.pending.remove(look)


def hand_over(state: CatanCardsState) -> list[Effect]:
    """The turn ends: what was not chosen is left, and what was rolled comes. Only regions wait on (catan_cards:43)."""
    left = [pending for pending in state.pending if pending.kind != "regions"]
    effects = [Effect("choice.skipped", pending.rule, pending.seat) for pending in left]
    state.pending = [pending for pending in state.pending if pending.kind == "regions"]
    if state.phase == "event":
        effects += _produce(state)
    ended = Effect("turn.ended", "catan_cards:58", state.active)
    return [*effects, ended, *begin_turn(state, 1 - state.active)]


def begin_turn(state: CatanCardsState, seat: int) -> list[Effect]:
    """The dice go to a player (catan_cards:20)."""
    state.active, state.phase = seat, "roll"
    state.turns[seat] += 1
    state.face, state.production, state.alchemist = "", 0, 0
    state.scouted, state.looked = False, 0
    return [Effect("turn.begun", "catan_cards:20", seat, count=state.turns[seat])]


def _produce(state: CatanCardsState) -> list[Effect]:
    """Every region with the number that was rolled gains 1 (catan_cards:30), or 2 beside its production building."""
    effects, number = [], state.production
    for seat in (state.active, 1 - state.active):
        own = state.principalities[seat]
        for place, land in own.regions.items():
            if land.number != number or own.stocks[place] == STORE:
                continue
            building = DOUBLERS.get(land.resource)
            doubled = building is not None and own.neighbours(place, building) > 0
            effects.append(store(state, place, 2 if doubled else 1, "catan_cards:29" if doubled else "catan_cards:28"))
    return effects


def store(state: CatanCardsState, place: str, count: int, rule: str) -> Effect:
    """Put resources on a region, as many as it has room for (catan_cards:4)."""
    seat = owner(place)
    own = state.principalities[seat]
    gained = min(count, STORE - own.stocks[place])
    own.stocks[place] += gained
    return Effect("stock.gained", rule, seat, (place, own.regions[place].resource), gained)


def remove(state: CatanCardsState, place: str, count: int, rule: str) -> Effect:
    """Take resources off a region, as many as there are."""
    seat = owner(place)
    own = state.principalities[seat]
    lost = min(count, own.stocks[place])
    own.stocks[place] -= lost
    return Effect("stock.lost", rule, seat, (place, own.regions[place].resource), lost)


def room_for(state: CatanCardsState, seat: int, resource: Resource) -> list[str]:
    """A player's regions that can take a resource in."""
    own = state.principalities[seat]
    return [place for place in own.of(resource) if own.stocks[place] < STORE]


def takeable(state: CatanCardsState, seat: int) -> list[str]:
    """The opponent's regions from which a player can take a resource that he has room for."""
    other = state.principalities[1 - seat]
    return [
        place for place, land in other.regions.items() if other.stocks[place] and room_for(state, seat, land.resource)
    ]


def targets(state: CatanCardsState, pending: Pending) -> list[str]:
    """The opponent's sites that a strike can hit; a Church keeps the units of its city from Civil War."""
    sites = state.principalities[1 - pending.seat].sites
    safe = {site[1] for site, card in sites.items() if card == "Church"} if pending.card == "unit" else set()
    return [site for site, card in sites.items() if card in STRUCK[pending.card] and site[1] not in safe]


def other_stacks(state: CatanCardsState) -> list[int]:
    """The stacks that can be looked through for Master Builder: not the one that the other looked through."""
    return [number for number, stack in enumerate(state.stacks, 1) if stack.size and number != state.looked]


def _givable(state: CatanCardsState, pending: Pending) -> bool:
    return len(state.hands[pending.seat]) > 0 and (pending.seat == state.active or bool(other_stacks(state)))


_POSSIBLE: dict[str, Callable[[CatanCardsState, Pending], bool]] = {
    "event": lambda *_: True,
    "gain": lambda state, first: bool(state.principalities[first.seat].roomy()),
    "take": lambda state, first: bool(takeable(state, first.seat)),
    "strike": lambda state, first: bool(targets(state, first)),
    "confiscate": lambda state, first: len(state.hands[1 - first.seat]) > 0,
    "give": _givable,
    "look": lambda state, _: bool(other_stacks(state)),
    "counter": lambda *_: True,
    "duel": lambda *_: True,
    "regions": lambda *_: True,
}


def reach(state: CatanCardsState) -> Iterator[int]:
    """The players who have to put cards away, the active one first (catan_cards:27)."""
    for seat in (state.active, 1 - state.active):
        if state.excess(seat):
            yield seat
