"""Kifu goes on a phone's home screen, with icons made from the one that the pages have."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from service.pages.assets import STATIC
from tests import icons
from tests.service.pages.steps import DEAL

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

pytestmark = pytest.mark.browser

PIXELS = """async (files) => {
  const drawn = await Promise.all(files.map(async (file) => {
    const picture = new Image();
    picture.src = `data:image/png;base64,${file}`;
    await picture.decode();
    const pen = new OffscreenCanvas(picture.width, picture.height).getContext("2d");
    pen.drawImage(picture, 0, 0);
    return pen.getImageData(0, 0, picture.width, picture.height);
  }));
  const [one, other] = drawn.map(({ data }) => data);
  const apart = one.reduce((sum, value, index) => sum + Math.abs(value - other[index]), 0) / one.length;
  return [drawn.map(({ width, height }) => [width, height]), apart];
}"""
"""The sizes of two pictures, and how far apart their channels are on average, from 0 to 255."""


def _icons_are_made_from_the_one_of_the_pages(page: Page) -> None:
    page.goto("about:blank")  # where a policy of ours does not keep pictures out
    for name, (side, _) in icons.ICONS.items():
        kept, anew = (icons.encoded(file) for file in ((STATIC / name).read_bytes(), icons.draw(page, name)))
        sizes, apart = page.evaluate(PIXELS, [kept, anew])
        assert sizes == [[side, side]] * 2, name
        assert apart < 1, f"{name}: other releases of a browser smooth edges in another way, and no more"


def test_a_phone_takes_it_onto_the_home_screen_with_shortcuts_to_a_new_game_and_the_last_one(
    visit: Callable[..., Page], service, game: str
) -> None:
    page = visit("/?q=none")
    tools = page.context.new_cdp_session(page)
    found = tools.send("Page.getAppManifest")
    assert found["url"].endswith("/manifest.webmanifest")
    assert found["errors"] == []
    errors = {error["errorId"] for error in tools.send("Page.getInstallabilityErrors")["installabilityErrors"]}
    assert errors <= {"in-incognito"}  # as every profile of a test is
    tools.detach()
    manifest = page.request.get("/manifest.webmanifest").json()
    new, last = (shortcut["url"] for shortcut in manifest["shortcuts"])
    page.goto(new)
    page.locator("#opening [type=search]").wait_for()
    service.catch_up()
    page.goto(last)
    page.wait_for_url(f"**/games/{game}")
    assert service.notations(game) == [DEAL]
    _icons_are_made_from_the_one_of_the_pages(page)
