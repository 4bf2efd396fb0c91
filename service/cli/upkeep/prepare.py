"""The command `kifu prepare-database`: a database in PostgreSQL for a service."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from events.lanes import LANES
from service import databases
from service.cli.shell import screen
from service.cli.shell.failures import CommandError
from service.languages import gettext
from service.settings import from_environment

if TYPE_CHECKING:
    from events.postgres.tables import Layout


@click.command("prepare-database")
@click.argument("role")
@click.option(
    "--lanes",
    type=click.IntRange(1, LANES),
    metavar="N",
    help="How many groups of entries can be committed at a time. It cannot change later. 1 if left out.",
)
def prepare_database(role: str, lanes: int | None) -> None:
    """Create the tables of the log and of access in PostgreSQL, and give ROLE the rights of a service.

    KIFU_DATABASE_URL names the database, with a role that may create tables. Start the service with a URL of ROLE. ROLE
    can add events, but never change or delete one. Repeat the command after an update.
    """
    url = from_environment().database_url
    if not url:
        raise CommandError(
            gettext("no database is named"), gettext("Set KIFU_DATABASE_URL to one, like postgresql://owner@host/kifu.")
        )
    from events.postgres import prepare  # noqa: PLC0415 - its driver takes its time to load

    prepared = prepare(url, role, lanes)
    databases.prepare(url, role)
    screen.out().print(gettext("Prepared: %(role)s can keep a log there.", role=role))
    if prepared.workers is not None:
        screen.out().print(_of_cluster(prepared.workers, prepared.layout))


def _of_cluster(workers: int, layout: Layout) -> str:
    """The description of a prepared cluster of Citus."""
    if layout.distributed:
        return gettext(
            "The database has Citus: %(lanes)s lanes with their games and entries are distributed over %(workers)s "
            "workers. All other tables stay on the coordinator.",
            lanes=layout.lanes,
            workers=workers,
        )
    return gettext(
        "The database has Citus, and all tables stay on the coordinator: only a new log with several lanes is "
        "distributed (--lanes)."
    )
