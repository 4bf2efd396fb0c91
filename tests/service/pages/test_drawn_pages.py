"""Pages as the service sends them, with their scripts, are drawn in node: what is drawn and typed needs no browser."""

from __future__ import annotations

import itertools
import json
import os
import re
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


PAGES = {
    "entering": ("games", "keypad", "moments", "opening", "proceedings", "sheets", "template"),
    "reading": ("access", "analyses", "corrections", "offline", "recording", "story"),
}
"""The files of tests that one process runs: it loads a document of its own in a second, and compiles the scripts
of the pages once.
"""
YOUNG = 64
"""Megabytes for objects of node that live for a moment: a page is thousands of them."""
FAILED = re.compile(r"^not ok .*?^ *\.\.\.$", re.MULTILINE | re.DOTALL)
"""A test that failed, with its error, in what node says."""


def drawn(service: Service, folder: Path, *pages: str, **more: str) -> subprocess.CompletedProcess[str]:
    """Try what files have for drawn pages. Raises `NpmError`."""
    modules = node_modules(page_code.PAGES)
    given = folder / "given.json"
    given.write_text(json.dumps(GIVEN), encoding="utf-8")
    cookie = service.log_in()
    settings = {"KIFU_BASE": service.base, "KIFU_TOKEN": service.token, "KIFU_GIVEN": str(given)}
    settings |= {"KIFU_COOKIE": f"{cookie['name']}={cookie['value']}", "KIFU_MODULES": str(modules)}
    files = "".join(f'await import("./{name}.mjs");' for name in pages)
    node = [str(shutil.which("node")), "--test-reporter=tap", f"--max-semi-space-size={YOUNG}"]
    node += ["--test-force-exit"]  # what the last page still waits for is no part of a test
    return subprocess.run(
        [*node, "--input-type=module", "--eval", files],
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
    _passes(service, tmp_path, *PAGES[pages])


@pytest.mark.soak
@pytest.mark.timeout(900)
def test_the_editor_is_drawn_as_it_should_be_with_all_sheets(service: Service, tmp_path: Path) -> None:
    _passes(service, tmp_path, "template", KIFU_SOAK="1")


def test_every_file_of_drawn_pages_is_run() -> None:
    tools = {"page", "scripts", "service"}
    files = {path.stem for path in (page_code.SCRIPTS / "drawn").glob("*.mjs")}
    assert files - tools == {*itertools.chain.from_iterable(PAGES.values())}


def _passes(service: Service, folder: Path, *pages: str, **more: str) -> None:
    try:
        done = drawn(service, folder, *pages, **more)
    except NpmError as why:
        pytest.skip(f"pages were not drawn without a browser: {why}")
    failed = "\n".join(FAILED.findall(done.stdout))
    assert done.returncode == 0, f"{failed or done.stdout}\n{done.stderr}"
    assert "# fail 0" in done.stdout
