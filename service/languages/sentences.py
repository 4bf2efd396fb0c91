"""The sentences of rulesets in other languages: each brings a catalogue, `words.<language>.po`, beside its RULES.md.

What all rulesets say stands in such a file of `games` itself.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from babel.messages.pofile import read_po

from games.rulesets import RULESETS
from games.words import Sentence
from service.languages import ENGLISH, locale

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from babel.messages.catalog import Catalog

SHARED = "games"
"""The package whose words are those of all rulesets."""


@cache
def words(tag: str, ruleset: str) -> Mapping[str, str]:
    """What a ruleset says in a language, by the English words; and what its seats are called in sentences."""
    found: dict[str, str] = {}
    known = RULESETS.get(ruleset)
    for package in (SHARED, known.package) if known else (SHARED,):
        for catalog in catalogs(package, tag):
            found |= {str(message.id): str(message.string) for message in catalog if message.id and message.string}
    seats = known.seat_names if known else ()
    return found | {title.en.lower(): getattr(title, tag, title.en) for title in seats}


def catalogs(package: str, tag: str) -> Iterator[Catalog]:
    """The catalogue that a package has in a language, if it has one."""
    file = files(package) / f"words.{tag.replace('-', '_')}.po"
    if file.is_file():
        with file.open("rb") as opened:
            yield read_po(opened, charset="utf-8")


def said(sentence: str, tag: str, ruleset: str) -> str:
    """A sentence of a ruleset in a language; in English, if it is not translated into it."""
    if tag == ENGLISH:
        return str(sentence)
    known = words(tag, ruleset)
    if not isinstance(sentence, Sentence):
        return known.get(sentence, sentence)
    values = {name: _value(value, tag, ruleset) for name, value in sentence.values.items()}
    text = known.get(sentence.text, sentence.text)
    return text.format(**values) if values else text


def _value(value: object, tag: str, ruleset: str) -> object:
    if isinstance(value, str):
        return said(value, tag, ruleset)
    return getattr(value, tag, value)


def spoken(value: Any) -> str:
    """What `msgspec` is to write for a sentence: it in the language of the request."""
    if isinstance(value, Sentence):
        return said(value, locale(), value.of)
    raise NotImplementedError(f"{type(value)} cannot be written")
