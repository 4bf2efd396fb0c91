"""Proof that the entries of a record can be applied. Their chain is proved elsewhere."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from events import seals
from events.clubs import CLUB_FOUNDED
from events.entries import check_chain
from events.errors import BadEventError, DamagedError, LogError, LogNewerError, UnreadableError
from events.kinds import opening_of
from events.schemas import SCHEMAS
from events.seasons import SEASON_FOUNDED
from events.tournaments import TOURNAMENT_FOUNDED
from events.verification import Problem
from games.missing import MISSING
from projections.clubs import fold_club
from projections.errors import FoldError, ProjectionError, RulesetMissingError
from projections.fold import reader_of
from projections.history import Segment, refuse_older_revision
from projections.seasons import fold_season
from projections.tournaments.record import fold_tournament

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from events.event import Event
    from events.log import LogReader
    from events.ndjson import WrittenGame
    from games.contract import Ruleset


_FOLDS: dict[str, Callable[[Sequence[Event]], object]] = {
    CLUB_FOUNDED: fold_club,
    SEASON_FOUNDED: fold_season,
    TOURNAMENT_FOUNDED: fold_tournament,
}
"""What reads the records that are not games, by the types of their first entries."""


class Replay(NamedTuple):
    """The result of a replay: its problems, and the irregular entries with the ids of the broken rules.

    `irregular` is None if it cannot be replayed here.
    """

    problems: list[Problem]
    irregular: dict[int, tuple[str, ...]] | None = None


def prove_header(written: WrittenGame, irregular: dict[int, tuple[str, ...]] | None) -> Iterator[Problem]:
    """The wrong statements of a header: who may read the file, and which entries break rules.

    `irregular` are those that do, by `prove_replay`. Which ones do is known of a whole record only.
    """
    header = written.header
    for event in written.events:
        if beyond := [each.name for each in seals.unpack(event.sealed) if _is_beyond(each, header.viewpoint)]:
            why = f"the header says that it is for {header.viewpoint}, and {', '.join(beyond)} is open"
            yield Problem("misflagged", why, header.game, event.version, written.line)
            return
    found = irregular if header.viewpoint == seals.RECORD else None
    if found is None:  # so no more is known than how many entries there are
        found = {entry: rules for entry, rules in header.irregular.items() if 1 <= entry <= len(written.events)}
    for version in sorted(found.keys() | header.irregular.keys()):
        named, broken = (", ".join(rules.get(version, ())) or "nothing" for rules in (header.irregular, found))
        if named != broken:
            why = f"the header says that it breaks {named}, and it breaks {broken}"
            yield Problem("misflagged", why, header.game, version, written.line)


def _is_beyond(seal: seals.Seal, viewpoint: str) -> bool:
    """Whether an open seal should be closed for a viewpoint."""
    return seal.content is not None and not seals.may_open(seal.name, viewpoint)


def prove_entries(events: Sequence[Event], line: int) -> Iterator[Problem]:
    """The problem that keeps the entries of a file from being imported: the first with another form, or beyond limits.

    `line` is the line of the opening.
    """
    try:
        check_chain(events)
    except BadEventError as error:
        event = events[error.index]
        yield Problem("unreadable", _why(error), event.game, event.version, line + error.index)


def prove_replay(events: Sequence[Event], line: int | None = None) -> Replay:
    """Replay a game. Its problems are the first entry that cannot be applied.

    Also each entry with open seals that contradict its line. Of a game with a missing ruleset it is only proved that
    every entry can be read. `line` is the line of the opening in an exported file.
    """
    if not events:
        return Replay([])
    opening = events[0]
    if fold := _FOLDS.get(opening_of(opening.type)):
        return Replay([*_prove_fold(fold, events, line)], {})
    try:
        segment = Segment.of_game(events).run_to_end()
        refuse_older_revision(events)
    except RulesetMissingError:
        return Replay([*_prove_readable(events, line)])
    except (ProjectionError, LogError) as error:
        version = getattr(error, "version", opening.version)
        at = line and line + version - opening.version
        return Replay([Problem("unreplayable", _why(error), opening.game, version, at)])
    return Replay([*_prove_seals(events, segment.ruleset, line)], segment.irregular)


def _prove_seals(events: Sequence[Event], ruleset: Ruleset, line: int | None) -> Iterator[Problem]:
    """The entries with open seals that contradict their lines. Entries that do not count may be unreadable."""
    reader, first = reader_of(ruleset), events[0].version
    for event in events:
        at = line and line + event.version - first
        try:
            if odds := reader.contradiction(event):
                yield Problem("unsealed", odds, event.game, event.version, at)
        except (LogNewerError, UnreadableError) as error:
            yield Problem("unreadable", _why(error), event.game, event.version, at)


def _prove_fold(
    fold: Callable[[Sequence[Event]], object], events: Sequence[Event], line: int | None
) -> Iterator[Problem]:
    """The problem that keeps a club, season or tournament from being read: its first entry that does not fit."""
    try:
        fold(events)
    except (ProjectionError, LogError) as error:
        version = error.index + 1 if isinstance(error, BadEventError) else getattr(error, "version", 1)
        yield Problem("unreplayable", _why(error), events[0].game, version, line and line + version - 1)


def _prove_readable(events: Sequence[Event], line: int | None) -> Iterator[Problem]:
    """The problem that keeps a game of a missing ruleset from being read: its first invalid entry."""
    for event in events:
        try:
            SCHEMAS.read(event)
        except (LogNewerError, UnreadableError) as error:
            yield Problem("unreadable", _why(error), event.game, event.version, line and line + event.version - 1)
            return


def _why(error: ProjectionError | LogError) -> str:
    """The fault of an entry, without its place."""
    if isinstance(error, BadEventError):
        return f"{error.path}: {error.why}"
    if isinstance(error, FoldError):
        return error.why
    why = getattr(error, "why", "")
    return f"{error}: {why}" if why else str(error)


def games_without_ruleset(records: Iterable[Sequence[Event]]) -> dict[str, int]:
    """The number of games that cannot be replayed here, by the name of their missing ruleset."""
    found = Counter[str]()
    for record in records:
        with suppress(LogError, FoldError):
            fold = Segment.of_game(record).fold
            if fold.ruleset is MISSING:
                found[fold.opened.ruleset] += 1
    return found


def prove_replays(log: LogReader, progress: Callable[[int], None]) -> Iterator[Problem]:
    """The problems that keep games of a log from being replayed. Damaged games are skipped: the chain reports them.

    `progress` gets the number of replayed entries.
    """
    done = 0
    for head in log.heads():
        try:
            events = list(log.read(head.game))
        except DamagedError:
            continue
        yield from prove_replay(events).problems
        done += len(events)
        progress(done)
