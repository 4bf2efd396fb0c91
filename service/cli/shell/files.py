"""Files of commands: components as JSON or TOML, and files that are written whole or not at all."""

from __future__ import annotations

import errno
import fcntl
import io
import math
import os
import shutil
import sqlite3
import sys
import tempfile
import tomllib
from contextlib import contextmanager, suppress
from pathlib import Path
from stat import S_IMODE
from typing import TYPE_CHECKING, Any, BinaryIO

import click
import msgspec

from service.cli.shell import screen
from service.cli.shell.failures import CommandError
from service.languages import gettext

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import IO


STDOUT = Path("-")
"""The name of a file that means standard output."""

BLOCK = 1 << 20
"""Bytes of a file that are read at a time."""

_SHARE = 2
"""A service that never ends its answer can take the free disk divided by this."""


class NoRoomError(OSError):
    """A command would use more of the disk than allowed."""

    def __init__(self, path: Path) -> None:
        super().__init__(errno.EDQUOT, gettext("it would take more than half of the free disk"), str(path))


class BoundedFile(io.BufferedRandom):
    """A file that grows at most by half of the free disk. Raises `NoRoomError`."""

    def __init__(self, descriptor: int, path: Path) -> None:
        super().__init__(io.FileIO(descriptor, "r+b"))
        self._path, self._most = path, os.fstat(descriptor).st_size + room_in(path.parent)

    def write(self, content: Any) -> int:
        """Write bytes, unless the file would be too large."""
        if self.tell() + len(content) > self._most:
            raise NoRoomError(self._path)
        with named(self._path):
            return super().write(content)

    def flush(self) -> None:
        """Write what waits in memory. Raises `OSError` with the name of the file."""
        with named(self._path):
            super().flush()


@contextmanager
def named(path: Path) -> Iterator[None]:
    """Add the file's name to an error of the disk, which Python leaves out."""
    try:
        yield
    except OSError as error:
        if error.filename:
            raise
        raise OSError(error.errno, error.strerror, str(path)) from error


@contextmanager
def bounded_database(connection: sqlite3.Connection, path: Path) -> Iterator[None]:
    """Limit the growth of a database file to half of the free disk. Raises `NoRoomError`, `CommandError`."""
    ((pages,), (size,)) = (connection.execute(f"pragma {name}").fetchone() for name in ("page_count", "page_size"))
    connection.execute(f"pragma max_page_count = {pages + room_in(path.parent) // size}")
    try:
        yield
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode != sqlite3.SQLITE_FULL:
            raise CommandError(f"{path}: {error}") from error
        raise NoRoomError(path) from error


def room_in(folder: Path) -> int:
    """The number of bytes that a command may write in a folder."""
    return shutil.disk_usage(folder).free // _SHARE


class ComponentsFile(click.File):
    """A file of JSON, or else of TOML, with one object. The service judges the object."""

    name = "file"

    def __init__(self) -> None:
        super().__init__("rb")

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The object in the file. Fails for other content."""
        file: IO[bytes] = super().convert(value, param, ctx)
        try:
            with file:
                return _read(file.read().decode("utf-8-sig"))
        except (ValueError, RecursionError) as error:
            where = gettext("standard input") if value == "-" else value
            self.fail(gettext("%(where)s: neither JSON nor TOML: %(error)s", where=where, error=error), param, ctx)


def json_object(option: str, text: str) -> dict[str, Any]:
    """The JSON object in the text of an option. Raises `CommandError`."""
    try:
        return msgspec.json.decode(text, type=dict[str, Any])
    except (ValueError, RecursionError) as error:
        raise CommandError(f"{option}: {error}") from None


def _read(text: str) -> Any:
    """The object in a text. Raises `ValueError`, `RecursionError`."""
    if not text.strip():
        raise ValueError(gettext("it is empty"))
    if text.lstrip().startswith("{"):
        return msgspec.json.decode(text)
    return tomllib.loads(text, parse_float=_finite)


def _finite(text: str) -> float:
    """A finite number: JSON has no infinity and no NaN."""
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(gettext("%(text)s is not a finite number", text=text))
    return number


def check_target(file: Path, *, force: bool) -> None:
    """Check that a file can be written, before the work. It is overwritten by `force` alone. Raises `CommandError`."""
    if is_stream(file):
        return
    check_folder(file)
    if file.exists() and not force:
        raise CommandError(gettext("%(file)s exists already", file=file), gettext("Use --force to overwrite it."))


def check_folder(file: Path) -> None:
    """Check that the folder of a file exists. Raises `CommandError`."""
    if not file.parent.is_dir():
        raise CommandError(gettext("the folder %(parent)s does not exist", parent=file.parent))


def is_stream(file: Path) -> bool:
    """Whether a file is standard output (`-`), a pipe or a device such as a terminal. It passes on what it gets."""
    return file == STDOUT or file.is_fifo() or file.is_char_device()


@contextmanager
def opened_stream(file: Path) -> Iterator[BinaryIO]:
    """Standard output, a pipe or a device, to write to. It must never be replaced by a file of its name."""
    if file == STDOUT:
        yield sys.stdout.buffer
    else:
        with file.open("wb") as stream:
            yield stream


def save(pieces: Iterable[bytes], file: Path) -> None:
    """Write pieces to a file, which appears whole or not at all, and print that; or to a stream.

    Raises `CommandError`, `OSError`.
    """
    with written_at_once(file) as target:
        for piece in pieces:
            target.write(piece)
    if not is_stream(file):
        screen.hint(gettext("Written to %(file)s.", file=file))


def part_of(path: Path) -> Path:
    """The name of a file until it is complete."""
    path = _followed(path)
    return path.with_name(f"{path.name}.part")


def _followed(path: Path) -> Path:
    """The target of a link, or the file itself. The target is replaced, not the link."""
    return Path(os.path.realpath(path)) if path.is_symlink() else path


@contextmanager
def resumable(path: Path, magic: bytes) -> Iterator[BinaryIO]:
    """A file that is written beside its name, as `FILE.part`, and takes it once it is whole and on disk.

    What an interruption leaves there is what the next one begins with; it begins with `magic`. Raises `CommandError`,
    `OSError`.
    """
    check_folder(path)
    part = part_of(path)
    with BoundedFile(os.open(part, os.O_RDWR | os.O_CREAT, 0o600), part) as file:
        _own_part(file, part, magic)
        try:
            yield file
            file.flush()
            os.fsync(file.fileno())
        except BaseException:
            with suppress(OSError):  # on a full disk, what waits in memory is lost
                file.flush()
            _tell_of_part(part)
            raise
        take_name(part, path)


def take_name(part: Path, path: Path) -> None:
    """Give a complete file its final name. It takes over the permissions of an older file."""
    mask = os.umask(0)
    os.umask(mask)
    place = _followed(path)
    part.chmod(S_IMODE(place.stat().st_mode) if place.exists() else 0o666 & ~mask)
    part.replace(place)


def _own_part(file: BinaryIO, part: Path, magic: bytes) -> None:
    """Check that a file is the part of an interrupted one, and that nobody else writes it. Raises `CommandError`."""
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        raise CommandError(gettext("another command is writing %(file)s", file=part)) from error
    if file.read(len(magic)) not in {b"", magic}:
        raise CommandError(gettext("%(file)s is not a part of an export", file=part))
    file.seek(0)


def _tell_of_part(part: Path) -> None:
    if part.stat().st_size:
        screen.hint(gettext("What was written stays in %(file)s. Repeat the command to continue.", file=part))
    else:
        part.unlink()


@contextmanager
def written_at_once(path: Path) -> Iterator[BinaryIO]:
    """A file that takes its name only once it is written and on disk; or a stream. Raises `CommandError`, `OSError`."""
    if is_stream(path):
        with opened_stream(path) as stream:
            yield stream
        return
    check_folder(path)
    place = _followed(path)
    descriptor, name = tempfile.mkstemp(prefix=f".{place.name}.", dir=place.parent)
    try:
        with BoundedFile(descriptor, path) as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        take_name(Path(name), path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
