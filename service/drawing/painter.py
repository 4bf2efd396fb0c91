"""The process that draws a picture: SVG on its standard input, PNG on its standard output."""

from __future__ import annotations

import sys
from pathlib import Path

import resvg_py

FAMILY = "BIZ UDPGothic"
FONTS = [str(path) for path in sorted((Path(__file__).parent / "fonts").glob("*.ttf"))]
"""Those that come with the service, so that a picture looks the same everywhere; the system's are not looked at."""


def main() -> None:
    """Draw what is asked for, as many pixels wide as the first argument says."""
    drawn = resvg_py.svg_to_bytes(
        svg_string=sys.stdin.buffer.read().decode(),
        width=int(sys.argv[1]),
        skip_system_fonts=True,
        font_files=FONTS,
        font_family=FAMILY,
        sans_serif_family=FAMILY,
    )
    sys.stdout.buffer.write(drawn)


if __name__ == "__main__":
    main()
