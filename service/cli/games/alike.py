"""Suggestions for an unknown name: the rulesets and score sheets with a similar name."""

from __future__ import annotations

from contextlib import contextmanager
from shlex import quote
from typing import TYPE_CHECKING

from events import limits
from service.api.answers.rulesets import PlayableList
from service.cli.shell.client import RefusedError
from service.cli.shell.failures import CommandError, explain
from service.languages import gettext, localized

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from service.api.answers.rulesets import Playable
    from service.cli.shell.client import Client

OFFERED = 4
"""Rulesets and score sheets that are offered for a name that is no ruleset, at most."""


@contextmanager
def naming_alike(client: Client, name: str, command: Callable[[Playable], str]) -> Iterator[None]:
    """If no ruleset has this `name`, suggest the commands for similar names. Raises `CommandError`."""
    try:
        yield
    except RefusedError as error:
        if error.problem.name != "ruleset-unknown":
            raise
        why, *_ = explain(error)
        found = client.get("/v1/playable", PlayableList, q=name[: limits.LINE], limit=OFFERED).playable
        lines = (f"  {localized(each.title)}: {command(each)}" for each in found)
        raise CommandError(why, gettext("Perhaps you mean one of these:"), *lines) from error


def opening(found: Playable) -> str:
    """The command to open a game of something: `kifu open scoresheet --option template=uno`."""
    template = f" --option template={found.template}" if found.template else ""
    return f"kifu open {found.ruleset}{template}{_kept(found)}"


def show_command(found: Playable) -> str:
    """The command to show its rules; for a score sheet, the one to open it: it has no rules of its own."""
    return opening(found) if found.template or found.components else f"kifu rulesets {found.ruleset}"


def print_command(found: Playable) -> str:
    """The command to print a blank sheet of something."""
    template = f" --template {found.template}" if found.template else ""
    return f"kifu rulesets sheet {found.ruleset} FILE{template}{_kept(found)}"


def _kept(found: Playable) -> str:
    return f" --components {quote(found.components)}" if found.components else ""
