"""A running service over its own data folder, for browser tests and pictures."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import threading
import time
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx
from uuid_utils import uuid7
from werkzeug.serving import WSGIRequestHandler, make_server

from tests import warm
from tests.plain_http import PLAIN
from tests.ports import free_port

if TYPE_CHECKING:
    from collections.abc import Iterator

    from service.app import Application

PATIENCE = 60
"""The most seconds of a short step on a busy machine."""


class Service:
    """A client of a running service over its own data folder, with the owner's token.

    Games that it opens or imports are public.
    """

    def __init__(self, base: str, token: str, folder: Path, pid: int = 0) -> None:
        self.base, self.token, self.folder, self._pid = base, token, folder, pid
        self.api = httpx.Client(
            base_url=base, headers={"Authorization": f"Bearer {token}"}, timeout=PATIENCE, verify=PLAIN
        )

    @property
    def pid(self) -> int:
        """The id of the process that serves. Never 0: a signal to 0 would end the tests and all their processes."""
        assert self._pid > 0, "a thread of this process serves"
        return self._pid

    @cached_property
    def cookie(self) -> dict[str, str]:
        """The cookie of a logged-in browser, in the form of Playwright. A test that logs out needs another one."""
        return self.log_in()

    def log_in(self, token: str | None = None) -> dict[str, str]:
        """The cookie of a new session, by the owner's token or another one."""
        (found,) = httpx.post(f"{self.base}/login", data={"token": token or self.token}, verify=PLAIN).cookies.jar
        return {"name": found.name, "value": str(found.value), "url": self.base}

    def open(self, *names: str, **more: Any) -> str:
        """Open a game of Kahuna for people of these names."""
        game = str(uuid7())
        seats = [{"name": name} for name in names or ("Anna", "Björn")]
        self._post("/v1/games", {"id": game, "ruleset": "kahuna", "seats": seats} | more)
        return self.show(game)

    def show(self, game: str, visibility: str = "public") -> str:
        """Set the visibility of a game."""
        self.api.put(f"/v1/games/{game}/visibility", json={"visibility": visibility}).raise_for_status()
        return game

    def record(self, game: str, *moves: str) -> None:
        self.add(game, *({"data": {"move": move}} for move in moves))

    def add(self, game: str, *entries: dict[str, Any]) -> None:
        self._post(f"/v1/games/{game}/events", {"events": [{"id": str(uuid7())} | entry for entry in entries]})

    def entries(self, game: str, after: int = 0) -> list[dict[str, Any]]:
        answer = self.api.get(f"/v1/games/{game}/timeline?limit=1000&after={after}").raise_for_status()
        found: list[dict[str, Any]] = answer.json()["entries"]
        return found

    def version(self, game: str) -> int:
        """The number of entries of a game; 0 for an unknown game."""
        answer = self.api.get(f"/v1/games/{game}")
        return 0 if answer.status_code == 404 else int(answer.raise_for_status().json()["version"])

    def notations(self, game: str) -> list[str]:
        """The notations of the moves that count."""
        return [
            entry["notation"] for entry in self.entries(game) if "notation" in entry and "withdrawn_by" not in entry
        ]

    def import_text(self, text: str) -> str:
        """Import a game from its transcript."""
        answer = self.api.post(
            f"/v1/imports?id={uuid7()}", content=text.encode(), headers={"Content-Type": "text/plain"}
        )
        assert answer.status_code == 201, answer.text
        return self.show(str(answer.json()["game"]))

    def catch_up(self) -> None:
        """Wait until the catalogue is up to date."""
        for _ in range(PATIENCE * 20):
            health = self.api.get("/v1/health").raise_for_status().json()
            if health["projected"] == health["position"]:
                return
            time.sleep(0.05)
        raise AssertionError(health)

    def _post(self, path: str, body: dict[str, Any]) -> None:
        answer = self.api.post(path, json=body)
        assert answer.status_code == 201, answer.text


class Quiet(WSGIRequestHandler):
    """Answers requests without printing a line for each."""

    def log(self, *_: object) -> None: ...


@contextlib.contextmanager
def serve_here(app: Application) -> Iterator[str]:
    """Serve an application from a thread of this process; its address. A new program would import everything again."""
    server = make_server("127.0.0.1", 0, app, threaded=True, request_handler=Quiet)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@contextlib.contextmanager
def serve(folder: Path, port: int | None = None) -> Iterator[Service]:
    """Start a service over `folder` on a port, or on any free one, and stop it at the end."""
    port = port or free_port()
    command = [sys.executable, "-m", "service.server.web", "service.app:create_app"]
    unlimited = {"KIFU_READS": "0", "KIFU_WRITES": "0"}  # tests ask more often than anybody does
    environment = unlimited | os.environ | {"KIFU_DATA": str(folder / "data"), "KIFU_PORT": str(port)}
    root = Path(__file__).parents[1]
    with (folder / "log").open("wb") as log:
        process = warm.Popen(command, env=environment, cwd=root, stdout=log, stderr=subprocess.STDOUT)
    try:
        base = f"http://127.0.0.1:{port}"
        _wait_for(base, process, folder / "log")
        token = (folder / "data" / "owner.token").read_text(encoding="ascii").strip()
        service = Service(base, token, folder / "data", process.pid)
        with service.api:
            yield service
    finally:
        process.terminate()
        process.wait(PATIENCE)


def _wait_for(base: str, process: subprocess.Popen[bytes], log: Path) -> None:
    with httpx.Client(verify=PLAIN) as stranger:
        for _ in range(PATIENCE * 20):
            if process.poll() is None:
                with contextlib.suppress(httpx.HTTPError):
                    stranger.get(f"{base}/v1/health").raise_for_status()
                    return
            time.sleep(0.05)
    raise AssertionError(log.read_text(encoding="utf-8"))
