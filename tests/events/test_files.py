"""A database that is set aside takes along what is beside it, and meets nothing of one that was set aside before."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from events.sqlite.files import BESIDE, files_of, set_aside

if TYPE_CHECKING:
    from pathlib import Path


def test_entries_that_are_in_the_write_ahead_log_alone_go_along(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "a.db", isolation_level=None)) as db:
        db.execute("pragma journal_mode = wal")
        db.execute("create table t (x)")
        db.execute("insert into t values (1)")
        place = set_aside(tmp_path / "a.db", "a.damaged")
    assert not any(path.exists() for path in files_of(tmp_path / "a.db"))
    with closing(sqlite3.connect(place)) as db:
        assert db.execute("select x from t").fetchall() == [(1,)]


@pytest.mark.parametrize("rest", ["", *BESIDE])
def test_nothing_of_one_that_was_set_aside_before_is_left(tmp_path: Path, rest: str) -> None:
    (tmp_path / "a.db").write_bytes(b"new")
    (tmp_path / f"a.damaged{rest}").write_bytes(b"old")
    assert set_aside(tmp_path / "a.db", "a.damaged").read_bytes() == b"new"
    assert [path.name for path in tmp_path.iterdir()] == ["a.damaged"]
