"""Waiting: how long another server asks to wait."""

from __future__ import annotations

from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

LONGEST_WAIT = 86_400
"""The most seconds that a server can ask to wait."""


def seconds_to_wait(header: str | None) -> int | None:
    """The seconds in `Retry-After`; None if it is missing or cannot be read."""
    if header is None:
        return None
    text = header.strip()
    if text.isascii() and text.isdigit():
        return min(int(text[:9]), LONGEST_WAIT)
    try:
        moment = parsedate_to_datetime(text)
    except (ValueError, TypeError, OverflowError):
        return None
    seconds = (moment.replace(tzinfo=moment.tzinfo or UTC) - datetime.now(UTC)).total_seconds()
    return min(max(int(seconds), 0), LONGEST_WAIT)
