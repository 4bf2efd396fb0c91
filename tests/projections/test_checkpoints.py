"""Which states are kept as checkpoints."""

from __future__ import annotations

from typing import TYPE_CHECKING

from projections.checkpoints import STRIDE, keep_checkpoint, load_checkpoint

if TYPE_CHECKING:
    from tests.projections.conftest import Recorder


def test_a_checkpoint_is_kept_every_stride_of_entries(table: Recorder) -> None:
    game = table.open()
    fold = table.archive.folds.current(game).copy()
    db = table.archive.views.db
    kept = []
    for version in range(1, 3 * STRIDE):
        fold.version = version
        keep_checkpoint(db, fold)
        found = load_checkpoint(db, game, version)
        kept += [version] if found is not None and found.version == version else []
    assert kept == [1 + STRIDE, 1 + 2 * STRIDE]
