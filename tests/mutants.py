"""Mutation tests: plants small faults, one at a time, and checks that tests fail: `make mutants`.

A fault is a comparison turned round, a limit off by one, a condition negated, a return without its value, or a
statement left out. The sample is the same for the same seed. Each fault is planted in a copy of the project, and the
tests of its package run there until one fails. If the time runs out, it is not known whether the fault was noticed.
People judge faults that change nothing visible, in `tests/mutants.toml`, by the words of the fault, so that they
outlive other changes.

Tools made for it (mutmut, cosmic-ray) go through every fault of a project. Here some random ones have to be tried
within minutes, the same ones for the same seed, beside tests that start processes of their own.
"""

from __future__ import annotations

import ast
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import tomllib
from collections import Counter
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import click
import msgspec

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

ROOT = Path(__file__).parents[1]
JUDGED = Path(__file__).with_name("mutants.toml")

FURTHER = {
    "projections": [
        "corrections",
        "history",
        "rulings",
        "forks",
        "recording",
        "transfers",
        "tree",
        "missing_rulesets",
        "secrecy",
    ],
    "events": [],
}
"""For each package, tests of the service that also exercise it, by name."""

COMPARISONS: dict[type[ast.cmpop], str] = {
    ast.Eq: "!=",
    ast.NotEq: "==",
    ast.Lt: "<=",
    ast.LtE: "<",
    ast.Gt: ">=",
    ast.GtE: ">",
    ast.Is: "is not",
    ast.IsNot: "is",
    ast.In: "not in",
    ast.NotIn: "in",
}
OPERATIONS: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.FloorDiv: ast.Mult,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
}


class Fault(msgspec.Struct, frozen=True, order=True):
    """A planted fault: its file, function and line, the old code and the new code.

    `start` and `end` are in bytes; `code` is the text of the line.
    """

    file: str
    start: int
    end: int
    line: int
    scope: str
    code: str
    old: str
    new: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line} {self.scope}: {_short(self.old)} -> {_short(self.new)}"

    @property
    def words(self) -> tuple[str, str, str, str, str]:
        """The identity of a fault, independent of its line number."""
        return self.file, self.scope, self.code, _short(self.old), _short(self.new)


def _short(code: str) -> str:
    return " ".join(code.split())


class _Planter(ast.NodeVisitor):
    """Collects the faults of one file."""

    def __init__(self, file: str, source: bytes) -> None:
        self.file, self._source = file, source
        self._lines = [0]
        for line in source.splitlines(keepends=True):
            self._lines.append(self._lines[-1] + len(line))
        self._scope: list[str] = []
        self.faults: list[Fault] = []

    def _plant(self, node: ast.expr | ast.stmt, new: str) -> None:
        start = self._lines[node.lineno - 1] + node.col_offset
        end = self._lines[(node.end_lineno or node.lineno) - 1] + (node.end_col_offset or 0)
        old = self._source[start:end].decode()
        if _short(old) != _short(new):
            scope = ".".join(self._scope)
            code = self._source[self._lines[node.lineno - 1] : self._lines[node.lineno]].decode().strip()
            self.faults.append(Fault(self.file, start, end, node.lineno, scope, code, old, new))

    def _within(self, node: ast.FunctionDef | ast.ClassDef) -> None:
        self._scope.append(node.name)
        for statement in node.body:
            self.visit(statement)
        self._scope.pop()

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        self._within(node)  # without annotations and decorators

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self._within(node)

    def visit_If(self, node: ast.If) -> None:
        if ast.unparse(node.test) == "TYPE_CHECKING":
            return
        if not isinstance(node.test, ast.Compare | ast.BoolOp | ast.UnaryOp):
            self._plant(node.test, f"not ({ast.unparse(node.test)})")
        self.generic_visit(node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is not None and self._scope and not self._scope[-1][0].isupper():
            self.visit(node.value)

    def visit_Assert(self, node: ast.Assert) -> None:
        """Plant nothing: assertions are for readers and the type checker."""

    def visit_Compare(self, node: ast.Compare) -> None:
        for at, operator in enumerate(node.ops):
            names = [COMPARISONS[type(each)] if at == place else _sign(each) for place, each in enumerate(node.ops)]
            parts = [ast.unparse(part) for part in (node.left, *node.comparators)]
            if type(operator) in COMPARISONS:
                signs = zip(names, parts[1:], strict=True)
                self._plant(node, f"({parts[0]} {' '.join(f'{sign} {part}' for sign, part in signs)})")
        self.generic_visit(node)

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        other = " or " if isinstance(node.op, ast.And) else " and "
        self._plant(node, f"({other.join(f'({ast.unparse(value)})' for value in node.values)})")
        self.generic_visit(node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> None:
        if isinstance(node.op, ast.Not):
            self._plant(node, f"({ast.unparse(node.operand)})")
        self.generic_visit(node)

    def visit_BinOp(self, node: ast.BinOp) -> None:
        other = OPERATIONS.get(type(node.op))
        texts = any(isinstance(each, ast.JoinedStr | ast.Constant) and not _is_number(each) for each in _sides(node))
        if other and self._scope and not texts:
            self._plant(node, f"({ast.unparse(ast.BinOp(node.left, other(), node.right))})")
        self.generic_visit(node)

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        """Plant nothing inside: the parts of an f-string have no positions."""

    def visit_Constant(self, node: ast.Constant) -> None:
        if isinstance(node.value, bool):
            self._plant(node, repr(not node.value))
        elif isinstance(node.value, int):
            self._plant(node, repr(node.value + 1))

    def visit_Return(self, node: ast.Return) -> None:
        if node.value is not None and not isinstance(node.value, ast.Constant):
            self._plant(node, "return None")
        self.generic_visit(node)

    def visit_Expr(self, node: ast.Expr) -> None:
        if isinstance(node.value, ast.Call):
            self._plant(node, "pass")
        if not isinstance(node.value, ast.Constant):
            self.generic_visit(node)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        self._plant(node, "pass")
        self.generic_visit(node)

    def visit_Raise(self, node: ast.Raise) -> None:
        self._plant(node, "pass")  # words of messages are not mutated

    def visit_Delete(self, node: ast.Delete) -> None:
        self._plant(node, "pass")


def _sign(operator: ast.cmpop) -> str:
    return ast.unparse(ast.Compare(ast.Name("a"), [operator], [ast.Name("b")]))[2:-2]


def _sides(node: ast.BinOp) -> tuple[ast.expr, ast.expr]:
    return node.left, node.right


def _is_number(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, int | float)


@cache
def faults_of(file: str, source: bytes) -> tuple[Fault, ...]:
    """Every fault that can be planted in a file."""
    planter = _Planter(file, source)
    planter.visit(ast.parse(source))
    return tuple(planter.faults)


def with_fault(fault: Fault, source: bytes) -> bytes:
    """The source with the fault in it."""
    return source[: fault.start] + fault.new.encode() + source[fault.end :]


def harmless_faults() -> dict[tuple[str, ...], str]:
    """The faults that are known to change nothing, each with the reason."""
    found = tomllib.loads(JUDGED.read_text(encoding="utf-8")).get("equivalent", [])
    return {(each["file"], each["scope"], each["code"], each["old"], each["new"]): each["why"] for each in found}


class Copy:
    """A copy of the project, for planting faults."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._clock = folder, 2_000_000_000
        listed = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
        names = subprocess.run(listed, cwd=ROOT, capture_output=True, check=True).stdout.decode()
        for name in filter(None, names.split("\0")):
            if (ROOT / name).is_file():
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(ROOT / name, folder / name)

    def noticing_test(self, fault: Fault, seconds: float) -> str | None:
        """The test that failed by a fault; empty if all passed, None after the time limit."""
        path = self._folder / fault.file
        source = path.read_bytes()
        try:
            self._write(path, with_fault(fault, source))
            return self._run(witnesses(fault.file, self._folder), seconds)
        finally:
            self._write(path, source)

    def check(self, file: str) -> None:
        """Check that the tests of a file pass without a fault. Raises `ClickException`."""
        failed = self._run(witnesses(file, self._folder), None)
        if failed:
            raise click.ClickException(f"nothing is planted yet, and {failed} fails")

    def _write(self, path: Path, content: bytes) -> None:
        path.write_bytes(content)
        self._clock += 1  # compiled files are matched by the second of their source
        os.utime(path, (self._clock, self._clock))

    def _run(self, tests: Sequence[str], seconds: float | None) -> str | None:
        options = [
            "-n",
            "0",
            "-x",
            "-q",
            "--no-header",
            "--tb",
            "no",
            "-p",
            "no:cacheprovider",
        ]
        with subprocess.Popen(
            [sys.executable, "-m", "pytest", *options, "--hypothesis-seed=0", *tests],
            cwd=self._folder,
            env=os.environ | {"PYTHONPATH": str(self._folder), "PYTHONHASHSEED": "0"},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        ) as process:
            try:
                output, _ = process.communicate(timeout=seconds)
            except subprocess.TimeoutExpired:
                return None  # a single test that does not end fails by its own limit
            finally:
                with suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)  # also after a faulty test
        if process.returncode == 0:
            return ""
        failed = [
            line.removeprefix("FAILED ").partition(" - ")[0] for line in output.splitlines() if line[:6] == "FAILED"
        ]
        return failed[0] if failed else (output.strip().splitlines() or ["no word"])[-1]


def witnesses(file: str, root: Path = ROOT) -> list[str]:
    """The test files of a source file's package: those that mention it first, long ones last."""
    path = Path(file)
    package, module = path.parts[0], file.removesuffix(".py").replace("/", ".")
    own = sorted((root / "tests" / package).rglob("test_*.py"))
    more = [next((root / "tests/service").rglob(f"test_{name}.py")) for name in FURTHER.get(package, [])]

    def distance(test: Path) -> tuple[bool, bool, bool, bool]:
        text = test.read_text(encoding="utf-8")
        long = any(word in test.stem for word in ("crash", "bitflips", "disk", "properties", "concurrency"))
        return test in more, long, path.stem not in test.stem, module not in text

    return [str(test.relative_to(root)) for test in sorted((*own, *more), key=distance)]


def sample(paths: Iterable[str], count: int, seed: int) -> Iterator[Fault]:
    """Choose `count` faults in the files under `paths`, always the same for a seed."""
    files = sorted(
        {file for path in map(ROOT.joinpath, paths) for file in (path, *path.rglob("*.py")) if file.is_file()}
    )
    every = [fault for file in files for fault in faults_of(str(file.relative_to(ROOT)), file.read_bytes())]
    yield from sorted(random.Random(seed).sample(every, min(count, len(every))))


@click.command()
@click.argument("paths", nargs=-1)
@click.option("--sample", "count", default=30, show_default=True, help="How many faults to plant.")
@click.option("--seed", default=1, show_default=True, help="Which ones.")
@click.option("--seconds", default=600.0, show_default=True, help="How long the tests may take for one.")
@click.option("--floor", default=90.0, show_default=True, help="Per cent of those that change something to be noticed.")
def main(paths: tuple[str, ...], count: int, seed: int, seconds: float, floor: float) -> None:
    """Plant faults in the files under PATHS (`events` and `projections` if none), and list the unnoticed ones."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    known, tally = harmless_faults(), Counter[str]()
    with tempfile.TemporaryDirectory(prefix="kifu-mutants-") as folder:
        copy = Copy(Path(folder))
        faults = list(sample(paths or ("events", "projections"), count, seed))
        for package in {Path(fault.file).parts[0] for fault in faults}:
            copy.check(f"{package}/__init__.py")
        for fault in faults:
            if fault.words in known:
                verdict, noticed = "equivalent", known[fault.words]
            else:
                noticed = copy.noticing_test(fault, seconds)
                verdict = "no end" if noticed is None else "noticed" if noticed else "SURVIVED"
            tally[verdict] += 1
            click.echo(f"{verdict:10}  {fault}{f'  ({noticed})' if noticed else ''}")
    meant = tally["noticed"] + tally["SURVIVED"]
    share = 100 * tally["noticed"] / meant if meant else 100.0
    click.echo(
        f"{tally['noticed']} of {meant} noticed ({share:.0f} %), {tally['equivalent']} change nothing; seed {seed}"
    )
    if share < floor:
        raise click.exceptions.Exit(1)


if __name__ == "__main__":
    main()
