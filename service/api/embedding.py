"""Embedded answers: those that a page would ask for next. Each saves a phone a round trip.

Each answer is made by the view of its address, so it is the one that the address would give at that moment. What
cannot be told is left out: the page asks for it, and is told why.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

import msgspec

from events.errors import LogError
from games.errors import RulesetError
from projections.errors import ProjectionError
from service.api.answers.entries import Embedded
from service.api.endpoints import set_digest
from service.api.routes.games import show_game
from service.api.routes.rulesets import show_ruleset
from service.api.routes.states import list_moves, show_board, show_score, show_state, show_timeline
from service.problems.kinds import ProblemError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from flask import Response

STRETCH = 1000
"""How many entries a game's page asks for at once."""

LONG = 500
"""Of more entries than these a page is not told along with it: it would have to be read before anything is seen."""


class _Entry(msgspec.Struct):
    version: int
    place: int


class _TimelinePage(msgspec.Struct):
    version: int
    entries: list[_Entry]


def after_entries(game: str, first: int, last: int, seat: str) -> dict[str, Embedded]:
    """The addresses to embed after the entries `first` to `last` were recorded; fewer if there are newer entries."""
    return dict(_seen(game, first - 1, last, seat, moves=True))


def with_page(game: str, ruleset: str, version: int, seat: str | None, *, moves: bool) -> dict[str, Embedded]:
    """The addresses to embed into the page of a game, `moves` among them if it records."""
    brief = {"brief": True}
    embedded = dict(_answer(f"/v1/rulesets/{ruleset}?brief=true", partial(show_ruleset, ruleset, brief)))
    if version > LONG:
        return embedded | dict(_answer(f"/v1/games/{game}", partial(show_game, game)))
    return embedded | dict(_seen(game, 0, version, seat, moves=moves))


def timeline_of(game: str, after: int, seat: str | None) -> str:
    """The address of a game's timeline, as its page asks for it."""
    return _address(game, "timeline", seat, after=after, limit=STRETCH, brief="true")


def _seen(game: str, after: int, version: int, seat: str | None, *, moves: bool) -> Iterator[tuple[str, Embedded]]:
    """The addresses of the game, of its entries after `after`, and of the view after the last of them."""
    query = {"seat": seat, "after": after, "limit": STRETCH, "brief": True}
    yield from (timeline := dict(_answer(timeline_of(game, after, seat), partial(show_timeline, game, query)))).items()
    pages = [msgspec.json.decode(each.body, type=_TimelinePage) for each in timeline.values()]
    if not pages or pages[0].version != version:
        return
    yield from _answer(f"/v1/games/{game}", partial(show_game, game))
    now: dict[str, Any] = {"seat": seat, "at": None, "after": None, "irregular": False}
    if moves:
        yield from _answer(_address(game, "moves", seat, at=version), partial(list_moves, game, now))
    newest = pages[0].entries[-1:]
    if [(each.version, each.place) for each in newest] != [(version, version)]:
        return  # what was recorded last did not happen last: the moment right after that is another one
    for part, view in (("state", show_state), ("board.svg", show_board), ("score", show_score)):
        yield from _answer(_address(game, part, seat, after=version), partial(view, game, now))


def _address(game: str, part: str, seat: str | None, **asked: int | str) -> str:
    return f"/v1/games/{game}/{part}?{urlencode(({'seat': seat} if seat else {}) | asked)}"


def _answer(address: str, view: Callable[[], Response]) -> Iterator[tuple[str, Embedded]]:
    """The answer of an address from its view; None instead of a problem."""
    try:
        response = view()
    except (ProblemError, ProjectionError, RulesetError, LogError):
        return
    set_digest(response)
    body = msgspec.Raw(response.get_data()) if response.is_json else response.get_data(as_text=True)
    yield address, Embedded(response.headers["ETag"], body)
