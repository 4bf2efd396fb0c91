from __future__ import annotations

import random
import threading
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from threading import Barrier
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from uuid_utils import uuid7
from werkzeug.test import Client

from events import limits
from events.lanes import lane_of
from games.kahuna import KAHUNA
from games.playout import playout
from games.rulesets import RULESETS
from service.recording import locks
from tests.events.stores import LANES
from tests.waiting import PATIENCE

if TYPE_CHECKING:
    from collections.abc import Callable

    from werkzeug.test import TestResponse

    from tests.service.conftest import Api

pytestmark = pytest.mark.service("file")

DEAL = "deal black BARI COCO DUDA"


def entry(move: Any, **more: Any) -> dict[str, Any]:
    return {"id": str(uuid7()), "data": {"move": move} | more}


def versions(api: Api, game: str) -> int:
    return int(api.get(f"/v1/games/{game}").get_json()["version"])


def test_a_move_is_stored_with_its_effects_and_scores(api: Api) -> None:
    game = api.play()
    answer = api.record(game, "b-d")
    assert answer.status_code == 201
    assert answer.headers["ETag"] == '"v3"'
    (recorded,) = answer.get_json()["entries"]
    assert recorded["data"]["move"] == {"type": "build", "seat": 0, "card": "BARI", "line": "BARI-DUDA"}
    assert recorded["notation"] == "BARI-DUDA"
    assert [effect["kind"] for effect in recorded["effects"]] == ["cards.played", "bridge.built"]
    assert recorded["scores"] == [0, 0]
    stored = api.get(f"/v1/games/{game}/events?after=2").get_json()["events"]
    assert [(event["version"], event["hash"]) for event in stored] == [(3, recorded["hash"])]


def test_a_repeated_request_gets_the_same_answer_byte_for_byte(api: Api) -> None:
    game = api.play()
    body = {"events": [entry("b-d"), entry("+c/e")]}
    first = api.post(f"/v1/games/{game}/events", body)
    api.record(game, "-")
    again = api.post(f"/v1/games/{game}/events", body)
    assert (again.status_code, again.data, again.headers["ETag"]) == (201, first.data, first.headers["ETag"])
    with_version = api.post(f"/v1/games/{game}/events", body, headers={"If-Match": '"v2"'})
    assert with_version.data == first.data
    assert versions(api, game) == 5


def test_a_repeated_opening_gets_the_same_answer_and_names_nobody_twice(api: Api) -> None:
    body = {"id": str(uuid7()), "ruleset": "kahuna", "seats": [{"name": "Anna"}, {"name": "Ben"}]}
    first = api.post("/v1/games", body)
    assert api.post("/v1/games", body).data == first.data
    assert [player["name"] for player in api.get("/v1/players").get_json()["players"]] == ["Anna", "Ben"]


@pytest.mark.parametrize(
    "match",
    [
        *('"v3"', "v3", 'W/"v3"', 'W/"v3-0a1b2c"', '"v3-0a1b2c-gzip"', '"v9", "v3-0a1b2c"', '"v1","v2",\tW/"v3"'),
        *('"x,y", "v3"', ', "v3",', '"other", v3', "*"),
    ],
)
def test_a_version_is_matched_weak_in_a_list_and_with_what_a_proxy_added(api: Api, match: str) -> None:
    game = api.play("b-d")
    assert api.record(game, "-", headers={"If-Match": match}).status_code == 201
    if match != "*":
        answer = api.record(game, "+", headers={"If-Match": match})
        assert (answer.status_code, [event["version"] for event in answer.get_json()["missed"]]) == (412, [4])


def test_a_list_of_versions_that_are_all_stale_is_answered_with_what_came_after_the_newest(api: Api) -> None:
    game = api.play("b-d", "-", "+")
    for match, missed in (('"v2", W/"v3", "v99"', [4, 5]), ('"v1", "v4"', [5]), ('"v99", "v98"', [])):
        answer = api.record(game, "w: -", headers={"If-Match": match})
        body = answer.get_json()
        assert (answer.status_code, [event["version"] for event in body["missed"]]) == (412, missed)
        assert body["head"] == 5


def test_a_batch_with_a_stored_beginning_is_gone_on_with(api: Api) -> None:
    """The phone lost the answer, recorded on, and sends everything again."""
    game = api.play()
    kept = [entry("b-d"), entry("-")]
    api.post(f"/v1/games/{game}/events", {"events": kept})
    answer = api.post(f"/v1/games/{game}/events", {"events": [*kept, entry("+")]})
    assert answer.status_code == 201
    assert [recorded["version"] for recorded in answer.get_json()["entries"]] == [3, 4, 5]
    assert versions(api, game) == 5


def test_an_id_with_another_body_is_refused(api: Api) -> None:
    game = api.play()
    sent = entry("b-d")
    api.post(f"/v1/games/{game}/events", {"events": [sent]})
    answer = api.post(f"/v1/games/{game}/events", {"events": [sent | {"data": {"move": "b-c"}}]})
    assert (answer.status_code, answer.get_json()["type"]) == (409, "/problems/id-reused")
    assert answer.get_json()["entry_index"] == 0
    while lane_of(other := api.play(), LANES) != lane_of(game, LANES):
        pass  # ids are unique within a lane
    elsewhere = api.post(f"/v1/games/{other}/events", {"events": [sent]})
    assert elsewhere.get_json()["type"] == "/problems/id-reused"


def test_the_same_entry_sent_by_many_at_once_is_stored_once(api: Api) -> None:
    game = api.play()
    body = {"events": [entry("b-d")]}
    answers: list[TestResponse] = []
    headers = {"Authorization": f"Bearer {api.token}"}

    def send() -> None:
        answers.append(Client(api.app).post(f"/v1/games/{game}/events", json=body, headers=headers))

    threads = [threading.Thread(target=send) for _ in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {(answer.status_code, answer.data) for answer in answers} == {(201, answers[0].data)}
    assert versions(api, game) == 3


def test_writers_that_do_not_say_a_version_all_get_in(api: Api) -> None:
    game = api.play()
    answers: list[int] = []
    headers = {"Authorization": f"Bearer {api.token}"}

    def note(number: int) -> None:
        body = {"events": [{"id": str(uuid7()), "type": "note.added", "data": {"text": str(number)}}]}
        answers.append(Client(api.app).post(f"/v1/games/{game}/events", json=body, headers=headers).status_code)

    threads = [threading.Thread(target=note, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == [201] * 6
    assert versions(api, game) == 8


def test_a_stale_version_is_told_what_it_missed(api: Api) -> None:
    game = api.play("b-d")
    answer = api.record(game, "-", headers={"If-Match": '"v2"'})
    assert answer.status_code == 412
    assert answer.headers["ETag"] == '"v3"'
    problem = answer.get_json()
    assert problem["version"] == 3
    assert [(event["version"], event["data"]["move"]["line"]) for event in problem["missed"]] == [(3, "BARI-DUDA")]
    assert api.record(game, "-", headers={"If-Match": '"v3"'}).status_code == 201


def test_a_batch_is_stored_whole_or_not_at_all(api: Api) -> None:
    game = api.play()
    answer = api.record(game, "b-d", "a-h", "b-d")
    problem = answer.get_json()
    assert (answer.status_code, problem["type"], problem["entry_index"]) == (422, "/problems/impossible-move", 2)
    assert versions(api, game) == 2


def test_a_dry_run_says_what_would_be_and_stores_nothing(api: Api) -> None:
    game = api.play()
    dry = api.record(game, "b-d", query="?dry_run=true")
    assert dry.status_code == 200
    (would,) = dry.get_json()["entries"]
    assert "hash" not in would
    assert versions(api, game) == 2
    (did,) = api.record(game, "b-d").get_json()["entries"]
    result = ("version", "data", "notation", "effects", "scores")
    assert [would[name] for name in result] == [did[name] for name in result]
    refused = api.record(game, "b-d", query="?dry_run=true")
    assert refused.status_code == 422


def test_a_broken_rule_is_cited_and_stands_with_an_override(api: Api) -> None:
    game = api.play()
    refused = api.record(game, "white: -")
    assert refused.status_code == 422
    assert refused.get_json()["rule"] == "kahuna:SET-2"
    assert "black's turn" in refused.get_json()["detail"]
    body = {"events": [entry("white: -", override={"reason": "nobody noticed"})]}
    taken = api.post(f"/v1/games/{game}/events", body)
    assert taken.status_code == 201
    assert [breach["rule"] for breach in taken.get_json()["entries"][0]["irregular"]] == ["kahuna:SET-2"]
    assert api.get(f"/v1/games/{game}/score").get_json()["irregular"] == {"3": ["kahuna:SET-2"]}
    assert api.get(f"/v1/games/{game}/score").get_json()["rules"][0]["id"] == "kahuna:SET-2"


def test_what_cannot_be_is_refused_even_with_an_override(api: Api) -> None:
    game = api.play("b-d")
    body = {"events": [entry("b-d", override={"reason": "I insist"})]}
    answer = api.post(f"/v1/games/{game}/events", body)
    assert answer.get_json()["type"] == "/problems/impossible-move"


def test_a_game_that_is_full_says_so(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    game = api.play()
    monkeypatch.setattr("service.recording.recorder.ENTRIES", 3)
    answer = api.record(game, "b-d", "-")
    assert (answer.status_code, answer.get_json()["type"]) == (422, "/problems/game-full")
    assert api.record(game, "b-d").status_code == 201


def withdrawal(entry_: int) -> dict[str, Any]:
    return {"id": str(uuid7()), "type": "entry.withdrawn", "data": {"entry": entry_, "reason": "a slip"}}


def test_an_undo_takes_the_last_move_back_and_can_be_taken_back(api: Api) -> None:
    game = api.play("b-d")
    before = api.get(f"/v1/games/{game}/state").get_json()["state"]
    undone = api.post(f"/v1/games/{game}/events", {"events": [withdrawal(3)]})
    assert undone.status_code == 201
    assert api.get(f"/v1/games/{game}/state").get_json()["state"] != before
    assert api.post(f"/v1/games/{game}/events", {"events": [withdrawal(4)]}).status_code == 201
    assert api.get(f"/v1/games/{game}/state").get_json()["state"] == before
    assert api.get(f"/v1/games/{game}/state?at=3").get_json()["state"] == before


def test_a_correction_in_one_request_with_what_it_makes_room_for(api: Api) -> None:
    """Undo and the right move, sent together: judged one after the other, stored together."""
    game = api.play("b-d")
    answer = api.post(
        f"/v1/games/{game}/events", {"events": [withdrawal(3), entry("b-c"), withdrawal(5), entry("b-d")]}
    )
    assert answer.status_code == 201, answer.text
    bridges = api.get(f"/v1/games/{game}/state").get_json()["state"]["islands"]
    assert (bridges["BARI"]["bridges"], bridges["COCO"]["bridges"]) == ([1, 0], [0, 0])


def test_a_withdrawal_that_leaves_what_does_not_fit_is_refused_with_the_conflicts(api: Api) -> None:
    game = api.play("a-h", "-", "x a-h (hh)")
    answer = api.post(f"/v1/games/{game}/events", {"events": [withdrawal(3)]})
    problem = answer.get_json()
    assert (answer.status_code, problem["type"]) == (409, "/problems/conflict")
    assert [conflict["version"] for conflict in problem["conflicts"]] == [5]
    assert problem["conflicts"][0]["rule"] == "kahuna:REM-1"
    assert versions(api, game) == 5


def test_an_entry_that_does_not_fit_is_reported_once_and_kept_only_if_it_could_have_happened(api: Api) -> None:
    game = api.play("b-d", "+c/e", "a-b", "-")
    problem = api.post(f"/v1/games/{game}/events", {"events": [withdrawal(2)]}).get_json()
    assert [(found["version"], found["choices"]) for found in problem["conflicts"]] == [
        (version, ["withdraw"]) for version in (3, 4, 5, 6)
    ]
    kept = {"id": str(uuid7()), "type": "entry.withdrawn", "data": {"entry": 2, "keep": "all", "withdraw": [5]}}
    problem = api.post(f"/v1/games/{game}/events", {"events": [kept]}).get_json()
    assert [found["version"] for found in problem["conflicts"]] == [3, 4, 6]


def test_what_cannot_be_withdrawn_says_why(api: Api) -> None:
    game = api.play("b-d")
    for wrong, why in ((1, "opened the game"), (9, "there is no entry 9"), (4, "there is no entry 4")):
        answer = api.post(f"/v1/games/{game}/events", {"events": [withdrawal(wrong)]})
        assert answer.get_json()["type"] == "/problems/bad-correction"
        assert why in answer.get_json()["detail"]
    api.post(f"/v1/games/{game}/events", {"events": [withdrawal(3)]})
    again = api.post(f"/v1/games/{game}/events", {"events": [withdrawal(3)]})
    assert "was withdrawn already, by entry 4" in again.get_json()["detail"]


@pytest.fixture
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """A busy machine may keep a thread that holds a lock from running for more than a second."""
    monkeypatch.setattr(locks, "LOCK_TIMEOUT", PATIENCE)


def in_parallel(api: Api, count: int, send: Callable[[Client, int], TestResponse]) -> list[TestResponse]:
    """What so many clients are answered that all send at the same time."""
    ready = Barrier(count)

    def one(number: int) -> TestResponse:
        client = Client(api.app)
        ready.wait()
        return send(client, number)

    with ThreadPoolExecutor(count) as pool:
        return list(pool.map(one, range(count)))


@pytest.mark.usefixtures("patience")
@pytest.mark.slow
def test_many_who_write_to_one_game_without_a_version_wait_for_their_turn(api: Api) -> None:
    game = api.play()
    headers = {"Authorization": f"Bearer {api.token}"}

    def send(client: Client, number: int) -> TestResponse:
        for _ in range(5):
            note = {"id": str(uuid7()), "type": "note.added", "data": {"text": f"writer {number}"}}
            answer = client.post(f"/v1/games/{game}/events", json={"events": [note]}, headers=headers)
            assert answer.status_code == 201, answer.text
        return answer

    assert max(answer.get_json()["version"] for answer in in_parallel(api, 32, send)) == 2 + 32 * 5


@pytest.mark.usefixtures("patience")
@pytest.mark.service("test")
def test_those_who_bring_the_same_new_name_at_once_bring_one_person(api: Api) -> None:
    headers = {"Authorization": f"Bearer {api.token}"}

    def send(client: Client, number: int) -> TestResponse:
        seats = [{"name": "Aiko"}, {"name": "Ren"}] if number % 2 else [{"name": "Ren"}, {"name": " Aiko "}]
        body = {"id": str(uuid7()), "ruleset": "kahuna", "seats": seats}
        return client.post("/v1/games", json=body, headers=headers)

    assert {answer.status_code for answer in in_parallel(api, 20, send)} == {201}
    assert sorted(player["name"] for player in api.get("/v1/players").get_json()["players"]) == ["Aiko", "Ren"]


def test_what_a_stale_sender_missed_reaches_the_version_that_he_is_told(
    api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "MISSED", 3)
    game = api.play("b-d", "-", "+", "-")
    known, result = 1, []
    while True:
        answer = api.record(game, "+", headers={"If-Match": f'"v{known}"'})
        if answer.status_code == 201:
            break
        problem = answer.get_json()
        result += [event["version"] for event in problem["missed"]]
        assert (problem["version"], problem["head"], answer.headers["ETag"]) == (result[-1], 6, f'"v{result[-1]}"')
        known = problem["version"]
    assert result == [2, 3, 4, 5, 6]


def test_a_correction_reads_its_game_from_the_log_once(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    game = api.play("a-h", "-", "x a-h (hh)", "+")
    log = api.app.context.archive.log
    reads, read = list[tuple[Any, ...]](), log.read

    def counted(*asked: Any) -> object:
        reads.append(asked)
        return read(*asked)

    monkeypatch.setattr(log, "read", counted)
    correction = {"id": str(uuid7()), "type": "entry.replaced", "data": {"entry": 3, "move": "b-d", "withdraw": "all"}}
    assert api.post(f"/v1/games/{game}/events", {"events": [correction]}).status_code == 201
    assert len([asked for asked in reads if asked[0] == game]) == 1


def test_a_move_from_notation_that_could_not_be_read_again_is_refused(
    api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A parser that lets too much through, as one did, destroys no game: what is stored was read back before."""
    game = api.play("b-d")
    parse = KAHUNA.parse
    monkeypatch.setitem(
        vars(KAHUNA), "parse", lambda state, text: msgspec.structs.replace(parse(state, text), cards=("COCO",) * 40)
    )
    for kind, data in (("move.made", {}), ("entry.replaced", {"entry": 3}), ("entry.inserted", {"after": 2})):
        sent = {"id": str(uuid7()), "type": kind, "data": {"move": "d COCO"} | data}
        answer = api.post(f"/v1/games/{game}/events", {"events": [sent]})
        assert (answer.status_code, answer.get_json()["type"]) == (400, "/problems/bad-move"), answer.text
        assert answer.get_json()["errors"][0]["field"] == "data.move.cards"
    assert versions(api, game) == 3


def test_the_newest_entry_is_corrected_where_a_checkpoint_holds_it_already(api: Api) -> None:
    state = KAHUNA.open({}, None, 2)
    moves = [KAHUNA.move_data(move) for move, _ in islice(playout(state, random.Random(4)), 70)]
    game = api.open()
    assert api.record(game, *moves).status_code == 201
    api.catch_up()
    last = {"id": str(uuid7()), "type": "entry.replaced", "data": {"entry": 71, "move": moves[-1]}}
    answer = api.post(f"/v1/games/{game}/events", {"events": [last]})
    assert answer.status_code == 201, answer.text
    assert answer.get_json()["entries"][0]["data"]["move"] == moves[-1]


@pytest.mark.parametrize("name", RULESETS)
def test_an_opening_that_comes_again_is_answered_byte_for_byte(api: Api, name: str) -> None:
    body = {"id": str(uuid7()), "ruleset": name, "seats": [{"name": "Aiko"}, {}], "title": "Again"}
    body["seats"] += [{}] * (RULESETS[name].seats[0] - 2)
    first, again = (api.post("/v1/games", body) for _ in range(2))
    assert (first.status_code, first.data) == (again.status_code, again.data) == (201, first.data)
    assert first.headers.to_wsgi_list() == again.headers.to_wsgi_list()


def test_moves_against_the_rules_are_told_where_they_are_asked_for(api: Api) -> None:
    game = api.play()
    legal = api.get(f"/v1/games/{game}/moves").get_json()
    assert legal["irregular"] == []
    answer = api.get(f"/v1/games/{game}/moves?irregular=true").get_json()
    assert answer["moves"] == legal["moves"]
    texts = {move["notation"] for move in answer["irregular"]}
    assert "white: +" in texts
    assert not texts & {move["notation"] for move in legal["moves"]}
    assert api.record(game, "white: +").status_code == 422
    override = {"override": {"reason": "agreed by both"}}
    assert api.post(f"/v1/games/{game}/events", {"events": [entry("white: +", **override)]}).status_code == 201
