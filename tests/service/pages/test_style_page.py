"""The page of the style: each element as it is, in both colour schemes, on a phone and on a desk."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.documents import ROOT
from tests.service.pages.looks import ALL_WIDTHS, AXE, EXAMINE, assert_usable

if TYPE_CHECKING:
    from playwright.sync_api import Browser

    from tests.service.pages.conftest import Scheme

pytestmark = pytest.mark.browser

GROUNDS: dict[Scheme, str] = {"dark": "rgb(20, 22, 26)", "light": "rgb(246, 243, 236)"}


def test_each_element_fits_every_screen_and_passes_axe(browser: Browser) -> None:
    page = browser.new_page(viewport={"width": 390, "height": 844})
    page.goto((ROOT / "docs" / "style.html").as_uri())
    page.evaluate(AXE)
    for scheme, ground in GROUNDS.items():
        page.emulate_media(color_scheme=scheme)
        assert page.evaluate("getComputedStyle(document.body).backgroundColor") == ground
        assert page.evaluate(EXAMINE, {"contrasts": True, "whole": True}) == []
    assert_usable(page, ALL_WIDTHS)
    page.close()
