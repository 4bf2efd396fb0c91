"""People in a record: who sits where, and who ruled. It holds players' ids; a name that is new here gets an id."""

from __future__ import annotations

from itertools import zip_longest
from typing import TYPE_CHECKING
from uuid import UUID, uuid5

import msgspec

from events.errors import BadEventError
from events.people import BadNameError, checked_name
from events.schemas import SCHEMAS
from events.types import TYPES, GameOpened

if TYPE_CHECKING:
    from collections.abc import Sequence

    from events.log import Log
    from events.types import EventData
    from service.judging import Draft


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
        opened = self._recorded(game)
        before = [seat.player for seat in opened.seats] if isinstance(opened, GameOpened) else []
        return [
            self._seat(game, number, seat, player)
            for number, (seat, player) in enumerate(zip_longest(seats, before[: len(seats)]))
        ]

    def _seat(self, game: str, number: int, seat: dict[str, str], before: str | None) -> dict[str, str]:
        if "name" not in seat:
            return seat
        return {"player": before or self._person(str(uuid5(UUID(game), f"seat {number}")), seat["name"])}

    def identified(self, index: int, draft: Draft) -> Draft:
        """The entry at an index of a request as the record has it: a person's name in it turned into a player's id.

        Raises `BadEventError`.
        """
        by_name, by_id = TYPES[draft.type].person or ("", "")
        if not by_name or by_name not in draft.data:
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
        known = getattr(self._recorded(draft.id), by_id, None)
        data[by_id] = known or self._person(str(uuid5(UUID(draft.id), "player")), name)
        return msgspec.structs.replace(draft, data=data)

    def keep(self) -> None:
        """Store the names of those who are new."""
        while self._new:
            self._people.put(*self._new.popitem())

    def _recorded(self, entry: str) -> EventData | None:
        """What the record has of an entry, if it comes again."""
        stored = self._log.find(entry)
        return SCHEMAS.read(stored) if stored else None

    def _person(self, new: str, name: str) -> str:
        """The id of the person of that name, `new` if there is none yet."""
        known = self._people.names(self._people.find(name)) | self._new
        same = [player for player, called in known.items() if called == name]
        if not same:
            self._new[new] = name
        return min(same, default=new)
