"""Rulings: decisions of a referee, and house rules."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import click

from service.api.answers.games import GameInfo
from service.cli.recording.corrections import reason_data
from service.cli.recording.entries import EntryWriter, with_correction_options
from service.cli.shell import wording
from service.cli.shell.arguments import Version, game_argument, reason_option
from service.cli.shell.connection import with_client
from service.cli.shell.lines import adjustments_in
from service.cli.shell.references import game_id
from service.cli.shell.seats import named_person, with_numbers
from service.languages import gettext

if TYPE_CHECKING:
    from collections.abc import Sequence

    from service.cli.shell.client import Client
    from service.recording.judging import RecordedEntry


@click.command()
@game_argument
@click.argument("adjustments", nargs=-1, metavar="[ADJUSTMENT]...")
@click.option("--reason", required=True, help="What was decided, and why.")
@click.option("--after", type=Version, metavar="ENTRY", help="The ruling was given right after this entry, not now.")
@click.option("--referee", metavar="PLAYER", help="Who decided: a name, or an id.")
@with_correction_options
@with_client()
def rule(
    client: Client,
    game: str,
    adjustments: tuple[str, ...],
    reason: str,
    after: int | None,
    referee: str | None,
    writer: EntryWriter,
) -> None:
    """Give a ruling: kifu rule last points seat=White points=-3 --reason "a card was hidden".

    `kifu rulesets NAME` shows the adjustments of a game. A seat goes by its number from 1 on, by what the ruleset calls
    it, or by who sits there. A ruling can have several adjustments, with a + between them. One without any is a house
    rule in words.
    """
    game = game_id(client, game)
    data: dict[str, Any] = {} if after is None else {"after": after}
    if referee is not None:
        data |= named_person(referee, by_id="referee", by_name="referee_name")
    seats = client.get(f"/v1/games/{game}", GameInfo).seats
    data["adjustments"] = adjustments_in(with_numbers(seats, _joined(adjustments)))
    writer.write(client, game, "ruling.given", data | {"reason": reason}, _ruled)


def _joined(words: Sequence[str]) -> str:
    """The line of a ruling. Its adjustments came whole, or broken into words; `seat=Anna Maria` is one word."""
    whole = any(" " in word.partition("=")[0] for word in words)
    quoted = (re.sub(r'^(\w+)=([^"]*\s[^"]*)$', r'\1="\2"', word) for word in words)
    return " + ".join(words) if whole else " ".join(quoted)


def _ruled(recorded: RecordedEntry) -> str:
    return gettext("Ruled as entry %(version)s: %(ruling)s", version=recorded.version, ruling=wording.ruling(recorded))


@click.command()
@game_argument
@click.argument("ruling", type=Version, metavar="RULING")
@reason_option
@with_correction_options
@with_client()
def revoke(client: Client, game: str, ruling: int, reason: str, writer: EntryWriter) -> None:
    """Revoke the ruling of entry RULING: it stays in the record and no longer counts."""
    data = {"ruling": ruling} | reason_data(reason)
    writer.write(
        client,
        game_id(client, game),
        "ruling.revoked",
        data,
        lambda _: gettext("The ruling of entry %(ruling)s is revoked.", ruling=ruling),
    )
