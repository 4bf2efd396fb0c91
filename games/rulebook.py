"""The rules in words, by id: read from the RULES.md of a ruleset, so that they are written down once."""

from __future__ import annotations

import re

import msgspec

LETTERED = "[A-Z]+-[0-9]+[a-z]?|[A-Z][0-9]+[a-z]?|RULING"
NUMBERED = "[0-9]+[a-z]?"
ID = f"{LETTERED}|{NUMBERED}"
"""What a rule is called within its ruleset: by a part of the rules, by a decision's letter, by its printed number."""

CITATION = f"[a-z][a-z0-9_]*:(?:{ID})"
"""A rule of any ruleset: `kahuna:CTRL-2`, `catan_cards:Q21b`."""

_HEADING = re.compile(rf"^### (?P<id>{ID}) (?P<en>[^/\n]+?) / (?P<ja>.+)$")


class Rule(msgspec.Struct, frozen=True):
    """One numbered rule: its id (`kahuna:CTRL-2`, `verraeter:16`), its titles, and its text in Markdown."""

    id: str
    en: str
    ja: str
    text: str


class Rulebook(dict[str, Rule]):
    """The rules of a ruleset by id, in the order of its RULES.md."""

    @classmethod
    def parse(cls, ruleset: str, markdown: str) -> Rulebook:
        """Read every heading `### ID English title / 日本語の題` with the text below it, up to the next heading."""
        book = cls()
        found: re.Match[str] | None = None
        text: list[str] = []
        for line in [*markdown.splitlines(), "# end"]:
            if not line.startswith("#"):
                text.append(line)
                continue
            if found:
                rule = Rule(f"{ruleset}:{found['id']}", found["en"], found["ja"], "\n".join(text).strip())
                book[rule.id] = rule
            found, text = _HEADING.match(line), []
        return book
