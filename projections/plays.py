"""A play: the summary of a whole game, without its moves, for exports and statistics."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from events.event import timestamp
from games.contract import RECORD, ScoreLine, Title
from games.scoresheet.describe import lines
from games.scoresheet.state import ScoresheetState
from games.scoresheet.values import Sheet, write_value

if TYPE_CHECKING:
    from collections.abc import Iterator

    from events.event import Event
    from games.contract import Deciding, State, Viewpoint
    from games.scoresheet.template import Template
    from projections.fold import Fold


class PlaySeat(msgspec.Struct, frozen=True):
    """A seat of a play: the id of the person (None for a guest), points, rank (1 is best), and whether it has won.

    A game without an outcome has no ranks. `team` is the name of a side of a score sheet. `decides` is what the seat
    has of what decides in place of the points, if something does.
    """

    seat: int
    player: str | None
    points: int
    rank: int | None
    won: bool
    team: str | None
    decides: str | None


class Play(msgspec.Struct, frozen=True, kw_only=True):
    """One game as a whole. Times are ISO 8601.

    `name` is what was played: the ruleset, or the template of a score sheet (`template` is true then), and `called` has
    it in every language. `played_at` is
    when the opening happened, by the clock of the table if it is known. `minutes` lie between the first and the last
    entry. `ending` is how the game ended, and `rule` the rule that says so. `together` means that all players won or
    lost as one. `irregular` counts the entries that are known to break a rule. `origin` is the parent of a fork.
    `deciding` is what ranks the seats in place of their points, or beside them.
    """

    game: str
    version: int
    ruleset: str
    revision: int
    name: str
    called: Title
    template: bool
    bgg: int | None
    options: dict[str, Any]
    title: str
    place: str
    played_at: str
    opened_at: str
    last_at: str
    minutes: int
    status: str
    ending: str | None
    rule: str | None
    together: bool
    highest_wins: bool
    irregular: int
    origin: str | None
    deciding: Title | None
    seats: tuple[PlaySeat, ...]
    lines: tuple[ScoreLine, ...]


def play_of(fold: Fold, opening: Event, viewpoint: Viewpoint = RECORD) -> Play:
    """The play of a fold, seen from `viewpoint`. `opening` is the first entry of the game."""
    opened, outcome, deciding = fold.opened, fold.outcome(), fold.deciding()
    template, name = _template(fold), fold.state.game_name()
    teams = {seat: team.name for team in (template.teams if template else ()) for seat in team.seats}
    return Play(
        game=fold.game,
        version=fold.version,
        ruleset=opened.ruleset,
        revision=fold.revision,
        name=(name or fold.ruleset.title).en,
        called=name or fold.ruleset.title,
        template=template is not None,
        bgg=template.bgg if template else None,
        options=dict(opened.options),
        title=opened.title,
        place=opened.place,
        played_at=opening.happened_at or timestamp(fold.started_at),
        opened_at=timestamp(fold.started_at),
        last_at=timestamp(fold.recorded_at),
        minutes=round((fold.recorded_at - fold.started_at) / 60_000),
        status=fold.status,
        ending=outcome.reason if outcome else None,
        rule=outcome.rule if outcome else None,
        together=plays_together(fold.state),
        highest_wins=highest_wins(fold.state),
        irregular=len(fold.irregular_from(viewpoint)),
        origin=opened.origin.game if opened.origin else None,
        deciding=deciding.title if deciding else None,
        seats=_seats(fold, teams, deciding),
        lines=tuple(fold.state.scores()),
    )


def plays_together(state: State) -> bool:
    """Whether all players win or lose together, unlike teams that play against others."""
    outcome = state.outcome()
    return state.wins == "cooperative" or bool(
        outcome and outcome.together and len(outcome.winners) in {0, state.seats}
    )


def highest_wins(state: State) -> bool:
    """Whether more points are better."""
    return state.wins != "lowest"


class SheetCell(msgspec.Struct, frozen=True):
    """A filled cell of a score sheet: `text` for people, `value` as a whole number.

    `round` is None for a column of the whole game, and `seat`, the first of a side, for what all share. `computed` says
    that a formula gives it.
    """

    round: int | None
    column: str
    seat: int | None
    value: int | None
    text: str
    computed: bool


def cells_of(state: State) -> Iterator[SheetCell]:
    """The filled cells of a score sheet, line by line; empty for other games."""
    if not isinstance(state, ScoresheetState):
        return
    sheet = Sheet(state)
    for _, column, number in lines(state):
        for side in range(1 if column.shared else state.sides):
            value = sheet.value(column, number, side).number
            if value is not None:
                seat = None if column.shared else state.members[side][0]
                whole = value.numerator if value.denominator == 1 else None
                text = write_value(column, value)
                yield SheetCell(number, column.id, seat, whole, str(text), column.formula is not None)


def _template(fold: Fold) -> Template | None:
    return fold.state.template if isinstance(fold.state, ScoresheetState) else None


def _seats(fold: Fold, teams: dict[int, str], deciding: Deciding | None) -> tuple[PlaySeat, ...]:
    outcome = fold.outcome()
    return tuple(
        PlaySeat(
            seat,
            player,
            points,
            outcome.ranks[seat] if outcome else None,
            outcome is not None and seat in outcome.winners,
            teams.get(seat),
            (deciding.values[seat] or None) if deciding else None,
        )
        for seat, (player, points) in enumerate(zip(fold.players, fold.totals(), strict=True))
    )
