"""Reversi, as a ruleset of Kifu."""

from games.adjustments import Adjudge, Points, Resign, Turn, kinds_of
from games.contract import Ruleset, Title
from kifu_reversi.game import ENDINGS, Place, ReversiState
from kifu_reversi.notation import HELP


class Reversi(Ruleset[ReversiState, Place]):
    """Two players place discs and turn those of the other; whoever has more in the end wins."""

    name = "reversi"
    title = Title("Reversi", "リバーシ")
    revision = 1
    changes = ("Reversi on eight by eight squares, from four discs in the middle.",)
    seats = range(2, 3)
    seat_names = (Title("Black", "黒"), Title("White", "白"))
    endings = ENDINGS
    notation_help = HELP
    state = ReversiState
    moves = Place
    adjustments = (Points, Turn, Resign, Adjudge)
    hides = False
    kinds = kinds_of(adjustments) | {
        "disc.placed": "{seat} placed a disc on {at}",
        "discs.turned": "{seat} turned {at}",
        "turn.passed": "{seat} can turn no disc and passes",
        "game.ended": "Nobody can turn any more discs: the game is over",
    }


REVERSI = Reversi()
