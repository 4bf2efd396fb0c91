"""The words of a sheet's notation, and the checks of ids, labels and names beside them."""

from __future__ import annotations

import re
import unicodedata

from games.reader import DASHES, to_ascii, unified
from games.scoresheet.formulas import WORDS

OUT, IN, END, WON, LOST = "out", "in", "end", "won", "lost"
EARLY, NOBODY = "early", "nobody"
"""The words after `end` for a game that is stopped by its current scores, and without a winner."""
NOTATION = {OUT, IN, END, WON, LOST, "r"}
"""The words of the notation that cannot be a column; `r` is the due round."""
_RESERVED = WORDS | NOTATION | {"round", "rounds", "sides", "total"}


def typed_form(word: str) -> str:
    """The typed form of a label or a round's name: without blanks of any width."""
    return _BLANK.sub("_", word)


_BLANK = re.compile(r"\s")


def normalized_word(word: str) -> str:
    """The form of a word in the reader of notation: common signs for full-width ones, in lower case."""
    return (word if word.isascii() else unified("".join(to_ascii(letter, DASHES) for letter in word))).lower()


def id_fault(name: str) -> str:
    """The reason why this cannot be an id; empty if it can."""
    common = unicodedata.normalize("NFKC", name)
    if not name.isidentifier() or name.startswith("_"):
        return "an id is made of letters, digits and _, and begins with a letter"
    if common != name:
        return f"write {common!r}: there are signs in it that look the same"
    if normalized_word(name) in _RESERVED or (name[0] in "prtPRT" and name[1:].isdecimal()):
        return f"{name} has a meaning of its own: choose another id"
    return ""


def word_fault(word: str) -> str:
    """The reason why a typed label or round's name could not be read; empty if it could."""
    text = normalized_word(typed_form(word))
    if _SIGNS.search(word) or word != word.strip():
        return f"{word!r} has signs in it that part words: leave them out"
    if not all(sign.isprintable() or sign in _JOINERS for sign in typed_form(word)):
        return f"{word!r} has signs in it that nobody sees: leave them out"
    if _OTHERWISE.fullmatch(text):
        return f"{word!r} would be read as something else"
    return ""


_SIGNS = re.compile(r"[,、，!;\"]|  ")
_JOINERS = "\u200c\u200d"
"""The invisible signs that separate or join letters of some scripts, and parts of an emoji."""
_OTHERWISE = re.compile(r"[+-]?[0-9.]+|\?|[prt][0-9]*:?")


def parts_words(word: str) -> bool:
    """Whether a word would be read as two."""
    return bool(_PARTING.search(normalized_word(typed_form(word))))


_PARTING = re.compile("[,、]")
