"""Results in the database, beside the log: those of all hosts, so that any of them answers the same."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any

from events.postgres.mirror import mirror
from events.postgres.shared import open_tables
from workers import results
from workers.results import Results, empty

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from events.postgres.shared import Statements, Tables
    from workers.results import Rows

SCHEMA_NAME = "kifu_work"

_LEASES = """
create table if not exists lease (name text primary key, host text not null, ends timestamptz not null);
insert into lease values ('relay', '', '-infinity'), ('webhooks', '', '-infinity') on conflict do nothing
"""
"""What one host does at a time (see `workers.lease`)."""


class SharedResults(Results):
    """See `Results`. The database keeps what it was given, so nothing is made anew here. Raises `LogError`."""

    _row_id = "ctid::text"
    _outcome = "data::json->>'outcome'"
    _wanted = "select value->>0, (value->>1)::bigint, value->>2 from json_array_elements(?::json) as value"

    def __init__(self, url: str, *, remake: Callable[[str, int], object] | None = None) -> None:
        self._remake = remake
        self._rows = open_tables(url, shared_tables())
        self.name = self._rows.name
        self.identity = self._identity()

    @property
    def _db(self) -> Statements:
        return self._rows

    def close(self) -> None:
        """Let go of the connections."""
        self._rows.close()

    def query(self, sql: str, values: Sequence[Any]) -> list[tuple[Any, ...]]:
        """The rows of a statement. Raises `LogError`."""
        found: list[tuple[Any, ...]] = self._rows.execute(sql, values).fetchall()
        return found

    def change(self, sql: str, values: Sequence[Any]) -> int:
        """Carry a statement out, and say how many rows it changed. Raises `LogError`."""
        return int(self._rows.execute(sql, values).rowcount)

    def wipe(self, *tables: str) -> None:
        """The server is told to vacuum; what its own log and its backups hold of the bytes goes with those."""
        for table in tables:
            self._rows.execute(f"vacuum {table}")

    @contextlib.contextmanager
    def transaction(self) -> Iterator[Rows]:
        """All that is done inside, or nothing. Raises `LogError`."""
        with self._rows.together() as rows:
            yield rows


def shared_tables() -> Tables:
    """The tables in the database: those of the file, and what tells which host does what."""
    with contextlib.closing(empty()) as file:
        return mirror(file, SCHEMA_NAME, results.SCHEMA, {"lease": _LEASES})
