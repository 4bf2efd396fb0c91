"""The worker process: takes jobs from the queue, and runs them one by one in this process.

A snapshot takes about a millisecond. RQ's default, a forked process for each job, would cost several times that and
begin with cold caches each time. It would also carry open SQLite connections over a fork, and SQLite forbids that. A
fork protects from a job that takes its worker down. The supervisor, the lease and the retries do that here.

A running job holds a lease of a few seconds, which a thread renews. When a worker dies, its lease runs out, and the
next worker to look, once a second, has the job tried again. So a worker that is told to end finishes what takes a
moment, and leaves the rest to the next one.
"""

from __future__ import annotations

import os
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING

from redis.exceptions import RedisError
from rq import SimpleWorker
from rq.scheduler import RQScheduler
from rq.serializers import JSONSerializer

from events.errors import LogError
from events.stores import DATABASE_URL
from workers import process
from workers.jobs import FOLDER, record_failure
from workers.limits import ProcessorTimeLimit
from workers.queue import LEASE, QUEUES, SPARE, LeasedJob, connect, open_queues, wait_until_up
from workers.results import Results

if TYPE_CHECKING:
    from collections.abc import Sequence

    from redis import Redis
    from rq import Queue
    from rq.job import Job

WAIT = 1
"""Seconds that a worker waits for a job at a time, before it looks for those to be tried again: less than a connection
waits for an answer."""

MAINTENANCE_INTERVAL = 2
"""Seconds between two searches for abandoned jobs. A search takes 24 queries; the rest of a wait takes five."""

STOP_TIMEOUT = 0.5
"""The most seconds for a running job after the signal to end: enough for a snapshot."""

_RQ_MARGIN = 15
"""RQ waits for a job for the worker's time to live minus these seconds."""


class Worker(SimpleWorker):
    """An RQ worker. If it dies, its job returns to the queue within seconds."""

    job_class = LeasedJob
    death_penalty_class = ProcessorTimeLimit
    max_connection_wait_time = 2.0

    def __init__(self, queues: Sequence[Queue]) -> None:
        redis = queues[0].connection
        super().__init__(
            list(queues),
            connection=redis,
            serializer=JSONSerializer,
            exception_handlers=[record_failure],
            worker_ttl=WAIT + _RQ_MARGIN,
            maintenance_interval=MAINTENANCE_INTERVAL,
        )
        # RQ's scheduler is a process of its own, which would outlive a killed worker. All that it does for us is to
        # put jobs back into the queue when they are to be tried again, and that can be done between two jobs.
        self._retries = RQScheduler(list(queues), redis, serializer=JSONSerializer, logging_level="WARNING")
        self._retries.prepare_registries([queue.name for queue in queues])

    def _set_ip_address(self, connection: Redis) -> None:  # noqa: ARG002 - RQ gives it
        """Leave the address out. The client cannot read one with a space or `=`, such as the path of a socket."""
        self.ip_address = "unknown"

    def get_heartbeat_ttl(self, job: Job, working_time: float = 0.0) -> int:  # noqa: ARG002 - RQ gives them
        """The seconds for which a job counts as running after the last heartbeat."""
        return LEASE

    def run_maintenance_tasks(self) -> None:
        """Queue the jobs of dead workers again, and those that wait for another try."""
        super().run_maintenance_tasks()  # type: ignore[no-untyped-call]
        self._retries.enqueue_scheduled_jobs()  # type: ignore[no-untyped-call]

    def handle_warm_shutdown_request(self) -> None:
        """Limit the time of the running job: an analysis or a proof could go on for longer."""
        super().handle_warm_shutdown_request()  # type: ignore[no-untyped-call]
        leaving = threading.Timer(STOP_TIMEOUT, os._exit, [0])
        leaving.daemon = True
        leaving.start()

    def subscribe(self) -> None:
        """Take no commands from Redis: signals are enough."""

    def keep_leases(self, stop: threading.Event) -> None:
        """Renew the lease of the running job until `stop` is set."""
        while not stop.wait(LEASE / 3):
            for execution in list(self.executions.values()):
                try:
                    self.maintain_heartbeats(execution.job, execution)
                except RedisError:  # the job continues; at worst it runs twice
                    continue


def main() -> None:
    """Work for the data folder `KIFU_DATA` with the Redis at `KIFU_REDIS_URL` until SIGTERM.

    With the argument `spare` it does work for spare time, with the lowest priority; else all other work.
    """
    spare = sys.argv[1:] == [SPARE]
    process.begin(SPARE if spare else "worker")
    if spare:
        process.lower_priority()
    process.exit_on_sigterm()  # until RQ takes over, which lets the running job finish
    process.wait_for_others()
    try:
        results = Results(Path(os.environ[FOLDER]), os.environ.get(DATABASE_URL, ""))
    except LogError as error:
        process.exit_with_message(error)
    redis = connect(os.environ["KIFU_REDIS_URL"])
    wait_until_up(redis)
    stop = threading.Event()
    try:
        names = [name for name in QUEUES if (name == SPARE) == spare]
        worker = Worker(open_queues(results, redis, names))
        threading.Thread(target=worker.keep_leases, args=[stop], daemon=True).start()
        worker.work(logging_level="WARNING")
    except RedisError as error:
        sys.exit(f"Redis was lost: {error}")
    finally:
        stop.set()


if __name__ == "__main__":
    main()
