"""Records: the games of an exported file or of a data folder, to be replayed."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from events import ndjson
from events.kinds import is_of_game
from projections.archive import ReadingArchive
from projections.history import Segment

if TYPE_CHECKING:
    from collections.abc import Iterator
    from os import PathLike


def open_record(path: str | PathLike[str]) -> Iterator[Segment]:
    """The games of an exported file (NDJSON) or of a data folder, one after the other, each at its opening.

    A folder can be read beside a running service. A file is not proved: see `verify_export`. Raises
    `FileNotFoundError`, `BrokenLineError`, `LogError`, `FoldError`.

    >>> from projections.records import open_record
    >>> (game,) = open_record("sunday.ndjson")
    >>> for event, state in game.states():
    ...     print(event.version, state.totals(), state.to_move())
    2 [0, 0] 0
    3 [0, 0] 0
    4 [0, 0] 1
    5 [0, 0] 1
    """
    if Path(path).is_dir():
        with ReadingArchive(Path(path)) as archive:
            for head in archive.log.heads():
                events = list(archive.log.read(head.game))
                if is_of_game(events[0].type):
                    yield Segment.of_game(events)
    else:
        with Path(path).open("rb") as lines:
            for written in ndjson.read(lines):
                yield Segment.of_game(written.events)
