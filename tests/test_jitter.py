"""The plugin that lets threads rest or hurry: it finds what takes the order of threads for granted."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

RACES = """
import threading, time

def test_that_takes_a_thread_for_done():
    done, go_on = threading.Event(), threading.Event()
    threading.Thread(target=lambda: go_on.wait(30) and done.set()).start()
    go_on.set()
    assert done.is_set()

def test_that_takes_a_thread_for_under_way():
    looks = []
    def look():
        while not ended.wait(2):
            looks.append(1)
    ended = threading.Event()
    threading.Thread(target=look).start()
    time.sleep(0.3)
    ended.set()
    assert looks == []

def test_that_controls_its_thread():
    thread = threading.Thread(target=lambda: looks.append(1))
    looks = []
    thread.start()
    thread.join()
    assert looks == [1]
"""


@pytest.mark.programs
@pytest.mark.parametrize(("how", "failed"), [("late", "done"), ("early", "under_way")])
def test_what_takes_the_order_of_threads_for_granted_fails(tmp_path: Path, how: str, failed: str) -> None:
    (tmp_path / "test_races.py").write_text(RACES)
    words = ["-m", "pytest", "-p", "tests.jitter", "-p", "no:rerunfailures", "-p", "no:cacheprovider", "-n", "0", "-q"]
    done = subprocess.run(
        [
            sys.executable,
            *words,
            "-k",
            f"{failed} or controls",
            "-c",
            ROOT / "pyproject.toml",
            "--rootdir",
            tmp_path,
            tmp_path,
        ],
        env=os.environ | {"KIFU_JITTER": how, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert f"test_races.py::test_that_takes_a_thread_for_{failed}" in done.stdout, done.stdout
    assert "1 failed, 1 passed" in done.stdout
