"""The code of pages: its unit tests run in node, and its types are those of the API."""

from __future__ import annotations

import json
import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest

from tests import page_code
from tests.npm import NpmError

if TYPE_CHECKING:
    from pathlib import Path

OLDEST = 20
"""The release of node that the tests are written for."""

GOOD = """
/** @param {Got<"/v1/games/{game}/timeline">} timeline */
export const known = (timeline) => timeline.entries.map(({ version, notation }) => [version, notation]);
"""
BAD = """
/** @param {Got<"/v1/games/{game}/timeline">} timeline */
export const unknown = (timeline) => timeline.entries.map(({ number }) => number);

/** @param {Entry} entry */
export const careless = (entry) => entry.notation.length;

export const untyped = (entry) => entry;
"""


def test_the_logic_of_pages_keeps_its_promises_in_node() -> None:
    node = shutil.which("node")
    if not node:
        pytest.skip("there is no node here: the unit tests of the pages' code were not run")
    release = subprocess.run([node, "--version"], capture_output=True, text=True, check=True, timeout=60).stdout.strip()
    if int(release.removeprefix("v").partition(".")[0]) < OLDEST:
        pytest.skip(f"node {release} is too old: the unit tests of the pages' code were not run")
    command = [node, "--test", "--test-reporter=tap", "."]
    done = subprocess.run(command, cwd=page_code.SCRIPTS, capture_output=True, text=True, check=False, timeout=100)
    assert done.returncode == 0, "\n".join(line for line in done.stdout.splitlines() if not line.startswith("ok "))
    assert "# fail 0" in done.stdout


def test_a_field_that_the_api_does_not_have_is_named(tmp_path: Path) -> None:
    (tmp_path / "good.js").write_text(GOOD, encoding="utf-8")
    (tmp_path / "bad.js").write_text(BAD, encoding="utf-8")
    project = tmp_path / "tsconfig.json"
    types = f"{page_code.TYPES.parent}/*.d.ts"
    project.write_text(
        json.dumps({"extends": str(page_code.PAGES / "tsconfig.json"), "include": ["*.js", types]}), encoding="utf-8"
    )
    try:
        said = page_code.checked(project)
    except NpmError as why:
        pytest.skip(f"the types of the pages' code were not checked: {why}")
    assert "good.js" not in said
    assert "Property 'number' does not exist" in said
    assert "'entry.notation' is possibly 'null' or 'undefined'" in said
    assert "Parameter 'entry' implicitly has an 'any' type" in said
