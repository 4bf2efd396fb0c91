"""Queries of the catalogue, and their conditions in SQL."""

from __future__ import annotations

from typing import Any, Literal, get_args

import msgspec

from events.folding import same_name, search_form
from games.rulesets import RULESETS
from projections.views import CATALOGUE, ID_ENDING, PLAYERS_TABLE, SEARCH_TABLE

Order = Literal["recorded", "played"]
ORDERS: tuple[Order, ...] = get_args(Order)
"""The orders of a list: by the last entry of each game, or by when it was played."""

TRIGRAM = 3
"""The search index serves texts of at least so many characters."""


class CatalogueViewer(msgspec.Struct, frozen=True):
    """A viewer who may see public games, the games in which `people` ever sat, and `games`.

    `people` are all ids of one person; none is a stranger's.

    Where `within` is given, of those only these.
    """

    people: frozenset[str] = frozenset()
    games: frozenset[str] = frozenset()
    within: frozenset[str] | None = None


class Query(msgspec.Struct, frozen=True, kw_only=True):
    """A filter for games: `text` in the title, place or ruleset, or one of `players` in a seat at any time.

    Case, accents and width do not count. `sat` are the ids of a person who ever sat in a seat. `id` is the beginning or
    the end of an id, `origin` a game whose forks are wanted. `forks` says whether forks are listed. `seen_by` is the
    viewer; None may see all. `first` and `last` are days of play, as `2026-11-22`. `games` are the only wanted ones.
    `name` is what was played: the title of a ruleset, or the game of a score sheet, in English or Japanese. `order` is
    that of the pages of a list.
    """

    text: str = ""
    players: frozenset[str] = frozenset()
    sat: frozenset[str] | None = None
    id: str = ""
    ruleset: str | None = None
    status: str | None = None
    name: str = ""
    first: str = ""
    last: str = ""
    origin: str | None = None
    forks: bool = True
    games: frozenset[str] | None = None
    seen_by: CatalogueViewer | None = None
    order: Order = "recorded"


def conditions_of(query: Query) -> tuple[list[str], dict[str, Any]]:
    """The conditions of a query in SQL, without those of who sees a game, and all its values."""
    where: list[str] = []
    values: dict[str, Any] = {}
    if query.seen_by is not None and query.seen_by.people:
        by = query.seen_by
        lists = {"onlooker": by.people, "own_games": by.games, "within": by.within or ()}
        values |= {name: msgspec.json.encode(sorted(ids)).decode() for name, ids in lists.items()}
    for column in ("ruleset", "status", "origin"):
        wanted = getattr(query, column)
        if wanted is not None:
            where.append(f"game.{column} = :{column}")
            values[column] = wanted
    _within_days(query, where, values)
    _of_name(query, where, values)
    _of_id(query, where, values)
    if not query.forks:
        where.append("game.origin is null")
    if query.games is not None:
        where.append("game.game in (select value from json_each(:games))")
        values["games"] = msgspec.json.encode(sorted(query.games)).decode()
    if query.sat is not None:
        sat = f"select game from {PLAYERS_TABLE} where player in (select value from json_each(:sat))"
        where.append(f"game.game in ({sat})")
        values["sat"] = msgspec.json.encode(sorted(query.sat)).decode()
    _of_text(query, where, values)
    return where, values


def _of_id(query: Query, where: list[str], values: dict[str, Any]) -> None:
    """The condition of the beginning or the end of an id."""
    if not query.id:
        return
    begins = "game between :id and :id || 'g'"  # after every digit that could follow
    ends = "game like '%' || :id"
    if len(query.id) >= ID_ENDING:
        ends += f" and substr(game, -{ID_ENDING}) = substr(:id, -{ID_ENDING})"
    found = f"select game from {CATALOGUE} where {begins} union select game from {CATALOGUE} where {ends}"
    where.append(f"game.game in ({found})")
    values["id"] = query.id


def _of_text(query: Query, where: list[str], values: dict[str, Any]) -> None:
    """The condition of words: in the text of a game, or in the name of somebody who sat there."""
    if not query.text:
        return
    found, values["text"] = _found_in_text("text", query.text, "instr(text, :exactly) > 0")
    values["exactly"] = search_form(query.text) or query.text
    sat = f"game.game in (select game from {PLAYERS_TABLE} where player in (select value from json_each(:players)))"
    where.append(f"({found} or {sat})")
    values["players"] = msgspec.json.encode(sorted(query.players)).decode()


def _found_in_text(name: str, words: str, more: str = "true") -> tuple[str, str]:
    """The condition to find a game by words and by `more` about the text, and its value `name`."""
    text = search_form(words) or words
    index = f"{SEARCH_TABLE}_fts" if len(text) >= TRIGRAM else SEARCH_TABLE
    rows = f"select rowid from {index} where text like :{name}"
    pattern = text.replace("%", "_")  # "_" stands for any one character, and the index still serves
    return f"game.game in (select game from {SEARCH_TABLE} where rowid in ({rows}) and {more})", f"%{pattern}%"


def _of_name(query: Query, where: list[str], values: dict[str, Any]) -> None:
    """The condition of a name of what was played, compared by `same_name`. The index of words finds candidates."""
    if not query.name:
        return
    called = same_name(query.name)
    found, pattern = _found_in_text("called", called)
    titled = [name for name, each in RULESETS.items() if called in map(same_name, (each.title.en, each.title.ja))]
    values |= {"called": pattern.replace(" ", "%"), "name": called, "titled": msgspec.json.encode(titled).decode()}
    sheet = "same_name(case when json_valid(game.game_name) then json_extract(game.game_name, '$.{}') end)"
    names = f"{sheet.format('en')}, {sheet.format('ja')}"
    ruleset = "game.game_name = 'null' and game.ruleset in (select value from json_each(:titled))"
    where.append(f"{found} and (:name in ({names}) or {ruleset})")


def _within_days(query: Query, where: list[str], values: dict[str, Any]) -> None:
    for name, sign in (("first", ">="), ("last", "<=")):
        if day := getattr(query, name):
            where.append(f"game.day {sign} :{name} and game.day <> ''")
            values[name] = day


_OWN = (
    f"game.game in (select game from {PLAYERS_TABLE} where player in (select value from json_each(:onlooker))"
    " union select value from json_each(:own_games))"
)
_WITHIN = "game.game in (select value from json_each(:within))"


def seen_conditions(by: CatalogueViewer | None) -> list[list[str]]:
    """The conditions to see a game: all of one of these lists must hold."""
    if by is None:
        return [[]]
    shown = ["game.shown = 1"]
    if not by.people:
        return [shown]
    return [shown, [_OWN] if by.within is None else [_OWN, _WITHIN]]
