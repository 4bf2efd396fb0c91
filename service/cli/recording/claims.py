"""Claims: the table's own score, and its comparison with the audit."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import click

from events import limits
from service.api.answers.games import Claims, GameInfo
from service.cli.recording.entries import EntryWriter, with_writer
from service.cli.shell import screen, wording
from service.cli.shell.arguments import Version, game_argument, json_option
from service.cli.shell.connection import with_client
from service.cli.shell.references import game_id
from service.cli.shell.seats import seat_named
from service.languages import gettext

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.table import Table

    from games.contract import ScoreLine
    from projections.claims import ClaimCompared
    from service.api.answers.games import SeatInfo
    from service.cli.shell.client import Client

UNWRITTEN = "?"


class Total(click.ParamType[int | None]):
    """Points, or `?` for a missing total."""

    name = "score"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """A number, or None for a missing total. Fails for anything else."""
        try:
            return None if value == UNWRITTEN else _read(str(value))
        except ValueError as error:
            self.fail(str(error), param, ctx)


@click.command(context_settings={"ignore_unknown_options": True})
@game_argument
@click.argument("scores", nargs=-1, type=Total(), metavar="SCORE...")
@click.option("--line", "lines", multiple=True, metavar="SEAT:CATEGORY:POINTS", help="A line of the table's paper.")
@click.option("--entry", type=Version, metavar="VERSION", help="Written after this entry, not after the last one.")
@click.option("--text", default="", help="A text about the score.")
@with_writer
@with_client()
def claim(
    client: Client,
    game: str,
    scores: tuple[int | None, ...],
    lines: tuple[str, ...],
    entry: int | None,
    text: str,
    writer: EntryWriter,
) -> None:
    """Record the scores that the table wrote down: one for each seat, in order; ? if none was written.

    --line records one line of the paper, with the scores or alone: --line White:bridges:3. `kifu claims` compares all
    of it with the audit.
    """
    typed = [_line(line) for line in lines]
    game = game_id(client, game)
    seats = client.get(f"/v1/games/{game}", GameInfo).seats
    placed = [{"seat": seat_named(seats, seat).seat, **rest} for seat, rest in typed]
    data: dict[str, Any] = {"scores": scores, "lines": placed, "text": text}
    data |= {"entry": entry} if entry else {}
    writer.write(
        client,
        game,
        "score.claimed",
        data,
        lambda claimed: gettext("Claimed as entry %(version)s.", version=claimed.version),
    )


def _line(text: str) -> tuple[str, dict[str, Any]]:
    """The seat of a line as it was typed, and the rest. Raises `UsageError`."""
    seat, sign, rest = text.partition(":")
    category, other, points = rest.rpartition(":")
    if not (sign and other):
        raise click.UsageError(gettext("--line %(text)s: write it as SEAT:CATEGORY:POINTS.", text=text))
    try:
        return seat, {"category": category, "points": _read(points)}
    except ValueError as error:
        raise click.UsageError(gettext("--line %(text)s: %(error)s", text=text, error=error)) from None


def _read(text: str) -> int:
    """The points that were typed. Raises `ValueError`."""
    if not re.fullmatch("[-+]?[0-9]{1,13}", text) or abs(int(text)) > limits.POINTS:
        raise ValueError(
            gettext(
                "%(text)s: write a number of points up to %(points)s, or %(unwritten)s",
                text=f"{text!r}",
                points=f"{limits.POINTS:,}",
                unwritten=UNWRITTEN,
            )
        )
    return int(text)


@click.command()
@game_argument
@json_option
@with_client()
def claims(client: Client, game: str, as_json: bool) -> None:
    """Compare what the table wrote down with the audit: each difference with the entries that it comes from."""
    game = game_id(client, game)
    path = f"/v1/games/{game}/claims"
    if as_json:
        click.echo(client.fetch(path))
        return
    found = client.get(path, Claims).claims
    if not found:
        screen.hint(gettext("The table claimed nothing. `kifu claim` records what it wrote down."))
    seats = client.get(f"/v1/games/{game}", GameInfo).seats
    for compared in found:
        verdict = gettext("agrees with the audit") if compared.agrees else gettext("differs from the audit")
        screen.out().print(
            gettext(
                "Claim %(version)s, of the moment after entry %(entry)s, %(verdict)s.",
                version=compared.version,
                entry=compared.entry,
                verdict=verdict,
            )
        )
        if compared.text:
            screen.out().print(compared.text, style="italic")
        screen.out().print(_compared(compared, seats))


def _compared(claim: ClaimCompared, seats: Sequence[SeatInfo]) -> Table:
    """The totals of a claim, and its lines that differ, beside the audit."""
    rows = screen.table("seat", "for", "written", "audit", "more", "entries", right=("written", "audit", "more"))
    for total in claim.seats:
        who, more = wording.person(seats[total.seat]), total.difference
        rows.add_row(
            who, "total", _points(total.claimed), str(total.audited), _more(more), _why(total.explained_by, total.twice)
        )
    for line in claim.lines:
        if line.difference:
            who = wording.person(seats[line.seat])
            written, audited = _points(line.claimed), "" if line.audited is None else str(line.audited)
            rows.add_row(who, line.category, written, audited, _more(line.difference), _why(line.lines, line.twice))
    return rows


def _points(points: int | None) -> str:
    return UNWRITTEN if points is None else str(points)


def _more(difference: int | None) -> str:
    return f"{difference:+}" if difference else ""


def _why(lines: Sequence[ScoreLine], twice: Sequence[ScoreLine]) -> str:
    """The source of a difference: lines of the audit, or lines that the paper counts twice."""
    return gettext(" or ").join(
        filter(None, (_cited(lines), gettext("counted twice: %(cited)s", cited=_cited(twice)) if twice else ""))
    )


def _cited(lines: Sequence[ScoreLine]) -> str:
    """Lines of the audit by the entries that they come from: `12 (+2 bridges)`."""
    return ", ".join(f"{line.version} ({line.points:+} {line.category})" for line in lines)
