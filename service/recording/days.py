"""Days on which games were played."""

from __future__ import annotations

from datetime import datetime, timedelta


def is_ahead(time: datetime) -> bool:
    """Whether a time, with its offset, lies later than tomorrow there. Clocks of phones can be some hours ahead."""
    return time.date() - datetime.now(time.tzinfo).date() > timedelta(days=1)
