"""Finding a template by what people call its game."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

_TO_KATAKANA = {code: code + 0x60 for code in range(0x3041, 0x3097)}
_LARGE = str.maketrans("ァィゥェォッャュョヮ", "アイウエオツヤユヨワ", "ー")
"""Small kana as large ones, and no long vowels: foreign names are written in several ways."""


def rank(query: str, names: Sequence[str]) -> int | None:
    """How well a query fits what something is called: 0 is best; None if not every word of it is part of a name.

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


def _folded(text: str) -> str:
    """Only the letters and digits of a text, as they compare."""
    apart = unicodedata.normalize("NFKD", text.casefold())
    plain = "".join(sign for sign in apart if sign.isalnum() or sign in "\u3099\u309a")  # the voiced kana stay such
    return unicodedata.normalize("NFKC", plain).translate(_TO_KATAKANA).translate(_LARGE)
