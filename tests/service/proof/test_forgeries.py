"""The owner of a folder changes its log at random, with all hashes computed again: it is noticed, or nobody sees it."""

from __future__ import annotations

import random
import shutil
import sqlite3
from contextlib import closing, suppress
from hashlib import sha256
from typing import TYPE_CHECKING, Any

import pytest
from uuid_utils import uuid7

from events import seals
from events.canonical import quoted, render
from events.event import timestamp
from events.rows import COLUMNS, uuid_text
from events.sqlite import LOG
from events.sqlite.heads import heads_path
from service.app import create_app
from service.settings import Settings
from tests.choosing import soak_except
from tests.service.cli.conftest import Kifu
from tests.service.conftest import UNLIMITED, Api
from tests.service.entries import entry, send

if TYPE_CHECKING:
    from pathlib import Path

VALUES = ("version", "game", "id", "type", "schema", "recorded_at", "happened_at", "recorder", "data", "sealed")
"""What is hashed of an entry, as the database has it."""


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two games with seals, an erased text, a club, and the signed tree over them."""
    folder = tmp_path_factory.mktemp("recorded") / "data"
    with closing(create_app(Settings(data=folder, **UNLIMITED))) as app:
        api = Api(app)
        first, second = (api.play("black: a-h") for _ in range(2))
        assert send(api, first, *(entry("note.added", text=text) for text in ("rain", "a secret"))).status_code == 201
        erased = api.post(f"/v1/games/{first}/erasures", {"entry": 5, "what": "text"})
        assert erased.status_code == 200, erased.text
        assert api.post("/v1/clubs", {"id": str(uuid7()), "name": "Friday"}).status_code == 201
        assert api.record(second, api.get(f"/v1/games/{second}/moves").get_json()["moves"][0]["notation"]).is_json
        api.catch_up()
        assert app.context.tree.size == app.context.archive.log.position()
    return folder


@pytest.mark.parametrize("seed", soak_except(range(24), *range(8)))
@pytest.mark.slow
def test_a_forged_log_is_noticed_or_exports_the_same(recorded: Path, tmp_path: Path, seed: int) -> None:
    try_forgery(recorded, tmp_path, seed)


@pytest.mark.soak
def test_five_hundred_forged_logs_are_noticed_or_export_the_same(recorded: Path, tmp_path: Path) -> None:
    for seed in range(100, 600):
        try_forgery(recorded, tmp_path / str(seed), seed)
        shutil.rmtree(tmp_path / str(seed))


def try_forgery(recorded: Path, folder: Path, seed: int) -> None:
    chance = random.Random(seed)
    forged = folder / "forged"
    shutil.copytree(recorded, forged)
    with closing(sqlite3.connect(forged / LOG)) as log, log:
        without_triggers(log)
        what = chance.choice([change, change, change, swap, remove, reorder])(chance, log)
        for number, key in log.execute("select number, id from game").fetchall():
            with suppress(seals.BadSealsError, TypeError, ValueError):
                rechain(log, number, uuid_text(key))
    heads_path(forged / LOG).unlink()
    kifu = Kifu(forged)
    if kifu.run("verify").exit_code == 0:
        exports = [exported(each) for each in (recorded, forged)]
        assert exports[0] == exports[1], f"nobody noticed: {what}"


def exported(folder: Path) -> list[tuple[object, ...]]:
    """All entries as they are told to somebody who sees all."""
    with closing(create_app(Settings(data=folder, **UNLIMITED))) as app:
        return [(position, event.game, event) for position, event in app.context.archive.log.feed()]


# Forgeries


def without_triggers(log: sqlite3.Connection) -> None:
    for (name,) in log.execute("select name from sqlite_master where type = 'trigger'").fetchall():
        log.execute(f"drop trigger [{name}]")


def rechain(log: sqlite3.Connection, number: int, game: str) -> None:
    """Give the entries of a game the hashes that follow from what they are now."""
    prev = "0" * 64
    for row in log.execute(f"select {COLUMNS} from event where game = ? order by version", [number]).fetchall():
        seq, _, version, key, kind, schema, recorded_at, happened_at, recorder, body, _, sealed = row
        stated = "" if sealed is None else seals.fragment(sealed)
        who, when = quoted(recorder), timestamp(recorded_at)
        line = render(game, version, uuid_text(key), kind, schema, when, happened_at, who, body, prev, stated)
        own = sha256(line).digest()
        log.execute("update event set hash = ? where seq = ?", [own, seq])
        prev = own.hex()


def picked(chance: random.Random, log: sqlite3.Connection, columns: str, count: int = 1) -> list[Any]:
    return chance.sample(log.execute(f"select {columns} from event").fetchall(), count)


def change(chance: random.Random, log: sqlite3.Connection) -> str:
    column = chance.choice(VALUES)
    ((seq, value),) = picked(chance, log, f"seq, {column}")
    new = altered(chance, value)
    with suppress(sqlite3.IntegrityError):
        log.execute(f"update event set {column} = ? where seq = ?", [new, seq])
    return f"{column} of {seq} from {value!r} to {new!r}"


def altered(chance: random.Random, value: Any) -> Any:
    if isinstance(value, int):
        return value + chance.choice([-1, 1, 1000])
    if not value:
        return "2026-01-01T00:00:00Z"
    at = chance.randrange(len(value))
    if isinstance(value, str):
        return f"{value[:at]}{'b' if value[at] == 'a' else 'a'}{value[at + 1 :]}"
    return value[:at] + bytes([value[at] ^ 1 << chance.randrange(8)]) + value[at + 1 :]


def swap(chance: random.Random, log: sqlite3.Connection) -> str:
    column = chance.choice([each for each in VALUES if each not in {"version", "id"}])
    (one, its), (other, others) = picked(chance, log, f"seq, {column}", 2)
    with suppress(sqlite3.IntegrityError):
        for seq, value in ((one, others), (other, its)):
            log.execute(f"update event set {column} = ? where seq = ?", [value, seq])
    return f"{column} of {one} and {other}"


def remove(chance: random.Random, log: sqlite3.Connection) -> str:
    ((seq,),) = picked(chance, log, "seq")
    log.execute("delete from event where seq = ?", [seq])
    return f"{seq} removed"


def reorder(chance: random.Random, log: sqlite3.Connection) -> str:
    (one,), (other,) = picked(chance, log, "seq", 2)
    for seq, to in ((one, -1), (other, one), (-1, other)):
        log.execute("update event set seq = ? where seq = ?", [to, seq])
    return f"{one} and {other} in another order"
