"""What it costs to know who asks: against the append that they ask for, among 100,000 tokens and 100,000 games."""

from __future__ import annotations

import secrets as chance
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from flask import g
from uuid_utils import uuid7

from benchmarks.table import Pair, Row, rounds
from projections.catalogue import _COLUMNS, Onlooker, Query, _checksum, _found_by, find_page
from projections.views import CATALOGUE, SAT, Views
from service.access import secrets
from service.access.gate import admit
from service.access.limiting import Limits
from service.access.sqlite import _insert
from service.access.store import Credential
from service.access.table import NEEDS
from service.app import create_app
from service.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Callable

    from flask import Flask
    from sqlite_utils import Database

TOKENS = GAMES = 100_000
ROUNDS = 9
SAME = 30
"""Requests of a round."""


def processor(act: Callable[[], Any], times: int) -> float:
    """Microseconds of the processor that an act takes in this thread."""
    started = time.thread_time()
    for _ in range(times):
        act()
    return (time.thread_time() - started) / times * 1e6


def admission(game: str) -> Callable[[], None]:
    """Let somebody in who wants to record, as the first time in a request."""

    def let_in() -> None:
        for kept in ("asker", "standing", "left"):
            g.pop(kept, None)
        admit(NEEDS["record_entries"], game)

    return let_in


def list_games(folder: Path) -> tuple[float, float]:
    """Milliseconds of a page for a stranger who may see one game in a thousand, and for a player of a few more."""
    views, player = Views(folder, create=True), str(uuid7())
    with views.transaction() as db:
        _fill(db, player)
    found = []
    for who in (Onlooker(), Onlooker(frozenset({player}))):
        query = Query(seen_by=who)
        page, _ = find_page(views.db, query, None, 50)
        assert len(page) == 50
        found.append(processor(lambda: find_page(views.db, query, None, 50), 50) / 1000)  # noqa: B023
    views.close()
    return found[0], found[1]


def _fill(db: Database, player: str) -> None:
    marks = ", ".join("?" * (len(_COLUMNS) + 1))
    sql = f"insert into {CATALOGUE} ({', '.join(_COLUMNS)}, shown) values ({marks})"
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
            "found_by": _found_by("", "[]"),
        }
        row["checksum"] = _checksum(row)
        db.execute(sql, [*(row[name] for name in _COLUMNS), int(number % 1000 == 0)])
        if number % 5000 == 7:
            db.execute(f"insert into {SAT} values (?, ?)", [row["game"], player])


def run() -> list[Row]:
    """The rows of this benchmark."""
    with tempfile.TemporaryDirectory(dir=Path.cwd()) as folder:
        app = create_app(Settings(data=Path(folder), writes=10**9))
        try:
            rows = _measure(app)
        finally:
            app.extensions["kifu"].close()
        stranger, player = list_games(Path(folder) / "list")
    return [
        *rows,
        Row("list of 50 among 100,000 games, one in 1,000 shown", stranger, "ms", None, None, "<= 50"),
        Row("the same for a player, with 20 games of their own", player, "ms", None, None, "<= 50"),
    ]


def _measure(app: Flask) -> list[Row]:
    store, token, client = app.extensions["kifu"].access, app.config["OWNER_TOKEN"], app.test_client()
    with store._change() as db:
        for _ in range(TOKENS):
            made = {"id": str(uuid7()), "kind": "app", "person": store.owner, "begun": 1, "maker": "x"}
            _insert(db, Credential(**made), chance.token_bytes(32))
    owner = {"Authorization": f"Bearer {token}"}
    game = str(uuid7())
    client.post("/v1/games", json={"id": game, "ruleset": "kahuna"}, headers=owner)
    made = client.post("/v1/tokens", json={"name": "x", "role": "recorder"}, headers=owner).get_json()
    program = {"Authorization": f"Bearer {made['token']}"}

    def append() -> None:
        entry = {"id": str(uuid7()), "type": "note.added", "data": {"text": "x"}}
        answer = client.post(f"/v1/games/{game}/events", json={"events": [entry]}, headers=program)
        assert answer.status_code == 201

    def pair() -> Pair:
        with app.test_request_context(f"/v1/games/{game}/events", method="POST", headers=program):
            let_in = processor(admission(game), SAME * 10)
        return Pair(let_in, processor(append, SAME))

    for _ in range(SAME):
        append()
    admitted, whole, share = rounds(ROUNDS, pair)
    unknown = processor(lambda: store.find(secrets.digest(secrets.make("app"))), 2000)
    limits = Limits(Settings(writes=10**9))
    return [
        Row("letting an append in, its limit counted in memory", admitted, "µs", whole, share, "<= 0.05"),
        Row("a token that is not known, among 100,000", unknown, "µs"),
        Row("a request counted in memory", processor(lambda: limits.count("writes", "a"), 20_000), "µs"),
    ]
