"""Paper: a report of a game, a report of many games, and blank score sheets, as HTML that prints well.

They need no script and no network. A report holds what its viewpoint may know, and nothing else.
"""

from __future__ import annotations

from collections import Counter
from math import ceil
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urlencode

import segno
from flask import render_template, stream_template, url_for
from werkzeug.routing import BuildError

from events.schemas import is_uuid
from games.rulesets import RULESETS
from games.scoresheet.state import ScoresheetState
from games.scoresheet.template import line_title
from games.scoresheet.values import Sheet
from projections.audit import audit
from projections.timeline import timeline
from service.api import addresses
from service.api.endings import ending_of
from service.api.endpoints import archive
from service.api.gamefile import category_in, drawn_board, own_names, row_of, seen_from
from service.api.routes.games import game_info, seats_in
from service.api.rulebooks import examples_in
from service.api.tablenames import hidden_people, table_names
from service.languages import gettext, locale, localized
from service.languages.sentences import localized_sentence, localized_state, translated_text

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from games.contract import Option, Ruleset, ScoreLine, State, Viewpoint
    from games.scoresheet.template import Column, Template, TemplateOption
    from projections.plays import Play, PlaySeat
    from service.api.answers.games import SeatInfo
    from service.api.gamefile import Row
    from service.exchange.tables import Recorded

OPEN_ENDED = 15
"""The rounds of a blank sheet for a game that can have any number of them."""

LINES = 60
"""The numbered lines for moves on a blank sheet."""

ROOM = 12
"""The cells of a line for which a sheet is upright. A page with more is printed sideways."""

WIDEST = 36
"""The most cells of a line on a page that is printed sideways. More players have a second table."""

DENSE = 18
"""With more lines than these a sheet has smaller cells, so that it fits a page."""


# A game


def game_report(game: str, viewpoint: Viewpoint) -> str:
    """The report of a game, as far as `viewpoint` may know it. Raises `GameUnknownError` and what folding raises."""
    fold = archive().folds.current(game)
    seats, ruleset = seats_in(fold), fold.ruleset
    info, found = game_info(fold, viewpoint), audit(fold, viewpoint)
    entries = timeline(archive().folds, game, fold.version, 1, fold.version, viewpoint)
    entries.sort(key=lambda entry: entry.place)
    rows = [row_of(entry, seats, ruleset.name, drawn=False) for entry in entries]
    return render_template(
        "paper_game.html",
        game=info,
        ruleset=ruleset,
        name=localized(fold.state.game_name() or ruleset.title),
        options=_changed_options(ruleset, info.options),
        seen_from=seen_from(viewpoint, seats),
        ending=ending_of(fold),
        hash=fold.hash_from(viewpoint),
        qr=_code_of(game),
        tables=_named_tables(fold.state, seats) if isinstance(fold.state, ScoresheetState) else [],
        board="" if isinstance(fold.state, ScoresheetState) else drawn_board(fold.state, viewpoint, seats),
        sums=_sums(found.lines, len(seats), own_names(fold.state), ruleset.name),
        moves=[row for row in rows if _is_move(row)],
        parts=_parts(rows),
    )


def _changed_options(ruleset: Ruleset, chosen: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """The options that differ from the default, with their choices, in words."""
    for option in ruleset.options:
        choice = chosen.get(option.name, option.default)
        if choice != option.default and option.name != "template":
            yield localized(option.title), gettext(option.choice_name(choice))


def _code_of(game: str) -> str:
    """The QR code of the game's address; empty without pages."""
    try:
        address = f"{addresses.phone_url()}{url_for('pages.show_game', game=game)}"
    except BuildError:
        return ""
    return segno.make(address, micro=False, error="m").svg_inline(border=2, light="white", omitsize=True)


class _NamedTable(NamedTuple):
    caption: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]
    has_total: bool
    """Whether the last row is a total."""


def _named_tables(sheet: ScoresheetState, seats: Sequence[SeatInfo]) -> list[_NamedTable]:
    """The tables of a score sheet, with the people's names in the place of the seats'."""
    state = localized_state(sheet)
    has_points = Sheet(state).has_points
    called = {sheet.seat_name(seat.seat): seat.name or localized(seat.label) for seat in seats}

    def said(cell: str) -> str:
        return called.get(str(cell)) or localized_sentence(cell, sheet.ruleset.name)

    return [
        _NamedTable(
            said(table.caption),
            [said(cell) for cell in table.columns],
            [[*map(said, row)] for row in table.rows],
            has_total=place == 0 and has_points,
        )
        for place, table in enumerate(state.tables())
    ]


def _sums(
    lines: Iterable[ScoreLine], seats: int, names: dict[str, str], ruleset: str
) -> list[tuple[str, list[int | None], list[str]]]:
    """The audit by category: the points of each seat, and the rules."""
    found: dict[str, tuple[list[int | None], dict[str, None]]] = {}
    for line in lines:
        points, rules = found.setdefault(line.category, ([None] * seats, {}))
        points[line.seat] = (points[line.seat] or 0) + line.points
        rules[line.rule] = None
    return [(category_in(each, names, ruleset), points, [*rules]) for each, (points, rules) in found.items()]


def _is_move(row: Row) -> bool:
    entry = row.entry
    return entry.notation is not None and entry.withdrawn_by is None and entry.type in {"move.made", "entry.inserted"}


def _parts(rows: Sequence[Row]) -> list[tuple[str, list[Row]]]:
    """The corrections, rulings and notes beside the moves, under headings."""
    kinds = {
        gettext("Corrections"): ("entry.", "move.revealed", "revision."),
        gettext("Rulings"): ("ruling.",),
        gettext("Irregular moves"): (),
        gettext("Claims"): ("score.",),
        gettext("Notes"): ("note.", "seat.", "game."),
        gettext("Signatures"): ("record.signed",),
    }
    found = [(title, [row for row in rows if row.entry.type.startswith(begins)]) for title, begins in kinds.items()]
    irregular = [row for row in rows if row.broken and row.entry.type == "move.made"]
    return [(title, irregular if not kinds[title] else those) for title, those in found]


# Many games


class Place(NamedTuple):
    """A person in the standings; `share` of the games won is in percent."""

    rank: int
    name: str
    games: int
    wins: int
    share: int


class _Standings:
    """Counts the games and wins of people, game by game. `hidden` and erased people have no name here."""

    def __init__(self, hidden: Collection[str]) -> None:
        self._games, self._wins, self._hidden = Counter[str](), Counter[str](), hidden
        self._names: dict[str, str] = {}

    def count(self, each: Recorded) -> None:
        play = each.play
        if play.origin or not any(seat.rank for seat in play.seats):
            return
        for player in {seat.player for seat in play.seats if seat.player}:
            known = {} if player in self._hidden else each.names
            self._names[player] = known.get(player) or gettext("somebody")
            self._games[player] += 1
            self._wins[player] += any(seat.won for seat in play.seats if seat.player == player)

    def places(self) -> list[Place]:
        """Those with the most wins first; of these, those with the fewest games."""
        order = sorted(self._games, key=lambda who: (-self._wins[who], self._games[who], self._names[who]))
        keys = [(self._wins[who], self._games[who]) for who in order]
        return [
            Place(keys.index(key) + 1, self._names[who], key[1], key[0], round(100 * key[0] / key[1]))
            for who, key in zip(order, keys, strict=True)
        ]


def games_report(games: Iterator[Recorded], query: dict[str, Any]) -> Iterator[bytes]:
    """The table of many games, and the standings of their people, piece by piece."""
    standings = _Standings(hidden_people())

    def told() -> Iterator[tuple[Play, str, list[tuple[str, PlaySeat]]]]:
        for each in games:
            standings.count(each)
            yield each.play, localized(each.play.called), [(_who(each, seat), seat) for seat in each.play.seats]

    pieces = stream_template(
        "paper_games.html",
        title=gettext("Games and standings"),
        chosen=list(_chosen(query)),
        games=told(),
        standings=standings.places,
    )
    return (piece.encode() for piece in pieces)


def _who(each: Recorded, seat: PlaySeat) -> str:
    if seat.player and seat.player in each.names:
        return each.names[seat.player]
    labels = RULESETS[each.play.ruleset].seat_names
    return localized(labels[seat.seat]) if seat.seat < len(labels) else str(seat.seat + 1)


def _chosen(query: dict[str, Any]) -> Iterator[str]:
    """The query in words."""
    if query["first"]:
        yield gettext("from %(day)s", day=query["first"])
    if query["last"]:
        yield gettext("to %(day)s", day=query["last"])
    if query["q"]:
        yield gettext("Search: %(words)s", words=query["q"])
    if query["ruleset"] in RULESETS:
        yield localized(RULESETS[query["ruleset"]].title)
    if person := query["player"]:
        yield table_names([person]).get(person, gettext("somebody")) if is_uuid(person) else person


# Blank sheets


def blank_sheet(state: State, sheet: str | None = None) -> str:
    """The blank sheet for a new game, to print and fill in by hand.

    `sheet` is the name of the ready score sheet, if it is one.
    """
    if isinstance(state, ScoresheetState):
        return _template_sheet(localized_state(state), state.template.about, sheet)
    ruleset = state.ruleset
    categories = [category_in(each, {}, ruleset.name) for each in ruleset.score_categories]
    return render_template(
        "paper_sheet.html",
        title=localized(ruleset.title),
        choices=[(choice, None) for choice in _to_be_ticked(ruleset.options)],
        tables=[[localized(seat) for seat in ruleset.seat_names[: state.seats]]],
        shared=[],
        parts=[],
        rounds=[],
        lines=[(category, False) for category in categories],
        has_points=True,
        numbered=range(1, LINES + 1),
        examples=examples_in(ruleset, locale()),
        dense=True,
    )


_FEW = 6
"""The most options, and the most choices of one, that stand on a sheet to be ticked."""


def _to_be_ticked(options: Sequence[Option]) -> list[str]:
    """The options with their choices, or room to write where there are many."""
    found = [_choices_to_tick(option) for option in options if len(option.choices) <= _FEW]
    return found if len(found) <= _FEW else [f"{gettext('Options')}: " + "_" * 40]


def _choices_to_tick(option: Option) -> str:
    choices = "  ".join(f"☐ {gettext(option.choice_name(choice))}" for choice in option.choices)
    return f"{localized(option.title)}: {choices}"


def _choices(template: Template, sheet: str | None, seats: int) -> Iterator[tuple[str, str | None]]:
    """The options to tick on a sheet, each with the address of the sheet where it is switched."""
    for option in template.options:
        ticked = option.id in template.chosen
        name = (locale() == "ja" and option.ja) or option.name
        kept = {each.id for each in template.options if each.id in template.chosen and not _are_exclusive(each, option)}
        wanted = [each.id for each in template.options if each.id in kept ^ {option.id}]
        address = urlencode({"template": "+".join([sheet, *wanted]), "seats": seats}) if sheet else None
        yield f"{'☑' if ticked else '☐'} {name}", address and f"?{address}"


def _are_exclusive(one: TemplateOption, other: TemplateOption) -> bool:
    """Whether only one of two options can be chosen."""
    return one.id != other.id and one.group is not None and one.group == other.group


def _template_sheet(state: ScoresheetState, about: str | None, sheet: str | None) -> str:
    template = state.template
    inner = [column for column in template.columns if column.per == "round"] if template.has_rounds else []
    outer = [column for column in template.columns if column.per == "game"]
    rounds = [_round(state, number) for number in range(1, (template.rounds or OPEN_ENDED) + 1)] if inner else []
    shared, own, computed = _columns(inner, state.sides)
    wide = len(shared) + state.sides * max(len(own), 1) > ROOM
    return render_template(
        "paper_sheet.html",
        title=template.name,
        about=about and translated_text(about, locale(), state.ruleset.name),
        choices=list(_choices(template, sheet, state.seats)),
        tables=_shared_out([_side(state, side) for side in range(state.sides)], max(len(own), 1), len(shared)),
        shared=[column.title for column in shared],
        parts=[column.title if wide else _part(column) for column in own],
        computed=[column.title for column in computed],
        rounds=rounds,
        has_points=template.has_points,
        lines=[(line_title(template, column, None), column.shared) for column in outer],
        wide=wide,
        dense=wide or len(rounds) + len(outer) > DENSE,
    )


def _shared_out(sides: Sequence[str], cells: int, shared: int) -> list[Sequence[str]]:
    """Share the sides among tables that fit the width of a page, all equally wide."""
    most = max(1, (WIDEST - shared) // cells)
    size = ceil(len(sides) / ceil(len(sides) / most))
    return [sides[at : at + size] for at in range(0, len(sides), size)]


def _columns(inner: Sequence[Column], sides: int) -> tuple[list[Column], list[Column], list[Column]]:
    """The columns of rounds: shared ones, those of each side, and those without room.

    Where a line has many cells, of the computed ones only the last stands on the sheet: it is what they come to.
    """
    shared = [column for column in inner if column.shared]
    own = [column for column in inner if not column.shared]
    if len(shared) + sides * len(own) <= ROOM:
        return shared, own, []
    last = own[-1:]
    left_out = [column for column in (*shared, *own) if column.formula is not None and column not in last]
    kept = [[column for column in columns if column not in left_out] for columns in (shared, own)]
    return kept[0], kept[1], left_out


def _round(state: ScoresheetState, number: int) -> str:
    return state.template.round_title(number) or str(number)


def _side(state: ScoresheetState, side: int) -> str:
    """The name of a side; empty for people, who write their own."""
    return state.template.teams[side].name if state.template.teams else ""


def _part(column: Column) -> str:
    return " / ".join([column.title, *column.words]) if 0 < len(column.words) <= _FEW else column.title
