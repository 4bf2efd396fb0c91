"""The deliverer: the process that sends messages about the log to endpoints.

It derives messages from the feed, for every endpoint from its cursor on, and from the findings of the self-audit. It
sends those that are due, all at once, but one after the other of the same game. Nothing of it passes Redis. It reads
the log, the read models, the results of the workers and the store of access, and writes only the deliveries. With
several hosts one of them serves all endpoints, and another one takes over within seconds when that is gone.
"""

from __future__ import annotations

import asyncio
import logging
import os
import random
import sqlite3
from collections import Counter
from functools import cached_property
from itertools import groupby
from typing import TYPE_CHECKING

from events import failpoints
from events.errors import LogError
from events.event import now_ms
from events.kinds import kind_of
from projections.archive import ReadingArchive
from service.access.principals import NONE
from service.settings import BadSettingError, from_environment
from service.webhooks import messages, schedule
from service.webhooks.deliveries import Attempt, Deliveries, EntryRange
from service.webhooks.messages import APPENDING, DIFFERS, OTHERS, TEST, type_of
from service.webhooks.visibility import About, Visibility, principal_of_webhook
from workers import process
from workers.differences import SelfAudits
from workers.lease import HEARTBEAT_INTERVAL, open_lease
from workers.results import Results

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping

    from events.event import Event
    from events.kinds import Kind
    from service.access.principals import Principal
    from service.access.store import Webhook
    from service.settings import Settings
    from service.webhooks.deliveries import Cursor, Delivery
    from service.webhooks.sending import Outcome, Sender

BATCH = 500
"""Entries of the feed that are told together."""

WINDOW = 1000
"""With so many messages waiting for an endpoint it is told no more: the rest waits in the log."""

AT_ONCE = 4
"""How many messages are on their way to one endpoint at a time."""

REST_AFTER_FAULT = 2000
"""Milliseconds without a new attempt after one could not be noted."""

PAUSE = 0.2
"""Seconds between two looks at what there is to do."""

NOBODY = HEARTBEAT_INTERVAL
"""Seconds between two looks where no endpoint exists: the lease is renewed with each."""

POINTS = ("webhook.told", "webhook.begun", "webhook.sent", "webhook.noted")
"""Where a test can kill the process, in the order in which a message passes them (see `events.failpoints`)."""

logger = logging.getLogger(__name__)


class Deliverer:
    """Serves the endpoints of one data folder, or of all hosts that share a database. One process per folder.

    `clock` gives milliseconds since 1970, `chance` numbers from 0 to 1. Raises `FileNotFoundError`, `LogError`,
    `BadSettingError`.
    """

    def __init__(
        self,
        settings: Settings,
        *,
        clock: Callable[[], int] = now_ms,
        chance: Callable[[], float] = random.random,
        sender: Sender | None = None,
    ) -> None:
        self._clock, self._chance = clock, chance
        self._quiet = int(settings.quiet * 1000)
        self._private = settings.webhook_private
        if sender:
            self._sender = sender
        self._archive = ReadingArchive(settings.data, settings.database_url, settings.replica_url)
        self._deliveries = Deliveries(settings.data, settings.database_url, proved=True)
        self._sight = Visibility(self._archive, settings.database_url)
        self._results = Results(settings.data, settings.database_url)
        self._audits = SelfAudits(self._results)
        self._going: dict[int, asyncio.Task[None]] = {}
        self._sending: Counter[str] = Counter()
        self._rest_until = 0
        self._lease = open_lease("webhooks", settings.data, settings.database_url)
        self._sure = False
        self._pause = PAUSE

    @cached_property
    def _sender(self) -> Sender:
        """The sender, loaded with the first message: most services have no webhooks."""
        from service.webhooks.sending import Sender  # noqa: PLC0415 - httpx takes 4 MB

        return Sender(private=self._private)

    async def run(self) -> None:
        """Deliver for ever. A failure is printed, and tried again."""
        well = True
        while True:
            try:
                busy = self.step()
                well = True
            except (LogError, sqlite3.OperationalError, OSError) as error:
                if well:
                    logger.warning("%s; what there is to tell waits in the log", error)
                well = busy = False
            await asyncio.sleep(0 if busy else self._pause)

    def step(self) -> bool:
        """Derive new messages, and begin to send those that are due. True if there may be more to derive at once.

        Raises `LogError`, `sqlite3.Error`, `OSError`; nothing is lost then.
        """
        if not self._lease.is_held():
            self._sure = False
            return False
        if self._sure and self._pause == NOBODY and not self.is_sending and not self._sight.may_have_changed():
            return False
        now = self._clock()
        webhooks = self._endpoints()
        self._pause = PAUSE if webhooks else NOBODY
        if not webhooks:
            return False
        store, merges = self._sight.store, self._sight.merges()
        holders = {id_: principal_of_webhook(store, merges, webhook, now) for id_, webhook in webhooks.items()}
        able = {id_: who for id_, who in holders.items() if who is not None}
        on = {id_ for id_ in able if webhooks[id_].enabled}
        more = self._derive(webhooks, {id_: able[id_] for id_ in on}, now)
        self._tell_differences([webhooks[id_] for id_ in on if _may_be_told_of_audits(able[id_])], now)
        if now >= self._rest_until:
            self._send_due(
                [each for each in self._deliveries.due(now, 2 * AT_ONCE) if each.endpoint in _receivers(each, on, able)]
            )
        return more

    def _endpoints(self) -> dict[str, Webhook]:
        """The endpoints that exist now, with cursors that are in this log."""
        every = {webhook.id: webhook for webhook in self._sight.store.webhooks()}
        self._deliveries.sync_endpoints({id_: webhook.since for id_, webhook in every.items()})
        if not self._sure:
            self._make_sure_of_cursors(every)
            self._sure = True
        return every

    @property
    def is_sending(self) -> bool:
        """Whether anything is being sent."""
        return bool(self._going)

    async def wait_until_sent(self) -> None:
        """Wait for the end of all running attempts."""
        while self._going:
            await asyncio.wait(self._going.values())

    def close(self) -> None:
        """Close the files."""
        self._lease.close()
        self._deliveries.close()
        self._sight.close()
        self._results.close()
        self._archive.close()

    # What is to be told

    def _make_sure_of_cursors(self, webhooks: Mapping[str, Webhook]) -> None:
        """Check the cursors. If the log lacks a cursor's entry, it was restored from a backup: begin anew."""
        newest = self._archive.log.position()
        for cursor in self._deliveries.cursors():
            if cursor.position > newest or (cursor.hash and not self._holds(cursor.position, cursor.hash)):
                start = min(webhooks[cursor.endpoint].since, newest)
                logger.warning("the log is not the one that endpoint %s was told; it is told again", cursor.endpoint)
                self._deliveries.rewind(cursor, start)

    def _holds(self, position: int, hash_: str) -> bool:
        return any(event.hash == hash_ for _, event in self._archive.log.feed(position - 1, 1))

    def _derive(self, webhooks: dict[str, Webhook], able: dict[str, Principal], now: int) -> bool:
        """Take all endpoints one batch of the feed further. Those at the same place share the reading."""
        known, more = self._sight.position(), False
        behind = [each for each in self._deliveries.cursors() if each.position < known and each.endpoint in able]
        if behind:
            full = self._deliveries.full(WINDOW)
            behind = [cursor for cursor in behind if cursor.endpoint not in full]
        for _, group in groupby(behind, key=lambda cursor: cursor.position):
            more |= self._tell(list(group), webhooks, able, known, now)
        return more

    def _tell(
        self, cursors: list[Cursor], webhooks: dict[str, Webhook], able: dict[str, Principal], known: int, now: int
    ) -> bool:
        """Take endpoints at the same place one batch further. True if there may be more."""
        feed = self._archive.log.feed(cursors[0].position, BATCH)
        batch = [(position, event) for position, event in feed if position <= known]
        kinds = {event.game: kind_of(event.type) for _, event in batch}
        end, hash_ = (batch[-1][0], batch[-1][1].hash) if batch else (known, "")
        told = []
        for cursor in cursors:
            webhook, who = webhooks[cursor.endpoint], able[cursor.endpoint]
            until = cursor.until if cursor.until is not None else end
            seen = {record for record, kind in kinds.items() if self._is_told(webhook, who, kind, record)}
            events = [event for position, event in batch if position <= until and event.game in seen]
            told.append((cursor, [run for run in _runs(events) if _of_type(webhook, run)]))
        if self._sight.position() < end:  # the read models were made anew meanwhile, and did not know who sits where
            return False
        self._deliveries.enqueue(told, end, hash_, now, self._quiet)
        failpoints.reach("webhook.told")
        return len(batch) == BATCH

    def _tell_differences(self, webhooks: list[Webhook], now: int) -> None:
        """Enqueue what the self-audit found, for the endpoints that ask for it."""
        wanting = [webhook for webhook in webhooks if DIFFERS in (webhook.filter.types or ())]
        found = self._audits.differences() if wanting else []
        for webhook in wanting:
            told = [each for each in found if _wanted(webhook, each.subject, self._facts_for_filters(each.subject))]
            self._deliveries.enqueue_differences(webhook.id, told, now)

    def _facts_for_filters(self, subject: str) -> About:
        """What filters ask of a game, or of a random one by its ruleset."""
        ruleset, random_, _ = subject.partition("/")
        return About(ruleset, frozenset()) if random_ else self._sight.facts_of(subject)

    def _is_told(self, webhook: Webhook, who: Principal, kind: Kind, record: str) -> bool:
        """Whether an endpoint wants a record, and its owner may see it."""
        if kind == "game":
            wanted = _wanted(webhook, record, self._sight.facts_of(record))
            return wanted and self._sight.permissions(who, record) is not NONE
        found = self._sight.record(kind, record)
        if found is None or not _wanted(webhook, record, self._sight.about_record(found)):
            return False
        return self._sight.sees_record(who, found)

    # What is due

    def _send_due(self, found: list[Delivery]) -> None:
        for delivery in found:
            if delivery.number not in self._going and self._sending[delivery.endpoint] < AT_ONCE:
                self._sending[delivery.endpoint] += 1
                self._going[delivery.number] = asyncio.create_task(self._try(delivery))

    async def _try(self, delivery: Delivery) -> None:
        try:
            await self._deliver(delivery)
        except (LogError, sqlite3.Error, OSError) as error:
            logger.warning("%s; messages wait, and are sent again", error)
            self._rest_until = self._clock() + REST_AFTER_FAULT
        finally:
            self._going.pop(delivery.number)
            self._sending[delivery.endpoint] -= 1

    async def _deliver(self, due: Delivery) -> None:
        """Attempt to send a message if its owner may still get it, and store the outcome."""
        now = self._clock()
        webhook = self._sight.store.webhook(due.endpoint)
        if webhook is None or not (webhook.enabled or due.type == TEST):
            return  # it waits until somebody says otherwise
        who = principal_of_webhook(self._sight.store, self._sight.merges(), webhook, now)
        if who is None:
            return
        delivery = self._deliveries.begin(due.number)
        if delivery is None:
            return
        message = self._message(delivery, webhook, who)
        if message is None:
            self._deliveries.finish(delivery, None, "withheld", now)
            return
        failpoints.reach("webhook.begun")
        body = messages.encode_body(message, delivery.message, webhook.format)
        old = webhook.old_secret if webhook.old_ends is not None and now < webhook.old_ends else None
        keys = [key for key in (webhook.secret, old) if key]
        headers = messages.headers(body, delivery.message, now, webhook.format, keys)
        outcome = await self._sender.send(webhook.url, headers, body)
        failpoints.reach("webhook.sent")
        self._note(delivery, outcome)
        failpoints.reach("webhook.noted")

    def _message(self, delivery: Delivery, webhook: Webhook, who: Principal) -> messages.Message | None:
        """The current message; None if the owner may not see the game any more."""
        if delivery.type == TEST:
            return messages.trial_message(webhook.base, delivery.at, webhook.id)
        if delivery.type == DIFFERS:
            may = _may_be_told_of_audits(who)
            return messages.audit_message(webhook.base, delivery.at, delivery.game, delivery.hash) if may else None
        if delivery.type in OTHERS:
            return self._record_message(delivery, webhook, who)
        permissions = self._sight.permissions(who, delivery.game)
        if permissions is NONE:
            return None
        head = delivery.hash if self._sight.may_know_hash(permissions, delivery.game) else None
        return messages.game_message(
            delivery.type, webhook.base, delivery.at, delivery.game, delivery.first, delivery.last, head
        )

    def _record_message(self, delivery: Delivery, webhook: Webhook, who: Principal) -> messages.RecordMessage | None:
        """The current message about a club, a season or a tournament; None if the owner may not see it any more."""
        found = self._sight.record(OTHERS[delivery.type], delivery.game)
        if found is None or not self._sight.sees_record(who, found):
            return None
        head = delivery.hash if self._sight.may_know_entry(who, delivery.game, delivery.last) else None
        return messages.record_message(
            delivery.type, webhook.base, delivery.at, delivery.game, delivery.first, delivery.last, head
        )

    def _note(self, delivery: Delivery, outcome: Outcome) -> None:
        now = self._clock()
        attempt = Attempt(at=now, status=outcome.status, error=outcome.error, took=outcome.took)
        if outcome.is_delivered:
            self._deliveries.finish(delivery, attempt, "delivered", now)
        elif delivery.type == TEST:
            self._deliveries.finish(delivery, attempt, "failed", now)
        else:
            self._note_failure(delivery, attempt, outcome, now)

    def _note_failure(self, delivery: Delivery, attempt: Attempt, outcome: Outcome, now: int) -> None:
        endpoint = delivery.endpoint
        delay = schedule.next_delay(delivery.attempts, outcome, self._chance)
        if delay is None and self._deliveries.succeeded_since(delivery):  # it is about this message, not the receiver
            self._deliveries.finish(delivery, attempt, "failed", now)
            return
        self._deliveries.finish(delivery, attempt, "waiting", now + (delay or 0))
        wait = schedule.pause(outcome)
        if wait is not None:
            self._deliveries.pause(endpoint, now + wait)
        if outcome.status == schedule.GONE:
            self._disable(endpoint, now, "the receiver answered 410: it wants nothing more")
        elif delay is None:
            why = outcome.error or f"it answered {outcome.status}"
            self._disable(endpoint, now, f"nothing arrived for three days; at last: {why}")

    def _disable(self, endpoint: str, now: int, why: str) -> None:
        self._deliveries.disable(endpoint, now, why)
        logger.warning("endpoint %s is disabled: %s", endpoint, why)


def _receivers(delivery: Delivery, on: Collection[str], able: Collection[str]) -> Collection[str]:
    """The endpoints to which this message can go. A disabled one still gets trials."""
    return able if delivery.type == TEST else on


def _may_be_told_of_audits(who: Principal) -> bool:
    return "admin" in who.service


def _wanted(webhook: Webhook, game: str, about: About) -> bool:
    """Whether an endpoint wants messages about a game."""
    wanted = webhook.filter
    return (
        (wanted.games is None or game in wanted.games)
        and (wanted.rulesets is None or about.ruleset in wanted.rulesets)
        and (wanted.people is None or not about.people.isdisjoint(wanted.people))
    )


def _of_type(webhook: Webhook, run: EntryRange) -> bool:
    return webhook.filter.types is None or run.type in webhook.filter.types


def _runs(events: list[Event]) -> Iterator[EntryRange]:
    """Group entries into messages, in order. Entries of one game and one type of message become one."""
    open_: dict[str, EntryRange] = {}
    found: list[EntryRange] = []
    for event in events:
        type_, run = type_of(event.type), open_.get(event.game)
        if run and run.type == type_ in APPENDING and event.version == run.last + 1:
            run.last, run.hash, run.at = event.version, event.hash, event.recorded_at
            continue
        open_[event.game] = EntryRange(
            type=type_,
            game=event.game,
            first=event.version,
            last=event.version,
            hash=event.hash,
            at=event.recorded_at,
        )
        found.append(open_[event.game])
    yield from found


def main() -> None:
    """Deliver for the data folder of the settings until SIGTERM."""
    process.begin("hooks")
    process.exit_on_sigterm()
    process.wait_for_others()
    try:
        settings = from_environment()
        if settings.webhook_private:
            logger.warning("KIFU_WEBHOOK_PRIVATE: webhooks may go to PRIVATE NETWORKS, and to this machine itself")
        deliverer = Deliverer(settings)
    except (BadSettingError, LogError, OSError) as error:
        process.exit_with_message(error)
    asyncio.run(deliverer.run())
    os._exit(0)


if __name__ == "__main__":
    main()
