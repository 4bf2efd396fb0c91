"""Twenty slips a ruleset: each is refused with its rule, recorded with an override as irregular, and the game goes on.

What was out of turn or out of step happened all the same. Impossible is what has no object: no die, no card, no fight.
"""

from __future__ import annotations

import random
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from games.adjustments import Adjudge
from games.errors import ImpossibleError, NotationError, RuleBrokenError
from games.irregular import irregular_moves
from games.playout import playout
from games.rulesets import SHIPPED
from tests.cases import cases
from tests.plugins import reversi

if TYPE_CHECKING:
    from games.contract import Ruleset, State

RULESETS: dict[str, Ruleset] = {**SHIPPED, "reversi": reversi()}


class Slip(NamedTuple):
    """What was played before, the slip, and the rules that it breaks, the first one cited."""

    before: str
    line: str
    rules: str


OPENINGS: dict[str, tuple[dict[str, Any], int]] = {
    "kahuna": ({}, 2),
    "kahuna with ships": ({"seafarer": True}, 2),
    "verraeter": ({}, 3),
    "manapani": ({}, 3),
    "catan_cards": ({}, 2),
    "scoresheet": ({"template": "first_to_100"}, 3),
    "scoresheet of yahtzee": ({"template": "yahtzee"}, 2),
    "reversi": ({}, 2),
}
START = {
    "kahuna": "deal black GOLA KAHU LALE",
    "verraeter": "start 1 E R R; lands E-River R-River E-Village R-Village E-Woods R-Woods E-Meadow R-Meadow"
    " E-City R-City E-Wilderness R-Wilderness",
    "manapani": "start 1",
    "catan_cards": "start 1; lay g1 o2 w3 l4 b5 a6; lay g2 o3 w4 l5 b6 a1; pick 1 ? ? ?; pick 2 ? ? ?",
    "scoresheet": "",
    "reversi": "",
}
ESTATES, SITE = "estate 1; estate 2; estate 3", "estate 1; estate 2; estate 3; 1-2"
LAID = f"{SITE}; lay -; lay -; lay -"
FOREIGN = "roll 1 1; claim; roll 1 1"
"""Player 2 has come to player 1's land."""
FOUGHT = f"{FOREIGN}; attack 1; defend 1"

SLIPS: dict[str, tuple[Slip, ...]] = {
    "kahuna": (
        Slip("", "white: ALOA-BARI", "SET-2"),
        Slip("", "white: +GOLA", "SET-2"),
        Slip("", "white: +", "SET-2"),
        Slip("", "white: -", "SET-2"),
        Slip("", "white: d1", "SET-2"),
        Slip("", "ALOA-BARI (COCO)", "PLAY-2"),
        Slip("-", "-", "DRAW-3"),
        Slip("", "BARI-COCO (ALOA)", "PLAY-2"),
        Slip("ALOA-BARI; +; +", "x ALOA-BARI (ALOA BARI)", "REM-1"),
        Slip("ALOA-BARI; +", "x ALOA-BARI (ALOA COCO)", "REM-1"),
        Slip("ALOA-BARI; +", "x ALOA-BARI (ALOA BARI) =", "REM-2"),
        Slip("+; +; +; +", "+", "DRAW-2"),
        Slip("+; +; +; +", "+GOLA", "DRAW-2"),
        Slip("+; +; +", "black: +GOLA", "SET-2 DRAW-2"),
        Slip("-; +", "white: +", "SET-2"),
        Slip("ALOA-BARI; BARI-COCO; COCO-FAAA", "white: -", "SET-2"),
        Slip("+; -", "black: -", "DRAW-3"),
        Slip("ALOA-BARI; ALOA-DUDA", "white: ELAI-HUNA", "SET-2"),
        Slip("ALOA-BARI; +", "black: ALOA-DUDA", "SET-2"),
        Slip("ALOA-BARI; +; x ALOA-BARI (ALOA BARI)", "black: +", "SET-2"),
    ),
    "kahuna with ships": (
        Slip("", "ALOA-DUDA-HUNA (ALOA ALOA BARI)", "SEA-2"),
        Slip("ALOA-DUDA-HUNA (ALOA DUDA HUNA); +; +; ALOA-BARI", "ALOA-DUDA-HUNA > DUDA-ELAI-HUNA", "SEA-5"),
        Slip("ALOA-DUDA-HUNA (ALOA DUDA HUNA); +; +; ALOA-DUDA-HUNA > DUDA-ELAI-HUNA", "ALOA-BARI", "SEA-5"),
        Slip("ALOA-DUDA-HUNA (ALOA DUDA HUNA); +; +; ALOA-DUDA-HUNA > DUDA-ELAI-HUNA", "-", "SEA-13"),
        Slip("ALOA-DUDA-HUNA (ALOA DUDA HUNA); +; +", "ALOA-DUDA-HUNA > COCO-GOLA-KAHU", "SEA-5"),
    ),
    "verraeter": (
        Slip("", "2: estate 1", "7"),
        Slip("", "1: post 1", "7"),
        Slip("", "1: lay 3", "13"),
        Slip("estate 1", "1: estate 2", "7"),
        Slip("estate 1", "1: turn 1", "20"),
        Slip(ESTATES, "1: 1-2", "11"),
        Slip(ESTATES, "1: estate 5", "20"),
        Slip(ESTATES, "1: lay 3", "13"),
        Slip(ESTATES, "1: choose Farmer", "12"),
        Slip(SITE, "3: lay 3", "13"),
        Slip(f"{SITE}; lay 3", "1: lay 4", "13"),
        Slip(f"{SITE}; lay 3", "2: 3-4", "11"),
        Slip(SITE, "3: post 5", "20"),
        Slip(SITE, "2: turn 2", "20"),
        Slip(SITE, "reveal Builder Farmer Strategist", "14"),
        Slip(LAID, "1: lay 4", "13"),
        Slip(LAID, "1: estate 5", "20"),
        Slip(LAID, "2: 3-4", "11"),
        Slip(f"{SITE}; lay 5; lay -; lay -; reveal Builder Farmer Strategist; points 3", "2: post 5", "20"),
        Slip(f"{SITE}; lay 5; lay -; lay -; reveal Builder Farmer Strategist; points 3", "1: turn 2", "20"),
        Slip(f"{SITE}; lay 5; lay -; lay -; reveal Builder Farmer Strategist; points 3", "3: lay 3", "13"),
        Slip(f"{SITE}; lay 5; lay -; lay -; reveal Builder Farmer Strategist", "2: estate 5", "20"),
        Slip(f"{SITE}; lay 5; lay -; lay -; reveal Builder Farmer Strategist", "2: 3-4", "11"),
        Slip(f"{SITE}; lay 5; lay -; lay -; reveal Builder Farmer Strategist; points 3", "2: 3-4", "11"),
        Slip("", "2: 1-2", "11"),
    ),
    "manapani": (
        Slip("", "2: roll 1 2", "4"),
        Slip("", "2: cast Mana r", "4"),
        Slip("", "3: exchange rb", "4"),
        Slip("", "2: go", "4"),
        Slip("", "go", "4"),
        Slip("", "roll 3", "4"),
        Slip("", "gain w", "12"),
        Slip("", "2: discard ?", "4"),
        Slip("", "cast Fly =", "16"),
        Slip("exchange rb", "exchange yg", "4"),
        Slip("cast Mana r", "cast Mana b", "25"),
        Slip("roll 1 1", "roll 2 2", "4"),
        Slip("roll 1 1", "cast Mana r", "25"),
        Slip("roll 1 1", "exchange rb", "4"),
        Slip("roll 1 1", "2: exchange rb", "4"),
        Slip("roll 1 1", "2: roll 1 1", "4"),
        Slip("roll 1 1; claim", "1: put 1 at 2", "4"),
        Slip("roll 1 1; claim; roll 1 3; claim", "3: put 1 at 2", "7"),
        Slip(FOREIGN, "claim", "13 8"),
        Slip(FOREIGN, "leave", "13"),
        Slip(FOREIGN, "roll 1 1", "4"),
        Slip(FOREIGN, "3: roll 1 1", "4"),
        Slip(FOREIGN, "toll rr", "A10"),
        Slip(f"{FOREIGN}; toll", "2: attack 1", "4"),
        Slip(f"{FOREIGN}; toll", "2: toll", "4"),
        Slip(FOUGHT, "1: defend 1", "17"),
        Slip(FOUGHT, "2: cast Mana r", "25"),
        Slip(f"{FOREIGN}; attack 1", "reveal Kobold /", "17"),
        Slip(f"{FOUGHT}; reveal Kobold / Goblin", "1: done", "17"),
        Slip(f"{FOUGHT}; reveal Kobold / Goblin", "1: pay Goblin", "17"),
    ),
    "catan_cards": (
        Slip("", "road left ()", "20 41"),
        Slip("", "trade ku > mu", "20"),
        Slip("", "2: roll trade 6", "20"),
        Slip("", "2: trade ku > mu", "20"),
        Slip("", "2: draw 3", "20"),
        Slip("", "end", "20"),
        Slip("", "event Plague", "20"),
        Slip("", "gain ku", "20"),
        Slip("", "take 2ku > ku", "20"),
        Slip("roll trade 6", "roll trade 1", "20"),
        Slip("roll trade 6", "2: roll trade 1", "20"),
        Slip("roll trade 6", "2: road left ()", "20"),
        Slip("roll trade 6", "road left ()", "41"),
        Slip("roll trade 6", "settlement left ()", "43"),
        Slip("roll trade 6", "city l ()", "41"),
        Slip("roll trade 6", "trade ku > mu", "37"),
        Slip("roll trade 6", "event Plague", "20"),
        Slip("roll trade 6", "gain ku", "20"),
        Slip("roll trade 6", "confiscate 1 ?", "20"),
        Slip("roll trade 6", "draw 1", "56"),
        Slip("roll trade 6", "play Scout", "71"),
        Slip("roll trade 6", "play Alchemist 3", "21"),
        Slip("roll plenty 6", "2: gain ku", "25"),
        Slip("roll plenty 6", "end", "25"),
        Slip("roll plenty 6", "trade ku > mu", "25"),
        Slip("roll trade 6; under 1", "trade ku > mu", "58"),
        Slip("roll trade 6; end", "1: trade ku > mu", "20"),
    ),
    "scoresheet": (
        Slip("", "r2 1 2 3", "ROUND-1"),
        Slip("", "r5 p1 3", "ROUND-1"),
        Slip("", "end", "CELL-4"),
        Slip("r1 5 5 ?", "end", "CELL-4"),
        Slip("r1 5 5 5", "end", "END-2"),
        Slip("r1 100 5 5", "r2 1 1 1", "END-2"),
        Slip("p3 out", "r1 p3 5", "SEAT-2"),
        Slip("p3 out", "p3 +5 bonus", "SEAT-2"),
        Slip("p3 out; r1 5 5 ?", "r1 p3 4", "SEAT-2"),
        Slip("r1 5 5 5", "p1 in", "SEAT-1"),
        Slip("p1 out; p2 out", "p3 out", "SEAT-2"),
        Slip("r1 5 5 5", "r3 1 1 1", "ROUND-1"),
        Slip("p3 out; r1 5 5 ?; p3 in", "r1 p3 5", "SEAT-1"),
    ),
    "scoresheet of yahtzee": (
        Slip("", "ones 6 1", "CELL-2"),
        Slip("", "p1 ones 6", "CELL-2"),
        Slip("", "p1 twos 11", "CELL-2"),
        Slip("", "p1 chance 99", "CELL-2"),
        Slip("", "p2 full 26", "CELL-2"),
        Slip("ones 1 1", "end", "CELL-4"),
        Slip("p2 out", "p2 ones 3", "SEAT-2"),
    ),
    "reversi": (
        Slip("", "white: d3", "TURN-1"),
        Slip("", "a1", "TURN-2"),
        Slip("", "white: a1", "TURN-1"),
        Slip("d3", "black: c3", "TURN-1"),
    ),
}

CHOSEN = f"{SITE}; lay 5; lay -; lay -; reveal Builder Farmer Strategist; points 3"
"""The Builder is to build."""

AFTER: dict[str, tuple[tuple[str, str], ...]] = {
    "kahuna": (
        ("", "black: ALOA-BARI"),
        ("", "white: +"),
        ("", "white: -"),
        ("ALOA-BARI; +", "white: x ALOA-BARI (ALOA BARI)"),
        ("ALOA-BARI; +", "white: d1"),
        ("", "black: +GOLA"),
    ),
    "kahuna with ships": (("", "black: ALOA-DUDA-HUNA (ALOA DUDA HUNA)"),),
    "verraeter": (
        ("", "1: estate 1"),
        ("", "1: post 1"),
        ("estate 1", "1: turn 1"),
        (ESTATES, "1: lay 3"),
        (ESTATES, "2: 1-2"),
        (CHOSEN, "1: lay 3"),
        (CHOSEN, "2: 3-4"),
        (CHOSEN, "3: estate 5"),
    ),
    "manapani": (
        ("", "2: roll 1 2"),
        ("", "1: roll 3"),
        ("", "2: go"),
        ("", "3: exchange rb"),
        ("", "1: gain w"),
        ("", "2: discard ?"),
        ("", "2: cast Mana r"),
        ("", "1: cast Fly ="),
        ("", "3: cast HolyDice 6 r"),
        ("", "3: cast Slow 1"),
        ("roll 1 1", "1: claim"),
        ("roll 1 1; claim", "1: put 1 at 2"),
        (FOREIGN, "2: toll r"),
        (FOREIGN, "2: attack 1"),
        (FOREIGN, "2: claim"),
        (FOUGHT, "3: roll 5 5"),
    ),
    "catan_cards": (
        ("", "1: roll trade 6"),
        ("roll trade 6", "2: roll plenty 1"),
        ("roll trade 6", "1: event Plague"),
        ("roll trade 6", "1: gain ku"),
        ("roll trade 6", "1: road left ()"),
        ("roll trade 6", "1: settlement left ()"),
        ("roll trade 6", "1: confiscate 1 ?"),
        ("roll trade 6", "2: draw 1"),
        ("roll trade 6; under 1", "1: draw 1"),
        ("roll trade 6", "1: under 1"),
        ("roll trade 6", "1: play Scout"),
        ("roll trade 6", "1: play Alchemist 3"),
        ("roll trade 6", "1: end"),
        ("", "2: end"),
    ),
    "scoresheet": (("r1 5 5 5", "r2 1 2 3"), ("r1 5 5 5", "p1 +5 bonus"), ("r1 5 5 5", "p3 out")),
    "reversi": (("", "black: d3"), ("d3", "white: c3")),
}
"""What is done after a referee has ended the game, all that was played before, and the move."""

GONE: dict[str, tuple[tuple[str, str], ...]] = {
    "kahuna": (("", "deal black GOLA KAHU LALE"), ("", "black: x ALOA-BARI (ALOA BARI)")),
    "verraeter": (
        (CHOSEN, "1: choose Farmer"),
        (CHOSEN, "1: aside Farmer"),
        (CHOSEN, "reveal Builder Farmer Strategist"),
        (CHOSEN, "points 3"),
        (CHOSEN, "1: draw -"),
        (CHOSEN, "1: skip"),
        ("", "1: 1-1"),
    ),
    "manapani": (
        ("", "start 1"),
        ("roll 1 1", "1: leave"),
        ("", "1: claim"),
        ("", "1: toll r"),
        ("", "1: attack 1"),
        (FOUGHT, "1: done"),
        (FOUGHT, "1: defend 1"),
    ),
    "catan_cards": (("", "start 1"), ("", "1: skip"), ("", "1: counter -"), ("", "1: duel 3"), ("", "1: gain zu")),
}
"""What has no object after the end: it cannot be recorded."""

ADRIFT: dict[str, tuple[tuple[str, str], ...]] = {
    "verraeter": (
        (CHOSEN, "1: choose Farmer"),
        (CHOSEN, "1: aside Farmer"),
        (CHOSEN, "reveal Builder Farmer Strategist"),
        (CHOSEN, "points 3"),
        (CHOSEN, "2: draw -"),
        (SITE, "1: skip"),
        (ESTATES, "reveal Builder Farmer Strategist"),
    ),
}
"""What has no object while the Builder is to build, and at other steps."""


def _adjudged(opening: str, lines: str) -> State:
    state = _played(opening, lines)
    state.adjust([Adjudge(ranks=tuple(range(1, OPENINGS[opening][1] + 1)))], state.version + 1)
    return state


def _each(lists: dict[str, tuple[tuple[str, str], ...]]) -> list[tuple[str, str, str]]:
    return [(opening, before, line) for opening, slips in lists.items() for before, line in slips]


@cases(("opening", "before", "line"), _each(AFTER))
def test_a_slip_after_the_end_is_refused_with_its_rule_and_can_be_recorded_and_the_result_stays(
    opening: str, before: str, line: str
) -> None:
    state = _adjudged(opening, before)
    move, outcome, name = state.parse(line), state.outcome(), state.ruleset.name
    with pytest.raises(RuleBrokenError, match="the game is over") as error:
        state.verify(move)
    assert error.value.rule == f"{name}:RULING"
    assert state.parse(state.notation(move)) == move
    state.apply(move)
    assert state.outcome() == outcome
    assert state.to_move() is None
    assert not list(state.legal_moves())
    assert state.ruleset.state.load(state.dump()) == state


@cases(("opening", "before", "line"), _each(GONE))
def test_what_has_no_object_after_the_end_cannot_be_recorded(opening: str, before: str, line: str) -> None:
    state = _adjudged(opening, before)
    with pytest.raises((ImpossibleError, NotationError)):
        state.apply(state.parse(line))


@cases(("opening", "before", "line"), _each(ADRIFT))
def test_what_has_no_object_at_another_step_cannot_be_recorded(opening: str, before: str, line: str) -> None:
    state = _played(opening, before)
    with pytest.raises(ImpossibleError):
        state.apply(state.parse(line))


@cases(("opening", "before", "line"), _each({"manapani": AFTER["manapani"]}))
def test_nothing_changes_after_the_chips_were_counted(opening: str, before: str, line: str) -> None:
    state = _adjudged(opening, before)
    counted = state.dump()
    assert [effect.kind for effect in state.apply(state.parse(line), state.version)] == ["move.uncounted"]
    assert state.dump() == counted


@pytest.mark.parametrize("name", RULESETS)
@pytest.mark.slow
def test_every_kind_of_move_that_can_be_made_after_the_end_breaks_the_rule_of_the_end(name: str) -> None:
    ruleset, chance = RULESETS[name], random.Random(name)
    state = ruleset.open({}, None, ruleset.seats[0])
    for _ in playout(state, chance):
        pass
    outcome = state.outcome()
    assert outcome
    for move in islice(irregular_moves(state), 400):
        assert next(iter(state.breaches(move))).rule == outcome.rule
        late = state.copy()
        late.apply(move)
        assert late.outcome() == outcome


@cases(
    ("opening", "slip"),
    [(opening, slip) for opening, slips in SLIPS.items() for slip in slips],
    ids=lambda value: value if isinstance(value, str) else f"{value.before} - {value.line}",
)
def test_a_slip_is_refused_with_its_rule_and_can_be_recorded_and_the_game_goes_on(opening: str, slip: Slip) -> None:
    state = _played(opening, slip.before)
    name = state.ruleset.name
    move, rules = state.parse(slip.line), [f"{name}:{rule}" for rule in slip.rules.split()]
    with pytest.raises(RuleBrokenError) as error:
        state.verify(move)
    assert error.value.rule == rules[0]
    assert error.value.rule in state.ruleset.rulebook
    assert set(rules) <= {breach.rule for breach in state.breaches(move)}
    assert state.apply(move)
    assert state.ruleset.state.load(state.dump()) == state
    _goes_on(state)


def _played(opening: str, lines: str) -> State:
    options, seats = OPENINGS[opening]
    name = opening.partition(" ")[0]
    state: State = RULESETS[name].open(options, None, seats)
    for line in [line for text in (START[name], lines) for line in text.split("; ") if line]:
        move = state.parse(line)
        state.verify(move)
        state.apply(move)
    return state


def _goes_on(state: State) -> None:
    """By legal moves that can be made, as chance has it."""
    chance = random.Random(state.ruleset.name)
    for _ in range(12):
        if state.outcome():
            return
        move = state.sample_chance(chance.choice(list(state.legal_moves())), chance)
        state.verify(move)
        state.apply(move)


def test_there_are_twenty_slips_of_every_ruleset() -> None:
    for name in SHIPPED:
        slips = [slip for opening, found in SLIPS.items() if opening.partition(" ")[0] == name for slip in found]
        assert len(set(slips)) >= 20
