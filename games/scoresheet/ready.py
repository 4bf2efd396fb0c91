"""The ready sheets: the templates that come with this release, from the folder `templates`."""

from __future__ import annotations

import tomllib
from importlib.resources import files
from typing import Any

from games.errors import BadOpeningError
from games.scoresheet.reading import conflicting_options, read_template
from games.scoresheet.search import rank


def _ready() -> dict[str, dict[str, Any]]:
    folder = files("games.scoresheet") / "templates"
    found = sorted((file for file in folder.iterdir() if file.name.endswith(".toml")), key=lambda file: file.name)
    return {file.name.removesuffix(".toml"): tomllib.loads(file.read_text(encoding="utf-8")) for file in found}


READY = _ready()
"""The templates that come with this release, by name, as data."""


def ready(text: str) -> dict[str, Any]:
    """A ready template by its name, with options after it: `spades+minus`. Raises `BadOpeningError`."""
    name, *chosen = text.split("+")
    if found := conflicting_options(read_template(READY[name]).options, chosen):
        raise BadOpeningError("options.template", f"{found[0]} and {found[1]} cannot both be chosen")
    return {**READY[name], "chosen": chosen} if chosen else READY[name]


def ready_for(name: str, bgg: int | None = None) -> str | None:
    """The ready template of a game, by its number at BoardGameGeek, or by one of its names; None if there is none."""
    by_number = (each for each, data in READY.items() if bgg is not None and data.get("bgg") == bgg)
    by_name = (each for each, data in READY.items() if rank(name, names_of(data)) == 0)
    return next(by_number, None) or next(by_name, None)


def names_of(data: dict[str, Any]) -> list[str]:
    """The names of a template's game, in all languages."""
    return [data["name"], *([data["ja"]] if data.get("ja") else []), *data.get("aliases", [])]


PLAIN = "plain"
"""The default template of a game."""
EXAMINED = (
    *("auction", "cooperative", "farm", "first_to_100", "golf", "hearts"),
    *("plain", "ranking", "rounds", "teams", "win_loss_draw", "wizard"),
)
"""The ready templates for random games: together they use all features of templates."""
