"""Recorded games under newer revisions of the rules, and moving a game on to them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click
import msgspec

from events.errors import LogError
from events.types import REVISION_ADOPTED
from games.words import Sentence
from projections.archive import ReadingArchive
from projections.errors import ProjectionError
from projections.revising import RevisedGame, compare_revisions
from service.cli.recording.corrections import reason_data
from service.cli.recording.entries import EntryWriter, with_correction_options
from service.cli.shell import screen, wording
from service.cli.shell.arguments import Version, game_argument, json_option, reason_option
from service.cli.shell.connection import with_client
from service.cli.shell.data_option import data_option
from service.cli.shell.group import Group
from service.cli.shell.references import game_id
from service.cli.upkeep.database import database_of
from service.languages import gettext, ngettext

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from games.contract import Outcome
    from projections.revising import RevisedEntry, RevisionResult
    from service.cli.shell.client import Client


@click.group(cls=Group, invoke_without_command=True)
@json_option
@data_option
@click.pass_context
def revisions(context: click.Context, data: Path, as_json: bool) -> None:
    """Say what newer revisions of the rules would change in recorded games, and move a game on to them.

    Every game with an older revision is replayed twice: by that revision, and by the newest one. The command compares
    scores, what follows from each entry, its points, what was irregular, and how the game ended. This changes nothing.
    """
    if context.invoked_subcommand is not None:
        return
    database = database_of(data)
    with ReadingArchive(data, database if isinstance(database, str) else "") as archive:
        found = list(_behind(archive))
    if as_json:
        screen.data(msgspec.to_builtins(found, enc_hook=Sentence.__str__))
        return
    for each in found:
        _tell(each)
    differing = sum(each.has_differences for each in found)
    screen.out().print(
        ngettext(
            "%(count)s game uses older rules; newer ones change %(differing)s.",
            "%(count)s games use older rules; newer ones change %(differing)s.",
            len(found),
            differing=differing,
        )
    )


def _behind(archive: ReadingArchive) -> Iterator[RevisedGame]:
    """The replayable games with an older revision of their rules than the newest."""
    for head in archive.log.heads():
        try:
            fold = archive.folds.fold_until_error(head.game)
            if fold.revision < fold.ruleset.revision:
                yield compare_revisions(archive.folds, head.game)
        except (ProjectionError, LogError):
            continue


def _tell(found: RevisedGame) -> None:
    if not found.has_differences:
        return
    out = screen.out()
    out.print(
        gettext(
            "%(game)s (%(ruleset)s, revision %(revision)s; the newest is %(newest)s)",
            game=found.game,
            ruleset=found.ruleset,
            revision=found.revision,
            newest=found.newest,
        )
    )
    if found.scores != found.scores_after:
        out.print(
            gettext(
                "  Scores: %(points)s, then %(points2)s",
                points=wording.points(found.scores),
                points2=wording.points(found.scores_after),
            )
        )
    if found.outcome != found.outcome_after:
        out.print(
            gettext(
                "  End: %(ended)s, then %(ended2)s", ended=_ended(found.outcome), ended2=_ended(found.outcome_after)
            )
        )
    for entry in found.entries:
        out.print(
            gettext(
                "  Entry %(version)s%(called)s: %(said)s; then %(said2)s",
                version=entry.version,
                called=_called(entry),
                said=_describe(entry.before),
                said2=_describe(entry.after),
            )
        )
    for change in found.changes:
        out.print(gettext("  Changed: %(change)s", change=change))


def _called(entry: RevisedEntry) -> str:
    return f", {entry.notation}" if entry.notation else ""


def _describe(outcome: RevisionResult) -> str:
    """The result of an entry under a revision, in a few words."""
    if outcome.unreplayable:
        return gettext("it cannot be replayed: %(unreplayable)s", unreplayable=outcome.unreplayable)
    points = [
        gettext(
            "%(points)s for seat %(seat)s (%(rule)s)", points=f"{line.points:+}", seat=line.seat + 1, rule=line.rule
        )
        for line in outcome.points
    ]
    broken = [gettext("breaks %(rule)s", rule=breach.rule) for breach in outcome.irregular]
    return ", ".join([*(effect.text for effect in outcome.effects), *points, *broken]) or gettext("nothing")


def _ended(outcome: Outcome | None) -> str:
    return gettext(outcome.reason.replace("_", " ")) if outcome else gettext("not ended")


@revisions.command()
@game_argument
@click.option("--revision", type=Version, help="This revision of the rules, not the newest one.")
@reason_option
@with_correction_options
@with_client()
def adopt(client: Client, game: str, revision: int | None, reason: str, writer: EntryWriter) -> None:
    """Move GAME to the newest revision of its rules. This is an entry, and can be taken back.

    The whole game is replayed by the new rules, as after a correction. --dry-run shows the changes.
    """
    game = game_id(client, game)
    if revision is None:
        revision = client.get(f"/v1/games/{game}/revisions", RevisedGame).newest
    data = {"revision": revision} | reason_data(reason)
    writer.write(
        client,
        game,
        REVISION_ADOPTED,
        data,
        lambda _: gettext("The game uses revision %(revision)s of its rules now.", revision=revision),
    )
