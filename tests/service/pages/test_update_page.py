"""A page that stays open while the service is updated goes on, and offers to be loaded anew."""

from __future__ import annotations

import shutil
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from service.pages import assets
from service.pages.releases import FOLDER
from tests.service.pages.steps import DEAL, enter, wait_until_stored
from tests.waiting import until

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page, Request, Route

    from tests.served import Service

pytestmark = pytest.mark.browser


@pytest.fixture
def former(request: pytest.FixtureRequest) -> str:
    """The digest of the release that the page is of: another one in each test, as browsers keep files by it."""
    return sha256(request.node.name.encode()).hexdigest()[: len(assets.digest())]


@pytest.fixture
def kept(service: Service, former: str) -> Path:
    """The archive with the files of the former release, which a service keeps for pages that are open."""
    folder = service.folder / FOLDER
    service.api.get("/")
    until((folder / f"{assets.digest()}.zip").exists)
    return Path(shutil.copy(folder / f"{assets.digest()}.zip", folder / f"{former}.zip"))


def of_another(release: str) -> Callable[[Route], None]:
    """Send a page as that release sent it."""

    def send(route: Route) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, body=answer.text().replace(assets.digest(), release))

    return send


@pytest.fixture
def page(phone: Page, service: Service, former: str, kept: Path) -> Page:
    """A page of the former release, as it was sent before the update, with the files that were kept."""
    assert kept.exists()
    phone.context.add_cookies([service.log_in()])
    game = service.open()
    phone.route("**/games/*", of_another(former))
    phone.goto(f"/games/{game}")
    phone.unroute("**/games/*")
    wait_until_stored(phone, 1)
    return phone


def test_a_page_of_the_last_release_works_on_and_offers_to_be_loaded_anew_and_a_big_screen_does_so_by_itself(
    page: Page, former: str, kept: Path
) -> None:
    assert page.evaluate("document.body.dataset.release") == former
    note = page.locator("#updated")
    expect(note).to_contain_text("Kifu was updated.")
    enter(page, DEAL)
    wait_until_stored(page, 2)
    _what_cannot_be_loaded_or_asked_for_any_more_says_so_and_is_tried_again(page, kept)
    note.get_by_role("button", name="Reload the page").click()
    page.wait_for_function("release => document.body.dataset.release === release", arg=assets.digest())
    wait_until_stored(page, 2)
    expect(page.locator("#updated")).to_have_count(0)

    page.route("**/scoreboard", of_another(former), times=1)
    page.goto(f"{page.url}/scoreboard", wait_until="commit")  # it can load itself anew before it is loaded
    page.wait_for_function("release => document.body.dataset.release === release", arg=assets.digest())


def _what_cannot_be_loaded_or_asked_for_any_more_says_so_and_is_tried_again(page: Page, kept: Path) -> None:
    kept.rename(kept.with_suffix(".away"))
    asked: list[Request] = []
    page.on("request", lambda request: asked.append(request) if "/analysis/" in request.url else None)
    page.get_by_role("tab", name="Analysis").click()
    expect(page.locator("#analysis")).to_contain_text("This cannot be loaded now. Kifu will try again.")
    page.wait_for_timeout(1_000)
    assert len(asked) <= 3, "it is not asked for again and again without a pause"
    page.route("**/analyses?*", lambda route: route.abort())
    with page.expect_event("requestfailed", lambda request: "/analyses?" in request.url):
        kept.with_suffix(".away").rename(kept)
    expect(page.locator("#analysis")).to_contain_text("This cannot be loaded now. Kifu will try again.")
    page.unroute("**/analyses?*")
    expect(page.locator("#analysis .desk button")).to_be_visible()
    expect(page.locator("#analysis")).not_to_contain_text("cannot be loaded")
    scripts = [request.url for request in asked if request.resource_type == "script"]
    assert len(scripts) == len(set(scripts)), "browsers can remember for good that an address has no script"
