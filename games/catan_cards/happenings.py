"""The effects of the event die and the event cards. Effects with a choice are left pending."""

from __future__ import annotations

from typing import TYPE_CHECKING

from games.catan_cards.resources import remove, store
from games.catan_cards.scoring import tournament
from games.catan_cards.steps import Pending
from games.contract import Effect

if TYPE_CHECKING:
    from collections.abc import Callable

    from games.catan_cards.state import CatanCardsState

RAIDED = 8
"""The smallest number of unprotected resources that brigands attack (catan_cards:24)."""


def _order(state: CatanCardsState) -> tuple[int, int]:
    return state.active, 1 - state.active


def _tournament(state: CatanCardsState) -> list[Effect]:
    first, second = tournament(state, 0), tournament(state, 1)
    words = (f"{first} to {second}",)
    if first == second:
        return [Effect("tournament.tied", "catan_cards:22", at=words)]
    winner = int(second > first)
    state.pending.append(Pending("gain", winner, "catan_cards:22"))
    return [Effect("tournament.won", "catan_cards:22", winner, words)]


def _trade(state: CatanCardsState) -> list[Effect]:
    holder = state.tokens[1]
    if holder is None:
        return [Effect("advantage.missed", "catan_cards:23")]
    state.pending.append(Pending("take", holder, "catan_cards:23"))
    return [Effect("advantage.held", "catan_cards:23", holder)]


def _brigands(state: CatanCardsState) -> list[Effect]:
    if state.turns[state.active] <= state.options.brigand_grace:
        return [Effect("brigands.spared", "catan_cards:Q42")]
    effects = []
    for seat in _order(state):
        own = state.principalities[seat]
        counted = sum(own.stocks.values())
        if own.count("Garrison"):
            counted -= sum([stock for place, stock in own.stocks.items() if own.neighbours(place, "Garrison")])
        if counted < RAIDED:
            effects.append(Effect("brigands.repelled", "catan_cards:24", seat, count=counted))
            continue
        effects.append(Effect("brigands.raided", "catan_cards:24", seat, count=counted))
        effects += [
            remove(state, place, own.stocks[place], "catan_cards:24")
            for resource in ("ore", "wool")
            for place in own.places_of(resource)
            if own.stocks[place]
        ]
    return effects


def _plenty(state: CatanCardsState) -> list[Effect]:
    state.pending += [Pending("gain", seat, "catan_cards:25") for seat in _order(state)]
    return []


def _event(state: CatanCardsState) -> list[Effect]:
    state.pending.append(Pending("event", state.active, "catan_cards:26"))
    return []


ON_FACE: dict[str, Callable[[CatanCardsState], list[Effect]]] = {
    "tournament": _tournament,
    "trade": _trade,
    "brigands": _brigands,
    "plenty": _plenty,
    "event": _event,
}
"""The effect of each face of the event die."""


# The event cards


def _civil_war(state: CatanCardsState) -> list[Effect]:
    """The active player chooses first. A Church protects units (catan_cards:88)."""
    state.pending += [Pending("strike", seat, "catan_cards:73", "unit") for seat in _order(state)]
    return []


def _conflict(state: CatanCardsState) -> list[Effect]:
    holder = state.tokens[0]
    if holder is None:
        return [Effect("conflict.missed", "catan_cards:74")]
    state.pending.append(Pending("confiscate", holder, "catan_cards:74"))
    return []


def _master_builder(state: CatanCardsState) -> list[Effect]:
    state.looked = 0
    for seat in _order(state):
        state.pending += [Pending("give", seat, "catan_cards:75"), Pending("look", seat, "catan_cards:75")]
    return []


def _plague(state: CatanCardsState) -> list[Effect]:
    """Regions at cities lose resources. An Aqueduct protects all regions, a Bathhouse those around its city."""
    effects = []
    for seat in _order(state):
        own = state.principalities[seat]
        if own.count("Aqueduct"):
            effects.append(Effect("plague.averted", "catan_cards:86", seat))
            continue
        baths = {site[1] for site, card in own.sites.items() if card == "Bathhouse"}
        for place in own.regions:
            cities = own.cities_at(place) if own.stocks[place] else ()
            if not cities:
                continue
            if not baths.isdisjoint(cities):
                effects.append(Effect("plague.averted", "catan_cards:87", seat, (place,)))
                continue
            rule = "catan_cards:76" if state.options.plague_double else "catan_cards:Q23b"
            effects.append(remove(state, place, len(cities) if state.options.plague_double else 1, rule))
    return effects


def _progress(state: CatanCardsState) -> list[Effect]:
    for seat in _order(state):
        own = state.principalities[seat]
        count = own.count("Abbey") + own.count("Library")
        state.pending += [Pending("gain", seat, "catan_cards:77")] * count
    return []


def _productive_year(state: CatanCardsState) -> list[Effect]:
    effects = []
    for seat in _order(state):
        own = state.principalities[seat]
        for place in own.places_with_room() if own.count("Garrison") else ():
            garrisons = own.neighbours(place, "Garrison")
            if garrisons:
                effects.append(store(state, place, garrisons, "catan_cards:78"))
    return effects


def _year_end(state: CatanCardsState) -> list[Effect]:
    state.events, state.event_entries = [""] * len(state.events), ()
    return [Effect("events.shuffled", "catan_cards:79")]


ON_CARD: dict[str, Callable[[CatanCardsState], list[Effect]]] = {
    "Civil War": _civil_war,
    "Conflict": _conflict,
    "Master Builder": _master_builder,
    "Plague": _plague,
    "Progress": _progress,
    "Productive Year": _productive_year,
    "Year End": _year_end,
}
"""The effect of each event card."""
