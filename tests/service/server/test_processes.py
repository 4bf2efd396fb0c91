"""Several web processes of one host, on one data folder: they are one service, and any of them may answer."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import httpx
import pytest
from uuid_utils import uuid7

from events.postgres import verify
from events.sqlite import LOG, SqliteLog
from events.sqlite import verify as verify_file
from projections.sharing import LEADER
from service.server import wire
from tests import warm
from tests.choosing import short_or_soak, soak_except
from tests.plain_http import PLAIN
from tests.service.fleet import fleet
from tests.service.server.test_host_faults import at_work
from tests.waiting import PATIENCE, until

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from events.verification import Report
    from tests.service.fleet import Host

pytestmark = pytest.mark.skipif(not Path("/proc/locks").exists(), reason="who leads is found in /proc")

start = pytest.fixture(fleet)

COUNT = 3

SEVERAL = """
import os, sys
from service import app

def create_app(settings):
    made = app.create_app(settings)
    made.site.add_url_rule("/who", view_func=lambda: str(os.getpid()))
    made.site.add_url_rule("/games/<game>/who", "who_of", view_func=lambda game: str(os.getpid()))
    return made

if __name__ == "__main__":
    from service.settings import from_environment
    from service.server.supervisor import serve
    sys.exit(serve(from_environment(), "several:create_app"))
"""
"""The service, with processes that say which one they are."""


class Answer(NamedTuple):
    status: int
    head: str
    text: str

    @property
    def json(self) -> Any:
        return json.loads(self.text)


class Process:
    """One of the web processes, asked at its own socket, past the front."""

    def __init__(self, host: Host, path: Path) -> None:
        self._token, self.path = host.http.headers["Authorization"], path

    def ask(self, method: str, target: str, body: Any = None, **more: str) -> Answer:
        path, _, query = target.partition("?")
        environ = {
            "REQUEST_METHOD": method,
            "PATH_INFO": path,
            "QUERY_STRING": query,
            "SERVER_PROTOCOL": "HTTP/1.1",
            "SERVER_NAME": "127.0.0.1",
            "SERVER_PORT": "80",
            "REMOTE_ADDR": "127.0.0.1",
            "HTTP_HOST": "localhost",
            **{"HTTP_AUTHORIZATION": self._token} | more,
        }
        content = b"" if body is None else json.dumps(body).encode()
        if content:
            environ |= {"CONTENT_TYPE": "application/json", "CONTENT_LENGTH": str(len(content))}
        with socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(PATIENCE)
            connection.connect(str(self.path))
            connection.sendall(wire.encode_call(wire.Call(environ, close=False, body=content)))
            frames, found = wire.Frames(), b""
            while True:
                data = connection.recv(1 << 16)
                assert data, "it hung up"
                for kind, part in frames.feed(data):
                    found += part
                    if kind in wire.FINAL_FRAMES:
                        head, _, text = found.decode().partition("\r\n\r\n")
                        return Answer(int(head[9:12]), head, text)

    def get(self, target: str) -> Answer:
        return self.ask("GET", target)

    def note(self, game: str, text: str) -> Answer:
        body = {"events": [{"id": str(uuid7()), "type": "note.added", "data": {"text": text}}]}
        return self.ask("POST", f"/v1/games/{game}/events", body)

    @property
    def pid(self) -> int | None:
        """None while there is none."""
        try:
            return int(self.get("/who").text)
        except (OSError, AssertionError):
            return None


FOLDER_FIRST = pytest.mark.parametrize("log_place", soak_except(("folder", "postgres"), "folder"), indirect=True)
"""For what several processes of one host promise with their log in a database, too, as several hosts do."""


@pytest.fixture(params=["folder", "postgres"])
def log_place(request: pytest.FixtureRequest) -> str:
    """The database of the log; empty for one in the data folder."""
    return "" if request.param == "folder" else str(request.getfixturevalue("database"))


@pytest.fixture
def several(
    start: Callable[..., list[Host]], tmp_path: Path, log_place: str
) -> Callable[..., tuple[Host, list[Process]]]:
    """Starts a whole service with so many web processes."""
    (tmp_path / "several.py").write_text(SEVERAL)

    def start_it(**more: str) -> tuple[Host, list[Process]]:
        modules = os.pathsep.join([str(tmp_path), str(Path.cwd())])
        more = {"KIFU_WEB_PROCESSES": str(COUNT), "PYTHONPATH": modules, "KIFU_DATABASE_URL": log_place} | more
        (host,) = start(hosts=1, words=("several",), **more)
        sockets = [host.folder / name for name in ("web.sock", "web-2.sock", "web-3.sock")]
        return host, [Process(host, path) for path in sockets]

    return start_it


@pytest.mark.programs
def test_a_log_that_cannot_be_opened_is_said_in_one_sentence(tmp_path: Path) -> None:
    environment = os.environ | {"KIFU_DATA": str(tmp_path), "KIFU_WEB_PROCESSES": "2"}
    command = [sys.executable, "-m", "service.cli", "serve", "--port", "0"]
    with SqliteLog(tmp_path / LOG):
        ended = warm.run(command, env=environment, text=True, timeout=PATIENCE)
    assert ended.returncode == 1
    # on a busy machine the spare worker, which has the lowest priority, may have to be killed, and that is said
    (line,) = (line for line in ended.stderr.splitlines() if not line.startswith("serve "))
    assert line == f"kifu: process {os.getpid()} has the log {tmp_path / LOG} open for writing"


@FOLDER_FIRST
def test_the_processes_of_a_host_are_one_service(several: Callable[..., tuple[Host, list[Process]]]) -> None:
    """What is recorded, said, let in on one of them holds on the others; each proves, lists and counts all."""
    host, processes = several()
    one, two, three = processes
    pids = {int(host.http.get("/who").text) for _ in range(2 * COUNT)}
    assert pids == {each.pid for each in processes}
    assert len(pids) == COUNT, "whoever asks is answered by all in turn"

    game = host.open()
    homes = [{host.http.get(f"/games/{each}/who").text for _ in range(COUNT)} for each in (game, uuid7(), uuid7())]
    assert [len(home) for home in homes] == [1] * COUNT, "what is about a game goes to the one that has it in memory"
    asked = f"/v1/games/{game}"
    for version, each in enumerate(processes * 2, 2):  # one takes an entry, and the others go on from it at once
        assert each.note(game, f"note {version}").json["version"] == version
        for other in processes:
            assert other.get(f"{asked}/state").json["version"] == version
            assert len(other.get(f"{asked}/timeline").json["entries"]) == version
    assert one.note(game, "stale").status == 201
    for each in processes:
        until(lambda each=each: listed(each) == {game: 8})
        assert each.get("/v1/health").json["status"] == "ok"

    receipts = [each.get(f"{asked}/events/8/receipt").text for each in processes]
    assert all("\nindex 7\n" in receipt for receipt in receipts), "who does not let the tree grow reads it again"
    assert len({each.get("/v1/tree/key").text for each in processes}) == 1

    two.ask("PUT", f"{asked}/visibility", {"visibility": "public"})
    address = str(host.http.base_url.join("/v1/games"))
    for _ in range(COUNT):
        until(lambda: httpx.get(address, verify=PLAIN).json()["games"])

    key = {"HTTP_IDEMPOTENCY_KEY": f'"{uuid7()}"'}
    made = {"name": "a phone", "role": "viewer"}
    with ThreadPoolExecutor(COUNT) as pool:
        at_once = list(pool.map(lambda each: each.ask("POST", "/v1/tokens", made, **key).status, processes))
    assert set(at_once) <= {201, 409}, "whoever comes while it is carried out is told so"
    first, again, once_more = (each.ask("POST", "/v1/tokens", made, **key) for each in processes)
    assert first.status == 201
    assert first.text == again.text == once_more.text
    assert [token["name"] for token in one.get("/v1/tokens").json["tokens"]].count("a phone") == 1

    appended = [
        int(float(found[1]))
        for each in processes
        if (found := re.search(r"^kifu_events_appended_total (\S+)$", each.get("/metrics").text, re.M))
    ]
    assert appended == [8] * COUNT, "they count together"
    asked_for = re.findall(r'^kifu_request_seconds_count\{.*route="/who".*\} (\S+)$', three.get("/metrics").text, re.M)
    assert [int(float(count)) for count in asked_for] == [3 * COUNT]


@FOLDER_FIRST
def test_what_is_erased_on_one_process_is_gone_from_all(several: Callable[..., tuple[Host, list[Process]]]) -> None:
    """Names, texts and what an entry hides: from memory, from the lists, and from what is made of the record."""
    host, processes = several()
    person = str(uuid7())
    host.http.put(f"/v1/players/{person}", json={"name": "Xenia"}).raise_for_status()
    game = str(uuid7())
    opened = {"id": game, "ruleset": "kahuna", "title": "Quetzal", "seats": [{"player": person}, {}]}
    host.http.post("/v1/games", json=opened).raise_for_status()
    for move in ("deal black BARI COCO DUDA", "-", "+?gola", "-"):
        assert host.record(game, move).status_code == 201

    def told(process: Process) -> set[str]:
        """What is known there of the three: who sits there, what the game is called, which card was taken."""
        answers = (process.get(f"/v1/games{part}") for part in ("", f"/{game}", f"/{game}/timeline"))
        hands = json.dumps(process.get(f"/v1/games/{game}/state").json["state"]["hands"])
        text = "".join([hands, *(answer.text for answer in answers)])
        return {word for word in ("Xenia", "Quetzal", "GOLA") if word in text}

    for each in processes:
        until(lambda each=each: "Quetzal" in each.get("/v1/games").text)
        assert len(told(each)) == 3

    one, two, three = processes
    assert one.ask("DELETE", f"/v1/players/{person}").status == 204
    assert two.ask("POST", f"/v1/games/{game}/erasures", {"entry": 1, "what": "text"}).status == 200
    assert three.ask("POST", f"/v1/games/{game}/erasures", {"entry": 4, "what": "hidden"}).status == 200
    for each in processes:
        until(lambda each=each: not told(each))
    assert host.note(game, "nobody writes down again what they had in memory").status_code == 201
    until(lambda: [row["version"] for row in host.http.get("/v1/games").json()["games"]] == [8])
    # A read can keep old bytes on disk. They are wiped when it is over.
    until(lambda: not any(b"Quetzal" in content for content in contents(host.folder)))


def contents(folder: Path) -> Iterator[bytes]:
    """What is in the files of a folder. One can be gone before it is read."""
    for path in folder.rglob("*"):
        with suppress(FileNotFoundError):
            if path.is_file():
                yield path.read_bytes()


def holder(path: Path) -> int | None:
    """Which process has locked a file."""
    inode = path.stat().st_ino
    found = re.search(rf"FLOCK\s+ADVISORY\s+WRITE (\d+) \S+:{inode} ", Path("/proc/locks").read_text())
    return int(found[1]) if found else None


def listed(process: Process) -> dict[str, int]:
    """The games that a process lists, with their versions."""
    return {row["game"]: row["version"] for row in process.get("/v1/games").json["games"]}


class Visitor(threading.Thread):
    """Reads some games over one connection after the other, and keeps what went wrong."""

    def __init__(self, host: Host, games: list[str]) -> None:
        super().__init__(daemon=True)
        self._host, self._games, self.ended = host, games, threading.Event()
        self.refused: list[httpx.Response] = []
        self.answered = 0
        self.start()

    def run(self) -> None:
        while not self.ended.is_set():
            answer = self._host.http.get(f"/v1/games/{self._games[self.answered % len(self._games)]}/state")
            if answer.status_code != 200:
                self.refused.append(answer)
            self.answered += 1
            self.ended.wait(0.02)

    def end(self) -> None:
        assert self.is_alive(), "the front was gone"
        self.ended.set()
        self.join(PATIENCE)


class Listener(threading.Thread):
    """Follows a game by its stream from the beginning, until the service is stopped."""

    def __init__(self, host: Host, game: str) -> None:
        super().__init__(daemon=True)
        self._host, self._address = host, f"/v1/games/{game}/stream?last_event_id=earliest"
        self.told: list[int] = []
        self.start()

    def run(self) -> None:
        with suppress(httpx.HTTPError):
            while not self._listen():
                continue

    def _listen(self) -> bool:
        """Whether it was let in: the call can be one of those that a killed process takes with it."""
        headers = {"Accept": "application/x-ndjson"}
        with self._host.http.stream("GET", self._address, headers=headers) as answer:
            if answer.is_success:
                self.told += (json.loads(line)["id"] for line in answer.iter_lines() if line)
        return answer.is_success


@FOLDER_FIRST
def test_a_process_that_is_killed_takes_its_open_calls_with_it_and_nothing_else(
    several: Callable[..., tuple[Host, list[Process]]], log_place: str
) -> None:
    """While others record and read. It comes again, its duties are another's, no entry is lost, doubled or skipped."""
    host, processes = several()
    with at_work(log_place, host, host) as recorders:
        shared = recorders[0].games[0]
        listener = Listener(host, shared)
        visitors = [Visitor(host, [game for each in recorders for game in each.games]) for _ in range(2)]
        (leader,) = (each for each in processes if each.pid == holder(host.folder / LEADER))
        before = leader.pid
        assert before
        os.kill(before, signal.SIGKILL)
        for recorder in recorders:
            recorder.more(3)
        until(lambda: leader.pid not in {None, before})
        until(lambda: holder(host.folder / LEADER) in {each.pid for each in processes})
        for visitor in visitors:
            visitor.end()
            assert len(visitor.refused) <= 1, "one call was open, at most"
            assert {answer.status_code for answer in visitor.refused} <= {503}
            assert all("Retry-After" in answer.headers for answer in visitor.refused)
    version = host.state(shared)["version"]
    until(lambda: len(listener.told) >= version)
    assert listener.told == list(range(1, version + 1))
    until(lambda: shared in host.http.get("/v1/games").text)
    last = host.note(shared, "the tree and the lists go on with another process")
    assert last.status_code == 201
    for each in processes:
        assert each.get(f"/v1/games/{shared}/events/{version + 1}/receipt").status == 200
        until(lambda each=each: listed(each)[shared] == version + 1)
    assert verified(log_place, host).sound


@pytest.mark.parametrize("log_place", ["folder"], indirect=True)
def test_a_process_of_the_log_that_is_killed_loses_nothing_and_refuses_nobody(
    several: Callable[..., tuple[Host, list[Process]]],
) -> None:
    """While others record, read and erase: they wait until it runs again, and what they sent is stored once."""
    host, processes = several()
    with at_work("", host, host) as recorders:
        game = recorders[0].games[0]
        listener = Listener(host, game)
        for _ in range(short_or_soak(1, 3)):
            pid = int((host.folder / "kifu.db.lock").read_text())
            os.kill(pid, signal.SIGKILL)
            noted = processes[1].note(game, "sent while nobody writes")
            assert noted.status == 201, noted.text
            gone = processes[2].ask(
                "POST", f"/v1/games/{game}/erasures", {"entry": noted.json["version"], "what": "text"}
            )
            assert gone.status == 200, gone.text
            for recorder in recorders:
                recorder.more(3)
            assert int((host.folder / "kifu.db.lock").read_text()) != pid
    version = host.state(game)["version"]
    until(lambda: len(listener.told) >= version)
    assert listener.told == list(range(1, version + 1))
    assert verified("", host).sound


def verified(database: str, host: Host) -> Report:
    return verify(database) if database else verify_file(host.folder / LOG)
