"""Sentences, and the words for numbers and seats that those of several rulesets share."""

from __future__ import annotations


class Sentence:
    """A sentence in English: a `text`, with `values` in the places that `{name}` marks.

    What is said in another language is made of these. A value can be a sentence itself.
    """

    __slots__ = ("text", "values")

    def __init__(self, text: str, /, **values: object) -> None:
        self.text, self.values = text, values

    def __str__(self) -> str:
        return self.text.format(**self.values) if self.values else self.text


def counted(number: int, noun: str) -> str:
    """So many of something: `1 card`, `2 cards`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def name(seat: int) -> str:
    """What a seat is called in sentences, where players count from 1."""
    return f"player {seat + 1}"


_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def numbers(run: range) -> str:
    """The numbers of a range in words, if these are short: `two`, `three or four`, `two to four`, `1 to 20`."""
    first, last = ((_NUMBERS[number] if run[-1] < len(_NUMBERS) else str(number)) for number in (run[0], run[-1]))
    return first if len(run) == 1 else f"{first} or {last}" if len(run) == 2 else f"{first} to {last}"
