"""A game as one HTML file, which needs no service and no network: board, entries, audit, and the record with its proof.

It holds what its viewpoint may know, and nothing else. The template and the script are those of the pages.
"""

from __future__ import annotations

import gzip
import re
from base64 import b64encode
from html import escape
from itertools import zip_longest
from typing import TYPE_CHECKING, NamedTuple

import msgspec
from flask import render_template
from markupsafe import Markup

from events.types import TYPES
from games.contract import PUBLIC, RECORD
from games.rulesets import RULESETS
from games.scoresheet.state import ScoresheetState
from games.scoresheet.template import line_title
from projections.audit import audit
from projections.timeline import timeline
from service.api.endings import ending_of
from service.api.endpoints import archive
from service.api.filed_analyses import parts_of
from service.api.happened import effect_text
from service.api.routes.games import game_info, seats_in
from service.api.rulebooks import chapters
from service.drawing import charts, pictures
from service.exchange.frames import pack_pictures
from service.languages import gettext, locale, localized
from service.languages.sentences import localized_sentence, localized_state, with_translated_terms
from service.recording.transfers import UnsealedError, export_record

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from games.contract import ScoreLine, State, Viewpoint
    from projections.fold import Fold
    from projections.timeline import Entry
    from service.api.answers.games import SeatInfo

_TAPPED = re.compile(r' data-types="[^"]*"|<rect [^>]*opacity="0" ?/>')
"""What a picture has for taps alone: nobody taps it in a file."""

BOARDS = 1000
"""Of how many entries, the last ones, a file has the boards."""


class Row(NamedTuple):
    """An entry in the file: its seat, its effects, its broken rules, and whether its board is in the file."""

    entry: Entry
    who: str
    label: str
    effects: list[str]
    broken: list[tuple[str, str]]
    drawn: bool


def game_as_html(game: str, viewpoint: Viewpoint, now: int | None = None) -> str:
    """The file of a game, in the reader's language, with what `viewpoint` may know. Raises `GameUnknownError`.

    `now` is the time that the record in it names, in milliseconds since 1970.
    """
    fold = archive().folds.current(game)
    ruleset, seats = fold.ruleset, seats_in(fold)
    drawn = dict(_boards(fold, viewpoint, seats))
    entries = timeline(archive().folds, game, fold.version, 0, fold.version, viewpoint)
    entries.sort(key=lambda entry: entry.place)
    shown = [entry for entry in entries if entry.version in drawn]
    found, names = audit(fold, viewpoint), own_names(fold.state)
    frames = pack_pictures(drawn[entry.version] for entry in shown)
    boards = {"parts": frames.parts, "frames": frames.frames}
    scores = [entry.scores for entry in shown]
    return render_template(
        "filed.html",
        game=game_info(fold, viewpoint),
        ruleset=ruleset,
        name=localized(fold.state.game_name() or ruleset.title),
        seen_from=seen_from(viewpoint, seats),
        ending=ending_of(fold),
        audit=found,
        sums=_sums(found.lines, names, ruleset.name),
        rules=[each for each in chapters(ruleset, locale()) if each.rule and each.rule.id in found.rules],
        rows=[row_of(entry, seats, ruleset.name, drawn=entry.version in drawn) for entry in entries],
        analyses=parts_of(fold, viewpoint, seats),
        board=drawn[shown[-1].version],
        skipped=len(entries) - len(shown),
        curve=charts.lines(list(zip_longest(*scores)), gettext("The scores along the record")),
        boards=_compressed(boards | {"entries": [entry.version for entry in shown], "scores": scores}),
        record=_record(game, viewpoint, now),
    )


class Sum(NamedTuple):
    """The points that an entry brought for one thing by one rule, with the line of each seat.

    `note` says what was counted, without a number at its end that is that of the points.
    """

    category: str
    note: str
    rule: str
    version: int
    lines: list[ScoreLine]


def _sums(lines: Iterable[ScoreLine], names: dict[str, str], ruleset: str) -> list[Sum]:
    """The lines of an audit in the reader's language, those of all seats for the same thing together."""
    found: dict[tuple[str, str, str, int], Sum] = {}
    for line in lines:
        note = localized_sentence(line.note, ruleset).removesuffix(f" {line.points}")
        key = (category_in(line.category, names, ruleset), note, line.rule, line.version)
        found.setdefault(key, Sum(*key, [])).lines.append(line)
    return list(found.values())


def _boards(fold: Fold, viewpoint: Viewpoint, seats: Sequence[SeatInfo]) -> Iterator[tuple[int, str]]:
    """The board right after each of the last entries, in the order of play."""
    folds, game, version = archive().folds, fold.game, fold.version
    segment = folds.page(game, 1, version, version)
    if version <= BOARDS:
        yield 1, _TAPPED.sub("", drawn_board(segment.fold.state, viewpoint, seats))
    for place, event in enumerate(segment.in_play_order(), 2):
        segment.replay((event,))
        if place > version - BOARDS:
            yield event.version, _TAPPED.sub("", drawn_board(segment.fold.state, viewpoint, seats))


def drawn_board(state: State, viewpoint: Viewpoint, seats: Sequence[SeatInfo]) -> str:
    """The board with the names of the people, seen from a viewpoint."""
    return pictures.picture_with_names(state.view(viewpoint), seats)


def row_of(entry: Entry, seats: Sequence[SeatInfo], ruleset: str, *, drawn: bool) -> Row:
    """An entry in the reader's language."""
    who = "" if entry.seat is None else _called(entry.seat, seats, ruleset)
    label = gettext(TYPES[entry.type].label) if entry.type in TYPES else entry.type
    effects = [effect_text(effect, ruleset, seats) for effect in entry.effects]
    broken = [(breach.rule, localized_sentence(breach.why, ruleset)) for breach in entry.irregular]
    return Row(entry, who, label, effects, broken, drawn)


def _called(seat: int, seats: Sequence[SeatInfo], ruleset: str) -> str:
    """The name of who sits in a seat. A seat that was added and taken back has only the ruleset's name."""
    if seat < len(seats):
        return seats[seat].name or localized(seats[seat].label)
    return localized(RULESETS[ruleset].seat_names[seat])


def category_in(name: str, names: dict[str, str], ruleset: str) -> str:
    """The name of a category of points in the reader's language; `names` are those of a score sheet."""
    if number := re.fullmatch("round-([0-9]+)", name):
        return gettext("round %(number)s", number=number[1])
    given = {"bonus": gettext("bonus"), "penalty": gettext("penalty"), "ruling": gettext("ruling")}
    return names.get(name) or given.get(name) or with_translated_terms(name.replace("-", " "), locale(), ruleset)


def own_names(state: State) -> dict[str, str]:
    """The names of a score sheet, its columns, teams and markers (by id and English name), in the reader's language."""
    if not isinstance(state, ScoresheetState):
        return {}
    then = localized_state(state)
    names = {state.template.name: then.template.name}
    for column, said in zip(state.template.columns, then.template.columns, strict=True):
        names |= dict.fromkeys((line_title(state.template, column, None), column.title, column.id), said.title)
    names |= {team.name: called.name for team, called in zip(state.template.teams, then.template.teams, strict=True)}
    for marker, called in zip(state.template.markers, then.template.markers, strict=True):
        names |= dict.fromkeys((marker.name, marker.id), called.name)
    return names


def seen_from(viewpoint: Viewpoint, seats: Sequence[SeatInfo]) -> str:
    """The name of a viewpoint."""
    if viewpoint == RECORD:
        return gettext("Whole record")
    if viewpoint == PUBLIC or viewpoint.seat is None:
        return gettext("Public view")
    seat = seats[viewpoint.seat]
    return gettext("%(name)s’s view", name=seat.name or localized(seat.label))


def _record(game: str, viewpoint: Viewpoint, now: int | None) -> Markup:
    """The lines of NDJSON in the page. None if their hashes would reveal hidden facts."""
    try:
        lines = b"".join(export_record(archive(), game, names=True, viewpoint=viewpoint, now=now))
    except UnsealedError:
        return Markup()
    return Markup(escape(lines.decode(), quote=False))  # noqa: S704 - it is escaped


def _compressed(data: object) -> str:
    """Compressed JSON in base64: pictures of boards are large, and similar."""
    return b64encode(gzip.compress(msgspec.json.encode(data), mtime=0)).decode()
