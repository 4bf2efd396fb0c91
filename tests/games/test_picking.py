"""Every move of the recorded games can be put together out of what is listed: nobody has to type any of them."""

from __future__ import annotations

import re
from collections import Counter
from itertools import chain, takewhile
from typing import TYPE_CHECKING, Any

import pytest

from games import transcript
from games.contract import GAP
from tests import goldens
from tests.choosing import short_or_soak

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from games.contract import Blank, Move, Ruleset

RULESETS = [ruleset for name, ruleset in goldens.SHIPPED.items() if name != "scoresheet"]


SIGNS = ("/", ">", "=")
"""What stands between the two sides of a fight or a trade."""
WORD = re.compile(r"[\w-]+|[^\w\s]")


def filled(template: str, blanks: Sequence[Blank], text: str) -> str:
    """The line that a template becomes when it is filled in with the words of a text, as far as it offers these."""
    wanted, line = WORD.findall(text), []
    left = iter(blanks)
    for written in WORD.findall(template.replace(GAP, "_")):
        if written == "_":
            blank = next(left)
            within = takewhile(lambda word: word not in SIGNS, wanted)
            word = next((word for word in within if word in blank.choices), "" if blank.optional else "?")
        else:
            word = written
        if word in wanted:
            at = wanted.index(word)
            wanted = wanted[at + 1 :] if word in SIGNS else wanted[:at] + wanted[at + 1 :]
        line.append(word)
    return " ".join(line)


def put_together(state: Any, move: Move) -> Iterator[str]:
    """The lines that can be put together out of what is listed, with the words of a move."""
    text = state.notation(move)
    alike = [listed for listed in state.legal_moves() if type(listed) is type(move)]
    yield from map(state.notation, alike)
    for listed in chain(alike, type(move).off_turn_moves(state)):
        if blanks := state.blanks(listed):
            yield filled(state.notation_template(listed), blanks, text)


def words(line: str) -> Counter[str]:
    """The parts of a line, in any order. A card that was not noted has no part."""
    return Counter(word for word in WORD.findall(line) if word not in {"?", "/"})


def changed(before: Any, after: Any) -> bool:
    """Whether an entry told anything new: a hand can be noted although it is known."""
    kept = dict.fromkeys(["version", "told", "noted"])
    return bool(before.dump() | kept != after.dump() | kept)


@pytest.mark.parametrize("picked", RULESETS, ids=lambda picked: picked.name)
@pytest.mark.slow
def test_every_recorded_move_can_be_put_together_without_typing(picked: Ruleset) -> None:
    missing = {}
    for name, game in [*goldens.games(picked).items()][:: short_or_soak(2, 1)]:
        opening = transcript.opening(picked, game)
        state = picked.open(opening.options, opening.components, opening.seats)
        before = state.copy()
        for step in transcript.replay(picked, game):
            if step.move and not step.broken:
                wanted = words(before.notation(step.move))
                if wanted not in map(words, put_together(before, step.move)) and changed(before, step.state):
                    missing[name, step.entry.line] = step.entry.text
            before = step.state.copy()
    assert missing == {}
