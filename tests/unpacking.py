"""Unpacks archives of the project's own. Before 3.11.4 Python knew no filters for what it unpacks."""

from __future__ import annotations

import tarfile
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

FILTER: dict[str, Any] = {"filter": "data"} if hasattr(tarfile, "data_filter") else {}


def unpack(archive: Path, folder: Path) -> Path:
    """Unpack an archive into a folder, which is made where it is missing; that folder."""
    with tarfile.open(archive) as opened:
        opened.extractall(folder, **FILTER)  # noqa: S202 - made by this project
    return folder
