"""The checks of a ruleset's facts: they are complete, and equal in the code and in its RULES.md."""

from __future__ import annotations

import re
from importlib.resources import files
from typing import TYPE_CHECKING, Any

import msgspec

from games import adjustments
from games.errors import BadMoveError, BadOpeningError, ImpossibleError, NotationError
from games.examination.translations import differences
from games.rulebook import ID

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from importlib.resources.abc import Traversable

    from games.contract import JSON, Ruleset

    Fact = Callable[[Ruleset], Iterator[str]]

SHORTEST_TEXT = 20
"""The text of a rule must have more characters than this."""
NO_MOVES = (b"", b"[]", b"null", b"{}", b'{"type": "no such move"}', b'{"type": 3}', b"{", b'{"type": NaN}', b"\xff")
NO_NOTATION = ("", " ", "\x00", "???", "%", "seat: seat: seat", "\ud800", "٣", "𐩀: 1", "-" * 5000)


def _sources(place: Traversable) -> Iterator[str]:
    """The texts of all Python files of a folder."""
    for file in place.iterdir():
        if file.is_dir():
            yield from _sources(file)
        elif file.name.endswith(".py"):
            yield file.read_text(encoding="utf-8")


def the_code_cites_the_rules_of_the_rulebook(ruleset: Ruleset) -> Iterator[str]:
    """Every rule that the code cites is in RULES.md, and the other way round."""
    cited = set()
    for text in _sources(files(ruleset.package)):
        cited |= set(re.findall(rf"{ruleset.name}:(?:{ID})\b", text))
    if ruleset.adjustments:
        cited.add(ruleset.ruling)
    for rule in sorted(cited - set(ruleset.rulebook)):
        yield f"{rule} is cited, and not in RULES.md"
    for rule in sorted(set(ruleset.rulebook) - cited):
        yield f"{rule} is in RULES.md, and nothing cites it"


def every_rule_has_titles_and_a_text(ruleset: Ruleset) -> Iterator[str]:
    """Titles are in English and Japanese, and each rule that a text refers to exists."""
    for rule in ruleset.rulebook.values():
        if not rule.en or not rule.ja:
            yield f"the heading of {rule.id} needs a title in English, a slash, and one in Japanese"
        if len(rule.text) <= SHORTEST_TEXT:
            yield f"the text of {rule.id} has {len(rule.text)} characters: say the rule in a sentence"
        for name in re.findall(r"\b[A-Z]{2,}-[0-9]+\b", rule.text):
            if f"{ruleset.name}:{name}" not in ruleset.rulebook:
                yield f"{rule.id} refers to {name}, which is not there"


def a_translation_says_what_the_rulebook_says(ruleset: Ruleset) -> Iterator[str]:
    """A translation has the same rules in the same order, numbers, code and references, and no English text."""
    for book in ruleset.translations.values():
        yield from differences(ruleset.rulebook, book)


def options_name_their_choices_and_rules(ruleset: Ruleset) -> Iterator[str]:
    """The default is a choice, and the rules that an option adds or replaces exist."""
    for option in ruleset.options:
        if option.default not in option.choices or not set(ruleset.examined_choices.get(option.name, ())) <= set(
            option.choices
        ):
            yield f"the option {option.name} has a default that is none of its choices"
        if missing := {*option.adds, *option.replaces} - set(ruleset.rulebook):
            yield f"the option {option.name} names {', '.join(sorted(missing))}, not in RULES.md"


def an_option_is_kept_in_the_state(ruleset: Ruleset) -> Iterator[str]:
    """A game opens with another state for at least one choice of each option."""
    for option in ruleset.options:
        choices = ruleset.examined_choices.get(option.name, option.choices)
        if len(choices) > 1 and not any(_opens_otherwise(ruleset, option.name, choice) for choice in choices):
            yield f"the option {option.name} has no effect: all its choices open the same state"


def _opens_otherwise(ruleset: Ruleset, name: str, choice: bool | int | str) -> bool:
    """Whether a choice opens another state than the default. A choice that is refused for some seats does, too."""
    for seats in ruleset.seats:
        try:
            if ruleset.open({name: choice}, None, seats) != ruleset.open({}, None, seats):
                return True
        except BadOpeningError:
            return True
    return False


def every_revision_says_what_changed(ruleset: Ruleset) -> Iterator[str]:
    """`changes` has a line for each revision, and the oldest kept revision is one of them."""
    if len(ruleset.changes) != ruleset.revision:
        yield f"revision {ruleset.revision}, and {len(ruleset.changes)} lines of what changed"
    if ruleset.oldest_revision not in range(1, ruleset.revision + 1):
        yield f"what was is kept since revision {ruleset.oldest_revision}, which is none of 1 to {ruleset.revision}"


def kinds_of_effects_are_those_in_the_code(ruleset: Ruleset) -> Iterator[str]:
    """Each kind of effect is a noun and a participle."""
    used = set(adjustments.sentences_of(ruleset.adjustments))
    for text in _sources(files(ruleset.package)):
        used |= set(re.findall(r'Effect\(\s*"([a-z_.]+)"', text))
    for kind in sorted(used ^ set(ruleset.effect_sentences)):
        yield f"{kind} is {'used, and has no sentence' if kind in used else 'a kind that nothing uses'}"
    for kind in ruleset.effect_sentences:
        if not re.fullmatch(r"[a-z_]+\.[a-z]+", kind):
            yield f"{kind!r} is not named like `card.drawn`: a noun, a full stop and a participle"


def a_state_knows_how_many_play(ruleset: Ruleset) -> Iterator[str]:
    """`State.seats` is the number of seats that the game was opened with, and `State.teams` has a team for each."""
    for seats in ruleset.seats:
        try:
            state = ruleset.open({}, None, seats)
        except BadOpeningError:  # the default options may be for fewer seats
            continue
        if state.seats != seats:
            yield f"the state of a game for {seats} seats has `seats` {state.seats}: give it the property `seats`"
        if len(state.teams) not in {0, seats}:
            yield f"the state of a game for {seats} seats has `teams` {state.teams}: name a team for each seat"


def a_bad_opening_names_the_field(ruleset: Ruleset) -> Iterator[str]:
    """This tries unknown options, invalid choices, too few or too many seats, and invalid components."""
    least = ruleset.seats.start
    trials: list[tuple[Mapping[str, Any], JSON | None, int, str]] = [
        ({"no_such_option": True}, None, least, "options.no_such_option"),
        ({}, None, 0, "seats"),
        ({}, None, 99, "seats"),
        ({}, {"no": "such component"}, least, "components"),
    ]
    for option in ruleset.options:
        wrong = ("no such choice", 99, 1.0 if True in option.choices else None)
        trials += [({option.name: value}, None, least, f"options.{option.name}") for value in wrong]
    for options, components, seats, field in trials:
        try:
            ruleset.open(options, components, seats)
        except BadOpeningError as error:
            if error.field.removesuffix(".no") != field:
                yield f"opened with {options}, {components}, {seats} seats it names {error.field} instead of {field}"
        else:
            yield f"it can be opened with {options}, {components} and {seats} seats"


def what_is_no_move_is_refused(ruleset: Ruleset) -> Iterator[str]:
    """Invalid moves are refused: as JSON with the field, as text with the place."""
    for data in NO_MOVES:
        try:
            ruleset.read_move(data)
        except BadMoveError:
            continue
        yield f"{data!r} is read as a move"
    state = ruleset.open({}, None, ruleset.seats.start)
    for text in NO_NOTATION:
        try:
            state.parse(text)
        except NotationError as error:
            if 0 <= error.at <= len(text):
                continue
        yield f"{text[:20]!r} is read as a move, or refused at no place of it"


def every_adjustment_is_described_and_limited(ruleset: Ruleset) -> Iterator[str]:
    """RULES.md names each adjustment under RULING, and a ruling for invalid seats or ranks is refused."""
    if not ruleset.adjustments:
        return
    text = ruleset.rulebook[ruleset.ruling].text
    for form in ruleset.adjustments:
        if f"`{form.__struct_config__.tag}`" not in text:
            yield f"RULES.md does not say what the adjustment {form.__struct_config__.tag} does"
    switches = adjustments.Switch in ruleset.adjustments
    for option in ruleset.options:
        if option.switchable != (switches and f"`{option.name}`" in text):
            yield f"the code and RULES.md disagree on whether {option.name} can be switched"
    wrong = (adjustments.Resign(seat=19), adjustments.Adjudge(ranks=(1,) * 20), adjustments.Points(seat=19, points=1))
    for adjustment in (each for each in wrong if type(each) in ruleset.adjustments):
        state = ruleset.open({}, None, ruleset.seats.start)
        kept = state.copy()
        try:
            state.adjust([adjustment])
        except ImpossibleError as error:
            if error.rule == ruleset.ruling and state == kept:
                continue
        yield f"{adjustment} can be ruled, or is refused without {ruleset.ruling}"


def the_moves_have_a_json_schema(ruleset: Ruleset) -> Iterator[str]:
    """The API's description needs a schema of all moves."""
    if not {"anyOf", "$ref"} & msgspec.json.schema(ruleset.moves).keys():
        yield "its moves are no classes"


FACTS: tuple[Fact, ...] = (
    the_code_cites_the_rules_of_the_rulebook,
    every_rule_has_titles_and_a_text,
    a_translation_says_what_the_rulebook_says,
    options_name_their_choices_and_rules,
    an_option_is_kept_in_the_state,
    every_revision_says_what_changed,
    kinds_of_effects_are_those_in_the_code,
    a_state_knows_how_many_play,
    a_bad_opening_names_the_field,
    what_is_no_move_is_refused,
    every_adjustment_is_described_and_limited,
    the_moves_have_a_json_schema,
)
"""The checks that run once for a ruleset. Each yields the faults."""
