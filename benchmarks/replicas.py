"""The load that a standby takes off the primary: its processor time for games and the feed, with and without one."""

from __future__ import annotations

import tempfile
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import psycopg

from benchmarks.append import folder, moves, start
from benchmarks.table import Pair, Row, rounds
from events.postgres import PostgresLog, RoutedLog
from tests import postgres as server

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

ROUNDS = 5
GAMES = 20
LONG, SHORT = 255, 79
"""Moves per game: with the opening, one page; and a game so short that the query is most of the work."""
TIMES = 2
"""The number of times that a round reads everything."""


@contextmanager
def open_pair() -> Iterator[tuple[server.Primary, server.Copy]]:
    """A primary and its standby."""
    with tempfile.TemporaryDirectory() as sockets, folder() as place:
        for each in (Path(sockets), place):
            each.chmod(0o755)
        home = place.resolve() / "one"
        home.mkdir()
        primary = server.Primary(home)
        copy = server.Copy(primary, place.resolve() / "two")
        try:
            yield primary, copy
        finally:
            copy.kill()
            primary.kill()


def spent(database: server.Primary) -> float:
    """Seconds of processor time of all processes of a server, even ended ones."""
    assert database.process is not None
    return sum(map(_seconds, (database.process.pid, *server.children(database.process.pid))))


def _seconds(process: int) -> float:
    return int(Path(f"/proc/{process}/schedstat").read_text().split()[0]) / 1e9


def reading(log: PostgresLog, games: Sequence[str]) -> Callable[[], None]:
    """Read all of some games, again and again."""

    def work() -> None:
        for _ in range(TIMES):
            for game in games:
                for _event in log.read(game):
                    pass

    return work


def following(log: PostgresLog) -> Callable[[], None]:
    """Follow the feed from its beginning, as a program that catches up."""

    def work() -> None:
        for _ in range(TIMES):
            for _event in log.feed():
                pass

    return work


def beside(primary: server.Primary, with_one: Callable[[], None], without: Callable[[], None]) -> Pair:
    """Milliseconds of the primary for a unit of work, with a standby and without."""

    def cost(work: Callable[[], None]) -> float:
        before = spent(primary)
        work()
        return (spent(primary) - before) * 1000

    return Pair(cost(with_one), cost(without))


def run() -> list[Row]:
    """All figures of a standby."""
    with (
        open_pair() as (primary, copy),
        RoutedLog(primary.url, copy.url) as routed,
        PostgresLog(primary.url) as alone,
    ):
        games = {count: [start(alone) for _ in range(GAMES)] for count in (LONG, SHORT)}
        for count, opened in games.items():
            for game in opened:
                alone.append(game, moves(count), expected=1, recorder="bench")
        with psycopg.connect(server.address(primary.folder), autocommit=True) as connection:
            connection.execute("vacuum analyze")
        while copy.do("select pg_last_wal_replay_lsn()") != _written(primary) or not routed.standbys[0].is_usable:
            time.sleep(0.1)
        time.sleep(2)  # until the log knows the progress of the standby
        rows = []
        for name, works in (
            (f"games of {LONG + 1} entries", [reading(log, games[LONG]) for log in (routed, alone)]),
            (f"games of {SHORT + 1}", [reading(log, games[SHORT]) for log in (routed, alone)]),
            ("the feed, catching up", [following(log) for log in (routed, alone)]),
        ):
            before = routed.standbys[0].state.pages
            found = rounds(ROUNDS, lambda works=works: beside(primary, *works))  # type: ignore[misc]
            rows.append(Row(f"the primary's time for {name}, with a standby", found[0], "ms", found[1], found[2]))
            if routed.standbys[0].state.pages == before:
                raise RuntimeError("nothing was read from the standby")
    return rows


def _written(primary: server.Primary) -> str:
    with psycopg.connect(server.address(primary.folder), autocommit=True) as connection:
        ((written,),) = connection.execute("select pg_current_wal_lsn()").fetchall()
        return str(written)
