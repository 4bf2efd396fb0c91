"""What waits when a session is lost is kept for the person who entered it. What they saw is shown to nobody else."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect
from uuid_utils import uuid7

from tests.service.pages.steps import NO_GAMES

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

    from tests.served import Service

pytestmark = pytest.mark.browser


@pytest.mark.soak  # `offline.mjs` keeps what waits for a person
def test_what_waits_when_a_session_is_lost_goes_after_a_login_of_the_person_who_entered_it_and_of_nobody_else(
    visit: Callable[..., Page], service
) -> None:
    game = service.open()
    page = visit(f"/games/{game}")
    page.get_by_label("Move in notation").fill("deal black")
    expect(page.locator("#preview[aria-busy=false] > *")).to_be_visible()
    page.context.clear_cookies()
    page.get_by_role("button", name="Record", exact=True).click()
    outbox = page.get_by_role("list", name="Not stored yet")
    expect(outbox.get_by_role("alert").get_by_role("link", name="Log in")).to_be_visible()
    expect(outbox).not_to_contain_text("/v1/")
    page.context.add_cookies([session_of_another(service)])
    page.reload()
    expect(outbox).to_contain_text("kept here until the person who entered it logs in again")
    expect(outbox.get_by_role("button")).to_have_text(["Discard it"])
    page.goto(NO_GAMES)
    waits = page.locator("#outbox").get_by_role("listitem")
    expect(waits).to_contain_text("It is sent when the person who entered it logs in again.")
    page.context.clear_cookies()
    page.context.add_cookies([service.cookie])
    with page.expect_response(lambda answer: answer.url.endswith("/events") and answer.status == 201):
        page.goto(NO_GAMES)
    expect(waits).to_have_count(0)
    assert service.notations(game) == ["deal black"]


COME_BACK = "dispatchEvent(new PageTransitionEvent('pageshow', {persisted: true}))"
"""Shows a page again as it was left, as browsers do on the way back. The one of the tests keeps no pages."""


@pytest.mark.soak  # `returning.test.mjs` hides such pages
def test_pages_of_somebody_who_logged_out_are_not_shown_again(visit: Callable[..., Page], service: Service) -> None:
    """The cookie is one of its own, as it ends here."""
    game = service.show(service.open("Ada", "Ben"), "private")
    page = visit("/access")
    page.context.add_cookies([service.log_in()])
    page.reload()
    left = page.context.new_page()
    left.goto(f"/games/{game}")
    left.locator("#game[aria-busy=false]").wait_for()
    page.get_by_role("button", name="Log out", exact=True).click()
    page.wait_for_url("**/")
    left.evaluate(COME_BACK)
    expect(left.locator("#game")).to_have_count(0)
    expect(left.locator("main")).to_be_visible()
    expect(left.get_by_text("Ada")).to_have_count(0)


def test_a_page_that_came_back_shows_what_is_so_by_now(visit: Callable[..., Page], service: Service) -> None:
    page = visit("/people")
    person = str(uuid7())
    service.api.put(f"/v1/players/{person}", json={"name": f"Late {person[-6:]}"}).raise_for_status()
    service.open(f"Late {person[-6:]}", "Ben")
    service.catch_up()
    with page.expect_navigation():
        page.evaluate(COME_BACK)
    expect(page.get_by_role("heading", name="People", exact=True)).to_be_visible()


def session_of_another(service: Service) -> dict[str, str]:
    """The cookie of somebody else who records here."""
    person = str(uuid7())
    service.api.put(f"/v1/players/{person}", json={"name": f"Eve {person}"}).raise_for_status()
    service.api.put(f"/v1/roles/{person}", json={"role": "recorder"}).raise_for_status()
    token = service.api.post("/v1/tokens", json={"name": "a phone", "person": person}).json()["token"]
    return service.log_in(token)
