"""Clubs: a record of their own in the log, seen by members, changed by organisers, mended by withdrawals."""

from __future__ import annotations

import re
from functools import partial
from hashlib import sha256
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner
from uuid_utils import uuid7

from events.canonical import GENESIS
from events.errors import BadEventError
from events.event import NewEvent
from games.scoresheet.ready import READY
from projections.clubs import clubs_in, fold_club
from projections.rebuild import rebuild
from projections.replaying import prove_replays
from service.cli.commands import kifu
from service.recording.founded import record_in
from tests.cases import cases
from tests.service.asked import routes

if TYPE_CHECKING:
    from pathlib import Path

    from tests.service.conftest import Api

pytestmark = pytest.mark.service("file")


def _new(api: Api, **more: Any) -> str:
    club = str(uuid7())
    answer = api.post("/v1/clubs", {"id": club, "name": "Thursday Club"} | more)
    assert answer.status_code == 201, answer.get_json()
    return club


def _say(api: Api, club: str, kind: str, **data: Any) -> Any:
    return api.post(f"/v1/clubs/{club}/entries", {"id": str(uuid7()), "type": f"club.{kind}", "data": data})


def test_a_club_has_members_rules_and_games(api: Api) -> None:
    club, game = _new(api), api.play()
    assert _say(api, club, "member_joined", name="Aiko").status_code == 201
    assert _say(api, club, "rules_set", ruleset="kahuna", text="No tea on the map.").status_code == 201
    found = _say(api, club, "game_attached", game=game).get_json()
    assert [each["name"] for each in found["members"]][1:] == ["Aiko"]
    assert found["games"] == [game]
    assert found["rules"][0]["text"] == "No tea on the map."
    api.catch_up()
    assert [each["club"] for each in api.get("/v1/clubs").get_json()["clubs"]] == [club]


@pytest.mark.parametrize("kind", ["clubs", "seasons", "tournaments"])
def test_names_of_clubs_keep_the_rule_of_names_of_people(api: Api, kind: str) -> None:
    """A name with a mark of direction was taken: it looked like another club's."""
    club = _new(api)
    more = {"club": club} if kind == "seasons" else {}
    for bad in ("\u200f", "Thurs\u200fday", "Thurs\u202eday", "Thurs\u0007day", "\u3164", "?"):
        assert api.post(f"/v1/{kind}", {"id": str(uuid7()), "name": bad} | more).status_code == 400, ascii(bad)
    again = {"id": str(uuid7()), "name": "Cafe\u0301\u3000Go"} | more
    first, second = (api.post(f"/v1/{kind}", again) for _ in range(2))
    assert (first.status_code, second.status_code) == (201, 201)
    assert first.get_json()["name"] == second.get_json()["name"] == again["name"]
    said = {"id": str(uuid7()), "type": f"{kind[:-1]}.changed", "data": {"name": "Fri\u200fday"}}
    answer = api.post(f"/v1/{kind}/{again['id']}/entries", said)
    assert (answer.status_code, answer.get_json()["errors"][0]["field"]) == (400, "data.name")
    said["data"]["name"] = "Friday"
    assert api.post(f"/v1/{kind}/{again['id']}/entries", said).get_json()["name"] == "Friday"


def test_a_withdrawal_takes_out_and_its_withdrawal_brings_back(api: Api) -> None:
    club = _new(api)
    _say(api, club, "changed", name="Friday Club")
    assert _say(api, club, "withdrawn", entry=2).get_json()["name"] == "Thursday Club"
    assert _say(api, club, "withdrawn", entry=3).get_json()["name"] == "Friday Club"
    entries = api.get(f"/v1/clubs/{club}/entries").get_json()["entries"]
    assert [each["counts"] for each in entries] == [True, True, False, True]


def test_a_withdrawal_that_leaves_later_entries_without_sense_is_refused(api: Api) -> None:
    club = _new(api)
    player = _say(api, club, "member_joined", name="Aiko").get_json()["members"][1]["player"]
    _say(api, club, "member_left", player=player)
    answer = _say(api, club, "withdrawn", entry=2)
    assert answer.status_code == 400
    assert "entry 3 no longer fits" in answer.get_json()["detail"]


@cases(
    ("kind", "data"),
    [
        ("member_joined", {}),
        ("member_joined", {"player": "nobody"}),
        ("member_joined", {"name": 3}),
        ("member_joined", {"name": ""}),
        ("member_joined", {"name": "Bo", "role": "king"}),
        ("member_left", {"player": str(uuid7())}),
        ("changed", {"name": ""}),
        ("changed", {"shade": "blue"}),
        ("rules_set", {"ruleset": "nothing"}),
        ("rules_set", {"ruleset": "kahuna", "options": {"what": 1}}),
        ("game_attached", {"game": str(uuid7())}),
        ("game_attached", {"game": 7}),
        ("game_attached", {}),
        ("game_detached", {"game": str(uuid7())}),
        ("withdrawn", {"entry": 1}),
        ("withdrawn", {"entry": 9}),
        ("founded", {"name": "Again"}),
    ],
)
def test_bad_entries_are_refused_by_name(api: Api, kind: str, data: dict[str, Any]) -> None:
    club = _new(api)
    answer = _say(api, club, kind, **data)
    assert 400 <= answer.status_code < 500
    assert api.get(f"/v1/clubs/{club}").get_json()["version"] == 1


@pytest.mark.parametrize("odd", [[], {}, ["x"], {"a": 1}, 1, True, None, ""])
def test_a_person_who_is_no_id_is_refused_by_name(api: Api, odd: Any) -> None:
    club, member = _new(api, public=True), api.let_in("viewer")
    refused = _say(api, club, "member_left", player=odd)
    assert (refused.status_code, refused.get_json()["errors"][0]["field"]) == (400, "data.player")
    assert _say(member, club, "member_left", player=odd).status_code == 403


def test_the_last_organiser_stays(api: Api) -> None:
    club = _new(api)
    founder = api.get(f"/v1/clubs/{club}").get_json()["members"][0]["player"]
    assert _say(api, club, "member_left", player=founder).status_code == 400
    assert _say(api, club, "member_joined", player=founder, role="member").status_code == 400


def test_nothing_is_withdrawn_from_a_club_that_was_only_founded(shared: Api) -> None:
    problem = _say(shared, _new(shared), "withdrawn", entry=2).get_json()
    assert problem["errors"] == [{"field": "data.entry", "message": "no entry can be withdrawn yet"}]


def test_a_merged_person_is_a_member_once_by_any_id(api: Api) -> None:
    first, again = str(uuid7()), str(uuid7())
    for player, name in ((first, "Ben"), (again, "Benjamin")):
        assert api.request("PUT", f"/v1/players/{player}", json={"name": name}).status_code < 300
    assert api.request("PUT", f"/v1/players/{again}/merge", json={"into": first}).status_code == 200
    club = _new(api)
    _say(api, club, "member_joined", player=first)
    answer = _say(api, club, "member_joined", player=again)
    assert (answer.status_code, answer.get_json()["errors"][0]["field"]) == (400, "data.player")
    answer = _say(api, club, "member_left", player=again)
    assert [member["name"] for member in answer.get_json()["members"]] == [None]


def _twice(api: Api) -> tuple[str, str]:
    """The ids of two people who turn out to be one: `merge` makes them so."""
    first, again = str(uuid7()), str(uuid7())
    for player, name in ((first, "Ben"), (again, "Benjamin")):
        assert api.request("PUT", f"/v1/players/{player}", json={"name": name}).status_code < 300
    return first, again


def _merge(api: Api, again: str, first: str) -> None:
    assert api.request("PUT", f"/v1/players/{again}/merge", json={"into": first}).status_code == 200


@pytest.mark.parametrize("by", [0, 1])
def test_somebody_who_joined_twice_before_a_merge_leaves_as_one(api: Api, by: int) -> None:
    both, club = _twice(api), _new(api)
    for player in both:
        _say(api, club, "member_joined", player=player)
    _merge(api, both[1], both[0])
    body = {"id": str(uuid7()), "type": "club.member_left", "data": {"player": both[by]}}
    for _ in range(2):
        answer = api.post(f"/v1/clubs/{club}/entries", body)
        assert (answer.status_code, len(answer.get_json()["members"]), answer.get_json()["version"]) == (201, 1, 5)
    other = api.post(f"/v1/clubs/{club}/entries", body | {"data": {"player": both[1 - by]}})
    assert (other.status_code, other.get_json()["version"]) == (201, 5), "the same entry, by another id"


def test_somebody_who_joined_twice_changes_the_role_as_one(api: Api) -> None:
    (first, again), club = _twice(api), _new(api)
    _say(api, club, "member_joined", player=first)
    _say(api, club, "member_joined", player=again, role="organiser")
    _merge(api, again, first)

    def role() -> str:
        members = api.get(f"/v1/clubs/{club}").get_json()["members"]
        return next(each["role"] for each in members if each["player"] == first)

    assert role() == "organiser"
    assert _say(api, club, "member_joined", player=first, role="member").status_code == 201
    assert role() == "member"
    assert _say(api, club, "member_joined", player=again).status_code == 400, "they are a member already"
    assert _say(api, club, "member_joined", player=first, role="organiser").status_code == 201
    owner = api.get(f"/v1/clubs/{club}").get_json()["members"][0]["player"]
    assert _say(api, club, "member_left", player=owner).status_code == 201
    for kind, more in (("member_left", {}), ("member_joined", {"role": "member"})):
        refused = _say(api, club, kind, player=first, **more)
        assert (refused.status_code, role()) == (400, "organiser"), "a club must keep at least one organiser, by any id"
        assert "must keep at least one organiser" in refused.get_json()["detail"]


def test_a_repeated_entry_is_recorded_once(api: Api) -> None:
    club = _new(api)
    body = {"id": str(uuid7()), "type": "club.member_joined", "data": {"name": "Aiko"}}
    first = api.post(f"/v1/clubs/{club}/entries", body)
    again = api.post(f"/v1/clubs/{club}/entries", body)
    assert (first.status_code, again.status_code) == (201, 201)
    assert first.get_json() == again.get_json()


@pytest.mark.service("test")
def test_a_stranger_sees_public_clubs_alone_and_no_private_game(api: Api) -> None:
    hidden, shown = _new(api), _new(api, public=True)
    _say(api, shown, "game_attached", game=api.play())
    api.catch_up()
    client = api.client
    assert client.get(f"/v1/clubs/{hidden}").status_code == 404
    assert [each["club"] for each in client.get("/v1/clubs").get_json()["clubs"]] == [shown]
    assert client.get(f"/v1/clubs/{shown}").get_json()["games"] == []
    assert len(client.get(f"/v1/clubs/{shown}/entries").get_json()["entries"]) == 1
    assert client.post(f"/v1/clubs/{shown}/entries", json={}).status_code == 401


@pytest.mark.service("test")
def test_a_club_is_no_game(api: Api) -> None:
    club, game = _new(api), api.play()
    assert api.get(f"/v1/games/{club}").status_code == 404
    assert api.get(f"/v1/clubs/{game}").status_code == 404
    note = {"events": [{"id": str(uuid7()), "type": "note.added", "data": {"text": "Tea."}}]}
    assert api.post(f"/v1/games/{club}/events", note).status_code == 404
    api.catch_up()
    assert [each["game"] for each in api.get("/v1/games").get_json()["games"]] == [game]


@pytest.mark.service("test")
def test_a_list_of_clubs_says_which_ones_are_ones_own(api: Api) -> None:
    club, other = _new(api, public=True), api.let_in("recorder")
    api.catch_up()
    found = [who.get("/v1/clubs").get_json()["clubs"] for who in (api, other)]
    assert [(each["club"], each["member"]) for clubs in found for each in clubs] == [(club, True), (club, False)]
    assert [each["member"] for each in api.client.get("/v1/clubs").get_json()["clubs"]] == [False]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ({"ruleset": "kahuna"}, {"seafarer": True}),
        ({"ruleset": "kahuna", "options": {"seafarer": False}}, {"seafarer": False}),
        ({"ruleset": "scoresheet"}, {"template": "hearts"}),
        ({"ruleset": "scoresheet", "options": {"template": "uno"}}, {"template": "uno"}),
        ({"ruleset": "scoresheet", "components_name": "mine"}, {"template": "plain"}),
    ],
)
def test_a_game_of_a_club_has_the_options_of_its_house_rules_where_none_are_sent(
    api: Api, body: dict[str, Any], expected: dict[str, Any]
) -> None:
    club, game = _new(api), str(uuid7())
    assert _say(api, club, "rules_set", ruleset="kahuna", options={"seafarer": True}).status_code == 201
    assert _say(api, club, "rules_set", ruleset="scoresheet", options={"template": "hearts"}).status_code == 201
    api.request("PUT", "/v1/components/scoresheet/mine", json={"data": READY["uno"]})
    answer = api.post(f"/v1/clubs/{club}/games", {"id": game} | body)
    assert answer.status_code == 201, answer.text
    options = api.get(f"/v1/games/{game}").get_json()["options"]
    assert {name: options[name] for name in expected} == expected


def test_opening_a_game_of_a_club_can_be_repeated(api: Api) -> None:
    club, game = _new(api), str(uuid7())
    answer = api.post(f"/v1/clubs/{club}/games", {"id": game, "ruleset": "kahuna"})
    assert answer.status_code == 201
    assert api.get(f"/v1/clubs/{club}").get_json()["games"] == [game]
    for options in ({"seafarer": True}, {}):  # house rules that changed before the request came again
        assert _say(api, club, "rules_set", ruleset="kahuna", options=options).status_code == 201
        again = api.post(f"/v1/clubs/{club}/games", {"id": game, "ruleset": "kahuna"})
        assert (again.status_code, again.get_data()) == (201, answer.get_data())
    other = api.post(f"/v1/clubs/{club}/games", {"id": game, "ruleset": "kahuna", "options": {"seafarer": True}})
    assert other.get_json()["type"] == "/problems/id-reused"


@pytest.mark.parametrize("own", [False, True])
def test_an_entry_that_another_process_stores_meanwhile_is_no_conflict(api: Api, own: bool) -> None:
    """Also if it is the `own` entry, which the sender sent again."""
    club, log = _new(api), api.app.context.archive.log
    event = NewEvent(id=str(uuid7()), type="club.changed", data={"description": "By the river."})
    other = NewEvent(id=str(uuid7()), type="club.changed", data={"name": "Friday Club"})
    stored = [other, event] if own else [other]

    def store(_: object) -> None:
        if stored:
            log.append(club, stored, expected=1, recorder="another")
            stored.clear()

    record = partial(record_in, api.app.context.archive, club, event, fold_club, recorder="one")
    assert record(check=store) == record() == 3
    found = api.get(f"/v1/clubs/{club}").get_json()
    assert (found["name"], found["description"], found["version"]) == ("Friday Club", "By the river.", 3)


def test_an_exported_club_comes_back(api: Api) -> None:
    club = _new(api)
    _say(api, club, "member_joined", name="Aiko")
    file = api.get(f"/v1/clubs/{club}/export").get_data()
    assert file.count(b"\n") == 3
    answer = api.request("POST", "/v1/imports", data=file, headers={"Content-Type": "application/x-ndjson"})
    assert (answer.status_code, answer.headers["Kifu-New-Entries"]) == (201, "0")
    assert answer.headers["Location"] == f"/v1/clubs/{club}"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b"club.founded", b"season.founded"),
        (b'"schema":1', b'"schema":7'),
        (b'"type":"club.member_joined"', b'"type":"club.member_left"'),
        (b'"type":"club.member_joined"', b'"type":"note.added"'),
        (b'"type":"club.member_joined"', b'"type":"season.changed"'),
    ],
)
def test_a_file_of_a_club_that_is_no_record_of_one_is_refused_by_all(
    api: Api, tmp_path: Path, old: bytes, new: bytes
) -> None:
    """All hashes are computed anew: by the import and by the proof of the file."""
    club = _new(api)
    assert _say(api, club, "member_joined", name="Aiko").status_code == 201
    lines = api.get(f"/v1/clubs/{club}/export").data.splitlines()
    assert old in b"".join(lines[1:])
    content = rehashed([lines[0], *(line.replace(old, new, 1) for line in lines[1:])])
    file = tmp_path / "club.ndjson"
    file.write_bytes(content)
    proved = CliRunner().invoke(kifu, ["verify", str(file)])
    assert (proved.exit_code, "Sound" in proved.output) == (1, False)
    file.write_bytes(rehashed(lines))
    assert CliRunner().invoke(kifu, ["verify", str(file)]).exit_code == 0, "the test computes hashes as Kifu does"
    answer = api.request("POST", "/v1/imports", data=content, headers={"Content-Type": "application/x-ndjson"})
    assert answer.status_code in {400, 409}


def rehashed(lines: list[bytes]) -> bytes:
    """A file with all hashes computed anew."""
    prev, found = GENESIS, list[bytes]()
    for line in lines[1:]:
        head, _, tail = re.sub(rb'"prev":"[0-9a-f]{64}"', b'"prev":"%s"' % prev.encode(), line).rpartition(b',"hash":')
        opened = head.find(b',"opened":')
        hashed = head if opened < 0 else head[:opened]
        prev = sha256(hashed + b"}").hexdigest()
        found.append(head + b',"hash":"%s"}' % prev.encode())
        assert tail
    header = re.sub(rb'"head":"[0-9a-f]{64}"', b'"head":"%s"' % prev.encode(), lines[0])
    return b"\n".join([header, *found, b""])


def test_the_page_of_a_club_changes_it(api: Api) -> None:
    club = _new(api)
    form = {"id": str(uuid7()), "type": "club.member_joined", "name": "Aiko"}
    assert api.request("POST", f"/clubs/{club}", data=form).status_code == 303
    shown = api.get(f"/clubs/{club}").get_data(as_text=True)
    assert "Aiko joined (member)" in shown
    assert shown.count("leaves") == 1, "the last organiser cannot leave"
    api.catch_up()
    assert "Thursday Club" in api.get("/clubs").get_data(as_text=True)


@pytest.mark.service("test")
def test_read_models_and_proofs_pass_by_clubs(api: Api) -> None:
    club, game = _new(api), api.play()
    api.catch_up()
    archive = api.app.context.archive
    rebuilt = rebuild(archive.log, archive.views)
    assert (rebuilt.drifted, rebuilt.unreadable) == ([], {})
    assert clubs_in(archive.views.db) == [club]
    assert [*prove_replays(archive.log, lambda _: None)] == []
    assert [each["game"] for each in api.get("/v1/games").get_json()["games"]] == [game]
    with pytest.raises(BadEventError):
        archive.log.append(
            game, [NewEvent(id=str(uuid7()), type="club.changed", data={"name": "x"})], expected=1, recorder=""
        )


def test_no_route_of_games_takes_a_club_for_one(api: Api) -> None:
    """The owner may read every game, and a private club has entries: what does not fold a game must not show them."""
    club, other = _new(api), api.play()
    api.catch_up()
    walked = 0
    for route in sorted(routes(api.app)):
        method, path = route.split(" ")
        if "<game>" not in path and "<uuid:game>" not in path:
            continue
        path = re.sub("<[^>]*>", "1", re.sub("<(uuid:)?game>", club, path))
        answer = api.request(method, path, json=None if method == "GET" else {})
        assert answer.status_code == 404, (route, answer.status_code)
        assert "Thursday" not in answer.get_data(as_text=True), route
        walked += 1
    assert walked > 25
    assert api.get(f"/v1/games/{other}").status_code == 200


def test_a_stream_of_all_games_and_the_list_of_games_pass_by_clubs(api: Api) -> None:
    club = _new(api, public=True)
    api.catch_up()
    assert club not in api.get("/v1/games").get_data(as_text=True)
    assert club not in api.get("/games").get_data(as_text=True)
