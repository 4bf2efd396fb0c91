"""Random play: the promises of `games.playout`."""

from __future__ import annotations

import random
from collections import Counter
from functools import partial
from itertools import islice
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from games.catan_cards import CATAN_CARDS
from games.catan_cards.components import SIDES_WITH
from games.contract import Move, Policy
from games.playout import choose_move, play_to_end, playout, random_move

if TYPE_CHECKING:
    from collections.abc import Iterator

    from games.contract import Ruleset


def kind(name: str, moves: int, listed: list[str]) -> Any:
    """A kind of moves with so many legal ones, that notes when they are listed."""

    def legal(_: Any) -> Iterator[str]:
        listed.append(name)
        return (f"{name} {number}" for number in range(moves))

    found: Any = SimpleNamespace(legal=legal)
    found.legal_at_random = partial(Move.legal_at_random.__func__, found)  # type: ignore[attr-defined]
    return found


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


def test_of_a_hundred_moves_so_many_are_made_at_random_and_all_others_chosen():
    state: Any = SimpleNamespace(legal_kinds=lambda: (kind("some", 3, []),), ruleset=SimpleNamespace(chances=nothing))
    for blunders in (0, 10, 100):
        policy, chance = Policy("toy", 1, lambda *_: "chosen", blunders), random.Random(4)
        made = [choose_move(policy, state, chance) for _ in range(2000)]
        assert sum(move != "chosen" for move in made) == pytest.approx(20 * blunders, abs=60)
        assert made.count("some 1") == pytest.approx(20 * blunders / 3, abs=60)


def nothing(*_: Any) -> tuple[()]:
    return ()


def test_dice_come_by_their_odds_even_where_the_move_is_a_blunder():
    policy = msgspec.structs.replace(CATAN_CARDS.policy, blunders=100)
    state, chance = CATAN_CARDS.open({}, None, 2), random.Random(2)
    while state.due != "roll":
        state.apply(state.sample_chance(random_move(state, chance), chance))
        state.decide_hidden(chance)
    rolled = Counter(choose_move(policy, state, chance).event for _ in range(3000))
    assert rolled == {face: pytest.approx(500 * sides, abs=120) for face, sides in SIDES_WITH.items()}


def test_a_game_is_played_to_its_end_with_blunders_by_the_rules(ruleset: Ruleset):
    if not ruleset.policy:
        return
    policy = msgspec.structs.replace(ruleset.policy, blunders=30)
    for seats in ruleset.seats:
        state = ruleset.open({}, None, seats)
        play_to_end(state, policy, random.Random(seats), 5000)
        assert state.ending
