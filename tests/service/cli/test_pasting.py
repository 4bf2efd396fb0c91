"""A table of a spreadsheet onto a score sheet, at the command line."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from .conftest import Kifu

pytestmark = pytest.mark.service("kept")

TABLE = "\tAiko\tJonas\n1\t1,5\t2,0\n2\t3\t4\n"


def test_a_table_is_tried_corrected_and_recorded(kifu: Kifu, tmp_path: Path) -> None:
    kifu("open", "scoresheet", "--option", "template=rounds", "--seat", "Aiko", "--seat", "Jonas")
    file = tmp_path / "evening.tsv"
    file.write_text(TABLE.replace(",5", "").replace(",0", ""))
    tried = kifu("paste", "last", file, "--dry-run")
    assert "Rows: labels, r1, r2" in tried
    assert "Columns: labels, p1, p2" in tried
    assert "  r1 1 2\n  r2 3 4\n2 entries would be recorded." in tried
    assert "Recorded: 1 entry." in kifu("paste", "last", file, "--row", "3=-", "--column", "2=p2", "--column", "3=p1")
    answer = json.loads(kifu("paste", "last", "-", "--json", stdin=file.read_text()))
    assert answer["entries"] == ["r1 p1 1", "r1 p2 2", "r2 3 4"]
    assert "Recorded: 0 entries." in kifu("paste", "last", file)


def test_a_cell_that_does_not_fit_is_named(kifu: Kifu, tmp_path: Path) -> None:
    kifu("open", "scoresheet", "--option", "template=rounds", "--seat", "Aiko", "--seat", "Jonas")
    file = tmp_path / "evening.tsv"
    file.write_text(TABLE)
    tried = kifu.run("paste", "last", file, "--dry-run")
    assert (tried.exit_code, "Row 2, column 2: points are whole: 1.5 cannot count" in tried.stderr) == (1, True)
    assert "row 2, column 2" in kifu.fails("paste", "last", file)
