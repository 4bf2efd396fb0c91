"""Upkeep of a data folder: proving it, making its read models anew, copying it. No service is needed, or disturbed."""

from __future__ import annotations

from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import click
import msgspec

from events import ndjson
from events.errors import LogError
from events.lanes import LANES
from events.privacy import make_private
from events.sqlite import LOG, SqliteLog, SqliteReader
from events.sqlite import backup as copy_log
from events.sqlite import verify as verify_log
from events.stores import open_log, read_log
from events.tree.checkpoints import parse_checkpoint
from events.tree.merkle import BadProofError
from events.tree.notes import BadNoteError, parse_verifier
from events.tree.receipts import parse_receipt
from events.tree.tree import Tree
from events.verification import Problem, Report, SealCounts
from projections.archive import ReadingArchive
from projections.rebuild import rebuild as rebuild_views
from projections.replaying import games_without_ruleset, prove_replays
from service import databases, moving
from service.access.reading import open_reader as open_access
from service.cli.exchange.everything import open_archive
from service.cli.proof import archive_proof
from service.cli.proof.records import prove_records
from service.cli.shell import screen
from service.cli.shell.arguments import json_option
from service.cli.shell.data_option import data_option
from service.cli.shell.failures import CommandError
from service.cli.shell.references import matches_id
from service.exchange import archives
from service.languages import gettext, ngettext
from service.settings import from_environment

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from contextlib import AbstractContextManager

    from events.event import Event
    from events.log import LogReader
    from events.postgres.tables import Layout
    from events.tree.receipts import Receipt
    from events.tree.tree import Examination
    from projections.rebuild import Rebuilt
    from service.cli.proof.archive_proof import ArchiveProof

SQLITE = b"SQLite format 3\0"
"""How every database begins."""


@click.command()
@click.argument("path", required=False, type=click.Path(path_type=Path))
@click.option(
    "--receipt",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Prove with a receipt that an entry of an exported game was in the tree of its log.",
)
@click.option("--key", metavar="KEY", help="The key of that log as you know it; without it, compare the one shown.")
@click.option(
    "--witness", "witnesses", metavar="KEY", multiple=True, help="With --receipt: this witness must have cosigned it."
)
@click.option(
    "--since",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Prove that an export goes on from this earlier one.",
)
@click.option("--accept-loss", metavar="GAME", help="Accept what is left of a damaged game as its record.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@json_option
@data_option
def verify(
    path: Path | None,
    receipt: Path | None,
    key: str | None,
    witnesses: tuple[str, ...],
    since: Path | None,
    accept_loss: str | None,
    yes: bool,
    as_json: bool,
    data: Path,
) -> None:
    """Prove every chain and every head of a data folder, a database, or an exported game, and replay every game.

    PATH is a folder, a database file, an NDJSON export or an archive. Without PATH it is the data folder. In a folder,
    all data that is made from the log is proved, too, and so is the tree. The command changes nothing and does not
    disturb a running service. The exit code is 1 if anything is wrong, and every finding names its game and version.
    """
    if path and not path.exists():
        raise CommandError(gettext("there is no file and no folder %(path)s", path=path))
    path = path or data
    if witnesses and not receipt:
        raise click.UsageError(gettext("Use --witness only with --receipt."))
    archive = path.is_file() and not receipt and _begins(path, archives.MAGIC)
    if since and (receipt or accept_loss or archive):
        raise click.UsageError(gettext("Use --since only for exported games, without --receipt and --accept-loss."))
    if accept_loss:
        _accept_loss(database_of(path), accept_loss, yes, as_json)
        return
    if archive:
        _prove_archive(path, key, as_json)
        return
    if key and not receipt:
        raise click.UsageError(gettext("Use --key only with --receipt, or for an archive."))
    if receipt:
        _prove_receipt(path, receipt, key, witnesses, as_json)
        return
    report = _prove(path)
    if since:
        report = _with(report, _not_going_on(path, since)) if report.sound else report
    missing = games_without_ruleset(_records(path)) if report.sound else {}
    _tell(path, report, [*_derived(path)] if path.is_dir() else [], missing, as_json)


def _tell(
    path: Path,
    report: Report,
    derived: list[str],
    missing: dict[str, int],
    as_json: bool,
    proof: ArchiveProof | None = None,
) -> None:
    """Print the findings, as JSON also the signed part of an archive. Exits with 1 if anything is wrong."""
    if as_json:
        sound = report.sound and not derived
        more = {"derived": derived, "not_replayed": missing}
        signed = {"signed": msgspec.to_builtins(proof)} if proof else {}
        screen.data({"sound": sound} | msgspec.to_builtins(report) | more | signed)
        raise click.exceptions.Exit(0 if sound else 1)
    looked = gettext(
        "%(counted)s of %(counted2)s",
        counted=ngettext("%(count)s entry", "%(count)s entries", report.events),
        counted2=_counted(report.games, report.clubs),
    )
    if found := [*map(str, report.problems), *derived]:
        _complain_of(found, path, looked)
    screen.out().print(gettext("Sound: %(looked)s.", looked=looked))
    _tell_sound(report, missing)


def _complain_of(found: list[str], path: Path, looked: str) -> NoReturn:
    """Print the findings and how many there are. Exits with 1."""
    for finding in found:
        screen.out().print(finding, style="red")
    screen.complain(
        gettext(
            "%(counted)s wrong in %(path)s; checked: %(looked)s",
            counted=ngettext("%(count)s thing is", "%(count)s things are", len(found)),
            path=path,
            looked=looked,
        )
    )
    raise click.exceptions.Exit(1)


def _tell_sound(report: Report, missing: dict[str, int]) -> None:
    """Print what else a reader of a sound record should know. `missing` counts the games of rulesets not installed."""
    if report.irregular is not None or report.seals != SealCounts():
        _tell_contents(report)
    if report.bare_erasures:
        screen.hint(
            gettext(
                "Erased before this was recorded: %(counted)s. No entry says who erased it, and when.",
                counted=ngettext("%(count)s part", "%(count)s parts", report.bare_erasures),
            )
        )
    for ruleset, games in missing.items():
        screen.hint(
            gettext(
                "Not replayed: %(counted)s of %(ruleset)s, a ruleset that is not installed here.",
                counted=ngettext("%(count)s game", "%(count)s games", games),
                ruleset=ruleset,
            )
        )


def _counted(games: int, clubs: int) -> str:
    """The number of games, and of clubs, seasons and tournaments if there are any."""
    counted = ngettext("%(count)s game", "%(count)s games", games)
    if not clubs:
        return counted
    others = ngettext(
        "%(count)s record of a club, season or tournament",
        "%(count)s records of clubs, seasons and tournaments",
        clubs,
    )
    return gettext("%(games)s and %(clubs)s", games=counted, clubs=others)


def _tell_contents(report: Report) -> None:
    """Print the content of a sound file."""
    parts = report.seals
    screen.out().print(
        gettext(
            "Seals: %(open)s open, %(erased)s erased, %(shut)s closed.",
            open=parts.open,
            erased=parts.erased,
            shut=parts.shut,
        )
    )
    for each in report.signatures:
        seat = "-" if each.seat is None else each.seat
        screen.out().print(
            gettext(
                "Signature: entry %(version)s signs everything up to %(signs)s, seat %(seat)s, key %(key)s.",
                version=each.version,
                signs=each.signs,
                seat=seat,
                key=each.key,
            )
        )
    if report.irregular is not None:
        irregular = ngettext("%(count)s entry", "%(count)s entries", report.irregular)
        screen.out().print(gettext("Against the rules: %(counted)s.", counted=irregular))


def _derived(folder: Path) -> Iterator[str]:
    """The faults of everything beside the log of a data folder."""
    database = database_of(folder)
    yield from databases.findings(folder, database if isinstance(database, str) else "")
    yield from _of_the_tree(folder)


def refuse_stopped(folder: Path, database: str) -> None:
    """Refuse to copy access from a database that is known to have lost changes. Raises `CommandError`.

    Tables that are missing or cannot be read are named later, when they are copied.
    """
    with suppress(LogError), closing(open_access(folder, database)) as store:
        if why := store.stopped:
            raise CommandError(gettext("access: %(finding)s (see `kifu access`)", finding=why))


def contradictions(folder: Path) -> Iterator[str]:
    """The missing changes of the store of access, by the heads outside of it."""
    yield from databases.access_contradictions(folder, database_of(folder))


def _of_the_tree(folder: Path) -> Iterator[str]:
    """The faults of the tree over the log, or of the log as the tree shows them."""
    with suppress(LogError), closing(_reader(database_of(folder))) as log:
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


def _prove_receipt(path: Path, file: Path, key: str | None, witnesses: Sequence[str], as_json: bool) -> None:
    """Prove an exported game, and that an entry of it was in the tree of its log. Raises `CommandError`."""
    if not path.is_file() or _is_database(path):
        raise CommandError(
            gettext("a receipt is proved together with the exported game"), gettext("Name the file of the export, too.")
        )
    report = _prove(path)
    if not report.sound:
        _tell(path, report, [], {}, as_json)
    try:
        receipt = parse_receipt(file.read_bytes().decode())
        receipt.check(parse_verifier(key) if key else receipt.verifier)
        times = {each.name: receipt.cosigned_at(each) for each in map(parse_verifier, witnesses)}
    except (BadNoteError, BadProofError, UnicodeDecodeError) as error:
        raise CommandError(gettext("%(file)s proves nothing: %(error)s", file=file, error=error)) from error
    with path.open("rb") as lines:
        events = (event for game in ndjson.read(lines) for event in game.events)
        event = next((event for event in events if event.hash == receipt.hash.hex()), None)
    if event is None:
        raise CommandError(gettext("%(file)s is the receipt of an entry that is not in %(path)s", file=file, path=path))
    _tell_receipt(receipt, event, times, as_json)
    if not key and not as_json:
        screen.out().print(gettext("The signature is that of %(known)s", known=receipt.verifier))
        screen.hint(gettext("Compare it with the key that you were given of that service, or name that with --key."))


def _tell_receipt(receipt: Receipt, event: Event, times: dict[str, int], as_json: bool) -> None:
    """Print what a receipt proves, and when witnesses cosigned it."""
    checkpoint = parse_checkpoint(receipt.note.text)
    if as_json:
        found = {"game": event.game, "version": event.version, "index": receipt.index, "size": checkpoint.size}
        screen.data({"sound": True} | found | {"key": str(receipt.verifier), "cosigned": times})
        return
    screen.out().print(
        gettext(
            "Proved: entry %(version)s is number %(index)s of the %(size)s entries that %(origin)s signed.",
            version=event.version,
            index=receipt.index + 1,
            size=checkpoint.size,
            origin=checkpoint.origin,
        )
    )
    for name, at in times.items():
        when = f"{datetime.fromtimestamp(at, UTC):%Y-%m-%dT%H:%M:%SZ}"
        screen.out().print(gettext("The witness %(name)s cosigned this at %(when)s.", name=name, when=when))


def _prove(path: Path) -> Report:
    """The faults of the chains and, if these are sound, of their replay."""
    if not path.is_file() or _is_database(path):
        database = database_of(path)
        bar, progress = screen.progress_of(gettext("Proving"))
        with bar:
            report = _verified(database, progress)
        if _opens(report):
            report = _with(report, [*_unreplayable(database, report), *_unreadable(database)])
        return report
    size = path.stat().st_size
    bar, progress = screen.progress_of(gettext("Proving"))
    with path.open("rb") as file, bar:
        return prove_records(file, lambda done: progress(done, size))


def _prove_archive(path: Path, key: str | None, as_json: bool) -> None:
    """Prove an archive: its files, what was signed of it, and every record. Raises `CommandError`."""
    bar, progress = screen.progress_of(gettext("Proving"))
    with path.open("rb") as content, open_archive(content) as archive, bar:
        report, findings, missing, proof = archive_proof.examine(archive, key, progress)
        archive_proof.tell_gaps(archive.manifest)
    if proof and not as_json:
        archive_proof.print_proof(proof, known=key is not None)
    _tell(path, report, findings, missing, as_json, proof)


def _records(path: Path) -> Iterator[list[Event]]:
    """The entries of every sound game of a folder, a database or an export."""
    if path.is_file() and not _is_database(path):
        with path.open("rb") as file:
            yield from (game.events for game in ndjson.read(file))
        return
    with closing(_reader(database_of(path))) as log:
        for head in log.heads():
            yield list(log.read(head.game))


def _not_going_on(path: Path, since: Path) -> Iterator[Problem]:
    """The games of an earlier export that a later one does not continue. Raises `CommandError`."""
    earlier = _prove(since)
    if not earlier.sound:
        raise CommandError(gettext("%(file)s is damaged itself: %(why)s", file=since, why=earlier.problems[0]))
    later = {events[0].game: [event.hash for event in events] for events in _records(path) if events}
    for events in _records(since):
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


def _opens(report: Report) -> bool:
    """Whether a database is sound enough as a whole that its games can be read one by one."""
    return all(problem.game for problem in report.problems)


def _unreplayable(database: Path | str, report: Report) -> Iterator[Problem]:
    bar, progress = screen.progress_of(gettext("Replaying"))
    with closing(_reader(database)) as log, bar:
        yield from prove_replays(log, lambda done: progress(done, max(done, report.events)))


def _unreadable(database: Path | str) -> Iterator[Problem]:
    """The damaged names, merges and components."""
    with closing(_reader(database)) as log:
        for person in log.people.unreadable():
            yield Problem("unreadable", f"the name of person {person} is damaged")
        for number in log.people.damaged_merges():
            yield Problem("unreadable", f"record {number} of the merges of people is damaged or missing")
        for components in log.components.unreadable():
            yield Problem("unreadable", f"the components {components} are damaged")


def _with(report: Report, more: Iterable[Problem]) -> Report:
    return msgspec.structs.replace(report, problems=(*report.problems, *more))


def database_of(path: Path) -> Path | str:
    """The database of a path: a file, that of a folder, or the one in the settings. Raises `CommandError`."""
    if path.is_file():
        return path
    if (path / LOG).exists():
        return path / LOG
    url = from_environment().database_url
    if not url:
        raise CommandError(
            gettext("nothing is recorded in the data folder %(path)s", path=path),
            gettext("Name another one with --data or KIFU_DATA."),
        )
    return url


def _reader(database: Path | str) -> LogReader:
    return read_log(Path(), database) if isinstance(database, str) else SqliteReader(database)


def _verified(database: Path | str, progress: Callable[[int, int], None]) -> Report:
    if isinstance(database, Path):
        return verify_log(database, progress)
    from events.postgres import verify as verify_postgres  # noqa: PLC0415 - its driver takes its time to load

    return verify_postgres(database, progress)


def _is_database(path: Path) -> bool:
    return _begins(path, (SQLITE,))


def _begins(path: Path, beginnings: tuple[bytes, ...]) -> bool:
    """Whether a file begins with one of these beginnings."""
    with path.open("rb") as file:
        return file.read(max(map(len, beginnings))).startswith(beginnings)


def _accept_loss(database: Path | str, game: str, yes: bool, as_json: bool) -> None:
    """Accept the rest of `game` as its record, after a confirmation."""
    opened = open_log(Path(), database) if isinstance(database, str) else SqliteLog(database)
    with closing(opened) as log:
        found = [damage for damage in log.damage.values() if matches_id(damage.game, game)]
        if len(found) != 1:
            damaged = ", ".join(log.damage) or "none"
            raise CommandError(
                gettext("%(game)s is not one of the damaged games", game=game),
                gettext("They are: %(damaged)s.", damaged=damaged),
            )
        (damage,) = found
        game = damage.game
        if not as_json:
            screen.out().print(f"{damage}")
        if not yes:
            click.confirm(gettext("Accept what is left as the record, for good?"), abort=True, err=True)
        head = log.accept_loss(game)
        if as_json:
            screen.data({"game": game, "version": head.version if head else 0})
            return
        left = (
            gettext("Its record now ends at version %(version)s.", version=head.version)
            if head
            else gettext("Nothing is left of it.")
        )
        screen.out().print(left)
        screen.hint(gettext("The tree that signed the lost entries signs no more until `kifu tree restart`."))


@click.command("prepare-database")
@click.argument("role")
@click.option(
    "--lanes",
    type=click.IntRange(1, LANES),
    metavar="N",
    help="Groups of entries that can be committed at a time; fixed when the tables are made, 1 if not given.",
)
def prepare_database(role: str, lanes: int | None) -> None:
    """Create the tables of the log and of access in PostgreSQL, and give ROLE the rights of a service.

    KIFU_DATABASE_URL names the database, with a role that may create tables. Start the service with a URL of ROLE. ROLE
    can add events, but never change or delete one. Repeat the command after an update.
    """
    url = from_environment().database_url
    if not url:
        raise CommandError(
            gettext("no database is named"), gettext("Set KIFU_DATABASE_URL to one, like postgresql://owner@host/kifu.")
        )
    from events.postgres import prepare  # noqa: PLC0415 - its driver takes its time to load

    prepared = prepare(url, role, lanes)
    databases.prepare(url, role)
    screen.out().print(gettext("Prepared: %(role)s can keep a log there.", role=role))
    if prepared.workers is not None:
        screen.out().print(_of_cluster(prepared.workers, prepared.layout))


def _of_cluster(workers: int, layout: Layout) -> str:
    """The description of a prepared cluster of Citus."""
    if layout.distributed:
        return gettext(
            "The database has Citus: %(lanes)s lanes with their games and entries are distributed over %(workers)s "
            "workers. All other tables stay on the coordinator.",
            lanes=layout.lanes,
            workers=workers,
        )
    return gettext(
        "The database has Citus, and all tables stay on the coordinator: only a new log with several lanes is "
        "distributed (--lanes)."
    )


@click.command()
@json_option
@data_option
def rebuild(data: Path, as_json: bool) -> None:
    """Rebuild all read models from the log, check them, and replace the old ones.

    The tree over the log is made again, too, and compared with the signed one. A running service goes on answering.
    """
    database = database_of(data)
    bar, progress = screen.progress_of(gettext("Rebuilding"))
    url = database if isinstance(database, str) else ""
    with ReadingArchive(data, url) as archive, bar:
        total = archive.log.position()
        rebuilt = rebuild_views(
            archive.log, archive.views, lambda done: progress(done, max(done, total)), partial(read_log, data, url)
        )
        tree = Tree(data, archive.log).mend()
    wrong = bool(rebuilt.unreadable) or tree.contradicted is not None
    if as_json:
        screen.data(msgspec.to_builtins(rebuilt) | {"tree": {"others": tree.tiles, "contradicted": tree.contradicted}})
    else:
        _tell_rebuilt(rebuilt, tree)
    if wrong:
        raise click.exceptions.Exit(1)


def _tell_rebuilt(rebuilt: Rebuilt, tree: Examination) -> None:
    for name in tree.tiles:
        screen.out().print(gettext("%(name)s of the tree did not match the log. It was made anew.", name=name))
    if tree.contradicted:
        screen.out().print(gettext("tree: %(contradicted)s", contradicted=tree.contradicted), style="red")
    for game in rebuilt.drifted:
        screen.out().print(gettext("%(game)s was not listed as the log has it; it is now.", game=game))
    for game, why in rebuilt.unreadable.items():
        screen.out().print(f"{game}: {why}", style="red")
    screen.out().print(
        gettext(
            "Rebuilt %(counted)s from %(counted2)s.",
            counted=_counted(rebuilt.games, rebuilt.clubs),
            counted2=ngettext("%(count)s entry", "%(count)s entries", rebuilt.events),
        )
    )
    if rebuilt.unreadable:
        screen.complain(
            gettext(
                "%(counted)s cannot be read; `kifu verify` says more",
                counted=ngettext("%(count)s game", "%(count)s games", len(rebuilt.unreadable)),
            )
        )


@click.command()
@click.argument("target", type=click.Path(path_type=Path))
@json_option
@data_option
def backup(target: Path, data: Path, as_json: bool) -> None:
    """Copy the log, and who may do what, to a new data folder TARGET, and prove the copy.

    A running service goes on meanwhile. The copy can be served as it is: kifu serve --data TARGET. A log in PostgreSQL
    is copied to a folder as well.
    """
    source = database_of(data)
    bar, progress = screen.progress_of(gettext("Copying"))
    with _new_folder(target):
        if isinstance(source, str):
            refuse_stopped(data, source)
            damaged = 0  # it would have been refused
            with bar:
                moving.back_up(moving.place_of(source), target, progress)
        else:
            damaged = _copy(source, target, bar, progress)
    with SqliteReader(target / LOG) as copy:
        games = sum(1 for _ in copy.heads())
    if as_json:
        screen.data({"folder": str(target), "games": games, "damaged": damaged})
    else:
        screen.out().print(
            gettext(
                "Copied and proved %(counted)s: %(target)s",
                counted=ngettext("%(count)s record", "%(count)s records", games),
                target=target,
            )
        )
    if damaged:
        screen.complain(
            gettext(
                "%(counted)s damaged, in the copy, too; `kifu verify` says more",
                counted=ngettext("%(count)s game is", "%(count)s games are", damaged),
            )
        )
        raise click.exceptions.Exit(1)


@contextmanager
def _new_folder(target: Path) -> Iterator[None]:
    """An empty folder to fill; if that fails, a folder that was made for it is removed."""
    if target.exists() and not target.is_dir():
        raise CommandError(gettext("%(target)s is not a folder", target=target), gettext("Name a new one."))
    if target.exists() and any(target.iterdir()):
        raise CommandError(gettext("%(target)s is not empty", target=target), gettext("Name a new folder."))
    made = not target.exists()
    make_private()
    target.mkdir(parents=True, exist_ok=True)
    try:
        yield
    except BaseException:
        if made:
            with suppress(OSError):
                target.rmdir()
        raise


def _copy(source: Path, target: Path, bar: AbstractContextManager[object], progress: Callable[[int, int], None]) -> int:
    """Copy the log, access and webhooks of a folder. Returns the number of damaged games."""
    with SqliteReader(source) as log, bar:
        copy_log(source, target / LOG, log.damage, progress)
        damaged = len(log.damage)
    databases.back_up(source.parent, target)
    return damaged
