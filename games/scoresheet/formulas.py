"""Formulas: their syntax, and their values.

A formula is checked once, when its template is opened, and then evaluated by `simpleeval`, which knows only the
operators and functions below. Numbers are exact fractions of bounded size, so that thirds add up to a whole and
nothing can grow without end.
"""

from __future__ import annotations

import ast
import keyword
import math
import operator
import re
import unicodedata
from contextvars import ContextVar
from fractions import Fraction
from functools import lru_cache, reduce
from typing import TYPE_CHECKING, Literal, NamedTuple

from simpleeval import InvalidExpression, SimpleEval

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

LENGTH_LIMIT = 300
"""The most characters of a formula."""
NODE_LIMIT = 120
"""The most names, numbers, operators and calls of a formula."""
DEPTH_LIMIT = 40
"""The deepest nesting of the parts of a formula."""
NUMBER_LIMIT = 10**15
"""The largest numerator or denominator of any result."""
KEPT_LIMIT = 60
"""The most input numbers of a cached result."""

Kind = Literal["number", "list"]
"""The kind of a name: one number, or a list with one for each round."""
Input = Fraction | tuple[Fraction, ...] | None
"""The value of a name: a number, a list, or None for a later round's value that is not known yet."""


TOTAL_BEFORE, TARGET = "total_before", "target"
"""The words in formulas for a side's points before the round, and for the sheet's target."""


class Reference(NamedTuple):
    """An input of a formula: a word such as `round`, or a column's values.

    The values are the side's `own` value, those of `everyone`, the lists `before` and `after` the round, the `given`
    value or else the default, the given values of `all` sides, or the value `shift` rounds ahead.
    """

    column: str
    kind: Literal["own", "everyone", "before", "after", "given", "all", "shift"] = "own"
    shift: int = 0

    @property
    def name(self) -> str:
        """The name in a syntax tree. Except for `own`, no formula can spell it."""
        mark = f"{self.shift:+}" if self.kind == "shift" else self.kind
        return self.column if self.kind == "own" else f"{mark} {self.column}"

    @property
    def compares(self) -> bool:
        """Whether the reference takes the values of all sides."""
        return self.kind in {"everyone", "all"}

    @property
    def direction(self) -> int:
        """The rounds of the values: -1 for earlier ones, 1 for later ones, 0 for this one."""
        return {"before": -1, "after": 1}.get(self.kind, (self.shift > 0) - (self.shift < 0))


class FormulaError(Exception):
    """A formula is invalid, or cannot be evaluated. `at` is the offset of the error."""

    def __init__(self, why: str, at: int = 0) -> None:
        super().__init__(why)
        self.why, self.at = why, at


class StillUnknown(Exception):  # noqa: N818  no error: the value is waited for
    """A formula needs a later round's value that is unknown or not looked up yet: its `name` in the tree."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name


class Formula:
    """A checked formula: its text, its syntax tree with the number of `parts`, its numbers, and the names that it uses.

    `names` has each name once, `uses` once per occurrence. `references` are their meanings, in the order of `names`.
    `lazy` names, of later rounds, are only looked up when evaluation reaches them. `compared` are the columns with
    values of all sides, once per occurrence.
    """

    def __init__(self, text: str, tree: ast.expr, references: Mapping[str, Reference]) -> None:
        self.text, self.tree = text, tree
        parts = [node for node in ast.walk(tree) if isinstance(node, ast.expr)]
        self.parts = len(parts)
        self.numbers: list[Fraction] = sorted({vars(node)["value"] for node in parts if isinstance(node, ast.Constant)})
        functions = {id(node.func) for node in parts if isinstance(node, ast.Call)}
        found = [node.id for node in parts if isinstance(node, ast.Name) and id(node) not in functions]
        self.uses = [references.get(name, Reference(name)) for name in found]
        self.references = tuple(sorted(set(self.uses), key=lambda used: used.name))
        self.names = tuple(used.name for used in self.references)
        self.lazy = frozenset(used.name for used in self.references if used.shift > 0)
        self.compared = [used.column for used in self.uses if used.compares]

    def needs(self, direction: int) -> set[str]:
        """The names that the formula uses of this round (0), of earlier ones (-1) or of later ones (1)."""
        return {used.column for used in self.references if used.direction == direction}


# Evaluating


def _bounded(number: Fraction) -> Fraction:
    if abs(number.numerator) > NUMBER_LIMIT or number.denominator > NUMBER_LIMIT:
        raise FormulaError("the numbers grow too large")
    return number


def _exact(operate: Callable[[Fraction, Fraction], Fraction | int]) -> Callable[[Fraction, Fraction], Fraction]:
    return lambda a, b: _bounded(Fraction(operate(a, b)))


_add = _exact(operator.add)


def _flat(values: tuple[Input, ...]) -> list[Fraction]:
    return [
        number for value in values if value is not None for number in (value if isinstance(value, tuple) else (value,))
    ]


def _sum(numbers: list[Fraction]) -> Fraction:
    """The sum of numbers. Small whole numbers are added as integers: lists of rounds are long."""
    ratios = [number.as_integer_ratio() for number in numbers]
    whole = all(denominator == 1 for _, denominator in ratios)
    if whole and sum(abs(numerator) for numerator, _ in ratios) <= NUMBER_LIMIT:
        return Fraction(sum(numerator for numerator, _ in ratios))
    return reduce(_add, numbers, Fraction(0))


def _some(values: tuple[Input, ...]) -> list[Fraction]:
    numbers = _flat(values)
    if not numbers:
        raise FormulaError("there is no value to choose from")
    return numbers


def _half_up(number: Fraction) -> Fraction:
    """Round to the nearest whole number, and halves away from zero."""
    rounded = math.floor(abs(number) + Fraction(1, 2))
    return Fraction(rounded if number >= 0 else -rounded)


def _rank(value: Fraction, values: tuple[Fraction, ...]) -> Fraction:
    return Fraction(1 + sum(other > value for other in values))


def _rank_low(value: Fraction, values: tuple[Fraction, ...]) -> Fraction:
    return Fraction(1 + sum(other < value for other in values))


def _count_equal(value: Fraction, values: tuple[Fraction, ...]) -> Fraction:
    return Fraction(sum(other == value for other in values))


def _first(values: tuple[Fraction, ...], count: Fraction) -> tuple[Fraction, ...]:
    return values[: max(math.floor(count), 0)]


def _last(values: tuple[Fraction, ...], count: Fraction) -> tuple[Fraction, ...]:
    return values[max(len(values) - max(math.floor(count), 0), 0) :]


ROUNDINGS: dict[str, Callable[[Fraction], Fraction]] = {
    "up": lambda number: Fraction(math.ceil(number)),
    "down": lambda number: Fraction(math.floor(number)),
    "half": _half_up,
}
"""Ways to round a number."""

_OF_NUMBERS: dict[str, Callable[[Fraction], Fraction]] = {
    "abs": abs,
    "floor": ROUNDINGS["down"],
    "ceil": ROUNDINGS["up"],
    "round": ROUNDINGS["half"],
}
"""Functions of one number."""
_OF_LISTS: dict[str, Callable[..., Fraction]] = {
    "sum": lambda *values: _sum(_flat(values)),
    "min": lambda *values: min(_some(values)),
    "max": lambda *values: max(_some(values)),
    "count": lambda *values: Fraction(len(_flat(values))),
}
"""Functions of any number of numbers and lists."""
_OF_COLUMNS: dict[str, Callable[..., Fraction]] = {"rank": _rank, "rank_low": _rank_low, "ties": _count_equal}
"""Functions of a column that compare a side's value with those of all sides."""
_OF_PARTS: dict[str, Callable[..., tuple[Fraction, ...]]] = {"first": _first, "last": _last}
"""Functions that take a given number of values of a list."""
FUNCTIONS: dict[str, Callable[..., object]] = {**_OF_NUMBERS, **_OF_LISTS, **_OF_COLUMNS, **_OF_PARTS}
WORDS = frozenset({*_OF_NUMBERS, *_OF_LISTS, *_OF_COLUMNS, "everyone", *keyword.kwlist})
"""Words with a meaning in every formula, or in Python, so that they cannot be a column's id. Later functions are not
among them: there are sheets with a column `first`, and `first(…)` differs from it.
"""
_ABOUT_COLUMNS = ("everyone", "before", "after", "next", "given")
"""Functions for other values of a column."""
FARTHEST = 99
"""The most rounds away in `before(column, 2)` and `after(column, 2)`."""

_OPERATORS: dict[type[ast.AST], Callable[..., object]] = {
    ast.Add: _add,
    ast.Sub: _exact(operator.sub),
    ast.Mult: _exact(operator.mul),
    ast.Div: _exact(operator.truediv),
    ast.FloorDiv: _exact(operator.floordiv),
    ast.Mod: _exact(operator.mod),
    ast.USub: operator.neg,
    ast.UAdd: operator.pos,
    ast.Not: lambda value: Fraction(not value),
    ast.Lt: lambda a, b: Fraction(a < b),
    ast.LtE: lambda a, b: Fraction(a <= b),
    ast.Gt: lambda a, b: Fraction(a > b),
    ast.GtE: lambda a, b: Fraction(a >= b),
    ast.Eq: lambda a, b: Fraction(a == b),
    ast.NotEq: lambda a, b: Fraction(a != b),
}
_STRUCTURE = (ast.BinOp, ast.UnaryOp, ast.BoolOp, ast.Compare, ast.IfExp, ast.Call, ast.Name, ast.Constant)
"""The allowed nodes of a formula; all others are refused."""

_inputs: ContextVar[Mapping[str, Input]] = ContextVar("inputs")


def _lookup(node: ast.Name) -> Input:
    found = _inputs.get()[node.id]
    if found is None:
        raise StillUnknown(node.id)
    return found


def _evaluator() -> SimpleEval:
    evaluator = SimpleEval(operators=_OPERATORS, functions=FUNCTIONS, names=_lookup)
    evaluator.nodes = {node: handle for node, handle in evaluator.nodes.items() if node in _STRUCTURE}
    return evaluator


_EVALUATOR = _evaluator()


def evaluate(formula: Formula, inputs: tuple[Input, ...]) -> Fraction:
    """Evaluate a formula with the values of its `names`, in their order.

    Raises `FormulaError`, and `StillUnknown` if evaluation reaches a name with None.

    Results are cached, because each look at a sheet needs them again, except those with so many inputs that thousands
    would fill the memory.
    """
    return _kept(formula, inputs) if len(_flat(inputs)) <= KEPT_LIMIT else _evaluated(formula, inputs)


@lru_cache(maxsize=1 << 15)
def _kept(formula: Formula, inputs: tuple[Input, ...]) -> Fraction:
    return _evaluated(formula, inputs)


def _evaluated(formula: Formula, inputs: tuple[Input, ...]) -> Fraction:
    token = _inputs.set(dict(zip(formula.names, inputs, strict=True)))
    try:
        return _bounded(Fraction(_EVALUATOR.eval(formula.text, previously_parsed=formula.tree)))
    except ZeroDivisionError:
        raise FormulaError("a division by zero") from None
    except InvalidExpression as error:
        raise FormulaError(str(error)) from error
    finally:
        _inputs.reset(token)


# Checking

_SIGNS = frozenset(" .,+*/%<>=!()-")
_NUMBER_AND_NAME = re.compile(r"(?<![\w.])[0-9][\w.]*[^\W\d]")
_REFUSED = {
    ast.GeneratorExp: "a loop",
    ast.ListComp: "a loop",
    ast.Attribute: "a dot after a name",
    ast.NamedExpr: "an assignment",
    ast.Starred: "a star before a name",
    ast.Tuple: "a list",
    ast.Await: "await",
    ast.Yield: "yield",
    ast.Pow: "a power",
    ast.LShift: "<<",
    ast.RShift: ">>",
    ast.Is: "is",
    ast.IsNot: "is not",
    ast.In: "in",
    ast.NotIn: "not in",
}


def read_formula(text: str, names: Mapping[str, Kind]) -> Formula:
    """Read and check a formula that may use `names`. Raises `FormulaError` with the place.

    Full-width signs are read as the common ones. If `round` is among the names, it is a formula of each round.
    """
    text = unicodedata.normalize("NFC", "".join(map(_common, text)))
    if len(text) > LENGTH_LIMIT:
        raise FormulaError(f"{len(text)} characters, and {LENGTH_LIMIT} are allowed", LENGTH_LIMIT)
    strange = next((at for at, sign in enumerate(text) if not _is_read(sign)), None)
    if strange is not None:
        raise FormulaError(f"{text[strange]!r} has no meaning in a formula", strange)
    if joined := _NUMBER_AND_NAME.search(text):
        raise FormulaError("a number runs into a name", joined.start())
    blanks = len(text) - len(text.lstrip())
    try:
        tree = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, MemoryError, RecursionError) as error:
        at = getattr(error, "offset", None) or len(text) + 1  # without an offset, the formula ends too early
        raise FormulaError("this cannot be read as a formula", min(blanks + at - 1, len(text))) from None
    try:
        checker = _Checker(names)
        checked = checker.check(tree)
    except FormulaError as error:
        raise FormulaError(error.why, error.at + blanks) from None
    return Formula(text.strip(), checked, checker.references)


def _is_read(sign: str) -> bool:
    """Whether a formula can have this character. Marks are allowed in names: some scripts write vowels as marks."""
    return sign in _SIGNS or f"a{sign}".isidentifier()


def _common(letter: str) -> str:
    """The common form of a full-width sign."""
    return unicodedata.normalize("NFKC", letter) if "\uff01" <= letter <= "\uff5e" or letter == "\u3000" else letter


class _Checker:
    """Checks a syntax tree, refuses nodes that are not allowed, and makes all numbers exact."""

    def __init__(self, names: Mapping[str, Kind]) -> None:
        self._names = names
        self._nodes = 0
        self.references: dict[str, Reference] = {}

    def check(self, tree: ast.expr) -> ast.expr:
        """The tree with exact numbers. Raises `FormulaError`."""
        return self._number(tree, 1)

    def _number(self, node: ast.expr, depth: int) -> ast.expr:
        """Check a part that gives one number."""
        self._count(node, depth)
        match node:
            case ast.Constant(value=value):
                return ast.copy_location(_constant(self._literal(value, node)), node)
            case ast.Name(id=name):
                if self._kind(node) == "list":
                    raise _blame(node, f"{name} has a value for each round: take the sum, min, max or count of it")
                return node
            case ast.Call():
                return self._call(node, depth)
        return self._joined(node, depth + 1)

    def _joined(self, node: ast.expr, depth: int) -> ast.expr:
        """Check a part that joins other parts at this `depth`."""
        match node:
            case ast.BinOp():
                self._operators([node.op], node)
                node.left, node.right = self._number(node.left, depth), self._number(node.right, depth)
            case ast.UnaryOp():
                self._operators([node.op], node)
                node.operand = self._number(node.operand, depth)
            case ast.BoolOp():
                node.values = [self._number(value, depth) for value in node.values]
            case ast.Compare():
                self._operators(node.ops, node)
                node.left = self._number(node.left, depth)
                node.comparators = [self._number(value, depth) for value in node.comparators]
            case ast.IfExp():
                node.test, node.body = self._number(node.test, depth), self._number(node.body, depth)
                node.orelse = self._number(node.orelse, depth)
            case _:
                raise _refuse(node, node)
        return node

    def _call(self, node: ast.Call, depth: int) -> ast.expr:
        if not isinstance(node.func, ast.Name):
            raise _refuse(node.func, node)
        if node.keywords:
            raise _blame(node, "a function takes its values without names")
        name = node.func.id
        if name in _ABOUT_COLUMNS or name in _OF_PARTS:
            return self._about_column(node, name)
        if name in _OF_COLUMNS:
            column = self._column(node)
            node.args = [column, self._refer(Reference(column.id, "everyone"))]
        elif name in _OF_NUMBERS:
            if len(node.args) != 1:
                raise _blame(node, f"{name} takes one number")
            node.args = [self._number(node.args[0], depth + 1)]
        elif name in _OF_LISTS:
            if not node.args:
                raise _blame(node, f"{name} takes at least one number")
            node.args = [self._list_or_number(argument, depth + 1) for argument in node.args]
        else:
            known = ", ".join(sorted([*FUNCTIONS, *_ABOUT_COLUMNS]))
            raise _blame(node, f"there is no function {name}; choose one of {known}")
        return node

    def _about_column(self, node: ast.Call, name: str) -> ast.expr:
        """Check a function for another value of a column."""
        if name == "given":
            return self._refer(Reference(self._column(node).id, "given"))
        if name in {"before", "after"}:
            return self._other_round(node, name)
        if name == "next":
            one_on = ast.Call(node.func, [self._column(node), ast.Constant(1)], [])
            return self._other_round(ast.copy_location(one_on, node), "after")
        if name == "everyone":
            raise _blame(node, "everyone(…) gives a value for each side: take the sum, min, max or count of it")
        raise _blame(node, f"{name}(…) gives several values: take the sum, min, max or count of it")

    def _list_or_number(self, node: ast.expr, depth: int) -> ast.expr:
        return self._list(node, depth) or self._number(node, depth)

    def _list(self, node: ast.expr, depth: int) -> ast.expr | None:
        """Check a part that gives several numbers; None if it does not."""
        match node:
            case ast.Name(id=name) if self._names.get(name) == "list":
                self._count(node, depth)
                return node
            case ast.Call(
                func=ast.Name(id="everyone"),
                args=[ast.Call(func=ast.Name(id="given"), keywords=[]) as inner],
                keywords=[],
            ):
                self._count(node, depth)
                return self._refer(Reference(self._column(inner).id, "all"))
            case ast.Call(func=ast.Name(id="everyone"), keywords=[]):
                self._count(node, depth)
                return self._refer(Reference(self._column(node).id, "everyone"))
            case ast.Call(func=ast.Name(id="before" | "after" as name), args=[_], keywords=[]):
                self._count(node, depth)
                self._demand_round(node, name)
                return self._refer(Reference(self._column(node).id, "before" if name == "before" else "after"))
            case ast.Call(func=ast.Name(id=name), keywords=[]) if name in _OF_PARTS:
                return self._part(node, name, depth)
        return None

    def _part(self, node: ast.Call, name: str, depth: int) -> ast.expr:
        """Check a function that takes a number of values of a list."""
        self._count(node, depth)
        values = self._list(node.args[0], depth + 1) if len(node.args) == 2 else None
        if values is None:
            raise _blame(node, f"{name} takes several values, and how many of them: {name}(column, 3)")
        node.args = [values, self._number(node.args[1], depth + 1)]
        return node

    def _other_round(self, node: ast.Call, name: str) -> ast.expr:
        """Check a function for the value some rounds away."""
        self._demand_round(node, name)
        match node.args:
            case [ast.Name(), ast.Constant(value=int(count))] if 1 <= count <= FARTHEST and count is not True:
                shift = count if name == "after" else -count
                return self._refer(Reference(self._column(ast.Call(node.func, node.args[:1], [])).id, "shift", shift))
            case [_]:
                raise _blame(node, f"{name}(…) gives several values: take the sum, min, max or count of it")
        raise _blame(node, f"{name} takes a column, and how many rounds away: {name}(column, 1)")

    def _demand_round(self, node: ast.Call, name: str) -> None:
        if "round" not in self._names:
            raise _blame(node, f"{name}(…) is for a column with a value for each round")

    def _refer(self, reference: Reference) -> ast.Name:
        self.references[reference.name] = reference
        return ast.Name(reference.name, ast.Load())

    def _column(self, node: ast.Call) -> ast.Name:
        """The column in a function of a column."""
        match node.args:
            case [ast.Name() as column] if self._kind(column) == "number":
                return column
        raise _blame(node, "between the brackets stands one column of one value")

    def _kind(self, node: ast.Name) -> Kind:
        kind = self._names.get(node.id)
        if kind is None:
            known = ", ".join(self._names)
            raise _blame(node, f"there is no {node.id} here; choose one of {known}")
        return kind

    def _operators(self, signs: Sequence[ast.AST], node: ast.expr) -> None:
        for sign in signs:
            if type(sign) not in _OPERATORS:
                raise _refuse(sign, node)

    def _literal(self, value: object, node: ast.expr) -> Fraction:
        if not isinstance(value, (bool, int, float)):
            raise _blame(node, "only numbers can stand here")
        number = Fraction(str(value)) if isinstance(value, float) and math.isfinite(value) else None
        if isinstance(value, int):
            number = Fraction(value)
        if number is None or abs(number) > NUMBER_LIMIT or number.denominator > NUMBER_LIMIT:
            raise _blame(node, "the number is too large")
        return number

    def _count(self, node: ast.expr, depth: int) -> None:
        self._nodes += 1
        if self._nodes > NODE_LIMIT:
            raise _blame(node, f"a formula has at most {NODE_LIMIT} parts")
        if depth > DEPTH_LIMIT:
            raise _blame(node, f"a formula is nested at most {DEPTH_LIMIT} deep")


def _constant(number: Fraction) -> ast.Constant:
    """A node for a number as a `Fraction`, which no text can make."""
    node = ast.Constant(0)
    vars(node)["value"] = number
    return node


def _refuse(what: ast.AST, node: ast.expr) -> FormulaError:
    return _blame(node, f"{_REFUSED.get(type(what), type(what).__name__)} is not allowed here")


def _blame(node: ast.expr, why: str) -> FormulaError:
    return FormulaError(why, node.col_offset)
