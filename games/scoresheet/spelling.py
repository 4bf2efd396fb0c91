"""What can be typed on a sheet: the words of the notation, and which ids, labels and names can stand beside them."""

from __future__ import annotations

import re
import unicodedata

from games.reader import DASHES, to_ascii, unified
from games.scoresheet.formulas import WORDS

OUT, IN, END, WON, LOST = "out", "in", "end", "won", "lost"
EARLY, NOBODY = "early", "nobody"
"""What follows `end` where a game is stopped by its standing, and so that nobody wins."""
NOTATION = {OUT, IN, END, WON, LOST, "r"}
"""The words of the notation that are no column; `r` is the round that is due."""
_RESERVED = WORDS | NOTATION | {"round", "rounds", "sides", "total"}


def typed(word: str) -> str:
    """A word for a value, or the name of a round, as it is typed: without blanks of any width."""
    return _BLANK.sub("_", word)


_BLANK = re.compile(r"\s")


def as_read(word: str) -> str:
    """A word as the reader of notation has it: full-width signs as the common ones, and in small letters."""
    return unified("".join(to_ascii(letter, DASHES) for letter in word)).lower()


def id_fault(name: str) -> str:
    """Why nothing can have this id; nothing if it can."""
    common = unicodedata.normalize("NFKC", name)
    if not name.isidentifier() or name.startswith("_"):
        return "an id is made of letters, digits and _, and begins with a letter"
    if common != name:
        return f"write {common!r}: there are signs in it that look the same"
    if as_read(name) in _RESERVED or (name[0] in "prtPRT" and name[1:].isdecimal()):
        return f"{name} has a meaning of its own: choose another id"
    return ""


def word_fault(word: str) -> str:
    """Why a word for a value, or the name of a round, could not be read where it is typed; nothing if it could."""
    text = as_read(typed(word))
    if _SIGNS.search(word) or word != word.strip():
        return f"{word!r} has signs in it that part words: leave them out"
    if not all(sign.isprintable() or sign in _JOINERS for sign in typed(word)):
        return f"{word!r} has signs in it that nobody sees: leave them out"
    if _OTHERWISE.fullmatch(text):
        return f"{word!r} would be read as something else"
    return ""


_SIGNS = re.compile(r"[,、，!;\"]|  ")
_JOINERS = "\u200c\u200d"
"""What parts or joins the letters of some scripts, and the parts of a picture."""
_OTHERWISE = re.compile(r"[+-]?[0-9.]+|\?|[prt][0-9]*:?")


def parts_words(word: str) -> bool:
    """Whether a word would be read as two."""
    return bool(_PARTING.search(as_read(typed(word))))


_PARTING = re.compile("[,、]")
