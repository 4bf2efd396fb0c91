"""Pages as the service sends them, with their scripts, are drawn in node: what is drawn and typed needs no browser."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from typing import TYPE_CHECKING

import msgspec
import pytest

from games.scoresheet.ready import READY
from games.scoresheet.template import Column, Team, Template, TieBreaker
from tests import page_code
from tests.npm import NpmError, node_modules

if TYPE_CHECKING:
    from pathlib import Path

    from tests.served import Service

pytestmark = pytest.mark.programs

GIVEN = {
    "ready": READY,
    "members": {
        form.__name__: [field.encode_name for field in msgspec.structs.fields(form)]
        for form in (Column, Team, Template, TieBreaker)
    },
}
"""What the tests know of the rules."""


def drawn(service: Service, folder: Path, **more: str) -> subprocess.CompletedProcess[str]:
    """Try all that is tried on drawn pages, in one process. Raises `NpmError`."""
    modules = node_modules(page_code.PAGES)
    given = folder / "given.json"
    given.write_text(json.dumps(GIVEN), encoding="utf-8")
    cookie = service.log_in()
    settings = {"KIFU_BASE": service.base, "KIFU_TOKEN": service.token, "KIFU_GIVEN": str(given)}
    settings |= {"KIFU_COOKIE": f"{cookie['name']}={cookie['value']}", "KIFU_MODULES": str(modules)}
    command = [str(shutil.which("node")), "--test-reporter=tap", "all.mjs"]
    return subprocess.run(
        command,
        cwd=page_code.SCRIPTS / "drawn",
        env=os.environ | settings | more,
        capture_output=True,
        text=True,
        check=False,
        timeout=900,
    )


def test_pages_are_drawn_as_they_should_be_without_a_browser(service: Service, tmp_path: Path) -> None:
    _passes(service, tmp_path)


@pytest.mark.soak
def test_pages_are_drawn_as_they_should_be_in_all_their_forms(service: Service, tmp_path: Path) -> None:
    _passes(service, tmp_path, KIFU_SOAK="1")


def _passes(service: Service, folder: Path, **more: str) -> None:
    try:
        done = drawn(service, folder, **more)
    except NpmError as why:
        pytest.skip(f"pages were not drawn without a browser: {why}")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "# fail 0" in done.stdout
