"""Pages as the service sends them, with their scripts, are drawn in node: what is drawn and typed needs no browser."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from typing import TYPE_CHECKING

import msgspec
import pytest

from games.scoresheet.ready import READY
from games.scoresheet.template import Column, Team, Template, TieBreaker
from tests import goldens, page_code
from tests.npm import NpmError, node_modules

if TYPE_CHECKING:
    from pathlib import Path

    from tests.served import Service

pytestmark = pytest.mark.programs

CUT = {
    "conflict": ("verraeter", "three_players", 22),
    "last turn": ("kahuna", "seafarer_both_removed", 121),
    "beginning": ("verraeter", "four_players", 12),
}
"""Recorded games with so many of their entries. Somebody lays cards or none; the game ends if nobody draws."""
GIVEN = {
    "ready": READY,
    "cut": {name: goldens.cut(*of) for name, of in CUT.items()},
    "members": {
        form.__name__: [field.encode_name for field in msgspec.structs.fields(form)]
        for form in (Column, Team, Template, TieBreaker)
    },
}
"""What the tests know of the rules, and records that were cut off."""


PAGES = (
    *(
        "access",
        "analyses",
        "corrections",
        "games",
        "keypad",
        "offline",
        "opening",
        "proceedings",
        "recording",
        "sheets",
        "story",
    ),
    "template",
)
"""The files of tests: each is one process, which loads a document of its own in half a second."""


def drawn(service: Service, folder: Path, pages: str, **more: str) -> subprocess.CompletedProcess[str]:
    """Try what a file has for drawn pages. Raises `NpmError`."""
    modules = node_modules(page_code.PAGES)
    given = folder / "given.json"
    given.write_text(json.dumps(GIVEN), encoding="utf-8")
    cookie = service.log_in()
    settings = {"KIFU_BASE": service.base, "KIFU_TOKEN": service.token, "KIFU_GIVEN": str(given)}
    settings |= {"KIFU_COOKIE": f"{cookie['name']}={cookie['value']}", "KIFU_MODULES": str(modules)}
    command = [str(shutil.which("node")), "--test-reporter=tap", f"{pages}.mjs"]
    return subprocess.run(
        command,
        cwd=page_code.SCRIPTS / "drawn",
        env=os.environ | settings | more,
        capture_output=True,
        text=True,
        check=False,
        timeout=900,
    )


@pytest.mark.timeout(900)
@pytest.mark.parametrize("pages", PAGES)
def test_pages_are_drawn_as_they_should_be_without_a_browser(service: Service, tmp_path: Path, pages: str) -> None:
    _passes(service, tmp_path, pages)


@pytest.mark.soak
@pytest.mark.timeout(900)
def test_the_editor_is_drawn_as_it_should_be_with_all_sheets(service: Service, tmp_path: Path) -> None:
    _passes(service, tmp_path, "template", KIFU_SOAK="1")


def test_every_file_of_drawn_pages_is_run() -> None:
    tools = {"fresh", "page", "service"}
    assert {path.stem for path in (page_code.SCRIPTS / "drawn").glob("*.mjs")} - tools == {*PAGES}


def _passes(service: Service, folder: Path, pages: str, **more: str) -> None:
    try:
        done = drawn(service, folder, pages, **more)
    except NpmError as why:
        pytest.skip(f"pages were not drawn without a browser: {why}")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "# fail 0" in done.stdout
