"""Help and complaints of the command line in other languages: texts of commands and options, and those of click."""

from __future__ import annotations

import re
from functools import cache
from inspect import cleandoc
from typing import TYPE_CHECKING

import click

from events import limits
from service.languages import catalog, gettext, locale

if TYPE_CHECKING:
    from collections.abc import Iterator

HELP = "Show this message and exit."
"""What click says of `--help`."""

CLICK = (
    "Usage:",
    "Options",
    "Commands",
    "Aborted!",
    "Error: {message}",
    "Error: invalid input",
    "Try '{command} {option}' for help.",
    "Missing argument",
    "Missing option",
    "Missing parameter",
    "Missing command.",
    "No such option {name!r}.",
    "No such command {name!r}.",
    "Invalid value: {message}",
    "Invalid value for {param_hint}: {message}",
    "Choose from:\n\t{choices}",
    "Argument {name!r} takes {nargs} values.",
    "Option {name!r} does not take a value.",
    "{value!r} is not a valid {number_type}.",
    "{value} is not in the range {range}.",
    "{value!r} is not a valid UUID.",
    "{name} {filename!r} does not exist.",
    "{name} {filename!r} is a file.",
    "{name} {filename!r} is a directory.",
    "{name} {filename!r} is not readable.",
    "{name} {filename!r} is not writable.",
    "file",
    "directory",
    "path",
    "env var: {var}",
    "integer",
    "integer range",
    "float",
    "float range",
    "default: {default}",
    "required",
    "Show the version and exit.",
    HELP,
)
"""What click says itself, as far as these commands make it say it."""
CLICK_COUNTS = (
    ("Got unexpected extra argument ({args})", "Got unexpected extra arguments ({args})"),
    ("Option {name!r} requires an argument.", "Option {name!r} requires {nargs} arguments."),
    ("{value!r} is not {choice}.", "{value!r} is not one of {choices}."),
    ("Did you mean {possibility}?", "(Did you mean one of: {possibilities}?)"),
)


class _Form(str):
    """A text of click. It says what a number is to be in plain words, in the language that is spoken."""

    __slots__ = ()

    def format(self, *values: object, **named: object) -> str:
        kinds = {name: spoken(str(named[name])) for name, spoken in _NUMBERS.items() if name in named}
        return super().format(*values, **named | kinds)


def _kind(kind: str) -> str:
    return gettext(kind.removesuffix(" range"))


def _range(bounds: str) -> str:
    """The bounds of a number, `2<=x<=20` or `x>=1`, as people say them."""
    between, above = re.fullmatch("(.+)<=x<=(.+)", bounds), re.fullmatch("x>=(.+)", bounds)
    if between and between[2] != str(limits.VERSION):
        return gettext("%(least)s to %(most)s", least=between[1], most=between[2])
    found = between or above
    return gettext("%(least)s or more", least=found[1]) if found else bounds


_NUMBERS = {"number_type": _kind, "range": _range}


def _gettext(text: str) -> str:
    return _Form(gettext(text))


def _ngettext(one: str, more: str, count: int) -> str:
    return catalog(locale()).ngettext(one, more, count)


_SPEAKING = (click.core, click.decorators, click.exceptions, click.formatting, click.parser, click.termui, click.types)
for _module in _SPEAKING:
    # They ask the catalogues of the standard library, which look for compiled files of all that there is to say.
    vars(_module).update({"_": _gettext} | ({"ngettext": _ngettext} if hasattr(_module, "ngettext") else {}))

_error_hint = click.Option.get_error_hint


def _spoken_hint(option: click.Option, context: click.Context | None) -> str:
    """How a complaint calls an option; click itself names its variable in English."""
    return _ENGLISH_HINT.sub(lambda found: gettext("env var: {var}").format(var=found[1]), _error_hint(option, context))


_ENGLISH_HINT = re.compile("env var: ('[^']*')")
click.Option.get_error_hint = _spoken_hint  # type: ignore[method-assign, assignment]


@cache
def texts(group: click.Group) -> tuple[tuple[click.Command | click.Option, str], ...]:
    """Every command and option below a group that has a help text, with that text in English."""
    return tuple(_texts(group, None))


def _texts(command: click.Command, above: click.Context | None) -> Iterator[tuple[click.Command | click.Option, str]]:
    context = click.Context(command, above, **command.context_settings)
    for each in (command, *command.params):
        if isinstance(each, click.Command | click.Option) and each.help:
            yield each, cleandoc(each.help)
    if helped := command.get_help_option(context):
        yield helped, HELP  # click makes it when it is needed, in the language that is spoken at that moment
    for below in command.commands.values() if isinstance(command, click.Group) else ():
        yield from _texts(below, context)


def translate(group: click.Group) -> None:
    """Let the help of a group and of all below it be in the language that is spoken."""
    for each, text in texts(group):
        each.help = gettext(text)
