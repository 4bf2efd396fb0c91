"""A record is read in the same way from a folder and from a file, as it counts after its corrections."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from events import ndjson
from events.ndjson import BrokenLineError
from projections.records import open_record

if TYPE_CHECKING:
    from pathlib import Path

    from projections.archive import Archive
    from tests.projections.conftest import Recorder


def test_a_folder_and_its_export_have_the_same_states(table: Recorder, archive: Archive, tmp_path: Path) -> None:
    games = sorted(table.open() for _ in range(2))
    for seed, game in enumerate(games):
        table.play(game, seed, moves=9)
        table.withdraw(game, 10)
    file = tmp_path / "games.ndjson"
    file.write_bytes(b"".join(line for game in games for line in ndjson.export(archive.log, game, now=0)))

    states = [
        {
            game.fold.game: [(event.version, state.totals(), state.to_move()) for event, state in game.states()]
            for game in open_record(place)
        }
        for place in (archive.folder, str(file))
    ]

    assert states[0] == states[1]
    assert sorted(states[0]) == games
    for game in games:
        assert [version for version, *_ in states[0][game]] == [*range(2, 10)], "entry 10 was withdrawn"
        fold = archive.folds.current(game)
        assert states[0][game][-1][1:] == (fold.state.totals(), fold.state.to_move())


def test_what_is_no_record_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "notes.txt"
    file.write_text("Aiko won.\n", encoding="utf-8")
    with pytest.raises(BrokenLineError):
        list(open_record(file))
    with pytest.raises(FileNotFoundError):
        list(open_record(tmp_path / "nothing"))
