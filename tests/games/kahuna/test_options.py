"""The variants combine freely: random games with all of them keep every promise."""

from __future__ import annotations

import random
from functools import cache
from itertools import product
from typing import TYPE_CHECKING

import msgspec
import pytest

from games.examination.plays import option_settings
from games.kahuna import KAHUNA
from games.kahuna.components import LINE, SEA, SEAS_BESIDE
from games.kahuna.moves import Build, Decline, Discard, Launch, Remove, Sail
from games.kahuna.options import OPTIONS, Options
from games.kahuna.ships import is_enclosed
from games.playout import playout
from tests.choosing import soak_except

if TYPE_CHECKING:
    from collections.abc import Sequence

    from games.kahuna.moves import KahunaMove
    from games.kahuna.state import KahunaState

SETTINGS = option_settings(KAHUNA)
NAMES = [" ".join(str(value) for value in setting.values()) for setting in SETTINGS]


def eager(chance: random.Random):
    """Somebody who loves ships, and is drawn to the opponent's."""

    def choose(state: KahunaState, moves: Sequence[KahunaMove]) -> KahunaMove:
        return chance.choices(moves, [_liking(state, move) for move in moves])[0]

    return choose


def _liking(state: KahunaState, move: KahunaMove) -> float:
    match move:
        case Launch():
            sea, opponent = SEA[move.sea], 1 - move.seat
            return 4 + 20 * (state.ships[opponent] >> sea & 1) + 40 * is_enclosed(state, sea, opponent)
        case Build():
            return 0.3 + 8 * _beside_ships(state, move)
        case Remove():
            return 3 + 8 * _beside_ships(state, move)
        case Discard() | Decline():
            return 0.1
    return 1


def _beside_ships(state: KahunaState, move: Build | Remove) -> int:
    return sum(state.ships[1 - move.seat] >> sea & 1 for sea in SEAS_BESIDE[LINE[move.line]])


@cache
def played(setting: int, seed: int):
    """A game, and the rules that its effects cited."""
    chance = random.Random(f"{setting} {seed}")
    state = KAHUNA.open(SETTINGS[setting], None, 2)
    moves, states, rules = [], [], set()
    for move, effects in playout(state, chance, eager(chance)):
        moves.append(move)
        states.append(state.copy())
        rules |= {effect.rule.removeprefix("kahuna:") for effect in effects}
    return moves, states, rules


@pytest.mark.parametrize("setting", range(len(SETTINGS)), ids=NAMES)
@pytest.mark.parametrize("seed", soak_except(range(3), 0))
def test_pieces_are_kept_and_control_is_always_the_majority_of_the_spaces(setting, seed, check):
    _, states, _ = played(setting, seed)
    for state in states:
        check(state)


@pytest.mark.parametrize("setting", range(len(SETTINGS)), ids=NAMES)
def test_a_game_is_the_same_replayed_and_loaded_at_every_step(setting):
    moves, states, _ = played(setting, 0)
    state = KAHUNA.open(SETTINGS[setting], None, 2)
    for move, after in zip(moves, states, strict=True):
        state = KAHUNA.state.load(msgspec.json.decode(msgspec.json.encode(state.dump())))
        state.verify(move)
        state.apply(move)
        assert state == after


@pytest.mark.slow
def test_the_random_games_meet_every_rule_that_has_an_effect():
    missing = {f"SEA-{number}" for number in (2, 3, 4, 5, 6, 7, 8, 10)} | {"OPO-1", "OPO-2", "LOSS-1"}
    for seed, setting in product(range(3), range(len(SETTINGS))):
        missing -= played(setting, seed)[2]
        if not missing:
            return
    assert not missing


def test_every_setting_is_there():
    assert len(SETTINGS) == 2 * 2 * 2 * 3


def test_the_options_are_declared_as_they_are_kept():
    fields = {field.name: field.default for field in msgspec.structs.fields(Options)}
    assert {option.name: option.default for option in OPTIONS} == fields
    for setting in SETTINGS:
        assert msgspec.to_builtins(KAHUNA.open(setting, None, 2).options) == setting


def test_no_ship_sails_where_the_option_is_off():
    for setting, chosen in enumerate(SETTINGS):
        if not chosen["seafarer"]:
            assert not any(isinstance(move, Launch | Sail) for move in played(setting, 0)[0])


def test_nothing_is_rebuilt_or_barred_where_the_box_variant_is_off():
    for setting, chosen in enumerate(SETTINGS):
        rebuilt = [move for seed in range(3) for move in played(setting, seed)[0] if getattr(move, "rebuild", False)]
        assert chosen["box_variant"] or not rebuilt
