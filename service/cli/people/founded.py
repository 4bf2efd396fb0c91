"""Common parts of clubs, tournaments and seasons on the command line: tables, histories, exports."""

from __future__ import annotations

from functools import wraps
from typing import TYPE_CHECKING, Any

import click
import msgspec

from service.api.answers.clubs import ClubHistory
from service.cli.exchange.tables import csv_options
from service.cli.shell import screen
from service.cli.shell.failures import CommandError
from service.cli.shell.files import save
from service.exchange.spreadsheets import USUAL, dialect_of
from service.languages import gettext

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from service.cli.shell.client import Client


def id_of_record(wanted: str, found: Sequence[tuple[str, str | None]], unknown: Sequence[str], several: str) -> str:
    """The id of the record with this id or name. Raises `CommandError`, which says `unknown` or `several`."""
    fitting = [id_ for id_, _ in found if id_ == wanted] or [id_ for id_, name in found if name == wanted]
    if not fitting:
        raise CommandError(*unknown)
    if len(fitting) > 1:
        raise CommandError(several, gettext("Write the id instead: %(ids)s", ids=", ".join(fitting)))
    return fitting[0]


def table_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options for a table as CSV. The command gets the form as `written`, or None."""

    @wraps(command)
    def run(*, as_csv: bool, locale: str | None, bom: bool, **more: Any) -> None:
        if not as_csv and (locale or bom):
            raise click.UsageError(gettext("Use --locale and --bom only for CSV."))
        dialect = USUAL if locale is None else dialect_of(locale)
        command(written={"dialect": dialect, "bom": bom} if as_csv else None, **more)

    return click.option("--csv", "as_csv", is_flag=True, help="Print the table as CSV.")(csv_options(run))


def erasing_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options for erasing: the entry, the reason, and whether to ask first."""
    command = click.option("--yes", is_flag=True, help="Do not ask.")(command)
    command = click.option("--reason", default="", help="Why it is erased. The record keeps this.")(command)
    return click.argument("entry", type=click.IntRange(1))(command)


def erasure(client: Client, record: str, entry: int, reason: str, *, yes: bool) -> dict[str, Any]:
    """The data of an entry that erases the texts of another one of a record, after a confirmation.

    `record` is the address of the record. Raises `CommandError`, before it asks, for an entry that is not there.
    """
    if not yes:
        if all(each.version != entry for each in client.get(f"{record}/entries", ClubHistory).entries):
            raise CommandError(gettext("there is no entry %(entry)s that you may see", entry=entry))
        question = gettext("Erase the %(name)s of entry %(entry)s for good?", name=gettext("text"), entry=entry)
        click.confirm(question, abort=True, err=True)
    return {"entry": entry} | ({"reason": reason} if reason else {})


def print_history(client: Client, record: str, *, as_json: bool) -> None:
    """Print the entries of the record at an address. Those that do not count stand in brackets."""
    path = f"{record}/entries"
    if as_json:
        click.echo(client.fetch(path))
        return
    for each in client.get(path, ClubHistory).entries:
        line = f"{each.version} {each.recorded_at} {each.type} {msgspec.json.encode(each.data).decode()}"
        screen.out().print(line if each.counts else f"({line})", markup=False)


def save_export(client: Client, record: str, file: Path) -> None:
    """Write the record at an address to a file as NDJSON."""
    with client.stream(f"{record}/export") as pieces:
        save(pieces, file)
