"""The terms of Verräter."""

from __future__ import annotations

from games.verraeter.components import ACTIONS, HOUSES, LANDS

TERMS = (
    *HOUSES,
    *ACTIONS,
    *LANDS,
    *(f"{land} of {house}" for land in LANDS for house in HOUSES),
    "land {number}",
    "cards {number}",
    "with {number}",
    "in hand",
    "only {number} trading posts count",
    "player1",
    "player2",
    "player3",
    "player4",
    "pile",
    "discards",
    "an estate",
    "a trading post",
    "estate",
    "post",
    "start",
    "strategy",
    "laid",
    "{number} points",
    "points",
    "Invented points",
    "before the first round",
    "round {round} of {rounds}",
    "to act",
    "won",
    "a draw",
    "and",
    "to",
    "the stronger house",
)
"""Houses, actions and lands, and the short phrases of notes and of the picture."""
