"""What stores work with: rows that statements find, and the few words in which the two databases differ."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from contextlib import AbstractContextManager

T = TypeVar("T")


class QueryResult(list[Any]):
    """The rows that a statement found, and the number of rows that it changed."""

    rowcount = 0

    def fetchall(self) -> list[Any]:
        """All rows."""
        return self

    def fetchone(self) -> Any:
        """The first row, None if there is none."""
        return next(iter(self), None)


class Dialect(NamedTuple):
    """Words of SQLite that PostgreSQL has other words for. Everything else is written in the words of SQLite."""

    row_id: str
    """What names a row of any table."""
    lock: str
    """What keeps found rows from being changed by others until the end of the transaction."""
    field: str
    """The text of a field of JSON in a column, as `field.format(column, name)`."""
    items: str
    """A query of the items of a list in JSON, which is its parameter. Each item is a list of text, number, text."""
    renumber: str
    """What goes on counting after rows were copied, as `renumber.format(table, column)`; empty if nothing needs it."""


class Statements(Protocol):
    """An object that runs statements."""

    def execute(self, sql: str, values: Sequence[Any] = (), /) -> Any:
        """Run a statement. Its rows can be iterated or fetched, and `rowcount` is the number of changed rows."""


class Rows(Statements, Protocol):
    """The rows of a database. Raises `LogError`."""

    @property
    def dialect(self) -> Dialect:
        """The words in which its SQL differs."""


class Database(Rows, Protocol):
    """An open small database. Safe to share between threads. Raises `LogError`."""

    @property
    def name(self) -> str:
        """Its name in messages."""

    @property
    def replaced_file(self) -> str:
        """Why what is written would be lost: the file was taken away or replaced; empty if not."""

    def transaction(self) -> AbstractContextManager[Rows]:
        """A transaction: all changes inside, or none. Other writers wait for its end."""

    def consistent_read(self) -> AbstractContextManager[Rows]:
        """Read everything from one snapshot."""

    def run(self, work: Callable[[Rows], T]) -> T:
        """Run `work` in a transaction, and return its result. It may be called twice."""

    def keep(self, sql: str, values: Sequence[Any]) -> None:
        """Run a statement now, and in every file that is made anew. Other processes rely on what it stores."""

    def wipe(self, *tables: str) -> None:
        """Leave no byte of what was deleted from these tables."""

    def renew(self, why: object) -> None:
        """Make a damaged file anew, with its sound rows, unless somebody else has done so."""

    def close(self) -> None:
        """Let go of the file, or of the connections."""
