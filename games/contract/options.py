"""Options: switches of a ruleset, set when a game is opened."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import msgspec

from games.errors import BadOpeningError
from games.words import Title, first_few

if TYPE_CHECKING:
    from collections.abc import Sequence

Choices = Mapping[str, bool | int | str]
"""The values of options by the options' names."""


class Addition(Title, frozen=True):
    """The name of a word that can be added to a choice; at most one word of each `group`."""

    group: str | None = None


class Option(msgspec.Struct, frozen=True, kw_only=True):
    """A switch of a ruleset, set when a game is opened.

    `choices` are all its values, and `default` is the value if nothing is chosen. At any other value, the rules with
    the ids `adds` are added, and those with the ids `replaces` are replaced. A ruling can change a `switchable` option
    during the game. `names` are the names of the choices. `additions` are words that can be added to a choice, each
    after a `+`.
    """

    name: str
    title: Title
    choices: tuple[bool | int | str, ...]
    default: bool | int | str
    adds: tuple[str, ...] = ()
    replaces: tuple[str, ...] = ()
    switchable: bool = False
    names: tuple[str, ...] = ()
    additions: Mapping[str, Mapping[str, Addition]] = {}

    def allows(self, value: object) -> bool:
        """Whether the value is one of the choices, perhaps with some of its additions, each at most once."""
        choice, words = self.parts(value)
        if not any(choice == known and type(choice) is type(known) for known in self.choices):
            return False
        return set(words) <= self.additions.get(str(choice), {}).keys() and len(set(words)) == len(words)

    def parts(self, value: object) -> tuple[object, list[str]]:
        """A value split into one of the choices and the words added to it."""
        if self.additions and isinstance(value, str):
            choice, *words = value.split("+")
            return choice, words
        return value, []

    def choice_name(self, choice: bool | int | str) -> str:
        """The name of one of the choices: on, off, a number, words."""
        base, words = self.parts(choice)
        if words and self.allows(choice):
            return " + ".join([self.choice_name(str(base)), *(self.additions[str(base)][word].en for word in words)])
        if choice in self.choices[: len(self.names)]:
            return self.names[self.choices.index(choice)]
        if isinstance(choice, bool):
            return "on" if choice else "off"
        return str(choice).replace("_", " ")

    def refusal(self, value: object) -> BadOpeningError:
        """The error for a value that is not allowed."""
        field = f"options.{self.name}"
        name, words = self.parts(value)
        if not words or not self.allows(name):
            said = first_few(choice_texts(self.choices))
            return BadOpeningError(field, f"{value!r} is not one of {said}")
        known = self.additions.get(str(name), {})
        if known.keys() >= set(words):
            name = next(word for word in words if words.count(word) > 1)
            return BadOpeningError(field, f"{name} stands here twice")
        names = ", ".join(known) or "none"
        return BadOpeningError(field, f"{name} has no such option; it has {names}")


def option_text(value: bool | int | str) -> str:
    """An option's value as people type it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def choice_texts(choices: Sequence[bool | int | str]) -> list[str]:
    """An option's choices for people: each as it is typed, but a long run of numbers as `4 to 40`."""
    return [f"{choices[0]} to {choices[-1]}"] if is_long_run(choices) else list(map(option_text, choices))


def is_long_run(choices: Sequence[bool | int | str]) -> bool:
    """Whether the choices are consecutive numbers, too many to name each."""
    first, last = choices[0], choices[-1]
    run = range(first, last + 1) if isinstance(first, int) and isinstance(last, int) else ()
    return len(choices) > FEW and tuple(choices) == tuple(run)


FEW = 5
"""The most consecutive numbers that are named one by one."""
