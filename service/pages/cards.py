"""Cards: link previews of a game in chats and on other sites. They show public facts: names, scores, board, curve."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import msgspec

from games import svg
from games.contract import PUBLIC
from service.drawing import pictures
from service.languages import commas, isolated, localized
from service.languages.sentences import localized_sentence
from service.pages import curves

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from games.contract import Ruleset
    from projections.fold import Fold
    from service.api.answers.games import SeatInfo
    from service.pages.curves import Scores

WIDTH, HEIGHT = 1200, 630
"""The size in pixels that most sites ask for."""

_EDGE, _BOARD = 30, 570
_LEFT = _EDGE + _BOARD + 40
_RIGHT = WIDTH - 50
_PAPER, _INK, _SOFT, _LINE = "#fdfaf1", "#1d2a33", "#5b646b", "#d8cfb8"
_GAP = 30
"""The least space between a name and its points."""
_WORDS = re.compile(r".*[ -]")
_BARS, _TILE = "#24527f", 370
_TITLE, _ROWS, _NAME, _POINTS = 46, (24, 565), 44, 64
"""The font size of the title; the top of the players below it; the largest font sizes of names and points."""
_FEW, _LEAST = 5, 34
"""The most players with a title of two lines; the smallest font size of a name, for up to eight players."""
_WHOLE, _HALF = 0.72, 0.4
"""The height of letters as a part of a row, for one line and for two."""
_CURVE, _SPACE = (90, 180), 28
"""The least and the largest height of the curve, and the space above and below it."""


class Card(msgspec.Struct, frozen=True):
    """The link preview in the head of a game's page. `url` and `image` are absolute."""

    title: str
    description: str
    url: str
    image: str
    width: int = WIDTH
    height: int = HEIGHT


def game_title(fold: Fold, ruleset: Ruleset) -> str:
    """The name of a game: a score sheet has the name of its game, not of its ruleset."""
    return localized(fold.state.game_name() or ruleset.title)


def described(fold: Fold, ruleset: Ruleset, seats: Sequence[SeatInfo]) -> str:
    """A sentence with the players, the game and the score, and with other deciding values."""
    scores, deciding = fold.totals(), fold.deciding()
    counted = not (deciding and deciding.replaces(scores))

    def scored(seat: SeatInfo) -> str:
        told = [isolated(_name_of(seat))]
        if counted:
            told.append(str(scores[seat.seat]))
        if deciding and (value := deciding.values[seat.seat]):
            told.append(f"({localized(deciding.title)}: {localized_sentence(value, ruleset.name)})")
        return " ".join(told)

    return f"{game_title(fold, ruleset)}: {commas(map(scored, seats))}"


def draw_card(fold: Fold, ruleset: Ruleset, seats: Sequence[SeatInfo], curve: Sequence[Scores]) -> bytes:
    """The picture of a card as PNG."""
    return pictures.png(picture(fold, ruleset, seats, curve), WIDTH)


def picture(fold: Fold, ruleset: Ruleset, seats: Sequence[SeatInfo], curve: Sequence[Scores] = ()) -> str:
    """The picture of a card as SVG: the public board, beside the title, the names, the scores, and their `curve`.

    The sender of a link does not know who will see the card. So every card shows only public facts.
    """
    game = game_title(fold, ruleset)
    lines = _lines(fold.opened.title or game, (_RIGHT - _LEFT) / _TITLE, 2 if len(seats) <= _FEW else 1)
    bases = [128 + 56 * row for row in range(len(lines))]
    height = min(96, (_ROWS[1] - bases[-1] - _ROWS[0]) // max(1, len(seats)))
    parts = [f'<rect width="{WIDTH}" height="{HEIGHT}" fill="{_PAPER}"/>']
    parts += _played(board(fold, seats), curve, bases[-1], _ROWS[1] - height * len(seats))
    parts.append(svg.text(_LEFT, 66, game if fold.opened.title else "", 28, _SOFT))
    parts += [svg.text(_LEFT, base, line, _TITLE, _INK, bold=True) for base, line in zip(bases, lines, strict=True)]
    parts += _players(fold, ruleset, seats, height, lined=bool(curve))
    if deciding := fold.deciding():
        told = pictures.shorten_to(f"({localized(deciding.title)})", (_RIGHT - _LEFT - 160) / 26)
        parts.append(svg.text(_LEFT, 595, told, 26, _SOFT))
    parts.append(svg.text(_RIGHT, 595, "Kifu 棋譜", 26, _SOFT, anchor="end"))
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif">'
    return f"{head}{''.join(parts)}</svg>"


def board(fold: Fold, seats: Sequence[SeatInfo]) -> str:
    """The public board with the names of the players, as SVG."""
    return pictures.picture_with_names(fold.state.view(PUBLIC), seats)


def _played(shown: str, curve: Sequence[Scores], title: int, rows: int) -> Iterator[str]:
    """The board and the curve, which stands between the title and the rows of players, or else below the board."""
    (least, most), room, high = _CURVE, rows - title - 2 * _SPACE, _BOARD
    if not curve or room >= least:
        yield from curves.draw_lines(curve, _LEFT, title + _SPACE, _RIGHT - _LEFT, min(most, room))
    else:
        high -= least + _SPACE
        yield from curves.draw_lines(curve, _EDGE, _EDGE + high + _SPACE, _BOARD, least)
    yield shown.replace("<svg", f'<svg x="{_EDGE}" y="{_EDGE}" width="{_BOARD}" height="{high}"', 1)


def _players(fold: Fold, ruleset: Ruleset, seats: Sequence[SeatInfo], height: int, *, lined: bool) -> Iterator[str]:
    """The players with their scores, in rows of this height. More players get smaller letters.

    For up to eight players, the names are readable from four metres on a screen of 40 inches. Winners have a star.
    Other deciding values stand before the points, or replace them. If `lined`, the line below a name is that of the
    seat in the curve.
    """
    scores, outcome, deciding = fold.totals(), fold.outcome(), fold.deciding()
    values = [localized_sentence(value, ruleset.name) for value in deciding.values] if deciding else [""] * len(scores)
    beside = not (deciding and deciding.replaces(scores))
    large = min(_POINTS, int(height * _WHOLE))
    for row, seat in enumerate(seats, 1):
        value = values[seat.seat]
        bottom, points = _ROWS[1] - height * (len(seats) - row), str(scores[seat.seat]) if beside else value
        star = "★ " if outcome is not None and seat.seat in outcome.winners else ""
        style = curves.style(seat.seat) if lined else f'stroke="{_LINE}" stroke-width="2"'
        yield f'<line x1="{_LEFT}" y1="{bottom}" x2="{_RIGHT}" y2="{bottom}" {style}/>'
        room = _RIGHT - _LEFT - _GAP - pictures.length(points) * large
        if beside and value:
            yield svg.text(int(_LEFT + room), bottom - height // 4, f"({value})", _LEAST, _SOFT, anchor="end")
            room -= pictures.length(f"({value})") * _LEAST + _GAP
        size, lines = _name(star + _name_of(seat), room, height)
        for line, text in enumerate(reversed(lines)):
            yield svg.text(_LEFT, int(bottom - size * (0.3 + 1.1 * line)), text, size, _INK, bold=bool(star))
        yield svg.text(_RIGHT, bottom - height // 4, points, large, _INK, bold=True, anchor="end")


def _name(text: str, room: float, height: int) -> tuple[int, list[str]]:
    """The font size and the lines of a name: two lines if one is too short and the row is high enough."""
    size, small = min(_NAME, int(height * _WHOLE)), int(height * _HALF)
    if small < _LEAST or pictures.length(text) * size <= room:
        return size, _lines(text, room / size, 1)
    return small, _lines(text, room / small, 2)


def review(over: str, title: str, facts: Sequence[tuple[str, str]], months: Sequence[int]) -> str:
    """The picture of a year in review, as SVG: six facts as number and words, and a bar for each month."""
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif">'
    parts = [f'<rect width="{WIDTH}" height="{HEIGHT}" fill="{_PAPER}"/>', svg.text(50, 70, over, 30, _SOFT)]
    parts.append(svg.text(50, 130, pictures.shorten_to(title, (_RIGHT - 50) / 52), 52, _INK, bold=True))
    for number, (figure, words) in enumerate(facts[:6]):
        x, y = 50 + number % 3 * _TILE, 225 + number // 3 * 120
        parts.append(svg.text(x, y, pictures.shorten_to(figure, (_TILE - 20) / 44), 44, _INK, bold=True))
        parts.append(svg.text(x, y + 38, pictures.shorten_to(words, (_TILE - 20) / 22), 22, _SOFT))
    step, most = (_RIGHT - 250) / 12, max([*months, 1])
    for month, count in enumerate(months):
        left, tall = 50 + month * step, 110 * count / most
        parts.append(
            f'<rect x="{left:.1f}" y="{545 - tall:.1f}" width="{step * 0.7:.1f}" height="{tall:.1f}" fill="{_BARS}"/>'
        )
        parts.append(svg.text(left + step * 0.35, 575, str(month + 1), 20, _SOFT, anchor="middle"))
    parts.append(svg.text(_RIGHT, 595, "Kifu 棋譜", 26, _SOFT, anchor="end"))
    return f"{head}{''.join(parts)}</svg>"


def _lines(text: str, room: float, most: int) -> list[str]:
    """A text on one line, or on two if `most` allows it."""
    if most == 1 or pictures.shorten_to(text, room) == text:
        return [pictures.shorten_to(text, room)]
    first = pictures.shorten_to(text, room + 1).removesuffix(pictures.RIGHT_TO_LEFT).removesuffix("…")
    if text[len(first) : len(first) + 1] != " " and (words := _WORDS.match(first)):
        first = words[0]
    return [first.rstrip(), pictures.shorten_to(text[len(first) :].strip(), room)]


def _name_of(seat: SeatInfo) -> str:
    return seat.name or localized(seat.label)
