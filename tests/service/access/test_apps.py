"""Apps that come by the browser: what a person is asked, where they are led back to, and what the app gets."""

from __future__ import annotations

import re
import time
import warnings
from concurrent.futures import ThreadPoolExecutor
from html import unescape
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, parse_qsl, urlencode, urlsplit

import httpx
import pytest
from uuid_utils import uuid7
from werkzeug.test import Client

from service.access import secrets
from service.access.apps import App, app_of, challenge_of
from service.access.scopes import SCOPES
from service.access.store import StoreFullError
from tests.cases import cases
from tests.service.access.test_devices import browser, error
from tests.service.conftest import Api, Guest
from tests.traces import files_with

if TYPE_CHECKING:
    from pathlib import Path

    from werkzeug.test import TestResponse

pytestmark = pytest.mark.service("file")

ADDRESS = "https://score.example/app/"
BACK = "https://score.example/app/in?from=kifu"
VERIFIER = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
ISSUER = "http://localhost"


def asked(**more: Any) -> dict[str, Any]:
    """What an app sends a browser with; None leaves out."""
    sent = {
        "response_type": "code",
        "client_id": ADDRESS,
        "redirect_uri": BACK,
        "scope": "games:read games:record",
        "state": "a state/with? & signs",
        "code_challenge": challenge_of(VERIFIER),
        "code_challenge_method": "S256",
    }
    return {name: value for name, value in (sent | more).items() if value is not None}


def show(client: Client, **more: Any) -> TestResponse:
    return client.get(f"/authorize?{urlencode(asked(**more), doseq=True)}")


def decide(client: Client, decision: str = "approve", **more: Any) -> TestResponse:
    return client.post("/authorize", data=asked(**more) | {"decision": decision})


def redirect_parameters(answer: TestResponse, back: str = BACK) -> dict[str, str]:
    """What the app is told by where the browser is led."""
    assert (answer.status_code, answer.headers["Cache-Control"]) == (303, "no-store"), answer.text
    to = answer.headers["Location"]
    assert to.startswith(back), to
    found = parse_qs(to[len(back) + 1 :], strict_parsing=True)
    assert {len(values) for values in found.values()} == {1}
    assert found.pop("iss") == [ISSUER]
    return {name: value for name, (value,) in found.items()}


def code_of(answer: TestResponse, back: str = BACK) -> str:
    found = redirect_parameters(answer, back)
    assert found.keys() == {"code", "state"}
    return found["code"]


def take(api: Api, code: str, /, **more: Any) -> TestResponse:
    """The app that takes its token."""
    form = {
        "grant_type": "authorization_code",
        "code": code,
        "client_id": ADDRESS,
        "redirect_uri": BACK,
        "code_verifier": VERIFIER,
    }
    sent = {name: value for name, value in (form | more).items() if value is not None}
    answer = Client(api.app, use_cookies=False).post("/v1/oauth/token", data=sent)
    assert answer.status_code not in {200, 400} or answer.headers["Cache-Control"] == "no-store"
    return answer


def let_in(api: Api, token: str | None = None, **more: Any) -> Guest:
    given = take(api, code_of(decide(browser(api, token), **more)))
    assert given.status_code == 200, given.text
    return Guest(api.app, "", given.get_json()["access_token"])


def test_an_app_is_let_in_by_the_browser_and_does_what_it_asked_for(api: Api) -> None:
    game, client = api.play(), browser(api)
    page = show(client)
    assert page.status_code == 200
    assert ADDRESS in page.text
    assert "<b>score.example</b>" in page.text
    assert [name for name in SCOPES if f"<code>{name}</code>" in page.text] == ["games:read", "games:record"]
    assert all(SCOPES[name] in page.text for name in ("games:read", "games:record"))
    main = page.text.partition("</main>")[0]
    fields = dict(re.findall(r'type="hidden" name="([^"]*)" value="([^"]*)"', main))
    assert fields.pop("person_of_page"), "the form says for whom it was made"
    assert {name: unescape(value) for name, value in fields.items()} == asked()
    answer = client.post("/authorize", data=asked() | {"decision": "approve", "where": "all"})
    assert redirect_parameters(answer)["state"] == asked()["state"]
    given = take(api, redirect_parameters(answer)["code"]).get_json()
    assert re.fullmatch("kifu_app_[0-9A-Za-z]{36}", given["access_token"])
    assert (given["token_type"], given["scope"]) == ("Bearer", "games:read games:record")
    assert 364 * 86_400 < given["expires_in"] <= 365 * 86_400
    app = Guest(api.app, "", given["access_token"])
    assert app.get(f"/v1/games/{game}").status_code == 200
    assert app.get("/v1/feed").get_json()["scope"] == "hidden:read"
    (listed,) = [each for each in api.get("/v1/tokens").get_json()["tokens"] if each["name"] == ADDRESS]
    assert (listed["kind"], listed["scopes"], listed["games"]) == ("app", ["games:read", "games:record"], None)


@pytest.mark.parametrize(("language", "words"), [("en", "from your own seats"), ("ja", "自分の席からゲームを見る")])
def test_what_is_hidden_at_ones_seat_is_asked_for_in_words(api: Api, language: str, words: str) -> None:
    player = api.let_in("viewer")
    client = browser(api, player.token)
    page = show(client, scope="games:read seats:read", lang=language).text
    assert words in page
    assert "<code>seats:read</code>" in page
    assert words not in show(client, scope="games:read", lang=language).text
    app = let_in(api, player.token, scope="games:read seats:read")
    assert app.get("/v1/token").get_json()["token"]["scopes"] == ["games:read", "seats:read"]


@pytest.mark.slow
def test_a_client_of_others_that_keeps_to_the_standard_gets_in(api: Api) -> None:
    """Authlib's, with what it finds in the metadata alone."""
    with warnings.catch_warnings(record=True):  # it would rather have another httpx, and insists on saying so
        from authlib.integrations.httpx_client import OAuth2Client

    with httpx.Client(transport=httpx.WSGITransport(app=api.app), base_url=ISSUER) as plain:
        found = plain.get("/.well-known/oauth-authorization-server").json()
    assert found["issuer"] == ISSUER
    assert found["response_types_supported"] == ["code"]
    assert found["code_challenge_methods_supported"] == ["S256"]
    assert found["authorization_response_iss_parameter_supported"] is True
    assert "authorization_code" in found["grant_types_supported"]
    with OAuth2Client(
        client_id="http://127.0.0.1:8000/",
        redirect_uri="http://127.0.0.1:8000/in",
        scope="games:read",
        code_challenge_method="S256",
        token_endpoint_auth_method="none",
        transport=httpx.WSGITransport(app=api.app),
    ) as app:
        address, state = app.create_authorization_url(found["authorization_endpoint"], code_verifier=VERIFIER)
        answer = browser(api).post(
            "/authorize", data=dict(parse_qsl(urlsplit(address).query)) | {"decision": "approve"}
        )
        token = app.fetch_token(
            found["token_endpoint"],
            authorization_response=answer.headers["Location"],
            code_verifier=VERIFIER,
            state=state,
        )
        assert token["token_type"] == "Bearer"
        assert app.get(f"{ISSUER}/v1/token").json()["scopes"] == ["games:read"]


def test_a_refused_app_is_told_so_and_gets_nothing(api: Api) -> None:
    before = len(api.access.credentials())
    found = redirect_parameters(decide(browser(api), "refuse"))
    assert (found["error"], found["state"]) == ("access_denied", asked()["state"])
    assert "code" not in found
    assert len(api.access.credentials()) == before + 1, "the browser's session"


def test_an_app_has_at_most_the_rights_of_the_person_who_approved_it(api: Api) -> None:
    viewer = api.let_in("viewer")
    page = show(browser(api, viewer.token), scope="games:read games:record admin").text
    assert "You may not do it" in page
    app = let_in(api, viewer.token, scope="games:read games:record admin")
    assert app.get("/v1/token").get_json()["token"]["scopes"] == ["games:read"]
    api.request("PUT", f"/v1/roles/{viewer.person}", json={"role": "owner"})
    assert app.get("/v1/trail").status_code == 403, "nor what they came to be allowed later"
    api.request("DELETE", f"/v1/roles/{viewer.person}")
    assert app.get("/v1/games").get_json()["games"] == []


@pytest.mark.parametrize("made", [{"scopes": ["games:read"]}, {"role": "viewer", "games": True}])
def test_who_may_make_no_tokens_or_nothing_of_it_lets_no_app_in_but_can_refuse(api: Api, made: dict[str, Any]) -> None:
    more = made | ({"games": [api.play()]} if "games" in made else {})
    token = api.post("/v1/tokens", {"name": "x"} | more).get_json()["token"]
    for client, scope in ((browser(api, token), "games:read"), (browser(api, api.let_in("viewer").token), "admin")):
        assert 'value="approve"' not in show(client, scope=scope).text
        assert decide(client, scope=scope).status_code == 403
        assert redirect_parameters(decide(client, "refuse", scope=scope))["error"] == "access_denied"


@pytest.mark.service("test")
def test_an_app_can_be_let_into_some_games_alone(api: Api) -> None:
    mine, other = api.play(), api.play()
    api.catch_up()
    page = show(browser(api), scope="games:read games:record games:open").text
    assert re.findall('name="games" value="([^"]*)"', page) == [other, mine]
    app = let_in(api, scope="games:read games:record games:open", where="chosen", games=[mine])
    about = app.get("/v1/token").get_json()["token"]
    assert (about["games"], about["scopes"]) == ([mine], ["games:read", "games:record"])
    assert app.get(f"/v1/games/{mine}").status_code == 200
    assert app.get(f"/v1/games/{other}").status_code == 404
    assert [listed["game"] for listed in app.get("/v1/games").get_json()["games"]] == [mine]


@pytest.mark.service("test")
def test_no_game_chosen_is_asked_again_and_one_that_is_none_is_refused(api: Api) -> None:
    mine, foreign = api.play(), api.play()
    clients = [browser(api), browser(api, api.let_in("viewer").token)]
    assert all("No game is chosen" in decide(client, where="chosen").text for client in clients)
    for game in ("", "../x", str(uuid7())):
        for client in clients:
            assert decide(client, where="chosen", games=[mine, game]).status_code == 400
    member = api.let_in(games={mine: "owner"})
    token = api.post("/v1/tokens", {"name": "x", "scopes": ["games:read", "tokens:write"]}).get_json()["token"]
    assert decide(browser(api, member.token), where="chosen", games=[foreign]).status_code == 403
    assert decide(browser(api, token), where="chosen", games=[mine], scope="games:rule").status_code == 403
    assert [each for each in api.access.credentials() if each.name == ADDRESS] == []


# Whom the browser is led back to


@pytest.mark.parametrize(
    ("client", "back"),
    [
        ("https://score.example", "https://score.example/in"),
        ("https://score.example/", "https://score.example"),
        ("http://192.168.0.7:8000/", "http://192.168.0.7:8000/in?x=1"),
        ("A score app", "https://score.example/in"),
        ("A score app", "http://localhost:9/in"),
        ("A score app", "http://127.0.0.1:65535/in"),
        ("A score app", "http://[::1]:9/in"),
    ],
)
def test_the_browser_is_led_to_where_the_app_is(shared: Api, client: str, back: str) -> None:
    code = code_of(decide(browser(shared), client_id=client, redirect_uri=back), back)
    given = take(shared, code, client_id=client, redirect_uri=back)
    assert given.status_code == 200, given.text


UNREADABLE = [
    *("..", ".", "-", "a..example", ".example", "a-.example", "-a.example", f"{'a' * 64}.example", "a." * 127 + "a"),
    *(
        "a.example:0",
        "a.example:65536",
        "a.example:99999",
        "xn--.example",
        "[::::]",
        "[1.2.3.4]",
        "[::1",
        "[::1]:70000",
    ),
]
"""Hosts that no browser can be led to."""


@pytest.mark.slow
@cases(
    ("client", "back", "field"),
    [
        (ADDRESS, "https://elsewhere.example/in", "redirect_uri"),
        (ADDRESS, "https://score.example.elsewhere.example/in", "redirect_uri"),
        (ADDRESS, "https://score.example:444/in", "redirect_uri"),
        (ADDRESS, "http://score.example/in", "redirect_uri"),
        (ADDRESS, "https://score.example@elsewhere.example/in", "redirect_uri"),
        (ADDRESS, "https://elsewhere.example\\@score.example/in", "redirect_uri"),
        (ADDRESS, "https://score.example/in#here", "redirect_uri"),
        (ADDRESS, "https://score.example/in\r\nSet-Cookie: a=b", "redirect_uri"),
        (ADDRESS, "https://score.example/in?code=mine", "redirect_uri"),
        (ADDRESS, "https://score.example/in?st%61te=mine", "redirect_uri"),
        (ADDRESS, "https://score.ex\u0430mple/in", "redirect_uri"),
        *((name, f"https://{host}/x", "redirect_uri") for name in (ADDRESS, "A score app") for host in UNREADABLE),
        ("https://../x", "https://../x", "redirect_uri"),
        ("https://score.example:99999/", BACK, "client_id"),
        (ADDRESS, "//score.example/in", "redirect_uri"),
        (ADDRESS, "/in", "redirect_uri"),
        (ADDRESS, "javascript:alert(1)", "redirect_uri"),
        (ADDRESS, "data:text/html,x", "redirect_uri"),
        ("A score app", "http://score.example/in", "redirect_uri"),
        ("A score app", "http://127.0.0.1.elsewhere.example/in", "redirect_uri"),
        ("A score app", "app.example://in", "redirect_uri"),
        ("ftp://score.example/", "https://score.example/in", "client_id"),
        ("https://score.example@elsewhere.example/", "https://score.example/in", "client_id"),
        ("a\nb", BACK, "client_id"),
        ("x" * 201, BACK, "client_id"),
        (["a", "b"], BACK, "client_id"),
        (None, BACK, "client_id"),
        (ADDRESS, None, "redirect_uri"),
        (ADDRESS, "", "redirect_uri"),
        (ADDRESS, [BACK, "https://elsewhere.example"], "redirect_uri"),
    ],
)
def test_the_browser_is_led_nowhere_else_and_the_person_is_told_why(
    shared: Api, client: Any, back: Any, field: str
) -> None:
    visitor = browser(shared)
    for more in ({}, {"response_type": "token"}, {"scope": "games:fly"}):
        answer = show(visitor, client_id=client, redirect_uri=back, **more)
        assert (answer.status_code, "Location" in answer.headers) == (400, False)
        assert re.search(rf"{field}(</code>)?: ", answer.text)
    for decision in ("approve", "refuse"):
        answer = decide(visitor, decision, client_id=client, redirect_uri=back)
        assert (answer.status_code, "Location" in answer.headers) == (400, False)


@pytest.mark.parametrize(
    ("more", "wanted"),
    [
        ({"response_type": "token"}, "unsupported_response_type"),
        ({"response_type": None}, "invalid_request"),
        ({"response_type": ["code", "code"]}, "invalid_request"),
        ({"scope": "games:fly"}, "invalid_scope"),
        ({"scope": "  "}, "invalid_scope"),
        ({"scope": ["games:read", "admin"]}, "invalid_request"),
        ({"code_challenge": None}, "invalid_request"),
        ({"code_challenge": "short"}, "invalid_request"),
        ({"code_challenge": f"{challenge_of(VERIFIER)}\n"}, "invalid_request"),
        ({"code_challenge_method": None}, "invalid_request"),
        ({"code_challenge_method": "plain"}, "invalid_request"),
        ({"code_challenge_method": "s256"}, "invalid_request"),
        ({"state": ["one", "two"]}, "invalid_request"),
    ],
)
def test_an_app_that_asks_wrongly_is_told_so_where_it_is_led_back_to(
    shared: Api, more: dict[str, Any], wanted: str
) -> None:
    client = browser(shared)
    for answer in (show(client, **more), decide(client, **more)):
        found = redirect_parameters(answer)
        assert (found["error"], "code" in found) == (wanted, False)
        assert re.fullmatch(r"[\x20\x21\x23-\x5b\x5d-\x7e]+", found["error_description"])
        assert found.get("state") == (None if "state" in more else asked()["state"])


def test_a_stranger_logs_in_first_and_comes_back_to_what_was_asked(api: Api) -> None:
    client = Client(api.app)
    for more in ({}, {"scope": "games:fly"}):
        page = show(client, **more)
        assert (page.status_code, "Location" in page.headers) == (200, False), "strangers are led nowhere"
    assert decide(client).status_code == 401
    page = show(client).text
    assert 'value="approve"' not in page
    login = unescape(re.findall(r'class="button" href="([^"]*)"', page)[0])
    on = unescape(re.findall(r'name="app" value="([^"]*)"', client.get(login).text)[0])
    wrong = client.post("/login", data={"token": "x", "app": on})
    assert (wrong.status_code, 'name="app"' in wrong.text) == (401, True)
    answer = client.post("/login", data={"token": api.token, "app": on})
    where = urlsplit(answer.headers["Location"])
    assert (where.netloc, where.path, dict(parse_qsl(where.query))) == ("", "/authorize", asked())
    assert 'value="approve"' in client.get(answer.headers["Location"]).text
    for foreign in (
        "//elsewhere.example",
        "https://elsewhere.example/?a=b",
        "a=b\r\nX-Evil: 1",
        "\\\\elsewhere.example",
    ):
        answer = Client(api.app).post("/login", data={"token": api.token, "app": foreign})
        assert answer.headers["Location"].partition("?")[0] == "/authorize"
        assert "X-Evil" not in answer.headers


def test_a_foreign_page_decides_nothing_and_shows_nothing_in_a_frame(api: Api) -> None:
    client = browser(api)
    for headers in ({"Origin": "https://score.example"}, {"Sec-Fetch-Site": "cross-site"}):
        assert client.post("/authorize", data=asked() | {"decision": "approve"}, headers=headers).status_code == 403
    page = client.get(f"/authorize?{urlencode(asked())}&decision=approve")
    assert (page.status_code, "Location" in page.headers) == (200, False)
    policy = page.headers["Content-Security-Policy"]
    assert "frame-ancestors 'none'" in policy
    assert policy.endswith("form-action 'self' https://score.example")
    assert page.headers["Referrer-Policy"] == "same-origin"
    assert client.get("/").headers["Content-Security-Policy"].endswith("form-action 'self'")


def test_what_an_app_calls_itself_is_shown_as_text_and_as_a_name_nobody_checked(api: Api) -> None:
    page = show(browser(api), client_id="<b>lichess.org</b>", state='"><script>').text
    assert "&lt;b&gt;lichess.org" in page
    assert "<script>" not in page
    assert "nobody has checked" in page
    assert "not encrypted" in show(browser(api), client_id="http://10.0.0.2/", redirect_uri="http://10.0.0.2/in").text


# The code


def test_a_code_gives_one_token_and_none_once_it_was_used_twice(api: Api) -> None:
    code = code_of(decide(browser(api)))
    app = Guest(api.app, "", take(api, code).get_json()["access_token"])
    other = let_in(api)
    assert app.get("/v1/token").status_code == 200
    assert error(take(api, code)) == "invalid_grant"
    assert app.get("/v1/token").status_code == 401
    assert "revoked" in app.get("/v1/token").get_json()["detail"]
    assert other.get("/v1/token").status_code == 200, "only what that code gave"
    steps = api.get("/v1/trail").get_json()["steps"]
    assert steps[-1]["what"] == "credential.ended"


def test_a_code_used_twice_ends_the_rotated_token_for_every_sender(api: Api) -> None:
    code = code_of(decide(browser(api)))
    app = Guest(api.app, "", take(api, code).get_json()["access_token"])
    app.token = app.post("/v1/token/rotation").get_json()["token"]
    assert error(take(api, code, code_verifier="x" * 43)) == "invalid_grant"
    assert app.get("/v1/token").status_code == 401


def test_a_code_gives_one_token_at_most_however_many_ask_at_once(api: Api) -> None:
    code = code_of(decide(browser(api)))
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda _: take(api, code), range(8)))
    assert sorted(answer.status_code for answer in answers) == [200] + [400] * 7
    (given,) = [answer.get_json()["access_token"] for answer in answers if answer.status_code == 200]
    assert Guest(api.app, "", given).get("/v1/token").status_code == 401, "and that ended with the second"


@pytest.mark.parametrize(
    ("more", "wanted"),
    [
        ({"code_verifier": "x" * 43}, "invalid_grant"),
        ({"client_id": "https://score.example/"}, "invalid_grant"),
        ({"redirect_uri": "https://score.example/app/in"}, "invalid_grant"),
        ({"redirect_uri": f"{BACK}&x=1"}, "invalid_grant"),
    ],
)
@pytest.mark.service("test")
def test_a_code_is_bound_to_app_address_and_challenge_and_a_wrong_try_uses_it_up(
    api: Api, more: dict[str, Any], wanted: str
) -> None:
    code = code_of(decide(browser(api)))
    assert error(take(api, code, **more)) == wanted
    assert error(take(api, code)) == "invalid_grant"
    assert [each for each in api.access.credentials() if each.name == ADDRESS] == []


@pytest.mark.parametrize(
    "more",
    [
        {"code_verifier": None},
        {"code_verifier": "short"},
        {"code_verifier": "x" * 129},
        {"code_verifier": f"{VERIFIER}\n"},
        {"code_verifier": ["x" * 43, VERIFIER]},
        {"code": None},
        {"client_id": None},
        {"redirect_uri": None},
        {"grant_type": None},
    ],
)
def test_a_token_that_is_asked_for_wrongly_is_refused_and_the_code_is_not_used_up(
    shared: Api, more: dict[str, Any]
) -> None:
    code = code_of(decide(browser(shared)))
    assert error(take(shared, code, **more)) == "invalid_request"
    assert take(shared, code).status_code == 200


def test_what_is_no_code_is_not_looked_up(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    code = code_of(decide(browser(api)))
    looked = []
    monkeypatch.setattr(api.access, "take_code", lambda *_: looked.append(1))
    for wrong in ("nonsense", code[:-1], code[:-1] + ("a" if code[-1] != "a" else "b"), secrets.make("log"), "\u00e9"):
        assert error(take(api, wrong)) == "invalid_grant"
    assert looked == []
    assert error(take(api, secrets.make("cod"))) == "invalid_grant"
    assert looked == [1]


@pytest.mark.parametrize(("seconds", "opens"), [(58, True), (61, False), (-7200, True)])
@pytest.mark.service("test")
def test_a_code_is_over_after_a_minute_and_a_clock_that_was_put_back_uses_none_twice(
    api: Api, monkeypatch: pytest.MonkeyPatch, seconds: int, opens: bool
) -> None:
    code, now = code_of(decide(browser(api))), time.time_ns()
    monkeypatch.setattr(time, "time_ns", lambda: now + seconds * 10**9)
    assert (take(api, code).status_code == 200) is opens
    assert error(take(api, code)) == "invalid_grant"


def test_who_has_logged_out_or_was_erased_since_lets_no_app_in(api: Api) -> None:
    viewer = api.let_in("viewer")
    for path, why in (("/v1/sessions", "access_denied"), (f"/v1/players/{viewer.person}", "invalid_grant")):
        api.request("PUT", f"/v1/players/{viewer.person}", json={"name": "Anna"})
        code = code_of(decide(browser(api, viewer.token), scope="games:read"))
        (api if "players" in path else viewer).request("DELETE", path)
        assert error(take(api, code)) == why


def test_an_app_lasts_no_longer_than_what_let_it_in(api: Api) -> None:
    short = api.let_in("viewer", days=2)
    app = let_in(api, short.token)
    assert app.get("/v1/token").get_json()["token"]["ends_at"] == short.get("/v1/token").get_json()["token"]["ends_at"]


@pytest.mark.service("test")
def test_no_code_and_no_name_of_an_app_lies_on_disk_or_in_the_trail(api: Api, tmp_path: Path) -> None:
    code = code_of(decide(browser(api)))
    token = take(api, code).get_json()["access_token"]
    assert files_with(tmp_path, code, token, VERIFIER) == []
    steps = api.get("/v1/trail").get_json()["steps"]
    assert [step["what"] for step in steps[-2:]] == ["consent.made", "credential.made"]
    assert "score.example" not in api.get("/v1/trail").text


def test_a_token_that_cannot_be_stored_is_no_token(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    client = browser(api)
    code = code_of(decide(client))

    def full(*_: Any, **__: Any) -> None:
        raise StoreFullError("the disk is full")

    with monkeypatch.context() as patched:
        patched.setattr(api.access, "add", full)
        patched.setattr(api.access, "put_code", full)
        answers = take(api, code), decide(client)
    assert [answer.status_code for answer in answers] == [507, 507]
    assert error(take(api, code)) == "invalid_grant"


def test_a_page_of_another_origin_takes_its_token_and_uses_it(api: Api) -> None:
    client, origin = Client(api.app, use_cookies=False), {"Origin": "https://score.example"}
    code = code_of(decide(browser(api)))
    form = {"grant_type": "authorization_code", "code": code, "client_id": ADDRESS, "redirect_uri": BACK}
    answer = client.post("/v1/oauth/token", data=form | {"code_verifier": VERIFIER}, headers=origin)
    assert (answer.status_code, answer.headers["Access-Control-Allow-Origin"]) == (200, "*")
    sent = {"Authorization": f"Bearer {answer.get_json()['access_token']}"} | origin
    assert client.get("/v1/games", headers=sent).headers["Access-Control-Allow-Origin"] == "*"
    assert "Access-Control-Allow-Origin" not in client.get(f"/authorize?{urlencode(asked())}", headers=origin).headers


def test_the_origin_of_an_app_is_what_a_browser_takes_it_for() -> None:
    for address in ("https://a.example", "https://a.example/", "https://a.example:444/b?c=/d", "http://[::1]:9/x?y"):
        origin = re.match("https?://[^/]*", address)
        assert origin is not None
        assert app_of(address, address).origin == origin[0]
    assert App("x", "https://a.example/b").host == "a.example"
