"""Any line, typed or sent, over the real way in: what is taken can be read, exported, imported and taken back.

The lines are made by the grammar of each notation from legal moves, then mutated, or made to do harm.
"""

from __future__ import annotations

import json
import random
from typing import TYPE_CHECKING, Any

import pytest
from tests.games.settings import settings

from games import adjustments
from games.playout import playout
from games.rulesets import RULESETS
from projections.history import Stretch
from tests.games import rulings
from tests.service.entries import entry

if TYPE_CHECKING:
    from collections.abc import Iterator

    from werkzeug.test import TestResponse

    from projections.fold import Fold
    from tests.service.conftest import Api

OVERRIDE = {"override": {"reason": "it happened"}}
SIGNS = [*" ?-+/():;,.=#!><*x0", "９", "٣", "→", "\u202e", "\x00", "\ud800", '"', "99999999999999999999", "null", "-1"]
NDJSON = "application/x-ndjson"


class Fuzz:
    """A game into which anything is entered."""

    def __init__(self, api: Api, elsewhere: Api, name: str, seed: int) -> None:
        self.api, self.elsewhere, self.ruleset = api, elsewhere, RULESETS[name]
        self.chance = random.Random(f"{name} {seed}")
        self.archive = api.app.extensions["kifu"].archive
        options = self.chance.choice(settings(self.ruleset))
        self.game = api.open(ruleset=name, options=options, seats=[{}] * self.chance.choice(list(self.ruleset.seats)))
        self.lines = list(self._grammar())
        self.words = sorted({word for line in self.lines for word in line.split()})
        self.taken: dict[str, int] = {}

    @property
    def fold(self) -> Fold:
        fold: Fold = self.archive.folds.current(self.game)
        return fold

    def _grammar(self) -> Iterator[str]:
        """The lines of a random game under the same options."""
        fold = self.fold.copy()
        state, ruleset = fold.state, fold.ruleset
        before = ruleset.copy(state)
        for number, (move, _) in enumerate(playout(ruleset, state, self.chance)):
            yield ruleset.notation(before, move)
            before = ruleset.copy(state)
            if number > 250:
                return

    # What is entered

    def happen(self) -> None:
        """Enter something, and look at what has become of the game if it was taken."""
        way = self.chance.choice(["play"] * 4 + ["type"] * 8 + ["insert", "replace", "rule"])
        before = self.fold.dump()
        kind, data = getattr(self, f"_{way}")()
        if self.chance.random() < 0.6 and "move" in data:
            data |= OVERRIDE
        answer = self.send(kind, data)
        assert answer.status_code < 500, (data, answer.text)
        if answer.status_code == 201:
            self.taken[way] = self.taken.get(way, 0) + 1
            self.look()
            self.take_back(kind, before)
        elif answer.get_json()["type"].endswith("/rule-broken"):
            self.check_advice(kind, data, answer)

    def _play(self) -> tuple[str, dict[str, Any]]:
        """Something legal, so that the game goes on."""
        ruleset, state = self.ruleset, self.fold.state
        moves = list(ruleset.legal_moves(state))
        if not moves:
            return self._type()
        kind = self.chance.choice(list({type(move): None for move in moves}))
        move = self.chance.choice([move for move in moves if type(move) is kind])
        if self.chance.random() < 0.8:
            move = ruleset.fill_in(state, move, self.chance)
        return "move.made", {"move": ruleset.notation(state, move)}

    def _type(self) -> tuple[str, dict[str, Any]]:
        return "move.made", {"move": self._line()}

    def _insert(self) -> tuple[str, dict[str, Any]]:
        return "entry.inserted", {"move": self._line(), "after": self._entry()} | self._choice()

    def _replace(self) -> tuple[str, dict[str, Any]]:
        return "entry.replaced", {"move": self._line(), "entry": self._entry()} | self._choice()

    def _rule(self) -> tuple[str, dict[str, Any]]:
        form = self.chance.choice(self.ruleset.adjustments)
        line = adjustments.write(self.ruleset, rulings.draw(self.ruleset, form, self.fold.seats, self.chance))
        after = {"after": self._entry()} | self._choice() if self.chance.random() < 0.3 else {}
        return "ruling.given", {"reason": "decided", "adjustments": [self._mutated(line)]} | after

    def _line(self) -> str:
        """A line that was legal at some moment of some game, and mostly something else since."""
        legal = list(self.ruleset.legal_moves(self.fold.state)) or [None]
        move = self.chance.choice(legal)
        said = self.ruleset.notation(self.fold.state, move) if move else self.chance.choice(self.lines)
        line = said if self.chance.random() < 0.6 else self.chance.choice(self.lines)
        return self._mutated(line)

    def _mutated(self, line: str) -> str:
        words = line.split(" ")
        for _ in range(self.chance.choice([0, 1, 1, 1, 2, 3])):
            at = self.chance.randrange(len(words))
            match self.chance.randrange(8):
                case 0:
                    words[at:at] = [words[at]] * self.chance.choice([1, 1, 2, 2, 30])
                case 1 if len(words) > 1:
                    del words[at]
                case 2:
                    words[at] = self.chance.choice(self.words)
                case 3:
                    words.insert(at, self.chance.choice(self.words))
                case 4:
                    words[at] = words[at].translate(str.maketrans("123456789", "234567891"))
                case 5:
                    other = self.chance.randrange(len(words))
                    words[at], words[other] = words[other], words[at]
                case 6:
                    words[at] = words[at][: len(words[at]) // 2] + self.chance.choice(SIGNS) + words[at][-1:]
                case _:
                    words.insert(at, self.chance.choice(SIGNS))
        return " ".join(words)[:4000]

    def _entry(self) -> int:
        return self.chance.randint(1, self.fold.version)

    def _choice(self) -> dict[str, Any]:
        some = sorted({self._entry() for _ in range(2)})
        return self.chance.choice([{}, {"keep": "all", "withdraw": "all"}, {"withdraw": "all"}, {"withdraw": some}])

    # What is asked of it

    def send(self, kind: str, data: dict[str, Any], *, dry: bool = False) -> TestResponse:
        body = json.dumps({"events": [entry(kind, **data)]})  # which can say half a surrogate pair
        path = f"/v1/games/{self.game}/events?dry_run={str(dry).lower()}"
        return self.api.request("POST", path, data=body, content_type="application/json")

    def look(self) -> None:
        """The record, read anew from the disk, gives the game that is served."""
        events = list(self.archive.log.read(self.game))
        assert Stretch.whole(events).to_the_end().dump() == self.fold.dump()
        for part in ("state", "timeline?limit=1000&after=" + str(max(0, self.fold.version - 5))):
            assert self.api.get(f"/v1/games/{self.game}/{part}").status_code == 200

    def take_back(self, kind: str, before: bytes) -> None:
        """Whatever was entered last can be taken back, and then the game is what it was."""
        version = self.fold.version
        data: dict[str, Any] = {"ruling": version} if kind == "ruling.given" else {"entry": version}
        undo = "ruling.revoked" if kind == "ruling.given" else "entry.withdrawn"
        if self.chance.random() < 0.8:
            assert self.send(undo, data, dry=True).status_code == 200
            return
        answer = self.send(undo, data)
        assert answer.status_code == 201, answer.text
        was, now = (self.ruleset.dump(state) for state in (self._load(before).state, self.fold.state))
        assert was | {"version": 0} == now | {"version": 0}
        assert self.send("entry.withdrawn", {"entry": version + 1}).status_code == 201
        self.look()

    def _load(self, dump: bytes) -> Fold:
        return type(self.fold).load(self.game, 1, "", dump)

    def check_advice(self, kind: str, data: dict[str, Any], refusal: TestResponse) -> None:
        """An override is advised if it helps; else it is said why not, and said again to whoever sends one."""
        problem = refusal.get_json()
        if "override" in data:
            raise AssertionError(f"{data} was sent with an override already: {problem}")
        answer = self.send(kind, data | OVERRIDE, dry=True)
        found = answer.get_json()
        if "impossible" in problem:
            assert (answer.status_code, found["type"]) == (422, "/problems/impossible-move"), found
            assert found["detail"] == problem["impossible"]
            assert "does not help" in problem["advice"]
        else:
            assert answer.status_code == 200 or found["type"] in FITS_NOT, (data, problem, found)

    def transfer(self) -> None:
        """The whole record goes out and in again, as lines and as text."""
        exported = self.api.get(f"/v1/games/{self.game}/export").data
        answer = self.elsewhere.post("/v1/imports", data=exported, content_type=NDJSON)
        assert answer.status_code == 201, answer.text
        assert self.elsewhere.app.extensions["kifu"].archive.folds.current(self.game).dump() == self.fold.dump()
        text = self.api.get(f"/v1/games/{self.game}/export?format=text")
        again = self.elsewhere.post("/v1/imports", data=text.data, content_type="text/plain")
        assert again.status_code == 201, (text.text, again.text)
        copy = self.elsewhere.app.extensions["kifu"].archive.folds.current(again.get_json()["game"])
        assert copy.totals() == self.fold.totals()


FITS_NOT = {"/problems/conflict", "/problems/bad-correction"}
"""What can be wrong with a correction whose own move can be."""


def fuzz(api: Api, elsewhere: Api, name: str, seed: int, *, steps: int) -> dict[str, int]:
    game = Fuzz(api, elsewhere, name, seed)
    for _ in range(steps):
        game.happen()
    game.transfer()
    return game.taken


@pytest.mark.parametrize("name", RULESETS)
def test_whatever_is_taken_can_be_read_exported_imported_and_taken_back(api: Api, elsewhere: Api, name: str) -> None:
    taken = fuzz(api, elsewhere, name, 0, steps=60)
    assert taken["play"]
    assert taken["type"]


@pytest.mark.soak
@pytest.mark.parametrize("name", RULESETS)
@pytest.mark.parametrize("seed", range(1, 31))
def test_whatever_is_taken_stays_whole_at_length(api: Api, elsewhere: Api, name: str, seed: int) -> None:
    assert fuzz(api, elsewhere, name, seed, steps=250)
