"""The icons of the home screen: `python -m tests.icons` draws them from the icon of the pages."""

from __future__ import annotations

import base64
import re
import sys
from typing import TYPE_CHECKING

from playwright.sync_api import sync_playwright

from service.pages.assets import STATIC
from tests.browser import FLAGS, MISSING, find

if TYPE_CHECKING:
    from playwright.sync_api import Page

SOURCE = STATIC / "icon.svg"
ICONS = {"icon-192.png": (192, 1.0), "icon-512.png": (512, 1.0), "icon-maskable.png": (512, 0.8)}
"""The pixels of each side, and the share of the drawing: a phone cuts 10 % off each side of a maskable icon."""

DRAW = """async ([source, colour, side, part]) => {
  const picture = new Image();
  picture.src = `data:image/svg+xml;base64,${btoa(source)}`;
  await picture.decode();
  const canvas = new OffscreenCanvas(side, side);
  const pen = canvas.getContext("2d");
  pen.fillStyle = colour;
  if (part < 1) pen.fillRect(0, 0, side, side);
  const edge = side * (1 - part) / 2;
  pen.drawImage(picture, edge, edge, side * part, side * part);
  const bytes = new Uint8Array(await (await canvas.convertToBlob()).arrayBuffer());
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
}"""
"""The background of a maskable icon has the colour of the drawing's ground, so every cut-out shape is filled."""


def draw(page: Page, name: str) -> bytes:
    """An icon as PNG."""
    source = SOURCE.read_text(encoding="utf-8")
    found = re.search(r'<rect[^>]* fill="(#\w+)"', source)
    assert found, "the icon has no ground"
    drawn: str = page.evaluate(DRAW, [source, found[1], *ICONS[name]])
    return base64.b64decode(drawn)


def encoded(file: bytes) -> str:
    """A file as a `data:` URL."""
    return base64.b64encode(file).decode()


def main() -> None:
    """Draw all icons."""
    path = find() or sys.exit(MISSING)
    with sync_playwright() as playwright, playwright.chromium.launch(executable_path=path, args=FLAGS) as browser:
        page = browser.new_page()
        for name in ICONS:
            (STATIC / name).write_bytes(draw(page, name))


if __name__ == "__main__":
    main()
