"""Typing moves: short forms, other keyboards, and mistakes that are pointed at."""

from __future__ import annotations

import re

import pytest

from games.errors import NotationError
from games.verraeter.moves import Aside, Choose, Draw, Hold, Lay, Put, ReadPoints, Reveal, Site, Skip, Start, Turn
from games.verraeter.notation import HELP
from tests.cases import cases
from tests.games.verraeter.conftest import CIRCLE

ACTIONS = ("Builder", "Diplomat 5", "Farmer", "Traitor")

READ = {
    "start": {
        "start 2 E R R E": Start(starts=1, houses=("Eagle", "Eagle", "Rose", "Rose")),
        "start 2 erre": Start(starts=1, houses=("Eagle", "Eagle", "Rose", "Rose")),
        "st 2 rre": Start(starts=1, houses=("Eagle", "Eagle", "Rose", "Rose")),
        "start 1": Start(starts=0),
    },
    "estates": {
        "estate 7": Put(seat=0, place=6),
        "e7": Put(seat=0, place=6),
        "estate 2 village": Put(seat=0, place=1),
        "2: e 12": Put(seat=1, place=11),
    },
    "site": {
        "3-4": Site(seat=1, place=2),
        "4-3": Site(seat=1, place=2),
        "12 - 1": Site(seat=1, place=11),
        "1-12": Site(seat=1, place=11),
    },
    "lay": {
        "lay 5 3": Lay(seat=0, cards=("5", "3")),
        "53": Lay(seat=0, cards=("5", "3")),
        "5 3": Lay(seat=0, cards=("5", "3")),
        "-": Lay(seat=0),
        "lay -": Lay(seat=0),
        "lay4": Lay(seat=0, cards=("4",)),
        "3: lay 4": Lay(seat=2, cards=("4",)),
        "choose farmer": Choose(seat=0, action="Farmer"),
        "ch d2": Choose(seat=0, action="Diplomat 2"),
        "c5": Choose(seat=0, action="Diplomat 5"),
        "3: choose ?": Choose(seat=2),
        "aside t": Aside(seat=0, action="Traitor"),
        "hold 3 4": Hold(seat=0, cards=("3", "4")),
        "4: hold 34": Hold(seat=3, cards=("3", "4")),
        "hold ?": Hold(seat=0),
        "hold +34": Hold(seat=0, cards=("3", "4"), drawn=True),
        "hold ＋ 3 4": Hold(seat=0, cards=("3", "4"), drawn=True),
        "4: hold +?": Hold(seat=3, drawn=True),
    },
    "reveal": {
        "reveal Builder Diplomat5 Farmer Traitor": Reveal(actions=ACTIONS),
        "reveal b5ft": Reveal(actions=ACTIONS),
        "rev bui dip 5 fa tr": Reveal(actions=ACTIONS),
        "r b d5 f t": Reveal(actions=ACTIONS),
    },
    "points": {"points 4": ReadPoints(points=4), "4": ReadPoints(points=4), "12": ReadPoints(points=12)},
    "build": {
        "post 7": Put(seat=0, place=6, side="post"),
        "estate 7": Put(seat=0, place=6),
        "turn 7": Turn(seat=0, place=6),
        "t7": Turn(seat=0, place=6),
        "skip": Skip(seat=0),
        "-": Skip(seat=0),
    },
    "draw": {
        "draw -": Draw(seat=0),
        "-": Draw(seat=0),
        "draw -2 3": Draw(seat=0, discards=("2", "3")),
        "-23": Draw(seat=0, discards=("2", "3")),
    },
}
CASES = [(due, text) for due, moves in READ.items() for text in moves]


@pytest.fixture
def at(table):
    """A table at which a step is due."""

    def wait(due: str):
        t = table("ERER")
        t.state.due, t.state.actions, t.state.draws = due, list(ACTIONS) if due in {"build", "draw"} else [], [(0, 3)]
        return t

    return wait


@cases(("due", "text"), CASES)
def test_a_typed_move_is_read(at, due, text):
    assert at(due).state.parse(text) == READ[due][text]


@cases(("due", "text"), CASES)
def test_what_is_written_can_be_read_in_every_step(at, due, text):
    move = READ[due][text]
    for step in READ:
        state = at(step).state
        assert state.parse(state.notation(move)) == move


def test_lands_are_written_in_many_ways(new):
    t = new()
    t.do("start 1 ERER")
    written = t.state.parse(f"lands {CIRCLE}")
    short = "lands eri rvi e wo R-me e.ci".replace(".", "-") + " rwo ewi rri eme rci evi rwi"
    assert t.state.parse(short) == written
    assert t.state.notation(written) == f"lands {CIRCLE}"
    assert t.state.parse(f"lands {'? ' * 12}").lands == (None,) * 12


def test_actions_are_named_in_turn_order_and_kept_by_seat(at):
    t = at("reveal")
    t.state.start = 2
    move = t.state.parse("reveal b5ft")
    assert move.actions == ("Farmer", "Traitor", "Builder", "Diplomat 5")
    assert t.state.notation(move) == "reveal Builder Diplomat5 Farmer Traitor"


def test_actions_that_were_noted_need_not_be_named(at):
    t = at("reveal")
    t.state.choices = ["Farmer", None, "?", "Traitor"]
    assert t.state.parse("reveal bs").actions == ("Farmer", "Builder", "Strategist", "Traitor")
    t.state.choices = list(ACTIONS)
    assert t.state.parse("reveal").actions == ACTIONS


WRONG = [
    ("start", "start", 5, "say who starts: a player from 1 to 4"),
    ("start", "start 5 ERER", 6, "say who starts"),
    ("start", "start 1 ERXR", 10, "a house is E for Eagle or R for Rose"),
    ("start", "start 1 ER", 8, "expected 4 houses here"),
    ("lands", "lands E-River", 13, "expected 12 lands here, not 1"),
    ("lands", "lands X-River", 6, "a land begins with E for Eagle or R for Rose"),
    ("lands", "lands E-W", 8, "expected a land here: wilderness, woods"),
    ("lands", "lands E-Sea", 8, "expected a land here: wilderness, meadow"),
    ("estates", "estate", 6, "expected a land's number from 1 to 12 here"),
    ("estates", "estate 13", 7, "a land's number from 1 to 12"),
    ("estates", "estate 1 village", 9, "expected land 1 here: river"),
    ("estates", "estate 1 2", 9, "the move ends here"),
    ("site", "3-5", 0, "lands 3 and 5 do not lie side by side"),
    ("site", "?", 0, "a move begins with one of start, lands"),
    ("site", "5: 3-4", 0, "expected a player from 1 to 4 here"),
    ("lay", "lay", 3, "expected supply cards here: 2, 3, 4, 5, 6, 8"),
    ("lay", "537", 2, "expected a supply card here"),
    ("lay", "lay 2 2 2 2 2 2", 14, "a hand has 5 cards"),
    ("lay", "l 3", 0, "expected a move here: lands, lay"),
    ("lay", "choose", 6, "expected one action here"),
    ("lay", "choose b f", 7, "expected one action here"),
    ("lay", "choose diplomat", 7, "expected an action here: diplomat2, diplomat5"),
    ("reveal", "reveal b5f", 7, "expected 4 actions here, not 3"),
    ("reveal", "reveal bxft", 8, "expected an action here"),
    (
        "reveal",
        "lay 3",
        0,
        "write the player's number and a colon before the move: now the action cards are to be revealed",
    ),
    ("points", "31", 0, "expected points from 0 to 30 here"),
    ("points", "-", 0, "a move begins with"),
    ("build", "7", 0, "expected a supply card here"),
    ("draw", "draw", 4, "expected - here"),
    ("draw", "draw -9", 6, "expected a supply card here"),
]


@cases(("due", "text", "place", "why"), WRONG)
def test_a_mistake_is_pointed_at(at, due, text, place, why):
    with pytest.raises(NotationError) as error:
        at(due).state.parse(text)
    assert why in error.value.why
    assert error.value.at == place


EXAMPLES = [re.split(" {2,}", line)[0] for line in HELP.splitlines() if "..." not in line]


@cases("text", EXAMPLES)
def test_the_help_is_true(at, text):
    due = next(
        (due for due, moves in READ.items() if any(text.split()[0] == typed.split()[0] for typed in moves)), "lay"
    )
    state = at("site" if text == "3-4" else due).state
    written = state.notation(state.parse(text))
    assert written.removeprefix("1: ") == text
