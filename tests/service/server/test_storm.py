"""Everything at once: two whole hosts over a primary and its synchronous standby, under load, and what can go wrong.

A host is killed, the relay that has the lease, Valkey, the standby, which is also read from; it stands still; a host is
cut off from the databases. At the end the primary is killed for good, and the standby takes over. Nothing acknowledged
is lost, doubled or skipped, and no host tells what is not so. For `make soak`; `KIFU_STORM` is for how many seconds.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from contextlib import ExitStack
from typing import TYPE_CHECKING

import psycopg
import pytest
from redis.exceptions import RedisError

from tests import postgres as server
from tests import warm
from tests.ports import free_port
from tests.postgres import Copy, Primary, own_folder
from tests.processes import descendant_named
from tests.service.fleet import SERVICE, Host, until
from tests.service.server.test_host_faults import at_work, start
from tests.service.wire import Wire
from workers.queue import connect
from workers.valkey import socket_url

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.service.server.test_host_faults import Recorder, Start

__all__ = ["start"]

SECONDS = float(os.environ.get("KIFU_STORM", "120"))
RESTS = 1.0
"""Seconds that a fault lasts."""

folder = pytest.fixture(own_folder)


class Storm:
    """The hosts, what they stand on, and what can happen to it."""

    def __init__(self, stack: ExitStack, start: Start, folder: Path, sockets: Path) -> None:
        self._valkey, self._socket = stack, sockets / "s"
        self.cache = self._start_valkey()
        stack.callback(lambda: (self.cache.kill(), self.cache.wait()))
        (folder / "one").mkdir()
        self.primary = Primary(folder / "one", max_connections="300")
        stack.callback(self.primary.kill)
        self.copy = Copy(self.primary, folder / "two")
        stack.callback(self.copy.kill)
        self.primary.need_a_standby()
        near = f"host={self.primary.folder},{self.copy.folder}"
        self.url = f"postgresql://{server.ROLE}@/kifu?{near}&target_session_attrs=read-write"
        self.wires = [stack.enter_context(Wire(each.url)) for each in (self.primary, self.copy)]
        places = ",".join(wire.url.partition("@")[2].partition("/")[0] for wire in self.wires)
        far = f"postgresql://{server.ROLE}@{places}/kifu?target_session_attrs=read-write"
        self.hosts = [
            start(
                hosts=1,
                words=SERVICE,
                KIFU_DATABASE_URL=url,
                KIFU_REPLICA_URL=replica,
                KIFU_REDIS_URL=socket_url(self._socket),
                KIFU_PORT=str(free_port()),
            )[0]
            for url, replica in ((far, self.wires[1].url), (self.url, self.copy.url))
        ]

    def _start_valkey(self) -> subprocess.Popen[bytes]:
        return warm.Popen([sys.executable, "-m", "workers.valkey", str(self._socket)], stdout=subprocess.DEVNULL)

    def kill_a_host(self) -> None:
        host = random.choice(self.hosts)
        host.kill()
        time.sleep(RESTS)
        host.start(*SERVICE).up()

    def kill_the_relay_that_has_the_lease(self) -> None:
        with psycopg.connect(self.url) as connection:
            row = connection.execute("select host from kifu_work.lease where name = 'relay'").fetchone()
        holder = row and row[0]
        for host in self.hosts:
            if (host.folder / "host").read_text().strip() == holder:
                os.kill(_process("kifu-relay", host), signal.SIGKILL)

    def kill_valkey(self) -> None:
        self.cache.kill()
        self.cache.wait()
        time.sleep(RESTS)
        self.cache = self._start_valkey()

    def kill_the_standby(self) -> None:
        self.copy.kill()
        time.sleep(RESTS)
        self.copy.start()

    def stop_the_standby(self) -> None:
        self.copy.signal(signal.SIGSTOP)
        time.sleep(RESTS)
        self.copy.signal(signal.SIGCONT)

    def cut_a_host_off(self) -> None:
        for wire in self.wires:
            wire.go_silent()
        time.sleep(RESTS)
        for wire in self.wires:
            wire.give_up()
        time.sleep(RESTS)
        for wire in self.wires:
            wire.mend()

    def lose_the_primary(self) -> None:
        self.primary.kill()
        assert self.copy.do("select pg_promote()")
        self.copy.do("alter system set synchronous_standby_names = ''")
        self.copy.do("select pg_reload_conf()")

    @property
    def faults(self) -> list[Callable[[], None]]:
        """What can happen again and again."""
        return [
            self.kill_a_host,
            self.kill_the_relay_that_has_the_lease,
            self.kill_valkey,
            self.kill_the_standby,
            self.stop_the_standby,
            self.cut_a_host_off,
        ]


def _process(name: str, host: Host) -> int:
    """The process of that name of a host, once there is one."""
    assert host.process
    pid = host.process.pid
    return int(until(lambda: descendant_named(name, pid)))


@pytest.mark.soak
def test_nothing_acknowledged_is_lost_doubled_or_skipped_in_a_storm(
    start: Start, folder: Path, tmp_path_factory: pytest.TempPathFactory, capsys: pytest.CaptureFixture[str]
) -> None:
    with ExitStack() as stack:
        storm = Storm(stack, start, folder, tmp_path_factory.mktemp("v"))
        counted: Counter[str] = Counter()
        with at_work(storm.url, *storm.hosts) as recorders:
            deadline, waited = time.monotonic() + SECONDS, 0.0
            faults = storm.faults
            while time.monotonic() < deadline or len(counted) < len(faults):
                fault = faults[sum(counted.values()) % len(faults)]
                fault()
                counted[fault.__name__] += 1
                waited = max(waited, _go_on(recorders))
                for host in storm.hosts:
                    assert host.state(recorders[0].games[0])["version"] > 1
            storm.lose_the_primary()
            counted["lose_the_primary"] += 1
            waited = max(waited, _go_on(recorders))
            taken = sum(len(recorder.got) for recorder in recorders)
            pages = [host.http.get("/v1/health").json()["standbys"][0]["pages"] for host in storm.hosts]
        until(lambda: _derived(storm))
        with capsys.disabled():
            result = ", ".join(f"{name} {number}" for name, number in sorted(counted.items()))
            sys.stdout.write(f"\n{SECONDS:.0f} s: {taken} entries acknowledged, 0 lost, doubled or skipped; {result}\n")
            sys.stdout.write(f"longest until both recorded again: {waited:.1f} s; pages of the standby: {pages}\n")


def _go_on(recorders: list[Recorder]) -> float:
    """Wait until both hosts record; how long that took."""
    began = time.monotonic()
    for recorder in recorders:
        recorder.more(3)
    return time.monotonic() - began


def _derived(storm: Storm) -> bool:
    """Whether all work that follows from the log is done."""
    try:
        connect(socket_url(storm._socket)).ping()
    except RedisError:
        return False
    work = [host.http.get("/v1/health").json()["work"] for host in storm.hosts]
    return all(each["lag"] == 0 and each["queued"] == 0 for each in work)
