"""The timeline: every entry of a game with what it did, whether it still counts, and the scores after it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from events.event import timestamp
from events.types import EntryWithdrawn, NoteAdded
from games.contract import RECORD, Outcome
from projections.fold import override_of
from projections.history import advance

if TYPE_CHECKING:
    from collections.abc import Iterator

    from events.event import Event
    from games.contract import Effect, Move, Ruleset, Viewpoint
    from projections.fold import Fold
    from projections.folds import Folds


class Happening(msgspec.Struct, frozen=True, omit_defaults=True):
    """An effect, with the sentence that it reads as."""

    kind: str
    rule: str
    text: str
    seat: int | None = None
    at: tuple[str, ...] = ()
    count: int | None = None


class Breach(msgspec.Struct, frozen=True):
    """A rule that a move broke, and why."""

    rule: str
    why: str


class Entry(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """One entry of the record as it counts today.

    A move that counts has its notation, effects, and the scores and outcome after it; `withdrawn_by` is the version of
    the correction that took an entry out.
    """

    version: int
    id: str
    type: str
    recorded_at: str
    happened_at: str | None = None
    recorder: str
    withdrawn_by: int | None = None
    seat: int | None = None
    move: dict[str, Any] | None = None
    notation: str | None = None
    effects: list[Happening] = []
    irregular: list[Breach] = []
    override: str | None = None
    entry: int | None = None
    text: str | None = None
    scores: list[int]
    outcome: Outcome | None = None


def timeline(folds: Folds, game: str, head: int, after: int, limit: int, viewpoint: Viewpoint) -> Iterator[Entry]:
    """The entries `after < version <= after + limit` of a game at version `head`, as seen from `viewpoint`."""
    if after >= head:
        return
    fold, events, void = folds.history(game, max(after, 1), head)
    skipped = [event for event in events if event.version <= after]
    advance(fold, skipped, void)
    if after == 0 and limit:
        opening = next(iter(folds.read(game, 0, 1)))
        yield _entry(opening, fold, void, {"scores": [0] * len(fold.opened.seats)})
    for event in events[len(skipped) :]:
        if event.version > after + limit:
            return
        yield _entry(event, fold, void, _what(event, fold, void, viewpoint))


def explain(ruleset: Ruleset[Any, Any], effect: Effect) -> Happening:
    """The effect with its sentence, in which a seat has the ruleset's name for it."""
    seat = ruleset.seat_names[effect.seat].en if effect.seat is not None else ""
    text = ruleset.kinds[effect.kind].format(seat=seat, at=", ".join(effect.at), count=effect.count)
    return Happening(effect.kind, effect.rule, text, effect.seat, effect.at, effect.count)


def _entry(event: Event, fold: Fold, void: dict[int, int], what: dict[str, Any]) -> Entry:
    return Entry(
        version=event.version,
        id=event.id,
        type=event.type,
        recorded_at=timestamp(event.recorded_at),
        happened_at=event.happened_at,
        recorder=event.recorder,
        withdrawn_by=void.get(event.version),
        **({"scores": fold.totals(), "outcome": fold.outcome()} | what),
    )


def _what(event: Event, fold: Fold, void: dict[int, int], viewpoint: Viewpoint) -> dict[str, Any]:
    """What an entry says and does; a move that counts is applied to `fold`."""
    if event.type == "entry.withdrawn":
        correction = msgspec.json.decode(event.body, type=EntryWithdrawn)
        return {"entry": correction.entry, "text": correction.reason or None}
    if event.type == "note.added":
        note = msgspec.json.decode(event.body, type=NoteAdded)
        return {"entry": note.entry, "text": note.text}
    if event.type != "move.made":
        return {}
    ruleset, move = fold.ruleset, fold.move_of(event)
    what = _told(ruleset, fold, move, viewpoint) | {"override": override_of(event)}
    if event.version in void:
        return what
    return what | played(fold, event.version, move, viewpoint)


def _told(ruleset: Ruleset[Any, Any], fold: Fold, move: Move, viewpoint: Viewpoint) -> dict[str, Any]:
    seen = ruleset.seen(move, viewpoint)
    notation = ruleset.notation(ruleset.view(fold.state, viewpoint), seen)
    return {"seat": move.seat, "move": ruleset.move_data(seen), "notation": notation}


def played(fold: Fold, version: int, move: Move, viewpoint: Viewpoint) -> dict[str, Any]:
    """Play `move` on `fold` and tell what followed, as far as it can be known from `viewpoint`.

    Elsewhere than in the record itself the effects are derived anew from what can be seen, so that they cannot tell
    more than that.
    """
    ruleset = fold.ruleset
    if viewpoint == RECORD:
        step = fold.play(version, move)
        effects, breaches = step.effects, step.breaches
    else:
        state, seen = ruleset.view(fold.state, viewpoint), ruleset.seen(move, viewpoint)
        state.version = version
        breaches = list(ruleset.breaches(state, seen))
        effects = ruleset.apply(state, seen)
        fold.play(version, move)
    return {
        "effects": [explain(ruleset, effect) for effect in effects],
        "irregular": [Breach(breach.rule, breach.why) for breach in breaches],
        "scores": fold.totals(),
        "outcome": fold.outcome(),
    }
