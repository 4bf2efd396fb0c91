"""Streams: new entries, sent as they are recorded.

The application says who may follow what, and how the answer begins; the rest is written by the process that serves the
streams, to which the connection is handed over.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from flask import Response, g, request
from marshmallow import ValidationError

from events import limits
from events.errors import GameUnknownError
from service.access.gate import current_principal, gate, request_network
from service.access.needs import SEEN
from service.access.store import SERVICE
from service.api.endpoints import NDJSON, SSE, Endpoints, archive, require_acceptable
from service.api.routes.analyses import find
from service.api.schemas.entries import FollowAllQuery, FollowQuery
from service.api.viewpoints import check_seat, viewpoint_of
from service.languages import gettext, locale
from service.live.source import AnalysisStreamed, EntryStreamed, RecordStreamed, StreamEnd, encode_event
from service.problems.kinds import MEDIA_TYPE, ProblemError
from service.server.awaiting import FOLLOWS
from service.server.orders import Follow, Subscription

if TYPE_CHECKING:
    from service.access.principals import Principal
    from service.server.orders import Form

endpoints = Endpoints("streams")

FORMS: dict[str, Form] = {SSE: "sse", NDJSON: "ndjson"}

LAST = "Last-Event-ID"

EARLIEST = "earliest"
"""How the id is called before the first."""

_GONE = {"token-needed", "token-unknown", "scope-needed", "game-unknown", "analysis-unknown", "not-found"}
"""What is said of a stream that somebody may not follow, or not any more."""

_ID = re.compile("[0-9]{1,16}")


@endpoints.route(
    "GET",
    "/v1/games/<game>/stream",
    scope=SEEN,
    query=FollowQuery(),
    answer=EntryStreamed,
    answer_types=tuple(FORMS),
    problems=("bad-request", "game-unknown", "scope-needed", "overloaded"),
)
def follow_game(game: str, query: dict[str, Any]) -> Response:
    """Follow a game.

    Every entry comes as its timeline has it, from the caller's viewpoint. The stream has server-sent events
    (`text/event-stream`) or, by `Accept`, lines of JSON (`application/x-ndjson`). The `id` of an event is the version
    of its entry. The header `Last-Event-ID`, as browsers send it, or `last_event_id` asks for what comes after one;
    `earliest` is all. Without either, the stream begins with the next entry. `Kifu-Last-Event-ID` says after which one
    it begins.

    Events are `entry`, `closed` for the entry that closes the record, and `gone`, the last one, once what one may see
    has changed. It is the only one if the record does not go as far as the id, as after a backup. Every 15 seconds a
    comment, or an empty line, shows that the connection holds.
    """
    return follow(game, query)


@endpoints.route(
    "GET",
    "/v1/stream",
    scope=SEEN,
    query=FollowAllQuery(),
    answer=EntryStreamed | RecordStreamed,
    answer_types=tuple(FORMS),
    problems=("bad-request", "overloaded"),
)
def follow_all(query: dict[str, Any]) -> Response:
    """Follow everything.

    Your own games and public ones, each from your viewpoint, and the clubs, seasons and tournaments that you
    see. As the stream of one game, but the `id` of an event is its place among all that is recorded.
    """
    newest = archive().log.position()
    after = _after(query["last_event_id"], newest)
    if after > newest:
        return _behind()
    who = current_principal()
    if who is not None:
        gate().note_read(who, SERVICE)
    return _handed_over(Subscription(credential=who.credential.id if who else None), who, after)


@endpoints.route(
    "GET",
    "/v1/games/<game>/analyses/<analysis>/stream",
    scope=SEEN,
    query=FollowAllQuery(),
    answer=AnalysisStreamed,
    answer_types=tuple(FORMS),
    problems=("bad-request", "game-unknown", "analysis-unknown", "overloaded"),
)
def follow_analysis(game: str, analysis: str, query: dict[str, Any]) -> Response:
    """Follow an analysis.

    The stream says how far it is and what is known so far, in the forms of the stream of a game. Events are `progress`;
    `ended` with the result, or why there is none, the last one; and `gone` once the caller may not see it any more. A
    client that sends the `id` of an event gets nothing until there is something else. Once the analysis has ended the
    answer is 204.
    """
    found = find(game, analysis)
    after = _after(query["last_event_id"], 0)
    if after == found.mark and not found.active:
        require_acceptable(*FORMS)
        return _nothing_more()
    link = g.get("link")
    who = None if link else current_principal()
    subscription = Subscription(
        game, credential=who.credential.id if who else None, link=link.id if link else None, analysis=analysis
    )
    return _handed_over(subscription, who, after, found.subject.viewpoint)


def follow(game: str, query: dict[str, Any]) -> Response:
    """The stream of a game, for callers who may see it. Raises as `follow_game`."""
    head = archive().log.head(game)
    if head is None:
        raise GameUnknownError(game)
    viewpoint = viewpoint_of(query["seat"])
    check_seat(viewpoint, archive().folds.fold_until_error(game))
    after = _after(query["last_event_id"], head.version)
    if after > head.version:
        return _behind()
    link = g.get("link")
    if link is not None:
        return _handed_over(Subscription(game, link=link.id), None, after, viewpoint.name)
    who = current_principal()
    subscription = Subscription(game, credential=who.credential.id if who else None, seat=query["seat"])
    return _handed_over(subscription, who, after, viewpoint.name)


@endpoints.blueprint.after_request
def end_for_good(response: Response) -> Response:
    """Tell a browser that reconnects to a stream without the right to it that the stream has ended."""
    if LAST in request.headers and "Authorization" not in request.headers:
        body = response.get_json() if response.mimetype == MEDIA_TYPE else {}
        if body.get("type", "").rpartition("/")[2] in _GONE:
            return _nothing_more()
    return response


def _behind() -> Response:
    """The answer for an id beyond the log, which was restored from a backup. It makes browsers forget the id."""
    media = require_acceptable(*FORMS)
    gone = encode_event(
        StreamEnd("gone", gettext("the record has no entry with this id: load the record again")), FORMS[media]
    )
    return Response(b"id\n" + gone if media == SSE else gone, content_type=media, headers={"Cache-Control": "no-store"})


def _nothing_more() -> Response:
    return Response(status=204, headers={"Cache-Control": "no-store"}, content_type=SSE)


def _handed_over(subscription: Subscription, who: Principal | None, after: int, viewpoint: str = "") -> Response:
    """The head of a stream; another process sends the rest. Callers with the scope `admin` are not counted."""
    media = require_acceptable(*FORMS)
    counted = who.credential.id if who else request_network()
    request.environ[FOLLOWS] = Follow(
        subscription=subscription,
        viewpoint=viewpoint,
        form=FORMS[media],
        after=after,
        language=locale(),
        who=None if who and "admin" in who.service else counted,
    )
    headers = {
        "Cache-Control": "no-store",
        "X-Accel-Buffering": "no",
        "Kifu-Last-Event-ID": str(after) if after else EARLIEST,
    }
    return Response(iter(()), content_type=f"{media}; charset=utf-8" if media == SSE else media, headers=headers)


def _after(asked: str | None, newest: int) -> int:
    """The id after which the stream begins: from the header, from the query, or the newest one."""
    text = request.headers.get(LAST, asked)
    if not text:
        return newest
    if text == EARLIEST:
        return 0
    if not _ID.fullmatch(text) or int(text) > limits.VERSION:
        raise _bad_id("not the id of an event")
    return int(text)


def _bad_id(message: str) -> Exception:
    field = LAST if LAST in request.headers else "last_event_id"
    if field == LAST:
        return ProblemError("bad-request", f"{LAST}: {message}", errors=[{"field": LAST, "message": message}])
    return ValidationError({field: [message]})
