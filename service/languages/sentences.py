"""Translations of rulesets' sentences. Each ruleset has a catalogue, `words.<language>.po`, beside its RULES.md.

What all rulesets say stands in such a file of `games` itself.
"""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, TypeVar

from games.rulesets import RULESETS
from games.words import LABELLED, TERMS, Sentence, Typed
from service.languages import ENGLISH, UNSPACED, locale
from service.languages.po import Catalog

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from games.contract import Ruleset, State

S = TypeVar("S", bound="State")

_BEGIN, _END = "\ue000", "\ue001"
"""Marks around a term, while a text is translated."""
_NAMED, _NUMBER, _PLACE = re.compile(r"\{\w+\}"), re.compile("[0-9]+"), "{}"

PART, MOVE, RULING = "part: ", "move: ", "ruling: "
"""How the names of parts of states, of types of moves and of what rulings change stand in catalogues: to draw as a move
is no draw."""

SHARED = "games"
"""The package with the words of all rulesets."""


@cache
def words(tag: str, ruleset: str) -> Mapping[str, str]:
    """The translations of a ruleset in a language, and the names of its seats in sentences."""
    found: dict[str, str] = {}
    known = RULESETS.get(ruleset)
    for package in (SHARED, known.package) if known else (SHARED,):
        for catalog in catalogs(package, tag):
            found |= {message.id: message.translation for message in catalog.messages if message.translation}
    seats = known.seat_names if known else ()
    return found | {title.en.lower(): getattr(title, tag, title.en) for title in seats}


def catalogs(package: str, tag: str) -> Iterator[Catalog]:
    """The catalogue of a package in a language, if there is one."""
    file = files(package) / f"words.{tag.replace('-', '_')}.po"
    if file.is_file():
        yield Catalog(file.read_text(encoding="utf-8"))


def translated_sentence(sentence: str, tag: str, ruleset: str) -> str:
    """A sentence of a ruleset in a language; the English one if it is not translated."""
    if tag == ENGLISH:
        return str(sentence)
    known = words(tag, ruleset)
    if not isinstance(sentence, Sentence):
        return _label(sentence, known) or known.get(sentence) or with_translated_terms(sentence, tag, ruleset)
    values = {name: _value(value, tag, ruleset) for name, value in sentence.values.items()}
    text = known.get(sentence.text, sentence.text)
    return text.format(**values) if values else text


def localized_sentence(text: str, ruleset: str) -> str:
    """A sentence of a ruleset, or a label for a value, in the language that is spoken."""
    return translated_sentence(text, locale(), ruleset)


def _label(word: str, known: Mapping[str, str]) -> str | None:
    return known.get(f"{LABELLED}{word.replace('_', ' ')}")


def translated_text(text: str, tag: str, ruleset: str) -> str:
    """A text of a ruleset for people, such as its help, in a language; the English one if it is not translated."""
    return text if tag == ENGLISH else words(tag, ruleset).get(plain_line(text), text)


def plain_line(text: str) -> str:
    """A text of several lines as one line, the form of the catalogues."""
    return " ".join(text.split())


def _value(value: object, tag: str, ruleset: str) -> object:
    if isinstance(value, Typed):
        meaning = _label(value, words(tag, ruleset))
        return f"{value}（{meaning}）" if meaning else value
    if isinstance(value, str):
        return translated_sentence(value, tag, ruleset)
    return getattr(value, tag, value)


def with_translated_terms(text: str, tag: str, ruleset: str) -> str:
    """A text that is not a sentence, such as a note or a label in a picture, with the ruleset's terms translated.

    Longer terms are tried first. Case does not matter.
    """
    found, known = _finding(tag, ruleset)

    def instead(match: re.Match[str]) -> str:
        spoken = match[0].lower()
        term = known.get(spoken) or known[_NUMBER.sub(_PLACE, spoken)].format(*_NUMBER.findall(spoken))
        return f"{_BEGIN}{term}{_END}" if tag in UNSPACED else term

    said = found.sub(instead, text) if known else text
    return _closed_up(said) if tag in UNSPACED else said


def _closed_up(said: str) -> str:
    """A text with marks around its terms: without marks, blanks between terms, and western commas beside them."""
    said = re.sub(f"{_END}, |, {_BEGIN}", "、", said)
    return re.sub(f"(?<=\\w){_END} {_BEGIN}(?=\\w)|{_BEGIN}|{_END}", "", said)


@cache
def _finding(tag: str, ruleset: str) -> tuple[re.Pattern[str], Mapping[str, str]]:
    """A pattern for the terms of a ruleset, and their translations; `{}` stands for numbers in both."""
    known = {
        _NAMED.sub(_PLACE, text).lower(): _numbered(text, translation)
        for text, translation in terms(tag, RULESETS.get(ruleset)).items()
    }
    either = "|".join(re.escape(text).replace(r"\{\}", "[0-9]+") for text in sorted(known, key=len, reverse=True))
    return re.compile(rf"(?<![\w-])(?:{either})(?![\w-])", re.IGNORECASE), known


def _numbered(text: str, translation: str) -> str:
    """A translation with its placeholders numbered in the order of the text."""
    order = _NAMED.findall(text)
    return _NAMED.sub(lambda place: f"{{{order.index(place[0])}}}", translation)


def terms(tag: str, ruleset: Ruleset | None) -> dict[str, str]:
    """The names of a ruleset's things in a language, by their English names; empty for English."""
    if tag == ENGLISH or ruleset is None:
        return {}
    known = words(tag, ruleset.name)
    seats = [title.en.lower() for title in ruleset.seat_names]
    counts = [text for text in known if set(_NAMED.findall(text)) == {"{number}"}]
    shared = () if ruleset.quotes_people else (*TERMS, *counts)
    called = {text: known[text] for text in (*shared, *seats, *ruleset.terms) if text in known}
    titles = (ruleset.title, *ruleset.chance_kinds.values())
    return called | {title.en: getattr(title, tag, title.en) for title in titles}


def lookup_terms(tag: str, ruleset: Ruleset) -> dict[str, str]:
    """The terms for a lookup: in lower case, the longest first, with `{}` for a number.

    With them the parts of states, the options, the types of moves and of what rulings change, and labels for values, as
    `part: …` and so on.
    """
    if tag == ENGLISH:
        return {}
    _, found = _finding(tag, ruleset.name)
    options = {f"{PART}{each.name.replace('_', ' ')}": getattr(each.title, tag, "") for each in ruleset.options}
    known = words(tag, ruleset.name)
    parts = {
        text: translation for text, translation in known.items() if text.startswith((PART, MOVE, RULING, LABELLED))
    }
    return {text: found[text] for text in sorted(found, key=len, reverse=True)} | options | parts


def localized_state(state: S) -> S:
    """A state with the game's own names translated into the current language."""
    tag = locale()
    return state if tag == ENGLISH else state.translated(tag, words(tag, state.ruleset.name))


def sentence_encoder() -> Callable[[Any], str]:
    """The function with which `msgspec` writes the sentences of one answer, in the language of the request.

    An answer without sentences does not depend on the language, so then it is not asked for at all.
    """
    tag = ""

    def encode(value: Any) -> str:
        nonlocal tag
        if not isinstance(value, Sentence):
            raise NotImplementedError(f"{type(value)} cannot be written")
        tag = tag or locale()
        return str(value) if tag == ENGLISH else translated_sentence(value, tag, value.of)

    return encode
