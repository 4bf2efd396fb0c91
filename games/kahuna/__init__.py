"""The ruleset `kahuna`."""

from __future__ import annotations

from games.contract import Ruleset, Title
from games.kahuna import sketch, tables
from games.kahuna.adjustments import ADJUSTMENTS, RULED
from games.kahuna.chance import CHANCES, chances
from games.kahuna.describe import describe
from games.kahuna.effects import KINDS
from games.kahuna.knowledge import KahunaWatch
from games.kahuna.moves import KahunaMove, Row
from games.kahuna.notation import HELP, parse, read_name, write
from games.kahuna.options import OPTIONS
from games.kahuna.picture import draw
from games.kahuna.policy import POLICY
from games.kahuna.scoring import ENDINGS
from games.kahuna.state import KahunaState
from games.kahuna.terms import TERMS

KAHUNA = Ruleset(
    name="kahuna",
    title=Title("Kahuna", "カフナ"),
    revision=5,
    oldest_revision=2,
    changes=(
        "The base game, the box variant, Opodopo scoring and Seafarer.",
        "The audit names the islands; what is known of hands outlasts a shuffle; a game that is over asks for nothing.",
        "A card that cannot be there by all that was seen is recorded against the rules.",
        "That is asked of every card, also after a shuffle.",
        "What a ruling moved counts in the first round, too. After two cards were shown at once, a hand can hold all "
        "that it drew.",
    ),
    seats=range(2, 3),
    seat_names=(Title("Black", "黒"), Title("White", "白")),
    options=OPTIONS,
    chance_kinds=CHANCES,
    chances=chances,
    watch=KahunaWatch,
    policy=POLICY,
    endings=ENDINGS,
    score_categories=("round-1", "round-2", "round-3"),
    notation_help=HELP,
    state=KahunaState,
    moves=KahunaMove,
    partly_listed={Row: None},  # it can be looked at again at any time
    adjustments=ADJUSTMENTS,
    effect_sentences=KINDS | RULED,
    terms=TERMS,
    write=write,
    parse=parse,
    read_name=read_name,
    describe=describe,
    draw=draw,
    sketch=sketch.draw,
    tables=tables.tables,
)
"""Two priests build bridges between twelve islands. The majority of an island's spaces holds it."""
