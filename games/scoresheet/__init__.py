"""The ruleset `scoresheet`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from games.adjustments import SEATS
from games.contract import Addition, Option, Ruleset, Title
from games.scoresheet import sketch, tables
from games.scoresheet.adjustments import ADJUSTMENTS, RULED
from games.scoresheet.describe import describe
from games.scoresheet.effects import KINDS
from games.scoresheet.moves import Line, ScoresheetMove, Stop
from games.scoresheet.notation import HELP, parse, read_name, write
from games.scoresheet.picture import draw
from games.scoresheet.reading import read_for_keeping
from games.scoresheet.ready import EXAMINED, PLAIN, READY, ready
from games.scoresheet.scoring import ENDINGS
from games.scoresheet.state import ScoresheetState

if TYPE_CHECKING:
    from games.contract import JSON


def _options_of(template: JSON) -> dict[str, Addition]:
    return {
        option["id"]: Addition(option["name"], option.get("ja", option["name"]), option.get("group"))
        for option in template["options"]
    }


SCORESHEET = Ruleset(
    name="scoresheet",
    title=Title("Score sheet", "スコアシート"),
    revision=6,
    oldest_revision=4,
    changes=(
        "Sheets with columns, rounds, formulas, teams and ready templates.",
        "Entries count in the order in which they happened; what all share is nobody's own; the whole farm is scored.",
        "A sheet has Japanese names, aliases, a hint, and says what it was checked against; many more ready ones.",
        "Formulas see other rounds; checks, other ends, options and sources; ready sheets are closer to their rules.",
        "Who dropped out, or comes later, is not counted in the rounds that were played without them.",
        "An empty cell with a default counts as that in formulas before the end, and not only from the end on.",
    ),
    seats=range(1, SEATS + 1),
    adding_a_seat="p{number} in",
    seat_names=tuple(Title(f"Player {number}", f"プレイヤー{number}") for number in range(1, SEATS + 1)),
    options=(
        Option(
            name="template",
            title=Title("Ready template", "用意されたひな形"),
            choices=tuple(READY),
            default=PLAIN,
            names=tuple(str(template["name"]) for template in READY.values()),
            additions={name: _options_of(template) for name, template in READY.items() if "options" in template},
        ),
    ),
    examined_choices={"template": EXAMINED},
    endings=ENDINGS,
    notation_help=HELP,
    components_help=(
        "A template: its columns, rounds or target, who wins, and what breaks a tie. RULES.md of the score sheet names "
        "every field; the ready templates are good to begin with."
    ),
    state=ScoresheetState,
    moves=ScoresheetMove,
    partly_listed={Line: None, Stop: None},  # lines can be entered early or again, and players can leave
    adjustments=ADJUSTMENTS,
    hides_information=False,
    effect_sentences=KINDS | RULED,
    terms=("the game is over",),
    quotes_people=True,
    components=lambda options: ready(str(options["template"])),
    read_components=read_for_keeping,
    write=write,
    parse=parse,
    read_name=read_name,
    describe=describe,
    draw=draw,
    sketch=sketch.draw,
    tables=tables.tables,
)
"""The ruleset of score sheets: any game, recorded by its scores. The components are its template: columns, and who
wins.
"""
