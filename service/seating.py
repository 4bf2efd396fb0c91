"""Seating: who sits where. The record holds players' ids; a name that is new here gets an id."""

from __future__ import annotations

from typing import TYPE_CHECKING
from uuid import UUID, uuid5

import msgspec

from events.people import checked_name

if TYPE_CHECKING:
    from events.people import People
    from service.judging import Draft


def seated(people: People, game: str, number: int, seat: dict[str, str], *, store: bool) -> dict[str, str]:
    """A seat as the record has it, from a player's id, a name, or neither.

    The id of a new name follows from the game and the seat, so that a repeated request makes no second person.
    """
    if "name" not in seat:
        return seat
    return {"player": _person(people, str(uuid5(UUID(game), f"seat {number}")), seat["name"], store=store)}


def seat_changed(people: People, draft: Draft, *, store: bool) -> Draft:
    """A change of seats as the record has it: a `name` in it turned into a player's id. Raises `BadNameError`."""
    if draft.type != "seat.changed" or not isinstance(draft.data.get("name"), str):
        return draft
    data = draft.data.copy()
    name = checked_name(data.pop("name"))
    data["player"] = _person(people, str(uuid5(UUID(draft.id), "player")), name, store=store)
    return msgspec.structs.replace(draft, data=data)


def _person(people: People, new: str, name: str, *, store: bool) -> str:
    """The id of the person of that name, `new` if there is none yet."""
    same = [player for player, known in people.names(people.find(name)).items() if known == name]
    if store and not same:
        people.put(new, name)
    return min(same, default=new)
