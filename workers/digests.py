"""Digests as rows of the results: one per game, version, and revision of digests and rules."""

from __future__ import annotations

import time
from contextlib import suppress
from typing import TYPE_CHECKING

import msgspec

from events.errors import LogError
from events.event import now_ms
from projections.errors import ProjectionError
from projections.statistics.digests import REVISION, Digest, digest_of
from workers.results import RESULT

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from events.databases.rows import Rows
    from projections.folds import Folds
    from workers.results import Results

DIGEST = "digest"
"""The kind of result for digests. Its parameters are the revision of digests."""

TOGETHER = 500
"""The most digests that one statement reads."""

_decoder = msgspec.json.Decoder(Digest)


class Digests:
    """The digests of one data folder, or of all hosts that share a database. Safe to share between threads."""

    def __init__(self, results: Results, folds: Folds) -> None:
        self._results, self._folds = results, folds

    def find(self, games: Mapping[str, int], seconds: float) -> dict[str, Digest]:
        """The digests of games at their versions. Missing ones are made within `seconds`, but at least one.

        A game without one was not reached in time, or cannot be replayed.
        """
        found, deadline = {each.game: each for each in self._stored(games)}, time.monotonic() + seconds
        for game in [game for game in games if game not in found] if seconds > 0 else ():
            with suppress(ProjectionError, LogError):
                found[game] = self.make(game, games[game])
            if time.monotonic() >= deadline:
                break
        return found

    def make(self, game: str, version: int) -> Digest:
        """Make a digest, and store it in place of older ones. Raises the errors of a replay."""
        digest = digest_of(self._folds, game, version)
        hash_ = self._folds.at(game, version).hash
        data = msgspec.json.encode(digest).decode()
        row = (game, version, DIGEST, str(REVISION), digest.revision, hash_, now_ms(), data, 0, 1)

        def keep(db: Rows) -> None:
            older = f"(version < ? or parameters <> '{REVISION}')"
            db.execute(f"delete from result where game = ? and kind = '{DIGEST}' and {older}", [game, version])
            RESULT.put(db, row)

        self._results.db.run(keep)
        return digest

    def _stored(self, games: Mapping[str, int]) -> Iterator[Digest]:
        """The stored digests; of several revisions of the rules, the newest."""
        wanted = list(games)
        for start in range(0, len(wanted), TOGETHER):
            some = wanted[start : start + TOGETHER]
            where = f"where kind = '{DIGEST}' and parameters = '{REVISION}' and game in ({', '.join('?' * len(some))})"
            for row in RESULT.rows(self._results.db, f"{where} order by revision", some):
                if games[row[0]] == row[1]:
                    yield _decoder.decode(row[7])
