"""Seating: who sits where. The record holds players' ids; a name that is new here gets an id."""

from __future__ import annotations

from typing import TYPE_CHECKING
from uuid import UUID, uuid5

if TYPE_CHECKING:
    from events.people import People


def seated(people: People, game: str, number: int, seat: dict[str, str], *, store: bool) -> dict[str, str]:
    """A seat as the record has it, from a player's id, a name, or neither.

    The id of a new name follows from the game and the seat, so that a repeated request makes no second person.
    """
    if "name" not in seat:
        return seat
    name = seat["name"]
    same = [player for player, known in people.names(people.find(name)).items() if known == name]
    player = min(same, default=str(uuid5(UUID(game), f"seat {number}")))
    if store and not same:
        people.put(player, name)
    return {"player": player}
