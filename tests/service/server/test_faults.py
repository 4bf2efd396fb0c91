"""Faults, over HTTP, with a real server: killed at any moment, a disk that is full, files that were damaged.

The short forms run always, the long ones with `make soak`.
"""

from __future__ import annotations

import os
import random
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from contextlib import closing, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx
import pytest
from click.testing import CliRunner
from uuid_utils import uuid7

from events.failpoints import POINTS
from events.sqlite import verify
from games.kahuna import KAHUNA
from games.playout import playout
from service.cli.commands import kifu as command
from tests import warm
from tests.choosing import soak_except
from tests.plain_http import PLAIN
from tests.ports import free_port
from tests.waiting import PATIENCE, until

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.programs

FEW = ("append.committed",)
"""A kill between what is durable and its answer; the log's own tests are killed at every point."""
FAILPOINTS = [
    point if point in FEW else pytest.param(point, marks=pytest.mark.soak)
    for point in POINTS
    if point.startswith(("append.", "checkpoint."))
]
"""Those that a running server passes; the log's own tests see to the others."""


class Server:
    """A real server over a data folder, that can be killed and started again on the same port."""

    def __init__(self, folder: Path) -> None:
        self.port = free_port()
        self.folder = folder
        fresh = httpx.Limits(max_keepalive_connections=0)  # one that was used before may end at a dead server
        self.http = httpx.Client(base_url=f"http://127.0.0.1:{self.port}", timeout=PATIENCE, limits=fresh, verify=PLAIN)
        self.process: subprocess.Popen[bytes] | None = None
        self.killed = 0

    def start(self, **environment: str) -> Server:
        settings = {"KIFU_DATA": str(self.folder), "KIFU_PORT": str(self.port)}
        self.process = warm.Popen(
            [sys.executable, "-m", "service.server.web", "service.app:create_app"],
            env=os.environ | settings | environment,
            cwd=Path(__file__).parents[3],
            start_new_session=True,
            stderr=subprocess.DEVNULL,
        )
        return self

    def limit(self, size: int) -> None:
        """Let no file of the server grow beyond `size` bytes: a disk that is full. Python ignores SIGXFSZ."""
        for pid in self._pids():
            resource.prlimit(pid, resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))

    def _pids(self) -> list[int]:
        """All living processes of the server's session, also those that it starts at this moment."""
        assert self.process
        found = []
        for stat in Path("/proc").glob("[0-9]*/stat"):
            with suppress(OSError):
                state, _, _, session = stat.read_text().rpartition(")")[2].split()[:4]
                if state not in "ZX" and int(session) == self.process.pid:
                    found.append(int(stat.parent.name))
        return found

    def wait(self) -> Server:
        until(lambda: self.get("/v1/health", patient=False) is not None)
        return self

    def kill(self) -> None:
        assert self.process
        os.kill(self.process.pid, signal.SIGKILL)
        self.process.wait()
        until(lambda: not self._pids())  # they die with their parent
        self.killed += 1

    def is_dead(self) -> bool:
        """Whether the serving process is gone: its parent, the front, ends with it."""
        assert self.process
        return self.process.poll() is not None

    @property
    def token(self) -> str:
        return (self.folder / "owner.token").read_text().strip()

    def get(self, path: str, *, patient: bool = True) -> Any:
        try:
            answer = self.http.get(path, headers=self._headers())
        except httpx.TransportError:
            if patient:
                raise
            return None
        return answer.json()

    def post(self, path: str, body: Any) -> httpx.Response:
        return self.http.post(path, json=body, headers=self._headers())

    def insist(self, path: str, body: Any) -> httpx.Response:
        """Send until the application answers, as a phone does that lost the connection, or is asked to wait."""
        deadline = time.monotonic() + PATIENCE
        while True:
            with suppress(httpx.TransportError):
                answer = self.post(path, body)
                if answer.status_code != 503:
                    return answer
            assert time.monotonic() < deadline
            time.sleep(0.05)

    def _headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}"} if (self.folder / "owner.token").exists() else {}


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    made = Server(tmp_path / "data")
    with made.http:
        yield made
    if made.process and made.process.poll() is None:
        made.kill()


def random_entries(seed: int) -> list[dict[str, Any]]:
    moves = playout(KAHUNA.open({}, None, 2), random.Random(seed))
    return [{"id": str(uuid7()), "data": {"move": KAHUNA.move_data(move)}} for move, _ in moves]


def record_game(server: Server, seed: int, entries: int, acknowledged: dict[str, list[str]]) -> None:
    """One phone: opens a game and records it, sends again what was not answered, remembers what was."""
    game = str(uuid7())
    assert server.insist("/v1/games", {"id": game, "ruleset": "kahuna"}).status_code == 201
    acknowledged[game] = []
    for entry in random_entries(seed)[:entries]:
        answer = server.insist(f"/v1/games/{game}/events", {"events": [entry]})
        assert answer.status_code == 201, answer.text
        acknowledged[game].append(entry["id"])


def record_games(server: Server, phones: int, entries: int) -> tuple[dict[str, list[str]], list[threading.Thread]]:
    acknowledged: dict[str, list[str]] = {}
    threads = [
        threading.Thread(target=record_game, args=(server, seed, entries, acknowledged)) for seed in range(phones)
    ]
    for thread in threads:
        thread.start()
    return acknowledged, threads


def check(server: Server, acknowledged: dict[str, list[str]]) -> None:
    """Nothing that was acknowledged is lost, nothing stands twice, every chain holds."""
    for game, ids in acknowledged.items():
        stored = [event["id"] for event in server.get(f"/v1/games/{game}/events?limit=1000")["events"]]
        assert stored == [game, *ids]
    server.kill()
    report = verify(server.folder / "kifu.db")
    assert report.sound, report.problems


@pytest.mark.parametrize("failpoint", FAILPOINTS)
def test_a_kill_at_any_point_loses_nothing_and_doubles_nothing(server: Server, failpoint: str) -> None:
    server.start(KIFU_FAILPOINT=f"{failpoint}:{1 if failpoint.startswith('checkpoint') else 4}").wait()
    acknowledged, threads = record_games(server, phones=3, entries=6)
    until(server.is_dead)
    server.start().wait()
    for thread in threads:
        thread.join()
    assert [len(ids) for ids in acknowledged.values()] == [6, 6, 6]
    check(server, acknowledged)


def kill_at_random(server: Server, kills: int, phones: int, entries: int, seed: int) -> None:
    chance = random.Random(seed)
    server.start().wait()
    acknowledged, threads = record_games(server, phones, entries)
    for _ in range(kills):
        time.sleep(chance.uniform(0.01, 0.4))
        server.kill()
        server.start().wait()
    for thread in threads:
        thread.join()
    assert {len(ids) for ids in acknowledged.values()} == {entries}
    check(server, acknowledged)


def test_kills_at_random_lose_nothing_and_double_nothing(server: Server) -> None:
    kill_at_random(server, kills=2, phones=3, entries=25, seed=1)


@pytest.mark.soak
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("seed", range(10))
def test_kills_at_random_for_a_long_time_lose_nothing(server: Server, seed: int) -> None:
    kill_at_random(server, kills=25, phones=8, entries=100, seed=seed)


def two_games(server: Server) -> list[str]:
    """Two recorded games, and a server that has been killed: the WAL holds what was recorded last."""
    server.start().wait()
    acknowledged: dict[str, list[str]] = {}
    for seed in range(2):
        record_game(server, seed, 12, acknowledged)
    server.kill()
    return list(acknowledged)


def test_a_lost_tail_is_noticed_at_start_and_named_and_other_games_are_served(server: Server) -> None:
    lost, other = two_games(server)
    with closing(sqlite3.connect(server.folder / "kifu.db")) as db, db:
        for (trigger,) in db.execute("select name from sqlite_master where type = 'trigger'").fetchall():
            db.execute(f"drop trigger {trigger}")
        db.execute("delete from event where version > 10 and game = 1")
    db.close()
    server.start().wait()
    health = server.get("/v1/health")
    assert health["status"] == "damaged"
    assert list(health["damaged"]) == [lost]
    problem = server.get(f"/v1/games/{lost}")
    assert (problem["type"], problem["game"], problem["version"]) == ("/problems/record-damaged", lost, 11)
    refused = server.post(f"/v1/games/{lost}/events", {"events": [random_entries(1)[0]]})
    assert refused.json()["type"] == "/problems/record-damaged"
    assert server.get(f"/v1/games/{other}")["version"] == 13
    assert until(lambda: server.get("/v1/games?status=unreadable")["games"])[0]["game"] == lost
    server.kill()
    assert [(found.game, found.version, found.kind) for found in verify(server.folder / "kifu.db").problems] == [
        (lost, 11, "truncated")
    ]


def test_a_truncated_wal_is_noticed_at_start(server: Server) -> None:
    """Power went, and the disk had told a lie about what it had written."""
    games = two_games(server)
    wal = server.folder / "kifu.db-wal"
    size = wal.stat().st_size
    assert size > 40_000
    os.truncate(wal, size // 3)
    server.start().wait()
    damaged = server.get("/v1/health")["damaged"]
    assert damaged
    for game in games:
        answer = server.get(f"/v1/games/{game}")
        assert answer["type"] == "/problems/record-damaged" if game in damaged else answer["version"] == 13


@pytest.mark.parametrize(
    "damage", soak_except(("flipped", "cut", "removed"), "cut")
)  # test_access_chain.py has them all
def test_a_lost_tail_of_access_opens_nothing_that_was_revoked(server: Server, damage: str) -> None:
    """A token is revoked, a role taken, a game hidden; then the power goes, and the disk had told a lie."""
    server.start().wait()
    acknowledged: dict[str, list[str]] = {}
    record_game(server, 0, 4, acknowledged)
    (game,) = acknowledged
    owner, anna = server._headers(), str(uuid7())
    assert server.http.put(f"/v1/roles/{anna}", json={"role": "owner"}, headers=owner).is_success
    guest = server.post("/v1/tokens", {"name": "x", "person": anna}).json()
    spared = server.post("/v1/tokens", {"name": "y", "role": "viewer"}).json()
    assert server.http.put(f"/v1/games/{game}/visibility", json={"visibility": "public"}, headers=owner).is_success
    assert server.http.delete(f"/v1/tokens/{guest['info']['id']}", headers=owner).is_success
    assert server.http.delete(f"/v1/roles/{anna}", headers=owner).is_success
    assert server.http.put(f"/v1/games/{game}/visibility", json={"visibility": "private"}, headers=owner).is_success
    server.kill()
    wal = server.folder / "access.db-wal"
    if damage == "flipped":
        content = bytearray(wal.read_bytes())
        content[len(content) // 2] ^= 1
        wal.write_bytes(content)
    elif damage == "cut":
        os.truncate(wal, wal.stat().st_size // 2)
    else:
        wal.unlink()
    result = CliRunner().invoke(command, ["verify", str(server.folder)])
    assert result.exit_code == 1
    assert "later revocations are missing" in " ".join(result.output.split())
    server.start().wait()
    assert server.get("/v1/health")["status"] == "access-stopped"
    for token in (guest["token"], spared["token"], server.token, None):
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        answer = server.http.get(f"/v1/games/{game}", headers=headers)
        assert (answer.status_code, answer.json()["type"]) == (503, "/problems/access-stopped")
    server.kill()
    result = CliRunner().invoke(command, ["access", "--revoke", "--yes", "--data", str(server.folder)])
    assert result.exit_code == 0, result.output
    server.start().wait()
    assert server.get("/v1/health")["status"] == "ok"
    assert server.get(f"/v1/games/{game}")["game"] == game
    for token in (guest["token"], spared["token"]):
        assert server.http.get("/v1/token", headers={"Authorization": f"Bearer {token}"}).status_code == 401
    assert server.http.get(f"/v1/games/{game}").status_code == 404


def test_a_flipped_bit_is_never_served_as_truth(server: Server) -> None:
    game, other = two_games(server)
    path = server.folder / "kifu.db"
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("pragma wal_checkpoint(truncate)")
        bodies = db.execute("select version, data from event where game = 1 and version > 2").fetchall()
    db.close()
    content = path.read_bytes()
    flipped, body = next((version, bytes(body)) for version, body in bodies if content.count(bytes(body)) == 1)
    place = content.index(body) + len(body) // 2
    path.write_bytes(content[:place] + bytes([content[place] ^ 4]) + content[place + 1 :])
    shutil.rmtree(server.folder / "views")
    server.start().wait()
    for rest in ("", "/state", "/timeline", "/score", "/export?format=text", "/events"):
        problem = server.get(f"/v1/games/{game}{rest}")
        assert (problem["type"], problem["version"]) == ("/problems/record-damaged", flipped), rest
    assert server.get(f"/v1/games/{other}")["version"] == 13
    server.kill()
    assert [(found.game, found.version, found.kind) for found in verify(path).problems] == [(game, flipped, "edited")]


def test_a_full_disk_is_said_clearly_and_appends_go_on_when_there_is_room(server: Server) -> None:
    server.start().wait().limit(400_000)
    game = str(uuid7())
    server.post("/v1/games", {"id": game, "ruleset": "kahuna"})
    stored, refused = 1, None
    note: dict[str, Any] = {}
    for _ in range(400):
        note = {"id": str(uuid7()), "type": "note.added", "data": {"text": "x" * 4000}}
        answer = server.post(f"/v1/games/{game}/events", {"events": [note]})
        if answer.status_code != 201:
            refused = answer
            break
        stored += 1
    assert refused is not None
    assert (refused.status_code, refused.json()["type"]) == (507, "/problems/storage-full")
    assert server.get(f"/v1/games/{game}")["version"] == stored
    server.limit(resource.RLIM_INFINITY)
    again = server.post(f"/v1/games/{game}/events", {"events": [note]})
    assert again.status_code == 201, again.text
    assert again.json()["version"] == stored + 1
    server.kill()
    assert verify(server.folder / "kifu.db").sound
