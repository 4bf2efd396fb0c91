"""The words of the pages' scripts, as a script that stands before them; English needs none."""

from __future__ import annotations

from gettext import c2py
from typing import TYPE_CHECKING, Any

import msgspec
from babel import Locale

from service.languages import catalog

if TYPE_CHECKING:
    from collections.abc import Collection

    from babel.messages.catalog import Catalog, Message

SCRIPTS = "service/pages/static/js/"
SAMPLES = range(201)
"""Numbers among which there is one of every plural form of every language."""


def words(tag: str, *, of: Collection[str]) -> str:
    """A script with the words of a language that stand in some files, by their paths in the project."""
    told = {"locale": tag, "forms": _forms(tag, catalog(tag)), "words": _found(tag, of)}
    return f"globalThis.kifuWords = {msgspec.json.encode(told).decode()};\n"


def more_words(tag: str, *, of: Collection[str]) -> str:
    """A script that puts the words of some more files to those that are known."""
    return f"Object.assign(kifuWords.words, {msgspec.json.encode(_found(tag, of)).decode()});\n"


def _found(tag: str, of: Collection[str]) -> dict[str, Any]:
    return {_key(message): message.string for message in catalog(tag) if message.id and _stands_in(message, of)}


def _key(message: Message) -> str:
    return message.id if isinstance(message.id, str) else message.id[0]


def _stands_in(message: Message, of: Collection[str]) -> bool:
    return any(place in of for place, _ in message.locations)


def _forms(tag: str, known: Catalog) -> dict[str, int]:
    """The form of the catalogue for each plural category that browsers know."""
    category, form = Locale.parse(tag, sep="-").plural_form, c2py(str(known.plural_expr))
    return {category(number): form(number) for number in SAMPLES}
