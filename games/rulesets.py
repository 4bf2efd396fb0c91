"""Every known ruleset, by name: those of this release, and installed ones from other packages.

A package brings rulesets by entry points of the group `kifu.rulesets`. Each names an instance of `Ruleset`. They are
loaded once, together with this module. A faulty ruleset is reported and left out.
"""

from __future__ import annotations

import logging
import re
from importlib.metadata import entry_points
from typing import TYPE_CHECKING

import msgspec

from games.adjustments import SEATS
from games.catan_cards import CATAN_CARDS
from games.contract import Move, Ruleset
from games.kahuna import KAHUNA
from games.manapani import MANAPANI
from games.scoresheet import SCORESHEET
from games.verraeter import VERRAETER

if TYPE_CHECKING:
    from collections.abc import Container, Iterator
    from importlib.metadata import EntryPoint

GROUP = "kifu.rulesets"
"""The group of entry points for rulesets of other packages."""

NAME = re.compile("[a-z][a-z0-9_]{0,39}")
"""The valid names of rulesets."""

logger = logging.getLogger(__name__)


def installed(taken: Container[str]) -> Iterator[Ruleset]:
    """The rulesets of other packages with unused names. A faulty one is reported in a sentence."""
    names = set[str]()
    for entry in sorted(entry_points(group=GROUP), key=lambda entry: (entry.name, entry.value)):
        try:
            ruleset = _loaded(entry)
            if ruleset.name in taken or ruleset.name in names:
                raise ValueError(f"there is another ruleset called {ruleset.name}")
        except (Exception, SystemExit) as error:  # noqa: BLE001 - it is somebody else's code, and can raise anything
            package = entry.dist.name if entry.dist else "?"
            why = " ".join(f"{type(error).__name__}: {error}".split())
            logger.warning("the ruleset %s of the package %s is left out: %s", entry.name, package, why)
            continue
        names.add(ruleset.name)
        yield ruleset


def _loaded(entry: EntryPoint) -> Ruleset:
    """Load the ruleset of an entry point, and try the parts that are needed before any game. Raises anything."""
    ruleset = entry.load()
    if not isinstance(ruleset, Ruleset):
        raise TypeError(f"{entry.value} is no instance of Ruleset")
    if not NAME.fullmatch(str(ruleset.name)):
        raise ValueError(f"{ruleset.name!r} is no name: one has small letters, digits and _, 40 at the most")
    if type(ruleset.revision) is not int or ruleset.revision < 1:
        raise ValueError(f"its revision is {ruleset.revision!r}, and no number from 1 on")
    if type(ruleset.oldest_revision) is not int or not 1 <= ruleset.oldest_revision <= ruleset.revision:
        raise ValueError(
            f"it keeps what was since {ruleset.oldest_revision!r}, which is none of its {ruleset.revision} revisions"
        )
    if not (ruleset.seats and 1 <= min(ruleset.seats) <= max(ruleset.seats) <= SEATS):
        raise ValueError(f"its seats are {ruleset.seats}, and not 1 to {SEATS}")
    if len(ruleset.seat_names) < max(ruleset.seats):
        raise ValueError(f"it names {len(ruleset.seat_names)} of {max(ruleset.seats)} seats")
    if not (ruleset.move_types and all(issubclass(kind, Move) for kind in ruleset.move_types)):
        raise ValueError("its moves are no union of classes of moves")
    msgspec.json.Decoder(ruleset.moves)
    msgspec.json.Decoder(ruleset.state)
    if not ruleset.rulebook:
        raise ValueError("its RULES.md holds no rule")
    return ruleset


SHIPPED: dict[str, Ruleset] = {
    ruleset.name: ruleset for ruleset in (KAHUNA, VERRAETER, MANAPANI, CATAN_CARDS, SCORESHEET)
}
"""The rulesets of this release.

Older revisions were never released. All mean the same as the current one, so it is their `oldest_revision`.
"""

RULESETS: dict[str, Ruleset] = SHIPPED | {ruleset.name: ruleset for ruleset in installed(SHIPPED)}
"""All rulesets by name: those of this release, and installed ones of other packages."""
