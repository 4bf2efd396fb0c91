"""The ruleset `scoresheet`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from games.adjustments import SEATS
from games.contract import JSON, Option, Ruleset, Title
from games.errors import BadOpeningError
from games.scoresheet import sketch
from games.scoresheet.adjustments import ADJUSTMENTS, RULED
from games.scoresheet.components import PLAIN, READY, read_template
from games.scoresheet.describe import describe
from games.scoresheet.effects import KINDS
from games.scoresheet.moves import ScoresheetMove
from games.scoresheet.notation import HELP, parse, write
from games.scoresheet.picture import draw
from games.scoresheet.scoring import ENDINGS
from games.scoresheet.state import ScoresheetState

if TYPE_CHECKING:
    from collections.abc import Mapping


class Scoresheet(Ruleset[ScoresheetState, ScoresheetMove]):
    """Any game, recorded by its scores. The components are its template: the columns of the sheet, and who wins."""

    name = "scoresheet"
    title = Title("Score sheet", "スコアシート")
    revision = 2
    changes = (
        "Sheets with columns, rounds, formulas, teams and ready templates.",
        "Entries count in the order in which they happened; what all share is nobody's own; the whole farm is scored.",
    )
    seats = range(1, SEATS + 1)
    seat_names = tuple(Title(f"Player {number}", f"プレイヤー{number}") for number in range(1, SEATS + 1))
    options = (
        Option(
            name="template",
            title=Title("Ready template", "既成のシート"),
            choices=tuple(READY),
            default=PLAIN,
            names=tuple(str(template["name"]) for template in READY.values()),
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

    def load(self, data: JSON) -> ScoresheetState:
        """With the template that all games of it share."""
        state = super().load(data)
        state.template = read_template(data["template"])
        return state

    def round(self, state: ScoresheetState) -> int:
        """The round that is on, from 1."""
        return state.rounds

    describe = staticmethod(describe)
    notation = staticmethod(write)
    parse = staticmethod(parse)
    picture = staticmethod(draw)
    sketch = staticmethod(sketch.draw)


SCORESHEET = Scoresheet()
