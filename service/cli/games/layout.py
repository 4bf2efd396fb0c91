"""Writing a package with a small, complete ruleset: the files of `service/cli/skeleton` under another name.

Every package has those of `common`; its game is the one of `plain`, or the one of `cards`, with hidden cards.
"""

from __future__ import annotations

from importlib.resources import files
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from importlib.resources.abc import Traversable
    from pathlib import Path

SKELETON = files("service.cli") / "skeleton"

SUFFIX = ".txt"
"""What stands after the name of each file, so that nobody takes it for a part of this package."""


def write_skeleton(name: str, folder: Path, *, cards: bool = False) -> list[str]:
    """Write the package for a ruleset into a folder, and name its files."""
    words = name.replace("_", " ").strip()
    named = {
        "kifu-mygame": f"kifu-{name.replace('_', '-')}",
        "mygame": name,
        "MyGame": "".join(word.title() for word in words.split()) or name.title(),
        "MYGAME": name.upper(),
        "My game": words.capitalize(),
    }

    def renamed(text: str) -> str:
        for old, new in named.items():
            text = text.replace(old, new)
        return text

    written = []
    game = SKELETON / ("cards" if cards else "plain")
    for path, text in sorted([*_files(SKELETON / "common", ""), *_files(game, "")]):
        file = renamed(path).removesuffix(SUFFIX)
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
        (folder / file).write_text(renamed(text), encoding="utf-8")
        written.append(file)
    return written


def _files(folder: Traversable, path: str) -> Iterator[tuple[str, str]]:
    """Every file of a folder: its path in it, and its text."""
    for file in sorted(folder.iterdir(), key=lambda file: file.name):
        if file.is_dir():
            yield from _files(file, f"{path}{file.name}/")
        elif file.name.endswith(SUFFIX):
            yield path + file.name, file.read_text(encoding="utf-8")
