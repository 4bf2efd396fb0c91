"""Named components in the log's database."""

from __future__ import annotations

from typing import TYPE_CHECKING

from events.components import ComponentsRow, NamedComponents, WritableComponents
from events.postgres.database import can_hold, storable_text

if TYPE_CHECKING:
    from collections.abc import Callable

    from events.postgres.database import Database

_EVERY = "select convert_to(ruleset, 'UTF8'), convert_to(name, 'UTF8'), data, created_at, checksum from kifu.component"
_SELECT = f"{_EVERY} where ruleset = %s"


class PostgresComponents(WritableComponents):
    """Named components: see `events.components.Components`."""

    def __init__(self, database: Database, clock: Callable[[], int]) -> None:
        self._database, self._clock = database, clock

    def _keep(self, row: ComponentsRow) -> None:
        ruleset, name, *rest = row.values()
        self._database.change(
            "insert into kifu.component (ruleset, name, data, created_at, checksum) values (%s, %s, %s, %s, %s) "
            "on conflict (ruleset, name) do update set data = excluded.data, created_at = excluded.created_at, "
            "checksum = excluded.checksum",
            (storable_text(ruleset), storable_text(name), *rest),
        )

    def find(self, ruleset: str, name: str) -> NamedComponents | None:
        """The components of that name, if there are any."""
        return next(iter(self._select(f"{_SELECT} and name = %s", ruleset, name)), None)

    def all(self, ruleset: str) -> list[NamedComponents]:
        """All components of a ruleset, by name."""
        return self._select(f"{_SELECT} order by name", ruleset)

    def rows(self) -> list[ComponentsRow]:
        """The stored rows of all rulesets."""
        return [ComponentsRow(*row) for row in self._database.query(f"{_EVERY} order by ruleset, name")]

    def _select(self, sql: str, *parameters: str) -> list[NamedComponents]:
        if not all(map(can_hold, parameters)):
            return []
        return [found for row in self._database.query(sql, parameters) if (found := ComponentsRow(*row).decoded())]

    def remove(self, ruleset: str, name: str) -> bool:
        """Remove the components of that name; False if there were none."""
        if not (can_hold(ruleset) and can_hold(name)):
            return False
        sql = "delete from kifu.component where ruleset = %s and name = %s"
        return self._database.change(sql, (ruleset, name)) > 0
