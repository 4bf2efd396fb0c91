"""Exports of many games: tables as CSV and JSON, a spreadsheet, records, a report, and the file for BG Stats."""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode
from weakref import finalize

from flask import Response, request

from service.access.gate import gate
from service.access.needs import SEEN
from service.api.answers.exchange import ExportList, TrackerLink
from service.api.endpoints import CSV, HTML, JSON, NDJSON, TEXT, XML, Endpoints, archive, reply, require_acceptable
from service.api.exporting import EXPORTS, XLSX, check_game, known_games
from service.api.offers import offered_files
from service.api.recorded import SPOKEN, KnownGame, recorded_game
from service.api.routes.games import games_by_id, listed_games
from service.api.schemas.exchange import ExportedQuery, ExportsQuery
from service.api.varying import vary
from service.api.viewpoints import viewpoint_of
from service.exchange import bgstats
from service.languages import gettext
from service.problems.kinds import ProblemError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from service.api.exporting import Export

endpoints = Endpoints("exports")

MOST = 500
"""Games of a page where no number is named."""


@endpoints.route(
    "GET",
    "/v1/exports",
    scope=SEEN,
    query=ExportedQuery(),
    answer=ExportList,
    conditional=True,
    problems=("bad-request", "game-unknown", "rebuilding"),
)
def list_exports(query: dict[str, Any]) -> Response:
    """List the exports of some games, or of one.

    Each with its media type, use and size.
    """
    return reply(offered_files(query))


@endpoints.route(
    "GET",
    "/v1/exports/<file>",
    scope=SEEN,
    query=ExportsQuery(),
    answer_types=(CSV, HTML, XLSX, JSON, XML, NDJSON, TEXT),
    problems=("bad-request", "export-unknown", "game-unknown", "rebuilding", "overloaded"),
)
def export_games(file: str, query: dict[str, Any]) -> Response:
    """Export many games as one file.

    The games of a list with the same words, the last recorded first. Games that cannot be replayed are left out. A name
    without an ending, as `tables`, is completed by `format` or the Accept header. With `limit` the file comes in pages,
    in the order of the games' ids, which together are one file. The header `Link` has the next page.
    """
    name, export = _chosen(file, query["format"])
    if query["game"]:
        check_game(query["game"])
    limits = gate().limits
    limits.begin_long()
    with ExitStack() as unless_answered:
        unless_answered.callback(limits.end_long)
        games, following = _games(export, query)
        response = Response(export.write(games, query), content_type=SPOKEN.get(export.media, export.media))
        unless_answered.pop_all()
    response.call_on_close(finalize(response, limits.end_long))  # once, even if nobody closes it
    if name != file:
        vary(response.headers, "Accept")
    if following:
        response.headers["Link"] = f'<{_address(following)}>; rel="next"'
    shown = "inline" if export.media == HTML else "attachment"
    response.headers["Content-Disposition"] = f'{shown}; filename="kifu-{name}"'
    return response


def _chosen(file: str, ending: str | None) -> tuple[str, Export]:
    """The export of a name, with the requested ending if the name has none. Raises `export-unknown`."""
    named = {name: export for name, export in EXPORTS.items() if file in {name, name.partition(".")[0]}}
    if not named:
        raise ProblemError("export-unknown", gettext("there is no export %(name)s", name=file[:80]))
    found = {name: export for name, export in named.items() if not ending or name.endswith(f".{ending}")}
    if not found:
        names = ", ".join(named)
        message = gettext(
            "there is no export %(name)s as %(ending)s, only %(names)s", name=file, ending=ending, names=names
        )
        raise ProblemError("export-unknown", message)
    media = require_acceptable(*dict.fromkeys(export.media for export in found.values()))
    return next((name, export) for name, export in found.items() if export.media == media)


def _games(export: Export, query: dict[str, Any]) -> tuple[Iterable[KnownGame], str | None]:
    """The requested games, and the cursor of the next page, if they come in pages. Raises `bad-request`."""
    paged = "limit" if query["limit"] else "after" if query["after"] else ""
    if not paged:
        return known_games(listed_games(query)), None
    if not export.pages:
        message = gettext("this file has no pages")
        raise ProblemError("bad-request", f"{paged}: {message}", errors=[{"field": paged, "message": message}])
    page, following = games_by_id(query | {"limit": query["limit"] or MOST})
    return known_games(page), following


def _address(after: str) -> str:
    """The address of the next page."""
    return f"{request.path}?{urlencode(request.args.to_dict() | {'after': after})}"


@endpoints.route(
    "GET",
    "/v1/games/<game>/bgstats",
    scope=SEEN,
    answer=TrackerLink,
    conditional=True,
    problems=("game-unknown",),
)
def link_to_bgstats(game: str) -> Response:
    """Show the link that opens a finished game in the app BG Stats.

    The app recognises a game, its people and what was played by their ids when it is sent again. A game that has not
    ended has no link, and neither has a fork.
    """
    return reply(tracker_link(game))


def tracker_link(game: str) -> TrackerLink:
    """The link that hands a game to BG Stats. Raises `GameUnknownError`."""
    found = recorded_game(archive(), archive().folds.current(game), viewpoint_of(None))
    url = bgstats.link(found.play, found.names) if bgstats.is_play(found.play) else None
    return TrackerLink(url, too_long=url is not None and len(url) > bgstats.LONGEST)
