"""The list of games, and the page for a game that is not opened yet."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any

import msgspec
from flask import redirect, render_template, request, url_for
from marshmallow import EXCLUDE
from uuid_utils import uuid7

from events.folding import normalized
from games.rulesets import RULESETS
from games.scoresheet import SCORESHEET
from service.access.needs import SEEN, Need
from service.api.endpoints import archive
from service.api.routes.games import find_games, recent_games
from service.api.routes.playable import RECENT, playable
from service.api.rulebooks import examples_in
from service.api.schemas.games import GamesQuery
from service.languages import gettext, locale, localized
from service.pages import drafts
from service.pages.blueprint import page, service_scopes

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from werkzeug.wrappers import Response as AnyResponse

    from projections.catalogue.rows import Listed
    from service.api.answers.games import GameListed

OFFERED = 8
"""The number of recently played games offered before a search."""

PEOPLE = 12
"""The number of known people offered for a seat, those who played last first."""

FILTERS = ("q", "status", "name", "player", "from", "to", "order")
"""The search and order parameters of the list."""

GOES_ON = {"playing", "unreadable"}
"""The statuses of games that offer no next game."""

AGAIN = 3
"""The number of groups that are offered another game."""


@page("GET", "/", scope=SEEN)
def list_games() -> str:
    """The games, ordered by the last recording or by the day played."""
    wanted = {name: text for name, text in request.args.items() if text}
    query = GamesQuery(unknown=EXCLUDE).load(wanted)
    asked = {name: wanted[name] for name in FILTERS if name in wanted}
    found, acts = find_games(query), "games:open" in service_scopes()
    recent = recent_games(RECENT) if acts else []
    known = archive().log.people.names({player for game in recent for player in game.seats if player})
    position = archive().log.position()  # from where the page follows: what comes after it may be missing
    return render_template(
        "games.html",
        found=found,
        position=position,
        query=query,
        rulesets=RULESETS,
        boards=RULESETS.keys() - {SCORESHEET.name},  # the row of a sheet has all that its sheet would show so small
        asked=asked,
        choices={"name": _names([*found.games, *recent], asked), "player": _people(found.games, known, asked)},
        acts=acts,
        again=_rematches(found.games) if acts and not wanted else [],
        **(_suggestions(recent, known) if acts else {}),
    )


def _names(games: Iterable[Listed | GameListed], asked: Mapping[str, str]) -> dict[str, str]:
    """The names of games for a filter, in the reader's language, by their English names."""
    names = {asked["name"]: asked["name"]} if "name" in asked else dict[str, str]()
    titles = {ruleset.name: ruleset.title for ruleset in RULESETS.values()}
    found = {title.en: title for game in games if (title := game.game_name or titles.get(game.ruleset))}
    return _in_order(names | {name: localized(title) for name, title in found.items()})


def _people(games: Iterable[GameListed], known: Mapping[str, str], asked: Mapping[str, str]) -> dict[str, str]:
    """The people of these games, and other known people, for a filter: names by id."""
    names = {seat.player: seat.name for game in games for seat in game.seats if seat.player and seat.name}
    others = set(known.values()).difference(names.values())
    names |= {player: name for player, name in known.items() if name in others}
    return _in_order(
        names | ({asked["player"]: gettext("Somebody else")} if asked.get("player", "") not in {"", *names} else {})
    )


def _in_order(choices: Mapping[str, str]) -> dict[str, str]:
    return dict(sorted(choices.items(), key=lambda choice: normalized(choice[1])))


def _suggestions(games: list[Listed], known: Mapping[str, str]) -> dict[str, Any]:
    """The suggestions of the form that opens a game: games to play, and people of recent games.

    If no game is recorded yet, the games with rules of their own come after the best-known ones.
    """
    groups = [
        [known[player] for player in game.seats if player and player in known]
        for game in sorted(games, key=_played)[::-1]
    ]
    names = {normalized(name): name for group in reversed(groups) for name in group}
    people = dict.fromkeys(names[normalized(name)] for group in groups for name in group)
    found = playable("", games)
    ruled = [] if games else [one for one in found[OFFERED:] if one.ruleset != SCORESHEET.name]
    return {
        "playable": [(one.title, msgspec.to_builtins(one)) for one in found[:OFFERED] + ruled[:OFFERED]],
        "people": list(islice(people, PEOPLE)),
        "together": next(filter(None, groups), []),
    }


def _played(game: Listed | GameListed) -> int | str:
    return game.played_at


def _rematches(games: Iterable[GameListed]) -> list[tuple[GameListed, str]]:
    """The last finished games of named people, one per group and game, with an id for each next game."""
    groups: dict[tuple[object, ...], GameListed] = {}
    for game in sorted(games, key=_played, reverse=True):
        people = frozenset(seat.player for seat in game.seats)
        if game.status not in GOES_ON and not game.origin and all(seat.name for seat in game.seats):
            groups.setdefault((game.ruleset, game.game_name, people), game)
    return [(game, str(uuid7())) for game in islice(groups.values(), AGAIN)]


@page("GET", "/games/last", scope=SEEN)
def show_last_game() -> AnyResponse:
    """Redirect to the last recorded game that the visitor may see, or to the list without one."""
    found = find_games(GamesQuery().load({"limit": 1})).games
    leads = url_for("pages.show_game", game=found[0].game) if found else url_for("pages.list_games")
    return redirect(leads, 303)


@page("GET", "/draft", scope=Need("games:open"))
def show_draft() -> str:
    """The page for a game that waits on a device to be opened. The device has its content."""
    own = archive().log.components.all(SCORESHEET.name)
    return render_template(
        "draft.html",
        rulesets=RULESETS,
        helps={name: examples_in(ruleset, locale()) for name, ruleset in RULESETS.items()},
        sheets={"ready": drafts.ready_sheets(), "own": {found.name: drafts.sheet(found.data) for found in own}},
        acts=True,
    )
