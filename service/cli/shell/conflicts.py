"""Conflicts: later entries that no longer fit after a correction, and the choices for them."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Literal, TypeVar

import click
import msgspec

from service.cli.shell import screen
from service.cli.shell.client import RefusedError
from service.cli.shell.failures import CommandError
from service.languages import gettext, gettext_noop

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from projections.errors import Conflict
    from service.cli.shell.client import Problem

T = TypeVar("T")

Ask = Callable[[str, Callable[[str], str]], str]
"""Asks a person a question, again until the function can read the answer."""

ALL: Literal["all"] = "all"

CANCEL = "cancel"


class Choices(msgspec.Struct, frozen=True):
    """The choices for entries that no longer fit: kept as irregular, or withdrawn."""

    keep: tuple[int, ...] | Literal["all"] = ()
    withdraw: tuple[int, ...] | Literal["all"] = ()

    def data(self) -> dict[str, Any]:
        """The choices in the data of a correction."""
        return {name: chosen for name in self.__struct_fields__ if (chosen := getattr(self, name))}

    def option(self, name: str, *versions: int) -> str:
        """The option of the command line that chooses these entries, too."""
        chosen = getattr(self, name)
        return f"--{name} {ALL if chosen == ALL else ','.join(map(str, (*chosen, *versions)))}"

    def with_answer(self, answer: str, version: int) -> Choices:
        """The choices with the answer for an entry: `keep`, `withdraw all`, …"""
        name, _, every = answer.partition(" ")
        return msgspec.structs.replace(self, **{name: ALL if every else (*getattr(self, name), version)})


def resolve(attempt: Callable[[dict[str, Any]], T], choices: Choices, ask: Ask | None) -> T:
    """Call `attempt` with choices until all entries fit, and return its result.

    `ask` asks a person a question, again until the answer can be read; without it, and when the answer is to cancel,
    this raises `CommandError`.
    """
    told: set[int] = set()
    while True:
        try:
            return attempt(choices.data())
        except RefusedError as error:
            if error.problem.name != "conflict":
                raise
            if ask is None:
                raise CommandError(*_report(error.problem, choices)) from error
            conflicts = error.problem.conflicts
            for conflict in conflicts:
                if conflict.version not in told:
                    screen.warn(*_lines(conflict))
            told |= {conflict.version for conflict in conflicts}
            choices = _chosen(conflicts[0], choices, ask)


def ask_on_terminal() -> Ask | None:
    """A function that asks on the terminal; None without a person there."""
    if not screen.is_conversation():
        return None
    return lambda question, read: str(click.prompt(question, value_proc=read, prompt_suffix=" ", err=True))


def _chosen(conflict: Conflict, choices: Choices, ask: Ask) -> Choices:
    """The choices with a person's answer for an entry. Later ones are asked for when it is known what they lead to."""
    answers = [*conflict.choices, *(f"{choice} {ALL}" for choice in conflict.choices), CANCEL]
    answer = ask(
        gettext("Entry %(version)s: %(answers)s?", version=conflict.version, answers=", ".join(answers)),
        lambda text: _read(text, answers),
    )
    if answer == CANCEL:
        raise CommandError(gettext("cancelled: nothing is stored"))
    return choices.with_answer(answer, conflict.version)


def _read(text: str, answers: Sequence[str]) -> str:
    """The typed answer, in full or by its initials: `wa`. Raises `UsageError`."""
    typed = text.lower().split()
    for answer in answers:
        if typed in (answer.split(), ["".join(word[0] for word in answer.split())]):
            return answer
    raise click.UsageError(
        gettext(
            "%(text)s is not one of %(answers)s; initials are enough.",
            text=f"{text.strip()!r}",
            answers=", ".join(answers),
        )
    )


def _lines(conflict: Conflict) -> Iterator[str]:
    """The lines about an entry that does not fit: the reason, and legal moves."""
    what = f", {conflict.notation}" if conflict.notation else ""
    rule = f" ({conflict.rule})" if conflict.rule else ""
    yield gettext(
        "entry %(version)s%(what)s: %(why)s%(rule)s", version=conflict.version, what=what, why=conflict.why, rule=rule
    )
    if conflict.legal:
        yield gettext("  legal there: %(legal)s", legal=", ".join(conflict.legal))


def _report(problem: Problem, choices: Choices) -> Iterator[str]:
    """All entries that do not fit, and the command lines that say what becomes of them."""
    yield f"{problem.title}:"
    for conflict in problem.conflicts:
        first, *more = _lines(conflict)
        yield f"  {first}"
        yield from (f"  {line}" for line in more)
        yield gettext(
            "    it can be %(becomes)s",
            becomes=gettext(" or ").join(gettext(_BECOMES[choice]) for choice in conflict.choices),
        )
    command = _command_line()
    keepable = [conflict.version for conflict in problem.conflicts if "keep" in conflict.choices]
    rest = [conflict.version for conflict in problem.conflicts if "keep" not in conflict.choices]
    if keepable:
        others = " --withdraw all" if rest else ""
        yield gettext("To keep what can be kept:  %(command)s --keep all%(others)s", command=command, others=others)
    yield gettext("To withdraw all of them:  %(command)s --withdraw all", command=command)
    if len(keepable) > 1:
        some = f"{choices.option('keep', keepable[0])} {choices.option('withdraw', *keepable[1:], *rest)}"
        yield gettext("To choose for each of them:  %(command)s %(some)s", command=command, some=some)


def _command_line() -> str:
    """The command line without tokens, because the output may be kept in a log."""
    words: list[str] = click.get_current_context().find_root().obj
    hidden = [word for at, word in enumerate(words) if "--token" not in (word.partition("=")[0], words[at - 1])]
    return shlex.join(["kifu", *hidden])


_BECOMES = {"keep": gettext_noop("kept as irregular"), "withdraw": gettext_noop("withdrawn, too")}
