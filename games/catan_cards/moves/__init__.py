"""The moves that a recorder of the card game enters, by theme. Consequences of the rules are never asked for.

Legal moves are listed with facts of chance left open, and the first few of many ways to pay. Unusual moves are not
listed, but can be typed: a trade with the opponent, a demolition beside a free site, notes, shown cards. So can an
exchange of a resource for the same one.
"""

from __future__ import annotations

from games.catan_cards.moves.actions import Alchemist, Caravan, Merchant, Scout, Spy
from games.catan_cards.moves.building import Build, City, Demolish, Regions, Road, Settle
from games.catan_cards.moves.duels import Attack, Counter, Duel
from games.catan_cards.moves.events import Confiscate, Gain, Happen, Roll, Skip, Strike, Take
from games.catan_cards.moves.hand import Draw, End, Hold, Return, Show
from games.catan_cards.moves.setup import Lay, Pick, Start
from games.catan_cards.moves.trade import Barter, Trade

__all__ = [
    "Alchemist",
    "Attack",
    "Barter",
    "Build",
    "Caravan",
    "CatanCardsMove",
    "City",
    "Confiscate",
    "Counter",
    "Demolish",
    "Draw",
    "Duel",
    "End",
    "Gain",
    "Happen",
    "Hold",
    "Lay",
    "Merchant",
    "Pick",
    "Regions",
    "Return",
    "Road",
    "Roll",
    "Scout",
    "Settle",
    "Show",
    "Skip",
    "Spy",
    "Start",
    "Strike",
    "Take",
    "Trade",
]

CatanCardsMove = (
    Start
    | Lay
    | Pick
    | Roll
    | Alchemist
    | Happen
    | Gain
    | Take
    | Strike
    | Confiscate
    | Counter
    | Duel
    | Regions
    | Scout
    | Road
    | Settle
    | City
    | Demolish
    | Build
    | Attack
    | Caravan
    | Merchant
    | Spy
    | Trade
    | Barter
    | Draw
    | Return
    | Skip
    | End
    | Show
    | Hold
)
"""In the order in which legal moves are listed."""
