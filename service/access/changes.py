"""Changes of access: the rows that they write, and the digests of rows in the chain."""

from __future__ import annotations

import logging
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from events.databases.copying import copy_rows
from events.errors import LogError
from service.access.chain import (
    NOTHING,
    Mark,
    digest,
    name_of,
    next_link,
)
from service.access.tables import (
    ACCESS,
    CHAIN,
    CHAINED,
    ERASABLE,
    OWNERLESS,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from events.databases.definition import Table
    from events.databases.rows import Rows
    from service.access.chain import ChainReport

logger = logging.getLogger(__name__)


OWNER = "owner"
"""The name in the chain for the owner of the store."""


class RowDifferences(NamedTuple):
    """The differences between rows and chain: rows (table and key) with another digest, and names without a row.

    The owner of the store has no table.
    """

    rows: list[tuple[Table | None, tuple[Any, ...]]]
    missing: list[str]


@cache
def _named(table: Table) -> tuple[tuple[str, int], ...]:
    """The columns of a table that the digest covers, sorted by name, with their places."""
    erasable = ERASABLE.get(table, frozenset())
    return tuple(sorted((name, place) for place, name in enumerate(table.columns) if name not in erasable))


@cache
def _keys(table: Table) -> tuple[int, ...]:
    return tuple(map(list(table.columns).index, table.key))


def row_digest(table: Table, row: Sequence[Any]) -> str:
    """The digest of a row for the chain. Empty columns are left out.

    So one more column changes no digest of an older row.
    """
    return digest({name: row[place] for name, place in _named(table) if row[place] is not None})


def key_of(table: Table, row: Sequence[Any]) -> tuple[Any, ...]:
    """The key of a row of a table."""
    return tuple([row[place] for place in _keys(table)])


def every_row(db: Rows) -> Iterator[tuple[Table, Sequence[Any]]]:
    """Every row that the chain should name, with its checksum, after its table."""
    for table in CHAINED:
        for row in db.execute(f"select {table.names} from {table}").fetchall():
            yield table, row


def compare_rows(db: Rows, judged: ChainReport, owner: str) -> RowDifferences:
    """Compare the rows with the chain."""
    left = dict(judged.row_digests)
    others: list[tuple[Table | None, tuple[Any, ...]]] = []
    if left.pop(OWNER, None) != owner_digest(owner):
        others.append((None, ()))
    for table, row in every_row(db):
        key = key_of(table, row)
        if left.pop(name_of(table.name, key), None) != row_digest(table, row):
            others.append((table, key))
    return RowDifferences(others, list(left))


def owner_digest(owner: str) -> str:
    """The digest of the store's owner for the chain."""
    return digest({"owner": owner})


def names_of_rows(rows: Iterable[tuple[Table | None, tuple[Any, ...]]]) -> Iterator[str]:
    """The names of rows in the chain, from their tables and keys."""
    return (name_of(table.name if table else OWNER, key) for table, key in rows)


class Change:
    """A change in progress. Its link of the chain will name the rows that it writes and drops."""

    def __init__(self, db: Rows) -> None:
        self._db, self._said = db, dict[str, str | None]()
        self.dialect = db.dialect

    def execute(self, sql: str, values: Sequence[Any] = ()) -> Any:
        """Run a statement that reads, or that changes something outside of the chain."""
        return self._db.execute(sql, values)

    def put(self, table: Table, row: Sequence[Any]) -> None:
        """Add a row, or replace the row with its key."""
        table.put(self._db, row)
        self._say(table, row)

    def add(self, table: Table, row: Sequence[Any]) -> None:
        """Add a row."""
        table.add(self._db, row)
        self._say(table, row)

    def drop(self, table: Table, where: str, values: Sequence[Any]) -> list[Any]:
        """Drop rows. Returns them with their checksums."""
        sql = f"delete from {table} where {where} returning {table.names}"
        gone: list[Any] = self._db.execute(sql, values).fetchall()
        if table in CHAINED:
            self._said |= {name_of(table.name, key_of(table, row)): None for row in gone}
        return gone

    def record_missing(self, names: Iterable[str]) -> None:
        """Record that rows are gone."""
        self._said |= dict.fromkeys(names)

    def say_all(self, owner: str) -> None:
        """Name all sound rows."""
        self._said[OWNER] = owner_digest(owner)
        for table, row in every_row(self._db):
            if table.fits(row):
                self._say(table, row)

    def seal(self, before: Mark, owner: str, *, whole: bool = False) -> Mark | None:
        """Add the next link of the chain. Returns its mark, or None if nothing was changed."""
        if not self._said:
            return None
        if before == NOTHING:
            self._said[OWNER] = owner_digest(owner)
        link = next_link(before, self._said, whole=whole)
        CHAIN.add(self._db, link)
        return link.mark

    def _say(self, table: Table, row: Sequence[Any]) -> None:
        if table in CHAINED:
            self._said[name_of(table.name, key_of(table, row))] = row_digest(table, row)


def owner_of(db: Rows) -> tuple[str, str]:
    """The owner of the store, and its own id. Raises `LogError` if nobody, or more than one, is named."""
    found = db.execute("select owner, identity from house").fetchall()
    if len(found) != 1:
        raise LogError(OWNERLESS)
    ((owner, identity),) = found
    return str(owner), str(identity)


def copy_all(source: Rows, target: Rows) -> None:
    """Copy the owner and all rows into an empty store."""
    for row in source.execute("select owner, identity from house").fetchall():
        target.execute("update house set owner = ?, identity = ?", row)
    copy_rows(ACCESS, source, target)
