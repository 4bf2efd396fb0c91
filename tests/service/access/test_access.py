"""Who may do what: every route, for every role, in their own game and another one, at every visibility."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from uuid_utils import uuid7
from werkzeug.test import Client

from events.errors import DamagedError
from games.scoresheet.ready import READY
from service.access.needs import OPEN, Need
from service.access.scopes import OF_A_GAME, PLAYER, PUBLIC, ROLES
from service.api.endpoints import Endpoints
from service.api.examples import CREDENTIAL
from service.api.examples import PLAYER as SOMEBODY
from service.api.routes import PARTS
from service.app import create_app
from service.pages.blueprint import NEEDS as PAGES
from service.pages.blueprint import page
from service.settings import BadSettingError, Settings, from_environment
from tests import tiers
from tests.cases import cases
from tests.service.conftest import UNLIMITED, Api

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from werkzeug.test import TestResponse

    from service.app import Application

pytestmark = pytest.mark.service("file")

VISIBILITIES = ("private", "link", "public")

ENDPOINTS = {endpoint.name: endpoint for part in PARTS for endpoint in part.described}
NEEDS = {name: endpoint.need for name, endpoint in ENDPOINTS.items()}

OF_OTHERS = {"show_held": "admin"}
"""What everybody may ask about themselves, and the scope that it takes to ask it about somebody else."""

_PLACES = [(own, level) for own in (True, False) for level in VISIBILITIES]
_KEPT = [(True, "private"), *((False, level) for level in VISIBILITIES)]

PLACES = _PLACES if tiers.SOAK else _KEPT
"""Somebody's own game or another one, and who may see it. Who has a part in a game has it at every visibility."""

ROLES_THERE = ("stranger", "player", *(f"{role} of the game" for role in ROLES), *(f"{role} of all" for role in ROLES))


FOREIGN = ("https://elsewhere.example", "null", "http://[", "http://localhost.example", "localhost", "")
"""Origins of pages that are not the service's."""


ENDING = {"end_token", "rotate_token", "end_sessions"}
"""Operations that end the token that they are asked with."""

EVERYBODYS = {"list_methods", "trust.explain", "trust.send_certificate"}
"""What is answered before anybody can say who they are."""


class Table:
    """A service with everybody who can ask, and their own games and others, open to these and those."""

    def __init__(self, app: Application) -> None:
        self.app, self.api = app, Api(app)
        self.own = {level: self._game(level) for level in VISIBILITIES}
        self.foreign = {level: self._game(level) for level in VISIBILITIES}
        self.api.catch_up()

    def _game(self, level: str) -> str:
        game = self.api.play()
        self.api.show(game, level)
        return game

    @cache  # noqa: B019 - there is one table
    def known(self, who: str) -> Api:
        """Somebody with a token that stays: the same one each time."""
        return self.guest(who)

    def asking(self, who: str, name: str) -> Api:
        """Somebody for this operation."""
        return self.guest(who) if name in ENDING else self.known(who)

    def guest(self, who: str) -> Api:
        """Somebody with a token of their own, which they may throw away."""
        role, _, where = who.partition(" of ")
        if who == "stranger":
            api = Api(self.app)
            api.token = None
            return api
        if who == "player":
            return self.api.let_in(games=dict.fromkeys(self.own.values(), 0))
        if where == "all":
            return self.api.let_in(role)
        return self.api.let_in(games=dict.fromkeys(self.own.values(), role))


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Table]:
    app = create_app(Settings(data=tmp_path_factory.mktemp("access"), **UNLIMITED))
    yield Table(app)
    app.close()


def expected(need: Need, who: str, *, own: bool, level: str, of_a_game: bool) -> str:
    """What the table says of this request."""
    role, _, where = who.partition(" of ")
    service = ROLES[role] if where == "all" else frozenset[str]()
    scopes = service & OF_A_GAME
    if own and where == "the game":
        scopes = ROLES[role] & OF_A_GAME
    if own and who == "player":
        scopes = PLAYER
    if not scopes and level != "private":
        scopes = PUBLIC
    if need == OPEN:
        return "let in"
    if who == "stranger" and not need.everybody:
        return "token-needed"
    if of_a_game and not scopes:
        return "game-unknown"
    if need.scope and not need.everybody and need.scope not in (scopes if of_a_game else service):
        return "scope-needed"
    return "scope-needed" if need.besides and need.besides not in service else "let in"


def found(answer: TestResponse) -> str:
    kind = (answer.get_json(silent=True) or {}).get("type", "") if answer.mimetype.endswith("json") else ""
    kind = str(kind).rpartition("/")[2]
    assert answer.status_code < 500 or kind in {"tree-behind"}, answer.text
    return kind if kind in {"token-needed", "token-unknown", "scope-needed", "game-unknown"} else "let in"


def ask(guest: Api, name: str, game: str, **more: Any) -> TestResponse:
    """A request that changes nothing where it is let in: it has no body, and names nobody who is there."""
    endpoint = ENDPOINTS[name]
    path = endpoint.path
    named = {
        "game": game,
        "version": "1",
        "player": SOMEBODY,
        "token": CREDENTIAL,
        "link": CREDENTIAL,
        "invitation": CREDENTIAL,
        "webhook": CREDENTIAL,
        "delivery": "1",
        "ruleset": "scoresheet",
    }
    for parameter, value in (
        named | {"level": "0", "path:tile": "000.p/1", "digest": "0" * 64, "name": "kahuna", "file": "games.csv"}
    ).items():
        path = path.replace(f"<{parameter}>", value)
    query = {"compare_games": f"?with={game}", "prove_consistency": "?from=1"}.get(name, "")
    answer = guest.request(endpoint.method, path + query, **more)
    answer.get_data()
    answer.close()
    return answer


def routes(app: Application) -> dict[str, str]:
    """Every rule of the application by the name of its endpoint."""
    return {rule.endpoint: rule.rule for rule in app.site.url_map.iter_rules()}


@pytest.mark.slow
def test_every_operation_and_every_page_says_what_it_needs(app: Application) -> None:
    assert len(ENDPOINTS) == sum(len(part.described) for part in PARTS)
    operations = {f"{endpoint.tag}.{name}" for name, endpoint in ENDPOINTS.items()}
    assert PAGES.keys() | operations | EVERYBODYS == set(routes(app))


def test_a_route_cannot_be_added_without_a_scope_that_exists() -> None:
    with pytest.raises(TypeError, match="scope"):
        Endpoints("test").route("GET", "/v1/test")  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="scope"):
        page("GET", "/test")  # type: ignore[call-arg]
    with pytest.raises(LookupError, match="games:se"):
        page("GET", "/test", scope="games:se")(str)
    with pytest.raises(LookupError, match="games:se"):
        Need("games:read", besides="games:se")


def asked(need: Need, *, of_a_game: bool, everybody: bool) -> dict[tuple[str, bool, str], str]:
    """Who asks for what is somebody's own or not, and at which visibility, with what the table says of it.

    Without `everybody`, it is the first and the last one of each place with the same answer.
    """
    chosen = {}
    for own, level in PLACES if of_a_game else [(False, "private")]:
        same: dict[str, list[str]] = {}
        for who in ROLES_THERE:
            same.setdefault(expected(need, who, own=own, level=level, of_a_game=of_a_game), []).append(who)
        for wanted, people in same.items():
            chosen |= {(who, own, level): wanted for who in (people if everybody else (people[0], people[-1]))}
    return chosen


def need_of(name: str) -> tuple[Need, bool]:
    """What an operation needs, and whether it is about a game."""
    need = msgspec.structs.replace(NEEDS[name], besides=OF_OTHERS.get(name, NEEDS[name].besides))
    return need, "<game>" in ENDPOINTS[name].path


FIRST = {need_of(name): name for name in reversed(NEEDS)}
"""The first operation with each need: everybody asks for it."""


@pytest.mark.parametrize("name", NEEDS)
@pytest.mark.slow
def test_every_route_follows_the_table_of_roles(table: Table, name: str) -> None:
    need, of_a_game = need_of(name)
    seen = {}
    everybody = tiers.SOAK or FIRST[need, of_a_game] == name
    for (who, own, level), wanted in asked(need, of_a_game=of_a_game, everybody=everybody).items():
        game = (table.own if own else table.foreign)[level]
        answer = found(ask(table.asking(who, name), name, game))
        if answer != wanted:
            seen[who, own, level] = (answer, wanted)
    assert seen == {}


@cases("name", [name for name, need in NEEDS.items() if need is not OPEN])
def test_each_request_for_an_operation_is_counted_once(
    table: Table, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """So no operation can be asked for without a limit, not even those that look themselves who asks."""
    counted: list[str] = []
    limits = table.app.gate.limits
    with monkeypatch.context() as here:
        here.setattr(limits, "count", lambda policy, _: counted.append(policy))
        ask(table.asking("viewer of all", name), name, table.own["public"])
    assert counted == ["reads" if ENDPOINTS[name].method == "GET" else "writes"]


@cases("name", [name for name in NEEDS if "<game>" in ENDPOINTS[name].path])
def test_a_private_game_is_as_unknown_as_one_that_is_not_there(table: Table, name: str) -> None:
    """The same status, headers and body, byte for byte, for everybody without a part in it."""
    game, nothing = table.foreign["private"], str(uuid7())
    for who in ("stranger", "player", "owner of the game"):
        guest = table.asking(who, name)
        one, other = (ask(guest, name, each) for each in (game, nothing))
        assert one.status_code in {401, 404}, one.text
        assert (one.status, list(one.headers)) == (other.status, list(other.headers))
        assert one.data.replace(game.encode(), b"") == other.data.replace(nothing.encode(), b"")


@pytest.mark.parametrize("level", VISIBILITIES)
@pytest.mark.slow
def test_the_page_of_a_game_follows_the_table_of_roles(table: Table, level: str) -> None:
    for who in ROLES_THERE:
        session = log_in(table.guest(who))
        for own, games in ((True, table.own), (False, table.foreign)):
            wanted = expected(PAGES["pages.show_game"], who, own=own, level=level, of_a_game=True)
            answer = session.client.get(f"/games/{games[level]}")
            assert answer.status_code == (200 if wanted == "let in" else 404), (who, own)


def log_in(guest: Api) -> Api:
    """The same one with a browser."""
    browser = Api(guest.app)
    if guest.token:
        assert browser.client.post("/login", data={"token": guest.token}).status_code == 303
    browser.token = None
    return browser


@pytest.mark.parametrize("who", ROLES_THERE)
def test_a_list_holds_the_games_that_one_may_see_and_its_pages_are_full(table: Table, who: str) -> None:
    guest = table.guest(who)
    everything = {*table.own.values(), *table.foreign.values()}
    open_to_all = {table.own["public"], table.foreign["public"]}
    mine = set(table.own.values()) if who == "player" or who.endswith("of the game") else set()
    wanted = everything if who.endswith("of all") else open_to_all | mine
    seen, cursor, more = set[str](), "", True
    while more:
        page = guest.get(f"/v1/games?limit=2&{cursor}").get_json()
        seen |= {listed["game"] for listed in page["games"]} & everything
        more = page["next"] is not None
        assert len(page["games"]) == 2 or not more
        cursor = f"cursor={page['next']}"
    assert seen == wanted
    for game in everything:
        (listed,) = [guest.get(f"/v1/games?id={game}").get_json()["games"]]
        assert [each["game"] for each in listed] == ([game] if game in wanted else [])


# Who is not let in, however they ask

STRANGERS: dict[str, tuple[bool, dict[str, str]]] = {
    "nobody": (False, {}),
    "an empty cookie of old": (False, {"Cookie": "kifu_token="}),
    "a wrong token": (True, {"Authorization": "Bearer kifu_owner_wrong"}),
    "a token of another service": (True, {"Authorization": "Bearer kifu_own_vF9s7a8Lf03lmOxIQDeCdZuHQ6B1K51h2DiW"}),
    "an empty token": (True, {"Authorization": "Bearer "}),
    "no token": (True, {"Authorization": "Bearer"}),
    "another scheme": (True, {"Authorization": "Basic b3duZXI6b3duZXI="}),
    "an unknown session": (True, {"Cookie": "kifu_session=aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"}),
    "an empty session": (True, {"Cookie": "kifu_session="}),
}
"""Who is not known here: whether they claim to be, and how."""


@pytest.mark.programs
@cases("name", [name for name, endpoint in ENDPOINTS.items() if endpoint.need is not OPEN])
def test_an_entry_in_the_name_of_another_person_is_refused(table: Table, name: str) -> None:
    nobody = table.guest("stranger")
    nobody.client = Client(table.app, use_cookies=False)
    for who, (claims, headers) in STRANGERS.items():
        answer = ask(nobody, name, table.own["public"], headers=headers)
        wanted = "token-unknown" if claims else "let in" if NEEDS[name].everybody else "token-needed"
        assert found(answer) == wanted, who
        if wanted != "let in":
            assert answer.status_code == 401
            assert answer.headers["WWW-Authenticate"].startswith('Bearer realm="kifu"'), who


def test_what_one_may_not_do_is_said_with_the_scope_that_it_takes(api: Api) -> None:
    game = api.play()
    answer = api.let_in(games={game: "recorder"}).record(game, "-")
    assert answer.status_code == 201, answer.text
    answer = api.let_in(games={game: "viewer"}).record(game, "-")
    assert (answer.status_code, answer.get_json()["scope"]) == (403, "games:record")
    assert answer.headers["WWW-Authenticate"] == (
        'Bearer realm="kifu", error="insufficient_scope", scope="games:record"'
    )


@pytest.mark.slow
def test_a_session_opens_what_the_token_opens_but_not_to_foreign_pages(api: Api) -> None:
    game = api.play()
    browser = log_in(api)
    for headers in (*({"Origin": origin} for origin in FOREIGN), {"Sec-Fetch-Site": "cross-site"}):
        foreign = browser.record(game, "-", headers=headers)
        assert (foreign.status_code, foreign.get_json()["type"]) == (403, "/problems/foreign-origin"), headers
        assert browser.client.post("/logout", headers=headers).status_code == 403
        assert browser.client.post("/login", data={"token": api.token}, headers=headers).status_code == 403
    assert browser.get("/v1/feed", headers={"Origin": "https://elsewhere.example"}).status_code == 200
    for headers in ({"Origin": "http://localhost"}, {"Sec-Fetch-Site": "same-origin"}, {}):
        assert browser.record(game, "-", headers=headers).status_code in {201, 422}, headers


def test_a_setting_opens_the_metrics_to_everybody(tmp_path: Path) -> None:
    app = create_app(Settings(data=tmp_path, metrics="open"))
    try:
        answer = Client(app).get("/metrics", headers={"Authorization": "Bearer kifu_owner_wrong"})
        assert (answer.status_code, "kifu_log_position 0.0" in answer.text) == (200, True)
    finally:
        app.close()
    with pytest.raises(BadSettingError, match="KIFU_METRICS is owner or open, not 'all'"):
        from_environment({"KIFU_METRICS": "all"})


# What is seen of a game that one may see


def test_a_stranger_sees_an_open_game_as_the_public_does(api: Api) -> None:
    game = api.play("+?lale", "-")
    api.show(game, "link")
    owner = api.get(f"/v1/games/{game}/state").get_json()
    public = api.get(f"/v1/games/{game}/state?seat=public").get_json()
    api.token = None
    stranger = api.get(f"/v1/games/{game}/state").get_json()
    assert (owner["viewpoint"], stranger["viewpoint"]) == ("record", "public")
    assert stranger == public
    assert "LALE" in str(owner["state"]["hands"])
    assert "LALE" not in str(stranger["state"]["hands"])
    for seat in ("record", "0", "1"):
        assert api.get(f"/v1/games/{game}/state?seat={seat}").status_code == 401


def test_a_player_sees_the_game_from_their_own_seat_and_no_other(api: Api) -> None:
    game = api.play("+?lale", "-")
    black, white = (api.let_in(games={game: seat}) for seat in (0, 1))
    found = [player.get(f"/v1/games/{game}/state").get_json() for player in (black, white)]
    assert [each["viewpoint"] for each in found] == ["seat-0", "seat-1"]
    assert ["LALE" in str(each["state"]["hands"]) for each in found] == [True, False]
    for seat in ("record", "0"):
        answer = white.get(f"/v1/games/{game}/state?seat={seat}")
        assert (answer.status_code, answer.get_json()["scope"]) == (403, "hidden:read")
    assert white.get(f"/v1/games/{game}/state?seat=public").get_json()["viewpoint"] == "public"


def test_people_at_the_table_are_players_of_the_game_and_others_are_not(api: Api) -> None:
    anna, ben, game = str(uuid7()), str(uuid7()), api.open(seats=[{}, {}])
    phones = {person: api.let_in(person=person) for person in (anna, ben)}
    assert [phone.get(f"/v1/games/{game}").status_code for phone in phones.values()] == [404, 404]
    taken = {"id": str(uuid7()), "type": "seat.changed", "data": {"seat": 1, "player": anna}}
    assert api.post(f"/v1/games/{game}/events", {"events": [taken]}).status_code == 201
    api.catch_up()
    assert phones[anna].get(f"/v1/games/{game}/state").get_json()["viewpoint"] == "seat-1"
    assert phones[ben].get(f"/v1/games/{game}").status_code == 404
    seen = {
        each: {listed["game"] for listed in phone.get("/v1/games").get_json()["games"]}
        for each, phone in phones.items()
    }
    assert seen[anna] - seen[ben] == {game}
    left = {"id": str(uuid7()), "type": "seat.changed", "data": {"seat": 1}}
    assert api.post(f"/v1/games/{game}/events", {"events": [left]}).status_code == 201
    api.catch_up()
    assert phones[anna].get(f"/v1/games/{game}/state").get_json()["viewpoint"] == "public", "the seat is a guest's now"


@pytest.mark.parametrize("path", ["state", "moves", "score", "timeline", "board.svg"])
def test_nobody_learns_of_a_card_that_was_drawn_unseen(api: Api, path: str) -> None:
    """Two games that differ only in a card that only black saw: white and the public are told the same."""
    answers = []
    ids = [str(uuid7()) for _ in range(2)]
    for game, card in zip(ids, ("lale", "kahu"), strict=True):
        api.post("/v1/games", {"id": game, "ruleset": "kahuna"})
        assert api.record(game, "deal black BARI COCO DUDA", f"+?{card}", "-", f"d {card}").status_code == 201
        content = [api.get(f"/v1/games/{game}/{path}?seat={seat}").text for seat in ("public", "1")]
        answers.append([re.sub(r'"(hash|id|recorded_at)":"[^"]*"', "", text).replace(game, "") for text in content])
    assert answers[0] == answers[1]


def test_comparing_two_games_requires_the_right_to_see_both(api: Api) -> None:
    one, other = api.play(), api.play()
    guest = api.let_in(games={one: "recorder"})
    path = f"/v1/games/{one}/comparison?with={other}"
    assert guest.get(path).get_json()["type"] == "/problems/game-unknown"
    api.show(other)
    assert guest.get(path).status_code == 200
    assert guest.get(f"{path}&seat=record").get_json()["scope"] == "hidden:read"


def test_the_page_of_a_fork_does_not_tell_the_title_of_an_origin_that_is_not_shown(api: Api) -> None:
    parent = api.open(title="A secret evening")
    fork = api.post(f"/v1/games/{parent}/forks", {"id": str(uuid7()), "title": "What if"}).get_json()["game"]
    api.show(fork)
    assert "A secret evening" in log_in(api).client.get(f"/games/{fork}").text
    assert "A secret evening" not in Client(api.app).get(f"/games/{fork}").text


def test_health_names_damaged_games_to_those_alone_who_may_see_them(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    game = api.play()
    damage = {game: DamagedError(game, 2, "torn")}
    monkeypatch.setattr(type(api.app.context.archive.log), "damage", damage)
    assert api.get("/v1/health").get_json()["damaged"].keys() == {game}
    api.token = None
    answer = api.get("/v1/health").get_json()
    assert (answer["status"], answer["damaged"]) == ("damaged", {})


# Tokens in addresses


def test_a_token_in_an_address_is_refused_with_the_advice_to_revoke_it(api: Api) -> None:
    for path in ("/v1/games?token=", "/v1/feed?access_token=", "/?token=", "/login?token="):
        answer = api.get(path + str(api.token))
        assert answer.status_code == 400, path
        assert "revoke it" in answer.text, path


def test_a_name_that_was_rebound_to_this_machine_is_refused(api: Api) -> None:
    answer = api.get("/v1/games", headers={"Host": "elsewhere.example"})
    assert answer.status_code == 400
    assert answer.content_type == "application/problem+json"
    assert [error["field"] for error in answer.get_json()["errors"]] == ["Host"]


def test_entering_components_requires_the_scope(api: Api) -> None:
    body: dict[str, Any] = {"data": READY["hearts"]}
    path = "/v1/components/scoresheet/mine"
    assert api.let_in("viewer").request("PUT", path, json=body).status_code == 403
    assert api.let_in("recorder").request("PUT", path, json=body).status_code == 200
