"""The rules in words, by id: read from a ruleset's RULES.md and its translations."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from collections.abc import Iterator

LETTERED = "[A-Z]+-[0-9]+[a-z]?|[A-Z][0-9]+[a-z]?|RULING"
NUMBERED = "[0-9]+[a-z]?"
ID = f"{LETTERED}|{NUMBERED}"
"""A pattern for the name of a rule within its ruleset: a part of the rules, a decision's letter, or a printed number.
"""

CITATION = f"[a-z][a-z0-9_]*:(?:{ID})"
"""A pattern for the id of a rule of any ruleset: `kahuna:CTRL-2`, `catan_cards:Q21b`."""

ENGLISH = "en"
"""The language of RULES.md."""

_HEADING = re.compile(rf"^### (?P<id>{ID}) (?P<title>.+)$")
_TITLES = re.compile(r"(?P<en>[^/\n]+?) / (?P<ja>.+)")


class Rule(msgspec.Struct, frozen=True):
    """One numbered rule: its id (`kahuna:CTRL-2`, `verraeter:16`), its titles in English and Japanese, its text.

    `title` and `text`, which is Markdown, are in the language `lang`, a tag of BCP 47.
    """

    id: str
    en: str
    ja: str
    text: str
    title: str
    lang: str = ENGLISH


class Rulebook(dict[str, Rule]):
    """The rules of a ruleset by id, in the order of its RULES.md, in one language; and their Markdown."""

    def __init__(self, markdown: str, language: str = ENGLISH) -> None:
        super().__init__()
        self.markdown = markdown
        self.language = language

    @classmethod
    def parse(cls, ruleset: str, markdown: str) -> Rulebook:
        """Read an English rulebook: every heading `### ID English title / 日本語の題` with the text below it."""
        book = cls(markdown)
        for name, heading, text in _sections(markdown):
            if titles := _TITLES.fullmatch(heading):
                rule = f"{ruleset}:{name}"
                book[rule] = Rule(rule, titles["en"], titles["ja"], text, titles["en"])
        return book

    def translated(self, ruleset: str, markdown: str, language: str) -> Rulebook:
        """Read a translation of this rulebook: every heading `### ID title` with the text below it."""
        book = Rulebook(markdown, language)
        for name, title, text in _sections(markdown):
            if rule := self.get(f"{ruleset}:{name}"):
                book[rule.id] = msgspec.structs.replace(rule, title=title, text=text, lang=language)
        return book


def _sections(markdown: str) -> Iterator[tuple[str, str, str]]:
    """The id, the title and the text of every rule."""
    found: re.Match[str] | None = None
    text: list[str] = []
    for line in [*markdown.splitlines(), "# end"]:
        if not line.startswith("#"):
            text.append(line)
            continue
        if found:
            yield found["id"], found["title"], "\n".join(text).strip()
        found, text = _HEADING.match(line), []
