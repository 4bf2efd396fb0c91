"""The names of people in the log's database."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from events.errors import LogBusyError, LogUnwritableError
from events.people import checked_name
from events.rows import uuid_bytes, uuid_text
from events.schemas import is_uuid

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from events.sqlite.pool import Pool
    from events.sqlite.writer import Writer

ERASED = ""
"""What stands in the place of an erased name; no name is empty."""

PATIENCE = 10.0
"""Seconds that an erasure waits for readers."""


class SqlitePeopleReader:
    """Names, read only: see `events.people.People`."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    def name(self, person: str) -> str | None:
        """The person's name; None for somebody unknown or erased."""
        return self.names([person]).get(person)

    def names(self, people: Iterable[str]) -> dict[str, str]:
        """The names of several people; those without one are left out."""
        found = {}
        with self._pool.connection() as connection:
            for person in people:
                if is_uuid(person):
                    row = connection.execute("select name from person where id = ?", (uuid_bytes(person),)).fetchone()
                    if row and row[0] != ERASED:
                        found[person] = row[0]
        return found

    def erased(self, people: Iterable[str]) -> set[str]:
        """Those of them whose names were erased: that they were, is kept, so that no name comes back unasked."""
        sql = "select 1 from person where id = ? and name = ?"
        with self._pool.connection() as connection:
            known = [person for person in people if is_uuid(person)]
            return {person for person in known if connection.execute(sql, (uuid_bytes(person), ERASED)).fetchone()}

    def find(self, text: str) -> list[str]:
        """The ids of all whose name holds `text`, whatever the case, in the order of their names."""
        part = text.casefold()
        return [person for person, name in self.all().items() if part in name.casefold()]

    def all(self) -> dict[str, str]:
        """Every name, by id, in the order of the names."""
        with self._pool.connection() as connection:
            sql = "select id, name from person where name != ? order by name, id"
            rows: list[Any] = connection.execute(sql, (ERASED,)).fetchall()
        return {uuid_text(key): name for key, name in rows}

    def kept(self) -> dict[str, str]:
        """What is kept of everybody, by id: a name, or nothing of somebody whose name was erased."""
        with self._pool.connection() as connection:
            rows: list[Any] = connection.execute("select id, name from person order by id").fetchall()
        return {uuid_text(key): name for key, name in rows}

    def restore(self, kept: Mapping[str, str]) -> None:  # noqa: ARG002
        """Refused: this log is open for reading."""
        raise LogUnwritableError("names cannot be written: the log is open for reading only")

    def put(self, person: str, name: str) -> None:  # noqa: ARG002
        """Refused: this log is open for reading."""
        raise LogUnwritableError(f"the name of {person} cannot be written: the log is open for reading only")

    def erase(self, person: str) -> bool:
        """Refused: this log is open for reading."""
        raise LogUnwritableError(f"the name of {person} cannot be erased: the log is open for reading only")


class SqlitePeople(SqlitePeopleReader):
    """Names, in the hands of the process that writes."""

    def __init__(self, pool: Pool, writer: Writer) -> None:
        super().__init__(pool)
        self._writer = writer

    def put(self, person: str, name: str) -> None:
        """Give a person a name, or another one. Raises `BadNameError`, `LogFullError`."""
        if not is_uuid(person):
            raise ValueError(f"{person!r} is no UUID in lower-case canonical form")
        self.restore({person: checked_name(name)})

    def restore(self, kept: Mapping[str, str]) -> None:
        """Keep what another log has kept. Raises `LogFullError`."""
        sql = "insert into person values (?, ?) on conflict do update set name = excluded.name"
        for person, name in kept.items():
            self._writer.change(sql, (uuid_bytes(person), name))

    def erase(self, person: str) -> bool:
        """Remove a name so that no byte of it is left in any file of the log; False if there was none.

        Raises `LogBusyError` if a long read keeps the old bytes in the write-ahead log: the name is gone from the
        table, and its bytes go as soon as that read ends.
        """
        if not is_uuid(person):
            return False
        sql = "update person set name = ? where id = ? and name != ?"
        gone = self._writer.change(sql, (ERASED, uuid_bytes(person), ERASED)) > 0
        if not self._writer.wipe(PATIENCE):
            raise LogBusyError(f"the name of {person} is erased, but a long read still keeps its bytes on disk")
        return gone
