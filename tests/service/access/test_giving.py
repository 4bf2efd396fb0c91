"""Nobody lets anybody do, or see, more than they may themselves; and who opened a game may share it."""

from __future__ import annotations

import itertools
from contextlib import closing
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from uuid_utils import uuid7
from werkzeug.test import Client

from service.access.principals import Permissions, Principal, Roles, own_viewpoint, viewpoint_for, visible_viewpoints
from service.access.reading import open_reader
from service.access.scopes import EVERYTHING, OF_A_GAME
from service.access.store import Credential
from service.live.rights import Rights
from service.server.orders import Subscription
from tests.service.conftest import Guest
from tests.service.exchange.test_hostile_imports import forged

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tests.service.conftest import Api

pytestmark = pytest.mark.service("file")

BLIND = EVERYTHING - {"seats:read", "hidden:read"}


def token(api: Api, scopes: Iterable[str], **more: Any) -> Guest:
    answer = api.post("/v1/tokens", {"name": "x", "scopes": sorted(scopes), **more})
    assert answer.status_code == 201, answer.text
    return Guest(api.app, answer.get_json()["info"]["id"], answer.get_json()["token"])


def lacks(answer: Any) -> str | None:
    """The missing scope of a refused request."""
    if answer.status_code != 403:
        return None
    return str(answer.get_json()["scope"])


def test_no_program_sees_from_the_seat_of_its_person_without_the_scope() -> None:
    """With any other scopes, for a person with any role."""
    others = sorted(OF_A_GAME - {"seats:read", "hidden:read", "games:read"})
    for count in range(len(others) + 1):
        for chosen in itertools.combinations(others, count):
            for role, more in itertools.product((None, "viewer", "recorder", "owner"), ((), ("seats:read",))):
                scopes = frozenset({"games:read", *chosen, *more})
                made = Credential(id="c", kind="app", person="p", app="c", scopes=scopes, begun=1, maker="p")
                who = Principal(made, frozenset({"p"}), Roles(role, {}), Permissions(frozenset()), frozenset())
                permissions = who.permissions("g", lambda _game, _people: frozenset({1}))
                assert permissions.seats == {1}
                assert viewpoint_for("record", permissions) is None
                assert (viewpoint_for("1", permissions) is not None) == bool(more), scopes
                assert visible_viewpoints(permissions) == (["public", "seat-1"] if more else ["public"]), scopes
                assert own_viewpoint(permissions).seat == (1 if more else None), scopes


def test_a_stream_of_a_program_is_told_what_it_may_see(api: Api) -> None:
    """By the process that serves streams, which looks into the store of access itself."""
    game, context = api.play(), api.app.context
    player = api.let_in("viewer", games={game: 1})
    with closing(open_reader(context.settings.data, context.settings.database_url)) as reader:
        rights = Rights(reader, context.archive.folds, context.archive.log.people.merges)
        for scopes, seen in ((["games:read"], "public"), (["games:read", "seats:read"], "seat-1")):
            ask = Subscription(game, credential=token(player, scopes).person)
            rights.renew()
            viewpoints = rights.viewpoint(ask, game), rights.viewpoint_in_list(ask, game)
            assert [viewpoint and viewpoint.name for viewpoint in viewpoints] == [seen, seen]
            assert rights.sees(ask, game, "seat-1") == (seen == "seat-1")
            assert (rights.viewpoint(msgspec.structs.replace(ask, seat="1"), game) is None) == (seen == "public")


def test_nobody_gives_a_role_or_a_seat_that_may_do_or_see_more_than_they(api: Api) -> None:
    game, guest = api.play(), str(uuid7())
    blind, seeing = token(api, BLIND), token(api, EVERYTHING - {"games:rule"})
    there = f"/v1/games/{game}/roles/{guest}"
    for path, body in (
        (there, {"role": "recorder"}),
        (there, {"role": "owner"}),
        (there, {"seats": [0]}),
        (f"/v1/roles/{guest}", {"role": "recorder"}),
        (f"/v1/roles/{guest}", {"role": "owner"}),
    ):
        assert lacks(blind.request("PUT", path, json=body)) == "hidden:read", (path, body)
        assert api.access.granted_roles(person=guest) == []
    for path in (there, f"/v1/roles/{guest}"):
        assert blind.request("PUT", path, json={"role": "viewer"}).status_code == 200
        assert lacks(seeing.request("PUT", path, json={"role": "referee"})) == "games:rule"
        assert seeing.request("PUT", path, json={"role": "recorder"}).status_code == 200
        assert blind.request("PUT", path, json={"role": "viewer"}).status_code == 200, "which takes something"
    assert api.request("PUT", there, json={"role": "referee", "seats": [1]}).status_code == 200
    assert blind.request("PUT", there, json={"role": "referee", "seats": [1]}).status_code == 200, "which gives nothing"
    assert lacks(blind.request("PUT", there, json={"role": "referee", "seats": [0, 1]})) == "hidden:read"


def test_nobody_lets_a_phone_into_a_seat_that_they_do_not_see(api: Api) -> None:
    game = api.play()
    blind, invitations = token(api, BLIND), f"/v1/games/{game}/invitations"
    assert lacks(blind.post(invitations, {"seat": 0})) == "hidden:read"
    made = api.post(invitations, {"seat": 0}).get_json()["info"]
    everywhere = api.post("/v1/invitations", {"player": str(uuid7())}).get_json()["info"]
    for asker, codes in ((api, [made["code"], everywhere["code"]]), (blind, [None, None])):
        listed = asker.get("/v1/invitations").get_json()["invitations"]
        assert [each["code"] for each in listed] == codes, "a code is as good as the invitation"
        listed = asker.get(invitations).get_json()["invitations"]
        assert [each["code"] for each in listed] == codes[:1]


def test_an_invitation_to_a_seat_opens_nothing_once_its_maker_does_not_see_that(api: Api) -> None:
    game = api.play()
    host = api.let_in(games={game: "owner"})
    made = host.post(f"/v1/games/{game}/invitations", {"seat": 0}).get_json()
    api.request("PUT", f"/v1/games/{game}/roles/{host.person}", json={"role": "viewer"})
    phone = Client(api.app)
    assert phone.post("/join", data={"code": made["info"]["code"]}).status_code == 401


def test_an_invitation_by_a_limited_token_has_its_limits(api: Api) -> None:
    game, somebody = api.play("-", "+?gola", "-"), api.let_in("recorder")
    blind = token(api, BLIND)
    made = blind.post("/v1/invitations", {"player": somebody.person}).get_json()
    phone = Client(api.app)
    assert phone.post("/join", data={"code": made["info"]["code"]}).status_code == 303
    assert phone.get(f"/v1/games/{game}/state?seat=record").get_json()["scope"] == "hidden:read"
    assert somebody.get(f"/v1/games/{game}/state?seat=record").status_code == 200
    device = blind.post("/v1/tokens", {"name": "x", "person": somebody.person}).get_json()
    assert set(device["info"]["scopes"]) == BLIND
    wanted = {"name": "x", "person": api.access.owner, "scopes": ["hidden:read"]}
    assert lacks(blind.post("/v1/tokens", wanted)) == "hidden:read"


def test_nobody_merges_a_player_into_somebody_to_see_their_seat(api: Api) -> None:
    player, guest = (str(uuid7()) for _ in range(2))
    for person, name in ((player, "Aiko"), (guest, "Aiko K.")):
        api.request("PUT", f"/v1/players/{person}", json={"name": name})
    api.open(seats=[{"player": player}, {}])
    api.catch_up()
    blind = token(api, BLIND)
    for one, other in ((guest, player), (player, guest)):
        assert lacks(blind.request("PUT", f"/v1/players/{one}/merge", json={"into": other})) == "hidden:read"
    assert api.get("/v1/merges").get_json()["merges"] == []
    referee, administrator = api.let_in("referee"), token(api, EVERYTHING - {"games:rule"})
    gains = administrator.request("PUT", f"/v1/players/{guest}/merge", json={"into": referee.person})
    assert lacks(gains) == "games:rule"
    assert api.request("PUT", f"/v1/players/{guest}/merge", json={"into": player}).status_code == 200


def test_nobody_is_named_as_somebody_else_to_be_seated_for_them(api: Api) -> None:
    """Games find people by name: who could name their own guest as a player would sit down as that one."""
    guest, blind = api.let_in("viewer"), token(api, BLIND)
    assert lacks(blind.request("PUT", f"/v1/players/{guest.person}", json={"name": "Aiko"})) == "hidden:read"
    assert blind.request("PUT", f"/v1/players/{uuid7()}", json={"name": "Aiko"}).status_code == 200
    assert api.request("PUT", f"/v1/players/{guest.person}", json={"name": "Aiko"}).status_code == 200


def test_nobody_takes_a_seat_by_an_import_that_could_not_by_an_entry(api: Api) -> None:
    game, blind, guest = api.play("-", "+?gola", "-"), token(api, BLIND), str(uuid7())

    def sit_down(lines: list[dict[str, Any]]) -> None:
        last = lines[-1]
        more = {"id": str(uuid7()), "type": "seat.changed", "data": {"player": guest, "seat": 0}}
        lines.append({**last, **more, "version": last["version"] + 1})
        for name in ("sealed", "opened"):
            lines[-1].pop(name, None)
        lines[0]["events"] = last["version"] + 1

    content = forged(blind.get(f"/v1/games/{game}/export?format=ndjson").data, sit_down)
    brought = blind.post("/v1/imports", data=content, content_type="application/x-ndjson")
    assert lacks(brought) == "hidden:read", brought.text
    assert api.get(f"/v1/games/{game}").get_json()["version"] == 5
    assert api.post("/v1/imports", data=content, content_type="application/x-ndjson").status_code == 201


def test_nobody_has_the_messages_of_others_sent_to_themselves(api: Api) -> None:
    body = {"url": "https://scores.example/kifu"}
    made = api.let_in("recorder").post("/v1/webhooks", body).get_json()["info"]["id"]
    there = f"/v1/webhooks/{made}"
    assert lacks(token(api, BLIND).request("PATCH", there, json={"url": "https://x.example/"})) == "hidden:read"
    assert api.request("PATCH", there, json={"url": "https://x.example/"}).status_code == 200


# Who opened a game


def test_a_recorder_shares_the_game_that_they_opened_and_no_other(api: Api) -> None:
    recorder = api.let_in("recorder")
    own, other = recorder.open(), api.open()
    for game, status in ((own, 200), (other, 403)):
        shared = recorder.request("PUT", f"/v1/games/{game}/visibility", json={"visibility": "link"})
        assert shared.status_code == status
    assert recorder.post(f"/v1/games/{own}/invitations", {"seat": 1}).status_code == 201
    assert recorder.post(f"/v1/games/{own}/links", {"seat": "record"}).status_code == 201
    there = f"/v1/games/{own}/roles/{uuid7()}"
    assert recorder.request("PUT", there, json={"role": "recorder"}).status_code == 200
    assert lacks(recorder.request("PUT", there, json={"role": "referee"})) == "games:close"
    assert lacks(recorder.post(f"/v1/games/{own}/events", abandoned())) == "games:close"
    assert "games:share" in recorder.get(f"/games/{own}").text


def abandoned() -> dict[str, Any]:
    return {"events": [{"id": str(uuid7()), "type": "game.closed", "data": {"how": "abandoned"}}]}


def test_what_an_app_opened_its_person_shares_and_it_only_with_the_scope(api: Api) -> None:
    person = api.let_in("recorder")
    app = token(person, ["games:read", "games:open", "games:record", "hidden:read"])
    game = app.open()
    shown = {"visibility": "public"}
    assert person.request("PUT", f"/v1/games/{game}/visibility", json=shown).status_code == 200
    assert lacks(app.request("PUT", f"/v1/games/{game}/visibility", json=shown)) == "games:share"
    sharing = token(person, ["games:read", "games:record", "hidden:read", "games:share"], games=[game])
    assert sharing.request("PUT", f"/v1/games/{game}/visibility", json=shown).status_code == 200


def test_a_fork_and_a_game_that_one_records_no_more_are_not_ones_own_to_share(api: Api) -> None:
    recorder = api.let_in("recorder")
    origin, own = api.play(), recorder.open()
    fork = recorder.post(f"/v1/games/{origin}/forks", {"id": str(uuid7())}).get_json()["game"]
    shown = {"visibility": "public"}
    assert lacks(recorder.request("PUT", f"/v1/games/{fork}/visibility", json=shown)) == "games:share"
    api.request("PUT", f"/v1/roles/{recorder.person}", json={"role": "viewer"})
    assert lacks(recorder.request("PUT", f"/v1/games/{own}/visibility", json=shown)) == "games:share"


def test_a_game_that_was_not_there_yet_is_shared_by_who_opens_it(api: Api) -> None:
    recorder, game = api.let_in("recorder"), str(uuid7())
    path, shown = f"/v1/games/{game}/visibility", {"visibility": "link"}
    assert recorder.request("PUT", path, json=shown).status_code in {403, 404}
    assert recorder.post("/v1/games", {"id": game, "ruleset": "kahuna"}).status_code == 201
    assert recorder.request("PUT", path, json=shown).status_code == 200


def test_a_repeated_gift_of_a_right_gets_the_same_answer_and_one_line_of_the_trail(api: Api) -> None:
    game, person = api.open(), str(uuid7())
    gifts = (
        (f"/v1/games/{game}/visibility", {"visibility": "link"}, {"visibility": "private"}),
        (f"/v1/roles/{person}", {"role": "viewer"}, {"role": "recorder"}),
        (f"/v1/games/{game}/roles/{person}", {"role": "recorder", "seats": [1]}, {"role": "recorder", "seats": [0]}),
    )
    for path, gift, other in gifts:
        steps = [api.request("PUT", path, json=gift).get_data() for _ in range(2)]
        trail = api.get("/v1/trail?order=newest&limit=1").get_json()["steps"]
        again = api.request("PUT", path, json=gift)
        assert (steps, api.get("/v1/trail?order=newest&limit=1").get_json()["steps"]) == ([again.get_data()] * 2, trail)
        assert api.request("PUT", path, json=other).get_data() != again.get_data()
        newest = api.get("/v1/trail?order=newest&limit=1").get_json()["steps"]
        assert newest[0]["number"] == trail[0]["number"] + 1


def test_a_role_that_somebody_takes_back_at_once_is_answered_as_it_was_given(
    api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    person, give = str(uuid7()), api.access.grant

    def taken_back_at_once(*given: Any, by: str) -> Any:
        found = give(*given, by=by)
        assert api.access.withdraw(person, "", by=by)
        return found

    monkeypatch.setattr(api.access, "grant", taken_back_at_once)
    answer = api.request("PUT", f"/v1/roles/{person}", json={"role": "viewer"})
    assert (answer.status_code, answer.get_json()["role"]) == (200, "viewer")
    assert api.request("DELETE", f"/v1/roles/{person}").status_code == 404
