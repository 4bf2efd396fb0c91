"""The command `kifu` without its parts: its language and its error handling."""

from __future__ import annotations

import io
import logging
import os
import re
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from service import __version__
from service.cli.shell.helping import translate
from service.languages import ENGLISH, gettext, locale_of_terminal, locales, set_language

if TYPE_CHECKING:
    from collections.abc import Iterator


class Group(click.Group):
    """A group that lists its commands in their order, each with the whole first sentence of its help."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """The commands in the order of use."""
        return list(self.commands)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """Write the list. Click itself cuts sentences after one line, and Japanese ones, without spaces, to nothing."""
        listed = [(name, command) for name, command in self.commands.items() if not command.hidden]
        sentences = [(name, command.get_short_help_str(_UNCUT)) for name, command in listed]
        with formatter.section(gettext("Commands")):
            formatter.write_dl([(name, re.sub("(?<=。).+", "", sentence)) for name, sentence in sentences])


_UNCUT = 1000
"""More characters than a sentence of the help has."""


class Commands(Group):
    """The group of all commands, in a language. It prints errors as sentences."""

    language = ENGLISH
    """The language that its help is in."""

    def speak(self, tag: str) -> None:
        """Set the language. Help is translated only on a change, because that takes some milliseconds."""
        set_language(tag)
        if tag != self.language:
            translate(self)
            self.language = tag

    def make_context(self, info_name: str | None, args: list[str], *more: Any, **extra: Any) -> click.Context:
        """The context of a command line, which keeps the words of it as its `obj`, in the terminal's language."""
        words = list(args)
        self.speak(locale_of_terminal(os.environ))
        with _explained():  # the help and the version are printed here, and a full disk takes neither
            context = super().make_context(info_name, args, *more, **extra)
        context.obj = words
        return context

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command. Its errors are explained, and the exit code is 1."""
        with _explained():
            return super().invoke(ctx)


@contextmanager
def _explained() -> Iterator[None]:
    """Explain an error in words. The exit code is 1 then."""
    try:
        yield
    except (click.ClickException, click.Abort, click.exceptions.Exit, BrokenPipeError):
        raise
    except Exception as error:
        if os.environ.get("KIFU_DEBUG"):
            raise
        from service.cli.shell.failures import explain  # noqa: PLC0415 - these take their time to load
        from service.cli.shell.screen import complain  # noqa: PLC0415

        complain(*explain(error))
        raise click.exceptions.Exit(1) from error


class Creating(Group):
    """A group whose command `create` was called `found` in release 0.2.0, and still answers to that."""

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of this name."""
        return super().get_command(ctx, "create" if cmd_name == "found" else cmd_name)


def _named(ctx: click.Context, _: click.Parameter, tag: str | None) -> None:
    """Set the named language."""
    if tag and isinstance(ctx.command, Commands):
        ctx.command.speak(tag)


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.option(
    "--lang",
    type=click.Choice(locales()),
    is_eager=True,
    expose_value=False,
    callback=_named,
    help="Use this language, not that of the terminal (LC_ALL, LC_MESSAGES or LANG). JSON is the same in all.",
)
@click.version_option(__version__, prog_name="kifu", message="%(prog)s %(version)s")
def kifu() -> None:
    """The record of a game: tabletop games played in person, recorded move by move.

    GAME is a game's id, four or more characters of its beginning or end, or `last` for the one recorded last. Commands
    talk to the service that has the data folder open, or to the one at --url; without a service they work on the data
    folder by themselves.
    """


def main() -> None:
    """Run `kifu`."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal that cannot show 黒 shows ?
    handler = logging.StreamHandler()
    handler.setFormatter(_Plain())
    logging.basicConfig(level=logging.WARNING, handlers=[handler])
    kifu.main(prog_name="kifu")


class _Plain(logging.Formatter):
    """A log format with one line per message, without tracebacks."""

    def format(self, record: logging.LogRecord) -> str:
        return f"kifu: {record.getMessage()}"
