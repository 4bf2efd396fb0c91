"""The encoding of data as bytes: the one form that is hashed."""

from __future__ import annotations

import msgspec

encode_data = msgspec.json.Encoder(order="sorted").encode
"""The canonical JSON of an event's data, or of a part of it."""
