"""Every ruleset tells in rows and columns what lies where, and no more than may be known from there."""

from __future__ import annotations

import pytest

from games import transcript
from games.contract import PUBLIC, RECORD
from games.rulesets import SHIPPED
from games.tables import Table, tables_of
from tests import goldens

HIDDEN = "not known"


def named(tables: list[Table]) -> dict[str, list[list[str]]]:
    """The rows of tables by their captions, the head first."""
    return {str(table.caption): [list(table.columns), *map(list, table.rows)] for table in tables}


def row(tables: list[Table], caption: str, about: str) -> dict[str, str]:
    """A row of a table, by what stands in the head."""
    (table,) = (table for table in tables if table.caption == caption)
    (found,) = (row for row in table.rows if row[0] == about)
    return dict(zip(table.columns, found, strict=True))


def after(ruleset: str, name: str, entries: int) -> list[Table]:
    """The tables of a recorded game after so many entries."""
    rules = SHIPPED[ruleset]
    (game,) = transcript.read(goldens.cut(ruleset, name, entries))
    return list(transcript.replay(rules, game))[-1].state.tables()


@pytest.mark.parametrize("name", ["kahuna", "verraeter", "manapani", "catan_cards"])
@pytest.mark.slow
def test_hidden_cards_are_counted_and_not_named_from_elsewhere(name: str) -> None:
    rules = SHIPPED[name]
    states = (step.state for game in goldens.games(rules).values() for step in transcript.replay(rules, game))
    looks = ((state.view(RECORD).tables(), state.view(PUBLIC).tables()) for state in states)
    known, seen = next((known, seen) for known, seen in looks if known != seen)
    differing = [told for told, shown in zip(_cells(seen), _cells(known), strict=True) if told != shown]
    assert all(HIDDEN in told or told == "chosen, face down" for told in differing)


def _cells(tables: list[Table]) -> list[str]:
    return [cell for table in tables for cells in table.rows for cell in cells]


def test_kahuna_tells_of_each_island_its_owner_and_where_the_bridges_lead():
    state = SHIPPED["kahuna"].open({}, None, 2)
    for line in ("deal black BARI COCO DUDA / ALOA HUNA ? / ? ? ?", "a-b", "h-a", "+c/e"):
        state.apply(state.parse(line))
    tables = state.tables()
    island = row(tables, "Islands, and where their bridges lead", "ALOA")
    assert island == {
        "Island": "ALOA",
        "Owner": "black",
        "Bridges of black": "BARI, HUNA",
        "Bridges of white": "none",
        "Free spaces": "DUDA",
    }
    black = row(tables, "Players", "black")
    assert (black["Islands"], black["Bridges left"], black["Hand"]) == ("1", "23", "COCO, 1 not known")
    assert row(tables, "Cards", "Row")["Cards"] == "BARI, ELAI, DUDA"
    assert row(tables, "Cards", "Deck")["Cards"] == "14"


def test_verraeter_tells_the_circle_the_houses_and_the_roles():
    state = SHIPPED["verraeter"].open({}, None, 4)
    game = goldens.games(SHIPPED["verraeter"])["four_players"]
    for step in game.entries[:7]:
        state.apply(state.parse(step.text))
    tables = state.tables()
    lands = "The circle of lands, clockwise"
    assert row(tables, lands, "2 Village") | {"Strength": ""} == {
        "Land": "2 Village",
        "House": "Rose",
        "Strength": "",
        "Card under it": "estate of player 1",
        "Conflict": "none",
    }
    assert row(tables, lands, "11 River")["Conflict"] == row(tables, lands, "12 River")["Conflict"] == "here"
    first, second = (row(tables, "Players", f"player {number}") for number in (1, 2))
    assert (first["House"], first["Role"], second["Role"]) == ("Eagle", "start player", "strategy card")
    assert {head["House"] for head in ({"House": cells[0]} for cells in named(tables)["Conflict"][1:])} == {
        "Eagle",
        "Rose",
    }


def test_manapani_tells_the_places_in_order_with_owners_and_who_stands_there():
    tables = after("manapani", "two_players", 60)
    places = named(tables)["Places in the direction of play"][1:]
    assert [place[0] for place in places] == [str(number) for number in range(len(places))]
    assert any(place[2].startswith("player") and place[3].isdigit() for place in places)
    standing = [place[4] for place in places if place[4] != "none"]
    assert sorted(", ".join(standing).split(", ")) == ["player 1", "player 2"]


def test_the_card_game_tells_each_principality_by_rows_and_columns():
    tables = after("catan_cards", "buildings", 15)
    own = row(tables, "Principality of player 1", "The line")
    assert {own["column l"], own["column m"], own["column n"]} == {"settlement", "road"}
    above = row(tables, "Principality of player 1", "Above the line")
    assert above["column k"] == "gold 6, stock 0" or "stock" in above["column k"]
    assert above["column n"] == "Sawmill"
    assert [cells[0] for cells in named(tables)["Stacks, and what is left to build"][1:6]] == [
        f"stack {number}" for number in range(1, 6)
    ]
    assert row(tables, "Players", "player 1")["Cards in hand"].endswith(" of 3")


def test_a_sheet_is_told_with_its_totals():
    tables = after("scoresheet", "wizard", 12)
    totals = tables[0].rows[-1]
    assert totals[0] == "Total"
    assert all(cell.lstrip("-").isdigit() for cell in totals[1:])


def test_a_state_without_tables_of_its_own_is_told_as_one():
    described = {
        "round": 2,
        "due": None,
        "islands": {"ALOA": {"holder": 0}},
        "row": ["BARI", None],
        "hands": [{"n": 1}],
    }
    (table,) = tables_of(described)
    assert [*map(list, table.rows)] == [
        ["round", "2"],
        ["due", "none"],
        ["islands, ALOA, holder", "0"],
        ["row", "BARI, none"],
        ["hands 1, n", "1"],
    ]
