"""Formulas: what may stand in one, and what it gives.

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
from contextvars import ContextVar
from fractions import Fraction
from functools import lru_cache, reduce
from typing import TYPE_CHECKING, Literal

from simpleeval import InvalidExpression, SimpleEval

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

LENGTH_LIMIT = 300
"""The most characters of a formula."""
NODE_LIMIT = 120
"""The most names, numbers, operators and calls of a formula."""
DEPTH_LIMIT = 40
"""How deep its parts may be nested."""
NUMBER_LIMIT = 10**15
"""No numerator or denominator may become larger on the way."""
KEPT_LIMIT = 60
"""The most numbers that an answer which is kept may be made of."""

Kind = Literal["number", "list"]
"""What a name stands for: one number, or one for each round."""
Input = Fraction | tuple[Fraction, ...]

EVERYONE = "everyone "
"""Put before a column's name it stands for the values of all sides: a name that no formula can spell."""


class FormulaError(Exception):
    """A formula that cannot be taken, or evaluated. `at` is the offset of the character to blame."""

    def __init__(self, why: str, at: int = 0) -> None:
        super().__init__(why)
        self.why, self.at = why, at


class Formula:
    """A checked formula: its text, its tree and of how many `parts` that is, and the names that it needs.

    Each name stands once in `names`, and as often as it does in the text in `uses`.
    """

    def __init__(self, text: str, tree: ast.expr) -> None:
        self.text, self.tree = text, tree
        parts = [node for node in ast.walk(tree) if isinstance(node, ast.expr)]
        self.parts = len(parts)
        functions = {id(node.func) for node in parts if isinstance(node, ast.Call)}
        self.uses = [node.id for node in parts if isinstance(node, ast.Name) and id(node) not in functions]
        self.names = tuple(sorted(set(self.uses)))

    @property
    def columns(self) -> set[str]:
        """The names as they stand in the text."""
        return {name.removeprefix(EVERYONE) for name in self.names}

    @property
    def compared(self) -> list[str]:
        """The columns of which the values of all sides are needed, each as often as they are."""
        return [name.removeprefix(EVERYONE) for name in self.uses if name.startswith(EVERYONE)]


# Evaluating


def _bounded(number: Fraction) -> Fraction:
    if abs(number.numerator) > NUMBER_LIMIT or number.denominator > NUMBER_LIMIT:
        raise FormulaError("the numbers grow too large")
    return number


def _exact(operate: Callable[[Fraction, Fraction], Fraction | int]) -> Callable[[Fraction, Fraction], Fraction]:
    return lambda a, b: _bounded(Fraction(operate(a, b)))


_add = _exact(operator.add)


def _flat(values: tuple[Input, ...]) -> list[Fraction]:
    return [number for value in values for number in (value if isinstance(value, tuple) else (value,))]


def _some(values: tuple[Input, ...]) -> list[Fraction]:
    numbers = _flat(values)
    if not numbers:
        raise FormulaError("there is no value to choose from")
    return numbers


def _half_up(number: Fraction) -> Fraction:
    """To the nearest whole number; a half goes away from zero."""
    rounded = math.floor(abs(number) + Fraction(1, 2))
    return Fraction(rounded if number >= 0 else -rounded)


def _rank(value: Fraction, values: tuple[Fraction, ...]) -> Fraction:
    return Fraction(1 + sum(other > value for other in values))


def _rank_low(value: Fraction, values: tuple[Fraction, ...]) -> Fraction:
    return Fraction(1 + sum(other < value for other in values))


def _ties(value: Fraction, values: tuple[Fraction, ...]) -> Fraction:
    return Fraction(sum(other == value for other in values))


ROUNDINGS: dict[str, Callable[[Fraction], Fraction]] = {
    "up": lambda number: Fraction(math.ceil(number)),
    "down": lambda number: Fraction(math.floor(number)),
    "half": _half_up,
}
"""Ways to make a number whole."""

_OF_NUMBERS: dict[str, Callable[[Fraction], Fraction]] = {
    "abs": abs,
    "floor": ROUNDINGS["down"],
    "ceil": ROUNDINGS["up"],
    "round": ROUNDINGS["half"],
}
"""Functions of one number."""
_OF_LISTS: dict[str, Callable[..., Fraction]] = {
    "sum": lambda *values: reduce(_add, _flat(values), Fraction(0)),
    "min": lambda *values: min(_some(values)),
    "max": lambda *values: max(_some(values)),
    "count": lambda *values: Fraction(len(_flat(values))),
}
"""Functions of numbers and lists of them, as many as one likes."""
_OF_COLUMNS: dict[str, Callable[..., Fraction]] = {"rank": _rank, "rank_low": _rank_low, "ties": _ties}
"""Functions of a column that hold a side's value against those of all."""
FUNCTIONS: dict[str, Callable[..., Fraction]] = {**_OF_NUMBERS, **_OF_LISTS, **_OF_COLUMNS}
WORDS = frozenset({*FUNCTIONS, "everyone", *keyword.kwlist})
"""What has a meaning in every formula, or in the language that it is read in, so that no column can be called that."""

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
"""What a formula can be built of; everything else is refused."""

_inputs: ContextVar[Mapping[str, Input]] = ContextVar("inputs")


def _lookup(node: ast.Name) -> Input:
    return _inputs.get()[node.id]


def _evaluator() -> SimpleEval:
    evaluator = SimpleEval(operators=_OPERATORS, functions=FUNCTIONS, names=_lookup)
    evaluator.nodes = {node: handle for node, handle in evaluator.nodes.items() if node in _STRUCTURE}
    return evaluator


_EVALUATOR = _evaluator()


def evaluate(formula: Formula, inputs: tuple[Input, ...]) -> Fraction:
    """What a formula gives for the values of its `names`, in their order. Raises `FormulaError`.

    The same question comes again with every look at a sheet, so answers are kept, but none to a question so long that
    thousands of them would fill the memory.
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

_LETTERS = re.compile(r"[\w .,+*/%<>=!()\-]*", re.ASCII)
_NUMBER_AND_NAME = re.compile(r"(?<![\w.])[0-9][\w.]*[A-Za-z_]", re.ASCII)
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
    """Check a formula in which `names` can be used. Raises `FormulaError` with the place."""
    if len(text) > LENGTH_LIMIT:
        raise FormulaError(f"{len(text)} characters, and {LENGTH_LIMIT} are allowed", LENGTH_LIMIT)
    fits = _LETTERS.match(text)
    if fits and fits.end() < len(text):
        raise FormulaError(f"{text[fits.end()]!r} has no meaning in a formula", fits.end())
    if joined := _NUMBER_AND_NAME.search(text):
        raise FormulaError("a number runs into a name", joined.start())
    blanks = len(text) - len(text.lstrip())
    try:
        tree = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, MemoryError, RecursionError) as error:
        at = getattr(error, "offset", None) or len(text) + 1  # without an offset the end is missing
        raise FormulaError("this cannot be read as a formula", min(blanks + at - 1, len(text))) from None
    try:
        checked = _Checker(names).check(tree)
    except FormulaError as error:
        raise FormulaError(error.why, error.at + blanks) from None
    return Formula(text.strip(), checked)


class _Checker:
    """Goes through a tree, refuses what does not belong there, and makes every number exact."""

    def __init__(self, names: Mapping[str, Kind]) -> None:
        self._names = names
        self._nodes = 0

    def check(self, tree: ast.expr) -> ast.expr:
        """The tree with exact numbers. Raises `FormulaError`."""
        return self._number(tree, 1)

    def _number(self, node: ast.expr, depth: int) -> ast.expr:
        """A part that gives one number."""
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
        """A part that joins other ones, which stand `depth` deep."""
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
        if name == "everyone":
            raise _blame(node, "everyone(…) gives a value for each side: take the sum, min, max or count of it")
        if name in _OF_COLUMNS:
            column = self._column(node)
            node.args = [column, ast.Name(f"{EVERYONE}{column.id}", ast.Load())]
        elif name in _OF_NUMBERS:
            if len(node.args) != 1:
                raise _blame(node, f"{name} takes one number")
            node.args = [self._number(node.args[0], depth + 1)]
        elif name in _OF_LISTS:
            if not node.args:
                raise _blame(node, f"{name} takes at least one number")
            node.args = [self._list_or_number(argument, depth + 1) for argument in node.args]
        else:
            raise _blame(node, f"there is no function {name}; there are {', '.join(sorted([*FUNCTIONS, 'everyone']))}")
        return node

    def _list_or_number(self, node: ast.expr, depth: int) -> ast.expr:
        match node:
            case ast.Name(id=name) if self._names.get(name) == "list":
                self._count(node, depth)
                return node
            case ast.Call(func=ast.Name(id="everyone"), keywords=[]):
                self._count(node, depth)
                return ast.Name(f"{EVERYONE}{self._column(node).id}", ast.Load())
        return self._number(node, depth)

    def _column(self, node: ast.Call) -> ast.Name:
        """The column that a function of columns is about."""
        match node.args:
            case [ast.Name() as column] if self._kind(column) == "number":
                return column
        raise _blame(node, "between the brackets stands one column of one value")

    def _kind(self, node: ast.Name) -> Kind:
        kind = self._names.get(node.id)
        if kind is None:
            raise _blame(node, f"there is no {node.id} here; there are {', '.join(self._names) or 'no names'}")
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
    """A number as it stands in a tree: of a kind that no text can spell."""
    node = ast.Constant(0)
    vars(node)["value"] = number
    return node


def _refuse(what: ast.AST, node: ast.expr) -> FormulaError:
    return _blame(node, f"{_REFUSED.get(type(what), type(what).__name__)} is not allowed here")


def _blame(node: ast.expr, why: str) -> FormulaError:
    return FormulaError(why, node.col_offset)
