"""The ruleset `scoresheet`."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from games.contract import JSON, Option, Ruleset, Title
from games.errors import BadOpeningError
from games.scoresheet import sketch
from games.scoresheet.adjustments import ADJUSTMENTS, RULED, adjust
from games.scoresheet.chance import fill_in
from games.scoresheet.components import PLAIN, READY, SEATS, read_template
from games.scoresheet.describe import describe
from games.scoresheet.effects import KINDS, apply
from games.scoresheet.moves import Line, ScoresheetMove, seen
from games.scoresheet.notation import HELP, parse, write
from games.scoresheet.picture import draw
from games.scoresheet.rules import blanks, breaches, legal_moves, replay
from games.scoresheet.scoring import ENDINGS, outcome, scores, totals
from games.scoresheet.state import ScoresheetState, copy_state, load, view

if TYPE_CHECKING:
    from collections.abc import Mapping


class Scoresheet(Ruleset[ScoresheetState, ScoresheetMove]):
    """Any game, recorded by its scores. The components are its template: the columns of the sheet, and who wins."""

    name = "scoresheet"
    title = Title("Score sheet", "スコアシート")
    revision = 1
    changes = ("Sheets with columns, rounds, formulas, teams and ready templates.",)
    seats = range(1, SEATS + 1)
    seat_names = tuple(Title(f"Player {number}", f"プレイヤー{number}") for number in range(1, SEATS + 1))
    options = (
        Option(
            name="template",
            title=Title("Ready template", "既成のシート"),
            choices=tuple(READY),
            default=PLAIN,
            labels={choice: template["name"] for choice, template in READY.items()},
        ),
    )
    endings = ENDINGS
    notation_help = HELP
    components_help = (
        "A template: its columns, rounds or target, who wins, and what breaks a tie. RULES.md of the score sheet names "
        "every field; the ready templates are good to begin with."
    )
    state = ScoresheetState
    moves = ScoresheetMove
    open_facts = MappingProxyType({Line: ("values",)})
    adjustments = ADJUSTMENTS
    hides = False
    kinds = KINDS | RULED

    def components(self, options: Mapping[str, bool | int | str]) -> JSON:
        """The ready template that the options name."""
        return READY[str(self.settle(options)["template"])]

    def check_components(self, components: JSON) -> None:
        """A template that a sheet can be made of."""
        read_template(components)

    def open(self, options: Mapping[str, bool | int | str], components: JSON | None, seats: int) -> ScoresheetState:
        """An empty sheet: of the template that is given as components, else of the ready one."""
        ready = self.components(options)
        if seats not in self.seats:
            raise BadOpeningError("seats", f"a score sheet has 1 to {SEATS} seats, not {seats}")
        return ScoresheetState.new(read_template(ready if components is None else components), seats)

    def to_move(self, state: ScoresheetState) -> int | None:  # noqa: ARG002
        """Nobody in particular: the table writes."""
        return None

    legal_moves = staticmethod(legal_moves)
    breaches = staticmethod(breaches)
    blanks = staticmethod(blanks)
    fill_in = staticmethod(fill_in)
    apply = staticmethod(apply)
    replay = staticmethod(replay)
    adjust = staticmethod(adjust)
    scores = staticmethod(scores)
    totals = staticmethod(totals)
    outcome = staticmethod(outcome)
    view = staticmethod(view)
    seen = staticmethod(seen)
    describe = staticmethod(describe)
    copy = staticmethod(copy_state)
    load = staticmethod(load)
    notation = staticmethod(write)
    parse = staticmethod(parse)
    picture = staticmethod(draw)
    sketch = staticmethod(sketch.draw)


SCORESHEET = Scoresheet()
