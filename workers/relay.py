"""The relay: follows the log's feed, and queues the derived work and the requested analyses.

Which snapshots are due: the one of a game's newest version, once nothing was added to the game for `quiet` seconds. A
burst of entries is one snapshot, and the end of a game, after which nothing is added, always gets its own. A game that
never is quiet gets one every `PATIENCE` seconds.

The cursor lies before the first entry with open work. It moves on once a worker has stored the result, or a dead letter
in its place. So nothing ever relies on Redis alone. A relay that starts reads on from the cursor, and leaves out what
is stored already. Work that was queued and is neither under way nor stored is queued again, because Redis was flushed,
killed or restarted. With `WINDOW` games under way nothing more is read: the rest waits in the feed, where it lies
safely and takes no memory.
"""

from __future__ import annotations

import logging
import os
import sqlite3
import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
from redis.exceptions import RedisError

from events.errors import DamagedError, LogError
from events.event import Head
from events.kinds import is_of_game
from events.stores import DATABASE_URL, REPLICA_URL, read_log
from workers import process
from workers.analyses import SLOTS, Analyses
from workers.differences import BUDGET, SelfAudits, pause
from workers.lease import HEARTBEAT_INTERVAL, open_lease
from workers.queue import (
    BACKFILL_ID,
    PROVE_ID,
    analysis_job_id,
    connect,
    enqueue,
    enqueue_analyses,
    enqueue_backfill,
    enqueue_proof,
    job_id,
    open_queue,
    under_way,
)
from workers.rest import is_recording
from workers.results import Results

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from redis import Redis

    from events.event import Event

logger = logging.getLogger(__name__)

QUIET_SECONDS = 0.3
"""Seconds without a new entry after which a game is quiet."""

LONGEST_DELAY = 5.0
"""Seconds after which even an active game gets its snapshot."""

WINDOW = 1000
"""The most pending games before another batch is read."""

BATCH = 2000
"""The most events of a batch from the feed."""

CHECK_INTERVAL = 2.0
"""Seconds between two checks whether queued work is still under way."""

REVIEW = 300.0
"""Seconds between two tries of games with a dead letter: they can become readable again."""

REVIEWED = 200
"""The most dead letters of one round of tries."""


BACKFILL_INTERVAL = 30.0
"""Seconds between two searches for finished games without analyses, if the last one found none."""

ANALYSES_INTERVAL = 0.25
"""Seconds between two searches for analyses with work left."""

ANALYSED = 50
"""The most analyses that continue at the same time."""


class PendingGame(msgspec.Struct):
    """A game with entries that still need work.

    `before` is the place in the feed, position and hash, ahead of the first of them. `since` and `moved` are the times
    of the first and the last entry that is not queued yet. `queued` is the version that is queued. At `look` the relay
    checks whether that is still under way. Times are of the monotonic clock.
    """

    head: Head
    before: tuple[int, str]
    since: float
    moved: float
    queued: int = 0
    look: float = 0.0

    def add(self, event: Event, now: float) -> None:
        """Add a newer entry of the game."""
        if self.queued == self.head.version:
            self.since = now
        self.head, self.moved = Head(event.game, event.version, event.hash), now

    def is_due(self, now: float, quiet: float) -> bool:
        """Whether it is time to queue the game's newest version, or to check its job."""
        if self.queued == self.head.version:
            return now >= self.look
        return now - self.moved >= quiet or now - self.since >= LONGEST_DELAY


class Relay:
    """Derives the work of one data folder, or of all hosts that share a database, one at a time.

    There is one process per folder; another one would only do work twice.
    """

    def __init__(
        self,
        folder: Path,
        redis: Redis,
        quiet: float = QUIET_SECONDS,
        database_url: str = "",
        audit: int = BUDGET,
        replica_url: str = "",
    ) -> None:
        self._folder, self._quiet = folder, quiet
        self._open_log = partial(read_log, folder, database_url, replica_url)
        self._log = self._open_log()
        self._results = Results(folder, database_url)
        self._lease = open_lease("relay", folder, database_url)
        self._analyses = Analyses(self._results)
        self._queue = open_queue(self._results, redis)
        self._asked, self._spare = (open_queue(self._results, redis, name) for name in ("asked", "spare"))
        self._analysing, self._look_at = False, 0.0
        self._audits, self._budget = SelfAudits(self._results), audit
        self._prove_at = time.monotonic() + pause(self._audits, audit) if audit else float("inf")
        self._fill_at = 0.0
        self._damaged: set[str] = set()
        self._review_at = 0.0
        self._seen, self._news = 0, True
        self._begun = False

    def run(self) -> None:
        """Relay for ever. Failures are logged and tried again."""
        pause = 0.0
        while True:
            try:
                busy = self.step()
                if pause:
                    logger.info("going on")
                pause = 0.0
            except (RedisError, LogError, sqlite3.Error) as error:
                if not pause:
                    logger.warning("%s; the work waits in the log", error)
                pause = min(max(2 * pause, 0.1), 2.0)
                busy = False
            if pause:
                time.sleep(pause)
            elif not busy:
                self.rest()

    def step(self) -> bool:
        """Read on, check finished work, and queue due work. Returns whether there may be more to read at once.

        Raises `redis.RedisError`, `LogError`, `sqlite3.Error`; nothing is lost then.
        """
        if not self._lease.is_held():
            self._begun = False
            return False
        if not self._begun:
            self._begin()
        now = time.monotonic()
        more = self._read_on(now)
        self._forget_done()
        self._review(now)
        self._queue_due(now)
        self._queue_analyses(now)
        self._queue_backfill(now)
        self._queue_proof(now)
        return more

    def rest(self) -> None:
        """Sleep until there may be new work."""
        self._news = True
        if not self._begun:
            time.sleep(HEARTBEAT_INTERVAL)
        elif self._due or self._analysing:
            time.sleep(min(self._quiet / 3, 0.1))
        else:
            self._news = self._log.wait(self._seen, timeout=HEARTBEAT_INTERVAL)

    def close(self) -> None:
        """Close the files."""
        self._lease.close()
        self._log.close()
        self._results.close()

    def _begin(self) -> None:
        """Continue from the stored cursor of this relay, or of another host's."""
        self._due: dict[str, PendingGame] = {}
        self._read = self._cursor = self._resume()
        self._begun = True

    def _resume(self) -> tuple[int, str]:
        """The position to continue from. A log without the event there was restored from a backup."""
        position, hash_ = self._results.cursor()
        if position == 0 or any(event.hash == hash_ for _, event in self._log.feed(position - 1, 1)):
            return position, hash_
        lost = self._results.forget_lost(self._log)
        logger.warning("the log is not the one that was read so far; %s results were forgotten, starting over", lost)
        return 0, ""

    def _read_on(self, now: float) -> bool:
        if len(self._due) >= WINDOW or not self._news:
            return False
        self._seen = self._log.position()  # the feed can end earlier, as it omits damaged games
        if self._seen <= self._read[0]:
            return False
        count = 0
        for position, event in self._log.feed(self._read[0], BATCH):
            due = self._due.get(event.game)
            if not is_of_game(event.type):
                pass  # clubs have no derived work
            elif due:
                due.add(event, now)
            else:
                head = Head(event.game, event.version, event.hash)
                self._due[event.game] = PendingGame(head, before=self._read, since=now, moved=now)
            self._read = position, event.hash
            count += 1
        return count == BATCH

    def _forget_done(self) -> None:
        """Drop the games with finished work, and move the cursor up to the first one with open work."""
        if self._due:
            for game in self._results.done(due.head for due in self._due.values()):
                del self._due[game]
        cursor = min((due.before for due in self._due.values()), default=self._read)
        if cursor != self._cursor:
            self._results.set_cursor(*cursor)
            self._cursor = cursor

    def _queue_due(self, now: float) -> None:
        ripe = [due for due in self._due.values() if due.is_due(now, self._quiet)]
        if not ripe:
            return
        self._enqueue(due.head for due in ripe)
        for due in ripe:
            due.queued, due.look = due.head.version, now + CHECK_INTERVAL

    def _enqueue(self, heads: Iterable[Head]) -> None:
        known = under_way(self._queue)
        enqueue(self._queue, self._folder, [head for head in heads if job_id(head.game, head.version) not in known])

    def _queue_analyses(self, now: float) -> None:
        """Queue a job for every analysis with work left, in every free slot."""
        if now < self._look_at:
            return
        active = self._analyses.active(ANALYSED)
        self._analysing, self._look_at = bool(active), now + ANALYSES_INTERVAL
        for queue, name, slots in ((self._asked, "asked", SLOTS), (self._spare, "spare", 1)):
            wanted = [(each.id, slot) for each in active if each.queue == name for slot in range(slots)]
            if wanted and not (name == "spare" and is_recording(self._log)):
                known = under_way(queue)
                enqueue_analyses(queue, self._folder, [each for each in wanted if analysis_job_id(*each) not in known])

    def _queue_backfill(self, now: float) -> None:
        """Queue a search for finished games without analyses, if there is no other work.

        One that is found is an analysis with work left; once that is done there is the next one to look for.
        """
        if self._analysing:
            self._fill_at = now
        elif now >= self._fill_at and not self._due and not is_recording(self._log):
            if BACKFILL_ID not in under_way(self._spare):
                enqueue_backfill(self._spare, self._folder)
            self._fill_at = now + BACKFILL_INTERVAL

    def _queue_proof(self, now: float) -> None:
        """Queue the next proof of the self-audit, if there is no other work."""
        if now < self._prove_at or self._due or self._analysing or is_recording(self._log):
            return
        if PROVE_ID not in under_way(self._spare):
            enqueue_proof(self._spare, self._folder)
        self._prove_at = now + pause(self._audits, self._budget)

    # Games that cannot be read

    def _review(self, now: float) -> None:
        """Sometimes retry games with dead letters, and queue newly damaged games, which get one."""
        if now >= self._review_at:
            if self._damaged:
                self._log.close()
                # An open reader keeps the error that it found.
                self._log = self._open_log()
                self._damaged.clear()
            self._enqueue(self._failed())
            self._analyses.drop_old_work()
            self._review_at = now + REVIEW
        found = [damage for game, damage in self._log.damage.items() if game not in self._damaged]
        if found:
            self._enqueue(Head(damage.game, damage.version, "") for damage in found)
            self._damaged.update(damage.game for damage in found)

    def _failed(self) -> Iterator[Head]:
        """The newest versions of the games with the oldest dead letters. Letters of lost entries are dropped."""
        for letter in self._results.stalest_dead_letters(REVIEWED):
            try:
                head = self._log.head(letter.game)
            except DamagedError:
                head = Head(letter.game, letter.version, "")
            if head is None or head.version < letter.version:
                self._results.drop_dead_letter(letter.game)
            if head:
                yield head


def main() -> None:
    """Relay for the data folder `KIFU_DATA` to the Redis at `KIFU_REDIS_URL` until SIGTERM."""
    process.begin("relay")
    process.exit_on_sigterm()
    process.wait_for_others()
    quiet = float(os.environ.get("KIFU_QUIET", QUIET_SECONDS))
    try:
        redis, database_url = connect(os.environ["KIFU_REDIS_URL"]), os.environ.get(DATABASE_URL, "")
        budget = int(os.environ.get("KIFU_AUDIT", BUDGET))
        replica_url = os.environ.get(REPLICA_URL, "")
        relay = Relay(Path(os.environ["KIFU_DATA"]), redis, quiet, database_url, budget, replica_url)
    except (LogError, FileNotFoundError) as error:
        process.exit_with_message(error)
    relay.run()


if __name__ == "__main__":
    main()
