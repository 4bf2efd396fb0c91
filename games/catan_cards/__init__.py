"""The ruleset `catan_cards`."""

from __future__ import annotations

from functools import partial

from games.catan_cards import sketch, tables
from games.catan_cards.adjustments import ADJUSTMENTS, RULED
from games.catan_cards.chance import CHANCES, chances
from games.catan_cards.components import COMPONENTS_HELP, SAMPLE, read_box
from games.catan_cards.describe import describe
from games.catan_cards.effects import KINDS
from games.catan_cards.knowledge import CatanCardsWatch
from games.catan_cards.moves import Build, CatanCardsMove, City, Demolish, Draw, Lay, Road, Roll, Settle, Trade
from games.catan_cards.notation import HELP, parse, read_name, write
from games.catan_cards.options import OPTIONS
from games.catan_cards.picture import draw
from games.catan_cards.policy import POLICY
from games.catan_cards.scoring import ENDINGS
from games.catan_cards.state import CatanCardsState
from games.catan_cards.terms import TERMS
from games.contract import Move, Ruleset, Title

PARTLY_LISTED: dict[type[Move], tuple[str, ...] | None] = {
    **dict.fromkeys((Road, Settle, City, Draw), ("pay",)),
    Build: ("pay", "at"),  # of two sites that count the same, one is listed
    Trade: ("give",),
    Roll: ("number",),  # the number that an Alchemist set can be named
    Demolish: None,  # also where a site is free
    Lay: ("seat",),  # either may lay out first
}
"""Kinds with more legal moves than are listed: mostly other ways to pay."""

CATAN_CARDS = Ruleset(
    name="catan_cards",
    title=Title("The Settlers of Catan Card Game", "カタンの開拓者たちカードゲーム"),
    revision=7,
    oldest_revision=2,
    changes=(
        "The base set of 120 cards, in the profiles of the older rulebook and of 2005.",
        "A Conflict shows its cards to both players, what lies under a stack stays known while the cards that leave it "
        "are noted, and irregular moves can stand that could not be: out of order, without a road, of another kind.",
        "Cards that were put under a stack come in their order.",
        "A card that cannot be there by all that was seen is recorded against the rules.",
        "The cards of a stack keep their order in a search, and far more is known of cards that went unseen.",
        "A Spy and the Spy that he takes are counted together: of three in the box there is no fourth. "
        "What a player knows by the order of a stack counts when somebody else draws it.",
        "A Spy who may take only units and actions tells of a hand: he took one of them, or there was none. "
        "The order of a stack counts also for a draw at a wrong step, and what was seen also for a note after the end.",
    ),
    seats=range(2, 3),
    seat_names=(Title("Player 1", "1番"), Title("Player 2", "2番")),
    options=OPTIONS,
    examined_choices={"target": tuple(range(3, 10))},
    chance_kinds=CHANCES,
    chances=chances,
    watch=CatanCardsWatch,
    policy=POLICY,
    endings=ENDINGS,
    score_categories=("settlement", "city", "building", "knight", "windmill"),
    notation_help=HELP,
    components_help=COMPONENTS_HELP,
    sample_components={"unconfirmed, to be compared with a real box": SAMPLE},
    state=CatanCardsState,
    moves=CatanCardsMove,
    partly_listed=PARTLY_LISTED,
    adjustments=ADJUSTMENTS,
    effect_sentences=KINDS | RULED,
    terms=TERMS,
    read_components=partial(read_box, alchemist_spy="2+3"),
    write=write,
    parse=parse,
    read_name=read_name,
    describe=describe,
    draw=draw,
    sketch=sketch.draw,
    tables=tables.tables,
)
"""Two princes each build a line of settlements and cities; resources lie on the regions at their corners."""
