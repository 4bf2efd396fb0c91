"""A private game of two people changes no answer to anybody who may not read it, at no address.

Nor does it matter to others whether somebody was entered twice, is left out of public tables, or was erased.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest
from uuid_utils import uuid7

from service.api.routes import statistics
from service.pages import assets
from tests.choosing import short_or_soak
from tests.service.conftest import Api, Guest
from tests.waiting import PATIENCE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from service.app import Application

ADA, BOB, CAI, NAMELESS = (f"0199d2f3-6a00-7000-8000-00000000000{letter}" for letter in "abcd")
NAMES = {ADA: "Adalina", BOB: "Bobrick", CAI: "Caius"}
DAY = "2025-07-01T20:00:00+02:00"

OF_THE_LOG = ("/v1/tree", "/metrics", "/v1/health", "/v1/token")
"""Addresses about the whole log, where it is no secret that something was recorded, and about the caller's token."""
NOT_OF_GAMES = ("/v1/rulesets", "/v1/templates", "/v1/components", "/v1/schemas", "/v1/openapi.yaml", "/rulesets")
"""Addresses with nothing of any game."""

OF_THE_MOMENT = re.compile(r'(?<=data-position=")\d+|(?<="exported_at":")[^"]+|(?<=name="id" value=")[^"]+')
"""How far the log is, when a file was written, and the id of an entry that a form would make."""

OF_TABLES = re.compile("/v1/(statistics|players|ratings|clubs|seasons|tournaments)|/(year|people)")
ID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
NUMBER = re.compile(r"\d+(?:\.\d+)?")

PEOPLE = ("statistics", "year", "ratings", "people", "/v1/games", "export", "merge")
"""Addresses with one of these take a person, a place, a club or a time."""


Answers = dict[str, tuple[int, str]]


class League:
    """A service with the public games of a club of three people, with a season and a tournament."""

    def __init__(self, api: Api) -> None:
        self.api, self.club, self.season, self.cup = api, str(uuid7()), str(uuid7()), str(uuid7())
        for person, name in NAMES.items():
            api.request("PUT", f"/v1/players/{person}", json={"name": name})
        self.send("/v1/clubs", {"id": self.club, "name": "Thursday Club", "public": True})
        self.send("/v1/seasons", {"id": self.season, "name": "Autumn", "club": self.club})
        self.send("/v1/tournaments", {"id": self.cup, "name": "Autumn Cup", "public": True, "club": self.club})
        for person in NAMES:
            self.enter("clubs", self.club, "club.member_joined", player=person)
            self.enter("tournaments", self.cup, "tournament.player_entered", player=person)
        self.enter("tournaments", self.cup, "tournament.round_paired")
        self.games = [self.play(pair, *scores) for pair, *scores in self._played()]

    @staticmethod
    def _played() -> Iterator[tuple[Any, ...]]:
        """Five games of each two, so that rivals and all ratings are shown."""
        for number in range(5):
            yield (ADA, CAI), number, 3
            yield (CAI, BOB), 4, number
            yield (ADA, BOB), 2, 1 + number

    def play(self, pair: tuple[str, ...], *scores: int, shown: bool = True, **more: Any) -> str:
        """A finished game of plain points."""
        seats = [{"player": person} for person in pair]
        game = self.api.open(
            ruleset="scoresheet", options={"template": "rounds"}, seats=seats, happened_at=DAY, place="Home", **more
        )
        assert self.api.record(game, "r1 " + " ".join(map(str, scores)), "end").status_code == 201
        if shown:
            self.api.show(game)
            self.enter("clubs", self.club, "club.game_attached", game=game)
        return game

    def send(self, path: str, body: dict[str, Any]) -> None:
        answer = self.api.post(path, body)
        assert answer.status_code in {200, 201, 202}, answer.text

    def enter(self, kind: str, record: str, type_: str, **data: Any) -> None:
        self.send(f"/v1/{kind}/{record}/entries", {"id": str(uuid7()), "type": type_, "data": data})

    def paths(self) -> Iterator[str]:
        """Every address that answers to GET, with what can be asked there about these people; no endless ones."""
        named = {
            "game": self.games[0],
            "club": self.club,
            "tournament": self.cup,
            "season": self.season,
            "into": BOB,
            "template": "wingspan",
            "ruleset": "kahuna",
            "release": assets.digest(),
            "filename": "icon.svg",
            "name": "kahuna",
            "schema": "move-kahuna",
        }
        for rule in self.api.app.site.url_map.iter_rules():
            if "GET" not in (rule.methods or ()) or rule.rule.startswith(OF_THE_LOG + NOT_OF_GAMES):
                continue
            if rule.rule.endswith(("/stream", ".png")):  # a picture is drawn of an answer that is looked at
                continue
            for name in ("games.csv", "seats.csv", "tables.ndjson") if "file" in rule.arguments else ("",):
                for person in (ADA, NAMELESS) if "player" in rule.arguments else (ADA,):
                    values = {word: named.get(word, "0") for word in rule.arguments} | {"player": person, "file": name}
                    _, path = rule.build({word: values[word] for word in rule.arguments}) or ("", "")
                    yield from (path + query for query in self._queries(path))

    def _queries(self, path: str) -> list[str]:
        if path.endswith("/comparison"):
            return [f"?with={self.games[1]}"]
        if not any(word in path for word in PEOPLE):
            return [""]
        return [
            *("", "?place=home&year=2025", "?from=2025-01-01&to=2025-12-31&players=2"),
            *(f"?player={ADA}&with={BOB}&about=won", f"?player={NAMELESS}", f"?club={self.club}&into={BOB}"),
        ]

    def answers(self, guest: Api, part: slice = slice(None)) -> Answers:
        """What somebody is told, by what was asked: all addresses, or a part of them."""
        self.api.catch_up()
        found = {}
        for path in [*self.paths()][part]:
            answer = guest.get(path)
            assert answer.status_code < 500, path
            found[path] = (answer.status_code, OF_THE_MOMENT.sub("", answer.data.decode("latin-1")))
        return found

    def others(self) -> list[Api]:
        """Somebody unknown, and the third of the club, who has a seat in games of the others and no other right."""
        return [Guest(self.api.app, "", None), self.api.let_in(person=CAI)]


def changed(before: Answers, after: Answers) -> dict[str, Any]:
    """The answers that are not the same."""
    assert before.keys() == after.keys()
    return {path: (before[path], after[path]) for path in before if before[path] != after[path]}


@pytest.fixture(scope="module")
def league(shared_app: Application) -> Iterator[League]:
    """Statistics from the moves are whole at the first look, however slow the machine is."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(statistics, "DIGESTING", PATIENCE)
        yield League(Api(shared_app))


@pytest.mark.slow
def test_a_private_game_of_two_changes_no_answer_to_others(league: League) -> None:
    """Also that of somebody with no name, who plays in private games alone: nobody learns of this id.

    In the short run the others ask for every other address each.
    """
    others = league.others()
    parts = [slice(short_or_soak(at, 0), None, short_or_soak(len(others), 1)) for at in range(len(others))]
    before = [league.answers(each, part) for each, part in zip(others, parts, strict=True)]
    own = league.api.get("/v1/ratings").text
    for pair in ((ADA, BOB), (ADA, NAMELESS)):
        game = league.play(pair, 9, 99, shown=False, title="Secret")
        misread = {"entry": 2, "move": "r1 0 98", "reason": "misread"}
        entry = {"id": str(uuid7()), "type": "entry.replaced", "data": misread}
        league.send(f"/v1/games/{game}/events", {"events": [entry]})
        league.send(f"/v1/games/{game}/forks", {"id": str(uuid7()), "at": 2})
        league.send(f"/v1/games/{game}/links", {})
        league.send(f"/v1/games/{game}/analyses", {"kind": "timeline"})
        league.api.let_in(person=pair[1], games={game: 1})
    for earlier, guest, part in zip(before, others, parts, strict=True):
        assert changed(earlier, league.answers(guest, part)) == {}
    assert league.api.get("/v1/ratings").text != own


@pytest.mark.slow
def test_people_who_were_one_for_a_while_are_told_as_before_and_no_name_that_was_erased(league: League) -> None:
    stranger, page = Guest(league.api.app, "", None), f"/v1/players/{ADA}/statistics"
    before, figures = league.answers(stranger), stranger.get(page).text
    for listed in (False, True):
        answer = league.api.request("PUT", f"/v1/players/{ADA}/listing", json={"listed": listed})
        assert answer.status_code == 200
    assert league.api.request("PUT", f"/v1/players/{ADA}/merge", json={"into": BOB}).status_code == 200
    assert stranger.get(page).text != figures
    assert league.api.request("DELETE", f"/v1/players/{ADA}/merge").status_code == 204
    assert changed(before, league.answers(stranger)) == {}
    erased_and_nowhere(league, stranger, before)


def erased_and_nowhere(league: League, stranger: Api, before: Answers) -> None:
    """A name that was erased is told by no answer, and changes no number."""
    assert league.api.request("DELETE", f"/v1/players/{ADA}").status_code == 204
    after = league.answers(stranger)
    assert [path for path, (_, text) in after.items() if NAMES[ADA] in text] == []
    tables = [path for path in before if OF_TABLES.match(path)]
    assert any(NAMES[ADA] in before[path][1] for path in tables)
    numbers = [{path: NUMBER.findall(ID.sub("", told[path][1])) for path in tables} for told in (before, after)]
    assert numbers[0] == numbers[1]
