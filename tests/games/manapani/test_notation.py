"""Typing moves: short forms, other keyboards, and mistakes that are pointed at."""

from __future__ import annotations

import re
from functools import cache

import pytest

from games.errors import NotationError
from games.hidden import Hand
from games.manapani import MANAPANI
from games.manapani.moves import (
    Armageddon,
    Attack,
    BraveAttack,
    Claim,
    Defend,
    Discard,
    Done,
    DrainMagic,
    Exchange,
    Fly,
    Gain,
    Go,
    Hold,
    HolyDice,
    Leave,
    Mana,
    ManaPrism,
    Pay,
    Put,
    Reveal,
    Roll,
    Shield,
    Slow,
    Start,
    Toll,
    Use,
)
from games.manapani.notation import HELP
from games.manapani.state import Fight, LaidCard, ManapaniState
from tests.cases import cases

CARDS = ("Kobold", "Merfolk", "Goblin", "Salamander", "Bandit", "Goblin", "Guardian")
DEFENDED = 5


@cache
def _at(due: str) -> ManapaniState:
    state = MANAPANI.open({}, None, 3)
    state.apply(Start(starts=0))
    state.chips[0] = [4, 3, 3, 1, 1]
    state.hands[0] = Hand([], 9)
    state.levels[7], state.owners[7] = 3, 0
    state.levels[8], state.owners[8] = 2, 1
    state.pawns[0] = 8 if due in ("foreign", "toll") else 7 if due == "put" else 0
    if due in ("defend", "reveal", "pay", "effects"):
        sides = [0] * DEFENDED + [1] * (len(CARDS) - DEFENDED)
        laid = [LaidCard(card, side, side, live=due == "effects") for card, side in zip(CARDS, sides, strict=True)]
        shown = [[None] * 2, [None]]
        state.fight = Fight(8, (0, 1), [2, None if due == "defend" else 1], shown)
        if due in ("pay", "effects"):
            state.fight.cards, state.fight.waiting = laid, [4] if due == "effects" else []
    state.due = due
    return state


def at(due: str) -> ManapaniState:
    """A table at which a step is due."""
    return _at(due).copy()


READ = {
    "start": {"start 2": Start(starts=1), "st2": Start(starts=1)},
    "turn": {
        "cast Mana r": Mana(seat=0, colour="red"),
        "ca mana yellow": Mana(seat=0, colour="yellow"),
        "cast HolyDice 6 y": HolyDice(seat=0, face=6, chips=("yellow",)),
        "cast holy dice 6": HolyDice(seat=0, face=6, chips=("red",)),
        "cast ManaPrism rrb yyy": ManaPrism(seat=0, given=("red", "red", "blue"), gained=("yellow",) * 3),
        "cast BraveAttack": BraveAttack(seat=0, chips=("red",)),
        "cast b": BraveAttack(seat=0, chips=("red",)),
        "cast Shield": Shield(seat=0, chips=("blue",)),
        "cast Shield =ww": Shield(seat=0, chips=("white", "white")),
        "cast Shield =": Shield(seat=0),
        "cast Fly": Fly(seat=0, chips=("yellow",)),
        "cast Slow 3": Slow(seat=0, target=2, chips=("green",)),
        "cast DrainMagic 7 rby": DrainMagic(seat=0, place=7, chips=("red", "blue", "yellow")),
        "cast drain magic 7 water land": DrainMagic(seat=0, place=7, chips=("red", "red", "blue")),
        "cast Armageddon": Armageddon(seat=0, chips=("red", "blue", "yellow", "green")),
        "exchange rb": Exchange(seat=0, chips=("red", "blue")),
        "ex br": Exchange(seat=0, chips=("blue", "red")),
        "roll 3 5": Roll(seat=0, dice=(3, 5)),
        "3 5": Roll(seat=0, dice=(3, 5)),
        "35": Roll(seat=0, dice=(3, 5)),
        "4": Roll(seat=0, dice=(4,)),
        "roll ? 5": Roll(seat=0, dice=(None, 5)),
        "go": Go(seat=0),
        "2: hold Shield": Hold(seat=1, cards=("Shield",)),
        "hold ?": Hold(seat=0),
        "hold +kob": Hold(seat=0, cards=("Kobold",), drawn=True),
        "hold ＋Kobold": Hold(seat=0, cards=("Kobold",), drawn=True),
        "2: hold + ?": Hold(seat=1, drawn=True),
        "hold Kobold red dragon hellp": Hold(seat=0, cards=("Kobold", "Red Dragon", "Hell Plant")),
    },
    "gain": {"gain w": Gain(seat=0, colour="white"), "gain white": Gain(seat=0, colour="white")},
    "land": {"claim": Claim(seat=0), "leave": Leave(seat=0), "-": Leave(seat=0), "le": Leave(seat=0)},
    "put": {
        "put 2": Put(seat=0, place=7, count=2),
        "put 2 at 7": Put(seat=0, place=7, count=2),
        "put 1 at 13 wind land": Put(seat=0, place=13, count=1),
        "-": Leave(seat=0),
    },
    "foreign": {
        "toll": Toll(seat=0, chips=("blue", "blue")),
        "toll bw": Toll(seat=0, chips=("blue", "white")),
        "toll rw from 7 7": Toll(seat=0, chips=("red", "white"), lands=(7, 7)),
        "toll - from 7 water land 7": Toll(seat=0, lands=(7, 7)),
        "toll from 7": Toll(seat=0, lands=(7,)),
        "attack 2": Attack(seat=0, count=2),
        "at2": Attack(seat=0, count=2),
        "2: attack 0": Attack(seat=1, count=0),
    },
    "defend": {"defend 1": Defend(seat=1, count=1), "def0": Defend(seat=1, count=0)},
    "reveal": {
        "reveal Kobold Merfolk / Goblin": Reveal(attack=("Kobold", "Merfolk"), defence=("Goblin",)),
        "rev kob snow giant / ?": Reveal(attack=("Kobold", "Snow Giant"), defence=(None,)),
        "reveal ? ? /": Reveal(attack=(None, None), defence=()),
    },
    "pay": {
        "pay Kobold": Pay(seat=0, card=0),
        "pay Merfolk y": Pay(seat=0, card=1, chips=("blue", "yellow")),
        "pay merf": Pay(seat=0, card=1, chips=("red", "blue")),
        "pay Goblin#3": Pay(seat=0, card=2, chips=("red",)),
        "pay gob": Pay(seat=0, card=2, chips=("red",)),
        "pay Goblin#6": Pay(seat=0, card=5, chips=("red",)),
        "pay Salamander 0": Pay(seat=0, card=3, chips=("red",)),
        "pay Salamander ryw": Pay(seat=0, card=3, chips=("red", "red", "yellow", "white")),
        "pay Salamander 2": Pay(seat=0, card=3, chips=("red", "red", "blue")),
        "pay Merfolk =ww": Pay(seat=0, card=1, chips=("white", "white")),
        "2: pay Guardian =": Pay(seat=1, card=6),
        "pay #9 =r": Pay(seat=0, card=8, chips=("red",)),
        "done": Done(seat=0),
        "-": Done(seat=0),
    },
    "effects": {
        "use Bandit Guardian": Use(seat=0, card=4, target=6),
        "use ban gua": Use(seat=0, card=4, target=6),
        "use Bandit Goblin": Use(seat=0, card=4, target=5),
        "use Bandit": Use(seat=0, card=4),
    },
    "toll": {"toll bb": Toll(seat=0, chips=("blue", "blue"))},
    "discard": {
        "discard Kobold ?": Discard(seat=0, cards=("Kobold", None)),
        "dis green dragon": Discard(seat=0, cards=("Green Dragon",)),
    },
}
CASES = [(due, text) for due, moves in READ.items() for text in moves]


@cases(("due", "text"), CASES)
def test_a_typed_move_is_read(due, text):
    assert at(due).parse(text) == READ[due][text]


@cases(("due", "text"), CASES)
def test_what_is_written_can_be_read_in_every_step(due, text):
    move = READ[due][text]
    for step in READ:
        state = at(step)
        assert state.parse(state.notation(move)) == move


WRONG = [
    ("start", "start", 5, "expected a player from 1 to 3 here"),
    ("start", "start 4", 6, "a player from 1 to 3"),
    ("turn", "", 0, "a move begins with one of start, cast"),
    ("turn", "cast", 4, "expected a world spell here"),
    ("turn", "cast Kobold", 5, "expected a world spell here"),
    ("turn", "cast ma", 5, "expected a world spell here: mana, manaprism"),
    ("turn", "cast Mana q", 10, "expected a colour here: red, blue"),
    ("turn", "cast HolyDice 7", 14, "a die shows 1 to 6"),
    ("turn", "cast HolyDice 6 rb", 16, "expected 1 chip here"),
    ("turn", "cast ManaPrism rr", 15, "expected 3 chips here"),
    ("turn", "cast ManaPrism rxr", 16, "expected chips here: r, b, y, g, w for red"),
    ("turn", "cast DrainMagic 24", 16, "a square's number from 0 to 23"),
    ("turn", "cast Slow 9", 10, "a player from 1 to 3"),
    ("turn", "exchange r", 9, "expected 2 chips here"),
    ("turn", "roll", 4, "expected the roll of the dice here"),
    ("turn", "roll 3 7", 7, "a die shows 1 to 6"),
    ("turn", "roll 1 2 3", 9, "the move ends here"),
    ("turn", "g", 0, "expected a move here: go, gain"),
    ("turn", "hold", 4, "expected cards here"),
    ("turn", "hold Kobold Unicorn", 12, "expected a card here"),
    ("turn", "9: go", 0, "a player from 1 to 3"),
    ("turn", "pay Kobold", 4, "no cards are revealed"),
    ("turn", "toll", 4, "expected the chips of the toll here"),
    ("put", "put 6", 4, "a number of chips from 1 to 5"),
    ("put", "put 2 at", 8, "a square's number"),
    ("foreign", "toll rw from", 12, "a square's number"),
    ("foreign", "attack", 6, "the number of cards that are laid"),
    ("reveal", "reveal Kobold", 13, "expected / here"),
    ("turn", "cast Slow 2 g", 12, "Slow costs nothing of any colour"),
    ("pay", "pay Goblin r", 11, "Goblin costs nothing of any colour"),
    ("pay", "pay Troll", 4, "expected a revealed card here"),
    ("pay", "pay Goblin#1", 4, "card 1 is no Goblin"),
    ("pay", "pay Salamander 12", 15, "X can be 11 at most"),
    ("pay", "pay #9", 6, "there is no such card"),
    ("discard", "discard", 7, "expected the cards that are discarded here"),
]


@cases(("due", "text", "place", "why"), WRONG)
def test_a_mistake_is_pointed_at(due, text, place, why):
    with pytest.raises(NotationError) as error:
        at(due).parse(text)
    assert why in error.value.why
    assert error.value.at == place


EXAMPLES = [
    example.strip()
    for line in HELP.splitlines()
    for example in re.split(" {2,}", line)[0].split(",")
    if example.strip()
]


@cases("text", EXAMPLES)
def test_the_help_is_true(text):
    verb = text.removeprefix("2: ").split()[0]
    due = next(due for due, moves in READ.items() if any(verb == typed.split()[0] for typed in moves))
    due = "turn" if text.startswith("2: ") else due
    state = at(due)
    assert state.notation(state.parse(text)) == text


@cases("text", ["", "toll " + "r" * 500, "reveal " + "? " * 500, "toll - from " + "7 " * 500])
def test_lines_without_end_are_refused(text):
    with pytest.raises(NotationError):
        at("foreign").parse(text)


@cases(
    ("due", "text", "why"),
    [
        ("pay", "pay Salamander " + "r" * 200, "at most 199 chips"),
        ("pay", "pay Salamander =" + "r" * 201, "at most 200 chips"),
        ("foreign", "toll " + "r" * 201, "at most 200 chips"),
        ("foreign", "attack 100", "the number of cards that are laid"),
        ("pay", "pay #199 =r", "the number of a revealed card"),
        ("discard", "discard " + "? " * 100, "the move ends here"),
        ("turn", "hold " + "Kobold " * 100, "expected cards here"),
    ],
)
def test_more_than_a_move_can_have_is_refused_with_what_could_stand_there(due, text, why):
    with pytest.raises(NotationError) as error:
        at(due).parse(text)
    assert why in error.value.why


def test_a_move_names_its_player_only_out_of_turn():
    state = at("turn")
    assert state.notation(Go(seat=0)) == "go"
    assert state.notation(Go(seat=2)) == "3: go"
    assert at("defend").notation(Defend(seat=1, count=1)) == "defend 1"
