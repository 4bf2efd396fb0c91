"""Moves with cards in hand: world spells before the roll, discards over the limit, and notes of an own hand."""

from __future__ import annotations

from collections import Counter
from itertools import combinations_with_replacement, islice
from operator import gt
from typing import TYPE_CHECKING, Annotated, ClassVar

import msgspec

from games.contract import GAP, Blank, Effect
from games.errors import ImpossibleError, RuleBrokenError
from games.hidden import SecretMove
from games.manapani.chips import (
    affords,
    gain,
    lower_level,
    move,
    payments,
    require_chips,
    require_cost,
    spend,
    tally,
    words,
)
from games.manapani.components import CARD_RULES, COLOURS, COSTS, HAND_LIMIT, MOST_COPIES, WHITE, short_name
from games.manapani.moves.base import (
    BeforeRoll,
    Card,
    Chip,
    Chips,
    Die,
    Place,
    Seat,
    SeatMove,
    TurnMove,
    follow_up,
    no_player,
    not_the_cost,
    require_loose,
    require_player,
    require_square,
)
from games.manapani.turns import Due, begin_turn, drop_action, next_seat, start_moving
from games.words import Sentence, count_and_noun, join_by_and

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Self

    from games.manapani.state import ManapaniState

ENOUGH = 200
"""The most choices of discards that are listed. Any other one can be typed."""


class Spell(BeforeRoll, frozen=True, kw_only=True):
    """A world spell is cast; `chips` are the whole payment, with those of its colours.

    Each spell implements `legal_casts`, `require_target` and `take_effect`.
    """

    card: ClassVar[str]
    wrong_step_rule = ("manapani:25", Sentence("a world spell comes before the roll"))
    acts_in_turn: ClassVar[bool] = False
    """Whether the spell only acts in its caster's turn. Cast in another player's turn, it begins that turn."""

    chips: Chips = ()

    @classmethod
    def legal(cls, state: ManapaniState) -> Iterator[Self]:
        """The casts of this turn's only spell, if the hand can hold it and the chips can pay it."""
        if state.spells or state.dice or not affords(state.chips[state.active], cls.card):
            return iter(())
        return cls.legal_casts(state) if state.may_hold(state.active, cls.card) else iter(())

    @classmethod
    def legal_casts(cls, state: ManapaniState) -> Iterator[Self]:
        """Every way to cast an affordable spell."""
        yield cls(seat=state.active, chips=cls.usual_payment(state))

    @classmethod
    def usual_payment(cls, state: ManapaniState) -> tuple[str, ...]:
        """The sensible payment for an affordable spell."""
        return next(payments(state.chips[state.active], COSTS[cls.card]))

    def check(self, state: ManapaniState) -> Iterable[RuleBrokenError]:
        """The breaches of a second spell in a turn, of a wrong payment, and of a card that the hand cannot hold."""
        if state.spells and self.seat == state.active:
            # manapani:C4: so Fly and Holy Dice never meet in one turn.
            yield RuleBrokenError(
                "manapani:25",
                "{name} has cast {spells} in this turn already",
                name=state.seat_name(self.seat),
                spells=join_by_and(state.spells),
            )
        yield from not_the_cost(self.card, self.chips)
        if state.looks_back:
            yield from state.contradictions((self.seat, (self.card,)))

    def execute(self, state: ManapaniState) -> list[Effect]:
        """Pay the cost, discard the card, and apply the spell (manapani:25)."""
        state.require_hand(self.seat, (self.card,))
        return self._cast(state, [])

    def execute_late(self, state: ManapaniState) -> list[Effect]:
        """Cast the spell out of step. It is not the spell of another player's turn (manapani:REC-1)."""
        require_loose(state, self.seat, (self.card,))
        return self._cast(state, None)

    def _cast(self, state: ManapaniState, effects: list[Effect] | None) -> list[Effect]:
        """Cast the spell and add its effects to `effects`; None if it may interrupt the current action."""
        paid = require_cost(state, self.seat, self.chips)
        self.require_target(state)
        effects = self.interrupt(state) if effects is None else effects
        spend(state, self.seat, paid)
        state.give_to(self.seat, "discards", (self.card,))
        state.discards.take(self.card)
        if self.seat == state.active:
            state.spells += (self.card,)
        effects.append(Effect("spell.cast", CARD_RULES[self.card], self.seat, (self.card,)))
        if self.chips:
            effects.append(Effect("chips.paid", "manapani:16", self.seat, (words(paid),), len(self.chips)))
        effects += self.take_effect(state)
        # manapani:C12: a spell may leave its caster without mana; the game then ends after it.
        return effects + follow_up(state)

    def interrupt(self, state: ManapaniState) -> list[Effect]:
        """Begin the caster's turn, if the spell only acts in it."""
        return drop_action(state, self.seat) if self.acts_in_turn and self.seat != state.active else []

    def require_target(self, state: ManapaniState) -> None:
        """Require that the target of the spell is on the table. Raises `ImpossibleError`."""

    def take_effect(self, state: ManapaniState) -> list[Effect]:  # noqa: ARG002
        """Apply the spell's immediate effect. Some spells are only kept in the state until they act."""
        return []


class Mana(Spell, frozen=True, kw_only=True, tag="mana"):
    """Gain a chip of a colour."""

    card: ClassVar[str] = "Mana"

    colour: Chip

    @classmethod
    def legal_casts(cls, state: ManapaniState) -> Iterator[Self]:
        """A cast for each colour but white."""
        for colour in COLOURS[:WHITE]:
            yield cls(seat=state.active, colour=colour)

    def check(self, state: ManapaniState) -> Iterable[RuleBrokenError]:
        """The breaches of any spell, and of a white chip."""
        yield from Spell.check(self, state)
        if self.colour == "white":
            yield RuleBrokenError(CARD_RULES[self.card], "Mana brings no white chip")

    def take_effect(self, state: ManapaniState) -> list[Effect]:
        """Gain the chip from the source."""
        return gain(state, self.seat, COLOURS.index(self.colour), CARD_RULES[self.card])


class HolyDice(Spell, frozen=True, kw_only=True, tag="holy_dice"):
    """Set one die to a face before rolling."""

    card: ClassVar[str] = "Holy Dice"
    acts_in_turn: ClassVar[bool] = True

    face: Die

    @classmethod
    def legal_casts(cls, state: ManapaniState) -> Iterator[Self]:
        """A cast for each payment and each face."""
        for paid in payments(state.chips[state.active], COSTS[cls.card]):
            for face in (1, 2, 3, 4, 5, 6):
                yield cls(seat=state.active, face=face, chips=paid)

    def take_effect(self, state: ManapaniState) -> list[Effect]:
        """Set the die for the roll. After the roll, against the rules, it changes nothing."""
        if not (state.dice or state.moved):
            state.face = self.face
        return [Effect("die.set", CARD_RULES[self.card], self.seat, count=self.face)]


class ManaPrism(Spell, frozen=True, kw_only=True, tag="mana_prism"):
    """Give three chips back and gain three others, in this order."""

    card: ClassVar[str] = "Mana Prism"

    given: Annotated[tuple[Chip, ...], msgspec.Meta(min_length=3, max_length=3)]
    gained: Annotated[tuple[Chip, ...], msgspec.Meta(min_length=3, max_length=3)]

    @classmethod
    def legal_casts(cls, state: ManapaniState) -> Iterator[Self]:
        """A cast for each choice of three chips to give, and each other colour to gain. Mixed gains can be typed."""
        for given in combinations_with_replacement(COLOURS[:WHITE], 3):
            if not any(map(gt, tally(given), state.chips[state.active])):
                for gained in COLOURS[:WHITE]:
                    if gained not in given:
                        yield cls(seat=state.active, given=given, gained=(gained,) * 3)

    def check(self, state: ManapaniState) -> Iterable[RuleBrokenError]:
        """The breaches of any spell, and of white chips."""
        yield from Spell.check(self, state)
        if "white" in (*self.given, *self.gained):
            yield RuleBrokenError("manapani:C1", "white chips are neither given nor gained")

    def require_target(self, state: ManapaniState) -> None:
        """Require that the caster holds the given chips beside the payment. Raises `ImpossibleError`."""
        require_chips(state, self.seat, (*self.chips, *self.given))

    def take_effect(self, state: ManapaniState) -> list[Effect]:
        """Give three chips to the source (manapani:C2), and then gain three, one by one (manapani:C1)."""
        rule, given = CARD_RULES[self.card], tally(self.given)
        spend(state, self.seat, given)
        effects = [Effect("chips.returned", rule, self.seat, (words(given),), len(self.given))]
        for chip in self.gained:
            if state.taker is None:
                effects += gain(state, self.seat, COLOURS.index(chip), rule)
        return effects


class BraveAttack(Spell, frozen=True, kw_only=True, tag="brave_attack"):
    """Move to the next fort instead of rolling."""

    card: ClassVar[str] = "Brave Attack"

    @classmethod
    def legal_casts(cls, state: ManapaniState) -> Iterator[Self]:
        """A cast, if the track has a fort."""
        if state.box.next_fort(state.place) is not None:
            yield cls(seat=state.active, chips=cls.usual_payment(state))

    def require_target(self, state: ManapaniState) -> None:
        """Require that the track has a fort. Raises `ImpossibleError`."""
        if state.box.next_fort(state.pawns[self.seat]) is None:
            raise ImpossibleError("there is no fort to move to", "manapani:E8")

    def interrupt(self, state: ManapaniState) -> list[Effect]:
        """Cut the current action short, because the pawn moves now."""
        return drop_action(state, self.seat)

    def take_effect(self, state: ManapaniState) -> list[Effect]:
        """Move at once; no roll follows. For a player who cannot move the spell is wasted (manapani:E8)."""
        steps = state.box.next_fort(state.place)
        if state.held or steps is None:
            return [Effect("spell.wasted", "manapani:E8", self.seat)]
        state.brave = True
        return start_moving(state, steps)


class Shield(Spell, frozen=True, kw_only=True, tag="shield"):
    """Owe no toll in this turn."""

    card: ClassVar[str] = "Shield"
    acts_in_turn: ClassVar[bool] = True


class Fly(Spell, frozen=True, kw_only=True, tag="fly"):
    """Move twice the roll."""

    card: ClassVar[str] = "Fly"
    acts_in_turn: ClassVar[bool] = True


class Slow(Spell, frozen=True, kw_only=True, tag="slow"):
    """A player rolls one die in the next turn."""

    card: ClassVar[str] = "Slow"

    target: Seat

    @classmethod
    def legal_casts(cls, state: ManapaniState) -> Iterator[Self]:
        """A cast for each player, the caster included."""
        paid = cls.usual_payment(state)
        for target in range(state.seats):
            yield cls(seat=state.active, target=target, chips=paid)

    def require_target(self, state: ManapaniState) -> None:
        """Require that the target plays. Raises `ImpossibleError`."""
        require_player(state, self.target)

    def take_effect(self, state: ManapaniState) -> list[Effect]:
        """Slow the target's next turn, even if the caster is the target (manapani:C6, manapani:E1).

        Two of these spells act as one (manapani:C5).
        """
        state.slow[self.target] = True
        return [Effect("player.slowed", CARD_RULES[self.card], self.target)]


class DrainMagic(Spell, frozen=True, kw_only=True, tag="drain_magic"):
    """Take a chip from a land."""

    card: ClassVar[str] = "Drain Magic"

    place: Place

    @classmethod
    def legal_casts(cls, state: ManapaniState) -> Iterator[Self]:
        """A cast for each owned land."""
        paid = cls.usual_payment(state)
        for place in state.box.lands:
            if state.levels[place]:
                yield cls(seat=state.active, place=place, chips=paid)

    def require_target(self, state: ManapaniState) -> None:
        """Require that the land has a chip. Raises `ImpossibleError`."""
        if not any(state.levels):
            raise ImpossibleError("nobody owns a land, so no level can be lowered", "manapani:E9")
        require_square(state, self.place)
        if not state.levels[self.place]:
            raise ImpossibleError(
                "{label} is nobody's: there is no chip on it", "manapani:C10", label=state.label(self.place)
            )

    def take_effect(self, state: ManapaniState) -> list[Effect]:
        """Move a chip from the land to the caster's hand. This is no gain from the source (manapani:C11)."""
        rule, colour = CARD_RULES[self.card], state.box.colours[self.place]
        effects = lower_level(state, self.place, 1, rule)
        move(state, self.seat, colour, 1)
        return [*effects, Effect("chip.taken", rule, self.seat, (COLOURS[colour],), 1)]


class Armageddon(Spell, frozen=True, kw_only=True, tag="armageddon"):
    """Every owned land loses a chip."""

    card: ClassVar[str] = "Armageddon"

    def take_effect(self, state: ManapaniState) -> list[Effect]:
        """Return the chips to the source."""
        rule = CARD_RULES[self.card]
        return [
            effect for place in state.box.lands if state.levels[place] for effect in lower_level(state, place, 1, rule)
        ]


AnySpell = Mana | HolyDice | ManaPrism | BraveAttack | Shield | Fly | Slow | DrainMagic | Armageddon


class Discard(TurnMove, frozen=True, kw_only=True, tag="discard"):
    """Cards over the limit are discarded at the end of a turn. None is an unseen card."""

    steps: ClassVar[tuple[Due, ...]] = ("discard",)
    wrong_step_rule = ("manapani:4", Sentence("cards too many are discarded at the end of the own turn"))

    cards: Annotated[tuple[Card | None, ...], msgspec.Meta(min_length=1, max_length=MOST_COPIES)]

    @classmethod
    def legal(cls, state: ManapaniState) -> Iterator[Self]:
        """The choices of known cards and of unknown ones, with the required number."""
        hand = state.hands[state.active]
        held: list[tuple[str | None, int]] = [*Counter(hand.known).items(), (None, hand.unknown)]
        for cards in islice(_choices(held, len(hand) - HAND_LIMIT), ENOUGH):
            yield cls(seat=state.active, cards=cards)

    def check(self, state: ManapaniState) -> Iterable[RuleBrokenError]:
        """The breaches of a wrong number of cards, and of cards that the hand cannot hold."""
        excess = len(state.hands[self.seat]) - HAND_LIMIT
        if len(self.cards) != excess:
            yield RuleBrokenError(
                "manapani:4",
                "{counted} are discarded, not {count}",
                counted=count_and_noun(excess, "card"),
                count=len(self.cards),
            )
        if state.looks_back and any(self.cards):
            yield from self.check_late(state)

    def execute(self, state: ManapaniState) -> list[Effect]:
        """Discard the cards, and begin the next player's turn."""
        return [self._put_away(state), *begin_turn(state, next_seat(state))]

    def check_late(self, state: ManapaniState) -> Iterable[RuleBrokenError]:
        """The breach of cards that the hand cannot hold. At another step no number is required."""
        return state.contradictions((self.seat, tuple(filter(None, self.cards))))

    def execute_late(self, state: ManapaniState) -> list[Effect]:
        """Discard the cards. The due step stays the same."""
        return [self._put_away(state), *follow_up(state)]

    def _put_away(self, state: ManapaniState) -> Effect:
        """Move the cards to the discards. Raises `ImpossibleError` if the hand cannot hold them."""
        named = [card for card in self.cards if card]
        unseen = len(self.cards) - len(named)
        require_loose(state, self.seat, self.cards)
        if named:
            state.give(self.seat, named)
            for card in named:
                state.discards.take(card)
        if unseen:
            state.give_unseen(self.seat, unseen, state.discards)
        state.told.append((state.version, (state.hand_places[self.seat], "discards", self.cards, None)))
        shown = tuple(card or "?" for card in self.cards)
        return Effect("cards.discarded", "manapani:4", self.seat, shown)


def _choices(held: Sequence[tuple[str | None, int]], wanted: int) -> Iterator[tuple[str | None, ...]]:
    """Every choice of `wanted` cards. `held` gives each card with its number of copies."""
    if not wanted:
        yield ()
        return
    (card, count), *rest = held
    least = max(0, wanted - sum(others for _, others in rest))
    for taken in range(min(count, wanted), least - 1, -1):
        for cards in _choices(rest, wanted - taken):
            yield (card,) * taken + cards


class Hold(SeatMove, SecretMove, frozen=True, kw_only=True, tag="hold"):
    """A player notes own cards in secret; `drawn` ones are the last draw."""

    steps: ClassVar[tuple[Due, ...]] = ()
    unknown_fields: ClassVar[tuple[str, ...]] = ("cards",)

    cards: Annotated[tuple[Card, ...], msgspec.Meta(max_length=MOST_COPIES)] = ()
    drawn: bool = False

    @classmethod
    def off_turn_moves(cls, state: ManapaniState) -> Iterator[Self]:
        """For each player with unknown cards, the known cards and a gap for each unknown one; or the last draw."""
        for seat, cards, drawn in state.hands_to_note():
            yield cls(seat=seat, cards=cards, drawn=drawn)

    def blanks(self, state: ManapaniState) -> tuple[Blank, ...]:
        """A blank for each card that is not noted yet."""
        cards = state.newly_drawable(self.seat) if self.drawn else state.holdable_cards(self.seat)
        return (Blank(self.seat, tuple(map(short_name, cards)), optional=not self.drawn),) * self.cards.count(GAP)

    def impossible_reason(self, state: ManapaniState) -> ImpossibleError | None:
        """The error of a seat that does not play. At any step others can note cards."""
        return no_player(state, self.seat)

    def breaches(self, state: ManapaniState) -> Iterable[RuleBrokenError]:
        """The breaches of cards that the hand cannot hold. The move is allowed at any time, but never listed."""
        if not state.looks_back or self.seat >= state.seats:
            return ()
        return state.note_contradictions(self.seat, self.cards, drawn=self.drawn)

    def execute(self, state: ManapaniState) -> list[Effect]:
        """Note the cards. Raises `ImpossibleError` if the hand cannot hold them."""
        state.note_hand(self.seat, self.cards, drawn=self.drawn)
        return [Effect("hand.noted", state.hands_rule, self.seat)]
