"""A witness at the command line: it keeps another service's checkpoints, checks their growth, and cosigns."""

from __future__ import annotations

import time
from http import HTTPStatus
from pathlib import Path
from typing import TYPE_CHECKING

import click
import msgspec

from events.tree.checkpoints import open_checkpoint, parse_checkpoint
from events.tree.notes import BadNoteError, parse_note, parse_verifier
from events.tree.witness import BadMemoryError, ContradictionError, SeenCheckpoints, Witness
from service.api.answers.proof import Consistency
from service.cli.proof.auditing import Audit, audit, print_audit, read_exports
from service.cli.shell import screen
from service.cli.shell.arguments import json_option
from service.cli.shell.client import RefusedError, UnexpectedAnswerError, UnreachableError
from service.cli.shell.connection import Place, ca_option, connect
from service.cli.shell.failures import CommandError, explain
from service.cli.shell.references import end_of_log
from service.languages import gettext, ngettext

if TYPE_CHECKING:
    from events.tree.checkpoints import Signed
    from events.tree.notes import Verifier
    from service.cli.shell.client import Client

PATIENCE = 15.0
"""Seconds in which a tree has to take in what was in the log before."""
SPACING = 1.0
"""Seconds between two looks at a checkpoint. There is at most one a second."""

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
@click.option("--key", metavar="KEY", help="The key of the service, as you got it from its owner.")
@click.option(
    "--token",
    envvar="KIFU_TOKEN",
    show_envvar=True,
    help="A token of that service with `tree:read`, unless its tree is open.",
)
@click.option(
    "--compare",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help="The checkpoints of another witness, to find out whether the service shows two logs.",
)
@ca_option
@click.option("--every", type=click.IntRange(1), metavar="SECONDS", help="Repeat until something is wrong.")
@click.option(
    "--within",
    type=click.FloatRange(0, 1000, min_open=True),
    metavar="HOURS",
    default=24,
    show_default=True,
    help="Give up after this time, even if the service still answers.",
)
@click.option("--audit", "audits", is_flag=True, help="Look for every leaf of the tree in the exports of records.")
@click.option("--whole", is_flag=True, help="With --audit: the token shows all records, so no leaf may be left out.")
@json_option
def witness(
    url: str,
    folder: Path,
    key: str | None,
    token: str | None,
    ca: Path | None,
    compare: Path | None,
    every: int | None,
    within: float,
    audits: bool,
    whole: bool,
    as_json: bool,
) -> None:
    """Watch the service at URL: find out if anything that it signed was changed, left out, or put in another order.

    The command compares the checkpoint of the service with the last one that it kept, cosigns the new one, and keeps
    it. If the two contradict each other, the exit code is 1. Both are kept as evidence: the service signed them. The
    exit code is also 1 if the tree stands still while the log grows. Run the command by cron, or with --every.

    With --audit, the exit code is 0 if every leaf is in an export, and 3 if some are of records that are not shown.
    """
    memory = _open_witness(folder)
    if whole and not audits:
        raise click.UsageError(gettext("Use --whole only with --audit."))
    while True:
        try:
            with connect(Place(folder, url, token, ca)) as client:
                client.end_after(within)
                seen, found = watch(client, memory, url, key, compare), None
                if audits:
                    seen, found = audit_after(client, memory, url, key, seen)
            _tell(memory, url, seen, found, as_json)
            if found:
                _tell_audit(url, found, whole, as_json)
        except (ContradictionError, StandstillError) as error:
            _report(url, error, as_json)
            raise click.exceptions.Exit(1) from error
        except (UnreachableError, UnexpectedAnswerError, RefusedError) as error:
            if not every or (isinstance(error, RefusedError) and error.problem.status != HTTPStatus.TOO_MANY_REQUESTS):
                raise
            screen.warn(*explain(error))
        if not every:
            return
        time.sleep(every)


class StandstillError(Exception):
    """The tree stands still while the log grows: new entries are not signed."""

    evidence = None


def _offered(client: Client) -> str:
    """The checkpoint of the service. Raises `StandstillError` if its tree is stopped."""
    try:
        return client.fetch("/v1/tree/checkpoint").decode(errors="replace")
    except RefusedError as error:
        if error.problem.name != "tree-stopped":
            raise
        raise StandstillError(gettext("its tree is stopped: %(why)s", why=error)) from error


def _newest(client: Client) -> str:
    """Wait for a checkpoint of everything in the log before the call. Raises `StandstillError` if none comes."""
    end, deadline = end_of_log(client), time.monotonic() + PATIENCE
    while (size := parse_checkpoint(parse_note(offered := _offered(client)).text).size) < end:
        if time.monotonic() > deadline:
            raise StandstillError(
                gettext("its tree stopped at %(size)s entries, and its log has %(end)s", size=size, end=end)
            )
        time.sleep(SPACING)
    return offered


def watch(client: Client, memory: Witness, url: str, key: str | None, compare: Path | None = None) -> SeenCheckpoints:
    """Look once. Raises `ContradictionError`, `StandstillError`, `CommandError`, and what a client raises."""

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
        offered = _newest(client)
        if compare:
            other = _of_another(compare, verifier)
            memory.compare(url, other, open_checkpoint(offered, verifier), prove)
        return memory.check_and_cosign(url, verifier, offered, prove, int(time.time()))
    except BadMemoryError as error:
        raise _folder_error(error) from error
    except BadNoteError as error:
        raise CommandError(
            gettext("the signatures of %(url)s cannot be trusted: %(error)s", url=url, error=error),
            gettext("If it has another key now, ask its owner why."),
        ) from error


def _of_another(file: Path, verifier: Verifier) -> Signed:
    """The checkpoint of this log that another witness has seen. Raises `CommandError`."""
    try:
        return open_checkpoint(file.read_bytes().decode(errors="replace"), verifier)
    except BadNoteError as error:
        raise CommandError(
            gettext("%(file)s holds no checkpoint of this service: %(error)s", file=file, error=error)
        ) from error


def audit_after(
    client: Client, memory: Witness, url: str, key: str | None, seen: SeenCheckpoints
) -> tuple[SeenCheckpoints, Audit]:
    """Account for the leaves of the tree, signed again after its exports were read. Raises what `watch` raises.

    `seen` is from before, and what was signed then has to be in the exports. So the service cannot say that a leaf came
    while they were read.
    """
    exports, now = read_exports(client), watch(client, memory, url, key).now
    found = audit(client, now.checkpoint, exports, seen.now.checkpoint.size, memory.first_size(url))
    return SeenCheckpoints(seen.before, now), found


def _open_witness(folder: Path) -> Witness:
    try:
        return Witness(folder)
    except BadMemoryError as error:
        raise _folder_error(error) from error


def _folder_error(error: BadMemoryError) -> CommandError:
    return CommandError(
        gettext("the folder %(path)s of the witness cannot be used: %(error)s", path=error.path, error=error),
        gettext("Restore it from a backup. Without it, the witness does not know what was signed before."),
    )


def _tell_audit(url: str, found: Audit, whole: bool, as_json: bool) -> None:
    """Print the audit. Exits with an error unless every leaf is accounted for."""
    if not as_json:
        print_audit(found, url, whole=whole)
    if code := found.exit_code(whole=whole):
        raise click.exceptions.Exit(code)


def _tell(memory: Witness, url: str, seen: SeenCheckpoints, found: Audit | None, as_json: bool) -> None:
    now = seen.now.checkpoint
    if as_json:
        before = seen.before.checkpoint.size if seen.before else None
        said = {"sound": True, "url": url, "size": now.size, "before": before, "checkpoint": str(seen.now.note)}
        screen.data(said | ({"audit": msgspec.to_builtins(found)} if found else {}))
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


def _report(url: str, error: ContradictionError | StandstillError, as_json: bool) -> None:
    evidence = str(error.evidence) if error.evidence else None
    if as_json:
        screen.data({"sound": False, "url": url, "why": str(error), "evidence": evidence})
        return
    more = (
        [gettext("Both checkpoints, with its signatures, are kept in %(evidence)s.", evidence=evidence)]
        if evidence
        else []
    )
    screen.complain(gettext("%(url)s contradicts itself: %(error)s", url=url, error=error), *more)
