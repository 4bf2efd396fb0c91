"""Codes: a few letters that people read from one screen and type into another."""

from __future__ import annotations

import re
import secrets
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Container

LETTERS = "BCDFGHJKLMNPQRSTVWXZ"
"""What codes are made of: no vowels, so no words, and nothing that is easily taken for something else."""

LENGTH = 8
"""Letters of a code: 26 billion codes. Many tries could guess one, so few tries are allowed."""

FORM = re.compile(rf"[{LETTERS}]{{4}}-[{LETTERS}]{{4}}")


def make(taken: Container[str]) -> str:
    """A code that is not `taken`, as people read it: `WDJB-MJHT`."""
    while True:
        made = _shown("".join(secrets.choice(LETTERS) for _ in range(LENGTH)))
        if made not in taken:
            return made


def normal_code(typed: str) -> str:
    """A typed code in its normal form. Case, blanks and hyphens do not matter."""
    return _shown("".join(typed.upper().replace("-", "").split()))


def _shown(letters: str) -> str:
    return f"{letters[: LENGTH // 2]}-{letters[LENGTH // 2 :]}"
