"""Checkpoints and other saved versions of a game stay small, however long the game is."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from uuid_utils import uuid7

from events.event import NewEvent
from games.scoresheet import SCORESHEET
from games.scoresheet.moves import Enter
from projections.checkpoints import STRIDE, WRITTEN_BYTES_PER_ENTRY, next_checkpoint
from projections.rebuild import rebuild
from projections.thinning import SavedVersion, versions_to_drop
from tests.projections.test_states import dump_at, from_zero

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from projections.archive import Archive, ReadingArchive
    from tests.projections.conftest import Recorder

SEATS, BATCH = 10, 500


def _saved(gaps: list[tuple[int, int]]) -> list[SavedVersion]:
    version, found = 0, []
    for gap, size in gaps:
        version += gap
        found.append(SavedVersion(version, size))
    return found


@given(st.lists(st.tuples(st.integers(1, 500), st.integers(1, 10_000)), max_size=40), st.integers(0, 50_000))
def test_what_is_kept_fits_the_limit_or_is_the_newest_alone(gaps: list[tuple[int, int]], limit: int) -> None:
    saved = _saved(gaps)
    deleted = versions_to_drop(saved, limit)
    kept = [each for each in saved if each.version not in deleted]
    assert kept[-1:] == saved[-1:]
    assert sum(each.size for each in kept) <= limit or len(kept) <= 1
    if sum(each.size for each in saved) <= limit:
        assert deleted == []


@given(st.integers(10, 400), st.integers(4, 40))
def test_old_versions_lie_further_apart_than_new_ones(count: int, kept: int) -> None:
    saved: list[SavedVersion] = []
    for number in range(1, count + 1):
        saved.append(SavedVersion(number, 1))
        deleted = versions_to_drop(saved, kept)
        saved = [each for each in saved if each.version not in deleted]
    versions = [0, *(each.version for each in saved)]
    for before, after in pairwise(versions):
        assert after - before <= max(1, 8 * (count - before) / kept)


def _record_a_long_game(archive: Archive, entries: int, after_each: Callable[[], object]) -> str:
    game = str(uuid7())
    options: dict[str, bool | int | str] = {"template": "rounds"}
    opened = {
        "ruleset": SCORESHEET.name,
        "revision": SCORESHEET.revision,
        "options": options,
        "components": SCORESHEET.components(options),
        "seats": [{}] * SEATS,
    }
    opening = NewEvent(id=game, type="game.opened", data=opened)
    archive.log.append(game, [opening], expected=0, recorder="tests")
    for start in range(0, entries, BATCH):
        moves = [
            Enter(seat=number % SEATS, column="points", round=number // SEATS + 1, value=number * 7919 % 997)
            for number in range(start, start + BATCH)
        ]
        data = [{"move": SCORESHEET.move_data(move)} for move in moves]
        made = [NewEvent(id=str(uuid7()), type="move.made", data=each) for each in data]
        archive.log.append(game, made, expected=start + 1, recorder="tests")
        after_each()
    return game


def _checkpoints(archive: ReadingArchive) -> list[SavedVersion]:
    sql = "select version, length(data) from checkpoint order by version"
    return [SavedVersion(*row) for row in archive.views.db.execute(sql).fetchall()]


@pytest.fixture
def long_game(table: Recorder) -> str:
    return _record_a_long_game(table.archive, 6000, table.projector.catch_up)


@pytest.mark.slow
def test_the_checkpoints_of_a_long_game_are_no_larger_than_its_log(
    table: Recorder, long_game: str, reopen: Callable[[], ReadingArchive], tmp_path: Path
) -> None:
    archive = table.archive
    log = sum(path.stat().st_size for path in tmp_path.glob("data/kifu.db*"))
    by_projector = _checkpoints(archive)
    rebuild(archive.log, archive.views)
    for saved in (by_projector, _checkpoints(archive)):
        assert sum(each.size for each in saved) <= log
        assert len(saved) >= 10
        newest = saved[-1]
        assert archive.folds.current(long_game).version - newest.version < 2 * max(
            STRIDE, newest.size // WRITTEN_BYTES_PER_ENTRY
        )
    fresh = reopen()
    for version in (2, 700, 3333, 5998, 6001):
        assert dump_at(fresh, long_game, version) == from_zero(archive, long_game, version)


@pytest.mark.parametrize(
    ("size", "distance"),
    [(5000, STRIDE), (STRIDE * WRITTEN_BYTES_PER_ENTRY, STRIDE), (1_000_000, 1_000_000 // WRITTEN_BYTES_PER_ENTRY)],
)
def test_large_checkpoints_are_written_less_often(table: Recorder, size: int, distance: int) -> None:
    """What is written for a game in all grows with the game, not with its square."""
    db = table.archive.views.db
    db.execute("insert into checkpoint (game, version, data) values ('long', 500, zeroblob(?))", [size])
    assert next_checkpoint(db, "long", 10_000) == 500 + distance
    assert next_checkpoint(db, "long", 499) == next_checkpoint(db, "short", 10_000) == 1 + STRIDE
