"""Importing plays from files of other trackers, with a trial first."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from flask import render_template, request
from marshmallow import ValidationError

from service.api.routes.plays import is_table, largest_file, take_plays
from service.api.schemas.exchange import PlaysQuery
from service.exchange.incoming.bgg import REGISTER
from service.exchange.incoming.csv_plays import GUESSES
from service.languages import gettext
from service.pages.blueprint import page
from service.problems.kinds import ProblemError

if TYPE_CHECKING:
    from service.api.answers.exchange import ImportedPlays

SHOWN = 100
"""The most plays that the page lists. The counts include all."""


@page("GET", "/import", scope="imports:write")
def show_import() -> str:
    """The form for a file of plays."""
    return _import_page(None)


@page("POST", "/import", scope="imports:write", limit=largest_file)
def import_file() -> tuple[str, int] | str:
    """The results of importing the plays of a file, or of a trial."""
    file = request.files.get("file")
    if file is None or not file.filename:
        return _import_page(None, error=gettext("Choose a file first.")), 400
    content = file.read()
    try:
        return _import_page(take_plays(PlaysQuery().load(_api_query()), content))
    except ProblemError as problem:
        if problem.kind.name != "bad-import":
            raise
        return _import_page(None, error=problem.detail, table=is_table(content)), 400
    except ValidationError:
        return _import_page(None, error=gettext("The form is not complete. Choose the file again.")), 400


def _api_query() -> dict[str, Any]:
    """The form as a query of the API."""
    form = request.form
    named = [f"{part}={head}" for part in GUESSES if (head := form.get(f"column-{part}", "").strip())]
    asked = {name: form[name] for name in ("people", "after") if form.get(name)}
    return asked | {"columns": ",".join(named), "dry_run": "false" if form.get("step") == "import" else "true"}


def _import_page(found: ImportedPlays | None, error: str = "", *, table: bool = False) -> str:
    """The page. For a refused `table`, the user can also name its columns."""
    form = request.form
    named = {part: form.get(f"column-{part}", "") for part in GUESSES} if table else None
    stored = form.get("step") == "import" and found is not None
    return render_template(
        "import.html",
        found=found,
        stored=stored,
        error=error[:1].upper() + error[1:],
        counts=Counter(item.what for item in found.items) if found else {},
        items=sorted(found.items, key=lambda item: item.what != "refused")[:SHOWN] if found else [],
        people=[person for person in found.people if person.how != "same"] if found else [],
        columns=(found.columns or None) if found else named,
        form=form,
        register=REGISTER,
    )
