"""Files that are no files: pipes, devices, links, and standard streams that are closed."""

from __future__ import annotations

import subprocess
import sys
from os import environ, mkfifo
from pathlib import Path
from stat import S_IMODE
from threading import Thread
from typing import TYPE_CHECKING

import pytest

from tests.choosing import soak_except

from .conftest import environment_of

if TYPE_CHECKING:
    from .conftest import Kifu

PNG = b"\x89PNG"


@pytest.fixture
def pipe(tmp_path: Path) -> Path:
    """A named pipe, as `>(…)` of a shell is one."""
    made = tmp_path / "pipe"
    mkfifo(made)
    return made


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "begins"),
    [
        (["export", "last", "FILE", "--format", "text"], b"[Ruleset"),
        (["export", "last", "FILE", "--format", "csv"], b"game,"),
        (["export", "--all", "FILE"], b"PK"),
        (["show", "last", "--png", "FILE"], PNG),
        (["players", "held", "Anna", "FILE"], b"{"),
    ],
)
def test_a_pipe_gets_what_a_command_writes_and_stays_a_pipe(
    kifu: Kifu, pipe: Path, words: list[str], begins: bytes
) -> None:
    kifu.play()
    read: list[bytes] = []
    reader = Thread(target=lambda: read.append(pipe.read_bytes()), daemon=True)
    reader.start()
    kifu(*(pipe if word == "FILE" else word for word in words))
    reader.join(10)
    assert read
    assert read[0].startswith(begins)
    assert [found.name for found in pipe.parent.iterdir() if found.name.startswith((".pipe", "pipe"))] == ["pipe"]
    assert pipe.is_fifo()


@pytest.mark.slow
def test_a_full_device_is_an_error_and_stays_a_device(kifu: Kifu) -> None:
    kifu.play()
    full = Path("/dev/full")
    assert "No space left" in kifu.fails("export", "last", full, "--format", "text")
    assert "No space left" in kifu.fails("show", "last", "--png", full)
    assert full.is_char_device()


@pytest.mark.slow
def test_a_picture_goes_to_standard_output_too(kifu: Kifu) -> None:
    kifu.play()
    assert kifu.run("show", "last", "--png", "-").stdout_bytes.startswith(PNG)


@pytest.mark.slow
@pytest.mark.parametrize(
    "words",
    [["show", "last", "--png", "FILE"], ["year", "--picture", "FILE"], ["players", "held", "Anna", "FILE"]],
)
def test_a_file_is_written_over_only_if_that_is_meant(kifu: Kifu, tmp_path: Path, words: list[str]) -> None:
    kifu.play()
    file = tmp_path / "mine.png"
    file.write_text("mine", encoding="utf-8")
    asked = [str(file) if word == "FILE" else word for word in words]
    assert "mine.png exists already" in kifu.fails(*asked)
    assert file.read_text(encoding="utf-8") == "mine"
    kifu(*asked, "--force")
    assert file.read_bytes().startswith((PNG, b"{"))


@pytest.mark.slow
@pytest.mark.parametrize("form", ["text", "csv"])
def test_a_file_that_is_written_over_keeps_its_permissions_and_the_links_to_it(
    kifu: Kifu, tmp_path: Path, form: str
) -> None:
    kifu.play()
    file, link = tmp_path / "file", tmp_path / "link"
    file.write_bytes(b"older")
    file.chmod(0o640)
    link.symlink_to(file)
    kifu("export", "last", link, "--format", form, "--force")
    assert link.is_symlink()
    assert file.stat().st_size > len("older")
    assert S_IMODE(file.stat().st_mode) == 0o640


@pytest.mark.slow
@pytest.mark.parametrize("closed", soak_except(["<&-", ">&-", "2>&-", "<&- >&- 2>&-"], "<&- >&- 2>&-"))
def test_closed_standard_streams_are_as_empty_ones(kifu: Kifu, closed: str) -> None:
    kifu.play()
    command = f'exec "{sys.executable}" -m service.cli note last "it rains" {closed}'
    found = subprocess.run(
        ["/bin/sh", "-c", command], env=environ | environment_of(kifu.data), capture_output=True, text=True, check=False
    )
    assert (found.returncode, found.stderr.count("error")) == (0, 0), found.stderr
    assert "it rains" in kifu("replay", "last", "--all")


@pytest.mark.slow
@pytest.mark.parametrize("words", [[], ["--fresh"]])
def test_a_dataset_is_never_written_to_what_is_no_file(kifu: Kifu, pipe: Path, words: list[str]) -> None:
    kifu.play()
    for file in (pipe, Path("/dev/full"), "-"):
        assert "a dataset needs one" in kifu.fails("dataset", file, *words)
    assert pipe.is_fifo()
    assert Path("/dev/full").is_char_device()


@pytest.mark.slow
def test_a_fresh_dataset_keeps_the_link_to_it(kifu: Kifu, tmp_path: Path) -> None:
    kifu.play()
    (tmp_path / "link.db").symlink_to(tmp_path / "real.db")
    kifu("dataset", tmp_path / "real.db")
    kifu("dataset", tmp_path / "link.db", "--fresh")
    assert (tmp_path / "link.db").is_symlink()
    assert (tmp_path / "real.db").read_bytes().startswith(b"SQLite format 3")
