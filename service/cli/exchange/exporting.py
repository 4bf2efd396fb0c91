"""Export: a game, several, or everything, into a file."""

from __future__ import annotations

from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from service.cli.exchange.everything import export_everything
from service.cli.exchange.stepwise import Step, write_stepwise
from service.cli.exchange.tables import csv_options, with_game_filters, write_export
from service.cli.proof.archive_proof import tell_damaged
from service.cli.shell import screen
from service.cli.shell.arguments import force_option, seat_option
from service.cli.shell.client import RefusedError
from service.cli.shell.connection import with_client
from service.cli.shell.failures import explain
from service.cli.shell.files import STDOUT, check_target, is_stream, opened_stream, resumable, save
from service.cli.shell.references import every_game, game_id
from service.cli.shell.seats import viewpoint
from service.exchange.archives import MAGIC
from service.exchange.tables import BY_NAME
from service.languages import gettext, ngettext

if TYPE_CHECKING:
    from collections.abc import Container, Iterator

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

ENDINGS = {ending for ending in ONE | MANY if ending}
"""The endings of files that say the format."""

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
@click.option(
    "--all",
    "everything",
    is_flag=True,
    help="All games. With another ending of FILE, such as .zip: everything in one archive.",
)
@with_game_filters
@click.option("--table", type=click.Choice([*BY_NAME]), help="For CSV: the table.  [default: games]")
@csv_options
@force_option
@with_client()
def export(
    client: Client,
    query: dict[str, Any],
    game: str,
    file: Path,
    form: str | None,
    names: bool,
    seat: str | None,
    everything: bool,
    table: str | None,
    locale: str | None,
    bom: bool,
    force: bool,
) -> None:
    """Write a game to FILE, or to standard output; or several games; or, with --all, all games or one archive.

    The ending of FILE decides the format: .ndjson or .jsonl is the record, .txt is text, .html is a page that needs no
    network and holds the record, too. With --format report it is a page to print. FILE appears when it is complete. An
    interrupted export of many games leaves FILE.part, and the same command goes on with it. `kifu verify FILE` proves
    an NDJSON export, anywhere and offline, also one for a seat or for the public.

    .csv, .xlsx, .json and .xml are tables of the game, as those of several games.

    To export several games, choose them by options, without GAME: kifu export season.ndjson --from 2026-01-01. Then
    .ndjson and .txt hold one record after the other, .csv a table, .xlsx all tables, and .html a report with
    standings. .json holds the plays for BG Stats, and .xml for BoardGameGeek. With --all these files have all games.
    With --all, a FILE with another ending, such as .zip, is an archive of everything.
    """
    how, written = {"names": names or None, "seat": seat}, {"locale": locale, "bom": bom or None}
    several = everything or any(query.values()) or (form in OF_TABLES.values() and file == STDOUT and _is_file(game))
    _check_names(game, file, several=several, twice=everything and any(query.values()))
    target = Path(game) if several else file
    archive = everything and not form and target.suffix.lower() not in ENDINGS
    form = "archive" if archive else form or _form_of(target, ONE | (MANY if several else OF_TABLES))
    _check_options(form, how, written | {"table": table}, TABLES if several else OF_TABLES.values())
    check_target(target, force=force)
    if archive:
        _export_all(client, target)
    elif several:
        _export_many(client, target, form, query | written, how, table or "games")
    elif form in OF_TABLES.values():
        _export_many(client, target, form, written | {"game": game_id(client, game)}, how, table or "games")
    else:
        _export_one(client, game, target, form, how)


def _is_file(name: str) -> bool:
    """Whether the only name is one of a file, and not of a game."""
    return is_stream(Path(name)) or bool(Path(name).suffix)


def _check_names(game: str, file: Path, *, several: bool, twice: bool) -> None:
    """Raise `UsageError` if it is not clear what is exported, or where to."""
    if twice:
        raise click.UsageError(gettext("Use --all, or options that choose games, but not both."))
    if several and file != STDOUT:
        raise click.UsageError(
            gettext("--all, options that choose games, and formats of many games take a FILE and no GAME.")
        )
    if not several and file == STDOUT and Path(game).suffix.lower() in ENDINGS:
        raise click.UsageError(
            gettext(
                "%(file)s is a file. Name a GAME before it, or give --all, or choose games: --from, --to, --person, "
                "--ruleset, --query.",
                file=game,
            )
        )


def _check_options(form: str, how: dict[str, Any], of_csv: dict[str, Any], tables: Container[str]) -> None:
    """Raise `UsageError` for options that a format does not have."""
    if form == "archive" and any((how | of_csv).values()):
        raise click.UsageError(gettext("An archive of everything takes no other option than --force."))
    if any(of_csv.values()) and form != "csv":
        raise click.UsageError(gettext("Use --table, --locale and --bom only for CSV."))
    if any(how.values()) and form in tables:
        raise click.UsageError(
            gettext("Tables always have names, and show what you may see: leave out --names and --seat.")
        )


def _export_one(client: Client, game: str, file: Path, form: str, how: dict[str, Any]) -> None:
    found = game_id(client, game)
    seat = viewpoint(client, found, how["seat"])
    with client.stream(f"/v1/games/{found}/export", format=form, names=how["names"], seat=seat) as pieces:
        save(pieces, file)


def _export_many(client: Client, file: Path, form: str, query: dict[str, Any], how: dict[str, Any], table: str) -> None:
    """Write the games that a query asks for. Raises `UsageError` for a format of one game."""
    if form in TABLES:
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


def _export_all(client: Client, file: Path) -> None:
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
