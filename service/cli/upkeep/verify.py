"""The command `kifu verify`. No service is needed, or disturbed."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import click

from events.sqlite import SqliteLog
from events.stores import open_log
from projections.replaying import games_without_ruleset
from service.cli.exchange.everything import open_archive
from service.cli.proof import archive_proof
from service.cli.shell import screen
from service.cli.shell.arguments import json_option
from service.cli.shell.data_option import data_option
from service.cli.shell.failures import CommandError
from service.cli.shell.references import matches_id
from service.cli.upkeep.database import database_of
from service.cli.upkeep.findings import print_findings
from service.cli.upkeep.proving import begins_with, derived_findings, not_going_on, prove, records, with_problems
from service.cli.upkeep.receipts import prove_receipt
from service.exchange import archives
from service.languages import gettext

if TYPE_CHECKING:
    from events.errors import DamagedError
    from events.log import Log


@click.command()
@click.argument("path", required=False, type=click.Path(path_type=Path))
@click.option(
    "--receipt",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Prove with a receipt that an entry of an exported game was in the tree of its log.",
)
@click.option(
    "--key",
    metavar="KEY",
    help="The key of that log, as you got it from its owner. Without it, compare the key that is shown.",
)
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
    if path and not (path.is_file() or path.is_dir()):
        raise CommandError(
            gettext("%(path)s is a pipe or a device", path=path), gettext("Give a file or a folder: it is read twice.")
        )
    path = path or data
    archive = path.is_file() and not receipt and begins_with(path, archives.MAGIC)
    if witnesses and not receipt:
        raise click.UsageError(gettext("Use --witness only with --receipt."))
    if since and (receipt or accept_loss or archive):
        raise click.UsageError(gettext("Use --since only for exported games, without --receipt and --accept-loss."))
    if key and not (receipt or accept_loss or archive):
        raise click.UsageError(gettext("Use --key only with --receipt, or for an archive."))
    if accept_loss:
        _accept_loss(database_of(path), accept_loss, yes, as_json)
    elif archive:
        _prove_archive(path, key, as_json)
    elif receipt:
        prove_receipt(path, receipt, key, witnesses, as_json)
    else:
        _prove_records(path, since, as_json)


def _prove_records(path: Path, since: Path | None, as_json: bool) -> None:
    """Prove the records of a folder, a database or an export, and that they go on from an earlier export."""
    report = prove(path)
    if since and report.sound:
        report = with_problems(report, not_going_on(path, since))
    missing = games_without_ruleset(records(path)) if report.sound else {}
    print_findings(path, report, [*derived_findings(path)] if path.is_dir() else [], missing, as_json)


def _prove_archive(path: Path, key: str | None, as_json: bool) -> None:
    """Prove an archive: its files, what was signed of it, and every record. Raises `CommandError`."""
    bar, progress = screen.progress_of(gettext("Proving"))
    with path.open("rb") as content, open_archive(content) as archive, bar:
        report, findings, missing, proof = archive_proof.examine(archive, key, progress)
        archive_proof.tell_gaps(archive.manifest)
    if proof and not as_json:
        archive_proof.print_proof(proof, known=key is not None)
    print_findings(path, report, findings, missing, as_json, proof)


def _accept_loss(database: Path | str, game: str, yes: bool, as_json: bool) -> None:
    """Accept the rest of `game` as its record, after a confirmation."""
    opened = open_log(Path(), database) if isinstance(database, str) else SqliteLog(database)
    with closing(opened) as log:
        damage = _damage_of(log, game)
        if not as_json:
            screen.out().print(f"{damage}")
        if not yes:
            click.confirm(gettext("Accept what is left as the record, for good?"), abort=True, err=True)
        head = log.accept_loss(damage.game)
    if as_json:
        screen.data({"game": damage.game, "version": head.version if head else 0})
        return
    left = gettext("Its record now ends at version %(version)s.", version=head.version) if head else None
    screen.out().print(left or gettext("Nothing is left of it."))
    screen.hint(gettext("The tree that signed the lost entries signs no more until `kifu tree restart`."))


def _damage_of(log: Log, game: str) -> DamagedError:
    """The damage of a game with this id, or with this beginning or end of one. Raises `CommandError`."""
    if not log.damage:
        raise CommandError(gettext("no game is damaged"))
    found = [damage for damage in log.damage.values() if matches_id(damage.game, game)]
    if len(found) != 1:
        raise CommandError(
            gettext("%(game)s is not one of the damaged games", game=game),
            gettext("They are: %(damaged)s.", damaged=", ".join(log.damage)),
        )
    return found[0]
