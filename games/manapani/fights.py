"""Fights: which cards have an effect, what they do and when, how strong both sides are, and what the winner gets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from games.contract import Effect
from games.manapani import scoring
from games.manapani.chips import affords, lower
from games.manapani.components import CARD_RULES, ELEMENTS, SCROLLS
from games.manapani.state import ATTACK, DEFENCE, Fight, Laid
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
    """The fight that goes on. Only for steps of a fight."""
    if state.fight is None:
        raise AssertionError("no fight goes on")
    return state.fight


def land_of(state: ManapaniState, fight: Fight) -> Element:
    """The element of the land that is fought for; nothing else decides what can be used (manapani:B27)."""
    return ELEMENTS[state.box.colours[fight.place]]


def label(fight: Fight, index: int) -> str:
    """The label of a revealed card: its name, and its number from 1 if there are several with that name."""
    card = fight.cards[index].card
    alike = [laid.card for laid in fight.cards].count(card)
    return card if alike == 1 else f"{card} #{index + 1}"


# What has an effect


def can_cast(card: str, side: int, land: Element) -> bool:
    """Whether a side can cast a card for a land: never a world spell, else as the scroll says (manapani:18)."""
    scroll = SCROLLS.get(card)
    return scroll is not None and (side == DEFENCE or land in scroll.attacks)


def is_effective(laid: Laid, land: Element) -> bool:
    """Whether a card is paid for or stolen, can be cast by its present owner, and is not nullified.

    A Treant or Hell Plant works for a defender who steals it (manapani:B16), but not for an attacker (manapani:B17). A
    stolen world spell does nothing (manapani:B18).
    """
    return laid.live and not laid.void and can_cast(laid.card, laid.side, land)


def payable(state: ManapaniState) -> Iterator[int]:
    """The cards that the side that pays can cast now; each is a choice, also one that costs nothing (manapani:B1)."""
    fight = ongoing(state)
    chips, land = state.chips[fight.seats[fight.side]], land_of(state, fight)
    for index, laid in enumerate(fight.cards):
        own = laid.side == fight.side and not laid.paid
        if own and can_cast(laid.card, laid.side, land) and affords(chips, laid.card):
            yield index


def begin_paying(state: ManapaniState, side: int) -> list[Effect]:
    """The side decides which of its cards to pay for, the attacker first; then all effects happen (manapani:17)."""
    fight = ongoing(state)
    fight.side = side
    if any(True for _ in payable(state)):
        state.due = "pay"
        return []
    return stop_paying(state)


def stop_paying(state: ManapaniState) -> list[Effect]:
    """The side pays for no further card."""
    if ongoing(state).side == ATTACK:
        return begin_paying(state, DEFENCE)
    return begin_effects(state, ATTACK)


def power(laid: Laid, land: Element) -> int:
    """The power of a card that works, halved as often as Gremlins say, after all its own changes (manapani:B12)."""
    strength = SCROLLS[laid.card].strength(land, laid.x, attacking=laid.side == ATTACK)
    for _ in range(laid.halved):
        strength //= 2
    return strength


def powers(state: ManapaniState, fight: Fight) -> tuple[int, int]:
    """The power of both sides as it stands; the defender's with the level of the land (manapani:19)."""
    land = land_of(state, fight)
    sums = [0, state.levels[fight.place]]
    for laid in fight.cards:
        if is_effective(laid, land):
            sums[laid.side] += power(laid, land)
    return sums[ATTACK], sums[DEFENCE]


def winner(sure: Sequence[bool], sums: Sequence[int]) -> int:
    """The side that wins: for sure, the defender first (manapani:21, manapani:B20), else by power; a tie attacks."""
    if any(sure):
        return DEFENCE if sure[DEFENCE] else ATTACK
    return ATTACK if sums[ATTACK] >= sums[DEFENCE] else DEFENCE


# Effects that happen at the attack


def targets(fight: Fight, index: int) -> list[int]:
    """The targets of a Gremlin or Bandit (manapani:E4, manapani:E6): cast cards, and any card of the opponent."""
    acting = fight.cards[index]
    if acting.card not in (GREMLIN, BANDIT):
        return []
    return [
        other
        for other, laid in enumerate(fight.cards)
        if laid.side != acting.side and (acting.card == BANDIT or laid.live)
    ]


def next_effects(fight: Fight) -> list[int]:
    """The candidates for the next effect: the card stolen last, else any waiting one (manapani:B14)."""
    return fight.stolen[-1:] or fight.waiting


def acts_at_once(state: ManapaniState, fight: Fight, laid: Laid) -> bool:
    """Whether a card does something at once when it works.

    Red Dragon and Specter do so for the attacker only (manapani:B5), and before or after the powers are compared
    (manapani:B4, manapani:E3).
    """
    if laid.card in LEVEL_DROPS:
        due = laid.side == ATTACK and (state.options.level_drop == "after") == (fight.winner is not None)
    else:
        due = laid.card in (SNOW_GIANT, GREMLIN, BANDIT) and fight.winner is None
    return due and is_effective(laid, land_of(state, fight))


def begin_effects(state: ManapaniState, side: int) -> list[Effect]:
    """All has been paid: the side's effects happen (manapani:B2), those without a choice by themselves."""
    fight = ongoing(state)
    fight.side = side
    fight.waiting = [
        index
        for index, laid in enumerate(fight.cards)
        if laid.side == side and index not in fight.acted and acts_at_once(state, fight, laid)
    ]
    return continue_fight(state)


def continue_fight(state: ManapaniState) -> list[Effect]:
    """Let effects happen as long as their order and target leave no choice, then come to what follows them."""
    fight = ongoing(state)
    effects: list[Effect] = []
    while next_effects(fight):
        index = next((index for index in next_effects(fight) if _is_plain(fight, index)), None)
        if index is None:
            state.due = "effects"
            return effects
        aims = targets(fight, index)
        effects += use(state, index, aims[0] if aims else None)
    if fight.winner is not None:
        return effects + _conclude(state)
    if fight.side == ATTACK:
        return effects + begin_effects(state, DEFENCE)
    return effects + _decide(state)


def _is_plain(fight: Fight, index: int) -> bool:
    """Whether nobody has to say that a card acts now, or on what: no order or target would make a difference."""
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


def use(state: ManapaniState, index: int, target: int | None) -> list[Effect]:
    """One effect happens, aimed only now (manapani:B3).

    It stays, also if its card is lost (manapani:22, manapani:B13, manapani:B15).
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


def join_late(state: ManapaniState, index: int) -> None:
    """A card that was paid for late, against the rules, waits to act if its side's effects happen."""
    fight = ongoing(state)
    laid = fight.cards[index]
    if laid.side == fight.side and acts_at_once(state, fight, laid):
        fight.waiting.append(index)


def can_act_early(state: ManapaniState, index: int) -> bool:
    """Whether a card can act before its time, against the rules."""
    fight = ongoing(state)
    return index not in fight.acted and fight.winner is None and acts_at_once(state, fight, fight.cards[index])


def use_early(state: ManapaniState, index: int, target: int | None) -> list[Effect]:
    """One effect happens before its time, and not again."""
    fight = ongoing(state)
    fight.acted.append(index)
    fight.waiting.append(index)
    return use(state, index, target)


def _drop_level(state: ManapaniState, fight: Fight, laid: Laid) -> list[Effect]:
    """The land loses level at once, and its owner if none is left; the fight still goes on (manapani:B6)."""
    level = state.levels[fight.place]
    lost = level - level // 2 if laid.card == RED_DRAGON else min(level, 1)
    return lower(state, fight.place, lost, CARD_RULES[laid.card]) if lost else []


def _freeze(fight: Fight, laid: Laid) -> list[Effect]:
    """Nullify the opponent's fire spells.

    Those that are cast, or belong to him as stolen ones, when this happens (manapani:B10). Snow Giants are water and do
    not hit each other (manapani:B11). What a Red Dragon has done stays (manapani:B8), a Hellhound no longer wins for
    sure (manapani:B9), and nobody gets chips back (manapani:B19).
    """
    effects = []
    for index, other in enumerate(fight.cards):
        scroll = SCROLLS.get(other.card)
        if scroll and scroll.element == "fire" and other.side != laid.side and other.live and not other.void:
            other.void = True
            rule = CARD_RULES[SNOW_GIANT]
            effects.append(Effect("scroll.nullified", rule, fight.seats[other.side], (label(fight, index),)))
    return effects


def _steal(state: ManapaniState, fight: Fight, laid: Laid, target: int) -> list[Effect]:
    """Take a card over, which acts at once; X is 0, and what was done to it is gone (manapani:24, manapani:E5)."""
    stolen = fight.cards[target]
    stolen.side, stolen.live = laid.side, True
    stolen.x, stolen.void, stolen.halved = 0, False, 0
    if acts_at_once(state, fight, stolen):
        fight.stolen.append(target)
    return [Effect("scroll.stolen", CARD_RULES[BANDIT], fight.seats[laid.side], (label(fight, target),))]


# The end of a fight


def _decide(state: ManapaniState) -> list[Effect]:
    """Compare the powers; level losses that come after that are next."""
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


def _wins(laid: Laid, land: Element) -> bool:
    return is_effective(laid, land) and laid.side == ATTACK and land == "water"


def _conclude(state: ManapaniState) -> list[Effect]:
    """After the battle: the Hell Plant, the cards, the land or the toll (manapani:20, manapani:23).

    A land is won with just the chips that lie on it (manapani:B26).
    """
    fight = ongoing(state)
    land, place = land_of(state, fight), fight.place
    effects = []
    if any(laid.card == HELL_PLANT and is_effective(laid, land) for laid in fight.cards):
        # manapani:B21, manapani:B22: for every winner, and several count as one.
        state.stuck[fight.seats[ATTACK]] = True
        effects.append(Effect("pawn.held", CARD_RULES[HELL_PLANT], fight.seats[ATTACK]))
    state.put_away()
    if fight.winner == ATTACK:
        if state.levels[place]:
            state.owners[place] = fight.seats[ATTACK]
            state.land_since[place] = state.version
            effects.append(Effect("land.captured", "manapani:20", fight.seats[ATTACK], (state.label(place),)))
        return effects + finish(state)
    owed = state.owners[place] not in (None, fight.seats[ATTACK])
    if owed and "Shield" in state.spells:
        effects.append(waived(state))
    elif owed and state.mana(state.active):
        state.due = "toll"
        return effects
    return effects + finish(state)


def waived(state: ManapaniState) -> Effect:
    """No toll is paid: under a Shield (manapani:C7), or against the rules."""
    rule = CARD_RULES["Shield"] if "Shield" in state.spells else "manapani:8"
    return Effect("toll.waived", rule, state.active, (state.label(state.place),))


def finish(state: ManapaniState) -> list[Effect]:
    """The fight is resolved with the land and the toll: only now is it asked who has no mana (manapani:D1)."""
    state.fight = None
    return scoring.end_without_mana(state) or end_turn(state)
