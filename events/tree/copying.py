"""Copies of a tree for another host of the same log, which goes on from the copy."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

from events import safekeeping
from events.tree.tree import BEFORE, FOLDER, HEAD, LONGEST

if TYPE_CHECKING:
    from pathlib import Path


def copy_tree(source: Path, target: Path) -> bool:
    """Copy the tree of a data folder, while it grows, to a folder without one. False if there is no tree.

    The key is left out: it is a secret. Tiles only grow, so they have all that a checkpoint from before them needs.
    Raises `OSError`.
    """
    head = safekeeping.get(source / FOLDER / HEAD, LONGEST) or safekeeping.get(source / FOLDER / BEFORE, LONGEST)
    if not head or (target / FOLDER).exists():
        return False
    shutil.copytree(source / FOLDER, target / FOLDER, ignore=shutil.ignore_patterns(HEAD, BEFORE, "*.new"))
    safekeeping.put(target / FOLDER / HEAD, head)
    return True
