"""Programs that are forked from a warm process: they are programs like others, and children of who starts them."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from service.settings import METRICS_FOLDER
from tests import warm

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

pytestmark = pytest.mark.programs

TELLING = """
import os, sys
print(os.getppid(), os.getcwd(), os.environ.get("COLOUR"), os.environ.get("KIFU_FAILPOINT"))
print(sys.argv, __name__, sorted(set(os.listdir("/dev/fd"))), sys.stdin.read())
print(os.getpid() == os.getsid(0), file=sys.stderr)
sys.exit(int(os.environ["CODE"]))
"""

FAILING = """
import sys
def end(): print("the end", flush=True)
import atexit, threading
atexit.register(end)
threading.Thread(target=print, args=["a thread"]).start()
raise ValueError("it went wrong")
"""


BECOMING = """
import os, sqlite3, sys
kept = sqlite3.connect("some.db")
kept.executescript("create table a (b); begin; select * from a")
then = "import sqlite3; sqlite3.connect('some.db', 0).execute('begin exclusive'); print('free')"
os.execve(sys.executable, [sys.executable, "-c", then], os.environ)
"""


@pytest.fixture(params=[warm.Popen, pytest.param(subprocess.Popen, marks=pytest.mark.soak)], ids=["warm", "cold"])
def run(request: pytest.FixtureRequest) -> Callable[..., tuple[int, str, str]]:
    """Run a program in Python, and say how it ended and what it wrote."""

    def run_it(*words: object, typed: str = "", **more: object) -> tuple[int, str, str]:
        command = [sys.executable, *map(str, words)]
        with request.param(command, stdin=-1, stdout=-1, stderr=-1, text=True, **more) as process:
            output, complaints = process.communicate(typed)
        return process.returncode, output, complaints

    return run_it


def test_a_program_has_what_it_was_given_and_nothing_else(
    run: Callable[..., tuple[int, str, str]], tmp_path: Path
) -> None:
    environment = os.environ | {"COLOUR": "red", "CODE": "7", "KIFU_FAILPOINT": "append.begin"}
    code, output, complaints = run(
        "-c", TELLING, "a word", typed="typed", env=environment, cwd=tmp_path, start_new_session=True
    )
    assert (code, complaints) == (7, "True\n")
    first, second = output.splitlines()
    assert first == f"{os.getpid()} {tmp_path} red append.begin"
    assert second == "['-c', 'a word'] __main__ ['0', '1', '2', '3'] typed"


def test_a_script_and_a_module_run_as_the_main_program(
    run: Callable[..., tuple[int, str, str]], tmp_path: Path
) -> None:
    (tmp_path / "beside.py").write_text("WORD = 'beside'")
    (tmp_path / "script.py").write_text("import sys, beside\nprint(__name__, sys.argv[1:], beside.WORD)")
    assert run(tmp_path / "script.py", 1) == (0, "__main__ ['1'] beside\n", "")
    found = run("-m", "script", 2, env=os.environ | {"PYTHONPATH": str(tmp_path)}, cwd="/")
    assert found == (0, "__main__ ['2'] beside\n", "")


def test_a_program_that_fails_says_why_and_ends_in_order(run: Callable[..., tuple[int, str, str]]) -> None:
    code, output, complaints = run("-c", FAILING)
    assert (code, output) == (1, "a thread\nthe end\n")
    assert complaints.startswith("Traceback (most recent call last):\n")
    assert complaints.endswith("ValueError: it went wrong\n")
    assert run("-c", "raise SystemExit('so')") == (1, "", "so\n")
    assert run("-c", "raise SystemExit") == (0, "", "")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_a_signal_ends_a_program_as_ever(run: Callable[..., tuple[int, str, str]], number: signal.Signals) -> None:
    heard = "import os, signal; signal.signal(signal.SIGINT, signal.default_int_handler)"  # a shell can turn it off
    assert run("-c", f"{heard}; os.kill(os.getpid(), {number:d})")[0] == -number


def test_a_forked_program_can_be_interrupted_although_the_warm_process_cannot() -> None:
    heard = "import signal; print(signal.getsignal(signal.SIGINT) is signal.default_int_handler)"
    assert warm.run([sys.executable, "-c", heard], text=True).stdout == "True\n"


def test_two_programs_share_no_chance_and_no_state(run: Callable[..., tuple[int, str, str]]) -> None:
    drawn = "import random, uuid, uuid_utils; print(random.random(), uuid.uuid4(), uuid_utils.uuid7())"
    assert len({run("-c", drawn)[1] for _ in range(3)}) == 3
    assert run("-c", "import service.cli.commands as c; c.left = 1") == (0, "", "")
    assert run("-c", "import service.cli.commands as c; print(hasattr(c, 'left'))") == (0, "False\n", "")


def test_a_program_that_becomes_another_one_leaves_no_lock_of_a_database(
    run: Callable[..., tuple[int, str, str]], tmp_path: Path
) -> None:
    assert run("-c", BECOMING, cwd=tmp_path) == (0, "free\n", "")


def test_what_a_program_starts_is_warm_too_and_its_own_child() -> None:
    starting = (
        "import subprocess, sys\n"
        "inner = 'import os, sys; print(os.getppid(), \"service.app\" in sys.modules)'\n"
        "print(__import__('os').getpid(), flush=True)\n"
        "sys.exit(subprocess.run([sys.executable, '-c', inner]).returncode)"
    )
    done = warm.run([sys.executable, "-c", starting], text=True)
    mine, inner = done.stdout.splitlines()
    assert inner == f"{mine} True"


@pytest.mark.parametrize("different", [{"PYTHONHASHSEED": "1"}, {"PYTHONIOENCODING": "ascii"}, {"LC_ALL": "C"}])
def test_what_is_read_once_has_a_program_start_afresh(different: dict[str, str]) -> None:
    loaded = [sys.executable, "-c", "import sys; print('service.app' in sys.modules)"]
    assert warm.run(loaded, text=True).stdout == "True\n"
    assert warm.run(loaded, text=True, env=os.environ | different).stdout == "False\n"


def test_programs_count_together_if_they_are_told_where(
    run: Callable[..., tuple[int, str, str]], tmp_path: Path
) -> None:
    counting = "import prometheus_client as p; p.Counter('c', 'c').inc(); print(p.values.ValueClass.__name__)"
    assert run("-c", counting) == (0, "MutexValue\n", "")
    together = os.environ | {METRICS_FOLDER: str(tmp_path)}
    assert run("-c", counting, env=together) == (0, "MmapedValue\n", "")
    assert [path.suffix for path in tmp_path.iterdir()] == [".db"]


def test_installed_packages_have_a_program_start_afresh(tmp_path: Path) -> None:
    (tmp_path / "some-1.0.dist-info").mkdir()
    loaded = [sys.executable, "-c", "import sys; print('service.app' in sys.modules)"]
    assert warm.run(loaded, text=True, env=os.environ | {"PYTHONPATH": str(tmp_path)}).stdout == "False\n"
