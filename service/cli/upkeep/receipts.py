"""The proof that an entry of an exported game was in the tree of its log."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from events import ndjson
from events.tree.checkpoints import parse_checkpoint
from events.tree.merkle import BadProofError
from events.tree.notes import BadNoteError, parse_verifier
from events.tree.receipts import parse_receipt
from service.cli.shell import screen
from service.cli.shell.failures import CommandError
from service.cli.upkeep.findings import print_findings
from service.cli.upkeep.proving import is_database, prove
from service.languages import gettext

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from events.event import Event
    from events.tree.receipts import Receipt


def prove_receipt(path: Path, file: Path, key: str | None, witnesses: Sequence[str], as_json: bool) -> None:
    """Prove an exported game, and that an entry of it was in the tree of its log. Raises `CommandError`."""
    if not path.is_file() or is_database(path):
        raise CommandError(
            gettext("a receipt is proved together with the exported game"), gettext("Name the file of the export, too.")
        )
    report = prove(path)
    if not report.sound:
        print_findings(path, report, [], {}, as_json)
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
