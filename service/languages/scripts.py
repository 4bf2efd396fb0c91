"""The translations for the pages' scripts, as a script that runs before them. English needs none."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from service.languages import catalog, cldr

if TYPE_CHECKING:
    from collections.abc import Collection

SCRIPTS = "service/pages/static/js/"


def words(tag: str, *, of: Collection[str]) -> str:
    """A script with the translations of the texts in some files, given by their paths in the project."""
    told = {"locale": tag, "forms": _forms(tag), "words": _found(tag, of)}
    return f"globalThis.kifuWords = {msgspec.json.encode(told).decode()};\n"


def more_words(tag: str, *, of: Collection[str]) -> str:
    """A script that adds the translations of more files."""
    return f"Object.assign(kifuWords.words, {msgspec.json.encode(_found(tag, of)).decode()});\n"


def _found(tag: str, of: Collection[str]) -> dict[str, Any]:
    return {
        message.id: message.translations if message.more else message.translation
        for message in catalog(tag).messages
        if any(file in of for file in message.files)
    }


def _forms(tag: str) -> dict[str, int]:
    """The catalogue's plural form for each plural category of browsers."""
    form = catalog(tag).plural_form
    return {category: form(count) for count, category in cldr.language(tag).plural_categories().items()}
