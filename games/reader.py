"""Reads a typed line word by word: the common part of all rulesets' notations."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING, TypeVar

from games.errors import NotationError
from games.words import first_few

if TYPE_CHECKING:
    import re
    from collections.abc import Mapping

    from games.contract import State

T = TypeVar("T")

DASHES = dict.fromkeys("−‐–—―ー", "-")
"""Signs that a keyboard may put in place of a minus."""
GAPS = dict.fromkeys(",，、・", " ")
"""Signs that separate words like a blank: pages show lists with commas."""


class Reader:
    """Reads the words of one line, and knows the place of an error.

    `tokens` are the words that the pattern `token` finds, each with its offset in the typed line. Full-width
    characters, and the typographic ones in `signs`, are read as the common ones.
    """

    def __init__(self, text: str, token: re.Pattern[str], signs: Mapping[str, str], *, lower: bool = True) -> None:
        self.text = text
        common = "".join(to_ascii(character, signs) for character in text)
        found = ((unified(match[0]), match.start()) for match in token.finditer(common))
        self.tokens = [(word.lower() if lower else word, at) for word, at in found]
        self.next = 0

    def _sign(self, sign: str) -> bool:
        """Read a sign if it comes next, and say whether it did."""
        if self._peek() != sign:
            return False
        self.next += 1
        return True

    def _word(self) -> None:
        self.next += 1

    def _done(self) -> bool:
        return self.next >= len(self.tokens)

    def _peek(self, ahead: int = 0) -> str:
        index = self.next + ahead
        return self.tokens[index][0] if index < len(self.tokens) else ""

    def _at(self) -> int:
        return self.tokens[self.next][1] if self.next < len(self.tokens) else len(self.text)

    def _end(self) -> None:
        """Make sure that the text ends here. Raises `NotationError`."""
        if not self._done():
            raise self._error("the move ends here")

    def _pick(self, words: Mapping[str, T], what: str) -> T:
        """Read a word or its beginning, and return its value. Several words may have the same value."""
        typed = self._peek()
        found = [typed] if typed in words else [word for word in words if typed and word.startswith(typed)]
        if len({words[word] for word in found}) != 1:
            raise self._error(f"expected {what} here: {first_few(found or words)}")
        self._word()
        return words[found[0]]

    def _number(self, least: int, most: int, why: str) -> int:
        """Read a number of at most three digits within limits."""
        word = self._peek()
        if not word.isascii() or not word.isdigit() or len(word) > 3 or not least <= int(word) <= most:
            raise self._error(why)
        self._word()
        return int(word)

    def _speaker(self, seats: int, why: str) -> int | None:
        """Read a seat's number, from 1 on, and a colon, if there is one; return the seat."""
        if self._peek(1) != ":":
            return None
        seat = self._number(1, seats, why) - 1
        self._word()
        return seat

    def _somebody(self, seat: int | None, state: State | None = None) -> int:
        """The seat of a move that needs one.

        Raises `NotationError` if it is None; `state` knows whether the game is over.
        """
        if seat is None and state and state.ending:
            raise self._error("the game is over: begin with the player's number and a colon to enter more", 0)
        if seat is None:
            raise self._error("it is nobody's turn: begin with the player's number and a colon", 0)
        return seat

    def _error(self, why: str, at: int | None = None) -> NotationError:
        return NotationError(self.text, self._at() if at is None else at, why)


def unified(word: str) -> str:
    """A word with one spelling of each letter that Unicode can write in several ways: `é` and `ポ`, but not `½`."""
    if word.isascii():
        return word
    common = (unicodedata.normalize("NFKC", letter) if letter.isalpha() else letter for letter in word)
    return unicodedata.normalize("NFC", "".join(common))


def to_ascii(character: str, signs: Mapping[str, str]) -> str:
    """The common form of a full-width or typographic character, one for one so that offsets stay."""
    if character in signs:
        return signs[character]
    if character.isascii():
        return character
    common = unicodedata.normalize("NFKC", character)
    return common if len(common) == 1 else character
