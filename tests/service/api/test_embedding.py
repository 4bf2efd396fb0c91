"""What a page asks for next comes along with what it gets, and is what it would have been answered."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import pytest
from uuid_utils import uuid7

from service.api import embedding
from service.pages.views import game as game_page
from tests import goldens

if TYPE_CHECKING:
    from tests.service.conftest import Api

pytestmark = pytest.mark.service("file")

SHORT = (
    "kahuna/points",
    "catan_cards/buildings",
    "manapani/two_players",
    "scoresheet/wizard",
    "verraeter/shared_victory",
)
PARTS = ["moves", "timeline", "state", "board.svg", "score"]


def embedded_answers(page: str) -> dict[str, Any]:
    found = re.search(r'<script type="application/json" id="embedded">(.*?)</script>', page)
    assert found
    result: dict[str, Any] = json.loads(found[1])
    return result


def assert_answers(api: Api, told: dict[str, Any]) -> None:
    """Every address answers what was told of it."""
    for address, known in told.items():
        answer = api.get(address)
        assert answer.status_code == 200, address
        assert known == {"tag": answer.headers["ETag"], "body": answer.get_json() if answer.is_json else answer.text}


@pytest.mark.parametrize("name", SHORT)
@pytest.mark.slow
def test_a_page_is_told_what_its_addresses_would_answer(api: Api, name: str) -> None:
    text = (goldens.FOLDER / f"{name}.txt").read_text(encoding="utf-8")
    answer = api.request("POST", f"/v1/imports?id={uuid7()}", data=text.encode(), content_type="text/plain")
    game = answer.get_json()["game"]
    api.show(game)
    api.token = None
    found = embedded_answers(api.client.get(f"/games/{game}").text)
    parts = {address.partition("?")[0].removeprefix(f"/v1/games/{game}") for address in found}
    assert parts == {f"/v1/rulesets/{name.partition('/')[0]}", "", *(f"/{part}" for part in PARTS[1:])}
    assert_answers(api, found)


def test_embedded_answers_leave_out_parts_that_the_page_does_not_show(api: Api) -> None:
    game = api.play("BARI-DUDA", "+COCO")
    whole = api.get("/v1/rulesets/kahuna").get_json()
    brief = api.get("/v1/rulesets/kahuna?brief=true").get_json()
    left_out: dict[str, Any] = {"options": [], "changes": [], "adjustments": [], "moves": {}}
    left_out |= {"notation_help": "", "components_help": ""}
    titles = [rule | {"text": ""} for rule in whole["rules"]]
    assert brief == whole | left_out | {"rules": titles}
    path = f"/v1/games/{game}/timeline"
    entries, shorter = (api.get(f"{path}{query}").get_json()["entries"] for query in ("", "?brief=true"))
    for entry in entries:
        del entry["id"]
        for effect in entry.get("effects", ()):
            assert effect["kind"] in whole["effects"]
            effect["text"] = ""
    assert shorter == entries


def test_the_next_page_of_a_timeline_is_asked_for_as_the_first_one_was(api: Api) -> None:
    game = api.play("BARI-DUDA", "+COCO")
    first = api.get(f"/v1/games/{game}/timeline?seat=public&limit=2&brief=true")
    assert first.headers["Link"] == f'</v1/games/{game}/timeline?seat=public&limit=2&brief=true&after=2>; rel="next"'
    assert api.get(first.headers["Link"].partition(">")[0][1:]).get_json()["entries"][0]["version"] == 3


def test_a_recorder_gets_the_state_after_the_entry(api: Api) -> None:
    game = api.play("BARI-DUDA")
    answer = api.record(game, "+COCO", query="?look=record").get_json()
    assert sorted(answer["look"]) == sorted(
        [
            f"/v1/games/{game}",
            f"/v1/games/{game}/timeline?seat=record&after=3&limit=1000&brief=true",
            f"/v1/games/{game}/moves?seat=record&at=4",
            *(f"/v1/games/{game}/{part}?seat=record&after=4" for part in PARTS[2:]),
        ]
    )
    assert_answers(api, answer["look"])
    assert "look" not in api.record(game, "HUNA-LALE").get_json()
    assert "look" not in api.record(game, "+", query="?look=record&dry_run=true").get_json()


def test_nothing_is_told_of_a_game_that_went_on_or_of_another_moment(api: Api) -> None:
    game = api.play()
    events = {"events": [{"id": "01a1fe19-0000-7000-8000-00000000000a", "data": {"move": "BARI-DUDA"}}]}
    path = f"/v1/games/{game}/events?look=public"
    first = api.post(path, events).get_json()
    assert len(first["look"]) == 6
    api.record(game, "+COCO")
    again = api.post(path, events).get_json()
    assert [*again["look"]] == [f"/v1/games/{game}/timeline?seat=public&after=2&limit=1000&brief=true"]
    assert again | {"look": first["look"]} == first


def test_a_page_is_told_of_no_moment_where_the_newest_entry_did_not_happen_last(api: Api) -> None:
    game = api.play("BARI-DUDA", "+COCO")
    inserted = {"type": "entry.inserted", "data": {"after": 2, "move": "ALOA-DUDA"}}
    events = {"events": [{"id": "01a1fe19-0000-7000-8000-00000000000b"} | inserted]}
    answer = api.post(f"/v1/games/{game}/events?look=record", events)
    assert answer.status_code == 201, answer.text
    found = answer.get_json()["look"]
    assert {address.partition("?")[0].removeprefix(f"/v1/games/{game}") for address in found} == {
        "",
        "/moves",
        "/timeline",
    }
    assert_answers(api, found)


def test_a_recorder_gets_no_more_than_they_may_see(api: Api) -> None:
    game = api.play("BARI-DUDA", "+COCO")
    guest = api.let_in(games={game: 1})
    answer = guest.record(game, "HUNA-LALE", query="?look=1")
    assert_answers(guest, answer.get_json()["look"])
    assert guest.record(game, "+", query="?look=record").get_json()["look"] == {}


def test_a_page_asks_for_a_long_record_and_is_not_told_it(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    game = api.play("BARI-DUDA")
    api.show(game)
    for module in (embedding, game_page):
        monkeypatch.setattr(module, "LONG", 2)
    page = api.client.get(f"/games/{game}").text
    assert [*embedded_answers(page)] == ["/v1/rulesets/kahuna?brief=true", f"/v1/games/{game}"]
    entries = f"/v1/games/{game}/timeline?after=0&amp;limit=1000&amp;brief=true"
    assert f'rel="preload" as="fetch" crossorigin href="{entries}"' in page


def test_a_page_that_is_kept_is_told_nothing_as_its_answers_are_kept_beside_it(api: Api) -> None:
    game = api.play()
    api.show(game)
    assert embedded_answers(api.client.get(f"/games/{game}", headers={game_page.KEEP_HEADER: "1"}).text) == {}


def test_what_is_told_cannot_end_its_script(api: Api) -> None:
    title = "</script><script>alert(1)</script>"
    game = api.open(title=title)
    api.show(game)
    page = api.client.get(f"/games/{game}").text
    assert embedded_answers(page)[f"/v1/games/{game}"]["body"]["title"] == title
    assert "<script>alert" not in page
