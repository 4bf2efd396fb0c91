"""Problems: every error as `application/problem+json` (RFC 9457), on every route, with what helps to mend it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
from flask import Flask, Response, g, request
from marshmallow import ValidationError
from werkzeug.exceptions import HTTPException

from events.errors import (
    BadEventError,
    DamagedError,
    GameUnknownError,
    IdReusedError,
    LogBusyError,
    LogDamagedError,
    LogFullError,
    LogNewerError,
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
from service import faults
from service.access.store import AccessStoppedError, EndedError, StoreFullError, StoreUnwritableError
from service.answers import public_event
from service.confined import ContradictionError, OthersError
from service.judging import EntryRejectedError
from service.languages import gettext
from service.languages.plain import told
from service.languages.sentences import spoken
from service.recording import GameFullError
from service.refusals import INTERNAL, MEDIA_TYPE, REFUSALS, Kind, body_of
from service.seating import BadSeatError
from service.transfers import BadImportError, NamesErasedError, UnsealedError
from service.turns import TurnError
from workers.analysing import BadParameterError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

KINDS: dict[str, Kind] = {
    kind.name: kind
    for kind in (
        Kind("bad-json", 400, "The body is not JSON", "Mend the place that `detail` names."),
        Kind("bad-request", 400, "The request does not fit", "Mend the fields that `errors` names."),
        Kind("bad-entry", 400, "An entry does not fit", "Mend the field that `errors` names in entry `entry_index`."),
        Kind("bad-move", 400, "The move is not one of this game's", "See the moves of the ruleset, or its notation."),
        Kind("bad-notation", 400, "The line of notation does not parse", "Mend it from character `at` on."),
        Kind("bad-opening", 400, "The game cannot be opened like this", "See the ruleset's options and seats."),
        Kind("bad-import", 400, "The file cannot be imported", "Nothing was stored; `line` says where it went wrong."),
        Kind(
            "token-in-address",
            400,
            "A token stands in the address",
            "Others may have seen it: revoke it, and send another one as `Authorization: Bearer …`.",
        ),
        Kind("token-needed", 401, "This needs a token", "Send `Authorization: Bearer …` or log in."),
        Kind("token-unknown", 401, "The token is not known here", "Take another one, or a new login link."),
        Kind("scope-needed", 403, "You may not do this", "Ask whoever runs the service, or take another token."),
        Kind("foreign-origin", 403, "A page of another origin asked", "Send the token in the Authorization header."),
        Kind("not-https", 403, "This is not answered in plain", "Ask over HTTPS; /https says how to trust it."),
        Kind("not-yours", 403, "This is for others to record", "Ask whoever may see the whole record."),
        Kind("not-found", 404, "Nothing is here", "See /v1/openapi.yaml for what there is."),
        Kind("game-unknown", 404, "No such game", "See /v1/games for those that are recorded."),
        Kind("version-unknown", 404, "The game has no such version", "Ask for a version that it has."),
        Kind("tile-unknown", 404, "The tree has no such tile", "Ask for tiles that the last checkpoint needs."),
        Kind("size-unknown", 404, "The tree was never so large", "Ask for a size up to that of the last checkpoint."),
        Kind("ruleset-unknown", 404, "No such ruleset", "See /v1/rulesets for those that are known."),
        Kind("merge-unknown", 404, "They were not merged", "See /v1/merges for those who were."),
        Kind("player-unknown", 404, "No such player", "See /v1/players; the name may have been erased."),
        Kind("credential-unknown", 404, "No such token", "See /v1/tokens for those that are yours."),
        Kind("link-unknown", 404, "No such link", "See the links of the game for those that there are."),
        Kind("invitation-unknown", 404, "No such invitation", "See the invitations for those that are open."),
        Kind("webhook-unknown", 404, "No such endpoint", "See /v1/webhooks for those that are yours."),
        Kind(
            "delivery-unknown", 404, "No such delivery", "See the deliveries of the endpoint; old ones are forgotten."
        ),
        Kind("role-unknown", 404, "Nothing was said of this person", "See the roles for those of whom something was."),
        Kind("analysis-unknown", 404, "No such analysis", "See the analyses of the game for those that there are."),
        Kind("components-unknown", 404, "No such components", "See /v1/components and the ruleset's name for those."),
        Kind("method-not-allowed", 405, "Not with this method", "The Allow header lists those that serve."),
        Kind("not-acceptable", 406, "Not in a form that you take", "Accept a media type that `detail` names."),
        Kind("still-running", 409, "The same request is being answered", "Ask again in a moment."),
        Kind("key-reused", 422, "The key came with another request", "Make a new key for a new request."),
        Kind("owner-stays", 409, "The owner stays the owner", "Rotate the owner's token, if others may know it."),
        Kind(
            "not-mergeable",
            409,
            "These two cannot be made one person",
            "See /v1/players/{player} for who they are, and split first what was merged before.",
        ),
        Kind("webhooks-full", 409, "There are too many endpoints", "Remove one that is not needed any more."),
        Kind("id-reused", 409, "The id belongs to another entry", "Make a new id for a new entry."),
        Kind(
            "conflict",
            409,
            "Later entries would no longer fit",
            "Mend those in `conflicts` first, or name them, or `all`, in the correction's `keep` or `withdraw`.",
        ),
        Kind(
            "names-erased",
            409,
            "The file brings back names that were erased",
            "Import it again with `erased=omit`, and they stay erased, or with `erased=restore`.",
        ),
        Kind(
            "contradiction",
            409,
            "Something else is recorded that you may not know",
            "Look again; then ask whoever may see the whole record.",
        ),
        Kind(
            "not-sealed",
            409,
            "It was recorded before anything was sealed",
            "Its hashes would tell what is hidden: who may see all of it can export it. Ask for `format=text`.",
        ),
        Kind("not-erasable", 409, "Nothing of it can be erased", "It was recorded before texts were sealed."),
        Kind("game-closed", 409, "The game is closed", "Record a `game.reopened` with the reason, then try again."),
        Kind(
            "unreplayable",
            409,
            "The record cannot be replayed",
            "Withdraw or replace the entry that `version` names. What came before it can be read, and all be exported.",
        ),
        Kind(
            "ruleset-missing",
            409,
            "The game's ruleset is not installed here",
            "Install the package that brings it, and start anew. The entries are safe, and can be exported.",
        ),
        Kind(
            "record-newer",
            409,
            "The record is of a newer release",
            "Update the service. The entries are safe, and can be exported.",
        ),
        Kind(
            "tree-stopped",
            409,
            "Nothing is signed any more",
            "The log is not what was signed: see `kifu verify`; restore the log, or `kifu tree restart`.",
        ),
        Kind("stale-version", 412, "The game has moved on", "Take in the entries in `missed`, then try again."),
        Kind(
            "quota-exceeded",
            429,
            "Too many requests",
            "Wait for `Retry-After` seconds; send several entries in one request.",
        ),
        Kind("bad-media-type", 415, "The body has another media type", "Send the type that `detail` names."),
        Kind("rule-broken", 422, "The move breaks a rule", "If it happened all the same, send it with an `override`."),
        Kind("impossible-move", 422, "The move cannot be", "Look at the board: something was recorded wrong."),
        Kind("game-full", 422, "The game has no room for more", "Close this record and open another one."),
        Kind("bad-signature", 422, "That does not sign the record", "Look at the record as it stands, and sign that."),
        Kind("bad-correction", 422, "That entry cannot be corrected so", "Look at the timeline for what counts."),
        INTERNAL,
        Kind("record-damaged", 500, "The stored record is damaged", "Run `kifu verify`; restore it from a backup."),
        Kind("rebuilding", 503, "The list of games is being made anew", "Ask again after `Retry-After` seconds."),
        Kind("tree-behind", 503, "The tree does not go so far yet", "Ask again after `Retry-After` seconds."),
        Kind("tree-damaged", 503, "A part of the tree is made anew", "Ask again after `Retry-After` seconds."),
        Kind(
            "erasing",
            503,
            "Its old bytes are still on disk",
            "It is erased; a read that takes long keeps them. Ask again after `Retry-After` seconds.",
        ),
        Kind(
            "access-stopped",
            503,
            "Access is stopped",
            "Changes of access were lost, so nobody is let in. Ask the owner to run `kifu access`.",
        ),
        Kind("log-unreachable", 503, "The database does not answer", "Send it again: what was stored is stored once."),
        Kind(
            "storage-unwritable",
            507,
            "The record cannot be written",
            "Nothing of it was stored. Look after the data folder, start the service anew, then send it again.",
        ),
        Kind("storage-full", 507, "The disk is full", "Nothing was lost. Make room and send it again."),
        *REFUSALS,
    )
}
"""Every kind of problem that the API answers with."""


_CHALLENGES = {
    "token-needed": 'Bearer realm="kifu"',
    "token-unknown": 'Bearer realm="kifu", error="invalid_token"',
}


class ProblemError(Exception):
    """An error of a request, answered as a problem of the kind `name`."""

    def __init__(self, name: str, detail: str, **more: Any) -> None:
        super().__init__(detail)
        self.kind, self.detail, self.more = KINDS[name], detail, more
        self.headers = {"WWW-Authenticate": _CHALLENGES[name]} if name in _CHALLENGES else {}


def problem(error: ProblemError) -> Response:
    """The answer to a request that failed."""
    kind = error.kind
    said = {"title": gettext(kind.title), "advice": gettext(kind.advice)}
    body = _told(body_of(kind, error.detail) | said | error.more)
    headers = {"Cache-Control": "no-store"} | error.headers
    return Response(msgspec.json.encode(body, enc_hook=spoken), kind.status, headers, content_type=MEDIA_TYPE)


_SAID = ("detail", "why", "message", "impossible")
"""What a problem tells people, also of its errors and conflicts."""


def _told(body: dict[str, Any]) -> dict[str, Any]:
    """A problem told in the language of the request."""
    inner = {name: [_told(each) for each in body[name]] for name in ("errors",) if name in body}
    return body | {name: told(body[name]) for name in _SAID if name in body} | inner


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
    """What was missed, and the version that this reaches: the newest, or, if that is far, one on the way there.

    Whoever may not see all of it is told the newest version alone.
    """
    whole = "standing" in g and g.standing.whole
    missed = [public_event(event) for event in error.missed if event.version <= error.head] if whole else []
    reached = missed[-1].version if missed else error.head
    found = ProblemError("stale-version", str(error), version=reached, head=error.head, missed=missed)
    found.headers["ETag"] = f'"v{reached}"'
    return found


def _reused(error: IdReusedError) -> ProblemError:
    """An id that is taken; by which entry, is told in its own game, to whoever may see all of that."""
    stored, own = error.stored, (request.view_args or {}).get("game")
    detail = str(error)
    if stored.game != own or "standing" not in g or not g.standing.whole:
        detail = gettext(
            "event %(index)s: id %(id)s is that of another entry already", index=error.index, id=error.event_id
        )
    return ProblemError("id-reused", detail, entry_index=error.index)


def _of_field(name: str, detail: str, field: str, why: str, **more: Any) -> ProblemError:
    return ProblemError(name, detail, errors=[{"field": field, "message": why}], **more)


def _bad_move(error: BadMoveError) -> ProblemError:
    field = f"data.move.{error.path}".rstrip(".")
    return _of_field("bad-move", f"{field}: {error.why}", field, error.why)


def _conflict(error: ConflictError) -> ProblemError:
    first, more = error.conflicts[0], len(error.conflicts) - 1
    said = gettext("entry %(version)s no longer fits: %(why)s", version=first.version, why=told(first.why))
    said += gettext(", and %(more)s more", more=more) if more else ""
    return ProblemError("conflict", said, conflicts=error.conflicts)


def _rule_broken(error: RuleBrokenError) -> ProblemError:
    """A broken rule; where an override would not help, because the move cannot be either, it says so."""
    impossible = error.__cause__
    if not isinstance(impossible, ImpossibleError):
        return ProblemError("rule-broken", error.why, rule=error.rule)
    advice = gettext("An override does not help: the move cannot be carried out, as `impossible` says.")
    return ProblemError("rule-broken", error.why, rule=error.rule, impossible=impossible.why, advice=advice)


def _unreplayable(error: FoldError | UnreadableError) -> ProblemError:
    """An entry that cannot be carried out; why, is told to whoever may see all: it may tell what is hidden."""
    why = {"why": error.why} if "standing" in g and g.standing.whole else {}
    return ProblemError("unreplayable", str(error), version=error.version, **why)


def _again(name: str, why: object, seconds: int = 1) -> ProblemError:
    """A problem that is over in a moment."""
    found = ProblemError(name, str(why))
    found.headers["Retry-After"] = str(seconds)
    return found


def _no_version(error: VersionUnknownError) -> ProblemError:
    said = {"game": error.game, "head": error.head, "version": error.version}
    return ProblemError("version-unknown", gettext("game %(game)s has versions 1 to %(head)s, not %(version)s", **said))


def _damaged(error: DamagedError) -> ProblemError:
    return ProblemError("record-damaged", str(error), game=error.game, version=error.version)


_TRANSLATIONS: dict[type[Exception], Callable[[Any], ProblemError]] = {
    ProblemError: lambda error: error,
    EntryRejectedError: _rejected,
    StaleVersionError: _stale,
    EndedError: lambda _: ProblemError("token-unknown", gettext("this token was just revoked")),
    ContradictionError: lambda e: ProblemError("contradiction", str(e)),
    OthersError: lambda e: ProblemError("not-yours", str(e)),
    ConflictError: _conflict,
    DamagedError: _damaged,
    BadMoveError: _bad_move,
    BadMergeError: lambda e: ProblemError("not-mergeable", str(e)),
    BadSeatError: lambda e: _of_field("bad-request", str(e), f"seats[{e.seat}].name", str(e)),
    BadNameError: lambda e: _of_field("bad-request", f"name: {e}", "name", str(e)),
    BadEventError: lambda e: _of_field("bad-entry", str(e), e.path, e.why, entry_index=e.index),
    BadOpeningError: lambda e: _of_field("bad-opening", str(e), e.field, e.why, **e.place),
    NotationError: lambda e: ProblemError("bad-notation", str(e), text=e.text, at=e.at),
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
    GameFullError: lambda e: ProblemError("game-full", str(e)),
    IdReusedError: _reused,
    BadImportError: lambda e: ProblemError("bad-import", str(e), **({"line": e.line} if e.line else {})),
    UnsealedError: lambda e: ProblemError("not-sealed", str(e)),
    NamesErasedError: lambda e: ProblemError("names-erased", str(e), players=e.players),
    NotSealedError: lambda e: ProblemError("not-erasable", str(e)),
    LogBusyError: lambda e: _again("erasing", e),
    LogFullError: lambda e: ProblemError("storage-full", str(e)),
    LogUnwritableError: lambda e: ProblemError("storage-unwritable", str(e)),
    LogDamagedError: lambda e: ProblemError("storage-unwritable", str(e)),
    LogUnreachableError: lambda e: _again("log-unreachable", e),
    AccessStoppedError: lambda e: ProblemError("access-stopped", str(e)),
    StoreFullError: lambda e: ProblemError("storage-full", str(e)),
    StoreUnwritableError: lambda e: ProblemError("storage-unwritable", str(e)),
    NotGrownError: lambda e: ProblemError("size-unknown", str(e)),
    InapplicableError: lambda e: _of_field("bad-request", str(e), "kind", str(e)),
    BadParameterError: lambda e: _of_field("bad-request", str(e), f"parameters.{e.name}", e.why),
    BadTileError: lambda e: ProblemError("tile-unknown", str(e)),
    TreeStoppedError: lambda e: ProblemError("tree-stopped", str(e)),
    RebuildingError: lambda e: _again("rebuilding", e, e.seconds),
    TurnError: lambda e: _again("overloaded", e),
    TreeDamagedError: lambda e: _again("tree-damaged", e),
    ValidationError: lambda e: ProblemError(
        "bad-request", gettext("some fields do not fit"), errors=list(field_errors(e.messages))
    ),
}

_BY_STATUS = {404: "not-found", 405: "method-not-allowed", 413: "body-too-large", 415: "bad-media-type"}


def as_problem(error: Exception) -> ProblemError:
    """The problem that an exception is answered with; `internal` for one that nobody foresaw."""
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
    """As `as_problem`; what nobody foresaw goes to the journal, too, with the same id."""
    found = as_problem(error)
    if found.kind is INTERNAL:
        found.more["id"] = faults.note(error, found.detail)
    return found


def install(app: Flask) -> None:
    """Answer every exception of `app` with a problem."""
    app.register_error_handler(Exception, lambda error: problem(examine(error)))
