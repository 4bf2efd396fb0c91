"""Recorded games with everything that is expected of them: `python -m tests.goldens` writes the expectations anew.

`tests/golden/<ruleset>/<name>.txt` is a transcript; `<name>.ndjson` beside it holds one line a move (what it broke, its
effects, the scores after it), and then the audit, the outcome and the last state.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from games import transcript
from games.rulesets import RULESETS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from games.contract import Effect, Ruleset

FOLDER = Path(__file__).parent / "golden"


def recorded() -> list[Path]:
    """Every recorded game."""
    return sorted(FOLDER.glob("*/*.txt"))


def ruleset_of(path: Path) -> Ruleset:
    return RULESETS[path.parent.name]


def game(path: Path) -> transcript.Transcript:
    (found,) = transcript.read(path.read_text(encoding="utf-8"))
    return found


def games(ruleset: Ruleset) -> dict[str, transcript.Transcript]:
    """The recorded games of a ruleset by name."""
    return {path.stem: game(path) for path in recorded() if path.parent.name == ruleset.name}


def playthrough(path: Path) -> Iterator[str]:
    """What is expected of a recorded game, line by line."""
    ruleset, recording = ruleset_of(path), game(path)
    state: Any = None
    for step in transcript.replay(ruleset, recording):
        state = step.state
        line = {
            "ruling" if step.entry.ruling else "move": step.entry.text,
            "broken": list(step.broken),
            "effects": [_effect(effect) for effect in step.effects],
            "scores": state.totals(),
        }
        yield _json({key: value for key, value in line.items() if value != []})
    yield _json({"audit": state.scores()})
    yield _json({"outcome": state.outcome()})
    for name, value in state.describe().items():
        yield _json({"state": name, "is": value})


def _effect(effect: Effect) -> str:
    parts = [effect.kind, effect.rule.partition(":")[2], *effect.at]
    parts += [f"seat={effect.seat}"] * (effect.seat is not None) + [f"count={effect.count}"] * (
        effect.count is not None
    )
    return " ".join(parts)


def _json(line: Any) -> str:
    return msgspec.json.encode(line).decode()


def main() -> None:
    for path in recorded():
        expected = path.with_suffix(".ndjson")
        text = "".join(f"{line}\n" for line in playthrough(path))
        if not expected.exists() or expected.read_text(encoding="utf-8") != text:
            expected.write_text(text, encoding="utf-8")
            sys.stdout.write(f"{expected.relative_to(FOLDER)}\n")


if __name__ == "__main__":
    main()
