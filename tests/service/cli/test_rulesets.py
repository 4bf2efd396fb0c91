"""Rulesets on the command line: one that is laid out passes the examination, and every planted fault is named."""

from __future__ import annotations

import importlib
import json
import re
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from games.examination import plays, report
from games.examination.promises import PROMISES, sentence_of
from games.kahuna import KAHUNA
from games.kahuna.state import KahunaState
from games.rulesets import RULESETS
from service.cli.games import checking
from service.cli.games.layout import write_skeleton
from tests.plugins import EXAMPLE, reversi

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from games.contract import Ruleset

pytestmark = pytest.mark.programs

SETTINGS = checking.SETTINGS

CORRECTED = "Corrected records are the same whatever way they are read"
ELSEWHERE = "Another process plays the same games"
ENDING = "Random games come to an end"
POLICY = "A policy picks legal moves and changes nothing"
LOOKING = "Looking at a state changes nothing"
SCORES = "Recorded games have the score and result that they state"

FAULTS: dict[str, tuple[str, str, str, str]] = {
    "chance in a move": (
        "state.heap -= self.count\n",
        "state.heap -= self.count\n        GONE.append(1)\n        state.won = len(GONE)\n",
        "The same moves make the same state",
        "the same moves made another state",
    ),
    "what differs from process to process": (
        "        state.heap -= self.count\n",
        "        state.heap -= self.count\n        state.won = hash('heap') % 1000\n",
        ELSEWHERE,
        "PYTHONHASHSEED",
    ),
    "a legal move that breaks a rule": (
        "if seat is not None and count <= state.heap:\n                yield cls(seat=seat, count=count)",
        "if seat is not None and count <= state.heap:\n                yield cls(seat=1 - seat, count=count)",
        "Legal play breaks no rule and comes to a known end",
        "a legal move breaks it is not player",
    ),
    "a legal move that cannot be": (
        "if seat is not None and count <= state.heap:",
        "if seat is not None:",
        ENDING,
        "ImpossibleError: the heap has",
    ),
    "a change before it is refused": (
        "        if self.count > state.heap:\n",
        "        state.won += 1\n        if self.count > state.heap:\n",
        "What cannot be changes nothing",
        "was refused, and changed the state",
    ),
    "a judgement that changes": (
        "        elif self.seat != state.active:\n",
        "        elif self.seat != state.active:\n            state.won = -9\n",
        "What cannot be changes nothing",
        "changed the state",
    ),
    "a move that raises": (
        "        state.heap -= self.count\n",
        "        state.heap -= self.count\n        {}[state.heap]\n",
        ENDING,
        "KeyError",
    ),
    "a game without an end": ("        state.heap -= self.count\n", "", ENDING, "there is no end after 500 entries"),
    "an end without an outcome": (
        '            state.end(Outcome.by_points(state.totals(), "last_stick", "NAME:END-1"))\n',
        "",
        "Legal play breaks no rule and comes to a known end",
        "nothing is legal any more, and the game has no outcome",
    ),
    "notation that is not read back": (
        'return f"{move.count}" if',
        'return f"{4 - move.count}" if',
        "What is written in notation is read back",
        "is read as another move",
    ),
    "notation that raises": (
        'count = self._number(1, 3, "expected a number from 1 to 3 here")',
        "count = int(self._peek())\n        self._word()",
        "Any text is read as a sound move or refused with a place",
        "ValueError",
    ),
    "a field that is not saved": (
        "    def to_move(self)",
        "    def dump(self) -> JSON:\n        return {'heap': self.heap}\n\n    def to_move(self)",
        "States survive being saved",
        "it loads as another state",
    ),
    "a copy that is the state": (
        "    def to_move(self)",
        "    def copy(self) -> Self:\n        return self\n\n    def to_move(self)",
        "A copy shares nothing that changes",
        "ImpossibleError",
    ),
    "points without a rule": (
        '"last stick", "NAME:END-1", self.won',
        '"last stick", "NAME:END-7", self.won',
        "Every score is the sum of lines that cite a rule and an entry",
        "cites no rule or entry",
    ),
    "an effect without a sentence": (
        '        "sticks.taken": "{seat} took {count}",\n',
        "",
        "Every effect has a sentence and a rule",
        "sticks.taken is none of the kinds",
    ),
    "a rule that nobody wrote down": (
        "NAME:TURN-1",
        "NAME:TURN-9",
        "The code cites the rules of the rulebook",
        "NAME:TURN-9 is cited, and not in RULES.md",
    ),
    "a picture with a script": (
        "parts = [svg.text(",
        'parts = ["<script/>", svg.text(',
        "A picture is one safe document with words",
        "the picture holds more than a drawing",
    ),
    "another course of a recorded game": (
        'Effect("sticks.taken", "NAME:TURN-2", self.seat, count=self.count)',
        'Effect("sticks.taken", "NAME:TURN-2", self.seat)',
        "Recorded games fold as expected",
        "first.ndjson, line 1: ",
    ),
    "a move that is allowed and not listed": (
        "for count in (1, 2, 3):",
        "for count in (1, 2):",
        "Every move that is not listed breaks a rule or is impossible",
        "is not listed, breaks no rule and can be made",
    ),
    "points that nobody scored": (
        'ScoreLine(self.winner, 1, "last stick"',
        'ScoreLine(self.winner, 2, "last stick"',
        SCORES,
        'first.txt, line 7: [Score "0:1"] is stated, and the rules make 0:2: '
        "Player2 has 2, not 1: 2 last stick (entry 4, NAME:END-1)",
    ),
    "partners with different ranks": (
        "    heap: int",
        "    @property\n    def teams(self) -> tuple[int, ...]:\n        return (0, 0)\n\n    heap: int",
        "Legal play breaks no rule and comes to a known end",
        "the players of a team have different ranks: (",
    ),
    "a seat without a team": (
        "    heap: int",
        "    @property\n    def teams(self) -> tuple[int, ...]:\n        return (0,)\n\n    heap: int",
        "A state knows how many play",
        "the state of a game for 2 seats has `teams` (0,): name a team for each seat",
    ),
    "an option without any effect": (
        'heap=int(options["heap"])',
        "heap=12",
        "An option is kept in the state",
        "the option heap has no effect: all its choices open the same state",
    ),
    "a description that changes the state": (
        '    return {"to_move": state.to_move(), "heap"',
        '    state.won = -9\n    return {"to_move": state.to_move(), "heap"',
        LOOKING,
        "`describe` changed the state: won is -9 instead of ",
    ),
    "a picture that changes the state": (
        "    parts = [svg.text(",
        "    state.won = -9\n    parts = [svg.text(",
        LOOKING,
        "`picture` changed the state: won is -9 instead of ",
    ),
    "notation that changes the state": (
        '    return f"{move.count}" if',
        '    state.won = -9\n    return f"{move.count}" if',
        LOOKING,
        "`notation` of Take(seat=0, count=",
    ),
    "players together with different ranks": (
        "    heap: int",
        "    @property\n    def wins(self) -> Literal['cooperative']:\n        return 'cooperative'\n\n    heap: int",
        "Legal play breaks no rule and comes to a known end",
        "all play together, with different ranks: (",
    ),
    "a win together where each plays alone": (
        'Outcome.by_points(state.totals(), "last_stick", "NAME:END-1")',
        'Outcome((1, 1), (0, 1), "last_stick", "NAME:END-1", together=True)',
        "Legal play breaks no rule and comes to a known end",
        "all have won `together`, and `wins` of the state is not `cooperative`",
    ),
    "players together who draw in place of a win": (
        "    heap: int",
        "    @property\n    def wins(self) -> Literal['cooperative']:\n        return 'cooperative'\n\n"
        "    def totals(self) -> list[int]:\n        return [1, 1] if self.winner is not None else [0, 0]\n\n"
        "    heap: int",
        "Legal play breaks no rule and comes to a known end",
        "the outcome does not say `together=True`",
    ),
    "entries that must follow each other": (
        "        state.heap -= self.count\n",
        "        if 1 < state.won < state.version - 1:\n            raise RuntimeError('a gap')\n"
        "        state.won = state.version\n        state.heap -= self.count\n",
        CORRECTED,
        "RuntimeError: a gap",
    ),
}


CARD_FAULTS: dict[str, tuple[str, str, str, str]] = {
    "a hand that everybody sees": (
        "twin.hands[seat] = hand.seen_by_others()",
        "twin.hands[seat] = hand.copy()",
        "A view is what one could record who saw only that",
        "the view of public is not what it saw: hands[0] is Hand(known=[",
    ),
    "a hand that the record does not see": (
        "        twin = self.copy()\n",
        "        twin = self.copy()\n        twin.hands[0] = self.hands[0].seen_by_others()\n",
        "The record sees everything",
        "something is hidden from the record: hands[0] is Hand(known=[], unknown=3, open=[], peeked=[]) instead of",
    ),
    "moves that follow from a hidden hand": (
        "                twin.hands[seat] = hand.seen_by_others()\n",
        "                twin.hands[seat] = hand.seen_by_others()\n                twin.pile = []\n",
        "A view is what one could record who saw only that",
        "the view of public is not what it saw: pile is [] instead of ['",
    ),
    "seats that the state does not know": (
        '    seats=range(2, 3),\n    seat_names=(Title("Player 1", "1番"), Title("Player 2", "2番")),\n',
        '    seats=range(2, 4),\n    seat_names=tuple(Title(f"Player {seat}", f"{seat}番") for seat in (1, 2, 3)),\n',
        "A state knows how many play",
        "the state of a game for 3 seats has `seats` 2: give it the property `seats`",
    ),
    "a drawn card that everybody sees": (
        "return self if viewpoint.sees(self.seat) else msgspec.structs.replace(self, card=None)",
        "return self",
        "A view is what one could record who saw only that",
        "the view of public is not what it saw",
    ),
    "a drawn card in an effect": (
        'Effect("card.drawn", "NAME:DRAW-1", self.seat), *end_turn(state)',
        'Effect("card.drawn", "NAME:DRAW-1", self.seat, (self.card or "?",)), *end_turn(state)',
        "A view is what one could record who saw only that",
        "public learns other effects",
    ),
    "a seat that knows more and is not named": (
        '        """Only the player knows more of the draw than the public."""\n        return (self.seat,)',
        '        """Only the player knows more of the draw than the public."""\n        return ()',
        "A seat that sees more of a move is named by what everybody sees",
        "and does not keep it",
    ),
    "a card that is listed although the hand seen from elsewhere cannot have it": (
        "for card in CARDS if state.may_hold(state.active, card)",
        'for card in CARDS if state.may_hold(state.active, card) or (card == "ant" and not state.hands[0].known)',
        "Every legal move can be made",
        "is legal, seen by ",
    ),
    "a card that can be played from any hand": (
        "for card in CARDS if state.may_hold(state.active, card)",
        "for card in CARDS",
        ENDING,
        "ImpossibleError",
    ),
    "a turn that stays with the first seat": (
        'return None if self.ending or self.step == "deal" else self.active',
        'return None if self.ending or self.step == "deal" else 0',
        "The seat on turn has a legal move",
        "seat 0 is on turn, but only seat 1 has moves",
    ),
    "a policy that raises": (
        "    moves = list(state.legal_moves())\n",
        "    moves = state.legal_moves()[:]\n",
        POLICY,
        "the policy raises TypeError: 'generator' object",
    ),
    "a policy that picks nothing": (
        "    moves = list(state.legal_moves())\n",
        "    moves = [move for move in state.legal_moves() if isinstance(move, Play)]\n",
        POLICY,
        "the policy picks no move, and Deal(",
    ),
    "a policy that breaks a rule": (
        "    moves = list(state.legal_moves())\n",
        "    moves = list(state.legal_moves())\n    if isinstance(moves[0], Draw):\n"
        "        return Draw(seat=1 - moves[0].seat)\n",
        POLICY,
        "which breaks it is not player",
    ),
    "a policy that plays a card that it does not have": (
        "    moves = list(state.legal_moves())\n",
        "    moves = list(state.legal_moves())\n    if isinstance(moves[0], Play):\n"
        "        return Play(seat=state.active, card=(set(CARDS) - set(state.hands[state.active].known)).pop())\n",
        POLICY,
        "is legal for the policy, and cannot be",
    ),
    "a policy that changes the state": (
        "    moves = list(state.legal_moves())\n",
        "    moves = list(state.legal_moves())\n    state.pile.append('ant')\n",
        POLICY,
        "the policy changed the state: pile is ['ant'] instead of []",
    ),
    "a policy with a chance of its own": (
        "    moves = list(state.legal_moves())\n",
        "    moves = list(state.legal_moves())\n    GONE.append(1)\n"
        "    moves = moves[: len(moves) - len(GONE) % 2] or moves\n",
        POLICY,
        "with the same chance the policy picks Play(",
    ),
    "cards of a pile that are not located": (
        "*self.hands[1].known, *self.pile]",
        "*self.hands[1].known]",
        "A card that lies in a list of the state is located",
        "is in `pile` 1 times, and in `located_cards` 0 times",
    ),
    "cards of a hand that are not located": (
        "*self.hands[1].known, *self.pile]",
        "*self.pile]",
        "A card that lies in a list of the state is located",
        "is in `hands` ",
    ),
    "equal cards that score": (
        "VALUE[self.card] > VALUE[state.pile[-1]]",
        "VALUE[self.card] >= VALUE[state.pile[-1]]",
        SCORES,
        '[Score "12:9"] is stated, and the rules make 12:11: Player2 has 11, not 9: ',
    ),
}


RARE = {"a change before it is refused", "a copy that is the state"}
"""Faults that two games do not show."""


class Bench:
    """Packages that are laid out in a folder on the path, and known by their names."""

    def __init__(self, site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.site, self._patch = site, monkeypatch

    def add(self, name: str, old: str = "", new: str = "", *, cards: bool = False) -> Ruleset:
        """The ruleset that `kifu rulesets new` lays out, with a change in its code."""
        write_skeleton(name, self.site, cards=cards)
        module = self.site / name / "__init__.py"
        text = module.read_text(encoding="utf-8")
        assert old.replace("NAME", name) in text
        text = text.replace(old.replace("NAME", name), new.replace("NAME", name)) if old else text
        module.write_text(text.replace("\nHELP =", "\nGONE = []\nHELP ="), encoding="utf-8")
        importlib.invalidate_caches()
        found: Ruleset = getattr(importlib.import_module(name), name.upper())
        self._patch.setitem(RULESETS, name, found)
        return found


@pytest.fixture
def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Bench]:
    before = set(sys.modules)
    monkeypatch.syspath_prepend(tmp_path / "site")
    yield Bench(tmp_path / "site", monkeypatch)
    for name in set(sys.modules) - before:
        del sys.modules[name]
    plays.random_game.cache_clear()
    plays.random_game_with_rulings.cache_clear()


@pytest.fixture(autouse=True)
def brief(monkeypatch: pytest.MonkeyPatch) -> None:
    """Games of two settings show what games of all would. No game is corrected, and no other process plays."""
    monkeypatch.setattr(report, "option_settings", lambda ruleset: plays.option_settings(ruleset)[:2])
    monkeypatch.setattr(checking, "SETTINGS", 0)
    monkeypatch.setattr(plays, "ENDLESS", 500)


@pytest.fixture
def at_length(brief: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Games are corrected, and other processes play, as they do for those who write a ruleset."""
    monkeypatch.setattr(checking, "SETTINGS", SETTINGS)


def broken(said: str) -> dict[str, str]:
    """The promises that a report says are broken, with all that it says of each."""
    parts = re.split(r"^(kept|broken) +(.*)\n", said, flags=re.MULTILINE)[1:]
    return {name: rest for kind, name, rest in zip(*[iter(parts)] * 3, strict=True) if kind == "broken"}


@pytest.mark.usefixtures("at_length")
def test_a_ruleset_that_is_laid_out_keeps_every_promise(kifu, bench):
    bench.add("pile_up")
    output = kifu("rulesets", "check", "pile_up")
    kept = re.findall(r"^kept +(.*)$", output, re.MULTILINE)
    assert {sentence_of(promise) for promise in PROMISES} | {CORRECTED, ELSEWHERE, ENDING} <= set(kept)
    assert f"pile_up keeps all {len(kept)} promises." in output
    assert re.search(r"Replayed at [0-9,]+ entries a second\.", output)


@pytest.mark.usefixtures("at_length")
def test_a_card_game_that_is_laid_out_keeps_every_promise(kifu, bench):
    bench.add("menagerie", cards=True)
    output = kifu("rulesets", "check", "menagerie", "--games", "30")
    assert "menagerie keeps all" in output
    assert "not reached: adjudicated, resigned" in output


@pytest.mark.parametrize("fault", [*FAULTS, *CARD_FAULTS])
def test_a_fault_that_is_planted_in_a_ruleset_is_named_with_a_game_that_shows_it(
    kifu, bench, request, monkeypatch, fault
):
    """Of the promises, the one that it breaks is tried: sound rulesets are tried by all."""
    old, new, promise, why = (FAULTS | CARD_FAULTS)[fault]
    monkeypatch.setattr(report, "PROMISES", [each for each in PROMISES if sentence_of(each) == promise])
    name = re.sub("[^a-z]", "_", fault)[:40]
    if promise in {CORRECTED, ELSEWHERE}:
        request.getfixturevalue("at_length")
    bench.add(name, old, new, cards=fault in CARD_FAULTS)
    done = kifu.run("rulesets", "check", name, "--games", 6 if fault in RARE else 2)
    assert done.exit_code == 1
    found = broken(done.stdout)
    assert why.replace("NAME", name) in " ".join(found[promise].split())
    if "played with" in found[promise]:
        assert re.search(r"played with setting \d, seed \d+", found[promise])
        assert name in found[promise].partition("played with")[2]
    assert f"{name} breaks {len(found)} promise" in done.stderr


@pytest.mark.parametrize(
    ("old", "new", "gaps"),
    [
        ("dict.fromkeys(CARDS, 3)", "dict.fromkeys(CARDS, 5)", "not said: 20 cards, 5 of a kind (unsaid:SET-1)"),
        ("terms=CARDS", 'terms=("ant", "cat", "dog")', "without a term: bee"),
        ('heap=int(options["heap"])', 'heap=12, won=int(options["heap"])', "without effect: heap=8"),
    ],
)
def test_what_random_games_do_not_show_is_named_and_is_no_fault(bench, monkeypatch, old, new, gaps):
    """Numbers of cards that the rule does not say, a name without translation, an option that nothing reads."""
    monkeypatch.setattr(report, "PROMISES", [])
    found = bench.add("unsaid", old, new, cards="options" not in old)
    verdicts = list(report.examine(found, 2))
    assert gaps in [verdict.gaps for verdict in verdicts if verdict.is_kept]


def test_a_view_that_leaks_is_named(bench, monkeypatch):
    monkeypatch.setattr(report, "option_settings", lambda ruleset: plays.option_settings(ruleset)[:1])
    monkeypatch.setattr(KahunaState, "view", lambda state, _: state.copy())
    found = {verdict.promise for verdict in report.examine(KAHUNA, 1) if not verdict.is_kept}
    assert found == {
        "A view is what one could record who saw only that",
        "What is offered tells nobody what he may not know",
    }


def test_the_game_that_is_told_breaks_the_promise_again_when_it_is_replayed(kifu, bench):
    bench.add(
        "raising", "        state.heap -= self.count\n", "        state.heap -= self.count\n        5 // state.heap\n"
    )
    found = broken(kifu.run("rulesets", "check", "raising").stdout)[ENDING]
    record = "".join(
        f"{line.strip()}\n"
        for line in found.partition("rulings:\n" if "rulings:\n" in found else ":\n")[2].splitlines()
    )
    assert '[Ruleset "raising"]' in record
    setting, seed = re.search(r"setting (\d), seed (\d+)", found).groups()
    again = kifu.run("rulesets", "check", "raising", "--games", "1", "--seed", seed)
    assert f"setting {setting}, seed {seed}" in again.stdout


def test_the_report_is_json_on_demand(kifu, bench):
    bench.add("piles")
    output = json.loads(kifu("rulesets", "check", "piles", "--json", "--games", "1"))
    assert output["kept"] is True
    assert output["moves_per_second"] > 0
    assert {"promise": ENDING, "findings": []} in output["promises"]


def test_what_is_expected_of_recorded_games_is_written_down_on_demand(kifu, bench):
    bench.add("piling")
    expected = bench.site / "piling" / "goldens" / "first.ndjson"
    text = expected.read_text(encoding="utf-8")
    expected.unlink()
    assert "first.ndjson is not there" in kifu.run("rulesets", "check", "piling", "--games", "1").stdout
    kifu("rulesets", "check", "piling", "--games", "1", "--write")
    assert expected.read_text(encoding="utf-8") == text


def test_the_score_that_a_game_states_is_never_written_by_a_program(kifu, bench):
    bench.add("scored", '1, "last stick"', '2, "last stick"')
    transcript = bench.site / "scored" / "goldens" / "first.txt"
    text = transcript.read_text(encoding="utf-8")
    done = kifu.run("rulesets", "check", "scored", "--games", "1", "--write")
    assert done.exit_code == 1
    assert list(broken(done.stdout)) == [SCORES]
    assert transcript.read_text(encoding="utf-8") == text
    without = text.replace('[Score "0:1"]\n', "")
    transcript.write_text(without, encoding="utf-8")
    kifu("rulesets", "check", "scored", "--games", "1", "--write")
    assert transcript.read_text(encoding="utf-8") == without


@pytest.mark.parametrize(
    ("old", "stated", "computed"),
    [
        ('[Result "Player2"]', '[Result "Player1"]', "Player2"),
        ('[Termination "last_stick"]', '[Termination "resigned"]', "last_stick"),
    ],
)
def test_a_winner_or_an_ending_that_a_game_states_wrongly_is_named(kifu, bench, old, stated, computed):
    """They are written by hand, and --write leaves them: so a rule that lets the wrong player win is noticed."""
    bench.add("wrong_end")
    transcript = bench.site / "wrong_end" / "goldens" / "first.txt"
    text = transcript.read_text(encoding="utf-8")
    assert old in text
    transcript.write_text(text.replace(old, stated), encoding="utf-8")
    found = broken(kifu.run("rulesets", "check", "wrong_end", "--games", "1", "--write").stdout)
    assert f"{stated} is stated, and the rules make {computed}" in found[SCORES]


def test_an_option_that_a_recorded_game_states_in_a_wrong_way_is_named(kifu, bench):
    """The game was played with the default, and nobody was told."""
    bench.add("wrong_option")
    transcript = bench.site / "wrong_option" / "goldens" / "first.txt"
    text = transcript.read_text(encoding="utf-8")
    transcript.write_text(text.replace("[Seats", '[Option "heap=8"]\n[Seats'), encoding="utf-8")
    found = broken(kifu.run("rulesets", "check", "wrong_option", "--games", "1").stdout)
    assert 'first.txt, line 3: nothing reads [Option …]; an option is stated as [Option.name "value"]' in found[SCORES]


@pytest.mark.parametrize("stated", ["0", "0:1:0", "", "0:one"])
def test_a_stated_score_that_is_no_score_of_the_seats_is_named(kifu, bench, stated):
    bench.add("wrong_score")
    transcript = bench.site / "wrong_score" / "goldens" / "first.txt"
    text = transcript.read_text(encoding="utf-8").replace('"0:1"', f'"{stated}"')
    transcript.write_text(text, encoding="utf-8")
    found = broken(kifu.run("rulesets", "check", "wrong_score", "--games", "1").stdout)
    assert f'line 7: [Score "{stated}"] is stated' in found[SCORES]


def test_a_recorded_game_that_the_rules_refuse_is_named_with_its_line(kifu, bench):
    """So it is after a change of the rules. --write leaves its results, and writes those of others."""
    bench.add("refused")
    folder = bench.site / "refused" / "goldens"
    text = (folder / "first.txt").read_text(encoding="utf-8")
    (folder / "first.txt").write_text(f"{text}\n9\n", encoding="utf-8")
    (folder / "second.txt").write_text(text, encoding="utf-8")
    expected = (folder / "first.ndjson").read_text(encoding="utf-8")
    done = kifu.run("rulesets", "check", "refused", "--games", "1", "--write")
    assert done.exit_code == 1
    line = len(text.splitlines()) + 2
    assert f"        first.txt, line {line}: 9: " in broken(done.stdout)["Recorded games fold as expected"]
    assert "it raised" not in done.stdout
    assert (folder / "first.ndjson").read_text(encoding="utf-8") == expected
    assert (folder / "second.ndjson").read_text(encoding="utf-8") == expected


def test_endings_and_rules_that_no_recorded_game_reaches_are_named(kifu, bench):
    bench.add("unreached")
    output = json.loads(kifu("rulesets", "check", "unreached", "--json", "--games", "1"))
    gaps = [verdict["not_reached"] for verdict in output["promises"] if "not_reached" in verdict]
    assert gaps == [["adjudicated", "resigned"], ["unreached:TURN-1", "unreached:RULING"], [], [], []]
    assert "not reached: adjudicated, resigned" in kifu("rulesets", "check", "unreached", "--games", "1")


def test_a_name_that_is_no_ruleset_leads_to_what_is_meant(kifu, tmp_path):
    for named in (("show", "uno"), ("uno",)):
        assert "  UNO: kifu open scoresheet --option template=uno" in kifu.fails("rulesets", *named)
    assert "  Kahuna: kifu rulesets kahuna" in kifu.fails("rulesets", "kahuma")
    told = kifu.fails("rulesets", "sheet", "uno", tmp_path / "uno.html")
    assert "  UNO: kifu rulesets sheet scoresheet FILE --template uno" in told
    assert not (tmp_path / "uno.html").exists()


def test_an_unknown_ruleset_cannot_be_checked(kifu):
    assert "no ruleset 'go'; choose one of kahuna" in kifu.fails("rulesets", "check", "go")


def test_reversi_keeps_every_promise_and_is_short(kifu, monkeypatch):
    monkeypatch.setitem(RULESETS, "reversi", reversi())
    monkeypatch.setattr(checking, "CORRECTIONS", 1)
    monkeypatch.setattr(checking, "SETTINGS", 1)
    assert "reversi keeps all" in kifu("rulesets", "check", "reversi", "--games", "1")
    assert sum(len(path.read_text(encoding="utf-8").splitlines()) for path in EXAMPLE.rglob("*.py")) <= 250


def test_a_ruleset_of_another_package_is_shown_and_played_as_any_other(kifu, monkeypatch):
    monkeypatch.setitem(RULESETS, "reversi", reversi())
    assert "リバーシ" in kifu("rulesets")
    shown = kifu("rulesets", "reversi")
    assert shown == kifu("rulesets", "show", "reversi")
    assert "reversi:TURN-2" in shown
    kifu("open", "reversi", "--black", "Anna", "--white", "Ben")
    assert "Black turned e5" in kifu("record", "last", "-", stdin="f5\nf6\n")
    assert "white turns no disc from a1" in kifu.run("record", "last", "-", stdin="e6\na1\n").output
    assert "reversi:END-2" in kifu("score", "last")


@pytest.mark.parametrize("game", [(), ("--cards",)])
def test_a_package_is_laid_out_and_named_as_its_ruleset(kifu, tmp_path, monkeypatch, game):
    monkeypatch.chdir(tmp_path)
    output = kifu("rulesets", "new", "four_heaps", *game).splitlines()
    assert "kifu-four-heaps/four_heaps/__init__.py" in output
    folder = tmp_path / "kifu-four-heaps"
    assert sorted(output) == sorted(str(path.relative_to(tmp_path)) for path in folder.rglob("*") if path.is_file())
    text = "".join(path.read_text(encoding="utf-8") for path in folder.rglob("*") if path.is_file())
    assert not re.search("my_?game", text, re.IGNORECASE)
    assert f"class FourHeapsState({'Card' * bool(game)}State" in text
    assert json.loads(kifu("rulesets", "new", "five", "elsewhere", "--json"))["folder"] == "elsewhere"
    checked = subprocess.run(
        [sys.executable, "-m", "ruff", "check", "--isolated", "--line-length=120", "--ignore=I001", folder], check=False
    )
    assert checked.returncode == 0


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("Go",), "a ruleset cannot be called 'Go': use at most 40 small letters"),
        (("kahuna",), "a ruleset already has this name"),
        (("class",), "the name means something else in Python here"),
        (("json",), "the name means something else in Python here"),
        (("heaps", "taken"), "taken is there already"),
        (("heaps", "taken/file"), "taken/file is there already"),
    ],
)
def test_nothing_is_laid_out_over_what_is_there(untouched, tmp_path, monkeypatch, words, why):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "taken").mkdir()
    (tmp_path / "taken" / "file").write_text("mine", encoding="utf-8")
    assert why in untouched.fails("rulesets", "new", *words)
    assert [path.name for path in tmp_path.iterdir()] == ["taken"]
