"""Whether the read models in a folder are what was written."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from threading import Thread
from typing import TYPE_CHECKING

import pytest

from projections.archive import VIEWS
from projections.proof import prove_folder
from projections.views import Views, cursor, set_cursor

if TYPE_CHECKING:
    from pathlib import Path

    from tests.projections.conftest import Recorder


def test_read_models_that_are_as_they_were_written_are_sound(table: Recorder, tmp_path: Path) -> None:
    table.open(title="An afternoon")
    table.projector.catch_up()
    assert list(prove_folder(tmp_path / "data" / "views")) == []


def test_where_there_are_no_read_models_nothing_is_wrong(tmp_path: Path) -> None:
    assert list(prove_folder(tmp_path)) == []


def test_read_models_of_another_schema_are_named(table: Recorder, tmp_path: Path) -> None:
    table.open()
    table.projector.catch_up()
    folder = tmp_path / "data" / "views"
    with closing(sqlite3.connect(folder / (folder / "current").read_text(encoding="ascii"))) as db:
        db.execute("pragma user_version = 99")
    assert list(prove_folder(folder)) == ["they are not what a release of this schema wrote"]


def test_read_models_that_are_there_are_opened_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Views(tmp_path / VIEWS, create=True).close()
    opened, connect = list[object](), sqlite3.connect
    monkeypatch.setattr(sqlite3, "connect", lambda path, **more: opened.append(path) or connect(path, **more))
    with closing(Views(tmp_path / VIEWS, create=True)) as views:
        assert views.usable
        assert cursor(views.db) == (0, "")
    assert len(opened) == 1


def test_read_models_are_empty_until_another_process_has_made_some(tmp_path: Path) -> None:
    with closing(Views(tmp_path / VIEWS)) as reader:
        assert (reader.usable, cursor(reader.db)) == (False, (0, ""))
        with closing(Views(tmp_path / VIEWS, create=True)) as writer, writer.transaction() as db:
            set_cursor(db, 7, "hash")
        assert (reader.usable, cursor(reader.db)) == (True, (7, "hash"))
        writer.install(writer.prepare())
        assert (reader.usable, cursor(reader.db)) == (True, (0, ""))


def test_the_connection_of_a_thread_is_closed_when_the_thread_ends(tmp_path: Path) -> None:
    seen = list[sqlite3.Connection]()
    with closing(Views(tmp_path / VIEWS, create=True)) as views:
        reader = Thread(target=lambda: seen.append(views.db.conn))
        reader.start()
        reader.join()
    with pytest.raises(sqlite3.ProgrammingError, match="closed database"):
        seen[0].execute("select 1")
