"""Analyses over the API: asked for, followed, listed, cancelled, by callers with the right to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from projections.analyses.kinds import KINDS
from service.api.routes.analyses import WAITING
from tests.service.entries import entry, recorded_entry, send
from workers.results import ANALYSIS

if TYPE_CHECKING:
    from tests.service.conftest import Api

pytestmark = pytest.mark.service("file")


def ask(api: Api, game: str, kind: str = "timeline", status: int = 202, **more: Any) -> dict[str, Any]:
    answer = api.post(f"/v1/games/{game}/analyses", {"kind": kind} | more)
    assert answer.status_code == status, answer.text
    found: dict[str, Any] = answer.get_json()
    if status == 202:
        assert answer.headers["Location"] == f"/v1/games/{game}/analyses/{found['id']}"
    return found


def made(api: Api, game: str, kind: str = "timeline", **more: Any) -> dict[str, Any]:
    """An analysis, followed until it is done: without workers, the request that follows it works on it."""
    asked = ask(api, game, kind, **more)
    for _ in range(200):
        found: dict[str, Any] = api.get(f"/v1/games/{game}/analyses/{asked['id']}").get_json()
        if found["status"] not in {"waiting", "running"}:
            return found
    raise AssertionError(found)


@pytest.fixture
def game(api: Api) -> str:
    return api.play("-", "+?gola", "b-d", "-")


@pytest.mark.slow
def test_an_earlier_version_is_analysed_as_the_record_stood_then(api: Api) -> None:
    game = api.play("-", "+?gola", "b-d", "-")
    earlier, now = ask(api, game, at=4), ask(api, game)
    assert (earlier["version"], now["version"]) == (4, 6)
    shown = api.get(f"/v1/games/{game}/analyses/{earlier['id']}").get_json()
    assert (shown["status"], shown["version"]) == ("done", 4)
    assert max(turn["last"] for turn in shown["result"]["turns"]) == 4
    assert ask(api, game, at=4)["id"] == earlier["id"]
    for at, status in ((7, 404), (0, 400), ("4", 400)):
        assert ask(api, game, at=at, status=status)


def test_an_analysis_is_asked_for_followed_and_stays(api: Api, game: str) -> None:
    found = made(api, game)
    assert (found["status"], found["kind"], found["viewpoint"], found["version"]) == ("done", "timeline", "record", 6)
    assert found["result"]["standings"][0] == {"version": 1, "scores": [0, 0], "leaders": [0, 1], "margin": 0}
    assert ask(api, game)["id"] == found["id"]
    (listed,) = api.get(f"/v1/games/{game}/analyses").get_json()["analyses"]
    assert listed == found | {"result": None}


def test_a_timeline_has_the_game_in_words_and_its_moments(api: Api) -> None:
    seats = [{"name": "Anna"}, {"name": "Ben"}]
    game = api.open(ruleset="scoresheet", options={"template": "rounds"}, seats=seats)
    notes = (
        {"entry": 2, "text": "the plan", "bookmark": True},
        {"text": "a mistake", "bookmark": True},
        {"text": "no"},
    )
    entries = [
        *(entry("move.made", move=move) for move in ("1 7", "9 2")),
        *(entry("note.added", **each) for each in notes),
    ]
    entries += [entry("entry.withdrawn", entry=5, reason="a mistake"), entry("move.made", move="end")]
    assert send(api, game, *entries).status_code == 201
    mark = {"version": 2, "why": "mark", "note": 4}
    for seat in ("record", "public"):
        found = made(api, game, seat=seat)
        assert found["result"]["moments"][0] == mark, "the other one was taken back"
        assert [each["why"] for each in found["result"]["moments"]] == ["mark", "ahead", "gain", "behind", "last"]
        assert found["words"][-1] == "Anna won (entry 8), and was never behind after entry 3."
    path = f"/v1/games/{game}/analyses"
    japanese = api.get(f"{path}/{found['id']}", headers={"Accept-Language": "ja"})
    assert "Accept-Language" in japanese.headers["Vary"]
    assert "Anna" in japanese.get_json()["words"][-1]
    assert "won" not in japanese.get_json()["words"][-1]
    assert {str(each["words"]) for each in api.get(path).get_json()["analyses"]} == {"[]"}, "they come with the result"


def test_a_review_is_told_in_words_with_luck_by_counts(api: Api, game: str) -> None:
    """So few games tell no worth of luck, and the game goes on."""
    rough = {"precision": 20, "games": 100}
    found = made(api, game, kind="review", seat="public", parameters=rough)
    counts = made(api, game, kind="luck-counts", seat="public")["result"]
    assert found["result"]["luck_counts"] == counts | {"kinds": []}
    assert not counts["extreme"]["stands_out"]
    told = [words for words in found["words"] if not words.startswith(("Black: ", "White: ", "Ask for a finer"))]
    assert told == ["Luck was ordinary: chance alone explains the differences in all 12 figures."]
    assert found["words"][0].startswith("Black: too little is known to tell an accuracy")
    unclear = any(seat["unclear"] and not seat["slips"] for seat in found["result"]["seats"])
    finer = "Ask for a finer review to learn of slips: a smaller precision, or more games."
    assert (found["words"][-1] == finer) is unclear, "chance decides which moves are examined in so rough a review"
    path = f"/v1/games/{game}/analyses/{found['id']}"
    japanese = api.get(path, headers={"Accept-Language": "ja"}).get_json()["words"]
    assert len(japanese) == len(found["words"])
    assert "12 個の数字の差は、どれも偶然だけで起こるものです。" in " ".join(japanese)


def test_a_review_of_an_opened_game_says_that_no_turn_could_be_judged(api: Api) -> None:
    found = made(api, api.open(), kind="review", parameters={"precision": 20, "games": 100})
    assert found["words"] == ["Black: no turn could be judged", "White: no turn could be judged"]


def test_a_game_that_went_on_has_an_analysis_of_its_own(api: Api, game: str) -> None:
    before = made(api, game)
    recorded_entry(send(api, game, entry("note.added", text="Tea.")))
    after = made(api, game)
    assert (after["id"] != before["id"], after["version"]) == (True, 7)


def test_the_scoring_snapshot_is_one_kind_of_analysis(api: Api, game: str) -> None:
    score = api.get(f"/v1/games/{game}/score").get_json()
    found = made(api, game, "snapshot")["result"]
    assert found == score | {"rules": [rule["id"] for rule in score["rules"]]}


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"kind": "tea leaves"}, "kind"),
        ({}, "kind"),
        ({"kind": "timeline", "parameters": {"depth": 3}}, "parameters.depth"),
        ({"kind": "timeline", "parameters": {"depth": "3"}}, "parameters.depth"),
        ({"kind": "win-line", "parameters": {"precision": 1.5}}, "parameters.precision"),
        ({"kind": "win-line", "parameters": {"games": None}}, "parameters.games"),
        ({"kind": "win-line", "parameters": []}, "parameters"),
        ({"kind": "timeline", "seat": "9"}, "seat"),
        ({"kind": "timeline", "seat": "x"}, "seat"),
        ({"kind": "timeline", "seat": 0}, "seat"),
    ],
)
def test_what_does_not_fit_is_refused_by_its_field(api: Api, game: str, body: Any, field: str) -> None:
    answer = api.post(f"/v1/games/{game}/analyses", body)
    assert answer.status_code == 400
    assert [error["field"] for error in answer.get_json()["errors"]] == [field]


def test_a_seat_that_is_a_number_is_told_how_to_write_it(api: Api, game: str) -> None:
    answer = api.post(f"/v1/games/{game}/analyses", {"kind": "timeline", "seat": 0})
    assert "is written as text" in answer.get_data(as_text=True)


def test_an_analysis_of_another_game_or_of_none_is_not_there(api: Api, game: str) -> None:
    other = api.play("-")
    found = made(api, game)
    for path in (f"/v1/games/{other}/analyses/{found['id']}", f"/v1/games/{game}/analyses/x"):
        assert api.get(path).get_json()["type"] == "/problems/analysis-unknown"
    assert api.get(f"/v1/games/{game}/analyses?cursor=x").status_code == 400


def test_players_see_analyses_of_their_own_viewpoints_only(api: Api, game: str) -> None:
    api.show(game)
    ids = {view: made(api, game, seat=view)["id"] for view in ("record", "public", "0", "1")}
    player, stranger = api.let_in(games={game: 0}), api.let_in("viewer")
    stranger.token = None
    for who, sees in ((player, {"public", "0"}), (stranger, {"public"}), (api, set(ids))):
        listed = {each["id"] for each in who.get(f"/v1/games/{game}/analyses").get_json()["analyses"]}
        assert listed == {ids[view] for view in sees}
        for view, id_ in ids.items():
            assert who.get(f"/v1/games/{game}/analyses/{id_}").status_code == (200 if view in sees else 404)


def test_pages_name_no_analysis_that_may_not_be_seen(api: Api, game: str) -> None:
    api.show(game)
    seen = made(api, game, seat="public")["id"]
    hidden = [made(api, game, seat=view)["id"] for view in ("record", "0", "1")]
    api.token = None
    answer = api.get(f"/v1/games/{game}/analyses?limit=2")
    assert [each["id"] for each in answer.get_json()["analyses"]] == [seen]
    assert not [each for each in hidden if each in answer.text + str(answer.headers)]


def test_a_reader_runs_analyses_from_their_own_viewpoint(api: Api, game: str) -> None:
    api.show(game)
    player, viewer = api.let_in(games={game: 1}), api.let_in("viewer")
    assert ask(player, game)["viewpoint"] == "seat-1"
    assert ask(player, game, seat="record", status=403)["scope"] == "hidden:read"
    assert ask(viewer, game, status=403)["scope"] == "analyses:run"
    viewer.token = None
    assert ask(viewer, game, status=401)["type"] == "/problems/token-needed"


def test_a_cancelled_analysis_goes_on_when_it_is_asked_for_again(api: Api, game: str) -> None:
    asked = ask(api, game)
    answer = api.request("DELETE", f"/v1/games/{game}/analyses/{asked['id']}")
    assert answer.get_json()["status"] == "cancelled"
    assert api.get(f"/v1/games/{game}/analyses/{asked['id']}").get_json()["status"] == "cancelled"
    assert made(api, game)["id"] == asked["id"]


@pytest.mark.service("test")
def test_a_budget_that_is_used_up_is_told_and_what_is_done_or_being_made_can_still_be_asked_for(api: Api) -> None:
    game, other = api.play("-"), api.play("-")
    done, context = made(api, game), api.app.context
    analysis = context.analyses.find(done["id"])
    begun, spare = ask(api, game, "win-line"), ask(api, game, "review")
    context.analyses.keep(analysis, {"x": 1}, 901.0)
    refused = api.post(f"/v1/games/{game}/analyses", {"kind": "turning-points"})
    assert (refused.status_code, refused.get_json()["type"]) == (429, "/problems/quota-exceeded")
    assert int(refused.headers["Retry-After"]) > 0
    assert "that this game can have" in refused.get_json()["detail"]
    assert ask(api, game, "win-line")["id"] == begun["id"], "its games are played on anyway"
    api.request("DELETE", f"/v1/games/{game}/analyses/{begun['id']}")
    ask(api, game, "win-line", status=429)
    assert made(api, game)["id"] == done["id"]
    context.analyses.keep(analysis, {"x": 1}, 900.0)
    assert "that you can have" in ask(api, other, "win-line", status=429)["detail"]
    waits = {"queue": "spare"}
    context.results.db.run(lambda db: ANALYSIS.change(db, waits, "id = ?", [spare["id"]]))
    ask(api, game, "review", status=429)


@pytest.mark.service("test")
@pytest.mark.parametrize("kind", [name for name, kind in KINDS.items() if not kind.policy])
def test_what_plays_no_games_on_is_made_when_a_budget_is_used_up(api: Api, game: str, kind: str) -> None:
    line = api.app.context.analyses.find(ask(api, game, "win-line")["id"])
    api.app.context.analyses.keep(line, {"x": 1}, 2_000.0)
    ask(api, game, "review", status=429)
    found = made(api, game, kind)
    assert found["status"] == "done"
    assert api.get(f"/v1/games/{game}/analyses/{line.id}").status_code == 200


@pytest.mark.service("test")
def test_one_person_can_have_so_many_analyses_waiting(api: Api) -> None:
    games = [api.play("-") for _ in range(WAITING + 1)]
    for each in games[:-1]:
        ask(api, each)
    assert f"{WAITING} analyses" in ask(api, games[-1], status=429)["detail"]
    ask(api, games[0])
    api.request("DELETE", f"/v1/games/{games[0]}/analyses/{ask(api, games[0])['id']}")
    ask(api, games[-1])


@pytest.mark.service("test")
def test_what_is_erased_of_a_record_leaves_no_analysis(api: Api, game: str) -> None:
    made(api, game)
    recorded_entry(send(api, game, entry("note.added", text="Tea.")))
    made(api, game)
    answer = api.post(f"/v1/games/{game}/erasures", {"entry": 7, "what": "text"})
    assert answer.status_code == 200, answer.text
    assert api.get(f"/v1/games/{game}/analyses").get_json()["analyses"] == []


@pytest.mark.service("test")
def test_pages_of_analyses_lead_to_all_of_them(api: Api, game: str) -> None:
    wanted = {made(api, game, seat=view)["id"] for view in ("record", "public", "0", "1")}
    found, cursor = set(), ""
    while cursor is not None:
        page = api.get(f"/v1/games/{game}/analyses?limit=3{cursor and f'&cursor={cursor}'}").get_json()
        found |= {each["id"] for each in page["analyses"]}
        cursor = page["next"]
    assert found == wanted
