"""Sketches: the drawings for a terminal, in the current language."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import msgspec
from rich.cells import cell_len

from service.languages import ENGLISH, locale
from service.languages.plain import translated
from service.languages.sentences import localized_state

if TYPE_CHECKING:
    from games.contract import State
    from games.sketch import Sketch

_PHRASE = re.compile(r"(\S+(?: \S+)*)( *)")
"""Words with one blank between them, and the blanks that bring what follows into its column."""


def translated_sketch(state: State) -> Sketch:
    """The drawing of a table in the current language. Columns keep their places."""
    if locale() == ENGLISH:
        return state.sketch()
    sketch, ruleset = localized_state(state).sketch(), state.ruleset.name
    return [
        [msgspec.structs.replace(span, text=_translated_phrases(span.text, ruleset)) for span in line]
        for line in sketch
    ]


def _translated_phrases(text: str, ruleset: str) -> str:
    return _PHRASE.sub(lambda found: _padded(translated(found[1], ruleset), found), text)


def _padded(text: str, instead_of: re.Match[str]) -> str:
    blanks = len(instead_of[2])
    room = cell_len(instead_of[1]) + blanks - cell_len(text)
    return text + " " * (max(room, 1) if blanks > 1 else blanks)
