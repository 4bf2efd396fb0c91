"""What the service knows of languages and countries is what Babel knows."""

from __future__ import annotations

import random
from datetime import date
from functools import cache
from typing import TYPE_CHECKING

import pytest
from babel import Locale, UnknownLocaleError
from babel.core import get_global
from babel.dates import format_date
from babel.localedata import locale_identifiers
from babel.numbers import format_decimal, get_decimal_symbol

from service import languages
from service.exchange.spreadsheets import dialect_of
from service.languages import cldr
from tests import cldr as extracting
from tests.choosing import soak_except

if TYPE_CHECKING:
    from collections.abc import Iterator

LANGUAGES = sorted(extracting.tags())
DAYS = (date(2026, 1, 9), date(2025, 12, 31))


@pytest.mark.parametrize("tag", soak_except(LANGUAGES, *languages.locales(), "ar", "fa", "hi", "pl", "pt", "sr_Latn"))
def test_a_language_writes_days_numbers_and_counts_as_babel_does(tag: str) -> None:
    result, locale = cldr.language(tag), Locale.parse(tag)
    assert result.name == (locale.get_display_name() or tag)
    assert [result.day(day) for day in DAYS] == [format_date(day, locale=locale) for day in DAYS]
    for number in (0, 4.5, 999, 1234.5, 99999):
        assert result.number(f"{number:,}") == format_decimal(number, locale=locale)
    assert result.plural_categories() == {count: locale.plural_form(count) for count in cldr.COUNTS}


def test_a_language_without_data_has_those_of_its_parent() -> None:
    assert cldr.language("pt-BR") == cldr.language("pt")
    assert cldr.language("tlh") == cldr.language("en")
    assert cldr.language("sr-Latn").name == "srpski (latinica)"


@cache
def comma_of(tag: str) -> bool | None:
    """Whether a country has a decimal comma, as Babel says it; None for no country."""
    try:
        return get_decimal_symbol(Locale.parse(tag.replace("_", "-"), sep="-")) == ","
    except (UnknownLocaleError, ValueError):
        return None


def tags() -> Iterator[str]:
    """Tags of every kind: right ones, old ones, likely ones, and nonsense."""
    lot = random.Random(4)
    names, likely = locale_identifiers(), get_global("likely_subtags")
    aliases = sorted(get_global("language_aliases"))
    starts = ["und", "root", "xx", "zh", "sr", "pt", "de", "az", "DE", "ſ", *aliases[::9]]
    places = ["", "TW", "ZZ", "AT", "276", "419", "UK", "CS", "xx", "Hant", "Latn-RS", "Zzzz-AT", "1996", "valencia"]
    yield from lot.sample(names, 40)
    yield from lot.sample(sorted(likely), 40)
    yield from (likely[tag] for tag in lot.sample(sorted(likely), 20))
    yield from ("-".join(filter(None, (lot.choice(starts), lot.choice(places)))) for _ in range(400))
    yield from (f"de-AT{end}" for end in ("@euro", "@", ".UTF-8", " ", "-", "-x-y", "-1996", "-1996-x", "\0", "@x@y"))
    yield from ("zh-TW@x", "zh_TW", "", "-", "_", "@", ".", "d", "de--AT", "日本", "../de", "de/AT", "e" * 35)


def test_spreadsheets_of_a_country_have_the_decimal_sign_that_babel_says() -> None:
    found = {tag: comma_of(tag) for tag in tags()}
    assert len(found) > 300
    assert {True, False, None} == {*found.values()}
    for tag, comma in found.items():
        if comma is None:
            with pytest.raises(ValueError, match=r"\w"):
                dialect_of(tag)
        else:
            assert (dialect_of(tag).decimal == ",") is comma, tag


@pytest.mark.soak
def test_the_table_is_what_babel_says() -> None:
    assert extracting.written(extracting.extracted()) == cldr.FILE.read_text(encoding="utf-8"), "run `make languages`"


def test_the_names_of_months_are_those_of_babel() -> None:
    assert cldr.month_names() == extracting.named_months()
