"""The moments of a game that are worth a look, each an entry with a reason."""

from __future__ import annotations

from collections.abc import Sequence  # msgspec needs the type at run time
from typing import TYPE_CHECKING, Literal

import msgspec

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from projections.analyses.game_replay import GameReplay
    from projections.analyses.story import StorySentence

Why = Literal["mark", "swing", "ahead", "changes", "gain", "behind", "last"]

ORDER: tuple[Why, ...] = ("mark", "swing", "ahead", "changes", "gain", "behind", "last")
"""The reasons by priority, for games with more moments than are shown."""
MOST = 3
"""The number of shown moments."""


class Moment(msgspec.Struct, frozen=True, omit_defaults=True):
    """Why entry `version` is worth a look.

    `mark`: the entry `note` is a bookmark of it. `ahead`: the winners took the lead and kept it. `changes`: they took
    the lead for the last time. `gain` and `behind` are as in the game in words, with `count` points. `last`: it was the
    last move. `swing`: the chances of a seat to win changed in the turn that ended then. The two `chances` are those
    before and after it, in points of a hundred; an analysis of chances has them.
    """

    version: int
    why: Why
    seats: Sequence[int] = ()
    count: int | None = None
    note: int | None = None
    chances: Sequence[int] = ()


def moments(replay: GameReplay, sentences: Sequence[StorySentence]) -> list[Moment]:
    """The moments of a game, by priority."""
    marked = [Moment(mark.version, "mark", note=mark.note) for mark in replay.marks]
    told = [*marked, *_told(replay, sentences), *_last(replay)]
    return sorted(told, key=lambda each: ORDER.index(each.why))


def _told(replay: GameReplay, sentences: Sequence[StorySentence]) -> Iterator[Moment]:
    """The moments from sentences about leads and points. The last lead counts if the winner took it.

    A lead taken at the end is not one that was kept.
    """
    winners = list(replay.outcome.winners) if replay.outcome else []
    end = next((each.version for each in sentences if each.what == "end"), None)
    for each in sentences:
        match each.what:
            case "ahead" | "changes" if list(each.seats) == winners:
                yield Moment(each.version, "changes" if each.version == end else each.what, each.seats)
            case "gain" | "behind":
                yield Moment(each.version, each.what, each.seats, each.count)


def _last(replay: GameReplay) -> list[Moment]:
    """The last move of a finished game."""
    moves = [step.version for step in replay.steps if step.move is not None]
    return [Moment(moves[-1], "last")] if moves and replay.outcome else []


def choose_moments(found: Sequence[Moment], places: Mapping[int, int]) -> list[Moment]:
    """The moments to show, in the order of play by the `places` of entries; the greatest swings first.

    >>> found = [Moment(2, "last"), Moment(4, "gain"), Moment(3, "swing", chances=[40, 60]), Moment(3, "ahead")]
    >>> [(each.version, each.why) for each in choose_moments(found, {2: 1, 3: 3, 4: 2})]
    [(2, 'last'), (4, 'gain'), (3, 'swing')]
    """
    first = dict[int, Moment]()
    for each in sorted(found, key=lambda each: (ORDER.index(each.why), -_size(each))):
        if each.version in places and len(first) < MOST:
            first.setdefault(each.version, each)
    return sorted(first.values(), key=lambda each: places[each.version])


def _size(moment: Moment) -> int:
    before, after = moment.chances or (0, 0)
    return abs(after - before)
