"""Days on which games were played."""

from __future__ import annotations

from datetime import datetime, timedelta


def is_ahead(time: datetime) -> bool:
    """Whether a time with an offset is later than tomorrow in its zone. Clocks of phones can be hours ahead."""
    return time.date() - datetime.now(time.tzinfo).date() > timedelta(days=1)
