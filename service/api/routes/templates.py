"""Templates of score sheets: the ready ones, and those that somebody kept, found by name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from games.contract import Title
from games.scoresheet import SCORESHEET
from games.scoresheet.components import READY, read_template
from games.scoresheet.search import rank
from service.access.needs import OPEN
from service.api.answers import TemplateChoice, TemplateData, TemplateInfo, TemplateList
from service.api.endpoints import Endpoints, archive, reply
from service.api.schemas import TemplatesQuery
from service.languages import gettext, locale
from service.languages.sentences import translated_text
from service.problems.kinds import ProblemError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from flask import Response

    from games.contract import JSON

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

    By their names, in English, in Japanese, and by what else people call a game: those first that fit best, and of
    these the ones that somebody kept here. What the ready ones say of themselves is told in the language that
    `Accept-Language` asks for. A game is opened with the option `template`, or with `components_name` for
    one that was kept.
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

    As it is embedded into a game, and kept as components once it was changed.
    """
    if template not in READY:
        why = gettext("there is no template %(name)s; GET /v1/templates lists them", name=repr(template))
        raise ProblemError("components-unknown", why)
    return reply(TemplateData(template, READY[template]))


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
            TemplateChoice(option.id, Title(option.name, option.ja or option.name)) for option in template.options
        ],
        columns=len(template.columns),
        path=path,
    )


def _translated(text: str | None) -> str | None:
    """What a ready sheet says of itself, in the reader's language; else as somebody wrote it."""
    return text and translated_text(text, locale(), SCORESHEET.name)


def _names(info: TemplateInfo) -> list[str]:
    return [info.name, info.title, *([info.ja] if info.ja else []), *info.aliases]
