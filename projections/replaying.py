"""Proof of what a record means: whether its entries, whose chain is proved elsewhere, can be carried out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from events.errors import DamagedError, LogError
from events.verification import Problem
from projections.errors import FoldError, ProjectionError
from projections.history import Stretch

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from events.event import Event
    from events.log import LogReader


def prove_replay(events: Sequence[Event], line: int | None = None) -> Iterator[Problem]:
    """What keeps a game from being replayed, if anything does: its first entry that cannot be carried out.

    `line` is that of the opening in an exported file.
    """
    if not events:
        return
    opening = events[0]
    try:
        Stretch.whole(events).to_the_end()
    except (ProjectionError, LogError) as error:
        version = getattr(error, "version", opening.version)
        why = error.why if isinstance(error, FoldError) else str(error)
        at = None if line is None else line + version - opening.version
        yield Problem("unreplayable", why, opening.game, version, at)


def prove_replays(log: LogReader, progress: Callable[[int], None]) -> Iterator[Problem]:
    """What keeps games of a log from being replayed. Damaged ones are passed over: of them the chain says enough.

    `progress` is told how many entries were replayed.
    """
    done = 0
    for head in log.heads():
        try:
            events = list(log.read(head.game))
        except DamagedError:
            continue
        yield from prove_replay(events)
        done += len(events)
        progress(done)
