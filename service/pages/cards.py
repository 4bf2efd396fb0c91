"""Cards: what chats and sites show of a link to a game, which is what everybody may know: names, scores, the board."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from games import svg
from games.contract import PUBLIC
from service.drawing import pictures
from service.languages import localized

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from games.contract import Ruleset
    from projections.fold import Fold
    from service.api.answers import SeatInfo

WIDTH, HEIGHT = 1200, 630
"""Pixels: what sites ask for."""

_EDGE, _BOARD = 30, 570
_LEFT = _EDGE + _BOARD + 40
_RIGHT = WIDTH - 50
_PAPER, _INK, _SOFT, _LINE = "#fdfaf1", "#1d2a33", "#5b646b", "#d8cfb8"
_BARS, _TILE = "#24527f", 370
_TITLE, _ROWS = 46, 360
"""The size of the title, and how high the players stand."""


class Card(msgspec.Struct, frozen=True):
    """What the head of a page says of its game; `url` and `image` are whole addresses."""

    title: str
    description: str
    url: str
    image: str
    width: int = WIDTH
    height: int = HEIGHT


def described(fold: Fold, ruleset: Ruleset, seats: Sequence[SeatInfo]) -> str:
    """Who plays what, and the score."""
    scores = fold.totals()
    return f"{localized(ruleset.title)}: {', '.join(f'{_called(seat)} {scores[seat.seat]}' for seat in seats)}"


def drawn(fold: Fold, ruleset: Ruleset, seats: Sequence[SeatInfo]) -> bytes:
    """The picture of a card, as PNG: the board as the public sees it, and beside it the title, the names, the scores.

    The sender of a link does not know who will see the card. So it shows only what the public may see, for every link.
    """
    board = pictures.named(pictures.spoken(fold.state.view(PUBLIC)), seats)
    place = f'<svg x="{_EDGE}" y="{_EDGE}" width="{_BOARD}" height="{_BOARD}"'
    parts = [f'<rect width="{WIDTH}" height="{HEIGHT}" fill="{_PAPER}"/>', board.replace("<svg", place, 1)]
    parts.append(svg.text(_LEFT, 80, " ".join(dict.fromkeys((localized(ruleset.title), ruleset.title.ja))), 28, _SOFT))
    lines = _lines(fold.opened.title or localized(ruleset.title), (_RIGHT - _LEFT) / _TITLE)
    parts += [svg.text(_LEFT, 150 + 58 * row, line, _TITLE, _INK, bold=True) for row, line in enumerate(lines)]
    parts += _players(fold, seats)
    parts.append(svg.text(_RIGHT, 595, "Kifu 棋譜", 26, _SOFT, anchor="end"))
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif">'
    return pictures.png(f"{head}{''.join(parts)}</svg>", WIDTH)


def _players(fold: Fold, seats: Sequence[SeatInfo]) -> Iterator[str]:
    """Each with the score; the more there are, the smaller they are written."""
    scores, outcome = fold.totals(), fold.outcome()
    height = min(64, (HEIGHT - 60 - (_ROWS - 130)) // max(1, len(seats)))
    size = int(height * 0.6)
    top = HEIGHT - 65 - height * len(seats)
    for row, seat in enumerate(seats):
        bottom, points = top + height * (row + 1), str(scores[seat.seat])
        won = outcome is not None and seat.seat in outcome.winners
        yield f'<line x1="{_LEFT}" y1="{bottom}" x2="{_RIGHT}" y2="{bottom}" stroke="{_LINE}" stroke-width="2"/>'
        room = (_RIGHT - _LEFT) / size - len(points) - 1
        base = bottom - height // 4
        yield svg.text(_LEFT, base, pictures.fitted(_called(seat), room), size, _INK, bold=won)
        yield svg.text(_RIGHT, base, points, size, _INK, bold=True, anchor="end")


def review(over: str, title: str, facts: Sequence[tuple[str, str]], months: Sequence[int]) -> str:
    """The picture of a year in review, as SVG: six facts as number and words, and a bar for each month."""
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif">'
    parts = [f'<rect width="{WIDTH}" height="{HEIGHT}" fill="{_PAPER}"/>', svg.text(50, 70, over, 30, _SOFT)]
    parts.append(svg.text(50, 130, pictures.fitted(title, (_RIGHT - 50) / 52), 52, _INK, bold=True))
    for number, (figure, words) in enumerate(facts[:6]):
        x, y = 50 + number % 3 * _TILE, 225 + number // 3 * 120
        parts.append(svg.text(x, y, pictures.fitted(figure, (_TILE - 20) / 44), 44, _INK, bold=True))
        parts.append(svg.text(x, y + 38, pictures.fitted(words, (_TILE - 20) / 22), 22, _SOFT))
    step, most = (_RIGHT - 250) / 12, max([*months, 1])
    for month, count in enumerate(months):
        left, tall = 50 + month * step, 110 * count / most
        parts.append(
            f'<rect x="{left:.1f}" y="{545 - tall:.1f}" width="{step * 0.7:.1f}" height="{tall:.1f}" fill="{_BARS}"/>'
        )
        parts.append(svg.text(left + step * 0.35, 575, str(month + 1), 20, _SOFT, anchor="middle"))
    parts.append(svg.text(_RIGHT, 595, "Kifu 棋譜", 26, _SOFT, anchor="end"))
    return f"{head}{''.join(parts)}</svg>"


def _lines(text: str, room: float) -> list[str]:
    """A title on two lines at most."""
    if pictures.fitted(text, room) == text:
        return [text]
    first = pictures.fitted(text, room + 1).removesuffix("…")
    if " " in first and text[len(first) : len(first) + 1] != " ":
        first = first.rpartition(" ")[0]
    return [first, pictures.fitted(text[len(first) :].strip(), room)]


def _called(seat: SeatInfo) -> str:
    return seat.name or localized(seat.label)
