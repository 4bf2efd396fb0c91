"""Pasting a table of a spreadsheet into a score sheet: tried, corrected, and recorded."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple
from zlib import crc32

from flask import redirect, render_template, request, url_for
from marshmallow import ValidationError

from events import limits
from games.scoresheet.state import ScoresheetState
from service.access.gate import require_own_origin
from service.api.endpoints import archive
from service.api.routes.games import seats_in
from service.api.routes.pasting import taken_table
from service.api.schemas.exchange import TableQuery
from service.exchange.incoming.cells import parse_cells
from service.exchange.incoming.encodings import decoded
from service.exchange.incoming.pasting.heads import LABELS, LEFT_OUT, VALUES
from service.languages import gettext, localized
from service.languages.sentences import localized_state
from service.pages.blueprint import page
from service.problems.kinds import ProblemError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from uuid import UUID

    from werkzeug.wrappers import Response as AnyResponse

    from projections.fold import Fold
    from service.api.answers.exchange import PasteResult

SHOWN = 40
"""The most rounds offered as the meaning of a line. Others can be typed."""


class Choice(NamedTuple):
    """A possible meaning of a line: in notation, and its name."""

    means: str
    title: str


@page("GET", "/games/<uuid:game>/table", scope="games:record")
def show_table(game: UUID) -> str:
    """The form for the cells of a table."""
    return _shown(str(game), None)


@page("POST", "/games/<uuid:game>/table", scope="games:record", limit=limits.BODY)
def paste_table(game: UUID) -> AnyResponse | tuple[str, int] | str:
    """Try or record a table. The game's page shows what was recorded."""
    require_own_origin()
    stores = request.form.get("step") == "record"
    content = request.form.get("text", "").encode(errors="replace")
    try:
        found = taken_table(str(game), TableQuery().load(_api_query() | {"dry_run": str(not stores).lower()}), content)
    except ProblemError as problem:
        if problem.kind.name != "bad-import":
            raise
        return _shown(str(game), None, error=problem.detail), 400
    except ValidationError:
        return _shown(str(game), None, error=gettext("The form is not complete. Paste the table again.")), 400
    return redirect(url_for("pages.show_game", game=str(game)), 303) if stores else _shown(str(game), found)


def _api_query() -> dict[str, Any]:
    """The form as a query of the API. Meanings chosen for another table are dropped."""
    form = request.form
    asked = {"decimal": form["decimal"]} if form.get("decimal") else {}
    if form.get("of") != _table_digest():
        return asked
    for field in ("rows", "columns"):
        said = ((name.partition("-"), text.strip()) for name, text in form.items() if text.strip())
        asked[field] = ",".join(f"{number}={text}" for (of, _, number), text in said if of == field)
    return asked


def _table_digest() -> str:
    """A short digest of the table in the form."""
    return f"{crc32(request.form.get('text', '').encode(errors='replace')):x}"


def _shown(game: str, found: PasteResult | None, error: str = "") -> str:
    fold = archive().folds.current(game)
    text = request.form.get("text", "")
    return render_template(
        "pasting.html",
        game=game,
        title=fold.opened.title or localized(fold.state.game_name() or fold.ruleset.title),
        found=found,
        error=error,
        text=text,
        of=_table_digest(),
        cells=parse_cells(decoded(text.encode(errors="replace"))) if found else [],
        choices=list(_choices(fold)) if found else [],
        form=request.form,
    )


def _choices(fold: Fold) -> Iterator[Choice]:
    """The possible meanings of lines of a table."""
    state = localized_state(fold.state)
    yield Choice(LABELS, gettext("labels of the other lines"))
    yield Choice(VALUES, gettext("values for the labels"))
    yield Choice(LEFT_OUT, gettext("left out"))
    for seat in seats_in(fold):
        yield Choice(f"p{seat.seat + 1}", seat.name or localized(seat.label))
    if isinstance(state, ScoresheetState):
        template = state.template
        if template.has_rounds:
            for number in range(1, min(state.last, state.round + SHOWN) + 1):
                yield Choice(f"r{number}", template.round_title(number) or gettext("Round %(number)s", number=number))
        for column in template.entered_columns:
            yield Choice(column.id, column.title)
