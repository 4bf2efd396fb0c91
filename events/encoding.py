"""The encoding of data as bytes: the one form that is hashed. Texts of damaged bytes."""

from __future__ import annotations

import msgspec

encode_data = msgspec.json.Encoder(order="sorted").encode
"""The canonical JSON of an event's data, or of a part of it."""


def readable(text: bytes) -> str:
    """A text with U+FFFD in place of damaged parts."""
    return text.decode(errors="replace")
