"""Problems: every error of every route as `application/problem+json` (RFC 9457), with advice."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
from flask import Flask, Response, g, request
from marshmallow import ValidationError
from werkzeug.exceptions import HTTPException

from events.errors import (
    BadEventError,
    DamagedError,
    DivergedError,
    GameUnknownError,
    IdReusedError,
    LogBusyError,
    LogDamagedError,
    LogFullError,
    LogNewerError,
    LogReadOnlyError,
    LogUnreachableError,
    LogUnwritableError,
    NotSealedError,
    StaleVersionError,
    UnreadableError,
)
from events.merges import BadMergeError
from events.people import BadNameError
from events.signing import BadSignatureError
from events.tree.tiles import BadTileError
from events.tree.tree import NotGrownError, TreeDamagedError, TreeStoppedError
from games.errors import BadMoveError, BadOpeningError, ImpossibleError, NotationError, RuleBrokenError
from projections.analyses.kinds import InapplicableError
from projections.errors import (
    BadCorrectionError,
    ConflictError,
    FoldError,
    GameClosedError,
    IncomparableError,
    RulesetMissingError,
    VersionUnknownError,
)
from projections.projector import RebuildingError
from service.api.answers.entries import public_event
from service.languages import gettext
from service.languages.plain import LONGEST, translated
from service.languages.sentences import sentence_encoder
from service.problems.errors import ServiceError
from service.problems.kinds import INTERNAL, KINDS, MEDIA_TYPE, ProblemError, body_of, of_field
from service.recording.judging import EntryRejectedError
from service.server import faults
from workers.analysing import BadParameterError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


def problem(error: ProblemError) -> Response:
    """The answer to a request that failed."""
    kind = error.kind
    texts = {"title": gettext(kind.title), "advice": gettext(kind.advice)}
    body = _translated_body(body_of(kind, error.detail) | texts | error.more)
    headers = {"Cache-Control": "no-store"} | error.headers
    content = msgspec.json.encode(body, enc_hook=sentence_encoder())
    return Response(content, kind.status, headers, content_type=MEDIA_TYPE)


_TRANSLATED = ("detail", "why", "message", "impossible")
"""What a problem tells people, also of its errors and conflicts."""


def _translated_body(body: dict[str, Any]) -> dict[str, Any]:
    """A problem in the language of the request, and no longer than somebody reads."""
    inner = {name: [_translated_body(each) for each in body[name]] for name in ("errors",) if name in body}
    texts = {name: _readable(translated(body[name])) for name in _TRANSLATED if name in body}
    named = {name: _readable(body[name]) for name in ("field",) if name in body}
    return body | texts | named | inner


def _readable(text: str) -> str:
    """A text whose middle is left out if it is too long: there it repeats what somebody sent."""
    return text if len(text) <= LONGEST else f"{text[: LONGEST // 2]} … {text[-LONGEST // 4 :]}"


def field_errors(messages: Any, path: str = "") -> Iterator[dict[str, str]]:
    """marshmallow's nested messages as a flat list of `{field, message}`."""
    if isinstance(messages, dict):
        for key, inner in messages.items():
            step = f"[{key}]" if isinstance(key, int) else f".{key}"
            yield from field_errors(inner, path if key == "_schema" else f"{path}{step}")
        return
    for message in messages if isinstance(messages, list) else [messages]:
        yield {"field": path.lstrip("."), "message": str(message)}


def _rejected(error: EntryRejectedError) -> ProblemError:
    found = as_problem(error.cause)
    found.more.setdefault("entry_index", error.index)
    if error.would:
        found.more["would"] = error.would
    return found


def _stale(error: StaleVersionError) -> ProblemError:
    """The missed entries, and the version that they reach: the newest, or an earlier one if there are many.

    A caller who may not see the whole record gets only the newest version.
    """
    whole = "permissions" in g and g.permissions.see_whole_record
    missed = [public_event(event) for event in error.missed if event.version <= error.head] if whole else []
    reached = missed[-1].version if missed else error.head
    found = ProblemError("stale-version", str(error), version=reached, head=error.head, missed=missed)
    found.headers["ETag"] = f'"v{reached}"'
    return found


def _diverged(error: DivergedError) -> ProblemError:
    """The first entry that differs between the two records. To look at the newer entries does not help."""
    found = _stale(error)
    found.detail = gettext(
        "game %(game)s differs: from entry %(entry)s on, the file has other entries than this service",
        game=error.game,
        entry=error.since,
    )
    found.more["advice"] = gettext("Nothing of this game was stored. To keep both, import it into another service.")
    return found


def _reused(error: IdReusedError) -> ProblemError:
    """The problem of a taken id. A caller who may see its whole game also gets the entry that has it."""
    stored, own = error.stored, (request.view_args or {}).get("game")
    detail = str(error)
    if stored.game != own or "permissions" not in g or not g.permissions.see_whole_record:
        detail = gettext(
            "event %(index)s: another entry already has the id %(id)s", index=error.index, id=error.event_id
        )
    return ProblemError("id-reused", detail, entry_index=error.index)


def _of_field(name: str, detail: str, field: str, why: str, **more: Any) -> ProblemError:
    return ProblemError(name, detail, errors=[{"field": field, "message": why}], **more)


def _bad_move(error: BadMoveError) -> ProblemError:
    field = f"data.move.{error.path}".rstrip(".")
    return _of_field("bad-move", f"{field}: {error.why}", field, error.why)


def _conflict(error: ConflictError) -> ProblemError:
    first, more = error.conflicts[0], len(error.conflicts) - 1
    detail = gettext("entry %(version)s no longer fits: %(why)s", version=first.version, why=translated(first.why))
    detail += gettext(", and %(more)s more", more=more) if more else ""
    return ProblemError("conflict", detail, conflicts=error.conflicts)


def _rule_broken(error: RuleBrokenError) -> ProblemError:
    """The problem of a broken rule. It says if an override would not help because the move is impossible."""
    impossible = error.__cause__
    if not isinstance(impossible, ImpossibleError):
        return ProblemError("rule-broken", error.why, rule=error.rule)
    advice = gettext("An override does not help: the move is impossible, as `impossible` explains.")
    return ProblemError("rule-broken", error.why, rule=error.rule, impossible=impossible.why, advice=advice)


def _unreplayable(error: FoldError | UnreadableError) -> ProblemError:
    """An entry that cannot be carried out. Only a caller who may see all gets the reason, because it may reveal hidden
    facts.
    """
    why = {"why": error.why} if "permissions" in g and g.permissions.see_whole_record else {}
    return ProblemError("unreplayable", str(error), version=error.version, **why)


def _temporary_problem(name: str, why: object, seconds: int = 1) -> ProblemError:
    """A temporary problem, with the seconds to wait."""
    found = ProblemError(name, str(why))
    found.headers["Retry-After"] = str(seconds)
    return found


def _no_version(error: VersionUnknownError) -> ProblemError:
    values = {"game": error.game, "head": error.head, "version": error.version}
    return ProblemError(
        "version-unknown", gettext("game %(game)s has versions 1 to %(head)s, not %(version)s", **values)
    )


def _damaged(error: DamagedError) -> ProblemError:
    return ProblemError("record-damaged", str(error), game=error.game, version=error.version)


_TRANSLATIONS: dict[type[Exception], Callable[[Any], ProblemError]] = {
    EntryRejectedError: _rejected,
    DivergedError: _diverged,
    StaleVersionError: _stale,
    ConflictError: _conflict,
    DamagedError: _damaged,
    BadMoveError: _bad_move,
    BadMergeError: lambda e: ProblemError("not-mergeable", str(e)),
    BadNameError: lambda e: _of_field("bad-request", f"name: {e}", "name", str(e)),
    BadEventError: lambda e: _of_field("bad-entry", str(e), e.path, e.why, entry_index=e.index),
    BadOpeningError: lambda e: _of_field("bad-opening", of_field(e.field, e.why), e.field, e.why, **e.place),
    NotationError: lambda e: ProblemError("bad-notation", e.message, text=e.text, at=e.at),
    RuleBrokenError: _rule_broken,
    ImpossibleError: lambda e: ProblemError("impossible-move", e.why, **({"rule": e.rule} if e.rule else {})),
    BadCorrectionError: lambda e: ProblemError("bad-correction", str(e)),
    BadSignatureError: lambda e: ProblemError("bad-signature", str(e)),
    GameClosedError: lambda e: ProblemError("game-closed", str(e)),
    GameUnknownError: lambda e: ProblemError("game-unknown", gettext("no game %(game)s", game=e.game)),
    IncomparableError: lambda e: _of_field("bad-request", str(e), "with", str(e)),
    VersionUnknownError: _no_version,
    RulesetMissingError: lambda e: ProblemError("ruleset-missing", str(e), ruleset=e.ruleset, revision=e.revision),
    FoldError: _unreplayable,
    UnreadableError: _unreplayable,
    LogNewerError: lambda e: ProblemError("record-newer", str(e)),
    IdReusedError: _reused,
    NotSealedError: lambda e: ProblemError("not-erasable", str(e)),
    LogBusyError: lambda e: _temporary_problem("erasing", e),
    LogFullError: lambda e: ProblemError("storage-full", str(e)),
    LogUnwritableError: lambda e: ProblemError("storage-unwritable", str(e)),
    LogReadOnlyError: lambda e: ProblemError("storage-unwritable", str(e)),
    LogDamagedError: lambda e: ProblemError("storage-unwritable", str(e)),
    LogUnreachableError: lambda e: _temporary_problem("log-unreachable", e),
    NotGrownError: lambda e: ProblemError("size-unknown", str(e)),
    InapplicableError: lambda e: _of_field("bad-request", str(e), "kind", str(e)),
    BadParameterError: lambda e: _of_field("bad-request", str(e), f"parameters.{e.name}", e.why),
    BadTileError: lambda e: ProblemError("tile-unknown", str(e)),
    TreeStoppedError: lambda e: ProblemError("tree-stopped", str(e)),
    RebuildingError: lambda e: _temporary_problem("rebuilding", e, e.seconds),
    TreeDamagedError: lambda e: _temporary_problem("tree-damaged", e),
    ValidationError: lambda e: ProblemError(
        "bad-request", gettext("some fields are invalid"), errors=list(field_errors(e.messages))
    ),
}
"""The problems for errors of other packages, and for an entry with such an error. The service's own errors name theirs.
"""

_BY_STATUS = {404: "not-found", 405: "method-not-allowed", 413: "body-too-large", 415: "bad-media-type"}


def as_problem(error: Exception) -> ProblemError:
    """The problem for an exception; `internal` for an unexpected one."""
    if isinstance(error, ProblemError):
        return error
    if isinstance(error, ServiceError):
        return error.problem()
    translate = _TRANSLATIONS.get(type(error))
    if translate:
        return translate(error)
    if isinstance(error, HTTPException):
        name = _BY_STATUS.get(error.code or 500, "bad-request" if (error.code or 500) < 500 else "internal")
        found = ProblemError(name, error.description or KINDS[name].title)
        found.headers = {key: value for key, value in error.get_headers() if key in {"Allow", "Retry-After"}}
        return found
    return ProblemError("internal", f"{type(error).__name__} while answering {request.method} {request.path}")


def examine(error: Exception) -> ProblemError:
    """As `as_problem`. An unexpected exception also goes to the journal, with the same id."""
    found = as_problem(error)
    if found.kind is INTERNAL:
        found.more["id"] = faults.log_fault(error, found.detail)
    return found


def install(app: Flask) -> None:
    """Answer every exception of `app` with a problem."""
    app.register_error_handler(Exception, lambda error: problem(examine(error)))
