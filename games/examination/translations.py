"""The check of a rulebook's translation: it has the same rules, numbers and words of the notation."""

from __future__ import annotations

import re
from itertools import zip_longest
from typing import TYPE_CHECKING

from games.rulebook import LETTERED

if TYPE_CHECKING:
    from collections.abc import Iterator

    from games.rulebook import Rulebook

_HEADING = re.compile(r"^(#{1,3}) (.+)$", re.MULTILINE)
_CODE = re.compile(r"`[^`]+`")
_CITED = re.compile(rf"\b(?:{LETTERED})\b", re.ASCII)
_FIGURE = re.compile(r"\d+(?:[.,]\d+)*", re.ASCII)
_WORD = re.compile(r"[A-Za-z']+")

_CARDINALS = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_ORDINALS = ("second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
_SPELLED = {word: str(number) for number, word in enumerate(_CARDINALS, 2)} | {"fifteen": "15", "twenty": "20"}
_LOOSE = {word: str(number) for number, word in enumerate(_ORDINALS, 2)} | dict.fromkeys(("both", "half", "twice"), "2")
"""Numbers that a translation may add or leave out. Among them are 0 and 1: they become articles in English."""

_KANJI = re.compile("[二三四五六七八九]|十[一二]?")
_READ = dict(zip("二三四五六七八九", "23456789", strict=True)) | {"十": "10", "十一": "11", "十二": "12"}

_PHRASE = 5
"""A row of this number of English words is too long for a name."""


def differences(english: Rulebook, other: Rulebook) -> Iterator[str]:
    """The differences between a translation and the English rulebook, chapter by chapter, in sentences."""
    file = f"RULES.{other.language}.md"
    ours, theirs = _chapters(english), _chapters(other)
    for (place, _), (found, _) in zip_longest(ours, theirs, fillvalue=("nothing", "")):
        if place != found:
            yield f"{file} has {found} where RULES.md has {place}"
            return
    for (place, text), (_, said) in zip(ours, theirs, strict=True):
        yield from (f"{file}, {place}: {what}" for what in _compared(text, said, other.language))
    for rule in other.values():
        if not rule.title.strip() or (other.language == "ja" and rule.title != rule.ja):
            yield f"{file} calls {rule.id} {rule.title!r}, RULES.md {rule.ja!r}"


def _chapters(book: Rulebook) -> list[tuple[str, str]]:
    """Every heading, by its level and the id of its rule, with the text below it."""
    _, *parts = _HEADING.split(book.markdown)
    found: list[tuple[str, str]] = []
    for level, title, text in zip(parts[::3], parts[1::3], parts[2::3], strict=True):
        number = sum(place.startswith(f"{level} ") for place, _ in found) + 1
        found.append((f"{level} {title.split()[0] if level == '###' else number}", text.strip()))
    return found


def _compared(text: str, said: str, language: str) -> Iterator[str]:
    if text and not said:
        yield "the text is empty"
        return
    if left := _phrases(text) & _phrases(said):
        yield f"it stayed English: {' '.join(min(left))!r}"
    if _shape(text) != _shape(said):
        yield "it has other paragraphs, lists or tables"
    for kind, pattern in (("code", _CODE), ("rules", _CITED)):
        bare = (_CODE.sub(" ", text), _CODE.sub(" ", said)) if kind == "rules" else (text, said)
        one, another = (set(pattern.findall(each)) for each in bare)
        if differing := sorted(one ^ another):
            yield f"the {kind} {', '.join(differing)} stand in one of them alone"
    due, allowed = _numbers(text)
    figures, spelled = _figures(said), {_READ[each] for each in _KANJI.findall(said)}
    if language != "ja":
        due &= _figures(text)  # other languages may spell out numbers in words that are unknown here
        allowed |= figures & set(_SPELLED.values())
    if lost := sorted(due - figures - spelled):
        yield f"it lacks the numbers {', '.join(lost)}"
    if new := sorted(figures - allowed):
        yield f"it has the numbers {', '.join(new)} of its own"


def _phrases(text: str) -> set[tuple[str, ...]]:
    """All runs of English words that are too long for a name."""
    found = set()
    for run in re.split(r"[^A-Za-z' \n]+", _CODE.sub("·", text)):
        words = _WORD.findall(run.lower())
        found |= {tuple(words[at : at + _PHRASE]) for at in range(len(words) - _PHRASE + 1)}
    return found


def _shape(text: str) -> tuple[int, int, int]:
    """The numbers of paragraphs, list items and table rows of a text."""
    blocks = len(re.split(r"\n\s*\n", text)) if text else 0
    return blocks, len(re.findall(r"^\* ", text, re.MULTILINE)), len(re.findall(r"^\|", text, re.MULTILINE))


def _figures(text: str) -> set[str]:
    """The numbers in digits, outside of code and rule ids."""
    return set(_FIGURE.findall(_CITED.sub(" ", _CODE.sub(" ", text))))


def numbers_of(text: str) -> set[str]:
    """The numbers of an English text, in digits or words."""
    words = [word.lower() for word in _WORD.findall(_CODE.sub(" ", text))]
    return _figures(text) | {_SPELLED[word] for word in words if word in _SPELLED}


def _numbers(text: str) -> tuple[set[str], set[str]]:
    """The numbers of an English text, and those that its translation may have."""
    words = [word.lower() for word in _WORD.findall(_CODE.sub(" ", text))]
    due = numbers_of(text)
    return due, due | {"0", "1"} | {_LOOSE[word] for word in words if word in _LOOSE}
