"""The command line as a person uses it: commands in this process, programs of their own, a terminal, a service."""

from __future__ import annotations

import os
import pty
import re
import select
import shutil
import signal
import subprocess
import sys
import time
from contextlib import ExitStack, closing, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner
from msgspec.structs import replace

from events.errors import DamagedError
from service.app import create_app
from service.cli.commands import kifu as command
from service.cli.shell import connection
from service.languages import set_language
from service.server import service_lock
from service.settings import Settings, from_environment
from tests import warm
from tests.served import serve_here
from tests.service.conftest import UNLIMITED
from tests.waiting import PATIENCE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from click.testing import Result

    from service.app import Application

ROOT = Path(__file__).parents[3]

MOVES = """\
deal black BARI COCO DUDA
b-d
+c/e
a-b
-
"""
"""Five entries of a game; black is on turn then, and must draw."""

_PROMPT = re.compile(r"\n[A-Z]\w+>( [^\n]*)?[\s\x08]*$")
_ESCAPES = re.compile(r"\x1b\[[0-9;?]*[ -/]*[@-~]|\x1b[()][A-Z0-9]|\x1b[=>78]|\r")


class Kifu:
    """Commands on one data folder, run in this process. `plays` keeps what is recorded first in such a folder."""

    def __init__(self, data: Path, plays: Plays | None = None) -> None:
        self.data, self._plays = data, plays
        self.kept: Kept | None = None
        self.environment: dict[str, str | None] = {name: None for name in os.environ if name.startswith("KIFU_")} | {
            "KIFU_DATA": str(data),
            "XDG_CONFIG_HOME": str(data.parent / "config"),
            "LC_ALL": "C.UTF-8",
        }

    def run(self, *arguments: object, stdin: str | bytes | None = None, **environment: str) -> Result:
        words = [str(word) for word in arguments]
        try:
            with self.kept or nullcontext():
                return CliRunner().invoke(command, words, input=stdin, env=self.environment | environment)
        finally:
            set_language("en")  # that of one command is not that of the next test

    def __call__(self, *arguments: object, **more: Any) -> str:
        """What a command that succeeds prints."""
        result = self.run(*arguments, **more)
        assert result.exit_code == 0, result.output
        return result.stdout

    def fails(self, *arguments: object, code: int = 1, **more: Any) -> str:
        """What a command that fails says, without a traceback."""
        result = self.run(*arguments, **more)
        assert result.exit_code == code, result.output
        assert "Traceback" not in result.output
        assert isinstance(result.exception, SystemExit)
        return result.stderr

    def take_copy(self, data: Path) -> None:
        """Go on with a copy of another data folder. To copy what was recorded is quicker than to record it again."""
        self.end()
        shutil.rmtree(self.data)
        shutil.copytree(data, self.data)

    def open(self, *arguments: object) -> str:
        """A new game."""
        return self("open", "kahuna", *arguments).strip()

    def play(self, moves: str = MOVES) -> str:
        """A new game with some moves."""
        if self._plays and self._plays.is_first_in(self.data):
            folder, game = self._plays.of(moves)
            self.take_copy(folder)
            return game
        game = self.open("--black", "Anna", "--white", "Ben")
        self("record", game, "-", stdin=moves)
        return game

    def end(self) -> None:
        """Close the service, if it was kept open."""
        if self.kept:
            self.kept.close()

    def program(self, *arguments: object, **more: Any) -> subprocess.Popen[str]:
        """A command as a process of its own."""
        self.end()
        return warm.Popen(
            [sys.executable, "-m", "service.cli", *map(str, arguments)],
            env=environment_of(self.data) | more.pop("env", {}),
            text=True,
            **({"stdout": subprocess.PIPE, "stderr": subprocess.PIPE} | more),
        )


class Kept:
    """Keeps the service of a data folder open from one command to the next. Opening it takes as long as asking it."""

    def __init__(self) -> None:
        self._app: Application | None = None
        self._open, self._patch = connection._open, pytest.MonkeyPatch()

    def __enter__(self) -> None:
        self._patch.setattr(connection, "_open", self._opened)

    def __exit__(self, *_: object) -> None:
        self._patch.undo()

    def _opened(self, data: Path) -> Application:
        wanted = replace(from_environment(), data=data, host="127.0.0.1")
        if self._app is None or self._app.context.settings != wanted:
            self.close()
            self._app = self._open(data)
            self._app.close = lambda: None  # type: ignore[method-assign]
        self._app.context.projector.catch_up()  # as at each opening: a command that failed left it behind
        return self._app

    def close(self) -> None:
        """Close it, so that others can open the folder."""
        if self._app is not None:
            type(self._app).close(self._app)
            self._app = None


class Plays:
    """Games of several tests, each the first in its data folder: recorded once, to be copied."""

    def __init__(self, new_folder: Path, folder: Path) -> None:
        self._new_folder, self._folder, self._times = new_folder, folder, _times(new_folder)
        self._made: dict[str, tuple[Path, str]] = {}

    def is_first_in(self, data: Path) -> bool:
        """Whether nothing was recorded in a copied data folder yet, and nobody has it open."""
        return _times(data) == self._times

    def of(self, moves: str) -> tuple[Path, str]:
        """The data folder with a game of these moves, and its id."""
        if moves not in self._made:
            kifu = Kifu(self._folder / str(len(self._made)))
            shutil.copytree(self._new_folder, kifu.data)
            self._made[moves] = kifu.data, kifu.play(moves)
        return self._made[moves]


def _times(folder: Path) -> dict[str, int]:
    """When each file of a data folder was last written, without what is derived from them."""
    return {path.name: path.stat().st_mtime_ns for path in folder.iterdir() if path.is_file()}


def environment_of(data: Path) -> dict[str, str]:
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("KIFU_", "NO_COLOR"))}
    return clean | {
        "KIFU_DATA": str(data),
        "XDG_CONFIG_HOME": str(data.parent / "config"),
        "PYTHONPATH": str(ROOT),
        "KIFU_SPARE": "off",
        "TERM": "xterm-256color",
        "PROMPT_TOOLKIT_NO_CPR": "1",
    }


class Terminal:
    """A command on a terminal of 100 x 50 characters, and a person who types and reads."""

    def __init__(self, data: Path, *arguments: object, **environment: str) -> None:
        import fcntl
        import struct
        import termios

        self._master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 100, 0, 0))
        self._process = warm.Popen(
            [sys.executable, "-m", "service.cli", *map(str, arguments)],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            env=environment_of(data) | environment,
            start_new_session=True,
        )
        os.close(slave)
        self.raw, self._seen = "", 0

    def type(self, text: str) -> None:
        os.write(self._master, text.encode())

    def read_until(self, *wanted: str, prompt: bool = False) -> str:
        """What appears, without escape sequences, until all that is wanted is there; with `prompt`, before a prompt."""
        deadline = time.monotonic() + PATIENCE
        while True:
            shown = _ESCAPES.sub("", self.raw[self._seen :])
            end = _PROMPT.search(shown)
            body = shown[: end.start()] if prompt and end else "" if prompt else shown
            if all(text in body for text in wanted) and (end or not prompt):
                self._seen = len(self.raw)
                return shown
            assert time.monotonic() < deadline, f"{wanted} never appeared in {shown!r}"
            if not self._read(0.1) and self._process.poll() is not None:
                raise AssertionError(f"it ended before {wanted} appeared: {shown!r}")

    def _read(self, seconds: float) -> bool:
        ready, _, _ = select.select([self._master], [], [], seconds)
        try:
            piece = os.read(self._master, 65536) if ready else b""
        except OSError:  # the terminal is gone with its last user
            return False
        self.raw += piece.decode(errors="replace")
        return bool(piece)

    def ends(self) -> int:
        """The exit code, once it is through."""
        while self._process.poll() is None:
            self._read(0.05)
        return self._process.wait(PATIENCE)

    def close(self) -> None:
        if self._process.poll() is None:
            self._process.kill()
        self._process.wait()
        os.close(self._master)


@pytest.fixture(scope="session")
def plays(new_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Plays:
    """What was recorded by the first test that needs it."""
    return Plays(new_folder, tmp_path_factory.mktemp("plays"))


@pytest.fixture
def kifu(request: pytest.FixtureRequest, tmp_path: Path, new_folder: Path, plays: Plays) -> Iterator[Kifu]:
    """Commands on a service at which nothing was recorded yet. With `service("kept")` it stays open between them."""
    shutil.copytree(new_folder, tmp_path / "data")
    made, mark = Kifu(tmp_path / "data", plays), request.node.get_closest_marker("service")
    if mark and mark.args == ("kept",):
        made.kept = Kept()
    yield made
    made.end()


@pytest.fixture
def untouched(tmp_path: Path) -> Kifu:
    """Commands on a data folder that is not there yet."""
    return Kifu(tmp_path / "data")


@pytest.fixture
def whole_game() -> Callable[[str], str]:
    """The moves of a recorded game, without its headers and comments."""

    def moves_of(golden: str) -> str:
        path = ROOT / "tests" / "golden" / "kahuna" / f"{golden}.txt"
        lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
        return "".join(line for line in lines if line[0] not in "[;\n")

    return moves_of


@pytest.fixture
def terminal(kifu: Kifu) -> Iterator[Callable[..., Terminal]]:
    opened: list[Terminal] = []

    def start(*arguments: object, **environment: str) -> Terminal:
        kifu.end()
        opened.append(Terminal(kifu.data, *arguments, **environment))
        return opened[-1]

    yield start
    for each in opened:
        each.close()


class Service:
    """A running `kifu serve` on a data folder."""

    def __init__(self, kifu: Kifu, *options: str, **environment: str) -> None:
        self._process = kifu.program("serve", "--port", "0", *options, env=environment, start_new_session=True)
        assert self._process.stdout
        self.greeting = self._process.stdout.readline()
        found = service_lock.find(kifu.data)
        assert found, self._process.communicate(timeout=PATIENCE)
        self.url, self.pid = found.url, found.pid

    def stop(self) -> int:
        self._process.send_signal(signal.SIGINT)
        self._process.communicate(timeout=PATIENCE)
        return self._process.returncode


@pytest.fixture
def address(kifu: Kifu) -> Iterator[Callable[[], str]]:
    """Serves the data folder from a thread of this process, and says where.

    For commands that need a service at an address, whatever its processes are.
    """
    with ExitStack() as opened:

        def start() -> str:
            kifu.end()
            app = opened.enter_context(closing(create_app(Settings(data=kifu.data, **UNLIMITED))))
            url = opened.enter_context(serve_here(app))
            opened.enter_context(service_lock.announce(kifu.data, url))
            return url

        yield start


@pytest.fixture
def damage(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Lets the record of a game be one that cannot be exported, as its second entry is damaged."""
    from service.api.routes import transfers

    real = transfers.export_record

    def damage(damaged: str) -> None:
        def export(archive: Any, game: str, **more: Any) -> Any:
            if game == damaged:
                raise DamagedError(game, 2, "its hash does not match")
            return real(archive, game, **more)

        monkeypatch.setattr(transfers, "export_record", export)

    return damage


@pytest.fixture
def serve(kifu: Kifu) -> Iterator[Callable[..., Service]]:
    running: list[Service] = []

    def start(*options: str) -> Service:
        running.append(Service(kifu, *options))
        return running[-1]

    yield start
    for service in running:
        service.stop()
