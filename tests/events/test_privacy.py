"""What a data folder holds is its owner's alone."""

from __future__ import annotations

import os
import stat
import sys

import pytest

from events.privacy import keep_private
from events.sqlite import SqliteLog
from tests import warm
from tests.events.stores import sqlite_alone

store = pytest.fixture(sqlite_alone)


@pytest.fixture(autouse=True)
def _umask():
    """Tests begin with the umask that most people have."""
    before = os.umask(0o022)
    yield
    os.umask(before)


def open_to_others(folder) -> list[str]:
    """The files and folders that others may do something with, the folder itself among them."""
    return [str(path) for path in (folder, *folder.rglob("*")) if stat.S_IMODE(path.lstat().st_mode) & 0o077]


def test_every_file_of_a_log_is_private_while_it_runs_and_after(tmp_path, make):
    folder = tmp_path / "data"
    with SqliteLog(folder / "kifu.db") as log:
        make.game(log, 3)
        assert {path.name for path in folder.iterdir()} >= {"kifu.db-wal", "kifu.db-shm", "kifu.db.heads"}
        assert open_to_others(folder) == []
        log.backup(tmp_path / "copy.db")
    assert open_to_others(folder) == []
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert not [path for path in tmp_path.glob("copy*") if stat.S_IMODE(path.stat().st_mode) & 0o077]


def test_an_old_folder_that_others_may_read_is_mended(tmp_path):
    folder, outside = tmp_path / "data", tmp_path / "outside"
    for path in (folder / "views" / "000001.db", folder / "kifu.db", folder / "owner.token", outside):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("hidden hands")
        path.chmod(0o644)
    (folder / "link").symlink_to(outside)
    keep_private(folder, "views")
    assert [path for path in open_to_others(folder) if not path.endswith("link")] == []
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert stat.S_IMODE((folder / "kifu.db").stat().st_mode) == 0o600
    assert stat.S_IMODE((folder / "views").stat().st_mode) == 0o700
    assert stat.S_IMODE(outside.stat().st_mode) == 0o644


def test_the_files_of_an_old_log_are_mended_and_its_neighbours_left_alone(tmp_path, make):
    with SqliteLog(tmp_path / "kifu.db") as log:
        make.game(log)
    (tmp_path / "neighbour").write_text("")
    for path in tmp_path.iterdir():
        path.chmod(0o644)
    with SqliteLog(tmp_path / "kifu.db"):
        assert open_to_others(tmp_path) == [str(tmp_path / "neighbour")]


def test_a_mode_that_cannot_be_mended_is_told(tmp_path, monkeypatch, caplog):
    (tmp_path / "file").write_text("")
    (tmp_path / "file").chmod(0o644)

    def refuse(self, mode):
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr("pathlib.Path.chmod", refuse)
    keep_private(tmp_path)
    assert f"others may read {tmp_path / 'file'}" in caplog.text


@pytest.mark.programs
def test_a_child_process_makes_private_files_only(tmp_path):
    code = "from workers import process; process.begin('tests'); open('made', 'w')"
    assert warm.run([sys.executable, "-c", code], cwd=tmp_path).returncode == 0
    assert stat.S_IMODE((tmp_path / "made").stat().st_mode) == 0o600
