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


def test_it_listens_for_its_owner_alone_and_holds_a_bounded_amount(shop: Any) -> None:
    assert shop.redis.config_get("port") == {"port": "0"}
    assert stat.S_IMODE(shop.socket.stat().st_mode) == 0o700
    assert shop.redis.config_get("maxmemory") == {"maxmemory": str(64 << 20)}
    assert shop.redis.config_get("maxmemory-policy") == {"maxmemory-policy": "noeviction"}


def test_it_writes_nothing_into_the_data_folder(shop: Any) -> None:
    before = set(shop.folder.iterdir())
    shop.redis.set("key", "value")
    shop.processes[0].terminate()
    assert shop.processes[0].wait(timeout=30) == 0
    assert set(shop.folder.iterdir()) <= before


@pytest.mark.parametrize("folder", ["a long name of a folder/" * 5, os.fsdecode("対局".encode("shift_jis"))])
def test_a_path_that_a_socket_cannot_have_is_replaced_by_a_private_folder(folder: str) -> None:
    path = valkey.socket_path(Path("/", folder))
    try:
        assert path.parent.parent == Path(tempfile.gettempdir())
        assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    finally:
        path.parent.rmdir()


@pytest.mark.programs
def test_a_folder_with_odd_signs_in_its_path_is_worked_for(tmp_path_factory: Any, open_shop: Any) -> None:
    shop = open_shop(tmp_path_factory.mktemp("d") / "対局 a=1 50%?#'")
    shop.start_valkey()
    game = shop.record(shop.played(1, 20))
    shop.start_relay()
    shop.start_worker()
    shop.until(lambda: shop.versions(game) == [21])


def test_one_that_was_left_behind_makes_room_for_the_next(shop: Any) -> None:
    shop.redis.set("key", "value")
    left_behind = shop.processes[0]
    shop.start("workers.valkey", str(shop.socket))
    left_behind.wait(timeout=60)
    shop.until(shop.answers)
    assert shop.redis.get("key") is None


def test_a_socket_file_that_nobody_listens_at_is_no_hindrance(shop: Any) -> None:
    shop.processes[0].kill()
    shop.processes[0].wait()
    assert shop.socket.exists()
    shop.start_valkey()
    assert shop.redis.ping()


@pytest.mark.programs
def test_it_dies_with_its_parent_even_if_that_is_killed(empty_shop: Any) -> None:
    parent = subprocess.Popen(
        [sys.executable, "-c", PARENT, SUPERVISOR, str(empty_shop.socket)], stdout=subprocess.PIPE
    )
    empty_shop.until(empty_shop.answers)
    parent.kill()
    parent.wait()
    parent.stdout.close()
    empty_shop.until(lambda: not empty_shop.answers())
