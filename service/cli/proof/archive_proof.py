"""The proof of an archive: its entries are compared with the leaves of the signed checkpoint.

So a game that was left out or written anew is noticed, if the key of the service is known from elsewhere. The entries
lie in a temporary file, not in memory, and each record is read once.
"""

from __future__ import annotations

import io
from collections import Counter
from contextlib import closing, contextmanager, suppress
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from events import ndjson
from events.databases.files import open_temporary
from events.tree.archives import check_manifest
from events.tree.checkpoints import open_checkpoint
from events.tree.leaves import BadLeavesError, read_leaves
from events.tree.notes import BadNoteError, parse_verifier
from events.verification import join_reports
from projections.replaying import games_without_ruleset
from service.cli.proof.records import prove_records
from service.cli.shell import screen
from service.cli.shell.failures import CommandError
from service.exchange import archives
from service.exchange.archives import BadItemError
from service.exchange.incoming.plays import one_line
from service.languages import gettext, ngettext
from service.languages.plain import translated

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Iterator

    from events.tree.notes import Verifier
    from events.verification import Report
    from service.exchange.archives import ArchiveReader, Manifest

_TABLES = """
create table signed (place integer primary key, hash blob);
create table present (hash blob primary key) without rowid;
"""
"""The entries that were signed, by their places in the tree, and those in the records. Lost ones have no hash."""


class ArchiveProof(msgspec.Struct, frozen=True):
    """The signed part of an archive. Places count from 1, as in the feed.

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


class SignedEntries:
    """The signed entries of an archive. Its records are compared with them one after the other."""

    def __init__(self, archive: ArchiveReader, key: str | None, entries: sqlite3.Connection) -> None:
        """Raises `CommandError` for what cannot be believed."""
        self._archive, self._entries = archive, entries
        self._verifier = _check_signatures(archive, key, entries)

    def take(self, record: bytes) -> None:
        """Note the entries of the next record."""
        hashes = ((hash_,) for hash_ in _hashes(record))
        self._entries.executemany("insert or ignore into present values (?)", hashes)

    def proof(self) -> ArchiveProof:
        """The result of the comparison. Call it after the last record."""
        return _compared(self._archive, self._entries, str(self._verifier))


@contextmanager
def signed_entries(archive: ArchiveReader, key: str | None) -> Iterator[SignedEntries | None]:
    """The signed entries of an archive; None without a checkpoint and a key.

    Raises `CommandError` for a signature that is false, or of another key. Where a key is given, the manifest has to be
    signed, too.
    """
    if archive.has(archives.ENTRIES):
        with closing(open_temporary(_TABLES)) as entries:
            yield SignedEntries(archive, key, entries)
        return
    if key:
        raise CommandError(gettext("the archive has no signed entries, so the key proves nothing of it"))
    yield None


def prove(archive: ArchiveReader, key: str | None) -> ArchiveProof | None:
    """Compare the records of an archive with its checkpoint; None without one. Raises `CommandError`."""
    with signed_entries(archive, key) as signed:
        if signed is None:
            return None
        for each in archive.records():
            with suppress(BadItemError):  # the import of the record says why
                signed.take(archive.record(each))
        return signed.proof()


class Examined(NamedTuple):
    """The findings in an archive: in its records, its files, and its signed part.

    `missing` are the numbers of games that are not replayed, by the names of their rulesets, which are not here.
    """

    report: Report
    findings: list[str]
    missing: dict[str, int]
    proof: ArchiveProof | None


def examine(archive: ArchiveReader, key: str | None, progress: Callable[[int, int], None]) -> Examined:
    """Prove an archive with all its records. Each is read once. Raises `CommandError`."""
    findings, missing = [f"{name}: {translated(why)}" for name, why in archive.unreadable()], Counter[str]()
    with signed_entries(archive, key) as signed:
        report = join_reports(_reports(archive, signed, findings, missing, progress))
        proof = signed.proof() if signed else None
    return Examined(report, [*findings, *filter(None, [why_refused(proof) if proof else ""])], missing, proof)


def _reports(
    archive: ArchiveReader,
    signed: SignedEntries | None,
    findings: list[str],
    missing: Counter[str],
    progress: Callable[[int, int], None],
) -> Iterator[Report]:
    """The report of each record. Unreadable ones go to the `findings`.

    The rulesets of those that cannot be replayed here are counted in `missing`.
    """
    count = archive.count
    for number, each in enumerate(archive.records(), 1):
        try:
            content = archive.record(each)
        except BadItemError as error:
            findings.append(f"{each.file}: {translated(str(error))}")
            continue
        if signed:
            signed.take(content)
        report = prove_records(io.BytesIO(content))
        if report.sound and report.irregular is None:
            missing.update(games_without_ruleset(game.events for game in ndjson.read(io.BytesIO(content))))
        named = (msgspec.structs.replace(found, game=found.game or each.id) for found in report.problems)
        yield msgspec.structs.replace(report, problems=(*named,))
        progress(number, count)


def _check_signatures(archive: ArchiveReader, key: str | None, entries: sqlite3.Connection) -> Verifier:
    """Check the signatures of an archive, and load the signed entries into the table. Returns its key."""
    try:
        verifier = parse_verifier(key or archive.read(archives.KEY).decode(errors="replace"))
        signed = open_checkpoint(archive.read(archives.CHECKPOINT).decode(errors="replace"), verifier)
        leaves = read_leaves(archive.pieces(archives.ENTRIES), signed.checkpoint)
        entries.executemany("insert into signed values (?, ?)", enumerate(leaves, 1))
        if archive.manifest.signature:
            check_manifest(archive.manifest.signature, verifier, archive.digest)
    except (BadNoteError, BadItemError, BadLeavesError) as error:
        raise CommandError(
            gettext("the signatures in the archive are not valid: %(error)s", error=translated(str(error)))
        ) from error
    if key and not archive.manifest.signature:
        raise CommandError(
            gettext("the manifest is not signed, so the key proves nothing of names and components"),
            gettext("Without --key the games are still checked against the checkpoint."),
        )
    return verifier


def _compared(archive: ArchiveReader, entries: sqlite3.Connection, key: str) -> ArchiveProof:
    """Compare the signed entries with those of the records."""
    (signed,) = entries.execute("select count(*) from signed where hash != x''").fetchone()
    (later,) = entries.execute("select count(*) from present where hash not in (select hash from signed)").fetchone()
    missing, uncovered = list[int](), 0
    absent = "select place from signed where hash != x'' and hash not in present order by place"
    for (place,) in entries.execute(absent):
        if place <= archive.manifest.covered:
            missing.append(place)
        else:
            uncovered += 1
    return ArchiveProof(signed, missing, uncovered, later, key, manifest=bool(archive.manifest.signature))


def print_proof(proof: ArchiveProof, *, known: bool) -> None:
    """Print the proof."""
    screen.hint(
        gettext(
            "Checked against a signed checkpoint of %(counted)s. In the archive and not signed: %(later)s.",
            counted=ngettext("%(count)s entry", "%(count)s entries", proof.signed),
            later=proof.later,
        )
    )
    if proof.uncovered:
        screen.hint(
            gettext(
                "Signed, and not in the archive: %(uncovered)s. The archive says that they came while it was written.",
                uncovered=ngettext("%(count)s entry", "%(count)s entries", proof.uncovered),
            )
        )
    if not proof.manifest:
        screen.hint(gettext("The manifest is not signed: names, components and the trail are not proved."))
    if not known:
        screen.hint(gettext("Compare the key, or give it with --key: %(key)s", key=proof.key))


SHOWN = 20
"""Games that are named, of those that are not in an archive."""


def tell_gaps(manifest: Manifest) -> None:
    """Print what was left out when the archive was written."""
    for game, why in islice(manifest.left_out.items(), SHOWN):
        screen.warn(gettext("game %(game)s is not in the archive: %(why)s", game=one_line(game), why=one_line(why)))
    if len(manifest.left_out) > SHOWN:
        more = len(manifest.left_out) - SHOWN
        screen.warn(gettext("%(more)s more games are not in the archive", more=more))
    tell_damaged(manifest.counts.get("damaged", 0))


def tell_damaged(count: int) -> None:
    """Print the number of damaged names, merges and components that an archive lacks."""
    if count:
        screen.warn(
            ngettext(
                "%(count)s damaged name, merge or component is not in the archive; `kifu verify` names it",
                "%(count)s damaged names, merges or components are not in the archive; `kifu verify` names them",
                count,
            )
        )


def why_refused(proof: ArchiveProof) -> str:
    """The reason to refuse an archive: signed entries that it lacks; empty if it is complete."""
    if not proof.missing:
        return ""
    return ngettext(
        "%(count)s signed entry is not in the archive; the first is at place %(place)s of the feed",
        "%(count)s signed entries are not in the archive; the first is at place %(place)s of the feed",
        len(proof.missing),
        place=proof.missing[0],
    )


class _Hashed(msgspec.Struct):
    """The entry that a line claims to be. The claim is proved elsewhere."""

    hash: str


_hashed = msgspec.json.Decoder(_Hashed)


def _hashes(record: bytes) -> list[bytes]:
    """The hashes of the entries of a record; empty for an unreadable one."""
    _, *lines = record.split(b"\n")
    try:
        return [bytes.fromhex(_hashed.decode(line).hash) for line in lines if line]
    except (ValueError, RecursionError):
        return []
