"""Parsing numbers from spreadsheets: decimal commas, thousands separators, full-width digits, all kinds of minus."""

from __future__ import annotations

import re
import unicodedata
from fractions import Fraction
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Iterable

Decimal = Literal["comma", "point"]
"""The decimal separators."""

_WHOLE: dict[Decimal, re.Pattern[str]] = {
    "comma": re.compile(r"[0-9]*|[1-9][0-9]{0,2}([ '\u2019.])[0-9]{3}(?:\1[0-9]{3})*"),
    "point": re.compile(r"[0-9]*|[1-9][0-9]{0,2}([ '\u2019,])[0-9]{3}(?:\1[0-9]{3})*"),
}
"""The digits before the decimals, with or without the thousands separators of some country."""

_MINUS = str.maketrans(dict.fromkeys("\u2212\u2010\u2011\u2012\u2013\u2014\u2015\u2796\u25b2\u25b3", "-"))
"""Characters that mean a minus: typographic dashes, and the triangles of Japanese accounts."""

_LONG_SIGN = re.compile("(?<![\u3041-\u3096\u30a1-\u30fa\u30fc])\u30fc")
"""The Japanese sign of a long vowel, where no vowel stands before it: it was typed for a minus."""

_PARENTHESES = re.compile(r"\((.*)\)")

_MINUS_BEHIND = re.compile(r"([0-9].*)-")

_DIGITS = re.compile("[0-9]+")

MOST_DIGITS = 12
"""The digits before and after the decimal separator."""


def with_common_signs(text: str) -> str:
    """A text with common digits, signs and blanks instead of full-width and typographic ones."""
    return _LONG_SIGN.sub("-", unicodedata.normalize("NFKC", text).translate(_MINUS)).strip()


def parse_number(text: str, decimal: Decimal) -> Fraction | None:
    """Parse the number in a cell; None if there is none. In accounts, (5) and 5- mean −5."""
    common = with_common_signs(text)
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
    """Guess the decimal separator of these cells.

    1,5 and 0,125 decide it. 1,234 alone does not: points in thousands are more common than in thousandths.
    """
    said, likely = 0, 0
    for cell in cells:
        if cell.isdecimal():
            continue
        comma, point = parse_number(cell, "comma"), parse_number(cell, "point")
        if comma is None or point is None:
            said += (comma is not None) - (point is not None)
        elif comma != point:
            likely += 1 if comma.denominator == 1 else -1
    return "comma" if (said or likely) > 0 else "point"
