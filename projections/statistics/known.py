"""The results of all games in memory, for statistics and ratings.

They follow the read models: only games that were listed again since the last look are read. So a statistic asks of the
database what changed, and not all games.
"""

from __future__ import annotations

import threading
import time
from bisect import bisect_left, insort
from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple, Protocol

from projections.catalogue.lookups import changed_results, own_games, shown_games
from projections.statistics.ratings import counts
from projections.statistics.results import order_of, result_of
from projections.views import access_cursor, cursor, number_of

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

    from sqlite_utils import Database

    from events.merges import Merges
    from projections.catalogue.queries import CatalogueViewer
    from projections.catalogue.rows import Listed
    from projections.statistics.results import Result

CHANGES = 1000
"""How many changes of who may see a game are read at once."""

AT_ONCE = 50
"""How many games are read ahead between two rests."""

MANY = 20
"""If more than one game of so many changed, all of them are sorted again."""


class Showing(Protocol):
    """The source of the set of public games."""

    def changes(self, after: int, limit: int) -> list[tuple[int, str, bool]]:
        """The changes in this order: number, game, and whether everybody may see it from then on."""


class Known(NamedTuple):
    """A snapshot of the results. It never changes.

    `stamp` is the same as long as nothing has changed. `ordered` are all results in the order of play, and `rated`
    those of them that count for ratings. `shown` are the games that everybody may see. `people` has the results of each
    person in the order of play: sets of ids would take several times the memory.
    """

    stamp: object
    ordered: Sequence[Result]
    rated: Sequence[Result]
    by_game: Mapping[str, Result]
    shown: Collection[str]
    people: Mapping[str, Sequence[Result]]


class VisibleResults(NamedTuple):
    """The known results that somebody may see: all of them, or the public ones and some of their `own`."""

    known: Known
    everything: bool
    own: frozenset[str]

    def sees(self, game: str) -> bool:
        """Whether a game may be seen."""
        return self.everything or game in self.known.shown or game in self.own

    def all(self) -> Sequence[Result]:
        """All visible results, in the order of play."""
        return self._of(self.known.ordered)

    def rated_results(self) -> Sequence[Result]:
        """The visible results that count for ratings."""
        return self._of(self.known.rated)

    def _of(self, results: Sequence[Result]) -> Sequence[Result]:
        if self.everything:
            return results
        seen, own = self.known.shown, self.own
        return [each for each in results if each.game in seen or each.game in own]

    def of_games(self, games: Collection[str]) -> list[Result]:
        """The visible results of these games, in the order of play."""
        found = (self.known.by_game.get(game) for game in games)
        return sorted((each for each in found if each and self.sees(each.game)), key=order_of)

    def results_of(self, person: str) -> list[Result]:
        """The visible results of a person, in the order of play."""
        return [each for each in self.known.people.get(person, ()) if self.sees(each.game)]


class KnownResults:
    """Keeps the results of all games. Safe to share between threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._asked = threading.Event()
        self._basis: object = None
        self._position = self._change = 0
        self._known = Known(None, (), (), {}, (), {})

    def refresh(self, db: Database, merges: Merges, showing: Showing) -> Known:
        """The current results, from the read models in `db`. Raises `ViewsDamagedError`."""
        self._asked.set()
        return self.read_ahead(db, merges, showing)

    def read_ahead(self, db: Database, merges: Merges, showing: Showing) -> Known:
        """As `refresh`, in advance. It rests half of the time until somebody waits for it."""
        with self._lock:
            identity, change = access_cursor(db)
            basis = (number_of(db), identity, merges.number)
            if basis != self._basis:
                self._known, self._position, self._change = Known(None, (), (), {}, shown_games(db), {}), -1, change
            self._read(db, merges)
            self._show(showing)
            self._basis = basis
            return self._known

    def visible_results(
        self, db: Database, viewer: CatalogueViewer | None, known: Known, may_see: Callable[[str], bool]
    ) -> VisibleResults:
        """The results that a viewer may see. `may_see` decides about games that are not public."""
        if viewer is None:
            return VisibleResults(known, everything=True, own=frozenset())
        own = (game for game in own_games(db, viewer) if game in known.by_game and game not in known.shown)
        return VisibleResults(known, everything=False, own=frozenset(filter(may_see, own)))

    def _read(self, db: Database, merges: Merges) -> None:
        """Take in the games that were listed since the last look, and those of the last step once more."""
        position, _ = cursor(db)
        if position == self._position:
            return
        since = changed_results(db, self._position)
        found = {listed.game: result_of(listed, merges) for listed in self._with_rests(since)}
        before = self._known
        changed = {game: now for game, now in found.items() if now != before.by_game.get(game)}
        self._position = position
        if changed:
            self._known = _after(before, changed)

    def _with_rests(self, found: Iterable[Listed]) -> Iterator[Listed]:
        """The games, with rests as long as nobody waits."""
        began = time.monotonic()
        for number, listed in enumerate(found, 1):
            yield listed
            if number % AT_ONCE == 0 and not self._asked.is_set():
                self._asked.wait(time.monotonic() - began)
                began = time.monotonic()

    def _show(self, showing: Showing) -> None:
        shown: set[str] | None = None
        while changes := showing.changes(self._change, CHANGES):
            shown = set(self._known.shown) if shown is None else shown
            for _, game, is_public in changes:
                (shown.add if is_public else shown.discard)(game)
            self._change = changes[-1][0]
        if shown is not None:
            self._known = self._known._replace(stamp=object(), shown=shown)


def _after(before: Known, changed: Mapping[str, Result | None]) -> Known:
    """The results after changes of some games."""
    by_game = dict(before.by_game)
    for game, now in changed.items():
        if now:
            by_game[game] = now
        else:
            by_game.pop(game, None)
    old = [result for game in changed if (result := before.by_game.get(game))]
    new = [result for result in changed.values() if result]
    return Known(
        object(),
        _in_order(before.ordered, old, new),
        _in_order(before.rated, filter(counts, old), filter(counts, new)),
        by_game,
        before.shown,
        _people(before, changed),
    )


def _in_order(before: Sequence[Result], old: Iterable[Result], new: Iterable[Result]) -> list[Result]:
    """Results in the order of play, without the old ones and with the new ones."""
    gone, come = list(old), list(new)
    if (len(gone) + len(come)) * MANY > len(before):
        out = {id(each) for each in gone}
        return sorted((*(each for each in before if id(each) not in out), *come), key=order_of)
    ordered = list(before)
    for each in gone:
        del ordered[bisect_left(ordered, order_of(each), key=order_of)]
    for each in come:
        insort(ordered, each, key=order_of)
    return ordered


def _people(before: Known, changed: Mapping[str, Result | None]) -> dict[str, Sequence[Result]]:
    """The results of each person, in the order of play."""
    come: defaultdict[str, list[Result]] = defaultdict(list)
    gone: defaultdict[str, list[Result]] = defaultdict(list)
    for game, now in changed.items():
        for where, result in ((gone, before.by_game.get(game)), (come, now)):
            if result:
                for person in {*result.seats} - {None}:
                    where[str(person)].append(result)
    people = dict(before.people)
    for person in come.keys() | gone.keys():
        people[person] = _in_order(people.get(person, ()), gone[person], come[person])
    return people
