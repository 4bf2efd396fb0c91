"""Seats and options of games on the command line."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

import click

from events.folding import normalized
from games.contract import choice_texts, option_text
from games.words import first_few
from service.api.answers.games import GameInfo
from service.cli.shell import screen
from service.languages import gettext

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from games.contract import Option
    from service.api.answers.games import SeatInfo
    from service.api.answers.rulesets import RulesetDetail
    from service.cli.shell.client import Client

GUEST = "?"
"""A player who is not known."""

MOST_LISTED = 8
"""So many words for seats are all named in a message."""

VIEWS = ("public", "record")
"""Points of view that are no seat's."""

QUOTE = '"'
_SEAT = re.compile(r'((?<!\S)seat=)("[^"]*"|[^\s"]+)', re.IGNORECASE)

_UUID = re.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")


def read_words(words: Sequence[str]) -> tuple[str, dict[str, str]]:
    """The ruleset's name, and the options `--word value` or `--word=value` among the words. Raises `UsageError`."""
    names: list[str] = []
    options: dict[str, str] = {}
    left = iter(words)
    for word in left:
        if not word.startswith("-"):
            names.append(word)
            continue
        option, sign, value = word.partition("=")
        if option in options:
            raise click.UsageError(gettext("%(option)s is given twice.", option=option))
        following = value if sign else next(left, None)
        if following is None:
            raise click.UsageError(gettext("Option %(option)s requires an argument.", option=f"{option!r}"))
        options[option] = following
    if len(names) != 1:
        names_told = gettext("not %(names)s; give a player with --seat", names=" ".join(names))
        what = names_told if names else gettext("`kifu rulesets` lists them")
        raise click.UsageError(gettext("Name one ruleset: %(what)s.", what=what))
    return names[0], options


def seats_of(ruleset: RulesetDetail, names: Sequence[str], named: Mapping[str, str]) -> list[dict[str, str]]:
    """The seats for the request, in the ruleset's order; empty without any given. Raises `UsageError`."""
    labels = [f"--{title.en.lower().replace(' ', '-')}" for title in ruleset.seat_names]
    unknown = next((option for option in named if option not in labels), None)
    if unknown and any(unknown == f"--{option.name}" for option in ruleset.options):
        option = f"--option {unknown[2:]}={named[unknown]}"
        raise click.UsageError(
            gettext("%(name)s is an option of the rules: write %(option)s.", name=unknown, option=option)
        )
    if unknown:
        raise click.UsageError(
            gettext(
                "No such option: %(unknown)s. The seats of %(name)s are %(labels)s.",
                unknown=unknown,
                name=ruleset.name,
                labels=_listed(labels),
            )
        )
    if names and named:
        raise click.UsageError(
            gettext("Name the seats by --seat or by %(labels)s, not by both.", labels=_listed(labels))
        )
    if named:
        last = max(labels.index(option) for option in named) + 1
        names = [named.get(label, GUEST) for label in labels[: max(last, ruleset.min_seats)]]
    return [seat_data(name) for name in names]


def _listed(labels: Sequence[str]) -> str:
    """The words for the seats; the first and the last of very many."""
    return ", ".join(labels) if len(labels) <= MOST_LISTED else f"{labels[0]} … {labels[-1]}"


def ask_about_repeated(names: Sequence[str]) -> None:
    """Ask at a terminal whether a name really stands at two seats, and say so elsewhere. Raises `Abort`."""
    compared = {name: normalized(" ".join(name.split())) for name in names if name not in {GUEST, ""}}
    known = Counter(compared[name] for name in names if name in compared)
    name = next((name for name in names if name in compared and known[compared[name]] > 1), None)
    if name is None:
        return
    question = gettext("%(name)s sits at two seats. Is that right?", name=name)
    if screen.is_conversation():
        click.confirm(question, abort=True, err=True)
    else:
        screen.hint(question)


def seat_data(name: str) -> dict[str, str]:
    """The person of a seat in a request: a name, a player's id, or nothing for a guest."""
    return {} if name == GUEST else named_person(name, by_id="player", by_name="name")


def named_person(text: str, *, by_id: str, by_name: str) -> dict[str, str]:
    """A person in a request: an id in one field, or a name in the other."""
    return {by_id if _UUID.fullmatch(text) else by_name: text}


def seat_named(seats: Sequence[SeatInfo], text: str) -> SeatInfo:
    """The meant seat: its number from 1 on, its name in the ruleset, its player's name, or a clear beginning.

    Raises `UsageError`.
    """
    wanted, number = _folded(text), text.strip()
    if number.isascii() and number.isdigit():
        found = [seat for seat in seats if str(seat.seat + 1) == number]
    else:
        found = (
            [seat for seat in seats if _folded(seat.label.en) == wanted]
            or [seat for seat in seats if wanted and _folded(seat.name or "") == wanted]
            or [seat for seat in seats if wanted and any(word.startswith(wanted) for word in _words(seat))]
        )
    if len(found) == 1:
        return found[0]
    if found:
        raise click.UsageError(
            gettext(
                "%(text)s is ambiguous: it can be %(found)s.", text=f"{text!r}", found=" or ".join(map(_called, found))
            )
        )
    raise click.UsageError(
        gettext(
            "%(text)s is not a seat: the seats are %(seats)s, or 1 to %(seats2)s.",
            text=f"{text!r}",
            seats=", ".join(map(_called, seats)),
            seats2=len(seats),
        )
    )


def _folded(text: str) -> str:
    return normalized("".join(text.split()))


def _words(seat: SeatInfo) -> tuple[str, str]:
    return _folded(seat.label.en), _folded(seat.name or "")


def _called(seat: SeatInfo) -> str:
    """The text to type for a seat: `White (Ben)`."""
    tag = "".join(seat.label.en.split())
    return f"{tag} ({seat.name})" if seat.name else tag


def with_numbers(seats: Sequence[SeatInfo], ruling: str) -> str:
    """The text of a ruling with seat numbers instead of names, which its reader does not know.

    Raises `UsageError`.
    """
    return _SEAT.sub(lambda found: f"{found[1]}{seat_named(seats, found[2].strip(QUOTE)).seat + 1}", ruling)


def viewpoint(client: Client, game: str, text: str | None) -> str | None:
    """The meant viewpoint in the form of a request: a seat, the public, or the whole record.

    Raises `UsageError`.
    """
    if text is None or text in VIEWS:
        return text
    return str(seat_named(client.get(f"/v1/games/{game}", GameInfo).seats, text).seat)


def option_values(ruleset: RulesetDetail, given: Sequence[str]) -> dict[str, bool | int | str]:
    """The values of `name=value` options, of the types that the ruleset has for them. Raises `UsageError`."""
    options = {option.name: option for option in ruleset.options}
    values: dict[str, bool | int | str] = {}
    for pair in given:
        name, sign, text = pair.partition("=")
        if not sign:
            raise click.UsageError(gettext("--option %(pair)s: write it as NAME=VALUE.", pair=pair))
        if name not in options:
            raise click.UsageError(
                gettext(
                    "%(name)s has no option %(name2)s; it has %(value)s.",
                    name=ruleset.name,
                    name2=f"{name!r}",
                    value=", ".join(options) or "none",
                )
            )
        values[name] = _choice(options[name], text)
    return values


def _choice(option: Option, text: str) -> bool | int | str:
    """The meant choice of an option, with its additions: `spades+minus`. Raises `UsageError`."""
    known = {option_text(choice).lower(): choice for choice in option.choices}
    base, *words = text.lower().split("+") if option.additions else [text.lower()]
    if base not in known:
        raise click.UsageError(
            gettext(
                "--option %(name)s: %(text)s is not one of %(choice_texts)s.",
                name=option.name,
                text=f"{text!r}",
                choice_texts=first_few(choice_texts(option.choices)),
            )
        )
    return "+".join([str(known[base]), *words]) if words else known[base]
