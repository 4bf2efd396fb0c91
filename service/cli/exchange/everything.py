"""Archives of everything: exporting one from a service, and importing one into any service."""

from __future__ import annotations

import tempfile
from collections import Counter
from contextlib import closing, contextmanager
from typing import IO, TYPE_CHECKING, Any, NamedTuple

import msgspec

from events import ndjson
from events.errors import LogError
from events.event import now_ms, timestamp
from events.tree.checkpoints import parse_checkpoint
from events.tree.notes import parse_note
from service.api.answers.exchange import ExportList, Imported
from service.api.answers.games import GameList
from service.api.answers.people import MergeInfo, MergeList, Player, PlayerDetail, PlayerList
from service.api.answers.proof import Trail
from service.api.answers.rulesets import ComponentsInfo, ComponentsList, RulesetList
from service.api.endpoints import NDJSON
from service.cli.proof.auditing import fetch_leaves
from service.cli.shell import screen
from service.cli.shell.client import LARGEST, RefusedError, UnexpectedAnswerError, UnreachableError
from service.cli.shell.failures import CommandError, explain
from service.cli.shell.patience import with_retries
from service.cli.shell.references import Listed, end_of_log, every_record, segment
from service.exchange import archives
from service.exchange.archives import (
    ArchiveReader,
    ArchiveWriter,
    BadArchiveError,
    BadItemError,
    club_file,
    game_file,
    season_file,
    tournament_file,
)
from service.exchange.incoming.plays import one_line
from service.languages import gettext, gettext_noop
from service.languages.plain import translated

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from service.cli.shell.client import Client
    from service.exchange.archives import RecordFile

IN_MEMORY = 1 << 20
"""Bytes of a record that are not put on disk."""

SHEETS = "scoresheet"
"""The ruleset whose components are templates."""


WHAT = {"new": gettext_noop("new"), "same": gettext_noop("same"), "changed": gettext_noop("changed")}
"""What an import did with an item that it took, in words."""

FILES = {"games": game_file, "clubs": club_file, "seasons": season_file, "tournaments": tournament_file}
"""The file of a record in an archive, by what the record is of."""


class Result(NamedTuple):
    """The result of an import for one item: `new`, `same`, `changed`, or `refused` and why."""

    item: str
    what: str
    why: str = ""


# Out


def export_everything(client: Client, file: IO[bytes]) -> tuple[Counter[str], dict[str, str]]:
    """Write everything of a service to an archive. Returns the counts, and the left-out games with reasons.

    Games that an interrupted export finished in the file are kept, if nothing was recorded or renamed in them since.
    """
    counts, left_out = Counter[str](), dict[str, str]()
    end = end_of_log(client)
    with ArchiveWriter(file) as writer:
        _write_all(client, writer, counts, left_out)
        covered = min(_write_tree(client, writer), end)
        writer.finish(timestamp(now_ms()), dict(counts), left_out, covered, lambda digest: _signature(client, digest))
    return counts, left_out


def _write_all(client: Client, writer: ArchiveWriter, counts: Counter[str], left_out: dict[str, str]) -> None:
    people = client.get("/v1/players", PlayerList).players
    names = {each.id: each.name for each in people}
    for name, rows in _parts(client, people):
        writer.add(name, _lines(rows, counts, name.removesuffix(".ndjson")))
    bar, progress = screen.progress_of(gettext("Exporting"))
    offered = client.get("/v1/exports", ExportList)
    if offered.damaged:
        counts["damaged"] = offered.damaged
    with bar:
        for number, record in enumerate(every_record(client), 1):
            progress(number, max(number, offered.games))
            header = _kept(writer, record, names)
            if header:
                _count(counts, record, header.events)
            elif why := _write_record(client, writer, record, counts):
                left_out[record.id] = why


def _write_tree(client: Client, writer: ArchiveWriter) -> int:
    """Write the signed checkpoint with its key and its entries. Returns its size: 0 if there is no working tree."""
    try:
        key, checkpoint = client.fetch("/v1/tree/key"), client.fetch("/v1/tree/checkpoint")
    except RefusedError:
        return 0
    size = parse_checkpoint(parse_note(checkpoint.decode()).text).size
    writer.add(archives.KEY, [key])
    writer.add(archives.CHECKPOINT, [checkpoint])
    writer.add(archives.ENTRIES, fetch_leaves(client, size))
    return size


def _signature(client: Client, digest: str) -> str:
    """The signature of a manifest; empty if the tree is stopped, or the caller is not an administrator."""
    try:
        return client.fetch(f"/v1/tree/archive/{digest}").decode()
    except RefusedError:
        return ""


def _kept(writer: ArchiveWriter, record: Listed, names: Mapping[str, str | None]) -> ndjson.Header | None:
    """Keep a record that an interrupted export finished, if it has not changed. Returns its header, or None."""
    file = FILES[record.kind](record.id)
    found = writer.finished(file)
    header = ndjson.header_in(found.head) if found else None
    if not found or not header or header.events != record.version or found.lines != header.events + 1:
        return None
    if any(names.get(player) != name for player, name in header.players.items()):
        return None
    writer.keep(file)
    return header


def _count(counts: Counter[str], record: Listed, entries: int) -> None:
    counts[record.kind] += 1
    counts["entries"] += entries


def _parts(client: Client, people: Iterable[Player]) -> Iterator[tuple[str, Iterable[object]]]:
    kept = [each for each in _components(client) if not each.invented]
    yield archives.COMPONENTS, (each for each in kept if each.ruleset != SHEETS)
    yield archives.TEMPLATES, (each for each in kept if each.ruleset == SHEETS)
    yield archives.PEOPLE, people
    yield archives.MERGES, client.get("/v1/merges", MergeList).merges
    yield archives.TRAIL, _trail(client)


def _components(client: Client) -> Iterator[ComponentsInfo]:
    for ruleset in client.get("/v1/rulesets", RulesetList).rulesets:
        yield from client.get(f"/v1/components/{segment(ruleset.name)}", ComponentsList).components


def _trail(client: Client) -> Iterator[object]:
    after: int | None = 0
    while after is not None:
        page = client.get("/v1/trail", Trail, after=after)
        yield from page.steps
        if page.next is not None and page.next <= after:
            raise UnexpectedAnswerError(client.where, gettext("its next page repeats this one"))
        after = page.next


def _lines(rows: Iterable[object], counts: Counter[str], name: str) -> Iterator[bytes]:
    for row in rows:
        counts[name] += 1
        yield msgspec.json.encode(row) + b"\n"


def _write_record(client: Client, writer: ArchiveWriter, record: Listed, counts: Counter[str]) -> str:
    """Write a record to the archive, or note why that is not possible."""
    with tempfile.SpooledTemporaryFile(IN_MEMORY) as content:
        why = _not_exported(client, record, content)
        if not why:
            _count(counts, record, _count_entries(content))
            writer.add(FILES[record.kind](record.id), content)
    return why


def _not_exported(client: Client, record: Listed, content: IO[bytes]) -> str:
    """Write a record to `content`. Returns the reason if that is not possible, else an empty text."""
    query = {"format": "ndjson", "names": True} if record.kind == "games" else {}

    def fetch() -> None:
        content.seek(0)
        content.truncate()
        with client.stream(f"/v1/{record.kind}/{record.id}/export", **query) as pieces:
            for piece in pieces:
                if content.tell() + len(piece) > LARGEST:
                    raise CommandError(gettext("it has more than %(most)s bytes", most=LARGEST))
                content.write(piece)

    try:
        with_retries(fetch)
    except (RefusedError, CommandError, LogError) as error:
        return one_line(next(explain(error)))
    except UnreachableError as error:
        client.get("/v1/games", GameList, limit=1)  # the service itself is there, or else this ends
        return one_line(next(explain(error)))
    return ""


def _count_entries(record: IO[bytes]) -> int:
    """The number of entries of a record, which is rewound to its beginning."""
    record.seek(0)
    entries = ndjson.parse_header(record.readline()).events
    record.seek(0)
    return entries


# In


def is_archive(beginning: bytes) -> bool:
    """Whether a file begins like an archive."""
    return beginning.startswith(archives.MAGIC)


@contextmanager
def open_archive(file: IO[bytes]) -> Iterator[ArchiveReader]:
    """The archive in a file. Raises `CommandError`."""
    try:
        archive = ArchiveReader(file)
    except BadArchiveError as error:
        raise CommandError(translated(str(error)), gettext("Nothing of the archive was stored.")) from error
    with closing(archive):
        yield archive


def import_everything(client: Client, archive: ArchiveReader, erased: str | None) -> Iterator[Result]:
    """Import an archive, item by item. Nothing existing is overwritten."""
    for name in (archives.COMPONENTS, archives.TEMPLATES):
        yield from _rows_taken(archive, name, ComponentsInfo, lambda row: _put_components(client, row))
    yield from _rows_taken(archive, archives.PEOPLE, Player, lambda row: _put_person(client, row, erased))
    bar, progress = screen.progress_of(gettext("Importing"))
    with bar:
        for number, each in enumerate(archive.records(), 1):
            yield _judged(
                f"{each.kind} {each.id}",
                lambda each=each: _import_record(client, archive, each, erased),  # type: ignore[misc]
            )
            progress(number, archive.count)
    yield from _rows_taken(archive, archives.MERGES, MergeInfo, lambda row: _merge(client, row))


def _judged(item: str, act: Callable[[], str]) -> Result:
    try:
        return Result(item, act())
    except (RefusedError, CommandError, BadItemError) as error:
        why = next(explain(error)) if isinstance(error, RefusedError) else translated(str(error))
        return Result(item, "refused", why)


def _rows_taken(archive: ArchiveReader, name: str, kind: type[Any], act: Callable[[Any], str]) -> Iterator[Result]:
    """Import each line of a file. Yields the results."""
    kept = name.removesuffix(".ndjson")
    try:
        rows = [msgspec.json.decode(line, type=kind) for line in archive.read(name).splitlines()]
    except (BadItemError, ValueError, RecursionError) as error:
        yield Result(kept, "refused", translated(str(error)))
        return
    for row in rows:
        named = getattr(row, "name", None) or getattr(row, "player", "")
        yield _judged(f"{kept} {one_line(named)}", lambda row=row: act(row))  # type: ignore[misc]


def _import_record(client: Client, archive: ArchiveReader, record: RecordFile, erased: str | None) -> str:
    content = archive.record(record)
    imported, new = with_retries(lambda: client.import_file(content, Imported, NDJSON, erased=erased))
    if not sum(new):
        return "same"
    return "new" if new[0] == imported.version else "changed"


def _put_components(client: Client, row: ComponentsInfo) -> str:
    path = f"/v1/components/{segment(row.ruleset)}/{segment(row.name)}"
    try:
        here = client.get(path, ComponentsInfo)
    except RefusedError as error:
        if error.problem.name != "components-unknown":
            raise
        client.send("PUT", path, ComponentsInfo, {"data": row.data})
        return "new"
    if here.data != row.data:
        raise CommandError(gettext("other components have this name here; they stay"))
    return "same"


def _put_person(client: Client, row: Player, erased: str | None) -> str:
    path = f"/v1/players/{segment(row.id)}"
    try:
        here = client.get(path, PlayerDetail)
    except RefusedError as error:
        if error.problem.name != "player-unknown":
            raise
        here = None
    if here and here.name == row.name:
        return "same"
    if here and here.name:
        raise CommandError(gettext("this person is called %(name)s here; that stays", name=here.name))
    if here and erased != "restore":
        if erased == "omit":
            return "same"
        raise CommandError(gettext("this person has no name here; with --erased restore the name comes back"))
    client.send("PUT", path, Player, {"name": row.name})
    return "new"


def _merge(client: Client, row: MergeInfo) -> str:
    here = {each.player: each.into for each in client.get("/v1/merges", MergeList).merges}
    if here.get(row.player) == row.into:
        return "same"
    client.send("PUT", f"/v1/players/{segment(row.player)}/merge", PlayerDetail, {"into": row.into})
    return "new"
