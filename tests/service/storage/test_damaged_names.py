"""Damaged names, components, clubs, seasons and tournaments: lists show the rest, and `kifu verify` names them."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING
from uuid import UUID

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
OTHER = "019aa000-0000-7000-8000-00000000ada1"

DAMAGES = {
    "a name": ("update person set name = cast(x'ff41' as text)", f"the name of person {PERSON} is damaged"),
    "a letter of a name": ("update person set name = 'Adb'", f"the name of person {PERSON} is damaged"),
    "the id of a person": (
        f"update person set id = x'{OTHER.replace('-', '')}'",
        f"the name of person {OTHER} is damaged",
    ),
    "a number of components": (
        "update component set data = cast(replace(cast(data as text), '2', '3') as blob) where name = 'mine'",
        "the components verraeter 'mine' are damaged",
    ),
    "the time of components": (
        "update component set created_at = created_at + 1 where name = 'mine'",
        "the components verraeter 'mine' are damaged",
    ),
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
    "a ruleset of components": (
        "update component set ruleset = cast(x'ff' as text) where name = 'mine'",
        "the components \ufffd 'mine' are damaged",
    ),
}


LASTING = {"a name of components", "a ruleset of components", "the id of a person"}
"""What is another one now, and so is not entered again."""


@pytest.mark.parametrize("name", DAMAGES)
@pytest.mark.slow
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
    assert CliRunner().invoke(kifu, ["verify", str(folder)]).exit_code == (name in LASTING)


@pytest.mark.parametrize("damaged", ["clubs", "seasons", "tournaments"])
def test_a_damaged_club_season_or_tournament_hides_no_other_one(tmp_path: Path, damaged: str) -> None:
    folder = tmp_path / "data"
    app = create_app(Settings(data=folder, **UNLIMITED))
    founded = {number: found(Api(app), number) for number in (1, 2)}
    founder = Api(app).get(f"/v1/clubs/{founded[1]['clubs']}").get_json()["members"][0]["player"]
    app.close()
    with closing(sqlite3.connect(folder / "kifu.db")) as connection, connection:
        connection.execute("drop trigger event_no_update")
        sql = "update event set recorder = 'x' where version = 1 and id = ?"
        assert connection.execute(sql, [UUID(founded[1][damaged]).bytes]).rowcount == 1
    app = create_app(Settings(data=folder, **UNLIMITED))
    try:
        api = Api(app)
        api.catch_up()
        for kind in ("clubs", "seasons", "tournaments"):
            answer = api.get(f"/v1/{kind}")
            assert answer.status_code == 200, answer.text
            shown = {each[kind.removesuffix("s")] for each in answer.get_json()[kind]}
            hidden = damaged in {kind, "clubs"}  # who sees what is of a club depends on the club
            assert shown == {founded[number][kind] for number in ((2,) if hidden else (1, 2))}
        held = api.get(f"/v1/players/{founder}/held").get_json()
        for kind in ("clubs", "seasons", "tournaments"):
            left = {founded[number][kind] for number in (1, 2) if (kind, number) != (damaged, 1)}
            assert {each["record"] for each in held[kind]} == left
        for path in ("/", "/clubs", "/tournaments"):
            assert api.get(path).status_code == 200, path
    finally:
        app.close()


def found(api: Api, number: int) -> dict[str, str]:
    """A club, and a season and a tournament of it."""
    clubs, seasons, tournaments = (f"019aa000-0000-7000-8000-00000000{number}00{each}" for each in range(3))
    assert api.post("/v1/clubs", {"id": clubs, "name": "Friday"}).status_code == 201
    assert api.post("/v1/seasons", {"id": seasons, "name": "Autumn", "club": clubs}).status_code == 201
    founder = api.get(f"/v1/clubs/{clubs}").get_json()["members"][0]["player"]
    given = {"id": f"019aa000-0000-7000-8000-00000000{number}003", "type": "season.points_given"}
    given["data"] = {"player": founder, "points": 1}
    assert api.post(f"/v1/seasons/{seasons}/entries", given).status_code == 201
    assert api.post("/v1/tournaments", {"id": tournaments, "name": "Cup", "club": clubs}).status_code == 201
    return {"clubs": clubs, "seasons": seasons, "tournaments": tournaments}


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
