"""Times of an append, a state, a list and the feed in a large log, compared with a small log.

`python -m benchmarks.large [ENTRIES [folder|postgres|lanes ...]]`: 10,000,000 entries if no number is given, in each
store. They are appended a game at a time, a hundred entries each, on the disk where it is run, some 200 bytes an entry
in a folder, 360 in PostgreSQL. Both logs are served in this process, and asked by turns, so that what else the machine
does is felt by both.
"""

from __future__ import annotations

import random
import sys
import time
from contextlib import ExitStack, closing, contextmanager, suppress
from statistics import median
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace
from rich.console import Console
from werkzeug.test import Client

from benchmarks.append import folder, identifier, run_threads
from benchmarks.hosts import database
from benchmarks.postgres import open_server
from benchmarks.table import Row, render
from events.entries import check_event
from events.event import NewEvent
from events.stores import open_log
from service.app import create_app
from service.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from service.app import Application

MANY, FEW = 10_000_000, 100_000
GAME = 100
"""Entries per game."""

FILLERS = 8
"""The number of threads that fill a log."""

ROUNDS = 200
STORES = {"folder": 0, "postgres": 1, "lanes": 4}
"""The kinds of stores, with the number of lanes in a database."""

TARGET = "<= 1.2"


class SizedService:
    """A service over a log of a given size. Its owner asks about random games.

    The number of these games is the same for all logs, so a service has the same number of them in memory.
    """

    def __init__(self, app: Application, games: list[str]) -> None:
        self._client, self._chance = Client(app), random.Random(1)
        self._entries, self._games = len(games) * GAME, self._chance.sample(games, FEW // GAME)
        self._head = {"Authorization": f"Bearer {app.context.owner_token}"}

    def _ask(self, path: str, body: Any = None) -> Any:
        method = "GET" if body is None else "POST"
        answer = self._client.open(path, method=method, json=body, headers=self._head)
        assert answer.status_code < 300, answer.text
        return answer.get_json()

    def _game(self) -> str:
        return self._chance.choice(self._games)

    def append(self) -> None:
        """Record an entry in a game."""
        note = {"id": identifier(), "type": "note.added", "data": {"text": "well played"}}
        self._ask(f"/v1/games/{self._game()}/events", {"events": [note]})

    def state(self) -> None:
        """Read the state of a game."""
        self._ask(f"/v1/games/{self._game()}/state")

    def games(self) -> None:
        """Read the first page of the list of games."""
        self._ask("/v1/games")

    def feed(self) -> None:
        """Read a page somewhere in the feed."""
        after = self._chance.randrange(self._entries - GAME)
        assert len(self._ask(f"/v1/feed?after={after}&limit={GAME}")["items"]) == GAME


def fill(data: Path, url: str, count: int) -> list[str]:
    """Fill a log with `count` entries. Returns its games.

    Several threads fill it, so a commit has many games. One note is checked once, and sent with new ids.
    """
    games = [identifier() for _ in range(count // GAME)]
    seats: list[dict[str, Any]] = [{}, {}]
    opening, note = (
        check_event(0, NewEvent(id=identifier(), type=type_, data=data))
        for type_, data in (
            ("game.opened", {"ruleset": "kahuna", "revision": 1, "seats": seats}),
            ("note.added", {"text": "a note"}),
        )
    )
    left = games.copy()

    def client(_number: int) -> None:
        with suppress(IndexError):
            while game := left.pop():
                entries = [replace(opening, id=game), *(replace(note, id=identifier()) for _ in range(GAME - 1))]
                log.append(game, entries, expected=0, recorder="bench")

    with closing(open_log(data, url)) as log:
        run_threads(FILLERS, client)
    return games


@contextmanager
def served(data: Path, url: str, count: int) -> Iterator[SizedService]:
    """Fill and project a log, and yield a service over it. Prints the seconds of both steps."""
    data.mkdir()
    began = time.perf_counter()
    games = fill(data, url, count)
    filled = time.perf_counter()
    with closing(_opened(data, url)) as app:
        app.context.catch_up()
    spent = filled - began, time.perf_counter() - filled
    print(f"{count:,} entries appended in {spent[0]:.0f} s and projected in {spent[1]:.0f} s", file=sys.stderr)
    with closing(_opened(data, url)) as app:  # without the last projection in memory
        app.context.catch_up()  # the lists are proved first, and refused until then: the more games, the longer
        yield SizedService(app, games)


def _opened(data: Path, url: str) -> Application:
    return create_app(Settings(data=data, database_url=url, reads=0, writes=0, guesses=0))


def taken(work: Callable[[], None]) -> float:
    """Milliseconds of a call."""
    began = time.perf_counter()
    work()
    return (time.perf_counter() - began) * 1000


def compare(store: str, few: SizedService, many: SizedService, count: int) -> list[Row]:
    """The times of each request in both logs, in turns. The first rounds warm up."""
    rows = []
    for name in ("append", "state", "games", "feed"):
        pairs = [(taken(getattr(few, name)), taken(getattr(many, name))) for _ in range(ROUNDS)][ROUNDS // 10 :]
        floor, value = (median(each[place] for each in pairs) for place in (0, 1))
        rows.append(Row(f"{store}, {count:,} entries: {name}", value, "ms", floor, value / floor, TARGET))
    return rows


def measure(count: int, store: str) -> list[Row]:
    """The figures of one kind of store."""
    lanes = STORES[store]
    with ExitStack() as stack:
        place = stack.enter_context(folder()).resolve()
        server = stack.enter_context(open_server()) if lanes else ""
        both = []
        for name, size in (("few", FEW), ("many", count)):
            url = database(server, name, lanes) if lanes else ""
            both.append(stack.enter_context(served(place / name, url, size)))
        return compare(store, both[0], both[1], count)


def main(words: list[str]) -> None:
    """Measure and print."""
    count = int(words[0]) if words else MANY
    console = Console(width=120)
    for store in words[1:] or STORES:
        console.print(render(measure(count, store)))


if __name__ == "__main__":
    main(sys.argv[1:])
