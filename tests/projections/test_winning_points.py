"""Which points win is a question to the state, in every game."""

from __future__ import annotations

from typing import TYPE_CHECKING

from games.kahuna.state import KahunaState
from games.rulesets import RULESETS
from projections.plays import highest_wins, plays_together

if TYPE_CHECKING:
    import pytest


def test_a_ruleset_says_which_points_win(monkeypatch: pytest.MonkeyPatch) -> None:
    state = RULESETS["kahuna"].open({}, None, 2)
    assert (highest_wins(state), plays_together(state)) == (True, False)
    monkeypatch.setattr(KahunaState, "wins", "lowest")
    assert (highest_wins(state), plays_together(state)) == (False, False)
    monkeypatch.setattr(KahunaState, "wins", "cooperative")
    assert (highest_wins(state), plays_together(state)) == (True, True)
