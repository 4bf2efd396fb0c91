"""Games and entries in words."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import TYPE_CHECKING, Any

from rich.text import Text

from service.cli.screen import seat_style

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from games.contract import Outcome
    from projections.timeline import Breach, Entry, Happening
    from service.answers import GameInfo, SeatInfo
    from service.judging import Recorded

CORRECTIONS = frozenset(
    {"entry.withdrawn", "entry.replaced", "entry.inserted", "move.revealed", "ruling.revoked", "revision.adopted"}
)
"""The types of entries that change what counts of others, or where."""

_DEEDS: dict[str, Callable[[Entry], str]] = {
    "game.opened": lambda _: "opened",
    "entry.withdrawn": lambda entry: f"takes back {entry.entry}",
    "entry.replaced": lambda entry: f"corrects {entry.entry}",
    "move.revealed": lambda entry: f"tells more of {entry.entry}",
    "ruling.revoked": lambda entry: f"revokes {entry.entry}",
    "revision.adopted": lambda entry: f"moves on to revision {entry.revision} of the rules",
    "note.added": lambda entry: "bookmark" if entry.bookmark else "note",
    "score.claimed": lambda entry: f"claims {claimed(entry.claim or {})}",
    "seat.changed": lambda entry: "somebody else sits here" if entry.player else "a guest sits here",
    "game.closed": lambda entry: f"closed: {entry.how}",
    "game.reopened": lambda _: "reopened",
    "record.signed": lambda entry: f"signs all up to {entry.entry}, key {entry.signed.key if entry.signed else '?'}",
}


def counted(count: int, one: str, more: str) -> str:
    """A number of things: `1 entry`, `2 entries`."""
    return f"{count} {one if count == 1 else more}"


def prose(text: str) -> str:
    """A text of a rulebook whose paragraphs are lines; lists and tables keep theirs."""
    lines: list[str] = []
    for line in filter(None, map(str.strip, text.splitlines())):
        if lines and not line.startswith(("* ", "|")) and not lines[-1].startswith("|"):
            lines[-1] += f" {line}"
        else:
            lines.append(line)
    return "\n".join(line for line in lines if line.strip("|-"))


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


def unread(game: GameInfo) -> str | None:
    """Why nothing of a game can be read but what is stored, if that is so: its ruleset is not installed."""
    return game.unreplayable.why if game.unreplayable and game.unreplayable.entry == 1 else None


def status(game: GameInfo) -> str:
    """Where the game stands: whose turn, or how it ended, and whether its record is closed."""
    if missing := unread(game):
        return f"recorded, and not readable here: {missing}"
    if game.outcome:
        stands = ending(game.outcome, game.seats)
    elif game.closed:
        stands = game.closed
    elif game.to_move is None:
        stands = "the table is to act"
    else:
        stands = f"{person(game.seats[game.to_move])} to move"
    return f"{stands}; closed" if game.closed else stands


def day(moment: str) -> str:
    """A time of the API as the local date."""
    return f"{datetime.fromisoformat(moment).astimezone():%Y-%m-%d}"


def actor(entry: Entry | Recorded, seats: Sequence[SeatInfo]) -> Text:
    """Who did it: a seat, or the table for its moves, or the referee; nobody for what is written about the record."""
    if entry.seat is not None:
        return Text(seats[entry.seat].label.en, style=seat_style(entry.seat))
    if entry.type == "ruling.given":
        return Text("Referee")
    return Text("" if entry.notation is None else "Table")


def action(entry: Entry) -> str:
    """What was entered: the notation of a move, or what else it is."""
    if entry.notation is not None:
        return entry.notation
    if entry.unreplayable:
        return f"cannot be replayed: {entry.unreplayable}" + (f": {entry.stored}" if entry.stored else "")
    if entry.move and not entry.notation:
        return "stands after an entry that cannot be replayed"
    return ruling(entry) if entry.type == "ruling.given" else _DEEDS[entry.type](entry)


def ruling(entry: Entry | Recorded) -> str:
    """What a ruling changes, as one types it."""
    return " + ".join(entry.adjustments) or "a house rule in words"


def claimed(claim: Mapping[str, Any]) -> str:
    """What the table wrote down: `3:?`, or how many lines."""
    scores, lines = claim.get("scores", ()), claim.get("lines", ())
    total = ":".join("?" if points is None else str(points) for points in scores)
    return ", ".join(filter(None, (total, lines and counted(len(lines), "line", "lines"))))


def consequences(effects: Sequence[Happening]) -> str:
    """What followed, in sentences."""
    return "; ".join(effect.text for effect in effects)


def irregularity(broken: Sequence[Breach], reason: str | None) -> Text:
    """The rules that an entry broke, and why it stands."""
    rules = "; ".join(f"{breach.why} ({breach.rule})" for breach in broken)
    return Text(f"irregular: {rules}; it stands: {reason or 'no reason given'}", style="yellow")


def remarks(entry: Entry, people: Mapping[str, str]) -> Iterator[Text]:
    """What else is to be said of an entry: its text, the rules that it broke, its corrections; with names by id."""
    if entry.text:
        about = f" (to entry {entry.entry})" if entry.type in {"note.added", "score.claimed"} and entry.entry else ""
        yield Text(entry.text + about, style="italic")
    if entry.irregular:
        yield irregularity(entry.irregular, entry.override)
    if entry.after:
        yield Text(f"inserted after entry {entry.after}", style="dim")
    if entry.replaced_by:
        yield Text(f"recorded first as {entry.original}, corrected by entry {entry.replaced_by}", style="dim")
    if entry.keep:
        yield Text(f"irregular through it: {', '.join(map(str, entry.keep))}", style="dim")
    if entry.withdraw:
        yield Text(f"taken back with it: {', '.join(map(str, entry.withdraw))}", style="dim")
    if entry.signed and entry.signed.changed_by:
        yield Text(f"corrected since by {', '.join(map(str, entry.signed.changed_by))}", style="yellow")
    for erased in entry.erased:
        what = "its text" if erased.what == "text" else "what it hid"
        yield Text(f"{what} was erased by {people.get(erased.by, erased.by)} on {day(erased.at)}", style="dim")
    if entry.withdrawn_by:
        yield Text(f"taken back by entry {entry.withdrawn_by}", style="dim")
