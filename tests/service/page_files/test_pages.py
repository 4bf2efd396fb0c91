"""The pages without a browser: who sees what, what a browser may do with them, and what lies at no address."""

from __future__ import annotations

import json
import re
from html import unescape
from pathlib import Path

import pytest
from uuid_utils import uuid7
from werkzeug.test import Client

from events.errors import DamagedError
from games.rulesets import RULESETS, SHIPPED
from games.scoresheet.ready import READY
from projections.catalogue.writing import list_unreadable
from service.access import sessions
from service.access.gate import COOKIE
from service.api.routes.rulesets import ruleset_detail
from service.api.rulebooks import Example, chapters, examples
from service.pages import assets
from service.pages.assets import STATIC
from service.pages.fields import LABELS, label, reason
from service.problems.kinds import KINDS

pytestmark = pytest.mark.service("file")

BROWSER = {"Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"}
GONE = "01a1fe19-0000-7000-8000-000000000000"


@pytest.fixture(autouse=True)
def shown(api) -> None:
    """What is recorded here is for everybody to see."""
    api.shows = True


@pytest.fixture
def client(api) -> Client:
    """A browser that is not logged in."""
    return api.client


@pytest.mark.parametrize(
    "path", ["/", "/rulesets", "/rulesets/kahuna", "/rulesets/kahuna/notation", "/problems", "/login", "/nowhere"]
)
def test_a_page_lets_nothing_run_or_load_but_what_is_ours(client, path):
    answer = client.get(path, headers=BROWSER)
    policy = answer.headers["Content-Security-Policy"]
    assert answer.mimetype == "text/html"
    assert "default-src 'none'" in policy
    assert "script-src 'self'" in policy
    assert "unsafe" not in policy
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["Referrer-Policy"] == "same-origin"
    assert answer.headers["Cross-Origin-Opener-Policy"] == "same-origin"
    assert answer.headers["Cross-Origin-Resource-Policy"] == "same-origin"
    assert {"camera=()", "microphone=()", "geolocation=()"} <= set(answer.headers["Permissions-Policy"].split(", "))
    assert answer.headers["Cache-Control"] == ("no-store" if path == "/nowhere" else "private, no-cache")
    assert not re.search(r"<script(?![^>]* src=)|\bstyle=|<style|\bon\w+=", answer.text)


@pytest.mark.parametrize("path", ["/", "/people", "/statistics", "/clubs", "/rulesets/kahuna"])
def test_only_a_page_behind_a_share_link_is_kept_from_search_engines(client, path):
    answer = client.get(path, headers=BROWSER)
    assert "noindex" not in answer.text
    assert "data-share" not in answer.text


LABELLED = re.compile(r'<label[^>]*>(?:{{ _\("([^"]+)"\) }})?[^<]*<(?:input|select|textarea)[^>]* name="(\w+)"')
"""The label of a field in a template, and its name."""


def labelled() -> set[tuple[str, str]]:
    """The fields of forms that are sent without a script: name and label."""
    templates = Path(assets.__file__).parent / "templates"
    texts = [path.read_text(encoding="utf-8") for path in templates.glob("*.html")]
    sent = [text for text in texts if 'method="post"' in text or "macro" in text]
    return {(name, text) for each in sent for text, name in LABELLED.findall(each) if text}


def test_each_field_of_a_form_has_a_name_for_people_that_is_its_label():
    fields = labelled()
    assert len(fields) > 30
    assert {name for name, _ in fields} <= LABELS.keys()
    of_templates = {(name, LABELS[name]) for name, _ in fields}
    assert of_templates <= fields | {("place", "Place"), ("player", "Name")}


@pytest.mark.parametrize(
    ("field", "named"),
    [
        ("data.rules.points[0][1]", "Points of the places, a list for each number of players, such as 5,3,2,0; 3,1,0"),
        ("data.points", "Points"),
        ("name", "Name"),
        ("events[0].id", None),
    ],
)
def test_a_refused_field_is_called_by_its_label(field, named):
    assert label(field) == named


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("en", ["<b>Name</b>: Length must be between 1 and 200."]),
        ("ja", ["<b>名前</b>: 長さは 1 以上 200 以下にしてください。"]),
    ],
)
def test_a_refused_form_names_its_fields_as_the_form_does(api, language, told):
    client = api.client
    client.post("/login", data={"token": api.app.context.owner_token})
    person = re.search(r'name="person_of_page" value="([^"]+)"', client.get("/clubs", headers=BROWSER).text)
    sent = {"id": str(uuid7()), "name": "", "person_of_page": person[1] if person else ""}
    answer = client.post("/clubs", data=sent, headers=BROWSER | {"Accept-Language": language})
    assert answer.status_code == 400
    assert re.findall("<li>(.*?)</li>", answer.text) == told
    assert ("correct it" in answer.text) == (language == "en")


@pytest.mark.parametrize(
    ("message", "told"),
    [
        ("Expected `int`, got `str`", "a whole number is needed"),
        ("Expected `int | null`, got `str`", "a whole number is needed"),
        ("Expected `int` <= 1000", "at most 1000"),
        ("Expected `int` >= 0", "at least 0"),
        ("it is before the first day", "it is before the first day"),
    ],
)
def test_a_reason_has_no_words_of_programs(message, told):
    assert reason(message) == told


def test_a_page_says_that_it_answers_a_form_that_was_sent(client):
    """A browser would ask to send it again if such a page was loaded anew."""
    assert "data-sent" not in client.get("/join", headers=BROWSER).text
    assert "data-sent" in client.post("/join", data={"code": "none"}, headers=BROWSER).text


UNROUTED = [
    ("GET", "/logout", {}, 405),
    ("GET", "/language", {}, 405),
    ("PUT", "/people", {}, 405),
    ("GET", "/nowhere", {"Host": "elsewhere.example"}, 400),
    ("GET", "/nowhere?token={token}", {}, 400),
    ("GET", "/people//", {}, 404),
]
"""Requests that lead to no page: somebody goes back to the address of a form, or mistypes one."""


@pytest.mark.parametrize(("method", "path", "headers", "status"), UNROUTED)
def test_what_leads_to_no_page_is_a_page_for_browsers_and_a_problem_for_programs(api, method, path, headers, status):
    client, path = api.client, path.replace("{token}", api.token)
    page = client.open(path, method=method, headers=BROWSER | headers)
    assert (page.status_code, page.mimetype) == (status, "text/html")
    assert page.headers["Cache-Control"] == "no-store"
    assert "script-src 'self'" in page.headers["Content-Security-Policy"]
    assert api.token not in page.text
    problem = client.open(path, method=method, headers=headers)
    assert (problem.status_code, problem.mimetype) == (status, "application/problem+json")
    assert page.headers.get("Allow") == problem.headers.get("Allow")
    assert (page.headers.get("Allow") is None) == (status != 405)


@pytest.mark.parametrize("path", ["/v1/nowhere", "/v1/token/rotation", "/metrics"])
def test_the_api_answers_browsers_with_problems_too(client, path):
    assert client.get(path, headers=BROWSER).mimetype == "application/problem+json"


@pytest.mark.parametrize(("method", "path", "status"), [("OPTIONS", "/v1/games", 200), ("DELETE", "/v1/token", 204)])
def test_an_answer_of_the_api_is_no_page_even_if_it_is_empty(api, method, path, status):
    answer = api.let_in("recorder").request(method, path)
    assert answer.status_code == status
    assert {"Kifu-Session", "Permissions-Policy", "Referrer-Policy"}.isdisjoint(answer.headers.keys())
    assert answer.headers["Content-Security-Policy"].endswith("sandbox")
    assert "Kifu-Release" in answer.headers


def test_a_recorded_move_passes_no_hook_of_pages_or_streams(api):
    def hooks(name: str) -> set[str]:
        return {each.__name__ for each in api.app.site.after_request_funcs.get(name, [])}

    everywhere = hooks(None)
    assert "set_headers" in everywhere
    assert hooks("pages") == hooks("trust") == {"set_page_headers"}
    assert hooks("streams") == {"end_for_good"}
    assert everywhere.isdisjoint(hooks("pages") | hooks("streams"))
    assert "guard_plain" not in {each.__name__ for each in api.app.site.before_request_funcs[None]}


def test_a_board_opened_by_itself_can_run_nothing(api, client):
    game = api.play()
    policy = client.get(f"/v1/games/{game}/board.svg").headers["Content-Security-Policy"]
    assert policy.endswith("sandbox")
    assert "script-src" not in policy


def test_other_pages_may_load_the_api_and_pictures_and_nothing_that_a_session_opens(api, client):
    game = api.play()

    def loaded_by(path, **headers):
        with client.get(path, headers=headers) as answer:
            return answer.headers["Cross-Origin-Resource-Policy"]

    board, script = f"/v1/games/{game}/board.svg", re.search(r'src="(/static/[^"]+\.js)"', client.get("/").text)[1]
    assert [loaded_by(path) for path in (board, "/v1/games", script)] == ["cross-origin", "cross-origin", "same-origin"]
    client.post("/login", data={"token": api.token})
    assert [loaded_by(path) for path in (board, "/v1/games")] == ["same-origin"] * 2


def test_a_static_file_is_kept_by_its_content(client):
    path = re.search(r'href="(/static/[^"]+\.css)"', client.get("/").text)[1]
    with client.get(path) as answer:
        assert answer.mimetype == "text/css"
        assert "max-age=31536000" in answer.headers["Cache-Control"]


def test_what_the_home_screen_is_told_leads_to_files_of_their_types(client):
    page = client.get("/")
    assert '<link rel="manifest" href="/manifest.webmanifest">' in page.text
    assert {"manifest-src 'self'", "worker-src 'self'"} <= set(page.headers["Content-Security-Policy"].split("; "))
    answer = client.get("/manifest.webmanifest")
    assert answer.mimetype == "application/manifest+json"
    manifest = answer.get_json(force=True)
    assert (manifest["id"], manifest["start_url"], manifest["display"]) == ("/", "/", "standalone")
    assert {icon.get("purpose", icon["sizes"]) for icon in manifest["icons"]} == {
        "192x192",
        "512x512",
        "maskable",
        "any",
    }
    for icon in manifest["icons"] + [icon for shortcut in manifest["shortcuts"] for icon in shortcut["icons"]]:
        with client.get(icon["src"]) as found:
            assert found.mimetype == icon.get("type", "image/png")
            assert "max-age=31536000" in found.headers["Cache-Control"]
    with client.get(re.search(r'rel="apple-touch-icon" href="([^"]+)"', page.text)[1]) as found:
        assert found.mimetype == "image/png"


def test_a_service_without_https_says_how_to_start_it_with_that(client):
    for language, said in (("en", "No HTTPS here"), ("ja", "HTTPS は使えません")):
        answer = client.get("/https", headers={"Accept-Language": language})
        assert (answer.status_code, answer.mimetype) == (200, "text/html")
        assert f"<h1>{said}</h1>" in answer.text
        assert "kifu serve --https" in answer.text
        assert "/login" in answer.text
    assert client.get("/authority.crt").status_code == 404


def test_the_page_without_https_knows_who_is_logged_in(api):
    assert 'action="/logout"' in api.get("/https").text
    assert 'action="/logout"' not in Client(api.app).get("/https").text


def test_the_colours_of_the_home_screen_are_those_of_the_style(client):
    styles = [(STATIC / "style" / f"{scheme}.css").read_text(encoding="utf-8") for scheme in ("light", "dark")]
    grounds = [re.search(r"--ground: (#\w+);", style)[1] for style in styles]
    assert re.findall(r'name="theme-color" content="(#\w+)"', client.get("/").text) == grounds
    manifest = client.get("/manifest.webmanifest").get_json(force=True)
    assert [manifest["theme_color"], manifest["background_color"]] == [grounds[0]] * 2


def test_a_browser_knows_its_session_from_others_and_keeps_it_when_the_secret_is_renewed(api, client, monkeypatch):
    assert client.get("/").headers["Kifu-Session"] == "none"
    named = []
    for _ in range(2):
        client.post("/login", data={"token": api.app.context.owner_token})
        named.append(client.get("/").headers["Kifu-Session"])
    assert len({"none", *named}) == 3
    monkeypatch.setattr(sessions, "ROTATED", -1)
    secret = client.get_cookie(COOKIE).value
    assert client.get("/").headers["Kifu-Session"] == named[1]
    assert client.get_cookie(COOKIE).value != secret
    assert client.get("/").headers["Kifu-Session"] == named[1]


@pytest.mark.parametrize("everywhere", [{}, {"everywhere": "1"}])
def test_logging_out_ends_a_session_that_is_due_for_renewal(api, client, monkeypatch, everywhere):
    client.post("/login", data={"token": api.app.context.owner_token})
    monkeypatch.setattr(sessions, "ROTATED", -1)
    client.post("/logout", data=everywhere)
    assert client.get_cookie(COOKIE) is None
    assert "Log in</a>" in client.get("/").text


def test_the_worker_is_for_all_pages_and_reaches_this_service_alone(client):
    answer = client.get("/worker.js")
    assert (answer.mimetype, answer.headers["Cache-Control"]) == ("text/javascript", "no-cache")
    assert answer.headers["Content-Security-Policy"] == "default-src 'none'; connect-src 'self'; frame-ancestors 'none'"


def test_a_page_has_one_address_and_its_ids_in_capitals_lead_there(api, client):
    game, person = api.play(), str(uuid7())
    for path in (
        f"/games/{game}",
        f"/games/{game}/scoreboard",
        f"/people/{person}/merge/{game}",
        f"/embed/games/{game}",
    ):
        capitals = path.replace(game, game.upper()).replace(person, person.upper())
        assert capitals != path
        for query in ("", "?at=2&seat=public&q=%C3%A4%0A"):
            answer = client.get(capitals + query)
            assert (answer.status_code, answer.headers["Location"]) == (308, path + query)
    assert api.get(f"/games/{game.upper()}", follow_redirects=True).status_code == 200
    assert client.post(f"/people/{person.upper()}").status_code == 401, "a form is not sent elsewhere"


def test_a_form_that_names_nobody_to_split_off_says_so(api):
    answer = api.request("POST", "/people/merges", data={})
    assert (answer.status_code, "<b>Name</b>: not a UUID" in answer.text) == (400, True)


@pytest.mark.service("test")
def test_the_last_game_is_the_one_recorded_last_that_a_visitor_may_see(api, client):
    assert client.get("/games/last").headers["Location"] == "/"
    game = api.play()
    api.shows = False
    hidden = api.play()
    api.catch_up()
    assert client.get("/games/last").headers["Location"] == f"/games/{game}"
    assert api.get("/games/last", headers=BROWSER).headers["Location"] == f"/games/{hidden}"


def test_without_a_token_pages_are_read_only_and_say_how_to_log_in(api, client):
    game = api.play()
    for path in ("/", f"/games/{game}"):
        page = client.get(path).text
        assert "data-acts" not in page
        assert 'href="/login"' in page
        assert 'id="recorder"' not in page
        assert 'id="opening"' not in page


def test_a_stranger_who_asks_for_access_is_told_to_log_in(client):
    answer = client.get("/access", headers=BROWSER)
    assert answer.mimetype == "text/html"
    main = re.search(r"<main.*?</main>", answer.text, re.DOTALL)[0]
    assert "Log in to see this page" in main
    assert 'href="/login"' in main


def test_the_page_of_an_unknown_address_keeps_the_login(api, client):
    assert 'href="/login"' in client.get("/nowhere", headers=BROWSER).text
    client.post("/login", data={"token": api.app.context.owner_token})
    answer = client.get("/nowhere", headers=BROWSER)
    assert answer.status_code == 404
    assert 'action="/logout"' in answer.text
    assert 'href="/login"' not in answer.text


def test_the_login_link_leads_to_a_page_that_logs_in_once(api, client):
    path = api.post("/v1/login-links").get_json()["path"]
    code = path.partition("code=")[2]
    for _ in range(2):  # a messenger that looks at a link before it is followed does not use it up
        assert code in client.get(path).text
        assert "Log out" not in client.get("/").text
    answer = client.post("/login", data={"code": code})
    assert (answer.status_code, answer.headers["Location"]) == (303, "/")
    cookie = answer.headers["Set-Cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Lax" in cookie
    page = client.get("/").text
    assert "data-acts" in page
    assert code not in page
    again = Client(api.app).post("/login", data={"code": code})
    assert (again.status_code, "already used" in again.text) == (401, True)
    assert "Max-Age=0" in client.post("/logout").headers["Set-Cookie"]


@pytest.mark.parametrize("token", ["", "kifu_owner_", "wrong", "ÿ", "a" * 5000])
def test_a_wrong_token_is_refused_and_not_kept(client, token):
    for field in ("token", "code"):
        answer = client.post("/login", data={field: token})
        assert answer.status_code == 401
        assert "Set-Cookie" not in answer.headers


def test_a_typed_token_logs_in_and_a_wrong_one_is_told_so(api, client):
    wrong = client.post("/login", data={"token": "kifu_owner_wrong"})
    assert (wrong.status_code, wrong.mimetype) == (401, "text/html")
    alert = re.search(r'role="alert".*?</', wrong.text, re.DOTALL)[0]
    assert "the token is incomplete or mistyped" in alert
    assert 'name="token"' in wrong.text
    assert client.post("/login", data={"token": api.token}).headers["Location"] == "/"
    assert 'action="/logout"' in client.get("/").text


def test_the_page_of_a_game_that_is_not_shown_says_no_more_than_one_that_is_not_there(api, client):
    api.shows = False
    hidden = api.open(title="A secret")
    pages = [client.get(f"/games/{game}") for game in (hidden, GONE)]
    assert [page.status_code for page in pages] == [404, 404]
    texts = [unescape(page.text) for page in pages]
    assert "If you may see it, <a" in texts[0]
    assert texts[0].replace(hidden, "") == texts[1].replace(GONE, "")


@pytest.mark.parametrize("session", ["", "old", "ÿ", "a" * 4000])
def test_a_session_that_is_not_known_any_more_is_forgotten(client, session):
    client.set_cookie("kifu_session", session)
    answer = client.get("/")
    assert answer.status_code == 200
    assert "is not known any more" in answer.text
    assert "Max-Age=0" in answer.headers["Set-Cookie"]


def test_a_visitor_sees_components_and_enters_none_and_where_every_box_is_the_same_there_are_none(api, client):
    def components(name: str) -> str:
        page = client.get(f"/rulesets/{name}").text
        found = re.search(r'<details class="card" id="components".*?</details>', page, re.DOTALL)
        return found[0] if found else ""

    assert "Saved components" in components("verraeter")
    assert "<form" not in components("verraeter")
    assert 'href="/rulesets/scoresheet/template"' in components("scoresheet")
    assert components("kahuna") == ""
    client.post("/login", data={"token": api.app.context.owner_token})
    assert "<form" in components("verraeter")


def test_a_ruleset_offers_its_blank_sheet(client):
    form = re.search(r'id="paper">.*?</form>', client.get("/rulesets/scoresheet").text, re.DOTALL)[0]
    path, chosen = re.search(r'action="([^"]+)"', form)[1], re.search(r'<option value="([^"]+)">Wizard<', form)[1]
    seats = re.search(r'name="seats"[^>]* value="(\d+)"', form)[1]
    sheet = client.get(path, query_string={"template": chosen, "seats": seats})
    assert (sheet.status_code, sheet.mimetype) == (200, "text/html")
    assert re.search(r"<h1>[^/]*Wizard", sheet.text)


def test_the_page_of_a_game_leads_to_its_scoreboard(api, client):
    game = api.play()
    link = api.post(f"/v1/games/{game}/links", {}).get_json()["path"]
    for path in (f"/games/{game}", link):
        (board,) = re.findall(r'href="([^"]+)">Scoreboard for a big screen<', client.get(path).text)
        assert board == f"{path}/scoreboard"
        assert 'id="scoreboard"' in client.get(board).text


def test_an_address_of_nothing_is_a_page_for_browsers_and_a_problem_for_programs(client):
    assert client.get("/nowhere", headers=BROWSER).mimetype == "text/html"
    for path, headers in (("/nowhere", {}), ("/nowhere", {"Accept": "*/*"}), ("/v1/nowhere", BROWSER)):
        answer = client.get(path, headers=headers)
        assert (answer.status_code, answer.mimetype) == (404, "application/problem+json")


@pytest.mark.parametrize("path", [f"/games/{GONE}", "/rulesets/chess", "/problems/none"])
def test_a_page_of_nothing_says_what_is_not_there(client, path):
    answer = client.get(path)
    assert (answer.status_code, answer.mimetype) == (404, "text/html")
    assert "no " in re.search(r'class="cause">(.*?)<', answer.text)[1]


def test_what_a_search_cannot_mean_is_told_as_a_page(client):
    answer = client.get("/?status=lost")
    assert (answer.status_code, answer.mimetype) == (400, "text/html")


def test_every_kind_of_problem_has_its_page(client):
    index = client.get("/problems").text
    for kind in KINDS.values():
        assert f'href="/problems/{kind.name}"' in index
        page = client.get(f"/problems/{kind.name}").text
        assert re.split(r"[`'<&]", kind.advice)[0] in page


@pytest.mark.parametrize("ruleset", RULESETS.values(), ids=list(RULESETS))
@pytest.mark.parametrize("language", ["en", "ja"])
def test_every_rule_has_its_anchor_with_its_title_in_the_language_of_the_page(client, ruleset, language):
    page = unescape(client.get(f"/rulesets/{ruleset.name}", headers={"Accept-Language": language}).text)
    assert [chapter.rule.id for chapter in chapters(ruleset, "en") if chapter.rule] == list(ruleset.rulebook)
    for rule in ruleset.rulebook.values():
        section = re.search(rf'id="{rule.id.partition(":")[2]}">.*?</section>', page, re.DOTALL)[0]
        assert getattr(rule, language) in section
    anchors = set(re.findall(r'id="([^"]+)"', page))
    assert set(re.findall(r'href="#([^"]+)"', page)) <= anchors


def test_a_long_run_of_choices_is_told_by_its_ends(client):
    assert "4 to 40, 20 by default" in " ".join(client.get("/rulesets/manapani").text.split())


@pytest.mark.parametrize("ruleset", SHIPPED.values(), ids=list(SHIPPED))
@pytest.mark.parametrize("language", ["en", "ja"])
def test_a_ruleset_says_in_words_how_its_games_end(client, ruleset, language):
    page = client.get(f"/rulesets/{ruleset.name}", headers={"Accept-Language": language}).text
    (said,) = re.findall(r"<dt>(?:How games end|終わり方)</dt>\s*<dd>(.*?)</dd>", page)
    ways = said.split(" · ")
    assert len(ways) == len(set(ways)) > 1
    assert "{what}" not in said
    if language == "en":
        ids = {reason.replace("_", " ") for reason in ruleset.endings}
        assert all(way[0].isupper() and way.lower() not in ids for way in ways)
    else:
        assert re.findall("[A-Za-z_]", said) == []


def test_the_notation_help_is_taken_apart_into_examples_and_meanings():
    assert examples("d2    d BARI ?     discards two\n+     draws\nAny beginning will do:\nb-d.\n") == [
        Example(("d2", "d BARI ?"), "discards two"),
        Example(("+",), "draws"),
        Example((), "Any beginning will do: b-d."),
    ]


def listed_row(client, game: str) -> tuple[str, str]:
    """The classes of a game's row in the list, and what is in it."""
    found = re.search(
        rf'<li class="([^"]*)" data-game="{game}"(.*?)(?=<li class="card|</ol>\n)', client.get("/").text, re.DOTALL
    )
    return found[1], found[2]


def words(html: str) -> str:
    """What a piece of a page says."""
    return " ".join(unescape(re.sub("<[^>]+>", " ", html)).split())


def part(html: str, tag: str) -> str:
    """The text of the first element with a tag that begins with `tag`."""
    return words(re.search(rf"<{tag}.*?</{tag.partition(' ')[0]}>", html, re.DOTALL)[0])


def test_a_row_says_what_was_played_who_won_when_and_where(api, client):
    seats = [{"name": name} for name in ("Ada", "Ben", "Chiara")]
    game = api.open(ruleset="scoresheet", options={"template": "rounds"}, seats=seats, place="Kitchen")
    api.record(game, "r1 3 9 5", "end")
    api.catch_up()
    _, row = listed_row(client, game)
    assert part(row, "h2") == "Rounds with a running total"
    assert [words(seat) for seat in re.findall("<li.*?</li>", row, re.DOTALL)] == ["Ben 9 won", "Chiara 5", "Ada 3"]
    assert re.fullmatch(r"Kitchen · .*20\d\d.* · 3 entries", part(row, 'p class="meta"'))


def test_a_row_says_what_decided_in_place_of_points_in_the_language_of_its_reader(api, client):
    game = api.open(ruleset="scoresheet", options={"template": "chess"}, seats=[{"name": "Ada"}, {"name": "Ben"}])
    api.record(game, "result loss win", "how mate", "end")
    together = api.open(ruleset="scoresheet", options={"template": "hanabi"}, seats=[{"name": "Ada"}])
    api.record(together, "points 21", "won")
    api.catch_up()
    page = client.get("/", headers={"Accept-Language": "ja"}).text
    rows = dict(re.findall(r'data-game="([\w-]+)".*?<ul class="result">(.*?)</ul>', page, re.DOTALL))
    said = [[words(seat) for seat in re.findall("<li.*?</li>", rows[each], re.DOTALL)] for each in (game, together)]
    assert said == [["Ben 結果: 勝ち 勝ち", "Ada 結果: 負け"], ["Ada 点数: 21 勝ち"]]
    behind = client.get("/statistics/games", headers={"Accept-Language": "ja"}).text
    assert [words(row).partition(" 20")[2][9:] for row in re.findall("<li>.*?</li>", behind, re.DOTALL)[:2]] == [
        "Ada 点数: 21",
        "Ada 結果: 負け · Ben 結果: 勝ち",
    ]


@pytest.mark.parametrize("form", ["html", "report"])
def test_a_file_names_what_points_are_for_in_the_language_of_its_reader(api, form):
    game = api.open(ruleset="scoresheet", options={"template": "rounds"}, seats=[{"name": "Ada"}, {"name": "Ben"}])
    api.record(game, "r1 3 9", "p1 -2 showed a card", "p2 +5 fair play", "end")
    page = api.get(f"/v1/games/{game}/export?format={form}", headers={"Accept-Language": "ja"}).text
    shown = re.sub("<script.*?</script>|<style.*?</style>|<[^>]*>", " ", page, flags=re.DOTALL)
    assert "showed a card" in shown
    assert re.findall("round 1|penalty|bonus", shown) == []
    assert (form == "html") == ("ペナルティ" in shown)


def test_games_that_are_over_go_on_or_were_irregular_differ_by_the_edge_of_their_rows(api, client):
    over, running, irregular = (api.open() for _ in range(3))
    api.record(irregular, "deal black BARI COCO DUDA")
    for game, entry in (
        (over, {"type": "game.closed", "data": {"how": "abandoned"}}),
        (irregular, {"type": "move.made", "data": {"move": "white: +", "override": {"reason": "he was quicker"}}}),
    ):
        assert api.post(f"/v1/games/{game}/events", {"events": [entry | {"id": str(uuid7())}]}).status_code == 201
    api.catch_up()
    styles = (STATIC / "kifu.css").read_text(encoding="utf-8")
    edges = re.findall(r"^\.games (?:> )?\.(\w+) \{ border-left(?:-color)?: ([^;]+);", styles, re.MULTILINE)
    drawn = {
        game: [edge for name, edge in edges if name in listed_row(client, game)[0].split()][-1]
        for game in (over, running, irregular)
    }
    assert len(set(drawn.values())) == 3, drawn


@pytest.mark.slow
def test_the_list_goes_on_to_older_games(api, client):
    for number in range(52):
        api.open(title=f"Game number {number}")
    api.catch_up()
    first = client.get("/").text
    following = re.search(r'rel="next" href="([^"]+)"', first)[1].replace("&amp;", "&")
    second = client.get(following).text
    titles = re.findall(r"Game number \d+", first) + re.findall(r"Game number \d+", second)
    assert sorted(titles) == sorted(f"Game number {number}" for number in range(52))
    assert "Newest" in second
    assert 'rel="next"' not in second


@pytest.mark.slow
def test_a_search_stays_when_it_goes_on(api, client):
    for _ in range(51):
        api.open(title="Autumn")
    api.catch_up()
    assert "q=utum" in re.search(r'rel="next" href="([^"]+)"', client.get("/?q=utum&status=playing").text)[1]


def search_form(page: str) -> str:
    return re.search(r'<form class="search".*?</form>', page, re.DOTALL)[0]


def searched(client, page: str, **chosen: str) -> str:
    """The list that a browser is led to by the search form of a page, with this chosen anew in it."""
    form = search_form(page)
    fields = dict(re.findall(r'<input type="\w+" name="(\w+)" value="([^"]*)"', form))
    for name, options in re.findall(r'<select name="(\w+)">(.*?)</select>', form, re.DOTALL):
        fields[name] = next(iter(re.findall(r'<option value="([^"]*)" selected', options)), "")
    assert fields.keys() == {"q", "name", "player", "from", "to", "status", "order"} >= chosen.keys()
    answer = client.get("/", query_string={name: unescape(value) for name, value in (fields | chosen).items()})
    assert answer.status_code == 200
    return answer.text


def listed(page: str) -> list[str]:
    return re.findall(r'data-game="([^"]+)"', page)


def test_the_list_is_searched_by_game_person_and_days_and_a_new_search_keeps_them(api, client):
    def sheet(template, *names, **more):
        seats = [{"name": name} for name in names]
        return api.open(ruleset="scoresheet", options={"template": template}, seats=seats, **more)

    ours = sheet("uno", "Quirina", "Rasmus", happened_at="2026-03-07T20:00:00+01:00")
    other = sheet("wizard", "Quirina", "Rasmus", "Sanna")
    kahuna = api.open(seats=[{"name": "Quirina"}, {"name": "Tove"}])
    api.catch_up()
    page = client.get("/?q=Quirina").text
    assert '<details class="filters">' in page
    rasmus = re.search(r'<option value="([^"]+)">Rasmus<', search_form(page))[1]
    page = searched(client, page, name="UNO", player=rasmus)
    assert '<details class="filters" open>' in page
    assert listed(page) == [ours]
    page = searched(client, page, name="")
    assert set(listed(page)) == {ours, other}
    page = searched(client, page, to="2026-03-07")
    assert listed(page) == [ours]
    page = searched(client, page, q="Rasmus")
    assert listed(page) == [ours]
    assert f'<option value="{rasmus}" selected' in search_form(page)
    page = searched(client, page, **{"from": "2026-03-08"})
    assert listed(page) == []
    assert "No game matches." in page
    assert 'name="to" value="2026-03-07"' in page
    everything = re.search(r'<p class="asked"><a href="([^"]+)"', page)[1]
    assert {ours, other, kahuna} <= set(listed(client.get(everything).text))
    api.client.post("/login", data={"token": api.app.context.owner_token})
    address = re.search(r'href="(/export\?[^"]+)"', searched(client, client.get(f"/?player={rasmus}").text, q="UNO"))[1]
    assert {"q=UNO", f"player={rasmus}"} <= set(unescape(address).partition("?")[2].split("&"))


def test_a_filter_by_an_unknown_person_can_be_removed(client):
    nobody = "0192f0c4-7e1a-7c3e-8b1a-2f6f0a1b2c3d"
    page = client.get(f"/?player={nobody}&name=Nonesuch").text
    chosen = re.findall(r'<option value="([^"]*)"[^>]* selected', search_form(page))
    assert {nobody, "Nonesuch"} <= set(chosen)
    assert "No game matches." in page


def test_strangers_are_offered_the_people_and_games_of_what_they_may_see_in_a_search(api, client):
    def sheet(template, *names):
        api.open(ruleset="scoresheet", options={"template": template}, seats=[{"name": name} for name in names])

    sheet("uno", "Wilmaseen", "Xaver")
    api.shows = False
    sheet("bridge", "Wilmahidden", "Xaver", "Yrsa", "Zoe")
    api.catch_up()
    form = search_form(client.get("/").text)
    assert "Wilmaseen" in form
    assert "UNO" in form
    assert "Wilmahidden" not in form


def test_a_game_that_cannot_be_read_is_listed_with_its_cause(api, client):
    game = api.play("BARI-DUDA")
    api.catch_up()
    with api.app.context.archive.views.transaction() as db:
        list_unreadable(db, game, "entry 3 is not what was hashed", 9)
    for path in ("/", "/?status=unreadable"):
        page = client.get(path).text
        assert f"/games/{game}" in page
        assert '<p class="cause">entry 3 is not what was hashed</p>' in page
    assert game not in client.get("/?status=playing").text


def test_the_page_of_a_game_that_cannot_be_read_says_why(api, client, monkeypatch):
    def fail(game: str) -> None:
        raise DamagedError(game, 3, "its hash does not fit")

    game = api.play("BARI-DUDA")
    monkeypatch.setattr(api.app.context.archive.folds, "current", fail)
    answer = client.get(f"/games/{game}")
    assert (answer.status_code, answer.mimetype) == (500, "text/html")
    assert "damaged at version 3: its hash does not fit" in answer.text


def test_a_page_that_asks_again_gets_nothing_while_nothing_happened(api, client):
    game = api.play("BARI-DUDA")
    first = client.get(f"/v1/games/{game}")
    known = {"If-None-Match": first.headers["ETag"]}
    again = client.get(f"/v1/games/{game}", headers=known)
    assert (again.status_code, again.data) == (304, b"")
    api.record(game, "+")
    assert client.get(f"/v1/games/{game}", headers=known).status_code == 200


def test_hostile_texts_stay_text(api, client):
    hostile = "<script>alert(1)</script>{{ 7 * 7 }}"
    game = api.open(title=hostile, place=hostile, seats=[{"name": hostile}, {"name": "'\"&"}])
    api.catch_up()
    for path in ("/", f"/games/{game}", f"/?q={hostile}"):
        page = client.get(path).text
        assert "<script>alert" not in page
        assert "49" not in re.findall(r"&lt;script&gt;alert\(1\)&lt;/script&gt;(.{0,14})", page)
        assert "&lt;script&gt;alert(1)&lt;/script&gt;{{ 7 * 7 }}" in page


def test_a_fork_leads_to_its_origin_and_says_so_where_that_is_not_there(api, client, elsewhere):
    origin, fork = api.play("b-d"), str(uuid7())
    assert api.post(f"/v1/games/{origin}/forks", {"id": fork}).status_code == 201
    api.show(fork)
    assert f'href="/games/{origin}#3"' in client.get(f"/games/{fork}").text
    record = api.get(f"/v1/games/{fork}/export?format=ndjson").data
    assert elsewhere.post("/v1/imports", data=record, content_type="application/x-ndjson").status_code == 201
    elsewhere.show(fork)
    page = elsewhere.client.get(f"/games/{fork}").text
    assert "a game that is not here" in page
    assert f"/games/{origin}" not in page


def test_no_page_calls_a_game_untitled():
    """What has no title goes by what was played."""
    folder = STATIC.parent
    texts = [*folder.rglob("*.html"), *folder.rglob("*.py"), *(STATIC / "js").rglob("*.js")]
    assert [path.name for path in texts if "Untitled game" in path.read_text(encoding="utf-8")] == []


def test_the_page_of_the_score_sheet_folds_its_templates_and_counts_no_players(client):
    page = client.get("/rulesets/scoresheet").text
    folded = re.search(r"<details><summary>(\d+) to choose from</summary>(.*?)</details>", page, re.DOTALL)
    assert folded
    assert int(folded[1]) >= 100
    assert {"Wizard", "Yahtzee"} <= {name.strip() for name in folded[2].split(",")}
    assert "Player 20" not in page
    assert "White" in client.get("/rulesets/kahuna").text


def telling(answer):
    """What the page of a game tells of it in words, without the marks of HTML."""
    found = re.search('<p class="telling"[^>]*>(.*?)</p>', answer.text, re.DOTALL)
    return found[1]


def sentences(answer):
    """The sentences that the moments to look at come from: what each says, with its entry."""
    found = re.search('<p class="telling"[^>]* data-story="([^"]*)"', answer.text)
    return [(each["version"], each["what"]) for each in json.loads(unescape(found[1]))]


def play_rounds(api, *ends):
    """A sheet on which Ada led, then B<en, then Ada again."""
    seats = [{"name": "Ada"}, {"name": "B<en"}]
    game = api.open(ruleset="scoresheet", options={"template": "rounds"}, seats=seats)
    api.record(game, "r1 5 2", "r2 0 9", "r3 1 0", "r4 20 0", *ends)
    return game


def test_a_game_that_is_over_is_told_in_words_with_a_link_to_each_entry(api, client):
    game = play_rounds(api, "end")
    told = telling(client.get(f"/games/{game}", headers=BROWSER))
    assert told.startswith(
        '<bdi>Ada</bdi> went ahead first (entry <a href="#2">2</a>). <bdi>Ada</bdi> was 6 points behind'
    )
    assert unescape(re.sub("<[^>]+>", "", told)) == (
        "Ada went ahead first (entry 2). Ada was 6 points behind (entry 3). The lead changed 2 times, the last time to "
        "Ada (entry 5). Ada got 20 points at once (entry 5). Ada won (entry 6), and was never behind after entry 5."
    )
    assert sentences(client.get(f"/games/{game}", headers=BROWSER)) == [
        (2, "first"),
        (3, "behind"),
        (5, "changes"),
        (5, "gain"),
        (6, "end"),
    ]
    japanese = telling(client.get(f"/games/{game}?lang=ja", headers=BROWSER))
    assert japanese.startswith(
        '最初にリードしたのは<bdi>Ada</bdi>です（記入 <a href="#2">2</a>）。<bdi>Ada</bdi>は 6 点リードされていました'
    )


def test_a_sentence_names_who_sat_there_then(api, client):
    """Cem took Ada's seat after the third round. A guest who got a name later was there all the time."""
    game = api.open(ruleset="scoresheet", options={"template": "rounds"}, seats=[{"name": "Ada"}, {}])
    api.record(game, "r1 5 2", "r2 0 9", "r3 1 0")
    for seat, name in ((0, "Cem"), (1, "Ben")):
        change = {"id": str(uuid7()), "type": "seat.changed", "data": {"seat": seat, "name": name}}
        assert api.post(f"/v1/games/{game}/events", {"events": [change]}).status_code == 201
    api.record(game, "r4 2 0", "r5 20 0", "end")
    expected = (
        "Ada went ahead first (entry 2). Ada was 6 points behind (entry 3). The lead changed 2 times, the last time to "
        "Cem (entry 8). Cem got 20 points at once (entry 8). Cem won (entry 9), and was never behind after entry 8."
    )
    told = unescape(re.sub("<[^>]+>", "", telling(client.get(f"/games/{game}", headers=BROWSER))))
    assert told == expected
    exported = unescape(api.get(f"/v1/games/{game}/export?format=html").text)
    assert {"Ada went ahead first (entry 2).", "Cem won (entry 9), and was never behind after entry 8."} <= {
        *re.findall(r"[A-Z][^.>]*\.", exported)
    }


def test_a_game_that_goes_on_is_not_told_and_names_are_escaped(api, client):
    game = play_rounds(api)
    page = client.get(f"/games/{game}", headers=BROWSER)
    assert (telling(page), sentences(page)) == ("", [])
    api.record(game, "r5 0 50", "end")
    assert "<bdi>B&lt;en</bdi> won" in telling(client.get(f"/games/{game}", headers=BROWSER))


def test_several_winners_are_listed_as_people_do(api, client):
    seats = [{"name": name} for name in ("Ada", "Ben", "愛子")]
    game = api.open(ruleset="scoresheet", options={"template": "rounds"}, seats=seats)
    api.record(game, "r1 5 2 0", "r2 0 3 0", "end")
    path = f"/games/{game}"
    assert "<bdi>Ada</bdi> and <bdi>Ben</bdi> won" in telling(client.get(path, headers=BROWSER))
    assert "<bdi>Ada</bdi>、<bdi>Ben</bdi>が勝ちました" in telling(client.get(f"{path}?lang=ja", headers=BROWSER))


def test_the_page_of_drafts_has_the_lines_of_every_ready_sheet(api) -> None:
    """So that a game is recorded on any of them before its opening is stored."""
    answer = api.get("/draft", headers=BROWSER)
    found = re.search(r'id="sheets">(.*?)</script>', answer.text, re.DOTALL)
    assert found
    sheets = json.loads(found[1])["ready"]
    assert sheets.keys() == READY.keys()
    assert all(sheet["lines"] for sheet in sheets.values())


OF_THE_GAME = {"adjudge", "option"}
"""What a ruling changes by fields of its own, as its choices are the game's."""


def test_the_form_of_a_ruling_has_a_field_for_all_that_any_ruleset_lets_it_change() -> None:
    """`adjustment.test.mjs` fills in each kind of them."""
    for name, ruleset in SHIPPED.items():
        for adjustment in ruleset_detail(ruleset, "en").adjustments:
            for field, schema in adjustment.schema["properties"].items():
                if adjustment.name in OF_THE_GAME:
                    continue
                (kind,) = (kind for kind in schema.get("anyOf", [schema]) if kind.get("type") != "null")
                kind = kind.get("items", kind)
                known = "x-seat" in kind or "enum" in kind or kind.get("type") in {"boolean", "integer", "string"}
                assert known, (name, adjustment.name, field)


def test_the_steps_through_a_record_take_every_tap_and_nothing_else_does(api, client):
    page = client.get(f"/games/{api.open()}").text
    taking = re.findall(r'<button [^>]*data-go="(\w+)" data-repeats', page)
    assert taking == ["back", "on"]
    assert page.count("data-repeats") == 2
