"""The ways in which a ruleset's options are set for games played at random."""

from __future__ import annotations

import itertools
import random
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from games.contract import Ruleset

MOST = 64
"""Up to so many combinations all of them are played; of more, as few as have every choice of every option."""

RECORDED = {"manapani.chips": (8, 10, 12, 15, 20, 25, 30)}
"""Of a long run of numbers, those with which games are recorded and played at random."""

PLAYED = RECORDED | {"catan_cards.target": (3, 4, 5, 6, 7, 8, 9)}
"""The choices with which random play comes to an end soon enough, where it does not with every one."""


def settings(ruleset: Ruleset[Any, Any]) -> list[dict[str, bool | int | str]]:
    """Every combination of a ruleset's options, if there are not too many; else the defaults and some mixtures."""
    choices = {
        option.name: list(PLAYED.get(f"{ruleset.name}.{option.name}", option.choices)) for option in ruleset.options
    }
    combinations = 1
    for values in choices.values():
        combinations *= len(values)
    if combinations <= MOST:
        return [dict(zip(choices, chosen, strict=True)) for chosen in itertools.product(*choices.values())]
    return [{}, *_mixtures(ruleset.name, choices)]


def _mixtures(seed: str, choices: dict[str, list[Any]]) -> list[dict[str, bool | int | str]]:
    """Settings that have every choice of every option in some of them, otherwise at random."""
    chance, count = random.Random(seed), max(map(len, choices.values()))
    columns = []
    for values in choices.values():
        column = list(itertools.islice(itertools.cycle(values), count))
        chance.shuffle(column)
        columns.append(column)
    return [dict(zip(choices, row, strict=True)) for row in zip(*columns, strict=True)]
