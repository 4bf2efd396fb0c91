"""A record with an entry that cannot be carried out, as an older release may have stored it.

It can be read up to there, says which entry it is and why, and lives on when that entry is corrected.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from uuid_utils import uuid7

from events.event import NewEvent
from tests.service.entries import bridges, entry, info, recorded_entry, send, timeline

if TYPE_CHECKING:
    from werkzeug.test import TestResponse

    from tests.service.conftest import Api

BUILT = {"type": "build", "seat": 0, "card": "BARI", "line": "BARI-DUDA"}
BROKEN: dict[str, dict[str, Any]] = {
    "no move of the game": BUILT | {"card": "NOWHERE"},
    "a bridge on a bridge": BUILT,
}
STUCK = 4
JA = {"Accept-Language": "ja"}
HEAD = 6


def store(api: Api, game: str, kind: str, **data: Any) -> None:
    """Put an entry into the log as it is, judged by nobody."""
    log = api.app.context.archive.log
    log.append(game, [NewEvent(id=str(uuid7()), type=kind, data=data)], expected=log.head(game).version, recorder="old")


@pytest.fixture(params=BROKEN)
def stuck(api: Api, request: pytest.FixtureRequest) -> str:
    """A deal, a bridge (3), what cannot be carried out (4), a move (5) and a note (6)."""
    game = api.play("b-d")
    store(api, game, "move.made", move=BROKEN[request.param])
    store(api, game, "move.made", move={"type": "decline", "seat": 0})
    store(api, game, "note.added", text="what a game")
    return game


def refused(answer: TestResponse) -> dict[str, Any]:
    problem = answer.get_json()
    assert (answer.status_code, problem["type"]) == (409, "/problems/unreplayable"), answer.text
    assert problem["version"] == STUCK
    assert isinstance(problem, dict)
    return problem


def test_a_game_says_which_entry_cannot_be_carried_out_and_why(api: Api, stuck: str) -> None:
    found = info(api, stuck)
    assert (found["status"], found["version"], found["unreplayable"]["entry"]) == ("unreadable", HEAD, STUCK)
    assert found["unreplayable"]["why"]
    for part in ("state", "score", "moves", "board.svg", "board.txt", f"state?after={HEAD}", f"score?at={STUCK}"):
        assert refused(api.get(f"/v1/games/{stuck}/{part}"))["why"] == found["unreplayable"]["why"]
    refused(api.record(stuck, "-"))
    page = api.get(f"/games/{stuck}")
    assert page.status_code == 409
    assert f"entry {STUCK}" in page.text
    assert "Withdraw or replace" in page.text


def test_a_game_can_be_read_up_to_the_entry_that_cannot_be_carried_out(api: Api, stuck: str) -> None:
    for query in (f"?at={STUCK - 1}", f"?after={STUCK - 1}"):
        assert bridges(api, stuck, query) == {"BARI-DUDA"}
    first, *_, third, broken, moved, noted = timeline(api, stuck)
    assert (first["type"], third["notation"]) == ("game.opened", "BARI-DUDA")
    assert broken["unreplayable"] == info(api, stuck)["unreplayable"]["why"]
    assert (broken["scores"], moved["scores"], noted["scores"]) == ([], [], [])
    assert (moved["move"]["type"], noted["text"]) == ("decline", "what a game")
    assert api.get(f"/v1/games/{stuck}/timeline?after={STUCK}").get_json()["entries"] == [moved, noted]
    api.show(stuck)
    api.token = None
    for path in ("/timeline", "", "/state"):
        text = api.get(f"/v1/games/{stuck}{path}").text
        assert "game-unknown" not in text
        assert "NOWHERE" not in text
        assert "already" not in text


@pytest.mark.parametrize(
    "correction",
    [
        entry("entry.withdrawn", entry=STUCK),
        entry("entry.replaced", entry=STUCK, move="c-g"),
        entry("entry.inserted", after=3, move="c-g", withdraw=[STUCK]),
        entry("ruling.given", after=3, reason="let us go on", withdraw="all"),
    ],
    ids=lambda sent: f"{sent['type']}",
)
def test_a_game_is_healed_by_correcting_its_entry(api: Api, elsewhere: Api, stuck: str, correction: Any) -> None:
    dry = recorded_entry(send(api, stuck, correction, dry=True))
    done = recorded_entry(send(api, stuck, correction))
    assert done["scores"] == dry["scores"] == [0, 0]
    found = info(api, stuck)
    assert (found["status"], found["unreplayable"], found["version"]) == ("playing", None, HEAD + 1)
    assert recorded_entry(send(api, stuck, entry("move.made", move="+")))["seat"] == 1
    exported = api.get(f"/v1/games/{stuck}/export")
    taken = elsewhere.post("/v1/imports", data=exported.data, content_type="application/x-ndjson")
    assert taken.status_code == 201, taken.text
    assert bridges(elsewhere, stuck) == bridges(api, stuck)
    assert timeline(elsewhere, stuck) == timeline(api, stuck)
    recorded_entry(send(api, stuck, entry("entry.withdrawn", entry=HEAD + 2)))
    if correction["type"] != "ruling.given":
        refused_again = send(api, stuck, entry("entry.withdrawn", entry=HEAD + 1))
        assert refused_again.status_code == 409
        assert [found["version"] for found in refused_again.get_json()["conflicts"]] == [STUCK]


def test_two_entries_that_cannot_be_carried_out_are_withdrawn_together(api: Api, stuck: str) -> None:
    store(api, stuck, "move.made", move=BROKEN["no move of the game"])
    alone = send(api, stuck, entry("entry.withdrawn", entry=STUCK))
    assert [found["version"] for found in alone.get_json()["conflicts"]] == [HEAD + 1]
    recorded_entry(send(api, stuck, entry("entry.withdrawn", entry=STUCK, withdraw="all")))
    assert info(api, stuck)["status"] == "playing"


def test_a_healing_sent_again_gets_the_same_answer(api: Api, stuck: str) -> None:
    healing = entry("entry.withdrawn", entry=STUCK)
    first, again = send(api, stuck, healing), send(api, stuck, healing)
    assert (first.status_code, first.data) == (again.status_code, again.data) == (201, first.data)


def test_notes_claims_and_exports_of_a_broken_record_are_taken_and_given(api: Api, stuck: str) -> None:
    recorded_entry(send(api, stuck, entry("note.added", text="it hangs", entry=STUCK)))
    recorded_entry(send(api, stuck, entry("score.claimed", scores=[3, 4])))
    refused(send(api, stuck, entry("ruling.given", reason="we go on")))
    lines = api.get(f"/v1/games/{stuck}/export?names=true").data.splitlines()
    assert len(lines) == 1 + HEAD + 2
    again = api.post("/v1/imports", data=b"\n".join(lines), content_type="application/x-ndjson")
    assert again.status_code == 400
    assert (again.get_json()["type"], again.get_json()["line"]) == ("/problems/bad-import", STUCK + 1)


def test_a_broken_record_stands_in_the_list_with_its_cause_until_it_is_healed(api: Api, stuck: str) -> None:
    api.catch_up()
    (listed,) = api.get("/v1/games?status=unreadable").get_json()["games"]
    assert (listed["game"], f"entry {STUCK}" in listed["reason"]) == (stuck, True)
    for told_so in (api.get("/v1/games", headers=JA).get_json()["games"][0]["reason"], api.get("/", headers=JA).text):
        assert f"記入 {STUCK} を再現できません" in told_so
    recorded_entry(send(api, stuck, entry("entry.withdrawn", entry=STUCK)))
    api.catch_up()
    assert api.get("/v1/games?status=unreadable").get_json()["games"] == []


def test_a_broken_record_can_be_forked_before_the_entry(api: Api, stuck: str) -> None:
    for where in ({"at": STUCK - 1}, {"at": STUCK - 1, "after": 2}):
        fork = api.post(f"/v1/games/{stuck}/forks", {"id": str(uuid7())} | where)
        assert fork.status_code == 201, fork.text
    refused(api.post(f"/v1/games/{stuck}/forks", {"id": str(uuid7())}))


def test_a_broken_record_that_was_closed_is_reopened_and_healed(api: Api, stuck: str) -> None:
    store(api, stuck, "game.closed", how="abandoned")
    healing = entry("entry.withdrawn", entry=STUCK)
    assert send(api, stuck, healing).get_json()["type"] == "/problems/game-closed"
    recorded_entry(send(api, stuck, entry("game.reopened", reason="to heal it")))
    recorded_entry(send(api, stuck, healing))
    assert info(api, stuck)["status"] == "playing"


def test_an_entry_of_a_newer_release_is_a_clear_problem_in_every_reader(api: Api, monkeypatch: Any) -> None:
    from events import entries

    game = api.play("b-d")
    with monkeypatch.context() as newer:
        newer.setattr(entries.SCHEMAS, "current", lambda _: 9)
        store(api, game, "note.added", text="from the future")
    parts = ["", "/state", "/score", "/moves", "/timeline", "/claims", "/board.svg", "/export?format=text"]
    answers = [api.get(f"/v1/games/{game}{part}") for part in parts]
    answers += [api.record(game, "-"), send(api, game, entry("entry.withdrawn", entry=3))]
    answers += [api.post(f"/v1/games/{game}/forks", {"id": str(uuid7())})]
    problems = [(answer.status_code, answer.get_json()["type"]) for answer in answers]
    assert set(problems) == {(409, "/problems/record-newer")}
    assert bridges(api, game, "?at=3") == {"BARI-DUDA"}
    exported = api.get(f"/v1/games/{game}/export").data.splitlines()
    assert json.loads(exported[4])["opened"]["text"]["content"] == {"text": "from the future"}
    taken = api.post("/v1/imports", data=b"\n".join(exported), content_type="application/x-ndjson")
    assert taken.get_json()["type"] == "/problems/bad-import"
    api.catch_up()
    (listed,) = api.get("/v1/games").get_json()["games"]
    assert (listed["status"], "newer release" in listed["reason"]) == ("unreadable", True)
