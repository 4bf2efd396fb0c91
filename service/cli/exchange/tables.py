"""Tables of many games: for spreadsheets, for play trackers, and as a dataset for queries."""

from __future__ import annotations

import errno
import json
import os
import sqlite3
from contextlib import closing, contextmanager
from functools import wraps
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import msgspec

from events.sqlite.translation import is_full
from projections.catalogue.rows import UNREADABLE
from service.api.answers.people import MergeList, PlayerList
from service.cli.exchange.stepwise import Step, write_stepwise
from service.cli.shell import screen
from service.cli.shell.arguments import day, force_option, from_option, to_option
from service.cli.shell.client import RefusedError, UnexpectedAnswerError
from service.cli.shell.connection import with_client
from service.cli.shell.failures import CommandError
from service.cli.shell.files import (
    STDOUT,
    bounded_database,
    check_folder,
    check_target,
    is_stream,
    part_of,
    save,
    take_name,
    written_at_once,
)
from service.cli.shell.references import all_games, end_of_log
from service.exchange import dataset as datasets
from service.exchange import parquet
from service.exchange.spreadsheets import dialect_of
from service.exchange.tables import BY_NAME, TABLES
from service.languages import gettext, ngettext

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterator

    from sqlite_utils import Database

    from service.cli.shell.client import Client
    from service.exchange.tables import Row

_FILTERS = (
    click.option("--query", "-q", "q", default="", help="Part of a title, a place, a ruleset's or a player's name."),
    click.option("--ruleset", help="Only games of this ruleset."),
    click.option(
        "--player",
        "--person",
        "player",
        metavar="PERSON",
        help="Only games with this person in a seat.",
    ),
    from_option,
    to_option,
)


FILES = {
    ".xlsx": "tables.xlsx",
    ".json": "bgstats.json",
    ".xml": "bgg.xml",
    ".ndjson": "tables.ndjson",
    ".html": "report.html",
}
"""The exports of many games by the endings of files; a table as CSV is named beside it."""

WHOLE = {*FILES.values(), "people.csv"}
"""The exports of many games that are written as a whole: they do not go on after an interruption."""

PAGE = 100
"""Games that are asked for at a time."""


def with_game_filters(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options that choose games; the command gets them as a query."""

    @wraps(command)
    def run(*, q: str, ruleset: str | None, player: str | None, first: Any, last: Any, **more: Any) -> None:
        days = {"from": day(first), "to": day(last)}
        command(query={"q": q or None, "ruleset": ruleset, "player": player, **days}, **more)

    for option in reversed(_FILTERS):
        run = option(run)
    return run


def csv_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options that say how CSV is written."""
    bom = click.option("--bom", is_flag=True, help="Begin CSV with a byte order mark, which some spreadsheets need.")
    locale = click.option(
        "--locale",
        metavar="TAG",
        callback=_known_locale,
        help="Write CSV as spreadsheets of a country read it: de, fr, pt-BR.  [default: en]",
    )
    return locale(bom(command))


def _known_locale(_context: click.Context, _option: click.Parameter, locale: str | None) -> str | None:
    """A locale that has a form of CSV. Raises `BadParameter` for an unknown language or country."""
    try:
        if locale is not None:
            dialect_of(locale)
    except ValueError:
        raise click.BadParameter(gettext("no language or country has this tag; write it as `de` or `pt-BR`")) from None
    return locale


@click.command()
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path, allow_dash=True))
@click.argument("table", type=click.Choice([*BY_NAME]), default="games")
@with_game_filters
@csv_options
@click.option("--semicolon", is_flag=True, help="Separate the cells of CSV by semicolons.")
@force_option
@with_client()
def tables(
    client: Client,
    file: Path,
    table: str,
    query: dict[str, Any],
    locale: str | None,
    bom: bool,
    semicolon: bool,
    force: bool,
) -> None:
    """Write many games to FILE as tables.

    The ending of FILE decides the format: .csv is one TABLE, .xlsx all tables in one spreadsheet, .ndjson all tables
    for programs. .json holds all finished games for the app BG Stats, and .xml for BoardGameGeek. .html is a report
    of the games and the standings, to print. `-` is one table on standard output.
    """
    name = {".csv": f"{table}.csv"} | FILES
    found = name.get(".csv" if file == STDOUT else file.suffix.lower())
    if found is None:
        known = ", ".join(name)
        raise click.BadParameter(gettext("%(file)s should end in one of %(known)s.", file=file, known=known))
    check_target(file, force=force)
    more = {"separator": "semicolon" if semicolon else None, "locale": locale, "bom": bom or None}
    write_export(client, found, query | more, file)


def write_export(client: Client, name: str, query: dict[str, Any], file: Path) -> None:
    """Write an export of many games to a file. Raises `CommandError`, `OSError`."""
    path = f"/v1/exports/{name}"
    if name in WHOLE:
        with client.stream(path, **query) as pieces:
            save(pieces, file)
    else:
        write_stepwise(client, file, {"export": name, **query}, lambda after: _pages(client, path, query, after))


def _pages(client: Client, path: str, query: dict[str, Any], after: str) -> Iterator[Step]:
    """The pages of an export after a game, with progress."""
    bar, progress = screen.progress_of(gettext("Exporting"))
    following: str | None = after
    with bar:
        for number in count(1):
            with client.page(path, limit=PAGE, **query | {"after": following or None}) as (pieces, following):
                yield Step(pieces, following)
            progress(number * PAGE, None)
            if following is None:
                return


@click.command()
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@with_game_filters
@click.option("--fresh", is_flag=True, help="Write the whole file again, not only what is new.")
@click.option(
    "--parquet",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    help="Write each table to this folder as Parquet, too.",
)
@with_client()
def dataset(client: Client, file: Path, query: dict[str, Any], fresh: bool, folder: Path | None) -> None:
    """Write many games to FILE as an SQLite database, for queries in SQL.

    It has plain tables with references, and views. A second run adds only games with new entries, and the names and
    merges of people as they are now. Beside it, FILE.metadata.json explains tables and columns to Datasette.
    """
    if folder and not parquet.is_installed():
        raise CommandError(
            gettext("Parquet needs the package pyarrow"), gettext("Install it with: pip install kifu[parquet]")
        )
    check_folder(file)
    if is_stream(file):
        raise CommandError(gettext("%(file)s is not a file: a dataset needs one", file=file))
    end_of_log(client)  # without a service there is no empty dataset
    written = part_of(file) if fresh else file
    if fresh:
        written.unlink(missing_ok=True)
    with _errors_named(written):
        database = _opened(written)
        with closing(database.conn), bounded_database(database.conn, written):
            games = _filled(client, database, query)
            if folder:
                _write_parquet(database, folder)
    if fresh:
        take_name(written, file)  # until then, the older dataset is there
    explained = file.with_name(f"{file.name}.metadata.json")
    explained.write_text(json.dumps(datasets.metadata(file.stem), indent=2) + "\n", encoding="utf-8")
    counted = ngettext("%(count)s game", "%(count)s games", games)
    screen.hint(gettext("Written to %(file)s: %(counted)s.", file=file, counted=counted))


@contextmanager
def _errors_named(file: Path) -> Iterator[None]:
    """Name the dataset in errors of its database, and leave no empty one. Raises `CommandError`, `OSError`."""
    try:
        yield
    except sqlite3.Error as error:
        if is_full(error):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(file)) from error
        raise CommandError(f"{file}: {error}") from error
    finally:
        if file.exists() and not file.stat().st_size:
            file.unlink()


def _opened(file: Path) -> Database:
    """The dataset in a file. Raises `CommandError`."""
    try:
        return datasets.open_dataset(str(file))
    except datasets.DatasetError as error:
        raise CommandError(str(error), gettext("Name another file, or use --fresh to write a new one.")) from error


def _filled(client: Client, database: Database, query: dict[str, Any]) -> int:
    """Add what is new to a dataset. Returns the number of games."""
    if known := datasets.known_games(database):
        games = _fill_changed(client, database, query, known)
        _renew_people(client, database)
        return games
    with client.lines("/v1/exports/tables.ndjson", **query) as lines:
        return datasets.fill(database, _rows(client, lines))


def _fill_changed(client: Client, database: Database, query: dict[str, Any], known: dict[str, int]) -> int:
    """Add the games that changed since the dataset. Returns their number.

    A game that was imported, or shown to the caller, can have been recorded long before those that are known.
    """
    listed = (each for each in all_games(client, **query) if each.status != UNREADABLE)
    changed = {each.game: each.last_at for each in listed if known.get(each.game) != each.version}
    if not changed:
        return 0
    with client.lines("/v1/exports/tables.ndjson", **query, since=min(changed.values())) as lines:
        return datasets.fill(database, (row for row in _rows(client, lines) if _is_of(row, changed)))


def _is_of(row: tuple[str, Row], games: Container[object]) -> bool:
    """Whether a row of a table is of these games, or of a person."""
    name, cells = row
    return BY_NAME[name].columns[0].name != "game" or cells[0] in games


def _renew_people(client: Client, database: Database) -> None:
    """Take over names, merges and erasures of people in games that did not change."""
    try:
        people = client.get("/v1/players", PlayerList).players
        merges = client.get("/v1/merges", MergeList).merges
    except RefusedError:
        screen.hint(gettext("You may not list people: in games that did not change, their names stay as they were."))
        return
    datasets.renew_people(
        database, {each.id: each.name for each in people}, {each.player: each.into for each in merges}
    )


def _write_parquet(database: Database, folder: Path) -> None:
    """Write all tables to a folder. Each file appears whole or not at all. Raises `OSError`."""
    folder.mkdir(parents=True, exist_ok=True)
    for table in TABLES:
        with written_at_once(folder / f"{table.name}.parquet") as target:
            parquet.write_parquet(database, table, target)
    screen.hint(gettext("Tables as Parquet are in %(folder)s.", folder=folder))


def _rows(client: Client, lines: Iterator[bytes]) -> Iterator[tuple[str, Row]]:
    """The rows of tables in lines. Raises `UnexpectedAnswerError`."""
    for line in lines:
        try:
            table, *row = _row.decode(line)
        except (ValueError, RecursionError) as error:
            raise UnexpectedAnswerError(client.where, str(error)) from error
        if not isinstance(table, str) or table not in BY_NAME or len(row) != len(BY_NAME[table].columns):
            raise UnexpectedAnswerError(client.where, gettext("a line is not a row of a table"))
        yield table, tuple(row)


_row = msgspec.json.Decoder(list[str | int | None])
