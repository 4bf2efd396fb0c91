"""The code that one POSTed move runs in its process: files and functions of Kifu, and calls of any function.

Moves of a game of Kahuna are recorded one by one, without a server. The figures are medians of twenty of them.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, NamedTuple

import msgspec
from uuid_utils import uuid7
from werkzeug.test import EnvironBuilder

from benchmarks.http import random_moves
from benchmarks.table import Row
from service.app import create_app
from service.settings import Settings

if TYPE_CHECKING:
    from types import CodeType, FrameType

    from service.app import Application

ROOT = Path(__file__).parents[1]
PACKAGES = tuple(f"{ROOT / name}/" for name in ("events", "games", "projections", "service", "workers"))

WARM, MOVES, SEED = 10, 20, 1
"""The moves recorded before, the counted moves, and the game."""


class ExecutedCode(NamedTuple):
    """The code that a request ran."""

    files: float
    functions: float
    calls: float


def post(app: Application, path: str, body: object) -> list[CodeType]:
    """Send a POST as the owner. Returns the Python functions that it called."""
    headers = [("Authorization", f"Bearer {app.context.owner_token}"), ("Content-Type", "application/json")]
    environ = EnvironBuilder(path, method="POST", data=msgspec.json.encode(body), headers=headers).get_environ()
    called: list[CodeType] = []
    stati: list[str] = []

    def note(frame: FrameType, event: str, _: object) -> None:
        if event == "call":
            called.append(frame.f_code)

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        list(app(environ, lambda status, *_: stati.append(status)))  # type: ignore[arg-type]
    finally:
        sys.setprofile(before)
    if stati[0][:3] != "201":
        raise RuntimeError(stati[0])
    return called


def count(app: Application) -> ExecutedCode:
    """The code that a move runs, in a new game."""
    game, found = str(uuid7()), list[ExecutedCode]()
    post(app, "/v1/games", {"id": game, "ruleset": "kahuna"})
    for move in random_moves(SEED)[: WARM + MOVES]:
        called = post(app, f"/v1/games/{game}/events", {"events": [{"id": str(uuid7()), "data": {"move": move}}]})
        own = {code for code in called if code.co_filename.startswith(PACKAGES)}
        found.append(ExecutedCode(len({code.co_filename for code in own}), len(own), len(called)))
    return ExecutedCode(*map(median, zip(*found[WARM:], strict=True)))


def run() -> list[Row]:
    """The rows of this benchmark."""
    with tempfile.TemporaryDirectory() as folder:
        app = create_app(Settings(data=Path(folder)))
        try:
            passed = count(app)
        finally:
            app.close()
    return [
        Row("a POSTed move passes files", passed.files, "", target="<= 45"),
        Row("a POSTed move passes functions", passed.functions, "", target="<= 180"),
        Row("a POSTed move calls functions", passed.calls, ""),
    ]
