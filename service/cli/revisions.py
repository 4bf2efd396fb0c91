"""What newer rules say of recorded games otherwise than the older ones did: told, and nothing is changed."""

from __future__ import annotations

from contextlib import ExitStack, closing
from typing import TYPE_CHECKING

import click
import msgspec

from games.rulesets import RULESETS
from projections.archive import ReadingArchive
from service.cli import screen
from service.cli.arguments import json_option
from service.cli.connection import data_option
from service.cli.upkeep import database_of
from service.cli.wording import counted
from workers.results import FILE, open_results
from workers.revisions import Revised, revised

if TYPE_CHECKING:
    from pathlib import Path


@click.command()
@json_option
@data_option
def revisions(data: Path, as_json: bool) -> None:
    """Say what newer revisions of the rules say of recorded games otherwise than the older ones did.

    What older rules said is known from the scoring snapshots that were made by them: scores, the points of each entry,
    what was irregular, how it ended. Nothing is changed.
    """
    database = database_of(data)
    with ExitStack() as stack:
        url = database if isinstance(database, str) else ""
        archive = stack.enter_context(ReadingArchive(data, url))
        results = stack.enter_context(closing(open_results(data, url))) if url or (data / FILE).exists() else None
        found = list(revised(archive, results))
    if as_json:
        screen.data(msgspec.to_builtins(found))
        return
    for each in found:
        _tell(each)
    silent = sum(each.version is None for each in found)
    differing = sum(each.differs for each in found)
    screen.out().print(f"{counted(len(found), 'game', 'games')} opened by older rules, {differing} said otherwise now.")
    if silent:
        screen.out().print(f"Of {silent} no snapshot by older rules is kept: what they said is not known.")


def _tell(found: Revised) -> None:
    if not found.differs:
        return
    by = f"{found.ruleset}, revision {found.made_by} and now {found.revision}"
    screen.out().print(f"{found.game} at version {found.version} ({by})")
    if found.scores:
        then, now = (":".join(map(str, scores)) for scores in found.scores)
        screen.out().print(f"  Scores: {then}, and now {now}")
    if found.entries:
        screen.out().print(f"  Entries: {', '.join(map(str, found.entries))}")
    if found.ended:
        then, now = (reason or "not ended" for reason in found.ended)
        screen.out().print(f"  End: {then}, and now {now}")
    for change in RULESETS[found.ruleset].changes[found.made_by or 0 :]:
        screen.out().print(f"  Changed: {change}")
