"""What a standby takes off the primary: its processor time for whole games and for the feed, with one and without."""

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
"""Moves of a game: with its opening, a page; and one that is hardly worth a question."""
TIMES = 2
"""How often all is read in a round."""


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
    """Seconds of a processor that a server's processes have taken, those too that have ended."""
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
    """Follow the feed from its beginning, as a program does that catches up."""

    def work() -> None:
        for _ in range(TIMES):
            for _event in log.feed():
                pass

    return work


def beside(primary: server.Primary, with_one: Callable[[], None], without: Callable[[], None]) -> Pair:
    """The primary's milliseconds for a work, with a standby and without."""

    def cost(work: Callable[[], None]) -> float:
        before = spent(primary)
        work()
        return (spent(primary) - before) * 1000

    return Pair(cost(with_one), cost(without))


def run() -> list[Row]:
    """The figures."""
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
        while copy.do("select pg_last_wal_replay_lsn()") != _written(primary) or not routed.standbys[0].usable:
            time.sleep(0.1)
        time.sleep(2)  # until the log knows how far it has come
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
