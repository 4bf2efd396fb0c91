"""What newer rules would say of recorded games, and moving a game on to them: nothing changes before that."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click
import msgspec

from events.errors import LogError
from events.types import ADOPTED
from games.words import Sentence
from projections.archive import ReadingArchive
from projections.errors import ProjectionError
from projections.revising import RevisedGame, revised
from service.cli import screen, wording
from service.cli.arguments import Version, game_argument, json_option, reason_option
from service.cli.connection import connected, data_option
from service.cli.corrections import because
from service.cli.entries import Pen, correcting
from service.cli.references import game_id
from service.cli.upkeep import database_of
from service.cli.wording import counted

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from games.contract import Outcome
    from projections.revising import RevisedEntry, Said
    from service.cli.client import Client


@click.group(invoke_without_command=True)
@json_option
@data_option
@click.pass_context
def revisions(context: click.Context, data: Path, as_json: bool) -> None:
    """Say what newer revisions of the rules would change in recorded games, and move a game on to them.

    Every game that goes by an older revision is played through by that one and by the newest one: scores, what follows
    from each entry, the points that it brought, what was irregular, how it ended. Nothing is changed by asking.
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
    differing = sum(each.differs for each in found)
    verb = "goes" if len(found) == 1 else "go"
    screen.out().print(f"{counted(len(found), 'game', 'games')} {verb} by older rules; newer ones change {differing}.")


def _behind(archive: ReadingArchive) -> Iterator[RevisedGame]:
    """The games that go by an older revision of their rules than the newest one, of those that can be replayed."""
    for head in archive.log.heads():
        try:
            fold = archive.folds.as_far(head.game)
            if fold.revision < fold.ruleset.revision:
                yield revised(archive.folds, head.game)
        except (ProjectionError, LogError):
            continue


def _tell(found: RevisedGame) -> None:
    if not found.differs:
        return
    out = screen.out()
    out.print(f"{found.game} ({found.ruleset}, revision {found.revision}; the newest is {found.newest})")
    if found.scores != found.scores_after:
        out.print(f"  Scores: {wording.points(found.scores)}, then {wording.points(found.scores_after)}")
    if found.outcome != found.outcome_after:
        out.print(f"  End: {_ended(found.outcome)}, then {_ended(found.outcome_after)}")
    for entry in found.entries:
        out.print(f"  Entry {entry.version}{_called(entry)}: {_said(entry.before)}; then {_said(entry.after)}")
    for change in found.changes:
        out.print(f"  Changed: {change}")


def _called(entry: RevisedEntry) -> str:
    return f", {entry.notation}" if entry.notation else ""


def _said(said: Said) -> str:
    """What a revision says of an entry, in a few words."""
    if said.unreplayable:
        return f"it cannot be replayed: {said.unreplayable}"
    points = [f"{line.points:+} for seat {line.seat + 1} ({line.rule})" for line in said.points]
    broken = [f"breaks {breach.rule}" for breach in said.irregular]
    return ", ".join([*(effect.text for effect in said.effects), *points, *broken]) or "nothing"


def _ended(outcome: Outcome | None) -> str:
    return outcome.reason.replace("_", " ") if outcome else "not ended"


@revisions.command()
@game_argument
@click.option("--revision", type=Version, help="This revision of the rules, not the newest one.")
@reason_option
@correcting
@connected()
def adopt(client: Client, game: str, revision: int | None, reason: str, pen: Pen) -> None:
    """Move GAME on to the newest revision of its rules, which is an entry: it can be taken back.

    The whole game is played through by the new rules, as after a correction. --dry-run tells what that changes.
    """
    game = game_id(client, game)
    if revision is None:
        revision = client.get(f"/v1/games/{game}/revisions", RevisedGame).newest
    data = {"revision": revision} | because(reason)
    pen.write(client, game, ADOPTED, data, lambda _: f"The game goes by revision {revision} of its rules now.")
