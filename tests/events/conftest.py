"""What the tests of the log share: events to append, and logs to append them to."""

from __future__ import annotations

import sqlite3
import subprocess
from typing import TYPE_CHECKING, Any

import pytest
import uuid_utils

from events.event import NewEvent
from events.sqlite import SqliteLog

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path


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

    def game(self, log: SqliteLog, moves: int = 0) -> str:
        """A new game with an opening and so many moves."""
        game = self.id()
        log.append(game, [self.opening(), *self.moves(moves)], expected=0, recorder="owner")
        return game


@pytest.fixture
def make() -> Maker:
    return Maker()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "kifu.db"


@pytest.fixture
def log(path: Path) -> Iterator[SqliteLog]:
    with SqliteLog(path) as opened:
        yield opened


@pytest.fixture
def tamper(path: Path) -> Callable[..., None]:
    """Change the closed database behind the log's back, as somebody with the file in hands can."""

    def change(*statements: str) -> None:
        connection = sqlite3.connect(path)
        for table in ("game", "event"):
            for what in ("update", "delete"):
                connection.execute(f"drop trigger {table}_no_{what}")
        for statement in statements:
            connection.execute(statement)
        connection.commit()
        connection.close()

    return change


@pytest.fixture
def copied(path: Path, tmp_path: Path) -> Callable[[str], Path]:
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
