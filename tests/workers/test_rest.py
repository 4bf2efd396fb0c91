"""Spare time: its work has the lowest priority of the system, and stops while somebody records."""

from __future__ import annotations

import ctypes
import inspect
import os
import platform
import sys
from typing import TYPE_CHECKING, Any

import pytest

from games.contract import PUBLIC
from projections.analyses.kinds import KINDS
from workers import analysing, jobs
from workers.analyses import Analyses, Analysis
from workers.analysing import Analyst, subject_of
from workers.differences import SelfAudits
from workers.queue import BACKFILL_ID, PROVE_ID, connect, open_queue, under_way
from workers.relay import Relay
from workers.rest import REST_VARIABLE, is_recording
from workers.worker import WAIT

if TYPE_CHECKING:
    from workers.queue import QueueName

IOPRIO_GET = {"x86_64": 252, "aarch64": 31}.get(platform.machine())


def asked(host: Any, game: str, queue: QueueName) -> Analysis:
    kind = {"asked": "timeline", "spare": "win-line"}[queue]
    subject = subject_of(host.archive.folds.current(game), KINDS[kind], {}, PUBLIC)
    return Analyses(host.results).ask(subject, queue, "")


def status(host: Any, analysis: Analysis) -> str:
    found = Analyses(host.results).find(analysis.id)
    assert found
    return found.status


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have no such priorities")
def test_the_worker_for_spare_time_has_the_lowest_priority_of_the_system(host: Any) -> None:
    spare, other = host.start("workers.worker", "spare"), host.start_worker()
    host.until(lambda: os.getpriority(os.PRIO_PROCESS, spare.pid) == 19)
    assert os.getpriority(os.PRIO_PROCESS, other.pid) == os.getpriority(os.PRIO_PROCESS, 0)
    if IOPRIO_GET:
        host.until(lambda: ctypes.CDLL(None).syscall(IOPRIO_GET, 1, spare.pid) >> 13 == 3)


def test_who_records_is_known_for_a_while(host: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    log = host.archive.log
    monkeypatch.setenv(REST_VARIABLE, "30")
    assert not is_recording(log), "nothing is recorded yet"
    host.record(host.played(1, 3))
    assert is_recording(log)
    monkeypatch.setenv(REST_VARIABLE, "0")
    assert not is_recording(log)


def test_what_is_made_in_spare_time_waits_while_somebody_records(host: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    game = host.record(host.played(1, 12))
    spare, wanted = asked(host, game, "spare"), asked(host, game, "asked")
    analyst = Analyst(Analyses(host.results), host.archive.folds, host.archive.log)
    monkeypatch.setenv(REST_VARIABLE, "30")
    for each in (spare, wanted):
        analyst.run_for(each.id, 20)
    assert (status(host, spare), status(host, wanted)) == ("waiting", "done")
    monkeypatch.setenv(REST_VARIABLE, "0")
    analyst.run_for(spare.id, 0.001)
    assert status(host, spare) != "waiting"


def test_an_analysis_stops_when_somebody_begins_to_record(host: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    game = host.record(host.played(1, 12))
    spare = asked(host, game, "spare")
    looks = iter([False, False, False])
    monkeypatch.setattr(analysing, "CANCEL_CHECK_INTERVAL", 0.0)
    monkeypatch.setattr(analysing, "is_recording", lambda _: next(looks, True))
    Analyst(Analyses(host.results), host.archive.folds, host.archive.log).run_for(spare.id, 300)
    found = Analyses(host.results).find(spare.id)
    assert found
    assert found.status == "running"
    assert 0 < found.done < found.planned


def test_nothing_is_queued_or_done_in_spare_time_while_somebody_records(
    host: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = host.record(host.played(2, 10))
    host.results.set_cursor(host.archive.log.position(), host.archive.log.head(game).hash)
    relay = Relay(host.folder, host.redis, audit=10**9)
    queue = open_queue(host.results, host.redis, "spare")

    def queued() -> set[str]:
        relay._prove_at = relay._fill_at = relay._look_at = 0.0
        relay.step()
        return under_way(queue)

    monkeypatch.setenv(REST_VARIABLE, "30")
    assert queued() == set()
    jobs.prove(str(host.folder))
    jobs.backfill(str(host.folder))
    assert SelfAudits(host.results).proofs() == 0
    monkeypatch.setenv(REST_VARIABLE, "0")
    assert queued() == {BACKFILL_ID, PROVE_ID}
    relay.close()


def test_a_worker_that_waits_for_a_job_asks_again_before_its_connection_gives_up() -> None:
    """Else an idle worker says again and again that it cannot connect."""
    assert inspect.signature(connect).parameters["timeout"].default > WAIT
