"""Reversi, as a ruleset of Kifu: two players place discs and turn those of the other."""

from games.adjustments import Adjudge, Points, Resign, Turn, sentences_of
from games.contract import Ruleset, Title
from kifu_reversi.game import ENDINGS, Place, ReversiState, describe
from kifu_reversi.notation import HELP, parse, write
from kifu_reversi.picture import draw

ADJUSTMENTS = (Points, Turn, Resign, Adjudge)

REVERSI = Ruleset(
    name="reversi",
    title=Title("Reversi", "リバーシ"),
    revision=1,
    changes=("Reversi on eight by eight squares, from four discs in the middle.",),
    seats=range(2, 3),
    seat_names=(Title("Black", "黒"), Title("White", "白")),
    endings=ENDINGS,
    notation_help=HELP,
    state=ReversiState,
    moves=Place,
    adjustments=ADJUSTMENTS,
    hides_information=False,
    effect_sentences=sentences_of(ADJUSTMENTS)
    | {
        "disc.placed": "{seat} placed a disc on {at}",
        "discs.turned": "{seat} turned {at}",
        "turn.passed": "{seat} can turn no disc and passes",
        "game.ended": "Nobody can turn any more discs: the game is over",
    },
    write=write,
    parse=parse,
    describe=describe,
    draw=draw,
)
