"""The catalogue: one searchable row for each game, the last recorded or the last played first."""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from operator import itemgetter
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple, get_args

import msgspec

from events.databases.checksums import by_json, by_lines, checksum, is_sound
from events.folding import same_name, search_form
from games.contract import PUBLIC, Deciding, SeatMarker, Title
from games.rulesets import RULESETS
from projections.errors import ViewsDamagedError
from projections.fold import STATUSES
from projections.plays import plays_together
from projections.views import CATALOGUE, ID_ENDING, PLAYERS_TABLE, PUBLIC_TABLE, RULESETS_TABLE, SEARCH_TABLE, cursor

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from sqlite_utils import Database

    from projections.fold import Fold

UNREADABLE = "unreadable"
LISTED = (*STATUSES, UNREADABLE)
"""Every status that a game in a list can have."""

Order = Literal["recorded", "played"]
ORDERS: tuple[Order, ...] = get_args(Order)
"""The orders of a list: by the last entry of each game, or by when it was played."""

TRIGRAM = 3
"""The search index serves texts of at least so many characters."""


class Listed(msgspec.Struct, frozen=True, kw_only=True):
    """A listed game. Times are milliseconds since 1970; `seats` are player ids or None.

    `game_name` is what was played where the ruleset does not say it: the template of a score sheet. `played_at` is when
    the opening happened, `day` its date by the clock of the table. `ranks` are those of the outcome, empty without one,
    and `together` says that all won or lost as one. `teams` are those of the seats, if any. `status` is one of
    `LISTED`. `reason` says why a game is `unreadable`, or how it ended. `irregular` counts the entries that everybody
    can see to have broken a rule. `markers` go round the table of a running game. `origin` is the parent of a fork.
    """

    game: str
    ruleset: str
    title: str
    place: str
    game_name: Title | None
    played_at: int
    day: str
    opened_at: int
    last_at: int
    version: int
    status: str
    reason: str | None
    winners: list[int]
    scores: list[int]
    ranks: list[int]
    together: bool
    teams: list[int]
    deciding: Deciding | None
    markers: tuple[SeatMarker, ...]
    irregular: int
    origin: str | None
    seats: list[str | None]


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


NaturalNumber = Annotated[int, msgspec.Meta(ge=0, lt=1 << 62)]


class Place(NamedTuple):
    """The end of a page of the list, for a reader who began when the read models were at `since`.

    Games move to the front of the list while somebody goes through it. After its end those follow that have `moved`
    since, in the order in which they did: one of them can come twice, but none is passed over. `key` is the time of the
    last game by the `order` of the list or, for one that moved, when it did.
    """

    since: NaturalNumber
    key: Annotated[int, msgspec.Meta(ge=-(1 << 62), lt=1 << 62)]
    game: str
    moved: bool
    order: Order = "recorded"


def list_folds(db: Database, folds: Iterable[Fold], projected: int) -> None:
    """Write the rows of some games from their folds. Then the read models are at `projected`.

    This runs after every entry, so the statements are written out: what hardly changes after the opening is only
    looked at again.
    """
    rows = [_row(fold, projected) for fold in folds]
    db.conn.executemany(_PUT, rows)
    db.conn.executemany(_RENEW, rows)
    db.conn.executemany(_SAY, rows)
    db.conn.executemany(_SEAT, rows)
    db.conn.executemany(_UNSEAT, rows)


def changed_rulesets(db: Database) -> set[str]:
    """The rulesets that changed since the games were listed: new, gone, or of another revision."""
    then = dict(db.execute(f"select name, revision from {RULESETS_TABLE}").fetchall())
    now = {name: ruleset.revision for name, ruleset in RULESETS.items()}
    return {name for name in then.keys() | now.keys() if then.get(name) != now.get(name)}


def games_of(db: Database, rulesets: Iterable[str]) -> list[str]:
    """The listed games of some rulesets."""
    names = msgspec.json.encode(sorted(rulesets)).decode()
    sql = f"select game from {CATALOGUE} where ruleset in (select value from json_each(?)) order by game"
    return [game for (game,) in db.execute(sql, [names]).fetchall()]


def record_rulesets(db: Database) -> None:
    """Note that all games are listed by the current rulesets."""
    db.execute(f"delete from {RULESETS_TABLE}")
    db.table(RULESETS_TABLE).insert_all({"name": name, "revision": each.revision} for name, each in RULESETS.items())


def list_unreadable(db: Database, game: str, why: str, projected: int) -> None:
    """Mark a game that cannot be folded, with its cause; its older row stays."""
    known: dict[str, Any] = {
        "ruleset": "",
        "title": "",
        "place": "",
        "game_name": "null",
        "played_at": 0,
        "day": "",
        "opened_at": 0,
        "last_at": 0,
        "version": 0,
        "origin": None,
    }
    known |= {
        "winners": "[]",
        "scores": "[]",
        "ranks": "[]",
        "together": 0,
        "teams": "[]",
        "deciding": "null",
        "markers": "[]",
        "seats": "[]",
        "irregular": 0,
        "found_by": _found_by("", "[]"),
        "hashes_public": 0,
    }
    for row in db.table(CATALOGUE).rows_where("game = ?", [game]):
        known = row if _fits(row) else known
    row = known | {"game": game, "status": UNREADABLE, "reason": why, "projected": projected}
    row["checksum"] = _checksum(row)
    db.execute(_PUT, row)
    db.execute(_RENEW, row)


def _row(fold: Fold, projected: int) -> dict[str, Any]:
    outcome, opened, title, name = fold.outcome(), fold.opened, fold.ruleset.title, fold.state.game_name()
    row: dict[str, Any] = {
        "game": fold.game,
        "ruleset": opened.ruleset,
        "title": opened.title,
        "place": opened.place,
        "game_name": msgspec.json.encode(name).decode(),
        "played_at": fold.played_at,
        "day": fold.day,
        "opened_at": fold.started_at,
        "last_at": fold.recorded_at,
        "version": fold.version,
        "status": UNREADABLE if fold.blocked_by else fold.status,
        "reason": str(fold.blocked_by) if fold.blocked_by else outcome.reason if outcome else None,
        "winners": msgspec.json.encode(outcome.winners if outcome else ()).decode(),
        "scores": msgspec.json.encode(fold.totals()).decode(),
        "ranks": msgspec.json.encode(outcome.ranks if outcome else ()).decode(),
        "together": int(outcome is not None and plays_together(fold.state)),
        "teams": msgspec.json.encode(fold.state.teams).decode(),
        "deciding": msgspec.json.encode(fold.deciding()).decode(),
        "markers": msgspec.json.encode(fold.state.markers()).decode(),
        "irregular": len(fold.irregular_from(PUBLIC)),
        "text": search_form("\n".join((opened.title, opened.place)))
        + _called(opened.ruleset, title.en, title.ja, *((name.en, name.ja) if name else ())),
        "origin": opened.origin.game if opened.origin else None,
        "seats": msgspec.json.encode(fold.players).decode(),
        "sat": msgspec.json.encode(sorted(fold.all_players)).decode(),
        "projected": projected,
        "hashes_public": int(fold.hashes_public),
    }
    row["found_by"] = _found_by(row["text"], row["sat"])
    row["checksum"] = _checksum(row)
    return row


@cache
def _called(*names: str) -> str:
    """The search words of a ruleset; needed after every entry."""
    return search_form("\n".join(("", *names)))


def _found_by(text: str, sat: str) -> int:
    """The checksum of a game's search words and people, which are in other tables."""
    return checksum([text, sat])


def _checksum(row: dict[str, Any]) -> int:
    """The checksum of a row. A row that does not fit it is damaged."""
    return checksum(_summed(row))


_LISTED = Listed.__struct_fields__
_SUMMED = (*_LISTED, "projected", "found_by", "hashes_public")
_COLUMNS = (*_SUMMED, "checksum")
_NEEDED, _summed = frozenset(_COLUMNS), itemgetter(*_SUMMED)
_LASTING = ("ruleset", "played_at", "status")
"""Columns that hardly change after the opening: to write them again would touch each index of theirs."""
_CHANGING = [name for name in _COLUMNS if name not in {"game", *_LASTING}]
_GAME_AT, _FOUND_BY_AT = _SUMMED.index("game"), _SUMMED.index("found_by")
_PUT = (
    f"insert into {CATALOGUE} ({', '.join(_COLUMNS)}, shown) values ({', '.join(f':{name}' for name in _COLUMNS)},"
    f" exists (select 1 from {PUBLIC_TABLE} where game = :game))"
    f" on conflict (game) do update set {', '.join(f'{name} = excluded.{name}' for name in _CHANGING)}"
)
_THERE, _NEW = ", ".join(_LASTING), ", ".join(f":{name}" for name in _LASTING)
_RENEW = f"update {CATALOGUE} set ({_THERE}) = ({_NEW}) where game = :game and ({_THERE}) is not ({_NEW})"

_SAY = (
    f"insert into {SEARCH_TABLE} (game, text) values (:game, :text)"
    " on conflict (game) do update set text = excluded.text where text <> excluded.text"
)
_SEAT = f"insert or ignore into {PLAYERS_TABLE} (game, player) select :game, value from json_each(:sat)"
_UNSEAT = f"delete from {PLAYERS_TABLE} where game = :game and player not in (select value from json_each(:sat))"


def find_page(db: Database, query: Query, place: Place | None, limit: int) -> tuple[list[Listed], Place | None]:
    """A page of the games of `query`, in its order, the last first, and the place after it if more follow.

    Raises `ViewsDamagedError`.
    """
    since = cursor(db)[0] if place is None else place.since  # asked before the rows, which are never behind it
    rows: list[dict[str, Any]] = []
    if place is None or not place.moved:
        rows = _rows(db, query, (place.key, place.game) if place else None, limit + 1)
    key = _KEYS[query.order]
    places = [Place(since, row[key], row["game"], False, query.order) for row in rows]
    if place is not None and len(rows) <= limit:
        after = (place.key, place.game) if place.moved else (since, _BEHIND)
        moved = _moved(db, query, after, limit + 1 - len(rows))
        rows += moved
        places += [Place(since, row["projected"], row["game"], True, query.order) for row in moved]
    return [_listed(row) for row in rows[:limit]], places[limit - 1] if len(rows) > limit else None


_KEYS: dict[Order, str] = {"recorded": "last_at", "played": "played_at"}
"""The column with the time of each order."""

_BEHIND = "g"
"""After every id."""


def changed_results(db: Database, position: int) -> Iterator[Listed]:
    """All games that were listed at a position of the read models or later. Raises `ViewsDamagedError`."""
    yield from map(_listed, db.query(f"select * from {CATALOGUE} where projected >= ?", [position]))


def shown_games(db: Database) -> set[str]:
    """All public games, listed or not yet."""
    return {game for (game,) in db.execute(f"select game from {PUBLIC_TABLE}").fetchall()}


def find_unsealed(db: Database) -> str | None:
    """A game with secret hashes, if there is one. A game that was never read counts as such."""
    (found,) = db.execute(f"select min(game) from {CATALOGUE} where not hashes_public").fetchone()
    return None if found is None else str(found)


def own_games(db: Database, viewer: CatalogueViewer) -> list[str]:
    """The viewer's own games beside the public ones."""
    if not viewer.people:
        return []
    where, values = _conditions(Query(seen_by=viewer))
    sql = f"select game from {CATALOGUE} game where {' and '.join([*where, *_seen(viewer)[-1]])}"
    return [game for (game,) in db.execute(sql, values).fetchall()]


class Extent(NamedTuple):
    """The extent of a query: its numbers of games, entries and people."""

    games: int
    entries: int
    people: int


def extent_of(db: Database, query: Query, since: int = 0) -> Extent:
    """The extent of `query`, for games with entries at `since` or later."""
    where, values = _conditions(query)
    parts = [
        "select game.game, game.version"
        f" from {CATALOGUE} game where {' and '.join(['game.last_at >= :since', *where, *seen])}"
        for seen in _seen(query.seen_by)
    ]
    found = " union ".join(parts)
    sql = (
        f"with found as ({found}) select (select count(*) from found) games,"
        " (select coalesce(sum(version), 0) from found) entries,"
        f" (select count(distinct player) from {PLAYERS_TABLE} where game in (select game from found)) people"
    )
    return Extent(**next(db.query(sql, values | {"since": since})))


def find_by_id(db: Database, query: Query, after: str, limit: int, since: int = 0) -> list[Listed]:
    """The games of `query`, ordered by id, after an id. That order never changes.

    Raises `ViewsDamagedError`.
    """
    where, values = _conditions(query)
    where += ["game.game > :after", "game.last_at >= :since"]
    rows = db.query(_ordered(query, where, "game"), values | {"after": after, "since": since, "limit": limit})
    return [_listed(row) for row in rows]


def find_games(db: Database, query: Query, before: tuple[int, str] | None, limit: int) -> list[Listed]:
    """The games of `query`, in its order, the last first, after the place `before` (time, id).

    Raises `ViewsDamagedError`.
    """
    return [_listed(row) for row in _rows(db, query, before, limit)]


def _rows(db: Database, query: Query, before: tuple[int, str] | None, limit: int) -> list[dict[str, Any]]:
    where, values = _conditions(query)
    key = _KEYS[query.order]
    if before:
        where.append(f"(game.{key}, game.game) < (:before, :game)")
        values |= {"before": before[0], "game": before[1]}
    try:
        rows = list(db.query(_ordered(query, where, f"{key} desc, game desc"), values | {"limit": limit}))
    except UnicodeDecodeError as error:  # the name of a column
        raise ViewsDamagedError("the table of the catalogue is not what was created") from error
    for row, following in pairwise(rows):
        if (row[key], row["game"]) <= (following[key], following["game"]):
            raise ViewsDamagedError("the index of the catalogue is wrong")
    return rows


def _moved(db: Database, query: Query, after: tuple[int, str], limit: int) -> list[dict[str, Any]]:
    """The rows that were written after a place (`projected, game`), in that order."""
    where, values = _conditions(query)
    where.append("(game.projected, game.game) > (:projected, :game)")
    sql = _ordered(query, where, "projected, game")
    return list(db.query(sql, values | {"projected": after[0], "game": after[1], "limit": limit}))


def _ordered(query: Query, where: list[str], order: str) -> str:
    """The first `limit` rows in an order. Public games and own games are each found by an index."""
    parts = [
        f"select game.* from {CATALOGUE} game where {' and '.join([*where, *seen]) or '1'} order by {order}"
        " limit :limit"
        for seen in _seen(query.seen_by)
    ]
    if len(parts) == 1:
        return parts[0]
    either = " union ".join(f"select * from ({part})" for part in parts)
    return f"{either} order by {order} limit :limit"


_OWN = (
    f"game.game in (select game from {PLAYERS_TABLE} where player in (select value from json_each(:onlooker))"
    " union select value from json_each(:own_games))"
)
_WITHIN = "game.game in (select value from json_each(:within))"


def _seen(by: CatalogueViewer | None) -> list[list[str]]:
    """The conditions to see a game: all of one of these lists must hold."""
    if by is None:
        return [[]]
    shown = ["game.shown = 1"]
    if not by.people:
        return [shown]
    return [shown, [_OWN] if by.within is None else [_OWN, _WITHIN]]


def find_game(db: Database, game: str) -> Listed | None:
    """One game's row, if it is listed. Raises `ViewsDamagedError`."""
    return next((_listed(row) for row in db.table(CATALOGUE).rows_where("game = ?", [game])), None)


def listing_of(fold: Fold) -> Listed:
    """The listing of a fold's game."""
    return _listed(_row(fold, 0))


def seats_of(db: Database, game: str, people: frozenset[str]) -> frozenset[int] | None:
    """The seats in which one of these people sits now, by the listing; None if none ever sat there."""
    sql = f"select 1 from {PLAYERS_TABLE} where game = ? and player in ({', '.join('?' * len(people))})"
    if not db.execute(sql, [game, *people]).fetchone():
        return None
    ((seats,),) = db.execute(f"select seats from {CATALOGUE} where game = ?", [game]).fetchall() or (("[]",),)
    return frozenset(seat for seat, player in enumerate(msgspec.json.decode(seats)) if player in people)


def titles_of(db: Database, people: frozenset[str]) -> dict[str, str]:
    """The title and the place of each game with one of these people in a seat at any time."""
    ids = msgspec.json.encode(sorted(people)).decode()
    sat = f"select game from {PLAYERS_TABLE} where player in (select value from json_each(?))"
    sql = f"select game, title || char(10) || place from {CATALOGUE} where game in ({sat})"
    return dict(db.execute(sql, [ids]).fetchall())


def has_played(db: Database, person: str) -> bool:
    """Whether a person ever sat in a game that is listed."""
    return db.execute(f"select 1 from {PLAYERS_TABLE} where player = ?", [person]).fetchone() is not None


def players_of(db: Database, game: str) -> tuple[str, frozenset[str]] | None:
    """The ruleset of a game, and everybody who ever sat there; None if it is not listed."""
    row = db.execute(f"select ruleset from {CATALOGUE} where game = ?", [game]).fetchone()
    if row is None:
        return None
    return row[0], frozenset(
        player for (player,) in db.execute(f"select player from {PLAYERS_TABLE} where game = ?", [game])
    )


def set_public(db: Database, changes: Iterable[tuple[str, bool]]) -> None:
    """Make games public, or no longer public."""
    for game, shown in changes:
        if shown:
            db.execute(f"insert or ignore into {PUBLIC_TABLE} (game) values (?)", [game])
        else:
            db.execute(f"delete from {PUBLIC_TABLE} where game = ?", [game])
        db.execute(f"update {CATALOGUE} set shown = ? where game = ?", [int(shown), game])


def clear_public(db: Database) -> None:
    """Show no game to everybody."""
    db.execute(f"delete from {PUBLIC_TABLE}")
    db.execute(f"update {CATALOGUE} set shown = 0 where shown <> 0")


def prove_catalogue(db: Database) -> None:
    """Check the rows of all games, and their search words. Raises `ViewsDamagedError`."""
    players = f"select player from {PLAYERS_TABLE} where {PLAYERS_TABLE}.game = game.game order by 1"
    sat = f"(select json_group_array(player) from ({players}))"
    words = f"coalesce((select text from {SEARCH_TABLE} where {SEARCH_TABLE}.game = game.game), '')"
    shown = f"exists (select 1 from {PUBLIC_TABLE} where {PUBLIC_TABLE}.game = game.game)"
    columns = ", ".join(f"game.{name}" for name in (*_COLUMNS, "shown"))
    for row in db.execute(f"select {words}, {sat}, {shown}, {columns} from {CATALOGUE} game"):
        text, sat_there, listed, *summed, sum_of_row, shown_there = row
        game, found_by = summed[_GAME_AT], summed[_FOUND_BY_AT]
        if not is_sound(summed, sum_of_row, by_json):
            raise ViewsDamagedError(f"the row of game {game} is not what was written")
        if not is_sound([text, sat_there], found_by, by_lines):
            raise ViewsDamagedError(f"the search words of game {game} are not what was written")
        if shown_there != listed:
            raise ViewsDamagedError(f"the visibility of game {game} is not what was written")


def _conditions(query: Query) -> tuple[list[str], dict[str, Any]]:
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


def _listed(row: dict[str, Any]) -> Listed:
    """The game of a row. Raises `ViewsDamagedError` for a damaged row."""
    if not _fits(row):
        raise ViewsDamagedError(f"the row of game {row['game']} is not what was written")
    told = {name: row[name] for name in _LISTED}
    for name, decoded in _DECODED.items():
        told[name] = decoded(told[name])
    return Listed(**told)


_DECODED: dict[str, Callable[[Any], Any]] = {
    "game_name": msgspec.json.Decoder(Title | None).decode,
    "winners": msgspec.json.Decoder(list[int]).decode,
    "scores": msgspec.json.Decoder(list[int]).decode,
    "ranks": msgspec.json.Decoder(list[int]).decode,
    "together": bool,
    "teams": msgspec.json.Decoder(list[int]).decode,
    "deciding": msgspec.json.Decoder(Deciding | None).decode,
    "markers": msgspec.json.Decoder(tuple[SeatMarker, ...]).decode,
    "seats": msgspec.json.Decoder(list[str | None]).decode,
}
"""What makes the fields of a listed game from the columns, where these differ."""


def _fits(row: dict[str, Any]) -> bool:
    return row.keys() >= _NEEDED and is_sound(_summed(row), row["checksum"], by_json)
