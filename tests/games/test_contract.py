"""What every ruleset promises, shown on games played at random; and that the examination finds what is broken."""

from __future__ import annotations

import random
import re
from contextlib import suppress
from functools import cache
from itertools import islice, product
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from games import adjustments
from games.contract import Adjustment, State, choice_texts
from games.errors import BadMoveError, BadOpeningError, ImpossibleError, NotationError
from games.examination.facts import FACTS
from games.examination.forms import any_move
from games.examination.plays import execute, option_settings, random_game, random_game_with_rulings
from games.examination.promises import (
    PROMISES,
    PromiseBrokenError,
    a_move_drawn_at_random_is_a_listed_one,
    every_move_that_is_not_listed_breaks_a_rule_or_is_impossible,
    what_is_offered_tells_nobody_what_he_may_not_know,
)
from games.hidden import ShuffleKnowledge
from games.kahuna import KAHUNA
from games.kahuna.moves import Row
from games.piles import Piles
from games.verraeter import VERRAETER
from games.verraeter.moves import Lay
from games.words import numbers
from tests import tiers
from tests.cases import cases
from tests.choosing import soak_except
from tests.games.conftest import games_of
from tests.games.garbling import garbled

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from games.contract import Ruleset
    from games.examination.facts import Fact
    from games.examination.plays import Play
    from games.examination.promises import Promise


def _name(of: Promise | Fact) -> str:
    return of.__name__


@pytest.mark.slow
@cases("promise", PROMISES, ids=_name)
def test_every_game_keeps_the_promise(ruleset: Ruleset, promise: Promise):
    _see_kept(promise, ruleset, random_game, WITHOUT_RULINGS)


@pytest.mark.slow
@cases("promise", PROMISES, ids=_name)
def test_every_game_with_rulings_keeps_the_promise(ruleset: Ruleset, promise: Promise):
    _see_kept(promise, ruleset, random_game_with_rulings, WITH_RULINGS)


WITHOUT_RULINGS, WITH_RULINGS = (slice(None), slice(None)) if tiers.SOAK else (slice(0, None, 2), slice(1, None, 2))
"""In the short run every setting is played once: every other one with rulings."""


DEAR = {what_is_offered_tells_nobody_what_he_may_not_know}
"""Promises that look at all possible entries of many moments: one game has hundreds of these."""


def _see_kept(
    promise: Promise, ruleset: Ruleset, way: Callable[[Ruleset, int, int], Play], some: slice = slice(None)
) -> None:
    games = games_of(ruleset)[some]
    for setting, seed in games if tiers.SOAK or promise not in DEAR else games[:1]:
        try:
            promise(way(ruleset, setting, seed))
        except Exception as error:
            error.add_note(f"in the game {ruleset.name}-{setting}-{seed}")
            raise


def test_a_kind_of_move_that_is_listed_in_part_is_named_unless_its_ruleset_says_so(monkeypatch):
    """A row of Kahuna can be looked at again, which nobody is offered."""
    promise = every_move_that_is_not_listed_breaks_a_rule_or_is_impossible
    monkeypatch.delitem(KAHUNA.partly_listed, Row)
    with pytest.raises(PromiseBrokenError, match=r"Row\(.*\) is not listed, breaks no rule and can be made"):
        any(promise(random_game(KAHUNA, setting, 0)) for setting in range(len(option_settings(KAHUNA))))


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        (lambda kind, _: kind(seat=0, cards=("8", "8")), r"Lay\(.*\) is drawn at random, and is not listed"),
        (lambda *_: None, r"no Lay is drawn at random, and \d+ are listed"),
        (lambda kind, state: (next(kind.legal(state)), state.discards.append("2"))[0], "changed the state"),
    ],
)
def test_a_kind_that_draws_what_it_does_not_list_is_named(monkeypatch, wrong, why):
    play = random_game(VERRAETER, 0, 0)  # is kept for other tests, so it is played without the fault
    monkeypatch.setattr(Lay, "legal_at_random", classmethod(lambda kind, state, _: wrong(kind, state)))
    with pytest.raises(PromiseBrokenError, match=why):
        a_move_drawn_at_random_is_a_listed_one(play)


@cases("fact", FACTS, ids=_name)
def test_every_ruleset_is_whole(ruleset: Ruleset, fact: Fact):
    assert list(fact(ruleset)) == []


@cache
def _typed(ruleset: Ruleset) -> tuple[list[State], list[str]]:
    """The states of a game, and the words that were typed in it."""
    steps = random_game(ruleset, 0, 0).steps
    return [step.before for step in steps], sorted(
        {word for step in steps for word in step.before.notation(step.move).split()}
    )


@given(data=st.data())
@pytest.mark.slow
def test_any_text_is_read_as_a_valid_move_or_refused_with_a_place(ruleset, data):
    states, words = _typed(ruleset)
    state = states[data.draw(st.integers(0, len(states) - 1))]
    signs = st.text(alphabet=sorted({*"".join(words), *" ?-+/():;=#!xd019"}), max_size=20)
    text = data.draw(st.lists(st.sampled_from(words) | signs, max_size=7).map(" ".join))
    _read(ruleset, state, text)


def _read(ruleset: Ruleset, state: State, text: str) -> Any:
    """The move that a text says, which has its type and is written and read back; None if it says none, and a place."""
    move, place = None, 0
    try:
        move = state.parse(text)
    except NotationError as error:
        place = error.at
    else:
        assert ruleset.read_move(msgspec.json.encode(move)) == move
        assert state.parse(state.notation(move)) == move
    assert 0 <= place <= len(text)
    return move


@pytest.mark.parametrize("seed", soak_except(range(2), 0))
def test_every_move_read_from_notation_has_its_type_and_can_be_or_changes_nothing(ruleset, seed):
    """Lines of legal moves and of any others, with lists too long and with words gone wrong."""
    chance, table = random.Random(f"{ruleset.name} {seed}"), _lines(ruleset)
    others, read = [line for _, lines in table for line in lines[:3]], 0
    for state, lines in table:
        for _ in range(24):
            longer = any_move(ruleset, ruleset.seats.start, chance, beyond=chance.choice((0, 2, 40)))
            text = chance.choice((chance.choice(lines), state.notation(longer)))
            if chance.random() < 0.5:
                text = garbled(text, others, chance)
            if move := _read(ruleset, state, text):
                read += 1
                _carried_out_or_left_alone(ruleset, state, move)
    assert read > 50


@pytest.mark.parametrize("seed", soak_except(range(2), 0))
@pytest.mark.slow
def test_every_move_that_its_type_allows_can_be_or_changes_nothing(ruleset, seed):
    chance = random.Random(f"any {ruleset.name} {seed}")
    for state, _ in _lines(ruleset):
        for _ in range(24):
            move = any_move(ruleset, ruleset.seats.start, chance)
            if _is_of_its_type(ruleset, move):
                _carried_out_or_left_alone(ruleset, state, move)


def _is_of_its_type(ruleset: Ruleset, move: Any) -> bool:
    """Words may have a pattern of their own, which those made up do not fit."""
    try:
        return bool(ruleset.read_move(msgspec.json.encode(move)) == move)
    except BadMoveError:
        return False


@cache
def _lines(ruleset: Ruleset) -> list[tuple[State, list[str]]]:
    """Some states of a game, and how the legal moves there are typed."""
    states = [step.before for step in random_game(ruleset, 0, 0).steps]
    some = states[:: len(states) // 24 or 1]
    return [(state, [state.notation(move) for move in state.legal_moves()]) for state in some]


def _carried_out_or_left_alone(ruleset: Ruleset, before: State, move: Any) -> None:
    state = before.copy()
    rules = [breach.rule for breach in state.breaches(move)]
    assert state == before
    try:
        effects = state.apply(move, before.version + 1)
    except ImpossibleError as error:
        assert state == before
        rules += [error.rule] if error.rule else []
    else:
        rules += [effect.rule for effect in effects]
        assert ruleset.state.load(state.dump()) == state
        assert state.describe()
        list(islice(state.legal_moves(), 1))
    assert set(rules) <= set(ruleset.rulebook)


@pytest.mark.slow
def test_a_copy_shares_nothing_that_a_move_or_a_ruling_changes(ruleset):
    """Every list, dictionary and changeable struct is another one in the copy. Further games have rarer structs."""
    changeable = {form for form in _structs(msgspec.inspect.type_info(ruleset.state)) if not _frozen(form)}
    missing = changeable - UNUSED.get(ruleset.name, set())
    for a_play in _some_plays(ruleset):
        missing -= _changed_alone(a_play)
    for a_play in _some_plays(ruleset, turned=True):
        if not missing:
            break
        missing -= _changed_alone(a_play)
    assert not missing


def _changed_alone(a_play: Play) -> set[type]:
    """The types of all that can be changed in some states of a game, whose copies have another one of each."""
    forms: set[type] = set()
    for step in a_play.steps[:: len(a_play.steps) // 20 or 1]:
        parts = {id(part): part for _, part in _changeable(step.after)}
        assert not [field for field, part in _changeable(step.after.copy()) if id(part) in parts]
        forms |= set(map(type, parts.values()))
    return forms


@pytest.mark.slow
def test_a_state_stays_as_it_was_while_its_copy_is_played_to_the_end(ruleset):
    for a_play in _some_plays(ruleset):
        steps = a_play.steps
        states = [step.before.copy() for step in steps[:: len(steps) // 4 or 1]]
        kept = [state.dump() for state in states]
        for start, state in zip(range(0, len(steps), len(steps) // 4 or 1), states, strict=True):
            copied = state.copy()
            for step in steps[start:]:
                execute(copied, step.move, step.after.version)
            assert copied == steps[-1].after
        assert [state.dump() for state in states] == kept


def _some_plays(ruleset: Ruleset, *, turned: bool = False) -> Iterator[Play]:
    """The games that were played for the promises, in every setting. Turned, those without rulings have some."""
    ways = (random_game_with_rulings, random_game) if turned else (random_game, random_game_with_rulings)
    for way, part in zip(ways, (WITHOUT_RULINGS, WITH_RULINGS), strict=True):
        for setting, seed in games_of(ruleset)[part]:
            yield way(ruleset, setting, seed)


UNUSED = {"manapani": {ShuffleKnowledge}, "verraeter": {ShuffleKnowledge}, "catan_cards": {Piles}}
"""What a state has from its base, and its game never fills."""


def _frozen(form: type[msgspec.Struct]) -> bool:
    return form.__struct_config__.frozen


def _structs(info: Any) -> set[Any]:
    """Every class of structs that a type is made of."""
    if isinstance(info, msgspec.inspect.StructType):
        inner = [field.type for field in info.fields]
        return {info.cls}.union(*map(_structs, inner))
    parts = [getattr(info, name, ()) for name in ("types", "item_types")]
    parts += [[getattr(info, name)] for name in ("type", "item_type", "key_type", "value_type") if hasattr(info, name)]
    return set().union(*(_structs(part) for some in parts for part in some))


def _changeable(value: Any, field: str = "") -> Iterator[tuple[str, Any]]:
    """The parts of a value that can be changed, each by the name of the state's field. Frozen structs cannot be."""
    if isinstance(value, msgspec.Struct):
        if not _frozen(type(value)):
            yield field, value
            for name in value.__struct_fields__:
                yield from _changeable(getattr(value, name), field or name)
    elif isinstance(value, (list, dict, set, tuple)):
        if not isinstance(value, tuple):
            yield field, value
        for part in value.values() if isinstance(value, dict) else value:
            yield from _changeable(part, field)


@pytest.mark.slow
def test_every_adjustment_is_made_in_some_random_game(ruleset):
    missing = set(ruleset.adjustments)
    for seed, setting in product(range(3), range(len(option_settings(ruleset)))):
        made = {type(step.move) for step in random_game_with_rulings(ruleset, setting, seed).steps}
        assert {form for form in made if issubclass(form, Adjustment)} <= set(ruleset.adjustments)
        missing -= made
        if not missing:
            return
    assert not missing


@cases(
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
    assert {"version", "round", "ending", "resigned"} <= set(state.__struct_fields__)
    assert state.seats == ruleset.seats.start
    assert len({state.seat_name(seat) for seat in range(state.seats)}) == state.seats
    assert re.fullmatch(r"[a-z_]+", ruleset.name)


def test_a_game_is_asked_of_its_state_and_its_ruleset_keeps_facts(ruleset):
    asked = {name for name, value in vars(State).items() if callable(value) and not name.startswith("_")}
    assert {"apply", "breaches", "copy", "legal_moves", "outcome", "scores", "view"} <= asked
    assert asked & set(dir(ruleset)) == {"describe", "parse", "sketch", "tables"}  # what the state answers these with
    assert all(type(state).ruleset is ruleset for state in _typed(ruleset)[0])


def test_a_move_and_a_ruling_are_the_next_entry_if_no_other_is_said(ruleset):
    state = ruleset.open({}, None, ruleset.seats.start)
    move, twin = state.sample_chance(next(state.legal_moves()), random.Random(1)), state.copy()
    state.apply(move)
    twin.apply(move, 1)
    assert (state, state.version) == (twin, 1)
    points = adjustments.Points(seat=0, points=1)
    state.adjust([points, points])
    twin.adjust([points, points], 2)
    assert (state, state.version) == (twin, 2)
    for wrong in ([adjustments.Points(seat=19, points=1)], [adjustments.Resign(seat=19)]):
        with pytest.raises(ImpossibleError):
            state.adjust(wrong, 9)
        assert state == twin


@pytest.mark.parametrize(
    ("seats", "players"),
    [(range(2, 3), "two"), (range(3, 5), "three or four"), (range(2, 5), "two to four"), (range(1, 21), "1 to 20")],
)
def test_how_many_can_play_is_told_in_words(seats, players):
    assert numbers(seats) == players


def test_a_number_of_seats_that_cannot_be_is_refused_in_the_same_words(ruleset):
    with pytest.raises(BadOpeningError) as error:
        ruleset.open({}, None, 99)
    assert error.value.why == f"{ruleset.name} is for {numbers(ruleset.seats)} players, not 99"


def test_a_choice_that_an_option_does_not_have_is_refused_with_the_first_few_that_it_has(ruleset):
    for option in ruleset.options:
        with pytest.raises(BadOpeningError) as error:
            ruleset.open({option.name: "no such choice"}, None, ruleset.seats[0])
        assert "'no such choice' is not one of " in error.value.why
        assert error.value.why.count(", ") < 30


def test_after_the_end_a_move_is_told_so_with_its_rule_or_cannot_be_or_only_shows_cards(ruleset):
    end = random_game(ruleset, 0, 0).steps[-1].after
    over = end.game_over_breach()
    assert over
    chance, found = random.Random(ruleset.name), set()
    for _ in range(600):
        move = any_move(ruleset, ruleset.seats.start, chance)
        if over.rule not in {breach.rule for breach in end.breaches(move)}:
            state = end.copy()
            with suppress(ImpossibleError):
                state.apply(move)
                found.add(move.__struct_config__.tag)
                assert (state.scores(), state.outcome()) == (end.scores(), end.outcome())
    assert found <= {"show", "hold", "row"}
