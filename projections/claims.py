"""Claims: the table's own score, compared line by line with the audit."""

from __future__ import annotations

from collections import defaultdict
from itertools import chain, combinations, zip_longest
from typing import TYPE_CHECKING

import msgspec

from events.types import ScoreClaimed
from games.contract import ScoreLine

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from events.event import Event
    from events.types import ClaimedLine
    from projections.fold import Fold
    from projections.folds import Folds

LINES_TRIED_IN_PAIRS = 60
"""Up to how many lines of a seat are tried in pairs to explain a difference."""


class SeatCompared(msgspec.Struct, frozen=True):
    """A seat's total on the paper (None: not written) and in the audit.

    `difference` is the surplus of the paper. One or two lines of the audit, or a whole category, may add up to it. They
    are in `explained_by` if the paper lacks them, and in `twice` if it counts them a second time.
    """

    seat: int
    claimed: int | None
    audited: int
    difference: int | None
    explained_by: list[ScoreLine]
    twice: list[ScoreLine] = []


class LineCompared(msgspec.Struct, frozen=True):
    """The points of a seat in a category, on the paper and in the audit; None if there is no such line.

    `lines` are those of the audit, with the entries they come from; `twice` those of them that the paper counts a
    second time, if they make up the difference.
    """

    seat: int
    category: str
    claimed: int | None
    audited: int | None
    difference: int
    lines: list[ScoreLine]
    twice: list[ScoreLine] = []


class ClaimCompared(msgspec.Struct, frozen=True):
    """A claim beside the audit right after `entry`, by today's record."""

    version: int
    entry: int
    text: str
    agrees: bool
    seats: list[SeatCompared]
    lines: list[LineCompared]


def compare_claims(folds: Folds, game: str) -> list[ClaimCompared]:
    """Every counting claim of a game, the oldest first. Raises as `Folds.current`."""
    segment = folds.segment(game, 1, folds.current(game).version)
    claims = [
        (event, segment.fold.read(event)) for event in segment.in_play_order() if segment.corrections.counts(event)
    ]
    return [_compare(folds, event, claim) for event, claim in claims if isinstance(claim, ScoreClaimed)]


def _compare(folds: Folds, event: Event, claim: ScoreClaimed) -> ClaimCompared:
    entry = claim.entry or event.version
    fold, _ = folds.right_after(event.game, entry)
    lines = fold.state.scores()
    seats = list(_seats(fold, claim.scores, lines))
    compared = list(_lines(claim.lines, lines))
    agrees = not any(each.difference for each in seats) and not any(each.difference for each in compared)
    return ClaimCompared(event.version, entry, claim.text, agrees, seats, compared)


def _seats(fold: Fold, claimed: Sequence[int | None], lines: Sequence[ScoreLine]) -> Iterator[SeatCompared]:
    """The totals side by side. A seat that was added during the game can be missing on the paper, or not play yet."""
    for seat, (said, total) in enumerate(zip_longest(claimed, fold.totals()) if claimed else ()):
        audited = total or 0
        difference = None if said is None else said - audited
        own = [line for line in lines if line.seat == seat]
        more = difference or 0
        yield SeatCompared(seat, said, audited, difference, _worth(own, -more), _worth(own, more))


def _worth(lines: list[ScoreLine], points: int) -> list[ScoreLine]:
    """The one or two lines, or all lines of a category, with the sum `points`, if any."""
    counting = [line for line in lines if line.points]
    categories: dict[str, list[ScoreLine]] = defaultdict(list)
    for line in counting:
        categories[line.category].append(line)
    ways = chain(combinations(counting, 1), combinations(counting[-LINES_TRIED_IN_PAIRS:], 2), categories.values())
    return next((list(found) for found in ways if points and sum(line.points for line in found) == points), [])


def _lines(claimed: Sequence[ClaimedLine], lines: Sequence[ScoreLine]) -> Iterator[LineCompared]:
    """The lines of the paper, and the lines of the audit for the same seats that the paper lacks."""
    paper: dict[tuple[int, str], int] = defaultdict(int)
    for line in claimed:
        paper[line.seat, line.category] += line.points
    audited: dict[tuple[int, str], list[ScoreLine]] = defaultdict(list)
    for scored in lines:
        if any(scored.seat == seat for seat, _ in paper):
            audited[scored.seat, scored.category].append(scored)
    for seat, category in dict.fromkeys((*paper, *audited)):
        found = audited.get((seat, category))
        said, points = paper.get((seat, category)), sum(line.points for line in found) if found else None
        more = (said or 0) - (points or 0)
        yield LineCompared(seat, category, said, points, more, found or [], _worth(found or [], more))
