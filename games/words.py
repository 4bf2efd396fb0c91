"""Names in two languages, sentences, and the common words for numbers and seats."""

from __future__ import annotations

from functools import reduce
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Self

    from games.contract import Outcome

TERMS = ("a card", "the game is over")
"""The terms that all rulesets share."""

MOST_LISTED, FEW = 30, 8
"""A message lists at most 30 names, such as all moves of a game. Of more it has the first eight."""

LABELLED = "label: "
"""The prefix of a value's label in catalogues: a label `no` is translated apart from other uses of `no`."""


class Title(msgspec.Struct, frozen=True):
    """A name in English and in Japanese."""

    en: str
    ja: str

    def __str__(self) -> str:
        return self.en


class Sentence(str):
    """A sentence in English that keeps its parts for translation: a `text`, with `values` for the places `{name}`.

    Translations use the catalogue of the ruleset `of`. A value can be a sentence itself, or a name in several
    languages.
    """

    __slots__ = ("of", "text", "values")

    of: str
    text: str
    values: dict[str, object]

    def __new__(cls, text: str, /, **values: object) -> Self:  # noqa: D102
        said = super().__new__(cls, text.format(**values) if values else text)
        said.of, said.text, said.values = "", text, values
        return said

    def by(self, ruleset: str) -> Self:
        """Set the ruleset that translates the sentence."""
        self.of = ruleset
        return self


class Titled(str):
    """A name in data, with its name in sentences, `called`: programs get `r1 p1 bid`, and readers `r1 p1 ビッド`."""

    __slots__ = ("called",)

    called: Title

    def __new__(cls, title: Title) -> Self:  # noqa: D102
        said = super().__new__(cls, title.en)
        said.called = title
        return said


def titled(title: Title) -> str:
    """The English name as a `str`, with the Japanese one if it differs."""
    return title.en if title.en == title.ja else Titled(title)


class Typed(str):
    """A word as it is typed. In another language its meaning is added: `yes（はい）`."""

    __slots__ = ()


def in_english(value: object) -> bytes:
    """A value as JSON, with its sentences in English."""
    return msgspec.json.encode(value, enc_hook=Sentence.__str__)


def counted_text(number: int, noun: str) -> str:
    """A count with its noun as plain text, for a note: `1 card`, `2 cards`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def count_and_noun(number: int, noun: str) -> Sentence:
    """A count with its noun as a sentence that can be translated: `1 card`, `2 cards`."""
    return Sentence(f"{{number}} {noun}" if number == 1 else f"{{number}} {noun}s", number=number)


def join_by_and(things: Sequence[str]) -> str:
    """Join things by "and", at least one: `a and b and c`."""
    first, *more = things
    return reduce(lambda said, thing: Sentence("{things} and {thing}", things=said, thing=thing), more, first)


def join_by_or(things: Sequence[str]) -> str:
    """Join things by "or", at least one: `a or b`."""
    first, *more = things
    return reduce(lambda said, thing: Sentence("{things} or {thing}", things=said, thing=thing), more, first)


def comma_list(things: Sequence[str]) -> str:
    """Join things by commas; empty for no things: `a, b, c`."""
    first, *more = things or ("",)
    return reduce(lambda said, thing: Sentence("{things}, {thing}", things=said, thing=thing), more, first)


def first_few(names: Iterable[str], most: int = MOST_LISTED) -> str:
    """Names for a message, as they are in all languages: of a long list the first ones, and how many more there are."""
    listed = list(names)
    more = len(listed) - FEW if len(listed) > most else 0
    return f"{', '.join(listed[:FEW])}, … (+{more})" if more else ", ".join(listed)


def name(seat: int) -> str:
    """The name of a seat in sentences, counted from 1."""
    return f"player {seat + 1}"


def result(outcome: Outcome, called: Callable[[int], str]) -> str:
    """Who won, as seats are `called`."""
    return "a draw" if outcome.is_draw else f"{' and '.join(map(called, outcome.winners))} won"


_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def numbers(run: range) -> str:
    """A range of numbers in words, if they are short: `two`, `three or four`, `two to four`, `1 to 20`."""
    first, last = ((_NUMBERS[number] if run[-1] < len(_NUMBERS) else str(number)) for number in (run[0], run[-1]))
    return first if len(run) == 1 else f"{first} or {last}" if len(run) == 2 else f"{first} to {last}"
