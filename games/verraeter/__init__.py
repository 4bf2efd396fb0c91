"""The ruleset `verraeter`."""

from __future__ import annotations

from games.contract import Ruleset, Title
from games.verraeter import sketch, tables
from games.verraeter.adjustments import ADJUSTMENTS, RULED
from games.verraeter.chance import CHANCES, chances
from games.verraeter.components import COMPONENTS_HELP, ROUNDS, SAMPLE, read_points
from games.verraeter.describe import describe
from games.verraeter.effects import KINDS
from games.verraeter.knowledge import VerraeterWatch
from games.verraeter.moves import Start, VerraeterMove
from games.verraeter.notation import HELP, parse, write
from games.verraeter.options import OPTIONS
from games.verraeter.picture import draw
from games.verraeter.policy import POLICY
from games.verraeter.scoring import ENDINGS
from games.verraeter.state import VerraeterState
from games.verraeter.terms import TERMS

VERRAETER = Ruleset(
    name="verraeter",
    title=Title("Verräter", "反逆者"),
    revision=4,
    oldest_revision=2,
    changes=(
        "The game for three and four players.",
        "Two trading posts count at most; what is known of cards outlasts a shuffle; building out of step can stand.",
        "A card that cannot be there by all that was seen is recorded against the rules.",
        "A note of the last draw names just these cards, not any of the hand.",
    ),
    seats=range(min(ROUNDS), max(ROUNDS) + 1),
    seat_names=tuple(Title(f"Player {number}", f"{number}番") for number in range(1, max(ROUNDS) + 1)),
    options=OPTIONS,
    chance_kinds=CHANCES,
    chances=chances,
    watch=VerraeterWatch,
    policy=POLICY,
    endings=ENDINGS,
    score_categories=(*(f"round-{number}" for number in range(1, max(ROUNDS.values()) + 1)), "bonus"),
    notation_help=HELP,
    components_help=COMPONENTS_HELP,
    sample_components={"invented points": SAMPLE},
    state=VerraeterState,
    moves=VerraeterMove,
    partly_listed={Start: ("houses",)},  # houses that alternate can be named, too
    adjustments=ADJUSTMENTS,
    effect_sentences=KINDS | RULED,
    terms=TERMS,
    read_components=read_points,
    write=write,
    parse=parse,
    describe=describe,
    draw=draw,
    sketch=sketch.draw,
    tables=tables.tables,
)
"""Two houses fight over twelve lands. The winner's followers score, and the Traitor changes sides."""
