"""The messages of webhooks: their schemas, and the operation that a receiver serves."""

from __future__ import annotations

from typing import Any

import msgspec

from events.types import END_OF_TEXT
from service.api.openapi.shapes import SCHEMA, refer
from service.api.openapi.sharing import to_response
from service.webhooks import messages

MESSAGES = messages.TYPES | {messages.TEST: "Somebody tries out an endpoint."}
"""The messages, by type, and when they are sent."""

_HEADERS = {
    "webhook-id": (
        "the message's id: the same at every attempt, so that what arrives twice can be told",
        "msg_[0-9a-f]+",
    ),
    "webhook-timestamp": ("when this attempt was made, in seconds since 1970", "[0-9]+"),
    "webhook-signature": (
        "`v1,` and the HMAC-SHA256 of `id.timestamp.body`, in base64; a space between several",
        "v1,.+",
    ),
}


def message_schemas() -> dict[str, Any]:
    """The messages of webhooks, in both forms."""
    about = ("Game", "Record", "Audit", "Trial")
    kinds = [getattr(messages, f"{each}{form}") for each in about for form in ("Message", "CloudEvent")]
    _, components = msgspec.json.schema_components(kinds, ref_template=SCHEMA)
    return dict(components)


def message_operation(name: str, about: str) -> dict[str, Any]:
    """The operation that a receiver serves."""
    kinds = {messages.TEST: "Trial", messages.DIFFERS: "Audit", **dict.fromkeys(messages.OTHERS, "Record")}
    kind = kinds.get(name, "Game")
    forms = {messages.STANDARD: f"{kind}Message", messages.CLOUDEVENTS: f"{kind}CloudEvent"}
    content = {messages.MEDIA_TYPES[form]: {"schema": refer(schema)} for form, schema in forms.items()}
    summary, more, _ = about.partition(":")
    return {
        "operationId": f"tell_{name.replace('.', '_')}",
        "tags": ["webhooks"],
        "summary": summary.rstrip("."),
        **({"description": about} if more else {}),
        "security": [],
        "parameters": [
            {
                "in": "header",
                "name": header,
                "required": True,
                "description": what,
                "schema": {"type": "string", "pattern": f"^{pattern}{END_OF_TEXT}"},
            }
            for header, (what, pattern) in _HEADERS.items()
        ],
        "requestBody": {"required": True, "content": content},
        "responses": {
            "2XX": to_response("Arrived"),
            "default": to_response("NotArrived"),
        },
    }
