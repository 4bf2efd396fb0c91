"""A dataset: the tables of records as a SQLite database, for queries with any program."""

from __future__ import annotations

from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING

from sqlite_utils import Database

from service.exchange.tables import BY_NAME, TABLES

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from service.exchange.tables import Row, Table

LAYOUT = 3
"""The version of the tables and views. A file with another version is refused."""

_TYPES = {"integer": int, "text": str, "value": str, "time": str, "json": str}

_VIEWS = {
    "results": """
        select games.game, games.name, games.played_at, games.place, games.players, seats.seat, seats.player,
        coalesce(seats.player_name, 'Seat ' || (seats.seat + 1)) as player_name, seats.points, seats.rank, seats.won
        from games join seats using (game) where games.status in ('finished', 'adjudicated') and games.origin is null
    """,
    "wins": """
        select player, people.name as player_name, count(*) as plays, sum(won) as wins, round(avg(won), 3) as share,
        round(avg(1.0 / players), 3) as by_chance
        from results join people using (player) group by player
    """,
    "moves": """
        select game, entry, place, seat, notation, move, recorded_at, breaks from entries
        where counts = 1 and type in ('move.made', 'entry.inserted')
    """,
}
"""The views by name: results, wins of people, and the moves that count."""


class DatasetError(Exception):
    """A file is not a dataset of this version."""


def open_dataset(path: str) -> Database:
    """Open the dataset in a file, or create it. Raises `DatasetError`, `sqlite3.Error`."""
    database = Database(path)
    try:
        found = database.execute("pragma user_version").fetchone()[0]
        if found == 0 and not database.table_names():
            _begin(database)
        elif found != LAYOUT:
            raise DatasetError(f"{path} is not a dataset of this release")
        for name, sql in _VIEWS.items():
            database.create_view(name, sql.strip(), replace=True)  # as SQLite keeps it: an equal view stays
    except BaseException:
        database.conn.close()
        raise
    return database


def _begin(database: Database) -> None:
    with database.atomic():
        for table in sorted(TABLES, key=lambda table: any(column.refers for column in table.columns)):
            _create(database, table)
        columns = [
            {"table": table.name, "column": column.name, "type": column.type, "meaning": column.meaning}
            for table in TABLES
            for column in table.columns
        ]
        database.table("columns").insert_all(columns, pk=("table", "column"))
        database.execute(f"pragma user_version = {LAYOUT}")


def _create(database: Database, table: Table) -> None:
    key = tuple(column.name for column in table.columns[: table.key])
    refers = [(each.name, each.refers, BY_NAME[each.refers].columns[0].name) for each in table.columns if each.refers]
    made = database.table(table.name)
    made.create(
        {column.name: _TYPES[column.type] for column in table.columns},
        pk=key if len(key) > 1 else key[0],
        foreign_keys=refers,
    )
    for column, _, _ in refers:
        if column != key[0]:
            made.create_index([column])


def known_games(database: Database) -> dict[str, int]:
    """The games of a dataset, each with its number of entries when it was stored."""
    return dict(database.execute("select game, entries from games").fetchall())


def fill(database: Database, rows: Iterable[tuple[str, Row]]) -> int:
    """Store the rows of tables, game by game, in place of older rows of these games. Returns the number of games.

    Stores all or nothing.
    """
    games = 0
    with database.atomic():
        for name, group in groupby(rows, key=itemgetter(0)):
            marks = ", ".join("?" * len(BY_NAME[name].columns))
            found = (row for _, row in group)
            if name == "games":
                found = (_cleared_game(database, row) for row in found)
            stored = database.conn.executemany(f"insert or replace into [{name}] values ({marks})", found).rowcount
            games += stored if name == "games" else 0
        _forget_people(database)
    return games


def _cleared_game(database: Database, row: Row) -> Row:
    """Delete all rows of a game, and return its new row."""
    for table in TABLES:
        if table.columns[0].name == "game":
            database.conn.execute(f"delete from [{table.name}] where game = ?", row[:1])
    return row


def _forget_people(database: Database) -> None:
    """Delete people who sit in no game any more, as a correction gave their seats to others."""
    database.conn.execute(
        "delete from people where not exists (select 1 from seats where seats.player = people.player)"
    )


def renew_people(database: Database, names: Mapping[str, str], merges: Mapping[str, str]) -> None:
    """Update the people in all games: `merges` says who is the same person, and `names` has the current names.

    People who are not in `names` lose their name.
    """
    run = database.conn.execute
    with database.atomic():
        for (player,) in run("select player from people").fetchall():
            kept = player
            while kept in merges:
                kept = merges[kept]
            if kept != player:
                run("insert or ignore into people (player) values (?)", (kept,))
                run("update seats set player = ? where player = ?", (kept, player))
                run("delete from people where player = ?", (player,))
            run("update people set name = ? where player = ?", (names.get(kept), kept))
        run("update seats set player_name = (select name from people where people.player = seats.player)")


def metadata(name: str) -> dict[str, object]:
    """Datasette's metadata for a database of this name: titles and descriptions of tables and columns."""
    tables = {
        table.name: {"description": table.meaning, "columns": {each.name: each.meaning for each in table.columns}}
        for table in TABLES
    }
    return {"title": "A record of games", "databases": {name: {"tables": tables}}}
