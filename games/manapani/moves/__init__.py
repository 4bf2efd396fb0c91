"""The moves that a recorder of Manapani enters, by theme. Consequences of the rules are never asked for."""

from __future__ import annotations

from games.manapani.moves.cards import (
    AnySpell,
    Armageddon,
    BraveAttack,
    Discard,
    DrainMagic,
    Fly,
    Hold,
    HolyDice,
    Mana,
    ManaPrism,
    Shield,
    Slow,
)
from games.manapani.moves.fighting import Attack, Defend, Done, Pay, Reveal, Use
from games.manapani.moves.lands import Claim, Gain, Leave, Put, Toll
from games.manapani.moves.rolling import Exchange, Go, Roll
from games.manapani.moves.setup import Start

__all__ = [
    "AnySpell",
    "Armageddon",
    "Attack",
    "BraveAttack",
    "Claim",
    "Defend",
    "Discard",
    "Done",
    "DrainMagic",
    "Exchange",
    "Fly",
    "Gain",
    "Go",
    "Hold",
    "HolyDice",
    "Leave",
    "Mana",
    "ManaPrism",
    "ManapaniMove",
    "Pay",
    "Put",
    "Reveal",
    "Roll",
    "Shield",
    "Slow",
    "Start",
    "Toll",
    "Use",
]

ManapaniMove = (
    Start
    | Roll
    | Go
    | AnySpell
    | Exchange
    | Gain
    | Claim
    | Put
    | Leave
    | Toll
    | Attack
    | Defend
    | Reveal
    | Pay
    | Done
    | Use
    | Discard
    | Hold
)
"""The types of moves, in the order of the list of legal moves."""
