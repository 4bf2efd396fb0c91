"""The games of a rebuild: each is folded from zero, written and proved, by this process or by several.

A process that helps writes into a database in its own memory. The rows, with their checksums, go to the process that
rebuilds, which alone writes the new file.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections import deque
from concurrent.futures import BrokenExecutor, Future, ProcessPoolExecutor
from multiprocessing import get_context, parent_process
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from events.errors import LogError
from events.event import Head
from events.kinds import is_of_game
from projections.catalogue.lookups import find_game
from projections.catalogue.writing import list_folds, list_unreadable
from projections.checkpoints import STRIDE, load_checkpoint, next_checkpoint, save_checkpoint
from projections.clubs import list_clubs
from projections.errors import ProjectionError
from projections.fold import Fold
from projections.history import Corrections, Segment
from projections.views import CATALOGUE, CHECKPOINT, CLUBS_TABLE, PLAYERS_TABLE, SEARCH_TABLE, empty

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from sqlite_utils import Database

    from events.event import Event
    from events.log import LogReader

MOST = 8
"""The most processes that help: each needs some 60 MB."""

SHARE, AHEAD = 5_000, 2
"""Entries that a process gets at a time, about, and how many such shares of each are waited for."""

TABLES = (CATALOGUE, SEARCH_TABLE, PLAYERS_TABLE, str(CHECKPOINT), CLUBS_TABLE)
"""What a game has rows in."""


class ProofError(ProjectionError):
    """The new read models differ from a fold from zero. The old ones stay in use."""


class HelperLostError(ProjectionError):
    """A helping process has ended, and with it the rebuild. The old read models stay in use."""


class Made(NamedTuple):
    """Some games that are in the new read models: how many entries they have, and why some cannot be read."""

    games: Sequence[str]
    entries: int
    unreadable: dict[str, str]


def make_games(db: Database, log: LogReader, heads: Iterable[Head], projected: int) -> Made:
    """Write some games into the read models `db`, and prove them. Raises `ProofError`."""
    games, entries, unreadable = list[str](), 0, dict[str, str]()
    for head in heads:
        games.append(head.game)
        with db.atomic():
            try:
                entries += _make(db, log, head, projected)
            except ProofError:
                raise
            except (ProjectionError, LogError) as error:
                unreadable[head.game] = str(error)
                list_unreadable(db, head.game, str(error), projected)
    return Made(games, entries, unreadable)


def _make(db: Database, log: LogReader, head: Head, projected: int) -> int:
    """One game's checkpoints and row, proved; returns how many entries it has."""
    game, until = head.game, head.version
    events = list(log.read(game, 0, until))
    if not is_of_game(events[0].type):
        list_clubs(db, [game])
        return len(events)
    corrections = Corrections(events)
    fold = Fold.start(events[0], corrections.adopted)
    if fold.blocked_by:
        list_folds(db, [Segment(fold, events[1:], corrections).blocked_at(fold.blocked_by)], projected)
        return len(events)
    due = 1 + STRIDE
    while due < until:
        if corrections.unchanged_since(due):
            Segment(fold, events[fold.version : due], corrections).run_to_end()
            save_checkpoint(db, fold)
        due = max(due + STRIDE, next_checkpoint(db, game, until))
    Segment(fold, events[fold.version :], corrections).run_to_end()
    save_checkpoint(db, fold)
    list_folds(db, [fold], projected)
    _prove(db, fold, events, corrections)
    return len(events)


def _prove(db: Database, fold: Fold, events: list[Event], corrections: Corrections) -> None:
    """Whether what was written, read back and gone on from, is what the fold from zero is."""
    saved = load_checkpoint(db, fold.game, fold.version)
    if saved is not None:
        Segment(saved, events[saved.version :], corrections).run_to_end()
        if saved.dump() != fold.dump():
            raise ProofError(f"game {fold.game}: a replay from its checkpoint differs from a full replay")
    listed = find_game(db, fold.game)
    if listed is None or (listed.version, listed.scores) != (fold.version, fold.totals()):
        raise ProofError(f"game {fold.game}: its line in the list of games differs from a full replay")


# By several processes


class _Part(NamedTuple):
    made: Made
    rows: dict[str, list[tuple[Any, ...]]]


class _Helper:
    """What a process that helps has open."""

    log: ClassVar[LogReader]
    db: ClassVar[Database]


def usable_processors() -> int:
    """The number of usable processors."""
    return len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1


def make_games_together(
    db: Database, open_log: Callable[[], LogReader], heads: Iterable[Head], projected: int, count: int
) -> Iterator[Made]:
    """As `make_games`, a share of the games after the other, by `count` processes. Each opens the log.

    Raises `ProofError`, `HelperLostError`.
    """
    try:
        with ProcessPoolExecutor(count, get_context("spawn"), _begin, (open_log,)) as pool:
            for part in _parts(pool, heads, projected, AHEAD * count):
                with db.atomic():
                    for table, rows in part.rows.items():
                        _put(db, table, rows)
                yield part.made
    except BrokenExecutor as error:
        raise HelperLostError("a process that helps to rebuild has ended: repeat the command") from error


def _parts(pool: ProcessPoolExecutor, heads: Iterable[Head], projected: int, ahead: int) -> Iterator[_Part]:
    """The parts in their order. Only so many are made ahead, as they lie in memory."""
    waiting = deque[Future[_Part]]()
    try:
        for share in _split_games(heads):
            waiting.append(pool.submit(_make_part, share, projected))
            if len(waiting) > ahead:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        pool.shutdown(cancel_futures=True)


def _split_games(heads: Iterable[Head]) -> Iterator[list[Head]]:
    share, entries = list[Head](), 0
    for head in heads:
        share.append(head)
        entries += head.version
        if entries >= SHARE:
            yield share
            share, entries = [], 0
    if share:
        yield share


def _put(db: Database, table: str, rows: list[tuple[Any, ...]]) -> None:
    if rows:
        db.conn.executemany(f"insert into {table} values ({', '.join('?' * len(rows[0]))})", rows)


def _begin(open_log: Callable[[], LogReader]) -> None:
    """Prepare a helping process. It ends with the process that rebuilds."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # it is for the process that rebuilds
    threading.Thread(target=_end_with_parent, daemon=True).start()
    _Helper.log, _Helper.db = open_log(), empty()


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _make_part(heads: Sequence[Head], projected: int) -> _Part:
    db = _Helper.db
    db.conn.execute("begin")
    try:
        made = make_games(db, _Helper.log, heads, projected)
        return _Part(made, {table: db.conn.execute(f"select * from {table}").fetchall() for table in TABLES})
    finally:
        db.conn.execute("rollback")
