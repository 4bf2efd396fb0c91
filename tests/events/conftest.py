"""What the tests of the log share: events to append, and logs to append them to."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING, Any

import pytest
import uuid_utils

from events.event import NewEvent
from events.lanes import lane_of
from tests.events.stores import LANES, STORES, each_store

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from events.log import Log


class Maker:
    """Makes events as a recorder's phone would."""

    @staticmethod
    def id() -> str:
        return str(uuid_utils.uuid7())

    def opening(self, **more: Any) -> NewEvent:
        data = {"ruleset": "kahuna", "revision": 1, "seats": [{}, {}], **more}
        return NewEvent(id=self.id(), type="game.opened", data=data)

    def move(self, what: object = "BARI-DUDA", **more: Any) -> NewEvent:
        return NewEvent(id=self.id(), type="move.made", data={"move": {"type": "bridge", "at": what}}, **more)

    def moves(self, count: int) -> list[NewEvent]:
        return [self.move(number) for number in range(count)]

    def game(self, log: Log, moves: int = 0, beside: str | None = None) -> str:
        """A new game with an opening and so many moves, in the lane of the one that it is to be `beside`."""
        game = self.id()
        while beside and lane_of(game, LANES) != lane_of(beside, LANES):
            game = self.id()
        log.append(game, [self.opening(), *self.moves(moves)], expected=0, recorder="owner")
        return game


@pytest.fixture
def make() -> Maker:
    return Maker()


store = pytest.fixture(params=STORES)(each_store)


@pytest.fixture
def path(request: pytest.FixtureRequest, store, tmp_path: Path) -> Path | str:
    """Where a log can be: the path of a file, or the URL of a database, with tables unless `empty_database` says no."""
    return store.empty_place(tmp_path) if request.node.get_closest_marker("empty_database") else store.place(tmp_path)


@pytest.fixture
def log(store, path) -> Iterator[Log]:
    with store.log(path) as opened:
        yield opened


@pytest.fixture
def tamper(store, path) -> Callable[..., None]:
    """Change the closed database behind the log's back."""
    return lambda *statements: store.tamper(path, *statements)


@pytest.fixture
def copy_log(path: Path, tmp_path: Path) -> Callable[[str], Path]:
    """Copy the files of the log into a folder of that name, as they stand at this moment; the path of the copy.

    Another process does it: one that opens and closes a file loses its locks on it.
    """

    def copy(name: str) -> Path:
        folder = tmp_path / name
        folder.mkdir()
        files = [file for file in path.parent.glob(path.name + "*") if not file.name.endswith((".lock", "-shm"))]
        subprocess.run(["cp", *files, folder], check=True)
        return folder / path.name

    return copy
