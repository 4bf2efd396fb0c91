"""Typing moves: short forms, other keyboards, and mistakes that are pointed at."""

from __future__ import annotations

import re

import pytest

from games.errors import NotationError
from games.kahuna import KAHUNA
from games.kahuna.moves import Build, Deal, Decline, Discard, Draw, Remove, Row, Show, Take
from tests.cases import cases

READ = {
    "BARI-DUDA": Build(seat=0, card="BARI", line="BARI-DUDA"),
    "duda-bari": Build(seat=0, card="DUDA", line="BARI-DUDA"),
    "b-d": Build(seat=0, card="BARI", line="BARI-DUDA"),
    "d-b": Build(seat=0, card="DUDA", line="BARI-DUDA"),
    " Ba - Du ": Build(seat=0, card="BARI", line="BARI-DUDA"),
    "b-d (c)": Build(seat=0, card="COCO", line="BARI-DUDA"),
    "b-d c": Build(seat=0, card="COCO", line="BARI-DUDA"),
    "x HUNA-ELAI (HUNA HUNA)": Remove(seat=0, cards=("HUNA", "HUNA"), line="ELAI-HUNA"),
    "x h-e hh": Remove(seat=0, cards=("HUNA", "HUNA"), line="ELAI-HUNA"),
    "x h-e h e": Remove(seat=0, cards=("HUNA", "ELAI"), line="ELAI-HUNA"),
    "x e-h (he)": Remove(seat=0, cards=("HUNA", "ELAI"), line="ELAI-HUNA"),
    "x b-a ba": Remove(seat=0, cards=("BARI", "ALOA"), line="ALOA-BARI"),
    "X H-E EH": Remove(seat=0, cards=("ELAI", "HUNA"), line="ELAI-HUNA"),
    "d2": Discard(seat=0, count=2),
    "d 2": Discard(seat=0, count=2),
    "d b ?": Discard(seat=0, count=2, cards=("BARI",)),
    "d ba": Discard(seat=0, count=1, cards=("BARI",)),
    "+": Draw(seat=0),
    "+?b": Draw(seat=0, card="BARI"),
    "+c": Take(seat=0, card="COCO"),
    "+c/b": Take(seat=0, card="COCO", refill="BARI"),
    "+c/": Take(seat=0, card="COCO"),
    "+/b": Take(seat=0, refill="BARI"),
    "+/": Take(seat=0),
    "-": Decline(seat=0),
    "show b c": Show(seat=0, cards=("BARI", "COCO")),
    "row b ? d": Row(cards=("BARI", None, "DUDA")),
    "row b?d": Row(cards=("BARI", None, "DUDA")),
    "row bcd": Row(cards=("BARI", "COCO", "DUDA")),
    "deal black": Deal(starts=0),
    "deal w bcd": Deal(starts=1, row=("BARI", "COCO", "DUDA")),
    "deal w bcd / a?a / ???": Deal(starts=1, row=("BARI", "COCO", "DUDA"), hands=(("ALOA", "ALOA"), ())),
    "white: b-d": Build(seat=1, card="BARI", line="BARI-DUDA"),
    "w:+": Draw(seat=1),
    "白:+": Draw(seat=1),
}


@cases("text", READ)
def test_a_typed_move_is_read(table, text):
    t = table(row="BARI COCO DUDA")
    assert t.state.parse(text) == READ[text]


@cases("text", ["BARIーDUDA", "BARI−DUDA", "BARI–DUDA", "BARI‐DUDA"])
def test_any_dash_will_do(table, text):
    assert table().state.parse(text) == READ["BARI-DUDA"]


@cases(
    ("text", "written"),
    [
        ("d-b", "DUDA-BARI"),
        ("b-d c", "BARI-DUDA (COCO)"),
        ("x h-e he", "x ELAI-HUNA (HUNA ELAI)"),
        ("d 3", "d3"),
        ("d ? b", "d BARI ?"),
        ("+c/", "+COCO"),
        ("+ / b", "+/BARI"),
        ("+? b", "+?BARI"),
        ("b:b-d", "BARI-DUDA"),
        ("w:b-d", "white: BARI-DUDA"),
        ("deal b ???", "deal black"),
        ("deal b ??? / bc? / ???", "deal black ? ? ? / BARI COCO ? / ? ? ?"),
    ],
)
def test_there_is_one_canonical_form(table, text, written):
    t = table(row="BARI COCO DUDA")
    assert t.state.notation(t.state.parse(text)) == written


def test_the_pair_can_be_left_out_where_only_one_fits(table):
    t = table(white="ELAI-HUNA", hands=("HUNA ELAI BARI", "?"))
    assert t.state.parse("x h-e") == Remove(seat=0, cards=("ELAI", "HUNA"), line="ELAI-HUNA")


def test_the_pair_is_asked_for_where_several_fit(table):
    t = table(white="ELAI-HUNA", hands=("HUNA ELAI ELAI", "?"))
    with pytest.raises(NotationError, match="say which 2 cards were played: ELAI ELAI / ELAI HUNA, at character 6"):
        t.state.parse("x h-e")


def test_the_pair_is_asked_for_where_none_fits(table):
    t = table(white="ELAI-HUNA", hands=("BARI", "?"))
    with pytest.raises(NotationError, match="ELAI ELAI / ELAI HUNA / HUNA HUNA"):
        t.state.parse("x h-e")


WRONG = [
    ("BARI-LALE", 5, "no line joins BARI and LALE; from BARI lines lead to ALOA, COCO, DUDA, ELAI, FAAA"),
    ("BARI", 4, "after BARI comes - and the island at the other end"),
    ("BARI+DUDA", 4, "after BARI comes -"),
    ("BARI-", 5, "expected an island here: ALOA, BARI"),
    ("BARI-Q", 5, "expected an island here"),
    ("quux-BARI", 0, "expected an island here"),
    ("BARI-DUDA COCO DUDA", 15, "expected only 1 card here"),
    ("BARI-DUDA (COCO", 15, ") is missing"),
    ("BARI-DUDA ?", 10, "a card that is played is always seen"),
    ("x HUNA-ELAI (HUNA)", 17, "expected 2 cards here"),
    ("x HUNA-ELAI h?", 12, "a card that is played is always seen"),
    ("x", 1, "expected an island here"),
    ("d", 1, "say how many cards, or which"),
    ("d0", 1, "between 1 and 24 cards can be discarded"),
    ("d99999999999999999999", 1, "between 1 and 24"),
    ("d" + " ?" * 25, 50, "there are only 24 cards"),
    ("+ +", 2, "expected an island here"),
    ("+COCO BARI", 6, "the move ends here"),
    ("- -", 2, "the move ends here"),
    ("row", 3, "expected 3 cards here"),
    ("row b c d e", 10, "expected only 3 cards here"),
    ("deal", 4, "say who starts: black or white"),
    ("deal green", 5, "say who starts"),
    ("deal black BARI", 15, "expected 3 cards here"),
    ("deal black bcd / abc", 20, "after black's hand comes / and white's"),
    ("show", 4, "say which cards were shown"),
    ("show ?", 5, "say which cards were shown"),
    ("green: BARI-DUDA", 0, "before the colon stands black or white"),
    ("(", 0, "a move begins with an island"),
]


@cases(("text", "at", "why"), WRONG)
def test_a_mistake_is_pointed_at(table, text, at, why):
    t = table(row="BARI COCO DUDA")
    with pytest.raises(NotationError) as error:
        t.state.parse(text)
    assert error.value.at == at
    assert why in error.value.why


@pytest.mark.parametrize(("due", "rule", "why"), [("row", "ROUND-3", "round 1 begins when the new row is laid out")])
def test_a_move_while_nobody_is_on_turn_is_told_what_is_wrong_with_it(table, due, rule, why):
    assert table(due=due).broken("BARI-DUDA")[rule] == why


def test_a_move_before_the_deal_and_after_the_end_is_told_so(table):
    t = table(due="deal")
    assert t.cannot("BARI-DUDA") == "the cards have not been dealt yet (kahuna:SET-1)"
    t = table()
    t.rule("resign seat=white")
    assert t.broken("BARI-DUDA") == {"RULING": "the game is over"}


HELP = [re.split(" {2,}", line)[0] for line in KAHUNA.notation_help.splitlines()[:-2]]


@cases("text", HELP)
def test_the_help_is_true(table, text):
    t = table(row="BARI ? DUDA" if text == "+/" else "BARI COCO DUDA", seafarer=True)
    assert t.state.notation(t.state.parse(text)) == text.replace("HUNA-ELAI", "ELAI-HUNA")
