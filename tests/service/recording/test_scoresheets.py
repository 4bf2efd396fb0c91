"""A score sheet over the API: its template is kept with the game, and what cannot be is refused with the place."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

import pytest
from uuid_utils import uuid7

from games.scoresheet.ready import READY

pytestmark = pytest.mark.service("file")

OWN = {"name": "Own", "columns": [{"id": "a", "counts": False}, {"id": "b", "formula": "2 * a"}]}


def open_sheet(api, **more):
    return api.open(ruleset="scoresheet", seats=[{}, {}], **more)


def opened(api, game):
    return api.get(f"/v1/games/{game}/events?limit=1").get_json()["events"][0]["data"]


@pytest.mark.slow
def test_a_ready_template_is_kept_with_the_game(api):
    for name, template in READY.items():
        game = open_sheet(api, options={"template": name})
        assert opened(api, game)["components"] == template


def test_an_option_of_a_template_is_kept_with_the_game(api):
    game = open_sheet(api, options={"template": "golf+countback"})
    assert opened(api, game)["components"] == READY["golf"] | {"chosen": ["countback"]}
    info = api.get(f"/v1/games/{game}").get_json()
    assert info["options"] == {"template": "golf+countback"}
    body = {"id": str(uuid7()), "ruleset": "scoresheet", "seats": [{}], "options": {"template": "golf+minus"}}
    assert api.post("/v1/games", body).status_code == 400


def test_what_cannot_be_is_asked_about_in_the_reader_s_language_and_recorded_all_the_same(api):
    game = api.open(ruleset="scoresheet", seats=[{}] * 4, options={"template": "tichu"})
    answer = api.record(game, "r1 150 150", headers={"Accept-Language": "ja"})
    assert (answer.status_code, answer.get_json()["rule"]) == (422, "scoresheet:CHECK-1")
    assert answer.get_json()["detail"] == "1ディールは合計100点（ダブルビクトリーは200対0）ですが、300点です"
    entry = {"move": "r1 150 150", "override": {"reason": "counted so"}}
    body = {"events": [{"id": str(uuid7()), "type": "move.made", "data": entry}]}
    assert api.post(f"/v1/games/{game}/events", body).status_code == 201
    assert api.get(f"/v1/games/{game}").get_json()["irregular"] == {"2": ["scoresheet:CHECK-1"]}


@pytest.mark.parametrize(
    ("template", "move", "why"),
    [
        ("yahtzee", "ones 6 4", "1の目: 6 は 5 より大きい値です"),
        ("kingdomino", "end", "p1 領地（マス×王冠） が空いています"),
        ("phase_10", "r1 7 5", "フェーズ達成: 7 は yes（はい）、no（いいえ） のどれでもありません"),
        ("skat", "r3 dealer p1 off", "先にラウンド 1 があります"),
        ("skat", "r1 dealer p2 off", "p2はディーラーを持っていません"),
    ],
)
def test_a_refusal_names_columns_and_markers_as_its_reader_calls_them(api, template, move, why):
    game = open_sheet(api, options={"template": template})
    assert api.record(game, move, headers={"Accept-Language": "ja"}).get_json()["detail"] == why


@pytest.mark.parametrize(
    ("template", "move", "why"),
    [
        ("catan", "p1 road maybe", "最長交易路: ここには yes（はい）、no（いいえ） のいずれかが入ります"),
        ("catan", "p1 settlements", "開拓地: ここには数が入ります"),
        ("catan", "c 3", "次のどれにも読めます: cities（都市の数）、cards（勝利点カード）"),
        ("catan", "settlements 1 2 3", "開拓地: この行の値は 2 個ですが、1つ多くあります"),
        ("kingdomino", "end soon", "ここで終わるか、early、nobody のどれかが必要です"),
    ],
)
def test_notation_that_cannot_be_read_names_columns_as_its_reader_calls_them(api, template, move, why):
    game = open_sheet(api, options={"template": template})
    assert api.record(game, move, headers={"Accept-Language": "ja"}).get_json()["detail"].endswith(f"文字目: {why}")


def test_a_line_of_text_that_cannot_be_read_names_columns_as_its_reader_calls_them(api):
    game = open_sheet(api, options={"template": "catan"})
    text = api.get(f"/v1/games/{game}/export", headers={"Accept": "text/plain"}).text + "\np1 road maybe\n"
    sent = {"data": text, "content_type": "text/plain", "headers": {"Accept-Language": "ja"}}
    detail = api.request("POST", "/v1/imports", **sent).get_json()["detail"]
    why = "最長交易路: ここには yes（はい）、no（いいえ） のいずれかが入ります"
    assert re.fullmatch(rf"\d+ 行目: 'p1 road maybe' の 9 文字目: {why}", detail), detail


@pytest.mark.parametrize("time", ["2019-02-30T10:00:00Z", "2019-02-28T24:30:00+09:00"])
def test_a_day_or_time_that_there_is_not_is_refused(api, time):
    body = {"id": str(uuid7()), "ruleset": "scoresheet", "seats": [{}], "happened_at": time}
    (error,) = api.post("/v1/games", body, headers={"Accept-Language": "ja"}).get_json()["errors"]
    assert error == {"field": "happened_at", "message": f"そのような日付や時刻はありません: {time}"}


def test_a_day_of_play_later_than_tomorrow_is_refused(api):
    tomorrow = datetime.now(UTC) + timedelta(days=1)
    assert open_sheet(api, happened_at=tomorrow.isoformat())
    later = tomorrow + timedelta(days=2)
    body = {"id": str(uuid7()), "ruleset": "scoresheet", "seats": [{}], "happened_at": later.isoformat()}
    (error,) = api.post("/v1/games", body, headers={"Accept-Language": "ja"}).get_json()["errors"]
    why = f"{later.date()} は明日より後の日です。ゲームをした日を入力してください"
    assert error == {"field": "happened_at", "message": why}
    assert api.get(f"/v1/games/{body['id']}").status_code == 404


@pytest.mark.service("test")
def test_games_of_a_sheet_are_found_by_its_name_in_any_width_case_and_blanks(api):
    template = {"name": "Ticket  to Ride", "ja": "チケット・トゥ・ライド", "columns": [{"id": "points"}]}
    game = open_sheet(api, components=template)
    open_sheet(api, title="Ticket to Ride")
    api.catch_up()
    for name in ("Ticket to Ride", " TICKET  to ride", "Ｔｉｃｋｅｔ　ｔｏ　Ｒｉｄｅ", "ﾁｹｯﾄ・ﾄｩ・ﾗｲﾄﾞ"):
        found = api.get("/v1/games", query_string={"name": name}).get_json()["games"]
        assert [listed["game"] for listed in found] == [game], name


def test_a_game_is_stopped_early_and_is_neither_irregular_nor_abandoned(api):
    game = open_sheet(api, options={"template": "catan"})
    assert api.record(game, "settlements 3 4", "end early").status_code == 201
    info = api.get(f"/v1/games/{game}").get_json()
    assert (info["status"], info["outcome"]["reason"], info["outcome"]["winners"]) == ("finished", "stopped", [1])
    assert info["irregular"] == {}


def test_what_decides_stands_beside_scores_that_do_not(api):
    game = open_sheet(api, options={"template": "go"})
    api.record(game, "territory 40 38", "p2 komi 6.5", "end")
    decides = {"title": {"en": "with komi", "ja": "コミ込み"}, "values": ["40", "44.5"]}
    info = api.get(f"/v1/games/{game}").get_json()
    assert (info["scores"], info["deciding"], info["outcome"]["winners"]) == ([40, 44], decides, [1])
    assert api.get(f"/v1/games/{game}/state").get_json()["deciding"] == decides
    api.catch_up()
    (listed,) = [one for one in api.get("/v1/games").get_json()["games"] if one["game"] == game]
    assert listed["deciding"] == decides


def test_who_deals_stands_in_the_game_the_list_the_embedded_page_and_the_picture(api):
    game = api.open(ruleset="scoresheet", seats=[{"name": "Aiko"}, {"name": "Ben"}, {}], options={"template": "skat"})
    api.record(game, "r1 18 0 0")
    deals = [{"title": {"en": "dealer", "ja": "ディーラー"}, "seats": [1]}]
    assert api.get(f"/v1/games/{game}").get_json()["markers"] == deals
    api.catch_up()
    (listed,) = [one for one in api.get("/v1/games").get_json()["games"] if one["game"] == game]
    assert listed["markers"] == deals
    for page in ("/", f"/embed/games/{game}"):
        assert re.search(r'Ben</bdi> <small class="marker">dealer</small>', api.get(page).text), page
        japanese = api.get(page, headers={"Accept-Language": "ja"}).text
        assert 'Ben</bdi> <small class="marker">ディーラー</small>' in japanese
    board = api.get(f"/v1/games/{game}/board.svg")
    assert board.text.count(">dealer</text>") == 1
    api.record(game, "end early")
    api.catch_up()
    (listed,) = [one for one in api.get("/v1/games").get_json()["games"] if one["game"] == game]
    assert (listed["markers"], api.get(f"/v1/games/{game}").get_json()["markers"]) == ([], [])
    assert ">dealer</text>" not in api.get(f"/v1/games/{game}/board.svg").text


def test_a_template_names_its_sources_and_options(api):
    (spades,) = api.get("/v1/templates?q=spades").get_json()["templates"]
    assert spades["sources"][0]["title"] == "Naibi, a reference of card games"
    title = {"en": "ends at -200, too", "ja": "−200点でも終了"}
    assert spades["options"] == [{"id": "minus", "title": title, "group": None}]
    (trains,) = [one for one in api.get("/v1/templates?q=Ticket").get_json()["templates"] if len(one["options"]) > 1]
    assert {option["group"] for option in trains["options"]} == {"map"}
    (plain,) = api.get("/v1/templates?q=Plain points").get_json()["templates"]
    assert (plain["sources"], plain["options"]) == ([], [])


def test_a_later_change_of_a_ready_template_changes_no_recorded_game(api, monkeypatch):
    body = {"id": str(uuid7()), "ruleset": "scoresheet", "options": {"template": "golf"}, "seats": [{}]}
    first = api.post("/v1/games", body)
    monkeypatch.setitem(READY, "golf", READY["plain"])
    assert api.post("/v1/games", body).get_json() == first.get_json()
    state = api.get(f"/v1/games/{body['id']}/state").get_json()["state"]
    assert state["template"] == "Golf"


def test_a_text_export_carries_its_template_and_is_imported_with_it(api, monkeypatch):
    game = open_sheet(api, options={"template": "golf"})
    assert api.record(game, "r1 3 4").status_code == 201
    text = api.get(f"/v1/games/{game}/export?format=text").data
    monkeypatch.setitem(READY, "golf", READY["plain"])
    headers = {"Content-Type": "text/plain"}
    answer = api.post(f"/v1/imports?id={uuid7()}", data=text, headers=headers)
    assert answer.status_code == 201, answer.text
    assert api.get(f"/v1/games/{answer.get_json()['game']}/state").get_json()["state"]["template"] == "Golf"


def test_a_template_of_ones_own_computes_and_audits(api):
    game = open_sheet(api, components=OWN)
    assert api.record(game, "a 3 5").get_json()["entries"][0]["scores"] == [6, 10]
    lines = api.get(f"/v1/games/{game}/score").get_json()["lines"]
    assert [(line["points"], line["version"], line["note"]) for line in lines] == [
        (6, 2, "b = 2 * a with a 3"),
        (10, 2, "b = 2 * a with a 5"),
    ]


def test_a_bad_formula_is_refused_with_its_place_and_nothing_is_stored(api):
    body = {"id": str(uuid7()), "ruleset": "scoresheet", "seats": [{}]}
    body["components"] = OWN | {"columns": [*OWN["columns"], {"id": "c", "formula": "a + b ** 9"}]}
    for query in ("", "?dry_run=true"):
        answer = api.post(f"/v1/games{query}", body)
        assert answer.status_code == 400
        (error,) = answer.get_json()["errors"]
        assert error["field"] == "components.columns[2].formula"
        assert "a power is not allowed here, at character 5" in error["message"]
    assert api.get(f"/v1/games/{body['id']}").status_code == 404


@pytest.mark.parametrize("components", [{}, {"name": "x"}, {"columns": []}, {"name": "x", "columns": [{"id": 3}]}])
def test_what_is_no_template_is_refused(api, components):
    answer = api.post("/v1/games", {"id": str(uuid7()), "ruleset": "scoresheet", "components": components})
    assert (answer.status_code, answer.get_json()["type"]) == (400, "/problems/bad-opening")


def test_round_2_is_withdrawn_in_round_7_and_the_sheet_adds_up_again(api):
    game = open_sheet(api, options={"template": "rounds"})
    assert api.record(game, *(f"r{number} {number} 10" for number in range(1, 8))).status_code == 201
    answer = api.record(game, "r2 20 ?")
    assert answer.get_json()["entries"][0]["scores"] == [46, 70]
    undone = api.post(f"/v1/games/{game}/events", {"events": [_withdrawal(9)]})
    assert undone.get_json()["entries"][0]["scores"] == [28, 70]


def _withdrawal(entry):
    return {"id": str(uuid7()), "type": "entry.withdrawn", "data": {"entry": entry}}


def test_waiting_lines_name_the_players_of_their_blanks(api):
    game = open_sheet(api, options={"template": "win_loss_draw"})
    (line,) = api.get(f"/v1/games/{game}/moves").get_json()["moves"]
    assert line["notation"] == "result ? ?"
    words = ["win", "draw", "loss"]
    assert line["blanks"] == [{"seat": 0, "choices": words}, {"seat": 1, "choices": words}]


def test_a_marker_is_in_the_state_and_its_entry_can_be_corrected(api):
    game = api.open(ruleset="scoresheet", seats=[{}] * 3, options={"template": "skat"})
    dealer = {"en": "dealer", "ja": "ディーラー"}
    assert markers(api, game) == [{"title": dealer, "seats": [0]}]
    assert api.record(game, "r1 24 0 0").status_code == 201
    assert markers(api, game) == [{"title": dealer, "seats": [1]}]
    answer = api.record(game, "dealer p3", headers={"Accept-Language": "ja"}).get_json()
    (entry,) = answer["entries"]
    assert (entry["notation"], entry["effects"][0]["text"]) == ("r2 dealer p3", "ディーラー：プレイヤー3")
    assert markers(api, game) == [{"title": dealer, "seats": [2]}]
    api.post(f"/v1/games/{game}/events", {"events": [_withdrawal(3)]})
    assert markers(api, game) == [{"title": dealer, "seats": [1]}]
    text = api.get(f"/v1/games/{game}/state", headers={"Accept-Language": "ja"}).get_json()["tables"][1]
    assert (text["caption"], text["rows"]) == ("目印", [["ディーラー", "p2"]])


def markers(api, game):
    return api.get(f"/v1/games/{game}/state").get_json()["markers"]
