"""Invitations: a link and a short code that let one phone in, to the service or to a seat, and nobody who guesses."""

from __future__ import annotations

import re
import time
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
import segno
from uuid_utils import uuid7
from werkzeug.test import Client

from service.access import codes, invitations, limiting
from service.app import create_app
from service.server import hosts
from service.settings import Settings
from tests.service.conftest import UNLIMITED, Api
from tests.service.entries import entry, send
from tests.traces import files_with

if TYPE_CHECKING:
    from pathlib import Path

    from werkzeug.test import TestResponse

FORM = "[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}"

EVERYWHERE = "0.0.0.0"  # noqa: S104 - nobody listens there


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The time that limits go by: it stands still."""
    now = [1_800_000_000.0]
    monkeypatch.setattr(limiting, "time", SimpleNamespace(time=lambda: now[0], monotonic=lambda: now[0]))
    return now


def invite(api: Api, game: str | None = None, **body: Any) -> dict[str, Any]:
    answer = api.post(f"/v1/games/{game}/invitations" if game else "/v1/invitations", body)
    assert answer.status_code == 201, answer.text
    assert answer.headers["Cache-Control"] == "no-store"
    found: dict[str, Any] = answer.get_json()
    return found


def join(client: Client, code: str, **more: Any) -> TestResponse:
    return client.post("/join", data={"code": code}, **more)


def kind(answer: TestResponse) -> str:
    return str(answer.get_json()["type"]).rpartition("/")[2]


def test_a_short_code_lets_one_phone_in_however_it_is_typed(api: Api) -> None:
    person = str(uuid7())
    code = invite(api, player=person)["info"]["code"]
    assert re.fullmatch(FORM, code)
    phone, other = Client(api.app), Client(api.app)
    assert phone.get(f"/join?code={code}").status_code == 200
    answer = join(phone, f" {code.lower().replace('-', ' ')}")
    assert (answer.status_code, answer.headers["Location"]) == (303, "/")
    assert phone.get("/v1/token").get_json()["token"]["person"] == person
    assert join(other, code).status_code == 404
    assert other.get("/v1/token").status_code == 401


@pytest.mark.parametrize("first", ["link", "code"])
def test_an_invitation_is_used_once_by_its_link_or_its_code(api: Api, first: str) -> None:
    made = invite(api, player=str(uuid7()))
    ways = {
        "link": lambda: Client(api.app).post("/login", data={"code": made["path"].partition("=")[2]}),
        "code": lambda: join(Client(api.app), made["info"]["code"]),
    }
    assert ways.pop(first)().status_code == 303
    (other,) = ways.values()
    assert other().status_code in {401, 404}
    assert api.get("/v1/invitations").get_json()["invitations"] == []


def test_a_code_lets_one_in_however_many_type_it_at_once(api: Api) -> None:
    code = invite(api, player=str(uuid7()))["info"]["code"]
    clients = [Client(api.app) for _ in range(8)]
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda client: join(client, code).status_code, clients))
    assert sorted(found)[0] == 303
    assert set(found) <= {303, 401, 404, 429}
    assert found.count(303) == 1


def test_an_invitation_to_a_seat_plays_that_seat_in_that_game_and_nothing_else(api: Api) -> None:
    game, other = api.play("+?lale"), api.play()
    for each in (game, other):
        api.show(each, "private")
    made = invite(api, game, seat=1)
    assert (made["info"]["game"], made["info"]["seat"]) == (game, 1)
    assert api.get(f"/v1/games/{game}/roles").get_json()["roles"] == [], "nothing changes before it is accepted"
    phone = Client(api.app)
    answer = join(phone, made["info"]["code"])
    assert (answer.status_code, answer.headers["Location"]) == (303, f"/games/{game}")
    state = phone.get(f"/v1/games/{game}/state").get_json()
    assert (state["viewpoint"], "LALE" in str(state["state"]["hands"])) == ("seat-1", False)
    assert phone.get(f"/v1/games/{game}/state?seat=0").status_code == 403
    assert phone.get(f"/v1/games/{other}").status_code == 404
    guest = Api(api.app)
    guest.client, guest.token = phone, None
    assert kind(send(guest, game, entry("move.made", move="black: a-h"))) == "not-yours"
    for path in ("/v1/players", "/v1/trail", f"/v1/games/{game}/roles", f"/v1/games/{game}/invitations"):
        assert phone.get(path).status_code == 403, path
    (role,) = api.get(f"/v1/games/{game}/roles").get_json()["roles"]
    assert (role["player"], role["role"], role["seats"]) == (made["info"]["player"], None, [1])
    api.request("DELETE", f"/v1/games/{game}/roles/{role['player']}")
    assert phone.get(f"/v1/games/{game}").status_code == 404


def test_an_invitation_to_a_seat_is_for_the_person_who_sits_there(api: Api) -> None:
    anna = str(uuid7())
    api.request("PUT", f"/v1/players/{anna}", json={"name": "Anna"})
    game = api.open(seats=[{"player": anna}, {}])
    assert (invite(api, game, seat=0)["info"]["player"], invite(api, game, seat=0)["info"]["name"]) == (anna, "Anna")
    assert invite(api, game, seat=1)["info"]["player"] != anna, "somebody new, where nobody is known to sit"
    assert invite(api, game, seat=1, player=anna)["info"]["player"] == anna


def test_an_invitation_to_a_seat_takes_away_nothing_that_the_person_may_do(api: Api) -> None:
    game = api.play()
    referee = api.let_in("viewer", games={game: "referee"})
    assert join(Client(api.app), invite(api, game, seat=1, player=referee.person)["info"]["code"]).status_code == 303
    (role,) = api.get(f"/v1/games/{game}/roles").get_json()["roles"]
    assert (role["role"], role["seats"]) == ("referee", [1])
    owner = api.get("/v1/token").get_json()["token"]["person"]
    phone = Client(api.app)
    assert join(phone, invite(api, game, seat=0, player=owner)["info"]["code"]).status_code == 303
    assert phone.get("/v1/roles").status_code == 403, "who invites to a seat lets nobody do more"
    assert len(api.get(f"/v1/games/{game}/roles").get_json()["roles"]) == 1


def test_who_was_let_into_a_seat_logs_the_person_out_nowhere_else(api: Api) -> None:
    game, anna = api.play(), api.let_in("recorder")
    browser, phone = Client(api.app), Client(api.app)
    assert browser.post("/login", data={"token": anna.token}).status_code == 303
    assert join(phone, invite(api, game, seat=0, player=anna.person)["info"]["code"]).status_code == 303
    assert phone.delete("/v1/sessions").status_code == 204
    assert (phone.get("/v1/token").status_code, browser.get("/v1/token").status_code) == (401, 200)


def test_a_person_who_shares_a_game_invites_to_its_seats_and_not_to_the_service(api: Api) -> None:
    game, other = api.play(), api.play()
    host = api.let_in(games={game: "owner"})
    made = invite(host, game, seat=1)
    named = {"seat": 1, "player": str(uuid7())}
    assert host.post(f"/v1/games/{game}/invitations", named).get_json()["scope"] == "admin", "nor as anybody they like"
    theirs, mine = invite(api, other, seat=1), invite(api, player=str(uuid7()))
    assert host.post("/v1/invitations", {"player": host.person}).get_json()["scope"] == "admin"
    assert host.get("/v1/invitations").status_code == 403
    listed = host.get(f"/v1/games/{game}/invitations").get_json()["invitations"]
    assert [each["id"] for each in listed] == [made["info"]["id"]]
    for foreign in (theirs, mine):
        path = f"/v1/games/{game}/invitations/{foreign['info']['id']}"
        assert kind(host.request("DELETE", path)) == "invitation-unknown"
    assert api.let_in("referee").post(f"/v1/games/{game}/invitations", {"seat": 0}).get_json()["scope"] == "games:share"
    everything = api.get("/v1/invitations").get_json()["invitations"]
    assert [each["code"] for each in everything] == [each["info"]["code"] for each in (made, theirs, mine)]


def test_a_withdrawn_invitation_opens_nothing_by_code_or_link(api: Api) -> None:
    game = api.play()
    for made, path in ((invite(api, player=str(uuid7())), ""), (invite(api, game, seat=0), f"/games/{game}")):
        address = f"/v1{path}/invitations/{made['info']['id']}"
        assert api.request("DELETE", address).status_code == 204
        assert kind(api.request("DELETE", address)) == "invitation-unknown"
        assert join(Client(api.app), made["info"]["code"]).status_code == 404
        link = made["path"].partition("=")[2]
        assert Client(api.app).post("/login", data={"code": link}).status_code == 401
    steps = [step["what"] for step in api.get("/v1/trail").get_json()["steps"]]
    assert [what for what in steps if what.startswith("invitation")] == ["invitation.made"] * 2 + [
        "invitation.withdrawn"
    ] * 2


def test_an_invitation_is_over_after_thirty_minutes(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    made, now = invite(api, player=str(uuid7())), time.time_ns()
    monkeypatch.setattr(time, "time_ns", lambda: now + 30 * 60 * 10**9 + 1)
    assert api.get("/v1/invitations").get_json()["invitations"] == []
    assert join(Client(api.app), made["info"]["code"]).status_code == 404
    assert Client(api.app).post("/login", data={"code": made["path"].partition("=")[2]}).status_code == 401


@pytest.mark.parametrize("why", ["token revoked", "role taken", "person erased"])
def test_an_invitation_ends_with_what_stood_behind_it(api: Api, why: str) -> None:
    anna = str(uuid7())
    api.request("PUT", f"/v1/players/{anna}", json={"name": "Anna"})
    game = api.open(seats=[{}, {"player": anna}])
    host = api.let_in(games={game: "owner"})
    codes_ = [invite(host, game, seat=1)["info"]["code"]]
    if why == "token revoked":
        assert host.request("DELETE", "/v1/token").status_code == 204
    elif why == "role taken":
        assert api.request("DELETE", f"/v1/games/{game}/roles/{host.person}").status_code == 204
    else:
        codes_.append(invite(api, player=anna)["info"]["code"])
        assert api.request("DELETE", f"/v1/players/{anna}").status_code == 204
    for code in codes_:
        phone = Client(api.app)
        assert join(phone, code).status_code in {401, 404}
        assert phone.get("/v1/token").status_code == 401


def test_after_a_restart_the_link_opens_and_the_code_is_not_known_any_more(tmp_path: Path) -> None:
    for run in (1, 2):
        app = create_app(Settings(data=tmp_path / "data", **UNLIMITED))
        api = Api(app)
        if run == 1:
            made = invite(api, player=str(uuid7()))
            texts = (made["info"]["code"], made["path"].partition("=")[2])
            assert files_with(tmp_path, *texts) == []
        else:
            (listed,) = api.get("/v1/invitations").get_json()["invitations"]
            assert (listed["id"], listed["code"]) == (made["info"]["id"], None)
            assert join(Client(app), made["info"]["code"]).status_code == 404
            assert Client(app).post("/login", data={"code": made["path"].partition("=")[2]}).status_code == 303
        app.close()


def test_five_wrong_codes_lock_an_address_for_a_minute_and_nobody_else(api: Api, clock: list[float]) -> None:
    code = invite(api, player=str(uuid7()))["info"]["code"]
    client = Client(api.app)
    assert [join(client, "BBBB-BBBB").status_code for _ in range(5)] == [404] * 5
    locked = join(client, code)
    assert (locked.status_code, int(locked.headers["Retry-After"]) > 0) == (429, True)
    assert join(Client(api.app), code).status_code == 429, "in whatever browser"
    clock[0] += 60
    assert join(client, code).status_code == 303


@pytest.mark.slow
def test_ten_thousand_wrong_codes_in_a_minute_find_nothing_and_lock_nobody_out_for_good(
    api: Api, clock: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    """From as many addresses as anybody likes: all of them together are heard a thousand times, here a hundred."""
    assert limiting.ALL_CODES == 1000
    monkeypatch.setitem(api.app.gate.limits._quotas, "all-codes", 100)
    made, tried = invite(api, player=str(uuid7())), []
    find = api.app.gate.invitations.find
    monkeypatch.setattr(api.app.gate.invitations, "find", lambda typed: tried.append(typed) or find(typed))
    client, result = Client(api.app), dict[int, int]()
    for number in range(130):  # what is heard no more costs nothing: thousands are as these last 30
        there = {"REMOTE_ADDR": f"2001:db8:0:{number:x}::1"}  # each in a network of its own
        status = join(client, codes.make(()), environ_overrides=there).status_code
        result[status] = result.get(status, 0) + 1
    assert result == {404: 100, 429: 30}
    assert len(tried) == 100
    link = made["path"].partition("=")[2]
    other = invite(api, player=str(uuid7()))["info"]["code"]
    elsewhere = {"REMOTE_ADDR": "192.0.2.9"}
    assert client.post("/login", data={"code": link}, environ_overrides=elsewhere).status_code == 303, "not guessed"
    clock[0] += 60
    assert join(client, other, environ_overrides=elsewhere).status_code == 303


def test_many_wrong_codes_at_once_are_heard_no_more_often(api: Api, clock: list[float]) -> None:
    clients = [Client(api.app) for _ in range(24)]
    with ThreadPoolExecutor(12) as pool:
        found = list(pool.map(lambda client: join(client, "BBBB-BBBB").status_code, clients))
    assert sorted(found) == [404] * 5 + [429] * 19


def test_a_hundred_invitations_are_open_and_one_more_takes_the_place_of_the_oldest(
    api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(invitations, "MOST_OPEN", 3)
    host = api.let_in("owner")
    kept = invite(host, player=str(uuid7()))["info"]["id"]
    made = [invite(api, player=str(uuid7()))["info"]["id"] for _ in range(5)]
    listed = [each["id"] for each in api.get("/v1/invitations").get_json()["invitations"]]
    assert listed == [kept, *made[-3:]]


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"seat": 2}, "seat"),
        ({"seat": -1}, "seat"),
        ({"seat": "0"}, "seat"),
        ({}, "seat"),
        ({"seat": 0, "player": "Anna"}, "player"),
    ],
)
def test_an_invitation_to_no_seat_names_the_field(api: Api, body: dict[str, Any], field: str) -> None:
    answer = api.post(f"/v1/games/{api.play()}/invitations", body)
    assert (answer.status_code, answer.get_json()["errors"][0]["field"]) == (400, field)


def test_a_page_of_elsewhere_lets_nobody_join(api: Api) -> None:
    code = invite(api, player=str(uuid7()))["info"]["code"]
    client = Client(api.app)
    assert join(client, code, headers={"Origin": "https://elsewhere.example"}).status_code == 403
    assert join(client, code).status_code == 303


@pytest.mark.parametrize("code", ["", " ", "BBBB", "💥" * 8, "B" * 5000, "\x00" * 8, "ß" * 8])
def test_a_typed_text_that_is_not_a_code_is_refused_with_a_reason(api: Api, code: str) -> None:
    answer = join(Client(api.app), code)
    assert (answer.status_code, "No invitation has this code" in answer.text) == (404, True)
    if code == "BBBB":
        assert 'name="code" class="code" value="BBBB"' in answer.text, "it stays to be mended"


def test_the_qr_code_leads_to_where_a_phone_types_the_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A page that was asked for by a name of its own machine. A phone finds nothing there."""
    app, drawn, make = create_app(Settings(data=tmp_path, host=EVERYWHERE)), [], segno.make
    monkeypatch.setattr(segno, "make", lambda text, **more: drawn.append(text) or make(text, **more))
    at = "http://192.0.2.6"
    monkeypatch.setattr(hosts, "network_urls", lambda host, port, **_: [f"{at}:{port}"] if host == EVERYWHERE else [])
    client = Client(app)
    token = {"Authorization": f"Bearer {app.context.owner_token}"}
    assert client.get("/join/BCDF-GHJK.svg").status_code == 401, "whoever shows one is logged in"
    for base in ("http://192.0.2.5:8080", "http://127.0.0.1:8080", "http://localhost:8080", "https://kifu.example"):
        answer = client.get("/join/BCDF-GHJK.svg", base_url=base, headers=token)
        assert (answer.status_code, answer.mimetype) == (200, "image/svg+xml")
    found = ("http://192.0.2.5:8080", "http://192.0.2.6:8080", "http://192.0.2.6:8080", "https://kifu.example")
    assert drawn == [f"{base}/join?code=BCDF-GHJK" for base in found]
    for wrong in ("bcdf-ghjk", "AAAA-AAAA", "BCDFGHJK", "BCDF-GHJKL"):
        assert client.get(f"/join/{wrong}.svg", headers=token).status_code == 404
    app.close()
