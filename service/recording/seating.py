"""People in a record: who sits where, and who ruled. Records hold players' ids; a new name gets one."""

from __future__ import annotations

from contextlib import ExitStack
from itertools import zip_longest
from typing import TYPE_CHECKING, Any, NamedTuple, Self
from uuid import UUID, uuid5

import msgspec

from events.errors import BadEventError
from events.folding import normalized
from events.people import BadNameError, checked_name, refuse_lookalike
from events.schemas import SCHEMAS
from events.types import TYPES, GameOpened
from service.problems.errors import ServiceError
from service.recording.locks import KeyedLocks

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from events.log import Log
    from events.people import People
    from events.types import EventData
    from service.recording.judging import Draft


NAMES = KeyedLocks()
"""Those who bring the same new name take turns: the first makes the person, and the others find him."""


OF_PEOPLE = frozenset(name for name, form in TYPES.items() if form.person)
"""The types of entries that can name people."""


class BadSeatError(ServiceError):
    """An invalid name in the seat of that number."""

    kind = "bad-request"

    def __init__(self, seat: int, why: str) -> None:
        super().__init__(why)
        self.seat = seat

    @property
    def members(self) -> dict[str, Any]:
        """The field of the name."""
        return {"errors": [{"field": f"seats[{self.seat}].name", "message": str(self)}]}


class FoundPerson(NamedTuple):
    """The person with a name; `exact` unless the name differs in case, width or Unicode form."""

    player: str
    exact: bool


def find_people(people: People, names: Iterable[str]) -> dict[str, FoundPerson]:
    """The people with these names. Of several people with one name it is always the same one.

    Without an exact match, case and width do not count: phones write `aiko` and `ＡＩＫＯ`.
    """
    wanted = {name: normalized(name) for name in names}
    known = sorted(people.all().items(), reverse=True)
    exact = {name: player for player, name in known if name in wanted}
    keys = set(wanted.values())
    near = {key: player for player, name in known if (key := normalized(name)) in keys}
    found = {name: FoundPerson(near[key], exact=False) for name, key in wanted.items() if key in near}
    return found | {name: FoundPerson(player, exact=True) for name, player in exact.items()}


class Seating:
    """Turns the `names` of a request into players' ids. Used in a `with`.

    A new person gets an id that follows from the request. They get a name only when `keep` is called, once the record
    has taken the entries. Until the end of the `with` no other request brings the same new names. In a repeated request
    people are who they were, even if their names have changed since.
    """

    def __init__(self, log: Log, names: Iterable[object]) -> None:
        self._log, self._people = log, log.people
        self._names = {_kept(name) for name in names if isinstance(name, str)}
        self._known: dict[str, str] = {}
        self._new: dict[str, str] = {}
        self._turn: ExitStack | None = None

    @classmethod
    def for_drafts(cls, log: Log, drafts: Iterable[Draft]) -> Seating:
        """The seating for the people named in entries."""
        return cls(log, [draft.data.get(person[0]) for draft in drafts if (person := TYPES[draft.type].person)])

    def __enter__(self) -> Self:
        self._look()
        if new := self._names - self._known.keys():
            self._turn = ExitStack()
            self._turn.enter_context(NAMES.holding(*map(normalized, new)))
            self._look()
        return self

    def __exit__(self, *_: object) -> None:
        if self._turn:
            self._turn.close()

    def _look(self) -> None:
        """Who has these names, with those who are new."""
        if self._names:
            found = {name: found.player for name, found in find_people(self._people, self._names).items()}
            self._known = self._brought() | found

    def _brought(self) -> dict[str, str]:
        """The names in the request that differ from a new person's name only in case, width or Unicode form."""
        new = {normalized(name): player for player, name in self._new.items()}
        return {name: new[key] for name in self._names if (key := normalized(name)) in new}

    def fill_seats(self, game: str, seats: Sequence[dict[str, str]]) -> list[dict[str, str]]:
        """The seats of a new game in the form of the record, each from a player's id, a name, or neither.

        Raises `BadSeatError`.
        """
        opened = self._recorded(game)
        before = [seat.player for seat in opened.seats] if isinstance(opened, GameOpened) else []
        return [
            self._seat(game, number, seat, player)
            for number, (seat, player) in enumerate(zip_longest(seats, before[: len(seats)]))
        ]

    def _seat(self, game: str, number: int, seat: dict[str, str], before: str | None) -> dict[str, str]:
        if "name" not in seat:
            return seat
        try:
            return {"player": before or self._person(str(uuid5(UUID(game), f"seat {number}")), seat["name"])}
        except BadNameError as error:
            raise BadSeatError(number, str(error)) from error

    def all_identified(self, drafts: Sequence[Draft]) -> list[Draft]:
        """As `with_player_id`, for all entries of a request. Most types name nobody. Raises `BadEventError`."""
        return [
            self.with_player_id(index, draft) if TYPES[draft.type].person else draft
            for index, draft in enumerate(drafts)
        ]

    def with_player_id(self, index: int, draft: Draft) -> Draft:
        """The entry at an index of a request, with a person's name in it turned into a player's id.

        Raises `BadEventError`.
        """
        by_name, by_id = TYPES[draft.type].person or ("", "")
        if not by_name or by_name not in draft.data:
            return draft
        if by_id in draft.data:
            raise BadEventError(index, f"data.{by_name}", f"name a person by this or by {by_id}, not by both")
        data = draft.data.copy()
        name = data.pop(by_name)
        if not isinstance(name, str):
            raise BadEventError(index, f"data.{by_name}", "Expected `str`")
        try:
            name = checked_name(name)
            known = getattr(self._recorded(draft.id), by_id, None)
            data[by_id] = known or self._person(str(uuid5(UUID(draft.id), "player")), name)
        except BadNameError as error:
            raise BadEventError(index, f"data.{by_name}", str(error)) from error
        return msgspec.structs.replace(draft, data=data)

    def keep(self) -> None:
        """Store the names of new people."""
        while self._new:
            self._people.put(*self._new.popitem())

    def _recorded(self, entry: str) -> EventData | None:
        """The recorded entry, if this one is a repeat."""
        stored = self._log.find(entry)
        return SCHEMAS.read(stored) if stored else None

    def _person(self, new: str, name: str) -> str:
        """The id of the person with that name; `new` if there is none yet. Raises `BadNameError`."""
        name = checked_name(name)
        if name not in self._names:
            self._names.add(name)
            self._look()
        if name not in self._known:
            refuse_lookalike(name, [*self._people.all().values(), *self._new.values()])
            self._new[new] = name
            self._known |= self._brought()
        return self._known[name]


def _kept(name: str) -> str:
    """A name in its stored form; an invalid one unchanged."""
    try:
        return checked_name(name)
    except BadNameError:
        return name
