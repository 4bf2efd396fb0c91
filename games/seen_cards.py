"""Which hidden cards are possible by everything that was seen, for games that keep the told facts in their state."""

from __future__ import annotations

from collections.abc import Sequence  # in a type that is kept
from typing import TYPE_CHECKING, ClassVar

from games.contract import GAP, PUBLIC, RECORD, Viewpoint
from games.dealing import deals_of
from games.deciding import HandsDecided
from games.errors import ImpossibleError, RuleBrokenError
from games.evidence import Evidence
from games.hidden import CardState, cards_text, removed
from games.knowledge import DRAWN, SHUFFLED, Course, Fact, Table
from games.piles import Piles, SlotsOfHand
from games.weighing import DealKnowledge
from games.words import count_and_noun

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from games.contract import Chance
    from games.dealing import Deals, Known
    from games.hidden import Hand

Told = tuple[str, str, tuple[str | None, ...], int | None]
"""A word: what an entry told of cards. It has their source, their target and the cards, as in `Fact`. Last comes the
only seat that saw them; `PLAYERS` if all seats did, but not the public; else None.
"""
PLAYERS = -1
Named = tuple[int, Sequence[str]]
"""A seat, and named cards of its hand."""


class FactTeller:
    """Makes facts from kept words. The cards of a draw lie apart until the next word about the hand."""

    def __init__(self) -> None:
        """No card was drawn yet."""
        self._drawn: Mapping[str, int] = {}

    def facts_of(self, version: int, word: Told | list[Told]) -> Sequence[Fact]:
        """The facts of an entry."""
        words = word if isinstance(word, list) else [word]
        return [
            Fact(version, source, to, cards, (), self._gathered(version, source, to)) for source, to, cards, _ in words
        ]

    def _gathered(self, version: int, source: str, to: str) -> tuple[str, ...]:
        """The hands with earlier draws to gather before a fact. A note can still name the last draw."""
        drawn, hand = self._drawn, to.removeprefix(DRAWN)
        if not drawn and hand == to:
            return ()
        is_draw = source != to != hand
        if to != hand and (not is_draw or drawn.get(hand) == version):
            return ()
        gathered = tuple(filter(drawn.__contains__, dict.fromkeys((source, hand))))
        if gathered:
            self._drawn = drawn = {place: at for place, at in drawn.items() if place not in gathered}
        if is_draw:
            self._drawn = {**drawn, hand: version}
        return gathered

    def is_chance(self, word: Told | list[Told]) -> bool:  # noqa: ARG002
        """False: draws are unseen, so a ruling chose any card of the deck that was seen."""
        return False


class ToldCardState(CardState, kw_only=True):
    """A state that keeps all words about its cards: moves and rulings add them to `told`, which is cheap.

    `looks_back` says that all words together have to be checked. Before, the known place of each card is enough.
    `piles` may give a cheap answer.
    """

    seen_rule: ClassVar[str]
    """The rule against cards that are impossible by everything that was seen."""
    looks_back_since: ClassVar[int]
    """The first revision with this rule."""
    opening_hand: ClassVar[tuple[str | None, ...] | None] = None
    """The cards of the first word, a dealt hand, if all words together give the weights of deals."""
    teller: ClassVar[type[FactTeller]] = FactTeller
    """The class that makes facts from words."""

    told: list[tuple[int, Told]]
    looks_back: bool
    piles: Piles | None = None

    def table(self) -> Table:
        """The cards of the game, and the places where they can lie."""
        raise NotImplementedError

    def evidence(self) -> Evidence:
        """The entries that show where cards lie, by all words."""
        return Evidence.of(self.table(), self.teller, self.told)

    def give_to(self, seat: int, place: str, cards: tuple[str, ...]) -> None:
        """Move cards from a hand to a place, seen by everybody, and add the word about it."""
        self.give(seat, cards)
        self.told.append((self.version, (self.hand_places[seat], place, cards, None)))

    def hide_facts(self, viewpoint: Viewpoint) -> None:
        """Remove everything that cannot be known from `viewpoint`."""
        if viewpoint != RECORD:
            self.told = [told if told[1][3] is None else (told[0], _seen(told[1], viewpoint)) for told in self.told]

    def may_hold(self, seat: int, card: str, count: int = 1) -> bool:
        """Whether `count` copies of a card can be in a hand, by everything that was seen."""
        return super().may_hold(seat, card, count) and self.allows((seat, (card,) * count))

    def allows(self, *named: Named) -> bool:
        """Whether hands can hold these cards, by everything that was seen."""
        if not self._is_doubtful(named):
            return True
        return self._allow(self.courses(), self._words(named))

    def possible_choices(self, seat: int, choices: Iterable[tuple[str, ...]]) -> list[tuple[str, ...]]:
        """The choices of cards that are possible in a hand, by everything that was seen.

        The hand must have room for each choice, and choices with fewer cards must come first. A choice is impossible if
        a part of it is.
        """
        if not self.looks_back or self.revision < self.looks_back_since:
            return list(choices)
        can_hold = self.hand_test(seat)
        able: dict[tuple[str, ...], None] = {}
        for cards in choices:
            if (len(cards) < 2 or (cards[1:] in able and cards[:-1] in able)) and can_hold(cards):
                able[cards] = None
        return list(able)

    def hand_test(self, seat: int) -> Callable[[tuple[str, ...]], bool]:
        """A function for many calls: can a hand hold these cards, by everything that was seen?

        The hand must have room for the cards.
        """
        hand, slots = self.hands[seat], SlotsOfHand(self.piles, seat) if self.piles else None
        courses: list[Course] = []

        def can_hold(cards: tuple[str, ...]) -> bool:
            lacking = hand.missing(cards) if hand.known else cards
            found = slots.can_be(lacking) if slots and lacking else None if lacking else True
            if found is None:
                courses.extend(() if courses else self.courses())
                found = self._allow(courses, self._words([(seat, cards)]))
            return found

        return can_hold

    def _allow(self, courses: Iterable[Course], words: list[Told]) -> bool:
        """Whether these words are possible by each course."""
        return self.fits(words) or all(course.allows(self.version, words) for course in courses)

    def fits(self, words: list[Told]) -> bool:  # noqa: ARG002
        """Whether a quick check already shows that these words are possible."""
        return False

    def decide_hidden(self, chance: Chance) -> None:
        """Fill the unknown cards of hands by chance, so that they agree with everything that was seen.

        Afterwards the words are forgotten: all hands are known.
        """
        if self.revision < self.looks_back_since:
            super().decide_hidden(chance)
            return
        if any(hand.unknown for hand in self.hands):
            if deals := self.deals():
                for pile, cards in zip(self.dealt_piles(), deals.deal(chance), strict=True):
                    if pile.unknown:
                        pile.note(cards)
                self.forget()
            else:
                self.decide_possible(chance)
                if self._is_told_whole():
                    self.forget()
        if self.looks_back:
            self.forget()

    def deals(self) -> Deals | None:
        """The dealer of hands by all words; None if the words do not go back to the deal."""
        if not self._is_told_whole() or not (self.looks_back or self._was_drawn_before()):
            return None
        return deals_of(self.table(), self.teller, self.told, self.dealt_places(), self.deal_knowledge())

    def deal_knowledge(self) -> type[Known]:
        """The class that learns all words, to deal cards by: all arrangements, or a sample."""
        return DealKnowledge

    def dealt_places(self) -> Sequence[str]:
        """The places with cards that a deal decides: the hands."""
        return self.hand_places[: len(self.hands)]

    def dealt_piles(self) -> Sequence[Hand]:
        """The piles of these places."""
        return self.hands

    def _is_told_whole(self) -> bool:
        """Whether the words go back to the deal."""
        return bool(self.told) and self.told[0][1][2] == self.opening_hand

    def _was_drawn_before(self) -> bool:
        """Whether a card was drawn unseen before the last entry. Otherwise all cards are equally likely."""
        last = self.told[-1][0]
        return any(True for version, (_, _, cards, _) in self.told if version != last and None in cards)

    def decide_possible(self, chance: Chance) -> None:
        """Decide hands card by card: all cards that are possible beside the earlier ones are equally likely.

        For a single deal this takes less time than to weigh arrangements or worlds.
        """
        if self.revision < self.looks_back_since:
            super().decide_hidden(chance)
            return
        hands = [seat for seat, hand in enumerate(self.hands) if hand.unknown]
        loose, decided = self.unlocated_cards(), HandsDecided(self)
        held = [decided.decide(seat, self.hands[seat].unknown, loose, chance) for seat in hands]
        for seat, cards in zip(hands, held, strict=True):
            self.hands[seat].note(cards)

    def forget(self) -> None:
        """Drop all words: all hidden cards are decided."""
        raise NotImplementedError

    def contradictions(self, *named: Named) -> list[RuleBrokenError]:
        """The breach of naming cards that hands cannot hold, by everything that was seen; none if they can.

        None also if the box has too few of them. Then the move is impossible, and no override helps.
        """
        if not self._is_doubtful(named):
            return []
        found = self.contradiction_of(self._words(named))
        return [] if found and self.is_any_scarce(named) else found

    def is_any_scarce(self, named: Sequence[Named]) -> bool:
        """Whether the box has too few cards for one of these hands."""
        return any(self.are_scarce(self.hands[seat].missing(cards)) for seat, cards in named)

    def contradiction_of(self, words: list[Told]) -> list[RuleBrokenError]:
        """The breach by new words that contradict everything that was seen; none if they fit."""
        if self.fits(words):
            return []
        found = (course.contradicted_since(self.version, words) for course in self.courses())
        return [self.cannot_be(entry, fact) for entry, fact in list(filter(None, found))[:1]]

    def cannot_be(self, entry: int, fact: Fact) -> RuleBrokenError:
        """The breach by a fact that is impossible since `entry`."""
        hand = fact.source.removeprefix(DRAWN)
        return RuleBrokenError(
            self.seen_rule,
            "by all that was seen up to entry {entry} {name} cannot hold {cards}"
            if hand == fact.source
            else "by all that was seen up to entry {entry} {name} cannot have drawn {cards}",
            entry=entry,
            name=self.seat_name(self.hand_places.index(hand)),
            cards=cards_text(fact.named(), self.card_separator),
        )

    def courses(self) -> Iterator[Course]:
        """The courses of the game by all words, from the best informed one on.

        If one is over, because it has contradictions or too many possibilities, the next knows less: that of a seat or
        the public.
        """
        for told in self._tellings():
            course = Course.for_words(self.table(), self.teller, told)
            yield course
            if not course.is_over:
                break

    def _tellings(self) -> Iterator[list[tuple[int, Told]]]:
        """All words, and then the words as each seat and the public know them, if some are secret."""
        yield self.told
        if not self.looks_back:
            return
        seers = {seer for _, (_, _, cards, seer) in self.told if seer is not None and cards}
        if seers:
            seats = range(self.seats) if PLAYERS in seers else sorted(seers)
            for viewpoint in (*(Viewpoint("seat", seat) for seat in seats), PUBLIC):
                yield [(version, _seen(word, viewpoint)) for version, word in self.told]

    def _is_doubtful(self, named: Sequence[Named]) -> bool:
        """Whether these cards need the slow check of everything that was seen: the quick one is not enough."""
        if not self.looks_back or self.revision < self.looks_back_since:
            return False
        missing: list[Named] = []
        for seat, cards in named:
            hand = self.hands[seat]
            if lacking := hand.missing(cards) if hand.known else cards:
                if len(lacking) > hand.unknown:
                    return False
                missing.append((seat, lacking))
        return bool(missing) and not (self.piles and self.piles.fit(missing))

    def _words(self, named: Sequence[Named]) -> list[Told]:
        places = self.hand_places
        return [(places[seat], places[seat], tuple(cards), None) for seat, cards in named]


class SeenCardState(ToldCardState, kw_only=True):
    """A state with a deck, and with discards that are shuffled.

    `noted` are the seats of hands with cards that were noted or shown. `looks_back` is true once the discards were
    shuffled, cards of such a hand were put away unseen, or a ruling moved cards. All this is common knowledge. `piles`
    give cheap answers after a shuffle; only viewpoints that know all notes have them.
    """

    draws_apart_since: ClassVar[int]
    """The first revision in which a note of the last draw names exactly the drawn cards, not any cards of the hand."""

    noted: list[int]

    def tell_shuffle(self, deck: str, discards: Hand) -> None:
        """Note that the discards are shuffled to a new deck. They are all cards except those in hands."""
        self.told.append((self.version, (SHUFFLED, deck, (), None)))
        self._look_back(discards)
        if self.piles:
            self.piles.shuffle(discards.known)

    def _look_back(self, discards: Hand) -> None:
        """From now on, check everything that was seen."""
        if self.looks_back:
            return
        self.looks_back, unseen = True, dict(self.copies)
        for card in self.located_cards():
            if card:
                unseen[card] -= 1
        if not self._misses_notes():
            self.piles = Piles.before_shuffle(unseen, self.hands, discards)

    @property
    def keeps_draws_apart(self) -> bool:
        """Whether drawn cards are kept apart from the other cards of the hand."""
        return self.revision >= self.draws_apart_since

    def tell_note(self, seat: int, cards: tuple[str, ...], seer: int | None = None) -> None:
        """Note that cards are noted by a player, or shown to everybody, and stay in their hand."""
        self._tell_stay(self.hand_places[seat], seat, cards, seer)
        if self.piles and (_is_missing(self.told[-1][1]) or not self.piles.name(seat, self.hands[seat].missing(cards))):
            self.piles = None

    def _tell_stay(self, place: str, seat: int, cards: tuple[str, ...], seer: int | None) -> None:
        self.told.append((self.version, (place, place, cards, seer)))
        if seat not in self.noted:
            self.noted = sorted([*self.noted, seat])

    def newly_drawn(self, seat: int) -> int:
        """The number of cards of a hand's last draw; 0 after a card left the hand or was noted.

        The deal is not a draw.
        """
        return sum([len(cards) for cards in self._last_draws(seat)])

    def _last_draws(self, seat: int) -> list[tuple[str | None, ...]]:
        """The cards of the last draw; two groups if the deck was shuffled during the draw."""
        hand, deck = self.hand_places[seat], self.table().deck
        drawn, last, found = DRAWN + hand if self.keeps_draws_apart else hand, None, list[tuple[str | None, ...]]()
        words = [(version, word) for version, word in self.told if hand in word[:2] or drawn in word[:2]]
        dealt = next((at for at, (_, (source, *_)) in enumerate(words) if source == deck), 0)
        for version, (source, to, cards, _) in reversed(words[dealt + 1 :]):
            if source != deck or to != drawn or last not in (None, version):
                break
            last = version
            found.append(cards)
        return found

    def hands_to_note(self) -> Iterator[tuple[int, tuple[str, ...], bool]]:
        """The hands with unknown cards: the seat, the cards with `GAP` for each unknown one, and False.

        If the last draw can be noted alone: the seat, `GAP` for each of its cards, and True.
        """
        for seat, hand in enumerate(self.hands):
            if hand.unknown:
                yield seat, (*hand.known, *[GAP] * hand.unknown), False
                if 0 < (drawn := self.newly_drawn(seat)) < hand.unknown:
                    yield seat, (GAP,) * drawn, True

    def newly_drawable(self, seat: int) -> tuple[str, ...]:
        """The possible cards of a hand's last draw."""
        if self.keeps_draws_apart:
            return tuple(card for card in self.drawable_cards() if self._can_be_drawn(seat, card))
        known = self.hands[seat].known
        return tuple(card for card in self.drawable_cards() if self.allows((seat, (*known, card))))

    def _can_be_drawn(self, seat: int, card: str) -> bool:
        """Whether the last draw can have brought a card, by everything that was seen."""
        if not self.looks_back or self._fits_draw(seat, (card,)):
            return True
        return self._allow(self.courses(), [self._drawn_word(seat, (card,))])

    def _fits_draw(self, seat: int, cards: Sequence[str]) -> bool:
        """Whether a quick check already shows that the last draw can have brought these cards."""
        if self.piles is None or len(self._last_draws(seat)) > 1:
            return False
        return self.piles.copy().name_drawn(seat, cards)

    def _drawn_word(self, seat: int, cards: Sequence[str]) -> Told:
        place = DRAWN + self.hand_places[seat]
        return place, place, tuple(cards), seat

    def note_contradictions(self, seat: int, cards: tuple[str, ...], *, drawn: bool) -> list[RuleBrokenError]:
        """The breach by a note of a hand or its last draw that contradicts what was seen; none if it fits."""
        if not (drawn and cards and self.keeps_draws_apart):
            return self.contradictions((seat, self.noted_hand(seat, cards, drawn=drawn)))
        if not self.looks_back or len(cards) != self.newly_drawn(seat) or self._fits_draw(seat, cards):
            return []
        found = self.contradiction_of([self._drawn_word(seat, cards)])
        return [] if found and self.are_scarce(cards) else found

    def noted_hand(self, seat: int, cards: tuple[str, ...], *, drawn: bool) -> tuple[str, ...]:
        """The cards of a hand by a note; if they were `drawn`, together with the cards that were known before."""
        return (*self.hands[seat].known, *cards) if drawn and cards else cards

    def note_hand(self, seat: int, cards: tuple[str, ...], *, drawn: bool) -> None:
        """Note the cards of a hand, or of its last draw. Raises `ImpossibleError` if they cannot be there."""
        if drawn:
            self.require_drawn(seat, cards)
        held = self.noted_hand(seat, cards, drawn=drawn)
        self.require_hand(seat, held)
        if drawn and cards and self.keeps_draws_apart:
            self._tell_drawn(seat, cards)
        else:
            self.tell_note(seat, held, seat)
        self.hands[seat].note(held)

    def _tell_drawn(self, seat: int, cards: tuple[str, ...]) -> None:
        """Add the word for a note of the last draw."""
        if self.piles and (len(self._last_draws(seat)) > 1 or not self.piles.name_drawn(seat, cards)):
            self.piles = None
        self._tell_stay(DRAWN + self.hand_places[seat], seat, cards, seat)

    def require_drawn(self, seat: int, cards: Sequence[str]) -> None:
        """Make sure that the last draw brought as many cards as are noted. Raises `ImpossibleError`."""
        drawn, name = self.newly_drawn(seat), self.seat_name(seat)
        if not cards or len(cards) == drawn:
            return
        error = ImpossibleError("{name} has drawn no card that can be noted now", self.hands_rule, name=name)
        if drawn:
            error = ImpossibleError(
                "of the last draw {name} can note {held} now, not {count}",
                self.hands_rule,
                name=name,
                held=count_and_noun(drawn, "card"),
                count=len(cards),
            )
        raise error.shown_by(self.evidence().of_last_change(self.hand_places[seat]))

    def _misses_notes(self) -> bool:
        """Whether there are notes with cards that are unknown here."""
        return any(True for _, word in self.told if not word[2] and _is_missing(word))  # nearly all words name cards

    def give_unseen(self, seat: int, count: int, discards: Hand) -> None:
        """Put cards of a hand on the discards, unseen."""
        if seat in self.noted:
            self._look_back(discards)
        hand = self.hands[seat]
        known = hand.known.copy()
        hand.give_unseen(count)
        discards.unknown += count
        if self.piles:
            self.piles.put_away(seat, count, removed(known, hand.known) if known else ())

    def tell_ruling(self, word: Told) -> None:
        """Add the word for a ruling that moved cards. Any card may lie anywhere now."""
        self.told.append((self.version, word))
        self.looks_back, self.piles = True, None

    def give(self, seat: int, cards: Sequence[str]) -> None:
        """Let cards out of a hand, where everybody sees them."""
        hand = self.hands[seat]
        if self.piles and not self.piles.name(seat, hand.missing(cards) if hand.known else cards):
            self.piles = None
        CardState.give(self, seat, cards)

    def hide_facts(self, viewpoint: Viewpoint) -> None:
        """Forget what cannot be known from there."""
        super().hide_facts(viewpoint)
        if self.piles and self._misses_notes():
            self.piles = None

    def forget(self) -> None:
        """Drop all words, notes and piles."""
        self.told, self.noted, self.looks_back, self.piles = [], [], False, None


def _is_missing(word: Told) -> bool:
    """Whether a word is a note without its cards: another player's note, or an empty one."""
    source, to, cards, seer = word
    return source == to and not cards and seer is not None


def _seen(word: Told, viewpoint: Viewpoint) -> Told:
    """The word as it is known from `viewpoint`. Others learn nothing from a note of cards that stay."""
    source, to, cards, seer = word
    if seer is None or viewpoint.sees(viewpoint.seat if seer == PLAYERS else seer):
        return word
    return source, to, () if source == to else (None,) * len(cards), seer
