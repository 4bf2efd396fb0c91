"""Exports of many games: every format has the same rows, nobody learns what is hidden, and no text is a formula."""

from __future__ import annotations

import csv
import io
import json
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, quote, urlsplit
from uuid import UUID

import openpyxl
import pytest
from defusedxml.ElementTree import fromstring
from hypothesis import given
from hypothesis import strategies as st
from uuid_utils import uuid7

from games.contract import RECORD
from service.api.recorded import recorded_game
from service.exchange import spreadsheets
from service.exchange.incoming import bgg
from service.exchange.incoming.plays import IncomingPlay
from service.exchange.spreadsheets import FORMULAS, csv_lines
from service.exchange.tables import BY_NAME, TABLES, TOGETHER, Column, Table, rows_of_game
from tests.service.conftest import Guest

if TYPE_CHECKING:
    from collections.abc import Iterator

    from projections.timeline import Entry
    from service.exchange.tables import Row
    from tests.service.conftest import Api


def rows_of(api: Api, table: str, query: str = "", **more: Any) -> list[dict[str, str]]:
    answer = api.get(f"/v1/exports/{table}.csv{query}", **more)
    assert answer.status_code == 200, answer.text
    assert answer.content_type == "text/csv; charset=utf-8; header=present"
    return list(csv.DictReader(io.StringIO(answer.data.decode(), newline="")))


def without_apostrophe(cell: str) -> str:
    return cell[1:] if cell.startswith("'") and cell[1:].startswith(FORMULAS) else cell


def score_sheet(api: Api, *names: str, title: str = "", place: str = "") -> str:
    """A finished game of UNO by two people."""
    people = [str(uuid7()) for _ in names]
    for person, name in zip(people, names, strict=True):
        api.request("PUT", f"/v1/players/{person}", json={"name": name})
    game = api.open(
        ruleset="scoresheet",
        options={"template": "uno"},
        seats=[{"player": person} for person in people],
        title=title,
        place=place,
    )
    assert api.record(game, "r1 30 0", "r2 480 0", "end").status_code == 201
    api.catch_up()
    return game


def test_tables_tell_of_a_game_what_its_answers_tell(api: Api) -> None:
    game = score_sheet(api, "Ada", "=Bob", title="-1 + 1", place="Porto")
    info = api.get(f"/v1/games/{game}").get_json()
    (row,) = rows_of(api, "games")
    assert (row["game"], row["name"], row["place"], row["status"]) == (game, "UNO", "Porto", info["status"])
    assert row["title"] == "'-1 + 1", "a text that begins as a formula is guarded"
    seats = rows_of(api, "seats")
    assert [int(seat["points"]) for seat in seats] == info["scores"]
    assert [seat["player_name"] for seat in seats] == ["Ada", "'=Bob"]
    assert [int(seat["seat"]) for seat in seats if seat["won"] == "1"] == info["outcome"]["winners"]
    lines = rows_of(api, "score_lines")
    for seat, points in enumerate(info["scores"]):
        assert sum(int(line["points"]) for line in lines if line["seat"] == str(seat)) == points
    entries = rows_of(api, "entries")
    assert [int(entry["entry"]) for entry in entries] == list(range(1, info["version"] + 1))


def test_tables_tell_what_decides_in_place_of_the_points(api: Api) -> None:
    """Go with komi: as many points as the other, or fewer, and a win all the same. The new columns come last."""
    go = api.open(ruleset="scoresheet", options={"template": "go"}, seats=[{}, {}])
    assert api.record(go, "territory 40 38", "p2 komi 6.5", "end").status_code == 201
    score_sheet(api, "Ada", "Bob")
    api.catch_up()
    info = api.get(f"/v1/games/{go}").get_json()
    deciding = {row["game"]: list(row.values())[-1] for row in rows_of(api, "games")}
    assert deciding.pop(go) == info["deciding"]["title"]["en"]
    assert list(deciding.values()) == [""]
    found = [(row["game"] == go, list(row.values())[-1]) for row in rows_of(api, "seats")]
    assert [value for of_go, value in found if of_go] == info["deciding"]["values"]
    assert {value for of_go, value in found if not of_go} == {""}


def test_all_formats_hold_the_same_rows(api: Api) -> None:
    score_sheet(api, "Ada", "Bob")
    api.play("b-d", "-", "+")
    api.catch_up()
    by_table: dict[str, list[list[Any]]] = {table.name: [] for table in TABLES}
    for line in api.get("/v1/exports/tables.ndjson").data.splitlines():
        name, *row = json.loads(line)
        by_table[name].append(row)
    book = openpyxl.load_workbook(io.BytesIO(api.get("/v1/exports/tables.xlsx").data))
    for table in TABLES:
        rows = [["" if cell is None else str(cell) for cell in row] for row in by_table[table.name]]
        assert [list(map(without_apostrophe, row.values())) for row in rows_of(api, table.name)] == rows
        head, *cells = book[table.name].iter_rows(values_only=True)
        assert list(head) == [column.name for column in table.columns]
        assert [list(row) for row in cells] == by_table[table.name]
        assert book[table.name].freeze_panes == "B2"


def test_a_table_that_is_too_long_for_a_sheet_goes_on_in_another_one(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    api.play("b-d", "-", "+")
    api.catch_up()
    whole = openpyxl.load_workbook(io.BytesIO(api.get("/v1/exports/tables.xlsx").data))
    monkeypatch.setattr(spreadsheets, "ROWS", 3)
    parted = openpyxl.load_workbook(io.BytesIO(api.get("/v1/exports/tables.xlsx").data))
    assert [name for name in parted.sheetnames if "entries" in name] == ["entries", "entries 2", "entries 3"]
    for table in TABLES:
        sheets = [sheet for sheet in parted if sheet.title.split()[0] == table.name]
        assert all(sheet.max_row <= 3 and sheet.freeze_panes == "B2" for sheet in sheets)
        head = tuple(column.name for column in table.columns)
        parts = [list(sheet.values) for sheet in sheets]
        assert all(part[0] == head for part in parts)
        assert [row for part in parts for row in part[1:]] == list(whole[table.name].values)[1:]


def test_the_entries_of_a_game_are_read_once_for_all_tables(api: Api) -> None:
    game = api.play("b-d", "-", "+")
    taken_back = {"id": str(uuid7()), "type": "entry.withdrawn", "data": {"entry": 5}}
    assert api.post(f"/v1/games/{game}/events", {"events": [taken_back]}).status_code == 201
    here = api.app.context.archive
    known = recorded_game(here, here.folds.current(game), RECORD)
    times = TOGETHER // len(list(known.entries(True))) + 2  # so that rows are handed on before the last entry
    asked = []

    def entries(effects: bool) -> Iterator[Entry]:
        asked.append(effects)
        for _ in range(times):
            yield from known.entries(effects)

    long = known._replace(entries=entries)
    found: dict[str, list[Row]] = {table.name: [] for table in TABLES}
    for table, row in rows_of_game(long, TABLES):
        found[table.name].append(row)
    assert asked == [True]
    assert found == {table.name: list(table.rows(long)) for table in TABLES}
    assert len(found["entries"]) > TOGETHER
    assert found["effects"]
    assert found["corrections"]


def test_every_key_is_unique_and_every_reference_leads_to_a_row(api: Api) -> None:
    for names in (("Ada", "Bob"), ("Cleo", "Dan")):
        score_sheet(api, *names)
    api.play("b-d", "-", "+")
    api.catch_up()
    found = {table.name: rows_of(api, table.name) for table in TABLES}
    for table in TABLES:
        keys = [tuple(row[column.name] for column in table.columns[: table.key]) for row in found[table.name]]
        assert len(set(keys)) == len(keys)
        for column in table.columns:
            if column.refers:
                there = {row[BY_NAME[column.refers].columns[0].name] for row in found[column.refers]}
                assert {row[column.name] for row in found[table.name]} - {""} <= there


def test_an_export_holds_the_games_that_are_asked_for(api: Api) -> None:
    uno, kahuna = score_sheet(api, "Ada", "Bob"), api.play("b-d")
    api.catch_up()
    days = [row["played_at"][:10] for row in rows_of(api, "games")]  # two, if midnight is between them
    ada = next(row["player"] for row in rows_of(api, "people") if row["name"] == "Ada")
    for query, games in (
        ("?ruleset=kahuna", {kahuna}),
        ("?q=ada", {uno}),
        (f"?player={ada}", {uno}),
        ("?status=finished", {uno}),
        (f"?from={min(days)}&to={max(days)}", {uno, kahuna}),
        ("?to=1999-12-31", set()),
        ("?since=2999-01-01T00:00:00Z", set()),
    ):
        assert {row["game"] for row in rows_of(api, "games", query)} == games, query


@pytest.mark.parametrize(
    ("path", "status", "problem"),
    [
        ("nothing.csv", 404, "export-unknown"),
        ("games.csv?from=yesterday", 400, "bad-request"),
        ("games.csv?player=", 400, "bad-request"),
        ("games.csv?separator=tab", 400, "bad-request"),
        ("games.csv?locale=xx", 400, "bad-request"),
        ("games.csv?locale=", 400, "bad-request"),
        ("games.csv?locale=../de", 400, "bad-request"),
    ],
)
def test_what_is_no_export_is_refused(api: Api, path: str, status: int, problem: str) -> None:
    answer = api.get(f"/v1/exports/{path}")
    assert (answer.status_code, answer.get_json()["type"]) == (status, f"/problems/{problem}")


def test_spreadsheets_of_other_countries_get_their_separator_and_mark(api: Api) -> None:
    score_sheet(api, "愛子", "Bob")
    answer = api.get("/v1/exports/people.csv?separator=semicolon&bom=true").data
    assert answer.startswith(b"\xef\xbb\xbfplayer;name\r\n")
    assert "愛子".encode() in answer


@pytest.mark.parametrize(
    ("locale", "begins", "cells"),
    [
        ("de", "game;cell;", [";-3;-3;0", ";;2,5;0"]),
        ("pt-BR", "game;cell;", [";-3;-3;0", ";;2,5;0"]),
        ("fr_FR", "game;cell;", [";-3;-3;0", ";;2,5;0"]),
        ("de-CH", "game,cell,", [",-3,-3,0", ",,2.5,0"]),
        ("ja", "game,cell,", [",-3,-3,0", ",,2.5,0"]),
        ("de&separator=comma", "game,cell,", [",-3,-3,0", ',,"2,5",0']),
    ],
)
def test_numbers_are_written_as_spreadsheets_of_a_country_read_them(
    api: Api, locale: str, begins: str, cells: list[str]
) -> None:
    sheet = {"name": "Own", "columns": [{"id": "points"}, {"id": "time", "counts": False}]}
    game = api.open(ruleset="scoresheet", seats=[{}], components=sheet)
    assert api.record(game, "points -3", "time 2.5").status_code == 201
    api.catch_up()
    lines = api.get(f"/v1/exports/cells.csv?locale={locale}").text.split("\r\n")
    assert lines[0].startswith(begins)
    assert [line[-len(end) :] for line, end in zip(lines[1:], cells, strict=False)] == cells


def test_nobody_learns_of_a_private_game_or_a_hidden_card(api: Api) -> None:
    hidden, shown = api.play("-", "+?gola", "-"), api.play("-", "+?gola", "-")
    api.show(shown)
    api.catch_up()
    assert "GOLA" in json.dumps(rows_of(api, "entries")).upper()
    stranger = Guest(api.app, "", None)
    for file in (*(f"{table.name}.csv" for table in TABLES), "tables.ndjson", "bgstats.json", "bgg.xml"):
        seen = stranger.get(f"/v1/exports/{file}")
        assert seen.status_code == 200
        assert hidden.encode() not in seen.data
        assert b"GOLA" not in seen.data.upper()
    assert {row["game"] for row in rows_of(stranger, "games")} == {shown}
    assert len(rows_of(stranger, "entries")) == len(rows_of(api, "entries")) // 2


@given(st.text(max_size=12))
def test_no_text_is_run_as_a_formula_and_all_are_read_back(text: str) -> None:
    columns = Column("a", "text", "a text"), Column("b", "integer", "a number")
    table = Table("t", "a test", columns, 1, lambda _: iter(()))
    content = b"".join(csv_lines(table, [(text, -3)]))
    head, row = csv.reader(io.StringIO(content.decode("utf-8", "surrogatepass"), newline=""))
    assert head == ["a", "b"]
    assert row[1] == "-3", "a number stays one"
    assert not row[0].startswith(FORMULAS)
    assert row[0].removeprefix("'") == text or row[0] == text


def test_a_finished_game_is_handed_to_bg_stats(api: Api) -> None:
    game = score_sheet(api, "Ada", "Bob", place="Porto")
    answer = api.get(f"/v1/games/{game}/bgstats").get_json()
    (data,) = parse_qs(urlsplit(answer["url"]).query)["data"]
    play = json.loads(data)
    assert (play["sourceName"], play["sourcePlayId"], play["location"]) == ("Kifu", game, "Porto")
    assert [(each["name"], each["score"], each["winner"]) for each in play["players"]] == [
        ("Ada", "510", True),
        ("Bob", "0", False),
    ]
    running = api.play("b-d")
    assert api.get(f"/v1/games/{running}/bgstats").get_json()["url"] is None


def test_the_file_for_bg_stats_has_every_play_once_and_ids_that_stay(api: Api) -> None:
    games = {score_sheet(api, "Ada", "Bob"), score_sheet(api, "Cleo", "Dan")}
    api.play("b-d")
    api.catch_up()
    book, again = (json.loads(api.get("/v1/exports/bgstats.json").data) for _ in range(2))
    assert book == again
    assert len(book["plays"]) == len(games)
    numbers = {kind: {each["id"] for each in book[kind]} for kind in ("players", "games", "locations")}
    for play in book["plays"]:
        assert str(UUID(play["uuid"])).upper() == play["uuid"]
        assert play["gameRefId"] in numbers["games"]
        assert {each["playerRefId"] for each in play["playerScores"]} <= numbers["players"]
        assert all(isinstance(each["score"], str) for each in play["playerScores"])


def test_the_files_for_trackers_tell_the_day_of_the_tables_clock(api: Api) -> None:
    game = api.open(
        ruleset="scoresheet", options={"template": "plain"}, seats=[{}, {}], happened_at="2026-03-29T02:30:00+09:00"
    )
    assert api.record(game, "points 3 1", "end").status_code == 201
    api.catch_up()
    (play,) = json.loads(api.get("/v1/exports/bgstats.json").data)["plays"]
    assert (play["playDateYmd"], play["playDate"]) == (20260329, "2026-03-28 17:30:00"), "the time is in UTC"
    (told,) = fromstring(api.get("/v1/exports/bgg.xml").data, forbid_dtd=True)
    assert told.get("date") == "2026-03-29"


def test_the_file_for_boardgamegeek_has_every_play_once_and_is_read_again(api: Api) -> None:
    scores = score_sheet(api, "Ada", "Bob", place="Porto \ufffe & <Co>", title='The "last"')
    guests = api.open(ruleset="scoresheet", options={"template": "uno"}, seats=[{}, {}])
    assert api.record(guests, "r1 0 30", "r2 0 480", "end").status_code == 201
    api.play("b-d")
    api.catch_up()
    content, again = (api.get("/v1/exports/bgg.xml").data for _ in range(2))
    assert content == again
    root = fromstring(content, forbid_dtd=True)
    assert (root.tag, root.get("total"), len(root)) == ("plays", "2", 2)
    assert all(len(number := each.get("id", "")) == 16 and int(number) < 2**53 for each in root)
    found = {play.place: play for each in bgg.read(content) if isinstance(play := each.item(), IncomingPlay)}
    told = found.pop("Porto \ufffd & <Co>")
    day = api.get(f"/v1/games/{scores}").get_json()["opened_at"][:10]
    assert (told.game, told.comment, (told.played_at or "")[:10]) == ("UNO", 'The "last"', day)
    assert [(each.name, each.points, each.won) for each in told.results] == [("Ada", 510, True), ("Bob", 0, False)]
    (rest,) = found.values()
    assert [(each.name, each.points, each.won) for each in rest.results] == [(None, 0, False), (None, 510, True)]


def test_every_export_is_listed_with_its_use(api: Api) -> None:
    listed = api.get("/v1/exports").get_json()["exports"]
    for each in listed:
        answer = api.get(f"/v1/exports/{each['name']}")
        assert answer.status_code == 200
        assert answer.mimetype == each["media_type"]
        assert each["purpose"]


def test_the_cells_of_a_sheet_are_a_table(api: Api) -> None:
    game = api.open(ruleset="scoresheet", options={"template": "wizard"}, seats=[{"name": name} for name in "ABC"])
    assert api.record(game, "r1 bid 1 0 ?", "r1 tricks 1 0 0").status_code == 201
    api.play("b-d")
    api.catch_up()
    found = [(row["round"], row["column"], row["seat"], row["value"], row["computed"]) for row in rows_of(api, "cells")]
    assert found[:3] == [("1", "bid", "0", "1", "0"), ("1", "bid", "1", "0", "0"), ("1", "tricks", "0", "1", "0")]
    points = {(seat, value, computed) for _, column, seat, value, computed in found if column == "points"}
    assert points == {("0", "30", "1"), ("1", "20", "1")}
    assert {row["game"] for row in rows_of(api, "cells")} == {game}


def test_the_score_of_a_game_is_a_table_where_csv_is_asked_for(api: Api) -> None:
    game = score_sheet(api, "Ada", "Bob")
    answer = api.get(f"/v1/games/{game}/score", headers={"Accept": "text/csv"})
    assert answer.content_type == "text/csv; charset=utf-8; header=present"
    assert "Accept" in answer.headers["Vary"]
    rows = list(csv.DictReader(io.StringIO(answer.data.decode(), newline="")))
    assert rows == rows_of(api, "score_lines")
    assert [sum(int(row["points"]) for row in rows if row["seat"] == seat) for seat in "01"] == [510, 0]
    earlier = api.get(f"/v1/games/{game}/score?at=2", headers={"Accept": "text/csv"})
    assert sum(int(row["points"]) for row in csv.DictReader(io.StringIO(earlier.data.decode(), newline=""))) == 30


@pytest.mark.parametrize("name", ["José O’Neill", "jose o’neill", "JOSE\N{COMBINING ACUTE ACCENT} O’NEILL"])
def test_games_are_found_by_a_whole_name_in_any_form(api: Api, name: str) -> None:
    game = score_sheet(api, "José O’Neill", "Bob")
    score_sheet(api, "José", "Bob")
    asked = f"?player={quote(name)}"
    assert [each["game"] for each in api.get(f"/v1/games{asked}").get_json()["games"]] == [game]
    assert [row["game"] for row in rows_of(api, "games", asked)] == [game]
    assert name in api.get(f"/v1/exports/report.html{asked}").text
    assert api.get("/v1/games?player=x").get_json()["games"] == []
