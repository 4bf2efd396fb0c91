"""A real Chromium in front of a real server: one of each for every test worker, a fresh browser profile a test."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Any

import httpx
import pytest
from uuid_utils import uuid7

from tests.browser import FLAGS, MISSING, find

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from playwright.sync_api import Browser, ConsoleMessage, Dialog, Page

PHONE = {"width": 360, "height": 740}
DESK = {"width": 1280, "height": 900}
PATIENCE = 20
EXPECTED = "Failed to load resource"
"""What Chromium says of every refusal and every lost connection, which tests bring about on purpose."""


class Service:
    """A running service over a data folder of its own, as a program with the owner's token uses it."""

    def __init__(self, base: str, token: str) -> None:
        self.base, self.token = base, token
        self.api = httpx.Client(base_url=base, headers={"Authorization": f"Bearer {token}"})

    def open(self, *names: str, **more: Any) -> str:
        """Open a game of Kahuna for people of these names."""
        game = str(uuid7())
        seats = [{"name": name} for name in names or ("Anna", "Björn")]
        self._post("/v1/games", {"id": game, "ruleset": "kahuna", "seats": seats} | more)
        return game

    def record(self, game: str, *moves: str) -> None:
        self.add(game, *({"data": {"move": move}} for move in moves))

    def add(self, game: str, *entries: dict[str, Any]) -> None:
        self._post(f"/v1/games/{game}/events", {"events": [{"id": str(uuid7())} | entry for entry in entries]})

    def entries(self, game: str) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = (
            self.api.get(f"/v1/games/{game}/timeline?limit=1000").raise_for_status().json()["entries"]
        )
        return found

    def notations(self, game: str) -> list[str]:
        """The moves that count."""
        return [
            entry["notation"] for entry in self.entries(game) if "notation" in entry and "withdrawn_by" not in entry
        ]

    def settle(self) -> None:
        """Wait until the catalogue holds what was recorded."""
        for _ in range(PATIENCE * 20):
            health = self.api.get("/v1/health").raise_for_status().json()
            if health["projected"] == health["position"]:
                return
            time.sleep(0.05)
        raise AssertionError(health)

    def _post(self, path: str, body: dict[str, Any]) -> None:
        answer = self.api.post(path, json=body)
        assert answer.status_code == 201, answer.text


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    path = find()
    if path is None:
        pytest.skip(MISSING)
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        yield playwright.chromium.launch(executable_path=path, args=FLAGS)


@pytest.fixture(scope="package")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    folder = tmp_path_factory.mktemp("service")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "granian", "--interface", "wsgi", "--factory", "--host", "127.0.0.1"]
    command += ["--port", str(port), "--blocking-threads", "8", "service.app:create_app"]
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(
            command, env=os.environ | {"KIFU_DATA": str(folder / "data")}, stdout=log, stderr=subprocess.STDOUT
        )
    try:
        base = f"http://127.0.0.1:{port}"
        _wait_for(base, process, folder / "log")
        running = Service(base, (folder / "data" / "owner.token").read_text(encoding="ascii").strip())
        with running.api:
            yield running
    finally:
        process.terminate()
        process.wait(PATIENCE)


def _wait_for(base: str, process: subprocess.Popen[bytes], log: Path) -> None:
    for _ in range(PATIENCE * 20):
        assert process.poll() is None, log.read_text(encoding="utf-8")
        try:
            httpx.get(f"{base}/v1/health").raise_for_status()
        except httpx.HTTPError:
            time.sleep(0.05)
        else:
            return
    raise AssertionError(log.read_text(encoding="utf-8"))


class Visitor:
    """Somebody with a browser. Pages are kept and cleaned between tests: a new one costs more than most tests."""

    def __init__(self, browser: Browser, service: Service) -> None:
        self._browser, self._service = browser, service
        self._pages: dict[str, Page] = {}
        self.complaints: list[str] = []

    def visit(self, path: str, *, owner: bool = True, **profile: Any) -> Page:
        """Open a page, in a browser with this profile, logged in or not."""
        page = self._pages.get(repr(profile)) or self._start(profile)
        self._pages[repr(profile)] = page
        if owner:
            page.context.add_cookies([{"name": "kifu_token", "value": self._service.token, "url": self._service.base}])
        page.goto(path)
        return page

    def leave(self) -> None:
        """Forget all that the last test left in the browser."""
        for page in self._pages.values():
            context = page.context
            page.unroute_all()
            context.set_offline(False)
            context.clear_cookies()
            if page.url.startswith(self._service.base):
                page.evaluate("localStorage.clear()")
            for other in context.pages:
                if other is not page:
                    other.close()
            page.goto("about:blank")
        self.complaints.clear()

    def _start(self, profile: dict[str, Any]) -> Page:
        usual = {"base_url": self._service.base, "viewport": PHONE, "has_touch": True, "locale": "en-GB"}
        context = self._browser.new_context(**usual | profile)
        context.set_default_timeout(5_000)
        context.on("console", self._hear)
        context.on("weberror", lambda error: self.complaints.append(str(error.error)))
        context.on("dialog", self._dismiss)
        return context.new_page()

    def _hear(self, message: ConsoleMessage) -> None:
        if message.type in {"error", "warning"} and not message.text.startswith(EXPECTED):
            self.complaints.append(message.text)

    def _dismiss(self, dialog: Dialog) -> None:
        """No page of ours has any: it is a script that somebody typed, and that runs."""
        self.complaints.append(f"a dialog says {dialog.message}")
        dialog.dismiss()


@pytest.fixture(scope="package")
def visitor(browser: Browser, service: Service) -> Visitor:
    return Visitor(browser, service)


@pytest.fixture
def visit(visitor: Visitor) -> Iterator[Callable[..., Page]]:
    """Open a page: `visit(path, owner=True, **profile)`. Whatever a console complains of fails the test."""
    yield visitor.visit
    complaints = list(visitor.complaints)
    visitor.leave()
    assert complaints == []


@pytest.fixture(scope="package")
def finished(service: Service) -> str:
    """A game that was played to its end."""
    from tests import goldens

    path = goldens.FOLDER / "kahuna" / "points.txt"
    answer = service.api.post(
        f"/v1/imports?id={uuid7()}", content=path.read_bytes(), headers={"Content-Type": "text/plain"}
    )
    assert answer.status_code == 201, answer.text
    return str(answer.json()["game"])
