"""What clubs, tournaments and seasons have in common on the command line: their tables, histories and exports."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click
import msgspec

from service.api.answers.clubs import ClubHistory
from service.cli import screen
from service.cli.files import refuse_existing, save

if TYPE_CHECKING:
    from pathlib import Path

    from service.cli.client import Client


csv_option = click.option("--csv", "as_csv", is_flag=True, help="Print the table as CSV.")


def print_history(client: Client, record: str, *, as_json: bool) -> None:
    """Print the entries of the record at an address. Those that do not count stand in brackets."""
    path = f"{record}/entries"
    if as_json:
        click.echo(client.fetch(path))
        return
    for each in client.get(path, ClubHistory).entries:
        line = f"{each.version} {each.recorded_at} {each.type} {msgspec.json.encode(each.data).decode()}"
        screen.out().print(line if each.counts else f"({line})", markup=False)


def save_export(client: Client, record: str, file: Path, *, force: bool) -> None:
    """Write the record at an address to a file as NDJSON. An existing file is overwritten by `force` alone."""
    refuse_existing(file, force=force)
    with client.stream(f"{record}/export") as pieces:
        save(pieces, file)
