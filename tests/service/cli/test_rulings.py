"""Rulings and house rules: given, revoked, shown; and a record that is closed."""

from __future__ import annotations

import json

import pytest

from games import adjustments
from games.rulesets import RULESETS
from tests.choosing import soak_except

pytestmark = pytest.mark.service("kept")


def ruled(kifu, game):
    """What the rulings that stand change."""
    entries = json.loads(kifu("replay", game, "--json"))["entries"]
    return [
        entry.get("adjustments", [])
        for entry in entries
        if entry["type"] == "ruling.given" and not entry.get("withdrawn_by")
    ]


PENALTY = ("points", "seat=White", "points=-3")


@pytest.mark.parametrize(
    ("words", "changed"),
    [
        (PENALTY, ["points seat=White points=-3"]),
        ((" ".join(PENALTY),), ["points seat=White points=-3"]),
        ((*PENALTY, "+", "turn", "seat=w"), ["points seat=White points=-3", "turn seat=White"]),
        ((" ".join(PENALTY), "turn seat=2"), ["points seat=White points=-3", "turn seat=White"]),
        ((), []),
    ],
)
def test_a_ruling_is_typed_in_words_and_told(kifu, words, changed):
    game = kifu.play()
    output = kifu("rule", game, *words, "--reason", "a card was hidden")
    assert f"Ruled as entry 7: {' + '.join(changed) or 'a house rule in words'}" in output
    assert ruled(kifu, game) == [changed]


@pytest.mark.slow
def test_a_ruling_that_stands_is_shown_with_its_points_and_its_reason(kifu):
    game = kifu.play()
    output = kifu("rule", game, *PENALTY, "--reason", "a card was hidden")
    assert "The referee gave White points: -3" in output
    assert "Scores: 0:-3" in output
    for command in ("show", "score"):
        assert "Ruling 7: points seat=White points=-3: a card was hidden" in kifu(command, game)
    assert "Ruling 7" not in kifu("score", game, "--at", 6)
    replayed = kifu("replay", game)
    assert "Referee  points seat=White points=-3" in replayed
    assert "-3  Ben   ruling" in kifu("score", game)


def test_a_ruling_can_be_given_where_it_belongs(kifu):
    game = kifu.play()
    output = kifu("rule", game, *PENALTY, "--after", 3, "--reason", "seen on the video")
    assert "Scores: 0:-3, before: 0:0" in output
    replayed = kifu("replay", game)
    assert replayed.index("BARI-DUDA") < replayed.index("Referee") < replayed.index("+COCO/ELAI")


@pytest.mark.slow
def test_a_referee_is_named_like_somebody_who_takes_a_seat(kifu):
    game = kifu.play()
    kifu("rule", game, "--referee", "Rita", "--reason", "no talking")
    assert "Referee Rita" in kifu("replay", game)
    [rita] = json.loads(kifu("players", "list", "Rita", "--json"))["players"]
    kifu("rule", game, "--referee", rita["id"], "--reason", "no humming")
    assert kifu("replay", game).count("Referee Rita") == 2
    assert "data.referee_name" in kifu.fails("rule", game, "--referee", "", "--reason", "x")


@pytest.mark.slow
def test_who_erased_or_ruled_and_has_no_name_is_not_told_by_an_id(kifu):
    game = kifu.play()
    kifu("note", game, "a phone number")
    kifu("erase", game, 7, "--yes")
    assert "its text was erased by somebody without a name on" in kifu("replay", game)
    kifu("rule", game, "--referee", "Rita", "--reason", "late")
    assert "Rita" in kifu("replay", game)
    kifu("players", "erase", "Rita", "--yes")
    assert "somebody without a name" in kifu("replay", game).partition("8")[2]


def test_a_revoked_ruling_does_not_stand_and_can_be_brought_back(kifu):
    game = kifu.play()
    kifu("rule", game, *PENALTY, "--reason", "a card was hidden")
    output = kifu("revoke", game, 7, "--reason", "it had only slipped")
    assert "The ruling of entry 7 is revoked." in output
    assert "Scores: 0:0, before: 0:-3" in output
    assert "revokes 7" in kifu("replay", game)
    assert ruled(kifu, game) == []
    kifu("redo", game)
    assert ruled(kifu, game) == [["points seat=White points=-3"]]
    assert "Undone: entry 7: points seat=White points=-3" in kifu("undo", game)
    assert ruled(kifu, game) == []


def test_a_ruling_can_be_tried_out(kifu):
    game = kifu.play()
    assert "nothing is stored" in kifu("rule", game, *PENALTY, "--reason", "perhaps", "--dry-run")
    assert json.loads(kifu("rule", game, *PENALTY, "--reason", "perhaps", "--dry-run", "--json"))["version"] == 7
    assert ruled(kifu, game) == []


WHOLE = "points is a whole number from -1000 to 1000, at character"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("rule", "bribe", "--reason", "x"), "a ruling of kahuna begins with one of points, turn"),
        (("rule", "points", "seat=White", "--reason", "x"), "points"),
        (
            ("rule", "points", "seat=White", "points=many", "--reason", "x"),
            WHOLE,
        ),
        (
            ("rule", "points", "seat=White", "points=1.5", "--reason", "x"),
            WHOLE,
        ),
        (
            ("rule", "points", "seat=White", "points=1001", "--reason", "x"),
            WHOLE,
        ),
        (("rule", "adjudge", "ranks=1", "--reason", "x"), "there are 2 seats, and 1 ranks"),
        (("rule", *PENALTY, "--after", 9, "--reason", "x"), "there is no entry 9; the last one is 6"),
        (("rule", "--reason", ""), "data.reason"),
        (("revoke", 3), "entry 3 is not a ruling"),
        (("revoke", 9), "there is no entry 9; the last one is 6"),
    ],
)
def test_a_wrong_ruling_says_why_and_stores_nothing(kifu, arguments, message):
    game = kifu.play()
    command, *rest = arguments
    assert message in kifu.fails(command, game, *rest)
    assert len(json.loads(kifu("replay", game, "--json"))["entries"]) == 6


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("rule", "x"), "Missing option '--reason'"),
        (("revoke", "x"), "Missing argument 'RULING'"),
        (("revoke", "x", "y"), "'y' is not a valid integer"),
        (("reopen", "x"), "Missing option '--reason'"),
        (("close", "x", "--as", "won"), "'won' is not one of"),
    ],
)
def test_a_wrong_command_line_is_a_usage_error(kifu, arguments, message):
    assert message in kifu.fails(*arguments, code=2)


@pytest.mark.parametrize("name", RULESETS)
def test_every_example_of_an_adjustment_can_be_typed(kifu, name):
    _, found, listed = kifu("rulesets", name).partition("\nAdjustments of a ruling\n")
    assert bool(found) == bool(RULESETS[name].adjustments)
    examples = [line for line in listed.partition("\nRules\n")[0].splitlines() if line and line[0] != " "]
    kinds = [str(form.__struct_config__.tag) for form in RULESETS[name].adjustments]
    assert [example.split()[0] for example in examples] == kinds
    for example in examples:
        read = adjustments.parse(RULESETS[name], example)
        assert adjustments.parse(RULESETS[name], adjustments.write(RULESETS[name], read)) == read


@pytest.mark.parametrize(
    ("entries", "how"),
    [
        (("note", "rain"), "abandoned"),
        (("rule", "adjudge", "ranks=2,1", "--reason", "time is up"), "adjudicated"),
    ],
)
@pytest.mark.slow
def test_a_game_is_closed_as_it_stands(kifu, entries, how):
    game = kifu.play()
    command, *rest = entries
    kifu(command, game, *rest)
    assert f"The game is closed: {how}." in kifu("close", game, "--reason", "that was all")
    assert how in kifu("games", "--status", how)
    assert "; closed" in kifu("show", game)
    assert f"closed: {how}" in kifu("replay", game)


@pytest.mark.slow
def test_a_game_that_ended_by_the_rules_is_finished(kifu, whole_game):
    game = kifu.play(whole_game("points"))
    assert "it is finished" in kifu.fails("close", game, "--as", "abandoned")
    assert "The game is closed: finished." in kifu("close", game)


@pytest.mark.slow
def test_a_closed_record_takes_notes_and_claims_only_until_it_is_reopened(kifu):
    game = kifu.play()
    assert "nothing is stored" in kifu("close", game, "--dry-run")
    kifu("close", game)
    for arguments in (("undo",), ("replace", 3, "b-e"), ("rule", "--reason", "x"), ("close",)):
        command, *rest = arguments
        message = kifu.fails(command, game, *rest)
        assert "The game is closed" in message
        assert "`kifu reopen` opens it again, with a reason." in message
    assert "The game is closed" in kifu.fails("record", game, stdin="+\n")
    kifu("note", game, "they shook hands", "--bookmark")
    assert "bookmark" in kifu("replay", game)
    assert kifu.fails("reopen", game, "--reason", "").startswith("kifu: Invalid entry: data.reason: it is empty")
    assert "The game is open again." in kifu("reopen", game, "--reason", "one more turn")
    kifu("record", game, stdin="+\n")
    assert "game is not closed" in kifu.fails("reopen", game, "--reason", "x")


@pytest.mark.slow
def test_somebody_else_can_sit_down(kifu):
    game = kifu.play()
    assert "White is Carla's seat from here on." in kifu("seat", game, "white", "Carla", "--reason", "Ben had to go")
    assert "Black Anna, White Carla" in kifu("show", game)
    assert "Black is a guest's seat from here on." in kifu("seat", game, 1, "?")
    assert "Black ?, White Carla" in kifu("show", game)
    replayed = kifu("replay", game)
    assert "White  is Carla's seat now" in replayed
    assert "Ben had to go" in replayed
    assert "Black  is a guest's seat now" in replayed
    assert game[-8:] in kifu("games", "Ben")


@pytest.mark.slow
def test_somebody_who_comes_late_to_a_sheet_gets_a_seat_and_a_name_by_one_command(kifu):
    game = kifu("open", "scoresheet", "--option", "template=rounds", "--seat", "Ada", "--seat", "Bo").strip()
    kifu("record", game, stdin="r1 5 6\n")
    assert "Player 3 is Cleo's seat from here on." in kifu("seat", game, "3", "Cleo", "--dry-run")
    assert "Cleo" not in kifu("show", game)
    assert "Player 3 is Cleo's seat from here on." in kifu("seat", game, "3", "Cleo")
    assert "Player 3 Cleo" in kifu("show", game)
    kifu("record", game, stdin="r2 1 2 3\n")
    assert "is not a seat" in kifu.fails("seat", game, "5", "Dora", code=2)


@pytest.mark.parametrize("seat", ["red", "0", "3", "", "²"])
@pytest.mark.slow
def test_a_seat_that_the_game_does_not_have_is_named(kifu, seat):
    game = kifu.play()
    why = f"{seat!r} is not a seat: the seats are Black (Anna), White (Ben), or 1 to 2."
    assert why in kifu.fails("seat", game, seat, "Carla", code=2)
    assert why in kifu.fails("show", game, "--seat", seat, code=2)
    assert why in kifu.fails("replay", game, "--seat", seat, "--json", code=2)
    assert why in kifu.fails("claim", game, "--line", f"{seat}:bridges:3", code=2)
    assert why in kifu.fails("rule", game, "points", f'seat="{seat}"', "points=3", "--reason", "x", code=2)
    assert why in kifu.fails("record", game, "-", stdin=f'* points seat="{seat}" points=3 ! x')


@pytest.mark.parametrize(
    "seat", soak_except(["2", "White", "whi", "Ben Maria", "ben", "BENMARIA"], "2", "whi", "BENMARIA")
)
@pytest.mark.slow
def test_a_seat_goes_by_its_number_its_tag_or_its_player_in_every_command(kifu, seat):
    game = kifu("open", "kahuna", "--black", "Anna", "--white", "Ben Maria").strip()
    kifu("record", game, "-", stdin="deal black BARI COCO DUDA / ALOA ALOA ? / BARI ? ?\n")
    assert "Hand ALOA ALOA ?" not in kifu("show", game, "--seat", seat)
    assert "Hand BARI ? ?" in kifu("show", game, "--seat", seat)
    assert json.loads(kifu("show", game, "--seat", seat, "--json"))["viewpoint"] == "seat-1"
    assert "BARI" in kifu("replay", game, "--all", "--seat", seat)
    kifu("compare", kifu("fork", game).strip(), "--seat", seat)
    assert "0:3" in kifu("rule", game, "points", f"seat={seat}", "points=3", "--reason", "manners")
    kifu("record", game, "-", stdin=f'* points seat="{seat}" points=2 ! manners')
    kifu("claim", game, "--line", f"{seat}:ruling:5")
    assert "White Carla" in (kifu("seat", game, seat, "Carla"), kifu("show", game))[1]


@pytest.mark.slow
def test_a_seat_is_not_taken_by_what_can_be_several(kifu):
    game = kifu("open", "scoresheet", "--seat", "Anna", "--seat", "Anton").strip()
    several = "is ambiguous: it can be Player1 (Anna) or Player2 (Anton)."
    assert f"'player' {several}" in kifu.fails("seat", game, "player", "Carla", code=2)
    assert f"'an' {several}" in kifu.fails("seat", game, "an", "Carla", code=2)
    kifu("seat", game, "player2", "Carla")
    assert "Player 2 Carla" in kifu("show", game)
    assert "control characters" in kifu.fails("seat", game, "player2", "a\tb")
