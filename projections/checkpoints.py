"""Checkpoints: saved, disposable folds. They keep the cost of a long game's state flat.

All checkpoints of a game together are no larger than its entries in the log. Old ones lie further apart than new ones.
"""

from __future__ import annotations

import sqlite3
import zlib
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from projections.fold import Fold
from projections.thinning import SavedVersion, versions_to_drop
from projections.views import CHECKPOINT

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sqlite_utils import Database

STRIDE = 64
"""The fewest entries between two checkpoints when they are written."""

BYTES_PER_ENTRY = 256
"""Bytes of checkpoints that a game may keep for each of its entries: about what an entry takes in the log."""

WRITTEN_BYTES_PER_ENTRY = 2 * BYTES_PER_ENTRY
"""Bytes of checkpoints that may be written for each entry of a game, those included that are thinned out later."""

_FAST = 1
"""The level of compression: checkpoints are written often and read rarely."""


class Checkpoint(NamedTuple):
    """A saved fold: its version, the hash of that entry, and the revision of the rules that made it."""

    version: int
    hash: str
    revision: int
    data: bytes


def checkpoints_of(db: Database, game: str) -> Iterator[Checkpoint]:
    """The sound checkpoints of a game."""
    sql = f"select {CHECKPOINT.names} from {CHECKPOINT} where game = ? order by version"
    for row in db.execute(sql, [game]).fetchall():
        if CHECKPOINT.fits(row):
            _, version, hash_, revision, data, _ = row
            yield Checkpoint(version, hash_, revision, zlib.decompress(data))


def load_checkpoint(db: Database, game: str, until: int) -> Fold | None:
    """The newest checkpoint of a game at version `until` or earlier, made by the rules of this release.

    A damaged one is ignored.
    """
    sql = f"select {CHECKPOINT.names} from {CHECKPOINT} where game = ? and version <= ?"
    with suppress(sqlite3.DatabaseError):  # there are none in a damaged file
        for row in db.execute(f"{sql} order by version desc", [game, until]):
            if not CHECKPOINT.fits(row):
                continue
            _, version, hash_, revision, data, _ = row
            try:
                fold = Fold.load(game, version, hash_, zlib.decompress(data))
            except msgspec.ValidationError:  # states had another form in the release that saved it
                return None
            kept = fold.revision == fold.ruleset.effective_revision(fold.pinned_revision)
            return fold if kept and revision == fold.ruleset.revision else None
    return None


def next_checkpoint(db: Database, game: str, until: int) -> int:
    """The version of a game's next checkpoint, after the newest one at `until` or earlier."""
    sql = f"select version, length(data) from {CHECKPOINT} where game = ? and version <= ?"
    version, size = db.execute(f"{sql} order by version desc limit 1", [game, until]).fetchone() or (1, 0)
    return int(version) + max(STRIDE, size // WRITTEN_BYTES_PER_ENTRY)


def save_checkpoint(db: Database, fold: Fold) -> None:
    """Save `fold` as a checkpoint, and delete older ones of its game if there are too many."""
    data, revision = zlib.compress(fold.dump(), _FAST), fold.ruleset.revision
    CHECKPOINT.put(db, (fold.game, fold.version, fold.hash, revision, data))
    _thin(db, fold.game)


def _thin(db: Database, game: str) -> None:
    """Delete checkpoints of a game down to the number that its length allows."""
    sql = f"select version, length(data) from {CHECKPOINT} where game = ? order by version"
    saved = [SavedVersion(*row) for row in db.execute(sql, [game]).fetchall()]
    for version in versions_to_drop(saved, saved[-1].version * BYTES_PER_ENTRY):
        db.execute(f"delete from {CHECKPOINT} where game = ? and version = ?", [game, version])


def drop_checkpoints(db: Database, game: str) -> None:
    """Delete all checkpoints of a game."""
    db.execute(f"delete from {CHECKPOINT} where game = ?", [game])


def prove_checkpoints(db: Database) -> Iterator[str]:
    """The damaged checkpoints. They do no harm: they are ignored."""
    try:
        yield from CHECKPOINT.find_faults(db)
    except sqlite3.Error as error:
        yield str(error)
