"""The kinds of problems in answers, and the exception that carries one."""

from __future__ import annotations

from typing import Any

import msgspec

from games.words import Sentence

MEDIA_TYPE = "application/problem+json"


class Kind(msgspec.Struct, frozen=True):
    """A kind of problem: the last part of its type URI, its status, its title, and what to do about it."""

    name: str
    status: int
    title: str
    advice: str


BAD_HTTP = Kind("bad-http", 400, "Malformed request", "Correct what `detail` names, or use another client.")
TOO_SLOW = Kind("too-slow", 408, "Request timeout", "Nothing was stored. Send the whole request again.")
BODY_TOO_LARGE = Kind("body-too-large", 413, "Request body too large", "Send fewer entries at once.")
HEAD_TOO_LARGE = Kind("head-too-large", 431, "Request header too large", "Send a shorter URL and fewer headers.")
TOO_MANY = Kind("too-many-connections", 429, "Too many connections", "Close some connections, then try again.")
OVERLOADED = Kind("overloaded", 503, "Overloaded", "Send the request again after `Retry-After` seconds.")
UNAVAILABLE = Kind(
    "unavailable", 503, "The service is restarting", "Send the request again after `Retry-After` seconds."
)

INTERNAL = Kind(
    "internal",
    500,
    "Internal error",
    "Please report it with its `id`. See whether the request was carried out before you send it again.",
)

REFUSALS = (BAD_HTTP, TOO_SLOW, BODY_TOO_LARGE, HEAD_TOO_LARGE, TOO_MANY, OVERLOADED, UNAVAILABLE)


KINDS: dict[str, Kind] = {
    kind.name: kind
    for kind in (
        Kind("bad-json", 400, "Invalid JSON", "Send whole, valid JSON: `detail` says what is wrong."),
        Kind("bad-request", 400, "Invalid request", "Correct the fields that `errors` names."),
        Kind("bad-entry", 400, "Invalid entry", "Correct the field that `errors` names in entry `entry_index`."),
        Kind("bad-move", 400, "Unknown move", "See the moves and the notation of the ruleset."),
        Kind("bad-notation", 400, "Invalid notation", "Correct the line from character `at` on."),
        Kind("bad-opening", 400, "Invalid opening", "See the options and seats of the ruleset."),
        Kind("bad-import", 400, "Invalid import", "Nothing was stored. `line` names the line with the error."),
        Kind(
            "token-in-address",
            400,
            "Token in the URL",
            "Others may have seen the token. Revoke it, and send a new one as `Authorization: Bearer …`.",
        ),
        Kind("token-needed", 401, "Authentication required", "Send `Authorization: Bearer …` or log in."),
        Kind("token-unknown", 401, "Invalid token", "Use another token, or a new login link."),
        Kind("scope-needed", 403, "Permission denied", "Ask the owner of the service, or use a token with this scope."),
        Kind("foreign-origin", 403, "Cross-origin request", "Send the token in the Authorization header."),
        Kind("not-https", 403, "HTTPS required", "Use HTTPS. /https explains how to trust this service."),
        Kind("not-yours", 403, "Not your move to record", "Ask somebody who may see the whole record."),
        Kind("not-found", 404, "Not found", "See /v1/openapi.yaml for all routes."),
        Kind("game-unknown", 404, "Game not found", "See /v1/games for all games that you may see."),
        Kind("club-unknown", 404, "Club not found", "See /v1/clubs for all clubs that you may see."),
        Kind("season-unknown", 404, "Season not found", "See /v1/seasons for all that you may see."),
        Kind("tournament-unknown", 404, "Tournament not found", "See /v1/tournaments for all that you may see."),
        Kind("version-unknown", 404, "Version not found", "Ask for a version that the game has."),
        Kind("tile-unknown", 404, "Tile not found", "Ask for a tile within the last checkpoint."),
        Kind("size-unknown", 404, "Tree size not reached", "Ask for a size up to the last checkpoint's."),
        Kind("ruleset-unknown", 404, "Ruleset not found", "See /v1/rulesets for all rulesets."),
        Kind("merge-unknown", 404, "Merge not found", "See /v1/merges for all merged people."),
        Kind("player-unknown", 404, "Player not found", "See /v1/players. The name may have been erased."),
        Kind("credential-unknown", 404, "Token not found", "See /v1/tokens for your tokens."),
        Kind("link-unknown", 404, "Link not found", "See the links of the game."),
        Kind("invitation-unknown", 404, "Invitation not found", "See the list of open invitations."),
        Kind("webhook-unknown", 404, "Webhook not found", "See /v1/webhooks for your webhooks."),
        Kind("delivery-unknown", 404, "Delivery not found", "See the deliveries of the webhook. Old ones are deleted."),
        Kind("role-unknown", 404, "This person has no role", "See the list of roles."),
        Kind("analysis-unknown", 404, "Analysis not found", "See the analyses of the game."),
        Kind("schema-unknown", 404, "Schema not found", "See /v1/schemas for all schemas."),
        Kind("export-unknown", 404, "Export not found", "See /v1/exports for all exports."),
        Kind("components-unknown", 404, "Components not found", "See /v1/components/ and the name of the ruleset."),
        Kind("method-not-allowed", 405, "Method not allowed", "The Allow header lists the allowed methods."),
        Kind("not-acceptable", 406, "Not acceptable", "Accept one of the media types that `detail` names."),
        Kind("still-running", 409, "Request still running", "Try again in a moment."),
        Kind("key-reused", 422, "Idempotency-Key reused", "Use a new key for a new request."),
        Kind("owner-stays", 409, "The owner keeps all rights", "If others may know the owner's token, rotate it."),
        Kind(
            "not-mergeable",
            409,
            "These two people cannot be merged",
            "See /v1/players/{player}. Split earlier merges first.",
        ),
        Kind("webhooks-full", 409, "Too many webhooks", "Delete a webhook that you no longer need."),
        Kind("id-reused", 409, "Id already used", "Use a new id for a new entry."),
        Kind(
            "conflict",
            409,
            "Conflict with later entries",
            "Correct the entries in `conflicts` first, or choose `keep` or `withdraw` for them.",
        ),
        Kind(
            "names-erased",
            409,
            "The file contains erased names",
            "Import it again with `erased=omit` to keep them erased, or with `erased=restore`.",
        ),
        Kind(
            "contradiction",
            409,
            "Contradiction with a hidden fact",
            "Check your entry. Then ask somebody who may see the whole record.",
        ),
        Kind(
            "not-sealed",
            409,
            "Record without seals",
            "Its hashes would reveal hidden facts. Ask for `format=text`, or ask for an export of the whole record.",
        ),
        Kind("not-erasable", 409, "Not erasable", "This entry was recorded before texts were sealed."),
        Kind("game-closed", 409, "The game is closed", "Reopen the game with a `game.reopened` entry, then try again."),
        Kind(
            "unreplayable",
            409,
            "The record cannot be replayed",
            "Withdraw or replace the entry that `version` names. The record can be exported and read up to there.",
        ),
        Kind(
            "ruleset-missing",
            409,
            "The game's ruleset is not installed here",
            "Install the package with this ruleset, and restart the service. The entries are safe and can be exported.",
        ),
        Kind(
            "record-newer",
            409,
            "The record needs a newer release",
            "Update the service. The entries are safe and can be exported.",
        ),
        Kind(
            "tree-stopped",
            409,
            "The tree is stopped",
            "The log is not the signed one. Run `kifu verify`, then restore the log or use `kifu tree restart`.",
        ),
        Kind("stale-version", 412, "Stale version", "Read the entries in `missed`, then try again."),
        Kind(
            "quota-exceeded",
            429,
            "Too many requests",
            "Wait for `Retry-After` seconds; send several entries in one request.",
        ),
        Kind("bad-media-type", 415, "Unsupported media type", "Send one of the types that `detail` names."),
        Kind("rule-broken", 422, "The move breaks a rule", "If the move really happened, send it with an `override`."),
        Kind("impossible-move", 422, "Impossible move", "Compare the board. An earlier entry may be wrong."),
        Kind("game-full", 422, "The game is full", "Close this game and open another one."),
        Kind("bad-signature", 422, "Invalid signature", "Read the record as it is now, and sign that version."),
        Kind("bad-correction", 422, "Invalid correction", "See the timeline: it shows which entries count."),
        INTERNAL,
        Kind("record-damaged", 500, "Damaged record", "Run `kifu verify`, and restore the record from a backup."),
        Kind("rebuilding", 503, "The list of games is being rebuilt", "Try again after `Retry-After` seconds."),
        Kind("tree-behind", 503, "The tree is not there yet", "Try again after `Retry-After` seconds."),
        Kind("tree-damaged", 503, "A part of the tree is being rebuilt", "Try again after `Retry-After` seconds."),
        Kind(
            "erasing",
            503,
            "Erased, but still on disk",
            "The content is erased, but a long read still keeps its bytes. Try again after `Retry-After` seconds.",
        ),
        Kind(
            "access-stopped",
            503,
            "Access is stopped",
            "Changes of access were lost, so nobody can log in. Ask the owner to run `kifu access`.",
        ),
        Kind("log-unreachable", 503, "The database does not answer", "Send the request again. It is stored only once."),
        Kind(
            "storage-unwritable",
            507,
            "Storage is not writable",
            "Nothing was stored. Check the data folder, restart the service, and send the request again.",
        ),
        Kind("storage-full", 507, "The disk is full", "Nothing was lost. Free some space and send the request again."),
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


def bad_field(field: str, why: str, **more: Any) -> ProblemError:
    """The problem `bad-request` for one field of a request."""
    return ProblemError("bad-request", of_field(field, why), errors=[{"field": field, "message": why}], **more)


def of_field(field: str, why: str) -> str:
    """The field and its fault. It is translated if the fault is."""
    if not isinstance(why, Sentence):
        return f"{field}: {why}"
    return Sentence(field.replace("{", "{{").replace("}", "}}") + ": {why}", why=why).by(why.of)


def body_of(kind: Kind, detail: str) -> dict[str, str | int]:
    """The members that every problem has."""
    return {
        "type": f"/problems/{kind.name}",
        "title": kind.title,
        "status": kind.status,
        "detail": detail,
        "advice": kind.advice,
    }
