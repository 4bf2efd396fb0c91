"""Rulebooks for the page: a ruleset's RULES.md, or a translation, in chapters; and the examples of its notation."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

import msgspec
from markdown_it import MarkdownIt
from markupsafe import Markup

from games.rulebook import LETTERED, NUMBERED, Rule
from service.languages import ENGLISH
from service.languages.sentences import translated_text

if TYPE_CHECKING:
    from games.contract import Ruleset

COLUMN = 30
"""How many characters an example has at most beside which the others' meanings begin in one column."""

_HEADING = re.compile(r"^#{1,3} (.+)$", re.MULTILINE)
_CITED = re.compile(rf"\b(?:{LETTERED}|(?:(?<=\brule )|(?<=規則)){NUMBERED})\b", re.ASCII)
_markdown = MarkdownIt("commonmark", {"html": False}).enable("table")
# a table can be wider than a phone
_markdown.add_render_rule("table_open", lambda *_: '<div class="scroll" tabindex="0"><table>\n')
_markdown.add_render_rule("table_close", lambda *_: "</table></div>\n")


class Chapter(msgspec.Struct, frozen=True):
    """A part of a rulebook: a rule, or a heading with its text."""

    title: str
    rule: Rule | None
    html: Markup
    language: str


class Example(msgspec.Struct, frozen=True):
    """Ways to type a move, and their meaning; or a remark, without any."""

    texts: tuple[str, ...]
    meaning: str
    language: str = ENGLISH


@cache
def chapters(ruleset: Ruleset, language: str) -> list[Chapter]:
    """The chapters of a rulebook in a language, or in English. Ids of rules in the text are links."""
    book = ruleset.rulebook_in(language)
    _, *parts = _HEADING.split(book.markdown)
    found = []
    for title, body in zip(parts[::2], parts[1::2], strict=True):
        rule = book.get(f"{ruleset.name}:{title.split(' ', 1)[0]}")
        found.append(Chapter(title, rule, _html(ruleset, body), book.language))
    return found


def examples(notation_help: str) -> list[Example]:
    """The examples in a ruleset's notation help. Two blanks or more separate an example from its meaning.

    Lines without any are remarks; those that follow upon each other are one.
    """
    found: list[Example] = []
    for line in notation_help.splitlines():
        *texts, meaning = re.split(r"\s{2,}", line.strip())
        if found and not texts and not found[-1].texts:
            meaning = f"{found.pop().meaning} {meaning}".strip()
        if meaning:
            found.append(Example(tuple(texts), meaning))
    return found


@cache
def examples_in(ruleset: Ruleset, language: str) -> list[Example]:
    """The examples of a ruleset's notation, with their meanings in a language, or in English."""
    return [_translated_example(example, ruleset, language) for example in examples(ruleset.notation_help)]


def _translated_example(example: Example, ruleset: Ruleset, language: str) -> Example:
    meaning = translated_text(example.meaning, language, ruleset.name)
    return example if meaning == example.meaning else Example(example.texts, meaning, language)


def notation_help(ruleset: Ruleset, language: str) -> str:
    """A ruleset's notation help in a language: the examples in a column, and beside each its meaning."""
    if language == ENGLISH:
        return ruleset.notation_help
    lines = [("  ".join(example.texts), example.meaning) for example in examples_in(ruleset, language)]
    width = max((len(typed) for typed, _ in lines if len(typed) <= COLUMN), default=0)
    return "".join(f"{typed:<{width}}  {meaning}\n" if typed else f"{meaning}\n" for typed, meaning in lines)


def inline(text: str) -> Markup:
    """A line of the project's own text as HTML, with its code and emphasis."""
    return Markup(_markdown.renderInline(text))  # noqa: S704


def _html(ruleset: Ruleset, text: str) -> Markup:
    """The text as HTML, with ids of rules as links. It is the project's own text, and HTML in it is not let through."""

    def link(found: re.Match[str]) -> str:
        known = f"{ruleset.name}:{found[0]}" in ruleset.rulebook
        return f'<a href="#{found[0]}">{found[0]}</a>' if known else found[0]

    return Markup(_CITED.sub(link, _markdown.render(text)))  # noqa: S704
