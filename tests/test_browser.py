"""What the browser of the tests is started with."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree import ElementTree

from service.drawing.painter import FONTS
from tests import browser

if TYPE_CHECKING:
    import pytest


def test_pages_are_drawn_with_the_fonts_of_the_pictures(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(browser.FONTS, raising=False)
    described = Path(browser.environment()[browser.FONTS])
    named = ElementTree.parse(described).findtext("dir")  # noqa: S314 - a file of ours
    assert named
    folder = (described.parent / named).resolve()
    assert FONTS
    assert sorted(str(path) for path in folder.glob("*.ttf")) == FONTS, "a Chromium without any font ends at once"
