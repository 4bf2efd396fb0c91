"""The files of the last releases of the pages.

A page that stays open while the service is updated loads some of its scripts later, from the release that it is of. So
what that release consists of lies in the data folder before anybody needs it.
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
"""The key of the WSGI environment with the releases of the service that is asked."""

FOLDER = "pages"
"""Where they lie in the data folder: a ZIP file for each release, with its digest for a name."""

KEPT_RELEASES = 3
"""How many releases are kept, with the present one."""


class Releases:
    """The files of the last releases in a data folder."""

    def __init__(self, data: Path) -> None:
        self._folder = data / FOLDER
        self._keeping: Thread | None = None
        self._ending, self._writing = Event(), Lock()

    def content(self, release: str, name: str) -> bytes:
        """A file of a release. Raises `FileNotFoundError`."""
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
        """Keep the present release from now on, beside the requests; done once, when the first page is given out.

        Where the folder cannot be written nothing is kept: pages that are open at the next update offer to be reloaded.
        """
        if self._keeping is None:
            self._keeping = Thread(target=self._keep, name="pages", daemon=True)
            self._keeping.start()

    def wait_until_kept(self) -> None:
        """Wait until the present release is kept, if it is being kept."""
        if self._keeping:
            self._keeping.join()

    def stop(self) -> None:
        """Keep nothing more, but finish what is being written. The next start keeps the release."""
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
            new.write_bytes(_packed())
            new.replace(path)
        path.touch()
        for old in sorted(self._folder.glob("*.zip"), key=lambda kept: kept.stat().st_mtime)[:-KEPT_RELEASES]:
            old.unlink()


def releases() -> Releases:
    """The releases that this service keeps."""
    found: Releases = request.environ[RELEASES]
    return found


@cache
def _packed() -> bytes:
    """All that a page of the present release can ask for."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as files:
        for name in assets.names():
            files.writestr(name, assets.content(name))
    return packed.getvalue()
