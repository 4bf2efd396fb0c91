"""Recorded games with their expected results: `python -m tests.goldens` writes the expectations again.

They are those of `games.examination.goldens`, in `tests/golden/<ruleset>/`. `tests/golden/not_reached.txt` names the
rules that none of them reaches.
"""

from __future__ import annotations

import sys
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from games import transcript
from games.examination import goldens
from games.rulesets import SHIPPED
from tests import tiers

if TYPE_CHECKING:
    from collections.abc import Iterator

    from games.contract import Ruleset

FOLDER = Path(__file__).parent / "golden"
NOT_REACHED = FOLDER / "not_reached.txt"


def recorded() -> list[Path]:
    """Every recorded game."""
    return sorted(path for name in SHIPPED for path in FOLDER.glob(f"{name}/*.txt"))


def sample_of(ruleset: str, step: int) -> list[Path]:
    """Every `step`-th recorded game of a ruleset, for expensive tests. All of them with `make soak`."""
    return [path for path in recorded() if path.parent.name == ruleset][:: 1 if tiers.SOAK else step]


def ruleset_of(path: Path) -> Ruleset:
    return SHIPPED[path.parent.name]


def game(path: Path) -> transcript.Transcript:
    (found,) = transcript.read(path.read_text(encoding="utf-8"))
    return found


@cache
def games(ruleset: Ruleset) -> dict[str, transcript.Transcript]:
    """The recorded games of a ruleset by name, read once: many tests ask for one of them."""
    return {path.stem: game(path) for path in recorded() if path.parent.name == ruleset.name}


def cut(ruleset: str, name: str, entries: int) -> str:
    """The text of a recorded game, cut after its first `entries`."""
    whole = game(FOLDER / ruleset / f"{name}.txt")
    kept = {tag: value for tag, value in whole.tags.items() if tag not in {"Result", "Termination"}}
    return transcript.write(transcript.Transcript(kept, whole.entries[:entries]))


def playthrough(path: Path) -> Iterator[str]:
    """The expected results of a recorded game, line by line."""
    return goldens.playthrough(ruleset_of(path), path.read_text(encoding="utf-8"))


def recorded_games(ruleset: Ruleset) -> list[goldens.Golden]:
    """The recorded games of a ruleset, for the examination."""
    return list(goldens.goldens(ruleset, FOLDER / ruleset.name))


def not_reached() -> str:
    """The rules that no recorded game reaches, one per line, with titles."""
    unreached = (
        (ruleset, rule)
        for ruleset in SHIPPED.values()
        for rule in goldens.unreached_rules(ruleset, recorded_games(ruleset))
    )
    return "".join(f"{rule} {ruleset.rulebook[rule].en}\n" for ruleset, rule in unreached)


def main() -> None:
    for path in recorded():
        expected = path.with_suffix(".ndjson")
        text = "".join(f"{line}\n" for line in playthrough(path))
        if not expected.exists() or expected.read_text(encoding="utf-8") != text:
            expected.write_text(text, encoding="utf-8")
            sys.stdout.write(f"{expected.relative_to(FOLDER)}\n")
    NOT_REACHED.write_text(not_reached(), encoding="utf-8")


if __name__ == "__main__":
    main()
