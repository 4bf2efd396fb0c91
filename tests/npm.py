"""Tools of npm: installed once, by their lock file, into a cache outside the tree."""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
from functools import cache
from hashlib import sha256
from pathlib import Path

PATIENCE = 300
"""The most seconds of an installation."""


class NpmError(Exception):
    """The tools could not be installed. The message says why."""


def cache_folder() -> Path:
    """The folder of what tests keep from one run to the next."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "kifu"


@cache
def node_modules(wanted: Path) -> Path:
    """The folder of the tools that a `package-lock.json` in the folder `wanted` names. Raises `NpmError`."""
    if not shutil.which("npm") or not shutil.which("node"):
        raise NpmError("there is no npm here")
    lock = wanted / "package-lock.json"
    folder = cache_folder() / f"npm-{sha256(lock.read_bytes()).hexdigest()[:16]}"
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)  # tests run in parallel
        if not (folder / "ready").exists():
            _install(folder, lock)
            (folder / "ready").touch()
    return folder / "node_modules"


def _install(folder: Path, lock: Path) -> None:
    shutil.copy(lock, folder)
    shutil.copy(lock.with_name("package.json"), folder)
    command = ["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--fetch-retries", "1"]
    try:
        ended = subprocess.run(command, cwd=folder, timeout=PATIENCE, capture_output=True, text=True, check=False)
    except subprocess.TimeoutExpired:
        raise NpmError(f"npm did not fetch the tools within {PATIENCE} s") from None
    if ended.returncode:
        events = [line for line in ended.stderr.splitlines() if line.strip() and not line.startswith("npm warn")]
        raise NpmError(f"npm cannot fetch the tools: {' '.join(events[:3])}")
