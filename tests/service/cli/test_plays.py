"""Plays of other trackers, imported at the command line."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from .conftest import Kifu

pytestmark = pytest.mark.service("kept")

TABLE = "date,spiel,player,points\n2024-01-02,Azul,Ada,71\n2024-01-02,Azul,Bo,64\nnever,Go,Ada,1\n2024-01-03,Go,Ada,1\n"


def test_a_table_of_plays_is_tried_imported_and_imported_again(kifu: Kifu, tmp_path: Path) -> None:
    file = tmp_path / "plays.csv"
    file.write_text(TABLE)
    tried = kifu.run("import-plays", file, "--dry-run")
    assert "Columns: game=spiel, date=date, player=player, points=points" in tried.stdout
    assert "Ada: new here" in tried.stdout
    assert "It would be 2 new, 0 changed, 0 as before, 1 refused." in tried.stdout
    assert "never, Go: date: 'never' is not a day" in tried.stderr
    assert tried.exit_code == 1
    assert "Azul" not in kifu("games")
    assert "2 new, 0 changed, 0 as before, 1 refused." in kifu.run("import-plays", file).stdout
    assert "Azul" in kifu("games")
    file.write_text(TABLE.replace("64", "74").replace("never,Go,Ada,1\n", ""))
    assert "0 new, 1 changed, 1 as before, 0 refused." in kifu("import-plays", file)
    (answer,) = json.loads(kifu("import-plays", file, "--json"))
    assert [item["what"] for item in answer["items"]] == ["same", "same"]


def test_columns_are_named_where_they_cannot_be_guessed(kifu: Kifu, tmp_path: Path) -> None:
    file = tmp_path / "plays.csv"
    file.write_text("What,Who\nAzul,Ada\n")
    assert "no column says the game or the player; name one, as in game=Title" in kifu.fails("import-plays", file)
    assert "1 new" in kifu("import-plays", file, "--column", "game=What", "--column", "player=Who", "--known")
