"""The clock of this machine: its zone, and days in it."""

from __future__ import annotations

import time
from contextlib import suppress
from datetime import UTC, datetime, timedelta, timezone

_DAY = timedelta(days=1).total_seconds()


def local(moment: datetime) -> datetime:
    """A moment by the clock of this machine, with its offset in whole minutes.

    A moment without an offset is taken as one of this clock. A zone of a day or more (`TZ=XYZ-99`) is none that Python
    knows: UTC takes its place, as it does for an unknown name. Raises `ValueError` or `OverflowError` for a moment that
    is outside of the years 1 to 9999 here.
    """
    if max(abs(time.timezone), abs(time.altzone)) >= _DAY:
        return moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)
    found = moment.astimezone()
    offset = found.utcoffset() or timedelta()
    whole = timedelta(minutes=round(offset / timedelta(minutes=1)))  # until about 1900 offsets had seconds
    return found if whole == offset else found.replace(tzinfo=timezone(whole))


def local_day(moment: str) -> str:
    """The date here of a time of the API. At both ends of the years 1 to 9999 it is the date of that time itself."""
    found = datetime.fromisoformat(moment)
    with suppress(ValueError, OverflowError):
        found = local(found)
    return found.date().isoformat()
