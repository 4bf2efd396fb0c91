"""Learning from slips: the board before each, a question, and the better move."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import click
import msgspec

from projections.analyses.review import Review
from service.api.answers.games import GameInfo
from service.api.happened import named_move, option_text
from service.api.reviewing import amount_text, are_close, chance_text, no_slip_text
from service.cli.games.analyses import parameters, wait_for_analysis
from service.cli.games.games import board_of
from service.cli.shell import screen, wording
from service.cli.shell.arguments import at_option, game_argument, json_option, seat_option
from service.cli.shell.connection import with_client
from service.cli.shell.references import game_id
from service.cli.shell.seats import viewpoint
from service.cli.shell.sitters import sitters_of
from service.languages import gettext

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rich.text import Text

    from projections.analyses.review import SeatReview, Slip
    from projections.analyses.turning import Option
    from service.api.answers.games import SeatInfo
    from service.cli.shell.client import Client


class Lesson(msgspec.Struct, frozen=True):
    """A slip as a question: the board before it, and the moves to choose from. `better` was the better one."""

    seat: int
    version: int
    after: int
    board: str
    moves: list[str]
    made: str
    better: str
    loss: float
    margin: float


@click.command()
@game_argument
@click.option(
    "--set", "given", multiple=True, metavar="NAME=NUMBER", help="A parameter of the review; can be repeated."
)
@seat_option
@at_option
@json_option
@with_client()
def learn(client: Client, game: str, given: tuple[str, ...], seat: str | None, at: int | None, as_json: bool) -> None:
    """Learn from the slips of a game: see the board before each, choose a move, and compare.

    The slips are those of the analysis `review`, worst first. Type the number of a move to choose it, and an empty line
    to go on. With --json all slips are printed with their boards and answers.
    """
    game = game_id(client, game)
    body: dict[str, Any] = {"kind": "review", "parameters": parameters(given)}
    if seat is not None:
        seat = body["seat"] = viewpoint(client, game, seat)
    if at is not None:
        body["at"] = at
    found = wait_for_analysis(client, game, body)
    review = msgspec.convert(found.result, Review, strict=False)
    slips = sorted(
        ((slip, own) for own in review.seats for slip in own.slips), key=lambda each: (-each[0].loss.p, each[0].version)
    )

    def board_before(slip: Slip) -> Text:
        return board_of(client, game, at=found.version, after=slip.after, seat=seat)

    if as_json:
        screen.data([_lesson(slip, own, str(board_before(slip))) for slip, own in slips])
        return
    info = client.get(f"/v1/games/{game}", GameInfo)
    table = sitters_of(client, info, seat)
    if not slips:
        screen.out().print(no_slip_text(review))
    for slip, own in slips:
        screen.out().print(board_before(slip))
        _Question(slip, own.seat, info.ruleset, table.at(slip.version)).ask()


def _lesson(slip: Slip, own: SeatReview, board: str) -> Lesson:
    return Lesson(
        own.seat,
        slip.version,
        slip.after,
        board,
        _moves(slip),
        slip.made.move,
        slip.better.move,
        slip.loss.p,
        slip.loss.margin,
    )


def _moves(slip: Slip) -> list[str]:
    """The moves to choose from, in an order that gives no hint."""
    return sorted({option.move for option in _options(slip)})


def _options(slip: Slip) -> tuple[Option, ...]:
    return slip.made, slip.better, *slip.others


class _Question(NamedTuple):
    """A slip of a seat, to learn from. `seats` are those at its entry."""

    slip: Slip
    seat: int
    ruleset: str
    seats: Sequence[SeatInfo]

    def ask(self) -> None:
        """Ask for a move, and print what it is worth, and what was played."""
        who, entry = wording.person(self.seats[self.seat]), self.slip.version
        options = sorted(_options(self.slip), key=lambda option: option.move)
        screen.out().print(gettext("Entry %(entry)s, %(who)s: what would you play?", entry=entry, who=who))
        for number, option in enumerate(options, 1):
            screen.out().print(f"  {number}  {option_text(option, self.ruleset, self.seats, is_asked=True)}")

        def read(typed: str) -> str | None:
            number = click.IntRange(1, len(options))(typed.strip()) if typed.strip() else 0
            return options[number - 1].move if number else None

        asked = gettext("A number, or an empty line to go on")
        chosen = click.prompt(asked, default="", show_default=False, prompt_suffix="> ", value_proc=read)
        for line in self._answer(chosen):
            screen.out().print(line)

    def _answer(self, chosen: str | None) -> Iterator[str]:
        made, better, others = self.slip.made, self.slip.better, self.slip.others
        if chosen == better.move:
            yield gettext("This is the best of these moves.")
        elif chosen == made.move:
            yield gettext("This was played. Another move is better.")
        elif any(option.move == chosen and are_close(better.chances, option.chances) for option in others):
            yield gettext("This is as good as the best of these moves, as far as is known.")
        elif chosen:
            yield gettext("Another move is better.")
        yield gettext(
            "%(better)s is better than %(made)s by %(points)s.",
            better=named_move(better, self.ruleset),
            made=named_move(made, self.ruleset),
            points=amount_text(self.slip.loss),
        )
        for option in sorted(_options(self.slip), key=lambda each: -each.chances.p):
            yield f"  {named_move(option, self.ruleset)}  {chance_text(option.chances)}, n = {option.n}"
