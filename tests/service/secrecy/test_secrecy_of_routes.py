"""Two services with games that differ only in facts that a caller may not know are the same to him, at every address.

`test_secrecy.py` looks deeply into games; here all routes are walked, also those that are not there yet today.
"""

from __future__ import annotations

import itertools
import re
import statistics
import time
from functools import lru_cache
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

import pytest
from uuid_utils import uuid7

from service.access.scopes import SCOPES
from service.app import create_app
from service.pages import assets
from service.settings import Settings
from tests import tiers
from tests.choosing import soak_except
from tests.service.access.test_apps import asked
from tests.service.conftest import UNLIMITED, Api, Guest
from tests.service.entries import info
from tests.service.secrecy.test_secrecy import spied
from tests.service.twins import TAGGED, plain_tag

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from werkzeug.test import TestResponse

ID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
ACCESS = re.compile(r"kifu\.access/v1 \d+ \S+")
"""The line of a checkpoint about the changes of access: it depends on the moment in which the tree was signed."""

AT_RANDOM = re.compile(r"\b[0-9a-f]{64}\b|\b[0-9a-f]{32}\b|(?<=kifu/)[0-9a-f]{16}\b|[A-Za-z0-9+/]{40,}={0,2}")
A_TIME = re.compile(
    r"\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:[\d.]+Z)?)?|"  # of a machine
    r"[A-Z][a-z]{2} \d{1,2}, \d{4}( \d{2}:\d{2} UTC)?"  # of a page: "Nov 30, 2026 18:14 UTC"
)
MEASURED = re.compile(r"^(kifu_request_seconds|kifu_events_appended_created|# ).*$", re.MULTILINE)

PACKED = re.compile(r'(?<="name":"tables.xlsx",)([^}]*"bytes":)\d+')
"""The size of a packed file of tables: it depends on the ids in it. `test_exports.py` compares what it says."""

QR_CODE = "a QR code"
"""What a picture of hashes, or of an address, is taken for: its size tells them and nothing else."""
DRAWN = re.compile(r'<svg [^>]*class="segno".*?</svg>', re.DOTALL)
"""One that stands in a page."""

SIDES = {
    "kahuna": (("+?lale", "-"), ("+?gola", "-")),
    "catan_cards": ("Abbey", "Scout"),
}
"""What the two games of a ruleset hide: what was drawn, and what was held when a spy found nothing."""

WHO = (
    *("stranger", "viewer of all", "viewer of the game", "player", "blind recorder", "everything but what is hidden"),
    *("app of a player", "link for the public", "link for a seat"),
    *("seeing app of the holder", "recording app of the holder", "administering app of the holder"),
)
"""Who does not see all of it, by role, by token and by link. The hidden cards are those of seat 0 (Kahuna) or 1.

The holder has that seat, and sees them; their apps do not, as none of these may see from their seat."""

APPS = {
    "seeing app of the holder": {"games:read"},
    "recording app of the holder": {"games:read", "games:record", "analyses:run", "exports:read"},
    "administering app of the holder": SCOPES.keys() - {"seats:read", "hidden:read"},
}


class Side:
    """One of the two services, with the one game that is recorded there."""

    def __init__(self, api: Api, ruleset: str, hidden: Any) -> None:
        self.api, self.other_seat = api, 1 if ruleset == "kahuna" else 0
        if ruleset == "kahuna":
            self.game = api.play(*hidden)
        else:
            self.game = spied(api, hidden, **({"override": {"reason": "so"}} if hidden == "Scout" else {}))
        self.moment = 3 if ruleset == "kahuna" else info(api, self.game)["version"] - 1
        """The entry with what is hidden."""
        api.show(self.game, "link")
        self.fork = str(uuid7())
        assert api.post(f"/v1/games/{self.game}/forks", {"id": self.fork, "at": 3}).status_code == 201
        self.player, self.viewer, self.holder = (str(uuid7()) for _ in range(3))
        self.club = str(uuid7())
        club = {"id": self.club, "name": "Thursday Club", "public": True}
        assert api.post("/v1/clubs", club).status_code == 201
        attached = {"id": str(uuid7()), "type": "club.game_attached", "data": {"game": self.game}}
        assert api.post(f"/v1/clubs/{self.club}/entries", attached).status_code == 201
        self.tournament = str(uuid7())
        cup = {"id": self.tournament, "name": "Autumn Cup", "public": True}
        assert api.post("/v1/tournaments", cup).status_code == 201
        self.season = str(uuid7())
        season = {"id": self.season, "name": "Autumn", "club": self.club}
        assert api.post("/v1/seasons", season).status_code == 201
        for seat in ("public", str(self.other_seat)):
            made = api.post(f"/v1/games/{self.game}/links", {"seat": seat}).get_json()
            setattr(self, f"link_{'public' if seat == 'public' else 'seat'}", made["path"].removeprefix("/s/"))
        api.catch_up()

    link_public: str
    link_seat: str

    def guest(self, who: str) -> Api:
        """Somebody who does not know what is hidden."""
        here = dict.fromkeys((self.game, self.fork), self.other_seat)
        if who in {"stranger", "link for the public", "link for a seat"}:
            return Guest(self.api.app, "", None)
        if who in APPS:
            return self.app_of_holder(APPS[who])
        if who == "viewer of all":
            return self.api.let_in("viewer", person=self.viewer)
        if who == "viewer of the game":
            return self.api.let_in(person=self.viewer, games=dict.fromkeys(here, "viewer"))
        if who == "player":
            return self.api.let_in(person=self.player, games=here)
        if who == "app of a player":
            viewing = self.api.let_in("viewer", person=self.player, games=here)
            body = {"name": "x", "scopes": ["games:read", "exports:read"], "games": [self.game]}
            return Guest(self.api.app, "", viewing.post("/v1/tokens", body).get_json()["token"])
        scopes = {"games:read", "games:record", "games:open", "people:read"}
        if who == "everything but what is hidden":
            scopes = SCOPES.keys() - {"hidden:read"}
        return Guest(self.api.app, "", self.api.post("/v1/tokens", {"name": "x", "scopes": [*scopes]}).json["token"])

    def app_of_holder(self, scopes: Iterable[str]) -> Api:
        """An app of somebody who sits in the seat of the hidden cards, and may do everything on the service."""
        here = dict.fromkeys((self.game, self.fork), 1 - self.other_seat)
        holder = self.api.let_in("owner", person=self.holder, games=here)
        made = holder.post("/v1/tokens", {"name": "x", "scopes": [*scopes]})
        return Guest(self.api.app, "", made.get_json()["token"])

    def paths(self, who: str) -> Iterator[str]:
        """Every address that answers to GET, about this game if it is about one.

        In the short run each caller asks for a third of those that name no game: four callers have each of them.
        """
        named = {
            "game": self.game,
            "club": self.club,
            "tournament": self.tournament,
            "season": self.season,
            "player": self.player,
            "into": self.viewer,
            "token": self.player,
            "link": self.player,
            "invitation": self.player,
            "webhook": self.player,
            "delivery": "1",
            "analysis": self.player,
            "template": "wingspan",
            "code": self.link_seat,
            "version": "3",
            "level": "0",
            "tile": "000.p/1",
            "digest": "0" * 64,
            "ruleset": "kahuna",
            "release": assets.digest(),
            "filename": "icon.svg",
            "name": "kahuna",
            "file": "tables.ndjson",
            "schema": "move-kahuna",
        }
        queries = {"compare_games": f"with={self.fork}", "prove_consistency": "from=1", "show_app": urlencode(asked())}
        queries["preview_merge"] = f"into={self.viewer}"
        for number, rule in enumerate(self.api.app.site.url_map.iter_rules()):
            turn = number + WHO.index(who)
            about_it = rule.arguments & {"game", "code", "club", "player"}
            if "GET" in (rule.methods or ()) and (tiers.SOAK or about_it or turn % 3 == 0):
                _, path = rule.build({name: named[name] for name in rule.arguments}) or ("", "")
                query = queries.get(rule.endpoint.rpartition(".")[2], "")
                yield f"{path}?{query}"
                if "game" in rule.arguments and not path.endswith(".png"):  # which is drawn of what is asked for here
                    yield from (f"{path}?{query}&{more}" for more in self._asked_besides(turn))

    def _asked_besides(self, turn: int) -> Iterable[str]:
        """What else a route is asked for: the seat, and the moment.

        In the short run every other caller asks in one of these ways: twelve callers have each of them.
        """
        ways = [f"seat={self.other_seat}", "seat=public", "seat=record", f"at={self.moment}", f"after={self.moment}"]
        return ways if tiers.SOAK else ways[turn % 10 :][:1]

    def ask(self, guest: Api, who: str, path: str) -> TestResponse:
        links = {"link for the public": self.link_public, "link for a seat": self.link_seat}
        return guest.get(path, headers={"Kifu-Share": links[who]} if who in links else {})

    def answers(self, who: str) -> dict[str, Any]:
        """What he is told, by what he asked: status, headers and body."""
        guest, found = self.guest(who), {}
        self.api.app.context.catch_up()  # else it depends on the moment how far the tree has grown
        for path in self.paths(who):
            answer = self.ask(guest, who, path)
            assert answer.status_code < 500 or answer.get_json()["type"] == "/problems/tree-behind", path
            found[self.plain(path)] = (answer.status, self._headers(answer), self._body(answer))
        return found

    def _body(self, answer: TestResponse) -> str:
        """What it says; of hashes alone, which are other in any two services, no more than how many."""
        path = answer.request.path
        if path.endswith("/receipt.svg") and answer.status_code == 200:
            return QR_CODE
        if path.startswith("/v1/tree/tile/") and answer.status_code == 200:
            return f"{len(answer.data)} bytes"
        return self.plain(DRAWN.sub(QR_CODE, answer.data.decode("latin-1")))

    def _headers(self, answer: TestResponse) -> dict[str, str]:
        """All headers; an ETag tells no more than the version, the body, which is compared, and when it was made."""
        found = {name: self.plain(value) for name, value in answer.headers if name != "Date"}
        if (tag := plain_tag(answer)) is not None:
            found["ETag"] = tag
        if answer.request.path == "/metrics" or QR_CODE in (body := self._body(answer)) or "changes of access" in body:
            del found["Content-Length"]
        return found

    def plain(self, text: str) -> str:
        """A text with what is other in any two services: ids, times, what is measured and what is drawn by lot."""
        context = self.api.app.context
        for own, name in ((self.link_seat, "a link"), (self.link_public, "a link"), (context.host, "a host")):
            text = text.replace(own, name)
        return without_chance(text)


@lru_cache(maxsize=4096)
def without_chance(text: str) -> str:
    """A text without ids, times and hashes. Most texts are the same for everybody, and long."""
    text = PACKED.sub(r"\1a few", ACCESS.sub("changes of access", text))
    return A_TIME.sub(
        "a time", AT_RANDOM.sub("at random", ID.sub("an id", TAGGED.sub("a digest", MEASURED.sub("", text))))
    )


@pytest.fixture(scope="module", params=SIDES)
def sides(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Side, Side]]:
    folder = tmp_path_factory.mktemp("sides")
    apps = [create_app(Settings(data=folder / name, tree="open", **UNLIMITED)) for name in ("one", "other")]
    one, other = (Side(Api(app), request.param, hidden) for app, hidden in zip(apps, SIDES[request.param], strict=True))
    yield one, other
    for app in apps:
        app.close()


@pytest.mark.parametrize(
    ("sides", "who"),
    soak_except(itertools.product(SIDES, WHO), *zip(itertools.cycle(SIDES), WHO, strict=False)),
    indirect=["sides"],
)
@pytest.mark.slow
def test_no_address_tells_what_somebody_may_not_know(sides: tuple[Side, Side], who: str) -> None:
    """Everybody in turn, with the rulesets by turns; `make soak` has all of them look at all."""
    one, other = (side.answers(who) for side in sides)
    assert one.keys() == other.keys()
    found = {path: (one[path], other[path]) for path in one if one[path] != other[path]}
    assert found == {}


@pytest.mark.slow
def test_only_callers_who_may_know_tell_the_two_services_apart(sides: tuple[Side, Side]) -> None:
    one, other = (side.plain(side.api.get(f"/v1/games/{side.game}/state").text) for side in sides)
    assert one != other


@pytest.mark.slow
def test_an_app_sees_what_the_seat_of_its_person_does_with_the_scope_for_it(sides: tuple[Side, Side]) -> None:
    def told(scopes: set[str]) -> list[str]:
        return [
            side.plain(side.app_of_holder(scopes).get(f"/v1/games/{side.game}/{part}").text)
            for side in sides
            for part in ("state", "timeline")
        ]

    blind, seeing = told({"games:read"}), told({"games:read", "seats:read"})
    assert blind[:2] == blind[2:]
    assert seeing[0] != seeing[2] != blind[2]
    refused = (
        sides[0].app_of_holder({"games:read"}).get(f"/v1/games/{sides[0].game}/state?seat={1 - sides[0].other_seat}")
    )
    assert (refused.status_code, refused.get_json()["scope"]) == (403, "seats:read")


# How long it takes

ROUNDS, TRIES = 80, 4
APART = 1.25
"""How many times as long as the other one an answer may take, by the medians: far more than chance."""
LONGEST = ("", "/state", "/score", "/moves", "/timeline", "/board.svg", "/export", "/claims")


def taken(act: Callable[[], object]) -> float:
    """Seconds of the processor in this thread, without other work of the machine."""
    started = time.thread_time()
    act()
    return time.thread_time() - started


def told_apart(one: list[Callable[[], object]], other: list[Callable[[], object]]) -> float:
    """How many times as long one kind of request takes as the other, asked by turns."""
    pairs = [(taken(act), taken(counterpart)) for act, counterpart in zip(one, other, strict=True)]
    medians = [statistics.median(times) for times in zip(*pairs, strict=True)]
    return max(medians) / min(medians)


@pytest.mark.soak
@pytest.mark.parametrize("who", WHO)
def test_no_answer_takes_longer_for_what_somebody_may_not_know(sides: tuple[Side, Side], who: str) -> None:
    askers = [side.guest(who) for side in sides]
    for part in LONGEST:
        acts: list[Callable[[], object]] = []
        for side, guest in zip(sides, askers, strict=True):
            path = f"/v1/games/{side.game}{part}"
            acts.append(lambda side=side, guest=guest, path=path: side.ask(guest, who, path))  # type: ignore[misc]
            acts[-1]()
        ratios = (told_apart([acts[0]] * ROUNDS, [acts[1]] * ROUNDS) for _ in range(TRIES))
        assert any(ratio < APART for ratio in ratios), part


@pytest.mark.soak
@pytest.mark.parametrize("who", ["stranger", "player", "link for the public"])
def test_a_private_game_takes_no_longer_to_refuse_than_one_that_is_not_there(
    sides: tuple[Side, Side], who: str
) -> None:
    side = sides[0]
    guest = side.guest(who)

    def refused(games: list[str]) -> list[Callable[[], object]]:
        return [lambda game=game: side.ask(guest, who, f"/v1/games/{game}/state") for game in games]  # type: ignore[misc]

    def ratio() -> float:
        private = refused([side.api.open() for _ in range(ROUNDS)])
        side.api.catch_up()
        return told_apart(private, refused([str(uuid7()) for _ in range(ROUNDS)]))

    assert any(ratio() < APART for _ in range(TRIES))
