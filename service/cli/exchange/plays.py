"""Plays from the files of other trackers, or from BoardGameGeek itself."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import click

from service.api.answers.exchange import ImportedPlays
from service.cli.exchange.transfers import INPUT
from service.cli.shell import screen
from service.cli.shell.arguments import DAY, day, json_option
from service.cli.shell.connection import with_client
from service.cli.shell.failures import CommandError
from service.languages import gettext
from service.settings import from_environment

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from service.api.answers.exchange import ImportedPerson
    from service.cli.shell.client import Client


@click.command("import-plays")
@click.argument("file", type=INPUT, required=False)
@click.option(
    "--bgg",
    "user",
    metavar="USER",
    help="In place of FILE, fetch the plays of this user of BoardGameGeek, with the token in KIFU_BGG_TOKEN.",
)
@click.option("--from", "first", type=DAY, help="With --bgg: only plays of this day or later.")
@click.option("--to", "last", type=DAY, help="With --bgg: only plays of this day or earlier.")
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
    help="Which column of a table has a part of the play: game=Title. Can be repeated. The rest is guessed.",
)
@click.option("--known", is_flag=True, help="Make no new people: names that are not known here become guests.")
@click.option("--dry-run", is_flag=True, help="Only say what would happen.")
@json_option
@with_client(makes=True)
def import_plays(
    client: Client,
    file: Path | None,
    user: str | None,
    first: datetime | None,
    last: datetime | None,
    form: str | None,
    columns: tuple[str, ...],
    known: bool,
    dry_run: bool,
    as_json: bool,
) -> None:
    """Import plays from FILE of another tracker: BG Stats, BoardGameGeek, or a table as CSV. `-` is standard input.

    Each play becomes a game on a score sheet. You can import FILE again later: no play is imported twice, and
    changed plays are corrected. A play that cannot be imported is named with the reason, and the exit code is 1.

    With --bgg USER the plays are fetched from BoardGameGeek, a hundred at a time. If the command is interrupted, what
    was imported stays. You can repeat the command: no play is imported twice.
    """
    _check(file, user, of_bgg=bool(first or last), of_file=bool(form or columns))
    if first and last and first > last:
        raise click.UsageError(gettext("The day of --from is after that of --to."))
    query = {"people": "known" if known else None, "dry_run": dry_run or None}
    if user is not None:
        answers = _import_pages(client, (user.strip(), day(first), day(last)), {**query, "format": "bgg"})
    else:
        answers = _taken(client, _content(file), {**query, "format": form, "columns": ",".join(columns) or None})
    report = _Report(as_json=as_json, dry_run=dry_run)
    try:
        for answer in answers:
            report.add(answer)
    except (Exception, KeyboardInterrupt):
        if report.counts:  # what was imported until then stays
            report.end()
        raise
    report.end()
    if report.counts["refused"]:
        raise click.exceptions.Exit(1)


def _check(file: Path | None, user: str | None, *, of_bgg: bool, of_file: bool) -> None:
    """See that one source is named, with its own options. Raises `UsageError`."""
    if (file is None) == (user is None) or (user is not None and not user.strip()):
        raise click.UsageError(gettext("Give a FILE, or --bgg with the name of a user."))
    if of_bgg and user is None:
        raise click.UsageError(gettext("Use --from and --to only with --bgg. A file is imported whole."))
    if of_file and user is not None:
        raise click.UsageError(gettext("Use --format and --column only with a FILE."))


def _content(file: Path | None) -> bytes:
    return sys.stdin.buffer.read() if file is None or file == Path("-") else file.read_bytes()


def _import_pages(
    client: Client, wanted: tuple[str, str | None, str | None], query: dict[str, object]
) -> Iterator[ImportedPlays]:
    """Fetch plays of a user and a period from BoardGameGeek and import them, page by page. Returns the results."""
    from service.exchange.incoming.bgg_api import BggApi, BggError, Wanted  # noqa: PLC0415 - XML takes its time to load

    try:
        for page, count in BggApi(from_environment(), screen.hint).pages(Wanted(*wanted)):
            yield from _taken(client, page.content, query)
            screen.hint(_progress(count, page.total))
    except BggError as error:
        raise CommandError(str(error), *filter(None, [error.advice])) from error


def _progress(count: int, total: int | None) -> str:
    if total is None:
        return gettext("%(count)s plays read", count=f"{count:,}")
    return gettext("%(count)s of %(total)s plays read", count=f"{count:,}", total=f"{total:,}")


def _taken(client: Client, content: bytes, query: dict[str, object]) -> Iterator[ImportedPlays]:
    """Import the plays, part by part. Returns the results."""
    after: int | None = 0
    while after is not None:
        answer = client.import_plays(content, ImportedPlays, **query, after=after)
        yield answer
        after = answer.next


class _Report:
    """What became of the plays, in words, or at the end as JSON."""

    def __init__(self, *, as_json: bool, dry_run: bool) -> None:
        self.counts = Counter[str]()
        self._as_json, self._dry_run = as_json, dry_run
        self._answers: list[ImportedPlays] = []
        self._people = set[str]()

    def add(self, answer: ImportedPlays) -> None:
        """Report a part of the plays."""
        if self._as_json:
            self._answers.append(answer)
        else:
            self._show(answer)
        self.counts.update(item.what for item in answer.items)

    def _show(self, answer: ImportedPlays) -> None:
        if answer.columns and not self.counts:
            found = ", ".join(f"{part}={head}" for part, head in answer.columns.items())
            screen.out().print(gettext("Columns: %(columns)s", columns=found))
        if self._dry_run:
            self._show_people(answer.people)
        for item in answer.items:
            if item.what == "refused":
                screen.complain(f"{item.name or item.key or '?'}: {item.why}")

    def _show_people(self, people: list[ImportedPerson]) -> None:
        """Show who is new, each name once."""
        for person in people:
            if person.how == "near" and person.name not in self._people:
                screen.out().print(gettext("%(name)s: the same person in another spelling", name=person.name))
            elif person.how == "new" and person.name not in self._people:
                screen.out().print(gettext("%(name)s: new here", name=person.name))
        self._people.update(person.name for person in people)

    def end(self) -> None:
        """Print the counts, or all answers as JSON."""
        if self._as_json:
            screen.data(self._answers)
            return
        shown = {what: self.counts[what] for what in ("new", "changed", "same", "refused")}
        text = (
            gettext("It would be %(new)s new, %(changed)s changed, %(same)s as before, %(refused)s refused.", **shown)
            if self._dry_run
            else gettext("%(new)s new, %(changed)s changed, %(same)s as before, %(refused)s refused.", **shown)
        )
        screen.out().print(text)
