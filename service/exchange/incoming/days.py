"""Days and times as files of plays tell them, in the ways of several countries."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime
from functools import cache
from typing import TYPE_CHECKING

from events.folding import searched
from service.exchange.incoming.plays import BadPlayError, plain
from service.languages.cldr import month_names
from service.recording.days import is_ahead

if TYPE_CHECKING:
    from collections.abc import Iterable

_DAYS = (
    *("%Y-%m-%d", "%Y/%m/%d", "%Y.%m.%d", "%d.%m.%Y", "%Y%m%d", "%Y年%m月%d日"),
    *("%d %b %Y", "%d %B %Y", "%b %d, %Y", "%B %d, %Y", "%b %d %Y", "%B %d %Y"),
)
_MOMENTS = ("%Y-%m-%d %H:%M:%S", "%Y-%m-%d %H:%M", "%Y/%m/%d %H:%M", "%Y/%m/%d %H:%M:%S", "%d.%m.%Y %H:%M")
_TIMES = ("%H:%M", "%H:%M:%S", "%I:%M %p", "%I:%M:%S %p")

_PARTS = re.compile(r"([0-9]{1,2})([/-])([0-9]{1,2})\2([0-9]{4}|[0-9]{2})(?: ([0-9:]+(?: ?[AaPp][Mm])?))?")
"""A day whose order differs by country: 16/09/2023, 9/16/23 7:30 PM."""
_ERA = re.compile(r"(昭和|平成|令和)([0-9]{1,2}|元)年([0-9]{1,2})月([0-9]{1,2})日")
_BEFORE = {"昭和": 1925, "平成": 1988, "令和": 2018}
"""The year before the first one of a Japanese era."""
MONTHS = 12
_NAMED = re.compile(r"([0-9]{1,2})(?:\.|er|o)? (?:de )?([^\W\d_]{3,12})\.? (?:de )?([0-9]{4})(?:,? ([0-9:]{4,8}))?")
"""A day with the name of its month: 3. Januar 2024, 16 de septiembre de 2023."""


def day_first(days: Iterable[str]) -> bool | None:
    """Whether the day stands before the month in a file, as its days tell; None if they do not."""
    found = {(int(parts[1]), int(parts[3])) for text in days if (parts := _PARTS.fullmatch(plain(text).strip()))}
    first, second = any(one > MONTHS for one, _ in found), any(other > MONTHS for _, other in found)
    return first if first != second else None


def moment_of(text: str, *, day_first: bool | None = None) -> str | None:
    """The time that a text tells, as ISO 8601; None for none. A day alone is its noon in UTC.

    `day_first` says how 03/04/2023 is meant. Raises `BadPlayError`.
    """
    text = plain(text).strip()
    if not text or text.startswith("0000"):
        return None
    if parts := _PARTS.fullmatch(text):
        return _checked(_in_order(parts, text, day_first), text)
    for form in _DAYS:
        if found := _parsed(text, form):
            return _checked(found.replace(hour=12), text)
    for form in _MOMENTS:
        if found := _parsed(text, form):
            return _checked(found, text)
    return _checked(_of_an_era(text) or _of_a_named_month(text) or _of_iso(text), text)


def _in_order(parts: re.Match[str], text: str, day_first: bool | None) -> datetime:
    """A day in the known order. Raises `BadPlayError` if the order is not known, and for no day."""
    one, other, year = int(parts[1]), int(parts[3]), parts[4]
    if one <= MONTHS and other <= MONTHS and one != other and day_first is None:
        raise BadPlayError(f"date: {text[:40]!r} can be two days; write it as 2026-11-30")
    first = one > MONTHS or (other <= MONTHS and bool(day_first))
    day, month = (one, other) if first else (other, one)
    found = _parsed(f"{year} {month} {day}", "%Y %m %d" if len(year) > 2 else "%y %m %d")
    told = parts[5]
    time = next(filter(None, (_parsed(told.upper(), form) for form in _TIMES)), None) if told else None
    if found is None or (told and time is None):
        raise _no_day(text)
    return datetime.combine(found, time.timetz()) if time else found.replace(hour=12)


def _of_an_era(text: str) -> datetime | None:
    """A day by a Japanese era: 令和5年9月16日."""
    if not (found := _ERA.fullmatch(text)):
        return None
    year = _BEFORE[found[1]] + (1 if found[2] == "元" else int(found[2]))
    day = _parsed(f"{year} {found[3]} {found[4]}", "%Y %m %d")
    return day.replace(hour=12) if day else None


def _of_a_named_month(text: str) -> datetime | None:
    """A day with the name of its month in another language, with or without a time."""
    if not (found := _NAMED.fullmatch(text)) or not (month := _months().get(searched(found[2]))):
        return None
    time, day = found[4], f"{found[3]} {month} {found[1]}"
    if not time:
        alone = _parsed(day, "%Y %m %d")
        return alone.replace(hour=12) if alone else None
    return next(filter(None, (_parsed(f"{day} {time}", f"%Y %m %d {form}") for form in _TIMES)), None)


@cache
def _months() -> dict[str, int]:
    """The numbers of months by their names and abbreviations in other languages than English, without accents."""
    return {
        searched(name).rstrip("."): place % MONTHS + 1
        for names in month_names().values()
        for place, name in enumerate(names)
    }


def _of_iso(text: str) -> datetime:
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        raise _no_day(text) from None


def _no_day(text: str) -> BadPlayError:
    return BadPlayError(f"date: {text[:40]!r} is no day; write it as 2026-11-30")


def _parsed(text: str, form: str) -> datetime | None:
    try:
        return datetime.strptime(text, form).replace(tzinfo=UTC)
    except ValueError:
        return None


def _checked(found: datetime, text: str) -> str:
    aware = found if found.tzinfo else found.replace(tzinfo=UTC)
    if aware.date() < date(1900, 1, 1):
        raise BadPlayError(f"date: {text[:40]!r} lies before 1900")
    if is_ahead(aware):
        raise BadPlayError(f"date: {text[:40]!r} is later than tomorrow: give the day on which it was played")
    return aware.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
