"""A witness at the command line: keeps another service's checkpoints, has it proved that it only grew, and cosigns."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING

import click

from events.tree.checkpoints import open_checkpoint
from events.tree.notes import BadNoteError, parse_verifier
from events.tree.witness import ContradictionError, SeenCheckpoints, Witness
from service.api.answers import Consistency
from service.cli import screen
from service.cli.arguments import json_option
from service.cli.client import RefusedError, UnexpectedAnswerError, UnreachableError
from service.cli.connection import Place, ca_option, connect
from service.cli.failures import CommandError, explain
from service.languages import gettext, ngettext

if TYPE_CHECKING:
    from service.cli.client import Client

UNPROVED = {"size-unknown", "tree-stopped"}
"""How a service answers that cannot prove what it should."""


@click.command()
@click.argument("url", metavar="URL")
@click.option(
    "--keep",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("witness"),
    show_default=True,
    help="The folder for the checkpoints that were seen.",
)
@click.option("--key", metavar="KEY", help="The key of the service, to be known before it is asked the first time.")
@click.option("--token", envvar="KIFU_TOKEN", show_envvar=True, help="The owner's token of that service.")
@click.option(
    "--compare",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help="The checkpoints of another witness, to find out whether the service shows two logs.",
)
@ca_option
@click.option("--every", type=click.IntRange(1), metavar="SECONDS", help="Repeat until something is wrong.")
@json_option
def witness(
    url: str,
    folder: Path,
    key: str | None,
    token: str | None,
    ca: Path | None,
    compare: Path | None,
    every: int | None,
    as_json: bool,
) -> None:
    """Watch the service at URL: whether anything it ever signed was changed, left out, or put in another order.

    Its checkpoint is held against the one that was seen last, cosigned, and kept. The exit code is 1 if it is caught,
    and both checkpoints are kept as evidence: they bear its signature. Run it by cron, or with --every.
    """
    memory = _memory(folder)
    while True:
        try:
            with connect(Place(folder, url, token, ca)) as client:
                seen = watch(client, memory, url, key, compare)
            _tell(memory, url, seen, as_json)
        except ContradictionError as error:
            _report(url, error, as_json)
            raise click.exceptions.Exit(1) from error
        except (UnreachableError, UnexpectedAnswerError) as error:
            if not every:
                raise
            screen.warn(*explain(error))
        if not every:
            return
        time.sleep(every)


def watch(client: Client, memory: Witness, url: str, key: str | None, compare: Path | None = None) -> SeenCheckpoints:
    """Look once. Raises `CaughtError`, `CommandError`, and what a client raises."""

    def prove(older: int, newer: int) -> list[bytes]:
        try:
            proof = client.get("/v1/tree/consistency", Consistency, **{"from": older, "to": newer}).proof
            return [bytes.fromhex(hash_) for hash_ in proof]
        except RefusedError as error:
            if error.problem.name in UNPROVED:
                return []
            raise
        except ValueError:
            return []

    try:
        known = parse_verifier(key) if key else memory.known_key(url)
        verifier = known or parse_verifier(client.fetch("/v1/tree/key").decode(errors="replace"))
        offered = client.fetch("/v1/tree/checkpoint").decode(errors="replace")
        if compare:
            other = open_checkpoint(compare.read_bytes().decode(errors="replace"), verifier)
            memory.compare(url, other, open_checkpoint(offered, verifier), prove)
        return memory.check_and_cosign(url, verifier, offered, prove, int(time.time()))
    except BadNoteError as error:
        raise CommandError(
            gettext("what %(url)s signs cannot be believed: %(error)s", url=url, error=error),
            gettext("If it has another key now, ask its owner why."),
        ) from error


def _memory(folder: Path) -> Witness:
    try:
        return Witness(folder)
    except BadNoteError as error:
        raise CommandError(
            gettext("the memory of the witness in %(folder)s cannot be used: %(error)s", folder=folder, error=error)
        ) from error


def _tell(memory: Witness, url: str, seen: SeenCheckpoints, as_json: bool) -> None:
    now = seen.now.checkpoint
    if as_json:
        before = seen.before.checkpoint.size if seen.before else None
        note = str(seen.now.note)
        screen.data({"sound": True, "url": url, "size": now.size, "before": before, "checkpoint": note})
        return
    if seen.before is None:
        screen.out().print(
            gettext(
                "Seen for the first time: %(counted)s at %(url)s.",
                counted=ngettext("%(count)s entry", "%(count)s entries", now.size),
                url=url,
            )
        )
        screen.hint(gettext("The key of the service: %(known)s", known=memory.known_key(url)))
        screen.hint(gettext("The key of this witness: %(verifier)s", verifier=memory.verifier))
        return
    grown = now.size - seen.before.checkpoint.size
    screen.out().print(
        gettext(
            "Sound: %(counted)s at %(url)s, %(grown)s more than before, and nothing else changed.",
            counted=ngettext("%(count)s entry", "%(count)s entries", now.size),
            url=url,
            grown=grown,
        )
    )


def _report(url: str, error: ContradictionError, as_json: bool) -> None:
    evidence = str(error.evidence) if error.evidence else None
    if as_json:
        screen.data({"sound": False, "url": url, "why": str(error), "evidence": evidence})
        return
    more = (
        [gettext("Both checkpoints, with its signatures, are kept in %(evidence)s.", evidence=evidence)]
        if evidence
        else []
    )
    screen.complain(gettext("%(url)s is caught: %(error)s", url=url, error=error), *more)
