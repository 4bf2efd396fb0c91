"""The names of people in the log's database."""

from __future__ import annotations

from typing import TYPE_CHECKING

from events.merges import Merge, Merges
from events.people import KnownPeople, checked_name, name_sum
from events.postgres.timely import at_leisure
from events.postgres.translation import translated
from events.rows import uuid_bytes, uuid_text
from events.schemas import is_uuid

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from psycopg import Connection

    from events.postgres.database import Database
    from events.rows import Row

ERASED = ""
"""The stored form of an erased name; no name is empty."""

_LOCK = 0x4B494601
"""The advisory lock of merges: a merge depends on those before it."""

_RECORDS = "select number, uuid_send(person), uuid_send(kept), at, by from kifu.merge order by number"


class PostgresPeople(KnownPeople):
    """Names by player id: see `events.people.People`."""

    def __init__(self, database: Database, clock: Callable[[], int]) -> None:
        super().__init__()
        self._database, self._clock = database, clock

    def recorded_names(self, people: Iterable[str]) -> dict[str, str]:
        """The names that were entered for exactly these ids, before any merge."""
        wanted = list(people)
        sql = "select uuid_send(id), name from kifu.person where id = any(%s::uuid[]) and name != %s"
        found = {uuid_text(key): name for key, name in self._of(sql, wanted)}
        return {person: found[person] for person in wanted if person in found}

    def _erased(self, people: set[str]) -> set[str]:
        sql = "select uuid_send(id) from kifu.person where id = any(%s::uuid[]) and name = %s"
        return {uuid_text(key) for (key,) in self._of(sql, list(people))}

    def _of(self, sql: str, people: list[str]) -> list[Row]:
        known = [person for person in people if is_uuid(person)]
        return self._database.query(sql, (known, ERASED)) if known else []

    def all(self) -> dict[str, str]:
        """Every name, by id, in the order of the names."""
        sql = "select uuid_send(id), name from kifu.person where name != %s order by name, id"
        return {uuid_text(key): name for key, name in self._database.query(sql, (ERASED,))}

    def all_records(self) -> dict[str, str]:
        """Everything kept about everybody, by id: a name, or nothing if the name was erased."""
        return {
            uuid_text(key): name
            for key, name in self._database.query("select uuid_send(id), name from kifu.person order by id")
        }

    def put(self, person: str, name: str) -> None:
        """Give a person a name, or another one. Raises `BadNameError`, `LogFullError`."""
        if not is_uuid(person):
            raise ValueError(f"{person!r} is no UUID in lower-case canonical form")
        self.restore({person: checked_name(name)})

    def restore(self, kept: Mapping[str, str], merges: Iterable[Merge] = ()) -> None:
        """Keep what another log has kept. Raises `LogFullError`."""
        for person, name in kept.items():
            self._put([person], name)
        for record in merges:
            self._database.change(
                "insert into kifu.merge values (%s, %s, %s, %s, %s) on conflict (number) do nothing",
                (record.number, record.person, record.kept, record.at, record.by),
            )

    def erase(self, person: str) -> bool:
        """Remove all names of a person; False if there was none.

        Asks the server to vacuum. The bytes in its own log and backups go together with those.
        """
        ids = [each for each in self.merges().ids_of([person]) if is_uuid(each)]
        gone = bool(self.recorded_names(ids))
        if gone:
            self._put(ids, ERASED)
        if ids:
            with at_leisure():
                self._database.change("vacuum kifu.person")
        return gone

    def _put(self, people: list[str], name: str) -> None:
        """Give several people one name."""
        sums = [name_sum(uuid_bytes(person), name.encode()) for person in people]
        self._database.change(
            "insert into kifu.person (id, name, checksum)"
            " select person, %s, checksum from unnest(%s::uuid[], %s::bigint[]) as each (person, checksum)"
            " on conflict (id) do update set name = excluded.name, checksum = excluded.checksum",
            (name, people, sums),
        )

    def unreadable(self) -> list[str]:
        """Those with names that do not fit their checksums."""
        rows = self._database.query(
            "select uuid_send(id), convert_to(name, 'UTF8'), checksum from kifu.person"
            " where checksum is not null order by id"
        )
        return [uuid_text(key) for key, name, kept in rows if kept != name_sum(key, name)]

    def _last_merge(self) -> int:
        ((last,),) = self._database.query("select coalesce(max(number), 0) from kifu.merge")
        return int(last)

    def merge_records(self) -> list[Merge]:
        """Every record of a merge, in the order of their numbers."""
        return _records(self._database.query(_RECORDS))

    def merge(self, person: str, kept: str, *, by: str) -> bool:
        """Merge a person into another one, whom the log keeps; False if they were merged already.

        Raises `BadMergeError`.
        """
        return self._record(person, kept, by, lambda merges: merges.check(person, kept))

    def split(self, person: str, *, by: str) -> bool:
        """Say that a person is somebody of their own again; False if they are."""
        return self._record(person, None, by, lambda merges: merges.of(person) is not None)

    def _record(self, person: str, kept: str | None, by: str, changes: Callable[[Merges], bool]) -> bool:
        """Record a merge, if it `changes` what is recorded: one process at a time looks and writes."""
        sql = "insert into kifu.merge select coalesce(max(number), 0) + 1, %s, %s, %s, %s from kifu.merge"

        def work(connection: Connection[Row]) -> bool:
            with connection.transaction():
                connection.execute("select pg_advisory_xact_lock(%s)", (_LOCK,))
                changed = changes(Merges(_records(connection.execute(_RECORDS).fetchall())))
                if changed:
                    connection.execute(sql, (person, kept, self._clock(), by))
            return changed

        with translated(self._database.name):
            return self._database.retry_once(work)


def _records(rows: list[Row]) -> list[Merge]:
    return [Merge(number, uuid_text(one), kept and uuid_text(kept), at, by) for number, one, kept, at, by in rows]
