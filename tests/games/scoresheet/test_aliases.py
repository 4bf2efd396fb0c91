"""A sheet is found by what people call its game, in any script."""

from __future__ import annotations

from collections import defaultdict

from games.scoresheet.ready import READY
from games.scoresheet.search import rank
from tests.cases import cases

CALLED = {
    "ウノ": "uno",
    "うの": "uno",
    "우노": "uno",
    "Kniffel": "yahtzee",
    "Yatzy": "yatzy",
    "Generala": "generala",
    "ヤッツィー": "yahtzee",
    "Die Siedler von Catan": "catan",
    "los colonos de catan": "catan",
    "カルカソンヌ": "carcassonne",
    "卡卡頌": "carcassonne",
    "Zug um Zug": "ticket_to_ride",
    "Flügelschlag": "wingspan",
    "fluegelschlag": None,
    "Шахматы": "chess",
    "Échecs": "chess",
    "echecs": "chess",
    "Xadrez": "chess",
    "围棋": "go",
    "바둑": "go",
    "Matraquilhos": "table_football",
    "Tenis de mesa": "table_tennis",
    "拉密": "rummikub",
    "캐스캐디아": "cascadia",
    "Конкордия": "concordia",
    "巫師牌": "wizard",
    "着順": "ranking",
    "チーム戦": "teams",
}


@cases("called", CALLED)
def test_a_sheet_is_found_by_its_names_in_other_languages(called):
    found = {name for name, data in READY.items() if rank(called, names(data)) == 0}
    assert found == ({CALLED[called]} if CALLED[called] else set())


def test_two_sheets_share_a_name_only_if_they_are_kinds_of_one_game():
    sheets = defaultdict(set)
    for name, data in READY.items():
        for called in names(data):
            sheets[called.casefold()].add(name)
    shared = {called: found for called, found in sheets.items() if len(found) > 1}
    assert all(found == {"mahjong_chinese", "mahjong_riichi"} for found in shared.values()), shared


def names(data):
    return [data["name"], data["ja"], *data.get("aliases", ())]
