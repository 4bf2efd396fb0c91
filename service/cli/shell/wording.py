"""Games and entries in words."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from rich.text import Text

from service.cli.shell.clock import local_day
from service.cli.shell.screen import seat_style
from service.languages import ENGLISH, gettext, locale, localized, ngettext
from service.languages.sentences import localized_sentence

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from games.contract import Deciding, Outcome, Title
    from games.rulebook import Rule
    from projections.timeline import Breach, EffectInfo, Entry
    from service.api.answers.games import GameInfo, SeatInfo
    from service.recording.judging import RecordedEntry

CORRECTIONS = frozenset(
    {"entry.withdrawn", "entry.replaced", "entry.inserted", "move.revealed", "ruling.revoked", "revision.adopted"}
)
"""The types of entries that change what counts of others, or where."""


def _signature(entry: Entry) -> str:
    """What a signature signs and, if it is for a seat, whether the seat's own person entered it."""
    signed = entry.signed
    said = gettext(
        "signs everything up to %(entry)s, key %(key)s", entry=entry.entry, key=signed.key if signed else "?"
    )
    if signed is None or entry.seat is None:
        return said
    who = (
        gettext("entered by the player of the seat")
        if signed.own
        else gettext("entered by somebody other than the player")
    )
    return f"{said} ({who})"


_DEEDS: dict[str, Callable[[Entry], str]] = {
    "game.opened": lambda _: gettext("opened"),
    "entry.withdrawn": lambda entry: gettext("takes back %(entry)s", entry=entry.entry),
    "entry.replaced": lambda entry: gettext("corrects %(entry)s", entry=entry.entry),
    "move.revealed": lambda entry: gettext("adds details to %(entry)s", entry=entry.entry),
    "ruling.revoked": lambda entry: gettext("revokes %(entry)s", entry=entry.entry),
    "revision.adopted": lambda entry: gettext(
        "moves on to revision %(revision)s of the rules", revision=entry.revision
    ),
    "note.added": lambda entry: gettext("bookmark") if entry.bookmark else gettext("note"),
    "score.claimed": lambda entry: gettext("claims %(claimed)s", claimed=claim_text(entry.claim or {})),
    "seat.changed": lambda entry: gettext("somebody else sits here") if entry.player else gettext("a guest sits here"),
    "game.closed": lambda entry: gettext("closed: %(how)s", how=gettext(str(entry.how))),
    "game.reopened": lambda _: gettext("reopened"),
    "entry.erased": lambda entry: (
        gettext("erases the text of %(entry)s", entry=entry.entry)
        if entry.what == "text"
        else gettext("erases what %(entry)s hid", entry=entry.entry)
    ),
    "record.signed": _signature,
}


def reflow_prose(text: str) -> str:
    """A text of a rulebook with each paragraph on one line; lists and tables keep their lines."""
    lines: list[str] = []
    for line in filter(None, map(str.strip, text.splitlines())):
        if lines and not line.startswith(("* ", "|")) and not lines[-1].startswith("|"):
            lines[-1] += f" {line}"
        else:
            lines.append(line)
    return "\n".join(line for line in lines if line.strip("|-"))


def titled(names: Title | Rule) -> str:
    """A name in the current language; English has the Japanese name beside it."""
    return f"{names.en} / {names.ja}" if locale() == ENGLISH else localized(names)


def person(seat: SeatInfo) -> str:
    """The person in a seat: the name, or the ruleset's name of the seat."""
    return seat.name or localized(seat.label)


def label(seat: int, seats: Sequence[SeatInfo]) -> str:
    """The name of a seat. A seat that was added and withdrawn has only its number."""
    return localized(seats[seat].label) if seat < len(seats) else gettext("seat %(seat)s", seat=seat + 1)


def people_at_table(seats: Sequence[SeatInfo]) -> Text:
    """Everybody at the table, in their colours: `Black Anna, White Ben`."""
    people = [Text(f"{localized(seat.label)} {seat.name or '?'}", style=seat_style(seat.seat)) for seat in seats]
    return Text(", ").join(people)


def points(scores: Sequence[int], deciding: Deciding | None = None, ruleset: str = "") -> str:
    """Scores by seat, and what decides if they do not: `3:1`, `40:38 (with komi 40:44.5)`."""
    totals = ":".join(map(str, scores))
    if deciding is None:
        return totals
    values = ":".join(localized_sentence(value, ruleset) or "–" for value in deciding.values)
    return f"{totals} ({localized(deciding.title)} {values})"


def ending(outcome: Outcome, seats: Sequence[SeatInfo]) -> str:
    """How the game ended: `Anna wins (points, kahuna:WIN-1)`."""
    by = f"({gettext(outcome.reason.replace('_', ' '))}, {outcome.rule})"
    winners = len(outcome.winners)
    if not winners:
        return gettext("nobody wins %(by)s", by=by)
    if 1 < winners == len(seats) and not outcome.together:
        return gettext("a draw %(by)s", by=by)
    who = gettext(" and ").join(person(seats[seat]) for seat in outcome.winners)
    if winners == 1:
        return gettext("%(who)s wins %(by)s", who=who, by=by)
    return gettext("%(who)s win %(by)s", who=who, by=by)


def why_unread(game: GameInfo) -> str | None:
    """Why nothing of a game can be read but what is stored, if that is so: its ruleset is not installed."""
    return game.unreplayable.why if game.unreplayable and game.unreplayable.entry == 1 else None


def status(game: GameInfo) -> str:
    """The state of the game: who moves next, or how it ended, and whether its record is closed."""
    if missing := why_unread(game):
        return gettext("recorded, but not readable here: %(missing)s", missing=missing)
    if game.outcome:
        stands = ending(game.outcome, game.seats)
    elif game.closed:
        stands = gettext(game.closed)
    elif game.to_move is None:
        stands = gettext("the table moves next")
    else:
        stands = gettext("%(who)s to move", who=person(game.seats[game.to_move]))
    return gettext("%(stands)s; closed", stands=stands) if game.closed else stands


def actor(entry: Entry | RecordedEntry, seats: Sequence[SeatInfo]) -> Text:
    """The actor of an entry: a seat, the table, or the referee; empty for entries about the record."""
    if entry.seat is not None:
        return Text(label(entry.seat, seats), style=seat_style(entry.seat))
    if entry.type == "ruling.given":
        return Text(gettext("Referee"))
    return Text("" if entry.notation is None else gettext("Table"))


def entry_text(entry: Entry) -> str:
    """The content of an entry: the notation of a move, or a description."""
    if entry.notation is not None:
        return entry.notation
    if entry.unreplayable:
        return gettext("cannot be replayed: %(unreplayable)s", unreplayable=entry.unreplayable) + (
            f": {entry.stored}" if entry.stored else ""
        )
    if entry.move and not entry.notation:
        return gettext("comes after an entry that cannot be replayed")
    return ruling(entry) if entry.type == "ruling.given" else _DEEDS[entry.type](entry)


def ruling(entry: Entry | RecordedEntry) -> str:
    """The adjustments of a ruling in notation."""
    return " + ".join(entry.adjustments) or gettext("a house rule in words")


def claim_text(claim: Mapping[str, Any]) -> str:
    """The content of a claim: `3:?`, or the number of lines."""
    scores, lines = claim.get("scores", ()), claim.get("lines", ())
    total = ":".join("?" if points is None else str(points) for points in scores)
    return ", ".join(filter(None, (total, lines and ngettext("%(count)s line", "%(count)s lines", len(lines)))))


def effects_text(effects: Sequence[EffectInfo]) -> str:
    """Effects in sentences."""
    return "; ".join(effect.text for effect in effects)


def irregularity_text(broken: Sequence[Breach], reason: str | None) -> Text:
    """The broken rules of an entry, and why it stands."""
    rules = "; ".join(f"{breach.why} ({breach.rule})" for breach in broken)
    return Text(
        gettext(
            "irregular: %(rules)s; it stands: %(reason)s", rules=rules, reason=reason or gettext("no reason given")
        ),
        style="yellow",
    )


def remarks(entry: Entry, people: Mapping[str, str]) -> Iterator[Text]:
    """More about an entry: its text, the rules that it broke, its corrections. `people` are names by id."""
    if text := entry.readable(entry.text):
        about = (
            gettext(" (to entry %(entry)s)", entry=entry.entry)
            if entry.type in {"note.added", "score.claimed"} and entry.entry
            else ""
        )
        yield Text(text + about, style="italic")
    if entry.irregular:
        yield irregularity_text(entry.irregular, entry.readable(entry.override))
    yield from _corrections(entry)
    if entry.signed and entry.signed.changed_by:
        yield Text(
            gettext("corrected since by %(changed_by)s", changed_by=", ".join(map(str, entry.signed.changed_by))),
            style="yellow",
        )
    yield from _erasures(entry, people)
    if entry.withdrawn_by:
        yield Text(gettext("taken back by entry %(withdrawn_by)s", withdrawn_by=entry.withdrawn_by), style="dim")


def _corrections(entry: Entry) -> Iterator[Text]:
    """The corrections of an entry, and its own effects as a correction."""
    if entry.after:
        yield Text(gettext("inserted after entry %(after)s", after=entry.after), style="dim")
    if entry.replaced_by:
        yield Text(
            gettext(
                "recorded first as %(original)s, corrected by entry %(replaced_by)s",
                original=entry.original,
                replaced_by=entry.replaced_by,
            ),
            style="dim",
        )
    if entry.keep:
        yield Text(gettext("irregular because of it: %(keep)s", keep=", ".join(map(str, entry.keep))), style="dim")
    if entry.withdraw:
        yield Text(
            gettext("taken back with it: %(withdraw)s", withdraw=", ".join(map(str, entry.withdraw))), style="dim"
        )


def _erasures(entry: Entry, people: Mapping[str, str]) -> Iterator[Text]:
    """The erased parts of an entry, with the person and the day."""
    for erased in entry.erased:
        what = gettext("its text") if erased.what == "text" else gettext("what it hid")
        by = people.get(erased.by, gettext("somebody without a name"))
        yield Text(
            gettext("%(what)s was erased by %(by)s on %(day)s", what=what, by=by, day=local_day(erased.at)), style="dim"
        )
