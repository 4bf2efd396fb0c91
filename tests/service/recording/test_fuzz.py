"""Any line, typed or sent, over the real way in: what is taken can be read, exported, imported and taken back.

The lines are made by the grammar of each notation from legal moves, then mutated, or made to do harm.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from contextlib import suppress
from itertools import islice, zip_longest
from typing import TYPE_CHECKING, Any

import pytest

from games import adjustments
from games.errors import NotationError
from games.examination.plays import option_settings, random_adjustment
from games.playout import playout
from games.rulesets import RULESETS
from projections.history import Segment
from tests.service.entries import entry

if TYPE_CHECKING:
    from collections.abc import Iterator

    from werkzeug.test import TestResponse

    from projections.fold import Fold
    from tests.service.conftest import Api

TRIES = 10
OVERRIDE = {"override": {"reason": "it happened"}}
SIGNS = [*" ?-+/():;,.=#!><*x0", "９", "٣", "→", "\u202e", "\x00", "\ud800", '"', "99999999999999999999", "null", "-1"]
NDJSON = "application/x-ndjson"


class Fuzz:
    """A game into which anything is entered."""

    def __init__(self, api: Api, elsewhere: Api, name: str, seed: int) -> None:
        self.api, self.elsewhere, self.ruleset = api, elsewhere, RULESETS[name]
        self.chance = random.Random(f"{name} {seed}")
        self.archive = api.app.context.archive
        options = self.chance.choice(option_settings(self.ruleset))
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
        state = self.fold.copy().state
        before = state.copy()
        for number, (move, _) in enumerate(playout(state, self.chance)):
            yield before.notation(move)
            before = state.copy()
            if number > 250:
                return

    # What is entered

    def play_on(self, moves: int) -> None:
        """Play by the rules for a while, all in one request."""
        state = self.fold.copy().state
        lines: list[dict[str, Any]] = []
        before = state.copy()
        for move, _ in islice(playout(state, self.chance), moves):
            lines.append(entry("move.made", move=before.notation(move)))
            before = state.copy()
        if lines:
            answer = self.api.post(f"/v1/games/{self.game}/events", {"events": lines})
            assert answer.status_code == 201, answer.text

    def happen(self) -> None:
        """Enter something, and look at what has become of the game if it was taken."""
        way = self.chance.choice(["play", "insert", "replace", "rule"] + ["type"] * 12)
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
        state = self.fold.state
        moves = list(state.legal_moves())
        if not moves:
            return self._type()
        kind = self.chance.choice(list({type(move): None for move in moves}))
        move = self.chance.choice([move for move in moves if type(move) is kind])
        if self.chance.random() < 0.8:
            move = state.sample_chance(move, self.chance)
        return "move.made", {"move": state.notation(move)}

    def _type(self) -> tuple[str, dict[str, Any]]:
        return "move.made", {"move": self._line()}

    def _insert(self) -> tuple[str, dict[str, Any]]:
        return "entry.inserted", {"move": self._line(), "after": self._entry()} | self._choice()

    def _replace(self) -> tuple[str, dict[str, Any]]:
        return "entry.replaced", {"move": self._line(), "entry": self._entry()} | self._choice()

    def _rule(self) -> tuple[str, dict[str, Any]]:
        form = self.chance.choice(self.ruleset.adjustments)
        line = adjustments.write(self.ruleset, random_adjustment(self.ruleset, form, self.fold.seats, self.chance))
        after = {"after": self._entry()} | self._choice() if self.chance.random() < 0.3 else {}
        return "ruling.given", {"reason": "decided", "adjustments": [self._mutated(line)]} | after

    def _line(self) -> str:
        """A line that is legal now, or was at some moment of some game, and mostly something else since.

        Lines are of one kind that begin alike; of the many of a kind, long ones are taken more often.
        """
        state = self.fold.state
        kinds: dict[tuple[str, ...], list[tuple[int, Any]]] = {}
        for move in state.legal_moves():
            words = state.notation(move).split()
            kinds.setdefault(tuple(words[:2]), []).append((len(words), move))
        if not kinds or self.chance.random() < 0.2:
            return self._parsed(self.chance.choice(self.lines))
        some = self.chance.choices(self.chance.choice(list(kinds.values())), k=3)
        _, move = max(some, key=lambda found: found[0])
        if self.chance.random() < 0.5:
            move = state.sample_chance(move, self.chance)
        return self._parsed(state.notation(move))

    def _parsed(self, line: str) -> str:
        """The line mutated, mostly so that it still reads as a move."""
        state, patient = self.fold.state, self.chance.random() < 0.8
        for _ in range(TRIES):
            mutated = self._mutated(line)
            with suppress(NotationError):
                if not patient or (state.parse(mutated) and mutated != line):
                    return mutated
        return mutated

    def _mutated(self, line: str) -> str:
        words = line.split(" ")
        for _ in range(self.chance.choice([0, 1, 1, 1, 2, 3])):
            at = self.chance.randrange(len(words))
            match self.chance.randrange(11):
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
                case 6 | 7 | 8:
                    words = self._longer(words)
                case 9:
                    words[at] = words[at][: len(words[at]) // 2] + self.chance.choice(SIGNS) + words[at][-1:]
                case _:
                    words.insert(at, self.chance.choice(SIGNS))
        return " ".join(words)[:4000]

    def _longer(self, words: list[str]) -> list[str]:
        """A line with more in some of its lists: the last thing again, and again."""
        more = []
        for word, following in zip_longest(words, words[1:], fillvalue=""):
            more.append(word)
            if word.strip("()")[-1:].isalnum() and not following[:1].isalnum():
                more += [word] * self.chance.choice([0, 0, 1, 2, 3])
        return more

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
        assert Segment.of_game(events).run_to_end().dump() == self.fold.dump()
        for part in ("state", "timeline?limit=1000&after=" + str(max(0, self.fold.version - 5))):
            assert self.api.get(f"/v1/games/{self.game}/{part}").status_code == 200

    def take_back(self, kind: str, before: bytes) -> None:
        """The last entry can always be taken back, and then the game is what it was."""
        version = self.fold.version
        data: dict[str, Any] = {"ruling": version} if kind == "ruling.given" else {"entry": version}
        undo = "ruling.revoked" if kind == "ruling.given" else "entry.withdrawn"
        if self.chance.random() < 0.8:
            assert self.send(undo, data, dry=True).status_code == 200
            return
        answer = self.send(undo, data)
        assert answer.status_code == 201, answer.text
        was, now = (state.dump() for state in (self._load(before).state, self.fold.state))
        assert was | {"version": 0} == now | {"version": 0}
        assert self.send("entry.withdrawn", {"entry": version + 1}).status_code == 201
        self.look()

    def _load(self, dump: bytes) -> Fold:
        return type(self.fold).load(self.game, 1, "", dump)

    def check_advice(self, kind: str, data: dict[str, Any], refusal: TestResponse) -> None:
        """An override is advised if it helps. Else the answer says why not, also to a sender who tries one."""
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
        assert self.elsewhere.app.context.archive.folds.current(self.game).dump() == self.fold.dump()
        text = self.api.get(f"/v1/games/{self.game}/export?format=text")
        again = self.elsewhere.post("/v1/imports", data=text.data, content_type="text/plain")
        assert again.status_code == 201, (text.text, again.text)
        copy = self.elsewhere.app.context.archive.folds.current(again.get_json()["game"])
        assert copy.totals() == self.fold.totals()


FITS_NOT = {"/problems/conflict", "/problems/bad-correction"}
"""What can be wrong with a correction if its own move is possible."""


def fuzz(api: Api, elsewhere: Api, name: str, seed: int, *, games: int, steps: int) -> None:
    """Play some games on to where much can be done, and enter anything from there on."""
    taken: Counter[str] = Counter()
    for number in range(games):
        game = Fuzz(api, elsewhere, name, seed * 1000 + number)
        game.play_on(game.chance.randrange(120))
        for _ in range(steps):
            game.happen()
        game.transfer()
        taken.update(game.taken)
    assert games < taken.total() < games * steps


@pytest.mark.parametrize("name", RULESETS)
@pytest.mark.slow
def test_every_accepted_entry_can_be_read_exported_imported_and_taken_back(api: Api, elsewhere: Api, name: str) -> None:
    fuzz(api, elsewhere, name, 0, games=2, steps=12)


LONGER = {
    "Caravan": ["play Caravan ku ku ku > mu ou kd", "play Caravan ku ku ku ku > mu mu mu mu"],
    "Merchant": [
        "play Merchant 1ku 1ku 1ku > ou ou ou = mu > 1mu",
        "play Merchant 2mu 2mu 2mu 2mu > ku ku ku ku = kd > 2ou",
    ],
}


@pytest.mark.parametrize("card", LONGER)
@pytest.mark.slow
def test_a_card_that_is_played_for_more_than_it_gives_destroys_no_game(api: Api, elsewhere: Api, card: str) -> None:
    game = playable(api, elsewhere, card)
    for line in LONGER[card]:
        for kind, place in (("move.made", {}), ("entry.inserted", {"after": game.fold.version})):
            answer = game.send(kind, {"move": line} | place | OVERRIDE)
            assert answer.status_code in {201, 400, 422}, answer.text
            game.look()
    game.transfer()


def playable(api: Api, elsewhere: Api, card: str) -> Fuzz:
    """A card game at a moment at which this card can be played."""
    for seed in (28, 62, *range(80)):  # the first two were found by the others
        game = Fuzz(api, elsewhere, "catan_cards", seed)
        for _ in range(25):
            state = game.fold.state
            moves = state.legal_moves()
            if any(state.notation(move).startswith(f"play {card}") for move in moves):
                return game
            game.play_on(8)
    raise AssertionError(f"{card} is never played")


@pytest.mark.soak
@pytest.mark.parametrize("name", RULESETS)
@pytest.mark.parametrize("seed", range(1, 9))
def test_every_accepted_entry_of_long_games_stays_whole(api: Api, elsewhere: Api, name: str, seed: int) -> None:
    fuzz(api, elsewhere, name, seed, games=12, steps=40)
