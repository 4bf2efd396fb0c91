"""Reading a typed line word by word: what the notations of all rulesets share."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING

from games.errors import NotationError

if TYPE_CHECKING:
    import re
    from collections.abc import Mapping

DASHES = dict.fromkeys("−‐–—―ー", "-")
"""Signs that a keyboard may put in the place of a minus."""


class Reader:
    """Knows the words of one line, and where it is when something does not fit.

    `tokens` are the words that `token` finds, each with its offset in the line as it was typed. Full-width characters,
    and the typographic ones in `signs`, are read as the common ones.
    """

    def __init__(self, text: str, token: re.Pattern[str], signs: Mapping[str, str], *, lower: bool = True) -> None:
        self.text = text
        common = "".join(plain(character, signs) for character in text)
        found = ((match[0], match.start()) for match in token.finditer(common))
        self.tokens = [(word.lower() if lower else word, at) for word, at in found]
        self.next = 0

    def _sign(self, sign: str) -> bool:
        """Step over a sign, if it comes next."""
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

    def _error(self, why: str, at: int | None = None) -> NotationError:
        return NotationError(self.text, self._at() if at is None else at, why)


def plain(character: str, signs: Mapping[str, str]) -> str:
    """The common form of a full-width or typographic character, one for one so that offsets stay."""
    if character in signs:
        return signs[character]
    common = unicodedata.normalize("NFKC", character)
    return common if len(common) == 1 else character
