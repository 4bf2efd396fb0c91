"""Effects of moves as sentences in the reader's language, with people's names."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from games.rulesets import RULESETS
from projections.timeline import explain
from service.drawing import pictures
from service.languages import ENGLISH, locale
from service.languages.sentences import MOVE, localized_sentence, words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from projections.analyses.turning import Option
    from projections.timeline import EffectInfo
    from service.api.answers.games import SeatInfo


def effect_text(effect: EffectInfo, ruleset: str, seats: Sequence[SeatInfo]) -> str:
    """An effect as a sentence. It names its seat once, so a cell goes without it: `r1 tricks` for `r1 p2 tricks`."""
    text, seat = localized_sentence(effect.text, ruleset), "" if effect.seat is None else f"p{effect.seat + 1}"
    if any(place != seat and seat in place.split() for place in effect.at):
        text = re.sub(rf"(?<![A-Za-z0-9]){seat} | {seat}(?![A-Za-z0-9])", "", text, count=1)
    return pictures.people(text, seats)


def option_text(option: Option, ruleset: str, seats: Sequence[SeatInfo], *, is_asked: bool = False) -> str:
    """A move that could be made, in notation and in the words of the timeline; `seats` are those at its entry.

    It has the name of its type if no effects are known before chance, or if its notation has no word. A question that
    `is_asked` does not tell who would win by it.
    """
    rules, kind = RULESETS.get(ruleset), type_text(option.type, ruleset)
    known = [effect for effect in option.effects if rules and effect.kind in rules.effect_sentences]
    effects = [explain(rules, effect) for effect in known if rules and not (is_asked and is_ending(effect.kind))]
    told = [effect_text(effect, ruleset, seats) for effect in effects]
    if not (told and _has_word(option.move)):
        told = [kind, *told]
    found = " · ".join(filter(None, told))
    return option.move if found in {"", option.move} else f"{option.move} ({found})"


def named_move(option: Option, ruleset: str) -> str:
    """The notation of a move in a sentence. One without a word, such as `-`, has the name of its type, too."""
    kind = "" if _has_word(option.move) else type_text(option.type, ruleset)
    return f"{option.move} ({kind})" if kind else option.move


def _has_word(notation: str) -> bool:
    return any(letter.isalpha() for letter in notation)


def is_ending(kind: str) -> bool:
    """Whether effects of a kind say that the game is over, and who won."""
    return kind.startswith("game.")


def type_text(name: str, ruleset: str) -> str:
    """The name of a type of moves."""
    plain = name.replace("_", " ")
    return plain if locale() == ENGLISH else words(locale(), ruleset).get(f"{MOVE}{plain}", plain)
