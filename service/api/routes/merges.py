"""Merges of people who were entered several times: made, undone, proposed and previewed."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from typing import TYPE_CHECKING, Any

from flask import Response

from events.event import now_ms
from events.likeness import similar_names
from events.merges import Merge, Merges
from projections.statistics.doubles import count_doubles
from service.access.gate import current_recorder, missing_scope, require_principal
from service.access.needs import NAMING, Need
from service.access.scopes import EVERYTHING, HIDDEN, ROLES
from service.api.answers.people import (
    MERGE_REASONS,
    MergeList,
    MergePreview,
    MergeProposal,
    MergeProposals,
    MergeReason,
    PlayerDetail,
)
from service.api.endpoints import Endpoints, archive, context, reply
from service.api.routes.players import merge_infos, need_person, need_scopes, person_detail
from service.api.routes.statistics import merge_figures, visible_results
from service.api.schemas.people import MergeQuery, MergeSchema
from service.languages import gettext
from service.problems.kinds import ProblemError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from service.access.scopes import Scopes

endpoints = Endpoints("merges")

PROPOSING = Need("people:read", besides=NAMING)
"""What it needs to look for people who were entered twice."""

SAME_PLAYS = 2
"""Plays that two people seem to share before a merge is proposed."""

_SUREST = list(MERGE_REASONS)


@endpoints.route("GET", "/v1/merges", scope="people:read", answer=MergeList, conditional=True)
def list_merges() -> Response:
    """List the merges, the oldest first.

    Only those in force. The trail also has merges that were undone.
    """
    people = archive().log.people
    merges = people.merges()
    standing = merges.active()
    return reply(
        MergeList(merge_infos(standing), people.recorded_names({merge.kept for merge in standing if merge.kept}))
    )


@endpoints.route(
    "GET",
    "/v1/merges/proposals",
    scope=PROPOSING,
    answer=MergeProposals,
    conditional=True,
    problems=("rebuilding",),
)
def propose_merges() -> Response:
    """Propose merges of people who seem to have been entered twice, by their names or their plays.

    People who sat at one table, in a game that the caller may see, are not proposed. Nor are people who were split.
    """
    return reply(MergeProposals(proposals()))


def proposals() -> list[MergeProposal]:
    """The proposed merges: the same names first, then the same plays, then names that are alike."""
    people = archive().log.people
    merges, split = people.merges(), _were_split(people.merge_records())
    played = visible_results().all()
    plays = Counter(person for game in played for person in set(game.seats) if person)
    together = {pair for game in played for pair in combinations(sorted({str(seat) for seat in game.seats if seat}), 2)}
    found: dict[tuple[str, str], MergeReason] = {}
    for one, other, same in similar_names(people.all()):
        found[_ordered(merges.final_id(one), merges.final_id(other))] = "same-name" if same else "spelling"
    for pair, count in count_doubles(played).items():
        if count >= SAME_PLAYS:
            found.setdefault(pair, "same-plays")
    names = people.names({person for pair in found for person in pair})
    told = []
    for pair, why in sorted(found.items(), key=lambda item: (_SUREST.index(item[1]), item[0])):
        if pair[0] != pair[1] and pair not in together | split and names.keys() >= set(pair):
            kept, other = sorted(pair, key=lambda person: (person != context().access.owner, -plays[person], person))
            told.append(MergeProposal(other, names[other], plays[other], kept, names[kept], plays[kept], why))
    return told


def _ordered(one: str, other: str) -> tuple[str, str]:
    return min(one, other), max(one, other)


def _were_split(records: Iterable[Merge]) -> set[tuple[str, str]]:
    """The pairs that somebody merged and split again: they are not the same person."""
    found, standing = set[tuple[str, str]](), dict[str, str]()
    for record in records:
        if record.kept is not None:
            standing[record.person] = record.kept
        elif kept := standing.pop(record.person, None):
            found.add(_ordered(record.person, kept))
    return found


@endpoints.route(
    "GET",
    "/v1/players/<player>/merge",
    scope=PROPOSING,
    query=MergeQuery(),
    answer=MergePreview,
    conditional=True,
    problems=("bad-request", "player-unknown", "not-mergeable", "owner-stays", "rebuilding", "scope-needed"),
)
def preview_merge(player: str, query: dict[str, Any]) -> Response:
    """Preview a merge of `player` into another person. Nothing is stored.

    It is refused like the merge. Figures come from the games that the caller may see.
    """
    return reply(preview(player, query["into"]))


def preview(player: str, into: str) -> MergePreview:
    """What a merge would change. Raises as `merged`."""
    joined = _check_merge(player, into)
    need_scopes(joined)
    people = archive().log.people
    merges = people.merges()
    merges.check(player, into)
    after = Merges([*people.merge_records(), Merge(merges.number + 1, player, into, now_ms(), "")])
    one, kept = merges.final_id(player), merges.final_id(into)
    before, then, together = merge_figures(after, one, kept)
    return MergePreview(one, kept, people.names([one, kept]), together, sorted(joined), before, then)


@endpoints.route(
    "PUT",
    "/v1/players/<player>/merge",
    scope="people:write",
    body=MergeSchema(),
    answer=PlayerDetail,
    problems=(
        "bad-json",
        "bad-request",
        "player-unknown",
        "not-mergeable",
        "owner-stays",
        "rebuilding",
        "scope-needed",
        "storage-full",
    ),
)
def merge_player(player: str, body: dict[str, Any]) -> Response:
    """Merge a person who was entered twice: `player` is the same as `into`, and goes by the name and id of `into` from
    now on.

    Their games, seats and rights are those of one person then; the records keep the ids that they have, and their
    hashes. Splitting undoes it. Each then sees what the other sees. So if one of them played or is let in, it also
    needs `hidden:read`; if one has a role, `admin` and everything that the role may do.
    """
    return reply(merge_into(player, body["into"]))


def merge_into(player: str, into: str) -> PlayerDetail:
    """Merge a person into another one. Raises as the route."""
    joined = _check_merge(player, into)
    need_scopes(joined)
    if archive().log.people.merge(player, into, by=current_recorder()):
        context().access.note_identity(player, "person.merged", by=current_recorder(), into=into)
    return person_detail(into)


def _check_merge(player: str, into: str) -> Scopes:
    """Check that a person can be merged into another one. Returns what each gets from the other."""
    if player == into or not into:
        why = gettext("somebody other than the player")
        raise ProblemError("bad-request", f"into: {why}", errors=[{"field": "into", "message": why}])
    for each in (player, into):
        need_person(each)
    if gone := archive().log.people.erased_among([player, into]):
        raise ProblemError(
            "not-mergeable",
            gettext("the name of %(player)s was erased", player=min(gone)),
        )
    if player == context().access.owner:
        raise ProblemError("owner-stays", gettext("the owner must stay: merge the other person into the owner"))
    _need_right(player, into)
    return _joined(player, into)


@endpoints.route(
    "DELETE",
    "/v1/players/<player>/merge",
    scope="people:write",
    status=204,
    problems=("merge-unknown", "scope-needed", "storage-full"),
)
def split_player(player: str) -> Response:
    """Split a person off again from the one that they were merged into.

    They get back everything that was recorded, given and entered under their id, and people who were merged into them
    stay so. Where one of them has a role, it takes `admin`.
    """
    split_off(player)
    return Response(status=204)


def split_off(player: str) -> None:
    """Split a person off again. Raises as the route."""
    people = archive().log.people
    merge = people.merges().find(player)
    if merge is None:
        raise ProblemError("merge-unknown", gettext("%(player)s was not merged into anybody", player=player))
    _need_right(player)
    if people.split(player, by=current_recorder()):
        context().access.note_identity(player, "person.split", by=current_recorder(), of=merge.kept)


def _need_right(*players: str) -> None:
    """Check that the caller may merge these people, because they get or lose each other's roles by it.

    Raises `scope-needed`.
    """
    who, access = require_principal(), context().access
    ids = archive().log.people.merges().ids_of(players)
    have_roles = access.owner in ids or any(access.granted_roles(person=each) for each in ids)
    if have_roles and "admin" not in who.service:
        raise missing_scope("admin", who, None)


def _joined(*players: str) -> Scopes:
    """What a merge gives these people: the scopes of each other's roles, and the view from each other's seats."""
    access, ids = context().access, archive().log.people.merges().ids_of(players)
    if access.owner in ids:
        return EVERYTHING
    roles = [given.role for each in ids for given in access.granted_roles(person=each)]
    found = frozenset[str]().union(*(ROLES[role] for role in roles if role))
    played = any(context().has_played(each) for each in ids)
    return found | {HIDDEN} if played or roles or access.credentials(ids) else found
