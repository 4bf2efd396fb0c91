"""Children that are forked: what they get, how they end, and what happens when the fork server ends."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from service.server.forked import KILLED, ForkServer
from service.server.supervisor import Supervisor, announce
from service.server.web import FACTORY
from service.settings import Settings
from tests import loops
from tests.ports import free_port
from workers.process import SUPERVISOR

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from service.server.forked import ForkedChild

pytestmark = pytest.mark.programs

CHILD = """
import os, sys, threading, uuid
import uuid_utils

def main():
    what = sys.argv[1]
    if what == "who":
        say(os.getpid(), os.getpgid(0), os.getppid(), os.environ["KIFU_SUPERVISOR"], os.environ["COLOUR"])
        say(threading.active_count(), sorted(os.listdir("/dev/fd")))
    if what == "ids":
        say(uuid.uuid4(), uuid_utils.uuid4(), uuid_utils.uuid7())
    if what == "wait":
        say("waiting")
        sys.stdin.read()
        say("let go")
    if what == "fail":
        sys.exit("it went wrong")
    return int(sys.argv[2])

def say(*words):
    print(*words, flush=True)
"""

PREPARED = """
import os

MADE = []

def before_fork():
    MADE.append(os.getpid())

def main():
    print(*MADE, os.getppid(), flush=True)
"""


@pytest.fixture
def run(tmp_path: Path) -> Callable[[Callable[[ForkServer], Awaitable[None]]], None]:
    """Have a coroutine use a fork server."""
    (tmp_path / "tiny_child.py").write_text(CHILD, encoding="utf-8")
    (tmp_path / "prepared_child.py").write_text(PREPARED, encoding="utf-8")
    (tmp_path / "broken_child.py").write_text("raise RuntimeError('it cannot be imported')", encoding="utf-8")
    path = os.pathsep.join([str(tmp_path), str(Path.cwd())])

    def run_it(use: Callable[[ForkServer], Awaitable[None]]) -> None:
        async def used() -> None:
            forks = ForkServer(os.environ | {"PYTHONPATH": path, "COLOUR": "red"})
            try:
                await asyncio.wait_for(use(forks), 60)
            finally:
                await forks.close()

        loops.run(used())

    return run_it


async def tell(child: ForkedChild) -> list[str]:
    """What a child writes until it ends."""
    child.let_go()
    return (await child.stdout.read()).decode().splitlines()


def test_a_child_is_a_process_of_its_own_with_nothing_of_the_others(run: Callable[..., None]) -> None:
    async def use(forks: ForkServer) -> None:
        waiting = await forks.fork("first", "tiny_child", ("wait", "0"))
        child = await forks.fork("second", "tiny_child", ("who", "7"))
        who, has = await tell(child)
        pid, group, parent, supervisor, colour = who.split()
        assert int(pid) == int(group) == child.pid != os.getpid()
        assert parent == supervisor != str(os.getpid())
        assert (colour, supervisor) == ("red", parent)
        assert SUPERVISOR not in os.environ
        assert has.startswith("1 "), "it has one thread"
        assert eval(has[2:]) == ["0", "1", "2", "3"], "the last is the folder that lists them"  # noqa: S307
        assert await child.ended == child.returncode == 7
        assert waiting.returncode is None
        assert await tell(waiting) == ["waiting", "let go"]
        assert await waiting.ended == 0

    run(use)


def test_two_children_never_draw_the_same_ids(run: Callable[..., None]) -> None:
    async def use(forks: ForkServer) -> None:
        children = [await forks.fork("ids", "tiny_child", ("ids", "0")) for _ in range(3)]
        drawn = " ".join([line for child in children for line in await tell(child)]).split()
        assert len(drawn) == len(set(drawn)) == 9

    run(use)


def test_a_child_says_why_it_ends_and_how_it_was_killed(run: Callable[..., None]) -> None:
    async def use(forks: ForkServer) -> None:
        failing = await forks.fork("failing", "tiny_child", ("fail", "0"))
        assert await tell(failing) == ["it went wrong"]
        assert await failing.ended == 1
        broken = await forks.fork("broken", "broken_child", ())
        assert (await tell(broken))[-1] == "RuntimeError: it cannot be imported"
        assert await broken.ended == 1
        stopped = await forks.fork("stopped", "tiny_child", ("wait", "0"))
        assert await stopped.stdout.readline() == b"waiting\n"
        stopped.send_signal(signal.SIGTERM)
        assert await stopped.ended == -signal.SIGTERM
        stopped.send_signal(signal.SIGTERM)  # which nobody else gets
        stopped.let_go()

    run(use)


def test_a_fork_server_that_is_killed_takes_its_children_along_and_is_started_again(run: Callable[..., None]) -> None:
    async def use(forks: ForkServer) -> None:
        waiting = await forks.fork("waiting", "tiny_child", ("wait", "0"))
        child = await forks.fork("who", "tiny_child", ("who", "0"))
        server = int((await tell(child))[0].split()[2])
        os.kill(server, signal.SIGTERM)  # which is for the others
        assert await (await forks.fork("who", "tiny_child", ("who", "5"))).ended == 5
        os.kill(server, signal.SIGKILL)
        assert await waiting.ended == KILLED
        waiting.let_go()
        again = await forks.fork("again", "tiny_child", ("who", "3"))
        assert int((await tell(again))[0].split()[2]) != server
        assert await again.ended == 3

    run(use)


def test_what_children_share_is_made_once_before_the_first_is_forked(run: Callable[..., None]) -> None:
    async def use(forks: ForkServer) -> None:
        other = await forks.fork("other", "tiny_child", ("wait", "0"), ("prepared_child",))
        found = [await tell(await forks.fork("prepared", "prepared_child", ())) for _ in range(2)]
        (made, server) = found[0][0].split()
        assert made == server
        assert found[0] == found[1]
        assert await tell(other) == ["waiting", "let go"]

    run(use)


def test_the_modules_of_all_children_are_loaded_before_one_is_forked(tmp_path: Path) -> None:
    supervisor = Supervisor(Settings(data=tmp_path, port=free_port()), FACTORY, announce)
    supervisor._listener.close()
    first = supervisor.children[1]  # Valkey is another program
    assert {each.module for each in supervisor.children[1:]} | {"service.app"} <= {first.module, *first.imports}


def test_the_client_of_webhooks_is_loaded_with_the_first_message() -> None:
    modules = "workers.relay, workers.worker, service.webhooks.deliverer, service.live.streams, service.app"
    loaded = f"import sys, {modules}; print('httpx' in sys.modules)"
    output = subprocess.run([sys.executable, "-c", loaded], capture_output=True, text=True, check=True)
    assert output.stdout == "False\n"
