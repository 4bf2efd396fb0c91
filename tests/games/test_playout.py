"""Random play: what `games.playout` promises whoever plays games on."""

from __future__ import annotations

import random
from itertools import islice
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from games.playout import playout, random_move

if TYPE_CHECKING:
    from collections.abc import Iterator

    from games.contract import Ruleset


def kind(name: str, moves: int, listed: list[str]) -> Any:
    """A kind of moves with so many legal ones, that notes when they are listed."""

    def legal(_: Any) -> Iterator[str]:
        listed.append(name)
        return (f"{name} {number}" for number in range(moves))

    return SimpleNamespace(legal=legal)


def test_a_random_move_is_found_without_listing_those_of_other_kinds():
    listed: list[str] = []
    state: Any = SimpleNamespace(legal_kinds=lambda: (kind("many", 9, listed), kind("few", 1, listed)))
    moves = [random_move(state, random.Random(seed)) for seed in range(40)]
    assert listed == [move.partition(" ")[0] for move in moves]
    assert moves.count("few 0") > 10
    assert len(set(moves)) == 10


def test_kinds_without_a_legal_move_are_passed_over():
    listed: list[str] = []
    state: Any = SimpleNamespace(legal_kinds=lambda: (kind("none", 0, listed), kind("one", 1, listed)))
    assert {random_move(state, random.Random(seed)) for seed in range(20)} == {"one 0"}
    state.legal_kinds = lambda: (kind("none", 0, listed),)
    assert random_move(state, random.Random(1)) is None


def test_a_random_move_is_any_of_the_legal_ones(ruleset: Ruleset):
    chance = random.Random(2)
    state = ruleset.open({}, None, ruleset.seats[0])
    for _ in islice(playout(state, chance), 40):
        legal = list(state.legal_moves())
        found = [random_move(state, chance) for _ in range(60)]
        if not legal:
            assert set(found) == {None}
            return
        assert all(move in legal for move in found)
        assert len({type(move) for move in legal}) > 3 or {type(move) for move in found} == {type(m) for m in legal}
