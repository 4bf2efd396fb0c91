from __future__ import annotations

import contextlib
import gc
import os
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest
from redis.exceptions import RedisError
from uuid_utils import uuid7
from werkzeug.test import Client

from service import app as application
from service.app import create_app
from service.settings import Settings
from tests import templates, warm
from tests.waiting import until
from workers.queue import connect
from workers.valkey import socket_url

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from werkzeug.test import TestResponse

    from service.access.file import SqliteStore
    from service.app import Application

application.COLLECTING = gc.get_threshold()
"""A service that opens would change how often this process looks for cycles: see `tests/conftest.py`."""

templates.share()

UNLIMITED: dict[str, int] = {"reads": 0, "writes": 0, "guesses": 0}
"""Settings without rate limits, for tests with many requests."""

DEAL = "deal black BARI COCO DUDA"


class Api:
    """A client of the API with the owner's token; a stranger with `token=None`."""

    def __init__(self, app: Application) -> None:
        self.app = app
        self.client: Client = Client(app)
        self.token: str | None = app.context.owner_token
        self.shows = False
        """Whether all that is opened is for everybody to see."""

    def request(self, method: str, path: str, *, headers: dict[str, str] | None = None, **more: Any) -> TestResponse:
        sent = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        answer = self.client.open(path, method=method, headers=sent | (headers or {}), buffered=True, **more)
        answer.close()
        return answer

    def get(self, path: str, **more: Any) -> TestResponse:
        return self.request("GET", path, **more)

    def post(self, path: str, body: Any = None, **more: Any) -> TestResponse:
        return self.request("POST", path, **({"json": body} if body is not None else {}), **more)

    def open(self, **more: Any) -> str:
        answer = self.post("/v1/games", {"id": str(uuid7()), "ruleset": "kahuna"} | more)
        assert answer.status_code == 201, answer.text
        game = str(answer.get_json()["game"])
        if self.shows:
            self.show(game)
        return game

    def record(self, game: str, *moves: Any, query: str = "", **more: Any) -> TestResponse:
        """Record moves, as notation or as objects, in one request."""
        return self.post(f"/v1/games/{game}/events{query}", {"events": [entry(move) for move in moves]}, **more)

    def play(self, *moves: str) -> str:
        """Open a game, and record these moves."""
        game = self.open()
        answer = self.record(game, DEAL, *moves)
        assert answer.status_code == 201, answer.text
        return game

    def show(self, game: str, visibility: str = "public") -> None:
        """Set the visibility of a game."""
        answer = self.request("PUT", f"/v1/games/{game}/visibility", json={"visibility": visibility})
        assert answer.status_code == 200, answer.text

    @property
    def access(self) -> SqliteStore:
        store: SqliteStore = self.app.context.access
        return store

    def let_in(
        self,
        role: str | None = None,
        *,
        person: str | None = None,
        games: Mapping[str, str | int] | None = None,
        **more: Any,
    ) -> Guest:
        """Add a person with a phone, with a role on the service, and a role or a seat in each given game."""
        person = person or str(uuid7())
        owner = self.app.context.owner_token
        headers = {"Authorization": f"Bearer {owner}"}
        if role:
            answer = self.client.put(f"/v1/roles/{person}", json={"role": role}, headers=headers)
            assert answer.status_code == 200, answer.text
        for game, part in (games or {}).items():
            found = {"role": part} if isinstance(part, str) else {"seats": [part]}
            answer = self.client.put(f"/v1/games/{game}/roles/{person}", json=found, headers=headers)
            assert answer.status_code == 200, answer.text
        body = {"name": "a phone", "person": person} | more
        answer = self.client.post("/v1/tokens", json=body, headers=headers)
        assert answer.status_code == 201, answer.text
        return Guest(self.app, person, answer.get_json()["token"])

    def catch_up(self) -> None:
        """Wait until the read models are up to date."""
        self.app.context.catch_up()

    def stop_thread(self, name: str) -> None:
        """Stop the `projector` or the `grower`, so that only the test updates the read models or the tree.

        It waits for the end of the thread, which may still do a last update.
        """
        context = self.app.context
        getattr(context, name).stop()
        next(thread for thread in context._threads if thread.name == name).join()


class Guest(Api):
    """A client for a person with access."""

    def __init__(self, app: Application, person: str, token: str | None) -> None:
        super().__init__(app)
        self.client = Client(app, use_cookies=False)
        self.person, self.token = person, token


def entry(move: Any, **more: Any) -> dict[str, Any]:
    """An entry with a move and a new id."""
    return {"id": str(uuid7()), "data": {"move": move} | more}


@pytest.fixture
def database_url(request: pytest.FixtureRequest) -> Iterator[str]:
    """The database URL of a test's service: empty for its data folder, or PostgreSQL with `KIFU_TEST_STORE`."""
    if not os.environ.get("KIFU_TEST_STORE"):
        yield ""
        return
    yield request.getfixturevalue("database")


@pytest.fixture
def redis_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The URL of a running Valkey, for all services."""
    path = tmp_path_factory.mktemp("v") / "s"
    server = warm.Popen([sys.executable, "-m", "workers.valkey", str(path)], stdout=subprocess.DEVNULL)
    try:
        until(lambda: _answers(socket_url(path)))
        yield socket_url(path)
    finally:
        server.terminate()
        server.wait(30)


def _answers(url: str) -> bool:
    with contextlib.suppress(RedisError):
        return bool(connect(url).ping())
    return False


@pytest.fixture(scope="session")
def new_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The data folder of a new service without games. Copying it is faster than making another one."""
    folder = tmp_path_factory.mktemp("unused") / "data"
    create_app(Settings(data=folder)).close()
    return folder


@pytest.fixture
def app(request: pytest.FixtureRequest, database_url: str) -> Application:
    """The service of a test, or of its file with the marker `service("file")`.

    A test that takes `tmp_path` always has its own: it may read all files there.
    """
    found: Application = request.getfixturevalue("own_app" if database_url or _is_alone(request) else "shared_app")
    return found


def _is_alone(request: pytest.FixtureRequest) -> bool:
    """Whether a test has its own services."""
    mark = request.node.get_closest_marker("service")
    return "tmp_path" in request.fixturenames or mark is None or mark.args != ("file",)


@pytest.fixture
def own_app(tmp_path: Path, database_url: str, new_folder: Path) -> Iterator[Application]:
    """A service that no other test uses."""
    if not database_url:
        shutil.copytree(new_folder, tmp_path / "data")
    made = create_app(Settings(data=tmp_path / "data", database_url=database_url, **UNLIMITED))
    yield made
    made.close()


@pytest.fixture
def api(app: Application) -> Api:
    return Api(app)


@pytest.fixture(scope="module")
def shared_app(tmp_path_factory: pytest.TempPathFactory, new_folder: Path) -> Iterator[Application]:
    """One service for several tests of a file."""
    folder = tmp_path_factory.mktemp("shared") / "data"
    shutil.copytree(new_folder, folder)
    made = create_app(Settings(data=folder, **UNLIMITED))
    yield made
    made.close()


@pytest.fixture
def shared(shared_app: Application) -> Api:
    """The shared service, for tests of refusals or of a new game: they ignore other games, and change nothing else."""
    return Api(shared_app)


@pytest.fixture(scope="session")
def another_new_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The data folder of another new service without games."""
    folder = tmp_path_factory.mktemp("another") / "data"
    create_app(Settings(data=folder)).close()
    return folder


@pytest.fixture
def elsewhere(request: pytest.FixtureRequest) -> Api:
    """Another service, with its own data folder. It is that of a test, or of its file, as `app`."""
    return Api(request.getfixturevalue("own_elsewhere" if _is_alone(request) else "shared_elsewhere"))


@pytest.fixture
def own_elsewhere(tmp_path: Path, another_new_folder: Path) -> Iterator[Application]:
    """Another service that no other test uses."""
    shutil.copytree(another_new_folder, tmp_path / "elsewhere")
    app = create_app(Settings(data=tmp_path / "elsewhere"))
    yield app
    app.close()


@pytest.fixture(scope="module")
def shared_elsewhere(tmp_path_factory: pytest.TempPathFactory, another_new_folder: Path) -> Iterator[Application]:
    """Another service for several tests of a file."""
    folder = tmp_path_factory.mktemp("elsewhere") / "data"
    shutil.copytree(another_new_folder, folder)
    app = create_app(Settings(data=folder, **UNLIMITED))
    yield app
    app.close()
