"""Templates of score sheets, ready and stored ones, found by name; and blank sheets."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import quote

from flask import Response

from games.contract import Title
from games.errors import BadOpeningError
from games.scoresheet import SCORESHEET
from games.scoresheet.reading import read_template
from games.scoresheet.ready import PLAIN, READY
from games.scoresheet.search import rank
from service.access.needs import OPEN
from service.api import paper
from service.api.answers.rulesets import TemplateChoice, TemplateData, TemplateInfo, TemplateList
from service.api.endpoints import HTML, Endpoints, archive, reply
from service.api.routes.components import chosen_components
from service.api.routes.rulesets import ruleset_named
from service.api.schemas.rulesets import BlankSheetQuery, TemplatesQuery
from service.languages import gettext, locale
from service.languages.sentences import translated_text
from service.problems.kinds import ProblemError, bad_field

if TYPE_CHECKING:
    from collections.abc import Iterator

    from games.contract import JSON, Ruleset, State

endpoints = Endpoints("templates")


@endpoints.route(
    "GET",
    "/v1/templates",
    scope=OPEN,
    query=TemplatesQuery(),
    answer=TemplateList,
    conditional=True,
    problems=("bad-request",),
)
def list_templates(query: dict[str, Any]) -> Response:
    """Find templates of score sheets.

    By any of their names, the best match first, and stored ones before ready ones. Ready ones are described in the
    language of `Accept-Language`. A game is opened with the option `template`, or with `components_name` for a stored
    one.
    """
    found = [(fits, not info.kept, info) for info in _all() if (fits := rank(query["q"], _names(info))) is not None]
    found.sort(key=lambda one: (*one[:2], one[2].title.casefold(), one[2].name))
    return reply(TemplateList([info for *_, info in found[: query["limit"]]], len(found)))


@endpoints.route(
    "GET",
    "/v1/templates/<template>",
    scope=OPEN,
    answer=TemplateData,
    conditional=True,
    problems=("components-unknown",),
)
def show_template(template: str) -> Response:
    """Show a ready template.

    In the form that a game embeds, and that is stored as components after a change.
    """
    if template not in READY:
        why = gettext("there is no template %(name)s; GET /v1/templates lists them", name=repr(template))
        raise ProblemError("components-unknown", why)
    return reply(TemplateData(template, READY[template]))


@endpoints.route(
    "GET",
    "/v1/rulesets/<name>/sheet",
    scope=OPEN,
    query=BlankSheetQuery(),
    answer_types=(HTML,),
    problems=("bad-opening", "bad-request", "ruleset-unknown"),
)
def print_blank_sheet(name: str, query: dict[str, Any]) -> Response:
    """Make a blank sheet to print.

    Of a ruleset, or of a template of score sheets.
    """
    ruleset = ruleset_named(name)
    if ruleset is not SCORESHEET and (query["template"] or query["components_name"]):
        field = "template" if query["template"] else "components_name"
        raise bad_field(field, gettext("only score sheets have templates"))
    options = {"template": query["template"]} if query["template"] else {}
    kept = query["components_name"]
    components = chosen_components(ruleset, kept) if kept else None
    state = _opened(ruleset, options, components, query["seats"])
    sheet = (query["template"] or PLAIN).split("+")[0] if ruleset is SCORESHEET and not kept else None
    return Response(paper.blank_sheet(state, sheet), content_type=f"{HTML}; charset=utf-8")


def _opened(ruleset: Ruleset, options: dict[str, Any], components: JSON | None, seats: int | None) -> State:
    """A new game for `seats` people; for two, or the smallest number above, if None. Raises `BadOpeningError`."""
    counts = [seats] if seats else [*(count for count in ruleset.seats if count > 1), ruleset.seats[0]]
    for count in counts[:-1]:
        with suppress(BadOpeningError):
            return cast("State", ruleset.open(options, components, count))
    return cast("State", ruleset.open(options, components, counts[-1]))


def _all() -> Iterator[TemplateInfo]:
    for name, data in READY.items():
        yield _info(name, data, kept=False, path=f"/v1/templates/{name}")
    for found in archive().log.components.all(SCORESHEET.name):
        path = f"/v1/components/{SCORESHEET.name}/{quote(found.name, safe='')}"
        yield _info(found.name, found.data, kept=True, path=path)


def _info(name: str, data: JSON, *, kept: bool, path: str) -> TemplateInfo:
    template = read_template(data)
    return TemplateInfo(
        name=name,
        kept=kept,
        title=data["name"],
        ja=data.get("ja"),
        aliases=data.get("aliases", []),
        about=_translated(data.get("about")),
        checked=_translated(data.get("checked")),
        sources=list(template.sources),
        options=[
            TemplateChoice(option.id, Title(option.name, option.ja or option.name), option.group)
            for option in template.options
        ],
        columns=len(template.columns),
        path=path,
    )


def _translated(text: str | None) -> str | None:
    """The description of a ready sheet in the reader's language; of another sheet, as it was written."""
    return text and translated_text(text, locale(), SCORESHEET.name)


def _names(info: TemplateInfo) -> list[str]:
    return [info.name, info.title, *([info.ja] if info.ja else []), *info.aliases]
