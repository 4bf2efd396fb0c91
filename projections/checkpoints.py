"""Checkpoints: saved folds, disposable, that keep the cost of a long game's state flat."""

from __future__ import annotations

from typing import TYPE_CHECKING
from zlib import crc32

import msgspec

from games.rulesets import RULESETS
from projections.fold import Fold
from projections.views import CHECKPOINTS

if TYPE_CHECKING:
    from sqlite_utils import Database

STRIDE = 64
"""How many entries may lie between a game's newest checkpoint and its head before another one is written."""


def load_checkpoint(db: Database, game: str, until: int) -> Fold | None:
    """The newest checkpoint of a game at version `until` or before, made by the rules of this release.

    One that is not what was saved is passed over, as if it had never been.
    """
    sql = f"select version, hash, revision, checksum, data from {CHECKPOINTS} where game = ? and version <= ?"
    for version, hash_, revision, checksum, data in db.execute(f"{sql} order by version desc", [game, until]):
        if _checksum(data) == checksum:
            try:
                fold = Fold.load(game, version, hash_, data)
            except msgspec.ValidationError:  # states had another form in the release that saved it
                return None
            return fold if revision == fold.ruleset.revision else None
    return None


def _checksum(data: bytes | str) -> int:
    return crc32(data.encode() if isinstance(data, str) else data)


def keep_checkpoint(db: Database, fold: Fold) -> None:
    """Save `fold` as a checkpoint if the game's last one lies `STRIDE` entries back or more."""
    newest = f"select max(version) from {CHECKPOINTS} where game = ? and version <= ?"
    ((version,),) = db.execute(newest, [fold.game, fold.version]).fetchall()
    if fold.version - (version or 1) >= STRIDE:
        save_checkpoint(db, fold)


def save_checkpoint(db: Database, fold: Fold) -> None:
    """Save `fold` as a checkpoint."""
    data = fold.dump()
    row = {
        "game": fold.game,
        "version": fold.version,
        "hash": fold.hash,
        "revision": RULESETS[fold.opened.ruleset].revision,
        "checksum": _checksum(data),
        "data": data,
    }
    db.table(CHECKPOINTS).insert(row, replace=True)
