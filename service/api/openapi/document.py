"""The whole document: requests from their marshmallow schemas, answers from their types."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from apispec import APISpec
from apispec.ext.marshmallow import MarshmallowPlugin

from service import __version__
from service.api.openapi.failures import OTHER, other_failure, shared_failures, to_failure
from service.api.openapi.layout import to_yaml
from service.api.openapi.messages import MESSAGES, message_operation
from service.api.openapi.operations import PARAMETER, TOKEN, describe_scopes, to_operation
from service.api.openapi.schemas import add_schemas
from service.api.openapi.sharing import share_bodies, share_parameters, share_responses
from service.api.routes import PARTS

TITLE = "Kifu"
ABOUT = """The record of a game: tabletop games played in person, recorded move by move.

Every write is safe to repeat: ids are made by the client. What breaks a rule is refused with the rule's id, and taken
with an `override`, because it may have happened all the same. Errors are `application/problem+json` (RFC 9457),
in the language of `Accept-Language` as far as people read them.
"""
TAGS = {
    "rulesets": "The games whose rules are known.",
    "games": "The games that are recorded.",
    "entries": "What happened, entry by entry: recording it, and the log as it stands.",
    "states": "What follows from the entries, at any version and from any point of view.",
    "streams": "What is recorded, told as it comes.",
    "analyses": "What a whole game looks like afterwards: made by workers, and followed here.",
    "forks": "What if: games that go off from another one, and games side by side.",
    "tree": "One tree over the whole log: signed, so that nothing can be changed or left out unseen.",
    "transfers": "Games out of here and into here.",
    "plays": "Plays from the files of other trackers, which become score sheets.",
    "pasting": "Tables of spreadsheets, onto score sheets.",
    "statistics": "Figures and ratings of people, from the games that the caller may see.",
    "years": "Years in review.",
    "clubs": "Clubs: their members, house rules and games.",
    "tournaments": "Tournaments: pairings, results, and a table with every tie-break explained.",
    "seasons": "Seasons: the table of a club's games by its own rules.",
    "exports": "Many games as tables, spreadsheets and files for other programs.",
    "players": "The people's names, which can be erased.",
    "held": "What is held about a person.",
    "merges": "People who were entered several times.",
    "components": "What was entered of a box once, under a name, to open many games with.",
    "templates": "Ready score sheets, and those that somebody kept, found by name.",
    "playable": "What can be played here, by any name: ready sheets, kept sheets and rulesets.",
    "tokens": "What opens the service: for programs, devices and browsers.",
    "oauth": "How programs come to a token that somebody lets them have.",
    "access": "Who may do what, who may see which game, and the trail of who said so.",
    "invitations": "What lets a person's phone in, to the service or to a seat: a link, and a code to type.",
    "links": "Links that show one game to anyone who has them.",
    "webhooks": (
        "Programs elsewhere that are told what happens. Messages are signed after Standard Webhooks, and sent as the "
        "endpoint's `format` says."
    ),
    "operations": "How the service is.",
}


def specification() -> dict[str, Any]:
    """The description of the whole API as an OpenAPI 3.1 document."""
    spec = APISpec(
        title=TITLE,
        version=__version__,
        openapi_version="3.1.0",
        info={
            "description": ABOUT,
            "contact": {"name": "The owner of this service"},
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        plugins=[MarshmallowPlugin()],
        tags=[{"name": name, "description": text} for name, text in TAGS.items()],
        servers=[{"url": "/"}],
        security=[TOKEN],
    )
    spec.components.security_scheme("token", {"type": "http", "scheme": "bearer", "description": describe_scopes()})
    endpoints = [endpoint for part in PARTS for endpoint in part.described]
    for endpoint in endpoints:
        path = re.sub(PARAMETER, r"{\1}", endpoint.path)
        spec.path(path, operations={endpoint.method.lower(): to_operation(endpoint)})
    document: dict[str, Any] = spec.to_dict()
    document["webhooks"] = {name: {"post": message_operation(name, about)} for name, about in MESSAGES.items()}
    add_schemas(document, endpoints)
    share_parameters(document)
    share_bodies(document)
    failures = {name: to_failure(problems) for name, problems in shared_failures(endpoints).items()}
    share_responses(document, failures | {OTHER: other_failure()} | _WITHOUT_CONTENT)
    return document


_WITHOUT_CONTENT = {
    "Done": {"description": "Done."},
    "EndOfStream": {"description": "You connected again, and may not any more: this is the end of it."},
    "NotModified": {"description": "You have this version already."},
    "Arrived": {"description": "It has arrived."},
    "NotArrived": {
        "description": (
            "It has not arrived, and is sent again, for three days. Redirects are not followed. 410 disables the "
            "endpoint. After 429 all that goes to it waits, as long as `Retry-After` says."
        )
    },
}
"""Responses that say all by their status: of the service, and of who receives its messages."""


@cache
def description() -> str:
    """The document as YAML."""
    return to_yaml(specification())
