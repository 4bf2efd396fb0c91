"""Recording from the keyboard, one entry per line, with the legal moves and the board."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import click
from rich.cells import cell_len
from uuid_utils import uuid7

from service.api.answers.entries import RecordedEntries
from service.api.answers.games import GameInfo, LegalMoves, Score
from service.api.answers.rulesets import RulesetDetail
from service.cli.games.games import board_of, heading
from service.cli.recording import mending
from service.cli.recording.prompt import Prompt
from service.cli.shell import screen, wording
from service.cli.shell.client import RefusedError, UnexpectedAnswerError, UnreachableError
from service.cli.shell.failures import CommandError, explain
from service.cli.shell.lines import MARK, BadLineError, TypedLine, read_line
from service.cli.shell.sitters import sitters_of
from service.cli.shell.timelines import timeline
from service.languages import gettext, gettext_noop, locale, localized
from service.languages.sentences import with_translated_terms

if TYPE_CHECKING:
    from collections.abc import Callable

    from service.cli.recording.recorder import Recorder

PREVIEW_TIMEOUT = 0.5
"""Seconds that a dry run may take."""
MOST_SLOW_PREVIEWS = 3
"""After so many dry runs that were not quick, one after the other, lines are not tried out any more while typed."""

HELP = gettext_noop(
    """\
A line is a move; Tab completes it from the legal ones, and the line below says what it would do. Besides:
! REASON       records the move that was refused last, because it really happened
MOVE ! REASON  the same in one line
* ADJUSTMENT + ADJUSTMENT ! REASON
               gives a ruling; without an adjustment it is a house rule in words
note TEXT      adds a note
board          draws the board
moves          lists the legal moves
score          shows the points and the rules that give them
quit           leaves (so does Ctrl-D); everything that was taken is on disk"""
)


class Session:
    """One recorder at the keyboard."""

    def __init__(self, recorder: Recorder, *, boards: bool) -> None:
        self._recorder, self._client, self._game = recorder, recorder.client, recorder.game
        self._boards = boards
        self._ruleset = self._client.get(f"/v1/rulesets/{recorder.info.ruleset}", RulesetDetail)
        self._prompt = Prompt(self._preview)
        self._refused: TypedLine | None = None
        self._unsure: tuple[TypedLine, str] | None = None
        self._who = self._draft = ""
        self._version = recorder.info.version
        self._slow = 0
        self._mending = mending.CorrectionCommands(self._client, self._game, self._choose)
        self._commands: dict[str, Callable[[], None]] = {
            "help": self._help,
            "board": self._board,
            "moves": self._list_moves,
            "score": self._score,
        }

    def run(self) -> None:
        """Ask for entries until the recorder leaves."""
        screen.out().print(heading(self._recorder.info))
        self._board()
        screen.hint(gettext("Type a move; Tab shows the legal ones, `help` the notation, `quit` leaves."))
        while True:
            try:
                text = self._ask()
                if text.lower() in {"quit", "exit"}:
                    return
                self._take(text)
            except EOFError:
                return
            except KeyboardInterrupt:
                screen.hint(gettext("Nothing was sent. `quit` leaves."))
            except (RefusedError, UnexpectedAnswerError, CommandError) as error:
                screen.warn(*explain(error))
            except UnreachableError as error:
                kept = gettext("Your line is kept: Enter sends it again, and it is not recorded twice.")
                screen.warn(f"{error}", kept if self._draft else gettext("`board` tries again."))

    def _ask(self) -> str:
        default, self._draft = self._draft, ""
        seat = self._moves.to_move
        who = gettext("Table") if seat is None else localized(self._recorder.info.seats[seat].label)
        self._who = f"{gettext('Over') if self._recorder.info.outcome else who}> "
        words = [move.notation for move in self._moves.moves] + [*self._commands, *self._mending.words, "note ", "quit"]
        return self._prompt.ask(self._who, seat, words, default).strip()

    def _take(self, text: str) -> None:
        command = self._commands.get(text.lower())
        if command:
            command()
            return
        try:
            if self._mending.is_correction(text):
                self._correct_record(text)
                return
            line = self._overriding(text) if text.startswith(MARK) else self._read(text)
        except BadLineError as error:
            self._draft = text
            screen.warn(f"{error}")
            return
        if line:
            self._record(line, text)

    def _read(self, text: str) -> TypedLine | None:
        return read_line(text, self._recorder.info.seats)

    def _correct_record(self, text: str) -> None:
        """Correct the record. A refused line stands in the prompt again; it is never sent twice."""
        try:
            self._mending.execute(text)
        except RefusedError:
            self._draft = text
            raise
        self._show()

    def _choose(self, question: str, read: Callable[[str], str]) -> str:
        """Ask a person until the answer is valid."""
        while True:
            try:
                return read(self._prompt.ask(f"{question} ", None, [], ""))
            except click.UsageError as error:
                screen.warn(error.message)

    def _overriding(self, text: str) -> TypedLine:
        """The move that was refused last, with the reason why it stands."""
        reason = text[len(MARK) :].strip()
        if self._refused is None:
            raise BadLineError(gettext("there is no refused move that could be recorded"))
        if not reason:
            raise BadLineError(gettext("write the reason after !"))
        return TypedLine("move.made", self._refused.text, reason)

    def _record(self, line: TypedLine, text: str) -> None:
        key = self._unsure[1] if self._unsure and self._unsure[0] == line else str(uuid7())
        self._unsure, self._draft = (line, key), text
        try:
            recorded = self._recorder.send(key, line, expected=self._version)
        except RefusedError as error:
            self._unsure = None
            self._explain_refusal(error, line)
            return
        self._unsure, self._draft, self._refused = None, "", None
        self._recorder.print_recorded(line, recorded)
        self._version = recorded.version
        self._show()

    def _explain_refusal(self, error: RefusedError, line: TypedLine) -> None:
        """Print why a line was refused. It stands in the prompt again, to be corrected."""
        problem = error.problem
        if problem.name == "stale-version":
            self._catch_up()
        elif problem.name == "rule-broken" and not problem.impossible:
            self._refused = line
            screen.warn(f"{problem.detail} ({problem.rule})", gettext("If it really happened, add ! and the reason."))
        elif problem.name == "bad-notation" and problem.at is not None and line.kind == "move.made":
            under = " " * cell_len(self._who + line.text[: problem.at])
            screen.out().print(f"{under}^")
            screen.warn(problem.detail.partition(", at character")[0])
        else:
            screen.warn(*explain(error))

    def _catch_up(self) -> None:
        """Show the entries that somebody else has recorded meanwhile."""
        screen.warn(gettext("somebody else has recorded meanwhile; your line is not sent yet:"))
        for entry in timeline(self._client, self._game, after=self._version):
            screen.out().print(
                f"{entry.version:>4}  {wording.entry_text(entry)}  {wording.effects_text(entry.effects)}"
            )
        self._board()

    def _refresh(self) -> None:
        """Load the newest version and its legal moves."""
        self._moves = self._client.get(f"/v1/games/{self._game}/moves", LegalMoves)
        self._version = self._moves.version
        self._recorder.info = self._client.get(f"/v1/games/{self._game}", GameInfo)

    def _preview(self, text: str) -> str:
        """The effects of a line by a quick dry run; empty if it takes too long."""
        try:
            command = text.strip().lower() in self._commands or self._mending.is_correction(text)
            line = None if command or text.startswith(MARK) else self._read(text)
        except BadLineError:
            return ""
        if line is None or line.kind == "note.added" or self._slow >= MOST_SLOW_PREVIEWS:
            return ""
        event = {"id": str(uuid7()), "type": line.kind, "data": line.data()}
        path, started = f"/v1/games/{self._game}/events", time.monotonic()
        try:
            answer = self._client.send("POST", path, RecordedEntries, {"events": [event]}, dry_run=True)
        except RefusedError as error:
            return f"✗ {error.problem.detail}"
        except (UnreachableError, UnexpectedAnswerError):
            return ""
        finally:
            self._slow = self._slow + 1 if time.monotonic() - started >= PREVIEW_TIMEOUT else 0
        (entry,) = answer.entries
        return f"→ {wording.effects_text(entry.effects)}  {wording.points(entry.scores)}"

    # Commands

    def _help(self) -> None:
        notation = gettext("Notation of %(title)s:", title=localized(self._ruleset.title))
        screen.glossary(f"{gettext(HELP)}\n\n{gettext(mending.HELP)}\n\n{notation}\n{self._ruleset.notation_help}")

    def _board(self) -> None:
        self._refresh()
        screen.out().print(board_of(self._client, self._game))

    def _list_moves(self) -> None:
        if not self._moves.moves:
            screen.hint(gettext("No move is legal: the game is over."))
            return
        screen.out().print("   ".join(move.notation for move in self._moves.moves))

    def _score(self) -> None:
        audit = self._client.get(f"/v1/games/{self._game}/score", Score)
        table = sitters_of(self._client, self._recorder.info)
        for line in audit.lines:
            who = wording.person(table.at(line.version)[line.seat])
            screen.out().print(
                gettext(
                    "%(points)s  %(who)s  %(category)s, entry %(version)s, %(rule)s  %(note)s",
                    points=f"{line.points:+}",
                    who=who,
                    category=with_translated_terms(line.category, locale(), self._ruleset.name),
                    version=line.version,
                    rule=line.rule,
                    note=with_translated_terms(line.note, locale(), self._ruleset.name),
                )
            )
        screen.out().print(wording.points(audit.scores), style="bold")

    def _show(self) -> None:
        """Show the board after a change, or at least the legal moves."""
        if self._boards:
            self._board()
        else:
            self._refresh()
