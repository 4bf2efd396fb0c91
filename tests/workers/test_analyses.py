"""Analyses as work: asked for once, split over workers, broken off and gone on with, cancelled, forgotten."""

from __future__ import annotations

import random
import sqlite3
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from itertools import count
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from events.errors import LogError, LogFullError, LogUnreachableError
from games.contract import PUBLIC, RECORD, Viewpoint
from projections.analyses import kinds
from projections.analyses.game_replay import replay_of
from projections.analyses.kinds import KINDS, Kind, Parameter
from projections.analyses.rounds import WorkRound, WorkUnit
from projections.errors import FoldError
from tests.cases import cases
from tests.choosing import short_or_soak, soak_except
from workers import jobs
from workers.analyses import SLOTS, Analyses
from workers.analysing import Analyst, BadParameterError, next_index, subject_of, viewpoint_named
from workers.jobs import analyse, record_failure
from workers.queue import enqueue, enqueue_analyses, open_queues
from workers.results import ANALYSIS, Results
from workers.worker import Worker

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from workers.analyses import Analysis


class Sums:
    """A kind of analysis in three rounds. Each builds on the one before; it counts the work."""

    def __init__(self) -> None:
        self.worked: list[str] = []
        self.breaks, self.seconds = "", 0.0

    def analyse(self, replay: Any, values: Any) -> Any:
        total, so_far = 0, []
        for number in range(3):
            units = [self._unit(f"{replay.game} {number} {total} {at}") for at in range(values["units"])]
            found = yield WorkRound(units, 3 * len(units), so_far or None)
            total += sum(found[unit.key] for unit in units)
            so_far = [*so_far, total]
        return {"sums": so_far}

    def _unit(self, key: str) -> WorkUnit:
        def work() -> int:
            if key.endswith(self.breaks or "-"):
                raise FoldError("a game", 3, "it broke")
            self.worked.append(key)
            time.sleep(self.seconds)
            return len(key) + int(key[-1])

        return WorkUnit(key, work)


@pytest.fixture
def sums(monkeypatch: pytest.MonkeyPatch) -> Sums:
    found = Sums()
    kind = Kind(
        name="sums",
        revision=1,
        what="sums",
        result=dict,
        analyse=found.analyse,
        parameters={"units": Parameter(1, 40, 5, "how many")},
    )
    monkeypatch.setitem(KINDS, "sums", kind)
    return found


class Desk:
    """A game, and who has it analysed."""

    def __init__(self, host: Any, seed: int = 1) -> None:
        self.host, self.game = host, host.record(host.played(seed, 12))
        self.analyses = Analyses(host.results)

    def ask(
        self, kind: str = "sums", queue: Any = "asked", by: str = "Aiko", viewpoint: Viewpoint = PUBLIC, **values: int
    ) -> Analysis:
        fold = self.host.archive.folds.current(self.game)
        return self.analyses.ask(subject_of(fold, KINDS[kind], values, viewpoint), queue, by)

    def worker(self) -> Analyst:
        return Analyst(self.analyses, self.host.archive.folds, self.host.archive.log)

    def now(self, analysis: Analysis) -> Analysis:
        found = self.analyses.find(analysis.id)
        assert found
        return found


@pytest.fixture
def desk(each_host: Any, sums: Sums) -> Desk:
    return Desk(each_host)


def test_an_analysis_asked_for_again_is_the_same_one(desk: Desk) -> None:
    first = desk.ask()
    assert desk.ask() == first
    assert desk.ask(units=4).id != first.id
    assert desk.ask(viewpoint=RECORD).id != first.id
    desk.host.record([desk.host.event("note.added", text="Tea.")], desk.game, 13)
    assert desk.ask().id != first.id


def test_an_analysis_asked_for_that_waited_for_spare_time_is_made_at_once(desk: Desk) -> None:
    waiting = desk.ask(queue="spare", by="")
    asked = desk.ask()
    assert (asked.id, asked.queue, asked.by) == (waiting.id, "asked", "Aiko")
    assert desk.ask(queue="spare", by="").queue == "asked"


def test_parameters_that_a_kind_does_not_have_are_refused_by_name(desk: Desk) -> None:
    with pytest.raises(BadParameterError, match="units: not from 1 to 40"):
        desk.ask(units=41)
    with pytest.raises(BadParameterError, match="rounds: sums has only the parameters units"):
        desk.ask(rounds=1)


def test_any_split_over_workers_comes_to_the_same_and_does_nothing_twice(desk: Desk, sums: Sums) -> None:
    alone = desk.ask(units=7)
    desk.worker().run_for(alone.id)
    once = sorted(sums.worked)
    assert len(once) == len(set(once)) == 21
    result, chance = desk.now(alone).data, random.Random(4)
    desk.analyses.forget(desk.game)
    sums.worked.clear()
    split = desk.ask(units=7)
    for _ in range(100):  # each begins anew, in a slot of its own, and has time for nothing or for all
        desk.worker().run_for(
            split.id, seconds=chance.choice([-1.0, 0.0002, 0.0002, 1.0]), slot=chance.randrange(SLOTS)
        )
    assert desk.now(split).data == result
    assert sorted(sums.worked) == once


def test_two_workers_beside_each_other_do_hardly_anything_twice(desk: Desk, sums: Sums) -> None:
    """They meet when one unit of a round is left, at the earliest."""
    analysis, sums.seconds = desk.ask(units=40), 0.004
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(lambda slot: desk.worker().run_for(analysis.id, seconds=60, slot=slot), (0, 1)))
    assert desk.now(analysis).status == "done"
    assert len(set(sums.worked)) == 3 * 40
    assert len(sums.worked) <= 3 * 40 + 3


def test_workers_of_all_slots_take_other_units() -> None:
    for units in range(SLOTS, 30):
        places = [next_index(units, slot) for slot in range(SLOTS)]
        assert len(set(places)) == SLOTS, units
        assert set(places) <= set(range(units)), units


def test_progress_only_goes_on_and_what_is_known_so_far_is_shown(desk: Desk) -> None:
    """A piece that a killed worker has stored counts at once."""
    analysis, seen = desk.ask(), []
    desk.analyses.keep(analysis, {f"{desk.game} 0 0 2": 99}, 0.1)
    tell = desk.analyses.record_progress
    desk.analyses.record_progress = lambda *told: (tell(*told), seen.append(desk.now(analysis)))  # type: ignore[assignment, func-returns-value]
    desk.worker().run_for(analysis.id)
    assert [(at.status, at.planned) for at in seen] == [("running", 15)] * len(seen)
    assert [at.done for at in seen] == [1, 5, 10]
    assert [at.data is not None for at in seen] == [False, True, True]
    done = desk.now(analysis)
    assert (done.status, done.done, done.planned) == ("done", 15, 15)


def test_an_analysis_that_breaks_off_says_how_much_is_done(
    desk: Desk, sums: Sums, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A worker has time for a few units, by a clock that goes on when it is looked at. A round has five."""
    analysis, seen = desk.ask(), list[tuple[int, int]]()
    while desk.now(analysis).status != "done":
        monkeypatch.setattr("workers.analysing.time", SimpleNamespace(monotonic=count().__next__, thread_time=float))
        desk.worker().run_for(analysis.id, seconds=5)
        seen.append((desk.now(analysis).done, len(sums.worked)))
    assert len(seen) > 3
    assert [told for told, _ in seen] == [done for _, done in seen]


def test_a_worker_that_is_behind_another_one_takes_no_progress_back(desk: Desk) -> None:
    analysis = desk.ask()
    desk.analyses.record_progress(analysis.id, 5, 15, ["five"])
    desk.analyses.record_progress(analysis.id, 3, 15, ["three"])
    found = desk.now(analysis)
    assert (found.done, found.planned, found.data) == (5, 15, '["five"]')


@pytest.mark.slow
def test_the_part_that_is_done_never_gets_smaller_while_a_review_is_made(host: Any) -> None:
    """Its parts are known one after the other, and each one's plan grows."""
    desk, seen = Desk(host), []
    analysis = desk.ask("review", games=short_or_soak(300, 2000), precision=20)
    tell = desk.analyses.record_progress
    desk.analyses.record_progress = lambda *told: (tell(*told), seen.append(desk.now(analysis)))  # type: ignore[assignment, func-returns-value]
    while desk.now(analysis).status != "done":
        desk.worker().run_for(analysis.id, seconds=0.05)
    parts = [at.done / at.planned for at in seen if at.planned]
    assert parts == sorted(parts)
    assert len(set(parts)) > 3
    assert all(part < 1 for part in parts[: len(parts) // 2]), "it does not look finished long before the end"


def test_a_plan_that_grows_makes_no_part_smaller(desk: Desk) -> None:
    analysis, seen = desk.ask(), []
    for done, planned in ((0, 8), (0, 10), (5, 10), (5, 50), (6, 50), (6, 9), (9, 9), (10, 40)):
        desk.analyses.record_progress(analysis.id, done, planned, None)
        seen.append((desk.now(analysis).done, desk.now(analysis).planned))
    assert seen == [(0, 8), (0, 10), (5, 10), (5, 10), (6, 12), (6, 9), (9, 9), (10, 10)]


def test_what_others_did_before_does_not_show_in_what_an_analysis_took(desk: Desk, sums: Sums) -> None:
    """Else it would tell who looks from elsewhere that no more is known there."""
    first = desk.ask()
    desk.worker().run_for(first.id)
    desk.host.results.change("delete from analysis", [])
    again = desk.ask()
    desk.worker().run_for(again.id)
    assert len(sums.worked) == 15, "all pieces were there"
    assert (desk.now(again).done, desk.now(again).planned) == (15, 15)


def test_only_the_whole_record_takes_pieces_of_the_public(desk: Desk, sums: Sums) -> None:
    """Else the progress of others would tell that the record knows no more than they do."""
    for viewpoint, done in ((PUBLIC, 15), (Viewpoint("seat", 0), 30), (RECORD, 30)):
        desk.worker().run_for(desk.ask(viewpoint=viewpoint).id)
        assert len(sums.worked) == done, viewpoint
    desk.analyses.forget(desk.game)
    for viewpoint, done in ((RECORD, 45), (PUBLIC, 60)):
        desk.worker().run_for(desk.ask(viewpoint=viewpoint).id)
        assert len(sums.worked) == done, viewpoint


def test_a_cancelled_analysis_stops_and_keeps_what_is_done_for_the_next_request(desk: Desk, sums: Sums) -> None:
    analysis = desk.ask()
    desk.worker().run_for(analysis.id, seconds=-1)
    desk.analyses.keep(analysis, {f"{desk.game} 0 0 2": 99}, 0.1)
    desk.analyses.cancel(analysis.id)
    desk.worker().run_for(analysis.id)
    assert (sums.worked, desk.now(analysis).status) == ([], "cancelled")
    again = desk.ask()
    assert (again.id, again.status) == (analysis.id, "waiting")
    desk.worker().run_for(again.id)
    assert desk.now(again).status == "done"
    assert f"{desk.game} 0 0 2" not in sums.worked
    desk.analyses.cancel(analysis.id)
    assert desk.now(again).status == "done", "what is done stays so"


def test_a_worker_notices_within_a_moment_that_an_analysis_was_cancelled(
    desk: Desk, sums: Sums, monkeypatch: Any
) -> None:
    monkeypatch.setattr("workers.analysing.CANCEL_CHECK_INTERVAL", 0.0)
    analysis = desk.ask()
    keep = desk.analyses.keep

    def keep_and_cancel(*kept: Any) -> None:
        keep(*kept)
        desk.analyses.cancel(analysis.id)

    monkeypatch.setattr(desk.analyses, "keep", keep_and_cancel)
    desk.worker().run_for(analysis.id)
    assert len(sums.worked) == 1


def test_why_an_analysis_cannot_be_made_is_told_and_it_can_be_tried_again(desk: Desk, sums: Sums) -> None:
    analysis, sums.breaks = desk.ask(), "3"
    analyse(str(desk.host.folder), analysis.id, 0)
    assert desk.now(analysis).status == "failed"
    assert "entry 3 cannot be replayed" in desk.now(analysis).cause
    sums.breaks = ""
    assert desk.ask().status == "waiting"
    analyse(str(desk.host.folder), analysis.id, 0)
    assert (desk.now(analysis).status, desk.now(analysis).cause) == ("done", "")


def test_an_analysis_with_jobs_that_fail_for_another_cause_says_so(desk: Desk) -> None:
    analysis = desk.ask()

    class Job:
        should_retry, func_name = False, "workers.jobs.analyse"
        args = (str(desk.host.folder), analysis.id, 2)

    record_failure(Job(), OSError, OSError("no space"), None)  # type: ignore[arg-type]
    assert (desk.now(analysis).status, desk.now(analysis).cause) == ("failed", "OSError: no space")
    assert desk.host.results.count_letters() == 0


@pytest.mark.parametrize("error", [LogFullError("the disk is full"), LogUnreachableError("no answer")])
def test_an_analysis_waits_for_room_or_for_the_database_and_does_not_fail(
    desk: Desk, sums: Sums, error: LogError, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(jobs, "PAUSE", 0.0)
    tries, run = count(), Analyst.run_for

    def run_later(*args: Any, **more: Any) -> None:
        if next(tries) < 3:
            raise error
        run(*args, **more)

    monkeypatch.setattr(Analyst, "run_for", run_later)
    analysis = desk.ask()
    analyse(str(desk.host.folder), analysis.id, 0)
    assert desk.now(analysis).status == "done"
    assert [record.getMessage() for record in caplog.records] == [f"analyse waits: {error}"], "and says so once"


def test_what_is_not_what_was_written_is_made_again(desk: Desk, sums: Sums) -> None:
    analysis = desk.ask()
    desk.worker().run_for(analysis.id)
    good, done = desk.now(analysis).data, len(sums.worked)
    desk.host.results.change("update analysis set data = '{}' where id = ?", [analysis.id])
    desk.host.results.change("update piece set data = '1' where key = (select max(key) from piece)", [])
    assert desk.analyses.find(analysis.id) is None
    analysis = desk.ask()
    desk.worker().run_for(analysis.id)
    assert (desk.now(analysis).status, desk.now(analysis).data) == ("done", good)
    assert len(sums.worked) == done + 1


def test_of_another_past_of_the_game_nothing_is_shown(desk: Desk) -> None:
    analysis = desk.ask()
    other = {"hash": "other", "status": "done"}
    desk.host.results.db.run(lambda db: ANALYSIS.change(db, other, "id = ?", [analysis.id]))
    again = desk.ask()
    assert (again.id != analysis.id, again.status) == (True, "waiting")
    assert desk.analyses.find(analysis.id) is None


def test_what_was_spent_is_counted_by_game_and_by_caller(desk: Desk) -> None:
    asked, spare = desk.ask(), desk.ask(queue="spare", by="", units=2)
    desk.analyses.keep(asked, {"a": 1}, 2.5)
    desk.analyses.keep(spare, {"b": 1}, 40.0)
    assert (desk.analyses.seconds_spent("game", desk.game), desk.analyses.seconds_spent("asker", "Aiko")) == (2.5, 2.5)
    assert desk.analyses.waiting("Aiko") == 1
    desk.host.results.change("update effort set at = 0", [])
    assert desk.analyses.seconds_spent("game", desk.game) == 0
    desk.analyses.drop_old_work()
    assert desk.host.results.query("select count(*) from effort", []) == [(0,)]


def test_a_budget_counts_time_of_the_processor_and_no_waiting(desk: Desk, sums: Sums) -> None:
    sums.seconds = 0.2
    analysis = desk.ask(units=2)
    desk.worker().run_for(analysis.id, 60)
    assert desk.now(analysis).status == "done"
    assert desk.analyses.seconds_spent("game", desk.game) < 0.1


def test_what_somebody_waits_for_comes_before_what_can_wait(desk: Desk) -> None:
    spare, first = desk.ask(queue="spare", by="", units=2), desk.ask()
    assert [each.id for each in desk.analyses.active(10)] == [first.id, spare.id]


def test_a_worker_takes_what_follows_from_the_log_first_then_what_is_asked_for_then_spare_work(
    host: Any,
) -> None:
    done: list[str] = []
    queues = open_queues(host.results, host.redis)
    desk = Desk(host, 5)
    spare = desk.ask("timeline", queue="spare", by="")
    asked = desk.ask("snapshot")
    for queue, analysis in ((queues[2], spare), (queues[1], asked)):
        enqueue_analyses(queue, host.folder, [(analysis.id, 0)])
    enqueue(queues[0], host.folder, [host.archive.log.head(desk.game)])
    worker = Worker(queues)
    perform = worker.perform_job

    def perform_noted(job: Any, *more: Any) -> Any:
        done.append(job.id.partition("-")[2])
        return perform(job, *more)

    worker.perform_job = perform_noted
    worker.work(burst=True, logging_level="ERROR")
    assert done == [f"{desk.game}-13", f"{asked.id}-0", f"{spare.id}-0"]
    assert [desk.now(each).status for each in (asked, spare)] == ["done", "done"]
    assert host.versions(desk.game) == [13]


def test_an_analysis_asked_of_another_release_fails_and_says_so(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = desk.ask()
    monkeypatch.setitem(KINDS, "sums", msgspec.structs.replace(KINDS["sums"], revision=2))
    desk.worker().run_for(asked.id)
    assert (desk.now(asked).status, desk.now(asked).data) == ("failed", None)
    assert "asked for anew" in desk.now(asked).cause
    anew = desk.ask()
    assert anew.id != asked.id
    desk.worker().run_for(anew.id)
    assert desk.now(anew).status == "done"


@cases("viewpoint", [PUBLIC, RECORD, Viewpoint("seat", 0), Viewpoint("seat", 12)])
def test_viewpoints_are_known_by_their_names(viewpoint: Viewpoint) -> None:
    assert viewpoint_named(viewpoint.name) == viewpoint


# With the real processes


def note_pieces_made_again(host: Any) -> Callable[[], list[Any]]:
    """Let the database note each piece that is stored now and is written later. Returns what reads the notes."""
    with closing(sqlite3.connect(host.folder / "work.db", isolation_level=None)) as db:
        db.execute("create table stored as select key from piece")
        assert db.execute("select count(*) from stored").fetchone() > (0,)
        db.execute("create table again (key)")
        for change in ("insert", "update"):
            db.execute(
                f"create trigger again_by_{change} after {change} on piece"
                " when new.key in (select key from stored) begin insert into again values (new.key); end"
            )

    def again() -> list[Any]:
        return list(host.results.query("select key from again", []))

    return again


@pytest.mark.parametrize("kind", soak_except((kind.name for kind in KINDS.values() if kind.policy), "review"))
def test_an_analysis_goes_on_when_its_worker_is_killed_and_comes_to_the_same(
    host: Any, tmp_path: Path, kind: str
) -> None:
    """Also one of several parts. What it says of itself never goes back, and no stored piece is made again."""
    game = host.record(host.played(1, 24))
    analyses, fold = Analyses(host.results), host.archive.folds.current(game)
    asked_for = {"precision": 15} if kind == "win-line" else {"precision": 20, "games": 500}
    subject = subject_of(fold, KINDS[kind], asked_for, PUBLIC)
    host.start_relay()
    killed = host.start_worker()
    asked = analyses.ask(subject, "asked", "Aiko")

    def now() -> Analysis:
        found = analyses.find(asked.id)
        assert found
        return found

    host.until(lambda: now().done > 0)
    killed.kill()
    killed.wait()
    seen = [now()]
    assert seen[0].status == "running"
    again = note_pieces_made_again(host)
    host.start_worker()
    host.start_worker()
    host.until(lambda: seen.append(now()) or seen[-1].status == "done")
    assert [at.done for at in seen] == sorted(at.done for at in seen)
    assert {at.status for at in seen} == {"running", "done"}
    assert again() == []
    with_others = Results(tmp_path)
    alone = Analyses(with_others).ask(subject, "asked", "Aiko")
    Analyst(Analyses(with_others), host.archive.folds, host.archive.log).run_for(alone.id, seconds=300)
    found = Analyses(with_others).find(alone.id)
    assert found
    assert (found.status, found.data, found.done) == ("done", now().data, now().done)
    with_others.close()


@pytest.mark.parametrize("kind", [kind.name for kind in KINDS.values() if not kind.policy])
def test_an_analysis_in_one_go_is_made_again_when_its_worker_is_killed(host: Any, kind: str) -> None:
    """The worker cannot store what it made, because somebody else writes, and is killed then."""
    game = host.record(host.played(1, 24))
    analyses, fold = Analyses(host.results), host.archive.folds.current(game)
    subject = subject_of(fold, KINDS[kind], {}, PUBLIC)
    asked = analyses.ask(subject, "asked", "Aiko")
    with closing(sqlite3.connect(host.folder / "work.db", isolation_level=None)) as somebody:
        somebody.execute("begin immediate")
        (queue,) = open_queues(host.results, host.redis, ["asked"])
        enqueue_analyses(queue, host.folder, [(asked.id, 0)])
        killed = host.start_worker()
        host.until(lambda: queue.started_job_registry.count)
        time.sleep(0.2)
        killed.kill()
        killed.wait()
    unfinished = analyses.find(asked.id)
    assert unfinished
    assert (unfinished.status, unfinished.data) == ("waiting", None)
    host.start_relay()
    host.start_worker()
    host.until(lambda: (found := analyses.find(asked.id)) and found.status == "done")
    done = analyses.find(asked.id)
    assert done
    made = replay_of(host.archive.folds, game, fold.version, PUBLIC)
    with pytest.raises(StopIteration) as alone:
        next(KINDS[kind].analyse(made, {}))
    assert done.data == msgspec.json.encode(alone.value.value).decode()
    assert analyses.of_game(game, None, 9) == [done]
    assert analyses.ask(subject, "asked", "Aiko") == done


def test_a_finished_game_is_analysed_in_spare_time_as_the_public_saw_it(host: Any) -> None:
    game = host.record(host.played(1))
    unfinished = host.record(host.played(2, 10))
    analyses = Analyses(host.results)
    host.start_relay()
    host.start("workers.worker", KIFU_SPARE="on")
    host.start_spare_worker()
    host.until(host.settled)
    found = analyses.of_game(game, None, 10)
    assert "timeline" in {each.subject.kind for each in found}
    assert {(each.queue, each.subject.viewpoint) for each in found} == {("spare", "public")}
    assert analyses.of_game(unfinished, None, 10) == []
    first = next(each.id for each in found if each.subject.kind == "timeline")
    host.until(lambda: (found := analyses.find(first)) and found.status == "done")


def test_every_kind_says_what_it_is_and_has_a_name_of_its_own() -> None:
    assert all(name == kind.name and kind.what and kind.revision for name, kind in kinds.KINDS.items())
