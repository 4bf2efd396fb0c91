"""Terminal drawings with their inks as the escape sequences of ECMA-48, as colour terminals read them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from games.sketch import Ink, Sketch

SEATS = (34, 33, 31, 32, 35, 36)
"""The colours of the seats: blue, yellow, red, green, magenta, cyan, and again from the first."""
FAINT = 2


def with_colours(sketch: Sketch) -> str:
    """The drawing with its inks. Each line ends without ink."""
    return "".join("".join(_coloured(span.text, span.ink) for span in line) + "\n" for line in sketch)


def _coloured(text: str, ink: Ink) -> str:
    if ink is None:
        return text
    return f"\x1b[{FAINT if ink == 'faint' else SEATS[ink % len(SEATS)]}m{text}\x1b[m"
