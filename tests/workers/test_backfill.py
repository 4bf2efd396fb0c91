"""Finished games that are older than the analyses get theirs in spare time, and nobody waits for it."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import msgspec
from rq import Worker

from games.contract import PUBLIC
from projections.analyses.kinds import KINDS
from projections.audit import audit
from workers import backfill
from workers.analyses import Analyses
from workers.analysing import SPARE, subject_of
from workers.backfill import Backfill
from workers.queue import BACKFILL_ID, enqueue_analyses, open_queue, under_way
from workers.relay import BACKFILL_INTERVAL, Relay

if TYPE_CHECKING:
    import pytest

    from workers.analyses import Analysis


def finish(host: Any, seed: int = 1, moves: int = 1000) -> str:
    """A game that was recorded, and audited, before there were analyses."""
    game: str = host.record(host.played(seed, moves))
    fold = host.archive.folds.current(game)
    host.results.keep_snapshot(audit(fold), fold.state.round)
    return game


def kinds(host: Any, game: str) -> set[str]:
    return {each.subject.kind for each in Analyses(host.results).of_game(game, None, 20)}


def test_every_finished_game_is_found_once_and_no_other(each_host: Any) -> None:
    host, fill = each_host, Backfill(each_host.results)
    finished = [finish(host, seed) for seed in range(1, 4)]
    playing = finish(host, 7, 10)
    found = []
    while fill.step(host.archive.folds):
        found.append({game for game in finished if kinds(host, game)})
    assert [len(games) for games in found] == [1, 2, 3]
    assert all(kinds(host, game) == set(SPARE) for game in finished)
    assert not kinds(host, playing)
    assert {each.queue for game in finished for each in Analyses(host.results).of_game(game, None, 20)} == {"spare"}
    assert not Backfill(host.results).step(host.archive.folds), "nor by another worker"


def test_a_snapshot_of_a_former_release_tells_as_well_that_its_game_is_over(each_host: Any) -> None:
    game = finish(each_host)
    each_host.results.change("update result set over = 0, round = 0", [])
    assert Backfill(each_host.results).step(each_host.archive.folds)
    assert kinds(each_host, game) == set(SPARE)


def test_a_game_that_goes_on_after_its_end_is_looked_at_again(empty_host: Any) -> None:
    host, fill = empty_host, Backfill(empty_host.results)
    game = finish(host)
    assert fill.step(host.archive.folds)
    version = host.archive.log.head(game).version
    host.record([host.event("note.added", text="Tea.")], game, version)
    fold = host.archive.folds.current(game)
    host.results.keep_snapshot(audit(fold), fold.state.round)
    assert fill.step(host.archive.folds)
    versions = {each.subject.version for each in Analyses(host.results).of_game(game, None, 20)}
    assert versions == {version, version + 1}


def test_analyses_with_a_new_revision_are_made_of_old_games_again(
    empty_host: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = finish(empty_host)
    assert Backfill(empty_host.results).step(empty_host.archive.folds)
    before = len(Analyses(empty_host.results).of_game(game, None, 20))
    monkeypatch.setitem(KINDS, "timeline", msgspec.structs.replace(KINDS["timeline"], revision=999))
    assert Backfill(empty_host.results).step(empty_host.archive.folds)
    assert len(Analyses(empty_host.results).of_game(game, None, 20)) == before + 1


def test_a_game_that_cannot_be_read_holds_up_no_other(empty_host: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = sorted(finish(empty_host, seed) for seed in (1, 2))
    current = empty_host.archive.folds.current

    def read(game: str) -> Any:
        if game == first:
            raise backfill.ProjectionError(first)
        return current(game)

    monkeypatch.setattr(empty_host.archive.folds, "current", read)
    assert Backfill(empty_host.results).step(empty_host.archive.folds)
    assert kinds(empty_host, second)


def test_no_more_is_taken_when_a_quarter_of_the_hour_was_worked(empty_host: Any) -> None:
    host, analyses = empty_host, Analyses(empty_host.results)
    first, second = sorted(finish(host, seed) for seed in (1, 2))
    fill = Backfill(host.results)
    assert fill.step(host.archive.folds)
    asked = analyses.of_game(first, None, 1)[0]
    analyses.keep(asked, {}, 0.25 * 3600)
    assert not fill.step(host.archive.folds)
    assert not kinds(host, second)
    host.results.change("update effort set at = at - 3600000", [])
    assert fill.step(host.archive.folds)
    assert kinds(host, second)


# With the real relay and workers


def test_old_games_are_analysed_when_there_is_nothing_else_to_do(host: Any) -> None:
    games = [finish(host, seed) for seed in (1, 2)]
    host.results.set_cursor(host.archive.log.position(), host.archive.log.head(games[-1]).hash)
    host.start_relay()
    host.start_spare_worker(KIFU_SPARE="on")
    host.until(lambda: any(kinds(host, game) == set(SPARE) for game in games))
    analyses = Analyses(host.results)
    host.until(lambda: any(each.status == "done" for game in games for each in analyses.of_game(game, None, 9)))


def test_the_back_fill_waits_for_what_somebody_waits_for_and_goes_on_at_once_afterwards(host: Any) -> None:
    game = host.record(host.played(2, 10))
    host.results.set_cursor(host.archive.log.position(), host.archive.log.head(game).hash)
    relay, analyses = Relay(host.folder, host.redis, audit=0), Analyses(host.results)
    spare = open_queue(host.results, host.redis, "spare")
    fold = host.archive.folds.current(game)
    asked = analyses.ask(subject_of(fold, KINDS["win-line"], {}, PUBLIC), "asked", "Aiko")

    def queued() -> bool:
        relay._look_at = 0.0
        relay.step()
        return BACKFILL_ID in under_way(spare)

    assert not any(queued() for _ in range(3))
    analyses.cancel(asked.id)
    assert queued()
    assert relay._fill_at > time.monotonic() + BACKFILL_INTERVAL / 2, "and rests if nothing comes of it"
    relay.close()


def test_the_lease_of_a_worker_that_died_over_an_analysis_is_given_on_within_fifteen_seconds(host: Any) -> None:
    game = host.record(host.played(1, 40))
    analyses, fold = Analyses(host.results), host.archive.folds.current(game)
    asked = analyses.ask(subject_of(fold, KINDS["win-line"], {"precision": 1}, PUBLIC), "asked", "Aiko")

    def now() -> Analysis:
        found = analyses.find(asked.id)
        assert found
        return found

    started = {process.pid: process for process in (host.start_worker(), host.start_worker())}
    host.until(lambda: Worker.count(connection=host.redis) == 2)
    queue = open_queue(host.results, host.redis, "asked")

    def working() -> list[int]:
        if not under_way(queue):
            enqueue_analyses(queue, host.folder, [(asked.id, 0)])  # one slot: the other worker has nothing to do
        return [each.pid for each in Worker.all(connection=host.redis) if each.pid and each.get_current_job_id()]

    killed = started[host.until(working)[0]]
    killed.kill()
    killed.wait()
    died, stood = time.monotonic(), now().done
    host.until(lambda: now().done > stood)
    assert time.monotonic() - died < 15
