"""Importing games from files."""

from __future__ import annotations

import sys
import tempfile
from collections import Counter
from contextlib import contextmanager
from hashlib import sha256
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING
from uuid import UUID, uuid5

import click
import msgspec

from events.ndjson import begins_as_record
from games import transcript
from games.errors import TranscriptError
from service.api.answers.exchange import Imported, ImportedGame
from service.api.endpoints import NDJSON
from service.cli.exchange import outbox
from service.cli.exchange.everything import (
    IN_MEMORY,
    WHAT,
    Result,
    import_everything,
    is_archive,
    open_archive,
)
from service.cli.proof.archive_proof import print_proof, prove, tell_gaps, why_refused
from service.cli.shell import screen
from service.cli.shell.arguments import json_option
from service.cli.shell.client import RefusedError
from service.cli.shell.connection import with_client
from service.cli.shell.failures import CommandError, explain
from service.cli.shell.files import BLOCK, STDOUT, NoRoomError, room_in
from service.exchange.incoming.encodings import decoded, in_utf8
from service.exchange.incoming.plays import BadFileError
from service.languages import gettext
from service.languages.plain import translated

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import IO

    from service.cli.shell.client import Client
    from service.exchange.archives import ArchiveReader

TEXT = "text/plain"
TEXTS = UUID("6ba0ee9d-51b3-5dd0-97a8-c8b44d52e9c5")
"""The namespace of the ids of games that come as text: the same text is always the same game."""

INPUT = click.Path(exists=True, dir_okay=False, path_type=Path, allow_dash=True)


@click.command("import")
@click.argument("files", nargs=-1, required=True, type=INPUT)
@click.option(
    "--erased",
    type=click.Choice(["restore", "omit"]),
    help="Bring names back that were erased here, or keep them erased. If left out, a terminal asks.",
)
@click.option(
    "--key", metavar="KEY", help="The key of the service that an archive came from, as its owner gave it to you."
)
@json_option
@with_client(makes=True)
def import_games(client: Client, files: tuple[Path, ...], erased: str | None, key: str | None, as_json: bool) -> None:
    """Import games from FILES: NDJSON exports, which are proved first, or games as text. `-` is standard input.

    An archive of `kifu export --all` is imported item by item: each is new, the same, changed, or refused with a
    reason. Before that, the archive is compared with the checkpoint in it. With --key, an archive that another service
    signed is refused.

    A phone can save its waiting entries as a file. The command records these entries as the phone would have done.

    A file can hold several games, one after the other. You can import it again: nothing is recorded twice. A file with
    an error is left out as a whole. The other files are still imported, and the exit code is 1.
    """
    importing = _Importing(client, erased, key, as_json=as_json)
    bar, progress = screen.progress_of(gettext("Importing"))
    with bar:
        for number, file in enumerate(files, 1):
            try:
                with _opened(file) as content:
                    importing.take(file, content)
            except (RefusedError, CommandError, OSError) as error:
                importing.fail(file, error)
            progress(number, len(files))
    if as_json:
        screen.data({"imported": importing.taken, "failed": importing.failed, "proved": importing.proved})
    if importing.failed:
        raise click.exceptions.Exit(1)


@contextmanager
def _opened(file: Path) -> Iterator[IO[bytes]]:
    """A seekable file to read. Standard input is copied to one first. Raises `OSError`."""
    if file != STDOUT:
        with file.open("rb") as content:
            yield content
        return
    room = room_in(Path(tempfile.gettempdir()))
    with tempfile.SpooledTemporaryFile(IN_MEMORY) as kept:
        while piece := sys.stdin.buffer.read(BLOCK):
            if kept.tell() + len(piece) > room:
                raise NoRoomError(file)
            kept.write(piece)
        kept.seek(0)
        yield kept


class _Importing:
    """Imports files one after the other. `taken` and `failed` have the results, `proved` the signed parts."""

    def __init__(self, client: Client, erased: str | None, key: str | None, *, as_json: bool) -> None:
        self.taken: list[dict[str, object]] = []
        self.failed: list[dict[str, str]] = []
        self.proved: list[dict[str, object]] = []
        self._client, self._erased, self._key, self._as_json = client, erased, key, as_json

    def take(self, file: Path, content: IO[bytes]) -> None:
        """Import a file: an archive, records, games as text, or a phone's outbox. Raises `CommandError`."""
        beginning = content.read(4)
        content.seek(0)
        if is_archive(beginning):
            self._take_archive(file, content)
            return
        if self._key:
            raise CommandError(gettext("--key works only for archives of `kifu export --all`"))
        for imported, new in _imported(self._client, in_utf8(content.read()), self._erased):
            self._tell_game(file, imported, new)

    def fail(self, file: Path, error: Exception) -> None:
        """Print why a file is left out."""
        why, *more = explain(error)
        self.failed.append({"file": str(file), "why": why})
        screen.complain(f"{file}: {why}", *more)

    def _tell_game(self, file: Path, imported: ImportedGame, new: int) -> None:
        self.taken.append({"file": str(file), "game": imported.game, "version": imported.version, "new": new})
        if not self._as_json:
            news = gettext("%(new)s new", new=new) if new else gettext("all known before")
            screen.out().print(
                gettext(
                    "%(file)s: game %(game)s, %(version)s entries, %(news)s",
                    file=file,
                    game=imported.game,
                    version=imported.version,
                    news=news,
                )
            )

    def _take_archive(self, file: Path, content: IO[bytes]) -> None:
        """Import an archive, and print the result of each item, with a summary. Raises `CommandError`."""
        counts = Counter[str]()
        with open_archive(content) as archive:
            tell_gaps(archive.manifest)
            taken = import_everything(self._client, archive, self._erased)
            for item, what, why in chain(self._proof(file, archive), taken):
                counts[what] += 1
                self._tell_item(file, item, what, why)
        if not self._as_json:
            shown = {what: counts[what] for what in ("new", "changed", "same", "refused")}
            screen.out().print(
                gettext("%(new)s new, %(changed)s changed, %(same)s as before, %(refused)s refused.", **shown)
            )

    def _tell_item(self, file: Path, item: str, what: str, why: str) -> None:
        if why:
            self.failed.append({"file": str(file), "item": item, "why": why})
            screen.complain(f"{item}: {why}")
        elif self._as_json:
            self.taken.append({"file": str(file), "item": item, "what": what})
        else:
            screen.out().print(f"{item}: {gettext(WHAT[what])}")

    def _proof(self, file: Path, archive: ArchiveReader) -> Iterator[Result]:
        """Compare an archive with the signed tree. Returns a refused item if signed entries are missing."""
        proof = prove(archive, self._key)
        if proof is None:
            return
        self.proved.append({"file": str(file), **msgspec.to_builtins(proof)})
        if not self._as_json:
            print_proof(proof, known=self._key is not None)
        if why := why_refused(proof):
            yield Result("checkpoint", "refused", why)


def _imported(client: Client, content: bytes, erased: str | None) -> Iterator[tuple[ImportedGame, int]]:
    if outbox.is_outbox(content):
        yield from outbox.send_outbox(client, content)
        return
    if begins_as_record(content):
        imported, new = _records_imported(client, content, erased)
        yield from zip(imported.games or (imported,), new, strict=True)
        return
    for text in _texts(content):
        imported, new = client.import_file(text.encode(), Imported, TEXT, id=game_of(text))
        yield imported, new[0]


def _records_imported(client: Client, content: bytes, erased: str | None) -> tuple[Imported, list[int]]:
    """Import records. At a terminal it asks whether erased names may come back, unless an option says so."""
    try:
        return client.import_file(content, Imported, NDJSON, erased=erased)
    except RefusedError as error:
        if error.problem.name != "names-erased" or not screen.is_conversation():
            raise
        screen.warn(error.problem.detail)
        back = click.confirm(gettext("Restore these names?"), default=False, err=True)
        return client.import_file(content, Imported, NDJSON, erased="restore" if back else "omit")


def game_of(text: str) -> str:
    """The id of the game in this text."""
    return str(uuid5(TEXTS, sha256(text.encode()).hexdigest()))


def _texts(content: bytes) -> list[str]:
    """The single games of a text. Raises `CommandError`."""
    try:
        text = decoded(content)
        starts = [game.line for game in transcript.read(text)]
    except BadFileError as error:
        raise CommandError(translated(str(error))) from error
    except TranscriptError as error:
        raise CommandError(gettext("neither an NDJSON export nor a game as text: %(error)s", error=error)) from error
    if not starts:
        raise CommandError(gettext("there is no game in it"))
    if len(starts) == 1:
        return [text]
    lines = transcript.lines_of(text)
    return [
        "\n".join(lines[start - 1 : end - 1]) for start, end in zip(starts, [*starts[1:], len(lines) + 1], strict=True)
    ]
