"""The pictures of the README and of the style guide: `python -m tests.pictures` takes them of real pages and games.

Japanese needs a font that has it (on Debian: fonts-noto-cjk).
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from playwright.sync_api import expect, sync_playwright

from tests import goldens
from tests.browser import FLAGS, MISSING, find
from tests.served import Service, serve

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Browser, Page

FOLDER = Path(__file__).parents[1] / "docs" / "pictures"
STYLE = FOLDER.parent / "style.html"
FOLDER_OF_GAMES = goldens.FOLDER / "kahuna"
UNDER_WAY = 89
"""The number of moves before the next one, which changes the control of an island."""
MOST = 240_000
"""The most bytes of a picture."""
PHONE = {"viewport": {"width": 360, "height": 740}, "device_scale_factor": 1.5, "has_touch": True}
DARK = {"color_scheme": "dark"}
DESK = {"viewport": {"width": 1180, "height": 740}}
WHOLE = {"viewport": {"width": 480, "height": 3000}}
"""A picture of a whole part of a page, at its full height."""


def record(service: Service) -> dict[str, str]:
    """Record the games of the pictures: a finished one, one under way with its next move, and two more for the list."""
    finished, draw, irregular = (FOLDER_OF_GAMES / f"{name}.txt" for name in ("points", "draw", "irregular"))
    service.import_text(draw.read_text(encoding="utf-8"))
    service.import_text(irregular.read_text(encoding="utf-8"))
    over = service.import_text(finished.read_text(encoding="utf-8").replace("Aiko", "田中 愛子"))
    moves = [entry.text for entry in goldens.game(finished).entries]
    playing = service.open("Anna", "Björn", title="Friday evening", place="Café Lagoon")
    service.record(playing, *moves[:UNDER_WAY])
    service.catch_up()
    turn = next(entry for entry in reversed(service.entries(playing)[:-3]) if entry.get("notation", "").startswith("+"))
    return {"over": over, "playing": playing, "next": moves[UNDER_WAY].lower(), "turn": str(turn["version"])}


def take_list(page: Page, games: dict[str, str]) -> None:
    page.goto("/")


def take_recording(page: Page, games: dict[str, str]) -> None:
    page.goto(f"/games/{games['playing']}")
    page.get_by_label("Move in notation").fill(games["next"])
    expect(page.locator(".dry-run")).to_be_visible()
    page.locator("#recorder").evaluate("recorder => recorder.scrollIntoView()")


def take_board(page: Page, games: dict[str, str]) -> None:
    page.goto(f"/games/{games['playing']}")
    expect(page.locator(".choice").first).to_be_visible()


def take_audit(page: Page, games: dict[str, str]) -> None:
    page.goto(f"/games/{games['over']}")
    page.get_by_role("tab", name="Score").click()
    page.locator("#rulebook").evaluate("rulebook => rulebook.scrollIntoView()")  # rules load near the screen
    expect(page.locator("#score .rule").first).to_be_visible()
    page.locator(".tabs").evaluate("tabs => tabs.scrollIntoView()")


def take_correction(page: Page, games: dict[str, str]) -> None:
    page.goto(f"/games/{games['playing']}")
    page.get_by_role("button", name=f"More about entry {games['turn']}", exact=True).click()
    page.get_by_role("dialog").get_by_role("button", name="Withdraw").click()
    found = page.get_by_role("group", name=f"Entry {int(games['turn']) + 1} ·")
    found.get_by_label("Withdraw it, too").check()
    expect(page.get_by_role("dialog").get_by_role("radio")).to_have_count(4)


def take_style(first: str, last: str) -> Callable[[Page, dict[str, str]], None]:
    """Show these sections of the page of the style, and those between them."""

    def take_sections(page: Page, games: dict[str, str]) -> None:
        page.goto(STYLE.as_uri())
        height = page.evaluate(ALONE, [first, last])
        page.set_viewport_size({"width": 480, "height": height})

    return take_sections


ALONE = """([first, last]) => {
  const sections = [...document.querySelectorAll("main > section")];
  const [from, to] = [first, last].map((id) => sections.findIndex((section) => section.id === id));
  sections.filter((_, at) => at < from || at > to).forEach((section) => section.remove());
  return Math.ceil(document.body.getBoundingClientRect().height);
}"""
"""Leaves some sections of a page alone; the height of the page then."""


PICTURES: dict[str, tuple[Callable[[Page, dict[str, str]], None], dict[str, Any]]] = {
    "phone-games": (take_list, PHONE),
    "phone-board": (take_board, PHONE),
    "phone-recording": (take_recording, PHONE | DARK),
    "phone-correction": (take_correction, PHONE),
    "desk-audit": (take_audit, DESK),
    "style-light": (take_style("text", "tables"), WHOLE),
    "style-dark": (take_style("text", "tables"), WHOLE | DARK),
    "style-more-light": (take_style("charts", "errors"), WHOLE),
    "style-more-dark": (take_style("charts", "errors"), WHOLE | DARK),
    "style-game-light": (take_style("history", "sizes"), WHOLE),
    "style-game-dark": (take_style("history", "sizes"), WHOLE | DARK),
}


def take(browser: Browser, service: Service) -> None:
    """Take every picture. Raises `SystemExit` for one that is too large."""
    games = record(service)
    for name, (prepare, profile) in PICTURES.items():
        context = browser.new_context(base_url=service.base, locale="en-GB", timezone_id="Europe/Berlin", **profile)
        context.add_cookies([service.cookie])
        page = context.new_page()
        prepare(page, games)
        page.wait_for_load_state("load")
        page.wait_for_timeout(1000)  # streams keep the network from ever being idle
        path = FOLDER / f"{name}.png"
        page.screenshot(path=path)
        if path.stat().st_size > MOST:
            sys.exit(f"{path} has {path.stat().st_size} bytes, more than {MOST}")
        context.close()


def main() -> None:
    """Take the pictures in a fresh service."""
    path = find() or sys.exit(MISSING)
    FOLDER.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as folder,
        serve(Path(folder)) as service,
        sync_playwright() as playwright,
        playwright.chromium.launch(executable_path=path, args=FLAGS) as browser,
    ):
        take(browser, service)


if __name__ == "__main__":
    main()
