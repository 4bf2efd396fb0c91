"""Safekeeping: small files that hold secrets are written whole or not at all, for nobody but their owner to read."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from events.sqlite.heads import sync_folder

if TYPE_CHECKING:
    from pathlib import Path

PRIVATE = 0o600


def put(path: Path, content: bytes) -> None:
    """Put `content` in a file of that name in place of what it held, and force it to disk. Raises `OSError`."""
    draft = path.with_name(path.name + ".new")
    draft.unlink(missing_ok=True)  # left by a process that was killed
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, PRIVATE)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
    except OSError:
        draft.unlink(missing_ok=True)
        raise
    sync_folder(path.parent)
