"""Any typed or sent text is a possible move of its type, or leaves the table as it was, in any order."""

from __future__ import annotations

import random
from itertools import islice
from typing import TYPE_CHECKING

import msgspec
import pytest

from games.contract import PUBLIC
from games.errors import BadMoveError, ImpossibleError, NotationError
from games.examination.forms import any_move
from games.examination.plays import option_settings
from games.rulesets import RULESETS
from tests.choosing import soak_except
from tests.games.garbling import garbled

if TYPE_CHECKING:
    from games.contract import Move, Ruleset, State

TABLES = ("kahuna", "scoresheet", "verraeter")
TRIES = 150


@pytest.mark.parametrize("seed", soak_except(range(12), *range(2)))
@pytest.mark.parametrize("name", TABLES)
@pytest.mark.slow
def test_a_table_at_which_anything_is_entered_stays_one_at_which_one_can_go_on(name, seed):
    """Legal moves, moves against the rules and garbled lines, one after the other, as they come."""
    ruleset, chance = RULESETS[name], random.Random(f"{name} {seed}")
    seats = chance.choice(ruleset.seats[:4][-3:])
    state = ruleset.open(chance.choice(option_settings(ruleset)), None, seats)
    likely, made = chance.choice((0.4, 0.9)), 0
    for _ in range(TRIES):
        legal = list(islice(state.legal_moves(), 400))
        if legal and chance.random() < likely:
            sent = state.sample_chance(chance.choice(legal), chance)
        else:
            sent = any_move(ruleset, seats, chance, beyond=chance.choice((0, 0, 2, 40)))
        others = [state.notation(other) for other in legal[:3]] or ["x"]
        line = state.notation(sent)
        typed = _typed(ruleset, state, garbled(line, others, chance) if chance.random() < 0.2 else line)
        move = typed or sent
        if _is_of_its_type(ruleset, move):
            made += _made(ruleset, state, move, legal)
    assert made > TRIES // 10


@pytest.mark.parametrize("name", [name for name, ruleset in RULESETS.items() if len(ruleset.seats) > 1])
def test_no_move_can_be_by_a_player_too_many(name):
    """The rules that such a move would break are looked for without that seat, too. Only who joins a sheet is new."""
    ruleset, chance, tried = RULESETS[name], random.Random(name), set[str]()
    seats = ruleset.seats.start
    state = ruleset.open(option_settings(ruleset)[0], None, seats)
    for _ in range(12):
        for sent in (any_move(ruleset, seats, chance) for _ in range(40)):
            if getattr(sent, "seat", None) is not None and type(sent).__name__ != "Join":
                tried.add(type(sent).__name__)
                move = msgspec.structs.replace(sent, seat=seats)
                list(state.breaches(move))
                with pytest.raises(ImpossibleError):
                    state.copy().apply(move)
        for legal in islice(state.legal_moves(), 1):
            state.apply(state.sample_chance(legal, chance))
    assert len(tried) > 1


def _is_of_its_type(ruleset: Ruleset, move: Move) -> bool:
    try:
        return bool(ruleset.read_move(msgspec.json.encode(move)) == move)
    except BadMoveError:
        return False


def _typed(ruleset: Ruleset, state: State, text: str) -> Move | None:
    """The move that a line says: of its type, and written and read back as the same; None if it says none."""
    move: Move | None = None
    place = 0
    try:
        move = state.parse(text)
    except NotationError as error:
        place = error.at
    assert 0 <= place <= len(text)
    if move is not None:
        assert _is_of_its_type(ruleset, move)
        assert state.parse(state.notation(move)) == move
    return move


def _made(ruleset: Ruleset, state: State, move: Move, legal: list[Move]) -> bool:
    """Make the move if it can be; see that it can be typed then, and that the table is as it was if not."""
    before, found = state.copy(), state.dump()
    rules = {breach.rule for breach in state.breaches(move)}
    rules |= {breach.rule for breach in state.view(PUBLIC).breaches(move.seen(PUBLIC))}
    assert state.dump() == found
    try:
        effects = state.apply(move)
    except ImpossibleError as error:
        effects, rules = None, rules | {error.rule or min(ruleset.rulebook)}
    assert rules <= set(ruleset.rulebook)
    if effects is None:
        assert state.dump() == found
        assert move not in legal
        return False
    assert {effect.rule for effect in effects} <= set(ruleset.rulebook)
    assert before.parse(before.notation(move)) == move
    _goes_on(ruleset, state)
    return True


def _goes_on(ruleset: Ruleset, state: State) -> None:
    """The table is shown whole to everybody, and every legal move can be made, and sent."""
    assert ruleset.state.load(msgspec.json.decode(msgspec.json.encode(state.dump()))) == state
    public = state.view(PUBLIC)
    assert public.view(PUBLIC) == public
    assert state.describe()
    assert state.sketch()
    for move in islice(state.legal_moves(), 20):
        assert not any(state.breaches(move))
        assert _is_of_its_type(ruleset, move)
        state.copy().apply(move)
