"""Erasing: what somebody typed, or an entry hides, is gone from everywhere, and the chain still holds."""

from __future__ import annotations

import io
import json
from typing import TYPE_CHECKING, Any

import pytest
from uuid_utils import uuid7

from events.verification import verify_export
from tests.proof import prove
from tests.service.entries import entry, info, recorded_entry, rule, send, timeline, unsealed

if TYPE_CHECKING:
    from pathlib import Path

    from tests.service.conftest import Api

pytestmark = pytest.mark.service("file")

WORD = "Xenoxylophonia"
"""What stands nowhere else."""


def erase(api: Api, game: str, number: int, what: str = "text") -> Any:
    return api.post(f"/v1/games/{game}/erasures", {"entry": number, "what": what})


def traces(folder: Path, word: str = WORD) -> list[str]:
    """The files of a data folder that hold the word."""
    return [str(path) for path in folder.rglob("*") if path.is_file() and word.encode() in path.read_bytes()]


@pytest.fixture
def game(api: Api) -> str:
    game = api.open(title=f"{WORD} 1", place=f"{WORD} 2")
    assert api.record(game, "deal black BARI COCO DUDA", "b-d", "-", "+?gola", "-").status_code == 201
    recorded_entry(send(api, game, entry("note.added", text=f"{WORD} 3")))
    recorded_entry(send(api, game, entry("move.made", move="d-e", override={"reason": f"{WORD} 4"})))
    recorded_entry(send(api, game, entry("entry.withdrawn", entry=8, reason=f"{WORD} 5")))
    rule(api, game, "points seat=White points=1", reason=f"{WORD} 6")
    recorded_entry(send(api, game, entry("score.claimed", scores=[0, 1], text=f"{WORD} 7")))
    recorded_entry(send(api, game, entry("seat.changed", seat=1, reason=f"{WORD} 8")))
    recorded_entry(send(api, game, entry("game.closed", how="abandoned", reason=f"{WORD} 9")))
    recorded_entry(send(api, game, entry("game.reopened", reason=f"{WORD} 10")))
    api.catch_up()
    return game


@pytest.mark.slow
def test_no_trace_of_erased_texts_is_left_anywhere_and_every_answer_goes_on(
    api: Api, game: str, tmp_path: Path
) -> None:
    scores = api.get(f"/v1/games/{game}/score").get_json()["scores"]
    for number in range(1, info(api, game)["version"] + 1):
        api.get(f"/v1/games/{game}/state?at={number}")
        assert erase(api, game, number).status_code == 200
    assert traces(tmp_path / "data") == []
    for part in ("", "/state", "/timeline", "/score", "/claims", "/export", "/export?format=text", "/board.svg"):
        answer = api.get(f"/v1/games/{game}{part}")
        assert (answer.status_code, WORD in answer.text) == (200, False), part
    assert WORD not in api.get(f"/games/{game}").text
    assert api.get(f"/v1/games?q={WORD[:6]}").get_json()["games"] == []
    assert api.get(f"/v1/games/{game}/score").get_json()["scores"] == scores
    prove(api.get(f"/v1/games/{game}/export").data.splitlines()[1:])
    assert (info(api, game)["title"], info(api, game)["place"]) == ("", "")


def test_no_trace_of_an_erased_card_is_left_and_it_is_as_one_that_was_never_noted(api: Api) -> None:
    game = api.play("-", "+?gola", "-")
    for number in range(1, 6):
        api.get(f"/v1/games/{game}/state?at={number}")
    assert "GOLA" in json.dumps(api.get(f"/v1/games/{game}/state").get_json()["state"]["hands"])
    assert erase(api, game, 4, "hidden").status_code == 200
    assert "GOLA" not in json.dumps(api.get(f"/v1/games/{game}/state").get_json()["state"]["hands"])
    assert timeline(api, game)[3]["notation"] == "+"
    recorded_entry(send(api, game, entry("move.revealed", entry=4, move="+?coco")))


def test_an_entry_says_what_was_erased_who_did_it_and_when(api: Api, game: str) -> None:
    assert not any("erased" in each for each in timeline(api, game))
    first = erase(api, game, 7).get_json()
    assert erase(api, game, 7).get_json() == first
    ((result,), listed) = first["erased"], timeline(api, game)
    assert (result["what"], result["by"], result["at"][:2]) == ("text", api.access.owner, "20")
    assert [each.get("erased") for each in listed if each["version"] in {6, 7}] == [None, [result]]
    assert listed[6]["text"] == "(sealed)"


@pytest.mark.parametrize("form", ["report", "html"])
def test_pages_to_print_and_to_keep_say_that_a_text_was_erased(api: Api, game: str, form: str) -> None:
    erase(api, game, 7)
    page = api.get(f"/v1/games/{game}/export?format={form}").text
    assert "its text was erased" in page
    assert "(sealed)" not in page


def test_an_entry_without_text_has_nothing_to_erase_and_says_so(api: Api) -> None:
    game = api.open(ruleset="scoresheet", seats=[{}, {}])
    before = api.get(f"/v1/games/{game}/export").data.splitlines()[1:]
    assert erase(api, game, 1).get_json()["erased"] == []
    assert api.get(f"/v1/games/{game}/export").data.splitlines()[1:] == before


def test_erasing_a_text_does_not_tell_the_public_whether_a_move_broke_a_rule(api: Api, game: str) -> None:
    """Entry 3 is a plain move, and entry 8 has a reason why it stands. Their erasures look the same to everybody."""
    for number in (3, 8):
        erase(api, game, number)
    told = [json.loads(line) for line in api.get(f"/v1/games/{game}/export?seat=public").data.splitlines()[-2:]]
    assert [each["data"] for each in told] == [{"entry": 3, "what": "text"}, {"entry": 8, "what": "text"}]
    assert not any("opened" in each or "erased" in each for each in told)


def test_an_erasure_stands_in_the_timeline_with_its_reason_also_of_a_closed_game(api: Api) -> None:
    game = api.open(title=f"{WORD} 1")
    recorded_entry(send(api, game, entry("game.closed", how="abandoned")))
    body = {"entry": 1, "what": "text", "reason": "a guest asked for it"}
    assert api.post(f"/v1/games/{game}/erasures", body).status_code == 200
    last = timeline(api, game)[-1]
    assert (last["type"], last["entry"], last["what"], last["text"]) == (
        "entry.erased", 1, "text", "a guest asked for it",
    )  # fmt: skip
    assert "undo" not in last
    assert info(api, game)["closed"] == "abandoned"


def test_nobody_records_an_erasure_that_erases_nothing(api: Api, game: str) -> None:
    answer = send(api, game, entry("entry.erased", entry=1, what="text"))
    assert (answer.status_code, answer.get_json()["type"]) == (400, "/problems/bad-request")


def test_a_phone_that_waited_meanwhile_records_on_after_an_erasure_but_not_after_a_move(api: Api) -> None:
    """The version that it knows is older, but nothing that it goes by was changed."""
    game = api.play("-")
    version = info(api, game)["version"]
    erase(api, game, 1)
    erase(api, game, 1)
    headers = {"If-Match": f'"v{version}"'}
    sent = {"events": [entry("note.added", text="still here")]}
    answer = api.post(f"/v1/games/{game}/events", sent, headers=headers)
    assert answer.status_code == 201, answer.text
    assert api.post(f"/v1/games/{game}/events", sent, headers=headers).data == answer.data
    other = {"events": [entry("note.added", text="too late")]}
    assert api.post(f"/v1/games/{game}/events", other, headers=headers).status_code == 412


def test_an_import_brings_the_erasure_as_an_entry_and_erases_what_is_open_here(api: Api, elsewhere: Api) -> None:
    game = api.play("-", "+?gola", "-")

    def taken(file: bytes) -> None:
        answer = elsewhere.request("POST", "/v1/imports", data=file, content_type="application/x-ndjson")
        assert answer.status_code == 201, answer.text

    before = api.get(f"/v1/games/{game}/export").data
    taken(before)
    erase(api, game, 4, "hidden")
    taken(api.get(f"/v1/games/{game}/export?seat=public").data)
    assert timeline(elsewhere, game)[-1]["type"] == "entry.erased"
    taken(before)  # which is older, and brings nothing back
    assert b"GOLA" not in elsewhere.get(f"/v1/games/{game}/export").data
    assert elsewhere.get(f"/v1/games/{game}").get_json()["hash"] == info(api, game)["hash"]


def test_a_file_in_which_an_erasure_was_undone_or_invented_is_refused(api: Api, game: str, elsewhere: Api) -> None:
    before = api.get(f"/v1/games/{game}/export").data.splitlines()
    erase(api, game, 7)
    after = api.get(f"/v1/games/{game}/export").data.splitlines()
    undone = [*after[:7], before[7], *after[8:]]
    invented = [*before[:7], after[7], *before[8:]]
    for lines, kind in ((undone, "unerased"), (invented, "unrecorded")):
        file = b"\n".join(lines) + b"\n"
        answer = elsewhere.request("POST", "/v1/imports", data=file, content_type="application/x-ndjson")
        assert (answer.status_code, kind in answer.get_json()["detail"]) == (400, True), answer.text


@pytest.mark.parametrize(
    ("body", "status", "kind"),
    [
        ({}, 400, "bad-request"),
        ({"entry": 1}, 400, "bad-request"),
        ({"entry": 0, "what": "text"}, 400, "bad-request"),
        ({"entry": "1", "what": "text"}, 400, "bad-request"),
        ({"entry": 1, "what": "all"}, 400, "bad-request"),
        ({"entry": 1, "what": "text", "by": "me"}, 400, "bad-request"),
        ({"entry": 99, "what": "text"}, 404, "version-unknown"),
    ],
)
def test_what_cannot_be_erased_says_why(api: Api, game: str, body: dict[str, Any], status: int, kind: str) -> None:
    answer = api.post(f"/v1/games/{game}/erasures", body)
    assert (answer.status_code, answer.get_json()["type"]) == (status, f"/problems/{kind}")


def test_of_a_record_of_an_older_release_nothing_can_be_erased(api: Api, game: str) -> None:
    old = unsealed(api, game)
    answer = erase(api, old, 1)
    assert (answer.status_code, answer.get_json()["type"]) == (409, "/problems/not-erasable")
    assert erase(api, str(uuid7()), 1).get_json()["type"] == "/problems/game-unknown"
    assert info(api, old)["title"] == f"{WORD} 1"


def test_what_was_erased_here_does_not_come_back_by_importing_the_game_again(
    api: Api, game: str, elsewhere: Api
) -> None:
    before = api.get(f"/v1/games/{game}/export").data
    erase(api, game, 7)
    answer = api.request("POST", "/v1/imports", data=before, content_type="application/x-ndjson")
    assert (answer.status_code, answer.headers["Kifu-New-Entries"]) == (201, "0")
    assert timeline(api, game)[6]["text"] == "(sealed)"
    taken = elsewhere.request(
        "POST", "/v1/imports", data=api.get(f"/v1/games/{game}/export").data, content_type="application/x-ndjson"
    )
    assert taken.status_code == 201, taken.text
    assert timeline(elsewhere, game)[6].get("erased") == timeline(api, game)[6]["erased"]


# Exports for some


@pytest.mark.parametrize("seat", ["public", "0", "1"])
def test_what_somebody_may_know_is_exported_proved_and_taken_in_elsewhere(
    api: Api, game: str, elsewhere: Api, seat: str
) -> None:
    """Another service that was given a seat's export shows the seat's view, with the same hash."""
    written = api.get(f"/v1/games/{game}/export?seat={seat}").data
    prove(written.splitlines()[1:])
    assert b"GOLA" in written if seat == "1" else b"GOLA" not in written
    answer = elsewhere.request("POST", "/v1/imports", data=written, content_type="application/x-ndjson")
    assert answer.status_code == 201, answer.text
    here = api.get(f"/v1/games/{game}/state?seat={seat}").get_json()
    there = elsewhere.get(f"/v1/games/{game}/state?seat={seat}").get_json()
    assert there == here
    assert there["hash"] == info(api, game)["hash"]


def test_a_text_for_the_public_leaves_open_what_the_public_may_not_know(api: Api, game: str) -> None:
    api.show(game)
    token, api.token = api.token, None
    public = api.get(f"/v1/games/{game}/export?format=text").text
    assert ("gola" in public.lower(), WORD in public) == (False, True)
    api.token = token
    assert "gola" in api.get(f"/v1/games/{game}/export?format=text").text.lower()
    assert api.get(f"/v1/games/{game}/export?format=text&seat=public").text == public


def test_the_public_cannot_export_with_hashes_what_is_not_sealed(api: Api, game: str) -> None:
    old = unsealed(api, game)
    assert api.get(f"/v1/games/{old}/export").status_code == 200
    assert api.get(f"/v1/games/{old}/state?seat=0").get_json()["hash"] is None
    for query in ("?seat=public", "?seat=0"):
        answer = api.get(f"/v1/games/{old}/export{query}")
        assert (answer.status_code, answer.get_json()["type"]) == (409, "/problems/not-sealed")
    assert api.get(f"/v1/games/{old}/export?seat=public&format=text").status_code == 200
    sheet = api.open(ruleset="scoresheet", seats=[{}, {}], title=WORD)
    assert api.get(f"/v1/games/{unsealed(api, sheet)}/export?seat=public").status_code == 200


# Clubs, seasons, tournaments


def founded(api: Api) -> dict[str, str]:
    """A club, a season and a tournament with a word in each of their texts, by kind."""
    ids = {kind: str(uuid7()) for kind in ("club", "season", "tournament")}
    for kind, more in (("club", {}), ("season", {"club": ids["club"]}), ("tournament", {})):
        body = {"id": ids[kind], "name": f"{WORD} {kind}", "description": f"{WORD} text"} | more
        assert api.post(f"/v1/{kind}s", body).status_code == 201
    said: list[tuple[str, str, dict[str, Any]]] = [
        ("club", "rules_set", {"ruleset": "kahuna", "text": f"{WORD} rules"}),
        ("club", "withdrawn", {"entry": 2, "reason": f"{WORD} reason"}),
        ("season", "points_given", {"player": api.access.owner, "points": 3, "reason": f"{WORD} reason"}),
        ("season", "changed", {"name": f"{WORD} name"}),
        ("tournament", "team_entered", {"team": str(uuid7()), "name": f"{WORD} one", "players": [str(uuid7())]}),
        ("tournament", "team_entered", {"team": str(uuid7()), "name": f"{WORD} two", "players": [str(uuid7())]}),
    ]
    for kind, what, data in said:
        answer = say(api, kind, ids[kind], what, **data)
        assert answer.status_code == 201, answer.text
    return ids


def say(api: Api, kind: str, record: str, happened: str, **data: Any) -> Any:
    return api.post(f"/v1/{kind}s/{record}/entries", {"id": str(uuid7()), "type": f"{kind}.{happened}", "data": data})


@pytest.mark.parametrize("kind", ["club", "season", "tournament"])
@pytest.mark.service("test")
@pytest.mark.slow
def test_texts_of_records_that_are_no_games_are_erased_and_the_proof_holds(
    api: Api, elsewhere: Api, tmp_path: Path, kind: str
) -> None:
    ids = founded(api)
    record = ids[kind]
    before = api.get(f"/v1/{kind}s/{record}/export").data
    for each, id_ in ids.items():
        for version in range(1, 4):
            answer = say(api, each, id_, "erased", entry=version, reason="asked for")
            assert answer.status_code == 201, answer.text
    api.catch_up()
    assert traces(tmp_path / "data") == []
    entries = api.get(f"/v1/{kind}s/{record}/entries").get_json()["entries"]
    assert [each["data"] for each in entries[3:]] == [
        {"entry": version, "what": "text", "reason": "asked for"} for version in range(1, 4)
    ]
    assert entries[0]["data"]["name"] == "(sealed)"
    for path in (f"/v1/{kind}s", f"/v1/{kind}s/{record}", f"/{kind}s/{record}"):
        assert WORD not in api.get(path).text
    after = api.get(f"/v1/{kind}s/{record}/export").data
    prove(after.splitlines()[1:])
    assert verify_export(io.BytesIO(after)).problems == ()
    for file in (before, after, before):  # in any order: what was erased stays erased
        answer = elsewhere.request("POST", "/v1/imports", data=file, content_type="application/x-ndjson")
        assert answer.status_code == 201, answer.text
    assert WORD.encode() not in elsewhere.get(f"/v1/{kind}s/{record}/export").data
    elsewhere.catch_up()
    assert elsewhere.get("/v1/games").get_json()["games"] == []


@pytest.mark.parametrize("kind", ["club", "season", "tournament"])
def test_the_history_on_a_page_offers_to_erase_what_has_a_text_and_to_withdraw_no_erasure(api: Api, kind: str) -> None:
    path = f"/{kind}s/{founded(api)[kind]}"
    before = api.get(path).text
    form = {"id": str(uuid7()), "type": f"{kind}.erased", "entry": "3", "reason": ""}
    assert api.request("POST", path, data=form).status_code == 303
    after = api.get(path).text
    assert (before.count("Erase for good"), after.count("Erase for good")) == (3, 2)
    assert before.count(f'value="{kind}.withdrawn"') == after.count(f'value="{kind}.withdrawn"') > 0
    assert "The text of entry 3 was erased" in after


def test_an_erasure_of_a_club_is_repeated_once_and_never_withdrawn(api: Api) -> None:
    club = founded(api)["club"]
    first = say(api, "club", club, "erased", entry=2).get_json()
    assert say(api, "club", club, "erased", entry=2).get_json() == first
    assert first["rules"] == []  # as it was before: entry 3 withdrew it
    answer = say(api, "club", club, "withdrawn", entry=4)
    assert (answer.status_code, "cannot be restored" in answer.get_json()["detail"]) == (400, True)
    assert say(api, "club", club, "changed", name="Friday").get_json()["name"] == "Friday"


@pytest.mark.parametrize(
    ("data", "field"),
    [
        ({}, "data.entry"),
        ({"entry": 0}, "data.entry"),
        ({"entry": 9}, "data.entry"),
        ({"entry": "1"}, "data.entry"),
        ({"entry": 1, "what": "hidden"}, "data.what"),
        ({"entry": 1, "reason": 7}, "data.reason"),
        ({"entry": 1, "more": True}, "data.more"),
    ],
)
def test_bad_erasures_of_a_club_are_refused_by_field(api: Api, data: dict[str, Any], field: str) -> None:
    club = founded(api)["club"]
    answer = say(api, "club", club, "erased", **data)
    assert (answer.status_code, field in answer.text) == (400, True), answer.text
    other = api.post(f"/v1/clubs/{club}/entries", {"id": str(uuid7()), "type": "season.erased", "data": {"entry": 1}})
    assert other.status_code == 400
    assert api.get(f"/v1/clubs/{club}").get_json()["version"] == 3


@pytest.mark.parametrize("kind", ["club", "season", "tournament"])
def test_only_organisers_erase_and_only_with_the_scope_for_it(api: Api, kind: str) -> None:
    ids = founded(api)
    record, member, app = ids[kind], api.let_in("referee"), api.let_in("owner", scopes=["games:read", "games:open"])
    for each in (member, app):
        assert say(api, "club", ids["club"], "member_joined", player=each.person).status_code == 201
        if kind == "tournament":
            say(api, kind, record, "organiser_named", player=app.person, organises=True)
        answer = say(each, kind, record, "erased", entry=1)
        assert (answer.status_code in {403, 404}, WORD in answer.text) == (True, False), answer.text
    assert "(sealed)" not in api.get(f"/v1/{kind}s/{record}").text


def test_a_mark_of_an_erasure_that_no_entry_of_a_club_tells_is_found(api: Api) -> None:
    club = founded(api)["club"]
    say(api, "club", club, "erased", entry=1)
    lines = api.get(f"/v1/clubs/{club}/export").data.splitlines()
    mark = json.loads(lines[1])["erased"]
    opened = json.dumps(json.loads(lines[2])["opened"], ensure_ascii=False, separators=(",", ":")).encode()
    assert b'"opened":' + opened in lines[2]
    lines[2] = lines[2].replace(b'"opened":' + opened, b'"erased":' + json.dumps(mark, separators=(",", ":")).encode())
    problems = verify_export(io.BytesIO(b"\n".join(lines))).problems
    assert [each.kind for each in problems] == ["unrecorded"], problems
