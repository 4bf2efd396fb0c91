"""A policy that plays for the house with better chances in the conflict, and joins it as the Traitor."""

from __future__ import annotations

from math import tanh
from typing import TYPE_CHECKING

from games.contract import Policy
from games.playout import random_move
from games.verraeter.components import ACTIONS, DIPLOMATS, LANDS, PLACES, opposing_house
from games.verraeter.moves.building import Put
from games.verraeter.moves.drawing import Draw
from games.verraeter.moves.fighting import Choose, Lay, Reveal, Site
from games.verraeter.rounds import excess
from games.verraeter.state import UNSEEN

if TYPE_CHECKING:
    from collections.abc import Sequence

    from games.contract import Chance, Move
    from games.verraeter.state import VerraeterState

USUAL, SURE, PRIZE, CARD = 5.5, 5.0, 6.0, 0.3
"""The expected strength of a player's cards, a safe lead, the value of a conquest, and the value of a card."""

BONUS = {"Traitor": 1.6, "Strategist": 2.5, "Farmer": 0.9, "Builder": 0.6, "Diplomat 2": 0.3, "Diplomat 5": 0.0}
"""The value of an action by itself."""


def choose(state: VerraeterState, chance: Chance) -> Move | None:
    """The action and the cards of the highest expected value, each at its step; elsewhere a simple choice."""
    seat = state.to_move()
    match state.due:
        case "lay" if seat is not None:
            actions = _actions(state)
            action, cards = _plan(state, seat, actions)
            return Lay(seat=seat, cards=cards) if state.choices[seat] else Choose(seat=seat, action=action)
        case "reveal":
            return Reveal(actions=tuple(filter(None, _actions(state))))
        case "site" if seat is not None:
            return Site(seat=seat, place=max(state.borders(), key=lambda place: _lead(state, seat, place)))
        case "estates" if seat is not None:
            free = [place for place, held in enumerate(state.holdings) if held is None]
            own = [place for place in free if state.owners[place] == state.houses[seat]]
            return Put(seat=seat, place=chance.choice(own or free))
        case "draw" if seat is not None:
            return Draw(seat=seat, discards=tuple(sorted(state.hands[seat].known)[: excess(state)]))
        case _:
            return random_move(state, chance)


def _actions(state: VerraeterState) -> list[str | None]:
    """The action of each seat; None if not chosen yet. For a hidden one, this policy's own plan is taken."""
    actions = [action if action in ACTIONS else None for action in state.choices]
    for seat in state.order():
        hidden = state.choices[seat] == UNSEEN or state.laid[seat] is not None
        if actions[seat] is None and hidden:
            actions[seat], _ = _plan(state, seat, actions)
    return actions


def _plan(state: VerraeterState, seat: int, actions: Sequence[str | None]) -> tuple[str, tuple[str, ...]]:
    """The best action and cards of a seat. Chosen actions and laid cards are kept."""
    chosen, laid = actions[seat], state.laid[seat]
    left = [chosen] if chosen else [each for each in ACTIONS if each not in actions and each != state.aside]
    held = sorted(state.hands[seat].known, reverse=True)
    lots = [held[:count] for count in range(len(held) + 1)] if laid is None else [laid]
    weighed = [(sum(map(int, cards)), CARD * len(cards), tuple(cards)) for cards in lots]
    lead, plans = _expected_lead(state, seat), []
    for action in left:
        own, diplomat, bonus = -lead if action == "Traitor" else lead, DIPLOMATS.get(action, 0), BONUS[action]
        for strength, price, cards in weighed:
            plans.append((PRIZE * tanh((own + strength + diplomat) / SURE) + bonus - price, action, cards))
    _, action, best = max(plans)
    return action, best


def _expected_lead(state: VerraeterState, seat: int) -> float:
    """The lead of a player's house, without own cards, but with the cards that others may still lay."""
    lead = 0.0 if state.site is None else _lead(state, seat, state.site)
    for each, laid in enumerate(state.laid):
        if each != seat:
            strength = min(USUAL, 2.0 * len(state.hands[each])) if laid is None else sum(map(int, laid))
            lead += strength if state.houses[each] == state.houses[seat] else -strength
    return lead


def _lead(state: VerraeterState, seat: int, place: int) -> int:
    """The lead by lands alone of a player's house at a border."""
    here, there = (LANDS[state.lands[at]] for at in (place, (place + 1) % PLACES))
    return there - here if state.owners[place] == opposing_house(state.houses[seat]) else here - there


POLICY = Policy("the stronger house", 5, choose)
