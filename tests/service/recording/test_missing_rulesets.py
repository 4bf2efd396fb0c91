"""A game without its ruleset: recorded, not readable, and as it was when the ruleset comes back."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner
from uuid_utils import uuid7

from games.rulesets import RULESETS
from service.app import create_app
from service.cli.commands import kifu
from service.settings import Settings
from tests.plugins import reversi
from tests.service.conftest import Api
from tests.service.entries import entry, info, recorded_entry, send, timeline

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

MOVES = ("f5", "f6", "e6", "f4")
ANNA = "Anna Ōta"


class Service:
    """A service on one data folder that is started again and again, with Reversi or without it."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.folder, self._patch, self._open = folder, monkeypatch, list[Api]()

    def start(self, revision: int | None = 1, folder: str = "data") -> Api:
        """The service anew, with this revision of Reversi installed; None: with none."""
        self.stop()
        if revision is None:
            self._patch.delitem(RULESETS, "reversi", raising=False)
        else:
            object.__setattr__(reversi(), "revision", revision)
            self._patch.setitem(RULESETS, "reversi", reversi())
        self._open.append(Api(create_app(Settings(data=self.folder / folder))))
        return self._open[-1]

    def stop(self) -> None:
        while self._open:
            self._open.pop().app.close()


@pytest.fixture
def service(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Service]:
    made = Service(tmp_path, monkeypatch)
    yield made
    made.stop()
    object.__setattr__(reversi(), "revision", 1)


def play(api: Api) -> str:
    """Four moves, the third of them replaced, a ruling and a note."""
    game = api.open(ruleset="reversi", title="In the park", seats=[{"name": ANNA}, {}])
    assert api.record(game, *MOVES).status_code == 201
    recorded_entry(send(api, game, entry("entry.replaced", entry=5, move="d6", keep="all", reason="seen wrong")))
    recorded_entry(send(api, game, entry("ruling.given", reason="rain", adjustments=["points seat=White points=2"])))
    recorded_entry(send(api, game, entry("note.added", text="what a game")))
    api.catch_up()
    return game


HEAD = 8


def everything(api: Api, game: str) -> list[Any]:
    """What the service tells of a game."""
    api.catch_up()
    parts = (
        "",
        "/state",
        "/score",
        "/moves",
        "/timeline",
        "/claims",
        "/board.svg",
        "/state?at=3",
        "/export?format=text",
    )
    content = [api.get(f"/v1/games/{game}{part}").text for part in parts]
    return [*content, api.get("/v1/games?q=リバーシ").get_json()["games"]]


MISSING: dict[str, Callable[[Service], Api]] = {
    "no such ruleset": lambda service: service.start(None),
    "an older revision": lambda service: service.start(1),
}
WHY = {
    "no such ruleset": "its ruleset reversi, revision 2, is not installed here",
    "an older revision": "its ruleset reversi, revision 2, is installed here in revision 1",
}


@pytest.fixture(params=MISSING)
def case(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.mark.slow
def test_a_game_without_its_ruleset_is_shown_as_recorded_and_is_as_it_was_when_it_comes_back(
    service: Service, case: str
) -> None:
    api = service.start(2)
    game = play(api)
    before = everything(api, game)
    exported = api.get(f"/v1/games/{game}/export?names=true").data.splitlines()[1:]

    api = MISSING[case](service)
    api.catch_up()
    found = info(api, game)
    assert (found["status"], found["version"], found["title"]) == ("unreadable", HEAD, "In the park")
    assert found["unreplayable"] == {"entry": 1, "why": WHY[case]}
    assert (found["undo"], found["redo"], found["scores"], found["seats"][0]["name"]) == (None, None, [], ANNA)
    (listed,) = api.get("/v1/games?status=unreadable").get_json()["games"]
    assert (listed["game"], listed["ruleset"], listed["title"]) == (game, "reversi", "In the park")
    assert listed["reason"] == f"game {game} cannot be read: {WHY[case]}"
    assert api.get(f"/v1/games/{game}/export?names=true").data.splitlines()[1:] == exported

    api = service.start(2)
    assert everything(api, game) == before
    assert recorded_entry(send(api, game, entry("move.made", move="g7")))["version"] == HEAD + 1


@pytest.mark.slow
def test_the_entries_of_a_game_without_its_ruleset_are_told_as_they_are_stored(service: Service, case: str) -> None:
    game = play(service.start(2))
    api = MISSING[case](service)
    opened, first, *_, replaced, ruled, noted = timeline(api, game)
    assert opened["type"] == "game.opened"
    assert json.loads(first["stored"]) == {"type": "place", "seat": 0, "square": "f5"}
    assert (first["unreplayable"], first["scores"], "undo" in first) == (WHY[case], [], False)
    assert (replaced["entry"], replaced["text"]) == (5, "seen wrong")
    assert json.loads(replaced["stored"])["square"] == "d6"
    assert (ruled["text"], json.loads(ruled["stored"])[0]["points"]) == ("rain", 2)
    assert noted["text"] == "what a game"
    assert "unreplayable" not in noted
    assert api.get(f"/v1/games/{game}/timeline?after=6").get_json()["entries"] == [ruled, noted]
    stored = api.get(f"/v1/games/{game}/events").get_json()["events"]
    assert stored[1]["data"]["move"]["square"] == "f5"
    page = api.get(f"/games/{game}")
    assert page.status_code == 200
    for said in (
        "In the park",
        ANNA,
        WHY[case],
        "&#34;square&#34;:&#34;f5&#34;",
        "what a game",
        "/export?format=ndjson",
        '<small class="by">by <bdi>owner</bdi></small>',
    ):
        assert said in page.text
    api.show(game)
    api.token = None
    assert WHY[case] in api.get(f"/games/{game}").text
    assert 'class="by"' not in api.get(f"/games/{game}").text, "who only recorded it is not told to everybody"
    for path in (f"/games/{game}", f"/v1/games/{game}/timeline"):
        assert not re.search(r"(?<![0-9a-f-])f5(?![0-9a-f-])", api.get(path).text)  # in no id, that is


@pytest.mark.slow
def test_what_needs_the_ruleset_is_refused_by_its_name_and_a_note_is_taken(service: Service, case: str) -> None:
    game = play(service.start(2))
    api = MISSING[case](service)
    parts = ("state", "score", "moves", "claims", "board.svg", "board.txt", "state?at=3", "state?after=1")
    answers = [api.get(f"/v1/games/{game}/{part}") for part in (*parts, "state?after=3", "score?at=1")]
    answers += [api.get(f"/v1/games/{game}/export?format=text"), api.record(game, "g7")]
    answers += [api.record(game, {"type": "place", "seat": 1, "square": "g7"}, query="?dry_run=true")]
    for refused in (
        entry("entry.withdrawn", entry=3),
        entry("entry.inserted", after=3, move="g7"),
        entry("ruling.given", reason="rain", after=2),
        entry("ruling.given", reason="rain"),
        entry("seat.changed", seat=0),
        entry("game.closed", how="finished"),
    ):
        answers.append(send(api, game, refused))
    answers += [api.post(f"/v1/games/{game}/forks", {"id": str(uuid7())})]
    for answer in answers:
        problem = answer.get_json()
        assert (answer.status_code, problem["type"]) == (409, "/problems/ruleset-missing"), answer.text
        assert (problem["ruleset"], problem["revision"]) == ("reversi", 2)
        assert WHY[case] in problem["detail"]
    assert info(api, game)["version"] == HEAD
    recorded_entry(send(api, game, entry("note.added", text="it rains", entry=3)))
    assert timeline(api, game)[-1]["text"] == "it rains"
    assert info(service.start(2), game)["version"] == HEAD + 1


@pytest.mark.slow
def test_a_record_is_imported_without_its_ruleset_and_read_once_that_comes(service: Service, case: str) -> None:
    api = service.start(2)
    game = play(api)
    before = everything(api, game)
    record = api.get(f"/v1/games/{game}/export?names=true").data
    service.stop()
    MISSING[case](service)
    api = service.start(None if case == "no such ruleset" else 1, "elsewhere")
    media = "application/x-ndjson"
    assert api.post("/v1/imports", data=record, content_type=media).status_code == 201
    api.catch_up()
    (listed,) = api.get("/v1/games?q=park").get_json()["games"]
    assert (listed["status"], listed["title"], listed["version"]) == ("unreadable", "In the park", HEAD)
    assert api.get(f"/v1/games/{game}/export?names=true").data.splitlines()[1:] == record.splitlines()[1:]
    broken = record.replace(b'"what a game"', b"7")
    answer = api.post("/v1/imports", data=broken, content_type=media)
    assert answer.get_json()["type"] == "/problems/bad-import"
    api = service.start(2, "elsewhere")
    assert everything(api, game) == before


@pytest.mark.slow
def test_upkeep_goes_on_without_a_ruleset_and_says_what_it_could_not_replay(service: Service, tmp_path: Path) -> None:
    game = play(service.start(1))
    record = tmp_path / "game.ndjson"
    record.write_bytes(service.start(1).get(f"/v1/games/{game}/export").data)
    service.start(None)
    service.stop()

    def run(*words: str, code: int = 0) -> str:
        done = CliRunner().invoke(kifu, list(words), env={"KIFU_DATA": str(tmp_path / "data"), "KIFU_URL": None})
        assert done.exit_code == code, done.output
        return done.output

    archive = str(tmp_path / "all.zip")
    run("export", "--all", archive)
    for path in ((), (str(record),), (archive,)):
        result = run("verify", *path)
        assert "Sound" in result
        assert "1 game of reversi, a ruleset that is not installed here" in " ".join(result.split())
        assert "Against the rules" not in result, "nobody has looked"
        assert json.loads(run("verify", *path, "--json"))["irregular"] is None
    assert json.loads(run("verify", archive, "--json"))["not_replayed"] == {"reversi": 1}
    assert json.loads(run("verify", "--json"))["not_replayed"] == {"reversi": 1}
    run("backup", str(tmp_path / "copy"))
    assert "unreadable" in run("games")
    assert "Rebuilt 1 game" in run("rebuild")
    assert '{"seat":0,"square":"f5","type":"place"}' in "".join(run("replay", game).split())
    why = WHY["no such ruleset"].replace("2", "1")
    assert f"recorded, but not readable here: {why}; {HEAD} entries" in " ".join(run("show", game).split())
    assert f"the game cannot be corrected here: {why}" in run("undo", game, code=1)
    assert why in run("score", game, code=1)
    api = service.start(1)
    api.catch_up()
    assert api.get("/v1/games").get_json()["games"][0]["status"] == "playing"
    assert "Not replayed" not in run("verify", str(tmp_path / "copy"))


def test_pages_show_an_installed_ruleset_and_its_games_as_any_other(service: Service) -> None:
    api = service.start(1)
    game = play(api)
    assert "In the park" in api.get("/").text
    page = api.get(f"/games/{game}")
    assert page.status_code == 200
    assert 'viewBox="0 0 1000' in page.text
    assert "Reversi" in api.get("/rulesets").text
    assert "リバーシ" in api.get("/rulesets", headers={"Accept-Language": "ja"}).text
    rules = api.get("/rulesets/reversi").text
    assert 'id="PASS-1"' in rules
    assert "a disc on d3" in rules
    board = api.get(f"/v1/games/{game}/board.svg").text
    assert 'data-at="f5"' in board
    assert "reversi" in {each["name"] for each in api.get("/v1/rulesets").get_json()["rulesets"]}


def test_other_games_and_pages_are_as_ever_while_a_ruleset_is_missing(service: Service) -> None:
    play(service.start(2))
    api = service.start(None)
    assert api.record(api.open(), "deal black BARI COCO DUDA").status_code == 201
    api.catch_up()
    assert [game["status"] for game in api.get("/v1/games").get_json()["games"]] == ["playing", "unreadable"]
    for path in ("/", "/rulesets", "/v1/rulesets", "/v1/feed"):
        assert api.get(path).status_code == 200, path
    assert api.post("/v1/games", {"id": str(uuid7()), "ruleset": "reversi"}).get_json()["type"] == (
        "/problems/ruleset-unknown"
    )
