"""The cost of access control, compared with the append that it guards, with 100,000 tokens and 100,000 games.

Over HTTP the same moves are recorded in three games by turns. In the first there is no check of the caller. In the
second it is the owner, in the third a program with a token for this game and three scopes.
"""

from __future__ import annotations

import secrets as chance
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

import httpx
import msgspec
from flask import g
from uuid_utils import uuid7
from werkzeug.test import Client

from benchmarks.http import Served, drive, random_moves, request, serve
from benchmarks.server import UNGATED, create_app
from benchmarks.table import Row
from projections.catalogue.pages import find_page
from projections.catalogue.queries import CatalogueViewer, Query
from projections.catalogue.rows import COLUMNS, checksum_of, search_checksum
from projections.views import CATALOGUE, PLAYERS_TABLE, Views
from service.access import secrets
from service.access.file import SqliteStore
from service.access.gate import admit
from service.access.limiting import Limits
from service.access.needs import need_of
from service.access.rows import _row
from service.access.store import Credential
from service.access.tables import CREDENTIAL
from service.settings import Settings
from workers.valkey import socket_url

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sqlite_utils import Database

    from service.app import Application

TOKENS = GAMES = 100_000
ROUNDS = 9
SAME = 30
"""Requests per round."""
WHO = ("the owner", "a program for its game alone")


def processor(act: Callable[[], Any], times: int) -> float:
    """Microseconds of processor time that a call takes in this thread, on average."""
    started = time.thread_time()
    for _ in range(times):
        act()
    return (time.thread_time() - started) / times * 1e6


def permission_check(game: str) -> Callable[[], None]:
    """Check the permission to record in a game, without what the request has cached."""

    def let_in() -> None:
        for kept in ("asker", "standing", "left"):
            g.pop(kept, None)
        admit(need_of("games:record"), game)

    return let_in


def list_games(folder: Path) -> tuple[float, float]:
    """Milliseconds of a page of games, for a stranger who may see 0.1 % of them, and for a player who may see more."""
    views, player = Views(folder, create=True), str(uuid7())
    with views.transaction() as db:
        _fill(db, player)
    found = []
    for who in (CatalogueViewer(), CatalogueViewer(frozenset({player}))):
        query = Query(seen_by=who)
        page, _ = find_page(views.db, query, None, 50)
        assert len(page) == 50
        found.append(processor(lambda: find_page(views.db, query, None, 50), 50) / 1000)  # noqa: B023
    views.close()
    return found[0], found[1]


def _fill(db: Database, player: str) -> None:
    marks = ", ".join("?" * (len(COLUMNS) + 1))
    sql = f"insert into {CATALOGUE} ({', '.join(COLUMNS)}, shown) values ({marks})"
    for number in range(GAMES):
        row: dict[str, Any] = {
            "game": str(uuid7()),
            "ruleset": "kahuna",
            "title": "",
            "place": "",
            "opened_at": 0,
            "last_at": number,
            "version": 1,
            "status": "playing",
            "reason": None,
            "winners": "[]",
            "scores": "[]",
            "irregular": 0,
            "origin": None,
            "seats": "[]",
            "projected": number,
            "found_by": search_checksum("", "[]"),
        }
        row["checksum"] = checksum_of(row)
        db.execute(sql, [*(row[name] for name in COLUMNS), int(number % 1000 == 0)])
        if number % 5000 == 7:
            db.execute(f"insert into {PLAYERS_TABLE} values (?, ?)", [row["game"], player])


def run() -> list[Row]:
    """The rows of this benchmark."""
    with tempfile.TemporaryDirectory(dir=Path.cwd()) as folder:
        app = create_app(Settings(data=Path(folder), writes=10**9))
        try:
            rows = list(_measure(app))
        finally:
            app.close()
        stranger, player = list_games(Path(folder) / "list")
        by_http = list(_measure_http(Path(folder) / "http"))
    return [
        *by_http,
        *rows,
        Row("list of 50 among 100,000 games, one in 1,000 shown", stranger, "ms", None, None, "<= 50"),
        Row("the same for a player, with 20 games of their own", player, "ms", None, None, "<= 50"),
    ]


def _fill_store(store: SqliteStore) -> None:
    with store._change() as db:
        for _ in range(TOKENS):
            made = Credential(id=str(uuid7()), kind="app", person=store.owner, begun=1, maker="x")
            db.add(CREDENTIAL, _row(made, chance.token_bytes(32)))


def _measure_http(folder: Path) -> Iterator[Row]:
    """The time of an append for a client, by kind of caller, compared with an append without any check."""
    folder.mkdir()
    store = SqliteStore(folder)
    _fill_store(store)
    store.close()
    process, served = serve(folder, KIFU_WRITES=str(10**9))
    try:
        found = [_append_by_turns(served, seed) for seed in range(ROUNDS + 1)][1:]
    finally:
        process.terminate()
        process.wait()
    floor = median(taken[0] for taken in found)
    for number, who in enumerate(WHO, 1):
        taken, ratio = (median(each[number] / by for each in found) for by in (1, floor))
        yield Row(f"HTTP append of {who}, against one that asks nobody", taken, "µs", floor, ratio)


def _append_by_turns(served: Served, seed: int) -> list[float]:
    """Microseconds of an append: without access control, by the owner and by a program. Medians of one round."""
    games = [str(uuid7()) for _ in range(3)]
    drive(served.port, [[request("/v1/games", {"id": each, "ruleset": "kahuna"}, served.token) for each in games]])
    owner = {"Authorization": f"Bearer {served.token}"}
    address = f"http://127.0.0.1:{served.port}/v1/tokens"
    made = httpx.post(address, json=limited_to(games[2]), headers=owner).raise_for_status().json()
    asking = (UNGATED, served.token), ("", served.token), ("", made["token"])
    script = []
    for move in random_moves(seed):
        for game, (before, token) in zip(games, asking, strict=True):
            entry = {"id": str(uuid7()), "data": {"move": move}}
            script.append(request(f"{before}/v1/games/{game}/events", {"events": [entry]}, token))
    _, taken = drive(served.port, [script])
    return [median(taken[number::3]) * 1e6 for number in range(3)]


def limited_to(game: str) -> dict[str, Any]:
    """The request for a token that records in one game."""
    return {"name": "x", "scopes": ["games:read", "games:record", "hidden:read"], "games": [game]}


@contextmanager
def _valkey(folder: Path) -> Iterator[str]:
    """The URL of a running Valkey."""
    path = folder / "v"
    process = subprocess.Popen([sys.executable, "-m", "workers.valkey", str(path)], stdout=subprocess.DEVNULL)
    try:
        while not path.exists():
            process.poll()
            if process.returncode is not None:
                raise RuntimeError("Valkey has ended")
            time.sleep(0.05)
        yield socket_url(path)
    finally:
        process.terminate()
        process.wait()


def _count(limits: Limits, times: int) -> tuple[float, float]:
    """Microseconds to count a request, and the processor time of this thread in that."""
    limits.count("writes", "a")
    started = time.perf_counter()
    used = processor(lambda: limits.count("writes", "a"), times)
    return (time.perf_counter() - started) / times * 1e6, used


def _measure(app: Application) -> Iterator[Row]:
    """The costs inside the service, in processor time of the thread that handles the request."""
    store, client = app.context.access, Client(app)
    assert isinstance(store, SqliteStore)
    _fill_store(store)
    owner = {"Authorization": f"Bearer {app.context.owner_token}"}
    games = [str(uuid7()) for _ in range(3)]
    for game in games:
        client.post("/v1/games", json={"id": game, "ruleset": "kahuna"}, headers=owner)
    made = client.post("/v1/tokens", json=limited_to(games[2]), headers=owner).get_json()
    program = {"Authorization": f"Bearer {made['token']}"}
    asking = (UNGATED, owner), ("", owner), ("", program)

    def append(number: int) -> None:
        entry = {"id": str(uuid7()), "type": "note.added", "data": {"text": "x"}}
        before, headers = asking[number]
        path = f"{before}/v1/games/{games[number]}/events"
        assert client.post(path, json={"events": [entry]}, headers=headers).status_code == 201

    def by_turns(times: int) -> list[float]:
        used: list[list[float]] = [[], [], []]
        for turn in range(3 * times):
            number = (turn + turn // 3) % 3  # the first in a turn is the last in the next
            used[number].append(processor(lambda: append(number), 1))  # noqa: B023
        return [median(each) for each in used]

    by_turns(SAME)
    found = [by_turns(SAME) for _ in range(ROUNDS)]
    for number, who in enumerate(WHO, 1):
        more, floor, share = _more(found, number)
        yield Row(f"knowing who asks and what they may, of an append of {who}", more, "µs", floor, share, "<= 0.05")
    asked = {"method": "POST", "headers": program, "environ_overrides": app.carried}
    with app.site.test_request_context(f"/v1/games/{games[2]}/events", **asked):
        yield Row("of it, letting the request in", processor(permission_check(games[2]), SAME * 100), "µs")
    unknown = processor(lambda: store.find(secrets.digest(secrets.make("app"))), 2000)
    yield Row("a token that is not known, among 100,000", unknown, "µs")
    yield from _measure_limits()


def _more(found: list[list[float]], number: int) -> tuple[float, float, float]:
    """The extra time of column `number` over the first, the time of the first, and the ratio: medians of the rounds."""
    more = median(each[number] - each[0] for each in found)
    return more, median(each[0] for each in found), median(each[number] / each[0] - 1 for each in found)


def _measure_limits() -> Iterator[Row]:
    unlimited = Settings(writes=10**9)
    in_memory, _ = _count(Limits(unlimited), 20_000)
    with tempfile.TemporaryDirectory() as folder, _valkey(Path(folder)) as url:
        limits = Limits(msgspec.structs.replace(unlimited, redis_url=url))
        counted, used = _count(limits, 5_000)
        assert not limits._away, "it was counted in memory"
    yield Row("a request counted in memory", in_memory, "µs")
    yield Row("a request counted in Valkey", counted, "µs")
    yield Row("of it, the processor's time of the thread", used, "µs")
