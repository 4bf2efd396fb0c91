"""Drawings for a terminal tell everything by their characters, and fit on one."""

from __future__ import annotations

import random

import pytest

from games.contract import PUBLIC
from games.playout import playout
from games.rulesets import RULESETS
from games.sketch import COLUMNS, Canvas, Span, as_text, sketch_of


@pytest.mark.slow
def test_every_state_of_a_game_can_be_drawn_on_a_terminal(ruleset):
    state = ruleset.open({}, None, ruleset.seats[0])
    for _ in playout(state, random.Random(1)):
        lines = as_text(state.view(PUBLIC).sketch()).splitlines()
        assert 0 < len(lines) <= 40
        assert max(map(len, lines)) <= COLUMNS


def test_kahuna_draws_every_bridge_stone_and_card():
    kahuna = RULESETS["kahuna"]
    state = kahuna.open({}, None, 2)
    for line in ("deal black BARI COCO DUDA / ALOA HUNA ? / ? ? ?", "a-b", "h-a", "+c/e"):
        state.apply(state.parse(line))
    assert as_text(state.sketch()) == BOARD


BOARD = """\
  ■ALOA ● ● ● ●  ● ● ● ●  BARI · · · · · ·
     ●· ·                ·  ·  ·            · · · · · ·  COCO
     ●    ·         ·  ·    ·    ·  · ·             · ·  ··
      ●     · ·   ·         ·           ·       · ·     · ·
      ●        DUDA          ·             FAAA       ·   ·
       ●       ·    · · · ·   ·   · · · ·  ·  ·      ·    ·
        ●     ·              ELAI         ·      ·  ·     ·
        ●    ·          · ·   ·   ·  ·    ·    ·  GOLA    ·
         ●  ·     · · ·      ·          JOJO ·      ·      ·
         ● ·  · ·            ·       ·     · ·        ·    ·
         HUNA · · ·         · · · ·            · ·     ·   ·
            · ·     · · ·  IFFI · ·                · ·  ·  ·
                · ·         ·       · · · ·  · · · ·   · ···
                     · ·    ·                        · ·  KAHU
                         · · ·       · · · · · · · ·
                            LALE · ·
Round 1, white to move
Row    BARI ELAI DUDA  Deck 14
Black  ● 2  ■ 1   Hand COCO ?
White  ○ 0  □ 0   Hand ? ? ?
"""


def test_a_long_list_of_a_described_state_goes_on_in_the_next_line():
    """A ruleset without a drawing of its own has one from its description: a long game makes a long pile."""
    pile = ["ant", "bee", "cat"] * 12
    lines = as_text(sketch_of({"deck": 3, "table": {"the pile": pile}})).splitlines()
    assert max(map(len, lines)) <= COLUMNS
    assert lines[:2] == ["deck   3", "table"]
    assert {line[:12].strip() for line in lines[3:]} == {""}
    assert "".join(line[12:] for line in lines[2:]).replace(" ", "") == ",".join(pile)


def test_what_lies_over_something_hides_it():
    canvas = Canvas()
    canvas.connect((0, 0), (0, 8), "·", "faint")
    canvas.write(0, 2, "AB", 1)
    dot, blank = Span("·", "faint"), Span(" ")
    assert canvas.sketch() == [[Span("  "), Span("AB", 1), dot, blank, dot]]


def test_an_empty_sheet_has_no_lines():
    assert Canvas().sketch() == []


def test_a_state_without_a_drawing_is_outlined():
    described = {"round": 2, "must_draw": True, "row": ["BARI", None], "islands": {"ALOA": {"holder": 0}}, "log": {}}
    assert as_text(sketch_of(described)) == OUTLINE


OUTLINE = """\
round      2
must_draw  yes
row        BARI, -
islands
  ALOA
    holder  0
log        -
"""
