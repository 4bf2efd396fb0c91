"""Pages that need no script speak one language: all that is read and all that is only heard, names and codes aside.

Who hears them moves by headings that go down one level at a time, and all that can be pressed has a name.
"""

from __future__ import annotations

import itertools
import re
from html.parser import HTMLParser
from typing import TYPE_CHECKING

import pytest
from uuid_utils import uuid7

from games.rulesets import SHIPPED
from tests import goldens
from tests.service.conftest import Guest
from tests.service.people.test_seasons import PEOPLE, Club

if TYPE_CHECKING:
    from tests.service.conftest import Api

JAPANESE = re.compile(r"[぀-ヿ一-鿿]")
ENGLISH = re.compile(r"\b[A-Z]?[a-z]{3,}\b")
OTHERS = {"en": JAPANESE, "ja": ENGLISH}
NAMED = {"bdi", "q", "code", "pre", "time", "script", "style", "noscript", "title"}
"""Elements with what somebody typed, names and codes."""
HEARD = {"aria-label", "aria-description", "title", "placeholder", "alt"}
EMPTY = {"meta", "link", "img", "input", "br", "hr", "path", "rect", "line", "circle", "polyline"}
NAMES = re.compile(
    r"Aiko|Ben|Kifu|BG Stats|Buchholz|Sonneborn-Berger|Thursday Club|Autumn( Cup)?|https?://\S+|[0-9a-f-]{36}|/none"
    r"|\((?:The )?[A-Z][a-z]+(?:(?: (?:the|of))? [A-Z][a-z]+)*\)"  # the English name of a card, behind the Japanese one
    r"|--[\w-]+"  # an option of a command
    r"|[\w-]+\.(?:html|ndjson|txt|csv|xlsx|json|xml|zip|svg|png|md)\b"
)


EVERYWHERE = (
    *("/rulesets", "/rulesets/kahuna", "/rulesets/kahuna/notation", "/rulesets/scoresheet", "/problems"),
    *("/rulesets/catan_cards", "/rulesets/manapani", "/rulesets/verraeter"),
    *("/problems/rule-broken", "/https", "/export", "/import", "/people", "/people/merges", "/statistics/games"),
    *("/year", "/clubs", "/tournaments", "/login", "/login?code=x", "/join", "/join?code=x", "/device", "/?q=none"),
)
"""Pages that every service has."""


class Said(HTMLParser):
    """What a page says, except what is named, or says that it is in another language."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self._open: list[tuple[str, bool]] = []

    @property
    def _aside(self) -> bool:
        return any(aside for _, aside in self._open)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        told = dict(attrs)
        aside = tag in NAMED or (tag != "html" and "lang" in told)
        if not (aside or self._aside):
            self.found += [text for name, text in attrs if name in HEARD and text]
        if tag not in EMPTY:
            self._open.append((tag, aside))

    def handle_endtag(self, tag: str) -> None:
        while self._open and self._open.pop()[0] != tag:
            pass

    def handle_data(self, data: str) -> None:
        if data.strip() and not self._aside:
            self.found.append(data.strip())


class Built(HTMLParser):
    """How a page is built: the levels of its headings, and what has no name."""

    def __init__(self) -> None:
        super().__init__()
        self.levels: list[int] = []
        self.nameless: list[str] = []
        self._pressed = ""
        """The beginning of the key that is open and has no name so far."""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        told = dict(attrs)
        begun = str(self.get_starttag_text())
        if re.fullmatch(r"h[1-6]", tag):
            self.levels.append(int(tag[1]))
        if tag in {"a", "button", "summary"}:
            self._pressed = begun
        if told.get("aria-label") or told.get("aria-labelledby") or told.get("alt"):
            self._pressed = ""
        if tag == "img" and "alt" not in told:
            self.nameless.append(begun)

    def handle_endtag(self, tag: str) -> None:
        if tag in {"a", "button", "summary"} and self._pressed:
            self.nameless.append(self._pressed)
            self._pressed = ""

    def handle_data(self, data: str) -> None:
        if data.strip():
            self._pressed = ""


def others(api: Api, path: str, language: str, status: int = 200) -> list[str]:
    """What a page says in another language than its own. See that it is built for people who hear it."""
    answer = api.get(path, headers={"Accept-Language": language, "Accept": "text/html"})
    assert answer.status_code == status, answer.text
    said = Said()
    said.feed(answer.text)
    assert said.found
    built = Built()
    built.feed(answer.text)
    assert built.nameless == [], path
    assert built.levels[0] == 1, path
    assert all(lower <= upper + 1 for upper, lower in itertools.pairwise(built.levels)), (path, built.levels)
    return [text for text in said.found if OTHERS[language].search(NAMES.sub("", text))]


@pytest.fixture
def founded(api: Api) -> dict[str, str]:
    """The addresses of a club, its season, a tournament and a person. Each has something to show."""
    club = Club(api, points=[[3, 1]], bonuses=[{"kind": "lost_within", "at": 2, "points": 1}], tie_breaks=["wins"])
    game = club.play(7, 4)
    club.say("points_given", player=PEOPLE[1], points=2, reason="Aiko")
    form = {"id": str(uuid7()), "name": "Autumn Cup", "format": "swiss", "rounds": "3"}
    cup = str(api.request("POST", "/tournaments", data=form).headers["Location"])
    for sent in (
        {"type": "tournament.player_entered", "name": "Aiko"},
        {"type": "tournament.player_entered", "name": "Ben"},
        {"type": "tournament.round_paired"},
        {"type": "tournament.result_entered", "round": "1", "table": "1", "score": ["7", "4"]},
    ):
        assert api.request("POST", cup, data={"id": str(uuid7())} | sent).status_code == 303
    link = api.post(f"/v1/games/{game}/links", {"name": "Ben"}).get_json()["path"]
    api.catch_up()
    return {
        "club": f"/clubs/{club.club}",
        "season": f"/seasons/{club.season}",
        "tournament": cup,
        "wall": f"{cup}/wall",
        "person": f"/people/{PEOPLE[0]}",
        "held": f"/people/{PEOPLE[0]}/held",
        "merge": f"/people/{PEOPLE[0]}/merge/{PEOPLE[1]}",
        "year": "/year?year=2026",
        "statistics": "/statistics",
        "exports": f"/export?game={game}",
        "report": f"/v1/games/{game}/export?format=report",
        "embed": f"/embed/games/{game}",
        "bgstats": f"/games/{game}/bgstats",
        "scoreboard": f"/games/{game}/scoreboard",
        "shared": link,
    }


@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.slow
def test_pages_that_need_no_script_speak_one_language(api: Api, founded: dict[str, str], language: str) -> None:
    paths = [*founded.values(), *EVERYWHERE]
    wrong = {path: found for path in paths if (found := others(api, path, language))}
    assert wrong == {}


@pytest.mark.parametrize("language", ["en", "ja"])
def test_errors_speak_one_language(api: Api, language: str) -> None:
    stranger = Guest(api.app, "", None)
    private = api.open()
    assert others(api, "/none", language, 404) == []
    assert others(api, f"/games/{uuid7()}", language, 404) == []
    assert others(stranger, f"/games/{private}", language, 404) == []
    assert others(stranger, "/access", language, 401) == []
    assert others(api.let_in("viewer"), "/import", language, 403) == []
    assert others(api, "/?cursor=x", language, 400) == []


def test_a_page_says_in_words_what_is_not_allowed(api: Api) -> None:
    page = {"Accept": "text/html"}
    shown = api.let_in("viewer").get("/import", headers=page | {"Accept-Language": "en"}).text
    assert "You are not allowed to do this: import records" in shown
    assert "<code>imports:write</code>" in shown
    assert "Log in to see this page." in Guest(api.app, "", None).get("/access", headers=page).text


def test_the_games_behind_a_figure_go_by_their_names(api: Api) -> None:
    record = (goldens.FOLDER / "verraeter" / "four_players.txt").read_text(encoding="utf-8")
    made = api.request("POST", "/v1/imports", data=record, headers={"Content-Type": "text/plain"})
    assert made.status_code == 201, made.text
    api.catch_up()
    shown = api.get("/statistics/games", headers={"Accept": "text/html", "Accept-Language": "en"}).text
    assert "<bdi>Verräter</bdi>" in shown


SIGNS = re.compile(r"[A-Z]{4}(-[A-Z]{4})?|\b[12]?[a-u][ud][12]?\b|Aiko|Jonas|Mirela|Tom|Ben|Chiara|Anna|Carla|Dan")
"""Islands, bridges and places, which are called so in every language, and people."""


@pytest.mark.parametrize("ruleset", [name for name in SHIPPED if name != "scoresheet"])
def test_boards_speak_japanese(api: Api, ruleset: str) -> None:
    """The words of a sheet are those of its author."""
    for path in goldens.sample_of(ruleset, 20):
        sent = path.read_bytes()
        game = api.post("/v1/imports", data=sent, headers={"Content-Type": "text/plain"}).get_json()["game"]
        board = api.get(f"/v1/games/{game}/board.svg", headers={"Accept-Language": "ja"}).text
        said = [text for text in re.findall(r">([^<>]+)<", board) if text.strip()]
        assert said
        assert [text for text in said if re.search("[A-Za-z]{2,}", SIGNS.sub("", text))] == [], path.stem
