"""Seating: who sits where. The record holds players' ids; a name that is new here gets an id."""

from __future__ import annotations

from typing import TYPE_CHECKING
from uuid import UUID, uuid5

import msgspec

from events.errors import BadEventError
from events.people import BadNameError, checked_name

if TYPE_CHECKING:
    from events.people import People
    from service.judging import Draft


class Seating:
    """Turns the names of a request into players' ids.

    Who is new gets an id that follows from the request, so that a repeated one makes no second person, and a name only
    when `keep` is called: once the record has taken what was sent.
    """

    def __init__(self, people: People) -> None:
        self._people = people
        self._new: dict[str, str] = {}

    def seated(self, game: str, number: int, seat: dict[str, str]) -> dict[str, str]:
        """A seat of a new game as the record has it, from a player's id, a name, or neither."""
        if "name" not in seat:
            return seat
        return {"player": self._person(str(uuid5(UUID(game), f"seat {number}")), seat["name"])}

    def seat_changed(self, index: int, draft: Draft) -> Draft:
        """A change of seats as the record has it: a `name` in it turned into a player's id. Raises `BadEventError`."""
        if draft.type != "seat.changed" or "name" not in draft.data:
            return draft
        data = draft.data.copy()
        name = data.pop("name")
        if "player" in data:
            raise BadEventError(index, "data.name", "give a player's id or a name, not both")
        if not isinstance(name, str):
            raise BadEventError(index, "data.name", "Expected `str`")
        try:
            data["player"] = self._person(str(uuid5(UUID(draft.id), "player")), checked_name(name))
        except BadNameError as error:
            raise BadEventError(index, "data.name", str(error)) from error
        return msgspec.structs.replace(draft, data=data)

    def keep(self) -> None:
        """Store the names of those who are new."""
        while self._new:
            self._people.put(*self._new.popitem())

    def _person(self, new: str, name: str) -> str:
        """The id of the person of that name, `new` if there is none yet."""
        known = self._people.names(self._people.find(name)) | self._new
        same = [player for player, called in known.items() if called == name]
        if not same:
            self._new[new] = name
        return min(same, default=new)
