"""Opening, finding and looking at games, and mending their record."""

from __future__ import annotations

import json
import re
import shlex
import time
import uuid

import pytest

from service.cli.shell.clock import local_day

pytestmark = pytest.mark.service("kept")

ID = "01987654-0000-7000-8000-000000000001"


def test_open_prints_the_id_alone_and_what_comes_next_beside_it(kifu):
    result = kifu.run("open", "kahuna", "--black", "Anna", "--white", "Ben")
    assert str(uuid.UUID(result.stdout.strip())) == result.stdout.strip()
    assert f"kifu record {result.stdout.strip()[-8:]}" in result.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ("kahuna", "--black", "Anna", "--white", "Ben"),
        ("--white=Ben", "kahuna", "--black=Anna"),
        ("kahuna", "--seat", "Anna", "--seat", "Ben"),
    ],
)
def test_seats_are_named_by_colour_or_in_order(kifu, arguments):
    kifu("open", *arguments)
    assert "Black Anna, White Ben" in kifu("show", "last")


@pytest.mark.slow
def test_options_of_a_ready_sheet_stand_after_its_name(kifu):
    kifu("open", "scoresheet", "--option", "template=Seven_Wonders+leaders+cities", "--seat", "Anna", "--seat", "Ben")
    assert "\nleaders " in kifu("show", "last")
    failed = kifu.fails("open", "scoresheet", "--option", "template=seven_wonders+nectar")
    assert "seven_wonders has no such option; it has leaders, cities, armada, edifice" in failed
    failed = kifu.fails("open", "scoresheet", "--option", "template=ticket_to_ride+nordic+india")
    assert "nordic and india cannot both be chosen" in failed
    refused = " ".join(kifu.fails("open", "scoresheet", "--option", "template=seven_wonder+leaders", code=2).split())
    assert re.search(r"is not one of arnak, (\w+, )+… \(\+[0-9]+\)\.", refused), "the first of a hundred templates"


def test_a_seat_without_a_name_is_a_guests(kifu):
    kifu("open", "kahuna", "--white", "Ben")
    assert "Black ?, White Ben" in kifu("show", "last")


@pytest.mark.slow
def test_a_name_at_two_seats_is_asked_about(kifu, monkeypatch):
    """However it is written. Programs are told; a game with one person at two seats can be what happened."""
    wide = ("open", "kahuna", "--black", "Anna Ek", "--white", "ａｎｎａ  ek")
    told = kifu.run(*wide)
    assert "ａｎｎａ  ek sits at two seats" in told.stderr or "Anna Ek sits at two seats" in told.stderr
    assert kifu("show", told.stdout.strip())
    monkeypatch.setattr("service.cli.shell.screen.is_conversation", lambda: True)
    before = kifu("games")
    assert "sits at two seats. Is that right?" in kifu.fails(*wide, stdin="n\n")
    assert kifu("games") == before
    assert kifu(*wide, stdin="y\n")
    assert "two seats" not in kifu.run("open", "kahuna", "--black", "?", "--white", "?").stderr


@pytest.mark.slow
def test_who_takes_a_seat_and_has_another_one_is_asked_about(kifu):
    kifu("open", "scoresheet", "--seat", "Anna", "--seat", "Ben", "--seat", "?")
    for number in ("2", "4"):
        assert "anna sits at two seats" in kifu.run("seat", "last", number, "anna").stderr
        kifu("undo", "last")
    for name in ("Ben", "?", "Cleo"):
        assert "two seats" not in kifu.run("seat", "last", "2", name).stderr


@pytest.mark.slow
def test_people_and_seats_are_found_in_another_case_width_or_form(kifu):
    kifu.open("--black", "Jos\u00e9 Strau\u00df", "--white", "ＡＩＫＯ")
    assert "is now called Aiko" in kifu("players", "name", "aiko", "Aiko")
    assert "is now called Jo" in kifu("players", "name", "JOSE\u0301 STRAUSS", "Jo")
    kifu.open("--black", "Ann", "--white", "Annika")
    assert "Ann is now called Anna." in kifu("players", "name", "ＡＮＮ", "Anna")
    assert "Annika" in kifu("show", "last", "--seat", "ａｎｎｉｋａ")


def test_a_player_is_known_by_the_id(kifu):
    kifu.open("--black", "Anna")
    anna = json.loads(kifu("players", "list", "--json"))["players"][0]["id"]
    kifu.open("--white", anna)
    assert "White Anna" in kifu("show", "last")


def test_opening_with_the_same_id_opens_one_game(kifu):
    assert kifu.open("--id", ID) == kifu.open("--id", ID) == ID
    assert len(json.loads(kifu("games", "--json"))["games"]) == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "Name one ruleset"),
        (("kahuna", "Ida", "Ben"), "Name one ruleset: not kahuna Ida Ben; give a player with --seat."),
        (("kahuna", "--red", "Ida"), "No such option: --red. The seats of kahuna are --black, --white."),
        (("scoresheet", "--red", "Ida"), "The seats of scoresheet are --player-1 … --player-20."),
        (("scoresheet", "--template", "uno"), "write --option template=uno."),
        (("kahuna", "--black"), "Option '--black' requires an argument."),
        (("kahuna", "--black", "A", "--black", "B"), "--black is given twice."),
        (("kahuna", "--black", "A", "--seat", "B"), "not by both"),
        (("kahuna", "--option", "fog"), "--option fog: write it as NAME=VALUE."),
        (("kahuna", "--option", "fog=thick"), "kahuna has no option 'fog'"),
        (("kahuna", "--id", "42"), "'42' is not a valid UUID"),
    ],
)
def test_a_wrong_opening_is_a_usage_error(kifu, arguments, message):
    assert message in kifu.fails("open", *arguments, code=2)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("chess",), "no ruleset 'chess'; choose one of kahuna"),
        (("kahuna", "--seat", "A", "--seat", "B", "--seat", "C"), "kahuna is for two players, not 3"),
        (("kahuna", "--title", "x" * 201), "title: Longer than maximum length 200."),
        (("kahuna", "--black", "a\tb"), "control characters"),
    ],
)
def test_the_service_says_why_a_game_cannot_be_opened(kifu, arguments, message):
    assert message in kifu.fails("open", *arguments)
    assert "No game is recorded." in kifu.run("games").stderr


@pytest.mark.parametrize(
    ("name", "offered"),
    [
        ("uno", "UNO: kifu open scoresheet --option template=uno"),
        ("ウノ", "UNO: kifu open scoresheet --option template=uno"),
        ("カフナ", "Kahuna: kifu open kahuna"),
        ("rumikub", "Rummikub: kifu open scoresheet --option template=rummikub"),
        ("うちの 紙", "うちの 紙: kifu open scoresheet --components 'うちの 紙'"),
        ("x" * 5000, "Plain points: kifu open scoresheet --option template=plain"),
    ],
)
def test_a_name_that_is_no_ruleset_is_answered_with_what_has_a_name_like_it(kifu, tmp_path, name, offered):
    sheet = tmp_path / "sheet.json"
    sheet.write_text('{"name": "Ours", "columns": [{"id": "points"}]}')
    if "紙" in name:
        kifu("components", "put", "scoresheet", name, sheet)
        assert "Ours" in kifu("components", "show", "scoresheet", name)
    told = kifu.fails("open", name)
    assert "Ruleset not found" in told
    assert f"\n  {offered}\n" in told
    *_, command = next(line for line in told.splitlines() if offered in line).partition(": kifu ")
    assert len(kifu(*shlex.split(command)).strip()) == len(ID)


@pytest.mark.slow
def test_a_game_goes_by_its_id_a_part_of_it_or_last(kifu):
    kifu.open("--id", ID, "--title", "First")
    other = kifu.open("--title", "Second")
    for name in (ID, ID.upper(), ID[:9], ID[-6:]):
        assert "First" in kifu("show", name)
    for name in (other, other[-8:], "last"):
        assert "Second" in kifu("show", name)


@pytest.mark.slow
def test_a_part_that_names_no_game_or_several_is_refused(kifu):
    kifu.open("--id", ID, "--title", "First")
    kifu.open("--id", ID[:-1] + "2", "--title", "Second")
    message = kifu.fails("show", ID[:9])
    assert "2 games have ids that begin or end with 01987654-" in message
    assert f"{ID} First" in message
    for number in range(3, 8):
        kifu.open("--id", f"{ID[:-1]}{number}")
    message = kifu.fails("show", ID[:9])
    assert "more than 5 games have ids" in message
    assert message.count(ID[:9]) == 1 + 5
    assert "no game's id begins or ends with ffff" in kifu.fails("show", "ffff")
    assert "is not a game" in kifu.fails("show", "f" * 40)
    assert "'abc' is not a game" in kifu.fails("show", "abc")
    assert "'../x' is not a game" in kifu.fails("show", "../x")
    assert "Game not found" in kifu.fails("show", str(uuid.uuid4()))


def test_show_draws_the_board_and_says_where_the_game_stands(kifu):
    game = kifu.play()
    shown = kifu("show", game)
    for part in ("Black Anna, White Ben", "BARI", "must draw", "Anna to move; 6 entries, 0:0", "Row    BARI ELAI DUDA"):
        assert part in shown


@pytest.mark.slow
def test_show_looks_at_any_version_from_any_seat(kifu):
    game = kifu.play("deal black BARI COCO DUDA / ALOA ALOA ? / ? ? ?\nb-d\n")
    assert "This is version 2 of 3." in kifu("show", game, "--at", 2)
    assert "Hand ALOA ALOA ?" in kifu("show", game, "--at", 2)
    assert "ALOA ALOA" not in kifu("show", game, "--at", 2, "--seat", 2)
    assert "ALOA ALOA" in kifu("show", game, "--at", 2, "--seat", "Anna")
    assert "ALOA ALOA" not in kifu("show", game, "--at", 2, "--seat", "public")
    assert "ALOA ALOA" in kifu("show", game, "--at", 2, "--seat", "record")
    assert "versions 1 to 3, not 9" in kifu.fails("show", game, "--at", 9)
    assert "0 is not in the range 1 or more." in kifu.fails("show", game, "--at", 0, code=2)


@pytest.mark.slow
def test_json_is_the_services_answer_as_it_is(kifu):
    game = kifu.play()
    assert json.loads(kifu("show", game, "--json"))["viewpoint"] == "record"
    assert json.loads(kifu("replay", game, "--json"))["entries"][1]["notation"] == "deal black BARI COCO DUDA"
    assert json.loads(kifu("score", game, "--json"))["scores"] == [0, 0]
    assert json.loads(kifu("games", "--json"))["games"][0]["game"] == game
    assert json.loads(kifu("rulesets", "--json"))["rulesets"][0]["name"] == "kahuna"
    assert json.loads(kifu("rulesets", "kahuna", "--json"))["endings"]


@pytest.mark.slow
def test_games_are_found_by_title_and_by_player(kifu):
    kifu.open("--title", "Friday", "--black", "Anna")
    kifu.open("--title", "Sunday", "--black", "Björn")
    assert kifu("games").index("Sunday") < kifu("games").index("Friday")
    assert "Friday" not in kifu("games", "björn")
    assert "Sunday" not in kifu("games", "friday")
    assert "No game matches." in kifu.run("games", "Monday").stderr
    assert "There are more. Use --limit 2" in kifu.run("games", "--limit", 1).stderr
    assert "'lost' is not one of" in kifu.fails("games", "--status", "lost", code=2)


@pytest.mark.slow
def test_a_replay_tells_every_entry_its_effects_and_the_scores(kifu):
    game = kifu.play("deal black BARI COCO DUDA\nb-d\nw: a-b ! white was quicker\n")
    kifu("note", game, "white apologised", "--entry", 4)
    kifu("undo", game, "--entry", 4, "--reason", "fair play")
    output = kifu("replay", game)
    for part in (
        "Black goes first; 15 cards are the deck",
        "Black built BARI-DUDA",
        "white apologised (to entry 4)",
        "taken back by entry 6",
        "takes back 4",
        "fair play",
    ):
        assert part in output


def test_a_replay_shows_an_irregular_entry_with_its_rule_and_reason(kifu):
    game = kifu.play("deal black BARI COCO DUDA\nb-d\nw: a-b ! white was quicker\n")
    assert "(kahuna:SET-2); it stands: white was quicker" in kifu("replay", game)
    assert "Entry 4 is irregular: kahuna:SET-2" in kifu("show", game)
    assert "kahuna:SET-2  Who begins, and turns" in kifu("score", game)


@pytest.mark.slow
def test_undo_takes_back_the_last_entry_that_counts_and_again_the_one_before(kifu):
    game = kifu.play()
    assert "Undone: entry 6: -" in kifu("undo", game)
    assert "Undone: entry 5: ALOA-BARI" in kifu("undo", game)
    kifu("undo", game, "--entry", 8)
    assert "Undone: entry 5" in kifu("undo", game)


def test_undo_refuses_what_later_entries_need_and_names_them(kifu):
    game = kifu.play("deal black BARI COCO DUDA / ALOA BARI HUNA / ? ? ?\nb-d\n+c/e\ne-h\n-\n")
    message = kifu.fails("undo", game, "--entry", 2)
    assert "Conflict with later entries" in message
    assert "entry 3, black: BARI-DUDA: the cards have not been dealt yet (kahuna:SET-1)" in message


def test_undo_of_nothing_says_so(kifu):
    game = kifu.open()
    assert "nothing to undo: only the opening counts" in kifu.fails("undo", game)
    assert "there is no entry 9; the last one is 1" in kifu.fails("undo", game, "--entry", 9)
    assert "1 is not in the range" in kifu.fails("undo", game, "--entry", 1, code=2)


def test_a_note_needs_a_text(kifu):
    game = kifu.open()
    assert "Noted as entry 2." in kifu("note", game, "rain")
    for blank in ("", "   "):
        assert "a note needs a text" in kifu.fails("note", game, blank)


@pytest.mark.slow
def test_players_are_listed_renamed_and_erased(kifu):
    kifu.open("--black", "Anna", "--white", "Hannah")
    assert "nna matches 2 people" in kifu.fails("players", "name", "nna", "Ann")
    assert "Anna is now called Ann." in kifu("players", "name", "Anna", "Ann")
    assert "Hannah" not in kifu("players", "list", "ann ")
    assert "Erase the name Hannah" in kifu.fails("players", "erase", "Hannah", stdin="n\n")
    assert "has no name any more" in kifu("players", "erase", "hannah", stdin="y\n")
    assert "Black Ann, White ?" in kifu("show", "last")
    kifu.open("--black", "Johanna")
    assert "only a part of the name Johanna" in kifu.fails("players", "erase", "hanna", "--yes")
    assert "has no name any more" in kifu("players", "erase", "Johanna", "--yes")
    assert "the name is empty" in kifu.fails("players", "erase", " ", "--yes")
    assert "nobody is called Hannah" in kifu.fails("players", "erase", "Hannah", "--yes")
    assert "No name matches." in kifu.run("players", "list", "Hannah").stderr


def test_tables_of_a_rulebook_keep_their_lines_and_paragraphs_are_one(kifu):
    shown = kifu("rulesets", "scoresheet").splitlines()
    assert "| `per` | `game` (if nothing is said) or `round`: one value in all, or one for each round |" in shown
    assert not any(set(line) <= set("|-") for line in shown if line)
    assert "Points can be given or taken at any time, with a reason in words." in shown
    assert any(line.startswith("The game is over when the table says so") and line.endswith("cell.") for line in shown)


@pytest.mark.slow
def test_rulesets_need_no_data_folder(untouched):
    assert "カフナ" in untouched("rulesets")
    shown = untouched("rulesets", "kahuna")
    for part in ("2 seats: Black, White", "BARI-DUDA", "kahuna:CTRL-2", "相手の橋を取り除く"):
        assert part in shown
    assert "--option chips=4 to 40   Chips of each colour (default 20)" in untouched("rulesets", "manapani")
    assert "no ruleset 'go'" in untouched.fails("rulesets", "go")
    assert not untouched.data.exists()


def test_a_score_sheet_is_opened_with_a_template_from_a_file(kifu, tmp_path):
    template = tmp_path / "own.toml"
    template.write_text('name = "Own"\n[[columns]]\nid = "fish"\n')
    kifu("open", "scoresheet", "--components-file", template, "--seat", "Anna", "--seat", "Ben")
    kifu("record", "last", stdin="fish 3 4\n")
    assert "fish" in kifu("show", "last")
    template.write_text('{"name": "Own", "columns": [{"id": "fish"}, {"id": "two", "formula": "1 +"}]}')
    assert "components.columns[1].formula" in kifu.fails("open", "scoresheet", "--components-file", template)
    template.write_text("name = ")
    assert "neither JSON nor TOML" in kifu.fails("open", "scoresheet", "--components-file", template, code=2)


@pytest.mark.programs
def test_show_writes_the_board_as_a_picture(kifu, tmp_path):
    kifu.open()
    kifu("show", "last", "--png", str(tmp_path / "board.png"))
    assert (tmp_path / "board.png").read_bytes().startswith(b"\x89PNG")
    assert "does not exist" in kifu.fails("show", "last", "--png", str(tmp_path / "none" / "board.png"))


@pytest.mark.parametrize(
    ("zone", "noon"),
    [("XYZ-99", "12:00:00"), ("EST5", "17:00:00"), ("LMT-9:18:59", "02:41:00")],
    ids=["more than a day", "west", "with seconds"],
)
def test_the_zone_of_the_machine_spoils_no_day(kifu, monkeypatch, zone, noon):
    monkeypatch.setenv("TZ", zone)
    time.tzset()
    try:
        kifu("open", "kahuna", "--on", "2020-07-01")
        assert json.loads(kifu("games", "--json"))["games"][0]["played_at"] == f"2020-07-01T{noon}.000Z"
        assert "2020-07-01" in kifu("games")
        assert local_day("0001-01-01T00:00:00Z") == "0001-01-01"
        assert local_day("9999-12-31T23:59:59Z") == "9999-12-31"
    finally:
        monkeypatch.undo()
        time.tzset()


@pytest.mark.slow
def test_a_game_of_another_day_says_so(kifu):
    kifu("open", "scoresheet", "--option", "template=uno", "--on", "2020-07-01")
    (listed,) = json.loads(kifu("games", "--json"))["games"]
    assert listed["played_at"][:10] == "2020-07-01"
    assert listed["opened_at"][:4] != "2020"
    kifu("open", "kahuna", "--on", "2020-07-01T20:30")
    evening, noon = json.loads(kifu("games", "--json"))["games"]
    assert evening["played_at"] > noon["played_at"]
    kifu("record", noon["game"], stdin="points 3\n")
    assert json.loads(kifu("games", "--json"))["games"][0]["game"] == noon["game"]
    kifu("open", "scoresheet", "--option", "template=catan", "--on", "2019-12-31")
    shown = kifu("games", "--order", "played")
    assert re.findall(r"kahuna|UNO|Catan", shown) == ["kahuna", "UNO", "Catan"], shown
    assert json.loads(kifu("games", "--json", "--order", "played"))["games"][0]["game"] == evening["game"]
    assert "'latest' is not one of" in kifu.fails("games", "--order", "latest", code=2)
    for wrong in ("last summer", "01.08.2025", "2025-02-30", "2025-08-01T25:00", "0001-01-01"):
        why = f"'{wrong}' is not a day: write 2025-08-31, or 2025-08-31T20:15."
        assert why in kifu.run("open", "kahuna", "--on", wrong).stderr
    assert "'1.8.2025' is not a day: write it as 2025-08-31." in kifu.run("games", "--from", "1.8.2025").stderr
    for moment in ("1899-12-31T23:30+09:00", "1899-12-31 14:30Z"):
        game = kifu("open", "kahuna", "--on", moment).strip()
        (listed,) = [each for each in json.loads(kifu("games", "--json"))["games"] if each["game"] == game]
        assert listed["played_at"] == "1899-12-31T14:30:00.000Z"
