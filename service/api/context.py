"""The context: everything that a running service holds open."""

from __future__ import annotations

import contextlib
import logging
import threading
from typing import TYPE_CHECKING

from events.errors import GameUnknownError, LogBusyError
from events.kinds import is_of_game
from events.schemas import SCHEMAS
from events.tree.tree import Tree
from events.types import GameOpened
from projections.archive import Archive
from projections.catalogue.lookups import find_unsealed, has_played, seats_of, titles_of
from projections.growing import NoticeBoard, TreeGrower, agree_on_key
from projections.projector import Projector, RebuildingError
from projections.sharing import Leader
from projections.statistics.kept import KeptFigures
from projections.statistics.known import KnownResults
from projections.watching import FeedWatcher
from service.access.heads import signed_head
from service.access.stores import open_store
from service.server.orders import StreamNotifier
from service.settings import cosigners
from service.webhooks.deliveries import Deliveries
from workers.analyses import Analyses
from workers.analysing import Analyst
from workers.differences import SelfAudits
from workers.digests import Digests
from workers.host import host_name
from workers.jobs import make_snapshot
from workers.lease import open_keys
from workers.monitor import Monitor
from workers.results import Results

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Callable, Iterator

    from projections.clubs import Club
    from projections.statistics.moves import MoveFigures
    from projections.statistics.parts import Parts
    from projections.statistics.ratings import Ladder
    from projections.statistics.years import KindScores, Month
    from service.settings import Settings
    from service.witnesses import Witnesses

logger = logging.getLogger(__name__)

CONNECTIONS, CONNECTIONS_WEB = 80, 21
"""How many connections to a database the processes of a host can have, and each of its web processes besides."""

MOST_RATED = 500_000
"""How many games the ratings have that a process keeps. Each takes some 165 bytes."""

READ_MODEL_WAIT = 1.0
"""Seconds that a request waits for read models that are not ready yet."""


class Context:
    """The open archive, the threads that keep read models and tree up to date, and derived work.

    `leader` is True in the process that runs these threads, if several serve one data folder. `monitor` reads the
    workers' queue; it is None without Redis. `host` is the name of this host. `deliveries` are those that hosts share.
    Those of a folder are opened on demand, because the deliverer may set a damaged file aside.
    """

    owner_token = ""
    """The secret of the owner's token, as the data folder keeps it."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._at_close: list[Callable[[], object]] = []
        self.archive = Archive(settings.data, settings.database_url, settings.replica_url)
        try:
            if settings.database_url:
                _compare_connections(settings)
            self.host = host_name(settings.data)
            self.access = open_store(settings, self.host, shared=self.archive.log.shared)
        except BaseException:
            self.archive.close()
            raise
        self.leader = Leader(settings.data)
        self._open_results()
        self._keep_figures()
        self._told_unsealed = False
        self.keys = open_keys(settings.data, self.results, settings.database_url)
        self._open_tree()
        self._follow_log()

    def _open_results(self) -> None:
        """Open the results of derived work, and everything that computes and shows them."""
        settings = self.settings
        self.results = Results(settings.data, settings.database_url, proved=True, remake=self._snapshot)
        self.deliveries = Deliveries(settings.data, settings.database_url) if settings.database_url else None
        self.analyses = Analyses(self.results)
        self.audits = SelfAudits(self.results)
        self.analyst = Analyst(self.analyses, self.archive.folds, self.archive.log)
        self.monitor = Monitor(self.archive.log, self.results, settings.redis_url) if settings.redis_url else None
        self.digests = Digests(self.results, self.archive.folds)

    def _keep_figures(self) -> None:
        """Make the caches of statistics, in memory."""
        self.known = KnownResults()
        self.ladders: KeptFigures[Ladder] = KeptFigures(len, MOST_RATED)
        self.move_figures: KeptFigures[MoveFigures] = KeptFigures()
        self.scores: KeptFigures[Parts[dict[str, KindScores]]] = KeptFigures()
        self.months: KeptFigures[Parts[Month]] = KeptFigures()
        self.lucky: KeptFigures[Counter[str]] = KeptFigures()

    def _open_tree(self) -> None:
        """Open the tree over the log, and compare access with the head that it signed."""
        settings = self.settings
        self.tree = Tree(
            settings.data, self.archive.log, grows=True, beside=lambda: self.access.line, shared_key=settings.tree_key
        )
        if isinstance(self.archive.log, NoticeBoard):
            agree_on_key(self.tree, self.archive.log)
        self.access.hold_to(signed_head(self.tree))

    def _follow_log(self) -> None:
        """Start the threads that follow the log: read models, tree, witnesses, and entries of other processes."""
        log = self.archive.log
        self.projector = Projector(log, self.archive.folds, self.archive.views, self.access, leader=self.leader)
        self.grower = TreeGrower(log, self.tree, leader=self.leader, lists=self.projector.wait)
        self.live = StreamNotifier.from_environment()
        log.subscribe(self.live.notify)
        self.witnesses = self._witnesses()
        followers = {"projector": self.projector.run, "grower": self.grower.run}
        if self.witnesses:
            followers["witnesses"] = self.witnesses.run
        self.watcher = FeedWatcher(log, self.projector.wake, self.leader) if log.shared else None
        self._threads = [threading.Thread(target=run, name=name, daemon=True) for name, run in followers.items()]
        for thread in self._threads:
            thread.start()
        if self.watcher:  # nothing waits for it: it ends at the latest when the log is closed
            threading.Thread(target=self.watcher.run, name="watcher", daemon=True).start()

    def catch_up(self) -> None:
        """Bring the read models and the tree up to date now."""
        self.projector.catch_up()
        self.tree.grow()

    def seats_of_people(self, game: str, people: frozenset[str]) -> frozenset[int] | None:
        """The seats that a person, who goes by these ids, has in a game; None if they never sat there.

        Raises `RebuildingError`.
        """
        self._need_views()
        return seats_of(self.archive.views.db, game, people)

    def titles_of(self, people: frozenset[str]) -> dict[str, str]:
        """The titles and places of the games in which one of these people ever sat. Raises `RebuildingError`."""
        self.need_newest_lists()
        return titles_of(self.archive.views.db, people)

    def is_known_person(self, person: str) -> bool:
        """Whether a person has, or had, a name, a seat or a part in access. Raises `RebuildingError`."""
        people, access = self.archive.log.people, self.access
        if people.named_ids([person]) or people.erased_among([person]) or person == access.owner:
            return True
        if access.granted_roles(person=person) or access.credentials([person]):
            return True
        return self.has_played(person)

    def opener(self, game: str) -> str | None:
        """The person who opened a game, directly or by an app; None for a fork, which has entries of other people.

        Raises `LogError`.
        """
        first = self.archive.log.find(game, game)
        if first is None:
            raise GameUnknownError(game)
        opened = SCHEMAS.read(first)
        if not isinstance(opened, GameOpened) or opened.origin:
            return None
        by_app = self.access.credential(first.recorder)
        return by_app.person if by_app else first.recorder

    def find_club(self, club: str) -> Club | None:
        """The club with this id; None if there is none."""
        return self.archive.clubs.find(club)

    def is_game(self, record: str) -> bool | None:
        """Whether the record with this id is that of a game, and not of a club; None if there is none.

        Raises `LogError`.
        """
        first = self.archive.log.find(record, record)
        return None if first is None else is_of_game(first.type)

    def has_played(self, person: str) -> bool:
        """Whether a person ever sat in a game. Raises `RebuildingError`."""
        self.need_newest_lists()
        return has_played(self.archive.views.db, person)

    def need_newest_lists(self) -> None:
        """Wait until the read models hold each entry that was stored before this call. Raises `RebuildingError`.

        For what lasts: a pairing, a stored result, an erasure. A list that is only shown may be a moment older.
        """
        if not self.projector.reach(self.archive.log.position(), READ_MODEL_WAIT):
            raise RebuildingError(self.projector.rebuilding)

    def _need_views(self) -> None:
        if not self.projector.wait(READ_MODEL_WAIT):
            raise RebuildingError(self.projector.rebuilding)

    def shows_tree(self) -> bool:
        """Whether everybody may read the tree: the settings allow it, and no hash in it reveals anything.

        Raises `RebuildingError` until the last entries are listed.
        """
        if self.settings.tree != "open":
            return False
        unsealed = self.unsealed_in_tree()
        if unsealed and not self._told_unsealed:
            logger.warning("KIFU_TREE=open: the tree takes a token, because game %s has no seals", unsealed)
        self._told_unsealed = unsealed is not None
        return unsealed is None

    def unsealed_in_tree(self) -> str | None:
        """A game in the tree with hashes that not everybody may know, if there is one.

        Raises `RebuildingError` until the last entries are listed.
        """
        if not self.projector.reach(self.tree.size, READ_MODEL_WAIT):
            raise RebuildingError(self.projector.rebuilding)
        return find_unsealed(self.archive.views.db)

    def forget(self, game: str) -> None:
        """Make everything derived from a game anew after an erasure in it. Raises `LogBusyError`."""
        self.results.erase_dead_letter(game)
        self.analyses.forget(game)
        self.analyst.forget()
        self.projector.forget(game)
        try:
            self.live.forget(game)
        except OSError as error:
            raise LogBusyError("the content is erased, but live streams may still show it for a moment") from error

    @contextlib.contextmanager
    def open_deliveries(self) -> Iterator[Deliveries]:
        """The deliveries of webhooks, beside the process that makes them. Raises `LogError`."""
        if self.deliveries:
            yield self.deliveries
            return
        with contextlib.closing(Deliveries(self.settings.data)) as found:
            yield found

    def _witnesses(self) -> Witnesses | None:
        """The witnesses that cosign the tree, if any are set."""
        if not (found := cosigners(self.settings)):
            return None
        from service.witnesses import Witnesses  # noqa: PLC0415 - its client takes its time to load

        return Witnesses(self.tree, found, self.settings.data, lambda: self.leader.leads)

    def _snapshot(self, game: str, version: int) -> None:
        make_snapshot(self.results, self.archive.folds, game, version)

    def at_close(self, call: Callable[[], object]) -> None:
        """Register a function to call when the service stops."""
        self._at_close.append(call)

    def close(self) -> None:
        """Stop the projector and the grower, and close the archive."""
        for call in self._at_close:
            call()
        if self.watcher:
            self.watcher.stop()
        self.projector.stop()
        self.grower.stop()
        if self.witnesses:
            self.witnesses.stop()
        for thread in self._threads:
            thread.join()
        if self.monitor:
            self.monitor.close()
        if self.deliveries:
            self.deliveries.close()
        self.results.close()
        self.live.close()
        self.access.close()
        self.archive.close()
        self.leader.close()
        self.keys.close()


def _compare_connections(settings: Settings) -> None:
    """Print a warning if the database allows fewer connections than this host may need. Raises `LogError`."""
    from events.postgres import connections_allowed  # noqa: PLC0415 - its driver takes its time to load

    allowed, wanted = connections_allowed(settings.database_url), CONNECTIONS + CONNECTIONS_WEB * settings.web_processes
    if allowed < wanted:
        logger.warning(
            "the database allows %d connections, and this host can want %d: set max_connections to %d for each host",
            *(allowed, wanted, wanted),
        )
