"""The timeline: every entry of a game with what it did, whether it still counts, and the scores after it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from events.event import timestamp
from games import adjustments
from games.contract import RECORD, Outcome
from projections.fold import MOVES, override_of

if TYPE_CHECKING:
    from collections.abc import Callable, Container

    from events.event import Event
    from games.contract import Effect, Move, Ruleset, Viewpoint
    from projections.fold import Fold, Step
    from projections.folds import Folds
    from projections.history import Corrections


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

    Only the record itself names the entry's `id`: one that was made from what the entry holds would tell it. A move or
    a ruling that counts has its effects, and the scores and outcome after it; the move is the one that
    counts, and `original` how another one was recorded in its place before `replaced_by`. `withdrawn_by` is the version
    of the correction that took an entry out, `after` the entry right behind which this one happened, where that is not
    the one recorded before it. A correction names the `entry` that it corrects, and in `keep` and `withdraw` what
    became of those that did not fit any more. `player` is who took a seat, or the referee who ruled. That an entry is
    irregular, and whose word it was that it stands, is told to whom it can be known that it broke a rule.
    """

    version: int
    id: str | None = None
    type: str
    recorded_at: str
    happened_at: str | None = None
    recorder: str
    withdrawn_by: int | None = None
    replaced_by: int | None = None
    after: int | None = None
    seat: int | None = None
    move: dict[str, Any] | None = None
    notation: str | None = None
    original: str | None = None
    adjustments: list[str] = []
    effects: list[Happening] = []
    irregular: list[Breach] = []
    override: str | None = None
    entry: int | None = None
    text: str | None = None
    bookmark: bool = False
    keep: list[int] = []
    withdraw: list[int] = []
    claim: dict[str, Any] | None = None
    player: str | None = None
    how: str | None = None
    scores: list[int]
    outcome: Outcome | None = None


def timeline(folds: Folds, game: str, head: int, after: int, limit: int, viewpoint: Viewpoint) -> list[Entry]:
    """The entries `after < version <= after + limit` of a game at version `head`, as seen from `viewpoint`."""
    last = min(after + limit, head)
    if after >= last:
        return []
    stretch = folds.page(game, max(after, 1), last, head)
    fold, corrections, found = stretch.fold, stretch.corrections, []
    if after == 0:
        opening = next(iter(folds.read(game, 0, 1)))
        found.append(_entry(opening, fold, corrections, viewpoint, {"scores": fold.totals()}))
    for event in stretch.in_place():
        if len(found) == last - after:
            break
        if after < event.version <= last:
            what = _what(event, fold, corrections, viewpoint)
            found.append(_entry(event, fold, corrections, viewpoint, what))
        else:
            stretch.pass_over(event)
    if viewpoint != RECORD and any(entry.keep for entry in found):
        irregular = folds.at(game, head).irregular_from(viewpoint)
        found = [_without_secrets(entry, irregular) for entry in found]
    return sorted(found, key=lambda entry: entry.version)


def _without_secrets(entry: Entry, irregular: Container[int]) -> Entry:
    """The entry without word of any that it kept, though it cannot be seen what rule that one would have broken."""
    return msgspec.structs.replace(entry, keep=[kept for kept in entry.keep if kept in irregular])


def explain(ruleset: Ruleset[Any, Any], effect: Effect) -> Happening:
    """The effect with its sentence, in which a seat has the ruleset's name for it."""
    seat = ruleset.seat_names[effect.seat].en if effect.seat is not None else ""
    text = ruleset.kinds[effect.kind].format(seat=seat, at=", ".join(effect.at), count=effect.count)
    return Happening(effect.kind, effect.rule, text, effect.seat, effect.at, effect.count)


def told(ruleset: Ruleset[Any, Any], step: Step) -> dict[str, Any]:
    """The effects and the broken rules of a step, in words."""
    return {
        "effects": [explain(ruleset, effect) for effect in step.effects],
        "irregular": [Breach(breach.rule, breach.why) for breach in step.breaches],
    }


def _entry(event: Event, fold: Fold, corrections: Corrections, viewpoint: Viewpoint, what: dict[str, Any]) -> Entry:
    instead = corrections.instead.get(event.version)
    return Entry(
        version=event.version,
        id=event.id if viewpoint == RECORD else None,
        type=event.type,
        recorded_at=timestamp(event.recorded_at),
        happened_at=event.happened_at,
        recorder=event.recorder,
        withdrawn_by=corrections.void.get(event.version),
        replaced_by=instead.version if instead else None,
        **({"scores": fold.totals(), "outcome": fold.outcome()} | what),
    )


def _what(event: Event, fold: Fold, corrections: Corrections, viewpoint: Viewpoint) -> dict[str, Any]:
    """What an entry says and does; one that counts is applied to `fold`."""
    counts = corrections.counts(event)
    said = _SAID[event.type](event.data) if event.type in _SAID else {}
    if event.type in MOVES:
        return said | _moved(event, corrections.content(event), fold, viewpoint, counts=counts)
    if event.type == "ruling.given":
        return said | _ruled(event, fold, viewpoint, counts=counts)
    if counts:
        fold.take(event, event)
    return said


def _moved(event: Event, content: Event, fold: Fold, viewpoint: Viewpoint, *, counts: bool) -> dict[str, Any]:
    move, version = fold.move_of(content), event.version
    seen = fold.ruleset.seen(move, viewpoint)
    what, override = _shown(fold, move, viewpoint), override_of(content)
    if override and (viewpoint == RECORD or any(fold.ruleset.breaches(fold.ruleset.view(fold.state, viewpoint), seen))):
        what["override"] = override
    if content is not event:
        what["original"] = _shown(fold, fold.move_of(event), viewpoint)["notation"]
    if not counts:
        return what
    return what | _followed(fold, viewpoint, lambda at: at.play(version, move), lambda at: at.play(version, seen))


def _shown(fold: Fold, move: Move, viewpoint: Viewpoint) -> dict[str, Any]:
    ruleset = fold.ruleset
    seen = ruleset.seen(move, viewpoint)
    notation = ruleset.notation(ruleset.view(fold.state, viewpoint), seen)
    return {"seat": move.seat, "move": ruleset.move_data(seen), "notation": notation}


def _ruled(event: Event, fold: Fold, viewpoint: Viewpoint, *, counts: bool) -> dict[str, Any]:
    ruleset, version, ruled = fold.ruleset, event.version, fold.adjustments_of(event)
    seen = [ruleset.seen_adjustment(adjustment, viewpoint) for adjustment in ruled]
    what: dict[str, Any] = {"adjustments": [adjustments.write(ruleset, adjustment) for adjustment in seen]}
    if not counts:
        return what
    return what | _followed(fold, viewpoint, lambda at: at.rule(version, ruled), lambda at: at.rule(version, seen))


def _followed(
    fold: Fold, viewpoint: Viewpoint, act: Callable[[Fold], Step], as_seen: Callable[[Fold], Step]
) -> dict[str, Any]:
    """Do something on `fold` and tell what followed, as far as it can be known from `viewpoint`.

    Elsewhere than in the record itself the effects are derived anew from what can be seen, so that they cannot tell
    more than that.
    """
    seen = None if viewpoint == RECORD else as_seen(fold.seen_from(viewpoint))
    step = act(fold)
    return told(fold.ruleset, seen or step) | {"scores": fold.totals(), "outcome": fold.outcome()}


def _correction(data: dict[str, Any]) -> dict[str, Any]:
    entry = data.get("entry") or data.get("ruling")
    said = {"entry": entry, "after": data.get("after"), "text": data.get("reason") or None}
    said["player"] = data.get("referee")
    return said | {name: data[name] for name in ("keep", "withdraw") if name in data}


def _note(data: dict[str, Any]) -> dict[str, Any]:
    return {"entry": data.get("entry"), "text": data["text"], "bookmark": data.get("bookmark", False)}


def _claim(data: dict[str, Any]) -> dict[str, Any]:
    claim = {name: data[name] for name in ("scores", "lines") if name in data}
    return {"entry": data.get("entry"), "text": data.get("text"), "claim": claim}


_SAID: dict[str, Callable[[dict[str, Any]], dict[str, Any]]] = {
    "entry.withdrawn": _correction,
    "entry.replaced": _correction,
    "entry.inserted": _correction,
    "move.revealed": _correction,
    "ruling.given": _correction,
    "ruling.revoked": _correction,
    "note.added": _note,
    "score.claimed": _claim,
    "seat.changed": lambda data: {
        "seat": data["seat"],
        "player": data.get("player"),
        "text": data.get("reason") or None,
    },
    "game.closed": lambda data: {"how": data["how"], "text": data.get("reason") or None},
    "game.reopened": lambda data: {"text": data["reason"]},
}
"""What an entry of each type says, beside moves and their effects."""
