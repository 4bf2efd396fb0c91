"""The contract of a ruleset: moves that own their rules, a state that is the game, and a record of facts.

Dice, draws and deals are facts in the moves, so folding the same moves always gives the same state. `breaches` (is it
allowed?) and `apply` (what does it do?) are separate on purpose: a move at the table may have been against the rules,
and is then applied and flagged.

Import from here. The modules have the names of the files of a ruleset: `options`, `moves`, `state`, `scoring` and
`chance`. `ruleset` joins them.
"""

from games.contract.chance import Chance, ChanceEvent, Watch
from games.contract.moves import GAP, JSON, Adjustment, Blank, Effect, Move, as_json
from games.contract.options import Addition, Choices, Option, choice_texts, is_long_run, option_text
from games.contract.ruleset import Policy, Ruleset
from games.contract.scoring import Deciding, Outcome, ScoreLine, SeatMarker
from games.contract.state import PUBLIC, RECORD, State, Viewpoint
from games.words import Title

__all__ = [
    "GAP",
    "JSON",
    "PUBLIC",
    "RECORD",
    "Addition",
    "Adjustment",
    "Blank",
    "Chance",
    "ChanceEvent",
    "Choices",
    "Deciding",
    "Effect",
    "Move",
    "Option",
    "Outcome",
    "Policy",
    "Ruleset",
    "ScoreLine",
    "SeatMarker",
    "State",
    "Title",
    "Viewpoint",
    "Watch",
    "as_json",
    "choice_texts",
    "is_long_run",
    "option_text",
]
