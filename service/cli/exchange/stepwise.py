"""Files of many games, written step by step. The same command continues an interrupted one.

Beside `FILE.part` lies a journal, `FILE.part.steps`: what was asked, and a line for each step that is whole.
"""

from __future__ import annotations

from bisect import bisect_right
from contextlib import contextmanager, suppress
from hashlib import sha256
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple

import msgspec

from service.api.answers.people import PlayerList
from service.cli.shell import screen
from service.cli.shell.client import RefusedError
from service.cli.shell.failures import CommandError
from service.cli.shell.files import BLOCK, is_stream, named, opened_stream, part_of, resumable
from service.cli.shell.references import all_games
from service.languages import gettext

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from service.cli.shell.client import Client

CHOOSING = ("q", "ruleset", "player", "from", "to")
"""What chooses games, in the query of a list and in that of an export."""


class Step(NamedTuple):
    """A part of a file: its bytes, and the last game in them. `why` is the reason if that game was left out.

    The last step of a file may not know its last game.
    """

    content: Iterable[bytes]
    after: str | None
    why: str = ""


class _Asked(msgspec.Struct, frozen=True):
    """The first line of a journal: the request."""

    asked: str


class _Done(msgspec.Struct, frozen=True):
    """A finished step: its last game, its end, and the SHA-256 of all bytes up to there.

    `games` stands for all games up to there, each with its last version before it was read.
    """

    after: str
    end: int
    sha256: str
    why: str = ""
    games: str = ""


class _Listed(NamedTuple):
    """The requested games, by id, and for each a digest of all games up to it."""

    ids: list[str]
    digests: list[str]

    def up_to(self, game: str) -> str:
        """The digest of the games up to one, with their versions."""
        return self.digests[bisect_right(self.ids, game)]


def write_stepwise(
    client: Client, file: Path, asked: dict[str, Any], steps: Callable[[str], Iterable[Step]]
) -> dict[str, str]:
    """Write a file from the `steps` after a game. Returns the left-out games with reasons.

    Steps come in the order of the games' ids. Steps of an interrupted file are kept, if the same was asked, and if
    nothing was recorded or renamed in their games since. A stream has no steps. Raises `CommandError`.
    """
    left_out = dict[str, str]()
    if is_stream(file):
        with opened_stream(file) as stream:
            for step in steps(""):
                stream.writelines(step.content)
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
    now, listed = _now(client, asked), _listed(client, asked)
    if before != now:
        done = []
    try:
        with resumable(path, b"") as file, named(journal), journal.open("wb") as lines:
            yield _Steps(file, lines, now, listed, done)
    finally:
        if not part.exists():  # the file is whole, or nothing of it was written
            journal.unlink(missing_ok=True)


class _Steps:
    """A file and its journal."""

    def __init__(self, file: BinaryIO, journal: BinaryIO, now: _Asked, listed: _Listed, done: Iterable[_Done]) -> None:
        self._file, self._journal, self._listed, self._digest = file, journal, listed, sha256()
        self.after, self.left_out = "", dict[str, str]()
        self._write(now)
        for each in done:
            if not self._holds(each):
                break
            self._note(each)
        file.truncate()

    def add(self, step: Step) -> None:
        """Write a step, then its line in the journal."""
        for piece in step.content:
            self._file.write(piece)
            self._digest.update(piece)
        self._file.flush()
        if step.after:
            games = self._listed.up_to(step.after)
            self._note(_Done(step.after, self._file.tell(), self._digest.hexdigest(), step.why, games))

    def _holds(self, done: _Done) -> bool:
        """Whether the file has the bytes of a step, and its games are unchanged.

        The file is at the end of the bytes then, and else at their beginning.
        """
        if done.games != self._listed.up_to(done.after):
            return False
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
    """The readable lines of a journal; empty without one."""
    done = list[_Done]()
    with suppress(FileNotFoundError, ValueError, RecursionError), journal.open("rb") as lines:
        asked = msgspec.json.decode(lines.readline(), type=_Asked)
        with suppress(ValueError, RecursionError):
            done.extend(msgspec.json.decode(line, type=_Done) for line in lines)
        return asked, done
    return None, done


def _now(client: Client, asked: dict[str, Any]) -> _Asked:
    """What is asked, and the service with the names that people have there now."""
    try:
        people = client.get("/v1/players", PlayerList).players
    except RefusedError:
        people = []
    said = [client.where, asked, {each.id: each.name for each in people}]
    return _Asked(sha256(msgspec.json.encode(said, order="sorted")).hexdigest())


def _listed(client: Client, asked: dict[str, Any]) -> _Listed:
    """The requested games. Times would not show changes, because imported games keep theirs."""
    query = {name: asked.get(name) for name in CHOOSING} | {"id": asked.get("game")}
    versions = {each.game: each.version for each in all_games(client, **query)}
    ids, digest, digests = sorted(versions), sha256(), [""]
    for game in ids:
        digest.update(f"{game} {versions[game]}\n".encode())
        digests.append(digest.hexdigest())
    return _Listed(ids, digests)
