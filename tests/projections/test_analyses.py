"""Analyses of games: what the course of a game tells."""

from __future__ import annotations

import random
from itertools import islice
from typing import TYPE_CHECKING, Any

import pytest
from uuid_utils import uuid7

from events.event import NewEvent
from games.contract import PUBLIC, RECORD
from games.playout import playout
from games.rulesets import SHIPPED
from projections.analyses.course import course_of
from projections.analyses.pace import GameTimeline, timeline

if TYPE_CHECKING:
    from projections.archive import Archive


class Table:
    """A score sheet for two, on which rounds are written down."""

    def __init__(self, archive: Archive, *, wins: str = "highest") -> None:
        self.archive, self.game, self.version = archive, str(uuid7()), 0
        sheet = {"name": "Game", "wins": wins, "columns": [{"id": "points", "per": "round"}]}
        self.add("game.opened", ruleset="scoresheet", revision=1, seats=[{}, {}], components=sheet)

    def add(self, kind: str, at: str | None = None, **data: Any) -> int:
        event = NewEvent(id=self.game if not self.version else str(uuid7()), type=kind, data=data, happened_at=at)
        self.archive.log.append(self.game, [event], expected=self.version, recorder="tests")
        self.version += 1
        return self.version

    def write(self, *points: int, at: str | None = None, **more: Any) -> int:
        """Write down a round."""
        number = self.archive.folds.current(self.game).state.round + 1
        return self.move(f"r{number} {' '.join(map(str, points))}", at, **more)

    def move(self, text: str, at: str | None = None, **more: Any) -> int:
        state = self.archive.folds.current(self.game).state
        return self.add("move.made", at, move=state.ruleset.move_data(state.parse(text)), **more)

    @property
    def timeline(self) -> GameTimeline:
        return timeline(course_of(self.archive.folds, self.game, self.version, RECORD))


def play(archive: Archive, name: str, seed: int, moves: int = 100_000) -> str:
    """Record a game played at random, or its beginning."""
    ruleset, game = SHIPPED[name], str(uuid7())
    seats = ruleset.seats[len(ruleset.seats) // 2]
    state = ruleset.open({}, None, seats)
    opened = {"ruleset": name, "revision": ruleset.revision, "seats": [{}] * seats}
    if (components := ruleset.components(ruleset.check_options({}))) is not None:
        opened["components"] = components
    events = [NewEvent(id=game, type="game.opened", data=opened)]
    for move, _ in islice(playout(state, random.Random(seed)), moves):
        events.append(NewEvent(id=str(uuid7()), type="move.made", data={"move": ruleset.move_data(move)}))
    for start in range(0, len(events), 50):
        archive.log.append(game, events[start : start + 50], expected=start, recorder="tests")
    return game


@pytest.fixture
def table(archive: Archive) -> Table:
    return Table(archive)


def test_the_lead_its_changes_the_comeback_and_the_decision_are_told_of_a_score_sheet(table: Table) -> None:
    first, second, third, fourth = table.write(5, 3), table.write(4, 1), table.write(0, 9), table.write(1, 8)
    going_on = table.timeline
    assert (going_on.decided, going_on.comeback) == (None, None), "nothing is decided before the end"
    table.move("end")
    found = table.timeline
    assert [(at.version, at.leaders, at.margin) for at in found.standings] == [
        (1, [0, 1], 0),
        (first, [0], 2),
        (second, [0], 5),
        (third, [1], 4),
        (fourth, [1], 11),
    ]
    assert found.lead_changes == [first, third]
    assert found.decided == third
    assert found.comeback is not None
    assert (found.comeback.seat, found.comeback.deficit, found.comeback.version) == (1, 5, second)


def test_where_the_fewest_points_win_who_has_fewer_leads(archive: Archive) -> None:
    table = Table(archive, wins="lowest")
    version = table.write(2, 7)
    table.move("end")
    found = table.timeline
    assert [(at.leaders, at.margin) for at in found.standings] == [([0, 1], 0), ([0], 5)]
    assert (found.decided, found.comeback) == (1, None)
    assert found.lead_changes == [version]


def test_time_is_counted_by_one_clock_alone_and_what_has_none_is_left_out(archive: Archive) -> None:
    from games.kahuna import KAHUNA

    game, log, state = str(uuid7()), archive.log, KAHUNA.open({}, None, 2)

    def add(version: int, kind: str, data: dict[str, Any], at: str | None) -> None:
        event = NewEvent(id=game if not version else str(uuid7()), type=kind, data=data, happened_at=at)
        log.append(game, [event], expected=version, recorder="tests")

    add(0, "game.opened", {"ruleset": "kahuna", "revision": 2, "seats": [{}, {}]}, "2026-01-01T10:00:00Z")
    times = ("10:01:00", "10:01:20", "10:02:00", None, "10:05:00", "10:05:30")
    for version, (line, time) in enumerate(
        zip(("deal black BARI COCO DUDA", "-", "+bari", "-", "+coco", "-"), times, strict=True), 1
    ):
        move = state.parse(line)
        state.apply(move)
        add(version, "move.made", {"move": KAHUNA.move_data(move)}, f"2026-01-01T{time}Z" if time else None)
    found = timeline(course_of(archive.folds, game, 7, PUBLIC))
    assert [(turn.seat, turn.seconds) for turn in found.turns] == [(0, 20), (1, 40), (0, None), (1, None), (0, 30)]
    black, white = found.pace
    assert (black.turns, black.timed, black.seconds, black.median, black.longest) == (3, 2, 50, 25, 30)
    assert (white.turns, white.timed, white.median) == (2, 1, 40)


@pytest.mark.parametrize("name", SHIPPED)
def test_the_timeline_of_a_whole_game_ends_as_its_record_does(archive: Archive, name: str) -> None:
    game = play(archive, name, 3)
    fold = archive.folds.current(game)
    found = timeline(course_of(archive.folds, game, fold.version, PUBLIC))
    assert found.standings[-1].scores == fold.totals()
    outcome = fold.outcome()
    if found.decided is not None:
        assert outcome
        assert set(outcome.winners) & set(found.standings[-1].leaders)
    assert all(turn.first <= turn.last for turn in found.turns)
    assert sum(pace.turns for pace in found.pace) == len(found.turns)
