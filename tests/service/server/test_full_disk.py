"""A service that starts where nothing can be written or said: it serves, reads go on, and it says what it waits for."""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx
import pytest

from events.databases.files import prove
from events.errors import LogFullError
from service.access.tables import ACCESS
from service.cli.shell import screen
from service.cli.upkeep import greeting
from service.server import hosts, reserve, service_lock
from service.settings import Settings
from tests import warm
from tests.choosing import soak_except
from tests.plain_http import PLAIN
from tests.ports import free_port
from tests.service.cli.conftest import Kifu, environment_of
from tests.waiting import PATIENCE, until

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.programs

ROOM = 12 << 20
"""Bytes of the small disk."""


@pytest.fixture
def disk(request: pytest.FixtureRequest) -> Iterator[Path]:
    """A small disk of its own, or a reason why the test is skipped.

    pytest could not remove its folders if a killed run left the disk in one of them.
    """
    place = Path(tempfile.mkdtemp(prefix="kifu-disk-"))
    folder = place / "disk"
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", f"size={getattr(request, 'param', ROOM)}", "tmpfs", str(folder)]
    if sys.platform != "linux" or os.geteuid() or subprocess.run(command, check=False, capture_output=True).returncode:
        shutil.rmtree(place)
        pytest.skip("no disk can be mounted here")
    yield folder
    subprocess.run(["umount", "-l", str(folder)], check=True)
    shutil.rmtree(place)


def fill(disk: Path) -> Path:
    """Leave no byte of a disk."""
    filling = disk / "filling"
    with suppress(OSError), filling.open("wb", buffering=0) as file:
        while True:
            file.write(bytes(4096))
    return filling


class Serving:
    """`kifu serve` as a program, and what it said."""

    def __init__(self, data: Path, *options: str, said: str = "", **environment: str) -> None:
        self.port, self.log = free_port(), data.parent.parent / f"log-{os.urandom(4).hex()}"
        with Path(said or self.log).open("wb") as out:
            self.process = warm.Popen(
                [sys.executable, "-m", "service.cli", "serve", "--port", str(self.port), *options],
                env=environment_of(data) | environment,
                stdout=out,
                stderr=out,
                start_new_session=True,
            )

    def get(self, path: str, **headers: str) -> Any:
        """The answer; None as long as there is none."""
        with suppress(httpx.TransportError):
            return httpx.get(
                f"http://127.0.0.1:{self.port}{path}", headers=headers, timeout=10, trust_env=False, verify=PLAIN
            )
        return None

    def up(self) -> Serving:
        """Serving, once it answers."""
        until(lambda: (self.process.poll() is None or self.say()) and self.get("/v1/health"))
        return self

    def say(self) -> None:
        raise AssertionError(self.said)

    @property
    def said(self) -> str:
        return self.log.read_text(encoding="utf-8")


@contextmanager
def serving(data: Path, *options: str, said: str = "", **environment: str) -> Iterator[Serving]:
    made = Serving(data, *options, said=said, **environment)
    try:
        yield made
    finally:
        if made.process.poll() is None:
            made.process.send_signal(signal.SIGINT)
        made.process.wait(PATIENCE)


@pytest.mark.timeout(300)
@pytest.mark.parametrize(
    ("end", "processes"), soak_except([(signal.SIGINT, "1"), (signal.SIGKILL, "2")], (signal.SIGKILL, "2"))
)
@pytest.mark.programs
def test_a_service_starts_on_a_full_disk_and_reads_go_on(disk: Path, end: signal.Signals, processes: str) -> None:
    data = disk / "data"
    kifu = Kifu(data)
    game = kifu.play()
    with serving(data) as before:
        before.up()
        until((data / reserve.FILE).exists)
        before.process.send_signal(end)
        before.process.wait(PATIENCE)
    filling = fill(disk)
    access = (data / "access.db").read_bytes()
    owner = {"Authorization": f"Bearer {(data / 'owner.token').read_text().strip()}"}
    with serving(data, KIFU_WEB_PROCESSES=processes) as made:
        made.up()
        assert made.get(f"/v1/games/{game}", **owner).json()["version"] == 6
        listed = until(lambda: (found := made.get("/v1/games", **owner)).status_code == 200 and found.json()["games"])
        assert [each["game"] for each in listed] == [game]
        assert "the disk of" in made.said
        fill(disk)
        timeline = made.get(f"/v1/games/{game}/timeline", **owner)
        assert timeline.status_code == 200, (timeline.text, made.said)
        for each in disk.glob("filling*"):
            each.unlink()
        until(lambda: "Log in at" in made.said)
        until(lambda: service_lock.find(data))
        assert made.get("/v1/health").json()["status"] == "ok"
    assert not list(data.glob("access.db.*"))
    assert access[:16] == b"SQLite format 3\0"
    assert not filling.exists()


@pytest.mark.timeout(300)
def test_a_full_disk_is_not_taken_for_a_damaged_store_of_access(disk: Path) -> None:
    data = disk / "data"
    Kifu(data).play()  # which leaves nothing that a start could use: neither a reserve nor indexes
    before = (data / "access.db").read_bytes()
    fill(disk)
    with pytest.raises(LogFullError, match="is full"):
        list(prove(ACCESS, data / "access.db"))
    with serving(data) as made:
        assert made.process.wait(PATIENCE) == 1
    assert "is full" in made.said
    assert "Traceback" not in made.said
    assert (data / "access.db").read_bytes() == before
    assert not list(data.glob("access.db.damaged*"))


@pytest.mark.timeout(300)
def test_a_service_with_a_full_output_serves(tmp_path: Path) -> None:
    with serving(tmp_path / "folder" / "data", "--samples", said="/dev/full") as made:
        until(lambda: made.process.poll() is not None or made.get("/v1/health"))
        until(lambda: service_lock.find(tmp_path / "folder" / "data"))
        time.sleep(2)  # it greets meanwhile, or tries to
        assert made.get("/v1/health").json()["status"] == "ok"


@pytest.mark.timeout(300)
def test_a_service_that_cannot_write_where_it_is_serves_and_is_found_later(tmp_path: Path) -> None:
    data = tmp_path / "folder" / "data"
    (data / "service.new" / "in the way").mkdir(parents=True)
    with serving(data) as made:
        made.up()
        until(lambda: "Log in at" in made.said)
        assert service_lock.find(data) is None
        assert "do not find the service yet" in made.said
        (data / "service.new" / "in the way").rmdir()
        (data / "service.new").rmdir()
        assert until(lambda: service_lock.find(data)).pid == made.process.pid
        assert made.said.count("do not find the service yet") == 1


class Busy(BaseHTTPRequestHandler):
    """A service that has no login link to give for a while."""

    refusals = 3

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        busy, Busy.refusals = Busy.refusals > 0, Busy.refusals - 1
        answer = {"title": "busy", "status": 503} if busy else {"path": "/login?code=kifu_log_x", "ends_at": "soon"}
        body = json.dumps(answer).encode()
        self.send_response(503 if busy else 201)
        self.send_header("Content-Type", "application/problem+json" if busy else "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        """Say nothing."""


def greeted(settings: Settings, refusals: int) -> str:
    """Greet somebody at a service that refuses so many requests at first; its address."""
    for each in (screen.out, screen.err):
        each.cache_clear()
    Busy.refusals = refusals
    with HTTPServer(("127.0.0.1", 0), Busy) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        url = f"http://127.0.0.1:{server.server_port}"
        greeting.greet(settings, url)
        server.shutdown()
    for each in (screen.out, screen.err):
        each.cache_clear()
    return url


def test_a_login_link_that_is_refused_for_now_follows(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(greeting, "FIRST_PAUSE", 0.01)
    url = greeted(Settings(data=tmp_path), refusals=3)
    output = capsys.readouterr()
    ready, way_in, *more = output.out.splitlines()
    assert (ready, way_in) == (f"Kifu is ready at {url}", f"Log in at {url}/login?code=kifu_log_x")
    assert "For phones in this network: kifu serve --network" in more[0]
    assert "503" in output.err
    assert output.err.count("The login link follows") == 1


@pytest.mark.parametrize(
    ("host", "told"),
    [("0.0.0.0", "no phone can reach it"), ("localhost", "kifu serve --network")],  # noqa: S104
)
def test_where_no_phone_gets_in_the_greeting_says_why(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, host: str, told: str
) -> None:
    """Over HTTPS public addresses are left out, and a machine can have no other."""
    monkeypatch.setattr(hosts, "_reached_at", lambda _host: [])
    greeted(Settings(data=tmp_path, host=host), refusals=0)
    (said,) = (line for line in capsys.readouterr().out.splitlines() if "phone" in line)
    assert told in said


@pytest.mark.timeout(600)
@pytest.mark.parametrize(("phones", "starts"), [(180, 1), pytest.param(150, 12, marks=pytest.mark.soak)])
def test_phones_that_wait_for_the_service_do_not_end_its_start(tmp_path: Path, phones: int, starts: int) -> None:
    """Each asks again at once, from before the port is open. The login link follows when they rest, if not before."""
    data, done, asking = tmp_path / "folder" / "data", threading.Event(), threading.Event()
    ports: list[int] = []

    def ask() -> None:
        while not done.wait(0.05):
            asking.wait()
            with suppress(OSError, IndexError), socket.create_connection(("127.0.0.1", ports[-1]), 10) as phone:
                phone.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
                while phone.recv(65536):
                    pass

    crowd = [threading.Thread(target=ask, daemon=True) for _ in range(phones)]
    for phone in crowd:
        phone.start()
    for _ in range(starts):
        asking.set()
        with serving(data, KIFU_THREADS="1", KIFU_READS="0") as made:
            ports.append(made.port)
            until(lambda made=made: made.process.poll() is not None or "Kifu is ready" in made.said)
            assert made.process.poll() is None, made.said
            asking.clear()
            until(lambda made=made: made.process.poll() is not None or "Log in at" in made.said)
            assert made.process.poll() is None, made.said
    done.set()
    asking.set()
    for phone in crowd:
        phone.join()


def test_the_reserve_is_kept_and_given_up_only_where_there_is_no_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    free = [reserve.PLENTY]
    monkeypatch.setattr(reserve, "_free", lambda _: free[0])
    reserve.keep(tmp_path)
    assert (tmp_path / reserve.FILE).stat().st_size == reserve.SIZE
    assert not reserve.use(tmp_path)
    free[0] = reserve.SIZE - 1
    assert reserve.use(tmp_path)
    assert not reserve.use(tmp_path)
    reserve.keep(tmp_path)
    assert list(tmp_path.iterdir()) == []
