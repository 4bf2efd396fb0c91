"""Catalogues from files of gettext (`.po`)."""

from __future__ import annotations

import re
from functools import cached_property
from gettext import c2py
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_QUOTED = r'"((?:[^"\\\n]|\\.)*)"'
_STRING = r'((?:[ \t]*"(?:[^"\\\n]|\\.)*"[ \t]*(?:\n|\Z))+)'
_MESSAGE = re.compile(
    rf"(?:^msgctxt{_STRING})?^msgid{_STRING}(?:^msgid_plural{_STRING})?((?:^msgstr(?:\[[0-9]+\])?{_STRING})+)",
    re.MULTILINE,
)
_PIECE = re.compile(_QUOTED)
_TRANSLATION = re.compile(rf"^msgstr(?:\[[0-9]+\])?{_STRING}", re.MULTILINE)
_PLACES = re.compile("^#: (.*)$", re.MULTILINE)
_FUZZY = re.compile(r"^#,.*\bfuzzy\b", re.MULTILINE)
_ESCAPED = re.compile(r"\\(.)")
_SIGNS = {"n": "\n", "r": "\r", "t": "\t"}
_PLURAL_FORMS = re.compile(r"^Plural-Forms:.*\bplural=([^;\n]+)", re.MULTILINE)


class Message(NamedTuple):
    """An English text, perhaps with a context, and its translations, one for each plural form.

    An untranslated or fuzzy text has none. `files` are those that contain it.
    """

    id: str
    more: str | None
    context: str | None
    translations: tuple[str, ...]
    files: tuple[str, ...]

    @property
    def translation(self) -> str:
        """The translation; empty without one."""
        return self.translations[0] if self.translations else ""


class Catalog:
    """The messages of a language, and its plural forms."""

    def __init__(self, text: str) -> None:
        head, *self.messages = [*_read(text)] or [Message("", None, None, (), ())]
        if head.id:
            self.messages.insert(0, head)
        found = _PLURAL_FORMS.search(head.translation)
        self.plural_form: Callable[[int], int] = c2py(found[1] if found else "n != 1")

    def gettext(self, text: str) -> str:
        """The translation of a text; the text itself if there is none."""
        found = self._known.get(text)
        return (found[self.plural_form(1)] if len(found) > 1 else found[0]) if found else text

    def ngettext(self, one: str, more: str, count: int) -> str:
        """The translation in the plural form of a number."""
        found = self._known.get(one, ())
        form = self.plural_form(count)
        return found[form] if form < len(found) else one if count == 1 else more

    @cached_property
    def _known(self) -> dict[str, tuple[str, ...]]:
        return {each.id: each.translations for each in self.messages if each.translations and each.context is None}


def _read(text: str) -> Iterator[Message]:
    end = 0
    for found in _MESSAGE.finditer(text):
        comments = text[end : found.start()].rpartition("\n\n")[2]
        end = found.end()
        context, one, more, strings, _ = found.groups()
        told = () if _FUZZY.search(comments) else tuple(map(_string, _TRANSLATION.findall(strings)))
        yield Message(
            _string(one),
            None if more is None else _string(more),
            None if context is None else _string(context),
            told if all(told) else (),
            tuple(" ".join(_PLACES.findall(comments)).split()),
        )


def _string(quoted: str) -> str:
    """The text in quotation marks, perhaps on several lines."""
    text = "".join(_PIECE.findall(quoted))
    return _ESCAPED.sub(lambda sign: _SIGNS.get(sign[1], sign[1]), text) if "\\" in text else text
