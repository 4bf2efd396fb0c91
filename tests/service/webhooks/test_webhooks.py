"""Endpoints and their messages: the games, the form, and the rights of their owner."""

from __future__ import annotations

import contextlib
import re
import sqlite3
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from uuid_utils import uuid7

from projections.selfaudit import Difference
from service.app import create_app
from service.settings import Settings
from service.webhooks import messages
from service.webhooks.deliveries import WEBHOOKS, Deliveries
from service.webhooks.messages import FORMATS, TEST, TYPES
from service.webhooks.visibility import About
from tests.service.conftest import DEAL, UNLIMITED, Api
from tests.service.document import specification
from tests.service.receiver import Courier, Receiver, status

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from service.app import Application
    from tests.service.conftest import Guest
    from workers.differences import SelfAudits

DAY = 86_400


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(data=tmp_path / "data", webhook_private=True, **UNLIMITED)


@pytest.fixture
def app(settings: Settings) -> Iterator[Application]:
    made = create_app(settings)
    yield made
    made.close()


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    found = Receiver()
    yield found
    found.close()


@pytest.fixture
def courier(app: Application, settings: Settings) -> Iterator[Courier]:
    made = Courier(settings)
    yield made
    made.close()


def make(api: Api, receiver: Receiver, **more: Any) -> dict[str, Any]:
    """A new endpoint at the receiver: its secret, and what is told of it."""
    answer = api.post("/v1/webhooks", {"url": receiver.url} | more)
    assert answer.status_code == 201, answer.text
    found: dict[str, Any] = answer.get_json()
    return found


def shown(api: Api, made: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = api.get(f"/v1/webhooks/{made['info']['id']}").get_json()
    return found


def deliveries(api: Api, made: dict[str, Any], query: str = "") -> list[dict[str, Any]]:
    answer = api.get(f"/v1/webhooks/{made['info']['id']}/deliveries{query}")
    assert answer.status_code == 200, answer.text
    found: list[dict[str, Any]] = answer.get_json()["deliveries"]
    return found


def go(api: Api, courier: Courier, later: float = 5.0) -> None:
    """Deliver what there is, once all that was recorded is known."""
    api.catch_up()
    courier.go(later)


def note(api: Api, game: str, count: int = 1) -> None:
    """Record notes, which every game takes at every moment."""
    entries = [{"id": str(uuid7()), "type": "note.added", "data": {"text": "Tea."}} for _ in range(count)]
    answer = api.post(f"/v1/games/{game}/events", {"events": entries})
    assert answer.status_code == 201, answer.text


def find_difference(api: Api, subject: str, kind: str = "catalogue", why: str = "it lists GOLA") -> None:
    """Find by the self-audit that something differs, and nothing else of that subject."""
    audits: SelfAudits = api.app.context.audits
    audits.keep(subject, [Difference(kind, why)], 0.1)


# What is told


def test_a_game_is_told_from_its_opening_to_its_end_in_order(api: Api, receiver: Receiver, courier: Courier) -> None:
    made = make(api, receiver)
    game = api.open()
    api.record(game, DEAL)
    note(api, game, 2)
    closing = {"id": str(uuid7()), "type": "game.closed", "data": {"how": "abandoned", "reason": "dark"}}
    assert api.post(f"/v1/games/{game}/events", {"events": [closing]}).status_code == 201
    go(api, courier)
    assert receiver.summaries() == [("game.opened", 1, 1), ("game.entries.appended", 2, 4), ("game.closed", 5, 5)]
    assert all(posted.is_signed_with(made["secret"]) for posted in receiver.arrived)
    last = api.get(f"/v1/games/{game}").get_json()
    data = receiver.arrived[-1].json["data"]
    assert data == {"game": game, "from": 5, "to": 5, "head": last["hash"], "url": f"http://localhost/v1/games/{game}"}
    assert api.get(data["url"].removeprefix("http://localhost")).status_code == 200


# Clubs, seasons, tournaments


def found(api: Api, kind: str, **more: Any) -> str:
    """A new club, season or tournament."""
    id_ = str(uuid7())
    answer = api.post(f"/v1/{kind}s", {"id": id_, "name": "Thursday"} | more)
    assert answer.status_code == 201, answer.text
    return id_


def say(api: Api, kind: str, record: str, what: str, **data: Any) -> None:
    body = {"id": str(uuid7()), "type": f"{kind}.{what}", "data": data}
    answer = api.post(f"/v1/{kind}s/{record}/entries", body)
    assert answer.status_code == 201, answer.text


def test_clubs_seasons_and_tournaments_are_told_from_their_founding_on(
    api: Api, receiver: Receiver, courier: Courier
) -> None:
    make(api, receiver)
    club = found(api, "club")
    season, cup = found(api, "season", club=club), found(api, "tournament")
    say(api, "club", club, "member_joined", name="Aiko")
    say(api, "season", season, "changed", name="Autumn")
    go(api, courier)
    say(api, "tournament", cup, "player_entered", name="Ben")
    go(api, courier)
    told = {
        ("club.entries.appended", 1, 2): club,
        ("season.entries.appended", 1, 2): season,
        ("tournament.entries.appended", 1, 1): cup,
        ("tournament.entries.appended", 2, 2): cup,
    }
    assert {posted.summary(): posted.json["data"]["record"] for posted in receiver.arrived} == told
    for posted in receiver.arrived[:3]:
        data = posted.json["data"]
        shown = api.get(data["url"].removeprefix("http://localhost")).get_json()
        assert data["record"] in shown.values()
    entries = api.get(f"/v1/tournaments/{cup}/entries").get_json()["entries"]
    assert receiver.arrived[-1].json["data"]["head"] == entries[-1]["hash"]


@pytest.mark.parametrize(
    ("filters", "told"),
    [
        ({"types": ["tournament.entries.appended"]}, ["cup"]),
        ({"rulesets": ["kahuna"]}, ["cup"]),
        ({"rulesets": ["manapani"]}, []),
        ({"games": ["club"]}, ["club"]),
        ({"people": ["member"]}, ["club", "season"]),
    ],
    ids=["type", "ruleset", "other-ruleset", "id", "person"],
)
def test_filters_choose_among_clubs_seasons_and_tournaments(
    api: Api, receiver: Receiver, courier: Courier, filters: dict[str, Any], told: list[str]
) -> None:
    club = found(api, "club")
    say(api, "club", club, "member_joined", name="Aiko")
    member = api.get(f"/v1/clubs/{club}").get_json()["members"][1]["player"]
    ids = {"club": club, "member": member}
    made = make(api, receiver, filter={name: [ids.get(each, each) for each in all_] for name, all_ in filters.items()})
    ids["season"], ids["cup"] = found(api, "season", club=club), found(api, "tournament", ruleset="kahuna")
    say(api, "club", club, "changed", name="Friday")
    go(api, courier)
    assert sorted(posted.json["data"]["record"] for posted in receiver.arrived) == sorted(ids[each] for each in told)
    assert shown(api, made)["state"] == "working"


@pytest.mark.parametrize("form", FORMATS)
def test_a_club_is_told_to_its_members_alone_and_withheld_from_one_who_left(
    api: Api, receiver: Receiver, courier: Courier, form: str
) -> None:
    other = api.let_in("recorder")
    make(other, receiver, format=form)
    hidden, own = found(api, "club"), found(api, "club")
    say(api, "club", own, "member_joined", player=other.person)
    go(api, courier)
    assert [posted.json["data"]["record"] for posted in receiver.arrived] == [own]
    assert hidden not in receiver.arrived[0].body.decode()
    say(api, "club", own, "changed", name="Friday")
    api.catch_up()
    courier.derive()
    say(api, "club", own, "member_left", player=other.person)
    go(api, courier)
    assert len(receiver.arrived) == 1


def test_the_hash_of_an_entry_about_a_hidden_game_is_not_told(api: Api, receiver: Receiver, courier: Courier) -> None:
    other = api.let_in("recorder", scopes=["webhooks:write"])  # it sees only what is open to everybody
    club, game = found(api, "club", public=True), api.play()
    make(other, receiver, filter={"games": [club]})
    say(api, "club", club, "game_attached", game=game)
    go(api, courier)
    say(api, "club", club, "changed", name="Friday")
    go(api, courier)
    hidden, known = (posted.json["data"]["head"] for posted in receiver.arrived)
    entries = api.get(f"/v1/clubs/{club}/entries").get_json()["entries"]
    assert (hidden, known) == (None, entries[-1]["hash"])


def test_a_burst_is_one_message_and_what_comes_while_it_waits_for_others_joins_it(
    api: Api, receiver: Receiver, courier: Courier
) -> None:
    make(api, receiver, filter={"types": ["game.entries.appended"]})
    game = api.play()
    api.catch_up()
    courier.derive()
    for _ in range(3):
        note(api, game)
        api.catch_up()
        courier.clock.now += 100
        courier.derive()
    assert receiver.arrived == []
    go(api, courier)
    assert receiver.summaries() == [("game.entries.appended", 2, 5)]


@pytest.mark.slow
def test_a_game_that_is_never_quiet_is_told_all_the_same(api: Api, receiver: Receiver, courier: Courier) -> None:
    make(api, receiver)
    game = api.play()
    for _ in range(40):
        note(api, game)
        api.catch_up()
        courier.derive()
        courier.clock.now += 200
    assert receiver.summaries() == [
        ("game.opened", 1, 1),
        ("game.entries.appended", 2, receiver.arrived[1].json["data"]["to"]),
    ]
    assert 20 < receiver.arrived[1].json["data"]["to"] < 40


def test_several_endpoints_are_each_told_by_their_filter(api: Api, receiver: Receiver, courier: Courier) -> None:
    anna = str(uuid7())
    first, second = api.open(), api.open(seats=[{"player": anna}, {"name": "Jonas"}])
    sheet = api.open(
        ruleset="scoresheet", components={"name": "Darts", "rounds": 1, "columns": [{"id": "points", "per": "round"}]}
    )
    filters: dict[str, tuple[dict[str, Any], set[str]]] = {
        "/all": ({}, {first, second, sheet}),
        "/game": ({"games": [first]}, {first}),
        "/people": ({"people": [anna, str(uuid7())]}, {second}),
        "/rulesets": ({"rulesets": ["scoresheet"]}, {sheet}),
        "/both": ({"rulesets": ["kahuna"], "people": [anna]}, {second}),
        "/neither": ({"rulesets": ["scoresheet"], "people": [anna]}, set()),
        "/closing": ({"types": ["game.closed"]}, set()),
    }
    made = {
        path: make(api, receiver, url=receiver.url.replace("/hook", path), filter=said)
        for path, (said, _) in filters.items()
    }
    for game in (first, second, sheet):
        note(api, game)
    go(api, courier)
    found: dict[str, set[str]] = {path: set() for path in filters}
    for posted in receiver.arrived:
        found[posted.path].add(posted.json["data"]["game"])
        assert posted.is_signed_with(made[posted.path]["secret"])
        assert not posted.is_signed_with(made["/game" if posted.path != "/game" else "/all"]["secret"])
    assert found == {path: games for path, (_, games) in filters.items()}


def test_nothing_that_was_hidden_or_written_is_in_a_message(api: Api, receiver: Receiver, courier: Courier) -> None:
    make(api, receiver)
    game = api.open(title="The title of it", seats=[{"name": "Anastasia"}, {"name": "Jonas"}])
    api.record(game, DEAL, "deal white ALOA")
    go(api, courier)
    for posted in receiver.arrived:
        assert posted.json.keys() == {"type", "timestamp", "data"}
        assert posted.json["data"].keys() == {"game", "from", "to", "head", "url"}


def test_cloudevents_are_written_as_they_are_defined_and_signed_alike(
    api: Api, receiver: Receiver, courier: Courier
) -> None:
    made = make(api, receiver, format="cloudevents")
    game = api.play()
    api.post(f"/v1/webhooks/{made['info']['id']}/test")
    go(api, courier)
    for posted in receiver.arrived:
        assert posted.headers["content-type"] == "application/cloudevents+json"
        assert posted.is_signed_with(made["secret"])
        assert (posted.json["specversion"], posted.json["id"]) == ("1.0", posted.id)
    (opened,) = [posted.json for posted in receiver.arrived if posted.json["type"] == "game.opened"]
    assert opened["source"] == f"http://localhost/v1/games/{game}"
    assert (opened["subject"], opened["data"]["game"], opened["data"]["to"]) == (game, game, 1)


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.slow
def test_messages_are_as_they_are_described(api: Api, receiver: Receiver, courier: Courier, form: str) -> None:
    made = make(api, receiver, format=form, filter={"types": list(TYPES)})
    game = api.play()
    find_difference(api, game)
    for event, data in (
        ("game.closed", {"how": "abandoned", "reason": "dark"}),
        ("game.reopened", {"reason": "light"}),
    ):
        body = {"events": [{"id": str(uuid7()), "type": event, "data": data}]}
        assert api.post(f"/v1/games/{game}/events", body).status_code == 201
    found(api, "season", club=found(api, "club"))
    found(api, "tournament")
    api.post(f"/v1/webhooks/{made['info']['id']}/test")
    go(api, courier)
    document = specification()
    told = {posted.json["type"]: posted for posted in receiver.arrived}
    assert told.keys() == document["webhooks"].keys() == {*TYPES, TEST}
    for name, posted in told.items():
        described = document["webhooks"][name]["post"]
        body = described["requestBody"]
        if "$ref" in body:
            body = document["components"]["requestBodies"][body["$ref"].rpartition("/")[2]]
        content = body["content"][posted.headers["content-type"]]
        kind = getattr(messages, content["schema"]["$ref"].rpartition("/")[2])
        assert msgspec.json.encode(msgspec.json.decode(posted.body, type=kind)) == posted.body
        for reference in described["parameters"]:
            header = document["components"]["parameters"][reference["$ref"].rpartition("/")[2]]
            assert re.search(header["schema"]["pattern"], posted.headers[header["name"]]), header


# What the self-audit found


def test_a_difference_is_told_once_as_long_as_it_stands_and_again_when_it_is_back(
    api: Api, receiver: Receiver, courier: Courier, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = make(api, receiver, filter={"types": ["audit.differs"]})
    game = api.open()
    for _ in range(2):
        find_difference(api, game)
        go(api, courier)
        go(api, courier)
    (result,) = receiver.arrived
    assert result.json["type"] == "audit.differs"
    assert result.json["data"] == {"subject": game, "kind": "catalogue", "url": "http://localhost/v1/health"}
    assert "GOLA" not in result.body.decode(), "which differs in what"
    find_difference(api, "kahuna/3/17", "rules", "it is not so")
    go(api, courier)
    assert [posted.json["data"]["subject"] for posted in receiver.arrived] == [game, "kahuna/3/17"]
    assert [(each["type"], each["game"], each["from"]) for each in deliveries(api, made)] == [
        ("audit.differs", None, None),
        ("audit.differs", game, None),
    ]
    api.app.context.audits.keep(game, [], 0.1)
    monkeypatch.setattr("workers.differences.now_ms", lambda: 4_000_000_000_000)
    find_difference(api, game)
    go(api, courier)
    assert len(receiver.arrived) == len({posted.id for posted in receiver.arrived}) == 3


def test_a_difference_is_told_once_however_much_is_told_besides(
    api: Api, receiver: Receiver, courier: Courier, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("service.webhooks.deliveries.KEPT", 2)
    make(api, receiver, filter={"types": ["audit.differs", "game.opened"]})
    find_difference(api, api.open())
    for _ in range(5):
        api.open()
        go(api, courier)
    assert sum(posted.json["type"] == "audit.differs" for posted in receiver.arrived) == 1


def test_differences_are_told_to_those_alone_who_ask_for_them_and_by_their_filter(
    api: Api, receiver: Receiver, courier: Courier
) -> None:
    game, other = api.play(), api.play()
    go(api, courier)
    types = ["audit.differs"]
    for name, said in (
        ("unasked", {}),
        ("of-games", {"games": [game], "types": types}),
        ("of-rulesets", {"rulesets": ["kahuna"], "types": types}),
        ("of-people", {"people": [str(uuid7())], "types": types}),
    ):
        make(api, receiver, url=f"{receiver.url}/{name}", filter=said)
    for subject in (game, other, "kahuna/3/17", "verraeter/1/2"):
        find_difference(api, subject)
    go(api, courier)
    found = {(posted.path.rpartition("/")[2], posted.json["data"]["subject"]) for posted in receiver.arrived}
    assert found == {
        ("of-games", game),
        *(("of-rulesets", subject) for subject in (game, other, "kahuna/3/17")),
    }


def test_who_may_not_do_everything_cannot_ask_for_differences_nor_be_told_any_more(
    api: Api, receiver: Receiver, courier: Courier
) -> None:
    guest, result = api.let_in("recorder"), {"types": ["audit.differs"]}
    refused = guest.post("/v1/webhooks", {"url": receiver.url, "filter": result})
    assert (refused.status_code, refused.get_json()["scope"]) == (403, "admin")
    path = f"/v1/webhooks/{make(guest, receiver)['info']['id']}"
    assert guest.request("PATCH", path, json={"filter": result}).status_code == 403
    once = api.let_in("owner")
    make(once, receiver, filter=result)
    api.request("PUT", f"/v1/roles/{once.person}", json={"role": "recorder"})
    find_difference(api, api.open())
    go(api, courier)
    assert [posted for posted in receiver.arrived if posted.json["type"] == "audit.differs"] == []


# Who may know


def limited(api: Api, receiver: Receiver, *scopes: str) -> Guest:
    """Somebody with a token that can make endpoints, and see of games what `scopes` say."""
    guest = api.let_in("recorder", scopes=["webhooks:write", *scopes])
    make(guest, receiver)
    return guest


def test_a_private_game_is_told_to_nobody_who_has_no_part_in_it(api: Api, receiver: Receiver, courier: Courier) -> None:
    limited(api, receiver)
    private, public = api.play(), api.open()
    api.show(public)
    api.record(public, DEAL)
    go(api, courier)
    assert {posted.json["data"]["game"] for posted in receiver.arrived} == {public}
    assert private


def test_rights_are_asked_at_every_attempt(api: Api, receiver: Receiver, courier: Courier) -> None:
    guest = limited(api, receiver)
    made = {"info": guest.get("/v1/webhooks").get_json()["webhooks"][0]}
    game = api.open()
    api.show(game)
    receiver.answer = status(500)
    go(api, courier)
    assert len(receiver.arrived) > 0
    count = len(receiver.arrived)
    api.show(game, "private")
    go(api, courier, 600)
    assert len(receiver.arrived) == count
    assert [each["state"] for each in deliveries(guest, made)] == ["withheld"]


def test_a_hash_that_would_tell_what_is_hidden_is_told_to_those_alone_who_may_see_all(
    api: Api, receiver: Receiver, courier: Courier, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Games of older releases are not sealed: one of them stands in for all."""
    limited(api, receiver)
    make(api, receiver, url=receiver.url.replace("/hook", "/owner"))
    game = api.open()
    api.show(game)
    monkeypatch.setattr("projections.fold.Fold.hashes_public", False)
    go(api, courier)
    assert {posted.path: bool(posted.json["data"]["head"]) for posted in receiver.arrived} == {
        "/hook": False,
        "/owner": True,
    }


@pytest.mark.parametrize("end", ["token", "role", "person"])
def test_webhooks_stop_when_their_owner_loses_the_right(
    api: Api, receiver: Receiver, courier: Courier, end: str
) -> None:
    guest = api.let_in("recorder")
    api.request("PUT", f"/v1/players/{guest.person}", json={"name": "Jonas"})
    made = make(guest, receiver)
    api.open()
    go(api, courier)
    assert len(receiver.arrived) == 1
    match end:
        case "token":
            guest.request("DELETE", "/v1/token")
        case "role":
            api.request("DELETE", f"/v1/roles/{guest.person}")
        case _:
            api.request("DELETE", f"/v1/players/{guest.person}")
    api.open()
    go(api, courier)
    assert len(receiver.arrived) == 1
    if end == "person":
        assert api.get(f"/v1/webhooks/{made['info']['id']}").status_code == 404
    else:
        assert shown(api, made)["state"] == "stopped"


def test_an_endpoint_goes_on_when_its_token_is_rotated(api: Api, receiver: Receiver, courier: Courier) -> None:
    guest = api.let_in("recorder")
    made = make(guest, receiver)
    guest.token = guest.post("/v1/token/rotation").get_json()["token"]
    go(api, courier, 600)
    game = api.open()
    go(api, courier)
    assert [posted.json["data"]["game"] for posted in receiver.arrived] == [game]
    guest.request("DELETE", "/v1/token")
    assert shown(api, made)["state"] == "stopped"


def test_an_endpoint_made_in_a_browser_outlives_the_session(api: Api, receiver: Receiver, courier: Courier) -> None:
    browser = Api(api.app)
    assert browser.client.post("/login", data={"token": api.token}).status_code == 303
    browser.token = None
    make(browser, receiver)
    browser.request("DELETE", "/v1/sessions")
    api.open()
    go(api, courier)
    assert len(receiver.arrived) == 1


def test_endpoints_of_others_are_as_if_there_were_none(api: Api, receiver: Receiver) -> None:
    one, other = api.let_in("recorder"), api.let_in("recorder")
    path = f"/v1/webhooks/{make(one, receiver)['info']['id']}"
    for method, rest in (("GET", ""), ("PATCH", ""), ("DELETE", ""), ("GET", "/deliveries"), ("POST", "/test")):
        answer = other.request(method, path + rest, **({"json": {}} if method == "PATCH" else {}))
        assert (answer.status_code, answer.get_json()["type"]) == (404, "/problems/webhook-unknown"), (method, rest)
    assert other.get("/v1/webhooks").get_json() == {"webhooks": []}
    assert len(api.get("/v1/webhooks?everybody=true").get_json()["webhooks"]) == 1
    assert api.get(path).status_code == 200
    app = Api(api.app)
    app.token = one.post("/v1/tokens", {"name": "app", "scopes": ["webhooks:write"]}).get_json().get("token", one.token)
    assert one.get(path).status_code == 200


# Endpoints


def test_the_secret_is_shown_once_and_rotated_with_both_signing_for_a_day(
    api: Api, receiver: Receiver, courier: Courier
) -> None:
    made = make(api, receiver)
    path = f"/v1/webhooks/{made['info']['id']}"
    again = api.post(f"{path}/rotate").get_json()
    assert again["secret"] != made["secret"]
    assert all(made["secret"] not in api.get(each).text for each in (path, "/v1/webhooks"))
    api.open()
    go(api, courier)
    assert receiver.arrived[0].is_signed_with(made["secret"])
    assert receiver.arrived[0].is_signed_with(again["secret"])
    api.open()
    courier.clock.now += 25 * 3600 * 1000
    go(api, courier)
    assert len(receiver.arrived[1].headers["webhook-signature"].split()) == 1


def test_a_new_endpoint_is_told_what_happens_from_then_on(api: Api, receiver: Receiver, courier: Courier) -> None:
    game = api.play()
    make(api, receiver)
    go(api, courier)
    note(api, game)
    go(api, courier)
    assert receiver.summaries() == [("game.entries.appended", 3, 3)]


def test_a_test_message_is_sent_once_and_its_answer_can_be_looked_at(
    api: Api, receiver: Receiver, courier: Courier
) -> None:
    made = make(api, receiver)
    path = f"/v1/webhooks/{made['info']['id']}"
    receiver.answer = status(418)
    sent = api.post(f"{path}/test")
    assert (sent.status_code, sent.get_json()["state"]) == (202, "waiting")
    go(api, courier)
    go(api, courier, DAY)
    (found,) = deliveries(api, made)
    assert (found["state"], found["type"], found["attempts"][0]["status"]) == ("failed", "webhook.test", 418)
    assert [posted.json["type"] for posted in receiver.arrived] == ["webhook.test"]
    assert receiver.arrived[0].json["data"]["webhook"] == made["info"]["id"]
    assert shown(api, made)["state"] == "working"


def test_an_endpoint_that_is_switched_off_is_told_what_it_missed_when_it_is_on_again(
    api: Api, receiver: Receiver, courier: Courier
) -> None:
    made = make(api, receiver)
    path = f"/v1/webhooks/{made['info']['id']}"
    assert api.request("PATCH", path, json={"enabled": False}).get_json()["state"] == "paused"
    game = api.play()
    go(api, courier)
    api.post(f"{path}/test")
    go(api, courier)
    assert [posted.json["type"] for posted in receiver.arrived] == ["webhook.test"]
    assert api.request("PATCH", path, json={"enabled": True}).get_json()["state"] == "working"
    go(api, courier)
    assert [posted.summary() for posted in receiver.arrived[1:]] == [
        ("game.opened", 1, 1),
        ("game.entries.appended", 2, 2),
    ]
    assert receiver.arrived[1].json["data"]["game"] == game


def test_what_is_changed_of_an_endpoint_counts_from_then_on_and_the_rest_stays(
    api: Api, receiver: Receiver, courier: Courier
) -> None:
    made = make(api, receiver, description="the board in the hall")
    path = f"/v1/webhooks/{made['info']['id']}"
    changed = api.request("PATCH", path, json={"filter": {"types": ["game.closed"]}}).get_json()
    assert (changed["filter"]["types"], changed["description"]) == (["game.closed"], "the board in the hall")
    api.play()
    go(api, courier)
    assert receiver.arrived == []


def test_deliveries_are_listed_the_newest_first_page_by_page(api: Api, receiver: Receiver, courier: Courier) -> None:
    made = make(api, receiver)
    games = [api.open() for _ in range(5)]
    go(api, courier)
    path = f"/v1/webhooks/{made['info']['id']}/deliveries"
    first = api.get(f"{path}?limit=3").get_json()
    rest = api.get(f"{path}?limit=3&before={first['next']}").get_json()
    assert [each["game"] for each in first["deliveries"] + rest["deliveries"]] == games[::-1]
    assert (rest["next"], deliveries(api, made, "?state=failed")) == (None, [])
    assert {each["webhook_id"] for each in first["deliveries"] + rest["deliveries"]} == {
        posted.id for posted in receiver.arrived
    }


def test_a_delivery_can_be_sent_again_with_the_id_that_it_had(api: Api, receiver: Receiver, courier: Courier) -> None:
    made = make(api, receiver)
    api.open()
    go(api, courier)
    (sent,) = deliveries(api, made)
    answer = api.post(f"/v1/webhooks/{made['info']['id']}/deliveries/{sent['id']}/retry")
    assert (answer.status_code, answer.get_json()["state"]) == (202, "waiting")
    go(api, courier)
    assert [posted.id for posted in receiver.arrived] == [sent["webhook_id"]] * 2
    assert len(deliveries(api, made)[0]["attempts"]) == 2
    for nothing in ("999", "x", "9" * 40, "-1"):
        answer = api.post(f"/v1/webhooks/{made['info']['id']}/deliveries/{nothing}/retry")
        assert answer.get_json()["type"] == "/problems/delivery-unknown"


def test_a_range_of_the_feed_is_told_again_with_the_ids_that_it_had(
    api: Api, receiver: Receiver, courier: Courier
) -> None:
    before = api.play()
    made = make(api, receiver)
    api.open()
    api.open()
    go(api, courier)
    path = f"/v1/webhooks/{made['info']['id']}/replay"
    assert api.post(path, {"after": 2, "until": 3}).status_code == 202
    go(api, courier)
    *result, again = receiver.arrived  # two games, in either order, and one of them again
    assert [again.id in [posted.id for posted in result], len(result)] == [True, 2]
    assert api.post(path, {"after": 0}).status_code == 202
    go(api, courier)
    assert [posted.summary()[1:] for posted in receiver.arrived if posted.json["data"]["game"] == before] == [
        (1, 1),
        (2, 2),
    ]
    assert len(receiver.arrived) == 3 + 4
    for body, field in (({"after": 4}, "after"), ({"after": 0, "until": 99}, "until"), ({"after": -1}, "after")):
        answer = api.post(path, body)
        assert (answer.status_code, answer.get_json()["errors"][0]["field"]) == (400, field), answer.text


def test_an_endpoint_that_is_made_twice_with_one_key_is_one(api: Api, receiver: Receiver) -> None:
    headers = {"Idempotency-Key": f'"{uuid7()}"'}
    one, other = (api.post("/v1/webhooks", {"url": receiver.url}, headers=headers) for _ in range(2))
    assert (one.status_code, one.data) == (201, other.data)
    assert len(api.get("/v1/webhooks").get_json()["webhooks"]) == 1


def test_nobody_has_more_endpoints_than_there_may_be(api: Api, receiver: Receiver) -> None:
    for _ in range(20):
        make(api, receiver)
    answer = api.post("/v1/webhooks", {"url": receiver.url})
    assert (answer.status_code, answer.get_json()["type"]) == (409, "/problems/webhooks-full")
    make(api.let_in("recorder"), receiver)


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "url"),
        ({"url": "https://user@example.org/"}, "url"),
        ({"url": "ftp://example.org/"}, "url"),
        ({"url": "https://[::1"}, "url"),
        ({"url": "https://example.org/\u202e"}, None),
        ({"url": "https://example.org/" + "a" * 2000}, "url"),
        ({"url": "https://169.254.169.254/"}, "url"),
        ({"url": "https://example.org", "filter": {"types": ["game.moved"]}}, "filter.types[0]"),
        ({"url": "https://example.org", "filter": {"games": []}}, "filter.games"),
        ({"url": "https://example.org", "filter": {"games": ["one"]}}, "filter.games[0]"),
        ({"url": "https://example.org", "format": "xml"}, "format"),
        ({"url": "https://example.org", "secret": "whsec_mine"}, "secret"),
    ],
)
def test_what_is_no_endpoint_is_refused_with_its_field(api: Api, body: dict[str, Any], field: str | None) -> None:
    answer = api.post("/v1/webhooks", body)
    assert answer.status_code == 400, answer.text
    if field:
        assert answer.get_json()["errors"][0]["field"] == field


def test_the_trail_tells_what_became_of_endpoints_but_no_secret(api: Api, receiver: Receiver) -> None:
    made = make(api, receiver)
    path = f"/v1/webhooks/{made['info']['id']}"
    api.post(f"{path}/rotate")
    api.request("PATCH", path, json={"enabled": False})
    api.request("DELETE", path)
    trail = api.get("/v1/trail?limit=100").get_json()
    found = [step["what"] for step in trail["steps"] if step["what"].startswith("webhook.")]
    assert found == ["webhook.made", "webhook.rotated", "webhook.changed", "webhook.removed"]
    assert "whsec_" not in str(trail)
    assert receiver.url not in str(trail)


def test_an_older_store_of_access_takes_in_endpoints(tmp_path: Path) -> None:
    settings = Settings(data=tmp_path)
    create_app(settings).close()
    with contextlib.closing(sqlite3.connect(tmp_path / "access.db")) as db:
        db.execute("drop table webhook")
        db.execute("delete from _sqlite_migrations where name like '3:%'")
        db.execute("pragma user_version = 2")
        db.commit()
    app = create_app(settings)
    try:
        api = Api(app)
        assert api.post("/v1/webhooks", {"url": "https://example.org"}).status_code == 201
        assert not (tmp_path / "access.db.damaged").exists()
    finally:
        app.close()


def test_webhooks_wait_while_the_seats_of_a_game_are_unknown(
    api: Api, receiver: Receiver, courier: Courier, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Read models that are made anew begin at the beginning, in the midst of a look at them, too."""
    anna = str(uuid7())
    make(api, receiver, filter={"people": [anna]})
    api.open(seats=[{"player": anna}, {"name": "Jonas"}])
    api.catch_up()
    reached = iter([1, 0])
    with monkeypatch.context() as patch:
        patch.setattr("service.webhooks.visibility.Visibility.position", lambda _: next(reached, 0))
        patch.setattr("service.webhooks.visibility.Visibility.facts_of", lambda *_: About("", frozenset()))
        courier.go()
    assert receiver.arrived == []
    courier.go()
    assert len(receiver.arrived) == 1


def test_the_feed_in_postgresql_is_told_as_well(database: str, tmp_path: Path, receiver: Receiver) -> None:
    settings = Settings(data=tmp_path / "data", database_url=database, webhook_private=True, **UNLIMITED)
    app = create_app(settings)
    courier = Courier(settings)
    try:
        api = Api(app)
        make(api, receiver)
        api.play()
        go(api, courier)
        courier.restart()
        go(api, courier)
        assert receiver.summaries() == [("game.opened", 1, 1), ("game.entries.appended", 2, 2)]
    finally:
        courier.close()
        app.close()


def test_deliveries_that_are_done_are_forgotten_in_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("service.webhooks.deliveries.KEPT", 3)
    kept = Deliveries(tmp_path)
    for number in range(6):
        kept.finish(kept.enqueue_test("one", number), None, "delivered", number)
    kept.enqueue_test("one", 7)
    assert [each.number for each in kept.list_deliveries("one", None, None, 10)] == [7, 6, 5, 4]
    kept.close()
    assert (tmp_path / WEBHOOKS.file).exists()
