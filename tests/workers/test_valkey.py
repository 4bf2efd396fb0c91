"""The embedded Valkey."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import pytest

from workers import valkey
from workers.process import SUPERVISOR

PARENT = """
import os, subprocess, sys
environment = os.environ | {sys.argv[1]: str(os.getpid())}
child = subprocess.Popen([sys.executable, "-m", "workers.valkey", sys.argv[2]], env=environment)
print(child.pid, flush=True)
child.wait()
"""


def test_it_listens_for_its_owner_alone_and_holds_a_bounded_amount(host: Any) -> None:
    assert host.redis.config_get("port") == {"port": "0"}
    assert stat.S_IMODE(host.socket.stat().st_mode) == 0o700
    assert host.redis.config_get("maxmemory") == {"maxmemory": str(64 << 20)}
    assert host.redis.config_get("maxmemory-policy") == {"maxmemory-policy": "noeviction"}


def test_it_writes_nothing_into_the_data_folder(host: Any) -> None:
    before = set(host.folder.iterdir())
    host.redis.set("key", "value")
    host.processes[0].terminate()
    assert host.processes[0].wait(timeout=30) == 0
    assert set(host.folder.iterdir()) <= before


@pytest.mark.parametrize("folder", ["a long name of a folder/" * 5, os.fsdecode("対局".encode("shift_jis"))])
def test_a_path_that_a_socket_cannot_have_is_replaced_by_a_private_folder(folder: str) -> None:
    path = valkey.socket_path(Path("/", folder))
    try:
        assert path.parent.parent == Path(tempfile.gettempdir())
        assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    finally:
        path.parent.rmdir()


@pytest.mark.programs
def test_a_folder_with_odd_signs_in_its_path_is_worked_for(tmp_path_factory: Any, open_host: Any) -> None:
    host = open_host(tmp_path_factory.mktemp("d") / "対局 a=1 50%?#'")
    host.start_valkey()
    game = host.record(host.played(1, 20))
    host.start_relay()
    host.start_worker()
    host.until(lambda: host.versions(game) == [21])


def test_one_that_was_left_behind_makes_room_for_the_next(host: Any) -> None:
    host.redis.set("key", "value")
    left_behind = host.processes[0]
    host.start("workers.valkey", str(host.socket))
    left_behind.wait(timeout=60)
    host.until(host.answers)
    assert host.redis.get("key") is None


def test_a_socket_file_that_nobody_listens_at_is_no_hindrance(host: Any) -> None:
    host.processes[0].kill()
    host.processes[0].wait()
    assert host.socket.exists()
    host.start_valkey()
    assert host.redis.ping()


@pytest.mark.programs
def test_it_dies_with_its_parent_even_if_that_is_killed(empty_host: Any) -> None:
    parent = subprocess.Popen(
        [sys.executable, "-c", PARENT, SUPERVISOR, str(empty_host.socket)], stdout=subprocess.PIPE
    )
    empty_host.until(empty_host.answers)
    parent.kill()
    parent.wait()
    parent.stdout.close()
    empty_host.until(lambda: not empty_host.answers())
