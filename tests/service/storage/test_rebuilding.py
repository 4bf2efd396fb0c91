"""While the list of games is made anew, it is not answered, and health says so; everything else goes on."""

from __future__ import annotations

import os
import shutil
import sys
import threading
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import pytest

from service.api.routes import games
from service.app import create_app
from service.settings import Settings
from tests import warm
from tests.service.conftest import Api

if TYPE_CHECKING:
    from projections.fold import Fold


@pytest.fixture
def lost(api: Api, tmp_path: Path) -> Path:
    """A data folder with ten games and without its read models."""
    for number in range(10):
        api.open(title=str(number))
    folder = tmp_path / "lost"
    api.app.context.archive.log.backup(tmp_path / "copy.db")
    folder.mkdir()
    for name in ("copy.db", "copy.db.heads"):
        shutil.move(tmp_path / name, folder / name.replace("copy", "kifu"))
    return folder


def test_lists_are_refused_until_lost_read_models_are_made_anew(lost: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games, "READ_MODEL_WAIT", 0.05)
    go_on = threading.Event()

    def slowly(self: object, fold: Fold) -> None:
        assert go_on.wait(30)

    monkeypatch.setattr("projections.projector.Projector._keep_passed", slowly)
    app = create_app(Settings(data=lost))
    try:
        api = Api(app)
        refused = api.get("/v1/games")
        assert (refused.status_code, refused.mimetype) == (503, "application/problem+json")
        assert refused.get_json()["type"] == "/problems/rebuilding"
        assert 1 <= int(refused.headers["Retry-After"]) <= 60
        assert api.get("/").status_code == 503
        health = api.get("/v1/health").get_json()
        assert health["status"] == "rebuilding"
        assert (health["rebuilding"]["done"], health["rebuilding"]["left"]) == (0, 10)
        game = api.open(title="meanwhile")
        assert api.get(f"/v1/games/{game}").status_code == 200
        assert api.get(f"/games/{game}").status_code == 200
        go_on.set()
        api.catch_up()
        assert len(api.get("/v1/games").get_json()["games"]) == 11
        health = api.get("/v1/health").get_json()
        assert (health["status"], health["rebuilding"]) == ("ok", None)
    finally:
        go_on.set()
        app.close()


def test_a_row_that_is_not_what_was_written_is_not_listed_but_made_again(api: Api) -> None:
    game = api.open(title="Sunday")
    api.catch_up()
    views = api.app.context.archive.views
    with views.transaction() as db:
        db.execute("update game set title = 'Sundry'")
    assert api.get("/v1/games").status_code == 503
    api.catch_up()
    (listed,) = api.get("/v1/games").get_json()["games"]
    assert (listed["game"], listed["title"]) == (game, "Sunday")


@pytest.mark.parametrize("status", ["playing", "finished"])
def test_every_page_of_a_list_follows_from_the_one_before(api: Api, status: str) -> None:
    games = [api.open(title=str(number)) for number in range(5)]
    api.catch_up()
    seen, path = [], f"/v1/games?limit=2&status={status}"
    while path:
        answer = api.get(path).get_json()
        seen += [game["game"] for game in answer["games"]]
        path = answer["next"] and f"/v1/games?limit=2&status={status}&cursor={answer['next']}"
    assert seen == (games[::-1] if status == "playing" else [])


@pytest.mark.parametrize(
    "place",
    [[1, 2], [1, 1 << 63, "x", False], [1 << 70, 1, "x", True], [-1, 1, "x", False], [1, 1, "x", False], "x", None],
)
def test_a_false_cursor_is_refused(api: Api, place: object) -> None:
    import base64

    import msgspec

    cursor = base64.urlsafe_b64encode(msgspec.json.encode(place)).decode()
    refused = api.get(f"/v1/games?cursor={cursor}")
    assert (refused.status_code, refused.get_json()["type"]) == (400, "/problems/bad-request")


def test_health_says_that_the_log_was_taken_away_and_nothing_is_stored(api: Api) -> None:
    game, log = api.play("b-d"), api.app.context.archive.log.path
    log.rename(log.with_name("elsewhere"))
    refused = api.record(game, "+")
    assert (refused.status_code, refused.get_json()["type"]) == (507, "/problems/storage-unwritable")
    assert api.get("/v1/health").get_json()["status"] == "unwritable"
    assert api.get(f"/v1/games/{game}/state").status_code == 200
    log.with_name("elsewhere").rename(log)
    assert api.record(game, "+").status_code == 201
    api.app.context.catch_up()
    assert api.get("/v1/health").get_json()["status"] == "ok"


def test_health_says_that_the_disk_is_full(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    game = api.open()
    api.app.context.catch_up()
    assert api.get("/v1/health").get_json()["status"] == "ok"
    monkeypatch.setattr("events.sqlite.log.LOW_SPACE", 1 << 62)
    assert api.get("/v1/health").get_json()["status"] == "full"
    monkeypatch.undo()
    assert api.get("/v1/health").get_json()["status"] == "ok"
    assert api.get(f"/v1/games/{game}").status_code == 200


def test_every_file_of_a_data_folder_is_its_owners_alone(tmp_path: Path) -> None:
    """Also of one that an older release made."""
    folder, before = tmp_path / "data", os.umask(0o022)
    try:
        for _ in range(2):
            app = create_app(Settings(data=folder))
            Api(app).open()
            Api(app).catch_up()
            inside = [folder, *folder.rglob("*")]
            assert [path for path in inside if path.stat().st_mode & 0o077] == []
            assert {path.name for path in inside} >= {"work.db", "kifu.db", "kifu.db-wal", "views", "current"}
            app.close()
            for path in folder.rglob("*"):
                path.chmod(0o755 if path.is_dir() else 0o644)
            folder.chmod(0o755)
            os.umask(0o022)
    finally:
        os.umask(before)


FIND_AS_NOBODY = """
import os, sys
from pathlib import Path
from service import databases
if os.geteuid() == 0:
    os.setuid(65534)
print(*databases.findings(Path(sys.argv[1]), ""), sep="\\n", end="")
"""


@pytest.mark.programs
def test_a_folder_that_can_only_be_read_is_found_sound() -> None:
    """Such as a copy on a read-only medium: SQLite would put files beside the databases to read them."""
    with TemporaryDirectory() as place:
        folder = Path(place) / "data"
        app = create_app(Settings(data=folder))
        Api(app).open()
        app.close()
        for path in (Path(place), folder, *folder.rglob("*")):
            path.chmod(0o555 if path.is_dir() else 0o444)
        command = [sys.executable, "-c", FIND_AS_NOBODY, str(folder)]
        found = warm.run(command, text=True)
        assert (found.returncode, found.stdout) == (0, ""), found.stderr
        for path in (Path(place), folder, *(each for each in folder.rglob("*") if each.is_dir())):
            path.chmod(0o755)
