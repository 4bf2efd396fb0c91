"""Statistics, ratings and pairings of 2,000 people in 100,000 games.

`python -m benchmarks.people 5000 100` takes other numbers of games and of people. The floor of a time is the processor
time for it: on a machine with other work the clock says little.
"""

from __future__ import annotations

import random
import resource
import sys
import tempfile
import time
from contextlib import closing, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import quote

from rich.console import Console
from werkzeug.test import Client

from benchmarks.append import identifier, run_threads
from benchmarks.sheet import OPTIONS
from benchmarks.table import Row, render
from events.event import NewEvent
from events.stores import open_log
from games.scoresheet import SCORESHEET
from games.scoresheet.moves import Enter, Finish
from projections.tournaments.model import Entrant, Result, Round, Rules
from projections.tournaments.pairing import next_round
from service.api.ladders import read_ahead
from service.app import create_app
from service.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from games.scoresheet.moves import ScoresheetMove
    from service.app import Application

GAMES, PEOPLE = 100_000, 2_000
FILLERS = 16
"""The number of threads that fill the log."""

ASKED = 200
"""The number of requests for each statistic."""

FIELD, SWISS_ROUNDS = 400, 7
"""Players of a Swiss tournament, and its rounds."""

PLACE = "Café Central"
"""The place of a third of the games."""

FIRST = (
    "/v1/ratings",
    "/v1/ratings?kind=scoresheet%2FRounds%20with%20a%20running%20total",
    "/v1/players/{}/statistics",
    "/v1/statistics?player={}",
    "/v1/statistics?player={}&with={}",
    "/v1/statistics/year",
    "/v1/statistics/year?player={}",
    "/v1/statistics",
    "/v1/statistics?from=2021-01-15&to=2021-12-10",
    "/v1/statistics?players=3",
    f"/v1/statistics?place={quote(PLACE)}",
    "/v1/statistics/year?year=2024",
    "/v1/statistics/games?about=against",
    "/v1/statistics/games?about=month%3A2024-05",
    f"/v1/statistics/games?place={quote(PLACE)}&about=seat-won%3A0",
    "/v1/statistics/games?about=points%3Around-1",
    "/v1/statistics/games?about=points%3Around-1&cursor=50000",
    "/v1/statistics/games?player={}&about=points%3Around-1",
)
"""Requests without a cached answer."""

FIRST_DAY = datetime(2020, 1, 1, 18, tzinfo=UTC)


def people_of(count: int) -> list[str]:
    """New ids for `count` people."""
    return [f"0199d2f3-6a00-7000-8000-{number:012x}" for number in range(count)]


def game_of(chance: random.Random, people: Sequence[str], day: int) -> tuple[str, list[NewEvent]]:
    """A score sheet of two to five people, played through: the stronger ones get more points."""
    game, seats = identifier(), chance.sample(range(len(people)), chance.randint(2, 5))
    opened = {
        "ruleset": SCORESHEET.name,
        "revision": SCORESHEET.revision,
        "options": OPTIONS,
        "components": SCORESHEET.components(OPTIONS),
        "seats": [{"player": people[number]} for number in seats],
    }
    if day % 3 == 0:
        opened["place"] = PLACE
    moves: list[ScoresheetMove] = [
        Enter(seat=seat, column="points", round=1, value=chance.randint(0, 40) + number % 20)
        for seat, number in enumerate(seats)
    ]
    moves.append(Finish())
    happened = (FIRST_DAY + timedelta(hours=day)).isoformat()
    return game, [
        NewEvent(id=game, type="game.opened", data=opened, happened_at=happened),
        *(NewEvent(id=identifier(), type="move.made", data={"move": SCORESHEET.move_data(move)}) for move in moves),
    ]


def fill(data: Path, games: int, people: Sequence[str]) -> list[str]:
    """Fill a log with games. Returns their ids, the last played first."""
    chance, filled = random.Random(34), list[str]()
    left = [game_of(chance, people, day) for day in range(games)]

    def client(_number: int) -> None:
        with suppress(IndexError):
            while True:
                game, entries = left.pop()
                log.append(game, entries, expected=0, recorder="bench")
                filled.append(game)

    with closing(open_log(data, "")) as log:
        run_threads(FILLERS, client)
    return filled


class Duration(NamedTuple):
    """A duration, in wall time and in processor time."""

    clock: float
    processor: float

    def row(self, name: str, unit: str, target: str) -> Row:
        """The row of the table for this duration."""
        return Row(name, self.clock, unit, self.processor, None, target)


class Stopwatch:
    """A stopwatch, started when it is made."""

    def __init__(self) -> None:
        self._clock, self._processor = time.perf_counter(), time.process_time()

    def elapsed(self, scale: float = 1) -> Duration:
        """The time since then, in seconds, or in other units by their `scale`."""
        clock, processor = time.perf_counter() - self._clock, time.process_time() - self._processor
        return Duration(clock * scale, processor * scale)


class OwnerClient:
    """A client with the owner's token that measures its requests."""

    def __init__(self, app: Application) -> None:
        self._client, self._head = Client(app), {"Authorization": f"Bearer {app.context.owner_token}"}

    def ask(self, path: str, body: Any = None) -> Duration:
        """Milliseconds of a request."""
        method, stopwatch = "GET" if body is None else "POST", Stopwatch()
        answer = self._client.open(path, method=method, json=body, headers=self._head)
        elapsed = stopwatch.elapsed(1000)
        assert answer.status_code < 300, answer.text
        return elapsed

    def answer(self, path: str) -> Any:
        """The answer of the service."""
        return self._client.get(path, headers=self._head).get_json()

    def slowest(self, paths: Sequence[str]) -> Duration:
        """The 99th percentile of the times of these requests."""
        clock, processor = zip(*(self.ask(path) for path in paths), strict=True)
        place = int(len(paths) * 0.99) - 1
        return Duration(sorted(clock)[place], sorted(processor)[place])


def measure(data: Path, games: int, count: int) -> Iterator[Row]:
    """The figures of a service with these games of `count` people."""
    people = people_of(count)
    filled = fill(data, games, people)
    with closing(create_app(Settings(data=data, reads=0, writes=0, guesses=0))) as app:
        app.context.catch_up()
        client, chance = OwnerClient(app), random.Random(1)
        some = [chance.choice(people) for _ in range(ASKED)]
        stopwatch = Stopwatch()
        client.ask("/v1/ratings")
        yield stopwatch.elapsed().row("all ratings anew", "s", "<= 10")
        for name, path in (
            ("statistics of a person, p99", "/v1/players/{}/statistics"),
            ("statistics from the moves of a person, p99", "/v1/statistics?player={}"),
            ("ratings that are known, p99", "/v1/ratings"),
        ):
            client.slowest([path.format(player) for player in set(some)])  # games are read move by move once
            yield client.slowest([path.format(player) for player in some]).row(name, "ms", "<= 100")
        for which, game, most in (("newest", filled[0], 2), ("oldest", filled[-1], 10)):
            statistic, ratings = corrected(app, client, game, some[0])
            yield statistic.row(f"a statistic after a correction of the {which} game", "s", "<= 2")
            yield ratings.row(f"ratings after a correction of the {which} game", "s", f"<= {most}")
    yield from started_anew(data, some)


def started_anew(data: Path, people: Sequence[str]) -> Iterator[Row]:
    """The figures of a new process: reading ahead, its first requests after that, and its memory."""
    with closing(create_app(Settings(data=data, reads=0, writes=0, guesses=0))) as app:
        app.context.catch_up()
        client, before, stopwatch = OwnerClient(app), resident(), Stopwatch()
        client.ask("/v1/games?limit=1")
        app.context.known.refresh(
            app.context.archive.views.db, app.context.archive.log.people.merges(), app.context.access
        )
        read_ahead(app.context)
        yield stopwatch.elapsed().row("read ahead after a start", "s", "")
        for path in FIRST:
            elapsed = client.ask(path.format(*people))
            yield elapsed.row(f"the first {path.format('a person', 'another')}", "ms", "<= 100")
        yield Row("memory for it", resident() - before, "MB", None, None, "")


def resident() -> float:
    """The resident memory of this process, in MB."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize() / 1e6


def corrected(app: Application, client: OwnerClient, game: str, player: str) -> tuple[Duration, Duration]:
    """Seconds from a correction until a statistic includes it, and until ratings include it."""
    move = SCORESHEET.move_data(Enter(seat=0, column="points", round=1, value=99))
    event = {"id": identifier(), "type": "entry.replaced", "data": {"entry": 2, "move": move, "reason": "misread"}}
    stopwatch = Stopwatch()
    client.ask(f"/v1/games/{game}/events", {"events": [event]})
    app.context.catch_up()
    client.ask(f"/v1/players/{player}/statistics")
    statistic = stopwatch.elapsed()
    while client.answer("/v1/ratings")["recomputing"]:
        time.sleep(0.02)
    return statistic, stopwatch.elapsed()


def swiss() -> Duration:
    """Seconds for the slowest round of a Swiss tournament of 400, by random results."""
    rules, chance = Rules(rounds=SWISS_ROUNDS), random.Random(5)
    field = [Entrant(player=player, seed=seed) for seed, player in enumerate(people_of(FIELD), 1)]
    rounds, slowest = list[Round](), Duration(0, 0)
    for _ in range(SWISS_ROUNDS):
        stopwatch = Stopwatch()
        paired = next_round(rules, field, rounds)
        slowest = Duration(*map(max, slowest, stopwatch.elapsed()))
        assert paired is not None
        rounds.append(_played(paired, lambda: chance.choice([(1, 2), (2, 1), (1, 1)])))
    return slowest


def _played(paired: Round, places: Callable[[], tuple[int, int]]) -> Round:
    tables = [(table.players, Result(places=places())) for table in paired.tables]
    played = tuple(type(paired.tables[0])(players=players, result=result) for players, result in tables)
    return Round(tables=played, byes=paired.byes, stage=paired.stage)


def measured(games: int, people: int) -> list[Row]:
    """All figures, for these numbers of games and people."""
    with tempfile.TemporaryDirectory(dir=Path.cwd()) as folder:
        rows = list(measure(Path(folder) / "data", games, people))
    return [*rows, swiss().row(f"a Swiss round of {FIELD}, the slowest", "s", "<= 2")]


def run() -> list[Row]:
    """The rows of this benchmark."""
    return measured(GAMES, PEOPLE)


if __name__ == "__main__":
    Console().print(render(measured(*map(int, sys.argv[1:3]))))
