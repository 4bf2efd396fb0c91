"""Translations of finished English texts, from packages without languages, such as the log and libraries.

Such a text comes as a finished sentence. The catalogues hold its form, with a place in braces for each value, in the
context `CONTEXT`. A text is recognised by the form that it fits, and its values are looked up in turn.
"""

from __future__ import annotations

import re
from functools import cache
from itertools import chain
from typing import TYPE_CHECKING

from games.rulesets import RULESETS
from games.words import Sentence
from service.languages import ENGLISH, catalog, locale
from service.languages.forms import CONTEXT, Forms
from service.languages.sentences import SHARED, catalogs, translated_sentence, with_translated_terms, words

if TYPE_CHECKING:
    from service.languages.po import Message

LONGEST = 2000
"""Characters of a text that is looked at: what is longer holds what somebody sent, and is left alone."""

_FIELD = re.compile(r"([\w.\[\]-]+): (.+)", re.DOTALL)
"""A field, and what is the matter with it."""

LIBRARIES = (
    # marshmallow
    "Missing data for required field.",
    "Field may not be null.",
    "Unknown field.",
    "Invalid input type.",
    "Invalid type.",
    "Not a valid integer.",
    "Not a valid number.",
    "Not a valid string.",
    "Not a valid boolean.",
    "Not a valid UUID.",
    "Not a valid list.",
    "Not a valid mapping type.",
    "Not a valid datetime.",
    "Not a valid date.",
    "Not a valid URL.",
    "Not a valid utf-8 string.",
    "Number too large.",
    "Special numeric values (nan or infinity) are not permitted.",
    "Must be one of: {choices}.",
    "Must be equal to {other}.",
    "Must be greater than or equal to {min}.",
    "Must be less than or equal to {max}.",
    "Must be greater than or equal to {min} and less than or equal to {max}.",
    "Must be greater than {min}.",
    "Must be less than {max}.",
    "Shorter than minimum length {min}.",
    "Longer than maximum length {max}.",
    "Length must be between {min} and {max}.",
    "Length must be {equal}.",
    "String does not match expected pattern.",
    "Invalid value.",
    "Invalid input.",
    # msgspec
    "Expected `{expected}`",
    "Expected `{expected}`, got `{got}`",
    "Expected `{expected}` of length {bound}",
    "Expected `{expected}` of at least length {bound}",
    "Expected `{expected}` at least of length {bound}",
    "Expected `{expected}` of at most length {bound}",
    "Expected `{expected}` of length >= {bound}",
    "Expected `{expected}` of length <= {bound}",
    "Expected `{expected}` >= {bound}",
    "Expected `{expected}` <= {bound}",
    "Expected `{expected}` > {bound}",
    "Expected `{expected}` < {bound}",
    "it contains characters that are not allowed here",
    "Expected `{expected}` with at most {bound} items",
    "Object missing required field `{field}`",
    "Object contains unknown field `{field}`",
    "Invalid value {value}",
    "Invalid enum value {value}",
    "Invalid UUID",
    "Invalid RFC3339 encoded datetime",
    "Invalid UTF-8 encoded string",
    "Input data was truncated",
    "Number out of range",
    "Integer value out of range",
    "maximum recursion depth exceeded while deserializing an object",
    "unknown field",
    "missing",
    "it is empty",
    "'utf-8' codec can't decode byte {byte} in position {position}: {why}",
    "invalid start byte",
    "invalid continuation byte",
    "unexpected end of data",
    "JSON is malformed: {why}",
    "{why} (byte {byte})",
    "invalid character",
    "trailing characters",
    "object keys must be strings",
    "trailing comma in object",
    "trailing comma in array",
    "expected ',' or '}'",
    "expected ',' or ']'",
    "expected ':'",
    "expected '\"'",
    "invalid number",
    "invalid escape character in string",
    "invalid utf-16 surrogate pair",
    "unexpected end of escaped utf-16 surrogate pair",
    "{why} - at `{place}`",
    "{why} - at `key` in `{place}`",
    # values of settings
    "true or false",
    "a whole number from {least} to {most}",
    "a number from {least} to {most}",
    "a number above {above} and up to {most}",
    # httptools
    "Chunk size overflow",
    "Content-Length can't be present with Transfer-Encoding",
    "Content-Length overflow",
    "Empty Content-Length",
    "Expected LF after CR",
    "Invalid character in Content-Length",
    "Invalid character in chunk size",
    "Invalid header token",
    "Invalid header value char",
    "Invalid HTTP version",
    "Invalid method encountered",
    "Missing expected LF after header value",
    "Transfer-Encoding can't be present with Content-Length",
    # werkzeug
    "The method is not allowed for the requested URL.",
    "The requested URL was not found on the server. If you entered the URL manually please check your spelling and try"
    " again.",
    "The data value transmitted exceeds the capacity limit.",
    "The browser (or proxy) sent a request that this server could not understand.",
    "Did not attempt to load JSON data because the request Content-Type was not 'application/json'.",
)
"""What libraries say of a request, and the values that a setting may have."""


def translated(text: str, ruleset: str = "") -> str:
    """A sentence or a finished English text, perhaps of a ruleset, in the current language."""
    if isinstance(text, Sentence):
        return translated_sentence(text, locale(), text.of)
    return translated_to(locale(), _PATTERN.sub(SIGNS, text), ruleset)


SIGNS = "it contains characters that are not allowed here"
"""The message for a text that fits no pattern. Nobody has to read the pattern."""
_PATTERN = re.compile(r"Expected `\w+` matching regex .*?(?= - at `|$)", re.DOTALL)


def translated_to(tag: str, text: str, ruleset: str = "") -> str:
    """A finished English text in a language; unchanged if no form of the catalogues fits."""
    if tag == ENGLISH or len(text) > LONGEST:
        return text
    known = _known(tag, ruleset).translated(text, lambda value: translated_to(tag, value, ruleset))
    if known is not None:
        return known
    if named := _FIELD.fullmatch(text):
        return f"{named[1]}: {translated_to(tag, named[2], ruleset)}"
    return with_translated_terms(text, tag, ruleset)


@cache
def _known(tag: str, ruleset: str) -> Forms:
    """What is said of a ruleset: its own, and what all rulesets say; anything can be the matter with a request."""
    known = RULESETS.get(ruleset)
    packages = (known.package,) if known else (each.package for each in RULESETS.values())
    books = chain(catalogs(SHARED, tag), *(catalogs(package, tag) for package in packages))
    messages = chain(*(book.messages for book in books), () if known else catalog(tag).messages)
    return Forms({each.id: each.translation for each in messages if _is_plain(each)}, words(tag, ruleset))


def _is_plain(message: Message) -> bool:
    return message.context == CONTEXT and bool(message.translation)
