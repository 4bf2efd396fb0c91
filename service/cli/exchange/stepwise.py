"""Files of many games, written step by step. What an interruption leaves of one, the same command goes on with.

Beside `FILE.part` lies a journal, `FILE.part.steps`: what was asked, and a line for each step that is whole.
"""

from __future__ import annotations

import sys
from contextlib import contextmanager, suppress
from hashlib import sha256
from itertools import takewhile
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple

import msgspec

from service.api.answers.games import GameList
from service.api.answers.people import PlayerList
from service.cli.shell import screen
from service.cli.shell.client import RefusedError
from service.cli.shell.failures import CommandError
from service.cli.shell.files import BLOCK, STDOUT, part_of, resumable
from service.cli.shell.references import all_games
from service.languages import gettext

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from service.cli.shell.client import Client


class Step(NamedTuple):
    """A part of a file: its bytes, and the last game in them. `why` is the reason if that game was left out.

    The last step of a file may not know its last game.
    """

    content: Iterable[bytes]
    after: str | None
    why: str = ""


class _Asked(msgspec.Struct, frozen=True):
    """The first line of a journal: what was asked, and the entry that was the last one of the service then."""

    asked: str
    last_at: str
    game: str
    version: int


class _Done(msgspec.Struct, frozen=True):
    """A whole step: its last game, where it ends, and the SHA-256 of all bytes up to there."""

    after: str
    end: int
    sha256: str
    why: str = ""


def write_stepwise(
    client: Client, file: Path, asked: dict[str, Any], steps: Callable[[str], Iterable[Step]]
) -> dict[str, str]:
    """Write a file of what `steps` gives after a game; which games were left out, and why.

    Steps come in the order of the games' ids. Steps of an interrupted file are kept, if the same was asked, and if
    nothing was recorded or renamed in their games since. Standard output has no steps. Raises `CommandError`.
    """
    left_out = dict[str, str]()
    if file == STDOUT:
        for step in steps(""):
            sys.stdout.buffer.writelines(step.content)
            if step.after and step.why:
                left_out[step.after] = step.why
        return left_out
    with _stepwise(client, file, asked) as target:
        for step in steps(target.after):
            target.add(step)
    screen.hint(gettext("Written to %(file)s.", file=file))
    return target.left_out


@contextmanager
def _stepwise(client: Client, path: Path, asked: dict[str, Any]) -> Iterator[_Steps]:
    part = part_of(path)
    journal = part.with_name(f"{part.name}.steps")
    before, done = _read(journal)
    if before is None and part.exists() and part.stat().st_size:
        raise CommandError(gettext("%(file)s is not a part of an export", file=part))
    now = _now(client, asked)
    if before is None or before.asked != now.asked:
        done = []
    elif changed := _changed(client, before):
        done = [*takewhile(lambda each: each.after < changed, done)]
    try:
        with resumable(path, b"") as file, journal.open("wb") as lines:
            yield _Steps(file, lines, now, done)
    finally:
        if not part.exists():  # the file is whole, or nothing of it was written
            journal.unlink(missing_ok=True)


class _Steps:
    """A file and its journal."""

    def __init__(self, file: BinaryIO, journal: BinaryIO, now: _Asked, done: Iterable[_Done]) -> None:
        self._file, self._journal, self._digest = file, journal, sha256()
        self.after, self.left_out = "", dict[str, str]()
        self._write(now)
        for each in done:
            if not self._holds(each):
                break
            self._note(each)
        file.truncate()

    def add(self, step: Step) -> None:
        """Write a step, and then its line of the journal."""
        for piece in step.content:
            self._file.write(piece)
            self._digest.update(piece)
        self._file.flush()
        if step.after:
            self._note(_Done(step.after, self._file.tell(), self._digest.hexdigest(), step.why))

    def _holds(self, done: _Done) -> bool:
        """Whether the file has the bytes of a step. It is at their end then, and else at their beginning."""
        begins, digest = self._file.tell(), self._digest.copy()
        for left in range(done.end - begins, 0, -BLOCK):
            digest.update(self._file.read(min(left, BLOCK)))
        if digest.hexdigest() != done.sha256:
            self._file.seek(begins)
            return False
        self._digest = digest
        return True

    def _note(self, done: _Done) -> None:
        self._write(done)
        self.after = done.after
        if done.why:
            self.left_out[done.after] = done.why

    def _write(self, line: _Asked | _Done) -> None:
        self._journal.write(msgspec.json.encode(line) + b"\n")
        self._journal.flush()


def _read(journal: Path) -> tuple[_Asked | None, list[_Done]]:
    """What a journal says, as far as it can be read; nothing if there is none."""
    done = list[_Done]()
    with suppress(FileNotFoundError, msgspec.MsgspecError, UnicodeDecodeError), journal.open("rb") as lines:
        asked = msgspec.json.decode(lines.readline(), type=_Asked)
        with suppress(msgspec.MsgspecError, UnicodeDecodeError):
            done.extend(msgspec.json.decode(line, type=_Done) for line in lines)
        return asked, done
    return None, done


def _now(client: Client, asked: dict[str, Any]) -> _Asked:
    """What is asked, the service with the names that people have there now, and its last entry."""
    try:
        people = client.get("/v1/players", PlayerList).players
    except RefusedError:
        people = []
    said = [client.where, asked, {each.id: each.name for each in people}]
    digest = sha256(msgspec.json.encode(said, order="sorted")).hexdigest()
    last = client.get("/v1/games", GameList, limit=1).games
    return _Asked(digest, *((last[0].last_at, last[0].game, last[0].version) if last else ("", "", 0)))


def _changed(client: Client, before: _Asked) -> str:
    """The first game, by its id, in which something was recorded since; empty if there is none."""
    known = (before.game, before.version)
    recent = takewhile(lambda each: each.last_at >= before.last_at, all_games(client))
    return min((each.game for each in recent if (each.game, each.version) != known), default="")
