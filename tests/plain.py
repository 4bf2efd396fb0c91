"""Finds the English texts of errors and drawings in the code, with a place in braces for each value.

Who says it knows of no languages; `service.languages.plain` knows it again by these forms.
"""

from __future__ import annotations

import ast
import re
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

LETTERS = re.compile(r"[A-Za-z]{2}")
PLACED = re.compile(r"\{\w+\}")

FOR_MAKERS = frozenset(
    {"AssertionError", "TypeError", "ValueError", "KeyError", "LookupError", "NotImplementedError", "OSError"}
)
"""Errors that only developers see."""
SPOKEN_BY = frozenset({"RuleBrokenError", "ImpossibleError"})
"""Errors with a sentence and separate values as the message."""
MAKERS = frozenset(
    {
        "Difference",
        "_temporary_problem",
        "_bad",
        "_bad_move",
        "_blame",
        "_error",
        "_give_up",
        "_number",
        "_of_field",
        "_pick",
        "_refuse",
        "_refuse_all",
        "_speaker",
        "bad_field",
        "bad_template",
        "on_refused",
        "self._card",
    }
)
"""Functions that make errors from texts."""
COMPLAINTS = frozenset({"why", "message", "WHY", "error", "CHANGED", "UNREADABLE"})
"""Names of variables that hold a complaint."""

DESCRIBERS = frozenset({"_description", "_invented"})
"""Functions that describe a picture in sentences."""
HEADINGS = frozenset({"_turn", "_moment", "_heading"})
"""Functions that make the title of a drawing in a terminal."""
TITLES = frozenset({"line_title"})
REASONS = re.compile("_why_not|_refusal|_too_many|\\w+_fault|explain_value")
"""Functions that return a complaint."""


parsed = lru_cache(maxsize=1)(ast.parse)
"""Parses a module. Nobody changes the tree: it is the same for the next who asks for this module."""


def error_texts(source: str) -> Iterator[str]:
    """The texts of errors in a module."""
    for node in ast.walk(parsed(source)):
        if isinstance(node, ast.Call):
            made = _called(node).endswith("Error") and _called(node) not in FOR_MAKERS | SPOKEN_BY
            yield from _arguments(node) if made or {_called(node), ast.unparse(node.func)} & MAKERS else ()
        elif isinstance(node, ast.ClassDef) and node.name.endswith("Error"):
            calls = (call for call in ast.walk(node) if isinstance(call, ast.Call) and _called(call) == "__init__")
            yield from (text for call in calls for text in _arguments(call))
        elif isinstance(node, ast.FunctionDef) and REASONS.fullmatch(node.name):
            returned = (each.value for each in ast.walk(node) if isinstance(each, ast.Return) and each.value)
            yield from (text for value in returned for text in _phrases(value))
        elif isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) in COMPLAINTS:
            yield from _phrases(node.value)
        elif isinstance(node, ast.keyword) and node.arg in COMPLAINTS:
            yield from _phrases(node.value, shortest=1)


def picture_texts(source: str) -> Iterator[str]:
    """The texts in a module that draws tables: descriptions for people who do not see the picture, and captions."""
    titles = HEADINGS | TITLES if "Canvas" in source else TITLES
    for node in ast.walk(parsed(source)):
        if isinstance(node, ast.Call) and _called(node) == "Span":
            yield from _spans(node.args[0])
        elif isinstance(node, ast.FunctionDef) and node.name in DESCRIBERS:
            yield from _sentences(node)
        elif isinstance(node, ast.FunctionDef) and node.name in titles:
            for inner in ast.walk(node):
                yield from _spans(inner.value) if isinstance(inner, ast.Return) and inner.value else ()


def _arguments(call: ast.Call) -> Iterator[str]:
    return (text for argument in call.args for text in _phrases(argument))


def _sentences(function: ast.FunctionDef) -> Iterator[str]:
    for text in (with_places(node).strip() for node in ast.walk(function) if isinstance(node, ast.JoinedStr)):
        for sentence in re.split(r"(?<=[.\w]) (?=[A-Z])|(?<=\.) ", text) if text.endswith(".") else ():
            if LETTERS.search(PLACED.sub("", sentence)) or re.fullmatch(r"\{\w+\}\.", sentence):
                yield re.sub(r"^\{\w+\} (?=[A-Z])", "", sentence)


def _spans(node: ast.expr) -> Iterator[str]:
    """The phrases of a span, except single values."""
    if isinstance(node, ast.IfExp):
        yield from (*_spans(node.body), *_spans(node.orelse))
        return
    for phrase in re.split(" {2,}", with_places(node)):
        if LETTERS.search(PLACED.sub("", phrase)):
            yield phrase.strip()


def _phrases(node: ast.expr, shortest: int = 2) -> Iterator[str]:
    """The texts of at least `shortest` words that an expression can evaluate to."""
    inner: dict[type, tuple[str, ...]] = {ast.IfExp: ("body", "orelse"), ast.BoolOp: ("values",), ast.Dict: ("values",)}
    inner |= {ast.List: ("elts",), ast.Tuple: ("elts",), ast.DictComp: ("value",)}
    for name in inner.get(type(node), ()):
        found = getattr(node, name)
        for each in found if isinstance(found, list) else [found]:
            yield from _phrases(each, shortest)
    text = with_places(node)
    if len(PLACED.sub("x", text).split()) >= shortest and LETTERS.search(PLACED.sub("", text)):
        yield text


def with_places(node: ast.expr) -> str:
    """A text with a place in braces for each inserted value, named after the value. Empty if the node is not a text."""
    if not isinstance(node, ast.JoinedStr):
        return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""
    text, names = "", list[str]()
    for part in node.values:
        if isinstance(part, ast.FormattedValue):
            names.append(_name(part.value))
            again = names.count(names[-1])
            text += f"{{{names[-1]}{again if again > 1 else ''}}}"
        elif isinstance(part, ast.Constant):
            text += str(part.value)
    return text


def _name(value: ast.expr) -> str:
    if isinstance(value, (ast.Name, ast.Attribute)):
        return (value.id if isinstance(value, ast.Name) else value.attr).lower().strip("_")
    return "value"


def _called(call: ast.Call) -> str:
    func = call.func
    return func.id if isinstance(func, ast.Name) else func.attr if isinstance(func, ast.Attribute) else ""
