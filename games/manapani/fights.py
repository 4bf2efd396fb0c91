"""Fights: the cards that work, their effects and order, the power of both sides, and the winner's gain."""

from __future__ import annotations

from typing import TYPE_CHECKING

from games.contract import Effect
from games.manapani import scoring
from games.manapani.chips import affords, lower_level
from games.manapani.components import CARD_RULES, ELEMENTS, SCROLLS
from games.manapani.state import ATTACK, DEFENCE, Fight, LaidCard
from games.manapani.turns import end_turn

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from games.manapani.components import Element
    from games.manapani.state import ManapaniState

SIDES = ("attack", "defence")
RED_DRAGON, SPECTER, SNOW_GIANT, GREMLIN, BANDIT = "Red Dragon", "Specter", "Snow Giant", "Gremlin", "Bandit"
HELLHOUND, HELL_PLANT = "Hellhound", "Hell Plant"
LEVEL_DROPS = (RED_DRAGON, SPECTER)
"""Scrolls that lower the level of the land when they attack."""


def ongoing(state: ManapaniState) -> Fight:
    """The current fight. Only call it at the steps of a fight."""
    if state.fight is None:
        raise AssertionError("no fight goes on")
    return state.fight


def land_of(state: ManapaniState, fight: Fight) -> Element:
    """The element of the land under attack. Nothing else decides which cards can be used (manapani:B27)."""
    return ELEMENTS[state.box.colours[fight.place]]


def label(fight: Fight, index: int) -> str:
    """The label of a revealed card: its name, with its number if there are several of that name."""
    card = fight.cards[index].card
    alike = [laid.card for laid in fight.cards].count(card)
    return card if alike == 1 else f"{card} #{index + 1}"


# Working cards


def can_cast(card: str, side: int, land: Element) -> bool:
    """Whether a side can cast a card for a land: never a world spell, else by its scroll (manapani:18)."""
    scroll = SCROLLS.get(card)
    return scroll is not None and (side == DEFENCE or land in scroll.attacks)


def is_effective(laid: LaidCard, land: Element) -> bool:
    """Whether a card is paid for or stolen, can be cast by its owner, and is not nullified.

    A Treant or Hell Plant works for a defender who steals it (manapani:B16), but not for an attacker (manapani:B17). A
    stolen world spell does nothing (manapani:B18).
    """
    return laid.live and not laid.void and can_cast(laid.card, laid.side, land)


def payable(state: ManapaniState) -> Iterator[int]:
    """The cards that the paying side can cast now. Each is a choice, even a free one (manapani:B1)."""
    fight = ongoing(state)
    chips, land = state.chips[fight.seats[fight.side]], land_of(state, fight)
    for index, laid in enumerate(fight.cards):
        own = laid.side == fight.side and not laid.paid
        if own and can_cast(laid.card, laid.side, land) and affords(chips, laid.card):
            yield index


def begin_paying(state: ManapaniState, side: int) -> list[Effect]:
    """Let a side choose the cards to pay for, the attacker first. Then all effects happen (manapani:17)."""
    fight = ongoing(state)
    fight.side = side
    if any(True for _ in payable(state)):
        state.due = "pay"
        return []
    return stop_paying(state)


def stop_paying(state: ManapaniState) -> list[Effect]:
    """End the paying of a side."""
    if ongoing(state).side == ATTACK:
        return begin_paying(state, DEFENCE)
    return begin_effects(state, ATTACK)


def power(laid: LaidCard, land: Element) -> int:
    """The power of a working card, after its own changes, and halved for each Gremlin (manapani:B12)."""
    strength = SCROLLS[laid.card].strength(land, laid.x, attacking=laid.side == ATTACK)
    for _ in range(laid.halved):
        strength //= 2
    return strength


def powers(state: ManapaniState, fight: Fight) -> tuple[int, int]:
    """The current power of both sides. The land's level counts for the defender (manapani:19)."""
    land = land_of(state, fight)
    sums = [0, state.levels[fight.place]]
    for laid in fight.cards:
        if is_effective(laid, land):
            sums[laid.side] += power(laid, land)
    return sums[ATTACK], sums[DEFENCE]


def winner(sure: Sequence[bool], sums: Sequence[int]) -> int:
    """The winning side: by a sure win, the defender first (manapani:21, manapani:B20), else by power; a tie attacks."""
    if any(sure):
        return DEFENCE if sure[DEFENCE] else ATTACK
    return ATTACK if sums[ATTACK] >= sums[DEFENCE] else DEFENCE


# Effects of cards


def targets(fight: Fight, index: int) -> list[int]:
    """The targets of a Gremlin or Bandit (manapani:E4, manapani:E6): cast cards, or any card of the opponent."""
    acting = fight.cards[index]
    if acting.card not in (GREMLIN, BANDIT):
        return []
    return [
        other
        for other, laid in enumerate(fight.cards)
        if laid.side != acting.side and (acting.card == BANDIT or laid.live)
    ]


def next_effects(fight: Fight) -> list[int]:
    """The cards that can act next: the last stolen one, else each waiting one (manapani:B14)."""
    return fight.stolen[-1:] or fight.waiting


def acts_at_once(state: ManapaniState, fight: Fight, laid: LaidCard) -> bool:
    """Whether a working card acts now, at this moment of the fight.

    Red Dragon and Specter act for the attacker only (manapani:B5), before or after the comparison of powers
    (manapani:B4, manapani:E3).
    """
    if laid.card in LEVEL_DROPS:
        due = laid.side == ATTACK and (state.options.level_drop == "after") == (fight.winner is not None)
    else:
        due = laid.card in (SNOW_GIANT, GREMLIN, BANDIT) and fight.winner is None
    return due and is_effective(laid, land_of(state, fight))


def begin_effects(state: ManapaniState, side: int) -> list[Effect]:
    """Begin the effects of a side, after all payments (manapani:B2). Effects without a choice happen at once."""
    fight = ongoing(state)
    fight.side = side
    fight.waiting = [
        index
        for index, laid in enumerate(fight.cards)
        if laid.side == side and index not in fight.acted and acts_at_once(state, fight, laid)
    ]
    return continue_fight(state)


def continue_fight(state: ManapaniState) -> list[Effect]:
    """Let effects happen until an order or a target must be chosen; then go on with the fight."""
    fight = ongoing(state)
    effects: list[Effect] = []
    while next_effects(fight):
        index = next((index for index in next_effects(fight) if _is_plain(fight, index)), None)
        if index is None:
            state.due = "effects"
            return effects
        aims = targets(fight, index)
        effects += apply_effect(state, index, aims[0] if aims else None)
    if fight.winner is not None:
        return effects + _conclude(state)
    if fight.side == ATTACK:
        return effects + begin_effects(state, DEFENCE)
    return effects + _decide(state)


def _is_plain(fight: Fight, index: int) -> bool:
    """Whether a card can act without a question, because no order or target makes a difference."""
    card, aims = fight.cards[index].card, targets(fight, index)
    if len(aims) > 1:
        return False
    if index in fight.stolen or (card in (GREMLIN, BANDIT) and not aims):
        return True
    others = {fight.cards[other].card for other in fight.waiting if other != index}
    if card == BANDIT:
        return not others - {BANDIT}
    if card in LEVEL_DROPS and others & (set(LEVEL_DROPS) - {card}):
        return False  # manapani:B7: in the attacker's order
    return BANDIT not in others


def apply_effect(state: ManapaniState, index: int, target: int | None) -> list[Effect]:
    """Apply the effect of a card; its target is chosen only now (manapani:B3).

    The effect lasts even if the card is lost (manapani:22, manapani:B13, manapani:B15).
    """
    fight = ongoing(state)
    if index in fight.stolen:
        fight.stolen.remove(index)
    else:
        fight.waiting.remove(index)
    laid = fight.cards[index]
    if laid.card in LEVEL_DROPS:
        return _drop_level(state, fight, laid)
    if laid.card == SNOW_GIANT:
        return _freeze(fight, laid)
    if target is None:
        return [Effect("effect.missed", "manapani:E6", fight.seats[laid.side], (laid.card,))]
    if laid.card == GREMLIN:
        fight.cards[target].halved += 1
        rule = CARD_RULES[GREMLIN]
        return [Effect("power.halved", rule, fight.seats[laid.side], (label(fight, target),))]
    return _steal(state, fight, laid, target)


def add_late_effect(state: ManapaniState, index: int) -> None:
    """Let a card that was paid late, against the rules, wait for its effect while its side's effects happen."""
    fight = ongoing(state)
    laid = fight.cards[index]
    if laid.side == fight.side and acts_at_once(state, fight, laid):
        fight.waiting.append(index)


def can_act_early(state: ManapaniState, index: int) -> bool:
    """Whether a card can act before its time, against the rules."""
    fight = ongoing(state)
    return index not in fight.acted and fight.winner is None and acts_at_once(state, fight, fight.cards[index])


def apply_effect_early(state: ManapaniState, index: int, target: int | None) -> list[Effect]:
    """Apply the effect of a card before its time. It does not act again."""
    fight = ongoing(state)
    fight.acted.append(index)
    fight.waiting.append(index)
    return apply_effect(state, index, target)


def _drop_level(state: ManapaniState, fight: Fight, laid: LaidCard) -> list[Effect]:
    """Lower the land's level at once; at 0 it loses its owner. The fight goes on (manapani:B6)."""
    level = state.levels[fight.place]
    lost = level - level // 2 if laid.card == RED_DRAGON else min(level, 1)
    return lower_level(state, fight.place, lost, CARD_RULES[laid.card]) if lost else []


def _freeze(fight: Fight, laid: LaidCard) -> list[Effect]:
    """Nullify the opponent's fire spells.

    Those count that are now cast, or stolen by him (manapani:B10). Snow Giants are water and do not affect each other
    (manapani:B11). The effect of a Red Dragon lasts (manapani:B8), a Hellhound no longer wins for sure (manapani:B9),
    and no chips are returned (manapani:B19).
    """
    effects = []
    for index, other in enumerate(fight.cards):
        scroll = SCROLLS.get(other.card)
        if scroll and scroll.element == "fire" and other.side != laid.side and other.live and not other.void:
            other.void = True
            rule = CARD_RULES[SNOW_GIANT]
            effects.append(Effect("scroll.nullified", rule, fight.seats[other.side], (label(fight, index),)))
    return effects


def _steal(state: ManapaniState, fight: Fight, laid: LaidCard, target: int) -> list[Effect]:
    """Take over a card, which acts at once. Its X is 0, and earlier effects on it end (manapani:24, manapani:E5)."""
    stolen = fight.cards[target]
    stolen.side, stolen.live = laid.side, True
    stolen.x, stolen.void, stolen.halved = 0, False, 0
    if acts_at_once(state, fight, stolen):
        fight.stolen.append(target)
    return [Effect("scroll.stolen", CARD_RULES[BANDIT], fight.seats[laid.side], (label(fight, target),))]


# The end of a fight


def _decide(state: ManapaniState) -> list[Effect]:
    """Compare the powers. Level losses after the comparison are next."""
    fight = ongoing(state)
    land = land_of(state, fight)
    sums = powers(state, fight)
    sure = [
        any(laid.side == side and laid.card == HELLHOUND and _wins(laid, land) for laid in fight.cards)
        for side in (ATTACK, DEFENCE)
    ]
    fight.winner = winner(sure, sums)
    rule = "manapani:21" if any(sure) else "manapani:19"
    effects = [
        Effect("power.counted", "manapani:19", seat, (SIDES[side],), sums[side])
        for side, seat in enumerate(fight.seats)
    ]
    effects.append(Effect("fight.won", rule, fight.seats[fight.winner], (state.label(fight.place),)))
    return effects + begin_effects(state, ATTACK)


def _wins(laid: LaidCard, land: Element) -> bool:
    return is_effective(laid, land) and laid.side == ATTACK and land == "water"


def _conclude(state: ManapaniState) -> list[Effect]:
    """Resolve the end of a fight: the Hell Plant, the cards, the land or the toll (manapani:20, manapani:23).

    The winner gets a land with exactly the chips on it (manapani:B26).
    """
    fight = ongoing(state)
    land, place = land_of(state, fight), fight.place
    effects = []
    if any(laid.card == HELL_PLANT and is_effective(laid, land) for laid in fight.cards):
        # manapani:B21, manapani:B22: whichever side wins, and several act as one.
        state.stuck[fight.seats[ATTACK]] = True
        effects.append(Effect("pawn.held", CARD_RULES[HELL_PLANT], fight.seats[ATTACK]))
    state.put_away()
    if fight.winner == ATTACK:
        if state.levels[place]:
            state.owners[place] = fight.seats[ATTACK]
            state.land_since[place] = state.version
            effects.append(Effect("land.captured", "manapani:20", fight.seats[ATTACK], (state.label(place),)))
        return effects + finish_fight(state)
    owed = state.owners[place] not in (None, fight.seats[ATTACK])
    if owed and "Shield" in state.spells:
        effects.append(toll_waived(state))
    elif owed and state.mana(state.active):
        state.due = "toll"
        return effects
    return effects + finish_fight(state)


def toll_waived(state: ManapaniState) -> Effect:
    """The effect of an unpaid toll: under a Shield (manapani:C7), or against the rules."""
    rule = CARD_RULES["Shield"] if "Shield" in state.spells else "manapani:8"
    return Effect("toll.waived", rule, state.active, (state.label(state.place),))


def finish_fight(state: ManapaniState) -> list[Effect]:
    """End the fight after the land and the toll. Only now players without mana end the game (manapani:D1)."""
    state.fight = None
    return scoring.end_without_mana(state) or end_turn(state)
