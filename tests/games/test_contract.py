"""What every ruleset promises, shown on games played at random; and that the examination finds what is broken."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from games import adjustments
from games.contract import Adjustment, choice_texts
from games.errors import BadMoveError, NotationError
from games.examination.facts import FACTS
from games.examination.plays import played, ruled, settings
from games.examination.promises import PROMISES

if TYPE_CHECKING:
    from games.contract import Ruleset, State
    from games.examination.facts import Fact
    from games.examination.plays import Play
    from games.examination.promises import Promise


def _name(of: Promise | Fact) -> str:
    return of.__name__


@pytest.mark.parametrize("promise", PROMISES, ids=_name)
def test_every_game_keeps_the_promise(play: Play, promise: Promise):
    promise(play)


@pytest.mark.parametrize("promise", PROMISES, ids=_name)
def test_every_game_with_rulings_keeps_the_promise(ruled_play: Play, promise: Promise):
    promise(ruled_play)


@pytest.mark.parametrize("fact", FACTS, ids=_name)
def test_every_ruleset_is_whole(ruleset: Ruleset[Any, Any], fact: Fact):
    assert list(fact(ruleset)) == []


@cache
def _typed(ruleset: Ruleset[Any, Any]) -> tuple[list[State], list[str]]:
    """The states of a game, and the words that were typed in it."""
    steps = played(ruleset, 0, 0).steps
    return [step.before for step in steps], sorted(
        {word for step in steps for word in step.before.notation(step.move).split()}
    )


@given(data=st.data())
def test_any_text_is_read_as_a_valid_move_or_refused_with_a_place(ruleset, data):
    states, words = _typed(ruleset)
    state = states[data.draw(st.integers(0, len(states) - 1))]
    signs = st.text(alphabet=sorted({*"".join(words), *" ?-+/():;=#!xd019"}), max_size=20)
    text = data.draw(st.lists(st.sampled_from(words) | signs, max_size=7).map(" ".join))
    try:
        move = state.parse(text)
    except NotationError as error:
        place = error.at
    else:
        place = 0
        assert ruleset.read_move(msgspec.json.encode(move)) == move
        assert state.parse(state.notation(move)) == move
    assert 0 <= place <= len(text)


def test_every_adjustment_is_made_in_some_random_game(ruleset):
    made = set()
    for setting in range(len(settings(ruleset))):
        for seed in range(3):
            made |= {type(step.move) for step in ruled(ruleset, setting, seed).steps}
    assert {form for form in made if issubclass(form, Adjustment)} == set(ruleset.adjustments)


@pytest.mark.parametrize(
    "text", ["+", "points", "points seat=1 points=1 seat=1", "no such", "points seat=1 points=x", '"', "=", "\ud800"]
)
def test_what_is_no_ruling_is_refused_with_a_place(ruleset, text):
    with pytest.raises(NotationError) as error:
        adjustments.parse_all(ruleset, text)
    assert 0 <= error.value.at <= len(text)


@pytest.mark.parametrize(
    ("choices", "texts"),
    [
        ((4, 5, 6, 7, 8, 9), ["4 to 9"]),
        ((1, 2), ["1", "2"]),
        ((4, 5, 6, 7, 8, 10), ["4", "5", "6", "7", "8", "10"]),
        ((False, True), ["false", "true"]),
        (("2+3", "1+4"), ["2+3", "1+4"]),
    ],
)
def test_a_long_run_of_numbers_is_told_by_its_ends(choices, texts):
    assert choice_texts(choices) == texts


def test_a_field_too_much_is_named(ruleset, any_play):
    for step in any_play.steps:
        with pytest.raises(BadMoveError) as error:
            ruleset.read_move(ruleset.move_data(step.move) | {"no_such_field": "red"})
        assert error.value.path == "no_such_field"


def test_all_rulesets_spell_the_same_thing_in_the_same_way(ruleset):
    state = ruleset.open({}, None, ruleset.seats.start)
    assert {"version", "ending", "resigned"} <= set(state.__struct_fields__)
    assert state.seats == ruleset.seats.start
    assert len({state.seat_name(seat) for seat in range(state.seats)}) == state.seats
    assert re.fullmatch(r"[a-z_]+", ruleset.name)
