"""Words of a sheet in any language: ids, labels, rounds and ends, in notation, effects, formulas and drawings."""

from __future__ import annotations

import re
import unicodedata

import pytest

from games.errors import BadOpeningError
from games.scoresheet import SCORESHEET
from games.scoresheet.reading import read_for_keeping
from tests.cases import cases

RESULT = {"id": "結果", "per": "round", "labels": {"勝ち": 2, "×2": 4, "Grand Slam": 8, "ボーナス": 1, "負け": 0}}
SHEET = {
    "columns": [
        RESULT,
        {"id": "Übertrag", "per": "round", "counts": False},
        {"id": "得点", "per": "round", "formula": "結果 ＋ Übertrag * 2"},
        {"id": "total_всего", "formula": "sum(得点)", "counts": False},
    ],
    "round_names": ["Vorrunde", "Große Halbzeit"],
    "round_names_ja": ["前半", "後半"],
}


@pytest.fixture
def sheet(table):
    return table(seats=2, **SHEET)


@pytest.mark.parametrize(
    ("typed", "written"),
    [
        ("r1 勝ち 負け", "r1 勝ち 負け"),
        ("r1 ×2 ?", "r1 ×2 ?"),
        ("r1 grand_slam ボーナス", "r1 Grand_Slam ボーナス"),
        ("r1 ÜBERTRAG 3 4", "r1 Übertrag 3 4"),
        ("vorrunde 勝ち 負け", "r1 勝ち 負け"),
        ("große_halbzeit 勝ち 負け", "r2 勝ち 負け"),
        ("後半 p2 負け", "r2 p2 負け"),
        ("前半 ü 1 2", "r1 Übertrag 1 2"),
        ("ｒ１　結果　４　２", "r1 ×2 勝ち"),
    ],
)
def test_words_of_every_script_are_typed(sheet, typed, written):
    move = sheet.state.parse(typed)
    assert sheet.state.notation(move) == written
    assert sheet.state.parse(written) == move


def test_they_are_computed_and_told(sheet):
    assert sheet.do("r1 勝ち grand_slam") == ["p1 cell.entered r1 p1, 勝ち", "p2 cell.entered r1 p2, Grand Slam"]
    sheet.do("r1 Übertrag 10 20", "end")
    assert sheet.scores() == [2 + 22, 8 + 48]
    assert sheet.cells("total_всего") == [22, 48]


def test_their_blanks_are_what_is_typed(sheet):
    sheet.do("r1 grand_slam ?")
    move = next(move for move in sheet.state.legal_moves() if move.round == 1 and move.column == "結果")
    mine, theirs = sheet.state.blanks(move)
    assert mine.stands == "Grand_Slam"
    assert "×2" in theirs.choices
    assert "Grand_Slam" in theirs.choices


def test_a_round_is_called_by_its_name(sheet):
    sheet.do("r1 勝ち 負け")
    assert "Vorrunde, 結果" in str(sheet.state.tables())
    assert "Vorrunde: 結果" in sheet.state.picture()
    assert sheet.state.describe()["due"][0]["title"] == "Vorrunde, Übertrag"
    assert "後半" in sheet.state.translated("ja", {"x": "x"}).template.round_names
    sheet.do("r1 Übertrag 0 0", "r2 勝ち 負け", "r2 Übertrag 0 0", "r3 勝ち 負け")
    assert "Round 3, 結果" in str(sheet.state.tables())


@cases(
    ("field", "names", "why"),
    [
        ("round_names", ["a", "A"], "stands here twice"),
        ("round_names", ["end"], "has a meaning of its own"),
        ("round_names", ["points"], "has a meaning of its own"),
        ("round_names", ["r2"], "would be read as something else"),
        ("round_names_ja", ["1,2"], "signs in it that part words"),
    ],
)
def test_a_round_cannot_be_called_what_is_read_as_something_else(refused, field, names, why):
    found, said = refused(**{field: names})
    assert found.startswith(field)
    assert why in said


def test_ends_have_names_of_every_script(table):
    t = table(seats=2, stops=[{"id": "時間切れ", "name": "時間切れ"}])
    t.do("r1 1 2", "end 時間切れ")
    assert t.outcome.reason == "stopped"


def test_old_sheets_with_their_small_letters_are_read_as_they_were(table):
    t = table("win_loss_draw", 2)
    t.do("result win loss")
    assert t.scores() == [2, 0]
    assert SCORESHEET.state.load(t.state.dump()) == t.state


@cases(
    ("fields", "field", "why"),
    [
        ({"columns": [{"id": "a", "per": "hour"}]}, "columns[0].per", "hour is none of game, round"),
        ({"columns": [{"id": "a"}, {"id": "b", "formula": "a", "round": "x"}]}, "columns[1].round", "down, half, up"),
        ({"wins": "most"}, "wins", "most is none of cooperative, highest, lowest"),
        ({"late": "never"}, "late", "never is none of average, highest, lowest, nothing, zero"),
        ({"first_wins": "luck"}, "first_wins", "luck is none of entry, seats"),
        ({"ties": [{"column": "points", "wins": "x y"}]}, "ties[0].wins", "x y is none of highest, lowest"),
        ({"markers": [{"id": "d", "name": "d", "moves": ""}]}, "markers[0].moves", " is none of each, hand, loser"),
        ({"options": [{"id": "x", "name": "x", "sets": {"wins": "x"}}]}, "options[0].sets.wins", "x is none of coop"),
        (
            {"options": [{"id": "x", "name": "x", "beside": [{"option": "y", "sets": {"wins": "x"}}]}]},
            "options[0].beside[0].sets.wins",
            "x is none of coop",
        ),
    ],
)
def test_a_word_that_a_field_does_not_take_is_refused_with_those_that_it_takes(refused, fields, field, why):
    found = refused(**fields)
    assert found[0] == field
    assert why in found[1]


@cases(
    "name", ["अंक", "คะแนนที่ได้", "பெரியது", "Übertrag", "nguyễn", "점수", "ポイント", "ניקוד", "ملعب", "Ωμέγα", "ქულა"]
)
@cases("form", ["NFC", "NFD"])
def test_a_column_in_any_script_is_typed_and_computed_with_in_either_form_of_unicode(table, name, form):
    typed = unicodedata.normalize(form, name)
    entered = {"id": name, "per": "round", "counts": False, "labels": {f"{name[0]}{name}": 1, "−": 0}}
    twice = {"id": "twice", "per": "round", "formula": f"{typed} * 2 + sum(before({typed}))"}
    t = table("", 2, [entered, twice], round_names=[f"{name} 1"])
    t.do(f"{typed}_1 {typed} {unicodedata.normalize(form, name[0] + name)} −", f"r2 {typed} − −")
    assert t.scores() == [3, 0]
    assert t.audit()[0][-1].endswith(f"with {name} 1")


def test_katakana_of_half_width_are_read_as_the_others(table):
    t = table("", 1, [{"id": "ポイント"}])
    t.do("ﾎﾟｲﾝﾄ 7")
    assert t.scores() == [7]


def test_a_formula_says_the_japanese_names_of_columns_in_any_script(table):
    columns = [{"id": "अंक", "ja": "得点", "counts": False}, {"id": "b", "formula": "max(अंक, 2) + अंक"}]
    t = table("", 1, columns)
    assert t.state.template.formulas_called["b"].ja == "max(得点, 2) + 得点"


@cases("blank", [" ", "\u3000", "\u00a0"])
def test_a_blank_of_any_width_in_a_label_or_the_name_of_a_round_is_typed_as_a_low_line(table, blank):
    columns = [{"id": "points", "per": "round", "labels": {f"大{blank}勝ち": 3, "負け": 0}}]
    t = table(columns=columns, round_names=[f"前{blank}半"], seats=2)
    t.do("前_半 大_勝ち 負け")
    assert t.scores() == [3, 0]
    assert t.state.notation(t.parse("r1 大_勝ち 負け")) == "r1 大_勝ち 負け"


@cases("sign", ["､", "﹑", "，", "﹐"])
def test_a_word_that_would_be_read_as_two_opens_no_game(sign):
    for more in ({"labels": {f"a{sign}b": 1}}, {}):
        data = {"name": "Test", "columns": [{"id": "points", "per": "round", **more}]}
        with pytest.raises(BadOpeningError, match="part words"):
            read_for_keeping(data if more else data | {"round_names": [f"a{sign}b"]})


@cases("blank", [" ", "\u3000", "\u200b\u200d", "\u2060 ", "\ufeff", "\u00ad", "\u115f", "\u2800"])
def test_a_name_that_shows_nothing_opens_no_game(blank):
    column = {"id": "points", "per": "round"}
    for more, field in (
        ({"name": blank}, "name"),
        ({"ja": blank}, "ja"),
        ({"aliases": ["Ten", blank]}, "aliases[1]"),
        ({"round_names": [blank]}, "round_names[0]"),
        ({"columns": [column | {"name": blank}]}, "columns[0].name"),
        ({"columns": [column | {"labels": {blank: 1}}]}, "columns[0].labels"),
        ({"teams": [{"name": "A", "seats": [0]}, {"name": blank, "seats": [1]}]}, "teams[1].name"),
        ({"markers": [{"id": "deal", "name": blank, "moves": "each"}]}, "markers[0].name"),
    ):
        why = "can be seen|nobody sees|part words"
        with pytest.raises(BadOpeningError, match=f"^components.{re.escape(field)}: .*({why})"):
            read_for_keeping({"name": "Test", "columns": [column], **more})
    zwnj = {"name": "می\u200cخواهم", "columns": [column]}
    assert read_for_keeping(zwnj).name == zwnj["name"], "joiners within a word show something"
