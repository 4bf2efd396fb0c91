"""Recorded games with everything that is expected of them, so that a change of the rules is never unnoticed.

Beside a transcript `<name>.txt` lies `<name>.ndjson` with one line a move (what it broke, its effects, the scores after
it), and then the audit, the outcome and the last state.
"""

from __future__ import annotations

from importlib.resources import files
from typing import TYPE_CHECKING, Any

import msgspec

from games import transcript

if TYPE_CHECKING:
    from collections.abc import Iterator
    from importlib.resources.abc import Traversable

    from games.contract import Effect, Ruleset

FOLDER = "goldens"
"""Where a ruleset's package has them."""


def goldens(ruleset: Ruleset) -> Iterator[tuple[str, str, str | None]]:
    """The recorded games in a ruleset's package: the name, the text, and what is expected, if it is written down."""
    folder = files(ruleset.package) / FOLDER
    found: list[Traversable] = list(folder.iterdir()) if folder.is_dir() else []
    for file in sorted(found, key=lambda file: file.name):
        if file.name.endswith(".txt"):
            name = file.name.removesuffix(".txt")
            beside = folder / f"{name}.ndjson"
            expected = beside.read_text(encoding="utf-8") if beside.is_file() else None
            yield name, file.read_text(encoding="utf-8"), expected


def playthrough(ruleset: Ruleset, text: str) -> Iterator[str]:
    """What follows from a recorded game, line by line. Raises `TranscriptError`."""
    (recording,) = transcript.read(text)
    state = None
    for step in transcript.replay(ruleset, recording):
        state = step.state
        line = {
            "ruling" if step.entry.ruling else "move": step.entry.text,
            "broken": list(step.broken),
            "effects": [_effect(effect) for effect in step.effects],
            "scores": state.totals(),
        }
        yield _json({key: value for key, value in line.items() if value != []})
    if state is not None:
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
    return msgspec.json.encode(line, enc_hook=str).decode()


def unlike(ruleset: Ruleset) -> Iterator[str]:
    """What of a ruleset's recorded games is not as it is expected."""
    for name, text, expected in goldens(ruleset):
        found = list(playthrough(ruleset, text))
        lines = (expected or "").splitlines()
        at = next((at for at, (one, other) in enumerate(zip(found, lines, strict=False)) if one != other), len(lines))
        if expected is None:
            yield f"{name}.ndjson is not there: write down what is expected of it"
        elif found != lines:
            got, wanted = (some[at] if at < len(some) else "nothing" for some in (found, lines))
            yield f"{name}.ndjson, line {at + 1}: {wanted} is expected, and {got} came"
