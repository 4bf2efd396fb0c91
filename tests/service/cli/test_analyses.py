"""Analyses on the command line, which works on the data folder by itself: no workers are there."""

from __future__ import annotations

import csv
import json
import re

import pytest

from tests.service.cli.conftest import MOVES


@pytest.fixture
def game(kifu) -> str:
    found = kifu("open", "kahuna", "--black", "Anna", "--white", "Ben").strip()
    kifu("record", found, "-", stdin=MOVES)
    return found


def table(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(text.splitlines()))


def test_the_timeline_is_told_in_words(kifu):
    game = kifu("open", "scoresheet", "--option", "template=rounds", "--seat", "Anna", "--seat", "Ben").strip()
    kifu("record", game, "-", stdin="1 7\n9 2\nend\n")
    told = kifu("analyse", game)
    assert "timeline of version 4, seen from: record" in told
    assert "The lead changed 2 times." in told
    assert "No winner was behind since entry 3." in told
    assert "Anna was behind by 6 at entry 2, and won." in told
    assert [row["leaders"] for row in table(kifu("analyse", game, "--csv"))] == ["0 1", "1", "0"]


def test_luck_is_told_with_n_expectation_and_what_is_left_out(kifu, game):
    told = kifu("analyse", game, "--kind", "luck-counts", "--seat", "public")
    assert "are left out, as nobody noted what came." in told
    assert "cards laid into the row" in told
    (bari,) = (
        row
        for row in table(kifu("analyse", game, "--kind", "luck-counts", "--csv"))
        if (row["kind"], row["what"]) == ("row", "BARI")
    )
    assert (bari["seat"], bari["n"], bari["got"]) == ("", "4", "1")
    assert 0 < float(bari["expected"]) < 1


def test_the_win_line_is_drawn_with_its_interval_its_n_and_who_played(kifu, game):
    told = kifu("analyse", game, "--kind", "win-line", "--set", "games=100", "--set", "precision=20")
    assert "games played on" in told
    assert "'islands first' (1)" in told
    assert "Anna" in told
    assert ", n = " in told
    assert set(told) & set("▁▂▃▄▅▆▇█")
    rows = table(kifu("analyse", game, "--kind", "win-line", "--set", "games=100", "--set", "precision=20", "--csv"))
    assert {row["seat"] for row in rows} == {"0", "1"}
    assert all(float(row["low"]) <= float(row["p"]) <= float(row["high"]) for row in rows)


def test_the_same_analysis_is_there_at_once_and_prints_as_the_service_answers_it(kifu, game):
    first, again = (json.loads(kifu("analyse", game, "--kind", "snapshot", "--json")) for _ in range(2))
    assert first == again
    assert (first["status"], first["result"]["scores"]) == ("done", [0, 0])
    assert "Scores: 0:0" in kifu("analyse", game, "--kind", "snapshot")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--set", "games"], "write it as NAME=NUMBER"),
        (["--kind", "tea-leaves"], "'tea-leaves' is not one of"),
        (["--set", "depth=3"], "timeline has no parameters"),
        (["--kind", "win-line", "--set", "precision=0"], "not from 1 to 20"),
    ],
)
def test_what_cannot_be_analysed_so_is_said_in_a_sentence(kifu, game, arguments, said):
    result = kifu.run("analyse", game, *arguments)
    assert result.exit_code != 0
    assert said in result.output


def test_what_luck_was_worth_is_told_with_its_margin_and_by_how_many_games(kifu, game):
    how = ("--kind", "luck-value", "--set", "games=400", "--set", "precision=30")
    told = kifu("analyse", game, *how)
    assert re.search(r"[+-]\d+ ± \d+ points of winning chance to Anna", told)
    assert "more events are left out" in told
    assert "'islands first' (1)" in told
    rows = table(kifu("analyse", game, *how, "--csv"))
    assert {row["seat"] for row in rows} == {"0", "1"}
    assert sum(float(row["worth"]) for row in rows) == pytest.approx(0, abs=0.01)
