"""Pasting a table of a spreadsheet into a score sheet."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from service.api.answers.exchange import PasteResult
from service.cli.exchange.transfers import INPUT
from service.cli.shell import screen
from service.cli.shell.arguments import dry_run_option, game_argument, json_option
from service.cli.shell.connection import with_client
from service.cli.shell.references import game_id
from service.languages import gettext, ngettext

if TYPE_CHECKING:
    from collections.abc import Sequence

    from service.api.answers.exchange import TableLine
    from service.cli.shell.client import Client


@click.command()
@game_argument
@click.argument("file", type=INPUT)
@click.option("--row", "rows", multiple=True, metavar="NUMBER=MEANS", help="What a row is: 4=r3, 5=-. Can be repeated.")
@click.option(
    "--column", "columns", multiple=True, metavar="NUMBER=MEANS", help="What a column is: 2=p1. Can be repeated."
)
@click.option("--decimal", type=click.Choice(["comma", "point"]), help="The decimal separator.  [default: as it seems]")
@dry_run_option
@json_option
@with_client()
def paste(
    client: Client,
    game: str,
    file: Path,
    rows: tuple[str, ...],
    columns: tuple[str, ...],
    decimal: str | None,
    dry_run: bool,
    as_json: bool,
) -> None:
    """Copy the table in FILE onto the score sheet of GAME: cells of a spreadsheet, or CSV. `-` is standard input.

    Rows and columns are recognised by their headers. --row and --column say what a line is: p1 (a player), r3 (a
    round), a column of the sheet, or several of these: 4="r3 bid". `labels` is a line with the names of the other
    lines, `values` has the values for these names, and `-` is left out. Values that are on the sheet already are not
    recorded again.
    """
    content = sys.stdin.buffer.read() if file == Path("-") else file.read_bytes()
    query = {"rows": ",".join(rows) or None, "columns": ",".join(columns) or None, "decimal": decimal}
    answer = client.take_table(game_id(client, game), content, PasteResult, **query, dry_run=dry_run or None)
    if as_json:
        screen.data(answer)
    else:
        _show(answer, dry_run=dry_run)
    if answer.problems:
        raise click.exceptions.Exit(1)


def _show(answer: PasteResult, *, dry_run: bool) -> None:
    out = screen.out()
    out.print(gettext("Rows: %(lines)s", lines=_lines(answer.rows)))
    out.print(gettext("Columns: %(columns)s", columns=_lines(answer.columns)))
    for each in answer.problems + answer.totals:
        screen.warn(gettext("Row %(row)s, column %(column)s: %(why)s", row=each.row, column=each.column, why=each.why))
    count = len(answer.entries)
    if dry_run:
        for entry in answer.entries:
            out.print(f"  {entry}")
        out.print(ngettext("%(count)s entry would be recorded.", "%(count)s entries would be recorded.", count))
    else:
        out.print(ngettext("Recorded: %(count)s entry.", "Recorded: %(count)s entries.", count))


def _lines(lines: Sequence[TableLine]) -> str:
    return ", ".join(line.means for line in lines)
