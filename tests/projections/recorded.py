"""Games that a test records at once, as a table would have played them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from uuid_utils import uuid7

from events.event import NewEvent

if TYPE_CHECKING:
    from collections.abc import Sequence

    from games.contract import Move, Ruleset
    from projections.archive import Archive


def record_moves(archive: Archive, ruleset: Ruleset, moves: Sequence[Move]) -> tuple[str, int]:
    """Record a game of the fewest seats; its id and version."""
    game, seats = str(uuid7()), ruleset.seats[0]
    opened = {"ruleset": ruleset.name, "revision": ruleset.revision, "seats": [{}] * seats}
    if (components := ruleset.components(ruleset.check_options({}))) is not None:
        opened["components"] = components
    made = [NewEvent(id=str(uuid7()), type="move.made", data={"move": ruleset.move_data(move)}) for move in moves]
    events = [NewEvent(id=game, type="game.opened", data=opened), *made]
    archive.log.append(game, events, expected=0, recorder="tests")
    return game, len(events)
