"""Checkpoints: saved folds, disposable, that keep the cost of a long game's state flat."""

from __future__ import annotations

import sqlite3
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple
from zlib import crc32

import msgspec

from projections.fold import Fold
from projections.views import CHECKPOINTS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sqlite_utils import Database

STRIDE = 64
"""How many entries may lie between a game's newest checkpoint and its head before another one is written."""


class Checkpoint(NamedTuple):
    """A saved fold as it was written: at which version, with whose hash, by which revision of the rules."""

    version: int
    hash: str
    revision: int
    data: bytes


def checkpoints_of(db: Database, game: str) -> Iterator[Checkpoint]:
    """The checkpoints of a game that are used: those that are what was saved."""
    sql = f"select version, hash, revision, data, checksum from {CHECKPOINTS} where game = ? order by version"
    for *saved, checksum in db.execute(sql, [game]).fetchall():
        if _checksum(game, *saved) == checksum:
            yield Checkpoint(*saved)


def load_checkpoint(db: Database, game: str, until: int) -> Fold | None:
    """The newest checkpoint of a game at version `until` or before, made by the rules of this release.

    One that is not what was saved is passed over, as if it had never been.
    """
    sql = f"select version, hash, revision, checksum, data from {CHECKPOINTS} where game = ? and version <= ?"
    with suppress(sqlite3.DatabaseError):  # there are none in a damaged file
        for version, hash_, revision, checksum, data in db.execute(f"{sql} order by version desc", [game, until]):
            if _checksum(game, version, hash_, revision, data) != checksum:
                continue
            try:
                fold = Fold.load(game, version, hash_, data)
            except msgspec.ValidationError:  # states had another form in the release that saved it
                return None
            kept = fold.revision == fold.ruleset.going_by(fold.pinned)
            return fold if kept and revision == fold.ruleset.revision else None
    return None


def _checksum(*saved: object) -> int:
    return crc32(repr(saved).encode())


def newest_checkpoint(db: Database, game: str, until: int) -> int:
    """The version of a game's newest checkpoint at `until` or before, 1 if there is none."""
    newest = f"select max(version) from {CHECKPOINTS} where game = ? and version <= ?"
    ((version,),) = db.execute(newest, [game, until]).fetchall()
    return version or 1


def save_checkpoint(db: Database, fold: Fold) -> None:
    """Save `fold` as a checkpoint."""
    data, revision = fold.dump(), fold.ruleset.revision
    row = {
        "game": fold.game,
        "version": fold.version,
        "hash": fold.hash,
        "revision": revision,
        "checksum": _checksum(fold.game, fold.version, fold.hash, revision, data),
        "data": data,
    }
    db.table(CHECKPOINTS).insert(row, replace=True)


def drop_checkpoints(db: Database, game: str) -> None:
    """Delete all checkpoints of a game."""
    db.execute(f"delete from {CHECKPOINTS} where game = ?", [game])


def prove_checkpoints(db: Database) -> Iterator[str]:
    """The checkpoints that are not what was saved. They do no harm: they are passed over."""
    try:
        for game, version, *saved, checksum in db.execute(
            f"select game, version, hash, revision, data, checksum from {CHECKPOINTS}"
        ):
            if _checksum(game, version, *saved) != checksum:
                yield f"the checkpoint of game {game} at version {version} is not what was saved"
    except sqlite3.Error as error:
        yield str(error)
