"""Estates and trading posts: built in the setup, and by the Builder."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Literal

from games.contract import Effect
from games.errors import ImpossibleError, RuleBrokenError
from games.verraeter.components import POSTS
from games.verraeter.moves.base import Place, SeatMove, out_of_turn
from games.verraeter.rounds import Due, begin_round, finish_round, step_words
from games.verraeter.state import Holding
from games.words import Sentence

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Self

    from games.verraeter.state import VerraeterState


class _Building(SeatMove, frozen=True, kw_only=True):
    """A move that builds or turns a card in play."""

    place: Place

    def can_be_late(self, state: VerraeterState) -> bool:
        """Whether the lands are laid: then a player can have built although it was not due."""
        return state.is_dealt

    def wrong_step_breach(self, state: VerraeterState) -> Iterable[RuleBrokenError]:  # noqa: ARG002
        """No breach here, because `check` already says that the player is not asked to build."""
        return ()


class Put(_Building, frozen=True, kw_only=True, tag="put"):
    """A card of the reserve is brought into play under a land: in the setup, or by the Builder."""

    steps: ClassVar[tuple[Due, ...]] = ("estates", "build")
    wrong_step_rule = ("verraeter:7", Sentence("cards are put under lands once these lie there"))

    side: Literal["estate", "post"] = "estate"

    @classmethod
    def legal(cls, state: VerraeterState) -> Iterator[Self]:
        """An estate for each land without a card; for the Builder also a trading post."""
        seat = state.to_move()
        if seat is None or not state.reserve(seat):
            return
        posts = state.due == "build" and state.in_play(seat, "post") < POSTS
        for place, held in enumerate(state.holdings):
            if held is None:
                yield cls(seat=seat, place=place)
                if posts:
                    yield cls(seat=seat, place=place, side="post")

    def check(self, state: VerraeterState) -> Iterable[RuleBrokenError]:
        """In the setup, the breaches of the turn and of trading posts; later, of the Builder and of a third post."""
        if state.due == "estates":
            yield from out_of_turn(state, self.seat, "verraeter:7")
            if self.side == "post":
                yield RuleBrokenError("verraeter:7", "in the setup a card comes into play as an estate")
            return
        yield from _not_the_builder(state, self.seat)
        if self.side == "post":
            yield from _too_many_posts(state, self.seat)

    def execute(self, state: VerraeterState) -> list[Effect]:
        """Put the card under the land. Raises `ImpossibleError` if the land is not free, or the reserve is empty."""
        label = state.label(self.place)
        if state.holdings[self.place]:
            raise ImpossibleError("a card lies under {label} already", "verraeter:8", label=label)
        if not state.reserve(self.seat):
            raise ImpossibleError("{name} has no card left in reserve", "verraeter:2", name=state.seat_name(self.seat))
        state.holdings[self.place] = Holding(self.seat, self.side)
        rule = "verraeter:7" if state.due == "estates" else "verraeter:20"
        if self.side == "estate":
            effects = [Effect("estate.put", rule, self.seat, (label,))]
        else:
            effects = [Effect("post.put", rule, self.seat, (label,))]
        if state.due == "estates":
            return effects if state.to_move() is not None else effects + begin_round(state)
        return effects + _built(state)


class Turn(_Building, frozen=True, kw_only=True, tag="turn"):
    """The Builder turns an own card in play over, from estate to trading post or back."""

    steps: ClassVar[tuple[Due, ...]] = ("build",)
    wrong_step_rule = ("verraeter:20", Sentence("cards are turned over once they lie under lands"))

    @classmethod
    def legal(cls, state: VerraeterState) -> Iterator[Self]:
        """A move for each own card; for an estate only if another trading post is allowed."""
        seat = state.to_move()
        posts = seat is not None and state.in_play(seat, "post") < POSTS
        for place, held in enumerate(state.holdings):
            if held and held.seat == seat and (posts or held.side == "post"):
                yield cls(seat=seat, place=place)

    def check(self, state: VerraeterState) -> Iterable[RuleBrokenError]:
        """The breaches of another player than the Builder, of another player's card, and of a third trading post."""
        yield from _not_the_builder(state, self.seat)
        held = state.holdings[self.place]
        if held and held.seat != self.seat:
            whose = state.seat_name(held.seat)
            yield RuleBrokenError(
                "verraeter:20", "the card at {label} is {whose}'s", label=state.label(self.place), whose=whose
            )
        if held and held.side == "estate":
            yield from _too_many_posts(state, held.seat)

    def execute(self, state: VerraeterState) -> list[Effect]:
        """Turn the card. Raises `ImpossibleError` without a card there."""
        held, label = state.holdings[self.place], state.label(self.place)
        if held is None:
            raise ImpossibleError("no card lies under {label}", "verraeter:20", label=label)
        state.holdings[self.place] = Holding(held.seat, "post" if held.side == "estate" else "estate")
        if held.side == "estate":
            return [Effect("post.turned", "verraeter:20", held.seat, (label,)), *_built(state)]
        return [Effect("estate.turned", "verraeter:20", held.seat, (label,)), *_built(state)]


class Skip(SeatMove, frozen=True, kw_only=True, tag="skip"):
    """The Builder builds nothing."""

    steps: ClassVar[tuple[Due, ...]] = ("build",)
    wrong_step_rule = ("verraeter:20", Sentence("there is nothing to build, and nothing to do without"))

    @classmethod
    def legal(cls, state: VerraeterState) -> Iterator[Self]:
        """A move for the Builder."""
        seat = state.to_move()
        if seat is not None:
            yield cls(seat=seat)

    def check(self, state: VerraeterState) -> Iterable[RuleBrokenError]:
        """The breach of another player than the Builder."""
        return _not_the_builder(state, self.seat)

    def execute(self, state: VerraeterState) -> list[Effect]:
        """Build nothing, and go on with the round."""
        return [Effect("build.skipped", "verraeter:A5", self.seat), *finish_round(state)]


def _not_the_builder(state: VerraeterState, seat: int) -> Iterable[RuleBrokenError]:
    name = state.seat_name(seat)
    if state.due != "build":
        return [
            RuleBrokenError(
                "verraeter:20",
                "{name} is not asked to build: now {step_words}",
                name=name,
                step_words=step_words(state),
            )
        ]
    builder = state.actor("Builder")
    if builder is None or builder == seat:
        return ()
    return [
        RuleBrokenError("verraeter:20", "{name} is the Builder, not {other}", name=state.seat_name(builder), other=name)
    ]


def _too_many_posts(state: VerraeterState, seat: int) -> Iterable[RuleBrokenError]:
    if state.in_play(seat, "post") < POSTS:
        return ()
    return [
        RuleBrokenError(
            "verraeter:21", "{name} has {posts} trading posts in play already", name=state.seat_name(seat), posts=POSTS
        )
    ]


def _built(state: VerraeterState) -> list[Effect]:
    """The effects after building: the round goes on, if building was due."""
    return finish_round(state) if state.due == "build" else []
