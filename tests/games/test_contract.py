"""What every ruleset promises, shown on games played at random."""

from __future__ import annotations

import random
import re
from functools import cache
from importlib.resources import files
from itertools import islice
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from games import adjustments
from games.contract import PUBLIC, RECORD, Adjustment, Viewpoint, choice_texts
from games.errors import BadMoveError, BadOpeningError, ImpossibleError, NotationError
from games.rulebook import ID
from tests.games.conftest import GAMES, carry_out, played, ruled
from tests.games.replaying import assert_replayed_as_judged
from tests.games.schemas import any_move, garbled
from tests.games.settings import settings

if TYPE_CHECKING:
    from collections.abc import Iterator

    from games.contract import Effect, Ruleset, State
    from tests.games.conftest import Play

VIEWPOINTS = [PUBLIC, Viewpoint("seat", 0), Viewpoint("seat", 1)]


def test_legal_play_breaks_no_rule_and_comes_to_a_known_end(play):
    ruleset = play.ruleset
    for step in play.steps:
        assert list(ruleset.breaches(step.before, step.move)) == []
        assert ruleset.outcome(step.before) is None
    outcome = ruleset.outcome(play.steps[-1].after)
    assert outcome.reason in ruleset.endings
    assert outcome.rule in ruleset.rulebook
    assert len(outcome.ranks) == play.seats
    assert {seat for seat, rank in enumerate(outcome.ranks) if rank == 1} == set(outcome.winners)


def test_every_legal_move_can_be_made_and_none_changes_the_state_by_being_asked_for(play):
    ruleset, chance = play.ruleset, random.Random(1)
    for step in play.steps[:: len(play.steps) // 12 or 1]:
        untouched = ruleset.copy(step.before)
        for move in ruleset.legal_moves(step.before):
            assert list(ruleset.breaches(step.before, move)) == []
            ruleset.apply(ruleset.copy(step.before), move)
            ruleset.apply(ruleset.copy(step.before), ruleset.fill_in(step.before, move, chance))
        assert step.before == untouched


def test_states_replayed_copied_and_loaded_are_the_same(play):
    ruleset = play.ruleset
    final = play.fold([step.move for step in play.steps])
    assert final == play.steps[-1].after
    for step in play.steps[::7]:
        loaded = ruleset.load(msgspec.json.decode(msgspec.json.encode(ruleset.dump(step.before))))
        assert loaded == step.before
        ruleset.apply(loaded, step.move)
        loaded.version = step.after.version
        assert ruleset.describe(loaded) == ruleset.describe(step.after)


def test_a_game_taken_up_from_a_dump_goes_on_as_it_went(play):
    ruleset, half = play.ruleset, len(play.steps) // 2
    state = ruleset.load(ruleset.dump(play.steps[half].before))
    for step in play.steps[half:]:
        state.version += 1
        assert ruleset.apply(state, step.move) == step.effects
    assert state == play.steps[-1].after


def test_a_replayed_move_does_what_a_judged_and_applied_one_does(play):
    """At every state, for the move that was made there and for others, which often fit no more."""
    chance = random.Random(2)
    for step in play.steps:
        for move in (step.move, chance.choice(play.steps).move):
            assert_replayed_as_judged(play.ruleset, step.before, move)


def test_moves_survive_json(play):
    for step in play.steps:
        assert play.ruleset.read_move(msgspec.json.encode(step.move)) == step.move
        assert play.ruleset.read_move(play.ruleset.move_data(step.move)) == step.move


def test_what_is_written_in_notation_is_read_back(play):
    ruleset = play.ruleset
    for step in play.steps:
        text = ruleset.notation(step.before, step.move)
        assert ruleset.parse(step.before, text) == step.move
        assert not set("!;\n") & set(text)
        assert not text.startswith(("[", "*"))
    for step in play.steps[:: len(play.steps) // 12 or 1]:
        for move in ruleset.legal_moves(step.before):
            assert ruleset.parse(step.before, ruleset.notation(step.before, move)) == move


def test_full_width_letters_and_signs_are_read_as_the_common_ones(play):
    for step in play.steps[::5]:
        assert play.ruleset.parse(step.before, _wide(play.ruleset.notation(step.before, step.move))) == step.move


def _wide(text: str) -> str:
    return "".join(chr(ord(sign) + 0xFEE0) if "!" <= sign <= "~" else sign.replace(" ", "\u3000") for sign in text)


@cache
def _typed(name: str) -> tuple[list[State], list[str]]:
    """The states of a game, and the words that were typed in it."""
    any_play = played(name, 0, 0)
    lines = [any_play.ruleset.notation(step.before, step.move) for step in any_play.steps]
    return [step.before for step in any_play.steps], sorted({word for line in lines for word in line.split()})


@given(data=st.data())
def test_any_text_is_read_as_a_valid_move_or_refused_with_a_place(ruleset, data):
    states, words = _typed(ruleset.name)
    state = states[data.draw(st.integers(0, len(states) - 1))]
    signs = st.text(alphabet=sorted({*"".join(words), *" ?-+/():;=#!xd019"}), max_size=20)
    text = data.draw(st.lists(st.sampled_from(words) | signs, max_size=7).map(" ".join))
    _read(ruleset, state, text)


def _read(ruleset: Ruleset[Any, Any], state: State, text: str) -> Any:
    """The move that a text says, which has its type and is written and read back; None if it says none, and a place."""
    move, place = None, 0
    try:
        move = ruleset.parse(state, text)
    except NotationError as error:
        place = error.at
    else:
        assert ruleset.read_move(msgspec.json.encode(move)) == move
        assert ruleset.parse(state, ruleset.notation(state, move)) == move
    assert 0 <= place <= len(text)
    return move


@pytest.mark.parametrize("seed", range(2))
def test_whatever_is_read_from_notation_is_a_move_of_its_type_and_can_be_or_changes_nothing(ruleset, seed):
    """Lines of legal moves and of any others, with lists too long and with words gone wrong."""
    chance, table = random.Random(f"{ruleset.name} {seed}"), _lines(ruleset.name)
    others, read = [line for _, lines in table for line in lines[:3]], 0
    for state, lines in table:
        for _ in range(24):
            longer = any_move(ruleset, ruleset.seats.start, chance, beyond=chance.choice((0, 2, 40)))
            text = chance.choice((chance.choice(lines), ruleset.notation(state, longer)))
            if chance.random() < 0.5:
                text = garbled(text, others, chance)
            if move := _read(ruleset, state, text):
                read += 1
                _carried_out_or_left_alone(ruleset, state, move)
    assert read > 50


@pytest.mark.parametrize("seed", range(2))
def test_whatever_the_type_of_a_move_allows_can_be_or_changes_nothing(ruleset, seed):
    chance = random.Random(f"any {ruleset.name} {seed}")
    for state, _ in _lines(ruleset.name):
        for _ in range(24):
            move = any_move(ruleset, ruleset.seats.start, chance)
            if _is_of_its_type(ruleset, move):
                _carried_out_or_left_alone(ruleset, state, move)


def _is_of_its_type(ruleset: Ruleset[Any, Any], move: Any) -> bool:
    """Words may have a pattern of their own, which those made up do not fit."""
    try:
        return bool(ruleset.read_move(msgspec.json.encode(move)) == move)
    except BadMoveError:
        return False


@cache
def _lines(name: str) -> list[tuple[State, list[str]]]:
    """Some states of a game, and how the legal moves there are typed."""
    any_play = played(name, 0, 0)
    ruleset, states = any_play.ruleset, [step.before for step in any_play.steps]
    some = states[:: len(states) // 24 or 1]
    return [(state, [ruleset.notation(state, move) for move in ruleset.legal_moves(state)]) for state in some]


def _carried_out_or_left_alone(ruleset: Ruleset[Any, Any], before: State, move: Any) -> None:
    state = ruleset.copy(before)
    rules = [breach.rule for breach in ruleset.breaches(state, move)]
    assert state == before
    try:
        effects = ruleset.apply(state, move)
    except ImpossibleError as error:
        assert state == before
        rules += [error.rule] if error.rule else []
    else:
        rules += [effect.rule for effect in effects]
        assert ruleset.load(ruleset.dump(state)) == state
        assert ruleset.describe(state)
        list(islice(ruleset.legal_moves(state), 1))
    assert set(rules) <= set(ruleset.rulebook)


def test_every_score_is_the_sum_of_lines_that_cite_a_rule_and_an_entry(play):
    ruleset, before = play.ruleset, []
    for step in play.steps:
        lines = ruleset.scores(step.after)
        for line in lines:
            assert line in before or line.version == step.after.version
            assert line.rule in ruleset.rulebook
            assert line.category
        assert sum(ruleset.totals(step.after, play.seats)) == sum(line.points for line in lines)
        before = list(lines)


def test_every_effect_has_a_sentence_and_a_rule(play):
    for step in play.steps:
        for effect in step.effects:
            assert effect.rule in play.ruleset.rulebook
            assert sentence(play.ruleset, effect)


def sentence(ruleset: Ruleset[Any, Any], effect: Effect) -> str:
    seat = "" if effect.seat is None else ruleset.seat_names[effect.seat].en
    return ruleset.kinds[effect.kind].format(seat=seat, at=", ".join(effect.at), count=effect.count)


@pytest.mark.parametrize("viewpoint", VIEWPOINTS, ids=["public", "seat 0", "seat 1"])
def test_a_view_is_what_one_could_record_who_saw_only_that(play, viewpoint):
    """So nothing hidden can leak: whoever folds the moves as they looked never had it."""
    ruleset = play.ruleset
    state = ruleset.open(play.options, None, play.seats)
    for step in play.steps:
        move = ruleset.seen(step.move, viewpoint)
        assert list(ruleset.breaches(state, move)) == []
        state.version += 1
        assert ruleset.apply(state, move) == step.effects
        assert ruleset.view(step.after, viewpoint) == state
        assert ruleset.view(state, viewpoint) == state


def test_only_open_facts_are_filled_in_or_hidden(play):
    """So whatever was left open, or is hidden from others, can be told later, and nothing else."""
    ruleset, chance = play.ruleset, random.Random(0)
    for step in play.steps:
        legal = list(islice(ruleset.legal_moves(step.before), 3))
        pairs = [(move, ruleset.fill_in(step.before, move, chance)) for move in legal]
        for one, other in [*pairs, (step.move, ruleset.seen(step.move, PUBLIC))]:
            open_facts = ruleset.open_facts.get(type(one), ())
            assert type(one) is type(other)
            assert {f for f in one.__struct_fields__ if getattr(one, f) != getattr(other, f)} <= set(open_facts)


def test_the_record_sees_everything(play):
    for step in play.steps:
        assert play.ruleset.view(step.after, RECORD) == step.after
        assert play.ruleset.seen(step.move, RECORD) == step.move


def test_a_copy_is_independent(play):
    ruleset = play.ruleset
    for step in play.steps[::5]:
        kept = ruleset.dump(step.before)
        ruleset.apply(ruleset.copy(step.before), step.move)
        ruleset.apply(ruleset.view(step.before, RECORD), step.move)
        assert ruleset.dump(step.before) == kept


def test_a_copy_shares_nothing_that_a_move_or_a_ruling_changes(ruleset):
    """Every list, dictionary and changeable struct is another one in the copy, but for facts of the opening."""
    forms: set[type] = set()
    for a_play in _some_plays(ruleset):
        for step in a_play.steps[:: len(a_play.steps) // 40 or 1]:
            parts = {id(part): part for _, part in _changeable(step.after)}
            shared = {field for field, part in _changeable(ruleset.copy(step.after)) if id(part) in parts}
            assert shared <= FIXED.get(ruleset.name, set())
            forms |= set(map(type, parts.values()))
    assert {form for form in _structs(msgspec.inspect.type_info(ruleset.state)) if not _frozen(form)} <= forms


def test_a_state_stays_as_it_was_while_its_copy_is_played_to_the_end(ruleset):
    for a_play in _some_plays(ruleset):
        steps = a_play.steps
        states = [ruleset.copy(step.before) for step in steps[:: len(steps) // 4 or 1]]
        kept = [ruleset.dump(state) for state in states]
        for start, state in zip(range(0, len(steps), len(steps) // 4 or 1), states, strict=True):
            copied = ruleset.copy(state)
            for step in steps[start:]:
                copied.version = step.after.version
                carry_out(ruleset, copied, step.move)
            assert copied == steps[-1].after
        assert [ruleset.dump(state) for state in states] == kept


def _some_plays(ruleset: Ruleset[Any, Any]) -> Iterator[Play]:
    """Games without and with rulings, in every setting."""
    for setting in range(len(settings(ruleset))):
        for seed in range(max(1, GAMES // len(settings(ruleset)))):
            yield played(ruleset.name, setting, seed)
            yield ruled(ruleset.name, setting, seed)


FIXED = {"verraeter": {"given"}, "scoresheet": {"members", "side_of"}}
"""What is settled when a game is opened, by the name of the state's field."""


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


def test_a_picture_is_one_safe_document_with_words_for_those_who_cannot_see_it(play):
    for step in [play.steps[0], play.steps[len(play.steps) // 2], play.steps[-1]]:
        text = play.ruleset.picture(step.after)
        root = ET.fromstring(text)  # noqa: S314  our own text
        names = {element.tag.removeprefix("{http://www.w3.org/2000/svg}") for element in root.iter()}
        assert {"title", "desc"} <= names
        assert not names & {"script", "image", "foreignObject"}
        assert not re.search(r"https?://(?!www\.w3\.org/2000/svg)|\bon\w+=|@import|url\((?!#)", text)


def test_a_description_is_plain_json(play):
    for step in play.steps[::9]:
        description = play.ruleset.describe(step.after)
        assert msgspec.json.decode(msgspec.json.encode(description)) == description


def test_nothing_is_legal_after_the_end(play):
    final = play.steps[-1].after
    assert list(play.ruleset.legal_moves(final)) == []
    assert play.ruleset.to_move(final) is None


# Rulings


def _rulings(play):
    return [step for step in play.steps if isinstance(step.move, Adjustment)]


def test_legal_play_goes_on_to_an_end_whatever_was_ruled(ruled_play):
    ruleset = ruled_play.ruleset
    over = False
    for step in ruled_play.steps:
        if not isinstance(step.move, Adjustment):
            assert not over
            assert list(ruleset.breaches(step.before, step.move)) == []
        over = ruleset.outcome(step.after) is not None
        if over:
            assert list(ruleset.legal_moves(step.after)) == []
            assert ruleset.to_move(step.after) is None
    outcome = ruleset.outcome(ruled_play.steps[-1].after)
    assert outcome.reason in ruleset.endings
    assert outcome.rule in ruleset.rulebook
    assert {seat for seat, rank in enumerate(outcome.ranks) if rank == 1} == set(outcome.winners)


def test_states_with_rulings_replayed_copied_and_loaded_are_the_same(ruled_play):
    ruleset = ruled_play.ruleset
    state = ruleset.open(ruled_play.options, None, ruled_play.seats)
    for step in ruled_play.steps:
        state.version = step.after.version
        assert carry_out(ruleset, state, step.move) == step.effects
        assert state == step.after
    for step in _rulings(ruled_play):
        kept = ruleset.dump(step.before)
        loaded = ruleset.load(msgspec.json.decode(msgspec.json.encode(kept)))
        loaded.version = step.after.version
        ruleset.adjust(loaded, step.move)
        assert loaded == step.after
        ruleset.adjust(ruleset.copy(step.before), step.move)
        ruleset.adjust(ruleset.view(step.before, RECORD), step.move)
        assert ruleset.dump(step.before) == kept


@pytest.mark.parametrize("viewpoint", VIEWPOINTS, ids=["public", "seat 0", "seat 1"])
def test_a_view_of_a_ruled_game_is_what_one_could_record_who_saw_only_that(ruled_play, viewpoint):
    ruleset = ruled_play.ruleset
    state = ruleset.open(ruled_play.options, None, ruled_play.seats)
    for step in ruled_play.steps:
        seen = ruleset.seen_adjustment if isinstance(step.move, Adjustment) else ruleset.seen
        state.version = step.after.version
        assert carry_out(ruleset, state, seen(step.move, viewpoint)) == step.effects
        assert ruleset.view(step.after, viewpoint) == state
        assert seen(step.move, RECORD) == step.move


def test_scores_and_effects_of_rulings_cite_rules_and_entries(ruled_play):
    ruleset = ruled_play.ruleset
    for step in ruled_play.steps:
        lines = ruleset.scores(step.after)
        assert all(line.rule in ruleset.rulebook and line.version <= step.after.version for line in lines)
        assert sum(ruleset.totals(step.after, ruled_play.seats)) == sum(line.points for line in lines)
        for effect in step.effects:
            assert effect.rule in ruleset.rulebook
            assert sentence(ruleset, effect)


def test_points_that_were_given_are_lines_of_the_audit(ruled_play):
    ruleset = ruled_play.ruleset
    for step in _rulings(ruled_play):
        if isinstance(step.move, adjustments.Points):
            (line,) = [
                line
                for line in ruleset.scores(step.after)
                if line.category == "ruling" and (line.version, line.seat) == (step.after.version, step.move.seat)
            ]
            assert (line.points, line.rule) == (step.move.points, f"{ruleset.name}:RULING")


def test_adjustments_are_read_back_from_json_and_from_notation(ruled_play):
    ruleset = ruled_play.ruleset
    given = [step.move for step in _rulings(ruled_play)]
    for adjustment in given:
        assert ruleset.read_adjustment(msgspec.to_builtins(adjustment)) == adjustment
        text = adjustments.write(ruleset, adjustment)
        assert adjustments.parse(ruleset, text) == adjustment
        assert not set("!;\n") & set(text)
    assert adjustments.parse_all(ruleset, adjustments.write_all(ruleset, given)) == tuple(given)


def test_pictures_and_descriptions_stand_every_ruling(ruled_play):
    ruleset = ruled_play.ruleset
    for step in _rulings(ruled_play)[-8:]:
        assert ET.fromstring(ruleset.picture(step.after)) is not None  # noqa: S314  our own text
        assert ruleset.sketch(step.after)
        description = ruleset.describe(step.after)
        assert msgspec.json.decode(msgspec.json.encode(description)) == description


def test_every_adjustment_is_made_in_some_random_game_and_named_in_the_rulebook(ruleset):
    made = set()
    for setting in range(len(settings(ruleset))):
        for seed in range(3):
            made |= {type(step.move) for step in _rulings(ruled(ruleset.name, setting, seed))}
    assert made == set(ruleset.adjustments)
    text = ruleset.rulebook[f"{ruleset.name}:RULING"].text
    for form in ruleset.adjustments:
        assert f"`{form.__struct_config__.tag}`" in text
    for option in ruleset.options:
        assert option.switchable == (adjustments.Switch in made and f"`{option.name}`" in text)


def test_a_seat_or_a_rank_too_much_cannot_be_ruled(ruleset):
    state = ruleset.open({}, None, ruleset.seats.start)
    for form in (
        adjustments.Resign(seat=19),
        adjustments.Adjudge(ranks=(1,) * 20),
        adjustments.Points(seat=19, points=1),
    ):
        before = ruleset.copy(state)
        with pytest.raises(ImpossibleError) as error:
            ruleset.adjust(state, form)
        assert error.value.rule == f"{ruleset.name}:RULING"
        assert state == before


@pytest.mark.parametrize(
    "text", ["+", "points", "points seat=1 points=1 seat=1", "no such", "points seat=1 points=x", '"', "=", "\ud800"]
)
def test_what_is_no_ruling_is_refused_with_a_place(ruleset, text):
    with pytest.raises(NotationError) as error:
        adjustments.parse_all(ruleset, text)
    assert 0 <= error.value.at <= len(text)


# The ruleset itself


def test_the_json_schema_of_the_moves_can_be_generated(ruleset):
    schema = msgspec.json.schema(ruleset.moves)
    assert schema["anyOf"]


def test_rule_ids_in_code_and_rulebook_are_the_same(ruleset):
    folder = files("games") / ruleset.name
    rule = rf"{ruleset.name}:(?:{ID})"
    cited = set()
    for file in folder.iterdir():
        if file.name.endswith(".py"):
            cited |= set(re.findall(rule, file.read_text(encoding="utf-8")))
    assert cited == set(ruleset.rulebook)


def test_every_rule_has_titles_and_a_text(ruleset):
    for rule in ruleset.rulebook.values():
        assert rule.en
        assert rule.ja
        assert len(rule.text) > 20


def test_rules_that_a_text_refers_to_exist(ruleset):
    for rule in ruleset.rulebook.values():
        for name in re.findall(r"\b[A-Z]{2,}-[0-9]+\b", rule.text):
            assert f"{ruleset.name}:{name}" in ruleset.rulebook


def test_options_name_rules_that_exist(ruleset):
    for option in ruleset.options:
        assert option.default in option.choices
        assert option.title.en
        assert option.title.ja
        assert {*option.adds, *option.replaces} <= set(ruleset.rulebook)


def test_every_revision_says_what_changed(ruleset):
    assert len(ruleset.changes) == ruleset.revision


def test_every_kind_of_effect_is_a_noun_and_a_participle(ruleset):
    for kind in ruleset.kinds:
        assert re.fullmatch(r"[a-z_]+\.[a-z]+", kind)


def test_kinds_of_effects_in_code_and_table_are_the_same(ruleset):
    folder = files("games") / ruleset.name
    used = set()
    for file in folder.iterdir():
        if file.name.endswith(".py"):
            used |= set(re.findall(r'Effect\(\s*"([a-z_.]+)"', file.read_text(encoding="utf-8")))
    assert used | set(adjustments.kinds_of(ruleset.adjustments)) == set(ruleset.kinds)


@pytest.mark.parametrize(
    ("options", "components", "seats", "field"),
    [
        ({"no_such_option": True}, None, None, "options.no_such_option"),
        ({}, None, 0, "seats"),
        ({}, None, 99, "seats"),
        ({}, {"no": "such component"}, None, "components"),
    ],
)
def test_a_bad_opening_names_the_field(ruleset, options, components, seats, field):
    with pytest.raises(BadOpeningError) as error:
        ruleset.open(options, components, ruleset.seats.start if seats is None else seats)
    assert error.value.field.removesuffix(".no") == field  # some say which component, too


def test_an_option_takes_only_its_choices(ruleset):
    for option in ruleset.options:
        for value in ("no such choice", 99, 1.0 if True in option.choices else None):
            with pytest.raises(BadOpeningError) as error:
                ruleset.open({option.name: value}, None, ruleset.seats.start)
            assert error.value.field == f"options.{option.name}"


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


@pytest.mark.parametrize(
    "data",
    [b"", b"[]", b"null", b"{}", b'{"type": "no such move"}', b'{"type": 3}', b"{", b'{"type": NaN}', b"\xff"],
)
def test_what_is_no_move_is_refused(ruleset, data):
    with pytest.raises(BadMoveError):
        ruleset.read_move(data)


def test_a_field_too_much_is_named(ruleset, any_play):
    for step in any_play.steps:
        with pytest.raises(BadMoveError) as error:
            ruleset.read_move(ruleset.move_data(step.move) | {"no_such_field": "red"})
        assert error.value.path == "no_such_field"


@pytest.mark.parametrize("text", ["", " ", "\x00", "???", "%", "seat: seat: seat", "\ud800", "٣", "𐩀: 1", "-" * 5000])
def test_what_is_no_notation_is_refused_with_a_place(ruleset, any_play, text):
    with pytest.raises(NotationError) as error:
        ruleset.parse(any_play.steps[len(any_play.steps) // 2].before, text)
    assert 0 <= error.value.at <= len(text)
