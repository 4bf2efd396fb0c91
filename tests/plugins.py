"""Installs rulesets of other packages for the tests, laid out as by pip, in a folder on the path."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from games.contract import Ruleset

ROOT = Path(__file__).parents[1]
EXAMPLE = ROOT / "examples" / "kifu-reversi"


def install(site: Path, package: str, entries: str, **files: str) -> Path:
    """Lay out an installed package with its entry points of the group `kifu.rulesets`. `files` are named by stem."""
    about = site / f"{package}-1.0.dist-info"
    about.mkdir(parents=True)
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n", encoding="utf-8")
    (about / "entry_points.txt").write_text(f"[kifu.rulesets]\n{entries}\n", encoding="utf-8")
    if files:
        (site / package).mkdir()
    for stem, text in files.items():
        suffix = ".md" if stem == "RULES" else ".py"
        (site / package / (stem + suffix)).write_text(text, encoding="utf-8")
    return site


def install_example(site: Path) -> str:
    """Install Reversi as a package. Returns the path for a program that uses it."""
    install(site, "kifu_reversi_installed", "reversi = kifu_reversi:REVERSI")
    return f"{site}:{EXAMPLE}"


def reversi() -> Ruleset:
    """The ruleset of the example package."""
    if str(EXAMPLE) not in sys.path:
        sys.path.append(str(EXAMPLE))
    found: Ruleset = importlib.import_module("kifu_reversi").REVERSI
    return found
