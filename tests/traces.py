"""Searching a data folder for bytes that must not be in it, while the service still writes there."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


def files_with(folder: Path, *words: str | bytes) -> list[str]:
    """The names of files below a folder that contain one of these words.

    If a file gets another name meanwhile, the search starts anew.
    """
    wanted = [word.encode() if isinstance(word, str) else word for word in words]
    while True:
        try:
            contents = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
        except FileNotFoundError:
            continue
        return [path.name for path, content in contents.items() if any(word in content for word in wanted)]
