"""The documents of the project, for the tests that check them."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).parents[1]
PATHS = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
TEXTS = {path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8") for path in PATHS}
"""The texts of the documents, by name."""
ALL = "\n".join(TEXTS.values())
