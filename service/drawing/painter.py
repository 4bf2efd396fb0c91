"""The process that draws a picture: SVG on its standard input, PNG on its standard output."""

from __future__ import annotations

import sys
from pathlib import Path

import resvg_py

FAMILY = "BIZ UDPGothic"
FONTS = [str(path) for path in sorted((Path(__file__).parent / "fonts").glob("*.ttf"))]
"""Those that come with the service, so that a picture looks the same everywhere."""
ALPHABETS = "\u0530"
"""Before this letter stand Latin, Greek and Cyrillic."""


def is_ours(letter: str) -> bool:
    """Whether the fonts of the service have a letter. They cover the scripts of Europe and Japan."""
    try:
        return letter < ALPHABETS or bool(letter.encode("cp932"))
    except UnicodeEncodeError:
        return False


def main() -> None:
    """Draw the picture on standard input. The first argument is its width in pixels."""
    picture = sys.stdin.buffer.read().decode()
    drawn = resvg_py.svg_to_bytes(
        svg_string=picture,
        width=int(sys.argv[1]),
        skip_system_fonts=all(map(is_ours, picture)),  # to look at them takes a while
        font_files=FONTS,
        font_family=FAMILY,
        sans_serif_family=FAMILY,
    )
    sys.stdout.buffer.write(drawn)


if __name__ == "__main__":
    main()
