"""Texts: characters that no text of a client may contain."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from marshmallow import ValidationError

if TYPE_CHECKING:
    from collections.abc import Iterator

CONTROLS = re.compile("[\u202a-\u202e\u2066-\u2069]")
"""The embeddings, overrides and isolates of text direction: what follows is shown in another order than it has.

Letters of scripts from right to left need none of them.
"""

BLOCK = 1 << 18
"""Characters of a long text that are searched at once: other threads get their turn between two."""

CONTROLS_IN_JSON = re.compile(rb"\xe2\x80[\xaa-\xae]|\xe2\x81[\xa6-\xa9]|\\u20(?:2[a-eA-E]|6[6-9])")
"""Where JSON may hold one of them, written out or escaped."""

WHY = "contains control characters of text direction (U+202A to U+202E, U+2066 to U+2069)"


def first_control(text: str) -> re.Match[str] | None:
    """The first such control in a text, which may be very long."""
    blocks = range(0, len(text), BLOCK)
    return next(filter(None, (CONTROLS.search(text, start, start + BLOCK) for start in blocks)), None)


def refuse_controls(value: Any) -> None:
    """Check that no text in a decoded JSON value has such controls. Raises `ValidationError` naming those that do."""
    found = {path.lstrip("."): [WHY] for path in _holders(value, "")}
    if found:
        raise ValidationError(found)


def _holders(value: Any, path: str) -> Iterator[str]:
    if isinstance(value, str):
        if CONTROLS.search(value):
            yield path
    elif isinstance(value, dict):
        for key, inner in value.items():
            if CONTROLS.search(key):
                yield path
            else:
                yield from _holders(inner, f"{path}.{key}")
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from _holders(inner, f"{path}[{index}]")
