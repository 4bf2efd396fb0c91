"""Arguments and options of several commands."""

from __future__ import annotations

from datetime import date, datetime
from typing import Any

import click

from events import limits
from service.cli.shell.clock import local
from service.cli.shell.conflicts import ALL
from service.languages import gettext

Version = click.IntRange(1, limits.VERSION)
"""An entry's number. Whether it is there, the service says."""


class Entries(click.ParamType[Any]):
    """`all`, or entries by their versions: `7,9`."""

    name = "all|ENTRY,…"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """`all`, or a tuple of versions. Fails for anything else."""
        if not isinstance(value, str) or value == ALL:
            return value
        versions = value.split(",")
        if not all(
            version.isascii() and version.isdigit() and 0 < int(version[:17]) <= limits.VERSION for version in versions
        ):
            self.fail(
                gettext("%(value)s should be `%(all)s` or entries, such as 7,9.", value=f"{value!r}", all=ALL),
                param,
                ctx,
            )
        return tuple(map(int, versions))


def day(found: datetime | None) -> str | None:
    """A day in the form of a query."""
    return found.date().isoformat() if found else None


class Moment(click.ParamType[datetime]):
    """A day; or also a day and a time, by the clock here or with an offset, if it can be `timed`."""

    def __init__(self, *, timed: bool = False) -> None:
        self._timed = timed
        self.name = "YYYY-MM-DD[THH:MM]" if timed else "YYYY-MM-DD"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The moment; of a day its beginning. Fails for anything else."""
        if not isinstance(value, str):
            return value
        try:
            moment = datetime.fromisoformat(value if self._timed else date.fromisoformat(value).isoformat())
            local(moment)
        except (ValueError, OverflowError):
            self.fail(self._refusal(value), param, ctx)
        return moment

    def _refusal(self, value: str) -> str:
        if self._timed:
            return gettext("%(value)s is not a day: write 2025-08-31, or 2025-08-31T20:15.", value=f"{value!r}")
        return gettext("%(value)s is not a day: write it as 2025-08-31.", value=f"{value!r}")


DAY = Moment()

from_option = click.option("--from", "first", type=DAY, help="Only games that were played on this day or later.")
to_option = click.option("--to", "last", type=DAY, help="Only games that were played on this day or earlier.")
game_argument = click.argument("game", metavar="GAME")
entry_argument = click.argument("entry", type=Version, metavar="ENTRY")
move_argument = click.argument("move", metavar="MOVE")

force_option = click.option("--force", is_flag=True, help="Overwrite an existing file.")
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON, as the service answers it.")
at_option = click.option("--at", type=Version, metavar="VERSION", help="As it was at this version.")
seat_option = click.option(
    "--seat",
    metavar="SEAT",
    help="As seen from a seat (1, 2, …, its tag, or its player's name), from the `public`, or as the whole `record`.",
)
reason_option = click.option("--reason", default="", help="Why.")
dry_run_option = click.option("--dry-run", is_flag=True, help="Show what would change, and store nothing.")
keep_option = click.option(
    "--keep", type=Entries(), default=(), help="Keep these later entries as irregular if they no longer fit."
)
withdraw_option = click.option(
    "--withdraw", type=Entries(), default=(), help="Withdraw these later entries if they no longer fit."
)
