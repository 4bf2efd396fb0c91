"""The ruleset `manapani`."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

import msgspec

from games.contract import JSON, Ruleset, Title
from games.errors import BadOpeningError
from games.manapani import sketch
from games.manapani.adjustments import ADJUSTMENTS, RULED
from games.manapani.components import COMPONENTS_HELP, DEALT, SAMPLE, SEATS, STARTING_CHIPS, read_box
from games.manapani.describe import describe
from games.manapani.effects import KINDS
from games.manapani.moves import ManapaniMove
from games.manapani.notation import HELP, parse, write
from games.manapani.options import OPTIONS, Options
from games.manapani.picture import draw
from games.manapani.scoring import ENDINGS
from games.manapani.state import ManapaniState

if TYPE_CHECKING:
    from collections.abc import Mapping


class Manapani(Ruleset[ManapaniState, ManapaniMove]):
    """Lands of four elements, taken and fought for with chips of which there are only so many."""

    name = "manapani"
    title = Title("Manapani", "まなぱに")
    revision = 1
    changes = ("The whole game for two to four players, with all 37 cards.",)
    seats = SEATS
    seat_names = tuple(Title(f"Player {number}", f"{number}番") for number in range(1, SEATS.stop))
    options = OPTIONS
    examined = MappingProxyType({"chips": (8, 10, 12, 15, 20, 25, 30)})
    endings = ENDINGS
    notation_help = HELP
    components_help = COMPONENTS_HELP
    sample_components = MappingProxyType({"invented board and deck": SAMPLE})
    state = ManapaniState
    moves = ManapaniMove
    adjustments = ADJUSTMENTS
    kinds = KINDS | RULED

    def components(self, options: Mapping[str, bool | int | str]) -> JSON:  # noqa: ARG002
        """The board and deck that are made up, and shown as such: those of the sets are published nowhere."""
        return SAMPLE

    def check_components(self, components: JSON) -> None:
        """Make sure that there is a track to go round, and that every card has a number of copies."""
        read_box(components)

    def open(self, options: Mapping[str, bool | int | str], components: JSON | None, seats: int) -> ManapaniState:
        """The table before anything was dealt. Without components the board and deck are the invented ones."""
        chosen = msgspec.convert(self.settle(options), Options)
        box = read_box(components)
        if seats not in self.seats:
            raise BadOpeningError("seats", f"manapani is for two to four players, not {seats}")
        if box.cards < DEALT * seats:
            raise BadOpeningError(
                "components.deck", f"{box.cards} cards are too few to deal {DEALT} to {seats} players"
            )
        if chosen.chips < STARTING_CHIPS * seats:
            least = STARTING_CHIPS * seats
            raise BadOpeningError("options.chips", f"{seats} players need {least} of each colour to begin with")
        return ManapaniState.new(seats, box, chosen)

    describe = staticmethod(describe)
    notation = staticmethod(write)
    parse = staticmethod(parse)
    picture = staticmethod(draw)
    sketch = staticmethod(sketch.draw)


MANAPANI = Manapani()
