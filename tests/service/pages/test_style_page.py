"""The page of the style: each element as it is, in both colour schemes, on a phone and on a desk."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.documents import ROOT
from tests.service.pages.test_axe_page import AXE, EXAMINE
from tests.service.pages.test_layout_page import check

if TYPE_CHECKING:
    from playwright.sync_api import Browser

    from tests.service.pages.conftest import Scheme

pytestmark = pytest.mark.browser

GROUNDS: dict[Scheme, str] = {"light": "rgb(246, 243, 236)", "dark": "rgb(20, 22, 26)"}


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_each_element_fits_every_screen_and_passes_axe(browser: Browser, scheme: Scheme) -> None:
    context = browser.new_context(color_scheme=scheme, viewport={"width": 390, "height": 844})
    page = context.new_page()
    page.goto((ROOT / "docs" / "style.html").as_uri())
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == GROUNDS[scheme]
    page.evaluate(AXE)
    assert page.evaluate(EXAMINE, None) == []
    check(page)
    context.close()
