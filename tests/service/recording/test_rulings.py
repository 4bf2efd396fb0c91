"""Rulings, claims, bookmarks, closing and changes of seats over the API."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from uuid_utils import uuid7

from tests.service.entries import entry, info, recorded_entry, rule, send, state, timeline

if TYPE_CHECKING:
    from tests.service.conftest import Api

pytestmark = pytest.mark.service("file")


# Rulings


def test_a_ruling_gives_points_that_the_audit_names(api: Api) -> None:
    game = api.play("b-d")
    ruled = rule(api, game, "points seat=white points=2", {"type": "turn", "seat": 0})
    assert ruled["adjustments"] == ["points seat=White points=2", "turn seat=Black"]
    assert ruled["data"]["adjustments"][0] == {"type": "points", "seat": 1, "points": 2}
    assert [effect["kind"] for effect in ruled["effects"]] == ["points.ruled", "turn.ruled"]
    audit = api.get(f"/v1/games/{game}/score").get_json()
    assert audit["scores"] == [0, 2]
    (line,) = audit["lines"]
    assert (line["seat"], line["points"], line["version"], line["rule"]) == (1, 2, 4, "kahuna:RULING")
    assert "kahuna:RULING" in [each["id"] for each in audit["rules"]]


def test_a_ruling_is_revoked_not_deleted(api: Api) -> None:
    game = api.play("b-d")
    before = state(api, game)
    ruled = rule(api, game, "points seat=white points=2")
    revoked = recorded_entry(send(api, game, entry("ruling.revoked", ruling=ruled["version"], reason="appealed")))
    assert state(api, game) == before
    assert (revoked["scores_before"], revoked["scores"]) == ([0, 2], [0, 0])
    stored = timeline(api, game)[3]
    assert (stored["withdrawn_by"], stored["text"]) == (5, "the referee saw it")
    assert stored["adjustments"] == ["points seat=White points=2"]
    recorded_entry(send(api, game, entry("entry.withdrawn", entry=5)))
    assert info(api, game)["scores"] == [0, 2]


def test_a_house_rule_in_words_changes_nothing_and_stands_in_the_record(api: Api) -> None:
    game = api.play("b-d")
    before = state(api, game)
    referee = str(uuid7())
    rule(api, game, referee=referee)
    assert state(api, game) == before
    assert (timeline(api, game)[3]["text"], timeline(api, game)[3]["player"]) == ("the referee saw it", referee)
    assert "* ! the referee saw it" in api.get(f"/v1/games/{game}/export?format=text").text


def test_a_referee_is_the_person_with_that_name(api: Api) -> None:
    game = api.open(seats=[{"name": "Anna"}, {}])
    given = entry("ruling.given", reason="no talking", referee_name=" Rita ")
    first = send(api, game, given)
    assert send(api, game, given).data == first.data
    recorded_entry(send(api, game, entry("ruling.given", reason="no humming", referee_name="Anna")))
    shown = api.get(f"/v1/games/{game}/timeline").get_json()
    rita, anna = (each["player"] for each in shown["entries"][1:])
    assert shown["people"] == {rita: "Rita", anna: "Anna"}
    assert info(api, game)["seats"][0]["player"] == anna
    api.request("DELETE", f"/v1/players/{rita}")
    assert api.get(f"/v1/games/{game}/timeline").get_json()["people"] == {anna: "Anna"}


def test_a_referee_is_named_with_a_name_that_is_one_and_not_twice(api: Api) -> None:
    answer = send(api, api.play(), entry("ruling.given", reason="so be it", referee_name="\x07"))
    assert (answer.status_code, answer.get_json()["errors"][0]["field"]) == (400, "data.referee_name")
    both = entry("ruling.given", reason="so be it", referee_name="Rita", referee=str(uuid7()))
    answer = send(api, api.play(), both)
    assert (answer.status_code, answer.get_json()["errors"][0]["field"]) == (400, "data.referee_name")


def test_a_house_rule_is_switched_on_from_here_on(api: Api) -> None:
    game = api.play("b-d")
    rule(api, game, "option name=scoring value=opodopo")
    assert timeline(api, game)[3]["effects"][0]["text"] == "From here on: Scoring: opodopo"


def test_a_ruling_for_an_earlier_moment_is_checked_against_what_came_after(api: Api) -> None:
    game = api.play("b-d", "-")
    conflict = send(api, game, entry("ruling.given", reason="x", adjustments=["bridge line=BARI-DUDA seat=1"], after=2))
    assert conflict.status_code == 409
    assert conflict.get_json()["conflicts"][0]["version"] == 3
    ruled = rule(api, game, "points seat=black points=1", after=2)
    assert ruled["version"] == 5
    assert api.get(f"/v1/games/{game}/score?after=3").get_json()["scores"] == [1, 0]
    assert timeline(api, game)[4]["after"] == 2


def test_a_ruling_beyond_its_limits_changes_nothing(api: Api) -> None:
    game = api.play("b-d")
    ruled = ["points seat=white points=2", "bridge line=BARI-DUDA seat=1"]
    answer = send(api, game, entry("ruling.given", reason="x", adjustments=ruled))
    assert (answer.status_code, answer.get_json()["rule"]) == (422, "kahuna:RULING")
    assert info(api, game)["scores"] == [0, 0]


def test_a_ruling_typed_wrong_says_where(api: Api) -> None:
    answer = send(api, api.play(), entry("ruling.given", reason="x", adjustments=["points seat=grey points=2"]))
    assert (answer.status_code, answer.get_json()["at"]) == (400, 12)
    assert "seat is one of Black, White" in answer.get_json()["detail"]


def test_a_card_moved_unseen_stays_hidden_from_the_others(api: Api) -> None:
    game = api.play("b-d", "-", "+?gola")
    rule(api, game, "card from=white to=deck card=GOLA")
    api.show(game)
    api.token = None
    public = api.get(f"/v1/games/{game}/timeline").get_json()["entries"][5]
    assert "GOLA" not in str(public)


def test_what_a_ruling_can_change_is_described(api: Api) -> None:
    found = {each["name"]: each for each in api.get("/v1/rulesets/kahuna").get_json()["adjustments"]}
    assert {"points", "turn", "resign", "adjudge", "option", "bridge", "card"} <= set(found)
    assert found["points"]["schema"]["properties"]["seat"]["x-seat"] is True
    assert found["turn"]["help"]


def test_a_game_with_rulings_comes_back_from_its_text(api: Api) -> None:
    game = api.play("b-d", "-")
    rule(api, game, "points seat=white points=2", "card from=deck to=black")
    rule(api, game, "adjudge ranks=2,1")
    text = api.get(f"/v1/games/{game}/export?format=text").text
    answer = api.post(f"/v1/imports?id={uuid7()}", data=text, headers={"Content-Type": "text/plain"})
    assert answer.status_code == 201, answer.text
    twin = answer.get_json()["game"]
    assert state(api, twin) == state(api, game)
    assert info(api, twin)["outcome"] == info(api, game)["outcome"]


# Closing


def test_a_closed_game_takes_notes_and_claims_until_it_is_reopened(api: Api) -> None:
    game = api.play("b-d")
    recorded_entry(send(api, game, entry("game.closed", how="abandoned", reason="too late")))
    assert (info(api, game)["status"], info(api, game)["closed"]) == ("abandoned", "abandoned")
    for refused in (
        entry("move.made", move="-"),
        entry("entry.withdrawn", entry=3),
        entry("ruling.given", reason="x"),
        entry("seat.changed", seat=0),
        entry("game.closed", how="abandoned"),
    ):
        answer = send(api, game, refused)
        assert (answer.status_code, answer.get_json()["type"]) == (409, "/problems/game-closed")
    recorded_entry(send(api, game, entry("note.added", text="a pity")))
    recorded_entry(send(api, game, entry("score.claimed", scores=[0, 0])))
    recorded_entry(send(api, game, entry("game.reopened", reason="the next evening")))
    assert (info(api, game)["status"], info(api, game)["closed"]) == ("playing", None)
    recorded_entry(send(api, game, entry("entry.withdrawn", entry=3)))


@pytest.mark.parametrize(
    ("ruling", "how", "status"),
    [("adjudge ranks=1,2", "adjudicated", "adjudicated"), ("resign seat=black", "adjudicated", "adjudicated")],
)
@pytest.mark.service("test")
def test_a_game_is_closed_as_it_ended(api: Api, ruling: str, how: str, status: str) -> None:
    game = api.play("b-d")
    for wrong in ("finished", "adjudicated"):
        answer = send(api, game, entry("game.closed", how=wrong))
        assert "can be abandoned, or decided by a ruling first" in answer.get_json()["detail"]
    rule(api, game, ruling)
    for wrong in ("finished", "abandoned"):
        assert "decided by a ruling" in send(api, game, entry("game.closed", how=wrong)).get_json()["detail"]
    recorded_entry(send(api, game, entry("game.closed", how=how)))
    assert info(api, game)["status"] == status
    api.catch_up()
    assert [each["game"] for each in api.get(f"/v1/games?status={status}").get_json()["games"]] == [game]


def test_a_closing_is_undone_by_reopening_only(api: Api) -> None:
    game = api.play("b-d")
    recorded_entry(send(api, game, entry("game.closed", how="abandoned")))
    recorded_entry(send(api, game, entry("game.reopened", reason="on")))
    for version, why in ((4, "closed the game: reopen it"), (5, "reopened the game: close it again")):
        assert why in send(api, game, entry("entry.withdrawn", entry=version)).get_json()["detail"]


# Claims


def test_a_claim_that_agrees_says_so(api: Api) -> None:
    game = api.play("b-d")
    recorded_entry(send(api, game, entry("score.claimed", scores=[0, None])))
    (claim,) = api.get(f"/v1/games/{game}/claims").get_json()["claims"]
    assert claim["agrees"] is True
    assert [seat["difference"] for seat in claim["seats"]] == [0, None]


def test_a_difference_is_explained_by_the_entries_it_comes_from(api: Api) -> None:
    game = api.play("b-d")
    first, second = rule(api, game, "points seat=white points=2"), rule(api, game, "points seat=white points=5")
    recorded_entry(send(api, game, entry("score.claimed", scores=[0, 5], text="the back of the box")))
    lines = [{"seat": 1, "category": "ruling", "points": 5}, {"seat": 0, "category": "round-1", "points": 1}]
    recorded_entry(send(api, game, entry("score.claimed", lines=lines)))
    by_total, by_line = api.get(f"/v1/games/{game}/claims").get_json()["claims"]
    assert by_total["agrees"] is by_line["agrees"] is False
    white = by_total["seats"][1]
    assert (white["claimed"], white["audited"], white["difference"]) == (5, 7, -2)
    assert [line["version"] for line in white["explained_by"]] == [first["version"]]
    compared = {(line["seat"], line["category"]): line for line in by_line["lines"]}
    assert compared[1, "ruling"]["difference"] == -2
    assert [line["version"] for line in compared[1, "ruling"]["lines"]] == [first["version"], second["version"]]
    assert (compared[0, "round-1"]["audited"], compared[0, "round-1"]["difference"]) == (None, 1)


def test_a_claim_is_compared_with_the_record_as_it_counts_today(api: Api) -> None:
    game = api.play("b-d")
    ruled = rule(api, game, "points seat=white points=2")
    recorded_entry(send(api, game, entry("score.claimed", scores=[0, 0], entry=4)))
    assert api.get(f"/v1/games/{game}/claims").get_json()["claims"][0]["agrees"] is False
    recorded_entry(send(api, game, entry("ruling.revoked", ruling=ruled["version"])))
    assert api.get(f"/v1/games/{game}/claims").get_json()["claims"][0]["agrees"] is True


# Seats and bookmarks


@pytest.mark.service("test")
def test_somebody_else_takes_a_seat_and_is_found_by_name(api: Api) -> None:
    game = api.open(seats=[{"name": "Anna"}, {"name": "Ben"}])
    changed = entry("seat.changed", seat=1, name="Chiyo", reason="Ben had to go")
    first = send(api, game, changed)
    assert send(api, game, changed).data == first.data
    assert [seat["name"] for seat in info(api, game)["seats"]] == ["Anna", "Chiyo"]
    api.catch_up()
    for name in ("Anna", "Ben", "Chiyo"):
        assert [each["game"] for each in api.get(f"/v1/games?q={name}").get_json()["games"]] == [game]
    recorded_entry(send(api, game, entry("entry.withdrawn", entry=2)))
    api.catch_up()
    assert [seat["name"] for seat in info(api, game)["seats"]] == ["Anna", "Ben"]
    assert api.get("/v1/games?q=Chiyo").get_json()["games"] == []


def test_a_seat_is_taken_with_a_name_that_is_one(api: Api) -> None:
    for name in ("", "\x07", "x" * 300):
        answer = send(api, api.play(), entry("seat.changed", seat=1, name=name))
        assert (answer.status_code, answer.get_json()["errors"][0]["field"]) == (400, "data.name")


def test_a_bookmark_marks_a_moment(api: Api) -> None:
    game = api.play("b-d")
    recorded_entry(send(api, game, entry("note.added", text="the turning point", entry=3, bookmark=True)))
    noted = timeline(api, game)[3]
    assert (noted["bookmark"], noted["entry"], noted["text"]) == (True, 3, "the turning point")
