"""Finding something to play by any name: ready sheets, stored sheets, and rulesets."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from events.event import timestamp
from games.contract import Title
from games.rulesets import RULESETS
from games.scoresheet import SCORESHEET
from games.scoresheet.ready import PLAIN, READY, names_of
from games.scoresheet.search import nearness, rank
from service.access.needs import SEEN
from service.api.answers.rulesets import Playable, PlayableList
from service.api.endpoints import Endpoints, archive, reply
from service.api.routes.games import recent_games
from service.api.schemas.rulesets import PlayableQuery
from service.languages import locale

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from flask import Response

    from games.contract import JSON
    from projections.catalogue.rows import Listed

endpoints = Endpoints("playable")

RECENT = 200
"""Listed games that are looked through for what was played last."""

WELL_KNOWN = ("uno", "yahtzee", "rummikub", "catan", "carcassonne", "ticket_to_ride", "wizard", "phase_10")
"""What is offered first where nothing was played yet: games that many families know."""

NEAR = 4
"""Names that are only similar to what was asked for, at the most."""


class _Known(NamedTuple):
    names: list[str]
    title: Title
    ruleset: str
    template: str | None = None
    components: str | None = None


@endpoints.route(
    "GET",
    "/v1/playable",
    scope=SEEN,
    query=PlayableQuery(),
    answer=PlayableList,
    conditional=True,
    problems=("bad-request", "rebuilding"),
)
def list_playable(query: dict[str, Any]) -> Response:
    """Find what can be played.

    The ready score sheets, stored ones, and the rulesets, by any of their names. Those that fit best come
    first, then those that were played last in the games that the caller may see. Where no name fits, the answer has
    names that are similar, and the sheet for plain points, which fits any game.
    """
    found = playable(query["q"], recent_games(RECENT))
    return reply(PlayableList(found[: query["limit"]], len(found)))


def playable(words: str, games: Iterable[Listed]) -> list[Playable]:
    """The matches of these words, the best first. Without any, the similar names and plain points.

    `games` are the last played ones.
    """
    known, played = list(_all()), _last_played(games)
    fitting = [(fit, one) for one in known if (fit := rank(words, one.names) if words.strip() else 0) is not None]
    if not fitting:
        return [*_similar_games(words, known, played), _shown(known[0], "any", played)]
    shown = [(fit, _shown(one, "name", played)) for fit, one in fitting]
    shown.sort(key=lambda one: (_fame_rank(one[1]), title_text(one[1].title).casefold()))
    shown.sort(key=lambda one: one[1].played_at or "", reverse=True)
    shown.sort(key=lambda one: one[0])
    return [one for _, one in shown]


def _fame_rank(one: Playable) -> int:
    """The rank among the best-known games; other games come after them."""
    name = one.template or one.ruleset
    return WELL_KNOWN.index(name) if name in WELL_KNOWN and not one.components else len(WELL_KNOWN)


def title_text(title: Title) -> str:
    """A title in the reader's language."""
    return title.ja if locale() == "ja" else title.en


def _similar_games(words: str, known: list[_Known], played: dict[tuple[str, str], str]) -> list[Playable]:
    similar = [(near, one) for one in known[1:] if (near := nearness(words, one.names))]
    similar.sort(key=lambda one: -one[0])
    return [_shown(one, "near", played) for _, one in similar[:NEAR]]


def _shown(one: _Known, fits: str, played: dict[tuple[str, str], str]) -> Playable:
    last = played.get((one.ruleset, one.title.en))
    return Playable(one.title, one.ruleset, one.template, one.components, fits, last)


def _all() -> Iterator[_Known]:
    """Everything to play; the sheet for plain points comes first."""
    sheet = SCORESHEET.name
    for name in (PLAIN, *(name for name in READY if name != PLAIN)):
        more = [sheet, SCORESHEET.title.en, SCORESHEET.title.ja] if name == PLAIN else []
        yield _Known([name, *names_of(READY[name]), *more], _title(READY[name]), sheet, template=name)
    for found in archive().log.components.all(sheet):
        title = Title(found.name, found.name)
        yield _Known([found.name, *names_of(found.data)], title, sheet, components=found.name)
    for ruleset in RULESETS.values():
        if ruleset.name != sheet:
            yield _Known([ruleset.name, ruleset.title.en, ruleset.title.ja], ruleset.title, ruleset.name)


def _title(data: JSON) -> Title:
    return Title(data["name"], data.get("ja") or data["name"])


def _last_played(games: Iterable[Listed]) -> dict[tuple[str, str], str]:
    """When each of these games was last played, by its ruleset and its English name."""
    played: dict[tuple[str, str], str] = {}
    for game in games:
        ruleset = RULESETS.get(game.ruleset)
        title = game.game_name or (ruleset.title if ruleset else None)
        if title:
            key = (game.ruleset, title.en)
            played[key] = max(played.get(key, ""), timestamp(game.played_at))
    return played
