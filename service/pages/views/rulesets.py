"""The rulesets, and the editor for score sheet templates."""

from __future__ import annotations

from typing import Any

from flask import render_template

from games.contract import Title
from games.rulesets import RULESETS
from games.scoresheet import SCORESHEET
from games.scoresheet.ready import READY
from service.access.needs import OPEN
from service.api.endings import ways_to_end
from service.api.endpoints import archive
from service.api.routes.rulesets import ruleset_detail, ruleset_named
from service.api.rulebooks import chapters, examples_in
from service.api.syntax import sample, sections
from service.languages import locale, localized
from service.pages.blueprint import page


@page("GET", "/rulesets", scope=OPEN)
def list_rulesets() -> str:
    """The rulesets."""
    return render_template("rulesets.html", rulesets=RULESETS.values())


@page("GET", "/rulesets/<name>", scope=OPEN)
def show_ruleset(name: str) -> str:
    """A ruleset: its rules, each with its id as anchor, and the notation of its moves."""
    ruleset = ruleset_named(name)
    return render_template(
        "ruleset.html",
        ruleset=ruleset,
        chapters=chapters(ruleset, locale()),
        examples=examples_in(ruleset, locale()),
        endings=ways_to_end(ruleset),
        **(_sheets() if ruleset is SCORESHEET else {}),
    )


def _sheets() -> dict[str, Any]:
    """The ready sheets with their names, and the names of sheets stored here."""
    ready = [(name, localized(Title(data["name"], data.get("ja") or data["name"]))) for name, data in READY.items()]
    kept = [found.name for found in archive().log.components.all(SCORESHEET.name)]
    return {"sheets": sorted(ready, key=lambda sheet: sheet[1].casefold()), "kept": kept}


@page("GET", "/rulesets/<name>/notation", scope=OPEN)
def show_notation(name: str) -> str:
    """The notation for whole games of a ruleset."""
    ruleset = ruleset_named(name)
    parts = sections(ruleset, ruleset_detail(ruleset, locale()))
    return render_template("notation.html", ruleset=ruleset, sections=parts, sample=sample(ruleset))


@page("GET", "/rulesets/scoresheet/template", scope=OPEN)
def edit_template() -> str:
    """The editor for a template of a score sheet."""
    return render_template("template.html")
