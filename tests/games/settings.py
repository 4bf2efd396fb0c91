"""Every way in which a ruleset's options can be set."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from games.contract import Ruleset


def settings(ruleset: Ruleset[Any, Any]) -> list[dict[str, bool | int | str]]:
    """Every combination of a ruleset's options."""
    choices = [[(option.name, choice) for choice in option.choices] for option in ruleset.options]
    return [dict(chosen) for chosen in itertools.product(*choices)]
