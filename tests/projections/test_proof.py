"""Whether the read models in a folder are what was written."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

from projections.proof import prove_folder

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
