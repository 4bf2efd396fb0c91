"""Names that may be those of one person: alike but for case, width, kana, blanks, signs and the order of words."""

from __future__ import annotations

import re
from collections import defaultdict
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

from events.folding import normalized, search_form

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_KATAKANA = {letter: letter + 0x60 for letter in range(0x3041, 0x3097)}
"""Hiragana as katakana."""

GROUP = 20
"""The most names of one look that are compared with each other."""


class SimilarNames(NamedTuple):
    """Two ids with names that are alike, `same` if only case, width and composed letters differ."""

    one: str
    other: str
    same: bool


def similar_names(names: Mapping[str, str]) -> Iterator[SimilarNames]:
    """The pairs of ids with names that are alike, each once, the older id first."""
    looks = defaultdict[str, set[str]](set)
    for id_, name in names.items():
        for look in _compared_forms(name):
            looks[look].add(id_)
    found = {pair for ids in looks.values() for pair in combinations(sorted(ids)[:GROUP], 2)}
    for one, other in sorted(found):
        yield SimilarNames(one, other, normalized(names[one]) == normalized(names[other]))


def _compared_forms(name: str) -> Iterator[str]:
    """A name as it is compared: without blanks and signs, and with its words sorted."""
    words = re.findall(r"[^\W_]+", search_form(name).translate(_KATAKANA))
    if words:
        yield "".join(words)
        yield " ".join(sorted(words))
