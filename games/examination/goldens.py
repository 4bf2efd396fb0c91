"""Recorded games with their expected results, so that no change of the rules goes unnoticed.

Beside a transcript `<name>.txt` is `<name>.ndjson`. It has one line per move (the broken rules, the effects, the scores
after it), and then the audit, the outcome and the last state. All this is computed. The headers of a transcript are
written by hand: the score (`[Score "12:7"]`), who won (`Result`), and why (`Termination`). No program changes them.
"""

from __future__ import annotations

from contextlib import contextmanager
from importlib.resources import files
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from games import transcript
from games.errors import RulesetError, TranscriptError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from importlib.resources.abc import Traversable

    from games.contract import Effect, Ruleset, State

FOLDER = "goldens"
"""The folder of recorded games in a ruleset's package."""

SCORE = "Score"
"""The header with the score that a person counted: a number for each seat, with colons between."""


class Golden(NamedTuple):
    """A recorded game: its name, its text, and the expected result, if it is written down."""

    name: str
    text: str
    expected: str | None = None


def goldens(ruleset: Ruleset, folder: Traversable | None = None) -> Iterator[Golden]:
    """The recorded games in a folder, by default in the ruleset's package."""
    folder = folder or files(ruleset.package) / FOLDER
    found: list[Traversable] = list(folder.iterdir()) if folder.is_dir() else []
    for file in sorted(found, key=lambda file: file.name):
        if file.name.endswith(".txt"):
            name = file.name.removesuffix(".txt")
            beside = folder / f"{name}.ndjson"
            expected = beside.read_text(encoding="utf-8") if beside.is_file() else None
            yield Golden(name, file.read_text(encoding="utf-8"), expected)


class UnplayableGoldenError(RulesetError):
    """A recorded game that cannot be read or played by the rules as they are. It names the file and the line."""


@contextmanager
def in_golden(name: str) -> Iterator[None]:
    """Name the recorded game of an error. Raises `UnplayableGoldenError`."""
    try:
        yield
    except TranscriptError as error:
        raise UnplayableGoldenError(f"{name}.txt, {error}") from error


def playthrough(ruleset: Ruleset, text: str) -> Iterator[str]:
    """The results of a recorded game, line by line. Raises `TranscriptError`."""
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


def differing_goldens(ruleset: Ruleset) -> Iterator[str]:
    """The recorded games of a ruleset with unexpected results."""
    for name, text, expected in goldens(ruleset):
        with in_golden(name):
            found = list(playthrough(ruleset, text))
        lines = (expected or "").splitlines()
        at = next((at for at, (one, other) in enumerate(zip(found, lines, strict=False)) if one != other), len(lines))
        if expected is None:
            yield f"{name}.ndjson is not there: write down what is expected of it"
        elif found != lines:
            got, wanted = (some[at] if at < len(some) else "nothing" for some in (found, lines))
            yield f"{name}.ndjson, line {at + 1}: {wanted} is expected, and {got} came"


# The score and the result that a person found


def wrong_results(ruleset: Ruleset, recorded: Iterable[Golden] | None = None) -> Iterator[str]:
    """The differences between stated and computed scores, winners and endings of recorded games.

    With a wrong score comes the audit of each such seat.
    """
    for name, text, _ in goldens(ruleset) if recorded is None else recorded:
        with in_golden(name):
            (recording,) = transcript.read(text)
            state = _last_state(ruleset, recording)
        for tag in recording.tags:
            if tag.lower().startswith("option") and not tag.startswith("Option."):
                place = f"{name}.txt, line {_line_of(tag, text)}"
                yield f'{place}: nothing reads [{tag} …]; an option is stated as [Option.name "value"]'
        for tag, computed in _results(state).items():
            stated = recording.tags.get(tag, computed)
            if stated != computed:
                why = f": {'; '.join(_differences(state, stated))}" if tag == SCORE else ""
                place = f"{name}.txt, line {_line_of(tag, text)}"
                yield f'{place}: [{tag} "{stated}"] is stated, and the rules make {computed or "no end"}{why}'


def _results(state: State) -> dict[str, str]:
    """What the headers of a game say of its end, by the rules."""
    outcome = state.outcome()
    return {
        SCORE: ":".join(map(str, state.totals())),
        "Result": transcript.result(state.ruleset, outcome),
        "Termination": outcome.reason if outcome else "",
    }


def _last_state(ruleset: Ruleset, recording: transcript.Transcript) -> State:
    game = transcript.opening(ruleset, recording)
    state: State = ruleset.open(game.options, game.components, game.seats, game.revision)
    for step in transcript.replay(ruleset, recording):
        state = step.state
    return state


def _line_of(tag: str, text: str) -> int:
    lines = (line.strip() for line in transcript.lines_of(text))
    return next(number for number, line in enumerate(lines, 1) if line.startswith(f"[{tag} "))


def _differences(state: State, stated: str) -> Iterator[str]:
    """The audit lines of each seat that has another score than the stated one."""
    points = stated.split(":")
    if len(points) != state.seats:
        yield f"the game has {state.seats} seats, and the score {len(points)} numbers"
        return
    for seat, (said, total) in enumerate(zip(points, state.totals(), strict=True)):
        if said != str(total):
            audit = [line for line in state.scores() if line.seat == seat]
            lines = [f"{line.points} {line.category} (entry {line.version}, {line.rule})" for line in audit]
            yield f"{state.ruleset.seat_tag(seat)} has {total}, not {said}: {' + '.join(lines) or 'no points'}"


# Coverage of endings and rules


class Reached(NamedTuple):
    """The endings and the rules that some recorded games reach."""

    endings: set[str]
    rules: set[str]


def coverage_of(ruleset: Ruleset, recorded: Iterable[Golden] | None = None) -> Reached:
    """The endings and rules that recorded games reach. Raises `UnplayableGoldenError`.

    A rule is reached if a move breaks it, or if an effect, a point or the outcome follows from it. It is also reached
    by a game with the option that adds it.
    """
    found = Reached(set(), set())
    for golden in goldens(ruleset) if recorded is None else recorded:
        with in_golden(golden.name):
            (recording,) = transcript.read(golden.text)
            chosen = ruleset.check_options(transcript.opening(ruleset, recording).options)
            steps = list(transcript.replay(ruleset, recording))
        found.rules.update(*(option.adds for option in ruleset.options if chosen[option.name] != option.default))
        state = None
        for step in steps:
            state = step.state
            found.rules.update(step.broken, (effect.rule for effect in step.effects))
        if state is not None:
            found.rules.update(line.rule for line in state.scores())
            if outcome := state.outcome():
                found.endings.add(outcome.reason)
                found.rules.add(outcome.rule)
    return found


def unreached_endings(ruleset: Ruleset, recorded: Iterable[Golden] | None = None) -> list[str]:
    """The endings that no recorded game has."""
    found = coverage_of(ruleset, recorded).endings
    return [ending for ending in ruleset.endings if ending not in found]


def unreached_rules(ruleset: Ruleset, recorded: Iterable[Golden] | None = None) -> list[str]:
    """The rules that no recorded game reaches."""
    found = coverage_of(ruleset, recorded).rules
    return [rule for rule in ruleset.rulebook if rule not in found]
