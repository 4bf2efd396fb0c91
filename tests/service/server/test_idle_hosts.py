"""What idle hosts ask their database: every statement is in the server's own journal."""

from __future__ import annotations

import time
from collections import Counter
from typing import TYPE_CHECKING

import pytest

from tests.postgres import Primary, own_folder
from tests.service.conftest import DEAL
from tests.service.fleet import SERVICE, fleet
from tests.waiting import until

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from tests.service.fleet import Host

pytestmark = pytest.mark.programs

folder = pytest.fixture(own_folder)

SECONDS = 5.0
"""How long hosts are looked at. On a slow machine they ask less in this time."""

LOOKS = 3
"""How often they are looked at, at most: on a busy machine hosts are not idle soon after their start."""
EACH_SECOND = 5
"""Statements a second of one host, at most."""


@pytest.fixture
def server(folder: Path) -> Iterator[Primary]:
    """A server that keeps a journal of all statements."""
    journal = {"logging_collector": "on", "log_statement": "all", "log_min_messages": "info", "log_line_prefix": "@"}
    made = Primary(folder, **journal)
    yield made
    made.kill()


@pytest.fixture
def start(
    server: Primary, redis_url: str, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Callable[..., list[Host]]]:
    yield from fleet(server.url, redis_url, tmp_path_factory)


def asked(server: Primary, seconds: float) -> Counter[str]:
    """The statements of so many seconds, by their first words."""
    journals = [*(server.data / "log").iterdir()]
    before = {path: path.stat().st_size for path in journals}
    time.sleep(seconds)
    found = Counter[str]()
    for path in (server.data / "log").iterdir():
        text = path.read_bytes()[before.get(path, 0) :].decode(errors="replace")
        for line in text.split("\n@"):
            words = " ".join(line.split()).removeprefix("@")
            if words.startswith(("LOG: statement: ", "LOG: execute ")):
                found[words[:120]] += 1
    return found


def test_idle_hosts_hardly_ask_and_miss_nothing(start: Callable[..., list[Host]], server: Primary) -> None:
    """With a browser that follows a game, and with a second host that waits to take over."""
    one, two = start(hosts=2, words=SERVICE, KIFU_REST="0", KIFU_AUDIT="0")
    game = one.open()
    until(lambda: game in two.http.get("/v1/games").text)
    time.sleep(1.0)
    with two.http.stream("GET", f"/v1/games/{game}/stream", headers={"Last-Event-ID": "1"}, timeout=60.0) as followed:
        lines = followed.iter_lines()
        for _ in range(LOOKS):
            found = asked(server, SECONDS)
            if found.total() <= 2 * EACH_SECOND * SECONDS:
                break
        assert found.total() <= 2 * EACH_SECOND * SECONDS, found.most_common()
        assert found.total() >= SECONDS, "the leases at least are renewed"
        assert one.record(game, DEAL).status_code == 201
        assert any(line == "id: 2" for line in lines)
    until(lambda: two.http.get("/v1/games").json()["games"][0]["version"] == 2)
