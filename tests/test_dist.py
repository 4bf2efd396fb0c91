"""The wheel and the source archive hold all that the service needs, and it runs from them in a new environment."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.documents import ROOT
from tests.unpacking import unpack

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

pytestmark = [pytest.mark.programs, pytest.mark.slow]

PACKAGES = ("events", "games", "projections", "workers", "service")
BUILD = "from setuptools import build_meta as build; build.build_{kind}({folder!r})"
"""What `make dist` runs."""
LOOKS = """
from pathlib import Path
from service.app import create_app
from service.settings import Settings
from werkzeug.test import Client
import service, sys
assert sys.prefix in service.__file__, service.__file__
app = create_app(Settings(data=Path(sys.argv[1])))
client = Client(app)
for path in ("/", "/rulesets/kahuna?lang=ja", "/v1/health"):
    assert client.get(path).status_code == 200, path
page = client.get("/rulesets/kahuna?lang=ja").text
assert 'lang="ja"' in page
style = client.get(page.partition('rel="stylesheet" href="')[2].partition('"')[0]).text
assert "--ground: #14161a" in style and "@import" not in style
app.close()
"""
"""What is looked at: pages with their style, the API, a language, the rules."""


def build(kind: str, source: Path, folder: Path) -> Path:
    """A distribution of the project in a folder, built as `make dist` does."""
    folder.mkdir()
    run([sys.executable, "-c", BUILD.format(kind=kind, folder=str(folder))], source)
    (made,) = folder.iterdir()
    return made


def run(command: Sequence[str | Path], folder: Path) -> str:
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "KIFU"))}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def distributions(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, Path]]:
    """The source archive, and the wheel that is built from it alone."""
    folder = tmp_path_factory.mktemp("dist")
    source = folder / "source"
    source.mkdir()
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, source)
    for package in PACKAGES:
        shutil.copytree(ROOT / package, source / package, ignore=shutil.ignore_patterns("__pycache__", "node_modules"))
    archive = build("sdist", source, folder / "archive")
    (unpacked,) = unpack(archive, folder / "unpacked").iterdir()
    yield archive, build("wheel", unpacked, folder / "wheel")
    shutil.rmtree(folder)


def test_the_wheel_has_every_file_of_the_packages(distributions: tuple[Path, Path]) -> None:
    with zipfile.ZipFile(distributions[1]) as wheel:
        there = set(wheel.namelist())
    for package in PACKAGES:
        for path in (ROOT / package).rglob("*"):
            name = path.relative_to(ROOT).as_posix()
            if path.is_file() and not name.startswith("service/pages/types/") and is_shipped(path):
                assert name in there, name
    assert not any(name.startswith("tests/") for name in there)


def is_shipped(path: Path) -> bool:
    """Whether a file belongs to the service: what only checks the code of pages does not."""
    checks = {"package.json", "package-lock.json", "biome.json", "tsconfig.json"}
    folders = {"__pycache__", "node_modules"}
    return path.name not in checks and not folders & set(path.parts) and path.suffix != ".pyc"


def test_the_service_runs_from_the_wheel_in_a_new_environment(distributions: tuple[Path, Path], tmp_path: Path) -> None:
    """With the libraries of this one, so that nothing is fetched. Only what runs is compiled."""
    home = tmp_path / "fresh"
    venv.create(home, with_pip=False)
    site = Path(sysconfig.get_path("purelib", "venv", {"base": str(home), "platbase": str(home)}))
    command = [sys.executable, "-m", "pip", "--python", home / "bin" / "python", "install", "--quiet", "--no-deps"]
    run([*command, "--no-index", "--no-compile", distributions[1]], tmp_path)
    (site / "libraries.pth").write_text(sysconfig.get_path("purelib"), encoding="utf-8")
    assert run([home / "bin" / "kifu", "--version"], tmp_path).startswith("kifu")
    run([home / "bin" / "python", "-c", LOOKS, str(tmp_path / "data")], tmp_path)
