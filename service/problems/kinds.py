"""The kinds of problems that the service answers with, and the exception that stands for one."""

from __future__ import annotations

from typing import Any

import msgspec

MEDIA_TYPE = "application/problem+json"


class Kind(msgspec.Struct, frozen=True):
    """A kind of problem: the last part of its type URI, its status, its title, and what to do about it."""

    name: str
    status: int
    title: str
    advice: str


BAD_HTTP = Kind("bad-http", 400, "That is no HTTP/1.1", "Mend what `detail` names, or use another client.")
TOO_SLOW = Kind("too-slow", 408, "The request came too slowly", "Nothing was stored. Send it again, whole.")
BODY_TOO_LARGE = Kind("body-too-large", 413, "The body is too large", "Send fewer entries at once.")
HEAD_TOO_LARGE = Kind("head-too-large", 431, "The head is too large", "Send a shorter address, and fewer headers.")
TOO_MANY = Kind("too-many-connections", 429, "Too many connections from one address", "Close some, then try again.")
OVERLOADED = Kind("overloaded", 503, "The service has more to do than it can", "Wait for `Retry-After`, send it again.")
UNAVAILABLE = Kind("unavailable", 503, "The service is starting again", "Wait for `Retry-After`, send it again.")

INTERNAL = Kind(
    "internal",
    500,
    "A fault of the service",
    "Please report it with its `id`. See whether the request was carried out before you send it again.",
)

REFUSALS = (BAD_HTTP, TOO_SLOW, BODY_TOO_LARGE, HEAD_TOO_LARGE, TOO_MANY, OVERLOADED, UNAVAILABLE)


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


def body_of(kind: Kind, detail: str) -> dict[str, str | int]:
    """What every problem says."""
    return {
        "type": f"/problems/{kind.name}",
        "title": kind.title,
        "status": kind.status,
        "detail": detail,
        "advice": kind.advice,
    }
