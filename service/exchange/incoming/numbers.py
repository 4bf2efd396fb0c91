"""Numbers as people write them in spreadsheets: decimal commas, thousands, wide digits, and every kind of minus."""

from __future__ import annotations

import re
import unicodedata
from fractions import Fraction
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Iterable

Decimal = Literal["comma", "point"]
"""What stands before the decimals."""

_WHOLE: dict[Decimal, re.Pattern[str]] = {
    "comma": re.compile(r"[0-9]*|[1-9][0-9]{0,2}([ '\u2019.])[0-9]{3}(?:\1[0-9]{3})*"),
    "point": re.compile(r"[0-9]*|[1-9][0-9]{0,2}([ '\u2019,])[0-9]{3}(?:\1[0-9]{3})*"),
}
"""What stands before decimals: digits, or thousands that are parted in the way of some country."""

_MINUS = str.maketrans(dict.fromkeys("\u2212\u2010\u2011\u2012\u2013\u2014\u2015\u2796\u25b2\u25b3", "-"))
"""What stands for a minus: dashes of typesetters, and the triangles of Japanese accounts."""

_LONG_SIGN = re.compile("(?<![\u3041-\u3096\u30a1-\u30fa\u30fc])\u30fc")
"""The sign of a long vowel where none stands before it: it was typed for a minus."""

_PARENTHESES = re.compile(r"\((.*)\)")

_MINUS_BEHIND = re.compile(r"([0-9].*)-")

_DIGITS = re.compile("[0-9]+")

MOST_DIGITS = 12
"""Digits before and behind the decimal sign."""


def plain(text: str) -> str:
    """A text with common digits, signs and blanks in place of wide and typographic ones."""
    return _LONG_SIGN.sub("-", unicodedata.normalize("NFKC", text).translate(_MINUS)).strip()


def number_in(text: str, decimal: Decimal) -> Fraction | None:
    """The number that a cell holds; None if it holds none. In accounts, (5) and 5- are −5."""
    common = plain(text)
    if found := _PARENTHESES.fullmatch(common) or _MINUS_BEHIND.fullmatch(common):
        common = f"-{found[1].strip()}"
    minus = common.startswith("-")
    body = common[1:].lstrip() if common.startswith(("-", "+")) else common
    whole, _, decimals = body.partition("," if decimal == "comma" else ".")
    digits = "".join(filter(str.isdigit, whole))
    if (
        not _WHOLE[decimal].fullmatch(whole)
        or not (digits or decimals)
        or (decimals and not _DIGITS.fullmatch(decimals))
    ):
        return None
    if len(digits) > MOST_DIGITS or len(decimals) > MOST_DIGITS:
        return None
    value = Fraction(f"{digits or '0'}.{decimals or '0'}")
    return -value if minus else value


def guessed_decimal(cells: Iterable[str]) -> Decimal:
    """What stands before decimals in these cells.

    1,5 and 0,125 say it. 1,234 alone does not: more points are scored in thousands than in thousandths.
    """
    said, likely = 0, 0
    for cell in cells:
        if cell.isdecimal():
            continue
        comma, point = number_in(cell, "comma"), number_in(cell, "point")
        if comma is None or point is None:
            said += (comma is not None) - (point is not None)
        elif comma != point:
            likely += 1 if comma.denominator == 1 else -1
    return "comma" if (said or likely) > 0 else "point"
