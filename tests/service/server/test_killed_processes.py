"""One process of the service is killed after the other, while a game is recorded, analysed, followed and told of.

The log has a process of its own here. The leading web process makes the lists and the tree. The front is in the
supervisor: all others end with it, and it is started again.
"""

from __future__ import annotations

import os
import signal
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING

import pytest

from events.sqlite import LOG, verify
from projections.sharing import LEADER
from tests.ports import free_port
from tests.processes import descendant_named, running_processes
from tests.service.conftest import UNLIMITED
from tests.service.fleet import SERVICE, Host
from tests.service.receiver import Receiver
from tests.service.server.test_endurance import MOVES, Kahuna, Listener, Sheets, entries, told_of, work_is_done
from tests.service.server.test_host_faults import Reader
from tests.service.server.test_processes import holder
from tests.waiting import PATIENCE, until

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.service.server.test_host_faults import Client

pytestmark = [pytest.mark.programs, pytest.mark.soak]

FRONT, PROJECTOR = "kifu-serve", "the leading web process"

KILLED = (
    *(PROJECTOR, "kifu-web-2", "kifu-log", "kifu-live", "kifu-relay", "kifu-worker", "kifu-spare", "kifu-hooks"),
    *("valkey-server", "kifu-forks", FRONT),
)


class Analyst(Kahuna):
    """Records the beginning of games, and has each analysed."""

    moves = MOVES[:4]

    def more(self, count: int = 1) -> None:
        """Wait for so many more analyses."""
        wanted = self.analyses + count
        until(lambda: self.analyses >= wanted or not self.is_alive(), 2 * PATIENCE)
        assert self.is_alive()


class Killing:
    """A service, and the processes of it that are killed."""

    def __init__(self, host: Host) -> None:
        self.host = host

    def pid(self, name: str) -> int:
        assert self.host.process
        if name == PROJECTOR:
            return holder(self.host.folder / LEADER) or 0
        return descendant_named(name, self.host.process.pid)

    def kill(self, name: str) -> None:
        """Return when another process has taken its place."""
        if name == FRONT:
            self.host.kill()
            self.host.start(*SERVICE).up()
            return
        until(lambda: self.pid(name))
        os.kill(killed := self.pid(name), signal.SIGKILL)
        until(lambda: self.pid(name) not in {0, killed} and killed not in running_processes())


@contextmanager
def at_work(host: Host) -> Iterator[list[Client]]:
    clients: list[Client] = [Sheets(host), Analyst(host), Listener(host), Reader(host)]
    yield clients
    for client in clients[:2]:
        client.end()


@pytest.mark.timeout(600)
def test_no_process_that_is_killed_costs_an_entry_a_message_or_an_analysis(tmp_path: Path) -> None:
    limits = {f"KIFU_{name.upper()}": str(value) for name, value in UNLIMITED.items()}
    more = {"KIFU_PORT": str(free_port()), "KIFU_WEB_PROCESSES": "2", "KIFU_WEBHOOK_PRIVATE": "1", "KIFU_QUIET": "1"}
    with closing(Receiver()) as receiver, closing(Host(tmp_path / "data", **limits, **more)) as host:
        host.start(*SERVICE).up()
        secret = host.http.post("/v1/webhooks", json={"url": receiver.url}).json()["secret"]
        killing = Killing(host)
        with at_work(host) as clients:
            for name in KILLED:
                killing.kill(name)
                for client in clients:
                    client.more(1)
        sheets, analyst, listener, reader = clients
        stored = entries(host)
        until(lambda: len(listener.got) >= len(stored))
        until(lambda: told_of(receiver) >= len(stored))
        for client in (listener, reader):
            client.end()
        until(lambda: work_is_done(host))
    assert len(stored) == len(set(stored))
    assert {*sheets.got, *analyst.got} <= set(stored), "an acknowledged entry is lost"
    assert listener.got == reader.got == stored, "skipped, doubled, or in another order"
    assert all(posted.is_signed_with(secret) for posted in receiver.arrived)
    assert verify(host.folder / LOG).sound
