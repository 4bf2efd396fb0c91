"""The proof of an archive: its entries are held against the leaves of the checkpoint that a service signed.

So a game that was left out or written anew is noticed, if the key of the service is known from elsewhere.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

import msgspec

from events import ndjson
from events.tree.archives import check_manifest
from events.tree.checkpoints import open_checkpoint
from events.tree.leaves import BadLeavesError, parse_leaves
from events.tree.notes import BadNoteError, parse_verifier
from service.cli.shell import screen
from service.cli.shell.failures import CommandError
from service.exchange import archives
from service.exchange.archives import BadItemError
from service.languages import gettext, ngettext
from service.languages.plain import translated

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from service.exchange.archives import ArchiveReader


class ArchiveProof(msgspec.Struct, frozen=True):
    """What of an archive a service signed. Places count from 1, as those of the feed.

    `missing` are signed entries that the archive should have. `uncovered` others are not in it, either: it says that
    they came while it was written. `later` are its entries that were not signed yet, or never. `key` is the key that
    the signatures were checked with. `manifest` says whether the manifest is signed, and with it the names, the
    components and the trail.
    """

    signed: int
    missing: list[int]
    uncovered: int
    later: int
    key: str
    manifest: bool


def prove(archive: ArchiveReader, files: Iterable[str], key: str | None) -> ArchiveProof | None:
    """Hold the records in `files` against the checkpoint of an archive; None if it has none and no key is given.

    Raises `CommandError` for a signature that is false, or of another key. Where a key is given, the manifest has to be
    signed, too.
    """
    if not archive.has(archives.ENTRIES):
        if key:
            raise CommandError(gettext("the archive has no signed entries, so the key proves nothing of it"))
        return None
    try:
        verifier = parse_verifier(key or archive.read(archives.KEY).decode(errors="replace"))
        signed = open_checkpoint(archive.read(archives.CHECKPOINT).decode(errors="replace"), verifier)
        leaves = parse_leaves(archive.read(archives.ENTRIES), signed.checkpoint)
        if archive.manifest.signature:
            check_manifest(archive.manifest.signature, verifier, archive.digest)
    except (BadNoteError, BadItemError, BadLeavesError) as error:
        raise CommandError(
            gettext("what the archive says was signed cannot be believed: %(error)s", error=translated(str(error)))
        ) from error
    if key and not archive.manifest.signature:
        raise CommandError(
            gettext("the manifest is not signed, so the key proves nothing of names and components"),
            gettext("Without --key the games are held against the checkpoint all the same."),
        )
    entries = {hash_ for file in files for hash_ in _hashes(archive, file)}
    covered = min(archive.manifest.covered, len(leaves))
    absent = [place for place, leaf in enumerate(leaves, 1) if leaf and leaf not in entries]
    missing = [place for place in absent if place <= covered]
    later, signed_too = len(entries.difference(leaves)), bool(archive.manifest.signature)
    return ArchiveProof(
        sum(map(bool, leaves)), missing, len(absent) - len(missing), later, str(verifier), manifest=signed_too
    )


def tell(proof: ArchiveProof, *, known: bool) -> None:
    """Print what is proved."""
    screen.hint(
        gettext(
            "Held against a signed checkpoint of %(counted)s. In the archive and not signed: %(later)s.",
            counted=ngettext("%(count)s entry", "%(count)s entries", proof.signed),
            later=proof.later,
        )
    )
    if proof.uncovered:
        screen.hint(
            gettext(
                "Signed, and not in the archive: %(uncovered)s. By the archive, they came while it was written.",
                uncovered=ngettext("%(count)s entry", "%(count)s entries", proof.uncovered),
            )
        )
    if not proof.manifest:
        screen.hint(gettext("The manifest is not signed: names, components and the trail are not proved."))
    if not known:
        screen.hint(gettext("Compare the key, or give it with --key: %(key)s", key=proof.key))


def why_refused(proof: ArchiveProof) -> str:
    """What the archive lacks of what was signed; empty if nothing."""
    if not proof.missing:
        return ""
    return ngettext(
        "%(count)s signed entry is not in the archive; the first is at place %(place)s of the feed",
        "%(count)s signed entries are not in the archive; the first is at place %(place)s of the feed",
        len(proof.missing),
        place=proof.missing[0],
    )


def lines_of(archive: ArchiveReader, files: Iterable[str]) -> Iterator[bytes]:
    """The lines of records, one after the other. Those that cannot be read are left out."""
    for file in files:
        with suppress(BadItemError):
            yield from archive.read(file).splitlines(keepends=True)


def _hashes(archive: ArchiveReader, file: str) -> list[bytes]:
    """The hashes that the entries of a record end with; none of a record that cannot be read."""
    try:
        lines = archive.read(file).split(b"\n")
        return [bytes.fromhex(event.hash) for written in ndjson.read(lines) for event in written.events]
    except (BadItemError, ndjson.BrokenLineError, ValueError):
        return []  # the import of the record says why
