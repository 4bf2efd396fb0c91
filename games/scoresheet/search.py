"""Finding a template by the names of its game."""

from __future__ import annotations

import unicodedata
from difflib import SequenceMatcher
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

_TO_KATAKANA = {code: code + 0x60 for code in range(0x3041, 0x3097)}
_LARGE = str.maketrans("ァィゥェォッャュョヮ", "アイウエオツヤユヨワ", "ー")
"""Maps small kana to large ones, and drops long vowels: foreign names have several spellings."""


def rank(query: str, names: Sequence[str]) -> int | None:
    """How well a query fits names: 0 is best; None if not every word of it is part of a name.

    Case, accents, widths, blanks and signs make no difference, nor do kinds and sizes of kana, nor long vowels.
    """
    words = [word for word in map(_folded, query.split()) if word]
    folded = [_folded(name) for name in names]
    if not all(any(word in name for name in folded) for word in words):
        return None
    whole = "".join(words)
    if whole in folded:
        return 0
    return 1 if any(name.startswith(whole) for name in folded) else 2


ALIKE, FROM_THE_START, SWAPPED = 0.8, 0.7, 0.5
"""How alike two names are at the least, from 0 to 1, to be taken for slips of each other: any, with the same first
letter, and with the same letters in another order. *Briscola* is no slip of *Agricola*, and *scopa* none of *coop*.
"""
WORD = 6
"""The least letters of a word to find slips of that word alone: *majong* of *Mahjong (riichi)*."""
TOO_SHORT = 2
"""Names with at most this number of Latin letters are words of many names: *Go Fish* is no kind of *Go*."""


def nearness(query: str, names: Sequence[str]) -> float:
    """How near a query is to names, from 0 to 1: a slip of the pen, or a name with more words. 0 if it is not near.

    A name that is one word of the query is near: `uno flip` is a kind of `uno`.
    """
    words = {_folded(word) for word in query.split()}
    whole = _folded(query)
    folded = [folded for name in names if (folded := _folded(name))]
    if any(name in words for name in folded if len(name) > TOO_SHORT or not name.isascii()):
        return 1.0
    parts = [part for name in names for word in name.split() if len(part := _folded(word)) >= WORD]
    return max((_likeness(whole, name) for name in (*folded, *parts)), default=0.0)


def _likeness(one: str, other: str) -> float:
    least = _least(one, other)
    pair = SequenceMatcher(None, one, other, autojunk=False)
    if pair.real_quick_ratio() < least or pair.quick_ratio() < least:
        return 0.0
    ratio = pair.ratio()
    return ratio if ratio >= least else 0.0


def _least(one: str, other: str) -> float:
    if len(one) == len(other) and sorted(one) == sorted(other):
        return SWAPPED
    return FROM_THE_START if one[:1] == other[:1] else ALIKE


@lru_cache(maxsize=4096)  # each search asks for the names of all sheets
def _folded(text: str) -> str:
    """The letters and digits of a text in their form for comparison."""
    apart = unicodedata.normalize("NFKD", text.casefold())
    plain = "".join(sign for sign in apart if sign.isalnum() or sign in "\u3099\u309a")  # voiced kana stay voiced
    return unicodedata.normalize("NFKC", plain).translate(_TO_KATAKANA).translate(_LARGE)
