"""Every ruleset that this release knows, by name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from games.catan_cards import CATAN_CARDS
from games.kahuna import KAHUNA
from games.manapani import MANAPANI
from games.scoresheet import SCORESHEET
from games.verraeter import VERRAETER

if TYPE_CHECKING:
    from games.contract import Ruleset

RULESETS: dict[str, Ruleset] = {
    ruleset.name: ruleset for ruleset in (KAHUNA, VERRAETER, MANAPANI, CATAN_CARDS, SCORESHEET)
}
