"""Early problems: those that the front and the streams' process send without the application.

They read no more of a language than they say themselves.
"""

from __future__ import annotations

from contextlib import suppress
from functools import cache, lru_cache
from http.cookies import CookieError, SimpleCookie
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl

import msgspec

from service import languages
from service.languages.forms import CONTEXT, Forms
from service.problems.kinds import MEDIA_TYPE, body_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from service.problems.kinds import Kind

_FILES = frozenset(
    {
        "service/problems/kinds.py",
        "service/api/problems.py",
        "service/server/front/",
        "service/live/",
        "service/languages/plain.py",
    }
)
"""Where that stands which is said here."""

_MANY = 20
"""Fields of a query that are looked at."""

_REASONS = {400: "Bad Request", 408: "Request Timeout", 413: "Content Too Large", 429: "Too Many Requests"}
_REASONS |= {431: "Request Header Fields Too Large", 500: "Internal Server Error", 503: "Service Unavailable"}
_CLOSE = "Connection: close\r\n"


def language_of(target: bytes, headers: Iterable[tuple[bytes, bytes]]) -> str:
    """The language of a refusal, from the part of the request that was read."""
    values = {name.lower(): value.decode("latin-1") for name, value in headers}
    with suppress(ValueError, CookieError):  # what cannot be read names none
        asked = dict(parse_qsl(target.partition(b"?")[2].decode("latin-1"), max_num_fields=_MANY))
        kept = {name: cookie.value for name, cookie in SimpleCookie(values.get(b"cookie", "")).items()}
        named = asked.get("lang"), kept.get(languages.COOKIE)
        return languages.negotiate(named, values.get(b"accept-language", ""))
    return languages.ENGLISH


@lru_cache(maxsize=256)
def translated_to(tag: str, text: str) -> str:
    """A text of this module in a language."""
    found = None if tag == languages.ENGLISH else _forms(tag).translated(text, lambda value: translated_to(tag, value))
    return text if found is None else found


@cache
def _forms(tag: str) -> Forms:
    messages = [each for each in languages.excerpt(tag, _FILES).messages if each.translation and not each.more]
    known, words = ({each.id: each.translation for each in messages if each.context == of} for of in (CONTEXT, None))
    return Forms(known, words)


def encode_problem(kind: Kind, detail: str, tag: str, retry_after: int, *, close: bool, **more: str) -> bytes:
    """The bytes of a refusal in a language. A temporary one says after how many seconds to try again."""
    body = body_of(kind, detail) | more
    content = msgspec.json.encode(
        body | {name: translated_to(tag, str(body[name])) for name in ("title", "detail", "advice")}
    )
    retry = f"Retry-After: {retry_after}\r\n" if kind.status in {429, 503} else ""
    head = (
        f"HTTP/1.1 {kind.status} {_REASONS[kind.status]}\r\nContent-Type: {MEDIA_TYPE}\r\n{retry}"
        f"Cache-Control: no-store\r\nContent-Length: {len(content)}\r\n{_CLOSE if close else ''}\r\n"
    )
    return head.encode() + content
