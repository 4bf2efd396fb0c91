"""People in a record: who sits where, and who ruled. It holds players' ids; a name that is new here gets an id."""

from __future__ import annotations

from itertools import zip_longest
from typing import TYPE_CHECKING, Any
from uuid import UUID, uuid5

import msgspec

from events.errors import BadEventError
from events.people import BadNameError, checked_name

if TYPE_CHECKING:
    from collections.abc import Sequence

    from events.log import Log
    from service.judging import Draft


_NAMED = {"seat.changed": ("name", "player"), "ruling.given": ("referee_name", "referee")}
"""By type of entry: the field that names a person, and the one that has the person's id in the record."""


class Seating:
    """Turns the names of a request into players' ids.

    Who is new gets an id that follows from the request, and a name only when `keep` is called: once the record has
    taken what was sent. In a request that comes again people are who they were, whatever became of their names since.
    """

    def __init__(self, log: Log) -> None:
        self._log, self._people = log, log.people
        self._new: dict[str, str] = {}

    def seated(self, game: str, seats: Sequence[dict[str, str]]) -> list[dict[str, str]]:
        """The seats of a new game as the record has them, each from a player's id, a name, or neither."""
        recorded = self._recorded(game).get("seats", ())
        return [
            self._seat(game, number, seat, before or {})
            for number, (seat, before) in enumerate(zip_longest(seats, recorded[: len(seats)]))
        ]

    def _seat(self, game: str, number: int, seat: dict[str, str], before: dict[str, str]) -> dict[str, str]:
        if "name" not in seat:
            return seat
        return {"player": before.get("player") or self._person(str(uuid5(UUID(game), f"seat {number}")), seat["name"])}

    def identified(self, index: int, draft: Draft) -> Draft:
        """The entry at an index of a request as the record has it: a person's name in it turned into a player's id.

        Raises `BadEventError`.
        """
        if draft.type not in _NAMED:
            return draft
        by_name, by_id = _NAMED[draft.type]
        if by_name not in draft.data:
            return draft
        if by_id in draft.data:
            raise BadEventError(index, f"data.{by_name}", f"a person is named by this or by {by_id}, not by both")
        data = draft.data.copy()
        name = data.pop(by_name)
        if not isinstance(name, str):
            raise BadEventError(index, f"data.{by_name}", "Expected `str`")
        try:
            name = checked_name(name)
        except BadNameError as error:
            raise BadEventError(index, f"data.{by_name}", str(error)) from error
        known = self._recorded(draft.id).get(by_id)
        data[by_id] = known or self._person(str(uuid5(UUID(draft.id), "player")), name)
        return msgspec.structs.replace(draft, data=data)

    def keep(self) -> None:
        """Store the names of those who are new."""
        while self._new:
            self._people.put(*self._new.popitem())

    def _recorded(self, entry: str) -> dict[str, Any]:
        """What the record has of an entry, if it comes again."""
        stored = self._log.find(entry)
        return stored.data if stored else {}

    def _person(self, new: str, name: str) -> str:
        """The id of the person of that name, `new` if there is none yet."""
        known = self._people.names(self._people.find(name)) | self._new
        same = [player for player, called in known.items() if called == name]
        if not same:
            self._new[new] = name
        return min(same, default=new)
