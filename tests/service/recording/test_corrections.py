"""Corrections over the API: withdraw, replace, insert, reveal; conflicts and their choices; before and after."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest

from projections import correcting
from projections.correcting import Uncorrected
from service.recording import judging
from tests.cases import cases
from tests.service.conftest import DEAL
from tests.service.entries import bridges, entry, recorded_entry, send, state, timeline

if TYPE_CHECKING:
    from collections.abc import Callable

    from werkzeug.test import TestResponse

    from projections.history import Segment
    from tests.service.conftest import Api

pytestmark = pytest.mark.service("file")

OPENED = ("b-d", "-", "+", "-")
"""Entries 3 to 6 of a game of Kahuna: black builds and declines, white draws, black declines."""


def test_a_replaced_entry_keeps_its_place_and_both_moves_are_shown(api: Api) -> None:
    game = api.play(*OPENED)
    recorded = recorded_entry(send(api, game, entry("entry.replaced", entry=3, move="b-c", reason="it was COCO")))
    assert recorded["notation"] == "BARI-COCO"
    third, last = timeline(api, game)[2], timeline(api, game)[-1]
    assert (third["notation"], third["original"], third["replaced_by"]) == ("BARI-COCO", "BARI-DUDA", 7)
    assert (last["type"], last["entry"], last["text"]) == ("entry.replaced", 3, "it was COCO")
    assert bridges(api, game) == {"BARI-COCO"}
    assert bridges(api, game, "?at=6") == {"BARI-DUDA"}


def test_an_inserted_entry_happens_where_it_belongs(api: Api) -> None:
    game = api.play("b-d", "-", "+", "-")
    recorded = recorded_entry(send(api, game, entry("entry.inserted", after=3, move="c-g", reason="forgotten")))
    assert (recorded["seat"], recorded["notation"]) == (0, "COCO-GOLA")
    inserted = timeline(api, game)[6]
    assert (inserted["type"], inserted["after"], inserted["notation"]) == ("entry.inserted", 3, "COCO-GOLA")
    assert bridges(api, game, "?after=3") == {"BARI-DUDA"}
    assert bridges(api, game, "?after=7") == {"BARI-DUDA", "COCO-GOLA"}


def test_what_is_inserted_behind_one_entry_stands_in_the_order_of_recording(api: Api) -> None:
    game = api.play("-")
    for move in ("c-g", "d-e"):
        recorded_entry(send(api, game, entry("entry.inserted", after=2, move=move)))
    recorded_entry(send(api, game, entry("entry.inserted", after=4, move="f-g")))
    first, last = {"COCO-GOLA"}, {"COCO-GOLA", "FAAA-GOLA", "DUDA-ELAI"}
    assert [bridges(api, game, f"?after={version}") for version in (2, 4, 5, 3)] == [set(), first, last, last]


def test_a_replacement_can_be_replaced_and_taken_back(api: Api) -> None:
    game = api.play("b-d")
    recorded_entry(send(api, game, entry("entry.replaced", entry=3, move="b-c")))
    recorded_entry(send(api, game, entry("entry.replaced", entry=3, move="c-g")))
    assert bridges(api, game) == {"COCO-GOLA"}
    recorded_entry(send(api, game, entry("entry.withdrawn", entry=5)))
    assert bridges(api, game) == {"BARI-COCO"}
    recorded_entry(send(api, game, entry("entry.withdrawn", entry=4)))
    assert bridges(api, game) == {"BARI-DUDA"}
    recorded_entry(send(api, game, entry("entry.withdrawn", entry=7)))
    assert bridges(api, game) == {"BARI-COCO"}


def test_a_replacement_that_breaks_a_rule_needs_a_reason_of_its_own(api: Api) -> None:
    game = api.play("-", "+")
    wrong = entry("entry.replaced", entry=4, move={"type": "draw", "seat": 0})
    refused = send(api, game, wrong)
    assert (refused.status_code, refused.get_json()["rule"]) == (422, "kahuna:SET-2")
    wrong["data"]["override"] = {"reason": "nobody noticed"}
    assert recorded_entry(send(api, game, wrong))["irregular"][0]["rule"] == "kahuna:SET-2"
    assert "4" in api.get(f"/v1/games/{game}").get_json()["irregular"]


# Conflicts


@pytest.fixture
def torn(api: Api) -> str:
    """A game in which entry 5 removes the bridge of entry 3."""
    return api.play("a-h", "-", "x a-h (hh)")


def test_a_conflict_names_the_entry_the_rule_why_and_what_would_be_legal(api: Api, torn: str) -> None:
    answer = send(api, torn, entry("entry.withdrawn", entry=3))
    problem = answer.get_json()
    assert (answer.status_code, problem["type"]) == (409, "/problems/conflict")
    (conflict,) = problem["conflicts"]
    assert (conflict["version"], conflict["rule"], conflict["choices"]) == (5, "kahuna:REM-1", ["withdraw"])
    assert conflict["notation"].startswith("x ALOA-HUNA")
    assert conflict["legal"]
    would = problem["would"]
    assert [(change["version"], change.get("after")) for change in would["consequences"]] == [(3, None), (5, None)]
    assert (would["scores_before"], would["scores"]) == ([0, 0], [0, 0])
    assert api.get(f"/v1/games/{torn}").get_json()["version"] == 5


@pytest.mark.parametrize("withdraw", ["all", [5]])
def test_what_no_longer_fits_can_be_withdrawn_too_and_comes_back_with_the_rest(
    api: Api, torn: str, withdraw: Any
) -> None:
    before = state(api, torn)
    recorded = recorded_entry(send(api, torn, entry("entry.withdrawn", entry=3, withdraw=withdraw)))
    assert recorded["data"]["withdraw"] == [5]
    assert [change["version"] for change in recorded["consequences"]] == [3, 5]
    assert timeline(api, torn)[4]["withdrawn_by"] == 6
    recorded_entry(send(api, torn, entry("entry.withdrawn", entry=6)))
    assert state(api, torn) == before
    assert "withdrawn_by" not in timeline(api, torn)[4]


def test_what_breaks_a_rule_now_can_be_kept_as_irregular(api: Api) -> None:
    game = api.play("-", "+", "b-d")
    withdrawn = entry("entry.withdrawn", entry=4)
    (conflict,) = send(api, game, withdrawn).get_json()["conflicts"]
    assert (conflict["version"], conflict["choices"]) == (5, ["keep", "withdraw"])
    kept = recorded_entry(send(api, game, entry("entry.withdrawn", entry=4, keep="all", reason="he never drew")))
    assert kept["data"]["keep"] == [5]
    assert timeline(api, game)[4]["irregular"][0]["rule"] == conflict["rule"]
    text = api.get(f"/v1/games/{game}/export?format=text").text
    assert "! he never drew" in text


def test_what_is_kept_or_withdrawn_takes_no_more_folds_than_it_needs(
    api: Api, torn: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One without the correction, one with it, and another one only with what was withdrawn."""
    folded = Counter[str]()

    def counted(name: str, call: Callable[..., Any]) -> Callable[..., Any]:
        def count(*arguments: Any) -> Any:
            folded[name] += 1
            return call(*arguments)

        return count

    for name in ("Uncorrected", "correct"):
        monkeypatch.setattr(judging, name, counted(name, getattr(judging, name)))
    game = api.play("-", "+", "b-d")
    recorded_entry(send(api, game, entry("entry.withdrawn", entry=4, keep="all", reason="he never drew")))
    assert folded == {"Uncorrected": 1, "correct": 1}
    recorded_entry(send(api, torn, entry("entry.withdrawn", entry=3, withdraw="all")))
    assert folded == {"Uncorrected": 2, "correct": 3}


def test_a_correction_that_was_tried_does_not_fold_the_game_without_it_again(
    api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each answer is that of a process which remembers nothing. A later entry, or a minute, ends what is remembered."""
    found = list[Uncorrected]()
    monkeypatch.setattr(judging, "Uncorrected", lambda segment: found.append(Uncorrected(segment)) or found[-1])
    folds, game = api.app.context.archive.folds, api.play(*OPENED)
    wanted = [
        entry("entry.inserted", after=3, move="c-g"),
        entry("entry.withdrawn", entry=4, keep="all"),
        entry("entry.withdrawn", entry=3, withdraw="all"),
        entry("entry.replaced", entry=3, move="b-c"),
    ]
    tried = [recorded_entry(send(api, game, each, dry=True)) for each in wanted]
    assert len(found) == 1
    for each, answer in zip(wanted, tried, strict=True):
        folds.forget(game)
        assert recorded_entry(send(api, game, each, dry=True)) == answer
    known = len(found)
    recorded_entry(send(api, game, wanted[-1]))
    assert len(found) == known
    recorded_entry(send(api, game, entry("entry.withdrawn", entry=7), dry=True))
    assert len(found) == known + 1
    monkeypatch.setattr(correcting, "KEPT_SECONDS", -1.0)
    for _ in range(2):
        folds.forget(game)
        recorded_entry(send(api, game, entry("entry.withdrawn", entry=7), dry=True))
        recorded_entry(send(api, game, entry("entry.withdrawn", entry=7), dry=True))
    assert len(found) == known + 5


def test_a_choice_for_an_entry_that_fits_is_refused(api: Api, torn: str) -> None:
    answer = send(api, torn, entry("entry.withdrawn", entry=3, withdraw=[4, 5]))
    assert (answer.status_code, answer.get_json()["type"]) == (422, "/problems/bad-correction")
    assert "entry 4 still fits" in answer.get_json()["detail"]


@pytest.mark.parametrize(
    ("choices", "why"),
    [
        ({"keep": [5], "withdraw": [5]}, "entry 5 is named in `keep` and in `withdraw`: choose one"),
        ({"withdraw": [5, 6]}, "there is no entry 6; the last one is 5"),
        ({"withdraw": [3, 5]}, "entry 3 does not count after it: there is nothing to withdraw"),
    ],
)
def test_a_choice_that_makes_no_sense_is_refused(api: Api, torn: str, choices: dict[str, Any], why: str) -> None:
    answer = send(api, torn, entry("entry.withdrawn", entry=3, **choices))
    assert (answer.status_code, answer.get_json()["type"]) == (422, "/problems/bad-correction")
    assert why in answer.get_json()["detail"]


def test_what_cannot_be_cannot_be_kept(api: Api, torn: str) -> None:
    answer = send(api, torn, entry("entry.withdrawn", entry=3, keep="all"))
    assert [conflict["choices"] for conflict in answer.get_json()["conflicts"]] == [["withdraw"]]


def test_what_a_withdrawn_correction_had_withdrawn_has_to_fit_again(api: Api, torn: str) -> None:
    """The insertion took entry 5 out; when the insertion is withdrawn along with something else, 5 comes back."""
    recorded_entry(send(api, torn, entry("entry.withdrawn", entry=3, withdraw="all")))
    recorded_entry(send(api, torn, entry("entry.inserted", after=2, move="c-g")))
    again = recorded_entry(send(api, torn, entry("entry.withdrawn", entry=6)))
    assert [change["version"] for change in again["consequences"]] == [3, 5]


# Dry runs


def test_a_dry_run_shows_before_and_after_and_stores_nothing(api: Api) -> None:
    game = api.play(*OPENED)
    wanted = entry("entry.replaced", entry=3, move="b-c")
    tried = recorded_entry(send(api, game, wanted, dry=True))
    (change,) = tried["consequences"]
    assert [effect["text"] for effect in change["before"]] == ["Black played BARI", "Black built BARI-DUDA"]
    assert [effect["text"] for effect in change["after"]] == ["Black played BARI", "Black built BARI-COCO"]
    assert (tried["scores_before"], tried["scores"]) == ([0, 0], [0, 0])
    assert api.get(f"/v1/games/{game}").get_json()["version"] == 6
    done = recorded_entry(send(api, game, wanted))
    assert {name: done[name] for name in tried} == tried


def test_a_repeated_correction_gets_the_same_answer_though_the_game_has_gone_on(api: Api, torn: str) -> None:
    body = {"events": [entry("entry.withdrawn", entry=3, withdraw="all")]}
    first = api.post(f"/v1/games/{torn}/events", body)
    recorded_entry(send(api, torn, entry("note.added", text="and on")))
    again = api.post(f"/v1/games/{torn}/events", body)
    assert (again.status_code, again.data) == (201, first.data)


# Later knowledge


def test_a_player_can_tell_later_what_was_drawn_and_only_those_who_may_see_it(api: Api) -> None:
    game = api.play("-", "+", "-")
    recorded = recorded_entry(send(api, game, entry("move.revealed", entry=4, move="+?gola")))
    assert recorded["notation"] == "+?GOLA"
    for seat, seen in (("record", "+?GOLA"), ("1", "+?GOLA"), ("0", "+"), ("public", "+")):
        shown = api.get(f"/v1/games/{game}/timeline?seat={seat}").get_json()["entries"][3]
        assert shown["notation"] == seen
        assert ("GOLA" in str(state(api, game, f"?seat={seat}")["hands"])) == (seen != "+")


@pytest.mark.parametrize("told_move", ["-", {"type": "draw", "seat": 0, "card": "GOLA"}, "b-d"])
def test_what_was_seen_cannot_be_told_anew(api: Api, told_move: Any) -> None:
    game = api.play("-", "+", "-")
    answer = send(api, game, entry("move.revealed", entry=4, move=told_move))
    assert (answer.status_code, answer.get_json()["type"]) == (422, "/problems/bad-correction")
    assert "was recorded as" in answer.get_json()["detail"]


@pytest.mark.parametrize(
    ("ruleset", "options", "lines", "told_move", "field"),
    [
        ("kahuna", {"box_variant": True}, (DEAL, "a-h", "-", "x a-h (hh)"), "x a-h (hh) =", "rebuild"),
        ("scoresheet", {"template": "rounds"}, ("r1 1 2",), "r2 1 2", "round"),
    ],
)
def test_what_is_no_open_fact_cannot_be_told_later(
    api: Api, ruleset: str, options: dict[str, Any], lines: tuple[str, ...], told_move: str, field: str
) -> None:
    """That a bridge was not built again at once was seen, though the record need not say it."""
    game = api.open(ruleset=ruleset, seats=[{}, {}], options=options)
    assert api.record(game, *lines).status_code == 201
    answer = send(api, game, entry("move.revealed", entry=1 + len(lines), move=told_move))
    assert (answer.status_code, answer.get_json()["type"]) == (422, "/problems/bad-correction")
    assert f"move.{field} was recorded as" in answer.get_json()["detail"]


def test_what_is_told_later_is_checked_against_the_rest_of_the_record(api: Api) -> None:
    """One BARI lies in the row, the other one was played: white cannot have drawn a third one."""
    game = api.play("b-d", "-", "+", "-")
    answer = send(api, game, entry("move.revealed", entry=5, move="+?bari"))
    assert (answer.status_code, answer.get_json()["rule"]) == (422, "kahuna:CARD-1")
    recorded_entry(send(api, game, entry("move.revealed", entry=5, move="+?lale")))


def test_telling_it_leaves_what_others_see_as_it_was(api: Api) -> None:
    """Two records that differ only in what the public may not know look the same to the public, everywhere."""
    told_one, other = (api.play("-", "+", "-") for _ in range(2))
    recorded_entry(send(api, told_one, entry("move.revealed", entry=4, move="+?gola")))
    recorded_entry(send(api, other, entry("move.revealed", entry=4, move="+?lale")))
    api.show(told_one)
    api.show(other)
    api.token = None
    for path in ("state", "moves", "timeline", "score", "board.svg", "board.txt", "state?at=6", "moves?after=4"):
        one, two = (api.get(f"/v1/games/{game}/{path}") for game in (told_one, other))
        assert one.status_code == two.status_code == 200
        assert _nameless(one, told_one) == _nameless(two, other)
    apart = api.get(f"/v1/games/{told_one}/comparison?with={other}").get_json()
    assert apart["first_difference"] is None


def _nameless(answer: TestResponse, game: str) -> str:
    """An answer without what names the very game: its id, its hashes, its entries' ids and times."""
    text = answer.text.replace(game, "")
    return re.sub(r'"(hash|id|recorded_at)": ?"[^"]*"', "", text)


# What cannot be corrected


@pytest.mark.parametrize(
    ("kind", "data", "why"),
    [
        ("entry.withdrawn", {"entry": 1}, "opened the game and cannot be withdrawn"),
        ("entry.withdrawn", {"entry": 99}, "there is no entry 99; the last one is 7"),
        ("entry.withdrawn", {"entry": 3}, "entry 3 was withdrawn already, by entry 5"),
        ("entry.withdrawn", {"entry": 7}, "entry 7 is a ruling: revoke it"),
        ("entry.replaced", {"entry": 6, "move": "-"}, "entry 6 is not a move"),
        ("entry.replaced", {"entry": 3, "move": "-"}, "entry 3 was withdrawn already"),
        ("entry.inserted", {"after": 99, "move": "-"}, "there is no entry 99"),
        ("ruling.revoked", {"ruling": 4}, "entry 4 is not a ruling"),
        ("ruling.given", {"reason": "x", "after": 50}, "there is no entry 50"),
    ],
)
def test_what_cannot_be_corrected_says_why(api: Api, kind: str, data: dict[str, Any], why: str) -> None:
    game = api.play("b-d", "-")
    recorded_entry(send(api, game, entry("entry.withdrawn", entry=3)))
    recorded_entry(send(api, game, entry("note.added", text="rain")))
    recorded_entry(send(api, game, entry("ruling.given", reason="no trading at night")))
    answer = send(api, game, entry(kind, **data))
    assert (answer.status_code, answer.get_json()["type"]) == (422, "/problems/bad-correction")
    assert why in answer.get_json()["detail"]


def test_a_replacement_is_replaced_by_naming_what_it_stands_for(api: Api) -> None:
    game = api.play("b-d")
    recorded_entry(send(api, game, entry("entry.replaced", entry=3, move="b-c")))
    answer = send(api, game, entry("entry.replaced", entry=4, move="c-g"))
    assert "entry 4 corrects entry 3: name that entry" in answer.get_json()["detail"]


@cases(
    ("kind", "data", "field"),
    [
        ("entry.replaced", {"entry": 3}, "data.move"),
        ("entry.replaced", {"entry": 0, "move": "-"}, "data.entry"),
        ("entry.replaced", {"entry": "3", "move": "-"}, "data.entry"),
        ("entry.replaced", {"entry": 3, "move": 7}, "data.move"),
        ("entry.inserted", {"move": "-"}, "data.after"),
        ("entry.withdrawn", {"entry": 3, "keep": "some"}, "data.keep"),
        ("entry.withdrawn", {"entry": 3, "withdraw": [2**60]}, "data.withdraw[0]"),
        ("ruling.given", {}, "data.reason"),
        ("ruling.given", {"reason": "x", "adjustments": "points"}, "data.adjustments"),
        (
            "ruling.given",
            {"reason": "x", "adjustments": [{"type": "points", "seat": 0, "points": 10**6}]},
            "data.adjustments[0].points",
        ),
        ("ruling.given", {"reason": "x", "adjustments": [{"type": "nothing"}]}, "data.adjustments[0].type"),
        ("score.claimed", {}, "data"),
        ("score.claimed", {"scores": [None, None]}, "data"),
        ("score.claimed", {"scores": [1]}, "data.scores"),
        ("score.claimed", {"lines": [{"seat": 7, "category": "x", "points": 1}]}, "data.lines[0].seat"),
        ("score.claimed", {"scores": [1, 1], "entry": 40}, "data.entry"),
        ("seat.changed", {"seat": 2}, "data.seat"),
        ("seat.changed", {"seat": 0, "player": "Ben"}, "data.player"),
        ("seat.changed", {"seat": 0, "name": "Ben", "player": "0190a000-0000-7000-8000-000000000000"}, "data.name"),
        ("seat.changed", {"seat": 0, "name": 7}, "data.name"),
        ("seat.changed", {"seat": 0, "name": ""}, "data.name"),
        ("game.closed", {"how": "won"}, "data.how"),
        ("game.reopened", {"reason": "x"}, "type"),
        ("note.added", {"text": "x", "entry": 50}, "data.entry"),
    ],
)
def test_a_field_that_does_not_fit_is_named(api: Api, kind: str, data: dict[str, Any], field: str) -> None:
    game = api.play("b-d")
    answer = send(api, game, entry(kind, **data))
    assert answer.status_code == 400, answer.text
    assert [error["field"] for error in answer.get_json()["errors"]] == [field]
    assert api.get(f"/v1/games/{game}").get_json()["version"] == 3


def test_an_entry_that_was_kept_stands_until_that_correction_is_withdrawn(api: Api) -> None:
    seats = [{"name": "Ada"}, {"name": "Ben"}]
    game = api.open(ruleset="scoresheet", options={"template": "first_to_100"}, seats=seats)
    api.record(game, "r1 60 10", "r2 50 10", "end")
    against = {"4": ["scoresheet:END-2"]}
    steps = [
        (entry("entry.replaced", entry=3, move="r2 5 10", keep=[4]), against),
        (entry("entry.replaced", entry=2, move="r1 99 10"), {}),  # it fits again
        (entry("entry.replaced", entry=2, move="r1 1 10"), against),  # and not again, and is not asked about
    ]
    for correction, irregular in steps:
        recorded_entry(send(api, game, correction))
        assert api.get(f"/v1/games/{game}").get_json()["irregular"] == irregular
    for choice, said in (("withdraw", "withdraw it by itself"), ("keep", "there is nothing to keep")):
        answer = send(api, game, entry("entry.replaced", entry=2, move="r1 2 10", **{choice: [4]}))
        assert answer.get_json()["detail"] == f"entry 4 already counts although it breaks a rule: {said}"
    conflict = send(api, game, entry("entry.withdrawn", entry=5)).get_json()
    assert [each["version"] for each in conflict["conflicts"]] == [4]
    recorded_entry(send(api, game, entry("entry.withdrawn", entry=5, keep=[4])))
    assert (timeline(api, game)[3]["kept_by"], timeline(api, game)[-1]["keep"]) == (8, [4])


def test_an_older_record_in_which_nobody_kept_an_entry_is_imported_as_text(
    api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = api.open(ruleset="scoresheet", options={"template": "first_to_100"}, seats=[{}, {}])
    api.record(game, "r1 60 10", "r2 50 10", "end")
    recorded_entry(send(api, game, entry("entry.replaced", entry=3, move="r2 5 10", keep=[4])))
    recorded_entry(send(api, game, entry("entry.replaced", entry=2, move="r1 1 10")))

    class Older(Uncorrected):
        """As releases had it before they asked again about what a withdrawn correction had kept."""

        def __init__(self, segment: Segment) -> None:
            super().__init__(segment)
            self.irregular = segment.fold.irregular

    with monkeypatch.context() as patched:
        patched.setattr(judging, "Uncorrected", Older)
        recorded_entry(send(api, game, entry("entry.withdrawn", entry=5)))
    text = api.get(f"/v1/games/{game}/export?format=text").get_data()
    assert b"#withdraw #5 keep=#4" in text
    again = api.request("POST", "/v1/imports", data=text, headers={"Content-Type": "text/plain"})
    assert again.status_code == 201, again.text


@pytest.mark.parametrize(
    "correction",
    [
        entry("entry.replaced", entry=6, move="+c", withdraw=[3]),
        entry("entry.inserted", after=6, move="-", withdraw=[3]),
        entry("ruling.given", after=5, reason="a gift", adjustments=["points seat=white points=1"], withdraw=[3]),
    ],
    ids=lambda sent: str(sent["type"]),
)
def test_a_choice_that_is_not_needed_is_refused_even_if_it_would_break_the_game(api: Api, correction: Any) -> None:
    game = api.play("a-h", "-", "x a-h (hh)", "+")
    answer = send(api, game, correction)
    problem = answer.get_json()
    assert (answer.status_code, problem["type"]) == (422, "/problems/bad-correction"), answer.text
    assert "entry 3 still fits" in problem["detail"]


def test_the_author_of_a_word_outlives_a_reveal(api: Api) -> None:
    game = api.play("b-d", "-", "+", "-", "+")
    recorded_entry(
        send(api, game, entry("move.made", move={"type": "draw", "seat": 1}, override={"reason": "he drew twice"}))
    )
    irregular = timeline(api, game)[-1]
    assert irregular["irregular"]
    recorded_entry(send(api, game, entry("move.revealed", entry=8, move={"type": "draw", "seat": 1, "card": "HUNA"})))
    revealed = timeline(api, game)[7]
    assert revealed["move"]["card"] == "HUNA"
    assert revealed["override"] == irregular["override"] == "he drew twice"
    text = api.get(f"/v1/games/{game}/export?format=text").text
    assert "he drew twice" in text
    assert "It stands in the record" not in text
    fork = api.post(f"/v1/games/{game}/forks", {"id": entry("note.added")["id"]}).get_json()["game"]
    assert timeline(api, fork)[7]["override"] == "he drew twice"
    recorded_entry(
        send(api, game, entry("entry.replaced", entry=3, move="b-c"))
    )  # it stands irregular without another word


def test_an_override_is_advised_only_where_it_helps(api: Api) -> None:
    game = api.play("b-d", "-", "+")
    helps = send(api, game, entry("move.made", move="-")).get_json()
    assert "impossible" not in helps
    on_a_bridge = {"type": "build", "seat": 1, "card": "BARI", "line": "BARI-DUDA"}
    for kind, place in (("move.made", {}), ("entry.inserted", {"after": 3}), ("entry.replaced", {"entry": 5})):
        refused = send(api, game, entry(kind, move=on_a_bridge, **place)).get_json()
        sent = send(api, game, entry(kind, move=on_a_bridge, override={"reason": "so be it"}, **place))
        assert (sent.status_code, sent.get_json()["type"]) == (422, "/problems/impossible-move")
        if refused["type"] == "/problems/rule-broken":
            assert refused["impossible"] == sent.get_json()["detail"]
            assert "does not help" in refused["advice"]
