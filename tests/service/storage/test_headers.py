"""A flipped bit in a database's header, of what it is or of its schema, keeps nothing from being opened or loses it.

Nothing vouches for a header, so it is the tables that tell what they are and which release made them.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from events.errors import LogNewerError
from events.sqlite import SqliteLog
from events.sqlite.files import header_of
from events.sqlite.tables import APPLICATION_ID
from service.access.file import SqliteStore
from service.webhooks.deliveries import Deliveries
from tests.newer import make_newer
from workers.results import Results

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

PERSON = "01970000-0000-7000-8000-000000000001"


def log(folder: Path) -> object:
    """What is in the log, once it knows a person."""
    with SqliteLog(folder / "kifu.db") as opened:
        if not opened.people.all():
            opened.people.put(PERSON, "Ada")
        return opened.people.all()


def access(folder: Path) -> object:
    with closing(SqliteStore(folder)) as opened:
        return opened.owner


def results(folder: Path) -> object:
    with closing(Results(folder, proved=True)) as opened:
        return opened.identity


def delivery_cursors(folder: Path) -> object:
    """Where the deliveries to an endpoint are."""
    with closing(Deliveries(folder, proved=True)) as opened:
        if not opened.cursors():
            opened.sync_endpoints({"one": 0})
        return opened.cursors()


STORES = {"kifu.db": log, "access.db": access, "work.db": results, "webhooks.db": delivery_cursors}


def change(path: Path, *statements: str) -> int:
    """Change a database as nobody does; what its header names then."""
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        for statement in statements:
            db.execute(statement)
        return header_of(db)


@pytest.mark.parametrize("name", STORES)
def test_a_flipped_bit_of_the_schema_is_passed_over_and_mended(tmp_path: Path, name: str) -> None:
    found = STORES[name](tmp_path)
    schema = change(tmp_path / name)
    for bit in range(31):
        change(tmp_path / name, f"pragma user_version = {schema ^ 1 << bit}")
        assert STORES[name](tmp_path) == found
    assert sorted(path.name for path in tmp_path.glob("*.damaged")) == []


def test_a_flipped_bit_of_what_it_is_is_passed_over_and_mended(tmp_path: Path) -> None:
    path = tmp_path / "kifu.db"
    found = log(tmp_path)
    for bit in range(31):
        change(path, f"pragma application_id = {APPLICATION_ID ^ 1 << bit}")
        assert log(tmp_path) == found
        with closing(sqlite3.connect(path)) as db:
            assert db.execute("pragma application_id").fetchone() == (APPLICATION_ID,)


@pytest.mark.parametrize(
    ("name", "error"),
    [
        ("kifu.db", LogNewerError),
        ("access.db", LogNewerError),
        ("work.db", LogNewerError),
        ("webhooks.db", LogNewerError),
    ],
)
def test_what_a_newer_release_has_made_is_left_alone(tmp_path: Path, name: str, error: type[Exception]) -> None:
    open_it: Callable[[Path], object] = STORES[name]
    open_it(tmp_path)
    schema = make_newer(tmp_path / name)
    with pytest.raises(error, match=f"schema {schema}"):
        open_it(tmp_path)
