"""Texts as they are compared: for people, `José`, `JOSE` and `Ｊｏｓｅ` are one word to search for."""

from __future__ import annotations

import unicodedata

_VOICED = "\u3099\u309a"
"""The marks of voiced kana: with them it is another letter."""

_STROKES = str.maketrans({"ł": "l", "ø": "o", "đ": "d", "ħ": "h", "ı": "i", "æ": "ae", "œ": "oe"})
"""Letters that Unicode does not take apart."""


def normalized(text: str) -> str:
    """The text in one width, case and form of composed letters, so that texts that look equal are equal."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())


def search_form(text: str) -> str:
    """The text as a search compares it: `normalized`, and without accents."""
    if text.isascii():
        return text.lower()
    apart = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", text).casefold())
    plain = "".join(sign for sign in apart if not unicodedata.combining(sign) or sign in _VOICED)
    return unicodedata.normalize("NFKC", plain).translate(_STROKES)


def same_name(text: str) -> str:
    """A name as it is compared with others: as `search_form`, and without blanks around it, or several in a row."""
    return " ".join(search_form(text).split())
