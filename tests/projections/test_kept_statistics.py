"""Statistics that are kept follow each change, and are then the same as those that are counted anew."""

from __future__ import annotations

import threading
import tracemalloc
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from projections.catalogue import lookups
from projections.statistics import known as known_results
from projections.statistics import parts as parts_room
from projections.statistics.kept import KeptFigures
from projections.statistics.known import Known, KnownResults
from projections.statistics.moves import Played, figures_of_moves, tally_of
from projections.statistics.parts import Parts, in_parts
from projections.statistics.people import CHANCES
from projections.statistics.ratings import Ladder, rated_games
from projections.statistics.years import Month, by_month, review_of, scores_of, year_of
from tests.projections.test_statistics import PEOPLE, many, result

if TYPE_CHECKING:
    from collections.abc import Sequence

    from events.merges import Merges
    from projections.catalogue.rows import Listed
    from projections.statistics.results import Result
    from tests.projections.conftest import Recorder


@st.composite
def changed(draw: st.DrawFn) -> tuple[list[Result], list[Result]]:
    """Games, and the same ones with one left out, corrected or added."""
    games = draw(many())
    place = draw(st.integers(0, len(games)))
    other = result(100 + place, ["ada", "bob"], [draw(st.integers(0, 9)), 4], played_at=60_000 * place)
    middle = draw(st.sampled_from([[], [other]]))
    return games, [*games[:place], *middle, *games[place + draw(st.integers(0, 1)) :]]


def told(ladder: Ladder) -> object:
    """All that a ladder says."""
    history = {player: ladder.history(player) for player in PEOPLE}
    return ladder.ratings(), ladder.newcomers(), ladder.brier, history


@given(changed())
@pytest.mark.slow
def test_a_ladder_that_follows_a_change_is_that_of_all_games(both: tuple[list[Result], list[Result]]) -> None:
    before, after = both
    ladder = Ladder.from_results(before)
    was = told(ladder)
    assert told(ladder.following(rated_games(after))) == told(Ladder.from_results(after))
    assert told(ladder) == was, "an older ladder is never changed"


def test_only_games_from_the_changed_one_on_are_rated_again(monkeypatch: pytest.MonkeyPatch) -> None:
    games = [result(number, ["ada", "bob"], [number % 3, 1]) for number in range(30)]
    ladder, added, add = Ladder.from_results(games), list[str](), Ladder.add

    def noted(self: Ladder, game: Result) -> None:
        added.append(game.game)
        add(self, game)

    monkeypatch.setattr(Ladder, "add", noted)
    ladder.following([*games[:28], result(28, ["ada", "bob"], [5, 9]), games[29]])
    assert added == ["g28", "g29"]


@given(changed())
@pytest.mark.slow
def test_parts_that_follow_a_change_give_the_figures_of_all_games(both: tuple[list[Result], list[Result]]) -> None:
    counted = list[int]()

    def count(games: Sequence[Result]) -> tuple[Any, bool]:
        counted.append(len(games))
        return tally_of(Played(each, (), None, None) for each in games), True

    before, after = both
    parts = Parts[Any]().following(in_parts(before), count)
    counted.clear()
    parts = parts.following(in_parts(after), count)
    assert len(counted) <= 2, "parts without a change are not counted again"
    anew, _ = count(after)
    assert figures_of_moves(parts.sums.values()) == figures_of_moves([anew])


def test_parts_that_are_not_whole_are_counted_further_while_there_is_time() -> None:
    games = in_parts([result(number, ["ada", "bob"], [1, 0], day=f"2026-0{number}-01") for number in range(1, 5)])
    counted = list[str]()

    def count(games: Sequence[Result]) -> tuple[int, bool]:
        counted.append(games[0].game)
        return len(games), False

    parts = Parts[int]().following(games, count, more=lambda: False)
    assert (len(counted), parts.is_whole) == (4, False), "what is not there yet is counted in any case"
    assert parts.following(games, count, more=lambda: False).sums == parts.sums
    assert len(counted) == 4
    parts.following(games, count, more=lambda: len(counted) < 6)
    assert len(counted) == 6


def test_a_period_has_the_parts_of_all_games_and_what_is_ones_own_is_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    games = [
        result(number, PEOPLE[: 2 + number % 2], [1] * (2 + number % 2), day=f"2026-0{1 + number % 5}-07")
        for number in range(40)
    ]
    whole, year = in_parts(games), in_parts(each for each in games if each.day > "2026-02")
    assert year == {name: part for name, part in whole.items() if name > "2026-02"}
    assert len(whole) == 10
    own = in_parts(games, {"g3", "g14"})
    assert [each.game for each in own["own 0 "]] == ["g3", "g14"]
    changed = {name for name in whole if own.get(name) != whole[name]}
    assert changed == {"2026-04 3 ", "2026-05 2 "}
    monkeypatch.setattr(parts_room, "LARGEST", 3)
    small = in_parts(games)
    assert all(len({each.game[-1] for each in part}) == 1 for part in small.values()), "a part of four is parted"
    assert sorted(each.game for part in small.values() for each in part) == sorted(each.game for each in games)


def test_figures_that_are_kept_have_a_size_at_the_most() -> None:
    kept = KeptFigures[str](len, 10)
    for about, figures in (("x", "four"), ("y", "five5"), ("z", "")):
        assert kept.get(about, 1, lambda _, figures=figures: figures) == figures
    assert kept.cached("x") == "four", "nine letters, and the one that was asked for last"
    assert kept.get("w", 1, lambda _: "three") == "three"
    assert (kept.cached("x"), kept.cached("y"), kept.cached("w")) == ("four", None, "three")
    assert kept.get("v", 1, lambda _: "a text of many letters") == "a text of many letters"
    assert (kept.cached("x"), kept.cached("w"), kept.cached("v")) == (None, None, "a text of many letters")


def test_new_figures_begin_with_like_ones_and_are_never_taken_for_them() -> None:
    kept, seen = KeptFigures[int](), list[int | None]()
    assert kept.get("all", 1, lambda _: 7) == 7

    def make(older: int | None) -> int:
        seen.append(older)
        return 8

    assert kept.get("own", 1, make, like="all") == 8
    assert kept.get("own", 1, make, like="all") == 8
    assert kept.get("other", None, make, like="nothing") == 8
    assert seen == [7, None]


@given(many())
@pytest.mark.slow
def test_a_year_by_months_is_that_of_each_person_counted_by_hand(games: list[Result]) -> None:
    dated = [
        msgspec.structs.replace(each, day=f"202{place % 2}-0{1 + place % 7}-01") for place, each in enumerate(games)
    ]
    months = by_month(dated)
    scores = {name: scores_of(of, None) for name, of in months.items()}
    own = {name: Month.from_results(of, None) for name, of in months.items() if name[:4] == "2021"}
    everybody = review_of(2021, scores, own, None)
    of_year = [each for each in dated if each.day[:4] == "2021"]
    assert everybody == year_of(2021, dated, None)
    assert (everybody.n, everybody.minutes) == (len(of_year), 10 * len(of_year))
    for person in PEOPLE:
        own = [each for each in of_year if person in each.seats]
        against = [each for each in own if not each.together and len(each.seats) > 1]
        found = year_of(2021, dated, person)
        assert (found.n, found.share.n) == (len(own), len(against))
        assert found.share.wins == sum(each.seats.index(person) in each.winners for each in against)
        chance = sum(len(each.winners) / len(each.seats) for each in against)
        assert abs(found.share.by_chance - chance) <= len(against) / CHANCES


def finished(table: Recorder) -> str:
    """A game that is played to its end, and listed."""
    game = table.open()
    table.play(game)
    table.projector.catch_up()
    return game


class Nobody:
    """A store of access in which nothing changes, unless it is told."""

    def __init__(self) -> None:
        self.told = list[tuple[int, str, bool]]()

    def changes(self, after: int, limit: int) -> list[tuple[int, str, bool]]:
        return [each for each in self.told if each[0] > after][:limit]


def test_results_are_read_once_and_follow_what_is_listed(table: Recorder, monkeypatch: pytest.MonkeyPatch) -> None:
    log, views = table.archive.log, table.archive.views
    merges: Merges = log.people.merges()
    games = [finished(table) for _ in range(4)]
    read, listed = list[str](), lookups.to_listed

    def noted(row: dict[str, Any]) -> Listed:
        read.append(row["game"])
        return listed(row)

    monkeypatch.setattr(lookups, "to_listed", noted)
    known, access = KnownResults(), Nobody()
    first = known.refresh(views.db, merges, access)
    assert [each.game for each in first.ordered] == games
    assert sorted(read) == sorted(games)
    read.clear()
    assert known.refresh(views.db, merges, access) is first
    assert read == []
    added = finished(table)
    second = known.refresh(views.db, merges, access)
    assert set(read) <= {added, games[-1]}
    assert [each.game for each in second.ordered] == [*games, added]
    assert first.ordered == second.ordered[:-1], "what was known before is not changed"
    table.withdraw(games[1], first.by_game[games[1]].version)
    table.projector.catch_up()
    third = known.refresh(views.db, merges, access)
    assert [each.game for each in third.ordered] == [games[0], games[2], games[3], added]
    played = {person: [each.game for each in results] for person, results in third.people.items()}
    assert played == {person: [games[0], games[2], games[3], added] for person in first.people}
    access.told.append((1, games[0], True))
    fourth = known.refresh(views.db, merges, access)
    assert (third.shown, fourth.shown) == (set(), {games[0]})
    assert fourth.stamp != third.stamp


def test_results_of_people_who_play_often_take_little_memory() -> None:
    """Of a game with four people: lists of results take a third of what sets of ids took."""
    games = [result(number, [f"p{(number + seat) % 50}" for seat in range(4)], [1, 2, 3, 4]) for number in range(5000)]
    tracemalloc.start()
    try:
        known = known_results._after(Known(None, (), (), {}, (), {}), {each.game: each for each in games})
        taken, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert len(known.people["p1"]) == 400
    assert taken / len(games) < 150


class Rests(threading.Event):
    """Whether somebody asked; it counts the rests until then."""

    count = 0

    def wait(self, timeout: float | None = None) -> bool:
        """Rest, for no time."""
        assert timeout is not None
        self.count += 1
        return self.is_set()


def test_reading_ahead_rests_until_somebody_asks(table: Recorder, monkeypatch: pytest.MonkeyPatch) -> None:
    views, merges = table.archive.views, table.archive.log.people.merges()
    games = [finished(table) for _ in range(4)]
    monkeypatch.setattr(known_results, "AT_ONCE", 2)
    ahead, asked = KnownResults(), KnownResults()
    ahead._asked, asked._asked = rests, others = Rests(), Rests()
    found = ahead.read_ahead(views.db, merges, Nobody())
    assert ([each.game for each in found.ordered], rests.count) == (games, 2)
    assert ahead.refresh(views.db, merges, Nobody()) is found, "it is not read again"
    assert asked.refresh(views.db, merges, Nobody()).by_game == found.by_game
    assert others.count == 0


def test_figures_that_take_long_are_made_in_the_background() -> None:
    kept, go_on, made = KeptFigures[int](), threading.Event(), threading.Event()

    def slowly(_: int | None) -> int:
        go_on.wait(30)
        made.set()
        return 2

    assert kept.get("x", 1, lambda _: 1) == 1
    assert kept.get("x", 2, slowly, long=lambda _: True) == 1, "the older ones, meanwhile"
    assert kept.get("x", 2, slowly, long=lambda _: True) == 1
    assert kept.get("y", 2, lambda _: 5) == 5, "others do not wait for it"
    go_on.set()
    assert made.wait(30)
    assert kept.get("x", 2, lambda older: older or 0, long=lambda _: False) == 2


def test_figures_that_fail_are_not_kept() -> None:
    kept = KeptFigures[int]()
    for _ in range(2):
        try:
            kept.get("x", 1, lambda _: 1 // 0)
        except ZeroDivisionError:
            continue
        raise AssertionError("nothing was raised")
    assert kept.get("x", 1, lambda _: 7) == 7
    assert kept.get("x", 1, lambda _: 8, whole=lambda _: False) == 8, "what is not whole is made further"
