"""The timeline: every entry of a game with its effects, whether it still counts, and the scores after it."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeVar, cast

import msgspec

from events import seals
from events.errors import UnreadableError
from events.event import timestamp
from events.signing import fingerprint
from events.types import MoveMade, RecordSigned, RulingGiven, Unreadable
from games import adjustments
from games.contract import RECORD, Outcome
from games.errors import BadMoveError, ImpossibleError
from games.words import Sentence, Titled, comma_list
from projections.errors import FoldError
from projections.fold import Fold, adjustments_in, move_in
from projections.undoing import Reversal, redo_of, undo_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from events.event import Event
    from events.types import EventData, MoveData
    from games.contract import Effect, Move, Ruleset, Title, Viewpoint
    from projections.fold import Applied
    from projections.folds import Folds
    from projections.history import Segment

T = TypeVar("T")

WITHHELD_REASON = "it cannot be carried out"
"""The reason for an entry that cannot be applied, for viewers who may not see all of it."""


class EffectInfo(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """An effect, with its sentence."""

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


class Erased(msgspec.Struct, frozen=True):
    """An erased part of an entry: `text` or `hidden`, the person who erased it, and the time."""

    what: seals.Part
    by: str
    at: str


class SignatureInfo(msgspec.Struct, frozen=True):
    """The fingerprint of its key, which entries changed since, if the seat's person entered it."""

    key: str
    algorithm: str
    changed_by: list[int]
    own: bool


class Entry(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True, gc=False):
    """One entry of the record as it counts today.

    `place` is its number in the order of play, from 1 on. `undo` is the request that takes an entry back, if that can
    be done. `redo` lets one that was taken back count again.

    Only the record names the entry's `id`. A move or a ruling that counts has its effects, and the scores and outcome
    after it. `move` is the one that counts, and `original` is the notation of the first, before `replaced_by`.
    `withdrawn_by` is the correction that took it out. `after` is the entry before it in play, if not the one recorded
    before. A correction names its `entry`, and in `keep` and `withdraw` those that no longer fitted. `player` is the
    person who took a seat, or the referee of a ruling, `players` those at the opening. `revision` is the new revision
    of the rules, `from` the one before. `irregular`, `override` and `kept_by` are for viewers who can know that it
    broke a rule. `unreplayable` says why an entry cannot be applied. Later entries have no scores. `partial` scores
    wait for those of other seats. `stored` is the unreadable part as JSON, in the record only. `erased` lists the
    erased parts, `signed` the signature of the record up to `entry`. `what` is the part of `entry` that it erased.
    """

    version: int
    place: int
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
    effects: list[EffectInfo] = []
    irregular: list[Breach] = []
    override: str | None = None
    kept_by: int | None = None
    entry: int | None = None
    text: str | None = None
    bookmark: bool = False
    keep: list[int] = []
    withdraw: list[int] = []
    claim: dict[str, Any] | None = None
    player: str | None = None
    players: list[str | None] = []
    how: str | None = None
    what: seals.Part | None = None
    revision: int | None = None
    from_: int | None = msgspec.field(default=None, name="from")
    unreplayable: str | None = None
    stored: str | None = None
    erased: list[Erased] = []
    signed: SignatureInfo | None = None
    scores: list[int]
    partial: bool = False
    outcome: Outcome | None = None
    undo: Reversal | None = None
    redo: Reversal | None = None

    def readable(self, text: str | None) -> str | None:
        """A text of this entry as people read it: nothing if it was erased."""
        return None if any(part.what == "text" for part in self.erased) else text


def timeline(  # noqa: PLR0913 - three of them are the page
    folds: Folds,
    game: str,
    head: int,
    after: int,
    limit: int,
    viewpoint: Viewpoint,
    *,
    standings: bool = True,
    read: Sequence[Event] = (),
) -> list[Entry]:
    """The entries `after < version <= after + limit` of a game at version `head`, as seen from `viewpoint`.

    Without `standings` they have no scores, no outcome, and no ways to undo them. The caller may have `read` them
    already.
    """
    return list(stream_timeline(folds, game, head, after, limit, viewpoint, standings=standings, read=read))


def stream_timeline(  # noqa: PLR0913 - three of them are the page
    folds: Folds,
    game: str,
    head: int,
    after: int,
    limit: int,
    viewpoint: Viewpoint,
    *,
    standings: bool = True,
    effects: bool = True,
    read: Sequence[Event] = (),
) -> Iterator[Entry]:
    """As `timeline`, entry by entry. A caller that keeps none of them spares a third of the time.

    Without `effects` moves say which rules they broke, and not what followed from them.
    """
    last = min(after + limit, head)
    if after >= last:
        return iter(())
    segment = folds.page(game, max(after, 1), last, head, read)
    found = _told(folds, segment, after, last, _Teller(segment, viewpoint, standings=standings, effects=effects))
    if viewpoint != RECORD:
        found = _without_secrets(found, folds, game, viewpoint)
    return found if segment.corrections.in_order else iter(sorted(found, key=lambda entry: entry.version))


def _told(folds: Folds, segment: Segment, after: int, last: int, teller: _Teller) -> Iterator[Entry]:
    """The entries of a page, in the order in which they happened. The fold at its end is kept for the next page."""
    left = last - after
    if after == 0:
        yield teller.opening_entry(next(iter(folds.read(segment.fold.game, 0, 1))))
        left -= 1
    for place, event in enumerate(segment.in_play_order(), segment.fold.version + 1):
        if left == 0:
            break
        if after < event.version <= last:
            yield teller.describe(event, place)
            left -= 1
        else:
            teller.replay(event)
    if not teller.stuck:
        folds.keep_page(segment)


def entries_of(segment: Segment, viewpoint: Viewpoint) -> list[Entry]:
    """All entries of a segment after its first version, in the order in which they happened; it is at its end then."""
    teller = _Teller(segment, viewpoint)
    return [
        teller.describe(event, place) for place, event in enumerate(segment.in_play_order(), segment.fold.version + 1)
    ]


def _without_secrets(entries: Iterable[Entry], folds: Folds, game: str, viewpoint: Viewpoint) -> Iterator[Entry]:
    """The entries without word of any that they kept, though it cannot be seen what rule that one would have broken."""
    for entry in entries:
        if entry.keep:
            irregular = folds.fold_until_error(game).irregular_from(viewpoint)
            yield msgspec.structs.replace(entry, keep=[kept for kept in entry.keep if kept in irregular])
        else:
            yield entry


def erased_in(event: Event, viewpoint: Viewpoint = RECORD) -> list[Erased]:
    """The erased parts of an entry, as far as a viewpoint may know them."""
    if seals.without_seals(event.sealed):
        return []
    found = [
        Erased(seals.part_of(seal.name), seal.erased.by, timestamp(seal.erased.at))
        for seal in seals.unpack(event.sealed)
        if seal.erased and seals.may_open(seal.name, viewpoint.name)
    ]
    return list(dict.fromkeys(found))


def explain(ruleset: Ruleset, effect: Effect) -> EffectInfo:
    """The effect with its sentence, in which a seat has the ruleset's name for it."""
    called = []
    for place in effect.at:
        if type(place) is Titled:
            called.append(place.called)
        elif type(place) is not str:  # two sentences can read alike in English, and not in another language
            return _explained(ruleset, effect)
    return _explained_before(ruleset, effect, *called)


def _explained(ruleset: Ruleset, effect: Effect, *_called: Title) -> EffectInfo:
    seat = ruleset.seat_names[effect.seat] if effect.seat is not None else ""
    places = [Sentence("{title}", title=place.called) if isinstance(place, Titled) else place for place in effect.at]
    at = adjustments.option_words(ruleset, *places) if effect.kind == "option.switched" else comma_list(places)
    text = Sentence(ruleset.effect_sentences[effect.kind], seat=seat, at=at, count=effect.count)
    text.by(ruleset.name)
    data = tuple(str(place) if isinstance(place, Titled) else place for place in effect.at)
    return EffectInfo(effect.kind, effect.rule, text, effect.seat, data, effect.count)


_explained_before = lru_cache(maxsize=4096)(_explained)
"""The same effects come again and again: a bridge is built on each line in many games. What places are called tells
those apart that are alike in English."""


def described(ruleset: Ruleset, step: Applied) -> dict[str, Any]:
    """The effects and the broken rules of a step, in words."""
    return {
        "effects": [explain(ruleset, effect) for effect in step.effects],
        "irregular": [Breach(breach.rule, breach.why) for breach in step.breaches] if step.breaches else [],
    }


class _Teller:
    """Makes the timeline of a segment, entry by entry, from a viewpoint.

    After an entry that cannot be applied nobody knows the state. The later entries are shown as they were entered.
    """

    def __init__(self, segment: Segment, viewpoint: Viewpoint, *, standings: bool = True, effects: bool = True) -> None:
        self._segment, self._fold, self._viewpoint = segment, segment.fold, viewpoint
        self._standings, self._play = standings, Fold.play if effects else Fold.follow
        self._bare = segment.corrections.is_empty and viewpoint == RECORD and not (standings or effects)
        self._missing = segment.fold.blocked_by
        self.stuck = bool(self._missing)

    def opening_entry(self, event: Event) -> Entry:
        return self._entry(event, self._fold.opened, 1, {"scores": self._fold.totals(), "players": self._players()})

    def _players(self) -> list[str | None]:
        return [seat.player for seat in self._fold.opened.seats]

    def replay(self, event: Event) -> None:
        if not self.stuck:
            try:
                self._segment.replay((event,))
            except FoldError:
                self.stuck = True

    def describe(self, event: Event, place: int) -> Entry:
        """An entry, which happened as the `place`-th; one that counts is applied to the fold."""
        data = None
        try:
            data = self._fold.read(event)
            if self._bare and type(data) is MoveMade and not data.override and not self.stuck:
                return self._bare_move(event, data, place)
            if self._missing and data.ruleset_field:
                raise self._missing
            what = data.summary()
            self._tell_what_it_did(event, data, what)
        except (UnreadableError, FoldError, BadMoveError, ImpossibleError) as error:
            self.stuck = self.stuck or self._segment.corrections.counts(event)
            what = self._unreplayable(error, data)
        return self._entry(event, data, place, what)

    def _bare_move(self, event: Event, data: MoveMade[Any], place: int) -> Entry:
        """As `_tell_move`, of a move as most are: nobody corrected it, nothing excuses it, and all of it may be known.

        It takes a third of the time.
        """
        move, fold = move_in(data), self._fold
        seen = move.seen(RECORD)
        notation = fold.state.notation(seen)
        breaches = fold.follow(event.version, move).breaches
        return Entry(
            version=event.version,
            place=place,
            id=event.id,
            type=event.type,
            recorded_at=timestamp(event.recorded_at),
            happened_at=event.happened_at,
            recorder=event.recorder,
            seat=move.seat,
            move=fold.ruleset.move_data(seen),
            notation=notation,
            irregular=[Breach(breach.rule, breach.why) for breach in breaches] if breaches else [],
            erased=[] if event.sealed is None else erased_in(event),
            scores=[],
        )

    def _unreplayable(self, error: Exception, data: EventData | None) -> dict[str, Any]:
        """The reason why an entry cannot be applied, and its content: the readable part, and the rest as stored.

        The part of the ruleset, and the reason why it does not fit, could reveal hidden facts.
        """
        record = self._viewpoint == RECORD
        if self._missing:
            said = self._missing.why
        elif record:
            said = error.why if isinstance(error, FoldError | UnreadableError) else str(error)
        else:
            said = WITHHELD_REASON
        words = getattr(data, data.ruleset_field) if data and data.ruleset_field and record else ()
        unread = [word.stored for word in (words if isinstance(words, list) else [words]) if type(word) is Unreadable]
        stored = {"stored": " ".join(msgspec.json.encode(word).decode() for word in unread)} if unread else {}
        return (data.summary() if data else {}) | {"unreplayable": said} | stored

    def _entry(self, event: Event, data: EventData | None, place: int, what: dict[str, Any]) -> Entry:
        corrections, version = self._segment.corrections, event.version
        instead, by = corrections.replacements.get(version), corrections.taken_out.get(version)
        what.setdefault("scores", [])
        if self._standings:
            what |= self._standing(event, data, by)
        if what.get("irregular"):
            what["kept_by"] = corrections.kept_by.get(version)
        if event.sealed is not None:
            what["erased"] = erased_in(event, self._viewpoint)
        return Entry(
            version=version,
            place=place,
            id=event.id if self._viewpoint == RECORD else None,
            type=event.type,
            recorded_at=timestamp(event.recorded_at),
            happened_at=event.happened_at,
            recorder=event.recorder,
            withdrawn_by=by,
            replaced_by=instead.version if instead else None,
            **what,
        )

    def _standing(self, event: Event, data: EventData | None, by: int | None) -> dict[str, Any]:
        """The scores and the outcome after an entry, and how to undo it, or the correction that took it out."""
        found: dict[str, Any] = {}
        if not self.stuck:
            found |= {"scores": self._fold.totals(), "outcome": self._fold.outcome()}
            found |= {} if self._fold.state.is_even else {"partial": True}
        if not self._missing:
            found |= {"undo": undo_of(event.version, data)} if by is None else {"redo": redo_of(event.version, by)}
        return found

    def _tell_what_it_did(self, event: Event, data: EventData, what: dict[str, Any]) -> None:
        """Add the effects of an entry to what is told of it. If it counts, it is applied to the fold."""
        counts = self._segment.corrections.counts(event) and not self.stuck
        if data.is_played_here:
            self._tell_move(event, data, what, counts=counts)
        elif isinstance(data, RulingGiven):
            self._tell_ruling(event, data, what, counts=counts)
        elif isinstance(data, RecordSigned):
            what["signed"] = self._signed(event, data)
        elif counts:
            self._fold.apply_entry(event, event)

    def _signed(self, event: Event, data: RecordSigned) -> SignatureInfo:
        changed_by = self._segment.corrections.changing(data.version)
        own = event.recorder in self._fold.players[data.seat : data.seat + 1] if data.seat is not None else False
        return SignatureInfo(fingerprint(data.key), data.algorithm, changed_by, own)

    def _tell_move(self, event: Event, data: EventData, what: dict[str, Any], *, counts: bool) -> None:
        content = self._segment.corrections.content(event)
        move = move_in(data) if content is event else self._fold.move_of(content)
        seen, from_there = move.seen(self._viewpoint), self._from_there()
        what["seat"], what["move"] = move.seat, self._fold.ruleset.move_data(seen)
        what["notation"] = self._notation(seen, from_there)
        override = self._segment.override_reason(event, cast("MoveData", data))
        if override and (self._viewpoint == RECORD or self._breaks(seen, from_there)):
            what["override"] = override
        if content is not event:
            what["original"] = self._original(data, from_there)
        if counts:
            what |= self._followed(self._play, event.version, move, seen, from_there)

    def _from_there(self) -> Fold:
        """What can be known from the viewpoint; the record sees all of it, and needs no copy."""
        return self._fold if self._viewpoint == RECORD or self.stuck else self._fold.seen_from(self._viewpoint)

    def _breaks(self, seen: Move, from_there: Fold) -> bool:
        """Whether it can be known from the viewpoint that a move breaks a rule."""
        return not self.stuck and any(from_there.state.breaches(seen))

    def _original(self, data: EventData, from_there: Fold) -> str | None:
        """The recorded notation of a move that was replaced later, if it can be read."""
        try:
            return self._notation(move_in(data).seen(self._viewpoint), from_there)
        except BadMoveError:
            return None

    def _notation(self, seen: Move, from_there: Fold) -> str | None:
        return None if self.stuck else from_there.state.notation(seen)

    def _tell_ruling(self, event: Event, data: RulingGiven[Any], what: dict[str, Any], *, counts: bool) -> None:
        ruleset, ruled = self._fold.ruleset, adjustments_in(data)
        seen = [adjustment.seen(self._viewpoint) for adjustment in ruled]
        what["adjustments"] = [adjustments.write(ruleset, adjustment) for adjustment in seen]
        if counts:
            what |= self._followed(Fold.apply_ruling, event.version, ruled, seen, self._from_there())

    def _followed(
        self, act: Callable[[Fold, int, T], Applied], version: int, facts: T, seen: T, from_there: Fold
    ) -> dict[str, Any]:
        """Do something on the fold and return its effects, as far as they can be known from the viewpoint.

        Except in the record itself, the effects are derived again from the visible facts, so that they cannot reveal
        more.
        """
        as_seen = None if from_there is self._fold else act(from_there, version, seen)
        step = act(self._fold, version, facts)
        return described(self._fold.ruleset, as_seen or step)
