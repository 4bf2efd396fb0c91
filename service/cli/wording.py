"""Games and entries in words."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from rich.text import Text

from service.cli.screen import seat_style

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from games.contract import Outcome
    from projections.timeline import Breach, Entry, Happening
    from service.answers import GameInfo, SeatInfo
    from service.judging import Recorded

_DEEDS = {"game.opened": "opened", "entry.withdrawn": "takes back {entry}", "note.added": "note"}


def counted(count: int, one: str, more: str) -> str:
    """A number of things: `1 entry`, `2 entries`."""
    return f"{count} {one if count == 1 else more}"


def person(seat: SeatInfo) -> str:
    """Who sits there: the name, or what the ruleset calls the seat."""
    return seat.name or seat.label.en


def seated(seats: Sequence[SeatInfo]) -> Text:
    """Everybody at the table, in their colours: `Black Anna, White Ben`."""
    named = [Text(f"{seat.label.en} {seat.name or '?'}", style=seat_style(seat.seat)) for seat in seats]
    return Text(", ").join(named)


def points(scores: Sequence[int]) -> str:
    """Scores by seat: `3:1`."""
    return ":".join(map(str, scores))


def ending(outcome: Outcome, seats: Sequence[SeatInfo]) -> str:
    """How the game ended: `Anna wins (points, kahuna:WIN-1)`."""
    by = f"({outcome.reason.replace('_', ' ')}, {outcome.rule})"
    winners = len(outcome.winners)
    if not winners:
        return f"nobody wins {by}"
    if 1 < winners == len(seats) and not outcome.together:
        return f"a draw {by}"
    verb = "wins" if winners == 1 else "win"
    return f"{' and '.join(person(seats[seat]) for seat in outcome.winners)} {verb} {by}"


def status(game: GameInfo) -> str:
    """Where the game stands: whose turn, or how it ended."""
    if game.outcome:
        return ending(game.outcome, game.seats)
    if game.to_move is None:
        return "the table is to act"
    return f"{person(game.seats[game.to_move])} to move"


def day(moment: str) -> str:
    """A time of the API as the local date."""
    return f"{datetime.fromisoformat(moment).astimezone():%Y-%m-%d}"


def actor(entry: Entry | Recorded, seats: Sequence[SeatInfo]) -> Text:
    """Who did it: a seat, or the table for its moves; nobody for what is no move."""
    if entry.type != "move.made":
        return Text("")
    if entry.seat is None:
        return Text("Table")
    return Text(seats[entry.seat].label.en, style=seat_style(entry.seat))


def deed(entry: Entry) -> str:
    """What was entered: the notation of a move, or what else it is."""
    if entry.notation is not None:
        return entry.notation
    return _DEEDS[entry.type].format(entry=entry.entry)


def consequences(effects: Sequence[Happening]) -> str:
    """What followed, in sentences."""
    return "; ".join(effect.text for effect in effects)


def irregularity(broken: Sequence[Breach], reason: str | None) -> Text:
    """The rules that an entry broke, and why it stands."""
    rules = "; ".join(f"{breach.why} ({breach.rule})" for breach in broken)
    return Text(f"irregular: {rules}; it stands: {reason or 'no reason given'}", style="yellow")


def remarks(entry: Entry) -> Iterator[Text]:
    """What else is to be said of an entry: its text, the rules that it broke, whether it still counts."""
    if entry.text:
        about = f" (to entry {entry.entry})" if entry.type == "note.added" and entry.entry else ""
        yield Text(entry.text + about, style="italic")
    if entry.irregular:
        yield irregularity(entry.irregular, entry.override)
    if entry.withdrawn_by:
        yield Text(f"taken back by entry {entry.withdrawn_by}", style="dim")
