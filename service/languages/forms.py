"""Forms: English texts with placeholders in braces. They recognise a finished sentence, to translate it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

CONTEXT = "plain"
"""The context that forms have in the catalogues."""

PLACE = re.compile(r"\{(\w+)\}")


class Forms:
    """Translations of sentences: those without placeholders, and the forms of the others.

    Case does not matter outside of placeholders. Forms with the most fixed text are tried first.
    """

    def __init__(self, known: Mapping[str, str], words: Mapping[str, str]) -> None:
        whole = {**words, **known}
        self._whole = {text.lower(): whole[text] for text in whole} | whole
        placed = sorted((text for text in known if PLACE.search(text)), key=_order, reverse=True)
        self._forms = [(_form(text), known[text]) for text in placed]

    def translated(self, text: str, translate: Callable[[str], str]) -> str | None:
        """The translation of a text. `translate` translates the values; None if no form fits."""
        if known := self._whole.get(text) or self._whole.get(text.lower()):
            return known
        for form, translation in self._forms:
            if found := form.fullmatch(text):
                return _filled(translation, {name: translate(value) for name, value in found.groupdict().items()})
        return None


def _filled(text: str, values: Mapping[str, str]) -> str:
    return PLACE.sub(lambda place: values[place[1]], text)


def _order(text: str) -> tuple[bool, int]:
    """The order of trial: first forms that follow another sentence, then those with more fixed text."""
    return text.startswith("{why}"), len(PLACE.sub("", text))


def _form(text: str) -> re.Pattern[str]:
    """The pattern of a text with placeholders."""
    parts = PLACE.split(text)
    places = [f"(?P<{part}>.*?)" if index % 2 else re.escape(part) for index, part in enumerate(parts)]
    return re.compile("".join(places), re.DOTALL)
