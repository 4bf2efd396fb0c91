"""The errors of moves, openings and notation."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from games.words import FEW, Sentence, first_few

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Self

    import msgspec


_FIELD = re.compile(r"^Object (?:missing required|contains unknown) field `(?P<name>.*)`$")


class RulesetError(Exception):
    """Base of the errors of rulesets."""

    @property
    def message(self) -> str:
        """The message, as a `Sentence` if possible."""
        return str(self)


class _MoveError(RulesetError):
    """An error of a move: `why`, and the `rule` if there is one."""

    rule: str | None

    def __init__(self, rule: str | None, why: Sentence) -> None:
        self.rule, self.why = rule, why
        super().__init__(self.why if rule is None else f"{self.why} ({rule})")

    @property
    def message(self) -> Sentence:
        """The reason, and the rule if there is one, as a sentence."""
        return self.why if self.rule is None else _with_rule(self.why, self.rule)

    def shown_by(self, entries: Iterable[int]) -> Self:
        """Add the entries that show why, if there are any; 0 is none."""
        if listed := sorted({*entries} - {0}):
            _MoveError.__init__(self, self.rule, _with_entries(self.why, listed))
        return self


class RuleBrokenError(_MoveError):
    """The move is against a rule. It can still have happened, and then be recorded with an override.

    `why` is `text`, with the `values` in the places that `{name}` marks.
    """

    rule: str

    def __init__(self, rule: str, text: str, /, **values: object) -> None:
        super().__init__(rule, Sentence(text, **values).by(rule.partition(":")[0]))


class ImpossibleError(_MoveError):
    """The move is physically impossible: the line is taken, the card lies elsewhere. No override helps.

    `why` is `text`, with the `values` in the places that `{name}` marks.
    """

    def __init__(self, text: str, rule: str | None = None, /, **values: object) -> None:
        super().__init__(rule, Sentence(text, **values).by((rule or "").partition(":")[0]))


def _with_entries(why: Sentence, entries: list[int]) -> Sentence:
    return Sentence(
        "{why}: see entry {entries}" if len(entries) == 1 else "{why}: see entries {entries}",
        why=why,
        entries=first_few(map(str, entries), most=FEW),
    ).by(why.of)


def _with_rule(why: Sentence, rule: str) -> Sentence:
    return Sentence("{why} ({rule})", why=why, rule=rule).by(why.of)


class BadMoveError(RulesetError):
    """The JSON of a move does not fit any move of the ruleset. `path` names the field: `cards[1]`."""

    def __init__(self, path: str, why: str) -> None:
        super().__init__(f"{path}: {why}" if path else why)
        self.path, self.why = path, why

    @classmethod
    def of(cls, error: msgspec.DecodeError) -> BadMoveError:
        """Make the error from msgspec's sentence.

        It ends in "- at `$.path`" for an error inside the object, and in "- at `key` in `$.path`" for an error in a
        name. Missing and unknown fields are in the sentence; here the path has them, too.
        """
        why, _, place = str(error).partition(" - at ")
        path = place.rpartition("$")[2].rstrip("`")
        if field := _FIELD.search(why):
            path += f".{field['name']}"
        return cls(path.lstrip("."), why)


class BadOpeningError(RulesetError):
    """A game cannot be opened like this. `field` is `options.<name>`, `components` or `seats`.

    `place` is empty, or holds the `text` of a formula and the offset `at` of the first error.
    """

    def __init__(self, field: str, why: str, **place: str | int) -> None:
        super().__init__(f"{field}: {why}")
        self.field, self.why, self.place = field, why, place


class NotationError(RulesetError):
    """A line of notation does not parse: `at` is the offset of the first character that does not fit."""

    def __init__(self, text: str, at: int, why: str) -> None:
        super().__init__(f"{why}, at character {at + 1} of {text!r}")
        self.text, self.at, self.why = text, at, why

    @property
    def message(self) -> str:
        """The message, as a sentence if `why` is one."""
        if not isinstance(self.why, Sentence):
            return str(self)
        place = {"value": self.at + 1, "text": Sentence(repr(self.text))}
        return Sentence("{why}, at character {value} of {text}", why=self.why, **place).by(self.why.of)


class TranscriptError(RulesetError):
    """A game in text form cannot be read. `line` counts from 1; `cause` is the ruleset's error, if there is one."""

    def __init__(self, line: int, why: str, cause: RulesetError | None = None) -> None:
        super().__init__(f"line {line}: {why}")
        self.line, self.why, self.cause = line, why, cause
