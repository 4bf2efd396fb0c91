"""The example of a score app, as it is published: on a site of its own, against a real service."""

from __future__ import annotations

import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect
from uuid_utils import uuid7

from tests.service.pages.looks import examine

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from playwright.sync_api import Page, Route

    from tests.served import Service

pytestmark = pytest.mark.browser

EXAMPLES = Path(__file__).parents[3] / "examples"


class Quiet(SimpleHTTPRequestHandler):
    """Serves files, and says nothing of it."""

    def log_message(self, *_: object) -> None:
        """Nothing."""


@pytest.fixture(scope="module")
def site() -> Iterator[str]:
    """The address of the app, on another origin than the service."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=EXAMPLES)) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/score-app.html"
        server.shutdown()
        thread.join()


@pytest.fixture
def app(visit: Callable[..., Page], service: Service, site: str) -> Iterator[Page]:
    """The app before anybody has logged in, in a browser that is logged in at the service."""
    page = visit("/login")
    page.goto(site)
    page.get_by_label("Address of the service").fill(service.base)
    yield page
    page.goto(site)
    page.evaluate("localStorage.clear(), sessionStorage.clear()")


def log_in(app: Page, site: str, decision: str = "Approve") -> None:
    app.get_by_role("button", name="Log in").click()
    expect(app.get_by_role("main")).to_contain_text(f"The app at {site} asks for access.")
    app.get_by_role("button", name=decision).click()
    app.wait_for_url(f"{site}**")


def open_sheet(app: Page, title: str) -> str:
    """A new game, opened in the app; its id."""
    app.get_by_label("Title").fill(title)
    app.get_by_label("Sheet").select_option(label="Rounds with a running total")
    app.get_by_label("Players").fill("Aiko, Jonas")
    app.get_by_role("button", name="Open it").click()
    expect(app.get_by_role("heading", name=title)).to_be_visible()
    return app.url.partition("#game=")[2]


def recorded(service: Service, game: str) -> list[str]:
    return service.notations(game)


HOSTILE = "<img src=x onerror=alert(1)>" + "Donaudampfschiff" * 8
"""A title that runs, or is too wide, if it can."""


def test_a_score_app_of_another_site_logs_in_opens_records_follows_and_logs_in_anew_once_its_token_was_revoked(
    app: Page, service: Service, site: str
) -> None:
    assert examine(app) == []
    log_in(app, site)
    expect(app.get_by_role("heading", name="A new game")).to_be_visible()
    assert "code=" not in app.url
    game = open_sheet(app, HOSTILE)
    app.get_by_label("Aiko").fill("3")
    app.get_by_label("Jonas").fill("-4")
    app.get_by_role("button", name="Record the round").click()
    expect(app.get_by_role("status")).to_have_text("All is stored.")
    expect(app.get_by_role("row", name="Jonas")).to_contain_text("-4")
    expect(app.get_by_role("heading", name="round 2")).to_be_visible()
    app.get_by_label("Anything else").fill("p1 +5 longest road")
    app.get_by_role("button", name="Record it").click()
    expect(app.get_by_role("row", name="Aiko")).to_contain_text("8")
    assert recorded(service, game) == ["r1 3 -4", "p1 +5 longest road"]
    service.record(game, "r2 10 20")  # somebody else, elsewhere
    expect(app.get_by_role("row", name="Jonas")).to_contain_text("16")
    expect(app.get_by_role("listitem").first).to_have_text("r2 10 20")
    entries = service.api.get(f"/v1/games/{game}/timeline").json()
    assert entries["people"][entries["entries"][1]["recorder"]] == site
    _it_fits_a_phone_and_passes(app, site)
    app.goto(f"{site}#game={game}")
    _it_logs_in_anew(app, service, site, game)
    app.get_by_role("button", name="Log out").click()
    expect(app.get_by_role("button", name="Log in")).to_be_visible()
    assert site not in service.api.get("/v1/tokens").text, "its token has ended"


def _it_fits_a_phone_and_passes(app: Page, site: str) -> None:
    """See it with a game, and with the list of games, in light and in dark."""
    assert examine(app) == []
    assert app.evaluate("document.documentElement.scrollWidth") <= 360
    app.goto(site)
    expect(app.get_by_role("link", name="Donaudampfschiff").first).to_be_visible()
    assert examine(app) == []
    assert app.evaluate("document.documentElement.scrollWidth") <= 360


def _it_logs_in_anew(app: Page, service: Service, site: str, game: str) -> None:
    """Revoke its token. What waits meanwhile is kept, and sent after the next login."""
    expect(app.get_by_role("row", name="Jonas")).to_contain_text("16")
    *_, token = [each for each in service.api.get("/v1/tokens").json()["tokens"] if each["name"] == site]
    service.api.delete(f"/v1/tokens/{token['id']}").raise_for_status()
    expect(app.get_by_role("button", name="Log in")).to_be_visible()
    expect(app.get_by_role("alert")).to_contain_text("this token was revoked")
    waiting = [{"game": game, "entry": {"id": str(uuid7()), "data": {"move": "r3 4 5"}}}]
    app.evaluate("waiting => localStorage.setItem('score-app:outbox', JSON.stringify(waiting))", waiting)
    log_in(app, site)
    app.goto(f"{site}#game={game}")
    expect(app.get_by_role("row", name="Jonas")).to_contain_text("21")
    assert recorded(service, game)[-1] == "r3 4 5"


def test_who_refuses_or_forges_an_answer_is_not_logged_in_and_entries_and_streams_survive_a_bad_line(
    app: Page, service: Service, site: str
) -> None:
    log_in(app, site, "Refuse")
    expect(app.get_by_role("alert")).to_have_text("You are not logged in: it was refused.")
    expect(app.get_by_role("button", name="Log in")).to_be_visible()
    app.goto(f"{site}?code=kifu_cod_of_somebody_else&state=x")
    expect(app.get_by_role("alert")).to_contain_text("This answer is not to a question of this page")
    assert app.url == site
    log_in(app, site)
    asked = list[str]()

    def stream(route: Route) -> None:
        asked.append(route.request.headers["accept"])
        open_to_all = {"Access-Control-Allow-Origin": "*"}
        route.fulfill(body='{"version": 1}\n\n{"version": 2}\n', content_type=asked[0], headers=open_to_all)

    app.route("**/stream?last_event_id=*", stream)
    game = open_sheet(app, "Streamed")
    service.record(game, "r1 8 9")
    expect(app.get_by_role("row", name="Jonas")).to_contain_text("9")
    assert set(asked) == {"application/x-ndjson"}
    app.unroute("**/stream?last_event_id=*")
    app.goto(site)
    _an_entry_is_stored_once_though_its_answer_was_lost_or_the_app_closed_and_a_refused_one_holds_up_nothing(
        app, service, site
    )


def _an_entry_is_stored_once_though_its_answer_was_lost_or_the_app_closed_and_a_refused_one_holds_up_nothing(
    app: Page, service: Service, site: str
) -> None:
    game, lost = open_sheet(app, "A bad line"), list[str]()

    def lose(route: Route) -> None:
        """The service stores it, and nobody hears of it."""
        lost.append(str(route.request.post_data))
        if len(lost) == 1:
            assert route.fetch().status == 201
        if len(lost) < 3:
            route.abort()
        else:
            route.continue_()

    app.route(f"**/v1/games/{game}/events", lose)
    app.get_by_label("Aiko").fill("7")
    app.get_by_role("button", name="Record the round").click()
    expect(app.get_by_role("status")).to_have_text("1 not stored yet …")
    expect(app.get_by_role("button", name="Record the round")).to_be_disabled()
    expect(app.get_by_role("status")).to_have_text("All is stored.")
    assert (len(lost), len(set(lost))) == (3, 1)
    assert recorded(service, game) == ["r1 7 ?"]
    app.goto(site)
    game = open_sheet(app, "Closed too soon")
    address = f"**/v1/games/{game}/events"
    app.route(address, lambda route: route.abort())
    app.get_by_label("Anything else").fill("r1 1 2")
    app.get_by_role("button", name="Record it").click()
    expect(app.get_by_role("status")).to_have_text("1 not stored yet …")
    app.unroute(address)
    app.reload()
    expect(app.get_by_role("listitem").first).to_have_text("r1 1 2")
    assert recorded(service, game) == ["r1 1 2"]
    app.goto(site)
    game = open_sheet(app, "Mistyped")
    for line in ("nonsense", "r1 5 6"):
        app.get_by_label("Anything else").fill(line)
        app.get_by_role("button", name="Record it").click()
        if line == "nonsense":
            expect(app.get_by_role("alert")).to_contain_text("expected a value or a column here")
    expect(app.get_by_role("row", name="Jonas")).to_contain_text("6")
    expect(app.get_by_role("alert")).to_be_empty()
    assert recorded(service, game) == ["r1 5 6"]
