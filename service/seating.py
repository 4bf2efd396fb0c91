"""People in a record: who sits where, and who ruled. It holds players' ids; a name that is new here gets an id."""

from __future__ import annotations

from typing import TYPE_CHECKING
from uuid import UUID, uuid5

import msgspec

from events.errors import BadEventError
from events.people import BadNameError, checked_name

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


_NAMED = {"seat.changed": ("name", "player"), "ruling.given": ("referee_name", "referee")}
"""By type of entry: the field that names a person, and the one that has the person's id in the record."""


def identified(people: People, index: int, draft: Draft, *, store: bool) -> Draft:
    """The entry at an index of a request as the record has it: the name of a person in it turned into a player's id.

    Raises `BadEventError`.
    """
    by_name, by_id = _NAMED.get(draft.type, ("", ""))
    if not isinstance(draft.data.get(by_name), str):
        return draft
    if by_id in draft.data:
        raise BadEventError(index, f"data.{by_name}", f"a person is named by this or by {by_id}, not by both")
    data = draft.data.copy()
    try:
        name = checked_name(data.pop(by_name))
    except BadNameError as error:
        raise BadEventError(index, f"data.{by_name}", str(error)) from error
    data[by_id] = _person(people, str(uuid5(UUID(draft.id), "player")), name, store=store)
    return msgspec.structs.replace(draft, data=data)


def _person(people: People, new: str, name: str, *, store: bool) -> str:
    """The id of the person of that name, `new` if there is none yet."""
    same = [player for player, known in people.names(people.find(name)).items() if known == name]
    if store and not same:
        people.put(new, name)
    return min(same, default=new)
