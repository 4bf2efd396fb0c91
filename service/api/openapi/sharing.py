"""Shared parameters, bodies and responses of openapi.yaml: each is named, and written once."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import msgspec

from service.api.openapi.shapes import pascal

Uses = list[tuple[str, dict[str, Any]]]
"""The operations that use one thing, by id, each with the thing itself."""


def operations(document: dict[str, Any]) -> list[dict[str, Any]]:
    """The operations of the API, and those that a receiver of webhooks serves."""
    paths = (*document["paths"].values(), *document["webhooks"].values())
    return [operation for path in paths for operation in path.values()]


def to_response(name: str) -> dict[str, str]:
    """A reference to the response of that name."""
    return {"$ref": f"#/components/responses/{name}"}


def share_parameters(document: dict[str, Any]) -> None:
    """Make components of the parameters that several operations have.

    If parameters differ and have one name, the most used has it alone, and others that of an operation before it.
    """
    shared = _repeated({each["operationId"]: each["parameters"] for each in operations(document)})
    components: dict[str, Any] = {}
    for uses in sorted(shared, key=len, reverse=True):
        (first, parameter), *_ = uses
        name = pascal(parameter["name"])
        name = pascal(first) + name if name.lower() in map(str.lower, components) else name
        components[name] = dict(parameter)
        _refer(uses, f"#/components/parameters/{name}")
    document["components"]["parameters"] = dict(sorted(components.items()))


def share_bodies(document: dict[str, Any]) -> None:
    """Make components of the bodies that several operations have, named like the schema of their first type."""
    bodies = {each["operationId"]: [each["requestBody"]] for each in operations(document) if "requestBody" in each}
    components: dict[str, Any] = {}
    for uses in _repeated(bodies):
        body = uses[0][1]
        name = next(iter(body["content"].values()))["schema"]["$ref"].rpartition("/")[2]
        if name in components:
            raise ValueError(f"two bodies have the name {name}")
        components[name] = dict(body)
        _refer(uses, f"#/components/requestBodies/{name}")
    document["components"]["requestBodies"] = dict(sorted(components.items()))


def share_responses(document: dict[str, Any], components: dict[str, Any]) -> None:
    """Add the responses to which operations refer, and make others of those that several operations have.

    These have the name of their schema, or else of their media type.
    """
    found = {each["operationId"]: list(each["responses"].values()) for each in operations(document)}
    for uses in _repeated({name: [each for each in all_ if "$ref" not in each] for name, all_ in found.items()}):
        response = uses[0][1]
        media, content = next(iter(response["content"].items()))
        name = pascal(content["schema"].get("$ref", media).rpartition("/")[2])
        if name in components:
            name = _OTHERS.get(response["description"], name + pascal(response["description"]))
        if name in components:
            raise ValueError(f"two responses have the name {name}")
        components[name] = dict(response)
        _refer(uses, to_response(name)["$ref"])
    document["components"]["responses"] = dict(sorted(components.items()))


_OTHERS = {"The dry run's answer; nothing was stored.": "DryRun"}
"""The names of responses with the schema of another response, by their descriptions."""


def _repeated(found: dict[str, list[dict[str, Any]]]) -> list[Uses]:
    """The parts that several operations have, with their uses."""
    uses: defaultdict[bytes, Uses] = defaultdict(list)
    for name, things in found.items():
        for thing in things:
            uses[msgspec.json.encode(thing)].append((name, thing))
    return [each for each in uses.values() if len(each) > 1]


def _refer(uses: Uses, reference: str) -> None:
    for _, thing in uses:
        thing.clear()
        thing["$ref"] = reference
