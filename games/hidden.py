"""Cards that nobody, or not everybody, has seen: some known, and a number of unknown ones. No card is ever guessed."""

from __future__ import annotations

from bisect import insort
from collections import Counter
from functools import partial
from itertools import chain, repeat
from typing import TYPE_CHECKING, ClassVar, Self

import msgspec

from games.contract import Move, State
from games.errors import ImpossibleError
from games.evidence import Evidence
from games.knowledge import Table
from games.words import Sentence, count_and_noun

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from games.contract import Chance, Viewpoint

DEAL_TRIES = 20
"""How often an impossible deal to a hand is tried again."""


class SecretMove(Move, frozen=True, kw_only=True):
    """A move of a seat, with `unknown_fields` that nobody else sees."""

    seat: int

    def seen(self, viewpoint: Viewpoint) -> Self:
        """The move as a viewpoint sees it: without these fields, except for its player."""
        if viewpoint.sees(self.seat):
            return self
        told = msgspec.structs.asdict(self)
        for field in self.unknown_fields:
            del told[field]
        return type(self)(**told)

    def informed_seats(self) -> tuple[int, ...]:
        """The seat of the player."""
        return (self.seat,)


class Hand(msgspec.Struct):
    """Cards held, or put away: `known` by name (sorted, with repeats) and a number of `unknown` ones.

    `open` are the known cards that everybody has seen, so that the knowledge of others can be derived. `peeked` are
    further known cards that the opponent has seen, if there is one.
    """

    known: list[str] = []
    unknown: int = 0
    open: list[str] = []
    peeked: list[str] = []

    def __len__(self) -> int:
        return len(self.known) + self.unknown

    def unseen(self) -> int:
        """The number of cards that are not open."""
        return len(self.known) + self.unknown - len(self.open)

    def cards(self) -> list[str | None]:
        """All cards, with None for each unknown one."""
        return [*self.known, *[None] * self.unknown]

    def missing(self, cards: Sequence[str]) -> list[str]:
        """The cards among `cards` that are not known to be in the hand, with repeats."""
        if not self.known:
            return list(cards)
        if len(cards) == 1:
            return [] if cards[0] in self.known else [cards[0]]
        left, lacking = self.known.copy(), []
        for card in cards:
            if card in left:
                left.remove(card)
            else:
                lacking.append(card)
        return lacking

    def can_hold(self, cards: Sequence[str]) -> bool:
        """Whether all these cards can be in the hand: as known cards, or in place of unknown ones."""
        return len(self.missing(cards)) <= self.unknown

    def take(self, card: str | None, *, open: bool = False) -> None:  # noqa: A002  the word of the field
        """Add a card; None is a card that was not seen."""
        if card is None:
            self.unknown += 1
            return
        insort(self.known, card)
        if open:
            insort(self.open, card)

    def give(self, card: str) -> None:
        """Remove a card that the hand `can_hold`: a known one, else one of the unknown cards."""
        if card in self.known:
            self.known.remove(card)
            if card in self.open:
                self.open.remove(card)
            elif card in self.peeked:
                self.peeked.remove(card)
        else:
            self.unknown -= 1

    def give_unseen(self, count: int, named: Sequence[str] = (), *, peeked: bool = False) -> Hand:
        """Give away `count` cards that others did not see, and return them. Only the `named` ones are known here.

        Known cards stay known on either side if that is certain: of two BARI in five cards, one stays when one card
        goes. If the cards are `peeked` at, the opponent sees them as the holder does.
        """
        stay, rest = len(self) - count, count - len(named)
        gone = Hand(sorted(named), 0, certain_after_losing(self.open, stay) if self.open else [])
        if self.open or self.peeked:
            told = sorted(self.open + self.peeked)
            told = certain_after_losing(removed(told, named), rest) if peeked else certain_after_losing(told, count)
            self.open = certain_after_losing(self.open, count)
            self.peeked = removed(told, self.open)
        for card in named:
            if card in self.known:
                self.known.remove(card)
        if rest:
            gone.known = sorted([*gone.known, *certain_after_losing(self.known, stay)])
            gone.unknown = count - len(gone.known)
            self.known = certain_after_losing(self.known, rest)
        self.unknown = stay - len(self.known)
        return gone

    def give_one(self, card: str | None, *, secret: bool) -> Hand:
        """Remove one card that the hand `can_hold`, and return it with the knowledge about it.

        None is a card that was not noted.

        Only the holder sees a `secret` card. Others see any other card, unless it was not noted.
        """
        if secret:
            return self.give_unseen(1, [card] if card else [])
        if card is None:
            return self.give_unseen(1).seen_by_others()
        self.give(card)
        return Hand([card], 0, [card])

    @classmethod
    def of(cls, card: str | None, *, secret: bool) -> Hand:
        """One card of a pile as a hand. None is a card that was not noted; only the holder sees a `secret` card."""
        hand = cls()
        hand.take(card, open=not secret)
        return hand

    def add_hand(self, cards: Hand) -> None:
        """Add the cards of another hand, with the knowledge about them."""
        self.known = sorted(self.known + cards.known)
        self.open = sorted(self.open + cards.open)
        self.unknown += cards.unknown

    def note(self, cards: Sequence[str]) -> None:
        """Note that the hand has these cards, which it `can_hold`."""
        if lacking := self.missing(cards):
            self.unknown -= len(lacking)
            self.known = sorted(self.known + lacking)

    def show(self, cards: Sequence[str]) -> None:
        """Show everybody some cards that the hand `can_hold`."""
        self.note(cards)
        told = sorted((Counter(cards) | Counter(self.open + self.peeked)).elements())
        self.open = sorted((Counter(cards) | Counter(self.open)).elements())
        self.peeked = removed(told, self.open)

    def seen_by_others(self) -> Hand:
        """The hand as other players know it."""
        return Hand(self.open.copy(), self.unseen(), self.open.copy())

    def seen_by_opponent(self) -> Hand:
        """The hand as the opponent knows it."""
        told = sorted(self.open + self.peeked)
        return Hand(told, len(self) - len(told), self.open.copy(), self.peeked.copy())

    def copy(self) -> Hand:
        """An independent copy."""
        return Hand(self.known.copy(), self.unknown, self.open.copy(), self.peeked.copy())


class ShuffleKnowledge(msgspec.Struct):
    """Common knowledge about cards that nobody has seen since the last shuffle: which of them stayed out of it.

    `kept` counts the cards that stayed in hands, and `mixed` those that were shuffled, by card. Of each seat's cards
    that are not open, at most `old` come from `kept`, and at most `new` from `mixed`. All this depends on open cards
    only, so it is the same from every viewpoint.
    """

    kept: dict[str, int]
    mixed: dict[str, int]
    old: list[int]
    new: list[int]

    @classmethod
    def of(cls, kept: Mapping[str, int], mixed: Mapping[str, int], hands: Sequence[Hand]) -> ShuffleKnowledge:
        """The knowledge right after a shuffle, from counts of cards."""
        stayed, shuffled = ({card: count for card, count in cards.items() if count > 0} for cards in (kept, mixed))
        return cls(stayed, shuffled, [hand.unseen() for hand in hands], [0] * len(hands))

    def draw(self, seat: int, count: int = 1) -> None:
        """Note that shuffled cards came to a hand."""
        self.new[seat] += count

    def give(self, seat: int, card: str, left: int) -> None:
        """Note that a card became open: it leaves a hand, or is shown.

        `left` is the number of cards there that are not open.
        """
        old, new = self.old[seat] and self.kept.get(card), self.new[seat] and self.mixed.get(card)
        if old and not new:
            self.old[seat] -= 1
            self.kept[card] -= 1
        elif new and not old:
            self.new[seat] -= 1
            self.mixed[card] -= 1
        self._limit(seat, left)

    def lose_unseen(self, seat: int, cards: Counter[str], left: int) -> None:
        """Note that cards left a hand unseen, so that these open cards are no longer open.

        `left` is the number of cards that are not open.
        """
        for card, count in cards.items():
            self.kept[card] = self.kept.get(card, 0) + count
            self.mixed[card] = self.mixed.get(card, 0) + count
        if cards:
            self.old[seat] = self.new[seat] = left
        self._limit(seat, left)

    def _limit(self, seat: int, left: int) -> None:
        for most in (self.old, self.new):
            most[seat] = min(most[seat], left)

    def hand_test(self, seat: int, hand: Hand) -> Callable[[Sequence[str]], bool]:
        """A function for many calls: can all these cards be in the hand, together with its noted cards?

        Notes that contradict common knowledge are ignored.
        """
        noted = {card: hand.known.count(card) - hand.open.count(card) for card in hand.known} if hand.known else {}
        return partial(self._allows, seat, hand.open, noted if self._fits(seat, noted) else {})

    def _allows(self, seat: int, seen: list[str], noted: dict[str, int], cards: Sequence[str]) -> bool:
        """Whether all these cards can be in a hand: some are `seen` by everybody, and others `noted`."""
        held = noted.copy()
        for card in cards:
            count = cards.count(card) - seen.count(card)
            if count > held.get(card, 0):
                held[card] = count
        return self._fits(seat, held)

    def _fits(self, seat: int, cards: Mapping[str, int]) -> bool:
        """Whether cards that are not open, counted by card, can have come to a hand."""
        old, new = self.old[seat], self.new[seat]
        for card, count in cards.items():
            of_old, of_new = self.kept.get(card, 0), self.mixed.get(card, 0)
            if count > of_old + of_new:
                return False
            if count > of_new:
                old -= count - of_new
            if count > of_old:
                new -= count - of_old
        return old >= 0 and new >= 0

    def copy(self) -> ShuffleKnowledge:
        """An independent copy."""
        return ShuffleKnowledge(self.kept.copy(), self.mixed.copy(), self.old.copy(), self.new.copy())


def removed(cards: Sequence[str], gone: Sequence[str]) -> list[str]:
    """The cards without `gone`, sorted. Cards of `gone` that are not there are ignored."""
    left = sorted(cards)
    for card in gone:
        if card in left:
            left.remove(card)
    return left


def certain_after_losing(cards: list[str], count: int) -> list[str]:
    """The cards that are certain to be left when any `count` of them are taken away."""
    if len(cards) <= count:
        return []
    cards = sorted(cards)
    return [card for card, later in zip(cards, cards[count:], strict=False) if card == later]


class CardState(State, kw_only=True):
    """The state of a game with hidden cards: the known places of cards, and the cards that the unknown ones can be."""

    copies_rule: ClassVar[str]
    """The rule for the number of copies of each card."""
    hands_rule: ClassVar[str]
    """The rule for the cards that can be in a hand."""
    card_separator: ClassVar[str] = " "
    """The separator of cards in a sentence: a comma if names have several words."""

    hand_places: ClassVar[tuple[str, ...]] = ()
    """The places of hands by seat, as rulings name them, for `evidence`."""

    hands: list[Hand]
    shuffled: ShuffleKnowledge | None = None
    """The common knowledge about hands since open cards were shuffled, if they were."""

    @property
    def copies(self) -> Mapping[str, int]:
        """The number of copies of each card in the box."""
        raise NotImplementedError

    def evidence(self) -> Evidence:
        """The entries that show where cards lie, for messages; none if a ruleset keeps no facts about cards."""
        return Evidence(Table({}, (), ""), ())

    def located_cards(self) -> Sequence[str | None]:
        """All cards with a known place, pile after pile. None and unknown names do not count."""
        raise NotImplementedError

    def openly_located_cards(self) -> Sequence[str | None]:
        """The cards with a place that is certain: all located cards without those that are only noted."""
        return self.located_cards()

    def unlocated_copies(self, card: str) -> int:
        """The number of copies of a card that can be among the unknown cards."""
        return self.copies[card] - self.located_cards().count(card)

    def unlocated_counts(self) -> dict[str, int]:
        """The number of copies of each card without a known place, in the order of the box."""
        left = dict(self.copies)
        for card in self.located_cards():
            if card in left:
                left[card] -= 1
        return left

    def unlocated_cards(self) -> list[str]:
        """All cards without a known place, in the order of the box."""
        left = self.unlocated_counts()
        return list(chain.from_iterable(map(repeat, left, left.values())))

    def may_hold(self, seat: int, card: str, count: int = 1) -> bool:
        """Whether `count` copies of a card can be in a hand, by what is known."""
        hand = self.hands[seat]
        missing = count - hand.known.count(card)
        return missing <= 0 or (hand.unknown >= missing and self.unlocated_copies(card) >= missing)

    def drawable_cards(self) -> tuple[str, ...]:
        """The cards with at least one copy without a known place."""
        return tuple(dict.fromkeys(self.unlocated_cards()))

    def holdable_cards(self, seat: int) -> tuple[str, ...]:
        """The cards that can be in a hand, by what is known."""
        return tuple(card for card in self.copies if self.may_hold(seat, card))

    def can_have(self, seat: int, cards: Sequence[str]) -> bool:
        """Whether cards can have come to a hand, by the cards that lay open at the last shuffle."""
        if self.shuffled is None or not cards:
            return True
        hand = self.hands[seat]
        return not hand.missing(cards) or self.shuffled.hand_test(seat, hand)(cards)

    def give(self, seat: int, cards: Sequence[str]) -> None:
        """Remove cards from a hand, seen by everybody."""
        hand, shuffled = self.hands[seat], self.shuffled
        for card in cards:
            was_open = card in hand.open
            hand.give(card)
            if shuffled and not was_open:
                shuffled.give(seat, card, hand.unseen())

    def decide_hidden(self, chance: Chance) -> None:
        """Fill the unknown cards of hands by chance with cards that have no known place.

        After a shuffle this is tried a few times until the hand is possible; then a contradiction is accepted.
        """
        for seat, hand in enumerate(self.hands):
            if hand.unknown:
                loose = self.unlocated_cards()
                for _ in range(DEAL_TRIES if self.shuffled else 1):
                    cards = chance.sample(loose, min(hand.unknown, len(loose)))
                    if self.shuffled is None or self.can_have(seat, [*hand.known, *cards]):
                        break
                hand.note([*hand.known, *cards])

    def require_copies(self, cards: Sequence[str]) -> None:
        """Make sure that there are unlocated copies of these cards. Raises `ImpossibleError`."""
        if not cards:
            return
        box, lying = self.copies, self.openly_located_cards()
        for card in cards:
            shown = lying.count(card)
            if cards.count(card) > box[card] - shown:
                raise self._too_many(card, shown, cards.count(card))

    def are_scarce(self, cards: Sequence[str]) -> bool:
        """Whether there are too few unlocated copies of these cards."""
        try:
            self.require_copies(cards)
        except ImpossibleError:
            return True
        return False

    def _too_many(self, card: str, shown: int, count: int) -> ImpossibleError:
        """So many more of a card, beside those that are shown, are not in the box."""
        rule, box = self.copies_rule, count_and_noun(self.copies[card], "card")
        if not shown:
            return ImpossibleError(
                "of {card} the box has {copies}, not {count}", rule, copies=box, card=card, count=count
            )
        return ImpossibleError(
            "of {card} the box has {copies}, and {shown} is known to lie elsewhere"
            if shown == 1
            else "of {card} the box has {copies}, and {shown} are known to lie elsewhere",
            rule,
            copies=box,
            card=card,
            shown=shown,
        ).shown_by(self.evidence().of_cards((card,)))

    def require_cards(self, hand: Hand, holder: int | str, cards: Sequence[str]) -> None:
        """Make sure that the cards can be in a hand; `holder` is its seat or name. Raises `ImpossibleError`."""
        if lacking := hand.missing(cards):
            self._require_unknown(hand, holder, cards, lacking)

    def _require_unknown(self, hand: Hand, holder: int | str, cards: Sequence[str], lacking: Sequence[str]) -> None:
        """Make sure that unknown cards of the hand can be those that are `lacking`. Raises `ImpossibleError`."""
        if len(lacking) > hand.unknown:
            raise self.holds_others(hand, holder, cards)
        self.require_copies(lacking)

    def holds_others(self, hand: Hand, holder: int | str, cards: Sequence[str]) -> ImpossibleError:
        """The error for cards that do not fit among the unknown cards of the hand."""
        name = holder if isinstance(holder, str) else self.seat_name(holder)
        place = holder if isinstance(holder, str) else "".join(self.hand_places[holder : holder + 1])
        held, wanted = cards_text(hand.cards(), self.card_separator), cards_text(cards, self.card_separator)
        text = "{name} holds {held}, not {wanted}" if len(hand) else "{name} has no card, and so not {wanted}"
        return ImpossibleError(text, self.hands_rule, name=name, held=held, wanted=wanted).shown_by(
            self.evidence().of_hand(place, len(hand), cards)
        )

    def require_hand(self, seat: int, cards: Sequence[str]) -> None:
        """Make sure that the hand of a seat can have these cards. Raises `ImpossibleError`."""
        hand = self.hands[seat]
        if lacking := hand.missing(cards):
            self._require_unknown(hand, seat, cards, lacking)


def cards_text(cards: Iterable[str | None], between: str = " ") -> str:
    """Cards in words, with ? for an unknown one."""
    return between.join(card or "?" for card in cards) or Sentence("no card")
