from __future__ import annotations

import random
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

import pytest
from uuid_utils import uuid7

from events.event import NewEvent
from games.kahuna import KAHUNA
from games.playout import playout
from projections.archive import Archive, ReadingArchive
from projections.projector import Projector

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from events.event import Event


class Recorder:
    """Records games in an archive as a table would, without the service in between."""

    def __init__(self, archive: Archive) -> None:
        self.archive = archive
        self.projector = Projector(archive.log, archive.folds, archive.views)

    def open(self, *, game: str = "", happened_at: str | None = None, **more: Any) -> str:
        game = game or str(uuid7())
        data = {"ruleset": "kahuna", "revision": 1, "seats": [{}, {}]} | more
        self._append(game, 0, NewEvent(id=game, type="game.opened", data=data, happened_at=happened_at))
        return game

    def play(self, game: str, seed: int = 1, moves: int | None = None) -> None:
        """Play a random game, or its first moves."""
        state = KAHUNA.open({}, None, 2)
        for number, (move, _) in enumerate(playout(state, random.Random(seed))):
            if number == moves:
                return
            self.add(game, "move.made", {"move": KAHUNA.move_data(move)})

    def add(self, game: str, event_type: str, data: dict[str, Any]) -> Event:
        head = self.archive.log.head(game)
        return self._append(game, head.version if head else 0, NewEvent(id=str(uuid7()), type=event_type, data=data))

    def withdraw(self, game: str, entry: int) -> Event:
        return self.add(game, "entry.withdrawn", {"entry": entry})

    def _append(self, game: str, expected: int, event: NewEvent) -> Event:
        return self.archive.log.append(game, [event], expected=expected, recorder="tests").events[0]


@pytest.fixture
def archive(tmp_path: Path) -> Iterator[Archive]:
    with Archive(tmp_path / "data") as opened:
        yield opened


@pytest.fixture
def table(archive: Archive) -> Recorder:
    return Recorder(archive)


@pytest.fixture
def reopen(archive: Archive, tmp_path: Path) -> Iterator[Callable[[], ReadingArchive]]:
    """The same data folder as a process that has just started sees it: nothing in memory."""
    with ExitStack() as opened:
        yield lambda: opened.enter_context(ReadingArchive(tmp_path / "data"))
