"""All ways in which cards can lie, each with the part of all shuffles and unseen choices that it has."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING

from tests.games.every_way import EveryWay, moved, poured

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence, Set

    from tests.games.every_way import World

Odds = dict[str, Fraction]
Part = tuple[Fraction, "World"]
ONE = Fraction(1)


class WeighedWays(EveryWay):
    """Of each card that comes by chance, the odds are kept by the place it goes to, with the card if it was seen.

    After an unseen choice, all cards that could have been chosen are equally likely. Who looks for a card in a stack
    takes the first.
    """

    weights: dict[World, Fraction]
    came: list[tuple[str, Odds, str | None]]
    by_chance: tuple[str, ...]
    """What the names of places begin with, to which cards of the deck come by chance."""

    @classmethod
    def of(cls, ways: EveryWay, by_chance: tuple[str, ...]) -> WeighedWays:
        found = cls.__new__(cls)
        found.__dict__.update(ways.__dict__)
        found.weights, found.by_chance = dict.fromkeys(ways.worlds, ONE), by_chance
        found.came = []
        return found

    def become(self, step: Callable[[World], Iterable[Part]]) -> None:
        found: dict[World, Fraction] = defaultdict(Fraction)
        for world, weight in self.weights.items():
            for part, after in step(world):
                found[after] += weight * part
        self.weights, self.worlds = dict(found), set(found)

    def add(self, place: str) -> None:
        self.places.append(place)
        self.become(lambda world: [(ONE, (*world, (0,) * len(self.kinds)))])

    def pour(self, sources: Sequence[str], to: str) -> None:
        at, end = [self.places.index(place) for place in sources], self.places.index(to)
        self.become(lambda world: [(ONE, poured(world, at, end))])

    def see(self, places: Sequence[str], cards: Sequence[str]) -> None:
        super().see(places, cards)
        self._keep()

    def lack(self, places: Sequence[str], kinds: Set[str]) -> None:
        super().lack(places, kinds)
        self._keep()

    def _keep(self) -> None:
        self.weights = {world: weight for world, weight in self.weights.items() if world in self.worlds}

    def move(
        self,
        sources: Sequence[str],
        to: str,
        cards: Sequence[str | None],
        *,
        stay: Sequence[str] = (),
        kinds: Set[str] | None = None,
    ) -> None:
        at, end = [self.places.index(place) for place in sources], self.places.index(to)
        least = [stay.count(kind) for kind in self.kinds]
        by_chance = list(sources) == ["deck"] and to.startswith(self.by_chance)
        if not by_chance:
            self.see(sources, [*stay, *filter(None, cards)])
        for card in cards if by_chance else sorted(cards, key=lambda card: card is None):
            if by_chance:
                self.came.append((to, self.odds(lambda _: at), card))
            able = [n for n, kind in enumerate(self.kinds) if (kind == card if card else kind in (kinds or {kind}))]
            is_chosen = bool(card) and not by_chance
            self.become(partial(self._gone, at=at, end=end, able=able, least=least, is_chosen=is_chosen))

    def _gone(
        self,
        world: World,
        *,
        at: Sequence[int],
        end: int,
        able: Sequence[int],
        least: Sequence[int],
        is_chosen: bool,
    ) -> Iterator[Part]:
        if is_chosen:
            for place in at:
                if world[place][able[0]]:
                    yield from ((ONE, after) for after in moved(world, [place], end, able[0], 0))
                    return
            return
        free = range(len(self.kinds)) if len(able) == 1 else able
        whole = sum(world[place][kind] for place in at for kind in free) - sum(least)
        for kind in able:
            lying = sum(world[place][kind] for place in at)
            for place in at:
                if world[place][kind] and lying > least[kind]:
                    part = Fraction(world[place][kind], lying) * Fraction(lying - least[kind], whole)
                    yield from ((part, after) for after in moved(world, [place], end, kind, 0))

    def next(self, stack: Sequence[str], to: str, card: str | None) -> None:
        at, end = [self.places.index(place) for place in stack], self.places.index(to)
        if any(any(world[at[0]]) for world in self.worlds):
            self.came.append((to, self.odds(lambda world: [place for place in at if any(world[place])][:1]), card))

        def step(world: World) -> Iterator[Part]:
            for top in [place for place in at if any(world[place])][:1]:
                for kind, count in enumerate(world[top]):
                    if count and card in (None, self.kinds[kind]):
                        yield from ((Fraction(count, sum(world[top])), a) for a in moved(world, [top], end, kind, 0))

        self.become(step)

    def odds(self, places: Callable[[World], Sequence[int]]) -> Odds:
        """The odds of the next card of these places."""
        found: dict[str, Fraction] = defaultdict(Fraction)
        for world, weight in self.weights.items():
            lying = [(kind, count) for at in places(world) for kind, count in zip(self.kinds, world[at], strict=True)]
            for kind, count in lying:
                if count:
                    found[kind] += weight * Fraction(count, sum(each for _, each in lying))
        return {kind: weight / sum(found.values()) for kind, weight in found.items()}
