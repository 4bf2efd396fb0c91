"""Words for numbers and seats that the sentences of several rulesets share."""

from __future__ import annotations


def counted(number: int, noun: str) -> str:
    """So many of something: `1 card`, `2 cards`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def name(seat: int) -> str:
    """What a seat is called in sentences, where players count from 1."""
    return f"player {seat + 1}"
