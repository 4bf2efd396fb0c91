"""The table as an SVG document."""

from __future__ import annotations

from typing import TYPE_CHECKING

from games.kahuna.components import ENDS, ISLANDS, LINES_AT, MAJORITIES, PLACES

if TYPE_CHECKING:
    from games.kahuna.state import KahunaState


def draw(state: KahunaState) -> str:
    """The board."""
    parts = ['<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1000 900"><title>Kahuna</title>']
    parts.append('<rect width="1000" height="900" fill="#2a7f9e"/>')
    for line, (a, b) in enumerate(ENDS):
        (x1, y1), (x2, y2) = PLACES[a], PLACES[b]
        style = 'stroke="#9cc" stroke-dasharray="4 10"'
        for seat, colour in enumerate(("#111", "#fff")):
            if state.bridges[seat] >> line & 1:
                style = f'stroke="{colour}"'
        parts.append(f'<line x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}" stroke-width="12" {style}/>')
    for island, (x, y) in enumerate(PLACES):
        fill = "#111" if state.stones[0] >> island & 1 else "#fff" if state.stones[1] >> island & 1 else "#e8d8a0"
        spaces = f"{MAJORITIES[island]}/{LINES_AT[island].bit_count()}"
        parts.append(f'<circle cx="{x}" cy="{y}" r="48" fill="{fill}"/>')
        parts.append(f'<text x="{x}" y="{y}" text-anchor="middle" fill="#777">{ISLANDS[island]} {spaces}</text>')
    return "".join([*parts, "</svg>"])
