"""What a store says of its database: tables, release, and what a loss costs. Everything else is the same for all."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any, Literal

from sqlite_utils import Migrations

from events.databases.checksums import checksum, is_sound

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Iterator, Sequence

    from sqlite_utils import Database as SqliteUtils

    from events.databases.checksums import Formula
    from events.databases.rows import Rows, Statements

CHECKSUM = "checksum"

Loss = Literal["remade", "resent", "lost"]
"""What damage costs: nothing, as everything is derived from the log; messages are sent twice; or rows for good."""

Changed = Mapping[str, Any] | Callable[[dict[str, Any]], Mapping[str, Any]]
"""What changes of a row, by column; or what gives that of the row as it is."""


@dataclass(frozen=True, eq=False)
class Table:
    """A table of rows with checksums.

    The checksum is of `columns`, in their order. Columns `beside` them, given with their SQL types, change by
    themselves and are not summed. A key without a column is a number that the database gives. By `older`, rows of an
    older release are proved. Sound rows of a damaged file are `salvaged`, unless other rows rely on the lost ones.
    """

    name: str
    columns: Mapping[str, type]
    key: tuple[str, ...]
    beside: Mapping[str, str] = field(default_factory=dict)
    unique: tuple[str, ...] = ()
    indexes: tuple[str, ...] = ()
    older: Formula | None = None
    salvaged: bool = True

    def __str__(self) -> str:
        return self.name

    @cached_property
    def names(self) -> str:
        """The summed columns and the checksum, as a statement names them."""
        return _listed((*self.columns, CHECKSUM))

    @cached_property
    def numbered(self) -> bool:
        """Whether the database numbers the rows."""
        return not set(self.key) & self.columns.keys()

    @cached_property
    def all_columns(self) -> tuple[str, ...]:
        """Every column."""
        return (*(self.key if self.numbered else ()), *self.columns, CHECKSUM, *self.beside)

    @cached_property
    def _add(self) -> str:
        return f"insert into {self.name} ({self.names}) values ({_marks(len(self.columns) + 1)})"

    @cached_property
    def _put(self) -> str:
        rest = [name for name in (*self.columns, CHECKSUM) if name not in self.key]
        put = ", ".join(f'"{name}" = excluded."{name}"' for name in rest)
        return f"{self._add} on conflict ({_listed(self.key)}) do update set {put}"

    def fits(self, row: Sequence[Any]) -> bool:
        """Whether a row (the summed columns, the checksum) is what was written."""
        return is_sound(row[:-1], row[-1], self.older)

    def add(self, db: Statements, row: Sequence[Any], more: str = "") -> Any:
        """Add a row of summed columns; `more` is appended to the statement."""
        return db.execute(f"{self._add} {more}", [*row, checksum(row)])

    def put(self, db: Statements, row: Sequence[Any], where: str = "") -> int:
        """Replace the row with the same key if a condition holds there. Returns the number of rows written."""
        return int(db.execute(f"{self._put} {where}", [*row, checksum(row)]).rowcount)

    def rows(self, db: Statements, condition: str = "", values: Sequence[Any] = ()) -> list[Sequence[Any]]:
        """The rows under a condition that are what was written: the summed columns, the checksum."""
        found = db.execute(f"select {self.names} from {self.name} {condition}", values)
        return [row for row in found if self.fits(row)]

    def change(
        self,
        db: Rows,
        changed: Changed,
        where: str,
        values: Sequence[Any] = (),
    ) -> int:
        """Change columns of the rows that a condition finds; how many. One that is not what was written stays.

        Only inside a transaction.
        """
        count = 0
        for found in db.execute(f"{self._find} where {where}{db.dialect.lock}", values).fetchall():
            key, row = found[: len(self.key)], found[len(self.key) :]
            if self.fits(row):
                old = dict(zip(self.columns, row, strict=False))
                more = changed(old) if callable(changed) else changed
                new = checksum([more.get(name, each) for name, each in old.items()])
                db.execute(_update(self.name, tuple(more), self.key), [*more.values(), new, *key])
                count += 1
        return count

    @cached_property
    def _find(self) -> str:
        return f"select {_listed(self.key)}, {self.names} from {self.name}"

    def find_faults(self, db: Statements) -> Iterator[str]:
        """The faults of the rows."""
        for row in db.execute(f"select {self.names} from {self.name}"):
            if not self.fits(row):
                yield f"a row of {self.name} is not what was written: {', '.join(self._called(row))}"

    def _called(self, row: Sequence[Any]) -> Iterator[str]:
        """The name of a row in messages."""
        named = dict(zip(self.columns, row, strict=False))
        for name in self.key if not self.numbered else self.columns:
            value = named[name]
            yield value.hex() if isinstance(value, bytes) else str(value)

    def sum_all(self, db: SqliteUtils) -> None:
        """Give all rows of an older file their checksums, as they are."""
        db.conn.create_function("checksum", -1, lambda *row: checksum(row), deterministic=True)
        db.execute(f"update {self.name} set checksum = checksum({_listed(self.columns)})")

    def create(self, db: SqliteUtils) -> None:
        """Make the table in a file."""
        made = db.table(self.name)
        number = dict.fromkeys(self.key if self.numbered else (), int)
        made.create({**number, **self.columns, CHECKSUM: int}, pk=self.key, strict=True)
        for column, kind in self.beside.items():
            db.execute(f"alter table {self.name} add column {column} {kind}")
        for column in self.unique:
            made.create_index([column], unique=True)
        for column in self.indexes:
            made.create_index([column])


@dataclass(frozen=True, kw_only=True)
class Definition:
    """A small database: the `file` in a data folder, or the `schema` in PostgreSQL.

    `tables` are those with checksums. `migrations` bring a file up to `release`; without any, the tables are made as
    they are here. `salvage` takes over what else can be believed in a damaged file: old and new connection. `check`
    yields what is wrong beside rows. Nothing in an `append_only` table is ever changed.

    PostgreSQL makes the same tables. `shared` are those that are its own, or another form there: what makes them, by
    their names. The table and column of its release are `release_in`.
    """

    file: str
    schema: str
    tables: tuple[Table, ...]
    loss: Loss = "lost"
    release: int = 1
    migrations: Migrations = field(default_factory=lambda: Migrations(""))
    salvage: Callable[[sqlite3.Connection, sqlite3.Connection], None] | None = None
    check: Callable[[Statements], Iterable[str]] | None = None
    append_only: tuple[str, ...] = ()
    shared: Mapping[str, str] = field(default_factory=dict)
    release_in: tuple[str, str] = ("release", "number")

    @property
    def is_derived(self) -> bool:
        """Whether all of it follows from the log, so that any process may open it and make it anew."""
        return self.loss == "remade"

    @property
    def aside_name(self) -> str:
        """The name of a damaged file that was set aside."""
        return f"{self.file}.damaged"

    @cached_property
    def migration_steps(self) -> Migrations:
        """The migrations to this release."""
        if self.migrations.name:
            return self.migrations
        made = Migrations(f"kifu.{self.schema}")

        @made(name="1: tables")
        def _create(db: SqliteUtils) -> None:
            for table in self.tables:
                table.create(db)

        return made

    def find_faults(self, db: Statements) -> Iterator[str]:
        """The faults of the rows of a database of this release."""
        if self.check:
            yield from self.check(db)
        for table in self.tables:
            yield from table.find_faults(db)


@cache
def _update(table: str, changed: tuple[str, ...], key: tuple[str, ...]) -> str:
    sets, where = (
        glue.join(f'"{each}" = ?' for each in of) for glue, of in ((", ", (*changed, CHECKSUM)), (" and ", key))
    )
    return f"update {table} set {sets} where {where}"


def _listed(names: Iterable[str]) -> str:
    return ", ".join(f'"{name}"' for name in names)


def _marks(count: int) -> str:
    return ", ".join("?" * count)
