"""The ruleset `manapani`."""

from __future__ import annotations

from typing import get_args

from games.contract import Move, Ruleset, Title
from games.manapani import sketch, tables
from games.manapani.adjustments import ADJUSTMENTS, RULED
from games.manapani.chance import CHANCES, chances
from games.manapani.components import COMPONENTS_HELP, SAMPLE, SEATS, read_box
from games.manapani.describe import describe
from games.manapani.effects import KINDS
from games.manapani.knowledge import ManapaniWatch
from games.manapani.moves import AnySpell, Discard, ManapaniMove, ManaPrism, Pay, Toll
from games.manapani.notation import HELP, parse, read_name, write
from games.manapani.options import OPTIONS
from games.manapani.picture import draw
from games.manapani.policy import POLICY
from games.manapani.scoring import ENDINGS
from games.manapani.state import ManapaniState
from games.manapani.terms import TERMS

PARTLY_LISTED: dict[type[Move], tuple[str, ...]] = {
    **dict.fromkeys(get_args(AnySpell), ("chips",)),
    ManaPrism: ("chips", "given", "gained"),
    Pay: ("chips",),
    Toll: ("chips", "lands"),
    Discard: ("cards",),  # an unknown card can be named
}
"""Kinds with more legal moves than are listed: mostly other chips."""

MANAPANI = Ruleset(
    name="manapani",
    title=Title("Manapani", "まなぱに"),
    revision=4,
    changes=(
        "The whole game for two to four players, with all 37 cards.",
        "A card that cannot be there by all that was seen is recorded against the rules.",
        "Far more is known of cards that went unseen.",
        "A note of the last draw names just these cards, not any of the hand.",
    ),
    seats=SEATS,
    seat_names=tuple(Title(f"Player {number}", f"{number}番") for number in range(1, SEATS.stop)),
    options=OPTIONS,
    examined_choices={"chips": (8, 10, 12, 15, 20, 25, 30)},
    chance_kinds=CHANCES,
    chances=chances,
    watch=ManapaniWatch,
    policy=POLICY,
    endings=ENDINGS,
    score_categories=("land", "hand", "bonus"),
    notation_help=HELP,
    components_help=COMPONENTS_HELP,
    sample_components={"invented board and deck": SAMPLE},
    state=ManapaniState,
    moves=ManapaniMove,
    partly_listed=PARTLY_LISTED,
    adjustments=ADJUSTMENTS,
    effect_sentences=KINDS | RULED,
    terms=TERMS,
    components=lambda _: SAMPLE,
    read_components=read_box,
    write=write,
    parse=parse,
    read_name=read_name,
    describe=describe,
    draw=draw,
    sketch=sketch.draw,
    tables=tables.tables,
)
"""Lands of four elements, taken and fought for with a limited number of chips."""
