"""All that is held about a person is seen and saved by that person, and by no stranger and no app."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from uuid_utils import uuid7

from tests.service.conftest import Guest
from tests.service.people.test_seasons import PEOPLE, Club

if TYPE_CHECKING:
    from tests.service.conftest import Api

AIKO, BEN = PEOPLE


def say(api: Api, record: str, kind: str, **data: Any) -> None:
    """Record an entry in a club, a season or a tournament."""
    answer = api.post(f"/v1/{record}/entries", {"id": str(uuid7()), "type": kind, "data": data})
    assert answer.status_code == 201, answer.text


@pytest.fixture
def club(api: Api) -> Club:
    """A club with a season, a tournament and a game of two people, one of them with points given."""
    club = Club(api)
    club.play(7, 4)
    club.say("points_given", player=AIKO, points=-1, reason="late")
    joined = {"id": str(uuid7()), "type": "club.member_joined", "data": {"player": AIKO}}
    assert api.post(f"/v1/clubs/{club.club}/entries", joined).status_code == 201
    cup = str(uuid7())
    assert api.post("/v1/tournaments", {"id": cup, "name": "Autumn Cup"}).status_code == 201
    entered = {"id": str(uuid7()), "type": "tournament.player_entered", "data": {"player": AIKO}}
    assert api.post(f"/v1/tournaments/{cup}/entries", entered).status_code == 201
    api.catch_up()
    return club


@pytest.mark.slow
def test_a_person_sees_and_saves_all_that_is_held(api: Api, club: Club) -> None:
    other = str(uuid7())
    api.request("PUT", f"/v1/players/{other}", json={"name": "Aiko Sato"})
    assert api.request("PUT", f"/v1/players/{other}/merge", json={"into": AIKO}).status_code == 200
    aiko = api.let_in("viewer", person=AIKO)
    held = aiko.get(f"/people/{other}/held.json").get_json()
    assert aiko.get(f"/v1/players/{other}/held").get_json() == held
    assert held["person"] == AIKO
    assert held["names"] == {AIKO: "Aiko", other: "Aiko Sato"}
    assert [each["player"] for each in held["merged"]] == [other]
    assert len(held["games"]) == 1
    assert [(each["name"], each["role"]) for each in held["clubs"]] == [("Thursday Club", "member")]
    assert [(each["name"], each["role"]) for each in held["tournaments"]] == [("Autumn Cup", "player")]
    assert [(each["name"], each["role"]) for each in held["seasons"]] == [("Autumn", "-1 late")]
    assert [each["role"] for each in held["roles"]] == ["viewer"]
    assert held["access"]
    assert {"role.given", "person.merged"} <= {each["what"] for each in held["trail"]}
    shown = aiko.get(f"/people/{AIKO}/held").text
    assert "Aiko Sato" in shown
    assert "Autumn Cup" in shown
    assert "Ben" not in shown
    assert "<bdi>Rounds with a running total · " in shown
    assert f"/people/{AIKO}/held" in aiko.get(f"/people/{AIKO}").text
    assert "について保持している情報" in aiko.get(f"/people/{AIKO}/held", headers={"Accept-Language": "ja"}).text


def test_what_a_person_left_is_held_with_the_name_that_they_knew(api: Api, club: Club) -> None:
    """A record names somebody for good, also in entries that do not count. Its later name is for those in it."""
    cups = [str(uuid7()) for _ in range(3)]
    for number, cup in enumerate(cups):
        api.post("/v1/tournaments", {"id": cup, "name": f"Cup {number}"})
        say(api, f"tournaments/{cup}", "tournament.player_entered", player=AIKO)
        say(api, f"tournaments/{cup}", "tournament.player_entered", player=BEN)
    say(api, f"tournaments/{cups[0]}", "tournament.player_left", player=AIKO)
    say(api, f"tournaments/{cups[1]}", "tournament.withdrawn", entry=2)
    say(api, f"tournaments/{cups[2]}", "tournament.round_paired")
    say(api, f"tournaments/{cups[2]}", "tournament.player_left", player=AIKO)
    say(api, f"clubs/{club.club}", "club.member_left", player=AIKO)
    say(api, f"seasons/{club.season}", "season.withdrawn", entry=2)
    for record, kind in ((f"clubs/{club.club}", "club"), (f"tournaments/{cups[0]}", "tournament")):
        say(api, record, f"{kind}.changed", name="Secret", public=False)
    api.catch_up()
    aiko = api.let_in("viewer", person=AIKO)
    held = aiko.get(f"/v1/players/{AIKO}/held").get_json()
    told = {part: [(each["name"], each["role"]) for each in held[part]] for part in ("clubs", "tournaments", "seasons")}
    assert told["clubs"] == [("Thursday Club", "left")]
    assert sorted(told["tournaments"]) == [
        ("Autumn Cup", "player"),
        *((f"Cup {number}", "left") for number in range(3)),
    ]
    assert told["seasons"] == [("Autumn", "withdrawn")]
    page = aiko.get(f"/people/{AIKO}/held").text
    assert "Secret" not in page
    for record, seen in (
        (f"/clubs/{club.club}", False),
        (f"/tournaments/{cups[0]}", False),
        (f"/tournaments/{cups[2]}", True),
    ):
        assert (record in page) is seen
        assert aiko.get(record).status_code == (200 if seen else 404)
    assert ("Secret", "left") in [
        (each["name"], each["role"]) for each in api.get(f"/v1/players/{AIKO}/held").get_json()["clubs"]
    ]


def test_nobody_else_sees_it(api: Api, club: Club) -> None:
    aiko, ben = (api.let_in("viewer", person=player) for player in PEOPLE)
    body = {"name": "board", "scopes": ["games:read"]}
    app = Guest(api.app, "", aiko.post("/v1/tokens", body).get_json()["token"])
    for guest in (ben, app, Guest(api.app, "", None)):
        for path in (f"/people/{AIKO}/held", f"/people/{AIKO}/held.json", f"/v1/players/{AIKO}/held"):
            answer = guest.get(path)
            assert answer.status_code in {302, 303, 401, 403}, path
            assert "Autumn Cup" not in answer.text
        assert "held" not in guest.get(f"/people/{AIKO}").text
    assert api.get(f"/people/{AIKO}/held.json").status_code == 200
    for path in (f"/people/{uuid7()}/held", f"/v1/players/{uuid7()}/held"):
        assert api.get(path).status_code == 404
    assert api.get("/v1/players/Aiko/held").status_code == 400
    assert aiko.get(f"/people/{AIKO}/held.json").headers["Cache-Control"] == "private, no-store"


def test_an_erased_name_is_held_no_more(api: Api, club: Club) -> None:
    assert api.request("DELETE", f"/v1/players/{AIKO}").status_code == 204
    held = api.get(f"/people/{AIKO}/held.json")
    assert held.get_json()["names"] == {}
    assert "Aiko" not in held.text
    assert len(held.get_json()["games"]) == 1
