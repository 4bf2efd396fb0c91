"""Moves against the rules that can be made all the same are found, and none that is legal or impossible."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from games import transcript
from games.irregular import irregular_moves
from tests import goldens
from tests.choosing import short_or_soak

if TYPE_CHECKING:
    from collections.abc import Iterator

    from games.contract import Ruleset
    from games.transcript import TranscriptStep

RULESETS = [ruleset for name, ruleset in goldens.SHIPPED.items() if name != "scoresheet"]
RARE = {"discard ? ?", "trade od od > ku"}
"""The kinds with so many moves that they must be typed: cards and payments of three parts and more."""


def steps(picked: Ruleset) -> Iterator[tuple[object, TranscriptStep]]:
    """The recorded game in which rules are broken, with the state before each step."""
    game = goldens.games(picked)["irregular"]
    opening = transcript.opening(picked, game)
    before = picked.open(opening.options, opening.components, opening.seats)
    for step in transcript.replay(picked, game):
        yield before, step
        before = step.state.copy()


@pytest.mark.parametrize("picked", RULESETS, ids=lambda picked: picked.name)
@pytest.mark.slow
def test_what_happened_against_the_rules_in_recorded_games_is_offered(picked: Ruleset) -> None:
    slips = [(before, step) for before, step in steps(picked) if step.move and step.broken]
    missing = {
        before.notation(step.move)
        for before, step in slips
        if before.notation(step.move) not in map(before.notation, irregular_moves(before))
    }
    assert slips
    assert {text for text in missing if not text.startswith("draw ")} <= RARE


@pytest.mark.parametrize("picked", RULESETS, ids=lambda picked: picked.name)
@pytest.mark.slow
def test_every_move_offered_against_the_rules_breaks_one_and_can_be_made(picked: Ruleset) -> None:
    for at, (before, _) in enumerate(steps(picked)):
        if at % short_or_soak(80, 40) != 20:
            continue
        kept, found = before.copy(), list(irregular_moves(before))
        assert found
        for move in found:
            assert list(before.breaches(move))
            before.copy().apply(move)
            assert before.parse(before.notation(move)) == move
        assert len(set(found)) == len(found)
        assert before == kept
