"""Digests: the facts of a game's moves for statistics, from the public view of the record."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from events.types import CORRECTIONS, GAME_REOPENED, MOVES, RULING_TYPES, RulingGiven
from games.contract import PUBLIC, option_text
from games.errors import ImpossibleError
from games.scoresheet.state import ScoresheetState
from projections.analyses.game_replay import Clock, clock_of
from projections.analyses.pace import pace_of, turns_of
from projections.fold import move_in

if TYPE_CHECKING:
    from collections.abc import Sequence

    from events.event import Event
    from games.contract import Move, State
    from projections.fold import Fold
    from projections.folds import Folds
    from projections.history import Segment

REVISION = 2
"""Grows whenever the digest of any game could be another one."""

OPENING_SEATS = 2
"""An opening has the first choice of so many seats."""

OPENING_LETTERS = 80
"""The most letters of a choice in an opening."""

BETWEEN = " / "


class SeatDigest(msgspec.Struct, frozen=True, kw_only=True):
    """One seat of a game: its points by category, its turns, and how often it broke each rule.

    `seconds` are those of the `timed` turns.
    """

    points: dict[str, int]
    turns: int
    timed: int
    seconds: float
    irregular: dict[str, int]


class Digest(msgspec.Struct, frozen=True, kw_only=True):
    """The facts of a game's moves for statistics, at a version and under a revision of its rules.

    `opening` has the first choices, by `beginner` and one more seat; it is empty where there are none. `variant` names
    the options that are not the usual ones. `corrections` and `rulings` count entries. `irregular` are moves of the
    table that broke a rule. `first_ranks` are those of when it first ended, if a correction changed them.
    """

    game: str
    version: int
    revision: int
    variant: str
    opening: str
    beginner: int | None
    corrections: int
    rulings: int
    irregular: dict[str, int]
    first_ranks: tuple[int, ...] | None
    seats: tuple[SeatDigest, ...]


class _Played(NamedTuple):
    """A move or a ruling at its place, for the pace."""

    version: int
    seat: int | None
    at: Clock | None


def digest_of(folds: Folds, game: str, version: int) -> Digest:
    """The digest of a game at a version. Raises what `Folds.at` raises."""
    head = folds.at(game, version)
    (opening,) = folds.read(game, 0, 1)
    segment = folds.segment(game, 1, version)
    played, choices = _replayed(segment, head)
    turns = list(turns_of(clock_of(opening), played))
    paces = [pace_of(seat, [turn for turn in turns if turn.seat == seat]) for seat in range(head.seats)]
    points, broken = _points(head), _broken(head, {each.version: each.seat for each in played})
    given = [event.type for event in segment.events if event.type in CORRECTIONS]
    rulings = sum(type_ in RULING_TYPES for type_ in given)
    return Digest(
        game=game,
        version=version,
        revision=head.revision,
        variant=_variant(head),
        opening=BETWEEN.join(choices.values()),
        beginner=next(iter(choices), None),
        corrections=len(given) - rulings,
        rulings=rulings,
        irregular=broken[None],
        first_ranks=_first_ranks(folds, head, segment.events),
        seats=tuple(
            SeatDigest(
                points=points[seat],
                turns=paces[seat].turns,
                timed=paces[seat].timed,
                seconds=paces[seat].seconds,
                irregular=broken[seat],
            )
            for seat in range(head.seats)
        ),
    )


def _first_ranks(folds: Folds, head: Fold, events: Sequence[Event]) -> tuple[int, ...] | None:
    """The first final ranks of a game, if they differ from today's."""
    before = [event.version - 1 for event in events if event.type in CORRECTIONS or event.type == GAME_REOPENED]
    outcomes = (fold.outcome() for fold in folds.at_each(head.game, before))
    first, now = next(filter(None, outcomes), None), head.outcome()
    return tuple(first.ranks) if first and now and first.ranks != now.ranks else None


def _replayed(segment: Segment, head: Fold) -> tuple[list[_Played], dict[int, str]]:
    """The counting moves and rulings, and the first choices by seat, in the order of play."""
    played, choices = list[_Played](), dict[int, str]()
    fold, wanted = segment.fold, 0 if isinstance(head.state, ScoresheetState) else min(OPENING_SEATS, head.seats)
    for event in segment.in_play_order():
        if not segment.corrections.counts(event):
            continue
        data = fold.read(segment.corrections.content(event))
        seat = None
        if event.type in MOVES:
            seat = (move := move_in(data).seen(PUBLIC)).seat
            if len(choices) < wanted and seat is not None and seat not in choices:
                view = fold.state.view(PUBLIC)
                if _is_choice(view, move, event.version):
                    choices[seat] = view.notation(move)[:OPENING_LETTERS]
        if event.type in MOVES or isinstance(data, RulingGiven):
            played.append(_Played(event.version, seat, clock_of(event)))
        if len(choices) < wanted:
            segment.replay((event,))
    return played, choices


def _is_choice(view: State, move: Move, version: int) -> bool:
    """Whether a move has no chance in it, from the public view."""
    try:
        effects = view.copy().apply(move, version)
    except ImpossibleError:
        return False
    return not any(view.ruleset.chances(view, move, effects))


def _points(head: Fold) -> dict[int, dict[str, int]]:
    found = defaultdict[int, defaultdict[str, int]](lambda: defaultdict(int))
    for line in head.state.scores():
        found[line.seat][line.category] += line.points
    return {seat: dict(sorted(found[seat].items())) for seat in range(head.seats)}


def _broken(head: Fold, seats: dict[int, int | None]) -> dict[int | None, dict[str, int]]:
    """How often each seat, and the table (None), broke each rule, from the public view."""
    found = defaultdict[int | None, defaultdict[str, int]](lambda: defaultdict(int))
    for version, rules in head.irregular_from(PUBLIC).items():
        for rule in rules:
            found[seats.get(version)][rule] += 1
    return {seat: dict(sorted(found[seat].items())) for seat in (None, *range(head.seats))}


def _variant(head: Fold) -> str:
    """The options that differ from the default. Of a score sheet only the additions: its name has the rest."""
    words: list[str] = []
    for option in head.ruleset.options:
        value = head.opened.options.get(option.name, option.default)
        if option.additions:
            words += [f"+{word}" for word in sorted(option.parts(value)[1])]
        elif value != option.default:
            words.append(f"{option.name}={option_text(value)}")
    return " ".join(words)
