"""The facts about languages and countries from CLDR that the service needs.

`python -m tests.cldr` takes it from Babel, and writes `cldr.json`.
"""

from __future__ import annotations

from functools import cache
from gettext import c2py
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import date

FILE = Path(__file__).with_name("cldr.json")
COUNTS = range(201)
"""Numbers among which there is one of every plural form of every language."""


class Language(msgspec.Struct, frozen=True):
    """A language: its own name, and its forms of days, numbers and counts."""

    name: str
    date_form: str
    months: tuple[str, ...]
    decimal: str
    group: str
    categories: tuple[str, ...]
    plural: str

    def day(self, day: date) -> str:
        """A day in CLDR's medium form."""
        return self.date_form.format(year=day.year, month=day.month, day=day.day, name=self.months[day.month - 1])

    def number(self, written: str) -> str:
        """A number such as `1,234.5`, with the separators of this language."""
        return written.translate({ord(","): self.group, ord("."): self.decimal})

    def plural_categories(self) -> dict[int, str]:
        """The plural categories of sample numbers, by the names that browsers use."""
        place = c2py(self.plural)
        return {count: self.categories[place(count)] for count in COUNTS}


class Countries(msgspec.Struct, frozen=True):
    """The locales with a decimal comma or point, and how other tags resolve to them."""

    comma: frozenset[str]
    point: frozenset[str]
    likely: dict[str, str]
    usual: dict[str, str]
    languages: dict[str, str]
    territories: dict[str, str]

    def has_comma(self, tag: str) -> bool:
        """Whether a tag has a decimal comma. Raises `ValueError` for an unknown language or country."""
        for name in self._names(tag):
            if name in self.comma:
                return True
            if name in self.point:
                return False
        raise ValueError(f"no language or country has the tag {tag!r}")

    def _names(self, tag: str) -> list[str]:
        """The locales that a tag can mean, the best first. They are resolved as Babel does it."""
        tag, _, modifier = tag.partition("@")
        language, script, territory, variant = _parts(tag.partition(".")[0])
        exact = _joined(language, script, territory, variant)
        language = self.languages.get(language, language)
        territory = self.territories.get(territory, territory).replace("ZZ", "")
        whole = _joined(language, script.replace("Zzzz", ""), territory, variant)
        likely = self.likely.get(f"{whole}@{modifier}" if modifier else whole, "")
        usual = self.usual.get(language, "")
        return [exact, likely, _joined(usual, territory), _joined(usual.partition("_")[0], territory)]


def _parts(tag: str) -> tuple[str, str, str, str]:
    """The language, script, territory and variant of a tag. Raises `ValueError`."""
    language, *rest = tag.split("-")
    language = language.lower()
    script = rest.pop(0).title() if rest and len(rest[0]) == 4 and rest[0].isalpha() else ""
    territory = rest.pop(0).upper() if rest and _is_territory(rest[0]) else ""
    variant = rest.pop().upper() if rest and _is_variant(rest[0]) else ""
    if rest or not language.isalpha():
        raise ValueError(f"{tag!r} is no tag of a language or country")
    return language, script, territory, variant


def _is_territory(part: str) -> bool:
    return (len(part) == 2 and part.isalpha()) or (len(part) == 3 and part.isdigit())


def _is_variant(part: str) -> bool:
    return (len(part) == 4 and part[0].isdigit()) or (len(part) >= 5 and part[0].isalpha())


def _joined(*parts: str) -> str:
    return "_".join(filter(None, parts))


class _File(msgspec.Struct):
    """The file with the tables, decoded on first use. Most processes need none of them."""

    languages: dict[str, msgspec.Raw]
    months: msgspec.Raw
    weekdays: msgspec.Raw
    countries: msgspec.Raw


def _tables() -> _File:
    return msgspec.json.decode(FILE.read_bytes(), type=_File)


@cache
def language(tag: str) -> Language:
    """The facts about a language, by its tag; those of its parent, or of English, if it is unknown."""
    known = _tables().languages
    names = tag.replace("-", "_"), tag.partition("-")[0], "en"
    return msgspec.json.decode(next(known[name] for name in names if name in known), type=Language)


@cache
def countries() -> Countries:
    """The facts about countries."""
    return msgspec.json.decode(_tables().countries, type=Countries)


def month_names() -> Mapping[str, list[str]]:
    """The names and abbreviations of months in some languages, in the order of the year, twice."""
    return msgspec.json.decode(_tables().months, type=dict[str, list[str]])


def weekday_names() -> Mapping[str, list[str]]:
    """The names and abbreviations of the days of the week in the same languages."""
    return msgspec.json.decode(_tables().weekdays, type=dict[str, list[str]])
