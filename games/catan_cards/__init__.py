"""The ruleset `catan_cards`."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from games.catan_cards import sketch
from games.catan_cards.adjustments import ADJUSTMENTS, RULED
from games.catan_cards.components import COMPONENTS_HELP, SAMPLE, read_box
from games.catan_cards.describe import describe
from games.catan_cards.effects import KINDS
from games.catan_cards.moves import CatanCardsMove
from games.catan_cards.notation import HELP, blanks, parse, write
from games.catan_cards.options import OPTIONS, resolve
from games.catan_cards.picture import draw
from games.catan_cards.scoring import ENDINGS
from games.catan_cards.state import CatanCardsState
from games.contract import JSON, Ruleset, Title
from games.errors import BadOpeningError

if TYPE_CHECKING:
    from collections.abc import Mapping


class CatanCards(Ruleset[CatanCardsState, CatanCardsMove]):
    """Two princes each build a line of settlements and cities; resources lie on the regions at their corners."""

    name = "catan_cards"
    title = Title("The Settlers of Catan Card Game", "カタンの開拓者たちカードゲーム")
    revision = 2
    changes = (
        "The base set of 120 cards, in the profiles of the older rulebook and of 2005.",
        "A Conflict shows its cards to both players, what lies under a stack stays known while the cards that leave it "
        "are noted, and irregular moves can stand that could not be: out of order, without a road, of another kind.",
    )
    seats = range(2, 3)
    seat_names = (Title("Player 1", "1番"), Title("Player 2", "2番"))
    options = OPTIONS
    examined = MappingProxyType({"target": tuple(range(3, 10))})
    endings = ENDINGS
    notation_help = HELP
    components_help = COMPONENTS_HELP
    sample_components = MappingProxyType({"unconfirmed, to be compared with a real box": SAMPLE})
    state = CatanCardsState
    moves = CatanCardsMove
    adjustments = ADJUSTMENTS
    kinds = KINDS | RULED

    def open(self, options: Mapping[str, bool | int | str], components: JSON | None, seats: int) -> CatanCardsState:
        """The table before anything is laid out. `components` are what differs in somebody's box."""
        chosen = resolve(self.settle(options))
        box = read_box(components, chosen.alchemist_spy)
        if seats not in self.seats:
            raise BadOpeningError("seats", f"catan_cards is for two players, not {seats}")
        return CatanCardsState.new(box, chosen)

    def check_components(self, components: JSON) -> None:
        """Make sure that such a box can be played with."""
        read_box(components, "2+3")

    describe = staticmethod(describe)
    notation = staticmethod(write)
    parse = staticmethod(parse)
    blanks = staticmethod(blanks)
    picture = staticmethod(draw)
    sketch = staticmethod(sketch.draw)


CATAN_CARDS = CatanCards()
