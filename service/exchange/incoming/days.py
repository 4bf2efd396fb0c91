"""Parsing days and times in files of plays, as written in several countries."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, time
from functools import cache
from typing import TYPE_CHECKING

from events.folding import search_form
from service.exchange.incoming.numbers import with_common_signs
from service.exchange.incoming.plays import BadPlayError
from service.languages.cldr import month_names, weekday_names
from service.recording.days import is_ahead

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

LONGEST = 80
"""The most characters of a day and a time."""

_YEAR = "(?P<year>[0-9]{4}|[0-9]{2})"
_BY_COUNTRY = re.compile(rf"(?P<first>[0-9]{{1,2}})(?P<sign>[-/ ])(?P<second>[0-9]{{1,2}})(?P=sign){_YEAR}")
"""A day with an order that differs by country: 16/09/2023, 9/16/23."""
_FORMS = (
    re.compile(r"(?P<year>[0-9]{4})(?P<sign>[-/. ]|\. )(?P<month>[0-9]{1,2})(?P=sign)(?P<day>[0-9]{1,2})\.?"),
    re.compile(r"(?P<year>[0-9]{4})(?P<month>[0-9]{2})(?P<day>[0-9]{2})"),
    re.compile(rf"(?P<day>[0-9]{{1,2}})\. ?(?P<month>[0-9]{{1,2}})\. ?{_YEAR}\.?"),
    _BY_COUNTRY,
    re.compile(
        r"(?:(?P<era>昭和|平成|令和)(?P<of_era>[0-9]{1,2}|元)|(?P<year>[0-9]{4}))年 ?"
        r"(?P<month>[0-9]{1,2})月 ?(?P<day>[0-9]{1,2})日"
    ),
    re.compile(r"(?P<era>[SHR])(?P<of_era>[0-9]{1,2})(?P<sign>[-/.])(?P<month>[0-9]{1,2})(?P=sign)(?P<day>[0-9]{1,2})"),
    re.compile(
        r"(?P<day>[0-9]{1,2})(?:\.|st|nd|rd|th|er|o)?(?: de| of)?[ .-]?"
        rf"(?P<name>[^\W\d_]{{3,12}})\.?,?(?: del?)?[ .-]?{_YEAR}",
        re.IGNORECASE,
    ),
    re.compile(r"(?P<name>[^\W\d_]{3,12})\.? (?P<day>[0-9]{1,2})(?:st|nd|rd|th)?,? (?P<year>[0-9]{4})", re.IGNORECASE),
)
"""A day: 2023-09-16, 16.09.2023, 令和5年9月16日, 16 de septiembre de 2023, September 16, 2023."""
_TIME = re.compile(
    r"(?P<day>.+?)(?:[, ]+(?:(?:at|um|om|à|às|alle|a las) )?|(?<=日))"
    r"(?P<hour>[0-9]{1,2})[:.h時](?P<minute>[0-9]{2})(?:[:.](?P<second>[0-9]{2})(?:[.,][0-9]+)?)?分?"
    r"(?: ?(?P<half>[ap])\.? ?m\.?)?(?: uhr| utc| gmt)?",
    re.IGNORECASE,
)
_ISO = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt ][0-9]{2}(?::?[0-9]{2}(?::?[0-9]{2}(?:[.,][0-9]+)?)?)?"
    r" ?(?:[Zz]|[+-][0-9]{2}:?[0-9]{2})?"
)
_WEEKDAY = re.compile(r"(?P<name>[^\W\d_]+(?:-feira)?)(?:\.,?|,)? (?P<day>.+)")
_JAPANESE_WEEKDAY = re.compile(r" ?(?:\([月火水木金土日]\)|[月火水木金土日]曜日?)")
_NOTHING = frozenset("0-/.: ")
"""The digits of an empty day: 0000-00-00."""
_BEFORE = {"昭和": 1925, "平成": 1988, "令和": 2018, "S": 1925, "H": 1988, "R": 2018}
"""The year before the first year of a Japanese era."""
MONTHS = 12
_NOON = time(12)


def day_first(days: Iterable[str]) -> bool | None:
    """Whether the days of a file have the day before the month; None if they do not show it."""
    found = {order for text in days if (order := _order_in(text))}
    first, second = any(one > MONTHS for one, _ in found), any(other > MONTHS for _, other in found)
    return first if first != second else None


def parse_moment(text: str, *, day_first: bool | None = None) -> str | None:
    """Parse a time to ISO 8601; None if it is not a time. A day alone becomes its noon in UTC.

    `day_first` decides the meaning of 03/04/2023. Raises `BadPlayError`.
    """
    told = _in_one_line(text)
    if not set(told) - _NOTHING:
        return None
    found = _of_iso(told) if _ISO.fullmatch(told) else None
    for day, at in () if found else _readings(told):
        if known := _day(day, day_first):
            found = datetime.combine(known, at, UTC)
            break
    if found is None:
        raise BadPlayError(f"date: {told[:40]!r} is not a day; write it as 2026-11-30")
    return _checked(found, told)


def _in_one_line(text: str) -> str:
    return " ".join(with_common_signs(text[: 2 * LONGEST]).split())


def _order_in(text: str) -> tuple[int, int] | None:
    """The first two numbers of a day with an order that differs by country."""
    for day, _ in _readings(_in_one_line(text)):
        if found := _BY_COUNTRY.fullmatch(day):
            return int(found["first"]), int(found["second"])
    return None


def _readings(text: str) -> Iterator[tuple[str, time]]:
    """The possible splits of a text into day and time, with and without the day of the week."""
    if len(text) > LONGEST:
        return
    without = _JAPANESE_WEEKDAY.sub("", text)
    named = _WEEKDAY.fullmatch(without)
    texts = [without, named["day"]] if named and search_form(named["name"]) in _weekdays() else [without]
    for each in texts:
        yield each, _NOON
        if (found := _TIME.fullmatch(each)) and (at := _time(found)):
            yield found["day"], at


def _time(found: re.Match[str]) -> time | None:
    hour, half = int(found["hour"]), (found["half"] or "").lower()
    if half:
        hour = hour % 12 + (12 if half == "p" else 0) if 1 <= hour <= 12 else 24
    try:
        return time(hour, int(found["minute"]), int(found["second"] or 0))
    except ValueError:
        return None


def _day(text: str, day_first: bool | None) -> date | None:
    """Parse a day; None if it is not a day. Raises `BadPlayError` if it can mean two days."""
    found = next(filter(None, (form.fullmatch(text) for form in _FORMS)), None)
    if not found:
        return None
    told = found.groupdict()
    if "first" in told:
        day, month = _in_order(int(told["first"]), int(told["second"]), day_first, text)
    else:
        day = int(told["day"])
        month = int(told["month"]) if "month" in told else _months().get(search_form(told["name"]), 0)
    try:
        return date(_year(told), month, day)
    except ValueError:
        return None


def _in_order(one: int, other: int, day_first: bool | None, text: str) -> tuple[int, int]:
    """The day and the month of two numbers. Raises `BadPlayError` if their order is unknown."""
    if one <= MONTHS and other <= MONTHS and one != other and day_first is None:
        raise BadPlayError(f"date: {text[:40]!r} can be two days; write it as 2026-11-30")
    first = one > MONTHS or (other <= MONTHS and bool(day_first))
    return (one, other) if first else (other, one)


def _year(told: dict[str, str | None]) -> int:
    """The year of a day. Two digits mean 1969 to 2068."""
    if era := told.get("era"):
        year = told["of_era"] or ""
        return _BEFORE[era] + (1 if year == "元" else int(year))
    year = told["year"] or ""
    return int(year) if len(year) > 2 else 2000 + int(year) - (100 if int(year) > 68 else 0)


@cache
def _months() -> dict[str, int]:
    """The numbers of months by name and abbreviation, without accents."""
    return {
        search_form(name).rstrip("."): place % MONTHS + 1
        for names in month_names().values()
        for place, name in enumerate(names)
    } | {"sept": 9}


@cache
def _weekdays() -> set[str]:
    """The names and abbreviations of weekdays, without accents."""
    return {search_form(name).rstrip(".") for names in weekday_names().values() for name in names}


def _of_iso(text: str) -> datetime | None:
    try:
        return datetime.fromisoformat(text.upper())
    except ValueError:
        return None


def _checked(found: datetime, text: str) -> str:
    aware = found if found.tzinfo else found.replace(tzinfo=UTC)
    if aware.date() < date(1900, 1, 1):
        raise BadPlayError(f"date: {text[:40]!r} is before 1900")
    if is_ahead(aware):
        raise BadPlayError(f"date: {text[:40]!r} is later than tomorrow: give the day on which it was played")
    return aware.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
