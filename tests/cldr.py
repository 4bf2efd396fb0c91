"""The data of CLDR for the service: `python -m tests.cldr` writes `service/languages/cldr.json` with Babel.

Babel is a tool of developers alone: with all of CLDR it is 33 MB.
"""

from __future__ import annotations

import json
import re
import sys
from typing import TYPE_CHECKING, Any

from babel import Locale
from babel.core import get_global, get_locale_identifier, parse_locale
from babel.dates import get_day_names, get_month_names
from babel.localedata import locale_identifiers
from babel.numbers import get_decimal_symbol
from babel.plural import to_gettext

from service.languages.cldr import FILE

if TYPE_CHECKING:
    from collections.abc import Iterable

IMPORTED = ("en", "de", "fr", "es", "pt", "it", "nl")
"""The service can read the names of months and weekdays in these languages."""
NUMBERS = "latn"
"""The digits of the service, usually called Arabic."""
PATTERN = re.compile(r"'([^']*)'|([a-zA-Z]+)")
FIELDS = {"y": "{year}", "M": "{month}", "MM": "{month:02}", "MMM": "{name}", "d": "{day}", "dd": "{day:02}"}
EXPONENT = re.compile(r"\be\b")
"""The symbols of a shortened number, as in 1.2M."""
EXPRESSION = re.compile(r"plural=(.*);$")


def language(tag: str) -> dict[str, Any]:
    """A language's own name, and its forms of days, numbers and counts."""
    locale = Locale.parse(tag)
    rules = locale.plural_form
    found = EXPRESSION.search(to_gettext(rules))
    assert found
    return {
        "name": locale.get_display_name() or tag,
        "date_form": date_form(locale),
        "months": months(locale, "abbreviated"),
        "decimal": locale.number_symbols[NUMBERS]["decimal"],
        "group": locale.number_symbols[NUMBERS]["group"],
        "categories": sorted({*rules.tags, "other"}, key=CATEGORIES.index),
        "plural": EXPONENT.sub("0", found[1]),
    }


CATEGORIES = ("zero", "one", "two", "few", "many", "other")
"""The plural categories, in the order of Babel."""


def date_form(locale: Locale) -> str:
    """The form of a date of medium length, for `str.format`."""
    form = locale.date_formats["medium"].pattern
    era = locale.eras["abbreviated"][1]
    return PATTERN.sub(lambda part: part[1] or FIELDS.get(part[2], era), form)


def months(locale: Locale | str, width: str) -> list[str]:
    """The names of the months, in order."""
    names = get_month_names(width, locale=locale)
    return [names[number] for number in sorted(names)]


def countries() -> dict[str, Any]:
    """The known locales, those with a decimal comma, and the aliases of locales."""
    known = {*locale_identifiers(), "root"}
    bases = {name.partition("_")[0] for name in known}
    languages = {old: new for old, new in get_global("language_aliases").items() if new.partition("_")[0] in bases}
    likely = {tag: parse_locale(full) for tag, full in get_global("likely_subtags").items()}
    found = {tag: name for tag, parts in likely.items() if (name := resolved(parts, known))}
    usual = {tag: f"{parts[0]}_{parts[2]}" for tag, parts in likely.items() if parts[0] in bases}
    territories = get_global("territory_aliases").items()
    comma = {name for name in known if get_decimal_symbol(name) == ","}
    return {
        "comma": sorted(comma),
        "point": sorted(known - comma),
        "likely": {tag: name for tag, name in sorted(found.items()) if tag not in known},
        "usual": {tag: usual[tag] for tag in sorted(usual) if "_" not in tag or tag in languages.values()},
        "languages": dict(sorted(languages.items())),
        "territories": {old: new[0] for old, new in sorted(territories) if re.fullmatch("[A-Z]{2}|[0-9]{3}", old)},
    }


def resolved(parts: tuple[str | None, ...], known: Iterable[str]) -> str | None:
    """The known locale of a likely tag: the full tag, or its language and territory."""
    names = get_locale_identifier(parts), get_locale_identifier(parts[:2])
    return next((name for name in names if name in known), None)


def tags() -> list[str]:
    """The languages, some with a script. Forms of single countries are left out: they would be 90 % of the file."""
    return [tag for tag in sorted(locale_identifiers()) if re.fullmatch("[a-z]+(_[A-Z][a-z]{3})?", tag)]


def named_months() -> dict[str, list[str]]:
    """The names and abbreviations of months, in the languages that the service can read."""
    return {tag: [*months(tag, "wide"), *months(tag, "abbreviated")] for tag in IMPORTED}


def named_weekdays() -> dict[str, list[str]]:
    """The names and abbreviations of weekdays, in the languages that the service can read."""
    widths = "wide", "abbreviated"
    return {tag: [name for width in widths for name in get_day_names(width, locale=tag).values()] for tag in IMPORTED}


def extracted() -> dict[str, dict[str, Any]]:
    """Extract all data for the file from Babel."""
    return {
        "languages": {tag: language(tag) for tag in tags()},
        "months": named_months(),
        "weekdays": named_weekdays(),
        "countries": countries(),
    }


def written(found: dict[str, dict[str, Any]]) -> str:
    """The text of the file, with a line for each language and table."""
    parts = [
        f'"{name}": {{\n' + ",\n".join(f"{_json(key)}: {_json(value)}" for key, value in part.items()) + "\n}"
        for name, part in found.items()
    ]
    return "{\n" + ",\n".join(parts) + "\n}\n"


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def main() -> None:
    FILE.write_text(written(extracted()), encoding="utf-8")
    sys.stdout.write(f"{FILE}\n")


if __name__ == "__main__":
    main()
