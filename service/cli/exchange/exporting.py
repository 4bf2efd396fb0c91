"""Export: a game, several, or everything, into a file."""

from __future__ import annotations

from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from service.cli.exchange.everything import export_everything
from service.cli.exchange.stepwise import Step, write_stepwise
from service.cli.exchange.tables import csv_options, filtered, write_export
from service.cli.proof.archive_proof import tell_damaged
from service.cli.shell import screen
from service.cli.shell.arguments import force_option, seat_option
from service.cli.shell.client import RefusedError
from service.cli.shell.connection import connected
from service.cli.shell.failures import explain
from service.cli.shell.files import STDOUT, is_stream, opened_stream, refuse_existing, resumable, save
from service.cli.shell.references import every_game, game_id
from service.cli.shell.seats import viewpoint
from service.exchange.archives import MAGIC
from service.exchange.tables import BY_NAME
from service.languages import gettext, ngettext

if TYPE_CHECKING:
    from collections.abc import Iterator

    from service.cli.shell.client import Client

ONE = {".ndjson": "ndjson", ".jsonl": "ndjson", ".txt": "text", ".html": "html", ".htm": "html", "": "ndjson"}
"""What the export of a game is written as, by the ending of its file's name."""

MANY = {".csv": "csv", ".xlsx": "xlsx", ".json": "bgstats", ".xml": "bgg", ".html": "report", ".htm": "report"}
"""What the export of several games is written as, where that is something else."""

TABLES = {
    "csv": "{table}.csv",
    "xlsx": "tables.xlsx",
    "bgstats": "bgstats.json",
    "bgg": "bgg.xml",
    "report": "report.html",
}
"""The files of several games that the service makes of them, by format."""

OF_TABLES = {ending: form for ending, form in MANY.items() if form != "report"}
"""What is made of tables also for one game, by the ending of the file's name."""

RECORDS = ("ndjson", "text")
"""The formats in which the records of several games stand one after the other."""


@click.command()
@click.argument("game", metavar="[GAME]")
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path, allow_dash=True), default=STDOUT)
@click.option(
    "--format",
    "form",
    type=click.Choice(["ndjson", "text", "html", "report", "csv", "xlsx", "bgstats", "bgg"]),
    help="The record with its chain, its entries as text, a page for any browser, a report to print, a table, all "
    "tables, or a file for BG Stats or of BoardGameGeek.  [default: as FILE ends, or ndjson]",
)
@click.option("--names", is_flag=True, help="With the players' names, which are not part of the record.")
@seat_option
@click.option("--all", "everything", is_flag=True, help="Everything in one archive: kifu export --all FILE.")
@filtered
@click.option("--table", type=click.Choice([*BY_NAME]), default="games", show_default=True, help="For CSV: the table.")
@csv_options
@force_option
@connected()
def export(
    client: Client,
    query: dict[str, Any],
    game: str,
    file: Path,
    form: str | None,
    names: bool,
    seat: str | None,
    everything: bool,
    table: str,
    locale: str | None,
    bom: bool,
    force: bool,
) -> None:
    """Write a game to FILE, or to standard output; or several games; with --all, everything to one archive.

    The ending of FILE decides the format: .ndjson or .jsonl is the record, .txt is text, .html is a page that needs no
    network and holds the record, too. With --format report it is a page to print. FILE appears when it is complete. An
    interrupted export of many games leaves FILE.part, and the same command goes on with it. `kifu verify FILE` proves
    an NDJSON export, anywhere and offline, also one for a seat or for the public.

    .csv, .xlsx, .json and .xml are tables of the game, as those of several games.

    With options that choose games there is no GAME: kifu export season.ndjson --from 2026-01-01. Then .ndjson and
    .txt hold one record after the other, .csv a table, .xlsx all tables, and .html a report with standings. The
    plays are in .json for BG Stats, and in .xml as BoardGameGeek has them.
    """
    how = {"names": names or None, "seat": seat}
    written = {"locale": locale, "bom": bom or None}
    chosen = any(query.values()) or (form in OF_TABLES.values() and file == STDOUT)
    if everything or (chosen and file != STDOUT):
        if file != STDOUT or form or any((how | written).values()) or chosen:
            raise click.UsageError(_usage(everything=everything))
        _export_all(client, Path(game), force=force)
    elif chosen:
        target = Path(game)
        form = form or _form_of(target, ONE | MANY)
        refuse_existing(target, force=force)
        _check_written(form, written)
        _export_many(client, target, form, query | written, how, table)
    else:
        form = form or _form_of(file, ONE | OF_TABLES)
        found = game_id(client, game)
        seat = viewpoint(client, found, seat)
        refuse_existing(file, force=force)
        _check_written(form, written)
        if form in OF_TABLES.values():
            _export_many(client, file, form, {"game": found, **written}, how | {"seat": seat}, table)
            return
        with client.stream(f"/v1/games/{found}/export", format=form, names=names, seat=seat) as pieces:
            save(pieces, file)


def _check_written(form: str, written: dict[str, Any]) -> None:
    """Raise `UsageError` for options of CSV with another format."""
    if any(written.values()) and form != "csv":
        raise click.UsageError(gettext("Use --locale and --bom only for CSV."))


def _usage(*, everything: bool) -> str:
    if everything:
        return gettext("With --all, give one FILE. The only other option is --force.")
    return gettext("Options that choose games, and formats of many games, take a FILE and no GAME.")


def _export_many(client: Client, file: Path, form: str, query: dict[str, Any], how: dict[str, Any], table: str) -> None:
    """Write the games that a query asks for. Raises `UsageError` for a format of one game."""
    if form in TABLES:
        if any(how.values()):
            raise click.UsageError(
                gettext("Tables always have names, and show what you may see: leave out --names and --seat.")
            )
        write_export(client, TABLES[form].format(table=table), query, file)
        return
    if form not in RECORDS:
        raise click.UsageError(gettext("%(form)s is a format of one game: name a GAME.", form=form))
    how = how | {"format": form}
    left_out = write_stepwise(client, file, query | how, lambda after: _records(client, query, how, after))
    _complain_of(left_out)


def _records(client: Client, query: dict[str, Any], how: dict[str, Any], after: str) -> Iterator[Step]:
    """The records of the games after a game, in the order of their ids, one step each; or why one is missing."""
    games = sorted(each.game for each in every_game(client, **query))
    gap = [b"\n"] if how["format"] == "text" else []
    bar, progress = screen.progress_of(gettext("Exporting"))
    with bar:
        for number, game in enumerate(games, 1):
            if game > after:
                try:
                    with client.stream(f"/v1/games/{game}/export", **how) as pieces:
                        yield Step(chain(pieces, gap), game)
                except RefusedError as error:
                    yield Step((), game, next(explain(error)))
            progress(number, len(games))


def _export_all(client: Client, file: Path, *, force: bool) -> None:
    refuse_existing(file, force=force)
    with opened_stream(file) if is_stream(file) else resumable(file, MAGIC[0]) as target:
        counts, left_out = export_everything(client, target)
    if not is_stream(file):
        counted = ngettext("%(count)s game", "%(count)s games", counts["games"])
        screen.hint(gettext("Written to %(file)s: %(counted)s.", file=file, counted=counted))
    tell_damaged(counts["damaged"])
    _complain_of(left_out)
    if counts["damaged"]:
        raise click.exceptions.Exit(1)


def _complain_of(left_out: dict[str, str]) -> None:
    """Print the games that are not in an export. Ends the command with an error if there are any."""
    for game, why in left_out.items():
        screen.complain(gettext("game %(game)s is left out: %(why)s", game=game, why=why))
    if left_out:
        raise click.exceptions.Exit(1)


def _form_of(file: Path, forms: dict[str, str]) -> str:
    """The form of a file, from its name. Raises `BadParameter`."""
    form = forms.get(file.suffix.lower())
    if form is None:
        known = ", ".join(f"{ending} ({form})" for ending, form in forms.items() if ending)
        raise click.BadParameter(
            gettext("%(file)s has an unknown ending: use %(known)s, or give a --format.", file=file, known=known)
        )
    return form
