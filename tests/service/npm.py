"""Tools of npm for the tests: installed once, by their lock file, into a cache outside the tree."""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
from functools import cache
from hashlib import sha256
from pathlib import Path

import pytest

CLIENTS = Path(__file__).parent / "clients"
PATIENCE = 300
"""Seconds that the installation may take before the tests go on without it."""


@cache
def node_modules() -> Path:
    """The folder of the installed tools; the test is skipped where they cannot be had."""
    if not shutil.which("npm") or not shutil.which("node"):
        pytest.skip("there is no npm here")
    lock = CLIENTS / "package-lock.json"
    caches = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    folder = caches / "kifu" / f"npm-{sha256(lock.read_bytes()).hexdigest()[:16]}"
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)  # tests run beside each other
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
        pytest.skip(f"npm did not fetch the tools within {PATIENCE} s")
    if ended.returncode:
        pytest.skip(f"npm cannot fetch the tools: {ended.stderr.strip().splitlines()[:1]}")
