"""The Chromium that the browser tests drive. `python -m tests.browser` installs one if it can.

Where apt has one that draws no windows, it installs this one: tests take much less processor time with it. It never
fails: where no browser can be had it says so, and the browser tests are skipped with that reason.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

VARIABLE = "KIFU_CHROMIUM"
LIGHT = "chromium-headless-shell"
"""Chromium without the parts for a visible window."""
NAMES = (
    LIGHT,
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "microsoft-edge",
)
PACKAGES = NAMES[:2]
"""The packages for apt. The first available one is installed."""
MISSING = f"no Chromium was found: install one, or name it in {VARIABLE}"
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--process-per-site",
    "--disable-site-isolation-trials",
    "--disable-features=BackForwardCache,ProactivelySwapBrowsingInstance",
)
"""The arguments of Chromium. The last three keep a profile's pages in one process: a new one for each load compiled
all scripts again, and took half of a load's processor time."""
PATIENCE = 600
"""The most seconds of an installation if there is no browser yet."""
SOON = 120
"""The most seconds of an installation if there is a browser already."""
HASTE = ("Retries=0", "EnableSrvRecords=false", "http::Timeout=2", "https::Timeout=2")
"""Options of apt if there is a browser already: without a network it gives up in seconds."""
FONTS = "FONTCONFIG_FILE"
"""The variable that names the fonts to draw pages with, instead of those that lie beside this module: whether pages fit
with a machine's fonts is seen with `FONTCONFIG_FILE=/etc/fonts/fonts.conf`."""


def environment() -> dict[str, Any]:
    """The environment of a browser. Its pages do not depend on the fonts, the language or the time zone of the machine.

    The language is English unless a context sets one.
    """
    fonts = Path(__file__).with_name("fonts.conf")
    return {FONTS: str(fonts)} | os.environ | {"TZ": "UTC", "LANG": "C.UTF-8", "LANGUAGE": "en"}


def find() -> str | None:
    """Find a Chromium on this machine; its path."""
    named = os.environ.get(VARIABLE)
    candidates = [named] if named else NAMES
    found = next((path for name in candidates if (path := shutil.which(name))), None)
    return found or (None if named else _bundled())


def _bundled() -> str | None:
    """The Chromium in the cache of `playwright install chromium`."""
    cache = Path(os.environ.get("PLAYWRIGHT_BROWSERS_PATH") or Path.home() / ".cache" / "ms-playwright")
    return next((str(path) for path in sorted(cache.glob("chromium-*/chrome-linux*/chrome"), reverse=True)), None)


def install(packages: Sequence[str] = PACKAGES, patience: float = PATIENCE) -> str | None:
    """Install the first of these packages with apt, as root. Returns the reason if that failed."""
    if os.environ.get(VARIABLE):
        return f"{VARIABLE} names {os.environ[VARIABLE]}"
    if not shutil.which("apt-get") or os.geteuid() != 0:
        return "there is no apt to install it with, or no right to"
    apt = ["apt-get", *(f"--option=Acquire::{name}" for name in (HASTE if patience == SOON else ()))]
    why = _failure(patience, *apt, "update")
    for package in packages if why is None else ():
        why = _failure(patience, *apt, "install", "--yes", "--no-install-recommends", package)
        if why is None:
            return None
    return why


def _failure(patience: float, *command: str) -> str | None:
    """Run a command. Returns the reason if it failed."""
    environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive", "RES_OPTIONS": "timeout:1 attempts:1"}
    try:
        done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=patience, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"{' '.join(command)}: {error}"
    last = (done.stderr.strip() or done.stdout.strip()).rpartition("\n")[2]
    return f"{' '.join(command)}: {last}" if done.returncode else None


def main() -> None:
    """Find or install a browser. Prints one line if there is none."""
    found = find()
    if found is None:
        why = install()
        if not find():
            sys.stderr.write(f"The browser tests will be skipped: {MISSING} ({why}).\n")
    elif Path(found).name != LIGHT:
        install([LIGHT], SOON)


if __name__ == "__main__":
    main()
