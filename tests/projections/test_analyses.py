"""Analyses of games: what the replay of a game shows."""

from __future__ import annotations

import contextlib
import itertools
import math
import random
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from hashlib import sha256
from itertools import islice, pairwise
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, cast

import msgspec
import pytest
from uuid_utils import uuid7

from benchmarks.policies import match
from events.event import NewEvent
from games.catan_cards.moves.events import Roll
from games.catan_cards.turns import continue_turn
from games.chance import DIE, drawn_events
from games.contract import PUBLIC, RECORD, ChanceEvent, Title, Viewpoint
from games.examination.plays import option_settings
from games.hidden import Hand, ShuffleKnowledge
from games.kahuna.chance import in_deck
from games.kahuna.components import ISLANDS
from games.kahuna.moves.setup import Row
from games.playout import play_to_end, playout
from games.rulesets import SHIPPED
from projections.analyses.game_replay import replay_of
from projections.analyses.kinds import KINDS, InapplicableError
from projections.analyses.luck import DIGITS, KindCount, LuckCounts, luck_counts
from projections.analyses.moments import Moment
from projections.analyses.pace import GameTimeline, timeline
from projections.analyses.refining import (
    FIRST_GAMES,
    Chances,
    Tally,
    Z,
    enough_for,
    joint_margin_factor,
    refine,
    results_in,
    win_share,
)
from projections.analyses.seeded_random import SeededRandom
from projections.analyses.story import StorySentence
from projections.analyses.winline import SWINGS, WinLine, WinPoint, swings_of, win_line
from projections.catalogue.rows import listing_of

if TYPE_CHECKING:
    from projections.analyses.game_replay import GameReplay
    from projections.archive import Archive


class Table:
    """A score sheet, for two unless more sit there, on which rounds are written down."""

    def __init__(self, archive: Archive, *, wins: str = "highest", seats: int = 2, **more: Any) -> None:
        self.archive, self.game, self.version = archive, str(uuid7()), 0
        sheet = {"name": "Game", "wins": wins, "columns": [{"id": "points", "per": "round"}]} | more
        self.add("game.opened", ruleset="scoresheet", revision=1, seats=[{}] * seats, components=sheet)

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
        return timeline(replay_of(self.archive.folds, self.game, self.version, RECORD))


SHORT = {"manapani": {"chips": 9}, "catan_cards": {"target": 4}}
"""Options with which games that are played on end soon."""


def play(archive: Archive, name: str, seed: int, moves: int = 100_000, *, short: bool = False) -> str:
    """Record a game played at random, or its beginning."""
    ruleset, game = SHIPPED[name], str(uuid7())
    seats, options = ruleset.seats[len(ruleset.seats) // 2], SHORT.get(name, {}) if short else {}
    state = ruleset.open(options, None, seats)
    opened = {"ruleset": name, "revision": ruleset.revision, "seats": [{}] * seats, "options": options}
    if (components := ruleset.components(ruleset.check_options({}))) is not None:
        opened["components"] = components
    events = [NewEvent(id=game, type="game.opened", data=opened)]
    for move, _ in islice(playout(state, random.Random(seed)), moves):
        events.append(NewEvent(id=str(uuid7()), type="move.made", data={"move": ruleset.move_data(move)}))
    for start in range(0, len(events), 50):
        archive.log.append(game, events[start : start + 50], expected=start, recorder="tests")
    return game


WITH_BONUS = [
    {"id": "points", "per": "round", "counts": False},
    {"id": "bonus", "per": "round", "default": 0},
    {"id": "whole", "per": "round", "formula": "points + bonus"},
]


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


def test_the_moments_of_a_game_are_what_its_words_say_and_its_last_move(table: Table) -> None:
    first, second, third = table.write(5, 3), table.write(4, 1), table.write(0, 9)
    assert table.timeline.moments == [Moment(third, "gain", (1,), 9)], "nobody has won yet"
    end = table.move("end")
    assert table.timeline.story[0] == StorySentence(first, "first", (0,))
    assert table.timeline.moments == [
        Moment(third, "ahead", (1,)),
        Moment(third, "gain", (1,), 9),
        Moment(second, "behind", (1,), 5),
        Moment(end, "last"),
    ]


def test_a_game_is_told_in_words_each_sentence_with_its_entry(table: Table) -> None:
    first, second, third, fourth = table.write(5, 3), table.write(4, 1), table.write(0, 9), table.write(1, 8)
    assert [each.what for each in table.timeline.story] == ["first", "changes", "gain"], "it has no end yet"
    end = table.move("end")
    found = table.timeline
    assert found.story == [
        StorySentence(first, "first", (0,)),
        StorySentence(second, "behind", (1,), 5),
        StorySentence(third, "ahead", (1,)),
        StorySentence(third, "gain", (1,), 9),
        StorySentence(end, "end", (1,)),
    ]
    assert [(each.round, each.version) for each in found.rounds] == [(1, first), (2, second), (3, third), (4, fourth)]
    assert not found.together


def test_leads_that_change_twice_are_told_with_who_had_the_last(table: Table) -> None:
    table.write(5, 3)
    table.write(0, 9)
    third = table.write(8, 0)
    table.move("end")
    assert StorySentence(third, "changes", (0,), 2) in table.timeline.story


def test_leads_are_told_of_whole_rounds_where_a_sheet_is_filled_in_seat_by_seat(archive: Archive) -> None:
    table = Table(archive, seats=3)
    for text in ("r1 p2 9", "r1 p1 5"):
        table.move(text)
        assert [at.version for at in table.timeline.standings] == [1]
        assert {each.what for each in table.timeline.story} <= {"gain"}
    first = table.move("r1 p3 0")
    table.move("r2 p3 30")
    table.move("r2 p2 0")
    second = table.move("r2 p1 20")
    table.move("r3 p2 40")
    stopped = table.move("end early")
    found = table.timeline
    assert [(at.version, at.leaders, at.margin) for at in found.standings] == [
        (1, [0, 1, 2], 0),
        (first, [1], 4),
        (second, [2], 5),
        (stopped, [1], 19),
    ]
    assert [(each.version, each.what, each.seats) for each in found.story if each.what != "gain"] == [
        (first, "first", (1,)),
        (second, "behind", (1,)),
        (stopped, "changes", (1,)),
        (stopped, "end", (1,)),
    ]


def test_a_sheet_without_rounds_tells_no_leads_before_it_is_whole(archive: Archive) -> None:
    """By columns or by seats: who is written down first leads nobody."""
    more = {"id": "more", "per": "game", "default": 0}
    columns = [{"id": "birds", "per": "game"}, {"id": "eggs", "per": "game"}, more]
    table = Table(archive, columns=columns)
    for text in ("birds 9 0", "p2 eggs 30", "p1 eggs 2", "end"):
        table.move(text)
    found = table.timeline
    assert [(at.version, at.scores) for at in found.standings] == [(1, [0, 0]), (table.version, [11, 30])]
    assert (found.lead_changes, found.decided, found.comeback) == ([], None, None)
    assert [each.what for each in found.story] == ["end"], "and a large number is no stroke of luck"


def test_the_one_result_of_a_sheet_without_rounds_is_no_lead(archive: Archive) -> None:
    table = Table(archive, columns=[{"id": "points", "per": "game"}], seats=3)
    table.move("points 9 5 1")
    table.move("end")
    assert [each.what for each in table.timeline.story] == ["end"]
    assert (table.timeline.lead_changes, table.timeline.decided) == ([], None)


def test_leads_of_a_sheet_without_rounds_are_told_of_what_follows_its_first_whole_result(archive: Archive) -> None:
    table = Table(archive, columns=[{"id": "points", "per": "game"}])
    first, second, third = table.move("points 9 50"), table.move("p1 +60 a bonus"), table.move("p2 +4 a bonus")
    end = table.move("end")
    assert [(each.version, each.what, each.seats, each.count) for each in table.timeline.story] == [
        (first, "first", (1,), None),
        (first, "behind", (0,), 41),
        (second, "ahead", (0,), None),
        (second, "gain", (0,), 60),
        (end, "end", (0,), None),
    ]
    assert third not in table.timeline.lead_changes


def test_who_won_without_another_point_took_no_lead_at_the_end(archive: Archive) -> None:
    """By a tie-breaker, or because the others resigned."""
    columns = [{"id": "points", "per": "round"}, {"id": "rows", "per": "game", "counts": False, "default": 0}]
    tied = Table(archive, columns=columns, ties=[{"column": "rows"}])
    tied.write(5, 0)
    tied.write(0, 5)
    tied.move("rows 0 1")
    tied.move("end")
    assert StorySentence(tied.version, "end", (1,), reason="tie_breaker") in tied.timeline.story
    left = Table(archive)
    left.write(5, 0)
    left.add("ruling.given", adjustments=[{"type": "resign", "seat": 0}], reason="had to leave")
    assert [(each.what, each.seats, each.reason) for each in left.timeline.story] == [
        ("first", (0,), None),
        ("behind", (1,), None),
        ("end", (1,), "resigned"),
    ]
    assert (left.timeline.moments[0].why, left.timeline.moments[0].version) == ("behind", left.version - 1)


def test_a_game_that_people_ended_is_told_so_also_if_the_winner_was_ahead(archive: Archive) -> None:
    """Points alone would tell a game that was given up as one that was played to its end."""
    for adjustment, reason in (
        ({"type": "resign", "seat": 1}, "resigned"),
        ({"type": "adjudge", "ranks": [1, 2]}, "adjudicated"),
    ):
        table = Table(archive)
        table.write(5, 0)
        ruling = table.add("ruling.given", adjustments=[adjustment], reason="had to leave")
        assert table.timeline.story[-1] == StorySentence(ruling, "end", (0,), reason=reason)


def test_who_was_first_ahead_with_the_last_entry_is_told_as_the_winner_alone(archive: Archive) -> None:
    """And who took the lead then has a moment without a word of having kept it."""
    table, late = Table(archive), Table(archive)
    table.write(0, 0)
    table.move("r2 p1 9")
    table.move("end early")
    assert [each.what for each in table.timeline.story] == ["end"]
    late.write(5, 6)
    late.move("r2 p1 9")
    last = late.move("end early")
    assert StorySentence(last, "ahead", (0,)) in late.timeline.story
    assert Moment(last, "changes", (0,)) in late.timeline.moments


def test_points_of_a_round_are_counted_once_it_is_whole(archive: Archive) -> None:
    """Half of a round has points that the other half takes back, in Schafkopf for example."""
    columns = [{"id": "points", "per": "round"}, {"id": "back", "per": "round", "counts": True}]
    table = Table(archive, columns=columns)
    for text in ("r1 points 90 3", "r1 back -90 0", "r2 points 5 4", "r2 back 0 0", "end"):
        table.move(text)
    assert StorySentence(5, "gain", (0,), 5) in table.timeline.story


def test_who_misses_a_round_or_a_column_with_a_default_holds_no_lead_up(archive: Archive) -> None:
    columns = [{"id": "points", "per": "round"}, {"id": "bonus", "per": "round", "default": 0}]
    table = Table(archive, columns=columns, seats=3)
    first = table.write(1, 2, 3)
    table.move("p2 out")
    second = table.move("r2 p1 9")
    third = table.move("r2 p3 1")
    assert [at.version for at in table.timeline.standings] == [1, first, third]
    assert second < third


def test_one_side_scores_in_a_round_by_the_checks_of_a_sheet(archive: Archive) -> None:
    holds = {"holds": "sum(everyone(given(points))) == max(everyone(given(points)))", "says": "only one side scores"}
    column = {"id": "points", "per": "round", "least": 0, "default": 0}
    checked, other = (Table(archive, columns=[column], **more) for more in ({"checks": [holds]}, {}))
    for table, versions in ((checked, [1, 2, 3]), (other, [1, 4])):
        for text in ("r1 p1 5", "r2 p2 9", "r2 p1 0"):
            table.move(text)
        assert [at.version for at in table.timeline.standings] == versions


def test_the_most_points_at_once_are_told_if_nobody_else_got_as_many(table: Table) -> None:
    table.write(5, 0)
    table.write(0, 5)
    assert "gain" not in {each.what for each in table.timeline.story}
    version = table.write(0, 6)
    assert StorySentence(version, "gain", (1,), 6) in table.timeline.story


def test_neither_a_single_entry_nor_one_point_nor_the_end_of_a_sheet_is_a_gain_worth_telling(archive: Archive) -> None:
    """With the end come defaults that count for the points of all rounds, in Skull King for example."""
    once, single, late = Table(archive), Table(archive), Table(archive, columns=WITH_BONUS)
    once.write(60, 9)
    for points in ((1, 0), (0, 0), (0, 0)):
        single.write(*points)
    for number in range(1, 4):
        late.move(f"r{number} points 9 {number}")
    for table in (once, single, late):
        table.move("end")
        assert "gain" not in {each.what for each in table.timeline.story}
    assert [at.scores for at in late.timeline.standings][-1] == [27, 6]


def test_a_game_ends_with_the_ruling_that_gives_it_to_another_seat(table: Table) -> None:
    table.write(5, 3)
    end = table.move("end")
    assert table.timeline.story[-1] == StorySentence(end, "end", (0,))
    reason = {"reason": "counted wrongly"}
    ruling = table.add("ruling.given", adjustments=[{"type": "points", "seat": 1, "points": 9}], **reason)
    assert table.timeline.story[-1] == StorySentence(ruling, "end", (1,))
    table.add("ruling.given", adjustments=[{"type": "points", "seat": 1, "points": 1}], **reason)
    assert table.timeline.story[-1] == StorySentence(ruling, "end", (1,)), "it gives the game to nobody else"


def test_who_shared_the_lead_in_between_did_not_keep_it(table: Table) -> None:
    table.write(5, 3)
    second = table.write(0, 9)
    table.write(7, 0)
    table.write(0, 3)
    table.move("end")
    assert [at.leaders for at in table.timeline.standings] == [[0, 1], [0], [1], [0, 1], [1]]
    assert StorySentence(second, "changes", (1,), 1) in table.timeline.story


def test_what_a_ruling_gave_after_the_end_is_no_part_of_the_story(archive: Archive) -> None:
    game = play(archive, "kahuna", 1)
    fold = archive.folds.current(game)
    winner = fold.outcome().winners[0]
    ruled = {"adjustments": [{"type": "points", "seat": winner, "points": 9}], "reason": "counted wrongly"}
    events = [NewEvent(id=str(uuid7()), type="ruling.given", data=ruled)]
    archive.log.append(game, events, expected=fold.version, recorder="tests")
    found = timeline(replay_of(archive.folds, game, fold.version + 1, RECORD)).story
    assert found == [StorySentence(fold.version, "end", (winner,))]


def test_a_sheet_with_points_only_at_the_end_tells_no_leads(archive: Archive) -> None:
    """One entry has the points of all, and another says that no more will come."""
    columns = [{"id": "coins", "per": "game"}, {"id": "more", "per": "game"}]
    table = Table(archive, columns=columns)
    table.move("coins 9 5")
    table.move("more 0 0")
    table.move("end")
    assert [each.what for each in table.timeline.story] == ["end"]


def test_no_principality_leads_that_was_only_laid_out_first(archive: Archive) -> None:
    found = timeline(replay_of(archive.folds, play(archive, "catan_cards", 1, 3), 4, RECORD))
    assert [max(at.scores) for at in found.standings] == [0, 2]
    assert found.story == []


def test_a_game_of_all_together_has_no_leads(archive: Archive) -> None:
    table = Table(archive, wins="cooperative")
    version = table.write(5, 3)
    table.write(1, 1)
    table.move("won")
    found = table.timeline
    assert (found.together, found.decided, found.comeback, found.lead_changes) == (True, None, None, [])
    assert [each.what for each in found.story] == ["gain", "end"]
    assert found.story[0] == StorySentence(version, "gain", (0,), 5)


def test_partners_lead_and_win_as_one_side(archive: Archive) -> None:
    teams = [{"name": "We", "seats": [0, 2]}, {"name": "They", "seats": [1, 3]}]
    table = Table(archive, seats=4, teams=teams)
    first, second, end = table.write(5, 20), table.write(40, 0), table.move("end")
    found = table.timeline
    assert not found.together, "they play against others"
    assert found.story == [
        StorySentence(first, "first", (1, 3)),
        StorySentence(first, "behind", (0, 2), 15),
        StorySentence(second, "ahead", (0, 2)),
        StorySentence(second, "gain", (0, 2), 40),
        StorySentence(end, "end", (0, 2)),
    ]


def test_who_led_by_something_else_than_points_was_not_behind_with_more_of_them(archive: Archive) -> None:
    columns = [{"id": "points", "per": "round"}, {"id": "gems", "per": "game", "counts": False, "default": 0}]
    table = Table(archive, columns=columns, by="gems")
    table.move("gems 1 0")
    table.write(3, 9)
    table.move("gems 1 2")
    table.move("end")
    found = table.timeline
    assert [at.leaders for at in found.standings] == [[0, 1], [0], [0], [1]]
    assert found.comeback is not None
    assert found.comeback.deficit == 0
    assert "behind" not in {each.what for each in found.story}


def test_who_lost_together_played_together(archive: Archive) -> None:
    table = Table(archive, wins="cooperative")
    table.move("lost")
    assert table.timeline.together
    assert listing_of(archive.folds.current(table.game)).together


def test_where_the_fewest_points_win_who_has_fewer_leads(archive: Archive) -> None:
    table = Table(archive, wins="lowest")
    version = table.write(2, 7)
    table.move("end")
    found = table.timeline
    assert [(at.leaders, at.margin) for at in found.standings] == [([0, 1], 0), ([0], 5)]
    assert (found.decided, found.comeback) == (1, None)
    assert found.lead_changes == [version]


def test_where_points_are_equal_who_is_ahead_by_the_tie_breaker_leads(archive: Archive) -> None:
    columns = [{"id": "points", "per": "round"}, {"id": "rows", "per": "game", "counts": False, "default": 0}]
    table = Table(archive, columns=columns, ties=[{"column": "rows"}])
    first, second = table.write(5, 0), table.write(0, 5)
    third = table.move("rows 0 1")
    table.move("end")
    found = table.timeline
    assert [(at.version, at.leaders) for at in found.standings] == [
        (1, [0, 1]),
        (first, [0]),
        (second, [0, 1]),
        (third, [1]),
    ]
    assert StorySentence(third, "ahead", (1,)) in found.story


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
    found = timeline(replay_of(archive.folds, game, 7, PUBLIC))
    assert [(turn.seat, turn.seconds) for turn in found.turns] == [(0, 20), (1, 40), (0, None), (1, None), (0, 30)]
    black, white = found.pace
    assert (black.turns, black.timed, black.seconds, black.median, black.longest) == (3, 2, 50, 25, 30)
    assert (white.turns, white.timed, white.median) == (2, 1, 40)


@pytest.mark.parametrize("name", SHIPPED)
def test_the_timeline_of_a_whole_game_ends_as_its_record_does(archive: Archive, name: str) -> None:
    game = play(archive, name, 3)
    fold = archive.folds.current(game)
    found = timeline(replay_of(archive.folds, game, fold.version, PUBLIC))
    assert found.standings[-1].scores == fold.totals()
    outcome = fold.outcome()
    if found.decided is not None:
        assert outcome
        assert set(outcome.winners) & set(found.standings[-1].leaders)
    assert all(turn.first <= turn.last for turn in found.turns)
    assert sum(pace.turns for pace in found.pace) == len(found.turns)


# Luck


def kahuna(archive: Archive, *lines: str) -> str:
    """Record a game of Kahuna as it is typed."""
    game, state = str(uuid7()), SHIPPED["kahuna"].open({}, None, 2)
    opened = {"ruleset": "kahuna", "revision": state.ruleset.revision, "seats": [{}, {}]}
    events = [NewEvent(id=game, type="game.opened", data=opened)]
    for line in lines:
        move = state.parse(line)
        state.apply(move)
        events.append(NewEvent(id=str(uuid7()), type="move.made", data={"move": state.ruleset.move_data(move)}))
    archive.log.append(game, events, expected=0, recorder="tests")
    return game


def luck(archive: Archive, game: str, viewpoint: Viewpoint) -> LuckCounts:
    head = archive.log.head(game)
    assert head
    return luck_counts(replay_of(archive.folds, game, head.version, viewpoint))


def test_draws_are_held_against_what_the_deck_could_hold_from_the_point_of_view(archive: Archive) -> None:
    game = kahuna(archive, "deal black BARI COCO DUDA", "+?gola", "-")
    known = {viewpoint.name: luck(archive, game, viewpoint) for viewpoint in (PUBLIC, Viewpoint("seat", 0), RECORD)}
    row, first, second = known["public"].kinds
    bari = next(each.count for each in row.outcomes if each.outcome == "BARI")
    p = [2 / 24, 1 / 23, 1 / 22]
    assert (row.kind, row.seat, row.n, row.left_out) == ("row", None, 3, 0)
    assert bari.got == 1
    assert bari.expected == pytest.approx(sum(p), abs=1e-6)
    assert bari.sd == pytest.approx(math.sqrt(sum(each * (1 - each) for each in p)), abs=1e-6)
    assert bari.z == pytest.approx((1 - sum(p)) / bari.sd, abs=1e-4)
    assert [(each.seat, each.n, each.left_out) for each in (first, second)] == [(0, 0, 4), (1, 0, 3)]
    own = next(each for each in known["seat-0"].kinds if (each.kind, each.seat) == ("draw", 0))
    gola = next(each.count for each in own.outcomes if each.outcome == "GOLA")
    assert (own.n, own.left_out, gola.got, gola.expected) == (1, 3, 1, pytest.approx(2 / 21, abs=1e-6))
    assert (known["record"].n, known["record"].left_out) == (4, 6)


BURIED_COCO = [
    *("deal black BARI COCO DUDA", "-", "d3", "+COCO/ELAI", "-", "+BARI/FAAA", "-", "d1", "BARI-DUDA", "+", "+?COCO"),
]
"""White puts COCO or BARI away unseen, and then plays BARI: so it was COCO."""


def drawn_by_black(archive: Archive, *lines: str) -> KindCount:
    kinds = luck(archive, kahuna(archive, *lines), RECORD).kinds
    return next(each for each in kinds if (each.kind, each.seat) == ("draw", 0))


def test_a_card_that_was_certainly_put_away_is_not_expected_again(archive: Archive) -> None:
    draw = drawn_by_black(archive, *BURIED_COCO)
    coco = next(each.count for each in draw.outcomes if each.outcome == "COCO")
    assert (draw.n, draw.left_out, coco.got) == (1, 3, 1)
    assert coco.expected == pytest.approx(1 / 19, abs=1e-6)


def test_what_contradicts_all_that_was_seen_is_left_out_and_said(archive: Archive) -> None:
    """The third COCO was never there. From then on no odds are known, and every event is still accounted for."""
    draw = drawn_by_black(archive, *BURIED_COCO, "+", "+?COCO", "+", "+?HUNA")
    assert (draw.n, draw.left_out) == (1, 5)


def test_a_card_that_a_ruling_took_out_of_the_deck_is_not_expected_from_it(archive: Archive) -> None:
    """The deck of 15 held a GOLA, of two among 21 unseen cards. The other one is in it in 105 of 195 cases."""
    game, kahuna_rules = kahuna(archive, "deal black BARI COCO DUDA"), SHIPPED["kahuna"]
    ruled = {"reason": "it fell", "adjustments": [{"type": "card", "from": "deck", "to": "discards", "card": "GOLA"}]}
    move = kahuna_rules.move_data(kahuna_rules.read_move({"type": "take", "seat": 0, "card": "BARI", "refill": "ELAI"}))
    later = [("ruling.given", ruled), ("move.made", {"move": move})]
    events = [NewEvent(id=str(uuid7()), type=kind, data=data) for kind, data in later]
    archive.log.append(game, events, expected=2, recorder="tests")
    row = luck(archive, game, PUBLIC).kinds[0]
    gola = next(each.count for each in row.outcomes if each.outcome == "GOLA")
    assert gola.expected == pytest.approx(2 / 24 + 2 / 23 + 2 / 22 + 105 / 195 / 14, abs=1e-6)


def test_a_card_that_cannot_come_is_left_out_and_not_forgotten() -> None:
    """Of one A and one B two As are noted: the second one is wrong, and what came instead is not known."""
    events = list(drawn_events("draw", {"a": 1, "b": 1}, ["a", "a"], 0))
    assert [(event.outcome, dict(event.odds)) for event in events] == [("a", {"a": 1, "b": 1}), (None, {"b": 1})]


def counted(events: list[ChanceEvent]) -> LuckCounts:
    kinds = {"die": Title("dice", "ダイス"), "card": Title("cards", "カード")}
    ruleset = SimpleNamespace(chances=lambda _before, move, _effects: move, chance_kinds=kinds, watch=None)
    steps = [SimpleNamespace(move=[event], before=None, effects=()) for event in events]
    return luck_counts(cast("Any", SimpleNamespace(ruleset=ruleset, seats=2, steps=steps)))


def test_the_chance_of_a_figure_is_that_of_all_courses_counted_one_by_one() -> None:
    odds = [{"a": 1, "b": 3}, {"a": 2, "b": 1}, {"a": 1, "b": 1}]
    found = counted([ChanceEvent("card", each, came) for each, came in zip(odds, "aba", strict=True)])
    mean, as_far = sum(Fraction(each.get("a", 0), sum(each.values())) for each in odds), Fraction(0)
    for course in itertools.product("ab", repeat=len(odds)):
        if abs(course.count("a") - mean) >= abs(2 - mean):
            as_far += math.prod(
                Fraction(each[card], sum(each.values())) for each, card in zip(odds, course, strict=True)
            )
    (a, _) = found.kinds[0].outcomes
    assert a.count.got == 2
    assert a.count.chance == pytest.approx(float(as_far), abs=1e-6)


@pytest.mark.slow
def test_the_chance_of_a_figure_is_exact_in_a_long_game_too() -> None:
    """Of 2,000 coins 1,051 fell on heads; the exact part of all 2 ** 2000 courses that are as far from 1,000."""
    coins, heads = 2000, 1051
    events = [ChanceEvent("die", {"heads": 1, "tails": 1}, "heads" if n < heads else "tails", 0) for n in range(coins)]
    far = sum(math.comb(coins, n) for n in range(coins + 1) if abs(n - coins // 2) >= heads - coins // 2)
    (kind,) = counted(events).kinds
    for outcome in kind.outcomes:
        assert outcome.count.chance == round(float(Fraction(far, 2**coins)), DIGITS)


def test_what_is_most_extreme_is_told_by_how_many_figures_were_looked_at() -> None:
    """Twelve ones in a row have a chance of 1 in 6^12. Of six figures that is the least likely one."""
    found = counted([ChanceEvent("die", DIE, "1", seat=0)] * 12)
    assert found.extreme
    assert (found.figures, found.extreme.outcome, found.extreme.stands_out) == (6, "1", True)
    even = counted([ChanceEvent("die", DIE, face, seat=0) for face in DIE] * 2)
    assert even.extreme
    assert (even.extreme.by_chance, even.extreme.stands_out) == (1, False)
    certain = counted([ChanceEvent("card", {"a": 1}, "a")])
    assert (certain.n, certain.figures, certain.extreme) == (1, 0, None)


@pytest.mark.slow
def test_fair_dice_stand_out_in_fewer_than_one_of_twenty_games() -> None:
    chance, games = random.Random(35), 400
    faces = list(DIE)
    rolls = [[ChanceEvent("die", DIE, chance.choice(faces), seat=seat) for seat in (0, 1) * 12] for _ in range(games)]
    standing = sum(found.extreme is not None and found.extreme.stands_out for found in map(counted, rolls))
    assert 0 < standing < games * 0.05


def test_what_a_shuffle_left_in_hands_is_not_expected_from_the_deck() -> None:
    """Of two cards A and one B that nobody showed, one stayed in a hand; a C was shuffled in."""
    state = SHIPPED["kahuna"].open({}, None, 2)
    a, b, c, *others = ISLANDS
    state.played, state.deck = [*others, *others, b, c], 3
    state.hands = [Hand([], 1), Hand()]
    state.shuffled = ShuffleKnowledge({a: 2, b: 1}, {a: 2, b: 1, c: 1}, [1, 0], [0, 0])
    odds = in_deck(state)
    weight: dict[str, float] = dict.fromkeys((a, b, c), 0)
    for stayed in (a, a, b):  # each as likely
        deck = [a, a, b, c]
        deck.remove(stayed)
        for card in deck:
            weight[card] += 1 / 9
    assert {card: count / sum(odds.values()) for card, count in odds.items() if count} == pytest.approx(weight)


def test_the_second_card_of_a_row_is_expected_by_what_is_left_after_the_first() -> None:
    """Of two cards A and one B that nobody showed, one stayed in a hand; a C was shuffled in, and comes first."""
    state = SHIPPED["kahuna"].open({}, None, 2)
    a, b, c, *others = ISLANDS
    state.played, state.deck, state.due = [*others, *others, b, c], 3, "row"
    state.hands = [Hand([], 1), Hand()]
    state.shuffled = ShuffleKnowledge({a: 2, b: 1}, {a: 2, b: 1, c: 1}, [1, 0], [0, 0])
    _, second, _ = state.ruleset.chances(state, Row(cards=(c, a, None)), ())
    whole = sum(second.odds.values())
    # of A, A, B one stayed, each as likely: the two others lie in the deck
    assert {card: weight / whole for card, weight in second.odds.items()} == pytest.approx({a: 2 / 3, b: 1 / 3})


@pytest.mark.parametrize("name", [name for name, ruleset in SHIPPED.items() if ruleset.chance_kinds])
@pytest.mark.slow
def test_every_drawn_thing_is_possible_and_nothing_is_counted_twice(archive: Archive, name: str) -> None:
    game = play(archive, name, 5, 60)
    for viewpoint in (PUBLIC, Viewpoint("seat", 1), RECORD):
        found = luck(archive, game, viewpoint)
        assert found.n > 5
        for kind in found.kinds:
            assert sum(each.count.got for each in kind.outcomes) == kind.n
            assert sum(each.count.expected for each in kind.outcomes) == pytest.approx(kind.n, abs=1e-3)
            assert all(each.count.got <= kind.n for each in kind.outcomes)
        # cards of the card game come at random here, also in an order in which they cannot lie: nothing is known then
        hidden = [each.left_out for each in found.kinds if name == "kahuna" or each.kind != "draw"]
        assert viewpoint != RECORD or name not in {"kahuna", "catan_cards"} or not any(hidden)


@pytest.mark.slow
def test_what_the_production_die_brings_is_held_against_what_is_owed(archive: Archive) -> None:
    ruleset, game = SHIPPED["catan_cards"], play(archive, "catan_cards", 5, 250)
    head = archive.log.head(game)
    assert head
    replay = replay_of(archive.folds, game, head.version, PUBLIC)
    found = next(kind for kind in luck_counts(replay).kinds if kind.kind == "production die" and kind.seat == 0)
    received, owed, rolled = [0, 0], [0.0, 0.0], False
    for step in replay.steps:
        if isinstance(step.move, Roll):
            rolled = step.move.seat == 0 and not step.before.alchemist
        if rolled and step.after.phase != "event":  # now the roll brings something
            rolled, board = False, step.after.copy()
            for effect in step.effects:
                if effect.kind == "stock.gained" and effect.rule in {"catan_cards:28", "catan_cards:29"}:
                    received[effect.seat or 0] += effect.count or 0
                    board.principalities[effect.seat or 0].stocks[effect.at[0]] -= effect.count or 0
            for seat in (0, 1):
                owed[seat] += sum(produced(board, seat, number) for number in range(1, 7)) / 6
    assert [each.count.got for each in found.brought] == received
    assert [each.count.expected for each in found.brought] == pytest.approx(owed, abs=1e-5)
    assert found.brought[0].n == found.n > 3
    assert ruleset.chance_kinds[found.kind].en == found.title


def produced(state: Any, seat: int, number: int) -> int:
    """What a number brings to a seat when it is rolled and nothing happens before: by the rules themselves."""
    twin = state.copy()
    twin.phase, twin.pending, twin.production, twin.hands = "event", [], number, [Hand(), Hand()]
    before = sum(twin.principalities[seat].stocks.values())
    continue_turn(twin)
    return sum(twin.principalities[seat].stocks.values()) - before


def test_a_score_sheet_has_no_luck_to_count(archive: Archive) -> None:
    with pytest.raises(InapplicableError, match="there is no luck-counts for games of scoresheet"):
        KINDS["luck-counts"].check(SHIPPED["scoresheet"])


# Chances to win


def replay(archive: Archive, game: str, viewpoint: Viewpoint = PUBLIC) -> GameReplay:
    head = archive.log.head(game)
    assert head
    return replay_of(archive.folds, game, head.version, viewpoint)


def test_the_audit_of_a_replay_tells_no_viewpoint_of_rules_that_only_hidden_cards_break(archive: Archive) -> None:
    """A third COCO breaks a rule where the noted cards are seen. From the other side it is a card like any other."""
    game = kahuna(archive, *BURIED_COCO, "+", "+?COCO")
    last = len(BURIED_COCO) + 3
    told = {each: replay(archive, game, each).audit.irregular for each in (RECORD, PUBLIC, Viewpoint("seat", 1))}
    assert list(told.values()) == [{last: ("kahuna:CARD-1",)}, {}, {}]


def line(found: GameReplay, done: dict[str, Any] | None = None, **values: int) -> WinLine:
    """A win line; what is in `done` is not played again, and what is played comes there."""
    values = {"precision": 20, "games": 2000, "blunders": 10} | values
    done, going_on = {} if done is None else done, win_line(found, values)
    asked = next(going_on)
    try:
        while True:
            for unit in asked.units:
                if unit.key not in done:
                    done[unit.key] = msgspec.json.decode(msgspec.json.encode(unit.work()))
            asked = going_on.send(done)
    except StopIteration as finished:
        result: WinLine = finished.value
        return result


POLICIES = [name for name, ruleset in SHIPPED.items() if ruleset.policy]


def test_each_job_of_an_analysis_finds_its_intervals_and_results_again_without_counting() -> None:
    assert win_share(40.5, 97) is win_share(40.5, 97)
    first, again = (list(results_in("93.c0", 2)) for _ in range(2))
    assert first == again == [[9, 3], None, [12, 0]]
    assert first[0] is again[0]


@pytest.mark.parametrize("name", POLICIES)
@pytest.mark.slow
def test_a_win_line_has_every_turn_with_intervals_and_comes_out_the_same_again(archive: Archive, name: str) -> None:
    found = replay(archive, play(archive, name, 2, 8, short=True))
    result = line(found, games=60)
    assert result == line(found, games=60)
    assert (result.policy, result.policy_revision) == (found.ruleset.policy.name, found.ruleset.policy.revision)
    assert result.points[-1].version == found.version
    assert 0 < result.games <= 60
    for point in result.points:
        assert point.n + point.left_out <= result.games
        assert point.chances or point.n < 21, "21 games tell any chance to within 20 points"
        if point.chances:
            assert len(point.chances) == found.seats
            assert all((each.high - each.low) / 2 <= 0.2 for each in point.chances)
            assert sum(each.p for each in point.chances) == pytest.approx(1, abs=0.001)
            assert all(0 <= each.low <= each.p <= each.high <= 1 for each in point.chances)


@pytest.mark.slow
def test_a_win_line_is_refined_until_every_chance_is_known_well_enough(archive: Archive) -> None:
    found = replay(archive, play(archive, "kahuna", 4, 5))
    rough, fine = line(found, precision=25, games=10_000), line(found, precision=15, games=10_000)
    assert rough.enough
    assert fine.enough
    assert fine.games > rough.games
    for point in fine.points:
        assert max(each.high - each.low for each in point.chances) / 2 <= 0.15
    poor = line(found, precision=1, games=150)
    assert (poor.enough, poor.games <= 150) == (False, True)


class Coin(Tally):
    """Games that a seat wins with a chance."""

    def __init__(self, p: float) -> None:
        super().__init__(f"coin {p}", moves=1)
        self.p, self.wins, self.steps, self.asked = p, 0, list[int](), 0

    def play(self, numbers: range) -> int:
        return sum(random.Random(f"{self.p} {number}").random() < self.p for number in numbers)

    def count(self, piece: int) -> None:
        self.wins += piece

    def add(self, found: Any, until: int) -> None:
        super().add(found, until)
        self.steps.append(until)

    def margin(self) -> float:
        self.asked += 1
        return _half(self, self.played) if self.played else 1.0


def test_no_more_games_are_played_on_than_it_takes_and_all_go_on_together() -> None:
    coins, rounds = [Coin(p / 40) for p in range(41)], 0
    refining = refine(coins, 0.05, 100_000, enough_for(0.05), lambda: None)
    asked = next(refining)
    with contextlib.suppress(StopIteration):
        while True:
            rounds += 1
            asked = refining.send({unit.key: unit.work() for unit in asked.units})
    assert {coin.asked for coin in coins} == {rounds + 1}, "each margin is computed once a round"
    assert all(coin.margin() <= 0.05 for coin in coins)
    for coin in coins:
        assert all(later <= 2 * before for before, later in pairwise(coin.steps))
        needed = next(n for n in range(1, 1000) if _half(coin, n) <= 0.05)
        assert coin.played <= 1.25 * needed + 2 * FIRST_GAMES, (coin.p, coin.played, needed)
    assert rounds <= 9, "many small rounds would leave workers idle"
    assert sum(coin.played for coin in coins) < 0.9 * sum(doubled(coin) for coin in coins)


def _half(coin: Coin, n: int) -> float:
    found = win_share(n * coin.wins / coin.played, n)
    return (found.high - found.low) / 2


def doubled(coin: Coin) -> int:
    """How many games it takes if there are twice as many each time."""
    return next((n for n in (16, 32, 64, 128, 256) if _half(coin, n) <= 0.05), enough_for(0.05))


@pytest.mark.slow
def test_a_game_that_is_over_is_won_and_nothing_is_played_on_from_there(archive: Archive) -> None:
    found = replay(archive, play(archive, "kahuna", 1))
    *_, last = line(found, games=100).points
    assert found.outcome
    assert (last.over, last.n) == (True, 0)
    assert [each.p for each in last.chances] == [float(seat in found.outcome.winners) for seat in (0, 1)]
    assert all(each.low == each.p == each.high for each in last.chances)


@pytest.mark.slow
def test_how_many_moves_are_blunders_is_said_and_makes_another_line(archive: Archive) -> None:
    found, done, others = replay(archive, play(archive, "kahuna", 4, 8)), dict[str, Any](), dict[str, Any]()
    usual = line(found, done, games=300)
    assert (usual.blunders, usual.policy) == (10, "islands first")
    flawless = line(found, others, games=300, blunders=0)
    assert flawless.blunders == 0
    assert not done.keys() & others.keys(), "nothing is taken from games that others have played on"
    assert [point.chances for point in flawless.points] != [point.chances for point in usual.points]


@pytest.mark.slow
def test_blunders_make_who_leads_less_sure_to_win(archive: Archive) -> None:
    found = replay(archive, play(archive, "kahuna", 3), RECORD)
    middle = replace(found, steps=found.steps[70:80], seed="the same in each run")
    sure, less = (
        sum(abs(point.chances[0].p - 0.5) for point in line(middle, games=400, blunders=blunders).points)
        for blunders in (0, 50)
    )
    assert less < sure


@pytest.mark.slow
def test_a_new_entry_has_played_on_only_what_is_new_and_a_correction_what_comes_after_it(archive: Archive) -> None:
    game, done = play(archive, "kahuna", 6, 16), dict[str, Any]()
    line(replay(archive, game), done, games=100_000)
    first = len(done)
    legal = next(iter(archive.folds.current(game).state.legal_moves()))
    head = archive.log.head(game)
    assert head
    moved = NewEvent(id=str(uuid7()), type="move.made", data={"move": msgspec.to_builtins(legal)})
    archive.log.append(game, [moved], expected=head.version, recorder="tests")
    before = set(done)
    line(replay(archive, game), done, games=100_000)
    assert 0 < len(done) - first < first / 2
    withdrawn = NewEvent(id=str(uuid7()), type="entry.withdrawn", data={"entry": head.version + 1})
    archive.log.append(game, [withdrawn], expected=head.version + 1, recorder="tests")
    played = len(done)
    line(replay(archive, game), done, games=100_000)
    assert len(done) == played, "it stands as it did before, of which all is known"
    assert before <= set(done)


@pytest.mark.slow
def test_the_line_follows_who_is_about_to_win(archive: Archive) -> None:
    found = replay(archive, play(archive, "kahuna", 3), RECORD)
    assert found.outcome
    (winner,) = found.outcome.winners
    points = line(replace(found, steps=found.steps[-14:], seed="the same in each run"), games=300).points
    assert len(points) > 6
    assert sum(point.chances[winner].p for point in points) / len(points) > 0.7


def test_hidden_cards_are_dealt_anew_for_each_game_that_is_played_on() -> None:
    for name in POLICIES:
        ruleset = SHIPPED[name]
        state = ruleset.open({}, None, ruleset.seats[0])
        for _ in playout(state, random.Random(8)):
            if sum(hand.unknown for hand in state.view(PUBLIC).hands) > 3:
                break
        seen, hands = state.view(PUBLIC), set()
        for number in range(6):
            world = seen.copy()
            world.decide_hidden(SeededRandom("seed", 3, number))
            assert not any(hand.unknown for hand in world.hands)
            assert [len(hand) for hand in world.hands] == [len(hand) for hand in state.hands]
            counts = Counter(card for card in world.located_cards() if card in world.copies)
            assert all(count <= world.copies[card] for card, count in counts.items())
            hands.add(str([hand.known for hand in world.hands]))
        assert len(hands) > 1
        assert [hand.unknown for hand in seen.hands] != [0] * ruleset.seats[0]


def test_lots_are_the_same_everywhere_and_draw_alike() -> None:
    chance = SeededRandom("a game", 3, 1)
    assert [chance.choice(range(100)) for _ in range(5)] == [72, 76, 95, 26, 26]
    assert SeededRandom("a game", 3, 2).choice(range(10**6)) != SeededRandom("a game", 3, 1).choice(range(10**6))
    often = Counter(card for number in range(3000) for card in SeededRandom("x", 1, number).sample("abcdef", 2))
    assert sum(often.values()) == 6000
    assert all(abs(count - 1000) < 130 for count in often.values())
    assert sorted(SeededRandom("x", 1, 1).sample([1, 2, 3], 3)) == [1, 2, 3]


PLAYED_ON = {
    "kahuna": (5, 6, "e6e295bb475f46bf"),
    "verraeter": (4, 5, "bad22f5072989696"),
    "manapani": (4, 6, "1c6dc39b4e7fbfb8"),
    "catan_cards": (7, 6, "655837e5a6258c96"),
}
"""The revisions of the rules and of the policy, and a hash of the tables at the end of some games that it plays."""


@pytest.mark.parametrize("name", PLAYED_ON)
def test_games_are_played_on_to_the_same_tables_as_long_as_no_revision_grows(name: str) -> None:
    ruleset, ends = SHIPPED[name], sha256()
    assert ruleset.policy
    policy = msgspec.structs.replace(ruleset.policy, blunders=10)
    for number in range(6):
        state = ruleset.open({}, None, ruleset.seats[number % len(ruleset.seats)])
        play_to_end(state, policy, SeededRandom("begun", number, 0), 20 * number)
        seen = state.view(PUBLIC)
        play_to_end(seen, policy, SeededRandom("played on", number, 1), 1000)
        ends.update(msgspec.json.encode(seen.dump()))
    assert (ruleset.revision, ruleset.policy.revision, ends.hexdigest()[:16]) == PLAYED_ON[name]


@pytest.mark.parametrize(
    ("wins", "n", "low", "high"), [(0, 10, 0.0, 0.2775), (8, 10, 0.4902, 0.9433), (50, 100, 0.4038, 0.5962)]
)
def test_intervals_are_wilsons(wins: int, n: int, low: float, high: float) -> None:
    assert win_share(wins, n) == Chances(wins / n, low, high)


@pytest.mark.parametrize("name", POLICIES)
@pytest.mark.slow
def test_a_policy_plays_by_the_rules_to_the_end_and_wins_against_random_play(name: str) -> None:
    ruleset = SHIPPED[name]
    policy = ruleset.policy
    assert policy
    for seats in ruleset.seats:
        state, chance = ruleset.open({}, None, seats), random.Random(seats)
        state.decide_hidden(chance)
        while not state.ending and (move := policy.choose(state, chance)) is not None:
            filled = state.sample_chance(move, chance)
            assert list(state.breaches(filled)) == [], filled
            state.apply(filled)
            state.decide_hidden(chance)
        assert state.ending
        assert match(ruleset, policy, seats, 24) > 1.5 / seats, "with room for chance: the benchmark is exact"


@pytest.mark.parametrize("name", POLICIES)
def test_a_policy_copes_with_every_option(name: str) -> None:
    ruleset = SHIPPED[name]
    policy = ruleset.policy
    assert policy
    for number, options in enumerate(option_settings(ruleset)):
        state, chance = ruleset.open(options, None, ruleset.seats[0]), random.Random(number)
        state.decide_hidden(chance)
        for _ in range(400):
            if state.ending or (move := policy.choose(state, chance)) is None:
                break
            filled = state.sample_chance(move, chance)
            assert list(state.breaches(filled)) == [], (options, filled)
            state.apply(filled)
            state.decide_hidden(chance)


def test_the_greatest_swings_are_turns_with_intervals_that_do_not_meet() -> None:
    def point(version: int, *wins: int) -> WinPoint:
        return WinPoint(version=version, seat=0, n=100, chances=[win_share(each, 100) for each in wins])

    line = [point(2, 50, 50), point(3, 60, 40), point(5, 95, 5), WinPoint(version=6, seat=1, n=0, chances=[])]
    swings = swings_of([*line, point(8, 94, 6), point(9, 30, 70)])
    assert [(swing.since, swing.version, swing.before.p, swing.after.p) for swing in swings] == [
        (3, 5, 0.6, 0.95),
        (8, 9, 0.06, 0.7),
    ]
    many = swings_of([point(at, *((100, 0) if at % 2 else (at, 100 - at))) for at in range(1, 30)])
    assert len(many) == SWINGS
    lows = {swing.before.p if swing.version % 2 else round(1 - swing.after.p, 2) for swing in many}
    assert lows <= {0.02, 0.04, 0.06}, "they are told of whoever gained"


def test_no_swing_spans_a_turn_with_chances_that_are_not_known() -> None:
    """Nobody knows to which of both turns it belongs. It was told as the later one's."""
    line = [
        WinPoint(version=at, seat=0, n=100, chances=[win_share(each, 100) for each in wins])
        for at, wins in ((2, (5, 95)), (3, ()), (4, (95, 5)), (5, (5, 95)))
    ]
    assert [(swing.since, swing.version) for swing in swings_of(line)] == [(4, 5)]


def test_of_many_figures_without_any_effect_one_stands_out_in_five_of_a_hundred_games() -> None:
    chance, factor = random.Random(1), joint_margin_factor(36)
    found = sum(any(abs(chance.gauss(0, 1)) > Z * factor for _ in range(36)) for _ in range(3000))
    assert 0.04 < found / 3000 < 0.06
    plain = sum(any(abs(chance.gauss(0, 1)) > Z for _ in range(36)) for _ in range(300))
    assert plain > 0.75 * 300, "without that it were five of six"


def test_a_swing_is_told_only_if_it_is_certain_among_as_many_turns() -> None:
    def line(turns: int) -> list[WinPoint]:
        wins = [50] * (turns - 1) + [71]
        return [
            WinPoint(version=at, seat=0, n=100, chances=[win_share(won, 100), win_share(100 - won, 100)])
            for at, won in enumerate(wins, 1)
        ]

    assert [swing.version for swing in swings_of(line(2))] == [2]
    assert swings_of(line(60)) == []


def test_what_chance_brings_is_held_against_its_mean_and_deviation_and_told_in_order() -> None:
    """A die of four that brings the first seat four on a one: mean 1, variance 16 / 4 - 1, each time."""
    die = {"odds": {"1": 1, "2": 1, "3": 1, "4": 1}, "gains": {"1": (4, 0), "2": (0, 0), "3": (0, 0), "4": (0, 4)}}
    events = [
        ChanceEvent("card", {"a": 1, "b": 1}, "a", seat=1),
        ChanceEvent("die", outcome="1", **die),
        ChanceEvent("card", {"a": 1, "b": 1}, None, seat=0),
        ChanceEvent("die", outcome="2", **die),
    ]
    ruleset = SimpleNamespace(
        chances=lambda _before, move, _effects: move,
        chance_kinds={"die": Title("dice", "ダイス"), "card": Title("cards", "カード")},
        watch=None,
    )
    steps = [SimpleNamespace(move=[event], before=None, effects=()) for event in events]
    found = luck_counts(cast("Any", SimpleNamespace(ruleset=ruleset, seats=2, steps=steps)))
    assert [(kind.kind, kind.seat, kind.n, kind.left_out) for kind in found.kinds] == [
        ("die", None, 2, 0),
        ("card", 0, 0, 1),
        ("card", 1, 1, 0),
    ]
    first, second = (each.count for each in found.kinds[0].brought)
    assert (first.got, first.expected, second.got, second.expected) == (4, 2, 0, 2)
    assert first.sd == second.sd == pytest.approx(math.sqrt(2 * (16 / 4 - 1)), abs=1e-3)
