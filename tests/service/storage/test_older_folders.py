"""Data folders that services of older releases left: one for each schema of the log and of what lies beside it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from contextlib import closing, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner

from events.sqlite import LOG
from events.tree.notes import parse_signer
from events.tree.tree import KEY
from events.verification import verify_export
from service.app import create_app
from service.cli.commands import kifu
from service.settings import Settings
from tests import unpacking, warm
from tests.choosing import soak_except
from tests.processes import running_processes
from tests.service.cli.conftest import Kifu
from tests.service.conftest import UNLIMITED, Api
from tests.service.entries import entry
from tests.service.fleet import WEB
from tests.waiting import until

if TYPE_CHECKING:
    from collections.abc import Callable

    Facts = dict[str, Any]

GOLDEN = Path(__file__).parents[2] / "golden" / "folders"
FACTS: dict[str, Facts] = json.loads((GOLDEN / "facts.json").read_bytes())
"""What each release said of its folder, by the commit that it was built from."""

LAST_OF_EACH = list({facts["log"]: name for name, facts in FACTS.items()}.values())
"""The last folder of each schema of the log."""

READABLE = 3
"""The first schema of the log that is proved without a start of this release."""


@pytest.fixture(params=FACTS)
def older(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Path, Facts]:
    """A folder, as an older service left it, and what it said of it."""
    return unpack(request.param, tmp_path / "data"), FACTS[request.param]


def unpack(name: str, folder: Path) -> Path:
    return unpacking.unpack(GOLDEN / f"{name}.tar.xz", folder)


def test_a_folder_of_each_older_release_is_proved_or_says_what_to_do(older: tuple[Path, Facts]) -> None:
    folder, facts = older
    proved = Kifu(folder).run("verify")
    if facts["log"] < READABLE:
        assert proved.exit_code == 1
        (line,) = proved.stderr.splitlines()
        assert line.startswith(
            f"kifu: {folder / LOG} has schema {facts['log']}, of an older release: start the service"
        )
    else:
        assert proved.exit_code == 0, proved.output
        assert proved.stdout.startswith("Sound: ")
        assert ("2 games and 1 record of a club" in proved.stdout) == ("club" in facts["holds"])


def test_a_service_of_this_release_goes_on_with_a_folder_of_each_older_one(older: tuple[Path, Facts]) -> None:
    folder, facts = older
    key = (folder / KEY).read_text(encoding="ascii") if (folder / KEY).exists() else ""
    token = (folder / "owner.token").read_text(encoding="ascii").strip()
    with closing(create_app(Settings(data=folder, **UNLIMITED))) as app:
        api = Api(app)
        assert api.token == token
        app.context.catch_up()
        holds_what_was_recorded(api, facts)
        holds_what_lies_beside_it(api, facts)
        goes_on(api, facts)
        if key:
            assert str(app.context.tree.verifier) == str(parse_signer(key).verifier)
    commands = Kifu(folder)
    assert commands.run("verify").exit_code == 0
    rebuilt = json.loads(commands.run("rebuild", "--json").stdout)
    assert (rebuilt["drifted"], rebuilt["unreadable"], rebuilt["tree"]["contradicted"]) == ([], {}, None)
    assert (rebuilt["games"], rebuilt["clubs"]) == (1 + ("other" in facts["holds"]), int("club" in facts["holds"]))


def holds_what_was_recorded(api: Api, facts: Facts) -> None:
    game = facts["game"]
    state = api.get(f"/v1/games/{game}/score").get_json()
    assert (state["version"], state["hash"], state["scores"]) == (facts["version"], facts["hash"], [0, 0])
    told = api.get(f"/v1/games/{game}/timeline").text
    assert "a dropped card" in told
    assert ("a secret" in told) == ("erased" not in facts["holds"])
    listed = api.get("/v1/games").get_json()["games"]
    assert len(listed) == 1 + ("other" in facts["holds"])
    exported = api.get(f"/v1/games/{game}/export").data.splitlines()
    assert verify_export(exported).sound


def holds_what_lies_beside_it(api: Api, facts: Facts) -> None:
    listed: dict[str, Callable[[], list[Any]]] = {
        "tokens": lambda: [each for each in api.get("/v1/tokens").get_json()["tokens"] if each["name"] == "phone"],
        "links": lambda: api.get(f"/v1/games/{facts['game']}/links").get_json()["links"],
        "webhooks": lambda: api.get("/v1/webhooks").get_json()["webhooks"],
        "club": lambda: api.get("/v1/clubs").get_json()["clubs"],
        "merge": lambda: api.get("/v1/merges").get_json()["merges"],
    }
    for name, look in listed.items():
        assert len(look()) == (name in facts["holds"]), name


def goes_on(api: Api, facts: Facts) -> None:
    game, more = facts["game"], entry("note.added", text="of this release")
    stored = api.post(f"/v1/games/{game}/events", {"events": [more]}, headers={"If-Match": f'"v{facts["version"]}"'})
    assert stored.status_code == 201, stored.text
    context = api.app.context
    context.catch_up()
    assert context.tree.size == context.archive.log.position()
    assert context.tree.stopped is None


@pytest.mark.slow
@pytest.mark.parametrize("name", soak_except(LAST_OF_EACH, LAST_OF_EACH[0], LAST_OF_EACH[-1]))
@pytest.mark.empty_database
def test_an_older_folder_outlives_kills_and_goes_to_a_database_and_back(
    name: str, tmp_path: Path, database: str
) -> None:
    """Its first start of this release is killed at several moments, and so is the move to the database.

    The oldest folder is changed in every step from one schema to the next, and the newest one holds the most.
    """
    folder, facts, back = tmp_path / "data", FACTS[name], tmp_path / "back"
    unpack(name, folder)
    for changes in (1, 3, 6):
        killed(WEB, changes, folder, KIFU_PORT="0")
    with closing(create_app(Settings(data=folder, **UNLIMITED))) as app:
        goes_on(Api(app), facts)
    assert Kifu(folder).run("backup", str(tmp_path / "backup")).exit_code == 0
    assert Kifu(tmp_path / "backup").run("verify").exit_code == 0
    for changes in (1, 4):
        killed(("service.cli", "move", "--to", database), changes, folder)
    moved = Kifu(folder).run("move", "--to", database)
    assert moved.exit_code == 0 or not (folder / LOG).exists(), moved.output
    returned = CliRunner().invoke(
        kifu, ["move", "--to", str(back)], env={"KIFU_DATA": str(folder), "KIFU_DATABASE_URL": database}
    )
    assert returned.exit_code == 0, returned.output
    assert Kifu(back).run("verify").exit_code == 0
    with closing(create_app(Settings(data=back, **UNLIMITED))) as app:
        app.context.catch_up()
        api = Api(app)
        exported = api.get(f"/v1/games/{facts['game']}/export").data.splitlines()
        holds_what_lies_beside_it(api, facts)
        assert app.context.tree.stopped is None
    assert json.loads(exported[facts["version"]])["hash"] == facts["hash"]


def killed(words: tuple[str, ...], changes: int, folder: Path, **settings: str) -> None:
    """Run a module of the service, and kill it once so many files of the folder have changed, or after ten seconds."""
    before, settings = states(folder), {"KIFU_DATA": str(folder), **settings}
    environment = os.environ | settings
    command = [sys.executable, "-m", *words]
    with warm.Popen(command, env=environment, stdout=subprocess.DEVNULL, start_new_session=True) as process:
        with suppress(AssertionError):
            until(lambda: len(states(folder) - before) >= changes or process.poll() is not None, patience=10)
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)  # and what it has started
    until(lambda: not any(_session(pid) == process.pid for pid in running_processes()))


def _session(pid: int) -> int:
    try:
        return os.getsid(pid)
    except ProcessLookupError:
        return 0


def states(folder: Path) -> set[tuple[str, int, int]]:
    """The files of a folder, each with its size and the time of its last change."""
    found = set()
    for path in folder.rglob("*"):
        with suppress(FileNotFoundError):
            status = path.stat()
            found.add((str(path), status.st_size, status.st_mtime_ns))
    return found
