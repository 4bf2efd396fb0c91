"""Refusals: the kinds of problems that are answered before the application has a say, and by whom they are known."""

from __future__ import annotations

import msgspec

MEDIA_TYPE = "application/problem+json"


class Kind(msgspec.Struct, frozen=True):
    """A kind of problem: the last part of its type URI, its status, its title, and what to do about it."""

    name: str
    status: int
    title: str
    advice: str


BAD_HTTP = Kind("bad-http", 400, "That is no HTTP/1.1", "Mend what `detail` names, or use another client.")
TOO_SLOW = Kind("too-slow", 408, "The request came too slowly", "Nothing was stored. Send it again, whole.")
BODY_TOO_LARGE = Kind("body-too-large", 413, "The body is too large", "Send fewer entries at once.")
HEAD_TOO_LARGE = Kind("head-too-large", 431, "The head is too large", "Send a shorter address, and fewer headers.")
TOO_MANY = Kind("too-many-connections", 429, "Too many connections from one address", "Close some, then try again.")
OVERLOADED = Kind("overloaded", 503, "The service has more to do than it can", "Wait for `Retry-After`, send it again.")
UNAVAILABLE = Kind("unavailable", 503, "The service is starting again", "Wait for `Retry-After`, send it again.")

INTERNAL = Kind(
    "internal",
    500,
    "A fault of the service",
    "Please report it with its `id`. See whether the request was carried out before you send it again.",
)

REFUSALS = (BAD_HTTP, TOO_SLOW, BODY_TOO_LARGE, HEAD_TOO_LARGE, TOO_MANY, OVERLOADED, UNAVAILABLE)


def body_of(kind: Kind, detail: str) -> dict[str, str | int]:
    """What every problem says."""
    return {
        "type": f"/problems/{kind.name}",
        "title": kind.title,
        "status": kind.status,
        "detail": detail,
        "advice": kind.advice,
    }
