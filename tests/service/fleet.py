"""Hosts as processes: each has its own data folder, over a shared PostgreSQL and Valkey."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import httpx
from uuid_utils import uuid7

from tests import warm
from tests.plain_http import PLAIN
from tests.service.conftest import UNLIMITED
from tests.waiting import PATIENCE, until

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    import pytest


class Host:
    """A client of a service over its own data folder, with the owner's token."""

    def __init__(self, folder: Path, **settings: str) -> None:
        self.folder, self._settings = folder, settings
        self.process: subprocess.Popen[str] | None = None
        self.http = httpx.Client(timeout=PATIENCE, limits=httpx.Limits(max_keepalive_connections=0), verify=PLAIN)

    def start(self, *words: str) -> Host:
        settings = {"KIFU_DATA": str(self.folder), "KIFU_PORT": "0", "KIFU_QUIET": "0.05", **self._settings}
        command = [sys.executable, "-c", ANNOUNCING, *words]
        self.process = warm.Popen(command, env=os.environ | settings, stdout=subprocess.PIPE, text=True)
        return self

    def up(self) -> Host:
        assert self.process is not None
        assert self.process.stdout is not None
        base = self.process.stdout.readline().strip()
        assert base, "it did not start"
        self.http.base_url = httpx.URL(base)
        until(self._answers)
        token = (self.folder / "owner.token").read_text(encoding="ascii").strip()
        self.http.headers["Authorization"] = f"Bearer {token}"
        return self

    def _answers(self) -> bool:
        try:
            return self.http.get("/v1/health").is_success
        except httpx.HTTPError:
            return False

    def kill(self) -> None:
        """Kill all processes of the host, as a power cut does."""
        assert self.process is not None
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        if self.process.stdout:
            self.process.stdout.close()

    def close(self) -> None:
        self.http.close()
        if self.process and self.process.poll() is None:
            self.process.terminate()
            self.process.wait(PATIENCE)
        if self.process and self.process.stdout:
            self.process.stdout.close()

    def open(self) -> str:
        game = str(uuid7())
        answer = self.http.post("/v1/games", json={"id": game, "ruleset": "kahuna"})
        assert answer.status_code == 201, answer.text
        return game

    def record(self, game: str, move: str, token: str | None = None) -> httpx.Response:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        body = {"events": [{"id": str(uuid7()), "data": {"move": move}}]}
        return self.http.post(f"/v1/games/{game}/events", json=body, headers=headers)

    def note(self, game: str, text: str) -> httpx.Response:
        body = {"events": [{"id": str(uuid7()), "type": "note.added", "data": {"text": text}}]}
        return self.http.post(f"/v1/games/{game}/events", json=body)

    def state(self, game: str) -> Any:
        return self.http.get(f"/v1/games/{game}/state").json()


ANNOUNCING = """
import os, sys
from runpy import run_module
from projections import projector
from service.server import hosts
if "KIFU_TEST_LOOK" in os.environ:
    projector.IDLE_LOOK = float(os.environ["KIFU_TEST_LOOK"])
listen = hosts.listen
def told(host, port):
    listener = listen(host, port)
    print(hosts.listener_url(listener), flush=True)
    return listener
hosts.listen = told
sys.argv = sys.argv[1:]
run_module(sys.argv[0], run_name="__main__")
"""
"""Runs a module with a service on any free port, and prints the port.

With `KIFU_TEST_LOOK` its lists look for news after so many seconds, unless somebody wakes them.
"""

WEB = ("service.server.web", "service.app:create_app")
SERVICE = ("service.server.supervisor",)
"""The commands for the web alone, and for the web with background work."""


def fleet(
    database: str, redis_url: str, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Callable[..., list[Host]]]:
    """Returns a function that starts a number of hosts, or hosts over given folders."""
    begun: list[Host] = []
    limits = {f"KIFU_{name.upper()}": str(value) for name, value in UNLIMITED.items()}
    key = tmp_path_factory.mktemp("key") / "tree.key"
    settings = limits | {"KIFU_DATABASE_URL": database, "KIFU_REDIS_URL": redis_url, "KIFU_TREE_KEY": str(key)}

    def start_hosts(*folders: Path, hosts: int = 0, words: tuple[str, ...] = WEB, **more: str) -> list[Host]:
        places = [*folders, *(tmp_path_factory.mktemp("h") for _ in range(hosts))]
        fresh = [Host(folder, **(settings | more)).start(*words) for folder in places]
        begun.extend(fresh)
        return [host.up() for host in fresh]

    yield start_hosts
    for host in begun:
        host.close()
