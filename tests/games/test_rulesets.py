"""Rulesets of other packages: those that are sound are there like any other, and the others are left out."""

from __future__ import annotations

import logging
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from games.kahuna import KAHUNA
from games.rulesets import RULESETS, SHIPPED, installed
from tests.plugins import ROOT, install, install_example, reversi

if TYPE_CHECKING:
    from pathlib import Path

GOOD = "good = kifu_reversi:REVERSI"


def changed(change: str) -> str:
    """A package with the example's ruleset, except for some facts."""
    return f"""
from dataclasses import replace
from games.contract import Move
from games.kahuna import KahunaState
from kifu_reversi import REVERSI, ReversiState, Place
class Own(ReversiState, kw_only=True): pass
class Put(Move, frozen=True, tag="place"): pass
CHANGED = replace(REVERSI, **(dict(name="changed", state=Own) | dict({change})))
"""


FAULTY = {
    "it is not there": ("bad = no_such_package:R", "", "ModuleNotFoundError: No module named 'no_such_package'"),
    "it has no such name": ("bad = faulty:R", "", "AttributeError: module 'faulty' has no attribute 'R'"),
    "it raises": ("bad = faulty:R", "raise RuntimeError('over\\nthere')", "RuntimeError: over there"),
    "it ends the program": ("bad = faulty:R", "import sys; sys.exit(3)", "SystemExit: 3"),
    "it is no Python": ("bad = faulty:R", "R = (", "SyntaxError"),
    "it is no ruleset": ("bad = faulty:R", "R = 5", "faulty:R is no instance of Ruleset"),
    "it is another thing": (
        "bad = faulty:ReversiState",
        "from kifu_reversi import ReversiState",
        "is no instance of Ruleset",
    ),
    "its name is taken": ("bad = faulty:CHANGED", changed("name='kahuna'"), "another ruleset called kahuna"),
    "its name is none": ("bad = faulty:CHANGED", changed("name='Go!'"), "'Go!' is no name"),
    "it says too little": (
        "bad = faulty:R",
        "from games.contract import Ruleset\nR = Ruleset(name='r')",
        "missing 14 required keyword-only arguments: 'title', 'revision', 'changes'",
    ),
    "its revision is none": ("bad = faulty:CHANGED", changed("revision=0"), "its revision is 0"),
    "it has no seats": ("bad = faulty:CHANGED", changed("seats=range(0)"), "its seats are range(0, 0)"),
    "it has too many": ("bad = faulty:CHANGED", changed("seats=range(2, 40)"), "its seats are range(2, 40)"),
    "its seats have no names": ("bad = faulty:CHANGED", changed("seats=range(2, 5)"), "it names 2 of 4 seats"),
    "its moves are none": ("bad = faulty:CHANGED", changed("moves=int"), "no union of classes of moves"),
    "its moves cannot be told apart": (
        "bad = faulty:CHANGED",
        changed("moves=Place | Put"),
        "TypeError",
    ),
    "its states are another's": (
        "bad = faulty:CHANGED",
        changed("state=KahunaState"),
        "TypeError: KahunaState is the state of kahuna",
    ),
    "it has no rules": ("bad = faulty:CHANGED", changed(""), "RULES.md"),
}


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder on the path, in which packages can be installed; nothing of it is left imported."""
    reversi()
    before = set(sys.modules)
    monkeypatch.syspath_prepend(tmp_path)
    yield tmp_path
    for name in set(sys.modules) - before:
        del sys.modules[name]


def test_a_ruleset_of_another_package_is_known_by_its_name(site: Path):
    install(site, "kifu_reversi_installed", GOOD)
    assert [ruleset.name for ruleset in installed(SHIPPED) if ruleset.name not in RULESETS] == ["reversi"]


@pytest.mark.parametrize("fault", FAULTY)
def test_what_is_wrong_with_a_ruleset_is_said_in_a_sentence_and_harms_no_other(
    site: Path, caplog: pytest.LogCaptureFixture, fault: str
):
    entry, code, why = FAULTY[fault]
    rules = {} if fault == "it has no rules" else {"RULES": "### SET-1 A rule / 規則\n"}
    install(site, "faulty", entry, __init__=code, **rules)
    install(site, "kifu_reversi_installed", GOOD)
    with caplog.at_level(logging.WARNING):
        assert [ruleset.name for ruleset in installed(SHIPPED)] == ["reversi"]
    assert KAHUNA.state.ruleset is KAHUNA
    (result,) = caplog.messages
    assert result.startswith("the ruleset bad of the package faulty is left out: ")
    assert why in result
    assert "\n" not in result


def test_of_two_packages_with_the_same_ruleset_one_counts(site: Path, caplog: pytest.LogCaptureFixture):
    install(site, "one", "a = kifu_reversi:REVERSI")
    install(site, "two", "b = kifu_reversi:REVERSI")
    assert [ruleset.name for ruleset in installed(SHIPPED)] == ["reversi"]
    assert caplog.messages == [
        "the ruleset b of the package two is left out: ValueError: there is another ruleset called reversi"
    ]


@pytest.mark.programs
def test_a_program_starts_with_the_rulesets_that_are_installed_and_warns_of_the_others(tmp_path: Path):
    path = install_example(tmp_path)
    install(tmp_path, "faulty", "bad = faulty:R")
    script = "from service.cli import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", script, "rulesets"],
        env={"PYTHONPATH": f"{ROOT}:{path}", "KIFU_DATA": str(tmp_path / "none"), "PATH": ""},
        capture_output=True,
        text=True,
        check=True,
    )
    assert "リバーシ" in done.stdout
    assert "カフナ" in done.stdout
    (warning,) = done.stderr.splitlines()
    assert "the ruleset bad of the package faulty is left out: ModuleNotFoundError" in warning
