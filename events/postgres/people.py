"""The names of people in the log's database."""

from __future__ import annotations

from typing import TYPE_CHECKING

from events.people import checked_name
from events.rows import uuid_text
from events.schemas import is_uuid

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from events.postgres.database import Database
    from events.rows import Row

ERASED = ""
"""What stands in the place of an erased name; no name is empty."""


class PostgresPeople:
    """Names by player id: see `events.people.People`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def name(self, person: str) -> str | None:
        """The person's name; None for somebody unknown or erased."""
        return self.names([person]).get(person)

    def names(self, people: Iterable[str]) -> dict[str, str]:
        """The names of several people; those without one are left out."""
        sql = "select uuid_send(id), name from kifu.person where id = any(%s::uuid[]) and name != %s"
        wanted = list(people)
        found = {uuid_text(key): name for key, name in self._of(sql, wanted)}
        return {person: found[person] for person in wanted if person in found}

    def erased(self, people: Iterable[str]) -> set[str]:
        """Those of them whose names were erased: that they were, is kept, so that no name comes back unasked."""
        sql = "select uuid_send(id) from kifu.person where id = any(%s::uuid[]) and name = %s"
        return {uuid_text(key) for (key,) in self._of(sql, list(people))}

    def _of(self, sql: str, people: list[str]) -> list[Row]:
        known = [person for person in people if is_uuid(person)]
        return self._database.query(sql, (known, ERASED)) if known else []

    def find(self, text: str) -> list[str]:
        """The ids of all whose name holds `text`, whatever the case, in the order of their names."""
        part = text.casefold()
        return [person for person, name in self.all().items() if part in name.casefold()]

    def all(self) -> dict[str, str]:
        """Every name, by id, in the order of the names."""
        sql = "select uuid_send(id), name from kifu.person where name != %s order by name, id"
        return {uuid_text(key): name for key, name in self._database.query(sql, (ERASED,))}

    def kept(self) -> dict[str, str]:
        """What is kept of everybody, by id: a name, or nothing of somebody whose name was erased."""
        return {
            uuid_text(key): name
            for key, name in self._database.query("select uuid_send(id), name from kifu.person order by id")
        }

    def put(self, person: str, name: str) -> None:
        """Give a person a name, or another one. Raises `BadNameError`, `LogFullError`."""
        if not is_uuid(person):
            raise ValueError(f"{person!r} is no UUID in lower-case canonical form")
        self.restore({person: checked_name(name)})

    def restore(self, kept: Mapping[str, str]) -> None:
        """Keep what another log has kept. Raises `LogFullError`."""
        sql = "insert into kifu.person (id, name) values (%s, %s) on conflict (id) do update set name = excluded.name"
        for row in kept.items():
            self._database.change(sql, row)

    def erase(self, person: str) -> bool:
        """Remove a name; False if there was none.

        The server is told to vacuum; what its own log and its backups hold of the bytes goes with those.
        """
        if not is_uuid(person):
            return False
        sql = "update kifu.person set name = %s where id = %s and name != %s"
        gone = self._database.change(sql, (ERASED, person, ERASED)) > 0
        self._database.change("vacuum kifu.person")
        return gone
