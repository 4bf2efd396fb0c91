"""Plays from the files of other trackers."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import click

from service.api.answers.exchange import ImportedPlays
from service.cli.exchange.transfers import INPUT
from service.cli.shell import screen
from service.cli.shell.arguments import json_option
from service.cli.shell.connection import connected
from service.languages import gettext

if TYPE_CHECKING:
    from collections.abc import Iterator

    from service.cli.shell.client import Client


@click.command("import-plays")
@click.argument("file", type=INPUT)
@click.option(
    "--format",
    "form",
    type=click.Choice(["bgstats", "bgg", "csv"]),
    help="A backup of BG Stats, plays of BoardGameGeek, or a table.  [default: as FILE begins]",
)
@click.option(
    "--column",
    "columns",
    multiple=True,
    metavar="PART=HEAD",
    help="What is in which column of a table: game=Spiel. Can be repeated. The rest is guessed.",
)
@click.option("--known", is_flag=True, help="Make no new people: names that are not known here become guests.")
@click.option("--dry-run", is_flag=True, help="Only say what would happen.")
@json_option
@connected(makes=True)
def import_plays(
    client: Client,
    file: Path,
    form: str | None,
    columns: tuple[str, ...],
    known: bool,
    dry_run: bool,
    as_json: bool,
) -> None:
    """Import plays from FILE of another tracker: BG Stats, BoardGameGeek, or a table as CSV. `-` is standard input.

    Each play becomes a game on a score sheet. FILE can be given again later: nothing is doubled, and what it tells
    differently by then is corrected. A play that cannot be taken is named with the reason, and the exit code is 1.
    """
    content = sys.stdin.buffer.read() if file == Path("-") else file.read_bytes()
    query = {"format": form, "columns": ",".join(columns) or None, "people": "known" if known else None}
    counts, data = Counter[str](), list[object]()
    for answer in _taken(client, content, {**query, "dry_run": dry_run or None}):
        counts.update(item.what for item in answer.items)
        data.append(answer)
        if not as_json:
            _show(answer, first=len(data) == 1, dry_run=dry_run)
    if as_json:
        screen.data(data)
    else:
        _show_counts(counts, dry_run=dry_run)
    if counts["refused"]:
        raise click.exceptions.Exit(1)


def _taken(client: Client, content: bytes, query: dict[str, object]) -> Iterator[ImportedPlays]:
    """Import the plays, part by part. Returns the results."""
    after: int | None = 0
    while after is not None:
        answer = client.import_plays(content, ImportedPlays, **query, after=after)
        yield answer
        after = answer.next


def _show(answer: ImportedPlays, *, first: bool, dry_run: bool) -> None:
    if first and answer.columns:
        found = ", ".join(f"{part}={head}" for part, head in answer.columns.items())
        screen.out().print(gettext("Columns: %(columns)s", columns=found))
    if dry_run:
        for person in answer.people:
            if person.how == "near":
                screen.out().print(gettext("%(name)s: the same person in another spelling", name=person.name))
            elif person.how == "new":
                screen.out().print(gettext("%(name)s: new here", name=person.name))
    for item in answer.items:
        if item.what == "refused":
            screen.complain(f"{item.name or item.key or '?'}: {item.why}")


def _show_counts(counts: Counter[str], *, dry_run: bool) -> None:
    shown = {what: counts[what] for what in ("new", "changed", "same", "refused")}
    text = (
        gettext("It would be %(new)s new, %(changed)s changed, %(same)s as before, %(refused)s refused.", **shown)
        if dry_run
        else gettext("%(new)s new, %(changed)s changed, %(same)s as before, %(refused)s refused.", **shown)
    )
    screen.out().print(text)
