"""What a player of a seat records, and a program that sees the public view; and what they are told of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from service.recording.player_recording import UNSEEN
from tests.service.entries import entry, recorded_entry, rule, send, unsealed
from tests.service.secrecy.test_secrecy import TO_A_SPY

if TYPE_CHECKING:
    from tests.service.conftest import Api

pytestmark = pytest.mark.service("file")


def kind(answer) -> str:
    return str(answer.get_json()["type"]).rpartition("/")[2]


def test_a_player_records_moves_of_their_own_seat_and_no_others(api: Api) -> None:
    game = api.play()
    black, white = (api.let_in(games={game: seat}) for seat in (0, 1))
    refused = white.record(game, "black: a-h")
    assert (refused.status_code, kind(refused), refused.get_json()["entry_index"]) == (403, "not-yours", 0)
    taken = black.record(game, "a-h", "+?lale")
    assert taken.status_code == 201, taken.text
    first, second = taken.get_json()["entries"]
    assert (first["seat"], first["notation"], "hash" in first) == (0, "ALOA-HUNA", False)
    assert second["data"]["move"]["card"] == "LALE"
    assert first["effects"]
    assert api.get(f"/v1/games/{game}/events").get_json()["events"][-1]["recorder"] == black.person
    assert kind(white.record(game, "a-d", "black: +")) == "not-yours"
    assert api.get(f"/v1/games/{game}").get_json()["version"] == 4, "all of it, or nothing"


def test_what_a_player_sends_again_gets_the_same_answer(api: Api) -> None:
    game = api.play()
    black = api.let_in(games={game: 0})
    body = {"events": [entry("move.made", move="a-h"), entry("note.added", text="Tea.")]}
    answers = [black.post(f"/v1/games/{game}/events", body) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [201, 201]
    assert answers[0].data == answers[1].data
    tried = black.post(f"/v1/games/{game}/events?dry_run=true", {"events": [entry("move.made", move="+")]})
    assert tried.status_code == 200
    assert api.get(f"/v1/games/{game}").get_json()["version"] == 4


@pytest.mark.parametrize(
    ("type_", "data", "refused"),
    [
        ("entry.withdrawn", {"entry": 2}, "not-yours"),
        ("entry.replaced", {"entry": 3, "move": "b-d"}, "not-yours"),
        ("entry.inserted", {"after": 2, "move": "b-d"}, "not-yours"),
        ("ruling.given", {"reason": "so"}, "scope-needed"),
        ("game.closed", {"how": "abandoned"}, "scope-needed"),
        ("seat.changed", {"seat": 0}, "not-yours"),
        ("score.claimed", {"scores": [1, 2]}, "not-yours"),
        ("move.revealed", {"entry": 4, "move": "white: +?gola"}, "not-yours"),
        ("move.revealed", {"entry": 99, "move": "+"}, "not-yours"),
        ("entry.withdrawn", {"entry": "x"}, "not-yours"),
    ],
)
def test_what_is_not_a_players_is_refused(api: Api, type_: str, data: dict[str, object], refused: str) -> None:
    game = api.play("-", "+")
    black = api.let_in(games={game: 0})
    answer = send(black, game, entry(type_, **data))
    assert (answer.status_code, kind(answer)) == (403, refused), answer.text
    assert api.get(f"/v1/games/{game}").get_json()["version"] == 4


def test_a_player_tells_what_the_seat_held_and_others_are_not_told(api: Api) -> None:
    game = api.play("-", "+", "-", "+")
    white = api.let_in(games={game: 1})
    answer = send(white, game, entry("move.revealed", entry=4, move="+?gola"))
    assert answer.status_code == 201, answer.text
    assert recorded_entry(answer)["data"]["move"]["card"] == "GOLA"
    assert "GOLA" in str(white.get(f"/v1/games/{game}/state").get_json()["state"]["hands"])
    assert "GOLA" not in str(api.get(f"/v1/games/{game}/state?seat=0").get_json()["state"]["hands"])


def test_a_player_takes_back_what_they_recorded_last_and_nothing_earlier(api: Api) -> None:
    game = api.play()
    black = api.let_in(games={game: 0})
    assert black.record(game, "a-h", "-").status_code == 201
    assert kind(send(black, game, entry("entry.withdrawn", entry=3))) == "not-yours"
    assert send(black, game, entry("entry.withdrawn", entry=4)).status_code == 201
    assert api.get(f"/v1/games/{game}").get_json()["to_move"] == 0
    api.record(game, "-")
    assert kind(send(black, game, entry("entry.withdrawn", entry=6))) == "not-yours", "the owner recorded it"


def spied(api: Api, held: str) -> str:
    game = api.open(ruleset="catan_cards", seats=[{}, {}], options={"spy_any": False})
    assert api.record(game, *TO_A_SPY).status_code == 201
    rule(api, game, "points seat=1 points=1", "points seat=2 points=1")
    assert api.record(game, f"2: hold {held}").status_code == 201
    return game


def test_a_move_that_breaks_a_rule_by_what_is_hidden_stands_and_is_flagged_for_those_who_know(api: Api) -> None:
    """A Spy who finds a unit has to take it. A player who says that he found none does not know the other's hand."""
    answers = []
    for held in ("Abbey", "Abbey Scout"):
        game = spied(api, held)
        spy = api.let_in(games={game: 0})
        answer = send(
            spy,
            game,
            {"id": "0199d2f3-6a00-7000-8000-00000000000f", "type": "move.made"} | {"data": {"move": "play Spy -"}},
            dry=True,
        )
        assert answer.status_code == 200, answer.text
        answers.append(answer.text.replace(game, ""))
        assert send(spy, game, entry("move.made", move="play Spy -")).status_code == 201
        seen, known = (
            api.get(f"/v1/games/{game}/timeline?seat={seat}").get_json()["entries"][-1] for seat in ("0", "record")
        )
        assert ("irregular" in seen, "override" in seen) == (False, False)
        flagged = "Scout" in held
        assert known.get("override") == (UNSEEN if flagged else None)
        assert [breach["rule"] for breach in known.get("irregular", [])] == ["catan_cards:Q40"] * flagged
    assert answers[0] == answers[1]


def test_a_move_that_cannot_be_by_what_is_hidden_contradicts_the_record_and_no_more_is_told(api: Api) -> None:
    """Black holds both cards of LALE, which white does not know, who says that he plays one."""
    game = api.play("+?lale", "-", "+?lale")
    white = api.let_in(games={game: 1})
    answer = white.record(game, "LALE-KAHU")
    assert (answer.status_code, kind(answer)) == (409, "contradiction"), answer.text
    assert answer.get_json().keys() == {"type", "title", "status", "detail", "advice", "entry_index"}
    assert white.record(game, "KAHU-LALE").status_code == 201


def refusals(api: Api) -> list[tuple[str, str]]:
    """Who was refused something after the record was asked, and in which game, as the trail has it."""
    steps = api.get("/v1/trail?order=newest&limit=100").get_json()["steps"]
    return [(step["by"], step["game"]) for step in steps if step["what"] == "entry.refused"]


@pytest.mark.service("test")
def test_a_dry_run_of_a_player_tells_nothing_of_what_they_may_not_see(api: Api) -> None:
    """White tries cards: which of them Black holds does not show, nor that white asked."""
    game = api.play("+?lale", "-", "+?lale", "+")
    white, others = api.let_in(games={game: 1}), api.play("+?gola", "-", "+?gola", "+")
    tried = []
    for card in ("lale", "gola", "kahu"):
        for draft in (
            entry("move.revealed", entry=6, move=f"+?{card}"),
            entry("note.added", text="Tea."),
        ):
            answers = [
                send(api.let_in(person=white.person, games={each: 1}), each, draft, dry=True) for each in (game, others)
            ]
            assert [answer.status_code for answer in answers] == [200, 200], answers[0].text
            tried.append([answer.get_json()["entries"] for answer in answers])
    assert all(one == other for one, other in tried)
    assert refusals(api) == []


def test_a_batch_of_a_player_is_tried_from_their_seat_alone(api: Api) -> None:
    game = api.play("+?lale", "-", "+?lale")
    white = api.let_in(games={game: 1})
    drafts = [entry("note.added", text="Tea."), entry("move.made", move="LALE-KAHU")]
    drafts.append(entry("note.added", text="More tea.", entry=7))
    answer = send(white, game, *drafts, dry=True)
    assert answer.status_code == 200, answer.text
    assert [each["version"] for each in answer.get_json()["entries"]] == [6, 7, 8]
    assert white.record(game, "LALE-KAHU", query="?dry_run=true").status_code == 200
    assert white.record(game, "a-z", query="?dry_run=true").status_code == 400, "what anybody knows is judged"


@pytest.mark.parametrize("card", ["LALE", "KAHU"])
@pytest.mark.service("test")
def test_what_a_player_is_refused_after_the_record_was_asked_stands_in_the_trail(api: Api, card: str) -> None:
    """Be it for a card that cannot be, or for something else in the request once the card could be."""
    game, other = api.play("+?lale", "-", "+?lale"), api.play()
    white = api.let_in(games={game: 1})
    move = "LALE-KAHU" if card == "LALE" else "KAHU-LALE"
    batch = white.record(game, move, "nonsense")
    taken = api.get(f"/v1/games/{other}/events").get_json()["events"][1]["id"]
    reused = white.post(f"/v1/games/{game}/events", {"events": [entry("move.made", move=move) | {"id": taken}]})
    assert {batch.status_code, reused.status_code} <= {400, 409}
    assert refusals(api) == [(white.person, game)] * 2
    assert white.record(game, "nonsense").status_code == 400
    assert len(refusals(api)) == 2, "what is judged from the seat alone asks nothing of the record"


def test_a_hash_is_not_guessed_by_signing(api: Api) -> None:
    game = unsealed(api, api.play("-", "+?gola", "-"))
    white, head = api.let_in(games={game: 1}), api.get(f"/v1/games/{game}").get_json()
    for hash_ in (head["hash"], "0" * 64):
        data = {"seat": 1, "version": head["version"], "hash": hash_, "key": "x", "signature": "x"}
        for dry in (True, False):
            answer = send(white, game, entry("record.signed", **data), dry=dry)
            assert kind(answer) == "not-yours", answer.text


def test_a_player_with_a_stale_version_learns_no_hidden_fact(api: Api) -> None:
    game = api.play("+?lale", "-")
    white = api.let_in(games={game: 1})
    answer = white.record(game, "a-d", headers={"If-Match": '"v2"'})
    assert (answer.status_code, answer.get_json()["missed"], answer.get_json()["version"]) == (412, [], 4)
    assert "LALE" in str(api.record(game, "a-d", headers={"If-Match": '"v2"'}).get_json()["missed"])


def test_a_program_without_the_hidden_record_moves_any_seat_and_is_told_the_public_view(api: Api) -> None:
    game = api.play()
    made = api.post("/v1/tokens", {"name": "x", "scopes": ["games:read", "games:record"]}).get_json()
    blind = api.let_in()
    blind.token = made["token"]
    assert blind.record(game, "+?lale").status_code == 201
    assert blind.record(game, "-").status_code == 201
    assert "LALE" not in str(blind.get(f"/v1/games/{game}/state").get_json()["state"]["hands"])
    assert blind.get(f"/v1/games/{game}/state").get_json()["viewpoint"] == "public"


def test_a_recorder_corrects_what_they_recorded_and_a_referee_everything(api: Api) -> None:
    game = api.play("-", "+")
    api.post(f"/v1/games/{game}/events", {"events": [entry("note.added", text="Tea.")]})
    recorder, referee = api.let_in(games={game: "recorder"}), api.let_in(games={game: "referee"})
    assert recorder.record(game, "-").status_code == 201
    assert send(recorder, game, entry("entry.withdrawn", entry=5)).get_json()["scope"] == "games:correct"
    assert send(recorder, game, entry("entry.withdrawn", entry=6)).status_code == 201
    assert send(recorder, game, entry("game.closed", how="abandoned")).get_json()["scope"] == "games:close"
    assert send(recorder, game, entry("ruling.given", reason="so")).get_json()["scope"] == "games:rule"
    for sent in (
        entry("entry.withdrawn", entry=4),
        entry("ruling.given", reason="so"),
        entry("game.closed", how="abandoned"),
    ):
        assert send(referee, game, sent).status_code == 201
    batch = [entry("note.added", text="Tea."), entry("game.reopened", reason="so")]
    refused = send(recorder, game, *batch)
    assert (refused.status_code, refused.get_json()["entry_index"]) == (403, 1)


def test_deciding_about_entries_of_others_requires_the_right_to_correct_them(api: Api) -> None:
    game = api.open()
    recorder = api.let_in(games={game: "recorder"})
    assert recorder.record(game, "deal black BARI COCO DUDA").status_code == 201
    assert api.record(game, "-").status_code == 201
    answer = send(recorder, game, entry("entry.withdrawn", entry=2, keep="all", withdraw="all"))
    assert (answer.status_code, answer.get_json()["scope"]) == (403, "games:correct"), answer.text
