"""The terms of Kahuna."""

from __future__ import annotations

TERMS = (
    "black",
    "white",
    "round {number}",
    "no island",
    "points",
    "third_round",
    "bridges",
    "last_bridge",
    "no_bridge",
    "before the deal",
    "the row is to be laid out",
    "last turns",
    "last turn",
    "empty",
    "a card not noted",
    "must draw",
    "to",
    "to move",
    "won",
    "a draw",
    "{number} of {spaces}",
    "Deck",
    "Row",
    "Discarded",
    "discards",
    "unseen-black",
    "unseen-white",
    "islands first",
)
"""Seats, rounds and reasons of endings, and the short phrases of notes and of the picture."""
