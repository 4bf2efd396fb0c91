"""The whole examination of a ruleset: its facts, its recorded games, and random games."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import msgspec

from games import transcript
from games.contract import Adjustment
from games.examination import coverage, goldens
from games.examination.facts import FACTS
from games.examination.plays import PlayBrokenError, option_settings, random_game, random_game_with_rulings
from games.examination.promises import PROMISES, PromiseBrokenError, sentence_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from games.contract import Ruleset
    from games.examination.plays import Play
    from games.examination.promises import Promise

GAMES = 12
"""The least number of random games without and with a referee, over all settings of the options."""


NO_GAMES = "any, as the package has no recorded games"
"""The gap of a ruleset without any recorded games."""

RECORDED = {
    "Recorded games reach every ending, or it is named": goldens.unreached_endings,
    "Recorded games reach every rule, or it is named": goldens.unreached_rules,
}
"""What recorded games do not reach, by the sentence of the report."""

SHOWN = {
    "Each choice of an option changes a random game, or it is named": (
        "without effect",
        coverage.choices_without_effect,
    ),
    "Names in effects and notes are terms, or they are named": ("without a term", coverage.words_without_a_term),
    "The rule about copies says their numbers, or they are named": ("not said", coverage.unsaid_copies),
}
"""What random games and rules do not show, by the sentence of the report."""

ENDS = "Random games come to an end"


class Finding(msgspec.Struct, frozen=True):
    """A broken promise: the reason, and for a random game its text up to there."""

    why: str
    game: str = ""
    record: str = ""


class Verdict(msgspec.Struct, frozen=True):
    """The result of one promise: no findings if it is kept, else the fault with the shortest game that shows it."""

    promise: str
    findings: tuple[Finding, ...] = ()

    @property
    def is_kept(self) -> bool:
        """Whether the promise is kept."""
        return not self.findings

    @property
    def gaps(self) -> str:
        """The unchecked parts of a promise that is kept; empty without any."""
        return ""


class Coverage(Verdict, frozen=True):
    """What games do not reach, and what rules do not say. It is listed, but is not a fault."""

    not_reached: tuple[str, ...] = ()
    lead: str = "not reached"
    """What these are, before their names."""

    @property
    def gaps(self) -> str:
        """The endings, rules, choices, words or numbers that are missing."""
        return f"{self.lead}: {', '.join(self.not_reached)}" if self.not_reached else ""


class Case(msgspec.Struct, frozen=True):
    """The parameters of a random game: it is always the same for the same case."""

    setting: int
    seed: int
    refereed: bool

    def play(self, ruleset: Ruleset) -> Play:
        """The game. Raises `PlayBrokenError`."""
        return (random_game_with_rulings if self.refereed else random_game)(ruleset, self.setting, self.seed)

    def __str__(self) -> str:
        return f"setting {self.setting}, seed {self.seed}{', with rulings' if self.refereed else ''}"


def cases(ruleset: Ruleset, games: int = GAMES, seed: int = 0) -> list[Case]:
    """The random games to play: all settings, with seeds from `seed` on."""
    count = len(option_settings(ruleset))
    seeds = range(seed, seed + max(1, games // count))
    referees = (False, True) if ruleset.adjustments else (False,)
    return [Case(setting, each, refereed) for setting in range(count) for each in seeds for refereed in referees]


def examine(ruleset: Ruleset, games: int = GAMES, seed: int = 0) -> Iterator[Verdict]:
    """The results of all promises, one after the other."""
    for fact in FACTS:
        yield Verdict(sentence_of(fact), _findings(fact, ruleset))
    yield Verdict("Recorded games fold as expected", _findings(goldens.differing_goldens, ruleset))
    yield Verdict("Recorded games have the score and result that they state", _findings(goldens.wrong_results, ruleset))
    any_game = any(True for _ in goldens.goldens(ruleset))
    for name, reached in RECORDED.items():
        yield _coverage(name, "not reached", reached if any_game else lambda _: [NO_GAMES], ruleset)
    plays, broken = play_all(ruleset, games, seed)
    yield Verdict(ENDS, shortest(broken))
    played = [play for _, play in plays]
    for name, (lead, look) in SHOWN.items():
        yield _coverage(name, lead, partial(look, plays=played), ruleset)
    for promise in PROMISES:
        yield Verdict(
            sentence_of(promise), shortest(found for case, play in plays for found in _check_game(promise, case, play))
        )


def _findings(look: Callable[[Ruleset], Iterator[str]], ruleset: Ruleset) -> tuple[Finding, ...]:
    """Run a check of a ruleset, and return its findings; an exception is a finding, too."""
    try:
        return tuple(map(Finding, look(ruleset)))
    except Exception as error:  # noqa: BLE001 - any exception of the ruleset is a finding
        return (Finding(summary(error)),)


def _coverage(promise: str, lead: str, look: Callable[[Ruleset], list[str]], ruleset: Ruleset) -> Coverage:
    """List what is missing. If that cannot be told, the reason is a finding."""
    try:
        return Coverage(promise, (), tuple(look(ruleset)), lead)
    except Exception as error:  # noqa: BLE001 - any exception of the ruleset is a finding
        return Coverage(promise, (Finding(summary(error)),))


def summary(error: BaseException) -> str:
    """An exception in one line. A recorded game that cannot be played is no fault of the code: its line is enough."""
    known = isinstance(error, goldens.UnplayableGoldenError)
    return " ".join((str(error) if known else f"it raised {type(error).__name__}: {error}").split())


def play_all(ruleset: Ruleset, games: int, seed: int) -> tuple[list[tuple[Case, Play]], list[tuple[int, Finding]]]:
    """Play the random games: those with an end, and findings for those without one."""
    plays, broken = [], []
    for case in cases(ruleset, games, seed):
        try:
            plays.append((case, case.play(ruleset)))
        except PlayBrokenError as error:
            broken.append(finding(case, error.play, len(error.play.steps), str(error)))
    return plays, broken


def _check_game(promise: Promise, case: Case, play: Play) -> Iterator[tuple[int, Finding]]:
    try:
        promise(play)
    except PromiseBrokenError as error:
        yield finding(case, play, error.version, error.why)
    except Exception as error:  # noqa: BLE001 - any exception of the ruleset is a finding
        yield finding(case, play, len(play.steps), summary(error))


def broken_promises(ruleset: Ruleset, case: Case, promises: Iterable[Promise] = PROMISES) -> Iterator[Verdict]:
    """The promises that one random game breaks; a game without an end breaks the promise to end."""
    try:
        play = case.play(ruleset)
    except PlayBrokenError as error:
        _, found = finding(case, error.play, len(error.play.steps), str(error))
        yield Verdict(ENDS, (found,))
        return
    for promise in promises:
        if broken := shortest(_check_game(promise, case, play)):
            yield Verdict(sentence_of(promise), broken)


def finding(case: Case, play: Play, version: int, why: str) -> tuple[int, Finding]:
    """A finding about a game at a version, with the version to find the shortest game."""
    return version, Finding(f"entry {version}: {why}", str(case), record(play, version))


def shortest(found: Iterable[tuple[int, Finding]]) -> tuple[Finding, ...]:
    """The finding with the shortest game, if there is any."""
    return tuple(each for _, each in sorted(found, key=lambda each: each[0])[:1])


def record(play: Play, until: int) -> str:
    """A game as text up to a version. Its moves are JSON if the notation fails."""
    steps = play.steps[:until]
    opening = transcript.Opening(play.options, None, play.seats, play.revision)
    try:
        entries = transcript.transcribe(play.ruleset, opening, _steps(play, until))
        return transcript.write(transcript.Transcript(transcript.tags(play.ruleset, opening, {}, None), entries))
    except Exception:  # noqa: BLE001 - faults of the notation are reported elsewhere
        opened = {"ruleset": play.ruleset.name, "options": play.options, "seats": play.seats}
        return "".join(msgspec.json.encode(line).decode() + "\n" for line in (opened, *(step.move for step in steps)))


def _steps(play: Play, until: int) -> Sequence[transcript.TranscriptStep]:
    return [
        transcript.TranscriptStep(adjustments=(step.move,), reason="at random")
        if isinstance(step.move, Adjustment)
        else transcript.TranscriptStep(move=step.move)
        for step in play.steps[:until]
    ]
