"""Privacy: what a data folder holds (hidden hands, names, tokens) is its owner's alone."""

from __future__ import annotations

import logging
import os
from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

_OTHERS = 0o077

logger = logging.getLogger(__name__)


def make_private() -> None:
    """Make all new files of this process readable by their owner only, in every folder."""
    os.umask(_OTHERS)


def keep_private(folder: Path, *inner: str) -> None:
    """Make a data folder and the files in it and in its `inner` folders accessible to the owner only.

    The folder is created if needed. An older release left them open. Raises `OSError` if the folder cannot be created;
    files that cannot be changed are logged.
    """
    make_private()
    folder.mkdir(parents=True, exist_ok=True)
    inside = [folder / name for name in inner if (folder / name).is_dir()]
    restrict_to_owner([folder, *folder.iterdir(), *(path for part in inside for path in part.iterdir())])


def restrict_to_owner(paths: Iterable[Path]) -> None:
    """Remove the rights of other users to some files and folders."""
    for path in paths:
        with suppress(FileNotFoundError):
            mode = path.lstat().st_mode
            if mode & _OTHERS and not path.is_symlink():
                try:
                    path.chmod(mode & 0o7700)
                except PermissionError as error:
                    logger.warning("others may read %s, and that cannot be changed: %s", path, error.strerror)
