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


def finish(shop: Any, seed: int = 1, moves: int = 1000) -> str:
    """A game that was recorded, and audited, before there were analyses."""
    game: str = shop.record(shop.played(seed, moves))
    fold = shop.archive.folds.current(game)
    shop.results.keep_snapshot(audit(fold), fold.state.round)
    return game


def kinds(shop: Any, game: str) -> set[str]:
    return {each.subject.kind for each in Analyses(shop.results).of_game(game, None, 20)}


def test_every_finished_game_is_found_once_and_no_other(either_shop: Any) -> None:
    shop, fill = either_shop, Backfill(either_shop.results)
    finished = [finish(shop, seed) for seed in range(1, 4)]
    playing = finish(shop, 7, 10)
    found = []
    while fill.step(shop.archive.folds):
        found.append({game for game in finished if kinds(shop, game)})
    assert [len(games) for games in found] == [1, 2, 3]
    assert all(kinds(shop, game) == set(SPARE) for game in finished)
    assert not kinds(shop, playing)
    assert {each.queue for game in finished for each in Analyses(shop.results).of_game(game, None, 20)} == {"spare"}
    assert not Backfill(shop.results).step(shop.archive.folds), "nor by another worker"


def test_a_snapshot_of_a_former_release_tells_as_well_that_its_game_is_over(either_shop: Any) -> None:
    game = finish(either_shop)
    either_shop.results.change("update result set over = 0, round = 0", [])
    assert Backfill(either_shop.results).step(either_shop.archive.folds)
    assert kinds(either_shop, game) == set(SPARE)


def test_a_game_that_goes_on_after_its_end_is_looked_at_again(empty_shop: Any) -> None:
    shop, fill = empty_shop, Backfill(empty_shop.results)
    game = finish(shop)
    assert fill.step(shop.archive.folds)
    version = shop.archive.log.head(game).version
    shop.record([shop.event("note.added", text="Tea.")], game, version)
    fold = shop.archive.folds.current(game)
    shop.results.keep_snapshot(audit(fold), fold.state.round)
    assert fill.step(shop.archive.folds)
    versions = {each.subject.version for each in Analyses(shop.results).of_game(game, None, 20)}
    assert versions == {version, version + 1}


def test_analyses_with_a_new_revision_are_made_of_old_games_again(
    empty_shop: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = finish(empty_shop)
    assert Backfill(empty_shop.results).step(empty_shop.archive.folds)
    before = len(Analyses(empty_shop.results).of_game(game, None, 20))
    monkeypatch.setitem(KINDS, "timeline", msgspec.structs.replace(KINDS["timeline"], revision=999))
    assert Backfill(empty_shop.results).step(empty_shop.archive.folds)
    assert len(Analyses(empty_shop.results).of_game(game, None, 20)) == before + 1


def test_a_game_that_cannot_be_read_holds_up_no_other(empty_shop: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = sorted(finish(empty_shop, seed) for seed in (1, 2))
    current = empty_shop.archive.folds.current

    def read(game: str) -> Any:
        if game == first:
            raise backfill.ProjectionError(first)
        return current(game)

    monkeypatch.setattr(empty_shop.archive.folds, "current", read)
    assert Backfill(empty_shop.results).step(empty_shop.archive.folds)
    assert kinds(empty_shop, second)


def test_no_more_is_taken_when_a_quarter_of_the_hour_was_worked(empty_shop: Any) -> None:
    shop, analyses = empty_shop, Analyses(empty_shop.results)
    first, second = sorted(finish(shop, seed) for seed in (1, 2))
    fill = Backfill(shop.results)
    assert fill.step(shop.archive.folds)
    asked = analyses.of_game(first, None, 1)[0]
    analyses.keep(asked, {}, 0.25 * 3600)
    assert not fill.step(shop.archive.folds)
    assert not kinds(shop, second)
    shop.results.change("update effort set at = at - 3600000", [])
    assert fill.step(shop.archive.folds)
    assert kinds(shop, second)


# With the real relay and workers


def test_old_games_are_analysed_when_there_is_nothing_else_to_do(shop: Any) -> None:
    games = [finish(shop, seed) for seed in (1, 2)]
    shop.results.set_cursor(shop.archive.log.position(), shop.archive.log.head(games[-1]).hash)
    shop.start_relay()
    shop.start_spare_worker(KIFU_SPARE="on")
    shop.until(lambda: any(kinds(shop, game) == set(SPARE) for game in games))
    analyses = Analyses(shop.results)
    shop.until(lambda: any(each.status == "done" for game in games for each in analyses.of_game(game, None, 9)))


def test_the_back_fill_waits_for_what_somebody_waits_for_and_goes_on_at_once_afterwards(shop: Any) -> None:
    game = shop.record(shop.played(2, 10))
    shop.results.set_cursor(shop.archive.log.position(), shop.archive.log.head(game).hash)
    relay, analyses = Relay(shop.folder, shop.redis, audit=0), Analyses(shop.results)
    spare = open_queue(shop.results, shop.redis, "spare")
    fold = shop.archive.folds.current(game)
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


def test_the_lease_of_a_worker_that_died_over_an_analysis_is_given_on_within_fifteen_seconds(shop: Any) -> None:
    game = shop.record(shop.played(1, 40))
    analyses, fold = Analyses(shop.results), shop.archive.folds.current(game)
    asked = analyses.ask(subject_of(fold, KINDS["win-line"], {"precision": 1}, PUBLIC), "asked", "Aiko")

    def now() -> Analysis:
        found = analyses.find(asked.id)
        assert found
        return found

    started = {process.pid: process for process in (shop.start_worker(), shop.start_worker())}
    shop.until(lambda: Worker.count(connection=shop.redis) == 2)
    queue = open_queue(shop.results, shop.redis, "asked")

    def working() -> list[int]:
        if not under_way(queue):
            enqueue_analyses(queue, shop.folder, [(asked.id, 0)])  # one slot: the other worker has nothing to do
        return [each.pid for each in Worker.all(connection=shop.redis) if each.pid and each.get_current_job_id()]

    killed = started[shop.until(working)[0]]
    killed.kill()
    killed.wait()
    died, stood = time.monotonic(), now().done
    shop.until(lambda: now().done > stood)
    assert time.monotonic() - died < 15
