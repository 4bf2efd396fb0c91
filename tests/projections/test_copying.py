"""A copy of read models is what they were at one moment, and a host that has it goes on from its place."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING

import pytest

from projections import copying
from projections.archive import VIEWS, Archive
from projections.catalogue.pages import find_games
from projections.catalogue.queries import Query
from projections.copying import copy_views
from projections.errors import ViewsDamagedError
from projections.folds import Folds
from projections.projector import Projector
from projections.views import CATALOGUE, SEARCH_TABLE, Views, cursor

if TYPE_CHECKING:
    from pathlib import Path

    from tests.projections.conftest import Recorder


@pytest.fixture
def copy(tmp_path: Path) -> Views:
    return Views(tmp_path / "new" / VIEWS)


def lists(views: Views) -> list[tuple[str, int]]:
    return [(game.title, game.version) for game in find_games(views.db, Query(), None, 100)]


def test_a_copy_is_gone_on_from_and_only_what_is_new_is_read(
    table: Recorder, copy: Views, monkeypatch: pytest.MonkeyPatch
) -> None:
    games = [table.open(title=f"Game {number}") for number in range(12)]
    table.projector.catch_up()
    copied = copy_views(table.archive.views, copy)
    assert copied == (12, table.archive.log.position())
    table.add(games[3], "note.added", {"text": "since"})
    table.open(title="New")
    folds, read = Folds(table.archive.log, copy), list[str]()
    fold = folds.fold_until_error
    monkeypatch.setattr(folds, "fold_until_error", lambda game: read.append(game) or fold(game))
    Projector(table.archive.log, folds, copy).catch_up()
    assert len(read) == 2
    table.projector.catch_up()
    assert lists(copy) == lists(table.archive.views)


def test_what_is_written_while_it_is_copied_is_not_in_the_copy(
    table: Recorder, copy: Views, monkeypatch: pytest.MonkeyPatch
) -> None:
    table.open(title="Before")
    table.projector.catch_up()
    before, told = table.archive.views.db.execute(f"select count(*) from {CATALOGUE}").fetchone(), list[int]()
    monkeypatch.setattr(copying, "PAGES", 1)
    path = table.archive.views.db.execute("select file from pragma_database_list where name = 'main'").fetchone()[0]
    other = sqlite3.connect(path, isolation_level=None)

    def write(done: int, _all: int) -> None:
        told.append(done)
        other.execute(f"update {SEARCH_TABLE} set text = text || ?", (str(done),))

    copied = copy_views(table.archive.views, copy, write)
    other.close()
    assert (copied.games,) == before
    assert told == sorted(set(told)), "it does not begin again"


def test_a_copy_of_another_log_is_made_anew(table: Recorder, copy: Views, tmp_path: Path) -> None:
    table.open(title="Here")
    table.projector.catch_up()
    copy_views(table.archive.views, copy)
    with Archive(tmp_path / "other") as other:
        Projector(other.log, Folds(other.log, copy), copy).catch_up()
    assert (lists(copy), cursor(copy.db)[0]) == ([], 0)


def test_a_folder_with_lists_is_left_as_it_is(table: Recorder, copy: Views) -> None:
    table.open(title="Here")
    table.projector.catch_up()
    copy_views(table.archive.views, copy)
    table.open(title="New")
    table.projector.catch_up()
    with pytest.raises(FileExistsError):
        copy_views(table.archive.views, copy)
    assert lists(copy) == [("Here", 1)]


def test_of_damaged_lists_no_copy_is_left(table: Recorder, copy: Views, tmp_path: Path) -> None:
    table.open(title="Here")
    table.projector.catch_up()
    table.archive.views.db.execute(f"update {CATALOGUE} set title = 'Elsewhere'")
    with pytest.raises(ViewsDamagedError):
        copy_views(table.archive.views, copy)
    assert not copy.usable
    assert list((tmp_path / "new" / VIEWS).iterdir()) == []
