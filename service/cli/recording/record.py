"""Recording: from a file, from a pipe, or from the keyboard."""

from __future__ import annotations

import math
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click
from uuid_utils import uuid7

from service.cli.exchange.transfers import INPUT
from service.cli.recording.keys import EntryIds
from service.cli.recording.recorder import Recorder
from service.cli.shell import screen, wording
from service.cli.shell.arguments import game_argument
from service.cli.shell.client import RefusedError, UnexpectedAnswerError, UnreachableError
from service.cli.shell.connection import with_client
from service.cli.shell.failures import CommandError, explain
from service.cli.shell.lines import BadLineError, TypedLine, read_line
from service.cli.shell.references import game_id
from service.cli.shell.timelines import timeline
from service.languages import gettext, gettext_noop, ngettext

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from service.cli.shell.client import Client
    from service.recording.judging import RecordedEntry

PIPE = gettext_noop("standard input")


def _finite(_: click.Context, __: click.Parameter, seconds: float) -> float:
    if math.isnan(seconds):  # it would never be over
        raise click.BadParameter(gettext("nan is not a number of seconds."))
    return seconds


@click.command()
@game_argument
@click.argument("file", type=INPUT, required=False)
@click.option("--key", help="A name for the input. It shows which entries are repeats.  [default: the file's name]")
@click.option(
    "--wait",
    type=click.FloatRange(0),
    callback=_finite,
    default=30,
    show_default=True,
    help="Seconds to go on trying when the connection is lost.",
)
@click.option("--quiet", "-q", is_flag=True, help="Do not print every entry.")
@click.option("--json", "as_json", is_flag=True, help="Print every entry as a line of JSON.")
@click.option("--no-board", is_flag=True, help="Do not draw the board after every entry from the keyboard.")
@with_client()
def record(
    client: Client,
    game: str,
    file: Path | None,
    key: str | None,
    wait: float,
    quiet: bool,
    as_json: bool,
    no_board: bool,
) -> None:
    """Record a game, a line an entry: from FILE, from standard input, or from the keyboard.

    A line is a move in the ruleset's notation; `MOVE ! REASON` one that broke a rule and stands;
    `* ADJUSTMENT + … ! REASON` a ruling; `note TEXT` a note. What follows a `;` is a comment and not recorded.

    A refused line ends the command, and everything before it is recorded. Correct the line and repeat the command. Kifu
    knows a recorded line by the name of the file and its place there, and does not record it twice. Standard input has
    no name: give it one with --key.
    """
    recorder = Recorder(client, game_id(client, game), wait)
    if file is None and not as_json and sys.stdin.isatty() and sys.stdout.isatty():
        from service.cli.recording.session import Session  # noqa: PLC0415 - only this needs the terminal's toolkit

        Session(recorder, boards=not no_board).run()
        return
    tell = _print_nothing if quiet else _tell_json if as_json else recorder.print_recorded
    if file is None or file == Path("-"):
        _Reading(recorder, PIPE, key, tell).run(sys.stdin.buffer)
        return
    with file.open("rb") as source:
        _Reading(recorder, file.name, key or file.name, tell).run(source)


def _print_nothing(_: TypedLine, __: RecordedEntry) -> None:
    """Print nothing about an entry."""


def _tell_json(_: TypedLine, recorded: RecordedEntry) -> None:
    screen.data(recorded)


class _Reading:
    """Records the lines of one source. With a `key`, repeated entries are recognised; without one each is new."""

    def __init__(
        self, recorder: Recorder, name: str, key: str | None, tell: Callable[[TypedLine, RecordedEntry], None]
    ) -> None:
        self._recorder, self._name, self._tell = recorder, name, tell
        entries = timeline(recorder.client, recorder.game) if key else []
        self._keys = EntryIds(recorder.game, key, entries) if key else None
        self._new = self._known = 0

    def run(self, source: Iterable[bytes]) -> None:
        """Record all lines. Raises `CommandError` for the first refused one."""
        for number, line in self._lines(source):
            self._record(number, line)
        if self._known:
            screen.hint(
                gettext(
                    "%(counted)s recorded before.",
                    counted=ngettext("%(count)s entry", "%(count)s entries", self._known),
                )
            )
        screen.hint(
            gettext("%(counted)s recorded.", counted=ngettext("%(count)s entry", "%(count)s entries", self._new))
        )

    def _lines(self, source: Iterable[bytes]) -> Iterator[tuple[int, TypedLine]]:
        for number, raw in enumerate(source, 1):
            try:
                line = read_line(raw.decode("utf-8-sig"), self._recorder.info.seats)
            except UnicodeDecodeError as error:
                raise self._stopped(
                    number, "", gettext("not text in UTF-8: %(reason)s", reason=error.reason)
                ) from error
            except BadLineError as error:
                raise self._stopped(number, raw.decode().strip(), str(error)) from error
            if line is not None:
                yield number, line

    def _record(self, number: int, line: TypedLine) -> None:
        key, known = self._keys.next() if self._keys else (str(uuid7()), None)
        try:
            recorded = self._recorder.send(key, line)
        except RefusedError as error:
            if known and error.problem.name == "id-reused":
                was = known.text if known.type == "note.added" else wording.entry_text(known)
                raise self._stopped(
                    number,
                    line.text,
                    gettext("recorded before as entry %(version)s, %(was)s", version=known.version, was=was),
                    gettext(
                        "Take that entry back with `kifu undo` first. Another file needs another name, or a --key."
                    ),
                ) from error
            raise self._stopped(number, line.text, *explain(error)) from error
        except (UnreachableError, UnexpectedAnswerError) as error:
            again = (
                gettext("repeat the command")
                if self._keys
                else gettext("look at the game before you go on with this line")
            )
            raise self._stopped(
                number, line.text, str(error), gettext("It may be recorded already: %(again)s.", again=again)
            ) from error
        if known:
            self._known += 1
            return
        self._new += 1
        self._tell(line, recorded)

    def _stopped(self, number: int, text: str, why: str, *advice: str) -> CommandError:
        quoted = f"{text}: " if text else ""
        name = gettext(PIPE) if self._name == PIPE else self._name
        return CommandError(
            gettext("%(name)s, line %(number)s: %(quoted)s%(why)s", name=name, number=number, quoted=quoted, why=why),
            *advice,
            gettext(
                "Recorded up to there: %(counted)s.",
                counted=ngettext("%(count)s entry", "%(count)s entries", self._known + self._new),
            ),
        )
