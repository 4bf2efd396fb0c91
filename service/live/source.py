"""The event source: finds what to send next, from the listener's current viewpoint.

It reads the log, its states and the store of access, which take their time, in a thread that is not that of the
connections. What several listeners are to be told from one point of view is made once.
"""

from __future__ import annotations

import time
from contextlib import suppress
from itertools import islice
from operator import attrgetter
from typing import TYPE_CHECKING, Literal, NamedTuple

import msgspec

from events.errors import GameUnknownError, LogError
from events.event import LogEnd
from events.kinds import is_of_game, kind_of
from events.schemas import SCHEMAS
from games.words import in_english
from projections.archive import ReadingArchive
from projections.errors import ProjectionError
from projections.timeline import Entry, timeline
from service.access.names import names_of, people_in
from service.access.reading import open_reader
from service.live.analysis_info import AnalysisInfo, analysis_info
from service.live.rights import Rights
from service.problems.early import translated_to
from workers.analyses import Analyses
from workers.results import Results

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence
    from pathlib import Path

    from events.event import Event
    from games.contract import Viewpoint
    from service.server.orders import Form, Subscription
    from workers.analyses import Analysis

PAGE = 50
"""How many entries are told together: so many are told in the time of a hundredth of a second or two."""

LONGEST_PAGE = 500
"""How many entries of all games are told together, at most, to somebody who is far behind."""

PAGE_TIME = 0.02
"""Seconds of a processor that pages should take: others wait meanwhile. The next have more entries, or fewer."""

FEED = 2000
"""How many events of the feed are taken together when it is only asked which games they are of."""

NOBODY: frozenset[str] = frozenset()

CHANGED = "your rights have changed: connect again"
UNREADABLE = "this game cannot be read at the moment"


class EntryStreamed(msgspec.Struct, frozen=True):
    """The message about an entry of a game: `entry` as its timeline has it, the names of `people` by their ids.

    `event` is `closed` if the record was closed by it, else `entry`. `id` is where to go on after it: the version, or,
    in the stream of all games, the position in the feed.
    """

    event: str
    id: int
    game: str
    entry: Entry
    people: dict[str, str]


class RecordStreamed(msgspec.Struct, frozen=True):
    """A club, a season or a tournament has a new entry: the `record` is at `version`."""

    event: Literal["club", "season", "tournament"]
    id: int
    record: str
    version: int


class AnalysisStreamed(msgspec.Struct, frozen=True):
    """The message about an analysis of a game: its progress and its result so far.

    `event` is `ended` if there is no work left, else `progress`. `id` stands for the content: a client that connects
    again with it only gets what is new.
    """

    event: str
    id: int
    game: str
    analysis: AnalysisInfo


class StreamEnd(msgspec.Struct, frozen=True):
    """The last message of a stream, with the reason of its end."""

    event: str
    why: str


class ListenerCursor(NamedTuple):
    """The cursor of a listener: it gets everything after `after` that `subscription` may still see from `viewpoint`.

    In the stream of everything each game has a point of view of its own, and `viewpoint` is empty. Why there is no more
    to tell is said in a `language`.
    """

    subscription: Subscription
    viewpoint: str
    form: Form
    after: int
    language: str = "en"


class StreamPage(NamedTuple):
    """The next that is told: as it is written, up to where, when the last of it was recorded, how many entries it
    has (`told`), and if there is more. It ends with the `last` one; it is `gone` if the right to more is.
    """

    content: bytes
    reached: int
    told: int = 0
    recorded_at: int = 0
    more: bool = False
    last: bool = False
    gone: bool = False


class EventSource:
    """Reads one data folder. For one thread.

    Raises `FileNotFoundError`, `LogError`, `sqlite3.Error`.
    """

    def __init__(self, folder: Path, database_url: str = "") -> None:
        self.archive = ReadingArchive(folder, database_url)
        self.access = open_reader(folder, database_url)
        self._results = Results(folder, database_url)
        self._analyses = Analyses(self._results)
        self._rights = Rights(self.access, self.archive.folds, self.archive.log.people.merges)
        self._position = self._erasure = 0
        self._changed = False
        self._pages: dict[tuple[str, Viewpoint, bool, Form, int], StreamPage] = {}
        self._told: dict[tuple[str, Viewpoint, int, int], list[Entry]] = {}
        self._heads: dict[str, int] = {}
        self._feeds: dict[int, list[tuple[int, Event]]] = {}
        self._kept: dict[str, int] = {}
        self._kept_at = LogEnd(0)
        self._size = self._most = PAGE
        self._found: dict[str, Analysis | None] = {}

    def skip(self) -> None:
        """Skip everything that is in the feed now."""
        self._position = self.archive.log.position()

    def changed_games(self) -> tuple[set[str], bool]:
        """The games with new entries since the last call, and whether there may be more."""
        games, count = set[str](), 0
        if self.archive.log.recent_end().position <= self._position:
            return games, False
        for position, event in self.archive.log.feed(self._position, FEED):
            games.add(event.game)
            self._position = position
            count += 1
        return games, count == FEED

    def done_watches(self, watched: Collection[tuple[str, int]]) -> set[tuple[str, int]]:
        """The items of `watched` that are done: the game went beyond the version, or cannot be read."""
        return {(game, after) for game, after in watched if self._version(game) > after}

    def progressed(self, held: Iterable[ListenerCursor]) -> set[ListenerCursor]:
        """The listeners in `held` that follow an analysis with news."""
        by_id = {each: each.subscription.analysis for each in held if each.subscription.analysis is not None}
        marks = self._analyses.marks(set(by_id.values()))
        return {each for each, id_ in by_id.items() if marks.get(id_) != each.after}

    def pages(self, wanted: Iterable[ListenerCursor]) -> dict[ListenerCursor, StreamPage]:
        """The next page of each cursor, with what the listener may see now.

        It first looks at what there is, and then at rights. So a person who lost a right before another entry came does
        not get that entry.
        """
        asked = list(wanted)
        self._see(asked)
        self._renew()
        self._pages, self._told = {}, {}
        began = time.thread_time()
        pages = {each: self._page(each) for each in asked}
        if any(page.more for page in pages.values()):
            self._fit(time.thread_time() - began)
        return pages

    def _fit(self, seconds: float) -> None:
        """Make the next pages of all games longer after quick ones, and shorter after slow ones."""
        if seconds > PAGE_TIME:
            self._size = max(self._size // 2, PAGE)
        elif seconds < PAGE_TIME / 2:
            self._size = min(self._size * 2, LONGEST_PAGE)

    def rights_changed(self) -> bool:
        """Whether anybody's rights may have changed since the last call."""
        self._renew()
        changed, self._changed = self._changed, False
        return changed

    def last_pages(self, held: Iterable[ListenerCursor]) -> dict[ListenerCursor, StreamPage]:
        """The last pages for those listeners who may not listen any more."""
        self._renew()
        return {each: page for each in held if (page := self._refused(each))}

    def forget(self, game: str) -> None:
        """Forget a game in memory."""
        self.archive.folds.forget(game)

    def close(self) -> None:
        """Close the files."""
        self.archive.close()
        self.access.close()
        self._results.close()

    def _see(self, wanted: Iterable[ListenerCursor]) -> None:
        """Read the current ends of the wanted games and analyses, and of the feed."""
        self._heads, self._feeds, self._found = {}, {}, {}
        self._most = self._size
        for each in wanted:
            subscription = each.subscription
            if subscription.game is None:
                self._feeds[each.after] = list(islice(self.archive.log.feed(each.after, self._size), self._size))
            elif subscription.analysis is not None:
                self._found[subscription.analysis] = self._analyses.find(subscription.analysis)
            else:
                self._see_head(subscription.game)
        self._see_heads_of_feeds()

    def _see_heads_of_feeds(self) -> None:
        """Read the current ends of the games in the feed. They are needed again and again while listeners catch up."""
        end = self.archive.log.recent_end()
        if end != self._kept_at:
            self._kept_at, self._kept = end, {}
        least = {event.game: event.version for events in self._feeds.values() for _, event in events}
        for game, version in least.items():
            if self._kept.get(game, 0) >= version:
                self._heads.setdefault(game, self._kept[game])
            else:
                self._see_head(game)
        self._kept |= {game: self._heads[game] for game in least if game in self._heads}

    def _see_head(self, game: str) -> None:
        with suppress(LogError):  # of a game that has none here nothing can be told
            head = self.archive.log.head(game)
            self._heads[game] = head.version if head else 0

    def _renew(self) -> None:
        if (erasure := self.archive.log.recent_end().erasure) != self._erasure:
            self.archive.folds.forget_erased()
            self._erasure = erasure
        self._changed |= self._rights.renew()

    def _version(self, game: str) -> int:
        try:
            head = self.archive.log.head(game)
        except LogError:
            return 1 << 62
        return head.version if head else 1 << 62

    def _refused(self, wanted: ListenerCursor) -> StreamPage | None:
        """The last page for a listener who may not see this any more, or only from another viewpoint."""
        subscription = wanted.subscription
        if subscription.game is None:
            holds = self._rights.holds(subscription)
        elif subscription.analysis is not None:
            holds = self._rights.sees(subscription, subscription.game, wanted.viewpoint)
        else:
            viewpoint = self._rights.viewpoint(subscription, subscription.game)
            holds = viewpoint is not None and viewpoint.name == wanted.viewpoint
        return None if holds else _gone(wanted, CHANGED)

    def _page(self, wanted: ListenerCursor) -> StreamPage:
        refused = self._refused(wanted)
        if refused:
            return refused
        if wanted.subscription.game is None:
            return self._of_all(wanted)
        if wanted.subscription.analysis is not None:
            return self._of_analysis(wanted, wanted.subscription.game, wanted.subscription.analysis)
        try:
            return self._of_one(wanted, wanted.subscription.game)
        except (LogError, ProjectionError):
            return _gone(wanted, UNREADABLE)

    def _of_analysis(self, wanted: ListenerCursor, game: str, id_: str) -> StreamPage:
        """The progress of an analysis, unless the listener has it."""
        found = self._found[id_]
        if found is None:
            return _gone(wanted, CHANGED)
        if found.mark == wanted.after:
            return StreamPage(b"", wanted.after, last=not found.active)
        info = analysis_info(found, whole=self._rights.sees_all(wanted.subscription, game), with_result=True)
        event = AnalysisStreamed("progress" if found.active else "ended", found.mark, game, info)
        return StreamPage(encode_event(event, wanted.form), found.mark, last=not found.active)

    def _of_one(self, wanted: ListenerCursor, game: str) -> StreamPage:
        viewpoint = self._rights.viewpoint(wanted.subscription, game)
        if viewpoint is None or game not in self._heads:
            raise GameUnknownError(game)
        key = game, viewpoint, self._rights.knows_people(wanted.subscription, game), wanted.form, wanted.after
        if key not in self._pages:
            self._pages[key] = self._after(*key)
        return self._pages[key]

    def _after(self, game: str, viewpoint: Viewpoint, knows: bool, form: Form, after: int) -> StreamPage:
        """The next page of a game, with the names of its recorders if the listener `knows` people."""
        entries = self._entries(game, viewpoint, after, after + PAGE)
        if not entries:
            return StreamPage(b"", after)
        reached = entries[-1].version
        (last,) = self.archive.log.read(game, reached - 1, reached)
        told = self._streamed([(entry.version, game, entry, knows) for entry in entries])
        content = b"".join(encode_event(each, form) for each in told)
        return StreamPage(content, reached, len(entries), last.recorded_at, more=len(entries) == PAGE)

    def _of_all(self, wanted: ListenerCursor) -> StreamPage:
        """A page of the feed, without games that the listener may not see, or that cannot be read."""
        events = self._feeds[wanted.after]
        by_game: dict[str, list[Event]] = {}
        for _, event in events:
            if is_of_game(event.type):
                by_game.setdefault(event.game, []).append(event)
        seen: dict[tuple[str, int], Entry] = {}
        for game, own in by_game.items():
            viewpoint = self._rights.viewpoint_in_list(wanted.subscription, game)
            if viewpoint is not None and game in self._heads:
                seen |= {(game, entry.version): entry for entry in self._readable(game, viewpoint, own)}
        told = [
            (position, event.game, entry, self._rights.knows_people(wanted.subscription, event.game))
            for position, event in events
            if (entry := seen.get((event.game, event.version)))
        ]
        streamed: list[EntryStreamed | RecordStreamed] = [
            *self._streamed(told),
            *self._of_records(wanted.subscription, events),
        ]
        content = b"".join(encode_event(each, wanted.form) for each in sorted(streamed, key=attrgetter("id")))
        reached = events[-1][0] if events else wanted.after
        recorded_at = events[-1][1].recorded_at if streamed else 0
        return StreamPage(content, reached, len(streamed), recorded_at, more=len(events) == self._most)

    def _of_records(self, subscription: Subscription, events: Iterable[tuple[int, Event]]) -> Iterator[RecordStreamed]:
        """The messages about clubs, seasons and tournaments that the listener may know now."""
        for position, event in events:
            kind = kind_of(event.type)
            record = None if kind == "game" else self.archive.find_record(kind, event.game)
            if kind == "game" or record is None:
                continue
            game = getattr(SCHEMAS.read(event), "game", None)
            if self._rights.sees_entry(subscription, record, game, self.archive.find_club):
                yield RecordStreamed(kind, position, event.game, event.version)

    def _readable(self, game: str, viewpoint: Viewpoint, read: list[Event]) -> list[Entry]:
        """The messages about entries of a game; empty if the game cannot be read."""
        try:
            return self._entries(game, viewpoint, read[0].version - 1, read[-1].version, read)
        except (LogError, ProjectionError):
            return []

    def _entries(
        self, game: str, viewpoint: Viewpoint, after: int, until: int, read: Sequence[Event] = ()
    ) -> list[Entry]:
        """The entries `after < version <= until` of a game from a viewpoint, up to its end."""
        key = game, viewpoint, after, until
        if key not in self._told:
            self._told[key] = timeline(
                self.archive.folds, game, self._heads[game], after, until - after, viewpoint, read=read
            )
        return self._told[key]

    def _streamed(self, told: list[tuple[int, str, Entry, bool]]) -> list[EntryStreamed]:
        seated = {game: self._ids_at_table(game) for game in {game for _, game, _, knows in told if not knows}}
        behind = [people_in([entry], seated.get(game, NOBODY), knows=knows) for _, game, entry, knows in told]
        names = names_of(self, set[str]().union(*behind))
        return [
            EntryStreamed(
                "closed" if entry.type == "game.closed" else "entry",
                place,
                game,
                entry,
                {id_: names[id_] for id_ in people if id_ in names},
            )
            for (place, game, entry, _), people in zip(told, behind, strict=True)
        ]

    def _ids_at_table(self, game: str) -> frozenset[str]:
        return self.archive.log.people.merges().ids_of(filter(None, self.archive.folds.fold_until_error(game).players))


def encode_event(what: EntryStreamed | RecordStreamed | AnalysisStreamed | StreamEnd, form: Form) -> bytes:
    """A message as bytes: a line of JSON, or an event of `text/event-stream`."""
    content = in_english(what)
    if form == "ndjson":
        return content + b"\n"
    place = b"" if isinstance(what, StreamEnd) else b"id: %d\n" % what.id
    return b"%bevent: %b\ndata: %b\n\n" % (place, what.event.encode(), content)


def _gone(wanted: ListenerCursor, why: str) -> StreamPage:
    return StreamPage(
        encode_event(StreamEnd("gone", translated_to(wanted.language, why)), wanted.form),
        wanted.after,
        last=True,
        gone=True,
    )
