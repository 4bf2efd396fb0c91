"""The syntax of games as text for one ruleset, made from its options, notation, adjustments, and a game."""

from __future__ import annotations

import random
from contextlib import suppress
from functools import cache, partial
from itertools import islice
from typing import TYPE_CHECKING, Any

import msgspec

from games import transcript
from games.contract import choice_texts, option_text
from games.errors import BadOpeningError
from games.examination.plays import option_settings
from games.playout import playout
from games.transcript import Comment, Opening, Transcript, TranscriptStep
from games.transcript_lines import EXAMPLES, Name
from service.api.rulebooks import Example, examples_in
from service.languages import gettext, gettext_noop, locale

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from games.contract import Ruleset, State
    from games.transcript import WrittenEntry
    from service.api.answers.rulesets import AdjustmentInfo, RulesetDetail

SWITCH = "option"
"""The adjustment that switches an option."""

MOVES = 8
"""How many moves the sample has."""

MEANINGS = {
    "note": gettext_noop("a note about an entry; bookmark marks the moment"),
    "claim": gettext_noop("what the table wrote down: totals (? for none), lines, and a text"),
    "seat": gettext_noop("somebody else sits there from here on; ? is a guest"),
    "close": gettext_noop("the record is complete: finished, adjudicated or abandoned"),
    "reopen": gettext_noop("the record of a closed game goes on"),
    "withdraw": gettext_noop("an entry does not count"),
    "replace": gettext_noop("this move was made, not the move of an entry"),
    "insert": gettext_noop("this move was made right after an entry"),
    "reveal": gettext_noop("the same move, with facts that it left open"),
    "ruling": gettext_noop("a ruling right after an entry, with its referee"),
    "revoke": gettext_noop("a ruling no longer counts"),
    "revision": gettext_noop("the whole game follows that revision of its rules"),
}
"""What each word after `#` means."""

ANYWHERE = (
    ("MOVE ! REASON", gettext_noop("a move that broke a rule and counts, and why")),
    ("; TEXT", gettext_noop("a note")),
    ("; bookmark: TEXT", gettext_noop("a note that marks the moment")),
    ("; breaks RULE", gettext_noop("the rule that the move above broke; for readers")),
    ("#3", gettext_noop("gives the entry above the name #3, so that others can name it; #1 is the opening")),
    ("#3 replaced by #7", gettext_noop("the same, and what became of the entry; for readers")),
)
"""What stands beside or below moves."""

CHOICES = (
    ("keep=#4,#6", gettext_noop("in a correction: later entries that break a rule after it and still count")),
    ("withdraw=#5", gettext_noop("in a correction: later entries that do not count after it")),
    ('override="REASON"', gettext_noop("in a correction: why its move counts although it breaks a rule")),
)
"""The further words of corrections."""


class Section(msgspec.Struct, frozen=True):
    """A part of the syntax: its title, and examples with their meanings."""

    title: str
    examples: list[Example]


def sections(ruleset: Ruleset, detail: RulesetDetail) -> list[Section]:
    """The syntax of a ruleset's games, part by part, in the reader's language."""
    return [
        Section(gettext("Headers"), list(_headers(ruleset))),
        Section(gettext("Moves"), examples_in(ruleset, locale())),
        Section(gettext("Beside and below a move"), _told(*ANYWHERE)),
        Section(gettext("Rulings"), _rulings(detail)),
        Section(gettext("Other entries"), [*_others(ruleset), *_told(*CHOICES)]),
    ]


def _told(*lines: tuple[str, str]) -> list[Example]:
    return [Example((line,), gettext(meaning), locale()) for line, meaning in lines]


def _headers(ruleset: Ruleset) -> Iterator[Example]:
    """The headers that an import uses."""
    first, last = ruleset.seats[0], ruleset.seats[-1]
    yield from _told(
        (f'[Ruleset "{ruleset.name}"]', gettext_noop("this header is required; all others can be left out")),
        (f'[Revision "{ruleset.revision}"]', gettext_noop("the revision of the rules; the newest, if it is left out")),
    )
    seats = gettext("from %(first)s to %(last)s", first=first, last=last) if first < last else str(first)
    yield Example((f'[Seats "{first}"]',), gettext("how many sit at the table: %(seats)s", seats=seats), locale())
    for option in ruleset.options:
        choices = ", ".join(choice_texts(option.choices))
        yield Example((f'[Option.{option.name} "{option_text(option.default)}"]',), choices, locale())
    if ruleset.components_help:
        yield from _told(('[Components "{…}"]', gettext_noop("the components of the box, as JSON")))
    yield from _told(
        ('[Title "Friday"]', gettext_noop("the title")),
        ('[Place "Porto"]', gettext_noop("the place")),
        ('[Date "2026.11.28"]', gettext_noop("the day of play")),
        (f'[{ruleset.seat_tag(0)} "Aiko"]', gettext_noop("who sat there at the opening; ? is a guest")),
        ('[Result "*"]', gettext_noop("the winners, draw, nobody, or * if the game goes on; for readers")),
    )


def _rulings(detail: RulesetDetail) -> list[Example]:
    house_rule = _told(("* ! REASON", gettext_noop("a ruling in words")))
    joined = _told(("A + B", gettext_noop("several adjustments in one ruling")))
    given = [Example((f"* {example_of(detail, each)} ! REASON",), each.help, locale()) for each in detail.adjustments]
    return [*house_rule, *given, *(joined if given else ())]


def _others(ruleset: Ruleset) -> list[Example]:
    first, last = ruleset.seat_tag(0), ruleset.seat_tag(ruleset.seats[0] - 1)
    lines = {word: example.format(first=first, last=last) for word, example in EXAMPLES.items()}
    return _told(*((line, MEANINGS[word]) for word, line in lines.items() if word != "ruling" or ruleset.adjustments))


@cache
def sample(ruleset: Ruleset) -> str:
    """The beginning of a sample game as text, with a note, a name, and a claim. It is always the same."""
    opening, steps = max(_begun(ruleset), key=lambda begun: len(begun[1]))
    entries = list(transcript.transcribe(ruleset, opening, steps))
    tags = transcript.tags(ruleset, opening, {0: "Aiko"}, None, Title="A sample", Date="2026.11.28")
    tags.pop("Components", None)
    return transcript.write(Transcript(tags, (*_commented(entries), _claim(ruleset, opening.seats))))


def _begun(ruleset: Ruleset) -> Iterator[tuple[Opening, list[TranscriptStep]]]:
    """Games of the default options, and of others, until one has enough moves."""
    seats = max(2, ruleset.seats[0])
    for options in ({option.name: option.default for option in ruleset.options}, *option_settings(ruleset)):
        chance = random.Random(ruleset.name)  # noqa: S311 - a sample
        opening = Opening(options, ruleset.components(options), seats, ruleset.revision)
        with suppress(BadOpeningError):
            state = ruleset.open(options, opening.components, seats, ruleset.revision)
            played = islice(playout(state, chance, partial(_going_on, chance)), MOVES)
            steps = [TranscriptStep(move=move) for move, _ in played]
            yield opening, steps
            if len(steps) == MOVES:
                return


def _going_on(chance: random.Random, state: State, moves: Sequence[Any]) -> Any:
    """A move that does not end the game, if there is one."""
    open_ended = [move for move in moves if not _ends(state.copy(), move)]
    return chance.choice(open_ended) if open_ended else None


def _ends(state: State, move: Any) -> bool:
    state.apply(move)
    return state.outcome() is not None


def _commented(entries: list[WrittenEntry]) -> list[WrittenEntry]:
    replace = msgspec.structs.replace
    noted = replace(entries[1], comments=(Comment("a note about the game"), Comment("here it began", bookmark=True)))
    named = replace(entries[-1], name=Name(len(entries) + 3))
    return [entries[0], noted, *entries[2:-1], named]


def _claim(ruleset: Ruleset, seats: int) -> WrittenEntry:
    totals = tuple(f"{ruleset.seat_tag(seat)}=0" for seat in range(seats))
    return transcript.WrittenEntry("", "written down by the table", word="claim", words=totals)


# An adjustment as people type it


def example_of(ruleset: RulesetDetail, adjustment: AdjustmentInfo) -> str:
    """An adjustment in notation, with possible values of its fields."""
    switched = _switched(ruleset) if adjustment.name == SWITCH else {}
    fields = {name: form for name, form in adjustment.schema["properties"].items() if name != "type"}
    values = [
        f"{name}={switched.get(name) or _sample(ruleset, form, number)}"
        for number, (name, form) in enumerate(fields.items())
    ]
    return " ".join([adjustment.name, *values])


def _sample(ruleset: RulesetDetail, form: dict[str, Any], number: int) -> str:
    """A value of the field `number`, which has this JSON Schema."""
    form = form.get("anyOf", [form])[0]
    if "x-seat" in form:
        return ruleset.seat_names[0].en.replace(" ", "")
    if "enum" in form:
        return str(form["enum"][number % len(form["enum"])])
    if form["type"] == "array":
        items: dict[str, Any] = form["items"]
        count = ruleset.min_seats if items.get("type") == "integer" else 1
        return ",".join(_sample(ruleset, items, place) for place in range(count))
    return str(min(number + 1, form.get("maximum", number + 1)))


def _switched(ruleset: RulesetDetail) -> dict[str, str]:
    """The values that switch an option of the ruleset."""
    for option in ruleset.options:
        if option.switchable:
            other = next(choice for choice in option.choices if choice != option.default)
            return {"name": option.name, "value": option_text(other)}
    return {}
