"""Stepping through something on a terminal, one key a step."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

import click

from service.cli import screen

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

T = TypeVar("T")

FORWARD = {" ", "\r", "\n", "n", "j", "\x1b[C", "\x1bOC", "\x1b[B", "\x1bOB"}
BACK = {"p", "b", "k", "\x7f", "\x1b[D", "\x1bOD", "\x1b[A", "\x1bOA"}
FIRST = {"g", "\x1b[H", "\x1bOH", "\x1b[1~"}
LAST = {"G", "\x1b[F", "\x1bOF", "\x1b[4~"}
QUIT = {"q", "\x1b", "\x04"}

KEYS = "→ or space: on   ←: back   g, G: first, last   q: leave"


def step_through(items: Sequence[T], show: Callable[[T], None]) -> None:
    """Show the first item, and with every key the one that it asks for, until one leaves."""
    at = 0
    while True:
        show(items[at])
        screen.hint(KEYS)
        key = click.getchar()
        if key in QUIT:
            return
        if key in FORWARD:
            at = min(at + 1, len(items) - 1)
        elif key in BACK:
            at = max(at - 1, 0)
        elif key in FIRST:
            at = 0
        elif key in LAST:
            at = len(items) - 1
