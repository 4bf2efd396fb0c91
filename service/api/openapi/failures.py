"""The responses for problems: those of an endpoint, and one for all others."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from service.access.needs import OPEN
from service.api.endpoints import JSON, Endpoint
from service.api.openapi.shapes import pascal, refer
from service.problems.kinds import KINDS, MEDIA_TYPE

if TYPE_CHECKING:
    from collections.abc import Iterator


def problems_of(endpoint: Endpoint) -> dict[int, list[str]]:
    """The problems that an endpoint answers, by status and in the order of their list."""
    names = {"bad-request", *endpoint.problems, *_refusals(endpoint)}
    by_status: dict[int, list[str]] = {}
    for name in KINDS:
        if name in names:
            by_status.setdefault(KINDS[name].status, []).append(name)
    return by_status


def own_problems(endpoint: Endpoint) -> dict[int, list[str]]:
    """The problems that an operation names itself. Linters want at least one with a status from 400 to 499."""
    found = problems_of(endpoint)
    own = {status: problems for status, problems in found.items() if not _ANYWHERE.issuperset(problems)}
    return own if any(status < 500 for status in own) else own | {400: found[400]}


def shared_failures(endpoints: list[Endpoint]) -> dict[str, list[str]]:
    """The problems of each shared response, by its name. Raises `ValueError` if two have the same name."""
    found: dict[str, list[str]] = {}
    for problems in (each for endpoint in endpoints for each in own_problems(endpoint).values()):
        if found.setdefault(response_name(problems), problems) != problems:
            raise ValueError(f"two responses have the name {response_name(problems)}")
    return found


def response_name(problems: list[str]) -> str:
    """The name of a response: its problems, without those that all responses of its status have."""
    telling = [name for name in problems if name not in _EVERYWHERE] or problems[:1]
    return _RESPONSES.get(frozenset(telling)) or "Or".join(map(pascal, telling))


OTHER = "Other"
_EVERYWHERE = {"bad-request", "token-in-address"}
_ANYWHERE = {
    *_EVERYWHERE,
    "token-needed",
    "token-unknown",
    "scope-needed",
    "foreign-origin",
    "not-acceptable",
    "body-too-large",
    "bad-media-type",
    "quota-exceeded",
    "still-running",
    "key-reused",
    "storage-full",
    "rebuilding",
    "overloaded",
}
"""Problems of a sender, of a form or of the whole service. The default response names them once, for all operations."""
_RESPONSES = {
    frozenset({"scope-needed", "foreign-origin", "not-yours"}): "RecordingForbidden",
    frozenset({"bad-json", "bad-entry", "bad-move", "bad-notation"}): "BadEntries",
    frozenset({"bad-json", "bad-entry", "bad-opening"}): "BadEntryOrOpening",
    frozenset({"id-reused", "conflict", "contradiction", "game-closed"}): "EntriesInConflict",
    frozenset({"rule-broken", "impossible-move", "bad-correction", "bad-signature", "game-full"}): "EntriesRefused",
}
"""Short names of combinations that are common."""


def _refusals(endpoint: Endpoint) -> Iterator[str]:
    """The refusals because of the sender. A failing `Accept` is among the other problems of any route."""
    yield "token-in-address"
    if endpoint.need is not OPEN:
        yield from ("token-unknown", "quota-exceeded")
        if not endpoint.need.everybody:
            yield "token-needed"
            if endpoint.method != "GET":
                yield "foreign-origin"
        if endpoint.need.scopes:
            yield "scope-needed"
    if endpoint.keyed:
        yield from ("still-running", "key-reused")
    if endpoint.body is not None and JSON in endpoint.body_types:
        yield from ("bad-json", "bad-media-type", "body-too-large")


def to_failure(problems: list[str]) -> dict[str, Any]:
    """The response for one of these problems."""
    lines = [f"* `{name}`: {KINDS[name].title}." for name in problems]
    return _problem("\n".join(lines) if len(lines) > 1 else lines[0].removeprefix("* "))


def other_failure() -> dict[str, Any]:
    """The response for any other problem. It names those that most operations can answer, by status."""
    kinds = sorted((kind.status, name, kind.title) for name, kind in KINDS.items() if name in _ANYWHERE)
    lines = [f"* {status} `{name}`: {title}." for status, name, title in kinds]
    return _problem("\n".join(["Any other problem. Most operations can answer these:", "", *lines]))


def _problem(text: str) -> dict[str, Any]:
    return {"description": text, "content": {MEDIA_TYPE: {"schema": refer("Problem")}}}
