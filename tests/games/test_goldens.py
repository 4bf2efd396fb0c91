"""Recorded games fold as they always did."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

import pytest

from games import transcript
from games.contract import PUBLIC, Viewpoint
from games.examination.goldens import SCORE, Golden, wrong_results
from games.rulesets import SHIPPED
from tests import goldens
from tests.cases import cases

if TYPE_CHECKING:
    from pathlib import Path

    from games.transcript import Replayed

NAMES = {f"{path.parent.name}/{path.stem}": path for path in goldens.recorded()}

EACH = cases("path", NAMES.values(), ids=list(NAMES))


@cache
def replayed(path: Path) -> list[Replayed]:
    """The steps of a recorded game. All of them have the state of its end."""
    return list(transcript.replay(goldens.ruleset_of(path), goldens.game(path)))


@EACH
def test_a_recorded_game_folds_as_expected(path):
    expected = path.with_suffix(".ndjson").read_text(encoding="utf-8").splitlines()
    for number, (found, line) in enumerate(zip(goldens.playthrough(path), expected, strict=True), 1):
        assert found == line, f"line {number}"


@EACH
def test_a_recorded_game_is_in_canonical_form(path):
    ruleset, recording = goldens.ruleset_of(path), goldens.game(path)
    entries = transcript.transcribe(ruleset, transcript.opening(ruleset, recording), replayed(path))
    assert [entry.text for entry in entries] == [entry.text for entry in recording.entries]
    assert transcript.write(recording) == path.read_text(encoding="utf-8")


@EACH
def test_an_override_stands_only_where_a_rule_is_broken(path):
    for step in replayed(path):
        assert bool(step.broken) == (step.reason is not None and not step.entry.ruling)


@EACH
def test_the_headers_of_a_recorded_game_say_how_it_ended_as_every_seat_and_the_public_know(path):
    ruleset, recording = goldens.ruleset_of(path), goldens.game(path)
    *_, last = replayed(path)
    outcome = last.state.outcome()
    assert recording.tags["Result"] == transcript.result(ruleset, outcome)
    assert recording.tags["Termination"] == outcome.reason
    for viewpoint in (PUBLIC, *(Viewpoint("seat", seat) for seat in range(last.state.seats))):
        assert last.state.view(viewpoint).outcome() == outcome, viewpoint.name


def test_a_recorded_game_has_the_score_that_it_states(ruleset):
    assert list(wrong_results(ruleset, goldens.recorded_games(ruleset))) == []


def test_three_recorded_games_of_every_ruleset_state_their_score(ruleset):
    assert sum(SCORE in recording.tags for recording in goldens.games(ruleset).values()) >= 3


def test_a_wrong_point_is_named_with_its_place_and_its_audit():
    text = (goldens.FOLDER / "kahuna" / "points.txt").read_text(encoding="utf-8")
    (stated,) = re.findall(r'\[Score "(.*)"\]', text)
    wrong = text.replace(stated, f"9{stated}")
    (why,) = wrong_results(SHIPPED["kahuna"], [Golden("points", wrong)])
    assert re.fullmatch(
        rf'points\.txt, line \d+: \[Score "9{stated}"\] is stated, and the rules make {stated}: '
        r"Black has \d+, not 9\d+: \d+ .*\(entry \d+, kahuna:[A-Z]+-\d\)",
        why,
    )


@pytest.mark.slow
def test_every_rule_is_reached_by_a_recorded_game_or_named_as_not_reached():
    """After a change of rules or games, `python -m tests.goldens` names them anew."""
    assert goldens.NOT_REACHED.read_text(encoding="utf-8") == goldens.not_reached()


def test_every_choice_of_every_option_is_recorded(ruleset):
    recorded = set()
    for recording in goldens.games(ruleset).values():
        recorded |= set(ruleset.check_options(transcript.opening(ruleset, recording).options).items())
    choices = {option.name: ruleset.examined_choices.get(option.name, option.choices) for option in ruleset.options}
    assert recorded >= {(name, choice) for name, values in choices.items() for choice in values}


def test_every_kind_of_adjustment_is_recorded(ruleset):
    recorded = set()
    for path in NAMES.values():
        if goldens.ruleset_of(path) is ruleset and any(entry.ruling for entry in goldens.game(path).entries):
            recorded |= {type(change) for step in replayed(path) for change in step.adjustments}
    assert recorded == set(ruleset.adjustments)


def test_every_way_to_end_is_recorded(ruleset):
    recorded = {recording.tags["Termination"] for recording in goldens.games(ruleset).values()}
    assert recorded >= set(ruleset.endings)
