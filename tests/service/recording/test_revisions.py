"""Moving a game on to newer rules: an entry, tried out, refused, taken back and carried along as any other."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest
from uuid_utils import uuid7

from games.contract import Effect
from games.errors import RuleBrokenError
from games.kahuna import KAHUNA
from games.kahuna.moves.cards import Draw
from games.rulesets import RULESETS
from projections.analyses.kinds import KINDS
from projections.history import Corrections
from tests import goldens
from tests.service.entries import entry, info, recorded_entry, send, timeline
from tests.sticks import STICKS, before_the_newest

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.service.conftest import Api

pytestmark = pytest.mark.service("file")

MOVES = ("2", "2", "3", "1")
"""By revision 1 each is a point; by revision 2 each stick is, and the second of them breaks a rule."""


@pytest.fixture(autouse=True)
def sticks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(RULESETS, "sticks", STICKS)


@pytest.fixture
def game(api: Api) -> str:
    """A game that was recorded by the older rules."""
    return older(api)


def older(api: Api, *moves: str) -> str:
    with before_the_newest():
        game = api.open(ruleset="sticks")
        assert api.record(game, *(moves or MOVES)).status_code == 201
    return game


def adoption(revision: Any = 2, **more: Any) -> dict[str, Any]:
    return entry("revision.adopted", revision=revision, **more)


def scores(api: Api, game: str, query: str = "") -> list[int]:
    found: list[int] = api.get(f"/v1/games/{game}/score{query}").get_json()["scores"]
    return found


def test_a_game_is_judged_by_its_own_revision_until_it_is_moved_on(api: Api, game: str) -> None:
    assert (info(api, game)["revision"], info(api, game)["adopted_by"], scores(api, game)) == (1, None, [2, 2])
    recorded_entry(send(api, game, {"id": str(uuid7()), "data": {"move": "1"}}))  # as many as right before
    recorded_entry(send(api, game, adoption(keep="all")))
    assert (info(api, game)["revision"], info(api, game)["adopted_by"], scores(api, game)) == (2, 7, [6, 3])
    recorded_entry(send(api, game, {"id": str(uuid7()), "data": {"move": "2"}}))
    refused = send(api, game, {"id": str(uuid7()), "data": {"move": "2"}}).get_json()
    assert (refused["type"], refused["rule"]) == ("/problems/rule-broken", "sticks:TURN-3")
    assert scores(api, game, "?at=6") == [3, 2]


def test_what_no_longer_fits_is_told_before_and_chosen_about(api: Api, game: str) -> None:
    conflict = send(api, game, adoption())
    assert conflict.status_code == 409
    problem = conflict.get_json()
    assert [(each["version"], each["rule"]) for each in problem["conflicts"]] == [(3, "sticks:TURN-3")]
    assert problem["would"]["scores"] == [5, 3]
    tried = recorded_entry(send(api, game, adoption(keep=[3]), dry=True))
    assert info(api, game)["version"] == 5
    assert tried["data"] == {"revision": 2, "from": 1, "keep": [3]}
    assert (tried["scores_before"], tried["scores"]) == ([2, 2], [5, 3])
    assert [each["version"] for each in tried["consequences"]] == [3]
    assert recorded_entry(send(api, game, adoption(keep=[3])))["scores"] == [5, 3]
    assert (info(api, game)["irregular"], timeline(api, game)[2]["kept_by"]) == ({"3": ["sticks:TURN-3"]}, 6)


def test_what_is_withdrawn_by_it_counts_again_without_it(api: Api, game: str) -> None:
    adopted = recorded_entry(send(api, game, adoption(withdraw="all")))
    assert (adopted["data"]["withdraw"], scores(api, game)) == ([3, 4], [2, 1])
    recorded_entry(send(api, game, entry("entry.withdrawn", entry=6)))
    assert (info(api, game)["revision"], info(api, game)["adopted_by"], scores(api, game)) == (1, None, [2, 2])


def test_undo_and_redo_take_it_back_and_bring_it_back(api: Api, game: str) -> None:
    recorded_entry(send(api, game, adoption(keep="all")))
    undo = info(api, game)["undo"]
    assert undo == {"entry": 6, "type": "entry.withdrawn", "data": {"entry": 6}}
    recorded_entry(send(api, game, entry(undo["type"], **undo["data"])))
    assert info(api, game)["revision"] == 1
    redo = info(api, game)["redo"]
    recorded_entry(send(api, game, entry(redo["type"], **redo["data"])))
    assert (info(api, game)["revision"], scores(api, game)) == (2, [5, 3])


def test_what_was_recorded_since_is_judged_by_the_old_rules_where_these_come_back(api: Api) -> None:
    game = older(api, "2", "1")
    recorded_entry(send(api, game, adoption()))
    assert api.record(game, "3").get_json()["entries"][0]["scores"] == [5, 1]
    back = recorded_entry(send(api, game, entry("entry.withdrawn", entry=4)))
    assert (back["scores_before"], back["scores"], scores(api, game)) == ([5, 1], [2, 1], [2, 1])


def test_the_same_request_gets_the_same_answer_again(api: Api, game: str) -> None:
    sent = adoption(keep="all")
    first = send(api, game, sent)
    assert send(api, game, sent).data == first.data
    assert info(api, game)["version"] == 6


REFUSED: dict[str, tuple[dict[str, Any], str, str]] = {
    "an unknown one": ({"revision": 3}, "data.revision", "there is no revision 3 of sticks here"),
    "a huge one": ({"revision": 10**12}, "data.revision", ""),
    "the same one": ({"revision": 1}, "data.revision", "uses revision 1 of sticks already"),
    "none": ({}, "data.revision", "missing"),
    "zero": ({"revision": 0}, "data.revision", ""),
    "a word": ({"revision": "newest"}, "data.revision", ""),
    "another one before": ({"revision": 2, "from": 2}, "data.from", "uses revision 1"),
    "a field too many": ({"revision": 2, "to": 3}, "data.to", "unknown"),
    "choices that are none": ({"revision": 2, "keep": "some"}, "data.keep", ""),
}


@pytest.mark.parametrize(("data", "field", "why"), REFUSED.values(), ids=REFUSED)
def test_what_cannot_be_adopted_is_refused_and_the_field_named(
    api: Api, game: str, data: dict[str, Any], field: str, why: str
) -> None:
    answer = send(api, game, entry("revision.adopted", **data))
    problem = answer.get_json()
    assert (answer.status_code, problem["type"]) == (400, "/problems/bad-entry")
    assert (problem["errors"][0]["field"], problem["entry_index"]) == (field, 0)
    assert why in problem["detail"]
    assert info(api, game)["version"] == 5


def test_no_revision_is_gone_back_to(api: Api, game: str) -> None:
    recorded_entry(send(api, game, adoption(keep="all")))
    problem = send(api, game, adoption(1)).get_json()
    assert "cannot go back; withdraw the entry that moved it on" in problem["detail"]


def test_a_closed_record_is_moved_on_after_it_was_reopened(api: Api) -> None:
    game = older(api, "1")
    recorded_entry(send(api, game, entry("game.closed", how="abandoned")))
    assert send(api, game, adoption()).get_json()["type"] == "/problems/game-closed"
    assert api.get(f"/v1/games/{game}/revisions").get_json()["newest"] == 2
    recorded_entry(send(api, game, entry("game.reopened", reason="newer rules")))
    recorded_entry(send(api, game, adoption()))


def test_only_referees_may_do_it_and_take_it_back(api: Api) -> None:
    game = older(api, "1", "2")
    referee, recorder = (api.let_in(games={game: role}) for role in ("referee", "recorder"))
    player = api.let_in(games={game: 0})
    for asker, kind in ((recorder, "scope-needed"), (player, "scope-needed")):
        assert send(asker, game, adoption()).get_json()["type"] == f"/problems/{kind}"
    recorded_entry(send(referee, game, adoption()))
    correcting = api.let_in("recorder", person=recorder.person, scopes=["games:read", "games:record", "hidden:read"])
    for asker in (recorder, correcting):
        refused = send(asker, game, entry("entry.withdrawn", entry=4)).get_json()
        assert refused["type"] == "/problems/scope-needed"
    assert info(api, game)["revision"] == 2
    recorded_entry(send(referee, game, entry("entry.withdrawn", entry=4)))
    assert info(api, game)["revision"] == 1


def test_who_may_correct_but_not_rule_neither_takes_it_back_nor_brings_it_back(api: Api) -> None:
    game = older(api, "1", "2")
    person = str(uuid7())
    scopes = ["games:read", "games:record", "games:correct", "hidden:read"]
    corrector = api.let_in(person=person, games={game: "referee"}, scopes=scopes)
    recorded_entry(send(api, game, adoption()))
    assert send(corrector, game, entry("entry.withdrawn", entry=4)).get_json()["scope"] == "games:rule"
    recorded_entry(send(api, game, entry("entry.withdrawn", entry=4)))
    assert send(corrector, game, entry("entry.withdrawn", entry=5)).get_json()["scope"] == "games:rule"
    recorded_entry(send(corrector, game, entry("entry.withdrawn", entry=3)))


def test_what_newer_rules_would_change_is_told_and_changes_nothing(api: Api, game: str) -> None:
    answer = api.get(f"/v1/games/{game}/revisions")
    found = answer.get_json()
    assert answer.headers["ETag"]
    assert (found["revision"], found["newest"], found["changes"]) == (1, 2, [STICKS.changes[1]])
    assert (found["scores"], found["scores_after"]) == ([2, 2], [5, 3])
    second = found["entries"][1]
    assert (second["version"], second["notation"]) == (3, "2")
    assert [line["points"] for side in ("before", "after") for line in second[side]["points"]] == [1, 2]
    assert [breach["rule"] for breach in second["after"]["irregular"]] == ["sticks:TURN-3"]
    assert info(api, game)["version"] == 5
    recorded_entry(send(api, game, adoption(keep="all")))
    found = api.get(f"/v1/games/{game}/revisions").get_json()
    assert (found["revision"], found["entries"]) == (2, [])


def test_newer_rules_are_told_in_the_language_of_the_caller(api: Api) -> None:
    text = (goldens.FOLDER / "kahuna" / "points.txt").read_text(encoding="utf-8")
    game = api.request("POST", "/v1/imports", data=text, content_type="text/plain").get_json()["game"]
    for language, said in (("en", "A card that cannot be there"), ("ja", "カード")):
        found = api.get(f"/v1/games/{game}/revisions", headers={"Accept-Language": language}).get_json()
        assert re.search(said, found["changes"][-3]), language


def test_the_revisions_of_a_game_are_asked_for_as_all_else_of_it(api: Api, game: str) -> None:
    assert api.get(f"/v1/games/{uuid7()}/revisions").status_code == 404
    assert api.get(f"/v1/games/{game}/revisions?seat=7").get_json()["errors"][0]["field"] == "seat"
    assert api.get(f"/v1/games/{game}/revisions?seat=x").status_code == 400
    assert api.get(f"/v1/games/{game}/revisions?at=3").status_code == 400
    stranger = api.let_in()
    assert stranger.get(f"/v1/games/{game}/revisions").status_code == 404
    api.show(game)
    assert stranger.get(f"/v1/games/{game}/revisions").get_json()["scores_after"] == [5, 3]
    assert stranger.get(f"/v1/games/{game}/revisions?seat=record").get_json()["type"] == "/problems/scope-needed"


def test_the_timeline_says_who_adopted_what_and_why(api: Api, game: str) -> None:
    recorded_entry(send(api, game, adoption(keep="all", reason="the club plays by them now")))
    *_, last = timeline(api, game)
    assert (last["type"], last["revision"], last["from"]) == ("revision.adopted", 2, 1)
    assert (last["text"], last["keep"], last["undo"]["data"]) == ("the club plays by them now", [3], {"entry": 6})
    assert timeline(api, game)[2]["irregular"][0]["rule"] == "sticks:TURN-3"


def test_a_signature_says_that_what_was_signed_goes_by_other_rules_since(api: Api, game: str) -> None:
    recorded_entry(send(api, game, adoption(keep="all")))
    record = list(api.app.context.archive.log.read(game))
    assert Corrections(record).changing(5) == [6]


@pytest.mark.parametrize("adopted", [False, True])
def test_exports_imports_and_forks_keep_the_revision(api: Api, game: str, adopted: bool, elsewhere: Api) -> None:
    if adopted:
        recorded_entry(send(api, game, adoption(keep="all")))
    revision, points = (2, [5, 3]) if adopted else (1, [2, 2])
    whole = api.get(f"/v1/games/{game}/export?format=ndjson").data
    answer = elsewhere.request("POST", "/v1/imports", data=whole, content_type="application/x-ndjson")
    assert answer.status_code == 201, answer.text
    assert (info(elsewhere, game)["revision"], scores(elsewhere, game)) == (revision, points)
    text = api.get(f"/v1/games/{game}/export?format=text").text
    assert '[Revision "1"]' in text, "it is opened by it"
    assert ("#revision 2" in text) == adopted
    taken = api.request("POST", "/v1/imports", data=text.encode(), content_type="text/plain").get_json()["game"]
    assert (info(api, taken)["revision"], scores(api, taken)) == (revision, points)
    assert api.get(f"/v1/games/{taken}/export?format=text").text == text
    fork = str(uuid7())
    assert api.post(f"/v1/games/{game}/forks", {"id": fork}).status_code == 201
    assert (info(api, fork)["revision"], scores(api, fork)) == (revision, points)
    if adopted:
        before = str(uuid7())
        assert api.post(f"/v1/games/{game}/forks", {"id": before, "at": 5}).status_code == 201
        assert (info(api, before)["revision"], scores(api, before)) == (1, [2, 2])


BAD_TEXTS = {"newer": "3", "no number": "x", "none": "", "zero": "0", "no natural one": "-2", "endless": "9" * 30}


@pytest.mark.parametrize("revision", BAD_TEXTS.values(), ids=BAD_TEXTS)
def test_a_text_of_a_revision_that_is_not_here_is_not_taken_in(api: Api, revision: str) -> None:
    text = f'[Ruleset "sticks"]\n[Revision "{revision}"]\n\n2\n'
    answer = api.request("POST", "/v1/imports", data=text.encode(), content_type="text/plain")
    kind = "ruleset-missing" if revision == "3" else "bad-import"
    assert answer.get_json()["type"] == f"/problems/{kind}"
    assert "revision" in answer.get_json()["detail"].lower()


def test_a_text_without_a_revision_is_one_of_the_newest(api: Api) -> None:
    answer = api.request("POST", "/v1/imports", data=b'[Ruleset "sticks"]\n\n2\n', content_type="text/plain")
    assert info(api, answer.get_json()["game"])["revision"] == 2


def test_what_is_noted_of_results_goes_by_the_revision_of_the_game(api: Api, game: str) -> None:
    folds = api.app.context.archive.folds
    before = KINDS["timeline"].revision_of(folds.current(game))
    assert api.get(f"/v1/games/{game}/score").get_json()["revision"] == 1
    recorded_entry(send(api, game, adoption(keep="all")))
    after = KINDS["timeline"].revision_of(folds.current(game))
    assert (before, after) == tuple(f"{KINDS['timeline'].revision}.{revision}" for revision in (1, 2))
    assert api.get(f"/v1/games/{game}/score").get_json()["revision"] == 2
    assert api.get(f"/v1/games/{game}/score?at=5").get_json()["revision"] == 1


@pytest.fixture
def hidden_rule(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A newer revision of Kahuna, in which it depends on a card drawn unseen what follows and which rule is broken."""
    breaches, apply, before = Draw.breaches, Draw.apply, KAHUNA.revision

    def broken(self: Draw, state: Any) -> Iterator[RuleBrokenError]:
        yield from breaches(self, state)
        if state.revision > before and self.card == "LALE":
            yield RuleBrokenError("kahuna:SET-2", "it is forbidden now")

    def done(self: Draw, state: Any) -> list[Effect]:
        more = [Effect("turn.passed", "kahuna:SET-2")] if state.revision > before and self.card == "LALE" else []
        return [*apply(self, state), *more]

    monkeypatch.setattr(Draw, "breaches", broken)
    monkeypatch.setattr(Draw, "apply", done)
    monkeypatch.setitem(KAHUNA.effect_sentences, "turn.passed", "something happens")  # type: ignore[misc]
    revision, changes = KAHUNA.revision, KAHUNA.changes
    object.__setattr__(KAHUNA, "revision", revision + 1)
    object.__setattr__(KAHUNA, "changes", (*changes, "A card is forbidden."))
    yield
    object.__setattr__(KAHUNA, "revision", revision)
    object.__setattr__(KAHUNA, "changes", changes)


@pytest.mark.slow
def test_newer_rules_tell_nobody_what_is_hidden(api: Api, elsewhere: Api, request: pytest.FixtureRequest) -> None:
    sides = [(service, service.play(drawn, "-")) for service, drawn in ((api, "+?lale"), (elsewhere, "+?gola"))]
    request.getfixturevalue("hidden_rule")
    told_to: dict[str, list[str]] = {}
    for service, game in sides:
        for seat in ("record", "public", "0", "1"):
            answer = service.get(f"/v1/games/{game}/revisions?seat={seat}")
            assert answer.status_code == 200, answer.text
            told_to.setdefault(seat, []).append(answer.text.replace(game, "the game"))
        service.show(game)
        stranger = service.let_in().get(f"/v1/games/{game}/revisions")
        told_to.setdefault("stranger", []).append(stranger.text.replace(game, "the game"))
        player = service.let_in(games={game: 1}).get(f"/v1/games/{game}/revisions")
        told_to.setdefault("player", []).append(player.text.replace(game, "the game"))
    assert {seat: one == other for seat, (one, other) in told_to.items()} == {
        "record": False,
        "public": True,
        "0": False,
        "1": True,
        "stranger": True,
        "player": True,
    }
    assert "kahuna:SET-2" in told_to["record"][0]
    assert "kahuna:SET-2" not in told_to["public"][0] + told_to["record"][1]


def test_what_was_kept_is_sealed_where_a_card_tells_why(api: Api, request: pytest.FixtureRequest) -> None:
    game = api.play("+?lale", "-")
    request.getfixturevalue("hidden_rule")
    api.app.context.archive.folds.forget(game)
    recorded_entry(send(api, game, adoption(KAHUNA.revision, keep="all")))
    api.show(game)
    stranger = api.let_in()
    assert timeline(api, game)[-1]["keep"] == [3]
    assert "keep" not in timeline(stranger, game)[-1]
    assert b'"keep"' not in api.get(f"/v1/games/{game}/export?seat=public").data
    assert info(stranger, game)["irregular"] == {}
