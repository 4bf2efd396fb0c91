"""The list of games, and the way to one that is not opened yet."""

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
from service.api.routes.games import games_found, recent_games
from service.api.routes.playable import RECENT, playable
from service.api.rulebooks import examples_in
from service.api.schemas.games import GamesQuery
from service.languages import gettext, locale, localized
from service.pages import drafts
from service.pages.blueprint import page, service_scopes

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from werkzeug.wrappers import Response as AnyResponse

    from projections.catalogue import Listed
    from service.api.answers.games import GameListed

OFFERED = 8
"""What can be played that the list offers before somebody looks for it: what was played last, first."""

PEOPLE = 12
"""Known people that the list offers for a seat, those who played last first."""

FILTERS = ("q", "status", "name", "player", "from", "to", "order")
"""What the list can be searched and ordered by, as its address has it."""

GOES_ON = {"playing", "unreadable"}
"""The status of games after which no other one is offered."""

AGAIN = 3
"""Groups that the list offers another game of what they played."""


@page("GET", "/", scope=SEEN)
def list_games() -> str:
    """The games, the last recorded or played first."""
    wanted = {name: text for name, text in request.args.items() if text}
    query = GamesQuery(unknown=EXCLUDE).load(wanted)
    asked = {name: wanted[name] for name in FILTERS if name in wanted}
    found, acts = games_found(query), "games:open" in service_scopes()
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
        again=_played_again(found.games) if acts and not wanted else [],
        **(_offered(recent, known) if acts else {}),
    )


def _names(games: Iterable[Listed | GameListed], asked: Mapping[str, str]) -> dict[str, str]:
    """What these games are, for a filter: their names in the reader's language, by the English ones."""
    names = {asked["name"]: asked["name"]} if "name" in asked else dict[str, str]()
    titles = {ruleset.name: ruleset.title for ruleset in RULESETS.values()}
    found = {title.en: title for game in games if (title := game.game_name or titles.get(game.ruleset))}
    return _in_order(names | {name: localized(title) for name, title in found.items()})


def _people(games: Iterable[GameListed], known: Mapping[str, str], asked: Mapping[str, str]) -> dict[str, str]:
    """The people of these games, and others who are known, for a filter: their names, by their ids."""
    names = {seat.player: seat.name for game in games for seat in game.seats if seat.player and seat.name}
    others = set(known.values()).difference(names.values())
    names |= {player: name for player, name in known.items() if name in others}
    return _in_order(
        names | ({asked["player"]: gettext("Somebody else")} if asked.get("player", "") not in {"", *names} else {})
    )


def _in_order(choices: Mapping[str, str]) -> dict[str, str]:
    return dict(sorted(choices.items(), key=lambda choice: normalized(choice[1])))


def _offered(games: list[Listed], known: Mapping[str, str]) -> dict[str, Any]:
    """What the form offers that opens a game: what to play, and the people of the last games, one tap each."""
    groups = [
        [known[player] for player in game.seats if player and player in known]
        for game in sorted(games, key=_played)[::-1]
    ]
    names = {normalized(name): name for group in reversed(groups) for name in group}
    people = dict.fromkeys(names[normalized(name)] for group in groups for name in group)
    return {
        "playable": [(one.title, msgspec.to_builtins(one)) for one in playable("", games)[:OFFERED]],
        "people": list(islice(people, PEOPLE)),
        "together": next(filter(None, groups), []),
    }


def _played(game: Listed | GameListed) -> int | str:
    return game.played_at


def _played_again(games: Iterable[GameListed]) -> list[tuple[GameListed, str]]:
    """The last games of people with names that are over, each group and game once, and an id for each next game."""
    groups: dict[tuple[object, ...], GameListed] = {}
    for game in sorted(games, key=_played, reverse=True):
        people = frozenset(seat.player for seat in game.seats)
        if game.status not in GOES_ON and not game.origin and all(seat.name for seat in game.seats):
            groups.setdefault((game.ruleset, game.game_name, people), game)
    return [(game, str(uuid7())) for game in islice(groups.values(), AGAIN)]


@page("GET", "/games/last", scope=SEEN)
def show_last_game() -> AnyResponse:
    """The way to the game that was recorded last, of those that the visitor may see; to the list if there is none."""
    found = games_found(GamesQuery().load({"limit": 1})).games
    leads = url_for("pages.show_game", game=found[0].game) if found else url_for("pages.list_games")
    return redirect(leads, 303)


@page("GET", "/draft", scope=Need("games:open"))
def show_draft() -> str:
    """Where a game is recorded that waits on a device to be opened; the device knows which, and what is in it."""
    own = archive().log.components.all(SCORESHEET.name)
    return render_template(
        "draft.html",
        rulesets=RULESETS,
        helps={name: examples_in(ruleset, locale()) for name, ruleset in RULESETS.items()},
        sheets={"ready": drafts.ready_sheets(), "own": {found.name: drafts.sheet(found.data) for found in own}},
        acts=True,
    )
