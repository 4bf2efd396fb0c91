"""What newer rules say otherwise of recorded games is told, and nothing is changed by it."""

from __future__ import annotations

import json
import random

import msgspec
import pytest
from msgspec.structs import replace
from uuid_utils import uuid7

from events.event import NewEvent
from games.playout import playout
from games.rulesets import RULESETS
from projections.archive import Archive, ReadingArchive
from projections.audit import audit
from workers.results import Results

KAHUNA = RULESETS["kahuna"]
OLDER = KAHUNA.revision - 1


def event(kind: str, **data) -> NewEvent:
    return NewEvent(id=str(uuid7()), type=kind, data=data)


@pytest.fixture
def game(kifu) -> str:
    """A whole game that was opened by older rules."""
    found = str(uuid7())
    events = [event("game.opened", ruleset="kahuna", revision=OLDER, seats=[{}, {}])]
    for move, _ in playout(KAHUNA.open({}, None, 2), random.Random(4)):
        events.append(event("move.made", move=msgspec.json.decode(msgspec.json.encode(move))))
    with Archive(kifu.data) as archive:
        archive.log.append(found, events, expected=0, recorder="tester")
    return found


def snapshot(kifu, game: str, **changed):
    """A snapshot of a game as older rules are said to have made it; what they are to say otherwise is `changed`."""
    with ReadingArchive(kifu.data) as archive:
        made = audit(archive.folds.current(game))
    results = Results(kifu.data)
    results.keep_snapshot(replace(made, revision=OLDER, **changed))
    results.close()
    return made


def test_what_newer_rules_say_otherwise_is_told_by_entry_and_score_and_changes_nothing(kifu, game):
    made = snapshot(kifu, game)
    line, *rest = made.lines
    results = Results(kifu.data)
    results.change("delete from result", [])
    results.close()
    snapshot(kifu, game, lines=rest, scores=[9, 9], irregular={3: ("kahuna:SET-2",)}, outcome=None)
    before = (kifu.data / "kifu.db").read_bytes()
    told = kifu("revisions")
    assert f"{game} at version {made.version} (kahuna, revision {OLDER} and now {KAHUNA.revision})" in told
    assert f"Scores: 9:9, and now {':'.join(map(str, made.scores))}" in told
    assert f"Entries: {', '.join(map(str, sorted({3, line.version})))}" in told
    assert f"End: not ended, and now {made.outcome.reason}" in told
    assert f"Changed: {KAHUNA.changes[-1][:20]}" in told
    assert "1 game opened by older rules, 1 said otherwise now." in told
    assert (kifu.data / "kifu.db").read_bytes() == before
    (found,) = json.loads(kifu("revisions", "--json"))
    assert (found["game"], found["entries"]) == (game, sorted({3, line.version}))


def test_a_game_of_which_newer_rules_say_the_same_does_not_differ(kifu, game):
    snapshot(kifu, game)
    told = kifu("revisions")
    assert "1 game opened by older rules, 0 said otherwise now." in told
    assert game not in told


def test_what_older_rules_said_is_not_guessed_at(kifu, game):
    assert "Of 1 no snapshot by older rules is kept: what they said is not known." in kifu("revisions")
    assert not (kifu.data / "work.db").exists()


def test_games_of_the_rules_that_are_here_are_left_out(kifu):
    kifu.play()
    assert "0 games opened by older rules" in kifu("revisions")
