"""Whether what is kept of who may do what is all that was ever changed, and how it is gone on with if it is not."""

from __future__ import annotations

from contextlib import closing, contextmanager, suppress
from typing import TYPE_CHECKING

import click
import msgspec

from events.errors import LogError
from events.sqlite import LOG
from events.sqlite.lock import WriteLock
from events.stores import read_log
from events.tree.tree import Tree
from service.access.heads import signed_head
from service.access.stores import open_store
from service.cli import screen
from service.cli.arguments import json_option
from service.cli.connection import data_option
from service.cli.failures import CommandError
from service.cli.upkeep import contradictions, database_of
from service.languages import gettext
from service.settings import from_environment
from workers.host import host_name

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from service.access.store import Store


@click.command()
@click.option("--keep", "decision", flag_value="keep", help="Take what is here for what holds from now on.")
@click.option("--revoke", "decision", flag_value="revoke", help="End and close all of it, and go on from there.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@json_option
@data_option
def access(decision: str | None, yes: bool, as_json: bool, data: Path) -> None:
    """See whether all changes of who may do what are there, and go on where some are lost.

    Every change is counted, and the last one is also noted outside of the database. If the database ends before that,
    as after a damaged disk or an older copy that was put in its place, what was revoked since would open again: so
    nobody is let in until the owner decides, with the service stopped.

    --keep is right where nothing was revoked since, or you revoke it again at once. --revoke is the safe way: tokens,
    devices, browsers, share links, invitations and roles end, webhooks are switched off, and games are private; the
    owner's token goes on. Either is a change of its own in the trail.
    """
    found = list(contradictions(data))
    if decision is None:
        _tell(found, as_json)
        return
    with _opened(data) as store:
        if not store.stopped and not found:
            raise CommandError(gettext("nothing is to be mended: all changes are there"))
        if not yes:
            for finding in found:
                screen.out().print(finding, style="red")
            question = (
                gettext("Take what is here for what holds from now on?")
                if decision == "keep"
                else gettext("End and close everything but the owner's token?")
            )
            click.confirm(question, abort=True, err=True)
        number = store.accept(keeps=decision == "keep")
    if as_json:
        screen.data({"change": number, "kept": decision == "keep"})
        return
    screen.out().print(gettext("Mended by change %(number)s. The service can be started.", number=number))
    if decision == "keep":
        screen.hint(
            gettext("See who may do what: `kifu tokens list --everybody`, `kifu people roles`, `kifu links list`.")
        )


def _tell(found: list[str], as_json: bool) -> None:
    """Say whether all changes are there. Exits with 1 if not."""
    if as_json:
        screen.data({"sound": not found, "findings": found})
    elif found:
        for finding in found:
            screen.out().print(finding, style="red")
        screen.hint(gettext("Put a newer copy in its place, or go on: `kifu access --revoke`, `kifu access --keep`."))
    else:
        screen.out().print(gettext("All changes of who may do what are there."))
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
            with suppress(LogError), closing(read_log(data, settings.database_url)) as log:
                store.hold_to(signed_head(Tree(data, log)))
            yield store
    finally:
        if lock:
            lock.release()
