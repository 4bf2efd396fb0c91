"""Entries: recording what happened, and reading the log."""

from __future__ import annotations

from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any

from flask import request
from msgspec import UNSET

from events.errors import GameUnknownError
from projections.errors import VersionUnknownError
from projections.timeline import erased_in
from service.access.gate import current_permissions, current_recorder, require_principal
from service.access.names import names_of
from service.api.answers.entries import (
    DamagedGame,
    Erasures,
    Feed,
    FeedEntry,
    RecordedEntries,
    StoredEvents,
    public_event,
)
from service.api.embedding import after_entries
from service.api.endpoints import (
    Endpoints,
    archive,
    context,
    expected_versions,
    reply,
    reply_stored,
    with_next_link,
)
from service.api.schemas.entries import EntriesQuery, EntriesSchema, ErasureSchema, FeedQuery, RecordingQuery
from service.api.schemas.fields import feed_cursor
from service.recording.permits import Permit
from service.recording.recorder import record
from service.recording.seating import OF_PEOPLE, Seating
from service.server.awaiting import WATCHES, GameAwaitedError
from service.server.orders import Watch

if TYPE_CHECKING:
    from flask import Response

    from service.api.endpoints import StoredAnswer

endpoints = Endpoints("entries")


@endpoints.route(
    "POST",
    "/v1/games/<game>/events",
    scope="games:record",
    query=RecordingQuery(),
    body=EntriesSchema(),
    status=201,
    answer=RecordedEntries,
    conditional=True,
    problems=(
        "bad-json",
        "bad-request",
        "bad-entry",
        "bad-move",
        "bad-notation",
        "scope-needed",
        "not-yours",
        "contradiction",
        "game-unknown",
        "id-reused",
        "conflict",
        "game-closed",
        "stale-version",
        "body-too-large",
        "rule-broken",
        "impossible-move",
        "bad-correction",
        "bad-signature",
        "game-full",
        "storage-full",
    ),
)
def record_entries(game: str, query: dict[str, Any], body: dict[str, Any]) -> Response | StoredAnswer:
    """Record what happened: 1 to 1000 entries, all of them or none.

    Safe to repeat: the same entries get the same answer again, byte for byte. With `If-Match: "v41"` they are taken
    only if the game is at that version, or at one of a list; if not, the answer carries what was missed. A weak tag
    counts by its version. A move that breaks a rule is refused with the rule, unless it comes with `override:
    {"reason": …}`. A person is named by id (`player`, `referee`) or by name (`name`, `referee_name`).

    Corrections of what others recorded need `games:correct`, rulings and newer rules `games:rule`, closing and
    reopening `games:close`. A player records what their own seat does, and is told of it what can be known from there.
    A refusal after the whole record was asked is noted in the trail.

    With `look` the answer also carries what a client would ask for next, as it is at that moment. If the entries are
    sent again, `look` is the only part of the answer that can change.
    """
    dry_run, expected = query["dry_run"], expected_versions()
    service, who, drafts = context(), require_principal(), body["events"]
    store = service.archive
    permit = Permit(who, current_permissions(), store.log, game, service.access)
    take = partial(record, store, game, expected=expected, recorder=who.id, dry_run=dry_run, permit=permit)
    if OF_PEOPLE.isdisjoint([draft.type for draft in drafts]):
        entries = take(drafts)
    else:
        with Seating.for_drafts(store.log, drafts) as seating:
            entries = take(seating.all_identified(drafts))
            if not dry_run:
                seating.keep()
    version = entries[-1].version
    if dry_run:
        return reply(RecordedEntries(game, version, entries))
    look = UNSET if query["look"] is None else after_entries(game, entries[0].version, version, query["look"])
    answer = RecordedEntries(game, version, entries, f"/v1/games/{game}/events/{version}/receipt", look)
    return reply_stored(answer, version)


@endpoints.route(
    "GET",
    "/v1/games/<game>/events",
    scope="hidden:read",
    query=EntriesQuery(),
    answer=StoredEvents,
    conditional=True,
    problems=("bad-request", "game-unknown"),
)
def list_entries(game: str, query: dict[str, Any]) -> Response:
    """Read a game's entries from the log.

    Corrections are entries of their own. `next` is the `after` of the next page. Where there is nothing after `after`,
    the answer comes as soon as there is, or, empty, after `wait` seconds.
    """
    head = archive().log.head(game)
    if head is None:
        raise GameUnknownError(game)
    after, limit = query["after"], query["limit"]
    if query["wait"] and head.version <= after and request.environ.get(WATCHES):
        raise GameAwaitedError(Watch(game, after), query["wait"])
    events = [public_event(event) for event in archive().log.read(game, after, after + limit)]
    following = events[-1].version if events and events[-1].version < head.version else None
    recorders = names_of(context(), {event.recorder for event in events})
    response = reply(StoredEvents(game, head.version, events, recorders, following), version=head.version)
    return with_next_link(response, f"/v1/games/{game}/events", following, limit)


@endpoints.route(
    "POST",
    "/v1/games/<game>/erasures",
    scope="games:erase",
    body=ErasureSchema(),
    answer=Erasures,
    problems=("bad-json", "bad-request", "game-unknown", "version-unknown", "not-erasable", "erasing", "storage-full"),
)
def erase_entry(game: str, body: dict[str, Any]) -> Response:
    """Erase the free text of an entry, or what it hides.

    No trace of it is left in the data folder, backups aside. Its seal stays, so the chain and every proof hold. The
    entry says who erased it, and when. Safe to repeat.
    """
    entry, log = body["entry"], archive().log
    head = log.head(game)
    if head is None:
        raise GameUnknownError(game)
    if entry > head.version:
        raise VersionUnknownError(game, entry, head.version)
    event = log.erase(game, entry, body["what"], current_recorder(), body["reason"])
    context().forget(game)
    return reply(Erasures(game, entry, erased_in(event)))


@endpoints.route("GET", "/v1/feed", scope="hidden:read", query=FeedQuery(), answer=Feed, problems=("bad-request",))
def read_feed(query: dict[str, Any]) -> Response:
    """Read the entries of all games in the order of their commits.

    Ask again with `after` set to `next` for newer entries: none is missed. Entries of damaged games are left
    out, and these games are named in `damaged`.
    """
    log = archive().log
    feed = log.feed(query["after"], query["limit"])
    items = [FeedEntry(feed_cursor(position), public_event(event)) for position, event in islice(feed, query["limit"])]
    recorders = names_of(context(), {item.event.recorder for item in items})
    following = items[-1].cursor if items else feed_cursor(query["after"])
    damaged = [DamagedGame(each.game, each.version) for each in list(log.damage.values())]  # what was met just now, too
    return reply(Feed(items, recorders, following, damaged))
