"""Named components in the log's database."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from events.components import ComponentsRow, KnownComponents, NamedComponents, WritableComponents
from events.errors import LogUnwritableError
from events.sqlite.people import checksums_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from events.sqlite.pool import Pool
    from events.sqlite.writer import LogWriter

_ROW = "select cast(ruleset as blob), cast(name as blob), data, created_at"


class SqliteComponentsReader(KnownComponents):
    """Named components, read only: see `events.components.Components`."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    def find(self, ruleset: str, name: str) -> NamedComponents | None:
        """The components of that name, if there are any."""
        return next(iter(self._select("where ruleset = ? and name = ?", ruleset, name)), None)

    def all(self, ruleset: str) -> list[NamedComponents]:
        """All components of a ruleset, by name."""
        return self._select("where ruleset = ? order by name", ruleset)

    def rows(self) -> list[ComponentsRow]:
        """The stored rows of all rulesets."""
        return self._rows("order by ruleset, name")

    def _select(self, which: str, *parameters: str) -> list[NamedComponents]:
        return [found for row in self._rows(which, *parameters) if (found := row.decoded())]

    def _rows(self, which: str, *parameters: str) -> list[ComponentsRow]:
        with self._pool.connection() as connection:
            if not connection.execute("select 1 from sqlite_schema where name = 'component'").fetchone():
                return []  # a database that an older release wrote and none has opened for writing since
            kept = checksums_of(connection, "component")
            found = connection.execute(f"{_ROW}, {kept} from component {which}", parameters)
            return [ComponentsRow(*row) for row in found]

    def put(self, ruleset: str, name: str, data: dict[str, Any]) -> NamedComponents:  # noqa: ARG002
        """Refused: this log is open for reading."""
        raise LogUnwritableError(f"{name} of {ruleset} cannot be written: the log is open for reading only")

    def restore(self, kept: Iterable[ComponentsRow]) -> None:  # noqa: ARG002
        """Refused: this log is open for reading."""
        raise LogUnwritableError("components cannot be written: the log is open for reading only")

    def remove(self, ruleset: str, name: str) -> bool:
        """Refused: this log is open for reading."""
        raise LogUnwritableError(f"{name} of {ruleset} cannot be removed: the log is open for reading only")


class SqliteComponents(WritableComponents, SqliteComponentsReader):
    """Named components, in the process that writes."""

    def __init__(self, pool: Pool, writer: LogWriter, clock: Callable[[], int]) -> None:
        super().__init__(pool)
        self._writer, self._clock = writer, clock

    def _keep(self, row: ComponentsRow) -> None:
        self._writer.change(
            "insert into component values (?, ?, ?, ?, ?) on conflict do update "
            "set data = excluded.data, created_at = excluded.created_at, checksum = excluded.checksum",
            row.values(),
        )

    def remove(self, ruleset: str, name: str) -> bool:
        """Remove the components of that name; False if there were none."""
        return self._writer.change("delete from component where ruleset = ? and name = ?", (ruleset, name)) > 0
