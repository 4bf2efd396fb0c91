"""The proof of a folder, a database or an exported game: its chains, a replay, and all that is made from the log."""

from __future__ import annotations

from contextlib import closing, suppress
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from events import ndjson
from events.errors import LogError
from events.sqlite import verify as verify_log
from events.sqlite.heads import heads_path
from events.tree.tree import Tree
from events.verification import Problem, Report
from projections.replaying import prove_replays
from service import databases
from service.cli.proof.records import prove_records
from service.cli.shell import screen
from service.cli.shell.failures import CommandError
from service.cli.upkeep.database import database_of, open_reader
from service.languages import gettext

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from events.event import Event

SQLITE = b"SQLite format 3\0"
"""How every database begins."""


def prove(path: Path) -> Report:
    """The faults of the chains and, if these are sound, of their replay."""
    if not path.is_file() or is_database(path):
        database = database_of(path)
        bar, progress = screen.progress_of(gettext("Proving"))
        with bar:
            report = _verified(database, progress)
        if _opens(report):
            report = with_problems(report, [*_unreplayable(database, report), *_unreadable(database)])
        return report
    size = path.stat().st_size
    bar, progress = screen.progress_of(gettext("Proving"))
    with path.open("rb") as file, bar:
        return prove_records(file, lambda done: progress(done, size))


def _verified(database: Path | str, progress: Callable[[int, int], None]) -> Report:
    if isinstance(database, Path):
        return verify_log(database, progress)
    from events.postgres import verify as verify_postgres  # noqa: PLC0415 - its driver takes its time to load

    return verify_postgres(database, progress)


def _opens(report: Report) -> bool:
    """Whether a database is sound enough as a whole that its games can be read one by one."""
    return all(problem.game for problem in report.problems)


def _unreplayable(database: Path | str, report: Report) -> Iterator[Problem]:
    bar, progress = screen.progress_of(gettext("Replaying"))
    with closing(open_reader(database)) as log, bar:
        yield from prove_replays(log, lambda done: progress(done, max(done, report.events)))


def _unreadable(database: Path | str) -> Iterator[Problem]:
    """The damaged names, merges and components."""
    with closing(open_reader(database)) as log:
        for person in log.people.unreadable():
            yield Problem("unreadable", f"the name of person {person} is damaged")
        for number in log.people.damaged_merges():
            yield Problem("unreadable", f"record {number} of the merges of people is damaged or missing")
        for components in log.components.unreadable():
            yield Problem("unreadable", f"the components {components} are damaged")


def not_going_on(path: Path, since: Path) -> Iterator[Problem]:
    """The games of an earlier export that a later one does not continue. Raises `CommandError`."""
    earlier = prove(since)
    if not earlier.sound:
        raise CommandError(gettext("%(file)s is damaged itself: %(why)s", file=since, why=earlier.problems[0]))
    later = {events[0].game: [event.hash for event in events] for events in records(path) if events}
    for events in records(since):
        found = later.get(events[0].game, []) if events else []
        for event in events:
            if event.version > len(found):
                yield Problem("truncated", gettext("%(file)s has it", file=since.name), event.game, event.version)
                break
            if found[event.version - 1] != event.hash:
                yield Problem(
                    "rewritten", gettext("%(file)s has another one", file=since.name), event.game, event.version
                )
                break


def with_problems(report: Report, more: Iterable[Problem]) -> Report:
    """The report with more problems."""
    return msgspec.structs.replace(report, problems=(*report.problems, *more))


def records(path: Path) -> Iterator[list[Event]]:
    """The entries of every sound game of a folder, a database or an export."""
    if path.is_file() and not is_database(path):
        with path.open("rb") as file:
            yield from (game.events for game in ndjson.read(file))
        return
    with closing(open_reader(database_of(path))) as log:
        for head in log.heads():
            yield list(log.read(head.game))


def derived_findings(folder: Path) -> Iterator[str]:
    """The faults of everything beside the log of a data folder."""
    database = database_of(folder)
    if isinstance(database, Path) and not heads_path(database).exists():
        yield gettext(
            "%(file)s is missing, so a lost end of the log cannot be noticed; it is made anew at the next start",
            file=heads_path(database).name,
        )
    yield from databases.findings(folder, database if isinstance(database, str) else "")
    yield from _of_the_tree(folder)


def _of_the_tree(folder: Path) -> Iterator[str]:
    """The faults of the tree over the log, or of the log as the tree shows them."""
    with suppress(LogError), closing(open_reader(database_of(folder))) as log:
        tree = Tree(folder, log)
        try:
            examined = tree.examine()
        except LogError as error:
            yield gettext("tree: it cannot be compared with the log: %(error)s", error=error)
            return
        for name in examined.tiles:
            yield gettext("tree, made anew at the next start: %(name)s does not match the log", name=name)
        if examined.contradicted:
            yield gettext("tree: %(contradicted)s", contradicted=examined.contradicted)


def is_database(path: Path) -> bool:
    """Whether a file is a database of SQLite."""
    return begins_with(path, (SQLITE,))


def begins_with(path: Path, beginnings: tuple[bytes, ...]) -> bool:
    """Whether a file begins with one of these beginnings."""
    with path.open("rb") as file:
        return file.read(max(map(len, beginnings))).startswith(beginnings)
