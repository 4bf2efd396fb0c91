"""The process that draws a picture: SVG on its standard input, PNG on its standard output."""

from __future__ import annotations

import sys
import unicodedata
from itertools import islice
from pathlib import Path

import resvg_py

FAMILY = "BIZ UDPGothic"
FONTS = [str(path) for path in sorted((Path(__file__).parent / "fonts").glob("*.ttf"))]
"""Those that come with the service, so that a picture looks the same everywhere."""
ALPHABETS = "\u0530"
"""Before this letter stand Latin, Greek and Cyrillic."""
BOX = "□"
"""Stands for a letter that no font here has: a name is not just left out."""
BLOCK, BLOCKS = 7, 40
"""A script has letters that differ in so many bits; and so many of such blocks are looked at."""
LETTER = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40"><text y="30" font-size="24">{letter}</text></svg>'


def is_ours(letter: str) -> bool:
    """Whether the fonts of the service have a letter. They cover the scripts of Europe and Japan."""
    try:
        return letter < ALPHABETS or bool(letter.encode("cp932"))
    except UnicodeEncodeError:
        return False


def with_boxes(picture: str) -> str:
    """A picture with boxes for letters that neither the service nor the system has a font for.

    One letter tells for its neighbours in Unicode. Marks on a box are left out.
    """
    others = {ord(each) >> BLOCK: each for each in picture if not is_ours(each) and not _is_mark(each)}
    nothing = _drawn(LETTER.format(letter=""), 40)
    missing = {
        block for block, each in islice(others.items(), BLOCKS) if _drawn(LETTER.format(letter=each), 40) == nothing
    }
    return "".join(_box(each) if ord(each) >> BLOCK in missing and not is_ours(each) else each for each in picture)


def _is_mark(letter: str) -> bool:
    return unicodedata.category(letter) in {"Mn", "Mc", "Me", "Cf"}


def _box(letter: str) -> str:
    return "" if _is_mark(letter) else BOX


def _drawn(picture: str, width: int) -> bytes:
    return resvg_py.svg_to_bytes(
        svg_string=picture,
        width=width,
        skip_system_fonts=all(map(is_ours, picture)),  # to look at them takes a while
        font_files=FONTS,
        font_family=FAMILY,
        sans_serif_family=FAMILY,
    )


def draw(picture: str, width: int) -> bytes:
    """An SVG document as PNG of this width in pixels."""
    return _drawn(picture if all(map(is_ours, picture)) else with_boxes(picture), width)


def main() -> None:
    """Draw the picture on standard input. The first argument is its width in pixels."""
    sys.stdout.buffer.write(draw(sys.stdin.buffer.read().decode(), int(sys.argv[1])))


if __name__ == "__main__":
    main()
