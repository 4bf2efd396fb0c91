"""Failures in words: every error of a command, as one or two lines without a traceback."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING

from events.errors import (
    DamagedError,
    GameUnknownError,
    LogError,
    LogFullError,
    LogLockedError,
    LogNewerError,
    LogUnreachableError,
    LogUnwritableError,
)
from events.sqlite.translation import is_full
from projections.errors import ProjectionError
from service.cli.shell.client import (
    BadAddressError,
    NotGrantedError,
    RefusedError,
    UnexpectedAnswerError,
    UnreachableError,
    UntrustedError,
)
from service.cli.shell.lines import BadLineError
from service.languages import gettext, gettext_noop
from service.languages.plain import translated
from service.problems.kinds import KINDS
from service.settings import BadSettingError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from service.cli.shell.client import Problem

ADVICE = {
    "token-needed": gettext_noop("Log in with `kifu login URL`, or give a token with --token or KIFU_TOKEN."),
    "token-unknown": gettext_noop("The owner's token is in owner.token of the service's data folder."),
    "not-https": gettext_noop(
        "Use its https:// address. "
        "Get the certificate of its authority at /authority.crt, and give it with --ca or KIFU_CA."
    ),
    "rule-broken": gettext_noop("If it really happened, add `!` and the reason after it, or --override."),
    "bad-request": "",
    "bad-entry": "",
    "bad-notation": "",
    "bad-move": "",
    "bad-opening": gettext_noop("`kifu rulesets NAME` shows what a game can be opened with."),
    "game-unknown": gettext_noop("`kifu games` lists those that are recorded."),
    "ruleset-unknown": gettext_noop("`kifu rulesets` lists those that are known."),
    "player-unknown": gettext_noop("`kifu players list` shows those that have a name."),
    "bad-correction": gettext_noop("`kifu replay` shows which entries count."),
    "not-sealed": gettext_noop("Give --format text, or export it as its owner."),
    "names-erased": gettext_noop("Import it with --erased omit, and they stay erased, or with --erased restore."),
    "game-closed": gettext_noop("`kifu reopen` opens it again, with a reason."),
    "stale-version": gettext_noop("Look at the newer entries, then try again."),
    "components-unknown": gettext_noop("`kifu components list RULESET` lists them."),
    "tree-stopped": gettext_noop(
        "Run `kifu verify`. Then restore the log, or start a new tree with `kifu tree restart`."
    ),
    "bad-import": gettext_noop("Nothing of the file was stored."),
}
"""What to do about a problem at the command line, where it is something else than for a program."""


FREE_SPACE = gettext_noop("Free some space, then repeat the command.")
REBUILD = gettext_noop("Run `kifu rebuild`. The record itself is not affected.")
WRITE_ELSEWHERE = gettext_noop("Name another folder with --data, or run the command as a user who may write there.")

UNWRITABLE = {sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_READONLY_DIRECTORY}
"""How a database fails in a folder in which one may not write."""


class CommandError(Exception):
    """A command failed: why, and what to do about it."""

    def __init__(self, why: str, *advice: str) -> None:
        super().__init__(why)
        self.advice = advice


def explain(error: Exception) -> Iterator[str]:
    """The lines about an error and what helps."""
    match error:
        case RefusedError():
            yield from _problem(error.problem)
        case UnreachableError():
            yield from (translated(str(error)), _of_the_connection(error))
        case CommandError():
            yield from (str(error), *error.advice)
        case UnexpectedAnswerError() | NotGrantedError() | BadSettingError() | BadLineError():
            yield translated(str(error))
        case LogError() | ProjectionError():
            yield translated(str(error))
            yield from _of_the_log(error)
        case UnicodeError():
            yield gettext("the input is not valid UTF-8")
        case sqlite3.Error():
            yield from _of_the_read_models(error)
        case OSError():
            yield ": ".join(filter(None, (error.filename and str(error.filename), error.strerror))) or str(error)
            if is_full(error):
                yield gettext(FREE_SPACE)
        case _:
            yield gettext("internal error: %(name)s: %(error)s", name=type(error).__name__, error=error)
            yield gettext("Please report it, with what `KIFU_DEBUG=1` shows in addition.")


def _of_the_connection(error: UnreachableError) -> str:
    if isinstance(error, UntrustedError):
        return gettext(
            "Is it a service at home? "
            "Get the certificate of its authority at /authority.crt, and give it with --ca or KIFU_CA."
        )
    if isinstance(error, BadAddressError):
        return gettext("Give the address of a service, such as http://127.0.0.1:8080.")
    if error.unsure:
        return gettext("The result is unknown. Check before you repeat the command.")
    return gettext("Is the service running? Nothing was changed. You can repeat the command.")


def _problem(problem: Problem) -> Iterator[str]:
    cited = f" ({problem.rule})" if problem.rule and problem.rule not in problem.detail else ""
    detail = problem.detail.removeprefix("event 0: ")  # commands send one entry at a time
    yield f"{problem.title}: {detail}{cited}"
    yield from (f"  {error.field}: {error.message}" for error in problem.errors if error.message not in problem.detail)
    if problem.impossible:
        yield no_override(problem.impossible)
    elif advice := _advice(problem):
        yield advice


def _advice(problem: Problem) -> str:
    """What to do at the command line. The service's advice counts if it is not the usual one for such a problem."""
    usual = gettext(KINDS[problem.name].advice) if problem.name in KINDS else ""
    if problem.name in ADVICE and problem.advice in {"", usual}:
        return gettext(ADVICE[problem.name])
    return problem.advice


def no_override(impossible: str) -> str:
    """The advice for a move that cannot be recorded, not even with an override."""
    return gettext("It cannot be recorded with a reason either: %(impossible)s.", impossible=impossible)


def _of_the_read_models(error: sqlite3.Error) -> Iterator[str]:
    if getattr(error, "sqlite_errorcode", None) in UNWRITABLE:
        yield gettext("the read models cannot be written: %(error)s", error=error)
        yield gettext(WRITE_ELSEWHERE)
    else:
        yield gettext("the read models: %(error)s", error=error)
        yield gettext(FREE_SPACE if is_full(error) else REBUILD)


def _of_the_log(error: Exception) -> Iterator[str]:
    match error:
        case LogLockedError():
            yield gettext("Another command is still running, or a service does not answer. Stop it first.")
        case LogNewerError():
            yield gettext("Update this program.")
        case LogUnreachableError():
            yield gettext("Is the database running, and is KIFU_DATABASE_URL right? You can repeat the command safely.")
        case LogFullError():
            yield gettext(FREE_SPACE)
        case LogUnwritableError():
            yield gettext(WRITE_ELSEWHERE)
        case DamagedError():
            yield gettext("Run `kifu verify`, and restore the data folder from a backup.")
        case GameUnknownError():
            yield gettext("`kifu games` lists those that are recorded.")
