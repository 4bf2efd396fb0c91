"""The schemas that are written by hand: neither a struct nor a schema of marshmallow has them."""

from __future__ import annotations

from typing import Any

from events import limits
from service.api import examples
from service.api.openapi.shapes import (
    OBJECT,
    refer,
)

DATA_FIELDS: dict[str, Any] = {
    "move": {
        "description": "for an entry that brings a move: a line of the ruleset's notation, or an object",
        "anyOf": [{"type": "string"}, refer("Move")],
    },
    "override": {
        "description": "that a move which breaks a rule was made all the same",
        **refer("Override"),
    },
    "adjustments": {
        "description": "of `ruling.given`: what it changes, each a line of the ruleset's notation, or an object",
        "type": "array",
        "maxItems": limits.ADJUSTMENTS,
        "items": {"anyOf": [{"type": "string"}, refer(OBJECT)]},
    },
}
DATA = {"type": "object", "description": "what the type of entry holds", "additionalProperties": True}
_PROBLEM = {
    "type": "object",
    "description": "What went wrong, and what helps (RFC 9457).",
    "examples": [examples.PROBLEM],
    "required": ["type", "title", "status", "detail", "advice"],
    "properties": {
        "type": {
            "description": "the kind, listed at `/problems`; a later release can have more of them",
            "type": "string",
            "format": "uri-reference",
        },
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string", "description": "what is wrong with this very request"},
        "advice": {"type": "string", "description": "what to do about it"},
        "id": {"type": "string", "description": "the id of a fault of the service, which stands in its journal, too"},
        "rule": {"type": "string", "description": "the id of the rule that is broken"},
        "checkpoint": {"type": "string", "description": "the last checkpoint that a stopped tree has signed"},
        "impossible": {"type": "string", "description": "why the move cannot be recorded with an override either"},
        "entry_index": {"type": "integer", "description": "which entry of the request, from 0"},
        "errors": {"type": "array", "items": refer("FieldError")},
        "conflicts": {"type": "array", "items": refer("Conflict")},
        "would": {
            **refer("RecordedEntry"),
            "description": "what a correction would do if of its conflicts all that can be kept stood",
        },
        "missed": {"type": "array", "items": refer("StoredEvent")},
        "version": {"type": "integer"},
        "game": {"type": "string"},
        "text": {"type": "string"},
        "at": {"type": "integer"},
        "line": {"type": "integer"},
    },
}
OWN: dict[str, Any] = {
    "Problem": _PROBLEM,
    "FieldError": {
        "type": "object",
        "required": ["field", "message"],
        "properties": {"field": {"type": "string"}, "message": {"type": "string"}},
    },
    "Conflict": {
        "type": "object",
        "required": ["version", "why", "rule", "choices"],
        "properties": {
            "version": {"type": "integer"},
            "why": {"type": "string"},
            "rule": {"type": ["string", "null"]},
            "choices": {"type": "array", "items": {"enum": ["keep", "withdraw"]}},
            "notation": {"type": ["string", "null"]},
            "legal": {"type": "array", "items": {"type": "string"}},
        },
    },
    "StreamEvent": {
        "type": "object",
        "description": "An event of a stream (SSE). Its `data` is JSON, as a line of `application/x-ndjson` is.",
        "required": ["data"],
        "properties": {"id": {"type": "string"}, "event": {"type": "string"}, "data": {"type": "string"}},
    },
    "Override": {
        "type": "object",
        "required": ["reason"],
        "properties": {"reason": {"type": "string", "minLength": 1, "maxLength": limits.REASON}},
    },
}
"""What is neither a struct nor a schema of marshmallow."""
