"""Two records of one game that differ only in facts that a player may not know. Random events of a table make them."""

from __future__ import annotations

import re
import time
from hashlib import sha256
from typing import TYPE_CHECKING, Any
from unittest import mock

from uuid_utils import uuid7

import games.catan_cards.components
import games.kahuna.components
import games.manapani.components
import games.verraeter.components
from games.errors import BadMoveError
from games.examination.plays import give_ruling, option_settings
from games.rulesets import RULESETS
from projections.audit import audit
from projections.errors import ProjectionError
from projections.history import Corrections
from service.access.scopes import OF_A_SEAT, PLAYER
from tests.service.conftest import Api, Guest
from tests.service.entries import fold_before

if TYPE_CHECKING:
    import random
    from collections.abc import Callable, Iterator
    from contextlib import AbstractContextManager

    from werkzeug.test import TestResponse

    from games.contract import Adjustment, Move, Viewpoint
    from projections.fold import Fold

CARDS: dict[str, tuple[str, ...]] = {
    "kahuna": games.kahuna.components.ISLANDS,
    "verraeter": (*games.verraeter.components.ACTIONS, *games.verraeter.components.COPIES),
    "manapani": games.manapani.components.CARDS,
    "catan_cards": games.catan_cards.components.CARDS,
}
"""The cards that a player may hold, for every ruleset with hidden cards."""

NOTED = 3
"""The most cards of a note."""
TRIES = 8
OVERRIDE = {"override": {"reason": "it happened"}}


TAGGED = re.compile(r'(?<=-)[0-9a-f]{16}(?=\\")')
"""The digest in an ETag. It can be ignored: the answer itself is compared."""


CODE = re.compile(r'<div class="qr">.*?</svg>', re.DOTALL)
"""The picture (QR code) of the address of a game."""

AT_RANDOM = re.compile(
    r'\b[0-9a-f]{64}\b|(?<="salt":")[0-9a-f]{32}|(?<="id":")[0-9a-f-]{36}|(?<=name="id" value=")[0-9a-f-]{36}'
)
"""Hashes, salts and ids, even the id that a form would give to the next game."""

WHILE = re.compile(r"\b\d+ (min \d+ s|h \d+ min)\b")
"""The duration of turns, which depends on the clock and not on cards."""


def plain_tag(answer: TestResponse) -> str | None:
    """The version in an answer's ETag, if the rest is only a digest of the body and possibly its time."""
    before, _, digest = answer.headers.get("ETag", "").strip('"').rpartition("-")
    if len(digest) < 16 or not sha256(answer.data).hexdigest().startswith(digest):
        return None
    return before.partition("-")[0]


def with_stopped_clock() -> AbstractContextManager[object]:
    """Stop the clock, so that both games have the same durations on a slow machine, too."""
    return mock.patch.object(time, "time_ns", return_value=time.time_ns())


class Twins:
    """Two games with the same events for `viewpoint`. `apart` counts the events that really differ."""

    def __init__(self, api: Api, name: str, viewpoint: Viewpoint, chance: random.Random) -> None:
        self.api, self.ruleset, self.viewpoint, self.chance = api, RULESETS[name], viewpoint, chance
        self.folds = api.app.context.archive.folds
        options = chance.choice(option_settings(self.ruleset))
        seats = chance.choice([n for n in self.ruleset.seats if viewpoint.seat is None or viewpoint.seat < n])
        with with_stopped_clock():
            self.games = tuple(api.open(ruleset=name, options=options, seats=[{}] * seats) for _ in range(2))
        for game in self.games:
            api.show(game)
        self.forks: list[tuple[str, str]] = []
        self.analyses: tuple[list[str], list[str]] = ([], [])
        self.apart = 0

    # What happens

    @property
    def heads(self) -> tuple[Fold, Fold]:
        one, other = (self.folds.current(game) for game in self.games)
        return one, other

    def after(self, entry: int) -> tuple[Fold, Fold]:
        one, other = (self.folds.right_after(game, entry)[0] for game in self.games)
        return one, other

    def happen(self) -> None:
        """Make a random event happen in both games."""
        actions: list[Callable[[], Any]] = [self.move] * 12 + [self.slip] * 2 + [self.note_cards] * 3
        actions += [self.reveal] * 3 + [self.withdraw, self.replace, self.insert, self.rule, self.rule, self.revoke]
        self.chance.choice(actions)()

    def move(self) -> None:
        self._move("move.made", self.heads, self._legal(self.heads[0]))

    def slip(self) -> None:
        """Try a move that was legal at some other moment."""
        self._move("move.made", self.heads, self._legal(self.after(self._entry())[0]))

    def note_cards(self) -> None:
        self._move("move.made", self.heads, self._noted())

    def replace(self) -> None:
        entry = self._entry("move.made", "entry.inserted")
        move = self._legal(self.after(max(entry - 1, 1))[0]) if self.chance.random() < 0.5 else self._noted()
        self._move("entry.replaced", self.after(max(entry - 1, 1)), move, entry=entry)

    def insert(self) -> None:
        entry = self._entry()
        move = self._legal(self.after(entry)[0]) if self.chance.random() < 0.5 else self._noted()
        self._move("entry.inserted", self.after(entry), move, after=entry)

    def reveal(self) -> None:
        """Reveal a fact that was left open, with different content in the two records."""
        entry = self._entry("move.made")
        events = list(self.folds.read(self.games[0], 0, 2**53))
        corrections = Corrections(events)
        if entry == 1 or entry in corrections.taken_out:
            return
        folds = fold_before(self.folds, self.games[0], entry), fold_before(self.folds, self.games[1], entry)
        recorded = folds[0].move_of(corrections.content(events[entry - 1]))
        filled = folds[0].state.sample_chance(recorded, self.chance)
        for told in (filled, *self._scrambled(filled)):
            if self._seen(told) == self._seen(recorded):
                self._move("move.revealed", folds, told, entry=entry)
                return

    def withdraw(self) -> None:
        data = {"entry": self._entry()} | self._choice()
        self.send("entry.withdrawn", data, [data])

    def rule(self) -> None:
        heads = self.heads
        given = give_ruling(heads[0].copy().state, self.chance)
        if given:
            data = [
                {"reason": "decided", "adjustments": [self.ruleset.adjustment_data(each)]}
                for each in self._ruled(given[0])
            ]
            self.send("ruling.given", data[0], data[1:])

    def revoke(self) -> None:
        data = {"ruling": self._entry("ruling.given")} | self._choice()
        self.send("ruling.revoked", data, [data])

    def fork(self) -> None:
        entry = self._entry()
        where = self.chance.choice([{}, {"at": entry}, {"after": entry}])
        with with_stopped_clock():
            answers = [self.api.post(f"/v1/games/{game}/forks", {"id": str(uuid7())} | where) for game in self.games]
        assert [answer.status_code for answer in answers] == [201, 201], [answer.text for answer in answers]
        self.forks.append((answers[0].get_json()["game"], answers[1].get_json()["game"]))
        for game in self.forks[-1]:
            self.api.show(game)

    def send(self, kind: str, one: dict[str, Any], others: list[dict[str, Any]]) -> bool:
        """Record an entry, and in the other game the first of `others` that is legal; in both games or neither."""
        tried = self._try(0, kind, one)
        if tried is None:
            return False
        for other in others[:TRIES]:
            same = self._try(1, kind, other)
            if same and same["withdraw"] == tried["withdraw"]:
                with with_stopped_clock():
                    answers = [self._post(at, kind, each["data"], "") for at, each in enumerate((tried, same))]
                assert [answer.status_code for answer in answers] == [201, 201], [answer.text for answer in answers]
                self.apart += tried["data"] != same["data"]
                return True
        return False

    # What is in it

    def _move(self, kind: str, folds: tuple[Fold, Fold], move: Move | None, **data: Any) -> None:
        if move is None:
            return
        one, *others = [
            {"move": self.ruleset.move_data(each)} | data for each in (move, *self._disguised(folds[1], move))
        ]
        choice = {} if kind == "move.made" else self._choice()
        self.send(kind, one | choice, [other | choice for other in others])

    def _legal(self, fold: Fold) -> Move | None:
        moves = list(fold.state.legal_moves())
        if not moves:
            return None
        move = self.chance.choice(moves)
        return fold.state.sample_chance(move, self.chance) if self.chance.random() < 0.7 else move

    def _noted(self) -> Move | None:
        """Cards that a seat notes as its hand, rightly or wrongly."""
        if self.ruleset.name == "kahuna":
            return None
        seat, count = self.chance.randrange(self.heads[0].seats), self.chance.randint(1, NOTED)
        cards = self.chance.choices(CARDS[self.ruleset.name], k=count)
        return self.ruleset.read_move({"type": "hold", "seat": seat, "cards": cards}) if self._holds(cards) else None

    def _holds(self, cards: list[str]) -> bool:
        return self.ruleset.name != "verraeter" or set(cards) <= set(games.verraeter.components.COPIES)

    def _disguised(self, fold: Fold, move: Move) -> list[Move]:
        """Moves that look the same as this one from the viewpoint; the most different ones first."""
        seen, state = self._seen(move), fold.state
        legal = list(state.legal_moves())
        found = [state.sample_chance(each, self.chance) for each in legal if type(each) is type(move)]
        found += [*legal, *self._scrambled(move)]
        found = [each for each in found if self._seen(each) == seen and each != move]
        self.chance.shuffle(found)
        return [*found[: TRIES - 2], move, seen]

    def _seen(self, move: Move) -> Move:
        return move.seen(self.viewpoint)

    def _scrambled(self, move: Move) -> Iterator[Move]:
        """The move with other cards in place of the hidden ones."""
        data, seen = self.ruleset.move_data(move), self.ruleset.move_data(self._seen(move))
        for _ in range(TRIES):
            yield from self._read(
                self.ruleset.read_move, {name: self._other(value, seen.get(name)) for name, value in data.items()}
            )

    def _ruled(self, adjustment: Adjustment) -> list[Adjustment]:
        seen = adjustment.seen(self.viewpoint)
        data = self.ruleset.adjustment_data(adjustment)
        found: list[Adjustment] = []
        if data["type"] == "card":
            for card in self.chance.sample(CARDS[self.ruleset.name], 5):
                found += self._read(self.ruleset.read_adjustment, data | {"card": card})
        alike = [each for each in found if each.seen(self.viewpoint) == seen]
        return [adjustment, *alike, adjustment, seen]

    def _read(self, read: Callable[[Any], Any], data: Any) -> list[Any]:
        try:
            return [read(data)]
        except BadMoveError:
            return []

    def _other(self, value: Any, seen: Any) -> Any:
        if value == seen:
            return value
        if isinstance(value, list):
            return [self._other(each, None) for each in value]
        return self.chance.choice(CARDS[self.ruleset.name])

    def _entry(self, *kinds: str) -> int:
        events = self.folds.read(self.games[0], 0, 2**53)
        found = [event.version for event in events if not kinds or event.type in kinds]
        return self.chance.choice(found or [1])

    def _choice(self) -> dict[str, str]:
        return self.chance.choice([{}, {"keep": "all"}, {"withdraw": "all"}, {"keep": "all", "withdraw": "all"}])

    def _try(self, number: int, kind: str, data: dict[str, Any]) -> dict[str, Any] | None:
        """The entries to send so that this one is accepted, and the withdrawn ones; None if it cannot be."""
        for more in ({}, OVERRIDE if "move" in data else {}):
            answer = self._post(number, kind, data | more, "?dry_run=true")
            assert answer.status_code < 500, answer.text
            if answer.status_code == 200:
                (entry,) = answer.get_json()["entries"]
                return {"data": data | more, "withdraw": entry["data"].get("withdraw")}
        return None

    def _post(self, number: int, kind: str, data: dict[str, Any], query: str) -> Any:
        entry = {"id": str(uuid7()), "type": kind, "data": data}
        return self.api.post(f"/v1/games/{self.games[number]}/events{query}", {"events": [entry]})

    # What is told

    def guest(self, who: str) -> Api:
        """A client with the viewpoint, with the same role in both games and their forks."""
        games = [*self.games, *(fork for pair in self.forks for fork in pair)]
        if who == "stranger":
            return Guest(self.api.app, "", None)
        if who == "viewer":
            return self.api.let_in("viewer")
        if who == "viewer of the games":
            return self.api.let_in(games=dict.fromkeys(games, "viewer"))
        if who == "blind recorder":
            scopes = ["games:read", "games:record", "games:open", "people:read"]
            return Guest(self.api.app, "", self.api.post("/v1/tokens", {"name": "x", "scopes": scopes}).json["token"])
        if who == "app of a player":
            player = self.api.let_in("viewer", games=dict.fromkeys(games, 0))
            body = {"name": "x", "scopes": sorted(PLAYER - OF_A_SEAT), "games": games}
            return Guest(self.api.app, "", player.post("/v1/tokens", body).get_json()["token"])
        assert who == "player"
        return self.api.let_in(games=dict.fromkeys(games, self.viewpoint.seat))

    def answers(self, guest: Api, number: int, paths: list[str]) -> dict[str, Any]:
        """The answers of one of the two games to a client with the viewpoint, by request."""
        game, forks = self.games[number], [pair[number] for pair in self.forks]
        others = [*forks, *self.analyses[number]]
        found = {}
        for path in paths:
            answer = guest.get(path.format(game=game, forks=forks, analyses=self.analyses[number]))
            text = answer.get_data().decode(errors="replace")
            seen = {name: self._plain(value, game, others) for name, value in answer.headers if name != "Date"}
            if CODE.search(text) or WHILE.search(text):
                del seen["Content-Length"]  # the picture of an address, or a number, is longer or shorter
            if (tag := plain_tag(answer)) is not None:
                seen["ETag"] = tag
            found[path] = (answer.status, seen, self._plain(text, game, others))
        return found

    def tries(self, guest: Api, number: int, drafts: list[tuple[str, dict[str, Any]]]) -> list[str]:
        """The answers to a client that tries to record entries in one of the two games, one by one."""
        game, result = self.games[number], []
        for kind, data in drafts:
            entry = {"id": "0199d2f3-6a00-7000-8000-0000000000ff", "type": kind, "data": data}
            answer = guest.post(f"/v1/games/{game}/events?dry_run=true", {"events": [entry]})
            assert answer.status_code < 500, answer.text
            result.append(f"{answer.status} {self._plain(answer.text, game, [])}")
        return result

    def drafts(self, most: int) -> list[tuple[str, dict[str, Any]]]:
        """Entries that a client with the viewpoint might send: seemingly possible moves, and forbidden entries."""
        state, drafts = self.heads[0].state.view(self.viewpoint), list[tuple[str, dict[str, Any]]]()
        for move in (*state.legal_moves(), *self.after(self._entry())[0].state.view(self.viewpoint).legal_moves()):
            if move.seat == self.viewpoint.seat or self.viewpoint.seat is None:
                drafts.append(("move.made", {"move": self.ruleset.move_data(move)}))
        self.chance.shuffle(drafts)
        noted = self._noted()
        others = [("move.made", {"move": self.ruleset.move_data(noted)})] if noted else []
        others += [("note.added", {"text": "Tea."}), ("entry.withdrawn", {"entry": self.heads[0].version})]
        others += [
            ("entry.withdrawn", {"entry": 2}),
            ("ruling.given", {"reason": "so"}),
            ("game.closed", {"how": "abandoned"}),
        ]
        return drafts[:most] + others + self._guesses_of_sealed()

    def _guesses_of_sealed(self) -> list[tuple[str, dict[str, Any]]]:
        """Guesses of the hidden content of an entry, with any cards."""
        found = []
        for entry in {self._entry("move.made") for _ in range(TRIES)} - {1}:
            fold = fold_before(self.folds, self.games[0], entry)
            (event,) = self.folds.read(self.games[0], entry - 1, entry)
            try:
                recorded = fold.move_of(event)
            except ProjectionError:
                continue
            moves = map(self.ruleset.move_data, (recorded, *self._scrambled(recorded)))
            found += [("move.revealed", {"entry": entry, "move": move}) for move in moves]
        return found

    def paths(self, moments: int, *, seat_named: bool = True) -> list[str]:
        """All paths about a game, at `moments` of its moments. With 0, the most expensive files are left out, too."""
        seat = self.viewpoint.seat
        where = f"seat={seat}" if seat is not None and seat_named else ""
        versions = [f"{word}={version}" for word in ("at", "after") for version in range(1, self.heads[0].version + 1)]
        moments_asked = ["", *self.chance.sample(versions, min(moments, len(versions)))]
        paths = [f"/v1/games/{{game}}/{part}?{where}&{moment}" for part in _PARTS for moment in moments_asked]
        paths += [f"/v1/games/{{game}}/timeline?limit=1000&{where}"]
        paths += [f"/v1/games/{{game}}/{part}" for part in _SHUT]
        forms = ("ndjson", "text", "html", "report") if moments else ("ndjson", "text")
        paths += [f"/v1/games/{{game}}/export?format={form}&{where}" for form in forms]
        if seat is None:
            paths += ["/v1/games/{game}", "/v1/games/{game}/claims", "/v1/games/{game}/snapshots", "/games/{game}"]
            paths += ["/v1/games?id={game}"]
        for number in range(len(self.forks)):
            fork = f"{{forks[{number}]}}"
            paths += [f"/v1/games/{fork}/comparison?{where}", f"/v1/games/{{game}}/comparison?with={fork}&{where}"]
            paths += [f"/v1/games/{fork}/{part}?{where}" for part in (*_PARTS, "timeline")]
            paths += [] if seat is not None else [f"/v1/games/{fork}", f"/games/{fork}"]
        return paths

    def plain(self, text: str, number: int) -> str:
        """A text about one of the two games, without the parts that differ between any two games."""
        return self._plain(text, self.games[number], [pair[number] for pair in self.forks])

    def _plain(self, text: str, game: str, forks: list[str]) -> str:
        """An answer without ids, times and hashes, which always differ between two games."""
        for number, other in enumerate((game, *forks)):
            text = text.replace(other, f"game {number}")
        text = AT_RANDOM.sub("at random", text)
        text = TAGGED.sub("a digest", text)
        text = WHILE.sub("a while", CODE.sub("a code", text))
        return re.sub(r"\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:[\d.]+Z)?", "a time", text)

    def claim(self) -> None:
        data = {"scores": [1] * self.heads[0].seats}
        self.send("score.claimed", data, [data])

    def analyse(self, kind: str, viewpoint: Viewpoint) -> None:
        """Analyse both games, as a worker does."""
        for game, made in zip(self.games, self.analyses, strict=True):
            seat = viewpoint.name.removeprefix("seat-")
            answer = self.api.post(f"/v1/games/{game}/analyses", {"kind": kind, "seat": seat})
            assert answer.status_code == 202, answer.text
            made.append(answer.get_json()["id"])
            self.api.app.context.analyst.run_for(made[-1], 300)

    def snapshot(self) -> None:
        """Store a snapshot of both, as a worker does."""
        results = self.api.app.context.results
        for head in self.heads:
            results.keep_snapshot(audit(head))


_SHUT = ("visibility", "roles", "events", "export", "state?seat=record", "state?seat=9")
"""Paths that show callers without full view no secret, or nothing at all."""

_PARTS = ("state", "moves", "score", "board.svg", "board.txt")
