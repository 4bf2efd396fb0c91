"""Metrics in the Prometheus text format: requests by route, method and status, and how long they took."""

from __future__ import annotations

import os
from functools import partial
from time import perf_counter
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram
from prometheus_client.metrics_core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector

from service.current import current_notes, current_request
from service.settings import METRICS_FOLDER

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from flask import Flask, Response
    from prometheus_client import Metric

    from events.log import Log, LogReader
    from service.api.context import Context
    from service.webhooks.deliveries import EndpointStatus

METRICS = "kifu.metrics"
"""The key of the WSGI environment with the metrics of the service that is asked."""

BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5)


@runtime_checkable
class Replicated(Protocol):
    """A log that may have replicas."""

    def replicas(self) -> tuple[int, float]:
        """The number of replicas, and how many bytes the slowest is behind."""


class Standbys(Collector):
    """The state of the standbys, as this process sees them."""

    def __init__(self, log: LogReader) -> None:
        self._log = log

    def collect(self) -> Iterable[Metric]:
        """The metrics of each standby, by its name."""
        usable = GaugeMetricFamily("kifu_standby_usable", "1 if a standby is read from.", labels=["standby"])
        lag = GaugeMetricFamily("kifu_standby_lag_bytes", "Changes that it has not made.", labels=["standby"])
        pages = CounterMetricFamily("kifu_standby_pages", "Pages that were read from it.", labels=["standby"])
        for state in self._log.standby_states:
            usable.add_metric([state.name], state.why is None)
            lag.add_metric([state.name], float("nan") if state.lag is None else state.lag)
            pages.add_metric([state.name], state.pages)
        return usable, lag, pages


@runtime_checkable
class LanedLog(Protocol):
    """A log with lanes. With several lanes, entries get their places in the feed after their commit."""

    def lane_lags(self) -> dict[int, int]:
        """The number of stored entries without a place in the feed yet, by lane."""


class AllProcesses(Collector):
    """The counts of all web processes, also of those that have ended."""

    def __init__(self, *counted: Counter | Histogram) -> None:
        self._names = {metric.name for each in counted for metric in each.describe()}

    def describe(self) -> Iterable[Metric]:
        """Empty: the files do not exist yet."""
        return []

    def collect(self) -> Iterable[Metric]:
        """The sums of all counts. Other processes of the service count there, too."""
        found: Iterable[Metric] = MultiProcessCollector(None).collect()  # type: ignore[no-untyped-call]
        return [metric for metric in found if metric.name in self._names]


class Metrics:
    """The counters of a service. `registry` collects them together with those of its other processes."""

    def __init__(self, context: Context) -> None:
        self.registry = CollectorRegistry()
        together = bool(os.environ.get(METRICS_FOLDER))
        counts = None if together else self.registry
        self._seconds = Histogram(
            "kifu_request_seconds",
            "How long requests took, by route, method and status.",
            ["route", "method", "status"],
            buckets=BUCKETS,
            registry=counts,
        )
        self._kinds: dict[tuple[str, str, int], Histogram] = {}
        """What counts the requests of a route, a method and a status."""
        self._appended = Counter("kifu_events_appended_total", "Events appended to the log.", registry=counts)
        if together:
            self.registry.register(AllProcesses(self._seconds, self._appended))
        log = context.archive.log
        self._show_log(context, log)
        self._show_copies(context, log)
        self._show_work(context)
        log.subscribe(lambda events: self._appended.inc(len(events)))

    def _show(self, name: str, about: str, measure: Callable[[], float]) -> None:
        """Add a gauge that is measured at each reading of the metrics."""
        Gauge(name, about, registry=self.registry).set_function(measure)

    def _show_log(self, context: Context, log: Log) -> None:
        """Add the gauges of the log, the lists and the tree."""
        projector, tree = context.projector, context.tree
        self._show("kifu_log_position", "Feed position of the newest event.", log.position)
        self._show(
            "kifu_lists_lag_events",
            "Events that lists do not show yet.",
            lambda: max(log.position() - projector.position, 0),
        )
        host = Gauge("kifu_host_info", "1, with what this host is called.", ["host"], registry=self.registry)
        host.labels(context.host).set(1)
        self._show("kifu_games_damaged", "Games that are not served because of damage.", lambda: len(log.damage))
        self._show("kifu_tree_entries", "Entries of the log that its tree has signed.", lambda: tree.size)
        self._show("kifu_tree_stopped", "1 if the log is not what was signed.", lambda: tree.stopped is not None)

    def _show_copies(self, context: Context, log: Log) -> None:
        """Add the gauges of replicas, standbys and lanes of a log in PostgreSQL."""
        if isinstance(log, Replicated):
            replicas = log.replicas
            self._show("kifu_replicas", "Standbys of the database.", lambda: replicas()[0])
            self._show("kifu_replica_lag_bytes", "Changes that a standby has not made.", lambda: replicas()[1])
        if context.settings.replica_url:
            self.registry.register(Standbys(log))
        if isinstance(log, LanedLog):
            lags, about = log.lane_lags, "Events of a lane that are not in the feed yet."
            waiting = Gauge("kifu_lane_lag_events", about, ["lane"], registry=self.registry)
            for lane in lags():
                waiting.labels(lane).set_function(partial(lambda lane: lags()[lane], lane))

    def _show_work(self, context: Context) -> None:
        """Add the gauges of derived work: snapshots, self-audits, webhooks, and the workers' queue."""
        audits = context.audits
        self._show("kifu_dead_letters", "Games whose derived work failed.", context.results.count_letters)
        self._show("kifu_audit_differences", "What the self-audit found to differ.", lambda: len(audits.differences()))
        self._show("kifu_audit_proofs", "Proofs of the self-audit within a day.", audits.proofs)
        self._show(
            "kifu_webhook_messages_waiting",
            "Messages of webhooks still to arrive.",
            lambda: sum(each.waiting for each in _standings(context)),
        )
        self._show(
            "kifu_webhooks_disabled",
            "Endpoints that are told nothing any more.",
            lambda: sum(each.disabled_at is not None for each in _standings(context)),
        )
        if context.monitor:
            look = context.monitor.look
            self._show(
                "kifu_jobs_queued",
                "Jobs that wait; -1 if Redis does not answer.",
                lambda: -1 if (waiting := look().queued) is None else waiting,
            )
            self._show("kifu_relay_lag_events", "Events that the relay has not seen off.", lambda: look().lag)

    def observe(self, status: int) -> None:
        """Count an answered request."""
        request = current_request()
        route = request.url_rule.rule if request.url_rule else "(none)"
        seconds = perf_counter() - current_notes().started
        kind = route, request.environ["REQUEST_METHOD"].upper(), status
        counted = self._kinds.get(kind)
        if counted is None:
            counted = self._kinds[kind] = self._seconds.labels(*kind)
        counted.observe(seconds)


def _standings(context: Context) -> list[EndpointStatus]:
    with context.open_deliveries() as deliveries:
        return [*deliveries.statuses().values()]


def metrics() -> Metrics:
    """The metrics of this service."""
    found: Metrics = current_request().environ[METRICS]
    return found


def install(app: Flask) -> None:
    """Measure every request of `app`."""

    @app.before_request
    def start() -> None:
        current_notes().started = perf_counter()

    @app.after_request
    def observe(response: Response) -> Response:
        metrics().observe(response.status_code)
        return response
