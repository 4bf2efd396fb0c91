"""What Lighthouse says of the pages, and what is said where it cannot be had."""

from __future__ import annotations

import json
import os
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests import warm
from tests.lighthouse import __main__ as lighthouse

if TYPE_CHECKING:
    import subprocess

pytestmark = pytest.mark.programs

ROOT = Path(__file__).parents[1]
ALONE = Path(__file__).parent / "lighthouse"


def measured(*asked: str, **environment: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "tests.lighthouse", *asked]
    return warm.run(command, cwd=ROOT, env=os.environ | environment, text=True, timeout=1500)


def test_without_a_browser_or_npm_it_says_so() -> None:
    without_browser = measured(KIFU_CHROMIUM="no-such-browser")
    assert without_browser.returncode == 1
    assert "no Chromium was found" in without_browser.stderr
    without_npm = measured(KIFU_CHROMIUM=sys.executable, PATH="")
    assert without_npm.returncode == 1
    assert "there is no npm here" in without_npm.stderr


def test_it_names_the_pages_that_there_are() -> None:
    done = measured("lists")
    assert done.returncode == 2
    assert "lists is none of the pages list, game, audit, recording" in done.stderr


def test_a_load_that_never_ends_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lighthouse, "PATIENCE", 0.5)
    assert lighthouse.failure_of(["sleep", "60"], {}) == "it took more than 0.5 s"
    assert lighthouse.failure_of(["sh", "-c", "echo no browser >&2; exit 3"], {}) == "no browser"
    assert lighthouse.failure_of(["true"], {}) is None


def test_it_says_what_costs_points_the_most_first() -> None:
    audits = {
        "shift": {"title": "Layout Shift", "score": 0.9, "displayValue": "0.1"},
        "blocking": {"title": "Blocking Time", "score": 0.5, "displayValue": "400\xa0ms"},
        "paint": {"title": "Paint", "score": 0.99, "displayValue": "1 s"},
    }
    weights = [{"id": name, "weight": weight} for name, weight in (("shift", 25), ("blocking", 30), ("paint", 10))]
    found = {"categories": {"performance": {"auditRefs": weights}}, "audits": audits}
    assert [*lighthouse.losses(found)] == ["Blocking Time 400 ms (-15 of 30)", "Layout Shift 0.1 (-2 of 25)"]


def test_its_version_is_pinned_and_fetched_from_the_registry_of_npm() -> None:
    lock = (ALONE / "package-lock.json").read_text(encoding="utf-8")
    assert '"lighthouse": "12.8.2"' in (ALONE / "package.json").read_text(encoding="utf-8")
    assert '"resolved"' not in lock
    latest = re.findall(r'"([^"]+)": "latest"', lock)  # which moves, and would fit the lock no more
    assert set(latest) <= json.loads((ALONE / "package.json").read_text(encoding="utf-8"))["overrides"].keys()


@pytest.mark.browser
@pytest.mark.soak
@pytest.mark.timeout(1600)
def test_lighthouse_finds_nothing_against_accessibility_or_best_practices(tmp_path: Path) -> None:
    """Times are not judged here: other work of the machine lengthens them."""
    table = tmp_path / "table.md"
    done = measured("--runs", "1", "--write", str(table))
    if "cannot be had" in done.stderr or "needs a browser" in done.stderr:
        pytest.skip(done.stderr)
    lines = table.read_text(encoding="utf-8").splitlines()
    rows = {cells[0]: cells[1:] for cells in ([cell.strip() for cell in line.split("|")[1:-1]] for line in lines)}
    assert rows["accessibility"] == ["100"] * 4 + [">= 100"]
    assert rows["best practices"] == ["100"] * 4 + [">= 95"]
    for figure in ("JS kB", "CSS kB", "CLS"):
        assert not [value for value in rows[figure] if "missed" in value]
