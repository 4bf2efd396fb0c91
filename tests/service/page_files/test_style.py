"""The pages have one style: colours and sizes have names, and stand in one folder."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from service.pages import assets
from tests.cases import cases
from tests.documents import ROOT, TEXTS

if TYPE_CHECKING:
    from pathlib import Path

STYLE = assets.STATIC / "style"
SHEETS = sorted(assets.STATIC.glob("*.css"))
STYLES = sorted(STYLE.glob("*.css"))
NAMED = {
    name: value
    for path in STYLES
    for name, value in re.findall(r"^  (--[\w-]+): ([^;]+);", path.read_text(encoding="utf-8"), re.MULTILINE)
}
COLOUR = re.compile(r"#[0-9a-fA-F]{3,8}\b(?=[;, )\"])|\b(?:rgba?|hsla?|oklch)\(|: ?(?:white|black|red|gr[ae]y)\b")
MEASURED = re.compile(
    r"(?<![-\w])(?:font-size|font|(?:row-|column-)?gap|(?:padding|margin)(?:-[a-z-]+)?|border-radius): ([^;{}]+)"
)
SIZE = re.compile(r"(?<![\w.-])-?([0-9]*\.?[0-9]+)(rem|px)\b")
PAGE = (ROOT / "docs" / "style.html").read_text(encoding="utf-8")
ELEMENTS = (
    *("text", "buttons", "fields", "cards", "chips", "tables", "charts", "dialogs", "empty", "errors"),
    *("history", "recording", "story", "sizes"),
)
LOOK = re.compile(
    r"(?<![-\w])(?:color|background|border(?:-(?:left|top|bottom|color|style|block))?|font-family|font-weight|fill|stroke"
    r"|text-decoration|box-shadow): (?!0|none|inherit)"
)
"""What is to be seen of an element, beside its place and its size."""


def content(path: Path) -> str:
    """A sheet without its comments."""
    return re.sub(r"/\*.*?\*/", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)


def measures(sheet: str) -> list[str]:
    """The sizes of text, room and corners that have no name."""
    found = [match for match in MEASURED.findall(sheet) if "--unit" not in match]
    return [value for value in found for size, unit in SIZE.findall(value) if not allowed(float(size), unit)]


def allowed(size: float, unit: str) -> bool:
    """Hairlines, and the size of something that room is left for."""
    return size == 0 or (unit == "px" and size <= 2) or (unit == "rem" and size >= 3)


@cases("path", SHEETS, ids=lambda path: path.stem)
def test_a_style_sheet_names_its_colours_and_sizes(path: Path) -> None:
    assert COLOUR.findall(content(path)) == []
    assert measures(content(path)) == []


def test_styles_do_not_change_between_320_and_360_pixels() -> None:
    """The tests of pages measure them at 320 px, and not also at 360, where they would be laid out in the same way."""
    widths = re.findall(r"@(?:media|container)[^{]*?width: ([\d.]+)rem", "".join(map(content, SHEETS + STYLES)))
    assert widths
    assert [width for width in widths if 320 <= float(width) * 16 <= 360] == []


def test_pages_have_no_styles_of_their_own() -> None:
    for path in (assets.STATIC.parent / "templates").glob("*.html"):
        assert re.findall(r"<style>(?!\{\{ ?inlined_style|\{\{ ?style)", path.read_text(encoding="utf-8")) == [], (
            path.name
        )


@pytest.mark.parametrize("folder", ["templates", "static/js"])
def test_pages_and_their_code_name_no_colours(folder: str) -> None:
    for path in (assets.STATIC.parent / folder).rglob("*.*"):
        text = re.sub(r'<meta name="theme-color"[^>]*>', "", path.read_text(encoding="utf-8"))
        assert re.findall(r"#[0-9a-f]{6}\b|\bstyle=\"[^\"]*(?:color|background|font)", text) == [], path.name


def test_what_has_no_name_is_found() -> None:
    assert COLOUR.findall("a { color: #123456; background: rgb(1 2 3); fill: white; }") == [
        "#123456",
        "rgb(",
        ": white",
    ]
    assert measures("a { margin: 0 0.3rem; gap: 5px; padding: 0.5em 1px; font-size: 0.9rem; width: 7rem }") == [
        "0 0.3rem",
        "5px",
        "0.9rem",
    ]


def test_every_name_is_used_and_every_used_one_is_there() -> None:
    scripts = [path.read_text(encoding="utf-8") for path in assets.SCRIPTS.rglob("*.js")]
    everything = "\n".join([*map(content, SHEETS), *scripts])
    used = set(re.findall(r"var\((--[\w-]+)", everything))
    there = set(NAMED) | set(re.findall(r"[\"'{ ](--[\w-]+)[\"']?[:,]", everything))
    assert set(NAMED) - used == set()
    assert used - there == set()


def test_the_dark_has_no_names_that_the_light_has_not() -> None:
    light, dark, ink = (
        set(re.findall(r"^  (--[\w-]+):", content(STYLE / f"{name}.css"), re.MULTILINE))
        for name in ("light", "dark", "ink")
    )
    assert dark | ink <= light


def looks(sheet: str) -> set[str]:
    """The classes that have a look of their own on a screen."""
    found: set[str] = set()
    screen = re.sub(r"@media print \{.*?\n\}\n", "", sheet, flags=re.DOTALL)
    for selector, rule in re.findall(r"([^{}]+)\{([^{}]*)\}", screen):
        if LOOK.search(rule):
            for one in re.split(r",(?![^(]*\))", selector):
                found.update(re.findall(r"\.([a-z][\w-]*)", re.split(r"[\s>+~]+(?![^(]*\))", one.strip())[-1]))
    return found


def test_the_page_of_the_style_shows_everything_that_has_a_look_of_its_own() -> None:
    sheet = "".join(content(assets.STATIC / name) for name in ("kifu.css", "game.css"))
    shown = {name for value in re.findall(r'class="([^"]+)"', PAGE) for name in value.split()}
    assert looks(sheet) - shown == set()
    assert looks(".a .b { color: red } .c, :is(.d, .e) > p { border: 0 } .f:hover { border-left: 1px solid }") == {
        "b",
        "f",
    }


def test_the_page_of_the_style_shows_each_element_with_the_classes_of_the_style() -> None:
    assert set(ELEMENTS) <= set(re.findall(r'<section (?:class="card" )?id="(\w+)"', PAGE))
    sheet = "".join(content(assets.STATIC / name) for name in ("kifu.css", "game.css"))
    classes = {name for value in re.findall(r'class="([^"]+)"', PAGE) for name in value.split()}
    assert [name for name in sorted(classes) if not re.search(rf"\.{re.escape(name)}\b", sheet)] == ["finished"]
    shown = {name for name in NAMED if f"`{name}`" in TEXTS["docs/style.md"]}
    ranges = re.findall(r"`(--[a-z]+-)(\d)` to `\1(\d)`", TEXTS["docs/style.md"])
    shown |= {f"{name}{number}" for name, first, last in ranges for number in range(int(first), int(last) + 1)}
    assert shown == set(NAMED)


def test_the_page_of_a_game_looks_for_nothing_in_all_of_its_elements() -> None:
    """`.game:has(.x)` walks through all elements after each change in them, and a long sheet has 18,000."""
    style = (assets.STATIC / "game.css").read_text(encoding="utf-8").partition("@media print")[0]
    assert re.findall(r"(?:main|\.game|\.records|\.dock)(?::not\()?:has\((?!> )[^{]*", style) == []
