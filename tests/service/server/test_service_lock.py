"""A data folder says which service has it open, for exactly as long as one has."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

import pytest

from service.server.service_lock import FILE, RunningService, announce, find

pytestmark = pytest.mark.programs

ANNOUNCING = """
import sys, time
from pathlib import Path
from service.server.service_lock import announce
with announce(Path(sys.argv[1]), "http://127.0.0.1:1"):
    print("announced", flush=True)
    time.sleep(60)
"""


def test_a_service_is_found_while_it_is_announced(tmp_path):
    assert find(tmp_path) is None
    with announce(tmp_path, "http://127.0.0.1:8080"):
        assert find(tmp_path) == RunningService("http://127.0.0.1:8080", os.getpid())
    assert find(tmp_path) is None
    assert list(tmp_path.iterdir()) == []


def test_a_service_that_fails_is_not_announced_any_more(tmp_path):
    with pytest.raises(RuntimeError), announce(tmp_path, "http://127.0.0.1:8080"):
        raise RuntimeError
    assert find(tmp_path) is None


def test_the_file_of_a_killed_service_is_known_to_be_stale(tmp_path):
    program = subprocess.Popen([sys.executable, "-c", ANNOUNCING, str(tmp_path)], stdout=subprocess.PIPE)
    assert program.stdout
    program.stdout.readline()
    assert find(tmp_path) == RunningService("http://127.0.0.1:1", program.pid)
    program.send_signal(signal.SIGKILL)
    program.communicate()
    assert (tmp_path / FILE).exists()
    assert find(tmp_path) is None
    with announce(tmp_path, "http://127.0.0.1:2"):
        assert find(tmp_path) == RunningService("http://127.0.0.1:2", os.getpid())


def test_a_folder_that_is_not_there_has_no_service(tmp_path):
    assert find(tmp_path / "none") is None
    (tmp_path / "file").touch()
    assert find(tmp_path / "file") is None


def test_a_folder_that_cannot_be_written_is_an_error(tmp_path):
    with pytest.raises(FileNotFoundError), announce(tmp_path / "none", "http://127.0.0.1:1"):
        pass
