"""Figures are rounded alike in pages and in commands. `figures.test.mjs` has the same examples."""

from __future__ import annotations

import json
from pathlib import Path

from projections.analyses.refining import Chances
from projections.analyses.rounding import rounded
from projections.analyses.worth import WinChanceShift
from service.api.figures import odds_text, parts_of_hundred, percent, tenths
from service.api.reviewing import amount_text, chance_text, points_text
from tests.cases import cases

EXAMPLES = json.loads((Path(__file__).parents[1] / "pages" / "scripts" / "figures.json").read_text("utf-8"))


@cases(("figure", "whole"), EXAMPLES["whole"])
def test_a_figure_is_rounded_as_in_pages(figure: float, whole: float) -> None:
    assert (rounded(figure), str(rounded(figure))) == (whole, str(float(whole)))


@cases(("share", "whole"), EXAMPLES["percent"])
def test_a_share_is_rounded_as_in_pages(share: float, whole: float) -> None:
    assert percent(share) == str(whole)


@cases(("figure", "tenth"), EXAMPLES["tenths"])
def test_a_figure_with_a_decimal_place_is_rounded_as_in_pages(figure: float, tenth: float) -> None:
    assert (rounded(figure, 1), tenths(figure)) == (tenth, f"{tenth:.1f}")


def test_sentences_round_halves_as_pages_do() -> None:
    assert chance_text(Chances(0.125, 0.105, 0.145)) == "13 % (11 to 15)"
    assert chance_text(Chances(1.0, 1.0, 1.0)) == "100 %", "nothing was simulated: there is no interval"
    assert points_text(WinChanceShift(-0.125, 0.045)) == "−13 ± 5 points"
    assert points_text(WinChanceShift(0.125, 0.045)) == "+13 ± 5 points"
    assert points_text(WinChanceShift(-0.004, 0.045)) == "0 ± 5 points"
    assert amount_text(WinChanceShift(-0.125, 0.025)) == "13 ± 3 points"


@cases(("chances", "text"), EXAMPLES["chances"])
def test_0_and_100_are_told_of_what_is_certain_alone(chances: list[float], text: str) -> None:
    assert chance_text(Chances(*chances)) == text


@cases(("share", "text"), EXAMPLES["odds"])
def test_odds_of_what_can_come_are_not_told_as_nothing(share: float, text: str) -> None:
    assert odds_text(share) == text


@cases(("p", "margin", "text", "certain"), EXAMPLES["worths"])
def test_a_worth_is_certain_as_it_is_told(p: float, margin: float, text: str, certain: bool) -> None:
    worth = WinChanceShift(p, margin)
    assert (amount_text(worth), worth.is_certain) == (f"{text} points", certain)


@cases(("shares", "parts"), EXAMPLES["shares"])
def test_shares_of_a_whole_are_100_together(shares: list[float], parts: list[int]) -> None:
    assert parts_of_hundred(shares) == list(map(str, parts))
