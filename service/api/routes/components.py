"""Named components: the content of a box, entered once to open many games with."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flask import Response

from events.event import timestamp
from events.people import checked_name
from games.errors import BadOpeningError
from service.access.needs import OPEN
from service.api.answers.rulesets import ComponentsInfo, ComponentsList
from service.api.endpoints import Endpoints, archive, reply
from service.api.routes.rulesets import ruleset_named
from service.api.schemas.fields import DryRunQuery
from service.api.schemas.rulesets import ComponentsSchema
from service.languages import gettext
from service.problems.kinds import ProblemError, bad_field

if TYPE_CHECKING:
    from events.components import NamedComponents
    from games.contract import JSON, Ruleset

endpoints = Endpoints("components")


@endpoints.route(
    "GET",
    "/v1/components/<ruleset>",
    scope=OPEN,
    answer=ComponentsList,
    conditional=True,
    problems=("ruleset-unknown",),
)
def list_components(ruleset: str) -> Response:
    """List the components of a ruleset by name.

    First the entered ones, then invented ones for trying out.
    """
    known = ruleset_named(ruleset)
    entered = [_entered(found) for found in archive().log.components.all(known.name)]
    return reply(ComponentsList(entered + [_invented(known, name) for name in known.sample_components]))


@endpoints.route(
    "GET",
    "/v1/components/<ruleset>/<name>",
    scope=OPEN,
    answer=ComponentsInfo,
    conditional=True,
    problems=("ruleset-unknown", "components-unknown"),
)
def show_components(ruleset: str, name: str) -> Response:
    """Show components by their name.

    Entered ones, or invented ones for trying out.
    """
    return reply(components_named(ruleset_named(ruleset), name))


@endpoints.route(
    "PUT",
    "/v1/components/<ruleset>/<name>",
    scope="components:write",
    query=DryRunQuery(),
    body=ComponentsSchema(),
    answer=ComponentsInfo,
    problems=("bad-json", "bad-request", "ruleset-unknown", "storage-full"),
)
def put_components(ruleset: str, name: str, query: dict[str, Any], body: dict[str, Any]) -> Response:
    """Store components under a name.

    The body has them under `data`, or is the components by themselves, as a file has them. Games that were opened with
    earlier ones keep those. With `dry_run` they are only judged: `errors` names the field that does not fit, and for a
    formula `text` and `at` the place in it.
    """
    known = ruleset_named(ruleset)
    if name in known.sample_components:
        raise bad_field("name", f"{name!r} is the name of the sample components: choose another one")
    try:
        known.check_components(body["data"])
    except BadOpeningError as error:
        field = error.field.replace("components", body["within"], 1).lstrip(".")
        raise bad_field(field or "data", error.why, **error.place) from error
    if query["dry_run"]:
        return reply(ComponentsInfo(known.name, checked_name(name), body["data"], None, invented=False))
    return reply(_entered(archive().log.components.put(known.name, name, body["data"])))


@endpoints.route(
    "DELETE",
    "/v1/components/<ruleset>/<name>",
    scope="components:write",
    status=204,
    problems=("ruleset-unknown", "components-unknown"),
)
def remove_components(ruleset: str, name: str) -> Response:
    """Remove components.

    Games opened with them keep them.
    """
    known = ruleset_named(ruleset)
    if not archive().log.components.remove(known.name, name):
        raise ProblemError(
            "components-unknown",
            gettext("there are no components %(name)s of %(ruleset)s", name=repr(name), ruleset=known.name),
        )
    return Response(status=204)


def components_named(ruleset: Ruleset, name: str) -> ComponentsInfo:
    """The components of that name, entered or made up. Raises `components-unknown`."""
    if name in ruleset.sample_components:
        return _invented(ruleset, name)
    found = archive().log.components.find(ruleset.name, name)
    if found is None:
        raise ProblemError(
            "components-unknown",
            gettext("no components %(name)s of %(ruleset)s", name=repr(name), ruleset=ruleset.name),
        )
    return _entered(found)


def chosen_components(ruleset: Ruleset, name: str) -> JSON:
    """A copy of the components that a game is to be opened with. Raises `bad-opening`."""
    try:
        return components_named(ruleset, name).data
    except ProblemError as error:
        errors = [{"field": "components_name", "message": error.detail}]
        raise ProblemError("bad-opening", f"components_name: {error.detail}", errors=errors) from error


def _entered(found: NamedComponents) -> ComponentsInfo:
    return ComponentsInfo(found.ruleset, found.name, found.data, timestamp(found.created_at), invented=False)


def _invented(ruleset: Ruleset, name: str) -> ComponentsInfo:
    return ComponentsInfo(ruleset.name, name, ruleset.sample_components[name], None, invented=True)
