"""How data becomes bytes: the one form in which it is hashed."""

from __future__ import annotations

import msgspec

encode_data = msgspec.json.Encoder(order="sorted").encode
"""The canonical JSON of an event's data, or of a part of it."""
