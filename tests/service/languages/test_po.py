"""Catalogues: the service reads what gettext's tools write, as Babel reads it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from service import languages
from service.languages.po import Catalog
from tests import languages as catalogues
from tests.cases import cases

if TYPE_CHECKING:
    from pathlib import Path

OTHERS = [tag for tag in languages.locales() if tag != languages.ENGLISH]
FILES = [
    *(languages.path_of(tag) for tag in OTHERS),
    *(catalogues.path_of(package, tag) for tag in OTHERS for package in catalogues.PACKAGES),
]


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_a_catalogue_is_read_as_babel_reads_it(path: Path) -> None:
    result = Catalog(path.read_text(encoding="utf-8"))
    expected = [message for message in catalogues.read(path) if message.id]
    assert len(expected) > 50
    for got, message in zip(result.messages, expected, strict=True):
        texts = message.id if isinstance(message.id, tuple) else (message.id, None)
        assert ((got.id, got.more), got.context) == (texts, message.context)
        found = message.string if isinstance(message.string, tuple) else (message.string,)
        assert got.translations == (found if all(found) else ())
        assert [*dict.fromkeys(got.files)] == [*dict.fromkeys(name for name, _ in message.locations)]


WRITTEN = r"""
# A translator's note
msgid   ""
msgstr ""
"Language: fr\n"
"Plural-Forms: nplurals=2; plural=n > 1;\n"

#. of the code
#: a.py:3 b/c.py
#: d.py
#, python-format
msgid "He said \"no\"\tand\\or "
"left\n"
msgstr "Il a dit « \"non\" »\tet\\ou "
"est parti\n"

msgctxt "plain"
msgid "Games"
msgstr "Les parties"
msgid "Games"
msgstr "Parties"

#, fuzzy
msgid "Guessed"
msgstr "Deviné"

msgid "Open"
msgstr ""

#~ msgid "Gone"
#~ msgstr "Parti"

msgid "{count} game"
msgid_plural "{count} games"
msgstr[0] "{count} partie"
msgstr[1] "{count} parties"

msgid "half"
msgid_plural "halves"
msgstr[0] "moitié"
msgstr[1] ""
"""


@cases("text", [WRITTEN, WRITTEN.rstrip("\n"), f"\N{BYTE ORDER MARK}{WRITTEN}"])
def test_escapes_contexts_plurals_and_what_is_not_certain_are_understood(text: str) -> None:
    result = Catalog(text)
    assert [each.id for each in result.messages if not each.translations] == ["Guessed", "Open", "half"]
    assert "Gone" not in {each.id for each in result.messages}
    assert result.messages[0].files == ("a.py:3", "b/c.py", "d.py")
    assert result.gettext('He said "no"\tand\\or left\n') == 'Il a dit « "non" »\tet\\ou est parti\n'
    assert [(each.context, each.translation) for each in result.messages if each.id == "Games"] == [
        ("plain", "Les parties"),
        (None, "Parties"),
    ]
    assert (result.gettext("Games"), result.gettext("Guessed"), result.gettext("New")) == ("Parties", "Guessed", "New")
    said = [result.ngettext("{count} game", "{count} games", count) for count in (0, 1, 2)]
    assert said == ["{count} partie", "{count} partie", "{count} parties"]
    assert [result.ngettext("half", "halves", count) for count in (1, 2)] == ["half", "halves"]


@cases("text", ["", "no catalogue", 'msgid "a"\n', 'msgid "a"\nmsgstr "b\n'])
def test_what_is_no_catalogue_has_no_words(text: str) -> None:
    assert Catalog(text).gettext("a") == "a"
    assert Catalog(text).ngettext("a", "b", 2) == "b"
