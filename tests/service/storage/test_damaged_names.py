"""Names and components that are damaged in the log's file: the rest is answered, and `kifu verify` names them."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from games.verraeter.components import SAMPLE
from service.app import create_app
from service.cli.commands import kifu
from service.settings import Settings
from tests.service.conftest import UNLIMITED, Api

if TYPE_CHECKING:
    from pathlib import Path

BOXES = "/v1/components/verraeter"
PERSON = "019aa000-0000-7000-8000-00000000ada0"

DAMAGES = {
    "a name": ("update person set name = cast(x'ff41' as text)", f"the name of person {PERSON} is damaged"),
    "components": (
        "update component set data = x'7b22' where name = 'mine'",
        "the components verraeter 'mine' are damaged",
    ),
    "a list": (
        "update component set data = x'5b5d' where name = 'mine'",
        "the components verraeter 'mine' are damaged",
    ),
    "a name of components": (
        "update component set name = cast(x'ff' as text) where name = 'mine'",
        "the components verraeter '\ufffd' are damaged",
    ),
}


@pytest.mark.parametrize("name", DAMAGES)
def test_what_is_damaged_beside_the_entries_is_named_and_hinders_nothing_else(tmp_path: Path, name: str) -> None:
    statement, found = DAMAGES[name]
    folder = tmp_path / "data"
    app = create_app(Settings(data=folder, **UNLIMITED))
    game = record(Api(app))
    app.close()
    with closing(sqlite3.connect(folder / "kifu.db")) as connection, connection:
        connection.execute(statement)
    told = CliRunner().invoke(kifu, ["verify", str(folder), "--json"])
    assert told.exit_code == 1
    assert [each["why"] for each in json.loads(told.stdout)["problems"]] == [found]
    app = create_app(Settings(data=folder, **UNLIMITED))
    try:
        is_answered(Api(app), game)
    finally:
        app.close()
    assert CliRunner().invoke(kifu, ["verify", str(folder)]).exit_code == (name == "a name of components")


def record(api: Api) -> str:
    """A game of somebody with a name, and two boxes; the game."""
    assert api.request("PUT", f"/v1/players/{PERSON}", json={"name": "Ada"}).status_code == 200
    for box in ("mine", "yours"):
        assert api.request("PUT", f"{BOXES}/{box}", json={"data": SAMPLE}).status_code == 200
    return api.open(seats=[{"player": PERSON}, {}])


def is_answered(api: Api, game: str) -> None:
    """Lists and pages are there, with what is not damaged. What is can be entered again."""
    api.catch_up()
    for path in ("/", f"/games/{game}", "/v1/games", "/v1/players", f"/v1/games/{game}/state"):
        assert api.get(path).status_code == 200, path
    assert "yours" in {each["name"] for each in api.get(BOXES).get_json()["components"]}
    assert api.get(f"{BOXES}/mine").status_code in {200, 404}
    assert api.request("PUT", f"/v1/players/{PERSON}", json={"name": "Ada"}).status_code == 200
    assert api.request("PUT", f"{BOXES}/mine", json={"data": SAMPLE}).status_code == 200
