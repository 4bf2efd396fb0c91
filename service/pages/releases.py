"""The files of recent releases of the pages.

A page that stays open during an update loads some of its scripts later, from its own release. So the files of each
release are stored in the data folder before anybody needs them.
"""

from __future__ import annotations

import io
import os
import zipfile
from contextlib import suppress
from functools import cache
from threading import Event, Lock, Thread
from typing import TYPE_CHECKING

from flask import request

from service.pages import assets

if TYPE_CHECKING:
    from pathlib import Path

RELEASES = "kifu.releases"
"""The key of the WSGI environment with the releases of this service."""

FOLDER = "pages"
"""The folder in the data folder: one ZIP file per release, named by its digest."""

KEPT_RELEASES = 3
"""The number of releases kept, with the current one."""


class Releases:
    """The files of recent releases in a data folder."""

    def __init__(self, data: Path) -> None:
        self._folder = data / FOLDER
        self._keeping: Thread | None = None
        self._ending, self._writing = Event(), Lock()

    def content(self, release: str, name: str) -> bytes:
        """Read a file of a release. Raises `FileNotFoundError`."""
        if release == assets.digest():
            return assets.content(name)
        if not assets.is_digest(release):
            raise FileNotFoundError(release)
        try:
            with zipfile.ZipFile(self._folder / f"{release}.zip") as kept:
                return kept.read(name)
        except (OSError, KeyError, zipfile.BadZipFile) as error:
            raise FileNotFoundError(name) from error

    def keep(self) -> None:
        """Start to keep the current release, in a thread. Runs once, with the first page sent.

        Without write access to the folder nothing is kept: after an update, open pages offer a reload.
        """
        if self._keeping is None:
            self._keeping = Thread(target=self._keep, name="pages", daemon=True)
            self._keeping.start()

    def wait_until_kept(self) -> None:
        """Wait until the current release is kept, if this has begun."""
        if self._keeping:
            self._keeping.join()

    def stop(self) -> None:
        """Start no more writes, but finish the current one. The next start keeps the release."""
        self._ending.set()
        with self._writing:
            return

    def _keep(self) -> None:
        path = self._folder / f"{assets.digest()}.zip"
        with suppress(OSError):
            for name in () if path.exists() else assets.names():  # a second or more, which a stop does not wait for
                if self._ending.is_set():
                    return
                assets.content(name)
            with self._writing:
                if not self._ending.is_set():
                    self._write(path)

    def _write(self, path: Path) -> None:
        self._folder.mkdir(mode=0o700, exist_ok=True)
        if not path.exists():
            new = path.with_suffix(f".{os.getpid()}")
            new.write_bytes(_pack_release())
            new.replace(path)
        path.touch()
        for old in sorted(self._folder.glob("*.zip"), key=lambda kept: kept.stat().st_mtime)[:-KEPT_RELEASES]:
            old.unlink()


def releases() -> Releases:
    """The releases of this service."""
    found: Releases = request.environ[RELEASES]
    return found


@cache
def _pack_release() -> bytes:
    """The files of the current release as a ZIP archive."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as files:
        for name in assets.names():
            files.writestr(name, assets.content(name))
    return packed.getvalue()
