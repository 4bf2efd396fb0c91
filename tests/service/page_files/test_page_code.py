"""The code of pages: its unit tests run in node, and its types are those of the API."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from typing import TYPE_CHECKING

import pytest

from service.pages import assets
from tests import page_code, warm
from tests.npm import NpmError

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.programs

OLDEST = 20
"""The release of node that the tests are written for."""

TESTS = sorted(page_code.SCRIPTS.glob("*.test.mjs"))
TAKEN = re.compile(r"globalThis|^import .*\bmock\b", re.MULTILINE)
"""What a test file says that puts something in the place of the globals. Each has a thread of its own, and all others
share two processes: to start takes longer than most of their tests.
"""
APART = "apart.mjs"
"""Runs files, each in a thread of its own."""
FAILS = 'import { test } from "node:test"; test("fails", () => { throw 1; });'
DRAWN = "document.mjs"
"""The document of views that are drawn. Test files that take nothing else in the place of the globals share it."""

GOOD = """// @ts-check
/** @param {Got<"/v1/games/{game}/timeline">} timeline */
export const known = (timeline) => timeline.entries.map(({ version, notation }) => [version, notation]);
"""
ESCAPES = re.compile(r"@ts-(?:nocheck|ignore|expect-error)|biome-ignore")
"""What would leave a line or a file out of the checks."""

BAD = """// @ts-check
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
    apart, drawn, plain = [], [], []
    for path in TESTS:
        text = path.read_text(encoding="utf-8")
        (apart if TAKEN.search(text) else drawn if DRAWN in text else plain).append(path.name)
    together = ("".join(f'await import("./{name}");' for name in names) for names in (drawn, plain))
    for command in ([APART, *apart], *(["--input-type=module", "--eval", files] for files in together)):
        _passes([node, "--test-reporter=tap", *command])


def test_a_file_in_its_own_thread_can_fail_and_leaves_nothing_to_the_next(tmp_path: Path) -> None:
    node = shutil.which("node")
    if not node:
        pytest.skip("there is no node here: no unit test of the pages' code was run")
    shutil.copy(page_code.SCRIPTS / APART, tmp_path)
    (tmp_path / "good.mjs").write_text("if (globalThis.left) throw 1; globalThis.left = 1;", encoding="utf-8")
    (tmp_path / "fails.mjs").write_text(FAILS, encoding="utf-8")
    (tmp_path / "ends.mjs").write_text("left();", encoding="utf-8")
    for files, code in ((["good.mjs", "good.mjs"], 0), (["fails.mjs", "good.mjs"], 1), (["ends.mjs", "good.mjs"], 1)):
        done = subprocess.run([node, APART, *files], cwd=tmp_path, capture_output=True, check=False, timeout=100)
        assert done.returncode == code, files


def _passes(command: list[str]) -> None:
    done = subprocess.run(command, cwd=page_code.SCRIPTS, capture_output=True, text=True, check=False, timeout=100)
    assert done.returncode == 0, "\n".join(line for line in done.stdout.splitlines() if not line.startswith("ok "))
    assert "# fail 0" in done.stdout
    assert "# pass 0" not in done.stdout


def test_a_field_that_the_api_does_not_have_is_named(tmp_path: Path) -> None:
    (tmp_path / "good.js").write_text(GOOD, encoding="utf-8")
    (tmp_path / "bad.js").write_text(BAD, encoding="utf-8")
    project = tmp_path / "tsconfig.json"
    types = f"{page_code.TYPES.parent}/*.d.ts"
    # Only these two files, which touch no page, and no scripts that the types are of: `make lint` checks the pages.
    alone = {"checkJs": False, "skipLibCheck": True, "noResolve": True, "lib": ["ES2022"]}
    settings = {"extends": str(page_code.PAGES / "tsconfig.json"), "compilerOptions": alone, "include": ["*.js", types]}
    project.write_text(json.dumps(settings), encoding="utf-8")
    try:
        result = page_code.checked(project)
    except NpmError as why:
        pytest.skip(f"the types of the pages' code were not checked: {why}")
    assert "good.js" not in result
    assert "Property 'number' does not exist" in result
    assert "'entry.notation' is possibly 'null' or 'undefined'" in result
    assert "Parameter 'entry' implicitly has an 'any' type" in result


def test_nothing_is_left_out_of_the_checks() -> None:
    for path in [*(page_code.PAGES / "static" / "js").rglob("*.js"), *page_code.SCRIPTS.glob("*.mjs")]:
        assert not ESCAPES.search(path.read_text(encoding="utf-8")), path.name
    options = json.loads((page_code.PAGES / "tsconfig.json").read_text(encoding="utf-8"))["compilerOptions"]
    assert (options["strict"], options["checkJs"], options["skipLibCheck"]) == (True, True, False)


@pytest.mark.parametrize(
    ("missing", "why"),
    [
        ({"PATH": ""}, "there is no npm here"),
        (
            {"npm_config_registry": "http://127.0.0.1:9/", "npm_config_fetch_retry_mintimeout": "10"},
            "npm cannot fetch the tools",
        ),
    ],
    ids=["npm", "the registry"],
)
def test_where_tools_are_missing_the_check_says_so_and_passes(
    tmp_path: Path, missing: dict[str, str], why: str
) -> None:
    if "PATH" not in missing and not shutil.which("npm"):
        pytest.skip("there is no npm here")
    command = [sys.executable, "-m", "tests.page_code"]
    empty = {"XDG_CACHE_HOME": str(tmp_path), "npm_config_cache": str(tmp_path / "npm")}
    done = warm.run(command, cwd=page_code.ROOT, env=os.environ | missing | empty, text=True)
    assert done.returncode == 0, done.stderr
    assert f"The code of pages was not checked: {why}" in done.stdout


def test_the_lock_of_the_tools_names_no_registry() -> None:
    lock = json.loads((page_code.PAGES / "package-lock.json").read_text(encoding="utf-8"))
    assert all(
        "resolved" not in package and (not name or package["integrity"]) for name, package in lock["packages"].items()
    )


def test_the_configuration_of_the_checks_is_not_shipped() -> None:
    project = tomllib.loads((page_code.ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert project["tool"]["setuptools"]["exclude-package-data"]["service.pages"] == ["*.json"]
    assert not [name for name in assets.names() if name.endswith((".json", ".ts", ".mjs"))]
