"""The output of commands: in colour on a terminal, plain elsewhere."""

from __future__ import annotations

import io
import os
import re
import sys
from contextlib import suppress
from functools import cache
from typing import TYPE_CHECKING, Any

import click
import msgspec
import segno
from rich.cells import cell_len
from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    TaskProgressColumn,
    TextColumn,
    TimeRemainingColumn,
)
from rich.table import Table
from rich.text import Text

from service.drawing import ansi
from service.languages import gettext

if TYPE_CHECKING:
    from collections.abc import Callable

    from rich.console import JustifyMethod

ENDLESS = 100_000
"""The width of what is no terminal: nothing is cut off or wrapped."""
NARROW_INDENT = 4
"""The columns before a meaning that is below its words."""


@cache
def out() -> Console:
    """Standard output."""
    return _console(stderr=False)


@cache
def err() -> Console:
    """Standard error, for everything that is not the answer itself."""
    return _console(stderr=True)


def _console(*, stderr: bool) -> Console:
    stream = sys.stderr if stderr else sys.stdout
    terminal = stream.isatty()
    more: dict[str, Any] = {} if terminal else {"width": ENDLESS}
    if not terminal or os.environ.get("NO_COLOR"):
        more["color_system"] = None
    return Console(stderr=stderr, highlight=False, markup=False, emoji=False, **more)


def is_colourful() -> bool:
    """Whether standard output shows colours."""
    return out().color_system is not None


def is_conversation() -> bool:
    """Whether there is a person at a terminal to ask."""
    return sys.stdin.isatty() and sys.stderr.isatty()


def seat_style(seat: int | None) -> str:
    """The colour of a seat, the same as in drawings."""
    return "" if seat is None else f"color({ansi.SEATS[seat % len(ansi.SEATS)] - 30})"


def table(*columns: str, right: tuple[str, ...] = (), whole: tuple[str, ...] = ()) -> Table:
    """A table without lines and with a translated head. Columns in `right` are numbers, columns in `whole` are never
    broken.
    """
    grid = Table(box=None, pad_edge=False, header_style="dim", padding=(0, 2, 0, 0))
    for column in columns:
        justify: JustifyMethod = "right" if column in right else "left"
        grid.add_column(
            column and gettext(column), justify=justify, overflow="fold", no_wrap=column in (*right, *whole)
        )
    return grid


def drawing(text: str) -> Text:
    """A drawing with escape sequences, as something to print."""
    return Text.from_ansi(text, no_wrap=True, overflow="crop")


def glossary(text: str) -> None:
    """Print lines that are words, two spaces or more, and what they mean. A meaning that is too long for the terminal
    goes on below its own beginning, not below the words. Where the words take more than half of a line, their meaning
    is below them.
    """
    for line in text.splitlines():
        words, meaning = _words_and_meaning(line)
        column = cell_len(words)
        if not column or cell_len(line) <= out().width:
            out().print(line)
            continue
        if column > out().width // 2:
            if words.strip():
                out().print(words.rstrip())
            words, column = "", NARROW_INDENT
        for part in Text(meaning).wrap(out(), out().width - column):
            out().print(f"{words or ' ' * column}{part.plain.rstrip()}")
            words = " " * column


def _words_and_meaning(line: str) -> tuple[str, str]:
    gap = re.search(r"(?:^| ) +(?=[^ ])", line)
    return (line[: gap.end()], line[gap.end() :]) if gap else ("", line)


def data(answer: object) -> None:
    """Print an answer as JSON, for programs."""
    click.echo(msgspec.json.encode(answer))


def complain(why: str, *more: str) -> None:
    """Print an error to standard error, with the program's name."""
    warn(f"kifu: {why}", *more)


def warn(why: str, *more: str) -> None:
    """Print an error and further lines to standard error."""
    err().print(Text(why, style="bold red"))
    for line in more:
        err().print(Text(line))


def hint(line: str) -> None:
    """Print a hint to standard error."""
    err().print(Text(line, style="dim"))


def progress_of(what: str) -> tuple[Progress, Callable[[int, int | None], None]]:
    """A progress bar on standard error, only on a terminal. Yields the function to call with `(done, total)`."""
    bar = _bar(MofNCompleteColumn())
    task = bar.add_task(what, total=None)
    return bar, lambda done, total: bar.update(task, completed=done, total=total)


def part_of(what: str) -> tuple[Progress, Callable[[int, int | None], None]]:
    """The same for work that can turn out to be more: the part that is done never gets smaller."""
    bar = _bar(TaskProgressColumn())
    task = bar.add_task(what, total=None)

    def tell(done: int, total: int | None) -> None:
        if total:
            bar.update(task, completed=max(bar.tasks[task].completed, min(done / total, 1)), total=1)

    return bar, tell


def _bar(how_far: ProgressColumn) -> Progress:
    return Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        how_far,
        TimeRemainingColumn(),
        console=err(),
        transient=True,
        disable=not err().is_terminal,
    )


def qr(text: str) -> None:
    """Print a text as a QR code, if the terminal can show it."""
    code = io.StringIO()
    segno.make(text, micro=False).terminal(code, compact=True)
    with suppress(UnicodeEncodeError):
        click.echo(code.getvalue())
