"""Invitations to clubs: one person becomes a member by a link or a code, as who they are, and gets no other right."""

from __future__ import annotations

import re
import threading
import time
from typing import TYPE_CHECKING, Any

import pytest
from uuid_utils import uuid7
from werkzeug.test import Client

from events.errors import LogFullError
from tests.service.access.test_invitations import join, kind

if TYPE_CHECKING:
    from tests.service.conftest import Api

pytestmark = pytest.mark.service("file")


def found_club(api: Api, **more: Any) -> str:
    club = str(uuid7())
    assert api.post("/v1/clubs", {"id": club, "name": "Thursday Club"} | more).status_code == 201
    return club


def invite(api: Api, club: str, **body: Any) -> dict[str, Any]:
    answer = api.post(f"/v1/clubs/{club}/invitations", body)
    assert (answer.status_code, answer.headers.get("Cache-Control")) == (201, "no-store"), answer.text
    found: dict[str, Any] = answer.get_json()
    return found


def open_link(client: Client, made: dict[str, Any]) -> Any:
    return client.post("/login", data={"code": made["path"].partition("=")[2]})


def roles(api: Api, club: str) -> dict[str, str]:
    return {each["player"]: each["role"] for each in api.get(f"/v1/clubs/{club}").get_json()["members"]}


def browser_of(api: Api, person: Api) -> Client:
    client = Client(api.app)
    assert client.post("/login", data={"token": person.token}).status_code == 303
    return client


def test_a_form_that_is_sent_again_shows_the_invitation_that_it_made(api: Api) -> None:
    club = found_club(api)
    found = re.search(r'/invitations"><input type="hidden" name="id" value="(.*?)"', api.get(f"/clubs/{club}").text)
    assert found
    form = {"id": found[1]}
    first, again = (api.request("POST", f"/clubs/{club}/invitations", data=form | {"role": "member"}) for _ in range(2))
    assert (first.status_code, again.status_code, again.text) == (201, 201, first.text)
    (only,) = api.get(f"/v1/clubs/{club}/invitations").get_json()["invitations"]
    assert only["code"] in first.text
    other = api.request("POST", f"/clubs/{club}/invitations", data=form | {"role": "organiser"})
    assert other.status_code == 422, "the form of a page makes one"
    assert len(api.get(f"/v1/clubs/{club}/invitations").get_json()["invitations"]) == 1


@pytest.mark.parametrize("way", ["link", "code"])
def test_a_new_person_joins_by_a_link_or_a_code_and_sees_the_club_alone(api: Api, way: str) -> None:
    club, game = found_club(api), api.play()
    made = invite(api, club, name="Aiko")
    assert {name: made["info"][name] for name in ("club", "role", "game", "name")} == {
        "club": club,
        "role": "member",
        "game": None,
        "name": "Aiko",
    }
    assert len(roles(api, club)) == 1, "nothing changes before it is accepted"
    phone = Client(api.app)
    answer = open_link(phone, made) if way == "link" else join(phone, made["info"]["code"])
    assert (answer.status_code, answer.headers["Location"]) == (303, f"/clubs/{club}")
    assert roles(api, club)[made["info"]["player"]] == "member"
    assert "Thursday Club" in phone.get(f"/clubs/{club}").get_data(as_text=True)
    assert phone.get(f"/v1/games/{game}").status_code == 404
    for path in ("/v1/players", "/v1/trail", f"/v1/clubs/{club}/invitations"):
        assert phone.get(path).status_code == 403, path
    assert "Aiko joined (member)" in api.get(f"/clubs/{club}").get_data(as_text=True)
    last = api.get(f"/v1/clubs/{club}/entries").get_json()["entries"][-1]
    assert last["id"] == made["info"]["id"], "the entry names the invitation"


def test_somebody_who_is_logged_in_joins_as_who_they_are(api: Api) -> None:
    club, anna = found_club(api), api.let_in("viewer")
    browser = browser_of(api, anna)
    answer = open_link(browser, invite(api, club))
    assert (answer.status_code, answer.headers.getlist("Set-Cookie")) == (303, [])
    assert roles(api, club)[anna.person] == "member"
    assert browser.get("/v1/token").get_json()["token"]["person"] == anna.person
    assert anna.get(f"/v1/clubs/{club}").status_code == 200


def test_a_guest_of_a_seat_joins_as_somebody_new(api: Api) -> None:
    """The guest's browser acts for that person in one game alone, so it may not join a club for them."""
    club, game, guest = found_club(api), api.play(), Client(api.app)
    owner = api.get("/v1/token").get_json()["token"]["person"]
    seat = api.post(f"/v1/games/{game}/invitations", {"seat": 0, "player": owner}).get_json()
    assert join(guest, seat["info"]["code"]).status_code == 303
    made = invite(api, club, role="organiser")
    assert open_link(guest, made).status_code == 303
    assert guest.get("/v1/token").get_json()["token"]["person"] == made["info"]["player"] != owner


def test_an_invitation_to_a_club_is_used_once(api: Api) -> None:
    club = found_club(api)
    made = invite(api, club)
    assert open_link(Client(api.app), made).status_code == 303
    assert open_link(Client(api.app), made).status_code == 401
    assert join(Client(api.app), made["info"]["code"]).status_code == 404
    assert api.get(f"/v1/clubs/{club}/invitations").get_json()["invitations"] == []
    assert len(roles(api, club)) == 2


@pytest.mark.parametrize("way", ["link", "code"])
@pytest.mark.parametrize("logged_in", [True, False])
def test_an_invitation_stays_open_while_the_log_takes_nothing(
    api: Api, monkeypatch: pytest.MonkeyPatch, way: str, *, logged_in: bool
) -> None:
    club, anna = found_club(api), api.let_in("viewer")
    browser, made = browser_of(api, anna) if logged_in else Client(api.app), invite(api, club)

    def accept() -> Any:
        return open_link(browser, made) if way == "link" else join(browser, made["info"]["code"])

    def full(*_: Any, **__: Any) -> None:
        raise LogFullError("the disk is full")

    person = anna.person if logged_in else made["info"]["player"]
    before = len(api.access.credentials([person]))
    with monkeypatch.context() as patched:
        patched.setattr(api.app.context.archive.log, "append", full)
        refused = accept()
    assert (refused.status_code, refused.headers.getlist("Set-Cookie")) == (507, [])
    assert (len(roles(api, club)), len(api.access.credentials([person]))) == (1, before)
    assert [each["id"] for each in api.get(f"/v1/clubs/{club}/invitations").get_json()["invitations"]] == [
        made["info"]["id"]
    ]
    assert accept().status_code == 303
    assert roles(api, club)[person] == "member"
    assert accept().status_code in {401, 404}, "it is used up now"


def test_two_people_who_open_a_link_at_the_same_moment_do_not_both_join(
    api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    club = found_club(api)
    anna, bo = (browser_of(api, api.let_in("viewer")) for _ in range(2))
    made = invite(api, club)
    take, answers = api.access.take_code, list[int]()

    def late(digest: bytes, purpose: str) -> Any:
        if purpose == "invitation":  # the first is a member, and the code is not used up yet
            monkeypatch.setattr(api.access, "take_code", take)
            other = threading.Thread(target=lambda: answers.append(open_link(bo, made).status_code))
            other.start()
            other.join()
        return take(digest, purpose)

    monkeypatch.setattr(api.access, "take_code", late)
    answers.append(open_link(anna, made).status_code)
    assert answers == [401, 303]
    assert len(roles(api, club)) == 2


def test_a_member_stays_what_they_are_and_can_become_an_organiser(api: Api) -> None:
    club, anna = found_club(api), api.let_in("viewer")
    browser = browser_of(api, anna)
    for role in ("member", "member", "organiser"):
        assert open_link(browser, invite(api, club, role=role)).status_code == 303
        assert roles(api, club)[anna.person] == role
    assert open_link(browser, invite(api, club)).status_code == 303
    assert roles(api, club)[anna.person] == "organiser", "an invitation takes no role away"
    assert api.get(f"/v1/clubs/{club}").get_json()["version"] == 3


def test_only_organisers_invite(api: Api) -> None:
    club, hidden = found_club(api, public=True), found_club(api)
    member, organiser, other = api.let_in("recorder"), api.let_in("recorder"), api.let_in("recorder")
    for who, role in ((member, "member"), (organiser, "organiser")):
        assert open_link(browser_of(api, who), invite(api, club, role=role)).status_code == 303
    made = invite(organiser, club, role="organiser")
    path = f"/v1/clubs/{club}/invitations"
    for who in (member, other):
        assert kind(who.post(path, {})) == kind(who.get(path)) == "scope-needed"
        assert kind(who.request("DELETE", f"{path}/{made['info']['id']}")) == "scope-needed"
        assert "Open invitations" not in who.get(f"/clubs/{club}").get_data(as_text=True)
        assert made["info"]["code"] not in who.get(f"/clubs/{club}").get_data(as_text=True)
    assert kind(other.post(f"/v1/clubs/{hidden}/invitations", {})) == "club-unknown"
    assert kind(api.client.post(path, json={})) == "token-needed"


def test_nobody_is_logged_in_as_a_known_person_by_an_organiser(api: Api) -> None:
    club, organiser = found_club(api), api.let_in("recorder")
    anna = str(uuid7())
    api.request("PUT", f"/v1/players/{anna}", json={"name": "Anna"})
    assert open_link(browser_of(api, organiser), invite(api, club, role="organiser")).status_code == 303
    refused = organiser.post(f"/v1/clubs/{club}/invitations", {"name": "Anna"})
    assert (refused.status_code, refused.get_json()["errors"][0]["field"]) == (400, "name")
    assert organiser.post(f"/v1/clubs/{club}/invitations", {"name": "Bo"}).get_json()["scope"] == "people:write"
    assert invite(api, club, name="Anna")["info"]["player"] == anna


@pytest.mark.parametrize("why", ["withdrawn", "time", "organiser no more", "token revoked"])
@pytest.mark.service("test")
def test_an_invitation_to_a_club_ends(api: Api, why: str, monkeypatch: pytest.MonkeyPatch) -> None:
    club, host = found_club(api), api.let_in("recorder")
    assert open_link(browser_of(api, host), invite(api, club, role="organiser")).status_code == 303
    made, now = invite(host, club), time.time_ns()
    if why == "withdrawn":
        path = f"/v1/clubs/{club}/invitations/{made['info']['id']}"
        assert kind(host.request("DELETE", f"/v1/clubs/{found_club(host)}/invitations/{made['info']['id']}")) == (
            "invitation-unknown"
        )
        assert (host.request("DELETE", path).status_code, kind(host.request("DELETE", path))) == (
            204,
            "invitation-unknown",
        )
    elif why == "time":
        monkeypatch.setattr(time, "time_ns", lambda: now + 30 * 60 * 10**9 + 1)
    elif why == "organiser no more":
        data = {"player": host.person, "role": "member"}
        body = {"id": str(uuid7()), "type": "club.member_joined", "data": data}
        assert api.post(f"/v1/clubs/{club}/entries", body).status_code == 201
    else:
        assert host.request("DELETE", "/v1/token").status_code == 204
    for answer in (join(Client(api.app), made["info"]["code"]), open_link(Client(api.app), made)):
        assert answer.status_code in {401, 404}
    assert len(roles(api, club)) == 2


@pytest.mark.parametrize("way", ["left", "another role", "undone"])
@pytest.mark.service("test")
def test_invitations_of_somebody_who_organises_no_more_are_withdrawn_for_good(api: Api, way: str) -> None:
    club, host = found_club(api), api.let_in("recorder")

    def say(kind: str, **data: Any) -> None:
        body = {"id": str(uuid7()), "type": f"club.{kind}", "data": data}
        assert api.post(f"/v1/clubs/{club}/entries", body).status_code == 201

    say("member_joined", player=host.person, role="organiser")
    made, own = invite(host, club, role="organiser"), invite(api, club)
    match way:
        case "left":
            say("member_left", player=host.person)
        case "another role":
            say("member_joined", player=host.person)
        case _:
            say("withdrawn", entry=2)
    listed = api.get(f"/v1/clubs/{club}/invitations").get_json()["invitations"]
    assert [each["id"] for each in listed] == [own["info"]["id"]], "those of others stay"
    say("member_joined", player=host.person, role="organiser")
    assert open_link(Client(api.app), made).status_code == 401
    assert join(Client(api.app), made["info"]["code"]).status_code == 404
    assert open_link(Client(api.app), own).status_code == 303


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"role": "king"}, "role"),
        ({"role": None}, "role"),
        ({"role": []}, "role"),
        ({"name": ""}, "name"),
        ({"name": 3}, "name"),
        ({"name": "x" * 201}, "name"),
        ({"name": "Ann\u0430"}, "name"),
        ({"seat": 0}, "seat"),
    ],
)
def test_a_bad_invitation_names_the_field(api: Api, body: dict[str, Any], field: str) -> None:
    answer = api.post(f"/v1/clubs/{found_club(api)}/invitations", body)
    assert (answer.status_code, answer.get_json()["errors"][0]["field"]) == (400, field)


def test_the_page_of_a_club_invites_and_withdraws(api: Api) -> None:
    club = found_club(api)
    answer = api.request("POST", f"/clubs/{club}/invitations", data={"name": "Aiko", "role": "organiser"})
    (made,) = api.get(f"/v1/clubs/{club}/invitations").get_json()["invitations"]
    assert answer.status_code == 201
    assert f"/join/{made['code']}.svg" in answer.text
    assert "/login?code=kifu_log_" in answer.text
    shown = api.get(f"/clubs/{club}").get_data(as_text=True)
    assert made["code"] in shown
    assert "kifu_log_" not in shown, "the link is shown once"
    gone = api.request("POST", f"/clubs/{club}/invitations/withdraw", data={"invitation": made["id"]})
    assert gone.status_code == 303
    assert api.get(f"/v1/clubs/{club}/invitations").get_json()["invitations"] == []
    again = api.request("POST", f"/clubs/{club}/invitations/withdraw", data={"invitation": made["id"]})
    assert again.status_code == 404
    assert api.request("POST", f"/clubs/{club}/invitations", data={"role": "king"}).status_code == 400


@pytest.mark.parametrize("sent", [{}, {"type": "club.dissolved"}])
@pytest.mark.parametrize("kind", ["club", "season", "tournament"])
def test_a_form_of_no_known_entry_says_so_and_not_what_was_sent(api: Api, kind: str, sent: dict[str, str]) -> None:
    record = found_club(api)
    if kind != "club":
        founding = {"id": str(uuid7()), "name": "Autumn"} | ({"club": record} if kind == "season" else {})
        record = founding["id"]
        assert api.post(f"/v1/{kind}s", founding).status_code == 201
    answer = api.request("POST", f"/{kind}s/{record}", data=sent)
    assert answer.status_code == 400
    assert "<code>type</code>: no such entry" in answer.text
