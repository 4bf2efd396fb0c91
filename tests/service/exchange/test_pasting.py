"""A table of a spreadsheet onto a score sheet: what its lines mean, its numbers, and what is recorded of it."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.scoresheet import SCORESHEET
from games.scoresheet.ready import READY
from service.exchange.incoming.cells import parse_cells
from service.exchange.incoming.numbers import guessed_decimal, parse_number
from service.exchange.incoming.pasting.moves import moves_for
from service.exchange.incoming.pasting.table import PastedTable
from service.exchange.incoming.plays import BadFileError
from tests.cases import cases

if TYPE_CHECKING:
    from service.exchange.incoming.numbers import Decimal
    from tests.service.conftest import Api

NAMES = ("Aiko Tanaka", "Jonas", "Eva")


def pasted(text: str, template: str = "skyjo", names: tuple[str, ...] = NAMES, **more: Any) -> PastedTable:
    state = SCORESHEET.open({}, READY[template], len(names))
    return PastedTable(
        state, names, parse_cells(text), more.get("rows", {}), more.get("columns", {}), more.get("decimal")
    )


def entries(table: PastedTable) -> list[str]:
    values, problems = table.read_cells
    assert problems == []
    return [table.state.notation(each.move) for each in moves_for(table.state, values)]


def said(table: PastedTable) -> tuple[str, str]:
    rows, columns = (
        ", ".join(table.names.write(lines[at]) for at in sorted(lines)) for lines in (table.rows, table.columns)
    )
    return rows, columns


# Numbers


@cases(
    ("text", "decimal", "number"),
    [
        ("12", "point", 12),
        ("１２", "point", 12),
        ("−3", "point", -3),
        ("–3", "point", -3),
        ("— 3", "point", -3),
        ("－３", "point", -3),
        ("▲5", "point", -5),
        ("(5)", "point", -5),
        ("+4", "point", 4),
        ("1,5", "comma", Fraction(3, 2)),
        ("1.5", "point", Fraction(3, 2)),
        (".5", "point", Fraction(1, 2)),
        ("1.234", "comma", 1234),
        ("1,234", "point", 1234),
        ("1,234,567.5", "point", Fraction(2469135, 2)),
        ("1.234.567,5", "comma", Fraction(2469135, 2)),
        ("1 234", "point", 1234),
        ("1\N{NARROW NO-BREAK SPACE}234,5", "comma", Fraction(2469, 2)),
        ("1'234", "point", 1234),
        ("1,5", "point", None),
        ("1,2345", "point", None),
        ("12,34", "point", None),
        ("1e400", "point", None),
        ("NaN", "point", None),
        ("∞", "point", None),
        ("", "point", None),
        ("-", "point", None),
        (".", "point", None),
        ("5-", "point", -5),
        ("1.234,5 −", "comma", Fraction(-2469, 2)),
        ("-5-", "point", None),
        ("--", "point", None),
        ("1,234.567.890", "point", None),
        ("9" * 5000, "point", None),
        ("\ud800", "point", None),
    ],
)
def test_numbers_are_read_as_people_write_them(text: str, decimal: Decimal, number: Fraction | None) -> None:
    assert parse_number(text, decimal) == number


@cases(
    ("cells", "decimal"),
    [
        (["1,5", "12"], "comma"),
        (["1.5", "12"], "point"),
        (["1.234", "2.000"], "comma"),
        (["1,234", "2,000"], "point"),
        (["1.234,5", "7"], "comma"),
        (["0,125"], "comma"),
        (["28.11.2026", "1,5"], "comma"),
        (["12", "x"], "point"),
    ],
)
def test_the_numbers_tell_what_stands_before_decimals(cells: list[str], decimal: str) -> None:
    assert guessed_decimal(cells) == decimal


@pytest.mark.slow
@given(st.text(max_size=40), st.sampled_from(["comma", "point"]))
def test_any_text_is_a_number_or_none(text: str, decimal: Decimal) -> None:
    assert isinstance(parse_number(text, decimal), Fraction | None)


@given(
    st.decimals(-(10**9), 10**9, allow_nan=False, allow_infinity=False, places=3),
    st.sampled_from([("comma", ".", ","), ("point", ",", "."), ("comma", " ", ","), ("point", "'", ".")]),
)
def test_a_number_is_read_back_however_it_is_written(number: Any, way: tuple[Decimal, str, str]) -> None:
    decimal, group, sign = way
    text = f"{number:,.3f}".translate(str.maketrans({",": group, ".": sign}))
    assert parse_number(text, decimal) == Fraction(number)


# What lines mean


TWO_ROUNDS = ("labels, r1, r2, -", "labels, p1, p2, p3", ["r1 5 12 8", "r2 3 4 5"])
"""What the same table says in several languages."""


@cases(
    ("text", "rows", "columns", "recorded"),
    [
        (
            "\tAiko\tJonas\tEva\nRound 1\t5\t12\t8\nRound 2\t3\t\t−2\nTotal\t8\t12\t6\n",
            "labels, r1, r2, -",
            "labels, p1, p2, p3",
            ["r1 5 12 8", "r2 3 ? -2"],
        ),
        (
            "Skyjo am Montag\t\t\t\t\nName\t1\t2\t3\tSumme\n"
            "Jonas\t1\t2\t3\t6\neva\t4\t5\t6\t15\nAIKO TANAKA\t7\t8\t9\t24\n",
            "labels, labels, p2, p3, p1",
            "labels, r1, r2, r3, -",
            ["r1 7 1 4", "r2 8 2 5", "r3 9 3 6"],
        ),
        ("5\t12\t8\n3\t4\t5\n8\t16\t13\n", "r1, r2, -", "p1, p2, p3", ["r1 5 12 8", "r2 3 4 5"]),
        ("5;12;8\n3;4;5\n", "r1, r2", "p1, p2, p3", ["r1 5 12 8", "r2 3 4 5"]),
        ("第1ラウンド\t5\t12\t8\n第2ラウンド\t3\t4\t5\n合計\t8\t16\t13", "r1, r2, -", "labels, p1, p2, p3", None),
        ("Date\tEva\tJonas\tAiko\n2026-11-01\t1\t2\t3\n2026-11-08\t4\t5\t6\n", "labels, r1, r2", "-, p3, p2, p1", None),
        ("Player 3\tPlayer 1\tプレイヤー２\n1\t2\t3\n", "labels, r1", "p3, p1, p2", ["r1 2 3 1"]),
        ("\tAiko\tJonas\tEva\n1re manche\t5\t12\t8\nTour 2\t3\t4\t5\nTotal des points\t8\t16\t13\n", *TWO_ROUNDS),
        (
            "\tJugador 1\tJugador 2\tJugadora 3\nRonda 1\t5\t12\t8\n2ª ronda\t3\t4\t5\nPuntuación total\t8\t16\t13\n",
            *TWO_ROUNDS,
        ),
        (
            "\tSpieler 1\tSpielerin 2\tSpieler 3\n1. Runde\t5\t12\t8\nDurchgang 2\t3\t4\t5\nEndergebnis\t8\t16\t13\n",
            *TWO_ROUNDS,
        ),
        (
            "\tプレーヤー1\tプレーヤー2\tプレーヤー3\n1回戦\t5\t12\t8\n第２回\t3\t4\t5\n最終得点\t8\t16\t13\n",
            *TWO_ROUNDS,
        ),
        (
            "\tJogador 1\tJogador 2\tJogadora 3\n1ª rodada\t5\t12\t8\nMão 2\t3\t4\t5\nTotal de pontos\t8\t16\t13\n",
            *TWO_ROUNDS,
        ),
        (
            "\tGiocatore 1\tGiocatrice 2\tEva\nMano 1\t5\t12\t8\nTurno 2\t3\t4\t5\nPunteggio totale\t8\t16\t13\n",
            *TWO_ROUNDS,
        ),
        ("\tSpeler 1\tSpeler 2\tSpeler 3\nRonde 1\t5\t12\t8\n2e beurt\t3\t4\t5\nEindtotaal\t8\t16\t13\n", *TWO_ROUNDS),
        ("\t\tX\tY\tZ\n\n1\t\t1\t2\t3\n", "-, -, r1", "labels, -, p1, p2, p3", ["r1 1 2 3"]),
    ],
)
def test_lines_are_recognised(text: str, rows: str, columns: str, recorded: list[str] | None) -> None:
    table = pasted(text)
    assert said(table) == (rows, columns)
    assert recorded is None or entries(table) == recorded


@cases(
    "text",
    [
        "\tAiko\t\tJonas\t\tEva\t\n\tbid\ttricks\tbid\ttricks\tbid\ttricks\n1\t1\t0\t0\t0\t1\t1\n2\t1\t1\t1\t0\t0\t1\n",
        "\tAiko bid\tAiko tricks\tJonas bid\tJonas tricks\tEva bid\tEva tricks\n"
        "1\t1\t0\t0\t0\t1\t1\n2\t1\t1\t1\t0\t0\t1\n",
        "\t\tAiko\tJonas\tEva\n1\tbid\t1\t0\t1\n\ttricks\t0\t0\t1\n2\tbid\t1\t1\t0\n\ttricks\t1\t0\t1\n",
        "\tR1 bid\tR1 tricks\tR2 bid\tR2 tricks\nAiko\t1\t0\t1\t1\nJonas\t0\t0\t1\t0\nEva\t1\t1\t0\t1\n",
    ],
)
def test_two_things_in_a_head_are_both_taken(text: str) -> None:
    assert entries(pasted(text, "wizard")) == ["r1 1 0 1", "r1 tricks 0 0 1", "r2 1 1 0", "r2 tricks 1 0 1"]


def test_columns_of_the_whole_game_go_by_their_names_and_what_is_computed_is_left_out() -> None:
    table = pasted("\tAiko\tJonas\tEva\n軍事\t5\t6\t-1\ntreasury\t2\t1\t0\ncoins\t6\t3\t2\n", "seven_wonders")
    assert said(table)[0] == "labels, military, -, coins"
    assert table.rows[2].skipped == "computed"
    assert entries(table) == ["military 5 6 -1", "coins 6 3 2"]


def test_a_line_can_be_named_and_the_rest_is_still_guessed() -> None:
    text = "\tBob\tJonas\tEva\n1\t5\t12\t8\n2\t3\t4\t5\n"
    assert entries(pasted(text, rows={2: "-"})) == ["r1 5 12 8"]
    assert entries(pasted(text, columns={1: "p2", 2: "p1"})) == ["r1 12 5 8", "r2 4 3 5"]
    assert entries(pasted("1,234\t5\t6", decimal="comma", columns={0: "p1", 1: "-", 2: "-"}, rows={0: "r1"})) == [
        "r1 1.234 ? ?"
    ]


def test_labels_stand_for_their_values() -> None:
    table = pasted("\tAiko\tJonas\nresult\twin\tLOSS\n", "win_loss_draw", ("Aiko", "Jonas"))
    assert entries(table) == ["result win loss"]


@cases(
    ("ticks", "recorded"),
    [
        ("x\t\t", "yes ? ?"),
        ("TRUE\tFALSE\tFALSE", "yes no no"),
        ("WAHR\tFALSCH\tFALSCH", "yes no no"),
        ("✔\t☐\t", "yes no ?"),
        ("○\t\tいいえ", "yes ? no"),
        ("Sí\tNão\tnein", "yes no no"),
        ("1\t0\tno", "yes no no"),
    ],
)
def test_ticks_and_boxes_of_spreadsheets_are_yes_and_no(ticks: str, recorded: str) -> None:
    text = f"\tAiko\tJonas\tEva\n1\t5\t12\t8\nended\t{ticks}\n2\t3\t4\t5\n"
    assert entries(pasted(text)) == ["r1 5 12 8", f"r1 ended {recorded}", "r2 3 4 5"]


@cases(
    ("text", "template", "problem"),
    [
        ("\tAiko\tJonas\tEva\n1\t3*\t7\t5\n", "skyjo", (2, 2, "'3*' is not a number")),
        ("\tAiko\tJonas\tEva\n1\t3\tx\t5\n", "skyjo", (2, 3, "'x' is not a number")),
        ("\tAiko\tJonas\tEva\n1\t3\t7\t5\nended\tyep\t\t\n", "skyjo", (3, 2, "'yep' is none of these: yes, no")),
    ],
)
def test_a_cell_that_cannot_be_taken_is_named_and_never_left_out(
    text: str, template: str, problem: tuple[int, int, str]
) -> None:
    _, problems = pasted(text, template).read_cells
    assert problem in [(each.row, each.column, each.why) for each in problems]


def test_a_cell_with_lines_that_name_no_cell_of_the_sheet_is_a_problem() -> None:
    _, problems = pasted("\tAiko\tJonas\tEva\n1\t3\t7\t5\n", rows={1: "ended"}).read_cells
    assert {each.why for each in problems} == {"its row and its column together name no cell of the sheet"}


def test_running_totals_between_the_rounds_are_no_rounds() -> None:
    text = "R\tAiko\tJonas\tEva\n1\t5\t12\t8\n\t5\t12\t8\n2\t1\t1\t1\n\t6\t13\t9\n"
    assert entries(pasted(text)) == ["r1 5 12 8", "r2 1 1 1"]


@cases("named", [{5: "p1"}, {0: "p9"}, {0: "nonsense"}, {0: "r1 r2"}, {0: ""}])
def test_what_a_line_cannot_be_is_refused(named: dict[int, str]) -> None:
    with pytest.raises(BadFileError, match="rows: "):
        pasted("5\t12\t8\n", rows=named)


@cases("text", ["", "\n\n", "\t\t\n", ",".join(["1"] * 1_000_000), "1\n" * 5_000])
def test_a_table_that_is_empty_or_too_large_is_refused(text: str) -> None:
    with pytest.raises(BadFileError):
        parse_cells(text)


@given(
    st.lists(st.lists(st.sampled_from(["", "1", "2", "Eva", "bid", "Total", "r2", "x", "−3"]), max_size=5), max_size=6)
)
@pytest.mark.slow
def test_any_table_is_read_without_an_error(rows: list[list[str]]) -> None:
    text = "\n".join("\t".join(row) for row in rows)
    if any(cell for row in rows for cell in row):
        table = pasted(text, "wizard")
        values, _ = table.read_cells
        moves_for(table.state, values)


# Recording


def sheet(api: Api, template: str = "skyjo", seats: int = 3) -> str:
    return api.open(
        ruleset="scoresheet", seats=[{"name": name} for name in NAMES[:seats]], options={"template": template}
    )


def paste(api: Api, game: str, text: str | bytes, query: str = "", status: int = 200) -> dict[str, Any]:
    answer = api.post(f"/v1/games/{game}/table{query}", data=text, content_type="text/plain")
    assert answer.status_code == status, answer.text
    return dict(answer.get_json())


TABLE = "\tAiko\tJonas\tEva\n1\t5\t12\t8\n2\t3\t4\t5\nTotal\t8\t16\t14\n"


def test_a_table_is_tried_recorded_and_recorded_again_without_doubling(api: Api) -> None:
    game = sheet(api)
    tried = paste(api, game, TABLE, "?dry_run=true")
    assert tried["entries"] == ["r1 5 12 8", "r2 3 4 5"]
    (total,) = tried["totals"]
    assert total == {"row": 4, "column": 4, "why": "the total in the table is 14, but the sheet adds up to 13"}
    assert tried["rows"][3] == {"means": "-", "why": "total"}
    assert api.get(f"/v1/games/{game}").get_json()["version"] == 1
    assert paste(api, game, TABLE)["version"] == 3
    assert api.get(f"/v1/games/{game}").get_json()["scores"] == [8, 16, 13]
    again = paste(api, game, TABLE)
    assert (again["version"], again["entries"], again["same"]) == (3, [], 6)


def test_what_a_table_says_differently_is_changed_cell_by_cell(api: Api) -> None:
    game = sheet(api)
    api.record(game, "r1 5 ? 9")
    answer = paste(api, game, TABLE)
    assert answer["entries"] == ["r1 ? 12 ?", "r1 p3 8", "r2 3 4 5"]
    assert answer["same"] == 1
    assert api.get(f"/v1/games/{game}").get_json()["scores"] == [8, 16, 13]


def test_a_cell_that_breaks_a_rule_is_named_and_nothing_is_recorded(api: Api) -> None:
    game = sheet(api, "wizard")
    text = "\tAiko\tJonas\tEva\nr1 bid\t1\t0\t0\nr1 tricks\t1\t1\t0\n"
    (problem,) = paste(api, game, text, "?dry_run=true")["problems"]
    assert (problem["row"], problem["column"]) == (3, 2)
    refused = paste(api, game, text, status=400)
    assert refused["errors"][0]["field"] == "row 3, column 2"
    assert refused["type"].endswith("/bad-import")
    assert api.get(f"/v1/games/{game}").get_json()["version"] == 1


def test_text_where_a_number_belongs_is_named_with_its_cell(api: Api) -> None:
    game = sheet(api)
    text = "\tAiko\tJonas\tEva\n1\t5\ttwelve\t8\n"
    assert paste(api, game, text, "?dry_run=true")["problems"] == [
        {"row": 2, "column": 3, "why": "'twelve' is not a number"}
    ]
    japanese = api.post(
        f"/v1/games/{game}/table", data=text, headers={"Accept-Language": "ja"}, content_type="text/plain"
    )
    assert (japanese.status_code, "数" in japanese.get_json()["detail"]) == (400, True)


@pytest.mark.parametrize(
    ("before", "text", "recorded"),
    [
        ("", "\tAiko\tJonas\tEva\n1\t5\t3\t2\nTotal\t5\t3\t2\n", ["r1 5 3 2"]),
        ("r1 1 1 1", "\tAiko\tJonas\tEva\n2\t5\t3\t2\nTotal\t6\t4\t3\n", ["r2 5 3 2"]),
        ("r1 1 1 1", "\t2\tTotal\nAiko\t5\t6\nJonas\t3\t4\nEva\t2\t3\n", ["r2 5 3 2"]),
        ("", "\tAiko\tJonas\tEva\nTotal\t5\t3\t2\n", []),
    ],
    ids=["first", "second", "across", "alone"],
)
def test_a_total_after_a_single_round_is_no_round(shared: Api, before: str, text: str, recorded: list[str]) -> None:
    game = sheet(shared)
    if before:
        shared.record(game, before)
    tried = paste(shared, game, text, "?dry_run=true")
    assert tried["entries"] == recorded
    assert {"means": "-", "why": "total"} in tried["rows"] + tried["columns"]


def test_a_broken_rule_and_a_number_that_cannot_count_are_told_in_the_reader_s_language(api: Api) -> None:
    game = sheet(api, "farkle")
    for value, why in (
        ("1", "p1: 得点: 1にはなりません (scoresheet:CHECK-1)"),
        ("0.5", "得点は整数です。0.5 は数えられません (scoresheet:CELL-5)"),
    ):
        answer = api.post(
            f"/v1/games/{game}/table",
            data=f"\tAiko\n1\t{value}\n",
            headers={"Accept-Language": "ja"},
            content_type="text/plain",
        )
        assert answer.get_json()["errors"] == [{"field": "row 2, column 2", "message": why}]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp932"])
def test_a_table_can_be_in_any_usual_encoding(shared: Api, encoding: str) -> None:
    game = sheet(shared)
    assert paste(shared, game, "\tAiko\tJonas\tEva\n第1ラウンド\t１\t２\t３\n".encode(encoding))["entries"] == [
        "r1 1 2 3"
    ]


@pytest.mark.parametrize(
    "query", ["?rows=x", "?rows=0=p1", "?rows=99=p1", "?columns=1=p9", "?decimal=dot", "?rows=" + "1=p1," * 20_000]
)
def test_a_bad_question_is_refused_with_its_field(shared: Api, query: str) -> None:
    answer = shared.post(f"/v1/games/{sheet(shared)}/table{query}", data=TABLE, content_type="text/plain")
    assert answer.status_code in {400, 414}
    assert query[1:].partition("=")[0] in answer.text or answer.status_code == 414


def test_only_a_score_sheet_that_is_open_takes_a_table(api: Api) -> None:
    assert "only a score sheet" in paste(api, api.play(), TABLE, status=400)["detail"]
    game = sheet(api)
    api.post(
        f"/v1/games/{game}/events",
        {"events": [{"id": game[:-4] + "0000", "type": "game.closed", "data": {"how": "abandoned"}}]},
    )
    assert paste(api, game, TABLE, status=409)["type"].endswith("/game-closed")


def test_who_may_not_record_pastes_nothing(api: Api) -> None:
    game = sheet(api)
    viewer = api.let_in("viewer")
    assert viewer.post(f"/v1/games/{game}/table", data=TABLE, content_type="text/plain").status_code == 403
    assert viewer.get(f"/games/{game}/table").status_code == 403


# The page


def form(api: Api, game: str, **fields: str) -> Any:
    return api.post(f"/games/{game}/table", data=fields, content_type="application/x-www-form-urlencoded")


def test_the_page_shows_what_lines_were_taken_for_and_records_what_was_corrected(api: Api) -> None:
    game = sheet(api)
    assert "Paste a table" in api.get(f"/games/{game}").text
    tried = form(api, game, text=TABLE, step="try").text
    assert 'name="columns-2" value="p1"' in tried
    assert "the total in the table is 14, but the sheet adds up to 13" in tried
    of = tried.partition('name="of" value="')[2].partition('"')[0]
    corrected = form(api, game, text=TABLE, of=of, step="try", **{"columns-2": "p2", "columns-3": "p1"}).text
    assert "r1 12 5 8" in corrected
    other = form(api, game, text=TABLE.replace("5", "6"), of=of, step="try", **{"columns-2": "p2"}).text
    assert "r1 6 12 8" in other  # what was said of another table says nothing of this one
    stored = form(api, game, text=TABLE, of=of, step="record", **{"columns-2": "p2", "columns-3": "p1"})
    assert (stored.status_code, stored.headers["Location"]) == (303, f"/games/{game}")
    assert api.get(f"/v1/games/{game}").get_json()["scores"] == [16, 8, 13]


@pytest.mark.parametrize(
    ("fields", "why"), [({}, "empty"), ({"text": "\ud800"}, "no"), ({"text": TABLE, "decimal": "x"}, "form")]
)
def test_the_page_says_what_is_wrong(shared: Api, fields: dict[str, str], why: str) -> None:
    answer = form(
        shared, sheet(shared), **{name: text.encode(errors="replace").decode() for name, text in fields.items()}
    )
    assert answer.status_code in {200, 400}
    assert why in answer.text


def test_a_cell_that_begins_with_a_quotation_mark_swallows_no_others() -> None:
    """Spreadsheets leave it as it is, where neither a tab nor a line end stands in the cell."""
    assert parse_cells('"Ace\tBen\n1\t2\n') == [['"Ace', "Ben"], ["1", "2"]]
    assert parse_cells('"Ace" Smith\tBen\n1\t2\n') == [['"Ace" Smith', "Ben"], ["1", "2"]]
    assert parse_cells('"a\nb"\t"say ""hi"""\n') == [["a b", 'say "hi"']]
    with pytest.raises(BadFileError, match="a quotation mark in the row of line 2 is never closed"):
        parse_cells('Ada,Ben\n1,"2\n3,4\n')


# Tables in other forms

HEARTS = "hearts"


@cases(
    "text",
    [
        "        Aiko  Jonas  Eva\n1         10      4   12\n2          0     13   13\n",
        "Aiko  Jonas  Eva\n10    4      12\n0     13     13\n",
        "Aiko Jonas Eva\n10 4 12\n0 13 13\n",
        "Hearts at home\n\n   Aiko  Jonas  Eva\n1  10  4  12\n2  0  13  13\n",
        "| Round | Aiko | Jonas | Eva |\n|---|--:|:-:|---|\n| 1 | 10 | 4 | 12 |\n| 2 | 0 | 13 | 13 |\n",
        "+---+------+-----+\n|  | Aiko | Jonas | Eva |\n+---+------+-----+\n| 1 | 10 | 4 | 12 |\n| 2 | 0 | 13 | 13 |",
        "3 May, at home\nRunde;Aiko;Jonas;Eva\n1;10;4;12\n2;0;13;13\n",
        "\tAiko\tJonas\tEva\n1\t10点\t4点\t12点\n2\t0点\t13点\t13点\n",
        "\tAiko\tJonas\tEva\n1\t10 pts\t4 points\t12 Punkte\n2\t0 pt.\t13 pts\t１３点\n",
    ],
)
def test_a_table_is_read_however_its_cells_are_parted(text: str) -> None:
    assert entries(pasted(text, HEARTS)) == ["r1 10 4 12", "r2 0 13 13"]


EXCEL = """Version:1.0
StartHTML:0000000105
<html xmlns:x="urn:schemas-microsoft-com:office:excel"><head><style><!--table {mso-displayed-decimal-separator:"\\,";}
td {color:black;}--></style></head><body><!--StartFragment--><table border=0 cellpadding=0>
 <col width=64 span=4><tr height=20><td></td><td class=xl65>Aiko<br>Tanaka</td><td>Jonas</td><td>Eva</td></tr>
 <tr height=20><td align=right x:num>1</td><td align=right>10</td><td x:num="4">4,0</td><td>12&nbsp;</td></tr>
 <tr><td>2<td>0<td>13<td>13<![if supportMisalignedColumns]></tr></table><!--EndFragment--></body></html>"""
GOOGLE = (
    "<meta charset='utf-8'><google-sheets-html-origin><style type=\"text/css\"><!--td {border: 1px;}--></style><TABLE "
    'xmlns="http://www.w3.org/1999/xhtml"><colgroup><col width="100"/></colgroup><tbody><tr style="height:21px;">'
    '<td></td><td data-sheets-value="{&quot;1&quot;:2}">Aiko</td><td>Jonas</td><td>Eva</td></tr>'
    "<tr><th>1</th><td>10</td><td>4</td><td>12</td></tr><tr><td>2</td><td>0</td><td>13</td><td>13</td></tr></tbody>"
    "</TABLE><table><tr><td>another</td></tr></table>"
)
OFFICE = (
    '<table cellspacing="0" border="0"><tr><td colspan=4 align="left">Hearts at home</td></tr><tr><td rowspan="2">'
    "<br></td>"
    '<td align="left">Aiko</td><td>Jonas</td><td>Eva</td></tr><tr><td>points</td><td>points</td><td>points</td></tr>'
    '<tr><td sdval="1" sdnum="1031;">1</td><td><font>10</font></td><td>4</td><td>12</td></tr>'
    "<tr><td>2</td><td>0</td><td>13</td><td>13</td></tr></table>"
)


@cases("text", [EXCEL, GOOGLE, OFFICE])
def test_a_table_in_html_is_read_as_spreadsheets_copy_it(text: str) -> None:
    assert entries(pasted(text, HEARTS)) == ["r1 10 4 12", "r2 0 13 13"]


def test_joined_cells_in_html_leave_the_cells_empty_over_which_they_go() -> None:
    text = "<table><tr><td rowspan=2 colspan=2>a<td>b<tr><td>c<tr><td>d<td colspan=0>&lt;e&gt;</table><p>x"
    assert parse_cells(text) == [["a", "", "b"], ["", "", "c"], ["d", "<e>", ""]]
    assert parse_cells("<table><td>1<td>2</table>") == [["1", "2"]]


@cases(
    "text",
    [
        "<table>" + "<td colspan=99999>" * 100,
        "<table>" + "<tr><td>1" * 1_001,
        "<table>" + "<" * 1_000_000,
        "<table>",
        "<table><tr><td></table>1",
    ],
)
def test_html_that_is_empty_or_too_large_is_refused(text: str) -> None:
    with pytest.raises(BadFileError):
        parse_cells(text)


def test_values_that_stand_under_each_other_are_not_moved_into_an_empty_cell() -> None:
    with pytest.raises(BadFileError, match="row 2 has 3 values, and others have 4"):
        pasted("   Aiko  Jonas  Eva\n1  10        12\n2  0  13  13\n", HEARTS)


@cases("head", ["", "Round", "Runde", "#", "No.", "ラウンド"])
def test_a_line_that_numbers_the_rounds_is_no_player_who_is_missing(head: str) -> None:
    assert entries(pasted(f"{head}\tAiko\tJonas\n1\t10\t4\n2\t0\t13\n", HEARTS)) == ["r1 10 4 ?", "r2 0 13 ?"]
    assert entries(pasted(f"{head}\tus\tthem\n1\t10\t4\n2\t0\t13\n", HEARTS, NAMES[:2])) == ["r1 10 4", "r2 0 13"]
    assert entries(pasted(f"{head}\t1\t2\nAiko\t10\t0\nJonas\t4\t13\n", HEARTS)) == ["r1 10 4 ?", "r2 0 13 ?"]


def test_three_columns_of_numbers_without_heads_are_three_players() -> None:
    assert entries(pasted("1\t4\t12\n2\t13\t13\n", HEARTS)) == ["r1 1 4 12", "r2 2 13 13"]


@cases("heads", ["Ann & Carl\tBéa & Dora", "Ann/Carl\tBéa/Dora", "Ann + Carl\tBéa and Dora", "Ann, Carl\tBéa und Dora"])
def test_the_names_of_a_pair_are_its_team(heads: str) -> None:
    table = pasted(f"\t{heads}\n1\t60\t40\n2\t25\t75\n", "tichu", ("Ann", "Béa", "Carl", "Dora"))
    assert said(table) == ("labels, r1, r2", "labels, p1, p2")
    assert entries(table) == ["r1 60 40", "r2 25 75"]


def test_names_of_two_teams_are_no_team() -> None:
    table = pasted("\tAnn & Béa\tCarl & Dora\n1\t60\t40\n", "tichu", ("Ann", "Béa", "Carl", "Dora"))
    assert table.names.meaning_of("Ann & Béa").side is None


ROWS = ["1,Aiko,5", "1,Jonas,7", "1,Eva,8", "2,Aiko,9", "2,Jonas,3", "2,Eva,1"]


@cases(
    ("text", "template", "recorded"),
    [
        ("\n".join(["round,player,score", *ROWS]), "rounds", ["r1 5 7 8", "r2 9 3 1"]),
        ("\n".join(["Runde;Spielerin;Punkte", *ROWS]).replace(",", ";"), "rounds", ["r1 5 7 8", "r2 9 3 1"]),
        ("score,player,round\n5,Aiko,1\n8,Eva,1\n7,Jonas,1", "rounds", ["r1 5 7 8"]),
        ("プレイヤー,ラウンド,得点\nAiko,1,7\nEva,1,4\nJonas,1,3", "rounds", ["r1 7 3 4"]),
        ("date,round,player,score\n2025-05-01,1,Aiko,5\n2025-05-01,1,Eva,6", "rounds", ["r1 5 ? 6"]),
        ("round\tplayer\tscore\n1\tAiko\t5\n\tJonas\t7\n2\tAiko\t9", "rounds", ["r1 5 7 ?", "r2 9 ? ?"]),
        ("Skat night\nround,player,score\n1,Aiko,5\n1,Jonas,7", "rounds", ["r1 5 7 ?"]),
        ("round,player,score,total\n1,Aiko,5,5\n2,Aiko,9,14", "rounds", ["r1 5 ? ?", "r2 9 ? ?"]),
        ("round,player,score\nRound 1,Aiko,5\nRound 1,Zed,6", "rounds", ["r1 5 ? ?"]),
        ("round,player,bid,tricks\n1,Aiko,0,0\n1,Jonas,1,1", "skull_king", ["r1 0 1 ?", "r1 tricks 0 1 ?"]),
        ("round,player,column,value\n1,Aiko,bid,0\n1,Aiko,tricks,1", "skull_king", ["r1 0 ? ?", "r1 tricks 1 ? ?"]),
        ("player,category,points\nAiko,civilian,7\nEva,guilds,3", "seven_wonders", ["civilian 7 ? ?", "guilds ? ? 3"]),
    ],
)
def test_a_table_with_one_row_for_each_cell_is_read(text: str, template: str, recorded: list[str]) -> None:
    assert entries(pasted(text, template)) == recorded


def test_scores_are_left_out_of_such_a_table_where_the_sheet_computes_them() -> None:
    table = pasted("round,player,score\n1,Aiko,5\n1,Jonas,7\n1,Eva,8", "skull_king")
    assert entries(table) == []
    assert table.columns[2].skipped == "computed"


def test_a_running_total_in_such_a_table_is_not_held_against_the_end() -> None:
    table = pasted("round,player,score,total\n1,Aiko,5,5\n2,Aiko,9,14", "rounds")
    assert list(table.totals([14, 0, 0])) == []


def test_a_column_can_be_named_as_that_of_the_values() -> None:
    text = "round,player,last year,this year\n1,Aiko,5,6\n1,Jonas,7,8"
    assert entries(pasted(text, "rounds")) == []
    table = pasted(text, "rounds", columns={3: "values"})
    assert (entries(table), said(table)[1]) == (["r1 6 8 ?"], "labels, labels, -, values")
