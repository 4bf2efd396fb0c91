"""Tokens of the API: made, limited, listed, tested, rotated, revoked, expired; and the trail of all that."""

from __future__ import annotations

import re
import time
from typing import TYPE_CHECKING, Any

import pytest
from uuid_utils import uuid7
from werkzeug.test import Client

from service.access import secrets
from service.access.scopes import SCOPES, SEATS
from service.access.store import StoreFullError
from tests.service.conftest import Guest
from tests.traces import files_with

if TYPE_CHECKING:
    from pathlib import Path

    from tests.service.conftest import Api

pytestmark = pytest.mark.service("file")

DAY = 86_400


def make(api: Api, **body: Any) -> Guest:
    answer = api.post("/v1/tokens", {"name": "a program"} | body)
    assert answer.status_code == 201, answer.text
    assert answer.headers["Cache-Control"] == "no-store"
    made = answer.get_json()
    return Guest(api.app, made["info"]["id"], made["token"])


def refused(api: Api, path: str = "/v1/token", method: str = "GET") -> tuple[int, str, str]:
    answer = api.request(method, path)
    found = answer.get_json()
    return answer.status_code, found["type"].rpartition("/")[2], found["detail"]


def test_a_token_looks_like_one_and_nothing_else_does() -> None:
    token = secrets.make("app")
    assert re.fullmatch(r"kifu_app_[0-9A-Za-z]{36}", token)
    assert secrets.kind_of(token) == "app"
    for number in range(len("kifu_app_"), len(token)):
        other = "b" if token[number] == "a" else "a"
        assert secrets.kind_of(token[:number] + other + token[number + 1 :]) is None, number
    for wrong in (token[:-1], f"{token}a", token.upper(), token.replace("app", "dev"), token.replace("app", "xyz"), ""):
        assert secrets.kind_of(wrong) is None
    assert len({secrets.make("dev") for _ in range(1000)}) == 1000


def test_only_a_digest_of_a_token_is_kept(api: Api, tmp_path: Path) -> None:
    guest = make(api, role="recorder")
    assert files_with(tmp_path, guest.token) == []
    assert api.access.find(secrets.digest(guest.token)).id == guest.person


def test_a_token_does_what_it_was_made_for_and_nothing_else(api: Api) -> None:
    game, other = api.play(), api.play()
    guest = make(api, scopes=["games:read", "games:record", "hidden:read"], games=[game])
    assert guest.record(game, "-").status_code == 201
    assert refused(guest, f"/v1/games/{other}")[1] == "game-unknown"
    assert refused(guest, f"/v1/games/{game}/export")[1] == "scope-needed"
    assert guest.post("/v1/games", {"id": str(uuid7()), "ruleset": "kahuna"}).get_json()["scope"] == "games:open"
    api.catch_up()
    assert [listed["game"] for listed in guest.get("/v1/games").get_json()["games"]] == [game]
    whole = make(api, scopes=["games:record"])
    assert refused(whole, f"/v1/games/{game}")[1] == "game-unknown", "it was made without games:read"


@pytest.mark.service("test")
def test_who_recorded_is_told_by_id_and_named_when_it_is_shown(api: Api) -> None:
    game, anna = api.play(), str(uuid7())
    program, phone = make(api, role="recorder", name="The clock"), api.let_in("recorder", person=anna)
    for recorder in (program, phone):
        assert recorder.record(game, "-", query="").status_code in {201, 422}
    note = {"type": "note.added", "data": {"text": "Tea."}}
    for recorder in (program, phone):
        assert recorder.post(f"/v1/games/{game}/events", {"events": [note | {"id": str(uuid7())}]}).status_code == 201
    api.request("PUT", f"/v1/players/{anna}", json={"name": "Anna"})
    shown = api.get(f"/v1/games/{game}/timeline").get_json()
    by = [entry["recorder"] for entry in shown["entries"] if entry["type"] == "note.added"]
    assert by == [program.person, anna]
    assert shown["people"] == {program.person: "The clock", anna: "Anna"}
    stored = api.get(f"/v1/games/{game}/events").get_json()
    assert stored["recorders"] == shown["people"]
    assert api.access.owner in {event["recorder"] for event in stored["events"]}
    assert api.get("/v1/feed").get_json()["recorders"] == shown["people"]
    assert "Anna" not in api.get(f"/v1/games/{game}/export").text
    api.request("DELETE", f"/v1/players/{anna}")
    assert api.get(f"/v1/games/{game}/timeline").get_json()["people"] == {program.person: "The clock"}


def test_who_only_recorded_is_named_to_those_who_record_or_may_know_people(api: Api) -> None:
    anna, ben = str(uuid7()), str(uuid7())
    for person, name in ((anna, "Anna"), (ben, "Ben")):
        api.request("PUT", f"/v1/players/{person}", json={"name": name})
    game = api.open(seats=[{"player": anna}, {}])
    note = {"type": "note.added", "data": {"text": "Tea."}}
    for person in (anna, ben):
        sent = {"events": [note | {"id": str(uuid7())}]}
        assert api.let_in("recorder", person=person).post(f"/v1/games/{game}/events", sent).status_code == 201
    api.show(game)
    known = api.let_in("viewer")
    api.request("PUT", f"/v1/players/{known.person}", json={"name": "Viewer"})
    stranger = api.let_in()
    stranger.token = None
    for asker, names in (
        (stranger, {"Anna"}),
        (known, {"Anna"}),
        (api.let_in(games={game: 1}), {"Anna", "Ben"}),
        (api.let_in("recorder"), {"Anna", "Ben"}),
        (api, {"Anna", "Ben"}),
    ):
        shown = asker.get(f"/v1/games/{game}/timeline").get_json()
        assert set(shown["people"].values()) == names
        assert [entry["recorder"] for entry in shown["entries"]] == [api.access.owner, anna, ben]


def test_a_token_has_at_most_the_rights_of_its_maker(api: Api) -> None:
    phone = api.let_in("viewer")
    assert phone.post("/v1/tokens", {"name": "x", "scopes": ["games:record"]}).get_json()["scope"] == "games:record"
    assert phone.post("/v1/tokens", {"name": "x", "scopes": ["admin"]}).status_code == 403
    program = make(phone, role="viewer")
    game = api.play()
    assert program.get(f"/v1/games/{game}").status_code == 200
    api.request("DELETE", f"/v1/roles/{phone.person}")
    assert program.get(f"/v1/games/{game}").status_code == 404, "whoever made it may not see it any more"
    short = make(api, scopes=["tokens:write", "games:read"], days=1)
    made = short.post("/v1/tokens", {"name": "x", "scopes": ["games:read"], "days": 300}).get_json()
    assert made["info"]["ends_at"] == api.get("/v1/tokens").get_json()["tokens"][-2]["ends_at"], "nor for longer"


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "name"),
        ({"name": ""}, "name"),
        ({"name": "x"}, "scopes"),
        ({"name": "x", "scopes": []}, "scopes"),
        ({"name": "x", "scopes": ["games:fly"]}, "scopes[0]"),
        ({"name": "x", "role": "king"}, "role"),
        ({"name": "x", "role": "viewer", "scopes": ["games:read"]}, "scopes"),
        ({"name": "x", "role": "viewer", "days": 0}, "days"),
        ({"name": "x", "role": "viewer", "days": 3651}, "days"),
        ({"name": "x", "role": "viewer", "games": []}, "games"),
        ({"name": "x", "role": "viewer", "games": ["1"]}, "games[0]"),
        ({"name": "x", "role": "viewer", "person": "Anna"}, "person"),
        ({"name": "a\nb", "role": "viewer"}, "name"),
    ],
)
def test_a_token_that_cannot_be_is_refused_by_its_field(api: Api, body: dict[str, Any], field: str) -> None:
    before = len(api.access.credentials())
    answer = api.post("/v1/tokens", body)
    assert (answer.status_code, answer.get_json()["errors"][0]["field"]) == (400, field), answer.text
    assert len(api.access.credentials()) == before


def test_a_token_for_a_game_that_is_not_there_is_refused(api: Api) -> None:
    answer = api.post("/v1/tokens", {"name": "x", "role": "viewer", "games": [str(uuid7())]})
    assert (answer.status_code, answer.get_json()["errors"][0]["field"]) == (400, "games")


@pytest.mark.service("test")
def test_the_holder_of_a_bad_token_learns_what_is_wrong(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    guest, brief = make(api, role="viewer"), make(api, role="viewer", days=1)
    token = str(guest.token)
    guest.token = token[:-3]
    assert refused(guest) == (401, "token-unknown", "the token is incomplete or mistyped")
    guest.token = secrets.make("app")
    assert refused(guest) == (401, "token-unknown", "this token is not valid for this service")
    guest.token = token
    assert api.request("DELETE", f"/v1/tokens/{guest.person}").status_code == 204
    assert "this token was revoked on 20" in refused(guest)[2]
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + DAY - 60)
    assert brief.get("/v1/token").status_code == 200
    monkeypatch.setattr(time, "time", lambda: now + DAY + 60)
    assert "this token has expired on 20" in refused(brief)[2]
    monkeypatch.setattr(time, "time", lambda: now - 10 * DAY)
    assert brief.get("/v1/token").status_code == 200, "a clock that was put back keeps nobody out"


def test_one_sees_and_revokes_ones_own_tokens_and_the_owner_all(api: Api) -> None:
    anna, ben = api.let_in("viewer"), api.let_in("viewer")
    mine = make(anna, role="viewer")
    ids = {each["id"]: each for each in anna.get("/v1/tokens").get_json()["tokens"]}
    assert set(ids) == {mine.person, api.access.find(secrets.digest(anna.token)).id}
    assert [each["id"] for each in ben.get("/v1/tokens").get_json()["tokens"]] != list(ids)
    assert ben.get("/v1/tokens?everybody=true").get_json()["scope"] == "admin"
    assert set(ids) <= {each["id"] for each in api.get("/v1/tokens?everybody=true").get_json()["tokens"]}
    for unknown in (mine.person, str(uuid7()), "x"):
        answer = ben.request("DELETE", f"/v1/tokens/{unknown}")
        assert answer.get_json()["type"] == "/problems/credential-unknown"
    assert anna.request("DELETE", f"/v1/tokens/{mine.person}").status_code == 204
    assert mine.get("/v1/token").status_code == 401
    assert anna.request("DELETE", f"/v1/tokens/{mine.person}").status_code == 404


def test_the_day_of_the_last_use_is_told(api: Api) -> None:
    guest = make(api, role="viewer")

    def used() -> str | None:
        found = {each["id"]: each["used_on"] for each in api.get("/v1/tokens").get_json()["tokens"]}
        return found[guest.person]

    def today() -> str:
        return time.strftime("%Y-%m-%d", time.gmtime())

    assert used() is None
    before = today()
    guest.get("/v1/games")
    assert used() in {before, today()}  # it may be midnight


def test_a_token_ends_itself_and_the_owners_does_not(api: Api) -> None:
    guest = make(api, role="viewer")
    assert guest.request("DELETE", "/v1/token").status_code == 204
    assert guest.get("/v1/token").status_code == 401
    owner = api.request("DELETE", "/v1/token")
    assert (owner.status_code, owner.get_json()["type"]) == (409, "/problems/owner-stays")
    assert api.get("/v1/token").status_code == 200


@pytest.mark.service("test")
def test_a_rotated_token_is_another_one_that_does_the_same(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    game = api.play()
    guest = make(api, scopes=["games:read", "games:record", "hidden:read"], games=[game], days=9)
    made = guest.post("/v1/token/rotation").get_json()
    fresh = Guest(api.app, guest.person, made["token"])
    before, after = (each.get("/v1/token").get_json()["token"] for each in (guest, fresh))
    assert {**before, "id": 0, "begun_at": 0, "used_on": 0, "ends_at": 0} == {
        **after,
        "id": 0,
        "begun_at": 0,
        "used_on": 0,
        "ends_at": 0,
    }
    assert fresh.record(game, "-").status_code == 201
    assert api.get(f"/v1/games/{game}/events").get_json()["events"][-1]["recorder"] == guest.person
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + 5 * 60 + 1)
    assert (guest.get("/v1/token").status_code, fresh.get("/v1/token").status_code) == (401, 200)
    monkeypatch.setattr(time, "time", lambda: now + 9 * DAY + 1)
    assert fresh.get("/v1/token").status_code == 401, "it lasts no longer than the one before"


@pytest.mark.service("test")
def test_the_owners_token_is_rotated_at_once_with_all_log_ins(api: Api, tmp_path: Path) -> None:
    browser = Client(api.app)
    browser.post("/login", data={"token": api.token})
    old = str(api.token)
    made = api.post("/v1/token/rotation").get_json()
    assert (tmp_path / "data" / "owner.token").read_text().strip() == made["token"]
    assert refused(api)[1] == "token-unknown"
    assert browser.get("/v1/feed").status_code == 401
    api.token = made["token"]
    assert api.get("/v1/feed").status_code == 200
    assert api.app.context.owner_token == made["token"]
    assert old != made["token"]


def test_a_session_is_not_rotated_by_hand(api: Api) -> None:
    api.client.post("/login", data={"token": api.token})
    api.token = None
    assert api.post("/v1/token/rotation").status_code == 400


def test_tokens_are_tested_without_one(api: Api) -> None:
    guest, gone = make(api, scopes=["games:read"]), make(api, role="viewer")
    gone.request("DELETE", "/v1/token")
    sent = f"{guest.token}, {gone.token},nonsense,,{secrets.make('app')}"
    answer = Client(api.app).post("/v1/token/test", data=sent, content_type="text/plain")
    found = answer.get_json()["tokens"]
    assert found.pop(str(guest.token))["scopes"] == ["games:read"]
    assert len(found) == 3
    assert set(found.values()) == {None}
    many = ",".join("x" for _ in range(1001))
    assert api.client.post("/v1/token/test", data=many, content_type="text/plain").status_code == 400
    assert api.client.post("/v1/token/test", json=[]).status_code == 415


def test_a_person_who_is_erased_while_logged_in_is_out_and_leaves_no_name(api: Api, tmp_path: Path) -> None:
    person, name = str(uuid7()), "Annemarie-Sophie"
    api.request("PUT", f"/v1/players/{person}", json={"name": name})
    phone = api.let_in("recorder", person=person, name=f"{name}'s phone")
    browser = Client(api.app)
    assert browser.post("/login", data={"token": phone.token}).status_code == 303
    assert api.request("DELETE", f"/v1/players/{person}").status_code == 204
    assert phone.get("/v1/token").status_code == 401
    assert browser.get("/v1/feed").status_code == 401
    assert files_with(tmp_path, name) == []


def test_the_owner_stays_the_owner(api: Api) -> None:
    owner, game = api.access.owner, api.play()
    for path in (f"/v1/roles/{owner}", f"/v1/games/{game}/roles/{owner}"):
        assert api.request("PUT", path, json={"role": "viewer"}).get_json()["type"] == "/problems/owner-stays"
        assert api.request("DELETE", path).get_json()["type"] == "/problems/owner-stays"
    api.request("PUT", f"/v1/players/{owner}", json={"name": "Aiko"})
    assert api.request("DELETE", f"/v1/players/{owner}").status_code == 204
    assert api.get("/v1/token").status_code == 200


def test_seats_that_a_game_does_not_have_are_given_to_nobody(api: Api) -> None:
    game, person = api.play(), str(uuid7())
    for body, field in (({"seats": [2]}, "seats"), ({}, "role"), ({"seats": ["1"]}, "seats[0]")):
        answer = api.request("PUT", f"/v1/games/{game}/roles/{person}", json=body)
        assert (answer.status_code, answer.get_json()["errors"][0]["field"]) == (400, field)
    nowhere = f"/v1/games/{uuid7()}"
    assert api.request("PUT", f"{nowhere}/roles/{person}", json={"role": "viewer"}).status_code == 404
    assert api.request("PUT", f"{nowhere}/visibility", json={"visibility": "public"}).status_code == 404
    assert api.request("PUT", f"/v1/games/{game}/visibility", json={"visibility": "all"}).status_code == 400


def test_the_owner_of_a_game_gives_roles_in_that_game_only(api: Api) -> None:
    game, other, person = api.play(), api.play(), str(uuid7())
    host = api.let_in(games={game: "owner"})
    assert host.request("PUT", f"/v1/games/{game}/roles/{person}", json={"role": "recorder"}).status_code == 200
    assert host.request("PUT", f"/v1/games/{other}/roles/{person}", json={"role": "recorder"}).status_code == 404
    assert host.request("PUT", f"/v1/roles/{person}", json={"role": "recorder"}).status_code == 403
    (given,) = [each for each in host.get(f"/v1/games/{game}/roles").get_json()["roles"] if each["player"] == person]
    assert (given["role"], given["by"]) == ("recorder", host.person)


@pytest.mark.service("test")
def test_the_trail_tells_who_did_what_and_pages_and_holds_no_name(api: Api) -> None:
    game, person = api.play(), str(uuid7())
    api.request("PUT", f"/v1/players/{person}", json={"name": "Annemarie"})
    phone = api.let_in("recorder", person=person, games={game: 1})
    api.show(game, "link")
    phone.request("DELETE", "/v1/token")
    api.request("DELETE", f"/v1/roles/{person}")
    seen, after = [], 0
    while after is not None:
        page = api.get(f"/v1/trail?after={after}&limit=2").get_json()
        seen += page["steps"]
        after = page["next"]
        assert {"Annemarie"} >= set(page["people"].values())
    assert [step["what"] for step in seen] == [
        *("credential.made", "role.given", "role.given", "credential.made"),
        *("game.shown", "credential.ended", "role.taken"),
    ]
    assert [step["number"] for step in seen] == list(range(1, 8))
    assert {step["by"] for step in seen} == {"kifu", api.access.owner, person}
    assert "Annemarie" not in str(seen)
    with pytest.raises(Exception, match=r"append-only|permission denied"):
        api.access._db.execute("delete from trail")


@pytest.mark.service("test")
def test_a_full_disk_changes_nothing_and_says_so(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    game = api.play()

    def fail(**_: object) -> None:
        raise StoreFullError("access.db cannot be written: database or disk is full")

    with monkeypatch.context() as full:
        full.setattr(api.access, "_change", fail)
        for method, path, body in (
            ("POST", "/v1/tokens", {"name": "x", "role": "viewer"}),
            ("PUT", f"/v1/roles/{uuid7()}", {"role": "viewer"}),
            ("PUT", f"/v1/games/{game}/visibility", {"visibility": "public"}),
            ("POST", "/v1/login-links", None),
        ):
            answer = api.request(method, path, **({"json": body} if body else {}))
            assert (answer.status_code, answer.get_json()["type"]) == (507, "/problems/storage-full"), path
    assert api.get(f"/v1/games/{game}/visibility").get_json()["visibility"] == "private"


@pytest.mark.service("test")
def test_a_store_of_access_that_was_taken_away_takes_nothing_more(api: Api) -> None:
    path = api.access._db.path
    kept = path.rename(path.with_name("kept"))
    answer = api.post("/v1/tokens", {"name": "x", "role": "viewer"})
    assert (answer.status_code, answer.get_json()["type"]) == (507, "/problems/storage-unwritable")
    assert "access.db was removed" in answer.get_json()["detail"]
    health = api.get("/v1/health").get_json()
    assert (health["status"], health["access"]) == ("unwritable", answer.get_json()["detail"])
    kept.rename(path)
    api.app.context.catch_up()
    assert api.post("/v1/tokens", {"name": "x", "role": "viewer"}).status_code == 201
    assert api.get("/v1/health").get_json()["status"] == "ok"


def test_every_scope_is_asked_for_somewhere() -> None:
    from service.access.needs import CORRECTING, ENTRIES, EXPORTING
    from service.api.routes import PARTS

    operations = {scope for part in PARTS for each in part.described for scope in each.need.scopes}
    asked = operations | set(ENTRIES.values()) | {CORRECTING, EXPORTING}
    assert asked | {SEATS} == set(SCOPES)


@pytest.mark.service("test")
def test_an_invitation_is_over_after_thirty_minutes(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    person = str(uuid7())
    codes = [api.post("/v1/invitations", {"player": person}).get_json()["path"].partition("=")[2] for _ in range(2)]
    client, now = Client(api.app), time.time_ns()
    assert client.post("/login", data={"code": codes[0]}).status_code == 303
    assert client.get("/v1/token").get_json()["token"]["person"] == person
    monkeypatch.setattr(time, "time_ns", lambda: now + 30 * 60 * 10**9 + 1)
    assert Client(api.app).post("/login", data={"code": codes[1]}).status_code == 401
    assert api.post("/v1/invitations", {"player": "Anna"}).get_json()["errors"][0]["field"] == "player"
    assert api.let_in("referee").post("/v1/invitations", {"player": person}).get_json()["scope"] == "admin"


def test_a_device_lists_and_ends_those_that_may_do_no_more_than_it(api: Api) -> None:
    """A person whom others let into a seat is a guest on that one game, even if the person has other rights."""
    game, anna = api.play(), str(uuid7())
    whole = api.let_in(person=anna)
    part = api.let_in(person=anna, scopes=["games:read", "games:record"])
    seat = Guest(api.app, anna, None)
    seat.client = Client(api.app)
    code = api.post(f"/v1/games/{game}/invitations", {"seat": 0, "player": anna}).get_json()["info"]["code"]
    assert seat.client.post("/join", data={"code": code}).status_code == 303
    program = make(api.let_in("recorder", person=anna), scopes=["games:read"])
    (session,) = [each.id for each in api.access.credentials([anna], "ses")]
    ids = {
        name: api.get("/v1/token", headers={"Authorization": f"Bearer {guest.token}"}).get_json()["token"]["id"]
        for name, guest in (("whole", whole), ("part", part), ("program", program))
    } | {"seat": session}

    def listed(guest: Api) -> set[str]:
        found = {each["id"] for each in guest.get("/v1/tokens").get_json()["tokens"]}
        return {name for name, id_ in ids.items() if id_ in found}

    assert listed(whole) == set(ids)
    assert listed(part) == {"part", "program"}, "a seat may export, too"
    assert listed(seat) == {"seat"}
    assert listed(program) == {"program"}
    for guest, name in ((seat, "whole"), (seat, "part"), (program, "seat"), (part, "whole")):
        assert guest.request("DELETE", f"/v1/tokens/{ids[name]}").get_json()["type"] == "/problems/credential-unknown"
    assert part.get("/v1/tokens?everybody=true").status_code == 403
    assert whole.request("DELETE", f"/v1/tokens/{ids['seat']}").status_code == 204
    assert listed(whole) == {"whole", "part", "program"}


@pytest.mark.service("test")
def test_the_trail_is_read_from_its_end_back_to_its_beginning(api: Api) -> None:
    for number in range(7):
        api.request("PUT", f"/v1/roles/{uuid7()}", json={"role": ("viewer", "recorder")[number % 2]})
    forwards = [step["number"] for step in api.get("/v1/trail").get_json()["steps"]]
    found, address = [], "/v1/trail?order=newest&limit=3"
    while address:
        answer = api.get(address)
        found += [step["number"] for step in answer.get_json()["steps"]]
        link = answer.headers.get("Link", "")
        address = link.partition(">")[0].removeprefix("<")
    assert found == forwards[::-1] == list(range(8, 0, -1))
    assert api.get("/v1/trail?order=sideways").get_json()["errors"][0]["field"] == "order"


@pytest.mark.parametrize(
    ("agent", "name"),
    [
        (
            "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) Version/18.1 Mobile/15E148 Safari/604.1",
            "Safari, iPhone",
        ),
        ("Mozilla/5.0 (Linux; Android 10; K) Chrome/130.0.0.0 Mobile Safari/537.36", "Chrome, Android"),
        ("Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0", "Firefox, Linux"),
        ("Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/130.0.0.0 Safari/537.36 Edg/130.0", "Edge, Windows"),
        ("<script>alert(1)</script>", ""),
        ("", ""),
    ],
)
def test_a_browser_is_listed_by_what_it_is_and_never_by_its_own_words(api: Api, agent: str, name: str) -> None:
    sent = {"token": api.app.context.owner_token}
    assert Client(api.app).post("/login", data=sent, headers={"User-Agent": agent}).status_code == 303
    assert [each["name"] for each in api.get("/v1/tokens").get_json()["tokens"]][-1] == name
