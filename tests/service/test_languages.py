"""Languages: which one a request is answered in, and that every word of every language is there."""

from __future__ import annotations

import pytest
from flask import Flask, request

from service import languages


@pytest.mark.parametrize(
    ("path", "headers", "locale"),
    [
        ("/", {}, "en"),
        ("/", {"Accept-Language": "ja"}, "ja"),
        ("/", {"Accept-Language": "ja-JP,ja;q=0.9,en;q=0.8"}, "ja"),
        ("/", {"Accept-Language": "de, ja;q=0.7, en;q=0.6"}, "ja"),
        ("/", {"Accept-Language": "en-GB, ja;q=0.5"}, "en"),
        ("/", {"Accept-Language": "fr"}, "en"),
        ("/", {"Accept-Language": "ja;q=0, fr"}, "en"),
        ("/", {"Accept-Language": "*"}, "en"),
        ("/", {"Accept-Language": ";;q=, ja;q=x"}, "en"),
        ("/", {"Accept-Language": "ja", "Cookie": "kifu_language=en"}, "en"),
        ("/", {"Cookie": "kifu_language=ja"}, "ja"),
        ("/", {"Accept-Language": "ja", "Cookie": "kifu_language=xx"}, "ja"),
        ("/?lang=ja", {"Accept-Language": "en", "Cookie": "kifu_language=en"}, "ja"),
        ("/?lang=../ja", {}, "en"),
    ],
)
def test_the_language_is_named_or_chosen_or_preferred(path: str, headers: dict[str, str], locale: str) -> None:
    with Flask("any").test_request_context(path, headers=headers):
        assert languages.locale_of(request) == locale
