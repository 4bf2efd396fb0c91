"""Every ruleset that this release knows, by name."""

from __future__ import annotations

from typing import Any

from games.contract import Ruleset
from games.kahuna import KAHUNA

RULESETS: dict[str, Ruleset[Any, Any]] = {ruleset.name: ruleset for ruleset in (KAHUNA,)}
