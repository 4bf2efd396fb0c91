"""A page that stays open while the service is updated goes on, and offers to be loaded anew."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from service.pages import assets
from service.pages.releases import FOLDER
from tests.served import serve
from tests.service.pages.conftest import profile
from tests.service.pages.steps import DEAL, enter, wait_until_stored
from tests.waiting import until

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Browser, Page, Request, Route

    from tests.served import Service

pytestmark = pytest.mark.browser

FORMER = "0123456789ab"
"""The digest of the release that the page is of."""


@pytest.fixture(scope="module")
def updated(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Service, Path]]:
    """A service of the present release, and where it keeps the files of the last ones."""
    folder = tmp_path_factory.mktemp("updated")
    with serve(folder) as service:
        yield service, folder / "data" / FOLDER


@pytest.fixture
def page(browser: Browser, updated: tuple[Service, Path]) -> Iterator[Page]:
    """A page of the former release, as it was sent before the update, with the files that were kept."""
    service, folder = updated
    context = profile(browser, service)
    context.add_cookies([service.cookie])
    page = context.new_page()

    def give_out(route: Route) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, body=answer.text().replace(assets.digest(), FORMER))

    page.goto("/")
    until((folder / f"{assets.digest()}.zip").exists)
    shutil.copy(folder / f"{assets.digest()}.zip", folder / f"{FORMER}.zip")
    game = service.open()
    page.route("**/games/*", give_out)
    page.goto(f"/games/{game}")
    page.unroute("**/games/*")
    wait_until_stored(page, 1)
    yield page
    context.close()


def test_a_page_of_the_last_release_works_on_and_offers_to_be_loaded_anew_and_a_big_screen_does_so_by_itself(
    page: Page,
) -> None:
    assert page.evaluate("document.body.dataset.release") == FORMER
    note = page.locator("#updated")
    expect(note).to_contain_text("Kifu was updated.")
    enter(page, DEAL)
    wait_until_stored(page, 2)
    page.get_by_role("tab", name="Analysis").click()
    expect(page.locator("#analysis .desk button")).to_be_visible()
    note.get_by_role("button", name="Reload the page").click()
    page.wait_for_function("release => document.body.dataset.release === release", arg=assets.digest())
    wait_until_stored(page, 2)
    expect(page.locator("#updated")).to_have_count(0)

    def give_out(route: Route) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, body=answer.text().replace(assets.digest(), FORMER))

    page.route("**/scoreboard", give_out, times=1)
    page.goto(f"{page.url}/scoreboard", wait_until="commit")  # it can load itself anew before it is loaded
    page.wait_for_function("release => document.body.dataset.release === release", arg=assets.digest())


def test_what_cannot_be_loaded_or_asked_for_any_more_says_so_and_is_tried_again(
    page: Page, updated: tuple[Service, Path]
) -> None:
    kept = updated[1] / f"{FORMER}.zip"
    page.locator("#updated").get_by_role("button", name="Close").click()
    expect(page.locator("#updated")).to_have_count(0)
    kept.rename(kept.with_suffix(".away"))
    asked: list[Request] = []
    page.on("request", lambda request: asked.append(request) if "/analysis/" in request.url else None)
    page.get_by_role("tab", name="Analysis").click()
    expect(page.locator("#analysis")).to_contain_text("This cannot be loaded now. It is tried again.")
    page.wait_for_timeout(1_000)
    assert len(asked) <= 3, "it is not asked for again and again without a pause"
    page.route("**/analyses?*", lambda route: route.abort())
    with page.expect_event("requestfailed", lambda request: "/analyses?" in request.url):
        kept.with_suffix(".away").rename(kept)
    expect(page.locator("#analysis")).to_contain_text("This cannot be loaded now. It is tried again.")
    page.unroute("**/analyses?*")
    expect(page.locator("#analysis .desk button")).to_be_visible()
    expect(page.locator("#analysis")).not_to_contain_text("cannot be loaded")
    scripts = [request.url for request in asked if request.resource_type == "script"]
    assert len(scripts) == len(set(scripts)), "browsers can remember for good that an address has no script"
