"""Forks: what if a game had gone another way."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from projections.comparison import Comparison, compare
from service.access.gate import current_recorder, permissions
from service.access.needs import SEEN, Need
from service.api.answers.entries import Forked
from service.api.endpoints import Endpoints, archive, reply
from service.api.schemas.games import ComparisonQuery, ForkSchema
from service.api.viewpoints import check_seat, viewpoint_of
from service.languages import gettext
from service.problems.kinds import ProblemError
from service.recording.forks import fork

if TYPE_CHECKING:
    from flask import Response

endpoints = Endpoints("forks")


@endpoints.route(
    "POST",
    "/v1/games/<game>/forks",
    scope=Need("hidden:read", besides="games:open"),
    body=ForkSchema(),
    status=201,
    answer=Forked,
    problems=(
        "bad-json",
        "bad-request",
        "bad-entry",
        "bad-opening",
        "rule-broken",
        "impossible-move",
        "game-unknown",
        "version-unknown",
        "id-reused",
        "stale-version",
        "storage-full",
    ),
)
def fork_game(game: str, body: dict[str, Any]) -> Response:
    """Fork a game: open a "what if" that begins like this one.

    At version `at` of its record, or right `after` an entry as the record counts today; else with all of it. Safe to
    repeat with the same `id`. A fork is a game like any other, but stays out of statistics.
    """
    wanted = {name: body[name] for name in ("at", "after", "title")}
    recorded = fork(archive(), game, body["id"], recorder=current_recorder(), **wanted)
    first, last = recorded[0], recorded[-1]
    answer = Forked(body["id"], last.version, first.data["origin"])
    response = reply(answer, 201, version=answer.version)
    response.headers["Location"] = f"/v1/games/{answer.game}"
    return response


@endpoints.route(
    "GET",
    "/v1/games/<game>/comparison",
    scope=SEEN,
    query=ComparisonQuery(),
    answer=Comparison,
    conditional=True,
    problems=("bad-request", "token-needed", "game-unknown"),
)
def compare_games(game: str, query: dict[str, Any]) -> Response:
    """Compare a game with another one of its ruleset. A fork is compared with its origin by default.

    The common part, where they differ, and the scores side by side.
    """
    folds, other = archive().folds, query["with_"]
    if other is None:
        origin = folds.current(game).opened.origin
        if origin is None:
            message = gettext("the game is not a fork: name the game to compare it with")
            raise ProblemError("bad-request", message, errors=[{"field": "with", "message": message}])
        other = origin.game
    viewpoint = viewpoint_of(query["seat"], permissions(other))
    check_seat(viewpoint, folds.current(game))
    return reply(compare(folds, game, other, viewpoint))
