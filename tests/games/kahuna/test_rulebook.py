"""Every rule has a test that bears its id."""

from __future__ import annotations

from pathlib import Path

from games.kahuna import KAHUNA
from tests.cases import cases

TESTS = "".join(path.read_text(encoding="utf-8") for path in Path(__file__).parent.glob("test_*.py"))


@cases("rule", [rule.removeprefix("kahuna:") for rule in KAHUNA.rulebook])
def test_every_rule_has_a_test(rule):
    assert f"def test_{rule.lower().replace('-', '_')}_" in TESTS
