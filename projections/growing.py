"""The grower follows the feed and grows the tree over the log, or follows the process that does."""

from __future__ import annotations

import logging
import threading
import time
from typing import TYPE_CHECKING, Literal, Protocol, runtime_checkable

from events.errors import LogError
from events.tree.tree import TreeStoppedError, always
from projections.watching import News

if TYPE_CHECKING:
    from collections.abc import Callable

    from events.log import Log
    from events.tree.tree import Tree
    from projections.sharing import Leader

CHECKPOINT_INTERVAL = 1.0
"""The fewest seconds between two checkpoints."""

CHECK_INTERVAL = 1.0
"""Seconds between two looks at an idle log: a reader may have found a damaged tile."""

FOLLOW_INTERVAL = 0.1
"""Seconds between two looks whether the leader has signed something."""

QUICK = 10_000
"""Entries of a tree that is proved in no time: also a command that ends at once signs what it did."""

LISTS_FIRST = 10.0
"""Seconds for which the proof of a longer tree waits until the lists are proved. People wait for these."""

STOPPED, TILES = "tree", "tiles"
"""The leader's topic about the tree: why nothing more is signed, and requests to rebuild it."""

logger = logging.getLogger(__name__)


@runtime_checkable
class NoticeBoard(Protocol):
    """The notices that hosts of a database post for each other."""

    def notice(self, name: Literal["tree-key"]) -> str:
        """The last notice of this name."""

    def post(self, name: Literal["tree-key"], value: str, *, instead_of: str) -> None:
        """Post a notice."""


def agree_on_key(tree: Tree, board: NoticeBoard) -> None:
    """See that all hosts of a database sign with one key, that of the first; others sign nothing. Raises `LogError`."""
    if tree.stopped is not None:
        return
    own = str(tree.verifier)
    board.post("tree-key", own, instead_of="")
    if board.notice("tree-key") != own:
        why = TreeStoppedError(
            "the hosts of this database sign with another key: copy tree.key and tree/ of one of them"
        )
        tree.stopped = str(why)


class TreeGrower:
    """Grows a tree with the log, in a process that appends. Appends never wait for it.

    Where several processes have the data folder, its `leader` does, and the others take what it has signed. `lists`
    waits so many seconds for the lists, and says whether they are there.
    """

    def __init__(
        self,
        log: Log,
        tree: Tree,
        spacing: float = CHECKPOINT_INTERVAL,
        leader: Leader | None = None,
        lists: Callable[[float], bool] = bool,
    ) -> None:
        self._tree, self._spacing, self._leader, self._lists = tree, spacing, leader, lists
        self._leading = leader is None
        self._news, self._stop = News(), threading.Event()
        self._looked = threading.Condition()
        self._told = self._failed = False
        log.subscribe(self._news.note)

    def run(self) -> None:
        """Follow the feed until `stop` is called. A failure is logged and tried again: the log is the truth."""
        if self._leads() and self._tree.size > QUICK:
            self._let_lists_pass()
        while not self._stop.is_set():
            self._news.clear()
            if not self._leads():
                self._follow()
                self._stop.wait(FOLLOW_INTERVAL)
                continue
            if self._look():
                self._stop.wait(self._spacing)
            self._news.wait(CHECK_INTERVAL)
        if self._leading and (
            self._tree.is_proven or self._tree.size <= QUICK
        ):  # the last entries are signed before a rest
            self._look(ending=True)

    def _let_lists_pass(self) -> None:
        deadline = time.monotonic() + LISTS_FIRST
        while time.monotonic() < deadline and not self._stop.is_set() and not self._lists(CHECK_INTERVAL / 10):
            pass

    def stop(self) -> None:
        """End `run`."""
        self._stop.set()
        self._news.set()

    def reach(self, size: int, timeout: float) -> bool:
        """Wait up to `timeout` until the tree has `size` entries. True if it has. A stopped tree is not waited for."""
        with self._looked:
            return self._looked.wait_for(
                lambda: self._tree.size >= size or self._tree.stopped is not None or self._stop.is_set(), timeout
            ) and (self._tree.size >= size)

    def _leads(self) -> bool:
        """Whether this process grows the tree. It continues from what the earlier leader has signed."""
        if not self._leading and self._leader and self._leader.leads:
            self._tree.reload()
            self._leading = True
        return self._leading

    def _follow(self) -> None:
        """Load the checkpoint that the leader has signed, and report damaged tiles to it."""
        assert self._leader is not None  # noqa: S101 - for the types only
        self._tree.reload()
        self._tree.stopped = self._leader.published_facts().get(STOPPED, self._tree.stopped)
        if self._tree.damaged_tile_found:
            self._tree.damaged_tile_found = False
            self._leader.request_repair(TILES)
        self._tell()

    def _look(self, *, ending: bool = False) -> bool:
        """Grow the tree. True if there was something to do."""
        try:
            if self._leader and self._leader.take_request(TILES):
                self._tree.recheck_tiles()
            grew = self._tree.grow(always if ending else lambda: not self._stop.is_set())
            self._failed = False
            return grew
        except (LogError, OSError) as error:  # a full disk, or a tile to be rebuilt
            if not self._failed:
                logger.warning("the tree could not grow; trying again: %s", error)
            self._failed = True
            return True
        except Exception:
            logger.exception("the tree could not grow; trying again")
            return True
        finally:
            self._tell()

    def _tell(self) -> None:
        if self._tree.stopped is not None and not self._told:
            self._told = True
            logger.error("no checkpoint of the tree is signed any more: %s", self._tree.stopped)
        if self._leader:
            self._leader.publish(STOPPED, self._tree.stopped)
        with self._looked:
            self._looked.notify_all()
