"""Recorded games fold as they always did."""

from __future__ import annotations

import pytest

from games import transcript
from tests import goldens

NAMES = {f"{path.parent.name}/{path.stem}": path for path in goldens.recorded()}


@pytest.fixture(params=NAMES.values(), ids=NAMES)
def path(request):
    return request.param


def test_a_recorded_game_folds_as_expected(path):
    expected = path.with_suffix(".ndjson").read_text(encoding="utf-8").splitlines()
    for number, (found, line) in enumerate(zip(goldens.playthrough(path), expected, strict=True), 1):
        assert found == line, f"line {number}"


def test_a_recorded_game_is_in_canonical_form(path):
    ruleset, recording = goldens.ruleset_of(path), goldens.game(path)
    steps = list(transcript.replay(ruleset, recording))
    entries = transcript.transcribe(ruleset, transcript.opening(ruleset, recording), steps)
    assert [entry.text for entry in entries] == [entry.text for entry in recording.entries]
    assert transcript.write(recording) == path.read_text(encoding="utf-8")


def test_an_override_stands_only_where_a_rule_is_broken(path):
    for step in transcript.replay(goldens.ruleset_of(path), goldens.game(path)):
        assert bool(step.broken) == (step.reason is not None and not step.entry.ruling)


def test_the_headers_of_a_recorded_game_say_how_it_ended(path):
    ruleset, recording = goldens.ruleset_of(path), goldens.game(path)
    *_, last = transcript.replay(ruleset, recording)
    outcome = last.state.outcome()
    assert recording.tags["Result"] == transcript.result(ruleset, outcome)
    assert recording.tags["Termination"] == outcome.reason


def test_every_choice_of_every_option_is_recorded(ruleset):
    recorded = set()
    for recording in goldens.games(ruleset).values():
        recorded |= set(ruleset.check_options(transcript.opening(ruleset, recording).options).items())
    choices = {option.name: ruleset.examined.get(option.name, option.choices) for option in ruleset.options}
    assert recorded >= {(name, choice) for name, values in choices.items() for choice in values}


def test_every_kind_of_adjustment_is_recorded(ruleset):
    recorded = set()
    for recording in goldens.games(ruleset).values():
        if any(entry.ruling for entry in recording.entries):
            for step in transcript.replay(ruleset, recording):
                recorded |= set(map(type, step.adjustments))
    assert recorded == set(ruleset.adjustments)


def test_every_way_to_end_is_recorded(ruleset):
    recorded = {recording.tags["Termination"] for recording in goldens.games(ruleset).values()}
    assert recorded >= set(ruleset.endings)
