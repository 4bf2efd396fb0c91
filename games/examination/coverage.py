"""What random games do not show, and what rules do not say: it is named, and is no fault by itself."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from games.contract import Move
from games.errors import BadOpeningError, ImpossibleError
from games.examination.plays import execute
from games.examination.translations import numbers_of
from games.hidden import CardState
from games.words import TERMS, Sentence

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from games.contract import Ruleset, State
    from games.examination.plays import Play

MOMENTS = 12
"""The number of moments of a game at which the legal moves are compared."""

_WORD = re.compile(r"[A-Za-z][a-z]{2,}")
"""A word for people: shorter ones, and names in capital letters, are the same in all languages."""

_PLACE = re.compile(r"\{[a-z_]*\}")
"""The place of a number in a term."""


def choices_without_effect(ruleset: Ruleset, plays: Sequence[Play]) -> list[str]:
    """The choices of options that change none of these games, as `name=choice`.

    Each game is played again with the default of the option in place of the choice. Its legal moves, breaches, effects,
    scores or its end must differ.
    """
    return [
        f"{option.name}={choice}"
        for option in ruleset.options
        for choice in ruleset.examined_choices.get(option.name, option.choices)
        if choice != option.default and not _matters(plays, option.name, choice, option.default)
    ]


def _matters(plays: Sequence[Play], name: str, choice: bool | int | str, default: bool | int | str) -> bool:
    """Whether a choice changes one of the games that were played with it."""
    chosen = [play for play in plays if play.options.get(name, default) == choice]
    return not chosen or any(_differs(play, name, default) for play in chosen)


def _differs(play: Play, name: str, value: bool | int | str) -> bool:
    """Whether a game goes on in another way with another value of an option."""
    try:
        state: State = play.ruleset.open(play.options | {name: value}, None, play.seats, play.revision)
    except BadOpeningError:
        return True
    every = len(play.steps) // MOMENTS or 1
    for number, step in enumerate(play.steps):
        same = state.to_move() == step.before.to_move() and state.due == step.before.due
        if not same or (number % every == 0 and [*state.legal_moves()] != [*step.before.legal_moves()]):
            return True
        if isinstance(step.move, Move) and [*map(str, state.breaches(step.move))] != [
            *map(str, step.before.breaches(step.move))
        ]:
            return True
        try:
            effects = execute(state, step.move, step.after.version)
        except ImpossibleError:
            return True
        if effects != step.effects or state.totals() != step.after.totals() or state.ending != step.after.ending:
            return True
    return False


def words_without_a_term(ruleset: Ruleset, plays: Sequence[Play]) -> list[str]:
    """The words in effects of moves and in notes of scores that are none of the `terms`.

    Rulesets that are only in English, and those that quote people, need no terms.
    """
    if ruleset.quotes_people or not ruleset.translations:
        return []
    terms = re.compile("|".join(map(_pattern, sorted((*TERMS, *ruleset.terms), key=len, reverse=True))), re.IGNORECASE)
    found: dict[str, None] = {}
    for text in dict.fromkeys(_texts(plays)):
        found |= dict.fromkeys(_WORD.findall(terms.sub(" ", text)))
    seats = {word for name in ruleset.seat_names for word in name.en.split()}
    return [word for word in found if word not in seats]


def _pattern(term: str) -> str:
    """A term as a whole word, with numbers in place of its braces."""
    parts = map(re.escape, _PLACE.split(term))
    return rf"(?<![A-Za-z]){'[0-9]+'.join(parts)}(?![A-Za-z])"


def _texts(plays: Sequence[Play]) -> Iterator[str]:
    """The texts of games that name things."""
    for play in plays:
        for step in play.steps:
            if isinstance(step.move, Move):
                yield from (name for effect in step.effects for name in effect.at if not isinstance(name, Sentence))
        lines = play.steps[-1].after.scores() if play.steps else ()
        yield from (line.note for line in lines if not isinstance(line.note, Sentence))


def unsaid_copies(ruleset: Ruleset, plays: Sequence[Play]) -> list[str]:  # noqa: ARG001 - as the others
    """The numbers of `copies` that the rule `copies_rule` does not say: of all cards together, or of each card."""
    if not issubclass(ruleset.state, CardState):
        return []
    state = ruleset.open({}, None, ruleset.seats.start)
    counts = [*state.copies.values()]
    said = numbers_of(ruleset.rulebook[state.copies_rule].text)
    each = ", ".join(sorted({*map(str, counts)} - said))
    total = "" if str(sum(counts)) in said else f"{sum(counts)} cards, "
    return [f"{total}{each} of a kind ({state.copies_rule})"] if each else []
