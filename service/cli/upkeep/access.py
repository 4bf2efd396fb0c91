"""Access: checking that no change is lost, and the owner's decision if some are."""

from __future__ import annotations

from contextlib import closing, contextmanager
from typing import TYPE_CHECKING

import click
import msgspec

from events.sqlite import LOG
from events.sqlite.lock import WriteLock
from service.access.stores import open_store
from service.cli.shell import screen
from service.cli.shell.arguments import json_option
from service.cli.shell.data_option import data_option
from service.cli.shell.failures import CommandError
from service.cli.upkeep.database import database_of
from service.databases import access_contradictions, signed_access
from service.languages import gettext
from service.settings import from_environment
from workers.host import host_name

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from service.access.store import Store


@click.command()
@click.option("--keep", "decision", flag_value="keep", help="Accept the state as it is.")
@click.option("--revoke", "decision", flag_value="revoke", help="Revoke everything except the owner's token.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@json_option
@data_option
def access(decision: str | None, yes: bool, as_json: bool, data: Path) -> None:
    """Check that no change of access is lost: tokens, roles, links, and who may see a game.

    Every change has a number, and the last one is also noted outside of the database. A database that ends earlier was
    damaged, or an older copy was put in its place. Later revocations are missing in it, so nobody can log in.
    Stop the service and decide.

    --revoke is safe: it ends all tokens, devices, browsers, share links, invitations and roles, switches webhooks off,
    and makes every game private. The owner's token stays. --keep accepts the state as it is: use it if you know what
    was lost, and revoke that again at once. Both are written into the trail.
    """
    found = list(access_contradictions(data, database_of(data)))
    if decision is None:
        _tell(found, as_json)
        return
    with _opened(data) as store:
        if not store.stopped and not found:
            raise CommandError(gettext("nothing to repair: all changes are there"))
        if not yes:
            for finding in found:
                screen.out().print(finding, style="red")
            question = (
                gettext("Accept this state from now on?")
                if decision == "keep"
                else gettext("Revoke everything except the owner's token?")
            )
            click.confirm(question, abort=True, err=True)
        number = store.accept(keeps=decision == "keep")
    if as_json:
        screen.data({"change": number, "kept": decision == "keep"})
        return
    screen.out().print(gettext("Repaired with change %(number)s. You can start the service now.", number=number))
    if decision == "keep":
        screen.hint(gettext("Check the result: `kifu people roles`, `kifu tokens list --everybody`."))


def _tell(found: list[str], as_json: bool) -> None:
    """Print whether all changes are there. Exits with 1 if not."""
    if as_json:
        screen.data({"sound": not found, "findings": found})
    elif found:
        for finding in found:
            screen.out().print(finding, style="red")
        screen.hint(gettext("Restore a newer copy, or decide: `kifu access --revoke` or `kifu access --keep`."))
    else:
        screen.out().print(gettext("Access is complete: all changes are there."))
    raise click.exceptions.Exit(1 if found else 0)


@contextmanager
def _opened(data: Path) -> Iterator[Store]:
    """The store of access, held against all heads that are known here. Of a folder nobody else has it open meanwhile.

    Raises `LogLockedError`, `LogError`, `OSError`.
    """
    database = database_of(data)
    settings = msgspec.structs.replace(from_environment(), data=data)
    lock = WriteLock(data / LOG) if not isinstance(database, str) else None
    try:
        with closing(open_store(settings, host_name(data))) as store:
            store.hold_to(signed_access(data, database))
            yield store
    finally:
        if lock:
            lock.release()
