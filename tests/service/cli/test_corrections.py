"""What really happened: corrections, what they change, and what becomes of entries that no longer fit."""

from __future__ import annotations

import json

import pytest

from .conftest import MOVES

pytestmark = pytest.mark.service("kept")

TURN = "deal black BARI COCO DUDA\nb-d\n+c/e\na-h\n-\n"
"""Entry 4 ends black's turn; without it, white's entries 5 and 6 are out of turn."""

PAPER = "12 7\n3 4\nend\n"
"""Rounds of a score sheet that the first player wins, 15 to 11."""


def counting(kifu, game):
    """The moves that count, in the order of the record."""
    entries = json.loads(kifu("replay", game, "--json"))["entries"]
    return [entry["notation"] for entry in entries if "notation" in entry and not entry.get("withdrawn_by")]


def types(kifu, game):
    return [entry["type"] for entry in json.loads(kifu("replay", game, "--json"))["entries"]]


@pytest.fixture
def sheet(kifu) -> str:
    game = kifu("open", "scoresheet", "--option", "template=rounds", "--seat", "Anna", "--seat", "Ben").strip()
    kifu("record", game, "-", stdin=PAPER)
    return game


def test_a_replaced_move_tells_what_it_did_before_and_does_now(kifu):
    game = kifu.play()
    output = kifu("replace", game, 3, "b-e", "--reason", "misread")
    assert "Entry 3 is BARI-ELAI now." in output
    assert "3  Black played BARI; Black built BARI-DUDA  Black played BARI; Black built BARI-ELAI" in output
    assert counting(kifu, game)[1] == "BARI-ELAI"


def test_scores_and_outcome_are_told_before_and_after(kifu, sheet):
    output = kifu("replace", sheet, 2, "2 7")
    assert "Scores: 5:11, before: 15:11" in output
    assert "Outcome: Ben wins " in output
    assert "before: Anna wins " in output


@pytest.mark.slow
def test_a_dry_run_tells_the_same_and_stores_nothing(kifu, sheet):
    before = types(kifu, sheet)
    tried = kifu("replace", sheet, 2, "2 7", "--dry-run")
    assert tried.startswith("Dry run, nothing is stored:\n")
    assert types(kifu, sheet) == before
    assert kifu("replace", sheet, 2, "2 7") == tried.partition("\n")[2]


def test_json_is_the_answer_to_a_correction(kifu, sheet):
    answer = json.loads(kifu("replace", sheet, 2, "2 7", "--json", "--dry-run"))
    (entry,) = answer["entries"]
    assert (entry["scores_before"], entry["scores"]) == ([15, 11], [5, 11])
    assert entry["consequences"][0]["version"] == 2


def test_a_forgotten_move_is_inserted_where_it_happened(kifu):
    game = kifu.play(TURN)
    output = kifu("insert", game, 3, "c-k")
    assert "Entry 7 stands after 3: COCO-KAHU" in output
    shown = kifu("replay", game)
    assert shown.index("BARI-DUDA") < shown.index("COCO-KAHU") < shown.index("+COCO/ELAI")
    assert "inserted after entry 3" in shown


@pytest.mark.slow
def test_inserted_moves_follow_what_they_were_inserted_behind(kifu, sheet):
    kifu("insert", sheet, 3, "1 1")
    kifu("insert", sheet, 5, "2 2")
    kifu("insert", sheet, 3, "3 3")
    lines = [line.split()[0] for line in kifu("replay", sheet).splitlines() if line.strip()[:1].isdigit()]
    assert lines == ["1", "2", "3", "5", "6", "7", "4"]


@pytest.mark.slow
def test_what_was_left_open_is_revealed_and_what_was_seen_is_not_told_anew(kifu):
    game = kifu.play("deal black\n")
    assert "Entry 2 is known as deal black BARI COCO DUDA now." in kifu("reveal", game, 2, "deal black BARI COCO DUDA")
    assert "recorded first as deal black, corrected by entry 3" in kifu("replay", game)
    assert "what was seen cannot be changed" in kifu.fails("reveal", game, 2, "deal black BARI COCO ELAI")


@pytest.mark.parametrize("more", [("w: a-b ! nobody noticed",), ("w: a-b", "--override", "nobody noticed")])
def test_a_correction_against_a_rule_needs_its_reason(kifu, more):
    game = kifu.play("deal black BARI COCO DUDA\nb-d\n")
    refused = kifu.fails("replace", game, 3, "w: a-b")
    assert "kahuna:SET-2" in refused
    assert "--override" in refused
    output = kifu("replace", game, 3, *more)
    assert "it stands: nobody noticed" in output
    assert counting(kifu, game)[1] == "white: ALOA-BARI"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("replace", 3, "b-z"), "expected an island here"),
        (("replace", 3, "note x"), "'note x' is not a move"),
        (("replace", 3, " "), "' ' is not a move"),
        (("replace", 3, "b-d !"), "write the reason after !"),
        (("replace", 9, "b-d"), "there is no entry 9; the last one is 6"),
        (("replace", 1, "b-d"), "entry 1 is not a move"),
        (("insert", 9, "b-d"), "there is no entry 9; the last one is 6"),
        (("insert", 3, "b-l"), "no line joins BARI and LALE"),
        (("reveal", 1, "b-d"), "entry 1 is not a move"),
        (("undo", "--entry", 6, "--keep", "6"), "entry 6 does not count after it: there is nothing to keep"),
    ],
)
def test_a_wrong_correction_says_why_and_stores_nothing(kifu, arguments, message):
    game = kifu.play()
    command, *rest = arguments
    assert message in kifu.fails(command, game, *rest)
    assert len(types(kifu, game)) == 6


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("replace", "x", 3), "Missing argument 'MOVE'"),
        (("replace", "x", "y", "b-d"), "'y' is not a valid integer."),
        (("replace", "x", 0, "b-d"), "0 is not in the range"),
        (("insert", "x", 2**70, "b-d"), "is not in the range"),
        (("undo", "x", "--keep", "some"), "'some' should be `all` or entries, such as 7,9."),
        (("undo", "x", "--withdraw", "7,"), "'7,' should be `all` or entries"),
        (("undo", "x", "--withdraw", "0"), "'0' should be `all` or entries"),
        (("undo", "x", "--withdraw", "9" * 5000), "should be `all` or entries"),
        (("redo", "x", "--entry", "7"), "No such option '--entry'"),
    ],
)
def test_a_wrong_command_line_is_a_usage_error(kifu, arguments, message):
    assert message in kifu.fails(*arguments, code=2)


@pytest.mark.slow
def test_undo_takes_back_corrections_claims_and_seats_and_redo_brings_them_back(kifu):
    game = kifu.play()
    kifu("replace", game, 3, "b-e")
    kifu("insert", game, 4, "w: a-d")
    kifu("claim", game, 3, 1)
    kifu("seat", game, "white", "Carla")
    assert [kifu("undo", game).splitlines()[0] for _ in range(4)] == [
        "Undone: entry 10: somebody else sits here",
        "Undone: entry 9: claims 3:1",
        "Undone: entry 8: ALOA-DUDA",
        "Undone: entry 7: corrects 3",
    ]
    assert counting(kifu, game)[1] == "BARI-DUDA"
    assert [kifu("redo", game).splitlines()[0] for _ in range(4)] == [
        f"Entry {entry} counts again." for entry in (7, 8, 9, 10)
    ]
    assert counting(kifu, game)[1] == "BARI-ELAI"
    assert "White Carla" in kifu("show", game)
    assert "nothing to redo" in kifu.fails("redo", game)


@pytest.mark.slow
def test_undo_and_redo_go_back_and_forth_in_any_order(kifu):
    game = kifu.play()
    whole = counting(kifu, game)
    for commands, left in (("uu", 3), ("r", 4), ("u", 3), ("rr", 5), ("uuu", 2), ("rur", 3), ("rr", 5)):
        for each in commands:
            kifu({"u": "undo", "r": "redo"}[each], game)
        assert counting(kifu, game) == whole[:left], commands


def test_undo_passes_over_a_replacement_of_what_is_taken_back(kifu):
    game = kifu.play("deal black BARI COCO DUDA\nb-d\n")
    kifu("replace", game, 3, "b-e")
    kifu("undo", game, "--entry", 3)
    assert "Undone: entry 2" in kifu("undo", game)


@pytest.mark.slow
def test_redo_brings_nothing_back_behind_something_else_that_was_done(kifu):
    game = kifu.play("deal black BARI COCO DUDA\nb-d\n")
    kifu("undo", game)
    kifu("note", game, "the cat")
    assert "the last entry is not an undo" in kifu.fails("redo", game)
    kifu("undo", game, "--entry", 4)
    assert counting(kifu, game)[1] == "BARI-DUDA"


@pytest.mark.slow
def test_redo_brings_back_no_older_entry_that_was_withdrawn(kifu):
    game = kifu.play("deal black BARI COCO DUDA\nb-d\n+c\n")
    kifu("undo", game, "--entry", 3)
    kifu("undo", game)
    assert "Entry 4 counts again" in kifu("redo", game)
    assert "To undo a withdrawal, give its number" in kifu.fails("redo", game)
    kifu("undo", game, "--entry", 5)
    assert counting(kifu, game)[1:] == ["BARI-DUDA", "+COCO"]


def test_entries_that_no_longer_fit_are_listed_with_what_resolves_them(kifu):
    game = kifu.play(TURN)
    message = kifu.fails("undo", game, "--entry", 4, "--reason", "not seen")
    assert "entry 5, white: ALOA-HUNA: it is black's turn, not white's (kahuna:SET-2)" in message
    assert "it can be kept as irregular or withdrawn, too" in message
    assert "legal there: " in message
    (kept,) = [line for line in message.splitlines() if line.endswith("--keep all")]
    assert kept == f"To keep what can be kept:  kifu undo {game} --entry 4 --reason 'not seen' --keep all"
    (withdrawn,) = [line for line in message.splitlines() if line.endswith("--withdraw all")]
    assert withdrawn.endswith(f"kifu undo {game} --entry 4 --reason 'not seen' --withdraw all")
    assert types(kifu, game) == ["game.opened", *["move.made"] * 5]


@pytest.mark.parametrize(
    ("choices", "left"),
    [
        (("--keep", "all"), ["BARI-DUDA", "white: ALOA-HUNA", "-"]),
        (("--keep", "5"), ["BARI-DUDA", "white: ALOA-HUNA", "-"]),
        (("--withdraw", "all"), ["BARI-DUDA"]),
        (("--withdraw", "5,6"), ["BARI-DUDA"]),
    ],
)
def test_what_was_chosen_for_entries_that_do_not_fit_is_done(kifu, choices, left):
    game = kifu.play(TURN)
    output = kifu("undo", game, "--entry", 4, *choices)
    assert "Undone: entry 4: +COCO/ELAI" in output
    assert counting(kifu, game)[1:] == left
    replayed = kifu("replay", game)
    assert ("irregular because of it: 5" in replayed) == ("--keep" in choices)
    assert ("taken back with it: 5, 6" in replayed) == ("--withdraw" in choices)


def test_a_choice_that_leaves_other_entries_open_asks_for_those(kifu):
    game = kifu.play(TURN)
    message = kifu.fails("undo", game, "--entry", 4, "--withdraw", "5")
    assert "entry 6, white: -" in message
    assert "entry 5" not in message


@pytest.mark.slow
def test_a_choice_for_each_entry_is_shown_and_can_be_given(kifu, whole_game):
    game = kifu.play(whole_game("points"))
    ruling = ("option", "name=box_variant", "value=true", "--after", 2, "--reason", "agreed at the start")
    message = kifu.fails("rule", game, *ruling)
    (line,) = [line for line in message.splitlines() if line.startswith("To choose for each of them:")]
    *_, keep, kept, withdraw, withdrawn = line.split()
    assert (keep, withdraw) == ("--keep", "--withdraw")
    assert len(withdrawn.split(",")) > 1
    after = kifu.fails("rule", game, *ruling, keep, kept)
    assert f"entry {kept}," not in after
    kifu("rule", game, *ruling, "--keep", "all", "--withdraw", "all")
    assert f"irregular because of it: {kept}" in kifu("replay", game)


@pytest.mark.parametrize("given", [("--token", "{}"), ("--token={}",)])
def test_a_token_is_not_printed(kifu, given):
    game = kifu.play(TURN)
    token = (kifu.data / "owner.token").read_text().strip()
    message = kifu.fails("undo", *(word.format(token) for word in given), game, "--entry", 4)
    assert f"kifu undo {game} --entry 4 --keep all" in message
    assert token not in message


@pytest.mark.slow
def test_on_a_terminal_each_entry_is_asked_for_and_a_wrong_answer_again(kifu, terminal):
    game = kifu.play(TURN)
    asked = terminal("undo", game, "--entry", 4)
    asked.read_until("entry 5, white: ALOA-HUNA", "Entry 5: keep, withdraw, keep all, withdraw all, cancel?")
    asked.type("perhaps\n")
    asked.read_until("'perhaps' is not one of keep, withdraw, keep all, withdraw all, cancel; initials are enough.")
    asked.type("w\n")
    asked.read_until("entry 6, white: -", "Entry 6: keep")
    asked.type("Withdraw  ALL\n")
    asked.read_until("Undone: entry 4")
    assert asked.ends() == 0
    assert counting(kifu, game)[1:] == ["BARI-DUDA"]


@pytest.mark.parametrize("answer", ["c\n", "\x04"])
@pytest.mark.slow
def test_on_a_terminal_one_can_cancel(kifu, terminal, answer):
    game = kifu.play(TURN)
    asked = terminal("undo", game, "--entry", 4)
    asked.read_until("cancel?")
    asked.type(answer)
    assert asked.ends() == 1
    assert types(kifu, game) == ["game.opened", *["move.made"] * 5]


def test_what_cannot_have_happened_is_not_offered_to_be_kept(kifu):
    game = kifu.play(MOVES)
    message = kifu.fails("undo", game, "--entry", 2)
    assert "it can be withdrawn, too" in message
    assert "--keep" not in message


def test_show_and_score_say_that_a_record_was_corrected(kifu):
    game = kifu.play()
    kifu("replace", game, 3, "b-e")
    for command in ("show", "score"):
        assert "1 correction: see `kifu replay" in kifu.run(command, game).stderr
    assert "correction" not in kifu.run("score", game, "--at", 6).stderr
